//! Measures of rides: what counts as a lock.

use stickslip_models::MODELS;
use stickslip_run::measure;
use stickslip_scenario::Override;

/// Measures of a quarter of a car, with these values changed.
fn measures(changes: &[&str]) -> stickslip_run::Measures {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    measure(&MODELS.builtin("ten-stops-hot-brake", &changes).expect("it can be read")).expect("it runs")
}

/// A motor turns the wheel round against its brake: a step finds it at rest, for that one step.
#[test]
fn a_wheel_that_passes_through_rest_is_not_locked() {
    for scheme in ["implicit-euler", "events"] {
        let found = measures(&[
            "road.friction=0.05",
            "wheel.wheel.brake=900",
            "wheel.wheel.motor=1000",
            "initial.speed=10",
            "run.duration=0.5",
            "run.step=1e-3",
            &format!("run.scheme={scheme}"),
        ]);
        assert_eq!((found.value("lock_time"), found.value("first_lock")), (Some(0.0), None), "{scheme}");
        assert!(found.value("spin_time").is_some_and(|t| t > 0.3), "{scheme}");
    }
}

/// Without friction nothing turns a wheel again: it stands when its brake has let go, but is not locked any more.
#[test]
fn a_wheel_on_ice_is_locked_while_its_brake_holds_it() {
    // J v0/(α/R) = 13.33 kg · 10 m/s/3000 N.
    let stands = 1.2 / 0.09 * 10.0 / 3000.0;
    for (scheme, near) in [("implicit-euler", 2.5e-3), ("events", 1e-9)] {
        let found = measures(&[
            "road.friction=0",
            "wheel.wheel.brake={ points = [[0, 900], [0.5, 900], [0.5, 0]] }",
            "wheel.wheel.motor=0",
            "initial.speed=10",
            "run.duration=2",
            "run.step=1e-3",
            &format!("run.scheme={scheme}"),
        ]);
        let [locked, first] = ["lock_time", "first_lock"].map(|name| found.value(name).expect("it locks"));
        assert!((first - stands).abs() < near, "{scheme}: {first} {stands}");
        assert!((locked - (0.5 - stands)).abs() < near, "{scheme}: {locked}");
    }
}

/// Scenario of a quarter of a car on one tyre, by events, with these lines of the wheel and the road.
fn on_a_tyre(wheel: &str, road: &str, form: &str, run: &str) -> stickslip_run::Scenario {
    let text = format!(
        "model = \"vehicle\"\n[vehicle]\nmass = 400\n[road]\n{road}\n[[wheel]]\nname = \"w\"\nradius = 0.3\ninertia = 1.2\n\
         load = 1\n{wheel}\n[wheel.tyre]\nform = \"{form}\"\nnominal_load = 3924\nstiffness = 358000\n\
         coefficients = {{ pcx1 = 1.6, pdx1 = 1.0, pkx1 = 22, pex1 = 0 }}\n[run]\nscheme = \"events\"\n{run}\n"
    );
    MODELS.parse("test", &text, ".", &[]).expect("it can be read")
}

fn near(found: &stickslip_run::Measures, name: &str, value: f64) {
    let is = found.value(name);
    assert!(is.is_some_and(|is| (is - value).abs() < 2e-3), "{name}: {is:?} {value}");
}

/// The speed is zero when it sets off, too: that is no stop, least of all one before its brake.
#[test]
fn a_stop_on_tyres_comes_after_its_brake() {
    let wheel = "drive = { points = [[0, 0], [1, 0], [1.2, 400], [3, 400], [3.1, 0]] }\n\
                 brake = { points = [[0, 300], [0.5, 300], [0.5, 0], [4, 0], [4.1, 900]] }";
    for step in [1.0, 8.0] {
        let run = format!("duration = 8\nstep = {step}\n[initial]\nspeed = 0");
        let found = measure(&on_a_tyre(wheel, "friction = 1\nrolling = 0.01", "steady", &run)).expect("it runs");
        near(&found, "stopping_time", 0.866);
        near(&found, "stopping_distance", 2.749);
        near(&found, "stopping_time_from_start", 4.866);
    }
}

/// Swings on treads, setting off forward and backward; rows do not matter.
#[test]
fn every_stop_on_tyres_is_found_however_rare_rows_are() {
    let wheel = "drive = { points = [[0, 0], [5, 0], [5.2, 300], [9, 300], [9.2, 0], [15, 0], [15.2, -300], [19, -300], \
                 [19.2, 0]] }\nbrake = { points = [[0, 900], [4.9, 900], [5, 0], [10, 0], [10.3, 1000], [14.9, 1000], \
                 [15, 0], [20, 0], [20.2, 800]] }";
    for step in [0.1, 26.0] {
        let run = format!("duration = 26\nstep = {step}\n[initial]\nspeed = 20");
        let scenario = on_a_tyre(wheel, "friction = 1\nrolling = 0.01", "deflection", &run);
        let found = measure(&scenario).expect("it runs");
        assert_eq!(found.value("stops"), Some(3.0), "{step}");
        near(&found, "stopping_time", 2.720);
        near(&found, "longest_stopping_distance", 27.237);
    }
}

#[test]
fn every_stop_is_found_however_rare_rows_are() {
    for step in ["run.step=60", "run.step=1"] {
        let found = measures(&[step]);
        assert_eq!(found.value("stops"), Some(10.0), "{step}");
        near(&found, "longest_stopping_distance", 135.2445);
    }
}

/// A parked vehicle slides while there is ice, locked, and needs no row to know it.
#[test]
fn on_steady_tyres_a_parked_vehicle_that_slides_is_locked() {
    let road = |rolling: f64| {
        let ice = "friction = { points = [[0, 1], [1, 1], [1, 0.1], [2, 0.1], [2, 1]] }";
        format!("{ice}\nrolling = {rolling}\nslope = \"10 deg\"")
    };
    for (step, rolling, slides) in
        [(1.0, 0.01, 1.20853), (6.0, 0.01, 1.20853), (0.1, 0.01, 1.20853), (1.0, 0.0, 1.23264)]
    {
        let run = format!("duration = 6\nstep = {step}\n[initial]\nspeed = 0");
        let found = measure(&on_a_tyre("brake = 3000", &road(rolling), "steady", &run)).expect("it runs");
        near(&found, "lock_time", slides);
        near(&found, "first_lock", 1.0);
        near(&found, "stopping_time", slides);
        near(&found, "stopping_time_from_start", 1.0 + slides);
    }
}

/// From event to event a tyre in its steady form rests exactly, without rolling resistance as well.
#[test]
fn only_what_never_rests_is_said_never_to_rest() {
    let doubts = |form: &str, scheme| {
        let run = "duration = 1\nstep = 0.01\n[initial]\nspeed = 2";
        let scenario = on_a_tyre("brake = 900", "friction = 1\nslope = 0.1", form, run);
        let mut run = scenario.model.in_time().expect("in time").simulation(scheme, 0.01).expect("it starts");
        run.advance_to(1.0).expect("it runs");
        run.doubts().iter().any(|words| words.contains("never comes to rest"))
    };
    use stickslip_scenario::Scheme::{Events, ImplicitEuler};
    assert!(!doubts("steady", Events));
    assert!(doubts("steady", ImplicitEuler) && doubts("deflection", Events));
}
