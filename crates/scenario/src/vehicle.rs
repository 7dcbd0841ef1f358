//! `model = "vehicle"`: a chassis on any number of driven and braked wheels, on a road that may rise.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::model::vehicle::{Parameters, Start, WheelData};
use stickslip_core::signal::Signal;

use crate::fault::{Fault, number, quote};
use crate::kind::{Acceleration, Angle, Drag, Force, Inertia, Length, Mass, Ratio, Speed, Torque};
use crate::model::{Context, Model, Shared, Tables};
use crate::name::Named;
use crate::quantity::{NonNegative, Positive, Quantity};
use crate::run::{OutputTable, RunTable};
use crate::signal::SignalOf;
use crate::table::{table, tables};

/// A chassis on driven and braked wheels, on a road that may rise.
///
/// Signs: x and the speed count forwards, angles and torques of wheels counter-clockwise, so a contact point
/// slips with x' + R theta' and forward rolling has theta' = -x'/R < 0. A positive slope is uphill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VehicleTables {
    /// Which model the file describes.
    #[schemars(extend("const" = "vehicle"))]
    #[expect(dead_code, reason = "names the model; read before the other keys")]
    model: Tag,
    /// One line that names the scenario in reports (optional).
    title: Option<String>,
    /// What happens and what to look at (optional).
    description: Option<String>,
    /// The vehicle as a whole.
    #[serde(deserialize_with = "table")]
    vehicle: Chassis,
    /// The road.
    #[serde(deserialize_with = "table")]
    road: Road,
    /// The wheels, one [[wheel]] each; an axle may be taken as one wheel.
    #[serde(deserialize_with = "tables")]
    wheel: Vec<Wheel>,
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
    #[serde(rename = "vehicle")]
    Vehicle,
}

/// The vehicle as a whole.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Chassis {
    /// Mass m of the chassis with all wheels [kg], > 0.
    mass: Quantity<Mass, Positive>,
    /// Drag coefficient c [N s^2/m^2], >= 0; the drag is c |x'| x' (default 0).
    #[serde(default)]
    drag: Quantity<Drag, NonNegative>,
    /// Rolling resistance of the whole vehicle [N], >= 0: a dry friction (default 0).
    #[serde(default)]
    rolling_resistance: Quantity<Force, NonNegative>,
}

/// The road.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Road {
    /// Friction coefficient mu(t) under all wheels that have none of their own, >= 0; a signal.
    friction: SignalOf<Ratio, NonNegative>,
    /// Angle theta(t) of the road [rad], positive uphill, between -90 and 90 degrees; a signal (default 0).
    #[serde(default)]
    slope: SignalOf<Angle>,
    /// Gravity g [m/s^2], >= 0 (default 9.81).
    #[serde(default = "earth")]
    gravity: Quantity<Acceleration, NonNegative>,
}

fn earth() -> Quantity<Acceleration, NonNegative> {
    Quantity::new(9.81)
}

/// One wheel, or the wheels of an axle taken together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Wheel {
    /// Name in reports and columns; every wheel has its own.
    name: Named,
    /// Radius R [m], > 0.
    radius: Quantity<Length, Positive>,
    /// Inertia I about the axle [kg m^2], > 0.
    inertia: Quantity<Inertia, Positive>,
    /// Share of the weight that the wheel carries, >= 0; the shares of all wheels sum to 1.
    load: Quantity<Ratio, NonNegative>,
    /// Friction coefficient mu(t) under this wheel, >= 0; a signal (default: that of the road).
    friction: Option<SignalOf<Ratio, NonNegative>>,
    /// Motor torque M(t) [N m], positive counter-clockwise: driving forward is negative; a signal (default 0).
    #[serde(default)]
    motor: SignalOf<Torque>,
    /// Greatest torque the brake can hold [N m], >= 0; a signal (default 0).
    #[serde(default)]
    brake: SignalOf<Torque, NonNegative>,
    /// Circumferential speed R theta' at t = 0 [m/s] (default: rolling, which is minus the speed).
    speed: Option<Quantity<Speed>>,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Initial {
    /// Speed x' [m/s] (default 0).
    speed: Quantity<Speed>,
    /// Position x [m] (default 0).
    position: Quantity<Length>,
}

impl Wheel {
    fn read(&self, road: &Signal, context: &mut Context<'_>) -> Result<WheelData, Fault> {
        let name = &self.name.text;
        let friction = match &self.friction {
            Some(own) => own.read(&format!("the friction coefficient of the wheel {}", quote(name)), context)?,
            None => road.clone(),
        };
        Ok(WheelData {
            name: name.clone(),
            radius: self.radius.si,
            inertia: self.inertia.si,
            share: self.load.si,
            friction,
            motor: self.motor.read(&format!("the motor torque of the wheel {}", quote(name)), context)?,
            brake: self.brake.read(&format!("the brake torque of the wheel {}", quote(name)), context)?,
        })
    }
}

/// How far the sum of the shares may be from 1.
const SHARES: f64 = 1e-9;

impl VehicleTables {
    /// What concerns several wheels at once.
    fn check_wheels(&self) -> Result<(), Fault> {
        let Some(last) = self.wheel.last() else {
            return Err(Fault::new("a vehicle needs at least one wheel").help("add a table [[wheel]]"));
        };
        for (i, wheel) in self.wheel.iter().enumerate() {
            if self.wheel[..i].iter().any(|other| other.name.text == wheel.name.text) {
                return Err(Fault::new(format!("a second wheel is named {}", quote(&wheel.name.text)))
                    .help("give every wheel a name of its own")
                    .at(&wheel.name.span));
            }
        }
        let sum: f64 = self.wheel.iter().map(|w| w.load.si).sum();
        if (sum - 1.0).abs() > SHARES {
            let shown = number((sum * 1e12).round() / 1e12);
            return Err(Fault::new(format!("the loads of the wheels sum to {shown}, but they must sum to 1"))
                .help("`load` is the share of the weight that a wheel carries, such as 0.25 or \"25 %\"")
                .at(&last.load.span));
        }
        Ok(())
    }
}

impl Tables for VehicleTables {
    const MODEL: &'static str = "vehicle";

    fn shared(&mut self) -> Shared<'_> {
        Shared { title: self.title.take(), description: self.description.take(), run: &self.run, output: &self.output }
    }

    fn model(&self, context: &mut Context<'_>) -> Result<Model, Fault> {
        self.check_wheels()?;
        let friction = self.road.friction.read("the friction coefficient", context)?;
        let wheels = self.wheel.iter().map(|wheel| wheel.read(&friction, context)).collect::<Result<Vec<_>, _>>()?;
        let x1 = self.initial.speed.si;
        let rolling = if x1 == 0.0 { 0.0 } else { -x1 };
        let speeds = self.wheel.iter().map(|w| w.speed.as_ref().map_or(rolling, |q| q.si)).collect();
        Ok(Model::Vehicle(Parameters {
            mass: self.vehicle.mass.si,
            gravity: self.road.gravity.si,
            wheels,
            slope: self.road.slope.read("the slope", context)?,
            drag: self.vehicle.drag.si,
            resistance: self.vehicle.rolling_resistance.si,
            start: Start { x1, x: self.initial.position.si, v: Some(speeds) },
        }))
    }
}
