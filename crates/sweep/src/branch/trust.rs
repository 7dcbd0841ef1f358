//! How far branches are to be believed: some of the runs are made again in a better way, from the very starts that they had.
//!
//! A run is made again from event to event where its model allows that, and else with half the step. What is compared are the least, the
//! greatest and the mean value that were collected, as a share of the spread of all values of the diagram. Of a scheme of first order the
//! error is about twice what half the step changes. Up to half of the runs are those on both sides of the greatest jumps of a branch, where a
//! scheme may hold on to a branch too long or leave it too early; the others are spread over all.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use stickslip_report::html::{Content, Section, TextTable};
use stickslip_report::table::dataset::Cells;
use stickslip_run::text::{number_to, percent};
use stickslip_scenario::Scheme;
use stickslip_scenario::sweep::{KeyPath, Value};

use super::collect::Found;
use super::follow::start_of;
use super::{Branches, settled_column, value_column};
use crate::picture::{Data, MOST_POINTS};
use crate::{Folder, SweepError};

/// Runs that are made again at the most, and one for how many.
const AGAIN: (usize, usize) = (12, 4);

/// A branch that moves by more of the spread is the scheme's and not the motion's.
const MOVED: f64 = 0.05;

/// Least spread of a diagram that others are measured by, as a share of its greatest value.
const SPREAD: f64 = 1e-3;

/// How a run was made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Better {
    /// From event to event.
    ByEvents,
    /// With half the step; of runs from event to event, recorded twice as often.
    HalfStep,
}

/// Least, greatest and mean value.
type Range = [f64; 3];

/// A run that was made twice.
#[derive(Debug, Clone, PartialEq)]
struct Twice {
    /// Its first row in the dataset.
    row: usize,
    /// Whether it is one next to a jump.
    jump: bool,
    was: Range,
    again: Result<(Better, Range), String>,
    /// What lies between them, as a share of the spread of the diagram; 1 where one of them has no value.
    moved: f64,
}

/// What came of all of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Trust {
    made: String,
    runs: Vec<Twice>,
    /// The same runs as rows of text.
    rows: Vec<Vec<String>>,
    head: Vec<String>,
    /// Where the runs are, in words: key, value, direction.
    places: Vec<String>,
    doubts: Vec<String>,
    /// How many runs have too few values to tell whether they have settled.
    too_few: usize,
}

/// A run of the dataset.
#[derive(Debug, Clone, Copy)]
struct Run {
    row: usize,
    range: Range,
    /// How far it is from its neighbour on the path where a jump lies between them; else 0.
    jump: f64,
}

impl Branches<'_> {
    /// Makes some of the runs of a complete diagram again, and writes `trust.csv`. None where it is too large to be drawn, or only a part.
    pub fn trust(
        &self,
        folder: &Folder,
        threads: usize,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Option<Trust>, SweepError> {
        let own = folder.points();
        if own.end - own.start != self.paths() || folder.rows()? > MOST_POINTS {
            return Ok(None);
        }
        let data = Data::read(folder)?;
        let spread = spread(self, &data);
        let runs = runs(self, &data, spread);
        let chosen = chosen(&runs);
        let (taken, (send, receive)) = (AtomicUsize::new(0), mpsc::channel());
        let work = |send: mpsc::Sender<(usize, Twice)>| {
            while let Some((run, jump)) = chosen.get(taken.fetch_add(1, Ordering::Relaxed)) {
                let twice = twice(self, &data, run, *jump, spread);
                if send.send((run.row, twice)).is_err() {
                    return;
                }
            }
        };
        let mut found: Vec<(usize, Twice)> = std::thread::scope(|scope| {
            for number in 0..threads.max(1) {
                let (send, work) = (send.clone(), &work);
                let name = format!("trust-{number}");
                // Where the system grants fewer threads, those that there are do the work.
                let _ = std::thread::Builder::new().name(name).spawn_scoped(scope, move || work(send));
            }
            drop(send);
            let mut found = Vec::new();
            for twice in receive {
                found.push(twice);
                progress(found.len(), chosen.len());
            }
            found
        });
        found.sort_by_key(|(row, _)| *row);
        let mut trust = Trust::new(self, &data, found.into_iter().map(|(_, twice)| twice).collect());
        trust.told_of_settling(self, &data, (&runs, spread));
        folder.write("trust.csv", trust.csv().as_bytes())?;
        Ok(Some(trust))
    }
}

