//! Which of the random keys an output depends on.
//!
//! Two measures, from the samples of the sweep alone: Spearman's rank correlation ρ (how monotonically the output follows the key, with
//! its sign), and the share of the output's variance that the key by itself explains,
//!
//! ```text
//! S = Var(E[y | x]) / Var(y),
//! ```
//!
//! with the mean given x taken in m groups of equally many samples; what chance alone would give, (m − 1)/(n − 1), is taken off where samples
//! lie by chance. What keys explain together only is in none of their S. In a sequence of Sobol two keys may lie evenly only in far more
//! samples than there are: where the groups of a key have another one less evenly than chance would, one cannot be told from the other, and
//! the key has no S.

use stickslip_scenario::sweep::Design;

/// How much an output depends on a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The output.
    pub output: String,
    /// The key.
    pub key: String,
    /// Rank correlation, −1…1.
    pub rank_correlation: f64,
    /// Share of the variance, 0…1; none where samples of the key lie too unevenly beside those of another one.
    pub share_of_variance: Option<f64>,
    /// Samples that have the output.
    pub samples: usize,
}

/// Samples that are needed for a ranking.
const FEWEST: usize = 20;

/// The keys by the share of the variance that they explain, greatest first; nothing where there are too few samples.
pub fn ranking(output: &str, keys: &[(&str, &[f64])], values: &[f64], design: Design) -> Vec<Ranked> {
    let known: Vec<usize> = (0..values.len()).filter(|k| values[*k].is_finite()).collect();
    if known.len() < FEWEST {
        return Vec::new();
    }
    let y: Vec<f64> = known.iter().map(|k| values[*k]).collect();
    let own = |all: &[f64]| -> Vec<f64> { known.iter().map(|k| all[*k]).collect() };
    let columns: Vec<Vec<f64>> = keys.iter().map(|(_, all)| own(all)).collect();
    let rank = |(place, (key, _)): (usize, &(&str, &[f64]))| {
        let x = &columns[place];
        let mut others = columns.iter().enumerate().filter(|(other, _)| *other != place);
        let told = design != Design::Sobol || others.all(|(_, other)| even(x, other));
        Ranked {
            output: output.to_string(),
            key: (*key).to_string(),
            rank_correlation: correlation(&ranks(x), &ranks(&y)),
            share_of_variance: told.then(|| explained(x, &y, design)),
            samples: known.len(),
        }
    };
    let mut all: Vec<Ranked> = keys.iter().enumerate().map(rank).collect();
    let share = |r: &Ranked| r.share_of_variance.unwrap_or(-1.0);
    all.sort_by(|a, b| share(b).total_cmp(&share(a)));
    all
}

/// The places of values in their order; equal ones share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut begin = 0;
    while begin < order.len() {
        let end = (begin..order.len()).find(|k| values[order[*k]] != values[order[begin]]).unwrap_or(order.len());
        let mean = 0.5 * (begin + end - 1) as f64;
        order[begin..end].iter().for_each(|k| ranks[*k] = mean);
        begin = end;
    }
    ranks
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Correlation of two lists; 0 where one of them is constant.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (ma, mb) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| a.iter().zip(b).map(|(a, b)| f(a - ma, b - mb)).sum::<f64>();
    let (ab, aa, bb) = (sum(&|a, b| a * b), sum(&|a, _| a * a), sum(&|_, b| b * b));
    if aa > 0.0 && bb > 0.0 { ab / (aa * bb).sqrt() } else { 0.0 }
}

/// Groups of n samples.
fn groups(n: usize) -> usize {
    ((n as f64).sqrt() as usize).clamp(4, 50)
}

/// As many as a power of two.
fn even_groups(n: usize) -> usize {
    1 << groups(n).ilog2()
}

/// Samples by rising value.
fn order(x: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
    order
}

/// Parts into which the values of another key are cut, to see whether each group has its share of them.
const PARTS: usize = 8;

/// χ² over its mean under chance, (m − 1)(PARTS − 1), up to which a key lies evenly in the groups of another one; a sequence of Sobol whose axes
/// are even together has far less, and one whose axes are not has 1.3 times as much or more.
const CHANCE: f64 = 1.25;

