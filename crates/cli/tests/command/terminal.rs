//! What is told, how wide, in which colours and to whom; names that were mistyped.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::{stdout, stickslip, summary};

/// What a refused command says, on one line.
fn refused(folder: &std::path::Path, arguments: &[&str]) -> String {
    let output = stickslip(folder).args(arguments).assert().code(2).get_output().clone();
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let said = String::from_utf8(output.stderr).expect("UTF-8").replace('│', " ");
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    let commands: [&[&str]; 5] = [
        &["list"],
        &["run", "bogie-case-2b", "--no-study", "--half-step"],
        &["run", "road-train", "--no-study"],
        &["run", "creep-42kn"],
        &["compare", "car-brake-ramp", "--with", "vehicle.height=0.9", "--with", "vehicle.height=0.3"],
    ];
    for arguments in commands {
        // Without a terminal a statement is a line, however long.
        let long = stdout(stickslip(folder.path()).args(arguments));
        for width in [80, 132] {
            let text = stdout(stickslip(folder.path()).args(arguments).env("COLUMNS", width.to_string()));
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{arguments:?}, {width}: {line}");
            }
            assert!(text.lines().count() >= long.lines().count(), "{arguments:?}");
        }
    }
}

#[test]
fn colours_are_for_terminals_and_for_those_who_ask() {
    let folder = tempfile::tempdir().expect("a folder");
    let shown = |arguments: &[&str]| {
        let mut command = stickslip(folder.path());
        command.env_remove("NO_COLOR").args(["run", "wheel-smooth-ride", "--force"]).args(arguments);
        stdout(&mut command)
    };
    assert!(!shown(&[]).contains('\x1b') && !shown(&["--color", "never"]).contains('\x1b'));
    let coloured = shown(&["--color", "always"]);
    assert!(coloured.starts_with("\x1b[1mwheel-smooth-ride: "), "{coloured}");
    let bad = |colour: &str| {
        let output = stickslip(folder.path()).args(["--color", colour, "lint", "nowhere.toml"]).output().expect("runs");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(bad("always").contains('\x1b') && !bad("never").contains('\x1b'));
}

#[test]
fn quiet_runs_say_nothing_but_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |arguments: &[&str]| stickslip(folder.path()).args(arguments).output().expect("runs");
    let output = run(&["run", "wheel-smooth-ride", "--quiet"]);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    assert!(folder.path().join("out/wheel-smooth-ride/report.html").exists());
    let output = run(&["run", "block-on-belt", "--set", "run.step=1 s", "-q"]);
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("WARNING block-on-belt: the step of 1 s is too large"), "{said}");
    let compare = ["compare", "wheel-smooth-ride", "--with", "wheel.mass=350 kg", "--quiet", "--out", "c"];
    let output = run(&compare);
    assert!(output.status.success() && output.stdout.is_empty() && folder.path().join("c/report.html").exists());
}

#[test]
fn json_is_all_that_standard_output_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let json = |arguments: &[&str]| -> Value {
        let text = stdout(stickslip(folder.path()).args(arguments));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{text}"))
    };
    assert_eq!(json(&["run", "wheel-smooth-ride", "--json", "--out", "w"]), summary(&folder.path().join("w")));
    assert_eq!(json(&["run", "creep-42kn", "--json", "--out", "c"]), summary(&folder.path().join("c")));
    let list = json(&["list", "--json"]);
    let list = list.as_array().expect("a list");
    assert_eq!(list.len(), 63);
    let first: Vec<&Value> = list.iter().filter(|entry| entry["to_start_with"] == true).collect();
    assert_eq!(first.len(), 5);
    assert!(list.iter().all(|entry| entry["name"].is_string() && entry["model"].is_string()));
    assert_eq!(json(&["lint", "two-mass", "--json"])["model"], "assembly");
    fs::write(folder.path().join("bad.toml"), "model = \"wheel\"\n[wheel]\nmas = 1\n").expect("written");
    let output = stickslip(folder.path()).args(["lint", "bad.toml", "--json"]).assert().code(2).get_output().clone();
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["good"], &found["line"], &found["column"]), (&false.into(), &3.into(), &1.into()), "{found}");
    assert!(found["message"].as_str().is_some_and(|message| message.contains("did you mean `mass`")), "{found}");
    let compare = ["compare", "wheel-smooth-ride", "--with", "wheel.mass=350 kg", "--json", "--out", "d"];
    let compared = json(&compare);
    assert_eq!(compared["runs"][1]["name"], "2-wheel.mass=350 kg");
    let report = compared["runs"][1]["report"].as_str().expect("a path");
    assert!(folder.path().join("d").join(report).exists(), "{report}");
    let written = fs::read_to_string(folder.path().join("d/compare.json")).expect("written");
    assert_eq!(serde_json::from_str::<Value>(&written).expect("JSON"), compared);
}

