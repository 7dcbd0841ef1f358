//! Tyres under the wheels of vehicles, against the reference rows of one braked wheel (reference/tyre, two separately written
//! codes) and against what must hold of any tyre.

#![allow(clippy::unwrap_used, reason = "tests")]

use stickslip_core::mechanics::{Ledger, System};
use stickslip_core::record::Record;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::{ByEvent, Simulation, Stepped};
use stickslip_loads::tyre::{Deflection, OnTyres, Tyre, TyreWheel, parse_tir};
use stickslip_models::MODELS;
use stickslip_models::vehicle::road::{Place, Road};
use stickslip_models::vehicle::{Parameters, Start, TyreForm, Vehicle, WheelData, WheelTyre};
use stickslip_scenario::Override;

fn synthetic() -> Tyre {
    parse_tir(include_str!("../../../reference/tyre/synthetic-a.tir")).unwrap()
}

/// m = 400 kg on one wheel of 0.3 m, as in the reference rows.
fn quarter_car(torque: f64, speed: f64, slope: f64, form: TyreForm) -> Parameters {
    Parameters {
        mass: 400.0,
        wheels: vec![WheelData {
            tyre: Some(WheelTyre { tyre: synthetic(), stiffness: Some(358_000.0), form }),
            name: "wheel".to_string(),
            friction: Signal::Constant(1.0),
            brake: Signal::Constant(torque),
            ..WheelData::default()
        }],
        slope: Signal::Constant(slope),
        road: Road { rolling: 0.01, ..Road::default() },
        start: Start { x1: speed, x: 0.0, v: None },
        ..Parameters::default()
    }
}

fn braking(torque: f64) -> Vehicle {
    Vehicle::new(quarter_car(torque, 30.0, 0.0, TyreForm::Deflection)).unwrap()
}

fn parking() -> Vehicle {
    Vehicle::new(quarter_car(2000.0, 0.0, 0.1_f64.atan(), TyreForm::Deflection)).unwrap()
}

fn column(run: &dyn Simulation, name: &str) -> f64 {
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[run.columns().iter().position(|column| column.name == name).unwrap()]
}

/// Rows t, sign_V, sign_w, V, w, z, x, Fx.
fn reference(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

const BRAKE_900: &str = include_str!("../../../reference/tyre/tyre-brake-900.csv");
const BRAKE_1500: &str = include_str!("../../../reference/tyre/tyre-brake-1500-locks.csv");
const PARK: &str = include_str!("../../../reference/tyre/tyre-park-10-percent.csv");

fn closes(ledger: &Ledger, to: f64) {
    assert!(ledger.closure() < to, "{} {ledger:?}", ledger.closure());
    assert!(ledger.dissipated.iter().all(|d| d.energy >= 0.0), "{ledger:?}");
}

#[test]
fn by_events_every_row_of_the_references_is_met() {
    for (vehicle, table) in [(braking(900.0), BRAKE_900), (braking(1500.0), BRAKE_1500), (parking(), PARK)] {
        let mut run = ByEvent::new(vehicle).unwrap();
        let rows = reference(table);
        for row in &rows[1..] {
            run.advance_to(row[0]).unwrap();
            for (name, value, tolerance) in [("x", row[6], 1e-7), ("z_wheel", row[5], 1e-8), ("x1", row[3], 1e-6)] {
                let own = column(&run, name);
                assert!((own - value).abs() < tolerance, "{name} at {}: {own} {value}", row[0]);
            }
        }
        let last = rows.last().unwrap();
        let rests: Vec<f64> = run.take_events().iter().map(|event| event.t).collect();
        run.advance_to(last[0] + 1.0).unwrap();
        let events = run.take_events();
        let rest = events.last().map_or(*rests.last().unwrap(), |event| event.t);
        assert!((rest - last[0]).abs() < 1e-7, "{rest} {}", last[0]);
        assert_eq!((column(&run, "x1"), column(&run, "v_wheel")), (0.0, 0.0));
        closes(&run.ledger(), 1e-9);
    }
}

#[test]
fn parked_is_parked_to_the_bit() {
    let bits = |run: &dyn Simulation| ["x", "x1", "v_wheel", "z_wheel"].map(|name| column(run, name).to_bits());
    let both: [Box<dyn Simulation>; 2] =
        [Box::new(ByEvent::new(parking()).unwrap()), Box::new(Stepped::new(parking(), 1e-3))];
    for mut run in both {
        run.advance_to(1.0).unwrap();
        let parked = bits(&*run);
        assert_eq!((column(&*run, "x1"), column(&*run, "v_wheel")), (0.0, 0.0));
        run.advance_to(3600.0).unwrap();
        assert_eq!(bits(&*run), parked);
    }
}

#[test]
fn steps_converge_with_order_one() {
    let rest = reference(BRAKE_900).pop().unwrap()[6];
    let error = |h: f64| {
        let mut run = Stepped::new(braking(900.0), h);
        run.advance_to(6.0).unwrap();
        assert_eq!(column(&run, "x1"), 0.0);
        (column(&run, "x") - rest).abs()
    };
    let errors = [4e-4, 2e-4, 1e-4].map(error);
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((order - 1.0).abs() < 0.05, "{order} {errors:?}");
    }
    assert!(errors[2] / rest < 3e-5, "{errors:?}");
}

