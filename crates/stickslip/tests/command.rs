//! The command as a user meets it.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn stickslip(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("stickslip").expect("built");
    command.current_dir(folder).env("NO_COLOR", "1");
    command
}

fn stdout(command: &mut Command) -> String {
    let output = command.assert().success().get_output().clone();
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).expect("written")).expect("JSON")
}

#[test]
fn without_arguments_it_brakes_hard_and_says_where_the_report_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(&mut stickslip(folder.path()));
    assert!(text.contains("wheel-sport-braking"));
    assert!(text.contains("brake    slip- → stick"), "{text}");
    assert!(text.contains("report  out/wheel-sport-braking/report.html"), "{text}");
    let out = folder.path().join("out/wheel-sport-braking");
    let files = ["trajectory.csv", "trajectory.parquet", "events.csv", "summary.json", "report.html", "scenario.toml"];
    for file in files {
        assert!(out.join(file).metadata().expect(file).len() > 0);
    }
    for figure in ["time", "brake-law", "regions", "order"] {
        let svg = fs::read_to_string(out.join(format!("figures/{figure}.svg"))).expect(figure);
        assert!(svg.contains("<svg"));
    }
    // A second run does not touch the first.
    assert!(stdout(&mut stickslip(folder.path())).contains("out/wheel-sport-braking-2/report.html"));
}

