//! Sweeps of the sled: rows show what was run, as the run itself tells it.

use stickslip::run::{Scenario, keep};
use stickslip::scenario::Override;
use stickslip::scenario::sweep::{At, Axis, Section};
use stickslip::sweep::find::{Goal, Search, find};
use stickslip::sweep::{Branches, Cells, Plan, Request, run_block};

use super::registry;

/// Pushed and pulled without friction: 60 N for 1.5 s, −60 N for 1 s. With steps of 1 s energy comes from nowhere.
const TEXT: &str = r#"model = "sled"
title = "A sled is pushed and pulled"
[sled]
mass = 10
friction = 0
force = { points = [[0, 60], [1.5, 60], [1.5, -60], [2.5, -60], [2.5, 0]] }
[run]
duration = 4
step = 0.01
[sweep]
outputs = ["duration", "end.v"]
[sweep.vary]
sled.mass = "10:20:2"
v = [1, 2]
[sweep.let]
run.duration = "3+v"
sled.friction = "0*v"
"#;

fn scenario(set: &[&str]) -> Scenario {
    let set: Vec<Override> = set.iter().map(|set| Override::new(*set)).collect();
    registry().parse("sled", TEXT, "", &set).unwrap_or_else(|error| panic!("{error}"))
}

fn asked(vary: &[&str], outputs: &[&str], follow: &[&str]) -> Request {
    let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect();
    Request { vary: texts(vary), outputs: texts(outputs), follow: texts(follow), ..Request::default() }
}

/// Cells of all rows, or why there are none.
fn rows(scenario: &Scenario, request: &Request) -> Result<Vec<Vec<String>>, String> {
    let wrong = |error: stickslip::sweep::SweepError| error.to_string();
    let (sweep, base) = request.of(scenario).map_err(wrong)?;
    let registry = registry();
    let plan = Plan::new(&registry, scenario, &sweep, &base).map_err(wrong)?;
    let cells = run_block(&plan, 0, plan.total() as usize);
    let cell = |cells: &Cells, k: usize| match cells {
        Cells::Numbers(numbers) if numbers[k].is_nan() => String::new(),
        Cells::Numbers(numbers) => numbers[k].to_string(),
        Cells::Texts(texts) => texts[k].clone().unwrap_or_default(),
    };
    Ok((0..plan.total() as usize).map(|k| cells.iter().map(|cells| cell(cells, k)).collect()).collect())
}

fn column(rows: &[Vec<String>], k: usize) -> Vec<&str> {
    rows.iter().map(|row| row[k].as_str()).collect()
}

#[test]
fn a_value_is_set_once() {
    let refused =
        |vary: &[&str], follow: &[&str]| rows(&scenario(&[]), &asked(vary, &["end.v"], follow)).expect_err("refused");
    let text = refused(&["sled.mass=1:2:2"], &["sled.mass=5"]);
    assert_eq!(text, "`sled.mass` is both varied and set by a formula");
    let text = refused(&["sled.mass=1:2:2"], &["sled.friction=sled.mass", "sled.friction=0"]);
    assert_eq!(text, "`sled.friction` is set by a formula twice");
    let text = refused(&["sled.force.points=1:2:2"], &["sled.force=3"]);
    assert!(text.contains("one is inside the other"), "{text}");
    let text = refused(&["v=1:2:2"], &["v=2*v"]);
    assert!(text.contains("`v` is varied, and a formula sets it as well"), "{text}");
}

#[test]
fn what_is_set_takes_the_place_of_what_the_file_varies() {
    let own = rows(&scenario(&[]), &Request::default()).expect("rows");
    assert_eq!(column(&own, 2), ["4", "5", "4", "5"]);
    let set = rows(&scenario(&["run.duration=3"]), &Request::default()).expect("rows");
    assert_eq!(column(&set, 2), ["3"; 4]);
    let fixed = scenario(&["sled.mass=5"]);
    let set = rows(&fixed, &Request::default()).expect("rows");
    assert_eq!((set.len(), set[0].len(), column(&set, 1)), (2, 4, vec!["4", "5"]));
    // Read again, the text says the same.
    assert!(!fixed.text.contains("10:20:2") && fixed.text.contains("3+v"), "{}", fixed.text);
    // A formula for one key leaves those of the file for others, and takes the place of its own.
    let merged = rows(&scenario(&[]), &asked(&[], &[], &["sled.friction=0.01*v"])).expect("rows");
    assert_eq!(column(&merged, 2), ["4", "5", "4", "5"]);
    assert_ne!(column(&merged, 3), column(&own, 3));
}

