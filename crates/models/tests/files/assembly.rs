//! Assemblies in scenario files: what is read, and what is refused where.

use stickslip_core::law::Coefficient;
use stickslip_core::mechanics::Judged;
use stickslip_models::MODELS;
use stickslip_models::assembly::{Buffer, Characteristic, Element, Face, Fixture, Freedom, Motion, Parameters};
use stickslip_scenario::{Scheme, Theta};

const GOOD: &str = r#"model = "assembly"
[[body]]
name = "a"
mass = "2 kg"
[[body]]
name = "b"
mass = 3
inertia = "0.5 kg m^2"
[[support]]
name = "belt"
speed = "0.2 m/s"
[[spring]]
name = "k"
of = "a"
stiffness = "5 N/mm"
[[stop]]
name = "stop"
of = "b"
along = "xy"
clearance = "4 mm"
stiffness = "1 kN/m"
[[pad]]
name = "p"
of = "a"
against = "belt"
load = "3 N"
friction = 0.4
[[pad]]
name = "d"
of = "b"
of_at = [0, "-0.8 m"]
along = "xy"
load = "7 N"
friction = { static = 0.4, kinetic = 0.3, alpha = "50 s/m" }
[[force]]
on = "a"
x = { sine = { amplitude = "1 N", frequency = "2 Hz" } }
[run]
duration = "1 s"
step = "1 ms"
"#;

#[test]
fn everything_is_read() {
    let scenario = MODELS.parse("good", GOOD, "", &[]).unwrap_or_else(|e| panic!("{e}"));
    let Some(p) = scenario.model.of::<Parameters>() else { panic!("an assembly") };
    assert_eq!((p.bodies[0].freedom, p.bodies[1].freedom), (Freedom::Line, Freedom::Plane { inertia: 0.5 }));
    assert!(matches!(p.supports[0].motion, [Motion::Speed(_), Motion::Still]));
    assert_eq!(p.springs[0].characteristic, Characteristic::Linear(5000.0));
    assert_eq!(p.stops.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["stop x", "stop y"]);
    assert_eq!((p.stops[1].along, p.stops[1].clearance, p.stops[1].buffer), ([0.0, 1.0], 4e-3, Buffer::Spring(1e3)));
    assert_eq!(p.pads[0].link.against.on, Fixture::Support(0));
    assert_eq!((p.pads[1].face, p.pads[1].link.of.at), (Face::Disk, [0.0, -0.8]));
    assert_eq!(p.pads[1].coefficient, Coefficient::Sech { sticking: 0.4, slipping: 0.3, alpha: 50.0 });
    assert_eq!(p.forces.len(), 1);
    let middle = MODELS.parse("good", GOOD, "", &["run.scheme=moreau-jean".into()]).expect("another scheme");
    assert_eq!(middle.run.scheme, Scheme::MoreauJean);
    let theta = ["run.scheme=theta".into(), "run.theta=0.7".into(), "run.judged=end".into()];
    let theta = MODELS.parse("good", GOOD, "", &theta).expect("another scheme");
    assert_eq!(theta.run.scheme, Scheme::Theta(Theta { value: 0.7, judged: Judged::End }));
    let usual = MODELS.parse("good", GOOD, "", &["run.scheme=theta".into()]).expect("another scheme");
    assert_eq!(usual.run.scheme, Scheme::Theta(Theta::USUAL));
}

