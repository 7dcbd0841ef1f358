//! `model = "vehicle"`: a chassis on any number of driven and braked wheels, on a road that may rise.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod axle;
mod controller;
pub(super) mod road;
pub(super) mod tyre;
pub(super) mod wheel;

use std::collections::HashMap;
use std::sync::Arc;

use crate::vehicle::transfer::static_shares;
use crate::vehicle::{Body, Parameters, Start, WheelData};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::record::column_part;

use super::model::Described;
use axle::Axle;
use controller::ControllerTable;
pub use controller::Wired;
use road::Road;
use stickslip_run::Model;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Context, Drag, Fault, Force, Length, Mass, NonNegative, Positive, Quantity, Spanned, Speed, Tables, number,
    optional_table, quote, same_column, table, tables,
};
use wheel::Wheel;

/// A chassis on driven and braked wheels, on a road that may rise.
///
/// Signs: x and the speed count forwards, angles and torques of wheels counter-clockwise, so a contact point
/// slips with x' + R theta' and forward rolling has theta' = -x'/R < 0. A positive slope is uphill.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VehicleTables {
    /// The vehicle as a whole.
    #[serde(deserialize_with = "table")]
    vehicle: ChassisTable,
    /// The road.
    #[serde(deserialize_with = "table")]
    road: Road,
    /// The wheels, one [[wheel]] each; an axle may be taken as one wheel.
    #[serde(deserialize_with = "tables")]
    wheel: Vec<Wheel>,
    /// Torques given for several wheels together, one [[axle]] each (optional).
    #[serde(default, deserialize_with = "tables")]
    axle: Vec<Axle>,
    /// Controllers in the loop, one [[controller]] each (optional).
    #[serde(default, deserialize_with = "tables")]
    controller: Vec<ControllerTable>,
    /// The same run with smoothed friction on the ground, or without control, beside it (optional).
    #[serde(default, deserialize_with = "optional_table")]
    contrast: Option<ContrastTable>,
    /// State at t = 0; rest by default.
    #[serde(default, deserialize_with = "table")]
    initial: InitialTable,
}

/// The vehicle as a whole.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct ChassisTable {
    /// Mass m of the chassis with all wheels [kg], > 0.
    pub mass: Quantity<Mass, Positive>,
    /// Height of the centre of mass above the road [m], >= 0: with it loads move between the wheels when the vehicle brakes or
    /// drives, and `ahead` of every wheel counts from the centre of mass (default, and with 0: loads do not move).
    pub height: Option<Quantity<Length, NonNegative>>,
    /// Drag coefficient c [N s^2/m^2], >= 0; the drag is c |x'| x' (default 0).
    #[serde(default)]
    pub drag: Quantity<Drag, NonNegative>,
    /// Rolling resistance of the whole vehicle [N], >= 0: a dry friction, besides that of the road (default 0).
    #[serde(default)]
    pub rolling_resistance: Quantity<Force, NonNegative>,
}

/// The same run in another way beside it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct ContrastTable {
    /// Speed e of the smoothed law mu N tanh(slip/e) on the ground [m/s], > 0; on dry friction, without controllers.
    tanh_speed: Option<Quantity<Speed, Positive>>,
    /// true: the same run without its anti-lock controllers, whose brakes rise to `demand` at the rate `rise` and stay there.
    #[schemars(with = "Option<bool>")]
    without_control: Option<Spanned<bool>>,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct InitialTable {
    /// Speed x' [m/s] (default 0).
    pub speed: Quantity<Speed>,
    /// Position x [m] (default 0).
    pub position: Quantity<Length>,
}

