//! `model = "motorcycle"`: two wheels in their plane, which may lift and land.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::signal::Signal;
use stickslip_loads::planar::{OnNone, PlanarData, PlanarError, PlanarWheel, Settings, ranges};
use stickslip_loads::transfer::Select;
use stickslip_run::Model;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Acceleration, Context, Fault, Inertia, Length, Mass, Positive, Quantity, Ratio, SignalOf, Speed, Tables, Torque,
    table,
};

use super::{Motorcycle, Parameters};

/// Two wheels in their plane: heave and pitch are free, wheels lift and land, brakes and drives react on the frame.
///
/// Signs: forward and up are positive, and so is a pitch with the nose up; angles of wheels count counter-clockwise, so that
/// forward rolling has theta' < 0.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MotorcycleTables {
    /// The motorcycle with its rider, as one body on two wheels.
    #[serde(deserialize_with = "table")]
    motorcycle: Frame,
    /// The road.
    #[serde(deserialize_with = "table")]
    road: Road,
    /// The front wheel.
    #[serde(deserialize_with = "table")]
    front: Wheel,
    /// The rear wheel.
    #[serde(deserialize_with = "table")]
    rear: Wheel,
    /// What to do where contacts have several solutions, or none (optional).
    #[serde(default, deserialize_with = "table")]
    solutions: Solutions,
    /// State at t = 0, level on both wheels; rest by default.
    #[serde(default, deserialize_with = "table")]
    initial: Initial,
}

/// The motorcycle with its rider, as one body on two wheels.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Frame {
    /// Mass m with rider and wheels [kg], > 0.
    mass: Quantity<Mass, ranges::Mass>,
    /// Height of the centre of mass above the road, level [m], > 0.
    height: Quantity<Length, ranges::Height>,
    /// Inertia about the centre of mass in pitch, with the wheels as points [kg m^2], > 0: their spin counts apart.
    pitch_inertia: Quantity<Inertia, ranges::Inertia>,
}

/// The road.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Road {
    /// Friction coefficient mu, >= 0.
    friction: Quantity<Ratio, ranges::Friction>,
    /// Gravity g [m/s^2], > 0 (default 9.81).
    #[serde(default = "earth")]
    gravity: Quantity<Acceleration, ranges::Gravity>,
}

fn earth() -> Quantity<Acceleration, ranges::Gravity> {
    Quantity::new(crate::GRAVITY)
}

/// A wheel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Wheel {
    /// Distance from the centre of mass along the road, level [m], > 0: ahead of it for the front wheel, behind it for the rear.
    distance: Quantity<Length, Positive>,
    /// Radius R [m], > 0.
    radius: Quantity<Length, ranges::Radius>,
    /// Inertia I about the axle [kg m^2], > 0.
    inertia: Quantity<Inertia, ranges::Inertia>,
    /// Friction coefficient under this wheel, >= 0 (default: that of the road).
    friction: Option<Quantity<Ratio, ranges::Friction>>,
    /// Greatest torque the brake can hold between wheel and frame [N m], >= 0; a signal (default 0).
    brake: Option<SignalOf<Torque, ranges::Brake>>,
    /// Torque of the motor on the wheel [N m], forward positive; a signal (default 0).
    drive: Option<SignalOf<Torque, ranges::Motor>>,
    /// Speed of the rim at t = 0 [m/s], forward positive (default: rolling, which is the speed).
    rim_speed: Option<Quantity<Speed>>,
}

/// What to do where contacts have several solutions, or none.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Solutions {
    /// Which one: "nearest" (default) stays on the branch it is on, and where that ends, or at the start, takes the stable one
    /// whose loads are nearest to the last unique ones; "front" and "rear" take the one in which that wheel lifts, "both" that with
    /// both wheels on the ground.
    select: SelectTable,
    /// Where there is none: "error" (default) or "impulse", an impulse without a collision.
    without: WithoutTable,
}