#[test]
fn runs_that_mean_nothing_have_no_values() {
    let coarse = keep(&scenario(&["run.step=1"]), &mut |_| Ok(())).expect("a run");
    assert!(coarse.summary.is_void());
    let said = &coarse.summary.warnings.iter().find(|warning| warning.about == "energy").expect("a warning").text;
    // With and without rows, by which the greatest energy is known.
    for outputs in [&["end.v"][..], &["end.v", "energy.closure", "max.x"]] {
        let found = rows(&scenario(&[]), &asked(&["run.step=[0.01, 1]"], outputs, &[])).expect("rows");
        let last = outputs.len() + 1;
        assert!(found[0][last].is_empty() && found[0][1..last].iter().all(|cell| !cell.is_empty()), "{found:?}");
        assert!(found[1][last] == *said && found[1][1..last].iter().all(String::is_empty), "{found:?}");
    }
    let bracket = Axis::bracket("0.01:1").expect("a bracket");
    let (goal, key) = (Goal::Minimise("end.x".into()), "run.step".to_string());
    let search = Search { key, bracket, goal, tolerance: 1e-7, scan: 9, follow: Vec::new(), outputs: Vec::new() };
    let refused = find(&registry(), &scenario(&[]), &search, &mut |_| ()).expect_err("refused").to_string();
    assert!(refused.contains("this result means nothing"), "{refused}");
    let condition = Search { key: "sled.mass".into(), goal: Goal::Until("sled.mass - 0.5".into()), ..search };
    let refused = find(&registry(), &scenario(&[]), &condition, &mut |_| ()).expect_err("refused").to_string();
    assert!(refused.contains("neither true (1) nor false (0)"), "{refused}");
    // Errors of a diagram, too; its lines do not hang on what is recorded, and begin above 0 Hz.
    let path = |every: &str| {
        let (scenario, registry) = (scenario(&[every]), registry());
        let (mut sweep, base) = asked(&["run.step=[0.01, 1]"], &[], &[]).of(&scenario).expect("a sweep");
        let column = "v".to_string();
        sweep.section = Some(Section { column, at: At::Spectrum, transient: None, most: Some(2), carry: Vec::new() });
        Branches::new(&registry, &scenario, &sweep, &base).expect("a diagram").path(0)
    };
    let cells = path("output.every=1");
    // 201 values of 0.01 s.
    assert!((cells[2].number(0) - 1.0 / 2.01).abs() < 1e-12 && cells[2].number(1) > cells[2].number(0), "{cells:?}");
    assert!(
        matches!(cells.last(), Some(Cells::Texts(errors)) if *errors == [None, None, Some(said.clone())]),
        "{cells:?}"
    );
    let texts = |cells: &[Cells]| format!("{cells:?}");
    assert_eq!(texts(&path("output.every=50")), texts(&cells));
}

#[test]
fn figures_are_those_of_the_run() {
    for set in [&["sled.friction=0.3"][..], &["sled.friction=0.1", "run.step=0.3", "run.duration=3.1"]] {
        let scenario = scenario(set);
        let kept = keep(&scenario, &mut |_| Ok(())).expect("a run");
        let every = format!("output.every=[{}]", kept.summary.recorded_every);
        let found = rows(&scenario, &asked(&[&every], &["energy.closure", "stuck.ground"], &[])).expect("rows");
        let stuck = kept.summary.stuck_fraction.iter().next().expect("a contact").1;
        assert_eq!(found[0][1], kept.summary.energy.closure.to_string(), "{set:?}");
        assert_eq!(found[0][2], stuck.to_string(), "{set:?}");
    }
}

#[test]
fn lines_do_not_hang_on_what_is_recorded_and_formulas_have_values() {
    let line = ["frequency.v", "late.max.v"];
    let found = rows(&scenario(&[]), &asked(&["output.every=[1, 7, 100]"], &line, &[])).expect("rows");
    assert!(found[1..].iter().all(|row| row[1..] == found[0][1..]), "{found:?}");
    let error = |formula: &str| {
        let found = rows(&scenario(&[]), &asked(&["sled.mass=[1]"], &[formula], &[])).expect("rows");
        (found[0][1].clone(), found[0][2].clone())
    };
    for formula in ["sqrt(-1)", "0/(sled.mass - 1)", "1/0", "mod(5, 0)"] {
        assert_eq!(error(&format!("a={formula}")), (String::new(), format!("a = {formula} has no value")));
    }
    // What a run does not have is no error.
    assert_eq!(error("last_slip.ground - 1e9*known(first_stick.ground)").1, "");
    let far = rows(&scenario(&[]), &asked(&["w=-1e308:1e308:5"], &["steps"], &["sled.friction=0*w"])).expect("rows");
    assert_eq!(column(&far, 2), [""; 5]);
}
