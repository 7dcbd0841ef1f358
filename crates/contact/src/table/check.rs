//! How far the table is off between its points: against the exact theory at random ones.

use stickslip_linalg::SplitMix64;
use stickslip_linalg::random::GOLDEN;

use super::solve::{FINER, contact, creepage, values};
use super::{Spec, Table, unit};
use crate::error::Error;
use crate::theory::{Exact, Theory, TheoryError};

/// A random point with what the table and the exact theory say there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// a/b.
    pub ratio: f64,
    /// Scaled creepages.
    pub u: [f64; 3],
    /// The table.
    pub table: [f64; 3],
    /// The exact theory on the same elements, or on the first finer ones that resolve its spin.
    pub direct: [f64; 3],
    /// On twice as many along each side, if that was asked for.
    pub finer: Option<[f64; 3]>,
}

/// Greatest and root mean square differences of F_x/(μN), F_y/(μN), M_z/(μNc).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Miss {
    /// Greatest.
    pub max: [f64; 3],
    /// Root mean square.
    pub rms: [f64; 3],
}

/// A random point at which nodes have a part that were filled in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilledTrial {
    /// The table.
    pub table: [f64; 3],
    /// The exact theory on 8 times as many elements along each side; none where they do not resolve the spin either.
    pub finer: Option<[f64; 3]>,
}

/// What is known of the places where nodes were filled in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Filled {
    /// Share of all random points at which such nodes have a part.
    pub share: f64,
    /// How many of them were compared.
    pub points: usize,
    /// How many were left out: spin that eight times as many elements along each side do not resolve either.
    pub left_out: usize,
    /// Table against the exact theory on these finer elements.
    pub miss: Miss,
}

/// What the interpolation was found to be off by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    /// Which random points.
    pub seed: u64,
    /// How many were compared.
    pub points: usize,
    /// How many were left out: spin that four times as many elements along each side do not resolve.
    pub left_out: usize,
    /// Table against the exact theory on the elements that its nodes have: the interpolation.
    pub interpolation: Miss,
    /// Table against the exact theory on twice as many elements along each side: interpolation and elements.
    pub elements: Option<Miss>,
    /// Where nodes were filled in, if they were looked at.
    pub filled: Option<Filled>,
}

/// What the line of these errors begins with.
const FILLED: &str = "error where nodes are filled in";

/// The number of this place in the stream of a seed, in [0, 1).
fn random(seed: u64, number: u64) -> f64 {
    SplitMix64(seed.wrapping_add(number.wrapping_mul(GOLDEN))).bits() as f64 / 2f64.powi(64)
}

/// The random point of a number, equally likely anywhere in ln(a/b), t, β and α, with random signs; none where the finest elements of the
/// table do not resolve its spin. A function of table, seed and number alone.
pub fn trial(table: &Table, seed: u64, number: u64, finer: bool) -> Result<Option<Trial>, TheoryError> {
    let spec = table.spec();
    let (ratio, u) = place(spec, seed, number);
    let Some((times, direct)) = resolved(spec, &FINER, ratio, u)? else { return Ok(None) };
    let finer = if finer { Some(solve(spec, 2 * times * spec.elements, ratio, u)?) } else { None };
    let found = table.at(ratio, u)?;
    Ok(Some(Trial { ratio, u, table: [found.fx, found.fy, found.mz], direct, finer }))
}

/// a/b and scaled creepages of a random point.
fn place(spec: &Spec, seed: u64, number: u64) -> (f64, [f64; 3]) {
    let at = |k: u64| random(seed, 8 * number + k);
    let sign = |k: u64| if at(k) < 0.5 { -1.0 } else { 1.0 };
    let [least, most] = [spec.ratios[0].ln(), spec.ratios[spec.ratios.len() - 1].ln()];
    let ratio = (least + (most - least) * at(0)).exp();
    // From small creepages, where errors vanish with t, to a ρ of 50.
    let t = 0.02 + 0.96 * at(1);
    let quarter = std::f64::consts::FRAC_PI_2;
    let [x, y, z] = unit(ratio, quarter * at(2), quarter * (2.0 * at(3) - 1.0)).map(|d| d * t / (1.0 - t));
    (ratio, [sign(4) * x, y, sign(5) * z])
}

/// Random points that are looked at for each one that is wanted where nodes were filled in.
const LOOKED_AT: u64 = 200;

/// Numbers of the first random points, at most `most`, at which nodes have a part that were filled in, and the share of such points.
pub fn filled_places(table: &Table, seed: u64, most: u64) -> Result<(Vec<u64>, f64), TheoryError> {
    let (mut found, mut looked) = (Vec::new(), 0);
    while looked < LOOKED_AT * most && (found.len() as u64) < most && table.unsolved() > 0.0 {
        let (ratio, u) = place(table.spec(), seed, looked);
        if table.at(ratio, u)?.filled {
            found.push(looked);
        }
        looked += 1;
    }
    let share = found.len() as f64 / looked.max(1) as f64;
    Ok((found, share))
}

