//! Trajectories: from t = 0 to the end, no row missing, and comparisons by all of them.

use std::fs;
use std::path::Path;

use assert_cmd::Command;

fn run(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("stickslip").expect("built");
    let output = command.current_dir(folder).args(arguments).assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// A table by its header.
struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(path: &Path) -> Table {
        let text = fs::read_to_string(path).expect("written");
        let mut lines = text.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
        Table { header: lines.next().expect("a header"), rows: lines.collect() }
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let k = self.header.iter().position(|h| h == name).unwrap_or_else(|| panic!("{name}: {:?}", self.header));
        self.rows.iter().map(|row| row[k].parse().expect("a number")).collect()
    }
}

/// Scenario, step, columns of the start with their values.
type Start = (&'static str, &'static str, &'static [(&'static str, f64)]);

#[test]
fn every_trajectory_begins_with_the_start() {
    let starts: [Start; 6] = [
        ("wheel-sport-braking", "run.step=0.01", &[("x1", 20.0), ("x2", -20.0), ("x", 0.0), ("heat_ground", 0.0)]),
        ("car-four-wheels-braking", "run.step=0.01", &[("x", 0.0), ("heat_brake", 0.0), ("work_motor", 0.0)]),
        ("block-on-belt", "run.step=0.05", &[("x_block", 0.0), ("work", 0.0), ("heat", 0.0)]),
        ("towed-wheel-p3", "run.step=0.01", &[("heat", 0.0), ("work", 0.0)]),
        ("rail-wheel-braking", "run.step=0.01", &[("x", 0.0), ("heat_ground", 0.0)]),
        ("bogie-case-2", "run.step=0.01", &[("work", 0.0), ("heat", 0.0)]),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (name, step, start) in starts {
        for scheme in ["implicit-euler", "events", "moreau-jean"] {
            let assembly = name.starts_with("block") || name.starts_with("bogie");
            if (scheme == "moreau-jean" && !assembly) || (scheme == "events" && name.starts_with("rail")) {
                continue;
            }
            let out = format!("{name}-{scheme}");
            let scheme = format!("run.scheme={scheme}");
            let short = ["--set", "run.duration=1", "--no-study", "--set", "output.exponent=false"];
            let short = if name.starts_with("rail") { &short[..3] } else { &short[..] };
            run(folder.path(), &[&["run", name, "--out", &out, "--set", step, "--set", &scheme], short].concat());
            let table = Table::read(&folder.path().join(&out).join("trajectory.csv"));
            let t = table.column("t");
            let h: f64 = step.trim_start_matches("run.step=").parse().expect("a number");
            assert_eq!(t.len(), 1 + (1.0 / h).round() as usize, "{out}");
            assert!(t.iter().enumerate().all(|(n, t)| (t - n as f64 * h).abs() < 1e-12), "{out}");
            for (column, value) in start {
                assert_eq!(table.column(column)[0], *value, "{out}: {column}");
            }
            // Energies balance from the first row on: what is stored at the start is what the summary says.
            let summary = fs::read_to_string(folder.path().join(&out).join("summary.json")).expect("written");
            let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
            assert_eq!(summary["rows"], t.len());
            if name != "rail-wheel-braking" {
                let (row, ledger) = (table.column("energy")[0], summary["energy"]["start"].as_f64().expect("a number"));
                // The same sum in another order.
                assert!((row - ledger).abs() <= 1e-14 * ledger.abs(), "{out}: {row} against {ledger}");
            }
        }
    }
}

/// A block on a ramp of force: friction follows the force exactly while it sticks, and that from t = 0 on.
#[test]
fn forces_at_the_start_are_those_decided_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 2\n[[pad]]\nname = \"p\"\nof = \"b\"\n\
                against = \"ground\"\nload = 10\nfriction = 0.5\n[[force]]\non = \"b\"\n\
                x = { points = [[0, 1], [2, 3]] }\n[run]\nduration = 2\nstep = 0.25\n";
    fs::write(folder.path().join("b.toml"), text).expect("written");
    for scheme in ["events", "implicit-euler"] {
        let set = format!("run.scheme={scheme}");
        run(folder.path(), &["run", "b.toml", "--out", scheme, "--no-study", "--set", &set]);
        let table = Table::read(&folder.path().join(scheme).join("trajectory.csv"));
        let friction = table.column("f_p");
        // By events that of t = 0, but for the slope over an instant; by steps that of the first step.
        let decided = if scheme == "events" { 1.0 } else { friction[1] };
        assert!((friction[0] - decided).abs() <= 1e-9 && friction[0] < 1.3, "{scheme}: {friction:?}");
        assert_eq!((table.column("Fx_b")[0], table.column("eps_p")[0], table.column("bound_p")[0]), (1.0, 0.0, 5.0));
        assert_eq!(table.column("vx_b")[0], 0.0);
    }
}

