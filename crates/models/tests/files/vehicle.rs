//! Scenarios of vehicles: what is read, and faults at their places.

use stickslip_core::record::Column;
use stickslip_models::MODELS;
use stickslip_models::vehicle::Described;
use stickslip_models::vehicle::road::{Place, Side};
use stickslip_models::vehicle::{Parameters, Vehicle};
use stickslip_run::{Scenario, simulation};
use stickslip_scenario::Error;

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
    MODELS.parse("test", text, "", &[])
}

fn vehicle(scenario: &Scenario) -> &Parameters {
    let Some(Described { parameters, .. }) = scenario.model.of() else { panic!("no vehicle") };
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
        ("\"rear\"", "\"nan\"", (16, 8), "\"nan\" is no name", "add a word"),
        ("\"rear\"", "\"2\"", (16, 8), "\"2\" is no name", "add a word"),
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
        // atan 0.12 = 6.8427734°, atan 0.025 = 1.4320962°: tangents, not radians.
        (
            "\"10 deg\"",
            "\"12 %\"",
            (8, 9),
            "\"12 %\" does not say an angle",
            "12 % is 6.842773 deg (tan θ = 0.12): write \"6.842773 deg\"",
        ),
        ("\"10 deg\"", "\"-25 ‰\"", (8, 9), "does not say an angle", "write \"-1.432096 deg\""),
        ("\"10 deg\"", "{ points = [[0, 0], [1, \"12%\"]] }", (8, 33), "does not say an angle", "6.842773 deg"),
        (
            "\"10 deg\"",
            "{ sine = { amplitude = \"12 %\", frequency = 1 } }",
            (8, 32),
            "does not say an angle",
            "6.842773 deg",
        ),
        (
            "\"10 deg\"",
            "{ csv = \"road.csv\", column = \"gradient\", unit = \"%\" }",
            (8, 57),
            "\"%\" does not say an angle",
            "atan(gradient/100)",
        ),
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
fn two_names_never_make_one_column() {
    let named = |front: &str, rear: &str| {
        GOOD.replacen("\"front\"", &format!("\"{front}\""), 1).replacen(
            "name = \"rear\"",
            &format!("name = \"{rear}\""),
            1,
        )
    };
    let error = read(&named("front left", "front_left")).expect_err("one column");
    assert_eq!(error.position().map(|p| (p.line, p.column)), Some((16, 8)), "{error}");
    assert!(error.message().contains("\"front left\" and \"front_left\" make the same columns"), "{error}");
    // Numbers that `count` adds count, too.
    let counted = named("axle_1", "axle").replacen("load = \"40 %\"", "load = \"40 %\"\ncount = 1", 1);
    let error = read(&counted).expect_err("one column");
    assert!(error.message().contains("\"axle_1\" and \"axle 1\" make the same columns"), "{error}");
    // What is refused by name is refused by data, too.
    let scenario = read(&named("a", "b")).expect("two names");
    let mut parameters = vehicle(&scenario).clone();
    parameters.wheels[0].name = "x y".into();
    parameters.wheels[1].name = "x_y".into();
    assert!(Vehicle::new(parameters).is_err());
    // Every built-in scenario has columns of its own.
    for builtin in MODELS.builtins() {
        let scenario = MODELS.builtin(builtin.name, &[]).unwrap_or_else(|e| panic!("{e}"));
        let Ok(run) = simulation(&scenario) else { continue };
        let columns = names(run.columns());
        let mut once = columns.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), columns.len(), "{}", builtin.name);
    }
}

fn names(columns: &[Column]) -> Vec<String> {
    columns.iter().map(|column| column.name.to_string()).collect()
}

#[test]
fn built_in_vehicles_can_be_built() {
    let mut count = 0;
    for builtin in MODELS.builtins() {
        let scenario = MODELS.builtin(builtin.name, &[]).unwrap_or_else(|e| panic!("{e}"));
        if let Some(Described { parameters, .. }) = scenario.model.of() {
            Vehicle::new(parameters.clone()).unwrap_or_else(|e| panic!("{e}"));
            let steps = scenario.run.duration / scenario.run.step;
            assert!((steps - steps.round()).abs() < 1e-9 * steps, "a whole number of steps");
            count += 1;
        }
    }
    assert_eq!(count, 14);
}

