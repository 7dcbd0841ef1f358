//! The deflection of the tread: a tyre force that holds through standstill.

use serde::{Deserialize, Serialize};

use super::Characteristic;

/// Speed over which the vertical shift of the Magic Formula vanishes at standstill [m/s].
pub const SHIFT_SPEED: f64 = 0.1;

/// A damper that lets nothing slip that could be seen [N s/m].
const STIFFEST: f64 = 1e12;

/// A tyre as a spring whose deflection z \[m\] follows the slip speed and relaxes:
///
/// ```text
/// Fx = C_x z + SV V/(|V| + 0.1 m/s),      ż = −V_e − q z,      q = C_x |V_e|/Φ(|V_e|/|V|),      V_e = V_s − SH V
/// ```
///
/// (Dahl's form of the relaxation equation.) C_x z tends to the Magic Formula at every slip, on its falling branch too;
/// at small slip ż = −V_s − |V| z/σ with the relaxation length σ = K/C_x. Nothing is divided by V: at V = 0 a wheel that
/// spins has q = C_x |V_e|/Φ(∞), and one that is still has ż = 0, for ever and to the bit. With no load there is neither
/// deflection nor force.
///
/// # Energy
/// ```text
/// −Fx V_s = d/dt ½ C_x z² + C_x q z² + shifts,      shifts = −C_x z SH V − SV V_s V/(|V| + 0.1)
/// ```
///
/// Stored and dissipated are never negative. The shifts have either sign, since a Magic Formula with shifts pulls at κ = 0:
/// a ledger has them as a line of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deflection {
    characteristic: Characteristic,
    stiffness: f64,
}

/// How fast the deflection changes, and the force of this instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// ż [m/s].
    pub rate: f64,
    /// Fx \[N\].
    pub force: f64,
}

/// Where the power −Fx V_s of the contact goes \[W\].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Powers {
    /// Rate of the energy stored in the tread.
    pub stored: f64,
    /// Heat, never negative.
    pub dissipated: f64,
    /// What the shifts of the formula take or, where negative, give.
    pub shifts: f64,
}

/// Derivatives of ż and Fx.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivity {
    /// ∂ż/∂V, ∂ż/∂w, ∂ż/∂z.
    pub rate: [f64; 3],
    /// ∂Fx/∂V, ∂Fx/∂w, ∂Fx/∂z.
    pub force: [f64; 3],
}

/// What a tyre is within one implicit step: a linear damper on the slip at its end,
///
/// ```text
/// Fx⁺ = f0 − c V_s⁺,      z⁺ = (z + h SH V − h V_s⁺)/(1 + h q),      c = h C_x/(1 + h q) ≥ 0
/// ```
///
/// with q, SH V and the vertical shift as the step begins: monotone on the falling branch too, so that it joins any
/// inclusion as a part of W.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Damper {
    /// f0 \[N\].
    pub force: f64,
    /// c [N s/m].
    pub damping: f64,
    /// z⁺ at V_s⁺ = 0 \[m\].
    pub deflection: f64,
    /// −∂z⁺/∂V_s⁺ \[s\].
    pub compliance: f64,
}

impl Damper {
    /// Fx at the end of the step for the slip speed there \[N\].
    #[inline]
    pub fn force_at(&self, slip_speed: f64) -> f64 {
        self.force - self.damping * slip_speed
    }

    /// z at the end of the step \[m\].
    #[inline]
    pub fn deflection_at(&self, slip_speed: f64) -> f64 {
        self.deflection - self.compliance * slip_speed
    }
}

impl Deflection {
    /// The tread of stiffness C_x > 0 [N/m] with a characteristic.
    #[inline]
    pub fn new(characteristic: Characteristic, stiffness: f64) -> Deflection {
        Deflection { characteristic, stiffness }
    }

    /// The steady law that the deflection tends to.
    #[inline]
    pub fn characteristic(&self) -> &Characteristic {
        &self.characteristic
    }

    /// C_x [N/m].
    #[inline]
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// V_e = V_s − SH V: the slip speed at which the formula without its vertical shift has its zero. Its sign and that of V
    /// are where q has corners.
    #[inline]
    pub fn effective_slip(&self, speed: f64, wheel: f64) -> f64 {
        (speed - wheel) - self.characteristic.shift() * speed
    }

    /// q ≥ 0 [1/s]: how fast the deflection relaxes.
    #[inline]
    pub fn relaxation(&self, speed: f64, wheel: f64) -> f64 {
        let effective = self.effective_slip(speed, wheel);
        if effective == 0.0 && speed == 0.0 || !self.characteristic.carries() {
            return 0.0;
        }
        self.stiffness * self.characteristic.relaxation(speed, effective, speed - wheel)
    }

    /// The vertical shift, which fades at standstill \[N\].
    #[inline]
    fn offset(&self, speed: f64, wheel: f64) -> f64 {
        self.characteristic.offset(speed - wheel) * speed / (speed.abs() + SHIFT_SPEED)
    }

    /// ż and Fx at the speeds V and w [m/s] and the deflection z \[m\]. Without load the deflection is to be set to zero.
    #[inline]
    pub fn rate(&self, speed: f64, wheel: f64, z: f64) -> Rate {
        if !self.characteristic.carries() {
            return Rate { rate: 0.0, force: 0.0 };
        }
        let rate = -self.effective_slip(speed, wheel) - self.relaxation(speed, wheel) * z;
        Rate { rate, force: self.stiffness * z + self.offset(speed, wheel) }
    }

