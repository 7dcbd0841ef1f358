//! The vehicle against the single wheel, closed forms and its own laws.

use stickslip_core::analysis::convergence;
use stickslip_core::law::State;
use stickslip_core::mechanics::System;
use stickslip_core::record::Record;
use stickslip_core::scheme::{Event, Grid, NullObserver, Recording, implicit_euler};
use stickslip_core::signal::{Signal, Sine};
use stickslip_core::simulation::by_steps;
use stickslip_models::vehicle::road::Road;
use stickslip_models::vehicle::{Parameters, Start, Vehicle, VehicleError, VehicleState, WheelData};
use stickslip_models::wheel;

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.3;

fn data(name: &str, share: f64, friction: f64, motor: Signal, brake: Signal) -> WheelData {
    let friction = Signal::Constant(friction);
    WheelData { name: name.into(), radius: RADIUS, share, friction, motor, brake, ..WheelData::default() }
}

fn parameters(wheels: Vec<WheelData>) -> Parameters {
    let start = Start::default();
    let road = Road::default();
    Parameters { gravity: GRAVITY, wheels, road, start, ..Parameters::default() }
}

fn vehicle(parameters: Parameters) -> Vehicle {
    Vehicle::new(parameters).expect("valid")
}

fn torque(times: [f64; 4], max: f64) -> Signal {
    Signal::trapezoid(times, max).expect("sorted")
}

/// Four wheels on unequal ground under unequal brakes, downhill, with everything that the model has.
fn braking() -> Vehicle {
    let brake = |max| torque([0.5, 0.7, 2.0, 2.4], max);
    let wheels = vec![
        data("front left", 0.3, 0.8, Signal::ZERO, brake(2500.0)),
        data("front right", 0.3, 0.3, Signal::ZERO, brake(2500.0)),
        data("rear left", 0.2, 0.8, torque([3.0, 3.2, 4.0, 4.2], -900.0), brake(700.0)),
        data("rear right", 0.2, 0.3, torque([3.0, 3.2, 4.0, 4.2], -900.0), brake(700.0)),
    ];
    let start = Start { x1: 25.0, ..Start::default() };
    vehicle(Parameters { slope: Signal::Constant(-0.05), drag: 0.4, resistance: 120.0, start, ..parameters(wheels) })
}

/// Every row and every event.
struct Keep {
    rows: Vec<Vec<f64>>,
    events: Vec<Event>,
}

fn run(vehicle: &Vehicle, duration: f64, steps: u64) -> (Keep, VehicleState) {
    let mut seen = Recording::every(1);
    let state = implicit_euler(vehicle, Grid { h: duration / steps as f64, steps }, &mut seen).expect("runs").state;
    let row = |(t, state): &(f64, VehicleState)| {
        let mut row = vec![0.0; vehicle.columns().len()];
        vehicle.row(*t, state, &mut row);
        row
    };
    (Keep { rows: seen.samples.iter().map(row).collect(), events: seen.events }, state)
}

fn end(vehicle: &Vehicle, duration: f64, steps: u64) -> VehicleState {
    implicit_euler(vehicle, Grid { h: duration / steps as f64, steps }, &mut NullObserver).expect("runs").state
}

#[test]
fn one_wheel_on_level_ground_is_the_wheel() {
    let sport = [0.5, 0.7, 2.0, 2.4];
    for (motor, brake, x1) in [
        (torque(sport, -1883.52), Signal::ZERO, 0.0),
        (Signal::ZERO, torque(sport, 1883.52), 20.0),
        (torque([0.5, 3.0, 6.0, 9.0], -376.704), torque([10.0, 13.0, 18.0, 19.5], 470.88), 0.0),
    ] {
        let one = vehicle(Parameters {
            mass: 400.0,
            start: Start { x1, ..Start::default() },
            ..parameters(vec![data("only", 1.0, 0.8, motor.clone(), brake.clone())])
        });
        let wheel = wheel::Wheel::new(wheel::Parameters {
            radius: RADIUS,
            gravity: GRAVITY,
            motor,
            brake,
            start: wheel::Start { x1, x2: -x1, ..wheel::Start::default() },
            ..wheel::Parameters::default()
        })
        .expect("valid");
        let grid = Grid { h: 20.0 / 20_000.0, steps: 20_000 };
        let a = implicit_euler(&one, grid, &mut NullObserver).expect("runs");
        let b = implicit_euler(&wheel, grid, &mut NullObserver).expect("runs");
        assert_eq!((a.events, &a.stuck), (b.events, &b.stuck));
        // Speeds are sums of 20 000 rounded changes: 20 000 ε of the greatest speed, 330 m/s.
        let slack = 20_000.0 * f64::EPSILON * 330.0;
        let (u, w) = (&a.state, &b.state);
        assert!((u.x1() - w.x1).abs() <= slack && (u.v()[0] - w.x2).abs() <= slack, "{u:?} {w:?}");
        assert!((u.x() - w.x()).abs() <= 20.0 * slack);
        let (a, b) = (one.ledger(u), wheel.ledger(w));
        assert!((a.work - b.work).abs() <= 1e-9 * (1.0 + b.work.abs()));
        assert!((a.dissipated_total() - b.dissipated_total()).abs() <= 1e-9 * (1.0 + b.dissipated_total()));
        assert_eq!((one.uniqueness(), one.contacts().len()), (wheel.uniqueness(), 2));
    }
}

