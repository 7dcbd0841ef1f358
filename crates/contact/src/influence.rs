//! Displacements of the surface of a half-space under a uniformly loaded element.
//!
//! With R² = X² + Y² and the element [−Δx/2, Δx/2] × [−Δy/2, Δy/2] loaded by unit tractions, the displacement
//! differences u = u₁ − u₂ of two bodies with combined G, ν ([`crate::material`]) at (x, y) on the surface are
//!
//! ```text
//! Boussinesq   w_zz = (1−ν)/(πG) ∫∫ 1/R                      (pressure, towards each other)
//! Cerruti      w_xx = 1/(πG) ∫∫ [(1−ν)/R + ν X²/R³]
//!              w_yy = 1/(πG) ∫∫ [(1−ν)/R + ν Y²/R³],    w_xy = w_yx = ν/(πG) ∫∫ XY/R³
//! ```
//!
//! Integrated over the element they are sums over its corners, of Y asinh(X/|Y|) for X²/R³, X asinh(Y/|X|) for
//! Y²/R³, their sum for 1/R, and −R for XY/R³. In plane strain (one row) the kernels are −ln(|X|/L) times
//! 2(1−ν)/(πG) (z and x) and 2/(πG) (y, antiplane); displacements are counted from the distance L.
//!
//! Source: Johnson, Contact Mechanics, sections 2.3, 3.2, 3.4, 3.6; the integrals are ours.

use std::f64::consts::PI;

use crate::grid::Grid;
use crate::material::Material;

/// Influence numbers at the distances (iΔx, jΔy), i = 0…mx, j = 0…my, as tables with i running first. w_xx, w_yy
/// and w_zz are even in i and j, w_xy is odd in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Influence {
    mx: usize,
    my: usize,
    /// w_xx, u_x for r_x.
    pub xx: Vec<f64>,
    /// w_yy, u_y for r_y.
    pub yy: Vec<f64>,
    /// w_xy, u_x for r_y and u_y for r_x.
    pub xy: Vec<f64>,
    /// w_zz, approach of the surfaces for p.
    pub zz: Vec<f64>,
}

impl Influence {
    /// The numbers for the elements of a grid up to the distances mxΔx, myΔy. In plane strain L = (mx + ½)Δx, so
    /// that all of them are positive.
    pub fn new(grid: &Grid, material: &Material, mx: usize, my: usize) -> Influence {
        if grid.is_plane() { Influence::line(grid, material, mx) } else { Influence::rectangle(grid, material, mx, my) }
    }

    fn rectangle(grid: &Grid, material: &Material, mx: usize, my: usize) -> Influence {
        let (nu, scale) = (material.poisson(), 1.0 / (PI * material.shear_modulus()));
        let width = mx + 2;
        // Primitives of X²/R³, Y²/R³ and XY/R³ at the corners ((i−½)Δx, (j−½)Δy).
        let mut corners = Vec::with_capacity(width * (my + 2));
        for j in 0..my + 2 {
            let y = (j as f64 - 0.5) * grid.dy();
            for i in 0..width {
                let x = (i as f64 - 0.5) * grid.dx();
                corners.push([y * (x / y.abs()).asinh(), x * (y / x.abs()).asinh(), -x.hypot(y)]);
            }
        }
        let n = (mx + 1) * (my + 1);
        let [mut xx, mut yy, mut xy, mut zz] = [(); 4].map(|()| Vec::with_capacity(n));
        for j in 0..=my {
            for i in 0..=mx {
                let [a, b] = [j * width + i, (j + 1) * width + i];
                let integral = |k: usize| corners[b + 1][k] - corners[b][k] - corners[a + 1][k] + corners[a][k];
                let (jxx, jyy) = (integral(0), integral(1));
                xx.push(scale * (jxx + (1.0 - nu) * jyy));
                yy.push(scale * (jyy + (1.0 - nu) * jxx));
                zz.push(scale * (1.0 - nu) * (jxx + jyy));
                // Odd: exactly zero on the axes.
                xy.push(if i == 0 || j == 0 { 0.0 } else { scale * nu * integral(2) });
            }
        }
        Influence { mx, my, xx, yy, xy, zz }
    }

    fn line(grid: &Grid, material: &Material, mx: usize) -> Influence {
        let length = (mx as f64 + 0.5) * grid.dx();
        // −∫ ln(|X|/L) dX, odd in X.
        let primitive = |x: f64| x - x * (x.abs() / length).ln();
        let plain: Vec<f64> = (0..=mx)
            .map(|i| primitive((i as f64 + 0.5) * grid.dx()) - primitive((i as f64 - 0.5) * grid.dx()))
            .collect();
        let scale = 2.0 / (PI * material.shear_modulus());
        let in_plane: Vec<f64> = plain.iter().map(|w| scale * (1.0 - material.poisson()) * w).collect();
        let yy = plain.iter().map(|w| scale * w).collect();
        Influence { mx, my: 0, zz: in_plane.clone(), xx: in_plane, yy, xy: vec![0.0; mx + 1] }
    }