/// Whether the groups of x have the values of another key as evenly as chance would have them: Pearson's χ² of the table of both.
fn even(x: &[f64], other: &[f64]) -> bool {
    let (n, groups) = (x.len(), even_groups(x.len()));
    let mut part = vec![0; n];
    order(other).iter().enumerate().for_each(|(place, k)| part[*k] = place * PARTS / n);
    let mut counts = vec![0.0; groups * PARTS];
    order(x).iter().enumerate().for_each(|(place, k)| counts[place * groups / n * PARTS + part[*k]] += 1.0);
    let expected = n as f64 / counts.len() as f64;
    let chi2: f64 = counts.iter().map(|count: &f64| (count - expected).powi(2) / expected).sum();
    chi2 <= CHANCE * ((groups - 1) * (PARTS - 1)) as f64
}

/// Share of the variance of y that x explains: that of means in groups of equally many samples with neighbouring x.
///
/// By chance, and in Latin hypercubes, whose axes are paired by chance, other keys add (m − 1)/(n − 1) of the sum of squares to m groups of
/// n samples, which is taken off. A sequence of Sobol has the other keys evenly in each group, too: nothing is added, and nothing taken off.
/// Its groups are as many as a power of two, which its samples fill evenly.
fn explained(x: &[f64], y: &[f64], design: Design) -> f64 {
    let n = y.len();
    let even = design == Design::Sobol;
    let groups = if even { even_groups(n) } else { groups(n) };
    let order = order(x);
    let m = mean(y);
    let total: f64 = y.iter().map(|y| (y - m).powi(2)).sum();
    if total <= 0.0 || total.is_nan() {
        return 0.0;
    }
    let between: f64 = (0..groups)
        .map(|g| {
            let own: Vec<f64> = order[g * n / groups..(g + 1) * n / groups].iter().map(|k| y[*k]).collect();
            own.len() as f64 * (mean(&own) - m).powi(2)
        })
        .sum();
    // Between groups of pure chance lies (m − 1)/(n − 1) of the sum of squares.
    let chance = if even { 0.0 } else { (groups - 1) as f64 / (n - 1) as f64 };
    ((between / total - chance) / (1.0 - chance)).clamp(0.0, 1.0)
}

