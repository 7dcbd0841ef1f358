//! What happens between the instants at which a scheme of steps looks at a signal.

use super::Signal;

/// A part of a signal that steps do not see.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unseen {
    /// End of the step with the greatest part \[s\].
    pub t: f64,
    /// How far the signal leaves the values at the ends of that step, as a share of its greatest value.
    pub share: f64,
}

impl Signal {
    /// What steps of size h miss of the signal up to `end` that look at it a share of a step after their beginning (1: at
    /// their ends): pulses and dips that begin and end between two looks, or before the first.
    ///
    /// Jumps and corners are seen, a step late at the most. A sine with half a period in a step or less is not seen.
    pub fn unseen(&self, h: f64, end: f64, share: f64) -> Option<Unseen> {
        if let Signal::Sine(sine) = self {
            let fast = sine.amplitude != 0.0 && (sine.omega * h).abs() >= std::f64::consts::PI;
            return fast.then_some(Unseen { t: h, share: 1.0 });
        }
        let mut worst = Unseen { t: 0.0, share: 0.0 };
        let (mut from, mut greatest) = (0.0, 0.0_f64);
        let first = share * h;
        // Before the first look: what is gone by then.
        let early: Vec<f64> = self.breaks_within(0.0, first).take_while(|t| *t < first).take(MOST).collect();
        if !early.is_empty() && first > 0.0 {
            let seen = self.at(first);
            for value in self.looks([0.0, first], &early) {
                greatest = greatest.max(value.abs());
                if (value - seen).abs() > worst.share {
                    worst = Unseen { t: first, share: (value - seen).abs() };
                }
            }
        }
        let look = |step: u64| (step as f64 + share) * h;
        while let Some((step, inside)) = self.broken(from, &look, end) {
            let ends = [look(step), look(step + 1)];
            let [a, b] = ends.map(|t| self.at(t));
            for value in self.looks(ends, &inside) {
                greatest = greatest.max(value.abs());
                let missed = (a.min(b) - value).max(value - a.max(b));
                if missed > worst.share {
                    worst = Unseen { t: ends[1], share: missed };
                }
            }
            from = ends[1];
        }
        if matches!(self, Signal::Expression(_)) {
            // Formulas have smooth pulses as well.
            for n in 0..((end - first) / h).min(MOST_SCANNED) as u64 {
                let ends = [look(n), look(n + 1)];
                let [a, b] = ends.map(|t| self.at(t));
                for k in 1..SCANNED {
                    let value = self.at(ends[0] + h * f64::from(k) / f64::from(SCANNED));
                    greatest = greatest.max(value.abs());
                    let missed = (a.min(b) - value).max(value - a.max(b));
                    if missed > worst.share {
                        worst = Unseen { t: ends[1], share: missed };
                    }
                }
            }
        }
        if worst.share == 0.0 {
            return None;
        }
        let greatest = (0..=(end / h) as u64).fold(greatest, |m, n| m.max(self.at(n as f64 * h).abs()));
        Some(Unseen { share: worst.share / greatest, ..worst }).filter(|unseen| unseen.share > ROUNDING)
    }

    /// The next step from one look to the next with a corner or a jump strictly between them, from an instant on, and where
    /// those are. What begins or ends on a look is the limit there of what lies between.
    fn broken(&self, from: f64, look: &dyn Fn(u64) -> f64, end: f64) -> Option<(u64, Vec<f64>)> {
        let h = look(1) - look(0);
        let mut t = from.max(look(0));
        loop {
            let first = self.next_break(t);
            if first > end || first <= t {
                return None;
            }
            let mut step = ((first - look(0)) / h).floor().max(0.0) as u64;
            while step > 0 && look(step) >= first {
                step -= 1;
            }
            while look(step + 1) < first {
                step += 1;
            }
            let until = look(step + 1);
            if first > look(step) && first < until {
                // So many are enough to know that the step is far too large.
                let more = std::iter::successors(Some(first), |last| Some(self.next_break(*last)));
                return Some((step, more.take_while(|t| *t < until).take(MOST).collect()));
            }
            t = first;
        }
    }

    /// Values between two instants: before and after each corner or jump inside, and half-way between them.
    fn looks(&self, [begin, end]: [f64; 2], inside: &[f64]) -> Vec<f64> {
        let mut points = vec![begin];
        points.extend(inside);
        points.push(end);
        let piece = |w: &[f64]| {
            let [a, b] = [w[0], w[1]];
            [self.at(a), self.at(0.5 * (a + b)), self.at(b.next_down())]
        };
        points.windows(2).flat_map(piece).collect()
    }
}

/// Between two looks a formula is scanned at the ends of so many parts, and so many looks at the most.
const SCANNED: u32 = 8;
const MOST_SCANNED: f64 = 2e5;

