//! All points of a share, by many threads, into a folder.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stickslip_report::table::dataset::{Cells, DataColumn};
use stickslip_run::write_scenario;

use crate::journal::{Journal, Piece};
use crate::{Folder, Plan, SweepError, run_block};

/// How far a sweep is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Points that are done.
    pub done: u64,
    /// Of how many.
    pub of: u64,
    /// Time that the rest will take, by what was done since the beginning \[s\]; none as long as nobody can tell.
    pub left: Option<f64>,
}

/// Blocks that are worked on at once: what bounds the memory.
const OPEN: usize = 3;

/// How long a thread works before it hands over what it has \[s\].
const HAND_OVER: f64 = 0.05;

/// Most points that are handed over at once.
const MOST: usize = 4096;

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

/// Runs all points of the folder that are not there yet. What is finished stays, whatever happens afterwards.
pub fn run(
    plan: &Plan<'_>,
    folder: &Folder,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), SweepError> {
    if !folder.path().join("scenario.toml").exists() {
        write_scenario(folder.path(), plan.scenario).map_err(|error| SweepError::files(error.to_string()))?;
    }
    let queue = Queue::default();
    let (hand_over, taken) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut workers = 0;
        for number in 0..threads.max(1) {
            let (hand_over, queue) = (hand_over.clone(), &queue);
            let work = move || work(plan, queue, &hand_over);
            let started = std::thread::Builder::new().name(format!("sweep-{number}")).spawn_scoped(scope, work);
            // Where the system grants fewer threads, those that there are do the work.
            workers += usize::from(started.is_ok());
        }
        drop(hand_over);
        if workers == 0 {
            return Err(SweepError::files("the system grants no thread to run points in"));
        }
        let gathered = gather(folder, &queue, &taken, progress);
        // Those at work on a point hear of it when they come back.
        queue.close();
        gathered
    })
}

/// What is to be done, for whoever comes first.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    more: Condvar,
}

#[derive(Default)]
struct State {
    ranges: VecDeque<Range<u64>>,
    closed: bool,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked has left nothing half done here.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, ranges: impl IntoIterator<Item = Range<u64>>) {
        self.lock().ranges.extend(ranges);
        self.more.notify_all();
    }

    fn close(&self) {
        self.lock().closed = true;
        self.more.notify_all();
    }

    /// The next points, at most so many; none when all is done.
    fn next(&self, most: usize) -> Option<Range<u64>> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            if let Some(range) = state.ranges.front_mut() {
                let taken = range.start..range.end.min(range.start + most as u64);
                range.start = taken.end;
                if range.is_empty() {
                    state.ranges.pop_front();
                }
                return Some(taken);
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// What a thread does: takes points, runs them, hands the rows over.
fn work(plan: &Plan<'_>, queue: &Queue, hand_over: &mpsc::Sender<Piece>) {
    let mut most = 1;
    while let Some(points) = queue.next(most) {
        let begin = Instant::now();
        let count = (points.end - points.start) as usize;
        let cells = run_block(plan, points.start, count);
        let each = begin.elapsed().as_secs_f64() / count.max(1) as f64;
        most = ((HAND_OVER / each.max(1e-9)) as usize).clamp(1, MOST).min(4 * most);
        if hand_over.send(Piece { first: points.start, cells }).is_err() {
            return;
        }
    }
}

/// A block that is not complete.
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

/// Gathers rows, writes journals and blocks, opens further blocks.
fn gather(
    folder: &Folder,
    queue: &Queue,
    taken: &mpsc::Receiver<Piece>,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), SweepError> {
    let own = folder.points();
    let mut done = folder.finished_points();
    let mut clock = Clock::new(done, own.end - own.start);
    let mut waiting = folder.blocks().filter(|block| !folder.has(*block)).peekable();
    let mut open: BTreeMap<u64, Open> = BTreeMap::new();
    loop {
        while open.len() < OPEN
            && let Some(block) = waiting.next()
        {
            let started = start(folder, block)?;
            done += started.rows;
            clock.begin(started.rows);
            if started.is_complete() {
                finish(folder, block, started)?;
                continue;
            }
            queue.add(started.missing());
            open.insert(block, started);
        }
        if open.is_empty() {
            progress(clock.tell(done));
            return Ok(());
        }
        match taken.recv_timeout(TICK) {
            Ok(piece) => {
                done += piece.rows();
                let block = piece.first / folder.manifest().rows_per_block;
                let Some(own) = open.get_mut(&block) else { continue };
                own.journal.append(&piece)?;
                own.take(piece);
                if own.is_complete()
                    && let Some(own) = open.remove(&block)
                {
                    finish(folder, block, own)?;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SweepError::files("all threads have stopped before the points were done"));
            }
        }
        if clock.is_time() {
            progress(clock.tell(done));
        }
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
    Ok(())
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

/// How long it takes.
pub(crate) struct Clock {
    begin: Instant,
    told: Instant,
    /// Points that were there before.
    before: u64,
    of: u64,
}

impl Clock {
    pub fn new(before: u64, of: u64) -> Clock {
        let now = Instant::now();
        Clock { begin: now, told: now, before, of }
    }

    fn begin(&mut self, journalled: u64) {
        self.before += journalled;
    }

    pub fn is_time(&mut self) -> bool {
        let due = self.told.elapsed() >= TICK;
        if due {
            self.told = Instant::now();
        }
        due
    }

    pub fn tell(&self, done: u64) -> Progress {
        let own = done.saturating_sub(self.before);
        let each = self.begin.elapsed().as_secs_f64() / own.max(1) as f64;
        let left = (own > 0).then(|| each * self.of.saturating_sub(done) as f64);
        Progress { done, of: self.of, left }
    }
}
