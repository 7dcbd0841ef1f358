//! The meshes of bodies made of finite elements.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::case::Body;
use stickslip_contact::finite_elements::case::{FeError, FiniteElements, Meshing};
use stickslip_contact::finite_elements::{Reach, Transport, Way};
use stickslip_elastic::mesh::{Body as MeshBody, Elements, Gmsh};
use stickslip_scenario::tables::Spanned;
use stickslip_scenario::tables::{Context, Fault, Length, Positive, Quantity, Ratio};

/// What the bodies are taken for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub(super) enum BodiesName {
    /// Half-spaces.
    #[default]
    HalfSpaces,
    /// Finite elements.
    FiniteElements,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum ElementsName {
    #[default]
    Bricks,
    Simplices,
    Layer,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum SolverName {
    #[default]
    Both,
    Splitting,
    Newton,
    FixedPoint,
}

/// Step of the fixed point over one over the norm of the operator.
const FIXED_STEP: f64 = 0.3;

/// The meshes of finite elements; only with bodies = "finite-elements".
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct MeshTable {
    /// Elements across Hertz's contact, 7 to 1001 (default 41 in line contact, else 21).
    #[schemars(with = "Option<NonZeroU64>")]
    across: Option<Spanned<NonZeroU64>>,
    /// What fills the bodies: "bricks" (default; quadrilaterals, hexahedra), "simplices" (triangles, tetrahedra), or "layer": bricks where they touch and
    /// simplices behind.
    elements: ElementsName,
    /// Growth of the elements outside the fine zone, greater than 1 (default 1.3 in line contact, else as few elements as the default mesh has).
    growth: Option<Quantity<Ratio, Positive>>,
    /// Radius of the clamped hub over that of the wheel, between 0 and 1 (default 0.3 in line contact, else 0.5).
    hub: Option<Quantity<Ratio, Positive>>,
    /// Width of the bodies [m], > 0 (default 100 mm); not for line contact.
    width: Option<Quantity<Length, Positive>>,
    /// Depth of a body without a radius, a block [m], > 0 (default 50 half-lengths of the contact).
    depth: Option<Quantity<Length, Positive>>,
    /// Length of a block [m], > 0 (default 100 half-lengths of the contact).
    length: Option<Quantity<Length, Positive>>,
    /// Gmsh mesh of body 1, a text file .msh of format 2.2 or 4.1 (default: made from its radius); x is the rolling direction, z (of plane meshes: y) up, and the body stands on the origin.
    #[schemars(with = "Option<String>")]
    first: Option<Spanned<String>>,
    /// The same of body 2, which hangs below the origin.
    #[schemars(with = "Option<String>")]
    second: Option<Spanned<String>>,
    /// Length of one unit of these files [m], > 0 (default 1 m): "1 mm" if they are in millimetres.
    unit: Option<Quantity<Length, Positive>>,
    /// Name of the physical group that fills a body (default "body").
    body_group: Option<String>,
    /// Name of the physical group whose nodes may touch (default "contact").
    contact_group: Option<String>,
    /// Name of the physical group whose nodes are clamped (default "clamped").
    clamped_group: Option<String>,
    /// How the tractions are solved for: "both" (default: splitting, then Newton), "splitting", "newton" or "fixed-point".
    solver: SolverName,
}

/// Where things are written that [mesh] is not to blame for.
pub(super) struct Elsewhere<'a> {
    /// The radius of body 1, or what else there is.
    pub radius: &'a Range<usize>,
    /// Poisson's ratio of body 1.
    pub poisson: &'a Range<usize>,
    /// The coefficient of friction.
    pub friction: &'a Range<usize>,
    /// The kind of motion.
    pub kind: Range<usize>,
    /// A force.
    pub force: Option<Range<usize>>,
    /// The frequency of the structure.
    pub structure: Option<Range<usize>>,
}

impl MeshTable {
    /// Where its first key is written, if it has any.
    pub(super) fn span(&self) -> Option<Range<usize>> {
        let files = [&self.first, &self.second].into_iter().flatten().map(Spanned::span);
        let lengths =
            [&self.width, &self.depth, &self.length, &self.unit].into_iter().flatten().map(|q| q.span.clone());
        let ratios = [&self.growth, &self.hub].into_iter().flatten().map(|q| q.span.clone());
        self.across.as_ref().map(Spanned::span).into_iter().chain(files).chain(lengths).chain(ratios).next()
    }

    /// A mesh that is brought in.
    fn gmsh(&self, file: &Spanned<String>, body: &Body, context: &mut Context<'_>) -> Result<MeshBody, Fault> {
        let bytes = context.file(file)?;
        let named = |given: &Option<String>, other: &'static str| given.clone().unwrap_or_else(|| other.into());
        let (body_group, contact, clamped) = (
            named(&self.body_group, "body"),
            named(&self.contact_group, "contact"),
            named(&self.clamped_group, "clamped"),
        );
        let gmsh = Gmsh {
            body: &body_group,
            contact: &contact,
            clamped: &clamped,
            scale: self.unit.as_ref().map_or(1.0, |q| q.si),
            young: 2.0 * body.material.shear_modulus() * (1.0 + body.material.poisson()),
            poisson: body.material.poisson(),
        };
        gmsh.body(&bytes).map_err(|error| {
            Fault::new(format!("{}: {error}", file.get_ref()))
                .help("name its groups in [mesh]: body_group, contact_group, clamped_group")
                .at(&file.span())
        })
    }

