//! Simulations as objects: cut, saved, restored in another process, fed, forked.

mod attacks;
mod cut;
mod inputs;

use std::collections::HashMap;

use stickslip::run::{Scenario, run_to_end, simulation};
use stickslip_core::law::State;
use stickslip_core::mechanics::{Stop, System};
use stickslip_core::record::Record;
use stickslip_core::scheme::{Event, Grid, NullObserver, implicit_euler};
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::{Samples, Simulation, Sink, SinkError};
use stickslip_linalg::SplitMix64;
use stickslip_models::MODELS;
use stickslip_models::wheel::{Parameters, Wheel};
use stickslip_scenario::{Error, Override};

fn read(name: &str, changes: &[&str]) -> Result<Scenario, Error> {
    let overrides: Vec<Override> = changes.iter().map(|text| Override::new(*text)).collect();
    MODELS.builtin(name, &overrides)
}

fn opened(name: &str, changes: &[&str]) -> Box<dyn Simulation> {
    simulation(&read(name, changes).expect("it can be read")).expect("it can be built")
}

fn open(name: &str, scheme: &str) -> Box<dyn Simulation> {
    opened(name, &[&format!("run.scheme={scheme}")])
}

/// Everything a row shows, to the bit.
fn bits(simulation: &dyn Simulation) -> Vec<u64> {
    let mut row = vec![0.0; simulation.columns().len()];
    simulation.row(&mut row);
    row.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn by_steps_an_object_has_the_bits_of_a_whole_run() {
    let scenario = MODELS.builtin("wheel-sport-braking", &[]).expect("it can be read");
    let Some(p) = scenario.model.of::<Parameters>() else { panic!("a wheel") };
    let wheel = Wheel::new(p.clone()).expect("valid");
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let whole = implicit_euler(&wheel, grid, &mut NullObserver).expect("it runs");
    let mut row = vec![0.0; wheel.columns().len()];
    wheel.row(grid.time(grid.steps), &whole.state, &mut row);
    let mut object = open("wheel-sport-braking", "implicit-euler");
    object.advance_to(grid.time(grid.steps)).expect("it runs");
    assert_eq!(bits(object.as_ref()), row.iter().map(|v| v.to_bits()).collect::<Vec<_>>());
    assert_eq!(object.take_events().len() as u64, whole.events);
    assert_eq!(object.ledger(), wheel.ledger(&whole.state));
}

#[test]
fn steps_may_have_any_size() {
    let mut simulation = open("wheel-sport-braking", "implicit-euler");
    // 60 frames a second, none of them on the grid, and a few steps of any length.
    let mut at_frames = HashMap::new();
    for frame in 1..=120 {
        simulation.advance_to(f64::from(frame) / 60.0).expect("it runs");
        at_frames.insert(frame, bits(simulation.as_ref()));
    }
    for h in [1e-4, 3e-3, 7e-4] {
        let before = simulation.time();
        simulation.step(h).expect("it runs");
        assert!((simulation.time() - before - h).abs() < 1e-15);
    }
    let mut on_grid = open("wheel-sport-braking", "implicit-euler");
    on_grid.advance_to(simulation.time()).expect("it runs");
    let (mut a, mut b) = (vec![0.0; simulation.columns().len()], vec![0.0; simulation.columns().len()]);
    simulation.row(&mut a);
    on_grid.row(&mut b);
    // Both are first order in a step of 1 ms or less, at decelerations of 10 m/s² and wheel forces that turn in a few steps.
    let speed = simulation.columns().iter().position(|c| c.name == "x").expect("a place");
    assert!((a[speed] - b[speed]).abs() < 2e-2, "{} {}", a[speed], b[speed]);
    let ledger = simulation.ledger();
    assert!(ledger.closure() < 0.01, "{ledger:?}");
}

#[test]
fn a_fork_goes_its_own_way() {
    for scheme in ["implicit-euler", "events"] {
        let mut simulation = open("wheel-sport-braking", scheme);
        simulation.advance_to(0.6).expect("it runs");
        let mut fork = simulation.fork();
        fork.set_input("brake.torque", Signal::ZERO).expect("taken");
        fork.advance_to(2.0).expect("it runs");
        let mut alone = open("wheel-sport-braking", scheme);
        alone.advance_to(2.0).expect("it runs");
        simulation.advance_to(2.0).expect("it runs");
        assert_eq!(bits(simulation.as_ref()), bits(alone.as_ref()));
        assert_ne!(bits(fork.as_ref()), bits(alone.as_ref()));
    }
}

#[test]
fn going_back_takes_inputs_back() {
    for scheme in ["implicit-euler", "events"] {
        let mut simulation = open("wheel-sport-braking", scheme);
        simulation.advance_to(0.6).expect("it runs");
        let saved = simulation.save().expect("saved");
        simulation.set_input("brake.torque", Signal::ZERO).expect("taken");
        simulation.advance_to(1.0).expect("it runs");
        simulation.restore(&saved).expect("restored");
        simulation.advance_to(2.0).expect("it runs");
        let mut alone = open("wheel-sport-braking", scheme);
        alone.advance_to(2.0).expect("it runs");
        assert_eq!(bits(simulation.as_ref()), bits(alone.as_ref()), "{scheme}");
    }
}

#[test]
fn a_call_may_end_with_the_next_event() {
    for (name, scheme) in [
        ("wheel-sport-braking", "implicit-euler"),
        ("wheel-sport-braking", "events"),
        ("two-mass", "events"),
        ("bogie-case-1", "events"),
    ] {
        let end = 2.5;
        let mut whole = open(name, scheme);
        whole.advance_to(end).expect("it runs");
        let mut stopping = open(name, scheme);
        let mut heard = Vec::new();
        while stopping.advance_to_event(end).expect("it runs") == Stop::Event {
            let events = stopping.take_events();
            assert!(!events.is_empty() && events.iter().all(|event| event.t == stopping.time()), "{name}: {events:?}");
            heard.extend(events);
        }
        assert_eq!(stopping.time(), end);
        assert_eq!(bits(stopping.as_ref()), bits(whole.as_ref()), "{name} by {scheme}");
        assert!(!heard.is_empty());
        assert_eq!(heard, whole.take_events(), "{name} by {scheme}");
    }
}

/// Keeps rows and events in the order in which they come.
#[derive(Default)]
struct Kept(Vec<(u64, u64, Vec<u64>)>, Vec<Event>);

impl Sink for Kept {
    fn row(&mut self, n: u64, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        self.0.push((n, t.to_bits(), row.iter().map(|v| v.to_bits()).collect()));
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.1.push(*event);
        Ok(())
    }
}

#[test]
fn what_is_recorded_in_pieces_is_what_is_recorded_at_once() {
    for (name, scheme) in [
        ("wheel-sport-braking", "implicit-euler"),
        ("wheel-sport-braking", "events"),
        ("car-two-wheels-braking", "events"),
        ("bogie-case-2b", "events"),
        ("towed-wheel-chaos", "events"),
        ("two-mass", "moreau-jean"),
    ] {
        let grid = Grid { h: 1e-3, steps: 1200 };
        let mut whole = Kept::default();
        open(name, scheme).record(Samples { grid, every: 7 }, &mut whole).expect("it runs");
        let mut pieces = Kept::default();
        let mut run = open(name, scheme);
        for steps in [1, 5, 301, 302, 700, 1199, 1200] {
            let before = pieces.0.len();
            run.record(Samples { grid: Grid { steps, ..grid }, every: 7 }, &mut pieces).expect("it runs");
            // The last row of a piece is one more where it does not belong to those of the whole.
            if steps != 1200 && steps % 7 != 0 && pieces.0.len() > before {
                pieces.0.pop();
            }
            let saved = run.save().expect("saved");
            run = open(name, scheme);
            run.restore(&saved).expect("restored");
        }
        assert_eq!(pieces.0, whole.0, "{name} by {scheme}");
        assert_eq!(pieces.1, whole.1, "{name} by {scheme}");
    }
}

#[test]
fn a_run_to_the_end_is_at_the_end_of_the_scenario() {
    let scenario = MODELS.builtin("coulomb-oscillator", &["run.scheme=events".into()]).expect("it can be read");
    let end = run_to_end(&scenario).expect("it runs");
    assert_eq!(end.time(), scenario.run.duration);
    // x'' + x = −sgn x' from (12, 6) comes to rest at 15 − √205.
    let place = end.values().iter().find(|(name, _)| name.starts_with('x')).map(|(_, value)| *value);
    assert!(place.is_some_and(|x| (x - (15.0 - 205.0_f64.sqrt())).abs() < 1e-10), "{place:?}");
    assert_eq!(end.velocities(), [0.0]);
}

#[test]
fn what_cannot_be_done_is_said() {
    let mut simulation = open("wheel-sport-braking", "implicit-euler");
    simulation.advance_to(0.5).expect("it runs");
    let said = simulation.advance_to(0.4).expect_err("backward").to_string();
    assert!(said.contains("runs forward only"), "{said}");
    let said = simulation.set_input("brake", Signal::ZERO).expect_err("no such input").to_string();
    assert!(said.contains("motor.torque, brake.torque, ground.friction"), "{said}");
    let said = simulation.set_input("brake.torque", Signal::Constant(-1.0)).expect_err("negative").to_string();
    assert!(said.contains("must not be negative"), "{said}");
    assert!(simulation.step(f64::NAN).is_err() && simulation.step(-1.0).is_err());
    let foreign = open("two-mass", "implicit-euler").save().expect("saved");
    assert!(simulation.restore(&foreign).is_err() && simulation.restore(b"nonsense").is_err());
    // Nothing of that has moved it.
    assert_eq!(simulation.time(), 0.5);
    assert!(open("two-mass", "events").advance_to(f64::NAN).is_err());
}

/// A run that was cut next to an instant, as near as times that are added up come to it, stands at that instant when it is asked for, and is there
/// what it would be without the cut.
#[test]
fn a_cut_next_to_an_instant_is_no_cut() {
    for scheme in ["implicit-euler", "events"] {
        // On the grid of steps of 1 ms, and between two of them.
        for instant in [0.058_f64, 0.0584] {
            for beside in [instant.next_down(), instant, instant.next_up()] {
                let (mut whole, mut cut) = (open("wheel-sport-braking", scheme), open("wheel-sport-braking", scheme));
                whole.advance_to(instant).expect("it runs");
                cut.advance_to(beside).expect("it runs");
                cut.advance_to(beside.max(instant)).expect("it runs");
                if beside <= instant {
                    assert_eq!(cut.time(), instant, "{scheme}");
                }
                for run in [&mut whole, &mut cut] {
                    run.set_input("brake.torque", Signal::Constant(1500.0)).expect("taken");
                    run.advance_to(0.5).expect("it runs");
                }
                let apart = bits(whole.as_ref()) != bits(cut.as_ref());
                assert!(!apart || beside > instant, "{scheme}: {instant} beside {beside}");
            }
        }
    }
}
