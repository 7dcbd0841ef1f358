//! What the command says about how far to trust a run: orders, warnings, exponents, physics or numerics.

use std::fs;

use serde_json::Value;

use crate::{stdout, stickslip, summary};

fn about(summary: &Value, what: &str) -> Option<Value> {
    let warnings = summary["warnings"].as_array().expect("a list");
    warnings.iter().find(|warning| warning["about"] == what).cloned()
}

#[test]
fn an_order_is_that_of_the_scheme_and_says_where_it_comes_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let second = ["run", "two-mass", "--set", "run.scheme=moreau-jean", "--out", "second"];
    stdout(stickslip(folder.path()).args(second));
    let s = summary(&folder.path().join("second"));
    assert!((s["convergence"]["order"].as_f64().expect("a number") - 2.0).abs() < 0.1, "{}", s["convergence"]);
    assert_eq!(s["convergence"]["verdict"], "reached");
    assert_eq!(s["warnings"].as_array().map(Vec::len), Some(0), "{}", s["warnings"]);
    let page = fs::read_to_string(folder.path().join("second/report.html")).expect("written");
    assert!(page.contains("Moreau–Jean is of second order"), "the scheme's own words");
    // The reference of the study is the one that was used.
    let steps = s["convergence"]["reference_steps"].as_u64().expect("a number");
    assert!(page.contains(&format!("against a run of {steps} steps")));
    // The step of den-hartog is far below those of the study.
    let text = stdout(stickslip(folder.path()).args(["run", "den-hartog", "--out", "finer"]));
    let s = summary(&folder.path().join("finer"));
    let order = &s["convergence"];
    let finest = order["errors"].as_array().and_then(|e| e.last()).and_then(|e| e[0].as_f64()).expect("a step");
    let ratio = order["extrapolated_from"].as_f64().expect("a number");
    assert!((ratio * s["step"].as_f64().expect("a step") / finest - 1.0).abs() < 1e-9 && ratio > 2.0, "{order}");
    assert!(text.contains("extrapolated from steps"), "{text}");
}

#[test]
fn scatter_has_no_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "bogie-case-1", "--out", "x"]));
    assert!(text.contains("no order: errors do not fall with the step"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!(s["convergence"]["verdict"], "none");
    assert!(s["convergence"]["error_at_step"].is_null());
    assert!(about(&s, "order").is_some(), "{}", s["warnings"]);
    let figure = fs::read_to_string(folder.path().join("x/figures/order.svg")).expect("drawn");
    assert!(figure.contains("measured") && !figure.contains("fitted order"));
}

#[test]
fn a_step_that_is_too_large_is_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "car-four-wheels-braking", "--set", "run.step=1 s", "--out", "x"];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("WARNING the step of 1 s is too large"), "{text}");
    let s = summary(&folder.path().join("x"));
    let warning = about(&s, "step").expect("a warning");
    assert_eq!(warning["severity"], "warning");
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("Warning: the step of 1 s is too large"));
    // With its own step the same scenario is not warned of.
    stdout(stickslip(folder.path()).args(["run", "car-four-wheels-braking", "--out", "y"]));
    assert_eq!(summary(&folder.path().join("y"))["warnings"].as_array().map(Vec::len), Some(0));
}

/// A block on a belt under a load that changes. Its stick ends at instants that the step shifts, so that errors of the speed
/// are as great as the speed and no order can be told.
const BLOCK: &str = r#"
model = "assembly"
[[body]]
name = "block"
mass = "2.5 kg"
[[support]]
name = "belt"
speed = "0.1 m/s"
[[spring]]
of = "block"
stiffness = "40 N/m"
[[pad]]
name = "shoe"
of = "block"
against = "belt"
load = { points = [[0, 12], [10, 12], [15, 18], [25, 18], [30, 9], [40, 9]] }
friction = { static = 0.6, kinetic = 0.35 }
[[force]]
on = "block"
x = { expression = "0.5*sin(2*pi*t/20)" }
[run]
duration = "40 s"
step = "1 s"
"#;

