//! What to write instead of what formulas do not know.

use super::function::{Function, function, names};

/// Help where anything may be meant.
pub(super) const EXAMPLE: &str = "write a formula of the time t in seconds, such as 100*sin(2*pi*t)*exp(-t)";

/// The same for formulas of named values.
pub(super) const NAMED_EXAMPLE: &str = "write a formula of outputs, such as max.x1 - end.x1";

const CONDITION: &str = "a formula has no conditions: use max, min, abs or sign, or give the signal by \
                         { points = [[time, value], …] }, where two points at one time make a jump";

/// Words of other languages and what they are called here.
const OTHERS: &[(&str, &str)] = &[
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("sgn", "sign"),
    ("fabs", "abs"),
    ("fmod", "mod"),
    ("ceiling", "ceil"),
    ("minimum", "min"),
    ("maximum", "max"),
    ("power", "pow"),
    ("time", "t"),
];

/// Words that choose between values.
const CONDITIONS: &[&str] =
    &["if", "else", "iif", "ifelse", "where", "piecewise", "heaviside", "step", "and", "or", "not", "switch", "case"];

pub(super) fn begins_name(c: char) -> bool {
    // Raised digits count as alphanumeric, but are powers.
    c.is_alphabetic() || c == '_'
}

pub(super) fn continues_name(c: char) -> bool {
    begins_name(c) || c.is_ascii_digit()
}

/// A character in backticks, escaped where it cannot be seen.
pub(super) fn shown(c: char) -> String {
    format!("`{}`", c.escape_debug())
}

/// What to write instead of a symbol.
pub(super) fn symbol(c: char) -> Option<&'static str> {
    Some(match c {
        '<' | '>' | '=' | '!' | '?' | ':' | '&' | '|' | '≤' | '≥' => CONDITION,
        '%' => "the remainder of a by b is written mod(a, b)",
        '×' | '·' | '⋅' | '•' => "a product is written with *",
        '−' | '–' | '—' => "minus is written with the sign - of the keyboard",
        '÷' | '∕' => "a quotient is written with /",
        '²' | '³' | '⁰'..='⁹' | '⁻' => "a power is written as in t^2",
        '√' => "a root is written sqrt(…)",
        '[' | ']' | '{' | '}' => "only round brackets ( ) may be used",
        '"' | '\'' | '`' => "leave the quotes out",
        ';' => "a comma separates the arguments of a function",
        '@' | '~' | '#' | '$' | '\\' => "known are + - * / ^ and brackets",
        _ => return None,
    })
}

/// How a function is called.
pub(super) fn usage(name: &str) -> String {
    match (name, function(name)) {
        ("min" | "max", _) => format!("{name}(a, b), or {name}(a, b, c) and so on"),
        ("atan2", _) => "atan2(y, x)".into(),
        (_, Some(Function::One(_)) | None) => format!("{name}(t)"),
        _ => format!("{name}(a, b)"),
    }
}

/// Message and help for a name that is neither `t` nor a constant nor a function.
pub(super) fn unknown(name: &str) -> (String, String) {
    let short: String = name.chars().take(40).collect();
    let message = format!("unknown name `{short}`");
    let lower = name.to_lowercase();
    if CONDITIONS.contains(&lower.as_str()) {
        return (message, CONDITION.into());
    }
    if lower == "clamp" || lower == "clip" {
        return (message, "write max(least, min(greatest, t))".into());
    }
    let other = OTHERS.iter().find(|(word, _)| *word == lower).map(|(_, ours)| *ours);
    let near = other.or_else(|| names().find(|known| *known == lower)).or_else(|| {
        let long = lower.chars().count() >= 3;
        names().find(|known| long && known.len() >= 3 && one_slip(&lower, known))
    });
    let help = match near {
        Some(known) => format!("did you mean `{known}`?"),
        None => "only the time t, pi, tau, e and functions such as sin, exp, abs, min, max may be used".into(),
    };
    (message, help)
}

/// Whether one letter too many, too few or other, or two exchanged ones, tell the words apart.
fn one_slip(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match (a, b) {
        ([_, a @ ..], [_, b @ ..]) if a == b => true,
        ([x, y, a @ ..], [u, v, b @ ..]) if x == v && y == u && a == b => true,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) if a == b => true,
        _ => false,
    }
}
