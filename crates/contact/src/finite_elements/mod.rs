//! Rolling contact of bodies made of finite elements.
//!
//! Two bodies, condensed to the nodes on which they may touch ([`stickslip_elastic`]), have nodes at equal places (x, y).
//! With F_n ≥ 0 the nodal force that presses body 1 up, F_t the tangential one on body 1, and W = W₁ + W₂ in one frame,
//!
//! ```text
//! [u_t] = W_tt F_t + W_tn F_n,            g = g₀ + W_nn F_n + W_nt F_t − δ
//! normal:      0 ≤ F_n ⟂ g ≥ 0,           Σ F_n = P or δ given
//! tangential:  s = s₀ + D[u_t],  −s ∈ N_C(F_t),  C = Π disk(μ F_n)
//! ```
//!
//! D is an upwind difference towards the leading edge at +x. Rows are slips and columns nodal *forces*, so that F·s is power and
//! the operator D W is monotone at first order on any reasonable spacing. Mirror images have W_tn = 0 exactly; other bodies are solved by
//! turns, normal with F_t frozen and tangential with F_n frozen (Panagiotopoulos), which contracts.
//!
//! # The leading edge
//! Nearly all of the error of upwinding is made in the row of the leading node: its difference spans a cell of which only a part is
//! in contact. What it misses follows from the gap at the node ahead, as on half-spaces ([`crate::edge`]), with nodal forces in
//! the place of pressures; [`Transport::Edge`] adds it. Rigid slip then is taken at x + h/2, the middle of the difference; the
//! plain orders take it at x + h/6, which makes up for the missing term.
//!
//! | room | content |
//! |---|---|
//! | `surface.rs` | places of the nodes, rows along x |
//! | `pair.rs` | W of both bodies |
//! | `normal.rs` | F_n and δ; the ellipse fitted to the pressure |
//! | `rolling.rs` | F_t; transports; both by turns; free rolling |
//! | `transient/` | rolling step by step, with the bodies' compliance or without; energy |
//! | [`case`] | from the data of a scenario to bodies and W |
//! | `outcome.rs` | from W to tractions, on a regular grid |

pub mod case;
mod failure;
mod normal;
mod outcome;
mod pair;
mod rolling;
mod surface;
mod transient;

pub use normal::{Fitted, Normal};
pub use pair::Pair;
pub use rolling::{Rolled, Rolling, Transport};
pub use stickslip_core::inclusion::monotone::Way;
pub use surface::{Row, Surface, SurfaceError};
pub use transient::{Reach, STRIDES, Structure, Transient};

/// What presses the bodies together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pressing {
    /// The load P \[N\], or per width \[N/m\].
    Load(f64),
    /// The approach δ of hub and base \[m\].
    Approach(f64),
}

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RollError {
    /// The bodies do not touch.
    #[error(
        "the bodies do not touch: at this approach the smallest gap is {gap:.3e} m; give a greater approach, or a load"
    )]
    NoContact {
        /// Smallest gap.
        gap: f64,
    },
    /// The contact reaches the margin of the nodes that may touch.
    #[error(
        "the contact leaves the fine zone at x = {:.3e} m, y = {:.3e} m: two nodes around it must stay free; make the fine zone \
         longer, or the load smaller", place[0], place[1]
    )]
    Margin {
        /// A loaded node on the margin.
        place: [f64; 2],
    },
    /// Too few nodes touch.
    #[error("only {nodes} nodes touch along x: at least {least} are needed; take more elements across")]
    Coarse {
        /// Nodes in the longest row.
        nodes: usize,
        /// Nodes needed.
        least: usize,
    },
    /// The pressure was not found.
    #[error("the pressure was not found: {changes} nodes still change after {rounds} rounds")]
    Pressure {
        /// Nodes that entered or left in the last round.
        changes: usize,
        /// Rounds made.
        rounds: usize,
    },
    /// The tractions were not found.
    #[error("the tractions were not found: {0}")]
    Tractions(#[from] stickslip_core::inclusion::monotone::NotReached),
    /// Pressure and tractions did not settle.
    #[error(
        "pressure and tractions did not settle: they still change by {change:.1e} of the load after {rounds} turns"
    )]
    Turns {
        /// Change of the last turn over the load.
        change: f64,
        /// Turns made.
        rounds: usize,
    },
    /// A number cannot be.
    #[error("{what} = {value}: {wanted}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// The creepage that belongs to a force was not found.
    #[error("no creepage was found for the force asked for: at {creepage:e} it is {share:.3e} of μN off")]
    NotFound {
        /// Last creepage tried.
        creepage: f64,
        /// Force left over.
        share: f64,
    },
    /// Compliance in W and in a structure.
    #[error(
        "the bodies' compliance from hub to surface is counted twice: in the whole compliance and in the structure"
    )]
    Twice,
    /// Spin that turns the slip faster than the cells can follow.
    #[error(
        "a spin of {spin} rad/m changes the slip by more within a cell than elasticity takes up: at most {limit:.3} rad/m on this mesh; take more elements across, or less spin"
    )]
    Spin {
        /// The spin.
        spin: f64,
        /// The greatest that the mesh resolves.
        limit: f64,
    },
    /// More force than friction transmits.
    #[error("a force of {share:.4} μN is asked for: friction transmits less than μN")]
    TooMuch {
        /// Its size over μP.
        share: f64,
    },
}
