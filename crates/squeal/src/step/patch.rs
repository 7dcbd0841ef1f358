//! Steps of a patch of bristles: each step every bristle moves on by one cell.
//!
//! ```text
//! e_j⁺ = clip(e_{j−1} + h (v_n + v_{n+1})/2, ± μ(|v_{n+1}|) L p_j N_{n+1}),     e_0⁺ = clip((h/2)(v_n + 3 v_{n+1})/4, …)
//! F_y = −Σ e_j w_j/L
//! ```
//!
//! Bristles stand in the middle of cells of length V h; the load p_j of a cell is its mean, so that all of them carry N. Given μ N, ẏ⁺
//! is the only zero of a rising, piecewise linear function: Newton's method ends at it after finitely many steps. μ N itself is found by iteration:
//! within a step neither load nor friction answers much to the forces (`Stepper::check`).

use num_complex::Complex64;

use super::{End, NotFound, Stepper, Workspace};
use crate::contact::Contact;
use crate::friction::Friction;
use crate::motion::{Grip, Motion};
use crate::wheel::{SquealError, Wheel};

/// Bristles that a patch has at least.
const FEWEST: usize = 24;

/// Bristles that are summed side by side.
const LANES: usize = 8;

/// Newton steps of the slip velocity, at the most; two are usual.
const MOST_STEPS: usize = 60;

/// Cells of a patch.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    /// Length V h of a cell \[m\].
    cell: f64,
    /// Bound of each bristle where friction carries 1 N at the most [m/N]: L p_j/N; padded with zeros to full lanes.
    bounds: Vec<f64>,
    /// Share of the last cell that lies in the patch.
    last: f64,
    /// Number of bristles.
    count: usize,
    /// L [m²/N].
    flexibility: f64,
    /// Deflections in the steady state \[m\].
    steady: Vec<f64>,
    /// μ0 N0: what friction carries at the most in the steady state \[N\].
    most: f64,
}

/// Sums over the bristles at a slip velocity.
#[derive(Clone, Copy)]
struct Sums {
    /// ∫ e dξ [m²].
    deflection: f64,
    /// Its derivative over the slip velocity [m s].
    slope: f64,
}

impl Layout {
    /// Cells of this length; none for other contacts.
    pub(super) fn new(wheel: &Wheel, cell: f64) -> Result<Option<Layout>, SquealError> {
        let Contact::Patch { friction, half_length: a, flexibility } = &wheel.contact else { return Ok(None) };
        let (a, flexibility) = (*a, *flexibility);
        let cells = 2.0 * a / cell;
        // A last cell that is rounding is none.
        let count = (cells - 1e-6).ceil().max(1.0) as usize;
        if count < FEWEST {
            let (h, most) = (cell / wheel.speed, 2.0 * a / (FEWEST as f64 * wheel.speed));
            return Err(SquealError::FewBristles { h, found: count, least: FEWEST, most });
        }
        // ∫ from 0 to ξ of the load, as a share of N.
        let carried = |x: f64| {
            let u = (x / (2.0 * a)).min(1.0);
            u * u * (3.0 - 2.0 * u)
        };
        let mut bounds = vec![0.0; count.next_multiple_of(LANES)];
        for (j, bound) in bounds.iter_mut().take(count).enumerate() {
            let (from, to) = (j as f64 * cell, ((j + 1) as f64 * cell).min(2.0 * a));
            *bound = flexibility * (carried(to) - carried(from)) / (to - from);
        }
        let last = (2.0 * a - (count - 1) as f64 * cell) / cell;
        let mut layout = Layout {
            cell,
            bounds,
            last: last.min(1.0),
            count,
            flexibility,
            steady: Vec::new(),
            most: friction.at(wheel.slip()) * wheel.spring.load,
        };
        layout.steady = layout.settled(wheel);
        Ok(Some(layout))
    }

    /// Number of bristles.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Length of a cell \[m\].
    pub(super) fn cell(&self) -> f64 {
        self.cell
    }

    /// F_y of bristles.
    pub(super) fn force(&self, bristles: &[f64]) -> f64 {
        -self.integral(bristles) / self.flexibility
    }

    /// Deflections of steady rolling: each bristle gathers V s0 h a step, up to its bound.
    fn settled(&self, wheel: &Wheel) -> Vec<f64> {
        let gained = wheel.creepage * self.cell;
        let mut steady = vec![0.0; self.bounds.len()];
        let mut e = -0.5 * gained;
        for (own, bound) in steady.iter_mut().zip(&self.bounds).take(self.count) {
            e = (e + gained).min(bound * self.most);
            *own = e;
        }
        steady
    }