#[cfg(all(unix, not(target_os = "macos")))]
#[test]
fn open_shows_the_report_or_says_why_not() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let opener = folder.path().join("xdg-open");
    let run = |out: &str| {
        let run = ["run", "wheel-smooth-ride", "--open", "--quiet", "--out", out];
        let path = format!("{}:/usr/bin:/bin", folder.path().display());
        let output = stickslip(folder.path()).args(run).env("PATH", path).output().expect("runs");
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let make = |script: &str| {
        fs::write(&opener, format!("#!/bin/sh\n{script}\n")).expect("written");
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).expect("set");
    };
    make("echo \"$1\" > opened");
    assert_eq!(run("a"), "");
    assert_eq!(fs::read_to_string(folder.path().join("opened")).expect("written"), "a/report.html\n");
    make("exit 3");
    let said = run("b");
    assert!(said.contains("cannot open the report") && said.contains("open it yourself: b/report.html"), "{said}");
}

#[test]
fn the_list_is_by_model_and_begins_with_five() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).arg("list"));
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('`')) {
        match line.strip_prefix("  ") {
            Some(entry) => groups.last_mut().expect("a heading").1.push(entry.split(' ').next().unwrap_or_default()),
            None => groups.push((line.split(':').next().unwrap_or(line), Vec::new())),
        }
    }
    let headings: Vec<&str> = groups.iter().map(|(heading, _)| *heading).collect();
    let models = [
        "wheel",
        "vehicle",
        "motorcycle",
        "half-car",
        "assembly",
        "towed-wheel",
        "rolling-contact",
        "rail-wheel",
        "squeal",
    ];
    let swept = "with maps and diagrams of their own, by `stickslip sweep NAME`";
    assert_eq!(headings, [&["to start with"][..], &models, &[swept]].concat());
    assert!(text.contains("\nwheel: One driven and braked wheel"), "{text}");
    assert_eq!(groups[0].1.len(), 5);
    let all: BTreeSet<&str> = groups[1..groups.len() - 1].iter().flat_map(|(_, names)| names.iter().copied()).collect();
    assert_eq!(all.len(), 63);
    assert!(
        [&groups[0], &groups[groups.len() - 1]].iter().all(|(_, names)| names.iter().all(|name| all.contains(name)))
    );
    assert!(groups[groups.len() - 1].1.contains(&"belt-basins"));
}

#[test]
fn mistyped_names_are_recognised() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("mycar.toml"), "model = \"wheel\"\n").expect("written");
    let cases: [(&[&str], &str); 9] = [
        (&["rn"], "did you mean `stickslip run`?"),
        (&["rnu"], "did you mean `stickslip run`?"),
        (&["comparre"], "did you mean `stickslip compare`?"),
        (&["park-on-slope"], "write `stickslip run park-on-slope`"),
        (&["mycar.toml"], "write `stickslip run mycar.toml`"),
        (&["fly"], "the commands are `list`"),
        (&["run", "wheel-sport-breaking"], "did you mean the built-in `wheel-sport-braking`?"),
        (&["run", "mcar.toml"], "did you mean the file `mycar.toml`?"),
        (&["run", "something-else-entirely"], "`stickslip list` shows all of them"),
    ];
    for (arguments, phrase) in cases {
        let said = refused(folder.path(), arguments);
        assert!(said.contains(phrase), "{arguments:?}: {said}");
    }
}

/// `check` reads, `--check` halves the step, `verify` tests the program: all three have names of their own, and keep these.
#[test]
fn old_names_go_on_working() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["lint", "check"] {
        assert!(stdout(stickslip(folder.path()).args([name, "two-mass"])).contains("nothing wrong"), "{name}");
    }
    for name in ["--half-step", "--check"] {
        let run = ["run", "wheel-smooth-ride", "--no-study", name, "--out", name.trim_start_matches('-')];
        assert!(stdout(stickslip(folder.path()).args(run)).contains("physics or numerics?"), "{name}");
    }
    for name in ["self-test", "verify"] {
        assert!(stdout(stickslip(folder.path()).args([name, "--help"])).contains("book of claims"), "{name}");
    }
}

