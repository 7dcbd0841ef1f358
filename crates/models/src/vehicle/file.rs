//! `model = "vehicle"`: a chassis on any number of driven and braked wheels, on a road that may rise.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod axle;
mod road;
mod wheel;

use std::collections::HashMap;
use std::sync::Arc;

use crate::vehicle::{Parameters, Start, WheelData};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::record::column_part;

use super::model::Described;
use axle::Axle;
use road::Road;
use stickslip_run::Model;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Context, Drag, Fault, Force, Length, Mass, NonNegative, OutputTable, Positive, Quantity, RunTable, Shared, Speed,
    Tables, number, optional_table, same_column, table, tables,
};
use wheel::Wheel;

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
    /// Torques given for several wheels together, one [[axle]] each (optional).
    #[serde(default, deserialize_with = "tables")]
    axle: Vec<Axle>,
    /// The same run with smoothed friction on the ground beside it (optional).
    #[serde(default, deserialize_with = "optional_table")]
    contrast: Option<ContrastTable>,
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
    /// Rolling resistance of the whole vehicle [N], >= 0: a dry friction, besides that of the road (default 0).
    #[serde(default)]
    rolling_resistance: Quantity<Force, NonNegative>,
}

/// The same run with smoothed friction beside it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct ContrastTable {
    /// Speed e of the smoothed law mu N tanh(slip/e) on the ground [m/s], > 0.
    tanh_speed: Quantity<Speed, Positive>,
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

/// How far the sum of the shares may be from 1.
const SHARES: f64 = 1e-9;

/// More wheels than this are taken for a slip of the pen.
const MOST_WHEELS: usize = 10_000;

impl VehicleTables {
    /// What concerns several wheels at once.
    fn check_wheels(&self) -> Result<(), Fault> {
        let Some(last) = self.wheel.last() else {
            return Err(Fault::new("a vehicle needs at least one wheel").help("add a table [[wheel]]"));
        };
        let (mut names, mut count) = (HashMap::new(), 0_usize);
        for wheel in &self.wheel {
            count = count.saturating_add(wheel.number());
            if count > MOST_WHEELS {
                return Err(Fault::new(format!("there are more than {MOST_WHEELS} wheels"))
                    .help("write a smaller `count`")
                    .at(&wheel.name.span));
            }
            for name in wheel.names() {
                let first = names.insert(column_part(&name), name.clone());
                same_column("wheel", &wheel.name, &name, first.as_deref())?;
            }
        }
        let sum: f64 = self.wheel.iter().map(|w| w.number() as f64 * w.load.si).sum();
        if (sum - 1.0).abs() > SHARES {
            let shown = number((sum * 1e12).round() / 1e12);
            return Err(Fault::new(format!("the loads of the wheels sum to {shown}, but they must sum to 1"))
                .help("`load` is the share of the weight that a wheel carries, such as 0.25 or \"25 %\"")
                .at(&last.load.span));
        }
        Ok(())
    }

    fn wheels(&self, context: &mut Context<'_>) -> Result<Vec<WheelData>, Fault> {
        self.check_wheels()?;
        let friction = self.road.friction(context)?;
        let over_slip = self.road.over_slip()?;
        let mut wheels = Vec::new();
        for wheel in &self.wheel {
            wheels.extend(wheel.read(&friction, &over_slip, context)?);
        }
        axle::apply(&self.axle, &self.wheel, &mut wheels, context)?;
        Ok(wheels)
    }

    /// Circumferential speeds at t = 0.
    fn start_speeds(&self) -> Vec<f64> {
        let x1 = self.initial.speed.si;
        let rolling = if x1 == 0.0 { 0.0 } else { -x1 };
        let speed = |w: &Wheel| w.speed.as_ref().map_or(rolling, |q| q.si);
        self.wheel.iter().flat_map(|w| std::iter::repeat_n(speed(w), w.number())).collect()
    }
}

impl Tables for VehicleTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "vehicle";
    const MEASURES: &'static [Measurable] = crate::ride::MEASURES;

    fn shared(&mut self) -> Shared<'_> {
        Shared {
            title: self.title.take(),
            description: self.description.take(),
            run: Some(&self.run),
            output: Some(&self.output),
        }
    }

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let parameters = Parameters {
            mass: self.vehicle.mass.si,
            gravity: self.road.gravity.si,
            wheels: self.wheels(context)?,
            slope: self.road.slope(context)?,
            drag: self.vehicle.drag.si,
            resistance: self.vehicle.rolling_resistance.si,
            road: self.road.by_place(context)?,
            start: Start { x1: self.initial.speed.si, x: self.initial.position.si, v: Some(self.start_speeds()) },
        };
        let tanh_speed = self.contrast.as_ref().map(|table| table.tanh_speed.si);
        Ok(Arc::new(Described { parameters, tanh_speed }))
    }
}
