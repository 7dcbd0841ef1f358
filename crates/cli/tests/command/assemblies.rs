//! Assemblies from files: shipped ones, measured forces, comparison, explanation.

use std::fs;

use serde_json::Value;

use stickslip::report::palette::Role;

use crate::{stdout, stickslip, summary};

/// Every assembly that is shipped, with one number of its summary: path, value, tolerance. The tolerances are those of
/// the first-order scheme at the scenario's step.
pub const ASSEMBLIES: [(&str, &str, f64, f64); 19] = [
    // Stuck 0.9273 + 5 · 1.1819 + 1.1819 of 20 s (reference/two-mass).
    ("two-mass", "/stuck_fraction/pad", 0.4009, 1e-3),
    // The stroke of the exact law is 0.187 794 5 m (reference/two-mass). Vampire's spring of 50 kN/m adds up to twice
    // 0.4 N/k = 1.6e-5 m, the step of 1 ms as much; Kolsch's force only tends to its bound, and the stroke is longer by 0.3 %.
    ("two-mass-vampire", "/extremes/d_pad/max", 0.187_794_5, 5e-5),
    ("two-mass-kolsch", "/extremes/d_pad/max", 0.187_794_5, 1e-3),
    // Reached while the motion is still symmetric (docs/assembly.md 4), with h = 0.1 ms; later it is not reproducible.
    ("bogie-case-1", "/extremes/dx_1l/max", 6.0472e-3, 0.05e-3),
    ("bogie-case-1b", "/extremes/dx_1l/max", 0.0, 0.0),
    ("bogie-case-2", "/extremes/dy_1l/max", 0.0, 0.0),
    ("bogie-case-2q", "/extremes/dy_1l/max", 0.0, 0.0),
    ("bogie-case-2b", "/stuck_fraction/1l", 0.31, 2e-3),
    // 0.1761 here, 0.1802 with a quarter of the step: 0.1816 in the limit of the first order.
    ("bogie-front-only", "/stuck_fraction/1l", 0.1816, 6e-3),
    // Unstable: the four pads have 0.20 to 0.24, three times their scatter of 0.016 about 0.221.
    ("bogie-antiphase", "/stuck_fraction/1l", 0.221, 0.048),
    // reference/bogie/load-readings.csv, three decimals.
    ("bogie-shared-load", "/extremes/dy_1l/min", -5.225e-3, 1e-6),
    // μ_s N, which a step of 0.1 ms of 5 kN at 1.5 Hz comes close to by 3 N.
    ("bogie-heavy-load", "/extremes/fx_1l/max", 4000.0, 3.0),
    // ½ + √(¼ + 0.2²).
    ("block-on-belt", "/extremes/x_block/max", 1.03852, 1e-3),
    // It sticks in its cycle: never faster than the belt, and not by a rounding slower.
    ("belt-falling-friction", "/extremes/s_pad/max", 0.0, 0.0),
    // Load is lost before it sticks.
    ("mode-coupling", "/stuck_fraction/pad", 0.0, 0.0),
    ("coulomb-oscillator", "/end/vx_block", 0.0, 0.0),
    // ½ k (1² − ½²), by closed form.
    ("mass-on-stop", "/energy/dissipated/wall", 14.804_406_601_634, 1e-6),
    // Steady motion without stops; its amplitude is tested in the core.
    ("den-hartog", "/stuck_fraction/pad", 0.0, 1e-3),
    // 45.6 %; 0.18 % over 12 800 periods, so 1 % over 400.
    ("friction-oscillator", "/stuck_fraction/pad", 0.456, 0.03),
];

/// A blow takes two steps of the θ-method whatever their size: no numerics.
#[test]
fn a_blow_is_physics() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = stdout(stickslip(folder.path()).args(["run", "mass-on-stop", "--half-step", "--out", "x"]));
    assert!(said.contains(" 0 numerics") && said.contains("wall open → open"), "{said}");
    // A wall has no friction that could stick.
    assert!(said.contains("wall closes") && said.contains("wall opens") && !said.contains("wall sticks"), "{said}");
}

