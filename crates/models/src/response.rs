//! How a system with any matrix W answers to loads: by the general solver.

use stickslip_linalg::Matrix;

use stickslip_core::inclusion::{Problem, Settings, solve};
use stickslip_core::law::{Interval, Law, LawError, Product};
use stickslip_core::mechanics::{Affine, Response, SystemError};

/// [`Affine::respond`] for a system with the matrix W = H A Hᵀ, where `moved` gives y + A Hᵀ r.
///
/// Known forces (lo = hi) are put into b; the general solver finds the others, those of least norm where they are
/// not unique.
pub(super) fn dense<S>(
    system: &S,
    w: &Matrix,
    moved: impl Fn(&[f64], &[f64]) -> Vec<f64>,
    free: &[f64],
    lo: &[f64],
    hi: &[f64],
) -> Result<Response<Vec<f64>, Vec<f64>>, SystemError>
where
    S: Affine<Velocities = Vec<f64>, Contacts = Vec<f64>>,
{
    let known: Vec<f64> = lo.iter().zip(hi).map(|(lo, hi)| if lo == hi { *lo } else { 0.0 }).collect();
    let open: Vec<usize> = (0..lo.len()).filter(|&k| lo[k] != hi[k]).collect();
    let slips = system.slips(&moved(free, &known));
    let w = Matrix::from_fn(open.len(), open.len(), |i, j| w[(open[i], open[j])]);
    let b: Vec<f64> = open.iter().map(|&k| slips[k]).collect();
    let laws = open.iter().map(|&k| Interval::new(lo[k], hi[k]).map(Law::Interval));
    let c = Product::new(laws.collect::<Result<_, LawError>>()?);
    let solution = solve(&Problem { w: &w, b: &b, c: &c }, &vec![0.0; open.len()], &Settings::default())?;

    let mut forces = known;
    for (&k, r) in open.iter().zip(&solution.r) {
        forces[k] = *r;
    }
    let mut motion = moved(free, &forces);
    // Slips that the solver has selected to be zero become so in the motion as well.
    let mut holds = vec![1.0; lo.len()];
    for (&k, s) in open.iter().zip(&solution.s) {
        holds[k] = *s;
    }
    system.settle(&holds, &mut motion);
    let mut slips = system.slips(&motion);
    for (slip, s) in slips.iter_mut().zip(&holds).filter(|(_, s)| **s == 0.0) {
        *slip = *s;
    }
    Ok(Response { forces, motion, slips })
}
