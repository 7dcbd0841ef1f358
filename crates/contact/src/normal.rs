//! The pressure between two bodies: where they touch and how hard.
//!
//! With h the undeformed distance, δ the approach and W the operator of Boussinesq ([`crate::influence`]), the gap is
//! g = h + W p − δ and the law is Signorini's, 0 ≤ p ⟂ g ≥ 0: the inclusion −g ∈ N_C(p) with C = Π [0, ∞). Either
//! δ or the load N = Σ p ΔxΔy is given.
//!
//! # Method
//! Conjugate gradients on the elements in contact with the gap's mean taken out when the load is given, elements that
//! pull leaving, elements that overlap entering (Polonsky and Keer 1999), from the solution on a grid of half the
//! fineness; products with W by the Fourier transform. The residual is max|p − Proj_C(p − g/w)|/max p, w the
//! influence of an element on itself.

mod gradients;

use rustfft::FftPlanner;

use crate::error::{Error, finite, positive};
use crate::grid::Grid;
use crate::material::Material;
use crate::progress::{Watch, unwatched};
use gradients::Gradients;
use stickslip_core::range::OutOfRange;

/// Distance of the bodies before they deform, up to a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Undeformed<'a> {
    /// h = x²/(2A) + y²/(2B), with the combined radii 1/A = 1/R₁ₓ + 1/R₂ₓ and so on; infinite for a straight line.
    Paraboloid {
        /// A, along x.
        a: f64,
        /// B, along y.
        b: f64,
    },
    /// h for every element of the grid, x running first.
    Table(&'a [f64]),
}

impl Undeformed<'_> {
    /// h at the centre of every element.
    fn table(&self, grid: &Grid) -> Result<Vec<f64>, Error> {
        match self {
            Undeformed::Paraboloid { a, b } => {
                for (what, radius) in [("combined radius A", *a), ("combined radius B", *b)] {
                    // Infinite is straight; NaN and a radius ≤ 0 are refused.
                    if radius != f64::INFINITY {
                        positive(what, radius, "m")?;
                    }
                }
                let height = |k| {
                    let (i, j) = grid.at(k);
                    let (x, y) = (grid.x(i), grid.y(j));
                    0.5 * (x * x / a + y * y / b)
                };
                Ok((0..grid.len()).map(height).collect())
            }
            Undeformed::Table(table) => {
                if table.len() != grid.len() {
                    let what = "the table of undeformed distances";
                    return Err(Error::Length { what, found: table.len(), wanted: grid.len() });
                }
                for h in *table {
                    finite("undeformed distance", *h, "m")?;
                }
                Ok(table.to_vec())
            }
        }
    }
}

/// What presses the bodies together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Load {
    /// The normal force N > 0 (per length in plane strain).
    Force(f64),
    /// The approach δ of the bodies. In plane strain it is counted from a reference distance and hardly useful.
    Approach(f64),
}

/// How far to go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Residual to reach. Default 1e-8.
    pub tolerance: f64,
    /// Iterations after which to give up. Default 1000.
    pub max_iterations: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { tolerance: 1e-8, max_iterations: 1000 }
    }
}

/// Two bodies pressed together: the pressure of every element.
#[derive(Debug, Clone, PartialEq)]
pub struct Contact {
    grid: Grid,
    material: Material,
    pressure: Vec<f64>,
    /// Gap of every element, if it was solved for.
    gap: Option<Vec<f64>>,
    /// Approach of the bodies δ; NaN is never in here, but a contact made of pressures has 0.
    pub approach: f64,
    /// Normal force N.
    pub load: f64,
    /// Residual reached; 0 if the pressure was given.
    pub residual: f64,
    /// Iterations on the given grid.
    pub iterations: usize,
}

impl Contact {
    /// Solves the normal problem.
    pub fn solve(
        grid: Grid,
        material: Material,
        undeformed: Undeformed,
        load: Load,
        settings: &Settings,
    ) -> Result<Contact, Error> {
        Contact::solve_watched(grid, material, undeformed, load, settings, &mut unwatched)
    }