    /// Deflections of steady rolling.
    pub(super) fn bristles(&self) -> &[f64] {
        &self.steady
    }

    /// Adds what a slip velocity Re(v̂ e^{λt}) has done to bristles that stick: v̂ (1 − e^{−λξ/V})/λ.
    pub(super) fn disturb(&self, bristles: &mut [f64], (velocity, value): (Complex64, Complex64), speed: f64) {
        for (j, e) in bristles.iter_mut().take(self.count).enumerate() {
            let time = (j as f64 + 0.5) * self.cell / speed;
            *e += (velocity * (Complex64::ONE - (-value * time).exp()) / value).re;
        }
    }

    /// Friction of the steady state \[N\].
    pub(super) fn steady(&self) -> f64 {
        self.integral(&self.steady) / self.flexibility
    }

    /// Bristles of the steady state where friction carries `most` (μN): those that slide there stay at their bounds. Returns F_y.
    pub(super) fn clip(&self, bristles: &mut [f64], most: f64) -> f64 {
        for ((e, bound), steady) in bristles.iter_mut().zip(&self.bounds).zip(&self.steady) {
            let most = bound * most;
            *e = if *steady >= bound * self.most { most } else { e.clamp(-most, most) };
        }
        self.force(bristles)
    }

    /// ∫ e dξ.
    fn integral(&self, bristles: &[f64]) -> f64 {
        let sum: f64 = bristles.iter().sum();
        let end = bristles.get(self.count - 1).copied().unwrap_or(0.0);
        self.cell * (sum - (1.0 - self.last) * end)
    }

    /// Energy of the bristles above that of the steady state \[J\]: ∫ e²/(2L) dξ.
    pub(super) fn energy(&self, bristles: &[f64]) -> f64 {
        let square = |list: &[f64]| -> f64 {
            let sum: f64 = list.iter().map(|e| e * e).sum();
            let end = list.get(self.count - 1).copied().unwrap_or(0.0);
            sum - (1.0 - self.last) * end * end
        };
        0.5 * self.cell / self.flexibility * (square(bristles) - square(&self.steady))
    }

    /// Sums over the bristles that come from `base` with what they gain, the first one with its own gain, where friction carries `most` (μN).
    #[inline]
    fn sums(&self, base: &[f64], (gain, first): ([f64; 2], [f64; 2]), most: f64) -> Sums {
        let (mut deflection, mut free) = ([0.0; LANES], [0.0; LANES]);
        let (bases, _) = base.as_chunks::<LANES>();
        let (bounds, _) = self.bounds.as_chunks::<LANES>();
        for (base, bound) in bases.iter().zip(bounds) {
            for k in 0..LANES {
                let (e, most) = (base[k] + gain[0], bound[k] * most);
                deflection[k] += e.clamp(-most, most);
                free[k] += if e.abs() < most { 1.0 } else { 0.0 };
            }
        }
        // The first and the last bristle are not like the others.
        let of = |j: usize, gained: [f64; 2]| {
            let (e, most) = (base[j] + gained[0], self.bounds[j] * most);
            (e.clamp(-most, most), if e.abs() < most { gained[1] } else { 0.0 })
        };
        let (wrong, wrong_slope) = of(0, gain);
        let (right, right_slope) = of(0, first);
        let (end, end_slope) = of(self.count - 1, gain);
        let cut = 1.0 - self.last;
        Sums {
            deflection: self.cell * (deflection.iter().sum::<f64>() - wrong + right - cut * end),
            slope: self.cell * (free.iter().sum::<f64>() * gain[1] - wrong_slope + right_slope - cut * end_slope),
        }
    }
}

