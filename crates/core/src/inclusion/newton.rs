//! Semismooth Newton on Φ(r) = r − Proj_C(r − ρ s) = 0.

use stickslip_linalg::{Matrix, NoConvergence, least_norm};

use super::Problem;
use crate::law::{Law, Set};

/// One Newton step from r: the least-norm Δ with Φ'(r) Δ = −Φ(r), in forces scaled by √w so that heavy and
/// light contacts count alike.
///
/// Row block i of Φ' is I − P (I − ρ S W), P the derivative of the projection at x = r − ρ s and S that of
/// de Saxcé's correction (the identity for all sets but cones).
pub(super) fn step(problem: &Problem<Matrix>, weights: &[f64], r: &[f64]) -> Result<Vec<f64>, NoConvergence> {
    let n = r.len();
    let mut slip = vec![0.0; n];
    problem.slip(r, &mut slip);
    let mut jacobian = Matrix::zeros(n, n);
    let mut phi = vec![0.0; n];
    for (law, at) in problem.c.iter() {
        let (dim, weight) = (at.len(), weights[at.start]);
        let mut s = [0.0; 3];
        s[..dim].copy_from_slice(&slip[at.clone()]);
        let correction = correction(law, &s);
        law.correct(&mut s[..dim]);
        let mut x = [0.0; 3];
        for k in 0..dim {
            x[k] = r[at.start + k] - s[k] / weight;
        }
        let mut p = [0.0; 9];
        law.derivative(&x[..dim], &mut p[..dim * dim]);
        law.project(&mut x[..dim]);
        for k in 0..dim {
            let row = at.start + k;
            phi[row] = (r[row] - x[k]) * weight.sqrt();
            for j in 0..n {
                // Entry j of row k of P (I − ρ S W), then I − that.
                let mut entry = 0.0;
                for l in 0..dim {
                    let identity = f64::from(at.start + l == j);
                    let mut change = problem.w[(at.start + l, j)];
                    if l == 0 {
                        change += (0..dim).map(|q| correction[q] * problem.w[(at.start + q, j)]).sum::<f64>();
                    }
                    entry += p[k * dim + l] * (identity - change / weight);
                }
                let identity = f64::from(row == j);
                jacobian[(row, j)] = (identity - entry) * (weight / weights[j]).sqrt();
            }
        }
    }
    for v in &mut phi {
        *v = -*v;
    }
    let mut delta = least_norm(&jacobian, &phi)?;
    for (d, w) in delta.iter_mut().zip(weights) {
        *d /= w.sqrt();
    }
    Ok(delta)
}

/// ∂(μ|s_t|)/∂s of a cone; zero for the other laws.
fn correction(law: &Law, s: &[f64; 3]) -> [f64; 3] {
    match law {
        Law::Cone(cone) => {
            let t = s[1].hypot(s[2]);
            if t > 0.0 { [0.0, cone.friction() * s[1] / t, cone.friction() * s[2] / t] } else { [0.0; 3] }
        }
        _ => [0.0; 3],
    }
}
