//! Measures: what a run comes to, in numbers with names.
//!
//! A [`Gauge`] looks on while a run is recorded: it sees every recorded row and, besides, the state at the very instant of
//! every event, so that what ends with an event (a stop, a period) is as exact as the scheme and does not depend on how
//! often rows are recorded.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use stickslip_core::law::State;
use stickslip_core::record::column_part;
use stickslip_core::scheme::Event;
use stickslip_core::simulation::{Samples, Simulation, SimulationError, Sink, SinkError};
use stickslip_scenario::{Measurable, Scheme};

use crate::run::samples;
use crate::text::number_to;
use crate::view::DataTable;
use crate::{RunFailure, Scenario, TimeModel};

/// Measures that a report begins with at the most.
const KEYS: usize = 4;

/// What a gauge sees: a recorded row, or the state at the instant of events.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// When \[s\].
    pub t: f64,
    /// What is recorded of the state.
    pub row: &'a [f64],
    /// What the contacts do from here on.
    pub contacts: &'a [State],
    /// What changed at this instant; nothing in a row of the recording.
    pub changes: &'a [Event],
}

/// Makes runs like the one that is measured, from its start.
pub type Rerun<'a> = &'a dyn Fn() -> Result<Box<dyn Simulation>, SimulationError>;

/// Looks on at a run and measures it.
pub trait Gauge {
    /// A row, or the state at an event; those of one instant may come twice.
    fn see(&mut self, seen: &Seen<'_>);

    /// What came of it, once the run has ended. Where the state at another instant is needed, a run like it is made again.
    fn measures(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError>;

    /// What else there is to tell, as tables of their own; nothing by default.
    fn tables(&self, _ended: &dyn Simulation, _again: Rerun<'_>) -> Result<Vec<DataTable>, SimulationError> {
        Ok(Vec::new())
    }
}

/// Takes in every step of a run, and measures it without a run like it.
pub trait StepGauge: Sink {
    /// What came of it, once the run has ended.
    fn measures(self: Box<Self>) -> Vec<Measure>;
}

/// Where a measure is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Among the first of all: at the top of the report.
    Key,
    /// In terminal and report.
    Listed,
    /// In `summary.json` alone: one of many wheels or contacts.
    File,
}

/// One number that a run comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Its name: `stopping_distance`, `lock_time_front_left`.
    pub name: String,
    /// Its value, in SI units.
    pub value: f64,
    /// Its unit, `1` for pure numbers.
    pub unit: &'static str,
    /// What it is, in words.
    pub words: String,
    /// Where it is shown.
    pub place: Place,
    /// What the scenario expects of it.
    pub expected: Option<f64>,
}

impl Measure {
    /// One of the measures of a model.
    pub fn new(measurable: &Measurable, value: f64) -> Measure {
        Measure {
            name: measurable.name.to_string(),
            value: value + 0.0,
            unit: measurable.unit,
            words: measurable.words.to_string(),
            place: Place::Listed,
            expected: None,
        }
    }

    /// The same of one of many parts.
    pub fn of_part(measurable: &Measurable, part: &str, value: f64) -> Measure {
        Measure {
            name: format!("{}_{}", measurable.name, column_part(part)),
            words: format!("{part}: {}", measurable.words),
            place: Place::File,
            ..Measure::new(measurable, value)
        }
    }

    /// Shown at this place.
    #[must_use]
    pub fn at(self, place: Place) -> Measure {
        Measure { place, ..self }
    }

    /// The value with its unit, and what was expected.
    pub fn value_in_words(&self) -> String {
        let unit = if self.unit == "1" { String::new() } else { format!(" {}", self.unit) };
        match self.expected_in_words() {
            None => format!("{}{unit}", number_to(self.value, 6)),
            Some(expected) => format!("{}{unit} ({expected})", number_to(self.value, 10)),
        }
    }

    /// What the scenario expects: `expected 8.9 s, differs by 2e-9 s`; none if it expects nothing.
    pub fn expected_in_words(&self) -> Option<String> {
        let expected = self.expected?;
        let off = number_to(self.value - expected, 2);
        let unit = if self.unit == "1" { String::new() } else { format!(" {}", self.unit) };
        Some(format!("expected {}{unit}, differs by {off}{unit}", number_to(expected, 10)))
    }
}

/// All measures of a run. In JSON: `measures`, name → value, `measure_units` beside it, and `expected` where the scenario
/// expects something.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures {
    /// The measures, in the order of the model.
    pub all: Vec<Measure>,
    /// What the scenario expects and the run does not have.
    pub missing: Vec<(String, f64)>,
}

impl Measures {
    /// With what a scenario expects of them.
    pub fn new(mut all: Vec<Measure>, expected: &[(String, f64)]) -> Measures {
        all.retain(|measure| measure.value.is_finite());
        let mut missing = Vec::new();
        for (name, value) in expected {
            match all.iter_mut().find(|measure| measure.name == *name) {
                Some(measure) => measure.expected = Some(*value),
                None => missing.push((name.clone(), *value)),
            }
        }
        Measures { all, missing }
    }