/// Every assembly that is shipped, with one number of its summary: path, value, tolerance. The tolerances are those of
/// the first-order scheme at the scenario's step.
const ASSEMBLIES: [(&str, &str, f64, f64); 16] = [
    // Stuck 0.9273 + 5 · 1.1819 + 1.1819 of 20 s (reference/two-mass).
    ("two-mass", "/stuck_fraction/pad", 0.4009, 1e-3),
    ("two-mass-vampire", "/extremes/f_pad/max", 0.4, 0.0),
    ("two-mass-kolsch", "/extremes/f_pad/max", 0.4, 1e-9),
    ("bogie-case-1", "/extremes/dx_1l/max", 6.047e-3, 0.4e-3),
    ("bogie-case-1b", "/extremes/dx_1l/max", 0.0, 0.0),
    ("bogie-case-2", "/extremes/dy_1l/max", 0.0, 0.0),
    ("bogie-case-2q", "/extremes/dy_1l/max", 0.0, 0.0),
    ("bogie-case-2b", "/stuck_fraction/1l", 0.31, 2e-3),
    // 0.1761 here, 0.1802 with a quarter of the step: 0.1816 in the limit of the first order.
    ("bogie-front-only", "/stuck_fraction/1l", 0.1816, 6e-3),
    ("bogie-antiphase", "/stuck_fraction/1l", 0.2, 0.06),
    // reference/bogie/load-readings.csv, three decimals.
    ("bogie-shared-load", "/extremes/dy_1l/min", -5.225e-3, 1e-6),
    // μ_s N, which a step of 0.1 ms of 5 kN at 1.5 Hz comes close to by 3 N.
    ("bogie-heavy-load", "/extremes/fx_1l/max", 4000.0, 3.0),
    // ½ + √(¼ + 0.2²).
    ("block-on-belt", "/extremes/x_block/max", 1.03852, 1e-3),
    ("coulomb-oscillator", "/end/vx_block", 0.0, 0.0),
    // Steady motion without stops; its amplitude is tested in the core.
    ("den-hartog", "/stuck_fraction/pad", 0.0, 1e-3),
    // 45.6 %; 0.18 % over 12 800 periods, so 1 % over 400.
    ("friction-oscillator", "/stuck_fraction/pad", 0.456, 0.03),
];

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
fn friction_that_falls_with_slip_makes_a_locked_wheel_slide_further() {
    let folder = tempfile::tempdir().expect("a folder");
    // Locked from 20 m/s: v²/(2 μ_k g) with μ_k = 0.6 of 0.8, by a brake that is stronger than the ground.
    let arguments =
        ["run", "wheel-sport-braking", "--set", "run.scheme=events", "--set", "run.duration=8", "--out", "x"];
    let more = ["--set", "brake.torque=5000", "--set", "initial.wheel_speed=0"];
    let law = ["--set", "ground.over_slip={ static = 1, kinetic = 0.75 }"];
    stdout(stickslip(folder.path()).args(arguments).args(more).args(law));
    let found = summary(&folder.path().join("x"));
    let x = found.pointer("/end/x").and_then(Value::as_f64).expect("a number");
    assert!((x - 400.0 / (2.0 * 0.6 * 9.81)).abs() < 1e-8, "{x}");
    assert_eq!(found.pointer("/end/x1").and_then(Value::as_f64), Some(0.0));
    let car = ["run", "car-four-wheels-braking", "--set", "road.over_slip={ static = 1, kinetic = 0.8, speed = 0.5 }"];
    let text = stdout(stickslip(folder.path()).args(car).args(["--out", "c"]));
    assert!(text.contains("trust"), "{text}");
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

/// A place in a summary, its value and tolerance.
type Figure = (&'static str, f64, f64);

/// Every rolling contact that is shipped, with some numbers of its summary.
const CONTACTS: [(&str, &[Figure]); 4] = [
    // Carter: Q/(μP') = 0.539277, c/a = 0.67877; 100 elements in contact are good to 0.5 % and one element.
    (
        "carter",
        &[
            ("/friction_used", 0.539277, 0.005),
            ("/stick_share", 0.67877, 0.01),
            ("/closed_form/friction_used", 0.539277, 1e-6),
        ],
    ),
    // CONTACT's manual: 8.155e-3 mm, 45 elements stick and 132 slip.
    (
        "cattaneo",
        &[("/longitudinal", 8.155e-6, 0.5e-9), ("/stick_elements", 45.0, 0.0), ("/slip_elements", 132.0, 0.0)],
    ),
    // The last row of reference/rolling/cattaneo-to-carter.csv.
    (
        "cattaneo-to-carter",
        &[("/longitudinal", 3.100586e-3, 1e-8), ("/stick_elements", 346.0, 0.0), ("/steps", 57.0, 0.0)],
    ),
    // Second order on 44 × 44 elements: the table of docs/rolling.md.
    ("creep-42kn", &[("/friction_used", 0.55088, 1e-5), ("/hertz/a", 4.25684e-3, 1e-8), ("/hertz/p0", 1471.19e6, 1e4)]),
];

#[test]
fn every_shipped_contact_comes_to_its_known_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, numbers) in CONTACTS {
        let text = stdout(stickslip(folder.path()).args(["run", name, "--out", name]));
        assert!(text.contains("stick   ") && text.contains(&format!("{name}/report.html")), "{text}");
        let out = folder.path().join(name);
        let summary = summary(&out);
        for (path, value, tolerance) in numbers {
            let found = summary.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
            assert!((found - value).abs() <= *tolerance, "{name}: {path} is {found}");
        }
        assert!(summary["residual"].as_f64().expect("a number") <= 1e-8);
        // Nothing drives any of them to the side.
        assert_eq!(
            (&summary["force_y"], &summary["moment"], &summary["lateral"]),
            (&0.0.into(), &0.0.into(), &0.0.into())
        );
        assert!(fs::read_to_string(out.join("figures/traction.svg")).expect("drawn").contains("<svg"));
        assert!(!fs::read_to_string(out.join("report.html")).expect("written").contains("NaN"));
        assert_eq!(out.join("figures/contact.svg").exists(), name != "carter");
        assert_eq!(out.join("history.csv").exists(), name == "cattaneo-to-carter");
    }
}

