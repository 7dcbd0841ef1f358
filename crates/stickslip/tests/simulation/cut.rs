//! Runs that are cut, saved, restored and looked at: all models in time, by all schemes that they have.

use std::process::Command;

use super::*;
use stickslip_core::mechanics::Ledger;

/// What is changed of a scenario, scheme first, for each way to run it.
type Ways = &'static [&'static [&'static str]];

/// By steps of implicit Euler, and by events.
const USUAL: Ways = &[&["run.scheme=implicit-euler"], &["run.scheme=events"]];

/// The θ-method: walls, in both configurations, and the end of its range, which is implicit Euler.
const THETA: Ways = &[
    &["run.scheme=theta"],
    &["run.scheme=theta", "run.theta=0.8"],
    &["run.scheme=theta", "run.theta=1"],
    &["run.scheme=theta", "run.judged=\"end\""],
    &["run.scheme=moreau-jean"],
    &["run.scheme=implicit-euler"],
];

/// Assemblies without walls, by all of theirs.
const ALL: Ways = &[
    &["run.scheme=implicit-euler"],
    &["run.scheme=moreau-jean"],
    &["run.scheme=theta", "run.theta=0.7"],
    &["run.scheme=events"],
];

/// Wheels that squeal: by steps of second order and by events.
const SQUEAL: Ways = &[&["run.scheme=second-order"], &["run.scheme=events"]];

/// The same from so great a speed that contacts stick and slip at once.
const HARD: Ways = &[&["run.scheme=second-order", "start.kick=0.05"], &["run.scheme=events", "start.kick=0.05"]];

/// A car that rolls uphill backwards and down again: its greatest speeds are at neither end, nor where a contact changes.
const TURNING: Ways = &[&["road.slope=10 deg", "run.step=0.01", "initial.speed=-15"]];

/// A car on a road that goes up and down with the place.
const HILLS: Ways = &[
    &["run.scheme=implicit-euler", "road.profile=[[0, 0], [10, 0.1], [20, -0.1], [30, 0]]"],
    &["run.scheme=events", "road.profile=[[0, 0], [10, 0.1], [20, -0.1], [30, 0]]"],
];

/// A wheel that is driven and rolls against it, with the greatest speed on the way.
const SPUN: Ways = &[&["motor.torque={expression = \"100*sin(3*t)\"}", "initial.speed=1", "run.step=0.01"]];

/// Scenarios of all models in time, the ways in which they are run, and until when \[s\].
const CASES: [(&str, Ways, f64); 25] = [
    ("wheel-sport-braking", USUAL, 3.0),
    ("car-two-wheels-braking", USUAL, 2.0),
    ("car-two-wheels-braking", TURNING, 3.0),
    ("car-two-wheels-braking", HILLS, 2.5),
    ("wheel-sport-braking", SPUN, 3.0),
    ("drive-off-on-ice", USUAL, 2.0),
    ("car-brake-release", USUAL, 2.5),
    ("truck-three-axles", USUAL, 1.0),
    ("tyre-braking", USUAL, 4.5),
    ("anti-lock-tyre", USUAL, 0.5),
    ("ten-stops-hot-brake", USUAL, 40.0),
    ("two-mass", ALL, 4.0),
    ("block-on-belt", ALL, 3.0),
    ("mode-coupling", ALL, 0.5),
    ("bogie-case-2b", ALL, 0.5),
    ("mass-on-stop", THETA, 1.0),
    ("towed-wheel-p1", USUAL, 0.3),
    ("rail-wheel-braking", &[&["run.scheme=implicit-euler"]], 2.0),
    ("motorcycle-stoppie", USUAL, 1.5),
    ("half-car-bump", USUAL, 0.8),
    ("half-car-braking", USUAL, 0.8),
    ("load-transfer-three-solutions", USUAL, 0.1),
    ("squeal-one-mode", SQUEAL, 0.02),
    ("squeal-pair", &[&["run.scheme=second-order"]], 0.01),
    ("squeal-wheel", HARD, 0.01),
];

/// Each case with each of its ways.
fn cases() -> impl Iterator<Item = (&'static str, &'static [&'static str], f64)> {
    CASES.into_iter().flat_map(|(name, ways, end)| ways.iter().map(move |way| (name, *way, end)))
}

/// All that can be asked of a run, to the bit.
#[derive(Debug, PartialEq)]
struct Told {
    row: Vec<u64>,
    states: Vec<State>,
    velocities: Vec<u64>,
    stuck: Vec<u64>,
    ledger: Ledger,
    residual: u64,
}

fn told(simulation: &dyn Simulation) -> Told {
    let bits_of = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect();
    let mut states = vec![State::Open; simulation.contacts().len()];
    simulation.contact_states(&mut states);
    Told {
        row: bits(simulation),
        states,
        velocities: bits_of(simulation.velocities()),
        stuck: bits_of(simulation.stuck()),
        ledger: simulation.ledger(),
        residual: simulation.worst_residual().to_bits(),
    }
}

/// Instants at random, on no grid, with the end last.
fn instants(end: f64, seed: u64) -> Vec<f64> {
    let mut random = SplitMix64(seed);
    let mut instants: Vec<f64> = (0..6).map(|_| random.between(0.0, end)).collect();
    instants.sort_by(f64::total_cmp);
    instants.push(end);
    instants
}

#[test]
fn every_model_in_time_is_here_with_each_of_its_schemes() {
    let of = |name: &str, way: &[&str]| {
        let scenario = read(name, way).ok()?;
        simulation(&scenario).is_ok().then(|| (scenario.model.name(), scenario.run.scheme.name()))
    };
    let here: Vec<_> = cases().filter_map(|(name, way, _)| of(name, way)).collect();
    for (_, builtins) in MODELS.builtins_by_model() {
        for scheme in ["implicit-euler", "moreau-jean", "theta", "second-order", "events"] {
            let scheme = format!("run.scheme={scheme}");
            for builtin in builtins.iter().take(2) {
                let pair = of(builtin.name, &[&scheme]);
                assert!(pair.is_none_or(|pair| here.contains(&pair)), "{pair:?} is cut nowhere");
            }
        }
    }
}

#[test]
fn a_run_that_is_cut_saved_and_restored_is_the_uncut_run() {
    for (name, way, end) in cases() {
        let mut uncut = opened(name, way);
        uncut.advance_to(end).expect("it runs");
        let mut cut = opened(name, way);
        let mut events = Vec::new();
        for t in instants(end, name.len() as u64) {
            cut.advance_to(t).expect("it runs");
            events.extend(cut.take_events());
            let saved = cut.save().expect("it can be saved");
            // All but the saved bytes is dropped.
            cut = opened(name, way);
            cut.restore(&saved).expect("it can be restored");
            // The end of a grid is met but for rounding of its steps.
            assert!((cut.time() - t).abs() <= 4.0 * f64::EPSILON * t, "{name} by {way:?}");
        }
        assert_eq!(told(cut.as_ref()), told(uncut.as_ref()), "{name} by {way:?}");
        assert_eq!(events, uncut.take_events(), "{name} by {way:?}");
    }
}

/// Rows of a grid and the events on the way.
fn recorded(simulation: &mut dyn Simulation, grid: Grid) -> Kept {
    let mut kept = Kept::default();
    simulation.record(Samples { grid, every: 3 }, &mut kept).expect("it runs");
    kept
}

#[test]
fn a_run_is_the_beginning_of_a_longer_one() {
    for (name, way, end) in cases() {
        // Durations of which the shorter is half of the longer, so that steps have the same size.
        let run_for = |duration: f64| {
            let duration = format!("run.duration={duration}");
            opened(name, &[way, &[duration.as_str()]].concat())
        };
        let grid = Grid { h: end / 300.0, steps: 150 };
        let short = recorded(run_for(0.5 * end).as_mut(), grid);
        let long = recorded(run_for(end).as_mut(), Grid { steps: 300, ..grid });
        let (rows, until) = (short.0.len(), grid.time(grid.steps));
        assert_eq!(short.0, long.0[..rows], "{name} by {way:?}");
        let events: Vec<Event> = long.1.into_iter().filter(|event| event.t <= until).collect();
        assert_eq!(short.1, events, "{name} by {way:?}");
    }
}

/// Set in the process that goes on: number of the case, its end, and the file with what was saved.
const GOES_ON: &str = "STICKSLIP_TEST_GOES_ON";

#[test]
fn another_process_goes_on() {
    if let Ok(task) = std::env::var(GOES_ON) {
        let [case, file] = task.split('|').collect::<Vec<_>>()[..] else { panic!("{task}") };
        let (name, way, end) = cases().nth(case.parse().expect("a number")).expect("a case");
        let mut simulation = opened(name, way);
        simulation.restore(&std::fs::read(file).expect("saved")).expect("restored");
        simulation.advance_to(end).expect("it runs");
        let words: Vec<String> = bits(simulation.as_ref()).iter().map(u64::to_string).collect();
        std::fs::write(format!("{file}.out"), words.join(" ")).expect("written");
        return;
    }
    let folder = std::env::temp_dir().join(format!("stickslip-goes-on-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (case, (name, way, end)) in cases().enumerate() {
        let mut simulation = opened(name, way);
        simulation.advance_to(0.47 * end).expect("it runs");
        let file = folder.join(case.to_string());
        std::fs::write(&file, simulation.save().expect("saved")).expect("written");
        simulation.advance_to(end).expect("it runs");
        let ran = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", "cut::another_process_goes_on"])
            .env(GOES_ON, format!("{case}|{}", file.display()))
            .output()
            .expect("it starts");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
        let words = std::fs::read_to_string(format!("{}.out", file.display())).expect("an answer");
        let there: Vec<u64> = words.split(' ').map(|word| word.parse().expect("bits")).collect();
        assert_eq!(there, bits(simulation.as_ref()), "{name} by {way:?}");
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}
