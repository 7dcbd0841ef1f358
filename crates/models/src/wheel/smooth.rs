//! The wheel between events where its signals are no straight lines.

use stickslip_linalg::Matrix;

use super::{Wheel, WheelState};
use stickslip_core::law::SlipRange;
use stickslip_core::mechanics::{Affine, At, Flow, Grip, Signals, Sizes, Smooth, motion};
use stickslip_core::scheme::ByEvents;

/// Positions ∫x1 and ∫x2, velocities x1 and x2.
impl Smooth for Wheel {
    fn sizes(&self) -> Sizes {
        Sizes { positions: 2, velocities: 2, powers: 1, guards: self.laws.guards() }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![1; 2]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0; 2], Affine::initial(self).to_vec())
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(&[0.0, self.drive.at(at.t) / self.j]);
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[acceleration[0] + acceleration[1], acceleration[1]]);
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        y[0] += forces[0] / self.parameters.mass;
        y[1] += (forces[0] + forces[1]) / self.j;
    }

    fn influence(&self, _: At) -> Matrix {
        let [ground, brake] = Affine::influence(self);
        Matrix::from_rows(&[&[ground, brake], &[brake, brake]])
    }

    fn bound(&self, contact: usize, at: At, grip: Grip) -> f64 {
        [&self.ground, &self.brake][contact].at(at.t) * self.laws.factor(contact, at.sides, grip)
    }

    fn slip_range(&self, contact: usize) -> Option<SlipRange> {
        self.laws.range(contact)
    }

    /// One for each slip speed at which a factor has a corner.
    fn guards(&self, at: At, out: &mut [f64]) {
        let corners = self.laws.guard_values(|contact| [at.v[0] + at.v[1], at.v[1]][contact]);
        out.iter_mut().zip(corners).for_each(|(guard, value)| *guard = value);
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        out[0] = self.drive.at(at.t) * at.v[1];
    }

    fn signals(&self) -> Signals<'_> {
        let signals = [("motor torque", &self.drive), ("friction", &self.ground), ("brake torque", &self.brake)];
        Box::new(signals.into_iter())
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        let mut velocities = [v[0], v[1]];
        self.settle(&[f64::from(!stuck[0]), f64::from(!stuck[1])], &mut velocities);
        v.copy_from_slice(&velocities);
    }

    fn select_rates(&self, stuck: &[bool], a: &mut [f64]) {
        self.select(stuck, a);
    }
}

impl ByEvents for Wheel {
    type Closed = Wheel;

    fn closed_form(&self) -> Option<&Wheel> {
        let straight = self.signals().all(|(_, signal)| signal.is_straight());
        (self.laws.is_none() && straight).then_some(self)
    }

    fn begun_in_closed_form(&self) -> Option<&Wheel> {
        Some(self)
    }

    fn state_at(&self, flow: &Flow) -> WheelState {
        Affine::state(self, &motion(flow))
    }
}
