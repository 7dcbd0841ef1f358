//! `model = "wheel"`: one driven and braked wheel on dry ground.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::sync::Arc;

use crate::drive;
use crate::wheel::{Parameters, Start};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::law::OverSlip;
use stickslip_core::signal::Signal;
use stickslip_run::Model;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Acceleration, Angle, Context, Fault, FrictionOf, Inertia, Length, Mass, NonNegative, Positive, Quantity, Ratio,
    SignalOf, Speed, Tables, Torque, table,
};

/// What a wheel on its own does not have: a vehicle may have one wheel.
const TYRE: &str = "a wheel on a tyre is a vehicle with one wheel: write model = \"vehicle\" and `tyre` in its [[wheel]]; \
                    `stickslip show tyre-braking` is one to copy";
const DISC: &str = "a brake that warms belongs to a vehicle, which may have one wheel: write model = \"vehicle\" and `disc` in its \
                    [[wheel]]; `stickslip show ten-stops-hot-brake` is one to copy";
const CONTROLLER: &str = "controllers are in the loop of vehicles, which may have one wheel: write model = \"vehicle\"; `stickslip show \
                          anti-lock-stribeck` is one to copy";
const ROAD: &str = "slopes and rolling resistance belong to vehicles, which may have one wheel: write model = \"vehicle\" and \
                    [road]; `stickslip show park-on-slope` is one to copy";

/// One driven and braked wheel that carries a chassis on dry ground.
///
/// Signs: x and the speed count forwards, angles and torques counter-clockwise, so the contact point
/// slips with x' + R theta' and forward rolling has theta' = -x'/R < 0.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WheelTables {
    /// The wheel and what it carries.
    #[serde(deserialize_with = "table")]
    wheel: WheelTable,
    /// The ground under the wheel.
    #[serde(deserialize_with = "table")]
    ground: GroundTable,
    /// The motor on the axle.
    #[serde(default, deserialize_with = "table")]
    motor: MotorTable,
    /// The brake on the axle.
    #[serde(default, deserialize_with = "table")]
    brake: BrakeTable,
    /// State at t = 0; rest by default.
    #[serde(default, deserialize_with = "table")]
    initial: InitialTable,
}

/// The wheel and what it carries.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct WheelTable {
    /// Mass m of wheel and chassis [kg], > 0.
    pub mass: Quantity<Mass, Positive>,
    /// Inertia I of the wheel about its axle [kg m^2], > 0.
    pub inertia: Quantity<Inertia, Positive>,
    /// Radius R of the wheel [m], > 0.
    pub radius: Quantity<Length, Positive>,
}

/// The ground under the wheel.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct GroundTable {
    /// Friction coefficient mu(t) between wheel and ground, >= 0; a signal.
    pub friction: SignalOf<Ratio, NonNegative>,
    /// Factor of the friction over the slip speed: a number or a law such as { static = 1, kinetic = 0.7 } (default 1).
    over_slip: Option<FrictionOf>,
    /// Gravity g [m/s^2], >= 0; the normal load is m g (default 9.81).
    #[serde(default = "earth")]
    pub gravity: Quantity<Acceleration, NonNegative>,
}

fn earth() -> Quantity<Acceleration, NonNegative> {
    Quantity::new(crate::GRAVITY)
}

/// The motor on the axle.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(crate) struct MotorTable {
    /// Torque M(t) [N m], positive counter-clockwise: driving forward is negative; a signal (default 0).
    pub torque: Option<SignalOf<Torque>>,
    /// The same torque counted forwards [N m]: what is positive drives, what is negative drives backwards or slows down; a
    /// signal, instead of `torque`.
    drive: Option<SignalOf<Torque>>,
}

impl MotorTable {
    /// Its torque, counter-clockwise.
    pub fn read(&self, context: &mut Context<'_>) -> Result<Signal, Fault> {
        let torque = drive::torque(("torque", self.torque.as_ref()), self.drive.as_ref(), "", context)?;
        Ok(torque.unwrap_or(Signal::ZERO))
    }
}

/// The brake on the axle.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct BrakeTable {
    /// Greatest torque the brake can hold [N m], >= 0; a signal (default 0).
    pub torque: SignalOf<Torque, NonNegative>,
    /// Factor of that torque over the circumferential speed of the wheel: a number or a law such as { static = 1,
    /// kinetic = 0.7 } (default 1).
    over_slip: Option<FrictionOf>,
}

/// State at t = 0.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(crate) struct InitialTable {
    /// Speed x' of the wheel centre [m/s] (default 0).
    pub speed: Quantity<Speed>,
    /// Circumferential speed R theta' [m/s] (default: rolling, which is minus the speed).
    pub wheel_speed: Option<Quantity<Speed>>,
    /// Position x of the wheel centre [m] (default 0).
    pub position: Quantity<Length>,
    /// Angle theta of the wheel [rad] (default 0).
    pub angle: Quantity<Angle>,
}

impl InitialTable {
    /// Where the wheel is and how it moves; without a speed of its own it rolls.
    pub fn read(&self) -> Start {
        let x1 = self.speed.si;
        let rolling = if x1 == 0.0 { 0.0 } else { -x1 };
        let x2 = self.wheel_speed.as_ref().map_or(rolling, |q| q.si);
        Start { x1, x2, x: self.position.si, theta: self.angle.si }
    }
}

impl Tables for WheelTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "wheel";
    const MEASURES: &'static [Measurable] = crate::ride::MEASURES;
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[
        ("tyre", TYRE),
        ("wheel.tyre", TYRE),
        ("ground.tyre", TYRE),
        ("wheel.disc", DISC),
        ("brake.disc", DISC),
        ("controller", CONTROLLER),
        ("road", ROAD),
        ("ground.slope", ROAD),
        ("ground.rolling", ROAD),
    ];

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        Ok(Arc::new(Parameters {
            mass: self.wheel.mass.si,
            inertia: self.wheel.inertia.si,
            radius: self.wheel.radius.si,
            gravity: self.ground.gravity.si,
            friction: self.ground.friction.read("the friction coefficient", context)?,
            motor: self.motor.read(context)?,
            brake: self.brake.torque.read("the brake torque", context)?,
            over_slip: OverSlip {
                ground: self.ground.over_slip.as_ref().map(FrictionOf::read).transpose()?,
                brake: self.brake.over_slip.as_ref().map(FrictionOf::read).transpose()?,
            },
            start: self.initial.read(),
        }))
    }
}
