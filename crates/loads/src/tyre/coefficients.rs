//! The numbers of the Magic Formula, longitudinal part.

use serde::{Deserialize, Serialize};

use super::Characteristic;
use stickslip_core::range::{OutOfRange, demand, finite, in_range, positive};

/// Ranges of a tyre's numbers, in code and in files.
pub mod ranges {
    pub use stickslip_core::range::{Positive as NominalLoad, Positive as Pressure, Positive as Stiffness};
}

/// Which edition of the Magic Formula the numbers belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Version {
    /// MF 5.2: no pressure, relaxation length from PTX1…3.
    #[serde(rename = "5.2")]
    Mf52,
    /// MF 6.1, and the longitudinal part of 6.2, which is the same.
    #[serde(rename = "6.1")]
    Mf61,
}

/// The coefficients by their names in `.tir` files. What a file does not name is 0, a scale factor (first letter l) 1,
/// LMUV 0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[allow(missing_docs, reason = "the names of the Magic Formula; the equations in `Characteristic` define them")]
pub struct Coefficients {
    pub pcx1: f64,
    pub pdx1: f64,
    pub pdx2: f64,
    pub pdx3: f64,
    pub pex1: f64,
    pub pex2: f64,
    pub pex3: f64,
    pub pex4: f64,
    pub pkx1: f64,
    pub pkx2: f64,
    pub pkx3: f64,
    pub phx1: f64,
    pub phx2: f64,
    pub pvx1: f64,
    pub pvx2: f64,
    pub ppx1: f64,
    pub ppx2: f64,
    pub ppx3: f64,
    pub ppx4: f64,
    pub ptx1: f64,
    pub ptx2: f64,
    pub ptx3: f64,
    pub pcfx1: f64,
    pub pcfx2: f64,
    pub pcfx3: f64,
    pub lfzo: f64,
    pub lcx: f64,
    pub lmux: f64,
    pub lex: f64,
    pub lkx: f64,
    pub lhx: f64,
    pub lvx: f64,
    pub lmuv: f64,
    pub lgax: f64,
    pub lsgkp: f64,
}

impl Default for Coefficients {
    fn default() -> Coefficients {
        Coefficients {
            pcx1: 0.0,
            pdx1: 0.0,
            pdx2: 0.0,
            pdx3: 0.0,
            pex1: 0.0,
            pex2: 0.0,
            pex3: 0.0,
            pex4: 0.0,
            pkx1: 0.0,
            pkx2: 0.0,
            pkx3: 0.0,
            phx1: 0.0,
            phx2: 0.0,
            pvx1: 0.0,
            pvx2: 0.0,
            ppx1: 0.0,
            ppx2: 0.0,
            ppx3: 0.0,
            ppx4: 0.0,
            ptx1: 0.0,
            ptx2: 0.0,
            ptx3: 0.0,
            pcfx1: 0.0,
            pcfx2: 0.0,
            pcfx3: 0.0,
            lfzo: 1.0,
            lcx: 1.0,
            lmux: 1.0,
            lex: 1.0,
            lkx: 1.0,
            lhx: 1.0,
            lvx: 1.0,
            lmuv: 0.0,
            lgax: 1.0,
            lsgkp: 1.0,
        }
    }
}

/// The fields by their names.
macro_rules! by_name {
    ($($field:ident)*) => {
        /// Names of all coefficients, in small letters.
        pub const NAMES: &'static [&'static str] = &[$(stringify!($field)),*];

        /// The coefficient of this name (small letters).
        pub fn by_name(&mut self, name: &str) -> Option<&mut f64> {
            match name {
                $(stringify!($field) => Some(&mut self.$field),)*
                _ => None,
            }
        }
    };
}

impl Coefficients {
    by_name!(pcx1 pdx1 pdx2 pdx3 pex1 pex2 pex3 pex4 pkx1 pkx2 pkx3 phx1 phx2 pvx1 pvx2 ppx1 ppx2 ppx3 ppx4
        ptx1 ptx2 ptx3 pcfx1 pcfx2 pcfx3 lfzo lcx lmux lex lkx lhx lvx lmuv lgax lsgkp);
}

