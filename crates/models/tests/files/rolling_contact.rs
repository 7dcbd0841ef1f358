//! `model = "rolling-contact"`: what is read, and what is refused where.

use stickslip_contact::case::{Case, Course, Pressing};
use stickslip_contact::tangential::Drive;
use stickslip_core::law::Coefficient;
use stickslip_models::MODELS;
use stickslip_models::rolling_contact::RollingContact;
use stickslip_run::Scenario;
use stickslip_scenario::Error;

const BASE: &str = r#"model = "rolling-contact"
[first]
young = "210 GPa"
poisson = 0.3
radius = "0.46 m"
lateral_radius = "300 mm"
[contact]
load = "42 kN"
friction = 0.3
[motion]
kind = "steady"
longitudinal = 0.0017
spin = "0.5 1/m"
"#;

const LINE: &str = r#"model = "rolling-contact"
[first]
young = "210 GPa"
poisson = 0.3
radius = "0.5 m"
[contact]
load_per_length = "7.05 MN/m"
friction = 0.3
[grid]
along = 110
[motion]
kind = "steady"
longitudinal = 0.0017
"#;

fn read(text: &str) -> Result<Scenario, Error> {
    MODELS.parse("test", text, "", &[])
}

fn case(text: &str) -> Case {
    let scenario = read(text).expect("valid");
    scenario.model.of::<RollingContact>().expect("a rolling contact").0.clone()
}

#[test]
fn everything_is_read() {
    let base = case(BASE);
    assert_eq!(base.bodies[0], base.bodies[1]);
    assert_eq!((base.bodies[0].radii.x, base.bodies[0].radii.y), (0.46, 0.3));
    assert_eq!((&base.friction, base.speed), (&Coefficient::Constant(0.3), 0.0));
    let law = "friction = { static = 0.3, kinetic = 0.2, speed = 0.5 }";
    let falling = BASE.replace("friction = 0.3", law).replace("[motion]", "[motion]\nspeed = \"36 km/h\"");
    let wanted = Coefficient::Stribeck { sticking: 0.3, slipping: 0.2, speed: 0.5, exponent: 1.0 };
    assert_eq!((case(&falling).friction, case(&falling).speed), (wanted, 10.0));
    assert!((base.material().shear_modulus() / 210e9 * 2.6 - 1.0).abs() < 1e-15);
    assert_eq!(base.pressing, Pressing::Load(42e3));
    let Course::Steady(motion) = base.course else { panic!("{:?}", base.course) };
    assert_eq!((motion.x, motion.y, motion.spin), (Drive::Creepage(0.0017), Drive::Creepage(0.0), 0.5));
    let rail =
        case(&BASE.replace("[contact]", "[second]\nyoung = 1e9\npoisson = -0.2\nlateral_radius = -1\n[contact]"));
    assert_eq!((rail.bodies[1].radii.x, rail.bodies[1].radii.y), (f64::INFINITY, -1.0));
    for (written, si) in [("7.05 kN/mm", 7.05e6), ("7.05e6 N/m", 7.05e6)] {
        let line = case(&LINE.replace("7.05 MN/m", written));
        assert_eq!(line.pressing, Pressing::LoadPerLength(si));
    }
    let forced = case(&LINE.replace("longitudinal = 0.0017", "force_per_length = \"-1 MN/m\""));
    let Course::Steady(motion) = forced.course else { panic!("{:?}", forced.course) };
    assert_eq!(motion.x, Drive::Force(-1e6));
    let apart = case(&BASE.replace("load = \"42 kN\"", "approach = \"0.5 mm\"\nseparation = 0.00025"));
    assert_eq!(apart.pressing, Pressing::Approach(0.00025));
    let rolled =
        BASE.replace("\"steady\"\nlongitudinal = 0.0017", "\"transient\"\nstart = \"shift\"\nsteps = 3\nforce = -5");
    let Course::Transient { motion, steps: 3, shifted: true } = case(&rolled).course else { panic!("read otherwise") };
    assert_eq!(motion.x, Drive::Force(-5.0));
}