/// Four wheels on two axles, patches, a profile.
const ROAD: &str = r#"model = "vehicle"
vehicle.mass = 1200
[road]
friction = 0.8
rolling = "1.2 %"
profile = [[0, 0], ["50 m", "3 deg"]]
[[road.patch]]
from = 10
to = "20 m"
side = "right"
friction = 0.1
[[road.patch]]
from = 15
to = 30
side = "left"
friction = { points = [[0, 0.1], [5, 0.3]] }
[[wheel]]
name = "fl"
ahead = 1.3
side = "left"
radius = 0.3
inertia = 1.2
load = 0.3
[[wheel]]
name = "fr"
ahead = "1.3 m"
side = "right"
radius = 0.3
inertia = 1.2
load = 0.3
[[wheel]]
name = "rear"
count = 2
spacing = 0.5
ahead = -1
radius = 0.3
inertia = 1.2
load = 0.2
[[axle]]
wheels = ["fl", "fr"]
motor = -400
brake = 900
split = [0.6, 0.4]
[[axle]]
wheels = ["rear"]
brake = { trapezoid = [0, 1, 2, 3], max = 600 }
[contrast]
tanh_speed = "1 mm/s"
[run]
duration = 6
step = 0.001
"#;

#[test]
fn roads_axles_and_rows_of_wheels_are_read() {
    let scenario = read(ROAD).unwrap_or_else(|e| panic!("{e}"));
    let p = vehicle(&scenario);
    assert_eq!(tanh_speed(&scenario), Some(1e-3));
    assert_eq!((p.road.rolling, p.slope.at(0.0)), (0.012, 0.0));
    let profile = p.road.profile.as_ref().expect("a profile").piece(25.0);
    assert!((profile.angle(25.0) - 1.5_f64.to_radians()).abs() < 1e-15 && profile.until == 50.0);
    let [ice, melting] = &p.road.patches[..] else { panic!("two patches") };
    assert_eq!((ice.from, ice.to, ice.side, ice.friction.at(0.0)), (10.0, 20.0, Side::Right, 0.1));
    assert_eq!((melting.from, melting.to, melting.side, melting.friction.at(5.0)), (15.0, 30.0, Side::Left, 0.3));
    let names: Vec<&str> = p.wheels.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["fl", "fr", "rear 1", "rear 2"]);
    let places: Vec<Place> = p.wheels.iter().map(|w| w.place).collect();
    assert_eq!((places[0].ahead, places[0].side, places[1].side), (1.3, Side::Left, Side::Right));
    assert_eq!((places[2].ahead, places[3].ahead, places[3].side), (-1.0, -1.5, Side::Both));
    // Motor by `split`, brakes in equal parts.
    let at = |t: f64| p.wheels.iter().map(|w| (w.motor.at(t), w.brake.at(t))).collect::<Vec<_>>();
    assert_eq!(at(1.0), [(-240.0, 450.0), (-160.0, 450.0), (0.0, 300.0), (0.0, 300.0)]);
    assert!(Vehicle::new(p.clone()).is_ok());
    // Without `split` an open differential halves; a wheel may keep what its axle does not give.
    let open = read(&ROAD.replace("split = [0.6, 0.4]\n", "")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(vehicle(&open).wheels[1].motor.at(0.0), -200.0);
    let own = ROAD.replace("count = 2", "count = 2\nmotor = -7");
    let own = read(&own).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((vehicle(&own).wheels[3].motor.at(0.0), vehicle(&own).wheels[3].brake.at(1.0)), (-7.0, 300.0));
    assert_eq!(tanh_speed(&own), tanh_speed(&scenario));
    assert_eq!(tanh_speed(&read(GOOD).unwrap_or_else(|e| panic!("{e}"))), None);
}

