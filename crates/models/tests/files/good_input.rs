//! Good scenarios: units, signals, defaults, overrides, built-in files, schema.

use std::fs;

use serde_json::Value;
use stickslip_core::signal::Signal;
use stickslip_models::MODELS;
use stickslip_models::wheel::{Parameters, Start};
use stickslip_run::Scenario;
use stickslip_scenario::{Override, Scheme};

const SMALLEST: &str = r#"model = "wheel"
wheel = { mass = 400, inertia = 1.2, radius = 0.3 }
ground.friction = 0.8
run = { duration = 6, step = 0.001 }
"#;

fn read(overrides: &[&str]) -> Scenario {
    let overrides: Vec<Override> = overrides.iter().map(|&o| o.into()).collect();
    MODELS.parse("test", SMALLEST, "", &overrides).unwrap_or_else(|e| panic!("{e}"))
}

fn wheel(scenario: &Scenario) -> &Parameters {
    let Some(parameters) = scenario.model.of::<Parameters>() else { panic!("no wheel") };
    parameters
}

/// The SI value of the text, written at a key of the right kind.
fn value(key: &str, text: &str) -> f64 {
    let scenario = read(&[&format!("{key}={text}")]);
    let wheel = wheel(&scenario);
    match key {
        "wheel.mass" => wheel.mass,
        "wheel.inertia" => wheel.inertia,
        "wheel.radius" => wheel.radius,
        "ground.gravity" => wheel.gravity,
        "ground.friction" => wheel.friction.at(0.0),
        "motor.torque" => wheel.motor.at(0.0),
        "initial.speed" => wheel.start.x1,
        "initial.angle" => wheel.start.theta,
        "run.duration" => scenario.run.duration,
        "run.step" => scenario.run.step,
        other => panic!("no such key: {other}"),
    }
}

#[test]
fn decimal_units_are_exact() {
    for (key, text, si) in [
        ("wheel.mass", "400", 400.0),
        ("wheel.mass", "\"400 kg\"", 400.0),
        ("wheel.mass", "400kg", 400.0),
        ("wheel.mass", "0.4 t", 400.0),
        ("wheel.mass", "4e5 g", 400.0),
        ("wheel.mass", "123.4 mg", 1.234e-4),
        ("wheel.mass", "+1_000", 1000.0),
        ("wheel.inertia", "1.2 kg m^2", 1.2),
        ("wheel.inertia", "1.2 kg*m^2", 1.2),
        ("wheel.inertia", "1.2 kg·m²", 1.2),
        ("wheel.inertia", "1.2 N m s^2", 1.2),
        ("wheel.inertia", "12000 kg cm²", 1.2),
        ("wheel.radius", "4 mm", 0.004),
        ("wheel.radius", "0.3 m", 0.3),
        ("wheel.radius", "300 mm", 0.3),
        ("wheel.radius", "3.3 µm", 3.3e-6),
        ("wheel.radius", "3.3 um", 3.3e-6),
        ("wheel.radius", ".5 m", 0.5),
        ("motor.torque", "1883.52 N m", 1883.52),
        ("motor.torque", "1883.52 N*m", 1883.52),
        ("motor.torque", "1883.52 N·m", 1883.52),
        ("motor.torque", "1883.52 Nm", 1883.52),
        ("motor.torque", "1.88352 kN m", 1883.52),
        ("motor.torque", "1.88352 kNm", 1883.52),
        ("motor.torque", "-376.704 N m", -376.704),
        ("motor.torque", "3 J", 3.0),
        ("motor.torque", "120 kW/(1/s)", 120e3),
        ("motor.torque", "120 kW s", 120e3),
        ("ground.gravity", "9.81 m/s^2", 9.81),
        ("ground.gravity", "9.81 m s^-2", 9.81),
        ("ground.gravity", "9.81 m s⁻²", 9.81),
        ("ground.gravity", "9.81 m/s/s", 9.81),
        ("ground.gravity", "9.81 N/kg", 9.81),
        ("ground.friction", "0.01 %", 1e-4),
        ("ground.friction", "80 %", 0.8),
        ("ground.friction", "\"0.7\"", 0.7),
        ("run.duration", "0.5 s", 0.5),
        ("run.duration", "2 min", 120.0),
        ("run.duration", "1 h", 3600.0),
        ("run.step", "0.1 ms", 1e-4),
        ("initial.angle", "0.5 rad", 0.5),
        ("initial.angle", "20 mrad", 0.02),
        ("initial.speed", "36 km/h", 10.0),
        ("initial.speed", "90 km/h", 25.0),
    ] {
        assert_eq!(value(key, text), si, "{key}={text}");
    }
}