    /// Number of the entry at the distance (iΔx, jΔy).
    pub fn index(&self, i: usize, j: usize) -> usize {
        i + j * (self.mx + 1)
    }

    /// Greatest i and j.
    pub fn reach(&self) -> (usize, usize) {
        (self.mx, self.my)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(nu: f64) -> Influence {
        let grid = Grid::new(4, 4, 0.7, 0.3, 0.0, 0.0).expect("valid");
        Influence::new(&grid, &Material::new(1.7, nu).expect("valid"), 5, 4)
    }

    /// Against numerical integration by the midpoint rule, away from the singularity: error O(h²) with 400 cells
    /// per side is below 1e-5.
    #[test]
    fn integrals_agree_with_the_midpoint_rule() {
        let nu = 0.31;
        let w = numbers(nu);
        for (i, j) in [(1, 0), (0, 2), (2, 1), (5, 4), (1, 1)] {
            let (x, y) = (i as f64 * 0.7, j as f64 * 0.3);
            let n = 400;
            let mut sums = [0.0; 4];
            for a in 0..n {
                for b in 0..n {
                    let dx = x - 0.7 * ((a as f64 + 0.5) / n as f64 - 0.5);
                    let dy = y - 0.3 * ((b as f64 + 0.5) / n as f64 - 0.5);
                    let r = dx.hypot(dy);
                    let cell = 0.7 * 0.3 / (n * n) as f64 / (PI * 1.7);
                    sums[0] += cell * ((1.0 - nu) / r + nu * dx * dx / r.powi(3));
                    sums[1] += cell * ((1.0 - nu) / r + nu * dy * dy / r.powi(3));
                    sums[2] += cell * nu * dx * dy / r.powi(3);
                    sums[3] += cell * (1.0 - nu) / r;
                }
            }
            let at = w.index(i, j);
            for (ours, theirs) in [w.xx[at], w.yy[at], w.xy[at], w.zz[at]].into_iter().zip(sums) {
                assert!((ours - theirs).abs() < 1e-5 * w.zz[at], "({i}, {j}): {ours} {theirs}");
            }
        }
    }

    /// Centre of a square under unit pressure: 4 L asinh(1) (1−ν)/(πG) (Johnson, 3.26 with half-sides L/2).
    #[test]
    fn centre_of_a_square() {
        let grid = Grid::new(1, 1, 2.0, 2.0, 0.0, 0.0).expect("valid");
        let w = Influence::new(&grid, &Material::new(1.0, 0.0).expect("valid"), 1, 1);
        assert!((w.zz[0] - 8.0 * 1.0_f64.asinh() / PI).abs() < 1e-14);
    }

    /// Far away an element is a point force.
    #[test]
    fn far_field_is_a_point_force() {
        let grid = Grid::new(1, 1, 1.0, 1.0, 0.0, 0.0).expect("valid");
        let w = Influence::new(&grid, &Material::new(1.0, 0.25).expect("valid"), 300, 400);
        let at = w.index(300, 400);
        for (ours, point) in [
            (w.xx[at], 0.75 / 500.0 + 0.25 * 9e4 / 1.25e8),
            (w.yy[at], 0.75 / 500.0 + 0.25 * 1.6e5 / 1.25e8),
            (w.xy[at], 0.25 * 1.2e5 / 1.25e8),
        ] {
            // The next term of the expansion is of relative order 1/(24·500²); corners cancel 6 digits.
            assert!((ours * PI / point - 1.0).abs() < 1e-6, "{ours} {point}");
        }
    }

    /// The line is a rectangle that is very long: differences of displacement agree.
    #[test]
    fn plane_strain_is_the_limit_of_long_elements() {
        let material = Material::new(1.0, 0.3).expect("valid");
        let line = Influence::new(&Grid::line(8, 4.0).expect("valid"), &material, 8, 0);
        let long = Influence::new(&Grid::new(8, 1, 1.0, 1e6, 0.0, 0.0).expect("valid"), &material, 8, 0);
        for i in 1..8 {
            let pairs = [(&line.xx, &long.xx), (&line.yy, &long.yy), (&line.zz, &long.zz)];
            for (a, b) in pairs {
                assert!(((a[0] - a[i]) - (b[0] - b[i])).abs() < 1e-8);
            }
        }
    }
}
