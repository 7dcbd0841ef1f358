//! Measures of a model as features: what engineers ask of a run, told physics or numerics.

use stickslip_core::simulation::SimulationError;

use super::features::Made;
use super::{Finding, Kind, SAFETY, SHRUNK, Verdict};
use crate::model::TimeModel;
use crate::{Measures, RunFailure};

/// Differences below this share of a measure decide nothing: windows hold some hundred periods and parts of them, and shares of time are
/// counted in steps.
const FLOOR: f64 = 1e-3;

/// Share by which a measure may miss what it must come near to by itself: what a fit over a growing motion gives.
const AGAINST: f64 = 5e-3;

/// Findings about the measures that a model wants to have checked, with step h, h/2, and by the run that is taken for exact.
pub(crate) fn measured(model: &dyn TimeModel, runs: [&Made; 3]) -> Result<Vec<Finding>, RunFailure> {
    let wanted = model.checked();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let [coarse, fine, other] = runs.map(|made| measures(model, made));
    let (coarse, fine, other) = (coarse?, fine?, other?);
    let mut findings = Vec::new();
    for (name, against) in wanted {
        let [a, b, c] = [&coarse, &fine, &other].map(|measures| measures.value(name));
        if a.is_none() && b.is_none() && c.is_none() {
            continue;
        }
        let (allowed, verdict) = verdict(a, b, c);
        let unit = |measures: &Measures| measures.all.iter().find(|measure| measure.name == *name).map(|m| m.unit);
        let unit = unit(&fine).or_else(|| unit(&coarse)).or_else(|| unit(&other)).unwrap_or("");
        let found = Finding::new((*name).to_string(), Kind::Measure, [a, b, c], allowed, verdict);
        findings.push(Finding { unit, ..found });
        if let (Some(against), Some(found)) = (against, b)
            && let Some(value) = fine.value(against)
        {
            let allowed = AGAINST * value.abs();
            let near = (found - value).abs() <= allowed;
            let verdict = if near { Verdict::Physics } else { Verdict::Numerics };
            let feature = format!("{name} against {against}");
            let found = Finding::new(feature, Kind::Measure, [a, b, c], Some(allowed), verdict);
            findings.push(Finding { unit, against: Some(value), ..found });
        }
    }
    Ok(findings)
}

fn verdict(coarse: Option<f64>, fine: Option<f64>, exact: Option<f64>) -> (Option<f64>, Verdict) {
    let (Some(coarse), Some(fine), Some(exact)) = (coarse, fine, exact) else { return (None, Verdict::Numerics) };
    let floor = FLOOR * exact.abs().max(fine.abs());
    let allowed = SAFETY * (coarse - fine).abs() + floor;
    let (off, before) = ((fine - exact).abs(), (coarse - exact).abs());
    let verdict = match off <= allowed {
        false => Verdict::Numerics,
        true if off <= floor || off <= SHRUNK * before => Verdict::Physics,
        true => Verdict::NotDecided,
    };
    (Some(allowed), verdict)
}

fn measures(model: &dyn TimeModel, made: &Made) -> Result<Measures, RunFailure> {
    if let Some(measures) = &made.measures {
        return Ok(Measures::new(measures.clone(), &[]));
    }
    let again = || model.simulation(made.scheme, made.grid.h);
    let measures =
        model.gauge().map_or(Ok::<_, SimulationError>(Vec::new()), |gauge| gauge.measures(&*made.ended, &again))?;
    Ok(Measures::new(measures, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_halves_is_physics_and_what_stays_off_is_not() {
        assert_eq!(verdict(Some(1.04), Some(1.01), Some(1.0)).1, Verdict::Physics);
        assert_eq!(verdict(Some(1.04), Some(1.039), Some(1.0)).1, Verdict::Numerics);
        assert_eq!(verdict(Some(0.96), Some(1.04), Some(1.0)).1, Verdict::NotDecided);
        assert_eq!(verdict(Some(1.0), None, Some(1.0)).1, Verdict::Numerics);
    }
}
