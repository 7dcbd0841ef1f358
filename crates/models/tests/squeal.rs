//! Squealing wheels as scenarios: files, runs, cut and continued, sound.

use stickslip_models::MODELS;
use stickslip_run::{Scenario, measure, run_to_end, simulation};
use stickslip_scenario::Override;

fn scenario(name: &str, changes: &[&str]) -> Scenario {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    MODELS.builtin(name, &changes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn refused(name: &str, changes: &[&str]) -> String {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    match MODELS.builtin(name, &changes) {
        Err(error) => error.to_string(),
        Ok(scenario) => scenario.model.prepare().expect_err("refused").to_string(),
    }
}

/// Waves of 0.1 mm at 10 m/s: 100 kHz.
const POWER_LAW_OF_SHORT_WAVES: &str =
    "roughness.spectrum={ level = -40, reference = 0.01, from = \"0.1 mm\", to = \"50 mm\" }";

/// Small motions have no step: one that is too long for a run is no reason to refuse them.
#[test]
fn stability_has_no_step() {
    let long = scenario("squeal-wheel", &["run.step=1 ms"]);
    assert!(long.model.prepare().expect_err("too long for a run").to_string().contains("run.step"));
    let (one, other) = (long.model.linearise(), scenario("squeal-wheel", &[]).model.linearise());
    assert_eq!(one.expect("a matrix").matrix, other.expect("a matrix").matrix);
}

/// Modes of a body, written as a table and read again with the compliance of the body, make the same run, to the bit.
#[test]
fn modes_of_a_body_can_be_fed_back() {
    // A coarse mesh will do.
    let changes =
        ["wheel.body.around=24", "wheel.body.layers=[1, 1, 3]", "wheel.body.up_to=\"2 kHz\"", "run.duration=0.05"];
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("body");
    let target = stickslip_run::OutputFolder::create(&out, false).expect("a fresh folder");
    let options = stickslip_run::Options { no_study: true, ..Default::default() };
    let body = scenario("squeal-fe-wheel", &changes);
    stickslip_run::run(&body, target, options, &mut |_| ()).expect("it runs");
    let report = std::fs::read_to_string(out.join("report.html")).expect("read");
    let compliance =
        report.split("compliance = ").nth(1).and_then(|rest| rest.split(['<', '`', ' ']).next()).expect("it is told");
    let text = body.text.split("[wheel.body]").next().expect("a head").to_string()
        + &format!("table = \"body/modes.csv\"\ncompliance = {compliance}\n\n[contact]")
        + body.text.split("[contact]").nth(1).expect("a tail");
    let file = folder.path().join("table.toml");
    std::fs::write(&file, text).expect("written");
    let path = file.to_str().expect("a path");
    let table = MODELS.from_name_or_path(path, &[Override::new("run.duration=0.05")]).unwrap_or_else(|e| panic!("{e}"));
    let ends = [&body, &table].map(|scenario| {
        let mut run = simulation(scenario).expect("it can be built");
        run.advance_to(0.05).expect("it runs");
        (run.velocities().into_iter().map(f64::to_bits).collect::<Vec<_>>(), run.ledger())
    });
    assert_eq!(ends[0], ends[1]);
    let wheel = |scenario: &Scenario| {
        scenario.model.of::<stickslip_models::squeal::Parameters>().expect("a wheel").wheel.clone()
    };
    assert_eq!(wheel(&body), wheel(&table));
}

/// Damping changes nothing else of a body: it is remembered without, and each asks for its own.
#[test]
fn modes_of_a_body_are_damped_as_asked() {
    for (damping, axle) in [(2e-3, 3e-2), (1e-3, 5e-2)] {
        let changes = [
            "wheel.body.around=24".to_string(),
            "wheel.body.layers=[1, 1, 3]".into(),
            "wheel.body.up_to=\"2 kHz\"".into(),
            format!("wheel.body.damping={damping}"),
            format!("wheel.body.damping_axle={axle}"),
        ];
        let own = scenario("squeal-fe-wheel", &changes.each_ref().map(String::as_str));
        let modes = &own.model.of::<stickslip_models::squeal::Parameters>().expect("a wheel").wheel.modes;
        assert!(modes.len() > 4);
        for mode in modes {
            let low = mode.name.starts_with(['0', '1']);
            assert_eq!(mode.damping, if low { axle } else { damping }, "{}", mode.name);
        }
    }
}

#[test]
fn bad_data_are_refused_in_words() {
    for (name, change, words) in [
        ("squeal-wheel", "run.step=50 us", "\"6L0\" of 4130 Hz"),
        (
            "squeal-one-mode",
            "wheel.modes=[{ name = \"a\", frequency = 100, damping = -0.01, lateral = 1 }]",
            "makes energy",
        ),
        (
            "squeal-one-mode",
            "wheel.modes=[{ name = \"a\", frequency = 100, damping = 0.01, lateral = 0 }]",
            "no amplitude at the contact",
        ),
        ("squeal-pair", "wheel.compliance=1e-12", "counted twice"),
        (
            "roughness-pass",
            "roughness.lines=[{ wavelength = \"0.1 mm\", amplitude = \"10 nm\" }]",
            "shorter than steps",
        ),
        ("squeal-pair", "contact.lag=1 mm", "goes with a contact of kind \"creep\""),
        ("squeal-pair", "run.scheme=events", "patch"),
        ("squeal-pair", "run.scheme=moreau-jean", "not for the model"),
        ("squeal-one-mode", "start.kick=1", "begins in one way"),
        ("squeal-pair", "contact.half_length=0.1 mm", "bristles"),
        ("squeal-pair", "contact.friction={ static = 0.35, kinetic = 0.25 }", "no meaning for a patch"),
        ("squeal-pair", "contact.friction=0", "a patch without friction holds nothing"),
        ("roughness-pass", POWER_LAW_OF_SHORT_WAVES, "shorter than steps"),
        (
            "roughness-pass",
            "roughness.spectrum={ level = 0, reference = 0.01, from = 0.02, to = 0.01 }",
            "roughness.spectrum.to",
        ),
        ("squeal-fe-wheel", "wheel.compliance=1e-9", "counted twice"),
        ("squeal-fe-wheel", "wheel.table=modes.csv", "modes are given twice"),
        ("squeal-fe-wheel", "wheel.body.damping=-0.01", "makes energy"),
        ("squeal-fe-wheel", "wheel.body.modes=10", "chosen twice"),
        ("squeal-fe-wheel", "wheel.body.hub=420 mm", "radius of the hub"),
        ("squeal-fe-wheel", "wheel.body.web=200 mm", "thickness of the web"),
        ("squeal-fe-wheel", "wheel.body.offset=70 mm", "offset of the contact"),
        ("squeal-fe-wheel", "wheel.body.around=6", "cells around"),
        ("squeal-fe-wheel", "wheel.body.around=100000", "unknowns"),
        ("squeal-fe-wheel", "wheel.body.poisson=0.5", "Poisson"),
        ("squeal-fe-wheel", "wheel.body.up_to=10 Hz", "no mode there"),
        ("squeal-fe-wheel", "run.step=100 us", "run.step"),
    ] {
        let error = refused(name, &[change]);
        assert!(error.contains(words), "{change}: {error}");
    }
}

#[test]
fn a_run_that_is_cut_goes_on_with_the_same_bits() {
    for (name, cuts) in
        [("squeal-one-mode", [0.0123, 0.03]), ("squeal-pair", [0.0123, 0.03]), ("squeal-wheel", [0.0123, 0.03])]
    {
        let scenario = scenario(name, &["run.duration=0.05"]);
        let mut whole = simulation(&scenario).expect("it can be built");
        whole.advance_to(0.05).expect("it runs");
        let mut cut = simulation(&scenario).expect("it can be built");
        for t in cuts {
            cut.advance_to(t).expect("it runs");
            let saved = cut.save().expect("saved");
            cut = simulation(&scenario).expect("it can be built");
            cut.restore(&saved).expect("restored");
        }
        cut.advance_to(0.05).expect("it runs");
        let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(whole.velocities()), bits(cut.velocities()), "{name}");
        assert_eq!(whole.ledger(), cut.ledger(), "{name}");
        assert!(whole.ledger().closure() < 1e-3, "{name}: {:?}", whole.ledger());
    }
}

#[test]
fn two_integrators_agree() {
    for name in ["squeal-one-mode", "squeal-wheel"] {
        // From a start so great that stick and slip begin at once.
        let changes = if name == "squeal-one-mode" {
            ["start.eigenvector=0.15", "run.duration=0.02", "run.step=2e-6"]
        } else {
            ["start.kick=0.05", "run.duration=0.02", "run.step=4e-6"]
        };
        let steps = run_to_end(&scenario(name, &changes)).expect("it runs");
        let mut by_events = changes.to_vec();
        by_events.push("run.scheme=events");
        let events = run_to_end(&scenario(name, &by_events)).expect("it runs");
        let off = steps.velocities().iter().zip(events.velocities()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let size = events.velocities().iter().map(|v| v.abs()).fold(0.0, f64::max);
        eprintln!("{name}: off by {off:e} of {size:e}; energy by events closes to {:e}", events.ledger().closure());
        assert!(off < 2e-3 * size, "{name}: {off} of {size}");
        assert!(events.ledger().closure() < 1e-9, "{name}: {:?}", events.ledger());
    }
}

#[test]
fn measures_are_those_of_the_table() {
    let measured = measure(&scenario("squeal-one-mode", &["run.duration=0.3"])).expect("it runs");
    let of = |name: &str| measured.value(name).unwrap_or_else(|| panic!("no {name}"));
    assert!((of("frequency") / 1144.406801 - 1.0).abs() < 5e-4, "{}", of("frequency"));
    assert!((of("v_max") / 0.211384097 - 1.0).abs() < 3e-3);
    assert!((of("growth_rate") / of("eigenvalue") - 1.0).abs() < 5e-3, "{} {}", of("growth_rate"), of("eigenvalue"));
    assert_eq!(of("unstable"), 1.0);
    let silent =
        measure(&scenario("squeal-one-mode", &["wheel.creepage=0.1", "run.duration=0.3", "start.eigenvector=1e-7"]))
            .expect("it runs");
    assert!(silent.value("frequency").is_none() && silent.value("level").is_some_and(|level| level < 0.0));
}

/// The line of a sound file against the frequency of the squeal, by a sum over the file term by term.
#[test]
fn the_sound_file_has_the_line_of_the_squeal() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |changes: &[&str], name: &str| {
        let out = folder.path().join(name);
        let target = stickslip_run::OutputFolder::create(&out, false).expect("a fresh folder");
        let options = stickslip_run::Options { no_study: true, ..Default::default() };
        stickslip_run::run(&scenario("squeal-one-mode", changes), target, options, &mut |_| ()).expect("it runs");
        out
    };
    let out = run(&["run.duration=2", "run.step=8e-6", "start.eigenvector=0.1"], "loud");
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("summary.json")).expect("read")).expect("JSON");
    let frequency = summary["measures"]["frequency"].as_f64().expect("a frequency");
    let mut reader = hound::WavReader::open(out.join("squeal.wav")).expect("a WAV file");
    assert_eq!((reader.spec().channels, reader.spec().sample_rate, reader.duration()), (1, 44_100, 44_100));
    let heard: Vec<f64> = reader.samples::<i16>().map(|v| f64::from(v.expect("a sample"))).collect();
    let power = |f: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (k, v) in heard.iter().enumerate() {
            let (s, c) = (std::f64::consts::TAU * f * k as f64 / 44_100.0).sin_cos();
            (re, im) = (re + v * c, im + v * s);
        }
        re * re + im * im
    };
    // Every 25 Hz over the audible range, then every hertz, then every tenth beside the strongest.
    let best = |from: f64, to: f64, step: f64| {
        let count = ((to - from) / step) as u32;
        let all = (0..=count).map(|k| from + f64::from(k) * step).map(|f| (f, power(f)));
        all.max_by(|a, b| a.1.total_cmp(&b.1)).expect("some").0
    };
    // Lines of a one-second file are a hertz wide: none is passed over at half a hertz, but that takes long; the neighbourhood of multiples is enough.
    let line = best(frequency - 30.0, frequency + 30.0, 0.5);
    let line = best(line - 0.5, line + 0.5, 0.05);
    assert!((line - frequency).abs() < 1.0, "{line} {frequency}");
    let strongest = power(line);
    for other in [300.0, 700.0, 2.0 * line, 3.0 * line, 5000.0, 12_000.0] {
        assert!(power(other) < strongest, "{other}");
    }
    let report = std::fs::read_to_string(out.join("report.html")).expect("read");
    assert!(
        report.contains("<audio controls") && report.contains("media-src data:") && report.len() < 1_500_000,
        "{}",
        report.len()
    );
    let out = run(&["wheel.creepage=0.1", "start.eigenvector=1e-7", "run.duration=0.3"], "silent");
    assert!(!out.join("squeal.wav").exists());
    assert!(std::fs::read_to_string(out.join("report.html")).expect("read").contains("No sound: silent"));
}

