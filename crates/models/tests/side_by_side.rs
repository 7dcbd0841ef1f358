//! Wheels and vehicles stepped side by side are, to the bit, those stepped alone: states, tallies, residuals, stuck times, events.

use std::path::Path;

use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use stickslip_core::record::Record;
use stickslip_core::scheme::{Block, Grid, SideBySide, side_by_side};
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::{Driven, Simulation, Stepped};
use stickslip_models::MODELS;
use stickslip_models::vehicle::{self, Vehicle, WheelData};
use stickslip_models::wheel::{Parameters, Start, Wheel};
use stickslip_scenario::Override;
use stickslip_sweep::{Plan, run_block};

fn wheels() -> impl Strategy<Value = Vec<Wheel>> {
    prop::collection::vec(wheel(), 1..40)
}

prop_compose! {
    fn signal(top: f64)(kind in 0..4_u8, a in 0.0..1.0_f64, b in 0.0..1.0_f64, t in 0.0..0.3_f64) -> Signal {
        match kind {
            0 => Signal::Constant(top * a),
            1 => Signal::trapezoid([t, t + 0.1, t + 0.2, t + 0.35], top * a).expect("sorted"),
            2 => Signal::Points(Points::new(vec![0.0, t + 0.01], vec![top * b, top * a]).expect("sorted")),
            _ => Signal::Constant(0.0),
        }
    }
}

prop_compose! {
    fn wheel()(
        mass in 10.0..500.0_f64,
        inertia in 0.01..3.0_f64,
        speed in prop_oneof![Just(0.0), -20.0..20.0_f64],
        spin in prop_oneof![Just(0.0), -20.0..20.0_f64],
        rolls in any::<bool>(),
        backwards in any::<bool>(),
        friction in signal(1.0),
        motor in signal(900.0),
        brake in signal(1200.0),
    ) -> Wheel {
        let start = Start { x1: speed, x2: if rolls { -speed } else { spin }, x: 1.0, theta: 0.5 };
        let motor = motor.scaled(if backwards { -1.0 } else { 1.0 });
        let parameters = Parameters {
            mass, inertia, friction, motor, brake, start, ..Parameters::default() };
        Wheel::new(parameters).expect("valid")
    }
}

prop_compose! {
    fn wheel_of_vehicle()(
        inertia in 0.1..5.0_f64,
        friction in signal(1.0),
        motor in signal(900.0),
        brake in signal(2500.0),
        backwards in any::<bool>(),
    ) -> WheelData {
        WheelData {
            name: String::new(),
            inertia,
            share: 0.0,
            friction,
            motor: motor.scaled(if backwards { -1.0 } else { 1.0 }),
            brake, ..WheelData::default() }
    }
}

prop_compose! {
    fn vehicle(wheels: usize)(
        mut wheels in prop::collection::vec(wheel_of_vehicle(), wheels),
        mass in 10.0..2000.0_f64,
        x1 in prop_oneof![Just(0.0), -3.0..3.0_f64],
        slope in prop_oneof![Just(0.0), -0.3..0.3_f64],
        drag in prop_oneof![Just(0.0), 0.0..2.0_f64],
        resistance in prop_oneof![Just(0.0), 0.0..300.0_f64],
    ) -> Vehicle {
        let count = wheels.len();
        for (i, wheel) in wheels.iter_mut().enumerate() {
            (wheel.name, wheel.share) = (format!("w{i}"), 1.0 / count as f64);
        }
        let start = vehicle::Start { x1, x: 2.0, v: None };
        let slope = Signal::Constant(slope);
        Vehicle::new(vehicle::Parameters {
            mass, wheels, slope, drag, resistance, start, ..vehicle::Parameters::default() }).expect("valid")
    }
}

