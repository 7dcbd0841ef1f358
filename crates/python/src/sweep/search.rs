//! Searches: `stickslip.find`.

use pyo3::prelude::*;
use stickslip::models::MODELS;
use stickslip::scenario::sweep::Axis;
use stickslip::sweep::find::{Found, Goal, Search, find_while};
use stickslip::sweep::{SweepError, named, pair};

use crate::border::wait;
use crate::error;
use crate::scenario::PyScenario;

/// What was found, as plain data.
#[derive(IntoPyObject)]
pub struct Answer {
    key: String,
    unit: String,
    value: f64,
    beyond: Option<f64>,
    upwards: Option<bool>,
    names: Vec<String>,
    outputs: Vec<f64>,
    runs: Vec<(f64, Vec<f64>)>,
    plateau: Option<(f64, f64)>,
}

/// A search as Python has it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    bracket: String,
    until: Option<String>,
    minimise: Option<String>,
    maximise: Option<String>,
    tolerance: Option<f64>,
    scan: usize,
    follow: Vec<String>,
    outputs: Vec<String>,
}

impl Wanted {
    fn search(self) -> Result<Search, SweepError> {
        let (key, range) = pair(&self.bracket, "KEY=A:B, such as road.friction=0:1")?;
        let bracket = Axis::bracket(&range).map_err(|fault| {
            SweepError::input(format!("{key}: {}", fault.message), fault.help.unwrap_or_else(|| "write KEY=A:B".into()))
        })?;
        let goal = match (self.until, self.minimise, self.maximise) {
            (Some(condition), None, None) => Goal::Until(condition),
            (None, Some(output), None) => Goal::Minimise(output),
            (None, None, Some(output)) => Goal::Maximise(output),
            _ => {
                let help = "say until=\"CONDITION\", minimise=\"OUTPUT\" or maximise=\"OUTPUT\"";
                return Err(SweepError::input("one thing is looked for at a time", help));
            }
        };
        let tolerance = self.tolerance.unwrap_or_else(|| goal.usual_tolerance());
        if !(0.0..1.0).contains(&tolerance) {
            let message = format!("the tolerance is a share of the bracket, from 0 to below 1, and not {tolerance}");
            return Err(SweepError::input(message, "write for example tolerance=1e-6"));
        }
        if !(3..=300).contains(&self.scan) {
            let message = format!("{} values cannot be looked at beforehand", self.scan);
            return Err(SweepError::input(message, "scan is a whole number from 3 to 300"));
        }
        let follow = self.follow.iter().map(|text| pair(text, "KEY=FORMULA")).collect::<Result<_, _>>()?;
        let outputs = self.outputs.iter().map(|text| named(text)).collect();
        Ok(Search { key, bracket, goal, tolerance, scan: self.scan, follow, outputs })
    }
}

/// Searches.
#[pyfunction]
pub fn find(py: Python<'_>, scenario: &PyScenario, wanted: Wanted) -> PyResult<Answer> {
    let search = wanted.search().map_err(|fault| error::sweep(&fault))?;
    let (scenario, key) = (scenario.scenario.clone(), search.key.clone());
    let found = wait(py, move |watch| find_while(&MODELS, &scenario, &search, &mut |_| !watch.stop()))?;
    let found = found.map_err(|fault| error::sweep(&fault))?;
    let plateau = found.plateau().map(|[low, high]| (low, high));
    let Found { value, beyond, upwards, outputs, names, unit, runs, .. } = found;
    let runs = runs.into_iter().map(|run| (run.value, run.outputs)).collect();
    Ok(Answer { key, unit, value, beyond, upwards, names, outputs, runs, plateau })
}
