//! Static above kinetic friction by steps: what turns round where the friction of rest holds it stays there, in whichever part
//! of a step it comes to rest.

use stickslip::run::simulation;
use stickslip_models::MODELS;

/// Runs a text with a speed put in for `SPEED` and gives the value of a column at the end.
fn end(text: &str, scheme: &str, speed: f64, column: &str) -> f64 {
    let text = text.replace("SPEED", &speed.to_string()).replace("SCHEME", scheme);
    let scenario = MODELS.parse("turns", &text, "", &[]).expect("it can be read");
    let mut run = simulation(&scenario).expect("it can be built");
    run.advance_to(scenario.run.duration).expect("it runs");
    let place = run.columns().iter().position(|c| c.name == column).expect("a column");
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[place]
}

/// Starts of which the step that ends in rest is cut at all its parts.
fn starts() -> impl Iterator<Item = f64> {
    (0..25).map(|k| 1.0 + 1.3e-3 * f64::from(k) / 25.0)
}

const BLOCK: &str = r#"
model = "assembly"
[[body]]
name = "b"
mass = 1
moves = "xy"
speed = -SPEED
[[force]]
on = "b"
x = 0.8
[[pad]]
name = "p"
of = "b"
load = 1
friction = { static = 1, kinetic = 0.5 }
along = "AXES"
[run]
duration = 2
step = 1e-3
scheme = "SCHEME"
"#;

#[test]
fn blocks_on_lines_and_in_the_plane_stay() {
    for axes in ["x", "xy"] {
        for scheme in ["implicit-euler", "moreau-jean"] {
            for speed in starts() {
                let v = end(&BLOCK.replace("AXES", axes), scheme, speed, "vx_b");
                assert_eq!(v, 0.0, "along {axes} by {scheme} from {speed}");
            }
        }
    }
}

const WHEEL: &str = r#"
model = "wheel"
[wheel]
mass = 400
inertia = 1.2
radius = 0.3
[ground]
friction = 0.8
[motor]
torque = 400
[brake]
torque = 500
over_slip = { static = 1, kinetic = 0.5 }
[initial]
speed = SPEED
[run]
duration = 3
step = 1e-3
"#;

const CAR: &str = r#"
model = "vehicle"
[vehicle]
mass = 1000
[road]
friction = 1
over_slip = { static = 1, kinetic = 0.5 }
slope = 0.6747409422235527
[[wheel]]
name = "a"
radius = 0.3
inertia = 1
load = 1
brake = 1e5
speed = 0
[initial]
speed = SPEED
[run]
duration = 2
step = 1e-3
"#;

#[test]
fn wheels_and_vehicles_stay() {
    for text in [WHEEL, CAR] {
        for speed in starts() {
            assert_eq!(end(text, "", 1.7 * speed, "x1"), 0.0, "from {speed}");
        }
    }
}
