//! Small tables of a run beside its trajectory: section points, exponents, periods, limit directions.

use crate::RunFailure;

/// A table that is written as a CSV file of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct DataTable {
    /// Name of the file, without ending.
    pub name: &'static str,
    /// Names of the columns, with units in brackets where they have one: `t [s]`.
    pub header: Vec<String>,
    /// Its rows; empty where there is no value.
    pub rows: Vec<Vec<String>>,
}

impl DataTable {
    /// Without rows.
    pub fn new(name: &'static str, header: &[&str]) -> DataTable {
        DataTable { name, header: header.iter().map(|head| head.to_string()).collect(), rows: Vec::new() }
    }

    /// With one more row of numbers.
    pub fn push(&mut self, row: &[f64]) {
        self.rows.push(row.iter().map(|value| (value + 0.0).to_string()).collect());
    }

    /// The file's text; units stand behind the names of columns if they are wanted.
    pub fn to_csv(&self, units: bool) -> Result<String, RunFailure> {
        let head = |head: &String| match head.rsplit_once(" [") {
            Some((name, _)) if !units && head.ends_with(']') => name.to_string(),
            _ => head.clone(),
        };
        let header: Vec<String> = self.header.iter().map(head).collect();
        let failed = |error: String| RunFailure::Simulation(error);
        let mut table = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&header).chain(&self.rows) {
            table.write_record(row).map_err(|error| failed(error.to_string()))?;
        }
        let bytes = table.into_inner().map_err(|error| failed(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_as_text() {
        let mut table = DataTable::new("periods", &["t [s]", "period [s]"]);
        table.push(&[1.5, -0.0]);
        assert_eq!(table.to_csv(true).expect("written"), "t [s],period [s]\n1.5,0\n");
        assert_eq!(table.to_csv(false).expect("written"), "t,period\n1.5,0\n");
    }
}
