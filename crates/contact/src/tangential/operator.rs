//! K: how tractions change slips.

use rustfft::FftPlanner;

use crate::fourier::{C, Plane};
use crate::grid::Grid;
use crate::influence::Influence;
use crate::material::Material;

/// What happens to elastic displacements u = W r.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SlipOperator {
    /// They are the slip, K = W: a shift, or one step of transient rolling.
    Fixed,
    /// Steady rolling, K r = (u(x) − u(x+Δx))/Δx.
    First,
    /// Steady rolling, K r = (3u(x) − 4u(x+Δx) + u(x+2Δx))/(2Δx).
    Second,
    /// Steady rolling of first order; what the leading edge adds is in [`super::leading`].
    Edge,
}

impl SlipOperator {
    /// That of coarser grids, which give first tractions only: the edge is left out where it is not resolved.
    pub(super) fn coarser(self) -> SlipOperator {
        if self == SlipOperator::Edge { SlipOperator::Second } else { self }
    }

    /// Its factor in Fourier space, for the shift e^{iθ} by one element. Its real part is never negative.
    fn symbol(self, shift: C, dx: f64) -> C {
        match self {
            SlipOperator::Fixed => C::new(1.0, 0.0),
            SlipOperator::First | SlipOperator::Edge => (C::new(1.0, 0.0) - shift) / dx,
            SlipOperator::Second => (C::new(3.0, 0.0) - shift * 4.0 + shift * shift) / (2.0 * dx),
        }
    }

    /// Its value on influence numbers at the distances 0, Δx, 2Δx: the influence of an element on itself.
    fn own(self, w: [f64; 3], dx: f64) -> f64 {
        match self {
            SlipOperator::Fixed => w[0],
            SlipOperator::First | SlipOperator::Edge => (w[0] - w[1]) / dx,
            SlipOperator::Second => (3.0 * w[0] - 4.0 * w[1] + w[2]) / (2.0 * dx),
        }
    }
}

/// K on a box of elements, diagonal in Fourier space but for 2 × 2 blocks.
pub(super) struct Operator {
    pub plane: Plane,
    xx: Vec<f64>,
    yy: Vec<f64>,
    xy: Vec<f64>,
    carriage: Vec<C>,
    /// K_self: the greater of an element's influences on itself along x and y.
    pub own: f64,
}

impl Operator {
    pub(super) fn new(
        planner: &mut FftPlanner<f64>,
        grid: &Grid,
        material: &Material,
        carriage: SlipOperator,
    ) -> Operator {
        let plane = Plane::new(planner, grid.nx(), grid.ny());
        let w = Influence::new(grid, material, plane.px / 2, plane.py / 2);
        let [xx, yy] = plane.symbols(&w, &w.xx, &w.yy, false);
        let [xy, _] = plane.symbols(&w, &w.xy, &w.xy, true);
        let own = |table: &[f64]| {
            let at = |i: usize| table[w.index(i.min(w.reach().0), 0)];
            carriage.own([at(0), at(1), at(2)], grid.dx())
        };
        let own = own(&w.xx).max(own(&w.yy));
        let carriage = (0..plane.half()).map(|k| carriage.symbol(plane.shift(k), grid.dx())).collect();
        Operator { plane, xx, yy, xy, carriage, own }
    }

    /// Puts K r (or what `change` makes of r̂ and K̂r̂ in its stead) of the box into the rows of the plane.
    fn pass(&mut self, rx: &[f64], ry: &[f64], mut change: impl FnMut(usize, [C; 2], [C; 2]) -> [C; 2]) {
        self.plane.load(rx, ry);
        let (xx, yy, xy, carriage, py) = (&self.xx, &self.yy, &self.xy, &self.carriage, self.plane.py);
        self.plane.vector(|k, a, b| {
            let at = k * py..(k + 1) * py;
            let (xx, yy, xy) = (&xx[at.clone()], &yy[at.clone()], &xy[at]);
            for j in 0..py {
                let r = [a[j], b[j]];
                let carried =
                    [carriage[k] * (r[0] * xx[j] + r[1] * xy[j]), carriage[k] * (r[0] * xy[j] + r[1] * yy[j])];
                [a[j], b[j]] = change(2 * k * py + j, r, carried);
            }
        });
    }

    /// s = K r on the box.
    pub(super) fn apply(&mut self, rx: &[f64], ry: &[f64], sx: &mut [f64], sy: &mut [f64]) {
        self.pass(rx, ry, |_, _, carried| carried);
        self.unload(0, sx, sy);
    }

    /// K r on the box moved by one element towards +x.
    pub(super) fn apply_ahead(&mut self, rx: &[f64], ry: &[f64], sx: &mut [f64], sy: &mut [f64]) {
        self.pass(rx, ry, |_, _, carried| carried);
        self.unload(1, sx, sy);
    }

    /// w = r − ρ K r, on the box and in Fourier space (columns of both components in turn).
    pub(super) fn reflect(&mut self, rho: f64, r: [&[f64]; 2], box_: [&mut [f64]; 2], modes: &mut [C]) {
        let py = self.plane.py;
        self.pass(r[0], r[1], |at, r, carried| {
            let w = [r[0] - carried[0] * rho, r[1] - carried[1] * rho];
            [modes[at], modes[at + py]] = w;
            w
        });
        let [x, y] = box_;
        self.unload(0, x, y);
    }

    /// Copies the box, moved by some elements towards +x, out of the rows.
    pub(super) fn unload(&self, ahead: usize, x: &mut [f64], y: &mut [f64]) {
        let nx = self.plane.nx;
        for (j, (x, y)) in x.chunks_exact_mut(nx).zip(y.chunks_exact_mut(nx)).enumerate() {
            for ((v, x), y) in self.plane.row(j)[ahead..].iter().zip(x).zip(y) {
                (*x, *y) = (v.re, v.im);
            }
        }
    }

    /// (I + ρK)⁻¹ of every mode: its entries xx, xy, yy.
    pub(super) fn resolvent(&self, rho: f64) -> Vec<[C; 3]> {
        let py = self.plane.py;
        (0..self.plane.modes())
            .map(|m| {
                let t = self.carriage[m / py] * rho;
                let (a, d, o) = (t * self.xx[m] + 1.0, t * self.yy[m] + 1.0, t * self.xy[m]);
                let per = (a * d - o * o).inv();
                [d * per, -o * per, a * per]
            })
            .collect()
    }
}
