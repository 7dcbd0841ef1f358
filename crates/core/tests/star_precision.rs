//! The star on masses of twelve decades and up to 256 wheels, to the rounding of its own sums.

use proptest::prelude::*;
use stickslip_core::inclusion::star::{Answer, Load};
use stickslip_core::inclusion::{Operator, Problem, Solved, Star};
use stickslip_core::law::{Interval, Law, Product, State};

/// Sizes over twelve decades.
fn size() -> impl Strategy<Value = f64> {
    (-6.0..6.0_f64).prop_map(|e| 10_f64.powf(e))
}

fn bound() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 4 => 0.01..5.0_f64]
}

/// W of a star: contacts (ground, brake) of every wheel, then the chassis.
#[derive(Debug, Clone)]
struct StarOperator {
    d0: f64,
    d: Vec<f64>,
}

impl Operator for StarOperator {
    fn dim(&self) -> usize {
        2 * self.d.len() + 1
    }
    fn apply(&self, r: &[f64], s: &mut [f64]) {
        let n = self.d.len();
        let y = self.d0 * (r[2 * n] + (0..n).map(|i| r[2 * i]).sum::<f64>());
        for i in 0..n {
            s[2 * i + 1] = self.d[i] * (r[2 * i] + r[2 * i + 1]);
            s[2 * i] = y + s[2 * i + 1];
        }
        s[2 * n] = y;
    }
    fn self_influence(&self, i: usize) -> f64 {
        let n = self.d.len();
        match (i == 2 * n, i % 2) {
            (true, _) => self.d0,
            (_, 0) => self.d0 + self.d[i / 2],
            _ => self.d[i / 2],
        }
    }
}

/// A vehicle's problem.
#[derive(Debug, Clone)]
struct VehicleCase {
    z0: f64,
    d0: f64,
    a_0: f64,
    /// z, d, a_G and a_B of each wheel.
    wheels: Vec<[f64; 4]>,
}

impl VehicleCase {
    fn column(&self, k: usize) -> Vec<f64> {
        self.wheels.iter().map(|w| w[k]).collect()
    }

    fn inclusion(&self) -> (StarOperator, Vec<f64>, Product) {
        let interval = |a| Law::Interval(Interval::symmetric(a).expect("≥ 0"));
        let laws = self.wheels.iter().flat_map(|w| [interval(w[2]), interval(w[3])]).chain([interval(self.a_0)]);
        let drift = self.wheels.iter().flat_map(|w| [self.z0 + w[0], w[0]]).chain([self.z0]);
        (StarOperator { d0: self.d0, d: self.column(1) }, drift.collect(), Product::new(laws.collect()))
    }

    fn solve(&self) -> Answer {
        let (z, a_g, a_b) = (self.column(0), self.column(2), self.column(3));
        let mut y = Answer::new(self.wheels.len());
        // The second time from a warm start.
        for _ in 0..2 {
            Star::new(self.d0, self.column(1))
                .solve(Load { z0: self.z0, a_0: self.a_0, z: &z, a_g: &a_g, a_b: &a_b }, &mut y);
        }
        y
    }

    fn accept(&self) -> Result<(), TestCaseError> {
        let (w, b, c) = self.inclusion();
        let (problem, y) = (Problem { w: &w, b: &b, c: &c }, self.solve());
        let n = self.wheels.len();
        let r: Vec<f64> = (0..n).flat_map(|i| [-y.f[i], -y.g[i]]).chain([-y.r]).collect();
        let s: Vec<f64> = (0..n).flat_map(|i| [y.slip[i], y.v[i]]).chain([y.y1]).collect();
        let states = s.iter().map(|s| if *s == 0.0 { State::Stick } else { State::Slip([s.signum(), 0.0]) }).collect();
        let solved = Solved { r: r.clone(), s, states, residual: Some(y.residual) };
        problem.judge(&solved, 1e-12).map_err(|e| TestCaseError::fail(format!("{e} for {self:?}")))?;
        for i in 0..n {
            let (ground, brake) = (y.regions[i].ground(), y.regions[i].brake());
            // Stuck is 0.0; rolling is v = −y1 to the last bit.
            prop_assert!(ground != 0 || (y.slip[i] == 0.0 && y.v[i] == -y.y1), "wheel {i} of {self:?}: {y:?}");
            prop_assert!(brake != 0 || y.v[i] == 0.0, "wheel {i} of {self:?}: {y:?}");
            prop_assert!(f64::from(ground) * y.slip[i] >= 0.0 && f64::from(brake) * y.v[i] >= 0.0);
        }
        // The solver's own word on its residual is no better than the measure's.
        let forces: f64 = y.f.iter().map(|f| f.abs()).sum::<f64>() + y.r.abs();
        let rounding = f64::EPSILON * (n as f64 + 8.0) * (self.z0.abs() + self.d0 * forces)
            + (0..n).fold(0.0, |m: f64, i| {
                let w = self.wheels[i];
                m.max(8.0 * f64::EPSILON * (w[0].abs() + y.y1.abs() + w[1] * (y.f[i].abs() + y.g[i].abs())))
            });
        let measured = problem.residual(&r).absolute;
        prop_assert!(y.residual >= measured - rounding, "{} {measured} {self:?}", y.residual);
        prop_assert!(y.residual <= rounding, "{} {rounding} {self:?}", y.residual);
        Ok(())
    }
}

