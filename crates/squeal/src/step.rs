//! Steps of second order.
//!
//! Contact forces that are held over a step, implicit and of first order, damp the spring of the contact: they take squeal away or change its
//! growth by a tenth. So modes are moved exactly under a contact force that is linear over the step, with its end value found
//! together with the motion (`propagate.rs`). Stick and slip of a point begin and end within a step, at instants that
//! are located, so that no force that jumps is taken for a straight line.

mod creep;
mod kick;
mod patch;
mod point;
mod start;

pub use start::Start;

use crate::contact::Contact;
use crate::motion::{Grip, Motion};
use crate::propagate::{Forces, Free, Propagator};
use crate::wheel::{SquealError, Wheel};

/// Iterations for the forces at the end of a step, at the most; four are usual.
const MOST_ITERATIONS: usize = 100;

/// Change of a force, over N0, below which it is found.
const FOUND: f64 = 1e-14;

/// What stays of the changes when only rounding is left.
const ROUNDING: f64 = 1e-11;

/// How much of itself a force may answer to within a step.
const MOST_ANSWER: f64 = 0.5;

/// Steps of one size.
#[derive(Debug, Clone)]
pub struct Stepper<'a> {
    wheel: &'a Wheel,
    h: f64,
    modes: Propagator,
    /// μ0 N0 \[N\].
    steady: f64,
    patch: Option<patch::Layout>,
}

/// What steps work with.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    q: Vec<f64>,
    p: Vec<f64>,
    part: Propagator,
    base: Vec<f64>,
    next: Vec<f64>,
}

/// Forces at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
struct End {
    force: f64,
    load: f64,
    slip: f64,
}

/// A step whose forces were not found.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the contact forces of the step from t = {t} s were not found: they still change by {residual:e} of the load")]
pub struct NotFound {
    /// When \[s\].
    pub t: f64,
    /// Change of the forces, over N0.
    pub residual: f64,
}