#[test]
fn laws_and_elements_are_read() {
    let with = |from: &str, to: &str| {
        assert!(GOOD.contains(from));
        let scenario = MODELS.parse("x", &GOOD.replacen(from, to, 1), "", &[]).unwrap_or_else(|e| panic!("{to}: {e}"));
        scenario.model.of::<Parameters>().expect("an assembly").clone()
    };
    let friction = |text: &str| with("friction = 0.4", &format!("friction = {text}")).pads[0].coefficient.clone();
    let (sticking, slipping) = (0.5, 0.3);
    assert_eq!(friction("{ static = 0.5, kinetic = 0.3 }"), Coefficient::StaticKinetic { sticking, slipping });
    assert_eq!(
        friction("{ static = 0.5, kinetic = 0.3, speed = \"0.1 m/s\", exponent = 2 }"),
        Coefficient::Stribeck { sticking, slipping, speed: 0.1, exponent: 2.0 }
    );
    assert!(matches!(friction("{ table = [[0, 0.5], [1, 0.3]] }"), Coefficient::Table(_)));
    let element = |text: &str| with("friction = 0.4", &format!("friction = 0.4\nelement = {text}")).pads[0].element;
    assert_eq!(element("{ vampire = { stiffness = \"50 kN/m\" } }"), Element::Vampire { stiffness: 5e4, damping: 0.0 });
    assert_eq!(
        element("{ kolsch = { stiffness = 5e4, parallel = 1, exponent = 2 } }"),
        Element::Kolsch { stiffness: 5e4, parallel: 1.0, exponent: 2.0 }
    );
    assert_eq!(with("load = \"3 N\"", "pressed_by = \"k\"").pads[0].pressed_by, Some(0));
    let wall = with("stiffness = \"1 kN/m\"", "restitution = 0.5");
    assert_eq!(wall.stops[0].buffer, Buffer::Wall(0.5));
    let table = with("stiffness = \"5 N/mm\"", "table = [[-1, -2], [0, 0], [1, 2]]");
    assert!(matches!(table.springs[0].characteristic, Characteristic::Table(_)));
}

/// What to replace, by what, line and column, a phrase of the message, a phrase of the help.
type Case = (&'static str, &'static str, (usize, usize), &'static str, &'static str);