/// Every kind of contact takes every law of friction over slip, and begins to move as its eigenvalue says.
#[test]
fn every_contact_takes_every_law_of_friction() {
    let laws = [
        "0.35",
        "{ static = 0.35, kinetic = 0.25, speed = \"0.15 m/s\" }",
        "{ static = 0.35, kinetic = 0.25, speed = \"0.15 m/s\", exponent = 2 }",
        "{ static = 0.35, kinetic = 0.25, alpha = \"8 s/m\" }",
        "{ table = [[0, 0.35], [0.1, 0.32], [0.5, 0.26]] }",
    ];
    let jump = "{ static = 0.4, kinetic = 0.3 }";
    let creep = ["contact={ kind = \"creep\", slope = 335, lag = 4.25684e-3, friction = 0.35 }"];
    let point = ["contact={ kind = \"point\", friction = 0.35 }"];
    for (kind, extra, jumps) in [("point", &point[..], true), ("creep", &creep, true), ("patch", &[], false)] {
        for law in laws.iter().copied().chain(jumps.then_some(jump)) {
            let friction = format!("contact.friction={law}");
            let short = ["run.duration=0.04", "start.eigenvector=2e-6", &friction];
            let measures = measure(&scenario("squeal-pair", &[extra, &short].concat())).expect("it runs");
            let of = |what: &str| measures.value(what).unwrap_or_else(|| panic!("{kind} {law}: no {what}"));
            let (rate, exact) = (of("growth_rate"), of("eigenvalue"));
            let floor = 2e-5 * std::f64::consts::TAU * of("eigenfrequency");
            assert!((rate - exact).abs() < 5e-3 * exact.abs() + floor, "{kind} {law}: {rate} {exact}");
        }
    }
}

