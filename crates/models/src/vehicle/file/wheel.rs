//! `[[wheel]]`: one wheel, the wheels of an axle taken together, or a row of equal wheels.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;
use std::ops::Range;

use crate::drive;
use crate::vehicle::WheelData;
use crate::vehicle::road::Place;
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::law::{Coefficient, OverSlip};
use stickslip_core::signal::Signal;

use super::road::Side;
use super::tyre::{DiscTable, TyreTable};
use stickslip_scenario::tables::{
    Context, Fault, FrictionOf, Inertia, Length, Named, NonNegative, Positive, Quantity, Ratio, SignalOf, Spanned,
    Speed, Stiffness, Torque, quote,
};

/// One wheel, or the wheels of an axle taken together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::vehicle) struct Wheel {
    /// Name in reports and columns; every wheel has its own.
    pub name: Named,
    /// How many equal wheels these are, a whole number >= 1: they are named `name 1`, `name 2` and so on (default: one,
    /// named `name`).
    pub count: Option<NonZeroU64>,
    /// How far each of `count` wheels stands behind the one before [m], >= 0 (default 0).
    #[serde(default)]
    spacing: Quantity<Length, NonNegative>,
    /// How far ahead of the vehicle's position x the wheel touches the road [m]; negative behind it (default 0).
    #[serde(default)]
    pub ahead: Quantity<Length>,
    /// The side it runs on, "left" or "right"; "both" (default) for an axle taken as one wheel.
    #[serde(default)]
    side: Side,
    /// Radius R [m], > 0.
    pub radius: Quantity<Length, Positive>,
    /// Inertia I about the axle [kg m^2], > 0.
    pub inertia: Quantity<Inertia, Positive>,
    /// Share of the weight that the wheel (each of `count` wheels) carries, >= 0; the shares of all wheels sum to 1. May be
    /// left out of all wheels where the vehicle has a `height`: then it follows from the places.
    pub load: Option<Quantity<Ratio, NonNegative>>,
    /// Vertical stiffness of the wheel with its suspension [N/m], > 0: where the vehicle has a `height` and wheels stand at more
    /// than two places, loads depend on it; only ratios count.
    pub stiffness: Option<Quantity<Stiffness, Positive>>,
    /// Friction coefficient mu(t) under this wheel, >= 0; a signal (default: that of the road).
    pub friction: Option<SignalOf<Ratio, NonNegative>>,
    /// Factor of the friction under this wheel over its slip speed: a number or a law such as { static = 1, kinetic = 0.7 }
    /// (default: that of the road).
    over_slip: Option<FrictionOf>,
    /// Factor of the brake's torque over the circumferential speed, in the same forms (default 1).
    brake_over_slip: Option<FrictionOf>,
    /// Motor torque M(t) [N m], positive counter-clockwise: driving forward is negative; a signal (default: what its axle
    /// gives it, or 0).
    pub motor: Option<SignalOf<Torque>>,
    /// The same torque counted forwards [N m]: what is positive drives; a signal, instead of `motor`.
    drive: Option<SignalOf<Torque>>,
    /// Greatest torque the brake can hold [N m], >= 0; a signal (default: that of its axle, or 0).
    pub brake: Option<SignalOf<Torque, NonNegative>>,
    /// Tyre under the wheel (each of `count` wheels) instead of dry friction, such as { file = "name.tir" }; `friction` is then
    /// the factor of the tyre's own friction, 1 on the road on which it was measured.
    #[schemars(with = "Option<TyreTable>")]
    pub(super) tyre: Option<Spanned<TyreTable>>,
    /// Disc of the brake, which warms and fades, such as { mass = "7 kg", capacity = 460, cooling = 25 }.
    #[schemars(with = "Option<DiscTable>")]
    disc: Option<Spanned<DiscTable>>,
    /// Circumferential speed R theta' at t = 0 [m/s] (default: rolling, which is minus the speed).
    pub speed: Option<Quantity<Speed>>,
}

impl Wheel {
    /// How many wheels it stands for.
    pub fn number(&self) -> usize {
        self.count.map_or(1, |count| usize::try_from(count.get()).unwrap_or(usize::MAX))
    }

    /// Where a torque of its own motor is given.
    pub fn motor_place(&self) -> Option<Range<usize>> {
        self.motor.as_ref().or(self.drive.as_ref()).map(SignalOf::span)
    }

    /// Names of all the wheels it stands for.
    pub fn names(&self) -> impl Iterator<Item = String> + '_ {
        let name = &self.name.text;
        (1..=self.number()).map(move |k| if self.count.is_some() { format!("{name} {k}") } else { name.clone() })
    }

    /// The wheels it stands for.
    pub fn read(
        &self,
        road: &Signal,
        over_slip: &Option<Coefficient>,
        context: &mut Context<'_>,
    ) -> Result<Vec<WheelData>, Fault> {
        let of = |what: &str| format!("{what} of the wheel {}", quote(&self.name.text));
        let friction = match &self.friction {
            Some(own) => own.read(&of("the friction coefficient"), context)?,
            None => road.clone(),
        };
        let motor = drive::torque(("motor", self.motor.as_ref()), self.drive.as_ref(), &of(""), context)?;
        let brake = self.brake.as_ref().map(|own| own.read(&of("the brake torque"), context)).transpose()?;
        let own = self.over_slip.as_ref().map(FrictionOf::read).transpose()?;
        let tyre = self.tyre.as_ref().map(|tyre| tyre.get_ref().read(&tyre.span(), context)).transpose()?;
        let disc = self.disc.as_ref().map(|disc| disc.get_ref().read(&disc.span())).transpose()?;
        if let (Some(over_slip), Some(_)) = (&self.over_slip, &tyre) {
            return Err(Fault::new(format!(
                "the wheel {} has a tyre, which has its own law over slip",
                quote(&self.name.text)
            ))
            .help("leave one of `tyre` and `over_slip` out")
            .at(&over_slip.span));
        }
        // The law of the road is that of wheels on dry friction.
        let over_slip = if tyre.is_some() { &None } else { over_slip };
        let over_slip = OverSlip {
            ground: own.or_else(|| over_slip.clone()),
            brake: self.brake_over_slip.as_ref().map(FrictionOf::read).transpose()?,
        };
        let wheel = |(k, name): (usize, String)| WheelData {
            tyre: tyre.clone(),
            disc: disc.clone(),
            name,
            radius: self.radius.si,
            inertia: self.inertia.si,
            share: self.load.as_ref().map_or(0.0, |load| load.si),
            friction: friction.clone(),
            motor: motor.clone().unwrap_or(Signal::ZERO),
            brake: brake.clone().unwrap_or(Signal::ZERO),
            over_slip: over_slip.clone(),
            place: Place { ahead: self.ahead.si - k as f64 * self.spacing.si, side: self.side.read() },
        };
        Ok(self.names().enumerate().map(wheel).collect())
    }
}
