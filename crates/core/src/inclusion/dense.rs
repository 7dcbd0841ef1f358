//! The general solver for small problems.
//!
//! Semismooth Newton from the given start. When its residual stops falling: all stick; the cases of few contacts on lines; a stretch of Douglas–Rachford
//! splitting, which converges for every monotone W; from there Newton on proximal problems, which are
//! regular even where W is not; Newton with other ρ; then a longer stretch. It ends with the residual asked
//! for or with an error that tells the residual reached.

use std::ops::Range;

use stickslip_linalg::{Lu, Matrix, NoConvergence};

use super::alike::Alike;
use super::drift::Drift;
use super::solver::{settle, slips};
use super::splitting::Splitting;
use super::{Problem, Residual, Solved, Solver, cases, least_norm, newton};
use crate::law::{Law, Product, Set, State};

/// When to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Relative residual that a solution may have; 1e-12 by default. The search aims at a tenth of it and
    /// is content with all of it where rounding allows no more.
    pub tolerance: f64,
    /// Newton steps without a new best residual before the splitting takes over; 12 by default.
    pub patience: usize,
    /// Stretches of splitting, each twice as long as the one before (the first has 100 iterations), before
    /// the solver gives up; 8 by default.
    pub stretches: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tolerance: 1e-12, patience: 12, stretches: 8 }
    }
}

/// Newton steps of one attempt: one that finds a solution needs a dozen. Where there is none, forces without a bound may
/// grow for ever, and with them what the residual is relative to.
const MOST_STEPS: usize = 200;

/// Iterations of the first stretch of splitting.
const STRETCH: usize = 100;

/// Newton's method is tried with the usual ρ times these: two decades to either side.
const OTHER_RHO: [f64; 5] = [1.0, 10.0, 0.1, 100.0, 0.01];

/// Proximal problems add this share of the self-influence to W: enough to be regular for Newton's method, little enough for a few of
/// them to lead to a solution. So many are tried, after a stretch of splitting; after the next with a tenth of the share, since forces go
/// s/ε a point, which is little where slips are.
const PROXIMAL: f64 = 1e-3;
const NEXT_SHARE: f64 = 0.1;
const PROXIMAL_POINTS: usize = 50;

/// A change of this share of the greatest force is not rounding any more.
const VISIBLE: f64 = 1e-9;

/// Slips below this share of the scale are rounding, however small a residual is asked for.
const SMALLEST: f64 = 1e-12;

/// Which forces, where several do. Slips are the same with all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Those of least norm, which take singular values to find: more work than all the rest.
    LeastNorm,
    /// Any: only slips are asked for.
    Any,
}

/// How a solution was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Newton alone.
    Newton,
    /// It was tried whether all contacts stick, or all that few contacts on lines can do.
    Cases,
    /// Newton after this many stretches of splitting.
    Splitting(usize),
}

/// A solution of the inclusion.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Contact forces, inside their sets.
    pub r: Vec<f64>,
    /// Slips; exactly 0.0 where a contact sticks.
    pub s: Vec<f64>,
    /// Mode of each contact.
    pub states: Vec<State>,
    /// Residual of r.
    pub residual: Residual,
    /// Newton steps taken.
    pub iterations: usize,
    /// How it was found.
    pub method: Method,
    /// Contacts whose forces are not unique.
    pub undetermined: Vec<usize>,
    /// Whether the undetermined forces are those of least norm. False only where that search failed, close
    /// to the greatest load that the contacts can carry: then they are some solution.
    pub least_norm: bool,
}

/// Why there is no solution to return.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// W, b and C differ in size.
    #[error("W is {rows}×{cols}, b has {b} entries and the contacts {c} components")]
    Sizes {
        /// Rows of W.
        rows: usize,
        /// Columns of W.
        cols: usize,
        /// Entries of b.
        b: usize,
        /// Components of C.
        c: usize,
    },
    /// The solver is made for other contacts, or for another b.
    #[error("b or the contacts are not of the form that the solver is made for")]
    Form,
    /// An entry of W or b is NaN or infinite.
    #[error("an entry of W or b is not finite")]
    NotFinite,
    /// The singular values of a matrix were not found.
    #[error("the singular values of W or of a part of it were not found: entries are too far apart or not finite")]
    Decomposition,
    /// No forces obey the law: see [`Problem::runaway`].
    #[error("there is no solution: forces that nothing bounds make no slip together, and b drives them on for ever")]
    NoSolution {
        /// Newton steps taken.
        iterations: usize,
    },
    /// The tolerance was not reached.
    #[error("relative residual {reached:e} after {iterations} Newton steps; {asked:e} was asked for")]
    NotConverged {
        /// Smallest relative residual seen.
        reached: f64,
        /// Relative residual asked for.
        asked: f64,
        /// Newton steps taken.
        iterations: usize,
    },
}

