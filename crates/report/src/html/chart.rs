//! Interactive charts over time: cursors move together, dragging zooms all, a double click resets.

use serde::Serialize;

use super::embed::data_element;
use super::store::Store;
use super::theme::themed;
use crate::figure::{Axis, Figure, Panel, Series, Strip, Style};
use crate::label;
use crate::palette::{self, Role, State};
use crate::thinning::extreme_rows;

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
    /// Times that it opens on; the whole run if there are none.
    pub opens_on: Option<[f64; 2]>,
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
    /// Place of the times among the page's lists.
    t: usize,
    curves: Vec<CurveData>,
    strips: Vec<StripData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opens: Option<[f64; 2]>,
    text: String,
}

#[derive(Serialize)]
struct CurveData {
    /// HTML, escaped.
    name: String,
    /// Name of its colour.
    colour: &'static str,
    dash: &'static [u8],
    step: bool,
    /// Place among the page's lists.
    values: usize,
}

/// What the colours of strips mean: words do not fit into short bands.
fn key_of_states(strips: &[Strip]) -> String {
    let met = |state: &State| strips.iter().flat_map(|strip| &strip.bands).any(|band| band.state == *state);
    let entry = |state: State| {
        let colour = palette::name_of(state.tint()).unwrap_or("paper");
        format!("<span><i style=\"background: var(--{colour})\"></i>{}</span>", label::escape(state.word()))
    };
    let entries: String = State::ALL.into_iter().filter(met).map(entry).collect();
    if entries.is_empty() { entries } else { format!("<p class=\"key states\">{entries}</p>") }
}

#[derive(Serialize)]
struct StripData<'a> {
    contact: &'a str,
    bands: Vec<(f64, f64, State)>,
}

/// Rows of a still figure that stands in place of a chart.
const STILL: usize = 250;

/// Height of the charts of a row of small ones.
const SMALL: u32 = 170;

impl TimeChart {
    /// A chart of the usual height, without curves.
    pub fn new(label: impl Into<String>, unit: impl Into<String>, t: Vec<f64>) -> Self {
        Self {
            label: label.into(),
            unit: unit.into(),
            t,
            curves: Vec::new(),
            strips: Vec::new(),
            height: 240,
            opens_on: None,
        }
    }

    /// The chart with one more curve.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, role: Role, values: Vec<f64>) -> Self {
        self.curves.push(Curve { name: name.into(), role, values, step: false });
        self
    }

    /// The chart as a page element; the page's script fills it. Without scripts a still figure stands there.
    pub(super) fn to_html(&self, store: &mut Store, small: bool) -> String {
        let unit = match self.unit.as_str() {
            "" | "1" => String::new(),
            unit => format!(" <span class=\"unit\">({})</span>", label::html(unit)),
        };
        let t = store.add_times(&self.t);
        let curves = self.curves.iter().map(|curve| CurveData {
            name: label::html(&curve.name),
            colour: curve.role.name(),
            dash: curve.role.dash(),
            step: curve.step,
            values: store.add(&curve.values),
        });
        let curves = curves.collect();
        let shown = if !self.strips.is_empty() && store.first_strips() { self.strips.as_slice() } else { &[] };
        let strips = shown.iter().map(|strip| StripData {
            contact: &strip.contact,
            bands: strip.bands.iter().map(|band| (band.from, band.to, band.state)).collect(),
        });
        let text = self.in_words(shown);
        let height = if small { self.height.min(SMALL) } else { self.height };
        let opens = self.opens_on;
        let data = ChartData { height, t, curves, strips: strips.collect(), opens, text };
        format!(
            "<figure class=\"chart\"><figcaption>{}{unit}</figcaption>{}{}<noscript>{}</noscript></figure>\n",
            label::html(&self.label),
            key_of_states(shown),
            data_element(&data),
            themed(&self.still(shown).to_svg())
        )
    }

    /// What the chart shows, for those who do not see it: names, first and last values, ranges.
    fn in_words(&self, strips: &[Strip]) -> String {
        let unit = if self.unit == "1" { "" } else { &self.unit };
        let number = |v: f64| short(v);
        let ends = (self.t.first().copied().unwrap_or(0.0), self.t.last().copied().unwrap_or(0.0));
        let mut text = format!("{} over time, {} to {} s.", self.label, number(ends.0), number(ends.1));
        for curve in self.curves.iter().filter(|curve| !curve.name.is_empty()) {
            let mut known = curve.values.iter().copied().filter(|v| v.is_finite());
            let (Some(first), last) = (known.clone().next(), known.clone().next_back().unwrap_or(0.0)) else {
                continue;
            };
            let least = known.clone().fold(f64::INFINITY, f64::min);
            let most = known.by_ref().fold(f64::NEG_INFINITY, f64::max);
            text.push_str(&format!(
                " {}: from {} to {} {unit}, between {} and {}.",
                curve.name,
                number(first),
                number(last),
                number(least),
                number(most)
            ));
        }
        for strip in strips {
            let changes = strip.bands.len().saturating_sub(1);
            let first = strip.bands.first().map_or("", |band| band.state.word());
            text.push_str(&format!(" {}: {first} at first, {changes} changes.", strip.contact));
        }
        text
    }

    /// The same as a still figure.
    fn still(&self, strips: &[Strip]) -> Figure {
        let (from, to) = (self.t.first().copied().unwrap_or(0.0), self.t.last().copied().unwrap_or(1.0));
        let axis = Axis::linear("time", "s").from_to(from, if to > from { to } else { from + 1.0 });
        let mut panel = Panel::new(axis, Axis::linear(&self.label, &self.unit));
        panel.strips = strips.to_vec();
        panel.height = 150.0;
        let columns: Vec<&[f64]> = self.curves.iter().map(|curve| curve.values.as_slice()).collect();
        let rows = extreme_rows(&columns, STILL);
        for curve in &self.curves {
            let points = rows.iter().map(|&i| [self.t[i], curve.values[i]]).collect();
            let style = if curve.step { Style::Step } else { Style::Line };
            panel.series.push(Series { style, ..Series::line(&curve.name, curve.role, points) });
        }
        Figure { title: String::new(), ..Figure::stacked(vec![panel]) }
    }
}

/// Four digits, enough to be read aloud.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    let text = if rounded != 0.0 && !(1e-3..1e6).contains(&rounded.abs()) {
        format!("{rounded:e}")
    } else {
        format!("{}", rounded + 0.0)
    };
    text.replace('-', "−")
}