/// Four locked wheels on a slope.
fn parked(slope: f64) -> Vehicle {
    let wheels = ["a", "b", "c", "d"].map(|name| data(name, 0.25, 0.8, Signal::ZERO, Signal::Constant(1e5)));
    vehicle(Parameters { slope: Signal::Constant(slope), ..parameters(wheels.into()) })
}

#[test]
fn a_parked_car_stays_parked() {
    let car = parked(10_f64.to_radians());
    let out = implicit_euler(&car, Grid::cover(3600.0, 1e-2), &mut NullObserver).expect("runs");
    assert_eq!((out.state.x(), out.state.x1(), out.state.v()), (0.0, 0.0, &[0.0; 4][..]));
    assert_eq!((out.events, out.stuck), (0, vec![360_000; 8]));
    // Every wheel carries its quarter of the pull; forces are not unique and it says so.
    let quarter = -0.25 * 1200.0 * GRAVITY * 10_f64.to_radians().sin();
    assert!(out.state.f().iter().all(|f| (f / quarter - 1.0).abs() < 1e-14), "{:?}", out.state.f());
    assert!(!out.state.forces_are_unique() && !car.uniqueness().forces && car.uniqueness().velocities);
    // Locked wheels hold if and only if tan θ ≤ μ.
    for direction in [1.0, -1.0] {
        let hold = end(&parked(direction * (0.8 * 0.999_999_f64).atan()), 60.0, 6000);
        assert_eq!((hold.x1(), hold.x()), (0.0, 0.0));
        let slide = end(&parked(direction * (0.8 * 1.000_001_f64).atan()), 60.0, 6000);
        assert!(slide.x1() * direction < 0.0 && slide.v() == [0.0; 4], "{slide:?}");
        // It slides with g (sin θ − μ cos θ), no more.
        let slope = (0.8 * 1.000_001_f64).atan();
        let expected = 60.0 * GRAVITY * (slope.sin() - 0.8 * slope.cos());
        assert!((slide.x1().abs() / expected - 1.0).abs() < 1e-8, "{} {expected}", slide.x1());
    }
}

#[test]
fn resistance_and_drag_have_their_closed_forms() {
    let free = |resistance, drag, slope, x1| {
        let wheels = vec![data("only", 1.0, 0.8, Signal::ZERO, Signal::ZERO)];
        let start = Start { x1, ..Start::default() };
        vehicle(Parameters { resistance, drag, slope: Signal::Constant(slope), start, ..parameters(wheels) })
    };
    let inertia = 1200.0 + 1.2 / (RADIUS * RADIUS);
    // Rolling resistance takes a_R/(m + J) and holds up to m g sin θ = a_R, with free wheels.
    let coasting = end(&free(200.0, 0.0, 0.0, 5.0), 10.0, 1000);
    assert!((coasting.x1() - (5.0 - 10.0 * 200.0 / inertia)).abs() < 1e-11);
    let stopped = end(&free(200.0, 0.0, 0.0, 5.0), 60.0, 6000);
    assert_eq!((stopped.x1(), stopped.v()[0]), (0.0, 0.0));
    let hold = (200.0_f64 / (1200.0 * GRAVITY)).asin();
    assert_eq!(end(&free(200.0, 0.0, 0.999_999 * hold, 0.0), 10.0, 1000).x(), 0.0);
    assert!(end(&free(200.0, 0.0, 1.000_001 * hold, 0.0), 10.0, 1000).x() < 0.0);
    // Drag alone: x1 = v0/(1 + c v0 t/(m + J)), at first order.
    let exact = 30.0 / (1.0 + 0.4 * 30.0 * 20.0 / inertia);
    let errors = [1000, 2000].map(|steps| end(&free(0.0, 0.4, 0.0, 30.0), 20.0, steps).x1() - exact);
    assert!(((errors[0] / errors[1]).log2() - 1.0).abs() < 0.01, "{errors:?}");
    // Braking that rolls: (m + ΣJ) x1' = −Σ a_B.
    let wheels = ["a", "b"].map(|name| data(name, 0.5, 0.8, Signal::ZERO, Signal::Constant(300.0)));
    let car = vehicle(Parameters { start: Start { x1: 20.0, ..Start::default() }, ..parameters(wheels.into()) });
    let rolling = end(&car, 2.0, 2000);
    let deceleration = 2000.0 / (1200.0 + 2.0 * 1.2 / (RADIUS * RADIUS));
    assert!((rolling.x1() - (20.0 - 2.0 * deceleration)).abs() < 1e-11);
    assert_eq!(rolling.v(), [-rolling.x1(); 2]);
}