/// How far values of a diagram are apart.
pub(super) fn spread(branches: &Branches<'_>, data: &Data) -> f64 {
    let values = data.numbers(value_column(branches)).iter().copied().filter(|value| value.is_finite());
    let [least, greatest] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, g], v| [l.min(v), g.max(v)]);
    // Values that are all alike but for what rows leave open are no diagram whose spread is a measure.
    (greatest - least).max(SPREAD * greatest.abs().max(least.abs()))
}

/// Share of the spread that values of a run must be apart for their dying away, or drifting, to be seen.
const SEEN: f64 = 0.01;

/// Whether a run had not settled, as far as it matters: it grows, or is on its way by more than is too small to be seen.
fn is_moving(branches: &Branches<'_>, data: &Data, run: &Run, spread: f64) -> bool {
    match data.texts(settled_column(branches)).get(run.row).and_then(|text| text.as_deref()) {
        Some("grows") => true,
        // Lines of a spectrum are no values of a motion.
        Some("no") => branches.is_of_spectra() || run.range[1] - run.range[0] > SEEN * spread,
        _ => false,
    }
}

/// The rows of a diagram whose runs had not settled.
pub(super) fn moving_rows(branches: &Branches<'_>, data: &Data) -> Vec<bool> {
    let spread = spread(branches, data);
    let runs = runs(branches, data, spread);
    let mut rows = vec![false; data.numbers(value_column(branches)).len()];
    let ends = runs.iter().skip(1).map(|next| next.row).chain([rows.len()]);
    for (run, end) in runs.iter().zip(ends) {
        // Rows of runs that failed, which may lie between, have no values.
        rows[run.row..end].fill(is_moving(branches, data, run, spread));
    }
    rows
}

/// The runs of the dataset that have values; of a diagram whose values are so far apart.
fn runs(branches: &Branches<'_>, data: &Data, spread: f64) -> Vec<Run> {
    let (values, key) = (data.numbers(value_column(branches)), data.numbers(branches.key_column()));
    let directions = data.texts(branches.plan.varied());
    let errors = data.texts(branches.columns.len() - 1);
    let fixed: Vec<usize> = (0..branches.plan.varied()).filter(|k| *k != branches.key_column()).collect();
    let cell = |column: usize, row: usize| match &data.cells[column] {
        Cells::Numbers(values) => values[row].to_bits().to_string(),
        Cells::Texts(texts) => texts[row].clone().unwrap_or_default(),
    };
    let path = |a: usize, b: usize| directions[a] == directions[b] && fixed.iter().all(|k| cell(*k, a) == cell(*k, b));
    let (mut all, mut row, mut begin): (Vec<Run>, usize, usize) = (Vec::new(), 0, 0);
    while row < values.len() {
        let end = (row..values.len()).find(|next| key[*next] != key[row] || !path(*next, row)).unwrap_or(values.len());
        if errors[row].is_none() {
            if all.last().is_some_and(|before| !path(before.row, row)) {
                mark_jumps(&mut all[begin..], key, spread);
                begin = all.len();
            }
            all.push(Run { row, range: range(&values[row..end]), jump: 0.0 });
        }
        row = end;
    }
    mark_jumps(&mut all[begin..], key, spread);
    all
}

/// A step from run to run that is a jump: at least this share of the spread, and so many times the step in the middle of all steps of its path.
const JUMP: [f64; 2] = [0.1, 4.0];

/// Marks the runs on both sides of each jump of one way along a path. Neighbours are neighbours by their key, whose values may be in any
/// order.
fn mark_jumps(runs: &mut [Run], key: &[f64], spread: f64) {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|a, b| key[runs[*a].row].total_cmp(&key[runs[*b].row]));
    let apart = |a: Range, b: Range| match (a[0].is_finite(), b[0].is_finite()) {
        (true, true) => (a[0] - b[0]).abs().max((a[1] - b[1]).abs()),
        (false, false) => 0.0,
        // Where values begin or end.
        _ => spread,
    };
    let steps: Vec<f64> = order.windows(2).map(|two| apart(runs[two[0]].range, runs[two[1]].range)).collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f64::total_cmp);
    let usual = sorted.get((sorted.len().max(1) - 1) / 2).copied().unwrap_or(0.0);
    for (two, step) in order.windows(2).zip(steps) {
        if step > JUMP[0] * spread && step > JUMP[1] * usual {
            two.iter().for_each(|k| runs[*k].jump = runs[*k].jump.max(step));
        }
    }
}

