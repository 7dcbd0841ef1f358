//! Files of a dataset that is larger than memory: blocks of rows, in which numbers may be missing, and texts.
//!
//! With the feature `parquet` a block is a Parquet file with the units and meanings of its columns in its metadata, and without it a
//! CSV file. A block appears under its name only when all of it is on the disk, so that a program that is killed leaves
//! blocks that are whole.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::csv::{push_field, push_float};
use crate::Error;

/// A column of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataColumn {
    /// Its name.
    pub name: String,
    /// SI unit, `1` for pure numbers; empty for texts.
    pub unit: String,
    /// What it is.
    pub meaning: String,
    /// Whether it holds texts.
    pub text: bool,
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Cells {
    /// Numbers; NaN for none.
    Numbers(Vec<f64>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

impl Cells {
    /// An empty list for a column.
    pub fn of(column: &DataColumn) -> Cells {
        if column.text { Cells::Texts(Vec::new()) } else { Cells::Numbers(Vec::new()) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Cells::Numbers(values) => values.len(),
            Cells::Texts(texts) => texts.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends those of another list.
    pub fn append(&mut self, other: Cells) {
        match (self, other) {
            (Cells::Numbers(own), Cells::Numbers(more)) => own.extend(more),
            (Cells::Texts(own), Cells::Texts(more)) => own.extend(more),
            // Columns are made alike everywhere.
            _ => {}
        }
    }

    /// Some of them.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> Cells {
        match self {
            Cells::Numbers(values) => Cells::Numbers(values.get(from..to).unwrap_or_default().to_vec()),
            Cells::Texts(texts) => Cells::Texts(texts.get(from..to).unwrap_or_default().to_vec()),
        }
    }

    /// The number in a row; NaN for none.
    pub fn number(&self, row: usize) -> f64 {
        match self {
            Cells::Numbers(values) => values.get(row).copied().unwrap_or(f64::NAN),
            Cells::Texts(_) => f64::NAN,
        }
    }
}

/// How the names of blocks end.
pub const ENDING: &str = if cfg!(feature = "parquet") { "parquet" } else { "csv" };

/// Writes a block: all of it under its name, or nothing.
///
/// # Errors
/// A failure to write; what was there under the name stays.
pub fn write_block(
    path: &Path,
    columns: &[DataColumn],
    cells: &[Cells],
    metadata: &[(&str, &str)],
) -> Result<(), Error> {
    put_block(path, &encode_block(path, columns, cells, metadata)?)
}

/// Writes the bytes of a block: all of them under its name, or nothing.
///
/// # Errors
/// A failure to write; what was there under the name stays.
pub fn put_block(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let aside = aside(path);
    let written = (|| {
        let mut file = File::create(&aside).map_err(|source| Error::io(&aside, source))?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(|source| Error::io(&aside, source))?;
        fs::rename(&aside, path).map_err(|source| Error::io(path, source))
    })();
    if written.is_err() {
        // What is half written is of no use, and may be what fills the disk.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// Where a file is written before it is whole: readers of datasets skip names that begin with a point.
pub fn aside(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.part"))
}

/// The bytes of a block; `path` goes into messages.
///
/// # Errors
/// Cells that are not of these columns.
#[cfg(feature = "parquet")]
pub fn encode_block(
    path: &Path,
    columns: &[DataColumn],
    cells: &[Cells],
    metadata: &[(&str, &str)],
) -> Result<Vec<u8>, Error> {
    super::parquet_block::encode(columns, cells, metadata)
        .map_err(|source| Error::Parquet { path: path.to_path_buf(), source })
}

/// The bytes of a block.
///
/// # Errors
/// None in a build without Parquet.
#[cfg(not(feature = "parquet"))]
pub fn encode_block(_: &Path, columns: &[DataColumn], cells: &[Cells], _: &[(&str, &str)]) -> Result<Vec<u8>, Error> {
    let mut text = csv_head(columns);
    csv_rows(cells, &mut text);
    Ok(text)
}

/// Reads a block that [`write_block`] has written.
///
/// # Errors
/// A file that is not there, or not what these columns are.
pub fn read_block(path: &Path, columns: &[DataColumn]) -> Result<Vec<Cells>, Error> {
    let unreadable = |reason: String| Error::Unreadable { path: path.to_path_buf(), reason };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let cells = decode(file, columns).map_err(unreadable)?;
    let rows = cells.first().map_or(0, Cells::len);
    match cells.len() == columns.len() && cells.iter().all(|cells| cells.len() == rows) {
        true => Ok(cells),
        false => Err(unreadable("its columns are not those of the sweep".to_string())),
    }
}

/// What the metadata of a block says under a key; none where it says nothing, as blocks of CSV do.
///
/// # Errors
/// A file that is not there, or no block.
pub fn block_note(path: &Path, key: &str) -> Result<Option<String>, Error> {
    let unreadable = |reason: String| Error::Unreadable { path: path.to_path_buf(), reason };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    #[cfg(feature = "parquet")]
    return super::parquet_block::note(file, key).map_err(|error| unreadable(error.to_string()));
    #[cfg(not(feature = "parquet"))]
    {
        let _ = (file, key);
        Ok(None)
    }
}

#[cfg(feature = "parquet")]
fn decode(file: File, columns: &[DataColumn]) -> Result<Vec<Cells>, String> {
    super::parquet_block::decode(file, columns).map_err(|error| error.to_string())
}

#[cfg(not(feature = "parquet"))]
fn decode(mut file: File, columns: &[DataColumn]) -> Result<Vec<Cells>, String> {
    use std::io::Read;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|error| error.to_string())?;
    let mut cells: Vec<Cells> = columns.iter().map(Cells::of).collect();
    for row in csv_records(&text).into_iter().skip(1) {
        if row.len() != columns.len() {
            return Err("a row has other columns than the sweep".to_string());
        }
        for (cells, cell) in cells.iter_mut().zip(row) {
            match cells {
                Cells::Numbers(values) if cell.is_empty() => values.push(f64::NAN),
                Cells::Numbers(values) => values.push(cell.parse().map_err(|_| format!("{cell:?} is no number"))?),
                Cells::Texts(texts) => texts.push(Some(cell).filter(|cell| !cell.is_empty())),
            }
        }
    }
    Ok(cells)
}

/// Fields of CSV text, with quotation marks taken away.
#[cfg(not(feature = "parquet"))]
fn csv_records(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut field, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '"' if quoted && signs.peek() == Some(&'"') => {
                field.push('"');
                signs.next();
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut field)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            other => field.push(other),
        }
    }
    rows
}

/// The header of CSV text.
pub fn csv_head(columns: &[DataColumn]) -> Vec<u8> {
    let mut text = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        if number > 0 {
            text.push(b',');
        }
        push_field(&mut text, &column.name);
    }
    text.push(b'\n');
    text
}

/// Rows as CSV text; what is missing is empty.
pub fn csv_rows(cells: &[Cells], text: &mut Vec<u8>) {
    for row in 0..cells.first().map_or(0, Cells::len) {
        for (number, column) in cells.iter().enumerate() {
            if number > 0 {
                text.push(b',');
            }
            match column {
                Cells::Numbers(values) if values[row].is_finite() => push_float(text, values[row] + 0.0),
                Cells::Numbers(_) => {}
                Cells::Texts(texts) => push_field(text, texts[row].as_deref().unwrap_or_default()),
            }
        }
        text.push(b'\n');
    }
}

/// A CSV file of a whole dataset, which appears when it is finished.
#[derive(Debug)]
pub struct CsvFile {
    path: PathBuf,
    file: File,
    done: bool,
}

impl CsvFile {
    /// Begins the file with its header.
    ///
    /// # Errors
    /// A failure to write.
    pub fn create(path: &Path, columns: &[DataColumn]) -> Result<CsvFile, Error> {
        let aside = aside(path);
        let file = File::create(&aside).map_err(|source| Error::io(&aside, source))?;
        let mut csv = CsvFile { path: path.to_path_buf(), file, done: false };
        csv.write(&csv_head(columns))?;
        Ok(csv)
    }

    /// Appends rows.
    ///
    /// # Errors
    /// A failure to write.
    pub fn rows(&mut self, cells: &[Cells]) -> Result<(), Error> {
        let mut text = Vec::new();
        csv_rows(cells, &mut text);
        self.write(&text)
    }

    fn write(&mut self, text: &[u8]) -> Result<(), Error> {
        self.file.write_all(text).map_err(|source| Error::io(&self.path, source))
    }

    /// Puts it in place.
    ///
    /// # Errors
    /// A failure to write.
    pub fn finish(mut self) -> Result<(), Error> {
        self.file.sync_all().map_err(|source| Error::io(&self.path, source))?;
        fs::rename(aside(&self.path), &self.path).map_err(|source| Error::io(&self.path, source))?;
        self.done = true;
        Ok(())
    }
}

impl Drop for CsvFile {
    fn drop(&mut self) {
        if !self.done {
            let _ = fs::remove_file(aside(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_bit_for_bit() {
        let column = |name: &str, text| DataColumn { name: name.into(), unit: "m".into(), meaning: "it".into(), text };
        let columns = [column("a.b", false), column("class", true), column("error", true)];
        let texts = vec![Some("x, \"y\"\nz".to_string()), None, Some("µ".into())];
        let cells = [
            Cells::Numbers(vec![0.1 + 0.2, f64::NAN, 5e-324]),
            Cells::Texts(texts),
            Cells::Texts(vec![None, None, None]),
        ];
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(format!("block.{ENDING}"));
        write_block(&path, &columns, &cells, &[("stickslip.hash", "abc")]).expect("written");
        let back = read_block(&path, &columns).expect("read");
        assert_eq!(back[0].number(0).to_bits(), (0.1_f64 + 0.2).to_bits());
        assert!(back[0].number(1).is_nan());
        assert_eq!(back[0].number(2).to_bits(), 1);
        assert_eq!(back[1..], cells[1..]);
        // Written again it is the same file.
        let first = fs::read(&path).expect("there");
        write_block(&path, &columns, &back, &[("stickslip.hash", "abc")]).expect("written");
        assert_eq!(fs::read(&path).expect("there"), first);
        assert!(read_block(&path, &columns[..2]).is_err());
        assert!(read_block(&folder.path().join("none"), &columns).is_err());
        let nowhere = folder.path().join("no/folder/block");
        assert!(write_block(&nowhere, &columns, &cells, &[]).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("there").count(), 1);
    }
}
