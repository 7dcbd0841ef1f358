//! Residuals recomputed from what a run gives out: equations of motion and laws of friction written down once more, apart
//! from the solvers and their own tallies.

use crate::vehicle::{Vehicle, VehicleState};
use crate::wheel::{Wheel, WheelState};
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::{Simulation, Stepped};

/// How far a force is off its law, as a speed: |r − proj(r + s/w)| w is zero if and only if r = ±a while s slips that way,
/// and |r| ≤ a while s = 0.
pub(crate) fn miss(force: f64, slip: f64, weight: f64, bound: f64) -> f64 {
    weight * (force - (force + slip / weight).clamp(-bound, bound)).abs()
}

/// Greatest residual of the steps of a run, and greatest speed.
struct Worst {
    residual: f64,
    speed: f64,
}

impl Worst {
    fn new() -> Worst {
        Worst { residual: 0.0, speed: 0.0 }
    }

    /// What is not a number is worse than any.
    fn see(&mut self, residual: f64) {
        if residual.is_nan() || residual > self.residual {
            self.residual = residual;
        }
    }

    fn relative(&self) -> f64 {
        self.residual / self.speed
    }
}

/// Greatest residual of docs/wheel.md 1 over all steps of a run, relative to the greatest speed: motion with 𝓜 at the
/// beginning of the step, laws with the bounds at its end.
pub(crate) fn wheel_residual(wheel: &Wheel, duration: f64, steps: u64) -> Result<f64, String> {
    let grid = Grid { h: duration / steps as f64, steps };
    let start = wheel.parameters().start;
    let mut look = OfWheel { wheel, h: grid.h, before: (0.0, start.x1, start.x2), worst: Worst::new() };
    let mut run = Stepped::new(wheel.clone(), grid.h);
    for n in 1..=steps {
        run.advance_to(grid.time(n)).map_err(|e| e.to_string())?;
        look.see(grid.time(n), run.state());
    }
    Ok(look.worst.relative())
}

struct OfWheel<'a> {
    wheel: &'a Wheel,
    h: f64,
    /// Time and speeds before the step.
    before: (f64, f64, f64),
    worst: Worst,
}

impl OfWheel<'_> {
    fn see(&mut self, t: f64, u: &WheelState) {
        let (t_before, x1, x2) = self.before;
        self.before = (t, u.x1, u.x2);
        let p = self.wheel.parameters();
        let (d1, d2) = (self.h / p.mass, self.h * p.radius * p.radius / p.inertia);
        self.worst.speed = self.worst.speed.max(u.x1.abs()).max(u.x2.abs());
        self.worst.see((u.x1 - x1 + d1 * u.f).abs());
        self.worst.see((u.x2 - x2 + d2 * (u.f + u.g - p.motor.at(t_before) / p.radius)).abs());
        let a_g = p.friction.at(t) * p.mass * p.gravity;
        self.worst.see(miss(u.f, u.x1 + u.x2, d1 + d2, a_g));
        self.worst.see(miss(u.g, u.x2, d2, p.brake.at(t) / p.radius));
    }
}

/// The same for docs/vehicle.md 1 on a level road without drag.
pub(crate) fn vehicle_residual(car: &Vehicle, duration: f64, steps: u64) -> Result<f64, String> {
    let grid = Grid { h: duration / steps as f64, steps };
    let mut look = OfVehicle { car, h: grid.h, before: None, worst: Worst::new() };
    let mut run = Stepped::new(car.clone(), grid.h);
    for n in 1..=steps {
        run.advance_to(grid.time(n)).map_err(|e| e.to_string())?;
        look.see(grid.time(n), run.state());
    }
    Ok(look.worst.relative())
}

struct OfVehicle<'a> {
    car: &'a Vehicle,
    h: f64,
    /// Time and speeds before the step; the first step has none.
    before: Option<(f64, f64, Vec<f64>)>,
    worst: Worst,
}

impl OfVehicle<'_> {
    fn see(&mut self, t: f64, u: &VehicleState) {
        let p = self.car.parameters();
        let d0 = self.h / p.mass;
        self.worst.speed = u.v().iter().fold(self.worst.speed.max(u.x1().abs()), |m, v| m.max(v.abs()));
        self.worst.see(miss(u.r(), u.x1(), d0, p.resistance));
        for (i, wheel) in p.wheels.iter().enumerate() {
            let d = self.h * wheel.radius * wheel.radius / wheel.inertia;
            let (v, f, g) = (u.v()[i], u.f()[i], u.g()[i]);
            let a_g = wheel.friction.at(t) * wheel.share * p.mass * p.gravity;
            self.worst.see(miss(f, u.x1() + v, d0 + d, a_g));
            self.worst.see(miss(g, v, d, wheel.brake.at(t) / wheel.radius));
            if let Some((t_before, _, before)) = &self.before {
                self.worst.see((v - before[i] + d * (f + g - wheel.motor.at(*t_before) / wheel.radius)).abs());
            }
        }
        if let Some((_, x1, _)) = &self.before {
            self.worst.see((u.x1() - x1 + d0 * (u.r() + u.f().iter().sum::<f64>())).abs());
        }
        self.before = Some((t, u.x1(), u.v().to_vec()));
    }
}
