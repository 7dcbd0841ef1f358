//! The compliance of two bodies together.

use stickslip_linalg::Matrix;

use super::surface::{Surface, SurfaceError};

/// Two condensed bodies on one surface.
#[derive(Debug, Clone)]
pub struct Pair {
    /// Where they may touch.
    pub surface: Surface,
    /// W₁ + W₂ (body 2's forces are the negative ones, its displacements are subtracted), or 2W₁ without what mirrors cancel.
    w: Matrix,
    /// Whether normal forces move the bodies tangentially over each other, and tangential ones normally.
    coupled: bool,
    /// For each body, which of its contact nodes stands at each place of the surface.
    orders: [Vec<usize>; 2],
}

impl Pair {
    /// A body and its mirror image below.
    pub fn mirrored(contact: &[[f64; 3]], w: &Matrix, plane: bool) -> Result<Pair, SurfaceError> {
        let below: Vec<[f64; 3]> = contact.iter().map(|[x, y, z]| [*x, *y, -z]).collect();
        let (surface, orders) = Surface::new(contact, &below, plane)?;
        let d = surface.directions();
        let normal = |k: usize| k % d == d - 1;
        let at = |k: usize| orders[0][k / d] * d + k % d;
        let both =
            Matrix::from_fn(
                w.rows(),
                w.rows(),
                |i, j| {
                    if normal(i) == normal(j) { 2.0 * w[(at(i), at(j))] } else { 0.0 }
                },
            );
        Ok(Pair { surface, w: both, coupled: false, orders })
    }

    /// Two bodies, each with its contact nodes and its compliance, in one frame.
    pub fn new(
        first: (&[[f64; 3]], &Matrix),
        second: (&[[f64; 3]], &Matrix),
        plane: bool,
    ) -> Result<Pair, SurfaceError> {
        let (surface, orders) = Surface::new(first.0, second.0, plane)?;
        let [one, two] = &orders;
        let d = surface.directions();
        let at = |order: &[usize], k: usize| order[k / d] * d + k % d;
        let (w1, w2) = (first.1, second.1);
        let both =
            Matrix::from_fn(w1.rows(), w1.rows(), |i, j| w1[(at(one, i), at(one, j))] + w2[(at(two, i), at(two, j))]);
        Ok(Pair { surface, w: both, coupled: true, orders })
    }

    /// Whether pressure and tractions depend on each other.
    pub fn is_coupled(&self) -> bool {
        self.coupled
    }

    /// Displacement of node i in a direction (the last one is normal) per force on node j in another.
    #[inline]
    pub fn w(&self, (i, a): (usize, usize), (j, b): (usize, usize)) -> f64 {
        let d = self.surface.directions();
        self.w[(i * d + a, j * d + b)]
    }

    /// Tangential displacements of all nodes by normal forces, W_tn F_n.
    pub fn pressed(&self, normal: &[f64]) -> Vec<f64> {
        let t = self.normal();
        let loaded: Vec<(usize, f64)> = normal.iter().copied().enumerate().filter(|(_, force)| *force != 0.0).collect();
        let at = |k: usize| loaded.iter().map(|(j, force)| self.w((k / t, k % t), (*j, t)) * force).sum();
        (0..normal.len() * t).map(at).collect()
    }

    /// Forces of a solution on one body (0 or 1), all directions of its contact nodes in their own order.
    pub fn forces(&self, body: usize, normal: &[f64], tangential: &[f64]) -> Vec<f64> {
        let d = self.surface.directions();
        let sign = if body == 0 { 1.0 } else { -1.0 };
        let mut forces = vec![0.0; normal.len() * d];
        for (place, &node) in self.orders[body].iter().enumerate() {
            for a in 0..d - 1 {
                forces[node * d + a] = sign * tangential[place * (d - 1) + a];
            }
            forces[node * d + d - 1] = sign * normal[place];
        }
        forces
    }

    /// The normal direction.
    pub fn normal(&self) -> usize {
        self.surface.directions() - 1
    }
}
