//! A table is made: lines by all threads, kept as they come, then compared, written and drawn.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};

use stickslip_contact::table::{
    Check, Filled, FilledTrial, Line, Node, Solver, Table, TableError, Trial, filled_places, filled_trial, trial,
};
use stickslip_contact::theory::TheoryError;
use stickslip_report::table::dataset::{Cells, DataColumn, aside, write_block};
use stickslip_run::{Scenario, Step, VERSION, write_scenario};
use stickslip_sweep::{Journal, Piece, SweepError};

use super::compare::{Rival, rivals};
use super::{Tabulation, failed, view};

/// What it belongs to.
const MANIFEST: &str = "table.json";
/// The table.
pub(super) const TABLE: &str = "creep-table.csv";
/// The same for readers of datasets.
const DATA: &str = if cfg!(feature = "parquet") { "creep-table.parquet" } else { "creep-table.data.csv" };
const JOURNAL: &str = ".journal";
const LOCK: &str = ".lock";

/// A table that was made.
#[derive(Debug, Clone)]
pub struct Made {
    /// The table.
    pub table: Table,
    /// How far it is off.
    pub check: Check,
    /// How far it and others are off the exact theory on finer elements.
    pub rivals: Vec<Rival>,
    /// Lines that were there already.
    pub before: usize,
    /// Solutions made now.
    pub solved: u64,
    /// Seconds that they took.
    pub seconds: f64,
}

impl Tabulation {
    /// Whether a folder holds this table, finished or not.
    pub fn is_in(&self, folder: &Path) -> bool {
        fs::read_to_string(folder.join(MANIFEST)).is_ok_and(|text| text == self.manifest())
    }

    /// Whether a folder holds this table, finished.
    pub fn is_finished_in(&self, folder: &Path) -> bool {
        self.is_in(folder) && folder.join("report.html").is_file()
    }

    fn manifest(&self) -> String {
        let Tabulation { spec, check, seed, .. } = self;
        let told = serde_json::json!({
            "kind": "stickslip table", "version": VERSION, "table": spec.written(), "check": check, "seed": seed
        });
        format!("{told:#}\n")
    }

    /// Makes the table in a folder, or goes on with what is there of it. A line is a function of its number alone, so the files are the
    /// same by one thread or many, at once or gone on with.
    pub fn make(
        &self,
        scenario: &Scenario,
        folder: &Path,
        threads: usize,
        progress: &mut dyn FnMut(Step),
    ) -> Result<Made, SweepError> {
        let _lock = self.open(folder)?;
        if !folder.join("scenario.toml").exists() {
            write_scenario(folder, scenario)?;
        }
        let begin = std::time::Instant::now();
        let (mut journal, pieces) = Journal::open(&folder.join(JOURNAL), &self.manifest(), &line_columns())?;
        let lines = self.lines(pieces, &mut journal, threads, progress)?;
        let seconds = begin.elapsed().as_secs_f64();
        let (before, solved) = (lines.before, lines.solved);
        let table = Table::new(self.spec.clone(), &lines.all).map_err(|error| SweepError::Run(failed(&error)))?;
        let trials = self.trials(&table, threads, progress)?;
        let filled = self.filled(&table, threads)?;
        progress(Step::Report);
        let check = Check::new(self.seed, &trials).with_filled(filled);
        let rivals = rivals(&table, &trials);
        put(folder, "check.csv", super::compare::csv(&table, &trials))?;
        put(folder, TABLE, table.to_csv(VERSION, Some(&check)))?;
        let (columns, cells) = dataset(&table);
        let told = check.written();
        let metadata =
            [("stickslip.version", VERSION), ("stickslip.table", &self.spec.written()), ("stickslip.check", &told)];
        write_block(&folder.join(DATA), &columns, &cells, &metadata)?;
        let made = Made { table, check, rivals, before, solved, seconds };
        view::write(self, scenario, &made, folder)?;
        journal.remove();
        Ok(made)
    }

