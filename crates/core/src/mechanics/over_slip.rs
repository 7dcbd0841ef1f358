//! Friction over slip of contacts on lines: factors of their bounds, and guards of the corners of the laws.

use std::ops::Range;

use super::Grip;
use crate::law::{Coefficient, SlipRange};

/// The law over slip of each contact, if it has one.
#[derive(Debug, Clone, Default)]
pub struct LawsOverSlip {
    laws: Vec<Option<Coefficient>>,
    /// Guards of the corners of each contact's law, one contact after the other.
    guards: Vec<Range<usize>>,
}

impl LawsOverSlip {
    /// Of contacts in their order; `first` is the number of the first guard.
    pub fn new(laws: impl IntoIterator<Item = Option<Coefficient>>, first: usize) -> LawsOverSlip {
        let laws: Vec<Option<Coefficient>> = laws.into_iter().collect();
        let mut next = first;
        let guards = laws.iter().map(|law| {
            let from = next;
            next += law.as_ref().map_or(0, |law| law.corners().len());
            from..next
        });
        LawsOverSlip { guards: guards.collect(), laws }
    }

    /// Whether no friction changes with slip.
    pub fn is_none(&self) -> bool {
        self.laws.iter().all(Option::is_none)
    }

    /// How many guards there are: one for each slip speed at which a law has a corner.
    pub fn guards(&self) -> usize {
        self.guards.iter().map(Range::len).sum()
    }

    /// Their values, where contacts slip with these speeds.
    pub fn guard_values<'a>(&'a self, slip: impl Fn(usize) -> f64 + 'a) -> impl Iterator<Item = f64> + 'a {
        let laws = self.laws.iter().enumerate().filter_map(|(contact, law)| Some((contact, law.as_ref()?)));
        laws.flat_map(move |(contact, law)| {
            let speed = slip(contact).abs();
            law.corners().iter().map(move |corner| speed - corner)
        })
    }

    /// What the bound of a contact that does this is multiplied with; `sides` are those of all guards of the system.
    pub fn factor(&self, contact: usize, sides: &[bool], grip: Grip) -> f64 {
        let factor = |law: &Coefficient| grip.coefficient(law, &sides[self.guards[contact].clone()]);
        self.laws[contact].as_ref().map_or(1.0, factor)
    }

    /// Slip speeds over which the friction of a contact changes smoothly.
    pub fn range(&self, contact: usize) -> Option<SlipRange> {
        self.laws[contact].as_ref()?.range()
    }
}
