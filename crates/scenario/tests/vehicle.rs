//! Scenarios of vehicles: what is read, and faults at their places.

use stickslip_core::model::vehicle::{Parameters, Vehicle};
use stickslip_scenario::{Error, Model, Scenario, builtins};

const GOOD: &str = r#"model = "vehicle"
[vehicle]
mass = "1.2 t"
drag = "0.4 N s^2/m^2"
rolling_resistance = "0.12 kN"
[road]
friction = 0.8
slope = "10 deg"
[[wheel]]
name = "front"
radius = 0.3
inertia = 2.4
load = 0.6
brake = { trapezoid = [0.5, 0.7, 2, 2.4], max = 900 }
[[wheel]]
name = "rear"
radius = "31 cm"
inertia = 2.5
load = "40 %"
friction = 0.2
motor = -300
speed = 1
[initial]
speed = "36 km/h"
[run]
duration = 6
step = 0.001
"#;

fn read(text: &str) -> Result<Scenario, Error> {
    Scenario::parse("test", text, "", &[])
}

fn vehicle(scenario: &Scenario) -> &Parameters {
    let Model::Vehicle(parameters) = &scenario.model else { panic!("no vehicle") };
    parameters
}

#[test]
fn everything_is_read() {
    let scenario = read(GOOD).unwrap_or_else(|e| panic!("{e}"));
    let p = vehicle(&scenario);
    assert_eq!((p.mass, p.drag, p.resistance, p.gravity), (1200.0, 0.4, 120.0, 9.81));
    assert_eq!((p.slope.at(0.0), p.start.x1, p.start.x), (10_f64.to_radians(), 10.0, 0.0));
    assert_eq!(p.start.v, Some(vec![-10.0, 1.0]));
    let [front, rear] = &p.wheels[..] else { panic!("two wheels") };
    assert_eq!((front.name.as_str(), rear.name.as_str()), ("front", "rear"));
    assert_eq!((front.share, rear.share, rear.radius), (0.6, 0.4, 0.31));
    assert_eq!((front.friction.at(0.0), rear.friction.at(0.0)), (0.8, 0.2));
    assert_eq!((front.brake.at(1.0), rear.motor.at(1.0), scenario.model.name()), (900.0, -300.0, "vehicle"));
    assert!(Vehicle::new(p.clone()).is_ok());
}

#[test]
fn faults_are_located_and_explained() {
    // What to write for what, then line, column and parts of message and help.
    let cases = [
        ("load = 0.6", "load = 0.5", (19, 8), "sum to 0.9", "share of the weight"),
        ("load = 0.6", "load = -0.6", (13, 8), "of at least 0 is expected here, found -0.6", "80 %"),
        ("\"rear\"", "\"front\"", (16, 8), "a second wheel is named \"front\"", "a name of its own"),
        ("\"rear\"", "\"\"", (16, 8), "no name", "letters"),
        ("\"rear\"", "\"a,b\"", (16, 8), "no name", "letters"),
        ("name = \"front\"\n", "", (9, 1), "missing key `name` in [wheel]", "Name in reports"),
        ("radius = 0.3", "radius = -0.3", (11, 10), "a length greater than 0", "300 mm"),
        ("inertia = 2.4", "inertia = 0", (12, 11), "a moment of inertia greater than 0", "kg m^2"),
        ("friction = 0.2", "friction = -0.2", (20, 12), "a pure number of at least 0", "plain number"),
        ("max = 900", "max = -900", (14, 49), "the brake torque of the wheel \"front\" is -900", "at least 0"),
        ("\"1.2 t\"", "-1200", (3, 8), "a mass greater than 0", "kg"),
        ("\"0.4 N s^2/m^2\"", "\"-1 kg/m\"", (4, 8), "a drag coefficient of at least 0", "kg/m"),
        ("\"0.4 N s^2/m^2\"", "\"0.4 N\"", (4, 8), "a drag coefficient is expected here", "kg/m"),
        ("\"0.12 kN\"", "-1", (5, 22), "a force of at least 0", "kN"),
        ("radius = 0.3", "radios = 0.3", (11, 1), "unknown key `radios` in [wheel]", "`radius`"),
        ("\"10 deg\"", "\"10 m\"", (8, 9), "an angle is expected here", "5 deg"),
    ];
    for (old, new, place, message, help) in cases {
        assert!(GOOD.contains(old), "{old}");
        let error = read(&GOOD.replacen(old, new, 1)).expect_err(new);
        let position = error.position().expect("a place");
        assert_eq!((position.line, position.column), place, "{error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.help().is_some_and(|h| h.contains(help)), "{error}");
    }
    let none =
        "model = \"vehicle\"\nwheel = []\nvehicle.mass = 1\nroad.friction = 1\nrun = { duration = 1, step = 1 }\n";
    assert!(read(none).expect_err("no wheel").message().contains("at least one wheel"));
    let table = GOOD.replacen("[[wheel]]", "[wheel]", 1);
    assert!(read(&table).is_err());
}

#[test]
fn built_in_vehicles_can_be_built() {
    let mut count = 0;
    for builtin in builtins() {
        let scenario = Scenario::builtin(builtin.name, &[]).unwrap_or_else(|e| panic!("{e}"));
        if let Model::Vehicle(parameters) = &scenario.model {
            Vehicle::new(parameters.clone()).unwrap_or_else(|e| panic!("{e}"));
            let steps = scenario.run.duration / scenario.run.step;
            assert!((steps - steps.round()).abs() < 1e-9 * steps, "a whole number of steps");
            count += 1;
        }
    }
    assert_eq!(count, 4);
}
