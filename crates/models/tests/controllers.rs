//! Controllers in the loop of vehicles, against reference stops by two separately written codes (reference/tyre/abs-*.csv).

#![allow(clippy::unwrap_used, reason = "tests")]

use stickslip_core::law::State;
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Samples, Simulation, Sink, SinkError};
use stickslip_models::MODELS;
use stickslip_run::{Options, Outcome, OutputFolder, simulation};

fn run(name: &str, changes: &[&str]) -> Box<dyn Simulation> {
    let changes: Vec<_> = changes.iter().map(|change| (*change).into()).collect();
    simulation(&MODELS.builtin(name, &changes).unwrap()).unwrap()
}

fn column(run: &dyn Simulation, name: &str) -> f64 {
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[run.columns().iter().position(|column| column.name == name).unwrap()]
}

fn value(run: &dyn Simulation, name: &str) -> f64 {
    run.values().into_iter().find(|(own, _)| own == name).unwrap().1
}

/// Goes to where V = 0 first, after t: the place there.
fn way_to_standstill(run: &mut dyn Simulation, t: f64) -> (f64, f64) {
    run.advance_to(t).unwrap();
    loop {
        let before = run.fork();
        run.advance_to_event(t + 2.0).unwrap();
        if column(run, "x1") <= 1e-9 {
            return (run.time(), column(run, "x"));
        }
        assert!(run.time() < t + 2.0, "{}", before.time());
    }
}

/// Keeps all rows.
#[derive(Default)]
struct Rows {
    rows: Vec<(u64, f64, Vec<f64>)>,
    changes: usize,
}

impl Sink for Rows {
    fn row(&mut self, n: u64, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        self.rows.push((n, t, row.to_vec()));
        Ok(())
    }
    fn event(&mut self, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
    fn changed(&mut self, _: f64, _: &[f64], _: &[State]) -> Result<(), SinkError> {
        self.changes += 1;
        Ok(())
    }
}

#[test]
fn stops_by_events_are_those_of_the_references() {
    for (name, changes, after, t, x, cycles) in [
        ("anti-lock-tyre", &[][..], 3.5, 3.874693195, 57.46499794, 27.0),
        ("anti-lock-tyre", &["controller.abs.slip_high=2"], 3.9, 4.241451254, 63.80446374, 0.0),
        ("anti-lock-stribeck", &[], 4.2, 4.460354679, 70.43089088, 27.0),
        ("anti-lock-stribeck", &["controller.abs.slip_high=2"], 4.8, 5.073229390, 80.72118512, 0.0),
    ] {
        let mut run = run(name, changes);
        let found = way_to_standstill(&mut *run, after);
        assert!((found.0 - t).abs() < 1e-7 && (found.1 - x).abs() < 1e-6, "{name} {changes:?}: {found:?}");
        assert_eq!(value(&*run, "cycles_abs"), cycles, "{name}");
        assert!(run.ledger().closure() < 1e-9);
    }
}

#[test]
fn every_change_of_mode_is_that_of_the_reference() {
    for (name, table) in [
        ("anti-lock-tyre", include_str!("../../../reference/tyre/abs-tyre-z.csv")),
        ("anti-lock-stribeck", include_str!("../../../reference/tyre/abs-stribeck.csv")),
    ] {
        let mut run = run(name, &[]);
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let mode = match cells[1] {
                "UP" => 1.0,
                "HOLD" => 0.0,
                "DOWN" => -1.0,
                _ => continue,
            };
            let number = |k: usize| cells[k].parse::<f64>().unwrap();
            run.advance_to(number(0)).unwrap();
            let near = |name: &str, value: f64, tolerance: f64| {
                let own = column(&*run, name);
                assert!((own - value).abs() < tolerance, "{name} at {}: {own} {value}", cells[0]);
            };
            // A sample is taken where the run stands at its instant but for rounding.
            let mut after = run.fork();
            after.advance_to(number(0) + 1e-9).unwrap();
            assert_eq!(column(&*after, "mode_abs"), mode, "{line}");
            near("command_abs", number(2), 1e-6);
            near("x1", number(3), 1e-6);
            near("v_wheel", -number(4), 1e-5);
            near("x", number(5), 1e-7);
        }
    }
}

