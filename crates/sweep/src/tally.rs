//! What a dataset comes to: extremes, means, classes, errors, in one pass over its blocks.

use serde::Serialize;
use stickslip_report::table::dataset::Cells;

use crate::{Folder, SweepError};

/// What a sweep came to; `summary.json` holds it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Tally {
    /// Points.
    pub points: u64,
    /// Points with errors.
    pub errors: u64,
    /// The first error, and the point that has it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_error: Option<(u64, String)>,
    /// How many points each class has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<(String, u64)>,
    /// The columns of numbers.
    pub columns: Vec<Column>,
}

/// What a column of numbers came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Points that have a value.
    pub known: u64,
    /// Least and greatest value, and the points that have them first, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[(u64, f64); 2]>,
    /// Mean of the values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

/// Goes through the dataset once.
pub fn tally(folder: &Folder) -> Result<Tally, SweepError> {
    let columns = folder.columns();
    let numbers = columns.iter().filter(|column| !column.text);
    let mut tally = Tally {
        columns: numbers
            .map(|c| Column { name: c.name.clone(), unit: c.unit.clone(), known: 0, range: None, mean: None })
            .collect(),
        ..Tally::default()
    };
    let mut sums = vec![0.0; tally.columns.len()];
    folder.each_block(|first, cells| {
        tally.points += cells.first().map_or(0, Cells::len) as u64;
        let mut next = 0;
        for (description, cells) in columns.iter().zip(cells) {
            match cells {
                Cells::Numbers(values) => {
                    let (column, sum) = (&mut tally.columns[next], &mut sums[next]);
                    next += 1;
                    for (point, value) in (first..).zip(values).filter(|(_, value)| value.is_finite()) {
                        column.known += 1;
                        *sum += value;
                        let [least, greatest] = column.range.get_or_insert([(point, *value); 2]);
                        if *value < least.1 {
                            *least = (point, *value);
                        }
                        if *value > greatest.1 {
                            *greatest = (point, *value);
                        }
                    }
                }
                Cells::Texts(texts) if description.name == "error" => {
                    for (point, error) in (first..).zip(texts) {
                        let Some(error) = error else { continue };
                        tally.errors += 1;
                        tally.first_error.get_or_insert_with(|| (point, error.clone()));
                    }
                }
                Cells::Texts(texts) if description.name == "class" => {
                    for class in texts.iter().flatten() {
                        match tally.classes.iter_mut().find(|(known, _)| known == class) {
                            Some((_, count)) => *count += 1,
                            None => tally.classes.push((class.clone(), 1)),
                        }
                    }
                }
                Cells::Texts(_) => {}
            }
        }
        Ok(())
    })?;
    for (column, sum) in tally.columns.iter_mut().zip(sums) {
        column.mean = (column.known > 0).then(|| sum / column.known as f64).filter(|mean| mean.is_finite());
    }
    Ok(tally)
}
