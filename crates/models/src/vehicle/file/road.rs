//! `[road]`: friction, slope by time or by place, patches.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::ops::Range;

use crate::vehicle::road::{self, Patch, Profile};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::law::Coefficient;
use stickslip_core::signal::{Points, PointsError, Signal};
use stickslip_scenario::tables::{
    Acceleration, Angle, Context, Fault, FrictionOf, Length, NonNegative, Point, Quantity, Ratio, SignalOf, Slope,
    number, tables,
};

/// The road.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::vehicle) struct Road {
    /// Friction coefficient mu(t) under all wheels that have none of their own, >= 0; a signal.
    friction: SignalOf<Ratio, NonNegative>,
    /// Factor of the friction over the slip speed, on patches, too: a number or a law such as { static = 1, kinetic = 0.7 }
    /// (default 1).
    over_slip: Option<FrictionOf>,
    /// Angle theta(t) of the road [rad], positive uphill, between -90 and 90 degrees; a signal (default 0).
    pub slope: Option<SignalOf<Angle, Slope>>,
    /// The same by place instead: points [x, theta] with straight lines between them, such as [["0 m", 0],
    /// ["50 m", "3 deg"]]; two points at one place make a jump.
    profile: Option<Vec<Point<Length, Angle>>>,
    /// Coefficient of rolling resistance, >= 0: a dry friction of this share of the load (default 0).
    #[serde(default)]
    pub rolling: Quantity<Ratio, NonNegative>,
    /// Gravity g [m/s^2], >= 0 (default 9.81).
    #[serde(default = "earth")]
    pub gravity: Quantity<Acceleration, NonNegative>,
    /// Patches of another friction, one [[road.patch]] each.
    #[serde(default, deserialize_with = "tables")]
    patch: Vec<PatchTable>,
}

fn earth() -> Quantity<Acceleration, NonNegative> {
    Quantity::new(crate::GRAVITY)
}

/// A part of the road with a friction of its own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::vehicle) struct PatchTable {
    /// Place x where it begins [m].
    pub from: Quantity<Length>,
    /// Place x where it ends [m], beyond `from`.
    to: Quantity<Length>,
    /// Which wheels meet it: those on the "left", on the "right", or on "both" sides (default).
    #[serde(default)]
    side: Side,
    /// Friction coefficient mu(t) on it, >= 0, instead of that of the wheels; a signal.
    pub friction: SignalOf<Ratio, NonNegative>,
}

/// A side of the road, or of the vehicle.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum Side {
    Left,
    Right,
    #[default]
    Both,
}

impl Side {
    pub fn read(self) -> road::Side {
        match self {
            Side::Left => road::Side::Left,
            Side::Right => road::Side::Right,
            Side::Both => road::Side::Both,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Side::Left => "on the left",
            Side::Right => "on the right",
            Side::Both => "on both sides",
        }
    }
}

/// More patches than this are taken for a slip of the pen.
const MOST_PATCHES: usize = 1000;

impl Road {
    /// The friction of wheels that have none of their own.
    pub fn friction(&self, context: &mut Context<'_>) -> Result<Signal, Fault> {
        self.friction.read("the friction coefficient", context)
    }

    /// How the friction of wheels that say nothing about it changes with slip.
    pub fn over_slip(&self) -> Result<Option<Coefficient>, Fault> {
        self.over_slip.as_ref().map(FrictionOf::read).transpose()
    }

    /// The slope by time: zero where there is a profile.
    pub fn slope(&self, context: &mut Context<'_>) -> Result<Signal, Fault> {
        match (&self.slope, &self.profile) {
            (Some(slope), Some(_)) => Err(Fault::new("the slope is given by time, and by place in `profile`, too")
                .help("leave one of `slope` and `profile` out")
                .at(&slope.span())),
            (Some(slope), None) => slope.read("the slope", context),
            (None, _) => Ok(Signal::ZERO),
        }
    }

    /// What depends on the place.
    pub fn by_place(&self, context: &mut Context<'_>) -> Result<road::Road, Fault> {
        self.check_patches()?;
        let patch = |patch: &PatchTable| {
            Ok(Patch {
                from: patch.from.si,
                to: patch.to.si,
                side: patch.side.read(),
                friction: patch.friction.read("the friction coefficient of a patch", context)?,
            })
        };
        Ok(road::Road {
            patches: self.patch.iter().map(patch).collect::<Result<_, Fault>>()?,
            profile: self.profile.as_deref().map(profile).transpose()?,
            rolling: self.rolling.si,
        })
    }

    fn check_patches(&self) -> Result<(), Fault> {
        if let Some(extra) = self.patch.get(MOST_PATCHES) {
            return Err(Fault::new(format!("there are more than {MOST_PATCHES} patches"))
                .help("join patches that touch, or let the friction change with time")
                .at(&extra.from.span));
        }
        for (i, patch) in self.patch.iter().enumerate() {
            let (from, to) = (patch.from.si, patch.to.si);
            if to <= from {
                let message = format!("the patch ends at x = {} m, where it has not begun", number(to));
                return Err(Fault::new(message).help("write `to` beyond `from`").at(&patch.to.span));
            }
            let meets = |p: &&PatchTable| p.from.si < to && from < p.to.si && p.side.read().meets(patch.side.read());
            if let Some(other) = self.patch[..i].iter().find(meets) {
                let (least, most) = (number(from.max(other.from.si)), number(to.min(other.to.si)));
                return Err(Fault::new(format!("this patch overlaps another one from x = {least} m to {most} m"))
                    .help(format!(
                        "the other one covers x = {} m to {} m {}; at any place a side can have one patch",
                        number(other.from.si),
                        number(other.to.si),
                        other.side.words()
                    ))
                    .at(&patch.from.span));
            }
        }
        Ok(())
    }
}

fn profile(points: &[Point<Length, Angle>]) -> Result<Profile, Fault> {
    let upright = |p: &&Point<Length, Angle>| p.value.si.abs() >= std::f64::consts::FRAC_PI_2;
    if let Some(bad) = points.iter().find(upright) {
        return Err(Fault::new(format!("a slope of {} rad stands upright", number(bad.value.si)))
            .help("write an angle between -90 and 90 deg")
            .at(&bad.value.span));
    }
    let (places, angles) = points.iter().map(|p| (p.at.si, p.value.si)).unzip();
    Points::new(places, angles).map(Profile::new).map_err(|error| {
        let blamed: Option<Range<usize>> = error.index().map(|i| points[i].at.span.clone());
        let fault = Fault::new(match error {
            PointsError::Empty => "a profile needs at least one point".to_string(),
            PointsError::Unsorted { time, previous, .. } => {
                format!("x = {} m comes after x = {} m, but places must not fall", number(time), number(previous))
            }
            PointsError::Crowded { time, .. } => format!("more than two points at x = {} m", number(time)),
            other => other.to_string(),
        })
        .help("order points by place, as in [[0, 0], [\"50 m\", \"3 deg\"]]; two points at one place make a jump");
        match blamed {
            Some(span) => fault.at(&span),
            None => fault,
        }
    })
}