/// Least, greatest and mean of the values that there are; NaN of none.
fn range(values: &[f64]) -> Range {
    let known: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    if known.is_empty() {
        return [f64::NAN; 3];
    }
    let [least, greatest] = known.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[l, g], v| [l.min(*v), g.max(*v)]);
    [least, greatest, known.iter().sum::<f64>() / known.len() as f64]
}

/// Which runs are made again, and whether for a jump: up to half of them at the greatest jumps, the others spread over all. One that is next to
/// a jump is told as such however it was chosen.
fn chosen(runs: &[Run]) -> Vec<(Run, bool)> {
    let count = AGAIN.0.min(runs.len().div_ceil(AGAIN.1));
    let mut by_jump: Vec<Run> = runs.iter().copied().filter(|run| run.jump > 0.0).collect();
    by_jump.sort_by(|a, b| b.jump.total_cmp(&a.jump).then(a.row.cmp(&b.row)));
    let mut all: Vec<(Run, bool)> = by_jump.into_iter().take(count / 2).map(|run| (run, true)).collect();
    for k in 0..runs.len() {
        if all.len() >= count {
            break;
        }
        // Golden section: evenly spread however many there will be.
        let run = runs[(((k as f64 + 0.5) * 0.618_033_988_749_895).fract() * runs.len() as f64) as usize];
        if all.iter().all(|(known, _)| known.row != run.row) {
            all.push((run, run.jump > 0.0));
        }
    }
    all
}

/// Makes a run again.
fn twice(branches: &Branches<'_>, data: &Data, run: &Run, jump: bool, spread: f64) -> Twice {
    let values = branches.values_of(data, run.row);
    let start = start_of(branches, &data.cells, run.row);
    let again = branches.again(&values, start.as_deref()).map(|(better, found)| {
        let values: Vec<f64> = found.values.iter().map(|collected| collected.value).collect();
        (better, range(&values))
    });
    let moved = match &again {
        Ok((_, again)) => moved(run.range, *again, spread),
        Err(_) => f64::NAN,
    };
    Twice { row: run.row, jump, was: run.range, again, moved }
}

fn moved(was: Range, again: Range, spread: f64) -> f64 {
    let apart = was.iter().zip(again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    match (was[0].is_finite(), again[0].is_finite()) {
        (false, false) => 0.0,
        // Rounding of values that are all the same is no spread.
        (true, true) if apart <= 1e-9 * was[0].abs().max(was[1].abs()) => 0.0,
        (true, true) => (apart / spread).min(1.0),
        _ => 1.0,
    }
}

impl Branches<'_> {
    /// A run in a better way: by events if its model can, and else with half the step.
    fn again(&self, values: &[Value], from: Option<&[f64]>) -> Result<(Better, Found), String> {
        let mut plain = self.plan.instance_from(values, &self.start(from))?;
        if plain.run.scheme != Scheme::Events
            && let Ok(scheme) = KeyPath::read("run.scheme")
        {
            let mut set = self.start(from);
            set.push((&scheme, Value::Text(Scheme::Events.name().into())));
            let by_events = self.plan.instance_from(values, &set).and_then(|instance| self.collected(&instance));
            if let Ok((collected, _)) = by_events {
                return Ok((Better::ByEvents, collected));
            }
        }
        plain.run.step *= 0.5;
        self.collected(&plain).map(|(collected, _)| (Better::HalfStep, collected))
    }

    /// Scheme and step of a run, in words.
    fn made(&self, data: &Data, row: usize) -> Option<(Scheme, f64)> {
        let start = start_of(self, &data.cells, row);
        let instance = self.plan.instance_from(&self.values_of(data, row), &self.start(start.as_deref())).ok()?;
        Some((instance.run.scheme, instance.run.step))
    }
}