impl From<NoConvergence> for SolveError {
    fn from(_: NoConvergence) -> SolveError {
        SolveError::Decomposition
    }
}

/// Solves the inclusion, from the forces `start` (zeros if none are better).
pub fn solve(problem: &Problem<Matrix>, start: &[f64], settings: &Settings) -> Result<Solution, SolveError> {
    solve_until(problem, start, settings, &|| false)
}

/// The same, unless `stop` says so: it is asked in every iteration, and the error then tells the residual reached.
pub fn solve_until(
    problem: &Problem<Matrix>,
    start: &[f64],
    settings: &Settings,
    stop: &dyn Fn() -> bool,
) -> Result<Solution, SolveError> {
    solve_with(problem, start, settings, Choice::LeastNorm, stop)
}

/// The same with a choice of forces. With any forces those that are not unique are not told.
pub(crate) fn solve_by(
    problem: &Problem<Matrix>,
    start: &[f64],
    settings: &Settings,
    choice: Choice,
) -> Result<Solution, SolveError> {
    solve_with(problem, start, settings, choice, &|| false)
}

fn solve_with(
    problem: &Problem<Matrix>,
    start: &[f64],
    settings: &Settings,
    choice: Choice,
    stop: &dyn Fn() -> bool,
) -> Result<Solution, SolveError> {
    let n = problem.c.dim();
    let (rows, cols, b) = (problem.w.rows(), problem.w.cols(), problem.b.len());
    if [rows, cols, b, start.len()].iter().any(|&size| size != n) {
        return Err(SolveError::Sizes { rows, cols, b, c: n });
    }
    if problem.w.data().iter().chain(problem.b).any(|v| !v.is_finite()) {
        return Err(SolveError::NotFinite);
    }
    let weights = problem.weights();
    let mut start = start.to_vec();
    if let Some(alike) = Alike::of(problem) {
        let fewer = Problem { w: &alike.w, b: &alike.b, c: &alike.c };
        let solution = solve_with(&fewer, &alike.sums(&start), settings, choice, stop)?;
        alike.shares(&solution.r, &mut start);
        let mut search = Search::new(problem, &weights, &start, settings, stop);
        search.iterations = solution.iterations;
        search.note();
        // But for rounding where shares are added up.
        if search.best_residual <= settings.tolerance {
            return search.finish(solution.method, choice);
        }
    }
    let mut search = Search::new(problem, &weights, &start, settings, stop);
    if search.newton(1.0) {
        return search.finish(Method::Newton, choice);
    }
    if search.all_stick() {
        return search.finish(Method::Cases, choice);
    }
    if let Some(r) = cases::solve(problem, settings.tolerance) {
        search.restart(r);
        if search.best_residual <= settings.tolerance {
            return search.finish(Method::Cases, choice);
        }
    }
    search.refuse_runaway()?;
    let splitting = Splitting::new(problem.w, &weights);
    let mut share = PROXIMAL;
    for stretch in 0..settings.stretches {
        if stop() {
            break;
        }
        let mut r = search.best.clone();
        splitting.run(problem, &mut r, STRETCH << stretch, stop);
        search.restart(r);
        if search.proximal(share) {
            return search.finish(Method::Splitting(stretch + 1), choice);
        }
        share *= NEXT_SHARE;
        // Where a contact sticks on the edge of its set, another ρ finds what one does not.
        for rho in OTHER_RHO {
            if search.newton(rho) {
                return search.finish(Method::Splitting(stretch + 1), choice);
            }
            search.r.copy_from_slice(&search.best);
        }
    }
    if search.best_residual <= settings.tolerance {
        return search.finish(Method::Splitting(settings.stretches), choice);
    }
    Err(SolveError::NotConverged {
        reached: search.best_residual,
        asked: settings.tolerance,
        iterations: search.iterations,
    })
}

/// The state of a search: the current forces and the best seen.
struct Search<'a> {
    problem: &'a Problem<'a, Matrix>,
    weights: &'a [f64],
    settings: &'a Settings,
    stop: &'a dyn Fn() -> bool,
    r: Vec<f64>,
    best: Vec<f64>,
    best_residual: f64,
    iterations: usize,
}

