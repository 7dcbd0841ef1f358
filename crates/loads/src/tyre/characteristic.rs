//! The Magic Formula at one load: force over slip.

use super::functions::{arctan, arctan_of, sine};
use super::{Tyre, Version};

/// A_μ of the Magic Formula (Pacejka, 4.E8): how fast the vertical shift fades with the friction, λ' = A λ*/(1 + (A − 1) λ*).
/// Some programs use 1, λ' = λ*.
pub const REFERENCE_SLIDING: f64 = 10.0;

/// Below this B k the formula is a straight line to rounding: its curvature is of second order in it.
const STRAIGHT: f64 = 1e-8;

/// The Magic Formula for pure longitudinal slip at one load and camber angle:
///
/// ```text
/// Fx = D sin[C atan{B κx − E (B κx − atan(B κx))}] + SV,     κx = κ + SH,     B = K/(C D)
/// ```
///
/// after Pacejka (Tire and Vehicle Dynamics, 3rd ed., 4.E9–4.E18) with
///
/// ```text
/// C = PCX1 LCX,        D = μ Fz,     μ = (PDX1 + PDX2 dfz)(1 + PPX3 dpi + PPX4 dpi²)(1 − PDX3 γ²) λ*
/// E = (PEX1 + PEX2 dfz + PEX3 dfz²)(1 − PEX4 sgn κx) LEX ≤ 1
/// K = Fz (PKX1 + PKX2 dfz) exp(PKX3 dfz)(1 + PPX1 dpi + PPX2 dpi²) LKX
/// SH = (PHX1 + PHX2 dfz) LHX,        SV = Fz (PVX1 + PVX2 dfz) LVX λ'
/// λ* = LMUX/(1 + LMUV |V_s|/LONGVL),  dfz = Fz/(LFZO FNOMIN) − 1,  dpi = INFLPRES/NOMPRES − 1
/// ```
///
/// In MF 5.2 dpi = 0, λ* = λ' = LMUX and LGAX scales γ. A load ≤ 0, and one so far out that the formula has no friction or no
/// stiffness left, gives no force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Characteristic {
    /// C.
    shape: f64,
    /// D at the friction LMUX \[N\]; 0 where there is no force.
    peak: f64,
    /// E while braking and while driving.
    curvature: [f64; 2],
    /// K \[N\].
    slip_stiffness: f64,
    /// SH.
    shift: f64,
    /// SV/λ' \[N\].
    offset: f64,
    /// B and SV at a slip speed of zero: all there is to know unless friction fades.
    steepness: f64,
    still_offset: f64,
    /// LMUX.
    friction_scale: f64,
    /// LMUV/LONGVL [s/m].
    fading: f64,
    /// A_μ, or 1 where λ' = λ*.
    reference: f64,
}

impl Characteristic {
    /// No force at all: a wheel in the air.
    pub const NONE: Characteristic = Characteristic {
        shape: 1.0,
        peak: 0.0,
        curvature: [0.0; 2],
        slip_stiffness: 0.0,
        shift: 0.0,
        offset: 0.0,
        steepness: 0.0,
        still_offset: 0.0,
        friction_scale: 1.0,
        fading: 0.0,
        reference: 1.0,
    };

