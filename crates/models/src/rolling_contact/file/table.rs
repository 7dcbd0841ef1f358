//! What `stickslip table` tabulates.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::case::Case;
use stickslip_scenario::tables::{Fault, Spanned};

use super::super::table::{Layout, Tabulation};

/// The points of a table of creep forces.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct TableTable {
    /// Ratios a/b of the half-axes along and across, growing, 0.02 to 50 (default 13 from 0.1 to 10, in equal proportions).
    #[schemars(with = "Option<Vec<f64>>")]
    ratios: Option<Spanned<Vec<f64>>>,
    /// Steps of the size of the creepage, from none to full sliding, 6 to 128 (default 24).
    #[schemars(with = "Option<NonZeroU64>")]
    magnitudes: Option<Spanned<NonZeroU64>>,
    /// Steps from no spin to pure spin, 2 to 128 (default 12).
    #[schemars(with = "Option<NonZeroU64>")]
    spins: Option<Spanned<NonZeroU64>>,
    /// Steps from longitudinal to lateral creepage, 2 to 128 (default 6).
    #[schemars(with = "Option<NonZeroU64>")]
    directions: Option<Spanned<NonZeroU64>>,
    /// Random points at which the table is compared with direct solutions, up to 100000 (default 400).
    #[schemars(with = "Option<u64>")]
    check: Option<Spanned<u64>>,
    /// Which random points (default 1).
    seed: Option<u64>,
}

/// Random points at the most: each takes two solutions.
const MOST_CHECKS: u64 = 100_000;

impl TableTable {
    /// Where a part of it stands, if it has any.
    pub(super) fn span(&self) -> Option<Range<usize>> {
        let counts = [&self.magnitudes, &self.spins, &self.directions].into_iter().flatten().map(Spanned::span);
        self.ratios.iter().map(Spanned::span).chain(counts).chain(self.check.iter().map(Spanned::span)).next()
    }

    pub(super) fn read(&self, case: &Case) -> Result<Layout, Fault> {
        let count = |given: &Option<Spanned<NonZeroU64>>| {
            given.as_ref().map(|n| usize::try_from(n.get_ref().get()).unwrap_or(usize::MAX))
        };
        if let Some(check) = self.check.as_ref().filter(|check| *check.get_ref() > MOST_CHECKS) {
            return Err(Fault::new(format!("{} points: at most {MOST_CHECKS} are compared", check.get_ref()))
                .help("write for example check = 400")
                .at(&check.span()));
        }
        let layout = Layout {
            ratios: self.ratios.as_ref().map(|ratios| ratios.get_ref().clone()),
            magnitudes: count(&self.magnitudes),
            spins: count(&self.spins),
            directions: count(&self.directions),
            check: self.check.as_ref().map(|check| *check.get_ref()),
            seed: self.seed,
        };
        let Err((message, help)) = Tabulation::new(case, &layout) else { return Ok(layout) };
        let fault = Fault::new(message).help(help);
        Err(match self.span() {
            Some(span) => fault.at(&span),
            None => fault,
        })
    }
}
