//! What supports whose speeds jump do to contacts: the limit of ever shorter ramps.
//!
//! Along a ramp from s⁻ to s⁺ a slip that turns round passes through rest, and one that leaves its rest begins there. For that instant
//! the friction of rest resists it, which others feel: those at rest that cannot hold it are shaken loose. A slip that the ramp ends
//! comes from s⁻: it goes on in that direction if the friction of slip does not hold it, and rests if it does. All supports that jump at
//! one instant do so together, as they do in a step.

use super::layout::{Layout, norm};
use super::mode::{Direction, direction};

/// A slip that passes zero at this share of what it is before and after passes through it.
const THROUGH: f64 = 8.0 * f64::EPSILON;

/// What the slips of contacts did as they jumped.
#[derive(Debug, Clone)]
pub(super) struct Jump {
    /// Contacts that slip now and were at rest on the way.
    pub through: Vec<bool>,
    /// Directions from which slips have come that are zero now.
    pub ended: Vec<Option<Direction>>,
}

impl Jump {
    /// From the slips before to those after, if they have jumped.
    pub fn new(layout: &Layout, before: Option<&[f64]>, after: &[f64]) -> Jump {
        let contacts = 0..layout.contacts();
        let Some(before) = before else {
            return Jump { through: vec![false; contacts.len()], ended: vec![None; contacts.len()] };
        };
        let ends = |c: usize| (&before[layout.of(c)], &after[layout.of(c)]);
        let came = |c: usize| {
            let (before, after) = ends(c);
            (norm(after) == 0.0 && norm(before) > 0.0).then(|| direction(before))
        };
        Jump { through: contacts.clone().map(|c| through(ends(c))).collect(), ended: contacts.map(came).collect() }
    }
}

/// Whether a slip that is not zero any more was zero on its straight way from before to after.
fn through((before, after): (&[f64], &[f64])) -> bool {
    let (from, to) = (norm(before), norm(after));
    if to == 0.0 || before == after {
        return false;
    }
    let along: f64 = before.iter().zip(after).map(|(b, a)| b * a).sum();
    let aside = match (before, after) {
        ([x, y], [to_x, to_y]) => x * to_y - y * to_x,
        _ => 0.0,
    };
    from == 0.0 || (along < 0.0 && aside.abs() <= THROUGH * (from + to) * (from + to))
}

#[cfg(test)]
mod tests {
    use super::through;

    #[test]
    fn slips_that_turn_round_or_begin_pass_through_rest() {
        assert!(through((&[-1.0], &[1.0])) && through((&[0.0], &[1.0])));
        assert!(!through((&[0.5], &[1.0])) && !through((&[1.0], &[0.0])) && !through((&[1.0], &[1.0])));
        assert!(through((&[-0.6, 0.3], &[1.2, -0.6])) && through((&[0.0; 2], &[1.0, 2.0])));
        // Past zero at a distance.
        assert!(!through((&[-1.0, 1e-3], &[1.0, 1e-3])) && !through((&[1.0, 0.0], &[0.0, 1.0])));
    }
}