impl Trust {
    fn new(branches: &Branches<'_>, data: &Data, runs: Vec<Twice>) -> Trust {
        let directions = data.texts(branches.plan.varied());
        let places: Vec<String> = runs.iter().map(|twice| place(branches, data, twice.row)).collect();
        let varied: Vec<usize> = (0..branches.plan.varied()).collect();
        let written = |column: usize, row: usize| match &data.cells[column] {
            Cells::Numbers(values) => values[row].to_string(),
            Cells::Texts(texts) => texts[row].clone().unwrap_or_default(),
        };
        let mut head: Vec<String> = varied.iter().map(|k| branches.columns[*k].name.clone()).collect();
        head.extend(
            [
                "direction",
                "next_to_a_jump",
                "again",
                "least",
                "greatest",
                "mean",
                "least_again",
                "greatest_again",
                "mean_again",
                "moved",
                "error",
            ]
            .map(String::from),
        );
        let cell = |value: f64| if value.is_finite() { value.to_string() } else { String::new() };
        let row = |twice: &Twice| {
            let mut row: Vec<String> = varied.iter().map(|k| written(*k, twice.row)).collect();
            row.push(directions.get(twice.row).cloned().flatten().unwrap_or_default());
            row.push(u8::from(twice.jump).to_string());
            let (better, again) = match &twice.again {
                Ok((Better::ByEvents, again)) => ("by events", *again),
                Ok((Better::HalfStep, again)) => ("half the step", *again),
                Err(_) => ("", [f64::NAN; 3]),
            };
            row.push(better.into());
            row.extend(twice.was.iter().chain(&again).chain([&twice.moved]).map(|value| cell(*value)));
            row.push(twice.again.as_ref().err().cloned().unwrap_or_default());
            row
        };
        let rows = runs.iter().map(row).collect();
        let made = made(branches, data, &runs);
        let mut trust = Trust { made, runs, rows, head, places, doubts: Vec::new(), too_few: 0 };
        trust.doubts = trust.doubts_of(&branches.column.1, &branches.column.2);
        trust
    }

    /// Takes in which of all runs have not settled.
    fn told_of_settling(&mut self, branches: &Branches<'_>, data: &Data, (runs, spread): (&[Run], f64)) {
        let settled = data.texts(settled_column(branches));
        let moving: Vec<&Run> = runs.iter().filter(|run| is_moving(branches, data, run, spread)).collect();
        self.too_few = runs.iter().filter(|run| settled.get(run.row).is_none_or(Option::is_none)).count();
        if moving.is_empty() {
            return;
        }
        let some: Vec<String> = moving.iter().take(NAMED).map(|run| place(branches, data, run.row)).collect();
        let more = if moving.len() > NAMED { ", …" } else { "" };
        self.doubts.push(format!(
            "{} of {} runs had not settled where their values were collected ({}{more}; hollow in the picture, see the column settled): \
             they are on their way, and what they show is no motion that lasts. Make runs longer (run.duration), and the transient",
            moving.len(),
            runs.len(),
            some.join(", ")
        ));
    }

    fn kind(&self, jump: bool) -> Vec<&Twice> {
        self.runs.iter().filter(|twice| twice.jump == jump && twice.again.is_ok()).collect()
    }

