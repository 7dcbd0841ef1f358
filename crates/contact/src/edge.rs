//! The leading edge: what a difference across it misses.
//!
//! In steady rolling an element that sticks obeys b + Kr = 0. With differences of first order the row of the element at
//! x_k spans x_k … x_k + Δx, and if the contact ends in between, at the edge, a part of the span is free surface, which
//! slips although the element sticks. With tractions r ≈ q√(a−x) before the edge the free surface beyond it slips by
//! −Cq√(x−a), C = 2(1−ν)/G for the component across the edge and 2/G for the one along it. The displacement ahead,
//! u(x_k + Δx), is therefore larger by m = ⅔ C q (x_k+Δx−a)^{3/2} than in an element that sticks all the way, and the row is
//!
//! ```text
//! s_k = b(x_k + Δx/2) + (u(x_k) − u(x_k+Δx))/Δx + m/Δx
//! ```
//!
//! Rigid slip belongs into the middle of the span: then rows of elements that stick are exact, whatever the spin. Almost
//! the whole error of the first order is this term (elsewhere in the stick zone displacements are linear in x, or
//! quadratic under spin; in the slip zone the traction is μp whatever the difference).
//!
//! # How large it is
//! Where the edge lies between two elements need not be known, because the pressure has the same edge. It is
//! p ≈ p₁√(a−x), and beyond the edge the gap opens by ⅔ (2(1−ν)/G) p₁ (x−a)^{3/2} for the same reason. The solution of the
//! normal problem has this gap, g, at the element ahead, and q/p₁ = r_k/p_k, hence
//!
//! ```text
//! m = g_{k+1} Rᵀ diag(1, 1/(1−ν)) R r_k/p_k          R: into the directions across and along the edge
//! ```
//!
//! A diagonal addition to K, E_k = g_{k+1}/(Δx p_k) · Rᵀdiag(1, 1/(1−ν))R: symmetric and never negative, so that K + E
//! is as monotone as K. No angle of the edge against x enters but in R, since both displacements open along the same span.
//!
//! # In plane strain it is exact
//! There the influence numbers of r_x and p are equal. With h = x²/(2A) the pressure obeys (Wp)_i = δ − h_i in the contact and
//! (Wp)_{k+1} = δ − h_{k+1} + g_{k+1} ahead, so that (K + E)p = (x + Δx/2)/A holds in *every* row of the contact: the
//! discrete pressure solves the discrete tangential problem of a linear rigid slip, as Hertz's pressure does on the continuum,
//! wherever the edge falls between the elements. (Sums over y of the numbers on rectangles are those in plane strain:
//! long edges across x are as exact.)
//!
//! # Validity
//! For pressures that end like a root, so for bodies that are smooth at the edge, and for a pressure that was solved for
//! on the same elements. A corner (a punch) has no such edge.

use crate::error::Error;
use crate::grid::Grid;
use crate::normal::Contact;

/// Times that the gap ahead may exceed (2(1−ν)/G) Δx p before the edge counts as a corner, p the greatest pressure next to it.
///
/// A straight edge across an infinite row of elements, where the discrete problem has a closed solution (Wiener and Hopf), stays
/// below 0.87 of that wherever it falls; contacts solved for at random stay below 1.
const STEEP: f64 = 2.0;

/// What the slip of an element gains per its own traction, in the frame of the edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compliance {
    /// Across the edge.
    pub across: f64,
    /// Along the edge.
    pub along: f64,
    /// Unit vector across the edge.
    pub normal: [f64; 2],
}

impl Compliance {
    /// E of an element (or node) pressed by `pressed` > 0 with the gap `ahead` ≥ 0 one spacing Δx further along +x. With
    /// nodal forces in the place of pressures it is per nodal force. `normal` has any length > 0.
    pub fn new(ahead: f64, pressed: f64, dx: f64, poisson: f64, normal: [f64; 2]) -> Compliance {
        let across = ahead / (dx * pressed);
        let length = normal[0].hypot(normal[1]);
        Compliance { across, along: across / (1.0 - poisson), normal: normal.map(|v| v / length) }
    }

    /// The same for slips over a distance rolled.
    #[must_use]
    pub fn over(self, distance: f64) -> Compliance {
        Compliance { across: distance * self.across, along: distance * self.along, ..self }
    }

    /// Its entries xx, xy, yy.
    pub fn entries(&self) -> [f64; 3] {
        let ([x, y], n, t) = (self.normal, self.across, self.along);
        [n * x * x + t * y * y, (n - t) * x * y, n * y * y + t * x * x]
    }
}

/// E of every element of a contact that is the last one before the leading edge, with its number on the contact's grid, in
/// increasing order.
pub fn compliances(contact: &Contact) -> Result<Vec<(usize, Compliance)>, Error> {
    let Some(gap) = contact.gap() else {
        return Err(Error::NoGap);
    };
    let (grid, p, material) = (contact.grid(), contact.pressure(), contact.material());
    let mut found = Vec::new();
    for k in 0..grid.len() {
        let (i, j) = grid.at(k);
        if p[k] == 0.0 || i + 1 == grid.nx() || p[k + 1] > 0.0 {
            continue;
        }
        let ahead = gap[k + 1].max(0.0);
        let next = |m: usize, n: usize| p[m + n * grid.nx()];
        let greatest = (j.saturating_sub(1)..(j + 2).min(grid.ny()))
            .flat_map(|n| [next(i, n), next(i.saturating_sub(1), n)])
            .fold(0.0, f64::max);
        let opens = 2.0 / material.contact_modulus() * grid.dx() * greatest;
        if ahead > STEEP * opens {
            return Err(Error::SteepEdge { x: grid.x(i), y: grid.y(j), gap: ahead, opens });
        }
        found.push((k, Compliance::new(ahead, p[k], grid.dx(), material.poisson(), across(grid, p, k))));
    }
    Ok(found)
}

/// Reach of the fit for the edge's direction, in elements.
const REACH: usize = 2;

/// Direction across the edge near element k: of the gradient of p², by a plane through its neighbours in contact.
fn across(grid: &Grid, p: &[f64], k: usize) -> [f64; 2] {
    if grid.is_plane() {
        return [1.0, 0.0];
    }
    let (i, j) = grid.at(k);
    let near = |centre: usize, count: usize| centre.saturating_sub(REACH)..(centre + REACH + 1).min(count);
    let [mut one, mut x, mut y, mut v, mut xx, mut xy, mut yy, mut xv, mut yv] = [0.0; 9];
    for n in near(j, grid.ny()) {
        for m in near(i, grid.nx()) {
            let p = p[m + n * grid.nx()];
            if p > 0.0 {
                let (dx, dy, pp) = (m as f64 - i as f64, n as f64 - j as f64, p * p);
                (one, x, y, v) = (one + 1.0, x + dx, y + dy, v + pp);
                (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy);
                (xv, yv) = (xv + dx * pp, yv + dy * pp);
            }
        }
    }
    // Centred moments; neighbours in one line leave no slope across it.
    let (a, o, d) = (xx - x * x / one, xy - x * y / one, yy - y * y / one);
    let (f, g) = (xv - x * v / one, yv - y * v / one);
    let tiny = 1e-9 * (a + d) + f64::MIN_POSITIVE;
    let (a, d) = (a + tiny, d + tiny);
    let normal = [(d * f - o * g) / grid.dx(), (a * g - o * f) / grid.dy()];
    if normal[0].hypot(normal[1]) > 0.0 { normal } else { [1.0, 0.0] }
}
