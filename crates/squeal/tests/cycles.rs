//! Growth, decay and limit cycles against reference/squeal, and by property.

mod common;

use std::f64::consts::TAU;

use common::{cell, constant, creep, fall, patch, patch_of, run, table, wheel};
use stickslip_squeal::contact::Spring;
use stickslip_squeal::motion::Motion;
use stickslip_squeal::roughness::{Line, Roughness};
use stickslip_squeal::step::{Start, Stepper, Workspace};
use stickslip_squeal::{Contact, Friction, Mode, Wheel};

fn from(start: Start) -> impl Fn(&Stepper<'_>) -> Motion {
    move |stepper| stepper.start(start).expect("a start")
}

fn near(found: f64, wanted: f64, share: f64, what: &str) {
    eprintln!("{what}: {found} ({wanted}), off by {:.1e}", found / wanted - 1.0);
    assert!((found / wanted - 1.0).abs() < share, "{what}: {found} instead of {wanted}");
}

#[test]
fn one_mode_squeals_as_the_table_says() {
    let (heads, rows) = table("squeal/one-mode-point-contact.csv");
    for row in rows.iter().take(2) {
        let of = |name: &str| cell(&heads, row, name);
        let wheel = wheel("one", Contact::Point { friction: fall() }, of("s0"));
        let seen = run(&wheel, 4e-6, from(Start::Eigenvector(0.8 * wheel.slip())), 0.3, 0.1);
        near(seen.frequency, of("cycle_Hz"), 5e-4, "frequency");
        near(seen.most, of("v_max"), 3e-3, "greatest velocity");
        // It sticks: the velocity of the wheel is that of the creepage, to the bit but for one subtraction.
        assert!((seen.least - of("v_min")).abs() < 1e-16, "{seen:?}");
        near(seen.stuck, of("stick_duration_s") * of("cycle_Hz"), 2e-2, "share of stick");
        // 0.1 s are no whole number of periods: powers are off by one in a hundred of them.
        near(seen.powers[1], of("P_slip_heat_W"), 1e-2, "heat");
        near(seen.powers[2], of("P_modal_damping_W"), 1e-2, "modal damping");
        assert!(seen.held == 0 && seen.closure.abs() < 1e-4, "{seen:?}");
    }
}

#[test]
fn the_pair_flutters_as_the_table_says() {
    let (heads, rows) = table("squeal/pair-constant-friction.csv");
    for row in rows.iter().take(2) {
        let of = |name: &str| cell(&heads, row, name);
        let wheel = wheel("pair", Contact::Point { friction: constant(of("mu")) }, of("s0"));
        let seen = run(&wheel, 4e-6, from(Start::Eigenvector(0.1)), 1.2, 0.1);
        near(seen.frequency, of("cycle_Hz"), 5e-4, "frequency");
        near(seen.most, of("v_max"), 3e-3, "greatest velocity");
        assert!((seen.load[0] - of("N_min_over_N0")).abs() < 0.01, "{seen:?}");
        near(seen.load[1], of("N_max_over_N0"), 5e-3, "greatest load");
        near(seen.stuck, of("stick_time_share"), 1e-2, "share of stick");
        near(seen.powers[0], of("P_drive_W"), 1e-2, "drive");
        near(seen.powers[2], of("P_modal_damping_W"), 1e-2, "modal damping");
    }
}

#[test]
fn the_patch_squeals_as_the_table_says() {
    let (heads, rows) = table("squeal/pair-brush.csv");
    for row in [&rows[0], &rows[4]] {
        let of = |name: &str| cell(&heads, row, name);
        let wheel = wheel("pair", patch(), of("s0"));
        // Begun near the cycle, which is reached by a factor of e in some tenths of a second.
        let seen = run(&wheel, of("step_s"), from(Start::Eigenvector(0.9 * of("v_max"))), 1.5, 0.1);
        near(seen.frequency, of("cycle_Hz"), 1e-5, "frequency");
        near(seen.most, of("v_max"), 1e-3, "greatest velocity");
        near(seen.least, of("v_min"), 1e-3, "least velocity");
        assert!((seen.load[0] - of("N_min_over_N0")).abs() < 2e-3, "{seen:?}");
        near(seen.load[1], of("N_max_over_N0"), 1e-3, "greatest load");
        near(seen.friction / (0.35 * 42e3), of("mean_F_over_muN0"), 5e-3, "mean friction");
        // 100 bristles against the limit of many: the bars of the cycle.
        let fine = if of("s0") == 0.02 { &rows[3] } else { &rows[7] };
        let of = |name: &str| cell(&heads, fine, name);
        near(seen.frequency, of("cycle_Hz"), 5e-4, "frequency (limit)");
        near(seen.most, of("v_max"), 3e-3, "greatest velocity (limit)");
        assert!((seen.load[0] - of("N_min_over_N0")).abs() < 0.01);
    }
}