/// The row of the steady law of section 6: stop to 1e-6 m, cycles equal.
#[test]
fn the_steady_law_by_events_is_that_of_the_reference() {
    let steady = ["wheel.wheel.tyre.form=\"steady\"", "controller.abs.speed_off=2", "road.rolling=0"];
    let mut run = run("anti-lock-tyre", &steady);
    run.advance_to(6.0).unwrap();
    let (x, cycles) = (column(&*run, "x"), value(&*run, "cycles_abs"));
    assert!((x - 58.51584053).abs() < 1e-6 && cycles == 22.0, "{x} {cycles}");
    assert!((value(&*run, "margin_abs") / 1.6e-4 - 1.0).abs() < 0.05);
    assert_eq!(column(&*run, "x1"), 0.0);
    let stop = run.take_events().last().unwrap().t;
    assert!((stop - 3.913737424).abs() < 1e-6, "{stop}");
}

#[test]
fn by_steps_the_stop_is_within_a_percent() {
    let steady = ["wheel.wheel.tyre.form=\"steady\"", "controller.abs.speed_off=2", "road.rolling=0"];
    for (name, changes, x, cycles) in [
        ("anti-lock-tyre", &[][..], 57.46499794, 27.0),
        ("anti-lock-tyre", &steady, 58.51584053, 22.0),
        ("anti-lock-stribeck", &[], 70.43089088, 27.0),
    ] {
        for step in ["run.step=\"0.1 ms\"", "run.step=\"0.05 ms\"", "run.step=\"0.025 ms\""] {
            let mut run = run(name, &[&["run.scheme=\"implicit-euler\"", step], changes].concat());
            run.advance_to(6.0).unwrap();
            let found = (column(&*run, "x"), value(&*run, "cycles_abs"));
            assert!((found.0 / x - 1.0).abs() < 0.01 && (found.1 - cycles).abs() <= 3.0, "{name}, {step}: {found:?}");
        }
    }
}

/// The same stops without control, which the reports show beside: rows of section 6 of the references.
#[test]
fn the_stop_without_control_stands_beside() {
    for (name, t, x) in [("anti-lock-tyre", 4.241451254, 63.80446374), ("anti-lock-stribeck", 5.073229390, 80.72118512)]
    {
        for (scheme, near) in [("events", [1e-7, 1e-6]), ("implicit-euler", [0.01 * t, 0.01 * x])] {
            let folder = tempfile::tempdir().unwrap();
            let changes = [format!("run.scheme=\"{scheme}\"").as_str().into(), "run.step=\"1 ms\"".into()];
            let scenario = MODELS.builtin(name, &changes).unwrap();
            let out = OutputFolder::create(&folder.path().join("out"), false).unwrap();
            let options = Options { no_study: true, ..Options::default() };
            let run = stickslip_run::run(&scenario, out, options, &mut |_| {}).unwrap();
            let Outcome::InTime { summary, .. } = &run.result else { panic!("in time") };
            let beside = &summary.more["without_control"];
            let found = ["stopping_time", "stopping_distance"].map(|key| beside[key].as_f64().unwrap());
            assert!((found[0] - t).abs() < near[0] && (found[1] - x).abs() < near[1], "{name}, {scheme}: {found:?}");
            assert!(summary.lines.iter().any(|line| line.contains("shorter")), "{:?}", summary.lines);
            assert!(run.folder.join("figures/without-control.svg").is_file());
        }
    }
}

