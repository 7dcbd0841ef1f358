//! `model = "rail-wheel"`: one driven and braked railway wheel on a creep-force law.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod contact;

use std::sync::Arc;

use crate::drive;
use crate::rail_wheel::Plan;
use crate::wheel::Start;
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Friction, Patch};
use stickslip_core::signal::Signal;
use stickslip_run::Model;

use contact::Contact;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Angle, Context, Fault, Force, Inertia, Length, Mass, NonNegative, OutputTable, Positive, Pressure, Quantity, Ratio,
    RunTable, Scheme, Shared, SignalOf, Speed, Tables, Torque, table,
};

/// Weight of a mass where no load is given [m/s^2].
const GRAVITY: f64 = 9.81;

/// One driven and braked railway wheel on a rail: both are elastic, and the force between them follows the creepage.
///
/// Signs: x and the speed count forwards, angles and torques counter-clockwise, so the contact point
/// slips with x' + R theta' and forward rolling has theta' = -x'/R < 0.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RailWheelTables {
    /// Which model the file describes.
    #[schemars(extend("const" = "rail-wheel"))]
    #[expect(dead_code, reason = "names the model; read before the other keys")]
    model: Tag,
    /// One line that names the scenario in reports (optional).
    title: Option<String>,
    /// What happens and what to look at (optional).
    description: Option<String>,
    /// The wheel and what it carries.
    #[serde(deserialize_with = "table")]
    wheel: Wheel,
    /// The rail.
    #[serde(default, deserialize_with = "table")]
    rail: Rail,
    /// What happens between wheel and rail.
    #[serde(deserialize_with = "table")]
    contact: Contact,
    /// The motor on the axle.
    #[serde(default, deserialize_with = "table")]
    motor: Motor,
    /// The brake on the axle.
    #[serde(default, deserialize_with = "table")]
    brake: Brake,
    /// The rest of the train, or a slope.
    #[serde(default, deserialize_with = "table")]
    pull: Pull,
    /// State at t = 0; rest by default.
    #[serde(default, deserialize_with = "table")]
    initial: Initial,
    /// How long and how finely to simulate.
    #[serde(deserialize_with = "table")]
    run: RunTable,
    /// What to record.
    #[serde(default, deserialize_with = "table")]
    output: OutputTable,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
enum Tag {
    #[serde(rename = "rail-wheel")]
    RailWheel,
}

/// The wheel and what it carries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Wheel {
    /// Mass m that the wheel carries and has to stop, its own included [kg], > 0.
    mass: Quantity<Mass, Positive>,
    /// Inertia I of the wheel about its axle [kg m^2], > 0.
    inertia: Quantity<Inertia, Positive>,
    /// Rolling radius R of the wheel [m], > 0.
    radius: Quantity<Length, Positive>,
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

/// The motor on the axle.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Motor {
    /// Torque M(t) [N m], positive counter-clockwise: driving forward is negative; a signal (default 0).
    torque: Option<SignalOf<Torque>>,
    /// The same torque counted forwards [N m]: what is positive drives, what is negative drives backwards or slows down; a
    /// signal, instead of `torque`.
    drive: Option<SignalOf<Torque>>,
}

impl Motor {
    /// Its torque, counter-clockwise.
    fn read(&self, context: &mut Context<'_>) -> Result<Signal, Fault> {
        let torque = drive::torque(("torque", self.torque.as_ref()), self.drive.as_ref(), "", context)?;
        Ok(torque.unwrap_or(Signal::ZERO))
    }
}

/// The brake on the axle.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Brake {
    /// Greatest torque the brake can hold [N m], >= 0; a signal (default 0).
    torque: SignalOf<Torque, NonNegative>,
}

/// The rest of the train, or a slope.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Pull {
    /// Force W(t) on the centre of the wheel [N], forwards; a signal (default 0).
    force: SignalOf<Force>,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Initial {
    /// Speed x' of the wheel centre [m/s] (default 0).
    speed: Quantity<Speed>,
    /// Circumferential speed R theta' [m/s] (default: rolling, which is minus the speed).
    wheel_speed: Option<Quantity<Speed>>,
    /// Position x of the wheel centre [m] (default 0).
    position: Quantity<Length>,
    /// Angle theta of the wheel [rad] (default 0).
    angle: Quantity<Angle>,
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
        let load = self.contact.load.as_ref().map_or(GRAVITY * wheel.mass.si, |q| q.si);
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

    fn shared(&mut self) -> Shared<'_> {
        Shared {
            title: self.title.take(),
            description: self.description.take(),
            run: Some(&self.run),
            output: Some(&self.output),
        }
    }

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let speed = self.initial.speed.si;
        let rolling = if speed == 0.0 { 0.0 } else { -speed };
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
            start: Start {
                x1: speed,
                x2: self.initial.wheel_speed.as_ref().map_or(rolling, |q| q.si),
                x: self.initial.position.si,
                theta: self.initial.angle.si,
            },
        }))
    }
}