/// A step that is too long for a run is shown where it stands in the file, and so is roughness that it does not resolve.
#[test]
fn steps_that_are_too_long_are_shown_where_they_stand() {
    for (name, change) in [
        ("squeal-wheel", "run.step=50 us"),
        ("roughness-pass", "roughness.lines=[{ wavelength = \"0.1 mm\", amplitude = \"10 nm\" }]"),
    ] {
        let scenario = scenario(name, &[change]);
        let failure = scenario.model.prepare().expect_err("refused");
        let error = failure.located(&scenario).expect("located");
        let line = error.position().expect("in the text").line;
        let text = scenario.text.lines().nth(line - 1).expect("a line");
        assert!(text.trim_start().starts_with("step = "), "{name}: line {line}: {text}");
        assert!(error.message().starts_with("run.step: ") && error.help().is_some(), "{error}");
    }
}

/// A patch is held against another integrator, and every feature has a verdict: small motion against its eigenvalue, a cycle against kicks.
#[test]
fn a_patch_is_held_against_kicks() {
    let folder = tempfile::tempdir().expect("a folder");
    for (start, growing) in [("start.eigenvector=1e-6", true), ("start.eigenvector=0.17", false)] {
        let target = stickslip_run::OutputFolder::create(&folder.path().join(start), false).expect("a fresh folder");
        let options = stickslip_run::Options { no_study: true, check: true, ..Default::default() };
        let scenario = scenario("squeal-pair", &[start, "run.duration=0.06"]);
        let finished = stickslip_run::run(&scenario, target, options, &mut |_| ()).expect("it runs");
        let stickslip_run::Outcome::InTime { summary, .. } = finished.result else { panic!("in time") };
        let check = summary.check.expect("asked for");
        assert_eq!(check.reference, "kicks");
        assert!(check.words.contains("another integrator"), "{}", check.words);
        let verdict = |name: &str| {
            let finding = check.findings.iter().find(|finding| finding.feature == name);
            finding.map_or_else(|| panic!("no {name}"), |finding| finding.verdict)
        };
        let mut wanted = vec!["frequency", "level", "v_max", "v_min", "load_min", "stick_share"];
        if growing {
            wanted.extend(["growth_rate", "growth_rate against eigenvalue", "start_frequency against eigenfrequency"]);
        }
        for name in wanted {
            assert_eq!(verdict(name), stickslip_run::Verdict::Physics, "{name}: {:#?}", check.findings);
        }
        // The eigenvalue stands beside the growth of all three runs, and not in the place of one of them.
        let held = check.findings.iter().filter(|finding| finding.against.is_some());
        for finding in held {
            let of = finding.feature.split(" against ").next().expect("a name");
            let own = check.findings.iter().find(|finding| finding.feature == of).expect("listed");
            assert_eq!((finding.coarse, finding.fine, finding.exact), (own.coarse, own.fine, own.exact), "{of}");
            let value = finding.feature.split(" against ").nth(1).and_then(|name| summary.measures.value(name));
            assert!(finding.against == value && finding.name().contains(": "), "{finding:?}");
        }
        assert_eq!(check.findings.iter().any(|finding| finding.against.is_some()), growing);
    }
}

