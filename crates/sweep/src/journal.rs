//! Rows of a block that is not finished yet, as they come: what a kill must not lose.
//!
//! A journal is a list of pieces with a checksum each, which are appended. A piece that a kill has cut is not read, and what comes
//! behind it neither. When its block is written the journal goes.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use stickslip_report::table::dataset::{Cells, DataColumn};

use crate::SweepError;

/// Consecutive rows, from the point `first` on.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Number of the first row.
    pub first: u64,
    /// The cells of each column.
    pub cells: Vec<Cells>,
}

impl Piece {
    /// As bytes, with a checksum: for journals, and for the way from one machine to another. Bits of numbers stay.
    pub fn to_bytes(&self) -> Vec<u8> {
        encode(self)
    }

    /// From its bytes; none where they are not whole, or of other columns.
    pub fn from_bytes(bytes: &[u8], columns: &[DataColumn]) -> Option<Piece> {
        decode(bytes, columns).filter(|(_, used)| *used == bytes.len()).map(|(piece, _)| piece)
    }

    /// How many rows.
    pub fn rows(&self) -> u64 {
        self.cells.first().map_or(0, Cells::len) as u64
    }
}

/// A journal that is written to.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Opens the journal of a block and reads what it holds; `hash` is that of the sweep. What was cut is cut away.
    pub fn open(path: &Path, hash: &str, columns: &[DataColumn]) -> Result<(Journal, Vec<Piece>), SweepError> {
        let failed = |error: std::io::Error| SweepError::files(format!("cannot write {}: {error}", path.display()));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let (pieces, whole) = match bytes.strip_prefix(hash.as_bytes()) {
            Some(rest) => {
                let (pieces, used) = decode_all(rest, columns);
                (pieces, hash.len() + used)
            }
            None => (Vec::new(), 0),
        };
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(failed)?;
        }
        if whole == 0 {
            file.write_all(hash.as_bytes()).map_err(failed)?;
        }
        Ok((Journal { path: path.to_path_buf(), file }, pieces))
    }

    /// Appends a piece.
    pub fn append(&mut self, piece: &Piece) -> Result<(), SweepError> {
        let bytes = encode(piece);
        self.file
            .write_all(&bytes)
            .map_err(|error| SweepError::files(format!("cannot write {}: {error}", self.path.display())))
    }

    /// Its block is written.
    pub fn remove(self) {
        // One that stays is removed when the folder is opened again.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// FNV-1a: tells what was cut.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Length, first point, rows, cells, checksum.
fn encode(piece: &Piece) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend(piece.first.to_le_bytes());
    body.extend(piece.rows().to_le_bytes());
    for cells in &piece.cells {
        match cells {
            Cells::Numbers(values) => values.iter().for_each(|value| body.extend(value.to_le_bytes())),
            Cells::Texts(texts) => {
                for text in texts {
                    // Nought is no text, so that an empty one can be told from it.
                    let length = text.as_ref().map_or(0, |text| text.len() as u64 + 1);
                    body.extend(length.to_le_bytes());
                    body.extend(text.iter().flat_map(|text| text.bytes()));
                }
            }
        }
    }
    let mut bytes = (body.len() as u64).to_le_bytes().to_vec();
    bytes.extend(&body);
    bytes.extend(checksum(&body).to_le_bytes());
    bytes
}

/// All pieces that are whole, and how many bytes they take.
fn decode_all(bytes: &[u8], columns: &[DataColumn]) -> (Vec<Piece>, usize) {
    let mut pieces = Vec::new();
    let mut used = 0;
    while let Some((piece, length)) = decode(&bytes[used..], columns) {
        pieces.push(piece);
        used += length;
    }
    (pieces, used)
}

fn decode(bytes: &[u8], columns: &[DataColumn]) -> Option<(Piece, usize)> {
    let mut all = Cursor(bytes);
    let length = usize::try_from(all.number()?).ok()?;
    let body = all.take(length)?;
    if all.number()? != checksum(body) {
        return None;
    }
    let mut body = Cursor(body);
    let (first, rows) = (body.number()?, usize::try_from(body.number()?).ok()?);
    let mut cells = Vec::new();
    for column in columns {
        cells.push(if column.text {
            Cells::Texts((0..rows).map(|_| body.text()).collect::<Option<_>>()?)
        } else {
            Cells::Numbers((0..rows).map(|_| body.number().map(f64::from_bits)).collect::<Option<_>>()?)
        });
    }
    body.0.is_empty().then_some((Piece { first, cells }, 16 + length))
}

struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes)
    }

    #[allow(clippy::option_option, reason = "no text is not the end of the bytes")]
    fn text(&mut self) -> Option<Option<String>> {
        let length = usize::try_from(self.number()?).ok()?;
        match length.checked_sub(1) {
            None => Some(None),
            Some(length) => String::from_utf8(self.take(length)?.to_vec()).ok().map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_cut_the_pieces_before_it_come_back() {
        let column = |text| DataColumn { name: "a".into(), unit: "1".into(), meaning: String::new(), text };
        let columns = [column(false), column(true)];
        let piece = |first: u64| Piece {
            first,
            cells: vec![Cells::Numbers(vec![0.5, -1e300]), Cells::Texts(vec![Some("µ".into()), None])],
        };
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let (mut journal, found) = Journal::open(&path, "hash", &columns).expect("opened");
        assert!(found.is_empty());
        journal.append(&piece(0)).expect("written");
        journal.append(&piece(2)).expect("written");
        let whole = std::fs::read(&path).expect("there");
        let one = encode(&piece(0)).len();
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).expect("written");
            let (mut journal, found) = Journal::open(&path, "hash", &columns).expect("opened");
            assert_eq!(found.len(), cut.saturating_sub(4) / one, "{cut}");
            // What comes behind the cut is read again.
            journal.append(&piece(4)).expect("written");
            let (_, again) = Journal::open(&path, "hash", &columns).expect("opened");
            assert_eq!(again.last(), Some(&piece(4)), "{cut}");
            assert_eq!(again.len(), found.len() + 1);
        }
        // Another sweep's journal is not read.
        std::fs::write(&path, &whole).expect("written");
        assert!(Journal::open(&path, "othr", &columns).expect("opened").1.is_empty());
    }
}