/// The wheel on a rail: creeps, slides nearly to locking, recovers, and rests exactly; heat only grows.
#[test]
fn the_rail_wheel_brakes_to_exact_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "rail-wheel-braking", "--out", "r"]));
    assert!(text.contains("ground   stick → slip+") && text.contains("brake    slip- → stick"), "{text}");
    let out = folder.path().join("r");
    let summary = summary(&out);
    for name in ["x1", "x2", "f", "g"] {
        assert_eq!(summary["end"][name], 0.0, "{name}");
    }
    assert_eq!(summary["energy"]["stored"], 0.0);
    assert_eq!(summary["friction_used"]["wheel"]["max"], 1.0);
    assert!(summary["worst_residual"].as_f64().expect("a number") < 1e-14);
    assert!((summary["convergence"]["order"].as_f64().expect("a number") - 1.0).abs() < 0.05);
    let table = fs::read_to_string(out.join("trajectory.csv")).expect("written");
    let header = table.lines().next().expect("a header");
    let at = |name: &str| header.split(',').position(|h| h == name).expect(name);
    let [x1, x2, ground, brake] = ["x1", "x2", "heat_ground", "heat_brake"].map(at);
    let (mut heat, mut slowest, mut rested) = ([0.0; 2], f64::INFINITY, false);
    for row in table.lines().skip(1) {
        let row: Vec<f64> = row.split(',').map(|v| v.parse().expect("a number")).collect();
        assert!(row[ground] >= heat[0] && row[brake] >= heat[1], "{row:?}");
        heat = [row[ground], row[brake]];
        // While the wagon is fast the rim comes near to zero, and no nearer.
        if row[x1] > 5.0 {
            slowest = slowest.min(-row[x2] / row[x1]);
        }
        assert!(!rested || (row[x1] == 0.0 && row[x2] == 0.0), "{row:?}");
        rested |= row[x1] == 0.0;
    }
    assert!(rested && slowest > 0.0 && slowest < 0.25, "{slowest}");
    for figure in ["time", "creep-curve", "order"] {
        assert!(fs::read_to_string(out.join(format!("figures/{figure}.svg"))).expect("drawn").contains("<svg"));
    }
    assert!(!fs::read_to_string(out.join("report.html")).expect("written").contains("NaN"));
    stickslip(folder.path()).args(["run", "rail-wheel-braking", "--check"]).assert().code(2);
    let explained = stdout(stickslip(folder.path()).args(["explain", "rail-wheel-braking"]));
    assert!(explained.contains("fastsim, 400 points"), "{explained}");
}

/// The table and the VTK file of a contact tell the same, and what the summary says.
#[test]
fn elements_of_a_contact_can_be_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["run", "creep-42kn", "--out", "x", "--set", "grid.along=22", "--set", "grid.across=20"];
    stdout(stickslip(folder.path()).args(arguments).args(["--set", "motion.spin=0.5"]));
    let out = folder.path().join("x");
    let csv = fs::read_to_string(out.join("elements.csv")).expect("written");
    let rows: Vec<Vec<f64>> =
        csv.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect()).collect();
    assert_eq!(csv.lines().next(), Some("i,j,x,y,p,r_x,r_y,s_x,s_y,status"));
    assert_eq!(rows.len(), 440);
    assert!(out.join("elements.parquet").exists());

    let vtk = fs::read_to_string(out.join("elements.vtk")).expect("written");
    let mut words = vtk.lines().skip(2).flat_map(str::split_whitespace);
    let mut expect = |wanted: &str| {
        for wanted in wanted.split_whitespace() {
            let found = words.next().expect(wanted);
            match wanted {
                "_" => return found.parse::<f64>().expect("a number"),
                _ => assert_eq!(found, wanted),
            }
        }
        0.0
    };
    expect("ASCII DATASET STRUCTURED_POINTS DIMENSIONS 23 21 1 ORIGIN");
    let (x0, y0) = (expect("_"), expect("_"));
    expect("0 SPACING");
    let (dx, dy) = (expect("_"), expect("_"));
    expect("1 CELL_DATA 440 SCALARS pressure_MPa double 1 LOOKUP_TABLE default");
    let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 1e-12 * scale;
    for row in &rows {
        let at = [x0 + (row[0] + 0.5) * dx, y0 + (row[1] + 0.5) * dy];
        assert!(near(at[0], 1e3 * row[2], 10.0) && near(at[1], 1e3 * row[3], 10.0), "{row:?}");
        assert!(near(expect("_"), 1e-6 * row[4], 2e3));
    }
    expect("VECTORS traction_MPa double");
    for row in &rows {
        assert!(near(expect("_"), 1e-6 * row[5], 1e3) && near(expect("_"), 1e-6 * row[6], 1e3));
        expect("0");
    }
    expect("VECTORS slip double");
    for row in &rows {
        assert!(near(expect("_"), row[7], 1.0) && near(expect("_"), row[8], 1.0));
        expect("0");
    }
    expect("SCALARS status int 1 LOOKUP_TABLE default");
    for row in &rows {
        assert_eq!(expect("_"), row[9]);
        // Exact is exact: no slip where it sticks, nothing outside.
        assert!(row[9] == 2.0 || (row[7], row[8]) == (0.0, 0.0));
        assert!(row[9] != 0.0 || (row[4], row[5], row[6]) == (0.0, 0.0, 0.0));
    }
    assert_eq!(words.next(), None);

    let summary = summary(&out);
    let area = 1e-6 * dx * dy;
    let force: f64 = rows.iter().map(|row| row[5]).sum::<f64>() * area;
    assert!((force / summary["force_x"].as_f64().expect("a number") - 1.0).abs() < 1e-9);
    assert_eq!(
        rows.iter().filter(|row| row[9] == 1.0).count() as u64,
        summary["stick_elements"].as_u64().expect("whole")
    );
}

