//! Points: which values a sweep puts in. Each is a function of its number alone.
//!
//! Rows of a table of points vary slowest, then the keys in their order, the last of them faster than those before it, and random
//! samples fastest of all: every place of a grid has the same samples.

mod random;
mod sobol;
mod table;

use stickslip_scenario::sweep::{Axis, Design, Distribution, Sweep, Value};

use crate::SweepError;
use table::Table;

/// The points of a sweep.
#[derive(Debug, Clone)]
pub struct Points {
    table: Option<Table>,
    axes: Vec<(String, Axis)>,
    /// For each axis that is random, its number among those.
    lots: Vec<Option<Lot>>,
    samples: u64,
    design: Design,
    total: u128,
}

/// Where the samples of an axis come from.
#[derive(Debug, Clone)]
struct Lot {
    stream: u64,
    directions: Option<sobol::Directions>,
}

/// Samples where nobody says how many.
const USUAL_SAMPLES: u64 = 1000;

impl Points {
    /// The points that a sweep asks for; a table of points is read from a file.
    pub fn new(sweep: &Sweep, base: &std::path::Path) -> Result<Points, SweepError> {
        let table = sweep.points.as_ref().map(|file| Table::read(&base.join(file))).transpose()?;
        let mut names: Vec<&str> =
            table.iter().flat_map(Table::names).chain(sweep.vary.iter().map(|(key, _)| key.as_str())).collect();
        if names.is_empty() {
            return Err(SweepError::input(
                "nothing is varied",
                "say --vary key=a:b:n, such as --vary ground.friction=0.2:1:17, or write [sweep.vary] into the file",
            ));
        }
        names.sort_unstable();
        if let Some(two) = names.windows(2).find(|two| two[0] == two[1]) {
            return Err(SweepError::input(format!("`{}` is varied twice", two[0]), "leave one of them out"));
        }
        let axes = sweep.vary.clone();
        let random = axes.iter().filter(|(_, axis)| matches!(axis, Axis::Random(_))).count();
        let design = sweep.design.unwrap_or_default();
        if random == 0 && (sweep.samples.is_some() || sweep.design.is_some()) {
            return Err(SweepError::input(
                "samples are asked for, but nothing is varied at random",
                "vary a key by uniform(a, b), normal(mean, sd) and so on, or leave --samples and --design out",
            ));
        }
        if design == Design::Sobol && random > sobol::MOST {
            return Err(SweepError::input(
                format!("a design of Sobol has at most {} random keys, and there are {random}", sobol::MOST),
                "use the design latin-hypercube",
            ));
        }
        let samples = if random > 0 { sweep.samples.unwrap_or(USUAL_SAMPLES) } else { 1 };
        let mut number = 0;
        let lots = axes.iter().map(|(_, axis)| {
            matches!(axis, Axis::Random(_)).then(|| {
                number += 1;
                let directions = (design == Design::Sobol).then(|| sobol::Directions::of(number - 1));
                Lot { stream: random::stream(sweep.seed.unwrap_or(0), number - 1), directions }
            })
        });
        let lots = lots.collect();
        let counts = axes.iter().map(|(_, axis)| u128::from(count(axis)));
        let grid = counts.fold(table.as_ref().map_or(1, |table| table.rows() as u128), u128::saturating_mul);
        Ok(Points { table, axes, lots, samples, design, total: grid.saturating_mul(u128::from(samples)) })
    }

