//! All paths of a share, by many threads, into a folder. Each path has a journal of its own, so that a kill loses no run that was finished.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use stickslip_report::table::dataset::{Cells, DataColumn};
use stickslip_scenario::sweep::Value;

use super::Branches;
use super::collect::{Collected, Found};
use crate::block::one_line;
use crate::gather::joined;
use crate::journal::{Journal, Piece};
use crate::work::{Clock, keep_scenario};
use crate::{Folder, Progress, SweepError};

/// Runs all paths of the folder that are not there yet. Progress counts runs.
pub fn run_paths(
    branches: &Branches<'_>,
    folder: &Folder,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), SweepError> {
    keep_scenario(&branches.plan, folder)?;
    let own = folder.points();
    let runs = branches.runs_of_path();
    if branches.carry.is_empty() {
        return run_apart(branches, folder, threads, progress);
    }
    let waiting = Mutex::new(own.clone().filter(|path| !folder.has(*path)));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    let stop = AtomicBool::new(false);
    let (tell, heard) = mpsc::channel::<Result<u64, SweepError>>();
    let before = folder.finished_points() * runs;
    let mut clock = Clock::new(before, (own.end - own.start) * runs);
    std::thread::scope(|scope| {
        let mut workers = 0;
        for number in 0..threads.max(1) {
            let (tell, next, stop) = (tell.clone(), &next, &stop);
            let work = move || {
                while let Some(path) = next().filter(|_| !stop.load(Ordering::Relaxed)) {
                    let followed = follow(branches, folder, path, &mut |done| {
                        // Who listens no more has heard of a failure.
                        tell.send(Ok(done)).is_ok() && !stop.load(Ordering::Relaxed)
                    });
                    if let Err(error) = followed {
                        stop.store(true, Ordering::Relaxed);
                        let _ = tell.send(Err(error));
                        return;
                    }
                }
            };
            let started = std::thread::Builder::new().name(format!("path-{number}")).spawn_scoped(scope, work);
            workers += usize::from(started.is_ok());
        }
        drop(tell);
        if workers == 0 {
            return Err(SweepError::files("the system grants no thread to run points in"));
        }
        let mut done = before;
        for message in heard {
            done += message?;
            if clock.is_time() {
                progress(clock.tell(done, 0));
            }
        }
        progress(clock.tell(done, 0));
        folder.sort_sums()
    })
}

