//! One block on a spring, on a line or in the plane, on ground or belt, with any friction: closed forms.

use super::*;
use stickslip_core::mechanics::{At, Flow, Grip, Sizes, Smooth};
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{Grid, smooth_events};
use stickslip_linalg::Matrix;

/// m x'' + k x = F(t) + r in D dimensions on a belt of the velocity given, |r| ≤ a(grip).
struct Block<const D: usize> {
    mass: f64,
    stiffness: f64,
    force: fn(f64) -> [f64; D],
    belt: [f64; D],
    bound: fn(Grip) -> f64,
    x: [f64; D],
    v: [f64; D],
}

impl<const D: usize> Smooth for Block<D> {
    fn sizes(&self) -> Sizes {
        Sizes { positions: D, velocities: D, powers: 1, guards: 0 }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![D]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (self.x.to_vec(), self.v.to_vec())
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        let force = (self.force)(at.t);
        (0..D).for_each(|i| out[i] = (force[i] - self.stiffness * at.q[i]) / self.mass);
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        (0..D).for_each(|i| out[i] = at.v[i] - self.belt[i]);
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        out.copy_from_slice(acceleration);
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        (0..D).for_each(|i| y[i] += forces[i] / self.mass);
    }

    fn influence(&self, _: At) -> Matrix {
        Matrix::from_fn(D, D, |i, j| if i == j { 1.0 / self.mass } else { 0.0 })
    }

    fn bound(&self, _: usize, _: At, grip: Grip) -> f64 {
        (self.bound)(grip)
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        let force = (self.force)(at.t);
        out[0] = (0..D).map(|i| force[i] * at.v[i]).sum();
    }

    fn next_break(&self, _: f64) -> f64 {
        f64::INFINITY
    }
}

fn go<const D: usize>(block: &Block<D>, duration: f64, steps: u64) -> (EventRunResult<Flow>, Keep<Flow>) {
    let mut keep = Keep::every(1);
    let grid = Grid { h: duration / steps as f64, steps };
    let passage = smooth_events(block, Flow::clone, grid, &Settings::default(), &mut keep).expect("runs");
    assert_eq!(passage.handovers, 0);
    (passage, keep)
}

#[test]
fn the_free_coulomb_oscillator_comes_to_rest() {
    // x'' + x = −sgn x' from (12, 6): circles about ±1 that shrink by 2 every half turn.
    let block = Block { mass: 1.0, stiffness: 1.0, force: |_| [0.0], belt: [0.0], bound: |_| 1.0, x: [12.0], v: [6.0] };
    let (passage, keep) = go(&block, 30.0, 30);
    let rest = (6.0_f64 / 13.0).atan() + 7.0 * std::f64::consts::PI;
    let last = keep.events.last().expect("events");
    assert!(sticks(last.to) && (last.t - rest).abs() <= 1e-11, "{last:?} {rest}");
    assert_eq!(keep.events.len(), 8);
    let end = &passage.state;
    assert!((end.q[0] - (15.0 - 205_f64.sqrt())).abs() <= 1e-11, "{}", end.q[0]);
    assert_eq!(end.v[0], 0.0);
    let stored = |x: f64, v: f64| 0.5 * (x * x + v * v);
    assert!((stored(12.0, 6.0) - stored(end.q[0], 0.0) - end.dissipated[0]).abs() <= 1e-10);
}

#[test]
fn den_hartog() {
    // x'' + x = cos 0.8 t − 0.3 sgn x': steady amplitude.
    let block = Block {
        mass: 1.0,
        stiffness: 1.0,
        force: |t| [(0.8 * t).cos()],
        belt: [0.0],
        bound: |_| 0.3,
        x: [0.0],
        v: [0.0],
    };
    let (_, keep) = go(&block, 800.0, 1);
    // Extremes are where the velocity changes its sign: take the events after the transient.
    let period = 2.0 * std::f64::consts::PI / 0.8;
    let late = |t: f64| t > 800.0 - 2.0 * period;
    let turns: Vec<f64> = keep.events.iter().map(|e| e.t).filter(|t| late(*t)).collect();
    assert!(turns.len() >= 3);
    for pair in turns.windows(2) {
        assert!((pair[1] - pair[0] - 0.5 * period).abs() < 1e-8, "{turns:?}");
    }
    let (_, fine) = go(&block, *turns.last().expect("turns"), 1);
    let amplitude = fine.samples.last().expect("end").1.q[0].abs();
    assert!((amplitude - 2.626104876).abs() <= 1e-8, "{amplitude}");
}

