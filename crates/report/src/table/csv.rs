//! CSV text: a header of names, then rows. No allocation per row.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use super::{Column, head};

use crate::Error;

/// Text gathered before it goes to the file.
const FLUSH_AT: usize = 256 * 1024;

/// A CSV file being written.
#[derive(Debug)]
pub(super) struct CsvSink {
    path: PathBuf,
    file: File,
    text: Vec<u8>,
    integer: Vec<bool>,
}

impl CsvSink {
    pub(super) fn create(path: PathBuf, columns: &[Column], units: bool) -> Result<Self, Error> {
        let file = File::create(&path).map_err(|source| Error::io(&path, source))?;
        let mut text = Vec::with_capacity(FLUSH_AT + 4096);
        for (i, column) in columns.iter().enumerate() {
            if i > 0 {
                text.push(b',');
            }
            push_field(&mut text, &head(column, units));
        }
        text.push(b'\n');
        let integer = columns.iter().map(|column| column.integer).collect();
        Ok(Self { path, file, text, integer })
    }

    /// Appends a row that has already been checked.
    pub(super) fn row(&mut self, values: &[f64]) -> Result<(), Error> {
        for (i, (&value, &integer)) in values.iter().zip(&self.integer).enumerate() {
            if i > 0 {
                self.text.push(b',');
            }
            if integer {
                push_whole(&mut self.text, value as i64);
            } else {
                push_float(&mut self.text, value);
            }
        }
        self.text.push(b'\n');
        if self.text.len() >= FLUSH_AT {
            self.flush()?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<PathBuf, Error> {
        self.flush()?;
        Ok(self.path)
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.file.write_all(&self.text).map_err(|source| Error::io(&self.path, source))?;
        self.text.clear();
        Ok(())
    }
}

/// The shortest decimal that reads back to the same float; `20`, not `20.0`.
pub(super) fn push_float(text: &mut Vec<u8>, value: f64) {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format_finite(value);
    text.extend_from_slice(digits.strip_suffix(".0").unwrap_or(digits).as_bytes());
}

/// A whole number; single digits (contact states, regions) are nearly all of them.
fn push_whole(text: &mut Vec<u8>, value: i64) {
    if value < 0 {
        text.push(b'-');
    }
    let magnitude = value.unsigned_abs();
    if magnitude < 10 {
        text.push(b'0' + magnitude as u8);
    } else {
        // Writing to a Vec cannot fail.
        let _ = write!(text, "{magnitude}");
    }
}

/// A text field, quoted only when it holds a comma, a quote or a line break.
pub(super) fn push_field(text: &mut Vec<u8>, field: &str) {
    if field.contains([',', '"', '\n', '\r']) {
        text.push(b'"');
        text.extend_from_slice(field.replace('"', "\"\"").as_bytes());
        text.push(b'"');
    } else {
        text.extend_from_slice(field.as_bytes());
    }
}
