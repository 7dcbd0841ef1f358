//! `model = "rail-wheel"`: one driven and braked railway wheel on a creep-force law.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod contact;

use std::sync::Arc;

use crate::rail_wheel::Plan;
use crate::wheel::file::{InitialTable, MotorTable};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Friction, Patch};
use stickslip_run::Model;

use contact::Contact;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Context, Fault, Force, Inertia, Length, Mass, NonNegative, Positive, Pressure, Quantity, Ratio, Scheme, SignalOf,
    Tables, Torque, table,
};

/// One driven and braked railway wheel on a rail: both are elastic, and the force between them follows the creepage.
///
/// Signs: x and the speed count forwards, angles and torques counter-clockwise, so the contact point
/// slips with x' + R theta' and forward rolling has theta' = -x'/R < 0.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RailWheelTables {
    /// The wheel and what it carries.
    #[serde(deserialize_with = "table")]
    wheel: WheelTable,
    /// The rail.
    #[serde(default, deserialize_with = "table")]
    rail: Rail,
    /// What happens between wheel and rail.
    #[serde(deserialize_with = "table")]
    contact: Contact,
    /// The motor on the axle.
    #[serde(default, deserialize_with = "table")]
    motor: MotorTable,
    /// The brake on the axle.
    #[serde(default, deserialize_with = "table")]
    brake: BrakeTable,
    /// The rest of the train, or a slope.
    #[serde(default, deserialize_with = "table")]
    pull: PullTable,
    /// State at t = 0; rest by default.
    #[serde(default, deserialize_with = "table")]
    initial: InitialTable,
}

/// The wheel and what it carries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct WheelTable {
    /// Mass m that the wheel carries and has to stop, its own included [kg], > 0.
    pub mass: Quantity<Mass, Positive>,
    /// Inertia I of the wheel about its axle [kg m^2], > 0.
    pub inertia: Quantity<Inertia, Positive>,
    /// Rolling radius R of the wheel [m], > 0.
    pub radius: Quantity<Length, Positive>,
    /// Radius of the tread across the rolling direction [m], negative where hollow (default: straight, a cone).
    lateral_radius: Option<Quantity<Length>>,
    /// Young's modulus E [Pa], > 0 (default 210 GPa, steel).
    #[serde(default = "steel")]
    young: Quantity<Pressure, Positive>,
    /// Poisson's ratio nu, 0 to 0.5 (default 0.3).
    #[serde(default = "steel_poisson")]
    poisson: Quantity<Ratio, NonNegative>,
}

/// The rail.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Rail {
    /// Radius in the rolling direction [m], negative where hollow, as of a roller rig (default: straight).
    radius: Option<Quantity<Length>>,
    /// Radius of the rail head [m], negative where hollow (default 0.3 m).
    lateral_radius: Option<Quantity<Length>>,
    /// Young's modulus E [Pa], > 0 (default: like the wheel).
    young: Option<Quantity<Pressure, Positive>>,
    /// Poisson's ratio nu, 0 to 0.5 (default: like the wheel).
    poisson: Option<Quantity<Ratio, NonNegative>>,
}

fn steel() -> Quantity<Pressure, Positive> {
    Quantity::new(210e9)
}

fn steel_poisson() -> Quantity<Ratio, NonNegative> {
    Quantity::new(0.3)
}

/// The brake on the axle.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct BrakeTable {
    /// Greatest torque the brake can hold [N m], >= 0; a signal (default 0).
    pub torque: SignalOf<Torque, NonNegative>,
}

/// The rest of the train, or a slope.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct PullTable {
    /// Force W(t) on the centre of the wheel [N], forwards; a signal (default 0).
    pub force: SignalOf<Force>,
}

/// A radius that may be hollow or missing.
fn radius(given: Option<&Quantity<Length>>, missing: f64) -> Result<f64, Fault> {
    match given {
        None => Ok(missing),
        Some(radius) if radius.si == 0.0 => Err(Fault::new("a radius other than 0 is expected here")
            .help("leave it out where the body is straight")
            .at(&radius.span)),
        Some(radius) => Ok(radius.si),
    }
}

fn material(young: &Quantity<Pressure, Positive>, poisson: &Quantity<Ratio, NonNegative>) -> Result<Material, Fault> {
    if poisson.si > 0.5 {
        return Err(Fault::new(format!("a ratio of at most 0.5 is expected here, found {}", poisson.si))
            .help("Poisson's ratio is 0.3 of steel")
            .at(&poisson.span));
    }
    Material::from_young(young.si, poisson.si).map_err(|error| Fault::new(error.to_string()).at(&young.span))
}

impl RailWheelTables {
    fn patch(&self) -> Result<Patch, Fault> {
        let (wheel, rail) = (&self.wheel, &self.rail);
        let first = Radii { x: wheel.radius.si, y: radius(wheel.lateral_radius.as_ref(), f64::INFINITY)? };
        let second =
            Radii { x: radius(rail.radius.as_ref(), f64::INFINITY)?, y: radius(rail.lateral_radius.as_ref(), 0.3)? };
        let own = material(&wheel.young, &wheel.poisson)?;
        let other =
            material(rail.young.as_ref().unwrap_or(&wheel.young), rail.poisson.as_ref().unwrap_or(&wheel.poisson))?;
        let friction = &self.contact.friction;
        let mu = Friction::constant(friction.si).map_err(|error| Fault::new(error.to_string()).at(&friction.span))?;
        let load = self.contact.load.as_ref().map_or(crate::GRAVITY * wheel.mass.si, |q| q.si);
        let hollow = [&rail.radius, &rail.lateral_radius, &wheel.lateral_radius].into_iter().flatten();
        let span = hollow.filter(|q| q.si < 0.0).map(|q| &q.span).next().unwrap_or(&wheel.radius.span);
        Patch::hertz(first, second, Material::pair(own, other), load, mu).map_err(|error| {
            Fault::new(error.to_string())
                .help("wheel and rail must touch at a point: a hollow one needs a radius larger than the other's")
                .at(span)
        })
    }
}

impl Tables for RailWheelTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "rail-wheel";
    const MEASURES: &'static [Measurable] = crate::ride::MEASURES;

    const SCHEMES: &'static [Scheme] = &[Scheme::ImplicitEuler];

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let patch = self.patch()?;
        Ok(Arc::new(Plan {
            mass: self.wheel.mass.si,
            inertia: self.wheel.inertia.si,
            radius: self.wheel.radius.si,
            patch,
            theory: self.contact.theory(),
            table: self.contact.table(&patch, context)?,
            elements: self.contact.elements()?,
            points: self.contact.points()?,
            motor: self.motor.read(context)?,
            brake: self.brake.torque.read("the brake torque", context)?,
            pull: self.pull.force.read("the pull", context)?,
            start: self.initial.read(),
        }))
    }
}
