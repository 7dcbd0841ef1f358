//! Sweeps as a user runs them: killed and gone on with, in parts, by one thread and two.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stickslip"));
    command.current_dir(folder).args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) {
    let out = command(folder, arguments).output().expect("runs");
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let out = command(folder, arguments).output().expect("runs");
    assert_eq!(out.status.code(), Some(2), "{arguments:?}");
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// Files of the dataset and the table, with their bytes.
fn dataset(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for place in [folder.to_path_buf(), folder.join("sweep.parquet"), folder.join("sweep.blocks")] {
        for entry in std::fs::read_dir(&place).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let data =
                name.starts_with("block-") || ["sweep.csv", "summary.json", "sweep.json"].contains(&name.as_str());
            if data {
                all.push((name, std::fs::read(entry.path()).expect("readable")));
            }
        }
    }
    all.sort();
    assert!(all.len() >= 4, "{:?}", all.iter().map(|(name, _)| name).collect::<Vec<_>>());
    all
}

const SWEEP: [&str; 10] = [
    "sweep",
    "wheel-sport-braking",
    "--vary",
    "brake.torque.max=-100:1400:61",
    "--vary",
    "ground.friction=uniform(0.3, 1)",
    "--samples",
    "40",
    "--output",
    "distance",
];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SWEEP.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn whole_parts_threads_and_kills_give_the_same_bits() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    run(at, &with(&["--out", "whole", "--threads", "1", "-q"]));
    let whole = dataset(&at.join("whole"));
    // Negative bounds of a brake are rows with errors.
    let table = String::from_utf8(std::fs::read(at.join("whole/sweep.csv")).expect("there")).expect("text");
    assert_eq!(table.lines().count(), 61 * 40 + 1);
    assert!(table.lines().nth(1).expect("a row").contains("but must be at least 0"));
    assert!(table.lines().last().expect("a row").ends_with(','));

    run(at, &with(&["--out", "two", "--threads", "2", "-q"]));
    assert_eq!(dataset(&at.join("two")), whole);

    for part in ["1/3", "2/3", "3/3"] {
        run(at, &with(&["--out", &format!("part{}", &part[..1]), "--part", part, "-q"]));
    }
    run(at, &["sweep", "--merge", "part3", "part1", "part2", "--out", "merged", "-q"]);
    assert_eq!(dataset(&at.join("merged")), whole);

    // Killed again and again, at other moments each time.
    for (round, first) in [3, 20, 60].into_iter().enumerate() {
        let out = format!("killed{round}");
        for kill in 0..20_u64 {
            let mut child = command(at, &with(&["--out", &out, "-q"])).spawn().expect("spawned");
            std::thread::sleep(Duration::from_millis(first + 7 * kill));
            let done = child.try_wait().expect("asked").is_some();
            let _ = child.kill();
            let _ = child.wait();
            if done {
                break;
            }
        }
        run(at, &with(&["--out", &out, "-q"]));
        assert_eq!(dataset(&at.join(&out)), whole, "{out}");
        // A finished one stays as it is.
        run(at, &with(&["--out", &out, "-q"]));
        assert_eq!(dataset(&at.join(&out)), whole, "{out}");
    }

    for (other, words) in [
        (["--seed", "2"], "the points"),
        (["--output", "end.x1"], "the outputs"),
        (["--set", "run.step=2e-3"], "the scenario"),
        (["--part", "1/2"], "the part"),
    ] {
        let text = refused(at, &with(&["--out", "whole", other[0], other[1]]));
        assert!(text.contains(&format!("another sweep, which differs in {words}")), "{text}");
    }
    let text = refused(at, &["sweep", "--merge", "part1", "part3", "--out", "some"]);
    assert!(text.contains("part 2/3 is missing"), "{text}");
    assert_eq!(dataset(&at.join("whole")), whole);
}

