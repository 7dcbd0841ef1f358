//! `model = "towed-wheel"`: a wheel on a bar, towed by a pin on a spring.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::sync::Arc;

use crate::towed_wheel::{self, Form, Parameters, Start, TowedWheel, TowedWheelError};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_run::Model;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Angle, Context, Fault, Force, Inertia, Length, Mass, NonNegative, Positive, Quantity, Speed, Stiffness, Tables,
    YawRate, table,
};

/// A wheel on a bar, towed by a pin on a spring: shimmy with rolling and slipping.
///
/// Signs: the bar points forwards from the wheel to the pin; angles count counter-clockwise from above,
/// displacements and slips across the bar to the left.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TowedWheelTables {
    /// The wheel.
    #[serde(deserialize_with = "table")]
    wheel: WheelTable,
    /// The bar and the pin at its end.
    #[serde(deserialize_with = "table")]
    bar: BarTable,
    /// What tows it.
    #[serde(deserialize_with = "table")]
    towing: TowingTable,
    /// The ground under the wheel.
    #[serde(deserialize_with = "table")]
    ground: GroundTable,
    /// State at t = 0; straight rolling by default.
    #[serde(default, deserialize_with = "table")]
    initial: InitialTable,
}

/// The wheel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct WheelTable {
    /// Mass m_w [kg], > 0.
    pub mass: Quantity<Mass, Positive>,
    /// Radius R [m], > 0.
    pub radius: Quantity<Length, Positive>,
    /// Where its mass is: "disc" (default) or "ring"; left out where the inertias are given.
    shape: Option<Shape>,
    /// Inertia about the axle [kg m^2], > 0, at most mass x radius^2; together with inertia_vertical.
    pub inertia: Option<Quantity<Inertia, Positive>>,
    /// Inertia about the vertical diameter [kg m^2], at least half of that about the axle.
    pub inertia_vertical: Option<Quantity<Inertia, Positive>>,
}

/// Where the mass of the wheel is.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Shape {
    /// Homogeneous thin disc.
    Disc,
    /// All mass on the rim.
    Ring,
}

/// The bar and the pin at its end.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct BarTable {
    /// Mass m_b of the bar, a uniform rod [kg], > 0.
    pub mass: Quantity<Mass, Positive>,
    /// Length L from the wheel's centre to the pin [m], > 0.
    pub length: Quantity<Length, Positive>,
    /// Stiffness k of the spring that holds the pin [N/m], > 0.
    pub stiffness: Quantity<Stiffness, Positive>,
}

/// What tows it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct TowingTable {
    /// Speed v [m/s], >= 0; at 0 the wheel can only swing and slide on its spring.
    pub speed: Quantity<Speed, NonNegative>,
    /// Equations: "small" displacements of the pin (default), or "exact".
    #[serde(default)]
    form: Form,
}

/// The ground under the wheel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct GroundTable {
    /// Greatest friction force C between wheel and ground [N], >= 0.
    pub friction_force: Quantity<Force, NonNegative>,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct InitialTable {
    /// Angle psi of the bar [rad] (default 0).
    pub angle: Quantity<Angle>,
    /// Its rate [rad/s] (default 0).
    pub yaw_rate: Quantity<YawRate>,
    /// Displacement w of the pin [m] (default 0).
    pub displacement: Quantity<Length>,
    /// Slip along the bar [m/s] (default 0: rolling).
    pub slip_along: Quantity<Speed>,
    /// Slip across the bar [m/s] (default 0: rolling).
    pub slip_across: Quantity<Speed>,
}

impl WheelTable {
    /// The inertias.
    fn inertia(&self) -> Result<towed_wheel::Inertia, Fault> {
        match (&self.shape, &self.inertia, &self.inertia_vertical) {
            (Some(Shape::Ring), None, None) => Ok(towed_wheel::Inertia::Ring),
            (_, None, None) => Ok(towed_wheel::Inertia::Disc),
            (None, Some(axle), Some(vertical)) => {
                Ok(towed_wheel::Inertia::Given { axle: axle.si, vertical: vertical.si })
            }
            (Some(_), Some(given), _) | (Some(_), None, Some(given)) => {
                Err(Fault::new("a wheel has a shape or inertias of its own, not both")
                    .help("leave out `shape`, or the inertias")
                    .at(&given.span))
            }
            (None, Some(given), None) | (None, None, Some(given)) => {
                Err(Fault::new("one inertia is given and the other is not")
                    .help("write both `inertia` and `inertia_vertical`; a flat wheel has inertia_vertical = inertia/2")
                    .at(&given.span))
            }
        }
    }

    /// Inertias that no wheel has, where they are written.
    fn located(&self, error: &TowedWheelError) -> Option<Fault> {
        let (help, blamed) = match error {
            TowedWheelError::TooMuchInertia { .. } => {
                ("all mass on the rim has mass x radius^2, a disc half of that", &self.inertia)
            }
            TowedWheelError::NoBody { .. } => {
                ("a flat wheel has half of the inertia about the axle, a wide one more", &self.inertia_vertical)
            }
            _ => return None,
        };
        blamed.as_ref().map(|given| Fault::new(error.to_string()).help(help).at(&given.span))
    }
}

impl Tables for TowedWheelTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "towed-wheel";
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;

    fn model(&self, _: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let initial = &self.initial;
        let parameters = Parameters {
            wheel_mass: self.wheel.mass.si,
            bar_mass: self.bar.mass.si,
            radius: self.wheel.radius.si,
            length: self.bar.length.si,
            stiffness: self.bar.stiffness.si,
            speed: self.towing.speed.si,
            friction: self.ground.friction_force.si,
            inertia: self.wheel.inertia()?,
            form: self.towing.form,
            start: Start {
                psi: initial.angle.si,
                omega: initial.yaw_rate.si,
                w: initial.displacement.si,
                u1: initial.slip_along.si,
                u2: initial.slip_across.si,
            },
        };
        match TowedWheel::new(parameters).err().and_then(|error| self.wheel.located(&error)) {
            Some(fault) => Err(fault),
            None => Ok(Arc::new(parameters)),
        }
    }
}
