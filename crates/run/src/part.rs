//! Parts of a model whose states have words of their own: a wheel rolls, slides, locks, spins.

use stickslip_core::law::State;
use stickslip_core::scheme::Event;
use stickslip_report::palette;

/// A part of a model, and the contacts that decide what it does.
#[derive(Debug, Clone)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its contacts, by number.
    pub contacts: Vec<usize>,
    /// What it does where its contacts do this.
    pub state: fn(&[State]) -> palette::State,
}

impl Part {
    /// A contact by itself, which sticks, slips or is open.
    pub fn contact(name: &str, contact: usize) -> Part {
        Part { name: name.to_string(), contacts: vec![contact], state: |states| shown(states[0]) }
    }

    /// A wall, which is closed or open: there is no friction that could stick.
    pub fn wall(name: &str, contact: usize) -> Part {
        let state = |states: &[State]| match states[0] {
            State::Stick => palette::State::Closed,
            other => shown(other),
        };
        Part { name: name.to_string(), contacts: vec![contact], state }
    }

    /// What it does, where all contacts do this.
    pub fn state(&self, contacts: &[State]) -> palette::State {
        let own: Vec<State> = self.contacts.iter().map(|contact| contacts[*contact]).collect();
        (self.state)(&own)
    }

    /// What it does from an instant on, in words; none where it goes on as before.
    fn words(&self, before: palette::State, after: palette::State, again: bool) -> Option<String> {
        match (before == after, self.contacts.len()) {
            (false, _) => Some(format!("{} {}{}", self.name, after.verb(), if again { " again" } else { "" })),
            // A slip that has turned round.
            (true, 1) => Some(format!("{} {} the other way", self.name, after.verb())),
            (true, _) => None,
        }
    }
}

pub(crate) fn shown(state: State) -> palette::State {
    match state {
        State::Stick => palette::State::Stick,
        State::Slip(_) => palette::State::Slip,
        State::Open => palette::State::Open,
    }
}

/// Puts events into words, as they come.
#[derive(Debug, Clone)]
pub(crate) struct EventWords {
    parts: Vec<Part>,
    /// Which part a contact belongs to.
    of: Vec<Option<usize>>,
    contacts: Vec<State>,
    /// States that each part has been in, the last of them the present one.
    been: Vec<Vec<palette::State>>,
}

impl EventWords {
    /// Of parts of a model with so many contacts.
    pub fn new(parts: Vec<Part>, contacts: usize) -> EventWords {
        let of = (0..contacts).map(|contact| parts.iter().position(|part| part.contacts.contains(&contact))).collect();
        let been = vec![Vec::new(); parts.len()];
        EventWords { parts, of, contacts: vec![State::Open; contacts], been }
    }

    /// What the contacts do at the start.
    pub fn begin(&mut self, contacts: &[State]) {
        self.contacts.copy_from_slice(contacts);
        for (part, been) in self.parts.iter().zip(&mut self.been) {
            *been = vec![part.state(contacts)];
        }
    }

    /// Words for each of the events of one instant: those of a part stand with its first event.
    pub fn tell(&mut self, events: &[Event]) -> Vec<Option<String>> {
        for event in events {
            self.contacts[event.contact] = event.to;
        }
        let mut told = vec![false; self.parts.len()];
        let words = events.iter().map(|event| {
            let number = self.of[event.contact]?;
            if std::mem::replace(&mut told[number], true) {
                return None;
            }
            let (part, been) = (&self.parts[number], &mut self.been[number]);
            let (before, after) = (been.last().copied(), part.state(&self.contacts));
            let again = after == palette::State::Rolls && been.contains(&after);
            // Kept once each: a run of any length fits.
            been.retain(|state| *state != after);
            been.push(after);
            part.words(before.unwrap_or(palette::State::Open), after, again)
        });
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_in_words() {
        let slip = |sign: f64| State::Slip([sign, 0.0]);
        let mut teller = EventWords::new(vec![Part::contact("pad", 0)], 1);
        teller.begin(&[State::Stick]);
        let event = |from, to| Event { t: 1.0, contact: 0, from, to };
        assert_eq!(teller.tell(&[event(State::Stick, slip(1.0))]), [Some("pad slips".into())]);
        assert_eq!(teller.tell(&[event(slip(1.0), slip(-1.0))]), [Some("pad slips the other way".into())]);
        assert_eq!(teller.tell(&[event(slip(-1.0), State::Stick)]), [Some("pad sticks".into())]);
    }
}
