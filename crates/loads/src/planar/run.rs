//! From event to event.
//!
//! A run stands at the beginning of a unit, a step that is accurate and meets no event before its end. What lies within it is
//! seen by a shorter step aside, so that the motion does not depend on when one looks.

use serde::{Deserialize, Serialize};

use super::decide::Admitted;
use super::modes::Torques;
use super::motion::{HEIGHT, Motion, PITCH, PITCH_RATE, SIZE, pack, unpack};
use super::{BrakeMode, Impact, Loads, Modes, PlanarBody, PlanarError, PlanarState, WheelMode};
use crate::ode::{Extrapolation, Stop};
use crate::transfer::{Memory, Select, Solution, choose};

/// So many events in no time mean that there is no motion.
const CROWD: u32 = 100;

/// Events closer than this are at one time \[s\].
const TOGETHER: f64 = 1e-12;

/// So many decisions within [`CLUSTER`], the last two within [`CLOSE`], are a cluster without end: wheels hop, and brakes grip and let
/// go, ever faster. What moves slower than [`SLOW`] then rests.
const GATHERED: usize = 8;
/// \[s\]
const CLUSTER: f64 = 1e-3;
/// \[s\]
const CLOSE: f64 = 3e-6;
/// [m/s]
const SLOW: f64 = 2e-3;

/// A wheel in the air may be this far below the ground \[m\].
const SUNK: f64 = 1e-9;

/// Longest step while all is at rest and torques are straight \[s\].
const AT_REST: f64 = 1.0;

/// Speeds below this share of the greatest are none after an impact.
const NO_SPEED: f64 = 1e-12;

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

/// Energies so far \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Energies {
    /// Work of the motors.
    pub work: f64,
    /// Heat of the front and of the rear wheel on the ground.
    pub ground: [f64; 2],
    /// Heat of their brakes.
    pub brake: [f64; 2],
    /// Energy lost in impacts.
    pub impacts: f64,
}

impl Energies {
    /// Heat of all contacts.
    pub fn heat(&self) -> f64 {
        self.ground.iter().chain(&self.brake).sum()
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
pub struct PlanarEvent {
    /// When \[s\].
    pub t: f64,
    /// What.
    pub kind: Kind,
    /// Place and motion.
    pub state: PlanarState,
}

/// The motion at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// Place and motion.
    pub state: PlanarState,
    /// Energies so far.
    pub spent: Energies,
    /// Accelerations and forces.
    pub loads: Loads,
}

/// A unit: where it ends, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// When it ends \[s\].
    pub until: f64,
    state: PlanarState,
    spent: Energies,
    /// The guard that it ends at; none where nothing happens.
    guard: Option<usize>,
    /// Whether a torque breaks at its end.
    broken: bool,
    size: f64,
    armed: Vec<bool>,
    missed: f64,
}

/// A run at the beginning of a unit: plain data, all that the motion from here on depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanarRun {
    settings: Settings,
    t: f64,
    state: PlanarState,
    spent: Energies,
    admitted: Admitted,
    modes: Modes,
    memory: Memory<[f64; 2]>,
    fell_over: Option<f64>,
    /// Size of the step to try next, and guards that are armed; empty after an event.
    size: f64,
    armed: Vec<bool>,
    crowd: (f64, u32),
    /// When modes were last decided, the last first.
    recent: [f64; GATHERED],
    clusters: u64,
    missed: f64,
}

/// Takes in what happens.
pub type Tell<'a> = &'a mut dyn FnMut(PlanarEvent);

impl PlanarRun {
    /// The integrator of such runs: room to work in, which can be made anew at any time.
    pub fn integrator(body: &PlanarBody, settings: &Settings) -> Extrapolation {
        let energy = body.data.mass * body.data.gravity;
        let mut scales = vec![1.0, 1.0, 1.0, 10.0, 10.0, 1.0, 1.0, 1.0, 10.0, 10.0];
        scales.resize(SIZE, energy);
        Extrapolation::new(scales, settings.longest)
    }

