//! Bifurcation diagrams, spectra and basins as a user makes them: killed and gone on with, in parts, by one thread and two.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stickslip"));
    command.current_dir(folder).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let out = command(folder, arguments).output().expect("runs");
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    out
}

fn words(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).into_owned();
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// Dataset, table and summary, with their bytes.
fn dataset(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for place in [folder.to_path_buf(), folder.join("sweep.parquet"), folder.join("sweep.blocks")] {
        for entry in std::fs::read_dir(&place).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("block-") || ["sweep.csv", "summary.json", "sweep.json"].contains(&name.as_str()) {
                all.push((name, std::fs::read(entry.path()).expect("readable")));
            }
        }
    }
    all.sort();
    assert!(all.len() >= 4, "{:?}", all.iter().map(|(name, _)| name).collect::<Vec<_>>());
    all
}

/// Three paths over the speed of the belt, one for each load; the first run of a load below 0 fails.
const DIAGRAM: [&str; 15] = [
    "sweep",
    "block-on-belt",
    "--set",
    "run.scheme=events",
    "--set",
    "run.duration=30",
    "--vary",
    "pad.pad.load=[0.8, 1, 1.2]",
    "--vary",
    "support.belt.speed=-0.1:0.8:19",
    "--bifurcation",
    "x_block",
    "--carry",
    "body.block.x=end.x_block",
    "--carry",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    DIAGRAM.iter().copied().chain(["body.block.speed=end.vx_block"]).chain(more.iter().copied()).collect()
}

#[test]
fn threads_parts_and_kills_give_the_same_bits() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    run(at, &with(&["--out", "whole", "--threads", "1", "-q"]));
    let whole = dataset(&at.join("whole"));
    run(at, &with(&["--out", "two", "--threads", "2", "-q"]));
    assert_eq!(dataset(&at.join("two")), whole);
    for part in ["1/2", "2/2"] {
        run(at, &with(&["--out", &format!("part{}", &part[..1]), "--part", part, "-q"]));
    }
    run(at, &["sweep", "--merge", "part1", "part2", "--out", "merged", "-q"]);
    assert_eq!(dataset(&at.join("merged")), whole);
    for kill in 0..20_u64 {
        let mut child = command(at, &with(&["--out", "killed", "-q"])).spawn().expect("spawned");
        std::thread::sleep(Duration::from_millis(20 + 13 * kill));
        let done = child.try_wait().expect("asked").is_some();
        let _ = child.kill();
        let _ = child.wait();
        if done {
            break;
        }
    }
    run(at, &with(&["--out", "killed", "-q"]));
    assert_eq!(dataset(&at.join("killed")), whole);
    // Each row tells the run that made it: made again, it passes through the value.
    let table = std::fs::read_to_string(at.join("whole/sweep.csv")).expect("there");
    let head: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let row: Vec<&str> =
        table.lines().filter(|line| line.contains(",down,")).nth(5).expect("a row").split(',').collect();
    let cell = |name: &str| row[head.iter().position(|known| *known == name).expect(name)];
    let sets: Vec<String> = ["pad.pad.load", "support.belt.speed", "body.block.x", "body.block.speed"]
        .iter()
        .map(|key| format!("{key}={}", cell(key)))
        .chain(["run.scheme=events".into(), "run.duration=30".into()])
        .collect();
    let mut again = vec!["run", "block-on-belt", "--no-study", "--out", "again", "-q"];
    sets.iter().for_each(|set| again.extend(["--set", set]));
    run(at, &again);
    let rows = std::fs::read_to_string(at.join("again/trajectory.csv")).expect("there");
    let x = rows.lines().next().expect("a header").split(',').position(|name| name == "x_block").expect("x");
    let (t, value): (f64, f64) = (cell("t").parse().expect("t"), cell("value").parse().expect("value"));
    let near = rows.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let off = near.map(|row| (row[0].parse::<f64>().expect("t"), row[x].parse::<f64>().expect("x")));
    let off =
        off.filter(|(time, _)| (time - t).abs() < 2e-3).map(|(_, x)| (x - value).abs()).fold(f64::INFINITY, f64::min);
    assert!(off < 1e-5, "{off}");
}

/// Without a carried start the runs of a path are shared among threads: their rows are the same, and come in the same order.
#[test]
fn runs_that_start_apart_give_the_same_bits() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let base = [
        "sweep",
        "block-on-belt",
        "--set",
        "run.duration=20",
        "--vary",
        "pad.pad.load=[0.9, 1]",
        "--vary",
        "support.belt.speed=0.1:0.8:12",
        "--spectrum",
        "x_block",
        "--most",
        "20",
        "-q",
    ];
    let all = |more: &[&str]| run(at, &[&base[..], more].concat());
    all(&["--out", "one", "--threads", "1"]);
    let whole = dataset(&at.join("one"));
    all(&["--out", "three", "--threads", "3"]);
    assert_eq!(dataset(&at.join("three")), whole);
    for kill in 0..8_u64 {
        let mut child = command(at, &[&base[..], &["--out", "killed"]].concat()).spawn().expect("spawned");
        std::thread::sleep(Duration::from_millis(30 + 31 * kill));
        let _ = child.kill();
        let _ = child.wait();
    }
    all(&["--out", "killed"]);
    assert_eq!(dataset(&at.join("killed")), whole);
}