#[test]
fn faults_of_roads_and_axles_are_located() {
    let cases = [
        (
            "side = \"left\"\nfriction = {",
            "side = \"both\"\nfriction = {",
            (13, 8),
            "from x = 15 m to 20 m",
            "on the right",
        ),
        ("to = \"20 m\"", "to = \"2 m\"", (9, 6), "ends at x = 2 m", "beyond `from`"),
        ("to = \"20 m\"", "to = \"20 s\"", (9, 6), "is a time, but a length", "0.3 m"),
        ("from = 10\n", "", (7, 1), "missing key `from` in [road.patch]", "begins"),
        ("side = \"right\"\nfriction", "side = \"rigth\"\nfriction", (10, 8), "unknown side \"rigth\"", "`right`"),
        ("friction = 0.1\n", "friction = -0.1\n", (11, 12), "of at least 0 is expected", "plain number"),
        ("[5, 0.3]", "[5, -0.3]", (16, 38), "the friction coefficient of a patch is -0.3", "at least 0"),
        ("[\"50 m\", \"3 deg\"]", "[-1, 0]", (6, 21), "x = -1 m comes after x = 0 m", "order points by place"),
        ("[\"50 m\", \"3 deg\"]", "[50, 2]", (6, 25), "2 rad stands upright", "-90 and 90 deg"),
        ("profile = [[0, 0], [\"50 m\", \"3 deg\"]]", "slope = 6", (6, 9), "between -90 and 90 deg is expected", "deg"),
        ("[\"50 m\", \"3 deg\"]", "[50]", (6, 20), "a length and a value", "0.3 m"),
        ("rolling = \"1.2 %\"", "slope = 0.1", (5, 9), "in `profile`, too", "leave one"),
        ("rolling = \"1.2 %\"", "rolling = -0.1", (5, 11), "at least 0", "plain number"),
        ("[\"fl\", \"fr\"]", "[\"fl\", \"fx\"]", (40, 17), "there is no wheel \"fx\"", "did you mean `fl`"),
        ("[\"fl\", \"fr\"]", "[\"fl\", \"fl\"]", (40, 17), "the wheel \"fl\" is on an axle already", "once"),
        ("[\"rear\"]", "[\"rear\", \"fr\"]", (45, 19), "the wheel \"fr\" is on an axle already", "once"),
        ("[\"rear\"]", "[\"rear 1\", \"rear\"]", (45, 21), "the wheel \"rear 1\" is on an axle already", "once"),
        ("[\"rear\"]", "[\"engine\"]", (45, 11), "there is no wheel \"engine\"", "`fl`, `fr`"),
        ("[\"rear\"]", "[]", (45, 10), "an axle needs at least one wheel", "wheels = "),
        ("[0.6, 0.4]", "[0.6, 0.3]", (43, 10), "sum to 0.9", "one share"),
        ("[0.6, 0.4]", "[1]", (43, 10), "1 shares for 2 wheels", "one share"),
        ("motor = -400", "moter = -400", (41, 1), "unknown key `moter` in [axle]", "`motor`"),
        (
            "inertia = 1.2\nload = 0.3",
            "inertia = 1.2\nload = 0.3\nbrake = 5",
            (24, 9),
            "\"fl\" has a brake, and its axle",
            "one of the two",
        ),
        ("count = 2", "count = 0", (33, 9), "a whole number of at least 1", ""),
        ("count = 2", "count = 20000", (32, 8), "more than 10000 wheels", "smaller `count`"),
        ("count = 2", "count = 3", (38, 8), "sum to 1.2", "share of the weight"),
        ("name = \"fr\"", "name = \"rear 2\"", (32, 8), "a second wheel is named \"rear 2\"", "its own"),
        ("\"1 mm/s\"", "0", (48, 14), "a speed greater than 0", "m/s"),
        (
            "[run]",
            "[solutions]\nselect = \"front\"\n[run]",
            (49, 2),
            "unknown key `solutions`",
            "model = \"motorcycle\"",
        ),
        (
            "tanh_speed = \"1 mm/s\"",
            "without_control = true",
            (48, 19),
            "there is no anti-lock controller",
            "[[controller]]",
        ),
        ("tanh_speed", "tanh", (48, 1), "unknown key `tanh` in [contrast]", "`tanh_speed`"),
    ];
    for (old, new, place, message, help) in cases {
        assert!(ROAD.contains(old), "{old}");
        let error = read(&ROAD.replacen(old, new, 1)).expect_err(new);
        let position = error.position().expect("a place");
        assert_eq!((position.line, position.column), place, "{new}: {error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.help().unwrap_or_default().contains(help), "{error}");
    }
    let patch = "[[road.patch]]\nfrom = 1\nto = 2\nfriction = 0\n";
    let many = ROAD.replacen("[[wheel]]", &(patch.repeat(1001) + "[[wheel]]"), 1);
    assert!(read(&many).expect_err("too many").message().contains("more than 1000 patches"));
}

#[test]
fn overrides_reach_into_lists() {
    let with = |text: &str| MODELS.parse("test", ROAD, "", &[text.into()]);
    for (text, wheel) in [("wheel.fr.radius=0.4", 1), ("wheel.2.radius=0.4", 1), ("wheel.rear.radius=\"40 cm\"", 3)] {
        let scenario = with(text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(vehicle(&scenario).wheels[wheel].radius, 0.4, "{text}");
        assert_eq!(vehicle(&scenario).wheels[0].radius, 0.3);
        // The text that is kept gives the same scenario.
        let again = read(&scenario.text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(vehicle(&again).wheels[wheel].radius, 0.4, "{}", scenario.text);
    }
    let ice = with("road.patch.1.friction=0.05").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(vehicle(&ice).road.patches[0].friction.at(0.0), 0.05);
    // Tables in line are lists as well.
    let inline = "model = \"vehicle\"\nwheel = [{ name = \"a\", radius = 1, inertia = 1, load = 1 }]\nvehicle.mass = 1\n\
                  road.friction = 1\nrun = { duration = 1, step = 1 }\n";
    let scenario = MODELS.parse("test", inline, "", &["wheel.a.radius=2".into()]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(vehicle(&scenario).wheels[0].radius, 2.0);
    assert_eq!(vehicle(&read(&scenario.text).unwrap_or_else(|e| panic!("{e}"))).wheels[0].radius, 2.0);
    for (text, message, help) in [
        ("wheel.fx.radius=0.4", "`wheel` has no entry `fx`", "did you mean `f"),
        ("wheel.4.radius=0.4", "`wheel` has no entry `4`", "`fl`, `fr` and `rear`"),
        ("wheel.0.radius=0.4", "`wheel` has no entry `0`", "from 1"),
        ("wheel.fl.radios=0.4", "unknown key `radios` in [wheel]", "`radius`"),
        ("wheel.fl=3", "a table is expected here", ""),
        ("axle.1.wheels.1.x=3", "is not a table", "set `axle.1.wheels.1` itself"),
        ("road.slope=\"12 %\"", "does not say an angle", "write \"6.842773 deg\""),
        ("road.patch.3.to=4", "`road.patch` has no entry `3`", "from 1"),
    ] {
        let error = with(text).expect_err(text);
        assert_eq!(error.source_name(), "--set", "{error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.help().unwrap_or_default().contains(help), "{error}");
    }
}

#[test]
fn names_with_blanks_are_quoted_in_overrides() {
    let text = "wheel.\"front left\".radius=0.31".into();
    let scenario = MODELS.builtin("car-four-wheels-braking", &[text]).unwrap_or_else(|e| panic!("{e}"));
    let radii = |scenario: &Scenario| vehicle(scenario).wheels.iter().map(|wheel| wheel.radius).collect::<Vec<f64>>();
    let found = radii(&scenario);
    assert_eq!(found.iter().filter(|radius| **radius == 0.31).count(), 1, "{found:?}");
    // The text that is kept gives the same scenario.
    let again = read(&scenario.text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(radii(&again), found);
    // A list that is empty has nothing to set, whether it is written or not.
    for inline in ["", "road.patch = []\n"] {
        let text = format!(
            "model = \"vehicle\"\nwheel = [{{ name = \"a\", radius = 1, inertia = 1, load = 1 }}]\nvehicle.mass = 1\n\
             road.friction = 1\n{inline}run = {{ duration = 1, step = 1 }}\n"
        );
        let error = MODELS.parse("test", &text, "", &["road.patch.2.friction=0.1".into()]).expect_err("no patches");
        assert!(error.message().contains("has no `road.patch`"), "{error}");
        assert!(error.help().unwrap_or_default().contains("[[road.patch]]"), "{error}");
    }
}

fn tanh_speed(scenario: &Scenario) -> Option<f64> {
    scenario.model.of::<Described>().and_then(|described| described.tanh_speed)
}
