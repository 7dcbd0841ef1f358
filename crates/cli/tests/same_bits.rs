//! The same input gives the same bits: in every file that is written, wherever and whenever.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use assert_cmd::Command;

/// All files below a folder, by their place in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(place, bytes)| (format!("{name}/{place}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("readable"));
        }
    }
    found
}

/// Runs the command twice, in folders of different names, and compares all that it has written.
fn twice(arguments: &[&str]) -> usize {
    let folder = tempfile::tempdir().expect("a folder");
    let mut written = Vec::new();
    for (place, out) in [("here", "a"), ("some/where/else", "another-name")] {
        let place = folder.path().join(place);
        fs::create_dir_all(&place).expect("made");
        let mut command = Command::cargo_bin("stickslip").expect("built");
        command.current_dir(&place).args(arguments).args(["--out", out]).assert().success();
        written.push(files(&place.join(out)));
    }
    let names: Vec<&String> = written[0].keys().collect();
    assert_eq!(names, written[1].keys().collect::<Vec<_>>(), "{arguments:?}");
    for name in names {
        assert!(written[0][name] == written[1][name], "{arguments:?}: {name} is not the same twice");
    }
    written[0].len()
}

#[test]
fn of_every_model_that_is_simulated_in_time() {
    let runs: [&[&str]; 11] = [
        &["run", "wheel-sport-braking", "--check"],
        &["run", "wheel-smooth-ride", "--set", "run.scheme=events"],
        &["run", "car-four-wheels-braking"],
        &["run", "hill-start"],
        &["run", "park-on-slope", "--set", "run.duration=60"],
        &["run", "road-train", "--set", "run.duration=0.2"],
        &["run", "block-on-belt"],
        &["run", "two-mass-kolsch", "--set", "run.duration=4"],
        &["run", "bogie-case-2", "--set", "run.duration=0.5"],
        &["run", "rail-wheel-braking"],
        &["run", "towed-wheel-p3", "--set", "run.duration=1"],
    ];
    for arguments in runs {
        // Tables, summary, scenario, report, events and at least one figure.
        assert!(twice(arguments) >= 7, "{arguments:?}");
    }
}

#[test]
fn of_rolling_contacts_and_comparisons() {
    assert!(twice(&["run", "cattaneo-to-carter"]) >= 7);
    assert!(twice(&["run", "creep-42kn"]) >= 6);
    assert!(twice(&["creep", "creep-42kn", "--theories", "linear,fastsim", "--points", "4"]) >= 4);
    assert!(twice(&["compare", "two-mass", "two-mass-kolsch", "--set", "run.duration=2"]) >= 15);
}

/// A machine under load makes the same study: its size hangs on the model alone.
#[test]
fn no_study_is_made_where_none_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    for (out, option) in [("with", None), ("without", Some("--no-study"))] {
        let mut command = Command::cargo_bin("stickslip").expect("built");
        let run = command.current_dir(folder.path()).args(["run", "car-two-wheels-braking", "--out", out]);
        run.args(option).assert().success();
    }
    let [with, without] = ["with", "without"].map(|name| files(&folder.path().join(name)));
    assert!(with.contains_key("figures/order.svg") && !without.contains_key("figures/order.svg"));
    for (name, bytes) in &without {
        let differs = ["summary.json", "report.html"].contains(&name.as_str());
        assert!(differs || *bytes == with[name], "{name}");
    }
    let summary = String::from_utf8_lossy(&without["summary.json"]);
    assert!(summary.contains("\"studied\": false") && summary.contains("\"convergence\": null"));
    assert!(!summary.contains("seconds"), "nothing that a clock says");
}
