//! All theories side by side over a range of creepages.

use crate::patch::{Creepage, Forces, Patch};
use crate::theory::{Theory, TheoryError};

/// Which creepage is varied; the others are in fixed proportion to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sweep {
    /// ξ alone.
    Longitudinal,
    /// η alone.
    Lateral,
    /// φ alone [1/m].
    Spin,
    /// ξ, with the other creepages held at those given.
    Held(Creepage),
    /// A multiple of given creepages.
    Combined(Creepage),
}

impl Sweep {
    /// The creepages at the parameter s of the sweep.
    pub fn at(&self, s: f64) -> Creepage {
        match self {
            Sweep::Longitudinal => Creepage::longitudinal(s),
            Sweep::Lateral => Creepage::lateral(s),
            Sweep::Spin => Creepage::spin(s),
            Sweep::Held(others) => Creepage { xi: s, ..*others },
            Sweep::Combined(direction) => direction.scaled(s),
        }
    }
}

/// A table of forces: one row per creepage, one entry per theory.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Names of the theories.
    pub theories: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One row of a [`Chart`].
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The creepages.
    pub creepage: Creepage,
    /// What each theory says; a theory that fails leaves the others their place.
    pub forces: Vec<Result<Forces, TheoryError>>,
}

impl Chart {
    /// Forces by all given theories at each parameter of the sweep, in that order, so that theories with a warm start have
    /// their last point for a neighbour.
    pub fn new(theories: &mut [&mut dyn Theory], patch: &Patch, sweep: Sweep, parameters: &[f64]) -> Chart {
        let rows = parameters
            .iter()
            .map(|&s| {
                let creepage = sweep.at(s);
                Row { creepage, forces: theories.iter_mut().map(|t| t.forces(patch, creepage)).collect() }
            })
            .collect();
        Chart { theories: theories.iter().map(|t| t.name()).collect(), rows }
    }

    /// Parameters from 0 to `end` in `count` equal steps: `count` + 1 numbers.
    pub fn range(end: f64, count: usize) -> Vec<f64> {
        (0..=count).map(|k| if k == 0 { 0.0 } else { end * k as f64 / count as f64 }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hertz::Radii;
    use crate::material::Material;
    use crate::patch::Friction;
    use crate::theory::{Fastsim, Linear, Polach, ShenHedrickElkins};

    #[test]
    fn theories_agree_where_creepage_is_small_and_part_where_it_is_not() {
        let steel = Material::from_young(210e9, 0.3).expect("valid");
        let body = Radii { x: 0.46, y: 0.30 };
        let patch = Patch::hertz(body, body, steel, 42e3, Friction::constant(0.3).expect("valid")).expect("valid");
        let (mut linear, mut she, mut polach) = (Linear, ShenHedrickElkins, Polach::default());
        let mut fastsim = Fastsim::new(50, 50).expect("valid");
        let both = Creepage { xi: 1.0, eta: 0.5, phi: 0.0 };
        for sweep in [Sweep::Longitudinal, Sweep::Lateral, Sweep::Combined(both)] {
            let theories: &mut [&mut dyn Theory] = &mut [&mut linear, &mut she, &mut polach, &mut fastsim];
            let chart = Chart::new(theories, &patch, sweep, &[0.0, 1e-6, 0.02]);
            assert_eq!(chart.theories, ["linear", "Shen–Hedrick–Elkins", "Polach", "FASTSIM"]);
            let size = |row: usize, theory: usize| {
                chart.rows[row].forces[theory].as_ref().map(Forces::magnitude).expect("finite")
            };
            for theory in 0..4 {
                assert_eq!(size(0, theory), 0.0);
                // Curvatures at the origin: ⅓ f and the like, f = 4e-4; cells of FASTSIM 1/n² = 4e-4.
                assert!((size(1, theory) / size(1, 0) - 1.0).abs() < 1e-3, "{sweep:?} {theory}");
                assert!(theory == 0 || (size(2, theory) / 12_600.0 - 1.0).abs() < 0.01, "{sweep:?} {theory}");
            }
        }
        assert_eq!(Chart::range(0.01, 2), [0.0, 0.005, 0.01]);
        let bad = Chart::new(&mut [&mut linear], &patch, Sweep::Spin, &[f64::NAN, 1.0]);
        assert!(bad.rows[0].forces[0].is_err() && bad.rows[1].forces[0].is_ok());
    }
}
