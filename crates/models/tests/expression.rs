//! Formulas of time: values against Python's, printed trees against an evaluator of their own, faults against places.

use proptest::prelude::*;
use stickslip_core::mechanics::System;
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{ByEvents, Grid, NullObserver, Recording};
use stickslip_core::signal::{Expression, Signal};
use stickslip_models::assembly::{Assembly, AssemblyState, Body, Force, Freedom, Parameters};

/// Formulas at t = 1.25 and their values by Python 3, with `^` written `**`.
#[rustfmt::skip]
const PYTHON: &[(&str, f64)] = &[
    ("-t^2", -1.5625),
    ("-cos(t)^2", -0.09942819222653315),
    ("2*-t^2", -3.125),
    ("exp(-((t-2)/0.1)^2)", 3.7233631217505106e-25),
    ("2^3^2", 512.0),
    ("(2^3)^2", 64.0),
    ("2^-1", 0.5),
    ("2**-t", 0.42044820762685725),
    ("-2**2", -4.0),
    ("(-2)^2", 4.0),
    ("-t^-2", -0.64),
    ("2^-t^2", 0.33856388673422316),
    ("--t", 1.25),
    ("-+-t", 1.25),
    ("+t^2", 1.5625),
    ("t-1-1", -0.75),
    ("t-(1-1)", 1.25),
    ("8/t/2", 3.2),
    ("8/(t/2)", 12.8),
    ("8/t*2", 12.8),
    ("2*t^2*3", 9.375),
    ("1+2*3-4/5", 6.2),
    ("-t*t", -1.5625),
    ("t*-t", -1.5625),
    ("1--t", 2.25),
    ("1- -t", 2.25),
    ("1-+t", -0.25),
    ("2^0.5^2", 1.189207115002721),
    ("-2^0.5", -std::f64::consts::SQRT_2),
    ("t^2^-1", 1.118033988749895),
    ("max(0, min(1, t))", 1.0),
    ("max(0,min(1,t-1))", 0.25),
    ("min(max(t,2),max(0.5,-t))", 0.5),
    ("max(1,2,t)", 2.0),
    ("min(t,3,2,1)", 1.0),
    ("atan2(t,-2)", 2.5829933382462307),
    ("atan2(-1,max(t,2))", -0.4636476090008061),
    ("hypot(t,2)", 2.358495283014151),
    ("mod(t,1)", 0.25),
    ("mod(-t,1)", 0.75),
    ("mod(t,-1)", -0.75),
    ("mod(-7,3)", 2.0),
    ("abs(-t)^2", 1.5625),
    ("-abs(t)^3", -1.953125),
    ("sin(t)^2+cos(t)^2", 1.0),
    ("100*sin(2*pi*t)*exp(-t)", 28.650479686019008),
    ("tau/2-pi", 0.0),
    ("e^t", 3.490342957461841),
    ("exp(1)-e", 0.0),
    ("1e3*t", 1250.0),
    ("1.5e-3", 0.0015),
    ("2E+2-1", 199.0),
    (".5", 0.5),
    ("4.", 4.0),
    ("5.e1", 50.0),
    ("sqrt(t)^4", 1.5625000000000002),
    ("ln(e)", 1.0),
    ("log(t)", 0.22314355131420976),
    ("log10(1000)", 3.0),
    ("log2(8)", 3.0),
    ("floor(-t)", -2.0),
    ("ceil(t)", 2.0),
    ("round(2.5)", 2.0),
    ("round(t)", 1.0),
    ("trunc(-t)", -1.0),
    ("cbrt(27)", 3.0000000000000004),
    ("tan(asin(0.5))", 0.5773502691896258),
    ("sinh(t)-cosh(t)+tanh(t)", 0.5617788430973227),
    ("asinh(t)+acosh(2)+atanh(0.5)", 2.9138570539081297),
    ("acos(0.1)*atan(t)", 1.3177649495990142),
    ("sign(t-1)", 1.0),
    ("sign(-t)", -1.0),
    ("sign(0)", 0.0),
    ("pow(t,3)", 1.953125),
    ("pow(2,-t)", 0.42044820762685725),
    ("((t))", 1.25),
    ("2*(3+t)*4", 34.0),
    ("-(t+1)^2", -5.0625),
    ("-(-t)^2", -1.5625),
    ("1/2*t", 0.625),
    ("t^2^2", 2.44140625),
    ("-t^2^2", -2.44140625),
    ("(((1)))-(-(2))", 3.0),
    ("941.76*abs(abs(5*t-2.5)-abs(5*t-3.5)+abs(6-2.5*t)-abs(5-2.5*t))", 1883.52),
    ("3 * t  ^ 2", 4.6875),
    ("PI+TAU", 9.42477796076938),
    ("1-2^2", -3.0),
    ("2^2-1", 3.0),
    ("fract(2.75)", 0.75),
    ("1+-2^2*-3^2", 37.0),
];

