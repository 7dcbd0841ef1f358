//! Rows of sweeps show what was run: keys are set once, runs that mean nothing have no values, figures are those of `run`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn stickslip(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stickslip"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).output().expect("runs")
}

fn run(folder: &Path, arguments: &[&str]) {
    let out = stickslip(folder, arguments);
    assert!(out.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let out = stickslip(folder, arguments);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// Cells of the rows of a table, by their columns.
fn rows(folder: &Path, out: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join(out).join("sweep.csv")).expect("a table");
    reader.records().map(|row| row.expect("a row").iter().map(String::from).collect()).collect()
}

fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|_| panic!("{cell:?} is no number"))
}

/// A body on a spring: it swings with √(k/m)/2π.
fn swing(stiffness: f64, duration: f64) -> String {
    format!(
        "model = \"assembly\"\ntitle = \"s\"\n[[body]]\nname = \"b\"\nmass = 1\nx = 0.01\n[[spring]]\nof = \"b\"\nstiffness = {stiffness}\n\
         [run]\nduration = {duration}\nstep = 0.001\nscheme = \"events\"\n"
    )
}

fn summary(folder: &Path, out: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join(out).join("summary.json")).expect("there");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn a_value_is_set_once() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.1)).expect("written");
    std::fs::write(at.join("two.csv"), "body.1.x,body.b.x\n1,2\n").expect("written");
    std::fs::write(at.join("one.csv"), "body.1.x\n1\n2\n").expect("written");
    let end = ["--output", "end.x_b"];
    let braking = "wheel-sport-braking";
    for (arguments, words) in [
        (
            &["sweep", "s.toml", "--vary", "body.b.x=1:2:2", "--let", "body.b.x=5+0*body.b.x"][..],
            "both varied and set by a formula",
        ),
        (
            &["sweep", "s.toml", "--vary", "body.1.x=[1, 2]", "--vary", "body.b.x=[5, 6]"],
            "`body.1.x` and `body.b.x` are one value",
        ),
        (&["sweep", "s.toml", "--points", "two.csv"], "one value"),
        (&["sweep", "s.toml", "--points", "one.csv", "--let", "body.b.x=2*body.1.x"], "one value"),
        (&["sweep", "s.toml", "--vary", "v=1:2:2", "--let", "body.b.x=v", "--let", "body.1.x=2*v"], "one value"),
        (
            &["sweep", "s.toml", "--vary", "v=1:2:2", "--let", "body.b.x=v", "--let", "body.b.x=2*v"],
            "set by a formula twice",
        ),
        (&["sweep", "s.toml", "--vary", "body=1:2:2", "--let", "body=2*body"], "another name"),
        (&["sweep", "s.toml", "--vary", "error=1:2:2", "--let", "body.b.x=error"], "call the variable something else"),
        (
            &["sweep", braking, "--vary", "brake.torque.max=600:900:2", "--let", "brake.torque=900"],
            "one is inside the other",
        ),
        (
            &["sweep", "belt-falling-friction", "--vary", "body.1.x=[0, 1]", "--vary", "support.belt.speed=0.2:0.3:2"],
            "one value",
        ),
        (&["find", "s.toml", "body.b.x=0:3", "--let", "body.1.x=2*body.b.x", "--until", "end.x_b > 1"], "one value"),
        (
            &["stability", "block-on-belt", "--vary", "pad.1.load=1:2:2", "--vary", "pad.pad.load=1:2:2"],
            "set the same value",
        ),
    ] {
        let more = if arguments[0] == "sweep" && arguments[1] == "s.toml" { &end[..] } else { &[] };
        let text = refused(at, &[arguments, more].concat());
        assert!(text.contains(words), "{arguments:?}: {text}");
    }
}

