//! Faults: what is wrong, before it is known in which file.
//!
//! Inside a `Deserialize` impl only text can be raised, so a fault crosses serde as `message\nhelp`
//! and is taken apart again on the other side, where the deserialiser has added the place.

use std::ops::Range;

use stickslip_core::range;

/// What is wrong, what to write instead, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Where, in bytes of the text.
    pub span: Option<Range<usize>>,
}

impl Fault {
    /// With a message alone.
    pub fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), help: None, span: None }
    }

    /// Says what to write instead.
    pub fn help(mut self, help: impl Into<String>) -> Fault {
        self.help = Some(help.into());
        self
    }

    /// Says where, unless a closer place is known already.
    pub fn at(mut self, span: &Range<usize>) -> Fault {
        self.span.get_or_insert(span.clone());
        self
    }

    /// The fault as an error of some deserialiser.
    pub fn raise<E: serde::de::Error>(self) -> E {
        match self.help {
            Some(help) => E::custom(format_args!("{}\n{help}", self.message)),
            None => E::custom(self.message),
        }
    }
}

/// A user's text in quotes, on one line and not too long.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", shortened(text).replace("\\\"", "\""))
}

/// A user's text on one line and not too long.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let escape = |part: &str| part.escape_debug().to_string().replace("\\'", "'");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", escape(&text[..end])),
        None => escape(text),
    }
}

/// The number in the shorter of its usual forms, without what rounding has left in its last digits.
pub fn number(value: f64) -> String {
    range::number(format!("{value:.13e}").parse().unwrap_or(value))
}

/// The known word most like `word`, if any is like it at all.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let lower = word.to_lowercase();
    let distance = |candidate: &str| {
        // A different case counts, but less than any different letter.
        let folded = 2 * strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
        folded + usize::from(folded == 0 && word != candidate)
    };
    let longest = word.chars().count();
    known
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(d, c)| d / 2 <= (longest.max(c.chars().count()) / 3).max(1) && d / 2 < longest.max(2))
        .min_by_key(|(d, _)| *d)
        .map(|(_, candidate)| candidate)
}

/// "`a`, `b` and `c`".
pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut words: Vec<String> = words.into_iter().map(|w| format!("`{w}`")).collect();
    match words.pop() {
        None => "none".to_string(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

/// A library's message on one line.
pub fn one_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    let mut line = words.join(" ");
    if let Some((end, _)) = line.char_indices().nth(300) {
        line.truncate(end);
        line.push('…');
    }
    line
}
