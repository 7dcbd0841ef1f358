//! The tables of an assembly's parts.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use crate::assembly::{
    Body, Buffer, Characteristic, Damper, Element, Face, Force as CoreForce, Freedom, Motion, Pad, Spring, Stop,
    Support,
};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::law::Curve;
use stickslip_core::signal::Signal;
use stickslip_scenario::tables::Spanned;

use super::link::{Names, linked};
use stickslip_scenario::tables::{
    Angle, AngularSpeed, AnyRatio, Context, Damping, Fault, Force, Fraction, FrictionOf, Inertia, Length, Mass, Named,
    NonNegative, Positive, Quantity, Ratio, SignalOf, Speed, Stiffness, Torque, curve, quote,
};

/// Points of a table: two numbers each, in SI units.
type Points = Spanned<Vec<[Quantity<AnyRatio>; 2]>>;

/// One body.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::assembly) struct BodyTable {
    /// Name in reports and columns; every body and support has its own.
    pub name: Named,
    /// Mass [kg], > 0.
    pub mass: Quantity<Mass, Positive>,
    /// Yaw inertia [kg m^2], > 0; needed if the body turns.
    pub inertia: Option<Quantity<Inertia, Positive>>,
    /// How it moves: "x", "xy" or "xy-yaw" (default: "xy-yaw" if an inertia is given, else "x").
    moves: Option<Moves>,
    /// x at t = 0 [m] (default 0).
    #[serde(default)]
    pub x: Quantity<Length>,
    /// y at t = 0 [m] (default 0).
    #[serde(default)]
    pub y: Quantity<Length>,
    /// Yaw at t = 0 [rad] (default 0).
    #[serde(default)]
    pub yaw: Quantity<Angle>,
    /// Speed along x at t = 0 [m/s] (default 0).
    #[serde(default)]
    pub speed: Quantity<Speed>,
    /// Speed along y at t = 0 [m/s] (default 0).
    #[serde(default)]
    pub speed_y: Quantity<Speed>,
    /// Yaw rate at t = 0 [rad/s] (default 0).
    #[serde(default)]
    pub yaw_rate: Quantity<AngularSpeed>,
}

/// How a body moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Moves {
    X,
    Xy,
    XyYaw,
}

impl BodyTable {
    pub(super) fn read(&self) -> Result<Body, Fault> {
        let moves = self.moves.unwrap_or(if self.inertia.is_some() { Moves::XyYaw } else { Moves::X });
        let freedom = match (moves, &self.inertia) {
            (Moves::XyYaw, Some(inertia)) => Freedom::Plane { inertia: inertia.si },
            (Moves::XyYaw, None) => {
                return Err(Fault::new(format!("the body {} turns but has no inertia", quote(&self.name.text)))
                    .help("add inertia = \"… kg m^2\", or write moves = \"xy\"")
                    .at(&self.name.span));
            }
            (_, Some(inertia)) => {
                return Err(Fault::new("this body does not turn: its inertia would not be used")
                    .help("leave `inertia` out, or write moves = \"xy-yaw\"")
                    .at(&inertia.span));
            }
            (Moves::X, None) => Freedom::Line,
            (Moves::Xy, None) => Freedom::Point,
        };
        let unable = [
            (1, &self.y.span, self.y.si),
            (2, &self.yaw.span, self.yaw.si),
            (1, &self.speed_y.span, self.speed_y.si),
            (2, &self.yaw_rate.span, self.yaw_rate.si),
        ];
        if let Some((_, span, _)) = unable.iter().find(|(k, _, value)| *k >= freedom.dim() && *value != 0.0) {
            return Err(Fault::new(format!("the body {} cannot move that way", quote(&self.name.text)))
                .help("leave this out, or say moves = \"xy\" or \"xy-yaw\"")
                .at(span));
        }
        Ok(Body {
            name: self.name.text.clone(),
            mass: self.mass.si,
            freedom,
            position: [self.x.si, self.y.si, self.yaw.si],
            velocity: [self.speed.si, self.speed_y.si, self.yaw_rate.si],
        })
    }
}

