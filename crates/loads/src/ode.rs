//! Smooth motion from event to event, for systems whose contacts have half-lines and cones.
//!
//! The modified midpoint rule extrapolated to order 14 (Gragg, Bulirsch and Stoer): no tables of coefficients, and a step
//! can end anywhere, so that events are located by making the step again, shorter. An event has the precision of a step.
//! (`stickslip_core::scheme` has collocation for intervals and disks; this is for what does not fit there, and for tests that
//! want a second opinion.)

/// Columns of the extrapolation; the order is twice that.
const COLUMNS: usize = 7;

/// Error of a step that is allowed, relative to the scale of each component.
const TOLERANCE: f64 = 1e-13;

/// A guard is armed when it has risen above this share of its scale: what starts at zero must leave it before it can return.
const ARMED: f64 = 1e-12;

/// Iterations in which an event is located; ten are usual.
const LOCATIONS: u32 = 80;

/// Shorter steps than this \[s\] mean that the motion is not smooth.
const SHORTEST: f64 = 1e-13;

/// A guard that is above zero for no longer than this is at zero \[s\].
const TURN: f64 = 1e-7;

/// Parts of a step that are looked through for a guard that dips below zero.
const PARTS: u32 = 32;

/// Dips are looked for where a guard comes this close to zero, as a share of what it moves within a step.
const DOUBT: f64 = 0.02;

/// Halvings in which the bottom of a dip is found: its depth is then known to the square of that.
const HALVINGS: u32 = 24;

/// The next step is this share of the one that would just do, and no less and no more than these of the last.
const CAUTION: f64 = 0.9;
const SHRINK: f64 = 0.2;
const GROW: f64 = 4.0;

/// A system with fixed modes.
pub trait Flow {
    /// ẏ at t.
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]);

    /// How many guards there are.
    fn guards(&self) -> usize;

    /// Functions that are positive while the modes hold.
    fn watch(&self, t: f64, y: &[f64], out: &mut [f64]);

    /// Whether a guard that begins at zero must rise: then falling below it without having risen is an event, too. By default it
    /// may pass.
    fn must_rise(&self, _guard: usize) -> bool {
        false
    }

    /// A guard, its rate and the rate of that, if it may touch zero and be back within a step; by default none does.
    fn bend(&self, _t: f64, _y: &[f64], _guard: usize) -> Option<[f64; 3]> {
        None
    }

    /// Takes out of y what rounding has left of constraints; nothing by default.
    fn settle(&self, _y: &mut [f64]) {}
}

/// How an advance ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stop {
    /// At the end that was asked for.
    End,
    /// At the zero of this guard.
    Guard(usize),
}

/// The motion is not smooth: steps have become shorter than any event.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the motion at t = {t} s is not smooth: a step of {step:.1e} s still has an error of {error:.1e}")]
pub struct NotSmooth {
    /// When.
    pub t: f64,
    /// Last step tried \[s\].
    pub step: f64,
    /// Its error, relative to the tolerance.
    pub error: f64,
}

/// An integrator with its room.
#[derive(Debug, Clone)]
pub struct Extrapolation {
    /// Greatest step \[s\]; guards that touch zero twice within it are not seen.
    longest: f64,
    /// Size of the components that counts as one, each.
    scales: Vec<f64>,
    h: f64,
    table: Vec<Vec<f64>>,
    start: Vec<f64>,
    rate: Vec<f64>,
    middle: [Vec<f64>; 2],
    trial: Vec<f64>,
}

impl Extrapolation {
    /// For components of these scales, with steps of at most `longest` \[s\].
    pub fn new(scales: Vec<f64>, longest: f64) -> Extrapolation {
        let zeros = vec![0.0; scales.len()];
        Extrapolation {
            longest,
            h: 0.1 * longest,
            table: vec![zeros.clone(); COLUMNS],
            start: zeros.clone(),
            rate: zeros.clone(),
            middle: [zeros.clone(), zeros.clone()],
            trial: zeros,
            scales,
        }
    }

    /// Advances y from t to `end`, or to the first guard that reaches zero. Guards that are not above zero yet are armed when
    /// they have risen.
    pub fn advance(&mut self, flow: &impl Flow, t: &mut f64, y: &mut [f64], end: f64) -> Result<Stop, NotSmooth> {
        let mut armed = Vec::new();
        while *t < end {
            if let Stop::Guard(guard) = self.unit(flow, t, y, end, &mut armed)? {
                return Ok(Stop::Guard(guard));
            }
        }
        Ok(Stop::End)
    }

    /// The size of the step to try next \[s\].
    pub fn size(&self) -> f64 {
        self.h
    }