/// Of 10 modes on a creep law the one of the file wins, not the one that grows fastest.
#[test]
fn the_wheel_squeals_with_the_mode_of_the_table() {
    let (heads, rows) = table("squeal/wheel-creep-limit-cycle.csv");
    let row = rows.iter().find(|row| cell(&heads, row, "s0") == 0.01).expect("a row");
    let of = |name: &str| cell(&heads, row, name);
    let wheel = wheel("wheel", creep(), 0.01);
    let seen = run(&wheel, 1e-5, |stepper| kicked(&wheel, stepper), 2.0, 0.5);
    near(seen.frequency, of("DOP853_cycle_Hz"), 1e-3, "frequency");
    near(seen.most, of("DOP853_vmax"), 2e-3, "greatest velocity");
    near(seen.least, of("DOP853_vmin"), 2e-3, "least velocity");
    near(seen.rms, of("DOP853_vrms"), 2e-3, "root mean square");
    assert!((wheel.least_stable().expect("found").im / TAU - 416.55).abs() < 0.01, "the fastest grows elsewhere");
}

fn kicked(wheel: &Wheel, stepper: &Stepper<'_>) -> Motion {
    let mut motion = stepper.steady_state();
    for (p, mode) in motion.p.iter_mut().zip(&wheel.modes) {
        *p = 1e-3 * mode.lateral.signum();
    }
    stepper.settle(&mut motion);
    motion
}

/// Growth rate and frequency from an eigenvector: ẏ + i ÿ/ω grows like e^{λt}; by successive maxima of |ẏ| over whole periods.
fn growth(wheel: &Wheel, h: f64, amplitude: f64, duration: f64) -> [f64; 2] {
    let stepper = Stepper::new(wheel, h, wheel.speed * h).expect("a stepper");
    let (mut motion, mut work) = (stepper.start(Start::Eigenvector(amplitude)).expect("a start"), Workspace::default());
    let steps = (duration / h) as u64;
    let mut before = [0.0; 2];
    let mut peaks: Vec<[f64; 2]> = Vec::new();
    for n in 0..steps {
        stepper.step(n as f64 * h, &mut motion, &mut work).expect("found");
        let v = stickslip_squeal::step::lateral(wheel, &motion.p);
        if n > 2 && before[1] > before[0] && before[1] >= v && before[1] > 0.0 {
            // The vertex of a parabola through three points.
            let (a, b) = (0.5 * (before[0] + v) - before[1], 0.5 * (v - before[0]));
            peaks.push([(n as f64 - b / (2.0 * a)) * h, before[1] - b * b / (4.0 * a)]);
        }
        before = [before[1], v];
    }
    // Least squares of ln(peak) over time, the first periods left out.
    let from = peaks.len() / 10;
    let (n, used) = ((peaks.len() - from) as f64, &peaks[from..]);
    let mean = |of: fn(&[f64; 2]) -> f64| used.iter().map(of).sum::<f64>() / n;
    let (t, y) = (mean(|p| p[0]), mean(|p| p[1].ln()));
    let slope = used.iter().map(|p| (p[0] - t) * (p[1].ln() - y)).sum::<f64>()
        / used.iter().map(|p| (p[0] - t).powi(2)).sum::<f64>();
    [slope, (n - 1.0) / (used[used.len() - 1][0] - used[0][0])]
}