/// What a vehicle does about several solutions, for those who look for the key of motorcycles.
const SOLUTIONS: &str = "a vehicle takes the stable solution nearest to the last and tells of the others (scheme = \"implicit-euler\"); \
                         one that lifts a wheel ends its run. model = \"motorcycle\" goes on with wheels in the air, and has \
                         [solutions] to select by";

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
        self.check_loads(last)
    }

    fn check_loads(&self, last: &Wheel) -> Result<(), Fault> {
        let missing = self.wheel.iter().find(|w| w.load.is_none());
        if let Some(wheel) = missing {
            // The places tell the loads where none is given.
            if self.vehicle.height.is_some() && self.wheel.iter().all(|w| w.load.is_none()) {
                return Ok(());
            }
            let help = match self.vehicle.height {
                Some(_) => "give the loads of all wheels, or of none: then they follow from the places",
                None => "write load = 0.25, the share of the weight that it carries",
            };
            let name = quote(&wheel.name.text);
            return Err(Fault::new(format!("the wheel {name} has no `load`")).help(help).at(&wheel.name.span));
        }
        let load = |w: &Wheel| w.load.as_ref().map_or(0.0, |load| load.si);
        let sum: f64 = self.wheel.iter().map(|w| w.number() as f64 * load(w)).sum();
        if (sum - 1.0).abs() > SHARES {
            let shown = number((sum * 1e12).round() / 1e12);
            let fault = Fault::new(format!("the loads of the wheels sum to {shown}, but they must sum to 1"))
                .help("`load` is the share of the weight that a wheel carries, such as 0.25 or \"25 %\"");
            return Err(fault.at(last.load.as_ref().map_or(&last.name.span, |load| &load.span)));
        }
        Ok(())
    }

    /// The body, where loads move; completes the loads of the wheels.
    fn body(&self, wheels: &mut [WheelData]) -> Result<Option<Body>, Fault> {
        let Some(height) = &self.vehicle.height else {
            return match self.wheel.iter().find_map(|w| w.stiffness.as_ref()) {
                Some(stiffness) => {
                    Err(Fault::new("a stiffness without a height of the centre of mass changes nothing")
                        .help("write `height` in [vehicle], or leave the stiffness out")
                        .at(&stiffness.span))
                }
                None => Ok(None),
            };
        };
        let mut places: Vec<f64> = wheels.iter().map(|w| w.place.ahead).collect();
        places.sort_unstable_by(f64::total_cmp);
        places.dedup();
        if !(places.first() < Some(&0.0) && places.last() > Some(&0.0)) {
            let [rear, front] = [places.first(), places.last()].map(|x| number(x.copied().unwrap_or_default()));
            let fault = Fault::new(format!(
                "the wheels stand from {rear} m to {front} m ahead of the centre of mass, which must be between them"
            ));
            return Err(fault.help("give `ahead` of every wheel from the centre of mass").at(&height.span));
        }
        let given = self.wheel.iter().filter(|w| w.stiffness.is_some()).count();
        if let Some(wheel) = self.wheel.iter().find(|w| w.stiffness.is_none())
            && (places.len() > 2 || given > 0)
        {
            let name = quote(&wheel.name.text);
            let why = match given {
                0 => "with wheels at more than two places loads depend on it",
                _ => "others have one",
            };
            return Err(Fault::new(format!("the wheel {name} has no `stiffness`: {why}"))
                .help("write stiffness = \"400 kN/m\"; only ratios count")
                .at(&wheel.name.span));
        }
        let each = |w: &Wheel| {
            let stiffness = w.stiffness.as_ref().map_or(1.0, |k| k.si);
            std::iter::repeat_n(stiffness, w.number())
        };
        let stiffness: Vec<f64> = self.wheel.iter().flat_map(each).collect();
        if self.wheel.iter().all(|w| w.load.is_none()) {
            let shares = static_shares(wheels, &stiffness);
            wheels.iter_mut().zip(shares).for_each(|(wheel, share)| wheel.share = share);
        }
        if let Some(wheel) = wheels.iter().find(|w| w.share <= 0.0) {
            return Err(Fault::new(format!("the wheel {} carries nothing at rest", quote(&wheel.name)))
                .help("with a height every wheel must carry a load: move the wheels or change their stiffness")
                .at(&height.span));
        }
        let centre: f64 = wheels.iter().map(|w| w.share * w.place.ahead).sum();
        let base = places.last().copied().unwrap_or(1.0) - places.first().copied().unwrap_or(0.0);
        if centre.abs() > SHARES * base {
            return Err(Fault::new(format!(
                "the loads contradict the places: their centre is {} m ahead of the centre of mass",
                number(centre)
            ))
            .help("leave `load` out of all wheels (it follows from the places), or correct `ahead`")
            .at(&height.span));
        }
        Ok(Some(Body { height: height.si, stiffness }))
    }

    /// What tyres do not go together with.
    fn check_tyres(&self) -> Result<(), Fault> {
        let Some(wheel) = self.wheel.iter().find(|wheel| wheel.tyre.is_some()) else { return Ok(()) };
        let name = quote(&wheel.name.text);
        if let Some(speed) = self.contrast.as_ref().and_then(|contrast| contrast.tanh_speed.as_ref()) {
            return Err(Fault::new(format!(
                "the wheel {name} has a tyre, which smoothed dry friction is no contrast to"
            ))
            .help("leave `tanh_speed` of [contrast] out, or the tyres")
            .at(&speed.span));
        }
        Ok(())
    }

    /// What is to run beside it: the speed of a smoothed law, and whether the same without control.
    fn contrast(&self, controllers: &[Wired]) -> Result<(Option<f64>, bool), Fault> {
        let Some(contrast) = &self.contrast else { return Ok((None, false)) };
        if let (Some(speed), Some(first)) = (&contrast.tanh_speed, self.controller.first()) {
            return Err(Fault::new("the vehicle with smoothed friction beside it has no controller")
                .help(format!("leave `tanh_speed` of [contrast] out, or the controller {}", quote(first.name())))
                .at(&speed.span));
        }
        let asked = contrast.without_control.as_ref().filter(|asked| *asked.get_ref());
        if let Some(asked) = asked
            && controllers.iter().all(|own| own.uncontrolled.is_none())
        {
            return Err(Fault::new("there is no anti-lock controller without which this vehicle could run")
                .help("leave `without_control` out, or add a [[controller]] with kind = \"anti-lock\"")
                .at(&asked.span()));
        }
        if contrast.tanh_speed.is_none() && contrast.without_control.is_none() {
            return Err(Fault::new("[contrast] does not say what to run beside")
                .help("write tanh_speed = \"1 mm/s\", or without_control = true"));
        }
        Ok((contrast.tanh_speed.as_ref().map(|speed| speed.si), asked.is_some()))
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
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[("solutions", SOLUTIONS)];

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let mut wheels = self.wheels(context)?;
        let parameters = Parameters {
            body: self.body(&mut wheels)?,
            mass: self.vehicle.mass.si,
            gravity: self.road.gravity.si,
            wheels,
            slope: self.road.slope(context)?,
            drag: self.vehicle.drag.si,
            resistance: self.vehicle.rolling_resistance.si,
            road: self.road.by_place(context)?,
            start: Start { x1: self.initial.speed.si, x: self.initial.position.si, v: Some(self.start_speeds()) },
        };
        self.check_tyres()?;
        let controllers = controller::read(&self.controller, &parameters)?;
        let (tanh_speed, without_control) = self.contrast(&controllers)?;
        Ok(Arc::new(Described { parameters, tanh_speed, controllers, without_control }))
    }
}
