//! Places that steps pass: what changes with the place is looked at once a step, and may go up or down and back in between.

use serde::{Deserialize, Serialize};

/// Share of its range by which what changes with the place may go up or down and back within a step, without a word.
const PASSED_WARNED: f64 = 0.2;

/// What was passed within one step without having been looked at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Passed {
    /// Where it is \[m\].
    pub place: f64,
    /// How far it leaves the values at both ends of the step, as a share of the range.
    pub share: f64,
}

impl Passed {
    /// What a table of places and values, rising and straight in between, has between two places (with their values) beyond the
    /// values there; none where that is less than [`PASSED_WARNED`] of the range of all its values.
    pub fn between(points: impl Iterator<Item = [f64; 2]> + Clone, [from, to]: [[f64; 2]; 2]) -> Option<Passed> {
        let (low, high) = (from[0].min(to[0]), from[0].max(to[0]));
        let (least, greatest) = (from[1].min(to[1]), from[1].max(to[1]));
        let inside = points.clone().filter(|[place, _]| *place > low && *place < high);
        let beyond = inside.map(|[place, value]| (place, (value - greatest).max(least - value)));
        let (place, worst) = beyond.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, worst)| *worst > 0.0)?;
        let ends = points.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), [_, value]| (a.min(value), b.max(value)));
        Some(Passed { place, share: worst / (ends.1 - ends.0) }).filter(|passed| passed.share > PASSED_WARNED)
    }

    /// The worse of what was passed before and now.
    pub fn keep(known: &mut Option<Passed>, now: Option<Passed>) {
        if let Some(now) = now.filter(|now| known.is_none_or(|known| known.share < now.share)) {
            *known = Some(now);
        }
    }

    /// In words: what is passed, and what to do.
    pub fn words(&self, what: &str) -> String {
        format!(
            "{what} at x = {:.6} m was passed within one step, so that the steps have not seen {}; try a smaller step, or \
             run.scheme = \"events\"",
            self.place,
            if self.share >= 1.0 { "it".to_string() } else { format!("{:.0} % of its range", 100.0 * self.share) }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_goes_up_or_down_and_back_is_passed() {
        let hump = [[0.0, 0.0], [5.03, 0.0], [5.05, 0.019], [5.07, 0.0]];
        let passed = |from, to| Passed::between(hump.into_iter(), [from, to]);
        assert_eq!(passed([5.0, 0.0], [5.2, 0.0]), Some(Passed { place: 5.05, share: 1.0 }));
        assert_eq!(passed([5.2, 0.0], [5.0, 0.0]).map(|passed| passed.place), Some(5.05), "backward, too");
        assert_eq!(passed([5.0, 0.0], [5.05, 0.019]), None, "a ramp is seen, a step late");
        assert_eq!(passed([5.04, 0.018], [5.06, 0.017]), None, "little is missed");
        assert_eq!(passed([5.1, 0.0], [5.2, 0.0]), None);
    }
}
