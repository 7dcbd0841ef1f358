//! The motorcycle as a system, and its implicit steps.

use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::{
    Clock, Dissipation, Kernel, Ledger, Line, Lines, Stop, System, SystemError, Uniqueness,
};
use stickslip_core::signal::Signal;
use stickslip_loads::ode::Extrapolation;
use stickslip_loads::planar::{PlanarBody, PlanarError, PlanarRun, PlanarState, StepTorques, Steps};

use super::state::{History, Several, contact_states};
use super::{MotorcycleState, Parameters, WHEELS};

/// A motorcycle in its plane.
#[derive(Debug, Clone)]
pub struct Motorcycle {
    pub(super) parameters: Parameters,
    pub(super) body: PlanarBody,
    contacts: Vec<Name>,
}

impl Motorcycle {
    /// With these data; the error says what is wrong with them.
    pub fn new(parameters: Parameters) -> Result<Motorcycle, PlanarError> {
        let body = PlanarBody::new(parameters.data.clone())?;
        let contacts = WHEELS.iter().flat_map(|name| [format!("{name} ground"), format!("{name} brake")]);
        Ok(Motorcycle { contacts: contacts.map(Name::Owned).collect(), body, parameters })
    }

    /// Its data.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Kinetic energy and that of height, over that at rest on both wheels \[J\].
    pub(super) fn energy(&self, state: &PlanarState) -> f64 {
        let data = &self.parameters.data;
        self.body.energy(state) - data.mass * data.gravity * data.height
    }

    /// Brake and motor torques.
    pub(super) fn signals(&self) -> impl Iterator<Item = &Signal> {
        self.parameters.data.wheels.iter().flat_map(|wheel| [&wheel.brake, &wheel.motor])
    }
}

/// What the loads crate says, as systems say it.
pub(super) fn ends(error: &PlanarError) -> SystemError {
    match error {
        PlanarError::NoSolution { t } => SystemError::Ends {
            t: *t,
            why: "no accelerations solve the contacts (Painlevé's paradox: friction pushes a wheel into the ground faster than it \
                  can give way); write without = \"impulse\" in [solutions] to let an impulse without a collision follow"
                .into(),
        },
        PlanarError::NoImpact { t } => SystemError::Ends { t: *t, why: "no impulses solve the landing".into() },
        PlanarError::NotSmooth(error) => SystemError::StepTooSmall { t: error.t, h: error.step },
        PlanarError::Sunk { t } => SystemError::Ends {
            t: *t,
            why: "a wheel sinks into the road: its landing was not found. Take the scheme implicit-euler".into(),
        },
        PlanarError::Crowded { t, count } => SystemError::Ends {
            t: *t,
            why: format!("events follow each other in no time, {count} of them so far: take the scheme implicit-euler"),
        },
        PlanarError::NotFound { t } => SystemError::Ends {
            t: *t,
            why: "the accelerations of the contacts were not found, although friction leaves some: with numbers of these sizes they drown \
                  in rounding. Are masses, inertias and lengths in kg, kg m² and m?"
                .into(),
        },
        other => SystemError::Ends { t: 0.0, why: other.to_string() },
    }
}

/// The motorcycle has fallen over.
pub(super) fn fell_over(t: f64, pitch: f64) -> SystemError {
    let over = if pitch < 0.0 { "its front wheel" } else { "its rear wheel" };
    SystemError::Ends {
        t,
        why: format!(
            "the motorcycle fell over {over}: beyond 90 degrees of pitch, or with the centre of mass on the ground, the equations mean \
             nothing"
        ),
    }
}

impl System for Motorcycle {
    type State = MotorcycleState;
    type Workspace = Extrapolation;
    type Kernel<'a> = StepKernel<'a>;

    fn start(&self) -> MotorcycleState {
        MotorcycleState {
            moved: Steps::new(&self.body, self.parameters.start()),
            begun: false,
            normal: self.body.loads_at_rest(),
            tangential: [0.0; 2],
            brake: [0.0; 2],
            missed: 0.0,
            history: History::default(),
        }
    }

    fn workspace(&self) -> Extrapolation {
        PlanarRun::integrator(&self.body, &self.parameters.settings)
    }

