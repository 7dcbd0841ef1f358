//! Few contacts on lines: all that they can do, one case after the other.
//!
//! Iterations may go in circles where contacts share a load and are on the edge of what they can carry, or where large
//! forces cancel and what is left to slip is next to nothing. There is no more to try than three cases for each contact:
//! it sticks, or slips one way or the other.

use stickslip_linalg::{Matrix, pseudo_inverse};

use super::Problem;
use crate::law::Law;

/// Contacts of which all cases are tried.
const MOST: usize = 7;

/// A force this share beyond its bound has reached it: rounding of the pseudo-inverse.
const ROUNDING: f64 = 1e-14;

/// Forces that solve the problem to a relative residual; none where there are disks or cones, or too many contacts, or no case
/// does.
pub(super) fn solve(problem: &Problem<Matrix>, tolerance: f64) -> Option<Vec<f64>> {
    let ends = |law: &Law| match law {
        Law::Interval(interval) => Some([interval.lo(), interval.hi()]),
        // It holds or it is open.
        Law::HalfLine(_) => Some([0.0, f64::INFINITY]),
        _ => None,
    };
    let laws: Vec<[f64; 2]> = problem.c.iter().map(|(law, _)| ends(law)).collect::<Option<_>>()?;
    let n = laws.len();
    if n > MOST {
        return None;
    }
    let (w, b) = (problem.w, problem.b);
    let slip = |i: usize, r: &[f64]| b[i] + (0..n).map(|j| w[(i, j)] * r[j]).sum::<f64>();
    let mut r = vec![0.0; n];
    // As digits to the base of three: the first has all stick.
    for case in 0..3_usize.pow(n as u32) {
        let digit = |c: usize| case / 3_usize.pow(c as u32) % 3;
        for c in 0..n {
            r[c] = match digit(c) {
                0 => 0.0,
                1 => laws[c][0],
                _ => laws[c][1],
            };
        }
        if r.iter().any(|r| r.is_infinite()) {
            continue;
        }
        let held: Vec<usize> = (0..n).filter(|&c| digit(c) == 0).collect();
        if !held.is_empty() {
            let part = Matrix::from_fn(held.len(), held.len(), |i, j| w[(held[i], held[j])]);
            let Ok(inverse) = pseudo_inverse(&part) else { continue };
            let left: Vec<f64> = held.iter().map(|&i| slip(i, &r)).collect();
            for (i, &c) in held.iter().enumerate() {
                r[c] = -inverse.row(i).iter().zip(&left).map(|(w, s)| w * s).sum::<f64>();
            }
        }
        // A bound that rounding has passed is reached.
        for &c in &held {
            let near = ROUNDING * r[c].abs();
            let clamped = r[c].clamp(laws[c][0], laws[c][1]);
            r[c] = if (clamped - r[c]).abs() <= near { clamped } else { r[c] };
        }
        if problem.c.contains(&r) && problem.residual(&r).relative <= tolerance {
            return Some(r);
        }
    }
    None
}
