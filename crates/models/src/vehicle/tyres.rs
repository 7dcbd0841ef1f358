//! Tyres under wheels: what the ground does where it is no dry friction.
//!
//! The deflection z of a tread is a position of its own ([`Deflection`], which has the equations). In the letters of vehicles
//! V = x1, w = −v and f = −Fx. By steps a tyre is a damper on the slip, f = −f0 + c (x1⁺ + v⁺), in the star; from event to event
//! it is a smooth force, and the corners of its relaxation (V = 0 and V_e = 0) are guards.

use stickslip_core::inclusion::star::Damper as StarDamper;
use stickslip_core::mechanics::{At, Grip};
use stickslip_core::signal::Signal;
use stickslip_loads::tyre::{Damper, Deflection, Powers, Tyre, TyreError, Warning};

use super::{Vehicle, VehicleState};

/// The tyre of a wheel, as it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct WheelTyre {
    /// The Magic Formula.
    pub tyre: Tyre,
    /// Longitudinal stiffness C_x of the tread [N/m], > 0; without it that of the tyre at the load that it has on the level.
    pub stiffness: Option<f64>,
    /// How the formula becomes a force.
    pub form: TyreForm,
}

/// How the Magic Formula becomes a force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TyreForm {
    /// The tread is a spring that relaxes: holds through standstill.
    #[default]
    Deflection,
    /// The force is that of the slip of this instant, as far as the vehicle moves.
    Steady,
}

/// The tyre of a wheel in the variables of the equations.
#[derive(Debug, Clone)]
pub(super) struct Tread {
    tyre: Tyre,
    pub form: TyreForm,
    /// C_x [N/m].
    pub stiffness: f64,
    /// The tyre at its load, where neither load nor friction ever changes.
    fixed: Option<Deflection>,
}

impl Tread {
    /// What is to be said of the tyre at a load.
    pub fn warnings(&self, load: f64) -> impl Iterator<Item = Warning> {
        self.tyre.warnings_at(load)
    }

    /// Of a wheel with this load on the level; `always` are load and friction factor where they never change.
    pub fn new(given: &WheelTyre, load: f64, always: Option<(f64, f64)>) -> Result<Tread, TyreError> {
        given.tyre.check()?;
        let at_load = given.tyre.at(load, 0.0);
        let (peak, slip_stiffness) = (at_load.peak(), at_load.slip_stiffness());
        if load > 0.0 && !(peak > 0.0 && slip_stiffness > 0.0) {
            return Err(TyreError::NoGrip { load, peak, stiffness: slip_stiffness });
        }
        let stiffness = match given.stiffness {
            Some(stiffness) => stiffness,
            // A wheel that carries nothing has no force, whatever its stiffness is.
            None if load <= 0.0 => 1.0,
            // The steady law does not depend on it.
            None if given.form == TyreForm::Steady => given.tyre.stiffness_at(load).unwrap_or(1.0),
            None => given.tyre.stiffness_at(load)?,
        };
        let mut tread = Tread { tyre: given.tyre.clone(), form: given.form, stiffness, fixed: None };
        tread.fixed = always.map(|(load, factor)| tread.at(load, factor));
        Ok(tread)
    }

    fn at(&self, load: f64, factor: f64) -> Deflection {
        Deflection::new(self.tyre.at(load, 0.0).on_road(factor), self.stiffness)
    }

    /// The tyre under a load, on a road with a friction bound μN of dry friction: μ is the factor of the tyre's friction.
    #[inline]
    pub fn under(&self, load: f64, bound: impl FnOnce() -> f64) -> Deflection {
        match &self.fixed {
            Some(fixed) => *fixed,
            None if load > 0.0 => self.at(load, bound() / load),
            None => self.at(0.0, 1.0),
        }
    }
}

/// What a tyre is within a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct InStep {
    pub damper: Damper,
    /// q of the step [1/s], SH V [m/s] and the vertical shift \[N\]: for the ledger.
    pub relaxation: f64,
    pub shift: f64,
    pub offset: f64,
}

