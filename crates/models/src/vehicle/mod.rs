//! A vehicle: one chassis on n driven and braked wheels, on a road that may rise.
//!
//! ```text
//!                ___________                x1 = ẋ: speed of the chassis, uphill
//!   ← m g sin θ |  chassis  |___  → x       v_i = R_iθ̇_i: circumferential speed of wheel i
//!     ← c|x1|x1 |______________|            x1 + v_i: slip on the ground; rolling forward has v_i = −x1 < 0
//!               ( i )     ( i )
//!   ════════════ ← f_i ════ ← f_i ═══ θ     f_i: ground friction, g_i: brake force (torque/R_i), r: rolling
//!                                           resistance, each with the sign of the slip it resists
//! ```
//!
//! With J_i = I_i/R_i², 𝓜_i = M_i/R_i, N_i = share_i m g cos θ, a_Gi = μ_i N_i and a_Bi = α_Bi/R_i:
//!
//! ```text
//! m x1' + r + Σ f_i = −m g sin θ − c |x1| x1,      J_i v_i' + f_i + g_i = 𝓜_i,
//! f_i ∈ a_Gi σ(x1 + v_i),   g_i ∈ a_Bi σ(v_i),   r ∈ a_R σ(x1)
//! ```
//!
//! where σ is the graph of the sign, all of [−1, 1] at 0, and a_R = F_R + c m g cos θ. θ > 0 is uphill: gravity pulls
//! backwards. Loads move between the wheels only where the body has a height (`transfer.rs`), and only motion along the road is described:
//! unequal forces left and right turn nothing. Slope and drag are taken at the beginning of a step, friction at
//! its end; what depends on the place ([`road`]) is taken where the step begins. M_i > 0 turns a wheel counter-clockwise, so a drive forward has M_i < 0. Source: Bastien 2013,
//! section 4, in R^{n+1}.

mod affine;
mod block;
mod charts;
mod claims;
mod contacts;
mod contrast;
mod file;
mod hottest;
mod inputs;
mod kernel;
mod measures;
mod model;
mod parameters;
mod picture;
mod record;
pub mod road;
mod smooth;
pub mod smoothed;
mod solutions;
mod state;
mod transfer;
mod tyres;
mod warmth;

pub use contrast::Contrast;
pub use file::Wired;
pub use kernel::VehicleKernel;
pub use model::{Described, KIND};
pub use parameters::{Parameters, Start, VehicleError, WheelData};
pub use state::{VehicleState, VehicleWorkspace};
pub use transfer::Body;
pub use tyres::{TyreForm, WheelTyre};

use crate::passed::Passed;
use contacts::Contacts;
use parameters::check_vehicle;
use road::Track;
use stickslip_core::Name;
use stickslip_core::inclusion::Star;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Clock, LawsOverSlip, Ledger, System, SystemError, Uniqueness};
use stickslip_core::record::Column;
use stickslip_core::signal::Signal;
use stickslip_loads::heat::Disc;
use transfer::Transfer;
use tyres::Tread;
use warmth::Places;

/// A load this share of the weight below zero is more than rounding.
const LIFTED: f64 = 1e-9;

/// A vehicle, checked, in the variables of the equations.
#[derive(Debug, Clone)]
pub struct Vehicle {
    parameters: Parameters,
    wheels: Vec<Wheel>,
    contacts: Vec<Name>,
    /// Whose they are.
    contact_of: Contacts,
    columns: Vec<Column>,
    /// Whether the friction of a wheel changes with its slip.
    over_slip: bool,
    /// Whether a wheel has a tyre or a brake disc, with a state of its own.
    elements: bool,
    /// Where these stand among the positions of a smooth motion.
    places: Places,
    /// Friction over slip of each contact, as a smooth motion knows it: its guards come after those of the road's breaks.
    laws: LawsOverSlip,
    /// The diagonal of M: m and J_i \[kg\].
    mass: Vec<f64>,
    /// A = diag(1/m, 1/J_i) and the rows of H, as the scalar equation of the chassis knows them.
    star: Star,
    /// How loads move between wheels, if they do.
    transfer: Option<Transfer>,
    /// Positions of the vehicle at which the road changes under a wheel or under itself, rising \[m\].
    breaks: Vec<f64>,
}

