//! Stars as W, b and C: contacts are ground and brake of each wheel, then, where there is one, the resistance of the chassis.

use stickslip_linalg::Matrix;

use super::response::Found;
use super::{Answer, DampedRoom, Damper, Load, Region, Star};
use crate::inclusion::solver::{intervals, same, size, symmetric};
use crate::inclusion::{SolveError, Solved, Solver};
use crate::law::{Law, Product};

/// A star whose contacts have intervals with any ends: [`Star::respond`].
#[derive(Debug, Clone)]
pub struct AnyIntervals(Star);

/// A star some of whose wheels stand on dampers: [`Star::solve_damped`].
///
/// f = φ + c s is the same as a contact that holds whatever comes, C = ℝ, with 1/c more of influence on its own slip and φ/c more of slip
/// without force.
#[derive(Debug, Clone)]
pub struct Damped {
    star: Star,
    /// c of each wheel that stands on a damper.
    damping: Vec<Option<f64>>,
    room: DampedRoom,
}

/// The star that W belongs to, and what each wheel's ground has besides as influence on its own slip: 1/c of a damper, or 0.
fn recognise(w: &Matrix, c: &Product) -> Option<(Star, Vec<f64>)> {
    let m = c.dim();
    let n = m / 2;
    if w.rows() != m || w.cols() != m || m == 0 || intervals(c).is_none() {
        return None;
    }
    let d: Vec<f64> = (0..n).map(|i| w[(2 * i + 1, 2 * i + 1)]).collect();
    let d0 = match (m % 2, n) {
        (1, _) => w[(2 * n, 2 * n)],
        (_, 1) => w[(0, 0)] - w[(1, 1)],
        _ => w[(0, 2)],
    };
    let largest = size(w.data());
    let entry = |k: usize, l: usize| {
        let chassis = |k: usize| k.is_multiple_of(2);
        let shared = if k / 2 == l / 2 && k.max(l) < 2 * n { d[k / 2] } else { 0.0 };
        shared + if chassis(k) && chassis(l) { d0 } else { 0.0 }
    };
    let known =
        |k: usize, l: usize| (k == l && k.is_multiple_of(2) && k < 2 * n) || same(w[(k, l)], entry(k, l), largest);
    let fits = (0..m).all(|k| (0..m).all(|l| known(k, l)));
    let more = (0..n).map(|i| w[(2 * i, 2 * i)] - entry(2 * i, 2 * i));
    let more: Vec<f64> = more.map(|more| if same(more, 0.0, largest) { 0.0 } else { more }).collect();
    let positive = d0 > 0.0 && d.iter().all(|d| *d > 0.0) && more.iter().all(|more| *more >= 0.0);
    (fits && positive).then(|| (Star::new(d0, d), more))
}

/// z0 and z of b, which must be slips that a chassis and its wheels can have. What dampers add is not looked at.
fn speeds(b: &[f64], dampers: impl Fn(usize) -> bool) -> Result<(f64, Vec<f64>), SolveError> {
    if b.iter().any(|b| !b.is_finite()) {
        return Err(SolveError::NotFinite);
    }
    let n = b.len() / 2;
    let z: Vec<f64> = (0..n).map(|i| b[2 * i + 1]).collect();
    let z0 = if b.len() % 2 == 1 { b[2 * n] } else { b[0] - b[1] };
    let fits = (0..n).all(|i| dampers(i) || same(b[2 * i], z0 + z[i], size(b)));
    if fits { Ok((z0, z)) } else { Err(SolveError::Form) }
}

/// The bounds of grounds, of brakes and of the resistance.
fn bounds(a: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
    let (pairs, rest) = a.as_chunks::<2>();
    (pairs.iter().map(|a| a[0]).collect(), pairs.iter().map(|a| a[1]).collect(), rest.first().copied().unwrap_or(0.0))
}

/// Where the search for a problem with another solution begins.
fn begin(n: usize, start: &Solved) -> Answer {
    let mut answer = Answer::new(n);
    let s = &start.s;
    answer.y1 = s.get(2 * n).copied().unwrap_or_else(|| if n > 0 { s[0] - s[1] } else { 0.0 });
    for (region, states) in answer.regions.iter_mut().zip(start.states.as_chunks::<2>().0) {
        *region = Region::new(states[0].sign(), states[1].sign());
    }
    answer
}

