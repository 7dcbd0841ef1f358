//! What happens between a railway wheel and its rail.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::patch::{Creepage, Patch};
use stickslip_contact::table::{Table, TableFile};
use stickslip_contact::theory::{FromTable, Kind, Theory, TheoryError};
use stickslip_scenario::tables::Spanned;
use stickslip_scenario::tables::{Context, Fault, Force, Positive, Quantity, Ratio};

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
    /// Theory of the creep force: "fastsim" (default), "exact", "polach", "shen-hedrick-elkins", "linear" (up to mu N), or "table",
    /// the exact one read from a file.
    #[serde(default)]
    theory: TheoryName,
    /// Elements along each side of the contact; only for "exact" (16 to 1024, default 44) and "fastsim" (8 to 4096,
    /// default 50).
    #[schemars(with = "Option<NonZeroU64>")]
    elements: Option<Spanned<NonZeroU64>>,
    /// Points of the creep curve, 8 to 100000 (default 400, of the exact theory 80).
    #[schemars(with = "Option<NonZeroU64>")]
    points: Option<Spanned<NonZeroU64>>,
    /// A file creep-table.csv that `stickslip table` has written, relative to the scenario file; only for "table".
    #[schemars(with = "Option<String>")]
    table: Option<Spanned<String>>,
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
    Table,
}

impl Contact {
    pub(super) fn theory(&self) -> Kind {
        match self.theory {
            // A table holds the exact theory.
            TheoryName::Exact | TheoryName::Table => Kind::Exact,
            TheoryName::Fastsim => Kind::Fastsim,
            TheoryName::Polach => Kind::Polach,
            TheoryName::ShenHedrickElkins => Kind::ShenHedrickElkins,
            TheoryName::Linear => Kind::Linear,
        }
    }

    pub(super) fn elements(&self) -> Result<Option<usize>, Fault> {
        let Some(given) = &self.elements else { return Ok(None) };
        if matches!(self.theory, TheoryName::Table) {
            return Err(Fault::new("the theory \"table\" has the elements of its file")
                .help("leave `elements` out, or make a table of finer ones: stickslip table creep-table --set grid.along=44 …")
                .at(&given.span()));
        }
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

    /// The table, if the theory is read from one; it must have the contact in it.
    pub(super) fn table(&self, patch: &Patch, context: &mut Context<'_>) -> Result<Option<TableFile>, Fault> {
        let path = match (self.theory, &self.table) {
            (TheoryName::Table, Some(path)) => path,
            (TheoryName::Table, None) => {
                return Err(Fault::new("the theory \"table\" is read from a file, and there is none")
                    .help("make one by `stickslip table creep-table`, and write table = \"creep-table.csv\"")
                    .at(&self.friction.span));
            }
            (_, Some(path)) => {
                return Err(Fault::new(format!("the theory \"{}\" needs no table", self.theory().name()))
                    .help("leave `table` out, or write theory = \"table\"")
                    .at(&path.span()));
            }
            (_, None) => return Ok(None),
        };
        let bytes = context.file(path)?;
        let told = |message: String, help: String| Fault::new(message).help(help).at(&path.span());
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| told(format!("{} is no text", path.get_ref()), "name a file creep-table.csv".into()))?;
        let file = Table::read(text).map_err(|error| told(format!("{}: {error}", path.get_ref()), error.help()))?;
        match FromTable(file.table.clone()).forces(patch, Creepage::default()) {
            Ok(_) => Ok(Some(file)),
            Err(TheoryError::Table(error)) => Err(told(error.to_string(), error.help())),
            Err(error) => Err(told(error.to_string(), "name another table".into())),
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