#[test]
fn growth_and_decay_are_those_of_the_eigenvalues() {
    for (set, contact, s0, h, duration) in [
        ("one", Contact::Point { friction: fall() }, 0.02, 4e-6, 0.04),
        ("one", Contact::Point { friction: fall() }, 0.1, 4e-6, 0.2),
        ("pair", Contact::Point { friction: constant(0.35) }, 0.01, 2e-6, 0.05),
        ("pair", Contact::Point { friction: constant(0.2) }, 0.01, 2e-6, 0.2),
        ("pair", patch(), 0.02, 4.25684e-6, 0.05),
        ("pair", patch(), 0.0095, 4.25684e-6, 0.05),
        ("pair", patch_of(fall()), 0.02, 4.25684e-6, 0.05),
        ("one", patch_of(fall()), 0.1, 4.25684e-6, 0.2),
        ("wheel", creep(), 0.03, 4e-6, 0.2),
        ("wheel", creep(), 0.05, 4e-6, 0.2),
        ("wheel", creep(), 0.006, 4e-6, 0.2),
    ] {
        let wheel = wheel(set, contact, s0);
        let exact = wheel.least_stable().expect("found");
        let [rate, frequency] = growth(&wheel, h, 1e-5 * wheel.slip(), duration);
        near(rate, exact.re, 5e-3, &format!("{set} {} s0 = {s0}: rate", wheel.contact.name()));
        near(frequency, exact.im / TAU, 5e-4, "frequency");
    }
}

/// A patch that sticks in part: the eigenvalue of its characteristic equation with a delay against the growth of bristles.
#[test]
fn a_patch_that_sticks_in_part_grows_as_its_delay_says() {
    // Which cell holds the border of stick is a matter of the step: friction that falls has gains of 240 1/s, and is off by a part of a cell
    // of them, so that it is looked at where little of that is left.
    for (friction, s0) in [(constant(0.35), 0.006), (fall(), 0.0045), (fall(), 0.007)] {
        let wheel = wheel("pair", patch_of(friction), s0);
        assert!(wheel.share_of_full_slip().expect("a patch") < 0.9);
        let exact = wheel.least_stable().expect("found");
        let [rate, frequency] = growth(&wheel, 2.12842e-6, 1e-5 * wheel.slip(), 0.03);
        near(rate, exact.re, 1e-2, "rate");
        near(frequency, exact.im / TAU, 5e-4, "frequency");
    }
}

#[test]
fn bristles_carry_what_the_closed_form_says() {
    let (heads, rows) = table("squeal/brush-steady.csv");
    for row in rows {
        let of = |name: &str| cell(&heads, &row, name);
        let wheel = wheel("pair", patch(), of("s0"));
        let cell = 2.0 * 4.25684e-3 / of("nodes");
        let stepper = Stepper::new(&wheel, cell / 10.0, cell).expect("a stepper");
        let found = stepper.steady() / (0.35 * 42e3);
        assert!(
            (found - of("closed_form")).abs() < 1.5 * (of("F_over_muN") - of("closed_form")).abs() + 1e-5,
            "{row:?} {found}"
        );
        assert!((found - wheel.steady_friction() / 0.35).abs() < 3e-4, "{row:?} {found}");
    }
}

/// One falling-friction mode without lag: m = 15 kg, 1100 Hz.
fn fifteen_kilograms(s0: f64) -> Wheel {
    Wheel {
        modes: vec![Mode {
            name: "m".into(),
            frequency: 1100.0,
            damping: 5e-4,
            lateral: 1.0 / 15_f64.sqrt(),
            vertical: 0.0,
        }],
        speed: 10.0,
        creepage: s0,
        spring: Spring { load: 42e3, approach: 73.571e-6, residual: 0.0 },
        contact: Contact::Creep {
            friction: Friction::TwoFalls { start: 0.4, speeds: [0.138, 6.9] },
            slope: 1.2 / 0.0035,
            lag: 0.0,
        },
        roughness: Roughness::default(),
    }
}

#[test]
fn one_mode_on_a_creep_curve_squeals_as_the_table_says() {
    let (heads, rows) = table("rolling/one-mode-squeal.csv");
    for row in rows {
        let of = |name: &str| cell(&heads, &row, name);
        let wheel = fifteen_kilograms(of("s0"));
        near(-42e3 * wheel.creep_slope(of("s0")) / 10.0, -of("dF_dv_Ns_per_m"), 1e-6, "damping of the curve");
        let seen = run(&wheel, 4e-6, from(Start::Kick(0.01)), 0.15, 0.05);
        if of("s0") == 0.005 {
            assert!(seen.most < 1e-12, "stable: {seen:?}");
            continue;
        }
        // There y counts the other way.
        near(seen.frequency, of("num_freq_Hz"), 1e-2, "frequency");
        near(seen.most, -of("num_vmin"), 2e-2, "greatest velocity");
        near(-seen.least, of("num_vmax"), 2e-2, "least velocity");
    }
}