#[test]
fn what_is_set_takes_the_place_of_what_the_file_varies() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let text = swing(100.0, 0.1)
        + "[sweep]\noutputs = [\"duration\", \"end.x_b\"]\n[sweep.vary]\nbody.b.x = \"1:2:2\"\nv = [1, 2]\n\
                                    [sweep.let]\nrun.duration = \"0.1*v\"\nbody.b.speed = \"0*v\"\n";
    std::fs::write(at.join("s.toml"), &text).expect("written");
    let column = |out: &str, k: usize| -> Vec<f64> { rows(at, out).iter().map(|row| number(&row[k])).collect() };
    run(at, &["sweep", "s.toml", "--out", "own", "-q"]);
    assert_eq!(column("own", 2), [0.1, 0.2, 0.1, 0.2]);
    run(at, &["sweep", "s.toml", "--set", "run.duration=0.3", "--out", "let", "-q"]);
    assert_eq!(column("let", 2), [0.3; 4]);
    // By another way to write it, too; the file that is kept says what was done.
    run(at, &["sweep", "s.toml", "--set", "body.1.x=3", "--out", "vary", "-q"]);
    assert_eq!(rows(at, "vary").iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    let kept = std::fs::read_to_string(at.join("vary/scenario.toml")).expect("there");
    assert!(!kept.contains("1:2:2") && kept.contains("0.1*v"), "{kept}");
    // A formula for one key leaves those of the file for others.
    run(at, &["sweep", "s.toml", "--let", "body.1.speed=v", "--out", "both", "-q"]);
    assert_eq!(column("both", 2), [0.1, 0.2, 0.1, 0.2]);
    assert_ne!(column("both", 3), column("own", 3));
    // A file of points that the scenario names does not undo what is set.
    std::fs::write(at.join("p.csv"), "body.1.x\n1\n2\n").expect("written");
    let named = swing(100.0, 0.1) + "[sweep]\npoints = \"p.csv\"\noutputs = [\"end.x_b\"]\n";
    std::fs::write(at.join("p.toml"), named).expect("written");
    assert!(
        refused(at, &["sweep", "p.toml", "--set", "body.b.x=3", "--out", "p"])
            .contains("is set, and the file of points")
    );
    for more in [
        &["sweep", "p.toml", "--set", "body.b.x=3", "--vary", "body.b.x=1:2:2", "--out", "p"][..],
        &["sweep", "s.toml", "--set", "body.1.x=3", "--vary", "body.b.x=1:2:2", "--out", "p"],
        &["sweep", "s.toml", "--set", "body.1.speed=3", "--vary", "v=1:2:2", "--let", "body.b.speed=v", "--out", "p"],
        &["find", "s.toml", "body.b.x=1:2", "--set", "body.1.x=3", "--until", "end.x_b > 0"],
    ] {
        assert!(refused(at, more).contains("is set, and"), "{more:?}");
    }
    // Another value of the same table is another one.
    run(at, &["sweep", "s.toml", "--set", "body.1.speed=3", "--vary", "body.b.x=1:2:2", "--out", "other", "-q"]);
    // Formulas of the file that are left out are told, unless the command line has them.
    let left = |more: &[&str]| {
        let out = stickslip(at, &[&["sweep", "s.toml", "--vary", "body.b.x=1:2:2", "--out"], more, &["-q"]].concat());
        assert!(out.status.success());
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    let told = left(&["left"]);
    assert!(told.contains("run.duration = 0.1*v of [sweep.let] is left out"), "{told}");
    assert!(told.contains("body.b.speed = 0*v of [sweep.let] is left out"), "{told}");
    let told = left(&["kept", "--let", "run.duration=0.2*body.b.x"]);
    assert!(!told.contains("run.duration = ") && told.contains("body.b.speed = "), "{told}");
    let told = left(&["varied", "--vary", "run.duration=[0.1, 0.2]"]);
    assert!(told.contains("run.duration = 0.1*v of [sweep.let] is left out, since it is varied here"), "{told}");
}

/// By too large steps the energy of a mass on a stop comes from nowhere.
const COARSE: [&str; 4] = ["mass-on-stop", "--set", "run.scheme=implicit-euler", "-q"];

#[test]
fn runs_that_mean_nothing_have_no_values() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let out = stickslip(at, &[&["run"], &COARSE[..], &["--set", "run.step=0.05", "--no-study", "--out", "r"]].concat());
    assert_eq!(out.status.code(), Some(1));
    let said = summary(at, "r")["warnings"][0]["text"].as_str().expect("a text").to_string();
    assert!(said.contains("this result means nothing"), "{said}");
    for outputs in
        [&["--output", "heat"][..], &["--output", "heat", "--output", "energy.closure", "--output", "max.x_mass"]]
    {
        let vary = ["--vary", "run.step=[0.01, 0.05, 0.1]", "--out", "s"];
        run(at, &[&["sweep"], &COARSE[..], &vary, outputs].concat());
        let rows = rows(at, "s");
        let last = rows[0].len() - 1;
        // A tenth of the energy lost makes doubtful, half of it void.
        assert!(rows[0][last].starts_with("warning: ") && rows[0][1..last].iter().all(|c| !c.is_empty()), "{rows:?}");
        assert_eq!(rows[1][last], said);
        assert!(
            rows[1..]
                .iter()
                .all(|row| row[last].contains("means nothing") && row[1..last].iter().all(String::is_empty))
        );
        assert_eq!(summary(at, "s")["errors"], 2);
        std::fs::remove_dir_all(at.join("s")).expect("removed");
    }
    let search = [
        "find",
        "mass-on-stop",
        "run.step=0.001:0.1",
        "--set",
        "run.scheme=implicit-euler",
        "--minimise",
        "end.x_mass",
    ];
    assert!(refused(at, &search).contains("means nothing"));
    run(
        at,
        &[&["sweep"], &COARSE[..], &["--vary", "run.step=[0.01, 0.05]", "--bifurcation", "x_mass", "--out", "d"]]
            .concat(),
    );
    let all = rows(at, "d");
    let error = |row: &&Vec<String>| !row[row.len() - 1].is_empty();
    assert_eq!(all.iter().filter(error).map(|row| number(&row[0])).collect::<Vec<_>>(), [0.05]);
    assert_eq!(all.iter().rfind(error).and_then(|row| row.last()), Some(&said));
}

