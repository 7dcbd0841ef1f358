//! A vehicle whose friction on the ground is smoothed, for contrast: what most programs do, and what it costs.
//!
//! ```text
//! f_i = a_Gi tanh((x1 + v_i)/ε),   r = a_R tanh(x1/ε),   g_i ∈ a_Bi σ(v_i) as before
//! ```
//!
//! Now a force needs a slip, and what should stand creeps. On a slope with wheels locked by brakes that the ground
//! cannot overcome, the pull P = m g sin θ is held at the speed
//!
//! ```text
//! x1 = −ε atanh(P/(a_R + Σ a_Gi)),     with all wheels locked and no a_R:   x1 = −ε atanh(tan θ/μ)
//! ```
//!
//! for ever. Steps are implicit Euler's with the same data at the same instants as the exact ones: the increasing
//! scalar equation of the chassis, and inside it one of each wheel, by Newton's method kept between bounds.

use super::Vehicle;
use stickslip_core::scheme::Grid;

/// A vehicle with smoothed friction on the ground.
#[derive(Debug, Clone, Copy)]
pub struct Smoothed<'a> {
    vehicle: &'a Vehicle,
    /// ε.
    speed: f64,
}

/// How a smoothed vehicle moves.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothedState {
    /// Speed of the chassis [m/s].
    pub x1: f64,
    /// Position \[m\].
    pub x: f64,
    /// Circumferential speeds of the wheels [m/s].
    pub v: Vec<f64>,
}

/// Why a smoothed vehicle could not be stepped.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SmoothedError {
    /// ε is no speed.
    #[error("the speed of the smoothed law is {0} m/s: it must be a finite number > 0")]
    Speed(f64),
    /// The equation of a step was not solved, or something is not finite.
    #[error("smoothed friction: a step at t = {t} s was solved to {residual} m/s only")]
    NotSolved {
        /// When.
        t: f64,
        /// What was left of the equation of the chassis [m/s].
        residual: f64,
    },
}

/// Evaluations before a root is given up; bisection alone needs about a hundred.
const PATIENCE: u32 = 200;

/// What is left of an equation may be this share of its terms.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A value and its derivative.
type Jet = (f64, f64);