fn kept(scenario: &Scenario) -> stickslip_run::Kept {
    stickslip_run::keep(scenario, &mut |_| Ok(())).unwrap_or_else(|failure| panic!("{failure}"))
}

fn doubted(kept: &stickslip_run::Kept, words: &str) -> bool {
    kept.summary.warnings.iter().any(|warning| warning.text.contains(words))
}

/// What has died away to rounding grows no more: its rate is that of the motion before.
#[test]
fn growth_is_not_fitted_to_rounding() {
    for scheme in ["second-order", "events"] {
        let scheme = format!("run.scheme={scheme}");
        let changes = ["wheel.modes.3L0.damping=0.1", "contact.friction=0.3", "run.duration=0.2", &scheme];
        let run = kept(&scenario("squeal-one-mode", &changes));
        let of = |what: &str| run.summary.measures.value(what).unwrap_or(f64::NAN);
        assert!((of("eigenvalue") / (-0.1 * std::f64::consts::TAU * 1150.0) - 1.0).abs() < 1e-9);
        assert!((of("growth_rate") / of("eigenvalue") - 1.0).abs() < 5e-3, "{scheme}: {}", of("growth_rate"));
        // Begun just above rounding there is nothing to fit.
        let changes = [&changes[..], &["start.eigenvector=1e-10"]].concat();
        let run = kept(&scenario("squeal-one-mode", &changes));
        assert!(run.summary.measures.value("growth_rate").is_none() && doubted(&run, "no growth rate"), "{scheme}");
    }
}

