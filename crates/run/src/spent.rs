//! Where the time goes.

use std::time::Instant;

use crate::text::seconds;

/// Where the time of a command went. It is told to whoever waits and written nowhere, since it is never the same twice.
#[derive(Debug, Clone, Default)]
pub struct Spent {
    /// What was done and the time it took \[s\], in order.
    pub parts: Vec<(&'static str, f64)>,
    /// Time of one step without tables and pictures \[s\], by the first steps of the run; none without steps.
    pub step: Option<f64>,
}

impl Spent {
    /// Does something and notes how long it took.
    pub fn on<T>(&mut self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let done = work();
        self.parts.push((what, begin.elapsed().as_secs_f64()));
        done
    }

    /// The parts in words: `run 12 ms, study 60 ms`; parts of the same name together.
    pub fn told(&self) -> String {
        let mut sums: Vec<(&str, f64)> = Vec::new();
        for (what, time) in &self.parts {
            match sums.iter_mut().find(|(known, _)| known == what) {
                Some((_, sum)) => *sum += time,
                None => sums.push((what, *time)),
            }
        }
        // What takes less than a hundredth of the whole is not worth a word.
        let all: f64 = sums.iter().map(|(_, time)| time).sum();
        let worth = sums.iter().filter(|(_, time)| *time >= 0.01 * all);
        worth.map(|(what, time)| format!("{what} {}", seconds(*time))).collect::<Vec<_>>().join(", ")
    }
}
