//! A wheel on a rail from its contact area and a theory: what a scenario of a rail wheel describes.

use crate::wheel::Start;
use stickslip_core::signal::Signal;

use super::{Parameters, RailWheel, WheelError};
use stickslip_contact::curve::{Curve, CurveError, TOLERANCE};
use stickslip_contact::patch::Patch;
use stickslip_contact::table::TableFile;
use stickslip_contact::tangential::Settings;
use stickslip_contact::theory::{FromTable, Kind, Theory, TheoryError};

/// Data of a wheel whose ground law is still to be computed.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Mass m that the wheel carries, its own included \[kg\], > 0.
    pub mass: f64,
    /// Inertia I of the wheel about its axle [kg·m²], > 0.
    pub inertia: f64,
    /// Radius R of the wheel \[m\], > 0.
    pub radius: f64,
    /// Contact area, load and friction, which must be constant: a curve must grow.
    pub patch: Patch,
    /// The theory whose longitudinal curve the ground follows. The linear one ends at μN.
    pub theory: Kind,
    /// A table that holds the theory, which is the exact one then.
    pub table: Option<TableFile>,
    /// Elements along each side, of theories that have any (default [`Kind::usual_elements`]).
    pub elements: Option<usize>,
    /// Points of the curve, ≥ 8 (default 400; 80 of the exact theory, whose points cost milliseconds): straight lines
    /// between them are off by 1.3/n² of μN at the most.
    pub points: Option<usize>,
    /// Motor torque M(t) [N·m], positive counter-clockwise: driving forward is negative.
    pub motor: Signal,
    /// Greatest torque α_B(t) that the brake can hold [N·m], ≥ 0.
    pub brake: Signal,
    /// Force W(t) on the centre, to the right \[N\].
    pub pull: Signal,
    /// State at t = 0.
    pub start: Start,
}

/// Why a plan does not become a wheel.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The theory cannot be had as asked for.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// The theory gave no curve that a wheel can roll on.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// Another number is out of its range.
    #[error(transparent)]
    Wheel(#[from] WheelError),
}

impl Plan {
    /// How many points the curve has.
    pub fn points(&self) -> usize {
        self.points.unwrap_or(if self.theory == Kind::Exact && self.table.is_none() { 80 } else { 400 })
    }

    /// The theory, by name.
    pub fn theory_name(&self) -> &'static str {
        match &self.table {
            None => self.theory.name(),
            Some(file) if file.sealed => "table",
            Some(_) => "table without a checksum (nobody would notice if its numbers were changed)",
        }
    }

    /// Computes the curve and builds the wheel.
    pub fn wheel(&self) -> Result<RailWheel, PlanError> {
        let settings = Settings { tolerance: TOLERANCE, ..Settings::default() };
        let mut theory: Box<dyn Theory> = match &self.table {
            Some(file) => Box::new(FromTable(file.table.clone())),
            None => self.theory.build(self.elements, settings)?,
        };
        Ok(RailWheel::new(Parameters {
            mass: self.mass,
            inertia: self.inertia,
            radius: self.radius,
            curve: Curve::of(theory.as_mut(), &self.patch, self.points())?,
            stiffness: self.patch.stiffness(),
            motor: self.motor.clone(),
            brake: self.brake.clone(),
            pull: self.pull.clone(),
            start: self.start,
        })?)
    }
}
