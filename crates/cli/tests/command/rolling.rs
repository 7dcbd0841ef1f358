//! Rolling contacts and railway wheels.

use std::fs;

use serde_json::Value;

use crate::{stdout, stickslip, summary};

/// A place in a summary, its value and tolerance.
pub type Figure = (&'static str, f64, f64);

/// Every rolling contact that is shipped, with some numbers of its summary.
pub const CONTACTS: [(&str, &[Figure]); 4] = [
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
    // On 44 × 44 elements within 0.1 % of the limit of refinement, docs/rolling.md.
    ("creep-42kn", &[("/friction_used", 0.5507, 5e-4), ("/hertz/a", 4.25684e-3, 1e-8), ("/hertz/p0", 1471.19e6, 1e4)]),
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
        let page = fs::read_to_string(out.join("report.html")).expect("written");
        assert!(!page.contains("NaN") && page.contains("What it comes to") && page.contains("greatest_slip"));
        assert_eq!(out.join("figures/contact.svg").exists(), name != "carter");
        assert_eq!(out.join("history.csv").exists(), name == "cattaneo-to-carter");
    }
}

/// The wheel on a rail: creeps, slides nearly to locking, recovers, and rests exactly; heat only grows.
#[test]
fn the_rail_wheel_brakes_to_exact_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = stdout(stickslip(folder.path()).args(["run", "rail-wheel-braking", "--out", "r"]));
    assert!(text.contains("wheel slides") && text.contains("wheel stands still"), "{text}");
    let out = folder.path().join("r");
    let summary = summary(&out);
    for name in ["x1", "x2", "f", "g"] {
        assert_eq!(summary["end"][name], 0.0, "{name}");
    }
    assert_eq!(summary["energy"]["stored"], 0.0);
    assert_eq!(summary["friction_used"]["wheel"]["max"], 1.0);
    // It stops where it stands; its contact goes on vibrating for a time that hangs on the step.
    assert!((summary["measures"]["stopping_time"].as_f64().expect("it stops") - 11.311).abs() < 2e-3);
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

#[test]
fn a_rail_wheel_has_no_section_and_no_exponent() {
    let folder = tempfile::tempdir().expect("a folder");
    for asked in ["output.exponent=true", "output.section_period=1"] {
        let run = ["run", "rail-wheel-braking", "--out", "bad", "--set", asked];
        let output = stickslip(folder.path()).args(run).assert().code(2).get_output().clone();
        assert!(String::from_utf8_lossy(&output.stderr).contains("no section and no exponent"));
        assert!(!folder.path().join("bad").exists());
    }
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
    expect("1 CELL_DATA 440 SCALARS pressure_Pa double 1 LOOKUP_TABLE default");
    let near = |a: f64, b: f64, scale: f64| (a - b).abs() <= 1e-12 * scale;
    for row in &rows {
        let at = [x0 + (row[0] + 0.5) * dx, y0 + (row[1] + 0.5) * dy];
        assert!(near(at[0], row[2], 1e-2) && near(at[1], row[3], 1e-2), "{row:?}");
        assert!(near(expect("_"), row[4], 2e9));
    }
    expect("VECTORS traction_Pa double");
    for row in &rows {
        assert!(near(expect("_"), row[5], 1e9) && near(expect("_"), row[6], 1e9));
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
    let area = dx * dy;
    let force: f64 = rows.iter().map(|row| row[5]).sum::<f64>() * area;
    assert!((force / summary["force_x"].as_f64().expect("a number") - 1.0).abs() < 1e-9);
    assert_eq!(
        rows.iter().filter(|row| row[9] == 1.0).count() as u64,
        summary["stick_elements"].as_u64().expect("whole")
    );
}

/// With `--units` the headers of all tables say in what they are.
#[test]
fn headers_have_units_for_those_who_ask() {
    let folder = tempfile::tempdir().expect("a folder");
    let header = |scenario: &str, file: &str| {
        let run = ["run", scenario, "--no-study", "--units", "--force", "--out", "x"];
        stdout(stickslip(folder.path()).args(run));
        let table = fs::read_to_string(folder.path().join("x").join(file)).expect("written");
        table.lines().next().expect("a header").to_string()
    };
    assert!(header("wheel-smooth-ride", "trajectory.csv").starts_with("t [s],x1 [m/s],x2 [m/s],f [N],g [N],G,eps_G,"));
    assert_eq!(header("wheel-smooth-ride", "events.csv"), "t [s],contact,from,to,words");
    assert_eq!(header("cattaneo", "elements.csv"), "i,j,x [m],y [m],p [Pa],r_x [Pa],r_y [Pa],s_x [m],s_y [m],status");
    assert!(header("cattaneo-to-carter", "history.csv").starts_with("distance [m],shift_x [m],"));
}

/// What cannot be solved is refused with status 2, numbers and advice, and leaves nothing behind.
#[test]
fn contacts_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: [(&str, &[&str], &str); 9] = [
        ("creep-42kn", &["contact.load=-5"], "a force greater than 0"),
        ("creep-42kn", &["first.poisson=0.6"], "at most 0.5"),
        ("creep-42kn", &["first.radius=-0.2"], "is not positive"),
        ("creep-42kn", &["grid.length=5 mm"], "[-2.500e-3, 2.500e-3] m in x and"),
        ("creep-42kn", &["motion.spin=200"], "spin 200 1/m changes"),
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

/// Four elements that touch say nothing about a contact: refused, where it is written, and nothing is left behind.
#[test]
fn a_coarse_grid_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("coarse.toml"), include_str!("../faults/coarse-grid.toml")).expect("written");
    for command in ["run", "check", "creep"] {
        let output = stickslip(folder.path()).args([command, "coarse.toml"]).assert().code(2).get_output().clone();
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("at least") && said.contains("leave `length` out"), "{command}: {said}");
        assert!(said.contains("coarse.toml:11"), "{command}: {said}");
        assert!(!folder.path().join("out").exists(), "{command}");
    }
    // Fitted to the contact it gives what refinement leads to.
    let right = ["run", "coarse.toml", "--set", "grid.length=12 mm", "--set", "grid.width=9 mm", "--out", "right"];
    stdout(stickslip(folder.path()).args(right));
    let used = summary(&folder.path().join("right"))["friction_used"].as_f64().expect("a number");
    assert!((used - 0.55).abs() < 0.01, "{used}");
}