    /// The formula of a tyre at a load \[N\] and a camber angle \[rad\].
    pub(super) fn new(tyre: &Tyre, load: f64, camber: f64) -> Characteristic {
        if load.is_nan() || load <= 0.0 {
            return Characteristic::NONE;
        }
        let c = &tyre.coefficients;
        let (dfz, dpi) = (tyre.excess_load(load), tyre.excess_pressure());
        let (camber, reference, fading) = match tyre.version {
            Version::Mf52 => (camber * c.lgax, 1.0, 0.0),
            Version::Mf61 => (camber, REFERENCE_SLIDING, c.lmuv / tyre.reference_speed),
        };
        let under_pressure = |first: f64, second: f64| 1.0 + first * dpi + second * dpi * dpi;
        let friction =
            (c.pdx1 + c.pdx2 * dfz) * under_pressure(c.ppx3, c.ppx4) * (1.0 - c.pdx3 * camber * camber) * c.lmux;
        let peak = friction * load;
        let slip_stiffness =
            load * (c.pkx1 + c.pkx2 * dfz) * (c.pkx3 * dfz).exp() * under_pressure(c.ppx1, c.ppx2) * c.lkx;
        if !(peak > 0.0 && slip_stiffness > 0.0) {
            return Characteristic::NONE;
        }
        let shape = c.pcx1 * c.lcx;
        let offset = load * (c.pvx1 + c.pvx2 * dfz) * c.lvx;
        Characteristic {
            shape,
            peak,
            curvature: tyre.curvature(load).map(|curvature| curvature.min(1.0)),
            slip_stiffness,
            shift: (c.phx1 + c.phx2 * dfz) * c.lhx,
            offset,
            steepness: slip_stiffness / (shape * peak),
            still_offset: offset * weight_of_offset(reference, c.lmux),
            friction_scale: c.lmux,
            fading,
            reference,
        }
    }

    /// The same on a road with another friction than that on which the tyre was measured: `factor` scales LMUX. The slip
    /// stiffness stays, so that the peak comes earlier on a slippery road. Without friction there is no force.
    #[inline]
    #[must_use]
    pub fn on_road(self, factor: f64) -> Characteristic {
        if factor == 1.0 || self.peak == 0.0 {
            return self;
        }
        if factor.is_nan() || factor <= 0.0 {
            return Characteristic::NONE;
        }
        let friction_scale = self.friction_scale * factor;
        Characteristic {
            peak: self.peak * factor,
            steepness: self.steepness / factor,
            still_offset: self.offset * weight_of_offset(self.reference, friction_scale),
            friction_scale,
            ..self
        }
    }

    /// Whether there is any force.
    #[inline]
    pub fn carries(&self) -> bool {
        self.peak > 0.0
    }

    /// K = ∂Fx/∂κ at κx = 0 \[N\].
    #[inline]
    pub fn slip_stiffness(&self) -> f64 {
        self.slip_stiffness
    }

    /// D \[N\], at a slip speed of zero.
    #[inline]
    pub fn peak(&self) -> f64 {
        self.peak
    }

    /// SH.
    #[inline]
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// SV at a slip speed [m/s] \[N\].
    #[inline]
    pub fn offset(&self, slip_speed: f64) -> f64 {
        if self.fading == 0.0 {
            return self.still_offset;
        }
        self.offset * weight_of_offset(self.reference, self.friction_scale * self.fade(slip_speed))
    }

    /// ∂SV/∂V_s [N s/m].
    pub(super) fn offset_slope(&self, slip_speed: f64) -> f64 {
        if self.fading == 0.0 || slip_speed == 0.0 {
            return 0.0;
        }
        let (fade, rest) = (self.fade(slip_speed), self.reference - 1.0);
        let friction = self.friction_scale * fade;
        let by_friction = self.offset * self.reference / (1.0 + rest * friction).powi(2);
        -by_friction * friction * fade * self.fading * slip_speed.signum()
    }

    /// λ*/LMUX at a slip speed [m/s].
    #[inline]
    pub(super) fn fade(&self, slip_speed: f64) -> f64 {
        // 0·∞ is not a number.
        if self.fading == 0.0 { 1.0 } else { 1.0 / (1.0 + self.fading * slip_speed.abs()) }
    }

    /// LMUV/LONGVL.
    #[inline]
    pub(super) fn fading(&self) -> f64 {
        self.fading
    }

    /// D and B at a slip speed [m/s].
    #[inline]
    fn peak_and_steepness(&self, slip_speed: f64) -> (f64, f64) {
        if self.fading == 0.0 {
            return (self.peak, self.steepness);
        }
        let fade = self.fade(slip_speed);
        (self.peak * fade, self.steepness / fade)
    }

    /// Φ(k) = |D sin(C atan(…))| \[N\], the formula without its shifts at the slip k ≥ 0, which may be infinite.
    #[inline]
    pub fn magnitude(&self, k: f64, brakes: bool, slip_speed: f64) -> f64 {
        self.magnitude_of([k, 1.0], brakes, slip_speed)
    }

