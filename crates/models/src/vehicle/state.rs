//! State of a vehicle, with the tallies of the run.

use super::Start;
use super::contacts::Contacts;
use super::road::PlacePiece;
use super::solutions::{Found, Room};
use super::tyres::InStep;
use crate::passed::Passed;
use stickslip_core::Name;
use stickslip_core::clone_in_place;
use stickslip_core::inclusion::Star;
use stickslip_core::inclusion::nine_regions::Region;
use stickslip_core::inclusion::star::{Answer, DampedRoom, Damper};
use stickslip_core::law::State;
use stickslip_core::mechanics::{Clock, Dissipation, Motion, SystemError};
use stickslip_loads::heat::Warmth;

/// State of a vehicle, with the tallies of the run.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct VehicleState {
    /// Speeds, forces and states of all contacts after the last step.
    pub(super) answer: Answer,
    /// Whether a step has been made.
    pub(super) begun: bool,
    /// Position at t = 0.
    origin: f64,
    /// Sums, per step; multiplied by the step when read.
    pub(super) sums: Sums,
    /// Greatest residual [m/s].
    pub(super) residual: f64,
    /// Greatest speed of the start and the steps that are looked at ([`stickslip_core::mechanics::measures_speed`]) [m/s].
    pub(super) speed: f64,
    /// a_G of each wheel at the end of the last step \[N\].
    pub(super) a_g: Vec<f64>,
    /// Q, of the forces of the last step: what moves loads \[N m\].
    pub(super) transfer: f64,
    /// How what forces make of Q rises with Q, by the last step: a guess for the next.
    pub(super) slope: f64,
    /// What was found of several solutions, where κ* does not exclude them.
    pub(super) found: Found,
    /// Direction against which rolling resistance acts from here on, −1, 0 (it holds) or 1; by events, where a vehicle may begin to
    /// move at this very instant. By steps it is that of the speed.
    resisting: i8,
    /// Whether steps led here, and not the closed form or an integration.
    pub(super) stepped: bool,
    /// Deflection of each tyre, in the order of the wheels that have one \[m\].
    pub(super) treads: Vec<f64>,
    /// Temperature of each brake disc, likewise.
    pub(super) discs: Vec<Warmth>,
    /// What of the road steps have passed without having looked at it: patch or slope, and where.
    pub(super) passed: [Option<Passed>; 2],
}

clone_in_place!(VehicleState {
    passed,
    answer,
    begun,
    origin,
    sums,
    residual,
    speed,
    a_g,
    transfer,
    slope,
    found,
    resisting,
    stepped,
    treads,
    discs,
});

/// Tallies.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Sums {
    /// Size of the steps.
    pub h: f64,
    /// Σ x1⁺ [m/s].
    pub path: f64,
    /// Σ m g sinθ x1⁺ \[W\].
    pub climb: f64,
    /// Σ c |x1| x1 x1⁺ \[W\].
    pub drag: f64,
    /// Σ a_R |x1⁺| \[W\].
    pub resistance: f64,
    /// Steps whose forces were not unique.
    pub undetermined: u64,
    /// Σ 𝓜 v⁺ of each wheel \[W\].
    pub power: Vec<f64>,
    /// Σ f (x1⁺ + v⁺) = Σ a_G |x1⁺ + v⁺| of each wheel \[W\].
    pub ground: Vec<f64>,
    /// Σ g v⁺ = Σ a_B |v⁺| of each wheel \[W\].
    pub brake: Vec<f64>,
    /// What the shifts of the tyres' formulas gave, of either sign \[W\].
    pub shifts: f64,
}

clone_in_place!(Sums { h, path, climb, drag, resistance, undetermined, power, ground, brake, shifts });

