//! Implicit steps of the rolling wheel, and its state.

use crate::wheel::Start;
use stickslip_core::mechanics::{Clock, Kernel, Stop, SystemError};
use stickslip_core::mechanics::{Line, Lines};

use super::RailWheel;
use super::step::{Data, Problem};

/// State of the wheel, with the tallies of the run.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RailWheelState {
    /// Speed of the centre [m/s].
    pub x1: f64,
    /// Circumferential speed [m/s]; exactly 0.0 while the brake holds.
    pub x2: f64,
    /// Ground force, with the sign of the slip that it resists \[N\].
    pub f: f64,
    /// Brake force \[N\].
    pub g: f64,
    /// Speed of sliding as a whole [m/s]; exactly 0.0 while a part of the contact area sticks.
    pub slide: f64,
    signs: Option<[i8; 2]>,
    segment: usize,
    start: Start,
    /// Size of the steps and the same over the radius; sums are kept per step and multiplied when read.
    h: [f64; 2],
    path: f64,
    turn: f64,
    power: f64,
    ground: f64,
    brake: f64,
    residual: f64,
    /// Greatest speed so far [m/s].
    speed: f64,
    /// Greatest speed that a step had to do with, that of shearing the contact in one step included [m/s].
    scale: f64,
}

impl RailWheelState {
    pub(super) fn at_rest(start: Start) -> RailWheelState {
        RailWheelState {
            x1: start.x1,
            x2: start.x2,
            f: 0.0,
            g: 0.0,
            slide: 0.0,
            signs: None,
            segment: 0,
            start,
            h: [0.0; 2],
            path: 0.0,
            turn: 0.0,
            power: 0.0,
            ground: 0.0,
            brake: 0.0,
            residual: 0.0,
            speed: start.x1.abs().max(start.x2.abs()),
            scale: 0.0,
        }
    }

    /// Sums are kept per step: the same for steps of another size.
    fn change_step(&mut self, h: [f64; 2]) {
        let factor = self.h[0] / h[0];
        for sum in [&mut self.path, &mut self.turn, &mut self.power, &mut self.ground, &mut self.brake] {
            *sum *= factor;
        }
        self.h = h;
    }

    /// Signs of the slips of ground (as a whole) and brake, 0 where it sticks; none before the first step.
    pub fn signs(&self) -> Option<[i8; 2]> {
        self.signs
    }

    /// Speed V at which the surfaces run through the contact area [m/s].
    pub fn rolling(&self) -> f64 {
        0.5 * (self.x1 - self.x2).abs()
    }

    /// Creepage (x1 + x2)/V; 0 where nothing rolls.
    pub fn creepage(&self) -> f64 {
        let v = self.rolling();
        if v > 0.0 { (self.x1 + self.x2) / v } else { 0.0 }
    }

    /// Position of the centre \[m\].
    pub fn x(&self) -> f64 {
        self.start.x + self.h[0] * self.path
    }

    /// Angle \[rad\].
    pub fn theta(&self) -> f64 {
        self.start.theta + self.h[1] * self.turn
    }

    /// Work of motor and pull so far \[J\].
    pub fn work(&self) -> f64 {
        self.h[0] * self.power
    }

    /// Energy dissipated so far in the contact area and in the brake \[J\].
    pub fn dissipated(&self) -> [f64; 2] {
        [self.h[0] * self.ground, self.h[0] * self.brake]
    }

    pub(super) fn worst_residual(&self) -> f64 {
        if self.residual == 0.0 || self.scale == 0.0 { self.residual } else { self.residual / self.scale }
    }
}

/// Implicit steps between two breaks of the signals.
#[derive(Debug, Clone, Copy)]
pub struct RailWheelKernel<'a> {
    problem: Problem<'a>,
    from: u64,
    /// 𝓜 at the beginning of the step.
    drive: Line,
    /// W at the beginning of the step.
    pull: Line,
    /// a_B at the end of the step.
    brake: Line,
    h: [f64; 2],
}

impl<'a> RailWheelKernel<'a> {
    pub(super) fn new(wheel: &'a RailWheel, n: u64, clock: Clock) -> Result<(RailWheelKernel<'a>, u64), SystemError> {
        let p = &wheel.parameters;
        let torque = |error: SystemError| error.scaled(p.radius);
        let mut lines = Lines::new(n, clock);
        let h = clock.h;
        let drive = lines.begin("the motor torque [N m]", &wheel.drive).map_err(torque)?;
        let pull = lines.begin("the pull [N]", &p.pull)?;
        let brake = lines.end_bound("the brake torque [N m]", &wheel.brake).map_err(torque)?;
        let (d1, d2, per_d2) = (h / p.mass, h / wheel.j, wheel.j / h);
        let problem = Problem { curve: &p.curve, d1, d2, per_d2, e: 1.0 / (p.stiffness * h) };
        let kernel = RailWheelKernel { problem, from: n, drive, pull, brake, h: [h, h / p.radius] };
        Ok((kernel, lines.valid()))
    }
}

impl RailWheelKernel<'_> {
    /// One step. True if a contact changed.
    fn step(&self, n: u64, u: &mut RailWheelState) -> bool {
        let steps = (n - self.from) as f64;
        let (drive, pull) = (self.drive.at(steps), self.pull.at(steps));
        let data = Data {
            z1: u.x1 + self.problem.d1 * pull,
            z2: u.x2 + self.problem.d2 * drive,
            f0: u.f,
            speed: u.rolling(),
            // Rounding may take a falling line below zero next to its end; a negative bound is none.
            bound: self.brake.at(steps).max(0.0),
        };
        let mut y = self.problem.solve(&data, u.segment);
        let speed = y.y1.abs().max(y.y2.abs());
        u.speed = u.speed.max(speed);
        u.scale = u.scale.max(data.z1.abs().max(data.z2.abs())).max(self.problem.e * y.f.abs().max(u.f.abs()));
        // Rest: what the swinging contact has left of the motion is below rounding of the greatest speed, and so is what
        // the unbalanced force would add to it; at a turning point only the speed is small.
        let small = f64::EPSILON * u.speed;
        if speed <= small && self.problem.d1 * (pull - y.f).abs() <= small {
            (y.y1, y.y2) = (0.0, 0.0);
            // Where brake and ground can hold what balances the wheel, it stands on exactly that.
            let held = pull.abs() <= self.problem.curve.limit() && (drive - pull).abs() <= data.bound;
            if y.signs == [0, 0] && held {
                (y.f, y.g) = (pull, drive - pull);
            }
        }
        let changed = u.signs != Some(y.signs);
        (u.x1, u.x2, u.f, u.g, u.slide) = (y.y1, y.y2, y.f, y.g, y.slide);
        u.signs = Some(y.signs);
        u.segment = y.segment;
        u.path += y.y1;
        u.turn += y.y2;
        u.power += drive * y.y2 + pull * y.y1;
        u.ground += y.f * (y.creep + y.slide);
        u.brake += y.g * y.y2;
        u.residual = if u.residual.is_nan() || y.residual <= u.residual { u.residual } else { y.residual };
        changed
    }
}

impl Kernel for RailWheelKernel<'_> {
    type State = RailWheelState;
    type Workspace = ();

    fn advance(&self, n: u64, end: u64, state: &mut RailWheelState, (): &mut ()) -> Result<(u64, Stop), SystemError> {
        if state.h != self.h {
            state.change_step(self.h);
        }
        let mut k = n;
        let mut changed = false;
        while k < end && !changed {
            changed = self.step(k, state);
            k += 1;
        }
        Ok((k, Stop::from_change(changed)))
    }
}