    /// The value of one, by its name.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.all.iter().find(|measure| measure.name == name).map(|measure| measure.value)
    }

    /// The most important ones, up to four, in order.
    pub fn key(&self) -> Vec<&Measure> {
        self.all.iter().filter(|measure| measure.place == Place::Key).take(KEYS).collect()
    }

    /// Those that terminal and report list: all but those of single parts, unless something is expected of them.
    pub fn listed(&self) -> impl Iterator<Item = &Measure> {
        self.all.iter().filter(|measure| measure.place != Place::File || measure.expected.is_some())
    }

    /// How many are in the summary only.
    pub fn unlisted(&self) -> usize {
        self.all.len() - self.listed().count()
    }

    /// In words, what the scenario expects and the run does not have.
    pub fn missing_in_words(&self) -> impl Iterator<Item = String> {
        self.missing.iter().map(|(name, value)| format!("{name}: expected {}, but not found", number_to(*value, 10)))
    }
}

/// What a scenario expects of a measure, beside it.
#[derive(Serialize)]
struct Beside {
    value: f64,
    differs_by: Option<f64>,
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        struct Pairs<'a, T>(Vec<(&'a str, T)>);
        impl<T: Serialize> Serialize for Pairs<'_, T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
            }
        }
        let mut map = serializer.serialize_map(None)?;
        let each = || self.all.iter();
        map.serialize_entry("measures", &Pairs(each().map(|m| (m.name.as_str(), m.value)).collect()))?;
        map.serialize_entry("measure_units", &Pairs(each().map(|m| (m.name.as_str(), m.unit)).collect()))?;
        let beside = |m: &'_ Measure| m.expected.map(|value| Beside { value, differs_by: Some(m.value - value) });
        let mut expected: Vec<(&str, Beside)> = each().filter_map(|m| Some((m.name.as_str(), beside(m)?))).collect();
        expected.extend(self.missing.iter().map(|(name, v)| (name.as_str(), Beside { value: *v, differs_by: None })));
        if !expected.is_empty() {
            map.serialize_entry("expected", &Pairs(expected))?;
        }
        map.end()
    }
}

/// The measures of a scenario in time, without files: those that its run writes.
pub fn measure(scenario: &Scenario) -> Result<Measures, RunFailure> {
    let model = scenario.model.in_time()?;
    Ok(Measures::new(
        record_measured(&*model, scenario.run.scheme, samples(scenario), &mut Nothing)?,
        &scenario.expected,
    ))
}

/// Runs a model from its start, shows every row and event to `recorder`, and measures it.
pub fn record_measured(
    model: &dyn TimeModel,
    scheme: Scheme,
    samples: Samples,
    recorder: &mut dyn Sink,
) -> Result<Vec<Measure>, SimulationError> {
    let again = || model.simulation(scheme, samples.grid.h);
    let mut run = again()?;
    let Some(mut gauge) = model.gauge() else {
        run.record(samples, recorder)?;
        return Ok(Vec::new());
    };
    run.record(samples, &mut Measured { recorder, gauge: &mut *gauge, changes: Vec::new() })?;
    gauge.measures(&*run, &again)
}

/// Writes nothing down.
struct Nothing;

impl Sink for Nothing {
    fn row(&mut self, _: u64, _: f64, _: &[f64], _: &[State]) -> Result<(), SinkError> {
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}

/// Shows a run to its recorder and to a gauge.
pub(crate) struct Measured<'a> {
    /// Writes it down.
    pub recorder: &'a mut dyn Sink,
    /// Measures it.
    pub gauge: &'a mut dyn Gauge,
    /// Events of an instant whose state has not been shown yet.
    pub changes: Vec<Event>,
}

impl Sink for Measured<'_> {
    fn row(&mut self, n: u64, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError> {
        self.recorder.row(n, t, row, contacts)?;
        self.gauge.see(&Seen { t, row, contacts, changes: &[] });
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.changes.push(*event);
        self.recorder.event(event)
    }

    fn changed(&mut self, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError> {
        self.recorder.changed(t, row, contacts)?;
        self.gauge.see(&Seen { t, row, contacts, changes: &self.changes });
        self.changes.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: Measurable = Measurable::whole("period", "s", "period");
    const LOCK: Measurable = Measurable::each("lock_time", "s", "time locked");

    #[test]
    fn what_is_expected_stands_beside_what_came_out() {
        let all = vec![Measure::new(&PERIOD, 2.5).at(Place::Key), Measure::of_part(&LOCK, "front left", 1.0)];
        let measures = Measures::new(all, &[("period".into(), 2.0), ("amplitude".into(), 3.0)]);
        let json = serde_json::to_value(&measures).expect("there");
        assert_eq!(json["measures"]["period"], 2.5);
        assert_eq!(json["measures"]["lock_time_front_left"], 1.0);
        assert_eq!(json["measure_units"]["period"], "s");
        assert_eq!(json["expected"]["period"]["differs_by"], 0.5);
        assert!(json["expected"]["amplitude"]["differs_by"].is_null());
        assert_eq!(measures.key().len(), 1);
        assert_eq!(measures.listed().count(), 1);
        assert_eq!(measures.unlisted(), 1);
        assert_eq!(measures.value("period"), Some(2.5));
        assert!(measures.all[0].value_in_words().contains("expected 2 s, differs by 0.5 s"));
        assert_eq!(measures.missing_in_words().next().expect("there"), "amplitude: expected 3, but not found");
    }

    #[test]
    fn what_is_no_number_is_no_measure() {
        assert!(Measures::new(vec![Measure::new(&PERIOD, f64::NAN)], &[]).all.is_empty());
    }
}
