//! The command as a user meets it.

mod assemblies;
mod finite_elements;
mod pictures;
mod readme;
mod rolling;
mod stability;
mod terminal;
mod trust;
mod vehicles;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn stickslip(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("stickslip").expect("built");
    command.current_dir(folder).env("NO_COLOR", "1").env_remove("COLUMNS");
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).expect("written")).expect("JSON")
}

#[test]
fn without_arguments_it_brakes_hard_and_says_where_the_report_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(&mut stickslip(folder.path()));
    assert!(text.contains("wheel-sport-braking"));
    assert!(text.contains("t = 0.733      wheel locks") && text.contains("wheel rolls again"), "{text}");
    assert!(text.contains("report  out/wheel-sport-braking/report.html"), "{text}");
    let out = folder.path().join("out/wheel-sport-braking");
    let files = ["trajectory.csv", "trajectory.parquet", "events.csv", "summary.json", "report.html", "scenario.toml"];
    for file in files {
        assert!(out.join(file).metadata().expect(file).len() > 0);
    }
    for figure in ["time", "brake-law", "regions", "order"] {
        let svg = fs::read_to_string(out.join(format!("figures/{figure}.svg"))).expect(figure);
        assert!(svg.contains("<svg"));
    }
    // A second run does not touch the first.
    assert!(stdout(&mut stickslip(folder.path())).contains("out/wheel-sport-braking-2/report.html"));
}

/// Every scenario that is shipped, with one number of it.
#[test]
fn every_shipped_scenario_runs_to_its_known_end() {
    let known = [
        // Whatever slips, the motor's impulse goes into (m + I/R²) x1: 1.1 a_G · 1.6 s over 413.3 kg.
        ("wheel-sport-drive", "/end/x1", 1.1 * 3139.2 * 1.6 / (400.0 + 1.2 / 0.09), 0.01),
        ("wheel-sport-braking", "/end/x1", 6.076529, 0.01),
        ("wheel-smooth-ride", "/end/x1", 0.0, 0.0),
        ("car-two-wheels-braking", "/end/x1", 0.0, 0.0),
        // By the closed form; the step of 0.5 ms is good to 1e-3 at the end.
        // With steps of 5 µs; an edge met a step of 1 ms late costs (2825 − 353) N/m · 1 ms = 2 mm/s.
        ("drive-off-on-ice", "/end/x1", 4.79034, 2e-3),
        ("road-train", "/end/x1", 0.0, 0.0),
        ("car-four-wheels-braking", "/end/x1", 12.2776, 1e-3),
        // By events, against polynomials in 40 digits.
        ("car-brake-ramp", "/measures/stopping_distance", 68.112_971_538_837, 1e-8),
        ("car-brake-release", "/measures/stopping_time", 5.935_666_883_059_5, 1e-8),
        ("truck-three-axles", "/measures/stopping_distance", 35.055_729_035_657, 1e-8),
        // By events, against two other programs.
        ("motorcycle-stoppie", "/end/x", 30.378_157_274_2, 1e-8),
        ("motorcycle-stoppie-small", "/measures/landing_time", 0.512_769_644_83, 1e-8),
        ("motorcycle-wheelie", "/measures/greatest_pitch", 0.314_473_914_427, 1e-8),
        ("motorcycle-wheelie-spin", "/measures/landing_time", 0.820_632_424_268, 1e-8),
        ("half-car-braking", "/measures/first_lift", 0.241_961_566_7, 1e-9),
        // Against the matrix exponential of each piece (tests of `loads`).
        ("half-car-bump", "/measures/distance", 20.0, 1e-11),
        ("load-transfer-three-solutions", "/measures/landing_time", 0.087_976_300, 1e-8),
        // By events, against two separately written codes.
        ("tyre-braking", "/measures/stopping_distance", 61.282_012_63, 1e-7),
        ("tyre-park", "/measures/distance", -1.630_629_136e-3, 1e-9),
        ("anti-lock-tyre", "/end/cycles_abs", 27.0, 0.0),
        ("anti-lock-stribeck", "/measures/stopping_distance", 70.430_890_88, 1e-6),
        ("ten-stops-hot-brake", "/measures/distance", 5_209.716_057_932, 1e-6),
        ("hill-start", "/end/x1", 3.457, 2e-3),
        ("park-on-slope", "/end/x1", 0.0, 0.0),
        // The periodic orbit rolls for 29.33 % of the time, the irregular start for a little less.
        ("towed-wheel-p1", "/stuck_fraction/ground", 0.29, 0.02),
        // Chaotic, 0.2 per P: an error of 1e-13 grows to 1e-11 in 25 P, so that the share is determined.
        ("towed-wheel-p2", "/stuck_fraction/ground", 0.27459, 1e-4),
        ("towed-wheel-p3", "/stuck_fraction/ground", 1.0, 0.0),
        ("rail-wheel-braking", "/end/x1", 0.0, 0.0),
        // Chaotic: in the long run it is 26.0 %.
        ("towed-wheel-chaos", "/stuck_fraction/ground", 0.260, 5e-3),
        // Limit cycles of reference/squeal, by two other integrators, to 0.05 % of their frequency; the wheel to 0.1 %.
        ("squeal-one-mode", "/measures/frequency", 1_144.406_801, 0.57),
        ("squeal-pair", "/measures/frequency", 2012.708, 1.0),
        ("squeal-wheel", "/measures/frequency", 1156.1007, 1.15),
        // A limit cycle lies within a percent of the frequency of the mode that grows.
        ("squeal-fe-wheel", "/measures/frequency", 375.73, 3.7),
        // It answers with the frequency of the roughness.
        ("roughness-pass", "/measures/frequency", 2046.0, 0.5),
        // Steady sliding, k x = mu(0.3 m/s) N; a share of e^-10 of 0.55 mm is left after 4 s.
        ("belt-basins", "/end/x_block", (0.3 + 0.2 * (-3.0_f64).exp()) * 50.0 / 1e4, 5e-8),
        // CONTACT, extrapolated (reference/rolling/creep-limits-42kn.csv); 22 x 22 elements of second order are 0.004 off in the mean.
        ("creep-table", "/friction_used", 0.5492, 0.004),
    ];
    let shipped = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios")).expect("scenarios");
    let numbers = known.len() + assemblies::ASSEMBLIES.len() + rolling::CONTACTS.len() + finite_elements::NAMES.len();
    assert_eq!(shipped.count(), numbers, "give every scenario a number here");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, place, expected, tolerance) in known {
        stdout(stickslip(folder.path()).args(["run", name, "--out", name]));
        let summary = summary(&folder.path().join(name));
        let found = summary.pointer(place).and_then(Value::as_f64).expect("a number");
        assert!((found - expected).abs() <= tolerance, "{name}: {found}");
    }
}