/// A tyre: coefficients, and the numbers of the tyre that the formula needs besides.
///
/// | number | unit | range |
/// |---|---|---|
/// | `nominal_load` FNOMIN | N | > 0 |
/// | `reference_speed` LONGVL | m/s | > 0; used where LMUV ≠ 0 only |
/// | `pressure` INFLPRES, `nominal_pressure` NOMPRES | Pa | > 0; MF 6.1 |
/// | `unloaded_radius` UNLOADED_RADIUS | m | ≥ 0; for the relaxation length of MF 5.2 only |
/// | `stiffness` LONGITUDINAL_STIFFNESS | N/m | > 0 if given; MF 6.1 |
/// | `load_range` FZMIN … FZMAX, `slip_range` KPUMIN … KPUMAX | N, – | first < second |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tyre {
    /// Edition of the formula.
    pub version: Version,
    /// Coefficients.
    pub coefficients: Coefficients,
    /// FNOMIN \[N\].
    pub nominal_load: f64,
    /// LONGVL [m/s].
    pub reference_speed: f64,
    /// INFLPRES \[Pa\].
    pub pressure: f64,
    /// NOMPRES \[Pa\].
    pub nominal_pressure: f64,
    /// UNLOADED_RADIUS \[m\].
    pub unloaded_radius: f64,
    /// LONGITUDINAL_STIFFNESS [N/m], if known.
    pub stiffness: Option<f64>,
    /// Loads for which the tyre was measured \[N\].
    pub load_range: [f64; 2],
    /// Slips for which the tyre was measured.
    pub slip_range: [f64; 2],
}

/// Why numbers make no tyre.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TyreError {
    /// A number is out of its range.
    #[error("tyre: {0}")]
    Number(#[from] OutOfRange),
    /// The deflection form needs a stiffness that neither the tyre nor the user gives.
    #[error(
        "the tyre has no longitudinal stiffness: give LONGITUDINAL_STIFFNESS (MF 6.1), PTX1 with UNLOADED_RADIUS (MF 5.2), or \
         a stiffness in N/m beside the tyre"
    )]
    NoStiffness,
    /// The formula has no force, or pushes instead of holding, at the load that the tyre has.
    #[error(
        "under its load of {load} N the tyre's formula has a greatest force of {peak} N and a slip stiffness of {stiffness} N, and both must be \
         greater than 0: look at what changes with the load (PDX2, PKX2, PKX3)"
    )]
    NoGrip {
        /// The load \[N\].
        load: f64,
        /// D \[N\].
        peak: f64,
        /// K \[N\].
        stiffness: f64,
    },
}

/// A tyre is asked beyond what it was measured for. The formula is evaluated all the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warning {
    /// The load is outside of FZMIN … FZMAX.
    Load {
        /// The load \[N\].
        load: f64,
        /// FZMIN and FZMAX \[N\].
        range: [f64; 2],
    },
    /// The slip is outside of KPUMIN … KPUMAX.
    Slip {
        /// The slip.
        slip: f64,
        /// KPUMIN and KPUMAX.
        range: [f64; 2],
    },
    /// The curvature factor E is greater than 1 at a load, where the formula is no law of friction any more, and 1 is taken for it.
    Curvature {
        /// The load \[N\].
        load: f64,
        /// E.
        curvature: f64,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Warning::Load { load, range: [low, high] } => {
                write!(f, "load {load} N: the tyre was measured between {low} and {high} N")
            }
            Warning::Slip { slip, range: [low, high] } => {
                write!(f, "slip {slip}: the tyre was measured between {low} and {high}")
            }
            Warning::Curvature { load, curvature } => write!(
                f,
                "its curvature factor E is {curvature} under a load of {load} N: the Magic Formula asks for at most 1, and 1 was taken"
            ),
        }
    }
}

fn outside(x: f64, [low, high]: [f64; 2]) -> bool {
    x < low || x > high
}

impl Tyre {
    /// A tyre of plain coefficients for MF 6.1, at its nominal pressure and without limits of validity.
    pub fn new(coefficients: Coefficients, nominal_load: f64) -> Result<Tyre, TyreError> {
        let tyre = Tyre {
            version: Version::Mf61,
            coefficients,
            nominal_load,
            reference_speed: 16.7,
            pressure: 1.0,
            nominal_pressure: 1.0,
            unloaded_radius: 0.0,
            stiffness: None,
            load_range: [0.0, f64::INFINITY],
            slip_range: [f64::NEG_INFINITY, f64::INFINITY],
        };
        tyre.check()?;
        Ok(tyre)
    }