#[test]
fn figures_are_those_of_the_run() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let every = ["--set", "output.every=1"];
    let step = ["--set", "run.scheme=implicit-euler", "--set", "run.step=0.01"];
    for (name, set) in [("mass-on-stop", &step[..]), ("squeal-one-mode", &[][..])] {
        run(at, &[&["run", name, "--no-study", "--out", "r", "--force", "-q"], set, &every].concat());
        let exact = summary(at, "r");
        let (contact, stuck) =
            exact["stuck_fraction"].as_object().and_then(|all| all.iter().next()).expect("a contact");
        let outputs = ["--output", "energy.closure", "--output", &format!("stuck.\"{contact}\"")];
        run(at, &[&["sweep", name, "--vary", "output.every=[1]", "--out", "s", "-q"], set, &outputs].concat());
        let row = &rows(at, "s")[0];
        assert_eq!(number(&row[1]), exact["energy"]["closure"].as_f64().expect("a number"), "{name}");
        assert_eq!(number(&row[2]), stuck.as_f64().expect("a number"), "{name}");
        std::fs::remove_dir_all(at.join("s")).expect("removed");
    }
}

#[test]
fn a_line_is_not_folded() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(1e4, 20.0)).expect("written");
    let line = ["--output", "frequency.x_b", "--output", "max.x_b", "-q"];
    run(at, &[&["sweep", "s.toml", "--vary", "output.every=[1, 100]", "--out", "a"], &line[..]].concat());
    let found = rows(at, "a");
    // 100 rad/s; lines of a Hann window are found to about 1/k³ of their distance, 0.1 Hz, with k = 159 periods.
    for row in &found {
        assert!((number(&row[1]) - 50.0 / std::f64::consts::PI).abs() < 1e-6, "{row:?}");
    }
    // Extremes are those of recorded rows, as they are without a line.
    assert!(found[0][2] != found[1][2] || number(&found[0][2]) == 0.01);
    run(at, &[&["sweep", "s.toml", "--vary", "run.step=[0.001, 0.1]", "--out", "b"], &line[..2], &["-q"]].concat());
    let found = rows(at, "b");
    assert!(found[0][2].is_empty() && found[1][1].is_empty() && found[1][2].contains("too fast"), "{found:?}");
    // Diagrams take each step, whatever is recorded of a trajectory.
    let diagram = ["--bifurcation", "x_b", "--at", "greatest", "--out", "c", "-q"];
    run(
        at,
        &[&["sweep", "s.toml", "--set", "output.every=333", "--vary", "body.b.speed=[0, 0.001]"], &diagram[..]]
            .concat(),
    );
    for row in rows(at, "c") {
        let amplitude = (1e-4 + (number(&row[0]) / 100.0).powi(2)).sqrt();
        // A parabola through three values h apart: off by (ωh)⁴/128 of the amplitude at the most, 1e-6.
        assert!((number(&row[3]) / amplitude - 1.0).abs() < 1e-5, "{row:?}");
    }
    run(
        at,
        &[
            "sweep",
            "s.toml",
            "--set",
            "output.every=333",
            "--vary",
            "body.b.speed=[0, 0.1]",
            "--spectrum",
            "x_b",
            "--out",
            "d",
            "-q",
        ],
    );
    let lines = rows(at, "d");
    // 10 s are looked at: lines from 0.1 Hz on, and the greatest of them where the body swings.
    assert!((number(&lines[0][2]) - 0.1).abs() < 1e-4, "{:?}", lines[0]);
    let greatest = lines.iter().max_by(|a, b| number(&a[3]).total_cmp(&number(&b[3]))).expect("a line");
    assert!((number(&greatest[2]) - 15.9155).abs() < 0.051, "{greatest:?}");
}

