//! Roads that change with the place, rolling resistance and drag: against closed forms, first order in the step.

use stickslip_core::mechanics::{System, SystemError};
use stickslip_core::record::Record;
use stickslip_core::scheme::{ByEvents, Grid, NullObserver, Recording, RunError, events, implicit_euler};
use stickslip_core::signal::{Expression, Points, Signal};
use stickslip_models::vehicle::road::{Patch, Place, Profile, Road, Side};
use stickslip_models::vehicle::{Parameters, Start, Vehicle, VehicleError, VehicleState, WheelData};

const MASS: f64 = 1200.0;
const GRAVITY: f64 = 9.81;
/// J = I/R² of each wheel.
const J: f64 = 1.2 / 0.09;

fn wheel(name: &str, share: f64, brake: f64, ahead: f64, side: Side) -> WheelData {
    WheelData {
        name: name.into(),
        share,
        brake: Signal::Constant(brake),
        place: Place { ahead, side },
        ..WheelData::default()
    }
}

/// Front axle 1.4 m ahead, rear axle 1.2 m behind.
fn four(brake: f64) -> Vec<WheelData> {
    vec![
        wheel("front left", 0.3, brake, 1.4, Side::Left),
        wheel("front right", 0.3, brake, 1.4, Side::Right),
        wheel("rear left", 0.2, brake, -1.2, Side::Left),
        wheel("rear right", 0.2, brake, -1.2, Side::Right),
    ]
}

fn parameters(wheels: Vec<WheelData>, road: Road, x1: f64) -> Parameters {
    let start = Start { x1, ..Start::default() };
    Parameters { mass: MASS, gravity: GRAVITY, wheels, road, start, ..Parameters::default() }
}

fn vehicle(parameters: Parameters) -> Vehicle {
    Vehicle::new(parameters).expect("valid")
}

fn end(vehicle: &Vehicle, duration: f64, steps: u64) -> VehicleState {
    implicit_euler(vehicle, Grid { h: duration / steps as f64, steps }, &mut NullObserver).expect("runs").state
}

fn patch(from: f64, to: f64, side: Side, friction: f64) -> Patch {
    Patch { from, to, side, friction: Signal::Constant(friction) }
}

fn patches(patches: Vec<Patch>) -> Road {
    Road { patches, ..Road::default() }
}

/// log2 of the ratio of errors with the step and half the step.
fn order(errors: [f64; 2]) -> f64 {
    (errors[0] / errors[1]).log2()
}

#[test]
fn locked_wheels_slide_as_far_as_the_patches_under_each_let_them() {
    // ½ v0² = g Σ share_i ∫₀^X μ(x + ahead_i) dx with μ = 0.8, and 0.1 on the left of [5, 15) m.
    let road = || patches(vec![patch(5.0, 15.0, Side::Left, 0.1), patch(20.0, 21.0, Side::Both, 0.0)]);
    let mut p = parameters(four(1e6), road(), 16.0);
    p.start.v = Some(vec![0.0; 4]);
    let work = |x: f64| {
        let over = |from: f64, to: f64, ahead: f64| (x + ahead).min(to).max(from) - from.max(ahead);
        let wheel = |share: f64, ahead: f64, left: bool| {
            let lost = if left { 0.7 * over(5.0, 15.0, ahead) } else { 0.0 };
            share * (0.8 * x - lost - 0.8 * over(20.0, 21.0, ahead))
        };
        GRAVITY
            * [(0.3, 1.4), (0.2, -1.2)]
                .iter()
                .flat_map(|w| [wheel(w.0, w.1, true), wheel(w.0, w.1, false)])
                .sum::<f64>()
    };
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if work(middle) < 0.5 * 16.0 * 16.0 { low = middle } else { high = middle }
    }
    let car = vehicle(p);
    assert!(low > 21.0 && low < 30.0, "{low}");
    for steps in [10_000, 40_000] {
        let stopped = end(&car, 10.0, steps);
        assert_eq!((stopped.x1(), stopped.v()), (0.0, &[0.0; 4][..]));
        // A step moves by v h at the most; each of the eight breaks is met that late, and the stop itself.
        let h = 10.0 / steps as f64;
        assert!((stopped.x() - low).abs() <= 9.0 * 16.0 * h, "{} {low}", stopped.x());
    }
}