#[test]
fn a_run_without_an_order_says_why_and_what_half_its_step_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("block.toml"), BLOCK).expect("written");
    let text = stdout(stickslip(folder.path()).args(["run", "block.toml", "--out", "coarse"]));
    assert!(text.contains("WARNING the step of 1 s is too large"), "{text}");
    let s = summary(&folder.path().join("coarse"));
    assert!(about(&s, "step").is_some(), "{}", s["warnings"]);
    assert!(s["refinement"]["share"].as_f64().expect("a number") > 0.5, "{}", s["refinement"]);
    let page = fs::read_to_string(folder.path().join("coarse/report.html")).expect("written");
    assert!(
        page.contains("Warning: the step of 1 s is too large")
            && page.contains("Steps 256 times finer change speeds by")
    );
    // A step that is fine enough has no such warning, and says why it has no order.
    let fine = ["run", "block.toml", "--set", "run.step=1e-4", "--out", "fine"];
    let text = stdout(stickslip(folder.path()).args(fine));
    let s = summary(&folder.path().join("fine"));
    assert!(about(&s, "step").is_none(), "{}", s["warnings"]);
    if s["convergence"].is_null() {
        assert!(s["no_order"].as_str().is_some_and(|reason| !reason.is_empty()), "{s}");
        assert!(
            text.contains("order of convergence not measured: ") && text.contains("half the step changes"),
            "{text}"
        );
    }
    let text = stdout(stickslip(folder.path()).args(["run", "block.toml", "--no-study", "--out", "none"]));
    assert!(text.contains("order of convergence not measured: --no-study leaves it out"), "{text}");
    // What was not measured has not passed: alone it asks for care, and beside what half the step does it is a remark.
    let unmeasured = |page: &str| -> Vec<String> {
        let lines = page.split("<li class=").filter(|line| line.contains("order of convergence was not measured"));
        lines.map(String::from).collect()
    };
    let none = fs::read_to_string(folder.path().join("none/report.html")).expect("written");
    let told = unmeasured(&none);
    assert!(told.len() == 1 && told[0].starts_with("\"caution\""), "{told:?}");
    for line in unmeasured(&page) {
        assert!(line.contains("finer change speeds by"), "{line}");
    }
    // A fitted line that foretells many times the greatest speed is not told as an error.
    let text = stdout(stickslip(folder.path()).args(["run", "block-on-belt", "--set", "run.step=1 s", "--out", "b"]));
    assert!(
        text.contains("WARNING the step of 1 s is too large") && !text.contains("greatest speed error at this step"),
        "{text}"
    );
}

/// What the report calls work is named by what does it.
#[test]
fn work_is_named_by_what_does_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = |name: &str| {
        stdout(stickslip(folder.path()).args(["run", name, "--no-study", "--out", name]));
        fs::read_to_string(folder.path().join(name).join("report.html")).expect("written")
    };
    for (name, works) in [
        ("road-train", &["work of the motors", "work of gravity", "work of the air drag"][..]),
        ("wheel-sport-braking", &["work of the motor"]),
        ("block-on-belt", &["work of forces and supports"]),
        ("rail-wheel-braking", &["work of motor and pull"]),
    ] {
        let page = page(name);
        assert!(works.iter().all(|work| page.contains(work)) && !page.contains("work of the drive"), "{name}");
    }
    let s = summary(&folder.path().join("road-train"));
    let end = |name: &str| s["extremes"][name]["min"].as_f64().expect("a number");
    assert!(end("work_drag") < 0.0 && end("work_motor") == 0.0, "{}", s["extremes"]["work_drag"]);
}

/// Steps of nearly a period of the oscillator take nearly all its energy away: the run is written, and is a failure.
#[test]
fn a_result_that_means_nothing_ends_with_status_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "coulomb-oscillator", "--set", "run.step=5", "--out", "x"];
    let output = stickslip(folder.path()).args(run).assert().code(1).get_output().clone();
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("not to be used"), "{error}");
    let s = summary(&folder.path().join("x"));
    assert_eq!(about(&s, "energy").expect("a warning")["severity"], "error");
    assert!(s["energy"]["closure"].as_f64().expect("a number") > 0.5);
    for file in ["trajectory.csv", "events.csv", "report.html", "scenario.toml"] {
        assert!(folder.path().join("x").join(file).exists(), "{file}");
    }
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("Not to be used: "));
}

/// A comparison with a run that means nothing means nothing.
#[test]
fn comparisons_tell_what_is_wrong_with_their_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["compare", "coulomb-oscillator", "den-hartog", "--set", "run.step=5", "--out", "x"];
    let output = stickslip(folder.path()).args(run).assert().code(1).get_output().clone();
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("ERROR   1-coulomb-oscillator: "), "{text}");
    let error = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(error.contains("1-coulomb-oscillator: not to be used"), "{error}");
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("1-coulomb-oscillator: Not to be used: "));
    assert!(folder.path().join("x/compare.csv").exists());
}

#[test]
fn events_are_dated_as_their_scheme_dates_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = |scheme: &str| {
        let scheme_set = format!("run.scheme={scheme}");
        stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--set", &scheme_set, "--out", scheme]));
        fs::read_to_string(folder.path().join(scheme).join("report.html")).expect("written")
    };
    assert!(page("implicit-euler").contains("dated to the end of the first step"));
    let exact = page("events");
    assert!(exact.contains("dated to the instant at which it was located") && !exact.contains("end of the first step"));
}

#[test]
fn check_matches_by_time_and_goes_into_report_and_summary() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "block-on-belt", "--check", "--out", "x"]));
    assert!(text.contains("23 physics, 0 numerics, 0 not decided"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert!(s["check"]["parted"].is_null());
    assert_eq!(s["check"]["counts"], serde_json::json!([23, 0, 0]));
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("Physics or numerics?") && page.contains("23 features are physics"));
}

