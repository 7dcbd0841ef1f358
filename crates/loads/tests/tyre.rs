//! Tyres: the Magic Formula against its table, files as they come, and the deflection at every edge of its domain.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{columns, synthetic};
use stickslip_loads::control::{AntiLock, Clock, Controller};
use stickslip_loads::tyre::{
    Coefficients, Deflection, OnTyres, TirError, Tyre, TyreError, TyreWheel, Version, Warning, parse_tir,
};

const LOAD: f64 = 3924.0;

fn tread() -> Deflection {
    let tyre = synthetic();
    Deflection::new(tyre.at(LOAD, 0.0), tyre.stiffness_at(LOAD).unwrap())
}

#[test]
fn force_table_to_rounding() {
    let rows = columns(include_str!("../../../reference/tyre/force-table-a.csv"));
    assert_eq!(rows.len(), 12);
    let tyre = synthetic();
    for row in rows {
        let [kappa, load, camber, speed, expected] = row[..] else { panic!("five columns") };
        let force = tyre.at(load, camber).force_at_slip(kappa, speed);
        assert!((force / expected - 1.0).abs() < 1e-12, "{kappa} {load}: {force} against {expected}");
    }
}

#[test]
fn characteristic_numbers_of_the_note() {
    let tyre = synthetic();
    let at = tyre.at(LOAD, 0.0);
    assert!((at.peak() - 3956.0900).abs() < 5e-5);
    assert!((at.slip_stiffness() - 87630.308).abs() < 5e-4);
    assert!((at.force_at_slip(-1.0, 16.7) + 2797.08882).abs() < 5e-6);
    assert_eq!(tyre.stiffness_at(LOAD), Ok(358_000.0));
    let steepest = |k: f64| (at.force_at_slip(k + 1e-6, 10.0) - at.force_at_slip(k - 1e-6, 10.0)) / 2e-6;
    let zero = -at.shift();
    assert!((steepest(zero) / at.slip_stiffness() - 1.0).abs() < 1e-6);
    let peak = (-2000..0)
        .map(|i| f64::from(i) * 1e-4)
        .min_by(|a, b| at.force_at_slip(*a, 10.0).total_cmp(&at.force_at_slip(*b, 10.0)));
    assert!((peak.unwrap() + 0.1144).abs() < 1e-4);
}

#[test]
fn both_ways_to_ask_for_a_steady_force_agree_and_reverse_mirrors() {
    let at = synthetic().at(LOAD, 0.0);
    for (v, w) in [(20.0, 18.0), (3.0, 0.0), (5.0, 9.0), (1.0, -2.0)] {
        let kappa = -(v - w) / v;
        let force = at.force(v, w);
        assert!((force / at.force_at_slip(kappa, v) - 1.0).abs() < 1e-12);
        assert!((at.force(-v, -w) + force).abs() < 1e-9, "mirror");
        // In reverse κ = −(V − w)/|V| changes its sign with V and w.
        assert!((at.force_at_slip(-kappa, -v) + force).abs() < 1e-9);
    }
    assert!(at.force(-3.0, 0.0) > 0.0, "braking is braking");
}