/// What cannot be solved is refused with status 2, numbers and advice, and leaves nothing behind.
#[test]
fn contacts_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: [(&str, &[&str], &str); 9] = [
        ("creep-42kn", &["contact.load=-5"], "a force greater than 0"),
        ("creep-42kn", &["first.poisson=0.6"], "at most 0.5"),
        ("creep-42kn", &["first.radius=-0.2"], "is not positive"),
        ("creep-42kn", &["grid.length=5 mm"], "enlarge it to at least"),
        ("creep-42kn", &["motion.spin=200"], "elements must be at most"),
        ("creep-42kn", &["grid.along=5000"], "between 1 and 4096"),
        ("cattaneo", &["motion.force=-4"], "friction transmits less than"),
        ("carter", &["first.radius=-0.5"], "not positive"),
        ("carter", &["motion.kind=transient"], "steps"),
    ];
    for (name, overrides, message) in rows {
        let mut command = stickslip(folder.path());
        command.args(["run", name, "--out", "bad"]);
        for set in overrides {
            command.args(["--set", set]);
        }
        let output = command.assert().code(2).get_output().clone();
        let said = String::from_utf8(output.stderr).expect("UTF-8").replace("\n  │ ", " ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(message), "{overrides:?}: {said}");
        assert!(!folder.path().join("bad").exists(), "{overrides:?}");
    }
    stickslip(folder.path()).args(["run", "carter", "--check"]).assert().code(2);
    stickslip(folder.path()).args(["creep", "carter"]).assert().code(2);
    stickslip(folder.path()).args(["creep", "park-on-slope"]).assert().code(2);
}

#[test]
fn creep_draws_all_theories_and_writes_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["creep", "creep-42kn", "--points", "6", "--set", "grid.along=22", "--out", "c"];
    let text = stdout(stickslip(folder.path()).args(arguments));
    for theory in ["exact", "FASTSIM", "Polach", "Shen–Hedrick–Elkins", "linear"] {
        assert!(text.contains(theory), "{text}");
    }
    let out = folder.path().join("c");
    for figure in ["longitudinal", "lateral", "spin", "combined"] {
        let svg = fs::read_to_string(out.join(format!("figures/{figure}.svg"))).expect(figure);
        assert!(svg.contains("FASTSIM") && svg.contains("exact") && !svg.contains("NaN"));
    }
    let table = fs::read_to_string(out.join("creep.csv")).expect("written");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("sweep,theory,xi,eta,phi [1/m],F_x [N],F_y [N],M_z [N m],stick_share"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 4 * 5 * 7);
    for row in &rows {
        let force = |k: usize| row[k].parse::<f64>().expect("a number");
        let size = force(5).hypot(force(6));
        assert!(
            row.len() == 9 && size.is_finite() && (row[1] == "linear" || size <= 12_600.0 * (1.0 + 1e-6)),
            "{row:?}"
        );
    }
    // At three times the creepage that would saturate the linear theory, all others have done so.
    let last = |theory: &str| {
        let row = rows.iter().rfind(|row| row[0] == "longitudinal" && row[1] == theory).expect(theory);
        -row[5].parse::<f64>().expect("a number") / 12_600.0
    };
    assert!(
        last("exact") > 0.99 && last("FASTSIM") > 0.99 && last("Polach") > 0.9 && (last("linear") - 3.0).abs() < 1e-9
    );
    let few =
        stdout(stickslip(folder.path()).args(["creep", "creep-42kn", "--points", "2", "--theories", "polach,linear"]));
    assert!(few.contains("Polach") && !few.contains("exact "), "{few}");
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

