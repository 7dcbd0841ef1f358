//! What can go wrong while writing.

use std::path::{Path, PathBuf};

/// A failure of a writer, with the file it happened in.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused to create, write or close the file.
    #[error("cannot write {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that was written before cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The Parquet encoder failed.
    #[cfg(feature = "parquet")]
    #[error("cannot write {}: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the encoder said.
        source: parquet::errors::ParquetError,
    },
    /// A NaN or an infinity was about to be written. The folder may be one that is gone by now, so it is not named.
    #[error("{column} is {value}, not a finite number, {place}")]
    NotFinite {
        /// The table, without extension.
        path: PathBuf,
        /// Where in the table: "at t = 0.5" by its first column.
        place: String,
        /// The column's name.
        column: String,
        /// The row, counted from 0.
        row: u64,
        /// The value.
        value: f64,
    },
    /// A column of whole numbers got a fraction, or a number beyond ±2⁵³.
    #[error("row {row} of {}: column '{column}' takes whole numbers, got {value}", path.display())]
    NotWhole {
        /// The table, without extension.
        path: PathBuf,
        /// The column's name.
        column: String,
        /// The row, counted from 0.
        row: u64,
        /// The value.
        value: f64,
    },
    /// A row is longer or shorter than the header.
    #[error("row {row} of {}: {found} values for {expected} columns", path.display())]
    RowLength {
        /// The table, without extension.
        path: PathBuf,
        /// The row, counted from 0.
        row: u64,
        /// How many columns the table has.
        expected: usize,
        /// How many values the row has.
        found: usize,
    },
}

impl Error {
    /// Names the file in which `source` happened.
    pub(crate) fn io(path: &Path, source: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}
