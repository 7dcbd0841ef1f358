//! The wheel as a system, and its steps.

use serde::{Deserialize, Serialize};
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Clock, Dissipation, Kernel, Ledger, Stop, System, SystemError, Uniqueness};
use stickslip_core::record::Column;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Driven, Input};
use stickslip_squeal::motion::{Grip, Motion};
use stickslip_squeal::step::{Stepper, Workspace};
use stickslip_squeal::{SquealError, Wheel};

use super::{Parameters, record};

/// A wheel that rolls, for steps of a usual size.
#[derive(Debug, Clone)]
pub struct Rolling {
    pub(super) parameters: Parameters,
    /// Length of the cells of a patch: V times the usual step \[m\].
    pub(super) cell: f64,
    pub(super) columns: Vec<Column>,
    contacts: Vec<Name>,
    /// Whether a patch goes by kicks.
    kicks: bool,
    /// State at t = 0, and energy stored there.
    begun: Motion,
    stored: f64,
}

/// State of a wheel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SquealState {
    /// Where it is, and what has happened.
    pub motion: Motion,
    /// Whether the contact is decided.
    pub(super) begun: bool,
}

fn refused(error: impl std::fmt::Display) -> SystemError {
    SystemError::Refused { words: error.to_string() }
}

impl Rolling {
    /// For steps of size h; from event to event h only says how fine a patch would be.
    pub fn new(parameters: Parameters, h: f64) -> Result<Rolling, SquealError> {
        parameters.wheel.check()?;
        let cell = parameters.wheel.speed * h;
        let stepper = Stepper::new(&parameters.wheel, h, cell)?;
        let begun = stepper.start(parameters.start)?;
        let stored = stepper.stored(&begun);
        let columns = record::columns(&parameters.wheel);
        Ok(Rolling { cell, columns, contacts: vec!["contact".into()], kicks: false, begun, stored, parameters })
    }

    /// A patch by the other integrator, [`Stepper::kick`].
    pub fn by_kicks(parameters: Parameters, h: f64) -> Result<Rolling, SquealError> {
        Ok(Rolling { kicks: true, ..Rolling::new(parameters, h)? })
    }

    /// Its data.
    pub fn wheel(&self) -> &Wheel {
        &self.parameters.wheel
    }

    /// The state at t = 0.
    pub(super) fn begun(&self) -> &Motion {
        &self.begun
    }

    /// For what does not depend on the step.
    pub(super) fn stepper(&self) -> Result<Stepper<'_>, SquealError> {
        Stepper::new(self.wheel(), self.cell / self.wheel().speed, self.cell)
    }
}

impl System for Rolling {
    type State = SquealState;
    type Workspace = Workspace;
    type Kernel<'a> = StepKernel<'a>;

    fn start(&self) -> SquealState {
        SquealState { motion: self.begun.clone(), begun: false }
    }

    fn workspace(&self) -> Workspace {
        Workspace::default()
    }

    fn kernel(&self, _: u64, clock: Clock) -> Result<(StepKernel<'_>, u64), SystemError> {
        let wheel = self.wheel();
        wheel.check_step(clock.h).map_err(refused)?;
        let usual = self.cell / wheel.speed;
        let is_patch = wheel.share_of_full_slip().is_some();
        if is_patch && clock.h > usual * (1.0 + 1e-9) {
            return Err(refused(format!(
                "a step of {:e} s: bristles of a patch made for steps of {usual:e} s move on by one cell at the most",
                clock.h
            )));
        }
        let stepper = Stepper::new(wheel, clock.h, self.cell).map_err(refused)?;
        Ok((StepKernel { stepper, clock, kicks: self.kicks }, u64::MAX))
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn contact_states(&self, state: &SquealState, out: &mut [State]) {
        let known = match state.motion.grip {
            _ if !state.begun => State::Open,
            Grip::Stick => State::Stick,
            Grip::Slip(sign) => State::Slip([f64::from(sign), 0.0]),
            Grip::Open => State::Open,
        };
        out.fill(known);
    }

    fn velocities(&self, state: &SquealState, out: &mut [f64]) {
        // What each mode does at the contact, where it is seen and felt.
        for ((mode, p), out) in self.wheel().modes.iter().zip(&state.motion.p).zip(out) {
            *out = mode.lateral.abs().max(mode.vertical.abs()) * p;
        }
    }

    fn dim(&self) -> usize {
        self.wheel().modes.len()
    }

    fn ledger(&self, state: &SquealState) -> Ledger {
        let energies = state.motion.energies;
        let stored = self.stepper().map_or(f64::NAN, |stepper| stepper.stored(&state.motion));
        let heats = [("contact", energies.heat), ("modal damping", energies.damping)];
        Ledger {
            start: self.stored,
            stored,
            work: energies.drive + energies.roughness,
            dissipated: heats.map(|(name, energy)| Dissipation { contact: name.into(), energy }).into(),
            passed: 0.0,
        }
    }

    fn worst_residual(&self, state: &SquealState) -> f64 {
        state.motion.residual
    }

    fn is_finite(&self, state: &SquealState) -> bool {
        let m = &state.motion;
        m.q.iter().chain(&m.p).chain([&m.force, &m.load, &m.slip]).all(|x| x.is_finite())
    }

    fn uniqueness(&self) -> Uniqueness {
        let reason = "within a step of this size forces answer to themselves by less than a half: the equations of a step are a contraction";
        Uniqueness { velocities: true, forces: true, reason: reason.into() }
    }
}

/// Steps of second order.
pub struct StepKernel<'a> {
    stepper: Stepper<'a>,
    clock: Clock,
    kicks: bool,
}

impl Kernel for StepKernel<'_> {
    type State = SquealState;
    type Workspace = Workspace;

    fn advance(
        &self,
        n: u64,
        end: u64,
        state: &mut SquealState,
        work: &mut Workspace,
    ) -> Result<(u64, Stop), SystemError> {
        for k in n..end {
            let before = (state.begun, state.motion.grip);
            let t = self.clock.time(k);
            if self.kicks {
                self.stepper.kick(t, &mut state.motion, work);
            } else {
                self.stepper.step(t, &mut state.motion, work).map_err(refused)?;
            }
            state.begun = true;
            if before != (true, state.motion.grip) {
                return Ok((k + 1, Stop::Event));
            }
        }
        Ok((end, Stop::Time))
    }
}

impl Driven for Rolling {
    fn inputs(&self) -> Vec<Input> {
        Vec::new()
    }

    fn input(&self, _: usize) -> Option<Signal> {
        None
    }

    fn with_input(&self, _: usize, _: Signal) -> Result<Rolling, String> {
        Err("a squealing wheel has no inputs".into())
    }
}
