//! Convolutions against direct sums.

use super::*;
use crate::grid::Grid;
use crate::material::Material;

/// Both convolutions against direct sums, on boxes of odd and even sizes; agreement to rounding.
#[test]
fn convolutions_equal_direct_sums() {
    let mut planner = FftPlanner::new();
    for (nx, ny) in [(5, 4), (6, 7), (9, 1), (1, 3)] {
        let mut plane = Plane::new(&mut planner, nx, ny);
        let grid = Grid::new(nx, ny, 0.3, 0.4, 0.0, 0.0).expect("valid");
        let w = Influence::new(&grid, &Material::new(2.0, 0.3).expect("valid"), plane.px / 2, plane.py / 2);
        let [xx, yy] = plane.symbols(&w, &w.xx, &w.yy, false);
        let [xy, none] = plane.symbols(&w, &w.xy, &vec![0.0; w.xy.len()], true);
        let [zz, _] = plane.symbols(&w, &w.zz, &w.zz, false);
        assert!(none.iter().all(|v| v.abs() < 1e-12));
        let a: Vec<f64> = (0..nx * ny).map(|k| (k as f64 * 1.7).sin()).collect();
        let b: Vec<f64> = (0..nx * ny).map(|k| (k as f64 * 0.9).cos()).collect();
        plane.load(&a, &b);
        let py = plane.py;
        plane.vector(|k, u, v| {
            for j in 0..py {
                let (p, q, at) = (u[j], v[j], k * py + j);
                u[j] = p * xx[at] + q * xy[at];
                v[j] = p * xy[at] + q * yy[at];
            }
        });
        let mut normal = vec![0.0; nx * ny];
        let vector: Vec<C> = (0..nx * ny).map(|k| plane.row(k / nx)[k % nx]).collect();
        plane.scalar(&a, &zz, &mut normal);
        for k in 0..nx * ny {
            let (mut ux, mut uy, mut uz) = (0.0, 0.0, 0.0);
            for l in 0..nx * ny {
                let (di, dj) = ((k % nx) as i64 - (l % nx) as i64, (k / nx) as i64 - (l / nx) as i64);
                let at = w.index(di.unsigned_abs() as usize, dj.unsigned_abs() as usize);
                let sign = (di.signum() * dj.signum()) as f64;
                ux += w.xx[at] * a[l] + sign * w.xy[at] * b[l];
                uy += w.yy[at] * b[l] + sign * w.xy[at] * a[l];
                uz += w.zz[at] * a[l];
            }
            assert!((vector[k].re - ux).abs() < 1e-13 && (vector[k].im - uy).abs() < 1e-13);
            assert!((normal[k] - uz).abs() < 1e-13, "{nx} {ny} {k}: {} {uz}", normal[k]);
        }
    }
}

/// The periodic influence operator stays positive: the splitting needs it.
#[test]
fn periodic_influence_is_positive() {
    let mut planner = FftPlanner::new();
    for (nx, ny, dx, dy, nu) in
        [(10, 10, 1.0, 1.0, 0.3), (20, 7, 1.0, 1.0, 0.5), (8, 30, 0.2, 1.0, 0.5), (30, 8, 0.1, 1.0, 0.0)]
    {
        let plane = Plane::new(&mut planner, nx, ny);
        let grid = Grid::new(nx, ny, dx, dy, 0.0, 0.0).expect("valid");
        let w = Influence::new(&grid, &Material::new(1.0, nu).expect("valid"), plane.px / 2, plane.py / 2);
        let [xx, yy] = plane.symbols(&w, &w.xx, &w.yy, false);
        let [xy, _] = plane.symbols(&w, &w.xy, &vec![0.0; w.xy.len()], true);
        for k in 0..plane.modes() {
            let least = 0.5 * (xx[k] + yy[k]) - (0.5 * (xx[k] - yy[k])).hypot(xy[k]);
            assert!(least > 0.0, "{nx} {ny} {nu}: {least} {} {} {}", xx[k], yy[k], xy[k]);
        }
    }
}
