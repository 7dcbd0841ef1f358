//! What happens between a railway wheel and its rail.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::theory::Kind;
use stickslip_scenario::tables::Spanned;
use stickslip_scenario::tables::{Fault, Force, Positive, Quantity, Ratio};

/// Fewest points of a creep curve.
const FEWEST_POINTS: u64 = 8;

/// More points than this are taken for a slip of the pen.
const MOST_POINTS: u64 = 100_000;

/// What happens between wheel and rail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct Contact {
    /// Coefficient of friction mu, > 0.
    pub(super) friction: Quantity<Ratio, Positive>,
    /// Normal load N [N], > 0 (default: the mass times 9.81 m/s^2).
    pub(super) load: Option<Quantity<Force, Positive>>,
    /// Theory of the creep force: "fastsim" (default), "exact", "polach", "shen-hedrick-elkins" or "linear" (up to mu N).
    #[serde(default)]
    theory: TheoryName,
    /// Elements along each side of the contact; only for "exact" (16 to 1024, default 44) and "fastsim" (8 to 4096,
    /// default 50).
    #[schemars(with = "Option<NonZeroU64>")]
    elements: Option<Spanned<NonZeroU64>>,
    /// Points of the creep curve, 8 to 100000 (default 400, of the exact theory 80).
    #[schemars(with = "Option<NonZeroU64>")]
    points: Option<Spanned<NonZeroU64>>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum TheoryName {
    Exact,
    #[default]
    Fastsim,
    Polach,
    ShenHedrickElkins,
    Linear,
}

impl Contact {
    pub(super) fn theory(&self) -> Kind {
        match self.theory {
            TheoryName::Exact => Kind::Exact,
            TheoryName::Fastsim => Kind::Fastsim,
            TheoryName::Polach => Kind::Polach,
            TheoryName::ShenHedrickElkins => Kind::ShenHedrickElkins,
            TheoryName::Linear => Kind::Linear,
        }
    }

    pub(super) fn elements(&self) -> Result<Option<usize>, Fault> {
        let Some(given) = &self.elements else { return Ok(None) };
        if self.theory().usual_elements().is_none() {
            return Err(Fault::new(format!("the theory \"{}\" has no elements", self.theory().name()))
                .help("leave `elements` out, or write theory = \"fastsim\" or \"exact\"")
                .at(&given.span()));
        }
        let count = usize::try_from(given.get_ref().get()).unwrap_or(usize::MAX);
        match self.theory().elements() {
            Some(range) if !range.contains(&count) => {
                let told = if count < *range.start() {
                    format!(
                        "{count} elements are too few: the theory \"{}\" needs at least {}",
                        self.theory().name(),
                        range.start()
                    )
                } else {
                    format!("{count} elements: at most {} are allowed", range.end())
                };
                Err(Fault::new(told).help("write for example elements = 44").at(&given.span()))
            }
            _ => Ok(Some(count)),
        }
    }

    pub(super) fn points(&self) -> Result<Option<usize>, Fault> {
        let Some(given) = &self.points else { return Ok(None) };
        if !(FEWEST_POINTS..=MOST_POINTS).contains(&given.get_ref().get()) {
            return Err(Fault::new(format!(
                "{} points: a creep curve has {FEWEST_POINTS} to {MOST_POINTS}",
                given.get_ref()
            ))
            .help("write for example points = 400")
            .at(&given.span()));
        }
        Ok(Some(given.get_ref().get() as usize))
    }
}