    /// The same; `watch` is told of each iteration, and may break off.
    pub fn solve_watched(
        grid: Grid,
        material: Material,
        undeformed: Undeformed,
        load: Load,
        settings: &Settings,
        watch: Watch,
    ) -> Result<Contact, Error> {
        let contact = Contact::solve_anyhow(grid, material, undeformed, load, settings, watch)?;
        let sides = contact.cut_sides();
        if sides.is_empty() {
            return Ok(contact);
        }
        let advice = contact.advice(undeformed, load);
        Err(Error::CutContact { sides: sides.join(", "), advice })
    }

    /// A contact with a known pressure (≥ 0, zero outside), Hertz's for example.
    pub fn from_pressure(grid: Grid, material: Material, pressure: Vec<f64>) -> Result<Contact, Error> {
        if pressure.len() != grid.len() {
            return Err(Error::Length { what: "the pressure", found: pressure.len(), wanted: grid.len() });
        }
        for p in &pressure {
            if !(p.is_finite() && *p >= 0.0) {
                return Err(
                    OutOfRange { what: "pressure", value: *p, unit: "Pa", wanted: "a finite number ≥ 0" }.into()
                );
            }
        }
        let load = pressure.iter().sum::<f64>() * grid.area();
        if load <= 0.0 {
            return Err(Error::Load { load, unit: grid.force_unit() });
        }
        Ok(Contact { grid, material, pressure, gap: None, approach: 0.0, load, residual: 0.0, iterations: 0 })
    }

    fn solve_anyhow(
        grid: Grid,
        material: Material,
        undeformed: Undeformed,
        load: Load,
        settings: &Settings,
        watch: Watch,
    ) -> Result<Contact, Error> {
        let height = undeformed.table(&grid)?;
        positive("tolerance of the normal problem", settings.tolerance, "")?;
        match load {
            Load::Force(load) if !(load.is_finite() && load > 0.0) => {
                return Err(Error::Load { load, unit: grid.force_unit() });
            }
            Load::Approach(approach) => {
                finite("approach", approach, "m")?;
                let least = height.iter().copied().fold(f64::INFINITY, f64::min);
                if approach <= least {
                    return Err(Error::NoContact { approach, least });
                }
            }
            Load::Force(_) => {}
        }
        let mut planner = FftPlanner::new();
        let mut gradients = Gradients::new(&mut planner, grid, material, height, load, watch);
        let end = gradients.run(settings.tolerance, settings.max_iterations, watch);
        if end.residual > settings.tolerance || end.residual.is_nan() {
            return Err(Error::NoConvergence {
                what: "normal problem",
                residual: end.residual,
                tolerance: settings.tolerance,
                iterations: end.iterations,
            });
        }
        let (pressure, gap) = gradients.into_fields();
        let load = pressure.iter().sum::<f64>() * grid.area();
        Ok(Contact {
            grid,
            material,
            pressure,
            gap: Some(gap),
            approach: end.approach,
            load,
            residual: end.residual,
            iterations: end.iterations,
        })
    }

    /// The grid.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The bodies.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// p of every element, exactly 0.0 outside the contact.
    pub fn pressure(&self) -> &[f64] {
        &self.pressure
    }

    /// Distance of the deformed bodies at every element (in the contact 0 up to the residual), if the pressure was solved for.
    pub fn gap(&self) -> Option<&[f64]> {
        self.gap.as_deref()
    }

    /// Number of elements in contact.
    pub fn elements(&self) -> usize {
        self.pressure.iter().filter(|p| **p > 0.0).count()
    }

