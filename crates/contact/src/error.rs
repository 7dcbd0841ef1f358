//! What can be wrong with a contact problem, each with its numbers.

/// Why a problem was refused or not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A number of the bodies is out of its range.
    #[error(transparent)]
    Number(#[from] crate::material::BadNumber),
    /// A law of friction with numbers out of range.
    #[error(transparent)]
    Law(#[from] stickslip_core::law::LawError),
    /// A number that must be positive and finite is not.
    #[error("{what} = {value}: it must be a finite number > 0")]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A number is NaN or infinite.
    #[error("{what} = {value}: it must be a finite number")]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A grid without elements, or with too many.
    #[error("a grid of {nx} × {ny} elements: between 1 and 4096 are possible along each side")]
    GridSize {
        /// Elements along x.
        nx: usize,
        /// Elements along y.
        ny: usize,
    },
    /// More elements than are solved in sensible time.
    #[error(
        "a grid of {nx} × {ny} = {} elements: at most {most} are solved, which take about {:.1} GB and a minute or more",
        nx * ny, *most as f64 * 630e-9
    )]
    TooMany {
        /// Elements along x.
        nx: usize,
        /// Elements along y.
        ny: usize,
        /// Most elements.
        most: usize,
    },
    /// The contact is not resolved.
    #[error(
        "the contact is {size:.3e} {} but the elements are {element:.3e}: {across:.2} of them {direction} it, and at least \
         {least} are needed", if *direction == "along" { "long" } else { "wide" }
    )]
    Coarse {
        /// `along` (the rolling direction) or `across`.
        direction: &'static str,
        /// Length or width of Hertz's contact.
        size: f64,
        /// Side of an element in that direction.
        element: f64,
        /// How many elements the contact is long or wide.
        across: f64,
        /// Fewest that are solved.
        least: usize,
        /// Elements of a grid of this size that would do.
        wanted: f64,
    },
    /// A table that does not fit its grid.
    #[error("{what} has {found} values, but the grid has {wanted} elements")]
    Length {
        /// Which table.
        what: &'static str,
        /// Values in it.
        found: usize,
        /// Elements of the grid.
        wanted: usize,
    },
    /// The load pulls.
    #[error("the normal load {load} is not positive: bodies in dry contact cannot pull on each other")]
    Load {
        /// The load.
        load: f64,
    },
    /// The approach leaves a gap everywhere.
    #[error("no contact: the approach {approach} is not greater than the least undeformed distance {least}")]
    NoContact {
        /// The approach.
        approach: f64,
        /// Least undeformed distance on the grid.
        least: f64,
    },
    /// The contact area reaches the rim of the grid.
    #[error("the grid cuts the contact at {sides}: {advice}")]
    CutContact {
        /// The sides, such as `−x, +x`.
        sides: String,
        /// By how much to enlarge the grid, as far as it is known.
        advice: String,
    },
    /// A total force that friction cannot transmit.
    #[error(
        "the force ({fx}, {fy}) is {size}, but friction transmits less than {limit}: at that force every part of the \
         contact slips, and the creepage could be any"
    )]
    Force {
        /// Prescribed force along x (0 if the creepage is prescribed).
        fx: f64,
        /// Prescribed force along y (0 if the creepage is prescribed).
        fy: f64,
        /// Its size.
        size: f64,
        /// μN on this grid.
        limit: f64,
    },
    /// Spin that turns the slip faster than elements can follow.
    #[error(
        "spin {spin} changes the rigid slip by {change:.3e} over one element, more than the {limit:.3e} that elastic \
         deformation of one element can take up: elements must be at most {element:.3e} long"
    )]
    Spin {
        /// The spin.
        spin: f64,
        /// |φ| times the greater side of an element.
        change: f64,
        /// K_self max(μp).
        limit: f64,
        /// Greatest element that resolves this spin.
        element: f64,
    },
    /// An iteration did not end.
    #[error("{what}: residual {residual:.3e} after {iterations} iterations, {tolerance:.1e} wanted")]
    NoConvergence {
        /// Which problem.
        what: &'static str,
        /// Residual reached.
        residual: f64,
        /// Residual wanted.
        tolerance: f64,
        /// Iterations made.
        iterations: usize,
    },
}

/// Forces nearer than this to μN, as a share of it, count as μN: the pressure is known no better.
pub(crate) const AT_LIMIT: f64 = 1e-8;

/// The error that a prescribed force is not below what friction transmits, if so.
pub(crate) fn below_limit(force: [f64; 2], limit: f64) -> Result<(), Error> {
    let size = force[0].hypot(force[1]);
    if size >= limit * (1.0 - AT_LIMIT) {
        return Err(Error::Force { fx: force[0], fy: force[1], size, limit });
    }
    Ok(())
}

/// The number, if it is positive and finite.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(Error::NotPositive { what, value }) }
}

/// The number, if it is finite.
pub(crate) fn finite(what: &'static str, value: f64) -> Result<f64, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite { what, value }) }
}