/// Every scenario that is shipped, with one number of it.
#[test]
fn every_shipped_scenario_runs_to_its_known_end() {
    let known = [
        ("wheel-sport-drive", "/end/x1", 24.303484, 0.01),
        ("wheel-sport-braking", "/end/x1", 6.076529, 0.01),
        ("wheel-smooth-ride", "/end/x1", 0.0, 0.0),
        ("car-two-wheels-braking", "/end/x1", 0.0, 0.0),
        // By the closed form; the step of 0.5 ms is good to 1e-3 at the end.
        // With steps of 5 µs; an edge met a step of 1 ms late costs (2825 − 353) N/m · 1 ms = 2 mm/s.
        ("drive-off-on-ice", "/end/x1", 4.79034, 2e-3),
        ("road-train", "/end/x1", 0.0, 0.0),
        ("car-four-wheels-braking", "/end/x1", 12.2776, 1e-3),
        ("hill-start", "/end/x1", 3.457, 2e-3),
        ("park-on-slope", "/end/x1", 0.0, 0.0),
        // The periodic orbit rolls for 29.34 % of the time, the irregular start for a little less.
        ("towed-wheel-p1", "/stuck_fraction/ground", 0.29, 0.02),
        ("towed-wheel-p2", "/stuck_fraction/ground", 0.268, 0.02),
        ("towed-wheel-p3", "/stuck_fraction/ground", 1.0, 0.0),
        ("rail-wheel-braking", "/end/x1", 0.0, 0.0),
        // A chaotic motion: about a quarter.
        ("towed-wheel-chaos", "/stuck_fraction/ground", 0.25, 0.06),
    ];
    let shipped = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios")).expect("scenarios");
    let numbers = known.len() + ASSEMBLIES.len() + CONTACTS.len();
    assert_eq!(shipped.count(), numbers, "give every scenario a number here");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, place, expected, tolerance) in known {
        stdout(stickslip(folder.path()).args(["run", name, "--out", name]));
        let summary = summary(&folder.path().join(name));
        let found = summary.pointer(place).and_then(Value::as_f64).expect("a number");
        assert!((found - expected).abs() <= tolerance, "{name}: {found}");
    }
}

#[test]
fn the_summary_says_what_the_design_promises() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x", "--set", "run.step=5e-4"]));
    let s = summary(&folder.path().join("x"));
    assert_eq!(s["scenario"], "wheel-sport-braking");
    assert_eq!(s["scheme"], "implicit-euler");
    assert_eq!(s["steps"], 12_000);
    assert_eq!(s["step"], 5e-4);
    for contact in ["ground", "brake"] {
        let share = s["stuck_fraction"][contact].as_f64().expect("a number");
        assert!(share > 0.0 && share < 1.0);
        assert!(s["energy"]["dissipated"][contact].as_f64().expect("a number") > 0.0);
    }
    assert!(s["worst_residual"].as_f64().expect("a number") <= 1e-14);
    assert!(s["energy"]["closure"].as_f64().expect("a number") <= 1e-3);
    assert_eq!(s["uniqueness"]["forces"], "unique");
    assert!((s["convergence"]["order"].as_f64().expect("a number") - 1.0).abs() < 0.05);
    assert!(s["wall_seconds"].as_f64().expect("a number") > 0.0);
    assert!(s["version"].as_str().expect("text").starts_with("stickslip "));
    assert_eq!(s["scenario_hash"].as_str().expect("text").len(), 64);
    assert_eq!(s["extremes"]["G"]["min"], -1.0);
}