#[test]
fn block_on_a_belt() {
    // m = k = Fs = 1, Fk = 0.5, v = 0.2: sticks 5 s of a period of 8.902605408 s.
    let friction = |grip| if grip == Grip::Sticks { 1.0 } else { 0.5 };
    let block = Block { mass: 1.0, stiffness: 1.0, force: |_| [0.0], belt: [0.2], bound: friction, x: [0.0], v: [0.2] };
    let (passage, keep) = go(&block, 60.0, 60);
    let leaves: Vec<f64> = keep.events.iter().filter(|e| sticks(e.from)).map(|e| e.t).collect();
    let arrives: Vec<f64> = keep.events.iter().filter(|e| sticks(e.to)).map(|e| e.t).collect();
    // Leaves at x = 1. Then x = 0.5 + 0.5 cos u + 0.2 sin u, back at the belt's speed at x = 0 after 2π − 2 atan 2.5.
    let slipping = 2.0 * std::f64::consts::PI - 2.0 * 2.5_f64.atan();
    assert!((slipping - 3.902605408).abs() < 1e-9);
    assert!(leaves.len() >= 6);
    assert!((leaves[0] - 5.0).abs() <= 1e-11);
    for (leave, arrive) in leaves.iter().zip(&arrives) {
        assert!((arrive - leave - slipping).abs() <= 1e-10, "{leave} {arrive}");
    }
    for pair in leaves.windows(2) {
        assert!((pair[1] - pair[0] - 8.902605408).abs() <= 1e-9);
    }
    assert!(keep.samples.iter().all(|(_, f)| !sticks(f.states[0]) || (f.s[0] == 0.0 && f.v[0] == 0.2)));
    assert!(passage.stuck[0] > 30.0);
}

#[test]
fn block_across_an_incline() {
    // μ = 0.6, 20°, pushed across with 2 m/s: the path bends downhill and ends after v0 μ cosθ/(g (μ² cos²θ − sin²θ)).
    const G: f64 = 9.81;
    let (sin, cos) = 20_f64.to_radians().sin_cos();
    let block = Block {
        mass: 1.0,
        stiffness: 0.0,
        force: |_| [0.0, -G * 20_f64.to_radians().sin()],
        belt: [0.0; 2],
        bound: |_| 0.6 * G * 20_f64.to_radians().cos(),
        x: [0.0; 2],
        v: [2.0, 0.0],
    };
    let stop = 2.0 * 0.6 * cos / (G * ((0.6 * cos).powi(2) - sin * sin));
    assert!((stop - 0.572131715).abs() < 1e-9);
    let (passage, keep) = go(&block, 1.0, 100);
    assert_eq!(keep.events.len(), 1, "{:?}", keep.events);
    let event = keep.events[0];
    assert!(sticks(event.to) && (event.t - stop).abs() <= 1e-11, "{event:?} {stop}");
    assert_eq!(passage.state.v, [0.0; 2]);
    // Hodograph: |v| (1 + cosφ)^(…) as Euler's curve; energy instead: ½ v0² = ∫(a |v| − g·v), tallied.
    let end = &passage.state;
    assert!((0.5 * 4.0 + end.work[0] - end.dissipated[0]).abs() <= 1e-11);
}