#[test]
fn an_axle_on_both_sides_has_the_mean_of_their_friction() {
    // Locked and sliding: deceleration g (½ 0.8 + ½ 0.1) on a split road, as with two wheels.
    let one = vec![wheel("axle", 1.0, 1e6, 0.0, Side::Both)];
    let two = vec![wheel("left", 0.5, 1e6, 0.0, Side::Left), wheel("right", 0.5, 1e6, 0.0, Side::Right)];
    let speed = |wheels: Vec<WheelData>| {
        let still = vec![0.0; wheels.len()];
        let mut p = parameters(wheels, patches(vec![patch(-1e3, 1e3, Side::Right, 0.1)]), 20.0);
        p.start.v = Some(still);
        end(&vehicle(p), 1.0, 1000).x1()
    };
    let expected = 20.0 - GRAVITY * 0.45;
    // Sums of 1000 rounded changes.
    let slack = 1000.0 * f64::EPSILON * 20.0;
    assert!((speed(one) - expected).abs() <= slack);
    assert!((speed(two) - expected).abs() <= slack);
}

#[test]
fn friction_of_a_patch_may_change_with_time() {
    // Ice that melts: μ = 0.1 + 0.1 t, taken at the end of each step.
    let times = vec![0.0, 4.0];
    let friction = Signal::Points(Points::new(times, vec![0.1, 0.5]).expect("sorted"));
    let road = patches(vec![Patch { from: -1e3, to: 1e3, side: Side::Both, friction }]);
    let mut p = parameters(four(1e6), road, 20.0);
    p.start.v = Some(vec![0.0; 4]);
    let car = vehicle(p);
    let h = 1e-3;
    let sum: f64 = (1..=2000).map(|n| 0.1 + 0.1 * h * f64::from(n)).sum();
    let slid = end(&car, 2.0, 2000);
    assert!((slid.x1() - (20.0 - GRAVITY * h * sum)).abs() <= 1e-11, "{}", slid.x1());
    assert_eq!(car.ground_bound(0, 2.0, 0.0), 0.3 * MASS * GRAVITY * car.parameters().road.patches[0].friction.at(2.0));
}

#[test]
fn a_free_car_trades_speed_for_height_over_a_profile() {
    // Level to 10 m, bending up to 0.1 rad at 30 m, 0.1 rad to 50 m, then a jump to −0.05 rad.
    let places = vec![10.0, 30.0, 50.0, 50.0];
    let points = Points::new(places, vec![0.0, 0.1, 0.1, -0.05]).expect("sorted");
    let road = Road { profile: Some(Profile::new(points)), ..Road::default() };
    let car = vehicle(parameters(four(0.0), road, 20.0));
    // ∫ sin θ dx with θ = k (x − 10), k = 0.1/20, is (1 − cos θ)/k.
    let height = |x: f64| {
        let bend = (1.0 - (0.005 * (x.clamp(10.0, 30.0) - 10.0)).cos()) / 0.005;
        bend + 0.1_f64.sin() * (x.clamp(30.0, 50.0) - 30.0) - 0.05_f64.sin() * (x.max(50.0) - 50.0)
    };
    let inertia = MASS + 4.0 * J;
    let error = |duration: f64, steps: u64| {
        let state = end(&car, duration, steps);
        assert_eq!(state.v(), [-state.x1(); 4]);
        // Gravity's work is what the run says, and the speed follows from the height, both at first order.
        let expected = (400.0 - 2.0 * MASS * GRAVITY * height(state.x()) / inertia).sqrt();
        assert!((state.gravity_work() / (-MASS * GRAVITY * height(state.x())) - 1.0).abs() < 0.01);
        (state.x(), state.x1() - expected)
    };
    let errors = [2000, 4000].map(|steps| error(2.4, steps).1);
    assert!((order(errors) - 1.0).abs() < 0.1, "{errors:?}");
    // The jump is met up to one step late: h g (sin 0.1 + sin 0.05), besides the error of the bend before it.
    for steps in [4000, 8000] {
        let h = 4.0 / steps as f64;
        let (x, found) = error(4.0, steps);
        assert!(x > 60.0 && found.abs() <= h * GRAVITY * (0.1 + 0.05) + 2.0 * errors[0].abs(), "{x} {found}");
    }
    assert_eq!(
        (car.stretch(5.0), car.stretch(12.0), car.stretch(60.0)),
        ((f64::NEG_INFINITY, 10.0), (10.0, 30.0), (50.0, f64::INFINITY))
    );
    assert_eq!((car.slope(0.0, 40.0), car.slope(0.0, 50.0)), (0.1, -0.05));
}