impl<'a> Smoothed<'a> {
    /// The vehicle with the law tanh(slip/speed) on the ground.
    pub fn new(vehicle: &'a Vehicle, speed: f64) -> Result<Smoothed<'a>, SmoothedError> {
        if speed.is_finite() && speed > 0.0 {
            Ok(Smoothed { vehicle, speed })
        } else {
            Err(SmoothedError::Speed(speed))
        }
    }

    /// Runs over the grid; `sample` sees the time and state of the start, of every `every`-th step and of the end.
    pub fn run(
        &self,
        grid: Grid,
        every: u64,
        mut sample: impl FnMut(f64, &SmoothedState),
    ) -> Result<SmoothedState, SmoothedError> {
        let start = &self.vehicle.parameters.start;
        let mut state = SmoothedState { x1: start.x1, x: start.x, v: self.vehicle.start_speeds() };
        let mut wheels = vec![Wheel::default(); state.v.len()];
        sample(0.0, &state);
        for n in 0..grid.steps {
            self.step(n, grid.h, &mut state, &mut wheels)?;
            if (n + 1) % every.max(1) == 0 || n + 1 == grid.steps {
                sample(grid.time(n + 1), &state);
            }
        }
        Ok(state)
    }

    /// The speed at which the vehicle creeps down its slope for ever, at time t and position x, if its brakes are either
    /// without torque or stronger than the ground; none if nothing holds it, a motor drives, or friction changes with
    /// slip.
    pub fn creep(&self, t: f64, x: f64) -> Option<f64> {
        let p = &self.vehicle.parameters;
        if self.vehicle.over_slip {
            return None;
        }
        let mut bound = self.vehicle.resistance(t, x);
        for (i, wheel) in self.vehicle.wheels.iter().enumerate() {
            let (ground, brake) = (self.vehicle.ground_bound(i, t, x), wheel.brake.at(t));
            if wheel.drive.at(t) != 0.0 || (brake != 0.0 && brake < ground) {
                return None;
            }
            bound += if brake != 0.0 { ground } else { 0.0 };
        }
        let pull = p.mass * p.gravity * self.vehicle.slope(t, x).sin();
        (pull.abs() < bound).then(|| -self.speed * (pull / bound).atanh())
    }

    fn step(&self, n: u64, h: f64, u: &mut SmoothedState, wheels: &mut [Wheel]) -> Result<(), SmoothedError> {
        let p = &self.vehicle.parameters;
        let (begin, end) = (n as f64 * h, (n + 1) as f64 * h);
        let d0 = h / p.mass;
        let pull = p.mass * p.gravity * self.vehicle.slope(begin, u.x).sin();
        let z0 = u.x1 - d0 * (pull + p.drag * u.x1.abs() * u.x1);
        let a_0 = self.vehicle.resistance(end, u.x);
        let mut most = a_0;
        for (i, wheel) in wheels.iter_mut().enumerate() {
            let own = &self.vehicle.wheels[i];
            let d = h / own.j;
            let over = p.wheels[i].over_slip.at(u.x1 + u.v[i], u.v[i]);
            let (a_g, a_b) = (self.vehicle.ground_bound(i, end, u.x) * over[0], own.brake.at(end) * over[1]);
            *wheel = Wheel { z: u.v[i] + d * own.drive.at(begin), d, a_g, a_b, v: u.v[i] };
            most += a_g;
        }
        let chassis = |y: f64| {
            let (force, stiffness) = self.force(a_0, y);
            let mut sum = (force, stiffness);
            for wheel in wheels.iter_mut() {
                let (force, stiffness) = wheel.answer(self, y);
                sum = (sum.0 + force, sum.1 + stiffness);
            }
            ((y - z0) + d0 * sum.0, 1.0 + d0 * sum.1)
        };
        let scale = z0.abs() + d0 * most;
        u.x1 = root(chassis, (z0 - d0 * most, z0 + d0 * most), u.x1, scale)
            .map_err(|residual| SmoothedError::NotSolved { t: end, residual })?;
        u.x += h * u.x1;
        for (v, wheel) in u.v.iter_mut().zip(wheels.iter()) {
            *v = wheel.v;
        }
        Ok(())
    }

    /// a tanh(slip/ε) and its derivative.
    fn force(&self, a: f64, slip: f64) -> Jet {
        let share = (slip / self.speed).tanh();
        (a * share, a / self.speed * (1.0 - share * share))
    }
}

/// One wheel in a step: z = v + d 𝓜, and the speed found last.
#[derive(Debug, Clone, Copy, Default)]
struct Wheel {
    z: f64,
    d: f64,
    a_g: f64,
    a_b: f64,
    v: f64,
}

impl Wheel {
    /// The ground force under a chassis of speed y, and its derivative by y: v + d (f(y + v) + g) = z, g ∈ a_B σ(v).
    fn answer(&mut self, law: &Smoothed<'_>, y: f64) -> Jet {
        let still = law.force(self.a_g, y);
        let excess = self.z / self.d - still.0;
        if excess.abs() <= self.a_b {
            self.v = 0.0;
            return still;
        }
        let free = self.z - self.d * self.a_b.copysign(excess);
        let (low, high) = (free - self.d * self.a_g, free + self.d * self.a_g);
        let bounds = if excess > 0.0 { (low.max(0.0), high) } else { (low, high.min(0.0)) };
        let wheel = |v: f64| {
            let (force, stiffness) = law.force(self.a_g, y + v);
            ((v - free) + self.d * force, 1.0 + self.d * stiffness)
        };
        // A speed that is not found here leaves the equation of the chassis open, which is told.
        self.v = root(wheel, bounds, self.v, free.abs() + self.d * self.a_g).unwrap_or(f64::NAN);
        let (force, stiffness) = law.force(self.a_g, y + self.v);
        (force, stiffness / (1.0 + self.d * stiffness))
    }
}

/// The root of an increasing function between bounds, by Newton's method from `start`, halving where that leaves the
/// bounds. It is found where no more than rounding of terms of size `scale` is left, or where no number lies
/// between the bounds. The error is what was left.
fn root(mut f: impl FnMut(f64) -> Jet, bounds: (f64, f64), start: f64, scale: f64) -> Result<f64, f64> {
    let (mut low, mut high) = bounds;
    let mut y = if low <= start && start <= high { start } else { 0.5 * (low + high) };
    let mut left = f64::NAN;
    for _ in 0..PATIENCE {
        let (value, slope) = f(y);
        left = value;
        if value.abs() <= ROUNDING * scale {
            // The function has been evaluated here last: what it keeps belongs to this root.
            return Ok(y);
        }
        if value > 0.0 {
            high = y
        } else {
            low = y
        }
        let next = y - value / slope;
        let middle = 0.5 * (low + high);
        let next = if low <= next && next <= high { next } else { middle };
        if next == y || middle == low || middle == high {
            return if value.is_finite() { Ok(y) } else { Err(value) };
        }
        y = next;
    }
    Err(left)
}