#[test]
fn steps_are_those_of_a_solver_written_apart() {
    // Three wheels that brake differently, on a slope: speeds and deflections after every step.
    let mut p = quarter_car(0.0, 20.0, 0.03, TyreForm::Deflection);
    let one = p.wheels[0].clone();
    let torques = [200.0, 900.0, 2500.0];
    p.mass = 1200.0;
    p.wheels = (0..3)
        .map(|k| WheelData {
            name: format!("wheel {k}"),
            share: 1.0 / 3.0,
            brake: Signal::Constant(torques[k]),
            ..one.clone()
        })
        .collect();
    let vehicle = Vehicle::new(p).unwrap();
    let load = 400.0 * 9.81 * 0.03_f64.cos();
    let treads = [Deflection::new(synthetic().at(load, 0.0), 358_000.0); 3];
    let push = -1200.0 * 9.81 * 0.03_f64.sin();
    let mut body = OnTyres { push, resistance_bound: 0.01 * 3.0 * load, ..OnTyres::new(1200.0, 20.0) };
    let mut wheels = torques.map(|torque| TyreWheel { brake_bound: torque / 0.3, ..TyreWheel::new(1.2 / 0.09, 20.0) });
    let mut run = Stepped::new(vehicle, 1e-3);
    let mut room = Vec::new();
    for step in 1..=6000 {
        body.step(&mut wheels, &treads, 1e-3, &mut room);
        run.advance_to(f64::from(step) * 1e-3).unwrap();
        let state = run.state();
        let mut worst = (state.x1() - body.speed).abs();
        for (i, wheel) in wheels.iter().enumerate() {
            worst =
                worst.max((state.v()[i] + wheel.speed).abs()).max((state.deflections()[i] - wheel.deflection).abs());
            assert_eq!(state.v()[i] == 0.0, wheel.speed == 0.0, "step {step}");
        }
        assert!(worst < 1e-11, "step {step}: {worst}");
    }
    assert_eq!((run.state().x1(), body.speed), (0.0, 0.0));
}

#[test]
fn the_steady_form_stops_by_steps_where_its_closed_form_does() {
    // Momentum: (m + J) v0/a_B, whatever the law.
    for (torque, t, x) in [(900.0, 4.133333333, 62.08320525), (1150.0, 3.234782609, 48.63293740)] {
        let mut p = quarter_car(torque, 30.0, 0.0, TyreForm::Steady);
        p.road.rolling = 0.0;
        let at = |h: f64| {
            let mut run = Stepped::new(Vehicle::new(p.clone()).unwrap(), h);
            run.advance_to(t - 0.1).unwrap();
            run.advance_to(t + 0.1).unwrap();
            column(&run, "x")
        };
        let (coarse, fine) = ((at(2e-4) - x).abs(), (at(1e-4) - x).abs());
        assert!(fine < 5e-3 && (coarse / fine).log2() > 0.8, "{coarse} {fine}");
    }
}