/// How far the plain method throws a blow back hangs on where in a step it falls: also where half the step throws alike.
#[test]
fn a_bounce_of_the_plain_method_is_not_physics() {
    let folder = tempfile::tempdir().expect("a folder");
    for step in ["0.001", "0.0008333333333333334", "0.0004"] {
        let settings = ["--set", "run.judged=end", "--set", &format!("run.step={step}")];
        let run = ["run", "mass-on-stop", "--half-step", "--force", "--out", "x"];
        let said = stdout(stickslip(folder.path()).args(run).args(settings));
        let ends = said.lines().filter(|line| line.contains("at the end (m")).collect::<Vec<_>>();
        assert_eq!(ends.len(), 2, "{said}");
        assert!(said.contains("judges walls in the shifted configuration, with a quarter of the step"), "{said}");
        for line in ends {
            assert!(line.ends_with("NUMERICS"), "{step} s: {line}\n{said}");
        }
    }
}

#[test]
fn every_shipped_assembly_runs_to_its_known_number() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, path, value, tolerance) in ASSEMBLIES {
        stdout(stickslip(folder.path()).args(["run", name, "--out", name]));
        let summary = summary(&folder.path().join(name));
        let found = summary.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
        assert!((found - value).abs() <= tolerance, "{name}: {path} is {found}");
        let time = fs::read_to_string(folder.path().join(name).join("figures/time.svg")).expect("drawn");
        assert!(time.contains("<svg"));
    }
    // The driven oscillator asks for its section and its exponents.
    let page = fs::read_to_string(folder.path().join("friction-oscillator/report.html")).expect("written");
    for heading in ["Poincaré section", "Lyapunov exponent", "How long contacts stick"] {
        assert!(page.contains(heading), "{heading}");
    }
    assert!(folder.path().join("friction-oscillator/figures/poincare.svg").exists());
    // Others do so if they are told to.
    let asked =
        ["run", "den-hartog", "--out", "asked", "--set", "output.exponent=true", "--set", "run.duration=\"60 s\""];
    stdout(stickslip(folder.path()).args(asked));
    let page = fs::read_to_string(folder.path().join("asked/report.html")).expect("written");
    assert!(page.contains("Lyapunov exponent") && page.contains("two nearby runs"));
    let page = fs::read_to_string(folder.path().join("den-hartog/report.html")).expect("written");
    assert!(!page.contains("Lyapunov exponent"));
}

#[test]
fn measured_forces_come_from_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    // A force that grows by 1 N/s until 1 s and falls again: the block (1 kg, bound 0.4 N) slips from 0.4 s on, with
    // the speed (t − 0.4)²/2 until 1 s, and less force after that.
    fs::write(folder.path().join("measured.csv"), "time,F\n0,0\n1,1\n2,0\n10,0\n").expect("written");
    let scenario = r#"
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
x = { csv = "measured.csv", time = "time", column = "F" }
[run]
duration = "3 s"
step = "1 ms"
"#;
    fs::write(folder.path().join("block.toml"), scenario).expect("written");
    stdout(stickslip(folder.path()).args(["run", "block.toml", "--out", "e", "--set", "run.scheme=events"]));
    let events = fs::read_to_string(folder.path().join("e/events.csv")).expect("written");
    let times: Vec<f64> = events
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().and_then(|t| t.parse().ok()).expect("a time"))
        .collect();
    // The speed is 0.18 + 0.6 s − s²/2 after s = t − 1 ≤ 1, so 0.28 at 2 s, and falls by 0.4 per second from there.
    let expected = [0.4, 2.0 + 0.28 / 0.4];
    assert_eq!(times.len(), 2, "{events}");
    assert!(times.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-9), "{times:?}");
    stdout(stickslip(folder.path()).args(["run", "block.toml", "--out", "s"]));
    let found = summary(&folder.path().join("s"));
    let speed = found.pointer("/extremes/vx_block/max").and_then(Value::as_f64).expect("a number");
    // Greatest where the force is the bound again, at 1.6 s: 0.18 + 0.36 − 0.18; steps of 1 ms are off by less than 1e-3.
    assert!((speed - 0.36).abs() < 1e-3, "{speed}");
}

