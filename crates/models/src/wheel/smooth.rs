//! The wheel between events where its signals are no straight lines.

use stickslip_linalg::Matrix;

use super::{Wheel, WheelState};
use stickslip_core::law::{OverSlip, SlipRange};
use stickslip_core::mechanics::{Affine, At, Flow, Grip, Sizes, Smooth, SystemError};
use stickslip_core::mechanics::{check_signals, first_break, known_until, motion};
use stickslip_core::scheme::ByEvents;
use stickslip_core::signal::Signal;

impl Wheel {
    fn signals(&self) -> [(&'static str, &Signal); 3] {
        [("motor torque", &self.drive), ("friction", &self.ground), ("brake torque", &self.brake)]
    }
}

/// Positions ∫x1 and ∫x2, velocities x1 and x2.
impl Smooth for Wheel {
    fn sizes(&self) -> Sizes {
        let guards = self.parameters.over_slip.corners().map(<[f64]>::len);
        Sizes { positions: 2, velocities: 2, powers: 1, guards: guards[0] + guards[1] }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![1; 2]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0; 2], Affine::initial(self).to_vec())
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(at.v);
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(&[0.0, self.drive.at(at.t) / self.j]);
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        out.copy_from_slice(&[at.v[0] + at.v[1], at.v[1]]);
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
        let OverSlip { ground, brake } = &self.parameters.over_slip;
        let (on_ground, in_brake) = at.sides.split_at(self.parameters.over_slip.corners()[0].len());
        let (signal, law, sides) =
            if contact == 0 { (&self.ground, ground, on_ground) } else { (&self.brake, brake, in_brake) };
        signal.at(at.t) * law.as_ref().map_or(1.0, |law| grip.coefficient(law, sides))
    }

    fn slip_range(&self, contact: usize) -> Option<SlipRange> {
        let OverSlip { ground, brake } = &self.parameters.over_slip;
        [ground, brake][contact].as_ref()?.range()
    }

    /// One for each slip speed at which a factor has a corner.
    fn guards(&self, at: At, out: &mut [f64]) {
        let [ground, brake] = self.parameters.over_slip.corners();
        let slips = [(at.v[0] + at.v[1]).abs(), at.v[1].abs()];
        let corners = ground.iter().map(|c| slips[0] - c).chain(brake.iter().map(|c| slips[1] - c));
        out.iter_mut().zip(corners).for_each(|(guard, value)| *guard = value);
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        out[0] = self.drive.at(at.t) * at.v[1];
    }

    fn known_until(&self) -> f64 {
        known_until(self.signals().into_iter().map(|(_, signal)| signal))
    }

    fn next_break(&self, t: f64) -> f64 {
        first_break(self.signals().into_iter().map(|(_, signal)| signal), t)
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        let mut velocities = [v[0], v[1]];
        self.settle(&[f64::from(!stuck[0]), f64::from(!stuck[1])], &mut velocities);
        v.copy_from_slice(&velocities);
    }

    fn select_rates(&self, stuck: &[bool], a: &mut [f64]) {
        self.select(stuck, a);
    }

    fn check(&self, t: f64) -> Result<(), SystemError> {
        check_signals(self.signals().into_iter(), t)
    }
}

impl ByEvents for Wheel {
    type Closed = Wheel;

    fn closed_form(&self) -> Option<&Wheel> {
        let straight = self.signals().into_iter().all(|(_, signal)| signal.is_straight());
        (self.parameters.over_slip.is_none() && straight).then_some(self)
    }

    fn state_at(&self, flow: &Flow) -> WheelState {
        Affine::state(self, &motion(flow))
    }
}