    /// No step is longer than this \[s\].
    pub fn limit(&mut self, longest: f64) {
        self.longest = longest;
    }

    /// Tries this size next \[s\]: a step is what it would have been had all been made by one integrator.
    pub fn resume(&mut self, size: f64) {
        self.h = size;
    }

    /// One step that is accurate, no further than `end` and no further than the first guard that reaches zero. `armed` tells
    /// which guards have risen above zero; an empty list is made anew.
    pub fn unit(
        &mut self,
        flow: &impl Flow,
        t: &mut f64,
        y: &mut [f64],
        end: f64,
        armed: &mut Vec<bool>,
    ) -> Result<Stop, NotSmooth> {
        let count = flow.guards();
        let (mut before, mut after) = (vec![0.0; count], vec![0.0; count]);
        flow.watch(*t, y, &mut before);
        armed.resize(count, false);
        armed.iter_mut().zip(&before).for_each(|(armed, guard)| *armed |= *guard > ARMED);
        loop {
            let left = end - *t;
            let mut h = self.h.min(self.longest);
            // No sliver is left for the last step.
            if h > 0.7 * left {
                h = if h >= left { left } else { 0.5 * left };
            }
            let error = self.step(flow, *t, y, h);
            if error.is_nan() || error > 1.0 {
                if h < SHORTEST {
                    return Err(NotSmooth { t: *t, step: h, error });
                }
                self.h = h * if error.is_finite() { resize(error) } else { 0.1 };
                continue;
            }
            flow.watch(*t + h, &self.trial, &mut after);
            // Below zero and back: the step ends at the lowest point, where all can see it.
            if let Some(tau) = (0..count).find_map(|i| self.dip(flow, *t, y, h, i)) {
                self.h = tau;
                continue;
            }
            let mut first: Option<(f64, usize)> = None;
            for i in (0..count).filter(|i| armed[*i] && after[*i] <= 0.0) {
                let until = first.map_or(h, |(tau, _)| tau);
                if let Some(tau) = self.locate(flow, *t, y, (before[i], after[i]), h, i, until) {
                    first = Some((tau, i));
                }
            }
            // A guard that has not risen yet and is below zero at the end has done so on the way, or turned at once.
            if let Some(guard) = (0..count).find(|i| !armed[*i] && after[*i] < -ARMED && flow.must_rise(*i)) {
                if h <= TURN {
                    return Ok(Stop::Guard(guard));
                }
                self.h = h * 0.25;
                continue;
            }
            if let Some((tau, guard)) = first {
                self.step(flow, *t, y, tau);
                y.copy_from_slice(&self.trial);
                *t += tau;
                flow.settle(y);
                return Ok(Stop::Guard(guard));
            }
            y.copy_from_slice(&self.trial);
            flow.settle(y);
            *t = if h == left { end } else { *t + h };
            self.h = self.longest.min(h.max(self.h.min(self.longest)) * resize(error).min(4.0));
            return Ok(Stop::End);
        }
    }

    /// The state a time `tau` after t and y, within a step that is accurate.
    pub fn within(&mut self, flow: &impl Flow, t: f64, y: &mut [f64], tau: f64) {
        self.step(flow, t, y, tau);
        y.copy_from_slice(&self.trial);
        flow.settle(y);
    }

    /// Where guard i is lowest within a step from y that has been made just now, if it is below zero there and rises again. The
    /// polynomial of degree five with the values, rates and bends of both ends says where to look.
    fn dip(&mut self, flow: &impl Flow, t: f64, y: &[f64], h: f64, i: usize) -> Option<f64> {
        let (from, to) = (flow.bend(t, y, i)?, flow.bend(t + h, &self.trial, i)?);
        let size = h * from[1].abs().max(to[1].abs()) + h * h * from[2].abs().max(to[2].abs());
        if from[0].min(to[0]) > size {
            return None;
        }
        let arc = Quintic::new(from, to, h);
        let ends = self.trial.clone();
        let mut found = None;
        for k in 0..PARTS {
            let [a, b] = [k, k + 1].map(|k| f64::from(k) / f64::from(PARTS));
            if arc.rate(a) < 0.0 && arc.rate(b) >= 0.0 && arc.value(a).min(arc.value(b)) < DOUBT * size {
                // One part more on either side: the polynomial is not the motion.
                let one = 1.0 / f64::from(PARTS);
                let bracket = ((a - one).max(0.0) * h, (b + one).min(1.0) * h);
                found = self.lowest(flow, t, y, bracket, i).filter(|(_, value)| *value < -ARMED).map(|(tau, _)| tau);
                if found.is_some() {
                    break;
                }
            }
        }
        self.trial.copy_from_slice(&ends);
        found.filter(|tau| *tau < h)
    }