#[test]
fn formulas_without_a_value_are_errors() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(1.0, 0.01)).expect("written");
    for (formula, error) in [
        ("a=sqrt(-body.b.x)", "a = sqrt(-body.b.x) has no value"),
        ("a=0/(body.b.x - 1)", "a = 0/(body.b.x - 1) has no value"),
        ("a=mod(5, 0)", "has no value"),
        ("a=1/0", "has no value"),
        ("a=1/(1/0)", "has no value"),
        ("a=min(1/0, body.b.x)", "has no value"),
        ("a=known(1/(body.b.x - 1))", ""),
    ] {
        run(at, &["sweep", "s.toml", "--vary", "body.b.x=[1]", "--output", formula, "--out", "s", "-q"]);
        let row = &rows(at, "s")[0];
        assert!(row[2].contains(error) && row[2].is_empty() == error.is_empty(), "{formula}: {row:?}");
        assert_eq!(row[1], if error.is_empty() { "0" } else { "" }, "{formula}");
        std::fs::remove_dir_all(at.join("s")).expect("removed");
    }
    let classes = ["--class", "a=body.b.x - 1.5", "--class", "b=1", "--output", "steps"];
    run(at, &[&["sweep", "s.toml", "--vary", "body.b.x=[1, 2.5]", "--out", "s", "-q"], &classes[..]].concat());
    let found = rows(at, "s");
    assert!(found[0][2].is_empty() && found[0][3].contains("neither true (1) nor false (0)"), "{found:?}");
    assert_eq!(found[1][2], "a");
    let search = ["find", "s.toml", "body.b.x=1:2", "--until", "body.b.x - 1.5"];
    assert!(refused(at, &search).contains("neither true"));
    // Ends farther apart than numbers reach.
    let far = ["--vary", "v=-1e308:1e308:5", "--let", "body.b.speed=0*v", "--output", "steps", "--out", "far", "-q"];
    run(at, &[&["sweep", "s.toml"], &far[..]].concat());
    assert!(rows(at, "far").iter().all(|row| row[1] == "10" && row[2].is_empty()));
    assert_eq!(
        rows(at, "far").iter().map(|row| number(&row[0])).collect::<Vec<_>>(),
        [-1e308, -5e307, 0.0, 5e307, 1e308]
    );
}

