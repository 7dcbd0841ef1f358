//! The share of a solution that is done, guessed from its residuals.

use std::time::{Duration, Instant};

use stickslip_contact::case::{Case, Work};
use stickslip_contact::progress::Iteration;
use stickslip_run::text::number_to;

/// Time that the pressure takes, in solutions for the tractions: 0.1 to 0.2 on 512 × 512 elements.
const PRESSURE: f64 = 0.15;

/// How far a contact is. The logarithm of the residual tells the share, roughly: on fine grids residuals rest for a while in
/// the middle and fall fast at the end. The share never goes back, although a residual may.
#[derive(Debug)]
pub(super) struct Share {
    /// Time that all of it takes, in solutions for the tractions.
    whole: f64,
    /// What was at work last: 0 for the pressure, else the number of the solution.
    part: usize,
    /// The first residual of that part on the grid asked for.
    first: Option<f64>,
    greatest: f64,
    /// When words were last made.
    told: Option<Instant>,
}

/// Words are not made more often than this.
const PAUSE: Duration = Duration::from_millis(50);

impl Share {
    pub(super) fn new(case: &Case) -> Share {
        Share { whole: PRESSURE + case.solutions() as f64, part: 0, first: None, greatest: 0.0, told: None }
    }

    /// What is being done, in words; none so soon after the last that nobody could read it.
    pub(super) fn words(&mut self, work: Work) -> Option<String> {
        let now = Instant::now();
        // What comes once and then takes long is told in any case.
        let often = !matches!(work, Work::Influence(_));
        if often && self.told.is_some_and(|told| now - told < PAUSE) {
            self.of(work);
            return None;
        }
        self.told = Some(now);
        Some(words(work))
    }

    /// The share that is done, between 0 and 1.
    pub(super) fn of(&mut self, work: Work) -> f64 {
        let (part, iteration) = match work {
            Work::Influence(_) => return self.greatest,
            Work::Pressure(iteration) => (0, iteration),
            Work::Tractions { solution, iteration, .. } => (solution, iteration),
        };
        if part != self.part {
            (self.part, self.first) = (part, None);
        }
        let own = self.own(iteration);
        let done = match part {
            0 => PRESSURE * own,
            _ => PRESSURE + (part - 1) as f64 + own,
        };
        self.greatest = self.greatest.max(done / self.whole);
        self.greatest
    }

    /// The share of this part; coarser grids take a few hundredths of it.
    fn own(&mut self, Iteration { finer, residual, tolerance, .. }: Iteration) -> f64 {
        if finer > 0 {
            return 0.0;
        }
        let first = *self.first.get_or_insert(residual);
        let share = (first / residual).ln() / (first / tolerance).ln();
        // A residual of zero, or one that was small enough at once.
        if share.is_nan() || first <= tolerance { 1.0 } else { share.clamp(0.0, 1.0) }
    }
}

/// What is being done, short enough to stand beside a bar.
fn words(work: Work) -> String {
    let (what, iteration) = match work {
        Work::Influence([along, across]) => return format!("influence numbers of {along} × {across} elements"),
        Work::Pressure(iteration) => ("pressure".to_string(), iteration),
        Work::Tractions { of: 1, iteration, .. } => ("tractions".to_string(), iteration),
        Work::Tractions { solution, of, iteration } => (format!("tractions {solution} of {of}"), iteration),
    };
    let Iteration { elements: [along, across], finer, count, residual, tolerance } = iteration;
    if finer > 0 {
        return format!("{what}: {along} × {across} elements first");
    }
    format!("{what}: iteration {count}, residual {} of {}", number_to(residual, 2), number_to(tolerance, 2))
}

#[cfg(test)]
mod tests {
    use super::super::RollingContact;
    use super::*;

    #[test]
    fn the_share_rises_from_nothing_to_all() {
        for (name, solutions) in [("creep-42kn", 1), ("cattaneo-to-carter", 57)] {
            let scenario = crate::MODELS.builtin(name, &[]).expect("built in");
            let Some(RollingContact(case, _)) = scenario.model.of() else { panic!("{name} is no contact") };
            let mut share = Share::new(case);
            let mut told = Vec::new();
            case.solve(&mut |work| told.push(share.of(work))).expect("solves");
            assert_eq!(case.solutions(), solutions);
            assert_eq!(told[0], 0.0);
            assert!(told.is_sorted() && *told.last().expect("iterations") <= 1.0, "{name}");
            assert!(*told.last().expect("iterations") > 0.95, "{name}: {:?}", told.last());
            // None of the solutions is a leap.
            let leap = told.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
            assert!(leap < 0.5 / (solutions as f64).sqrt(), "{name}: {leap}");
        }
    }

    #[test]
    fn a_contact_is_told_in_few_words() {
        let iteration = Iteration { elements: [512, 300], finer: 0, count: 7, residual: 3.21e-5, tolerance: 1e-8 };
        assert_eq!(words(Work::Influence([512, 300])), "influence numbers of 512 × 300 elements");
        assert_eq!(words(Work::Pressure(iteration)), "pressure: iteration 7, residual 3.2e-5 of 1e-8");
        let work = Work::Tractions { solution: 3, of: 57, iteration };
        assert_eq!(words(work), "tractions 3 of 57: iteration 7, residual 3.2e-5 of 1e-8");
        let coarse = Iteration { elements: [64, 38], finer: 3, ..iteration };
        let work = Work::Tractions { solution: 1, of: 1, iteration: coarse };
        assert_eq!(words(work), "tractions: 64 × 38 elements first");
    }
}