impl<'a> Search<'a> {
    fn new(
        problem: &'a Problem<Matrix>,
        weights: &'a [f64],
        start: &[f64],
        settings: &'a Settings,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a> {
        let mut r: Vec<f64> = start.iter().map(|v| if v.is_finite() { *v } else { 0.0 }).collect();
        problem.c.project(&mut r);
        Search { problem, weights, settings, stop, best: r.clone(), r, best_residual: f64::INFINITY, iterations: 0 }
    }

    fn restart(&mut self, r: Vec<f64>) {
        self.r = r;
        self.note();
    }

    /// The relative residual aimed at.
    fn goal(&self) -> f64 {
        0.1 * self.settings.tolerance
    }

    /// Takes the current forces for the best if they are. True if so.
    fn note(&mut self) -> bool {
        let residual = self.problem.residual(&self.r).relative;
        let better = residual < self.best_residual;
        if better {
            self.best_residual = residual;
            self.best.copy_from_slice(&self.r);
        }
        better
    }

    /// The forces with which nothing slips, r = −W⁻¹b. True if W has an inverse and they lie in their sets.
    fn all_stick(&mut self) -> bool {
        let mut r: Vec<f64> = self.problem.b.iter().map(|b| -b).collect();
        Lu::new(self.problem.w).solve(&mut r);
        if r.iter().any(|r| !r.is_finite()) || !self.problem.c.contains(&r) {
            return false;
        }
        self.restart(r);
        self.best_residual <= self.settings.tolerance
    }

    /// Proximal points: W + εI and b − ε r in place of W and b, with ε a `share` of the self-influence.
    /// Each such problem has one solution, which Newton finds; their sequence tends to a solution of ours
    /// also where W is singular. True if the tolerance was met.
    fn proximal(&mut self, share: f64) -> bool {
        let n = self.best.len();
        let epsilon: Vec<f64> = self.weights.iter().map(|w| share * w).collect();
        let mut w = self.problem.w.clone();
        (0..n).for_each(|i| w[(i, i)] += epsilon[i]);
        let mut centre = self.best.clone();
        let mut drift = Drift::new(n);
        for _ in 0..PROXIMAL_POINTS {
            let b: Vec<f64> = (0..n).map(|i| self.problem.b[i] - epsilon[i] * centre[i]).collect();
            let inner = Problem { w: &w, b: &b, c: self.problem.c };
            let mut search = Search::new(&inner, self.weights, &centre, self.settings, self.stop);
            search.newton(1.0);
            self.iterations += search.iterations;
            let far = if drift.goes_on(&centre, &search.best) { search.way_out(&drift) } else { 0.0 };
            centre.copy_from_slice(&search.best);
            self.r.copy_from_slice(&centre);
            self.note();
            if self.best_residual <= self.goal() {
                return true;
            }
            if (self.stop)() {
                break;
            }
            if far > 1.0 && far.is_finite() {
                drift.follow(far, &mut centre);
            }
        }
        self.r.copy_from_slice(&self.best);
        self.newton(1.0)
    }

    /// How many times d the first contact that sticks is from the edge of its set.
    fn way_out(&self, d: &[f64]) -> f64 {
        let mut s = vec![0.0; d.len()];
        self.problem.slip(&self.best, &mut s);
        let x: Vec<f64> = (0..d.len()).map(|i| self.best[i] - s[i] / self.weights[i]).collect();
        let sticks = |law: &Law, at: &Range<usize>| law.state(&x[at.clone()]) == State::Stick;
        let ways = self.problem.c.iter().filter(|(law, at)| sticks(law, at));
        ways.map(|(law, at)| law.way_out(&self.best[at.clone()], &d[at])).fold(f64::INFINITY, f64::min)
    }

    /// Newton steps with `rho` times the usual ρ until the tolerance is met (true) or patience is lost.
    fn newton(&mut self, rho: f64) -> bool {
        let weights: Vec<f64> = self.weights.iter().map(|w| w / rho).collect();
        let mut waited = 0;
        self.note();
        for _ in 0..MOST_STEPS {
            if self.best_residual <= self.goal() || waited > self.settings.patience || (self.stop)() {
                break;
            }
            // Forces that run away (no finite step) end this attempt, not the search.
            let Ok(delta) = newton::step(self.problem, &weights, &self.r) else { break };
            self.r.iter_mut().zip(&delta).for_each(|(r, d)| *r += d);
            self.iterations += 1;
            waited = if self.note() { 0 } else { waited + 1 };
        }
        self.best_residual <= self.goal()
    }