#[test]
fn slips_in_a_circle() {
    // m r'' + k r + a r'/|r'| = A (cos pt, sin pt): a circle of radius sqrt(A² − a²)/|k − m p²|. Started on it.
    let (p, amplitude, friction, stiffness) = (3.0_f64, 5.0_f64, 2.0_f64, 4.0_f64);
    let radius = (amplitude * amplitude - friction * friction).sqrt() / (stiffness - p * p).abs();
    // The force leads: −m p² ρ + kρ = A cos δ (negative), a = A sin δ with r = ρ (cos(pt − δ), …).
    let delta = f64::atan2(friction, (stiffness - p * p) * radius);
    let block = Block {
        mass: 1.0,
        stiffness,
        force: |t| [5.0 * (3.0 * t).cos(), 5.0 * (3.0 * t).sin()],
        belt: [0.0; 2],
        bound: |_| 2.0,
        x: [radius * delta.cos(), -radius * delta.sin()],
        v: [radius * p * delta.sin(), radius * p * delta.cos()],
    };
    let (_, keep) = go(&block, 20.0, 200);
    assert!(keep.events.is_empty());
    for (t, flow) in &keep.samples {
        let size = flow.q[0].hypot(flow.q[1]);
        assert!((size - radius).abs() <= 1e-9, "t = {t}: {size} {radius}");
    }
}

#[test]
fn the_plane_holds_a_line() {
    // A 2-D pad that is driven along one axis does what a 1-D pad does, to rounding; along another axis likewise.
    let line = Block {
        mass: 1.0,
        stiffness: 1.0,
        force: |t| [1.9 * (1.25 * t).cos()],
        belt: [0.0],
        bound: |_| 1.0,
        x: [0.0],
        v: [0.0],
    };
    let plane = Block {
        mass: 1.0,
        stiffness: 1.0,
        force: |t| [0.6 * 1.9 * (1.25 * t).cos(), 0.8 * 1.9 * (1.25 * t).cos()],
        belt: [0.0; 2],
        bound: |_| 1.0,
        x: [0.0; 2],
        v: [0.0; 2],
    };
    let ((_, a), (_, b)) = (go(&line, 40.0, 40), go(&plane, 40.0, 40));
    assert!(a.events.len() >= 16 && a.events.len() == b.events.len(), "{:?}\n{:?}", a.events, b.events);
    for (a, b) in a.events.iter().zip(&b.events) {
        assert!((a.t - b.t).abs() <= 1e-9, "{a:?} {b:?}");
    }
    for ((_, a), (_, b)) in a.samples.iter().zip(&b.samples) {
        assert!((a.q[0] - (0.6 * b.q[0] + 0.8 * b.q[1])).abs() <= 1e-9);
    }
}

#[test]
fn leaves_rest_in_the_plane_along_the_force() {
    // A force that turns while it grows: |F| = 0.2 t reaches a = 1 at t = 5; the slip begins along it and then lags.
    let block = Block {
        mass: 2.0,
        stiffness: 0.0,
        force: |t| [0.2 * t * t.cos(), 0.2 * t * t.sin()],
        belt: [0.0; 2],
        bound: |_| 1.0,
        x: [0.0; 2],
        v: [0.0; 2],
    };
    let (passage, keep) = go(&block, 9.0, 900);
    let event = keep.events[0];
    assert!((event.t - 5.0).abs() <= 1e-11, "{event:?}");
    let State::Slip([x, y]) = event.to else { panic!("{event:?}") };
    assert!((x - 5.0_f64.cos()).abs() <= 1e-9 && (y - 5.0_f64.sin()).abs() <= 1e-9, "{event:?}");
    // Just after: m |s|' = |F| − a grows from 0, so |s| ≈ 0.2 τ²/(2 m).
    let (t, flow) = keep.samples.iter().find(|(t, _)| *t > 5.0 + 1e-9).expect("later");
    let tau = t - 5.0;
    assert!((flow.s[0].hypot(flow.s[1]) / (0.05 * tau * tau) - 1.0).abs() < 0.02);
    let end = &passage.state;
    assert!((end.work[0] - end.dissipated[0] - (end.v[0].powi(2) + end.v[1].powi(2))).abs() <= 1e-10);
}
