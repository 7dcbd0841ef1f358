//! All points of a share, by many threads, into a folder.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stickslip_run::write_scenario;

use crate::{Folder, Gathering, Piece, Plan, SweepError, run_block};

/// How far a sweep is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Points that are done.
    pub done: u64,
    /// Of how many.
    pub of: u64,
    /// Of those that are done, how many an earlier command had left, in blocks and journals, as far as blocks were opened.
    pub before: u64,
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
    run_while(plan, folder, threads, &mut |told| {
        progress(told);
        true
    })
}

/// The same as long as `go_on` says so, which is asked ten times a second: [`Folder::is_complete`] tells whether it came to the end.
pub fn run_while(
    plan: &Plan<'_>,
    folder: &Folder,
    threads: usize,
    go_on: &mut dyn FnMut(Progress) -> bool,
) -> Result<(), SweepError> {
    keep_scenario(plan, folder)?;
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
        let gathered = gather(folder, &queue, &taken, go_on);
        // Those at work on a point hear of it when they come back.
        queue.close();
        gathered
    })
}

/// Writes the scenario beside its dataset, and all files that it and its points name, unless they are there as they should be.
pub fn keep_scenario(plan: &Plan<'_>, folder: &Folder) -> Result<(), SweepError> {
    let (place, scenario) = (folder.path(), plan.scenario);
    let same = |name: &Path, bytes: &[u8]| std::fs::read(place.join(name)).is_ok_and(|there| there == bytes);
    for file in plan.named_files().filter_map(|(_, file)| file) {
        if !same(Path::new(&file.place), &file.bytes) {
            folder.write(&file.place, &file.bytes)?;
        }
    }
    let inputs = || scenario.inputs.iter().all(|input| same(Path::new(&input.place), &input.bytes));
    if same(Path::new("scenario.toml"), scenario.text.as_bytes()) && inputs() {
        return Ok(());
    }
    write_scenario(place, scenario).map_err(|error| SweepError::files(error.to_string()))
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

/// Gathers rows, hands out what is missing. Ends early where `progress` says so.
fn gather(
    folder: &Folder,
    queue: &Queue,
    taken: &mpsc::Receiver<Piece>,
    progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<(), SweepError> {
    let own = folder.points();
    let mut gathering = Gathering::new(folder, OPEN);
    let mut clock = Clock::new(gathering.done(), own.end - own.start);
    loop {
        queue.add(gathering.open(folder)?);
        if gathering.is_complete() {
            progress(clock.tell(gathering.done(), gathering.journalled()));
            return Ok(());
        }
        match taken.recv_timeout(TICK) {
            Ok(piece) => gathering.take(folder, piece)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(SweepError::files("all threads have stopped before the points were done"));
            }
        }
        if clock.is_time() && !progress(clock.tell(gathering.done(), gathering.journalled())) {
            return Ok(());
        }
    }
}

/// How long it takes.
pub(crate) struct Clock {
    begin: Instant,
    told: Instant,
    /// Points that were there before, in whole blocks.
    before: u64,
    of: u64,
}

impl Clock {
    pub fn new(before: u64, of: u64) -> Clock {
        let now = Instant::now();
        Clock { begin: now, told: now, before, of }
    }

    pub fn is_time(&mut self) -> bool {
        let due = self.told.elapsed() >= TICK;
        if due {
            self.told = Instant::now();
        }
        due
    }

    /// So many points are done, of which `journalled` were in journals before.
    pub fn tell(&self, done: u64, journalled: u64) -> Progress {
        let own = done.saturating_sub(self.before + journalled);
        let each = self.begin.elapsed().as_secs_f64() / own.max(1) as f64;
        let left = (own > 0).then(|| each * self.of.saturating_sub(done) as f64);
        Progress { done, of: self.of, before: self.before + journalled, left }
    }
}