#[test]
fn the_summary_says_what_the_design_promises() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x", "--set", "run.step=5e-4"]));
    let s = summary(&folder.path().join("x"));
    assert_eq!(s["scenario"], "wheel-sport-braking");
    assert_eq!(s["scheme"], "implicit-euler");
    assert_eq!(s["steps"], 12_000);
    assert_eq!(s["step"], 5e-4);
    for contact in ["ground", "brake"] {
        let share = s["stuck_fraction"][contact].as_f64().expect("a number");
        assert!(share > 0.0 && share < 1.0);
        assert!(s["energy"]["dissipated"][contact].as_f64().expect("a number") > 0.0);
    }
    assert!(s["worst_residual"].as_f64().expect("a number") <= 1e-14);
    assert!(s["energy"]["closure"].as_f64().expect("a number") <= 1e-3);
    assert_eq!(s["uniqueness"]["forces"], "unique");
    assert!((s["convergence"]["order"].as_f64().expect("a number") - 1.0).abs() < 0.05);
    assert!(s["version"].as_str().expect("text").starts_with("stickslip "));
    assert_eq!(s["scenario_hash"].as_str().expect("text").len(), 64);
    assert_eq!(s["extremes"]["G"]["min"], -1.0);
}

#[test]
fn tables_have_the_promised_columns_and_no_nan() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x"]));
    let table = fs::read_to_string(folder.path().join("x/trajectory.csv")).expect("written");
    assert!(table.starts_with("t,x1,x2,f,g,G,eps_G,eps_B,x,theta,energy,"), "{}", &table[..80]);
    assert_eq!(table.lines().count(), 6002);
    assert!(!table.contains("NaN") && !table.contains("inf"));
    // Locked: exactly zero, written as such.
    let locked = table.lines().skip(1).filter(|line| line.split(',').nth(7) == Some("0"));
    assert!(locked.clone().count() > 1000);
    assert!(locked.clone().all(|line| line.split(',').nth(2) == Some("0")));
    let events = fs::read_to_string(folder.path().join("x/events.csv")).expect("written");
    assert_eq!(events.lines().next(), Some("t,contact,from,to,words"));
    assert_eq!(events.lines().nth(1), Some("0.604,ground,stick,slip+,wheel slides"));
}

