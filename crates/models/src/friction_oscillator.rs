//! A driven oscillator whose friction depends on where it is.
//!
//! ```text
//! m x'' + k x + a(x) σ(x') ∋ F cos ωt,      a(x) = max(0, a₀ + a₁ x)
//! ```
//!
//! The smallest system with chaotic stick and slip: m = k = 1, a₀ = 1, a₁ = 1.5, F = 1.9, ω = 1.25 (Feeny and Moon 1994
//! measured and simulated it). Where a(x) = 0 the mass passes freely; the corner of a(x) is a guard.

use stickslip_linalg::Matrix;

use stickslip_core::mechanics::{At, Flow, Grip, Sizes, Smooth};

/// Data of the oscillator, before any check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Mass m \[kg\], > 0.
    pub mass: f64,
    /// Stiffness k [N/m], ≥ 0.
    pub stiffness: f64,
    /// Friction a₀ at x = 0 \[N\].
    pub friction: f64,
    /// Slope a₁ of the friction [N/m].
    pub slope: f64,
    /// Amplitude F of the drive \[N\].
    pub drive: f64,
    /// Frequency ω of the drive [rad/s], ≥ 0.
    pub frequency: f64,
    /// Position and velocity at t = 0 [m, m/s].
    pub start: [f64; 2],
}

impl Default for Parameters {
    /// Feeny and Moon's chaotic set, from rest.
    fn default() -> Parameters {
        Parameters {
            mass: 1.0,
            stiffness: 1.0,
            friction: 1.0,
            slope: 1.5,
            drive: 1.9,
            frequency: 1.25,
            start: [0.0, 0.0],
        }
    }
}

/// Why data do not describe an oscillator.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{what} = {value}: it must be {wanted}")]
pub struct OscillatorError {
    /// Which number.
    pub what: &'static str,
    /// Its value.
    pub value: f64,
    /// What it must be.
    pub wanted: &'static str,
}

/// The oscillator, checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionOscillator {
    parameters: Parameters,
}

impl FrictionOscillator {
    /// Checks the data.
    pub fn new(parameters: Parameters) -> Result<FrictionOscillator, OscillatorError> {
        let p = &parameters;
        let numbers = [
            ("mass", p.mass, p.mass > 0.0, "a finite number > 0"),
            ("stiffness", p.stiffness, p.stiffness >= 0.0, "a finite number ≥ 0"),
            ("friction", p.friction, true, "a finite number"),
            ("slope of the friction", p.slope, true, "a finite number"),
            ("drive", p.drive, true, "a finite number"),
            ("frequency", p.frequency, p.frequency >= 0.0, "a finite number ≥ 0"),
            ("position", p.start[0], true, "a finite number"),
            ("velocity", p.start[1], true, "a finite number"),
        ];
        for (what, value, fine, wanted) in numbers {
            if !(value.is_finite() && fine) {
                return Err(OscillatorError { what, value, wanted });
            }
        }
        Ok(FrictionOscillator { parameters })
    }

    /// The data it was made from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

impl Smooth for FrictionOscillator {
    type State = Flow;

    fn sizes(&self) -> Sizes {
        Sizes { positions: 1, velocities: 1, powers: 1, guards: 1 }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![1]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        let [x, v] = self.parameters.start;
        (vec![x], vec![v])
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        out[0] = at.v[0];
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        let p = &self.parameters;
        out[0] = (p.drive * (p.frequency * at.t).cos() - p.stiffness * at.q[0]) / p.mass;
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        out[0] = at.v[0];
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        out[0] = acceleration[0];
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        y[0] += forces[0] / self.parameters.mass;
    }

    fn influence(&self, _: At) -> Matrix {
        Matrix::from_rows(&[&[1.0 / self.parameters.mass]])
    }

    fn bound(&self, _: usize, at: At, _: Grip) -> f64 {
        // The side decides which branch holds; rounding next to the corner must not make it negative.
        if at.sides[0] { (self.parameters.friction + self.parameters.slope * at.q[0]).max(0.0) } else { 0.0 }
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        let p = &self.parameters;
        out[0] = p.drive * (p.frequency * at.t).cos() * at.v[0];
    }

    fn guards(&self, at: At, out: &mut [f64]) {
        out[0] = self.parameters.friction + self.parameters.slope * at.q[0];
    }

    fn next_break(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        if stuck[0] {
            v[0] = 0.0;
        }
    }

    fn state(&self, flow: &Flow) -> Flow {
        flow.clone()
    }
}
