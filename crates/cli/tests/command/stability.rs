//! `stickslip stability`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{stdout, stickslip};

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = stickslip(folder).arg("stability").args(arguments).assert().code(2).get_output().clone();
    assert!(!folder.join("no").exists(), "something was written");
    String::from_utf8(output.stderr)
        .expect("UTF-8")
        .split_whitespace()
        .filter(|word| *word != "│")
        .collect::<Vec<_>>()
        .join(" ")
}

fn json(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("stability.json")).expect("written")).expect("JSON")
}

#[test]
fn a_scenario_and_its_critical_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["stability", "belt-falling-friction", "--find", "support.belt.speed=0.05:1", "--out", "out"];
    let said = stdout(stickslip(folder.path()).args(arguments));
    assert!(said.contains("steady sliding: pad slips with 0.15 m/s"), "{said}");
    assert!(
        said.contains("unstable: 1 of 1 modes grow") && said.contains("support.belt.speed = 0.230258509299"),
        "{said}"
    );
    let out = folder.path().join("out");
    let told = json(&out);
    assert_eq!((&told["unstable"], &told["unstable_modes"]), (&Value::Bool(true), &Value::from(1)));
    let critical = told["critical"]["support.belt.speed"].as_f64().expect("a number");
    assert!((critical - 0.1 * 10_f64.ln()).abs() < 1e-12, "{critical}");
    assert_eq!(told["crossings"]["support.belt.speed"][0]["unstable"], "below");
    let table = fs::read_to_string(out.join("eigenvalues.csv")).expect("written");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("real,frequency,angular_frequency,damping_ratio,unstable"));
    let row: Vec<f64> = lines.next().expect("a root").split(',').map(|cell| cell.parse().expect("a number")).collect();
    assert!((row[0] - 6.156_508_007_421).abs() < 1e-9 && (row[2] / row[1] - std::f64::consts::TAU).abs() < 1e-12);
    assert_eq!((lines.next(), row[4]), (None, 1.0));
    for file in ["report.html", "scenario.toml", "figures/modes.svg"] {
        assert!(out.join(file).is_file(), "{file}");
    }
    // The same as JSON; a folder that is taken stays as it is.
    let printed = stdout(stickslip(folder.path()).args(arguments).args(["--force", "--json"]));
    assert_eq!(serde_json::from_str::<Value>(&printed).expect("JSON"), told);
    stickslip(folder.path()).args(arguments).assert().code(2);
    let quiet = stdout(stickslip(folder.path()).args(arguments).args(["--force", "--quiet"]));
    assert_eq!(quiet, "");
}

#[test]
fn one_key_gives_a_locus_and_two_a_map() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = ["stability", "mode-coupling", "--vary", "pad.pad.friction=0:0.5:21", "--out", "one"];
    stdout(stickslip(folder.path()).args(one));
    let table = fs::read_to_string(folder.path().join("one/eigenvalues.csv")).expect("written");
    assert!(
        table.starts_with("pad.pad.friction,real,frequency,angular_frequency,damping_ratio,unstable\n0,"),
        "{table}"
    );
    // Two pairs at each of 21 points.
    assert_eq!(table.lines().count(), 1 + 2 * 21);
    assert!(
        folder.path().join("one/figures/root-locus.svg").is_file()
            && folder.path().join("one/figures/growth.svg").is_file()
    );
    let two = ["--vary", "pad.pad.load=5:100:9", "--vary", "support.belt.speed=0.05:0.5:7:log", "--out", "two"];
    let said = stdout(stickslip(folder.path()).args(["stability", "belt-falling-friction"]).args(two));
    assert!(said.contains("`pad.pad.load` and `support.belt.speed` over 63 points"), "{said}");
    let told = json(&folder.path().join("two"));
    assert_eq!(told["points"].as_array().map(Vec::len), Some(63));
    for point in told["points"].as_array().expect("a list") {
        let [load, speed] = [0, 1].map(|k| point["values"][k].as_f64().expect("a number"));
        let grows = 10.0 < load * 2.0 * (-speed / 0.1).exp();
        assert_eq!(point["unstable"], u64::from(grows), "{point}");
    }
    assert!(folder.path().join("two/figures/map.svg").is_file());
}