    /// Where guard i is lowest in a bracket, and how low: the rate of it is zero.
    fn lowest(&mut self, flow: &impl Flow, t: f64, y: &[f64], bracket: (f64, f64), i: usize) -> Option<(f64, f64)> {
        let (mut low, mut high) = bracket;
        let mut best: Option<(f64, f64)> = None;
        for _ in 0..HALVINGS {
            let tau = 0.5 * (low + high);
            self.step(flow, t, y, tau);
            let [value, rate, _] = flow.bend(t + tau, &self.trial, i)?;
            if best.is_none_or(|(_, least)| value < least) {
                best = Some((tau, value));
            }
            // Low enough to be seen: the rest is for the event itself.
            if value < -ARMED {
                break;
            }
            if rate < 0.0 { low = tau } else { high = tau }
        }
        best
    }

    /// Where guard i is zero within a step from y, if before `until`: a bracket closed by false position (Illinois).
    #[allow(clippy::too_many_arguments, reason = "one place calls it")]
    fn locate(
        &mut self,
        flow: &impl Flow,
        t: f64,
        y: &[f64],
        (at_start, at_end): (f64, f64),
        h: f64,
        i: usize,
        until: f64,
    ) -> Option<f64> {
        let mut guards = vec![0.0; flow.guards()];
        let (mut low, mut high) = ((0.0, at_start), (h, at_end));
        for turn in 0..LOCATIONS {
            if high.1 == 0.0 || high.0 - low.0 <= 4.0 * f64::EPSILON * (t + h) {
                break;
            }
            let secant = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            let inside = secant > low.0 && secant < high.0 && turn % 8 != 7;
            let tau = if inside { secant } else { 0.5 * (low.0 + high.0) };
            self.step(flow, t, y, tau);
            flow.watch(t + tau, &self.trial, &mut guards);
            if guards[i] > 0.0 {
                (low, high.1) = ((tau, guards[i]), 0.5 * high.1);
            } else {
                (high, low.1) = ((tau, guards[i]), 0.5 * low.1);
            }
        }
        (high.0 <= until).then_some(high.0)
    }

    /// One step of size h from y into `trial`. Returns its error over the tolerance.
    pub fn step(&mut self, flow: &impl Flow, t: f64, y: &[f64], h: f64) -> f64 {
        flow.rates(t, y, &mut self.start);
        let mut error = 0.0;
        for k in 0..COLUMNS {
            let parts = (2 * (k + 1)) as f64;
            self.midpoint(flow, t, y, h, 2 * (k + 1));
            // Neville's scheme in place: column j of the table holds, row after row, what was extrapolated j times.
            // Increments are extrapolated, not states, so that rounding stays that of the increment.
            for j in 0..k {
                let ratio = (parts / (2 * (k - j)) as f64).powi(2) - 1.0;
                for (column, trial) in self.table[j].iter_mut().zip(&mut self.trial) {
                    let better = *trial + (*trial - *column) / ratio;
                    (*column, *trial) = (*trial, better);
                }
            }
            self.table[k].copy_from_slice(&self.trial);
            if k + 1 == COLUMNS {
                error = self.difference();
            }
        }
        sum(y, &self.table[COLUMNS - 1], &mut self.trial);
        error
    }

    fn difference(&self) -> f64 {
        let pairs = self.table[COLUMNS - 1].iter().zip(&self.table[COLUMNS - 2]).zip(&self.scales);
        pairs.fold(0.0, |worst: f64, ((best, next), scale)| {
            let error = (best - next).abs() / (TOLERANCE * scale);
            if error > worst || error.is_nan() { error } else { worst }
        })
    }

    /// The increment over h by the modified midpoint rule with an even number of parts, into `trial`.
    fn midpoint(&mut self, flow: &impl Flow, t: f64, y: &[f64], h: f64, parts: usize) {
        let part = h / parts as f64;
        let [even, odd] = &mut self.middle;
        even.fill(0.0);
        odd.fill(0.0);
        add(part, &self.start, odd);
        for k in 1..parts {
            sum(y, odd, &mut self.trial);
            flow.rates(t + k as f64 * part, &self.trial, &mut self.rate);
            add(2.0 * part, &self.rate, even);
            std::mem::swap(even, odd);
        }
        sum(y, odd, &mut self.trial);
        flow.rates(t + h, &self.trial, &mut self.rate);
        add(part, &self.rate, odd);
        sum(odd, even, &mut self.trial);
        self.trial.iter_mut().for_each(|increment| *increment *= 0.5);
    }
}