/// From event to event the steady form comes to the rows of section 4.4 of the reference, and to rest: all stays to the bit.
#[test]
fn the_steady_form_stops_by_events_where_others_found_it() {
    let rows =
        [(900.0, 4.133333333, 62.08320525), (1150.0, 3.234782609, 48.63293740), (2000.0, 4.273231061, 63.84973687)];
    for (torque, t, x) in rows {
        let mut p = quarter_car(torque, 30.0, 0.0, TyreForm::Steady);
        p.road.rolling = 0.0;
        let mut run = ByEvent::new(Vehicle::new(p).unwrap()).unwrap();
        run.advance_to(t - 1e-3).unwrap();
        assert!(column(&run, "x1") > 0.0);
        run.advance_to(5.0).unwrap();
        assert_eq!((column(&run, "x1"), column(&run, "v_wheel")), (0.0, 0.0), "{torque}");
        let stop = run.take_events().last().unwrap().t;
        assert!((stop - t).abs() < 1e-7, "{torque}: {stop} {t}");
        assert!((column(&run, "x") - x).abs() < 1e-7, "{torque}: {}", column(&run, "x"));
        closes(&run.ledger(), 1e-9);
        assert_eq!(run.by_events().unwrap().handovers, 0, "{torque}");
        let parked = column(&run, "x").to_bits();
        run.advance_to(3600.0).unwrap();
        assert_eq!(column(&run, "x").to_bits(), parked);
    }
    // The wheel locks where the reference says.
    let mut p = quarter_car(2000.0, 30.0, 0.0, TyreForm::Steady);
    p.road.rolling = 0.0;
    let mut run = ByEvent::new(Vehicle::new(p).unwrap()).unwrap();
    run.advance_to(1.0).unwrap();
    let lock = run.take_events().into_iter().find(|e| e.contact == 1 && e.to == stickslip_core::law::State::Stick);
    assert!((lock.unwrap().t - 0.1156180883).abs() < 1e-9);
    // Parked on 10 %: what a locked wheel can hold holds, and not a bit moves.
    let p = quarter_car(2000.0, 0.0, 0.1_f64.atan(), TyreForm::Steady);
    let mut run = ByEvent::new(Vehicle::new(p).unwrap()).unwrap();
    run.advance_to(3600.0).unwrap();
    assert_eq!((column(&run, "x"), column(&run, "x1")), (0.0, 0.0));
    assert!((column(&run, "f_wheel") + column(&run, "r") + 400.0 * 9.81 * 0.1_f64.atan().sin()).abs() < 1e-6);
}

#[test]
fn by_steps_a_parked_tyre_in_its_steady_form_meets_its_law() {
    // It creeps by 1e-10 m/s; beside that the rounding of a force of 400 N is a slip, not a law that is missed.
    for slope in [0.0, 0.1_f64.atan()] {
        let p = quarter_car(2000.0, 0.0, slope, TyreForm::Steady);
        let mut run = Stepped::new(Vehicle::new(p).unwrap(), 1e-3);
        run.advance_to(2.0).unwrap();
        let residual = run.worst_residual();
        assert!(residual < 1e-9, "{slope}: {residual:e}, {:e}", column(&run, "x1"));
    }
}

#[test]
fn a_curvature_above_one_is_told() {
    let doubts = |pex1: f64| {
        let mut p = quarter_car(2000.0, 30.0, 0.0, TyreForm::Deflection);
        let coefficients = &mut p.wheels[0].tyre.as_mut().unwrap().tyre.coefficients;
        (coefficients.pex1, coefficients.pex2, coefficients.pex4) = (pex1, 0.0, 0.0);
        Stepped::new(Vehicle::new(p).unwrap(), 1e-3).doubts()
    };
    assert_eq!(doubts(0.5), Vec::<String>::new());
    let told = doubts(1.5);
    assert!(told.len() == 1 && told[0].starts_with("tyre of `wheel`: its curvature factor E is 1.5"), "{told:?}");
}

