//! Where the numbers of a motion lie, and what its contacts do.

use crate::mechanics::Smooth;

/// What a contact does until the next event.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) enum ContactMode {
    /// Sticks: its force is whatever keeps s' = 0.
    Stick,
    /// Slips on a line in the direction of the sign: r = −sign a.
    Line(f64),
    /// Slips in the plane: r = −a s/|s|.
    Plane,
    /// Transmits nothing (a = 0) and may rest or move.
    Free,
}

impl ContactMode {
    /// Whether the contact sticks.
    pub fn sticks(&self) -> bool {
        matches!(self, ContactMode::Stick)
    }
}

/// Where the parts of y = (q, v, s) lie.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Layout {
    pub positions: usize,
    pub velocities: usize,
    /// First component of each contact, and the number of all components.
    pub offsets: Vec<usize>,
}

impl Layout {
    pub fn new(system: &dyn Smooth) -> Layout {
        let sizes = system.sizes();
        let mut offsets = vec![0];
        for size in system.contact_sizes() {
            offsets.push(offsets[offsets.len() - 1] + size);
        }
        Layout { positions: sizes.positions, velocities: sizes.velocities, offsets }
    }

    pub fn contacts(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Components of a contact.
    pub fn of(&self, contact: usize) -> std::ops::Range<usize> {
        self.offsets[contact]..self.offsets[contact + 1]
    }

    pub fn slips(&self) -> usize {
        self.offsets[self.contacts()]
    }

    pub fn size(&self) -> usize {
        self.positions + self.velocities + self.slips()
    }

    /// y as positions, velocities and slips.
    pub fn split<'a>(&self, y: &'a [f64]) -> (&'a [f64], &'a [f64], &'a [f64]) {
        let (q, rest) = y.split_at(self.positions);
        let (v, s) = rest.split_at(self.velocities);
        (q, v, s)
    }
}

/// Rates and forces at one instant.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize, Default)]
pub(super) struct Point {
    /// y'.
    pub rate: Vec<f64>,
    /// Contact forces, component after component.
    pub forces: Vec<f64>,
    /// a_i.
    pub bounds: Vec<f64>,
    /// Greatest accelerations on the way to the sum of all forces: without those of contacts, and with those that slip.
    pub gross: Vec<f64>,
}

impl Point {
    pub fn new(layout: &Layout) -> Point {
        Point {
            rate: vec![0.0; layout.size()],
            forces: vec![0.0; layout.slips()],
            bounds: vec![0.0; layout.contacts()],
            gross: vec![0.0; layout.velocities],
        }
    }
}

#[inline]
pub(super) fn norm(x: &[f64]) -> f64 {
    match x {
        [x] => x.abs(),
        _ => x.iter().map(|x| x * x).sum::<f64>().sqrt(),
    }
}