    /// What the table says, with the meshes it names.
    pub(super) fn read(
        &self,
        transport: Transport,
        bodies: &[Body; 2],
        context: &mut Context<'_>,
    ) -> Result<Meshing, Fault> {
        let mut meshing = self.plain(transport);
        for (k, file) in [&self.first, &self.second].into_iter().enumerate() {
            if let Some(file) = file {
                meshing.given[k] = Some(self.gmsh(file, &bodies[k], context)?);
            }
        }
        Ok(meshing)
    }

    fn plain(&self, transport: Transport) -> Meshing {
        let count = |given: &Spanned<NonZeroU64>| usize::try_from(given.get_ref().get()).unwrap_or(usize::MAX);
        Meshing {
            across: self.across.as_ref().map(count),
            growth: self.growth.as_ref().map(|q| q.si),
            hub: self.hub.as_ref().map(|q| q.si),
            width: self.width.as_ref().map(|q| q.si),
            depth: self.depth.as_ref().map(|q| q.si),
            length: self.length.as_ref().map(|q| q.si),
            elements: match self.elements {
                ElementsName::Bricks => Elements::Bricks,
                ElementsName::Simplices => Elements::Simplices,
                ElementsName::Layer => Elements::Layer,
            },
            given: [None, None],
            transport,
            stride: None,
            reach: Reach::Whole,
            structure: None,
            way: match self.solver {
                SolverName::Both => Way::Both,
                SolverName::Splitting => Way::Splitting,
                SolverName::Newton => Way::Newton,
                SolverName::FixedPoint => Way::FixedPoint(FIXED_STEP),
            },
        }
    }

    /// Refuses what cannot be meshed, where it is written.
    pub(super) fn check(&self, contact: &FiniteElements, elsewhere: &Elsewhere<'_>) -> Result<(), Fault> {
        contact.check().map_err(|error| self.located(error, elsewhere))?;
        if let (Some(width), true) = (&self.width, contact.case.is_line()) {
            return Err(Fault::new("a width is not for line contact")
                .help("leave it out: forces are per metre of width")
                .at(&width.span));
        }
        contact.bodies().map(|_| ()).map_err(|error| self.located(error, elsewhere))
    }

    fn located(&self, error: FeError, places: &Elsewhere<'_>) -> Fault {
        let elsewhere = places.radius;
        let fault = Fault::new(error.to_string());
        let across = self.across.as_ref().map(Spanned::span);
        let spans = |text: &str| {
            let known = [
                ("hub", self.hub.as_ref().map(|q| &q.span)),
                ("growth", self.growth.as_ref().map(|q| &q.span)),
                ("width", self.width.as_ref().map(|q| &q.span)),
                ("depth", self.depth.as_ref().map(|q| &q.span)),
                ("length", self.length.as_ref().map(|q| &q.span)),
            ];
            known.into_iter().find(|(word, _)| text.contains(word)).and_then(|(_, span)| span.cloned())
        };
        match error {
            FeError::NotHere { what, help } => {
                let file = || self.first.as_ref().or(self.second.as_ref()).map(Spanned::span);
                let span = match what {
                    _ if what.contains("transient") => places.kind.clone(),
                    _ if what.contains("friction") => places.friction.clone(),
                    _ if what.contains("force along") => places.force.clone().unwrap_or_else(|| elsewhere.clone()),
                    _ if what.contains("body 1") || what.contains("body 2") || what.contains("load on") => {
                        file().unwrap_or_else(|| elsewhere.clone())
                    }
                    _ => elsewhere.clone(),
                };
                fault.help(help).at(&span)
            }
            FeError::Number { what: "Poisson's ratio", .. } => {
                fault.help("0.499 is rubber; or leave `bodies` out: half-spaces take 0.5").at(places.poisson)
            }
            FeError::LongStep { .. } => {
                let help = "write a smaller `stride` in [motion], a greater `speed`, or more elements across";
                fault.help(help).at(&places.structure.clone().unwrap_or_else(|| elsewhere.clone()))
            }
            FeError::Surface(_) => {
                let file = self.first.as_ref().or(self.second.as_ref()).map(Spanned::span);
                let help = "contact nodes of both bodies must stand at equal places, in rows along x; leave `second` out for the \
                            mirror image of body 1, or bring a mesh of body 2 as well";
                fault.help(help).at(&file.unwrap_or_else(|| elsewhere.clone()))
            }
            FeError::TooMany { .. } => {
                fault.help("write for example across = 31").at(&across.unwrap_or_else(|| elsewhere.clone()))
            }
            FeError::Number { what: "elements across", .. } => fault
                .help("write an odd number such as across = 21: the edge of the contact then falls between nodes")
                .at(&across.unwrap_or_else(|| elsewhere.clone())),
            other => {
                let span = spans(&other.to_string()).unwrap_or_else(|| elsewhere.clone());
                fault.help("look at [mesh], radii and load").at(&span)
            }
        }
    }
}
