//! Where a sweep is written: blocks that are whole, and a manifest that says what they belong to.
//!
//! ```text
//! out/sweep.json          what the blocks belong to; columns.json: names, units and meanings
//! out/scenario.toml       the scenario that was varied, and inputs/ that it names
//! out/sweep.parquet/      block-000000000.parquet, …: one dataset
//! out/SHA256SUMS          a checksum of each block
//! out/sweep.csv           the same as text, up to a million rows
//! out/summary.json, report.html, figures/
//! ```

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use stickslip_report::table::dataset::{
    Cells, CsvFile, DataColumn, ENDING, aside, encode_block, put_block, read_block,
};

use crate::manifest::Manifest;
use crate::merge::{COLUMNS, written_columns};
use crate::sums::{self, Sums};
use crate::{Share, SweepError};

/// Rows that `sweep.csv` has at the most.
pub const CSV_ROWS: u64 = 1_000_000;

/// A folder that this program alone writes to now.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    columns: Vec<DataColumn>,
    sums: Sums,
    /// Holds others off as long as it is open.
    _lock: File,
}

/// What was found in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opened {
    /// Nothing: a sweep begins.
    New,
    /// The same sweep, with so many points finished in whole blocks.
    Resumed(u64),
}

impl Folder {
    /// Makes the folder, or takes up what is there if it is the same sweep.
    pub fn open(path: &Path, manifest: Manifest, columns: &[DataColumn]) -> Result<(Folder, Opened), SweepError> {
        let unwritable = |error: io::Error| {
            SweepError::input(
                format!("cannot write to {}: {error}", path.display()),
                "name a folder that you may write to with --out",
            )
        };
        if path.exists() && !path.is_dir() {
            return Err(SweepError::input(
                format!("{} is a file, not a folder", path.display()),
                "name a folder with --out",
            ));
        }
        let known = match fs::read_to_string(path.join(MANIFEST)) {
            Ok(text) => Some(Manifest::read(&text)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unwritable(error)),
        };
        if let Some(known) = &known {
            same(path, &manifest, known)?;
        } else if holds_others(path) {
            return Err(SweepError::input(
                format!("{} holds files already, and no sweep; nothing was written", path.display()),
                "name another folder with --out",
            ));
        }
        fs::create_dir_all(path.join(DATA)).map_err(unwritable)?;
        let lock = File::create(path.join(LOCK)).map_err(unwritable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(SweepError::input(
                    format!("another sweep that is still at work writes to {}", path.display()),
                    "wait for it, or name another folder with --out",
                ));
            }
            // A file system without locks: two sweeps at once would still write the same bits.
            Err(TryLockError::Error(_)) => {}
        }
        let (path, columns) = (path.to_path_buf(), columns.to_vec());
        let folder = Folder { sums: Sums::of(&path)?, path, manifest, columns, _lock: lock };
        folder.no_others()?;
        let columns = written_columns(&folder.columns);
        // What somebody lost or changed is made good.
        if !fs::read_to_string(folder.path.join(COLUMNS)).is_ok_and(|there| there == columns) {
            folder.write(COLUMNS, columns.as_bytes())?;
        }
        if known.is_none() {
            let text = serde_json::to_string_pretty(&folder.manifest).map_err(|e| unwritable(io::Error::other(e)))?;
            folder.write(MANIFEST, (text + "\n").as_bytes()).map_err(|error| match error {
                SweepError::Files { message, .. } => {
                    SweepError::input(message, "name a folder that you may write to with --out")
                }
                other => other,
            })?;
        }
        folder.clear();
        if known.is_some() && folder.is_complete() {
            // A kill may have come between the last block and this.
            folder.sort_sums()?;
        }
        let opened = if known.is_some() { Opened::Resumed(folder.finished_points()) } else { Opened::New };
        Ok((folder, opened))
    }

    /// Reads the manifest of a folder that a sweep was written to.
    pub(crate) fn manifest_of(path: &Path) -> Result<Manifest, SweepError> {
        let text = fs::read_to_string(path.join(MANIFEST)).map_err(|error| {
            let message = format!("{} holds no sweep: cannot read {MANIFEST}: {error}", path.display());
            SweepError::input(message, "name folders that `stickslip sweep --part` has written")
        })?;
        Manifest::read(&text)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The columns of its dataset.
    pub fn columns(&self) -> &[DataColumn] {
        &self.columns
    }

    /// The points that belong here.
    pub fn points(&self) -> Range<u64> {
        self.manifest.part.points(self.manifest.points)
    }

    /// Numbers of the blocks that points of this folder lie in.
    pub(crate) fn blocks(&self) -> Range<u64> {
        blocks(&self.points(), self.manifest.rows_per_block)
    }

    /// The points of a block that belong here.
    pub(crate) fn points_of(&self, block: u64) -> Range<u64> {
        let own = self.points();
        let size = self.manifest.rows_per_block;
        (block * size).max(own.start)..((block + 1).saturating_mul(size)).min(own.end)
    }

    fn block_path(&self, block: u64) -> PathBuf {
        block_path(&self.path, block)
    }

    pub(crate) fn journal_path(&self, block: u64) -> PathBuf {
        self.path.join(DATA).join(format!(".journal-{block:09}"))
    }

    /// Whether a block is written.
    pub(crate) fn has(&self, block: u64) -> bool {
        self.block_path(block).is_file()
    }

    /// Points in blocks that are written.
    pub fn finished_points(&self) -> u64 {
        let count = |block: u64| self.points_of(block).end - self.points_of(block).start;
        self.written_blocks().into_iter().map(count).sum()
    }

    /// Whether all points are there.
    pub fn is_complete(&self) -> bool {
        let points = self.points();
        self.finished_points() == points.end - points.start
    }

    /// Numbers of the blocks that are written.
    fn written_blocks(&self) -> BTreeSet<u64> {
        let own = self.blocks();
        self.all_blocks().into_iter().filter(|block| own.contains(block)).collect()
    }

    /// Numbers of all blocks that lie there.
    fn all_blocks(&self) -> BTreeSet<u64> {
        let entries = fs::read_dir(self.path.join(DATA)).into_iter().flatten().flatten();
        let number = |name: &str| name.strip_prefix("block-")?.strip_suffix(ENDING)?.strip_suffix('.')?.parse().ok();
        entries.filter_map(|entry| number(entry.file_name().to_str()?)).collect()
    }

    /// Refuses blocks that are none of this sweep's: readers of the dataset would take their rows for its own.
    fn no_others(&self) -> Result<(), SweepError> {
        let own = self.blocks();
        match self.all_blocks().into_iter().find(|block| !own.contains(block)) {
            Some(block) => Err(SweepError::input(
                format!(
                    "{} is no block of this sweep, and readers would take its rows for some of it",
                    self.block_path(block).display()
                ),
                "take it away, or name another folder with --out",
            )),
            None => Ok(()),
        }
    }

    pub(crate) fn write_block(&self, block: u64, cells: &[Cells]) -> Result<(), SweepError> {
        let (hash, version) = (self.manifest.hash(), &self.manifest.version);
        let first = self.points_of(block).start.to_string();
        let metadata = [
            ("stickslip.version", version.as_str()),
            ("stickslip.scenario", &self.manifest.scenario),
            ("stickslip.sweep", &hash),
            (FIRST, &first),
        ];
        let path = self.block_path(block);
        let bytes = encode_block(&path, &self.columns, cells, &metadata)?;
        self.sums.note(&path, &bytes)?;
        Ok(put_block(&path, &bytes)?)
    }

    /// A block as it was written; one that is not is refused.
    pub(crate) fn read_block(&self, block: u64) -> Result<Vec<Cells>, SweepError> {
        let path = self.block_path(block);
        self.sums.check(&path)?;
        Ok(read_block(&path, &self.columns)?)
    }

    /// Puts the checksums in order, when all blocks are there.
    pub(crate) fn sort_sums(&self) -> Result<(), SweepError> {
        self.write(sums::name(), self.sums.sorted().as_bytes())
    }

    /// Hands all rows to `take`, block by block.
    pub fn each_block(&self, mut take: impl FnMut(u64, &[Cells]) -> Result<(), SweepError>) -> Result<(), SweepError> {
        for block in self.written_blocks() {
            let cells = self.read_block(block)?;
            take(self.points_of(block).start, &cells)?;
        }
        Ok(())
    }

    /// Writes a file of the folder: all of it under its name, or nothing.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), SweepError> {
        let path = self.path.join(name);
        let failed = |error: io::Error| SweepError::files(format!("cannot write {}: {error}", path.display()));
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(failed)?;
        }
        let aside = aside(&path);
        let written = fs::write(&aside, bytes)
            .and_then(|()| File::open(&aside)?.sync_all())
            .and_then(|()| fs::rename(&aside, &path));
        written.map_err(|error| {
            let _ = fs::remove_file(&aside);
            failed(error)
        })
    }

    /// The dataset as text, where it is not too long; says whether it is.
    pub fn write_csv(&self) -> Result<bool, SweepError> {
        if self.rows()? > CSV_ROWS {
            return Ok(false);
        }
        let mut csv = CsvFile::create(&self.path.join("sweep.csv"), &self.columns)?;
        self.each_block(|_, cells| Ok(csv.rows(cells)?))?;
        csv.finish()?;
        Ok(true)
    }

    /// How many rows there are: points, or, of paths, what they hold.
    pub fn rows(&self) -> Result<u64, SweepError> {
        let points = self.points();
        let mut rows = points.end - points.start;
        if self.manifest.paths {
            rows = 0;
            self.each_block(|_, cells| {
                rows += cells.first().map_or(0, Cells::len) as u64;
                Ok(())
            })?;
        }
        Ok(rows)
    }

    /// Takes away what a kill has left: files that were not whole, journals of blocks that are written.
    fn clear(&self) {
        let written = self.written_blocks();
        for entry in fs::read_dir(self.path.join(DATA)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let journal = name.strip_prefix(".journal-").and_then(|number| number.parse::<u64>().ok());
            if name.ends_with(".part") || journal.is_some_and(|block| written.contains(&block)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// What a block says of its first point, or path.
pub(crate) const FIRST: &str = "stickslip.first";

const MANIFEST: &str = "sweep.json";
const LOCK: &str = ".lock";
/// The folder of the dataset.
pub const DATA: &str = if cfg!(feature = "parquet") { "sweep.parquet" } else { "sweep.blocks" };

pub(crate) fn block_path(folder: &Path, block: u64) -> PathBuf {
    folder.join(DATA).join(format!("block-{block:09}.{ENDING}"))
}

/// Whether a folder without a manifest holds anything but what a sweep leaves that was killed before it had one.
fn holds_others(path: &Path) -> bool {
    let own = |name: &str| [COLUMNS, LOCK].contains(&name) || name.ends_with(".part");
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let empty = || fs::read_dir(entry.path()).is_ok_and(|mut inside| inside.next().is_none());
        !(own(&name) || name == DATA && empty())
    })
}

/// Numbers of the blocks that points lie in.
pub(crate) fn blocks(points: &Range<u64>, size: u64) -> Range<u64> {
    // A manifest that somebody changed by hand must not divide by nought.
    let size = size.max(1);
    if points.is_empty() { 0..0 } else { points.start / size..(points.end - 1) / size + 1 }
}

/// Whether what is in a folder is the sweep that is asked for.
fn same(path: &Path, asked: &Manifest, known: &Manifest) -> Result<(), SweepError> {
    let refused = |words: String| {
        Err(SweepError::input(
            format!("{} holds another sweep, which differs in {words}; nothing was written", path.display()),
            "name another folder with --out, or ask for the same sweep to go on with it",
        ))
    };
    let Share { part, of } = known.part;
    match asked.differs(known) {
        Some(words) => refused(words),
        None if asked.part != known.part && known.part == Share::ALL => refused("the part: it is a whole one".into()),
        None if asked.part != known.part => refused(format!("the part: it is part {part}/{of}")),
        None => Ok(()),
    }
}