impl<'a> Stepper<'a> {
    /// For steps of size h; `cell` is the length of the cells of a patch, V times the usual step.
    pub fn new(wheel: &'a Wheel, h: f64, cell: f64) -> Result<Stepper<'a>, SquealError> {
        let patch = patch::Layout::new(wheel, cell)?;
        let steady = patch.as_ref().map_or_else(|| wheel.steady_friction() * wheel.spring.load, patch::Layout::steady);
        Ok(Stepper { wheel, h, modes: Propagator::new(&wheel.modes, h), steady, patch })
    }

    /// Refuses steps that do not follow the modes, the roughness or the contact.
    pub fn check(wheel: &Wheel, h: f64) -> Result<(), SquealError> {
        wheel.check_step(h)?;
        let modes = Propagator::new(&wheel.modes, h);
        let load = wheel.spring.load;
        // Loads may be some times that at rest in a squeal.
        let across = 2.0 * modes.zz * wheel.spring.stiffness();
        let along = match &wheel.contact {
            Contact::Point { friction } => 2.0 * modes.yy * load * friction.steepest(10.0 * wheel.speed),
            Contact::Creep { friction, slope, lag } => {
                let share = if *lag > 0.0 { (h * wheel.speed / (2.0 * lag)).min(1.0) } else { 1.0 };
                2.0 * share
                    * modes.yy
                    * load
                    * (friction.at(0.0) * slope / wheel.speed + friction.steepest(10.0 * wheel.speed))
            }
            Contact::Patch { friction, .. } => 2.0 * modes.yy * load * friction.steepest(10.0 * wheel.speed),
        };
        let factor = across + along;
        if factor > MOST_ANSWER {
            return Err(SquealError::StiffContact { h, factor, most: h * MOST_ANSWER / factor });
        }
        patch::Layout::new(wheel, wheel.speed * h).map(|_| ())
    }

    /// Number of bristles; none for other contacts.
    pub fn bristles(&self) -> Option<usize> {
        self.patch.as_ref().map(patch::Layout::len)
    }

    /// μ0 N0 \[N\]: friction of the steady state, of this patch of bristles.
    pub fn steady(&self) -> f64 {
        self.steady
    }

    /// One step from t on.
    pub fn step(&self, t: f64, motion: &mut Motion, work: &mut Workspace) -> Result<(), NotFound> {
        match &self.wheel.contact {
            Contact::Point { friction } => self.point(friction, t, motion, work),
            Contact::Creep { .. } => self.creep(t, motion, work),
            Contact::Patch { friction, .. } => self.patch(friction, t, motion, work),
        }
    }

    /// F_y of a contact that slips as it does.
    fn friction_of(&self, motion: &mut Motion) -> f64 {
        let Motion { slip, load, .. } = *motion;
        match &self.wheel.contact {
            Contact::Point { friction } => -slip.signum() * friction.at(slip.abs()) * load,
            Contact::Creep { lag, .. } if *lag > 0.0 => -motion.lag,
            Contact::Creep { friction, slope, .. } => {
                -load * friction.at(slip.abs()) * (slope * slip / self.wheel.speed).tanh()
            }
            Contact::Patch { friction, .. } => {
                let most = friction.at(slip.abs()) * load;
                self.patch.as_ref().map_or(0.0, |patch| patch.clip(&mut motion.bristles, most))
            }
        }
    }

    /// Forces beyond those of the steady state.
    fn beyond(&self, force: f64, load: f64) -> Forces {
        [force + self.steady, load - self.wheel.spring.load]
    }

    /// Moves copies of the modes as far as the forces at the beginning say.
    fn begin(&self, modes: &Propagator, motion: &Motion, q: &mut Vec<f64>, p: &mut Vec<f64>) -> Free {
        q.clear();
        q.extend_from_slice(&motion.q);
        p.clear();
        p.extend_from_slice(&motion.p);
        modes.free(&self.wheel.modes, self.beyond(motion.force, motion.load), (q, p))
    }

    /// Forces at the end of a step by iteration: `friction` says F_y of slip velocity and load.
    fn end(
        &self,
        modes: &Propagator,
        free: &Free,
        (from, roughness): (End, f64),
        friction: impl Fn(f64, f64) -> f64,
    ) -> Result<(End, f64), f64> {
        let (wheel, mut end) = (self.wheel, from);
        let mut change = f64::INFINITY;
        for _ in 0..MOST_ITERATIONS {
            let [gy, gz] = self.beyond(end.force, end.load);
            let slip = wheel.slip() + free.lateral + modes.yy * gy + modes.yz * gz;
            let load = wheel.spring.load(roughness - (free.height + modes.zy * gy + modes.zz * gz));
            let force = friction(slip, load);
            let step = (force - end.force).abs().max((load - end.load).abs()) / wheel.spring.load;
            end = End { force, load, slip };
            if step <= FOUND || (step >= change && step <= ROUNDING) {
                return Ok((end, step));
            }
            change = step;
        }
        if change <= ROUNDING { Ok((end, change)) } else { Err(change) }
    }

    /// Takes over where a step or a part of one has led, and tallies what it cost.
    fn take(
        &self,
        modes: &Propagator,
        h: f64,
        (end, roughness): (End, f64),
        motion: &mut Motion,
        work: &mut Workspace,
    ) {
        modes.add_end(&self.wheel.modes, self.beyond(end.force, end.load), (&mut work.q, &mut work.p));
        self.tally(h, (end, roughness), motion, work);
    }

    /// Tallies what a step or a part of one to these modes has cost, and puts them in the place of the old ones.
    fn tally(&self, h: f64, (end, roughness): (End, f64), motion: &mut Motion, work: &mut Workspace) {
        let energies = &mut motion.energies;
        for ((mode, old), new) in self.wheel.modes.iter().zip(&motion.p).zip(&work.p) {
            energies.damping += 0.5 * h * mode.rate() * (old * old + new * new);
        }
        energies.drive -= 0.5 * h * self.wheel.slip() * (motion.force + end.force);
        energies.roughness += 0.5 * (motion.load + end.load) * (roughness - motion.roughness);
        std::mem::swap(&mut motion.q, &mut work.q);
        std::mem::swap(&mut motion.p, &mut work.p);
        (motion.force, motion.load, motion.slip, motion.roughness) = (end.force, end.load, end.slip, roughness);
    }

    /// Energy stored in modes, spring and bristles, above that of the steady state \[J\].
    pub fn stored(&self, motion: &Motion) -> f64 {
        let (mut energy, mut y, mut z) = (0.0, 0.0, 0.0);
        for ((mode, q), p) in self.wheel.modes.iter().zip(&motion.q).zip(&motion.p) {
            energy += 0.5 * (p * p + (mode.omega() * q).powi(2));
            y += mode.lateral * q;
            z += mode.vertical * q;
        }
        let spring = &self.wheel.spring;
        let bristles = self.patch.as_ref().map_or(0.0, |patch| patch.energy(&motion.bristles));
        energy + spring.energy(motion.roughness - z) + spring.load * z - self.steady * y + bristles
    }
}

/// Velocity ẏ of modes with these rates.
pub fn lateral(wheel: &Wheel, p: &[f64]) -> f64 {
    wheel.modes.iter().zip(p).map(|(mode, p)| mode.lateral * p).sum()
}

/// Height z of modes with these coordinates.
pub fn height(wheel: &Wheel, q: &[f64]) -> f64 {
    wheel.modes.iter().zip(q).map(|(mode, q)| mode.vertical * q).sum()
}

/// What a contact that slips or is apart does.
fn slipping(end: &End) -> Grip {
    if end.load == 0.0 { Grip::Open } else { Grip::slips(end.slip) }
}