#[test]
fn on_a_profile_rest_is_exact_where_friction_holds() {
    // 10° everywhere, as a profile: the same as a slope of time, bit by bit at rest.
    let steep = |angle: f64| {
        let points = Points::new(vec![0.0], vec![angle]).expect("a point");
        vehicle(parameters(four(1e5), Road { profile: Some(Profile::new(points)), ..Road::default() }, 0.0))
    };
    let hold = end(&steep(10_f64.to_radians()), 60.0, 6000);
    assert_eq!((hold.x(), hold.x1(), hold.v()), (0.0, 0.0, &[0.0; 4][..]));
    let slope = (0.8 * 1.000_001_f64).atan();
    let slide = end(&steep(slope), 60.0, 6000);
    let expected = -60.0 * GRAVITY * (slope.sin() - 0.8 * slope.cos());
    assert!((slide.x1() / expected - 1.0).abs() < 1e-8, "{} {expected}", slide.x1());
}

#[test]
fn rolling_resistance_stops_and_holds_exactly() {
    let coasting = |rolling: f64, slope: f64, x1: f64| {
        let road = Road { rolling, ..Road::default() };
        vehicle(Parameters { slope: Signal::Constant(slope), ..parameters(four(0.0), road, x1) })
    };
    // (m + ΣJ) x1' = −c m g: stops after v0 (m + ΣJ)/(c m g).
    let deceleration = 0.012 * MASS * GRAVITY / (MASS + 4.0 * J);
    let stop = 2.0 / deceleration;
    let (before, after) = ((stop / 0.01).floor() as u64, (stop / 0.01).ceil() as u64);
    let moving = end(&coasting(0.012, 0.0, 2.0), before as f64 * 0.01, before);
    let rest = (stop - before as f64 * 0.01) * deceleration;
    assert!(moving.x1() > 0.0 && (moving.x1() - rest).abs() <= 1e-11, "{} {rest}", moving.x1());
    let stopped = end(&coasting(0.012, 0.0, 2.0), after as f64 * 0.01, after);
    assert_eq!((stopped.x1(), stopped.v()), (0.0, &[0.0; 4][..]));
    // The closed form stops at that very instant, and both know the heat: all of the energy.
    let car = coasting(0.012, 0.0, 2.0);
    let mut seen = Recording::of_events();
    let exact = events(&car, Grid { h: 60.0, steps: 1 }, &Default::default(), &mut seen).expect("straight");
    assert_eq!(exact.state.x1(), 0.0);
    assert!(seen.events.iter().any(|e| (e.t - stop).abs() <= 1e-12 * stop), "{:?} {stop}", seen.events);
    assert!((exact.state.heat()[2] / (0.5 * (MASS + 4.0 * J) * 4.0) - 1.0).abs() < 1e-12);
    // Free wheels stand on a slope if and only if tan θ ≤ c.
    for direction in [1.0, -1.0] {
        let hold = end(&coasting(0.012, direction * (0.012 * 0.999_999_f64).atan(), 0.0), 60.0, 6000);
        assert_eq!((hold.x(), hold.x1()), (0.0, 0.0));
        let roll = end(&coasting(0.012, direction * (0.012 * 1.000_001_f64).atan(), 0.0), 60.0, 6000);
        assert!(roll.x1() * direction < 0.0);
    }
    // Beside a force, both count; on a profile the load is that of the slope.
    let points = Points::new(vec![0.0], vec![0.3]).expect("a point");
    let road = Road { rolling: 0.012, profile: Some(Profile::new(points)), ..Road::default() };
    let both = vehicle(Parameters { resistance: 50.0, ..parameters(four(0.0), road, 0.0) });
    assert_eq!(both.resistance(0.0, 0.0), 50.0 + 0.012 * MASS * GRAVITY * 0.3_f64.cos());
    let rolled = end(&both, 1.0, 1000);
    let expected = -(MASS * GRAVITY * 0.3_f64.sin() - both.resistance(0.0, 0.0)) / (MASS + 4.0 * J);
    assert!((rolled.x1() - expected).abs() <= 1e-12, "{} {expected}", rolled.x1());
}

