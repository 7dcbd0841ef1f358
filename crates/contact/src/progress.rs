//! How far a solution is, for whoever waits for it.
//!
//! Solvers call their watcher once per iteration with numbers that they have anyway: watching changes no result, unless the watcher
//! breaks off: then they end with the residual that they have, which is an error if it is above the tolerance.

use std::ops::ControlFlow;

/// One iteration of a solver on one grid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Iteration {
    /// Elements of the grid along and across.
    pub elements: [usize; 2],
    /// Finer grids still to come: solutions begin on coarse grids, and 0 is the one asked for.
    pub finer: usize,
    /// Iterations made on this grid.
    pub count: usize,
    /// Residual as the iteration sees it; that of the result is measured once more at the end.
    pub residual: f64,
    /// Residual to reach on this grid.
    pub tolerance: f64,
}

impl Iteration {
    /// The same, seen from a grid of twice the fineness.
    pub(crate) fn coarser(self) -> Iteration {
        Iteration { finer: self.finer + 1, ..self }
    }
}

/// Who is told of each iteration, and may break off.
pub type Watch<'a> = &'a mut dyn FnMut(Iteration) -> ControlFlow<()>;

/// Nobody watches.
pub(crate) fn unwatched(_: Iteration) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
