//! The table of events: which contact changed its state, when, from what to what.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::csv::{push_field, push_float};
use crate::Error;

/// Streams events to a CSV file with the header `t,contact,from,to,words`, or `t [s],…`.
#[derive(Debug)]
pub struct EventWriter {
    path: PathBuf,
    file: BufWriter<File>,
    line: Vec<u8>,
    events: u64,
}

impl EventWriter {
    /// Creates `<folder>/<name>.csv` (and the folder) and writes the header, with the unit of the time if asked to.
    ///
    /// # Errors
    /// [`Error::Io`] when the file cannot be created.
    pub fn create(folder: &Path, name: &str, units: bool) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        let path = folder.join(format!("{name}.csv"));
        let file = File::create(&path).map_err(|source| Error::io(&path, source))?;
        let time = if units { "t [s]" } else { "t" };
        let line = format!("{time},contact,from,to,words").into_bytes();
        let mut writer = Self { path, file: BufWriter::new(file), line, events: 0 };
        writer.end_line()?;
        Ok(writer)
    }

    /// Appends one event: at time `t` (s) the contact went `from` one state `to` another; and the same in words, empty where
    /// they add nothing.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a time that is no number, [`Error::Io`] when writing fails.
    pub fn event(&mut self, t: f64, contact: &str, from: &str, to: &str, words: &str) -> Result<(), Error> {
        if !t.is_finite() {
            return Err(Error::NotFinite {
                path: self.path.clone(),
                place: format!("in event {}", self.events),
                column: "t".to_owned(),
                row: self.events,
                value: t,
            });
        }
        push_float(&mut self.line, t + 0.0);
        for field in [contact, from, to, words] {
            self.line.push(b',');
            push_field(&mut self.line, field);
        }
        self.events += 1;
        self.end_line()
    }

    /// Flushes and closes the file; returns how many events it holds, and its path.
    ///
    /// # Errors
    /// [`Error::Io`] when writing the rest fails.
    pub fn finish(mut self) -> Result<(u64, PathBuf), Error> {
        self.file.flush().map_err(|source| Error::io(&self.path, source))?;
        Ok((self.events, self.path))
    }

    fn end_line(&mut self) -> Result<(), Error> {
        self.line.push(b'\n');
        self.file.write_all(&self.line).map_err(|source| Error::io(&self.path, source))?;
        self.line.clear();
        Ok(())
    }
}
