//! Half-cars: schemes against each other, looking on, inputs, standstill, what is doubted, what is refused.

use stickslip_core::law::State;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::Simulation;
use stickslip_models::MODELS;
use stickslip_models::half_car::Parameters;
use stickslip_run::{explain, measure, run_to_end, simulation};
use stickslip_scenario::Override;

fn overrides(changes: &[&str]) -> Vec<Override> {
    changes.iter().map(|change| Override::new(*change)).collect()
}

fn scenario(name: &str, changes: &[&str]) -> stickslip_run::Scenario {
    MODELS.builtin(name, &overrides(changes)).expect("it can be read")
}

fn refused(changes: &[&str]) -> String {
    MODELS.builtin("half-car-bump", &overrides(changes)).expect_err("it is refused").to_string()
}

fn cell(run: &dyn Simulation, name: &str) -> f64 {
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[run.columns().iter().position(|column| column.name == name).expect("a column")]
}

#[test]
fn tyres_lift_and_land_over_a_hump() {
    let scenario = scenario("half-car-bump", &[]);
    let mut run = run_to_end(&scenario).expect("it runs");
    let events = run.take_events();
    let told: Vec<(usize, State)> = events.iter().map(|event| (event.contact, event.to)).collect();
    assert_eq!(told, [(0, State::Open), (0, State::Stick), (1, State::Open), (1, State::Stick)]);
    assert!(run.ledger().closure() < 1e-12 && run.worst_residual() < 1e-12);
    let measures = measure(&scenario).expect("measures");
    assert_eq!(measures.value("first_lift"), Some(events[0].t));
    assert_eq!(measures.value("last_landing"), Some(events[3].t));
    let air = measures.value("air_time_front").expect("it flew");
    assert!((air - (events[1].t - events[0].t)).abs() < 1e-12);
    // The axles meet the hump with the wheelbase over the speed between them.
    assert!(measures.value("greatest_gap").is_some_and(|gap| gap > 0.011 && gap < 0.013));
}

#[test]
fn steps_come_to_the_same_with_order_one() {
    let exact = run_to_end(&scenario("half-car-bump", &[])).expect("it runs");
    // 0.45 s: after the flight of the front axle.
    let at = |scheme: &str, step: f64| {
        let changes = [format!("run.scheme={scheme}"), format!("run.step={step}"), "run.duration=0.45".into()];
        let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
        let run = run_to_end(&scenario("half-car-bump", &changes)).expect("it runs");
        assert!(run.worst_residual() < 1e-12 && run.ledger().lost() > -1e-9);
        cell(&*run, "pitch")
    };
    let reference = at("events", 1e-3);
    let misses = [2e-4, 1e-4, 5e-5].map(|h| at("implicit-euler", h) - reference);
    let order = (misses[0] / misses[2]).log2() / 2.0;
    assert!((order - 1.0).abs() < 0.1, "{order} {misses:?}");
    assert!(exact.ledger().dissipated.iter().all(|d| d.energy >= 0.0));
}

#[test]
fn looking_saving_and_recording_change_no_bit() {
    let end = |step: &str| {
        let run = run_to_end(&scenario("half-car-bump", &[&format!("run.step={step}")])).expect("it runs");
        (cell(&*run, "pitch").to_bits(), cell(&*run, "N_rear").to_bits())
    };
    assert_eq!(end("1e-3"), end("0.1"));
    let car = scenario("half-car-bump", &[]);
    let mut run = simulation(&car).expect("it can be built");
    run.advance_to(0.37).expect("it runs");
    let saved = run.save().expect("saved");
    let mut other = simulation(&car).expect("it can be built");
    other.restore(&saved).expect("restored");
    for run in [&mut run, &mut other] {
        run.advance_to(2.0).expect("it runs");
        assert_eq!((cell(&**run, "pitch").to_bits(), cell(&**run, "N_rear").to_bits()), end("1e-3"));
    }
}

#[test]
fn a_brake_from_outside_is_the_same_as_one_of_the_file() {
    let mut run = simulation(&scenario("half-car-bump", &[])).expect("it can be built");
    run.advance_to(0.2).expect("it runs");
    run.set_input("half_car.brake", Signal::Constant(4000.0)).expect("taken");
    run.advance_to(0.8).expect("it runs");
    let file = "half_car.brake={ points = [[0.2, 0], [0.2, 4000]] }";
    let mut same = simulation(&scenario("half-car-bump", &[file])).expect("it can be built");
    same.advance_to(0.8).expect("it runs");
    for name in ["pitch", "x1", "x", "N_front", "heat_brakes"] {
        let (a, b) = (cell(&*run, name), cell(&*same, name));
        assert!((a - b).abs() < 1e-10 * (1.0 + a.abs()), "{name}: {a} {b}");
    }
}

