//! One contact of finite elements from its data to its tractions, as scenario files describe it.

use std::f64::consts::TAU;

use stickslip_core::inclusion::monotone::{Limits, Way};
use stickslip_core::law::Coefficient;
use stickslip_core::scheme::theta::Energy;
use stickslip_elastic::dissection::Dissection;
use stickslip_elastic::mesh::{Block, Disc, Elements, Grading};
use stickslip_elastic::{Body, CondenseError, Condensed, Cost, MeshError, condense};

use super::pair::Pair;
use super::rolling::{Rolled, Rolling, Transport};
use super::surface::{Surface, SurfaceError};
use super::transient::{Reach, Structure, Transient};
use super::{Pressing, RollError};
use crate::case::{self, Case, CaseError, Course, Moment, Outcome, Outline};
use crate::error::Error;
use crate::grid::Grid;
use crate::normal::Contact;
use crate::patch::Creepage;
use crate::tangential::{Drive, Motion, Solution, Status};

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

/// One step of rolling step by step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// Distance rolled \[m\].
    pub distance: f64,
    /// Force on body 1 \[N\].
    pub force: [f64; 2],
    /// Share of the touching nodes that stick.
    pub stick_share: f64,
    /// Residual reached.
    pub residual: f64,
    /// Iterations of the splitting and steps of Newton.
    pub iterations: usize,
    /// Energy so far.
    pub energy: Energy,
    /// Displacement of the structure \[m\].
    pub structure: f64,
}

/// What came out of rolling step by step.
#[derive(Debug, Clone)]
pub struct RolledOn {
    /// The contact at the end.
    pub rolled: Rolled,
    /// Where it leads to.
    pub steady: Rolled,
    /// All steps.
    pub stages: Vec<Stage>,
    /// A few of them as a whole, with their distances.
    pub frames: Vec<(f64, Rolled)>,
    /// The constant that was taken out of W \[m per N\].
    pub constant: f64,
    /// Whether steps shift by one node exactly.
    pub shifts: bool,
}

/// Where on the way the contact is kept as a whole, as shares of all steps.
const FRAMES: [f64; 8] = [0.01, 0.03, 0.06, 0.12, 0.25, 0.4, 0.7, 1.0];

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

/// Why there is no solution.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FeError {
    /// The contact cannot be, on half-spaces either.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A body cannot be meshed.
    #[error("body {body}: {error}")]
    Mesh {
        /// 1 or 2.
        body: usize,
        /// Why.
        error: MeshError,
    },
    /// A body cannot be condensed.
    #[error("body {body}: {error}")]
    Condense {
        /// 1 or 2.
        body: usize,
        /// Why.
        error: CondenseError,
    },
    /// The bodies do not fit.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
    /// They do not roll.
    #[error(transparent)]
    Roll(#[from] RollError),
    /// Something that finite elements do not do.
    #[error("{what} is not for finite elements")]
    NotHere {
        /// What it is.
        what: &'static str,
        /// What to do.
        help: &'static str,
    },
    /// A number cannot be.
    #[error("{what} = {value}: {wanted}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// Too many nodes.
    #[error("{across} elements across make about {nodes:.1e} nodes a body: at most {most:.0e} are meshed")]
    TooMany {
        /// Elements across.
        across: usize,
        /// Nodes.
        nodes: f64,
        /// Most.
        most: f64,
    },
    /// The machine has too little memory.
    #[error(
        "{unknowns} unknowns a body need about {:.1} GB of memory, and {:.1} GB are free: take fewer elements across", 1e-9 * needed, 1e-9 * free
    )]
    Memory {
        /// Unknowns of the larger body.
        unknowns: usize,
        /// Bytes needed.
        needed: f64,
        /// Bytes free.
        free: f64,
    },
    /// Steps too long for the structure.
    #[error("steps of {step:.2e} s are too long for a structure of {frequency} Hz: at most {most:.2e} s resolve it")]
    LongStep {
        /// Step \[s\].
        step: f64,
        /// Frequency of the structure \[Hz\].
        frequency: f64,
        /// Longest step \[s\].
        most: f64,
    },
    /// What came out cannot be put on a grid.
    #[error(transparent)]
    Grid(#[from] Error),
}

impl FiniteElements {
    /// Elements across the contact.
    pub fn across(&self) -> usize {
        self.meshing.across.unwrap_or(if self.case.is_line() { 41 } else { 21 })
    }

