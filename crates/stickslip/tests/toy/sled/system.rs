//! Equations, state and steps of the sled.

use serde::{Deserialize, Serialize};
use stickslip::core::Name;
use stickslip::core::law::State;
use stickslip::core::mechanics::{
    At, Clock, Dissipation, Flow, Grip, Kernel, Ledger, Line, Lines, NoClosedForm, Signals, Sizes, Smooth, Stop,
    System, SystemError, Uniqueness,
};
use stickslip::core::record::{Column, Record};
use stickslip::core::scheme::ByEvents;
use stickslip::core::signal::Signal;
use stickslip::core::simulation::{Driven, Input};
use stickslip::linalg::Matrix;

/// Mass [kg], friction coefficient, force [N].
#[derive(Debug, Clone)]
pub struct Parameters {
    pub mass: f64,
    pub friction: f64,
    pub force: Signal,
}

/// The sled.
#[derive(Debug, Clone)]
pub struct Sled {
    p: Parameters,
    contacts: [Name; 1],
}

/// Where it is and what has happened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SledState {
    x: f64,
    v: f64,
    r: f64,
    mode: State,
    work: f64,
    heat: f64,
    residual: f64,
}

const COLUMNS: &[Column] = &[
    Column::real("t", "s", "time"),
    Column::real("x", "m", "position"),
    Column::real("v", "m/s", "speed"),
    Column::real("r", "N", "friction"),
    Column::whole("state", "0 stuck, -1 or 1 sliding"),
];

impl Sled {
    pub fn new(p: Parameters) -> Sled {
        Sled { p, contacts: ["ground".into()] }
    }

    fn limit(&self) -> f64 {
        self.p.friction * self.p.mass * 9.81
    }
}

fn mode(v: f64) -> State {
    if v == 0.0 { State::Stick } else { State::Slip([v.signum(), 0.0]) }
}

impl System for Sled {
    type State = SledState;
    type Workspace = ();
    type Kernel<'a> = SledKernel<'a>;

    fn start(&self) -> SledState {
        SledState { x: 0.0, v: 0.0, r: 0.0, mode: State::Open, work: 0.0, heat: 0.0, residual: 0.0 }
    }

    fn workspace(&self) {}

    fn kernel(&self, n: u64, clock: Clock) -> Result<(SledKernel<'_>, u64), SystemError> {
        let mut lines = Lines::new(n, clock);
        let force = lines.begin("the force", &self.p.force)?;
        Ok((SledKernel { sled: self, first: n, h: clock.h, force }, lines.valid()))
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn contact_states(&self, state: &SledState, out: &mut [State]) {
        out[0] = state.mode;
    }

    fn velocities(&self, state: &SledState, out: &mut [f64]) {
        out[0] = state.v;
    }

    fn dim(&self) -> usize {
        1
    }

    fn ledger(&self, u: &SledState) -> Ledger {
        let dissipated = vec![Dissipation { contact: "ground".into(), energy: u.heat }];
        Ledger { passed: 0.0, start: 0.0, stored: 0.5 * self.p.mass * u.v * u.v, work: u.work, dissipated }
    }

    fn worst_residual(&self, state: &SledState) -> f64 {
        state.residual
    }

    fn is_finite(&self, state: &SledState) -> bool {
        state.v.is_finite() && state.x.is_finite()
    }

    fn uniqueness(&self) -> Uniqueness {
        Uniqueness { velocities: true, forces: true, reason: "one contact".into() }
    }
}

/// Implicit steps.
pub struct SledKernel<'a> {
    sled: &'a Sled,
    first: u64,
    h: f64,
    force: Line,
}

impl Kernel for SledKernel<'_> {
    type State = SledState;
    type Workspace = ();

    fn advance(&self, n: u64, end: u64, u: &mut SledState, (): &mut ()) -> Result<(u64, Stop), SystemError> {
        let (m, limit) = (self.sled.p.mass, self.sled.limit());
        for k in n..end {
            let force = self.force.at((k - self.first) as f64);
            let free = u.v + self.h * force / m;
            u.r = (-m * free / self.h).clamp(-limit, limit);
            let held = m * free.abs() <= limit * self.h;
            u.v = if held { 0.0 } else { free + self.h * u.r / m };
            // How far the law is missed, as a speed: |r − proj(r − m v/h)| h/m.
            let missed = (u.r - (u.r - m * u.v / self.h).clamp(-limit, limit)).abs() * self.h / m;
            u.residual = if missed <= u.residual { u.residual } else { missed };
            u.x += self.h * u.v;
            u.work += self.h * force * u.v;
            u.heat -= self.h * u.r * u.v;
            let now = mode(u.v);
            if std::mem::replace(&mut u.mode, now) != now {
                return Ok((k + 1, Stop::Event));
            }
        }
        Ok((end, Stop::Time))
    }
}

impl Record for Sled {
    fn columns(&self) -> &[Column] {
        COLUMNS
    }

    fn row(&self, t: f64, u: &SledState, out: &mut [f64]) {
        out.copy_from_slice(&[t, u.x, u.v, u.r, f64::from(u.mode.sign())]);
    }

    fn end(&self, u: &SledState) -> Vec<(Name, f64)> {
        vec![("x".into(), u.x), ("v".into(), u.v)]
    }
}

impl Driven for Sled {
    fn inputs(&self) -> Vec<Input> {
        vec![Input { name: "sled.force".into(), unit: "N" }]
    }

    fn input(&self, input: usize) -> Option<Signal> {
        (input == 0).then(|| self.p.force.clone())
    }

    fn with_input(&self, _: usize, signal: Signal) -> Result<Sled, String> {
        Ok(Sled::new(Parameters { force: signal, ..self.p.clone() }))
    }
}

impl Smooth for Sled {
    fn sizes(&self) -> Sizes {
        Sizes { positions: 1, velocities: 1, powers: 1, guards: 0 }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![1]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0], vec![0.0])
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        out[0] = self.p.force.at(at.t) / self.p.mass;
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        out[0] = acceleration[0];
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        y[0] += forces[0] / self.p.mass;
    }

    fn influence(&self, _: At) -> Matrix {
        Matrix::from_rows(&[&[1.0 / self.p.mass]])
    }

    fn bound(&self, _: usize, _: At, _: Grip) -> f64 {
        self.limit()
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        out[0] = self.p.force.at(at.t) * at.v[0];
    }

    fn signals(&self) -> Signals<'_> {
        Box::new([("the force", &self.p.force)].into_iter())
    }
}

impl ByEvents for Sled {
    type Closed = NoClosedForm<SledState>;

    fn closed_form(&self) -> Option<&NoClosedForm<SledState>> {
        None
    }

    fn state_at(&self, flow: &Flow) -> SledState {
        SledState {
            x: flow.q[0],
            v: flow.v[0],
            r: flow.forces[0],
            mode: flow.states[0],
            work: flow.work[0],
            heat: flow.dissipated[0],
            residual: flow.residual,
        }
    }
}