/// Random keys beside a grid are not ranked: they would be pooled over its places. By themselves they are.
#[test]
fn random_keys_are_ranked_by_themselves() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.1)).expect("written");
    let random =
        ["sweep", "s.toml", "--vary", "body.b.x=uniform(0, 1)", "--samples", "40", "--output", "end.x_b", "-q"];
    run(at, &[&random[..], &["--out", "alone"]].concat());
    assert!(at.join("alone/sensitivity.csv").is_file());
    run(at, &[&random[..], &["--vary", "spring.1.stiffness=[50, 100, 200]", "--out", "grid"]].concat());
    let report = std::fs::read_to_string(at.join("grid/report.html")).expect("there");
    assert!(!at.join("grid/sensitivity.csv").exists() && report.contains("not ranked beside keys on a grid"));
}

/// A block behind a spring on a support that is moved: by steps of 1 ms, 700 Hz look like 300 Hz.
const DRIVEN: &str = "model = \"assembly\"\ntitle = \"d\"\n[[body]]\nname = \"b\"\nmass = 1\n[[support]]\nname = \"s\"\n\
    position = { sine = { amplitude = \"1 m\", frequency = \"20 Hz\" } }\n[[spring]]\nof = \"b\"\nagainst = \"s\"\nstiffness = \"1 N/m\"\n\
    [[pad]]\nname = \"p\"\nof = \"b\"\nagainst = \"s\"\nload = \"1e-9 N\"\nfriction = 0.3\n[run]\nduration = \"2 s\"\nstep = \"1 ms\"\n";

#[test]
fn warnings_of_runs_reach_the_sweep() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("d.toml"), DRIVEN).expect("written");
    let vary = ["sweep", "d.toml", "--vary", "support.s.position.sine.frequency=[20, 700]"];
    let out = stickslip(at, &[&vary[..], &["--output", "end.x_b", "--out", "a"]].concat());
    assert!(out.status.success());
    let told = String::from_utf8_lossy(&out.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("1 of 2 runs has warnings; the first is point 1:"), "{told}");
    let found = rows(at, "a");
    assert!(found[0][2].is_empty() && found[1][2].starts_with("warning: ") && !found[1][1].is_empty(), "{found:?}");
    assert!(found[1][2].contains("which is not seen by the steps"), "{found:?}");
    let kept = summary(at, "a");
    assert_eq!((&kept["warnings"], &kept["first_warning"][0], &kept["errors"]), (&1.into(), &1.into(), &0.into()));
    let page = std::fs::read_to_string(at.join("a/report.html")).expect("there");
    assert!(page.contains("1 of 2 runs has warnings"));
    // A line would be folded: 300 Hz in place of 700 Hz. Below half the rate it is where it belongs.
    run(at, &[&vary[..], &["--output", "frequency.d_p", "--output", "amplitude.d_p", "--out", "b", "-q"]].concat());
    let found = rows(at, "b");
    assert!((number(&found[0][1]) - 20.0).abs() < 1e-3 && (number(&found[0][2]) - 1.0).abs() < 1e-2, "{found:?}");
    assert!(found[1][1].is_empty() && found[1][3].contains("folded"), "{found:?}");
}

