//! Controllers in discrete time: decisions, limits, memory that can be saved.

#![allow(clippy::unwrap_used, reason = "tests")]

use stickslip_loads::control::{
    AntiLock, AntiLockData, AntiLockMode, Clock, ControlError, Controller, Pid, PidData, Table, TableData,
};

fn anti_lock() -> AntiLockData {
    serde_json::from_str(r#"{"demand": 2000, "measures": ["v", "w"], "commands": ["rate"]}"#).unwrap()
}

fn pid() -> PidData {
    PidData {
        period: 0.1,
        target: 2.0,
        proportional: 3.0,
        integral: 4.0,
        derivative: 0.5,
        limits: [-10.0, 10.0],
        measures: ["y".to_owned()],
        commands: ["u".to_owned()],
    }
}

#[test]
fn samples_are_at_multiples_and_not_at_sums() {
    let mut clock = Clock::new(7.3e-3).unwrap();
    let mut sum = 0.0;
    for k in 0..1000_u32 {
        assert_eq!(clock.due(), f64::from(k) * 7.3e-3);
        assert_eq!(clock.taken(), u64::from(k));
        sum += 7.3e-3;
    }
    assert!(clock.due() != sum, "a sum would have been seen");
    assert!(Clock::new(0.0).is_err());
}

#[test]
fn anti_lock_goes_through_its_modes() {
    let controller = AntiLock::new(anti_lock()).unwrap();
    assert_eq!(controller.data().period, 7.3e-3);
    let mut memory = controller.start();
    let mut rate = [0.0];
    let mut at = |v: f64, slip: f64| {
        controller.sample(0, &[v, v * (1.0 - slip)], &mut memory, &mut rate);
        (memory.mode, rate[0], memory.cycles)
    };
    use AntiLockMode::{Down, Hold, Up};
    assert_eq!(at(30.0, 0.0), (Up, 12_000.0, 0));
    assert_eq!(at(30.0, 0.10), (Up, 12_000.0, 0), "between the thresholds it goes on");
    assert_eq!(at(30.0, 0.20), (Down, -24_000.0, 1));
    assert_eq!(at(30.0, 0.25), (Down, -24_000.0, 1), "one cycle");
    assert_eq!(at(30.0, 0.15), (Hold, 0.0, 1));
    assert_eq!(at(30.0, 0.15), (Hold, 0.0, 1));
    assert_eq!(at(30.0, 0.19), (Down, -24_000.0, 2));
    assert_eq!(at(30.0, 0.05), (Up, 12_000.0, 2));
    assert_eq!(at(1.0, 1.0), (Up, 12_000.0, 2), "off");
    assert_eq!(at(30.0, 0.5), (Up, 12_000.0, 2), "for good");
    assert!((memory.margin - 0.01).abs() < 1e-12);
    memory.margin = 0.25;
    let saved = serde_json::to_string(&memory).unwrap();
    assert_eq!(serde_json::from_str::<stickslip_loads::control::AntiLockState>(&saved).unwrap(), memory);
}

#[test]
fn torques_are_cut_exactly() {
    let controller = AntiLock::new(anti_lock()).unwrap();
    assert_eq!(controller.torque(1990.0, 12_000.0, 1.0), 2000.0);
    assert_eq!(controller.torque(10.0, -24_000.0, 1.0), 0.0);
    assert_eq!(controller.until_cut(500.0, 12_000.0), 0.125);
    assert_eq!(controller.until_cut(600.0, -24_000.0), 0.025);
    assert!(controller.until_cut(2000.0, 12_000.0).is_infinite() && controller.until_cut(7.0, 0.0).is_infinite());
}

#[test]
fn bad_thresholds_are_refused_in_words() {
    let mut data = anti_lock();
    data.slip_low = 0.2;
    let refused = AntiLock::new(data).unwrap_err();
    assert_eq!(refused.to_string(), "controller: slip_low = 0.2 must be below slip_high = 0.18");
    let mut data = anti_lock();
    data.fall = 5.0;
    assert_eq!(
        AntiLock::new(data).unwrap_err().to_string(),
        "controller: fall = 5 N·m/s: it must be a finite number < 0"
    );
    let unknown = r#"{"demand": 2000, "slip_hi": 0.2, "measures": ["v", "w"], "commands": ["rate"]}"#;
    assert!(serde_json::from_str::<AntiLockData>(unknown).unwrap_err().to_string().contains("slip_hi"));
    let mut data = pid();
    data.limits = [1.0, 1.0];
    assert!(matches!(Pid::new(data), Err(ControlError::Order { .. })));
}

#[test]
fn pid_by_hand_and_without_wind_up() {
    let controller = Pid::new(pid()).unwrap();
    let mut memory = controller.start();
    let mut u = [0.0];
    controller.sample(0, &[0.5], &mut memory, &mut u);
    assert!((u[0] - (3.0 * 1.5 + 4.0 * 0.1 * 1.5)).abs() < 1e-14);
    controller.sample(1, &[0.7], &mut memory, &mut u);
    let integral = 0.4 * 1.5 + 0.4 * 1.3;
    assert!((u[0] - (3.0 * 1.3 + integral - 0.5 * 0.2 / 0.1)).abs() < 1e-14);
    // Far away the command is at its limit, and the integral waits.
    for k in 2..200 {
        controller.sample(k, &[-20.0], &mut memory, &mut u);
        assert_eq!(u[0], 10.0);
    }
    assert!(memory.integral < 10.0, "{}", memory.integral);
    controller.sample(200, &[2.5], &mut memory, &mut u);
    assert!(u[0] < 10.0, "it comes back at once");
}

#[test]
fn pid_brings_a_plant_to_its_target() {
    let controller = Pid::new(pid()).unwrap();
    let (mut memory, mut u, mut y) = (controller.start(), [0.0], 0.0);
    for k in 0..400 {
        controller.sample(k, &[y], &mut memory, &mut u);
        // ẏ = u − y between two samples, exactly.
        y = u[0] + (y - u[0]) * (-controller.period()).exp();
    }
    assert!((y - 2.0).abs() < 1e-9, "{y}");
}

#[test]
fn a_table_reads_off() {
    let data = TableData {
        period: 0.01,
        points: vec![(0.0, 1.0), (10.0, 3.0)],
        measures: ["v".to_owned()],
        commands: ["u".to_owned()],
    };
    let table = Table::new(data.clone()).unwrap();
    let mut u = [0.0];
    for (v, expected) in [(-5.0, 1.0), (2.5, 1.5), (40.0, 3.0)] {
        table.sample(0, &[v], &mut (), &mut u);
        assert_eq!(u[0], expected);
    }
    assert_eq!((table.measurements(), table.commands()), (&["v".to_owned()][..], &["u".to_owned()][..]));
    let unsorted = TableData { points: vec![(1.0, 0.0), (0.0, 0.0)], ..data };
    assert!(Table::new(unsorted).unwrap_err().to_string().contains("must rise"));
}