/// Two halves of a mode squeal as the whole, and a run says so.
#[test]
fn a_mode_in_two_halves_squeals_as_one() {
    let half = 0.17 / 2.0_f64.sqrt();
    let modes = format!(
        "wheel.modes=[{{name=\"a\", frequency=1150, damping=4e-4, lateral={half}}}, {{name=\"b\", frequency=1150, damping=4e-4, lateral={half}}}]"
    );
    let measures = measure(&scenario("squeal-one-mode", &[&modes, "run.duration=0.05"])).expect("it runs");
    let of = |what: &str| measures.value(what).unwrap_or(f64::NAN);
    let omega = std::f64::consts::TAU * 1150.0;
    let rate = -4e-4 * omega + 0.5 * 42e3 * 0.17_f64.powi(2) * 0.1 / 0.15 * (-0.2_f64 / 0.15).exp();
    assert!((of("eigenvalue") / rate - 1.0).abs() < 1e-10, "{} {rate}", of("eigenvalue"));
    assert_eq!(of("unstable"), 1.0);
    assert!((of("growth_rate") / rate - 1.0).abs() < 5e-3, "{}", of("growth_rate"));
}

/// Friction with two slopes at the steady slip: no eigenvalues, said by `stability`, by a start along one, and by a run.
#[test]
fn friction_at_a_corner_is_not_linear() {
    let corner = "contact.friction={table=[[0,0.3],[0.2,0.3],[0.4,0.1]]}";
    let own = scenario("squeal-one-mode", &[corner]);
    assert!(own.model.linearise().expect_err("two slopes").to_string().contains("corner"));
    assert!(simulation(&own).map(|_| ()).expect_err("no eigenvector").to_string().contains("corner"));
    let kick = [corner, "start={kick=1e-3}", "run.duration=0.01"];
    let run = kept(&scenario("squeal-one-mode", &kick));
    assert!(run.summary.measures.value("eigenvalue").is_none() && doubted(&run, "corner"));
    let run = kept(&scenario("squeal-one-mode", &[&kick[..], &["wheel.creepage=0.019"]].concat()));
    assert!(run.summary.measures.value("eigenvalue").is_some() && !doubted(&run, "corner"));
}

/// Roughness that ends before the run does is held at its last height, which is said.
#[test]
fn a_file_of_roughness_that_is_too_short_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = scenario("squeal-one-mode", &[]).text.replace("0.6 s", "0.01 s") + "\n[roughness]\ncsv = \"r.csv\"\n";
    let file = folder.path().join("rough.toml");
    std::fs::write(&file, text).expect("written");
    for (points, short) in [("0,0\n0.05,1e-7", true), ("0.01,0\n0.1,1e-7", true), ("0,0\n0.1,1e-7", false)] {
        std::fs::write(folder.path().join("r.csv"), format!("x,r\n{points}\n")).expect("written");
        let own =
            MODELS.from_name_or_path(file.to_str().expect("a path"), &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(doubted(&kept(&own), "the file of roughness goes from x = 0"), short, "{points}");
    }
}