#[test]
fn other_units_are_right_to_the_last_digits() {
    use std::f64::consts::PI;
    for (key, text, si) in [
        ("initial.speed", "35 km/h", 35.0 / 3.6),
        ("initial.speed", "1 m/min", 1.0 / 60.0),
        ("initial.angle", "5 deg", PI / 36.0),
        ("initial.angle", "5 °", PI / 36.0),
        ("initial.angle", "2 rev", 4.0 * PI),
        ("initial.angle", "10 rpm s", PI / 3.0),
    ] {
        let found = value(key, text);
        assert!((found - si).abs() <= 1e-15 * si, "{text}: {found} and not {si}");
    }
}

#[test]
fn defaults_are_those_of_the_documentation() {
    let scenario = read(&[]);
    let wheel = wheel(&scenario);
    assert_eq!(wheel.gravity, 9.81);
    assert!(matches!(wheel.motor, Signal::Constant(0.0)));
    assert!(matches!(wheel.brake, Signal::Constant(0.0)));
    assert_eq!(wheel.start, Start::default());
    assert!(wheel.start.x2.is_sign_positive());
    assert_eq!(scenario.run.scheme, Scheme::ImplicitEuler);
    assert_eq!(scenario.output.every, None);
    assert_eq!((scenario.title.as_deref(), scenario.description.as_deref()), (None, None));
}

#[test]
fn the_wheel_rolls_unless_told_otherwise() {
    let rolling = read(&["initial.speed=20 m/s"]);
    assert_eq!((wheel(&rolling).start.x1, wheel(&rolling).start.x2), (20.0, -20.0));
    let locked = read(&["initial.speed=20", "initial.wheel_speed=0", "initial.position=3 m"]);
    let expected = Start { x1: 20.0, x2: 0.0, x: 3.0, theta: 0.0 };
    assert_eq!(wheel(&locked).start, expected);
}

fn motor(text: &str) -> Signal {
    wheel(&read(&[&format!("motor.torque={text}")])).motor.clone()
}