#[test]
fn the_same_bits_with_one_thread_and_with_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |out: &str| -> BTreeMap<String, Vec<u8>> {
        let names = ["eigenvalues.csv", "stability.json", "report.html", "figures/map.svg", "figures/modes.svg"];
        names
            .iter()
            .map(|name| (name.to_string(), fs::read(folder.path().join(out).join(name)).expect("written")))
            .collect()
    };
    for threads in ["1", "2"] {
        let vary =
            ["--vary", "bar.length=0.05:0.5:30", "--vary", "towing.speed=1:20:20", "--find", "bar.length=0.05:0.5"];
        let mut command = stickslip(folder.path());
        command.args(["stability", "towed-wheel-p1", "--threads", threads, "--out", threads]).args(vary);
        stdout(&mut command);
    }
    assert!(read("1") == read("2"));
}

/// One mode without vertical motion: on a creep law with lag unstable between two creepages.
const MODE: &str = "wheel.modes=[{ name = \"3L0\", frequency = 1150, damping = 4e-4, lateral = 0.17 }]";

/// A range that is stable from end to end, or unstable, is an answer as much as a critical value.
#[test]
fn a_range_without_a_critical_value_is_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    for (range, words, unstable) in
        [("0.3:1", "stable everywhere between these numbers", false), ("0.05:0.2", "unstable everywhere between", true)]
    {
        let find = format!("support.belt.speed={range}");
        let said = stdout(stickslip(folder.path()).args([
            "stability",
            "belt-falling-friction",
            "--find",
            &find,
            "--out",
            "out",
            "--force",
        ]));
        assert!(said.contains(words), "{said}");
        let told = json(&folder.path().join("out"));
        assert!(told["critical"]["support.belt.speed"].is_null() && told["unanswered"] == serde_json::json!({}));
        assert_eq!(told["everywhere"]["support.belt.speed"]["unstable"], unstable);
        assert_eq!(told["crossings"]["support.belt.speed"], serde_json::json!([]));
    }
}

/// Where some values have no steady state nothing is said of the whole range: of these the state may become stable between two of them.
#[test]
fn a_range_of_which_a_part_is_unknown_is_no_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let asked = ["stability", "squeal-pair", "--find", "wheel.creepage=0.001:0.05", "--out", "out"];
    let run = stickslip(folder.path()).args(asked).assert().code(2);
    let told = String::from_utf8_lossy(&run.get_output().stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("of 101 values have a"), "{told}");
    assert!(told.contains("unstable at all of these; no steady state at 0.001"), "{told}");
}

/// A key without a critical value does not take the answers of the others away; a key that is none does.
#[test]
fn each_question_has_its_own_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = |second: &'static str| {
        ["stability", "belt-falling-friction", "--find", "support.belt.speed=0.05:1", "--find", second, "--out", "out"]
    };
    let said = stdout(stickslip(folder.path()).args(arguments("pad.pad.load=90:100")));
    assert!(said.contains("support.belt.speed = 0.230258509299"), "{said}");
    assert!(said.contains("unstable everywhere between these numbers"), "{said}");
    let told = json(&folder.path().join("out"));
    assert!(told["critical"]["pad.pad.load"].is_null());
    assert_eq!(told["everywhere"]["pad.pad.load"]["unstable"], true);
    assert!(told["everywhere"]["pad.pad.load"]["words"].as_str().is_some_and(|why| why.contains("no critical value")));
    assert!(told["critical"]["support.belt.speed"].is_f64());
    // Several critical values of one key are a list, and always one among the crossings.
    let several =
        ["stability", "squeal-wheel", "--find", "wheel.creepage=0.001:0.1", "--set", MODE, "--out", "several"];
    stdout(stickslip(folder.path()).args(several));
    let told = json(&folder.path().join("several"));
    for list in [&told["critical"]["wheel.creepage"], &told["crossings"]["wheel.creepage"]] {
        assert_eq!(list.as_array().map(Vec::len), Some(2), "{told}");
    }
    stickslip(folder.path()).args(&arguments("pad.pad.laod=90:100")[..6]).assert().code(2);
}