    /// What the diagram was made by, and how far runs move that are made in a better way, in sentences.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![self.made.clone()];
        let by =
            |better: Better| self.runs.iter().filter(|t| t.again.as_ref().is_ok_and(|(own, _)| *own == better)).count();
        let way = match (by(Better::ByEvents), by(Better::HalfStep)) {
            (0, 0) => "",
            (_, 0) => "from event to event",
            (0, _) if self.made.contains("from event to event") => "with rows recorded twice as often",
            (0, _) => "with half the step",
            _ => "from event to event, or with half the step where that cannot be done",
        };
        let (plain, jumps) = (self.kind(false), self.kind(true));
        if !plain.is_empty() {
            words.push(format!(
                "{} between jumps made again {way}, from the same starts: branches move by {} of the spread of all values (median {})",
                counted(plain.len(), "run"),
                at_most(worst(&plain)),
                small(median(&plain))
            ));
        }
        if !jumps.is_empty() {
            let other = jumps.iter().filter(|twice| twice.moved > MOVED).count();
            words.push(if other == 0 {
                format!("{} next to the greatest jumps made again {way}: all end on the same branch", counted(jumps.len(), "run"))
            } else {
                format!(
                    "{} next to the greatest jumps made again {way}: {other} of them end elsewhere, so jumps may come a step of the key \
                     earlier or later, and values next to them are not settled",
                    counted(jumps.len(), "run")
                )
            });
        }
        if self.too_few > 0 {
            words.push(format!(
                "{} {} too few values to tell whether {} settled",
                counted(self.too_few, "run"),
                if self.too_few == 1 { "has" } else { "have" },
                if self.too_few == 1 { "it has" } else { "they have" }
            ));
        }
        let failed = self.runs.iter().filter(|twice| twice.again.is_err()).count();
        if failed > 0 {
            words.push(format!("{} could not be made again (trust.csv says why)", counted(failed, "run")));
        }
        if self.runs.is_empty() {
            words.push("no run has values, so that none was made again".into());
        }
        words
    }

    /// What makes the diagram doubtful, in sentences.
    pub fn doubts(&self) -> &[String] {
        &self.doubts
    }

    fn doubts_of(&self, column: &str, unit: &str) -> Vec<String> {
        let plain = || self.runs.iter().zip(&self.places).filter(|(twice, _)| !twice.jump && twice.moved > MOVED);
        let Some((twice, place)) = plain().max_by(|a, b| a.0.moved.total_cmp(&b.0.moved)) else { return Vec::new() };
        let Ok((_, again)) = &twice.again else { return Vec::new() };
        let unit = if unit.is_empty() || unit == "1" { String::new() } else { format!(" {unit}") };
        let between = |range: &Range| match range[0].is_finite() {
            true => format!("between {} and {}{unit}", number_to(range[0], 4), number_to(range[1], 4)),
            false => "nowhere, for there are none".into(),
        };
        vec![format!(
            "{} of the {} made again between jumps {} by more than {}: at {place} the values of {column} lie {}, and {} when made \
             in the better way. Either the step is too coarse (make it smaller, or use the scheme events), or the motion is not settled or \
             irregular there: then trust how values are spread, and not each of them",
            plain().count(),
            counted(self.kind(false).len(), "run"),
            if plain().count() == 1 { "moves" } else { "move" },
            percent(MOVED),
            between(&twice.was),
            between(again)
        )]
    }

    fn csv(&self) -> String {
        let quoted = |cell: &String| match cell.contains([',', '"']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.clone(),
        };
        let mut text = String::new();
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let _ = writeln!(text, "{}", row.iter().map(quoted).collect::<Vec<_>>().join(","));
        }
        text
    }

    /// The same for a page.
    pub(super) fn section(&self) -> Section {
        let mut sentences = self.words();
        sentences.extend(self.doubts.iter().cloned());
        let row = |(twice, place): (&Twice, &String)| {
            let told = |value: f64| if value.is_finite() { number_to(value, 5) } else { "–".into() };
            let again = twice.again.as_ref().map_or([f64::NAN; 3], |(_, again)| *again);
            let kind = if twice.jump { "next to a jump" } else { "" };
            let mut cells = vec![place.clone(), kind.to_string()];
            cells.extend([twice.was[0], twice.was[1], again[0], again[1]].map(told));
            cells.push(if twice.moved.is_finite() { small(twice.moved) } else { "–".into() });
            cells
        };
        let header =
            ["run", "", "least", "greatest", "least, again", "greatest, again", "moved"].map(String::from).to_vec();
        let rows = self.runs.iter().zip(&self.places).map(row).collect();
        Section {
            heading: "How far to trust it".into(),
            text: sentences.iter().map(|sentence| capital(sentence) + ".").collect::<Vec<_>>().join(" "),
            content: vec![Content::Table(TextTable { header, rows })],
        }
    }
}

/// Runs that a sentence names.
const NAMED: usize = 6;

/// Where a run of the dataset is, in words: key, value, direction.
fn place(branches: &Branches<'_>, data: &Data, row: usize) -> String {
    let key = &branches.columns[branches.key_column()];
    let unit = if key.unit.is_empty() || key.unit == "1" { String::new() } else { format!(" {}", key.unit) };
    let way = match data.texts(branches.plan.varied()).get(row).and_then(|text| text.as_deref()) {
        Some("up") => " upwards",
        Some("down") => " downwards",
        _ => "",
    };
    let at = data.numbers(branches.key_column()).get(row).copied().unwrap_or(f64::NAN);
    format!("{} = {}{unit}{way}", key.name, number_to(at, 6))
}

/// A share in per cent; what is less than anybody asks for is said as such.
fn small(share: f64) -> String {
    if share > 0.0 && share < LEAST_TOLD { format!("less than {}", percent(LEAST_TOLD)) } else { percent(share) }
}

