//! Formulas of time, such as `800*sin(2*pi*t)*exp(-t)`.

use exmex::{Express, FlatEx, FloatOpsFactory, MatchLiteral};

type Formula = FlatEx<f64, FloatOpsFactory<f64>, Number>;

/// Numbers as scenario files write them: `2`, `.5`, `1.5e-3`. The parser by itself knows no exponents.
#[derive(Debug, Clone, Copy)]
struct Number;

impl MatchLiteral for Number {
    fn is_literal(text: &str) -> Option<&str> {
        let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
        let before = digits(0);
        let mut length = before;
        if text[length..].starts_with('.') {
            let after = digits(length + 1);
            if before + after == 0 {
                return None;
            }
            length += 1 + after;
        }
        if length == 0 {
            return None;
        }
        if text[length..].starts_with(['e', 'E']) {
            let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
            let exponent = digits(length + 1 + sign);
            if exponent > 0 {
                length += 1 + sign + exponent;
            }
        }
        Some(&text[..length])
    }
}

/// A formula in the one variable `t` (and the constant `pi`).
#[derive(Debug, Clone)]
pub struct Expression {
    text: String,
    formula: Formula,
    /// Whether `t` occurs at all; the parser gives the formula only the variables it found.
    of_time: bool,
    factor: f64,
}

/// Why a text is not a formula of time.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ExpressionError {
    /// The text does not parse.
    #[error("cannot read the expression: {0}")]
    Syntax(String),
    /// A name that is neither `t` nor a known function.
    #[error("unknown name `{0}` in the expression: only `t`, `pi` and functions such as sin, exp, abs may be used")]
    UnknownName(String),
}

impl Expression {
    /// Reads a formula.
    pub fn new(text: &str) -> Result<Expression, ExpressionError> {
        // The parser descends once per bracket; a limit keeps hostile input off the stack's end.
        let depth = text.chars().scan(0_i64, |d, c| {
            *d += i64::from(c == '(') - i64::from(c == ')');
            Some(*d)
        });
        if text.len() > 4096 || depth.max().unwrap_or(0) > 64 {
            return Err(ExpressionError::Syntax("longer than 4096 characters or more than 64 brackets deep".into()));
        }
        let named = constants(text);
        let formula = Formula::parse(&named).map_err(|e| ExpressionError::Syntax(e.to_string()))?;
        if let Some(name) = formula.var_names().iter().find(|name| *name != "t") {
            return Err(ExpressionError::UnknownName(name.clone()));
        }
        Ok(Expression { text: text.to_string(), of_time: !formula.var_names().is_empty(), formula, factor: 1.0 })
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Value at `t`; not a number where the formula has none (1/0, ln of a negative number).
    pub fn at(&self, t: f64) -> f64 {
        let variables = [t];
        let used = if self.of_time { &variables[..] } else { &[] };
        self.factor * self.formula.eval(used).unwrap_or(f64::NAN)
    }

    pub(super) fn scaled(&self, factor: f64) -> Expression {
        Expression { factor: self.factor * factor, ..self.clone() }
    }
}

/// The text with `pi` as the parser spells it; longer names that contain it stay as they are.
fn constants(text: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_name) {
        let length = rest[start..].find(|c| !is_name(c)).unwrap_or(rest.len() - start);
        let name = &rest[start..start + length];
        out.push_str(&rest[..start]);
        out.push_str(if name == "pi" { "PI" } else { name });
        rest = &rest[start + length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_evaluate() {
        let e = Expression::new("2*sin(pi*t) + 1").expect("a formula");
        assert!((e.at(0.5) - 3.0).abs() < 1e-15);
        assert_eq!(Expression::new("7").expect("a number").at(3.0), 7.0);
    }

    #[test]
    fn numbers_may_have_exponents() {
        for (text, value) in
            [("1e6", 1e6), ("1.5e-3*2", 3e-3), ("2E+2-1", 199.0), (".5", 0.5), ("4.", 4.0), ("-1e-2", -1e-2)]
        {
            let read = Expression::new(text).expect(text).at(0.0);
            assert!((read - value).abs() <= 1e-15 * value.abs(), "{text}: {read}");
        }
        assert_eq!(Number::is_literal("."), None);
        assert_eq!(Number::is_literal("3e"), Some("3"));
        assert_eq!(Number::is_literal("x"), None);
    }

    #[test]
    fn pi_is_known_wherever_it_stands() {
        assert_eq!(constants("pi*t+(pi)/2-spin"), "PI*t+(PI)/2-spin");
        assert!((Expression::new("cos(pi)").expect("a formula").at(0.0) + 1.0).abs() < 1e-15);
    }

    #[test]
    fn strange_names_and_texts_are_refused() {
        assert!(matches!(Expression::new("2*x"), Err(ExpressionError::UnknownName(n)) if n == "x"));
        assert!(matches!(Expression::new("2*spin"), Err(ExpressionError::UnknownName(n)) if n == "spin"));
        assert!(Expression::new("2*(").is_err());
        assert!(Expression::new("").is_err());
        assert!(Expression::new(&"(".repeat(100_000)).is_err());
    }
}