/// Runs of a block against the same runs alone, to the bit.
fn compare<S>(systems: &[S], grid: Grid) -> Result<(), TestCaseError>
where
    S: SideBySide + Record + Driven + Clone + std::fmt::Debug + 'static,
    S::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    for block in systems.chunks(<S::Block as Block<S>>::WIDTH) {
        for (system, end) in block.iter().zip(side_by_side(block, grid)) {
            let mut alone: Stepped<S> = Stepped::new(system.clone(), grid.h);
            // Where it is cut changes nothing.
            for steps in [1, grid.steps / 3, grid.steps / 2] {
                alone.advance_to(grid.time(steps)).expect("runs");
            }
            alone.advance_to(grid.time(grid.steps)).expect("runs");
            let mut together = Stepped::ended(system.clone(), end.expect("a sound run"));
            prop_assert_eq!(together.save().expect("plain data"), alone.save().expect("plain data"));
            prop_assert_eq!(together.take_events(), alone.take_events());
            prop_assert_eq!(together.stuck(), alone.stuck());
            prop_assert_eq!(together.worst_residual(), alone.worst_residual());
            // What went on side by side goes on alone.
            for run in [&mut together, &mut alone] {
                run.advance_to(grid.time(grid.steps) + 0.2).expect("runs");
            }
            prop_assert_eq!(together.save().expect("plain data"), alone.save().expect("plain data"));
        }
    }
    Ok(())
}

const GRID: Grid = Grid { h: 1e-3, steps: 700 };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn wheels_together_are_as_alone(wheels in wheels()) {
        compare(&wheels, GRID)?;
    }

    #[test]
    fn vehicles_together_are_as_alone(vehicles in (1..6_usize).prop_flat_map(|n| prop::collection::vec(vehicle(n), 1..20))) {
        compare(&vehicles, GRID)?;
    }
}

#[test]
fn what_fails_is_left_to_be_run_alone() {
    let good = |mass: f64| Parameters {
        mass,
        inertia: 1.0,
        friction: Signal::Constant(0.5),
        motor: Signal::Constant(-50.0),
        ..Parameters::default()
    };
    let overflows = Parameters { inertia: 1e-300, motor: Signal::Constant(1e300), ..good(10.0) };
    let wheels = [good(10.0), overflows, good(20.0)].map(|p| Wheel::new(p).expect("valid"));
    let ends = side_by_side(&wheels, Grid { h: 1e-3, steps: 10 });
    assert_eq!(ends.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
}

/// A sweep of a built-in scenario, side by side where that can be done, against the same with every point run alone.
fn sweeps_agree(name: &str, sets: &[&str], vary: &str) {
    let sets: Vec<Override> = sets.iter().map(|set| Override::new(*set)).collect();
    let mut scenario = MODELS.builtin(name, &sets).expect("a scenario");
    let outputs = "outputs = [\"end.x1\", \"end.x\", \"stuck.brake\", \"events\", \"residual\"]";
    let text = format!("{}\n[sweep]\n{outputs}\n[sweep.vary]\n{vary}", without_sweep(&scenario.text));
    scenario = MODELS.parse(name, &text, ".", &[]).unwrap_or_else(|error| panic!("{error}"));
    let sweep = scenario.sweep.clone().expect("a sweep");
    let plan = || Plan::new(&MODELS, &scenario, &sweep, Path::new(".")).unwrap_or_else(|error| panic!("{error}"));
    assert!(plan().goes_together(), "{name}");
    let (together, alone) = (plan(), plan().one_by_one());
    let count = together.total() as usize;
    assert!(count > 60);
    let bits = |plan: &Plan<'_>| format!("{:?}", run_block(plan, 0, count));
    assert_eq!(bits(&together), bits(&alone), "{name}");
    // Blocks may be cut anywhere.
    let parts = format!("{:?}", run_block(&together, 7, 41));
    assert_eq!(parts, format!("{:?}", run_block(&alone, 7, 41)));
}

fn without_sweep(text: &str) -> &str {
    text.split("\n[sweep").next().unwrap_or(text)
}

#[test]
fn sweeps_side_by_side_are_those_of_single_runs() {
    // Zero friction, no brake, and steps that do not divide the duration among them.
    sweeps_agree("wheel-sport-braking", &[], "ground.friction = \"0:1:13\"\nbrake.torque.max = \"0:2000:6\"");
    sweeps_agree("wheel-sport-braking", &[], "wheel.mass = \"50:500:23\"\nrun.step = [1e-3, 7e-4, 2e-3]");
}
