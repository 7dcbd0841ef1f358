//! Bad scenarios: each fault is found, at its line and column, with a message and help that say what is
//! wrong and what to write.

use std::fs;

use stickslip_models::MODELS;
use stickslip_run::Registry;
use stickslip_scenario::{Error, OVERRIDE_SOURCE, Override};

/// A good scenario; every case spoils one thing.
const GOOD: &str = r#"model = "wheel"
title = "Base"
[wheel]
mass = "400 kg"
inertia = 1.2
radius = 0.3
[ground]
friction = 0.8
gravity = 9.81
[motor]
torque = 0
[brake]
torque = { trapezoid = [0.5, 0.7, 2, 2.4], max = "1883.52 N m" }
[initial]
speed = "20 m/s"
[run]
duration = 6
step = 0.001
scheme = "implicit-euler"
[output]
every = 5
"#;

/// What to write for what, then line, column and parts of message and help.
type Case = (&'static str, &'static str, (usize, usize), &'static str, &'static str);

#[rustfmt::skip] // one case, one line
const CASES: &[Case] = &[
    // Ranges.
    ("\"400 kg\"", "-400", (4, 8), "a mass greater than 0 is expected here, found -400", "400 kg"),
    ("\"400 kg\"", "0", (4, 8), "greater than 0", "kg"),
    ("\"400 kg\"", "\"-0.4 t\"", (4, 8), "found \"-0.4 t\"", "plain number in kg"),
    ("inertia = 1.2", "inertia = 0.0", (5, 11), "a moment of inertia greater than 0", "kg m^2"),
    ("inertia = 1.2", "inertia = -1e-3", (5, 11), "found -0.001", "kg m^2"),
    ("radius = 0.3", "radius = -0.3", (6, 10), "a length greater than 0", "300 mm"),
    ("radius = 0.3", "radius = \"0 mm\"", (6, 10), "a length greater than 0", "300 mm"),
    ("friction = 0.8", "friction = -0.8", (8, 12), "a pure number of at least 0", "plain number"),
    ("gravity = 9.81", "gravity = -9.81", (9, 11), "an acceleration of at least 0", "m/s^2"),
    ("duration = 6", "duration = 0", (17, 12), "a time greater than 0", "2 s"),
    ("duration = 6", "duration = -6", (17, 12), "a time greater than 0", "2 s"),
    ("step = 0.001", "step = 0", (18, 8), "a time greater than 0", "5 ms"),
    ("step = 0.001", "step = \"-1 ms\"", (18, 8), "a time greater than 0", "5 ms"),
    ("step = 0.001", "step = 6.5", (18, 8), "longer than the duration", "at most the duration"),
    ("step = 0.001", "step = 1e-12", (18, 8), "6.000e12 steps", "longer step"),
    ("every = 5", "every = 0", (21, 9), "a whole number of at least 1", "every n-th step"),
    ("every = 5", "every = -3", (21, 9), "found -3", "every n-th step"),
    ("every = 5", "every = 2.5", (21, 9), "found 2.5", "every n-th step"),
    // Numbers that are none.
    ("\"400 kg\"", "nan", (4, 8), "a mass must be finite, found NaN", "400 kg"),
    ("\"400 kg\"", "inf", (4, 8), "must be finite", "400 kg"),
    ("friction = 0.8", "friction = -inf", (8, 12), "must be finite, found -inf", "plain number"),
    ("\"400 kg\"", "1e400", (4, 8), "too large", "1.8e308"),
    ("\"400 kg\"", "99999999999999999999", (4, 8), "whole number is too large", "1e20"),
    ("torque = 0\n", "torque = 18446744073709551615\n", (11, 10), "whole number is too large", "exponent"),
    ("\"400 kg\"", "\"1e400 kg\"", (4, 8), "\"1e400 kg\" is too large", "1.8e308"),
    ("\"400 kg\"", "\"1e308 t\"", (4, 8), "too large", "1.8e308"),
    ("\"400 kg\"", "\"nan kg\"", (4, 8), "does not begin with a number", "400 kg"),
    ("\"400 kg\"", "\"\"", (4, 8), "does not begin with a number", "400 kg"),
    // Units.
    ("\"20 m/s\"", "\"30 kg\"", (15, 9), "\"30 kg\" is a mass, but a speed is expected here", "write for example \"30 m/s\" or \"108 km/h\", or a plain number in m/s"),
    ("\"20 m/s\"", "\"20\"", (15, 9), "\"20\" has no unit", "plain number in m/s"),
    ("\"20 m/s\"", "\"20 m/s^2\"", (15, 9), "is an acceleration, but a speed", "km/h"),
    ("\"20 m/s\"", "\"20 kmh\"", (15, 9), "unknown unit \"kmh\"", "`km/h`"),
    ("\"20 m/s\"", "\"20 kph\"", (15, 9), "unknown unit \"kph\"", "`km/h`"),
    ("\"400 kg\"", "\"400 ft\"", (4, 8), "is a length, but a mass", "kg"),
    ("\"400 kg\"", "\"4 mt\"", (4, 8), "unknown unit \"mt\"", "write t for tonnes"),
    ("\"400 kg\"", "\"4 pt\"", (4, 8), "unknown unit \"pt\"", ""),
    ("\"400 kg\"", "\"400 Kg\"", (4, 8), "unknown unit \"Kg\"", "did you mean `kg`?"),
    ("\"400 kg\"", "\"400 stone\"", (4, 8), "unknown unit \"stone\"", "known are m, kg"),
    ("\"400 kg\"", "\"1,5 kg\"", (4, 8), "unexpected `,`", "with a point"),
    ("\"400 kg\"", "\"400 kg^x\"", (4, 8), "a power in the unit", "m^2"),
    ("\"400 kg\"", "\"400 kg/\"", (4, 8), "breaks off", "N m"),
    ("\"400 kg\"", "\"4 N/(m/s^2\"", (4, 8), "a `)` is missing", "close the bracket"),
    ("\"400 kg\"", "\"4 N/m s^2\"", (4, 8), "ambiguous", "use brackets"),
    ("\"400 kg\"", "\"4 N/mm2\"", (4, 8), "lacks its `^`", "write mm^2"),
    ("friction = 0.8", "friction = \"5 deg\"", (8, 12), "\"5 deg\" is an angle, but a pure number", "80 %"),
    ("duration = 6", "duration = \"6 m\"", (17, 12), "is a length, but a time", "2 s"),
    // Keys, tables, types.
    ("mass =", "mas =", (4, 1), "unknown key `mas` in [wheel]; did you mean `mass`?", "`mass`"),
    ("mass =", "tyre = { file = \"a.tir\" }\nmass =", (4, 1), "unknown key `tyre` in [wheel]", "a vehicle with one wheel: write model = \"vehicle\""),
    ("[brake]", "[brake]\ndisc = {}", (13, 1), "unknown key `disc` in [brake]", "`disc` in its [[wheel]]"),
    ("[run]", "[[controller]]\nname = \"a\"\n[run]", (16, 3), "unknown key `controller` at the top", "write model = \"vehicle\""),
    ("title =", "subject =", (2, 1), "unknown key `subject` at the top of the file", "`title`, `description`, `wheel`"),
    ("[run]", "[expectd]\nstopping_time = 3\n[run]", (16, 2), "unknown key `expectd` at the top of the file; did you mean `expected`?", "`expected`"),
    ("torque = 0\n", "torque = 0\ndrive = 5\n", (12, 9), "`torque` and `drive` are the same torque, given twice", "counts forwards"),
    ("friction = 0.8", "friction = 0,8", (8, 12), "0,8 has a comma where numbers have a point", "write 0.8"),
    ("torque = 0\n", "torque = { csv = \"god.csv\", column = \"torque\" }\n", (11, 18), "cannot read \"god.csv\"", "did you mean \"good.csv\"?"),
    ("[run]", "[[run]]", (16, 1), "a table is expected here, found a list", "How long"),
    ("title = \"Base\"\n", "initial = [20]\n", (14, 2), "duplicate key", "once"),
    ("every = 5\n", "every = 5\n[[initial]]\n", (22, 3), "duplicate key", "once"),
    ("[initial]\nspeed = \"20 m/s\"\n", "[[initial]]\nspeed = 20\n", (14, 1), "a table is expected here, found a list", "State at t = 0"),
    ("torque = 0\n", "torque = { sine = [1, 2] }\n", (11, 19), "a table is expected here, found a list", "Torque M(t)"),
    ("[brake]", "[break]", (12, 2), "unknown key `break` at the top", "`brake`"),
    ("max =", "maxi =", (13, 44), "unknown key `maxi` in [brake.torque]", "`max`"),
    ("radius = 0.3\n", "", (3, 1), "missing key `radius` in [wheel]", "Radius R of the wheel [m], > 0"),
    ("step = 0.001\n", "", (16, 1), "missing key `step` in [run]", "Time step h [s]"),
    ("[ground]\nfriction = 0.8\ngravity = 9.81\n", "", (1, 1), "missing table [ground]", "ground under the wheel"),
    ("model = \"wheel\"\n", "", (1, 1), "missing key `model`", "model = \"wheel\""),
    ("model = \"wheel\"", "model = \"whel\"", (1, 9), "unknown model \"whel\"; did you mean `wheel`?", "`wheel`"),
    ("model = \"wheel\"", "model = \"rocket\"", (1, 9), "unknown model \"rocket\"", "the known models are `wheel`"),
    ("model = \"wheel\"", "model = 1", (1, 9), "the name of a model in quotes", "`wheel`"),
    ("\"implicit-euler\"", "\"implicit-euller\"", (19, 10), "did you mean `implicit-euler`?", "`implicit-euler`"),
    ("\"implicit-euler\"", "\"rk4\"", (19, 10), "unknown scheme \"rk4\"", "`implicit-euler`"),
    ("\"implicit-euler\"", "4", (19, 10), "a string in quotes", "implicit-euler"),
    ("\"Base\"", "7", (2, 9), "a string in quotes is expected here, found 7", "title"),
    ("\"400 kg\"", "true", (4, 8), "a mass is expected here, found true", "kg"),
    ("\"400 kg\"", "[400]", (4, 8), "a mass is expected here, found a list", "kg"),
    ("\"400 kg\"", "{ kg = 400 }", (4, 8), "a mass is expected here, found a table", "kg"),
    ("\"400 kg\"", "2026-01-01", (4, 8), "found a date", "kg"),
    ("torque = 0\n", "torque = 2026-01-01\n", (11, 10), "a date", "Torque M(t)"),
    ("title = \"Base\"\n[wheel]", "title = \"Base\"\nrun = 3\n[wheel]", (17, 2), "duplicate key", "once"),
    // Syntax.
    ("mass = \"400 kg\"", "mass = \"400 kg", (4, 15), "basic string", "TOML"),
    ("mass = \"400 kg\"", "mass = 400 kg", (4, 8), "must be quoted", "TOML"),
    ("[wheel]", "[wheel", (3, 7), "table", "TOML"),
    ("mass = \"400 kg\"", "mass", (4, 5), "key with no value", "TOML"),
    ("radius = 0.3", "radius = 0.3\nradius = 0.4", (7, 1), "duplicate key", "once"),
    ("[ground]", "[wheel]", (7, 2), "duplicate key", "once; of tables of which there may be several, write [[wheel]]"),
    // Signals.
    ("torque = 0\n", "torque = { points = [[0, 0], [2, 1], [1, 5]] }\n", (11, 39), "t = 1 s comes after t = 2 s", "order points by time"),
    ("torque = 0\n", "torque = { points = [[1, 0], [1, 1], [1, 5]] }\n", (11, 39), "more than two points at t = 1 s", "jump"),
    ("torque = 0\n", "torque = { points = [] }\n", (11, 21), "at least one point", "points"),
    ("torque = 0\n", "torque = { points = [[0, 0], [1]] }\n", (11, 30), "a time and a value", "[[0, 0]"),
    ("torque = 0\n", "torque = { points = [[0, 0, 0]] }\n", (11, 22), "a time and a value", "[[0, 0]"),
    ("torque = 0\n", "torque = { points = [[0, 0], [1, nan]] }\n", (11, 34), "must be finite", "N m"),
    ("torque = 0\n", "torque = { points = [[0, 0], [1, \"3 N\"]] }\n", (11, 34), "is a force, but a torque", "N m"),
    ("torque = 0\n", "torque = { points = [[0, 0], [\"1 m\", 3]] }\n", (11, 31), "is a length, but a time", "2 s"),
    ("torque = 0\n", "torque = { points = 3 }\n", (11, 21), "a list", "Torque M(t)"),
    ("torque = 0\n", "torque = { points = [[0, 0]], sine = { amplitude = 1, period = 1 } }\n", (11, 38), "both `points` and `sine`", "exactly one of"),
    ("torque = 0\n", "torque = {}\n", (11, 10), "does not say how", "exactly one of"),
    ("torque = 0\n", "torque = { points = [[0, 0]], max = 3 }\n", (11, 37), "`max` goes with `trapezoid`", "leave `max` out"),
    ("torque = 0\n", "torque = \"3*sin(t)\"\n", (11, 10), "is not a torque", "{ expression = \"3*sin(t)\" }"),
    ("torque = 0\n", "torque = { expression = \"2*(\" }\n", (11, 29), "column 4 of the expression: it breaks off", "sin(2*pi*t)"),
    ("torque = 0\n", "torque = { expression = '2*max(0, min(1, t)' }\n", (11, 31), "column 6 of the expression: this `(` is never closed", "missing `)`"),
    ("torque = 0\n", "torque = { expression = \"if(t < 1, 0, 1)\" }\n", (11, 26), "column 1 of the expression: unknown name `if`", "points"),
    ("torque = 0\n", "torque = { expression = \"mod(t)\" }\n", (11, 26), "column 1 of the expression: the function mod has two arguments", "mod(a, b)"),
    ("torque = 0\n", "torque = { expression = \"t\\t*\" }\n", (11, 25), "column 4 of the expression: it breaks off", "sin(2*pi*t)"),
    ("torque = 0\n", "torque = { expression = \"2*x\" }\n", (11, 28), "column 3 of the expression: unknown name `x`", "time t"),
    ("torque = 0\n", "torque = { expression = \"ln(t)\" }\n", (11, 25), "is -inf at t = 0 s", "at all times"),
    ("torque = 0\n", "torque = { sine = { amplitude = 1 } }\n", (11, 19), "needs a `frequency` or a `period`", "2 Hz"),
    ("torque = 0\n", "torque = { sine = { amplitude = 1, period = 1, frequency = 1 } }\n", (11, 45), "both `frequency` and `period`", "leave one"),
    ("torque = 0\n", "torque = { sine = { amplitude = 1, frequency = \"10 rpm\" } }\n", (11, 48), "is an angular speed, but a frequency", "2 Hz"),
    ("torque = 0\n", "torque = { sine = { amplitude = 1, frequency = 0 } }\n", (11, 48), "a frequency greater than 0", "2 Hz"),
    ("torque = 0\n", "torque = { sine = { amplitude = 1e308, offset = 1e308, frequency = 1 } }\n", (11, 19), "overflows", "1.8e308"),
    ("torque = 0\n", "torque = { sine = { frequency = 1 } }\n", (11, 19), "missing key `amplitude`", "Torque M(t)"),
    ("[0.5, 0.7, 2, 2.4]", "[0.5, 0.7, 2]", (13, 24), "four rising times, found 3", "t0, t1, t2, t3"),
    ("[0.5, 0.7, 2, 2.4]", "[0.5, 2, 0.7, 2.4]", (13, 33), "four rising times: t = 0.7 s comes after t = 2 s", "order"),
    (", max = \"1883.52 N m\"", "", (13, 10), "missing key `max` beside `trapezoid`", "max = …"),
    ("max = \"1883.52 N m\"", "max = -5", (13, 50), "the brake torque is -5 N m at t = 0.7 s", "at least 0"),
    ("friction = 0.8", "friction = { points = [[0, 0.8], [\"2 s\", -0.1]] }", (8, 42), "the friction coefficient is -0.1 at t = 2 s", "at least 0"),
    ("friction = 0.8", "friction = { expression = \"1 - t\" }", (8, 27), "the friction coefficient is -0.00", "at least 0"),
    ("friction = 0.8", "friction = { sine = { amplitude = 0.5, offset = 0.2, period = 4 } }", (8, 21), "the friction coefficient is -0.3 at t = 3 s", "at least 0"),
    // Friction over slip.
    ("friction = 0.8", "friction = 0.8\nover_slip = { static = 0.5, kinetic = 1 }", (9, 39), "the kinetic coefficient is greater", "at most static"),
    ("friction = 0.8", "friction = 0.8\nover_slip = -1", (9, 13), "at least 0 is expected here, found -1", "0.4"),
    ("friction = 0.8", "friction = 0.8\nover_slip = { static = 1 }", (9, 13), "does not say how", "kinetic"),
    ("friction = 0.8", "friction = 0.8\nover_slip = { static = 1, kinetic = 0.5, speed = 0 }", (9, 50), "a speed greater than 0", "m/s"),
    ("friction = 0.8", "friction = 0.8\nover_slip = { table = [[0, 1], [0, 0.5]] }", (9, 33), "must rise", "order"),
    ("[brake]\n", "[brake]\nover_slip = { static = 1, kinetic = 0.5, alpha = 1, speed = 1 }\n", (13, 61), "different laws", "leave one"),
    // CSV files, in the folder of the test.
    ("torque = 0\n", "torque = { csv = \"no.csv\", column = \"F\" }\n", (11, 18), "cannot read \"no.csv\"", "relative to the folder"),
    ("torque = 0\n", "torque = { csv = \".\", column = \"F\" }\n", (11, 18), "it is not a file", "relative to the folder"),
    ("torque = 0\n", "torque = { csv = \"good.csv\" }\n", (11, 10), "missing key `column`", "column = \"F\""),
    ("torque = 0\n", "torque = { csv = \"good.csv\", column = \"torqe\" }\n", (11, 39), "no column \"torqe\"", "did you mean `torque`?"),
    ("torque = 0\n", "torque = { csv = \"good.csv\", time = \"seconds\", column = \"torque\" }\n", (11, 37), "no column \"seconds\"", "`t` and `torque`"),
    ("torque = 0\n", "torque = { csv = \"good.csv\", column = \"torque\", unit = \"kN\" }\n", (11, 56), "unit of a force, but a torque", "leave `unit` out"),
    ("torque = 0\n", "torque = { csv = \"german.csv\", column = \"torque\" }\n", (11, 18), "row 2, column \"torque\": \"1,5,1\" is not a finite number", "number"),
    ("torque = 0\n", "torque = { csv = \"tabs.csv\", column = \"Kraft\" }\n", (11, 39), "no column \"Kraft\"", "`t` and `torque`"),
    // Scale, offset, shift.
    ("torque = 0\n", "torque = { csv = \"good.csv\", column = \"torque\", unit = \"bar\", scale = \"15 N/bar\" }\n", (11, 71), "unit times scale is a force, but a torque", "15 N m/bar"),
    ("torque = 0\n", "torque = { csv = \"good.csv\", column = \"torque\", scale = \"15 kg\" }\n", (11, 57), "values without `unit` times the scale are a mass", "N m"),
    ("torque = 0\n", "torque = { points = [[0, 1]], scale = \"15 kg\" }\n", (11, 39), "the scale has the unit of a mass", "pure number"),
    ("torque = 0\n", "torque = { points = [[0, 1]], scale = \"many\" }\n", (11, 39), "\"many\" is not a factor", "15 N m/bar"),
    ("torque = 0\n", "torque = { points = [[0, 1]], shift = \"1 m\" }\n", (11, 39), "a time", "s"),
    ("torque = 0\n", "torque = { expression = \"t\", shift = 1 }\n", (11, 38), "do not go with `expression`", "formula"),
    ("max = \"1883.52 N m\"", "max = 1, scale = -1", (13, 61), "is -1 N m at t = 0.7 s", "at all times"),
    ("torque = 0\n", "torque = { csv = \"word.csv\", column = \"torque\" }\n", (11, 18), "\"word.csv\", row 3, column \"torque\": \"much\" is not a finite number", "number"),
    ("torque = 0\n", "torque = { csv = \"nan.csv\", column = \"torque\" }\n", (11, 18), "row 2, column \"torque\": \"NaN\"", "number"),
    ("torque = 0\n", "torque = { csv = \"ragged.csv\", column = \"torque\" }\n", (11, 18), "cannot read \"ragged.csv\"", "commas"),
    ("torque = 0\n", "torque = { csv = \"unsorted.csv\", column = \"torque\" }\n", (11, 18), "row 4: t = 0.5 s comes after t = 1 s", "order"),
    ("torque = 0\n", "torque = { csv = \"twins.csv\", column = \"torque\" }\n", (11, 40), "two columns \"torque\"", "name of its own"),
    ("torque = 0\n", "torque = { csv = \"empty.csv\", column = \"torque\" }\n", (11, 18), "\"empty.csv\" is empty", "relative to the folder"),
    ("torque = { trapezoid = [0.5, 0.7, 2, 2.4], max = \"1883.52 N m\" }", "torque = { csv = \"negative.csv\", column = \"torque\" }", (13, 18), "row 3: the brake torque is -1 N m at t = 1 s", "at least 0"),
];

