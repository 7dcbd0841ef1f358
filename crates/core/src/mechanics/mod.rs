//! Mechanics: what a scheme needs to know of a system.
//!
//! A system M v' = F(t, q, v) + Hᵀ r with contact forces r is stepped by turning it into one inclusion per
//! step. The system itself says how, through a [`Kernel`]: a small value with all constants of the step
//! already computed and all signals reduced to straight lines, valid up to the next break of any signal.
//! The loop that runs it has nothing to look up and nothing to allocate.
//!
//! Systems whose motion between events is a polynomial of time say so through [`Affine`], others that are smooth there
//! through [`Smooth`].

mod affine;
mod ledger;
mod lines;
mod on_lines;
mod over_slip;
mod smooth;

pub use crate::inclusion::Response;
pub(crate) use affine::sign;
pub use affine::{Affine, Loads, Motion, NoClosedForm, Pieces, Vector};
pub use ledger::{Dissipation, Ledger};
pub use lines::{Line, Lines};
pub use on_lines::{check_signals, known_until, motion};
pub use over_slip::LawsOverSlip;
pub use smooth::{At, Flow, Grip, Signals, Sizes, Smooth, passed};

use crate::Name;
use crate::inclusion::SolveError;
use crate::law::{LawError, State};

/// A mechanical system with set-valued contact forces.
pub trait System: Send {
    /// All that changes in a step: velocities, positions, contact forces and states, tallies. Plain data: all that the
    /// motion from here on depends on.
    type State: Clone + Send;

    /// What steps work on and with: lists, factors, solvers. It can be made anew at any time and nothing else follows.
    type Workspace: Clone + Send;

    /// Whether its kernels know θ-steps, and not implicit Euler alone.
    const THETA: bool = false;

    /// What makes implicit steps of one size between two breaks of the signals.
    type Kernel<'a>: Kernel<State = Self::State, Workspace = Self::Workspace>
    where
        Self: 'a;

    /// State at t = 0. The contacts have no state yet: the first step finds it.
    fn start(&self) -> Self::State;

    /// A new workspace.
    fn workspace(&self) -> Self::Workspace;

    /// The kernel for the steps of a clock from number `n` on (step n leads from its time n to its time n + 1), and the
    /// number of the first step for which it no longer holds (greater than `n`).
    fn kernel(&self, n: u64, clock: Clock) -> Result<(Self::Kernel<'_>, u64), SystemError>;

    /// Names of the contacts.
    fn contacts(&self) -> &[Name];

    /// Modes of the contacts in a state that a step has led to.
    fn contact_states(&self, state: &Self::State, out: &mut [State]);

    /// The velocities, for error measures: at most [`System::dim`] of them.
    fn velocities(&self, state: &Self::State, out: &mut [f64]);

    /// Number of velocities.
    fn dim(&self) -> usize;

    /// Energy so far.
    fn ledger(&self, state: &Self::State) -> Ledger;

    /// Worst residual of the inclusions solved so far, relative to the greatest speed they had to do with.
    fn worst_residual(&self, state: &Self::State) -> f64;

    /// Whether all of the state is finite.
    fn is_finite(&self, state: &Self::State) -> bool;

    /// What of a result is unique whatever happens, and by which rule the rest is chosen.
    fn uniqueness(&self) -> Uniqueness;

    /// What of the run that has led to a state is unique.
    fn uniqueness_so_far(&self, _state: &Self::State) -> Uniqueness {
        self.uniqueness()
    }
}

/// Instants of equal steps.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Clock {
    /// When step 0 begins \[s\].
    pub begin: f64,
    /// Size of a step \[s\].
    pub h: f64,
    /// θ: forces that the state opposes are taken this share of a step after its beginning. 1 is implicit Euler, ½ the
    /// scheme of Moreau and Jean.
    pub theta: f64,
    /// How unilateral contacts are judged.
    pub judged: Judged,
}

/// Whether the speeds after step n are among those that residuals are measured by: of every sixteenth step, so that looking costs next to
/// nothing, and counted from step 0, so that a run that is cut knows the same speeds as one that is not.
#[inline(always)]
pub const fn measures_speed(n: u64) -> bool {
    n.is_multiple_of(LOOK_EVERY)
}

/// Steps between two looks at the speeds.
const LOOK_EVERY: u64 = 16;

/// The number before which steps from n on pause to look at speeds: one after that of the next step that [`measures_speed`] names.
/// A loop up to there has nothing to ask in each step.
#[inline(always)]
pub const fn pause_to_measure(n: u64) -> u64 {
    n.next_multiple_of(LOOK_EVERY) + 1
}

/// How a step tells whether a unilateral contact is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Judged {
    /// By the gap half a step ahead; a blow then turns the approach s into −e s (Newton's law of impact).
    #[default]
    Impact,
    /// By the gap in the shifted configuration u + h(1−θ)v, which the end of the step must keep open: the modified θ-method. Blows
    /// are inelastic.
    Shifted,
    /// By the gap at the end of the step: the plain θ-method, which bounces for θ < 1.
    End,
}

impl Clock {
    /// Steps of size h from t = 0 on.
    pub fn new(h: f64) -> Clock {
        Clock { begin: 0.0, h, theta: 1.0, judged: Judged::Impact }
    }

    /// When step n begins.
    #[inline]
    pub fn time(&self, n: u64) -> f64 {
        self.begin + n as f64 * self.h
    }