#[test]
fn stuck_is_exact_and_energy_closes_at_first_order() {
    let car = braking();
    let closure = |steps| {
        let (keep, state) = run(&car, 6.0, steps);
        for pair in keep.rows.windows(2) {
            let heat = pair[0].len() - 3;
            assert!((heat..heat + 3).all(|k| pair[1][k] >= pair[0][k]), "a contact gives energy");
        }
        for row in &keep.rows {
            for wheel in row[3..31].chunks(7) {
                assert!(wheel[3] != 0.0 || row[1] + wheel[0] == 0.0);
                assert!(wheel[4] != 0.0 || wheel[0] == 0.0);
            }
        }
        // Front brakes lock, so do the rear ones on the slippery side; what slips rolls again.
        assert!(keep.events.len() > 8 && keep.events.iter().any(|e| e.contact == 1 && e.to == State::Stick));
        let ledger = car.ledger(&state);
        assert_eq!(ledger.dissipated.len(), 9);
        assert!(ledger.dissipated.iter().all(|d| d.energy >= 0.0));
        assert!(car.worst_residual(&state) <= 1e-14, "{}", car.worst_residual(&state));
        ledger.closure()
    };
    let closures = [6000, 12_000, 24_000].map(closure);
    for pair in closures.windows(2) {
        assert!(((pair[0] / pair[1]).log2() - 1.0).abs() < 0.05, "{closures:?}");
    }
    let study = convergence(&by_steps(&car), 6.0, &[2048, 4096, 8192], 1 << 19).expect("runs").expect("errors");
    assert!((study.order - 1.0).abs() <= 0.05, "{study:?}");
}

#[test]
fn mirrored_vehicles_run_mirrored_bit_by_bit() {
    let car = braking();
    let mut mirrored = car.parameters().clone();
    mirrored.start.x1 = -25.0;
    mirrored.slope = Signal::Constant(0.05);
    mirrored.wheels.iter_mut().for_each(|w| w.motor = w.motor.scaled(-1.0));
    let back = vehicle(mirrored);
    let ((a, _), (b, _)) = (run(&car, 6.0, 6000), run(&back, 6.0, 6000));
    for (a, b) in a.rows.iter().zip(&b.rows) {
        for k in 1..33 {
            // The use of friction has no sign, and the slip ratio that of driving or braking.
            let sign = if (3..31).contains(&k) && (k - 3) % 7 >= 5 { 1.0 } else { -1.0 };
            assert_eq!(a[k], sign * b[k], "column {k} at t = {}", a[0]);
        }
        assert_eq!(a[33..], b[33..]);
    }
}

#[test]
fn slopes_may_change_with_time() {
    // Over a bump: θ = 0.1 sin(t) on free, frictionless-to-roll wheels: (m + J) x1' = −m g sin θ(t).
    let sine = Signal::Sine(Sine { offset: 0.0, amplitude: 0.1, omega: 1.0, phase: 0.0 });
    let times: Vec<f64> = (0..=100).map(|k| 0.05 * f64::from(k)).collect();
    let values = times.iter().map(|t| 0.1 * t.sin()).collect();
    let points = Signal::Points(stickslip_core::signal::Points::new(times, values).expect("sorted"));
    let speed = |slope: Signal| {
        let wheels = vec![data("only", 1.0, 0.8, Signal::ZERO, Signal::ZERO)];
        let start = Start { x1: 20.0, ..Start::default() };
        end(&vehicle(Parameters { slope, start, ..parameters(wheels) }), 5.0, 5000).x1()
    };
    let h = 1e-3;
    let sum: f64 = (0..5000).map(|n| (0.1 * (h * f64::from(n)).sin()).sin()).sum();
    let expected = 20.0 - h * 1200.0 * GRAVITY * sum / (1200.0 + 1.2 / (RADIUS * RADIUS));
    assert!((speed(sine) - expected).abs() < 1e-10);
    // A polygon with pieces of 0.05 s errs by θ''/8 · 0.05² = 3e-5 rad at most: 3e-5 g · 5 s.
    assert!((speed(points) - expected).abs() < 3.2e-5 * GRAVITY * 5.0);
}

