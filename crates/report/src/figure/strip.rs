//! Stretches of time in which a contact sticks, slips or is open.

use crate::palette::State;

/// A stretch of x in which a contact is in one state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Begin.
    pub from: f64,
    /// End.
    pub to: f64,
    /// What the contact does there.
    pub state: State,
}

/// The states of one contact along the x axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Strip {
    /// The contact's name.
    pub contact: String,
    /// Its states, in order.
    pub bands: Vec<Band>,
}

impl Strip {
    /// The strip of a contact whose state is recorded at each of the times `t`.
    ///
    /// A state holds since the previous time, as in every implicit step; equal neighbours are joined.
    pub fn from_states(contact: impl Into<String>, t: &[f64], states: impl IntoIterator<Item = State>) -> Self {
        let mut bands: Vec<Band> = Vec::new();
        let mut previous = None;
        for (&to, state) in t.iter().zip(states) {
            let from = previous.unwrap_or(to);
            previous = Some(to);
            match bands.last_mut() {
                Some(band) if band.state == state => band.to = to,
                // The first record is an instant, not a stretch: the second decides.
                Some(band) if band.from == band.to => *band = Band { from, to, state },
                _ => bands.push(Band { from, to, state }),
            }
        }
        Self { contact: contact.into(), bands }
    }
}