#[test]
fn nothing_becomes_infinite() {
    // Standing with a wheel that spins, in reverse, on no load, locked, on ice, on no friction at all.
    let mut cases = Vec::new();
    for (x1, v) in [(0.0, -20.0), (0.0, 20.0), (-10.0, 10.0), (-10.0, -30.0), (20.0, 0.0), (0.0, 0.0), (1e-12, 5.0)] {
        let mut p = quarter_car(400.0, x1, 0.05, TyreForm::Deflection);
        p.start.v = Some(vec![v]);
        cases.push(p.clone());
        p.wheels[0].tyre.as_mut().unwrap().form = TyreForm::Steady;
        cases.push(p.clone());
        p.wheels[0].tyre.as_mut().unwrap().form = TyreForm::Deflection;
        p.gravity = 0.0;
        cases.push(p.clone());
        p.gravity = 9.81;
        p.wheels[0].friction = Signal::ZERO;
        cases.push(p);
    }
    for p in cases {
        let vehicle = Vehicle::new(p).unwrap();
        let end = implicit_euler(&vehicle, Grid { h: 5e-4, steps: 8000 }, &mut NullObserver).unwrap();
        let mut row = vec![0.0; vehicle.columns().len()];
        vehicle.row(4.0, &end.state, &mut row);
        assert!(row.iter().all(|cell| cell.is_finite()), "{row:?}");
        // A spring of 164 rad/s loses energy by implicit Euler: first order in the step.
        closes(&vehicle.ledger(&end.state), 0.05);
        if let Ok(mut run) = ByEvent::new(vehicle) {
            run.advance_to(4.0).unwrap();
            run.row(&mut row);
            assert!(row.iter().all(|cell| cell.is_finite()), "{row:?}");
            closes(&run.ledger(), 1e-9);
        }
    }
}

#[test]
fn a_car_on_four_tyres_is_the_quarter_car_four_times() {
    let mut p = quarter_car(900.0, 30.0, 0.0, TyreForm::Deflection);
    let one = p.wheels[0].clone();
    p.mass = 1600.0;
    p.wheels = (0..4).map(|k| WheelData { name: format!("wheel {k}"), share: 0.25, ..one.clone() }).collect();
    let car = Vehicle::new(p).unwrap();
    let mut whole = ByEvent::new(car.clone()).unwrap();
    let mut quarter = ByEvent::new(braking(900.0)).unwrap();
    let mut stepped = Stepped::new(car, 1e-3);
    let mut quarter_stepped = Stepped::new(braking(900.0), 1e-3);
    for t in [1.0, 4.5, 6.0] {
        whole.advance_to(t).unwrap();
        quarter.advance_to(t).unwrap();
        assert!((column(&whole, "x") - column(&quarter, "x")).abs() < 1e-9);
        stepped.advance_to(t).unwrap();
        quarter_stepped.advance_to(t).unwrap();
        assert!((column(&stepped, "x") - column(&quarter_stepped, "x")).abs() < 1e-9);
    }
}

#[test]
fn a_tyre_beside_dry_friction_and_runs_that_are_cut_and_saved() {
    let mut p = quarter_car(500.0, 20.0, 0.02, TyreForm::Deflection);
    let tyre = p.wheels[0].clone();
    p.wheels = vec![
        WheelData { name: "front".into(), share: 0.5, ..tyre.clone() },
        WheelData { name: "rear".into(), share: 0.5, tyre: None, ..tyre },
    ];
    let vehicle = Vehicle::new(p).unwrap();
    let both: [(Box<dyn Simulation>, f64); 2] =
        [(Box::new(ByEvent::new(vehicle.clone()).unwrap()), 1e-9), (Box::new(Stepped::new(vehicle, 1e-3)), 1e-3)];
    for (mut run, closure) in both {
        let mut whole = run.fork();
        whole.advance_to(5.0).unwrap();
        for t in [0.1234, 0.5, 2.7] {
            run.advance_to(t).unwrap();
        }
        let saved = run.save().unwrap();
        run.advance_to(4.0).unwrap();
        run.restore(&saved).unwrap();
        run.advance_to(5.0).unwrap();
        let rows = [&run, &whole].map(|run| {
            let mut row = vec![0.0; run.columns().len()];
            run.row(&mut row);
            row.iter().map(|cell| cell.to_bits()).collect::<Vec<_>>()
        });
        assert_eq!(rows[0], rows[1]);
        closes(&run.ledger(), closure);
    }
}