#[test]
fn data_that_describe_no_vehicle_are_refused() {
    let good = braking().parameters().clone();
    let refused = |change: fn(&mut Parameters)| {
        let mut parameters = good.clone();
        change(&mut parameters);
        Vehicle::new(parameters).expect_err("bad").to_string()
    };
    assert!(refused(|p| p.wheels[0].share = 0.31).contains("sum to 1.01"));
    assert!(refused(|p| p.wheels[1].name = "front left".into()).contains("`front left`"));
    assert!(refused(|p| p.wheels[2].radius = -0.3).contains("wheel `rear left`: radius = -0.3 m"));
    assert!(refused(|p| p.wheels[1].motor = Signal::Constant(f64::NAN)).contains("motor torque"));
    assert!(refused(|p| p.wheels[3].friction = Signal::Constant(-0.1)).contains("must not be negative"));
    assert!(refused(|p| p.wheels.clear()).contains("at least one wheel"));
    assert!(refused(|p| p.mass = 0.0).contains("mass"));
    assert!(refused(|p| p.drag = -1.0).contains("drag"));
    assert!(refused(|p| p.resistance = f64::NAN).contains("resistance"));
    assert!(refused(|p| p.slope = Signal::Constant(1.6)).contains("slope"));
    assert!(refused(|p| p.start.x1 = f64::INFINITY).contains("speed"));
    assert!(refused(|p| p.start.v = Some(vec![0.0])).contains("1 wheel speeds for 4 wheels"));
    let two = Vehicle::new(Parameters { wheels: vec![], ..good.clone() });
    assert_eq!(two.err(), Some(VehicleError::NoWheels));
    // Shares may miss one by rounding.
    let mut thirds = good;
    thirds.wheels.truncate(3);
    thirds.wheels.iter_mut().for_each(|w| w.share = 1.0 / 3.0);
    assert!(Vehicle::new(thirds).is_ok());
}

/// A car that rolls away from rest at t = 0 has never been held by its rolling resistance.
#[test]
fn rolling_away_at_once_is_slip_from_the_start() {
    let text = r#"
        model = "vehicle"
        [vehicle]
        mass = "1000 kg"
        rolling_resistance = "50 N"
        [road]
        friction = 0.8
        slope = 0.1
        [[wheel]]
        name = "wheel"
        radius = "0.3 m"
        inertia = "1 kg m^2"
        load = 1
        [run]
        duration = "1 s"
        step = "10 ms"
    "#;
    for scheme in ["run.scheme=events", "run.scheme=implicit-euler"] {
        let scenario =
            stickslip_models::MODELS.parse("rolls.toml", text, "", &[scheme.into()]).expect("it can be read");
        let mut run = stickslip_run::simulation(&scenario).expect("built");
        struct First(Option<stickslip_core::law::State>);
        impl stickslip_core::simulation::Sink for First {
            fn row(
                &mut self,
                _: u64,
                _: f64,
                _: &[f64],
                contacts: &[stickslip_core::law::State],
            ) -> Result<(), stickslip_core::simulation::SinkError> {
                self.0.get_or_insert(contacts[2]);
                Ok(())
            }
            fn event(
                &mut self,
                _: &stickslip_core::scheme::Event,
            ) -> Result<(), stickslip_core::simulation::SinkError> {
                Ok(())
            }
        }
        let mut first = First(None);
        let samples =
            stickslip_core::simulation::Samples { grid: stickslip_core::scheme::Grid { h: 0.1, steps: 5 }, every: 1 };
        run.record(samples, &mut first).expect("it runs");
        assert_eq!(first.0, Some(stickslip_core::law::State::Slip([-1.0, 0.0])), "{scheme}");
        assert_eq!(run.stuck()[2], 0.0, "{scheme}");
    }
}