/// Something whose motion is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::assembly) struct SupportTable {
    /// Name; every body and support has its own.
    pub name: Named,
    /// Speed along x [m/s]; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Speed>")]
    pub speed: Option<SignalOf<Speed>>,
    /// Position along x [m], instead of the speed; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Length>")]
    pub position: Option<SignalOf<Length>>,
    /// Speed along y [m/s]; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Speed>")]
    speed_y: Option<SignalOf<Speed>>,
    /// Position along y [m], instead of the speed; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Length>")]
    position_y: Option<SignalOf<Length>>,
}

impl SupportTable {
    pub(super) fn read(&self, context: &mut Context<'_>) -> Result<Support, Fault> {
        let name = &self.name.text;
        let mut motion = |speed: &Option<SignalOf<Speed>>, position: &Option<SignalOf<Length>>| {
            Ok(match (speed, position) {
                (Some(_), Some(position)) => {
                    return Err(Fault::new(format!(
                        "the motion of {} is prescribed twice, by speed and position",
                        quote(name)
                    ))
                    .help("leave one of them out")
                    .at(&position.span()));
                }
                (Some(speed), None) => Motion::Speed(speed.read(&format!("the speed of {}", quote(name)), context)?),
                (None, Some(position)) => {
                    Motion::Position(position.read(&format!("the position of {}", quote(name)), context)?)
                }
                (None, None) => Motion::Still,
            })
        };
        Ok(Support {
            name: name.clone(),
            motion: [motion(&self.speed, &self.position)?, motion(&self.speed_y, &self.position_y)?],
        })
    }
}

linked! {
    /// One spring: the force on `of` is -(stiffness times displacement + preload).
    SpringTable {
        /// Name, for pads that it presses (default: spring and its number).
        name: Option<Named>,
        /// Stiffness [N/m], >= 0; taken at the end of the step, so any stiffness is stable.
        pub stiffness: Option<Quantity<Stiffness, NonNegative>>,
        /// Points [displacement in m, force in N] instead, extended straight; taken at the beginning of the step.
        #[schemars(with = "Option<Vec<[f64; 2]>>")]
        table: Option<Points>,
        /// Force at zero displacement [N] (default 0).
        #[serde(default)]
        pub preload: Quantity<Force>,
    }
}

impl SpringTable {
    pub(super) fn read(&self, i: usize, names: &Names<'_>) -> Result<Vec<Spring>, Fault> {
        let link = self.ends().read(names)?;
        let name = self.name.as_ref().map_or_else(|| format!("spring {}", i + 1), |n| n.text.clone());
        let characteristic = characteristic(self.stiffness.as_ref().map(|k| (k.si, &k.span)), &self.table, "stiffness")
            .map_err(|f| f.at(&self.of.span()))?;
        let spring = |(along, end): ([f64; 2], &str)| Spring {
            name: format!("{name}{end}"),
            link,
            along,
            characteristic: characteristic.clone(),
            preload: self.preload.si,
        };
        Ok(self.ends().axes()?.into_iter().map(spring).collect())
    }
}

linked! {
    /// One damper: the force on `of` is -(damping times speed).
    DamperTable {
        /// Name (default: damper and its number).
        name: Option<Named>,
        /// Damping [N s/m], >= 0; taken at the end of the step.
        pub damping: Option<Quantity<Damping, NonNegative>>,
        /// Points [speed in m/s, force in N] instead, extended straight; taken at the beginning of the step.
        #[schemars(with = "Option<Vec<[f64; 2]>>")]
        table: Option<Points>,
    }
}

impl DamperTable {
    pub(super) fn read(&self, i: usize, names: &Names<'_>) -> Result<Vec<Damper>, Fault> {
        let link = self.ends().read(names)?;
        let name = self.name.as_ref().map_or_else(|| format!("damper {}", i + 1), |n| n.text.clone());
        let characteristic = characteristic(self.damping.as_ref().map(|c| (c.si, &c.span)), &self.table, "damping")
            .map_err(|f| f.at(&self.of.span()))?;
        let damper = |(along, end): ([f64; 2], &str)| Damper {
            name: format!("{name}{end}"),
            link,
            along,
            characteristic: characteristic.clone(),
        };
        Ok(self.ends().axes()?.into_iter().map(damper).collect())
    }
}