    fn kernel(&self, n: u64, clock: Clock) -> Result<(StepKernel<'_>, u64), SystemError> {
        let mut lines = Lines::new(n, clock);
        let [front, rear] = &self.parameters.data.wheels;
        let brakes = [lines.end_bound("brake torque", &front.brake)?, lines.end_bound("brake torque", &rear.brake)?];
        let motors = [lines.begin("motor torque", &front.motor)?, lines.begin("motor torque", &rear.motor)?];
        Ok((StepKernel { motorcycle: self, first: n, clock, brakes, motors }, lines.valid()))
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn contact_states(&self, state: &MotorcycleState, out: &mut [State]) {
        if state.begun {
            out.copy_from_slice(&contact_states(&state.moved.modes));
        } else {
            out.fill(State::Open);
        }
    }

    fn velocities(&self, state: &MotorcycleState, out: &mut [f64]) {
        // Rims and pitch as speeds, so that all can be compared.
        let (v, data) = (state.speeds(), &self.parameters.data);
        let rims = [0, 1].map(|i| v[3 + i] * data.wheels[i].radius);
        out.copy_from_slice(&[v[0], v[1], v[2] * data.height, rims[0], rims[1]]);
    }

    fn dim(&self) -> usize {
        5
    }

    fn ledger(&self, state: &MotorcycleState) -> Ledger {
        let spent = &state.moved.spent;
        let energies = [spent.ground[0], spent.brake[0], spent.ground[1], spent.brake[1], spent.impacts];
        let names = self.contacts.iter().cloned().chain([Name::Borrowed("landings")]);
        Ledger {
            start: self.energy(&self.parameters.start()),
            stored: self.energy(&state.moved.state),
            work: spent.work,
            dissipated: names.zip(energies).map(|(contact, energy)| Dissipation { contact, energy }).collect(),
            passed: 0.0,
        }
    }

    fn worst_residual(&self, state: &MotorcycleState) -> f64 {
        state.missed
    }

    fn is_finite(&self, state: &MotorcycleState) -> bool {
        state.places().iter().chain(&state.speeds()).all(|x| x.is_finite())
    }

    fn uniqueness(&self) -> Uniqueness {
        Uniqueness {
            velocities: true,
            forces: true,
            reason: "at every instant at which modes were decided all of them were tried, and one fitted".into(),
        }
    }

    fn uniqueness_so_far(&self, state: &MotorcycleState) -> Uniqueness {
        let history = &state.history;
        if let Some(several) = &history.several {
            return Uniqueness { velocities: false, forces: false, reason: words(several).into() };
        }
        let count = history.decided;
        if history.held {
            let reason = "all modes were tried, and one fitted; with both wheels held only the sum of the ground forces is \
                          determined, and one of the two is taken to be nothing more than it must";
            return Uniqueness { velocities: true, forces: false, reason: reason.into() };
        }
        let reason = format!(
            "all modes were tried at {count} instants, and exactly one solution was there each time; in between they were not tried"
        );
        Uniqueness { velocities: true, forces: true, reason: reason.into() }
    }
}

/// Several solutions in words.
pub(super) fn words(several: &Several) -> String {
    let each: Vec<String> = several
        .solutions
        .iter()
        .map(|s| {
            let [front, rear] = s.place.map(|load| format!("{load:.1}"));
            format!("{} with loads {front} N and {rear} N, index {:+}", s.branch.words(), s.index)
        })
        .collect();
    format!(
        "{} solutions at t = {} s: {}{}. {}",
        each.len(),
        several.t,
        each.join("; "),
        if several.times > 1 {
            format!(" (and several at {} more instants)", several.times - 1)
        } else {
            String::new()
        },
        match (several.taken.words(), several.unstable) {
            (taken, true) => format!("Taken: {taken}, of index -1, which every contact that yields leaves"),
            (taken, false) => {
                format!("Taken: {taken}; `select` in [solutions] takes another")
            }
        }
    )
}

/// Implicit steps.
pub struct StepKernel<'a> {
    motorcycle: &'a Motorcycle,
    first: u64,
    clock: Clock,
    brakes: [Line; 2],
    motors: [Line; 2],
}

impl Kernel for StepKernel<'_> {
    type State = MotorcycleState;
    type Workspace = Extrapolation;

    fn advance(
        &self,
        n: u64,
        end: u64,
        state: &mut MotorcycleState,
        _: &mut Extrapolation,
    ) -> Result<(u64, Stop), SystemError> {
        let Motorcycle { body, parameters, .. } = self.motorcycle;
        for k in n..end {
            let since = (k - self.first) as f64;
            let torques = StepTorques {
                brake: self.brakes.map(|line| line.at(since).max(0.0)),
                motor: self.motors.map(|line| line.at(since)),
            };
            let t = self.clock.time(k + 1);
            let before = (state.begun, state.moved.modes);
            let made = state.moved.advance(body, &parameters.settings, &torques, self.clock.h);
            let step = made.ok_or_else(|| ends(&body.no_solution(t, state.places()[2])))?;
            state.carry(&step.loads);
            state.missed = state.missed.max(step.missed);
            let speed = state.speeds()[0];
            state.history.step(t, &state.moved.modes, &step, speed);
            let q = state.places();
            if q[2].abs() > std::f64::consts::FRAC_PI_2 || q[1] < 0.0 {
                return Err(fell_over(t, q[2]));
            }
            if before != (true, state.moved.modes) {
                return Ok((k + 1, Stop::Event));
            }
        }
        Ok((end, Stop::Time))
    }
}
