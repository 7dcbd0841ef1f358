//! `[[axle]]`: torques given for several wheels together.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::collections::HashMap;
use std::ops::Range;

use crate::drive;
use crate::vehicle::WheelData;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::wheel::Wheel;
use stickslip_scenario::tables::{
    Context, Fault, Named, NonNegative, Quantity, Ratio, SignalOf, Torque, listed, nearest, number, quote,
};

/// Torques given for several wheels together.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct Axle {
    /// Names of its wheels; the name of a [[wheel]] with `count` stands for all of them.
    #[serde(deserialize_with = "some")]
    wheels: Vec<Named>,
    /// Motor torque M(t) on the whole axle [N m]; driving forward is negative; a signal. An open differential gives every
    /// wheel the same part of it, whatever it does, unless `split` says otherwise.
    motor: Option<SignalOf<Torque>>,
    /// The same torque counted forwards [N m]: what is positive drives; a signal, instead of `motor`.
    drive: Option<SignalOf<Torque>>,
    /// Greatest torque that all brakes of the axle hold together [N m], >= 0; a signal. Every wheel has the same part.
    brake: Option<SignalOf<Torque, NonNegative>>,
    /// Shares of the motor torque, one per wheel in the order of `wheels`, that sum to 1 (default: equal).
    split: Option<Vec<Quantity<Ratio, NonNegative>>>,
}

/// Reads a list of names that is not empty.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Named>, D::Error> {
    let list = Vec::<Named>::deserialize(deserializer)?;
    if list.is_empty() {
        let fault = Fault::new("an axle needs at least one wheel");
        return Err(fault.help("write for example wheels = [\"left\", \"right\"]").raise());
    }
    Ok(list)
}

/// How far the sum of the shares may be from 1.
const SHARES: f64 = 1e-9;

/// Puts the torques of all axles on their wheels. `tables` are the tables that `wheels` were made from.
pub(super) fn apply(
    axles: &[Axle],
    tables: &[Wheel],
    wheels: &mut [WheelData],
    context: &mut Context<'_>,
) -> Result<(), Fault> {
    if axles.is_empty() {
        return Ok(());
    }
    let names = Names::new(tables);
    let mut taken = vec![false; wheels.len()];
    for axle in axles {
        let mut members = Vec::new();
        for name in &axle.wheels {
            let (table, range) = names.find(name)?;
            for i in range {
                if std::mem::replace(&mut taken[i], true) {
                    return Err(Fault::new(format!("the wheel {} is on an axle already", quote(&wheels[i].name)))
                        .help(
                            "name every wheel once: one [[axle]] may have both a torque that drives and a `brake`, and a wheel \
                             may have either of its own",
                        )
                        .at(&name.span));
                }
                members.push(i);
            }
            axle.check_owner(&tables[table])?;
        }
        axle.give(&members, wheels, context)?;
    }
    Ok(())
}

impl Axle {
    /// A torque of the wheel's own beside that of its axle is a mistake.
    fn check_owner(&self, wheel: &Wheel) -> Result<(), Fault> {
        let driven = self.motor.is_some() || self.drive.is_some();
        let motor = wheel.motor_place().filter(|_| driven).map(|place| ("motor", place));
        let brake = wheel.brake.as_ref().filter(|_| self.brake.is_some()).map(|own| ("brake", own.span()));
        match motor.or(brake) {
            Some((what, span)) => Err(Fault::new(format!(
                "the wheel {} has a {what}, and its axle has one, too",
                quote(&wheel.name.text)
            ))
            .help("give the torque in one of the two places")
            .at(&span)),
            None => Ok(()),
        }
    }

    fn give(&self, members: &[usize], wheels: &mut [WheelData], context: &mut Context<'_>) -> Result<(), Fault> {
        let shares = self.shares(members.len(), &self.wheels.first().map_or(0..0, |first| first.span.clone()))?;
        let motor = drive::torque(("motor", self.motor.as_ref()), self.drive.as_ref(), " of an axle", context)?;
        if let Some(motor) = motor {
            for (&i, share) in members.iter().zip(&shares) {
                wheels[i].motor = motor.scaled(*share);
            }
        }
        if let Some(brake) = &self.brake {
            let part = brake.read("the brake torque of an axle", context)?.scaled(1.0 / members.len() as f64);
            members.iter().for_each(|&i| wheels[i].brake = part.clone());
        }
        Ok(())
    }

    /// Each wheel's share of the motor torque.
    fn shares(&self, count: usize, place: &Range<usize>) -> Result<Vec<f64>, Fault> {
        let Some(split) = &self.split else {
            return Ok(vec![1.0 / count as f64; count]);
        };
        let help = "`split` holds one share of the motor torque per wheel, such as [0.6, 0.4]";
        let span = split.first().map_or(place, |first| &first.span);
        if split.len() != count {
            let message = format!("{} shares for {count} wheels", split.len());
            return Err(Fault::new(message).help(help).at(span));
        }
        let sum: f64 = split.iter().map(|share| share.si).sum();
        if (sum - 1.0).abs() > SHARES {
            let message = format!("the shares sum to {}, but they must sum to 1", number((sum * 1e12).round() / 1e12));
            return Err(Fault::new(message).help(help).at(span));
        }
        Ok(split.iter().map(|share| share.si).collect())
    }
}

/// Which wheels a name stands for.
struct Names(HashMap<String, (usize, Range<usize>)>);

impl Names {
    fn new(tables: &[Wheel]) -> Names {
        let mut names = HashMap::new();
        let mut next = 0;
        for (table, wheel) in tables.iter().enumerate() {
            let first = next;
            for name in wheel.names() {
                names.insert(name, (table, next..next + 1));
                next += 1;
            }
            names.entry(wheel.name.text.clone()).or_insert((table, first..next));
        }
        Names(names)
    }

    fn find(&self, name: &Named) -> Result<(usize, Range<usize>), Fault> {
        self.0.get(&name.text).cloned().ok_or_else(|| {
            let mut known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            known.sort_unstable();
            let fault = Fault::new(format!("there is no wheel {}", quote(&name.text)));
            match nearest(&name.text, known.iter().copied()) {
                Some(near) => fault.help(format!("did you mean `{near}`?")),
                None if known.len() <= 12 => fault.help(format!("the wheels are {}", listed(known))),
                None => fault.help("write the name of a [[wheel]]"),
            }
            .at(&name.span)
        })
    }
}
