//! Which contacts stick and which slip from an instant on: the inclusion, order by order.
//!
//! Let s = H v have the zeros Z. Contacts outside Z slip: r_i = −ε_i a_i, ε_i = sgn s_i. Those in Z obey
//!
//! ```text
//! first order    s' = W r + b,     r_i ∈ [−a_i, a_i],   −s' ∈ N(r)          b = H A F
//! second order   s'' = W r' + b',  r'_i ∈ C'_i,         −s'' ∈ N(r')        b' = H A F'
//! ```
//!
//! s'_i ≠ 0 starts to slip in that direction. s'_i = 0 with |r_i| < a_i sticks. What is left are ties, s'_i = 0
//! with r_i = −e a_i (the contact would slip in the direction e): for them r' must not lead out of the set,
//! e (r'_i + e a'_i) ≥ 0, a half-line; where a_i = 0 it is the interval ±a'_i. A tie with s''_i ≠ 0 slips, with
//! s''_i = 0 it sticks: all data are affine, so that the third order has the solution zero. In the second
//! order C'_i of a contact that slips is the one value −ε_i a'_i, of one that sticks inside the bound all of ℝ.

use crate::mechanics::{Affine, Loads, Response, SystemError, Vector, sign};

/// Accelerations (or their slopes) and forces at a bound are told from ties by this share of the greatest in the
/// problem: what the general solver is content with, and far above rounding.
const TIE: f64 = 1e-12;

/// Times closer than this are not told apart \[s\].
const INSTANT: f64 = 1e-12;

/// Modes of the contacts from an instant on, and the motion they lead to.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub(super) struct Mode<V, C> {
    /// ε_i: sign of the slip, 0 for contacts that stick.
    pub signs: C,
    /// Contact forces and their slopes.
    pub forces: C,
    pub force_slopes: C,
    /// Accelerations and their slopes.
    pub acceleration: V,
    pub jerk: V,
    /// s' and s''; 0.0 where they are zero by selection.
    pub slip_rates: C,
    pub slip_curvatures: C,
    /// Limits of the slopes r'. A finite one belongs to a contact whose force starts at that end of its interval:
    /// it can only leave the bound, not reach it.
    pub least_slopes: C,
    pub greatest_slopes: C,
}

/// Everything a choice depends on.
pub(super) struct Instant<'a, V, C> {
    /// Signs of the slips, exactly 0.0 for contacts in Z.
    pub signs: &'a C,
    /// e for contacts of Z known to have r_i = −e a_i and s'_i = 0, else 0.
    pub at_bound: &'a C,
    /// Forces and bounds.
    pub loads: &'a Loads<V, C>,
    /// Contact forces and accelerations where they go on as they were: then they solve the first order, and forces
    /// that are not unique do not jump.
    pub carried: &'a Option<Response<V, C>>,
}

impl<V: Vector, C: Vector> Mode<V, C> {
    /// Of contacts that stick without force in a system at rest: zeros, as many as the lists have.
    #[inline(always)]
    pub(super) fn rest(velocities: &V, contacts: &C) -> Mode<V, C> {
        Mode {
            signs: contacts.clone(),
            forces: contacts.clone(),
            force_slopes: contacts.clone(),
            acceleration: velocities.clone(),
            jerk: velocities.clone(),
            slip_rates: contacts.clone(),
            slip_curvatures: contacts.clone(),
            least_slopes: contacts.clone(),
            greatest_slopes: contacts.clone(),
        }
    }

    /// Chooses the modes by the inclusion.
    #[inline(always)]
    pub(super) fn choose<S>(system: &S, now: &Instant<V, C>) -> Result<Mode<V, C>, SystemError>
    where
        S: Affine<Velocities = V, Contacts = C>,
    {
        let Instant { loads, at_bound, .. } = now;
        let contacts = at_bound.size();
        let influence = system.influence();
        let mut signs = now.signs.clone();

        let free = system.acceleration(&loads.force);
        let lo = C::from_fn(contacts, |i| if signs[i] == 0.0 { -loads.bound[i] } else { -signs[i] * loads.bound[i] });
        let hi = C::from_fn(contacts, |i| if signs[i] == 0.0 { loads.bound[i] } else { -signs[i] * loads.bound[i] });
        let mut first = match now.carried {
            Some(carried) => carried.clone(),
            None => system.respond(&free, &lo, &hi)?,
        };
        let free_slopes = system.acceleration(&loads.force_slope);
        // What slopes make of an acceleration within an instant is no acceleration: a slip that only touches zero.
        let small = TIE * scale(&system.slips(&free), &influence, &first.forces)
            + INSTANT * scale(&system.slips(&free_slopes), &influence, &loads.bound_slope);

        let mut ties = false;
        let (mut least, mut greatest) = (lo, hi);
        for i in 0..contacts {
            let (bound, slope) = (loads.bound[i], loads.bound_slope[i]);
            let (force, rate) = (first.forces[i], first.slips[i]);
            if signs[i] == 0.0 && at_bound[i] == 0.0 && rate.abs() > small {
                signs[i] = sign(rate);
            }
            (least[i], greatest[i]) = if signs[i] != 0.0 {
                (-signs[i] * slope, -signs[i] * slope)
            } else if bound * influence[i] <= small {
                (-slope.max(0.0), slope.max(0.0))
            } else if at_bound[i] == 0.0 && (bound - force.abs()) * influence[i] > small {
                (f64::NEG_INFINITY, f64::INFINITY)
            } else if at_bound[i] > 0.0 || (at_bound[i] == 0.0 && force < 0.0) {
                (-slope, f64::INFINITY)
            } else {
                (f64::NEG_INFINITY, slope)
            };
            ties |= signs[i] == 0.0 && (least[i].is_finite() || greatest[i].is_finite());
        }

        let mut second = system.respond(&free_slopes, &least, &greatest)?;
        if ties {
            let small = TIE * scale(&system.slips(&free_slopes), &influence, &second.forces);
            // Zeros are selected also where the solver leaves rounding: a tie has no acceleration yet.
            system.settle(&signs, &mut first.motion);
            for i in 0..contacts {
                if signs[i] != 0.0 {
                    continue;
                }
                first.slips[i] = 0.0;
                if second.slips[i].abs() > small {
                    signs[i] = sign(second.slips[i]);
                    first.forces[i] = -signs[i] * loads.bound[i];
                } else {
                    second.slips[i] = 0.0;
                }
            }
            system.settle(&signs, &mut second.motion);
        }
        Ok(Mode {
            signs,
            forces: first.forces,
            force_slopes: second.forces,
            acceleration: first.motion,
            jerk: second.motion,
            slip_rates: first.slips,
            slip_curvatures: second.slips,
            least_slopes: least,
            greatest_slopes: greatest,
        })
    }
}

/// max|b| + max w_i|r_i|, what residuals are relative to (see [`crate::inclusion`]).
#[inline(always)]
fn scale<C: Vector>(b: &C, influence: &C, forces: &C) -> f64 {
    b.greatest() + C::from_fn(b.size(), |i| influence[i] * forces[i]).greatest()
}