#[test]
fn faults_are_located_and_explained() {
    let rows: [Row; 26] = [
        ("poisson = 0.3", "poisson = 0.51", (4, 11), "at most 0.5", "steel"),
        ("poisson = 0.3", "poisson = -1", (4, 11), "greater than -1", "steel"),
        ("\"210 GPa\"", "\"210 kg\"", (3, 9), "a pressure is expected", "GPa"),
        ("\"210 GPa\"", "-1", (3, 9), "a pressure greater than 0", "GPa"),
        ("\"0.46 m\"", "0", (5, 10), "other than 0", "straight"),
        ("\"42 kN\"", "\"-42 kN\"", (8, 8), "a force greater than 0", "kN"),
        ("load = \"42 kN\"", "approach = -1e-5", (8, 12), "a length greater than 0", "mm"),
        ("load = \"42 kN\"\n", "", (8, 12), "nothing presses", "load = "),
        ("load = \"42 kN\"", "load = 1\napproach = 1", (9, 12), "pressed together twice", "one of"),
        ("friction = 0.3", "friction = 0", (9, 12), "greater than 0", "plain number"),
        ("\"steady\"", "\"slip\"", (11, 8), "unknown kind", "`shift`"),
        ("\"steady\"", "\"shift\"", (12, 16), "a creepage is not for a shift", "lateral_shift"),
        ("longitudinal = 0.0017", "longitudinal = 1\nforce = 1", (13, 9), "both a longitudinal", "leave one"),
        ("longitudinal = 0.0017", "shift = 1e-6", (12, 9), "not for steady rolling", "longitudinal"),
        ("longitudinal = 0.0017", "steps = 4", (12, 9), "not for steady rolling", "leave `steps`"),
        ("\"steady\"", "\"transient\"\nsteps = 2\nstart = \"shift\"", (13, 9), "needs a force", "leave `start`"),
        ("\"steady\"", "\"transient\"\nsteps = 100001", (12, 9), "at most 100000", "steady after"),
        ("\"steady\"", "\"transient\"", (11, 8), "missing key `steps`", "steps = 56"),
        (
            "load = \"42 kN\"",
            "approach = \"0.1 mm\"\nseparation = \"0.2 mm\"",
            (8, 12),
            "no contact: the approach of 0.0001 m",
            "greater than 0.0002 m",
        ),
        ("load = \"42 kN\"", "approach = 1e-4\nseparation = -1", (9, 14), "a length of at least 0", "mm"),
        ("load = \"42 kN\"", "load = 1\nseparation = 1", (9, 14), "only matters", "leave `separation`"),
        ("friction = 0.3", "friction = { static = 0.3, kinetic = 0.2 }", (9, 12), "missing key `speed`", "10 m/s"),
        ("friction = 0.3", "friction = { static = 0.3 }", (9, 12), "does not say how", "kinetic"),
        ("longitudinal = 0.0017", "speed = 10", (12, 9), "no effect", "leave `speed`"),
        ("longitudinal = 0.0017", "speed = 0", (12, 9), "a speed greater than 0", "km/h"),
        ("longitudinal = 0.0017", "force_per_length = 1", (12, 20), "for line contact only", "force = "),
    ];
    located(BASE, &rows);
}

/// What is known to be unsolvable without solving it is blamed on its place in the file.
#[test]
fn grids_and_forces_that_cannot_be_are_located() {
    let rows: [Row; 8] = [
        ("[motion]", "[grid]\nalong = 4\n[motion]", (11, 9), "3.64 of them along it", "along = 9 or more"),
        ("[motion]", "[grid]\nacross = 1\n[motion]", (11, 10), "0.91 of them across it", "across = 9 or more"),
        (
            "[motion]",
            "[grid]\nlength = 10\n[motion]",
            (11, 10),
            "m long but the elements are 2.273e-1 m:",
            "leave `length` out",
        ),
        ("[motion]", "[grid]\nwidth = 10\n[motion]", (11, 9), "at least 8 are needed", "leave `width` out"),
        ("[motion]", "[grid]\nalong = 5000\n[motion]", (11, 9), "between 1 and 4096", "along = 88"),
        ("[motion]", "[grid]\nalong = 2000\nacross = 2000\n[motion]", (11, 9), "at most 1048576", "along = 88"),
        ("longitudinal = 0.0017", "force = -12600", (12, 9), "friction transmits less than 12600 N:", "creepage"),
        ("\"0.46 m\"", "\"-200 mm\"", (5, 10), "curvature -10 1/m along x is not positive", "radii"),
    ];
    located(BASE, &rows);
    let line: [Row; 2] = [
        ("along = 110", "along = 7", (10, 9), "6.36 of them along it", "along = 9 or more"),
        (
            "longitudinal = 0.0017",
            "force_per_length = -2.115e6",
            (13, 20),
            "(-2115000 N/m, 0 N/m) is 2115000 N/m",
            "creepage",
        ),
    ];
    located(LINE, &line);
}

