//! Brake discs: ten stops against their table, and books that close.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::columns;
use stickslip_loads::heat::{Disc, DiscData, DiscError};
use stickslip_loads::ode::{Extrapolation, Flow, Stop};

const MASS: f64 = 400.0 + 1.2 / 0.09;
const FORCE: f64 = 3000.0;

fn data() -> DiscData {
    DiscData {
        mass: 7.0,
        specific_heat: 460.0,
        cooling: 25.0,
        ambient: 20.0,
        share: 1.0,
        fade: vec![(20.0, 1.0), (250.0, 1.0), (650.0, 0.55)],
    }
}

/// y = (x, v, T, heat, cooled); stops at v = 0, Ṫ = 0 and the corner at 250 °C.
struct Stopping {
    disc: Disc,
    warming: bool,
    hot: bool,
}

impl Flow for Stopping {
    fn rates(&self, _: f64, y: &[f64], out: &mut [f64]) {
        let force = FORCE * self.disc.fade(y[2]);
        let power = force * y[1];
        out.copy_from_slice(&[y[1], -force / MASS, self.disc.rate(y[2], power), power, self.disc.cooling_power(y[2])]);
    }
    fn guards(&self) -> usize {
        3
    }
    fn watch(&self, _: f64, y: &[f64], out: &mut [f64]) {
        let rate = self.disc.rate(y[2], FORCE * self.disc.fade(y[2]) * y[1]);
        out[0] = y[1];
        out[1] = if self.warming { rate } else { 1.0 };
        out[2] = if self.hot { y[2] - 250.0 } else { 250.0 - y[2] };
    }
}

#[test]
fn ten_stops_with_fade() {
    let disc = Disc::new(&data()).unwrap();
    let mut warmth = disc.cold();
    let rows = columns(include_str!("../../../reference/loads/brake-heat-ten-stops.csv"));
    let mut heat = 0.0;
    let mut cooled = 0.0;
    for row in rows {
        let mut t = 0.0;
        let mut y = [0.0, 40.0, warmth.temperature, 0.0, 0.0];
        let mut peak = f64::NAN;
        let mut flow = Stopping { disc: disc.clone(), warming: true, hot: y[2] >= 250.0 };
        let mut integrator = Extrapolation::new(vec![100.0, 10.0, 100.0, 1e5, 1e5], 0.2);
        loop {
            match integrator.advance(&flow, &mut t, &mut y, 20.0).unwrap() {
                Stop::Guard(1) => (peak, flow.warming) = (y[2], false),
                Stop::Guard(2) => flow.hot = !flow.hot,
                _ => break,
            }
        }
        let [_, time, distance, t_peak, t_stop, t_next, c_stop, energy] = row[..] else { panic!("eight columns") };
        assert!((t - time).abs() < 1e-9 && (y[0] - distance).abs() < 1e-8, "{t} {}", y[0]);
        assert!((peak - t_peak).abs() < 1e-6 && (y[2] - t_stop).abs() < 1e-6, "{peak} {}", y[2]);
        assert!((disc.fade(y[2]) - c_stop).abs() < 1e-9);
        assert!((y[3] - energy).abs() < 1e-9 * energy * 10.0, "whatever c does");
        heat += y[3];
        cooled += y[4];
        warmth.temperature = y[2];
        disc.cool(&mut warmth, 30.0 - t);
        assert!((warmth.temperature - t_next).abs() < 1e-6, "{} {t_next}", warmth.temperature);
    }
    assert!((heat - 3306666.667).abs() < 1e-3);
    let found = disc.heat(&warmth) + warmth.cooled + cooled;
    assert!((found / heat - 1.0).abs() < 1e-9, "heat is in the disc or in the air: {found} {heat}");
}

#[test]
fn the_first_stop_in_closed_form() {
    let disc = Disc::new(&data()).unwrap();
    let deceleration = FORCE / MASS;
    let at_stop = disc.braking_from_cold(FORCE, 40.0, deceleration, 40.0 / deceleration);
    assert!((at_stop + 20.0 - 119.808663873).abs() < 1e-8);
}

#[test]
fn steps_close_the_ledger_and_are_of_order_one() {
    let mut data = data();
    data.share = 0.9;
    let disc = Disc::new(&data).unwrap();
    let mut errors = Vec::new();
    for h in [1e-2, 5e-3, 2.5e-3] {
        let (mut warmth, mut v, mut dissipated) = (disc.cold(), 40.0, 0.0);
        while v > 0.0 {
            let force = (FORCE * disc.fade(warmth.temperature)).min(MASS * v / h);
            v -= h * force / MASS;
            let energy = h * force * v;
            dissipated += energy;
            disc.step(&mut warmth, energy, h);
        }
        let found = disc.heat(&warmth) + warmth.cooled + warmth.passed_by;
        assert!((found / dissipated - 1.0).abs() < 1e-12, "{found} {dissipated}");
        let exact = 0.9 * (119.808663873 - 20.0);
        errors.push(warmth.temperature - 20.0 - exact);
    }
    let order = ((errors[0] - errors[1]) / (errors[1] - errors[2])).log2();
    assert!((order - 1.0).abs() < 0.05, "{order} {errors:?}");
    assert!(errors[2].abs() < 0.1, "{errors:?}");
}

#[test]
fn a_brake_that_holds_makes_no_heat() {
    let disc = Disc::new(&data()).unwrap();
    let mut warmth = disc.cold();
    disc.step(&mut warmth, 0.0, 1.0);
    assert_eq!(warmth, disc.cold());
    warmth.temperature = 300.0;
    let mut stepped = warmth;
    disc.cool(&mut warmth, 2.0);
    (0..2000).for_each(|_| disc.step(&mut stepped, 0.0, 1e-3));
    assert!((warmth.temperature - stepped.temperature).abs() < 1e-3 && warmth.temperature < 300.0);
}

#[test]
fn bad_discs_are_refused_in_words() {
    let refused = |change: &dyn Fn(&mut DiscData)| {
        let mut data = data();
        change(&mut data);
        Disc::new(&data).unwrap_err()
    };
    let negative = refused(&|d| d.fade[2].1 = -0.1);
    assert_eq!(
        negative.to_string(),
        "fade table: point 2 has the factor -0.1 at 650: a brake cannot push, it must be ≥ 0"
    );
    let unsorted = refused(&|d| d.fade.swap(0, 1));
    assert!(unsorted.to_string().contains("must rise"), "{unsorted}");
    assert!(matches!(refused(&|d| d.fade[1].0 = f64::NAN), DiscError::Table(_)));
    assert_eq!(refused(&|d| d.mass = 0.0).to_string(), "brake disc: mass = 0 kg: it must be a finite number > 0");
    assert!(refused(&|d| d.share = 1.1).to_string().contains("between 0 and 1"));
    assert!(refused(&|d| d.cooling = -1.0).to_string().contains("≥ 0"));
    let mut plain = data();
    plain.fade.clear();
    assert_eq!(Disc::new(&plain).unwrap().fade(900.0), 1.0);
}