impl InStep {
    /// The tyre of a wheel in a step of size h from the speeds V and w and the deflection z on.
    pub fn new(tread: &Deflection, form: TyreForm, [speed, rim, z]: [f64; 3], h: f64) -> InStep {
        let damper = match form {
            TyreForm::Deflection => tread.damper(speed, rim, z, h),
            TyreForm::Steady => tread.steady_damper(speed, rim),
        };
        InStep {
            damper,
            relaxation: match form {
                TyreForm::Deflection => tread.relaxation(speed, rim),
                TyreForm::Steady if damper.damping > 0.0 => tread.stiffness() / damper.damping,
                TyreForm::Steady => 0.0,
            },
            shift: tread.characteristic().shift() * speed,
            offset: damper.force - tread.stiffness() * damper.deflection,
        }
    }

    /// The same with the signs of the star.
    pub fn in_star(&self) -> StarDamper {
        StarDamper { force: -self.damper.force, damping: self.damper.damping }
    }
}

/// Below this speed a tyre in its steady form is dry friction [m/s]: the slip ratio of what stands is nothing over nothing. A wheel that rolls
/// slows down with the vehicle there as it did before, but for its slip ratio times J/(m + J): the way changes by 1e-12 m, the end of a stop
/// by 1e-8 s.
const STANDSTILL: f64 = 1e-4;

impl Vehicle {
    /// Number of the first of the two guards of standstill, V − v0 and V + v0, if a tyre has its steady form.
    pub(super) fn standstill_guard(&self) -> Option<usize> {
        let any = self.treads().any(|(_, tread)| tread.form == TyreForm::Steady);
        let corners = self.breaks.len() + self.laws.guards();
        any.then_some(corners + 1 + self.places.treads)
    }

    /// The two guards of standstill.
    pub(super) fn standstill_guards(&self, speed: f64) -> impl Iterator<Item = f64> {
        let any = self.treads().any(|(_, tread)| tread.form == TyreForm::Steady);
        [speed - STANDSTILL, speed + STANDSTILL].into_iter().filter(move |_| any)
    }

    /// On which side of standstill the vehicle is, 0 at it, for tyres in their steady form.
    fn side_of_standstill(&self, at: At) -> f64 {
        match self.standstill_guard().map(|first| [at.sides[first], at.sides[first + 1]]) {
            Some([true, _]) => 1.0,
            Some([false, false]) => -1.0,
            _ => 0.0,
        }
    }

    /// Greatest force of a tyre in its steady form at standstill \[N\]: of a wheel that is held what it slides with locked, which is what a
    /// deflection holds; of one that turns the peak D, and Φ(∞) + (D − Φ(∞)) exp(−|V_s|/v0) where it slips. None while the vehicle moves,
    /// when its force is that of the slip ratio.
    pub(super) fn standstill_bound(&self, wheel: usize, tread: &Tread, at: At, grip: Grip) -> f64 {
        if self.side_of_standstill(at) != 0.0 {
            return 0.0;
        }
        let own = self.tread_at(wheel, tread, at);
        let formula = own.characteristic();
        match grip {
            _ if at.v[1 + wheel] == 0.0 => formula.magnitude(1.0, true, 0.0),
            Grip::Sticks => formula.peak(),
            Grip::Slips(slip) => {
                let spins = formula.magnitude(f64::INFINITY, true, slip);
                spins + (formula.peak() - spins) * (-slip / STANDSTILL).exp()
            }
        }
    }