/// A patch that sticks in part has more eigenvalues than those beside its modes: where another one grows, or the step is too long, it is said.
#[test]
fn growth_that_misses_the_eigenvalue_is_told() {
    let text = r#"
model = "squeal"
[wheel]
modes = [{ name = "m0", frequency = 571.665, damping = 0.008003, lateral = 0.01059, vertical = 0.03776 },
{ name = "m1", frequency = 2282.78, damping = 0.002372, lateral = 1.677, vertical = -0.2934 }]
speed = 23.7792
creepage = 0.00134751
load = 80892
approach = 5.8902e-05
[contact]
kind = "patch"
friction = 0.5777
half_length = 0.00466046
flexibility = 5.2457e-12
[start]
eigenvector = 3.20429e-08
[run]
duration = 0.02
step = 5.0253538569341118e-06
"#;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("patch.toml");
    std::fs::write(&file, text).expect("written");
    let own = MODELS.from_name_or_path(file.to_str().expect("a path"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let run = kept(&own);
    assert!(doubted(&run, "and the eigenvalue is"), "{:?}", run.summary.warnings);
    let fine = kept(&scenario("squeal-one-mode", &["run.duration=0.05"]));
    assert!(!doubted(&fine, "and the eigenvalue is"), "{:?}", fine.summary.warnings);
    // It still grows, which is said; after a while it has settled.
    assert!(doubted(&fine, "has not settled"), "{:?}", fine.summary.warnings);
    let settled = kept(&scenario("squeal-one-mode", &["run.duration=0.3"]));
    assert!(settled.summary.warnings.is_empty(), "{:?}", settled.summary.warnings);
}

/// The page of a run.
fn page(name: &str, changes: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let target = stickslip_run::OutputFolder::create(&out, false).expect("a fresh folder");
    let options = stickslip_run::Options { no_study: true, ..Default::default() };
    stickslip_run::run(&scenario(name, changes), target, options, &mut |_| ()).expect("it runs");
    std::fs::read_to_string(out.join("report.html")).expect("read")
}

/// Numbers before a phrase's end: what stands between two phrases of a page.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let rest = page.split(from).nth(1).unwrap_or_else(|| panic!("{from}"));
    rest.split(to).next().unwrap_or_else(|| panic!("{to}"))
}

/// Lines of nanometres beside one that is 10⁵ times as loud come out as linear theory says; with micrometres they drown, which is said.
#[test]
fn lines_of_roughness_come_out_as_they_are_or_are_not_measurable() {
    let cells = |page: &str| -> Vec<Vec<String>> {
        let table = between(between(page, "Response to roughness</h2>", "</table>"), "<tbody>", "</tbody>").to_string();
        // Pages set minus signs that programs do not read.
        let number = |cell: &str| between(cell, ">", "</td").replace('−', "-");
        let row = |row: &str| row.split("<td").skip(1).map(number).collect();
        table.split("<tr>").skip(1).map(row).collect()
    };
    let small = cells(&page("roughness-pass", &[]));
    assert_eq!(small.len(), 24);
    for row in &small {
        let off: f64 = row[5].parse().unwrap_or_else(|_| panic!("{row:?}"));
        assert!(off.abs() < if row[0] == "2046" { 1.0 } else { 0.1 }, "{row:?}");
    }
    let great =
        "roughness.lines=[{ frequency = 1500, amplitude = \"1 um\" }, { frequency = 2046, amplitude = \"1 um\" }]";
    let drowned = page("roughness-pass", &[great, "run.duration=1"]);
    assert!(cells(&drowned).iter().any(|row| row[5] == "not measurable") && drowned.contains("cannot be measured"));
    assert!(drowned.contains("Roughness under the wheel"), "its heights are drawn");
}

/// No line is louder than all of the motion.
#[test]
fn the_strongest_line_is_no_louder_than_the_whole() {
    for (name, changes) in [
        ("squeal-one-mode", &["run.duration=0.4"][..]),
        ("squeal-pair", &["run.duration=0.25"]),
        ("squeal-one-mode", &["run.duration=0.12"]),
    ] {
        let page = page(name, changes);
        let words = between(&page, "The strongest line is at ", " dB re");
        let line: f64 = words.rsplit(' ').next().and_then(|level| level.parse().ok()).expect("a level");
        let whole = measure(&scenario(name, changes)).expect("it runs").value("level").expect("a level");
        assert!(line <= whole + 0.05 && line > whole - 6.0, "{name}: {line} dB of {whole}");
    }
}

/// A file of heights beside lines is told, and drawn.
#[test]
fn heights_of_a_file_are_added_and_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let heights: String = (0..400).map(|k| format!("{},{}\n", 0.005 * f64::from(k), 1e-8 * f64::from(k % 7))).collect();
    let file = folder.path().join("rail.csv");
    std::fs::write(&file, format!("x,r\n{heights}")).expect("written");
    let csv = file.to_str().expect("a path").replace('\\', "/");
    let both = page("roughness-pass", &[&format!("roughness.csv=\"{csv}\""), "run.duration=0.1"]);
    let alone = page("roughness-pass", &[&format!("roughness={{ csv = \"{csv}\" }}"), "run.duration=0.1"]);
    assert!(both.contains("added to 26 lines"));
    assert!(alone.contains("and no lines"));
}

/// The folder of a run, kept as long as it is looked at.
fn folder(name: &str, changes: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let target = stickslip_run::OutputFolder::create(&folder.path().join("out"), false).expect("a fresh folder");
    let options = stickslip_run::Options { no_study: true, ..Default::default() };
    stickslip_run::run(&scenario(name, changes), target, options, &mut |_| ()).expect("it runs");
    folder
}

