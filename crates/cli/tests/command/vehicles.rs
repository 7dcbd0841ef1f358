//! Wheels and vehicles: friction over slip, parking, ice, trains.

use std::fs;

use serde_json::Value;

use crate::{stdout, stickslip, summary};

#[test]
fn friction_that_falls_with_slip_makes_a_locked_wheel_slide_further() {
    let folder = tempfile::tempdir().expect("a folder");
    // Locked from 20 m/s: v²/(2 μ_k g) with μ_k = 0.6 of 0.8, by a brake that is stronger than the ground.
    let arguments =
        ["run", "wheel-sport-braking", "--set", "run.scheme=events", "--set", "run.duration=8", "--out", "x"];
    let more = ["--set", "brake.torque=5000", "--set", "initial.wheel_speed=0"];
    let law = ["--set", "ground.over_slip={ static = 1, kinetic = 0.75 }"];
    stdout(stickslip(folder.path()).args(arguments).args(more).args(law));
    let found = summary(&folder.path().join("x"));
    let x = found.pointer("/end/x").and_then(Value::as_f64).expect("a number");
    assert!((x - 400.0 / (2.0 * 0.6 * 9.81)).abs() < 1e-8, "{x}");
    assert_eq!(found.pointer("/end/x1").and_then(Value::as_f64), Some(0.0));
    let car = ["run", "car-four-wheels-braking", "--set", "road.over_slip={ static = 1, kinetic = 0.8, speed = 0.5 }"];
    stdout(stickslip(folder.path()).args(car).args(["--out", "c"]));
    // The front wheels lock for more than a second; the left one, with 0.3 of the load and μ = 0.8, then brakes by a fifth
    // less: 0.3 · 0.8 · 0.2 g · 1 s = 0.47 m/s that the car is faster than without that (12.278 m/s).
    let speed = summary(&folder.path().join("c")).pointer("/end/x1").and_then(Value::as_f64).expect("a number");
    assert!(speed > 12.278 + 0.4 && speed < 12.278 + 1.5, "{speed}");
}

#[test]
fn a_parked_car_tells_its_margin_and_what_smoothing_would_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "park-on-slope", "--out", "x"]));
    assert!(text.contains("rear 55.1 % (most 55.1 %)"), "{text}");
    assert!(
        text.contains("least stick margin 44.9 %   all wheels together, locked, would use tan θ/μ = 22.04 %"),
        "{text}"
    );
    assert!(text.contains("tanh    with μN tanh(slip/0.001 m/s) instead it moves -2.231"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["end"]["x"].as_f64(), s["extremes"]["x"]["min"].as_f64()), (Some(0.0), Some(0.0)));
    let (slope, number) = (10_f64.to_radians(), |value: &Value| value.as_f64().expect("a number"));
    let used = slope.tan() / (0.8 * 0.4);
    assert!((number(&s["friction_used"]["rear"]["max"]) - used).abs() < 1e-14);
    assert!((number(&s["friction_used"]["rear"]["margin"]) - (1.0 - used)).abs() < 1e-14);
    assert_eq!(number(&s["friction_used"]["front"]["max"]), 0.0);
    assert!((number(&s["locked_wheels_use"]) - slope.tan() / 0.8).abs() < 1e-14);
    // One axle holds the car: the forces are unique in every step.
    assert_eq!(s["uniqueness"]["forces"], "unique");
    let creep = -1e-3 * used.atanh();
    assert!((number(&s["contrast"]["creep"]) / creep - 1.0).abs() < 1e-12);
    assert!((number(&s["contrast"]["x1"]) / creep - 1.0).abs() < 1e-9);
    assert!((number(&s["contrast"]["distance"]) / (3600.0 * creep) - 1.0).abs() < 1e-4);
    assert!(
        fs::read_to_string(folder.path().join("x/figures/contrast.svg")).expect("drawn").contains("smoothed friction")
    );
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("Beside a smoothed law") && page.contains("Friction used"));
}

