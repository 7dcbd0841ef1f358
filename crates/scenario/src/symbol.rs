//! Symbols of units and their prefixes.

use std::f64::consts::{PI, TAU};

use crate::dimension::{Dimension, angular, dimension};
use crate::fault::{Fault, nearest, quote};
use crate::unit::Unit;

struct Symbol {
    name: &'static str,
    prefixed: Prefixed,
    unit: Unit,
}

/// Which SI prefixes a symbol may have.
#[derive(Clone, Copy, PartialEq)]
enum Prefixed {
    Never,
    /// k, M and G: small tonnes would be taken for other units (ct, ft, pt) or for tonnes (mt).
    Large,
    Always,
}

use Prefixed::{Always, Large, Never};

impl Prefixed {
    fn allows(self, shift: i32) -> bool {
        match self {
            Never => false,
            Large => matches!(shift, 3 | 6 | 9),
            Always => true,
        }
    }
}

const fn symbol(
    name: &'static str,
    prefixed: Prefixed,
    (num, den, shift): (f64, f64, i32),
    dimension: Dimension,
) -> Symbol {
    Symbol { name, prefixed, unit: Unit { num, den, shift, dimension } }
}

const SI: (f64, f64, i32) = (1.0, 1.0, 0);

const SYMBOLS: &[Symbol] = &[
    symbol("m", Always, SI, dimension(1, 0, 0)),
    symbol("g", Always, (1.0, 1.0, -3), dimension(0, 1, 0)),
    symbol("t", Large, (1.0, 1.0, 3), dimension(0, 1, 0)),
    symbol("s", Always, SI, dimension(0, 0, 1)),
    symbol("min", Never, (6.0, 1.0, 1), dimension(0, 0, 1)),
    symbol("h", Never, (36.0, 1.0, 2), dimension(0, 0, 1)),
    symbol("Hz", Always, SI, dimension(0, 0, -1)),
    symbol("N", Always, SI, dimension(1, 1, -2)),
    symbol("Nm", Always, SI, dimension(2, 1, -2)),
    symbol("J", Always, SI, dimension(2, 1, -2)),
    symbol("W", Always, SI, dimension(2, 1, -3)),
    symbol("Pa", Always, SI, dimension(-1, 1, -2)),
    symbol("bar", Always, (1.0, 1.0, 5), dimension(-1, 1, -2)),
    symbol("rad", Always, SI, angular(0, 0, 0)),
    symbol("deg", Never, (PI, 18.0, -1), angular(0, 0, 0)),
    symbol("°", Never, (PI, 18.0, -1), angular(0, 0, 0)),
    symbol("rev", Never, (TAU, 1.0, 0), angular(0, 0, 0)),
    symbol("rpm", Never, (PI, 3.0, -1), angular(0, 0, -1)),
    // The foot, the pound and the pound-force of 1959, exact by definition.
    symbol("in", Never, (254.0, 1.0, -4), dimension(1, 0, 0)),
    symbol("ft", Never, (3048.0, 1.0, -4), dimension(1, 0, 0)),
    symbol("yd", Never, (9144.0, 1.0, -4), dimension(1, 0, 0)),
    symbol("mi", Never, (1_609_344.0, 1.0, -3), dimension(1, 0, 0)),
    symbol("mph", Never, (44_704.0, 1.0, -5), dimension(1, 0, -1)),
    symbol("lb", Never, (45_359_237.0, 1.0, -8), dimension(0, 1, 0)),
    symbol("lbf", Never, (44_482_216_152_605.0, 1.0, -13), dimension(1, 1, -2)),
    symbol("psi", Never, (44_482_216_152_605.0, 64_516.0, -5), dimension(-1, 1, -2)),
    symbol("%", Never, (1.0, 1.0, -2), dimension(0, 0, 0)),
    symbol("‰", Never, (1.0, 1.0, -3), dimension(0, 0, 0)),
    symbol("1", Never, SI, dimension(0, 0, 0)),
];

/// `da` before `d`: the longer prefix is tried first.
const PREFIXES: &[(&str, i32)] = &[
    ("da", 1),
    ("Q", 30),
    ("R", 27),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("µ", -6),
    ("μ", -6),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
];

/// What a misspelt unit is compared with.
const COMMON: &[&str] = &[
    "km/h", "m/s", "m/s^2", "kg", "g", "t", "m", "mm", "cm", "km", "s", "ms", "min", "h", "Hz", "kHz", "N", "kN", "MN",
    "N m", "kN m", "J", "kJ", "W", "kW", "MW", "Pa", "kPa", "MPa", "bar", "rad", "deg", "rev", "rpm", "%",
];