/// Numbers with names and units: those that a run has, and no others.
#[test]
fn measures_are_those_that_a_run_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |name: &str, changes: &[&str]| {
        let out = folder.path().join("m");
        let text =
            stdout(stickslip(folder.path()).args(["run", name, "--force", "--no-study", "--out", "m"]).args(changes));
        (text, summary(&out))
    };
    let (_, s) = run("wheel-smooth-ride", &["--set", "run.scheme=events"]);
    assert!((s["measures"]["stopping_time"].as_f64().expect("a number") - 6.1).abs() <= 1e-9, "{}", s["measures"]);
    assert_eq!(s["measure_units"]["mean_deceleration"], "m/s^2");
    // It never stops, has no brake, and spins.
    let (text, s) = run("drive-off-on-ice", &[]);
    let measures = s["measures"].as_object().expect("a map");
    assert!(!measures.contains_key("stopping_distance") && !measures.contains_key("lock_time"));
    assert!(s["measures"]["spin_time_front_right"].as_f64().expect("a number") > 4.0);
    assert!(text.contains("front right spins") && !text.contains("brake slip"), "{text}");
    let drawn = fs::read_to_string(folder.path().join("m/figures/time.svg")).expect("drawn");
    assert!(drawn.contains(">spins<") && !drawn.contains("front right brake"), "no strip of a brake that is not there");
    // Two hundred wheels: all in the summary, few in the terminal.
    let (text, s) = run("road-train", &[]);
    assert!(s["measures"].as_object().expect("a map").len() > 400);
    assert!(text.lines().count() < 60, "{text}");
    // What the file expects stands beside what came out, unless the model is changed.
    let (text, s) = run("block-on-belt", &["--set", "run.scheme=events"]);
    assert!(text.contains("(expected 8.902605408 s, differs by"), "{text}");
    assert!(s["expected"]["period"]["differs_by"].as_f64().expect("a number").abs() < 1e-9);
    assert!(folder.path().join("m/periods.csv").exists());
    let (text, s) = run("wheel-sport-braking", &["--set", "expected.first_lock_zz=3"]);
    assert!(text.contains("WARNING [expected] names `first_lock_zz`, and this run has no such measure"), "{text}");
    assert_eq!(s["warnings"][0]["about"], "expected");
    let (text, _) = run("block-on-belt", &["--set", "body.block.mass=2 kg"]);
    assert!(text.contains("period") && !text.contains("expected"), "{text}");
}

#[test]
fn a_written_scenario_runs_again_to_the_same_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let change = ["--set", "wheel.mass=350 kg", "--set", "run.scheme=implicit-euler"];
    stdout(stickslip(folder.path()).args(["run", "wheel-smooth-ride", "--out", "a"]).args(change));
    stdout(stickslip(folder.path()).args(["run", "a/scenario.toml", "--out", "b"]));
    let (a, b) = (summary(&folder.path().join("a")), summary(&folder.path().join("b")));
    assert_eq!(a["scenario_hash"], b["scenario_hash"]);
    assert_eq!(a["end"], b["end"]);
}

#[test]
fn the_closed_form_is_exact_but_for_rounding() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x", "--set", "run.scheme=events"]));
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["scheme"].as_str(), s["handovers"].as_u64()), (Some("events"), Some(0)));
    assert!(s["energy"]["closure"].as_f64().expect("a number") <= 1e-14);
    assert!((s["end"]["x1"].as_f64().expect("a number") - 6.076529).abs() <= 5e-7);
    let events = fs::read_to_string(folder.path().join("x/events.csv")).expect("written");
    // a_B(t) = a_G (1 + J/m) on the ramp from 0.5 s to 0.7 s: t = 0.5 + 0.1 (1 + 1/30).
    let first: f64 =
        events.lines().nth(1).and_then(|l| l.split(',').next()).expect("a time").parse().expect("a number");
    assert!((first - (0.6 + 0.1 / 30.0)).abs() <= 1e-12, "{first}");
    assert_eq!(s["between_events"].as_str(), Some("closed form"));
}

