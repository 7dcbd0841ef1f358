//! Loads that move between the axles, against manoeuvres in exact polynomials with 40 digits.

use std::path::Path;

use stickslip_core::law::{Coefficient, Curve};
use stickslip_core::mechanics::{System, SystemError};
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Grid, NullObserver, Recording, RunError, implicit_euler};
use stickslip_core::signal::{Expression, Points, Signal};
use stickslip_models::MODELS;
use stickslip_models::vehicle::{Body, Described, Parameters, Start, Vehicle, VehicleError, VehicleState};

fn built_in(name: &str) -> Parameters {
    let scenario = MODELS.builtin(name, &[]).unwrap_or_else(|e| panic!("{e}"));
    scenario.model.of::<Described>().expect("a vehicle").parameters.clone()
}

fn vehicle(parameters: Parameters) -> Vehicle {
    Vehicle::new(parameters).expect("valid")
}

/// Rows of a reference file, as text.
fn reference(file: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/loads").join(file);
    let text = std::fs::read_to_string(path).expect("readable");
    text.lines().skip(1).map(|line| line.split(',').map(String::from).collect()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().expect("a number")
}

fn by_events(car: &Vehicle, grid: Grid) -> (EventRunResult<VehicleState>, Recording<VehicleState>) {
    let mut seen = Recording::every(1);
    let run = car.by_events(grid, &Settings::default(), &mut seen).expect("runs");
    (run, seen)
}

#[test]
fn events_and_loads_are_those_of_the_reference() {
    for (name, duration, axles) in
        [("car-brake-ramp", 5.0, 2), ("car-brake-release", 6.5, 2), ("truck-three-axles", 4.0, 3)]
    {
        let car = vehicle(built_in(name));
        let (run, seen) = by_events(&car, Grid { h: 0.05, steps: (duration * 20.0_f64).round() as u64 });
        let events = reference(&format!("{name}-events.csv"));
        let mut times: Vec<f64> = seen.events.iter().map(|event| event.t).collect();
        times.dedup();
        assert_eq!(times.len(), events.len() - 1, "{name}: {times:?}");
        for (t, row) in times.iter().zip(&events[1..]) {
            assert!((t - number(&row[0])).abs() <= 1e-11, "{name}: {t} {}", row[0]);
        }
        let stop = events.last().expect("a stop");
        assert!((run.state.x() - number(&stop[3])).abs() <= 1e-10 && run.state.x1() == 0.0, "{name}");
        // Loads, speeds and forces every 0.05 s: t, x1, x, v…, N…, f…, g….
        for row in reference(&format!("{name}.csv")).iter().filter(|row| number(&row[0]) > 0.0) {
            let t = number(&row[0]);
            let Some((_, state)) = seen.samples.iter().find(|(time, _)| (time - t).abs() < 1e-9) else { continue };
            let near = |a: f64, b: f64, size: f64| assert!((a - b).abs() <= 1e-10 * size, "{name}, t = {t}: {a} {b}");
            near(state.x1(), number(&row[1]), 30.0);
            near(state.x(), number(&row[2]), 80.0);
            for i in 0..axles {
                near(state.v()[i], number(&row[3 + i]), 30.0);
                near(car.load(i, t, state), number(&row[3 + axles + i]), 1e5);
                near(state.f()[i], number(&row[3 + 2 * axles + i]), 1e5);
                near(state.g()[i], number(&row[3 + 3 * axles + i]), 1e5);
            }
        }
    }
}

#[test]
fn loads_of_a_step_fit_its_forces() {
    // Weight and moments about the centre of mass, from the outputs alone.
    let car = vehicle(Parameters { resistance: 100.0, drag: 0.4, ..built_in("car-brake-ramp") });
    let mut seen = Recording::every(1);
    implicit_euler(&car, Grid { h: 1e-3, steps: 5000 }, &mut seen).expect("runs");
    let p = car.parameters();
    let height = p.body.as_ref().expect("a body").height;
    for (t, u) in &seen.samples {
        let loads = [0, 1].map(|i| car.load(i, *t, u));
        let weight = p.mass * p.gravity;
        assert!((loads[0] + loads[1] - weight).abs() <= 1e-12 * weight);
        let lean: f64 = loads.iter().zip(&p.wheels).map(|(n, w)| n * w.place.ahead).sum();
        let moment = |i: usize| (height - p.wheels[i].radius) * u.f()[i] - p.wheels[i].radius * u.g()[i];
        let made = moment(0) + moment(1) + (height - 0.3) * u.r();
        assert!((lean - made).abs() <= 1e-9 * weight, "t = {t}: {lean} {made}");
        for (i, load) in loads.iter().enumerate() {
            let most = p.wheels[i].friction.at(*t) * load;
            assert!(u.f()[i].abs() <= most * (1.0 + 1e-12), "t = {t}: {} {most}", u.f()[i]);
            let slips = u.region(i).is_some_and(|region| region.ground() != 0);
            assert!(!slips || (u.f()[i].abs() - most).abs() <= 1e-9 * most, "t = {t}: {} {most}", u.f()[i]);
        }
    }
}

#[test]
fn steps_are_of_first_order() {
    for (name, stop) in [
        ("car-brake-ramp", 68.112_971_538_837),
        ("car-brake-release", 81.662_798_240_42),
        ("truck-three-axles", 35.055_729_035_657),
    ] {
        let car = vehicle(built_in(name));
        let miss = |h: f64| {
            let steps = (7.0 / h).round() as u64;
            implicit_euler(&car, Grid { h, steps }, &mut Recording::of_events()).expect("runs").state.x() - stop
        };
        let [coarse, fine] = [1e-3, 5e-4].map(miss);
        // The way falls short by one step of the first speed: half of it because a rising brake is taken at the end of each step, half
        // because the speed is. That is 4.4e-4 of the car's way and 5.7e-4 of the truck's, which is short for its speed.
        let lag = 1e-3 * car.parameters().start.x1;
        assert!((coarse / lag + 1.0).abs() <= 0.02, "{name}: {coarse}");
        let order = (coarse / fine).log2();
        assert!((order - 1.0).abs() <= 0.05, "{name}: {order}");
    }
}

#[test]
fn without_height_nothing_moves() {
    let with = built_in("car-brake-ramp");
    let flat = Parameters { body: Some(Body { height: 0.0, stiffness: vec![1.0; 2] }), ..with.clone() };
    let without = Parameters { body: None, ..with };
    let grid = Grid { h: 1e-3, steps: 5000 };
    let ends = [flat, without].map(|p| {
        let car = vehicle(p);
        let steps = implicit_euler(&car, grid, &mut Recording::of_events()).expect("runs").state;
        let events = car.by_events(grid, &Settings::default(), &mut Recording::of_events()).expect("runs").state;
        [steps, events].map(|u| (u.x(), u.x1(), u.f().to_vec(), u.heat()))
    });
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn bodies_that_cannot_stand_are_refused() {
    let car = built_in("car-brake-ramp");
    let fails = |change: &dyn Fn(&mut Parameters)| {
        let mut p = car.clone();
        change(&mut p);
        Vehicle::new(p).expect_err("refused")
    };
    assert!(matches!(fails(&|p| p.wheels[1].place.ahead = 0.2), VehicleError::Wheelbase { .. }));
    assert!(matches!(fails(&|p| p.wheels[1].place.ahead = -1.5), VehicleError::Unbalanced { .. }));
    let body = |height, stiffness| Some(Body { height, stiffness });
    assert!(matches!(fails(&|p| p.body = body(0.5, vec![1.0])), VehicleError::Stiffness { .. }));
    assert!(matches!(fails(&|p| p.body = body(-0.5, vec![1.0; 2])), VehicleError::Parameter { .. }));
    assert!(matches!(fails(&|p| p.body = body(0.5, vec![1.0, 0.0])), VehicleError::Parameter { .. }));
    let idle = |p: &mut Parameters| {
        (p.wheels[0].share, p.wheels[1].share) = (1.0, 0.0);
    };
    assert!(matches!(fails(&idle), VehicleError::NoLoad { .. }));
}

/// A car on a slope that rises, held by its front brake and by rolling resistance.
fn on_a_rising_slope() -> Parameters {
    let mut p = built_in("car-brake-ramp");
    (p.mass, p.resistance) = (1000.0, 2000.0);
    p.body = Some(Body { height: 0.6, stiffness: vec![1.0; 2] });
    p.slope = Signal::Points(Points::new(vec![0.0, 10.0], vec![0.0, 0.5]).expect("rising"));
    for (wheel, place) in p.wheels.iter_mut().zip([1.0, -1.0]) {
        (wheel.share, wheel.place.ahead, wheel.inertia) = (0.5, place, 1.0);
        (wheel.friction, wheel.brake) = (Signal::Constant(0.3), Signal::ZERO);
    }
    p.wheels[0].brake = Signal::Constant(1e5);
    p.start = Start::default();
    p
}

#[test]
fn loads_at_rest_follow_forces_inside_their_bounds() {
    let car = vehicle(on_a_rising_slope());
    let (_, seen) = by_events(&car, Grid { h: 0.1, steps: 60 });
    for (t, u) in &seen.samples {
        // Moments about the centre of mass, from forces given out.
        let moment = |i: usize| 0.3 * u.f()[i] - 0.3 * u.g()[i];
        let made = moment(0) + moment(1) + 0.3 * u.r();
        let lean = car.load(0, *t, u) - car.load(1, *t, u);
        assert!((lean - made).abs() <= 1e-8, "t = {t}: {lean} {made}");
        assert!(u.r().abs() <= 2000.0 + 1e-9 && u.x1() == 0.0, "t = {t}: {}", u.r());
    }
    // It slides when the front wheel cannot hold any more what rolling resistance leaves: f = −(m g sin θ − 2000 N),
    // Q = h f − (h − R) 2000 N, |f| = μ (½ m g cos θ + Q/2).
    let left = |t: f64| {
        let (weight, slope) = (1000.0 * 9.81, 0.05 * t);
        let f = 2000.0 - weight * slope.sin();
        0.3 * (0.5 * weight * slope.cos() + 0.5 * (0.6 * f - 0.3 * 2000.0)) - f.abs()
    };
    let (mut held, mut slid) = (5.0, 9.0);
    for _ in 0..60 {
        let middle = 0.5 * (held + slid);
        *(if left(middle) > 0.0 { &mut held } else { &mut slid }) = middle;
    }
    assert!((held - 6.632_37).abs() < 1e-5);
    let (_, seen) = by_events(&car, Grid { h: 8.0, steps: 1 });
    let first = seen.events.first().expect("it slides");
    assert!((first.t - held).abs() <= 1e-9, "{first:?} {held}");
}

#[test]
fn a_wheel_that_would_lift_ends_the_run() {
    // Tall and short: the rear axle is relieved at μ h > 1 m, long before the car stops.
    let mut p = on_a_rising_slope();
    p.slope = Signal::ZERO;
    p.resistance = 0.0;
    p.body = Some(Body { height: 1.5, stiffness: vec![1.0; 2] });
    p.start.x1 = 20.0;
    p.wheels[0].friction = Signal::Constant(0.8);
    p.wheels[0].brake = Signal::Points(Points::new(vec![0.0, 1.0], vec![0.0, 4000.0]).expect("rising"));
    let car = vehicle(p);
    let grid = Grid { h: 1e-3, steps: 2000 };
    let by_events = car.by_events(grid, &Settings::default(), &mut Recording::of_events()).expect_err("lifts");
    let by_steps = implicit_euler(&car, grid, &mut Recording::of_events()).expect_err("lifts");
    for error in [by_events, by_steps] {
        assert!(matches!(&error, RunError::System(SystemError::Ends { why, .. }) if why.contains("`rear`")), "{error}");
    }
}

#[test]
fn the_bound_of_uniqueness_is_told_where_it_holds() {
    let kappa = |change: &dyn Fn(&mut Parameters)| {
        let mut p = built_in("car-brake-ramp");
        change(&mut p);
        vehicle(p).contraction().expect("loads move")
    };
    assert!((kappa(&|_| {}) - 0.246_153_846).abs() < 1e-9);
    // A law that grows counts with its greatest value.
    let growing = |p: &mut Parameters| {
        let table = Coefficient::Table(Curve::held(&[(0.0, 0.25), (1.0, 4.0)]).expect("a law"));
        p.wheels.iter_mut().for_each(|w| w.over_slip.ground = Some(table.clone()));
    };
    assert!((kappa(&growing) - 4.0 * 0.246_153_846).abs() < 1e-8);
    // A cruder bound where wheels are larger than the height: Σ μ |c| R. None for a formula.
    let low = kappa(&|p| p.body = Some(Body { height: 0.2, stiffness: vec![1.0; 2] }));
    assert!((low - 2.0 * 0.8 / 2.6 * 0.3).abs() < 1e-12, "{low}");
    let formula = Signal::Expression(Box::new(Expression::new("0.5").expect("a formula")));
    assert!(kappa(&|p| p.wheels[0].friction = formula.clone()).is_nan());
}

/// Above κ* = 1 steps look for all solutions and tell how many there were.
#[test]
fn all_solutions_are_looked_for_above_the_bound() {
    let mut p = built_in("car-brake-ramp");
    p.body = Some(Body { height: 1.2, stiffness: vec![1.0; 2] });
    for wheel in &mut p.wheels {
        (wheel.friction, wheel.brake) = (Signal::Constant(1.5), Signal::Constant(500.0));
    }
    let car = vehicle(p.clone());
    assert!(car.contraction().is_some_and(|kappa| kappa > 1.0));
    let grid = Grid { h: 1e-3, steps: 1000 };
    let run = implicit_euler(&car, grid, &mut NullObserver).expect("it runs");
    let unique = car.uniqueness_so_far(&run.state);
    assert!(unique.velocities && unique.reason.contains("in each of 1000 steps"), "{}", unique.reason);
    // The loads are those of moments about the centre of mass: all roll, Q = (h − R) Σf − R Σg.
    let made: f64 = (0..2).map(|i| 0.9 * run.state.f()[i] - 0.3 * run.state.g()[i]).sum();
    assert!((car.load(0, 1.0, &run.state) - (1200.0 * 9.81 * 1.4 + made) / 2.6).abs() < 1e-8);
    // By events nobody looks, and that is said.
    let (run, _) = by_events(&car, grid);
    let words = car.uniqueness_so_far(&run.state).reason;
    assert!(words.contains("not excluded") && words.contains("implicit-euler looks for all"), "{words}");
}

/// E1 of the notes: front wheel locked, rear wheel spinning, three solutions with loads (0, 981), (397.9, 583.1), (981, 0); the stable
/// ones have a wheel that lifts, which this model says and does not do.
#[test]
fn three_solutions_are_found_and_those_that_lift_end_the_run() {
    let mut p = built_in("car-brake-ramp");
    p.mass = 100.0;
    p.body = Some(Body { height: 1.2, stiffness: vec![1.0; 2] });
    for (wheel, place) in p.wheels.iter_mut().zip([0.5, -0.5]) {
        (wheel.share, wheel.place.ahead, wheel.inertia) = (0.5, place, 0.5);
        (wheel.friction, wheel.brake) = (Signal::Constant(0.9), Signal::ZERO);
    }
    p.wheels[0].brake = Signal::Constant(1000.0);
    p.wheels[1].motor = Signal::Constant(-50.0);
    (p.start.x1, p.start.v) = (5.0, Some(vec![0.0, -8.0]));
    let car = vehicle(p);
    assert!(car.contraction().is_some_and(|kappa| (kappa - 1.89).abs() < 1e-12));
    let error = implicit_euler(&car, Grid { h: 1e-3, steps: 10 }, &mut NullObserver).expect_err("a wheel lifts");
    assert!(error.to_string().contains("would lift off the road"), "{error}");
}