    /// First column and row of the smallest box around the contact, and its numbers of columns and rows.
    pub fn extent(&self) -> (usize, usize, usize, usize) {
        let (mut low, mut high) = ((usize::MAX, usize::MAX), (0, 0));
        for (k, _) in self.pressure.iter().enumerate().filter(|(_, p)| **p > 0.0) {
            let (i, j) = self.grid.at(k);
            low = (low.0.min(i), low.1.min(j));
            high = (high.0.max(i), high.1.max(j));
        }
        if low.0 == usize::MAX {
            return (0, 0, 0, 0);
        }
        (low.0, low.1, high.0 - low.0 + 1, high.1 - low.1 + 1)
    }

    /// Sides of the grid that the contact touches: it may go on beyond them.
    fn cut_sides(&self) -> Vec<&'static str> {
        let (i0, j0, nx, ny) = self.extent();
        let plane = self.grid.is_plane();
        let touched = [
            (i0 == 0, "−x"),
            (i0 + nx == self.grid.nx(), "+x"),
            (j0 == 0 && !plane, "−y"),
            (j0 + ny == self.grid.ny() && !plane, "+y"),
        ];
        touched.into_iter().filter(|(is, _)| *is).map(|(_, side)| side).collect()
    }

    /// The room that a cut contact needs: solved on coarse grids of twice, four times, … the size.
    fn advice(&self, undeformed: Undeformed, load: Load) -> String {
        let ends = |grid: &Grid, i0: usize, j0: usize, nx: usize, ny: usize| {
            let (hx, hy) = (0.5 * grid.dx(), 0.5 * grid.dy());
            [grid.x(i0) - hx, grid.x(i0 + nx - 1) + hx, grid.y(j0) - hy, grid.y(j0 + ny - 1) + hy]
        };
        let unknown = "extend it there; twice its length is on the safe side".to_string();
        if let Undeformed::Table(_) = undeformed {
            return unknown;
        }
        let coarse = Settings { tolerance: 1e-2, ..Settings::default() };
        for doubling in 1..8 {
            let [x0, x1, y0, y1] = ends(&self.grid, 0, 0, self.grid.nx(), self.grid.ny());
            let times = 0.5 * f64::from(1 << doubling);
            let (cx, hx) = (0.5 * (x0 + x1), times * (x1 - x0));
            let (cy, hy) = (0.5 * (y0 + y1), times * (y1 - y0));
            let n = 32;
            let (dx, dy) = (2.0 * hx / n as f64, 2.0 * hy / n as f64);
            let wide = if self.grid.is_plane() {
                Grid::line(n, hx + cx.abs())
            } else {
                Grid::new(n, n, dx, dy, cx - hx + 0.5 * dx, cy - hy + 0.5 * dy)
            };
            let solved =
                |grid| Contact::solve_anyhow(grid, self.material, undeformed, load, &coarse, &mut unwatched).ok();
            let Some(wide) = wide.ok().and_then(solved) else {
                return unknown;
            };
            if wide.cut_sides().is_empty() {
                let (i0, j0, nx, ny) = wide.extent();
                let [a0, a1, b0, b1] = ends(&wide.grid, i0, j0, nx, ny);
                // The contact of the coarse grid may be an element larger than that of any other.
                let (dx, dy) = (wide.grid.dx(), if self.grid.is_plane() { f64::INFINITY } else { wide.grid.dy() });
                if a0 + dx >= x0 && a1 - dx <= x1 && b0 + dy >= y0 && b1 - dy <= y1 {
                    return format!(
                        "{} × {} elements are too few for it to end within the grid: write more of them",
                        self.grid.nx(),
                        self.grid.ny()
                    );
                }
                let y = if self.grid.is_plane() { String::new() } else { format!(" and [{b0:.3e}, {b1:.3e}] m in y") };
                let have =
                    if self.grid.is_plane() { String::new() } else { format!(" in x and [{y0:.3e}, {y1:.3e}] m in y") };
                return format!(
                    "it covers [{x0:.3e}, {x1:.3e}] m{have}; enlarge it to at least [{a0:.3e}, {a1:.3e}] m in x{y}"
                );
            }
        }
        unknown
    }
}
