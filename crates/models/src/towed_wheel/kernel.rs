//! One implicit step of the towed wheel.
//!
//! ```text
//! u⁺ = u + h (A F)(ψ, w, Ω) − h W C λ,   λ ∈ disk,  −u⁺ against it     (one scalar equation)
//! Ω⁺ = Ω + h …,   ψ⁺ = ψ + h Ω⁺,   w⁺ = w + h (u2⁺ + v sinψ + L Ω⁺)
//! ```
//!
//! Forces are taken at the beginning of the step, the contact at its end, and positions follow the new velocities.
//!
//! Forces at the beginning of a step are stable only while it is short against the motion of the wheel itself. A step
//! that is longer than 1/rate ([`Coefficients::rate`](super::Coefficients::rate)), as with a stiff bar or fast towing, is
//! made in equal parts that are not.

use super::{Form, Start, TowedWheel};
use stickslip_core::inclusion::OneDisk;
use stickslip_core::inclusion::nine_regions::greater;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Flow, Kernel, Stop, SystemError, measures_speed, pause_to_measure};

/// State of the towed wheel, with the tallies of the run.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TowedState {
    /// Angle ψ of the bar \[rad\].
    pub psi: f64,
    /// Its rate Ω [rad/s].
    pub omega: f64,
    /// Displacement w of the pin \[m\].
    pub w: f64,
    /// Slip along the bar [m/s]; exactly 0.0 while rolling.
    pub u1: f64,
    /// Slip across the bar [m/s]; exactly 0.0 while rolling.
    pub u2: f64,
    /// Force of the ground along the bar \[N\].
    pub f1: f64,
    /// Force of the ground across the bar \[N\].
    pub f2: f64,
    contact: Mode,
    h: f64,
    /// Σ power \[W\].
    power: f64,
    /// Σ C |u⁺| \[W\].
    friction: f64,
    /// Greatest residual, and greatest slip of the start and the steps that are looked at ([`measures_speed`]) [m/s].
    residual: f64,
    speed: f64,
}

/// What the contact does. Slip has no direction here: it turns in every step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
enum Mode {
    Unknown,
    Rolls,
    Slips,
}

impl TowedState {
    pub(super) fn at(start: Start) -> TowedState {
        let Start { psi, omega, w, u1, u2 } = start;
        TowedState {
            psi,
            omega,
            w,
            u1,
            u2,
            f1: 0.0,
            f2: 0.0,
            contact: Mode::Unknown,
            h: 1.0,
            power: 0.0,
            friction: 0.0,
            residual: 0.0,
            speed: 0.0,
        }
    }

    /// The state of a motion from event to event: sums over one step of a second.
    pub(super) fn in_motion(flow: &Flow) -> TowedState {
        let contact = if flow.states[0] == State::Stick { Mode::Rolls } else { Mode::Slips };
        TowedState {
            psi: flow.q[0],
            w: flow.q[1],
            omega: flow.v[2],
            // The slips carried along are better known than the velocities where they are small.
            u1: flow.s[0],
            u2: flow.s[1],
            f1: flow.forces[0],
            f2: flow.forces[1],
            contact,
            h: 1.0,
            power: flow.work[0],
            friction: flow.dissipated[0],
            residual: flow.residual,
            speed: flow.speed,
        }
    }

    /// What the contact does; open before the first step.
    pub fn contact(&self) -> State {
        match self.contact {
            Mode::Unknown => State::Open,
            Mode::Rolls => State::Stick,
            Mode::Slips => {
                let size = self.u1.hypot(self.u2);
                if size > 0.0 { State::Slip([self.u1 / size, self.u2 / size]) } else { State::Slip([0.0, 0.0]) }
            }
        }
    }

    /// Whether the wheel rolls.
    pub fn rolls(&self) -> bool {
        self.contact == Mode::Rolls
    }

    /// Work that the towing vehicle has done in the frame of the ledger \[J\].
    pub fn work(&self) -> f64 {
        self.h * self.power
    }

    /// Energy that has become heat in the contact \[J\].
    pub fn heat(&self) -> f64 {
        self.h * self.friction
    }

    /// NaN if any force or speed was not a number: the tallies keep that.
    pub(super) fn worst_residual(&self) -> f64 {
        if (self.power + self.friction).is_nan() {
            return f64::NAN;
        }
        if self.residual == 0.0 || self.speed == 0.0 { self.residual } else { self.residual / self.speed }
    }
}

