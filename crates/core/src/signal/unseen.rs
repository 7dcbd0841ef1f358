//! What happens between the instants at which a scheme of steps looks at a signal.

use super::Signal;

/// A part of a signal that steps do not see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unseen {
    /// End of the step with the greatest part \[s\].
    pub t: f64,
    /// The integral over time that is not seen, as a share of that of the whole signal without its sign.
    pub share: f64,
}

impl Signal {
    /// What steps of size h that look at their ends miss of the signal up to `end`: pulses that begin and end within
    /// a step. The mean over such a step lies outside the values at its ends; how far, times h, is not seen at all.
    ///
    /// Jumps and corners are seen, a step late at the most. A sine with half a period in a step or less is not seen.
    pub fn unseen(&self, h: f64, end: f64) -> Option<Unseen> {
        if let Signal::Sine(sine) = self {
            let fast = sine.amplitude != 0.0 && (sine.omega * h).abs() >= std::f64::consts::PI;
            return fast.then_some(Unseen { t: h, share: 1.0 });
        }
        let (mut sum, mut greatest) = (0.0, Unseen { t: 0.0, share: 0.0 });
        let mut from = 0.0;
        while let Some((step, inside)) = self.crowded(from, h, end) {
            let ends = [step as f64 * h, (step + 1) as f64 * h];
            let [a, b] = ends.map(|t| self.at(t));
            let mean = self.mean(ends, &inside);
            let missed = (a.min(b) - mean).max(mean - a.max(b)).max(0.0) * h;
            sum += missed;
            if missed > greatest.share {
                greatest = Unseen { t: ends[1], share: missed };
            }
            from = ends[1];
        }
        if sum == 0.0 {
            return None;
        }
        let seen: f64 = (1..=(end / h) as u64).map(|n| self.at(n as f64 * h).abs() * h).sum();
        Some(Unseen { share: sum / (sum + seen), ..greatest })
    }

    /// The next step from `from` on with two corners or jumps inside, and where they are.
    fn crowded(&self, from: f64, h: f64, end: f64) -> Option<(u64, Vec<f64>)> {
        let mut t = from;
        loop {
            let first = self.next_break(t);
            if first > end || first <= t {
                return None;
            }
            let step = (first / h).floor();
            let (begin, until) = (step * h, (step + 1.0) * h);
            let mut inside = vec![first];
            while let Some(next) = inside.last().map(|last| self.next_break(*last)).filter(|next| *next < until) {
                inside.push(next);
                // Enough to know that the step is far too large.
                if inside.len() > MOST {
                    break;
                }
            }
            if inside.len() > 1 && first > begin {
                return Some((step as u64, inside));
            }
            t = inside.last().copied().unwrap_or(first);
        }
    }

    /// Mean between two instants with corners and jumps inside; Simpson's rule on each piece.
    fn mean(&self, [begin, end]: [f64; 2], inside: &[f64]) -> f64 {
        let mut points = vec![begin];
        points.extend(inside);
        points.push(end);
        let piece = |w: &[f64]| {
            let [a, b] = [w[0], w[1]];
            // Values just inside, since a jump has its later value.
            let near = 1e-9 * (b - a);
            (b - a) / 6.0 * (self.at(a) + 4.0 * self.at(0.5 * (a + b)) + self.at(b - near))
        };
        points.windows(2).map(piece).sum::<f64>() / (end - begin)
    }
}

/// Corners within a step that are looked at.
const MOST: usize = 1000;

#[cfg(test)]
mod tests {
    use super::super::{Points, Sine};
    use super::*;

    fn points(list: &[(f64, f64)]) -> Signal {
        let (times, values) = list.iter().copied().unzip();
        Signal::Points(Points::new(times, values).expect("a signal"))
    }

    #[test]
    fn a_pulse_within_a_step_is_not_seen() {
        let triangle = points(&[(1.0005, 0.0), (1.0006, 10.0), (1.0007, 0.0)]);
        let unseen = triangle.unseen(1e-3, 3.0).expect("missed");
        assert!((unseen.share - 1.0).abs() < 1e-9 && (unseen.t - 1.001).abs() < 1e-12, "{unseen:?}");
        assert_eq!(triangle.unseen(1e-5, 3.0), None);
        // On a ground of 1 that lasts 3 s, a pulse of 10 N for 0.1 ms as rectangle: 9e-4 of 3.
        let on_top = points(&[(1.0005, 1.0), (1.0005, 10.0), (1.0006, 10.0), (1.0006, 1.0)]);
        let share = on_top.unseen(1e-3, 3.0).map(|u| u.share);
        assert!(share.is_some_and(|s| (s - 9e-4 / 3.0009).abs() < 1e-9), "{share:?}");
    }

    #[test]
    fn ramps_jumps_and_slow_sines_are_seen() {
        assert_eq!(points(&[(1.0005, 0.0), (1.0006, 10.0)]).unseen(1e-3, 3.0), None);
        assert_eq!(points(&[(1.0005, 0.0), (1.0005, 10.0)]).unseen(1e-3, 3.0), None);
        assert_eq!(Signal::Constant(3.0).unseen(1e-3, 3.0), None);
        let sine = |omega| Signal::Sine(Sine { offset: 0.0, amplitude: 1.0, omega, phase: 0.0 });
        assert_eq!(sine(100.0).unseen(1e-3, 3.0), None);
        assert!(sine(4000.0).unseen(1e-3, 3.0).is_some());
    }
}
