//! A shift, and rolling step by step.

use stickslip_core::law::Coefficient;

use super::leading::Leading;
use super::operator::SlipOperator;
use super::problem::Problem;
use super::{Motion, Settings, Solution};
use crate::error::Error;
use crate::normal::Contact;
use crate::progress::{Watch, unwatched};

/// A contact with a history: displacements of the step before are carried through it by one element per step.
/// Differences over a step are of first order in its length, whatever [`Settings::transport`] says of the order; with
/// [`super::Transport::Edge`] the leading edge is counted in, so that rolling on and on ends in what [`super::Steady`] gives.
/// A shift carries nothing, and knows of no leading edge.
pub struct Transient {
    problem: Problem,
    /// Displacements u of the last step, one element ahead of each element.
    ahead: [Vec<f64>; 2],
    started: bool,
    /// Elements before the leading edge, E Δx, to be used in steps.
    leading: Vec<Leading>,
}

impl Transient {
    /// Prepares a contact without tractions, with the coefficient of friction μ > 0.
    pub fn new(contact: &Contact, friction: f64, settings: Settings) -> Result<Transient, Error> {
        Ok(Transient::of(Problem::new(contact, friction, settings, SlipOperator::Fixed)?))
    }

    /// The same with a coefficient of friction that depends on the slip speed of each element at the rolling speed V > 0;
    /// a shift takes no time, and has the coefficient of sticking.
    pub fn with_law(contact: &Contact, law: &Coefficient, speed: f64, settings: Settings) -> Result<Transient, Error> {
        Ok(Transient::of(Problem::falling(contact, law, speed, settings, SlipOperator::Fixed)?))
    }

    fn of(mut problem: Problem) -> Transient {
        let n = problem.part().len();
        let dx = problem.part().dx();
        let mut leading = std::mem::take(&mut problem.level.leading);
        leading.iter_mut().for_each(|leading| leading.compliance = leading.compliance.over(dx));
        Transient { problem, ahead: [vec![0.0; n], vec![0.0; n]], started: false, leading }
    }

    /// Shifts body 1 over body 2 from a contact without tractions (Cattaneo's problem): creepages in `motion` are
    /// distances, the spin an angle, and so are those of the result.
    pub fn shift(&mut self, motion: Motion) -> Result<Solution, Error> {
        self.shift_watched(motion, &mut unwatched)
    }

    /// The same; `watch` is told of each iteration, and may break off.
    pub fn shift_watched(&mut self, motion: Motion, watch: Watch) -> Result<Solution, Error> {
        self.problem.level.totals.creepage = [0.0; 2];
        self.problem.set(motion, None, 0.0)?;
        let end = self.problem.solve(true, None, watch);
        let solution = Solution { slip_ahead: 0.0, ..self.problem.finish(end, motion, 1.0)? };
        self.keep();
        Ok(solution)
    }

    /// Rolls on by Δx, one element.
    pub fn step(&mut self, motion: Motion) -> Result<Solution, Error> {
        self.step_watched(motion, &mut unwatched)
    }

    /// The same; `watch` is told of each iteration, and may break off.
    pub fn step_watched(&mut self, motion: Motion, watch: Watch) -> Result<Solution, Error> {
        let dx = self.problem.part().dx();
        let slip_point = self.problem.settings.slip_point();
        self.problem.set(motion, Some(dx), slip_point)?;
        let level = &mut self.problem.level;
        for k in 0..level.bx.len() {
            level.bx[k] -= self.ahead[0][k];
            level.by[k] -= self.ahead[1][k];
        }
        std::mem::swap(&mut level.leading, &mut self.leading);
        let end = self.problem.solve(!self.started, Some(dx), watch);
        let solution = self.problem.finish(end, motion, dx);
        std::mem::swap(&mut self.problem.level.leading, &mut self.leading);
        let solution = solution?;
        self.keep();
        Ok(solution)
    }

    /// Remembers the displacements for the next step.
    fn keep(&mut self) {
        let level = &mut self.problem.level;
        let [x, y] = &mut self.ahead;
        level.operator.apply_ahead(&level.rx, &level.ry, x, y);
        self.started = true;
    }
}