/// A diagram says by which scheme it was made, and how far some of its runs move when they are made in a better way. The scheme of first
/// order turns the free swinging of a block on a fast belt into rest: that must not be taken for the motion.
#[test]
fn diagrams_say_how_far_to_trust_them() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let base = [
        "sweep",
        "block-on-belt",
        "--vary",
        "support.belt.speed=0.6:0.8:9",
        "--bifurcation",
        "x_block",
        "--at",
        "greatest",
    ];
    let swing = |scheme: &'static str, step: &'static str, out: &'static str| {
        let more = ["--set", "run.duration=200", "--transient", "150 s", "--set", scheme, "--set", step, "--out", out];
        words(&run(at, &[&base[..], &more].concat()).stdout)
    };
    // Implicit Euler damps by h ω²/2 = 0.01 1/s: after 150 s a fifth of the amplitude is left.
    let coarse = swing("run.scheme=implicit-euler", "run.step=0.02", "coarse");
    assert!(coarse.contains("trust made by implicit-euler with steps of 0.02 s"), "{coarse}");
    assert!(
        coarse.contains("from event to event")
            && coarse.contains("WARNING")
            && coarse.contains("the step is too coarse"),
        "{coarse}"
    );
    let exact = swing("run.scheme=events", "run.step=0.02", "exact");
    assert!(exact.contains("trust made from event to event") && !exact.contains("WARNING"), "{exact}");
    let table = std::fs::read_to_string(at.join("coarse/trust.csv")).expect("there");
    let head: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let column = |name: &str| head.iter().position(|known| *known == name).expect(name);
    for row in table.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>()) {
        let number = |name: &str| row[column(name)].parse::<f64>().expect("a number");
        // x = (F_k/k)(1 − cos t) from rest: F_k/k = 0.5 m about the same 0.5 m.
        assert!((number("greatest_again") - 1.0).abs() < 1e-6, "{row:?}");
        assert!(number("greatest") < 0.5 + 0.5 * (-0.01_f64 * 150.0).exp() + 0.02, "{row:?}");
    }
    let page = std::fs::read_to_string(at.join("coarse/report.html")).expect("there");
    assert!(page.contains("How far to trust it"));
}

#[test]
fn bad_diagrams_are_refused_before_anything_is_written() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let vary = ["--vary", "support.belt.speed=0.1:0.4:4"];
    for (arguments, wanted) in [
        (&["--bifurcation", "x_blok"][..], "did you mean `x_block`"),
        (&["--bifurcation", "x_block", "--at", "greates"], "did you mean `greatest`"),
        (&["--bifurcation", "x_block", "--at", "sticks.shoe"], "there is no contact `shoe`"),
        (&["--bifurcation", "x_block", "--at", "every 0 s"], "every 0 s"),
        (&["--bifurcation", "x_block", "--transient", "2 m"], "a time is expected"),
        (&["--bifurcation", "x_block", "--transient", "60 s"], "nothing would be collected"),
        (&["--bifurcation", "x_block", "--carry", "body.block.x=max.x_block"], "use end values alone"),
        (&["--bifurcation", "x_block", "--carry", "body.block.y=end.q"], "no output `end.q`"),
        (&["--bifurcation", "x_block", "--carry", "support.belt.speed=end.x_block"], "is both varied and"),
        (
            &["--vary", "pad.pad.load=[1, 3, 2]", "--bifurcation", "x_block", "--carry", "body.block.x=end.x_block"],
            "neither rise nor fall",
        ),
        (&["--transient", "2 s"], "none is asked for"),
        (&["--orbits", "x_blok"], "did you mean"),
    ] {
        let all: Vec<&str> =
            ["sweep", "block-on-belt", "--out", "out"].iter().chain(&vary).chain(arguments).copied().collect();
        let out = command(at, &all).output().expect("runs");
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        let text = words(&out.stderr);
        assert!(text.contains(wanted), "{arguments:?}: {text}");
        assert!(!at.join("out").exists(), "{arguments:?}");
    }
}