/// What steps of a vehicle work on and with, so that none of them allocates.
#[derive(Debug, Clone)]
pub struct VehicleWorkspace {
    /// First step and clock of the kernel that has filled the lines.
    pub(super) filled: Option<(u64, Clock)>,
    /// Positions of the vehicle for which the lines hold, from (included) and until (not included); read only on a
    /// road that changes with the place.
    pub(super) stretch: (f64, f64),
    /// The piece of the profile and the slope under the vehicle; read only on a road with a profile.
    pub(super) piece: PlacePiece,
    pub(super) tilt: Tilt,
    pub(super) star: Star,
    /// Whether all lines are level: then the lists below need no update.
    pub(super) level: bool,
    /// Whether each step has to update them; not on a road that changes with the place, where that is done before.
    pub(super) moves: bool,
    /// Whether no motor turns.
    pub(super) idle: bool,
    pub(super) drive_line: WheelLines,
    pub(super) ground_line: WheelLines,
    pub(super) brake_line: WheelLines,
    /// 𝓜 at the beginning of the step.
    pub(super) drive: Vec<f64>,
    /// d 𝓜: what the motors add to the speeds.
    pub(super) push: Vec<f64>,
    /// v + d 𝓜.
    pub(super) z: Vec<f64>,
    /// a_B at the end of the step.
    pub(super) a_b: Vec<f64>,
    /// Why a step has led to where the model ends.
    pub(super) lifted: Option<SystemError>,
    /// Room to look for all solutions, where κ* does not exclude several.
    pub(super) solutions: Option<Room>,
    /// a_G and a_B with loads that have moved, where they do.
    pub(super) moved: [Vec<f64>; 2],
    /// What tyres are in the step, by tyre and, as the star knows them, by wheel; empty without tyres.
    pub(super) tyres: Vec<InStep>,
    pub(super) dampers: Vec<Option<Damper>>,
    pub(super) damped: DampedRoom,
}

impl VehicleWorkspace {
    /// For a vehicle with n wheels, so many of them on tyres.
    pub(super) fn new(n: usize, tyres: usize) -> VehicleWorkspace {
        let zeros = || vec![0.0; n];
        let lines = || WheelLines { value: zeros(), per_step: zeros() };
        VehicleWorkspace {
            filled: None,
            stretch: (f64::NEG_INFINITY, f64::INFINITY),
            piece: PlacePiece { at: 0.0, value: 0.0, slope: 0.0, from: f64::NEG_INFINITY, until: f64::INFINITY },
            tilt: Tilt { angle: f64::NAN, pull: 0.0, cosine: 1.0 },
            star: Star::new(1.0, vec![1.0; n]),
            level: false,
            moves: true,
            idle: false,
            drive_line: lines(),
            ground_line: lines(),
            brake_line: lines(),
            drive: zeros(),
            push: zeros(),
            z: zeros(),
            a_b: zeros(),
            lifted: None,
            solutions: None,
            moved: [zeros(), zeros()],
            tyres: Vec::with_capacity(tyres),
            dampers: vec![None; if tyres > 0 { n } else { 0 }],
            damped: DampedRoom::new(if tyres > 0 { n } else { 0 }),
        }
    }
}

/// A slope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tilt {
    /// θ \[rad\].
    pub angle: f64,
    /// m g sin θ \[N\].
    pub pull: f64,
    /// cos θ.
    pub cosine: f64,
}

/// One straight line per wheel.
#[derive(Debug, Clone)]
pub(super) struct WheelLines {
    /// Values in the first step.
    pub value: Vec<f64>,
    /// What each further step adds.
    pub per_step: Vec<f64>,
}

impl VehicleState {
    pub(super) fn new(x1: f64, x: f64, v: Vec<f64>) -> VehicleState {
        let n = v.len();
        let zeros = || vec![0.0; n];
        let mut answer = Answer::new(n);
        (answer.y1, answer.v) = (x1, v);
        VehicleState {
            found: Found::default(),
            answer,
            begun: false,
            origin: x,
            sums: Sums {
                h: 0.0,
                path: 0.0,
                climb: 0.0,
                drag: 0.0,
                resistance: 0.0,
                undetermined: 0,
                power: zeros(),
                ground: zeros(),
                brake: zeros(),
                shifts: 0.0,
            },
            residual: 0.0,
            speed: 0.0,
            a_g: zeros(),
            transfer: 0.0,
            slope: 0.0,
            resisting: 0,
            stepped: false,
            treads: Vec::new(),
            discs: Vec::new(),
            passed: [None; 2],
        }
    }

