//! What is wrong with a formula.

use std::ops::Range;

/// Why a text is not a formula of time: what is wrong, in which column, and what to write instead.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("column {column} of the expression: {message}")]
pub struct ExpressionError {
    message: String,
    help: String,
    column: usize,
    span: Range<usize>,
}

impl ExpressionError {
    /// A fault of the bytes `span` of `text`.
    pub(super) fn new(text: &str, span: Range<usize>, message: String, help: String) -> ExpressionError {
        let column = text.get(..span.start).map_or(0, |before| before.chars().count()) + 1;
        ExpressionError { message, help, column, span }
    }

    /// What is wrong, without its place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to write instead.
    pub fn help(&self) -> &str {
        &self.help
    }

    /// The column to blame, counted in characters from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// The bytes of the text to blame; empty at its end.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}