#[test]
fn values_are_those_of_python() {
    for (text, expected) in PYTHON {
        let value = Expression::new(text).unwrap_or_else(|e| panic!("{text}: {e}")).at(1.25);
        // Functions of two libraries may differ in the last bits.
        assert!((value - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{text}: {value}, not {expected}");
    }
}

#[test]
fn what_is_not_a_number_is_not_hidden() {
    for text in
        ["max(0, ln(-t))", "min(ln(-t), 0)", "max(ln(-t), 0)", "0*(1/0)", "(-8)^(1/3)", "sign(ln(-t))", "mod(t, 0)"]
    {
        assert!(Expression::new(text).expect(text).at(1.0).is_nan(), "{text}");
    }
}

/// Formulas, the column to blame, a part of the message and a part of the help.
const FAULTS: &[(&str, usize, &str, &str)] = &[
    ("", 1, "empty", "sin(2*pi*t)"),
    ("  ", 1, "empty", "sin(2*pi*t)"),
    ("2*", 3, "breaks off: a value is missing after `*`", "sin(2*pi*t)"),
    ("2*(", 4, "breaks off", "sin(2*pi*t)"),
    ("2*(t", 3, "this `(` is never closed", "`)`"),
    ("max(0, min(1, t)", 4, "never closed", "`)`"),
    ("t)", 2, "closes nothing", "leave it out"),
    ("sin(t))*2", 7, "closes nothing", "leave it out"),
    ("2*)", 3, "a value is missing before `)`", "number"),
    ("*t", 1, "a value is missing before `*`", "number"),
    ("t*/2", 3, "a value is missing before `/`", "number"),
    ("t ^^ 2", 4, "a value is missing before `^`", "number"),
    ("t ** * 2", 6, "a value is missing before `*`", "number"),
    ("3*()", 3, "nothing between these brackets", "value"),
    ("2t", 2, "an operator is missing before `t`", "2*t"),
    ("2 t", 3, "an operator is missing before `t`", "2*t"),
    ("3(t+1)", 2, "an operator is missing before `(`", "3*(t + 1)"),
    ("(t)(t)", 4, "an operator is missing before `(`", "*"),
    ("t 2", 3, "an operator is missing before `2`", "*"),
    ("1.2.3", 1, "no number", "0.5"),
    ("1+.", 3, "no number", "0.5"),
    ("1e400*t", 1, "too large", "1.8e308"),
    ("1,5*t", 2, "unexpected `,`", "1.5, not 1,5"),
    ("(1,5)*t", 3, "unexpected `,`", "1.5, not 1,5"),
    ("2*x", 3, "unknown name `x`", "the time t"),
    ("2*spin", 3, "unknown name `spin`", "did you mean `sin`"),
    ("T+1", 1, "unknown name `T`", "did you mean `t`"),
    ("2*Sin(t)", 3, "unknown name `Sin`", "did you mean `sin`"),
    ("arctan(t)", 1, "unknown name `arctan`", "`atan`"),
    ("time*2", 1, "unknown name `time`", "`t`"),
    ("if(t<1, 0, 1)", 1, "unknown name `if`", "points"),
    ("where(t)", 1, "unknown name `where`", "points"),
    ("clamp(t, 0, 1)", 1, "unknown name `clamp`", "max(least, min(greatest, t))"),
    ("t < 1", 3, "unexpected `<`", "no conditions"),
    ("(t >= 1)*3", 4, "unexpected `>`", "no conditions"),
    ("t > 1 ? 2 : 3", 3, "unexpected `>`", "points"),
    ("5 % 3", 3, "unexpected `%`", "mod(a, b)"),
    ("2·t", 2, "unexpected `·`", "*"),
    ("1 − t", 3, "unexpected `−`", "-"),
    ("−t", 1, "unexpected `−`", "-"),
    ("t²", 2, "unexpected `²`", "t^2"),
    ("[t]", 1, "unexpected `[`", "round brackets"),
    ("sin t", 1, "the function sin needs its argument in brackets", "sin(t)"),
    ("1+sin", 3, "the function sin needs its argument in brackets", "sin(t)"),
    ("sin()", 5, "the function sin has no argument", "sin(t)"),
    ("max(1,)", 7, "an argument of max is empty", "max(a, b)"),
    ("max(,1)", 5, "an argument of max is empty", "max(a, b)"),
    ("min(t)", 1, "the function min has at least two arguments, found 1", "min(a, b)"),
    ("sin(t, 1)", 1, "the function sin has one argument, found 2", "sin(t)"),
    ("atan2(t)", 1, "the function atan2 has two arguments, found 1", "atan2(y, x)"),
    ("mod(1, 2, 3)", 1, "the function mod has two arguments, found 3", "mod(a, b)"),
    ("t(2)", 1, "`t` is no function", "t*("),
    ("2*pi(t)", 3, "`pi` is no function", "pi*("),
    ("t = 3", 3, "unexpected `=`", "no conditions"),
    ("ü*t", 1, "unknown name `ü`", "the time t"),
    ("t\u{0}", 2, "unexpected `\\0`", "known are"),
];

#[test]
fn faults_have_a_place_and_a_remedy() {
    for (text, column, message, help) in FAULTS {
        let error = Expression::new(text).map(|e| e.at(1.0)).expect_err(text);
        assert_eq!(error.column(), *column, "{text}: {error}");
        assert!(error.to_string().contains(&format!("column {column} of the expression")), "{text}: {error}");
        assert!(error.message().contains(message), "{text}: {error}");
        assert!(error.help().contains(help), "{text}: {error}: {}", error.help());
    }
}

#[test]
fn long_and_deep_formulas_are_answered() {
    let deep = |open: &str, close: &str, n: usize| format!("{}t{}", open.repeat(n), close.repeat(n));
    assert!(Expression::new(&deep("(", ")", 64)).is_ok());
    assert!(Expression::new(&deep("1+2*(", ")", 42)).is_ok());
    assert!(Expression::new(&deep("max(1,", ")", 64)).is_ok());
    for hostile in [
        deep("(", ")", 65),
        deep("1+2*t^(", ")", 60),
        "(".repeat(100_000),
        "(".repeat(4000),
        deep("sin(", ")", 900),
        "t^".repeat(2000) + "t",
        "sin ".repeat(1000) + "t",
    ] {
        let error = Expression::new(&hostile).map(|e| e.at(1.0)).expect_err("too deep or too long");
        assert!(!error.help().is_empty());
    }
    // Signs and sums do not nest.
    assert_eq!(Expression::new(&("-".repeat(3001) + "t")).expect("signs").at(2.0), -2.0);
    assert_eq!(Expression::new(&("t+".repeat(2000) + "t")).expect("a sum").at(1.0), 2001.0);
}

/// A formula as a tree.
#[derive(Debug, Clone)]
enum Tree {
    Number(f64),
    Time,
    Negative(Box<Tree>),
    Between(char, Box<Tree>, Box<Tree>),
    Call(&'static str, Vec<Tree>),
}

impl Tree {
    /// Its value, straight from the definition.
    fn at(&self, t: f64) -> f64 {
        match self {
            Tree::Number(value) => *value,
            Tree::Time => t,
            Tree::Negative(a) => -a.at(t),
            Tree::Between(operator, a, b) => {
                let (x, y) = (a.at(t), b.at(t));
                match operator {
                    '+' => x + y,
                    '-' => x - y,
                    '*' => x * y,
                    '/' => x / y,
                    _ if matches!(**b, Tree::Number(2.0)) => x * x,
                    _ if x.is_nan() || y.is_nan() => f64::NAN,
                    _ => x.powf(y),
                }
            }
            Tree::Call(name, list) => {
                let values: Vec<f64> = list.iter().map(|tree| tree.at(t)).collect();
                match (*name, &values[..]) {
                    ("sin", [x]) => x.sin(),
                    ("exp", [x]) => x.exp(),
                    ("abs", [x]) => x.abs(),
                    ("atan2", [y, x]) => y.atan2(*x),
                    (extreme, list) if list.iter().any(|x| x.is_nan()) => {
                        assert!(extreme == "min" || extreme == "max");
                        f64::NAN
                    }
                    ("min", list) => list.iter().copied().fold(f64::INFINITY, f64::min),
                    (_, list) => list.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                }
            }
        }
    }

    /// With brackets around everything.
    fn full(&self) -> String {
        match self {
            Tree::Negative(a) => format!("(-{})", a.full()),
            Tree::Between(operator, a, b) => format!("({}{operator}{})", a.full(), b.full()),
            leaf => leaf.least(0),
        }
    }

    /// With no bracket that precedence makes needless. `binds` is how tightly the place binds: 0 an argument, 1 after
    /// a sum's sign, 2 in a product, 3 after a product's sign, 4 the base of a power.
    fn least(&self, binds: u32) -> String {
        let (own, text) = match self {
            Tree::Number(value) => (4, format!("{value}")),
            Tree::Time => (4, "t".to_string()),
            Tree::Negative(a) => (3, format!("-{}", a.least(3))),
            Tree::Between('^', a, b) => (3, format!("{}^{}", a.least(4), b.least(3))),
            Tree::Between(operator @ ('*' | '/'), a, b) => (2, format!("{}{operator}{}", a.least(2), b.least(3))),
            Tree::Between(operator, a, b) => (0, format!("{}{operator}{}", a.least(0), b.least(2))),
            Tree::Call(name, list) => {
                let list: Vec<String> = list.iter().map(|tree| tree.least(0)).collect();
                (4, format!("{name}({})", list.join(", ")))
            }
        };
        if own >= binds { text } else { format!("({text})") }
    }
}

fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Time),
        prop::sample::select(vec![0.0, 0.5, 1.0, 2.0, 3.0, 1e-3, 12.25]).prop_map(Tree::Number),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            2 => inner.clone().prop_map(|a| Tree::Negative(Box::new(a))),
            5 => (prop::sample::select(vec!['+', '-', '*', '/', '^']), two.clone())
                .prop_map(|(operator, (a, b))| Tree::Between(operator, Box::new(a), Box::new(b))),
            2 => (prop::sample::select(vec!["sin", "exp", "abs"]), inner.clone())
                .prop_map(|(name, a)| Tree::Call(name, vec![a])),
            1 => two.prop_map(|(a, b)| Tree::Call("atan2", vec![a, b])),
            1 => (prop::sample::select(vec!["min", "max"]), prop::collection::vec(inner, 2..4))
                .prop_map(|(name, list)| Tree::Call(name, list)),
        ]
    })
}

