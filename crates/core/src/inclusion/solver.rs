//! What all solvers have in common: W and the kinds of the contacts once, then b and what the contacts can transmit again and again.
//!
//! Models call the solver that they are made for in its own words, which have no matrix in them: a wheel has two masses, a vehicle
//! a list of wheels. Here the same solvers speak of W, b and C, so that any of them can be asked any problem of its form, be compared
//! with any other, and be judged by what it gives out ([`Problem::judge`]).

use stickslip_linalg::Matrix;

use super::{Operator, Problem, SolveError, greatest, underflow};
use crate::law::{Law, Product, Set, State};

/// Solves inclusions with one W.
pub trait Solver: Sized {
    /// Its name in tables and messages.
    const NAME: &'static str;

    /// Makes ready for W and contacts like those of `c`; none if they are not of the form that the solver is made for. Bounds
    /// may change from problem to problem, kinds of contacts may not.
    fn accept(w: &Matrix, c: &Product) -> Option<Self>;

    /// Solves for b and C. The search begins with another solution, or with [`Solved::none`].
    fn solve_from(&mut self, b: &[f64], c: &Product, start: &Solved) -> Result<Solved, SolveError>;
}

/// A solution of an inclusion, in the words that all solvers share.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// Contact forces, inside their sets.
    pub r: Vec<f64>,
    /// Slips; exactly 0.0 where a contact sticks.
    pub s: Vec<f64>,
    /// What each contact does.
    pub states: Vec<State>,
    /// The residual that the solver itself tells, as a velocity; none if it tells none.
    pub residual: Option<f64>,
}

impl Solved {
    /// No force, no slip: where a search begins that knows nothing better.
    pub fn none(c: &Product) -> Solved {
        let zeros = vec![0.0; c.dim()];
        Solved { r: zeros.clone(), s: zeros, states: vec![State::Stick; c.len()], residual: None }
    }

    /// From forces and slips of contacts on lines, whose slips say what they do.
    pub(super) fn on_lines(r: Vec<f64>, s: Vec<f64>, residual: Option<f64>) -> Solved {
        let state = |s: &f64| if *s == 0.0 { State::Stick } else { State::Slip([s.signum(), 0.0]) };
        Solved { states: s.iter().map(state).collect(), r, s, residual }
    }
}

/// What a solution does against the law.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Breach {
    /// r − Proj_C(r − ρ s) is too far from zero.
    #[error("relative residual {reached:e}; {asked:e} was asked for")]
    Residual {
        /// What it is.
        reached: f64,
        /// What it may be.
        asked: f64,
    },
    /// A force is not in its set.
    #[error("the force of contact {contact} is not in its set")]
    Outside {
        /// Which contact.
        contact: usize,
    },
    /// A contact sticks with a slip that is not 0.0.
    #[error("contact {contact} sticks and has the slip {slip:e}")]
    Creeps {
        /// Which contact.
        contact: usize,
        /// Its slip.
        slip: f64,
    },
    /// A slip is not W r + b.
    #[error("slip {component} is told as {told:e}, and W r + b is {law:e}")]
    Slip {
        /// Which component.
        component: usize,
        /// What the solver says.
        told: f64,
        /// W r + b.
        law: f64,
    },
    /// A contact gives energy.
    #[error("contact {contact} has the power {power:e}: it must not be positive")]
    Energy {
        /// Which contact.
        contact: usize,
        /// r·s.
        power: f64,
    },
    /// The solver's own word on its residual is better than the truth.
    #[error("the solver tells a residual of {told:e}, and it is {measured:e}")]
    Word {
        /// What the solver says.
        told: f64,
        /// What is recomputed from its forces.
        measured: f64,
    },
}

