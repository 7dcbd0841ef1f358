//! From event to event.

use serde::{Deserialize, Serialize};

use super::decide::Admitted;
use super::modes::Torques;
use super::{BrakeMode, Impact, Loads, Modes, PlanarBody, PlanarError, PlanarState, WheelMode};
use crate::ode::{Extrapolation, Flow, Stop};
use crate::transfer::{Memory, Select, Solution, choose};

/// So many events in no time mean that there is no motion.
const CROWD: u32 = 100;

/// Events closer than this are at one time \[s\].
const TOGETHER: f64 = 1e-12;

/// What to do where no accelerations solve the inclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnNone {
    /// Stop with an error.
    #[default]
    Error,
    /// Look for an impulse without a collision.
    Impulse,
}

/// How a run is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Which of several solutions.
    pub select: Select,
    /// What to do without any.
    pub on_none: OnNone,
    /// Greatest step \[s\].
    pub longest: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { select: Select::Nearest, on_none: OnNone::Error, longest: 5e-3 }
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Modes were decided; all solutions that there were.
    Modes {
        /// The modes from now on.
        modes: Modes,
        /// All solutions: branch, loads and index of each.
        solutions: Vec<Solution<[f64; 2]>>,
        /// Whether the one taken has the index −1.
        unstable: bool,
    },
    /// The pitch turned round.
    PitchExtremum,
    /// A wheel landed, or an impulse came without a collision.
    Impact(Impact),
    /// The vehicle fell over: it stands on end, or its centre of mass has come down to the ground. The run is over.
    FellOver,
}

/// One event: the motion just after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Happening {
    /// When \[s\].
    pub t: f64,
    /// What.
    pub kind: Kind,
    /// Place and motion.
    pub state: PlanarState,
}

/// A run under way.
#[derive(Debug)]
pub struct PlanarRun<'a> {
    body: &'a PlanarBody,
    settings: Settings,
    t: f64,
    state: PlanarState,
    admitted: Admitted,
    modes: Modes,
    loads: Loads,
    memory: Memory<[f64; 2]>,
    happened: Vec<Happening>,
    fell_over: Option<f64>,
    integrator: Extrapolation,
    crowd: (f64, u32),
}

/// The motion with fixed modes.
struct Motion<'a> {
    body: &'a PlanarBody,
    modes: Modes,
    torques: Torques<'a>,
    /// Sign of the pitch rate.
    pitching: f64,
}

/// Guards: five of each wheel (load or gap, two bounds or the slip, two bounds or the slip of the brake), then pitch rate, pitch,
/// height.
const GUARDS: usize = 13;

impl Motion<'_> {
    fn loads(&self, t: f64, y: &[f64]) -> Option<Loads> {
        let (q, v) = halves(y);
        self.body.loads(&self.modes, &self.torques, t, &q, &v)
    }
}

fn halves(y: &[f64]) -> ([f64; 5], [f64; 5]) {
    (std::array::from_fn(|k| y[k]), std::array::from_fn(|k| y[5 + k]))
}

impl Flow for Motion<'_> {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        out[..5].copy_from_slice(&y[5..10]);
        match self.loads(t, y) {
            Some(loads) => out[5..10].copy_from_slice(&loads.accelerations),
            // Seen by the integrator as a step that fails.
            None => out[5..10].fill(f64::NAN),
        }
    }

    fn guards(&self) -> usize {
        GUARDS
    }

    fn watch(&self, t: f64, y: &[f64], out: &mut [f64]) {
        out.fill(1.0);
        let (q, v) = halves(y);
        let Some(loads) = self.loads(t, y) else { return };
        let weight = self.body.data.mass * self.body.data.gravity;
        let state = PlanarState { q, v };
        for i in 0..2 {
            let guards = &mut out[5 * i..5 * i + 5];
            let [_, slip, brake] = self.body.slips(i, &state);
            let bound = self.body.data.wheels[i].friction * loads.normal[i];
            guards[0] = loads.normal[i] / weight;
            match self.modes.wheels[i] {
                WheelMode::Open => guards[0] = self.body.gap(i, &q),
                WheelMode::Stick => {
                    guards[1] = (bound - loads.tangential[i]) / weight;
                    guards[2] = (bound + loads.tangential[i]) / weight;
                }
                WheelMode::Slip(side) => guards[1] = side * slip,
            }
            match self.modes.brakes[i] {
                BrakeMode::Held => {
                    let bound = self.torques.brake(i, t);
                    guards[3] = (bound - loads.brake[i]) / weight;
                    guards[4] = (bound + loads.brake[i]) / weight;
                }
                BrakeMode::Slip(side) => guards[3] = side * brake,
            }
        }
        out[10] = self.pitching * v[2];
        out[11] = std::f64::consts::FRAC_PI_2 - q[2].abs();
        out[12] = q[1];
    }

    /// Constraints that rounding has left: gaps, normal speeds and slips that are zero by mode.
    fn settle(&self, y: &mut [f64]) {
        let closed = self.modes.wheels.map(|mode| mode != WheelMode::Open);
        match closed {
            [true, true] => (y[1], y[2], y[6], y[7]) = (self.body.data.height, 0.0, 0.0, 0.0),
            [true, false] => self.stand_on(0, y),
            [false, true] => self.stand_on(1, y),
            [false, false] => {}
        }
        for i in 0..2 {
            let (_, zeta) = self.body.levers(i, y[2]);
            let radius = self.body.data.wheels[i].radius;
            if self.modes.brakes[i] == BrakeMode::Held {
                y[8 + i] = y[7];
                if self.modes.wheels[i] == WheelMode::Stick {
                    y[5] = (zeta - radius) * y[7];
                }
            } else if self.modes.wheels[i] == WheelMode::Stick {
                y[8 + i] = (zeta * y[7] - y[5]) / radius;
            }
        }
    }
}