/// Which of several solutions.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum SelectTable {
    #[default]
    Nearest,
    Front,
    Rear,
    Both,
}

/// What to do without a solution.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum WithoutTable {
    #[default]
    Error,
    Impulse,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Initial {
    /// Speed [m/s], forward positive (default 0).
    speed: Quantity<Speed>,
}

impl Wheel {
    fn read(&self, name: &str, side: f64, road: &Road, context: &mut Context<'_>) -> Result<PlanarWheel, Fault> {
        let brake = self.brake.as_ref().map(|own| own.read(&format!("the brake torque of the {name} wheel"), context));
        let drive = self.drive.as_ref().map(|own| own.read(&format!("the drive torque of the {name} wheel"), context));
        Ok(PlanarWheel {
            place: side * self.distance.si,
            radius: self.radius.si,
            inertia: self.inertia.si,
            friction: self.friction.as_ref().unwrap_or(&road.friction).si,
            brake: brake.transpose()?.unwrap_or(Signal::ZERO),
            motor: drive.transpose()?.map_or(Signal::ZERO, |drive| drive.scaled(-1.0)),
        })
    }
}

impl MotorcycleTables {
    /// Where the number stands that is farthest from what motorcycles have, by its order of size.
    fn strangest(&self) -> &Range<usize> {
        let (body, front, rear) = (&self.motorcycle, &self.front, &self.rear);
        let sizes = [
            (&body.mass.span, body.mass.si / 200.0),
            (&body.height.span, body.height.si / 0.7),
            (&body.pitch_inertia.span, body.pitch_inertia.si / 50.0),
            (&front.inertia.span, front.inertia.si / 0.6),
            (&front.radius.span, front.radius.si / 0.3),
            (&front.distance.span, front.distance.si / 0.7),
            (&rear.inertia.span, rear.inertia.si / 0.6),
            (&rear.radius.span, rear.radius.si / 0.3),
            (&rear.distance.span, rear.distance.si / 0.7),
        ];
        let strangest = sizes.into_iter().max_by(|a, b| a.1.ln().abs().total_cmp(&b.1.ln().abs()));
        strangest.map_or(&body.mass.span, |(span, _)| span)
    }
}

impl Tables for MotorcycleTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "motorcycle";
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let body = &self.motorcycle;
        let front = self.front.read("front", 1.0, &self.road, context)?;
        let rear = self.rear.read("rear", -1.0, &self.road, context)?;
        for (wheel, table) in [(&front, &self.front), (&rear, &self.rear)] {
            if wheel.radius > body.height.si {
                let fault = Fault::new("the centre of mass lies below the axle of this wheel");
                return Err(fault.help("`height` in [motorcycle] must be at least the radius").at(&table.radius.span));
            }
        }
        let speed = self.initial.speed.si;
        let rim = |table: &Wheel| -table.rim_speed.as_ref().map_or(speed, |rim| rim.si) + 0.0;
        let select = match self.solutions.select {
            SelectTable::Nearest => Select::Nearest,
            SelectTable::Front => Select::Front,
            SelectTable::Rear => Select::Rear,
            SelectTable::Both => Select::Both,
        };
        let on_none = match self.solutions.without {
            WithoutTable::Error => OnNone::Error,
            WithoutTable::Impulse => OnNone::Impulse,
        };
        let parameters = Parameters {
            rims: [rim(&self.front), rim(&self.rear)],
            speed,
            settings: Settings { select, on_none, ..Settings::default() },
            data: PlanarData {
                mass: body.mass.si,
                pitch_inertia: body.pitch_inertia.si,
                height: body.height.si,
                gravity: self.road.gravity.si,
                wheels: [front, rear],
            },
        };
        Motorcycle::new(parameters.clone()).map_err(|error| {
            let blamed = match error {
                PlanarError::Sizes { .. } => self.strangest(),
                _ => &body.mass.span,
            };
            Fault::new(error.to_string()).at(blamed)
        })?;
        Ok(Arc::new(parameters))
    }
}