    /// The first step that begins at t or after it.
    pub fn first_at_or_after(&self, t: f64) -> u64 {
        let guess = ((t - self.begin) / self.h).ceil();
        if guess >= 1e18 {
            return u64::MAX;
        }
        let mut k = guess.max(0.0) as u64;
        while k > 0 && self.time(k - 1) >= t {
            k -= 1;
        }
        while self.time(k) < t {
            k += 1;
        }
        k
    }
}

/// Why steps stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The last of them was made.
    Time,
    /// A contact changed its state in the last one.
    Event,
}

/// Makes implicit steps.
pub trait Kernel {
    /// The state that is stepped.
    type State;

    /// What the steps work with.
    type Workspace;

    /// Steps from number `n` until step number `end`, or until a contact has changed its
    /// state. Returns the number of the step to make next and why it stopped there.
    fn advance(
        &self,
        n: u64,
        end: u64,
        state: &mut Self::State,
        work: &mut Self::Workspace,
    ) -> Result<(u64, Stop), SystemError>;
}

impl Stop {
    /// From whether a contact changed.
    pub fn from_change(changed: bool) -> Stop {
        if changed { Stop::Event } else { Stop::Time }
    }
}

/// What of a result is unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uniqueness {
    /// Whether velocities are unique.
    pub velocities: bool,
    /// Whether contact forces are unique.
    pub forces: bool,
    /// Why, or by which rule the others were chosen.
    pub reason: Name,
}

/// Why a system cannot be stepped further.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SystemError {
    /// A signal has no finite value.
    #[error("{what} is {value} at t = {t} s: it must be finite")]
    NotFinite {
        /// Which signal.
        what: &'static str,
        /// When.
        t: f64,
        /// Its value there.
        value: f64,
    },
    /// A bound is negative.
    #[error("{what} is {value} at t = {t} s: it must not be negative")]
    Negative {
        /// Which signal.
        what: &'static str,
        /// When.
        t: f64,
        /// Its value there.
        value: f64,
    },
    /// A signal that is no straight line anywhere, where the scheme needs straight lines.
    #[error(
        "the closed form needs straight lines, and {what} is none at t = {t} s: give constants or points, or take the \
         scheme implicit-euler"
    )]
    NotAffine {
        /// Which signal.
        what: &'static str,
        /// When.
        t: f64,
    },
    /// Something that the scheme `events` does not know.
    #[error("the scheme events does not know {what}: take the scheme implicit-euler")]
    ByStepsOnly {
        /// What.
        what: &'static str,
    },
    /// Steps that the system does not make, in words of its own.
    #[error("{words}")]
    Refused {
        /// What is wrong, and what to do.
        words: String,
    },
    /// No step is short enough between two events.
    #[error(
        "no step from t = {t} s is accurate, not even one of {h:e} s: is a force neither smooth nor guarded there?"
    )]
    StepTooSmall {
        /// When.
        t: f64,
        /// The last step tried.
        h: f64,
    },
    /// The motion has come to where the model does not describe it any more.
    #[error("at t = {t} s {why}")]
    Ends {
        /// When \[s\].
        t: f64,
        /// What happens there.
        why: String,
    },
    /// Contacts that begin to slip do not settle on who slips.
    #[error(
        "which contacts slip from t = {t} s on could not be decided: take a scheme by steps (implicit-euler; for squeal second-order)"
    )]
    Undecided {
        /// When.
        t: f64,
    },
    /// Events follow each other faster than they can be located, without end.
    #[error(
        "events crowd from t = {since} s to t = {t} s and beyond, faster than they can be located; {handovers} stretches \
         of short implicit steps did not lead out: take a scheme by steps (implicit-euler; for squeal second-order) with a step of your choice"
    )]
    Crowded {
        /// When the crowd began.
        since: f64,
        /// How far the run has come.
        t: f64,
        /// How many stretches were made.
        handovers: u64,
    },
    /// A step that is far too long for what moves.
    #[error(
        "steps of {h:e} s are too long for a motion with a rate of {rate:e} per second: write a step of at most {most:e} s, \
         or take the scheme events"
    )]
    LongStep {
        /// The step \[s\].
        h: f64,
        /// The longest one that is possible \[s\].
        most: f64,
        /// How fast the system moves of itself [1/s].
        rate: f64,
    },
    /// A formula that was not looked through so far.
    #[error(
        "by events a formula must be looked through for corners and pulses before: `explore` it until t = {asked} s, or give \
         the scenario that duration (so far it is known until {until} s)"
    )]
    Unexplored {
        /// Until when it was looked through \[s\]; below zero if it was not.
        until: f64,
        /// Until when the run is to go \[s\].
        asked: f64,
    },
    /// A step that is none.
    #[error(
        "a step of {h} s: it must be finite and greater than 0, and no less than the rounding of the time (2e-13 of it)"
    )]
    BadStep {
        /// The step \[s\].
        h: f64,
    },
    /// A θ that the steps cannot have.
    #[error("theta = {theta}: it must lie between 0.5 and 1, and be 1 for models that know implicit Euler only")]
    Theta {
        /// The θ asked for.
        theta: f64,
    },
    /// The inclusion of the contacts could not be solved.
    #[error("contact forces: {0}")]
    Inclusion(#[from] SolveError),
    /// What a contact can transmit is no set.
    #[error("contact forces: {0}")]
    Law(#[from] LawError),
}

impl SystemError {
    /// The same with the signal's value in another unit: `factor` of the new for one of the old.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> SystemError {
        if let SystemError::NotFinite { value, .. } | SystemError::Negative { value, .. } = &mut self {
            *value *= factor;
        }
        self
    }
}
