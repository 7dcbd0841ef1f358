//! The verification book: what the program claims, where the claim comes from, and what it gets.
//!
//! A chapter is a list of [`Claim`]s: data (text, source, expected value, tolerance) and one library call
//! that measures. Each model brings its chapters, those of the inclusion itself are [`GENERAL`]. Claims share the runs of a
//! [`Lab`], so that ten of them about one manoeuvre cost one simulation.

mod book;
mod lab;
mod page;

pub use book::GENERAL;
pub use lab::Lab;
pub use page::html;

use serde::Serialize;

/// A chapter of the book.
#[derive(Debug)]
pub struct Chapter {
    /// What it is about.
    pub title: &'static str,
    /// Its claims.
    pub claims: &'static [Claim],
}

/// Something that can be checked.
#[derive(Debug)]
pub struct Claim {
    /// What is claimed.
    pub text: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What the expected value rests on.
    pub basis: Basis,
    /// What must come out.
    pub expected: Expected,
    /// Measures it.
    pub measure: fn(&mut Lab) -> Measured,
}

impl Claim {
    /// States what is claimed; `by` what and `expects` complete it:
    ///
    /// ```
    /// use stickslip_verify::{Basis, Claim, Expected, Value};
    ///
    /// const CLAIM: Claim = Claim::that("a lap of a unit circle, by a polygon of 1000 sides (m)")
    ///     .by(Basis::ClosedForm, "2π; the polygon falls short by π²/(6·10⁶) of it")
    ///     .expects(Expected::Within(std::f64::consts::TAU, 2e-6), |_| {
    ///         Ok(Value::Number(2000.0 * (std::f64::consts::PI / 1000.0).sin()))
    ///     });
    /// ```
    pub const fn that(text: &'static str) -> Statement {
        Statement { text }
    }
}

/// What is claimed, before it is said what it rests on.
#[derive(Debug, Clone, Copy)]
pub struct Statement {
    text: &'static str,
}

impl Statement {
    /// Says what the expected value rests on, and where it comes from.
    pub const fn by(self, basis: Basis, source: &'static str) -> SourcedStatement {
        SourcedStatement { text: self.text, basis, source }
    }
}

/// What is claimed and what it rests on, before it is said what must come out.
#[derive(Debug, Clone, Copy)]
pub struct SourcedStatement {
    text: &'static str,
    basis: Basis,
    source: &'static str,
}

impl SourcedStatement {
    /// Says what must come out of what.
    pub const fn expects(self, expected: Expected, measure: fn(&mut Lab) -> Measured) -> Claim {
        Claim { text: self.text, source: self.source, basis: self.basis, expected, measure }
    }
}

/// What an expected value rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A formula worked out by hand.
    ClosedForm,
    /// Numbers in `reference/`, made by another program.
    Reference,
    /// A published number.
    Paper,
    /// A number of another program that is named in the source.
    Program,
    /// Another way to the same answer, in this book or elsewhere in the library, that shares no code with the first.
    Method,
    /// The law itself, written down once more and applied to what the program gives out.
    Law,
    /// Nothing from outside: the program is compared with itself, or the claim holds by construction. Such claims find
    /// slips in bookkeeping, and say nothing about the physics.
    Consistency,
}

impl Basis {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Basis::ClosedForm => "closed form",
            Basis::Reference => "reference file",
            Basis::Paper => "paper",
            Basis::Program => "independent program",
            Basis::Method => "another method",
            Basis::Law => "the law, from the output",
            Basis::Consistency => "by construction",
        }
    }

    /// `independent`, or `consistency`.
    pub fn kind(self) -> &'static str {
        if self == Basis::Consistency { "consistency" } else { "independent" }
    }
}

/// What must come out.
#[derive(Debug)]
pub enum Expected {
    /// A number, within an absolute tolerance.
    Near(f64, f64),
    /// A number, within a relative tolerance.
    Within(f64, f64),
    /// Exactly this number.
    Exactly(f64),
    /// A number of at most this size.
    AtMost(f64),
    /// Exactly this text.
    Text(&'static str),
}

/// What came out, or why nothing did.
pub type Measured = Result<Value, String>;

/// A measured value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
}

/// One row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Title of the chapter.
    pub chapter: &'static str,
    /// What is claimed.
    pub claim: &'static str,
    /// `independent` of the code that is checked, or a `consistency` of it with itself.
    pub kind: &'static str,
    /// What the expected value rests on: a closed form, a reference file, …
    pub basis: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What must come out, with its tolerance.
    pub expected: String,
    /// What came out.
    pub got: String,
    /// Distance from what was expected, in the measure of the tolerance; absent for texts.
    pub error: Option<f64>,
    /// Whether the claim holds.
    pub pass: bool,
}

