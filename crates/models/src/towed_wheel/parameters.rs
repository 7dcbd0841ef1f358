//! The data of a towed wheel, and why some are none.

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::range::OutOfRange;
use stickslip_scenario::tables::{check, number};

use super::file::{BarTable, GroundTable, InitialTable, TowingTable, WheelTable};

/// Data of the towed wheel, before any check.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// Mass m_w of the wheel \[kg\], > 0.
    pub wheel_mass: f64,
    /// Mass m_b of the bar, a uniform rod from the wheel's centre to the pin \[kg\], > 0.
    pub bar_mass: f64,
    /// Radius R of the wheel \[m\], > 0.
    pub radius: f64,
    /// Length L of the bar \[m\], > 0.
    pub length: f64,
    /// Stiffness k of the spring at the pin [N/m], > 0.
    pub stiffness: f64,
    /// Speed v of towing [m/s], ≥ 0.
    pub speed: f64,
    /// Greatest friction force C = μ × load \[N\], ≥ 0.
    pub friction: f64,
    /// Inertias of the wheel.
    pub inertia: Inertia,
    /// Whether wΩ is kept beside v.
    pub form: Form,
    /// State at t = 0.
    pub start: Start,
}

impl Default for Parameters {
    /// The set P1 of docs/towed-wheel.md: a disc on a short bar, which shimmies from a small angle.
    fn default() -> Parameters {
        Parameters {
            wheel_mass: 10.0,
            bar_mass: 8.0,
            radius: 0.2,
            length: 0.05,
            stiffness: 4e4,
            speed: 5.0,
            friction: 100.0,
            inertia: Inertia::Disc,
            form: Form::Small,
            start: Start { psi: 0.005, ..Start::default() },
        }
    }
}

/// Inertias of the wheel about its axle (I_a) and about the vertical diameter (I_z).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Inertia {
    /// Homogeneous thin disc: I_a = m_w R²/2, I_z = m_w R²/4.
    #[default]
    Disc,
    /// All mass on the rim: I_a = m_w R², I_z = m_w R²/2.
    Ring,
    /// Measured; 0 < I_a ≤ m_w R² (no mass lies beyond the radius), I_a ≤ 2 I_z (equal only for flat wheels).
    Given {
        /// I_a [kg·m²].
        axle: f64,
        /// I_z [kg·m²].
        vertical: f64,
    },
}

/// Which terms of the displacement are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Form {
    /// The wheel's centre moves ahead with V1 = v cosψ: the displacement w is small, as in the source.
    #[default]
    Small,
    /// It moves ahead with V1 = v cosψ − wΩ, and the pull of the towing vehicle has the lever arm w.
    Exact,
}

/// Where the wheel is and how it moves at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Start {
    /// Angle ψ of the bar \[rad\].
    pub psi: f64,
    /// Its rate Ω [rad/s].
    pub omega: f64,
    /// Displacement w of the pin \[m\].
    pub w: f64,
    /// Slip u1 along the bar [m/s]; rolling has (0, 0).
    pub u1: f64,
    /// Slip u2 across the bar [m/s].
    pub u2: f64,
}

/// Why data do not describe a towed wheel.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum TowedWheelError {
    /// A number out of its range.
    #[error(transparent)]
    Parameter(#[from] OutOfRange),
    /// Negative speed.
    #[error(
        "speed = {value}: it must be a finite number ≥ 0; a wheel that is pushed is one that is towed from an angle near \
         π (initial.angle)"
    )]
    Pushed {
        /// The speed.
        value: f64,
    },
    /// Mass beyond the radius.
    #[error(
        "an inertia of {} kg m^2 about the axle: no wheel of this mass and radius has more than {} kg m^2",
        number(*axle),
        number(*most)
    )]
    TooMuchInertia {
        /// I_a.
        axle: f64,
        /// m_w R².
        most: f64,
    },
    /// More inertia about the axle than about two diameters together.
    #[error(
        "an inertia of {} kg m^2 about the vertical: no body with {} kg m^2 about the axle has less than {} kg m^2",
        number(*vertical),
        number(*axle),
        number(0.5 * axle)
    )]
    NoBody {
        /// I_a.
        axle: f64,
        /// I_z.
        vertical: f64,
    },
    /// Masses so different that the numbers lose their meaning.
    #[error("{what} is {value}: masses, lengths and stiffness are too far apart for double precision")]
    Degenerate {
        /// Which coefficient.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

impl Parameters {
    /// Whether each number is in its range; how inertias go together is checked with the bodies.
    pub(super) fn check(&self) -> Result<(), TowedWheelError> {
        check(|table: &WheelTable| &table.mass, "wheel mass", self.wheel_mass)?;
        check(|table: &BarTable| &table.mass, "bar mass", self.bar_mass)?;
        check(|table: &WheelTable| &table.radius, "radius", self.radius)?;
        check(|table: &BarTable| &table.length, "length", self.length)?;
        check(|table: &BarTable| &table.stiffness, "stiffness", self.stiffness)?;
        check(|table: &GroundTable| &table.friction_force, "friction force", self.friction)?;
        check(|table: &TowingTable| &table.speed, "speed", self.speed)
            .map_err(|fault| TowedWheelError::Pushed { value: fault.value })?;
        let Start { psi, omega, w, u1, u2 } = self.start;
        check(|table: &InitialTable| &table.angle, "angle", psi)?;
        check(|table: &InitialTable| &table.yaw_rate, "yaw rate", omega)?;
        check(|table: &InitialTable| &table.displacement, "displacement", w)?;
        check(|table: &InitialTable| &table.slip_along, "slip along the bar", u1)?;
        check(|table: &InitialTable| &table.slip_across, "slip across the bar", u2)?;
        Ok(())
    }
}