#[test]
fn events_integrate_what_has_no_closed_form() {
    // The same brake as an expression: no straight pieces that the scheme could know of, but the same motion.
    let folder = tempfile::tempdir().expect("a folder");
    let brake = "brake.torque={ expression = \"941.76*abs(abs(5*t-2.5)-abs(5*t-3.5)+abs(6-2.5*t)-abs(5-2.5*t))\" }";
    let run = ["run", "wheel-sport-braking", "--out", "x", "--set", "run.scheme=events", "--set", brake];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("integrated between events"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["between_events"].as_str(), s["handovers"].as_u64()), (Some("integrated"), Some(0)));
    assert_eq!(s["events"].as_u64(), Some(4));
    assert!(s["energy"]["closure"].as_f64().expect("a number") <= 1e-10);
    assert!((s["end"]["x1"].as_f64().expect("a number") - 6.07652903).abs() <= 1e-8);
}

#[test]
fn check_tells_physics_from_numerics() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "wheel-sport-drive", "--check", "--out", "x"]));
    assert!(text.contains("physics or numerics?") && !text.contains("NUMERICS"), "{text}");
    let findings: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("x/check.json")).expect("written")).expect("JSON");
    assert!(findings.as_array().is_some_and(|f| f.len() > 10));
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("<a href=\"check.json\">"), "it is among the files of the page");
    // One step over the whole stop makes the wheel lock and roll in other ways than it does.
    let coarse = ["run", "wheel-sport-braking", "--check", "--out", "y", "--set", "run.step=1 s"];
    assert!(stdout(stickslip(folder.path()).args(coarse)).contains("NUMERICS"));
}

#[test]
fn shows_checks_and_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let shown = stdout(stickslip(folder.path()).args(["show", "wheel-smooth-ride"]));
    fs::write(folder.path().join("mine.toml"), &shown).expect("written");
    assert!(stdout(stickslip(folder.path()).args(["check", "mine.toml"])).contains("nothing wrong"));
    let schema: Value = serde_json::from_str(&stdout(stickslip(folder.path()).arg("schema"))).expect("JSON");
    assert!(schema["$schema"].as_str().is_some_and(|s| s.contains("2020-12")));
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(stickslip(folder.path()).args(["completions", shell])).contains("stickslip"));
    }
}

#[test]
fn verify_holds_and_writes_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["verify", "--json", "book.json", "--html", "book.html"]));
    assert!(text.contains(" 0 fail"), "{text}");
    let book: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("book.json")).expect("written")).expect("JSON");
    assert_eq!(book["failed"], 0);
    let row = &book["rows"][0];
    let claims = |kind: &str| book[kind].as_u64().expect("a number");
    assert_eq!(claims("independent") + claims("consistency"), claims("claims"));
    assert!(text.contains(&format!("({} independent, {} consistency)", claims("independent"), claims("consistency"))));
    for key in ["claim", "kind", "basis", "source", "expected", "got", "error", "pass"] {
        assert!(!row[key].is_null(), "{key}");
    }
    assert!(fs::read_to_string(folder.path().join("book.html")).expect("written").contains("<table>"));
}

#[test]
fn long_runs_are_thinned_by_the_stated_rule_and_stay_exact() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "wheel-sport-braking", "--out", "x", "--set", "run.step=1e-5"];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("20001: the start and one in 30 of 600000 steps"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["steps"].as_u64(), s["rows"].as_u64()), (Some(600_000), Some(20_001)));
    // Recording every step is a matter of asking for it.
    let run = ["run", "wheel-sport-braking", "--out", "y", "--set", "run.step=1e-4", "--set", "output.every=1"];
    stdout(stickslip(folder.path()).args(run));
    let table = fs::read_to_string(folder.path().join("y/trajectory.csv")).expect("written");
    assert_eq!(table.lines().count(), 60_002);
}