/// More events than memory keeps and more rows than pictures need: the table of the comparison is by all of them.
#[test]
fn comparisons_are_by_all_rows_and_all_events() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |friction: f64| {
        format!(
            "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 1\n[[pad]]\nname = \"p\"\nof = \"b\"\n\
             against = \"ground\"\nload = 1\nfriction = {friction}\n[[force]]\non = \"b\"\n\
             x = {{ sine = {{ amplitude = 0.5, frequency = 100 }} }}\n[run]\nduration = 8\nstep = 2e-4\n[output]\nevery = 1\n"
        )
    };
    // A name that needs quoting in a table.
    fs::write(folder.path().join("a.toml"), text(0.4)).expect("written");
    fs::write(folder.path().join("b, \"c\".toml"), text(0.35)).expect("written");
    run(folder.path(), &["compare", "a.toml", "b, \"c\".toml", "--column", "f_p", "--out", "x"]);
    let out = folder.path().join("x");
    let [a, b] = ["1-a", "2-b, \"c\""].map(|name| Table::read(&out.join(name).join("trajectory.csv")));
    let (t, fa, fb) = (a.column("t"), a.column("f_p"), b.column("f_p"));
    assert_eq!((t.len(), &b.column("t")), (40_001, &t));
    let events = Table::read(&out.join("1-a/events.csv"));
    assert!(events.rows.len() > 3000, "{}", events.rows.len());
    // The pad sticks from each `to = stick` to the next `from = stick`, open stretches: rows at an event belong to none.
    let when = events.column("t");
    let mut sticks = events.rows[0][2] == "stick";
    let (mut k, mut sum, mut sum_stuck, mut count_stuck) = (0, 0.0, 0.0, 0_u32);
    for n in 0..t.len() {
        while k < when.len() && when[k] < t[n] {
            sticks = events.rows[k][3] == "stick";
            k += 1;
        }
        let square = (fa[n] - fb[n]).powi(2);
        sum += square;
        if sticks && n > 0 && n + 1 < t.len() && when.get(k) != Some(&t[n]) {
            (sum_stuck, count_stuck) = (sum_stuck + square, count_stuck + 1);
        }
    }
    let table = fs::read_to_string(out.join("compare.csv")).expect("written");
    let last = table.lines().nth(2).expect("two runs");
    let numbers = last.strip_prefix("\"2-b, \"\"c\"\"\",").unwrap_or_else(|| panic!("quoted: {last}"));
    assert!(last.ends_with(",f_p,N"), "{last}");
    let numbers: Vec<f64> = numbers.split(',').take(8).map(|cell| cell.parse().expect("a number")).collect();
    let rms = (sum / t.len() as f64).sqrt();
    let rms_stuck = (sum_stuck / f64::from(count_stuck)).sqrt();
    assert!(rms > 1e-3 && (numbers[0] / rms - 1.0).abs() < 1e-12, "{} against {rms}", numbers[0]);
    assert!(count_stuck > 1000 && (numbers[1] / rms_stuck - 1.0).abs() < 1e-12, "{} against {rms_stuck}", numbers[1]);
}

/// A block that slips to and fro: the friction jumps by 0.8 N twice in a period of 1 s.
fn to_and_fro(run: &str) -> String {
    format!(
        "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 1\n[[pad]]\nname = \"p\"\nof = \"b\"\n\
         against = \"ground\"\nload = 1\nfriction = 0.4\n[[force]]\non = \"b\"\n\
         x = {{ sine = {{ amplitude = 2, frequency = 1 }} }}\n[run]\n{run}\n"
    )
}

/// From event to event the friction jumps between rows that are 50 ms apart; a comparison must not see ramps there.
#[test]
fn jumps_of_a_run_by_events_are_not_compared_as_ramps() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, run: &str| fs::write(folder.path().join(name), to_and_fro(run)).expect("written");
    write("exact.toml", "scheme = \"events\"\nduration = 4\nstep = 0.05");
    write("steps.toml", "duration = 4\nstep = 1e-4");
    for pair in [["exact.toml", "steps.toml"], ["steps.toml", "exact.toml"]] {
        let text = run(folder.path(), &["compare", pair[0], pair[1], "--column", "f_p", "--force"]);
        let table = folder.path().join(format!("out/{}-compared/compare.csv", pair[0].trim_end_matches(".toml")));
        let table = Table::read(&table);
        let (rms, instants, left_out) =
            (table.column("rms")[1], table.column("instants")[1], table.column("instants_left_out")[1]);
        // Eight jumps of 0.8 N, each dated wrongly by four steps at the most.
        let allowed = 0.8 * f64::sqrt(8.0 * 4.0 * 1e-4 / 4.0);
        assert!(rms > 0.0 && rms < allowed, "{rms} against {allowed}");
        assert!(instants > 15_000.0 && left_out < 0.01 * instants, "{instants} {left_out}");
        assert!(
            text.contains("exact goes from event to event") && text.contains("recorded 250 times as often"),
            "{text}"
        );
        assert!(text.contains("Measured from 0 to 4 s."), "{text}");
    }
}

/// Runs of different lengths are compared over the time that both have, and that is said.
#[test]
fn runs_of_different_lengths_are_compared_over_their_common_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, run: &str| fs::write(folder.path().join(name), to_and_fro(run)).expect("written");
    write("long.toml", "duration = 6\nstep = 1e-3");
    write("short.toml", "duration = 3\nstep = 5e-4");
    for pair in [["long.toml", "short.toml"], ["short.toml", "long.toml"]] {
        let text = run(
            folder.path(),
            &["compare", pair[0], pair[1], "--column", "vx_b", "--out", pair[0].trim_end_matches(".toml")],
        );
        assert!(text.contains("WARNING the runs have different durations"), "{text}");
        assert!(text.contains("measured from 0 to 3 s, the time that it and 1-"), "{text}");
        let out = folder.path().join(pair[0].trim_end_matches(".toml"));
        let page = fs::read_to_string(out.join("report.html")).expect("written");
        assert!(page.contains("the runs have different durations") && page.contains("measured from 0 to 3 s"));
        let table = Table::read(&out.join("compare.csv"));
        assert_eq!(table.column("compared_until")[1], 3.0);
        let expected = if pair[0] == "long.toml" { 6001.0 } else { 3001.0 };
        assert_eq!(table.column("instants")[1] + table.column("instants_left_out")[1], expected);
        assert!(table.column("rms")[1] > 0.0);
    }
}