    /// How many there are, if numbers reach.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// What is varied: keys, and names of variables.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.table.iter().flat_map(Table::names).chain(self.axes.iter().map(|(key, _)| key.as_str()))
    }

    /// What is varied by ranges, lists and distributions.
    pub fn axes(&self) -> &[(String, Axis)] {
        &self.axes
    }

    /// How many random samples there are of every place of the grid; one where nothing is random.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// How they are laid out.
    pub(crate) fn design(&self) -> Design {
        self.design
    }

    /// Whether anything is random.
    pub fn is_random(&self) -> bool {
        self.lots.iter().any(Option::is_some)
    }

    /// Whether all points are samples of one distribution: random, and the same in all that is not.
    pub fn is_one_sample(&self) -> bool {
        self.is_random() && self.total == u128::from(self.samples)
    }

    /// Whether a table of points is among them.
    pub fn has_table(&self) -> bool {
        self.table.is_some()
    }

    /// Words among the values, by the names of what takes them, each once.
    pub(crate) fn texts(&self) -> Vec<(String, Vec<String>)> {
        let of_axis = |(name, axis): &(String, Axis)| match axis {
            Axis::List(entries) => {
                let texts = entries.iter().filter_map(|(value, _)| match value {
                    Value::Text(text) => Some(text.clone()),
                    _ => None,
                });
                Some((name.clone(), texts.collect()))
            }
            _ => None,
        };
        let mut all: Vec<(String, Vec<String>)> = self.axes.iter().filter_map(of_axis).collect();
        all.extend(self.table.iter().flat_map(Table::texts));
        for (_, texts) in &mut all {
            texts.sort_unstable();
            texts.dedup();
        }
        all
    }

    /// Whether a column of the table of points holds words.
    pub(crate) fn column_is_text(&self, name: &str) -> bool {
        self.table.as_ref().is_some_and(|table| table.is_text(name))
    }

    /// The values of a point, in the order of the names.
    pub fn values(&self, index: u64, out: &mut Vec<Value>) {
        let (sample, mut place) = (index % self.samples, index / self.samples);
        let first = self.table.as_ref().map_or(0, Table::columns);
        out.clear();
        out.resize(first + self.axes.len(), Value::Whole(0));
        for ((slot, (_, axis)), lot) in out[first..].iter_mut().zip(&self.axes).zip(&self.lots).rev() {
            *slot = match (axis, lot) {
                (Axis::Random(distribution), Some(lot)) => Value::Number(at(distribution, self.share(lot, sample))),
                (axis, _) => {
                    let count = count(axis);
                    let k = place % count;
                    place /= count;
                    on(axis, k)
                }
            };
        }
        if let Some(table) = &self.table {
            table.values(place as usize, &mut out[..first]);
        }
    }

    /// The table of points cut to the rows that some points need, as a CSV file, and the number that the first of these points has with
    /// it: for machines that run those alone. None without a table.
    ///
    /// The first row stays, by which keys are checked, and a row with a word of each column that holds words.
    pub fn cut_table(&self, points: &std::ops::Range<u64>) -> Option<(String, u64)> {
        let table = self.table.as_ref()?;
        let each = u64::try_from(self.total / table.rows().max(1) as u128).ok().filter(|each| *each > 0)?;
        let (first, last) = (points.start / each, points.end.checked_sub(1)? / each);
        let mut rows = table.representatives();
        let at = rows.len() as u64 * each + points.start % each;
        rows.extend((first..=last).map(|row| row as usize));
        Some((table.written(&rows), at))
    }

    /// The share of its distribution that lies below a sample.
    fn share(&self, lot: &Lot, sample: u64) -> f64 {
        match (self.design, &lot.directions) {
            (Design::LatinHypercube, _) => {
                let place = random::shuffled(lot.stream, sample, self.samples);
                let inside = random::unit(lot.stream, sample);
                ((place as f64 + inside) / self.samples as f64).clamp(f64::MIN_POSITIVE, 1.0_f64.next_down())
            }
            (Design::Sobol, Some(directions)) => {
                // A random shift of all bits of an axis keeps what makes the sequence even.
                random::open_unit(directions.bits(sample) ^ (random::mix(lot.stream) >> 12))
            }
            _ => random::unit(lot.stream, sample),
        }
    }

    /// All that the points depend on, as text: for the hash of a sweep.
    pub fn described(&self) -> String {
        let table = self.table.as_ref().map(Table::described).unwrap_or_default();
        let lots: Vec<u64> = self.lots.iter().flatten().map(|lot| lot.stream).collect();
        format!("{:?}\n{:?}\n{lots:?}\n{:?}\n{table}", self.axes, self.samples, self.design)
    }
}

/// Points of an axis in a grid; random ones are not of it.
fn count(axis: &Axis) -> u64 {
    match axis {
        Axis::Range { count, .. } => *count,
        Axis::List(entries) => entries.len() as u64,
        Axis::Random(_) => 1,
    }
}

/// The k-th value of a range or a list.
fn on(axis: &Axis, k: u64) -> Value {
    match axis {
        Axis::Range { from, to, count, log } => {
            let (a, b, last) = (from.si, to.si, (count - 1) as f64);
            let value = match (k, *log) {
                (0, _) => a,
                (k, _) if k + 1 == *count => b,
                // Both ends weighted: ranges of whole numbers hold whole numbers.
                (k, false) => meant(
                    Some((a * (last - k as f64) + b * k as f64) / last)
                        .filter(|value| value.is_finite())
                        .unwrap_or_else(|| between(a, b, k as f64 / last)),
                ),
                (k, true) => meant(ratio(a, b, k as f64 / last)),
            };
            // Keys that count take whole numbers only.
            let whole = from.is_whole() && to.is_whole() && value.fract() == 0.0;
            if whole { Value::Whole(value as i64) } else { Value::Number(value) }
        }
        Axis::List(entries) => entries.get(k as usize).map_or(Value::Whole(0), |(value, _)| value.clone()),
        Axis::Random(_) => Value::Whole(0),
    }
}