#[test]
fn a_stiffer_tread_comes_nearer_to_the_steady_law() {
    // 900 N m, no resistance, place at V = 0: the error falls with 1/C_x.
    let x = |factor: f64| {
        let mut p = quarter_car(900.0, 30.0, 0.0, TyreForm::Deflection);
        p.road.rolling = 0.0;
        p.wheels[0].tyre.as_mut().unwrap().stiffness = Some(358_000.0 * factor);
        let mut run = ByEvent::new(Vehicle::new(p).unwrap()).unwrap();
        let (mut low, mut high) = (4.0, 4.2);
        run.advance_to(low).unwrap();
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            let mut look = run.fork();
            look.advance_to(middle).unwrap();
            if column(&*look, "x1") > 0.0 { low = middle } else { high = middle }
        }
        run.advance_to(low).unwrap();
        column(&run, "x")
    };
    let errors = [1.0, 10.0].map(|factor| (x(factor) - 62.08320525).abs());
    assert!((errors[0] - 4.3e-4).abs() < 0.2e-4 && (errors[1] - 3.7e-5).abs() < 0.2e-5, "{errors:?}");
}

/// A car on two tyres whose loads follow the forces.
fn pitching(height: f64, brake: Signal) -> Parameters {
    let mut p = quarter_car(0.0, 30.0, 0.0, TyreForm::Deflection);
    let one = p.wheels[0].clone();
    let axle = |name: &str, ahead: f64, share: f64, part: f64| WheelData {
        name: name.into(),
        share,
        brake: brake.scaled(part),
        place: Place { ahead, ..Place::default() },
        ..one.clone()
    };
    p.mass = 800.0;
    p.wheels = vec![axle("front", 1.2, 1.4 / 2.6, 0.6), axle("rear", -1.4, 1.2 / 2.6, 0.4)];
    p.body = Some(stickslip_models::vehicle::Body { height, stiffness: vec![1.0; 2] });
    p
}

#[test]
fn tyres_follow_loads_that_move() {
    let ramp = Signal::Points(Points::new(vec![0.0, 0.5], vec![0.0, 1500.0]).unwrap());
    let vehicle = Vehicle::new(pitching(0.55, ramp.clone())).unwrap();
    let mut run = ByEvent::new(vehicle.clone()).unwrap();
    run.advance_to(1.5).unwrap();
    // Weight and moments balance, and each tyre gives what its formula says of its slip under its load.
    let [front, rear] = ["N_front", "N_rear"].map(|name| column(&run, name));
    assert!((front + rear - 800.0 * 9.81).abs() < 1e-9 && front > 800.0 * 9.81 * 1.4 / 2.6 + 500.0, "{front} {rear}");
    let (f, g) = (["f_front", "f_rear"].map(|n| column(&run, n)), ["g_front", "g_rear"].map(|n| column(&run, n)));
    let moment = (0.55 - 0.3) * (f[0] + f[1] + column(&run, "r")) - 0.3 * (g[0] + g[1]);
    assert!((2.6 * (front - 800.0 * 9.81 * 1.4 / 2.6) - moment).abs() < 1e-6, "{moment}");
    for (name, load) in [("front", front), ("rear", rear)] {
        let slip = column(&run, &format!("slip_{name}"));
        let steady = synthetic().at(load, 0.0).force_at_slip(slip, 1.0);
        let force = -column(&run, &format!("f_{name}"));
        assert!((force / steady - 1.0).abs() < 2e-3, "{name}: {force} {steady}");
    }
    run.advance_to(8.0).unwrap();
    assert_eq!(column(&run, "x1"), 0.0);
    closes(&run.ledger(), 1e-9);
    // Steps come to the same place, with order one.
    let rest = column(&run, "x");
    let error = |h: f64| {
        let mut run = Stepped::new(vehicle.clone(), h);
        run.advance_to(8.0).unwrap();
        (column(&run, "x") - rest).abs()
    };
    let (coarse, fine) = (error(4e-4), error(2e-4));
    assert!(((coarse / fine).log2() - 1.0).abs() < 0.05 && fine < 1e-2, "{coarse} {fine}");
    // Loads that move matter: tyres lose friction with load.
    let place = |height: f64| {
        let mut p = pitching(height, ramp.clone());
        p.body = p.body.filter(|_| height > 0.0);
        let mut run = ByEvent::new(Vehicle::new(p).unwrap()).unwrap();
        run.advance_to(8.0).unwrap();
        column(&run, "x")
    };
    assert!((place(0.55) - rest).abs() < 1e-12 && (place(0.0) - rest).abs() > 1e-3);
}