/// A wheel in the variables of the equations.
#[derive(Debug, Clone)]
struct Wheel {
    /// J = I/R² \[kg\].
    j: f64,
    /// a_G(t) on a level road \[N\].
    ground: Signal,
    /// 𝓜(t) \[N\].
    drive: Signal,
    /// a_B(t) \[N\].
    brake: Signal,
    /// Whether the ground's and the brake's signals are those of the wheel before this one.
    ground_as_before: bool,
    brake_as_before: bool,
    /// Load on a level road \[N\].
    load: f64,
    /// The patches that it meets.
    track: Track,
    /// The tyre it stands on, if it does.
    tread: Option<Tread>,
    /// The disc of its brake, if it warms.
    disc: Option<Disc>,
}

impl Vehicle {
    /// Checks the data and reduces them.
    pub fn new(parameters: Parameters) -> Result<Vehicle, VehicleError> {
        check_vehicle(&parameters)?;
        let weight = parameters.mass * parameters.gravity;
        let wheel = |w: &WheelData| {
            let track = Track::new(&parameters.road, w.place);
            let always = Vehicle::unchanging(&parameters, w, !track.breaks().is_empty());
            let tread = w.tyre.as_ref().map(|given| Tread::new(given, w.share * weight, always)).transpose();
            let disc = w.disc.as_ref().map(Disc::new).transpose();
            Ok::<_, VehicleError>(Wheel {
                j: w.inertia / (w.radius * w.radius),
                ground: w.friction.scaled(w.share * weight),
                drive: w.motor.scaled(1.0 / w.radius),
                brake: w.brake.scaled(1.0 / w.radius),
                ground_as_before: false,
                brake_as_before: false,
                load: w.share * weight,
                track,
                tread: tread.map_err(|fault| VehicleError::Tyre { wheel: w.name.clone(), fault })?,
                disc: disc.map_err(|fault| VehicleError::Disc { wheel: w.name.clone(), fault })?,
            })
        };
        let mut wheels: Vec<Wheel> = parameters.wheels.iter().map(wheel).collect::<Result<_, _>>()?;
        let (contact_of, contacts) = Contacts::new(&parameters);
        for i in 1..wheels.len() {
            let (before, own) = (&wheels[i - 1], &wheels[i]);
            let (ground, brake) = (same(&own.ground, &before.ground), same(&own.brake, &before.brake));
            (wheels[i].ground_as_before, wheels[i].brake_as_before) = (ground, brake);
        }
        let profile = parameters.road.profile.iter().flat_map(|p| p.points().times());
        let mut breaks: Vec<f64> = wheels.iter().flat_map(|w| w.track.breaks()).chain(profile).copied().collect();
        breaks.sort_unstable_by(f64::total_cmp);
        breaks.dedup();
        let transfer = parameters
            .body
            .as_ref()
            .filter(|_| parameters.loads_move())
            .map(|body| Transfer::new(body, &parameters))
            .transpose()?;
        let law = |&(share, wheel): &(f64, Option<usize>)| {
            let over_slip = &parameters.wheels[wheel?].over_slip;
            if share == 0.0 { over_slip.brake.clone() } else { over_slip.ground.clone() }
        };
        Ok(Vehicle {
            transfer,
            laws: LawsOverSlip::new(contact_of.rows.iter().map(law), breaks.len()),
            mass: [parameters.mass].into_iter().chain(wheels.iter().map(|w| w.j)).collect(),
            star: Star::new(1.0 / parameters.mass, wheels.iter().map(|w| 1.0 / w.j).collect()),
            breaks,
            contacts,
            contact_of,
            places: Places::new(
                &wheels.iter().map(|w| w.tread.is_some()).collect::<Vec<_>>(),
                &wheels.iter().map(|w| w.disc.is_some()).collect::<Vec<_>>(),
            ),
            elements: parameters.wheels.iter().any(|w| w.tyre.is_some() || w.disc.is_some()),
            columns: record::columns(&parameters),
            over_slip: parameters.wheels.iter().any(|w| !w.over_slip.is_none()),
            wheels,
            parameters,
        })
    }