fn characteristic(
    linear: Option<(f64, &std::ops::Range<usize>)>,
    table: &Option<Points>,
    key: &str,
) -> Result<Characteristic, Fault> {
    match (linear, table) {
        (Some((value, _)), None) => Ok(Characteristic::Linear(value)),
        (None, Some(points)) => curve(points, Curve::extended).map(Characteristic::Table),
        (Some(_), Some(points)) => Err(Fault::new(format!("it cannot have both `{key}` and `table`"))
            .help("leave one of them out")
            .at(&points.span())),
        (None, None) => Err(Fault::new(format!("missing key `{key}`")).help(format!("give `{key}` or `table`"))),
    }
}

linked! {
    /// One stop: nothing within the clearance either way, beyond it a spring or a wall.
    StopTable {
        /// Name in reports and columns.
        pub name: Named,
        /// Clearance either way [m], >= 0.
        pub clearance: Quantity<Length, NonNegative>,
        /// Stiffness beyond it [N/m], > 0; taken at the beginning of the step.
        pub stiffness: Option<Quantity<Stiffness, Positive>>,
        /// Restitution of a wall instead, from 0 (no rebound) to 1.
        pub restitution: Option<Quantity<Ratio, Fraction>>,
    }
}

impl StopTable {
    pub(super) fn read(&self, names: &Names<'_>) -> Result<Vec<Stop>, Fault> {
        let link = self.ends().read(names)?;
        let buffer = match (&self.stiffness, &self.restitution) {
            (Some(k), None) => Buffer::Spring(k.si),
            (None, Some(e)) => Buffer::Wall(e.si),
            (Some(_), Some(e)) => {
                return Err(Fault::new("a stop is a spring or a wall, not both")
                    .help("leave `stiffness` or `restitution` out")
                    .at(&e.span));
            }
            (None, None) => {
                return Err(Fault::new(format!(
                    "the stop {} has nothing beyond its clearance",
                    quote(&self.name.text)
                ))
                .help("give `stiffness`, or `restitution` for a wall")
                .at(&self.name.span));
            }
        };
        let stop = |(along, end): ([f64; 2], &str)| Stop {
            name: format!("{}{end}", self.name.text),
            link,
            along,
            clearance: self.clearance.si,
            buffer,
        };
        Ok(self.ends().axes()?.into_iter().map(stop).collect())
    }
}

linked! {
    /// One friction pad.
    PadTable {
        /// Name in reports and columns; every pad has its own.
        pub name: Named,
        /// Normal load N(t) [N], >= 0; a signal.
        #[serde(default)]
        pub load: SignalOf<Force, NonNegative>,
        /// Name of a spring whose compression adds to the load.
        #[schemars(with = "Option<String>")]
        pressed_by: Option<Spanned<String>>,
        /// Coefficient of friction: a number, { static, kinetic }, the same with `alpha` (sech) or with `speed` and
        /// `exponent` (Stribeck), or { table = [[slip speed, coefficient], ...] }.
        friction: FrictionOf,
        /// Factor of the coefficient over time, >= 0; a signal (default 1).
        #[serde(default)]
        #[schemars(with = "SignalOf<Ratio, NonNegative>")]
        pub friction_over_time: Option<SignalOf<Ratio, NonNegative>>,
        /// Points [slipped distance in m, factor of the coefficient], held outside (default none).
        #[schemars(with = "Option<Vec<[f64; 2]>>")]
        friction_over_place: Option<Points>,
        /// Viscous part [N s/m], >= 0, beside the dry friction (default 0).
        #[serde(default)]
        pub viscous: Quantity<Damping, NonNegative>,
        /// How friction is modelled: exactly (default), or by an element with springs.
        #[serde(default)]
        #[schemars(with = "ElementTable")]
        element: Option<ElementTable>,
    }
}

/// Friction elements of other programs, to compare with.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum ElementTable {
    Vampire(VampireTable),
    Kolsch(KolschTable),
}

/// Spring and damper with saturation.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::assembly) struct VampireTable {
    /// Stiffness [N/m], > 0.
    pub stiffness: Quantity<Stiffness, Positive>,
    /// Damping [N s/m], >= 0 (default 0).
    #[serde(default)]
    pub damping: Quantity<Damping, NonNegative>,
}