/// The scenario's lateral creepage and spin are held beside a longitudinal sweep; forces and shifts are refused; a rail
/// wheel has a contact, too.
#[test]
fn creep_heeds_the_motion() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = ["creep", "creep-42kn", "--points", "3", "--theories", "fastsim,polach", "--out"];
    let text = stdout(stickslip(folder.path()).args(base).args([
        "c",
        "--set",
        "motion.lateral=0.002",
        "--set",
        "motion.spin=0.5",
    ]));
    assert!(text.contains("η = 0.002 and φ = 0.5 1/m held"), "{text}");
    let table = fs::read_to_string(folder.path().join("c/creep.csv")).expect("written");
    let held: Vec<&str> = table.lines().filter(|line| line.starts_with("scenario,")).collect();
    assert_eq!(held.len(), 2 * 4);
    for line in held {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells[3], cells[4]), ("0.002", "0.5"), "{line}");
    }
    assert!(folder.path().join("c/figures/scenario.svg").exists());
    let text = stdout(stickslip(folder.path()).args(["show", "creep-42kn"]));
    fs::write(folder.path().join("forced.toml"), text.replace("longitudinal = 0.0017", "force = -1")).expect("written");
    for (name, message) in [("forced.toml", "prescribes a force"), ("cattaneo", "bodies that roll")] {
        let run = ["creep", name, "--out", "bad"];
        let output = stickslip(folder.path()).args(run).assert().code(2).get_output().clone();
        let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(message), "{said}");
        assert!(!folder.path().join("bad").exists());
    }
    let rail = ["creep", "rail-wheel-braking", "--points", "4", "--theories", "fastsim,linear", "--out", "rail"];
    assert!(stdout(stickslip(folder.path()).args(rail)).contains("FASTSIM"));
}

