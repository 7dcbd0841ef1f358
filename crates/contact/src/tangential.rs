//! Tractions and slips of two bodies that roll, or are shifted, over each other.
//!
//! On every element of the contact, with r the traction on body 1 and s the slip of body 1 over body 2,
//!
//! ```text
//! s = K r + b,   −s ∈ N_C(r),   C = Π disk(μp)
//! ```
//!
//! | problem | b | K r |
//! |---|---|---|
//! | [`Steady`], first order | (ξ − φy, η + φ(x + Δx/6)) | (u(x) − u(x+Δx))/Δx, u = W r |
//! | [`Steady`], second order | the same | (3u(x) − 4u(x+Δx) + u(x+2Δx))/(2Δx) |
//! | [`Steady`], edge | (ξ − φy, η + φ(x + Δx/2)) | first order + E r on the elements before the leading edge ([`crate::edge`]) |
//! | [`Transient::step`] | the same − u_last(x+Δx)/Δx | u(x)/Δx |
//! | [`Transient::shift`] | the shift | u(x) |
//!
//! The leading edge is at +x: material comes from there, so differences are taken against elements further ahead, and
//! the operator is monotone at either order. Total forces may be prescribed instead of creepages, each by itself.
//!
//! Friction may depend on the slip speed of each element, μ(V|s|), by any [`stickslip_core::law::Coefficient`]
//! ([`Steady::with_law`], [`Transient::with_law`]): the disks then belong to the slip that comes out.
//!
//! A difference over one element is the slip in its middle: slips of the first order, of the edge and of steps belong half an
//! element ahead of the centres ([`Solution::slip_ahead`]).
//!
//! The residual of a result is max|r − Proj_C(r − ρs)|/(max|r| + min(ρ max|b|, max μp)) with ρ = 1/K_self, K_self the
//! influence of an element on its own slip.

mod falling;
mod leading;
mod level;
mod loops;
mod operator;
mod problem;
mod solution;
mod splitting;
mod steady;
mod totals;
mod transient;

pub use solution::{Solution, Status};
pub use steady::Steady;
pub use transient::Transient;

/// One component of the relative motion: known, or to be found from the force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// Creepage (in a shift: the distance shifted).
    Creepage(f64),
    /// Total force on body 1, opposite in sign to the creepage it belongs to.
    Force(f64),
}

/// Relative motion of the bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Along x, the rolling direction: ξ or F_x.
    pub x: Drive,
    /// Along y: η or F_y.
    pub y: Drive,
    /// Spin φ, 1/length (in a shift: the angle turned).
    pub spin: f64,
}

impl Motion {
    /// Known creepages.
    pub fn creepage(xi: f64, eta: f64, spin: f64) -> Motion {
        Motion { x: Drive::Creepage(xi), y: Drive::Creepage(eta), spin }
    }

    /// Known total forces on body 1.
    pub fn force(fx: f64, fy: f64, spin: f64) -> Motion {
        Motion { x: Drive::Force(fx), y: Drive::Force(fy), spin }
    }
}

/// Order of the transport of displacements through the contact in steady rolling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Transport {
    /// First order, as in CONTACT.
    First,
    /// Second order: as accurate as the first with four times its elements along x.
    Second,
    /// First order with what a difference across the leading edge misses, see [`crate::edge`]: the most accurate, and as easily
    /// solved as the first. For pressures that were solved for.
    #[default]
    Edge,
}

/// How to discretise and how far to go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Order of the transport. Default: with the leading edge.
    pub transport: Transport,
    /// Where rigid slip is evaluated, in elements ahead of the centre. Default: where the transport wants it, 1/6, or 1/2 with
    /// the edge.
    pub slip_point: Option<f64>,
    /// Residual to reach. Default 1e-8.
    pub tolerance: f64,
    /// Iterations after which to give up. Default 5000.
    pub max_iterations: usize,
}

impl Settings {
    /// Where rigid slip is evaluated. The middle of the difference, 1/2, is exact where elements stick; 1/6 makes up for a part
    /// of what the other orders miss at the leading edge.
    pub(crate) fn slip_point(&self) -> f64 {
        self.slip_point.unwrap_or(if self.transport == Transport::Edge { 0.5 } else { 1.0 / 6.0 })
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { transport: Transport::default(), slip_point: None, tolerance: 1e-8, max_iterations: 5000 }
    }
}
