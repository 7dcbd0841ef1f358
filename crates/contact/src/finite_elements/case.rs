//! One contact of finite elements from its data to its tractions, as scenario files describe it.

use std::f64::consts::TAU;

use stickslip_core::inclusion::monotone::Way;
use stickslip_core::law::Coefficient;
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::mesh::{Block, Disc, Elements, Grading};
use stickslip_elastic::{Body, Condensed, Cost, MeshError, condense};

pub use super::failure::FeError;
pub use super::outcome::{RolledOn, Stage};

use super::RollError;
use super::pair::Pair;
use super::rolling::Transport;
use super::surface::{Surface, SurfaceError};
use super::transient::{Reach, Structure};
use crate::case::{self, Case, Course, Outline};
use crate::tangential::{Drive, Motion};

/// Most nodes of a body that are meshed at all, in the plane and in space: factors of more would not fit into any common memory.
const MOST_NODES: [f64; 2] = [3e6, 6e5];
/// Radius of the hub over that of the wheel: in the plane, in space.
const HUB: [f64; 2] = [0.3, 0.5];
/// Width of a wheel or rail \[m\].
const WIDTH: f64 = 0.1;
/// Half the length and the depth of a block, in half-lengths a of the contact: further off it changes forces by 0.1 %.
const BLOCK: f64 = 50.0;
/// Share of Hertz's half-lengths that the nodes that may touch must reach, two free ones beside: real contacts are a little smaller.
const ROOM: f64 = 0.9;
/// Spacings that differ by more than this share are uneven.
const UNEVEN: f64 = 0.05;
/// Lengths along x, across and in depth over the size of the contact, 2a or 2b, of the wheels for which the default mesh in
/// space was laid out: radius 0.46 m, 100 mm wide, hub 0.5, 42 kN.
const USUAL: [f64; 3] = [169.7, 7.81, 35.9];
/// Greatest angle that a structure may swing through within a step: twenty steps a period.
const MOST_ANGLE: f64 = 0.05 * TAU;
/// Growth of the cells of plane bodies.
const GROWTH: f64 = 1.3;

/// How bodies are meshed and solved.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Meshing {
    /// Elements across Hertz's contact, n; 41 in the plane, 21 in space by default.
    pub across: Option<usize>,
    /// Growth of the cells outside the fine zone; by default 1.3 in the plane and few cells in space.
    pub growth: Option<f64>,
    /// Radius of the hub over that of the wheel.
    pub hub: Option<f64>,
    /// Width of the bodies in space \[m\].
    pub width: Option<f64>,
    /// Depth of blocks \[m\].
    pub depth: Option<f64>,
    /// Length of blocks \[m\].
    pub length: Option<f64>,
    /// What fills the bodies.
    pub elements: Elements,
    /// Bodies that are given: body 1, body 2.
    pub given: [Option<Body>; 2],
    /// Transport.
    pub transport: Transport,
    /// Length of the steps of transient rolling over that of an element (default 1).
    pub stride: Option<f64>,
    /// How much of the bodies' compliance transient rolling sees.
    pub reach: Reach,
    /// What moves instead of the compliance that is left out.
    pub structure: Option<Structure>,
    /// Solver.
    pub way: Way,
}

/// A contact of finite elements: what it is on half-spaces, and its meshes.
#[derive(Debug, Clone, PartialEq)]
pub struct FiniteElements {
    /// Bodies, load, friction, motion.
    pub case: Case,
    /// Meshes.
    pub meshing: Meshing,
}

/// Two bodies; none where the second is the mirror image of the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Bodies {
    /// Body 1, above.
    pub first: Body,
    /// Body 2, below, unless it is a mirror image.
    pub second: Option<Body>,
}

impl Bodies {
    /// Refuses a body 1 below its contact nodes and a body 2 above them.
    fn stand(&self) -> Result<(), FeError> {
        let above = |body: &Body| {
            let mean = |sum: f64, count: usize| sum / count as f64;
            let all = mean(body.mesh.nodes.iter().map(|p| p[2]).sum(), body.mesh.nodes.len());
            let contact = body.contact.iter().map(|node| body.mesh.nodes[*node as usize][2]).sum();
            all > mean(contact, body.contact.len())
        };
        let help = "turn the mesh upside down: body 1 stands on the origin, body 2 hangs below it";
        if !above(&self.first) {
            return Err(FeError::NotHere { what: "a body 1 that lies below its contact nodes", help });
        }
        if self.second.as_ref().is_some_and(above) {
            return Err(FeError::NotHere { what: "a body 2 that lies above its contact nodes", help });
        }
        Ok(())
    }
}