/// Torques that change are told in newtons at the rim, and when.
#[test]
fn explain_tells_between_what_torques_lie() {
    let folder = tempfile::tempdir().expect("a folder");
    // 1035.936 N m over 0.3 m, forward.
    let text = stdout(stickslip(folder.path()).args(["explain", "wheel-sport-drive"]));
    assert!(text.contains("M/R = -3453.12 to 0 N (4 points from t = 0.5 to 2.4 s)"), "{text}");
    // And the road where it is no plain one.
    let text = stdout(stickslip(folder.path()).args(["explain", "park-on-slope"]));
    assert!(text.contains("slope(t) = 0.174533 rad, uphill"), "{text}");
    let text = stdout(stickslip(folder.path()).args(["explain", "drive-off-on-ice"]));
    assert!(text.contains("patch of the road, ") && text.contains(" m: friction 0.1"), "{text}");
    let hill = "road.profile=[[0, 0], [\"30 m\", \"6 deg\"]]";
    let text = stdout(stickslip(folder.path()).args(["explain", "drive-off-on-ice", "--set", hill]));
    assert!(text.contains("slope by place, in deg: 0 at 0 m, 6 at 30 m; straight in between"), "{text}");
}

#[test]
fn forces_are_not_unique_where_several_wheels_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let all =
        ["run", "park-on-slope", "--out", "x", "--set", "wheel.front.brake=1500 N m", "--set", "run.duration=10 s"];
    stdout(stickslip(folder.path()).args(all));
    assert_eq!(summary(&folder.path().join("x"))["uniqueness"]["forces"], "not unique");
    stdout(stickslip(folder.path()).args(["run", "car-four-wheels-braking", "--out", "y"]));
    assert_eq!(summary(&folder.path().join("y"))["uniqueness"]["forces"], "unique");
}

#[test]
fn on_ice_one_wheel_spins_and_grips_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "drive-off-on-ice", "--out", "x"]));
    assert!(text.contains("cost ") && text.contains("for each of 4 wheels"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!(s["friction_used"]["front right"]["max"], 1.0);
    assert!(s["friction_used"]["front left"]["max"].as_f64().expect("a number") < 0.2);
    // It spins far beyond the speed of the car, and rolls to the last bit at the end.
    assert!(s["extremes"]["v_front_right"]["min"].as_f64().expect("a number") < -15.0);
    assert_eq!(s["end"]["v_front_right"].as_f64(), s["end"]["x1"].as_f64().map(|x1| -x1));
    // It leaves the ice when the car is at 6 m − 1.3 m, and grips a fraction of a second later.
    let table = fs::read_to_string(folder.path().join("x/trajectory.csv")).expect("written");
    let x_at = |t: f64| -> f64 {
        let row = table.lines().skip(1).find(|l| l.split(',').next().and_then(|c| c.parse().ok()) >= Some(t));
        row.and_then(|l| l.split(',').nth(2)).and_then(|c| c.parse().ok()).expect("a place")
    };
    let events = fs::read_to_string(folder.path().join("x/events.csv")).expect("written");
    let grips: f64 =
        events.lines().last().and_then(|l| l.split(',').next()).expect("a time").parse().expect("a number");
    assert!(x_at(grips) > 4.7 && x_at(grips - 0.5) < 4.7, "{} {}", x_at(grips), x_at(grips - 0.5));
    // From event to event the edges of the ice are met where they are: the end that steps tend to, and a closed ledger.
    stdout(stickslip(folder.path()).args(["run", "drive-off-on-ice", "--out", "y", "--set", "run.scheme=events"]));
    let exact = summary(&folder.path().join("y"));
    assert_eq!(exact["handovers"].as_u64(), Some(0));
    assert!((exact["end"]["x1"].as_f64().expect("a number") - 4.79034).abs() < 1e-4, "{}", exact["end"]["x1"]);
    assert!(exact["energy"]["closure"].as_f64().expect("a number") <= 1e-11);
}

#[test]
fn a_train_of_200_wheels_tells_its_cost() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "road-train", "--out", "x"]));
    assert!(text.contains("for each of 200 wheels") && text.contains("more in summary.json"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert!(s.get("step_seconds").is_none(), "what the clock says is for the terminal");
    assert_eq!(s["friction_used"].as_object().map(|wheels| wheels.len()), Some(200));
    // Both sheets of ice were met by wheels of both ends: many events, all of them over.
    assert!(s["events"].as_u64().is_some_and(|n| n > 400), "{}", s["events"]);
    assert!(s["end"]["x"].as_f64().is_some_and(|x| x > 135.0), "{}", s["end"]["x"]);
}

/// Loads jump where wheels lock and when the car stops: both sides are written down.
#[test]
fn loads_are_told_on_both_sides_of_events() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "car-brake-ramp", "--out", "x"]));
    let text = std::fs::read_to_string(folder.path().join("x/loads-at-events.csv")).expect("written");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("t,N_front_before,N_rear_before,N_front_after,N_rear_after"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    // Front lock, rear lock (before it), all locked, and at rest; reference/loads, section of the ramp.
    let at = |t: f64| rows.iter().find(|row| (row[0] - t).abs() < 1e-6).unwrap_or_else(|| panic!("{t}: {rows:?}"));
    assert!((at(1.071_500_62)[1] - 8920.2446).abs() < 1e-3, "{rows:?}");
    assert!((at(1.347_762_24)[1] - 8590.1750).abs() < 1e-3, "{rows:?}");
    assert!((at(1.347_762_24)[3] - 8330.9538).abs() < 1e-3, "{rows:?}");
    let stop = at(4.187_705_96);
    assert!((stop[1] - 8330.9538).abs() < 1e-3 && (stop[3] - 6338.7692).abs() < 1e-3, "{stop:?}");
    assert!(rows.iter().all(|row| (row[1] + row[2] - 1200.0 * 9.81).abs() < 1e-6));
}