    /// An error where there is no solution.
    fn refuse_runaway(&self) -> Result<(), SolveError> {
        match self.problem.runaway() {
            Ok(Some(_)) if !(self.stop)() => Err(SolveError::NoSolution { iterations: self.iterations }),
            _ => Ok(()),
        }
    }

    /// From forces within tolerance to a solution: states selected, forces inside their sets, slips of
    /// stuck contacts exactly zero, undetermined forces of least norm if those are asked for.
    fn finish(mut self, method: Method, choice: Choice) -> Result<Solution, SolveError> {
        let problem = self.problem;
        if problem.may_have_run_away(&self.best) {
            self.refuse_runaway()?;
        }
        let floor = self.settings.tolerance.max(SMALLEST) * problem.scale(&self.best);
        let states = settle(problem, self.weights, floor, &mut self.best);
        let (undetermined, least_norm) = match choice {
            Choice::Any => (Vec::new(), false),
            Choice::LeastNorm => {
                let solved = self.best.clone();
                let (undetermined, shortest) = least_norm::select(problem, self.weights, &states, &mut self.best)?;
                let least_norm = undetermined.is_empty() || (self.polish(&solved, &states) && shortest);
                (undetermined, least_norm)
            }
        };
        let residual = problem.residual(&self.best);
        Ok(Solution {
            s: slips(problem, &self.best, &states),
            r: self.best,
            states,
            residual,
            iterations: self.iterations,
            method,
            undetermined,
            least_norm,
        })
    }

    /// Moving far along a kernel leaves rounding behind: a Newton step or two take it away. Where they
    /// would move the forces visibly, the forces that were solved for stand and the answer is false.
    fn polish(&mut self, solved: &[f64], states: &[State]) -> bool {
        let size = solved.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for _ in 0..3 {
            if self.problem.residual(&self.best).relative <= self.settings.tolerance {
                return true;
            }
            let Ok(delta) = newton::step(self.problem, self.weights, &self.best) else { break };
            if delta.iter().any(|d| d.abs() > VISIBLE * size) {
                break;
            }
            for ((law, at), state) in self.problem.c.iter().zip(states) {
                if *state == State::Stick {
                    let r = &mut self.best[at.clone()];
                    r.iter_mut().zip(&delta[at]).for_each(|(r, d)| *r += d);
                    law.project(r);
                }
            }
        }
        let done = self.problem.residual(&self.best).relative <= self.settings.tolerance;
        if !done {
            self.best.copy_from_slice(solved);
        }
        done
    }
}

/// The general solver for one W.
#[derive(Debug, Clone)]
pub struct Dense {
    w: Matrix,
    /// When to stop.
    pub settings: Settings,
}

impl Solver for Dense {
    const NAME: &'static str = "dense";

    fn accept(w: &Matrix, c: &Product) -> Option<Dense> {
        let fits = w.rows() == c.dim() && w.cols() == c.dim();
        fits.then(|| Dense { w: w.clone(), settings: Settings::default() })
    }

