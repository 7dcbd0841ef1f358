//! What several runs come to, one beside the other.

use stickslip_report::html::{Content, Section, TextTable};

use crate::Measures;
use crate::text::number_to;
use crate::view::DataTable;

/// A measure of all runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedMeasure {
    /// Its name.
    pub name: String,
    /// Its unit, `1` for pure numbers.
    pub unit: &'static str,
    /// Its value in each run; none where a run does not have it.
    pub values: Vec<Option<f64>>,
}

impl ComparedMeasure {
    /// How far a run is from the first.
    pub fn difference(&self, run: usize) -> Option<f64> {
        Some(self.values.get(run).copied()?? - self.values.first().copied()??)
    }

    /// Value in each run, with the difference from the first behind it.
    pub fn in_words(&self) -> Vec<String> {
        let word = |(run, value): (usize, &Option<f64>)| match (value, self.difference(run)) {
            (None, _) => "–".to_string(),
            (Some(value), Some(difference)) if run > 0 => {
                let sign = if difference > 0.0 { "+" } else { "" };
                format!("{} ({sign}{})", number_to(*value, 6), number_to(difference, 3))
            }
            (Some(value), _) => number_to(*value, 6),
        };
        self.values.iter().enumerate().map(word).collect()
    }
}

/// The measures of all runs: those that any of them lists, or those asked for.
pub(super) fn compared(runs: &[&Measures], asked: Option<&[String]>) -> Vec<ComparedMeasure> {
    let mut found: Vec<ComparedMeasure> = Vec::new();
    for measures in runs {
        let listed = measures.listed().map(|measure| measure.name.as_str());
        let wanted: Vec<&str> =
            asked.map_or_else(|| listed.collect(), |names| names.iter().map(String::as_str).collect());
        for measure in measures.all.iter().filter(|measure| wanted.contains(&measure.name.as_str())) {
            if !found.iter().any(|known| known.name == measure.name) {
                let values = runs.iter().map(|run| run.value(&measure.name)).collect();
                found.push(ComparedMeasure { name: measure.name.clone(), unit: measure.unit, values });
            }
        }
    }
    found
}

/// As a table of the report.
pub(super) fn section(names: &[&str], measures: &[ComparedMeasure]) -> Option<Section> {
    let unit = |unit: &'static str| if unit == "1" { String::new() } else { unit.to_string() };
    let row = |measure: &ComparedMeasure| [vec![measure.name.clone(), unit(measure.unit)], measure.in_words()].concat();
    let header = ["measure", "unit"].into_iter().chain(names.iter().copied()).map(String::from).collect();
    (!measures.is_empty()).then(|| Section {
        heading: "What they come to".into(),
        text: "In brackets: the difference from the first.".into(),
        content: vec![Content::Table(TextTable { header, rows: measures.iter().map(row).collect() })],
    })
}

/// As data.
pub(super) fn data(names: &[&str], measures: &[ComparedMeasure]) -> DataTable {
    let header: Vec<&str> = ["measure", "unit"].into_iter().chain(names.iter().copied()).collect();
    let number = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let row = |measure: &ComparedMeasure| {
        let values: Vec<String> = measure.values.iter().map(number).collect();
        [vec![measure.name.clone(), measure.unit.to_string()], values].concat()
    };
    DataTable { rows: measures.iter().map(row).collect(), ..DataTable::new("measures", &header) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_from_the_first() {
        let measure = ComparedMeasure { name: "period".into(), unit: "s", values: vec![Some(2.0), None, Some(2.5)] };
        assert_eq!(measure.in_words(), ["2", "–", "2.5 (+0.5)"]);
        assert_eq!(measure.difference(2), Some(0.5));
    }
}