#[test]
fn drag_has_its_closed_forms_at_first_order() {
    let inertia = MASS + 4.0 * J;
    let c = 0.5;
    let coasting = |slope: f64, rolling: f64, x1: f64| {
        let road = Road { rolling, ..Road::default() };
        vehicle(Parameters { slope: Signal::Constant(slope), drag: c, ..parameters(four(0.0), road, x1) })
    };
    // Coasting on the level with rolling resistance: v = v_t tan(atan(v0/v_t) − a t/v_t), a = c_rr m g/(m + ΣJ),
    // v_t = √(c_rr m g/c).
    let force = 0.012 * MASS * GRAVITY;
    let (a, v_t) = (force / inertia, (force / c).sqrt());
    let exact = v_t * ((30.0 / v_t).atan() - a * 20.0 / v_t).tan();
    let errors = [2000, 4000].map(|steps| end(&coasting(0.0, 0.012, 30.0), 20.0, steps).x1() - exact);
    assert!((order(errors) - 1.0).abs() < 0.02 && errors[1].abs() < 0.01, "{errors:?}");
    // Downhill from rest: v = v_t tanh(a t/v_t), a = m g sin θ/(m + ΣJ), v_t = √(m g sin θ/c).
    let pull = MASS * GRAVITY * 0.05_f64.sin();
    let (a, v_t) = (pull / inertia, (pull / c).sqrt());
    let exact = v_t * (a * 60.0 / v_t).tanh();
    let errors = [2000, 4000].map(|steps| end(&coasting(-0.05, 0.0, 0.0), 60.0, steps).x1() - exact);
    assert!((order(errors) - 1.0).abs() < 0.02 && errors[1].abs() < 0.01, "{errors:?}");
}

fn rows(vehicle: &Vehicle, duration: f64, steps: u64) -> Vec<Vec<f64>> {
    let mut keep = Recording::every(1);
    implicit_euler(vehicle, Grid { h: duration / steps as f64, steps }, &mut keep).expect("runs");
    let row = |(t, state): &(f64, VehicleState)| {
        let mut row = vec![0.0; vehicle.columns().len()];
        vehicle.row(*t, state, &mut row);
        row
    };
    keep.samples.iter().map(row).collect()
}

/// Four wheels over ice on one side, braked by signals, on a slope.
fn over_ice(mirror: f64) -> Vehicle {
    let mut wheels = four(0.0);
    for (k, wheel) in wheels.iter_mut().enumerate() {
        let most = if k < 2 { 1500.0 } else { 500.0 };
        wheel.brake = Signal::trapezoid([0.3, 0.5, 1.5, 1.7], most).expect("sorted");
        wheel.motor = Signal::trapezoid([2.0, 2.2, 3.0, 3.2], -900.0 * mirror).expect("sorted");
        wheel.place.ahead *= mirror;
    }
    let ends = |a: f64, b: f64| if mirror > 0.0 { (a, b) } else { (-b, -a) };
    let ice = |(from, to), side| patch(from, to, side, 0.1);
    let road = patches(vec![ice(ends(8.0, 19.0), Side::Right), ice(ends(30.0, 48.0), Side::Left)]);
    vehicle(Parameters {
        slope: Signal::Constant(-0.02 * mirror),
        drag: 0.4,
        resistance: 120.0,
        ..parameters(wheels, road, 20.0 * mirror)
    })
}

