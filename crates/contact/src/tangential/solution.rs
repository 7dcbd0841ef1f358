//! What a tangential problem gives.

use super::{Drive, Motion};
use crate::grid::Grid;

/// State of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// No contact: p = 0, r = 0.
    Exterior,
    /// s = 0.0 and |r| ≤ μp.
    Stick,
    /// s ≠ 0 against r, |r| = μp.
    Slip,
}

/// Tractions, slips and totals. Fields have one value per element of the grid, x running first.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The grid.
    pub grid: Grid,
    /// State of every element.
    pub status: Vec<Status>,
    /// Traction r_x on body 1.
    pub traction_x: Vec<f64>,
    /// Traction r_y on body 1.
    pub traction_y: Vec<f64>,
    /// Slip of body 1 over body 2 along x, exactly 0.0 where it sticks (and outside the contact). In rolling
    /// divided by the rolling speed; in a shift a distance.
    pub slip_x: Vec<f64>,
    /// The same along y.
    pub slip_y: Vec<f64>,
    /// Where slips belong, in elements ahead of the centres: ½ where they are differences over one element (first order, edge,
    /// steps), 0 with the second order and in a shift.
    pub slip_ahead: f64,
    /// Creepages (ξ, η), given or found; the distance shifted in a shift.
    pub creepage: [f64; 2],
    /// Spin φ.
    pub spin: f64,
    /// Total force (F_x, F_y) on body 1.
    pub force: [f64; 2],
    /// Moment M_z = ∫ (x r_y − y r_x) on body 1 about the origin of the grid.
    pub moment: f64,
    /// μN on this grid, what friction transmits at most.
    pub limit: f64,
    /// Share of the elements in contact that stick.
    pub stick_share: f64,
    /// Relative residual reached.
    pub residual: f64,
    /// Iterations on this grid.
    pub iterations: usize,
}

/// Weights of the part of a sequence that changes its sign from one to the next; what is smooth drops out to the fourth order.
const SAW: [f64; 5] = [1.0, -4.0, 6.0, -4.0, 1.0];

impl Solution {
    /// How rough tractions are from row to row where the contact sticks: root mean square of what alternates, as a share of the
    /// traction; none where no five neighbours across stick.
    ///
    /// The leading edge of a curved contact falls elsewhere between elements in every row, and the error that a plain difference makes
    /// there goes back along the whole row.
    pub fn roughness(&self) -> Option<f64> {
        let (nx, ny) = (self.grid.nx(), self.grid.ny());
        let (mut squares, mut count) = (0.0, 0.0);
        for first in (0..ny.saturating_sub(SAW.len() - 1)).flat_map(|j| (0..nx).map(move |i| j * nx + i)) {
            let row = |k: usize| first + k * nx;
            if (0..SAW.len()).any(|k| self.status[row(k)] != Status::Stick) {
                continue;
            }
            let saw = |of: &[f64]| SAW.iter().enumerate().map(|(k, weight)| weight * of[row(k)]).sum::<f64>() / 16.0;
            let own = self.traction_x[row(2)].hypot(self.traction_y[row(2)]);
            if own > 0.0 {
                squares += (saw(&self.traction_x).hypot(saw(&self.traction_y)) / own).powi(2);
                count += 1.0;
            }
        }
        (count > 0.0).then(|| (squares / count).sqrt())
    }

    /// Number of elements with a status.
    pub fn count(&self, status: Status) -> usize {
        self.status.iter().filter(|s| **s == status).count()
    }

    /// Frictional power over the rolling speed, −∫ r·s, with slips brought to the centres of the elements: on straight lines between
    /// the places where they belong, and on through the last two at the trailing edge.
    pub fn power(&self) -> f64 {
        let inside = |k: usize| self.status[k] != Status::Exterior;
        let at_centre = |s: &[f64], k: usize| {
            let i = k % self.grid.nx();
            let change = if i > 0 && inside(k - 1) {
                s[k - 1] - s[k]
            } else if i + 1 < self.grid.nx() && inside(k + 1) {
                s[k] - s[k + 1]
            } else {
                0.0
            };
            s[k] + self.slip_ahead * change
        };
        let power =
            |k| self.traction_x[k] * at_centre(&self.slip_x, k) + self.traction_y[k] * at_centre(&self.slip_y, k);
        -(0..self.grid.len()).filter(|k| inside(*k)).map(power).sum::<f64>() * self.grid.area()
    }

    /// The same with exact zeros where the symmetry of a contact about y = 0 asks for them and the iteration leaves its
    /// tolerance: reflection turns (ξ, η, φ) into (ξ, −η, −φ) and F_y, M_z into their opposites; together with a
    /// change of all signs it turns ξ and F_x into theirs.
    #[must_use]
    pub fn of_symmetric_contact(mut self, motion: Motion) -> Solution {
        let none = |drive| matches!(drive, Drive::Creepage(0.0) | Drive::Force(0.0));
        if none(motion.x) {
            (self.force[0], self.creepage[0]) = (0.0, 0.0);
        }
        if none(motion.y) && motion.spin == 0.0 {
            (self.force[1], self.creepage[1], self.moment) = (0.0, 0.0, 0.0);
        }
        self
    }
}
