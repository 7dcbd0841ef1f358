//! Runs of many systems of one kind by implicit steps, side by side.
//!
//! Points of a sweep are one model with other numbers. Their steps do not depend on each other, so that a block of runs is
//! stepped together: numbers of one kind of all runs lie side by side, and one vector instruction serves several runs.
//! A run that is stepped in a block is, to the bit, the run that [`Steps`] makes alone: the block makes the
//! same operations in the same order for each of its runs and stops where one of them would stop. What a
//! block cannot do (a kernel that fails, numbers that overflow) is done again alone, for its error.

use std::convert::Infallible;

use super::{Event, EventCollector, Grid, Steps};
use crate::mechanics::{Clock, System};

/// Runs whose steps are made together.
pub trait Block<S: System> {
    /// How many runs there is room for.
    const WIDTH: usize;

    /// Puts a run into its place: what it does from its next step on, and where it stands.
    fn load(&mut self, place: usize, kernel: &S::Kernel<'_>, state: &S::State);

    /// Makes steps of all runs from step n on, until `end` is the next one, and none after one in which a contact of any run changed. The next step.
    fn advance(&mut self, n: u64, end: u64) -> u64;

    /// Whether a contact of this run changed in the last step.
    fn changed(&self, place: usize) -> bool;

    /// Takes over where a run stands.
    fn store(&self, place: usize, state: &mut S::State);
}

/// A system whose runs can be stepped side by side.
pub trait SideBySide: System + Sized {
    /// A block of runs.
    type Block: Block<Self>;

    /// Whether it can be stepped in a block whose first run is that of another, or of itself.
    fn fits(&self, first: &Self) -> bool;

    /// An empty block for runs like its own.
    fn block(&self) -> Self::Block;
}

/// A run at the end of its grid, and all its events.
#[derive(Debug, Clone)]
pub struct EndOfRun<T> {
    /// As it would stand after the same steps alone.
    pub run: Steps<T>,
    /// What its contacts did.
    pub events: Vec<Event>,
}

/// A run of a block, and the step before which its kernel has to be made anew.
struct Place<T> {
    run: Steps<T>,
    events: Vec<Event>,
    valid: u64,
    failed: bool,
}

/// Runs at most [`Block::WIDTH`] systems over the grid. None for a run that must be made alone: it would fail, or it cannot be
/// stepped in a block.
pub fn side_by_side<S: SideBySide>(systems: &[S], grid: Grid) -> Vec<Option<EndOfRun<S::State>>>
where
    S::State: Clone,
{
    let Some(first) = systems.first() else { return Vec::new() };
    if systems.len() > S::Block::WIDTH || !systems.iter().all(|system| system.fits(first)) {
        return systems.iter().map(|_| None).collect();
    }
    let mut block = first.block();
    let clock = Clock::new(grid.h);
    let mut places: Vec<Place<S::State>> = Vec::with_capacity(systems.len());
    for system in systems {
        let run = Steps::new(system, grid.h);
        let events = Vec::with_capacity(USUAL_EVENTS);
        places.push(Place { run, events, valid: 0, failed: false });
    }
    // What is not used does what the first run does.
    for place in 0..S::Block::WIDTH {
        let at = if place < systems.len() { place } else { 0 };
        renew(&mut block, place, &systems[at], &mut places[at], clock, 0);
    }
    let mut n = 0;
    while n < grid.steps {
        let end = places.iter().map(|place| place.valid).fold(grid.steps, u64::min);
        n = block.advance(n, end);
        for (at, (place, system)) in places.iter_mut().zip(systems).enumerate() {
            let (changed, over) = (block.changed(at), place.valid == n);
            if changed || over || n == grid.steps {
                place.run.reach(n, |state| block.store(at, state));
            }
            if changed && place.run.note(system, &mut EventCollector::<Infallible>::into(&mut place.events)).is_err() {
                place.failed = true;
            }
            if over && n < grid.steps {
                place.run.begin_kernel();
                renew(&mut block, at, system, place, clock, n);
            }
        }
    }
    let ended = places.into_iter().zip(systems).map(|(place, system)| {
        let good = !place.failed && place.run.is_sound(system);
        good.then_some(EndOfRun { run: place.run, events: place.events })
    });
    ended.collect()
}

/// Room for events that is made at once.
const USUAL_EVENTS: usize = 8;

/// A new kernel from step n on. One that cannot be made leaves the run with its last one, to be made again alone.
fn renew<S: SideBySide>(
    block: &mut S::Block,
    at: usize,
    system: &S,
    place: &mut Place<S::State>,
    clock: Clock,
    n: u64,
) {
    match system.kernel(n, clock) {
        Ok((kernel, valid)) => {
            block.load(at, &kernel, place.run.end());
            place.valid = valid;
        }
        Err(_) => {
            place.failed = true;
            place.valid = u64::MAX;
        }
    }
}
