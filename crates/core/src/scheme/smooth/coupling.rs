//! How contact forces change slips, and the forces that contacts answer with: by the matrix W, or by the scalar equation
//! of a star.

use stickslip_linalg::Matrix;

use super::frame::Frame;
use super::layout::Layout;
use crate::inclusion::{Choice, Problem, Settings, SolveError, Star, solve_by};
use crate::law::{Disk, Interval, Law, LawError, Product};
use crate::mechanics::{At, Smooth, SystemError};

/// What couples the contacts of a system.
pub(super) enum Coupling<'a> {
    /// W, any.
    Matrix(Matrix),
    /// Contacts on lines that one speed couples: O(n) in place of O(n³).
    Star(&'a Star),
}

/// Forces and slips of the components asked for, seen in a frame.
pub(super) struct Solved {
    pub r: Vec<f64>,
    /// Exactly 0.0 where a contact holds.
    pub s: Vec<f64>,
    /// Numbers, among the laws, of contacts whose forces are not unique.
    pub undetermined: Vec<usize>,
}

impl<'a> Coupling<'a> {
    pub fn of(system: &'a dyn Smooth, at: At) -> Coupling<'a> {
        system.star().map_or_else(|| Coupling::Matrix(system.influence(at)), Coupling::Star)
    }

    /// Greatest self-influence of each contact.
    pub fn influence(&self, layout: &Layout) -> Vec<f64> {
        match self {
            Coupling::Matrix(w) => {
                let own = |c: usize| layout.of(c).map(|k| w[(k, k)]).fold(0.0, f64::max);
                (0..layout.contacts()).map(own).collect()
            }
            Coupling::Star(star) => star.influence(layout.contacts()),
        }
    }

    /// Solves −(W r + b) ∈ N_C(r) for the components `asked`, in the axes of the frame. The slips b without their forces
    /// are those of the motion `free`.
    pub fn solve(
        &self,
        frame: &Frame,
        asked: &[usize],
        (free, b): (&[f64], &[f64]),
        laws: Vec<Law>,
        start: &[f64],
        choice: Choice,
    ) -> Result<Solved, SystemError> {
        match self {
            Coupling::Matrix(w) => by_matrix(&frame.turned(w), asked, &frame.seen(b), laws, start, choice),
            Coupling::Star(star) => by_star(star, frame, asked, free, b.len(), &laws),
        }
    }
}

/// What the contacts can transmit, less by these shares where nothing else helps.
const LESS: [f64; 4] = [0.0, 1e-9, 1e-8, 1e-7];

impl Coupling<'_> {
    /// [`Coupling::solve`] for contacts at rest with the given bounds.
    ///
    /// At the very load that contacts which share it can carry, the forces are on the edge of all solutions and no
    /// iteration comes to its end there. A little less of the bounds, and it is clear that (and how) they slip; they
    /// would do so within the time in which the load grows by that little.
    pub fn hold(
        &self,
        layout: &Layout,
        contacts: &[usize],
        loads: (&[f64], &[f64]),
        bounds: &[f64],
        start: &[f64],
        choice: Choice,
    ) -> Result<Solved, SystemError> {
        let asked: Vec<usize> = contacts.iter().flat_map(|&c| layout.of(c)).collect();
        let mut failed = None;
        for less in LESS {
            let laws = contacts.iter().map(|&c| law(layout.of(c).len(), bounds[c] * (1.0 - less)));
            let laws = laws.collect::<Result<_, _>>()?;
            match self.solve(&Frame::new(layout), &asked, loads, laws, start, choice) {
                Err(SystemError::Inclusion(
                    error @ (SolveError::NotConverged { .. } | SolveError::NoSolution { .. }),
                )) => failed = Some(error),
                other => return other,
            }
        }
        Err(failed.map_or(SystemError::Undecided { t: f64::NAN }, SystemError::Inclusion))
    }
}

fn by_star(
    star: &Star,
    frame: &Frame,
    asked: &[usize],
    free: &[f64],
    contacts: usize,
    laws: &[Law],
) -> Result<Solved, SystemError> {
    // Who is not asked has a force that is known, and is in the free motion already.
    let (mut lo, mut hi) = (vec![0.0; contacts], vec![0.0; contacts]);
    for (&k, law) in asked.iter().zip(laws) {
        if let Law::Interval(interval) = law {
            let turned = frame.along(k) < 0.0;
            (lo[k], hi[k]) = if turned { (-interval.hi(), -interval.lo()) } else { (interval.lo(), interval.hi()) };
        }
    }
    let found = star.respond(free, &lo, &hi)?;
    let seen = |values: &[f64]| asked.iter().map(|&k| frame.along(k) * values[k]).collect();
    Ok(Solved {
        r: seen(&found.forces),
        s: seen(&found.slips),
        undetermined: (0..asked.len()).filter(|&i| found.open[asked[i]]).collect(),
    })
}

/// Close to the greatest load that contacts can carry together, rounding may keep the residual from its usual
/// tolerance: then a hundred times that must do, still below what counts as a tie.
fn by_matrix(
    w: &Matrix,
    at: &[usize],
    b: &[f64],
    laws: Vec<Law>,
    start: &[f64],
    choice: Choice,
) -> Result<Solved, SystemError> {
    let w = Matrix::from_fn(at.len(), at.len(), |i, j| w[(at[i], at[j])]);
    let b: Vec<f64> = at.iter().map(|&k| b[k]).collect();
    let c = Product::new(laws);
    let problem = Problem { w: &w, b: &b, c: &c };
    let usual = Settings::default();
    let wider = Settings { tolerance: 100.0 * usual.tolerance, ..usual };
    let solved = solve_by(&problem, start, &usual, choice);
    let solution = solved.or_else(|_| solve_by(&problem, start, &wider, choice))?;
    Ok(Solved { r: solution.r, s: solution.s, undetermined: solution.undetermined })
}

/// The set of a contact with one or two components of force.
pub(super) fn law(components: usize, bound: f64) -> Result<Law, LawError> {
    if components == 1 { Interval::symmetric(bound).map(Law::Interval) } else { Disk::new(bound).map(Law::Disk) }
}
