//! Rolling contact of finite elements, as the command has it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{stdout, stickslip, summary};

/// Scenarios that the tests here run.
pub(crate) const NAMES: [&str; 4] = ["carter-fe", "cylinders-fe-42kn", "wheel-on-block-fe", "creepage-step-fe"];

fn number(summary: &Value, path: &str) -> f64 {
    summary.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// Runs a built-in with a cache of its own and returns the summary.
fn run(folder: &Path, name: &str, out: &str, overrides: &[&str]) -> (String, Value) {
    let mut command = stickslip(folder);
    command.env("STICKSLIP_CACHE", folder.join("cache")).args(["run", name, "--force", "--out", out]);
    for assignment in overrides {
        command.args(["--set", assignment]);
    }
    (stdout(&mut command), summary(&folder.join(out)))
}

/// Rolling step by step is held against half the stride and a finer contact, feature by feature; steady rolling has no steps.
#[test]
fn steps_of_rolling_are_physics() {
    let folder = tempfile::tempdir().expect("a folder");
    let few = ["--set", "mesh.across=11", "--set", "motion.steps=300"];
    let said = stdout(stickslip(folder.path()).args(["run", NAMES[3], "--half-step", "--out", "x"]).args(few));
    assert!(said.contains("physics or numerics?") && said.contains("finer mesh"), "{said}");
    let check = &summary(&folder.path().join("x"))["check"];
    let findings = check["findings"].as_array().expect("a list");
    let of =
        |name: &str| findings.iter().find(|finding| finding["feature"] == name).unwrap_or_else(|| panic!("{name}"));
    for name in ["force over μN at the end", "distance over a to within 1 % of steady", "drive at the end"] {
        assert_eq!(of(name)["verdict"], "physics", "{check:#}");
    }
    let way = of("distance over a to within 1 % of steady")["exact"].as_f64().expect("a number");
    assert!((way - 31.1).abs() < 0.5, "{way}");
    stickslip(folder.path()).args(["run", NAMES[0], "--half-step", "--out", "y"]).assert().code(2);
}

#[test]
fn discs_come_to_hertz_and_carter() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, s) = run(folder.path(), NAMES[0], "x", &[]);
    assert!(text.contains("fitted  a = 4.40"), "{text}");
    for (path, value, tolerance) in [
        ("/friction_used", 0.539277, 0.0027),
        ("/closed_form/friction_used", 0.539277, 1e-6),
        ("/fitted/a", 4.41007e-3, 0.022e-3),
        ("/fitted/p0", 1017.71e6, 5.1e6),
        ("/hertz/a", 4.41007e-3, 1e-8),
        ("/dofs/0", 8140.0, 0.0),
        ("/force_y", 0.0, 0.0),
    ] {
        assert!((number(&s, path) - value).abs() <= tolerance, "{path} is {}", number(&s, path));
    }
    assert_eq!(s["order"], "edge");
    assert!(s.pointer("/seconds/condensation").is_some() && s.get("free_rolling").is_none());
    let out = folder.path().join("x");
    for file in ["report.html", "figures/creep-curve.svg", "figures/bodies.svg", "figures/traction.svg"] {
        let text = fs::read_to_string(out.join(file)).expect(file);
        assert!(!text.contains("NaN") && !text.contains("infinity"), "{file}");
    }
    // Nodal forces add up to what the summary says, and obey the law.
    let table = fs::read_to_string(out.join("nodes.csv")).expect("written");
    let rows: Vec<Vec<f64>> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    assert_eq!(table.lines().next(), Some("x,y,F_n,F_x,F_y,p,bound,s_x,s_y,status"));
    let sum = |k: usize| rows.iter().map(|row| row[k]).sum::<f64>();
    assert!((sum(2) / 7.05e6 - 1.0).abs() < 1e-12 && (sum(3) / number(&s, "/force_x") - 1.0).abs() < 1e-12);
    assert!(rows.iter().all(|row| row[3].abs() <= row[6] * (1.0 + 1e-12) && row[3] * row[7] <= 0.0));
    assert!(rows.iter().all(|row| row[9] == 2.0 || row[7] == 0.0));
}

/// A wheel that winds up about a small hub tilts its contact: 25 % off Carter at 0.005 of the radius.
#[test]
fn small_hubs_are_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, s) = run(folder.path(), NAMES[0], "small", &["mesh.hub=0.02", "mesh.across=21"]);
    assert!(text.contains("WARNING A hub of 0.02 of the radius"), "{text}");
    assert!(s["warnings"].as_array().is_some_and(|all| all.len() == 1), "{s}");
    let (text, _) = run(folder.path(), NAMES[0], "usual", &["mesh.hub=0.05", "mesh.across=21"]);
    assert!(!text.contains("A hub of"), "{text}");
}

