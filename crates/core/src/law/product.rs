//! Several contacts side by side.

use super::{Law, Set, State};

/// C = C₁ × … × C_k: contact after contact, each with its own slice of the force vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Product {
    laws: Vec<Law>,
    /// First component of each contact, and the total at the end.
    offsets: Vec<usize>,
}

impl Product {
    /// The product of the given laws, in order.
    pub fn new(laws: Vec<Law>) -> Product {
        let mut offsets = vec![0];
        for law in &laws {
            offsets.push(offsets[offsets.len() - 1] + law.dim());
        }
        Product { laws, offsets }
    }

    /// Replaces the law of a contact by another one of the same dimension; another dimension is left alone.
    pub fn set(&mut self, contact: usize, law: Law) {
        if let Some(place) = self.laws.get_mut(contact).filter(|place| place.dim() == law.dim()) {
            *place = law;
        }
    }

    /// Number of force components of all contacts together.
    pub fn dim(&self) -> usize {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.laws.len()
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.laws.is_empty()
    }

    /// Each contact with the range of its components.
    pub fn iter(&self) -> impl Iterator<Item = (&Law, std::ops::Range<usize>)> {
        self.laws.iter().zip(self.offsets.windows(2).map(|w| w[0]..w[1]))
    }

    /// Replaces x by the nearest point of the product.
    pub fn project(&self, x: &mut [f64]) {
        for (law, at) in self.iter() {
            law.project(&mut x[at]);
        }
    }

    /// Applies de Saxcé's correction to the slips of the contacts that have one.
    pub fn correct(&self, slip: &mut [f64]) {
        for (law, at) in self.iter() {
            law.correct(&mut slip[at]);
        }
    }

    /// Whether every contact's force lies in its set.
    pub fn contains(&self, r: &[f64]) -> bool {
        self.iter().all(|(law, at)| law.contains(&r[at]))
    }

    /// Modes of all contacts when the projection is taken at x = r − ρ s.
    pub fn states(&self, x: &[f64]) -> Vec<State> {
        self.iter().map(|(law, at)| law.state(&x[at])).collect()
    }

    /// Whether some contact's law needs de Saxcé's correction (then the problem is not monotone).
    pub fn has_cones(&self) -> bool {
        self.laws.iter().any(|law| matches!(law, Law::Cone(_)))
    }
}
