//! Q = Proj G(Q): one solution from the last one where there is only one, all of them where there may be more.

use serde::{Deserialize, Serialize};

use super::star::Piece;
use super::{Branch, Forces, Memory, Problem, Select, Solution, Verdict, choose};

/// Pieces shorter than this share of the whole range are passed over: G is continuous, and what happens in them happens at
/// their ends.
const SLIVER: f64 = 1e-14;

/// Newton's method ends after two or three evaluations; then the range is searched.
const PATIENCE: u32 = 30;

/// Room for the solution of problems with the same number of axles, the last one included, from which the next begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Workspace {
    /// Motion, forces and loads of the solution.
    pub forces: Forces,
    /// How often the contacts were solved for a given Q.
    pub evaluations: u32,
    solutions: Vec<Solution<f64>>,
    memory: Memory<f64>,
}

/// A walk over the range of Q from piece to piece.
struct Walk {
    /// Sign of the last H = Q − G(Q) that was not zero.
    positive: bool,
    /// Greatest slope |G'| met.
    steepest: f64,
}

impl Workspace {
    /// Room for n axles.
    pub fn new(n: usize) -> Workspace {
        Workspace {
            forces: Forces::new(n),
            evaluations: 0,
            solutions: Vec::with_capacity(8 * n + 8),
            memory: Memory { last: None, unique: 0.0 },
        }
    }

    /// All solutions of the last problem, from the least Q on; one where it was unique.
    pub fn solutions(&self) -> &[Solution<f64>] {
        &self.solutions
    }

    /// Solves the problem with κ* = `bound` (from [`super::Axles::uniqueness_bound`]) and leaves the solution in `forces`.
    pub fn solve(&mut self, problem: &Problem<'_>, bound: f64, select: Select) -> Verdict {
        self.evaluations = 0;
        if bound < 1.0 {
            let solution = self.only(problem);
            self.solutions.clear();
            self.solutions.push(solution);
            self.take(problem, solution, true);
            return Verdict::UniqueByBound { bound };
        }
        self.all(problem);
        let count = self.solutions.len();
        let Some(choice) = choose(&self.solutions, select, &self.memory, |a, b| (a - b).abs()) else {
            return Verdict::None;
        };
        let solution = self.solutions[choice.which];
        self.take(problem, solution, count == 1);
        if count == 1 {
            Verdict::UniqueByEnumeration { bound }
        } else {
            Verdict::Several { count, unstable: choice.unstable }
        }
    }

    fn take(&mut self, problem: &Problem<'_>, solution: Solution<f64>, unique: bool) {
        self.memory.last = Some(solution);
        if unique {
            self.memory.unique = solution.place;
        }
        problem.write(solution.place, &mut self.forces);
    }

    fn piece(&mut self, problem: &Problem<'_>, q: f64) -> Piece {
        self.evaluations += 1;
        problem.piece(q)
    }

    /// The solution where H = Q − G(Q) increases: Newton's method from the last one, which is exact when the piece has it.
    fn only(&mut self, problem: &Problem<'_>) -> Solution<f64> {
        let [(mut low, _), (mut high, _)] = problem.axles.range();
        let ends = [low, high];
        let mut q = self.memory.last.map_or(0.0, |last| last.place).clamp(low, high);
        for turn in 0..PATIENCE {
            let piece = self.piece(problem, q);
            let root = piece.root(q);
            // Past an end of the range, but on the piece that reaches it.
            if root <= ends[0] && piece.from <= ends[0] {
                return Solution { branch: Branch::FrontLifted, place: ends[0], index: 1 };
            }
            if root >= ends[1] && piece.to >= ends[1] {
                return Solution { branch: Branch::RearLifted, place: ends[1], index: 1 };
            }
            if (piece.from..=piece.to).contains(&root) || root == q {
                return Solution { branch: Branch::Closed, place: root, index: 1 };
            }
            if root > q {
                low = q
            } else {
                high = q
            }
            let halved = 0.5 * (low + high);
            q = if turn < PATIENCE / 2 && root > low && root < high { root } else { halved };
        }
        Solution { branch: Branch::Closed, place: q, index: 1 }
    }

    /// Lists all solutions, from the least Q on. Returns the greatest |G'|.
    pub fn all(&mut self, problem: &Problem<'_>) -> f64 {
        let [(low, _), (high, _)] = problem.axles.range();
        self.solutions.clear();
        let first = self.piece(problem, low);
        let positive = low - first.moment.at >= 0.0;
        if positive {
            self.solutions.push(Solution { branch: Branch::FrontLifted, place: low, index: 1 });
        }
        let mut walk = Walk { positive, steepest: 0.0 };
        self.cover(problem, low, high, SLIVER * (high - low), &mut walk);
        if !walk.positive {
            self.solutions.push(Solution { branch: Branch::RearLifted, place: high, index: 1 });
        }
        walk.steepest
    }

    /// Looks through [low, high] from left to right: the piece of the middle, what lies before it, what lies after it.
    fn cover(&mut self, problem: &Problem<'_>, low: f64, high: f64, sliver: f64, walk: &mut Walk) {
        if high - low <= sliver {
            return;
        }
        let middle = 0.5 * (low + high);
        let piece = self.piece(problem, middle);
        let (from, to) = (piece.from.max(low), piece.to.min(high));
        self.cover(problem, low, from, sliver, walk);
        walk.steepest = walk.steepest.max(piece.moment.rate.abs());
        for end in [from, to] {
            let miss = piece.miss(middle, end);
            if miss != 0.0 && (miss > 0.0) != walk.positive {
                walk.positive = miss > 0.0;
                let place = piece.root(middle).clamp(from, to);
                self.solutions.push(Solution { branch: Branch::Closed, place, index: if miss > 0.0 { 1 } else { -1 } });
            }
        }
        self.cover(problem, to, high, sliver, walk);
    }
}

impl Piece {
    /// H = Q − G(Q) at q, seen from the place of the piece.
    fn miss(&self, place: f64, q: f64) -> f64 {
        (place - self.moment.at) + (1.0 - self.moment.rate) * (q - place)
    }

    /// Where H would be zero if the piece went on for ever.
    fn root(&self, place: f64) -> f64 {
        place - (place - self.moment.at) / (1.0 - self.moment.rate)
    }
}
