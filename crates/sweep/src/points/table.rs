//! Points from a CSV file: a header of keys, a row for each.

use std::path::Path;

use sha2::{Digest, Sha256};
use stickslip_scenario::delimiter;
use stickslip_scenario::sweep::{Amount, Value};

use crate::SweepError;

/// Longest file that is read.
const MOST_BYTES: u64 = 1 << 30;

/// Rows of values.
#[derive(Debug, Clone)]
pub(super) struct Table {
    names: Vec<String>,
    columns: Vec<Column>,
    rows: usize,
    hash: String,
}

/// A column, small where it holds numbers.
#[derive(Debug, Clone)]
enum Column {
    Numbers(Vec<f64>),
    Others(Vec<Value>),
}

impl Table {
    pub fn read(path: &Path) -> Result<Table, SweepError> {
        let shown = path.display();
        let wrong = |message: String| {
            SweepError::input(
                message,
                "a file of points has a header of dotted keys and a row of values for each point",
            )
        };
        let unreadable = |error: std::io::Error| wrong(format!("cannot read {shown}: {error}"));
        let facts = std::fs::metadata(path).map_err(unreadable)?;
        if !facts.is_file() || facts.len() > MOST_BYTES {
            return Err(wrong(format!("cannot read {shown}: it is no file of at most {} MiB", MOST_BYTES >> 20)));
        }
        let bytes = std::fs::read(path).map_err(unreadable)?;
        let hash = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).delimiter(delimiter(&bytes)).from_reader(bytes.as_slice());
        let head = reader.headers().map_err(|error| wrong(format!("{shown}: {error}")))?;
        let names: Vec<String> = head.iter().map(String::from).collect();
        let mut cells: Vec<Vec<Value>> = vec![Vec::new(); names.len()];
        let mut row = csv::StringRecord::new();
        let mut rows = 0;
        while reader.read_record(&mut row).map_err(|error| wrong(format!("{shown}: {error}")))? {
            rows += 1;
            for ((cell, column), name) in row.iter().zip(&mut cells).zip(&names) {
                if let Some(meant) = with_decimal_point(cell) {
                    let message = format!("{shown}: row {rows} has {cell:?} for `{name}`; a decimal point is expected");
                    return Err(SweepError::input(message, format!("write {meant}")));
                }
                column.push(value(cell).ok_or_else(|| {
                    wrong(format!(
                        "{shown}: row {rows} has {cell:?} for `{name}`, which is neither a finite number nor a word"
                    ))
                })?);
            }
        }
        if rows == 0 || names.is_empty() {
            return Err(wrong(format!("{shown} has no points")));
        }
        let columns = cells.into_iter().map(|values| match values.iter().map(number).collect::<Option<Vec<f64>>>() {
            Some(numbers) => Column::Numbers(numbers),
            None => Column::Others(values),
        });
        Ok(Table { columns: columns.collect(), names, rows, hash })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    pub fn values(&self, row: usize, out: &mut [Value]) {
        for (slot, column) in out.iter_mut().zip(&self.columns) {
            *slot = match column {
                Column::Numbers(values) => values.get(row).map_or(Value::Whole(0), |value| Value::Number(*value)),
                Column::Others(values) => values.get(row).cloned().unwrap_or(Value::Whole(0)),
            };
        }
    }

    pub fn is_text(&self, name: &str) -> bool {
        let column = self.names.iter().position(|known| known == name).and_then(|number| self.columns.get(number));
        matches!(column, Some(Column::Others(values)) if values.iter().any(|value| value.number().is_none()))
    }

    /// The words of each column, by its name.
    pub fn texts(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        let words = |column: &Column| match column {
            Column::Others(values) => values
                .iter()
                .filter_map(|value| match value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            Column::Numbers(_) => Vec::new(),
        };
        self.names.iter().zip(&self.columns).map(move |(name, column)| (name.clone(), words(column)))
    }

    /// The first row, and the first with a word of each column that holds words.
    pub fn representatives(&self) -> Vec<usize> {
        let word = |column: &Column| match column {
            Column::Others(values) => values.iter().position(|value| value.number().is_none()),
            Column::Numbers(_) => None,
        };
        let mut rows: Vec<usize> = self.columns.iter().filter_map(word).chain([0]).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Some of the rows as a CSV file: read again, they hold the same values.
    pub fn written(&self, rows: &[usize]) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut row = vec![Value::Whole(0); self.columns.len()];
        let cell = |value: &Value| match value {
            Value::Text(text) => text.clone(),
            other => other.written(),
        };
        // Nothing is refused by memory.
        let _ = writer.write_record(&self.names);
        for number in rows {
            self.values(*number, &mut row);
            let _ = writer.write_record(row.iter().map(cell));
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    pub fn described(&self) -> String {
        format!("{:?} {}", self.names, self.hash)
    }
}

/// A number that is written with a decimal comma, with a point.
fn with_decimal_point(cell: &str) -> Option<String> {
    let meant = cell.replacen(',', ".", 1);
    (meant != cell && Amount::read(&meant).is_ok()).then_some(meant)
}

/// A number that is not a whole one: whole ones stay as they are, for keys that count.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(value) => Some(*value),
        _ => None,
    }
}

fn value(cell: &str) -> Option<Value> {
    match cell {
        "" => None,
        "true" | "false" => Some(Value::Flag(cell == "true")),
        _ => match (cell.parse::<i64>(), Amount::read(cell)) {
            (Ok(whole), _) => Some(Value::Whole(whole)),
            (_, Ok(amount)) => Some(Value::Number(amount.si)),
            (_, Err(_)) if cell.parse::<f64>().is_ok() => None,
            _ => Some(Value::Text(cell.to_string())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_points() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("points.csv");
        std::fs::write(&path, "wheel.mass, run.scheme\n\"1.2 t\", events\n300.5, implicit-euler\n").expect("written");
        let table = Table::read(&path).expect("read");
        assert_eq!(table.names().collect::<Vec<_>>(), ["wheel.mass", "run.scheme"]);
        let mut row = vec![Value::Whole(0); 2];
        table.values(0, &mut row);
        assert_eq!(row, [Value::Number(1200.0), Value::Text("events".into())]);
        for (text, wanted) in [
            ("a,b\n1,\n", "neither"),
            ("a;b\n1;2,5\n", "decimal point"),
            ("a,b\n", "no points"),
            ("a,b\n1,2,3\n", "3 fields"),
            ("a\nnan\n", "neither"),
        ] {
            std::fs::write(&path, text).expect("written");
            let error = Table::read(&path).expect_err(text).to_string();
            assert!(error.contains(wanted), "{text}: {error}");
        }
        for text in ["wheel.mass;run.scheme\n300.5;events\n", "wheel.mass\trun.scheme\r\n300.5\tevents\r\n"] {
            std::fs::write(&path, text).expect("written");
            let table = Table::read(&path).expect("read");
            table.values(0, &mut row);
            assert_eq!(row, [Value::Number(300.5), Value::Text("events".into())], "{text}");
        }
        assert!(Table::read(&folder.path().join("none.csv")).is_err());
    }
}
