//! Implicit steps: first order, through lift-off and landing alike (Moreau's time stepping).
//!
//! ```text
//! M (v⁺ − v) = h F + Hᵀ P,     0 ≤ P_N ⟂ u_N⁺ ≥ 0,     P_T ∈ −μ P_N σ(slip⁺),     P_B ∈ −h α σ(brake slip⁺)
//! ```
//!
//! for wheels that carried in the last step or would sink into the ground in this one, with the rows H taken where the motion would
//! go without a change. A landing is one step with both wheels in it, as Moreau's impact wants it: a law for gaps would spread it
//! over two, and friction of two parts of an impulse is not that of the whole. Wheels that carry are put on the ground. All modes are
//! tried, as at an event.

use serde::{Deserialize, Serialize};

use super::body::{Row, dot, influence, push};
use super::modes::Known;
use super::motion::settle;
use super::run::distance;
use super::{BrakeMode, Energies, Impact, Loads, Modes, PlanarBody, PlanarState, Settings, WheelMode};
use crate::small;
use crate::transfer::{Branch, Memory, Solution, choose};

/// Impulses may be missed by this share of the weight's over the step, speeds by this share of the greatest.
const SLACK: f64 = 1e-10;

/// Gaps below this are rounding of the levers \[m\].
const ROUNDING: f64 = 1e-12;

/// Changes of speed below this share of that by gravity are rounding of the weight.
const NO_FORCE: f64 = 1e-13;

/// Steps under way: plain data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Steps {
    /// Place and motion.
    pub state: PlanarState,
    /// Energies so far.
    pub spent: Energies,
    /// Modes in the last step.
    pub modes: Modes,
    memory: Memory<[f64; 2]>,
}

/// What acted in a step, and what else there was.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Forces in the step, and accelerations.
    pub loads: Loads,
    /// All solutions.
    pub solutions: Vec<Solution<[f64; 2]>>,
    /// Whether the one taken has the index −1.
    pub unstable: bool,
    /// The impact of wheels that landed in it: impulses of the whole step.
    pub impact: Option<Impact>,
    /// How far the law is missed, as a share of the greatest speed.
    pub missed: f64,
}

/// One of the solutions.
struct Trial {
    modes: Modes,
    after: PlanarState,
    impulses: [f64; 6],
    index: i8,
    missed: f64,
}

/// Torques of a step.
#[derive(Debug, Clone, Copy)]
pub struct Torques {
    /// Greatest brake torques of front and rear at its end, ≥ 0 \[N·m\].
    pub brake: [f64; 2],
    /// Motor torques \[N·m\].
    pub motor: [f64; 2],
}

impl Steps {
    /// From a motion.
    pub fn new(body: &PlanarBody, state: PlanarState) -> Steps {
        let touches = [0, 1].map(|i| body.gap(i, &state.q) <= ROUNDING);
        let wheels = touches.map(|touches| if touches { WheelMode::Stick } else { WheelMode::Open });
        let modes = Modes { wheels, brakes: [BrakeMode::Held; 2] };
        let memory = Memory { last: None, unique: body.loads_at_rest() };
        Steps { state, spent: Energies::default(), modes, memory }
    }