/// Amplitude and phase (against cos ωt) of ẏ at a frequency over whole periods.
fn line(wheel: &Wheel, h: f64, frequency: f64, until: f64, periods: f64) -> [f64; 2] {
    let stepper = Stepper::new(wheel, h, wheel.speed * h).expect("a stepper");
    let mut motion = stepper.steady_state();
    let (response, amplitude) = (wheel.response(frequency), wheel.roughness.lines[0].amplitude);
    // r = r̂ sin ωt = Re(−i r̂ e^{iωt}).
    let turn = num_complex::Complex64::new(0.0, -amplitude);
    for ((q, p), own) in motion.q.iter_mut().zip(&mut motion.p).zip(&response.modes) {
        (*q, *p) = ((own * turn).re, (own * turn * response.value).re);
    }
    stepper.settle(&mut motion);
    let mut work = Workspace::default();
    let (steps, window) = ((until / h) as u64, (periods / (frequency * h)).round());
    let mut sums = [0.0; 2];
    for n in 0..steps {
        stepper.step(n as f64 * h, &mut motion, &mut work).expect("found");
        if (steps - n) as f64 <= window {
            let (sin, cos) = (TAU * frequency * (n + 1) as f64 * h).sin_cos();
            let v = stickslip_squeal::step::lateral(wheel, &motion.p);
            sums = [sums[0] + v * cos, sums[1] - v * sin];
        }
    }
    let [re, im] = sums.map(|sum| 2.0 * sum / window);
    [re.hypot(im), im.atan2(re).to_degrees()]
}

#[test]
fn roughness_shakes_the_wheel_as_the_table_says() {
    let (heads, rows) = table("squeal/roughness-response.csv");
    for row in rows {
        let of = |name: &str| cell(&heads, &row, name);
        let mut wheel = wheel(&row[0], Contact::Point { friction: constant(of("mu")) }, 0.01);
        let (frequency, amplitude) = (of("frequency_Hz"), of("roughness_amplitude_m"));
        let response = wheel.response(frequency);
        let velocity = response.lateral(&wheel) * response.value * num_complex::Complex64::new(0.0, -amplitude);
        near(velocity.norm(), of("linear_velocity_amplitude_m_s"), 1e-8, "linear response");
        assert!((velocity.arg().to_degrees() - of("linear_phase_deg")).abs() < 1e-6);
        wheel.roughness = Roughness { lines: vec![Line { frequency, amplitude, phase: 0.0 }], points: vec![] };
        // On resonance with 100 nm the motion is not linear, and settles for seconds; that row is for the long runs.
        if amplitude > 5e-8 && frequency > 2000.0 {
            continue;
        }
        let h = if frequency > 2000.0 { 1e-6 } else { 2e-6 };
        let [found, phase] = line(&wheel, h, frequency, 0.1, 100.0_f64.min(0.05 * frequency).floor());
        near(found, of("time_run_amplitude"), 1e-3, "time run");
        assert!((phase - of("time_run_phase_deg")).abs() < 0.2, "{phase}");
    }
}

/// What the scheme loses of the energy is of second order in the step, for each contact.
#[test]
fn energy_closes_with_second_order() {
    for (set, contact, s0) in [
        ("pair", Contact::Point { friction: constant(0.35) }, 0.01),
        ("wheel", Contact::Point { friction: fall() }, 0.05),
        ("wheel", creep(), 0.01),
        ("pair", patch(), 0.02),
        ("pair", patch_of(fall()), 0.02),
    ] {
        let wheel = wheel(set, contact, s0);
        let closure = |h: f64| run(&wheel, h, from(Start::Kick(0.5 * wheel.slip())), 0.05, 0.01).closure;
        let [coarse, fine] = [8.51368e-6, 4.25684e-6].map(closure);
        eprintln!("{set} {}: {coarse:e} {fine:e}", wheel.contact.name());
        assert!(
            fine.abs() < 5e-4 && fine.abs() < 0.5 * coarse.abs() + 1e-6,
            "{set} {}: {coarse:e} {fine:e}",
            wheel.contact.name()
        );
    }
}