#[test]
fn mirrored_roads_give_mirrored_runs_bit_by_bit() {
    let (a, b) = (over_ice(1.0), over_ice(-1.0));
    let (a, b) = (rows(&a, 4.0, 4000), rows(&b, 4.0, 4000));
    // t, x1, x; v, f, g, eps_G, eps_B, use, slip of each wheel; r, slope; energies.
    for (a, b) in a.iter().zip(&b) {
        for k in 1..33 {
            let sign = if (3..31).contains(&k) && (k - 3) % 7 >= 5 { 1.0 } else { -1.0 };
            assert_eq!(a[k], sign * b[k], "column {k} at t = {}", a[0]);
        }
        assert_eq!(a[33..], b[33..]);
    }
    // The ice was met: right wheels lock on it, and use all of their friction.
    assert!(a.iter().any(|row| row[3 + 7] == 0.0 && row[1] > 5.0 && row[3 + 7 + 5] == 1.0));
}

#[test]
fn a_patch_that_nobody_meets_changes_no_bit() {
    let far = |road: Road| {
        let p = over_ice(1.0).parameters().clone();
        vehicle(Parameters { road, ..p })
    };
    let (plain, patched) = (far(Road::default()), far(patches(vec![patch(1e6, 2e6, Side::Both, 0.1)])));
    assert_eq!(rows(&plain, 4.0, 4000), rows(&patched, 4.0, 4000));
    // Nor does a road of one friction that is given by a patch on it.
    let covered = far(patches(vec![patch(-1e6, 1e6, Side::Both, 0.8)]));
    assert_eq!(rows(&plain, 4.0, 4000), rows(&covered, 4.0, 4000));
}

#[test]
fn a_profile_of_one_angle_is_that_slope_bit_by_bit() {
    // Signals break several times on the way: the lists are filled anew, and tilted anew.
    let mut by_time = over_ice(1.0).parameters().clone();
    by_time.road = Road { rolling: 0.01, ..Road::default() };
    let points = Points::new(vec![0.0], vec![-0.3]).expect("a point");
    let by_place = Parameters {
        road: Road { profile: Some(Profile::new(points)), ..by_time.road.clone() },
        slope: Signal::ZERO,
        ..by_time.clone()
    };
    by_time.slope = Signal::Constant(-0.3);
    assert_eq!(rows(&vehicle(by_time), 4.0, 4000), rows(&vehicle(by_place), 4.0, 4000));
}

#[test]
fn forces_are_called_not_unique_only_where_a_step_left_them_open() {
    let moving = over_ice(1.0);
    let state = end(&moving, 4.0, 4000);
    assert_eq!(state.undetermined(), Some(0));
    assert!(moving.uniqueness_so_far(&state).forces && !moving.uniqueness().forces);
    let parked = vehicle(parameters(four(1e5), Road::default(), 0.0));
    let state = end(&parked, 1.0, 100);
    assert_eq!(state.undetermined(), Some(100));
    assert!(!parked.uniqueness_so_far(&state).forces);
    // One locked axle alone holds the car: nothing is open. The closed form does not count, and says what may be.
    let mut wheels = four(0.0);
    wheels[2].brake = Signal::Constant(1e5);
    let p = parameters(wheels, Road::default(), 0.0);
    let one = vehicle(Parameters { slope: Signal::Constant(0.05), ..p });
    let state = end(&one, 1.0, 100);
    assert!(state.x1() == 0.0 && one.uniqueness_so_far(&state).forces);
    let exact =
        events(&one, Grid { h: 1.0, steps: 1 }, &Default::default(), &mut NullObserver).expect("straight").state;
    let said = one.uniqueness_so_far(&exact);
    assert!(exact.undetermined().is_none() && !said.forces && said.reason.contains("least norm"), "{said:?}");
}

