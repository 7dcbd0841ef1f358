//! A model from outside: its room is the folder `sled`, and one line makes it known to scenario files, schema, runs,
//! reports, events and the book of claims.

mod sled;
mod sweeps;

use stickslip::prelude::*;
use stickslip::verify;

/// The models of the program, and one more.
fn registry() -> stickslip::run::Registry {
    MODELS.with(sled::KIND)
}

fn scenario(overrides: &[&str]) -> Scenario {
    let overrides: Vec<Override> = overrides.iter().map(|text| Override::new(*text)).collect();
    registry().builtin("sled-pushed", &overrides).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn it_has_files_with_located_errors_and_a_schema() {
    assert!(registry().builtins().any(|builtin| builtin.name == "sled-pushed"));
    assert!(MODELS.builtin("sled-pushed", &[]).is_err(), "only the wider list knows it");
    let error = registry().parse("x", sled::TEXT, "", &["sled.mass=-3".into()]).expect_err("a negative mass");
    assert_eq!(error.message(), "a mass greater than 0 is expected here, found -3");
    let error =
        registry().parse("x", &sled::TEXT.replace("friction", "fiction"), "", &[]).expect_err("a slip of the pen");
    assert!(error.to_string().contains("friction"), "{error}");
    let schema = registry().schema().to_string();
    assert!(schema.contains("A sled on level ground") && schema.contains("A chassis on driven and braked wheels"));
    let said = stickslip::run::explain(&scenario(&[])).expect("words");
    assert!(said.contains("m v' = F + r"), "{said}");
}

#[test]
fn it_runs_by_every_scheme_and_tells_its_events() {
    for scheme in ["implicit-euler", "events"] {
        let scenario = scenario(&[&format!("run.scheme={scheme}")]);
        let mut run = simulation(&scenario).expect("it can be built");
        run.advance_to(4.0).expect("it runs");
        // 60 N for 1 s on 10 kg with a bound of 0.3 · 98.1 N: 3.057 m/s after it, at rest 1.039 s later.
        let events = run.take_events();
        let events: Vec<_> =
            events.into_iter().filter(|event| event.to == stickslip::core::law::State::Stick).collect();
        assert_eq!(events.len(), 1, "{scheme}: {events:?}");
        let near = if scheme == "events" { 1e-12 } else { 2e-3 };
        assert!((events[0].t - sled::stops_at()).abs() < near, "{events:?}");
        let speed = run.velocities()[0];
        assert_eq!(speed, 0.0, "{scheme}");
        // Pushed again, from outside.
        run.set_input("sled.force", Signal::Constant(-100.0)).expect("taken");
        run.advance_to(4.5).expect("it runs");
        let expected = -0.5 * (100.0 - sled::BOUND) / sled::MASS;
        let near = if scheme == "events" { 1e-9 } else { 2e-2 };
        assert!((run.velocities()[0] - expected).abs() < near, "{scheme}: {}", run.velocities()[0]);
        let saved = run.save().expect("saved");
        let mut other = simulation(&scenario).expect("it can be built");
        other.restore(&saved).expect("restored");
        run.advance_to(5.0).expect("it runs");
        other.advance_to(5.0).expect("it runs");
        assert_eq!(run.velocities()[0].to_bits(), other.velocities()[0].to_bits());
    }
}

#[test]
fn it_has_tables_summary_figures_and_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let target = OutputFolder::create(&out, false).expect("a fresh folder");
    run(&scenario(&[]), target, Options { check: true, ..Options::default() }, &mut |_| ()).expect("it runs");
    let read = |name: &str| std::fs::read_to_string(out.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(read("trajectory.csv").starts_with("t,x,v,r,state\n"));
    assert!(read("events.csv").contains("ground"));
    let summary: serde_json::Value = serde_json::from_str(&read("summary.json")).expect("JSON");
    assert_eq!((summary["model"].as_str(), summary["end"]["v"].as_f64()), (Some("sled"), Some(0.0)));
    assert_eq!(summary["sledge"]["distance"].as_f64(), summary["end"]["x"].as_f64());
    assert!(read("report.html").contains("Speed of the sled"));
    assert!(read("figures/time.svg").starts_with("<svg"));
}

#[test]
fn its_claims_stand_in_the_book() {
    let registry = registry();
    let rows = verify::run(registry.chapters().filter(|chapter| chapter.title == "Sled"), |_| ());
    assert!(rows.len() == 1 && rows[0].pass, "{rows:?}");
}
