//! Rows as they come, in any order, from wherever they are made; blocks as soon as they are whole.

use std::collections::BTreeMap;
use std::ops::Range;

use stickslip_report::table::dataset::{Cells, DataColumn};

use crate::journal::{Journal, Piece};
use crate::{Folder, SweepError};

/// The blocks of a folder that are not complete, a few of them at work at a time.
///
/// ```text
/// while !gathering.is_complete() {
///     run what gathering.open(folder) says is missing, anywhere, in pieces of any size that stay within one range;
///     gathering.take(folder, piece) what comes back
/// }
/// ```
#[derive(Debug)]
pub struct Gathering {
    /// Blocks that nobody has begun with.
    waiting: Range<u64>,
    open: BTreeMap<u64, Open>,
    /// Blocks that are worked on at once: what bounds the memory.
    most: usize,
    done: u64,
    journalled: u64,
}

impl Gathering {
    /// Of a folder; `most` blocks are worked on at once.
    pub fn new(folder: &Folder, most: usize) -> Gathering {
        let done = folder.finished_points();
        Gathering { waiting: folder.blocks(), open: BTreeMap::new(), most: most.max(1), done, journalled: 0 }
    }

    /// Opens further blocks, as many as there is room for: the points of them that are missing.
    pub fn open(&mut self, folder: &Folder) -> Result<Vec<Range<u64>>, SweepError> {
        let mut missing = Vec::new();
        while self.open.len() < self.most
            && let Some(block) = self.waiting.next()
        {
            if folder.has(block) {
                continue;
            }
            let started = start(folder, block)?;
            self.done += started.rows;
            self.journalled += started.rows;
            if started.is_complete() {
                finish(folder, block, started)?;
                continue;
            }
            missing.extend(started.missing());
            self.open.insert(block, started);
        }
        Ok(missing)
    }

    /// Takes rows; they are on the disk when this comes back.
    pub fn take(&mut self, folder: &Folder, piece: Piece) -> Result<(), SweepError> {
        let block = piece.first / folder.manifest().rows_per_block;
        let Some(own) = self.open.get_mut(&block) else { return Ok(()) };
        self.done += piece.rows();
        own.journal.append(&piece)?;
        own.take(piece);
        if own.is_complete()
            && let Some(own) = self.open.remove(&block)
        {
            finish(folder, block, own)?;
        }
        Ok(())
    }

    /// Whether nothing is missing, as far as blocks were opened: after [`Gathering::open`], whether all is there.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty() && self.waiting.is_empty()
    }

    /// Points that are there.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Those of them that an earlier run had left in journals.
    pub(crate) fn journalled(&self) -> u64 {
        self.journalled
    }
}

/// A block that is not complete.
#[derive(Debug)]
struct Open {
    points: Range<u64>,
    pieces: BTreeMap<u64, Piece>,
    rows: u64,
    journal: Journal,
}

impl Open {
    fn is_complete(&self) -> bool {
        self.rows == self.points.end - self.points.start
    }

    fn take(&mut self, piece: Piece) {
        // A row that is there already is the same row.
        if self.pieces.contains_key(&piece.first) {
            return;
        }
        self.rows += piece.rows();
        self.pieces.insert(piece.first, piece);
    }

    /// Points that are missing.
    fn missing(&self) -> Vec<Range<u64>> {
        let mut next = self.points.start;
        let mut missing = Vec::new();
        for (first, piece) in &self.pieces {
            if *first > next {
                missing.push(next..*first);
            }
            next = first + piece.rows();
        }
        if next < self.points.end {
            missing.push(next..self.points.end);
        }
        missing
    }
}

/// Opens a block with the rows that its journal holds.
fn start(folder: &Folder, block: u64) -> Result<Open, SweepError> {
    let (journal, pieces) = Journal::open(&folder.journal_path(block), &folder.manifest().hash(), folder.columns())?;
    let points = folder.points_of(block);
    let mut open = Open { points: points.clone(), pieces: BTreeMap::new(), rows: 0, journal };
    let mut next_free = points.start;
    let mut pieces = pieces;
    pieces.sort_by_key(|piece| piece.first);
    for piece in pieces {
        // Threads take points apart from each other, so pieces do not overlap; one that did is left out.
        if piece.first >= next_free && piece.first + piece.rows() <= points.end {
            next_free = piece.first + piece.rows();
            open.take(piece);
        }
    }
    Ok(open)
}

/// Writes a complete block and lets its journal go.
fn finish(folder: &Folder, block: u64, open: Open) -> Result<(), SweepError> {
    folder.write_block(block, &joined(folder.columns(), open.pieces.into_values()))?;
    open.journal.remove();
    if folder.is_complete() { folder.sort_sums() } else { Ok(()) }
}

/// Pieces one after the other.
pub(crate) fn joined(columns: &[DataColumn], pieces: impl Iterator<Item = Piece>) -> Vec<Cells> {
    let mut all: Vec<Cells> = columns.iter().map(Cells::of).collect();
    for piece in pieces {
        for (own, more) in all.iter_mut().zip(piece.cells) {
            own.append(more);
        }
    }
    all
}
