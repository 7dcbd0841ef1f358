//! The bodies' motion as a whole along x, by the modified θ-method.

/// The bodies' motion as a whole along x: an oscillator whose static compliance is the one that [`super::Reach::Local`] takes out of W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Structure {
    /// Its natural frequency \[Hz\], > 0; infinite without mass.
    pub frequency: f64,
    /// Its damping over the critical one, ≥ 0.
    pub damping_ratio: f64,
    /// Rolling speed V [m/s], > 0.
    pub speed: f64,
    /// θ of its steps, ½ to 1; 1 without mass.
    pub theta: f64,
}

impl Structure {
    /// Angle that it swings through within a step of a length.
    pub fn angle(&self, length: f64) -> f64 {
        std::f64::consts::TAU * self.frequency * length / self.speed
    }
}

/// A structure in motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Swing {
    of: Structure,
    /// Mass \[kg\], damping [N s/m], stiffness [N/m]; in line contact per metre.
    matrices: [f64; 3],
    /// Δt \[s\], and Δt over m + Δtθc + Δt²θ²k.
    h: f64,
    push: f64,
    x: f64,
    v: f64,
    /// Speed at the end of the step without contact forces.
    free: f64,
}

impl Swing {
    pub(super) fn new(of: Structure, compliance: f64, length: f64) -> Swing {
        let (h, k) = (length / of.speed, 1.0 / compliance);
        let omega = std::f64::consts::TAU * of.frequency;
        let (m, c) = (k / (omega * omega), 2.0 * of.damping_ratio * k / omega);
        let push = h / (m + h * of.theta * c + h * h * of.theta * of.theta * k);
        Swing { of, matrices: [m, c, k], h, push, x: 0.0, v: 0.0, free: 0.0 }
    }

    /// Slip per force Σ F_x over a step.
    pub(super) fn slip_per_force(&self) -> f64 {
        self.push / self.of.speed
    }

    /// Slip at the end of the step without contact forces.
    pub(super) fn free_slip(&self) -> f64 {
        self.free / self.of.speed
    }

    /// Its displacement \[m\].
    pub(super) fn place(&self) -> f64 {
        self.x
    }

    pub(super) fn prepare(&mut self) {
        let ([m, c, k], h, theta, late) = (self.matrices, self.h, self.of.theta, 1.0 - self.of.theta);
        let momentum = (m - h * late * c - h * h * theta * late * k) * self.v - h * k * self.x;
        self.free = momentum * self.push / h;
    }

    /// Takes the step with the force Σ F_x. Damping and numerical loss, and what heat has besides slip: Δt F (v⁺ − v_θ).
    pub(super) fn take(&mut self, force: f64) -> [f64; 3] {
        let ([m, c, k], h, theta) = (self.matrices, self.h, self.of.theta);
        let new = self.free + self.push * force;
        let mean = theta * new + (1.0 - theta) * self.v;
        let (blow, way) = (new - self.v, h * mean);
        self.v = new;
        self.x += way;
        [h * c * mean * mean, (theta - 0.5) * (m * blow * blow + k * way * way), h * force * (new - mean)]
    }

    pub(super) fn stored(&self) -> f64 {
        0.5 * (self.matrices[0] * self.v * self.v + self.matrices[2] * self.x * self.x)
    }
}