#[test]
fn looking_recording_saving_change_nothing() {
    for changes in [&[][..], &["run.scheme=\"implicit-euler\"", "run.step=\"0.7 ms\""]] {
        let bits = |run: &dyn Simulation| {
            let mut row = vec![0.0; run.columns().len()];
            run.row(&mut row);
            row.iter().map(|cell| cell.to_bits()).collect::<Vec<_>>()
        };
        let mut whole = run("anti-lock-stribeck", changes);
        whole.advance_to(2.0).unwrap();
        let expected = bits(&*whole);
        for (h, every) in [(1e-3, 1), (0.0073, 1), (8e-4, 3), (0.4, 1), (2.0, 1)] {
            let mut recorded = run("anti-lock-stribeck", changes);
            let mut rows = Rows::default();
            let samples = Samples { grid: Grid::cover(2.0, h), every };
            recorded.record(samples, &mut rows).unwrap();
            let last = rows.rows.last().unwrap();
            assert_eq!((last.0, bits(&*recorded)), (samples.grid.steps, expected.clone()), "{h}");
            let numbers: Vec<u64> = rows.rows.iter().map(|row| row.0).collect();
            let mut wanted: Vec<u64> = (0..=samples.grid.steps).step_by(every as usize).collect();
            wanted.extend((!samples.grid.steps.is_multiple_of(every)).then_some(samples.grid.steps));
            assert_eq!(numbers, wanted, "{h}");
            assert!(rows.rows.iter().all(|(n, t, row)| *t == samples.grid.time(*n) && (row[0] - t).abs() < 1e-9));
            assert!(rows.changes > 4, "{}", rows.changes);
        }
        let mut cut = run("anti-lock-stribeck", changes);
        for t in [0.0031, 0.0073, 0.5, 1.2345] {
            cut.advance_to(t).unwrap();
        }
        let saved = cut.save().unwrap();
        let mut other = run("anti-lock-stribeck", changes);
        other.restore(&saved).unwrap();
        other.advance_to(2.0).unwrap();
        assert_eq!(bits(&*other), expected);
        let mut strange = run("anti-lock-stribeck", &[changes, &["controller.abs.slip_high=0.11"]].concat());
        assert!(strange.restore(&saved).is_err(), "another controller");
    }
}

const TWO: &str = r#"model = "vehicle"
[vehicle]
mass = "1200 kg"
[road]
friction = 0.9
[[wheel]]
name = "front"
radius = 0.3
inertia = 2.4
load = 0.6
[[wheel]]
name = "rear"
radius = 0.3
inertia = 2.4
load = 0.4
[[controller]]
name = "cruise"
kind = "pid"
measure = "x1"
command = "wheel.rear.motor"
target = 20
proportional = -800
integral = -100
limits = [-900, 0]
period = "20 ms"
[[controller]]
name = "hold"
kind = "table"
measure = "x"
command = "wheel.front.brake"
points = [[100, 0], [101, 1500]]
period = "30 ms"
[run]
duration = 20
step = "1 ms"
"#;

#[test]
fn several_controllers_command_at_once() {
    for scheme in ["", "scheme = \"events\"\n"] {
        let text = format!("{TWO}{scheme}");
        let scenario = MODELS.parse("two", &text, ".", &[]).unwrap();
        let mut run = simulation(&scenario).unwrap();
        // The force of the motor is at its limit: a = 900/0.3/(m + ΣJ).
        run.advance_to(2.0).unwrap();
        let expected = 3000.0 / (1200.0 + 2.0 * 2.4 / 0.09) * 2.0;
        assert!((column(&*run, "x1") - expected).abs() < 1e-12 * expected, "{}", column(&*run, "x1"));
        assert_eq!((column(&*run, "command_cruise"), column(&*run, "command_hold")), (-900.0, 0.0));
        run.advance_to(20.0).unwrap();
        assert_eq!(column(&*run, "command_hold"), 1500.0);
        assert!(run.set_input("wheel.front.brake", Signal::Constant(3.0)).is_err(), "driven by a controller");
        assert!(!run.inputs().iter().any(|input| input.name == "wheel.front.brake"));
    }
}

#[test]
fn a_controller_that_is_never_asked_again_is_doubted() {
    let doubts = |period: &str| {
        let mut run = run("anti-lock-tyre", &[period]);
        run.advance_to(0.5).unwrap();
        run.doubts()
    };
    let told = doubts("controller.abs.period=100");
    assert!(told.iter().any(|words| words.contains("sampled once only") && words.contains("100 s")), "{told:?}");
    assert!(!doubts("controller.abs.period=0.4").iter().any(|words| words.contains("sampled")));
}

#[test]
fn times_without_an_end_are_refused_and_asked_of_nobody() {
    for scheme in ["run.scheme=events", "run.scheme=implicit-euler"] {
        let mut run = run("anti-lock-stribeck", &[scheme]);
        run.advance_to(0.1).unwrap();
        let before = run.save().unwrap();
        for wrong in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(run.step(wrong).is_err() && run.advance_to(wrong).is_err() && run.advance_to_event(wrong).is_err());
        }
        for wrong in [0.0, -1e-3] {
            assert!(run.step(wrong).is_err());
        }
        assert!(run.save().unwrap() == before, "a refused step changes nothing");
    }
}