    /// A run from t = 0. Slips that are zero to rounding stick where they can.
    pub fn new(
        body: &PlanarBody,
        state: PlanarState,
        settings: Settings,
        tell: Tell<'_>,
    ) -> Result<PlanarRun, PlanarError> {
        let admitted = admitted(body, &state);
        let (open, held) = (WheelMode::Open, BrakeMode::Held);
        let mut run = PlanarRun {
            settings,
            t: 0.0,
            state,
            spent: Energies::default(),
            admitted,
            modes: Modes { wheels: [open; 2], brakes: [held; 2] },
            memory: Memory { last: None, unique: body.loads_at_rest() },
            fell_over: None,
            size: 0.1 * settings.longest,
            armed: Vec::new(),
            crowd: (0.0, 0),
            recent: [f64::NEG_INFINITY; GATHERED],
            clusters: 0,
            missed: 0.0,
        };
        run.decide(body, true, tell)?;
        Ok(run)
    }

    /// All solutions at t = 0: what the wheels do, loads and index of each.
    pub fn solutions(body: &PlanarBody, state: PlanarState) -> Vec<Solution<[f64; 2]>> {
        let decisions = body.decisions(0.0, &state, &admitted(body, &state));
        decisions.iter().map(super::Decision::solution).collect()
    }

    /// Where it stands \[s\].
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Modes.
    pub fn modes(&self) -> &Modes {
        &self.modes
    }

    /// How far the law was missed at the ends of units, at the worst: forces beyond their bounds as a share of the weight, slips against
    /// their direction as a share of the speed.
    pub fn missed(&self) -> f64 {
        self.missed
    }

    /// Clusters of events that were not resolved one by one.
    pub fn clusters(&self) -> u64 {
        self.clusters
    }

    /// When the vehicle fell over, if it did: the run is over.
    pub fn fell_over(&self) -> Option<f64> {
        self.fell_over
    }