#[test]
fn what_a_start_leaves_out_and_signals_that_are_replaced_are_told() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let all = [
        "sweep",
        "block-on-belt",
        "--vary",
        "support.belt.speed=0.1:0.4:3",
        "--bifurcation",
        "x_block",
        "--carry",
        "body.block.x=end.x_block",
    ];
    let told = words(&run(at, &[&all[..], &["--out", "some", "-q"]].concat()).stderr);
    assert!(told.contains("do not start with all of the state") && told.contains("vx_block"), "{told}");
    let told = words(
        &run(at, &["find", "wheel-sport-braking", "brake.torque=600:1400", "--until", "known(first_lock)", "-q"])
            .stderr,
    );
    assert!(told.contains("by a constant") && told.contains("vary brake.torque.max"), "{told}");
    let all = [
        "sweep",
        "wheel-sport-braking",
        "--vary",
        "brake.torque=600:1400:3",
        "--output",
        "end.x1",
        "-q",
        "--out",
        "brakes",
    ];
    assert!(words(&run(at, &all).stderr).contains("vary brake.torque.max"));
    let all = [
        "sweep",
        "wheel-sport-braking",
        "--vary",
        "brake.torque.max=600:1400:3",
        "--output",
        "end.x1",
        "-q",
        "--out",
        "max",
    ];
    assert_eq!(words(&run(at, &all).stderr), "");
}

#[test]
fn spectra_and_orbits_have_their_tables_and_pictures() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    // Faster than 0.5 m/s the block is never caught and swings with √(k/m)/2π and F_k/k.
    let belt =
        ["sweep", "block-on-belt", "--set", "run.scheme=events", "--set", "run.duration=400", "--set", "run.step=0.1"];
    run(
        at,
        &[&belt[..], &["--vary", "support.belt.speed=0.6:0.8:3", "--spectrum", "x_block", "--out", "lines", "-q"]]
            .concat(),
    );
    let table = std::fs::read_to_string(at.join("lines/sweep.csv")).expect("there");
    assert!(
        table.starts_with("support.belt.speed,direction,frequency,value,section,settled,error"),
        "{}",
        &table[..80]
    );
    let strongest = table
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| (row[2].parse::<f64>().expect("Hz"), row[3].parse::<f64>().expect("m")))
        .fold((0.0, 0.0), |best, line| if line.1 > best.1 { line } else { best });
    // Lines are 5 mHz apart; between two of them a Hann window takes at most 15 % of the amplitude.
    assert!((strongest.0 - 0.159_155).abs() < 0.0026 && strongest.1 > 0.42 && strongest.1 < 0.501, "{strongest:?}");
    assert!(at.join("lines/figures/diagram.svg").is_file());

    let orbits = ["--vary", "support.belt.speed=[0.2, 0.3, 0.6, 0.7]", "--orbits", "vx_block", "--out", "orbits", "-q"];
    run(at, &[&belt[..], &orbits[..]].concat());
    let groups = std::fs::read_to_string(at.join("orbits/groups.csv")).expect("there");
    assert_eq!(groups.lines().count(), 5);
    assert!(at.join("orbits/report.html").is_file());
}

/// Rows of a table by its header.
fn rows(folder: &Path, out: &str) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(folder.join(out).join("sweep.csv")).expect("a table");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// A little below the critical speed of the belt sliding grows into stick-slip within a run.
#[test]
fn motions_on_their_way_are_not_taken_for_settled_ones() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let vary = |speeds: &'static str, duration: &'static str, out: &'static str| {
        let all = [
            "sweep",
            "belt-falling-friction",
            "--vary",
            speeds,
            "--let",
            duration,
            "--out",
            out,
            "--set",
            "run.step=5e-4",
        ];
        words(&run(at, &[&all[..], &["--transient", "20 s"]].concat()).stdout)
    };
    let told = vary("support.belt.speed=0.2325:0.2275:2", "run.duration=50 + 0*support.belt.speed", "short");
    let found = rows(at, "short");
    let of = |direction: &str, speed: &str| {
        let own = |row: &&std::collections::HashMap<String, String>| {
            row["direction"] == direction && row["support.belt.speed"] == speed
        };
        let settled: Vec<String> = found.iter().filter(own).map(|row| row["settled"].clone()).collect();
        assert!(!settled.is_empty() && settled.iter().all(|own| *own == settled[0]), "{direction} {speed}");
        settled[0].clone()
    };
    // A range that falls goes down first, and up again.
    assert_eq!((found[0]["direction"].as_str(), found[0]["support.belt.speed"].as_str()), ("down", "0.2325"));
    assert_eq!(found.last().expect("a row")["direction"], "up");
    assert_ne!(of("down", "0.2275"), "yes");
    assert_eq!((of("up", "0.2275"), of("up", "0.2325")), ("yes".into(), "yes".into()));
    assert!(told.contains("had not settled") && told.contains("support.belt.speed = 0.2275 m/s downwards"), "{told}");
    let figure = std::fs::read_to_string(at.join("short/figures/diagram.svg")).expect("there");
    assert!(figure.contains("downwards, not settled"));
    let page = std::fs::read_to_string(at.join("short/report.html")).expect("there");
    assert!(page.contains("had not settled") && !page.contains("\"hollow\":[]"));
    // Stick-slip by itself has settled.
    let told = vary("support.belt.speed=0.2:0.21:2", "run.duration=50 + 0*support.belt.speed", "stick");
    assert!(rows(at, "stick").iter().all(|row| row["settled"] == "yes") && !told.contains("had not settled"), "{told}");
}