#[test]
fn friction_used_is_the_share_of_the_bound() {
    let slope = 10_f64.to_radians();
    let mut wheels = four(0.0);
    wheels[2].brake = Signal::Constant(1e5);
    wheels[3].brake = Signal::Constant(1e5);
    let car = vehicle(Parameters { slope: Signal::Constant(slope), ..parameters(wheels, Road::default(), 0.0) });
    // The rear axle holds all of the pull with 0.4 of the load: tan θ/(0.8 · 0.4).
    let expected = slope.tan() / 0.32;
    let state = end(&car, 1.0, 100);
    let exact =
        events(&car, Grid { h: 1.0, steps: 1 }, &Default::default(), &mut NullObserver).expect("straight").state;
    for state in [&state, &exact] {
        for (wheel, share) in [0.0, 0.0, expected, expected].into_iter().enumerate() {
            assert!((car.friction_used(wheel, 1.0, state) - share).abs() <= 1e-14);
        }
    }
    let row = rows(&car, 1.0, 100).pop().expect("rows");
    let used: Vec<f64> = car.grips().iter().map(|grip| row[grip.column]).collect();
    assert_eq!(used, [0, 1, 2, 3].map(|i| car.friction_used(i, 1.0, &state)));
    assert_eq!(car.columns()[car.grips()[3].column].name, "use_rear_right");
    let locked = car.use_of_locked_wheels(1.0, &state).expect("a slope");
    assert!((locked - slope.tan() / 0.8).abs() <= 1e-15);
    let level = vehicle(parameters(four(0.0), Road::default(), 0.0));
    assert_eq!(level.use_of_locked_wheels(0.0, &level.start()), None);
}

#[test]
fn roads_that_cannot_be_are_refused() {
    let refused = |road: Road| Vehicle::new(parameters(four(0.0), road, 0.0)).expect_err("bad");
    let profile = |angle: f64| Some(Profile::new(Points::new(vec![3.0], vec![angle]).expect("a point")));
    let overlap = patches(vec![patch(0.0, 2.0, Side::Left, 0.1), patch(1.0, 3.0, Side::Both, 0.2)]);
    assert_eq!(refused(overlap), VehicleError::Overlap { from: 1.0, to: 2.0 });
    assert!(refused(patches(vec![patch(2.0, 2.0, Side::Left, 0.1)])).to_string().contains("end of a road patch = 2"));
    assert!(refused(patches(vec![patch(f64::NAN, 2.0, Side::Left, 0.1)])).to_string().contains("beginning"));
    assert!(refused(patches(vec![patch(0.0, 2.0, Side::Left, -0.1)])).to_string().contains("negative"));
    assert!(refused(Road { rolling: -0.01, ..Road::default() }).to_string().contains("rolling resistance = -0.01"));
    assert!(refused(Road { profile: profile(1.6), ..Road::default() }).to_string().contains("x = 3 m"));
    let p = parameters(four(0.0), Road { profile: profile(0.1), ..Road::default() }, 0.0);
    assert_eq!(Vehicle::new(Parameters { slope: Signal::Constant(0.1), ..p }).err(), Some(VehicleError::TwoSlopes));
    // What turns bad on the way is found there; the closed form refuses what it cannot do.
    let friction = Signal::Expression(Box::new(Expression::new("0.1 - t").expect("a formula")));
    let road = patches(vec![Patch { from: 1e3, to: 2e3, side: Side::Both, friction }]);
    let car = vehicle(parameters(four(0.0), road, 0.0));
    let failed = implicit_euler(&car, Grid::cover(1.0, 1e-3), &mut NullObserver).expect_err("negative").to_string();
    assert!(failed.contains("friction of a road patch") && failed.contains("negative"), "{failed}");
    let closed = events(&over_ice(1.0), Grid { h: 1.0, steps: 1 }, &Default::default(), &mut NullObserver);
    assert!(matches!(closed, Err(RunError::System(SystemError::NotAffine { .. }))));
}