fn csv_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("good.csv", "t,torque\n0,1\n1,2\n"),
        ("german.csv", "t;torque\n0;1,5,1\n1;2\n"),
        ("tabs.csv", "t\ttorque\n0\t1\n"),
        ("word.csv", "t,torque\n0,1\n1,much\n"),
        ("nan.csv", "t,torque\n0,NaN\n"),
        ("ragged.csv", "t,torque\n0,1\n1\n"),
        ("unsorted.csv", "t,torque\n0,1\n1,2\n0.5,3\n"),
        ("negative.csv", "t,torque\n0,1\n1,-1\n"),
        ("twins.csv", "t,torque,torque\n0,1,2\n"),
        ("empty.csv", ""),
    ] {
        fs::write(folder.path().join(name), text).expect("a written file");
    }
    folder
}

/// What is not as it should be, if anything.
fn difference(error: &Error, place: (usize, usize), message: &str, help: &str) -> Option<String> {
    let found = error.position().map(|p| (p.line, p.column));
    let good = found == Some(place)
        && error.message().contains(message)
        && !error.message().contains('\n')
        && error.help().is_some_and(|h| h.contains(help));
    (!good).then(|| format!("expected {place:?}, {message:?}, {help:?}; found\n{error}\n"))
}

fn check(error: &Error, place: (usize, usize), message: &str, help: &str) {
    assert_eq!(difference(error, place, message, help), None);
}

