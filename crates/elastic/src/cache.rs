//! Condensations kept on disk.
//!
//! Every body has a [`Key`]: a hash over all that W depends on. Two files are named after it in a folder of the caller's: the
//! compliance W in double precision, and the way back inside ([`Inside`]) in single precision if it is not too large. Both begin with
//!
//! ```text
//! 8 bytes   magic: STKSLP-W or STKSLP-I
//! u64       version of the format
//! 32 bytes  key of the body
//! 32 bytes  key of the order of elimination (zeros with W)
//! u64       rows of W, or number of factors
//! u64       words of 8 bytes that follow the header
//! u64       checksum over the header before it and those words
//! ```
//!
//! all little-endian. Then come W row after row, or of each factor its size and its columns (u32 both) and its entries, filled up to
//! whole words. Files are written under another name and renamed when they are complete, so that two processes may write the same
//! one: whoever comes last wins, and readers see the old file or the new one.
//!
//! The checksum finds files that were cut off or damaged; it is no protection against intent.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sha2::{Digest, Sha256};
use stickslip_linalg::{Factor, Matrix};

use crate::condense::{Condensed, Inside};
use crate::dissection::Dissection;
use crate::mesh::{Body, Kind};

/// Raised whenever files change, or W of the same body does: another element, another integration.
const VERSION: u64 = 1;
/// Bytes before the data.
const HEADER: usize = 104;
/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;
/// Unfinished files of processes that were ended are removed after this time.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Name of a body's condensation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Hashes numbers.
#[derive(Default)]
struct Hash(Sha256);

impl Hash {
    fn real(&mut self, value: f64) {
        // −0 is 0: mirror images have it.
        self.0.update((value + 0.0).to_bits().to_le_bytes());
    }

    fn list(&mut self, list: &[u32]) {
        self.0.update((list.len() as u64).to_le_bytes());
        list.iter().for_each(|number| self.0.update(number.to_le_bytes()));
    }

    fn key(self) -> Key {
        Key(self.0.finalize().into())
    }
}

impl Key {
    /// From all that W depends on: nodes, elements, constants, clamped and contact nodes.
    pub fn of(body: &Body) -> Key {
        let mut hash = Hash::default();
        hash.0.update(VERSION.to_le_bytes());
        hash.0.update((body.mesh.nodes.len() as u64).to_le_bytes());
        body.mesh.nodes.iter().flatten().for_each(|value| hash.real(*value));
        hash.0.update((body.mesh.len() as u64).to_le_bytes());
        for (kind, corners) in body.mesh.elements() {
            let kind = match kind {
                Kind::Triangle => 0,
                Kind::Quadrilateral => 1,
                Kind::Tetrahedron => 2,
                Kind::Hexahedron => 3,
                Kind::Pyramid => 4,
            };
            hash.0.update([kind]);
            hash.list(corners);
        }
        hash.real(body.young);
        hash.real(body.poisson);
        hash.list(&body.clamped);
        hash.list(&body.contact);
        hash.key()
    }

    /// From the order of elimination: factors belong to it.
    fn of_order(dissection: &Dissection) -> Key {
        let mut hash = Hash::default();
        for part in &dissection.parts {
            hash.list(&part.own);
            hash.list(&part.boundary);
        }
        hash.key()
    }
}

/// What the folder holds of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    /// W, and the way back inside if it was asked for and is there.
    Found {
        /// W and the way back.
        condensed: Condensed,
        /// Why the way back cannot be used although there is a file.
        inside_unusable: Option<String>,
    },
    /// Nothing.
    Absent,
    /// A file that must be made again, and why.
    Unusable(String),
}