/// Bodies in the order of their elimination, with what that takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Ordered {
    /// The body.
    pub body: Body,
    /// The order.
    pub dissection: Dissection,
    /// What it takes.
    pub cost: Cost,
}

impl FiniteElements {
    /// Elements across the contact.
    pub fn across(&self) -> usize {
        self.meshing.across.unwrap_or(if self.case.is_line() { 41 } else { 21 })
    }

    /// Whether the meshes are symmetric about y = 0: bricks made from radii are, cut bricks have a direction.
    pub(super) fn is_symmetric(&self) -> bool {
        self.meshing.elements == Elements::Bricks && self.meshing.given.iter().all(Option::is_none)
    }

    /// Refuses what needs no mesh to be refused.
    pub fn check(&self) -> Result<(), FeError> {
        let outline = self.case.outline()?;
        let motion = match self.case.course {
            Course::Steady(motion) => motion,
            Course::Transient { motion, .. } => {
                self.check_transient(motion)?;
                motion
            }
            Course::Shift(_) => {
                let help = "write kind = \"steady\" or \"transient\", or leave `bodies` out: half-spaces are shifted";
                return Err(FeError::NotHere { what: "a shift, which is neither steady nor transient rolling,", help });
            }
        };
        if !matches!(self.case.friction, Coefficient::Constant(_)) {
            let help = "write a number, or leave `bodies` out";
            return Err(FeError::NotHere { what: "friction that depends on the slip speed", help });
        }
        if self.case.is_line() && motion.y != Drive::Creepage(0.0) {
            let help = "leave it out: plane bodies do not move across; or leave `bodies` out, half-spaces do";
            return Err(FeError::NotHere { what: "a creepage or force across in line contact", help });
        }
        if matches!((motion.x, motion.y), (Drive::Force(_), Drive::Force(_))) {
            let help = "give a creepage for one of them: along the other the force is met";
            return Err(FeError::NotHere { what: "a force along x and one along y", help });
        }
        let bad = |what, value, wanted| Err(FeError::Number { what, value, wanted });
        let n = self.across();
        if !(7..=1001).contains(&n) {
            return bad("elements across", n as f64, "at least 7 and at most 1001 are needed");
        }
        if let Some(value) = self.meshing.growth.filter(|g| !(*g >= 1.05 && *g <= 4.0)) {
            return bad("growth", value, "it must be greater than 1, at least 1.05, and at most 4");
        }
        if self.case.settings.tolerance.is_nan() || self.case.settings.tolerance > 1e-3 {
            return bad("tolerance", self.case.settings.tolerance, "it must be at most 1e-3");
        }
        for (body, given) in self.case.bodies.iter().zip(&self.meshing.given) {
            if given.is_none() && (body.radii.x < 0.0 || body.radii.y < 0.0) {
                let help = "leave `bodies` out, or bring a mesh of the hollow body in [mesh]";
                return Err(FeError::NotHere { what: "a mesh of a hollow body", help });
            }
            if body.material.poisson() >= 0.5 {
                return bad("Poisson's ratio", body.material.poisson(), "finite elements need less than 0.5");
            }
        }
        // A rough count before anything is made.
        if self.meshing.given.iter().all(Option::is_none) {
            let n = n as f64;
            let nodes = match outline {
                Outline::Strip(_) => 3.0 * n * n,
                Outline::Ellipse(_) if self.meshing.growth.is_some() => 12.0 * n * n * n,
                Outline::Ellipse(_) => 2.5 * n * n * n,
            };
            let most = MOST_NODES[usize::from(!self.case.is_line())];
            if nodes > most {
                return Err(FeError::TooMany { across: self.across(), nodes, most });
            }
        }
        Ok(())
    }