#[test]
fn check_compares_means_of_chaos() {
    let folder = tempfile::tempdir().expect("a folder");
    let chaos = ["run", "friction-oscillator", "--set", "run.duration=300 s", "--check", "--out", "x"];
    let text = stdout(stickslip(folder.path()).args(chaos));
    let s = summary(&folder.path().join("x"));
    assert!(s["check"]["parted"].as_f64().is_some_and(|t| t < 150.0), "{}", s["check"]["parted"]);
    let findings = s["check"]["findings"].as_array().expect("a list");
    assert!(!findings.iter().any(|f| f["kind"] == "end"), "the end of a chaotic run means nothing");
    let share = findings.iter().find(|f| f["feature"] == "pad stuck, share of the time").expect("compared");
    // 45.6 % over six million periods; the standard error over 60 is below 5 %.
    assert!((share["exact"].as_f64().expect("a number") - 0.456).abs() < 0.15, "{share}");
    assert_eq!(share["verdict"], "physics");
    assert!(text.contains("the runs part"), "{text}");
    // The same run has an exponent with a verdict: 0.116 per second.
    let exponent = &s["exponents"][0];
    assert_eq!(exponent["verdict"], "positive", "{exponent}");
    assert!(text.contains("positive"), "{text}");
}

#[test]
fn an_exponent_that_its_error_does_not_decide_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "towed-wheel-p3", "--out", "x"];
    let text = stdout(stickslip(folder.path()).args(run));
    let s = summary(&folder.path().join("x"));
    let nearby = &s["exponents"][0];
    let (value, error) = (nearby["value"].as_f64().expect("a number"), nearby["error"].as_f64().expect("a number"));
    assert!(value.abs() <= 2.0 * error, "{nearby}");
    assert_eq!(nearby["verdict"], "not decided");
    assert!(text.contains("not decided"), "{text}");
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("not decided: zero lies within two standard errors"));
}

/// A run by events has no step: its recording step is no step of a scheme, and the check says what it took instead.
#[test]
fn check_of_a_run_by_events_takes_enough_steps_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "block-on-belt", "--set", "run.scheme=events", "--set", "run.step=1 s", "--check", "--out", "x"];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("its step of 1 s only says when to record"), "{text}");
    let s = summary(&folder.path().join("x"));
    let (duration, step) = (s["duration"].as_f64().expect("a time"), s["check"]["steps"][0].as_f64().expect("a step"));
    assert!(duration / step > 19_999.5, "{step}");
    // With its own step the same block has no numerics at all.
    assert_eq!(s["check"]["counts"][1], 0, "{text}");
    assert!(s["check"]["counts"][0].as_u64() > Some(20), "{text}");
}

/// A bogie shaken by sines is not chaotic because its runs part: nothing measured says so.
#[test]
fn runs_that_part_are_not_called_chaotic_for_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args([
        "run",
        "bogie-antiphase",
        "--check",
        "--set",
        "run.duration=0.8 s",
        "--out",
        "x",
    ]));
    assert!(text.contains("Sensitive, so verdicts by statistics") && text.contains("does not tell which"), "{text}");
    let s = summary(&folder.path().join("x"));
    let count = |verdict: &str| text.lines().filter(|line| line.ends_with(&format!("  {verdict}"))).count() as u64;
    // What is not decided is listed one by one; of events that are physics the many of one contact are one line.
    assert_eq!(Some(count("not decided")), s["check"]["counts"][2].as_u64(), "{text}");
    let many =
        text.lines().filter_map(|line| line.split_once(" more changes of state and stretches of stick  physics"));
    let many: Vec<u64> = many.filter_map(|(head, _)| head.rsplit(' ').next()?.parse().ok()).collect();
    assert_eq!(many.len(), 4, "{text}");
    let physics = count("physics") - many.len() as u64 + many.iter().sum::<u64>();
    assert_eq!(Some(physics), s["check"]["counts"][0].as_u64(), "{text}");
}

#[test]
fn no_study_leaves_out_exponents_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "towed-wheel-p1", "--no-study", "--set", "run.duration=1 s", "--out", "x"];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("no exponent: --no-study leaves it out"), "{text}");
    assert!(!folder.path().join("x/figures/poincare.svg").exists());
    assert!(summary(&folder.path().join("x"))["exponents"][0]["value"].is_null());
}

/// One contact has one share of stick, wherever a report names it.
#[test]
fn a_report_has_one_share_of_stick() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x"]));
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    let stuck = text.lines().find_map(|line| line.strip_prefix("  stuck   ")).expect("a line");
    let section = page.split("How long contacts stick").nth(1).expect("a section");
    for share in stuck.split("   ").map(|entry| entry.split_once(' ').expect("a share").1) {
        assert!(section.contains(&format!(">{share}</td>")), "{share}");
    }
    let text = stdout(stickslip(folder.path()).args(["run", "rail-wheel-braking", "--out", "y"]));
    assert!(text.contains("without sliding as a whole; it creeps meanwhile"), "{text}");
}