#[test]
fn variables_without_a_formula_and_with_names_of_outputs_are_told() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    let text = swing(100.0, 0.1)
        + "[sweep]\noutputs = [\"end.x_b\"]\n[sweep.vary]\nA = [1, 2]\n[sweep.let]\nbody.b.speed = \"0.1*A\"\n";
    std::fs::write(at.join("s.toml"), text).expect("written");
    let told = refused(at, &["sweep", "s.toml", "--set", "body.b.speed=0.5", "--out", "a"]);
    assert!(told.contains("`A` is varied, and nothing follows from it any more: body.b.speed = 0.1*A"), "{told}");
    std::fs::write(at.join("p.toml"), swing(100.0, 0.1)).expect("written");
    let set = ["--output", "end.x_b", "--out"];
    for (name, words) in [("duration", "hides an output"), ("pi", "hides a constant"), ("own", "")] {
        let vary = format!("{name}=[1, 2]");
        let follow = format!("body.b.speed=0.1*{name}");
        let out = stickslip(at, &[&["sweep", "p.toml", "--vary", &vary, "--let", &follow][..], &set, &[name]].concat());
        let told = String::from_utf8_lossy(&out.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(out.status.success(), "{told}");
        assert_eq!(told.contains("hides"), !words.is_empty(), "{told}");
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn parts_are_known_by_their_rows() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.1)).expect("written");
    let common = ["sweep", "s.toml", "--vary", "body.b.x=1:2:9", "--output", "end.x_b", "-q"];
    let part = |share: &'static str| [&common[..], &["--part", share, "--out", &share[..1]]].concat();
    for share in ["1/3", "2/3", "3/3"] {
        run(at, &part(share));
    }
    run(at, &["sweep", "--merge", "1", "2", "3", "--out", "all", "-q"]);
    // A second copy of a part in place of another.
    let text = std::fs::read_to_string(at.join("2/sweep.json")).expect("there");
    std::fs::write(at.join("2/sweep.json"), text.replace("\"part\": 2", "\"part\": 3")).expect("written");
    std::fs::rename(at.join("3"), at.join("x")).expect("moved");
    std::fs::rename(at.join("2"), at.join("3")).expect("moved");
    run(at, &part("2/3"));
    if Path::new(&at.join("2/sweep.parquet")).exists() {
        let told = refused(at, &["sweep", "--merge", "1", "2", "3", "--out", "b", "-q"]);
        assert!(told.contains("holds the rows of another part"), "{told}");
    }
}

#[test]
fn spread_of_random_samples_is_told() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.01)).expect("written");
    let vary = ["sweep", "s.toml", "--vary", "A=uniform(0, 1)", "--let", "body.b.x=A", "--output", "y=A"];
    let out = stickslip(at, &[&vary[..], &["--samples", "4096", "--design", "latin-hypercube", "--out", "a"]].concat());
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let told = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(told.contains("median") && told.contains(" sd "), "{told}");
    let kept = summary(at, "a");
    let column = kept["columns"].as_array().and_then(|all| all.iter().find(|own| own["name"] == "y")).expect("there");
    // A sample in each of n equal shares: quantiles are off by two shares at the most, the deviation by less than one.
    let share = 1.0 / 4096.0;
    assert!((column["sd"].as_f64().expect("told") - 12_f64.sqrt().recip()).abs() < share);
    for (found, exact) in column["quantiles"].as_array().expect("told").iter().zip([0.05, 0.25, 0.5, 0.75, 0.95]) {
        assert!((found.as_f64().expect("a number") - exact).abs() < 2.0 * share, "{found}");
    }
    let page = std::fs::read_to_string(at.join("a/report.html")).expect("there");
    assert!(page.contains("Spread") && page.contains("95 %"));
}

