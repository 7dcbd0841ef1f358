//! Tables of creep forces: `stickslip table`.
//!
//! | file | content |
//! |---|---|
//! | `creep-table.csv` | the table, with a head that says what it is, how it is scaled and how far it is off |
//! | `creep-table.parquet` | the same rows (`creep-table.data.csv` in a build without Parquet) |
//! | `check.csv` | random points: table, direct solution, finer elements, FASTSIM, Polach |
//! | `table.json`, `scenario.toml` | what it belongs to |
//! | `report.html`, `figures/*.svg` | curves of the table beside direct solutions |

mod compare;
mod view;
mod work;

pub use compare::Rival;
pub use work::Made;

use stickslip_contact::case::{Case, Outline};
use stickslip_contact::table::Spec;
use stickslip_run::{RunFailure, Scenario};

use super::{RollingContact, RollingElements};

/// Elements along each side where the scenario does not say how many.
const ELEMENTS: usize = 22;

/// Random points where the scenario does not say how many.
const CHECKS: u64 = 400;

/// Seconds that a solution on 22 × 22 elements takes, and the power of the elements along a side that it grows with (docs/creep.md 8).
const EACH: (f64, f64) = (1e-3, 2.6);

/// What the table `[table]` of a scenario asks for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Layout {
    /// Values of a/b.
    pub ratios: Option<Vec<f64>>,
    /// Steps of the size of the creepage.
    pub magnitudes: Option<usize>,
    /// Steps of spin.
    pub spins: Option<usize>,
    /// Steps of direction.
    pub directions: Option<usize>,
    /// Random points at which it is compared with direct solutions.
    pub check: Option<u64>,
    /// Which ones.
    pub seed: Option<u64>,
}

/// A table to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Tabulation {
    /// What it covers.
    pub spec: Spec,
    /// Random points at which it is compared.
    pub check: u64,
    /// Which ones.
    pub seed: u64,
    /// a/b of the scenario's own contact, if the table has it.
    pub own: Option<f64>,
}

impl Tabulation {
    /// The table of a scenario, or why there is none and what to write instead.
    pub fn of(scenario: &Scenario) -> Result<Tabulation, (String, String)> {
        if let Some(RollingContact(case, layout)) = scenario.model.of() {
            return Tabulation::new(case, layout);
        }
        let (name, model) = (&scenario.name, scenario.model.name());
        Err(match scenario.model.of::<RollingElements>() {
            Some(_) => (
                format!("{name}: tables are of half-spaces, and its bodies are finite elements"),
                "leave `bodies` and [mesh] out".into(),
            ),
            None => (
                format!("{name}: tables are of rolling contacts, the model is {model}"),
                "name a scenario with model = \"rolling-contact\", such as creep-table".into(),
            ),
        })
    }

    pub(super) fn new(case: &Case, layout: &Layout) -> Result<Tabulation, (String, String)> {
        let elements = case.elements;
        let along = elements.along.unwrap_or(ELEMENTS);
        if elements.across.is_some_and(|across| across != along)
            || elements.length.is_some()
            || elements.width.is_some()
        {
            return Err((
                "a table has as many elements along as across, over 1.1 times each ellipse".into(),
                "write [grid] along = 22 and across = 22, and leave length and width out".into(),
            ));
        }
        let mut spec = Spec::usual(case.material().poisson());
        spec.elements = along;
        (spec.transport, spec.tolerance) = (case.settings.transport, case.settings.tolerance);
        spec.ratios =
            layout.ratios.clone().unwrap_or_else(|| (0..13).map(|k| 10f64.powf(f64::from(k) / 6.0 - 1.0)).collect());
        spec.magnitudes = layout.magnitudes.unwrap_or(24);
        spec.spins = layout.spins.unwrap_or(12);
        spec.directions = layout.directions.unwrap_or(6);
        spec.check().map_err(|error| (error.to_string(), error.help()))?;
        stickslip_contact::theory::Kind::Exact
            .build(Some(along), spec.settings())
            .map_err(|error| (error.to_string(), "write for example [grid] along = 22 and across = 22".into()))?;
        let own = match case.outline() {
            Ok(Outline::Ellipse(ellipse)) => Some(ellipse.a / ellipse.b),
            _ => None,
        };
        let inside = |ratio: &f64| spec.ratios[0] <= *ratio && *ratio <= spec.ratios[spec.ratios.len() - 1];
        let (check, seed) = (layout.check.unwrap_or(CHECKS), layout.seed.unwrap_or(1));
        Ok(Tabulation { own: own.filter(inside), spec, check, seed })
    }

    /// Seconds that it takes on so many threads, roughly.
    pub fn seconds(&self, threads: usize) -> f64 {
        let (each, power) = EACH;
        self.spec.cases() as f64 * each * (self.spec.elements as f64 / ELEMENTS as f64).powf(power)
            / threads.max(1) as f64
    }
}

fn failed(error: &dyn std::fmt::Display) -> RunFailure {
    RunFailure::Simulation(error.to_string())
}