/// As a table.
pub(super) fn csv(ranked: &[Ranked]) -> String {
    let row = |r: &Ranked| {
        let share = r.share_of_variance.map_or_else(String::new, |share| format!("{share:?}"));
        format!("{},{},{:?},{share},{}\n", r.output, r.key, r.rank_correlation, r.samples)
    };
    let rows: String = ranked.iter().map(row).collect();
    format!("output,key,rank_correlation,share_of_variance,samples\n{rows}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_scenario::sweep::{Axis, Sweep};

    /// Even places in a square: a lattice of rank 1.
    fn lattice(n: usize) -> [Vec<f64>; 2] {
        let at = |k: usize, step: f64| ((k as f64 + 0.5) * step).fract();
        [(0..n).map(|k| (k as f64 + 0.5) / n as f64).collect(), (0..n).map(|k| at(k, 0.618_033_988_749_895)).collect()]
    }

    #[test]
    fn shares_of_a_sum_are_those_of_its_variances() {
        // y = a + 2 b with equal variances: 1/5 and 4/5.
        let [a, b] = lattice(4096);
        let y: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + 2.0 * b).collect();
        let found = ranking("y", &[("a", &a), ("b", &b)], &y, Design::Random);
        assert_eq!((found[0].key.as_str(), found[1].key.as_str()), ("b", "a"));
        assert!((found[0].share_of_variance.expect("told") - 0.8).abs() < 0.01, "{found:?}");
        assert!((found[1].share_of_variance.expect("told") - 0.2).abs() < 0.01, "{found:?}");
        assert!(found[0].rank_correlation > 0.8);
    }

    /// Samples of a design as a sweep makes them.
    fn samples<const KEYS: usize>(design: Design, n: u64, seed: u64) -> [Vec<f64>; KEYS] {
        let axis = |k: usize| (format!("k{k}"), Axis::read("uniform(0, 1)").expect("an axis"));
        let vary = (0..KEYS).map(axis).collect();
        let sweep = Sweep { vary, samples: Some(n), seed: Some(seed), design: Some(design), ..Sweep::default() };
        let points = crate::Points::new(&sweep, std::path::Path::new("")).expect("points");
        let mut values = Vec::new();
        let mut all = std::array::from_fn(|_| Vec::new());
        for index in 0..n {
            points.values(index, &mut values);
            all.iter_mut().zip(&values).for_each(|(list, value)| list.push(value.number().expect("a number")));
        }
        all
    }

    #[test]
    fn small_shares_are_not_taken_for_chance() {
        // y = a + b/5: Var(b/5)/Var(y) = (1/25)/(26/25).
        let exact = 1.0 / 26.0;
        let share = |design: Design, n: u64, seed: u64| {
            let [a, b] = samples(design, n, seed);
            let y: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + 0.2 * b).collect();
            ranking("y", &[("a", &a), ("b", &b)], &y, design)[1].share_of_variance.expect("told")
        };
        for n in [256, 1000, 1024, 16_384] {
            for seed in 0..8 {
                // In m groups of n/m samples, a lies evenly in each: the mean of a group is off by (m/n)^1.5/√12, which adds (m/n)³ to S,
                // and steps of b take 1/m² of it away: 4e-4 with 256 samples; 1000 do not fill their groups evenly.
                let found = share(Design::Sobol, n, seed);
                assert!((found - exact).abs() < 2e-3, "{n} {seed}: {found}");
            }
        }
        for design in [Design::Random, Design::LatinHypercube] {
            // By chance, S has the deviation of a mean over m groups: about 2 √(S/n), 0.012 here; the mean of 40 is six times as exact.
            let mean = (0..40).map(|seed| share(design, 1024, seed)).sum::<f64>() / 40.0;
            assert!((mean - exact).abs() < 6e-3, "{design:?}: {mean}");
        }
    }

    /// y is a key of 21: no other key explains anything, and none is said to.
    #[test]
    fn keys_that_lie_unevenly_are_not_ranked() {
        for n in [64, 256, 1024] {
            for seed in 0..4 {
                let all: [Vec<f64>; 21] = samples(Design::Sobol, n, seed);
                for last in [4, 9, 20] {
                    let names: Vec<String> = (0..=last).map(|k| format!("k{k}")).collect();
                    let keys: Vec<(&str, &[f64])> =
                        names.iter().zip(&all).map(|(name, x)| (name.as_str(), x.as_slice())).collect();
                    for own in 0..=last {
                        for found in ranking("y", &keys, &all[own], Design::Sobol) {
                            let share = found.share_of_variance.unwrap_or(0.0);
                            assert!(found.key == names[own] || share < 0.1, "{n} {seed} {own}: {found:?}");
                        }
                    }
                }
            }
        }
        // Two keys are even in any number of samples that is a power of two.
        let [a, b]: [Vec<f64>; 2] = samples(Design::Sobol, 256, 1);
        assert!(ranking("y", &[("a", &a), ("b", &b)], &a, Design::Sobol).iter().all(|r| r.share_of_variance.is_some()));
    }

    #[test]
    fn what_is_not_monotone_is_seen_by_variance_alone() {
        let [a, b] = lattice(4096);
        let y: Vec<f64> = a.iter().map(|a| (a - 0.5).powi(2)).collect();
        let found = ranking("y", &[("a", &a), ("b", &b)], &y, Design::Random);
        assert!(found[0].key == "a" && found[0].share_of_variance > Some(0.99), "{found:?}");
        assert!(found[0].rank_correlation.abs() < 0.01);
        assert!(found[1].share_of_variance < Some(0.01));
    }

    #[test]
    fn too_few_samples_are_not_ranked() {
        assert!(ranking("y", &[("a", &[1.0; 5])], &[1.0; 5], Design::Random).is_empty());
        let constant = ranking("y", &[("a", &[1.0; 30])], &[1.0; 30], Design::Random);
        assert_eq!((constant[0].rank_correlation, constant[0].share_of_variance), (0.0, Some(0.0)));
    }
}
