//! Runs that end in the same motion: groups of points by what columns do in the second half of each run.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{Data, outputs};
use crate::Plan;

/// Runs that end alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its name: what the motion is.
    pub name: String,
    /// How many runs.
    pub count: usize,
    /// Means of what the runs were grouped by.
    pub means: Vec<f64>,
}

/// Groups, and the group of each point.
pub(super) type Grouped = (Vec<Group>, Vec<Option<usize>>);

/// Runs that differ by less than this share of the spread of all, in everything they are grouped by, are neighbours; neighbours of
/// neighbours are of one group, so that motions of one kind that vary from place to place stay together.
const NEAR: f64 = 0.02;

/// Features of one column: least, greatest and mean value of its late motion.
const OF_COLUMN: usize = FEATURES.len();

/// Groups that are told; what is left over is the last of them.
const MOST: usize = 8;

/// Names that outputs of `orbits` begin with.
pub(crate) const FEATURES: [&str; 3] = ["late.min.", "late.max.", "late.mean."];

/// Groups of points by their features (lists of one value for each point), the largest first, and the group of each point. A point that
/// lacks a feature is of none.
pub fn group(features: &[&[f64]]) -> (Vec<Group>, Vec<Option<usize>>) {
    let count = features.first().map_or(0, |first| first.len());
    // Where all runs share a motion, the spread is what the phase leaves of its mean: the swing of the motion counts as well.
    let swing = |k: usize| {
        let first = OF_COLUMN * (k / OF_COLUMN);
        let [Some(least), Some(greatest)] = [features.get(first), features.get(first + 1)] else { return 0.0 };
        let swings = least.iter().zip(greatest.iter()).map(|(a, b)| b - a);
        swings.filter(|swing| swing.is_finite()).fold(0.0_f64, f64::max)
    };
    // Spreads that are rounding are none.
    let scales: Vec<[f64; 2]> = features
        .iter()
        .enumerate()
        .map(|(k, values)| {
            let known = values.iter().filter(|value| value.is_finite());
            let (least, greatest) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(*v), b.max(*v)));
            let spread = greatest - least;
            [
                least,
                if spread > 1e-9 * least.abs().max(greatest.abs()) {
                    NEAR * spread.max(swing(k))
                } else {
                    f64::INFINITY
                },
            ]
        })
        .collect();
    let cell = |point: usize| -> Option<Vec<i64>> {
        features
            .iter()
            .zip(&scales)
            .map(|(values, [least, size])| {
                values[point].is_finite().then(|| ((values[point] - least) / size).floor() as i64)
            })
            .collect()
    };
    let mut cells: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
    for point in 0..count {
        if let Some(cell) = cell(point) {
            cells.entry(cell).or_default().push(point);
        }
    }
    let keys: Vec<Vec<i64>> = cells.keys().cloned().collect();
    let mut label: Vec<Option<usize>> = vec![None; keys.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for start in 0..keys.len() {
        if label[start].is_some() {
            continue;
        }
        let number = groups.len();
        let (mut waiting, mut members) = (vec![start], Vec::new());
        label[start] = Some(number);
        while let Some(k) = waiting.pop() {
            members.extend(&cells[&keys[k]]);
            for other in neighbours(&keys, k) {
                if label[other].is_none() {
                    label[other] = Some(number);
                    waiting.push(other);
                }
            }
        }
        groups.push(members);
    }
    // Of equally large ones that of the least values comes first, whatever the order of the points.
    let least = |members: &[usize], values: &[f64]| members.iter().map(|k| values[*k]).fold(f64::INFINITY, f64::min);
    let rising = |a: &[usize], b: &[usize]| {
        let orders = features.iter().map(|values| least(a, values).total_cmp(&least(b, values)));
        orders.fold(Ordering::Equal, Ordering::then)
    };
    groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| rising(a, b)));
    let mut own = vec![None; count];
    let rest: Vec<usize> = groups.drain(groups.len().min(MOST)..).flatten().collect();
    let left = !rest.is_empty();
    groups.extend(left.then_some(rest));
    let told = groups.iter().enumerate().map(|(number, members)| {
        members.iter().for_each(|point| own[*point] = Some(number));
        let mean = |values: &&[f64]| members.iter().map(|point| values[*point]).sum::<f64>() / members.len() as f64;
        let name = if left && number == MOST { "others".to_string() } else { format!("motion {}", number + 1) };
        Group { name, count: members.len(), means: features.iter().map(mean).collect() }
    });
    (told.collect(), own)
}

