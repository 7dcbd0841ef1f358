//! Whatever the text, the reader answers with a scenario or a located error, and never panics.

use proptest::prelude::*;
use stickslip_models::MODELS;
use stickslip_scenario::Override;

/// Reads a text and checks what must hold of any answer.
fn read(text: &str, overrides: &[Override]) {
    match MODELS.parse("any", text, "", overrides) {
        Ok(scenario) => {
            let again = MODELS.parse("any", &scenario.text, "", &[]).expect("the effective text is good");
            assert_eq!(format!("{:?}", again.model), format!("{:?}", scenario.model));
            assert_eq!(again.run, scenario.run);
            assert_eq!(again.hash, scenario.hash);
        }
        Err(error) => {
            let text = error.source_text().expect("a text was given");
            assert!(text.get(error.span()).is_some(), "a span outside of the text: {error}");
            let position = error.position().expect("a place");
            assert!(position.line >= 1 && position.column >= 1);
            assert!(!error.message().is_empty() && !error.message().contains('\n'), "{error}");
            assert!(error.help().is_some(), "no help: {error}");
        }
    }
}

/// Tables in all the ways TOML knows, in an order that edits may stumble over.
const LAYOUTS: [&str; 2] = [
    r#"model = "wheel"
wheel = { mass = 400, inertia = 1.2, radius = 0.3 } # inline
ground.friction = 0.8
[motor.torque] # the table above is implied
trapezoid = [0, 1, 2, 3]
max = -5
[run]
duration = 6
step = 0.001"#,
    r#"run = { duration = 6, step = 0.001 }
model = 'wheel'
wheel.mass = 400
wheel.inertia = 1.2
wheel . "radius" = 0.3
motor.torque.points = [[0, 1], [1, 2]] # dotted all the way
[ground]
friction = 0.8
"#,
];

/// A piece that may stand in a scenario file.
fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z.=\\[\\]{}\",0-9 \n-]{0,8}",
        any::<f64>().prop_map(|v| v.to_string()),
        any::<i128>().prop_map(|v| v.to_string()),
        "\"[-0-9.e]{0,6} ?[kmM]?(m|g|s|N|h|W)[/ *^2()-]{0,3}\"",
        Just("{ points = [[0, 0], [1, 2]] }".to_string()),
        Just("{ expression = \"sin(t)\" }".to_string()),
        any::<char>().prop_map(String::from),
    ]
}

/// An override that may be good.
fn setting() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "title",
        "wheel.mass",
        "wheel",
        "ground.friction",
        "motor.torque",
        "motor.torque.max",
        "motor",
        "brake.torque",
        "brake.torque.points",
        "initial.angle",
        "run.step",
        "output.every",
        "'output'.every",
        "wheel.mass.x",
    ]);
    let value = prop_oneof![
        prop::sample::select(vec![
            "0.5",
            "3 mm",
            "400 kg",
            "\"1 kN m\"",
            "{ points = [[0, 1], [1, 2]] }",
            "{ torque = 3 }",
            "[[0, 1]]",
            "7",
            "# no comment",
            "a = b",
            "{ expression = 't' } # remark",
        ])
        .prop_map(str::to_string),
        token(),
    ];
    (key, value).prop_map(|(key, value)| format!("{key}={value}"))
}

#[test]
fn the_layouts_are_good() {
    for text in LAYOUTS {
        MODELS.parse("layout", text, "", &[]).unwrap_or_else(|e| panic!("{e}"));
    }
}

proptest! {
    // Inputs worth keeping go into the corpus instead.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        read(&text, &[]);
    }

    #[test]
    fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&String::from_utf8_lossy(&bytes), &[]);
    }

    #[test]
    fn a_spoilt_scenario_is_answered(
        which in 0..MODELS.builtins().count(),
        spoils in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..10, token()), 1..4),
    ) {
        let bare: Vec<&str> = builtin(which).text.lines().filter(|l| !l.starts_with('#')).collect();
        let mut text: Vec<char> = bare.join("\n").chars().collect();
        for (place, length, token) in spoils {
            let start = place.index(text.len() + 1);
            let end = (start + length).min(text.len());
            text.splice(start..end, token.chars());
        }
        read(&text.into_iter().collect::<String>(), &[]);
    }

    #[test]
    fn overrides_are_answered(
        which in 0..MODELS.builtins().count() + LAYOUTS.len(),
        settings in prop::collection::vec(setting(), 1..4),
    ) {
        let overrides: Vec<Override> = settings.into_iter().map(Override::from).collect();
        let text = MODELS.builtins().nth(which).map_or_else(|| LAYOUTS[which - MODELS.builtins().count()], |b| b.text);
        read(text, &overrides);
    }

    #[test]
    fn any_override_is_answered(text in any::<String>()) {
        read(builtin(0).text, &[text.into()]);
    }

    /// A power of ten in the unit is the same power of ten in the number.
    #[test]
    fn prefixes_shift_decimals(number in 1_u64..1_000_000_000, prefix in 0_usize..8) {
        let (symbol, exponent) =
            [("Gg", 6), ("Mg", 3), ("t", 3), ("kg", 0), ("g", -3), ("mg", -6), ("µg", -9), ("dag", -2)][prefix];
        let mass = Override::new(format!("wheel.mass={number} {symbol}"));
        let scenario = MODELS.builtin("wheel-sport-drive", &[mass]).expect("a good mass");
        let Some(wheel) = scenario.model.of::<stickslip_models::wheel::Parameters>() else { panic!("no wheel") };
        prop_assert_eq!(wheel.mass, format!("{number}e{exponent}").parse::<f64>().expect("a number"));
    }
}

/// A built-in scenario by its number.
fn builtin(k: usize) -> &'static stickslip_scenario::Builtin {
    MODELS.builtins().nth(k).expect("as many")
}
