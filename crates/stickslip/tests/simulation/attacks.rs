//! What an adversary tried, and what must come of it.

use super::*;
use stickslip_core::signal::Expression;

#[test]
fn looks_in_the_step_of_an_event_change_nothing() {
    for (name, look, end) in [
        ("block-on-belt", 0.4119, 4.0),
        ("two-mass", 0.9273, 4.0),
        ("coulomb-oscillator", 0.4326, 4.0),
        ("den-hartog", 2.0319, 4.0),
        ("friction-oscillator", 1.2137, 8.0),
        ("bogie-case-1b", 0.000_05, 1.0),
        ("car-two-wheels-braking", 0.000_05, 2.0),
    ] {
        for scheme in ["implicit-euler", "moreau-jean"] {
            if scheme == "moreau-jean" && name.starts_with("car") {
                continue;
            }
            let mut plain = open(name, scheme);
            plain.advance_to(end).expect("it runs");
            let events = plain.take_events();
            // One look given, and one just before the end of every step that had an event.
            let mut looks: Vec<f64> = events.iter().map(|event| event.t - 1e-5).chain([look]).collect();
            looks.sort_by(f64::total_cmp);
            let mut looked = open(name, scheme);
            for t in looks.into_iter().filter(|t| *t > 0.0) {
                looked.advance_to(t.max(looked.time())).expect("it runs");
            }
            looked.advance_to(end).expect("it runs");
            assert_eq!(looked.take_events(), events, "{name} by {scheme}");
            assert_eq!(bits(looked.as_ref()), bits(plain.as_ref()), "{name} by {scheme}");
            assert_eq!(looked.stuck(), plain.stuck(), "{name} by {scheme}");
        }
    }
}

/// A pulse of a millisecond at 2 s: ∫ = 1000 √π 1e-3 N m s.
const PULSE: &str = "-1000*exp(-((t-2)/0.001)^2)";

#[test]
fn formulas_are_looked_through_before_they_drive_a_run_by_events() {
    let rolling = ["run.scheme=events", "brake.torque=0", "initial.speed=3", "run.duration=9"];
    let mut run = opened("wheel-sport-braking", &rolling);
    let formula = || Expression::new(PULSE).expect("a formula");
    let said = run.set_input("motor.torque", Signal::Expression(Box::new(formula()))).expect_err("unseen").to_string();
    assert!(said.contains("`explore` it"), "{said}");
    let mut seen = formula();
    assert!(seen.explore(9.0));
    run.set_input("motor.torque", Signal::Expression(Box::new(seen))).expect("taken");
    run.advance_to(9.0).expect("it runs");
    // Rolls: v = 3 + ∫M dt/(R (m + J)), J = I/R².
    let momentum = 1000.0 * std::f64::consts::PI.sqrt() * 1e-3 / 0.3;
    let speed = 3.0 + momentum / (400.0 + 1.2 / 0.09);
    assert!((run.velocities()[0] - speed).abs() < 1e-9, "{:?} {speed}", run.velocities());
    let said = run.advance_to(9.5).expect_err("beyond").to_string();
    assert!(said.contains("known until 9 s"), "{said}");
    // The same in a scenario, advanced beyond its duration.
    let torque = format!("motor.torque={{ expression = \"{PULSE}\" }}");
    let mut run = opened("wheel-sport-braking", &[&rolling[..3], &["run.duration=1", &torque]].concat());
    run.advance_to(1.0).expect("it runs");
    assert!(run.advance_to(9.0).is_err());
}

#[test]
fn inputs_without_a_value_are_refused() {
    for scheme in ["implicit-euler", "events"] {
        let mut run = open("block-on-belt", scheme);
        run.advance_to(1.0).expect("it runs");
        let before = bits(run.as_ref());
        for input in run.inputs() {
            let said = run.set_input(&input.name, Signal::Constant(f64::NAN)).expect_err("no number").to_string();
            assert!(said.contains("no finite value"), "{said}");
        }
        assert_eq!(bits(run.as_ref()), before);
    }
}

