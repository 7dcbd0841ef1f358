//! A wheel on its contact, checked.

use stickslip_core::law::Coefficient;
use stickslip_core::range::{OutOfRange, in_range};

use crate::contact::{Contact, Spring};
use crate::friction::Friction;
use crate::linear::NotLinear;
use crate::mode::{Mode, ModeError};
use crate::range;
use crate::roughness::Roughness;

/// Steps that a period of the highest mode, and of the shortest roughness, needs at least.
pub const STEPS_A_PERIOD: f64 = 10.0;

/// A wheel that rolls with a steady lateral creepage.
#[derive(Debug, Clone, PartialEq)]
pub struct Wheel {
    /// Its modes.
    pub modes: Vec<Mode>,
    /// Rolling speed V > 0 [m/s].
    pub speed: f64,
    /// Lateral creepage s0 > 0.
    pub creepage: f64,
    /// Spring across the contact.
    pub spring: Spring,
    /// Friction along it.
    pub contact: Contact,
    /// Roughness under it.
    pub roughness: Roughness,
}

/// Why data describe no wheel, or steps do not follow it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SquealError {
    /// A mode is none.
    #[error(transparent)]
    Mode(#[from] ModeError),
    /// No modes.
    #[error("a wheel without modes cannot squeal: give at least one")]
    NoModes,
    /// No mode moves sideways.
    #[error("no mode has a lateral amplitude at the contact: friction does nothing to this wheel")]
    NoLateral,
    /// A number is out of its range.
    #[error(transparent)]
    Number(#[from] OutOfRange),
    /// A law of friction is none.
    #[error("{0}")]
    Friction(String),
    /// A patch whose friction jumps.
    #[error(
        "friction that jumps from a static to a kinetic coefficient has no meaning for a patch of bristles, of which some stick and some slide \
         at any time: let it fall over a speed (`speed`, `alpha` or `table`), or take a point"
    )]
    Jump,
    /// The modes hold more static compliance than the whole body has.
    #[error(
        "compliance is counted twice: the modes alone give {modes:e} m/N at the contact, and the whole body is said to have {body:e} m/N. \
         Static compliance belongs to the modes or to the contact, not to both: leave `compliance` out, or give that of the body \
         with all its modes"
    )]
    CountedTwice {
        /// Σ φ²/ω² [m/N].
        modes: f64,
        /// Of the body [m/N].
        body: f64,
    },
    /// Steps too long for a mode.
    #[error(
        "steps of {h:e} s are too long for the mode {mode:?} of {frequency} Hz: it has {found:.1} steps a period and needs {STEPS_A_PERIOD}. \
         Write a step of at most {} s, or leave the mode out",
        rounded_down(*most)
    )]
    LongStep {
        /// Which mode.
        mode: String,
        /// Its frequency \[Hz\].
        frequency: f64,
        /// The step \[s\].
        h: f64,
        /// Steps a period.
        found: f64,
        /// The longest step \[s\].
        most: f64,
    },
    /// Steps too long for the contact.
    #[error(
        "steps of {h:e} s are too long for the contact: its force would answer to itself within a step, by a factor of {factor:.2}. Write a \
         step of at most {} s",
        rounded_down(*most)
    )]
    StiffContact {
        /// The step \[s\].
        h: f64,
        /// Contraction of the equations of a step.
        factor: f64,
        /// The longest step \[s\].
        most: f64,
    },
    /// A patch of too few bristles.
    #[error(
        "steps of {h:e} s make {found} bristles of the contact patch, since one leaves it each step: at least {least} are needed. Write a step of at most \
         {} s",
        rounded_down(*most)
    )]
    FewBristles {
        /// The step \[s\].
        h: f64,
        /// Bristles.
        found: usize,
        /// Bristles that are needed.
        least: usize,
        /// The longest step \[s\].
        most: f64,
    },
    /// Roughness that the steps do not resolve.
    #[error(
        "roughness of {frequency} Hz (a wavelength of {wavelength:e} m) is shorter than steps of {h:e} s resolve: {found:.1} steps a period, and {STEPS_A_PERIOD} \
         are needed. Write a step of at most {} s, or leave that roughness out",
        rounded_down(*most)
    )]
    FineRoughness {
        /// Frequency \[Hz\].
        frequency: f64,
        /// Wavelength \[m\].
        wavelength: f64,
        /// The step \[s\].
        h: f64,
        /// Steps a period.
        found: f64,
        /// The longest step \[s\].
        most: f64,
    },
    /// An eigenvector that cannot be given a lateral velocity.
    #[error(
        "the least stable eigenvector, of {frequency} Hz, does not move the contact sideways: no lateral velocity can be given along it. Begin with a \
         `kick` or with `noise`"
    )]
    NoLateralPart {
        /// Its frequency \[Hz\].
        frequency: f64,
    },
    /// Small motions are not linear.
    #[error(transparent)]
    NotLinear(#[from] NotLinear),
    /// Eigenvalues that were not found.
    #[error("the eigenvalues were not found to rounding: {0} of them still move")]
    Eigenvalues(usize),
}

/// Three digits of a number, not above it.
fn rounded_down(x: f64) -> String {
    let digit = 10.0_f64.powf(x.log10().floor() - 2.0);
    format!("{:.2e}", (x / digit * (1.0 + 1e-12)).floor() * digit)
}