#[test]
fn the_base_of_all_cases_is_good() {
    MODELS.parse("good.toml", GOOD, "", &[]).expect("a good scenario");
}

#[test]
fn every_fault_is_located_and_explained() {
    let folder = csv_folder();
    let mut differences = Vec::new();
    for (from, to, place, message, help) in CASES {
        assert_eq!(GOOD.matches(from).count(), 1, "{from} is not there once");
        let text = GOOD.replace(from, to);
        match MODELS.parse("bad.toml", &text, folder.path(), &[]) {
            Ok(_) => panic!("accepted: {to}"),
            Err(error) => {
                differences.extend(difference(&error, *place, message, help));
                assert_eq!(error.source_name(), "bad.toml");
                assert_eq!(error.source_text(), Some(&text[..]));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn errors_print_their_place_first() {
    let text = GOOD.replace("mass =", "mas =");
    let error = MODELS.parse("bad.toml", &text, "", &[]).expect_err("an unknown key");
    let printed = "bad.toml:4:1: unknown key `mas` in [wheel]; did you mean `mass`?\n  help: write `mass`";
    assert_eq!(error.to_string(), printed);
}

#[test]
fn the_span_covers_the_value_to_blame() {
    let text = GOOD.replace("\"20 m/s\"", "\"30 kg\"");
    let error = MODELS.parse("bad.toml", &text, "", &[]).expect_err("a wrong unit");
    assert_eq!(&text[error.span()], "\"30 kg\"");
    let text = GOOD.replace("mass =", "mas =");
    let error = MODELS.parse("bad.toml", &text, "", &[]).expect_err("an unknown key");
    assert_eq!(&text[error.span()], "mas");
}

#[test]
fn columns_count_characters() {
    let text = GOOD.replace("title = \"Base\"", "brake.torque = { \"Ü\" = \"ÄÖÜ\" }").replace("[brake]", "[brakes]");
    let error = MODELS.parse("bad.toml", &text, "", &[]).expect_err("unknown keys");
    check(&error, (2, 18), "unknown key `Ü` in [brake.torque]", "`points`");
}

#[test]
fn bad_overrides_are_located_in_the_override() {
    let cases: &[(&str, usize, &str, &str)] = &[
        ("wheel.mass=-1", 12, "a mass greater than 0 is expected here, found -1", "400 kg"),
        ("wheel.mass = 30 m/s", 14, "is a speed, but a mass", "400 kg"),
        ("wheel.front left.radius=1", 1, "is not a dotted key", "--set 'wheel.\"front left\".radius=0.3'"),
        (
            "road.patch.2.friction=1",
            6,
            "the scenario has no `road.patch`",
            "write a table [[road.patch]] in the file first",
        ),
        ("wheel.mas=1", 7, "unknown key `mas` in [wheel]; did you mean `mass`?", "`mass`"),
        ("grund.friction=1", 1, "unknown key `grund` at the top", "`ground`"),
        ("run.scheme=implicit", 12, "unknown scheme \"implicit\"", "implicit-euler"),
        ("run.step=7", 10, "longer than the duration", "at most the duration"),
        ("brake.torque={ points = [[0, 1], [1, -1]] }", 38, "-1 N m at t = 1 s", "at least 0"),
        ("brake.torque.points=[[0, 1]]", 21, "both `trapezoid` and `points`", "exactly one"),
        ("brake.torque={ points = [[0, 1] }", 33, "array", "TOML"),
        ("model=whel", 7, "did you mean `wheel`?", "`wheel`"),
        ("wheel=3", 7, "a table is expected here, found 3", "wheel"),
        ("wheel.mass.kg=1", 7, "`wheel.mass` is not a table", "set `wheel.mass` itself"),
        ("wheel.mass", 1, "`wheel.mass` has no `=`", "key=value"),
        ("=1", 1, "no key before the `=`", "key=value"),
        ("wheel..mass=1", 1, "is not a dotted key", "key=value"),
        ("wheel mass=1", 1, "is not a dotted key", "key=value"),
        ("[wheel]=1", 1, "is not a dotted key", "key=value"),
        ("a.b.c.d.e.f.g.h.i.j=1", 1, "is not a dotted key", "key=value"),
        ("wheel.mass=", 1, "no value after the `=`", "key=value"),
        ("wheel.mass=nan", 12, "must be finite", "400 kg"),
    ];
    for (text, column, message, help) in cases {
        let good = Override::new("title=Another");
        let error = MODELS.parse("good.toml", GOOD, "", &[good, Override::new(*text)]).expect_err(text);
        check(&error, (1, *column), message, help);
        assert_eq!(error.source_name(), OVERRIDE_SOURCE);
        assert_eq!(error.source_text(), Some(*text));
        assert!(error.to_string().starts_with(&format!("--set {text}: ")), "{error}");
    }
}

#[test]
fn faults_of_the_file_keep_their_place_under_overrides() {
    let text = GOOD.replace("radius = 0.3", "radius = -0.3");
    let longer = Override::new("wheel.mass=\"123456789 kg\"");
    let error = MODELS.parse("bad.toml", &text, "", &[longer]).expect_err("a negative radius");
    check(&error, (6, 10), "a length greater than 0", "300 mm");
    // And an override can mend the file.
    let mended = Override::new("wheel.radius=0.3");
    MODELS.parse("bad.toml", &text, "", &[mended]).expect("a mended scenario");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = |name: &str| MODELS.from_file(folder.path().join(name), &[]).expect_err(name);
    let error = open("wheel-sport-brakin.toml");
    assert!(error.message().starts_with("cannot read the file"), "{error}");
    assert_eq!(error.help(), Some("did you mean the built-in `wheel-sport-braking`?"));
    assert_eq!((error.position(), error.source_text()), (None, None));
    assert!(open("").message().contains("not a file"));

    fs::write(folder.path().join("latin.toml"), b"model = \"wheel\"\ntitle = \"\xfcber\"\n").expect("written");
    check(&open("latin.toml"), (2, 10), "not UTF-8", "save it as UTF-8");
    fs::write(folder.path().join("empty.toml"), "").expect("written");
    check(&open("empty.toml"), (1, 1), "missing key `model`", "model = \"wheel\"");
    fs::write(folder.path().join("long.toml"), "#".repeat(5 << 20)).expect("written");
    assert!(open("long.toml").message().contains("longer than 4 MiB"));
}

#[test]
fn files_that_never_end_are_not_waited_for() {
    // Of no size for the system, but a reader of it waits for ever.
    if std::path::Path::new("/proc/kmsg").exists() {
        let text = GOOD.replace("torque = 0\n", "torque = { csv = \"/proc/kmsg\", column = \"F\" }\n");
        let error = MODELS.parse("bad.toml", &text, "", &[]).expect_err("no table");
        check(&error, (11, 18), "is empty", "relative to the folder");
        assert!(MODELS.from_file("/proc/kmsg", &[]).expect_err("no scenario").message().contains("`model`"));
    }
    if std::path::Path::new("/dev/zero").exists() {
        let text = GOOD.replace("torque = 0\n", "torque = { csv = \"/dev/zero\", column = \"F\" }\n");
        let error = MODELS.parse("bad.toml", &text, "", &[]).expect_err("a device");
        check(&error, (11, 18), "not a file", "relative to the folder");
        assert!(MODELS.from_file("/dev/zero", &[]).expect_err("a device").message().contains("not a file"));
    }
}

#[test]
fn unknown_models_list_the_known_ones() {
    for name in ["weel", "pendulum"] {
        let error = MODELS.parse("bad.toml", &GOOD.replace("\"wheel\"", &format!("\"{name}\"")), "", &[]);
        let error = error.expect_err("an unknown model");
        for model in
            ["wheel", "vehicle", "motorcycle", "half-car", "assembly", "towed-wheel", "rolling-contact", "rail-wheel"]
        {
            assert!(error.help().is_some_and(|help| help.contains(&format!("`{model}`"))), "{error}");
        }
    }
}

#[test]
fn unknown_names_suggest_built_in_ones() {
    for open in [Registry::builtin, Registry::from_name_or_path] {
        let error = open(&MODELS, "wheel-sport-breaking", &[]).expect_err("a misspelt name");
        assert_eq!(error.help(), Some("did you mean the built-in `wheel-sport-braking`?"));
        let error = open(&MODELS, "pendulum", &[]).expect_err("an unknown name");
        assert!(error.help().is_some_and(|h| h.contains("`wheel-smooth-ride`")), "{error}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = 100_000;
    for text in [
        format!("a = {}", "[".repeat(deep)),
        format!("a = {}", "{ a = ".repeat(deep)),
        format!("{}a = 1", "a.".repeat(deep)),
        format!("[{}a]", "a.".repeat(deep)),
        format!("model = \"wheel\"\n[motor]\ntorque = {{ expression = \"{}\" }}", "(".repeat(deep)),
    ] {
        MODELS.parse("deep.toml", &text, "", &[]).expect_err("too deep");
        let value = text.split_once('=').map_or(&text[..], |(_, value)| value);
        MODELS.parse("good.toml", GOOD, "", &[Override::new(format!("title={value}"))]).expect_err("too deep");
    }
}
