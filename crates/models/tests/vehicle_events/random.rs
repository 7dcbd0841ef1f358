//! Random vehicles: by their own solver and by the general one.

use super::lens::Lens;
use super::{Keep, car, parameters, points, wheel};
use stickslip_core::mechanics::System;
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Grid, events, smooth_events};
use stickslip_core::signal::{Signal, Sine};
use stickslip_models::vehicle::road::{Patch, Road, Side};
use stickslip_models::vehicle::{Parameters, Vehicle, VehicleState};

/// Uniform random numbers, the same in every run (xorshift).
pub struct Dice(pub u64);

impl Dice {
    pub fn in_range(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        lo + (hi - lo) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.in_range(0.0, n as f64) as usize).min(n - 1)
    }

    /// Straight lines between 2 to 6 points in [0, 6] s, a third of them zero.
    pub fn points(&mut self, lo: f64, hi: f64) -> Signal {
        let count = 2 + self.below(5);
        let mut times: Vec<f64> = (0..count).map(|_| self.in_range(0.0, 6.0)).collect();
        times.sort_by(f64::total_cmp);
        let values: Vec<f64> =
            (0..count).map(|_| if self.below(3) == 0 { 0.0 } else { self.in_range(lo, hi) }).collect();
        points(&times, &values)
    }

    pub fn sine(&mut self, amplitude: f64) -> Signal {
        let omega = self.in_range(0.5, 8.0);
        Signal::Sine(Sine { offset: 0.0, amplitude: self.in_range(-amplitude, amplitude), omega, phase: 0.0 })
    }

    /// 1 to 6 wheels with motors and brakes by points or sines, on slopes, patches and against the air. Every second
    /// one has a closed form.
    pub fn vehicle(&mut self, case: usize) -> Vehicle {
        let n = 1 + case % 6;
        let integrated = case % 2 == 1;
        let mass = 300.0 * n as f64;
        let hold = 300.0 * 9.81 * 0.3;
        let mut wheels: Vec<_> = (0..n)
            .map(|i| {
                let motor = match self.below(if integrated { 3 } else { 2 }) {
                    0 => Signal::ZERO,
                    1 => self.points(-1.2 * hold, 1.2 * hold),
                    _ => self.sine(1.2 * hold),
                };
                let brake = if self.below(4) == 0 { Signal::ZERO } else { self.points(0.0, 1.5 * hold) };
                wheel(i, 1.0 / n as f64, motor, brake)
            })
            .collect();
        for wheel in &mut wheels {
            wheel.inertia = self.in_range(0.3, 10.0);
            wheel.friction = Signal::Constant(self.in_range(0.1, 1.0));
            wheel.place.ahead = self.in_range(-4.0, 4.0);
            wheel.place.side = [Side::Left, Side::Right, Side::Both][self.below(3)];
        }
        let x1 = if self.below(5) == 0 { 0.0 } else { self.in_range(-10.0, 10.0) };
        let mut data = parameters(mass, wheels, x1);
        data.slope = Signal::Constant(if self.below(3) == 0 { 0.0 } else { self.in_range(-0.1, 0.1) });
        data.resistance = if self.below(2) == 0 { 0.0 } else { self.in_range(0.0, 300.0) };
        if integrated {
            data.drag = self.in_range(0.1, 3.0);
            if self.below(2) == 0 {
                let patch = |dice: &mut Dice, from: f64, side| {
                    let to = from + dice.in_range(1.0, 6.0);
                    Patch { from, to, side, friction: Signal::Constant(dice.in_range(0.05, 0.5)) }
                };
                let patches = vec![patch(self, -9.0, Side::Right), patch(self, 3.0, Side::Both)];
                data.road = Road { patches, ..Road::default() };
            }
        }
        car(Parameters { ..data })
    }
}

pub const DURATION: f64 = 6.0;

/// The run of a vehicle seen through a lens.
fn run(lens: &Lens, closed: bool) -> (EventRunResult<VehicleState>, Keep) {
    let mut keep = Keep::every(1);
    let grid = Grid { h: DURATION / 60.0, steps: 60 };
    let settings = Settings::default();
    let passage = if closed {
        events(lens, grid, &settings, &mut keep)
    } else {
        smooth_events(lens, |f| lens.state_at(f), grid, &settings, &mut keep)
    };
    (passage.expect("runs"), keep)
}

#[test]
fn the_star_and_the_general_solver_lead_to_the_same_motion() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut changes = 0;
    for case in 0..200 {
        let vehicle = dice.vehicle(case);
        let closed = vehicle.closed_form().is_some();
        assert_eq!(closed, case % 2 == 0);
        let (own, seen) = run(&Lens::as_it_is(&vehicle), closed);
        let (other, seen_by_other) = run(&Lens::without_star(&vehicle), closed);
        // Both make the same events, in the same order but for those of one instant.
        assert_eq!(seen.events.len(), seen_by_other.events.len(), "case {case}");
        changes += seen.events.len();
        assert_eq!((own.handovers, other.handovers), (0, 0), "case {case}");
        assert_eq!((seen.samples.len(), seen_by_other.samples.len()), (60, 60));
        let mut speeds = vec![0.0; vehicle.dim()];
        let mut others = speeds.clone();
        let mut greatest = 0.0_f64;
        let mut difference = 0.0_f64;
        for ((_, a), (_, b)) in seen.samples.iter().zip(&seen_by_other.samples) {
            vehicle.velocities(a, &mut speeds);
            vehicle.velocities(b, &mut others);
            for (a, b) in speeds.iter().zip(&others) {
                greatest = greatest.max(a.abs());
                difference = difference.max((a - b).abs());
            }
        }
        let relative = if difference == 0.0 { 0.0 } else { difference / greatest };
        assert!(relative <= 1e-12, "case {case}: {relative}");
        assert!(vehicle.ledger(&own.state).closure() <= 1e-10, "case {case}");
    }
    assert!(changes > 1000, "{changes}");
}
