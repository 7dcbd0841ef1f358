//! The towed wheel between events.
//!
//! Positions (ψ, w), velocities (u1, u2, Ω): slips are velocities themselves, and exactly 0.0 while rolling.

use stickslip_core::scheme::ByEvents;
use stickslip_linalg::Matrix;

use super::{Form, TowedState, TowedWheel};
use stickslip_core::mechanics::{At, Flow, Grip, NoClosedForm, Sizes, Smooth};

fn velocities(at: At) -> [f64; 3] {
    [at.v[0], at.v[1], at.v[2]]
}

fn sine_and_cosine(at: At) -> [f64; 2] {
    let (sin, cos) = at.q[0].sin_cos();
    [sin, cos]
}

impl Smooth for TowedWheel {
    fn sizes(&self) -> Sizes {
        Sizes { positions: 2, velocities: 3, powers: 1, guards: 0 }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![2]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let s = self.parameters.start;
        (vec![s.psi, s.w], vec![s.u1, s.u2, s.omega])
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        let [_, u2, omega] = velocities(at);
        out[0] = omega;
        out[1] = u2 + self.parameters.speed * at.q[0].sin() + self.parameters.length * omega;
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(&self.free(self.parameters.form, sine_and_cosine(at), at.q[1], velocities(at)));
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&acceleration[..2]);
    }

    fn push(&self, at: At, forces: &[f64], y: &mut [f64]) {
        self.pushed(self.parameters.form, at.q[1], [forces[0], forces[1]], y);
    }

    fn influence(&self, at: At) -> Matrix {
        let [w11, w12, w22] = self.influence_at(self.parameters.form, at.q[1]);
        Matrix::from_rows(&[&[w11, w12], &[w12, w22]])
    }

    fn influence_is_constant(&self) -> bool {
        self.parameters.form == Form::Small
    }

    fn bound(&self, _: usize, _: At, _: Grip) -> f64 {
        self.parameters.friction
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        out[0] = self.power(self.parameters.form, sine_and_cosine(at), at.q[1], velocities(at));
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        if stuck[0] {
            v[..2].fill(0.0);
        }
    }
}

impl ByEvents for TowedWheel {
    type Closed = NoClosedForm<TowedState>;

    fn closed_form(&self) -> Option<&NoClosedForm<TowedState>> {
        None
    }

    fn state_at(&self, flow: &Flow) -> TowedState {
        TowedState::in_motion(flow)
    }
}