    /// One step of size h; none where no impulses solve it.
    pub fn advance(&mut self, body: &PlanarBody, settings: &Settings, torques: &Torques, h: f64) -> Option<Step> {
        let trials = body.trials(&self.state, &self.modes, torques, h);
        let solutions: Vec<Solution<[f64; 2]>> = trials.iter().map(|trial| trial.solution(h)).collect();
        let choice = choose(&solutions, settings.select, &self.memory, distance)?;
        let taken = &trials[choice.which];
        self.memory.last = Some(solutions[choice.which]);
        if solutions.len() == 1 {
            self.memory.unique = solutions[0].place;
        }
        let [before_open, open] = [&self.modes, &taken.modes].map(|modes| modes.wheels.map(|m| m == WheelMode::Open));
        let landed = [0, 1].map(|i| before_open[i] && !open[i]);
        let (before, from) = (self.spent, self.state);
        let forces = taken.impulses.map(|impulse| impulse / h);
        let accelerations = std::array::from_fn(|k| (taken.after.v[k] - self.state.v[k]) / h);
        (self.state, self.modes) = (taken.after, taken.modes);
        match open.map(|open| !open) {
            // With both wheels on the ground all is known but the speed: what rounding has left is taken out, and rest is exact.
            [true, true] => {
                let weight = h * body.data.gravity;
                if (self.state.v[0] - from.v[0]).abs() <= NO_FORCE * (weight + from.v[0].abs()) {
                    self.state.v[0] = from.v[0];
                }
                settle(body, &self.modes, &mut self.state);
                self.turn(body, torques);
                let PlanarState { q, v } = &mut self.state;
                [0, 3, 4].into_iter().for_each(|k| q[k] = from.q[k] + h * v[k]);
            }
            [true, false] => self.state.q[1] -= body.gap(0, &self.state.q),
            [false, true] => self.state.q[1] -= body.gap(1, &self.state.q),
            [false, false] => {}
        }
        self.spend(body, taken, torques, h);
        let impact = landed.contains(&true).then(|| {
            // All that is lost in the step of a landing, friction on its impulses included, is lost in the landing.
            self.spent.ground = before.ground;
            let fed = self.spent.work - before.work;
            let heat = self.spent.heat() - before.heat();
            let energy = [body.energy(&from) + fed - heat, body.energy(&self.state)];
            self.spent.impacts += (energy[0] - energy[1]).max(0.0);
            let p = &taken.impulses;
            let (normal, tangential) = ([p[0], p[3]], [p[1], p[4]]);
            Impact { normal, tangential, modes: taken.modes.wheels, energy, before: [from.v[0], from.v[2]] }
        });
        let loads = Loads {
            accelerations,
            normal: [forces[0], forces[3]],
            tangential: [forces[1], forces[4]],
            brake: [forces[2], forces[5]],
            index: taken.index,
        };
        Some(Step { loads, unstable: choice.unstable, missed: taken.missed, impact, solutions })
    }

    /// A wheel whose brake has no torque turns, or stands still against the frame as if it were held.
    fn turn(&mut self, body: &PlanarBody, torques: &Torques) {
        for i in (0..2).filter(|i| torques.brake[*i] == 0.0) {
            let turning = body.slips(i, &self.state)[2];
            let still = turning.abs() * body.data.wheels[i].radius <= ROUNDING * self.state.v[0].abs().max(1.0);
            self.modes.brakes[i] = if still { BrakeMode::Held } else { BrakeMode::Slip(turning.signum()) };
        }
    }

    /// Work and heat of the step, by the motion after it: what is held has none.
    fn spend(&mut self, body: &PlanarBody, taken: &Trial, torques: &Torques, h: f64) {
        for i in 0..2 {
            let [_, slip, turning] = body.slips(i, &self.state);
            self.spent.work += h * torques.motor[i] * turning;
            if matches!(self.modes.wheels[i], WheelMode::Slip(_)) {
                self.spent.ground[i] += (-taken.impulses[3 * i + 1] * slip).max(0.0);
            }
            if matches!(self.modes.brakes[i], BrakeMode::Slip(_)) {
                self.spent.brake[i] += (-taken.impulses[3 * i + 2] * turning).max(0.0);
            }
        }
    }
}

impl Trial {
    fn solution(&self, h: f64) -> Solution<[f64; 2]> {
        Solution {
            branch: Branch::of(self.modes.wheels.map(|mode| mode == WheelMode::Open)),
            place: [self.impulses[0] / h, self.impulses[3] / h],
            index: self.index,
        }
    }
}

impl PlanarBody {
    /// All solutions of a step.
    fn trials(&self, state: &PlanarState, last: &Modes, torques: &Torques, h: f64) -> Vec<Trial> {
        const WHEELS: [WheelMode; 4] = [WheelMode::Stick, WheelMode::Slip(1.0), WheelMode::Slip(-1.0), WheelMode::Open];
        const BRAKES: [BrakeMode; 3] = [BrakeMode::Held, BrakeMode::Slip(1.0), BrakeMode::Slip(-1.0)];
        // A brake without torque does nothing, whatever its mode.
        let brakes = torques.brake.map(|bound| if bound > 0.0 { &BRAKES[..] } else { &BRAKES[1..2] });
        let ahead: [f64; 5] = std::array::from_fn(|k| state.q[k] + h * state.v[k]);
        let touches = [0, 1].map(|i| last.wheels[i] != WheelMode::Open || self.gap(i, &ahead) <= 0.0);
        let wheels = touches.map(|touches| if touches { &WHEELS[..] } else { &WHEELS[3..] });
        let mut found: Vec<Trial> = Vec::new();
        for &front in wheels[0] {
            for &rear in wheels[1] {
                for front_brake in brakes[0] {
                    for rear_brake in brakes[1] {
                        let modes = Modes { wheels: [front, rear], brakes: [*front_brake, *rear_brake] };
                        let trial = self.trial(state, &ahead, touches, torques, h, modes);
                        found.extend(trial.filter(|new| !found.iter().any(|old| old.is(new))));
                    }
                }
            }
        }
        found
    }