    /// The same at the slip k = size/along of two speeds.
    #[inline]
    fn magnitude_of(&self, [size, along]: [f64; 2], brakes: bool, slip_speed: f64) -> f64 {
        if self.peak == 0.0 {
            return 0.0;
        }
        let (peak, steepness) = self.peak_and_steepness(slip_speed);
        let steep = steepness * size;
        // The cut keeps (1 − E)·∞ a number where E = 1.
        let bk = (steep / along).min(f64::MAX);
        let e = self.curvature[usize::from(!brakes)];
        // Not the arc tangent of bk, which would wait for the division.
        let argument = (1.0 - e) * bk + e * arctan_of(steep, along);
        // 0 < C < 2, so that the angle is one whose sine is not negative.
        peak * sine(self.shape * arctan(argument))
    }

    /// |V_e|/Φ(|V_e|/|V|) [m/(N s)] for V_e = V_s − SH V, without dividing by V: |V|/K where V_e is nothing against V.
    #[inline]
    pub(super) fn relaxation(&self, speed: f64, effective: f64, slip_speed: f64) -> f64 {
        let (along, size) = (speed.abs(), effective.abs());
        let (_, steepness) = self.peak_and_steepness(slip_speed);
        if size * steepness <= STRAIGHT * along {
            return along / self.slip_stiffness;
        }
        size / self.magnitude_of([size, along], effective * speed >= 0.0, slip_speed)
    }

    /// Φ and dΦ/dk at fixed friction.
    pub(super) fn magnitude_and_slope(&self, k: f64, brakes: bool, slip_speed: f64) -> (f64, f64) {
        let (peak, b) = self.peak_and_steepness(slip_speed);
        let bk = (b * k).min(f64::MAX);
        let e = self.curvature[usize::from(!brakes)];
        let argument = (1.0 - e) * bk + e * arctan(bk);
        let angle = self.shape * arctan(argument);
        let inner = b * ((1.0 - e) + e / (1.0 + bk * bk));
        let slope = peak * angle.cos() * self.shape / (1.0 + argument * argument) * inner;
        (peak * sine(angle), if slope.is_finite() { slope } else { 0.0 })
    }

    /// The steady force at a slip and a speed ≥ 0 or < 0 \[N\]. Reverse is the mirror image: Fx(V < 0, κ) = −Fx(|V|, −κ).
    #[inline]
    pub fn force_at_slip(&self, kappa: f64, speed: f64) -> f64 {
        let side = if speed < 0.0 { -1.0 } else { 1.0 };
        // An infinite slip at standstill says nothing about the slip speed.
        let slip_speed = Some(kappa * speed).filter(|speed| !speed.is_nan()).unwrap_or(0.0);
        side * self.formula(side * kappa + self.shift, slip_speed)
    }

    /// The steady force at the speeds V and w [m/s] \[N\]. At V = 0 the shifts vanish: nothing at rest, Φ(∞) against the
    /// slip of a wheel that spins.
    #[inline]
    pub fn force(&self, speed: f64, wheel: f64) -> f64 {
        let slip_speed = speed - wheel;
        if speed == 0.0 {
            return if slip_speed == 0.0 {
                0.0
            } else {
                -self.magnitude(f64::INFINITY, true, slip_speed).copysign(slip_speed)
            };
        }
        let effective = slip_speed - self.shift * speed;
        speed.signum() * self.formula(-effective / speed, slip_speed)
    }

    /// The formula forward, at κx.
    #[inline]
    fn formula(&self, kx: f64, slip_speed: f64) -> f64 {
        self.magnitude(kx.abs(), kx < 0.0, slip_speed).copysign(kx) + self.offset(slip_speed)
    }
}

/// λ' = A λ*/(1 + (A − 1) λ*).
fn weight_of_offset(reference: f64, friction: f64) -> f64 {
    reference * friction / (1.0 + (reference - 1.0) * friction)
}