#[test]
fn variants_of_one_file_are_compared() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stdout(stickslip(folder.path()).args(["show", "wheel-sport-braking"]));
    fs::write(folder.path().join("mine.toml"), file).expect("written");
    let with = ["compare", "mine.toml", "--with", "ground.friction=0.4", "--with", "initial.speed=10 m/s"];
    let text = stdout(stickslip(folder.path()).args(with).args(["--column", "x1", "--column", "f", "--out", "c"]));
    for phrase in ["x1 (m/s) against", "f (N) against", "1-mine", "2-ground.friction=0.4", "3-initial.speed=10 m/s"] {
        assert!(text.contains(phrase), "{phrase}: {text}");
    }
    let out = folder.path().join("c");
    for (run, place, value) in
        [("1-mine", "/extremes/x1/max", 20.0), ("3-initial.speed=10_m_s", "/extremes/x1/max", 10.0)]
    {
        let found = summary(&out.join(run)).pointer(place).and_then(Value::as_f64);
        assert_eq!(found, Some(value), "{run}");
        // Reports of the runs lead back, and the comparison leads to them and to its tables.
        let own = fs::read_to_string(out.join(run).join("report.html")).expect("written");
        assert!(own.contains("<a href=\"../report.html\">"), "{run}");
    }
    let page = fs::read_to_string(out.join("report.html")).expect("written");
    for link in ["3-initial.speed=10_m_s/report.html", "compare.csv", "measures.csv", "figures/all-f.svg"] {
        assert!(page.contains(&format!("<a href=\"{link}\">")) && out.join(link).exists(), "{link}");
    }
    let table = fs::read_to_string(out.join("compare.csv")).expect("written");
    assert_eq!(table.lines().count(), 1 + 2 * 3, "{table}");
    assert!(table.lines().filter(|line| line.ends_with(",f,N")).count() == 3, "{table}");
}

#[test]
fn who_asks_for_measures_gets_measures() {
    let folder = tempfile::tempdir().expect("a folder");
    let compare = ["compare", "wheel-smooth-ride", "--with", "wheel.mass=350 kg", "--out"];
    let asked = ["--column", "stopping_time", "--column", "mean_deceleration"];
    let text = stdout(stickslip(folder.path()).args(compare).arg("m").args(asked));
    assert!(text.contains("stopping_time (s)") && text.contains("m/measures.csv"), "{text}");
    assert!(!text.contains("against that of the first") && !text.contains("greatest_speed"), "{text}");
    let out = folder.path().join("m");
    assert!(!out.join("compare.csv").exists() && !out.join("figures/all.svg").exists());
    let page = fs::read_to_string(out.join("report.html")).expect("written");
    assert!(page.contains("mean_deceleration") && !page.contains("(N)") && !page.contains("<svg"));
    let wrong = [&compare[..], &["n", "--column", "stoping_time"]].concat();
    let said = refused(folder.path(), &wrong);
    assert!(said.contains("no measure `stoping_time`; did you mean `stopping_time`?"), "{said}");
    assert!(said.contains("its columns are `t`") && said.contains("its measures are `stopping_distance`"), "{said}");
    assert!(!folder.path().join("n").exists());
}

#[test]
fn variants_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let many: Vec<&str> = (0..8).flat_map(|_| ["--with", "run.step=2e-3"]).collect();
    let cases: [(Vec<&str>, &str); 4] = [
        (vec!["compare", "two-mass"], "--with run.step=1e-4"),
        (vec!["compare", "two-mass", "den-hartog", "--with", "run.step=1e-3"], "--with changes one scenario"),
        (vec!["compare", "two-mass", "--with", "run.stp=1e-3"], "did you mean `step`"),
        ([vec!["compare", "two-mass"], many].concat(), "9 runs are too many"),
    ];
    for (arguments, phrase) in cases {
        let said = refused(folder.path(), &arguments);
        assert!(said.contains(phrase), "{arguments:?}: {said}");
    }
    assert!(!folder.path().join("out").exists());
}
