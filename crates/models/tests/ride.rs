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