/// A share that is none: corners next to a look, but for the rounding of either.
const ROUNDING: f64 = 1e-9;

/// Corners within a step that are looked at.
const MOST: usize = 1000;

#[cfg(test)]
mod tests {
    use super::super::{Expression, Points, Sine};
    use super::*;

    fn points(list: &[(f64, f64)]) -> Signal {
        let (times, values) = list.iter().copied().unzip();
        Signal::Points(Points::new(times, values).expect("a signal"))
    }

    #[test]
    fn a_pulse_within_a_step_is_not_seen() {
        let triangle = points(&[(1.0005, 0.0), (1.0006, 10.0), (1.0007, 0.0)]);
        let unseen = triangle.unseen(1e-3, 3.0, 1.0).expect("missed");
        assert!((unseen.share - 1.0).abs() < 1e-9 && (unseen.t - 1.001).abs() < 1e-12, "{unseen:?}");
        assert_eq!(triangle.unseen(1e-5, 3.0, 1.0), None);
        // On a ground of 1: a rectangle of 10 for 0.1 ms, and a dip to 0.25.
        let on_top = points(&[(1.0005, 1.0), (1.0005, 10.0), (1.0006, 10.0), (1.0006, 1.0)]);
        let dip = points(&[(1.0005, 1.0), (1.0006, 0.25), (1.0007, 1.0)]);
        for (signal, truth) in [(on_top, 0.9), (dip, 0.75)] {
            let share = signal.unseen(1e-3, 3.0, 1.0).map(|u| u.share);
            assert!(share.is_some_and(|s| (s - truth).abs() < 1e-9), "{share:?}");
        }
        let mut formula = Expression::new("1 + 0.9*sin(2*pi*100*t)").expect("a formula");
        assert!(formula.explore(3.0));
        let fast = Signal::Expression(Box::new(formula));
        assert!(
            fast.unseen(1e-2, 3.0, 1.0).is_some_and(|u| u.share > 0.4)
                && fast.unseen(1e-4, 3.0, 1.0).is_none_or(|u| u.share < 1e-2)
        );
    }

    #[test]
    fn pulses_between_middles_and_before_the_first_look_are_not_seen() {
        let over_the_edge = points(&[(0.506, 0.0), (0.506, 50.0), (0.514, 50.0), (0.514, 0.0)]);
        assert!(over_the_edge.unseen(1e-2, 1.0, 0.5).is_some_and(|u| u.share > 0.9));
        assert_eq!(over_the_edge.unseen(1e-2, 1.0, 1.0), None);
        let at_start = points(&[(0.0, 50.0), (0.004, 50.0), (0.004, 0.0)]);
        assert!(at_start.unseen(1e-2, 1.0, 1.0).is_some_and(|u| u.share > 0.9));
    }

    #[test]
    fn pulses_that_begin_or_end_on_a_look_are_not_seen() {
        let share = |list: &[(f64, f64)]| points(list).unseen(1e-2, 3.0, 1.0).map_or(0.0, |unseen| unseen.share);
        for k in 1..300 {
            // The same product as a clock of steps.
            let t = f64::from(k) * 1e-2;
            let begins = share(&[(t, 0.0), (t + 1e-6, 5.0), (t + 2e-6, 0.0)]);
            let ends = share(&[(t - 2e-6, 0.0), (t - 1e-6, 5.0), (t, 0.0)]);
            let jumps = share(&[(t - 2e-6, 0.0), (t - 2e-6, 5.0), (t, 5.0), (t, 0.0)]);
            assert!(
                [begins, ends, jumps].iter().all(|share| (share - 1.0).abs() < 1e-9),
                "{t}: {begins} {ends} {jumps}"
            );
            assert_eq!(share(&[(t, 0.0), (t, 5.0)]), 0.0, "a jump on a look is seen");
        }
    }

    #[test]
    fn ramps_jumps_and_slow_sines_are_seen() {
        assert_eq!(points(&[(1.0005, 0.0), (1.0006, 10.0)]).unseen(1e-3, 3.0, 1.0), None);
        assert_eq!(points(&[(1.0005, 0.0), (1.0005, 10.0)]).unseen(1e-3, 3.0, 1.0), None);
        assert_eq!(Signal::Constant(3.0).unseen(1e-3, 3.0, 1.0), None);
        let sine = |omega| Signal::Sine(Sine { offset: 0.0, amplitude: 1.0, omega, phase: 0.0 });
        assert_eq!(sine(100.0).unseen(1e-3, 3.0, 1.0), None);
        assert!(sine(4000.0).unseen(1e-3, 3.0, 1.0).is_some());
    }
}