/// The stop on tyres is the zero of the speed, not the end of the swinging, and does not depend on how often rows are recorded.
#[test]
fn stops_on_tyres_do_not_depend_on_rows() {
    let of = |scenario: &str, step: &str| {
        let scenario = stickslip_models::MODELS.builtin(scenario, &[step.into()]).expect("it can be read");
        let measures = stickslip_run::measure(&scenario).expect("it runs");
        ["stopping_time", "stopping_distance", "mean_deceleration", "lock_time"].map(|name| measures.value(name))
    };
    // Slow enough for swings that count: the motion is the same, and so are the measures.
    let slow = |step: &str| {
        let changes = ["initial.speed=1".into(), step.into(), "run.duration=3".into()];
        let scenario = stickslip_models::MODELS.builtin("tyre-braking", &changes).expect("it can be read");
        let measures = stickslip_run::measure(&scenario).expect("it runs");
        ["stopping_time", "stopping_distance", "lock_time", "stopping_time_from_start"].map(|name| measures.value(name))
    };
    let fine = slow("run.step=0.001");
    for step in ["run.step=0.01", "run.step=0.1", "run.step=1"] {
        let coarse = slow(step);
        let near = |(a, b): (&Option<f64>, &Option<f64>)| (a.unwrap_or(-1.0) - b.unwrap_or(-1.0)).abs() < 1e-9;
        assert!(fine.iter().zip(&coarse).all(near), "{step}: {fine:?} {coarse:?}");
    }
    for step in ["run.step=0.002", "run.step=0.1", "run.step=0.5", "run.step=3"] {
        let [time, distance, mean, locked] = of("tyre-braking", step).map(|value| value.expect("a measure"));
        assert!(
            (time - 4.079_967_304).abs() < 1e-7 && (distance - 61.282_012_63).abs() < 1e-7,
            "{step}: {time} {distance}"
        );
        assert!((mean - 30.0 / time).abs() < 1e-9 && locked == 0.0, "{step}: {mean} {locked}");
        let [time, distance, ..] = of("anti-lock-tyre", step).map(|value| value.expect("a measure"));
        assert!(
            (time - 3.874_693_195).abs() < 1e-6 && (distance - 57.464_997_94).abs() < 1e-6,
            "{step}: {time} {distance}"
        );
    }
}

/// Whatever the brake, the slope and the start, the steady form comes to rest by itself: no cluster of events has to be passed by steps.
#[test]
fn the_steady_form_comes_to_rest_without_clusters() {
    for (x1, v, slope, torque) in [
        (20.0, -20.0, 0.0, 400.0),
        (0.1, -0.1, 0.05, 400.0),
        (0.1, -0.1, 0.0, 700.0),
        (0.0, -20.0, 0.05, 400.0),
        (-5.0, 5.0, 0.05, 900.0),
    ] {
        let mut p = quarter_car(torque, x1, slope, TyreForm::Steady);
        p.start.v = Some(vec![v]);
        let mut run = ByEvent::new(Vehicle::new(p).unwrap()).unwrap();
        run.advance_to(12.0).unwrap();
        assert_eq!((column(&run, "x1"), column(&run, "v_wheel")), (0.0, 0.0), "{x1} {v} {slope} {torque}");
        assert_eq!(run.by_events().unwrap().handovers, 0, "{x1} {v} {slope} {torque}");
        closes(&run.ledger(), 1e-9);
    }
}

/// A formula that falls below nothing at the load of its wheel is no tyre: it was taken for one without force.
#[test]
fn tyres_without_grip_under_their_load_are_refused() {
    for (coefficient, value) in [("pdx2", -2.0), ("pkx2", -30.0)] {
        let sets = [
            format!("wheel.wheel.tyre.coefficients.{coefficient}={value}"),
            "wheel.wheel.tyre.nominal_load=2000".into(),
        ];
        let sets: Vec<Override> = sets.iter().map(|set: &String| Override::new(set.as_str())).collect();
        let scenario = MODELS.builtin("tyre-braking", &sets);
        let said = match scenario {
            Ok(scenario) => scenario.model.in_time().err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        assert!(
            said.as_ref().is_some_and(|said| said.contains("both must be greater than 0")),
            "{coefficient}: {said:?}"
        );
    }
}
