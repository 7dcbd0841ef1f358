//! The error of everything that reads scenarios.

use std::fmt;
use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::fault::{Fault, shortened};
use crate::sweep::place_of_varied;

/// What is wrong with a scenario, where, and what to write instead.
///
/// `Display` gives `file:line:column: message`, and the help on a second line.
#[derive(Debug, Clone, PartialEq)]
pub struct Error(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    message: String,
    help: Option<String>,
    source_name: String,
    source_text: Option<String>,
    span: Range<usize>,
}

/// A place in a text, counted from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// What errors in the text of an override have as the name of their source.
pub const OVERRIDE_SOURCE: &str = "--set";

impl Error {
    /// An error in a text.
    pub(crate) fn in_text(fault: Fault, name: &str, text: &str) -> Error {
        let span = fault.span.clone().unwrap_or(0..0);
        // Spans are byte offsets; a marker must neither leave the text nor cut a character.
        let inside = |offset: usize| {
            let mut offset = offset.min(text.len());
            while !text.is_char_boundary(offset) {
                offset -= 1;
            }
            offset
        };
        let (start, end) = (inside(span.start), inside(span.end));
        Error(Box::new(Parts {
            message: fault.message,
            help: fault.help,
            source_name: name.to_string(),
            source_text: Some(text.to_string()),
            span: start..end.max(start),
        }))
    }

    /// An error about a source that has no text: a missing file, an unknown name.
    pub(crate) fn without_text(fault: Fault, name: &str) -> Error {
        Error(Box::new(Parts {
            message: fault.message,
            help: fault.help,
            source_name: name.to_string(),
            source_text: None,
            span: 0..0,
        }))
    }

    /// An error at a key of a table in the text of a scenario that was read without a fault: where its value stands.
    pub fn at_key(name: &str, text: &str, (table, key): (&str, &str), message: &str, help: &str) -> Error {
        let place = || {
            let root = DeTable::parse(text).ok()?;
            let DeValue::Table(found) = root.get_ref().get(table)?.get_ref() else { return None };
            Some(found.get(key)?.span())
        };
        let fault = Fault::new(message).help(help);
        match place() {
            Some(span) => Error::in_text(fault.at(&span), name, text),
            None => Error::without_text(fault, name),
        }
    }

    /// An error about a key that the scenario's own `[sweep.vary]` varies: where the key stands, or its value where that is to blame; none
    /// where the text has no such key.
    pub fn at_varied(name: &str, text: &str, key: &str, value: bool, fault: Fault) -> Option<Error> {
        let [at_key, at_value] = place_of_varied(text, key)?;
        let span = if value { at_value } else { at_key };
        Some(Error::in_text(Fault { span: Some(span), ..fault }, name, text))
    }

    /// What is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to write instead.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Path of the file, name of the built-in scenario, or [`OVERRIDE_SOURCE`].
    pub fn source_name(&self) -> &str {
        &self.0.source_name
    }

    /// The text that [`span`](Error::span) refers to: the file, or `key=value` of an override.
    /// `None` where nothing could be read.
    pub fn source_text(&self) -> Option<&str> {
        self.0.source_text.as_deref()
    }

    /// The bytes of the source text to blame.
    pub fn span(&self) -> Range<usize> {
        self.0.span.clone()
    }

    /// Line and column of the start of the span; `None` without a source text.
    pub fn position(&self) -> Option<Position> {
        let before = self.0.source_text.as_ref()?.get(..self.0.span.start)?;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Some(Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { message, help, source_name, source_text, .. } = &*self.0;
        match (self.position(), source_text) {
            (Some(_), Some(text)) if source_name == OVERRIDE_SOURCE => {
                write!(f, "{OVERRIDE_SOURCE} {}: {message}", shortened(text))?;
            }
            (Some(Position { line, column }), _) => {
                write!(f, "{source_name}:{line}:{column}: {message}")?;
            }
            (None, _) => write!(f, "{source_name}: {message}")?,
        }
        match help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