    fn solve_from(&mut self, b: &[f64], c: &Product, start: &Solved) -> Result<Solved, SolveError> {
        let Solution { r, s, states, residual, .. } = solve(&Problem { w: &self.w, b, c }, &start.r, &self.settings)?;
        Ok(Solved { r, s, states, residual: Some(residual.absolute) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{Disk, Interval};

    #[test]
    fn slips_are_the_same_with_any_forces() {
        // Two bodies of 1 kg in the plane, each on the ground, with two pads between them.
        let along = [[1.0, 0.0], [-1.0, 1.0], [-1.0, 1.0], [0.0, 1.0]];
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let w = Matrix::from_fn(8, 8, |i, j| if i % 2 == j % 2 { dot(along[i / 2], along[j / 2]) } else { 0.0 });
        for load in [0.5, 2.0, 5.0] {
            let b: Vec<f64> = (0..8).map(|i| load * [1.0, 0.3][i % 2] * along[i / 2][0]).collect();
            let c = Product::new([1.0, 0.4, 0.8, 0.3].map(|a| Law::Disk(Disk::new(a).expect("a bound"))).to_vec());
            let problem = Problem { w: &w, b: &b, c: &c };
            let settings = Settings::default();
            let chosen = solve(&problem, &[0.0; 8], &settings).expect("a solution");
            let any = solve_by(&problem, &[0.0; 8], &settings, Choice::Any).expect("a solution");
            assert_eq!(any.states.len(), chosen.states.len());
            let far = any.s.iter().zip(&chosen.s).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(far < 1e-11 * load, "{far:e} at {load}");
            assert!(any.residual.relative < 1e-12, "{:?}", any.residual);
        }
    }

    /// A problem and its multiple by a power of two have the same forces but for that factor, however small or large it is.
    #[test]
    fn sizes_do_not_matter() {
        let interval = |a: f64| Law::Interval(Interval::symmetric(a).expect("a bound"));
        let disk = |a: f64| Law::Disk(Disk::new(a).expect("a bound"));
        let w = Matrix::from_rows(&[&[2.0, 1.0, 0.3], &[1.0, 3.0, -0.2], &[0.3, -0.2, 1.5]]);
        let solved = |b: [f64; 3], c: &Product| {
            let problem = Problem { w: &w, b: &b, c };
            let solution = solve(&problem, &[0.0; 3], &Settings::default()).expect("a solution");
            let Solution { r, s, states, residual, .. } = solution;
            let solved = Solved { r, s, states, residual: Some(residual.absolute) };
            problem.judge(&solved, 1e-12).expect("the law");
            solved
        };
        let b = [-1.0, 0.7, 0.4];
        for bounds in [[3.0, 2.0], [0.2, 0.1], [0.3, 9.0], [9.0, 0.3]] {
            let own = solved(b, &Product::new(vec![interval(bounds[0]), disk(bounds[1])]));
            for power in -500..=500 {
                let k = 2.0_f64.powi(power);
                let both = solved(b.map(|b| k * b), &Product::new(vec![interval(k * bounds[0]), disk(k * bounds[1])]));
                let same = both.r.iter().zip(&own.r).all(|(r, own)| (r - k * own).abs() <= 1e-11 * k);
                assert!(same && both.states.len() == own.states.len(), "{both:?} at 2^{power}, {own:?}");
                assert!(both.s.iter().zip(&own.s).all(|(s, own)| (*s == 0.0) == (*own == 0.0)), "{both:?}, {own:?}");
            }
        }
        // Sets stay as they are: what is slow enough sticks, down to where numbers end.
        let c = Product::new(vec![interval(1.0), disk(1.0)]);
        let own = solved(b, &c);
        assert_eq!(own.s, [0.0; 3]);
        for power in -1080..0 {
            let k = 2.0_f64.powi(power);
            let slow = solved(b.map(|b| k * b), &c);
            assert_eq!(slow.s, [0.0; 3], "at 2^{power}");
            let off = slow.r.iter().zip(&own.r).fold(0.0_f64, |m, (r, own)| m.max((r - k * own).abs()));
            assert!(off <= 1e-11 * k + f64::MIN_POSITIVE, "{off:e} at 2^{power}");
        }
    }

    /// A W that turns and does not brake: no force changes its own slip.
    #[test]
    fn rotations() {
        let w = |k: f64| {
            let rows =
                [[0., -377., 43., -33.], [377., 0., -736., -683.], [-43., 736., 0., 2317.], [33., 683., -2317., 0.]];
            Matrix::from_fn(4, 4, |i, j| k * rows[i][j])
        };
        let interval = |lo, hi| Law::Interval(Interval::new(lo, hi).expect("an interval"));
        let disk = Law::Disk(Disk::new(3.2).expect("a bound"));
        let c = Product::new(vec![interval(-2.0, 0.15), disk, interval(0.01, 0.7)]);
        for k in [1e-9, 1e-3, 1.0, 1e6] {
            for b in [0.0, 1.0] {
                let (w, b) = (w(k), [k * b; 4]);
                let problem = Problem { w: &w, b: &b, c: &c };
                let solution = solve(&problem, &[0.0; 4], &Settings::default()).expect("a solution");
                assert!(problem.residual(&solution.r).relative <= 1e-12, "{solution:?}");
            }
        }
        // All stick.
        let (w, inside) = (w(1.0), [-0.5, 1.0, -1.0, 0.3]);
        let mut b = [0.0; 4];
        w.apply(&inside, &mut b);
        let b = b.map(|b| -b);
        let solution = solve(&Problem { w: &w, b: &b, c: &c }, &[0.0; 4], &Settings::default()).expect("a solution");
        assert!(solution.r.iter().zip(&inside).all(|(r, inside)| (r - inside).abs() < 1e-11), "{solution:?}");
        assert_eq!(solution.s, [0.0; 4]);
    }
}