#[test]
fn a_contact_that_transmits_nothing_and_rests_is_stuck() {
    // The brake is let go at rest; integrated, in closed form and by steps.
    let mut stuck = Vec::new();
    for scheme in ["implicit-euler", "events"] {
        let mut run = opened("wheel-smooth-ride", &[&format!("run.scheme={scheme}")]);
        run.advance_to(20.0).expect("it runs");
        assert_eq!(run.velocities(), [0.0, 0.0]);
        let before = run.stuck();
        run.set_input("brake.torque", Signal::ZERO).expect("taken");
        run.set_input("motor.torque", Signal::ZERO).expect("taken");
        run.advance_to(22.0).expect("it runs");
        stuck.push(run.stuck().iter().zip(before).map(|(now, before)| now - before).collect::<Vec<_>>());
    }
    for list in &stuck {
        assert!(list.iter().all(|time| (time - 2.0).abs() < 2e-3), "{stuck:?}");
    }
}

#[test]
fn strangers_and_broken_saves_are_refused() {
    let names = ["two-mass", "two-mass-vampire", "coulomb-oscillator", "block-on-belt", "wheel-sport-braking"];
    for scheme in ["implicit-euler", "events"] {
        let known = |name: &&&str| !(scheme == "events" && name.contains("vampire"));
        for from in names.iter().filter(known) {
            let mut run = open(from, scheme);
            run.advance_to(0.5).expect("it runs");
            let saved = run.save().expect("saved");
            for to in names.iter().filter(known) {
                let restored = open(to, scheme).restore(&saved);
                assert_eq!(restored.is_ok(), from == to, "{from} into {to} by {scheme}");
            }
            for k in (0..saved.len()).step_by(saved.len() / 97 + 1) {
                let mut flipped = saved.clone();
                flipped[k] ^= 1 << (k % 8);
                assert!(run.restore(&flipped).is_err(), "{from} by {scheme}: byte {k}");
            }
            assert!(run.restore(&saved[..saved.len() - 1]).is_err() && run.restore(&[]).is_err());
            assert!(run.restore(&[&saved[..], &[0]].concat()).is_err());
            run.restore(&saved).expect("its own");
        }
    }
    let saved = open("two-mass", "implicit-euler").save().expect("saved");
    assert!(open("two-mass", "moreau-jean").restore(&saved).is_err());
    assert!(opened("two-mass", &["run.step=2e-3"]).restore(&saved).is_err());
}

#[test]
fn rounding_of_times_is_no_way_back() {
    let mut run = open("two-mass", "implicit-euler");
    for k in 1..100 {
        let t = f64::from(k) / 10.0;
        run.advance_to(t).expect("it runs");
        run.advance_to(t).expect("it stands there");
    }
    let grid = Grid { h: 0.1, steps: 30 };
    let (mut whole, mut pieces) = (Kept::default(), Kept::default());
    open("wheel-sport-braking", "implicit-euler").record(Samples { grid, every: 1 }, &mut whole).expect("it runs");
    let mut run = open("wheel-sport-braking", "implicit-euler");
    for steps in 1..=30 {
        run.record(Samples { grid: Grid { steps, ..grid }, every: 1 }, &mut pieces).expect("it runs");
    }
    assert_eq!(pieces.0, whole.0);
}

#[test]
fn what_fails_leaves_the_run_where_it_stood() {
    let mut run = open("wheel-sport-braking", "implicit-euler");
    run.advance_to(0.5).expect("it runs");
    // No value at t = 1: an error when it is met, half a second on.
    let pole = Signal::Expression(Box::new(Expression::new("1/(1 - t)").expect("a formula")));
    run.set_input("motor.torque", pole).expect("it has a value now");
    let before = bits(run.as_ref());
    assert!(run.advance_to(2.0).is_err());
    assert_eq!(bits(run.as_ref()), before);
    assert_eq!(run.time(), 0.5);
    let mut none = Kept::default();
    let samples = Samples { grid: Grid { h: f64::NAN, steps: 6 }, every: 1 };
    assert!(run.record(samples, &mut none).is_err() && none.0.is_empty());
    for h in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        let scenario = MODELS.builtin("wheel-sport-braking", &[]).expect("it can be read");
        let wheel = Wheel::new(scenario.model.of::<Parameters>().expect("a wheel").clone()).expect("valid");
        let mut run = stickslip_core::simulation::Stepped::new(wheel, h);
        let said = run.advance_to(1.0).expect_err("no step").to_string();
        assert!(said.contains("must be finite and greater than 0"), "{said}");
    }
}