    /// Makes the folder, or takes it up if it holds the same table.
    fn open(&self, folder: &Path) -> Result<File, SweepError> {
        let unwritable = |error: std::io::Error| {
            SweepError::input(
                format!("cannot write to {}: {error}", folder.display()),
                "name a folder that you may write to with --out",
            )
        };
        let known = folder.join(MANIFEST).exists();
        if known && !self.is_in(folder) {
            return Err(SweepError::input(
                format!(
                    "{} holds another table: points, elements or version differ; nothing was written",
                    folder.display()
                ),
                "name another folder with --out, or ask for the same table to go on with it",
            ));
        }
        let own = |name: &str| name == LOCK || name.ends_with(".part");
        let others = fs::read_dir(folder).into_iter().flatten().flatten();
        if !known && others.into_iter().any(|entry| !own(&entry.file_name().to_string_lossy())) {
            return Err(SweepError::input(
                format!("{} holds files already, and no table; nothing was written", folder.display()),
                "name another folder with --out",
            ));
        }
        fs::create_dir_all(folder).map_err(unwritable)?;
        let lock = File::create(folder.join(LOCK)).map_err(unwritable)?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(SweepError::input(
                format!("another command that is still at work writes to {}", folder.display()),
                "wait for it, or name another folder with --out",
            ));
        }
        if !known {
            put(folder, MANIFEST, self.manifest())?;
        }
        Ok(lock)
    }

    /// All lines: those of the journal, and the others by all threads.
    fn lines(
        &self,
        pieces: Vec<Piece>,
        journal: &mut Journal,
        threads: usize,
        progress: &mut dyn FnMut(Step),
    ) -> Result<Lines, SweepError> {
        let total = self.spec.lines();
        let mut found: BTreeMap<usize, Line> = BTreeMap::new();
        for piece in pieces {
            let number = usize::try_from(piece.first).unwrap_or(usize::MAX);
            if let Some(line) = line_of(&piece, self.spec.magnitudes + 1).filter(|_| number < total) {
                found.insert(number, line);
            }
        }
        let before = found.len();
        let missing: Vec<usize> = (0..total).filter(|number| !found.contains_key(number)).collect();
        let work = |send: &Sender<Solved>, next: Next<'_>| {
            let mut solver = Solver::new(&self.spec);
            while let Some(number) = next() {
                let solved = solver.solved();
                let line = solver.line(missing[number]).map(|line| (line, solver.solved() - solved));
                if send.send((missing[number], line)).is_err() {
                    return;
                }
            }
        };
        let mut solved = 0;
        beside(threads, missing.len(), &work, &mut |(number, line)| {
            let (line, count) = line.map_err(|error| SweepError::input(error.to_string(), error.help()))?;
            journal.append(&piece_of(number, &line))?;
            found.insert(number, line);
            solved += count;
            progress(Step::Share(0.9 * found.len() as f64 / total as f64, format!("{} of {total} lines", found.len())));
            Ok(())
        })?;
        Ok(Lines { all: found.into_values().collect(), before, solved })
    }

    /// The random points, in their order.
    fn trials(
        &self,
        table: &Table,
        threads: usize,
        progress: &mut dyn FnMut(Step),
    ) -> Result<Vec<Option<Trial>>, SweepError> {
        let total = self.check as usize;
        let mut found: BTreeMap<usize, Option<Trial>> = BTreeMap::new();
        let work = |send: &Sender<Compared>, next: Next<'_>| {
            while let Some(number) = next() {
                if send.send((number, trial(table, self.seed, number as u64, true))).is_err() {
                    return;
                }
            }
        };
        beside(threads, total, &work, &mut |(number, trial)| {
            found.insert(number, trial.map_err(|error| SweepError::Run(failed(&error)))?);
            let share = found.len() as f64 / total as f64;
            progress(Step::Share(0.9 + 0.1 * share, format!("{} of {total} random points compared", found.len())));
            Ok(())
        })?;
        Ok(found.into_values().collect())
    }

    /// How far off it is where nodes were filled in; none where all were solved.
    fn filled(&self, table: &Table, threads: usize) -> Result<Option<Filled>, SweepError> {
        let refused = |error: TheoryError| SweepError::Run(failed(&error));
        let (places, share) = filled_places(table, self.seed, self.check / FILLED_FOR_EACH).map_err(refused)?;
        let mut found: BTreeMap<usize, FilledTrial> = BTreeMap::new();
        let work = |send: &Sender<FilledIn>, next: Next<'_>| {
            while let Some(number) = next() {
                if send.send((number, filled_trial(table, self.seed, places[number]))).is_err() {
                    return;
                }
            }
        };
        beside(threads, places.len(), &work, &mut |(number, trial)| {
            found.insert(number, trial.map_err(refused)?);
            Ok(())
        })?;
        let trials: Vec<FilledTrial> = found.into_values().collect();
        Ok((!trials.is_empty()).then(|| Filled::new(share, &trials)))
    }
}

/// Random points where nodes were filled in, for one of all random points.
const FILLED_FOR_EACH: u64 = 4;