    /// Whether the meshes are symmetric about y = 0: bricks made from radii are, cut bricks have a direction.
    fn is_symmetric(&self) -> bool {
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
        if self.case.bodies[0] != self.case.bodies[1] || self.meshing.given[1].is_some() {
            let help = "leave [second] out (and `second` in [mesh]): body 2 is then the mirror image of body 1; or write kind = \"steady\"";
            return refuse("transient rolling of unlike bodies", help);
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

    /// What presses, and how it is solved.
    pub fn rolling(&self) -> Result<Rolling, FeError> {
        self.check()?;
        let pressing = match self.case.pressing {
            case::Pressing::Load(load) | case::Pressing::LoadPerLength(load) => Pressing::Load(load),
            case::Pressing::Approach(approach) => Pressing::Approach(approach),
        };
        Ok(Rolling {
            pressing,
            friction: self.case.friction.sticking(),
            material: self.case.material(),
            transport: self.meshing.transport,
            way: self.meshing.way,
            limits: Limits { tolerance: self.case.settings.tolerance, ..Limits::default() },
        })
    }

    /// Rolls step by step from rest, with the bodies' compliance as given; `progress` hears of every step. An error where the case is
    /// not transient.
    pub fn roll_on(&self, pair: &Pair, reach: Reach, progress: &mut dyn FnMut(usize)) -> Result<RolledOn, FeError> {
        let Course::Transient { steps, .. } = self.case.course else {
            return Err(FeError::NotHere { what: "steady rolling step by step", help: "write kind = \"transient\"" });
        };
        let (rolling, steady) = (self.rolling()?, self.roll(pair)?);
        // The structure stands for what is left out; beside the whole compliance there is none.
        let structure = self.meshing.structure.filter(|_| reach == Reach::Local);
        let stride = self.meshing.stride.unwrap_or(1.0);
        let mut transient = Transient::new(rolling, pair, &steady, stride, reach, structure)?;
        let framed = |k: usize| FRAMES.iter().any(|share| (share * steps as f64).round().max(1.0) as usize == k);
        let (mut stages, mut frames) = (Vec::with_capacity(steps), Vec::new());
        for k in 1..=steps {
            transient.step()?;
            let found = transient.found();
            stages.push(Stage {
                distance: transient.distance(),
                force: transient.force(),
                stick_share: transient.stick_share(),
                residual: found.residual.relative,
                iterations: found.iterations + found.steps,
                energy: *transient.energy(),
                structure: transient.structure(),
            });
            if framed(k) {
                frames.push((transient.distance(), transient.rolled()));
            }
            progress(k);
        }
        let (constant, shifts) = (transient.constant(), transient.shifts());
        Ok(RolledOn { rolled: transient.rolled(), steady, stages, frames, constant, shifts })
    }

    /// Rolls steadily as the case says, or as it will in the end.
    pub fn roll(&self, pair: &Pair) -> Result<Rolled, FeError> {
        let rolling = self.rolling()?;
        let (Course::Steady(motion) | Course::Transient { motion, .. }) = self.case.course else {
            return Err(FeError::NotHere { what: "a shift", help: "write kind = \"steady\"" });
        };
        let Motion { x, y, spin: phi } = motion;
        let creepage = |drive| if let Drive::Creepage(creepage) = drive { creepage } else { 0.0 };
        let given = Creepage { xi: creepage(x), eta: creepage(y), phi };
        let rolled = match (x, y) {
            (Drive::Force(force), _) => rolling.with_force(pair, given, 0, force)?,
            (_, Drive::Force(force)) => rolling.with_force(pair, given, 1, force)?,
            _ => rolling.roll(pair, given, None)?,
        };
        Ok(rolled)
    }

    /// The same of rolling step by step, with its history.
    pub fn outcome_of_steps(&self, pair: &Pair, rolled: &RolledOn) -> Result<Outcome, FeError> {
        let mut outcome = self.outcome(pair, &rolled.rolled)?;
        let Creepage { xi, eta, .. } = rolled.rolled.creepage;
        let moment = |stage: &Stage| Moment {
            distance: stage.distance,
            creepage: [xi, eta],
            // Rounding of what symmetry forbids is left out, as at the end.
            force: [0, 1].map(|k| if outcome.solution.force[k] == 0.0 { 0.0 } else { stage.force[k] }),
            stick_share: stage.stick_share,
            residual: stage.residual,
            iterations: stage.iterations,
        };
        outcome.history = rolled.stages.iter().map(moment).collect();
        for (distance, frame) in &rolled.frames {
            let solution = self.outcome(pair, frame)?.solution;
            outcome.frames.push(case::Frame { distance: *distance, solution });
        }
        Ok(outcome)
    }

    /// The solution as tractions on a regular grid of elements around the nodes, for tables and pictures. Nodes that are not
    /// regular are shown by their nearest neighbours; totals are those of the nodes.
    pub fn outcome(&self, pair: &Pair, rolled: &Rolled) -> Result<Outcome, FeError> {
        let surface = &pair.surface;
        let (nx, ny) = (surface.rows.iter().map(|row| row.len).max().unwrap_or(0), surface.rows.len());
        let reach = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            (values[0], values[values.len() - 1])
        };
        let (x0, x1) = reach(surface.x.clone());
        let dx = (x1 - x0) / (nx as f64 - 1.0);
        let grid = if surface.plane {
            let half = 0.5 * (x1 - x0 + dx);
            // A line has its middle at 0; meshes that are brought in may have it elsewhere.
            Grid::line(nx, half)?
        } else {
            let (y0, y1) = reach(surface.y());
            Grid::new(nx, ny, dx, (y1 - y0) / (ny as f64 - 1.0), x0, y0)?
        };
        let nearest = |k: usize| {
            let (i, j) = grid.at(k);
            let row = &surface.rows[j];
            let x = x0 + i as f64 * dx;
            row.nodes()
                .min_by(|a, b| (surface.x[*a] - x).abs().total_cmp(&(surface.x[*b] - x).abs()))
                .unwrap_or(row.first)
        };
        let node: Vec<usize> = (0..grid.len()).map(nearest).collect();
        let t = pair.normal();
        let component = |values: &[f64], k: usize, c: usize| if c < t { values[node[k] * t + c] } else { 0.0 };
        let all = |f: &dyn Fn(usize) -> f64| (0..grid.len()).map(f).collect::<Vec<f64>>();
        let size = |k: usize| surface.size[node[k]];
        let pressure = all(&|k| rolled.normal.force[node[k]] / size(k));
        let status = |k: usize| match (pressure[k] > 0.0, rolled.stick[node[k]]) {
            (false, _) => Status::Exterior,
            (true, true) => Status::Stick,
            (true, false) => Status::Slip,
        };
        let status = (0..grid.len()).map(status).collect();
        let mut contact = Contact::from_pressure(grid, self.case.material(), pressure)?;
        contact.approach = rolled.normal.approach;
        contact.load = rolled.normal.load;
        contact.residual = rolled.normal.residual;
        contact.iterations = rolled.normal.rounds;
        let Creepage { xi, eta, phi } = rolled.creepage;
        let iterations = rolled.found.iterations + rolled.found.steps;
        let residual = rolled.found.residual.relative;
        let solution = Solution {
            grid,
            status,
            traction_x: all(&|k| component(&rolled.tangential, k, 0) / size(k)),
            traction_y: all(&|k| component(&rolled.tangential, k, 1) / size(k)),
            slip_x: all(&|k| component(&rolled.slip, k, 0)),
            slip_y: all(&|k| component(&rolled.slip, k, 1)),
            slip_ahead: if self.meshing.transport == Transport::Second { 0.0 } else { 0.5 },
            creepage: [xi, eta],
            spin: phi,
            force: rolled.force,
            moment: rolled.moment,
            limit: self.case.friction.sticking() * rolled.normal.load,
            stick_share: rolled.stick_share(),
            residual,
            iterations,
        };
        let solution = match self.case.course {
            Course::Steady(motion) | Course::Transient { motion, .. } if self.is_symmetric() => {
                let [force, xi] = [solution.force[0], solution.creepage[0]];
                let mut solution = solution.of_symmetric_contact(motion);
                // Unlike bodies have a force along x without creepage.
                if pair.is_coupled() {
                    (solution.force[0], solution.creepage[0]) = (force, xi);
                }
                solution
            }
            _ => solution,
        };
        let moment = Moment {
            distance: 0.0,
            creepage: [xi, eta],
            force: solution.force,
            stick_share: rolled.stick_share(),
            residual,
            iterations,
        };
        let outline = self.case.outline()?;
        Ok(Outcome { contact, outline, solution, history: vec![moment], frames: Vec::new() })
    }
}
