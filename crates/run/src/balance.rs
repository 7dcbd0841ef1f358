//! How well a run met the law of friction, where its energy went, and when that makes its result void.

use stickslip_core::mechanics::Ledger;
use stickslip_core::record::Column;
use stickslip_core::simulation::Simulation;

use stickslip_scenario::Scheme;

use crate::Summary;
use crate::text::number_to;
use crate::trust::{
    CLOSURE_VOID, CLOSURE_WARNED, CLOSURE_WARNED_EVENTS, CLOSURE_WARNED_HANDOVER, RESIDUAL_VOID, RESIDUAL_WARNED,
};

/// |lost| over the greatest amount of the balance, recorded amounts among them: a motion may give back all it took.
pub fn closure(ledger: &Ledger, recorded: f64) -> f64 {
    let passed = ledger.passed.max(recorded);
    Ledger { passed, ..ledger.clone() }.closure()
}

/// The greatest energy or work \[J\] among the least and greatest recorded values of columns, each with its time.
pub fn recorded_energy(columns: &[Column], extremes: &[[(f64, f64); 2]]) -> f64 {
    let joules = columns.iter().zip(extremes).filter(|(column, _)| column.unit == "J");
    joules.fold(0.0, |m, (_, [least, greatest])| m.max(least.1.abs()).max(greatest.1.abs()))
}

/// Why the result of a run means nothing, if it does, where the greatest energy recorded is this: what the command `run` calls an error.
pub fn void(run: &dyn Simulation, recorded: f64) -> Option<String> {
    Balance::of(run, recorded).void()
}

/// What a run is judged by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Balance {
    /// Worst residual of the inclusions, relative to the greatest speed.
    pub residual: f64,
    /// Energy that came from nowhere or got lost \[J\].
    pub lost: f64,
    /// The same over the greatest amount.
    pub closure: f64,
    /// How often a run from event to event went on by steps; none of a run by steps.
    pub handovers: Option<u64>,
    /// Whether it could go from event to event.
    pub by_events: bool,
    /// The scheme by steps to compare it with, where that is known.
    pub by_steps: Option<&'static str>,
}

/// The scheme by steps that a run of this model from event to event is compared with: wheels that squeal have one of their own.
pub(crate) fn by_steps(model: &str) -> &'static str {
    if model == "squeal" { Scheme::SecondOrder.name() } else { Scheme::ImplicitEuler.name() }
}

/// What to take where the steps are too large, of a run that could go from event to event, or not.
pub(crate) fn smaller_step(by_events: bool) -> &'static str {
    if by_events { "a smaller step, or run.scheme = \"events\"" } else { "a smaller step" }
}

impl Balance {
    /// Of a run at its end, with the greatest energy that was recorded of it.
    pub fn of(run: &dyn Simulation, recorded: f64) -> Balance {
        let ledger = run.ledger();
        Balance {
            residual: run.worst_residual(),
            lost: ledger.lost(),
            closure: closure(&ledger, recorded),
            handovers: run.by_events().map(|run| run.handovers),
            by_events: true,
            by_steps: None,
        }
    }

    /// Of a summary.
    pub fn of_summary(summary: &Summary) -> Balance {
        Balance {
            residual: summary.worst_residual,
            lost: summary.energy.lost,
            closure: summary.energy.closure,
            handovers: summary.handovers,
            by_events: summary.by_events,
            by_steps: Some(by_steps(summary.model)),
        }
    }

    /// Why the result means nothing, if it does.
    pub fn void(&self) -> Option<String> {
        let graded = [self.of_residual(), self.of_energy()];
        graded.into_iter().flatten().find(|(void, _)| *void).map(|(_, text)| text)
    }

    /// What makes the result doubtful, but not void.
    pub fn doubts(&self) -> impl Iterator<Item = String> {
        let graded = [self.of_residual(), self.of_energy()];
        graded.into_iter().flatten().filter(|(void, _)| !*void).map(|(_, text)| text)
    }

    /// Whether nothing is wrong with it.
    pub fn is_sound(&self) -> bool {
        self.of_residual().is_none() && self.of_energy().is_none()
    }

    /// The limit of the closure for this kind of run.
    pub fn closure_limit(&self) -> f64 {
        match self.handovers {
            None => CLOSURE_WARNED,
            Some(0) => CLOSURE_WARNED_EVENTS,
            Some(_) => CLOSURE_WARNED_HANDOVER,
        }
    }

    /// What else might help.
    fn advice(&self) -> String {
        match self.handovers {
            None => format!("try {}", smaller_step(self.by_events)),
            Some(_) => match self.by_steps {
                Some(scheme) => format!("compare it with run.scheme = \"{scheme}\" and a small step"),
                None => "compare it with a scheme by steps and a small step".into(),
            },
        }
    }

    /// What is wrong with the residual, and whether it makes the result void.
    pub fn of_residual(&self) -> Option<(bool, String)> {
        let residual = self.residual;
        // Written so that what is not a number is warned of.
        let sound = residual <= RESIDUAL_WARNED;
        (!sound).then(|| {
            let void = residual.is_nan() || residual >= RESIDUAL_VOID;
            let meaning =
                if void { "the contact forces of this run mean nothing" } else { "contact forces are doubtful" };
            let text = format!(
                "the law of friction is met to {} of the greatest speed only, not to {}: {meaning}; {}",
                number_to(residual, 2),
                number_to(RESIDUAL_WARNED, 1),
                self.advice()
            );
            (void, text)
        })
    }

    /// The same of the energy.
    pub fn of_energy(&self) -> Option<(bool, String)> {
        let (closure, limit) = (self.closure, self.closure_limit());
        let sound = closure <= limit;
        (!sound).then(|| {
            let void = closure.is_nan() || closure > CLOSURE_VOID;
            let meaning = if void { ": this result means nothing" } else { "" };
            let text = format!(
                "{} J of energy, {} of the greatest amount, came from nowhere or got lost ({} is allowed){meaning}; {}",
                number_to(self.lost.abs(), 3),
                number_to(closure, 2),
                number_to(limit, 1),
                self.advice()
            );
            (void, text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wheels_that_squeal_are_compared_with_the_steps_that_they_take() {
        for (model, scheme) in [("squeal", "\"second-order\""), ("assembly", "\"implicit-euler\"")] {
            let by_steps = Some(by_steps(model));
            let balance =
                Balance { residual: 1e-3, lost: 1.0, closure: 0.1, handovers: Some(0), by_events: true, by_steps };
            for (_, text) in [balance.of_residual(), balance.of_energy()].into_iter().flatten() {
                assert!(text.contains(scheme), "{text}");
            }
            assert!(balance.of_residual().is_some() && balance.of_energy().is_some());
        }
    }
}