/// Cells that touch a cell, itself among them. `keys` are sorted. Few cells are all looked at; of many, those about it are looked up.
fn neighbours(keys: &[Vec<i64>], k: usize) -> Vec<usize> {
    let own = &keys[k];
    let about = 3_usize.checked_pow(own.len() as u32).filter(|about| *about < keys.len());
    let Some(about) = about else {
        let near = |key: &Vec<i64>| key.iter().zip(own).all(|(a, b)| a.abs_diff(*b) <= 1);
        return keys.iter().enumerate().filter(|(_, key)| near(key)).map(|(other, _)| other).collect();
    };
    let place = |mut number: usize| -> Vec<i64> {
        let step = |x: &i64| {
            let off = (number % 3) as i64 - 1;
            number /= 3;
            x + off
        };
        own.iter().map(step).collect()
    };
    (0..about).filter_map(|number| keys.binary_search(&place(number)).ok()).collect()
}

/// Columns of the features that a plan asks for.
fn columns(plan: &Plan<'_>) -> Vec<usize> {
    let feature = |name: &str| FEATURES.iter().any(|word| name.starts_with(word));
    outputs(plan).filter(|k| feature(&plan.columns()[*k].name)).collect()
}

/// The groups of a plan that asks for orbits.
pub(super) fn of_plan(plan: &Plan<'_>, data: &Data) -> Option<Grouped> {
    if !plan.groups() {
        return None;
    }
    let features: Vec<&[f64]> = columns(plan).into_iter().map(|k| data.numbers(k)).collect();
    Some(group(&features))
}

/// The groups and the group of each point, as a table.
pub(super) fn csv(plan: &Plan<'_>, groups: &[Group], own: &[Option<usize>]) -> String {
    let mut values = Vec::new();
    let names: Vec<&str> = plan.columns()[..plan.varied()].iter().map(|column| column.name.as_str()).collect();
    let mut text = format!("point,{},group\n", names.join(","));
    for (point, group) in own.iter().enumerate() {
        plan.points().values(point as u64, &mut values);
        let keys: Vec<String> = values.iter().map(|value| value.written()).collect();
        let name = group.and_then(|group| groups.get(group)).map_or("", |group| group.name.as_str());
        text += &format!("{point},{},{name}\n", keys.join(","));
    }
    text
}

/// What the groups are, for a table: name, runs, means.
pub(super) fn table(plan: &Plan<'_>, groups: &[Group]) -> (Vec<String>, Vec<Vec<String>>) {
    let names = columns(plan).into_iter().map(|k| format!("mean of {}", plan.columns()[k].name));
    let header = ["group".to_string(), "runs".to_string()].into_iter().chain(names).collect();
    let row = |group: &Group| {
        let means = group.means.iter().map(|mean| stickslip_run::text::number_to(*mean, 5));
        [group.name.clone(), group.count.to_string()].into_iter().chain(means).collect()
    };
    (header, groups.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs that share a motion are one group, although their means differ by what the phase leaves.
    #[test]
    fn phases_make_no_groups() {
        let least: Vec<f64> = (0..15).map(|k| -0.3 + 1e-7 * f64::from(k)).collect();
        let greatest = vec![0.3; 15];
        let mean: Vec<f64> = (0..15).map(|k| 1e-4 * f64::from(k * k % 7)).collect();
        assert_eq!(group(&[&least, &greatest, &mean]).0.len(), 1);
    }

    #[test]
    fn two_motions_are_two_groups_and_a_ramp_is_one() {
        let least: Vec<f64> = (0..100).map(|k| if k % 3 == 0 { 1.8 } else { -0.5 - 1e-3 * f64::from(k) }).collect();
        let greatest: Vec<f64> = (0..100).map(|k| if k % 3 == 0 { 1.8 } else { 2.3 }).collect();
        let (groups, own) = group(&[&least, &greatest]);
        assert_eq!(groups.iter().map(|group| group.count).collect::<Vec<_>>(), [66, 34]);
        assert!((0..100).all(|k| own[k] == Some(usize::from(k % 3 == 0))));
        assert!((groups[1].means[0] - 1.8).abs() < 1e-12);
        let ramp: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(group(&[&ramp]).0.len(), 1);
        // Equal but for rounding, and one that is missing.
        let (groups, own) = group(&[&[1.0, 1.0 + 1e-15, f64::NAN]]);
        assert_eq!((groups.len(), own[2]), (1, None));
    }
}