/// F' = stiffness s (1 - (1 + sgn(s F))/2 |F/bound|^exponent), plus parallel times displacement.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::assembly) struct KolschTable {
    /// Stiffness [N/m], > 0.
    pub stiffness: Quantity<Stiffness, Positive>,
    /// Parallel stiffness [N/m], >= 0 (default 0).
    #[serde(default)]
    pub parallel: Quantity<Stiffness, NonNegative>,
    /// Exponent, > 0.
    pub exponent: Quantity<Ratio, Positive>,
}

impl PadTable {
    pub(super) fn read(&self, names: &Names<'_>, springs: &[Spring], context: &mut Context<'_>) -> Result<Pad, Fault> {
        let name = &self.name.text;
        let axes = self.ends().axes()?;
        let pressed_by = match &self.pressed_by {
            None => None,
            Some(spring) => {
                let fault = |message: &str| Fault::new(format!("{message} {}", quote(spring.get_ref())));
                let mut found = (0..springs.len()).filter(|&i| springs[i].name == *spring.get_ref());
                let only = match (found.next(), found.next()) {
                    (Some(i), None) => Ok(i),
                    (None, _) => {
                        Err(fault("there is no spring named").help("give the spring a `name` and write it here"))
                    }
                    _ => Err(fault("there are two springs named").help("give every spring a name of its own")),
                };
                Some(only.map_err(|fault| fault.at(&spring.span()))?)
            }
        };
        let over_place = match &self.friction_over_place {
            None => None,
            Some(points) => {
                if let Some(bad) = points.get_ref().iter().find(|[_, factor]| factor.si < 0.0) {
                    return Err(Fault::new("a factor of friction must not be negative")
                        .help("give values of at least 0")
                        .at(&bad[1].span));
                }
                Some(curve(points, Curve::held)?)
            }
        };
        let over_time = match &self.friction_over_time {
            None => Signal::Constant(1.0),
            Some(factor) => factor.read(&format!("the friction factor of the pad {}", quote(name)), context)?,
        };
        let element = match &self.element {
            None => Element::Exact,
            Some(ElementTable::Vampire(own)) => {
                Element::Vampire { stiffness: own.stiffness.si, damping: own.damping.si }
            }
            Some(ElementTable::Kolsch(own)) => {
                Element::Kolsch { stiffness: own.stiffness.si, parallel: own.parallel.si, exponent: own.exponent.si }
            }
        };
        Ok(Pad {
            name: name.clone(),
            link: self.ends().read(names)?,
            face: if axes.len() == 2 { Face::Disk } else { Face::Along(axes[0].0) },
            load: self.load.read(&format!("the load of the pad {}", quote(name)), context)?,
            pressed_by,
            coefficient: self.friction.read()?,
            over_time,
            over_place,
            viscous: self.viscous.si,
            element,
        })
    }
}

/// Forces on one body.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct ForceTable {
    /// Name of the body.
    #[schemars(with = "String")]
    pub on: Spanned<String>,
    /// Force along x [N]; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Force>")]
    x: Option<SignalOf<Force>>,
    /// Force along y [N]; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Force>")]
    y: Option<SignalOf<Force>>,
    /// Yaw moment [N m]; a signal.
    #[serde(default)]
    #[schemars(with = "SignalOf<Torque>")]
    yaw: Option<SignalOf<Torque>>,
}

impl ForceTable {
    pub(super) fn read(&self, names: &Names<'_>, context: &mut Context<'_>) -> Result<Vec<CoreForce>, Fault> {
        let body = names.body(&self.on)?;
        let on = quote(self.on.get_ref());
        let mut forces = Vec::new();
        if let Some(x) = &self.x {
            forces.push((0, x.read(&format!("the force on {on} along x"), context)?));
        }
        if let Some(y) = &self.y {
            forces.push((1, y.read(&format!("the force on {on} along y"), context)?));
        }
        if let Some(yaw) = &self.yaw {
            forces.push((2, yaw.read(&format!("the yaw moment on {on}"), context)?));
        }
        if forces.is_empty() {
            return Err(Fault::new(format!("this force on {on} has no direction"))
                .help("give `x`, `y` or `yaw`")
                .at(&self.on.span()));
        }
        Ok(forces.into_iter().map(|(component, signal)| CoreForce { body, component, signal }).collect())
    }
}