/// What an answer tells of so many contacts.
fn told(y: &Answer, contacts: usize) -> Result<Solved, SolveError> {
    if y.residual.is_nan() || y.y1.is_nan() {
        return Err(SolveError::NotFinite);
    }
    let pairs = |a: &[f64], b: &[f64], last: f64| -> Vec<f64> {
        a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).chain([last]).take(contacts).collect()
    };
    let r = pairs(&y.f, &y.g, y.r).iter().map(|f| 0.0 - f).collect();
    Ok(Solved::on_lines(r, pairs(&y.slip, &y.v, y.y1), Some(y.residual)))
}

impl Solver for Star {
    const NAME: &'static str = "star";

    fn accept(w: &Matrix, c: &Product) -> Option<Star> {
        symmetric(c)?;
        let (star, more) = recognise(w, c)?;
        more.iter().all(|more| *more == 0.0).then_some(star)
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, start: &Solved) -> Result<Solved, SolveError> {
        let (z0, z) = speeds(b, |_| false)?;
        let (a_g, a_b, a_0) = bounds(&symmetric(c).ok_or(SolveError::Form)?);
        let mut answer = begin(z.len(), start);
        self.solve(Load { z0, a_0, z: &z, a_g: &a_g, a_b: &a_b }, &mut answer);
        told(&answer, b.len())
    }
}

impl Solver for AnyIntervals {
    const NAME: &'static str = "star, any intervals";

    fn accept(w: &Matrix, c: &Product) -> Option<AnyIntervals> {
        let (star, more) = recognise(w, c)?;
        more.iter().all(|more| *more == 0.0).then_some(AnyIntervals(star))
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, _: &Solved) -> Result<Solved, SolveError> {
        let (z0, z) = speeds(b, |_| false)?;
        let ends = intervals(c).ok_or(SolveError::Form)?;
        let (lo, hi): (Vec<f64>, Vec<f64>) = ends.iter().map(|[lo, hi]| (lo, hi)).unzip();
        let free: Vec<f64> = [z0].into_iter().chain(z).collect();
        let Found { forces, slips, .. } = self.0.respond(&free, &lo, &hi)?;
        Ok(Solved::on_lines(forces, slips, None))
    }
}

impl Solver for Damped {
    const NAME: &'static str = "damped star";

    /// With the resistance of the chassis, whose slip without forces tells z0 also where all wheels stand on dampers.
    fn accept(w: &Matrix, c: &Product) -> Option<Damped> {
        let (star, more) = recognise(w, c)?;
        let damping: Vec<Option<f64>> = more.iter().map(|more| (*more > 0.0).then(|| 1.0 / more)).collect();
        let fits = |(k, (law, _)): (usize, (&Law, _))| match (law, damping.get(k / 2).copied().flatten()) {
            (Law::Interval(c), Some(_)) if k % 2 == 0 => c.lo() == f64::NEG_INFINITY && c.hi() == f64::INFINITY,
            (Law::Interval(c), _) => c.lo() == -c.hi() && c.hi().is_finite(),
            _ => false,
        };
        let fits = c.dim() % 2 == 1 && c.iter().enumerate().all(fits);
        let room = DampedRoom::new(damping.len());
        fits.then_some(Damped { star, damping, room })
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, start: &Solved) -> Result<Solved, SolveError> {
        let (z0, z) = speeds(b, |i| self.damping[i].is_some())?;
        let ends = intervals(c).ok_or(SolveError::Form)?;
        let (a_g, a_b, a_0) = bounds(&ends.iter().map(|ends| ends[1]).collect::<Vec<f64>>());
        let damper = |(i, damping): (usize, &Option<f64>)| {
            damping.map(|damping| Damper { force: damping * (b[2 * i] - (z0 + z[i])), damping })
        };
        let dampers: Vec<Option<Damper>> = self.damping.iter().enumerate().map(damper).collect();
        let mut answer = begin(z.len(), start);
        self.star.solve_damped(Load { z0, a_0, z: &z, a_g: &a_g, a_b: &a_b }, &dampers, &mut self.room, &mut answer);
        // A contact that holds whatever comes has no slip.
        let held = answer.slip.iter_mut().zip(&dampers).filter(|(_, damper)| damper.is_some());
        held.for_each(|(slip, _)| *slip = 0.0);
        told(&answer, b.len())
    }
}
