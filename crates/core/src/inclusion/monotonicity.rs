//! Whether W is monotone, and what that says about how many solutions there are.

use stickslip_linalg::{Front, Matrix};

use super::unseen::{Sign, Unseen};
use super::{Problem, geometric_mean};
use crate::law::{Law, State};

/// Rounding of a sum of n products, as a share of the greatest: what is smaller has no sign.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A force this share of the greatest away from the boundary of its set has room to change.
const ROOM: f64 = 1e-9;

/// A force this share of the greatest away from it is on it.
const TOUCHES: f64 = 4.0 * f64::EPSILON;

/// The sign of x·Wx.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Monotonicity {
    /// x·Wx > 0 for all x ≠ 0, also if entries change by rounding. Without cones there is exactly one solution.
    Strict,
    /// x·Wx ≥ 0 but for rounding: contacts may share a load. Without cones, slips of a symmetric W are the same with all solutions.
    Weak,
    /// x·Wx < 0 for some x: there may be no solution, or several.
    None,
}

impl Problem<'_, Matrix> {
    /// Whether W, square and as large as C, is monotone. Cones are not looked at.
    pub fn monotonicity(&self) -> Monotonicity {
        let weights = self.weights();
        let n = weights.len();
        let part =
            |i: usize, j: usize| 0.5 * (self.w[(i, j)] + self.w[(j, i)]) / geometric_mean(weights[i], weights[j]);
        let greatest =
            (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))).fold(1.0_f64, |m, (i, j)| m.max(part(i, j).abs()));
        let floor = ROUNDING * n as f64 * greatest;
        let positive = |shift: f64| {
            let mut front = Front::zeros(n);
            (0..n).for_each(|i| (0..=i).for_each(|j| front.add(i, j, part(i, j) + if i == j { shift } else { 0.0 })));
            front.eliminate(n).is_ok()
        };
        match (positive(-floor), positive(floor)) {
            (true, _) => Monotonicity::Strict,
            (false, true) => Monotonicity::Weak,
            (false, false) => Monotonicity::None,
        }
    }

    /// Whether forces that solve the problem, with contacts in these states, are the only ones; none if that is not known.
    ///
    /// Let r and r′ = r + e be solutions of a monotone problem. Then e·We = 0, so that e lies in the kernel of W + Wᵀ, and the forces of a contact
    /// that slips are the same in both. Where r lies inside the set of a contact that sticks, it sticks in both, so that (W e) is 0 there. At a bound e leads
    /// inwards. If no e but 0 is like that, r is the only solution. And any e of that kind with W e = 0 in all rows, W monotone or not, gives others.
    pub fn unique(&self, r: &[f64], states: &[State]) -> Option<bool> {
        if self.c.has_cones() {
            return None;
        }
        let monotonicity = self.monotonicity();
        if monotonicity == Monotonicity::Strict {
            return Some(true);
        }
        let rooms = self.rooms(r, states);
        let n = r.len();
        let scale: Vec<f64> = self.weights().iter().map(|w| w.sqrt()).collect();
        let entry = |i: usize, j: usize| self.w[(i, j)] / (scale[i] * scale[j]);
        if monotonicity == Monotonicity::Weak {
            let inside: Vec<usize> = (0..n).filter(|&i| rooms[i] == Room::Inside).collect();
            let rows = |i: usize, j: usize| match inside.get(i.wrapping_sub(n)) {
                Some(&i) => entry(i, j),
                None => 0.5 * (entry(i, j) + entry(j, i)),
            };
            if self.only_zero(n + inside.len(), rows, |k| rooms[k].may()) == Some(true) {
                return Some(true);
            }
        }
        (self.only_zero(n, entry, |k| rooms[k].does()) == Some(false)).then_some(false)
    }

    /// Whether no direction but 0 has these signs (components without one are 0) and is not seen by these rows; none if it is too close to tell.
    fn only_zero(
        &self,
        count: usize,
        entry: impl Fn(usize, usize) -> f64,
        sign: impl Fn(usize) -> Option<Sign>,
    ) -> Option<bool> {
        let (free, signs): (Vec<usize>, Vec<Sign>) =
            (0..self.b.len()).filter_map(|k| sign(k).map(|sign| (k, sign))).unzip();
        let rows = Matrix::from_fn(count, free.len(), |i, k| entry(i, free[k]));
        let cone = Unseen { rows: &rows, signs: &signs };
        let mut sure = true;
        for k in 0..free.len() {
            for way in [1.0, -1.0] {
                let mut x = vec![0.0; free.len()];
                x[k] = way;
                match cone.nearest(&x) {
                    Ok(Some(d)) if d.iter().any(|d| *d != 0.0) => return Some(false),
                    Ok(Some(_)) => {}
                    _ => sure = false,
                }
            }
        }
        sure.then_some(true)
    }

    /// Where each component of r may move to.
    fn rooms(&self, r: &[f64], states: &[State]) -> Vec<Room> {
        let size = r.iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        let mut rooms = vec![Room::None; r.len()];
        for ((law, at), state) in self.c.iter().zip(states) {
            if !matches!(state, State::Stick | State::Open) {
                continue;
            }
            let (near, far) = (TOUCHES * size, ROOM * size);
            let between = |r: f64, lo: f64, hi: f64| match (r - lo, hi - r) {
                _ if lo == hi => Room::None,
                (below, above) if below > far && above > far => Room::Inside,
                (below, above) if below <= near && above > far => Room::Above,
                (below, above) if above <= near && below > far => Room::Below,
                _ => Room::Unknown,
            };
            let room = match law {
                // A gap that opens stays open; what only touches may be pressed.
                Law::HalfLine(_) if *state == State::Open => Room::None,
                Law::HalfLine(_) => between(r[at.start], 0.0, f64::INFINITY),
                Law::Interval(c) => between(r[at.start], c.lo(), c.hi()),
                Law::Disk(c) if c.radius() == 0.0 => Room::None,
                Law::Disk(c) if c.radius() - r[at.start].hypot(r[at.start + 1]) > far => Room::Inside,
                Law::Disk(_) | Law::Cone(_) => Room::Unknown,
            };
            rooms[at].fill(room);
        }
        rooms
    }
}