/// The same of the greatest of several.
fn at_most(share: f64) -> String {
    let told = small(share);
    if told.starts_with("less") { told } else { format!("at most {told}") }
}

/// Least share that is told by its number.
const LEAST_TOLD: f64 = 1e-4;

/// `1 run`, `2 runs`.
fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A sentence begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn worst(runs: &[&Twice]) -> f64 {
    runs.iter().map(|twice| twice.moved).fold(0.0, f64::max)
}

fn median(runs: &[&Twice]) -> f64 {
    let mut all: Vec<f64> = runs.iter().map(|twice| twice.moved).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Scheme and steps of the runs that were made again.
fn made(branches: &Branches<'_>, data: &Data, runs: &[Twice]) -> String {
    let all: Vec<(Scheme, f64)> = runs.iter().filter_map(|twice| branches.made(data, twice.row)).collect();
    let mut schemes: Vec<&str> = all.iter().map(|(scheme, _)| scheme.name()).collect();
    schemes.sort_unstable();
    schemes.dedup();
    let [least, most] =
        all.iter().fold([f64::INFINITY, 0.0_f64], |[least, most], (_, step)| [least.min(*step), most.max(*step)]);
    let steps = match least < most {
        true => format!("{} to {} s", number_to(least, 3), number_to(most, 3)),
        false => format!("{} s", number_to(most, 3)),
    };
    match schemes[..] {
        [] => "nobody knows by which scheme".into(),
        ["events"] => format!("made from event to event, recorded every {steps}"),
        _ => format!("made by {} with steps of {steps}", schemes.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_is_a_share_of_the_spread() {
        assert_eq!(moved([0.0, 1.0, 0.5], [0.0, 1.25, 0.5], 4.0), 0.0625);
        assert_eq!(moved([f64::NAN; 3], [f64::NAN; 3], 1.0), 0.0);
        assert_eq!(moved([f64::NAN; 3], [1.0; 3], 1.0), 1.0);
        // All values alike: rounding is no motion, whatever it is a share of.
        assert_eq!(moved([2.0; 3], [2.0 + 4e-16; 3], 0.0), 0.0);
        assert_eq!(moved([2.0; 3], [3.0; 3], 0.0), 1.0);
    }

    #[test]
    fn runs_on_both_sides_of_a_jump_are_made_again() {
        // A slope all along, and a jump after the run 39.
        let value = |row: usize| 1e-3 * row as f64 + if row < 40 { 0.0 } else { 1.0 };
        let run = |row: usize| Run { row, range: [value(row); 3], jump: 0.0 };
        let mut runs: Vec<Run> = (0..80).map(run).collect();
        let key: Vec<f64> = (0..80).map(f64::from).collect();
        mark_jumps(&mut runs, &key, 1.08);
        let marked: Vec<usize> = runs.iter().filter(|run| run.jump > 0.0).map(|run| run.row).collect();
        assert_eq!(marked, [39, 40]);
        // In any order of the key, and not where there is a slope alone.
        let mixed: Vec<f64> = (0..80).map(|k| f64::from(k * 37 % 80)).collect();
        let mut other: Vec<Run> =
            (0..80).map(|row| Run { row, range: [value(mixed[row] as usize); 3], jump: 0.0 }).collect();
        mark_jumps(&mut other, &mixed, 1.08);
        let mut marked: Vec<f64> = other.iter().filter(|run| run.jump > 0.0).map(|run| mixed[run.row]).collect();
        marked.sort_by(f64::total_cmp);
        assert_eq!(marked, [39.0, 40.0]);
        let mut slope: Vec<Run> = (0..8).map(|row| Run { row, range: [row as f64; 3], jump: 0.0 }).collect();
        mark_jumps(&mut slope, &key, 7.0);
        assert!(slope.iter().all(|run| run.jump == 0.0));
        let chosen = chosen(&runs);
        assert_eq!((chosen.len(), chosen.iter().filter(|(_, jump)| *jump).count()), (12, 2));
        assert_eq!([chosen[0].0.row, chosen[1].0.row], [39, 40]);
        let mut rows: Vec<usize> = chosen.iter().map(|(run, _)| run.row).collect();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), 12);
        // Few runs: a quarter of them.
        assert_eq!(super::chosen(&runs[..5]).len(), 2);
        assert!(super::chosen(&[]).is_empty());
    }
}