/// The random point of a number where nodes were filled in, against finer elements that do resolve its spin.
pub fn filled_trial(table: &Table, seed: u64, number: u64) -> Result<FilledTrial, TheoryError> {
    let spec = table.spec();
    let (ratio, u) = place(spec, seed, number);
    let found = table.at(ratio, u)?;
    let finer = resolved(spec, &FINEST, ratio, u)?.map(|(_, values)| values);
    Ok(FilledTrial { table: [found.fx, found.fy, found.mz], finer })
}

impl Filled {
    /// What came of the trials at places that are such a share of all.
    pub fn new(share: f64, trials: &[FilledTrial]) -> Filled {
        let known = || trials.iter().filter_map(|trial| Some((trial.table, trial.finer?)));
        let miss = Miss::of(known().map(|(a, b)| [a[0] - b[0], a[1] - b[1], a[2] - b[2]]));
        Filled { share, points: known().count(), left_out: trials.len() - known().count(), miss }
    }
}

/// Elements that nodes are compared with that even the finest of [`FINER`] did not resolve.
const FINEST: [usize; 1] = [8];

/// The exact theory on the first of several times as many elements along each side that resolve the spin; none where none does.
fn resolved(spec: &Spec, times: &[usize], ratio: f64, u: [f64; 3]) -> Result<Option<(usize, [f64; 3])>, TheoryError> {
    for times in times {
        match solve(spec, times * spec.elements, ratio, u) {
            Ok(values) => return Ok(Some((*times, values))),
            Err(TheoryError::Exact(Error::Spin { .. })) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The exact theory from nothing.
fn solve(spec: &Spec, elements: usize, ratio: f64, u: [f64; 3]) -> Result<[f64; 3], TheoryError> {
    let mut exact = Exact::with_settings(elements, spec.settings())?;
    let patch = contact(ratio, spec.poisson).map_err(Error::from)?;
    Ok(values(&exact.forces(&patch, creepage(u))?))
}

impl Miss {
    fn of(differences: impl Iterator<Item = [f64; 3]>) -> Miss {
        let (mut max, mut squares, mut count) = ([0.0_f64; 3], [0.0; 3], 0.0);
        for difference in differences {
            count += 1.0;
            for c in 0..3 {
                max[c] = max[c].max(difference[c].abs());
                squares[c] += difference[c] * difference[c];
            }
        }
        Miss { max, rms: squares.map(|sum| if count > 0.0 { f64::sqrt(sum / count) } else { 0.0 }) }
    }

    fn written(&self, name: &str) -> String {
        let list = |values: [f64; 3]| values.map(|value| format!("{value:.2e}")).join(" ");
        format!("{name} (Fx/(mu N), Fy/(mu N), Mz/(mu N c)): max {} rms {}\n", list(self.max), list(self.rms))
    }
}

impl Check {
    /// What came of all trials, those left out included.
    pub fn new(seed: u64, trials: &[Option<Trial>]) -> Check {
        let known = || trials.iter().flatten();
        let less = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let fine = known().any(|trial| trial.finer.is_some());
        Check {
            seed,
            points: known().count(),
            left_out: trials.len() - known().count(),
            interpolation: Miss::of(known().map(|trial| less(trial.table, trial.direct))),
            elements: fine.then(|| Miss::of(known().filter_map(|trial| Some(less(trial.table, trial.finer?))))),
            filled: None,
        }
    }

    /// With what was found where nodes are filled in.
    #[must_use]
    pub fn with_filled(self, filled: Option<Filled>) -> Check {
        Check { filled, ..self }
    }

    /// Greatest errors where nodes are filled in, from the head of a file.
    pub(super) fn filled_in(head: &[&str]) -> Option<[f64; 3]> {
        let line = head.iter().find_map(|line| line.strip_prefix("# ")?.strip_prefix(FILLED))?;
        let mut values = line.split_once("max ")?.1.split(' ').map(|word| word.parse::<f64>().ok());
        Some([values.next()??, values.next()??, values.next()??])
    }

    /// For the head of the file.
    pub fn written(&self) -> String {
        let mut text = format!(
            "checked: {} random points (seed {}), {} left out whose spin four times as many elements along each side do not resolve\n",
            self.points, self.seed, self.left_out
        );
        text += &self.interpolation.written("interpolation error");
        if let Some(elements) = &self.elements {
            text += &elements.written("error against twice as many elements along each side");
        }
        if let Some(Filled { share, points, left_out, miss }) = &self.filled {
            text += &format!(
                "filled: nodes with solved = 0 have a part in {:.1} % of all random points; {points} of these were compared with elements that \
                 resolve them, {left_out} left out whose spin eight times as many along each side do not resolve either\n",
                100.0 * share
            );
            text += &miss.written(FILLED);
        }
        text
    }
}
