//! What lies on the edge of a law or of a step: forces that are their bound but for rounding, rests of an instant, places that are
//! passed within one step.

use stickslip_core::simulation::Simulation;
use stickslip_models::MODELS;
use stickslip_run::{measure, run_to_end};
use stickslip_scenario::Override;

fn parsed(text: &str, scheme: &str) -> stickslip_run::Scenario {
    let scheme = Override::new(format!("run.scheme={scheme}"));
    MODELS.parse("edge", text, ".", &[scheme]).expect("it can be read")
}

/// The run at its end.
fn ended(text: &str, scheme: &str) -> Box<dyn Simulation> {
    run_to_end(&parsed(text, scheme)).expect("it runs")
}

fn column(run: &dyn Simulation, name: &str) -> f64 {
    let at = run.columns().iter().position(|column| column.name == name).expect("a column");
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[at]
}

/// A body of 1 kg under a pad, with these forces and lines.
fn body(x: f64, forces: &[&str], pads: &[&str], friction: &str, more: &str) -> String {
    let forces: String = forces.iter().map(|force| format!("[[force]]\non = \"b\"\nx = {force}\n")).collect();
    let pad = |(k, load): (usize, &&str)| {
        format!("[[pad]]\nname = \"p{k}\"\nof = \"b\"\nload = {load}\nfriction = {friction}\n")
    };
    let pads: String = pads.iter().enumerate().map(pad).collect();
    format!(
        "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 1\nx = {x}\n{forces}{pads}{more}\n[run]\nduration = 5\nstep = 0.01\n"
    )
}

/// 0.1 + 0.2 is not 0.3 for a computer; rest is rest all the same.
#[test]
fn forces_that_add_up_to_the_bound_hold() {
    let drops = "{ static = 0.3, kinetic = 0.1 }";
    let third = "{ static = 0.1, kinetic = 0.05 }";
    let cases = [
        (0.0, body(0.0, &["0.1", "0.2"], &["1"], drops, "")),
        (0.0, body(0.0, &["0.1", "-0.6", "0.2", "0.6"], &["1"], drops, "")),
        (0.0, body(0.0, &["{ expression = \"0.1+0.2\" }"], &["1"], drops, "")),
        (0.0, body(0.0, &["0.1", "0.2"], &["1"], "0.3", "")),
        (0.0, body(0.0, &["0.9"], &["3"], drops, "")),
        (0.0, body(0.0, &["0.3"], &["1", "1", "1"], third, "")),
        (0.0, body(0.0, &["0.7"], &["1", "6"], third, "")),
        (0.1, body(0.1, &[], &["1"], drops, "[[spring]]\nof = \"b\"\nstiffness = 3\n")),
        (-0.1, body(-0.1, &[], &["1"], drops, "[[spring]]\nof = \"b\"\nstiffness = 3\n")),
    ];
    for scheme in ["events", "implicit-euler", "moreau-jean"] {
        for (x, text) in &cases {
            let run = ended(text, scheme);
            assert_eq!(column(run.as_ref(), "x_b"), *x, "{scheme}: {text}");
            assert_eq!(run.stuck()[0], 5.0, "{scheme}: {text}");
        }
        // A force that is above the bound by more than rounding moves the body.
        let run = ended(&body(0.0, &["0.1", "0.2000000001"], &["1"], drops, ""), scheme);
        assert!(column(run.as_ref(), "x_b") > 2.0, "{scheme}");
    }
}

const TWO_DRIVES: &str = r#"
model = "vehicle"
[vehicle]
mass = 1
[road]
friction = 0.8
[[wheel]]
name = "f"
radius = 0.5
inertia = 0.01
load = 0.5
drive = 0.1
[[wheel]]
name = "r"
radius = 0.5
inertia = 0.01
load = 0.5
drive = 0.2
brake = 0.3
brake_over_slip = { static = 1, kinetic = 0.3 }
[run]
duration = 10
step = 0.01
"#;

const ONE_DRIVE: &str = r#"
model = "wheel"
[wheel]
mass = 1
inertia = 0.01
radius = 0.5
[ground]
friction = 0.8
[brake]
torque = { points = [[0, 0.3]] }
over_slip = { static = 1, kinetic = 0.3 }
[motor]
drive = { points = [[0, 0.1]], scale = 3 }
[run]
duration = 10
step = 0.01
"#;

#[test]
fn motors_that_add_up_to_the_brake_are_held() {
    for scheme in ["implicit-euler", "events"] {
        assert_eq!(column(ended(TWO_DRIVES, scheme).as_ref(), "x"), 0.0, "{scheme}");
        assert_eq!(column(ended(ONE_DRIVE, scheme).as_ref(), "x"), 0.0, "{scheme}");
    }
    let more = TWO_DRIVES.replace("drive = 0.1", "drive = 0.1000000001");
    assert!(column(ended(&more, "implicit-euler").as_ref(), "x") > 1.0);
}

