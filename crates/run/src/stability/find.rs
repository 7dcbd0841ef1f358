//! Critical values of a key: where the state becomes unstable, or stable again.

use serde_json::{Value, json};
use stickslip_core::analysis::stability::{Border, Root, Tendency, border, leading};
use stickslip_scenario::Interval;
use stickslip_scenario::sweep::KeyPath;

use super::points::{in_parallel, roots_at, template};
use super::{StabilityFailure, named, of_root};
use crate::text::number;
use crate::{Registry, Scenario, Step};

/// Values of a bracket that are looked at before halving begins; what becomes unstable and stable again between two of them
/// is not seen.
pub const SCANNED: usize = 101;

/// What was found of a key.
#[derive(Debug, Clone)]
pub struct Found {
    /// The key, and between which numbers was looked.
    pub range: Interval,
    /// Its SI unit; empty where it has none.
    pub unit: String,
    /// Its critical values, in the order of the range.
    pub critical: Vec<Critical>,
    /// What the state is at all values that were looked at, where none is critical.
    pub everywhere: Option<Everywhere>,
    /// How many values were looked at first.
    pub scanned: usize,
    /// Values without a steady state, and why.
    pub lost: Vec<(f64, String)>,
}

/// A range without a critical value.
#[derive(Debug, Clone, PartialEq)]
pub struct Everywhere {
    /// Whether the state is unstable; else it is not at any of the values.
    pub unstable: bool,
    /// The same in a sentence, with the roots at both ends.
    pub words: String,
}

/// A critical value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Critical {
    /// The value, in SI units.
    pub value: f64,
    /// By how much rounding may have moved it.
    pub uncertainty: Option<f64>,
    /// The root there.
    pub root: Root,
    /// Whether the state is unstable above it, and not below.
    pub unstable_above: bool,
}

impl Found {
    /// A value of the key with its unit.
    pub fn with_unit(&self, value: String) -> String {
        if self.unit.is_empty() { value } else { format!("{value} {}", self.unit) }
    }
}

impl Critical {
    pub(super) fn to_json(self) -> Value {
        let mut all = of_root(&self.root);
        // At the border it is neither.
        all.remove("tendency");
        all.insert("value".into(), json!(self.value));
        all.insert("uncertainty".into(), json!(self.uncertainty));
        all.insert("unstable".into(), json!(if self.unstable_above { "above" } else { "below" }));
        Value::Object(all)
    }
}

/// Looks for the critical values of a key.
pub(super) fn found(
    registry: &Registry,
    scenario: &Scenario,
    range: &Interval,
    threads: usize,
    progress: &mut dyn FnMut(Step),
) -> Result<Found, StabilityFailure> {
    let key = &range.key;
    let template = template(registry, scenario, "--find", std::slice::from_ref(range))?;
    let values = range.values(SCANNED);
    let scan = in_parallel(values.len(), threads, progress, |k| roots_at(&template, &values[k..=k]))?;
    let known = || scan.iter().filter_map(|roots| roots.as_ref().ok());
    let zeros = known().all(|roots| roots.iter().any(Root::is_zero));
    let lead_of = |roots: &[Root]| leading(roots, zeros).ok_or_else(|| "all roots are zero".to_string());
    let leads: Vec<Result<Root, String>> =
        scan.iter().map(|roots| roots.clone().and_then(|roots| lead_of(&roots))).collect();
    let lost: Vec<(f64, String)> =
        values.iter().zip(&leads).filter_map(|(v, lead)| lead.as_ref().err().map(|why| (*v, why.clone()))).collect();
    if let Some((value, why)) = lost.first().filter(|_| lost.len() == values.len()) {
        return Err(StabilityFailure::asked(
            format!("--find {key}: no value of it has a steady state; at {}: {why}", number(*value)),
            "look at the scenario alone first, or between other numbers",
        ));
    }
    let grows = |root: &Root| root.tendency() == Tendency::Unstable;
    let mut critical = Vec::new();
    for (pair, ends) in values.windows(2).zip(leads.windows(2)) {
        let [Ok(first), Ok(second)] = ends else { continue };
        if grows(first) == grows(second) {
            continue;
        }
        // Falling ranges are turned round: borders are between a lower and an upper value.
        let (mut lo, mut hi) = ((pair[0], *first), (pair[1], *second));
        if lo.0 > hi.0 {
            std::mem::swap(&mut lo, &mut hi);
        }
        let lead = |value: f64| roots_at(&template, &[value]).and_then(|roots| lead_of(&roots));
        let Border { value, uncertainty, root, unstable_above } = border(lo, hi, lead).map_err(|why| {
            StabilityFailure::asked(
                format!("--find {key}: between {} and {} the steady state is lost: {why}", number(lo.0), number(hi.0)),
                "look between other numbers",
            )
        })?;
        critical.push(Critical { value, uncertainty, root, unstable_above });
    }
    let everywhere = if critical.is_empty() { Some(everywhere(range, &values, &leads)?) } else { None };
    let unit = unit_of(registry, scenario, key)?;
    Ok(Found { range: range.clone(), unit, critical, everywhere, scanned: values.len(), lost })
}

/// The SI unit of a key; empty where it has none.
pub(super) fn unit_of(registry: &Registry, scenario: &Scenario, key: &str) -> Result<String, StabilityFailure> {
    let unit = KeyPath::read(key).and_then(|path| Ok(registry.template(scenario)?.unit(&path)));
    let unit = unit.map_err(|fault| StabilityFailure::of(key, fault))?;
    Ok(unit.filter(|unit| unit != "1").unwrap_or_default())
}

/// What a range without a border is; no answer where values between those with a state have none.
fn everywhere(
    range: &Interval,
    values: &[f64],
    leads: &[Result<Root, String>],
) -> Result<Everywhere, StabilityFailure> {
    let told = |k: usize| match &leads[k] {
        Ok(root) => format!("{} at {}", named(root), number(values[k])),
        Err(_) => format!("no steady state at {}", number(values[k])),
    };
    let known = || leads.iter().flatten();
    let grows = known().filter(|root| root.tendency() == Tendency::Unstable).count();
    let stable = known().all(|root| root.tendency() == Tendency::Stable);
    let (with, of) = (known().count(), leads.len());
    if let Some(lost) = leads.iter().position(Result::is_err) {
        let what = match grows {
            0 if stable => "stable at all of these",
            0 => "unstable at none of these",
            all if all == with => "unstable at all of these",
            _ => "unstable at some of these and not at others",
        };
        let lost = told(lost);
        return Err(StabilityFailure::asked(
            format!(
                "--find {}: no critical value is known: {with} of {of} values have a steady state, {what}; {lost}",
                range.key
            ),
            "look between numbers that all have a steady state, or see what the roots do by --vary",
        ));
    }
    let always = match grows {
        0 if stable => "stable everywhere",
        0 => "nowhere unstable",
        _ => "unstable everywhere",
    };
    let words = format!(
        "the state is {always} between these numbers, so that there is no critical value ({of} values were looked at; the fastest growing root is \
         {}, and {})",
        told(0),
        told(of - 1)
    );
    Ok(Everywhere { unstable: grows > 0, words })
}
