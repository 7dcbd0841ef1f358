//! Motorcycles: schemes against each other, landings, falls, several solutions, inputs.

use stickslip_core::law::State;
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::Simulation;
use stickslip_linalg::SplitMix64;
use stickslip_models::MODELS;
use stickslip_models::motorcycle::{Motorcycle, Parameters};
use stickslip_run::{measure, run_to_end, simulation};
use stickslip_scenario::Override;

fn scenario(name: &str, changes: &[&str]) -> stickslip_run::Scenario {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    MODELS.builtin(name, &changes).expect("it can be read")
}

fn value(run: &dyn Simulation, name: &str) -> f64 {
    run.values().iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}")).1
}

fn cell(run: &dyn Simulation, name: &str) -> f64 {
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[run.columns().iter().position(|column| column.name == name).expect("a column")]
}

/// The second column of the line that begins so, of the table of events of section 2.4.
fn ends() -> [(&'static str, f64); 4] {
    [
        ("motorcycle-stoppie", 30.378_157_274_2),
        ("motorcycle-stoppie-small", 21.716_478_656_6),
        ("motorcycle-wheelie", 25.120_675_949_3),
        ("motorcycle-wheelie-spin", 16.857_606_413),
    ]
}

#[test]
fn by_events_as_found_by_others() {
    for (name, x) in ends() {
        let run = run_to_end(&scenario(name, &[])).expect("it runs");
        assert!((value(&*run, "x") - x).abs() < 1e-8, "{name}: {}", value(&*run, "x"));
        assert!(run.ledger().closure() < 1e-12, "{name}: {}", run.ledger().closure());
        assert!(run.worst_residual() < 1e-12, "{name}");
    }
}

/// Order one, and energy that never rises: what is put in, less heat and landings, is no less than what is stored.
#[test]
fn steps_come_to_the_same() {
    for (name, x) in ends() {
        let steps = [1e-3, 5e-4, 2.5e-4];
        let misses = steps.map(|h| {
            let step = format!("run.step={h}");
            let run = run_to_end(&scenario(name, &["run.scheme=implicit-euler", &step])).expect("it runs");
            assert!(run.ledger().lost() > 0.0, "{name}: {:?}", run.ledger());
            value(&*run, "x") - x
        });
        // At 20 m/s a step is 20 h long; the wheelies miss by less, since their errors cancel.
        assert!(misses.iter().zip(steps).all(|(miss, h)| miss.abs() < 10.0 * h), "{name}: {misses:?}");
        let order = (misses[0] / misses[2]).log2() / 2.0;
        assert!(name.contains("wheelie") || (order - 1.0).abs() < 0.05, "{name}: {misses:?}");
    }
}

/// Trap 3 of time stepping: gaps that a landing leaves are of the order of the step, and close.
#[test]
fn steps_leave_no_gap() {
    let mut run = simulation(&scenario("motorcycle-stoppie", &["run.scheme=implicit-euler"])).expect("built");
    run.advance_to(1.5).expect("it runs");
    assert!(cell(&*run, "gap_rear").abs() < 1e-9 && cell(&*run, "gap_front").abs() < 1e-9);
    assert!(cell(&*run, "pitch").abs() < 1e-9);
}

#[test]
fn rest_is_exact() {
    let brake = "front.brake={ points = [[0, 0], [0.5, 300]] }";
    for scheme in ["run.scheme=events", "run.scheme=implicit-euler"] {
        let changes = [brake, "rear.brake=200", scheme, "run.duration=12", "initial.speed=10"];
        let mut run = simulation(&scenario("motorcycle-stoppie", &changes)).expect("built");
        run.advance_to(8.0).expect("it runs");
        let rest = cell(&*run, "x");
        assert_eq!((cell(&*run, "x1"), cell(&*run, "v_front"), cell(&*run, "v_rear")), (0.0, 0.0, 0.0), "{scheme}");
        run.advance_to(12.0).expect("it runs");
        assert_eq!(cell(&*run, "x"), rest, "{scheme}");
        // m v²/2 with the wheels, and the brakes have it all.
        let mut states = [State::Open; 4];
        run.contact_states(&mut states);
        assert_eq!(states, [State::Stick; 4], "{scheme}");
    }
}

#[test]
fn held_too_long_it_falls_over() {
    let brake = "front.brake={ points = [[0.1, 0], [0.3, 1000]] }";
    for scheme in ["run.scheme=events", "run.scheme=implicit-euler"] {
        let error = run_to_end(&scenario("motorcycle-stoppie", &[brake, scheme])).err().expect("it falls").to_string();
        assert!(error.contains("fell over its front wheel"), "{error}");
    }
    let drive = "rear.drive={ points = [[0.1, 0], [0.2, 900]] }";
    let error = run_to_end(&scenario("motorcycle-wheelie", &[drive])).err().expect("it falls").to_string();
    assert!(error.contains("fell over its rear wheel"), "{error}");
}

/// Each selection leads to the events of the note, section 3; every run tells all three solutions.
#[test]
fn three_solutions() {
    let first = |select: &str, duration: &str| {
        let changes = [format!("solutions.select={select}"), format!("run.duration={duration}")];
        let mut run =
            run_to_end(&scenario("load-transfer-three-solutions", &[&changes[0], &changes[1]])).expect("it runs");
        let unique = run.uniqueness();
        assert!(!unique.velocities && unique.reason.contains("3 solutions at t = 0 s"), "{}", unique.reason);
        assert!(unique.reason.matches("index +1").count() >= 2, "{}", unique.reason);
        (run.take_events()[0], unique.reason.to_string())
    };
    let (grips, words) = first("both", "0.06");
    assert!((grips.t - 3.0 / 66.13325).abs() < 1e-8 && grips.contact == 2, "{grips:?}");
    assert!(words.contains("Taken: both wheels on the ground, of index -1"), "{words}");
    let (stops, words) = first("rear", "0.2");
    assert!(words.contains("Taken: rear lifted;"), "{words}");
    assert!((stops.t - 0.156_582_782).abs() < 1e-8, "{stops:?}");
    let (grips, words) = first("front", "0.1");
    assert!(words.contains("Taken: front lifted;"), "{words}");
    assert!((grips.t - 0.014_145_098).abs() < 1e-8 && grips.contact == 2, "{grips:?}");
    // Steps choose the same branch, and tell it.
    for (select, lifted) in [("front", 0), ("rear", 2), ("nearest", 0)] {
        let select = format!("solutions.select={select}");
        let changes = ["run.scheme=implicit-euler", &select, "run.duration=0.01"];
        let run = run_to_end(&scenario("load-transfer-three-solutions", &changes)).expect("it runs");
        let mut states = [State::Open; 4];
        run.contact_states(&mut states);
        assert_eq!(states[lifted], State::Open, "{select}");
        assert!(!run.uniqueness().velocities, "{select}");
    }
}

#[test]
fn without_a_solution_an_error_or_an_impulse() {
    // Both wheels turn forward slower than they go, held by brakes that give way: beyond A11 = 0 of a wheel that turns.
    let height = format!("motorcycle.height={}", 0.3 + (0.6 + 0.25) / 0.45 + 0.01);
    let changes = [&height, "rear.drive=0", "rear.brake=1000", "rear.rim_speed=0", "run.duration=0.01"];
    let error = run_to_end(&scenario("load-transfer-three-solutions", &changes)).err().expect("none").to_string();
    assert!(error.contains("Painlevé") && error.contains("without = \"impulse\""), "{error}");
    let changes = [changes[0], changes[1], changes[2], changes[3], changes[4], "solutions.without=impulse"];
    let run = run_to_end(&scenario("load-transfer-three-solutions", &changes)).expect("an impulse");
    assert!(value(&*run, "landing_impulse_front") > 1.0 && value(&*run, "landing_loss") > 0.0);
}

/// An input that changes at t is a signal that jumps at t.
#[test]
fn inputs_are_jumps() {
    let brake = |points: &[(f64, f64)]| {
        let (times, values) = points.iter().copied().unzip();
        Signal::Points(Points::new(times, values).expect("points"))
    };
    let scenario = scenario("motorcycle-stoppie", &["front.brake=300", "run.duration=1.2"]);
    let parameters = scenario.model.of::<Parameters>().expect("a motorcycle").clone();
    let mut jumping = parameters.clone();
    jumping.data.wheels[0].brake = brake(&[(0.0, 300.0), (0.31, 300.0), (0.31, 900.0), (0.5, 900.0), (0.5, 100.0)]);
    let run = |parameters: &Parameters, fed: bool| {
        let motorcycle = Motorcycle::new(parameters.clone()).expect("built");
        let model: &dyn stickslip_run::TimeModel = &motorcycle;
        let mut run = model.simulation(stickslip_scenario::Scheme::Events, 1e-3).expect("built");
        if fed {
            run.advance_to(0.31).expect("it runs");
            run.set_input("front.brake", Signal::Constant(900.0)).expect("fed");
            run.advance_to(0.5).expect("it runs");
            run.set_input("front.brake", Signal::Constant(100.0)).expect("fed");
        }
        run.advance_to(1.2).expect("it runs");
        let events: Vec<(f64, usize)> = run.take_events().iter().map(|event| (event.t, event.contact)).collect();
        (["x", "pitch", "x1"].map(|name| value(&*run, name)), events)
    };
    let (jumped, told) = run(&jumping, false);
    let (fed, heard) = run(&parameters, true);
    assert!(told.len() >= 2, "{told:?}");
    assert!(jumped.iter().zip(fed).all(|(a, b)| (a - b).abs() < 1e-11), "{jumped:?} {fed:?}");
    assert_eq!(told.len(), heard.len());
    assert!(told.iter().zip(&heard).all(|(a, b)| (a.0 - b.0).abs() < 1e-11 && a.1 == b.1), "{told:?} {heard:?}");
}

/// A thousand stoppies at random, most of which land (a thousand landings: `loads/tests/planar.rs`): energy never rises, and Moreau's balance E⁻ − E⁺ = ½‖Δv‖² + Σ μ P_N |u_T⁺| is that of the ledger.
#[test]
fn energy_never_rises_at_a_landing() {
    let mut random = SplitMix64(14);
    let mut landings = 0;
    for _ in 0..1000 {
        let change = |key: &str, value: f64| Override::new(format!("{key}={value}"));
        let brake = random.between(500.0, 1500.0);
        let off = random.between(0.02, 0.12);
        let changes = [
            Override::new(format!("front.brake={{ points = [[0, {brake}], [{off}, {brake}], [{off}, 0]] }}")),
            change("initial.speed", random.between(3.0, 40.0)),
            change("road.friction", random.between(0.6, 1.4)),
            change("rear.inertia", random.between(0.1, 3.0)),
            change("motorcycle.height", random.between(0.5, 0.8)),
            change("motorcycle.pitch_inertia", random.between(20.0, 60.0)),
            Override::new("run.duration=0.5"),
        ];
        let scenario = MODELS.builtin("motorcycle-stoppie", &changes).expect("it can be read");
        let Ok(run) = run_to_end(&scenario) else { continue };
        let lost = run.ledger().dissipated.last().expect("landings").energy;
        assert!(lost >= 0.0 && run.ledger().closure() < 1e-11, "{:?}", run.ledger());
        landings += u32::from(run.values().iter().any(|(name, _)| name == "landing_t"));
    }
    assert!(landings > 500, "{landings}");
}

/// Rows do not change what is measured at events.
#[test]
fn measures_do_not_depend_on_rows() {
    let of = |step: &str, name: &str| measure(&scenario("motorcycle-stoppie", &[step])).expect("it runs").value(name);
    for name in ["greatest_pitch", "air_time", "first_lift", "landing_time", "landing_loss", "distance"] {
        assert_eq!(of("run.step=1e-3", name), of("run.step=0.037", name), "{name}");
        assert!(of("run.step=1e-3", name).is_some(), "{name}");
    }
}

/// A wheel may hop for less than a step of the integration: it must come down again, and not sink into the road.
#[test]
fn short_hops_come_down() {
    for friction in ["0.86", "0.88", "0.9", "0.92", "0.94", "0.96", "1"] {
        let friction = format!("road.friction={friction}");
        let of = |scheme: &str, step: &str| {
            let mut run = simulation(&scenario("motorcycle-stoppie", &[&friction, scheme, step, "run.duration=1.5"]))
                .expect("built");
            let mut least = 0.0_f64;
            for k in 1..=150 {
                run.advance_to(0.01 * f64::from(k)).unwrap_or_else(|error| panic!("{friction}: {error}"));
                least = least.min(cell(&*run, "gap_front")).min(cell(&*run, "gap_rear"));
            }
            (value(&*run, "x"), least, run.worst_residual())
        };
        let (exact, sunk, missed) = of("run.scheme=events", "run.step=1e-3");
        assert!(sunk > -1e-12 && missed < 1e-9, "{friction}: {sunk} {missed}");
        let (near, ..) = of("run.scheme=implicit-euler", "run.step=1e-4");
        assert!((exact - near).abs() < 5e-3, "{friction}: {exact} {near}");
    }
}

/// What stands, and what rolls without friction, has accelerations: forces that rounding leaves are no reason to find none.
#[test]
fn standing_and_frictionless_motorcycles_are_no_paradox() {
    let mut random = SplitMix64(77);
    for k in 0..60 {
        let mut between = |low: f64, high: f64| random.between(low, high);
        let height = between(0.35, 1.0);
        let changes = [
            format!("motorcycle.mass={}", between(80.0, 300.0)),
            format!("motorcycle.height={height}"),
            format!("motorcycle.pitch_inertia={}", between(5.0, 90.0)),
            format!("front.distance={}", between(0.3, 1.0)),
            format!("rear.distance={}", between(0.3, 1.0)),
            format!("road.friction={}", if k % 2 == 0 { 0.0 } else { between(0.2, 1.0) }),
            format!("initial.speed={}", if k % 4 == 3 { 0.0 } else { between(-20.0, 20.0) }),
            "front.brake=0".to_string(),
            "run.duration=2".to_string(),
        ];
        for scheme in ["run.scheme=events", "run.scheme=implicit-euler"] {
            let changes: Vec<&str> = changes.iter().map(String::as_str).chain([scheme]).collect();
            let scenario = scenario("motorcycle-stoppie", &changes);
            let speed = scenario.model.of::<Parameters>().expect("a motorcycle").speed;
            let run = run_to_end(&scenario).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
            // Nothing acts on it.
            assert!((cell(&*run, "x1") - speed).abs() <= 1e-12 * speed.abs(), "{changes:?}: {}", cell(&*run, "x1"));
            assert!((cell(&*run, "x") - 2.0 * speed).abs() <= 1e-10 * speed.abs(), "{changes:?}");
            assert!(run.ledger().lost().abs() <= 1e-9 && cell(&*run, "landing_loss") == 0.0, "{changes:?}");
        }
    }
}

/// Both brakes hold against a motor: for an hour, by events in a moment.
#[test]
fn an_hour_at_rest_is_a_moment() {
    let changes = [
        "front.brake=400",
        "rear.brake=400",
        "rear.drive={ points = [[0, 0], [0.1, 300], [0.2, 300], [0.3, 0]] }",
        "initial.speed=0",
        "run.duration=3600",
        "run.step=60",
    ];
    let run = run_to_end(&scenario("motorcycle-stoppie", &changes)).expect("it runs");
    assert_eq!((cell(&*run, "x"), cell(&*run, "x1"), cell(&*run, "v_rear")), (0.0, 0.0, 0.0));
    assert_eq!(run.ledger().closure(), 0.0);
    let changes = [changes[0], changes[1], changes[2], changes[3], "run.duration=1", "run.scheme=implicit-euler"];
    let run = run_to_end(&scenario("motorcycle-stoppie", &changes)).expect("it runs");
    assert_eq!((cell(&*run, "x"), cell(&*run, "x1")), (0.0, 0.0));
}

/// Measures have one meaning by both schemes: lift, landing, losses, spin, decelerations.
#[test]
fn measures_mean_the_same_by_steps() {
    for name in ["motorcycle-stoppie", "motorcycle-wheelie-spin", "motorcycle-wheelie"] {
        let of = |changes: &[&str]| measure(&scenario(name, changes)).expect("it runs");
        let (events, steps) = (of(&[]), of(&["run.scheme=implicit-euler", "run.step=1e-4"]));
        for (what, tolerance) in [
            ("landing_loss", 0.01),
            ("landing_time", 0.001),
            ("first_lift", 0.01),
            ("air_time", 0.01),
            ("greatest_pitch", 0.01),
            ("greatest_deceleration", 0.02),
            ("landing_impulse_rear", 0.01),
            ("heat_brake", 0.01),
        ] {
            if let Some(wanted) = events.value(what) {
                let found = steps.value(what).unwrap_or_else(|| panic!("{name}: no {what}"));
                assert!((found - wanted).abs() <= tolerance * wanted.abs() + 1e-3, "{name}, {what}: {found} {wanted}");
            }
        }
        let spin = |measures: &stickslip_run::Measures| measures.value("spin_time").unwrap_or(0.0);
        assert!((spin(&events) - spin(&steps)).abs() < 2e-3, "{name}: {} {}", spin(&events), spin(&steps));
    }
    // A height at which (h − R) + R is not h.
    let changes = ["motorcycle.height=0.81", "run.duration=0.1", "run.scheme=implicit-euler"];
    let measures = measure(&scenario("motorcycle-stoppie", &changes)).expect("it runs");
    assert!(measures.value("first_lift").is_none() && measures.value("landing_loss").is_none());
}

/// Parked with a motor that pulls against the brakes: nothing moves, no work is done, and there is one solution.
#[test]
fn parked_against_its_motor() {
    for drive in ["33.3", "50", "100", "119"] {
        for scheme in ["run.scheme=implicit-euler", "run.scheme=events"] {
            let drive = format!("rear.drive={drive}");
            let changes = ["front.brake=200", "rear.brake=300", "road.friction=0.8", "initial.speed=0", &drive, scheme];
            let run = run_to_end(&scenario("motorcycle-stoppie", &changes)).expect("it runs");
            let ledger = run.ledger();
            assert_eq!((ledger.work, ledger.dissipated_total(), ledger.stored), (0.0, 0.0, 0.0), "{drive} {scheme}");
            assert!(run.uniqueness().velocities, "{}", run.uniqueness().reason);
        }
    }
}

/// What is too large or too small beside the rest is refused for that, and not as a paradox of friction.
#[test]
fn numbers_of_extreme_size_are_refused_for_their_size() {
    for change in
        ["motorcycle.mass=1e300", "motorcycle.height=1e9", "motorcycle.pitch_inertia=1e-14", "rear.inertia=1e-18"]
    {
        let error = MODELS.builtin("motorcycle-stoppie", &[change.into()]).expect_err("it is refused").to_string();
        assert!(error.contains("differ by a factor of") && !error.contains("Painlevé"), "{change}: {error}");
        // The number to blame is the one that was changed.
        assert!(error.starts_with("--set"), "{change}: {error}");
    }
    // All lengths of micrometres: sizes fit together, and what is not found is not blamed on friction, which leaves accelerations.
    let small = [
        "motorcycle.height=7e-7",
        "front.distance=7.2e-7",
        "rear.distance=7.3e-7",
        "front.radius=3e-7",
        "rear.radius=3e-7",
        "motorcycle.pitch_inertia=45e-12",
        "front.inertia=0.6e-12",
        "rear.inertia=0.8e-12",
    ];
    for scheme in ["run.scheme=implicit-euler", "run.scheme=events"] {
        let ended = run_to_end(&scenario("motorcycle-stoppie", &[&small[..], &[scheme]].concat()));
        let words = ended.err().map_or_else(String::new, |error| error.to_string());
        assert!(!words.contains("Painlevé"), "{scheme}: {words}");
    }
    // A light wheel is none of that.
    assert!(MODELS.builtin("motorcycle-stoppie", &["rear.inertia=1e-9".into()]).is_ok());
}

/// A stop is an instant of the motion, that of its last event, however rarely rows are recorded.
#[test]
fn a_stop_does_not_depend_on_how_often_rows_are_recorded() {
    let text = |step: f64| {
        format!(
            "model = \"motorcycle\"\n[motorcycle]\nmass = 250.0\nheight = 0.7\npitch_inertia = 45.0\n[road]\nfriction = 0.8\n\
             gravity = 9.81\n[front]\ndistance = 0.72\nradius = 0.3\ninertia = 0.6\nbrake = 300\n[rear]\ndistance = 0.73\n\
             radius = 0.3\ninertia = 0.8\nbrake = 200\n[initial]\nspeed = 8.0\n[run]\nduration = 6.0\nstep = {step}\nscheme = \"events\"\n"
        )
    };
    let time = |step: f64| {
        let scenario = MODELS.parse("stop", &text(step), ".", &[]).unwrap_or_else(|error| panic!("{error}"));
        let measures = measure(&scenario).expect("runs");
        measures.value("stopping_time").expect("it stops")
    };
    // The front rolls under 300 N m, the rear locks and slides: the instant at which events.csv has both stand still.
    for step in [1e-2, 0.37, 0.5, 2.0] {
        assert!((time(step) - 1.441_746_080_541).abs() < 1e-10, "{step}: {}", time(step));
    }
}