/// A condensation was not kept. No harm to the run: the next one takes as long.
#[derive(Debug, thiserror::Error)]
#[error("the condensed body is not kept for the next run: cannot write {}: {source}", path.display())]
pub struct NotKept {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

/// Why a file cannot be used.
enum Refused {
    Absent,
    Because(String),
}

/// Reads what there is of a body; its way back inside only if its order of elimination is given.
pub fn load(folder: &Path, body: &Body, inside: Option<&Dissection>) -> Loaded {
    let key = Key::of(body);
    let compliance = match read_compliance(&compliance_path(folder, key), key) {
        Ok(compliance) => compliance,
        Err(Refused::Absent) => return Loaded::Absent,
        Err(Refused::Because(reason)) => return Loaded::Unusable(reason),
    };
    let unknowns = body.contact.len() * body.mesh.directions();
    if compliance.rows() != unknowns {
        let file = compliance_path(folder, key);
        let found = compliance.rows();
        return Loaded::Unusable(format!("{} holds {found} unknowns, the body has {unknowns}", file.display()));
    }
    let (inside, inside_unusable) = match inside.map(|dissection| read_inside(folder, key, body, dissection)) {
        Some(Ok(inside)) => (Some(inside), None),
        Some(Err(Refused::Because(reason))) => (None, Some(reason)),
        Some(Err(Refused::Absent)) | None => (None, None),
    };
    Loaded::Found { condensed: Condensed { compliance, inside }, inside_unusable }
}

/// Whether there is a file of a body; it may still turn out to be unusable.
pub fn holds(folder: &Path, body: &Body) -> bool {
    compliance_path(folder, Key::of(body)).is_file()
}

/// Keeps a condensation; its way back inside only if that takes at most so many bytes.
pub fn store(
    folder: &Path,
    body: &Body,
    dissection: &Dissection,
    condensed: &Condensed,
    most_inside: u64,
) -> Result<(), NotKept> {
    fs::create_dir_all(folder).map_err(|source| NotKept { path: folder.to_owned(), source })?;
    remove_abandoned(folder);
    let key = Key::of(body);
    let w = &condensed.compliance;
    let words = || w.data().iter().map(|value| value.to_bits());
    let head = Head { magic: W_MAGIC, key, order: Key([0; 32]), count: w.rows() as u64, words: w.data().len() as u64 };
    write(&compliance_path(folder, key), &head, words)?;
    let Some(inside) = &condensed.inside else { return Ok(()) };
    let count: usize = inside.factors.iter().map(|factor| 1 + factor.data.len().div_ceil(2)).sum();
    if (HEADER + 8 * count) as u64 > most_inside {
        return Ok(());
    }
    let (order, factors) = (Key::of_order(dissection), inside.factors.len() as u64);
    let head = Head { magic: INSIDE_MAGIC, key, order, count: factors, words: count as u64 };
    let two = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
    let words = || {
        inside.factors.iter().flat_map(move |factor| {
            let pairs = factor.data.chunks(2);
            let entries = pairs.map(move |pair| two(pair[0].to_bits(), pair.get(1).map_or(0, |high| high.to_bits())));
            std::iter::once(two(factor.size as u32, factor.pivots as u32)).chain(entries)
        })
    };
    write(&inside_path(folder, key), &head, words)
}

fn compliance_path(folder: &Path, key: Key) -> PathBuf {
    folder.join(format!("{key}.compliance"))
}

fn inside_path(folder: &Path, key: Key) -> PathBuf {
    folder.join(format!("{key}.inside"))
}

const W_MAGIC: [u8; 8] = *b"STKSLP-W";
const INSIDE_MAGIC: [u8; 8] = *b"STKSLP-I";

/// A sum over words in which their order counts; about as fast as memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Checksum(u64);

impl Checksum {
    /// The step of FNV, word by word, and a turn that brings high bits down.
    #[inline]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    }

    fn of_bytes(bytes: &[u8]) -> Checksum {
        let mut sum = Checksum(0xcbf2_9ce4_8422_2325);
        words_of(bytes).for_each(|word| sum.add(word));
        sum
    }
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word))
}

/// What a file begins with.
struct Head {
    magic: [u8; 8],
    key: Key,
    order: Key,
    count: u64,
    words: u64,
}

impl Head {
    /// All but the checksum.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER);
        bytes.extend(self.magic);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.key.0);
        bytes.extend(self.order.0);
        bytes.extend(self.count.to_le_bytes());
        bytes.extend(self.words.to_le_bytes());
        bytes
    }
}

/// Writes a file under another name and gives it its own when it is complete.
fn write<I: Iterator<Item = u64>>(path: &Path, head: &Head, words: impl Fn() -> I) -> Result<(), NotKept> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.unfinished", std::process::id()));
    let attempt = || -> io::Result<()> {
        let mut file = BufWriter::with_capacity(CHUNK, File::create(&unfinished)?);
        let bytes = head.bytes();
        let mut sum = Checksum::of_bytes(&bytes);
        words().for_each(|word| sum.add(word));
        file.write_all(&bytes)?;
        file.write_all(&sum.0.to_le_bytes())?;
        words().try_for_each(|word| file.write_all(&word.to_le_bytes()))?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?;
        fs::rename(&unfinished, path)
    };
    attempt().map_err(|source| {
        // It may not be there; nothing is lost then.
        let _ = fs::remove_file(&unfinished);
        NotKept { path: path.to_owned(), source }
    })
}

/// Removes what processes that were ended have left behind; what cannot be removed stays.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let unfinished = path.extension().is_some_and(|extension| extension == "unfinished");
        let age = || path.metadata().ok()?.modified().ok()?.elapsed().ok();
        if unfinished && age().is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// A file whose header fits, read word by word.
struct Reading {
    path: PathBuf,
    file: File,
    /// Rows or factors.
    count: u64,
    /// Words that are left.
    words: u64,
    sum: Checksum,
    wanted: u64,
    buffer: Vec<u8>,
}