/// The rows of a table of numbers in it.
fn rows(folder: &tempfile::TempDir, file: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(folder.path().join("out").join(file)).expect("read");
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect()
}

/// Small motion on lines of roughness, one of them at the resonance that is damped least, long before it has settled: the run and the linear system have the
/// same lines, to what steps of second order are off, by another
/// integrator to much less.
#[test]
fn the_linear_system_has_the_lines_of_a_small_motion() {
    let lines = "roughness.lines=[{ frequency = 1500, amplitude = 1e-11 }, { frequency = 2046, amplitude = 1e-11 }]";
    for (own, allowed) in [("run.step=8e-6", 2e-2), ("run.step=2e-6", 1.25e-3), ("run.scheme=events", 1e-5)] {
        let changes = ["run.duration=0.3", lines, "roughness.bands=[[0.0125, -120.0], [0.02, -122.0]]", own];
        let found = rows(&folder("roughness-pass", &changes), "spectrum.csv");
        let most = found.iter().map(|row| row[1]).fold(0.0, f64::max);
        let off = found.iter().map(|row| (row[1] - row[2]).abs()).fold(0.0, f64::max) / most;
        assert!(off < allowed && found.iter().all(|row| row.len() == 3), "{own}: {off}");
    }
}

/// Without roughness, and where steady sliding is unstable and would grow beyond all bounds, there is no linear system beside the run; the latter is said.
#[test]
fn an_unstable_wheel_has_no_linear_response() {
    let smooth = folder("squeal-one-mode", &["run.duration=0.05"]);
    assert!(rows(&smooth, "spectrum.csv").iter().all(|row| row.len() == 2));
    let changes = ["run.duration=1", "contact.friction=0.35"];
    let unstable = folder("roughness-pass", &changes);
    assert!(rows(&unstable, "spectrum.csv").iter().all(|row| row.len() == 2));
    let page = std::fs::read_to_string(unstable.path().join("out/report.html")).expect("read");
    assert!(page.contains("the linear system is left out: steady sliding is unstable"));
}

/// Modes and lines of roughness above what is usually heard are in the pictures, and all that samples show in the table.
#[test]
fn nothing_strong_lies_beyond_the_end_of_a_spectrum() {
    let high = "wheel.modes=[{ name = \"a\", frequency = 24000, damping = 1e-3, lateral = 0.17 }]";
    let low = "wheel.modes=[{ name = \"a\", frequency = 100, damping = 0.5, lateral = 0.17, vertical = 0.1 }]";
    let line = "roughness.lines=[{ frequency = 5000, amplitude = \"10 nm\" }]";
    for (changes, least) in [
        (&[high, "contact.friction=0.3", "run.duration=0.02"][..], 24.0),
        (&[low, line, "contact.friction=0.3", "run.duration=0.02", "start={ kick = 1e-9 }"], 5.0),
    ] {
        let run = folder("squeal-one-mode", changes);
        let found = rows(&run, "spectrum.csv");
        let end = found.last().map_or(0.0, |row| row[0]);
        assert!((end / 125e3 - 1.0).abs() < 1e-2, "half as many as samples a second: {end}");
        let page = std::fs::read_to_string(run.path().join("out/report.html")).expect("read");
        let far = page.contains(", a line of the roughness, far from the nearest mode, a of 100 Hz");
        assert!(far == changes.contains(&line) && far != page.contains("beside the mode a"), "{changes:?}");
        let svg = std::fs::read_to_string(run.path().join("out/figures/spectrum.svg")).expect("read");
        let number = |text: &str| text.split('>').nth(1)?.split('<').next()?.parse::<f64>().ok();
        let ticks = svg.split("<text").filter(|text| text.contains("\"middle\"")).filter_map(number);
        let (last, count) = ticks.fold((0.0_f64, 0), |(last, count), tick| (last.max(tick), count + 1));
        // The last tick may be one step below the end of the axis.
        assert!(last * f64::from(count) / f64::from(count - 1) >= least, "{last}: {svg}");
    }
}

