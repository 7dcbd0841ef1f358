//! Interactive charts over time: cursors move together, dragging zooms all, a double click resets.

use serde::Serialize;

use super::embed::{data_element, rounded};
use crate::figure::Strip;
use crate::label;
use crate::palette::{Role, State};

/// Curves on a common time axis, with strips of contact states above them.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeChart {
    /// What is measured.
    pub label: String,
    /// Its unit; `1` or nothing for pure numbers.
    pub unit: String,
    /// The times, increasing, s; thin them first ([`crate::thinning`]).
    pub t: Vec<f64>,
    /// The curves.
    pub curves: Vec<Curve>,
    /// One strip per contact.
    pub strips: Vec<Strip>,
    /// Height of the chart in pixels.
    pub height: u32,
}

/// One curve of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its colour and dash.
    pub role: Role,
    /// One value per time; what is not finite is a gap.
    pub values: Vec<f64>,
    /// Whether each value holds until the next time.
    pub step: bool,
}

#[derive(Serialize)]
struct ChartData<'a> {
    height: u32,
    #[serde(serialize_with = "rounded")]
    t: &'a [f64],
    curves: Vec<CurveData<'a>>,
    strips: Vec<StripData<'a>>,
}

#[derive(Serialize)]
struct CurveData<'a> {
    /// HTML, escaped.
    name: String,
    colour: &'static str,
    dash: &'static [u8],
    step: bool,
    #[serde(serialize_with = "rounded")]
    values: &'a [f64],
}

#[derive(Serialize)]
struct StripData<'a> {
    contact: &'a str,
    bands: Vec<(f64, f64, State)>,
}

impl TimeChart {
    /// A chart of the usual height, without curves.
    pub fn new(label: impl Into<String>, unit: impl Into<String>, t: Vec<f64>) -> Self {
        Self { label: label.into(), unit: unit.into(), t, curves: Vec::new(), strips: Vec::new(), height: 260 }
    }

    /// The chart with one more curve.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, role: Role, values: Vec<f64>) -> Self {
        self.curves.push(Curve { name: name.into(), role, values, step: false });
        self
    }

    /// The chart as a page element; the page's script fills it.
    pub(super) fn to_html(&self) -> String {
        let unit = match self.unit.as_str() {
            "" | "1" => String::new(),
            unit => format!(" <span class=\"unit\">({})</span>", label::html(unit)),
        };
        let curves = self.curves.iter().map(|curve| CurveData {
            name: label::html(&curve.name),
            colour: curve.role.colour(),
            dash: curve.role.dash(),
            step: curve.step,
            values: &curve.values,
        });
        let strips = self.strips.iter().map(|strip| StripData {
            contact: &strip.contact,
            bands: strip.bands.iter().map(|band| (band.from, band.to, band.state)).collect(),
        });
        let data = ChartData { height: self.height, t: &self.t, curves: curves.collect(), strips: strips.collect() };
        format!(
            "<figure class=\"chart\"><figcaption>{}{unit}</figcaption>{}</figure>\n",
            label::html(&self.label),
            data_element(&data)
        )
    }
}
