//! Loads that move between the wheels: a rigid body on wheels at different places, quasi-static.
//!
//! With wheel i at x_i ahead of the centre of mass, on a vertical stiffness k_i, x̄ = Σkx/Σk and S = Σk(x−x̄)²,
//!
//! ```text
//! N_i = N_i⁰ cos θ + c_i Q,   c_i = k_i(x_i−x̄)/S,   Q = Σ_j [(h_G−R_j) f_j − R_j g_j + M_j] + (h_G−R̄) r
//! ```
//!
//! Σc_i = 0 and Σc_i x_i = 1: forces and moments balance. For wheels at two places k drops out of the loads of the two. R̄ is
//! the radius weighted with the loads. No wheel lifts: a run ends with an error where a load would become negative.

use stickslip_loads::transfer::{Axle, Axles, shares_at_rest};

use super::parameters::VehicleError;
use super::{Parameters, Vehicle, WheelData};
use stickslip_core::law::Coefficient;
use stickslip_core::mechanics::Uniqueness;
use stickslip_core::signal::Signal;

/// The body that wheels carry; places are those of the wheels, ahead of the centre of mass.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Height h_G of the centre of mass above the road \[m\], ≥ 0.
    pub height: f64,
    /// Vertical stiffness of each wheel [N/m], > 0; only ratios count.
    pub stiffness: Vec<f64>,
}

/// How far the moment of the loads about the centre of mass may be from zero, over the weight and the wheelbase.
const BALANCE: f64 = 1e-9;

/// How loads follow forces.
#[derive(Debug, Clone)]
pub(super) struct Transfer {
    axles: Axles,
    /// c_i/N_i⁰ [1/(N m)].
    relative: Vec<f64>,
    /// h_G − R_j and h_G − R̄ \[m\].
    arms: Vec<f64>,
    resistance_arm: f64,
}

impl Transfer {
    pub(super) fn new(body: &Body, p: &Parameters) -> Result<Transfer, VehicleError> {
        let places: Vec<f64> = p.wheels.iter().map(|w| w.place.ahead).collect();
        let (least, most) = places.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |m, x| (m.0.min(*x), m.1.max(*x)));
        if !(least < 0.0 && most > 0.0) {
            return Err(VehicleError::Wheelbase { rear: least, front: most });
        }
        if let Some(wheel) = p.wheels.iter().find(|w| w.share <= 0.0) {
            return Err(VehicleError::NoLoad { wheel: wheel.name.clone() });
        }
        let moment: f64 = p.wheels.iter().map(|w| w.share * w.place.ahead).sum();
        if moment.abs() > BALANCE * (most - least) {
            return Err(VehicleError::Unbalanced { centre: moment });
        }
        let axle =
            |(w, stiffness): (&WheelData, &f64)| Axle { place: w.place.ahead, stiffness: *stiffness, radius: w.radius };
        let weight = p.mass * p.gravity;
        let axles: Vec<Axle> = p.wheels.iter().zip(&body.stiffness).map(axle).collect();
        let loads: Vec<f64> = p.wheels.iter().map(|w| w.share * weight).collect();
        let axles = Axles::carrying(body.height, weight, &axles, &loads)?;
        let radius: f64 = p.wheels.iter().map(|w| w.share * w.radius).sum();
        Ok(Transfer {
            relative: axles.shares().iter().zip(&loads).map(|(share, load)| share / load).collect(),
            arms: p.wheels.iter().map(|w| body.height - w.radius).collect(),
            resistance_arm: body.height - radius,
            axles,
        })
    }

    /// Places, shares and loads at rest on the level.
    pub(super) fn axles(&self) -> &Axles {
        &self.axles
    }

    /// h_G − R̄: the arm of rolling resistance \[m\].
    pub(super) fn resistance_arm(&self) -> f64 {
        self.resistance_arm
    }

    /// c_i/N_i⁰ of a wheel [1/(N m)].
    #[inline]
    pub(super) fn relative(&self, wheel: usize) -> f64 {
        self.relative[wheel]
    }

    /// c_i of a wheel [1/m].
    #[inline]
    pub(super) fn share(&self, wheel: usize) -> f64 {
        self.axles.shares()[wheel]
    }

    /// Q of forces f_j, g_j, motors 𝓜_j = M_j/R_j and the rolling resistance r \[N m\].
    #[inline]
    pub(super) fn made(&self, wheels: impl Iterator<Item = [f64; 3]>, r: f64) -> f64 {
        let of = |((arm, radius), [f, g, drive]): ((&f64, &f64), [f64; 3])| arm * f + radius * (drive - g);
        self.arms.iter().zip(self.axles.radii()).zip(wheels).map(of).sum::<f64>() + self.resistance_arm * r
    }

    /// κ*: below 1 there is one Q for any motion, whatever motors and brakes do. For frictions up to those given.
    pub(super) fn contraction(&self, friction: &[f64]) -> f64 {
        self.axles.uniqueness_bound(friction)
    }
}

