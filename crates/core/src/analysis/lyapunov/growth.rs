//! The mean of logarithms, and its error.

use super::Exponent;

/// Groups of intervals whose scatter gives the error.
pub(super) const BATCHES: usize = 16;

/// Growth, interval by interval.
pub(super) struct Growth {
    /// Intervals in all.
    pub count: u64,
    done: u64,
    batches: Vec<(f64, f64)>,
    skipped: u64,
}

impl Growth {
    pub fn new(count: u64) -> Growth {
        Growth { count, done: 0, batches: vec![(0.0, 0.0); BATCHES], skipped: 0 }
    }

    pub fn add(&mut self, logarithm: f64, time: f64) {
        let batch = (self.done * BATCHES as u64 / self.count).min(BATCHES as u64 - 1) as usize;
        self.batches[batch].0 += logarithm;
        self.batches[batch].1 += time;
        self.done += 1;
    }

    pub fn skip(&mut self, time: f64) {
        self.skipped += 1;
        self.add(0.0, time);
    }

    pub fn finished(self) -> Exponent {
        let skipped = self.skipped;
        self.exponent(skipped)
    }

    pub fn exponent(&self, skipped: u64) -> Exponent {
        let (mut sum, mut time) = (0.0, 0.0);
        let mut history = Vec::with_capacity(BATCHES);
        for (growth, span) in &self.batches {
            (sum, time) = (sum + growth, time + span);
            history.push(sum / time);
        }
        let value = sum / time;
        let scatter: f64 = self.batches.iter().map(|(growth, span)| (growth / span - value).powi(2)).sum();
        let error = (scatter / ((BATCHES - 1) * BATCHES) as f64 + 1.0 / (time * time)).sqrt();
        Exponent { value, error, time, history, skipped }
    }
}