/// A line by its number, with the solutions that it took.
type Solved = (usize, Result<(Line, u64), TableError>);
/// A random point by its number; none where it is left out.
type Compared = (usize, Result<Option<Trial>, TheoryError>);
/// A random point by its number, where nodes were filled in.
type FilledIn = (usize, Result<FilledTrial, TheoryError>);
/// The next number to work on; none when all are taken.
type Next<'n> = &'n dyn Fn() -> Option<usize>;
/// What each thread does.
type Worker<'w, T> = &'w (dyn Fn(&Sender<T>, Next<'_>) + Sync);

struct Lines {
    all: Vec<Line>,
    before: usize,
    solved: u64,
}

/// Several threads take numbers below `count` one after the other and send what they make of them; `take` has it on this thread.
fn beside<T: Send>(
    threads: usize,
    count: usize,
    work: Worker<'_, T>,
    take: &mut dyn FnMut(T) -> Result<(), SweepError>,
) -> Result<(), SweepError> {
    let (taken, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let next = || {
        let number = taken.fetch_add(1, Ordering::Relaxed);
        (number < count && !stop.load(Ordering::Relaxed)).then_some(number)
    };
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        let mut workers = 0;
        for _ in 0..threads.max(1) {
            let (send, next) = (send.clone(), &next);
            let started = std::thread::Builder::new().spawn_scoped(scope, move || work(&send, next));
            workers += usize::from(started.is_ok());
        }
        drop(send);
        if workers == 0 {
            return Err(SweepError::files("the system grants no thread to work in"));
        }
        let mut done = 0;
        for result in &receive {
            if let Err(error) = take(result) {
                stop.store(true, Ordering::Relaxed);
                return Err(error);
            }
            done += 1;
        }
        if done < count { Err(SweepError::files("all threads have stopped before the work was done")) } else { Ok(()) }
    })
}

/// The columns of a line in the journal.
fn line_columns() -> Vec<DataColumn> {
    ["x", "y", "z", "stick", "solved"].map(|name| column(name, "1", "")).to_vec()
}

fn column(name: &str, unit: &str, meaning: &str) -> DataColumn {
    DataColumn { name: name.into(), unit: unit.into(), meaning: meaning.into(), text: false }
}

fn piece_of(number: usize, line: &Line) -> Piece {
    let of = |value: &dyn Fn(&Node) -> f64| Cells::Numbers(line.nodes.iter().map(value).collect());
    let cells = vec![
        of(&|node| node.over_t[0]),
        of(&|node| node.over_t[1]),
        of(&|node| node.over_t[2]),
        of(&|node| node.stick),
        of(&|node| f64::from(u8::from(node.solved))),
    ];
    Piece { first: number as u64, cells }
}

fn line_of(piece: &Piece, nodes: usize) -> Option<Line> {
    let [x, y, z, stick, solved] = &piece.cells[..] else { return None };
    let node = |m: usize| Node {
        over_t: [x.number(m), y.number(m), z.number(m)],
        stick: stick.number(m),
        solved: solved.number(m) != 0.0,
    };
    (piece.rows() == nodes as u64).then(|| Line { nodes: (0..nodes).map(node).collect() })
}

/// The rows of the table for readers of datasets.
fn dataset(table: &Table) -> (Vec<DataColumn>, Vec<Cells>) {
    let columns = [
        ("a_over_b", "1", "half-axis along over half-axis across"),
        ("spin_angle_deg", "deg", "atan2(z, sqrt(x^2 + y^2)) of the stretched creepages"),
        ("direction_deg", "deg", "atan2(y, x)"),
        ("t", "1", "rho/(1 + rho)"),
        ("fx_over_t", "1", "Fx/(mu N) over t; at t = 0 what that tends to"),
        ("fy_over_t", "1", "Fy/(mu N) over t"),
        ("mz_over_t", "1", "Mz/(mu N c) over t"),
        ("stick_share", "1", "share of the contact that sticks"),
        ("solved", "1", "1: solved; 0: between the last solution and full sliding"),
    ];
    let columns = columns.map(|(name, unit, meaning)| column(name, unit, meaning)).to_vec();
    (columns, table.columns().map(Cells::Numbers).to_vec())
}

/// Writes a file: all of it under its name, or nothing.
pub(super) fn put(folder: &Path, name: &str, text: String) -> Result<(), SweepError> {
    let path: PathBuf = folder.join(name);
    let failed = |error: std::io::Error| SweepError::files(format!("cannot write {}: {error}", path.display()));
    if let Some(above) = path.parent() {
        fs::create_dir_all(above).map_err(failed)?;
    }
    let aside = aside(&path);
    let written =
        fs::write(&aside, text).and_then(|()| File::open(&aside)?.sync_all()).and_then(|()| fs::rename(&aside, &path));
    written.map_err(|error| {
        let _ = fs::remove_file(&aside);
        failed(error)
    })
}