/// Shares of the weight that wheels on springs carry at rest on the level.
pub(super) fn static_shares(wheels: &[WheelData], stiffness: &[f64]) -> Vec<f64> {
    let places: Vec<f64> = wheels.iter().map(|w| w.place.ahead).collect();
    shares_at_rest(&places, stiffness)
}

/// A slip speed beyond which friction laws have come to their limits [m/s].
const FAST: f64 = 1e9;

impl Vehicle {
    /// c_i of the wheels [1/m]: how loads follow the moment of the forces; none where loads do not move.
    pub fn load_shares(&self) -> impl Iterator<Item = f64> + '_ {
        let loads = self.transfer.iter();
        loads.flat_map(|loads| (0..self.wheels.len()).map(|i| loads.share(i)))
    }

    /// κ* of loads that move, for the greatest friction that wheels may meet; none where loads do not move, or where no
    /// greatest friction is known.
    pub fn contraction(&self) -> Option<f64> {
        let greatest = |signal: &Signal| signal.extremes().map_or(f64::NAN, |e| e.greatest.1);
        let more = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
        let patches = self.parameters.road.patches.iter().map(|patch| greatest(&patch.friction)).fold(0.0, more);
        let friction = |w: &WheelData| {
            // The force of a tyre is that of its deflection, whatever the load is at this instant.
            if w.tyre.is_some() {
                return 0.0;
            }
            // Laws rise or fall between their corners, and have a limit.
            let law = |law: &Coefficient| law.corners().iter().chain(&[0.0, FAST]).map(|s| law.at(*s)).fold(0.0, more);
            w.over_slip.ground.as_ref().map_or(1.0, law) * more(greatest(&w.friction), patches)
        };
        let friction: Vec<f64> = self.parameters.wheels.iter().map(friction).collect();
        self.transfer.as_ref().map(|loads| loads.contraction(&friction))
    }

    pub(super) fn uniqueness_of_loads(&self, contraction: f64, state: Option<&super::VehicleState>) -> Uniqueness {
        // By steps it is counted; a vehicle that has not stood still has forces that are the only ones.
        let moved = state.is_some_and(|state| state.undetermined() == Some(0));
        let kappa = (contraction * 1e6).round() / 1e6;
        let unique = contraction < 1.0;
        let known = if kappa.is_nan() { "κ* is not known".to_string() } else { format!("κ* = {kappa}") };
        if let Some((found, words)) = state.and_then(|state| Some((&state.found, state.found.words(&known)?))) {
            let velocities = found.times == 0;
            return Uniqueness { velocities, forces: velocities && moved, reason: words.into() };
        }
        let at_rest = if self.resists() {
            "at rest neither the force of each wheel nor the share of rolling resistance is, and loads follow the choice"
        } else {
            "at rest the sums of forces, and with them the loads, are unique, but not the force of each wheel"
        };
        let reason = if unique {
            format!(
                "κ* = {kappa} < 1: forces and the loads that follow them have exactly one solution while the vehicle moves; {at_rest}"
            )
        } else if contraction.is_nan() {
            "κ* is not known, because a friction is given by a formula: it is not excluded that forces and the loads that follow \
             them have several solutions; the one nearest to the last is taken (implicit-euler looks for all, but for friction over \
             slip and tyres)"
                .to_string()
        } else {
            format!(
                "κ* = {kappa} ≥ 1: it is not excluded that forces and the loads that follow them have several solutions; the one \
                 nearest to the last is taken (implicit-euler looks for all, but for friction over slip and tyres)"
            )
        };
        Uniqueness { velocities: unique, forces: unique && moved, reason: reason.into() }
    }
}
