//! What vehicles with a front and a rear wheel in one plane share: names, flights of wheels, and how they are drawn.

use stickslip_report::figure::Figure;
use stickslip_report::html::Content;
use stickslip_report::palette::Role;
use stickslip_run::view::{Curve, Group, Thinned};
use stickslip_run::{Measure, Place, Trace};
use stickslip_scenario::Measurable;

/// Names of the wheels, in order.
pub(crate) const WHEELS: [&str; 2] = ["front", "rear"];

pub(crate) const GREATEST_PITCH: Measurable = Measurable::whole(
    "greatest_pitch",
    "rad",
    "greatest pitch in size, nose up positive; by events at its very turning point",
);
pub(crate) const GREATEST_PITCH_TIME: Measurable = Measurable::whole("greatest_pitch_time", "s", "when that was");

/// A column of each wheel, times a factor.
pub(crate) fn each_wheel(thinned: &Thinned<'_>, short: &str, factor: f64) -> Vec<Curve> {
    let each = WHEELS.into_iter().zip([Role::Second, Role::Third]);
    each.map(|(name, role)| thinned.curve(name, role, &format!("{short}_{name}"), factor)).collect()
}

/// All groups of curves below each other, the strips of wheels above the first.
pub(crate) fn figure(thinned: &Thinned<'_>, groups: &[Group], trace: &Trace) -> Figure {
    let mut panels: Vec<_> = groups.iter().map(|group| thinned.panel(group)).collect();
    panels.iter_mut().for_each(|panel| panel.height = 120.0);
    if let Some(first) = panels.first_mut() {
        first.strips = trace.strips();
    }
    Figure::stacked(panels)
}

/// The same as charts of a page.
pub(crate) fn charts(thinned: &Thinned<'_>, groups: &[Group], trace: &Trace) -> Vec<Content> {
    let chart = |group: &Group| {
        let mut chart = thinned.chart(group);
        (chart.strips, chart.height) = (trace.strips(), 150);
        Content::Chart(chart)
    };
    groups.iter().map(chart).collect()
}

/// The greatest pitch in size, and when it was.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GreatestPitch {
    pub pitch: f64,
    pub t: f64,
}

impl GreatestPitch {
    /// Takes another pitch in.
    pub fn see(&mut self, pitch: f64, t: f64) {
        if pitch.abs() > self.pitch.abs() {
            *self = GreatestPitch { pitch, t };
        }
    }

    /// As measures.
    pub fn measures(&self) -> [Measure; 2] {
        [
            Measure::new(&GREATEST_PITCH, self.pitch).at(Place::Key),
            Measure::new(&GREATEST_PITCH_TIME, self.t).at(Place::File),
        ]
    }
}

/// When and how long a wheel is in the air.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Flights {
    /// Its first lift.
    pub first: Option<f64>,
    /// Its last landing.
    pub landed: Option<f64>,
    /// Time in the air, without the flight it is in.
    ended: f64,
    /// Since when it is in the air.
    since: Option<f64>,
}

impl Flights {
    /// Takes in whether it flies at t.
    pub fn see(&mut self, flies: bool, t: f64) {
        match (flies, self.since) {
            (true, None) => {
                self.first.get_or_insert(t);
                self.since = Some(t);
            }
            (false, Some(since)) => (self.ended, self.since, self.landed) = (self.ended + t - since, None, Some(t)),
            _ => {}
        }
    }

    /// Time in the air until then.
    pub fn air(&self, until: f64) -> f64 {
        self.ended + self.since.map_or(0.0, |since| until - since)
    }
}
