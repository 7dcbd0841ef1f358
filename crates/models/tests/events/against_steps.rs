//! Closed form against implicit Euler, on random wheels and manoeuvres.

use super::*;
use stickslip_core::scheme::implicit_euler;

/// A bound of the error of implicit Euler at the end, in the norm √(m x1² + J x2²) in which its steps contract.
///
/// A step of a contraction adds at most its own error, h |v'(end of step) − mean of v'| + h |F(beginning) − mean of F|
/// (M⁻¹ applied, mass norm). Summed over the steps: h times the total variation of v' and of M⁻¹F. Between breaks
/// forces are straight lines; every event and break changes each of the forces by at most twice its greatest value.
pub fn first_order(wheel: &Wheel, passage: &EventRunResult<WheelState>, h: f64, duration: f64) -> f64 {
    let lightest = wheel.parameters().mass.min(wheel.j());
    let greatest = (0..=10_000)
        .map(|k| duration * f64::from(k) / 1e4)
        .map(|t| wheel.drive(t).abs() + 2.0 * wheel.ground_bound(t) + wheel.brake_bound(t))
        .fold(0.0, f64::max);
    // Each span varies monotonically in each force and ends with a jump.
    4.0 * h * greatest * passage.spans as f64 / lightest.sqrt()
}

/// Uniform random numbers, the same in every run (xorshift).
pub struct Dice(pub u64);

impl Dice {
    pub fn in_range(&mut self, lo: f64, hi: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        lo + (hi - lo) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A straight-line signal with 2 to 7 points in [0, 6] s and values in [lo, hi], a third of them zero.
    fn signal(&mut self, lo: f64, hi: f64) -> Signal {
        let count = self.in_range(2.0, 8.0) as usize;
        let mut times: Vec<f64> = (0..count).map(|_| self.in_range(0.0, 6.0)).collect();
        times.sort_by(f64::total_cmp);
        let values: Vec<f64> =
            (0..count).map(|_| if self.in_range(0.0, 3.0) < 1.0 { 0.0 } else { self.in_range(lo, hi) }).collect();
        points(&times, &values)
    }

    /// One of n wheels that carry a mass together.
    pub fn vehicle_wheel(&mut self, i: usize, n: usize, mass: f64) -> stickslip_models::vehicle::WheelData {
        let hold = mass * 9.81 * RADIUS / n as f64;
        stickslip_models::vehicle::WheelData {
            name: format!("w{i}"),
            radius: RADIUS,
            inertia: self.in_range(0.3, 10.0),
            share: 1.0 / n as f64,
            friction: Signal::Constant(self.in_range(0.1, 1.0)),
            motor: self.signal(-1.2 * hold, 1.2 * hold),
            brake: self.signal(0.0, 1.5 * hold),
            ..stickslip_models::vehicle::WheelData::default()
        }
    }

    pub fn wheel(&mut self) -> Wheel {
        let x1 = self.in_range(-10.0, 10.0);
        let x2 = match self.in_range(0.0, 4.0) as u32 {
            0 => 0.0,
            1 => self.in_range(-10.0, 10.0),
            _ => -x1,
        };
        let friction = self.in_range(0.1, 1.0);
        let mass = self.in_range(100.0, 1000.0);
        let hold = mass * 9.81 * RADIUS;
        Wheel::new(Parameters {
            mass,
            inertia: self.in_range(0.3, 10.0),
            radius: RADIUS,
            friction: Signal::Constant(friction),
            motor: self.signal(-1.2 * hold, 1.2 * hold),
            brake: self.signal(0.0, 1.5 * hold),
            start: Start { x1, x2, ..Start::default() },
            ..Parameters::default()
        })
        .expect("valid")
    }
}

/// The pairs of states that a run passes through, with the time each begins. None shorter than `least` is listed.
fn sequence(end: &WheelState, events: &[Event], duration: f64, least: f64) -> Vec<(f64, [i8; 2])> {
    let region = end.region().expect("known");
    let mut now = [region.ground(), region.brake()];
    for e in events.iter().rev() {
        now[e.contact] = e.from.sign();
    }
    let mut all = vec![(0.0, now)];
    for e in events {
        now[e.contact] = e.to.sign();
        all.push((e.t, now));
    }
    let ends = all.iter().skip(1).map(|s| s.0).chain([duration]);
    let mut long: Vec<_> = all.iter().zip(ends).filter(|(s, end)| *end - s.0 > least).map(|(s, _)| *s).collect();
    long.dedup_by_key(|s| s.1);
    long
}

#[test]
fn random_manoeuvres_pass_through_the_same_states() {
    // States of fewer than ten steps are not compared: steps do not resolve them. Most of those are the single step
    // that implicit Euler rests on its way through zero from slip to slip; the few others are near ties.
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let (duration, steps) = (6.0, 1 << 18);
    let h = duration / f64::from(steps);
    let least = 10.0 * h;
    let (mut events, mut worst) = (0, 0.0_f64);
    for case in 0..1000 {
        let wheel = dice.wheel();
        let (passage, keep) = run(&wheel, duration, 6000);
        assert_eq!(passage.handovers, 0);
        assert!(ledger(&wheel, &passage).closure() <= 1e-12, "case {case}");
        let mut stepped = Keep::every(u64::MAX);
        let end = implicit_euler(&wheel, Grid { h, steps: steps as u64 }, &mut stepped).expect("runs").state;
        let error = norm(&wheel, end.x1 - passage.state.x1, end.x2 - passage.state.x2);
        let allowed = first_order(&wheel, &passage, h, duration);
        assert!(error <= allowed, "case {case}: {error} {allowed}");
        let exact = sequence(&passage.state, &keep.events, duration, least);
        let implicit = sequence(&end, &stepped.events, duration, least);
        let states = |sequence: &[(f64, [i8; 2])]| sequence.iter().map(|s| s.1).collect::<Vec<_>>();
        assert_eq!(states(&exact), states(&implicit), "case {case}:\n{exact:?}\n{implicit:?}");
        events += exact.len() - 1;
        worst = exact.iter().zip(&implicit).fold(worst, |m, (a, b)| m.max((a.0 - b.0).abs() / h));
    }
    // The manoeuvres are not empty, and steps find each event some steps from where it is (measured: 12.8).
    assert!(events > 4000 && worst < 20.0, "{events} {worst}");
}

#[test]
fn the_error_of_implicit_steps_is_of_first_order() {
    let brake = torque([0.5, 0.7, 2.0, 2.4], 2.0 * A_G);
    let wheel = wheel(Signal::ZERO, brake, 20.0, -20.0);
    let (_, keep) = run(&wheel, 6.0, 1024);
    let errors = [14, 15, 16, 17, 18].map(|k| {
        let steps = 1_u64 << k;
        let mut stepped = Keep::every(steps / 1024);
        implicit_euler(&wheel, Grid { h: 6.0 / steps as f64, steps }, &mut stepped).expect("runs");
        let pairs = keep.samples.iter().zip(&stepped.samples);
        pairs.map(|((_, a), (_, b))| norm(&wheel, a.x1 - b.x1, a.x2 - b.x2)).fold(0.0, f64::max)
    });
    for pair in errors.windows(2) {
        assert!(((pair[0] / pair[1]).log2() - 1.0).abs() <= 0.05, "{errors:?}");
    }
}

/// √(m x1² + J x2²).
fn norm(wheel: &Wheel, x1: f64, x2: f64) -> f64 {
    (wheel.parameters().mass * x1 * x1 + wheel.j() * x2 * x2).sqrt()
}