#[test]
fn friction_elements_are_compared_with_the_exact_law() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["compare", "two-mass", "two-mass-vampire", "two-mass-kolsch", "--out", "c"];
    let text = stdout(stickslip(folder.path()).args(arguments).args(["--set", "run.duration=4.1"]));
    assert!(text.contains("f_pad (N)") && text.contains("c/report.html"), "{text}");
    let out = folder.path().join("c");
    let table = fs::read_to_string(out.join("compare.csv")).expect("written");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().expect("a number");
    assert_eq!((rows.len(), number(0, 1), number(0, 3)), (3, 0.0, 0.0));
    // Ringing begins with 0.4 − 0.126 N at re-stick. The Vampire element goes on ringing, Kolsch's dies down.
    assert!((number(1, 3) - 0.274).abs() < 2e-3, "{table}");
    assert!(number(1, 2) > 2.0 * number(2, 2) && number(2, 2) > 0.02, "{table}");
    for figure in ["all", "enlarged", "difference"] {
        let svg = fs::read_to_string(out.join(format!("figures/{figure}.svg"))).expect(figure);
        assert!(svg.contains("two-mass-kolsch") && !svg.contains("NaN"));
    }
    // Over the others, which ring: what is drawn last lies above.
    let svg = fs::read_to_string(out.join("figures/all.svg")).expect("drawn");
    let last = |role: Role| svg.rfind(&format!("fill=\"none\" stroke=\"{}\"", role.colour())).expect("a curve");
    assert!(last(Role::First) > last(Role::Third));
    assert!(out.join("2-two-mass-vampire/report.html").exists());
    for bad in [
        vec!["compare", "two-mass", "--out", "d"],
        vec!["compare", "two-mass", "carter", "--out", "d"],
        vec![
            "compare",
            "two-mass",
            "two-mass-vampire",
            "--column",
            "nothing",
            "--set",
            "run.duration=0.5",
            "--out",
            "d",
        ],
    ] {
        stickslip(folder.path()).args(&bad).assert().code(2);
        assert!(!folder.path().join("d").exists(), "{bad:?}");
    }
}

#[test]
fn explain_tells_the_numbers_of_the_bogie() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["explain", "bogie-case-1"]));
    for phrase in ["9, 3 with all pads stuck", "rank of H M^-1 H^T   6", "forces of 1l, 1r, 2l, 2r", "0.706124"] {
        assert!(text.contains(phrase), "{phrase}: {text}");
    }
    let belt = stdout(stickslip(folder.path()).args(["explain", "block-on-belt"]));
    assert!(belt.contains("0.159155 Hz"), "{belt}");
}

/// The books of energy: a blow against a wall costs ½mv²(1 − e²) and never less than nothing; a preload against a moving
/// support does no work that is stored nowhere.
#[test]
fn ledgers_tell_the_truth() {
    let folder = tempfile::tempdir().expect("a folder");
    let energy = |file: &str, text: &str, sets: &[&str]| {
        fs::write(folder.path().join(file), text).expect("written");
        let mut command = stickslip(folder.path());
        command.args(["run", file, "--out", "x", "--force"]);
        sets.iter().for_each(|set| {
            command.args(["--set", set]);
        });
        stdout(&mut command);
        summary(&folder.path().join("x"))["energy"].clone()
    };
    let wall = include_str!("../faults/wall-ledger.toml");
    for scheme in ["run.scheme=implicit-euler", "run.scheme=moreau-jean"] {
        for (e, heat) in [("1", 0.0), ("0.5", 0.375), ("0", 0.5)] {
            let energy = energy("wall.toml", wall, &[scheme, &format!("stop.1.restitution={e}")]);
            let found = energy["dissipated"]["w"].as_f64().expect("a number");
            assert!((found - heat).abs() < 1e-12 && found >= 0.0, "{scheme}, e = {e}: {energy}");
            assert!(energy["closure"].as_f64().expect("a number").abs() < 1e-12, "{scheme}, e = {e}: {energy}");
        }
    }
    // ½mv² + ½ke² of the closed form (crates/core/tests/assembly/parts.rs); steps of 1 ms are of first order.
    for (scheme, tolerance) in [("events", 1e-9), ("moreau-jean", 5e-4), ("implicit-euler", 5e-3)] {
        let preload = include_str!("../faults/preload-ledger.toml");
        let energy = energy("preload.toml", preload, &[&format!("run.scheme={scheme}")]);
        let work = energy["work"].as_f64().expect("a number");
        assert!((work - 0.024_893_570_84).abs() < tolerance, "{scheme}: {energy}");
        assert!(energy["closure"].as_f64().expect("a number").abs() < tolerance, "{scheme}: {energy}");
    }
}