    /// Whether the numbers are in their ranges.
    pub fn check(&self) -> Result<(), TyreError> {
        let c = &self.coefficients;
        in_range::<ranges::NominalLoad>("FNOMIN", self.nominal_load, "N")?;
        positive("LONGVL", self.reference_speed, "m/s")?;
        in_range::<ranges::Pressure>("INFLPRES", self.pressure, "Pa")?;
        in_range::<ranges::Pressure>("NOMPRES", self.nominal_pressure, "Pa")?;
        let ratio = self.pressure / self.nominal_pressure;
        demand(
            (0.2..=5.0).contains(&ratio),
            "INFLPRES",
            self.pressure,
            "Pa",
            "between a fifth and five times NOMPRES",
        )?;
        positive("LFZO", c.lfzo, "")?;
        positive("LMUX", c.lmux, "")?;
        demand(c.lmuv >= 0.0 && c.lmuv.is_finite(), "LMUV", c.lmuv, "", "a finite number ≥ 0")?;
        let shape = c.pcx1 * c.lcx;
        demand(shape > 0.0 && shape < 2.0, "PCX1·LCX", shape, "", "between 0 and 2")?;
        positive("PDX1", c.pdx1, "")?;
        positive("PKX1·LKX", c.pkx1 * c.lkx, "")?;
        for (what, value) in [("PEX1", c.pex1), ("PHX1", c.phx1), ("PVX1", c.pvx1), ("PTX1", c.ptx1)] {
            finite(what, value, "")?;
        }
        if let Some(stiffness) = self.stiffness {
            in_range::<ranges::Stiffness>("LONGITUDINAL_STIFFNESS", stiffness, "N/m")?;
        }
        let [low, high] = self.load_range;
        demand(low < high, "FZMIN", low, "N", "below FZMAX")?;
        let [low, high] = self.slip_range;
        demand(low < high, "KPUMIN", low, "", "below KPUMAX")?;
        Ok(())
    }

    /// What is to be said about a load \[N\] and a slip that the tyre was not measured for.
    pub fn warnings(&self, load: f64, slip: f64) -> impl Iterator<Item = Warning> + use<> {
        let slip = outside(slip, self.slip_range).then_some(Warning::Slip { slip, range: self.slip_range });
        self.warnings_at(load).chain(slip)
    }

    /// What is to be said about a load \[N\].
    pub fn warnings_at(&self, load: f64) -> impl Iterator<Item = Warning> + use<> {
        let unmeasured = outside(load, self.load_range).then_some(Warning::Load { load, range: self.load_range });
        let curvature = self.curvature(load).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let bent = (load > 0.0 && curvature > 1.0).then_some(Warning::Curvature { load, curvature });
        unmeasured.into_iter().chain(bent)
    }

    /// E of the formula at a load \[N\], for positive and for negative slip; more than 1 counts as 1.
    #[inline]
    pub(super) fn curvature(&self, load: f64) -> [f64; 2] {
        let (c, dfz) = (&self.coefficients, self.excess_load(load));
        let curvature = c.pex1 + c.pex2 * dfz + c.pex3 * dfz * dfz;
        [1.0, -1.0].map(|side| curvature * (1.0 + c.pex4 * side) * c.lex)
    }

    /// The formula at a load \[N\] and a camber angle \[rad\].
    #[inline]
    pub fn at(&self, load: f64, camber: f64) -> Characteristic {
        Characteristic::new(self, load, camber)
    }

    /// Longitudinal stiffness C_x of the tread at a load \[N/m\]:
    ///
    /// ```text
    /// MF 6.1:  C_x = LONGITUDINAL_STIFFNESS (1 + PCFX1 dfz + PCFX2 dfz²)(1 + PCFX3 dpi)
    /// MF 5.2:  C_x = Kx/σ,  σ = Fz (PTX1 + PTX2 dfz) exp(−PTX3 dfz) UNLOADED_RADIUS/FNOMIN LSGKP
    /// ```
    pub fn stiffness_at(&self, load: f64) -> Result<f64, TyreError> {
        let c = &self.coefficients;
        let dfz = self.excess_load(load);
        let stiffness = match self.version {
            Version::Mf61 => {
                let factor = (1.0 + c.pcfx1 * dfz + c.pcfx2 * dfz * dfz) * (1.0 + c.pcfx3 * self.excess_pressure());
                self.stiffness.ok_or(TyreError::NoStiffness)? * factor
            }
            Version::Mf52 => {
                let length = load * (c.ptx1 + c.ptx2 * dfz) * (-c.ptx3 * dfz).exp() * self.unloaded_radius
                    / self.nominal_load
                    * c.lsgkp;
                self.at(load, 0.0).slip_stiffness() / length
            }
        };
        // A relaxation length of zero, or a load of zero, has no stiffness either.
        if stiffness > 0.0 && stiffness.is_finite() { Ok(stiffness) } else { Err(TyreError::NoStiffness) }
    }

    /// dfz: how far the load is above the nominal one, as a share of it.
    #[inline]
    pub(super) fn excess_load(&self, load: f64) -> f64 {
        let nominal = self.coefficients.lfzo * self.nominal_load;
        (load - nominal) / nominal
    }

    /// dpi: how far the pressure is above the nominal one, as a share of it; MF 5.2 does not know it.
    #[inline]
    pub(super) fn excess_pressure(&self) -> f64 {
        match self.version {
            Version::Mf52 => 0.0,
            Version::Mf61 => (self.pressure - self.nominal_pressure) / self.nominal_pressure,
        }
    }
}