impl Stepper<'_> {
    pub(super) fn patch(
        &self,
        law: &Friction,
        t: f64,
        motion: &mut Motion,
        work: &mut Workspace,
    ) -> Result<(), NotFound> {
        let Some(layout) = &self.patch else { return Ok(()) };
        let (wheel, modes, h) = (self.wheel, &self.modes, self.h);
        let roughness = wheel.roughness.at(t + h);
        let free = self.begin(modes, motion, &mut work.q, &mut work.p);
        shift(&motion.bristles, wheel.speed * h / layout.cell, &mut work.base);
        let v = motion.slip;
        let half = 0.5 * h;
        // How far into the patch the first bristle has come: half a cell, for whole steps.
        let entered = 0.5 * half;
        let gain = |w: f64| ([half * (v + w), half], [entered * 0.5 * (v + 3.0 * w), entered * 1.5]);
        let (mut end, mut change) = (End { force: motion.force, load: motion.load, slip: v }, f64::INFINITY);
        let mut found = None;
        let mut most = law.at(v.abs()) * motion.load;
        for _ in 0..super::MOST_ITERATIONS {
            let gz = end.load - wheel.spring.load;
            let without = wheel.slip() + free.lateral + modes.yz * gz + modes.yy * self.steady;
            // w − without + yy ∫e/L = 0.
            let share = modes.yy / layout.flexibility;
            let mut slip = end.slip;
            let mut sums = layout.sums(&work.base, gain(slip), most);
            for _ in 0..MOST_STEPS {
                let miss = slip - without + share * sums.deflection;
                let next = slip - miss / (1.0 + share * sums.slope);
                if next == slip || miss.abs() <= 4.0 * f64::EPSILON * (wheel.slip() + slip.abs()) {
                    break;
                }
                slip = next;
                sums = layout.sums(&work.base, gain(slip), most);
            }
            let force = -sums.deflection / layout.flexibility;
            let [gy, gz] = self.beyond(force, end.load);
            let load = wheel.spring.load(roughness - (free.height + modes.zy * gy + modes.zz * gz));
            let next = law.at(slip.abs()) * load;
            // Where load and friction stay, so do all forces.
            let moved = (load - end.load).abs().max((next - most).abs()) / wheel.spring.load;
            let step = moved.max((force - end.force).abs() / wheel.spring.load);
            end = End { force, load, slip };
            if moved <= super::FOUND || (step >= change && step <= super::ROUNDING) {
                found = Some(moved);
                break;
            }
            (most, change) = (next, step);
        }
        let residual = found.ok_or(NotFound { t, residual: change })?;
        motion.residual = motion.residual.max(residual);
        let (heat, sliding) = self.slide(layout, gain(end.slip), most, work);
        motion.energies.heat += heat;
        self.take(modes, h, (end, roughness), motion, work);
        std::mem::swap(&mut motion.bristles, &mut work.next);
        motion.grip = match sliding {
            _ if end.load == 0.0 => Grip::Open,
            true => Grip::slips(end.slip),
            false => Grip::Stick,
        };
        Ok(())
    }

    /// Moves the bristles where friction carries `most` (μN): heat of those that slide, and whether all do.
    pub(super) fn slide(
        &self,
        layout: &Layout,
        (gain, first): ([f64; 2], [f64; 2]),
        most: f64,
        work: &mut Workspace,
    ) -> (f64, bool) {
        work.next.resize(layout.bounds.len(), 0.0);
        let (mut heat, mut stuck) = (0.0, 0.0);
        let cells = work.base.iter().zip(&layout.bounds).zip(&mut work.next);
        for ((base, bound), next) in cells {
            let (e, most) = (base + gain[0], bound * most);
            *next = e.clamp(-most, most);
            let slid = e - *next;
            // The bristle pulls with something between what it began and what it ends with.
            let pull = 0.5 * (*next + base);
            heat += slid * if pull * *next > 0.0 { pull } else { *next };
            stuck += if slid == 0.0 { most } else { 0.0 };
        }
        let (e, most) = (work.base[0] + first[0], layout.bounds[0] * most);
        let wrong = work.next[0];
        let own = e.clamp(-most, most);
        heat += 0.5 * ((e - own) * own - (work.base[0] + gain[0] - wrong) * wrong);
        work.next[0] = own;
        (heat * layout.cell / layout.flexibility, stuck == 0.0)
    }
}

/// Bristles moved on by a share of a cell, 0 < share ≤ 1: one leaves, one enters with 0. Between cells the deflection is taken for straight.
pub(super) fn shift(bristles: &[f64], share: f64, out: &mut Vec<f64>) {
    out.clear();
    out.push(0.0);
    out.extend_from_slice(&bristles[..bristles.len() - 1]);
    if (share - 1.0).abs() > 1e-9 {
        for (moved, own) in out.iter_mut().zip(bristles) {
            *moved = share * *moved + (1.0 - share) * own;
        }
    }
}