#[test]
fn tables_have_the_promised_columns_and_no_nan() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x"]));
    let table = fs::read_to_string(folder.path().join("x/trajectory.csv")).expect("written");
    assert!(table.starts_with("t,x1,x2,f,g,G,eps_G,eps_B,x,theta,energy,"), "{}", &table[..80]);
    assert_eq!(table.lines().count(), 6001);
    assert!(!table.contains("NaN") && !table.contains("inf"));
    // Locked: exactly zero, written as such.
    let locked = table.lines().skip(1).filter(|line| line.split(',').nth(7) == Some("0"));
    assert!(locked.clone().count() > 1000);
    assert!(locked.clone().all(|line| line.split(',').nth(2) == Some("0")));
    let events = fs::read_to_string(folder.path().join("x/events.csv")).expect("written");
    assert_eq!(events.lines().next(), Some("t,contact,from,to"));
    assert_eq!(events.lines().nth(1), Some("0.604,ground,stick,slip+"));
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a", "b"] {
        stdout(stickslip(folder.path()).args(["run", "wheel-sport-drive", "--out", name]));
    }
    for file in ["trajectory.csv", "trajectory.parquet", "events.csv", "figures/time.svg", "figures/regions.svg"] {
        let read = |name: &str| fs::read(folder.path().join(name).join(file)).expect(file);
        assert_eq!(read("a"), read("b"), "{file}");
    }
}

#[test]
fn a_written_scenario_runs_again_to_the_same_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let change = ["--set", "wheel.mass=350 kg", "--set", "run.scheme=implicit-euler"];
    stdout(stickslip(folder.path()).args(["run", "wheel-smooth-ride", "--out", "a"]).args(change));
    stdout(stickslip(folder.path()).args(["run", "a/scenario.toml", "--out", "b"]));
    let (a, b) = (summary(&folder.path().join("a")), summary(&folder.path().join("b")));
    assert_eq!(a["scenario_hash"], b["scenario_hash"]);
    assert_eq!(a["end"], b["end"]);
}

#[test]
fn the_closed_form_is_exact_but_for_rounding() {
    let folder = tempfile::tempdir().expect("a folder");
    stdout(stickslip(folder.path()).args(["run", "wheel-sport-braking", "--out", "x", "--set", "run.scheme=events"]));
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["scheme"].as_str(), s["handovers"].as_u64()), (Some("events"), Some(0)));
    assert!(s["energy"]["closure"].as_f64().expect("a number") <= 1e-14);
    assert!((s["end"]["x1"].as_f64().expect("a number") - 6.076529).abs() <= 5e-7);
    let events = fs::read_to_string(folder.path().join("x/events.csv")).expect("written");
    // a_B(t) = a_G (1 + J/m) on the ramp from 0.5 s to 0.7 s: t = 0.5 + 0.1 (1 + 1/30).
    let first: f64 =
        events.lines().nth(1).and_then(|l| l.split(',').next()).expect("a time").parse().expect("a number");
    assert!((first - (0.6 + 0.1 / 30.0)).abs() <= 1e-12, "{first}");
    assert_eq!(s["between_events"].as_str(), Some("closed form"));
}

#[test]
fn events_integrate_what_has_no_closed_form() {
    // The same brake as an expression: no straight pieces that the scheme could know of, but the same motion.
    let folder = tempfile::tempdir().expect("a folder");
    let brake = "brake.torque={ expression = \"941.76*abs(abs(5*t-2.5)-abs(5*t-3.5)+abs(6-2.5*t)-abs(5-2.5*t))\" }";
    let run = ["run", "wheel-sport-braking", "--out", "x", "--set", "run.scheme=events", "--set", brake];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("integrated between events"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["between_events"].as_str(), s["handovers"].as_u64()), (Some("integrated"), Some(0)));
    assert_eq!(s["events"].as_u64(), Some(4));
    assert!(s["energy"]["closure"].as_f64().expect("a number") <= 1e-10);
    assert!((s["end"]["x1"].as_f64().expect("a number") - 6.07652903).abs() <= 1e-8);
}

