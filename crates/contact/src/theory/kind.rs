//! The theories by name.

use super::{Exact, Fastsim, Linear, Polach, ShenHedrickElkins, Theory, TheoryError};
use crate::tangential::Settings;

/// Which theory: what files and commands choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The half-space on elements.
    Exact,
    /// Kalker's FASTSIM.
    Fastsim,
    /// Polach's ellipsoid.
    Polach,
    /// Shen, Hedrick and Elkins.
    ShenHedrickElkins,
    /// Kalker's linear theory.
    Linear,
}

impl Kind {
    /// All, in the order of tables and legends.
    pub const ALL: [Kind; 5] = [Kind::Exact, Kind::Fastsim, Kind::Polach, Kind::ShenHedrickElkins, Kind::Linear];

    /// The name used in files and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Exact => "exact",
            Kind::Fastsim => "fastsim",
            Kind::Polach => "polach",
            Kind::ShenHedrickElkins => "shen-hedrick-elkins",
            Kind::Linear => "linear",
        }
    }

    /// The theory of this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Elements along each side unless told otherwise: 44 of the exact theory, 50 cells of FASTSIM; none of the others.
    pub fn usual_elements(self) -> Option<usize> {
        match self {
            Kind::Exact => Some(44),
            Kind::Fastsim => Some(50),
            _ => None,
        }
    }

    /// Fewest and most elements along each side. The exact theory needs 16, that is 14.5 along the ellipse, for its contact
    /// to end within the grid; FASTSIM is off by about 1/n², 1.6 % with 8.
    pub fn elements(self) -> Option<std::ops::RangeInclusive<usize>> {
        match self {
            Kind::Exact => Some(16..=1024),
            Kind::Fastsim => Some(8..=4096),
            _ => None,
        }
    }

    /// The theory, with n × n elements where it has any and, of the exact one, these settings.
    pub fn build(self, elements: Option<usize>, settings: Settings) -> Result<Box<dyn Theory>, TheoryError> {
        let n = elements.or(self.usual_elements()).unwrap_or(1);
        if let Some(range) = self.elements().filter(|range| !range.contains(&n)) {
            let (theory, least, most) = (self.name(), *range.start(), *range.end());
            return Err(TheoryError::Elements { theory, n, least, most });
        }
        Ok(match self {
            Kind::Exact => Box::new(Exact::with_settings(n, settings)?),
            Kind::Fastsim => Box::new(Fastsim::new(n, n).map_err(TheoryError::Cells)?),
            Kind::Polach => Box::new(Polach::default()),
            Kind::ShenHedrickElkins => Box::new(ShenHedrickElkins),
            Kind::Linear => Box::new(Linear),
        })
    }
}