    /// The state that the closed form has led to; `downhill` is the pull of the slope on the chassis \[N\].
    pub(super) fn in_motion(
        speeds: Vec<f64>,
        start: &Start,
        downhill: f64,
        contacts: &Contacts,
        motion: &Motion<Vec<f64>, Vec<f64>>,
    ) -> VehicleState {
        let n = speeds.len();
        let mut state = VehicleState::new(start.x1, start.x, speeds);
        let answer = &mut state.answer;
        answer.y1 = motion.velocities[0];
        answer.v.copy_from_slice(&motion.velocities[1..]);
        for i in 0..n {
            let brake = contacts.brake[i];
            answer.g[i] = 0.0 - motion.forces[brake];
            state.sums.brake[i] = motion.dissipated[brake];
            let slip = answer.y1 + answer.v[i];
            let sign = match contacts.ground[i] {
                Some(ground) => {
                    answer.f[i] = 0.0 - motion.forces[ground];
                    state.sums.ground[i] = motion.dissipated[ground];
                    motion.signs[ground] as i8
                }
                None => i8::from(slip > 0.0) - i8::from(slip < 0.0),
            };
            answer.slip[i] = if sign == 0 { 0.0 } else { slip };
            answer.regions[i] = Region::new(sign, motion.signs[brake] as i8);
        }
        let resistance = |list: &Vec<f64>| contacts.resistance.map(|k| list[k]);
        answer.r = resistance(&motion.forces).map_or(0.0, |r| 0.0 - r);
        state.resisting = contacts.resistance.map_or(0, |k| motion.signs[k] as i8);
        state.begun = true;
        state.sums.h = 1.0;
        state.sums.path = motion.paths[0];
        state.sums.climb = 0.0 - downhill * motion.paths[0];
        state.sums.resistance = resistance(&motion.dissipated).unwrap_or(0.0);
        // The closed form knows the work of all motors together.
        state.sums.power[0] = motion.work + state.sums.climb;
        state.residual = motion.residual;
        state.speed = motion.speed;
        state
    }

    /// Speed of the chassis [m/s]: exactly 0.0 at rest.
    pub fn x1(&self) -> f64 {
        self.answer.y1
    }

    /// Circumferential speeds of the wheels [m/s]: exactly −x1 where one rolls, exactly 0.0 where one is locked.
    pub fn v(&self) -> &[f64] {
        &self.answer.v
    }

    /// Ground friction of the last step, by wheel \[N\].
    pub fn f(&self) -> &[f64] {
        &self.answer.f
    }

    /// Brake forces of the last step, by wheel \[N\].
    pub fn g(&self) -> &[f64] {
        &self.answer.g
    }

    /// Rolling resistance in the last step \[N\].
    pub fn r(&self) -> f64 {
        self.answer.r
    }

    /// States of a wheel's two contacts after the last step; none before the first.
    pub fn region(&self, wheel: usize) -> Option<Region> {
        self.begun.then(|| self.answer.regions[wheel])
    }

    /// Whether the forces of the last step are unique (see [`Answer::unique`]).
    pub fn forces_are_unique(&self) -> bool {
        self.answer.unique
    }

    /// In how many steps so far the forces were not unique; none for the closed form, which does not count steps.
    pub fn undetermined(&self) -> Option<u64> {
        (!self.begun || self.stepped).then_some(self.sums.undetermined)
    }

    /// a_G of a wheel in the last step \[N\]; none for the closed form and before the first step.
    pub(super) fn ground_bound(&self, wheel: usize) -> Option<f64> {
        (self.begun && self.stepped).then(|| self.a_g[wheel])
    }

    /// Position \[m\].
    pub fn x(&self) -> f64 {
        self.origin + self.sums.h * self.sums.path
    }

    /// Position before the last step \[m\].
    pub(super) fn last_place(&self) -> f64 {
        self.x() - self.sums.h * self.answer.y1
    }

    /// Work of all motors so far \[J\].
    pub fn motor_work(&self) -> f64 {
        self.sums.h * self.sums.power.iter().sum::<f64>()
    }

    /// Work of gravity so far \[J\]: negative uphill.
    pub fn gravity_work(&self) -> f64 {
        -self.sums.h * self.sums.climb
    }

    /// Work of the drag so far \[J\]: negative.
    pub fn drag_work(&self) -> f64 {
        -self.sums.h * self.sums.drag
    }