/// Where a component of a force may move to without leaving its set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Room {
    /// Nowhere: the contact slips or is open, or its set is a point.
    None,
    /// Either way.
    Inside,
    /// It is at its lower end.
    Above,
    /// At its upper end.
    Below,
    /// Too near to an end to tell, or on the rim of a disk.
    Unknown,
}

impl Room {
    /// Where it may move to at the most.
    fn may(self) -> Option<Sign> {
        match self {
            Room::None => None,
            Room::Above => Some(Sign::Up),
            Room::Below => Some(Sign::Down),
            Room::Inside | Room::Unknown => Some(Sign::Any),
        }
    }

    /// Where it may move to for sure.
    fn does(self) -> Option<Sign> {
        if self == Room::Unknown { None } else { self.may() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inclusion::{Settings, solve};
    use crate::law::{HalfLine, Interval, Product};

    fn asked(w: &[&[f64]], b: &[f64], bounds: &[f64]) -> (Monotonicity, Option<bool>) {
        let law = |a: &f64| Law::Interval(Interval::symmetric(*a).expect("a bound"));
        let (w, c) = (Matrix::from_rows(w), Product::new(bounds.iter().map(law).collect()));
        let problem = Problem { w: &w, b, c: &c };
        let solution = solve(&problem, &vec![0.0; b.len()], &Settings::default()).expect("a solution");
        (problem.monotonicity(), problem.unique(&solution.r, &solution.states))
    }

    #[test]
    fn strict_weak_and_negative() {
        assert_eq!(asked(&[&[2.0, 1.0], &[1.0, 2.0]], &[1.0, -3.0], &[1.0, 1.0]), (Monotonicity::Strict, Some(true)));
        // A rotation is monotone, and not symmetric: where both stick inside their sets, r = −W⁻¹b is the only solution.
        let rotation: [&[f64]; 2] = [&[0.0, 1.0], &[-1.0, 0.0]];
        assert_eq!(asked(&rotation, &[0.0, 0.0], &[1.0, 1.0]), (Monotonicity::Weak, Some(true)));
        // r = (−1, t) is a solution for −½ ≤ t ≤ 1, with another slip for each: kernels do not tell.
        assert_eq!(asked(&rotation, &[0.5, -1.0], &[1.0, 1.0]).1, None);
        assert_eq!(asked(&[&[1.0, 2.0], &[2.0, 1.0]], &[0.1, 0.1], &[1.0, 1.0]).0, Monotonicity::None);
        assert_eq!(asked(&[&[-1.0]], &[0.0], &[1.0]), (Monotonicity::None, None));
    }

    /// Two pads on one body: both hold, or both are at their bounds, or the body slips.
    #[test]
    fn pads_that_share_a_load() {
        let both = |b: f64| asked(&[&[1.0, 1.0], &[1.0, 1.0]], &[b, b], &[1.0, 1.0]);
        assert_eq!(both(-1.0), (Monotonicity::Weak, Some(false)));
        // Both at their bounds, and no slip yet: one cannot take from the other.
        assert_eq!(both(-2.0).1, Some(true));
        assert_eq!(both(-3.0).1, Some(true));
    }

    /// Influences of which the squares are no numbers are as well known as others.
    #[test]
    fn sizes_do_not_matter() {
        for power in [-1000, -600, 0, 600, 900] {
            let k = 2.0_f64.powi(power);
            let (w, c) =
                (Matrix::from_rows(&[&[2.0 * k, k], &[k, 2.0 * k]]), Product::new(vec![Law::HalfLine(HalfLine); 2]));
            let problem = Problem { w: &w, b: &[-1.0, -1.0], c: &c };
            let solution = solve(&problem, &[0.0; 2], &Settings::default()).expect("a solution");
            assert_eq!(solution.undetermined, Vec::<usize>::new(), "2^{power}");
            assert_eq!(problem.unique(&solution.r, &solution.states), Some(true), "2^{power}");
        }
    }

    /// Two supports of one body press as they like; without a load neither does.
    #[test]
    fn supports_without_a_load() {
        let (w, c) = (Matrix::from_rows(&[&[1.0, 1.0], &[1.0, 1.0]]), Product::new(vec![Law::HalfLine(HalfLine); 2]));
        for (b, only) in [(0.0, true), (-1.0, false), (1.0, true)] {
            let problem = Problem { w: &w, b: &[b, b], c: &c };
            let solution = solve(&problem, &[0.0; 2], &Settings::default()).expect("a solution");
            assert_eq!(problem.unique(&solution.r, &solution.states), Some(only), "b = {b}");
        }
    }
}