/// Creepages that are named are combined, for rolling contacts and for rail wheels.
#[test]
fn creep_tabulates_the_creepages_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = ["creep", "creep-42kn", "--theories", "fastsim,polach", "--out"];
    let text = stdout(stickslip(folder.path()).args(base).args(["a", "--xi", "0:0.01:21", "--eta", "-0.001,0,0.001"]));
    assert!(text.contains("|F|/(μN) by theory") && text.contains("… and 38 more in creep.csv"), "{text}");
    let table = fs::read_to_string(folder.path().join("a/creep.csv")).expect("written");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 2 * 21 * 3);
    assert!(rows.iter().all(|row| row[0] == "range" && row[4] == "0"));
    assert!(!folder.path().join("a/figures/range.svg").exists());
    // One range has a curve; what is not given is that of the scenario, here ξ = 0.0017.
    let text = stdout(stickslip(folder.path()).args(base).args(["b", "--phi", "0:1:6"]));
    assert!(text.contains("−F_y/(μN) by theory") && text.contains("φ (1/m)"), "{text}");
    let table = fs::read_to_string(folder.path().join("b/creep.csv")).expect("written");
    assert!(table.lines().skip(1).all(|line| line.split(',').nth(2) == Some("0.0017")), "{table}");
    assert!(folder.path().join("b/figures/range.svg").exists());
    // The curve of a range is that of the usual sweep.
    stdout(stickslip(folder.path()).args(base).args(["c", "--points", "4"]));
    let usual = fs::read_to_string(folder.path().join("c/creep.csv")).expect("written");
    let wanted = usual.lines().filter_map(|line| line.strip_prefix("longitudinal,"));
    let wanted: Vec<&str> = wanted.filter(|line| line.starts_with("Polach,")).collect();
    let end = wanted[4].split(',').nth(1).expect("a creepage");
    let range = format!("0:{end}:5");
    stdout(stickslip(folder.path()).args(base).args(["d", "--xi", &range]));
    let own = fs::read_to_string(folder.path().join("d/creep.csv")).expect("written");
    let own = own.lines().filter_map(|line| line.strip_prefix("range,")).filter(|line| line.starts_with("Polach,"));
    let force = |line: &str| line.split(',').nth(4).and_then(|cell| cell.parse::<f64>().ok()).expect("a force");
    for (own, wanted) in own.zip(wanted) {
        assert!((force(own) - force(wanted)).abs() <= 1e-9 * 12_600.0, "{own} {wanted}");
    }
    let rail = ["creep", "rail-wheel-braking", "--xi", "1e-3", "--theories", "linear", "--json", "--out", "r"];
    let found: Value = serde_json::from_str(&stdout(stickslip(folder.path()).args(rail))).expect("JSON");
    assert_eq!(found["rows"].as_array().map(Vec::len), Some(1));
    assert!(found["rows"][0]["F_x [N]"].as_f64().is_some_and(|force| force < 0.0), "{found}");
    for bad in [&["--xi", "0:1"][..], &["--xi", "0:1:1000", "--eta", "0:1:1000"], &["--xi", "0:1:3", "--points", "4"]] {
        stickslip(folder.path()).args(base).arg("bad").args(bad).assert().code(2);
        assert!(!folder.path().join("bad").exists(), "{bad:?}");
    }
}

/// The tick about the pressure says that it is about the pressure; the creepage has a line of its own.
#[test]
fn verdicts_on_a_contact_say_what_they_are_about() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "model = \"rolling-contact\"\n[first]\nyoung = \"210 GPa\"\npoisson = 0.3\nradius = \"0.5 m\"\n\
                [second]\nyoung = \"70 GPa\"\npoisson = 0.33\nradius = \"0.5 m\"\n\
                [contact]\nload_per_length = \"7.05 MN/m\"\nfriction = 0.3\n\
                [motion]\nkind = \"steady\"\nforce_per_length = -1e6\n";
    fs::write(folder.path().join("unlike.toml"), text).expect("written");
    let text = stdout(stickslip(folder.path()).args(["run", "unlike.toml", "--out", "x"]));
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("Pressure alone: its greatest value differs from Hertz"), "{text}");
    assert!(page.contains("Creepage: Carter") && text.contains("closed form: "), "{text}");
    let s = summary(&folder.path().join("x"));
    let (found, exact) = (s["longitudinal"].as_f64().expect("a number"), s["closed_form"]["creepage"].as_f64());
    // Both know the materials by their compliances; 1 % is what the grid of some fifty elements leaves.
    assert!((found.abs() / exact.expect("a number") - 1.0).abs() < 0.05, "{s}");
    for words in [&text, &page] {
        assert!(words.contains("coupling of pressure and tractions"), "{text}");
        assert!(words.contains("closed form leaves it out, too"), "{text}");
    }
}

/// Single elements that slip at the leading edge are the grid's, and the report says so; a shift has no front.
#[test]
fn slip_at_the_leading_edge_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, expected) in [("cattaneo-to-carter", true), ("cattaneo", false)] {
        stdout(stickslip(folder.path()).args(["run", name, "--out", name]));
        let page = fs::read_to_string(folder.path().join(name).join("report.html")).expect("written");
        assert_eq!(page.contains("At the leading edge 9 single elements slip"), expected, "{name}");
        assert_eq!(page.contains("At the leading edge"), expected, "{name}");
    }
}