fn failed(folder: &Path, arguments: &[&str]) -> String {
    let out = command(folder, arguments).output().expect("runs");
    assert_eq!(out.status.code(), Some(1), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8_lossy(&out.stderr).replace(['│', '×', '╰', '▶'], " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The only block of a folder.
fn block(folder: &Path) -> PathBuf {
    let data = if folder.join("sweep.parquet").is_dir() { "sweep.parquet" } else { "sweep.blocks" };
    let entries = std::fs::read_dir(folder.join(data)).expect("there").flatten().map(|entry| entry.path());
    entries
        .into_iter()
        .find(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("block-")))
        .expect("a block")
}

/// Whatever bit of a block has flipped: it is told with the name of the file, joined into nothing, and computed anew when the file is gone.
#[test]
fn flipped_bits_are_told_and_mended() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let few = |more: &[&'static str]| {
        let base =
            ["sweep", "wheel-sport-braking", "--vary", "brake.torque.max=0:1400:15", "--output", "distance", "-q"];
        [&base[..], more].concat()
    };
    run(at, &few(&["--out", "whole"]));
    let whole = dataset(&at.join("whole"));
    let sums = std::fs::read_to_string(at.join("whole/SHA256SUMS")).expect("there");
    assert!(
        sums.lines().count() == 1 && sums.trim_end().ends_with("/block-000000000.parquet")
            || !cfg!(feature = "parquet")
    );
    let path = block(&at.join("whole"));
    let sound = std::fs::read(&path).expect("there");
    for bit in (0..8 * sound.len()).step_by(8 * sound.len() / 7) {
        let mut bytes = sound.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, bytes).expect("written");
        let told = failed(at, &few(&["--out", "whole"]));
        assert!(
            told.contains("block-000000000") && told.contains("is damaged") && told.contains("delete this file"),
            "{told}"
        );
    }
    std::fs::remove_file(&path).expect("gone");
    run(at, &few(&["--out", "whole"]));
    assert_eq!(dataset(&at.join("whole")), whole);
    assert_eq!(std::fs::read_to_string(at.join("whole/SHA256SUMS")).expect("there"), sums);
    // So are columns.json and the scenario, and a block that is none of the sweep's is told.
    let files = ["columns.json", "scenario.toml"].map(|name| at.join("whole").join(name));
    let texts = files.clone().map(|file| std::fs::read_to_string(file).expect("there"));
    std::fs::remove_file(&files[0]).expect("gone");
    std::fs::write(&files[1], texts[1].replace("400 kg", "500 kg")).expect("written");
    run(at, &few(&["--out", "whole"]));
    assert_eq!(files.map(|file| std::fs::read_to_string(file).expect("there")), texts);
    let stray = PathBuf::from(path.to_string_lossy().replace("000000000", "000000007"));
    std::fs::copy(&path, &stray).expect("copied");
    let told = refused(at, &few(&["--out", "whole"]));
    assert!(told.contains("block-000000007") && told.contains("no block of this sweep"), "{told}");
    std::fs::remove_file(&stray).expect("gone");
    // A part that is damaged is not joined.
    for part in ["1/2", "2/2"] {
        run(at, &few(&["--out", if part == "1/2" { "p1" } else { "p2" }, "--part", part]));
    }
    let path = block(&at.join("p2"));
    let mut bytes = std::fs::read(&path).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("written");
    let told = failed(at, &["sweep", "--merge", "p1", "p2", "--out", "all", "-q"]);
    assert!(told.contains("p2/") && told.contains("is damaged"), "{told}");
    std::fs::remove_file(&path).expect("gone");
    run(at, &few(&["--out", "p2", "--part", "2/2"]));
    run(at, &["sweep", "--merge", "p1", "p2", "--out", "all", "-q"]);
    assert_eq!(dataset(&at.join("all")), whole);
}

