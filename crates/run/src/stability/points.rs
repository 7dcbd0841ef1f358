//! The roots at many points, shared by threads. What comes out does not depend on how many there are.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use stickslip_core::analysis::stability::{Root, unstable};
use stickslip_scenario::{Interval, Varied};

use super::tracks::{Track, tracks};
use super::{StabilityFailure, of_root};
use crate::model::Model;
use crate::{Registry, RunFailure, Scenario, Step};

/// A point of the ranges.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The numbers of the varied keys.
    pub values: Vec<f64>,
    /// Its roots, the fastest growing first, or why it has none.
    pub roots: Result<Vec<Root>, String>,
}

impl Point {
    pub(super) fn to_json(&self) -> Value {
        match &self.roots {
            Ok(roots) => {
                let mut all = roots.first().map(of_root).unwrap_or_default();
                all.insert("values".into(), json!(self.values));
                all.insert("unstable".into(), json!(unstable(roots)));
                Value::Object(all)
            }
            Err(why) => json!({ "values": self.values, "unstable": null, "no_state": why }),
        }
    }
}

/// Points that a thread takes at a time.
const SHARE: usize = 16;

type Template<'a> = Varied<'a, std::sync::Arc<dyn Model>>;

/// The scenario with places for the numbers of these keys; both ends of each must be admissible, units and all.
pub(super) fn template<'a>(
    registry: &Registry,
    scenario: &'a Scenario,
    option: &str,
    ranges: &[Interval],
) -> Result<Template<'a>, StabilityFailure> {
    let keys: Vec<&str> = ranges.iter().map(|range| range.key.as_str()).collect();
    let template = registry.varied(scenario, &keys).map_err(|fault| StabilityFailure::of(option, fault))?;
    for end in 0..2 {
        let written: Vec<&str> = ranges.iter().map(|range| range.written[end].as_str()).collect();
        template.at_written(&written).map_err(|fault| StabilityFailure::of(option, fault))?;
    }
    Ok(template)
}

/// The roots at a point.
pub(super) fn roots_at(template: &Template<'_>, values: &[f64]) -> Result<Vec<Root>, String> {
    let model = template.at(values).map_err(|fault| fault.message)?;
    let system = model.linearise().map_err(|failure| failure.to_string())?;
    system.roots().map_err(|error| error.to_string())
}

/// Of each root that is followed over one key: its greatest component where it grows fastest, or decays slowest.
pub(super) fn parts(
    registry: &Registry,
    scenario: &Scenario,
    ranges: &[Interval],
    points: &[Point],
) -> Result<Vec<Option<String>>, StabilityFailure> {
    if ranges.len() != 1 {
        return Ok(Vec::new());
    }
    let template = template(registry, scenario, "--vary", ranges)?;
    let known: Vec<Option<&[Root]>> = points.iter().map(|point| point.roots.as_deref().ok()).collect();
    let part = |track: &Track| {
        let (k, root) = track
            .iter()
            .enumerate()
            .filter_map(|(k, root)| Some((k, (*root)?)))
            .max_by(|a, b| a.1.real.total_cmp(&b.1.real))?;
        let system = template.at(&points[k].values).ok()?.linearise().ok()?;
        let apart = |own: &Root| (own.real - root.real).hypot(own.frequency - root.frequency);
        let modes = system.modes().ok()?;
        let mode = modes.iter().min_by(|a, b| apart(&a.root).total_cmp(&apart(&b.root)))?;
        super::part(mode, &system)
    };
    Ok(tracks(&known).iter().take(NAMED).map(part).collect())
}

/// Roots that are named by their parts at the most.
const NAMED: usize = 40;

/// All points of the ranges, the last key varying fastest.
pub(super) fn evaluated(
    registry: &Registry,
    scenario: &Scenario,
    ranges: &[Interval],
    values: &[Vec<f64>],
    threads: usize,
    progress: &mut dyn FnMut(Step),
) -> Result<Vec<Point>, StabilityFailure> {
    if ranges.is_empty() {
        return Ok(Vec::new());
    }
    let template = template(registry, scenario, "--vary", ranges)?;
    let mut places: Vec<Vec<f64>> = vec![Vec::new()];
    for list in values {
        places = places.into_iter().flat_map(|place| list.iter().map(move |v| [&place[..], &[*v]].concat())).collect();
    }
    let roots = in_parallel(places.len(), threads, progress, |k| roots_at(&template, &places[k]))?;
    Ok(places.into_iter().zip(roots).map(|(values, roots)| Point { values, roots }).collect())
}

/// f(0), f(1), …, shared by threads.
pub(super) fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    progress: &mut dyn FnMut(Step),
    f: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>, RunFailure> {
    let next = AtomicUsize::new(0);
    let worker = |tell: &mut dyn FnMut(usize)| {
        let mut done: Vec<(usize, T)> = Vec::new();
        loop {
            let first = next.fetch_add(SHARE, Ordering::Relaxed);
            if first >= count {
                return done;
            }
            tell(first);
            done.extend((first..count.min(first + SHARE)).map(|k| (k, f(k))));
        }
    };
    let others = threads.clamp(1, count.div_ceil(SHARE).max(1)) - 1;
    let mut all = std::thread::scope(|scope| {
        let running: Vec<_> = (0..others).map(|_| scope.spawn(|| worker(&mut |_| ()))).collect();
        let mut all = worker(&mut |k| progress(Step::Steps(k as u64, count as u64)));
        for thread in running {
            let part = thread.join();
            all.extend(part.map_err(|_| RunFailure::Simulation("a thread of this program broke down".into()))?);
        }
        Ok::<_, RunFailure>(all)
    })?;
    all.sort_unstable_by_key(|(k, _)| *k);
    Ok(all.into_iter().map(|(_, value)| value).collect())
}
