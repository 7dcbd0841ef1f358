//! Tables: rows of numbers streamed to CSV and, with the feature `parquet`, to Parquet.
//!
//! Memory is bounded whatever the length of the run: CSV text is flushed every 256 KiB, Parquet
//! every [`ROWS_PER_GROUP`] rows. Floats are written as the shortest decimal that reads back to the
//! same bits; −0 is written as 0. A NaN or an infinity is an [`Error`], never a cell.

#[cfg(feature = "parquet")]
mod arrow_schema;
mod csv;
pub mod dataset;
mod events;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_block;

pub use events::EventWriter;

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// Rows held in memory before a Parquet row group is written.
pub const ROWS_PER_GROUP: usize = 65_536;

/// Whole numbers up to here are exact in a float.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Short name, as in the CSV header.
    pub name: Cow<'static, str>,
    /// SI unit, `1` for pure numbers.
    pub unit: &'static str,
    /// What it is, in a few words.
    pub meaning: Cow<'static, str>,
    /// Whether only whole numbers occur.
    pub integer: bool,
}

impl Column {
    /// A column of real numbers.
    pub const fn real(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
        Column { name: Cow::Borrowed(name), unit, meaning: Cow::Borrowed(meaning), integer: false }
    }

    /// A column of whole numbers.
    pub const fn whole(name: &'static str, meaning: &'static str) -> Column {
        Column { name: Cow::Borrowed(name), unit: "1", meaning: Cow::Borrowed(meaning), integer: true }
    }
}

/// Which files a [`TableWriter`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Formats {
    /// Text, one header line of names.
    pub csv: bool,
    /// Columns with units and meanings in the metadata of file and fields; ignored without the feature `parquet`.
    pub parquet: bool,
    /// Whether the header of the text has units behind the names: `x1 [m/s]`.
    pub units: bool,
}

impl Formats {
    /// Every format this build can write.
    pub const ALL: Self = Self { csv: true, parquet: true, units: false };
    /// Text only.
    pub const CSV: Self = Self { csv: true, parquet: false, units: false };

    /// The same with units in the header, or without.
    #[must_use]
    pub const fn with_units(self, units: bool) -> Self {
        Self { units, ..self }
    }
}

/// The name of a column in the header of a CSV file.
fn head(column: &Column, units: bool) -> Cow<'_, str> {
    if units && column.unit != "1" {
        Cow::Owned(format!("{} [{}]", column.name, column.unit))
    } else {
        Cow::Borrowed(&column.name)
    }
}

/// Streams rows to `<folder>/<name>.csv` and `<folder>/<name>.parquet`, or keeps them in memory.
#[derive(Debug)]
pub struct TableWriter {
    stem: PathBuf,
    columns: Vec<Column>,
    row: Vec<f64>,
    rows: u64,
    csv: Option<csv::CsvSink>,
    #[cfg(feature = "parquet")]
    parquet: Option<parquet::ParquetSink>,
    /// One list per column; none where rows are not kept.
    kept: Vec<Vec<f64>>,
}

/// What a finished table consists of.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// Number of rows, the header not counted.
    pub rows: u64,
    /// The files, in the order CSV, Parquet.
    pub paths: Vec<PathBuf>,
    /// The columns, where they were kept in memory.
    pub kept: Vec<Vec<f64>>,
}

impl TableWriter {
    /// Creates the files (and the folder) and writes the header.
    ///
    /// `metadata` are key-value pairs for the Parquet file (scenario hash, version, …); the key
    /// `stickslip.columns` is added: a JSON array of name, unit, meaning, integer; and `ARROW:schema`, from which Arrow, pandas
    /// and polars take the metadata of every field, `unit` and `meaning`.
    ///
    /// # Errors
    /// [`Error::Io`] or [`Error::Parquet`] when a file cannot be created.
    pub fn create(
        folder: &Path,
        name: &str,
        columns: &[Column],
        formats: Formats,
        metadata: &[(&str, &str)],
    ) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        let stem = folder.join(name);
        let csv = if formats.csv {
            let path = folder.join(format!("{name}.csv"));
            Some(csv::CsvSink::create(path, columns, formats.units)?)
        } else {
            None
        };
        #[cfg(feature = "parquet")]
        let parquet = if formats.parquet {
            let path = folder.join(format!("{name}.parquet"));
            Some(parquet::ParquetSink::create(path, columns, metadata)?)
        } else {
            None
        };
        #[cfg(not(feature = "parquet"))]
        let _ = metadata;
        Ok(Self {
            stem,
            columns: columns.to_vec(),
            row: vec![0.0; columns.len()],
            rows: 0,
            csv,
            #[cfg(feature = "parquet")]
            parquet,
            kept: Vec::new(),
        })
    }

    /// A table of about this many rows that is kept in memory, column by column: the same numbers as in files, in lists that need not
    /// grow.
    pub fn in_memory(name: &str, columns: &[Column], rows: usize) -> Self {
        Self {
            stem: PathBuf::from(name),
            columns: columns.to_vec(),
            row: vec![0.0; columns.len()],
            rows: 0,
            csv: None,
            #[cfg(feature = "parquet")]
            parquet: None,
            kept: columns.iter().map(|_| Vec::with_capacity(rows)).collect(),
        }
    }

    /// Appends one row; nothing of a refused row is written.
    ///
    /// # Errors
    /// [`Error::RowLength`], [`Error::NotFinite`], [`Error::NotWhole`], or a failure to write.
    pub fn row(&mut self, values: &[f64]) -> Result<(), Error> {
        self.check(values)?;
        for (cell, value) in self.row.iter_mut().zip(values) {
            // −0 + 0 = +0, every other number is unchanged.
            *cell = value + 0.0;
        }
        if let Some(csv) = &mut self.csv {
            csv.row(&self.row)?;
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            parquet.row(&self.row)?;
        }
        for (kept, value) in self.kept.iter_mut().zip(&self.row) {
            kept.push(*value);
        }
        self.rows += 1;
        Ok(())
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Flushes and closes the files. A Parquet file that was not finished cannot be read.
    ///
    /// # Errors
    /// A failure to write the rest.
    pub fn finish(self) -> Result<Finished, Error> {
        let mut paths = Vec::new();
        if let Some(csv) = self.csv {
            paths.push(csv.finish()?);
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = self.parquet {
            paths.push(parquet.finish()?);
        }
        Ok(Finished { rows: self.rows, paths, kept: self.kept })
    }

    fn check(&self, values: &[f64]) -> Result<(), Error> {
        if values.len() != self.columns.len() {
            return Err(Error::RowLength {
                path: self.stem.clone(),
                row: self.rows,
                expected: self.columns.len(),
                found: values.len(),
            });
        }
        for (column, &value) in self.columns.iter().zip(values) {
            if !value.is_finite() {
                let place = match (self.columns.first(), values.first()) {
                    (Some(first), Some(at)) if at.is_finite() => format!("at {} = {at} {}", first.name, first.unit),
                    _ => format!("in row {}", self.rows),
                };
                return Err(Error::NotFinite {
                    path: self.stem.clone(),
                    place,
                    column: column.name.to_string(),
                    row: self.rows,
                    value,
                });
            }
            if column.integer && (value.fract() != 0.0 || value.abs() > LARGEST_WHOLE) {
                return Err(Error::NotWhole {
                    path: self.stem.clone(),
                    column: column.name.to_string(),
                    row: self.rows,
                    value,
                });
            }
        }
        Ok(())
    }
}