const BAD: &[Case] = &[
    // Singular mass.
    ("mass = \"2 kg\"", "mass = 0", (4, 8), "greater than 0", "kg"),
    ("inertia = \"0.5 kg m^2\"", "inertia = 0", (8, 11), "greater than 0", "kg m^2"),
    ("inertia = \"0.5 kg m^2\"", "moves = \"xy-yaw\"", (6, 8), "has no inertia", "inertia"),
    ("mass = \"2 kg\"", "mass = \"2 kg\"\ny = 1", (5, 5), "cannot move that way", "xy"),
    // Loads and clearances.
    ("load = \"3 N\"\n", "", (23, 8), "has no normal load", "load"),
    ("load = \"3 N\"", "load = \"-3 N\"", (26, 8), "at least 0", "N"),
    ("clearance = \"4 mm\"", "clearance = \"-4 mm\"", (20, 13), "at least 0", "m"),
    ("stiffness = \"1 kN/m\"\n", "", (17, 8), "nothing beyond its clearance", "restitution"),
    (
        "stiffness = \"1 kN/m\"",
        "restitution = 1.5",
        (21, 15),
        "a pure number between 0 and 1 is expected here, found 1.5",
        "plain number",
    ),
    // The θ-method.
    (
        "step = \"1 ms\"",
        "step = \"1 ms\"\nscheme = \"theta\"\ntheta = 0.4",
        (42, 9),
        "between 0.5 and 1",
        "second order",
    ),
    ("step = \"1 ms\"", "step = \"1 ms\"\ntheta = 0.5", (41, 9), "only for the scheme \"theta\"", "scheme = \"theta\""),
    (
        "step = \"1 ms\"",
        "step = \"1 ms\"\njudged = \"end\"",
        (41, 10),
        "only for the scheme \"theta\"",
        "leave `judged`",
    ),
    // Prescribed motion in conflict.
    ("speed = \"0.2 m/s\"", "speed = \"0.2 m/s\"\nposition = \"1 m\"", (12, 12), "prescribed twice", "leave one"),
    ("on = \"a\"", "on = \"belt\"", (36, 6), "in conflict", "[[body]]"),
    ("name = \"belt\"", "name = \"a\"", (10, 8), "a second body or support", "of its own"),
    ("name = \"d\"", "name = \"p\"", (29, 8), "a second pad or stop", "of its own"),
    // Names that become one in the names of columns, or that tables of others take for something else.
    (
        "name = \"b\"\nmass",
        "name = \"a_1\"\nmass = 1\n[[body]]\nname = \"a 1\"\nmass",
        (9, 8),
        "make the same columns",
        "of its own",
    ),
    ("name = \"d\"", "name = \"stop_x\"", (17, 8), "\"stop_x\" and \"stop x\" make the same columns", "of its own"),
    ("name = \"d\"", "name = \"stop x\"", (17, 8), "a second pad or stop is named \"stop x\"", "of its own"),
    ("name = \"a\"", "name = \"NaN\"", (3, 8), "\"NaN\" is no name", "add a word"),
    ("name = \"belt\"", "name = \"-1\"", (10, 8), "\"-1\" is no name", "add a word"),
    ("name = \"p\"", "name = \"null\"", (23, 8), "\"null\" is no name", "add a word"),
    ("name = \"p\"", "name = \"NA\"", (23, 8), "\"NA\" is no name", "add a word"),
    ("name = \"p\"", "name = \" Inf \"", (23, 8), "is no name", "add a word"),
    ("name = \"p\"", "name = \"None\"", (23, 8), "is no name", "add a word"),
    ("name = \"stop\"", "name = \"1e5\"", (17, 8), "is no name", "add a word"),
    ("name = \"p\"", "name = \"-nan\"", (23, 8), "is no name", "add a word"),
    (
        "[[pad]]\nname = \"p\"",
        "[[damper]]\nof = \"a\"\ndamping = 1\n[[pad]]\nname = \"dampers\"",
        (26, 8),
        "`dampers`",
        "another name",
    ),
    (
        "[[force]]\non = \"a\"",
        "[[body]]\nname = \"a 2\"\nmass = 1\n[[spring]]\nof = \"a 2\"\nstiffness = 1\n[[force]]\non = \"a 2\"\nx = 1\n\
         [[force]]\non = \"a\"\nx = 2\n[[force]]\non = \"a\"",
        (48, 6),
        "a second column `Fx_a_2`",
        "add the forces up",
    ),
    // A spring that presses is one spring.
    (
        "[[stop]]\nname",
        "[[spring]]\nname = \"k\"\nof = \"b\"\nstiffness = 1\n[[pad]]\nname = \"q\"\nof = \"a\"\npressed_by = \"k\"\nfriction = 1\n[[stop]]\nname",
        (23, 14),
        "two springs named \"k\"",
        "of its own",
    ),
    // Names and directions.
    ("against = \"belt\"", "against = \"bellt\"", (25, 11), "did you mean `belt`", "belt"),
    ("of = \"a\"\nagainst = \"belt\"", "of = \"a\"\nagainst = \"a\"", (23, 8), "on the same body", "against"),
    ("against = \"belt\"", "along = \"y\"", (23, 8), "cannot move in its direction", "along"),
    ("against = \"belt\"", "along = \"z\"", (25, 9), "unknown along", "`x`"),
    ("x = { sine = { amplitude = \"1 N\", frequency = \"2 Hz\" } }", "yaw = 1", (36, 6), "cannot move", "`x`"),
    // Friction.
    ("friction = 0.4", "friction = -0.4", (27, 12), "at least 0", "0.4"),
    (
        "friction = 0.4",
        "friction = { static = 0.3, kinetic = 0.4 }",
        (27, 38),
        "greater than the static",
        "at most static",
    ),
    ("friction = 0.4", "friction = { table = [[0, 0.4], [0, 0.3]] }", (27, 34), "must rise", "order"),
    ("friction = 0.4", "friction = { static = 0.4 }", (27, 12), "does not say how", "kinetic"),
    ("stiffness = \"5 N/mm\"", "stiffness = \"5 N\"", (15, 13), "is a force, but a stiffness", "kN/m"),
    ("stiffness = \"5 N/mm\"\n", "", (14, 6), "missing key `stiffness`", "table"),
    // A key of a part, not a table of the file.
    ("name = \"p\"\n", "", (22, 1), "missing key `name` in [pad]", "Name"),
    ("on = \"a\"\n", "", (35, 1), "missing key `on` in [force]", "body"),
    // A scheme that is none.
    ("step = \"1 ms\"", "step = \"1 ms\"\nscheme = \"event\"", (41, 10), "event", "events"),
];

