//! Elastic bodies by finite elements, reduced to the nodes on which contact forces act.
//!
//! # The problem
//! A linear elastic body is clamped at some nodes and loaded by forces f on the nodes of a contact surface. With K its
//! stiffness, c the unknowns on that surface and i all others that are free,
//!
//! ```text
//! S = K_cc − K_ci K_ii⁻¹ K_ic,      u_c = W f,   W = S⁻¹
//! ```
//!
//! W is all that a contact needs. It is found by eliminating the unknowns in the order of a nested dissection, contact
//! unknowns last, front after front ([`condense`](mod@condense)); displacements and stresses inside follow from u_c by going back
//! ([`Condensed::displacements`], [`stress`]).
//!
//! # Frame and units
//! x: rolling direction, y: across, z: up. Plane bodies (plane strain) lie in y = 0 and have the unknowns (u_x, u_z) per
//! node and forces per metre of width; others have (u_x, u_y, u_z). Any consistent units do; errors are told in metres.
//!
//! # Rooms
//! * [`mesh`] – nodes and elements; graded meshes of discs, crowned wheels and blocks; meshes of Gmsh,
//! * [`element`] – triangles, quadrilaterals, tetrahedra, pyramids, hexahedra: stiffness, strain, mass,
//! * [`dissection`] – the order of elimination,
//! * [`condense`](mod@condense) – W and the way back inside; [`cache`] – kept on disk,
//! * [`modes`](mod@modes) – vibration: the lowest modes, none missed,
//! * [`stress`] – stresses in the elements.

pub mod cache;
pub mod condense;
pub mod dissection;
pub mod element;
mod fronts;
pub mod mesh;
pub mod modes;
pub mod stress;

pub use condense::{CondenseError, Condensed, Cost, condense};
pub use mesh::{Body, Kind, Mesh, MeshError};