/// The same where each run has the scenario's own start: the runs of a path need not come one after the other, and all threads work on it.
fn run_apart(
    branches: &Branches<'_>,
    folder: &Folder,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Result<(), SweepError> {
    let own = folder.points();
    let runs = branches.runs_of_path();
    let mut done = folder.finished_points() * runs;
    let mut clock = Clock::new(done, (own.end - own.start) * runs);
    for path in own.filter(|path| !folder.has(*path)) {
        let (mut journal, mut pieces) =
            Journal::open(&folder.journal_path(path), &folder.manifest().hash(), folder.columns())?;
        let known: BTreeSet<u64> = pieces.iter().map(|piece| piece.first).collect();
        done += known.len() as u64;
        let missing = Mutex::new((0..runs).filter(|i| !known.contains(i)));
        let next_run = || missing.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (tell, heard) = mpsc::channel();
        std::thread::scope(|scope| {
            let mut workers = 0;
            for number in 0..threads.max(1) {
                let (tell, next_run) = (tell.clone(), &next_run);
                let work = move || {
                    let mut values = Vec::new();
                    // Who listens no more could not write.
                    while let Some(i) = next_run()
                        && tell.send(next(branches, path, i, &mut None, &mut values)).is_ok()
                    {}
                };
                let started = std::thread::Builder::new().name(format!("run-{number}")).spawn_scoped(scope, work);
                workers += usize::from(started.is_ok());
            }
            drop(tell);
            if workers == 0 {
                return Err(SweepError::files("the system grants no thread to run points in"));
            }
            for piece in heard {
                journal.append(&piece)?;
                pieces.push(piece);
                done += 1;
                if clock.is_time() {
                    progress(clock.tell(done, 0));
                }
            }
            Ok(())
        })?;
        if pieces.len() as u64 != runs {
            return Err(SweepError::files("all threads have stopped before the work was done"));
        }
        pieces.sort_by_key(|piece| piece.first);
        folder.write_block(path, &joined(folder.columns(), pieces.into_iter()))?;
        journal.remove();
    }
    progress(clock.tell(done, 0));
    folder.sort_sums()
}

/// One path: what its journal holds, and then the rest. `tell` hears how many runs were done, and says whether to go on.
fn follow(
    branches: &Branches<'_>,
    folder: &Folder,
    path: u64,
    tell: &mut dyn FnMut(u64) -> bool,
) -> Result<(), SweepError> {
    let (mut journal, mut pieces) =
        Journal::open(&folder.journal_path(path), &folder.manifest().hash(), folder.columns())?;
    pieces.sort_by_key(|piece| piece.first);
    let whole = pieces.iter().zip(0..).take_while(|(piece, number)| piece.first == *number).count();
    pieces.truncate(whole);
    let mut start = resumed(branches, path, &pieces);
    if !tell(whole as u64) {
        return Ok(());
    }
    let mut values = Vec::new();
    for i in whole as u64..branches.runs_of_path() {
        let piece = next(branches, path, i, &mut start, &mut values);
        journal.append(&piece)?;
        pieces.push(piece);
        if !tell(1) {
            return Ok(());
        }
    }
    folder.write_block(path, &joined(folder.columns(), pieces.into_iter()))?;
    journal.remove();
    Ok(())
}

/// The rows of a path, without files.
pub(super) fn path(branches: &Branches<'_>, path: u64) -> Vec<Cells> {
    let (mut start, mut values, mut pieces) = (None, Vec::new(), Vec::new());
    for i in 0..branches.runs_of_path() {
        pieces.push(next(branches, path, i, &mut start, &mut values));
    }
    joined(&branches.columns, pieces.into_iter())
}

/// The rows of the i-th run of a path; the start becomes that of the next.
fn next(branches: &Branches<'_>, path: u64, i: u64, start: &mut Option<Vec<f64>>, values: &mut Vec<Value>) -> Piece {
    let (index, down) = branches.point(path, i);
    branches.plan.points().values(index, values);
    let ran = branches.run(values, start.as_deref());
    let cells = rows(branches, values, down, start.as_deref(), &ran);
    // After a run that failed, the next starts where that one did.
    if let Ok((_, Some(next))) = ran {
        *start = Some(next);
    }
    Piece { first: i, cells }
}

/// Where the next run starts: the last one that went well is made again for its end. Runs are functions of their start, to the bit.
fn resumed(branches: &Branches<'_>, path: u64, pieces: &[Piece]) -> Option<Vec<f64>> {
    if branches.carry.is_empty() {
        return None;
    }
    let well =
        |piece: &&Piece| matches!(piece.cells.last(), Some(Cells::Texts(errors)) if errors.first() == Some(&None));
    let last = pieces.iter().rev().find(well)?;
    let mut values = Vec::new();
    branches.plan.points().values(branches.point(path, last.first).0, &mut values);
    let start = start_of(branches, &last.cells, 0);
    branches.run(&values, start.as_deref()).ok().and_then(|(_, next)| next)
}

/// The start that a row tells; none where it was the scenario's own.
pub(super) fn start_of(branches: &Branches<'_>, cells: &[Cells], row: usize) -> Option<Vec<f64>> {
    let first = branches.plan.varied() + 1;
    let start: Vec<f64> = cells.iter().skip(first).take(branches.carry.len()).map(|cells| cells.number(row)).collect();
    (!start.is_empty() && start.iter().all(|value| value.is_finite())).then_some(start)
}

type Ran = Result<(Found, Option<Vec<f64>>), String>;

/// The rows of a run: one for each value, or one with the error.
fn rows(branches: &Branches<'_>, values: &[Value], down: bool, start: Option<&[f64]>, ran: &Ran) -> Vec<Cells> {
    let empty = [Collected { at: f64::NAN, value: f64::NAN, kind: "" }];
    let (found, settled, error) = match ran {
        Ok((found, _)) => (&found.values[..], found.settled, None),
        Err(error) => (&empty[..], None, Some(one_line(error))),
    };
    let direction = match (branches.carry.is_empty(), down) {
        (true, _) => "own",
        (_, false) => "up",
        (_, true) => "down",
    };
    let varied = branches.plan.varied();
    let starts = varied + 1..varied + 1 + branches.carry.len();
    let cell = |k: usize, column: &DataColumn| -> Cells {
        let texts = |text: Option<String>| Cells::Texts(vec![text; found.len()]);
        let numbers = |value: f64| Cells::Numbers(vec![value; found.len()]);
        match k {
            k if k < varied && column.text => texts(values.get(k).map(|value| match value {
                Value::Text(text) => text.clone(),
                other => other.written(),
            })),
            k if k < varied => numbers(values.get(k).and_then(Value::number).map_or(f64::NAN, |value| value + 0.0)),
            k if k == varied => texts(Some(direction.into())),
            k if starts.contains(&k) => {
                numbers(start.and_then(|start| start.get(k - starts.start)).copied().unwrap_or(f64::NAN))
            }
            k if k == starts.end => Cells::Numbers(found.iter().map(|c| c.at).collect()),
            k if k == starts.end + 1 => Cells::Numbers(found.iter().map(|c| c.value).collect()),
            k if k == starts.end + 2 => {
                Cells::Texts(found.iter().map(|c| (!c.kind.is_empty()).then(|| c.kind.to_string())).collect())
            }
            k if k == starts.end + 3 => texts(settled.map(|settled| settled.word().into())),
            _ => texts(error.clone()),
        }
    };
    branches.columns.iter().enumerate().map(|(k, column)| cell(k, column)).collect()
}
