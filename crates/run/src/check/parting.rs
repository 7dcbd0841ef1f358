//! Whether and when three runs of one scenario part.

use stickslip_core::Name;

use super::{Features, Samples};

/// Parts of the run in which mean distances are taken.
const WINDOWS: usize = 32;

/// Mean distance, as a share of the mean size of the motion, below which runs have not parted.
const APART: f64 = 0.05;

/// Share of the coarse run's distance from the exact one that the finer run's keeps where refinement the step no longer
/// helps: a half at first order, one where both are lost.
const KEPT: f64 = 0.75;

/// Distance of the two runs by steps from each other, as a share of that from the exact one, that lost runs have at
/// least: lost runs are as far from each other, while two that agree with each other and not with the third differ from
/// it for another reason than chance.
const SCATTERED: f64 = 0.5;

/// Windows from the parting on in which the distances no longer halve.
const NEXT: usize = 4;

/// Windows at the end over which distances must have grown.
const LEAST: usize = 2;

/// When the runs have parted, if they have: from the first window on whose distance matters and after which refinement the
/// step does not bring the runs by steps nearer to the exact one, nor to each other.
pub(super) fn parted([coarse, fine, exact]: [&Features; 3]) -> Option<f64> {
    let distances = [(coarse, exact), (fine, exact), (coarse, fine)].map(|(a, b)| windows(a, b, exact));
    let [of_coarse, of_fine, between] = distances;
    let lost_in = |range: std::ops::Range<usize>| {
        let [c, f, b] = [&of_coarse, &of_fine, &between].map(|list| list[range.clone()].iter().sum::<f64>());
        f > KEPT * c && b > SCATTERED * f
    };
    // Both at once and for good: chance may bring the coarse run near for a while.
    let lost = |k: &usize| of_fine[*k] > APART && lost_in(*k..(k + NEXT).min(WINDOWS)) && lost_in(*k..WINDOWS);
    (0..(WINDOWS - LEAST)).find(lost).map(|k| exact.duration * k as f64 / WINDOWS as f64)
}

/// Mean distance of two runs in each window: of all velocities, as shares of their mean sizes in the exact run.
fn windows(a: &Features, b: &Features, exact: &Features) -> Vec<f64> {
    let mut sums = vec![(0.0, 0_u64); WINDOWS];
    let pairs = Samples::common(&a.samples.t, &b.samples.t);
    let sizes = sizes(&exact.samples);
    for (name, size) in &sizes {
        let find = |run: &'_ Features| run.samples.columns.iter().position(|(n, _, _)| n == name);
        let (Some(p), Some(q)) = (find(a), find(b)) else { continue };
        for &(i, j) in &pairs {
            let window = (a.samples.t[i] / exact.duration * WINDOWS as f64) as usize;
            let sum = &mut sums[window.min(WINDOWS - 1)];
            let distance = (a.samples.columns[p].2[i] - b.samples.columns[q].2[j]).abs() / size;
            *sum = (sum.0 + distance, sum.1 + 1);
        }
    }
    sums.into_iter().map(|(sum, count)| if count > 0 { sum / count as f64 } else { 0.0 }).collect()
}

/// The velocities that move, or where there are none all quantities that do, with their mean sizes.
fn sizes(samples: &Samples) -> Vec<(Name, f64)> {
    let velocity = |unit: &str| matches!(unit, "m/s" | "rad/s");
    let any = samples.columns.iter().any(|(_, unit, _)| velocity(unit));
    let kept = samples.columns.iter().filter(|(_, unit, _)| velocity(unit) || !any);
    let size = |values: &[f64]| values.iter().map(|v| v.abs()).sum::<f64>() / values.len().max(1) as f64;
    kept.map(|(name, _, values)| (name.clone(), size(values))).filter(|(_, size)| *size > 0.0).collect()
}