#[test]
fn check_tells_physics_from_numerics() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "wheel-sport-drive", "--check", "--out", "x"]));
    assert!(text.contains("physics or numerics?") && !text.contains("NUMERICS"), "{text}");
    let findings: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("x/check.json")).expect("written")).expect("JSON");
    assert!(findings.as_array().is_some_and(|f| f.len() > 10));
    // One step over the whole stop makes the wheel lock and roll in other ways than it does.
    let coarse = ["run", "wheel-sport-braking", "--check", "--out", "y", "--set", "run.step=1 s"];
    assert!(stdout(stickslip(folder.path()).args(coarse)).contains("NUMERICS"));
}

#[test]
fn lists_shows_checks_and_completes() {
    let folder = tempfile::tempdir().expect("a folder");
    let list = stdout(stickslip(folder.path()).arg("list"));
    assert_eq!(list.lines().count(), 34);
    let shown = stdout(stickslip(folder.path()).args(["show", "wheel-smooth-ride"]));
    fs::write(folder.path().join("mine.toml"), &shown).expect("written");
    assert!(stdout(stickslip(folder.path()).args(["check", "mine.toml"])).contains("nothing wrong"));
    let schema: Value = serde_json::from_str(&stdout(stickslip(folder.path()).arg("schema"))).expect("JSON");
    assert!(schema["$schema"].as_str().is_some_and(|s| s.contains("2020-12")));
    for shell in ["bash", "zsh", "fish"] {
        assert!(stdout(stickslip(folder.path()).args(["completions", shell])).contains("stickslip"));
    }
}

#[test]
fn verify_holds_and_writes_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["verify", "--json", "book.json", "--html", "book.html"]));
    assert!(text.contains(" 0 fail"), "{text}");
    let book: Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("book.json")).expect("written")).expect("JSON");
    assert_eq!(book["failed"], 0);
    let row = &book["rows"][0];
    for key in ["claim", "source", "expected", "got", "error", "pass"] {
        assert!(!row[key].is_null(), "{key}");
    }
    assert!(fs::read_to_string(folder.path().join("book.html")).expect("written").contains("<table>"));
}

#[test]
fn long_runs_are_thinned_by_the_stated_rule_and_stay_exact() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = ["run", "wheel-sport-braking", "--out", "x", "--set", "run.step=1e-5"];
    let text = stdout(stickslip(folder.path()).args(run));
    assert!(text.contains("20000 of 600000 steps, one in 30"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["steps"].as_u64(), s["rows"].as_u64()), (Some(600_000), Some(20_000)));
    // Recording every step is a matter of asking for it.
    let run = ["run", "wheel-sport-braking", "--out", "y", "--set", "run.step=1e-4", "--set", "output.every=1"];
    stdout(stickslip(folder.path()).args(run));
    let table = fs::read_to_string(folder.path().join("y/trajectory.csv")).expect("written");
    assert_eq!(table.lines().count(), 60_001);
}

#[test]
fn a_parked_car_tells_its_margin_and_what_smoothing_would_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "park-on-slope", "--out", "x"]));
    assert!(text.contains("rear 55.1 % (most 55.1 %)"), "{text}");
    assert!(text.contains("least stick margin 44.9 %   all wheels locked would use tan θ/μ = 22.04 %"), "{text}");
    assert!(text.contains("tanh    with μN tanh(slip/0.001 m/s) instead it moves -2.231"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!((s["end"]["x"].as_f64(), s["extremes"]["x"]["min"].as_f64()), (Some(0.0), Some(0.0)));
    let (slope, number) = (10_f64.to_radians(), |value: &Value| value.as_f64().expect("a number"));
    let used = slope.tan() / (0.8 * 0.4);
    assert!((number(&s["friction_used"]["rear"]["max"]) - used).abs() < 1e-14);
    assert!((number(&s["friction_used"]["rear"]["margin"]) - (1.0 - used)).abs() < 1e-14);
    assert_eq!(number(&s["friction_used"]["front"]["max"]), 0.0);
    assert!((number(&s["locked_wheels_use"]) - slope.tan() / 0.8).abs() < 1e-14);
    // One axle holds the car: the forces are unique in every step.
    assert_eq!(s["uniqueness"]["forces"], "unique");
    let creep = -1e-3 * used.atanh();
    assert!((number(&s["contrast"]["creep"]) / creep - 1.0).abs() < 1e-12);
    assert!((number(&s["contrast"]["x1"]) / creep - 1.0).abs() < 1e-9);
    assert!((number(&s["contrast"]["distance"]) / (3600.0 * creep) - 1.0).abs() < 1e-4);
    assert!(
        fs::read_to_string(folder.path().join("x/figures/contrast.svg")).expect("drawn").contains("smoothed friction")
    );
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("Beside a smoothed law") && page.contains("Friction used"));
}