/// Runs of squealing wheels write the same table, by another method.
#[test]
fn runs_write_the_same_eigenvalues() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["stability", "squeal-wheel", "--out", "a"]));
    let run = ["run", "squeal-wheel", "--set", "run.duration=0.02", "--no-study", "--out", "b"];
    stdout(stickslip(folder.path()).args(run));
    let tables = ["a", "b"].map(|name| {
        let text = fs::read_to_string(folder.path().join(name).join("eigenvalues.csv")).expect("written");
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("real,frequency,angular_frequency,damping_ratio,unstable"));
        let row = |line: &str| line.split(',').map(|cell| cell.parse().expect("a number")).collect::<Vec<f64>>();
        lines.map(row).collect::<Vec<_>>()
    });
    assert_eq!(tables.each_ref().map(Vec::len), [11, 11]);
    for (a, b) in tables[0].iter().zip(&tables[1]) {
        let near = |k: usize, size: f64| (a[k] - b[k]).abs() <= 1e-10 * size;
        assert!(
            near(0, a[0].hypot(a[1])) && near(1, a[1]) && near(2, a[2]) && near(3, 1.0) && a[4] == b[4],
            "{a:?} {b:?}"
        );
    }
}

/// A squealing wheel is linearised whatever its step, which a run would refuse.
#[test]
fn small_motions_have_no_step() {
    let folder = tempfile::tempdir().expect("a folder");
    let said =
        stdout(stickslip(folder.path()).args(["stability", "squeal-wheel", "--set", "run.step=1 ms", "--out", "out"]));
    assert!(said.contains("unstable: 4 of"), "{said}");
    let output = stickslip(folder.path())
        .args(["run", "squeal-wheel", "--set", "run.step=1 ms"])
        .assert()
        .code(2)
        .get_output()
        .clone();
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("run.step") && said.contains("6L0"), "{said}");
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for (arguments, words) in [
        (&["belt-falling-friction", "--vary", "pad.pad.laod=1:2:3"][..], "did you mean `load`"),
        (&["belt-falling-friction", "--vary", "pad.pad.load=1:1:3"], "is empty"),
        (&["belt-falling-friction", "--vary", "pad.pad.load=1:2:1"], "at least 2"),
        (&["belt-falling-friction", "--vary", "pad.pad.load=1:2"], "is not a range"),
        (&["belt-falling-friction", "--vary", "pad.pad.load=-1:2:5"], "pad.pad.load"),
        (&["belt-falling-friction", "--vary", "pad.pad.load=1 m:2 m:5"], "pad.pad.load"),
        (&["belt-falling-friction", "--vary", "run.scheme=1:2:5"], "only a number can be varied"),
        (&["belt-falling-friction", "--vary", "pad.pad.friction=1:2:5"], "is a table"),
        (
            &["squeal-one-mode", "--vary", "contact.friction=1:2:5"],
            "contact.friction.kinetic, contact.friction.speed, contact.friction.static",
        ),
        (
            &[
                "squeal-one-mode",
                "--set",
                "contact.friction={table=[[0, 0.3], [1, 0.2]]}",
                "--vary",
                "contact.friction=1:2:5",
            ],
            "a whole law of friction is varied by contact.friction.scale",
        ),
        (&["belt-falling-friction", "--vary", "pad.pid.load=1:2:5"], "did you mean `pad`"),
        (&["wheel-sport-braking"], "models that have one are `assembly`, `towed-wheel` and `squeal`"),
        (&["two-mass"], "a force changes with time"),
    ] {
        let said = refused(folder.path(), &[arguments, &["--out", "no"]].concat());
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}