    /// The data it was made from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// J = I/R² of wheel i \[kg\].
    pub fn j(&self, wheel: usize) -> f64 {
        self.wheels[wheel].j
    }

    /// Angle θ of the road at time t with the vehicle at x \[rad\].
    pub fn slope(&self, t: f64, x: f64) -> f64 {
        match &self.parameters.road.profile {
            Some(profile) => profile.angle(x),
            None => self.parameters.slope.at(t),
        }
    }

    /// a_G of wheel i at time t with the vehicle at x \[N\].
    pub fn ground_bound(&self, wheel: usize, t: f64, x: f64) -> f64 {
        self.level_bound(wheel, t, x) * self.slope(t, x).cos()
    }

    /// N_i/N_i⁰ cos θ where forces make Q on a road with this cosine of its slope: 1 where loads do not move, 0 where it
    /// would be negative.
    #[inline]
    fn load_factor(&self, wheel: usize, transfer: f64, cosine: f64) -> f64 {
        let Some(loads) = &self.transfer else { return 1.0 };
        (1.0 + loads.relative(wheel) * (transfer / cosine)).max(0.0)
    }

    /// Where the model ends: a wheel that is not pressed on the road any more.
    fn check_loads(&self, t: f64, transfer: f64, cosine: f64) -> Result<(), SystemError> {
        let Some(loads) = &self.transfer else { return Ok(()) };
        let least = -LIFTED * self.parameters.mass * self.parameters.gravity;
        for (i, wheel) in self.wheels.iter().enumerate() {
            if wheel.load * cosine + loads.share(i) * transfer < least {
                let name = &self.parameters.wheels[i].name;
                let why = format!(
                    "the wheel `{name}` would lift off the road: this model has no wheels that lift. Brake or drive less, or \
                     lower the centre of mass"
                );
                return Err(SystemError::Ends { t, why });
            }
        }
        Ok(())
    }

    /// Load on a wheel \[N\].
    pub fn load(&self, wheel: usize, t: f64, state: &VehicleState) -> f64 {
        let cosine = self.slope(t, state.x()).cos();
        self.wheels[wheel].load * cosine * self.load_factor(wheel, state.transfer, cosine)
    }

    /// The same on a level road.
    fn level_bound(&self, wheel: usize, t: f64, x: f64) -> f64 {
        let own = &self.wheels[wheel];
        let patches = &self.parameters.road.patches;
        match own.track.under(x) {
            [None, None] => own.ground.at(t),
            under => own.load * road::half_and_half(under.map(|patch| self.friction(wheel, patch, patches).at(t))),
        }
    }

    /// a_R at time t with the vehicle at x \[N\].
    pub fn resistance(&self, t: f64, x: f64) -> f64 {
        self.resistance_at(self.slope(t, x).cos())
    }

    /// The positions of the vehicle around x, from (included) and until (not included), in which no wheel comes to
    /// another patch and the profile is one straight line \[m\].
    pub fn stretch(&self, x: f64) -> (f64, f64) {
        let profile = self.parameters.road.profile.as_ref().map(|p| p.piece(x)).map(|p| (p.from, p.until));
        let tracks = self.wheels.iter().map(|wheel| wheel.track.reach(x));
        let all = (f64::NEG_INFINITY, f64::INFINITY);
        profile.into_iter().chain(tracks).fold(all, |a, b| (a.0.max(b.0), a.1.min(b.1)))
    }

