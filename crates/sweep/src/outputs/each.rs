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
    for late in watched.late.iter().filter(|late| lines.contains(&late.column)) {
        clear_of_the_end(late, run.step)?;
        long_enough(late)?;
    }
    if run.scheme == Scheme::Events && watched.early.is_none() {
        let shorter = Run { step: run.step / GOLDEN, ..*run };
        let again = watch(model, &shorter, &each, late).map_err(told)?;
        for fine in &again.late {
            let Some(coarse) = watched.late.iter().find(|late| late.column == fine.column) else { continue };
            if lines.contains(&fine.column) {
                confirmed(coarse, fine, run.step)?;
            }
            as_wide(coarse, fine, run.step)?;
        }
    }
    Ok(watched)
}

/// (1 + √5)/2
const GOLDEN: f64 = 1.618_033_988_749_895;

/// Share of an amplitude that a line must have at the other rate.
const SAME: f64 = 0.5;

/// Lines below half the rate of the values within which a line and its image at the negative frequency run into each other.
const END: f64 = 4.0;

/// Share of the greatest value that a motion must have to be seen between steps at which it seems to rest.
const BETWEEN: f64 = 1e-9;

/// Whether a line keeps off half the rate of the steps, where neither its frequency nor its amplitude can be told.
fn clear_of_the_end(late: &Late, step: f64) -> Result<(), String> {
    let spacing = 1.0 / (late.values.len() as f64 * late.every);
    match line::strongest(&late.values, late.every) {
        Some([frequency, _]) if frequency > 0.5 / late.every - END * spacing => Err(format!(
            "the motion is too fast for a spectrum of steps of {step} s: its strongest line lies at half of their rate, {frequency:.5} Hz; make \
             run.step less"
        )),
        _ => Ok(()),
    }
}

/// Share of the whole span that least and greatest values may be apart at another rate.
const WIDE: f64 = 0.1;

/// Whether values have the same least and greatest ones at another rate: what swings between the steps has not.
fn as_wide(coarse: &Late, fine: &Late, step: f64) -> Result<(), String> {
    let ends = |late: &Late| {
        late.values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], v| [least.min(*v), most.max(*v)])
    };
    let ([least, most], [lower, upper]) = (ends(coarse), ends(fine));
    let span = (most - least).max(upper - lower);
    // Values at rest differ by rounding.
    let rounding = BETWEEN * least.abs().max(most.abs());
    if (least - lower).abs().max((most - upper).abs()) <= (WIDE * span).max(rounding) {
        return Ok(());
    }
    Err(format!(
        "the motion is too fast to be looked at every {step} s: it lies between {least:.5e} and {most:.5e}, and with shorter steps between \
         {lower:.5e} and {upper:.5e}; make run.step less"
    ))
}

/// Periods below which a line runs into its own image at the negative frequency, and into what is left of the mean.
const FEWEST: f64 = 3.0;

/// Whether enough periods were seen for a frequency and an amplitude.
fn long_enough(late: &Late) -> Result<(), String> {
    let half = late.values.len() as f64 * late.every;
    match line::strongest(&late.values, late.every) {
        Some([frequency, _]) if frequency * half < FEWEST => Err(format!(
            "the second half of the run, {half:.5} s, has fewer than {FEWEST} periods of its strongest line, too few for its frequency and \
             amplitude; make run.duration longer"
        )),
        _ => Ok(()),
    }
}

/// Whether a line is at its place at another rate, too.
fn confirmed(coarse: &Late, fine: &Late, step: f64) -> Result<(), String> {
    let Some([frequency, amplitude]) = line::strongest(&coarse.values, coarse.every) else {
        // Whole periods between steps look like rest.
        let greatest = fine.values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        return match line::strongest(&fine.values, fine.every) {
            Some([frequency, amplitude]) if amplitude > BETWEEN * greatest => Err(format!(
                "the motion is too fast for a spectrum of steps of {step} s: it seems to rest, and with shorter ones to swing at {frequency:.5} Hz; \
                 make run.step less than half of a period"
            )),
            _ => Ok(()),
        };
    };
    let there = line::near(&fine.values, fine.every, frequency);
    let [other, size] = line::strongest(&fine.values, fine.every).unwrap_or_default();
    // What is left at whole periods is rounding, which has a line somewhere.
    if there >= SAME * amplitude && SAME * size <= amplitude {
        return Ok(());
    }
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

    /// Near half the rate a line runs into its own image, whichever side of it the motion is.
    /// A whole period between steps looks like rest, nearly a whole one like a slow swing of the same size.
    #[test]
    fn what_swings_between_steps_is_told() {
        let look = |frequency: f64| as_wide(&late(frequency, 0.1, 40), &late(frequency, 0.1 / GOLDEN, 65), 0.1);
        for frequency in [10.0, 20.0, 10.01] {
            assert!(look(frequency).is_err(), "{frequency}");
        }
        for frequency in [0.3, 1.77] {
            assert_eq!(look(frequency), Ok(()), "{frequency}");
        }
        assert_eq!(
            as_wide(
                &Late { values: vec![2.0; 9], ..late(1.0, 0.1, 1) },
                &Late { values: vec![2.0; 14], ..late(1.0, 0.1, 1) },
                0.1
            ),
            Ok(())
        );
    }

    /// A line of one period and less seems to be one of 1.4 and more, at another amplitude.
    #[test]
    fn few_periods_are_not_told() {
        for frequency in [0.001, 0.005, 0.01, 0.02, 0.027] {
            assert!(long_enough(&late(frequency, 0.1, 1000)).is_err(), "{frequency}");
        }
        for frequency in [0.0305, 0.05, 1.0] {
            assert_eq!(long_enough(&late(frequency, 0.1, 1000)), Ok(()), "{frequency}");
        }
        let rest = Late { values: vec![2.0; 100], ..late(1.0, 0.1, 100) };
        assert_eq!(long_enough(&rest), Ok(()));
    }

    #[test]
    fn lines_at_half_the_rate_are_refused() {
        for frequency in [4.95, 4.99, 5.01, 5.05] {
            assert!(clear_of_the_end(&late(frequency, 0.1, 400), 0.1).is_err(), "{frequency}");
        }
        // At half the rate itself a sine that begins with nought is nought at every step: other steps must see it.
        assert!(confirmed(&late(5.0, 0.1, 400), &late(5.0, 0.1 / GOLDEN, 647), 0.1).is_err());
        assert_eq!(clear_of_the_end(&late(4.85, 0.1, 400), 0.1), Ok(()));
    }

    #[test]
    fn a_folded_line_is_not_confirmed() {
        let look = |frequency: f64| confirmed(&late(frequency, 0.1, 400), &late(frequency, 0.1 / GOLDEN, 647), 0.1);
        for frequency in [0.3, 1.77, 4.9] {
            assert_eq!(look(frequency), Ok(()), "{frequency}");
        }
        for frequency in [5.3, 15.9155, 10.2, 16.0, 161.5, 10.0, 20.0] {
            assert!(look(frequency).is_err(), "{frequency}");
        }
    }
}
