//! Result folders as runs at the same time, killed runs and careless users leave them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use stickslip::run::{FolderError, OutputFolder};

fn stickslip(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("stickslip"));
    command.current_dir(folder).env("NO_COLOR", "1").args(arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn done(child: Child) -> Output {
    child.wait_with_output().expect("ends")
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    done(stickslip(folder, arguments).spawn().expect("starts"))
}

fn said(output: &Output) -> String {
    // The lines of a message are wrapped and framed: words alone count.
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8(text).expect("UTF-8").replace(['│', '×'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).expect("written")).expect("JSON")
}

fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

/// Sixty steps, no study.
const SHORT: [&str; 5] = ["run", "wheel-sport-braking", "--no-study", "--set", "run.step=\"0.1 s\""];

/// Minutes of steps; none of the tests lets it come to its end.
const LONG: [&str; 5] = ["run", "wheel-sport-braking", "--no-study", "--set", "run.step=1e-10"];

#[test]
fn two_hundred_runs_at_once_leave_two_hundred_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let start = |k: u32| {
        let speed = format!("initial.speed={} m/s", 10.0 + 0.05 * f64::from(k));
        stickslip(folder.path(), &SHORT).args(["--set", &speed]).spawn().expect("starts")
    };
    let children: Vec<Child> = (0..200).map(start).collect();
    for child in children {
        let output = done(child);
        assert!(output.status.success(), "{}", said(&output));
    }
    let out = folder.path().join("out");
    let wanted = (1..=200).map(|k| match k {
        1 => "wheel-sport-braking".to_string(),
        k => format!("wheel-sport-braking-{k}"),
    });
    assert_eq!(names(&out), wanted.collect::<BTreeSet<_>>());
    // Every one of them is whole and has its own start: none has lost its data to another.
    let starts: BTreeSet<String> =
        names(&out).iter().map(|name| summary(&out.join(name))["energy"]["start"].to_string()).collect();
    assert_eq!(starts.len(), 200);
    let files = names(&out.join("wheel-sport-braking"));
    assert!(names(&out).iter().all(|name| names(&out.join(name)) == files));
}

#[test]
fn of_several_runs_to_one_folder_one_has_it_and_the_others_say_so() {
    for prepared in [false, true] {
        let folder = tempfile::tempdir().expect("a folder");
        if prepared {
            fs::create_dir(folder.path().join("x")).expect("made");
        }
        let start = |_| stickslip(folder.path(), &SHORT).args(["--out", "x"]).spawn().expect("starts");
        let children: Vec<Child> = (0..8).map(start).collect();
        let outputs: Vec<Output> = children.into_iter().map(done).collect();
        assert_eq!(outputs.iter().filter(|output| output.status.success()).count(), 1);
        assert_eq!(summary(&folder.path().join("x"))["rows"], 61);
        for output in outputs.iter().filter(|output| !output.status.success()) {
            let text = said(output);
            match output.status.code() {
                Some(2) => assert!(text.contains("x holds files already") || text.contains("another run"), "{text}"),
                // It had started before anyone could know: its result is not lost.
                Some(1) => {
                    assert!(text.contains("x appeared during the run"), "{text}");
                    let instead = text.split("the result is in ").nth(1).and_then(|rest| rest.split(' ').next());
                    assert_eq!(summary(&folder.path().join(instead.expect("a place")))["rows"], 61);
                }
                other => panic!("{other:?}: {text}"),
            }
        }
        assert!(names(folder.path()).iter().all(|name| !name.contains("partial")));
    }
}

