//! State of a motorcycle, with what has happened so far.

use serde::{Deserialize, Serialize};
use stickslip_core::law::State;
use stickslip_loads::planar::{BrakeMode, Impact, Kind, Loads, Modes, Step, Steps, WheelMode};
use stickslip_loads::transfer::{Branch, Solution};

/// State of a motorcycle, with what has happened so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MotorcycleState {
    /// Motion, energies, modes, and what steps remember.
    pub(super) moved: Steps,
    /// Whether forces and modes are decided.
    pub(super) begun: bool,
    /// N of front and rear \[N\].
    pub(super) normal: [f64; 2],
    /// Force of the ground, forward \[N\].
    pub(super) tangential: [f64; 2],
    /// Torque of the brakes on the wheels \[N m\].
    pub(super) brake: [f64; 2],
    /// How far the law was missed at the worst, as a share of weight or speed.
    pub(super) missed: f64,
    /// What has happened so far.
    pub(super) history: History,
}

/// What has happened so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The last landing.
    pub(super) landing: Option<Landing>,
    /// How many there were.
    pub(super) landings: u32,
    /// The first instant with more than one solution.
    pub(super) several: Option<Several>,
    /// Instants at which modes were decided.
    pub(super) decided: u64,
    /// Whether both wheels stood held, where only the sum of the ground forces is determined.
    pub(super) held: bool,
}

/// A landing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Landing {
    /// When \[s\].
    pub t: f64,
    /// Its impulses and energies.
    pub impact: Impact,
    /// X' after it [m/s].
    pub speed: f64,
}

/// An instant with more than one solution.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Several {
    /// When \[s\].
    pub t: f64,
    /// All of them: what the wheels do, loads, index.
    pub solutions: Vec<Solution<[f64; 2]>>,
    /// The branch that was taken.
    pub taken: Branch,
    /// Whether it is unstable.
    pub unstable: bool,
    /// How many such instants there were.
    pub times: u64,
}

impl History {
    /// Takes in an event.
    pub fn take(&mut self, t: f64, kind: &Kind, speed: f64) {
        match kind {
            Kind::Modes { modes, solutions, unstable } => self.decide(t, modes, solutions, *unstable),
            Kind::Impact(impact) => {
                self.landing = Some(Landing { t, impact: *impact, speed });
                self.landings += 1;
            }
            Kind::PitchExtremum | Kind::FellOver => {}
        }
    }

    /// Takes in a step.
    pub fn step(&mut self, t: f64, modes: &Modes, step: &Step, speed: f64) {
        self.decide(t, modes, &step.solutions, step.unstable);
        if let Some(impact) = step.impact {
            self.landing = Some(Landing { t, impact, speed });
            self.landings += 1;
        }
    }

    fn decide(&mut self, t: f64, modes: &Modes, solutions: &[Solution<[f64; 2]>], unstable: bool) {
        self.decided += 1;
        let stands = |i: usize| modes.wheels[i] == WheelMode::Stick && modes.brakes[i] == BrakeMode::Held;
        self.held |= stands(0) && stands(1);
        if solutions.len() > 1 {
            let taken = Branch::of(modes.wheels.map(|mode| mode == WheelMode::Open));
            let first = || Several { t, solutions: solutions.to_vec(), taken, unstable, times: 0 };
            self.several.get_or_insert_with(first).times += 1;
        }
    }
}

impl MotorcycleState {
    /// Takes over forces.
    pub(super) fn carry(&mut self, loads: &Loads) {
        (self.normal, self.tangential, self.brake) = (loads.normal, loads.tangential, loads.brake);
        self.begun = true;
    }

    /// X and Z \[m\], the pitch and the angles of the wheels \[rad\].
    pub fn places(&self) -> [f64; 5] {
        self.moved.state.q
    }

    /// Their rates.
    pub fn speeds(&self) -> [f64; 5] {
        self.moved.state.v
    }

    /// Loads of front and rear \[N\].
    pub fn loads(&self) -> [f64; 2] {
        self.normal
    }

    /// The last landing.
    pub fn landing(&self) -> Option<&Landing> {
        self.history.landing.as_ref()
    }

    /// The first instant with more than one solution.
    pub fn several(&self) -> Option<&Several> {
        self.history.several.as_ref()
    }
}

/// What the contacts do: front wheel on the ground, its brake, then the rear.
pub(super) fn contact_states(modes: &Modes) -> [State; 4] {
    let ground = |i: usize| match modes.wheels[i] {
        WheelMode::Open => State::Open,
        WheelMode::Stick => State::Stick,
        WheelMode::Slip(side) => State::Slip([side, 0.0]),
    };
    let brake = |i: usize| match modes.brakes[i] {
        BrakeMode::Held => State::Stick,
        BrakeMode::Slip(side) => State::Slip([side, 0.0]),
    };
    [ground(0), brake(0), ground(1), brake(1)]
}