#[test]
fn no_number_is_lost_at_the_edges() {
    let mut fading = synthetic();
    fading.coefficients.lmuv = 0.3;
    let mut square = synthetic();
    square.coefficients.pex1 = 5.0; // E is cut at 1: (1 − E)·∞
    let speeds = [0.0, -0.0, 1e-320, 1e-12, 1.0, -1e-320, -7.0, 1e9];
    for tyre in [synthetic(), fading, square] {
        for load in [0.0, -5.0, 1e-9, 100.0, LOAD, 1e6] {
            let at = tyre.at(load, 0.0);
            for kappa in [-1.0, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e-320, 1e300] {
                for v in speeds {
                    assert!(at.force_at_slip(kappa, v).is_finite(), "{kappa} {v} {load}");
                }
            }
            let tread = Deflection::new(at, 358_000.0);
            for v in speeds {
                for w in speeds {
                    let name = format!("V = {v}, w = {w}, N = {load}");
                    assert!(at.force(v, w).is_finite(), "{name}");
                    let now = tread.rate(v, w, 1e-3);
                    assert!(now.rate.is_finite() && now.force.is_finite(), "{name}");
                    assert!(tread.steady(v, w).is_finite(), "{name}");
                    let damper = tread.damper(v, w, 1e-3, 1e-3);
                    assert!(damper.force.is_finite() && damper.damping >= 0.0 && damper.damping.is_finite(), "{name}");
                    if load <= 0.0 {
                        assert_eq!((now.force, damper.force, damper.deflection), (0.0, 0.0, 0.0), "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn standing_tyres_pull_against_the_slip_of_a_spinning_wheel() {
    let tread = tread();
    let at = tread.characteristic();
    let limit = at.magnitude(f64::INFINITY, true, 3.0);
    assert!((limit - at.peak() * (1.579 * std::f64::consts::FRAC_PI_2).sin()).abs() < 1e-9);
    assert_eq!(at.force(0.0, 3.0), limit);
    assert_eq!(at.force(0.0, -3.0), -limit);
    assert_eq!(at.force(0.0, 0.0), 0.0);
    assert!((tread.stiffness() * tread.steady(0.0, 3.0) - limit).abs() < 1e-9);
    let still = tread.rate(0.0, 0.0, 2e-3);
    assert_eq!((still.rate, still.force), (0.0, 358_000.0 * 2e-3));
}

#[test]
fn the_steady_deflection_is_the_magic_formula_at_every_slip() {
    let tread = tread();
    let at = tread.characteristic();
    for kappa in [-1.0, -0.5, -0.12, -0.03, -1e-3, 0.0, 1e-9, 2e-3, 0.05, 0.3, 1.5, 40.0] {
        for v in [30.0, 0.4, -6.0] {
            let w = v + kappa * f64::abs(v);
            let expected = at.force(v, w) - at.offset(v - w) * f64::signum(v);
            let force = tread.stiffness() * tread.steady(v, w);
            assert!((force - expected).abs() < 1e-9 * at.peak(), "κ = {kappa}, V = {v}: {force} {expected}");
        }
    }
}

#[test]
fn small_slip_relaxes_over_the_relaxation_length() {
    let tread = tread();
    let length = tread.characteristic().slip_stiffness() / tread.stiffness();
    let (v, z) = (10.0, 1e-6);
    let w = v * (1.0 - tread.characteristic().shift());
    assert!((tread.relaxation(v, w) - v / length).abs() < 1e-9 * v / length);
    let near = tread.relaxation(v, w * (1.0 + 1e-7));
    assert!((near * length / v - 1.0).abs() < 1e-9, "no corner that would be a jump");
    assert!(tread.rate(v, w, z).rate < 0.0);
}

#[test]
fn energy_of_a_tyre_is_stored_dissipated_or_named() {
    let mut tyre = synthetic();
    tyre.coefficients.lmuv = 0.2;
    let tread = Deflection::new(tyre.at(LOAD, 0.0), 358_000.0);
    for (v, w, z) in [(20.0, 17.0, -3e-3), (0.0, 4.0, 2e-3), (-3.0, 0.0, 5e-3), (12.0, 14.0, 0.0), (0.02, 0.0, 7e-3)] {
        let powers = tread.powers(v, w, z);
        let whole = -tread.force(v, w, z) * (v - w);
        assert!(powers.dissipated >= 0.0);
        let sum = powers.stored + powers.dissipated + powers.shifts;
        assert!(
            (sum - whole).abs() <= 1e-10 * (powers.stored.abs() + powers.dissipated + powers.shifts.abs()).max(1.0)
        );
        // The stored power is the derivative of the stored energy along the motion.
        let d = 1e-7;
        let ahead = tread.stored(z + d * tread.rate(v, w, z).rate) - tread.stored(z - d * tread.rate(v, w, z).rate);
        assert!((ahead / (2.0 * d) - powers.stored).abs() <= 1e-6 * powers.stored.abs().max(1.0));
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let mut tyre = synthetic();
    for lmuv in [0.0, 0.4] {
        tyre.coefficients.lmuv = lmuv;
        let tread = Deflection::new(tyre.at(LOAD, 0.0), 358_000.0);
        for x in [[20.0, 17.0, -3e-3], [0.3, 4.0, 2e-3], [-3.0, 0.1, 5e-3], [12.0, 14.0, 1e-3], [0.02, -1.0, 7e-3]] {
            let found = tread.sensitivity(x[0], x[1], x[2]);
            for k in 0..3 {
                let d = if k == 2 { 1e-7 } else { 1e-6 };
                let at = |side: f64| {
                    let mut y = x;
                    y[k] += side * d;
                    tread.rate(y[0], y[1], y[2])
                };
                let (to, from) = (at(1.0), at(-1.0));
                let (rate, force) = ((to.rate - from.rate) / (2.0 * d), (to.force - from.force) / (2.0 * d));
                assert!(
                    (found.rate[k] - rate).abs() < 1e-5 * (1.0 + rate.abs()),
                    "{x:?} {k}: {} {rate}",
                    found.rate[k]
                );
                assert!((found.force[k] - force).abs() < 1e-4 * (1.0 + force.abs()), "{x:?} {k}: {}", found.force[k]);
            }
        }
    }
}

#[test]
fn a_file_as_they_come_reads_like_a_tidy_one() {
    let untidy = "\u{feff}[mdi_header]\r\nFILE_TYPE='tir'\r\nwords that mean nothing\r\n[UNITS]\r\n  length ='meter'\r\n\
        FORCE='NEWTON' $ newtons\r\nangle = 'rad'\r\n[MODEL]\r\n fittyp=61!version\r\n[VERTICAL]\r\nFnomin = 4.0D+03\r\n\
        [SHAPE]\r\n{radial width}\r\n 1.0 0.0\r\n[LONGITUDINAL_COEFFICIENTS]\r\npcx1=1.5d0\r\nPDX1    =   1.0  $ friction\r\n\
        PKX1 = 2.0E1\r\n!PKX2 = 7\r\n$-----\r\n";
    let tyre = parse_tir(untidy).unwrap();
    let plain = Coefficients { pcx1: 1.5, pdx1: 1.0, pkx1: 20.0, ..Coefficients::default() };
    assert_eq!(tyre.coefficients, plain);
    let same = Tyre::new(plain, 4000.0).unwrap();
    for kappa in [-0.7, -0.01, 0.2] {
        assert_eq!(tyre.at(3000.0, 0.01).force_at_slip(kappa, 9.0), same.at(3000.0, 0.01).force_at_slip(kappa, 9.0));
    }
    assert_eq!(tyre.stiffness_at(3000.0), Err(TyreError::NoStiffness));
}

/// The reference file with one line changed.
fn changed(from: &str, to: &str) -> Result<Tyre, TirError> {
    let text = include_str!("../../../reference/tyre/synthetic-a.tir");
    let line = text.lines().find(|line| line.starts_with(from)).unwrap();
    parse_tir(&text.replacen(line, to, 1))
}

#[test]
fn faults_of_a_file_are_named_by_line() {
    let line = |fault: TirError| match fault {
        TirError::Malformed { line, .. }
        | TirError::NotNumber { line, .. }
        | TirError::Unit { line, .. }
        | TirError::Version { line, .. }
        | TirError::Twice { line, .. } => line,
        other => panic!("{other}"),
    };
    assert_eq!(line(changed("PKX2", "PKX2 13.728").unwrap_err()), 75);
    assert_eq!(line(changed("PKX2", "PKX2 = ").unwrap_err()), 75);
    assert_eq!(line(changed("PKX2", "PKX2 = 13,728").unwrap_err()), 75);
    assert_eq!(line(changed("PKX2", "PKX2 = nan").unwrap_err()), 75);
    assert_eq!(line(changed("PKX2", "pkx1 = 3").unwrap_err()), 75);
    assert_eq!(line(changed("LENGTH", "LENGTH = 'mm'").unwrap_err()), 9);
    assert_eq!(line(changed("ANGLE", "ANGLE = 'degrees'").unwrap_err()), 11);
    assert_eq!(line(changed("[VERTICAL]", "[VERTICAL").unwrap_err()), 37);
    let fault = changed("FITTYP", "FITTYP = 51").unwrap_err();
    assert_eq!(line(fault.clone()), 17);
    assert!(fault.to_string().contains("61 and 62 are MF 6.1"), "{fault}");
    let missing = changed("FNOMIN", "").unwrap_err();
    assert_eq!(missing, TirError::Missing { name: "FNOMIN", section: "VERTICAL", lines: 87 });
    assert!(matches!(changed("[UNITS]", "[NOTHING]"), Err(TirError::Missing { section: "UNITS", .. })));
    assert!(matches!(changed("PCX1", "PCX1 = 2.5"), Err(TirError::Tyre(TyreError::Number(_)))));
    let stray = parse_tir("PCX1 = 1\n[UNITS]\n").unwrap_err();
    assert_eq!(stray, TirError::NoSection { line: 1, name: "PCX1".to_owned() });
    assert_eq!(changed("PKX2", "PKX2 = 1.3728D1"), parse_tir(include_str!("../../../reference/tyre/synthetic-a.tir")));
}

#[test]
fn beyond_its_ranges_a_tyre_warns_and_goes_on() {
    let tyre = synthetic();
    assert_eq!(tyre.warnings(4000.0, 0.1).count(), 0);
    let warned: Vec<Warning> = tyre.warnings(20_000.0, -2.0).collect();
    assert_eq!(warned[0], Warning::Load { load: 20_000.0, range: [100.0, 10_000.0] });
    assert!(
        matches!(warned[1], Warning::Curvature { load: 20_000.0, curvature } if curvature > 1.3),
        "{:?}",
        warned[1]
    );
    assert_eq!(warned[2].to_string(), "slip -2: the tyre was measured between -1.5 and 1.5");
    assert!(tyre.at(20_000.0, 0.0).force_at_slip(-2.0, 5.0) < -5000.0, "not cut");
    // E = 1.5 counts as 1, which is told; E < 1 is taken as it is.
    let curvature = |e: f64| Tyre {
        coefficients: Coefficients { pex1: e, pex2: 0.0, pex4: 0.0, ..tyre.coefficients },
        ..tyre.clone()
    };
    let (bent, one) = (curvature(1.5), curvature(1.0));
    assert_eq!(bent.at(4000.0, 0.0), one.at(4000.0, 0.0));
    let told: Vec<String> = bent.warnings_at(4000.0).map(|warning| warning.to_string()).collect();
    assert!(
        told.len() == 1 && told[0].contains("curvature factor E is 1.5") && told[0].contains("1 was taken"),
        "{told:?}"
    );
    assert_eq!(
        (one.warnings_at(4000.0).count(), bent.warnings_at(0.0).count()),
        (0, 1),
        "without load only the load is told"
    );
}

#[test]
fn mf52_knows_no_pressure_and_has_a_relaxation_length() {
    let tyre = changed("FITTYP", "FITTYP = 6").unwrap();
    assert_eq!(tyre.version, Version::Mf52);
    let mut inflated = tyre.clone();
    inflated.pressure = 300_000.0;
    let force = |tyre: &Tyre, load| tyre.at(load, 0.0).force_at_slip(-0.05, 20.0);
    assert_eq!(force(&tyre, 5000.0), force(&inflated, 5000.0));
    // λ' = LMUX, without the book's A_μ: only the vertical shift feels it.
    let offset = tyre.at(4000.0, 0.0).offset(0.0);
    assert!((offset - 4000.0 * 2.0283e-5 * 0.97).abs() < 1e-12);
    let load: f64 = 3000.0;
    let dfz = -0.25_f64;
    let length = load * (2.3657 + 1.4112 * dfz) * (-0.56626 * dfz).exp() * 0.316 / 4000.0;
    let expected = tyre.at(load, 0.0).slip_stiffness() / length;
    assert!((tyre.stiffness_at(load).unwrap() / expected - 1.0).abs() < 1e-14);
    assert_eq!(tyre.stiffness_at(0.0), Err(TyreError::NoStiffness));
}

/// The wheel of section 4.4: m = 400, I = 1.2, R = 0.3.
fn braked(torque: f64, resistance: f64, h: f64, end: f64, push: f64, v0: f64) -> (f64, OnTyres, TyreWheel) {
    let tread = [tread()];
    let mut body = OnTyres { push, resistance_bound: resistance, ..OnTyres::new(400.0, v0) };
    let mut wheel = [TyreWheel { brake_bound: torque / 0.3, ..TyreWheel::new(1.2 / 0.09, v0) }];
    let (mut x, mut room) = (0.0, Vec::new());
    for _ in 0..(end / h).round() as u64 {
        body.step(&mut wheel, &tread, h, &mut room);
        x += h * body.speed;
    }
    (x, body, wheel[0])
}

#[test]
fn implicit_steps_are_of_order_one_and_stop_where_events_do() {
    let place = 61.27402259;
    let errors: Vec<f64> = [4e-4, 2e-4, 1e-4]
        .map(|h| {
            let (x, body, wheel) = braked(900.0, 0.01 * LOAD, h, 6.0, 0.0, 30.0);
            assert_eq!((body.speed, wheel.speed), (0.0, 0.0), "at rest, exactly");
            x - place
        })
        .to_vec();
    let order = ((errors[0] - errors[1]) / (errors[1] - errors[2])).log2();
    assert!((order - 1.0).abs() < 0.05, "order {order}, errors {errors:?}");
    assert!((errors[2] / place).abs() < 2.5e-5 * 1.2, "{errors:?}");
}

#[test]
fn a_parked_car_does_not_move_a_bit_in_an_hour() {
    let (h, slope) = (1e-3, 0.1_f64.atan());
    let load = 400.0 * 9.81 * slope.cos();
    let tyre = synthetic();
    let tread = [Deflection::new(tyre.at(load, 0.0), tyre.stiffness_at(load).unwrap())];
    let mut body =
        OnTyres { push: -400.0 * 9.81 * slope.sin(), resistance_bound: 0.01 * load, ..OnTyres::new(400.0, 0.0) };
    let mut wheel = [TyreWheel { brake_bound: 2000.0 / 0.3, ..TyreWheel::new(1.2 / 0.09, 0.0) }];
    let (mut x, mut room) = (0.0, Vec::new());
    let mut go = |seconds: u32, x: &mut f64| {
        for _ in 0..seconds * 1000 {
            body.step(&mut wheel, &tread, h, &mut room);
            *x += h * body.speed;
        }
        (body, wheel[0])
    };
    let (parked, held) = go(1, &mut x);
    assert_eq!((parked.speed, held.speed), (0.0, 0.0));
    assert!(held.deflection > 5e-4, "the tread carries the car");
    let at_one_second = x.to_bits();
    let (later, still) = go(3599, &mut x);
    assert_eq!((later, still), (parked, held));
    assert_eq!(x.to_bits(), at_one_second);
}

/// Implicit steps of at most h under the controller of the reference, cut at k·Ts: place at the stop and cycles.
fn controlled_by_steps(h: f64) -> (f64, u64) {
    let data = r#"{"demand": 2000, "speed_off": 4, "measures": ["v", "w"], "commands": ["rate"]}"#;
    let controller = AntiLock::new(serde_json::from_str(data).unwrap()).unwrap();
    let tread = [tread()];
    let mut body = OnTyres { resistance_bound: 0.01 * LOAD, ..OnTyres::new(400.0, 30.0) };
    let mut wheel = [TyreWheel::new(1.2 / 0.09, 30.0)];
    let (mut clock, mut memory) = (Clock::new(controller.period()).unwrap(), controller.start());
    let (mut x, mut t, mut torque, mut rate, mut room) = (0.0, 0.0, 0.0, [0.0], Vec::new());
    while body.speed > 0.0 {
        let k = clock.taken();
        controller.sample(k, &[body.speed, wheel[0].speed], &mut memory, &mut rate);
        while t < clock.due() && body.speed > 0.0 {
            let step = h.min(clock.due() - t);
            t = if step < h { clock.due() } else { t + h };
            torque = controller.torque(torque, rate[0], step);
            wheel[0].brake_bound = torque / 0.3;
            body.step(&mut wheel, &tread, step, &mut room);
            x += step * body.speed;
        }
    }
    (x, memory.cycles)
}

#[test]
fn anti_lock_by_steps_stops_within_a_percent() {
    for h in [1e-4, 5e-5, 2.5e-5] {
        let (x, cycles) = controlled_by_steps(h);
        assert!((x / 57.46499794 - 1.0).abs() < 0.01, "h = {h}: {x}");
        assert!(cycles.abs_diff(27) <= 3, "h = {h}: {cycles}");
    }
}

#[test]
fn a_step_solves_its_own_equations_on_every_branch() {
    let tread = [tread(), tread(), tread()];
    let h = 1e-3;
    for (v, speeds, brakes, push, resistance) in [
        (20.0, [20.0, 19.0, 0.0], [3000.0, 0.0, 9000.0], -500.0, 40.0),
        (0.0, [3.0, -2.0, 0.0], [100.0, 100.0, 0.0], 800.0, 10.0),
        (1e-4, [0.0, 0.0, 0.0], [1e4, 1e4, 1e4], 5.0, 900.0),
        (-2.0, [-2.0, -3.0, 1.0], [10.0, 0.0, 2e4], 0.0, 0.0),
    ] {
        let start = [0, 1, 2].map(|i| TyreWheel {
            brake_bound: brakes[i],
            drive: 50.0 * i as f64,
            deflection: 1e-3 * i as f64,
            ..TyreWheel::new(10.0, speeds[i])
        });
        let mut wheels = start;
        let mut body = OnTyres { push, resistance_bound: resistance, ..OnTyres::new(1200.0, v) };
        body.step(&mut wheels, &tread, h, &mut Vec::new());
        let total: f64 = wheels.iter().map(|wheel| wheel.force).sum();
        let residual = 1200.0 / h * (body.speed - v) - push + body.resistance - total;
        assert!(residual.abs() < 1e-12 * 1200.0 / h * (1.0 + v.abs()), "{residual}");
        let lawful = |force: f64, bound: f64, speed: f64| {
            if speed == 0.0 { force.abs() <= bound } else { force == bound * speed.signum() }
        };
        assert!(lawful(body.resistance, resistance, body.speed));
        for (after, before) in wheels.iter().zip(start) {
            let residual = 10.0 / h * (after.speed - before.speed) - before.drive + after.force + after.brake;
            assert!(residual.abs() < 1e-10 * 10.0 / h * (1.0 + before.speed.abs()), "{residual}");
            assert!(lawful(after.brake, before.brake_bound, after.speed));
        }
    }
}