    /// What of the road lies within the last step of a state that steps led to, and was not looked at: a patch, and what the
    /// profile has.
    fn passed(&self, u: &VehicleState) -> [Option<Passed>; 2] {
        if !(u.begun && u.stepped) {
            return [None; 2];
        }
        let (from, to) = (u.last_place(), u.x());
        let patch = self.wheels.iter().zip(&self.parameters.wheels).find_map(|(wheel, data)| {
            let place = wheel.track.passed(from, to)? + data.place.ahead;
            Some(Passed { place, share: 1.0 })
        });
        let profile = self.parameters.road.profile.as_ref();
        [patch, profile.and_then(|profile| profile.passed(from, to))]
    }

    /// The friction under one side of a wheel: that of a patch, or its own.
    fn friction<'a>(&'a self, wheel: usize, patch: Option<usize>, patches: &'a [road::Patch]) -> &'a Signal {
        patch.map_or(&self.parameters.wheels[wheel].friction, |patch| &patches[patch].friction)
    }

    /// Whether something changes with the place, with slips or with what wheels stand on.
    fn changes_with_state(&self) -> bool {
        self.over_slip || self.elements || !self.parameters.road.is_uniform()
    }

    /// a_R on a road with this cosine of its slope \[N\].
    fn resistance_at(&self, cosine: f64) -> f64 {
        let p = &self.parameters;
        p.resistance + p.road.rolling * p.mass * p.gravity * cosine
    }

    /// Whether there is any rolling resistance.
    fn resists(&self) -> bool {
        self.contact_of.resistance.is_some()
    }

    /// a_B of wheel i at time t \[N\].
    pub fn brake_bound(&self, wheel: usize, t: f64) -> f64 {
        self.wheels[wheel].brake.at(t)
    }

    /// Start speeds of the wheels.
    fn start_speeds(&self) -> Vec<f64> {
        let Start { x1, v, .. } = &self.parameters.start;
        let rolling = if *x1 == 0.0 { 0.0 } else { -x1 };
        v.clone().unwrap_or_else(|| vec![rolling; self.wheels.len()])
    }

    fn kinetic(&self, x1: f64, v: &[f64]) -> f64 {
        let wheels: f64 = self.wheels.iter().zip(v).map(|(w, v)| 0.5 * w.j * v * v).sum();
        0.5 * self.parameters.mass * x1 * x1 + wheels
    }
}

/// Whether two signals are known to be the same at all times.
fn same(a: &Signal, b: &Signal) -> bool {
    match (a, b) {
        (Signal::Constant(a), Signal::Constant(b)) => a == b,
        (Signal::Points(a), Signal::Points(b)) => a == b,
        (Signal::Sine(a), Signal::Sine(b)) => a == b,
        _ => false,
    }
}

impl System for Vehicle {
    type State = VehicleState;
    type Workspace = VehicleWorkspace;
    type Kernel<'a> = VehicleKernel<'a>;

    fn start(&self) -> VehicleState {
        let start = &self.parameters.start;
        let mut state = VehicleState::new(start.x1, start.x, self.start_speeds());
        (state.treads, state.discs) = (vec![0.0; self.places.treads], self.cold_discs());
        state
    }

    fn workspace(&self) -> VehicleWorkspace {
        let mut work = VehicleWorkspace::new(self.wheels.len(), self.places.treads);
        // Friction over slip and tyres are not in the problem that can be looked through.
        let looked = !self.over_slip && self.places.treads == 0 && !self.contraction().is_some_and(|kappa| kappa < 1.0);
        work.solutions = self.transfer.as_ref().filter(|_| looked).map(solutions::Room::new);
        work
    }