/// A polynomial of degree five over 0 … 1.
struct Quintic([f64; 6]);

impl Quintic {
    /// With values, rates and bends at the ends of a step of size h.
    fn new(from: [f64; 3], to: [f64; 3], h: f64) -> Quintic {
        let [a, b, c] = [from[0], h * from[1], 0.5 * h * h * from[2]];
        // What is left at the end of value, rate and half the bend.
        let (v, r, q) = (to[0] - a - b - c, h * to[1] - b - 2.0 * c, 0.5 * h * h * to[2] - c);
        Quintic([a, b, c, 10.0 * v - 4.0 * r + q, -15.0 * v + 7.0 * r - 2.0 * q, 6.0 * v - 3.0 * r + q])
    }

    fn value(&self, s: f64) -> f64 {
        self.0.iter().rev().fold(0.0, |sum, c| sum * s + c)
    }

    fn rate(&self, s: f64) -> f64 {
        (1..6).rev().fold(0.0, |sum, k| sum * s + k as f64 * self.0[k])
    }
}

/// out = a + b.
fn sum(a: &[f64], b: &[f64], out: &mut [f64]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = a + b;
    }
}

/// y += factor·x.
fn add(factor: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += factor * x;
    }
}

/// The factor by which a step with this error should change.
fn resize(error: f64) -> f64 {
    (CAUTION * error.max(f64::MIN_POSITIVE).powf(-1.0 / (2 * COLUMNS - 1) as f64)).clamp(SHRINK, GROW)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pendulum with a guard at an angle.
    struct Pendulum;

    impl Flow for Pendulum {
        fn rates(&self, _: f64, y: &[f64], out: &mut [f64]) {
            (out[0], out[1]) = (y[1], -y[0].sin());
        }
        fn guards(&self) -> usize {
            1
        }
        fn watch(&self, _: f64, y: &[f64], out: &mut [f64]) {
            out[0] = y[0];
        }
    }

    /// A quarter of the period of a pendulum with amplitude 1, K(sin ½), by the arithmetic-geometric mean.
    fn quarter() -> f64 {
        let (mut a, mut g) = (1.0, 0.5_f64.cos());
        for _ in 0..8 {
            (a, g) = (0.5 * (a + g), f64::sqrt(a * g));
        }
        std::f64::consts::FRAC_PI_2 / a
    }

    #[test]
    fn an_event_has_the_precision_of_a_step() {
        let mut integrator = Extrapolation::new(vec![1.0; 2], 0.5);
        let (mut t, mut y) = (0.0, [1.0, 0.0]);
        assert_eq!(integrator.advance(&Pendulum, &mut t, &mut y, 10.0), Ok(Stop::Guard(0)));
        assert!((t - quarter()).abs() < 1e-12, "{t} {}", quarter());
        // The guard starts at zero: it is armed when the pendulum has come back from the other side.
        assert_eq!(integrator.advance(&Pendulum, &mut t, &mut y, 10.0), Ok(Stop::Guard(0)));
        assert!((t - 5.0 * quarter()).abs() < 1e-11, "{t} {}", 5.0 * quarter());
        let end = t + 0.1;
        assert_eq!(integrator.advance(&Pendulum, &mut t, &mut y, end), Ok(Stop::End));
    }

    #[test]
    fn a_step_is_of_order_fourteen() {
        let error = |h: f64| {
            let mut integrator = Extrapolation::new(vec![1.0; 2], 1.0);
            let mut y = [1.0, 0.0];
            for k in 0..(4.0 / h) as u32 {
                integrator.step(&Pendulum, f64::from(k) * h, &y, h);
                y.copy_from_slice(&integrator.trial);
            }
            (0.5 * y[1] * y[1] - y[0].cos() + 1.0_f64.cos()).abs()
        };
        let order = (error(2.0) / error(1.0)).log2();
        assert!(order > 12.0, "{order}");
    }

    #[test]
    fn a_motion_that_is_not_smooth_is_named() {
        struct Broken;
        impl Flow for Broken {
            fn rates(&self, t: f64, _: &[f64], out: &mut [f64]) {
                out[0] = if t < 0.3 { 0.0 } else { f64::NAN };
            }
            fn guards(&self) -> usize {
                0
            }
            fn watch(&self, _: f64, _: &[f64], _: &mut [f64]) {}
        }
        let mut integrator = Extrapolation::new(vec![1.0], 0.1);
        let (mut t, mut y) = (0.0, [0.0]);
        let error = integrator.advance(&Broken, &mut t, &mut y, 1.0).expect_err("it breaks");
        assert!((error.t - 0.3).abs() < 1e-6 && error.to_string().contains("not smooth"), "{error}");
    }
}