impl<W: Operator> Problem<'_, W> {
    /// Judges a solution by what it gives out alone: forces in their sets, the residual recomputed, slips that are W r + b and 0.0
    /// where contacts stick, no contact that gives energy (but for rounding of slips), and a residual of its own that is no better than the truth.
    pub fn judge(&self, solved: &Solved, tolerance: f64) -> Result<(), Breach> {
        let Solved { r, s, states, residual: told } = solved;
        let measured = self.residual(r);
        // What is not a number is not within anything.
        let within = |x: f64, most: f64| x <= most;
        if !within(measured.relative, tolerance) {
            return Err(Breach::Residual { reached: measured.relative, asked: tolerance });
        }
        let rounding = self.rounding(r);
        // Solvers take the greatest component of a contact or its length, which differ by √3 at most.
        if let Some(told) = told.filter(|told| !within(measured.absolute - rounding, 2.0 * told)) {
            return Err(Breach::Word { told, measured: measured.absolute });
        }
        let mut law = vec![0.0; r.len()];
        self.slip(r, &mut law);
        let off = tolerance * self.scale(r) + rounding;
        for (component, (told, law)) in s.iter().zip(&law).enumerate() {
            if !within((told - law).abs(), off) {
                return Err(Breach::Slip { component, told: *told, law: *law });
            }
        }
        for (contact, ((set, at), state)) in self.c.iter().zip(states).enumerate() {
            if !set.contains(&r[at.clone()]) {
                return Err(Breach::Outside { contact });
            }
            let slip = s[at.clone()].iter().fold(0.0, |m, s| greatest(m, s.abs()));
            if *state == State::Stick && slip != 0.0 {
                return Err(Breach::Creeps { contact, slip });
            }
            let power: f64 = at.clone().map(|k| r[k] * s[k]).sum();
            let strength: f64 = at.map(|k| r[k].abs()).sum();
            // A set without zero is a drive, and may give what it likes.
            let brakes = set.contains(&[0.0; 3][..set.dim()]);
            if brakes && !within(power, rounding * strength + f64::MIN_POSITIVE) {
                return Err(Breach::Energy { contact, power });
            }
        }
        Ok(())
    }

    /// max|b| + max w_i|r_i|, what residuals are relative to.
    pub fn scale(&self, r: &[f64]) -> f64 {
        let b = self.b.iter().fold(0.0, |m, b| greatest(m, b.abs()));
        b + self.weights().iter().zip(r).fold(0.0, |m, (w, r)| greatest(m, w * r.abs()))
    }

    /// What rounding of W r + b can make of slips: sums of so many terms and one more for the residual, and what is lost where numbers end.
    pub fn rounding(&self, r: &[f64]) -> f64 {
        let b = self.b.iter().fold(0.0, |m, b| greatest(m, b.abs()));
        let weights = self.weights();
        let forces: f64 = weights.iter().zip(r).map(|(w, r)| w * r.abs()).sum();
        f64::EPSILON * (r.len() as f64 + 8.0) * (b + forces) + underflow(&weights)
    }
}

/// What the contacts do with forces r that solve the problem; the forces are replaced by their projection, which lies in C exactly.
///
/// A slip not above `floor`, the rounding of W r + b, is none: rounding alone must not make a contact slip that sticks on the
/// boundary of its set.
pub(super) fn settle<W: Operator>(problem: &Problem<W>, weights: &[f64], floor: f64, r: &mut [f64]) -> Vec<State> {
    let mut s = vec![0.0; r.len()];
    problem.slip(r, &mut s);
    problem.c.correct(&mut s);
    let mut states = Vec::with_capacity(problem.c.len());
    for (law, at) in problem.c.iter() {
        let r = &mut r[at.clone()];
        if s[at.clone()].iter().all(|v| v.abs() <= floor) {
            law.project(r);
            states.push(State::Stick);
            continue;
        }
        let weight = weights[at.start];
        r.iter_mut().zip(&s[at]).for_each(|(r, s)| *r -= s / weight);
        states.push(law.state(r));
        law.project(r);
    }
    states
}

/// Slips of forces with which contacts do this: exactly 0.0 where they stick.
pub(super) fn slips<W: Operator>(problem: &Problem<W>, r: &[f64], states: &[State]) -> Vec<f64> {
    let mut s = vec![0.0; r.len()];
    problem.slip(r, &mut s);
    for ((law, at), state) in problem.c.iter().zip(states) {
        match (state, law) {
            (State::Stick, _) => s[at].fill(0.0),
            (State::Slip(_), Law::Cone(_)) => s[at.start] = 0.0,
            _ => {}
        }
    }
    s
}

/// The ends of intervals, contact after contact; none if a contact is no interval.
pub(super) fn intervals(c: &Product) -> Option<Vec<[f64; 2]>> {
    let ends = |law: &Law| match law {
        Law::Interval(interval) => Some([interval.lo(), interval.hi()]),
        _ => None,
    };
    c.iter().map(|(law, _)| ends(law)).collect()
}

/// The bounds a of intervals [−a, a] that are finite; none if a contact is something else.
pub(super) fn symmetric(c: &Product) -> Option<Vec<f64>> {
    intervals(c)?.into_iter().map(|[lo, hi]| (lo == -hi && hi.is_finite()).then_some(hi)).collect()
}

/// Whether two numbers are the same but for rounding of entries as great as `size`.
pub(super) fn same(a: f64, b: f64, size: f64) -> bool {
    (a - b).abs() <= 8.0 * f64::EPSILON * size
}

/// The greatest entry.
pub(super) fn size(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| greatest(m, v.abs()))
}