/// Equal to the last bit, or neither is a number; zeros may differ in sign, since min and max do not tell them apart.
fn same(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

/// Whether the sign of a zero can decide: 1/(−0) and atan2(0, −0).
fn holds_zero(tree: &Tree, t: f64) -> bool {
    tree.at(t) == 0.0
        || match tree {
            Tree::Number(_) | Tree::Time => false,
            Tree::Negative(a) => holds_zero(a, t),
            Tree::Between(_, a, b) => holds_zero(a, t) || holds_zero(b, t),
            Tree::Call(_, list) => list.iter().any(|a| holds_zero(a, t)),
        }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printed_trees_have_the_value_of_the_tree(tree in trees(), t in -3.0..3.0_f64) {
        let (full, least) = (tree.full(), tree.least(0));
        let with_all = Expression::new(&full);
        // 64 brackets are the limit; a tree of depth 6 has at most a few dozen.
        let with_all = with_all.map_err(|e| TestCaseError::fail(format!("{full}: {e}")))?.at(t);
        let with_least = Expression::new(&least).map_err(|e| TestCaseError::fail(format!("{least}: {e}")))?.at(t);
        prop_assert!(same(with_all, with_least), "{full} = {with_all}, {least} = {with_least}");
        let expected = tree.at(t);
        if !holds_zero(&tree, t) {
            prop_assert!(same(with_least, expected), "{least} = {with_least}, the tree {expected}");
        }
    }

    #[test]
    fn no_text_is_too_strange(parts in prop::collection::vec(prop_oneof![
        prop::sample::select(vec![
            "t", "pi", "sin", "sin(", "max(", "(", ")", ",", "+", "-", "*", "/", "^", "**", "1", "2.5", ".", "e", "1e", "1e-",
            "1e999", " ", "<", "if", "²", "−", "π", "mod(", "\u{301}", "\n", "\"", "0x1F", "_", "é",
        ]).prop_map(str::to_string),
        any::<char>().prop_map(String::from),
    ], 0..60), t in any::<f64>()) {
        let text = parts.concat();
        match Expression::new(&text) {
            Ok(formula) => { formula.at(t); }
            Err(error) => {
                prop_assert!(text.get(error.span()).is_some(), "{error}");
                prop_assert!(error.column() <= text.chars().count() + 1, "{error}");
                prop_assert!(!error.help().is_empty() && !error.message().is_empty(), "{error}");
                prop_assert!(!error.to_string().contains('\n'), "{error}");
            }
        }
    }
}

/// All breaks up to 10 s.
fn breaks(text: &str) -> Vec<f64> {
    breaks_up_to(text, 10.0, 10.0)
}

/// All breaks up to `most` of a formula that was explored for a run of `end`.
fn breaks_up_to(text: &str, end: f64, most: f64) -> Vec<f64> {
    let mut formula = Expression::new(text).expect(text);
    assert!(formula.explore(end), "{text}");
    let next = |t: &f64| Some(formula.next_break(*t)).filter(|b| *b <= most);
    std::iter::successors(next(&0.0), next).collect()
}

#[test]
fn corners_and_jumps_are_found_to_neighbouring_numbers() {
    let near = |list: &[f64], t: f64| list.iter().any(|b| (b - t).abs() <= 4.0 * f64::EPSILON * t);
    for (text, places) in [
        ("max(0, t - 1.2345)", &[1.2345][..]),
        ("abs(t - 2) + abs(t - 2.0001)", &[2.0, 2.0001]),
        ("floor(t)", &[1.0, 2.0, 5.0, 9.0]),
        ("sign(t - 3.3333)", &[3.3333]),
        ("mod(t, 2.5)", &[2.5, 5.0, 7.5]),
        ("abs(sin(t))", &[std::f64::consts::PI, std::f64::consts::TAU]),
        // A pulse of a microsecond: no look falls into it, but its middle is a corner of a wide function.
        ("max(0, 1 - 1e6*abs(t - 2.0371))", &[2.0371 - 1e-6, 2.0371, 2.0371 + 1e-6]),
        ("atan2(sin(t), cos(t))", &[std::f64::consts::PI]),
    ] {
        let found = breaks(text);
        for place in places {
            let place = if text.contains("1e6") {
                found.iter().copied().find(|b| (b - place).abs() < 1e-12)
            } else {
                Some(*place)
            };
            assert!(place.is_some_and(|p| near(&found, p)), "{text}: {place:?} is not in {found:?}");
        }
    }
    // The number before a jump has the value before it.
    let floor = Expression::new("floor(t)").expect("a formula");
    for b in breaks("floor(t)") {
        assert!(floor.at(b.next_down()) < floor.at(b), "{b}");
    }
}

#[test]
fn smooth_formulas_have_few_breaks_and_pulses_have_their_own() {
    assert!(breaks("3*t^2 - t + 1").is_empty());
    // 10 s are 3 periods; a step of the scheme is about one.
    assert!(breaks("sin(2*t)").len() <= 15, "{:?}", breaks("sin(2*t)"));
    let pulse = breaks("exp(-((t - 2.0371)/0.003)^2)");
    assert!(pulse.iter().filter(|b| (*b - 2.0371).abs() < 0.01).count() >= 2, "{pulse:?}");
    assert!(pulse.len() < 60, "{pulse:?}");
    // Between the corners of this trapezoid the outer sign is that of rounding: no breaks there.
    let trapezoid = breaks("941.76*abs(abs(5*t-2.5)-abs(5*t-3.5)+abs(6-2.5*t)-abs(5-2.5*t))");
    assert_eq!(trapezoid.len(), 4, "{trapezoid:?}");
    // Noise is told from signals.
    assert!(!Expression::new("floor(1e6*t)").expect("a formula").explore(4.0));
}

/// A free mass of 1 kg under a force.
fn block(formula: Expression) -> Assembly {
    Assembly::new(Parameters {
        bodies: vec![Body {
            name: "block".into(),
            mass: 1.0,
            freedom: Freedom::Line,
            position: [0.0; 3],
            velocity: [0.0; 3],
        }],
        forces: vec![Force { body: 0, component: 0, signal: Signal::Expression(Box::new(formula)) }],
        ..Parameters::default()
    })
    .expect("a block")
}

/// Speed of a free mass of 1 kg after 10 s under a force, from event to event, and how many implicit steps were needed.
fn pushed(text: &str) -> (f64, u64) {
    let mut formula = Expression::new(text).expect(text);
    assert!(formula.explore(10.0), "{text}");
    let assembly = block(formula);
    let grid = Grid { h: 0.1, steps: 100 };
    let passage = assembly.by_events(grid, &Settings::default(), &mut NullObserver).expect(text);
    let mut speed = [0.0];
    assembly.velocities(&passage.state, &mut speed);
    (speed[0], passage.handovers)
}

#[test]
fn forces_by_formulas_push_from_event_to_event_as_their_integrals_say() {
    let pi = std::f64::consts::PI;
    for (text, impulse) in [
        ("max(0, 1 - 1000*abs(t - 2.0371))", 1e-3),
        ("exp(-((t - 2.0371)/0.003)^2)", 0.003 * pi.sqrt()),
        ("max(0, t - 1.2345)", 0.5 * 8.7655 * 8.7655),
        ("floor(t)", 45.0),
        ("sign(t - 3.3333)", 3.3334),
        ("abs(sin(t))", 6.0 + 1.0 - (10.0 - 3.0 * pi).cos()),
        ("mod(t, 1)", 5.0),
        ("-t^2", -1000.0 / 3.0),
        ("max(0, min(1, t))", 9.5),
    ] {
        let (speed, handovers) = pushed(text);
        // The scheme's own tolerance is 1e-12 of the speed for each of its steps, of which there are some dozens.
        assert!((speed - impulse).abs() <= 1e-10 * impulse.abs(), "{text}: {speed}, not {impulse}");
        assert_eq!(handovers, 0, "{text}");
    }
}

#[test]
fn a_value_of_t_0_alone_is_not_the_one_from_there_on() {
    for (text, from) in [("1+sign(t)", 2.0), ("ceil(t)", 1.0), ("floor(t)", 0.0)] {
        let mut formula = Expression::new(text).expect("a formula");
        assert!(formula.explore(3.0));
        assert_eq!((formula.at(0.0), formula.at(0.5)), (from, from), "{text}");
        assert!(formula.next_break(0.0) > 0.1, "{text}: {}", formula.next_break(0.0));
    }
}

/// Formulas of every kind that is cut into cells: smooth, pulses, corners, jumps, steep places, the end of a domain, rounding.
const ALL_KINDS: [&str; 18] = [
    "100*sin(2*pi*t)",
    "abs(sin(7*t))",
    "floor(3*t)",
    "max(0, min(1, t - 0.3))",
    "sqrt(abs(t - 1.3))",
    "sqrt(t)",
    "sqrt(3.8 - t)",
    "exp(-((t - 1.9)/0.01)^2)",
    "exp(-((t - 2.1)/0.01)^2)",
    "exp(9*t)*sin(40*t)",
    "1/(4.2 - t)",
    "mod(t, 0.3)*cos(t)",
    "t^3 - t",
    "max(0, t - 1.9999)^3",
    "round(2*sin(5*t))",
    "941.76*abs(abs(5*t-2.5)-abs(5*t-3.5)+abs(6-2.5*t)-abs(5-2.5*t)) + 50*t",
    "abs(t - 2)",
    "sin(300*t)*max(0, sin(t))",
];

/// A longer run sees the same breaks in its beginning, to the last bit, and a shorter one the next of them behind its end: its last
/// step may go there.
#[test]
fn what_a_formula_does_before_t_does_not_hang_on_the_end_of_the_run() {
    for text in ALL_KINDS {
        let all = breaks_up_to(text, 3.7, 3.7);
        for end in [0.7, 1.0, 1.9, 2.0, 2.05, 2.5, 3.0] {
            assert_eq!(breaks_up_to(text, end, end), breaks_up_to(text, 3.7, end), "{text} to {end}");
            let behind = breaks_up_to(text, end, f64::MAX).into_iter().find(|b| *b > end);
            // It is looked for up to twice the end.
            let expected = all.iter().copied().find(|b| *b > end && *b < 2.0 * end);
            assert!(expected.is_none() || behind == expected, "{text} behind {end}: {behind:?}, not {expected:?}");
        }
    }
    assert_eq!(breaks_up_to("floor(t)", 2.0, 2.0), [1.0, 2.0]);
    assert_eq!(breaks_up_to("abs(t - 2)", 2.0, 2.0), [2.0]);
    assert_eq!(breaks_up_to("abs(t - 2)", 1.9, 3.0), [2.0]);
}

/// The motion itself: runs of 2 s and of 3.7 s have the same speeds up to 2 s in all bits.
#[test]
fn motions_do_not_hang_on_the_end_of_the_run() {
    let to = |text: &str, end: f64| {
        let mut formula = Expression::new(text).expect(text);
        assert!(formula.explore(end), "{text}");
        let assembly = block(formula);
        let mut seen = Recording::every(1);
        let steps = (end / 0.1).round() as u64;
        assembly.by_events(Grid { h: 0.1, steps }, &Settings::default(), &mut seen).expect(text);
        let speed = |(_, state): &(f64, AssemblyState)| state.velocities()[0].to_bits();
        seen.samples.iter().take(20).map(speed).collect::<Vec<u64>>()
    };
    for text in ALL_KINDS {
        assert_eq!(to(text, 2.0), to(text, 3.7), "{text}");
    }
}