    /// Fx \[N\].
    #[inline]
    pub fn force(&self, speed: f64, wheel: f64, z: f64) -> f64 {
        if self.characteristic.carries() { self.stiffness * z + self.offset(speed, wheel) } else { 0.0 }
    }

    /// Energy stored in the tread \[J\].
    #[inline]
    pub fn stored(&self, z: f64) -> f64 {
        0.5 * self.stiffness * z * z
    }

    /// Where the power −Fx V_s goes.
    pub fn powers(&self, speed: f64, wheel: f64, z: f64) -> Powers {
        if !self.characteristic.carries() {
            return Powers::default();
        }
        let slip_speed = speed - wheel;
        let spring = self.stiffness * z;
        Powers {
            stored: spring * self.rate(speed, wheel, z).rate,
            dissipated: spring * self.relaxation(speed, wheel) * z,
            shifts: -spring * self.characteristic.shift() * speed - self.offset(speed, wheel) * slip_speed,
        }
    }

    /// The deflection at which C_x z is the Magic Formula for these speeds \[m\]; 0 at standstill, where any will do.
    pub fn steady(&self, speed: f64, wheel: f64) -> f64 {
        let q = self.relaxation(speed, wheel);
        if q > 0.0 { -self.effective_slip(speed, wheel) / q } else { 0.0 }
    }

    /// The tyre within an implicit step of size h \[s\] that begins here.
    #[inline]
    pub fn damper(&self, speed: f64, wheel: f64, z: f64, h: f64) -> Damper {
        if !self.characteristic.carries() {
            return Damper { force: 0.0, damping: 0.0, deflection: 0.0, compliance: 0.0 };
        }
        let held = 1.0 / (1.0 + h * self.relaxation(speed, wheel));
        let compliance = h * held;
        let deflection = (z + h * self.characteristic.shift() * speed) * held;
        Damper {
            force: self.stiffness * deflection + self.offset(speed, wheel),
            damping: self.stiffness * compliance,
            deflection,
            compliance,
        }
    }

    /// The steady law within an implicit step that begins here: a damper c = Φ/|V_e| as the deflection form has it for
    /// C_x → ∞. At standstill, where that is infinite, it is very stiff instead.
    #[inline]
    pub fn steady_damper(&self, speed: f64, wheel: f64) -> Damper {
        if !self.characteristic.carries() {
            return Damper { force: 0.0, damping: 0.0, deflection: 0.0, compliance: 0.0 };
        }
        let damping = (self.stiffness / self.relaxation(speed, wheel)).min(STIFFEST);
        let compliance = damping / self.stiffness;
        let deflection = self.characteristic.shift() * speed * compliance;
        Damper { force: self.stiffness * deflection + self.offset(speed, wheel), damping, deflection, compliance }
    }

    /// Derivatives of ż and Fx, for implicit schemes and stability. At corners of q (V = 0, V_e = 0) those of one side; at
    /// V = w = 0, where q grows like |V_e|, those along z alone besides the plain ones.
    pub fn sensitivity(&self, speed: f64, wheel: f64, z: f64) -> Sensitivity {
        if !self.characteristic.carries() {
            return Sensitivity { rate: [0.0; 3], force: [0.0; 3] };
        }
        let c = &self.characteristic;
        let along = 1.0 - c.shift();
        let q = self.relaxation(speed, wheel);
        let [qv, qw] = self.relaxation_slopes(speed, wheel);
        // SV V/(|V| + v0): V/(|V| + v0) has the slope v0/(|V| + v0)².
        let reach = speed.abs() + SHIFT_SPEED;
        let fades = c.offset_slope(speed - wheel) * speed / reach;
        let rises = c.offset(speed - wheel) * SHIFT_SPEED / (reach * reach);
        Sensitivity { rate: [-along - qv * z, 1.0 - qw * z, -q], force: [rises + fades, -fades, self.stiffness] }
    }

    /// ∂q/∂V and ∂q/∂w.
    ///
    /// With k = |V_e|/|V| and Φ = Φ(k; λ*): dq = C_x (d|V_e| Φ − |V_e| dΦ)/Φ², where dΦ = Φ' dk and what fading friction
    /// changes in Φ, dΦ/dλ* = Φ/λ* − Φ' k/λ*, since λ* scales the peak and B with its inverse.
    fn relaxation_slopes(&self, speed: f64, wheel: f64) -> [f64; 2] {
        let c = &self.characteristic;
        let (effective, slip_speed) = (self.effective_slip(speed, wheel), speed - wheel);
        let (size, along) = (effective.abs(), speed.abs());
        if size == 0.0 {
            return [self.stiffness * speed.signum() / c.slip_stiffness() * f64::from(u8::from(along > 0.0)), 0.0];
        }
        let (phi, slope) = c.magnitude_and_slope(size / along, effective * speed >= 0.0, slip_speed);
        let k_slope = if along > 0.0 { slope * size / along } else { 0.0 };
        let fading = -c.fading() * c.fade(slip_speed) * if slip_speed == 0.0 { 0.0 } else { slip_speed.signum() };
        let by = |d_speed: f64, d_wheel: f64| {
            let d_size = effective.signum() * ((1.0 - c.shift()) * d_speed - d_wheel);
            let d_along = if along > 0.0 { d_speed * speed.signum() / along } else { 0.0 };
            let d_phi = k_slope * (d_size / size - d_along) + (phi - k_slope) * fading * (d_speed - d_wheel);
            self.stiffness * (d_size * phi - size * d_phi) / (phi * phi)
        };
        [by(1.0, 0.0), by(0.0, 1.0)]
    }
}