#[test]
fn what_appears_during_a_run_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    for (k, name) in ["summary.json", "figures"].into_iter().enumerate() {
        let wanted = folder.path().join(format!("x{k}"));
        let output = OutputFolder::create(&wanted, false).expect("free");
        fs::write(output.path().join("summary.json"), "new").expect("written");
        fs::write(output.path().join("figures/time.svg"), "new").expect("written");
        fs::create_dir(&wanted).expect("made");
        fs::write(wanted.join(name), "precious").expect("written");
        match output.publish() {
            Err(FolderError::Appeared { instead, .. }) => {
                assert_eq!(fs::read_to_string(instead.join("summary.json")).expect("kept"), "new");
                assert_eq!(fs::read_to_string(instead.join("figures/time.svg")).expect("kept"), "new");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(fs::read_to_string(wanted.join(name)).expect("there"), "precious");
        assert_eq!(names(&wanted).len(), 1);
    }
    // A name that becomes taken while others are free: the next.
    let fresh = OutputFolder::fresh(folder.path(), "y").expect("free");
    fs::create_dir(folder.path().join("y")).expect("made");
    assert_eq!(fresh.publish().expect("written"), folder.path().join("y-2"));
}

fn work_folders(folder: &Path) -> Vec<PathBuf> {
    let all = names(folder).into_iter().filter(|name| name.contains(".partial-"));
    all.map(|name| folder.join(name)).collect()
}

/// Waits until a run is at work in a folder, other than those that have left these.
fn at_work(folder: &Path, left: &[PathBuf]) {
    let begin = Instant::now();
    let begun = |place: &PathBuf| !left.contains(place) && place.join("result/trajectory.csv").exists();
    while !work_folders(folder).iter().any(begun) {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing happens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn leftovers_of_killed_runs_go_and_those_of_living_ones_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let long = || stickslip(folder.path(), &LONG).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    let mut killed = long();
    at_work(&out, &[]);
    let left = work_folders(&out);
    killed.kill().expect("killed");
    killed.wait().expect("gone");
    // Nothing that looks like a result.
    assert_eq!(work_folders(&out), left);
    assert_eq!(names(&out).len(), 1);
    let mut alive = long();
    at_work(&out, &left);
    let living = work_folders(&out);
    assert!(living.len() == 1 && living != left, "the second run has cleared what the first left");
    let text = said(&run(folder.path(), &SHORT));
    assert!(!text.contains("cleared"), "{text}");
    assert_eq!(work_folders(&out), living);
    // It still has its folder and would go on.
    assert!(alive.try_wait().expect("asked").is_none());
    alive.kill().expect("killed");
    alive.wait().expect("gone");
    // Folders that only look alike are not touched.
    let foreign = out.join("wheel-sport-braking.partial-123-0123456789abcdef");
    fs::create_dir(&foreign).expect("made");
    fs::write(foreign.join("lock"), "my own").expect("written");
    let text = said(&run(folder.path(), &SHORT));
    let name = living[0].file_name().expect("a name").to_string_lossy();
    assert!(text.contains(&format!("cleared out/{name}, left by a run that was killed")), "{text}");
    assert_eq!(work_folders(&out), [foreign]);
}

#[test]
fn a_folder_that_a_living_run_claims_is_refused_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut alive = stickslip(folder.path(), &LONG);
    let mut alive = alive.args(["--out", "x"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
    at_work(folder.path(), &[]);
    let output = run(folder.path(), &[&SHORT[..], &["--out", "x"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("another run that is still at work writes to x"), "{}", said(&output));
    alive.kill().expect("killed");
    alive.wait().expect("gone");
    let output = run(folder.path(), &[&SHORT[..], &["--out", "x"]].concat());
    assert!(output.status.success() && said(&output).contains("cleared x.partial-"), "{}", said(&output));
    assert_eq!(names(folder.path()), BTreeSet::from(["x".to_string()]));
}

#[test]
fn force_alone_replaces_the_default_folder_and_leaves_nothing_stale() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(run(folder.path(), &[&SHORT[..], &["--check"]].concat()).status.success());
    let out = folder.path().join("out/wheel-sport-braking");
    fs::write(out.join("notes.txt"), "mine").expect("written");
    assert!(out.join("check.json").exists());
    let output = run(folder.path(), &[&SHORT[..], &["--force", "--set", "initial.speed=11 m/s"]].concat());
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(names(&folder.path().join("out")).len(), 1);
    assert!(!out.join("check.json").exists(), "of another run");
    assert_eq!(fs::read_to_string(out.join("notes.txt")).expect("there"), "mine");
    assert!(fs::read_to_string(out.join("scenario.toml")).expect("there").contains("11 m/s"));
}

const BLOCK: &str = r#"
model = "assembly"
[[body]]
name = "block"
mass = "1 kg"
[[pad]]
name = "pad"
of = "block"
against = "ground"
load = "1 N"
friction = 0.4
[[force]]
on = "block"
x = { csv = "FILE", time = "time", column = "F" }  # measured
[run]
duration = "3 s"
step = "10 ms"
"#;

const MEASURED: &str = "time,F\n0,0\n1,1\n2,0\n10,0\n";

#[test]
fn a_run_does_not_eat_what_it_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let wheel = String::from_utf8(run(here, &["show", "wheel-sport-braking"]).stdout).expect("UTF-8");
    fs::write(here.join("scenario.toml"), &wheel).expect("written");
    let into = ["run", "scenario.toml", "--no-study", "--force", "--out", "."];
    let output = run(here, &[&into[..], &["--set", "run.step=\"0.1 s\""]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("scenario.toml is read by this run, which would overwrite it"), "{}", said(&output));
    assert_eq!(names(here), BTreeSet::from(["scenario.toml".to_string()]));
    assert_eq!(fs::read_to_string(here.join("scenario.toml")).expect("there"), wheel);
    // As it is, it stays as it is.
    let output = run(here, &into);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(fs::read_to_string(here.join("scenario.toml")).expect("there"), wheel);
    assert_eq!(summary(here)["rows"], 6001);
    // A table that has the name of one that is written.
    let input = here.join("trajectory.csv");
    fs::write(&input, MEASURED).expect("written");
    fs::write(here.join("block.toml"), BLOCK.replace("FILE", "trajectory.csv")).expect("written");
    let output = run(here, &["run", "block.toml", "--force", "--out", "."]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("trajectory.csv is read by this run"), "{}", said(&output));
    assert_eq!(fs::read_to_string(&input).expect("there"), MEASURED);
}

#[test]
fn a_result_with_measured_forces_can_be_moved_and_run_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    for (place, text) in [("work/F.csv", MEASURED), ("data/F.csv", "time,F\n0,0\n10,0\n")] {
        fs::create_dir_all(here.join(place).parent().expect("a folder")).expect("made");
        fs::write(here.join(place), text).expect("written");
    }
    // Two files of the same name, one of them elsewhere, and one of them named twice.
    let more = ["../data/F.csv", "F.csv"].map(|file| {
        format!("[[force]]\non = \"block\"\nx = {{ csv = \"{file}\", time = \"time\", column = \"F\" }}\n")
    });
    let text = BLOCK.replace("FILE", "F.csv") + &more.concat();
    fs::write(here.join("work/block.toml"), text).expect("written");
    assert!(run(here, &["run", "work/block.toml", "--out", "a", "--no-study"]).status.success());
    let written = fs::read_to_string(here.join("a/scenario.toml")).expect("there");
    assert!(written.contains("csv = \"inputs/F.csv\"") && written.contains("csv = \"inputs/2-F.csv\""), "{written}");
    assert!(written.contains("# measured"), "{written}");
    assert_eq!(names(&here.join("a/inputs")), ["2-F.csv", "F.csv"].map(String::from).into());
    fs::remove_dir_all(here.join("work")).expect("gone");
    fs::remove_dir_all(here.join("data")).expect("gone");
    fs::create_dir(here.join("elsewhere")).expect("made");
    fs::rename(here.join("a"), here.join("elsewhere/b")).expect("moved");
    let output = run(here, &["run", "elsewhere/b/scenario.toml", "--out", "c", "--no-study"]);
    assert!(output.status.success(), "{}", said(&output));
    for file in ["trajectory.csv", "events.csv", "scenario.toml", "inputs/F.csv", "inputs/2-F.csv"] {
        let read = |name: &str| fs::read(here.join(name).join(file)).expect(file);
        assert_eq!(read("elsewhere/b"), read("c"), "{file}");
    }
    assert_eq!(summary(&here.join("elsewhere/b"))["scenario_hash"], summary(&here.join("c"))["scenario_hash"]);
    // In its own folder as well: what it reads is there already and stays.
    let output = run(&here.join("c"), &["run", "scenario.toml", "--out", ".", "--force", "--no-study"]);
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(names(&here.join("c/inputs")).len(), 2);
}
