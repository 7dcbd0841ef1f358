//! Which forces, when several do: those of least norm.
//!
//! Slips are unique for symmetric monotone W, forces only up to the kernel of W among the stuck contacts.
//! The solutions are then a convex set and its point nearest to zero is the answer that no one can accuse
//! of inventing self-stress.

use stickslip_linalg::{Matrix, NoConvergence, kernel, least_norm};

use super::{Problem, geometric_mean};
use crate::law::{Product, Set, State};

/// A force has a part in the kernel of W if its share of a unit vector there is greater than this.
const TOUCHED: f64 = 1e-9;

/// Newton steps of the search; a dozen are usual.
const STEPS: usize = 100;

/// A gradient this share of the greatest force is rounding, and the search at its end.
const ROUNDING: f64 = 4e-15;

/// What rounding may leave of it where the search ends early.
const GOOD: f64 = 1e-12;

/// Added to the Hessian, whose entries are of the order 1, where projections leave it singular.
const REGULAR: f64 = 1e-13;

/// Armijo's rule: the share of the descent promised by the slope that a step must bring.
const DESCENT: f64 = 1e-4;

/// Steps shorter than this share of Newton's are none.
const SHORTEST: f64 = 1e-12;

/// Moves r to the solution of least norm; says which contacts were not determined and whether the forces
/// found are indeed the shortest (where they are not, r stays as it was).
///
/// The kernel is searched in scaled forces, where ranks can be told; the norm is that of the forces
/// themselves.
pub(super) fn select(
    problem: &Problem<Matrix>,
    weights: &[f64],
    states: &[State],
    r: &mut [f64],
) -> Result<(Vec<usize>, bool), NoConvergence> {
    // Contacts that stick and have room to move in.
    let free: Vec<usize> = problem
        .c
        .iter()
        .zip(states)
        .filter(|((law, _), state)| matches!(state, State::Stick) && !law.is_zero())
        .flat_map(|((_, at), _)| at)
        .collect();
    if free.is_empty() {
        return Ok((Vec::new(), true));
    }
    let scaled = Matrix::from_fn(r.len(), free.len(), |i, j| {
        problem.w[(i, free[j])] / geometric_mean(weights[i], weights[free[j]])
    });
    let null = kernel(&scaled)?;
    if null.cols() == 0 {
        return Ok((Vec::new(), true));
    }
    let basis = Matrix::from_fn(null.cols(), free.len(), |j, i| null[(i, j)] / weights[free[i]].sqrt());
    let touched = |k: usize| (0..null.cols()).any(|j| null[(k, j)].abs() > TOUCHED);
    let of_contact = |at: &std::ops::Range<usize>| (0..free.len()).any(|k| at.contains(&free[k]) && touched(k));
    let undetermined =
        problem.c.iter().enumerate().filter(|(_, (_, at))| of_contact(at)).map(|(contact, _)| contact).collect();
    // Rows of `fixed`: orthonormal, across the kernel; what W determines.
    let across = kernel(&basis)?;
    let fixed = Matrix::from_fn(across.cols(), free.len(), |i, j| across[(j, i)]);
    let mut short: Vec<f64> = free.iter().map(|&i| r[i]).collect();
    let shortest = nearest_to_zero(&free_sets(problem, &free), &fixed, &mut short).unwrap_or(false);
    if shortest {
        free.iter().zip(&short).for_each(|(&i, v)| r[i] = *v);
    }
    Ok((undetermined, shortest))
}

/// The sets of the contacts in `free`, side by side.
fn free_sets(problem: &Problem<Matrix>, free: &[usize]) -> Product {
    Product::new(problem.c.iter().filter(|(_, at)| free.contains(&at.start)).map(|(law, _)| *law).collect())
}

/// Replaces r ∈ C by the point of least norm in { x ∈ C : E x = E r }, E with orthonormal rows. True if the
/// search converged.
///
/// The point is Proj_C(Eᵀλ) for the λ that minimises the convex function
/// θ(λ) = ½|x|² − ½|x − Proj_C x|² − λ·E r with x = Eᵀλ; its gradient is E Proj_C(x) − E r. Newton with the
/// generalised Jacobian E P Eᵀ and a line search; one step where no bound is met.
fn nearest_to_zero(c: &Product, e: &Matrix, r: &mut [f64]) -> Result<bool, NoConvergence> {
    let (rank, n) = (e.rows(), e.cols());
    let size = r.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut target = vec![0.0; rank];
    e.apply(r, &mut target);
    let transpose = Matrix::from_fn(n, rank, |i, j| e[(j, i)]);
    let look = |lambda: &[f64]| {
        let mut x = vec![0.0; n];
        transpose.apply(lambda, &mut x);
        let mut projected = x.clone();
        c.project(&mut projected);
        let mut gradient = vec![0.0; rank];
        e.apply(&projected, &mut gradient);
        gradient.iter_mut().zip(&target).for_each(|(g, t)| *g -= t);
        let squares: f64 = x.iter().zip(&projected).map(|(x, p)| x * x - (x - p) * (x - p)).sum();
        let theta = 0.5 * squares - lambda.iter().zip(&target).map(|(l, t)| l * t).sum::<f64>();
        (x, projected, gradient, theta)
    };
    let mut lambda = target.clone();
    let (mut x, mut projected, mut gradient, mut theta) = look(&lambda);
    'newton: for _ in 0..STEPS {
        if gradient.iter().all(|g| g.abs() <= ROUNDING * size) {
            break;
        }
        let p = jacobian(c, &x);
        let mut hessian = Matrix::from_fn(rank, rank, |i, j| {
            (0..n).map(|k| e[(i, k)] * (0..n).map(|l| p[(k, l)] * e[(j, l)]).sum::<f64>()).sum()
        });
        (0..rank).for_each(|i| hessian[(i, i)] += REGULAR);
        let step = least_norm(&hessian, &gradient)?;
        let slope: f64 = gradient.iter().zip(&step).map(|(g, s)| g * s).sum();
        let mut length = 1.0;
        loop {
            let tried: Vec<f64> = lambda.iter().zip(&step).map(|(l, s)| l - length * s).collect();
            let seen = look(&tried);
            // Near the end θ is flat to rounding; a smaller gradient is as good.
            let smaller = |g: &[f64]| g.iter().map(|v| v * v).sum::<f64>();
            if seen.3 <= theta - DESCENT * length * slope || smaller(&seen.2) < 0.25 * smaller(&gradient) {
                lambda = tried;
                (x, projected, gradient, theta) = seen;
                break;
            }
            length *= 0.5;
            if length < SHORTEST {
                break 'newton;
            }
        }
    }
    // Rounding may stop the search a little early; what is left is for the caller to polish away.
    let converged = gradient.iter().all(|g| g.abs() <= GOOD * size);
    if converged {
        r.copy_from_slice(&projected);
    }
    Ok(converged)
}

/// Block-diagonal generalised Jacobian of the projection at x.
fn jacobian(c: &Product, x: &[f64]) -> Matrix {
    let mut p = Matrix::zeros(x.len(), x.len());
    for (law, at) in c.iter() {
        let dim = at.len();
        let mut block = [0.0; 9];
        law.derivative(&x[at.clone()], &mut block[..dim * dim]);
        for i in 0..dim {
            for j in 0..dim {
                p[(at.start + i, at.start + j)] = block[i * dim + j];
            }
        }
    }
    p
}