#[test]
fn line_contacts_refuse_what_is_across() {
    let rows: [Row; 7] = [
        ("longitudinal = 0.0017", "spin = 0.5", (13, 8), "spin is not for line contact", "without bound"),
        ("along = 110", "across = 4", (10, 10), "elements across is not for line contact", "`load`"),
        ("along = 110", "width = \"1 mm\"", (10, 9), "a width is not for line contact", "`load`"),
        ("radius = \"0.5 m\"", "lateral_radius = 0.3", (5, 18), "a lateral radius is not for line", "`load`"),
        ("longitudinal = 0.0017", "force = \"-1 kN\"", (13, 9), "forces are per length", "force_per_length"),
        ("longitudinal = 0.0017", "lateral_force = -1", (13, 17), "forces are per length", "lateral_force_per_length"),
        ("longitudinal = 0.0017", "force_per_length = \"1 N\"", (13, 20), "a load per length is expected", "MN/m"),
    ];
    located(LINE, &rows);
}

/// What to replace by what, line and column of the blame, message, help.
type Row = (&'static str, &'static str, (usize, usize), &'static str, &'static str);

fn located(base: &str, rows: &[Row]) {
    let mut wrong = Vec::new();
    for &(old, new, place, message, help) in rows {
        let error = read(&base.replacen(old, new, 1)).expect_err(new);
        let at = error.position().map_or((0, 0), |p| (p.line, p.column));
        let told = error.message().contains(message) && error.help().unwrap_or_default().contains(help);
        if at != place || !told {
            wrong.push(format!("{new}: {at:?} {} / {:?}", error.message(), error.help()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const ELEMENTS: &str = r#"model = "rolling-contact"
bodies = "finite-elements"
[first]
young = "210 GPa"
poisson = 0.3
radius = "0.5 m"
[contact]
load_per_length = "7.05 MN/m"
friction = 0.3
[mesh]
across = 21
[motion]
kind = "transient"
longitudinal = 0.0017
steps = 20
"#;

#[test]
fn steps_of_finite_elements_are_read_or_refused() {
    use stickslip_contact::finite_elements::Reach;
    use stickslip_models::rolling_contact::RollingElements;
    let meshing = |text: &str| {
        let scenario = read(text).unwrap_or_else(|e| panic!("{e}"));
        let Some(RollingElements(contact)) = scenario.model.of() else { panic!("other bodies") };
        (contact.meshing.stride, contact.meshing.reach)
    };
    assert_eq!(meshing(ELEMENTS), (None, Reach::Whole));
    let local = ELEMENTS.replace("steps = 20", "steps = 20\nstride = 0.25\ncompliance = \"local\"");
    assert_eq!(meshing(&local), (Some(0.25), Reach::Local));
    let rows: [Row; 11] = [
        ("steps = 20", "steps = 20\nstride = 5", (16, 10), "between 0.01 and 4", "stride = 0.5"),
        ("steps = 20", "steps = 20\nstride = 0", (16, 10), "greater than 0", ""),
        ("steps = 20", "steps = 20\ncompliance = \"none\"", (16, 14), "unknown", "whole"),
        (
            "\"transient\"\nlongitudinal = 0.0017\nsteps = 20",
            "\"steady\"\ncompliance = \"local\"",
            (14, 14),
            "not for steady",
            "does not depend",
        ),
        (
            "\"transient\"\nlongitudinal = 0.0017\nsteps = 20",
            "\"steady\"\nstride = 0.5",
            (14, 10),
            "not for steady",
            "leave it out",
        ),
        ("steps = 20", "", (13, 8), "missing key `steps`", "steps = 56"),
        ("longitudinal = 0.0017", "force_per_length = -1e6", (13, 8), "under a given force", "creepage"),
        ("[mesh]", "[grid]\norder = \"second\"\n[mesh]", (15, 8), "of the second order", "order = "),
        (
            "steps = 20",
            "steps = 20\ncompliance = \"whole\"\n[structure]\nfrequency = \"80 Hz\"\nspeed = 10",
            (16, 14),
            "counted twice",
            "local",
        ),
        (
            "steps = 20",
            "steps = 20\n[structure]\nfrequency = \"8 kHz\"\nspeed = 10",
            (17, 13),
            "too long for a structure of 8000 Hz",
            "stride",
        ),
        (
            "\"transient\"\nlongitudinal = 0.0017\nsteps = 20",
            "\"steady\"\n[structure]\nfrequency = \"80 Hz\"\nspeed = 10",
            (15, 13),
            "only for transient rolling",
            "leave [structure]",
        ),
    ];
    located(ELEMENTS, &rows);
    let half_space: [Row; 2] = [
        ("longitudinal = 0.0017", "stride = 0.5", (13, 10), "only for finite elements", "bodies ="),
        ("longitudinal = 0.0017", "compliance = \"local\"", (13, 14), "only for finite elements", "no hub"),
    ];
    located(LINE, &half_space);
}
