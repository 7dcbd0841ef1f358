//! What can be wrong with a contact problem, each with its numbers, in SI units.

use stickslip_core::range::{OutOfRange, quantity};

/// Why a problem was refused or not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A number of the bodies is out of its range.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// A law of friction with numbers out of range.
    #[error(transparent)]
    Law(#[from] stickslip_core::law::LawError),
    /// A number that must be positive and finite is not.
    #[error("{what} = {}: it must be a finite number > 0", quantity(*value, unit))]
    NotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Its unit; empty if it has none.
        unit: &'static str,
    },
    /// A number is NaN or infinite.
    #[error("{what} = {}: it must be a finite number", quantity(*value, unit))]
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Its unit; empty if it has none.
        unit: &'static str,
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
        "the contact is {size:.3e} m {} but the elements are {element:.3e} m: {across:.2} of them {direction} it, and at least \
         {least} are needed", if *direction == "along" { "long" } else { "wide" }
    )]
    Coarse {
        /// `along` (the rolling direction) or `across`.
        direction: &'static str,
        /// Length or width of Hertz's contact \[m\].
        size: f64,
        /// Side of an element in that direction \[m\].
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
    #[error("the normal load {} is not positive: bodies in dry contact cannot pull on each other", quantity(*load, unit))]
    Load {
        /// The load.
        load: f64,
        /// Its unit: N, or N/m in line contact.
        unit: &'static str,
    },
    /// The approach leaves a gap everywhere.
    #[error(
        "no contact: the approach {} is not greater than the least undeformed distance {}",
        quantity(*approach, "m"), quantity(*least, "m")
    )]
    NoContact {
        /// The approach \[m\].
        approach: f64,
        /// Least undeformed distance on the grid \[m\].
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
        "the force ({}, {}) is {}, but friction transmits less than {}: at that force every part of the contact slips, and \
         the creepage could be any",
        quantity(*fx, unit), quantity(*fy, unit), quantity(*size, unit), quantity(*limit, unit)
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
        /// Unit of all four: N, or N/m in line contact.
        unit: &'static str,
    },
    /// Spin that turns the slip faster than elements can follow.
    #[error(
        "spin {} changes the rigid slip by {change:.3e}{length} over one element, more than the {limit:.3e}{length} that elastic \
         deformation of one element can take up: elements must be at most {element:.3e} m long",
        quantity(*spin, if *shifted { "rad" } else { "1/m" }), length = if *shifted { " m" } else { "" }
    )]
    Spin {
        /// The spin [1/m]; in a shift the angle \[rad\].
        spin: f64,
        /// |φ| times the greater side of an element; in a shift \[m\].
        change: f64,
        /// K_self max(μp); in a shift \[m\].
        limit: f64,
        /// Greatest element that resolves this spin \[m\].
        element: f64,
        /// Whether the bodies are shifted and do not roll.
        shifted: bool,
    },
    /// Nothing is known about the bodies beyond the edge of the contact.
    #[error(
        "transport with the leading edge needs the gap ahead of the contact, which comes with a pressure that was solved for: \
         this pressure was given; take the first or the second order"
    )]
    NoGap,
    /// The bodies part at the leading edge faster than smooth ones do.
    #[error(
        "at ({x:.3e} m, {y:.3e} m), one element ahead of the contact, the gap is {gap:.3e} m where a smooth edge opens by no \
         more than {opens:.3e} m: transport with the leading edge is for bodies without corners; take the first or the second \
         order, or smaller elements"
    )]
    SteepEdge {
        /// The element before the edge \[m\].
        x: f64,
        /// The same across \[m\].
        y: f64,
        /// Gap one element ahead \[m\].
        gap: f64,
        /// What a smooth edge opens over an element at these pressures \[m\].
        opens: f64,
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
pub(crate) fn below_limit(force: [f64; 2], limit: f64, unit: &'static str) -> Result<(), Error> {
    let size = force[0].hypot(force[1]);
    if size >= limit * (1.0 - AT_LIMIT) {
        return Err(Error::Force { fx: force[0], fy: force[1], size, limit, unit });
    }
    Ok(())
}

/// The number, if it is positive and finite.
pub(crate) fn positive(what: &'static str, value: f64, unit: &'static str) -> Result<f64, Error> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(Error::NotPositive { what, value, unit }) }
}

/// The number, if it is finite.
pub(crate) fn finite(what: &'static str, value: f64, unit: &'static str) -> Result<f64, Error> {
    if value.is_finite() { Ok(value) } else { Err(Error::NotFinite { what, value, unit }) }
}