/// Words that are no units here, or would be read as other ones, and what to write instead.
const FOREIGN: &[(&[&str], &str)] = &[
    (&["kph", "kmh", "kmph", "KPH", "Kmh"], "write `km/h`"),
    (&["mps"], "write m/s"),
    (&["MPH", "Mph"], "write mph"),
    (&["sec", "secs", "second", "seconds"], "write s"),
    (&["hr", "hrs", "hour", "hours"], "write h"),
    (&["mins", "minute", "minutes"], "write min"),
    (&["inch", "inches"], "write in"),
    (&["foot", "feet"], "write ft"),
    (&["mile", "miles"], "write mi"),
    (&["lbs", "pound", "pounds"], "write lb for a mass, lbf for a force"),
    (&["mt", "tonne", "tonnes", "to"], "write t for tonnes of 1000 kg"),
    (&["ton", "tons"], "tons differ: write t for 1000 kg, or \"2000 lb\", \"2240 lb\""),
    (&["ct"], "a carat is 0.2 g: write g or kg"),
    (&["oz"], "an ounce is \"28.35 g\""),
    (&["kgf", "kp"], "a kilogram-force is \"9.80665 N\""),
    (&["kip", "kips"], "a kip is \"1000 lbf\""),
    (&["ksi"], "a ksi is \"1000 psi\""),
    (&["atm", "at"], "an atmosphere is \"1.01325 bar\", a technical one \"0.980665 bar\""),
    (
        &["hp", "HP", "PS", "Ps", "bhp"],
        "horsepowers differ: write kW (\"0.7457 kW\" the mechanical, \"0.7355 kW\" the metric one)",
    ),
    (&["kn", "knot", "knots"], "a knot is \"1.852 km/h\""),
    (&["Grad", "degree", "degrees"], "write deg"),
    (&["grad", "gon"], "write deg: a gon is \"0.9 deg\""),
    (&["turn", "turns"], "write rev"),
    (&["RPM", "Rpm"], "write rpm"),
];

/// A symbol, or a prefix and a symbol.
pub(crate) fn find(name: &str) -> Result<Unit, Fault> {
    if let Some(symbol) = SYMBOLS.iter().find(|s| s.name == name) {
        return Ok(symbol.unit);
    }
    let unknown = || Fault::new(format!("unknown unit {}", quote(name)));
    if let Some((_, help)) = FOREIGN.iter().find(|(words, _)| words.contains(&name)) {
        return Err(unknown().help(*help));
    }
    for (prefix, shift) in PREFIXES {
        let rest = name.strip_prefix(prefix);
        let symbol = rest.and_then(|rest| SYMBOLS.iter().find(|s| s.prefixed.allows(*shift) && s.name == rest));
        if let Some(symbol) = symbol {
            let mut unit = symbol.unit;
            unit.shift += shift;
            return Ok(unit);
        }
    }
    let help = match nearest(name, COMMON.iter().copied()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            "known are m, kg, g, t, s, min, h, Hz, N, J, W, Pa, bar, rad, deg, rev, rpm, %, SI prefixes, and in, ft, \
                 yd, mi, mph, lb, lbf, psi"
                .to_string()
        }
    };
    Err(unknown().help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What else names that a prefix and a symbol make can mean.
    const ELSEWHERE: &[&str] = &[
        "ft", "in", "yd", "mi", "nmi", "pt", "qt", "gal", "ct", "dt", "mt", "at", "atm", "nt", "cd", "lm", "lx", "min",
        "mph", "kph", "lb", "lbf", "psi", "oz", "st", "gr", "grad", "Grad", "gon", "kn", "kp", "hp", "PS", "Ps", "mil",
        "thou", "fath", "ha", "ar", "au", "pc", "ly", "th", "cal", "kip", "ksi", "dyn", "erg", "Gal", "pdl", "slug",
        "cwt", "dr", "ton", "d", "a",
    ];

    #[test]
    fn no_prefix_turns_a_unit_into_another_one() {
        let mut read = 0;
        for (prefix, shift) in PREFIXES {
            for symbol in SYMBOLS {
                let name = format!("{prefix}{}", symbol.name);
                let own = SYMBOLS.iter().find(|s| s.name == name);
                let Ok(unit) = find(&name) else {
                    continue;
                };
                read += 1;
                match own {
                    Some(own) => assert_eq!(unit, own.unit, "{name}"),
                    None => {
                        assert!(!ELSEWHERE.contains(&name.as_str()), "{name}");
                        assert!(symbol.prefixed.allows(*shift), "{name}");
                        assert_eq!(unit.shift, symbol.unit.shift + shift, "{name}");
                    }
                }
            }
        }
        // 22 prefixes of 11 symbols, three of tonnes, and the names that begin like a prefixed one.
        assert!((240..260).contains(&read), "{read}");
        // No name can be read in two ways.
        for (first, _) in PREFIXES {
            for (second, _) in PREFIXES.iter().filter(|(second, _)| second != first) {
                for (a, b) in SYMBOLS.iter().flat_map(|a| SYMBOLS.iter().map(move |b| (a, b))) {
                    let both = a.prefixed != Never && b.prefixed != Never;
                    let same = format!("{first}{}", a.name) == format!("{second}{}", b.name);
                    assert!(!(both && same), "{first}{}", a.name);
                }
            }
        }
    }

    #[test]
    fn units_of_elsewhere_are_known_or_refused_with_what_to_write() {
        let value = |name: &str| find(name).ok().and_then(|u| u.value(crate::decimal::Decimal::split("1")?.0));
        for (name, si) in [
            ("in", 0.0254),
            ("ft", 0.3048),
            ("yd", 0.9144),
            ("mi", 1609.344),
            ("mph", 0.44704),
            ("lb", 0.453_592_37),
            ("lbf", 4.448_221_615_260_5),
            ("psi", 6_894.757_293_168_361),
            ("min", 60.0),
            ("kt", 1e6),
            ("Mt", 1e9),
        ] {
            let found = value(name).expect(name);
            assert!((found - si).abs() <= 2.0 * f64::EPSILON * si, "{name}: {found}");
        }
        for (words, help) in FOREIGN {
            for word in *words {
                let fault = find(word).expect_err(word);
                assert_eq!(fault.help.as_deref(), Some(*help), "{word}");
            }
        }
        for word in ["mt", "pt", "ct", "µt", "nt", "Grad", "cd", "kips", "mmin", "kft", "mlb"] {
            assert!(find(word).is_err(), "{word}");
        }
    }
}
