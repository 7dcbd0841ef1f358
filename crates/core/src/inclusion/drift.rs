//! Forces that grow from one proximal point to the next by as much as before.
//!
//! Contacts that are to hold what they cannot, as two belts of different speeds under one body, pull at each other along the kernel
//! of W. A proximal point goes s/ε along it, as the one before did, until the first of them gives way: many points where the belts
//! differ by little. All of these lead to the same as the way out of C in one go.

use super::greatest;

/// A change that differs from the last by less than this share is the same.
const STEADY: f64 = 1e-3;

/// The last change of the forces.
#[derive(Debug, Clone)]
pub(super) struct Drift(Vec<f64>);

impl Drift {
    pub(super) fn new(n: usize) -> Drift {
        Drift(vec![0.0; n])
    }

    /// Forgets the last change.
    pub(super) fn restart(&mut self) {
        self.0.fill(0.0);
    }

    /// Takes the change between two points. Whether it is the last one again.
    pub(super) fn goes_on(&mut self, from: &[f64], to: &[f64]) -> bool {
        let (mut size, mut other) = (0.0, 0.0);
        for ((from, to), last) in from.iter().zip(to).zip(&mut self.0) {
            let change = to - from;
            size = greatest(size, change.abs());
            other = greatest(other, (change - *last).abs());
            *last = change;
        }
        size > 0.0 && other <= STEADY * size
    }

    /// Replaces r by r + t d, with d the last change, and forgets it.
    pub(super) fn follow(&mut self, t: f64, r: &mut [f64]) {
        r.iter_mut().zip(&self.0).for_each(|(r, d)| *r += t * d);
        self.restart();
    }
}

impl std::ops::Deref for Drift {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0
    }
}