impl Reading {
    fn open(path: &Path, magic: [u8; 8], key: Key, order: Key) -> Result<Reading, Refused> {
        let because = |reason: String| Refused::Because(format!("{} {reason}", path.display()));
        let unreadable = |error: io::Error| because(format!("cannot be read: {error}"));
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Refused::Absent),
            Err(error) => return Err(unreadable(error)),
        };
        let length = file.metadata().map_err(unreadable)?.len();
        let mut header = [0; HEADER];
        match file.read_exact(&mut header) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(because(format!("is cut off: it has {length} bytes, its header alone {HEADER}")));
            }
            Err(error) => return Err(unreadable(error)),
        }
        if header[..8] != magic {
            return Err(because("is not a condensed body of this program".into()));
        }
        let numbers: Vec<u64> = words_of(&header).collect();
        let [version, count, words, wanted] = [numbers[1], numbers[10], numbers[11], numbers[12]];
        if version != VERSION {
            return Err(because(format!("has version {version} of the format; this program reads version {VERSION}")));
        }
        if header[16..48] != key.0 {
            return Err(because("belongs to another body".into()));
        }
        if header[48..80] != order.0 {
            return Err(because("belongs to another order of elimination".into()));
        }
        if words.checked_mul(8).and_then(|bytes| bytes.checked_add(HEADER as u64)) != Some(length) {
            return Err(because(format!(
                "has {length} bytes, but its header speaks of {words} numbers: it is cut off"
            )));
        }
        let sum = Checksum::of_bytes(&header[..HEADER - 8]);
        Ok(Reading { path: path.to_owned(), file, count, words, sum, wanted, buffer: vec![0; CHUNK] })
    }

    fn damaged(&self, reason: &str) -> Refused {
        Refused::Because(format!("{} is damaged: {reason}", self.path.display()))
    }

    /// The next words, some at a time.
    fn next(&mut self, count: u64, mut take: impl FnMut(&[u8])) -> Result<(), Refused> {
        let Some(left) = self.words.checked_sub(count) else {
            return Err(self.damaged("its sizes do not fit its length"));
        };
        self.words = left;
        let mut bytes = count * 8;
        while bytes > 0 {
            let now = bytes.min(CHUNK as u64) as usize;
            if let Err(error) = self.file.read_exact(&mut self.buffer[..now]) {
                return Err(Refused::Because(format!("{} cannot be read: {error}", self.path.display())));
            }
            words_of(&self.buffer[..now]).for_each(|word| self.sum.add(word));
            take(&self.buffer[..now]);
            bytes -= now as u64;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Refused> {
        if self.words > 0 {
            return Err(self.damaged("its sizes do not fit its length"));
        }
        if self.sum.0 != self.wanted { Err(self.damaged("its checksum is wrong")) } else { Ok(()) }
    }
}

fn read_compliance(path: &Path, key: Key) -> Result<Matrix, Refused> {
    let mut reading = Reading::open(path, W_MAGIC, key, Key([0; 32]))?;
    let (rows, words) = (reading.count, reading.words);
    if rows.checked_mul(rows) != Some(words) {
        return Err(reading.damaged("its sizes do not fit its length"));
    }
    let mut data = Vec::with_capacity(words as usize);
    reading.next(words, |bytes| data.extend(words_of(bytes).map(f64::from_bits)))?;
    reading.finish()?;
    let rows = rows as usize;
    Ok(Matrix::from_fn(rows, rows, |i, j| data[i * rows + j]))
}

fn read_inside(folder: &Path, key: Key, body: &Body, dissection: &Dissection) -> Result<Inside, Refused> {
    let mut reading = Reading::open(&inside_path(folder, key), INSIDE_MAGIC, key, Key::of_order(dissection))?;
    let directions = body.mesh.directions();
    let mut factors = Vec::new();
    for part in dissection.parts.iter().filter(|part| !part.own.is_empty()) {
        let pivots = part.own.len() * directions;
        let size = pivots + part.boundary.len() * directions;
        let mut sizes = 0;
        reading.next(1, |bytes| sizes = words_of(bytes).sum())?;
        if sizes != size as u64 | (pivots as u64) << 32 {
            return Err(reading.damaged("a factor has another size than its part of the body"));
        }
        let entries = Factor::entries(size, pivots);
        let mut data = Vec::with_capacity(entries + 1);
        reading.next(entries.div_ceil(2) as u64, |bytes| {
            data.extend(bytes.as_chunks::<4>().0.iter().map(|entry| f32::from_le_bytes(*entry)));
        })?;
        data.truncate(entries);
        factors.push(Factor { size, pivots, data });
    }
    if reading.count != factors.len() as u64 {
        return Err(reading.damaged("it has another number of factors than the body has parts"));
    }
    reading.finish()?;
    Ok(Inside { factors })
}
