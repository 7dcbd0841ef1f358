//! The wheel between events: the other integrator, by collocation, for a point and for a creep law.
//!
//! Positions: modal coordinates, and the force that lags. Velocities: their rates.

use stickslip_core::law::{Coefficient, SlipRange};
use stickslip_core::mechanics::{At, Flow, Grip as Hold, NoClosedForm, Sizes, Smooth};
use stickslip_core::scheme::ByEvents;
use stickslip_linalg::Matrix;
use stickslip_squeal::motion::{Energies, Grip, Motion};
use stickslip_squeal::step::{height, lateral};
use stickslip_squeal::{Contact, Friction};

use super::{Rolling, SquealState};

/// Powers that are tallied: drive, roughness, modal damping, heat of a creep law.
const POWERS: usize = 4;

/// Time over which the rate of the roughness is taken \[s\].
const SHORT: f64 = 1e-7;

impl Rolling {
    fn lags(&self) -> bool {
        matches!(self.wheel().contact, Contact::Creep { lag, .. } if lag > 0.0)
    }

    fn load_at(&self, at: At) -> f64 {
        let wheel = self.wheel();
        wheel.spring.load(wheel.roughness.at(at.t) - height(wheel, at.q))
    }

    /// Friction that is a function of the state: 0 for a point, whose friction is a contact force.
    fn smooth_friction(&self, at: At, load: f64) -> f64 {
        let wheel = self.wheel();
        match &wheel.contact {
            Contact::Creep { .. } if self.lags() => -at.q[wheel.modes.len()],
            Contact::Creep { friction, slope, .. } => {
                let v = wheel.slip() + lateral(wheel, at.v);
                -load * friction.at(v.abs()) * (slope * v / wheel.speed).tanh()
            }
            _ => 0.0,
        }
    }
}

impl Smooth for Rolling {
    fn sizes(&self) -> Sizes {
        let n = self.wheel().modes.len();
        Sizes { positions: n + usize::from(self.lags()), velocities: n, powers: POWERS, guards: 0 }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        // Of a creep law the contact holds nothing; it says which way the wheel slips.
        vec![1]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let begun = self.begun();
        let mut q = begun.q.clone();
        if self.lags() {
            q.push(begun.lag);
        }
        (q, begun.p.clone())
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        let (wheel, n) = (self.wheel(), self.wheel().modes.len());
        out[..n].copy_from_slice(at.v);
        if let (Contact::Creep { friction, slope, lag }, true) = (&wheel.contact, self.lags()) {
            let v = wheel.slip() + lateral(wheel, at.v);
            let creep = friction.at(v.abs()) * (slope * v / wheel.speed).tanh();
            out[n] = wheel.speed / lag * (self.load_at(at) * creep - at.q[n]);
        }
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        let wheel = self.wheel();
        let load = self.load_at(at);
        let gz = load - wheel.spring.load;
        let gy = self.smooth_friction(at, load) + wheel.steady_friction() * wheel.spring.load;
        for (((mode, q), p), out) in wheel.modes.iter().zip(at.q).zip(at.v).zip(out) {
            let w = mode.omega();
            *out = mode.lateral * gy + mode.vertical * gz - mode.rate() * p - w * w * q;
        }
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        if let Some(slip) = out.first_mut() {
            *slip = self.wheel().slip() + lateral(self.wheel(), at.v);
        }
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        if let Some(rate) = out.first_mut() {
            *rate = lateral(self.wheel(), acceleration);
        }
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        let force = forces.first().copied().unwrap_or(0.0);
        for (mode, y) in self.wheel().modes.iter().zip(y) {
            *y += mode.lateral * force;
        }
    }

    fn influence(&self, _: At) -> Matrix {
        let sum = self.wheel().modes.iter().map(|mode| mode.lateral * mode.lateral).sum();
        Matrix::from_fn(1, 1, |_, _| sum)
    }

    fn bound(&self, _: usize, at: At, grip: Hold) -> f64 {
        let Contact::Point { friction } = &self.wheel().contact else { return 0.0 };
        let speed = match grip {
            Hold::Sticks => 0.0,
            Hold::Slips(speed) => speed.max(f64::MIN_POSITIVE),
        };
        friction.at(speed) * self.load_at(at)
    }

    fn slip_range(&self, _: usize) -> Option<SlipRange> {
        match &self.wheel().contact {
            Contact::Point {
                friction: Friction::Law(law @ (Coefficient::Stribeck { .. } | Coefficient::Sech { .. })),
            } => law.range(),
            _ => None,
        }
    }

    fn powers(&self, at: At, forces: &[f64], out: &mut [f64]) {
        let wheel = self.wheel();
        let load = self.load_at(at);
        let own = self.smooth_friction(at, load);
        let force = own + forces.first().copied().unwrap_or(0.0);
        let rough = &wheel.roughness;
        let rate =
            if rough.is_none() { 0.0 } else { (rough.at(at.t + SHORT) - rough.at(at.t - SHORT)) / (2.0 * SHORT) };
        let damping = wheel.modes.iter().zip(at.v).map(|(mode, p)| mode.rate() * p * p).sum();
        let heat = -own * (wheel.slip() + lateral(wheel, at.v));
        out.copy_from_slice(&[-force * wheel.slip(), load * rate, damping, heat]);
    }

    fn next_break(&self, t: f64) -> f64 {
        let points = &self.wheel().roughness.points;
        points.iter().map(|point| point[0]).find(|at| *at > t).unwrap_or(f64::INFINITY)
    }
}

impl ByEvents for Rolling {
    type Closed = NoClosedForm<SquealState>;

    fn closed_form(&self) -> Option<&NoClosedForm<SquealState>> {
        None
    }

    fn state_at(&self, flow: &Flow) -> SquealState {
        let (wheel, n) = (self.wheel(), self.wheel().modes.len());
        let at = flow.at();
        let load = self.load_at(at);
        let smooth = self.smooth_friction(at, load);
        let force = smooth + flow.forces.first().copied().unwrap_or(0.0);
        let slip = flow.s.first().copied().unwrap_or_else(|| wheel.slip() + lateral(wheel, &flow.v));
        let grip = match flow.states.first() {
            _ if load == 0.0 => Grip::Open,
            Some(stickslip_core::law::State::Stick) => Grip::Stick,
            _ => Grip::slips(slip),
        };
        let energies = Energies {
            drive: flow.work[0],
            roughness: flow.work[1],
            damping: flow.work[2],
            heat: flow.work[3] + flow.dissipated.first().copied().unwrap_or(0.0),
        };
        let motion = Motion {
            q: flow.q[..n].to_vec(),
            p: flow.v.clone(),
            lag: -force,
            bristles: Vec::new(),
            slip,
            force,
            load,
            roughness: wheel.roughness.at(flow.t),
            grip,
            energies,
            residual: if flow.speed > 0.0 { flow.residual / flow.speed } else { 0.0 },
            held: 0,
        };
        SquealState { motion, begun: true }
    }
}
