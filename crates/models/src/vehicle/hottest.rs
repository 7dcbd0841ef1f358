//! When brake discs were hottest.
//!
//! A disc is hottest a little before the vehicle stops: between two rows. Every row that is hotter than the ones beside it has such a
//! moment near it, which a run of its own finds.

use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::{Rerun, Seen};

/// So many of the hottest rows are looked around: what is hotter than all others lies near one of them.
const MOST_LOOKS: usize = 64;

/// Golden sections of the time between two rows: a 1e-8th of it is left, and of the temperature, which is flat there, nothing.
const SECTIONS: u32 = 40;

/// What is seen of a disc.
pub(super) struct Hottest {
    column: usize,
    wheel: String,
    greatest: f64,
    /// Instants and temperatures of the last two rows that differ in time.
    last: [(f64, f64); 2],
    /// Rows that are hotter than the ones beside them: instants before, and after, and their temperature.
    rows: Vec<([f64; 2], f64)>,
}

impl Hottest {
    /// Of a wheel with the temperature in this column.
    pub fn new(column: usize, wheel: &str) -> Hottest {
        let never = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        Hottest { column, wheel: wheel.to_string(), greatest: never.1, last: [never; 2], rows: Vec::new() }
    }

    /// Whose disc it is.
    pub fn wheel(&self) -> &str {
        &self.wheel
    }

    /// Takes in a row.
    pub fn see(&mut self, seen: &Seen<'_>) {
        let (t, now) = (seen.t, seen.row[self.column]);
        self.greatest = self.greatest.max(now);
        let [before, last] = self.last;
        if t <= last.0 {
            return;
        }
        if last.1 > before.1 && last.1 >= now && before.0.is_finite() {
            self.rows.push(([before.0, t], last.1));
        }
        self.last = [last, (t, now)];
    }

    /// The stretches of time to look at, the hottest first; the end of the run among them.
    fn stretches(&self) -> Vec<[f64; 2]> {
        let [before, last] = self.last;
        let mut rows = self.rows.clone();
        if last.1 > before.1 && before.0.is_finite() {
            rows.push(([before.0, last.0], last.1));
        }
        rows.sort_by(|a, b| b.1.total_cmp(&a.1));
        rows.into_iter().take(MOST_LOOKS).map(|(stretch, _)| stretch).collect()
    }
}

/// The greatest temperature of each disc: one run like the one that was seen finds all.
pub(super) fn peaks(discs: &[Hottest], again: Rerun<'_>) -> Result<Vec<f64>, SimulationError> {
    let mut peaks: Vec<f64> = discs.iter().map(|disc| disc.greatest).collect();
    let of = |(number, disc): (usize, &Hottest)| -> Vec<([f64; 2], usize)> {
        disc.stretches().into_iter().map(|stretch| (stretch, number)).collect()
    };
    let mut stretches: Vec<([f64; 2], usize)> = discs.iter().enumerate().flat_map(of).collect();
    if stretches.is_empty() {
        return Ok(peaks);
    }
    stretches.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let mut run = again()?;
    for ([from, to], number) in stretches {
        if from > run.time() {
            run.advance_to(from)?;
        }
        let found = hottest_within(&*run, [from.max(run.time()), to], discs[number].column)?;
        peaks[number] = peaks[number].max(found);
    }
    Ok(peaks)
}

/// The greatest temperature between where the run stands and an instant: of steps, or, from event to event, of all of it.
fn hottest_within(run: &dyn Simulation, [from, to]: [f64; 2], column: usize) -> Result<f64, SimulationError> {
    let mut row = vec![0.0; run.columns().len()];
    if let Some(h) = run.step_size() {
        let mut run = run.fork();
        let mut greatest = f64::NEG_INFINITY;
        for k in (from / h).round() as u64 + 1..=(to / h).round() as u64 {
            run.advance_to(k as f64 * h)?;
            run.row(&mut row);
            greatest = greatest.max(row[column]);
        }
        return Ok(greatest);
    }
    let mut at = |t: f64| -> Result<f64, SimulationError> {
        let mut run = run.fork();
        run.advance_to(t)?;
        run.row(&mut row);
        Ok(row[column])
    };
    let share = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut from, mut to) = (from, to);
    let mut inner = [to - share * (to - from), from + share * (to - from)];
    let mut values = [at(inner[0])?, at(inner[1])?];
    for _ in 0..SECTIONS {
        if values[0] >= values[1] {
            to = inner[1];
            inner = [to - share * (to - from), inner[0]];
            values = [at(inner[0])?, values[0]];
        } else {
            from = inner[0];
            inner = [inner[1], from + share * (to - from)];
            values = [values[1], at(inner[1])?];
        }
    }
    Ok(values[0].max(values[1]))
}
