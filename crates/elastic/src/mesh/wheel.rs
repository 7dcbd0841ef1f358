//! Railway wheels: a rim, a web and a hub that holds them.

use std::f64::consts::{PI, TAU};

use super::{Body, Kind, Mesh, MeshError};

/// Cells around a wheel at least: fewer are no circle.
pub const LEAST_AROUND: usize = 12;

/// Cells across a wheel at least: two beside the contact, and one on either side of these.
pub const LEAST_ACROSS: usize = 4;

/// A wheel with its axis along y at z = R, that touches z = 0 from above at x = 0; clamped where its web ends, at the hub.
///
/// Its section is symmetric: a rim of constant width, a web of constant thickness, and between them a slope. Cells are
/// hexahedra, the same all around, and as many across the web as across the rim.
#[derive(Debug, Clone, PartialEq)]
pub struct Wheel {
    /// Radius R of the tread \[m\].
    pub radius: f64,
    /// Width of the rim \[m\].
    pub width: f64,
    /// Thickness of the rim, from the tread inwards \[m\].
    pub rim: f64,
    /// Thickness of the web, along the axis \[m\].
    pub web: f64,
    /// Radius at which the web ends in a hub that does not move \[m\].
    pub hub: f64,
    /// Where it touches, along the axis from the middle of the tread \[m\].
    pub offset: f64,
    /// Cells around, across, and from tread to hub through the rim, the slope and the web.
    pub cells: [usize; 5],
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

/// A wheel as a mesh, and where it touches.
#[derive(Debug, Clone, PartialEq)]
pub struct WheelMesh {
    /// The body; its one contact node is in the middle of where it touches.
    pub body: Body,
    /// A unit force, spread evenly over the four cells around the contact node: nodes and shares.
    pub patch: Vec<(u32, f64)>,
    /// Sides of those four cells together, along x and y \[m\].
    pub sides: [f64; 2],
    /// Angles around, places across, depths: nodes of the body stand in this order, the last running fastest.
    pub grid: [usize; 3],
}

impl Wheel {
    /// The wheel as a mesh.
    pub fn mesh(&self) -> Result<WheelMesh, MeshError> {
        self.check()?;
        let [around, across, ..] = self.cells;
        let (sections, places) = (self.sections(), self.across());
        let (ny, nd) = (across + 1, sections.len());
        let at = |i: usize, j: usize, k: usize| (((i % around) * ny + j) * nd + k) as u32;
        let mut nodes = Vec::with_capacity(around * ny * nd);
        for i in 0..around {
            let (sin, cos) = (TAU * i as f64 / around as f64).sin_cos();
            for share in &places {
                nodes.extend(sections.iter().map(|[r, half]| [r * sin, share * half, self.radius - r * cos]));
            }
        }
        let mut mesh = Mesh::with_nodes(nodes);
        for i in 0..around {
            for j in 0..across {
                for k in 0..nd - 1 {
                    let face = |k| [at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k)];
                    let (lower, upper) = (face(k), face(k + 1));
                    mesh.push(
                        Kind::Hexahedron,
                        &[lower[0], lower[1], lower[2], lower[3], upper[0], upper[1], upper[2], upper[3]],
                    );
                }
            }
        }
        let clamped = (0..around * ny).map(|column| (column * nd + nd - 1) as u32).collect();
        let middle = self.contact_line();
        let mut patch = Vec::with_capacity(9);
        for (along, i) in [(0.25, around - 1), (0.5, 0), (0.25, 1)] {
            for (share, j) in [(0.25, middle - 1), (0.5, middle), (0.25, middle + 1)] {
                patch.push((at(i, j, 0), along * share));
            }
        }
        // Chords of the circle, as the cells have them.
        let along = 4.0 * self.radius * (PI / around as f64).sin();
        let contact = vec![at(0, middle, 0)];
        let body = Body { mesh, young: self.young, poisson: self.poisson, clamped, contact };
        Ok(WheelMesh { body, patch, sides: [along, 2.0 * self.beside()], grid: [around, ny, nd] })
    }

    /// Size across of the two cells beside the contact, equal so that an even pressure has its middle there \[m\].
    fn beside(&self) -> f64 {
        (self.width / self.cells[1] as f64).min(0.5 * (0.5 * self.width - self.offset.abs()))
    }

