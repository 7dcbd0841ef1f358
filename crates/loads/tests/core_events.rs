//! A tyre as a part of a system that the core runs from event to event: its deflection is a position, brake and resistance are
//! contacts, the corners of its relaxation are guards.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{columns, synthetic};
use stickslip_core::mechanics::{At, Flow, Grip, Sizes, Smooth};
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{Grid, Recording, smooth_events};
use stickslip_linalg::Matrix;
use stickslip_loads::tyre::Deflection;

/// q = (x, z), v = (x1, x2), contacts: the brake on x2, the resistance on x1.
struct Wheel {
    mass: f64,
    inertia: f64,
    tread: Deflection,
    brake: f64,
    resistance: f64,
}

impl Smooth for Wheel {
    fn sizes(&self) -> Sizes {
        Sizes { positions: 2, velocities: 2, powers: 0, guards: 2 }
    }
    fn contact_sizes(&self) -> Vec<usize> {
        vec![1, 1]
    }
    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0, 0.0], vec![30.0, -30.0])
    }
    fn drift(&self, at: At, out: &mut [f64]) {
        out[0] = at.v[0];
        out[1] = self.tread.rate(at.v[0], -at.v[1], at.q[1]).rate;
    }
    fn acceleration(&self, at: At, out: &mut [f64]) {
        let force = self.tread.force(at.v[0], -at.v[1], at.q[1]);
        (out[0], out[1]) = (force / self.mass, force / self.inertia);
    }
    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        (out[0], out[1]) = (acceleration[1], acceleration[0]);
    }
    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        y[1] += forces[0] / self.inertia;
        y[0] += forces[1] / self.mass;
    }
    fn influence(&self, _: At) -> Matrix {
        Matrix::from_rows(&[&[1.0 / self.inertia, 0.0], &[0.0, 1.0 / self.mass]])
    }
    fn bound(&self, contact: usize, _: At, _: Grip) -> f64 {
        [self.brake, self.resistance][contact]
    }
    fn powers(&self, _: At, _: &[f64], _: &mut [f64]) {}
    fn guards(&self, at: At, out: &mut [f64]) {
        (out[0], out[1]) = (at.v[0], self.tread.effective_slip(at.v[0], -at.v[1]));
    }
    fn next_break(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

#[test]
fn the_core_brakes_a_tyre_to_rest() {
    let load = 3924.0;
    let tread = Deflection::new(synthetic().at(load, 0.0), 358_000.0);
    for (torque, table) in [
        (900.0, include_str!("../../../reference/tyre/tyre-brake-900.csv")),
        (1500.0, include_str!("../../../reference/tyre/tyre-brake-1500-locks.csv")),
    ] {
        let wheel = Wheel { mass: 400.0, inertia: 1.2 / 0.09, tread, brake: torque / 0.3, resistance: 0.01 * load };
        let mut seen = Recording::every(7);
        let settings = Settings::default();
        smooth_events(&wheel, Flow::clone, Grid { h: 1.0, steps: 14 }, &settings, &mut seen).unwrap();
        let rest = columns(table).pop().unwrap();
        let (after, later) = (&seen.samples[seen.samples.len() - 2].1, &seen.samples[seen.samples.len() - 1].1);
        assert_eq!(after.v, [0.0, 0.0]);
        assert!((after.q[0] - rest[6]).abs() < 1e-7 && (after.q[1] - rest[5]).abs() < 1e-9, "{:?}", after.q);
        assert_eq!((&after.q, &after.v), (&later.q, &later.v), "to the bit");
        let last = seen.events.last().unwrap();
        assert!((last.t - rest[0]).abs() < 1e-7, "{} {}", last.t, rest[0]);
    }
}
