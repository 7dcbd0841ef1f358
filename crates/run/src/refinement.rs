//! What a finer step changes: a measure of the step that every run by steps has, whatever its order.

use serde::Serialize;
use stickslip_core::analysis::velocities_by_steps;
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::SimulationError;

use crate::study::Start;
use crate::text::{number_to, seconds};

/// Work of both runs together, in steps of a wheel: about a second. What takes longer is compared as far as that leads.
const MOST_WORK: f64 = 1e8;

/// Steps that the finer run has at least. Where a step is so coarse that it damps the motion away, half of it does nearly
/// the same, and both would agree.
const FEWEST: u64 = 8192;

/// Instants at which the two runs are compared, at the most.
const INSTANTS: u64 = 4096;

/// Speeds of a run beside those of the same run with half the step, or with a far finer one where the run has few steps.
///
/// Root mean squares over time, not greatest values: where speeds jump (impacts), two good runs differ by a whole jump for
/// the length of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Refinement {
    /// Parts that a step has in the finer run, 2 or more.
    pub parts: u64,
    /// Root mean square over time of the difference, of the velocity where that is greatest [m/s].
    pub difference: f64,
    /// Root mean square over time of the velocity where that is greatest, in the run that moves more [m/s].
    pub speed: f64,
    /// difference / speed; 0 where nothing moves, and never more than 2.
    pub share: f64,
    /// Until when the runs were compared \[s\].
    pub until: f64,
    /// Whether that is the end of the run.
    pub whole: bool,
}

impl Refinement {
    /// What a finer step changes, in words: `half the step changes speeds by 3.1 %`.
    pub fn words(&self) -> String {
        let until = if self.whole { String::new() } else { format!(" in the first {}", seconds(self.until)) };
        let (finer, change) = match self.parts {
            2 => ("half the step".to_string(), "changes"),
            parts => (format!("steps {parts} times finer"), "change"),
        };
        if self.difference == 0.0 {
            return format!("{finer} {change} no speed{until}");
        }
        format!(
            "{finer} {change} speeds by {} % (root mean squares over time: {} of {} m/s){until}",
            number_to(100.0 * self.share, 2),
            number_to(self.difference, 2),
            number_to(self.speed, 2)
        )
    }
}

/// Compares a run with that of a finer step; `work` is that of a step.
pub(crate) fn refinement(start: &Start<'_>, grid: Grid, work: f64) -> Result<Refinement, SimulationError> {
    let most = (MOST_WORK / work.max(1.0)) as u64;
    let steps = grid.steps.min(most / 3).max(1);
    let parts = (FEWEST.min(most) / steps).next_power_of_two().max(2);
    let every = steps.div_ceil(INSTANTS);
    let run = |parts: u64| {
        let finer = Grid { h: grid.h / parts as f64, steps: parts * steps };
        let mut run = start(finer.h)?;
        Ok::<_, SimulationError>((velocities_by_steps(&mut *run, finer, parts * every)?, run.velocities().len()))
    };
    let ((coarse, dim), (fine, _)) = (run(1)?, run(parts)?);
    let dim = dim.max(1);
    let mut squares = vec![[0.0_f64; 3]; dim];
    for (k, (a, b)) in coarse.iter().zip(&fine).enumerate() {
        for (sum, term) in squares[k % dim].iter_mut().zip([a - b, *a, *b]) {
            *sum += term * term;
        }
    }
    let instants = (fine.len() / dim).max(1) as f64;
    let greatest = |which: usize| (squares.iter().fold(0.0_f64, |m, s| m.max(s[which])) / instants).sqrt();
    let (difference, speed) = (greatest(0), greatest(1).max(greatest(2)));
    let share = if difference == 0.0 { 0.0 } else { difference / speed };
    Ok(Refinement { parts, difference, speed, share, until: grid.time(steps), whole: steps == grid.steps })
}

#[cfg(test)]
mod tests {
    use stickslip_core::signal::{Points, Signal};
    use stickslip_core::simulation::by_steps;
    use stickslip_models::wheel::{Parameters, Wheel};

    use super::*;

    /// A wheel without a brake whose motor's torque is a straight line from 0: x1 = −M₁ t²/(2(m + J/R²)R), and n implicit
    /// steps over T, which take the torque at their beginning, make that times (1 − 1/n).
    fn rising() -> Wheel {
        Wheel::new(Parameters {
            motor: Signal::Points(Points::new(vec![0.0, 1.0], vec![0.0, -500.0]).expect("a signal")),
            ..Parameters::default()
        })
        .expect("a wheel")
    }

    #[test]
    fn half_the_step_halves_what_half_the_step_changes() {
        let share = |steps: u64| {
            let found = refinement(&by_steps(&rising()), Grid::cover(1.0, 1.0 / steps as f64), 1.0).expect("runs");
            assert!(found.parts == 2 && found.whole && found.until == 1.0 && found.speed > 0.0, "{found:?}");
            found.share
        };
        let ratio = share(8192) / share(16_384);
        assert!((ratio - 2.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn few_steps_are_compared_with_many() {
        let found = refinement(&by_steps(&rising()), Grid::cover(1.0, 0.25), 1.0).expect("runs");
        // At t = k/4 four steps have made k (k − 1)/k² of the speed: root mean squares of k over those of k².
        let (late, all) = ([1.0, 2.0, 3.0, 4.0_f64].map(|k| k * k), [1.0, 2.0, 3.0, 4.0_f64].map(|k| k.powi(4)));
        let expected = (late.iter().sum::<f64>() / all.iter().sum::<f64>()).sqrt();
        assert_eq!(found.parts, 2048);
        assert!((found.share - expected).abs() < 2e-3, "{found:?} {expected}");
        assert!(found.words().starts_with("steps 2048 times finer change speeds by 29 %"), "{}", found.words());
    }

    #[test]
    fn much_work_is_compared_as_far_as_it_leads() {
        let found = refinement(&by_steps(&rising()), Grid::cover(1.0, 1e-3), MOST_WORK / 300.0).expect("runs");
        assert!(found.parts >= 2 && !found.whole && (found.until - 0.1).abs() < 1e-12, "{found:?}");
        assert!(found.words().contains("in the first 100 ms"), "{}", found.words());
    }

    #[test]
    fn what_rests_changes_nothing() {
        let rest = Wheel::new(Parameters { motor: Signal::ZERO, ..rising().parameters().clone() }).expect("a wheel");
        let found = refinement(&by_steps(&rest), Grid::cover(1.0, 0.1), 1.0).expect("runs");
        assert_eq!((found.difference, found.share), (0.0, 0.0));
        assert_eq!(found.words(), "steps 1024 times finer change no speed");
    }
}
