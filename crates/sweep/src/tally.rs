//! What a dataset comes to: extremes, means, classes, errors, in one pass over its blocks.

use serde::Serialize;
use stickslip_report::table::dataset::Cells;

use crate::block::WARNED;
use crate::picture::quantile;
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
    /// Runs with warnings.
    pub warnings: u64,
    /// The first warning, and the point that has it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_warning: Option<(u64, String)>,
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
    /// Standard deviation of the values, with n − 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
    /// The values that 5, 25, 50, 75 and 95 % of the values lie below; none of more than [`MOST_SORTED`] points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quantiles: Option<[f64; 5]>,
}

/// Shares of the quantiles.
pub const SHARES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Points up to which values are put in order for quantiles.
pub const MOST_SORTED: u64 = 1_000_000;

/// Goes through the dataset once.
pub fn tally(folder: &Folder) -> Result<Tally, SweepError> {
    let columns = folder.columns();
    let numbers = columns.iter().filter(|column| !column.text);
    let mut tally = Tally {
        columns: numbers
            .map(|c| Column {
                name: c.name.clone(),
                unit: c.unit.clone(),
                known: 0,
                range: None,
                mean: None,
                sd: None,
                quantiles: None,
            })
            .collect(),
        ..Tally::default()
    };
    let mut sums = vec![0.0; tally.columns.len()];
    // Running mean and squares about it (Welford).
    let mut spreads = vec![[0.0_f64; 2]; tally.columns.len()];
    let own = folder.points();
    let sorts = own.end - own.start <= MOST_SORTED;
    let mut kept: Vec<Vec<f64>> = vec![Vec::new(); tally.columns.len()];
    folder.each_block(|first, cells| {
        tally.points += cells.first().map_or(0, Cells::len) as u64;
        let mut next = 0;
        for (description, cells) in columns.iter().zip(cells) {
            match cells {
                Cells::Numbers(values) => {
                    let (column, sum) = (&mut tally.columns[next], &mut sums[next]);
                    let ([mean, squares], kept) = (&mut spreads[next], &mut kept[next]);
                    next += 1;
                    for (point, value) in (first..).zip(values).filter(|(_, value)| value.is_finite()) {
                        column.known += 1;
                        *sum += value;
                        let off = value - *mean;
                        *mean += off / column.known as f64;
                        *squares += off * (value - *mean);
                        if sorts {
                            kept.push(*value);
                        }
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
                        let (count, first, text) = match error.strip_prefix(WARNED) {
                            Some(warning) => (&mut tally.warnings, &mut tally.first_warning, warning),
                            None => (&mut tally.errors, &mut tally.first_error, error.as_str()),
                        };
                        *count += 1;
                        first.get_or_insert_with(|| (point, text.to_string()));
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
    for (column, ([_, squares], mut values)) in tally.columns.iter_mut().zip(spreads.into_iter().zip(kept)) {
        let several = column.known > 1;
        column.sd = several.then(|| (squares / (column.known - 1) as f64).sqrt()).filter(|sd| sd.is_finite());
        values.sort_unstable_by(f64::total_cmp);
        column.quantiles = (several && !values.is_empty()).then(|| SHARES.map(|share| quantile(&values, share)));
    }
    Ok(tally)
}