/// A wheel that is thrown off the rail: no force in the air, and it lands.
#[test]
fn a_wheel_that_leaves_the_rail_has_no_forces() {
    let mut wheel = wheel("pair", Contact::Point { friction: constant(0.35) }, 0.01);
    wheel.roughness =
        Roughness { lines: vec![], points: vec![[0.0, 0.0], [1e-3, 0.0], [2e-3, -3e-4], [6e-3, -3e-4], [8e-3, 0.0]] };
    let stepper = Stepper::new(&wheel, 2e-6, 2e-5).expect("a stepper");
    let (mut motion, mut work) = (stepper.steady_state(), Workspace::default());
    let mut apart = 0;
    for n in 0..10_000_u32 {
        stepper.step(f64::from(n) * 2e-6, &mut motion, &mut work).expect("found");
        if motion.load == 0.0 {
            assert_eq!((motion.force, motion.grip), (0.0, stickslip_squeal::motion::Grip::Open));
            apart += 1;
        }
    }
    assert!(apart > 100 && motion.load > 0.0, "{apart}");
}

#[test]
fn steps_that_are_too_long_are_refused_by_name() {
    let mut wheel = wheel("wheel", creep(), 0.01);
    let error = Stepper::check(&wheel, 5e-5).expect_err("long").to_string();
    assert!(error.contains("\"6L0\"") && error.contains("4130 Hz") && error.contains("at most 2.42e-5 s"), "{error}");
    assert!(Stepper::check(&wheel, 2.42e-5).is_ok());
    wheel.roughness.lines.push(Line { frequency: 9000.0, amplitude: 1e-7, phase: 0.0 });
    let error = Stepper::check(&wheel, 2e-5).expect_err("fine").to_string();
    assert!(error.contains("9000 Hz"), "{error}");
    let error = Stepper::check(&common::wheel("pair", patch(), 0.02), 4.8e-5).expect_err("few").to_string();
    assert!(error.contains("18 bristles"), "{error}");
    let error = wheel.clone().with_body_compliance(1e-12).expect_err("twice").to_string();
    assert!(error.contains("counted twice"), "{error}");
    let body = 1.2 * wheel.modal_compliance();
    assert!(
        (wheel.clone().with_body_compliance(body).expect("once").spring.residual - body / 6.0).abs() < 1e-15 * body
    );
}

/// Cycles that breathe: other modes still die away at a rate of one per second.
#[test]
fn the_wheel_at_more_creepage_squeals_as_the_table_says() {
    let (heads, rows) = table("squeal/wheel-creep-limit-cycle.csv");
    // Frequencies over a second: equations of the table, section 2.6.
    for (s0, until, frequency) in [(0.03, 2.5, 1153.1), (0.05, 3.0, 1153.9)] {
        let row = rows.iter().find(|row| cell(&heads, row, "s0") == s0).expect("a row");
        let of = |name: &str| cell(&heads, row, name);
        let wheel = wheel("wheel", creep(), s0);
        let seen = run(&wheel, 1e-5, |stepper| kicked(&wheel, stepper), until, 1.0);
        near(seen.frequency, frequency, 1e-3, "frequency");
        let last = run(&wheel, 1e-5, |stepper| kicked(&wheel, stepper), until, 0.1);
        near(last.rms, of("DOP853_vrms"), 2e-3, "root mean square");
        near(last.most, of("DOP853_vmax"), 2e-3, "greatest velocity");
        near(last.least, of("DOP853_vmin"), 2e-3, "least velocity");
    }
}

/// On resonance 100 nm are too much for linear theory: the settled response is that of the table.
#[test]
fn roughness_on_resonance_settles_as_the_table_says() {
    let (heads, rows) = table("squeal/roughness-response.csv");
    for row in rows
        .iter()
        .filter(|row| cell(&heads, row, "roughness_amplitude_m") > 5e-8 && cell(&heads, row, "frequency_Hz") > 2000.0)
    {
        let of = |name: &str| cell(&heads, row, name);
        let mut wheel = wheel(&row[0], Contact::Point { friction: constant(of("mu")) }, 0.01);
        let frequency = of("frequency_Hz");
        wheel.roughness = Roughness { lines: vec![Line { frequency, amplitude: 1e-7, phase: 0.0 }], points: vec![] };
        let [found, phase] = line(&wheel, 2e-6, frequency, 3.0, 200.0);
        near(found, of("time_run_amplitude"), 1e-3, "time run");
        assert!((phase - of("time_run_phase_deg")).abs() < 0.3, "{phase}");
    }
}
