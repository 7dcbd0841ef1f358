//! A belt whose speed jumps through zero slip shakes a neighbour loose, as the limit of a ramp.

use stickslip_core::law::State;
use stickslip_core::mechanics::{At, Flow, Grip, Signals, Sizes, Smooth};
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{Grid, Recording, smooth_events};
use stickslip_core::signal::{Points, Signal};
use stickslip_linalg::Matrix;

/// A block of 1 kg between a belt and the ground, 1 N on each pad.
struct Block {
    belt: Signal,
    /// Friction of rest and of slip, on the belt and on the ground.
    friction: [[f64; 2]; 2],
}

impl Smooth for Block {
    fn sizes(&self) -> Sizes {
        Sizes { positions: 1, velocities: 1, powers: 0, guards: 0 }
    }
    fn contact_sizes(&self) -> Vec<usize> {
        vec![1, 1]
    }
    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0], vec![0.0])
    }
    fn drift(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(at.v);
    }
    fn acceleration(&self, _: At, out: &mut [f64]) {
        out.fill(0.0);
    }
    fn slips(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(&[at.v[0] - self.belt.at(at.t), at.v[0]]);
    }
    fn slip_rates(&self, at: At, acceleration: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[acceleration[0] - self.belt.rate(at.t).unwrap_or(0.0), acceleration[0]]);
    }
    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        y[0] += forces[0] + forces[1];
    }
    fn influence(&self, _: At) -> Matrix {
        Matrix::from_fn(2, 2, |_, _| 1.0)
    }
    fn bound(&self, contact: usize, _: At, grip: Grip) -> f64 {
        self.friction[contact][usize::from(grip != Grip::Sticks)]
    }
    fn powers(&self, _: At, _: &[f64], _: &mut [f64]) {}
    fn signals(&self) -> Signals<'_> {
        Box::new(std::iter::once(("belt", &self.belt)))
    }
}

/// Where the block is at 3 s, and what the ground's pad does then.
fn end(points: &[(f64, f64)], friction: [[f64; 2]; 2]) -> (f64, State) {
    let (times, values) = points.iter().copied().unzip();
    let block = Block { belt: Signal::Points(Points::new(times, values).expect("sorted")), friction };
    let seen = |flow: &Flow| flow.clone();
    let run = smooth_events(&block, seen, Grid { h: 3.0, steps: 1 }, &Settings::default(), &mut Recording::every(1));
    let flow = run.expect("runs").state;
    (flow.q[0], flow.states[1])
}

const SHARP: [[f64; 2]; 2] = [[0.5, 0.3], [0.4, 0.2]];

#[test]
fn a_jump_is_the_limit_of_a_ramp() {
    for sign in [1.0, -1.0] {
        for from in [-1.0, 0.0] {
            let course = |ramp: f64| [(0.0, sign * from), (1.0, sign * from), (1.0 + ramp, sign), (4.0, sign)];
            let (jump, ramp) = (end(&course(0.0), SHARP).0, end(&course(1e-6), SHARP).0);
            // 0.1 m/s² from 1 s on.
            assert!((jump - 0.2 * sign).abs() < 1e-10, "{jump}");
            assert!((ramp - jump).abs() < 1e-6, "{ramp} {jump}");
        }
    }
}

#[test]
fn nothing_moves_where_nothing_drops_or_slip_holds_again() {
    let course = [(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (4.0, 1.0)];
    assert_eq!(end(&course, [[0.3, 0.3], [0.4, 0.4]]), (0.0, State::Stick));
    assert_eq!(end(&course, [[0.5, 0.3], [0.4, 0.35]]), (0.0, State::Stick));
    // A jump that does not lead through rest.
    assert_eq!(end(&[(0.0, 1.0), (1.0, 1.0), (1.0, 2.0), (4.0, 2.0)], SHARP), (0.0, State::Stick));
}