/// A brake that still holds when the next motion begins is not the brake that ends it; headers have units when asked for.
#[test]
fn stops_count_from_the_brake_that_comes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let brake = "wheel.wheel.brake={ points = [[0, 900], [15.2, 900], [15.4, 0], [30, 0], [30, 900]] }";
    for (scheme, near) in [("events", 1e-9), ("implicit-euler", 0.02)] {
        let scheme = format!("run.scheme={scheme}");
        let arguments = ["run", "ten-stops-hot-brake", "--force", "--out", "x", "--set", brake, "--set", &scheme];
        let more = ["--set", "run.duration=40", "--set", "run.step=0.01"];
        stdout(stickslip(folder.path()).args(arguments).args(more));
        let text = fs::read_to_string(folder.path().join("x/stops.csv")).expect("written");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("t_brake,t_stop,distance,time,mean_deceleration"));
        let rows: Vec<Vec<f64>> =
            lines.map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
        assert_eq!((rows.len(), rows[0][0]), (2, 0.0), "{rows:?}");
        assert!((rows[1][0] - 30.0).abs() < near, "{rows:?}");
        stdout(stickslip(folder.path()).args(arguments).args(more).arg("--units"));
        let text = fs::read_to_string(folder.path().join("x/stops.csv")).expect("written");
        assert!(text.starts_with("t_brake [s],t_stop [s],distance [m],time [s],mean_deceleration [m/s^2]\n"), "{text}");
    }
}

/// What a model does not describe any more ends a run: all that came before is written.
#[test]
fn a_motorcycle_that_falls_over_shows_how_it_came_to_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let brake = "front.brake={ points = [[0.1, 0], [0.3, 1000]] }";
    for scheme in ["run.scheme=events", "run.scheme=implicit-euler"] {
        let arguments = ["run", "motorcycle-stoppie", "--force", "--out", "x", "--set", brake, "--set", scheme];
        let text = stdout(stickslip(folder.path()).args(arguments));
        assert!(text.contains("WARNING") && text.contains("fell over its front wheel"), "{text}");
        assert!(text.contains("before its time"), "{text}");
        let s = summary(&folder.path().join("x"));
        assert!(
            s["warnings"][0]["text"].as_str().is_some_and(|words| words.contains("of the 2 s")),
            "{}",
            s["warnings"]
        );
        let rows = fs::read_to_string(folder.path().join("x/trajectory.csv")).expect("written");
        let last: Vec<f64> =
            rows.lines().last().expect("rows").split(',').map(|cell| cell.parse().expect("a number")).collect();
        // Column 4 is the pitch: all but upright.
        assert!(last[0] > 0.5 && last[0] < 2.0 && last[4] < -1.5, "{last:?}");
        assert!(folder.path().join("x/report.html").exists());
    }
}
