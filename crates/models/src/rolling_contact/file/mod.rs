//! `model = "rolling-contact"`: two elastic bodies pressed together, shifted or rolled over each other.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod mesh;
mod motion;
mod table;

use std::num::NonZeroU64;
use std::ops::Range;

use std::sync::Arc;

use super::finite_elements::RollingElements;
use super::model::RollingContact;
use super::table::Layout;
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::case::{Body, Case, CaseError, Course, Elements, Pressing};
use stickslip_contact::error::Error;
use stickslip_contact::finite_elements::{self, Structure, case::FiniteElements};
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::tangential::{Settings, Transport};
use stickslip_core::law::Coefficient;
use stickslip_run::Model;
use stickslip_scenario::tables::Spanned;

use self::table::TableTable;
use mesh::{BodiesName, Elsewhere, MeshTable};
use motion::MotionTable;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Context, Fault, Force, Frequency, FrictionOf, Length, LoadPerLength, NonNegative, Positive, Pressure, Quantity,
    Ratio, Speed, Tables, number, optional_table, table,
};

/// Two elastic bodies pressed together, then shifted or rolled over each other; body 1 is the wheel.
///
/// Signs: rolling is towards +x. Creepages are (body 1 - body 2)/V, forces act on body 1 and oppose creepage.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RollingContactTables {
    /// What the bodies are taken for: "half-spaces" (default) or "finite-elements".
    #[serde(default)]
    bodies: BodiesName,
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
    /// The meshes of finite elements (optional; only with them).
    #[serde(default, deserialize_with = "table")]
    mesh: MeshTable,
    /// What the bodies do.
    #[serde(deserialize_with = "table")]
    motion: MotionTable,
    /// The bodies' motion as a whole along x, with inertia (optional; only for transient rolling of finite elements).
    #[serde(default, deserialize_with = "optional_table")]
    structure: Option<StructureTable>,
    /// What `stickslip table` tabulates (optional; a run does not look at it).
    #[serde(default, deserialize_with = "optional_table")]
    table: Option<TableTable>,
}

/// An oscillator whose static compliance is the one that the whole contact has in common, taken out of the bodies.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct StructureTable {
    /// Natural frequency [Hz], > 0; at least twenty steps a period.
    frequency: Quantity<Frequency, Positive>,
    /// Damping over the critical one, >= 0 (default 0).
    damping_ratio: Option<Quantity<Ratio, NonNegative>>,
    /// Rolling speed V [m/s], > 0: it makes times of distances.
    speed: Quantity<Speed, Positive>,
}

impl StructureTable {
    fn read(&self) -> Structure {
        let damping_ratio = self.damping_ratio.as_ref().map_or(0.0, |q| q.si);
        Structure { frequency: self.frequency.si, damping_ratio, speed: self.speed.si, theta: 0.5 }
    }
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
    /// Distance of the bodies before they approach, where they are closest [m], >= 0 (default 0); only with an approach.
    separation: Option<Quantity<Length, NonNegative>>,
    /// Load per length [N/m], > 0, of parallel cylinders: line contact in plane strain.
    load_per_length: Option<Quantity<LoadPerLength, Positive>>,
    /// Coefficient of friction mu, > 0: a number or, in rolling, a law of the slip speed of each element,
    /// { static, kinetic } with alpha or with speed and exponent, or { table } of [slip speed, coefficient].
    friction: FrictionOf,
}