#[test]
fn bad_sweeps_are_refused_before_anything_is_written() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    for (arguments, words) in [
        (&["--vary", "ground.fricton=0:1:3"][..], "did you mean `friction`"),
        (&["--vary", "pad.load=0:1:3"], "unknown key `pad`"),
        (&["--vary", "ground.friction=1:1:3"], "empty"),
        (&["--vary", "ground.friction=0:1:3", "--output", "stoping_distance"], "did you mean `stopping_distance`"),
        (&["--vary", "ground.friction=0:1:3", "--part", "5/4"], "there is no part 5 of 4"),
        (&["--vary", "brake.torque.max=1 kg:2 kg:3"], "a torque is expected"),
        (&["--vary", "ground.friction=0:1:1000000", "--vary", "wheel.mass=1:2:1000000"], "say --yes"),
        (&["--points", "none.csv"], "none.csv"),
        (&["--vary", "ground.friction=0:1:3", "--let", "wheel.mass=2*mu"], "`mu` is not varied"),
        (&["--vary", "ground.friction=0:1:3", "--class", "a=known("], "class `a`"),
    ] {
        let all: Vec<&str> =
            ["sweep", "wheel-sport-braking", "--out", "out"].iter().chain(arguments).copied().collect();
        let text = refused(at, &all);
        assert!(text.contains(words), "{arguments:?}: {text}");
        assert!(!at.join("out").exists(), "{arguments:?}");
    }
    // Keys of the file's own are located in it: a wrong key where it stands, a wrong unit at the value.
    let stored = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/hill-start.toml"))
        .expect("a file");
    for (vary, place, words) in [
        ("road.slop = \"1 deg:2 deg:3\"", "own.toml:LINE:6", "did you mean `slope`"),
        ("road.slope = \"1 m:2 m:3\"", "own.toml:LINE:14", "an angle is expected"),
        ("road.slope = \"1 %:12 %:3\"", "own.toml:LINE:14", "write \"0.572939 deg\""),
        ("road.slope = [\"1 deg\", \"12 %\"]", "own.toml:LINE:14", "write \"6.842773 deg\""),
        ("road.slope = \"normal(0, 12 %)\"", "own.toml:LINE:14", "write \"6.842773 deg\""),
    ] {
        let text = stored.split("\n[sweep").next().unwrap_or_default();
        let line = text.split('\n').count() + 2;
        std::fs::write(at.join("own.toml"), format!("{text}\n[sweep.vary]\n{vary}\n")).expect("written");
        let line = line.to_string();
        let told = refused(at, &["sweep", "own.toml", "--out", "out"]);
        assert!(
            told.contains(&place.replace("LINE", &line)) && told.contains(words) && !told.contains("--vary"),
            "{vary}: {told}"
        );
    }
    std::fs::write(at.join("file"), "").expect("written");
    let all = ["sweep", "wheel-sport-braking", "--vary", "ground.friction=0:1:3", "--out", "file"];
    assert!(refused(at, &all).contains("is a file"));
    let all = ["sweep", "wheel-sport-braking", "--vary", "ground.friction=0:1:3", "--out", "file/below"];
    let text = refused(at, &all);
    assert!(
        text.contains("cannot write to file/below") && text.contains("name a folder that you may write to"),
        "{text}"
    );
}