#[test]
fn orders_and_solvers_are_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    let share = |overrides: &[&str]| number(&run(folder.path(), "carter-fe", "x", overrides).1, "/friction_used");
    assert!((share(&["grid.order=first"]) - 0.544977).abs() < 2e-5);
    assert!((share(&["grid.order=second"]) - 0.538044).abs() < 2e-5);
    let both = share(&[]);
    for solver in ["splitting", "newton"] {
        assert!((share(&[&format!("mesh.solver={solver}")]) - both).abs() < 1e-7);
    }
    // A force and its creepage belong together.
    let force = format!("motion.force_per_length={}", -both * 0.3 * 7.05e6);
    let toml = stdout(stickslip(folder.path()).args(["show", "carter-fe"])).replace("longitudinal = 0.0017", "");
    fs::write(folder.path().join("forced.toml"), toml).expect("written");
    let (_, s) = run(folder.path(), "forced.toml", "y", &[&force]);
    assert!((number(&s, "/longitudinal") - 0.0017).abs() < 1e-9, "{}", s["longitudinal"]);
}

#[test]
fn unlike_bodies_roll_freely_with_a_creepage() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, s) = run(folder.path(), NAMES[2], "x", &[]);
    assert!(text.contains("free    the bodies roll without force"), "{text}");
    assert!(s.get("closed_form").is_none() && number(&s, "/turns") > 3.0 && number(&s, "/contraction") < 0.2);
    let free = number(&s, "/free_rolling");
    let (_, s) = run(folder.path(), "wheel-on-block-fe", "x", &[&format!("motion.longitudinal={free}")]);
    assert!(number(&s, "/friction_used") < 1e-6, "{}", s["friction_used"]);
}

#[test]
fn a_step_of_creepage_leads_to_steady_rolling() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, s) = run(folder.path(), NAMES[3], "x", &[]);
    assert!(text.contains("within 1 % of it after"), "{text}");
    let reached =
        [number(&s, "/transient/within_1_percent_over_a"), number(&s, "/transient/other_within_1_percent_over_a")];
    assert!(reached[0] > 25.0 && reached[0] < 50.0 && reached[1] < 6.0, "{reached:?}");
    assert!(number(&s, "/transient/closure") < 1e-10 && number(&s, "/transient/convection") > 0.0);
    assert!((number(&s, "/friction_used") / number(&s, "/transient/steady_friction_used") - 1.0).abs() < 0.01);
    let out = folder.path().join("x");
    let table = fs::read_to_string(out.join("transient.csv")).expect("written");
    assert_eq!(table.lines().count(), 1101);
    // Five entries and what steps lose: the books close in every row.
    for line in table.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let [stored, heat, drive, convection, steps] = [5, 6, 7, 8, 9].map(|k| row[k]);
        assert!((stored + heat + convection + steps - drive).abs() <= 1e-9 * drive, "{line}");
    }
    for file in ["report.html", "figures/creepage-step.svg"] {
        let text = fs::read_to_string(out.join(file)).expect(file);
        assert!(!text.contains("NaN") && text.contains("steady"), "{file}");
    }
    let (_, local) = run(folder.path(), NAMES[3], "y", &["motion.compliance=\"local\"", "motion.steps=130"]);
    assert!(number(&local, "/transient/within_1_percent_over_a") < 6.0);
}

/// Unlike bodies step by step: from no force, by way of a pressure that moves, to the force of steady rolling; without creepage heat is
/// paid for by the torques on the axles, so that convection is negative.
#[test]
fn unlike_bodies_roll_step_by_step() {
    let folder = tempfile::tempdir().expect("a folder");
    for (xi, negative) in [(0.002, false), (0.0, true)] {
        let motion =
            format!("motion={{ kind = \"transient\", longitudinal = {xi}, steps = 150, compliance = \"local\" }}");
        let (text, s) = run(folder.path(), "wheel-on-block-fe", "x", &["mesh.across=21", &motion]);
        assert!(text.contains("within 1 % of it after"), "{text}");
        let of = |name: &str| number(&s, &format!("/transient/{name}"));
        assert!((number(&s, "/friction_used") - of("steady_friction_used").abs()).abs() < 1e-3, "{s}");
        assert!(of("closure").abs() < 1e-7 && of("heat") > 0.0 && (of("convection") < 0.0) == negative, "{s}");
        let report = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
        assert!(report.contains("The bodies are unlike") && !report.contains("NaN"));
        fs::remove_dir_all(folder.path().join("x")).expect("removed");
    }
}