fn many() -> impl Strategy<Value = usize> {
    prop_oneof![4 => 1..9_usize, 2 => 9..65_usize, 1 => 65..257_usize]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn vehicles(
        n in many(), p0 in -1.5..1.5_f64, d0 in size(), a_0 in bound(), spread in 0.0..1.0_f64,
        wheels in prop::collection::vec((-9.0..9.0_f64, -6.0..6.0_f64, bound(), bound()), 256),
    ) {
        let wheels = &wheels[..n];
        let total: f64 = wheels.iter().map(|w| w.2).sum();
        // Masses over twelve decades, or all of one size; some vehicles close to what their wheels can hold.
        let wheel = |&(p, e, a_g, a_b): &(f64, f64, f64, f64)| {
            let d = 10_f64.powf(spread * e);
            [p * d, d, a_g, a_b]
        };
        VehicleCase { z0: p0 * (total + 1.0) * d0, d0, a_0, wheels: wheels.iter().map(wheel).collect() }.accept()?;
    }

    #[test]
    fn vehicles_at_speed(
        n in many(), speed in -50.0..50.0_f64, d0 in size(), a_0 in bound(), equal in any::<bool>(),
        wheels in prop::collection::vec((-1.0..1.0_f64, size(), bound(), bound()), 256),
    ) {
        let wheel = |&(slip, d, a_g, a_b): &(f64, f64, f64, f64)| [-speed + slip, d, a_g, a_b];
        let wheels = if equal { vec![wheel(&wheels[0]); n] } else { wheels[..n].iter().map(wheel).collect() };
        VehicleCase { z0: speed, d0, a_0, wheels }.accept()?;
    }

    #[test]
    fn heavy_wheels_in_step_under_a_light_chassis(
        n in many(), speed in -50.0..50.0_f64, kick in -1.0..1.0_f64, light in 3.0..9.0_f64,
        wheels in prop::collection::vec((0.1..1.0_f64, bound(), bound()), 256),
    ) {
        let wheel = |&(d, a_g, a_b): &(f64, f64, f64)| [-speed, d, a_g, a_b];
        VehicleCase { z0: speed + kick, d0: 10_f64.powf(light), a_0: 0.0, wheels: wheels[..n].iter().map(wheel).collect() }
            .accept()?;
    }

    #[test]
    fn ties_of_vehicles(
        n in 1..9_usize, p0 in -12..=12_i32, k0 in -8..8_i32, a_0 in 0..2_u32,
        wheels in prop::collection::vec((-6..=6_i32, -8..8_i32, 0..4_u32, 0..4_u32), 8),
    ) {
        // Powers of two and whole numbers: forces meet their bounds exactly.
        let d0 = 2_f64.powi(k0);
        let wheel = |&(p, k, a_g, a_b): &(i32, i32, u32, u32)| {
            let d = 2_f64.powi(k);
            [f64::from(p) * d, d, f64::from(a_g), f64::from(a_b)]
        };
        let wheels = wheels[..n].iter().map(wheel).collect();
        VehicleCase { z0: f64::from(p0) * d0, d0, a_0: f64::from(a_0), wheels }.accept()?;
    }
}
