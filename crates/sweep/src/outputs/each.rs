//! Values of every step: what a spectrum needs, whatever the rows are.
//!
//! A trajectory has every n-th step, so that files stay small. A motion faster than half the rate of its rows appears at another frequency
//! there. So the second half of a run is looked at in every step: by steps, that is all there is of the motion. From event to event the
//! motion goes on between the steps, too; there a second look, with steps shorter by the golden ratio, must have the same line: lines that
//! are folded lie elsewhere at a rate without a common multiple.

use stickslip_core::scheme::Grid;
use stickslip_run::{Late, RunFailure, TimeModel, Watch, Watched, recorded_every, watch};
use stickslip_scenario::{Output, Run, Scheme};

use super::line;

/// Values that are kept of a run at the most: 512 MiB.
const MOST: u64 = 1 << 26;

/// Runs a model and gathers what is asked for, and values of the second half of every step. `lines` are the columns of which a line of the
/// spectrum is asked for.
pub(crate) fn watch_each(
    model: &dyn TimeModel,
    (run, output): (&Run, &Output),
    asked: Watch,
    lines: &[usize],
) -> Result<Watched, String> {
    let told = |error: RunFailure| error.to_string();
    if asked.late.is_empty() {
        return watch(model, run, output, asked).map_err(told);
    }
    let steps = Grid::cover(run.duration, run.step).steps;
    if (steps / 2).saturating_mul(asked.late.len() as u64) > MOST {
        return Err(format!(
            "the second half of {steps} steps is too long to look at each of them (late, frequency, amplitude); make the run shorter"
        ));
    }
    let each = Output { every: Some(1), ..*output };
    let late = Watch { late: asked.late.clone(), ..Watch::default() };
    let watched = if recorded_every(run, output) == 1 || !(asked.rows || asked.measures) {
        watch(model, run, &each, asked).map_err(told)?
    } else {
        let own = watch(model, run, output, Watch { late: Vec::new(), ..asked }).map_err(told)?;
        Watched { late: watch(model, run, &each, late.clone()).map_err(told)?.late, ..own }
    };
    if run.scheme == Scheme::Events && !lines.is_empty() && watched.early.is_none() {
        let shorter = Run { step: run.step / GOLDEN, ..*run };
        let again = watch(model, &shorter, &each, Watch { late: lines.to_vec(), ..Watch::default() }).map_err(told)?;
        for fine in &again.late {
            let coarse = watched.late.iter().find(|late| late.column == fine.column);
            coarse.map_or(Ok(()), |coarse| confirmed(coarse, fine, run.step))?;
        }
    }
    Ok(watched)
}

/// (1 + √5)/2
const GOLDEN: f64 = 1.618_033_988_749_895;

/// Share of an amplitude that a line must have at the other rate.
const SAME: f64 = 0.5;

/// Whether a line is at its place at another rate, too.
fn confirmed(coarse: &Late, fine: &Late, step: f64) -> Result<(), String> {
    let Some([frequency, amplitude]) = line::strongest(&coarse.values, coarse.every) else { return Ok(()) };
    let there = line::near(&fine.values, fine.every, frequency);
    if there >= SAME * amplitude {
        return Ok(());
    }
    let other = line::strongest(&fine.values, fine.every).map_or(0.0, |[frequency, _]| frequency);
    Err(format!(
        "the motion is too fast for a spectrum of steps of {step} s: its strongest line seems to be at {frequency:.5} Hz, and at {other:.5} Hz with \
         shorter ones; make run.step less than half of a period"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn late(frequency: f64, every: f64, count: u32) -> Late {
        let values = (0..count).map(|k| 1.0 + (TAU * frequency * every * f64::from(k)).sin()).collect();
        Late { column: 1, every, values }
    }

    #[test]
    fn a_folded_line_is_not_confirmed() {
        let look = |frequency: f64| confirmed(&late(frequency, 0.1, 400), &late(frequency, 0.1 / GOLDEN, 647), 0.1);
        for frequency in [0.3, 1.77, 4.9] {
            assert_eq!(look(frequency), Ok(()), "{frequency}");
        }
        for frequency in [5.3, 15.9155, 10.2, 16.0, 161.5] {
            assert!(look(frequency).is_err(), "{frequency}");
        }
    }
}