/// Solid bodies are kept, read again, and made again where the file is damaged.
#[test]
fn solid_bodies_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let coarse: &[&str] = &["mesh.across=13"];
    let (_, cold) = run(folder.path(), NAMES[1], "cold", coarse);
    assert!(cold.pointer("/seconds/condensation").is_some());
    let (_, warm) = run(folder.path(), "cylinders-fe-42kn", "warm", coarse);
    assert!(warm.pointer("/seconds/condensation").is_none() && warm.pointer("/seconds/cache").is_some());
    assert_eq!(cold["force_y"], warm["force_y"]);
    let read = |out: &str, file: &str| fs::read(folder.path().join(out).join(file)).expect("written");
    assert_eq!(read("cold", "nodes.csv"), read("warm", "nodes.csv"));
    assert_eq!(read("cold", "figures/bodies.svg"), read("warm", "figures/bodies.svg"));
    let kept = fs::read_dir(folder.path().join("cache")).expect("a cache");
    for file in kept.map(|entry| entry.expect("an entry").path()) {
        let mut bytes = fs::read(&file).expect("read");
        bytes.truncate(bytes.len() / 2);
        fs::write(&file, bytes).expect("written");
    }
    let (text, again) = run(folder.path(), "cylinders-fe-42kn", "again", coarse);
    assert!(text.contains("was made again"), "{text}");
    assert_eq!(cold["force_y"], again["force_y"]);
}

#[test]
fn what_finite_elements_do_not_do_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: &[(&str, &str, &str)] = &[
        ("carter-fe", "motion.kind=\"shift\"", "creepage is not for a shift"),
        ("carter-fe", "grid.along=88", "a grid is not for finite elements"),
        ("carter", "mesh.across=21", "a mesh is only for finite elements"),
        ("carter-fe", "mesh.across=3", "at least 7"),
        ("cylinders-fe-42kn", "mesh.across=401", "nodes a body"),
        ("cylinders-fe-42kn", "mesh.width=2 mm", "width"),
        ("cylinders-fe-42kn", "mesh.hub=1.2", "between 0 and 1"),
        ("cylinders-fe-42kn", "mesh.growth=0.5", "greater than 1"),
        ("carter-fe", "first.poisson=0.5", "less than 0.5"),
        ("carter-fe", "mesh.width=10 mm", "not for line contact"),
        ("carter-fe", "contact.friction={ static = 0.3, kinetic = 0.2, speed = \"1 m/s\" }", "speed"),
        ("wheel-on-block-fe", "mesh.depth=1 mm", "depth of the block"),
    ];
    for (name, assignment, message) in rows {
        let arguments = ["run", name, "--out", "bad", "--set", assignment];
        let output = stickslip(folder.path()).args(arguments).assert().code(2).get_output().clone();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(message), "{name} {assignment}: {told}");
        assert!(!folder.path().join("bad").exists());
    }
}

/// Slips far beyond what elasticity takes up leave friction its bound, not nothing.
#[test]
fn little_friction_and_much_creepage_slip_fully() {
    let folder = tempfile::tempdir().expect("a folder");
    for change in ["contact.friction=1e-9", "motion.longitudinal=1e6", "motion.longitudinal=1e300"] {
        let (_, s) = run(folder.path(), "carter-fe", "x", &[change]);
        assert!((number(&s, "/friction_used") - 1.0).abs() < 1e-6, "{change}: {}", s["friction_used"]);
        assert_eq!(number(&s, "/stick_share"), 0.0);
    }
    let refused = |name: &str, changes: &[&str], message: &str| {
        let mut command = stickslip(folder.path());
        command.args(["run", name, "--out", "bad"]);
        changes.iter().for_each(|change| {
            command.args(["--set", change]);
        });
        let told = String::from_utf8_lossy(&command.assert().code(2).get_output().stderr).into_owned();
        assert!(told.contains(message), "{changes:?}: {told}");
    };
    refused("carter-fe", &["motion.lateral=0.0017"], "across in line contact");
    refused("carter-fe", &["grid.tolerance=0.1"], "at most 1e-3");
    refused("cylinders-fe-42kn", &["mesh.across=11", "motion.lateral=0", "motion.spin=1e4"], "spin");
}