    /// The step with these modes, if their inequalities hold.
    fn trial(
        &self,
        state: &PlanarState,
        ahead: &Row,
        touches: [bool; 2],
        torques: &Torques,
        h: f64,
        modes: Modes,
    ) -> Option<Trial> {
        let mobility = self.mobility();
        let rows = [self.rows(0, ahead[2]), self.rows(1, ahead[2])];
        let mut after = *state;
        after.v[1] -= h * self.data.gravity;
        for (i, rows) in rows.iter().enumerate() {
            push(&mobility, &rows[2], h * torques.motor[i], &mut after.v);
        }
        let mut a = [[0.0; 6]; 6];
        let mut b = [0.0; 6];
        for i in 0..2 {
            let known = self.known(i, &modes, h * torques.brake[i]);
            for kind in 0..3 {
                let line = 3 * i + kind;
                match known[kind] {
                    Known::Kinematic => {
                        a[line] = std::array::from_fn(|j| influence(&rows[i][kind], &mobility, &rows[j / 3][j % 3]));
                        b[line] = -dot(&rows[i][kind], &after.v);
                    }
                    Known::Force(impulse) => (a[line][line], b[line]) = (1.0, impulse),
                    Known::OfNormal(ratio) => (a[line][line], a[line][3 * i]) = (1.0, -ratio),
                }
            }
        }
        let (impulses, index) = small::solve(a, b)?;
        for (j, impulse) in impulses.iter().enumerate() {
            push(&mobility, &rows[j / 3][j % 3], *impulse, &mut after.v);
        }
        for (k, q) in after.q.iter_mut().enumerate() {
            *q += h * after.v[k];
        }
        let speed = after.v[..2].iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        let weight = h * self.data.mass * self.data.gravity;
        let mut missed = 0.0_f64;
        for i in 0..2 {
            let [normal, slip, turning] = [0, 1, 2].map(|kind| dot(&rows[i][kind], &after.v));
            let wheel = &impulses[3 * i..3 * i + 3];
            let beyond = wheel[1].abs() - self.data.wheels[i].friction * wheel[0];
            let ground = match modes.wheels[i] {
                WheelMode::Open if touches[i] => -normal / speed,
                WheelMode::Open => 0.0,
                WheelMode::Stick => beyond.max(-wheel[0]) / weight,
                WheelMode::Slip(side) => (-side * slip / speed).max(-wheel[0] / weight),
            };
            let brake = match modes.brakes[i] {
                _ if torques.brake[i] == 0.0 => 0.0,
                BrakeMode::Held => (wheel[2].abs() - h * torques.brake[i]) / (weight * self.data.wheels[i].radius),
                BrakeMode::Slip(side) => -side * turning * self.data.wheels[i].radius / speed,
            };
            missed = missed.max(ground).max(brake);
        }
        // A brake without torque turns as its wheel does.
        let mut modes = modes;
        for i in (0..2).filter(|i| torques.brake[*i] == 0.0) {
            let turning = self.slips(i, &after)[2];
            modes.brakes[i] = if turning == 0.0 { BrakeMode::Held } else { BrakeMode::Slip(turning.signum()) };
        }
        (missed <= SLACK).then_some(Trial { modes, after, impulses, index, missed })
    }
}

impl Trial {
    /// Whether two solutions are the same motion.
    fn is(&self, other: &Trial) -> bool {
        let pairs = self.after.v.iter().zip(&other.after.v);
        let speed = pairs.clone().fold(1.0_f64, |m, (a, b)| m.max(a.abs()).max(b.abs()));
        pairs.into_iter().all(|(a, b)| (a - b).abs() <= SLACK * speed)
    }
}