/// Implicit steps of the towed wheel.
#[derive(Debug, Clone, Copy)]
pub struct TowedKernel<'a> {
    wheel: &'a TowedWheel,
    /// The step, and its parts.
    h: f64,
    parts: u32,
    part: f64,
    /// 1/parts: sums are kept per step.
    share: f64,
}

/// Most parts that a step is made of; with more, the step was not meant for this wheel.
const MOST_PARTS: f64 = 1e6;

impl<'a> TowedKernel<'a> {
    pub(super) fn new(wheel: &'a TowedWheel, h: f64) -> Result<TowedKernel<'a>, SystemError> {
        let rate = wheel.coefficients.rate();
        let parts = (h * rate).ceil().max(1.0);
        if parts.is_nan() || parts > MOST_PARTS {
            return Err(SystemError::LongStep { h, most: MOST_PARTS / rate, rate });
        }
        Ok(TowedKernel { wheel, h, parts: parts as u32, part: h / parts, share: 1.0 / parts })
    }

    /// One part of a step.
    #[inline(always)]
    fn part(&self, form: Form, x: &mut TowedState) {
        let (wheel, h) = (self.wheel, self.part);
        let p = &wheel.parameters;
        let (sin, cos) = x.psi.sin_cos();
        let before = [x.u1, x.u2, x.omega];
        let free = wheel.free(form, [sin, cos], x.w, before);
        let [w11, w12, w22] = wheel.influence_at(form, x.w);
        let scale = h * p.friction;
        let slide = OneDisk::new(scale * w11, scale * w12, scale * w22).solve([x.u1 + h * free[0], x.u2 + h * free[1]]);
        let force = [-p.friction * slide.share[0], -p.friction * slide.share[1]];
        let mut after = [x.u1 + h * free[0], x.u2 + h * free[1], x.omega + h * free[2]];
        wheel.pushed(form, x.w, [h * force[0], h * force[1]], &mut after);
        x.contact = if slide.sticks { Mode::Rolls } else { Mode::Slips };
        [x.u1, x.u2] = slide.slip;
        x.omega = after[2];
        [x.f1, x.f2] = force;
        x.power += self.share * wheel.power(form, [sin, cos], x.w, [x.u1, x.u2, x.omega]);
        x.friction -= self.share * (force[0] * x.u1 + force[1] * x.u2);
        x.w += h * (x.u2 + p.speed * sin + p.length * x.omega);
        x.psi += h * x.omega;
        x.residual = greater(slide.residual, x.residual);
    }

    /// Steps from n to the end, or until the contact changes: compiled for each form.
    #[inline(always)]
    fn steps(&self, form: Form, n: u64, end: u64, x: &mut TowedState) -> (u64, Stop) {
        // Residuals are measured against the speeds that b was made of: slips, and what the yaw of the bar gives.
        let speed = |x: &TowedState| x.u1.abs().max(x.u2.abs()).max(self.wheel.parameters.length * x.omega.abs());
        if x.contact == Mode::Unknown {
            x.speed = x.speed.max(speed(x));
        }
        let mut k = n;
        let mut changed = false;
        while k < end && !changed {
            let pause = end.min(pause_to_measure(k));
            while k < pause && !changed {
                let before = x.contact;
                for _ in 0..self.parts {
                    self.part(form, x);
                }
                changed = x.contact != before;
                k += 1;
            }
            if measures_speed(k - 1) {
                x.speed = x.speed.max(speed(x));
            }
        }
        (k, Stop::from_change(changed))
    }
}

impl Kernel for TowedKernel<'_> {
    type State = TowedState;
    type Workspace = ();

    fn advance(&self, n: u64, end: u64, state: &mut TowedState, (): &mut ()) -> Result<(u64, Stop), SystemError> {
        // On a copy: the loop keeps it in registers.
        let mut x = *state;
        if x.h != self.h {
            // Sums are kept per step.
            let factor = x.h / self.h;
            (x.power, x.friction, x.h) = (factor * x.power, factor * x.friction, self.h);
        }
        let reached = match self.wheel.parameters.form {
            Form::Small => self.steps(Form::Small, n, end, &mut x),
            Form::Exact => self.steps(Form::Exact, n, end, &mut x),
        };
        *state = x;
        Ok(reached)
    }
}