#[test]
fn it_stops_exactly_and_stays() {
    for scheme in ["events", "implicit-euler"] {
        let changes = ["half_car.brake=1000", "initial.speed=2", "run.duration=20", &format!("run.scheme={scheme}")];
        let scenario = scenario("half-car-braking", &changes);
        let run = run_to_end(&scenario).expect("it runs");
        assert_eq!((cell(&*run, "x1"), cell(&*run, "F")), (0.0, 0.0), "{scheme}");
        let (x, near) = (cell(&*run, "x"), if scheme == "events" { 1e-12 } else { 2e-3 });
        assert!((x - 0.5).abs() < near, "{scheme}: {x}");
        assert!(cell(&*run, "pitch").abs() < 1e-9, "{scheme}: it has swung back");
        assert!(measure(&scenario).expect("measures").value("standstill").is_some_and(|t| (t - 0.5).abs() < 2e-3));
    }
}

#[test]
fn what_is_beyond_the_model_is_doubted_in_words() {
    let doubts = |changes: &[&str]| run_to_end(&scenario("half-car-braking", changes)).expect("it runs").doubts();
    assert!(doubts(&[]).is_empty());
    let held = doubts(&["half_car.brake={ points = [[0.1, 0], [0.2, 3200]] }"]);
    assert!(held.iter().any(|words| words.contains("angles for small")), "{held:?}");
    let hop = doubts(&[
        "half_car.brake=500",
        "road.profile=[[2, 0], [2.5, 0.3], [3, 0]]",
        "initial.speed=25",
        "run.duration=0.6",
    ]);
    assert!(hop.iter().any(|words| words.contains("both tyres in the air")), "{hop:?}");
}

#[test]
fn bad_files_are_answered_in_words() {
    assert!(refused(&["half_car.sprung_mass=-1"]).contains("a mass greater than 0 is expected here, found -1"));
    assert!(refused(&["front.stiffness=0"]).contains("a stiffness greater than 0"));
    assert!(refused(&["rear.damping=-5"]).contains("found -5"));
    assert!(refused(&["initial.speed=-3"]).contains("-3"));
    assert!(refused(&["half_car.brake=-3"]).contains("-3"));
    assert!(refused(&["road.profile=[[1, 0], [1, 0.1]]"]).contains("places must rise"));
    assert!(refused(&["road.profile=[[1, 0], [1.1, 0.3]]"]).contains("steeper than one in one"));
    assert!(refused(&["front.tyre=3"]).contains("tyre_stiffness"));
    assert!(refused(&["half_car.sprung_mass=1e308", "rear.distance=1e308"]).contains("half-car"));
}

#[test]
fn explain_says_where_it_settles_and_when_it_lifts() {
    let said = explain(&scenario("half-car-braking", &[])).expect("words");
    for words in ["k_T", "0.482759 F", "10.18 m/s^2", "wheel hop at"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let scenario = scenario("half-car-braking", &[]);
    assert!(scenario.model.of::<Parameters>().is_some_and(|p| p.data.corners[1].place == -0.73));
}

#[test]
fn the_greatest_does_not_depend_on_what_is_recorded() {
    let names = ["greatest_load_front", "greatest_load_rear", "greatest_stroke_front", "greatest_stroke_rear"];
    let of = |step: &str| {
        let measures = measure(&scenario("half-car-bump", &[&format!("run.step={step}")])).expect("measures");
        names.map(|name| measures.value(name).expect("it is measured"))
    };
    for (coarse, fine) in of("2").into_iter().zip(of("1e-4")) {
        assert!((coarse / fine - 1.0).abs() < 1e-9, "{coarse} {fine}");
    }
}

#[test]
fn a_stop_at_a_corner_of_the_brake_is_exact() {
    let brake = "half_car.brake={ points = [[0, 750], [1, 750], [2, 1500]] }";
    let scenario = scenario("half-car-braking", &[brake, "initial.speed=3", "run.duration=5"]);
    let run = run_to_end(&scenario).expect("it runs");
    assert_eq!((cell(&*run, "x1"), cell(&*run, "F")), (0.0, 0.0));
    assert!((cell(&*run, "x") - 1.5).abs() < 1e-12);
    assert!(measure(&scenario).expect("measures").value("standstill").is_some_and(|t| (t - 1.0).abs() < 1e-9));
}