#[test]
fn every_form_of_signal_is_read() {
    let points = motor(r#"{ points = [[0, 0], ["0.5 s", "10 N m"]] }"#);
    assert_eq!((points.at(0.25), points.at(9.0)), (5.0, 10.0));
    let jump = motor("{ points = [[1, 0], [1, 5]] }");
    assert_eq!((jump.at(0.9), jump.at(1.0)), (0.0, 5.0));

    let trapezoid = motor(r#"{ trapezoid = ["0.5 s", "0.7 s", "2 s", "2.4 s"], max = "-1883.52 N m" }"#);
    assert_eq!((trapezoid.at(0.5), trapezoid.at(1.0), trapezoid.at(2.4)), (0.0, -1883.52, 0.0));

    let sine = motor(r#"{ sine = { amplitude = 3, frequency = "2 Hz", phase = "90 deg", offset = "1 N m" } }"#);
    assert!((sine.at(0.0) - 4.0).abs() < 1e-15 && (sine.at(0.25) + 2.0).abs() < 1e-14);
    let by_period = motor(r#"{ sine = { amplitude = 3, period = "0.5 s" } }"#);
    assert!((by_period.at(0.125) - 3.0).abs() < 1e-14);

    let formula = motor(r#"{ expression = "100*sin(2*pi*t)" }"#);
    assert!((formula.at(0.25) - 100.0).abs() < 1e-12);
    assert_eq!(motor("-7").at(3.0), -7.0);
}

#[test]
fn a_signal_may_be_a_table_of_its_own() {
    let text = format!("{SMALLEST}[brake.torque]\ntrapezoid = [0, 1, 2, 3]\nmax = \"1 kN m\"\n");
    let scenario = MODELS.parse("test", &text, "", &[]).expect("a scenario");
    assert_eq!(wheel(&scenario).brake.at(1.5), 1000.0);
}

#[test]
fn signals_are_scaled_and_shifted() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    let motor = |signal: &str| {
        write("scenario.toml", &format!("{SMALLEST}motor.torque = {signal}\n"));
        let scenario = MODELS.from_file(folder.path().join("scenario.toml"), &[]).unwrap_or_else(|e| panic!("{e}"));
        wheel(&scenario).motor.clone()
    };
    // Bar to torque, in a file as a spreadsheet in Germany writes it.
    write("pedal.csv", "Zeit;Druck\n0;0\n1,5;40\n");
    let csv = r#"{ csv = "pedal.csv", time = "Zeit", column = "Druck", unit = "bar", scale = "15 N m/bar", offset = "2 N m", shift = "0.5 s" }"#;
    let torque = motor(csv);
    for (t, value) in [(0.0, 2.0), (0.5, 2.0), (1.25, 302.0), (2.0, 602.0), (9.0, 602.0)] {
        assert!((torque.at(t) - value).abs() < 1e-10, "{t}: {}", torque.at(t));
    }
    write("tabs.csv", "t\tp\n0\t1.5\n");
    assert_eq!(motor(r#"{ csv = "tabs.csv", column = "p", scale = "2 kN m" }"#).at(0.0), 3000.0);
    let sine = motor(r#"{ sine = { amplitude = 3, frequency = 0.25, offset = 1 }, scale = -2, shift = "1 s" }"#);
    for t in [0.0, 0.3, 1.0, 2.7] {
        let value = -2.0 * (1.0 + 3.0 * (std::f64::consts::FRAC_PI_2 * (t - 1.0)).sin());
        assert!((sine.at(t) - value).abs() < 1e-12, "{t}: {} {value}", sine.at(t));
    }
    let points = motor("{ points = [[0, 1], [1, 2], [1, 5]], scale = 10, shift = 1 }");
    assert_eq!([0.0, 1.5, 2.0].map(|t| points.at(t)), [10.0, 15.0, 50.0]);
}

#[test]
fn columns_of_csv_files_are_signals() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("load.csv", "time, F\n0, 1.5\n2.5, -3e-1\n");
    let csv = r#"motor.torque = { csv = "load.csv", time = "time", column = "F", unit = "kN m" }"#;
    write("scenario.toml", &format!("{SMALLEST}{csv}\n"));
    let path = folder.path().join("scenario.toml");

    let first = MODELS.from_file(&path, &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((wheel(&first).motor.at(0.0), wheel(&first).motor.at(9.0)), (1500.0, -300.0));
    let again = MODELS.from_file(&path, &[]).expect("a scenario");
    assert_eq!(first.hash, again.hash);
    write("load.csv", "time, F\n0, 1.5\n2.5, -4e-1\n");
    let other = MODELS.from_file(&path, &[]).expect("a scenario");
    assert_ne!(first.hash, other.hash, "the hash must know the data");
    assert_eq!(first.text, other.text);
}

#[test]
fn schemes_have_names() {
    for scheme in [Scheme::ImplicitEuler, Scheme::Events] {
        let set = format!("run.scheme={}", scheme.name());
        assert_eq!(read(&[&set]).run.scheme, scheme);
    }
}

#[test]
fn overrides_change_the_text_and_read_it_back() {
    let all = [
        "title=A name",
        "wheel.mass=500 kg",
        "run.step=1e-4",
        "run.scheme=implicit-euler",
        "brake.torque={ trapezoid = [0, 1, 2, 3], max = 5 }",
        "motor.torque.points=[[0, 1], [1, 2]]",
        "output.every=7",
        "wheel.mass=600 kg",
    ];
    let scenario = read(&all);
    assert_eq!(wheel(&scenario).mass, 600.0);
    assert_eq!(scenario.output.every, Some(7));
    assert_eq!(scenario.title.as_deref(), Some("A name"));
    let mut again = MODELS.parse("test", &scenario.text, "", &[]).unwrap_or_else(|e| panic!("{e}\n{}", scenario.text));
    // Of what was set only the text knows nothing.
    assert_eq!(scenario.set.len(), all.len());
    again.set.clone_from(&scenario.set);
    assert_eq!(format!("{scenario:?}"), format!("{again:?}"));
}

#[test]
fn overrides_keep_comments_and_change_only_their_value() {
    let scenario = MODELS.builtin("wheel-sport-drive", &["ground.friction=0.3".into()]).expect("a scenario");
    let original = MODELS.builtin("wheel-sport-drive", &[]).expect("a scenario");
    let changed = "friction = 0.3           # dry asphalt";
    assert_eq!(scenario.text, original.text.replace("friction = 0.8           # dry asphalt", changed));
    assert_ne!(scenario.hash, original.hash);
    assert_eq!(original.hash.len(), 64);
    assert_eq!(original.text, builtin(0).text);
}

/// Forwards is the opposite of counter-clockwise, whatever the form of the signal.
#[test]
fn a_torque_may_count_forwards() {
    let forms = ["300", "{ trapezoid = [0, 1, 2, 3], max = 7 }", "{ expression = \"50*t\" }"];
    for form in forms {
        let (turning, drive) = (read(&[&format!("motor.torque={form}")]), read(&[&format!("motor.drive={form}")]));
        for t in [0.0, 0.4, 1.5, 2.7] {
            assert_eq!(wheel(&drive).motor.at(t), -wheel(&turning).motor.at(t), "{form} at {t}");
        }
    }
    let car = |text: &str| {
        let scenario = MODELS.parse("car", text, "", &[]).unwrap_or_else(|e| panic!("{e}"));
        let car = scenario.model.of::<stickslip_models::vehicle::Described>().expect("a vehicle").parameters.clone();
        car.wheels.iter().map(|wheel| wheel.motor.at(0.0)).collect::<Vec<_>>()
    };
    let text = "model = \"vehicle\"\nvehicle.mass = 1000\nroad.friction = 0.8\nrun = { duration = 1, step = 1e-3 }\n";
    let wheel =
        |name: &str, more: &str| format!("[[wheel]]\nname = \"{name}\"\nradius = 0.3\ninertia = 1\nload = 0.5\n{more}");
    let own = format!("{text}{}{}", wheel("a", "drive = 10\n"), wheel("b", "motor = 10\n"));
    assert_eq!(car(&own), [-10.0, 10.0]);
    let axle = format!("{text}{}{}[[axle]]\nwheels = [\"a\", \"b\"]\ndrive = 30\n", wheel("a", ""), wheel("b", ""));
    assert_eq!(car(&axle), [-15.0, -15.0]);
    for (text, message) in [
        (axle.clone() + "motor = 3\n", "`motor` and `drive` are the same torque, given twice"),
        (axle.replace("load = 0.5\n[[axle]]", "load = 0.5\ndrive = 1\n[[axle]]"), "its axle has one, too"),
    ] {
        let error = MODELS.parse("car", &text, "", &[]).expect_err("twice");
        assert!(error.message().contains(message), "{error}");
    }
}

#[test]
fn built_in_scenarios_have_the_published_parameters() {
    let trapezoid = |times: [f64; 4], max: f64| Box::new(Signal::trapezoid(times, max).expect("rising times"));
    let zero = || Box::new(Signal::Constant(0.0));
    let sport = [0.5, 0.7, 2.0, 2.4];
    let cases = [
        ("wheel-sport-drive", 0.0, Box::new(trapezoid(sport, 1035.936).scaled(-1.0)), zero(), 6.0, 0.001),
        ("wheel-sport-braking", 20.0, zero(), trapezoid(sport, 1883.52), 6.0, 0.001),
        (
            "wheel-smooth-ride",
            0.0,
            trapezoid([0.5, 3.0, 6.0, 9.0], -376.704),
            trapezoid([10.0, 13.0, 18.0, 19.5], 470.88),
            20.0,
            0.002,
        ),
    ];
    for (builtin, (name, speed, motor, brake, duration, step)) in MODELS.builtins().zip(cases) {
        assert_eq!(builtin.name, name);
        let scenario = MODELS.builtin(name, &[]).unwrap_or_else(|e| panic!("{e}"));
        let expected = Parameters {
            over_slip: Default::default(),
            mass: 400.0,
            inertia: 1.2,
            radius: 0.3,
            gravity: 9.81,
            friction: Signal::Constant(0.8),
            motor: *motor,
            brake: *brake,
            start: Start { x1: speed, x2: if speed == 0.0 { 0.0 } else { -speed }, x: 0.0, theta: 0.0 },
        };
        assert_eq!(format!("{:?}", wheel(&scenario)), format!("{expected:?}"));
        assert_eq!((scenario.run.duration, scenario.run.step), (duration, step));
        assert_eq!((duration / step).fract(), 0.0, "a whole number of steps");
        assert!(scenario.title.is_some() && scenario.description.is_some());
        let same = MODELS.from_name_or_path(name, &[]).expect("a built-in scenario");
        assert_eq!(same.hash, scenario.hash);
    }
}

#[test]
fn what_the_built_in_comments_suggest_can_be_done() {
    let mut tried = 0;
    for builtin in MODELS.builtins() {
        for line in builtin.text.lines().filter(|l| l.contains("--set")) {
            let (_, rest) = line.split_once("--set ").expect("an override");
            // As a shell would: quotes go, blanks inside them stay; the remark follows after many blanks.
            let arguments = rest.split("  ").next().expect("a word").replace(['"', '\''], "");
            let sets: Vec<Override> = arguments.split(" --set ").map(Override::new).collect();
            MODELS.builtin(builtin.name, &sets).unwrap_or_else(|e| panic!("{e}"));
            tried += 1;
        }
    }
    assert!(tried >= 9, "{tried} suggestions");
}

/// Whether a TOML value has a place in the schema: every key is known there.
fn covered(value: &toml::Value, schema: &Value, path: &str) {
    // A key that may be left out is "this or null".
    let forms = schema["anyOf"].as_array().filter(|forms| forms.iter().any(|form| form["type"] == "null"));
    let schema = forms.and_then(|forms| forms.iter().find(|form| form["type"] != "null")).unwrap_or(schema);
    for (k, inner) in value.as_array().into_iter().flatten().enumerate() {
        covered(inner, &schema["items"], &format!("{path}[{k}]"));
    }
    if let toml::Value::Table(table) = value {
        if let Some(forms) = schema.get("oneOf").and_then(Value::as_array) {
            let fits = |form: &Value| table.keys().all(|k| form["properties"].get(k).is_some());
            assert_eq!(forms.iter().filter(|f| fits(f)).count(), 1, "forms of {path}");
            return;
        }
        // Names of the user's own: keys of a sweep, outputs, classes.
        let free = |form: &Value| form["type"] == "object" && form.get("properties").is_none();
        if free(schema) || schema["anyOf"].as_array().is_some_and(|forms| forms.iter().any(free)) {
            return;
        }
        for (key, inner) in table {
            let known = &schema["properties"][key];
            assert!(known.is_object(), "{path}.{key} is not in the schema");
            covered(inner, known, &format!("{path}.{key}"));
        }
        for required in schema["required"].as_array().into_iter().flatten() {
            assert!(table.contains_key(required.as_str().expect("a key")), "{required} in {path}");
        }
    }
}

#[test]
fn the_schema_knows_the_built_in_scenarios() {
    let schema = MODELS.schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let models = schema["oneOf"].as_array().expect("one schema per model");
    let of = |model: &str| {
        let found = models.iter().find(|m| m["properties"]["model"]["const"] == model);
        found.unwrap_or_else(|| panic!("no schema of the model {model}"))
    };
    assert!(models.iter().all(|m| m["additionalProperties"] == false));
    assert_eq!(of("wheel")["required"], serde_json::json!(["model", "wheel", "ground", "run"]));
    assert_eq!(of("vehicle")["required"], serde_json::json!(["model", "vehicle", "road", "wheel", "run"]));
    for builtin in MODELS.builtins() {
        let table: toml::Table = builtin.text.parse().expect("TOML");
        let model = of(table["model"].as_str().expect("a name"));
        covered(&toml::Value::Table(table), model, "");
    }
    let mass = &of("wheel")["properties"]["wheel"]["properties"]["mass"];
    assert_eq!(mass["description"], "Mass m of wheel and chassis [kg], > 0.");
    assert_eq!(mass["anyOf"][0]["exclusiveMinimum"], 0);
    assert_eq!(mass["anyOf"][1]["examples"][0], "400 kg");
}

#[test]
fn the_schema_describes_every_key() {
    fn walk(schema: &Value, path: &str, seen: &mut usize) {
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            assert!(inner["description"].is_string(), "{path}.{key} has no description");
            *seen += 1;
            walk(inner, &format!("{path}.{key}"), seen);
            walk(&inner["items"], &format!("{path}.{key}[]"), seen);
        }
    }
    let mut seen = 0;
    for model in MODELS.schema()["oneOf"].as_array().expect("one schema per model") {
        walk(model, "", &mut seen);
    }
    assert!(seen >= 25, "{seen} keys");
}

/// All patterns of a schema.
fn patterns(schema: &Value, found: &mut std::collections::BTreeSet<String>) {
    match schema {
        Value::Object(map) => {
            found.extend(map.get("pattern").and_then(Value::as_str).map(str::to_string));
            map.values().for_each(|inner| patterns(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| patterns(inner, found)),
        _ => {}
    }
}

#[test]
fn patterns_of_the_schema_are_plain_regular_expressions() {
    let mut found = std::collections::BTreeSet::new();
    patterns(&MODELS.schema(), &mut found);
    assert!(found.len() >= 2, "{found:?}");
    for pattern in &found {
        // What ECMAScript and Python both read: no classes of Unicode, no named groups, no flags, known escapes only.
        assert!(!pattern.contains("(?"), "{pattern}");
        let mut rest = pattern.as_str();
        while let Some(at) = rest.find('\\') {
            let escape = &rest[at + 1..];
            let hexadecimal = |c: char| c.is_ascii_hexdigit();
            let known = match escape.chars().next() {
                Some('x') => escape[1..].chars().take(2).filter(|c| hexadecimal(*c)).count() == 2,
                Some(c) => "sSdDwWbB.^$*+?()[]{}|\\/-".contains(c),
                None => false,
            };
            assert!(known, "{pattern}");
            rest = &rest[at + 1 + escape.chars().next().map_or(0, char::len_utf8)..];
        }
    }
    // And by Python itself, where there is one.
    let list = serde_json::to_string(&found).expect("a list");
    let script = "import json, re, sys\n\
                  patterns = [re.compile(p) for p in json.loads(sys.argv[1])]\n\
                  name = next(p for p in patterns if p.search('front left') and not p.search('3,5'))\n\
                  assert all(name.search(n) for n in ['a_b', 'Achse 1', 'ü-1', '前輪'])\n\
                  assert not any(name.search(n) for n in ['a,b', 'a.b', 'a\\\"b', '', 'a\\tb', 'x[1]', 'a`'])\n";
    match std::process::Command::new("python3").args(["-c", script, &list]).output() {
        Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
        Err(_) => eprintln!("no python3 here: patterns were checked by their form alone"),
    }
}

/// A built-in scenario by its number.
fn builtin(k: usize) -> &'static stickslip_scenario::Builtin {
    MODELS.builtins().nth(k).expect("as many")
}
