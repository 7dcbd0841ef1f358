//! Steps of a point with set-valued friction, from change to change within a step.

use super::{End, NotFound, Stepper, Workspace, lateral};
use crate::friction::Friction;
use crate::motion::{Grip, Motion};
use crate::propagate::{Forces, Propagator};

/// Changes of stick and slip within one step, at the most.
const MOST_CHANGES: usize = 12;

/// Share of a step to which changes are located.
const LOCATED: f64 = 1e-12;

/// Evaluations to locate a change, at the most; six are usual.
const MOST_TRIALS: usize = 80;

/// Where a part of a step would lead in the present state of the contact.
#[derive(Clone, Copy)]
struct Part {
    end: End,
    roughness: f64,
    residual: f64,
    /// Positive while the state holds: σ v of a slip, μ_s N − |F_y| of stick.
    holds: f64,
}

/// The slip speed just after release: laws that jump take their lower value there.
const RELEASED: f64 = f64::MIN_POSITIVE;

impl Stepper<'_> {
    pub(super) fn point(
        &self,
        law: &Friction,
        t: f64,
        motion: &mut Motion,
        work: &mut Workspace,
    ) -> Result<(), NotFound> {
        let mut part = std::mem::take(&mut work.part);
        let made = self.change_to_change(law, t, (motion, work), &mut part);
        work.part = part;
        made.map_err(|residual| NotFound { t, residual })
    }

    fn change_to_change(
        &self,
        law: &Friction,
        t: f64,
        (motion, work): (&mut Motion, &mut Workspace),
        part: &mut Propagator,
    ) -> Result<(), f64> {
        let (mut passed, mut held) = (0.0, false);
        for changes in 0.. {
            let left = self.h - passed;
            if left <= LOCATED * self.h {
                return Ok(());
            }
            let modes = if passed == 0.0 {
                &self.modes
            } else {
                part.fit(&self.wheel.modes, left);
                &*part
            };
            let whole = self.trial(modes, law, t + self.h, motion, work)?;
            if whole.holds >= 0.0 || held || changes >= MOST_CHANGES {
                motion.held += u64::from(whole.holds < 0.0);
                self.accept(modes, left, &whole, motion, work);
                return Ok(());
            }
            match self.locate(law, (t + passed, left, whole.holds), (motion, work), part)? {
                Located::At(h, found) => {
                    self.accept(part, h, &found, motion, work);
                    passed += h;
                    self.change(law, motion);
                }
                Located::Now => self.change(law, motion),
                Located::Never => {
                    (motion.grip, held) = (Grip::Stick, true);
                    motion.force = self.holding(motion);
                }
            }
        }
        Ok(())
    }

    /// Where the present state leads over the time of a propagator.
    fn trial(
        &self,
        modes: &Propagator,
        law: &Friction,
        t_end: f64,
        motion: &Motion,
        work: &mut Workspace,
    ) -> Result<Part, f64> {
        let roughness = self.wheel.roughness.at(t_end);
        let free = self.begin(modes, motion, &mut work.q, &mut work.p);
        let from = End { force: motion.force, load: motion.load, slip: motion.slip };
        if motion.grip == Grip::Stick {
            let pull = Propagator::hold(&self.wheel.modes, (&work.q, &work.p));
            let [yy, yz] = self.products();
            // ÿ = 0 at the end: Σφ_y(ω²q + 2ζωp) = g_y Σφ_y² + g_z Σφ_yφ_z.
            let force = |_: f64, load: f64| {
                let gz = load - self.wheel.spring.load;
                (pull + (modes.hold_z - yz) * gz) / (yy - modes.hold_y) - self.steady
            };
            let (mut end, residual) = self.end(modes, &free, (from, roughness), force)?;
            end.slip = 0.0;
            let holds = law.at(0.0) * end.load - end.force.abs();
            return Ok(Part { end, roughness, residual, holds });
        }
        // In the air nothing says which way it will land but the velocity itself.
        let sign = match motion.grip {
            Grip::Slip(sign) => f64::from(sign),
            _ => (self.wheel.slip() + free.lateral).signum(),
        };
        let force = |slip: f64, load: f64| -sign * law.at((sign * slip).max(RELEASED)) * load;
        let (end, residual) = self.end(modes, &free, (from, roughness), force)?;
        let holds = if end.load == 0.0 { 1.0 } else { sign * end.slip };
        Ok(Part { end, roughness, residual, holds })
    }

    /// Σ φ_y², Σ φ_y φ_z.
    fn products(&self) -> Forces {
        let each = |of: fn(&crate::Mode) -> f64| self.wheel.modes.iter().map(of).sum();
        [each(|mode| mode.lateral * mode.lateral), each(|mode| mode.lateral * mode.vertical)]
    }

    /// F_y that holds the contact where it is \[N\].
    fn holding(&self, motion: &Motion) -> f64 {
        let [yy, yz] = self.products();
        let pull = Propagator::hold(&self.wheel.modes, (&motion.q, &motion.p));
        (pull - yz * (motion.load - self.wheel.spring.load)) / yy - self.steady
    }

    /// The instant within (0, left) at which the state ends, located by false positions (Illinois).
    fn locate(
        &self,
        law: &Friction,
        (t, left, at_end): (f64, f64, f64),
        (motion, work): (&Motion, &mut Workspace),
        part: &mut Propagator,
    ) -> Result<Located, f64> {
        let (mut low, mut at_low) = (0.0, self.holds_now(law, motion));
        let (mut high, mut at_high) = (left, at_end);
        let mut try_at = |h: f64, work: &mut Workspace| {
            part.fit(&self.wheel.modes, h);
            self.trial(part, law, t + h, motion, work)
        };
        if at_low <= 0.0 {
            if motion.grip == Grip::Stick {
                return Ok(Located::Now);
            }
            // A slip that has just begun: it holds a little later, or it never began.
            let mut h = left;
            for _ in 0..8 {
                h *= 0.25;
                let found = try_at(h, work)?;
                if found.holds > 0.0 {
                    (low, at_low) = (h, found.holds);
                    break;
                }
                (high, at_high) = (h, found.holds);
            }
            if low == 0.0 {
                return Ok(Located::Never);
            }
        }
        let mut side = 0_i8;
        for _ in 0..MOST_TRIALS {
            if high - low <= LOCATED * self.h {
                break;
            }
            let guess = low + (high - low) * at_low / (at_low - at_high);
            let middle = if guess > low && guess < high { guess } else { 0.5 * (low + high) };
            let holds = try_at(middle, work)?.holds;
            if holds == 0.0 {
                high = middle;
                break;
            }
            if holds > 0.0 {
                (low, at_low) = (middle, holds);
                at_high *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            } else {
                (high, at_high) = (middle, holds);
                at_low *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            }
        }
        let found = try_at(high, work)?;
        Ok(Located::At(high, found))
    }

    /// How far the present state holds at the present instant.
    fn holds_now(&self, law: &Friction, motion: &Motion) -> f64 {
        match motion.grip {
            Grip::Stick => law.at(0.0) * motion.load - motion.force.abs(),
            Grip::Slip(sign) => f64::from(sign) * motion.slip,
            Grip::Open => 1.0,
        }
    }

    fn accept(&self, modes: &Propagator, h: f64, part: &Part, motion: &mut Motion, work: &mut Workspace) {
        let end = part.end;
        motion.energies.heat -= 0.5 * h * (motion.force * motion.slip + end.force * end.slip);
        motion.residual = motion.residual.max(part.residual);
        self.take(modes, h, (end, part.roughness), motion, work);
        match motion.grip {
            Grip::Stick if end.load > 0.0 => self.stop(motion),
            Grip::Stick => motion.grip = Grip::Open,
            _ if end.load == 0.0 => motion.grip = Grip::Open,
            Grip::Open => motion.grip = Grip::slips(end.slip),
            Grip::Slip(_) => {}
        }
    }

    /// Takes out of the modes what is left of the slip velocity: v = 0.0.
    fn stop(&self, motion: &mut Motion) {
        let [yy, _] = self.products();
        let rest = (self.wheel.slip() + lateral(self.wheel, &motion.p)) / yy;
        for (mode, p) in self.wheel.modes.iter().zip(&mut motion.p) {
            *p -= mode.lateral * rest;
        }
        motion.slip = 0.0;
    }

    /// The state that the contact goes over to, where the present one has ended.
    fn change(&self, law: &Friction, motion: &mut Motion) {
        if motion.load == 0.0 {
            (motion.grip, motion.force) = (Grip::Open, 0.0);
            return;
        }
        let released = motion.grip == Grip::Stick;
        self.stop(motion);
        let holding = self.holding(motion);
        if !released && holding.abs() <= law.at(0.0) * motion.load {
            (motion.grip, motion.force) = (Grip::Stick, holding);
            return;
        }
        // Friction at its bound opposes the slip that begins.
        let sign: i8 = if holding > 0.0 { -1 } else { 1 };
        motion.grip = Grip::Slip(sign);
        motion.force = -f64::from(sign) * law.at(RELEASED) * motion.load;
    }
}

/// Where a state ends.
enum Located {
    /// After this time.
    At(f64, Part),
    /// At once.
    Now,
    /// A slip that did not begin.
    Never,
}