/// The number of at most 13 digits that a value is but for rounding, if there is one: 0.4, and not 0.3999999999999999, so that who writes 0.4
/// makes the same run.
fn meant(value: f64) -> f64 {
    match format!("{value:.12e}").parse::<f64>() {
        Ok(short) if (short - value).abs() <= 4.0 * f64::EPSILON * value.abs() => short,
        _ => value,
    }
}

/// The number at a share of the way between two that may be farther apart than numbers reach.
fn between(a: f64, b: f64, share: f64) -> f64 {
    a * (1.0 - share) + b * share
}

/// The same by equal ratios; by logarithms where the ratio itself is beyond the numbers there are.
fn ratio(a: f64, b: f64, share: f64) -> f64 {
    let whole = b / a;
    if whole.is_normal() {
        return a * whole.powf(share);
    }
    between(a.abs().log2(), b.abs().log2(), share).exp2().copysign(a)
}

/// The value that a share u of a distribution lies below.
fn at(distribution: &Distribution, u: f64) -> f64 {
    match distribution {
        Distribution::Uniform(a, b) if (b.si - a.si).is_finite() => a.si + (b.si - a.si) * u,
        Distribution::Uniform(a, b) => between(a.si, b.si, u),
        Distribution::LogUniform(a, b) => ratio(a.si, b.si, u),
        Distribution::Normal(mean, sd) => mean.si + sd.si * random::normal_quantile(u),
        Distribution::LogNormal(median, sd) => median.si * (sd * random::normal_quantile(u)).exp(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn sweep(vary: &[(&str, &str)]) -> Sweep {
        let vary = vary.iter().map(|(key, text)| (key.to_string(), Axis::read(text).expect("an axis"))).collect();
        Sweep { vary, ..Sweep::default() }
    }

    fn points(sweep: &Sweep) -> Points {
        Points::new(sweep, Path::new("")).expect("points")
    }

    fn numbers(points: &Points, index: u64) -> Vec<f64> {
        let mut values = Vec::new();
        points.values(index, &mut values);
        values.iter().map(|value| value.number().expect("a number")).collect()
    }

    #[test]
    fn grids_go_through_the_last_key_first() {
        let points = points(&sweep(&[("a", "[1, 2]"), ("b", "0:1:3"), ("c", "1:100:3:log")]));
        assert_eq!(points.total(), 18);
        assert_eq!(numbers(&points, 0), [1.0, 0.0, 1.0]);
        assert_eq!(numbers(&points, 4), [1.0, 0.5, 10.0]);
        assert_eq!(numbers(&points, 17), [2.0, 1.0, 100.0]);
    }

    #[test]
    fn ranges_of_whole_numbers_hold_whole_numbers() {
        let points = points(&sweep(&[("a", "1:20:20"), ("b", "1.0:2:2")]));
        for k in 0..20 {
            let mut values = Vec::new();
            points.values(2 * k, &mut values);
            assert_eq!(values, [Value::Whole(k as i64 + 1), Value::Number(1.0)]);
        }
    }

    #[test]
    fn ranges_hold_the_short_numbers_that_are_meant() {
        let points = points(&sweep(&[("a", "0.1:0.7:7"), ("b", "0.01:1:3:log")]));
        let a: Vec<f64> = (0..7).map(|k| numbers(&points, 3 * k)[0]).collect();
        assert_eq!(a, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
        assert_eq!(numbers(&points, 1)[1], 0.1);
        // What has no short form stays as it is.
        assert_eq!([meant(1.0 / 3.0), meant(-0.4 + 1e-15), meant(0.0)], [1.0 / 3.0, -0.4 + 1e-15, 0.0]);
    }

    #[test]
    fn ranges_reach_as_far_as_numbers_do() {
        let far =
            points(&sweep(&[("a", "-1e308:1.6e308:5"), ("b", "1e-300:1e300:3:log"), ("c", "-1e200:-1e-200:3:log")]));
        let all: Vec<Vec<f64>> = (0..45).map(|k| numbers(&far, k)).collect();
        assert!(all.iter().flatten().all(|value| value.is_finite()));
        let close =
            |value: f64, wanted: f64| assert!((value - wanted).abs() <= 1e-12 * wanted.abs(), "{value} {wanted}");
        close(all[9][0], -0.35e308);
        close(all[18][0], 0.3e308);
        // Logarithms of 1e300 have errors of 1e-13, of which the number is as many as they are long.
        close(all[3][1], 1.0);
        close(all[1][2], -1.0);
        let sampled = points(&sweep(&[("x", "uniform(-1e308, 1.6e308)"), ("y", "loguniform(1e-300, 1e300)")]));
        assert!((0..1000).flat_map(|k| numbers(&sampled, k)).all(|value| value.is_finite()));
    }

    #[test]
    fn samples_are_the_same_at_every_place_of_a_grid() {
        for design in [Design::Random, Design::LatinHypercube, Design::Sobol] {
            let mut sweep = sweep(&[("x", "uniform(2, 4)"), ("a", "[1, 2]"), ("y", "normal(10, 3)")]);
            (sweep.samples, sweep.design) = (Some(64), Some(design));
            let points = points(&sweep);
            assert_eq!(points.total(), 128);
            for i in 0..64 {
                let (low, high) = (numbers(&points, i), numbers(&points, 64 + i));
                assert_eq!((low[0], low[1], low[2]), (high[0], 1.0, high[2]));
                assert_eq!(high[1], 2.0);
                assert!((2.0..4.0).contains(&low[0]));
            }
            sweep.seed = Some(1);
            assert_ne!(numbers(&points, 5), numbers(&self::points(&sweep), 5));
        }
    }

    #[test]
    fn latin_hypercubes_and_sobol_fill_every_share_once() {
        for design in [Design::LatinHypercube, Design::Sobol] {
            let mut sweep = sweep(&[("x", "uniform(0, 1)"), ("y", "uniform(0, 1)")]);
            (sweep.samples, sweep.design, sweep.seed) = (Some(256), Some(design), Some(9));
            let points = points(&sweep);
            for axis in 0..2 {
                let mut shares: Vec<u64> = (0..256).map(|i| (numbers(&points, i)[axis] * 256.0) as u64).collect();
                shares.sort_unstable();
                assert!(shares.into_iter().eq(0..256), "{design:?} {axis}");
            }
        }
    }

    #[test]
    fn normal_samples_have_mean_and_deviation() {
        let mut sweep = sweep(&[("x", "normal(5, 2)"), ("y", "lognormal(3, 0.5)"), ("z", "loguniform(1, 100)")]);
        (sweep.samples, sweep.design) = (Some(4096), Some(Design::LatinHypercube));
        let points = points(&sweep);
        let all: Vec<Vec<f64>> = (0..4096).map(|i| numbers(&points, i)).collect();
        let mean = |f: &dyn Fn(&[f64]) -> f64| all.iter().map(|row| f(row)).sum::<f64>() / 4096.0;
        assert!((mean(&|row| row[0]) - 5.0).abs() < 1e-3);
        assert!((mean(&|row| (row[0] - 5.0).powi(2)).sqrt() - 2.0).abs() < 1e-2);
        assert!((mean(&|row| row[1].ln()) - 3.0_f64.ln()).abs() < 1e-3);
        assert!((mean(&|row| row[2].log10()) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn a_cut_table_holds_the_same_points() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "wheel.mass,\"a.\"\"b c\"\"\",n\n1.2 t,2,3\n0.1,\"u, v\",4\n1e-7,true,5\n7,8.5,6\n";
        std::fs::write(folder.path().join("all.csv"), text).expect("written");
        let mut sweep = sweep(&[("x", "uniform(2, 4)"), ("k", "1:3:3")]);
        (sweep.samples, sweep.points) = (Some(5), Some("all.csv".into()));
        let all = Points::new(&sweep, folder.path()).expect("points");
        assert_eq!(all.total(), 60);
        sweep.points = Some("cut.csv".into());
        for range in [0..60, 0..1, 17..19, 44..46, 59..60] {
            let (text, at) = all.cut_table(&range).expect("a table");
            std::fs::write(folder.path().join("cut.csv"), text).expect("written");
            let cut = Points::new(&sweep, folder.path()).expect("points");
            let (mut one, mut other) = (Vec::new(), Vec::new());
            for (k, index) in range.clone().enumerate() {
                all.values(index, &mut one);
                cut.values(at + k as u64, &mut other);
                assert_eq!(one, other, "{range:?} {index}");
            }
            for name in ["wheel.mass", "a.\"b c\"", "n"] {
                assert_eq!(all.column_is_text(name), cut.column_is_text(name), "{range:?} {name}");
            }
        }
        assert!(points(&self::sweep(&[("a", "0:1:2")])).cut_table(&(0..1)).is_none());
    }

    #[test]
    fn sweeps_that_make_no_sense_are_refused() {
        let refused = |sweep: &Sweep| Points::new(sweep, Path::new("")).expect_err("refused").to_string();
        assert!(refused(&Sweep::default()).contains("nothing is varied"));
        assert!(refused(&sweep(&[("a", "0:1:2"), ("a", "0:1:3")])).contains("twice"));
        let samples = Sweep { samples: Some(10), ..sweep(&[("a", "0:1:2")]) };
        assert!(refused(&samples).contains("at random"));
        let huge = points(&sweep(&[
            ("a", "0:1:9000000000000000"),
            ("b", "0:1:9000000000000000"),
            ("c", "0:1:9000000000000000"),
        ]));
        assert!(huge.total() > u128::from(u64::MAX));
    }
}
