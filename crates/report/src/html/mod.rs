//! The report of a run: one HTML file that works without any network.
//!
//! Styles, scripts (uPlot, MIT licence, in `assets/uplot`) and data are written into the file, and a
//! content security policy forbids it to load anything. All text that comes from outside is escaped,
//! in elements, attributes and embedded data alike.
//!
//! The page begins with what most readers want: four numbers, whether to trust them, and the picture. Then come charts;
//! what only some readers want is folded, and unfolds in print. Without scripts, still figures stand in place of the moving ones.

mod chart;
mod embed;
mod field;
mod moving;
mod page;
mod parts;
mod sound;
mod store;
mod theme;

pub use chart::{Curve, TimeChart};
pub(crate) use embed::Short;
pub use embed::{data_element, rounded};
pub use field::{Field, FieldAxis, Quantity, Shown};
pub use sound::Sound;

use crate::figure::Figure;
use crate::motion::Motion;

/// A report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// What was run.
    pub title: String,
    /// One sentence about it.
    pub subtitle: String,
    /// The numbers that readers ask for first, up to [`MOST_KEY`].
    pub key: Vec<Fact>,
    /// What it looked like.
    pub picture: Vec<Content>,
    /// All numbers; folded.
    pub facts: Vec<Fact>,
    /// How far to trust them.
    pub verdicts: Vec<Verdict>,
    /// What was taken for granted, in sentences.
    pub assumptions: Vec<String>,
    /// Charts, figures and tables.
    pub sections: Vec<Section>,
    /// Sections for those who look closer; folded.
    pub folded: Vec<Section>,
    /// Files beside the report, relative to it.
    pub files: Vec<String>,
    /// The scenario file as it was read; left out when empty.
    pub scenario: String,
    /// The program and its version.
    pub version: String,
}

/// Numbers that a page begins with at the most.
pub const MOST_KEY: usize = 4;

/// A headline number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fact {
    /// What it is.
    pub name: String,
    /// Its value with unit.
    pub value: String,
    /// A remark; may be empty.
    pub note: String,
}

/// One line on how far to trust the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Good, doubtful or bad.
    pub grade: Grade,
    /// What was checked and what came out.
    pub text: String,
}

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// Passed.
    Sound,
    /// To be read with care.
    Caution,
    /// Failed.
    Fault,
}

/// A part of a report.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// What the reader should see; paragraphs are separated by empty lines. May be empty.
    pub text: String,
    /// What is shown, in order.
    pub content: Vec<Content>,
}

/// Something shown in a section.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// An interactive chart of quantities over time.
    Chart(TimeChart),
    /// Small charts beside each other: what would be too many curves in one.
    Charts(Vec<TimeChart>),
    /// A moving picture, linked to the time of the charts.
    Motion(Motion),
    /// Quantities over a plane: colours, a value at each place, cuts.
    Field(Field),
    /// A still figure.
    Figure(Figure),
    /// A table of text.
    Table(TextTable),
    /// Something that a script of its own draws.
    Interactive(Interactive),
    /// Something to hear.
    Sound(Sound),
}

/// A page element with data, and the script that fills all elements of its class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interactive {
    /// Class of the element.
    pub class: &'static str,
    /// The data, as [`data_element`] writes them.
    pub data: String,
    /// The script; a page has each script once.
    pub script: &'static str,
}

/// A table of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextTable {
    /// The heads of the columns.
    pub header: Vec<String>,
    /// The rows; cells that look like numbers are aligned to the right.
    pub rows: Vec<Vec<String>>,
}

impl Report {
    /// The report as one HTML document.
    pub fn to_html(&self) -> String {
        page::document(self)
    }
}

impl Fact {
    /// A fact without remark.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), note: String::new() }
    }

    /// The fact with a remark.
    #[must_use]
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }
}