#[test]
fn the_order_of_a_list_does_not_change_pictures() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.3)).expect("written");
    let figures = |out: &str| {
        let entries = std::fs::read_dir(at.join(out).join("figures")).expect("figures");
        let mut all: Vec<(String, Vec<u8>)> = entries
            .map(|entry| entry.expect("an entry"))
            .map(|entry| (entry.file_name().to_string_lossy().into(), std::fs::read(entry.path()).expect("readable")))
            .collect();
        all.sort();
        all
    };
    let outputs = &["--output", "end.x_b", "--class", "right=end.x_b > 0", "--class", "left=1"][..];
    let one = ["body.b.speed=[1, 2, 4, 7]", "body.b.speed=[4, 1, 7, 2]", "body.b.speed=[7, 4, 2, 1]"];
    let two =
        ["spring.1.stiffness=[50, 80, 200]", "spring.1.stiffness=[200, 50, 80]", "spring.1.stiffness=[200, 80, 50]"];
    let random = &["--vary", "body.b.mass=uniform(1, 2)", "--samples", "40"][..];
    let with = |vary: &[&'static str], more: &[&'static str]| -> Vec<&'static str> {
        vary.iter().flat_map(|key| ["--vary", *key]).chain(more.iter().copied()).collect()
    };
    let kinds: [(&str, bool, Vec<&'static str>, usize); 5] = [
        ("curve", false, outputs[..2].to_vec(), 1),
        ("map", true, outputs.to_vec(), 2),
        ("bands", false, [random, &outputs[..2]].concat(), 1),
        ("waterfall", false, vec!["--spectrum", "x_b"], 1),
        ("basins", true, vec!["--orbits", "x_b"], 4),
    ];
    for (kind, both, more, count) in kinds {
        let all: Vec<_> = (0..3)
            .map(|k| {
                let vary = if both { vec![two[k], one[k]] } else { vec![one[k]] };
                let out = format!("{kind}{k}");
                run(at, &[&["sweep", "s.toml", "--out", &out, "-q"][..], &with(&vary, &more)].concat());
                figures(&out)
            })
            .collect();
        assert_eq!(all[0].len(), count, "{kind}");
        for k in 1..3 {
            for ((name, one), (_, other)) in all[0].iter().zip(&all[k]) {
                assert!(one == other, "{kind}/{name}: the order {k} gives another picture");
            }
        }
    }
    // The page that answers the cursor has cells of a grid beside each other, too; rows stay as they are asked for.
    let page = std::fs::read_to_string(at.join("map1/report.html")).expect("there");
    assert!(page.contains("\"rows\":[[50,1,"), "{}", page.split("\"rows\"").nth(1).map_or("", |rows| &rows[..200]));
    let first: Vec<f64> = rows(at, "map1").iter().map(|row| number(&row[0])).collect();
    assert_eq!(first, [200.0, 200.0, 200.0, 200.0, 50.0, 50.0, 50.0, 50.0, 80.0, 80.0, 80.0, 80.0]);
    let said = refused(at, &["sweep", "s.toml", "--vary", "body.b.speed=[1, 2, 1.0]", "--out", "twice"]);
    assert!(said.contains("the list has \"1\" and \"1.0\", which are the same"), "{said}");
}

#[test]
fn keys_that_runs_take_no_notice_of_are_refused() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.3)).expect("written");
    std::fs::write(at.join("p.csv"), "sweep.seed\n1\n2\n").expect("written");
    for (more, key) in [
        (&["--vary", "model=[\"assembly\", \"wheel\"]"][..], "model"),
        (&["--vary", "sweep.seed=1:3:3"], "sweep.seed"),
        (&["--vary", "sweep.samples=1:3:3"], "sweep.samples"),
        (&["--vary", "expected.period=1:3:3"], "expected.period"),
        (&["--vary", "title=[\"a\", \"b\"]"], "title"),
        (&["--points", "p.csv"], "sweep.seed"),
        (&["--vary", "v=1:2:2", "--let", "sweep.seed=v"], "sweep.seed"),
    ] {
        let said = refused(at, &[&["sweep", "s.toml", "--output", "end.x_b", "--out", "o"][..], more].concat());
        assert!(said.contains(&format!("`{key}` is the same for all runs and cannot be varied")), "{more:?}: {said}");
    }
    let said = refused(at, &["find", "s.toml", "sweep.seed=1:3", "--until", "end.x_b > 0"]);
    assert!(said.contains("cannot be varied"), "{said}");
    // A file is told the place.
    std::fs::write(at.join("own.toml"), swing(100.0, 0.3) + "[sweep.vary]\nsweep.seed = \"1:3:3\"\n").expect("written");
    let said = refused(at, &["sweep", "own.toml"]);
    assert!(said.contains("cannot be varied") && said.contains("own.toml:"), "{said}");
}