    /// Line across of the cells on which the contact lies: two cells on either side at least.
    fn contact_line(&self) -> usize {
        let others = self.cells[1] - 2;
        let (half, beside) = (0.5 * self.width, self.beside());
        let (left, right) = (half + self.offset - beside, half - self.offset - beside);
        let count = (others as f64 * left / (left + right)).round() as usize;
        count.clamp(1, others - 1) + 1
    }

    /// Places across from −1 to 1, with the contact on one of them.
    fn across(&self) -> Vec<f64> {
        let (cells, line) = (self.cells[1], self.contact_line());
        let half = 0.5 * self.width;
        let (at, beside) = (self.offset / half, self.beside() / half);
        let (left, right) = (line - 1, cells - line - 1);
        let low = (0..=left).map(|j| -1.0 + (at - beside + 1.0) * j as f64 / left as f64);
        let high = (0..=right).map(|j| 1.0 - (1.0 - at - beside) * (right - j) as f64 / right as f64);
        low.chain([at]).chain(high).collect()
    }

    /// (Radius, half width) from the tread to the hub.
    fn sections(&self) -> Vec<[f64; 2]> {
        let [_, _, rim, slope, web] = self.cells;
        let (inner, half, thin) = (self.radius - self.rim, 0.5 * self.width, 0.5 * self.web);
        let end = inner - self.slope();
        let mut all = vec![[self.radius, half]];
        let mut piece = |cells: usize, from: [f64; 2], to: [f64; 2]| {
            for k in 1..=cells {
                let share = k as f64 / cells as f64;
                all.push([0, 1].map(|d| if k == cells { to[d] } else { from[d] + (to[d] - from[d]) * share }));
            }
        };
        piece(rim, [self.radius, half], [inner, half]);
        piece(slope, [inner, half], [end, thin]);
        piece(web, [end, thin], [self.hub, thin]);
        all
    }

    /// Length of the slope between rim and web, along the radius: 45°, but at least a tenth and at most a third of the way to the hub.
    fn slope(&self) -> f64 {
        let way = self.radius - self.rim - self.hub;
        (0.5 * (self.width - self.web)).clamp(0.1 * way, way / 3.0)
    }

    fn check(&self) -> Result<(), MeshError> {
        let bad = |what, value, wanted: String| Err(MeshError::Number { what, value, wanted });
        for (what, value) in [
            ("radius of the wheel", self.radius),
            ("width of the rim", self.width),
            ("thickness of the rim", self.rim),
            ("thickness of the web", self.web),
            ("radius of the hub", self.hub),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return bad(what, value, "it must be a finite number > 0".into());
            }
        }
        if self.hub >= self.radius - self.rim {
            let wanted =
                format!("there must be a web between it and the rim, which ends at {} m", self.radius - self.rim);
            return bad("radius of the hub", self.hub, wanted);
        }
        if self.web > self.width {
            return bad("thickness of the web", self.web, "it must be at most the width of the rim".into());
        }
        if !(self.offset.is_finite() && self.offset.abs() < 0.5 * self.width) {
            return bad("offset of the contact", self.offset, "it must lie on the tread, within half its width".into());
        }
        let least = [LEAST_AROUND, LEAST_ACROSS, 1, 1, 1];
        let names = [
            "cells around the wheel",
            "cells across the wheel",
            "cells through the rim",
            "cells between rim and web",
            "cells along the web",
        ];
        for ((cells, least), what) in self.cells.into_iter().zip(least).zip(names) {
            if cells < least {
                return bad(what, cells as f64, format!("at least {least} are needed"));
            }
        }
        Ok(())
    }
}

/// Static compliance of an elastic half-space under a normal force that is spread evenly over a rectangle, as its mean displacement there
/// over the force [m/N]: (1 − ν²)/(πE) times the mean of 1/r over all pairs of its points.
pub fn half_space_compliance(sides: [f64; 2], young: f64, poisson: f64) -> f64 {
    let [a, b] = sides;
    let mean = 2.0 / (a * b).powi(2)
        * (a * a * b * (b / a).asinh() + a * b * b * (a / b).asinh() + (a.powi(3) + b.powi(3)) / 3.0
            - (a * a + b * b).powf(1.5) / 3.0);
    (1.0 - poisson * poisson) / (PI * young) * mean
}
