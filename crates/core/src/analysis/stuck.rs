//! How long contacts stick.

use crate::law::State;
use crate::scheme::Event;

/// Statistics of the stretches of time in which a contact stuck.
#[derive(Debug, Clone, PartialEq)]
pub struct StuckTimes {
    /// Begin and end of each stretch \[s\].
    pub stretches: Vec<[f64; 2]>,
    /// Share of the time looked at, 0…1.
    pub share: f64,
    /// Mean, shortest and longest of the stretches that begin and end in the time looked at; 0 where there is none.
    pub mean: f64,
    /// Shortest \[s\].
    pub shortest: f64,
    /// Longest \[s\].
    pub longest: f64,
}

/// Statistics of one contact from its events, in the time from `begin` to `end`. `sticks` tells whether it sticks at
/// t = 0, for a contact that never changes.
pub fn stuck_times(events: &[Event], contact: usize, sticks: bool, begin: f64, end: f64) -> StuckTimes {
    let own: Vec<&Event> = events.iter().filter(|e| e.contact == contact).collect();
    let first = own.first().map_or(sticks, |e| e.from == State::Stick);
    let mut stretches = Vec::new();
    let mut since = first.then_some(begin.min(0.0));
    for event in own {
        if let Some(from) = since.take() {
            stretches.push([from, event.t]);
        }
        if event.to == State::Stick {
            since = Some(event.t);
        }
    }
    stretches.extend(since.map(|from| [from, end]));
    let whole: Vec<f64> = stretches.iter().filter(|s| s[0] > begin && s[1] < end).map(|s| s[1] - s[0]).collect();
    let stretches: Vec<[f64; 2]> =
        stretches.iter().map(|s| [s[0].max(begin), s[1].min(end)]).filter(|s| s[1] > s[0]).collect();
    let stuck: f64 = stretches.iter().map(|s| s[1] - s[0]).sum();
    let extreme = |pick: fn(f64, f64) -> f64| whole.iter().copied().reduce(pick).unwrap_or(0.0);
    StuckTimes {
        share: if end > begin { stuck / (end - begin) } else { 0.0 },
        mean: if whole.is_empty() { 0.0 } else { whole.iter().sum::<f64>() / whole.len() as f64 },
        shortest: extreme(f64::min),
        longest: extreme(f64::max),
        stretches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_cut_at_the_ends() {
        let slip = State::Slip([1.0, 0.0]);
        let event = |t, from, to| Event { t, contact: 0, from, to };
        let events = [
            event(1.0, State::Stick, slip),
            event(3.0, slip, State::Stick),
            event(4.0, State::Stick, slip),
            event(4.5, slip, State::Slip([-1.0, 0.0])),
            event(6.0, slip, State::Stick),
        ];
        let all = stuck_times(&events, 0, false, 0.0, 8.0);
        assert_eq!(all.stretches, [[0.0, 1.0], [3.0, 4.0], [6.0, 8.0]]);
        assert_eq!((all.share, all.mean, all.shortest, all.longest), (0.5, 1.0, 1.0, 1.0));
        let late = stuck_times(&events, 0, false, 3.5, 7.0);
        assert_eq!((late.stretches.len(), late.share, late.mean), (2, 1.5 / 3.5, 0.0));
        assert_eq!(stuck_times(&[], 0, true, 0.0, 2.0).share, 1.0);
        assert_eq!(stuck_times(&[], 0, false, 0.0, 2.0).share, 0.0);
    }
}
