//! `model = "rolling-contact"`: two elastic bodies pressed together, shifted or rolled over each other.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_rolling::case::{Body, Case, Course, Elements, Pressing};
use stickslip_rolling::hertz::Radii;
use stickslip_rolling::material::Material;
use stickslip_rolling::tangential::{Drive, Motion, Settings, Transport};
use toml::Spanned;

use crate::fault::Fault;
use crate::kind::{Force, Length, LoadPerLength, Pressure, Ratio, Spin};
use crate::model::{Context, Model, Shared, Tables};
use crate::quantity::{Positive, Quantity};
use crate::table::{optional_table, table};

/// Two elastic bodies pressed together, then shifted or rolled over each other; body 1 is the wheel.
///
/// Signs: rolling is towards +x. Creepages are (body 1 - body 2)/V, forces act on body 1 and oppose creepage.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RollingContactTables {
    /// Which model the file describes.
    #[schemars(extend("const" = "rolling-contact"))]
    #[expect(dead_code, reason = "names the model; read before the other keys")]
    model: Tag,
    /// One line that names the scenario in reports (optional).
    title: Option<String>,
    /// What happens and what to look at (optional).
    description: Option<String>,
    /// Body 1, the wheel.
    #[serde(deserialize_with = "table")]
    first: BodyTable,
    /// Body 2, the rail (default: like body 1).
    #[serde(default, deserialize_with = "optional_table")]
    second: Option<BodyTable>,
    /// What presses the bodies together, and their friction.
    #[serde(deserialize_with = "table")]
    contact: ContactTable,
    /// The elements (optional).
    #[serde(default, deserialize_with = "table")]
    grid: GridTable,
    /// What the bodies do.
    #[serde(deserialize_with = "table")]
    motion: MotionTable,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
enum Tag {
    #[serde(rename = "rolling-contact")]
    RollingContact,
}

/// One body.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct BodyTable {
    /// Young's modulus E [Pa], > 0.
    young: Quantity<Pressure, Positive>,
    /// Poisson's ratio nu, greater than -1 and at most 0.5.
    poisson: Quantity<Ratio>,
    /// Radius in the rolling direction [m], negative where hollow (default: straight).
    radius: Option<Quantity<Length>>,
    /// Radius across the rolling direction [m], negative where hollow (default: straight); not for line contact.
    lateral_radius: Option<Quantity<Length>>,
}

/// What presses the bodies together: one of load, approach and load_per_length.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct ContactTable {
    /// Normal load N [N], > 0.
    load: Option<Quantity<Force, Positive>>,
    /// Approach of distant points of the bodies [m], > 0.
    approach: Option<Quantity<Length, Positive>>,
    /// Load per length [N/m], > 0, of parallel cylinders: line contact in plane strain.
    load_per_length: Option<Quantity<LoadPerLength, Positive>>,
    /// Coefficient of friction mu, > 0.
    friction: Quantity<Ratio, Positive>,
}