#[test]
fn a_dip_is_swung_through_as_often_as_one_likes() {
    // −α for x < 0, +α for x > 0: each half of a swing takes 2 v0/a, a = m g sin α/(m + J), and leads v0²/(2a) away.
    let alpha: f64 = 0.1;
    let places = vec![-100.0, 0.0, 0.0, 100.0];
    let profile = Points::new(places, vec![-alpha, -alpha, alpha, alpha]).expect("rising");
    let road = Road { profile: Some(Profile::new(profile)), ..Road::default() };
    let a = MASS * GRAVITY * alpha.sin() / (MASS + J);
    for v0 in [0.5_f64, -0.02] {
        let dip = vehicle(parameters(vec![wheel("a", 1.0, 0.0, 0.0, Side::Both)], road.clone(), v0));
        let swings = 60;
        let mut seen = Recording::every(1);
        dip.by_events(Grid { h: v0.abs() / a, steps: 2 * swings }, &Default::default(), &mut seen).expect("runs");
        for n in 0..swings as usize {
            let (_, state) = &seen.samples[2 * n];
            let sign = if n % 2 == 0 { v0.signum() } else { -v0.signum() };
            let away = sign * 0.5 * v0 * v0 / a;
            assert!((state.x() - away).abs() < 1e-9 * away.abs(), "swing {n}: {} for {away}", state.x());
        }
    }
}

#[test]
fn many_patches_are_seen_one_by_one() {
    // A locked wheel: ½ v0² = g ∫ μ dx, μ = 0.1 on the first half of each half metre from 0 on, and 0.8 else. A long step sees the stop and
    // nothing of the patches before it.
    for count in [6, 20, 40_u32] {
        let each = (0..count).map(|i| patch(0.5 * f64::from(i), 0.5 * f64::from(i) + 0.25, Side::Both, 0.1));
        let mut p = parameters(vec![wheel("a", 1.0, 1e6, 0.0, Side::Both)], patches(each.collect()), 12.0);
        p.start.v = Some(vec![0.0]);
        p.start.x = -0.5;
        let lost = |x: f64| -> f64 { (0..count).map(|i| (x - 0.5 * f64::from(i)).clamp(0.0, 0.25)).sum() };
        let left = |x: f64| 0.5 * 12.0 * 12.0 - GRAVITY * (0.8 * (x + 0.5) - 0.7 * lost(x));
        let (mut low, mut high) = (0.0, 100.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if left(middle) > 0.0 { low = middle } else { high = middle }
        }
        let grid = Grid { h: 0.01, steps: 600 };
        let run = vehicle(p).by_events(grid, &Default::default(), &mut NullObserver).expect("runs");
        let stopped = run.state.x();
        assert!((stopped - low).abs() < 1e-10, "{count} patches: {stopped} for {low}");
    }
}

#[test]
fn a_staircase_of_slopes_gives_back_all_that_it_took() {
    // Up and down every metre, level after eighteen of them: as fast as before. A wheel that rolls has no friction.
    let (angle, speed) = (0.05, 8.0);
    let places = (0..=18).flat_map(|k| [f64::from(k); 2]).skip(1).collect();
    let mut angles: Vec<f64> = (0..18).flat_map(|k| [if k % 2 == 0 { angle } else { -angle }; 2]).collect();
    angles.push(0.0);
    let road = Road { profile: Some(Profile::new(Points::new(places, angles).expect("rising"))), ..Road::default() };
    let rolling = vehicle(parameters(vec![wheel("a", 1.0, 0.0, 0.0, Side::Both)], road, speed));
    let grid = Grid { h: 0.5, steps: 12 };
    let state = rolling.by_events(grid, &Default::default(), &mut NullObserver).expect("runs").state;
    assert!((state.x1() - speed).abs() < 1e-11 && state.x() > 18.0, "{} {}", state.x1(), state.x());
}
