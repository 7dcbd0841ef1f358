//! Simulations as objects: cut, saved, restored in another process, fed, forked.

mod attacks;

use std::collections::HashMap;
use std::process::Command;

use stickslip::run::{run_to_end, simulation};
use stickslip_core::law::State;
use stickslip_core::mechanics::{Stop, System};
use stickslip_core::record::Record;
use stickslip_core::scheme::{Event, Grid, NullObserver, implicit_euler};
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::{Samples, Simulation, Sink, SinkError};
use stickslip_models::MODELS;
use stickslip_models::wheel::{Parameters, Wheel};
use stickslip_scenario::Override;
use stickslip_verify::random::Random;

/// Scenarios of all models in time and the schemes they are cut by, with the time up to which they are run \[s\].
const CASES: [(&str, &[&str], f64); 15] = [
    ("wheel-sport-braking", &["implicit-euler", "events"], 3.0),
    ("car-two-wheels-braking", &["implicit-euler", "events"], 2.0),
    ("drive-off-on-ice", &["implicit-euler", "events"], 2.0),
    ("car-brake-release", &["implicit-euler", "events"], 2.5),
    ("tyre-braking", &["implicit-euler", "events"], 4.5),
    ("anti-lock-tyre", &["implicit-euler", "events"], 0.5),
    ("ten-stops-hot-brake", &["implicit-euler", "events"], 40.0),
    ("two-mass", &["implicit-euler", "moreau-jean", "events"], 4.0),
    ("block-on-belt", &["implicit-euler", "events"], 3.0),
    ("bogie-case-2b", &["implicit-euler", "events"], 0.5),
    ("towed-wheel-p1", &["implicit-euler", "events"], 0.3),
    ("rail-wheel-braking", &["implicit-euler"], 2.0),
    ("motorcycle-stoppie", &["implicit-euler", "events"], 1.5),
    ("half-car-bump", &["implicit-euler", "events"], 0.8),
    ("load-transfer-three-solutions", &["implicit-euler", "events"], 0.1),
];

fn open(name: &str, scheme: &str) -> Box<dyn Simulation> {
    let scheme = Override::new(format!("run.scheme={scheme}"));
    let scenario = MODELS.builtin(name, &[scheme]).expect("it can be read");
    simulation(&scenario).expect("it can be built")
}

/// Everything a row shows, to the bit.
fn bits(simulation: &dyn Simulation) -> Vec<u64> {
    let mut row = vec![0.0; simulation.columns().len()];
    simulation.row(&mut row);
    row.iter().map(|value| value.to_bits()).collect()
}

/// Instants at random, on no grid, with the end last.
fn instants(end: f64, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed);
    let mut instants: Vec<f64> = (0..6).map(|_| random.between(0.0, end)).collect();
    instants.sort_by(f64::total_cmp);
    instants.push(end);
    instants
}

#[test]
fn a_run_that_is_cut_saved_and_restored_is_the_uncut_run() {
    for (name, schemes, end) in CASES {
        for scheme in schemes {
            let mut uncut = open(name, scheme);
            uncut.advance_to(end).expect("it runs");
            let mut cut = open(name, scheme);
            let mut events = 0;
            for t in instants(end, name.len() as u64) {
                cut.advance_to(t).expect("it runs");
                events += cut.take_events().len();
                let saved = cut.save().expect("it can be saved");
                // All but the saved bytes is dropped.
                cut = open(name, scheme);
                cut.restore(&saved).expect("it can be restored");
                assert_eq!(cut.time().to_bits(), t.to_bits(), "{name} by {scheme}");
            }
            assert_eq!(bits(cut.as_ref()), bits(uncut.as_ref()), "{name} by {scheme}");
            assert_eq!(events, uncut.take_events().len(), "{name} by {scheme}");
        }
    }
}

/// Set in the process that goes on: the scenario, the scheme, the end, and the file with what was saved.
const GOES_ON: &str = "STICKSLIP_TEST_GOES_ON";