    fn kernel(&self, n: u64, clock: Clock) -> Result<(VehicleKernel<'_>, u64), SystemError> {
        VehicleKernel::new(self, n, clock)
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn contact_states(&self, state: &VehicleState, out: &mut [State]) {
        state.contact_states(&self.contact_of, out);
    }

    fn velocities(&self, state: &VehicleState, out: &mut [f64]) {
        out[0] = state.x1();
        out[1..].copy_from_slice(state.v());
    }

    fn dim(&self) -> usize {
        1 + self.wheels.len()
    }

    fn ledger(&self, state: &VehicleState) -> Ledger {
        Ledger {
            passed: 0.0,
            start: self.kinetic(self.parameters.start.x1, &self.start_speeds()),
            stored: self.kinetic(state.x1(), state.v()) + self.stored_in_treads(&state.treads),
            work: state.motor_work() + state.gravity_work() + state.drag_work() + state.shift_work(),
            dissipated: self.dissipated(state),
        }
    }

    fn worst_residual(&self, state: &VehicleState) -> f64 {
        // Nothing sticks on tyres: a vehicle that stands moves by what rounding leaves of the speeds that its weight gives in a step.
        let weighs = self.places.treads > 0 && state.stepped;
        state.worst_residual(if weighs { state.sums.h * self.parameters.gravity } else { 0.0 })
    }

    fn is_finite(&self, state: &VehicleState) -> bool {
        state.is_finite()
    }

    fn uniqueness(&self) -> Uniqueness {
        let on_tyres = self.wheels.iter().all(|wheel| wheel.tread.is_some());
        if let Some(contraction) = self.contraction().filter(|_| !on_tyres) {
            return self.uniqueness_of_loads(contraction, None);
        }
        let one = self.contacts.len() == 2;
        if on_tyres && self.wheels.iter().flat_map(|wheel| &wheel.tread).any(|tread| tread.form == TyreForm::Steady) {
            let reason = "the steady form of a tyre is a law of the slip ratio, which is nothing over nothing at standstill: what a \
                          vehicle does that stands, starts or turns round on it is chosen, by events as dry friction below 1e-4 m/s, \
                          by steps as creep. While it moves, every step has exactly one solution";
            return Uniqueness { velocities: false, forces: false, reason: reason.into() };
        }
        if on_tyres {
            let reason = "all wheels stand on tyres, whose forces are functions of their deflections: brakes and rolling \
                          resistance act on one speed each, and every step has exactly one solution";
            return Uniqueness { velocities: true, forces: true, reason: reason.into() };
        }
        let reason = if one {
            "W is symmetric positive definite (det W = h²/(mJ) > 0): every step has exactly one solution"
        } else {
            "W has rank n + 1: velocities are unique, and forces while the vehicle moves; at rest only the sum of the \
             forces of wheels that hold is determined. Each wheel could transmit to the ground any force between the \
             least and the greatest that its brake and its grip allow, and all stand at the same share ϑ of that way"
        };
        Uniqueness { velocities: true, forces: one, reason: reason.into() }
    }

    fn uniqueness_so_far(&self, state: &VehicleState) -> Uniqueness {
        let on_tyres = self.wheels.iter().all(|wheel| wheel.tread.is_some());
        if let Some(contraction) = self.contraction().filter(|_| !on_tyres) {
            return self.uniqueness_of_loads(contraction, Some(state));
        }
        if self.transfer.is_some() || self.wheels.iter().all(|wheel| wheel.tread.is_some()) {
            return self.uniqueness();
        }
        match state.undetermined() {
            Some(0) if self.contacts.len() > 2 => Uniqueness {
                velocities: true,
                forces: true,
                reason: "in every step the vehicle moved, or no more than one contact held it: W has rank n + 1, and \
                         only the forces of several contacts that hold a vehicle at rest are undetermined"
                    .into(),
            },
            None if self.contacts.len() > 2 => Uniqueness {
                velocities: true,
                forces: false,
                reason:
                    "W has rank n + 1: velocities are unique, and forces while the vehicle moves; at rest only the \
                         sum of the forces of wheels that hold is determined, and from event to event those of least \
                         norm are taken where a choice must be made. Implicit steps choose by another rule, so that \
                         single forces at rest may differ while all motion is the same"
                        .into(),
            },
            _ => self.uniqueness(),
        }
    }
}