/// The elements.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct GridTable {
    /// Elements in the rolling direction, 1 to 4096 (default 44; 110 in line contact).
    along: Option<NonZeroU64>,
    /// Elements across, 1 to 4096 (default 44); not for line contact.
    across: Option<NonZeroU64>,
    /// Length of the grid in the rolling direction [m], > 0 (default 1.1 times Hertz's contact).
    length: Option<Quantity<Length, Positive>>,
    /// Width of the grid [m], > 0 (default 1.1 times Hertz's contact); not for line contact.
    width: Option<Quantity<Length, Positive>>,
    /// Order of the transport in steady rolling: "second" (default) or "first", as in CONTACT.
    order: OrderName,
    /// Residual to reach, > 0 (default 1e-8).
    tolerance: Option<Quantity<Ratio, Positive>>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum OrderName {
    First,
    #[default]
    Second,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum KindName {
    Shift,
    Transient,
    Steady,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum StartName {
    #[default]
    Free,
    Shift,
}

/// What the bodies do: along x and y each either a creepage (in a shift: a distance) or a force.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct MotionTable {
    /// "shift": pushed at rest; "transient": rolled step by step; "steady": rolling for ever.
    kind: KindName,
    /// Longitudinal creepage xi (default 0); not for a shift.
    longitudinal: Option<Quantity<Ratio>>,
    /// Lateral creepage eta (default 0); not for a shift.
    lateral: Option<Quantity<Ratio>>,
    /// Distance shifted along x [m] (default 0); only for a shift.
    shift: Option<Quantity<Length>>,
    /// Distance shifted along y [m] (default 0); only for a shift.
    lateral_shift: Option<Quantity<Length>>,
    /// Force on body 1 along x instead of a creepage or distance [N]; in line contact per metre.
    force: Option<Quantity<Force>>,
    /// Force on body 1 along y instead of a creepage or distance [N]; in line contact per metre.
    lateral_force: Option<Quantity<Force>>,
    /// Spin [rad/m] (default 0); not for a shift.
    spin: Option<Quantity<Spin>>,
    /// Steps of one element, 1 to 100000; only for transient rolling, and needed there.
    #[schemars(with = "Option<NonZeroU64>")]
    steps: Option<Spanned<NonZeroU64>>,
    /// How transient rolling starts: "free" of tractions (default), or after a "shift" by the same forces.
    #[schemars(with = "Option<StartName>")]
    start: Option<Spanned<StartName>>,
}

/// More steps than this are taken for a slip of the pen.
const MOST_STEPS: u64 = 100_000;

impl BodyTable {
    fn read(&self) -> Result<Body, Fault> {
        let poisson = self.poisson.si;
        if !(poisson > -1.0 && poisson <= 0.5) {
            return Err(Fault::new(format!(
                "a ratio greater than -1 and at most 0.5 is expected here, found {poisson}"
            ))
            .help("Poisson's ratio is 0.3 of steel, 0.49 of rubber")
            .at(&self.poisson.span));
        }
        let material = Material::from_young(self.young.si, poisson)
            .map_err(|error| Fault::new(error.to_string()).at(&self.young.span))?;
        let radius = |given: &Option<Quantity<Length>>| match given {
            None => Ok(f64::INFINITY),
            Some(radius) if radius.si == 0.0 => Err(Fault::new("a radius other than 0 is expected here")
                .help("leave it out where the body is straight")
                .at(&radius.span)),
            Some(radius) => Ok(radius.si),
        };
        Ok(Body { radii: Radii { x: radius(&self.radius)?, y: radius(&self.lateral_radius)? }, material })
    }
}

impl ContactTable {
    fn pressing(&self) -> Result<Pressing, Fault> {
        let given = [
            self.load.as_ref().map(|q| (Pressing::Load(q.si), &q.span)),
            self.approach.as_ref().map(|q| (Pressing::Approach(q.si), &q.span)),
            self.load_per_length.as_ref().map(|q| (Pressing::LoadPerLength(q.si), &q.span)),
        ];
        let mut given = given.into_iter().flatten();
        let help =
            "give one of load = \"42 kN\", approach = \"0.07 mm\" and load_per_length = \"7.05 MN/m\" in [contact]";
        match (given.next(), given.next()) {
            (Some((pressing, _)), None) => Ok(pressing),
            (None, _) => Err(Fault::new("nothing presses the bodies together").help(help).at(&self.friction.span)),
            (Some(_), Some((_, span))) => Err(Fault::new("the bodies are pressed together twice").help(help).at(span)),
        }
    }
}

impl MotionTable {
    /// Refuses keys that mean nothing for this kind of motion.
    fn refuse<T>(
        &self,
        given: &Option<T>,
        span: impl Fn(&T) -> Range<usize>,
        what: &str,
        help: &str,
    ) -> Result<(), Fault> {
        match given {
            None => Ok(()),
            Some(value) => {
                let kind = match self.kind {
                    KindName::Shift => "a shift",
                    KindName::Transient => "transient rolling",
                    KindName::Steady => "steady rolling",
                };
                Err(Fault::new(format!("{what} is not for {kind}")).help(help).at(&span(value)))
            }
        }
    }

    fn drive<D>(
        &self,
        rigid: &Option<Quantity<D>>,
        force: &Option<Quantity<Force>>,
        what: &str,
    ) -> Result<Drive, Fault> {
        match (rigid, force) {
            (Some(_), Some(force)) => Err(Fault::new(format!("both {what} and its force are given"))
                .help("one follows from the other: leave one of them out")
                .at(&force.span)),
            (_, Some(force)) => Ok(Drive::Force(force.si)),
            (rigid, None) => Ok(Drive::Creepage(rigid.as_ref().map_or(0.0, |q| q.si))),
        }
    }

    fn read(&self) -> Result<Course, Fault> {
        if self.kind == KindName::Shift {
            let distances = "write shift = \"5 µm\", lateral_shift or a force";
            self.refuse(&self.longitudinal, |q| q.span.clone(), "a creepage", distances)?;
            self.refuse(&self.lateral, |q| q.span.clone(), "a creepage", distances)?;
            self.refuse(&self.spin, |q| q.span.clone(), "spin", distances)?;
            self.refuse(&self.steps, Spanned::span, "a number of steps", "leave `steps` out")?;
            self.refuse(&self.start, Spanned::span, "a start", "leave `start` out")?;
            let x = self.drive(&self.shift, &self.force, "a shift")?;
            let y = self.drive(&self.lateral_shift, &self.lateral_force, "a lateral shift")?;
            return Ok(Course::Shift(Motion { x, y, spin: 0.0 }));
        }
        let creepages = "write longitudinal = 0.001, lateral or a force";
        self.refuse(&self.shift, |q| q.span.clone(), "a shift", creepages)?;
        self.refuse(&self.lateral_shift, |q| q.span.clone(), "a shift", creepages)?;
        let x = self.drive(&self.longitudinal, &self.force, "a longitudinal creepage")?;
        let y = self.drive(&self.lateral, &self.lateral_force, "a lateral creepage")?;
        let motion = Motion { x, y, spin: self.spin.as_ref().map_or(0.0, |q| q.si) };
        if self.kind == KindName::Steady {
            self.refuse(&self.steps, Spanned::span, "a number of steps", "leave `steps` out")?;
            self.refuse(&self.start, Spanned::span, "a start", "leave `start` out")?;
            return Ok(Course::Steady(motion));
        }
        let Some(steps) = &self.steps else {
            return Err(Fault::new("missing key `steps` in [motion]")
                .help("transient rolling needs the number of elements to roll over: steps = 56"));
        };
        if steps.get_ref().get() > MOST_STEPS {
            return Err(Fault::new(format!("{} steps: at most {MOST_STEPS} are allowed", steps.get_ref()))
                .help("a contact is steady after two or three contact lengths")
                .at(&steps.span()));
        }
        let shifted = self.start.as_ref().is_some_and(|start| *start.get_ref() == StartName::Shift);
        let forced = matches!((x, y), (Drive::Force(_), _) | (_, Drive::Force(_)));
        if let (true, false, Some(start)) = (shifted, forced, &self.start) {
            return Err(Fault::new("a start by a shift needs a force that shifts the bodies")
                .help("write force = \"-1 kN\", or leave `start` out")
                .at(&start.span()));
        }
        Ok(Course::Transient { motion, steps: steps.get_ref().get() as usize, shifted })
    }
}

impl Tables for RollingContactTables {
    const MODEL: &'static str = "rolling-contact";

    fn shared(&mut self) -> Shared<'_> {
        Shared {
            title: self.title.take(),
            description: self.description.take(),
            run: None,
            output: None,
            contrast: None,
        }
    }

    fn model(&self, _: &mut Context<'_>) -> Result<Model, Fault> {
        let first = self.first.read()?;
        let second = self.second.as_ref().map_or(Ok(first), BodyTable::read)?;
        let defaults = Settings::default();
        let count = |given: Option<NonZeroU64>| given.map(|n| usize::try_from(n.get()).unwrap_or(usize::MAX));
        Ok(Model::RollingContact(Case {
            bodies: [first, second],
            pressing: self.contact.pressing()?,
            friction: self.contact.friction.si,
            elements: Elements {
                along: count(self.grid.along),
                across: count(self.grid.across),
                length: self.grid.length.as_ref().map(|q| q.si),
                width: self.grid.width.as_ref().map(|q| q.si),
            },
            course: self.motion.read()?,
            settings: Settings {
                transport: match self.grid.order {
                    OrderName::First => Transport::First,
                    OrderName::Second => Transport::Second,
                },
                tolerance: self.grid.tolerance.as_ref().map_or(defaults.tolerance, |q| q.si),
                ..defaults
            },
        }))
    }
}
