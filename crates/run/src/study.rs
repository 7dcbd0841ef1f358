//! How large the study of convergence is: by the work of a step, never by the clock, so that the same input gives the
//! same study on every machine.

use stickslip_core::analysis::{Convergence, convergence};
use stickslip_core::mechanics::SystemError;
use stickslip_core::simulation::{Simulation, SimulationError};

use crate::text::{number_to, seconds};

/// Step counts of the study of convergence, and of the run it takes for exact.
const STUDY: ([u64; 5], u64) = ([1024, 2048, 4096, 8192, 16_384], 1 << 20);

/// The same for models whose steps cost more.
const SHORT_STUDY: ([u64; 5], u64) = ([512, 1024, 2048, 4096, 8192], 1 << 17);

/// Velocities that a system may have for its convergence to be studied.
const MOST_STUDIED: usize = 300;

/// Work of a step above which the study is the short one.
const MUCH: f64 = 20.0;

/// Work of a step above which the short study has fewer steps still: half as many for each doubling, down to 1/16.
const VERY_MUCH: f64 = 200.0;

/// Runs of a model by steps of any size, from its start.
pub(crate) type Start<'a> = dyn Fn(f64) -> Result<Box<dyn Simulation>, SimulationError> + 'a;

/// What a study found.
pub(crate) enum Study {
    /// The errors of several steps and their order.
    Order(Convergence),
    /// No step has an error.
    Exact,
    /// There is no order to tell, for this reason.
    None(String),
}

/// Why there is no order of a run whose study was left out.
pub(crate) const LEFT_OUT: &str = "--no-study leaves it out";

/// Measures the order of convergence, with fewer and shorter runs where a step is much work.
pub(crate) fn study(start: &Start<'_>, velocities: usize, duration: f64, work: f64) -> Study {
    if velocities > MOST_STUDIED {
        return Study::None(format!("{velocities} velocities are too many, more than {MOST_STUDIED}"));
    }
    let (steps, reference) = sizes(work);
    // Elements that need small steps may break down with the coarse ones of the study.
    match convergence(start, duration, &steps, reference) {
        Ok(None) => Study::Exact,
        Ok(Some(study)) => {
            let scatter = scattered(&study);
            study.resolved().map_or(Study::None(scatter), Study::Order)
        }
        Err(SimulationError::System(SystemError::Refused { .. })) => {
            Study::None("the coarse steps of a study do not follow this motion, and the model refuses them".into())
        }
        Err(error) => Study::None(format!("a run of the study failed ({error})")),
    }
}

/// Errors too great to tell an order from.
fn scattered(study: &Convergence) -> String {
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let all = study.errors.iter().map(of);
        (all.clone().fold(f64::INFINITY, f64::min), all.fold(0.0, f64::max))
    };
    let ((finest, coarsest), (least, most)) = (ends(|e| e.0), ends(|e| e.1));
    format!(
        "with steps of {} to {} speeds are wrong by {} to {} m/s, and the greatest speed is {} m/s: speeds that jump, \
         unstable motion, or steps too coarse for it",
        seconds(finest),
        seconds(coarsest),
        number_to(least, 2),
        number_to(most, 2),
        number_to(study.speed, 2)
    )
}

/// Step counts of the study and of the run it takes for exact.
fn sizes(work: f64) -> (Vec<u64>, u64) {
    let (steps, reference) = if work < MUCH { STUDY } else { SHORT_STUDY };
    let fewer = (work / VERY_MUCH).max(1.0).log2().min(4.0) as u32;
    let steps = steps[if fewer > 0 { 2 } else { 0 }..].iter().map(|steps| steps >> fewer).collect();
    (steps, reference >> fewer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_work_makes_smaller_studies() {
        let total = |work: f64| {
            let (steps, reference) = sizes(work);
            assert!(steps.len() >= 3 && steps.iter().all(|s| reference % s == 0 && reference >= 8 * s), "{work}");
            steps.iter().sum::<u64>() + reference
        };
        let works = [1.0, 4.0, 5.0, 14.0, 30.0, 103.0, 1e3, 1e4, 1e9];
        assert!(works.windows(2).all(|w| total(w[0]) >= total(w[1])));
        // 10 ns for a unit: no study takes more than about a second, unless a step takes more than 100 µs.
        assert!(works.iter().filter(|work| **work <= 1e4).all(|work| total(*work) as f64 * work * 1e-8 < 1.0));
        assert_eq!(sizes(f64::INFINITY).1, SHORT_STUDY.1 >> 4);
    }
}