/// The elements.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct GridTable {
    /// Elements in the rolling direction, up to 4096 and at least 8 along the contact (default 44; 110 in line contact).
    #[schemars(with = "Option<NonZeroU64>")]
    along: Option<Spanned<NonZeroU64>>,
    /// Elements across, up to 4096 and at least 8 across the contact (default 44); not for line contact.
    #[schemars(with = "Option<NonZeroU64>")]
    across: Option<Spanned<NonZeroU64>>,
    /// Length of the grid in the rolling direction [m], > 0 (default 1.1 times Hertz's contact).
    length: Option<Quantity<Length, Positive>>,
    /// Width of the grid [m], > 0 (default 1.1 times Hertz's contact); not for line contact.
    width: Option<Quantity<Length, Positive>>,
    /// Order of the transport in rolling: "edge" (default), first order with what a difference across the leading edge
    /// misses, "first", as in CONTACT, or "second". Steps of transient rolling are of first order, with the edge or
    /// without; a shift has no transport.
    order: OrderName,
    /// Residual to reach, > 0 (default 1e-8).
    tolerance: Option<Quantity<Ratio, Positive>>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum OrderName {
    First,
    Second,
    #[default]
    Edge,
}

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
            (Some((pressing, span)), None) => self.separated(pressing, span),
            (None, _) => Err(Fault::new("nothing presses the bodies together").help(help).at(&self.friction.span)),
            (Some(_), Some((_, span))) => Err(Fault::new("the bodies are pressed together twice").help(help).at(span)),
        }
    }

    fn friction(&self) -> Result<Coefficient, Fault> {
        let law = self.friction.read()?;
        if law.sticking() > 0.0 {
            return Ok(law);
        }
        Err(Fault::new("a coefficient of friction greater than 0 is expected here")
            .help("write a plain number such as 0.3, or { static = 0.3, kinetic = 0.2, speed = \"0.5 m/s\" }")
            .at(&self.friction.span))
    }

    /// What presses them once their distance is used up.
    fn separated(&self, pressing: Pressing, span: &Range<usize>) -> Result<Pressing, Fault> {
        let Some(separation) = &self.separation else { return Ok(pressing) };
        let Pressing::Approach(approach) = pressing else {
            return Err(Fault::new("a separation only matters where the approach is given")
                .help("leave `separation` out: a load closes any gap")
                .at(&separation.span));
        };
        if approach <= separation.si {
            let (approach, separation) = (number(approach), number(separation.si));
            return Err(Fault::new(format!(
                "no contact: the approach of {approach} m does not exceed the separation of {separation} m"
            ))
            .help(format!("write an approach greater than {separation} m, or give a load"))
            .at(span));
        }
        Ok(Pressing::Approach(approach - separation.si))
    }
}

impl RollingContactTables {
    /// Refuses what means nothing between infinitely long cylinders.
    fn line_contact(&self) -> Result<(), Fault> {
        let bodies = [Some(&self.first), self.second.as_ref()].into_iter().flatten();
        let across =
            bodies.filter_map(|body| body.lateral_radius.as_ref()).map(|q| (q.span.clone(), "a lateral radius"));
        let count = self.grid.across.as_ref().map(|n| (n.span(), "a number of elements across"));
        let width = self.grid.width.as_ref().map(|q| (q.span.clone(), "a width"));
        match across.chain(count).chain(width).next() {
            None => self.motion.line_contact(),
            Some((span, what)) => Err(Fault::new(format!("{what} is not for line contact"))
                .help("leave it out, or press the bodies together by `load` instead of `load_per_length`")
                .at(&span)),
        }
    }
}

impl RollingContactTables {
    /// The same contact, made of finite elements.
    fn finite_elements(&self, case: Case, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let grid = &self.grid;
        let counts = [&grid.along, &grid.across].into_iter().flatten().map(Spanned::span);
        let sizes = [&grid.length, &grid.width].into_iter().flatten().map(|q| q.span.clone());
        if let Some(span) = counts.chain(sizes).next() {
            return Err(Fault::new("a grid is not for finite elements: they have nodes")
                .help("write [mesh] across = 21 instead; only `order` and `tolerance` stay in [grid]")
                .at(&span));
        }
        let transport = match grid.order {
            OrderName::First => finite_elements::Transport::First,
            OrderName::Second => finite_elements::Transport::Second,
            OrderName::Edge => finite_elements::Transport::Edge,
        };
        let mut meshing = self.mesh.read(transport, &case.bodies, context)?;
        (meshing.stride, meshing.reach) = self.motion.steps_of_elements(self.structure.is_some())?;
        if let Some(structure) = &self.structure {
            if !matches!(case.course, Course::Transient { .. }) {
                return Err(Fault::new("a structure is only for transient rolling")
                    .help("write kind = \"transient\" in [motion], or leave [structure] out: steady rolling stands still in it")
                    .at(&structure.frequency.span));
            }
            meshing.structure = Some(structure.read());
        }
        let contact = FiniteElements { case, meshing };
        let friction = &self.contact.friction.span;
        let elsewhere = Elsewhere {
            radius: self.first.radius.as_ref().map_or(friction, |q| &q.span),
            poisson: &self.first.poisson.span,
            friction,
            kind: self.motion.kind_span(),
            force: self.motion.force_span(),
            structure: self.structure.as_ref().map(|s| s.frequency.span.clone()),
        };
        self.mesh.check(&contact, &elsewhere)?;
        Ok(Arc::new(RollingElements(contact)))
    }

