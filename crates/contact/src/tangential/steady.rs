//! Steady rolling.

use stickslip_core::law::Coefficient;

use super::operator::SlipOperator;
use super::problem::Problem;
use super::{Motion, Settings, Solution, Transport};
use crate::error::Error;
use crate::normal::Contact;
use crate::progress::{Watch, unwatched};

/// Steady rolling of a contact. Influence numbers, transforms and working space are made once
/// and serve any number of motions.
pub struct Steady {
    problem: Problem,
    /// Tractions and creepage of the last solution and the one before it.
    past: [Past; 2],
    /// How many of them there are.
    known: usize,
}

struct Past {
    rx: Vec<f64>,
    ry: Vec<f64>,
    creepage: [f64; 2],
}

fn carriage(settings: Settings) -> SlipOperator {
    match settings.transport {
        Transport::First => SlipOperator::First,
        Transport::Second => SlipOperator::Second,
        Transport::Edge => SlipOperator::Edge,
    }
}

impl Steady {
    /// Prepares a contact with the coefficient of friction μ > 0.
    pub fn new(contact: &Contact, friction: f64, settings: Settings) -> Result<Steady, Error> {
        Ok(Steady::of(Problem::new(contact, friction, settings, carriage(settings))?))
    }

    /// The same with a coefficient of friction that depends on the slip speed of each element, V|s|, at the rolling speed
    /// V > 0 (see [`crate::tangential`]). The limit of a solution is that of sticking.
    pub fn with_law(contact: &Contact, law: &Coefficient, speed: f64, settings: Settings) -> Result<Steady, Error> {
        Ok(Steady::of(Problem::falling(contact, law, speed, settings, carriage(settings))?))
    }

    fn of(problem: Problem) -> Steady {
        let n = problem.part().len();
        let past = || Past { rx: vec![0.0; n], ry: vec![0.0; n], creepage: [0.0; 2] };
        Steady { problem, past: [past(), past()], known: 0 }
    }

    /// Solves one motion from nothing, by way of coarser grids: the same result whatever was solved before.
    pub fn solve(&mut self, motion: Motion) -> Result<Solution, Error> {
        self.solve_watched(motion, &mut unwatched)
    }

    /// The same; `watch` is told of each iteration, and may break off.
    pub fn solve_watched(&mut self, motion: Motion, watch: Watch) -> Result<Solution, Error> {
        self.problem.level.totals.creepage = [0.0; 2];
        self.set(motion)?;
        self.known = 0;
        let end = self.problem.solve(true, Some(1.0), watch);
        self.finish(end, motion)
    }

    /// Solves a motion near the last one, from the tractions of the last two: for points of a curve.
    pub fn follow(&mut self, motion: Motion) -> Result<Solution, Error> {
        self.follow_watched(motion, &mut unwatched)
    }

    /// The same; `watch` is told of each iteration, and may break off.
    pub fn follow_watched(&mut self, motion: Motion, watch: Watch) -> Result<Solution, Error> {
        if self.known == 0 {
            return self.solve_watched(motion, watch);
        }
        self.set(motion)?;
        self.extrapolate();
        let end = self.problem.solve(false, Some(1.0), watch);
        self.finish(end, motion)
    }

    /// Forgets what was solved: the next motion begins from nothing.
    pub fn forget(&mut self) {
        self.known = 0;
    }

    /// Force and moment on body 1 if every element slides as rigid bodies with these creepages (ξ, η, φ) would; an element at the pole of spin
    /// bears nothing.
    pub fn sliding(&self, creepage: [f64; 3]) -> ([f64; 2], f64) {
        self.problem.sliding(creepage)
    }

    /// Solves motions that lie along a curve, each from the ones before it.
    pub fn curve(&mut self, motions: &[Motion]) -> Result<Vec<Solution>, Error> {
        self.known = 0;
        motions.iter().map(|motion| self.follow(*motion)).collect()
    }

    fn set(&mut self, motion: Motion) -> Result<(), Error> {
        let slip_point = self.problem.settings.slip_point();
        self.problem.set(motion, Some(1.0), slip_point)
    }

    /// Tractions on the straight line through the last two solutions, as far along it as the creepage went.
    fn extrapolate(&mut self) {
        let level = &mut self.problem.level;
        let [last, before] = &self.past;
        let mut ahead = 0.0;
        if self.known > 1 {
            let step = [0, 1].map(|k| last.creepage[k] - before.creepage[k]);
            let next = [0, 1].map(|k| level.totals.creepage[k] - last.creepage[k]);
            let size = step[0] * step[0] + step[1] * step[1];
            if size > 0.0 {
                ahead = ((step[0] * next[0] + step[1] * next[1]) / size).clamp(0.0, 2.0);
            }
        }
        for k in 0..last.rx.len() {
            level.rx[k] = last.rx[k] + ahead * (last.rx[k] - before.rx[k]);
            level.ry[k] = last.ry[k] + ahead * (last.ry[k] - before.ry[k]);
            let size = level.rx[k].hypot(level.ry[k]);
            if size > level.bound[k] {
                level.rx[k] *= level.bound[k] / size;
                level.ry[k] *= level.bound[k] / size;
            }
        }
    }

    fn finish(&mut self, end: super::level::End, motion: Motion) -> Result<Solution, Error> {
        let solution = self.problem.finish(end, motion, 1.0)?;
        self.past.swap(0, 1);
        let level = &self.problem.level;
        self.past[0].rx.copy_from_slice(&level.rx);
        self.past[0].ry.copy_from_slice(&level.ry);
        self.past[0].creepage = level.totals.creepage;
        self.known = 2.min(self.known + 1);
        Ok(solution)
    }
}
