//! `model = "half-car"`: heave and pitch on springs, tyres that may leave the ground.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::signal::Signal;
use stickslip_loads::half_car::{Corner, HalfCarData, ranges};
use stickslip_run::Model;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Acceleration, Context, Damping, Fault, Force, Inertia, Length, Mass, Point, Positive, Quantity, SignalOf, Speed,
    Stiffness, Tables, number, table,
};

use super::{Car, Parameters};

/// A body on two springs, with wheels on tyres that are springs, too, and cannot pull: heave and pitch, small angles.
///
/// Signs: forward and up are positive, and so is a pitch with the nose up. Heights count from the static position.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HalfCarTables {
    /// The vehicle as a whole.
    #[serde(deserialize_with = "table")]
    half_car: Body,
    /// The road (optional; level by default).
    #[serde(default, deserialize_with = "table")]
    road: Road,
    /// The front wheel, or the whole front axle: wheel, spring, damper, tyre.
    #[serde(deserialize_with = "table")]
    front: Wheel,
    /// The rear wheel, or the whole rear axle.
    #[serde(deserialize_with = "table")]
    rear: Wheel,
    /// State at t = 0, at rest on the springs; without speed by default.
    #[serde(default, deserialize_with = "table")]
    initial: Initial,
}

/// The vehicle as a whole.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Body {
    /// Mass of the body, without wheels [kg], > 0.
    sprung_mass: Quantity<Mass, ranges::Mass>,
    /// Inertia of the body in pitch about its centre of mass [kg m^2], > 0.
    pitch_inertia: Quantity<Inertia, ranges::PitchInertia>,
    /// Height of the centre of mass above the road [m], > 0: the lever of the brake force.
    height: Quantity<Length, ranges::Height>,
    /// Brake force at road level [N], >= 0; a signal (default 0). It is given: it acts while the vehicle rolls, and no load limits it.
    brake: Option<SignalOf<Force, ranges::Brake>>,
}

/// The road.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Road {
    /// Points [place, height] of the road [m], by rising places: straight in between, level before the first and after the last
    /// (default: level). The vehicle begins with its centre of mass at 0.
    profile: Option<Vec<Point<Length, Length>>>,
    /// Gravity g [m/s^2], > 0 (default 9.81).
    gravity: Option<Quantity<Acceleration, ranges::Gravity>>,
}

/// A wheel with its spring, damper and tyre.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Wheel {
    /// Distance from the centre of mass along the road [m], > 0: ahead of it for the front wheel, behind it for the rear.
    distance: Quantity<Length, Positive>,
    /// Mass of the wheel, unsprung [kg], > 0.
    mass: Quantity<Mass, ranges::Mass>,
    /// Stiffness of the spring between wheel and body [N/m], > 0.
    stiffness: Quantity<Stiffness, ranges::Stiffness>,
    /// Damping between wheel and body [N s/m], >= 0 (default 0).
    #[serde(default)]
    damping: Quantity<Damping, ranges::Damping>,
    /// Vertical stiffness of the tyre [N/m], > 0: it carries no tension.
    tyre_stiffness: Quantity<Stiffness, ranges::Stiffness>,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct Initial {
    /// Speed [m/s], >= 0 (default 0).
    speed: Quantity<Speed, ranges::Speed>,
}

/// Slopes of a road beyond this are not small: a rise of one in one.
const STEEP: f64 = 1.0;

impl Wheel {
    fn corner(&self, side: f64) -> Corner {
        Corner {
            place: side * self.distance.si,
            mass: self.mass.si,
            stiffness: self.stiffness.si,
            damping: self.damping.si,
            tyre_stiffness: self.tyre_stiffness.si,
        }
    }
}

impl Road {
    fn points(&self) -> Result<Vec<[f64; 2]>, Fault> {
        let points = self.profile.as_deref().unwrap_or_default();
        for pair in points.windows(2) {
            let ([a, b], [from, to]) = ([pair[0].at.si, pair[1].at.si], [pair[0].value.si, pair[1].value.si]);
            if b <= a {
                let fault =
                    Fault::new(format!("x = {} m comes after x = {} m, but places must rise", number(b), number(a)));
                return Err(fault
                    .help("order points by place; a step in the road is a short steep ramp here")
                    .at(&pair[1].at.span));
            }
            if ((to - from) / (b - a)).abs() > STEEP {
                let fault = Fault::new(format!(
                    "the road goes {} by {} m within {} m, steeper than one in one",
                    if to > from { "up" } else { "down" },
                    number((to - from).abs()),
                    number(b - a)
                ));
                return Err(fault
                    .help("a tyre here is a spring above one point of the road: make the ramp as long as a tyre would, or lower")
                    .at(&pair[1].value.span));
            }
        }
        Ok(points.iter().map(|point| [point.at.si, point.value.si]).collect())
    }
}

impl Tables for HalfCarTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "half-car";
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let body = &self.half_car;
        let brake = body.brake.as_ref().map(|brake| brake.read("the brake force", context)).transpose()?;
        let data = HalfCarData {
            sprung_mass: body.sprung_mass.si,
            pitch_inertia: body.pitch_inertia.si,
            height: body.height.si,
            gravity: self.road.gravity.as_ref().map_or(crate::GRAVITY, |gravity| gravity.si),
            corners: [self.front.corner(1.0), self.rear.corner(-1.0)],
            brake: brake.unwrap_or(Signal::ZERO),
            speed: self.initial.speed.si,
            road: self.road.points()?,
        };
        let parameters = Parameters { data };
        Car::new(parameters.clone()).map_err(|error| Fault::new(error.to_string()).at(&body.sprung_mass.span))?;
        Ok(Arc::new(parameters))
    }
}