    /// Refuses what steps cannot do.
    fn check_transient(&self, motion: Motion) -> Result<(), FeError> {
        let refuse = |what, help| Err(FeError::NotHere { what, help });
        if matches!(motion.x, Drive::Force(_)) || matches!(motion.y, Drive::Force(_)) {
            let help = "give a creepage, or leave `bodies` out: half-spaces roll under a given force";
            return refuse("transient rolling under a given force along an axis", help);
        }
        if self.meshing.transport == Transport::Second {
            let help = "write order = \"edge\" or \"first\" in [grid]: steps are of first order, with the leading edge or without";
            return refuse("transient rolling of the second order", help);
        }
        if let Some(structure) = self.meshing.structure {
            if self.meshing.reach == Reach::Whole {
                return Err(RollError::Twice.into());
            }
            let length = self.meshing.stride.unwrap_or(1.0) * 2.0 * self.case.outline()?.a() / self.across() as f64;
            if structure.angle(length) > MOST_ANGLE {
                let (step, most) = (length / structure.speed, MOST_ANGLE / (TAU * structure.frequency));
                return Err(FeError::LongStep { step, frequency: structure.frequency, most });
            }
        }
        Ok(())
    }

    /// Both bodies as meshes.
    pub fn bodies(&self) -> Result<Bodies, FeError> {
        self.check()?;
        let [one, two] = self.case.bodies;
        let first = match &self.meshing.given[0] {
            Some(body) => body.clone(),
            None => self.mesh(one, false).map_err(|error| FeError::Mesh { body: 1, error })?,
        };
        first.check().map_err(|error| FeError::Mesh { body: 1, error })?;
        let second = match &self.meshing.given {
            [_, Some(body)] => Some(body.clone()),
            [_, None] if one == two => None,
            _ => Some(self.mesh(two, true).map_err(|error| FeError::Mesh { body: 2, error })?),
        };
        if let Some(second) = &second {
            second.check().map_err(|error| FeError::Mesh { body: 2, error })?;
            if second.mesh.is_plane() != first.mesh.is_plane() {
                return Err(SurfaceError::Mixed.into());
            }
        }
        if first.mesh.is_plane() != self.case.is_line() {
            let help = "plane bodies are pressed by load_per_length, solid ones by load or approach";
            return Err(FeError::NotHere { what: "this load on bodies of these meshes", help });
        }
        let bodies = Bodies { first, second };
        bodies.stand()?;
        self.fits(&bodies)?;
        Ok(bodies)
    }

    /// The mesh of one body from its radii, above or below.
    fn mesh(&self, body: case::Body, below: bool) -> Result<Body, MeshError> {
        let Ok(outline) = self.case.outline() else { return Err(MeshError::Empty { what: "contact" }) };
        let n = self.across();
        let m = &self.meshing;
        let (young, poisson) =
            (2.0 * body.material.shear_modulus() * (1.0 + body.material.poisson()), body.material.poisson());
        let h = 2.0 * outline.a() / n as f64;
        let round = |value: f64| value.round() as usize;
        let hub = m.hub.unwrap_or(HUB[usize::from(!self.case.is_line())]);
        let wheel = body.radii.x.is_finite();
        let (half_length, depth) = if wheel {
            (std::f64::consts::PI * body.radii.x, body.radii.x * (1.0 - hub))
        } else {
            let reach = BLOCK * outline.a().max(if let Outline::Ellipse(e) = outline { e.b } else { 0.0 });
            (0.5 * m.length.unwrap_or(2.0 * reach), m.depth.unwrap_or(reach))
        };
        let (cell, uniform, outside, contact, crown) = match outline {
            Outline::Strip(strip) => {
                // Uniform over ±1.3a and 0.65a deep.
                let side = (1.3 * strip.a / h).ceil() as usize;
                let uniform = [side, 0, round(0.65 * strip.a / h).max(2)];
                ([h; 3], uniform, [Grading::Growth(m.growth.unwrap_or(GROWTH)); 3], [side, 0], None)
            }
            Outline::Ellipse(ellipse) => {
                let across = 2.0 * ellipse.b / n as f64;
                // Two free nodes beyond the last that may touch; with an even n one stands on the edge.
                let side = n / 2 + 2 + usize::from(n.is_multiple_of(2));
                let count = n as f64;
                let width = m.width.unwrap_or(WIDTH);
                let (cell, lengths) = ([h, across, across], [half_length, 0.5 * width, depth]);
                let outside = match m.growth {
                    Some(growth) => [Grading::Growth(growth); 3],
                    // Few cells: each of twice the length takes one more.
                    None => [0, 1, 2].map(|k| {
                        let base = [1.7 + 0.3 * count, 3.0 + count / 9.0, 4.0 + count / 5.0][k];
                        let longer = (lengths[k] / (cell[k] * count * USUAL[k])).log2();
                        Grading::Cells(round((base + longer).max(2.0)))
                    }),
                };
                let uniform = [side, side, round(1.8 + count / 5.0)];
                (cell, uniform, outside, [side, side], Some((width, body.radii.y)))
            }
        };
        let elements = m.elements;
        let built = if wheel {
            let radius = body.radii.x;
            let disc = Disc { radius, hub, crown, cell, uniform, outside, contact, elements, young, poisson }.body()?;
            if below { disc.mirrored() } else { disc }
        } else {
            let block = Block { half_length, depth, crown, cell, uniform, outside, contact, elements, young, poisson }
                .body()?;
            if below { block } else { block.mirrored() }
        };
        Ok(built)
    }

