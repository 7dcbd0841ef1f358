//! `model = "rail-wheel"`: what is read, and what is refused where.

use stickslip_contact::theory::Kind;
use stickslip_models::MODELS;
use stickslip_models::rail_wheel::Plan;
use stickslip_run::Scenario;
use stickslip_scenario::Error;

const BASE: &str = r#"model = "rail-wheel"
[wheel]
mass = "4281 kg"
inertia = 60
radius = "460 mm"
[contact]
friction = 0.3
[brake]
torque = "4 kN m"
[initial]
speed = "72 km/h"
[run]
duration = 10
step = "1 ms"
"#;

fn read(text: &str) -> Result<Scenario, Error> {
    MODELS.parse("test", text, "", &[])
}

fn plan(text: &str) -> Plan {
    let scenario = read(text).expect("valid");
    scenario.model.of::<Plan>().expect("a wheel on a rail").clone()
}

#[test]
fn everything_is_read() {
    let base = plan(BASE);
    assert_eq!((base.mass, base.inertia, base.radius), (4281.0, 60.0, 0.46));
    assert_eq!((base.start.x1, base.start.x2), (20.0, -20.0));
    assert_eq!((base.theory, base.points(), base.elements), (Kind::Fastsim, 400, None));
    assert_eq!(base.patch.load(), 9.81 * 4281.0);
    assert!((base.patch.limit() / (0.3 * 9.81 * 4281.0) - 1.0).abs() < 1e-15);
    // The case of 42 kN: crossed radii of both bodies as one of half their size.
    let same = BASE
        .replace(
            "radius = \"460 mm\"",
            "radius = 0.46\nlateral_radius = 0.3\n[rail]\nradius = 0.46\nlateral_radius = 0.3",
        )
        .replace("friction = 0.3", "friction = 0.3\nload = \"42 kN\"\ntheory = \"exact\"\nelements = 22\npoints = 30");
    let same = plan(&same);
    assert!((same.patch.a() / 4.25684e-3 - 1.0).abs() < 2e-6 && (same.patch.b() / 3.20209e-3 - 1.0).abs() < 2e-6);
    assert_eq!((same.theory, same.points(), same.elements), (Kind::Exact, 30, Some(22)));
    let rubber = plan(&BASE.replace("[contact]", "[rail]\nyoung = \"1 GPa\"\npoisson = 0.45\n[contact]"));
    assert!(rubber.patch.a() > 2.0 * base.patch.a());
    for kind in Kind::ALL {
        let text = BASE.replace("friction = 0.3", &format!("friction = 0.3\ntheory = \"{}\"", kind.name()));
        assert_eq!(plan(&text).theory, kind);
    }
}

#[test]
fn faults_are_located_and_explained() {
    // What to replace by what, line and column of the blame, message, help.
    type Row = (&'static str, &'static str, (usize, usize), &'static str, &'static str);
    let rows: [Row; 17] = [
        ("\"4281 kg\"", "0", (3, 8), "a mass greater than 0", "kg"),
        ("inertia = 60", "inertia = -1", (4, 11), "a moment of inertia greater than 0", "kg m^2"),
        ("\"460 mm\"", "\"460 kg\"", (5, 10), "a length is expected", "mm"),
        ("\"460 mm\"", "1\nlateral_radius = 0", (6, 18), "other than 0", "straight"),
        ("\"460 mm\"", "1\npoisson = 0.6", (6, 11), "at most 0.5", "steel"),
        ("\"460 mm\"", "1\npoisson = -0.1", (6, 11), "of at least 0", "plain number"),
        ("\"460 mm\"", "1\nyoung = 0", (6, 9), "a pressure greater than 0", "GPa"),
        // The tread is more hollow than the rail head is round.
        ("\"460 mm\"", "1\nlateral_radius = -0.2", (6, 18), "not positive", "hollow"),
        ("friction = 0.3", "friction = 0", (7, 12), "greater than 0", "plain number"),
        ("friction = 0.3", "friction = 0.3\nload = -1", (8, 8), "a force greater than 0", "kN"),
        ("friction = 0.3", "friction = 0.3\ntheory = \"hertz\"", (8, 10), "unknown theory", "`fastsim`"),
        ("friction = 0.3", "friction = 0.3\ntheory = \"polach\"\nelements = 4", (9, 12), "has no elements", "leave"),
        ("friction = 0.3", "friction = 0.3\nelements = 5000", (8, 12), "at most 4096", "elements = 44"),
        ("friction = 0.3", "friction = 0.3\nelements = 4", (8, 12), "needs at least 8", "elements = 44"),
        ("friction = 0.3", "friction = 0.3\ntheory = \"exact\"\nelements = 9", (9, 12), "at least 16", "elements = 44"),
        ("friction = 0.3", "friction = 0.3\npoints = 7", (8, 10), "8 to 100000", "points = 400"),
        ("\"1 ms\"", "\"1 ms\"\nscheme = \"events\"", (15, 10), "not for the model \"rail-wheel\"", "implicit-euler"),
    ];
    let mut wrong = Vec::new();
    for (old, new, place, message, help) in rows {
        let error = read(&BASE.replacen(old, new, 1)).expect_err(new);
        let at = error.position().map_or((0, 0), |p| (p.line, p.column));
        let told = error.message().contains(message) && error.help().unwrap_or_default().contains(help);
        if at != place || !told {
            wrong.push(format!("{new}: {at:?} {} / {:?}", error.message(), error.help()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