/// Checks every claim of the chapters, in order; `progress` hears each row as it is done.
pub fn run<'a>(chapters: impl IntoIterator<Item = &'a Chapter>, mut progress: impl FnMut(&Row)) -> Vec<Row> {
    let mut lab = Lab::default();
    let mut rows = Vec::new();
    for chapter in chapters {
        for claim in chapter.claims {
            let row = check(chapter.title, claim, &mut lab);
            progress(&row);
            rows.push(row);
        }
    }
    rows
}

fn check(chapter: &'static str, claim: &Claim, lab: &mut Lab) -> Row {
    let (got, error, pass) = match ((claim.measure)(lab), &claim.expected) {
        (Err(why), _) => (why, None, false),
        (Ok(Value::Number(got)), expected) => {
            let (error, allowed) = match *expected {
                Expected::Near(value, tolerance) => ((got - value).abs(), tolerance),
                Expected::Within(value, tolerance) => ((got / value - 1.0).abs(), tolerance),
                Expected::Exactly(value) => ((got - value).abs(), 0.0),
                Expected::AtMost(limit) => (got.abs(), limit),
                Expected::Text(_) => (f64::NAN, 0.0),
            };
            // A NaN passes nothing.
            (number(got), Some(error).filter(|e| e.is_finite()), error <= allowed)
        }
        (Ok(Value::Text(got)), expected) => {
            let pass = matches!(expected, Expected::Text(text) if *text == got);
            (got, None, pass)
        }
    };
    Row {
        chapter,
        claim: claim.text,
        kind: claim.basis.kind(),
        basis: claim.basis.words(),
        source: claim.source,
        expected: claim.expected.to_string(),
        got,
        error,
        pass,
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Near(value, tolerance) => write!(f, "{} ± {}", number(*value), short(*tolerance)),
            Expected::Within(value, tolerance) => write!(f, "{} ± {} %", number(*value), short(100.0 * tolerance)),
            Expected::Exactly(value) => write!(f, "{} exactly", number(*value)),
            Expected::AtMost(limit) => write!(f, "≤ {}", short(*limit)),
            Expected::Text(text) => f.write_str(text),
        }
    }
}

/// A tolerance: two digits are enough.
fn short(value: f64) -> String {
    if (1e-2..1e3).contains(&value) {
        return number((value * 100.0).round() / 100.0);
    }
    let text = format!("{value:.1e}");
    text.replace(".0e", "e")
}

/// A number with up to ten significant digits.
fn number(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        return format!("{value:.3e}");
    }
    let before = if size >= 1.0 { size.log10().floor() as usize + 1 } else { 1 };
    let text = format!("{value:.*}", 10_usize.saturating_sub(before).min(8));
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_string()
}

/// How many claims of a kind there are, and how many of them fail.
pub fn count(rows: &[Row], kind: &str) -> (usize, usize) {
    let own = rows.iter().filter(|row| row.kind == kind);
    (own.clone().count(), own.filter(|row| !row.pass).count())
}

/// The table as JSON.
pub fn json(rows: &[Row]) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Table<'a> {
        version: &'static str,
        claims: usize,
        independent: usize,
        consistency: usize,
        failed: usize,
        rows: &'a [Row],
    }
    let failed = rows.iter().filter(|row| !row.pass).count();
    let version = concat!("stickslip ", env!("CARGO_PKG_VERSION"));
    let (independent, consistency) = (count(rows, "independent").0, count(rows, "consistency").0);
    let table = Table { version, claims: rows.len(), independent, consistency, failed, rows };
    serde_json::to_string_pretty(&table).map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(expected: Expected, measure: fn(&mut Lab) -> Measured) -> Row {
        check("test", &Claim { text: "", source: "", basis: Basis::ClosedForm, expected, measure }, &mut Lab::default())
    }

    #[test]
    fn claims_can_fail() {
        let two = |_: &mut Lab| Ok(Value::Number(2.0));
        assert!(one(Expected::Near(2.05, 0.1), two).pass);
        assert!(!one(Expected::Near(2.5, 0.1), two).pass);
        assert!(!one(Expected::Within(2.5, 0.1), two).pass);
        assert!(!one(Expected::Exactly(2.000_000_1), two).pass);
        assert!(!one(Expected::AtMost(1.0), two).pass);
        assert!(!one(Expected::AtMost(1.0), |_| Ok(Value::Number(f64::NAN))).pass);
        assert!(!one(Expected::AtMost(1.0), |_| Err("no run".into())).pass);
        assert!(!one(Expected::Text("a"), |_| Ok(Value::Text("b".into()))).pass);
        assert!(!one(Expected::Text("a"), two).pass);
    }
}