/// What random roughness shakes is described by its level and its strongest line; it has not "not settled", unless the start is still heard.
#[test]
fn what_roughness_shakes_is_no_cycle() {
    let bands = "roughness={ bands = [[0.0125, -40.0], [0.01, -42.0], [0.05, -30.0]] }";
    let damped = ["wheel.modes.4L0.damping=0.02", "wheel.modes.R.damping=0.02", "run.duration=0.4"];
    let run = kept(&scenario("roughness-pass", &[&damped[..], &[bands]].concat()));
    let of = |what: &str| run.summary.measures.value(what);
    assert!(of("frequency").is_none() && of("line_share").is_some_and(|share| share < 0.5), "{:?}", of("line_share"));
    assert!(of("line").is_some_and(|line| line > 100.0 && line < 2500.0) && of("v_rms").is_some());
    assert!(run.summary.warnings.is_empty(), "{:?}", run.summary.warnings);
    let weak = kept(&scenario("roughness-pass", &["run.duration=0.4", bands]));
    assert!(doubted(&weak, "the start has not died away"), "{:?}", weak.summary.warnings);
    // A tone is one, whoever makes it.
    let tone = kept(&scenario(
        "roughness-pass",
        &[&damped[..], &["roughness={ lines = [{ frequency = 2046, amplitude = 1e-8 }] }"]].concat(),
    ));
    let of = |what: &str| tone.summary.measures.value(what).unwrap_or(f64::NAN);
    assert!(
        (of("frequency") - 2046.0).abs() < 0.1 && of("line_share") > 0.99,
        "{} {}",
        of("frequency"),
        of("line_share")
    );
}

/// Equal modes have eigenvalues that are equal but for rounding: the run names the one that heads its table.
#[test]
fn the_eigenvalue_of_a_run_heads_its_table() {
    for damping in [0.0, 3e-4] {
        for friction in [0.2, 0.3, 0.35] {
            let modes = format!(
                "wheel.modes=[{{ name = \"a\", frequency = 2050, damping = {damping}, lateral = 0.175, vertical = 0.03 }}, \
                 {{ name = \"b\", frequency = 2050, damping = {damping}, lateral = 0.04, vertical = 0.15 }}]"
            );
            let contact = format!("contact={{ kind = \"point\", friction = {friction} }}");
            let changes = [&modes[..], &contact, "start={ kick = 1e-4 }", "run.duration=0.01"];
            let first = rows(&folder("squeal-pair", &changes), "eigenvalues.csv").remove(0);
            let measures = measure(&scenario("squeal-pair", &changes)).expect("it runs");
            let of = |what: &str| measures.value(what).unwrap_or(f64::NAN);
            assert_eq!([of("eigenvalue"), of("eigenfrequency")], [first[0], first[1]], "{damping} {friction}");
        }
    }
}

/// Along a real eigenvalue nothing swings, and the motion has a rate of growth all the same; what begins otherwise says why it has none.
#[test]
fn growth_is_found_without_swings_or_missed_in_words() {
    let real = ["contact.friction.speed=0.005", "wheel.creepage=1e-4", "run.step=1e-7", "run.duration=6e-4"];
    let run = kept(&scenario("squeal-one-mode", &[&real[..], &["start.eigenvector=1e-9"]].concat()));
    let of = |what: &str| run.summary.measures.value(what).unwrap_or(f64::NAN);
    assert!(of("eigenvalue") > 1e4 && of("start_frequency") == 0.0 && of("eigenfrequency") == 0.0);
    assert!((of("growth_rate") / of("eigenvalue") - 1.0).abs() < 5e-3, "{} {}", of("growth_rate"), of("eigenvalue"));
    for (start, why) in
        [("start={ kick = 1e-4 }", "begins with a blow"), ("start={ noise = 1e-4 }", "begins by chance")]
    {
        let page = page("squeal-one-mode", &["run.duration=0.02", start]);
        assert!(page.contains("no growth_rate: the run") && page.contains(why), "{start}");
    }
}

/// A whole law of friction is varied by one number.
#[test]
fn a_law_of_friction_is_scaled() {
    let matrix = |law: &str| {
        let changes = [&format!("contact.friction={law}")[..], "start={ kick = 1e-4 }"];
        scenario("squeal-one-mode", &changes).model.linearise().expect("a matrix").matrix
    };
    for (scaled, written) in [
        ("{ table = [[0, 0.4], [1, 0.25]], scale = 0.5 }", "{ table = [[0, 0.2], [1, 0.125]] }"),
        ("{ static = 0.5, kinetic = 0.25, speed = 0.1, scale = 2 }", "{ static = 1, kinetic = 0.5, speed = 0.1 }"),
        ("{ static = 0.5, kinetic = 0.25, alpha = 5, scale = 2 }", "{ static = 1, kinetic = 0.5, alpha = 5 }"),
    ] {
        assert_eq!(matrix(scaled), matrix(written), "{scaled}");
    }
    assert_ne!(matrix("{ table = [[0, 0.4], [1, 0.25]] }"), matrix("{ table = [[0, 0.4], [1, 0.25]], scale = 0.5 }"));
    assert!(refused("squeal-one-mode", &["contact.friction.scale=-1"]).contains("scale"));
}