#[test]
fn outputs_have_names_of_their_own_and_are_of_numbers() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::write(at.join("s.toml"), swing(100.0, 0.1)).expect("written");
    let scheme = "run.scheme=[\"events\", \"implicit-euler\"]";
    for (vary, more, words) in [
        ("body.b.x=1:2:2", ["--output", "end.x_b=2*end.vx_b"], "`end.x_b` is an output that runs have"),
        ("body.b.x=1:2:2", ["--output", "=end.x_b"], "the output `end.x_b` has an empty name"),
        ("body.b.x=1:2:2", ["--output", "a="], "the output `a` has no formula"),
        ("body.b.x=1:2:2", ["--output", ""], "without a name and a formula"),
        (scheme, ["--output", "a=2*run.scheme"], "`run.scheme` is varied over words, and formulas are of numbers"),
        (scheme, ["--class", "a=run.scheme > 1"], "`run.scheme` is varied over words, and formulas are of numbers"),
    ] {
        let said = refused(at, &["sweep", "s.toml", "--vary", vary, more[0], more[1], "--out", "o"]);
        assert!(said.contains(words), "{more:?}: {said}");
    }
    // What may be asked is that of the scenario, where nothing is varied.
    let listed = |name: &str| {
        let out = stickslip(at, &["sweep", name, "--outputs"]);
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert!(!listed("s.toml").contains("varied"));
    let braking = listed("car-two-wheels-braking");
    let names: Vec<&str> = braking.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"first_lock_front") && names.contains(&"first_lock_rear"), "{braking}");
    assert!(!names.contains(&"run.duration"), "{braking}");
}

#[test]
fn missing_values_are_told() {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    // Weak brakes do not lock the wheel.
    let told = |vary: &[&str], out: &str| {
        let asked = ["--output", "first_lock", "--output", "distance", "--out", out];
        let out = stickslip(at, &[&["sweep", "wheel-sport-braking"][..], vary, &asked].concat());
        let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let without = |out: &str, column: usize| {
        let all = rows(at, out);
        (all.iter().filter(|row| row[column].is_empty()).count(), all.len())
    };
    let said = told(&["--vary", "brake.torque.max=600:1400:6"], "grid");
    let (count, of) = without("grid", 1);
    assert!(count > 0 && count < of);
    let words = format!("missing {count} of {of} have no first_lock: least, greatest and mean are of the others");
    assert!(said.contains(&words) && !said.contains("no distance"), "{said}");
    let figure = std::fs::read_to_string(at.join("grid/figures/first_lock.svg")).expect("there");
    assert!(figure.contains(&format!("{count} of {of} runs have no first_lock")));
    let random = ["--vary", "brake.torque.max=uniform(600, 1400)", "--samples", "20"];
    let said = told(&random, "samples");
    let (count, of) = without("samples", 1);
    let words = format!("WARNING {count} of {of} have no first_lock: mean, sd and median are of the others alone");
    assert!(said.contains(&words), "{said}");
    let page = std::fs::read_to_string(at.join("samples/report.html")).expect("there");
    assert!(page.contains("Not all samples have first_lock"));
    // Over a grid there is no spread by chance.
    let said = told(&[&["--vary", "ground.friction=[0.5, 0.8]"][..], &random].concat(), "both");
    assert!(!said.contains("median"), "{said}");
    let page = std::fs::read_to_string(at.join("both/report.html")).expect("there");
    assert!(!page.contains("lie below the value in the column"));
}
