//! What follows from the set of contacts that stick, made ahead for every set of few contacts.
//!
//! With T the components of the contacts that stick and S the others',
//!
//! ```text
//! r_T = −W_TT⁺ (b_T + W_TS r_S),      s_S = W̃ r_S + b_S − W_ST W_TT⁺ b_T,      W̃ = W_SS − W_ST W_TT⁺ W_TS
//! ```
//!
//! W_TT⁺ gives the forces of least norm where motion does not determine them. W is positive semidefinite, so W_TT z = 0
//! means W_ST z = 0, and the slips do not depend on that choice.

use stickslip_linalg::{Matrix, pseudo_inverse, singular_values};

use super::Shape;
use super::lanes::Lanes;

/// Up to this many contacts all sets are looked at ahead.
const CONTACTS: usize = 6;

/// One set of contacts that stick.
#[derive(Debug, Clone)]
pub(super) struct Set {
    /// From b to b_S − W_ST W_TT⁺ b_T; zero for T.
    pub(super) rest: Lanes,
    /// W̃; zero for T.
    pub(super) influence: Lanes,
    /// From b to −W_TT⁺ b_T; zero for S.
    pub(super) hold: Lanes,
    /// From r to −W_TT⁺ W_TS r_S; zero for S.
    pub(super) carry: Lanes,
    /// 1/λ of W̃, or of W where W̃ is zero.
    pub(super) rho: f64,
}

/// All sets, the set with bits c at place Σ 2^c; none for many contacts.
pub(super) fn sets(shape: &Shape, w: &Matrix) -> Option<Vec<Set>> {
    let contacts = shape.contacts();
    let count = if contacts <= CONTACTS { 1_usize << contacts } else { 0 };
    (0..count).map(|held| set(shape, w, held)).collect()
}

fn set(shape: &Shape, w: &Matrix, held: usize) -> Option<Set> {
    let m = shape.rows.len();
    let mut sticks = vec![false; m];
    for c in (0..shape.contacts()).filter(|c| held >> c & 1 == 1) {
        shape.at(c).for_each(|k| sticks[k] = true);
    }
    let chosen: Vec<usize> = (0..m).filter(|&k| sticks[k]).collect();
    let part = Matrix::from_fn(chosen.len(), chosen.len(), |i, j| w[(chosen[i], chosen[j])]);
    let inverse = if chosen.is_empty() { Matrix::zeros(0, 0) } else { pseudo_inverse(&part).ok()? };
    let mut hold = Matrix::zeros(m, m);
    for (i, &k) in chosen.iter().enumerate() {
        for (j, &l) in chosen.iter().enumerate() {
            hold[(k, l)] = -0.5 * (inverse[(i, j)] + inverse[(j, i)]);
        }
    }
    let product = |a: &Matrix, b: &Matrix, i: usize, j: usize| (0..m).map(|k| a[(i, k)] * b[(k, j)]).sum::<f64>();
    let keep = |yes: bool, value: f64| if yes { value } else { 0.0 };
    let carry = Matrix::from_fn(m, m, |i, j| keep(sticks[i] && !sticks[j], product(&hold, w, i, j)));
    let slips = |i: usize, j: usize| !sticks[i] && !sticks[j];
    let influence = Matrix::from_fn(m, m, |i, j| keep(slips(i, j), w[(i, j)] + product(w, &carry, i, j)));
    let rest = |i: usize, j: usize| {
        let direct = f64::from(i == j && !sticks[i]);
        direct + keep(!sticks[i] && sticks[j], product(w, &hold, i, j))
    };
    let greatest = |a: &Matrix| if m == 0 { Some(0.0) } else { singular_values(a).ok().map(|values| values[0]) };
    // Where those that stick decide all slips, W̃ is zero and any ρ of the problem's own size will do.
    let size = match greatest(&influence)? {
        0.0 => greatest(w)?,
        size => size,
    };
    let lanes = |a: &Matrix| Lanes::from_fn(m, m, |i, j| a[(i, j)]);
    Some(Set {
        rest: Lanes::from_fn(m, m, rest),
        // Symmetric to the last bit, as W is.
        influence: Lanes::from_fn(m, m, |i, j| 0.5 * (influence[(i, j)] + influence[(j, i)])),
        hold: lanes(&hold),
        carry: lanes(&carry),
        rho: if size > 0.0 { 1.0 / size } else { 1.0 },
    })
}
