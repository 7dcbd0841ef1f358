//! The half-car as a system, and its implicit steps.

use crate::passed::Passed;
use serde::{Deserialize, Serialize};
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::{
    Clock, Dissipation, Kernel, Ledger, Line, Lines, Stop, System, SystemError, Uniqueness,
};
use stickslip_loads::half_car::{HalfCar, HalfCarError, HalfCarRun, HalfCarState, Steps};
use stickslip_loads::ode::Extrapolation;

use super::{Parameters, WHEELS};

/// A half-car on springs.
#[derive(Debug, Clone)]
pub struct Car {
    pub(super) parameters: Parameters,
    pub(super) body: HalfCar,
    contacts: Vec<Name>,
}

/// State of a half-car, with what has happened so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CarState {
    /// Motion, energies, and the tyres that carry.
    pub(super) moved: Steps,
    /// Whether the contacts are decided.
    pub(super) begun: bool,
    /// Brake force on the road \[N\].
    pub(super) brake: f64,
    /// How far the law of the tyres was missed at the worst, as a share of their static load.
    pub(super) missed: f64,
    /// Greatest pitch in size so far \[rad\], at ends of steps.
    pub(super) steepest: f64,
    /// Since when brakes have acted with no tyre on the ground, if they ever did \[s\].
    pub(super) unsupported: Option<f64>,
    /// What of the road a step has passed without having looked at it.
    pub(super) passed: Option<Passed>,
}

impl CarState {
    /// Place, motion and energies.
    pub fn motion(&self) -> &HalfCarState {
        &self.moved.state
    }

    /// Takes in where a step or a unit has led.
    pub(super) fn took(&mut self, t: f64) {
        self.steepest = self.steepest.max(self.moved.state.q[1].abs());
        if self.brake > 0.0 && self.moved.carries == [false, false] {
            self.unsupported.get_or_insert(t);
        }
    }
}

impl Car {
    /// With these data; the error says what is wrong with them.
    pub fn new(parameters: Parameters) -> Result<Car, HalfCarError> {
        let body = HalfCar::new(parameters.data.clone())?;
        let contacts = WHEELS.iter().map(|name| Name::Owned(format!("{name} tyre"))).collect();
        Ok(Car { parameters, body, contacts })
    }

    /// What it is made of.
    pub fn body(&self) -> &HalfCar {
        &self.body
    }

    /// What of the road under a tyre a step from one state to another has passed without having looked at it.
    fn passed(&self, from: &HalfCarState, to: &HalfCarState) -> Option<Passed> {
        let data = &self.parameters.data;
        let of = |i: usize| {
            let at = |state: &HalfCarState| [state.x + data.corners[i].place, self.body.road(i, state)];
            Passed::between(data.road.iter().copied(), [at(from), at(to)])
        };
        let mut worst = of(0);
        Passed::keep(&mut worst, of(1));
        worst
    }

    /// Force of the brakes on the road \[N\].
    pub(super) fn brake_at(&self, t: f64, rolls: bool) -> f64 {
        if rolls { self.parameters.data.brake.at(t) } else { 0.0 }
    }
}

/// What the tyres do: they carry, or they are in the air.
pub(super) fn contact_states(carries: [bool; 2]) -> [State; 2] {
    carries.map(|carries| if carries { State::Stick } else { State::Open })
}

impl System for Car {
    type State = CarState;
    type Workspace = Extrapolation;
    type Kernel<'a> = StepKernel<'a>;

    fn start(&self) -> CarState {
        let moved = Steps::new(&self.body);
        CarState { moved, begun: false, brake: 0.0, missed: 0.0, steepest: 0.0, unsupported: None, passed: None }
    }

    fn workspace(&self) -> Extrapolation {
        HalfCarRun::integrator(&self.body)
    }

    fn kernel(&self, n: u64, clock: Clock) -> Result<(StepKernel<'_>, u64), SystemError> {
        let mut lines = Lines::new(n, clock);
        let brake = lines.end_bound("brake force", &self.parameters.data.brake)?;
        Ok((StepKernel { car: self, first: n, clock, brake }, lines.valid()))
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn contact_states(&self, state: &CarState, out: &mut [State]) {
        if state.begun {
            out.copy_from_slice(&contact_states(state.moved.carries));
        } else {
            out.fill(State::Open);
        }
    }

    fn velocities(&self, state: &CarState, out: &mut [f64]) {
        // The pitch as a speed, so that all can be compared.
        let ([heave, pitch, front, rear], [a, b]) = (state.motion().v, self.parameters.data.corners.map(|c| c.place));
        out.copy_from_slice(&[state.motion().speed, heave, 0.5 * (a - b) * pitch, front, rear]);
    }

    fn dim(&self) -> usize {
        5
    }

    fn ledger(&self, state: &CarState) -> Ledger {
        let motion = state.motion();
        let energies =
            [("front damper", motion.dampers[0]), ("rear damper", motion.dampers[1]), ("brakes", motion.braked)];
        Ledger {
            start: self.body.energy(&self.body.start()),
            stored: self.body.energy(motion),
            work: motion.lifted,
            dissipated: energies.map(|(name, energy)| Dissipation { contact: name.into(), energy }).into(),
            passed: 0.0,
        }
    }

    fn worst_residual(&self, state: &CarState) -> f64 {
        state.missed
    }

    fn is_finite(&self, state: &CarState) -> bool {
        let motion = state.motion();
        motion.q.iter().chain(&motion.v).chain([&motion.x, &motion.speed]).all(|x| x.is_finite())
    }

    fn uniqueness(&self) -> Uniqueness {
        let reason = "the load of a tyre falls with its height, and the matrix of a step is symmetric and positive definite: exactly \
                      one set of tyres that carry fits";
        Uniqueness { velocities: true, forces: true, reason: reason.into() }
    }
}

/// Implicit steps.
pub struct StepKernel<'a> {
    car: &'a Car,
    first: u64,
    clock: Clock,
    brake: Line,
}

impl Kernel for StepKernel<'_> {
    type State = CarState;
    type Workspace = Extrapolation;

    fn advance(
        &self,
        n: u64,
        end: u64,
        state: &mut CarState,
        _: &mut Extrapolation,
    ) -> Result<(u64, Stop), SystemError> {
        for k in n..end {
            let brake = self.brake.at((k - self.first) as f64).max(0.0);
            let (before, from) = ((state.begun, state.moved.carries), *state.motion());
            let missed = state.moved.advance(&self.car.body, brake, self.clock.h);
            state.brake = self.car.body.mass() * (from.speed - state.motion().speed) / self.clock.h;
            state.missed = if missed <= state.missed { state.missed } else { missed };
            if !self.car.parameters.data.road.is_empty() {
                Passed::keep(&mut state.passed, self.car.passed(&from, &state.moved.state));
            }
            state.begun = true;
            state.took(self.clock.time(k + 1));
            if before != (true, state.moved.carries) {
                return Ok((k + 1, Stop::Event));
            }
        }
        Ok((end, Stop::Time))
    }
}