#[test]
fn another_process_goes_on() {
    if let Ok(task) = std::env::var(GOES_ON) {
        let [name, scheme, end, file] = task.split('|').collect::<Vec<_>>()[..] else { panic!("{task}") };
        let mut simulation = open(name, scheme);
        simulation.restore(&std::fs::read(file).expect("saved")).expect("restored");
        simulation.advance_to(end.parse().expect("a time")).expect("it runs");
        let words: Vec<String> = bits(simulation.as_ref()).iter().map(u64::to_string).collect();
        std::fs::write(format!("{file}.out"), words.join(" ")).expect("written");
        return;
    }
    let folder = std::env::temp_dir().join(format!("stickslip-goes-on-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, scheme, end) in [
        ("bogie-case-2b", "events", 0.4),
        ("drive-off-on-ice", "implicit-euler", 2.0),
        ("two-mass", "moreau-jean", 3.0),
    ] {
        let mut simulation = open(name, scheme);
        simulation.advance_to(0.5 * end).expect("it runs");
        let file = folder.join(format!("{name}-{scheme}"));
        std::fs::write(&file, simulation.save().expect("saved")).expect("written");
        simulation.advance_to(end).expect("it runs");
        let task = format!("{name}|{scheme}|{end}|{}", file.display());
        let ran = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "another_process_goes_on"])
            .env(GOES_ON, task)
            .output()
            .expect("it starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        let words = std::fs::read_to_string(format!("{}.out", file.display())).expect("an answer");
        let there: Vec<u64> = words.split(' ').map(|word| word.parse().expect("bits")).collect();
        assert_eq!(there, bits(simulation.as_ref()), "{name} by {scheme}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
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

/// A signal that jumps at an instant.
fn jump(at: f64, before: f64, after: f64) -> Signal {
    Signal::Points(Points::new(vec![0.0, at, at], vec![before, before, after]).expect("points"))
}

#[test]
fn an_input_that_changes_is_a_signal_that_jumps() {
    for (name, input, values) in [
        ("wheel-sport-braking", "brake.torque", [100.0, 900.0]),
        ("car-two-wheels-braking", "wheel.front.brake", [200.0, 4000.0]),
        ("car-brake-ramp", "wheel.front.brake", [800.0, 6000.0]),
        ("two-mass", "force.upper.x", [0.5, -3.0]),
    ] {
        for scheme in ["implicit-euler", "events"] {
            let first = open(name, scheme).inputs();
            let input = first.iter().find(|known| known.name == input).map_or_else(
                || first.iter().find(|known| known.name.starts_with("force.")).expect("a force").name.clone(),
                |known| known.name.clone(),
            );
            // Implicit steps take these signals at their ends: one that jumps at t = 1 counts in the step that ends there,
            // which an object that stands at t = 1 has made already.
            let at = if scheme == "events" { 1.0 } else { 1.0_f64.next_up() };
            let mut whole = open(name, scheme);
            whole.set_input(&input, jump(at, values[0], values[1])).expect("taken");
            whole.advance_to(2.0).expect("it runs");
            let mut fed = open(name, scheme);
            fed.set_input(&input, Signal::Constant(values[0])).expect("taken");
            fed.advance_to(1.0).expect("it runs");
            fed.set_input(&input, Signal::Constant(values[1])).expect("taken");
            fed.advance_to(2.0).expect("it runs");
            let columns = whole.columns().to_vec();
            let (mut a, mut b) = (vec![0.0; columns.len()], vec![0.0; columns.len()]);
            whole.row(&mut a);
            fed.row(&mut b);
            for ((a, b), column) in a.iter().zip(&b).zip(&columns) {
                assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{name} by {scheme}: {} is {a} and {b}", column.name);
            }
            let (one, other) = (whole.take_events(), fed.take_events());
            assert_eq!(one.len(), other.len(), "{name} by {scheme}: {one:?} {other:?}");
        }
    }
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