    /// Energy dissipated so far on the ground, in the brakes and by rolling resistance \[J\].
    pub fn heat(&self) -> [f64; 3] {
        let total = |sums: &[f64]| self.sums.h * sums.iter().sum::<f64>();
        [total(&self.sums.ground), total(&self.sums.brake), self.sums.h * self.sums.resistance]
    }

    /// Energy dissipated on the ground, or in the tyre, of a wheel so far \[J\].
    pub(super) fn ground_heat(&self, wheel: usize) -> f64 {
        self.sums.h * self.sums.ground[wheel]
    }

    /// Deflections of the tyres, in the order of the wheels that have one \[m\].
    pub fn deflections(&self) -> &[f64] {
        &self.treads
    }

    /// The brake discs, in the order of the wheels that have one.
    pub fn discs(&self) -> &[Warmth] {
        &self.discs
    }

    /// Work of the shifts of the tyres' formulas so far \[J\]: of either sign.
    pub fn shift_work(&self) -> f64 {
        self.sums.h * self.sums.shifts
    }

    /// Energy dissipated by each contact.
    pub(super) fn dissipated(&self, names: &[Name], contacts: &Contacts) -> Vec<Dissipation> {
        let sums = &self.sums;
        let energy = |row: &(f64, Option<usize>)| match row {
            (_, None) => sums.resistance,
            (0.0, Some(wheel)) => sums.brake[*wheel],
            (_, Some(wheel)) => sums.ground[*wheel],
        };
        let of = |(name, row): (&Name, _)| Dissipation { contact: name.clone(), energy: sums.h * energy(row) };
        names.iter().zip(&contacts.rows).map(of).collect()
    }

    pub(super) fn contact_states(&self, contacts: &Contacts, out: &mut [State]) {
        if !self.begun {
            out.fill(State::Open);
            return;
        }
        for (wheel, (ground, brake)) in contacts.ground.iter().zip(&contacts.brake).enumerate() {
            let states = self.answer.regions[wheel].states();
            out[*brake] = states[1];
            if let Some(ground) = ground {
                out[*ground] = states[0];
            }
        }
        if let Some(resistance) = contacts.resistance {
            let y1 = self.answer.y1;
            let sign = match (self.stepped, y1 == 0.0) {
                (true, true) => 0.0,
                (true, false) => y1.signum(),
                (false, _) => f64::from(self.resisting),
            };
            out[resistance] = if sign == 0.0 { State::Stick } else { State::Slip([sign, 0.0]) };
        }
    }

    /// The greatest speed now [m/s].
    pub(super) fn greatest_speed(&self) -> f64 {
        self.answer.v.iter().fold(self.answer.y1.abs(), |m, v| m.max(v.abs()))
    }

    /// Notes the speeds of now among those that residuals are measured by.
    pub(super) fn look_at_speeds(&mut self) {
        self.speed = self.speed.max(self.greatest_speed());
    }

    /// NaN if any force or speed was not a number: the tallies keep that when a stuck contact has set its slip to zero.
    ///
    /// Relative to the greatest speed, or to `pushed`, a speed that the inclusions had to do with besides.
    pub(super) fn worst_residual(&self, pushed: f64) -> f64 {
        let Sums { path, climb, drag, resistance, power, ground, brake, .. } = &self.sums;
        let lists = [power, ground, brake].into_iter().flatten();
        if [*path, *climb, *drag, *resistance].iter().chain(lists).any(|tally| tally.is_nan()) {
            return f64::NAN;
        }
        let speed = self.speed.max(pushed);
        if self.residual == 0.0 || speed == 0.0 { self.residual } else { self.residual / speed }
    }

    pub(super) fn is_finite(&self) -> bool {
        let Sums { path, climb, drag, resistance, power, ground, brake, .. } = &self.sums;
        let numbers = [self.x1(), self.x(), self.r(), *path, *climb, *drag, *resistance, self.sums.shifts];
        let lists = [&self.answer.v, &self.answer.f, &self.answer.g, power, ground, brake, &self.treads];
        let warm = self.discs.iter().all(|disc| disc.temperature.is_finite() && disc.cooled.is_finite());
        warm && numbers.iter().chain(lists.into_iter().flatten()).all(|v| v.is_finite())
    }
}