impl Wheel {
    /// Checks the data.
    pub fn check(&self) -> Result<(), SquealError> {
        if self.modes.is_empty() {
            return Err(SquealError::NoModes);
        }
        self.modes.iter().try_for_each(Mode::check)?;
        if self.modes.iter().all(|mode| mode.lateral == 0.0) {
            return Err(SquealError::NoLateral);
        }
        in_range::<range::Speed>("speed", self.speed, "m/s")?;
        in_range::<range::Creepage>("creepage", self.creepage, "")?;
        in_range::<range::Load>("load", self.spring.load, "N")?;
        in_range::<range::Approach>("approach", self.spring.approach, "m")?;
        in_range::<range::Residual>("residual compliance", self.spring.residual, "m/N")?;
        match &self.contact {
            Contact::Point { friction } => friction.check().map_err(SquealError::Friction),
            Contact::Creep { friction, slope, lag } => {
                in_range::<range::Slope>("slope of the creep law", *slope, "")?;
                in_range::<range::Lag>("relaxation length", *lag, "m")?;
                friction.check().map_err(SquealError::Friction)
            }
            Contact::Patch { friction, half_length, flexibility } => {
                friction.check().map_err(SquealError::Friction)?;
                if let Friction::Law(Coefficient::StaticKinetic { .. }) = friction {
                    return Err(SquealError::Jump);
                }
                in_range::<range::PatchFriction>("coefficient of friction", friction.at(self.slip()), "")?;
                in_range::<range::HalfLength>("half length", *half_length, "m")?;
                in_range::<range::Flexibility>("flexibility", *flexibility, "m^2/N")?;
                Ok(())
            }
        }
    }

    /// Slip velocity V s0 of the steady state [m/s].
    pub fn slip(&self) -> f64 {
        self.speed * self.creepage
    }

    /// Static compliance of the modes at the contact, up [m/N]: Σ φ_z²/ω².
    pub fn modal_compliance(&self) -> f64 {
        self.modes.iter().map(|mode| (mode.vertical / mode.omega()).powi(2)).sum()
    }

    /// The same wheel with the compliance that a body has beside its modes, in series with the Hertz spring: once, and never twice.
    pub fn with_body_compliance(mut self, body: f64) -> Result<Wheel, SquealError> {
        in_range::<range::Compliance>("compliance", body, "m/N")?;
        let modes = self.modal_compliance();
        if body < modes {
            return Err(SquealError::CountedTwice { modes, body });
        }
        self.spring.residual = body - modes;
        Ok(self)
    }

    /// Share s0/s_f of the creepage at which the patch slides as a whole, s_f = 3μ0LN0/(2a²), μ0 = μ(V s0); none for other contacts.
    pub fn share_of_full_slip(&self) -> Option<f64> {
        let Contact::Patch { friction, half_length, flexibility } = &self.contact else { return None };
        let bound = friction.at(self.slip()) * flexibility * self.spring.load;
        Some(self.creepage * 2.0 * half_length * half_length / (3.0 * bound))
    }

    /// μ0 = −F_y/N of the steady state.
    pub fn steady_friction(&self) -> f64 {
        match &self.contact {
            Contact::Point { friction } => friction.at(self.slip()),
            Contact::Creep { friction, slope, .. } => friction.at(self.slip()) * (slope * self.creepage).tanh(),
            Contact::Patch { friction, .. } => {
                let left = (1.0 - self.share_of_full_slip().unwrap_or(1.0)).max(0.0);
                friction.at(self.slip()) * (1.0 - left.powi(3))
            }
        }
    }

    /// dΓ/ds of the creep law at a creepage s > 0.
    pub fn creep_slope(&self, s: f64) -> f64 {
        let Contact::Creep { friction, slope, .. } = &self.contact else { return 0.0 };
        let (v, x) = (self.speed * s, slope * s);
        self.speed * friction.slope(v) * x.tanh() + friction.at(v) * slope / x.cosh().powi(2)
    }

    /// Refuses steps that do not follow the highest mode or the roughness.
    pub fn check_step(&self, h: f64) -> Result<(), SquealError> {
        let highest = self.modes.iter().max_by(|a, b| a.frequency.total_cmp(&b.frequency));
        if let Some(mode) = highest.filter(|mode| mode.frequency * h * STEPS_A_PERIOD > 1.0) {
            let found = 1.0 / (mode.frequency * h);
            let most = 1.0 / (mode.frequency * STEPS_A_PERIOD);
            return Err(SquealError::LongStep { mode: mode.name.clone(), frequency: mode.frequency, h, found, most });
        }
        if let Some(line) = self.roughness.unresolved(h, STEPS_A_PERIOD) {
            return Err(self.fine_roughness(line.frequency, h));
        }
        // Points further apart than half a period of what steps resolve.
        let finest = self.roughness.finest();
        if finest < 0.5 * STEPS_A_PERIOD * h {
            return Err(self.fine_roughness(0.5 / finest, h));
        }
        Ok(())
    }

    fn fine_roughness(&self, frequency: f64, h: f64) -> SquealError {
        SquealError::FineRoughness {
            frequency,
            wavelength: self.speed / frequency,
            h,
            found: 1.0 / (frequency * h),
            most: 1.0 / (frequency * STEPS_A_PERIOD),
        }
    }
}