    /// A case that cannot be solved, where it is written and with what to write instead.
    fn located(&self, error: CaseError) -> Fault {
        let fault = Fault::new(error.to_string());
        let grid = &self.grid;
        let along = grid.along.as_ref().map(Spanned::span).or(grid.length.as_ref().map(|q| q.span.clone()));
        let across = grid.across.as_ref().map(Spanned::span).or(grid.width.as_ref().map(|q| q.span.clone()));
        let elsewhere = self.first.radius.as_ref().map_or(&self.contact.friction.span, |q| &q.span);
        match error {
            CaseError::Contact(Error::Coarse { direction, wanted, .. }) => {
                let (count, size, span) =
                    if direction == "along" { ("along", "length", along) } else { ("across", "width", across) };
                // A grid that is far too large is the likelier slip of the pen.
                let help = if wanted <= 512.0 {
                    format!("write {count} = {wanted} or more, or leave `{size}` out: the grid then fits the contact")
                } else {
                    format!("leave `{size}` out: the grid then fits the contact")
                };
                fault.help(help).at(&span.unwrap_or_else(|| elsewhere.clone()))
            }
            CaseError::Contact(Error::GridSize { .. } | Error::TooMany { .. }) => fault
                .help("write for example along = 88 and across = 88: errors are below 0.2 % of μN there")
                .at(&along.or(across).unwrap_or_else(|| elsewhere.clone())),
            CaseError::Contact(Error::Force { .. }) => fault
                .help("write a smaller force, or a creepage (in a shift: a distance) instead")
                .at(&self.motion.force_span().unwrap_or_else(|| elsewhere.clone())),
            _ => fault.help("look at radii, loads and elastic constants").at(elsewhere),
        }
    }
}

impl Tables for RollingContactTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "rolling-contact";
    const IN_TIME: bool = false;
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let pressing = self.contact.pressing()?;
        let line = matches!(pressing, Pressing::LoadPerLength(_));
        if line {
            self.line_contact()?;
        }
        let friction = self.contact.friction()?;
        let speed = self.motion.speed(!matches!(friction, Coefficient::Constant(_)), &self.contact.friction.span)?;
        let first = self.first.read()?;
        let second = self.second.as_ref().map_or(Ok(first), BodyTable::read)?;
        let defaults = Settings::default();
        let count = |given: Option<NonZeroU64>| given.map(|n| usize::try_from(n.get()).unwrap_or(usize::MAX));
        let case = Case {
            bodies: [first, second],
            pressing,
            friction,
            speed,
            elements: Elements {
                along: count(self.grid.along.as_ref().map(|n| *n.get_ref())),
                across: count(self.grid.across.as_ref().map(|n| *n.get_ref())),
                length: self.grid.length.as_ref().map(|q| q.si),
                width: self.grid.width.as_ref().map(|q| q.si),
            },
            course: self.motion.read(line)?,
            settings: Settings {
                transport: match self.grid.order {
                    OrderName::First => Transport::First,
                    OrderName::Second => Transport::Second,
                    OrderName::Edge => Transport::Edge,
                },
                tolerance: self.grid.tolerance.as_ref().map_or(defaults.tolerance, |q| q.si),
                ..defaults
            },
        };
        if self.bodies == BodiesName::FiniteElements {
            if let Some(table) = &self.table {
                return Err(Fault::new(
                    "tables of creep forces are of half-spaces, and these bodies are finite elements",
                )
                .help("leave [table] out, or `bodies` and [mesh]")
                .at(&table.span().unwrap_or_else(|| self.contact.friction.span.clone())));
            }
            return self.finite_elements(case, context);
        }
        if let Some(span) = self.mesh.span() {
            return Err(Fault::new("a mesh is only for finite elements")
                .help("write bodies = \"finite-elements\" at the top of the file, or leave [mesh] out")
                .at(&span));
        }
        let structure = self.structure.as_ref().map(|s| ("structure", s.frequency.span.clone()));
        if let Some((key, span)) = self.motion.only_finite_elements().or(structure) {
            return Err(Fault::new(format!("`{key}` is only for finite elements"))
                .help("write bodies = \"finite-elements\" at the top of the file, or leave it out: half-spaces have no hub, and steps of one element")
                .at(&span));
        }
        case.check().map_err(|error| self.located(error))?;
        let layout = self.table.as_ref().map_or_else(|| Ok(Layout::default()), |table| table.read(&case))?;
        Ok(Arc::new(RollingContact(case, layout)))
    }
}
