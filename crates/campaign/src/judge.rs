//! How far two runs are apart, and how far they may be.

use stickslip_core::record::Column;

use crate::run::Run;

/// Units of what is compared: motion and energy. Forces are left out, since pads that share a load may share it in
/// many ways.
pub const UNITS: [&str; 5] = ["m", "m/s", "rad", "rad/s", "J"];

/// Values below this are rounding, whatever the unit: the campaign makes systems whose numbers are about 1.
const ROUNDING: f64 = 1e-11;

/// The greatest difference of two runs, relative to what is allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Difference over what is allowed: above 1 the runs disagree.
    pub ratio: f64,
    /// The difference itself, in the unit of the column.
    pub size: f64,
    /// Where: the column.
    pub column: String,
    /// Unit of the column.
    pub unit: &'static str,
    /// When \[s\].
    pub t: f64,
    /// The two values.
    pub values: (f64, f64),
}

impl Difference {
    fn none() -> Difference {
        Difference { ratio: 0.0, size: 0.0, column: String::new(), unit: "1", t: 0.0, values: (0.0, 0.0) }
    }

    /// In words.
    pub fn words(&self) -> String {
        let (a, b) = self.values;
        format!(
            "{} at t = {:.6}: {a:.12} against {b:.12}, {:.3} times what is allowed",
            self.column, self.t, self.ratio
        )
    }
}

/// Of one row, unit by unit: the greatest difference, its column, the two values.
type Apart = [(f64, usize, (f64, f64)); UNITS.len()];

/// The greatest difference so far, unit by unit, by the number of the row.
type SoFar = Vec<(u64, [f64; UNITS.len()])>;

/// What of two runs is compared.
pub struct Comparison<'a> {
    /// Column of the second run and factor, for a column of the first; none where it has none.
    pub partner: &'a dyn Fn(&Column) -> Option<(String, f64)>,
    /// Rows by which the second run is behind.
    pub behind: u64,
    /// Factor of times in the second run.
    pub time: f64,
    /// Instants of the first run near which rows are left out, as the sides of a jump may be seen there.
    pub breaks: &'a [f64],
    /// How near.
    pub near: f64,
    /// Whether velocities are compared.
    pub velocities: bool,
}

impl Comparison<'_> {
    /// The same columns at the same times.
    pub fn plain<'a>(breaks: &'a [f64], near: f64, velocities: bool) -> Comparison<'a> {
        Comparison { partner: &same, behind: 0, time: 1.0, breaks, near, velocities }
    }
}

fn same(column: &Column) -> Option<(String, f64)> {
    Some((column.name.to_string(), 1.0))
}

/// Greatest values and rates of change of a run, unit by unit: (|value|, |rate|).
pub fn scales(run: &Run) -> Vec<(f64, f64)> {
    let of = |unit: &&str| {
        let (mut value, mut rate) = (0.0_f64, 0.0_f64);
        for (k, _) in run.columns.iter().enumerate().filter(|(_, c)| c.unit == *unit && !c.integer) {
            let mut last: Option<(f64, f64)> = None;
            for row in &run.rows {
                let v = row.values[k];
                value = value.max(v.abs());
                if let Some((t, before)) = last {
                    rate = rate.max((v - before).abs() / (row.t - t));
                }
                last = Some((row.t, v));
            }
        }
        (value, rate)
    };
    UNITS.iter().map(of).collect()
}

/// Greatest difference within each unit, row by row of the first run: (difference, column, values). Rows that the second
/// run does not have are left out: that rows are missing is found elsewhere.
fn apart(a: &Run, b: &Run, how: &Comparison) -> Vec<Apart> {
    let pairs: Vec<(usize, usize, usize, f64)> = (a.columns.iter().enumerate())
        // The slope of the road is given, and may jump where a place is passed; angles of friction belong to forces.
        .filter(|(_, c)| !c.integer && c.name != "slope" && !c.name.starts_with("angle_"))
        .filter_map(|(k, c)| {
            let unit = UNITS.iter().position(|u| *u == c.unit)?;
            if !how.velocities && (c.unit == "m/s" || c.unit == "rad/s" || c.unit == "J") {
                return None;
            }
            let (name, factor) = (how.partner)(c)?;
            let other = b.columns.iter().position(|d| d.name == name)?;
            Some((unit, k, other, factor))
        })
        .collect();
    let mut rows = Vec::with_capacity(a.rows.len());
    let mut others = b.rows.iter().peekable();
    for row in &a.rows {
        let mut found = [(0.0, 0, (0.0, 0.0)); UNITS.len()];
        while others.next_if(|other| other.n < row.n + how.behind).is_some() {}
        let usable = how.breaks.iter().all(|t| (t - row.t).abs() > how.near);
        if let Some(other) = others.peek().filter(|other| other.n == row.n + how.behind && usable) {
            for &(unit, k, l, factor) in &pairs {
                let (x, y) = (row.values[k], other.values[l] / factor);
                let d = (x - y).abs();
                if d > found[unit].0 || d.is_nan() {
                    found[unit] = (if d.is_nan() { f64::INFINITY } else { d }, k, (x, y));
                }
            }
        }
        rows.push(found);
    }
    rows
}