#[test]
fn bad_input_is_refused_where_it_is() {
    let mut wrong = Vec::new();
    for (from, to, place, message, help) in BAD {
        assert!(GOOD.contains(from), "{from}");
        let error = match MODELS.parse("bad", &GOOD.replacen(from, to, 1), "", &[]) {
            Err(error) => error,
            Ok(_) => panic!("{to} was taken"),
        };
        let at = error.position().map(|p| (p.line, p.column));
        if at != Some(*place) || !error.message().contains(message) || !error.help().unwrap_or_default().contains(help)
        {
            wrong.push(format!("{to}: {at:?} {} / {:?}", error.message(), error.help()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_events_does_not_know_is_refused_where_it_is() {
    let cases = [
        ("stiffness = \"1 kN/m\"", "restitution = 0.5", (17, 8), "stops that are walls"),
        ("friction = 0.4", "friction = 0.4\nelement = { vampire = { stiffness = 5e4 } }", (23, 8), "friction elements"),
        (
            "speed = \"0.2 m/s\"",
            "speed = { expression = \"0.2*cos(t)\" }",
            (10, 8),
            "supports that move by an expression",
        ),
        ("speed = \"0.2 m/s\"", "position_y = { expression = \"0.2*cos(t)\" }", (10, 8), "supports that move"),
    ];
    MODELS.parse("good", GOOD, "", &["run.scheme=events".into()]).expect("known to events");
    for (from, to, place, message) in cases {
        let text = GOOD.replacen(from, to, 1);
        MODELS.parse("good", &text, "", &[]).expect("known to implicit-euler");
        let error = MODELS.parse("bad", &text, "", &["run.scheme=events".into()]).expect_err(to);
        assert_eq!(error.position().map(|p| (p.line, p.column)), Some(place), "{error}");
        assert!(error.message().contains(message), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("implicit-euler")), "{error}");
    }
}

#[test]
fn bodies_that_nothing_joins_are_told_apart() {
    let apart = GOOD.replacen("of = \"b\"\nof_at = [0, \"-0.8 m\"]\n", "of = \"a\"\nagainst = \"ground\"\n", 1);
    let apart = apart.replacen("of = \"b\"\nalong = \"xy\"\nclearance", "of = \"a\"\nalong = \"x\"\nclearance", 1);
    let apart = apart.replacen("along = \"xy\"\nload = \"7 N\"", "load = \"7 N\"", 1);
    let error = MODELS.parse("apart", &apart, "", &[]).expect_err("two systems");
    assert!(error.message().contains("`a` and `b` are not connected"), "{}", error.message());
    assert_eq!(error.position().map(|p| (p.line, p.column)), Some((6, 8)));
}

#[test]
fn nothing_begins_beyond_a_wall() {
    let text = |x: &str| {
        format!(
            "model = \"assembly\"\n[[body]]\nname = \"b\"\nmass = 1\nx = {x}\n[[stop]]\nname = \"w\"\nof = \"b\"\n\
             clearance = 0.5\nrestitution = 0.5\n[run]\nduration = 1\nstep = 0.01\n"
        )
    };
    MODELS.parse("at the wall", &text("-0.5"), "", &[]).expect("touches it");
    let error = MODELS.parse("beyond", &text("-0.6"), "", &[]).expect_err("is beyond").to_string();
    assert!(error.contains("-0.6 m, beyond its wall at 0.5 m") && error.contains("within the clearance"), "{error}");
    assert!(error.contains(":7:8"), "{error}");
}

/// Shocks by the θ-method know no restitution.
#[test]
fn the_theta_method_refuses_a_restitution() {
    let text = GOOD.replacen("stiffness = \"1 kN/m\"", "restitution = 0.5", 1);
    let error = MODELS.parse("bad", &text, "", &["run.scheme=theta".into()]).expect_err("refused");
    assert_eq!(error.position().map(|p| (p.line, p.column)), Some((17, 8)));
    assert!(
        error.message().contains("has a restitution") && error.help().unwrap_or_default().contains("restitution = 0")
    );
    assert!(
        MODELS
            .parse("good", &text.replacen("= 0.5\n[[pad]]", "= 0\n[[pad]]", 1), "", &["run.scheme=theta".into()])
            .is_ok()
    );
}