impl Motion<'_> {
    fn stand_on(&self, i: usize, y: &mut [f64]) {
        let (xi, zeta) = self.body.levers(i, y[2]);
        y[1] = self.body.data.wheels[i].radius - zeta;
        y[6] = -xi * y[7];
    }
}

impl<'a> PlanarRun<'a> {
    /// A run from t = 0. Slips that are zero to the bit stick where they can.
    pub fn new(body: &'a PlanarBody, state: PlanarState, settings: Settings) -> Result<PlanarRun<'a>, PlanarError> {
        let slips = [0, 1].map(|i| body.slips(i, &state));
        let touches = [0, 1].map(|i| body.gap(i, &state.q) <= TOGETHER && slips[i][0].abs() <= TOGETHER);
        let rounding = 8.0 * f64::EPSILON * state.v[0].abs();
        let admitted = Admitted {
            touches,
            rolls: slips.map(|slip| slip[1].abs() <= rounding),
            held: slips.map(|slip| slip[2] == 0.0),
        };
        let weight = body.data.mass * body.data.gravity;
        let [front, rear] = [body.data.wheels[0].place, body.data.wheels[1].place];
        let at_rest = [-rear, front].map(|arm| weight * arm / (front - rear));
        let (open, held) = (WheelMode::Open, BrakeMode::Held);
        let mut run = PlanarRun {
            body,
            settings,
            t: 0.0,
            state,
            admitted,
            modes: Modes { wheels: [open; 2], brakes: [held; 2] },
            loads: Loads { accelerations: [0.0; 5], normal: [0.0; 2], tangential: [0.0; 2], brake: [0.0; 2], index: 1 },
            memory: Memory { last: None, unique: at_rest },
            happened: Vec::new(),
            fell_over: None,
            integrator: Extrapolation::new(
                vec![1.0, 1.0, 1.0, 10.0, 10.0, 1.0, 1.0, 1.0, 10.0, 10.0],
                settings.longest,
            ),
            crowd: (0.0, 0),
        };
        run.decide()?;
        Ok(run)
    }

    /// Time \[s\].
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Place and motion.
    pub fn state(&self) -> &PlanarState {
        &self.state
    }

    /// Modes.
    pub fn modes(&self) -> &Modes {
        &self.modes
    }

    /// Accelerations and forces now.
    pub fn loads(&self) -> &Loads {
        &self.loads
    }

    /// All events so far.
    pub fn happened(&self) -> &[Happening] {
        &self.happened
    }

    /// When the vehicle fell over, if it did. From then on nothing moves.
    pub fn fell_over(&self) -> Option<f64> {
        self.fell_over
    }

    /// Goes on to `end` \[s\], or until the vehicle falls over.
    pub fn advance_to(&mut self, end: f64) -> Result<(), PlanarError> {
        while self.t < end && self.fell_over.is_none() {
            let torques = Torques::from(self.body, self.t);
            let broken = torques.next_break(self.t);
            let until = broken.min(end);
            let pitching = if self.state.v[2] == 0.0 { self.loads.accelerations[2] } else { self.state.v[2] }.signum();
            let motion = Motion { body: self.body, modes: self.modes, torques, pitching };
            let mut y = [0.0; 10];
            y[..5].copy_from_slice(&self.state.q);
            y[5..].copy_from_slice(&self.state.v);
            let stop = self.integrator.advance(&motion, &mut self.t, &mut y, until)?;
            (self.state.q, self.state.v) = halves(&y);
            match stop {
                Stop::Guard(guard) => self.event(guard)?,
                // A break of a torque may bring a jump, and with it other modes. A look in between decides nothing.
                Stop::End if self.t >= broken => self.decide()?,
                Stop::End => self.look(),
            }
        }
        Ok(())
    }

    /// Forces now, with the modes that hold.
    fn look(&mut self) {
        let torques = Torques::from(self.body, self.t);
        if let Some(loads) = self.body.loads(&self.modes, &torques, self.t, &self.state.q, &self.state.v) {
            self.loads = loads;
        }
    }

    fn event(&mut self, guard: usize) -> Result<(), PlanarError> {
        let both = self.modes.wheels.iter().all(|mode| *mode != WheelMode::Open);
        match guard {
            // With both wheels on the ground the pitch rate is zero, and its sign means nothing.
            10 if both => {}
            10 => {
                self.state.v[2] = 0.0;
                self.tell(Kind::PitchExtremum);
            }
            11 | 12 => {
                self.fell_over = Some(self.t);
                self.tell(Kind::FellOver);
                return Ok(());
            }
            _ => {
                let (i, which) = (guard / 5, guard % 5);
                match (which, self.modes.wheels[i], self.modes.brakes[i]) {
                    (0, WheelMode::Open, _) => return self.land(i),
                    (1, WheelMode::Slip(_), _) => self.admitted.rolls[i] = true,
                    (3, _, BrakeMode::Slip(_)) => self.admitted.held[i] = true,
                    _ => {}
                }
                self.project();
            }
        }
        self.decide()
    }

    /// Sets slips to zero that have just become it.
    fn project(&mut self) {
        for i in 0..2 {
            let (_, zeta) = self.body.levers(i, self.state.q[2]);
            if self.admitted.held[i] {
                self.state.v[3 + i] = self.state.v[2];
            } else if self.admitted.rolls[i] && self.admitted.touches[i] {
                self.state.v[3 + i] = (zeta * self.state.v[2] - self.state.v[0]) / self.body.data.wheels[i].radius;
            }
        }
    }

    fn land(&mut self, i: usize) -> Result<(), PlanarError> {
        let mut touches = self.admitted.touches;
        touches[i] = true;
        if touches == [true, true] {
            // Both wheels on the ground: level.
            (self.state.q[1], self.state.q[2]) = (self.body.data.height, 0.0);
        }
        let found = self.body.impact(&self.state, touches, true);
        let (impact, after) = found.ok_or(PlanarError::NoImpact { t: self.t })?;
        self.take(impact, after, touches);
        self.decide()
    }

    fn take(&mut self, impact: Impact, after: PlanarState, touches: [bool; 2]) {
        self.state = after;
        let speed = after.v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        for (i, touched) in touches.into_iter().enumerate() {
            let open = impact.modes[i] == WheelMode::Open;
            self.admitted.touches[i] = touched && (!open || self.body.slips(i, &after)[0] <= 1e-12 * speed);
            self.admitted.rolls[i] = impact.modes[i] == WheelMode::Stick;
            let turned = self.body.slips(i, &after)[2];
            self.admitted.held[i] &= turned.abs() <= 1e-12 * speed;
        }
        if self.admitted.touches == [true, true] {
            (self.state.v[1], self.state.v[2]) = (0.0, 0.0);
        }
        self.project();
        self.tell(Kind::Impact(impact));
    }

    /// Chooses modes from now on.
    fn decide(&mut self) -> Result<(), PlanarError> {
        self.crowd = if self.t - self.crowd.0 > TOGETHER { (self.t, 0) } else { (self.crowd.0, self.crowd.1 + 1) };
        if self.crowd.1 > CROWD {
            return Err(PlanarError::Crowded { t: self.t, count: self.crowd.1 });
        }
        let decisions = self.body.decisions(self.t, &self.state, &self.admitted);
        let solutions: Vec<Solution<[f64; 2]>> = decisions.iter().map(super::Decision::solution).collect();
        let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let Some(choice) = choose(&solutions, self.settings.select, &self.memory, distance) else {
            return self.without_solution();
        };
        let chosen = decisions[choice.which];
        self.memory.last = Some(solutions[choice.which]);
        if solutions.len() == 1 {
            self.memory.unique = chosen.loads.normal;
        }
        let changed = self.modes != chosen.modes || self.happened.is_empty();
        (self.modes, self.loads) = (chosen.modes, chosen.loads);
        for i in 0..2 {
            self.admitted.touches[i] &= self.modes.wheels[i] != WheelMode::Open;
            self.admitted.rolls[i] = self.modes.wheels[i] == WheelMode::Stick;
            self.admitted.held[i] = self.modes.brakes[i] == BrakeMode::Held;
        }
        if changed {
            self.tell(Kind::Modes { modes: self.modes, solutions, unstable: choice.unstable });
        }
        Ok(())
    }

    fn without_solution(&mut self) -> Result<(), PlanarError> {
        let none = PlanarError::NoSolution { t: self.t };
        if self.settings.on_none == OnNone::Error {
            return Err(none);
        }
        let touches = self.admitted.touches;
        let (impact, after) = self.body.impact(&self.state, touches, false).ok_or(none)?;
        self.take(impact, after, touches);
        self.decide()
    }

    fn tell(&mut self, kind: Kind) {
        self.happened.push(Happening { t: self.t, kind, state: self.state });
    }
}