/// Forces in space, and what is kept of a body when its files are not whole.
#[test]
fn forces_in_space_and_a_cache_without_an_inside() {
    let folder = tempfile::tempdir().expect("a folder");
    let toml = stdout(stickslip(folder.path()).args(["show", "cylinders-fe-42kn"])).replace("lateral = 0.003", "");
    fs::write(folder.path().join("forced.toml"), toml).expect("written");
    for force in [-500.0, -2000.0, -9000.0, 6964.79] {
        let change = format!("motion.lateral_force={force}");
        let (_, s) = run(folder.path(), "forced.toml", "x", &["mesh.across=13", &change]);
        assert!((number(&s, "/force_y") / force - 1.0).abs() < 1e-6, "{force}: {}", s["force_y"]);
    }
    let kept = || fs::read_dir(folder.path().join("cache")).expect("a cache").map(|e| e.expect("an entry").path());
    let inside = kept().find(|path| path.extension().is_some_and(|ending| ending == "inside")).expect("kept");
    fs::remove_file(&inside).expect("removed");
    let (text, _) = run(folder.path(), "forced.toml", "x", &["mesh.across=13", "motion.lateral_force=-500"]);
    assert!(text.contains("was made again") && inside.exists(), "{text}");
    assert!(folder.path().join("x/body-1.vtu").exists());
    // Another run over it leaves nothing of it.
    stdout(stickslip(folder.path()).args(["run", "carter", "--force", "--out", "x"]));
    for stale in ["nodes.csv", "nodes.parquet", "curve.csv", "body-1.vtu", "body-2.vtu", "figures/bodies.svg"] {
        assert!(!folder.path().join("x").join(stale).exists(), "{stale}");
    }
}

/// A curved block as a mesh of Gmsh, 41 contact nodes; its mirror image below it.
fn curved_block() -> String {
    use std::fmt::Write;
    let graded = |fine: i32, h: f64, end: f64| {
        let mut all: Vec<f64> = (0..=fine).map(|k| f64::from(k) * h).collect();
        let mut size = h;
        while all[all.len() - 1] < end {
            size *= 1.3;
            all.push(all[all.len() - 1] + size);
        }
        all
    };
    let side = graded(20, 0.4, 250.0);
    let along: Vec<f64> = side.iter().skip(1).rev().map(|x| -x).chain(side.iter().copied()).collect();
    let up = graded(8, 0.4, 250.0);
    let (nx, nz) = (along.len(), up.len());
    let mut text = String::from(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n2 1 \"body\"\n1 2 \"contact\"\n1 3 \"clamped\"\n$EndPhysicalNames\n",
    );
    let _ = writeln!(text, "$Nodes\n{}", nx * nz);
    for (i, x) in along.iter().enumerate() {
        for (k, z) in up.iter().enumerate() {
            // Radius 500 mm where it touches.
            let curved = if x.abs() < 20.0 { x * x / 1000.0 } else { 0.4 };
            let _ = writeln!(text, "{} {x} {} 0", i * nz + k + 1, z + curved);
        }
    }
    let mut elements = Vec::new();
    for i in 0..nx - 1 {
        for k in 0..nz - 1 {
            let at = |i: usize, k: usize| i * nz + k + 1;
            elements.push(format!("3 2 1 1 {} {} {} {}", at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)));
        }
        if along[i].abs() < 8.1 && along[i + 1].abs() < 8.1 {
            elements.push(format!("1 2 2 2 {} {}", i * nz + 1, (i + 1) * nz + 1));
        }
        elements.push(format!("1 2 3 3 {} {}", (i + 1) * nz, (i + 2) * nz));
    }
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", elements.len());
    for (k, element) in elements.iter().enumerate() {
        let _ = writeln!(text, "{} {element}", k + 1);
    }
    text + "$EndElements\n"
}

#[test]
fn a_mesh_of_gmsh_rolls_and_travels_with_its_result() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("m")).expect("made");
    fs::write(folder.path().join("m/block.msh"), curved_block()).expect("written");
    let toml = stdout(stickslip(folder.path()).args(["show", "carter-fe"]));
    let toml = toml.replace("[mesh]", "[mesh]\nfirst = \"m/block.msh\"\nunit = \"1 mm\"");
    fs::write(folder.path().join("own.toml"), toml).expect("written");
    let (_, s) = run(folder.path(), "own.toml", "x", &[]);
    // 22 elements across; the block is 57 half-lengths deep.
    assert!((number(&s, "/friction_used") - 0.5393).abs() < 0.01, "{}", s["friction_used"]);
    assert!((number(&s, "/fitted/p0") / 1017.71e6 - 1.0).abs() < 0.01, "{}", s["fitted"]);
    fs::rename(folder.path().join("x"), folder.path().join("moved")).expect("moved");
    fs::remove_dir_all(folder.path().join("m")).expect("removed");
    let (_, again) = run(folder.path(), "moved/scenario.toml", "y", &[]);
    assert_eq!(s["force_x"], again["force_x"]);
    // As body 2 it lies on the wrong side.
    let text = fs::read_to_string(folder.path().join("moved/scenario.toml")).expect("written");
    let both = text.replace("unit = \"1 mm\"", "second = \"inputs/block.msh\"\nunit = \"1 mm\"");
    fs::write(folder.path().join("moved/both.toml"), both).expect("written");
    let output = stickslip(folder.path()).args(["lint", "moved/both.toml"]).assert().failure().get_output().clone();
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("above its contact nodes"), "{told}");
}