/// The speed (A/ω)(1 − cos πt) touches zero at t = 2, for an instant.
#[test]
fn a_rest_of_an_instant_is_no_stop() {
    let wheel = "model = \"wheel\"\n[wheel]\nmass = 1000\ninertia = 1.2\nradius = 0.3\n[ground]\nfriction = 0.8\n[motor]\n\
                 drive = { sine = { amplitude = 300, period = 2 } }\n[run]\nduration = 3\nstep = 0.01\n";
    let vehicle = "model = \"vehicle\"\n[vehicle]\nmass = 1000\n[road]\nfriction = 0.8\nslope = { sine = { amplitude = 0.1, frequency \
                   = 0.3 } }\n[[wheel]]\nname = \"w\"\nradius = 0.3\ninertia = 1.2\nload = 1\n[run]\nduration = 4\nstep = 0.01\n";
    for text in [wheel, vehicle] {
        for step in ["0.01", "0.02", "0.0037"] {
            let scenario = parsed(&text.replace("step = 0.01", &format!("step = {step}")), "events");
            let measures = measure(&scenario).expect("it runs");
            assert_eq!(measures.value("stopping_time_from_start"), None, "{step}: {text}");
            assert_eq!(measures.value("spin_time"), Some(0.0));
        }
    }
}

#[test]
fn places_passed_within_one_step_are_told() {
    let vehicle = |road: &str| {
        format!(
            "model = \"vehicle\"\n[vehicle]\nmass = 1000\n[road]\nfriction = 0.8\n{road}\n[[wheel]]\nname = \"w\"\nradius = 0.3\n\
             inertia = 1.2\nload = 1\nahead = 0\n[initial]\nspeed = 20\n[run]\nduration = 1\nstep = 1e-3\n"
        )
    };
    let patch = |from: f64, to: f64| vehicle(&format!("[[road.patch]]\nfrom = {from}\nto = {to}\nfriction = 0.01"));
    let told = |text: &str, scheme: &str| ended(text, scheme).doubts();
    for scheme in ["implicit-euler", "events"] {
        let passed = told(&patch(10.001, 10.00101), scheme);
        assert_eq!(
            passed.iter().any(|words| words.contains("a patch of the road at x = 10.001")),
            scheme != "events",
            "{passed:?}"
        );
        assert!(told(&patch(10.001, 10.1), scheme).is_empty(), "five steps long");
    }
    let slope = |width: f64| {
        vehicle(&format!("profile = [[5.001, 0], [{}, 0.1], [{}, 0]]", 5.001 + 0.5 * width, 5.001 + width))
    };
    assert!(told(&slope(0.01), "implicit-euler").iter().any(|words| words.contains("what the slope has at x = 5.006")));
    assert!(told(&slope(0.3), "implicit-euler").is_empty() && told(&slope(0.01), "events").is_empty());
    let rubs = |width: f64| {
        format!(
            "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 1\nspeed = 20\n[[pad]]\nname = \"p\"\nof = \"b\"\nload = 1\n\
             friction = 0.1\nfriction_over_place = [[1.001, 1], [{}, 9], [{}, 1]]\n[run]\nduration = 1\nstep = 1e-3\n",
            1.001 + 0.5 * width,
            1.001 + width
        )
    };
    assert!(told(&rubs(0.01), "implicit-euler").iter().any(|words| words.contains("friction of a pad over its place")));
    assert!(told(&rubs(0.3), "implicit-euler").is_empty());
}

/// A hump of 4 cm length, 20 cm being gone in a step.
#[test]
fn a_hump_passed_within_one_step_is_told() {
    let told = |step: &str| {
        let changes = [
            "road.profile=[[5.03, 0], [5.05, 0.019], [5.07, 0]]".to_string(),
            "initial.speed=20".to_string(),
            format!("run.step={step}"),
            "run.duration=1".to_string(),
            "run.scheme=implicit-euler".to_string(),
        ];
        let changes: Vec<Override> = changes.into_iter().map(Override::new).collect();
        let scenario = MODELS.builtin("half-car-braking", &changes).expect("it can be read");
        run_to_end(&scenario).expect("it runs").doubts()
    };
    assert!(told("10 ms").iter().any(|words| words.contains("what the road has at x = 5.05")), "{:?}", told("10 ms"));
    assert!(!told("0.1 ms").iter().any(|words| words.contains("what the road has")));
}