    fn motion<'a>(&self, body: &'a PlanarBody) -> Motion<'a> {
        let torques = Torques::from(body, self.t);
        let mut motion = Motion { body, modes: self.modes, torques, pitching: 1.0 };
        let y = pack(&self.state, &self.spent);
        let turning = match self.state.v[2] {
            0.0 => motion.loads(self.t, &y).map_or(0.0, |loads| loads.accelerations[2]),
            rate => rate,
        };
        motion.pitching = turning.signum();
        motion
    }

    /// The next unit, which ends at `known` at the latest: up to there the torques are known.
    pub fn ahead(&self, body: &PlanarBody, work: &mut Extrapolation, known: f64) -> Result<Unit, PlanarError> {
        let motion = self.motion(body);
        let broken = motion.torques.next_break(self.t);
        let end = if known > self.t { broken.min(known) } else { broken };
        let (mut t, mut y, mut armed) = (self.t, pack(&self.state, &self.spent), self.armed.clone());
        work.resume(self.size);
        let rests = motion.is_still() && motion.torques.are_straight();
        work.limit(if rests { AT_REST } else { self.settings.longest });
        let stop = work.unit(&motion, &mut t, &mut y, end, &mut armed)?;
        let guard = match stop {
            Stop::Guard(guard) => Some(guard),
            Stop::End => None,
        };
        let (state, spent) = unpack(&y, self.spent.impacts);
        let missed = motion.missed(t, &y);
        let sunk = |i: &usize| self.modes.wheels[*i] == WheelMode::Open && body.gap(*i, &state.q) < -SUNK;
        if guard.is_none() && (0..2).any(|i| sunk(&i)) {
            return Err(PlanarError::Sunk { t });
        }
        Ok(Unit { until: t, state, spent, guard, broken: t >= broken, size: work.size(), armed, missed })
    }

    /// The motion at t within the unit that begins here.
    pub fn at(&self, body: &PlanarBody, work: &mut Extrapolation, t: f64) -> Option<Seen> {
        let motion = self.motion(body);
        let mut y = pack(&self.state, &self.spent);
        if t > self.t {
            work.within(&motion, self.t, &mut y, t - self.t);
        }
        let (state, spent) = unpack(&y, self.spent.impacts);
        motion.loads(t, &y).map(|loads| Seen { state, spent, loads })
    }

    /// Stands at the end of the unit, after what happens there.
    pub fn pass(&mut self, body: &PlanarBody, ahead: Unit, tell: Tell<'_>) -> Result<(), PlanarError> {
        (self.t, self.state, self.spent) = (ahead.until, ahead.state, ahead.spent);
        (self.size, self.armed) = (ahead.size, ahead.armed);
        // At an event a guard is zero but for rounding.
        if ahead.guard.is_none() {
            self.missed = self.missed.max(ahead.missed);
        }
        match ahead.guard {
            Some(guard) => self.event(body, guard, tell),
            // A torque that breaks may jump, and with it other modes may come.
            None if ahead.broken => {
                self.admit_ties(body);
                self.project(body);
                self.decide(body, false, tell)
            }
            None => Ok(()),
        }
    }

    /// Stands at t, within the unit that begins here; torques may be others from here on.
    pub fn interfere(
        &mut self,
        (old, new): (&PlanarBody, &PlanarBody),
        work: &mut Extrapolation,
        t: f64,
        tell: Tell<'_>,
    ) -> Result<(), PlanarError> {
        let seen = self.at(old, work, t).ok_or_else(|| old.no_solution(t, self.state.q[2]))?;
        (self.t, self.state, self.spent) = (t, seen.state, seen.spent);
        self.decide(new, false, tell)
    }

    fn event(&mut self, body: &PlanarBody, guard: usize, tell: Tell<'_>) -> Result<(), PlanarError> {
        let both = self.modes.wheels.iter().all(|mode| *mode != WheelMode::Open);
        match guard {
            // With both wheels on the ground the pitch rate is zero, and its sign means nothing.
            PITCH_RATE if both => {}
            PITCH_RATE => {
                self.state.v[2] = 0.0;
                self.tell(Kind::PitchExtremum, tell);
            }
            PITCH | HEIGHT => {
                self.fell_over = Some(self.t);
                self.tell(Kind::FellOver, tell);
                return Ok(());
            }
            _ => {
                let (i, which) = (guard / 5, guard % 5);
                match (which, self.modes.wheels[i], self.modes.brakes[i]) {
                    (0, WheelMode::Open, _) => return self.land(body, i, tell),
                    (1, WheelMode::Slip(_), _) => self.admitted.rolls[i] = true,
                    (3, _, BrakeMode::Slip(_)) => self.admitted.held[i] = true,
                    _ => {}
                }
            }
        }
        self.admit_ties(body);
        self.project(body);
        self.decide(body, false, tell)
    }

    /// Slips that are zero at the same instant, but for rounding, are zero: their guards would never see them pass.
    fn admit_ties(&mut self, body: &PlanarBody) {
        let rounding = TOGETHER * self.state.v[0].abs().max(1.0);
        for i in 0..2 {
            let [_, slip, turning] = body.slips(i, &self.state);
            self.admitted.rolls[i] |= slip.abs() <= rounding;
            self.admitted.held[i] |= turning.abs() * body.data.wheels[i].radius <= rounding;
        }
    }

    /// Sets slips to zero that have just become it.
    fn project(&mut self, body: &PlanarBody) {
        for i in 0..2 {
            let (_, zeta) = body.levers(i, self.state.q[2]);
            if self.admitted.held[i] {
                self.state.v[3 + i] = self.state.v[2];
            } else if self.admitted.rolls[i] && self.admitted.touches[i] {
                self.state.v[3 + i] = (zeta * self.state.v[2] - self.state.v[0]) / body.data.wheels[i].radius;
            }
        }
    }

    fn land(&mut self, body: &PlanarBody, i: usize, tell: Tell<'_>) -> Result<(), PlanarError> {
        let mut touches = self.admitted.touches;
        touches[i] = true;
        // Both may land at once.
        let other = 1 - i;
        touches[other] |= body.gap(other, &self.state.q) <= TOGETHER && body.slips(other, &self.state)[0] < 0.0;
        if touches == [true, true] {
            // Both wheels on the ground: level.
            (self.state.q[1], self.state.q[2]) = (body.data.height, 0.0);
        }
        let found = body.impact(&self.state, touches, true);
        let (impact, after) = found.ok_or(PlanarError::NoImpact { t: self.t })?;
        self.take(body, impact, after, touches, tell);
        self.decide(body, false, tell)
    }

    fn take(&mut self, body: &PlanarBody, impact: Impact, after: PlanarState, touches: [bool; 2], tell: Tell<'_>) {
        self.state = after;
        self.spent.impacts += impact.energy[0] - impact.energy[1];
        let speed = after.v.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        for (i, touched) in touches.into_iter().enumerate() {
            let open = impact.modes[i] == WheelMode::Open;
            self.admitted.touches[i] = touched && (!open || body.slips(i, &after)[0] <= NO_SPEED * speed);
            self.admitted.rolls[i] = impact.modes[i] == WheelMode::Stick;
            let turned = body.slips(i, &after)[2];
            self.admitted.held[i] = turned.abs() <= NO_SPEED * speed;
        }
        if self.admitted.touches == [true, true] {
            (self.state.v[1], self.state.v[2]) = (0.0, 0.0);
        }
        self.project(body);
        self.tell(Kind::Impact(impact), tell);
    }

    /// Chooses modes from now on.
    fn decide(&mut self, body: &PlanarBody, begins: bool, tell: Tell<'_>) -> Result<(), PlanarError> {
        self.crowd = if self.t - self.crowd.0 > TOGETHER { (self.t, 0) } else { (self.crowd.0, self.crowd.1 + 1) };
        if self.crowd.1 > CROWD {
            return Err(PlanarError::Crowded { t: self.t, count: self.crowd.1 });
        }
        self.armed.clear();
        self.gather(body);
        let decisions = body.decisions(self.t, &self.state, &self.admitted);
        let solutions: Vec<Solution<[f64; 2]>> = decisions.iter().map(super::Decision::solution).collect();
        let Some(choice) = choose(&solutions, self.settings.select, &self.memory, distance) else {
            return self.without_solution(body, tell);
        };
        let chosen = decisions[choice.which];
        self.memory.last = Some(solutions[choice.which]);
        if solutions.len() == 1 {
            self.memory.unique = chosen.loads.normal;
        }
        let changed = self.modes != chosen.modes || begins;
        self.modes = chosen.modes;
        for i in 0..2 {
            self.admitted.touches[i] &= self.modes.wheels[i] != WheelMode::Open;
            self.admitted.rolls[i] = self.modes.wheels[i] == WheelMode::Stick;
            self.admitted.held[i] = self.modes.brakes[i] == BrakeMode::Held;
        }
        if changed || solutions.len() > 1 {
            self.tell(Kind::Modes { modes: self.modes, solutions, unstable: choice.unstable }, tell);
        }
        Ok(())
    }

    /// Puts an end to events that follow each other ever faster.
    fn gather(&mut self, body: &PlanarBody) {
        self.recent.rotate_right(1);
        self.recent[0] = self.t;
        let close = self.t - self.recent[1] < CLOSE && self.t > self.recent[1];
        if !close || self.t - self.recent[GATHERED - 1] > CLUSTER {
            return;
        }
        let before = body.energy(&self.state);
        for i in 0..2 {
            let [normal, slip, turning] = body.slips(i, &self.state);
            self.admitted.touches[i] |= body.gap(i, &self.state.q) < SUNK && normal.abs() < SLOW;
            self.admitted.rolls[i] |= slip.abs() < SLOW;
            self.admitted.held[i] |= turning.abs() * body.data.wheels[i].radius < SLOW;
        }
        if self.admitted.touches == [true, true] {
            (self.state.q[1], self.state.q[2]) = (body.data.height, 0.0);
            (self.state.v[1], self.state.v[2]) = (0.0, 0.0);
        }
        self.project(body);
        self.spent.impacts += before - body.energy(&self.state);
        self.clusters += 1;
        self.recent = [f64::NEG_INFINITY; GATHERED];
    }

    fn without_solution(&mut self, body: &PlanarBody, tell: Tell<'_>) -> Result<(), PlanarError> {
        let none = body.no_solution(self.t, self.state.q[2]);
        if self.settings.on_none == OnNone::Error {
            return Err(none);
        }
        let touches = self.admitted.touches;
        let (impact, after) = body.impact(&self.state, touches, false).ok_or(none)?;
        self.take(body, impact, after, touches, tell);
        self.decide(body, false, tell)
    }

    fn tell(&self, kind: Kind, tell: Tell<'_>) {
        tell(PlanarEvent { t: self.t, kind, state: self.state });
    }
}

/// What contacts may do at the start: slips that are zero to rounding are zero.
fn admitted(body: &PlanarBody, state: &PlanarState) -> Admitted {
    let slips = [0, 1].map(|i| body.slips(i, state));
    let rounding = 8.0 * f64::EPSILON * state.v[0].abs();
    Admitted {
        touches: [0, 1].map(|i| body.gap(i, &state.q) <= TOGETHER && slips[i][0].abs() <= TOGETHER),
        rolls: slips.map(|slip| slip[1].abs() <= rounding),
        held: slips.map(|slip| slip[2] == 0.0),
    }
}

/// How far apart two lists of loads are \[N\].
pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}
