//! Formulas of named values, such as `max.x1 - end.x1` or `stuck.pad > 0.5`.
//!
//! The grammar is that of formulas of time, with names instead of `t`: letters and digits with dots in between, words with
//! other signs in quotation marks (`stuck."front left"`). Two sums may be compared by < <= > >= == !=, which gives 1 or 0;
//! `known(x)` is 1 where there is an x and 0 where there is none. What is missing is carried on as NaN.

use super::error::ExpressionError;
use super::program::Program;
use super::reader;

/// Finds the number of a variable by its name; else what is wrong with the name, and what to write instead.
pub type Resolve<'r> = &'r mut dyn FnMut(&str) -> Result<usize, (String, String)>;

/// A formula of named values.
#[derive(Clone)]
pub struct Formula {
    text: String,
    program: Program,
}

impl Formula {
    /// Reads a formula. `resolve` finds the number of a variable by its name, or says what is wrong and what to write instead.
    pub fn new(text: &str, resolve: Resolve<'_>) -> Result<Formula, ExpressionError> {
        Ok(Formula { text: text.to_string(), program: reader::read_named(text, resolve)? })
    }

    /// Its value, where the variables have these; NaN where one that it needs is missing, and where a part of it has no finite value,
    /// which no function hides. Nothing is allocated.
    pub fn at(&self, variables: &[f64]) -> f64 {
        self.program.of(variables)
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Formula").field("text", &self.text).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, variables: &[(&str, f64)]) -> Result<f64, ExpressionError> {
        let mut resolve = |name: &str| {
            let found = variables.iter().position(|(known, _)| *known == name);
            found.ok_or_else(|| (format!("there is no `{name}`"), "write x".to_string()))
        };
        let values: Vec<f64> = variables.iter().map(|(_, value)| *value).collect();
        Ok(Formula::new(text, &mut resolve)?.at(&values))
    }

    #[test]
    fn names_have_dots_and_quotation_marks() {
        let all = [("end.x1", 2.0), ("stuck.1l", 0.5), ("stuck.\"front left\"", 0.25), ("e", 7.0)];
        assert_eq!(value("end.x1^2 - stuck.1l*4", &all), Ok(2.0));
        assert_eq!(value("max(stuck.\"front left\", 0.1)", &all), Ok(0.25));
        // A variable comes before a constant of its name.
        assert_eq!(value("e + 1", &all), Ok(8.0));
        assert_eq!(value("pi - pi", &all), Ok(0.0));
        let error = value("end.x2 + 1", &all).map_err(|e| (e.column(), e.message().to_string()));
        assert_eq!(error, Err((1, "there is no `end.x2`".into())));
        assert!(value("t + 1", &all).is_err());
        assert!(value("nothing(1)", &all).is_err());
        assert!(value("stuck.\"open", &all).is_err());
        assert!(value("\"", &all).is_err());
    }

    #[test]
    fn what_has_no_value_is_not_hidden() {
        let all = [("x", 5.0), ("nought", 0.0), ("far", f64::INFINITY)];
        for text in [
            "1/nought",
            "1/(1/nought)",
            "1/(1/0)",
            "exp(ln(0))",
            "1/1e200^2",
            "min(1/0, x)",
            "max(-1/nought, x)",
            "atan(1/nought)",
            "1/0 > x",
            "sqrt(-1)",
            "mod(x, nought)",
            "1^(nought/nought)",
            "sqrt(-x)^0",
            "far",
            "min(far, x)",
        ] {
            assert!(value(text, &all).is_ok_and(f64::is_nan), "{text}: {:?}", value(text, &all));
        }
        for text in ["known(1/0)", "known(1/nought)", "known(min(1/nought, x))", "known(sqrt(-1))"] {
            assert_eq!(value(text, &all), Ok(0.0), "{text}");
        }
    }

    #[test]
    fn comparisons_are_one_or_nought() {
        let all = [("x", 2.0), ("none", f64::NAN)];
        for (text, wanted) in [
            ("x > 1", 1.0),
            ("x >= 2", 1.0),
            ("x < 2", 0.0),
            ("x <= 1 + 1", 1.0),
            ("x == 2", 1.0),
            ("x != 2", 0.0),
            ("min(x > 1, x < 1)", 0.0),
            ("(x > 1) + (x ≥ 2)", 2.0),
            ("known(x)", 1.0),
            ("known(none)", 0.0),
            ("known(none + x)", 0.0),
        ] {
            assert_eq!(value(text, &all), Ok(wanted), "{text}");
        }
        assert!(value("none > 1", &all).is_ok_and(f64::is_nan));
        assert!(value("none", &all).is_ok_and(f64::is_nan));
    }
}