    /// Force of a tyre that is no contact force, forward \[N\], and where its power goes.
    pub(super) fn tyre(&self, wheel: usize, tread: &Tread, at: At) -> (f64, Powers) {
        let own = self.tread_at(wheel, tread, at);
        let (speed, rim) = (at.v[0], -at.v[1 + wheel]);
        if tread.form == TyreForm::Deflection {
            let z = at.q[self.places.tread[wheel]];
            return (own.force(speed, rim, z), own.powers(speed, rim, z));
        }
        let side = self.side_of_standstill(at);
        if side == 0.0 || !own.characteristic().carries() {
            return (0.0, Powers::default());
        }
        // A guess of a step may be beyond standstill, where another law holds.
        let speed = side * (side * speed).max(0.1 * STANDSTILL);
        let formula = own.characteristic();
        let force = formula.force(speed, rim);
        let offset = side * formula.offset(speed - rim);
        let shifts = -(force - offset) * formula.shift() * speed - offset * (speed - rim);
        (force, Powers { stored: 0.0, dissipated: -(force - offset) * own.effective_slip(speed, rim), shifts })
    }

    /// Wheels on tyres, with their treads.
    pub(super) fn treads(&self) -> impl Iterator<Item = (usize, &Tread)> {
        self.wheels.iter().enumerate().filter_map(|(i, wheel)| Some((i, wheel.tread.as_ref()?)))
    }

    /// Whether a tread is a spring that relaxes.
    pub(super) fn deflects(&self) -> bool {
        self.treads().any(|(_, tread)| tread.form == TyreForm::Deflection)
    }

    /// Whether something under or in a wheel has a state of its own: a tread, a disc.
    pub(super) fn has_elements(&self) -> bool {
        self.elements
    }

    /// The tyre of a wheel at an instant.
    pub(super) fn tread_at(&self, wheel: usize, tread: &Tread, at: At) -> Deflection {
        if let Some(fixed) = tread.fixed {
            return fixed;
        }
        let cosine = self.tilt(at).cos();
        let part = cosine * self.load_factor(wheel, at.transfer, cosine);
        tread.under(self.wheels[wheel].load * part, || self.level_bound(wheel, at.t, self.position(at).0) * part)
    }

    /// The same for a state.
    pub(super) fn tread_of(&self, wheel: usize, tread: &Tread, t: f64, state: &VehicleState) -> Deflection {
        let cosine = self.slope(t, state.x()).cos();
        let part = cosine * self.load_factor(wheel, state.transfer, cosine);
        tread.under(self.wheels[wheel].load * part, || self.level_bound(wheel, t, state.x()) * part)
    }

    /// Energy stored in all treads \[J\].
    pub(super) fn stored_in_treads(&self, deflections: &[f64]) -> f64 {
        let springs = self.treads().zip(deflections).filter(|((_, tread), _)| tread.form == TyreForm::Deflection);
        springs.map(|((_, tread), z)| 0.5 * tread.stiffness * z * z).sum()
    }

    /// The steady force over the slip ratio between two ends \[N\], forward positive, on the level; none without a tyre. The slip
    /// ratio is that of the columns: over the speed while braking, over the rim speed while driving.
    pub(super) fn tyre_curve(&self, wheel: usize, [least, greatest]: [f64; 2], points: usize) -> Option<Vec<[f64; 2]>> {
        let own = &self.wheels[wheel];
        let formula = *own.tread.as_ref()?.under(own.load, || own.ground.at(0.0)).characteristic();
        let point = |k: usize| {
            let slip = least + (greatest - least) * k as f64 / (points - 1) as f64;
            let kappa = if slip > 0.0 { slip / (1.0 - slip) } else { slip };
            [slip, formula.force_at_slip(kappa, 1.0)]
        };
        Some((0..points).map(point).collect())
    }

    /// Load and factor of friction of a wheel, where they never change.
    pub(super) fn unchanging(p: &super::Parameters, wheel: &super::WheelData, patched: bool) -> Option<(f64, f64)> {
        let (Signal::Constant(slope), None) = (&p.slope, &p.road.profile) else { return None };
        let Signal::Constant(friction) = wheel.friction else { return None };
        (!patched && !p.loads_move()).then(|| (wheel.share * p.mass * p.gravity * slope.cos(), friction))
    }
}