#[test]
fn forces_are_not_unique_where_several_wheels_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let all =
        ["run", "park-on-slope", "--out", "x", "--set", "wheel.front.brake=1500 N m", "--set", "run.duration=10 s"];
    stdout(stickslip(folder.path()).args(all));
    assert_eq!(summary(&folder.path().join("x"))["uniqueness"]["forces"], "not unique");
    stdout(stickslip(folder.path()).args(["run", "car-four-wheels-braking", "--out", "y"]));
    assert_eq!(summary(&folder.path().join("y"))["uniqueness"]["forces"], "unique");
}

#[test]
fn on_ice_one_wheel_spins_and_grips_behind_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "drive-off-on-ice", "--out", "x"]));
    assert!(text.contains("cost ") && text.contains("for each of 4 wheels"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert_eq!(s["friction_used"]["front right"]["max"], 1.0);
    assert!(s["friction_used"]["front left"]["max"].as_f64().expect("a number") < 0.2);
    // It spins far beyond the speed of the car, and rolls to the last bit at the end.
    assert!(s["extremes"]["v_front_right"]["min"].as_f64().expect("a number") < -15.0);
    assert_eq!(s["end"]["v_front_right"].as_f64(), s["end"]["x1"].as_f64().map(|x1| -x1));
    // It leaves the ice when the car is at 6 m − 1.3 m, and grips a fraction of a second later.
    let table = fs::read_to_string(folder.path().join("x/trajectory.csv")).expect("written");
    let x_at = |t: f64| -> f64 {
        let row = table.lines().skip(1).find(|l| l.split(',').next().and_then(|c| c.parse().ok()) >= Some(t));
        row.and_then(|l| l.split(',').nth(2)).and_then(|c| c.parse().ok()).expect("a place")
    };
    let events = fs::read_to_string(folder.path().join("x/events.csv")).expect("written");
    let grips: f64 =
        events.lines().last().and_then(|l| l.split(',').next()).expect("a time").parse().expect("a number");
    assert!(x_at(grips) > 4.7 && x_at(grips - 0.5) < 4.7, "{} {}", x_at(grips), x_at(grips - 0.5));
    // From event to event the edges of the ice are met where they are: the end that steps tend to, and a closed ledger.
    stdout(stickslip(folder.path()).args(["run", "drive-off-on-ice", "--out", "y", "--set", "run.scheme=events"]));
    let exact = summary(&folder.path().join("y"));
    assert_eq!(exact["handovers"].as_u64(), Some(0));
    assert!((exact["end"]["x1"].as_f64().expect("a number") - 4.79034).abs() < 1e-4, "{}", exact["end"]["x1"]);
    assert!(exact["energy"]["closure"].as_f64().expect("a number") <= 1e-11);
}

#[test]
fn a_train_of_200_wheels_tells_its_cost() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "road-train", "--out", "x"]));
    assert!(text.contains("for each of 200 wheels") && text.contains("more in summary.json"), "{text}");
    let s = summary(&folder.path().join("x"));
    assert!(s["step_seconds"].as_f64().is_some_and(|cost| cost > 0.0 && cost < 1e-3));
    assert_eq!(s["friction_used"].as_object().map(|wheels| wheels.len()), Some(200));
    // Both sheets of ice were met by wheels of both ends: many events, all of them over.
    assert!(s["events"].as_u64().is_some_and(|n| n > 400), "{}", s["events"]);
    assert!(s["end"]["x"].as_f64().is_some_and(|x| x > 135.0), "{}", s["end"]["x"]);
}