#[test]
fn searches_find_what_formulas_say() {
    let place = tempfile::tempdir().expect("a folder");
    let found = |arguments: &[&str]| -> f64 {
        let out = Command::new(env!("CARGO_BIN_EXE_stickslip"))
            .current_dir(place.path())
            .args(arguments)
            .output()
            .expect("runs");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().parse().expect("a number")
    };
    let park = [
        "find",
        "park-on-slope",
        "road.friction=0:1",
        "--set",
        "wheel.front.brake=1500 N m",
        "--until",
        "end.x == 0",
        "-q",
    ];
    assert!((found(&park) - 10.0_f64.to_radians().tan()).abs() < 1e-9);
    // A parabola in a variable that nothing else depends on.
    let least =
        ["find", "wheel-sport-braking", "v=0:1", "--let", "initial.position=v", "--minimise", "(v - 0.3)^2", "-q"];
    assert!((found(&least) - 0.3).abs() < 1e-6);
    // At the end of its bracket a value is no least one, and that is said.
    let told = |arguments: &[&str]| {
        let out = command(place.path(), arguments).output().expect("runs");
        assert!(out.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&out.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(told(&least), "");
    let rising =
        ["find", "wheel-sport-braking", "v=0.4:1", "--let", "initial.position=v", "--minimise", "(v - 0.3)^2", "-q"];
    assert!(told(&rising).contains("the end of the bracket, v = 0.4") && told(&rising).contains("may be less beyond"));
    let falling = ["find", "wheel-sport-braking", "v=0:0.2", "--let", "initial.position=v", "--maximise", "v", "-q"];
    assert!(
        told(&falling).contains("the end of the bracket, v = 0.2") && told(&falling).contains("may be greater beyond")
    );
    let text = refused(place.path(), &["find", "park-on-slope", "road.friction=0.1:1", "--until", "end.x = 0"]);
    assert!(text.contains("write ==") && text.contains("end.x == 0"), "{text}");
    let text = refused(place.path(), &["find", "park-on-slope", "road.friction=0.5:1", "--until", "end.x == 0"]);
    assert!(text.contains("there is no boundary between them"), "{text}");
    let text = refused(place.path(), &["find", "park-on-slope", "road.friction=0.5", "--until", "end.x == 0"]);
    assert!(text.contains("no bracket"), "{text}");
}

/// Rolling contacts are solved once: their numbers are outputs, errors are rows, and the bits do not hang on threads or parts.
#[test]
fn rolling_contacts_are_swept() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let base =
        ["sweep", "creep-42kn", "--vary", "motion.longitudinal=-0.001:0.003:9", "--vary", "contact.friction=[0.3, -1]"];
    let base = [&base[..], &["--set", "grid.along=22", "--set", "grid.across=22", "-q"]].concat();
    let with = |more: &[&'static str]| [&base[..], more].concat();
    run(at, &with(&["--out", "one", "--threads", "1"]));
    run(at, &with(&["--out", "two", "--threads", "2"]));
    run(at, &with(&["--out", "p1", "--part", "1/2"]));
    run(at, &with(&["--out", "p2", "--part", "2/2"]));
    run(at, &["sweep", "--merge", "p1", "p2", "--out", "merged", "-q"]);
    let whole = dataset(&at.join("one"));
    assert_eq!(dataset(&at.join("two")), whole);
    assert_eq!(dataset(&at.join("merged")), whole);
    let table = std::fs::read_to_string(at.join("one/sweep.csv")).expect("there");
    let rows: Vec<&str> = table.lines().skip(1).collect();
    assert!(rows.iter().skip(1).step_by(2).all(|row| row.contains("at least 0 is expected")), "{table}");
    let force = |row: &str| row.split(',').nth(2).and_then(|cell| cell.parse::<f64>().ok()).expect("a force");
    // No creepage, no force; opposite ones, opposite forces.
    assert_eq!(force(rows[4]), 0.0);
    assert!((force(rows[0]) + force(rows[8])).abs() < 1e-4 * force(rows[0]), "{table}");
}

const TABLE: [&str; 13] = [
    "table",
    "creep-table",
    "--set",
    "table.magnitudes=6",
    "--set",
    "table.spins=3",
    "--set",
    "table.directions=2",
    "--set",
    "table.check=6",
    "--set",
    "table.ratios=[1, 1.3, 1.7]",
    "-q",
];

#[test]
fn tables_of_creep_forces_are_the_same_however_they_are_made() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let with = |more: &[&'static str]| [&TABLE[..], more].concat();
    let files = |folder: &str| {
        let names = ["creep-table.csv", "check.csv", "report.html", "table.json"];
        names.map(|name| std::fs::read(at.join(folder).join(name)).expect("there"))
    };
    run(at, &with(&["--out", "one", "--threads", "1"]));
    run(at, &with(&["--out", "two", "--threads", "2"]));
    assert_eq!(files("two"), files("one"));
    for wait in [20, 60, 40, 100, 30] {
        let mut killed = command(at, &with(&["--out", "killed", "--threads", "2"])).spawn().expect("begins");
        std::thread::sleep(Duration::from_millis(wait));
        killed.kill().expect("killed");
        killed.wait().expect("ended");
    }
    run(at, &with(&["--out", "killed", "--threads", "2"]));
    assert_eq!(files("killed"), files("one"));
    assert!(refused(at, &with(&["--out", "one", "--set", "table.spins=4"])).contains("holds another table"));
    assert!(refused(at, &["table", "wheel-sport-braking"]).contains("tables are of rolling contacts"));
    assert!(
        refused(at, &["table", "creep-table", "--set", "grid.across=30"]).contains("as many elements along as across")
    );
    let huge = [
        "table",
        "creep-table",
        "--set",
        "table.spins=128",
        "--set",
        "table.directions=128",
        "--set",
        "table.magnitudes=128",
    ];
    assert!(refused(at, &huge).contains("--yes"));
    // Read back by a contact that it covers, and refused by one that it does not.
    run(
        at,
        &[
            "creep",
            "creep-42kn",
            "--table",
            "one/creep-table.csv",
            "--theories",
            "fastsim",
            "--xi",
            "0.001",
            "--out",
            "c",
            "-q",
        ],
    );
    let creep = std::fs::read_to_string(at.join("c/creep.csv")).expect("there");
    assert!(creep.contains("\nrange,table,0.001,"), "{creep}");
    let other = ["creep", "creep-42kn", "--table", "one/creep-table.csv", "--set", "first.poisson=0.28", "--out", "d"];
    assert!(refused(at, &other).contains("the table is for Poisson's ratio 0.3"));
    // A digit that somebody changed is not believed; a table without a checksum is, with a word.
    let table = std::fs::read_to_string(at.join("one/creep-table.csv")).expect("there");
    let last = table.trim_end().rfind(",0.0").expect("a number");
    std::fs::write(at.join("changed.csv"), format!("{}1{}", &table[..last + 1], &table[last + 2..])).expect("written");
    let asked = |file: &'static str, out: &'static str| {
        ["creep", "creep-42kn", "--table", file, "--theories", "fastsim", "--phi", "0.1", "--out", out, "-q"]
    };
    assert!(refused(at, &asked("changed.csv", "e")).contains("the table is damaged, or somebody has changed it"));
    let plain: String = table.lines().filter(|l| !l.starts_with("# sha256")).map(|l| format!("{l}\n")).collect();
    std::fs::write(at.join("plain.csv"), plain).expect("written");
    let said = |arguments: &[&str]| {
        let out = command(at, arguments).output().expect("runs");
        assert!(out.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&out.stderr).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(said(&asked("plain.csv", "f")).contains("the table has no checksum"));
    assert_eq!(said(&asked("one/creep-table.csv", "g")), "");
    let rail = ["run", "rail-wheel-braking", "--set", "contact.theory=table", "--out", "r", "-q"];
    assert!(refused(at, &rail).contains("is read from a file, and there is none"));
    run(at, &[&rail[..], &["--set", "contact.table=one/creep-table.csv"]].concat());
}

#[test]
fn files_that_points_name_are_part_of_a_sweep() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let force = |size: f64| format!("t,F\n0,{size}\n1,{size}\n");
    for (name, size) in [("a.csv", 1.0), ("b.csv", 2.0)] {
        std::fs::write(at.join(name), force(size)).expect("written");
    }
    std::fs::write(at.join("points.csv"), "force.1.x.csv\na.csv\nb.csv\n").expect("written");
    let text = "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 1\n[[force]]\non = \"b\"\n\
                x = { csv = \"a.csv\", time = \"t\", column = \"F\" }\n[run]\nduration = 1\nstep = 0.01\n";
    std::fs::write(at.join("s.toml"), text).expect("written");
    for vary in [["--vary", "force.1.x.csv=[\"a.csv\", \"b.csv\"]"], ["--points", "points.csv"]] {
        let all =
            |more: &[&'static str]| [&["sweep", "s.toml", "--output", "end.vx_b", "-q"][..], &vary[..], more].concat();
        let out = if vary[0] == "--vary" { ["whole", "p1", "p2", "all"] } else { ["whole2", "q1", "q2", "all2"] };
        std::fs::write(at.join("b.csv"), force(2.0)).expect("written");
        run(at, &[&all(&[])[..], &["--out", out[0]]].concat());
        run(at, &[&all(&["--part", "1/2"])[..], &["--out", out[1]]].concat());
        let ends = |out: &str| -> Vec<f64> {
            let table = std::fs::read_to_string(at.join(out).join("sweep.csv")).expect("there");
            table.lines().skip(1).map(|row| row.split(',').nth(1).expect("a cell").parse().expect("a number")).collect()
        };
        assert!(ends(out[0]).iter().zip([1.0, 2.0]).all(|(end, wanted)| (end - wanted).abs() < 1e-12));
        // Beside the dataset lies what was read.
        assert_eq!(std::fs::read_to_string(at.join(out[0]).join("inputs/b.csv")).expect("there"), force(2.0));
        std::fs::write(at.join("b.csv"), force(5.0)).expect("written");
        let text = refused(at, &[&all(&[])[..], &["--out", out[0]]].concat());
        assert!(text.contains("which differs in the file b.csv"), "{text}");
        run(at, &[&all(&["--part", "2/2"])[..], &["--out", out[2]]].concat());
        let text = refused(at, &["sweep", "--merge", out[1], out[2], "--out", out[3]]);
        assert!(text.contains("which differ in the file b.csv"), "{text}");
        // Taken away, it is another sweep as well.
        std::fs::remove_file(at.join("b.csv")).expect("gone");
        let text = refused(at, &[&all(&[])[..], &["--out", out[0]]].concat());
        assert!(text.contains("which differs in the file b.csv"), "{text}");
    }
}

/// A table of creep forces is a file like others, under a key of another name.
#[test]
fn tables_that_points_name_are_read_once() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    run(at, &[&TABLE[..], &["--out", "one"]].concat());
    std::fs::copy(at.join("one/creep-table.csv"), at.join("a.csv")).expect("copied");
    std::fs::copy(at.join("a.csv"), at.join("b.csv")).expect("copied");
    let shown = command(at, &["show", "rail-wheel-braking"]).stdout(Stdio::piped()).output().expect("runs");
    let text = String::from_utf8(shown.stdout).expect("text");
    let text = text.replace("theory = \"fastsim\"", "theory = \"table\"\ntable = \"a.csv\"");
    let text = text.replace("duration = \"16 s\"", "duration = \"1 s\"");
    std::fs::write(at.join("r.toml"), text).expect("written");
    let all = |vary: &'static str, out: &'static str| {
        ["sweep", "r.toml", "--vary", vary, "--output", "end.x1", "--out", out, "-q"]
    };
    let ends = |out: &str| -> Vec<String> {
        let table = std::fs::read_to_string(at.join(out).join("sweep.csv")).expect("there");
        table.lines().skip(1).map(|row| row.split(',').nth(1).expect("a cell").to_string()).collect()
    };
    // The file of the scenario itself, and those that points name.
    run(at, &all("contact.friction=[0.25, 0.3]", "own"));
    let own = ends("own");
    assert!(own.iter().all(|end| end.parse::<f64>().is_ok()), "{own:?}");
    run(at, &all("contact.table=[\"a.csv\", \"b.csv\"]", "both"));
    assert_eq!(ends("both"), [own[1].clone(), own[1].clone()]);
    std::fs::write(at.join("b.csv"), "no table").expect("written");
    let said = refused(at, &all("contact.table=[\"a.csv\", \"b.csv\"]", "both"));
    assert!(said.contains("which differs in the file b.csv"), "{said}");
    // The scenario that lies beside the dataset reads its own copy.
    std::fs::remove_file(at.join("a.csv")).expect("gone");
    run(at, &["run", "own/scenario.toml", "--out", "again", "-q"]);
}