/// Difference of two runs that should be equal but for rounding, where `share` of the greatest value is allowed.
pub fn equal(a: &Run, b: &Run, how: &Comparison, share: f64) -> Difference {
    let scales = scales(a);
    let allowed = |unit: usize| share * scales[unit].0 + ROUNDING;
    greatest(a, &apart(a, b, how), &|_, unit| allowed(unit))
}

/// The error of runs by steps, as far as pairs of them tell it.
///
/// A scheme of first order with half the step has an error of about the difference of the two. Such a difference is small
/// by chance now and then, so that those of coarser pairs count as well, each in proportion to its step.
#[derive(Debug, Clone, Default)]
pub struct Estimate {
    /// Greatest difference so far, by the number of the row, with the step of the finer run.
    pairs: Vec<(f64, SoFar)>,
}

impl Estimate {
    /// Takes in two runs by steps.
    pub fn add(&mut self, fine: &Run, coarse: &Run, breaks: &[f64], velocities: bool) {
        let rows = apart(fine, coarse, &Comparison::plain(breaks, 2.0 * coarse.h, velocities));
        let mut most = [0.0_f64; UNITS.len()];
        let mut so_far = Vec::with_capacity(rows.len());
        for (found, row) in rows.iter().zip(&fine.rows) {
            most.iter_mut().zip(found).for_each(|(m, found)| *m = m.max(found.0));
            so_far.push((row.n, most));
        }
        self.pairs.push((fine.h, so_far));
    }

    /// The error of steps of size h up to row n.
    fn at(&self, n: u64, unit: usize, h: f64) -> f64 {
        let of = |(step, rows): &(f64, SoFar)| {
            let k = rows.partition_point(|row| row.0 < n).min(rows.len().saturating_sub(1));
            rows.get(k).map_or(0.0, |row| row.1[unit] * h / step)
        };
        self.pairs.iter().map(of).fold(0.0, f64::max)
    }
}

/// Difference of an exact run from a run by steps. `speed` is the greatest at t = 0, of which no row tells.
pub fn exact_against_steps(
    exact: &Run,
    fine: &Run,
    estimate: &Estimate,
    speed: f64,
    breaks: &[f64],
    velocities: bool,
) -> Difference {
    let how = Comparison::plain(breaks, 4.0 * fine.h, velocities);
    let allowed = allowed_to_steps(&scales(fine), estimate, speed, fine.h);
    greatest(exact, &apart(exact, fine, &how), &|row, unit| allowed(exact.rows[row].n, unit))
}

/// Difference of two runs by the same steps, where the estimate is that of the first: rounding may take what happens at
/// the end of a step into the next one.
pub fn steps_against_steps(a: &Run, b: &Run, how: &Comparison, estimate: &Estimate, speed: f64) -> Difference {
    let allowed = allowed_to_steps(&scales(a), estimate, speed, a.h);
    greatest(a, &apart(a, b, how), &|row, unit| allowed(a.rows[row].n, unit))
}

/// What steps may be off by in a row. Three times the estimate is allowed, since errors add up irregularly, and besides
/// what three steps of time make: where a jump lies within a step all runs may be equally far off.
fn allowed_to_steps<'a>(
    scales: &[(f64, f64)],
    estimate: &'a Estimate,
    speed: f64,
    h: f64,
) -> impl Fn(u64, usize) -> f64 + use<'a> {
    let mut scales = scales.to_vec();
    for (unit, (_, rate)) in UNITS.iter().zip(&mut scales) {
        if *unit == "m" {
            *rate = rate.max(speed);
        }
    }
    move |n, unit| {
        let (value, rate) = scales[unit];
        3.0 * estimate.at(n, unit, h) + 3.0 * h * rate + 1e-9 * value + ROUNDING
    }
}

/// How far two runs are apart, relative to the scales of the first, whatever is allowed.
pub fn spread(a: &Run, b: &Run, unit: &str) -> f64 {
    let Some(unit) = UNITS.iter().position(|u| *u == unit) else { return 0.0 };
    let rows = apart(a, b, &Comparison::plain(&[], 0.0, true));
    rows.iter().fold(0.0, |m, row| m.max(row[unit].0))
}

fn greatest(a: &Run, rows: &[Apart], allowed: &dyn Fn(usize, usize) -> f64) -> Difference {
    let mut worst = Difference::none();
    for (i, row) in rows.iter().enumerate() {
        for (unit, (d, column, values)) in row.iter().enumerate() {
            let ratio = d / allowed(i, unit);
            if ratio > worst.ratio {
                let column = &a.columns[*column];
                worst = Difference {
                    ratio,
                    size: *d,
                    column: column.name.to_string(),
                    unit: column.unit,
                    t: a.rows[i].t,
                    values: *values,
                };
            }
        }
    }
    worst
}
