//! What happens between the instants at which a scheme of steps looks at a signal.

use super::Signal;

/// A part of a signal that steps do not see, or that they see for longer than it lasts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unseen {
    /// End of the step that the greatest part lies in \[s\]; of one that is held, when it is looked at.
    pub t: f64,
    /// How far the signal leaves the values that are looked at before and after, as a share of its greatest value; of a part that is
    /// held, what is counted of that without being there, on average over a step.
    pub share: f64,
    /// Whether the part is shorter than a step and counts as a whole one, as it is just there when it is looked at.
    pub held: bool,
}

impl Signal {
    /// What steps of size h miss of the signal up to `end` that look at it a share of a step after their beginning (1: at
    /// their ends): pulses and dips that begin and end between two looks, or before the first, and those around a look that are shorter than a step.
    ///
    /// Jumps and corners are seen, a step late at the most. A sine with half a period in a step or less is not seen.
    pub fn unseen(&self, h: f64, end: f64, share: f64) -> Option<Unseen> {
        if let Signal::Sine(sine) = self {
            let fast = sine.amplitude != 0.0 && (sine.omega * h).abs() >= std::f64::consts::PI;
            return fast.then_some(Unseen { t: h, share: 1.0, held: false });
        }
        let mut worst = Unseen { t: 0.0, share: 0.0, held: false };
        // A look at the end of a step is that end; others lie within steps, and what they miss may lie in two.
        let ends_at = |t: f64, next: f64| if share == 1.0 { next } else { ((t / h + ROUNDING).floor() + 1.0) * h };
        let (mut from, mut greatest) = (0.0, 0.0_f64);
        let first = share * h;
        // Before the first look: what is gone by then.
        let early: Vec<f64> = self.breaks_within(0.0, first).take_while(|t| *t < first).take(MOST).collect();
        if !early.is_empty() && first > 0.0 {
            let seen = self.at(first);
            for (t, value) in self.looks([0.0, first], &early) {
                greatest = greatest.max(value.abs());
                if (value - seen).abs() > worst.share {
                    worst = Unseen { t: ends_at(t, first), share: (value - seen).abs(), held: false };
                }
            }
        }
        let look = |step: u64| (step as f64 + share) * h;
        let mut judged = None;
        while let Some((step, inside)) = self.broken(from, &look, end) {
            let ends = [look(step), look(step + 1)];
            let [a, b] = ends.map(|t| self.at(t));
            for (t, value) in self.looks(ends, &inside) {
                greatest = greatest.max(value.abs());
                let missed = (a.min(b) - value).max(value - a.max(b));
                if missed > worst.share {
                    worst = Unseen { t: ends_at(t, ends[1]), share: missed, held: false };
                }
            }
            // Breaks on this side of a look, or on the other one.
            for at in [step, step + 1] {
                if judged.is_none_or(|last| at > last) && look(at) <= end && look(at) >= h * (1.0 - ROUNDING) {
                    let held = self.held(look(at), h);
                    if held > worst.share {
                        worst = Unseen { t: look(at), share: held, held: true };
                    }
                    judged = Some(at);
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
                        let t = ends[0] + h * f64::from(k) / f64::from(SCANNED);
                        worst = Unseen { t: ends_at(t, ends[1]), share: missed, held: false };
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

    /// What is counted too much of a pulse or a dip around a look at t, on average over a step, all of which takes the value there:
    /// nothing where the signal is straight from look to look.
    fn held(&self, t: f64, h: f64) -> f64 {
        let looks = [t - h, t, t + h];
        let [a, seen, b] = looks.map(|t| self.at(t));
        let beyond = (seen - a.max(b)).max(a.min(b) - seen);
        if beyond <= 0.0 {
            return 0.0;
        }
        let mut points = vec![looks[0]];
        points.extend(self.breaks_within(looks[0], looks[2]).take_while(|t| *t < looks[2]).take(MOST));
        points.extend([t, looks[2]]);
        points.sort_by(f64::total_cmp);
        let truth: f64 = points.windows(2).map(|w| (w[1] - w[0]) * self.at(0.5 * (w[0] + w[1]))).sum();
        let counted = seen + 0.5 * (a + b);
        let excess = (counted - truth / h) * (seen - a).signum();
        excess.clamp(0.0, beyond)
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

    /// Instants and values between two instants: before and after each corner or jump inside, and half-way between them.
    fn looks(&self, [begin, end]: [f64; 2], inside: &[f64]) -> Vec<(f64, f64)> {
        let mut points = vec![begin];
        points.extend(inside);
        points.push(end);
        let piece = |w: &[f64]| {
            let [a, b] = [w[0], w[1]];
            [a, 0.5 * (a + b), b.next_down()].map(|t| (t, self.at(t)))
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
        // At the ends of steps it counts as 10 ms.
        assert!(over_the_edge.unseen(1e-2, 1.0, 1.0).is_some_and(|u| u.held && (u.share - 0.2).abs() < 1e-9));
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
    fn pulses_around_a_look_that_are_shorter_than_a_step_count_too_much() {
        let pulse = |from: f64, to: f64| points(&[(from, 0.0), (from, 1e3), (to, 1e3), (to, 0.0)]);
        for (from, to, share) in [
            (1.0, 1.0001, 0.9),
            (0.99995, 1.00005, 0.9),
            (0.9999, 1.0003, 0.6),
            (1.0, 1.001, 0.0),
            (0.9996, 1.0006, 0.0),
        ] {
            let unseen = pulse(from, to).unseen(1e-3, 3.0, 1.0);
            assert!((unseen.map_or(0.0, |u| u.share) - share).abs() < 1e-6, "{from} to {to}: {unseen:?}");
            assert!(unseen.is_none_or(|u| u.held && (u.t - 1.0).abs() < 1e-12), "{unseen:?}");
        }
        // A dip from 5 to 1 and, given at looks only, what goes up and down at random.
        let dip = points(&[(1.0, 5.0), (1.0, 1.0), (1.0002, 1.0), (1.0002, 5.0)]);
        assert!(dip.unseen(1e-3, 3.0, 1.0).is_some_and(|u| u.held && (u.share - 0.64).abs() < 1e-6));
        let noise: Vec<(f64, f64)> = (1..200).map(|k| (f64::from(k) * 1e-3, f64::from(k * k * 7919 % 100))).collect();
        assert_eq!(points(&noise).unseen(1e-3, 3.0, 1.0), None);
    }

    #[test]
    fn what_is_missed_has_the_date_of_its_step() {
        let pulse = |from: f64| points(&[(from, 0.0), (from, 1.0), (from + 1e-4, 1.0), (from + 1e-4, 0.0)]);
        for (from, ends) in [(1.0, 1.001), (1.0001, 1.001), (0.9997, 1.0), (1.0007, 1.001), (1.0011, 1.002)] {
            let unseen = pulse(from).unseen(1e-3, 3.0, 0.5).expect("missed");
            assert!((unseen.t - ends).abs() < 1e-12 && !unseen.held, "{from}: {unseen:?}");
        }
        assert!(pulse(0.0).unseen(1e-3, 3.0, 0.5).is_some_and(|u| (u.t - 1e-3).abs() < 1e-12));
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
