//! Formulas of time, such as `800*sin(2*pi*t)*exp(-t)`.
//!
//! Precedence is that of Python, Fortran and MATLAB: a power binds tighter than the sign before it, and powers are taken
//! from the right, so that `-t^2` is −(t²) and `2^3^2` is 2⁹.
//!
//! ```text
//! sum      = product { ("+" | "-") product }
//! product  = signed { ("*" | "/") signed }
//! signed   = { "+" | "-" } power
//! power    = value [ ("^" | "**") signed ]
//! value    = number | "t" | "pi" | "tau" | "e" | function "(" sum { "," sum } ")" | "(" sum ")"
//! ```

mod error;
mod formula;
mod function;
mod hint;
mod mesh;
mod program;
mod reader;

use std::sync::Arc;

pub use error::ExpressionError;
pub use formula::Formula;
use program::Program;

/// A formula in the one variable `t` (and the constants `pi`, `tau`, `e`).
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct Expression {
    text: String,
    program: Program,
    factor: f64,
    /// Instants that no step should cross, in order; empty before [`Expression::explore`].
    breaks: Arc<[f64]>,
    /// Before this instant the value is that of this instant: a value of its own at t = 0, as that of sign(t), is not the
    /// one from there on.
    start: f64,
    /// Until when it was looked through \[s\]; below zero if it was not.
    explored: f64,
}

/// A formula as it is saved: its text, and what was found of it.
#[derive(serde::Serialize, serde::Deserialize)]
struct Written {
    text: String,
    factor: f64,
    breaks: Vec<f64>,
    start: f64,
    explored: f64,
}

impl From<Expression> for Written {
    fn from(e: Expression) -> Written {
        Written { text: e.text, factor: e.factor, breaks: e.breaks.to_vec(), start: e.start, explored: e.explored }
    }
}

impl TryFrom<Written> for Expression {
    type Error = ExpressionError;

    fn try_from(w: Written) -> Result<Expression, ExpressionError> {
        let read = Expression::new(&w.text)?;
        Ok(Expression { factor: w.factor, breaks: w.breaks.into(), start: w.start, explored: w.explored, ..read })
    }
}

impl Expression {
    /// Reads a formula.
    pub fn new(text: &str) -> Result<Expression, ExpressionError> {
        let program = reader::read(text)?;
        let (breaks, start, explored) = (Arc::new([]), f64::NEG_INFINITY, -1.0);
        Ok(Expression { text: text.to_string(), program, factor: 1.0, breaks, start, explored })
    }

    /// Looks at the formula over 0…`end` \[s\] for what steps must not cross: corners and jumps (of `abs`, `max`, `floor` and so
    /// on) to neighbouring numbers, and cells short enough to see pulses that last longer than about 1/4000 of the time at which
    /// they come (1/250 before 1 ms). A longer `end` only adds to what is found; the first break
    /// behind the end is found, too, for a step that goes beyond it. False, and nothing kept, where there would be
    /// more than 400 000 of them.
    pub fn explore(&mut self, end: f64) -> bool {
        let found = mesh::breaks(&self.program, end);
        let few = found.is_some();
        self.explored = if few { end } else { -1.0 };
        self.breaks = found.unwrap_or_default().into();
        let (now, soon) = (self.program.at(0.0), self.program.at(f64::MIN_POSITIVE));
        if soon.is_finite() && now != soon {
            self.start = f64::MIN_POSITIVE;
            self.breaks = self.breaks.iter().copied().filter(|b| *b > f64::MIN_POSITIVE).collect();
        }
        few
    }

    /// The first break after `t` that [`explore`](Expression::explore) found; infinite behind the last.
    pub fn next_break(&self, t: f64) -> f64 {
        let after = self.breaks.partition_point(|b| *b <= t);
        self.breaks.get(after).copied().unwrap_or(f64::INFINITY)
    }

    /// Until when [`explore`](Expression::explore) has looked through it \[s\]; below zero if it has not.
    pub fn explored(&self) -> f64 {
        self.explored
    }

    /// The formula as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Value at `t`; not finite where the formula has no value (1/0, ln of a negative number). Nothing is allocated.
    pub fn at(&self, t: f64) -> f64 {
        self.factor * self.program.at(t.max(self.start))
    }

    pub(super) fn scaled(&self, factor: f64) -> Expression {
        Expression { factor: self.factor * factor, ..self.clone() }
    }
}

impl std::fmt::Debug for Expression {
    /// The text says it all; addresses of functions would differ from build to build.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expression").field("text", &self.text).field("factor", &self.factor).finish_non_exhaustive()
    }
}
