//! Implicit steps of the rolling wheel, and its state.

use std::ops::Deref;

use crate::wheel::{Start, WheelState};
use stickslip_core::inclusion::nine_regions::Region;
use stickslip_core::mechanics::{Clock, Kernel, Stop, SystemError};
use stickslip_core::mechanics::{Line, Lines};

use super::RailWheel;
use super::step::{Data, Problem};

/// State of the wheel, with the tallies of the run: that of a rigid wheel ([`WheelState`]: speeds, forces, sums) and what its contact adds.
/// Of the ground the sign in its region is that of sliding as a whole, and `speed` is the greatest of the whole run.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RailWheelState {
    moved: WheelState,
    /// Speed of sliding as a whole [m/s]; exactly 0.0 while a part of the contact area sticks.
    pub slide: f64,
    segment: usize,
    /// Greatest speed that a step had to do with, that of shearing the contact in one step included [m/s].
    scale: f64,
    /// Greatest force with which a wheel that the brake has stopped began to swing on its contact, about what balances it \[N\].
    pub(super) swing: f64,
}

impl Deref for RailWheelState {
    type Target = WheelState;

    fn deref(&self) -> &WheelState {
        &self.moved
    }
}

impl RailWheelState {
    pub(super) fn at_rest(start: Start) -> RailWheelState {
        let speed = start.x1.abs().max(start.x2.abs());
        let moved = WheelState { speed, ..WheelState::at_rest(start) };
        RailWheelState { moved, slide: 0.0, segment: 0, scale: 0.0, swing: 0.0 }
    }

    /// Signs of the slips of ground (as a whole) and brake, 0 where it sticks; none before the first step.
    pub fn signs(&self) -> Option<[i8; 2]> {
        self.region().map(|region| [region.ground(), region.brake()])
    }

    /// Speed V at which the surfaces run through the contact area [m/s].
    pub fn rolling(&self) -> f64 {
        rolling(self)
    }

    /// Creepage (x1 + x2)/V; 0 where nothing rolls.
    pub fn creepage(&self) -> f64 {
        let v = self.rolling();
        if v > 0.0 { (self.x1 + self.x2) / v } else { 0.0 }
    }

    pub(super) fn worst_residual(&self) -> f64 {
        if self.residual == 0.0 || self.scale == 0.0 { self.residual } else { self.residual / self.scale }
    }
}

fn rolling(u: &WheelState) -> f64 {
    0.5 * (u.x1 - u.x2).abs()
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
    fn step(&self, n: u64, state: &mut RailWheelState) -> bool {
        let RailWheelState { moved: u, slide, segment, scale, swing } = state;
        let steps = (n - self.from) as f64;
        let (drive, pull) = (self.drive.at(steps), self.pull.at(steps));
        let data = Data {
            z1: u.x1 + self.problem.d1 * pull,
            z2: u.x2 + self.problem.d2 * drive,
            f0: u.f,
            speed: rolling(u),
            // Rounding may take a falling line below zero next to its end; a negative bound is none.
            bound: self.brake.at(steps).max(0.0),
        };
        let mut y = self.problem.solve(&data, *segment);
        let speed = y.y1.abs().max(y.y2.abs());
        u.speed = u.speed.max(speed);
        *scale = scale.max(data.z1.abs().max(data.z2.abs())).max(self.problem.e * y.f.abs().max(u.f.abs()));
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
        let region = Some(Region::new(y.signs[0], y.signs[1]));
        let changed = u.region != region;
        if changed && y.signs == [0, 0] {
            // A spring of stiffness k with the mass m on it; the contact holds no more than its limit.
            let force = (y.f - pull).hypot(self.problem.stiffness_of_mass() * y.y1);
            *swing = swing.max(force.min(self.problem.curve.limit() + pull.abs()));
        }
        (u.x1, u.x2, u.f, u.g, u.region) = (y.y1, y.y2, y.f, y.g, region);
        (*slide, *segment) = (y.slide, y.segment);
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
            state.moved.change_step(self.h);
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
