//! Inputs that change while a run stands.

use super::*;

/// A signal that jumps at an instant.
fn jump(at: f64, before: f64, after: f64) -> Signal {
    Signal::Points(Points::new(vec![0.0, at, at], vec![before, before, after]).expect("points"))
}

/// Scenario, scheme and what else is changed, input, its values before and after the jump, when that is, and the end \[s\].
type Case = (&'static str, &'static [&'static str], &'static str, [f64; 2], [f64; 2]);

const STEPS: &[&str] = &["run.scheme=implicit-euler"];
const EVENTS: &[&str] = &["run.scheme=events"];
const MOREAU_JEAN: &[&str] = &["run.scheme=moreau-jean"];
const THETA: &[&str] = &["run.scheme=theta", "run.theta=0.7"];

const CASES: [Case; 31] = [
    ("wheel-sport-braking", STEPS, "brake.torque", [100.0, 900.0], [1.0, 2.0]),
    ("wheel-sport-braking", EVENTS, "brake.torque", [100.0, 900.0], [1.0, 2.0]),
    ("wheel-sport-braking", STEPS, "motor.torque", [-50.0, 300.0], [1.0, 2.0]),
    ("wheel-sport-braking", EVENTS, "motor.torque", [-50.0, 300.0], [1.0, 2.0]),
    ("wheel-sport-braking", STEPS, "ground.friction", [0.8, 0.1], [1.0, 2.0]),
    ("wheel-sport-braking", EVENTS, "ground.friction", [0.8, 0.1], [1.0, 2.0]),
    ("car-two-wheels-braking", STEPS, "wheel.front.brake", [200.0, 4000.0], [1.0, 2.0]),
    ("car-two-wheels-braking", EVENTS, "wheel.front.brake", [200.0, 4000.0], [1.0, 2.0]),
    ("car-brake-ramp", STEPS, "wheel.front.brake", [800.0, 6000.0], [1.0, 2.0]),
    ("car-brake-ramp", EVENTS, "wheel.front.brake", [800.0, 6000.0], [1.0, 2.0]),
    ("car-two-wheels-braking", STEPS, "road.slope", [0.0, 0.1], [1.0, 2.0]),
    // No step of 1 ms ends at this instant but for rounding: 0.30000000000000004.
    ("wheel-sport-braking", STEPS, "brake.torque", [100.0, 900.0], [0.3, 1.0]),
    ("car-two-wheels-braking", EVENTS, "road.slope", [0.0, 0.1], [1.0, 2.0]),
    ("two-mass", STEPS, "force.first.x", [0.5, -3.0], [1.0, 2.0]),
    ("two-mass", EVENTS, "force.first.x", [0.5, -3.0], [1.0, 2.0]),
    ("two-mass", MOREAU_JEAN, "force.first.x", [0.5, -3.0], [1.0, 2.0]),
    ("two-mass", THETA, "force.first.x", [0.5, -3.0], [1.0, 2.0]),
    ("block-on-belt", STEPS, "support.belt.speed", [0.5, 1.5], [1.0, 2.0]),
    ("block-on-belt", EVENTS, "support.belt.speed", [0.5, 1.5], [1.0, 2.0]),
    ("block-on-belt", MOREAU_JEAN, "support.belt.speed", [0.5, 1.5], [1.0, 2.0]),
    ("block-on-belt", STEPS, "pad.pad.load", [1.0, 3.0], [1.0, 2.0]),
    ("block-on-belt", EVENTS, "pad.pad.load", [1.0, 3.0], [1.0, 2.0]),
    ("tyre-braking", STEPS, "wheel.wheel.brake", [100.0, 900.0], [0.5, 1.0]),
    ("tyre-braking", EVENTS, "wheel.wheel.brake", [100.0, 900.0], [0.5, 1.0]),
    ("rail-wheel-braking", STEPS, "brake.torque", [100.0, 2000.0], [1.0, 2.0]),
    ("motorcycle-stoppie", STEPS, "front.brake", [50.0, 400.0], [0.3, 0.6]),
    ("motorcycle-stoppie", EVENTS, "front.brake", [50.0, 400.0], [0.3, 0.6]),
    ("motorcycle-wheelie", STEPS, "rear.drive", [50.0, 200.0], [0.3, 0.6]),
    ("motorcycle-wheelie", EVENTS, "rear.drive", [50.0, 200.0], [0.3, 0.6]),
    ("half-car-bump", STEPS, "half_car.brake", [100.0, 4000.0], [0.3, 0.6]),
    ("half-car-bump", EVENTS, "half_car.brake", [100.0, 4000.0], [0.3, 0.6]),
];

/// How far two runs are apart, relative to their numbers, at the worst; their events must be as many.
fn apart(a: &mut dyn Simulation, b: &mut dyn Simulation) -> f64 {
    if a.take_events().len() != b.take_events().len() {
        return f64::INFINITY;
    }
    let rows = [&*a, &*b].map(|run| {
        let mut row = vec![0.0; run.columns().len()];
        run.row(&mut row);
        row
    });
    rows[0].iter().zip(&rows[1]).fold(0.0, |worst, (a, b)| f64::max(worst, (a - b).abs() / (1.0 + a.abs())))
}

/// By steps to the bit: a step that ends where a signal jumps takes the value before, as an object that stands there has done. From event to
/// event what is integrated in one piece is integrated in two.
#[test]
fn an_input_that_changes_is_a_signal_that_jumps() {
    for (name, way, input, values, [at, end]) in CASES {
        let with_jump = |instant: f64| {
            let mut whole = opened(name, way);
            whole.set_input(input, jump(instant, values[0], values[1])).expect("taken");
            whole.advance_to(end).expect("it runs");
            whole
        };
        let mut fed = opened(name, way);
        fed.set_input(input, Signal::Constant(values[0])).expect("taken");
        fed.advance_to(at).expect("it runs");
        fed.set_input(input, Signal::Constant(values[1])).expect("taken");
        fed.advance_to(end).expect("it runs");
        let miss = apart(with_jump(at).as_mut(), fed.as_mut());
        assert!(miss <= if way == EVENTS { 1e-9 } else { 0.0 }, "{name} by {way:?}, {input}: {miss:e}");
    }
}

#[test]
fn inputs_out_of_their_range_are_refused() {
    for (name, input) in [
        ("wheel-sport-braking", "brake.torque"),
        ("wheel-sport-braking", "ground.friction"),
        ("car-two-wheels-braking", "wheel.front.brake"),
        ("rail-wheel-braking", "brake.torque"),
        ("block-on-belt", "pad.pad.load"),
        ("motorcycle-stoppie", "front.brake"),
        ("half-car-bump", "half_car.brake"),
    ] {
        let mut run = opened(name, STEPS);
        run.advance_to(0.1).expect("it runs");
        let before = bits(run.as_ref());
        for signal in [Signal::Constant(-1.0), jump(1.0, 1.0, -1.0)] {
            let said = run.set_input(input, signal).expect_err("out of range").to_string();
            assert!(said.contains("must not be negative"), "{name}: {said}");
        }
        assert_eq!(bits(run.as_ref()), before);
    }
}

/// A body on rails with three forces.
const THREE_FORCES: &str = r#"
model = "assembly"
[[body]]
name = "b"
mass = "1 kg"
[[force]]
on = "b"
x = "1 N"
[[force]]
on = "b"
x = "2 N"
[[force]]
on = "b"
x = "4 N"
[run]
duration = "1 s"
step = "1 ms"
"#;

#[test]
fn several_forces_on_one_body_have_names_of_their_own() {
    let scenario = MODELS.parse("three.toml", THREE_FORCES, std::path::Path::new(""), &[]).expect("valid");
    let mut run = simulation(&scenario).expect("it can be run");
    let names: Vec<String> = run.inputs().into_iter().map(|input| input.name).collect();
    assert_eq!(names, ["force.b.x", "force.b.x_2", "force.b.x_3"]);
    for (name, is, new) in [("force.b.x", 1.0, 10.0), ("force.b.x_2", 2.0, 20.0), ("force.b.x_3", 4.0, 40.0)] {
        assert_eq!(run.input(name).expect("known").at(0.0), is);
        run.set_input(name, Signal::Constant(new)).expect("taken");
    }
    run.advance_to(1.0).expect("it runs");
    assert!((run.velocities()[0] - 70.0).abs() < 1e-9, "{:?}", run.velocities());
}

#[test]
fn what_an_input_is_can_be_asked() {
    for (name, input, t, value) in [
        ("wheel-sport-braking", "ground.friction", 0.0, 0.8),
        ("car-two-wheels-braking", "wheel.front.friction", 0.0, 0.8),
        ("two-mass", "force.first.x", 0.6, 0.6_f64.sin()),
        ("block-on-belt", "support.belt.speed", 0.0, 0.2),
        ("motorcycle-stoppie", "front.drive", 0.0, 0.0),
    ] {
        for way in [STEPS, EVENTS] {
            let mut run = opened(name, way);
            run.advance_to(0.1).expect("it runs");
            let is = run.input(input).expect("known").at(t);
            assert!((is - value).abs() < 1e-15, "{name}, {input}: {is}");
            for k in run.inputs() {
                let own = run.input(&k.name).expect("each of them");
                run.set_input(&k.name, own.clone()).expect("taken");
                assert_eq!(run.input(&k.name).expect("known").at(0.3).to_bits(), own.at(0.3).to_bits(), "{}", k.name);
            }
            run.set_input(input, Signal::Constant(0.25)).expect("taken");
            assert_eq!(run.input(input).expect("known").at(9.0), 0.25);
            assert!(run.input("nothing").is_err_and(|error| error.to_string().contains(input)));
            let restored = run.save().expect("saved");
            let mut other = opened(name, way);
            other.restore(&restored).expect("restored");
            assert_eq!(other.input(input).expect("known").at(0.0), 0.25);
        }
    }
}

/// Inputs set one after the other at one instant are one change: what lasts no time is not told.
#[test]
fn several_inputs_at_one_instant_are_one_change() {
    let changed = |name: &str, t: f64, inputs: &[(&str, f64)]| {
        let mut run = open(name, "events");
        run.advance_to(t).expect("it runs");
        run.take_events();
        for (input, value) in inputs {
            run.set_input(input, Signal::Constant(*value)).expect("taken");
        }
        run.take_events()
    };
    // The brakes of a parked car change over from one axle to the other.
    let over = [("wheel.rear.brake", 0.0), ("wheel.front.brake", 1500.0)];
    assert_eq!(changed("park-on-slope", 1.0, &over), []);
    // There and back.
    assert_eq!(changed("park-on-slope", 1.0, &[("wheel.rear.brake", 0.0), ("wheel.rear.brake", 1500.0)]), []);
    // Let go, it slips from that instant on, told once for each contact.
    let go = changed("park-on-slope", 1.0, &[("wheel.rear.brake", 0.0), ("wheel.front.brake", 0.0)]);
    assert!(!go.is_empty() && go.iter().all(|event| event.t == 1.0 && event.from != event.to), "{go:?}");
    for (k, event) in go.iter().enumerate() {
        assert!(go[..k].iter().all(|other| other.contact != event.contact), "{go:?}");
    }
}

/// A pad may be lifted while a run goes on, as a signal may fall to zero; a file's that never has a load is a mistake.
#[test]
fn a_pad_can_be_lifted() {
    for scheme in ["implicit-euler", "events"] {
        let lifted = |signal: Signal| {
            let mut run = open("block-on-belt", scheme);
            run.advance_to(1.0).expect("it runs");
            run.set_input("pad.pad.load", signal).expect("taken");
            run.advance_to(1.5).expect("it runs");
            let saved = run.save().expect("saved");
            let mut again = open("block-on-belt", scheme);
            again.restore(&saved).expect("restored");
            assert_eq!(bits(again.as_ref()), bits(run.as_ref()));
            run.velocities()[0]
        };
        let (held, jumped) = (lifted(Signal::ZERO), lifted(jump(1.0, 1.0, 0.0)));
        assert!((held - jumped).abs() <= 1e-9 && held != 0.0, "{scheme}: {held} {jumped}");
    }
}