    /// The order of elimination of both bodies and what it takes; refuses what does not fit into the memory that is free.
    pub fn order(&self, bodies: Bodies, free: Option<f64>) -> Result<Vec<Ordered>, FeError> {
        let ordered: Vec<Ordered> = [Some(bodies.first), bodies.second]
            .into_iter()
            .flatten()
            .map(|body| {
                let dissection = Dissection::new(&body);
                let cost = Cost::new(&body, &dissection);
                Ordered { body, dissection, cost }
            })
            .collect();
        // One body after the other; factors and W of the first stay.
        let needed: f64 = ordered.iter().map(|o| o.cost.bytes).sum();
        if let Some(free) = free
            && needed > free
        {
            let unknowns = ordered.iter().map(|o| o.cost.unknowns).max().unwrap_or(0);
            return Err(FeError::Memory { unknowns, needed, free });
        }
        Ok(ordered)
    }

    /// W of one body; `progress` hears the share that is done.
    pub fn condense(
        &self,
        number: usize,
        ordered: &Ordered,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<Condensed, FeError> {
        condense(&ordered.body, &ordered.dissection, progress)
            .map_err(|error| FeError::Condense { body: number, error })
    }

    /// The bodies on their common surface.
    pub fn pair(&self, ordered: &[Ordered], condensed: &[Condensed]) -> Result<Pair, FeError> {
        let places = |o: &Ordered| -> Vec<[f64; 3]> {
            o.body.contact.iter().map(|node| o.body.mesh.nodes[*node as usize]).collect()
        };
        let plane = self.case.is_line();
        let pair = match (ordered, condensed) {
            ([one], [first]) => Pair::mirrored(&places(one), &first.compliance, plane)?,
            ([one, two], [first, second]) => {
                let (a, b) = (places(one), places(two));
                Pair::new((&a, &first.compliance), (&b, &second.compliance), plane)?
            }
            _ => return Err(FeError::Mesh { body: 1, error: MeshError::Empty { what: "condensation" } }),
        };
        if self.meshing.transport == Transport::Second && pair.surface.unevenness() > UNEVEN {
            let help = "write order = \"edge\" or \"first\": the second order is not monotone on uneven spacings";
            return Err(FeError::NotHere { what: "the second order on nodes spaced unevenly by more than 5 %", help });
        }
        Ok(pair)
    }

    /// Refuses bodies whose contact nodes do not stand at equal places: before anything is condensed.
    pub fn fits(&self, bodies: &Bodies) -> Result<(), FeError> {
        let places = |body: &Body| -> Vec<[f64; 3]> {
            body.contact.iter().map(|node| body.mesh.nodes[*node as usize]).collect()
        };
        let first = places(&bodies.first);
        let second = bodies.second.as_ref().map_or_else(|| first.clone(), places);
        let (surface, _) = Surface::new(&first, &second, self.case.is_line())?;
        // Meshes that are brought in may be too small for the load; Hertz tells before the work.
        let (a, b) = match self.case.outline()? {
            Outline::Strip(strip) => (strip.a, None),
            Outline::Ellipse(ellipse) => (ellipse.a, Some(ellipse.b)),
        };
        let middle = &surface.rows[surface.rows.len() / 2];
        let ends = [surface.x[middle.first + 2], surface.x[middle.first + middle.len - 3]];
        let sides =
            [surface.rows[surface.rows.len().min(3) - 1].y, surface.rows[surface.rows.len().saturating_sub(3)].y];
        let short = ends[0] > -ROOM * a || ends[1] < ROOM * a;
        if short || b.is_some_and(|b| sides[0] > -ROOM * b || sides[1] < ROOM * b) {
            return Err(RollError::Margin { place: [a, b.unwrap_or(0.0)] }.into());
        }
        Ok(())
    }
}
