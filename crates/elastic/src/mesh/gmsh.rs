//! Meshes made by Gmsh: text files `.msh` of the formats 2.2 and 4.1.
//!
//! # What is read
//! One *physical group* of elements fills the body, and two more hold the nodes that may touch and those that are clamped; all are found
//! by their names. Triangles and quadrilaterals make a plane body, tetrahedra, pyramids and hexahedra a solid one. Only first order:
//! other elements in these groups are refused, and whatever is in no group that was asked for is left out, with its nodes.
//!
//! # Axes and units
//! Solid bodies keep their axes (x rolling direction, y across, z up). Plane ones lie in the x–y plane of Gmsh, as drawn there: its y
//! becomes our z, and our y is 0. All coordinates are multiplied by a scale: 1e-3 for a mesh in millimetres.
//!
//! # Which way round
//! Gmsh numbers plane elements after the orientation of their surface, which may look either way. A surface whose elements are all clockwise is
//! turned; if they differ within one surface, it is folded over and refused. Solid elements are never turned: an inverted one
//! is a fault of the mesh.

mod text;

use std::collections::{HashMap, HashSet};

use super::{Body, Kind, Mesh, MeshError};
use crate::element;

/// What to make of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Gmsh<'a> {
    /// Name of the physical group whose elements fill the body: a volume, or a surface of a plane body.
    pub body: &'a str,
    /// Name of the group whose nodes may touch another body.
    pub contact: &'a str,
    /// Name of the group whose nodes do not move.
    pub clamped: &'a str,
    /// Metres per unit of the file.
    pub scale: f64,
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
}

/// Why a file cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GmshError {
    /// Not text.
    #[error("the file is binary; save it as text: untick 'binary' when exporting, or set Mesh.Binary = 0")]
    Binary,
    /// A format that is not read.
    #[error(
        "line {line}: the file has format {found}; formats 2.2 and 4.1 are read: save it with `gmsh -format msh41`, or set \
         Mesh.MshFileVersion = 4.1"
    )]
    Version {
        /// Where it is told.
        line: usize,
        /// What is told.
        found: String,
    },
    /// A part of the file is not there.
    #[error("there is no section ${section}: is this a mesh that was saved by Gmsh?")]
    Missing {
        /// Its name.
        section: &'static str,
    },
    /// The file ends too early.
    #[error(
        "section ${section}, which begins in line {first}, does not end with $End{section}: it is cut off at line {line}"
    )]
    CutOff {
        /// Its name.
        section: String,
        /// Where it begins.
        first: usize,
        /// Where something else follows.
        line: usize,
    },
    /// A line is not as it must be.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong and what was wanted.
        reason: String,
    },
    /// A group was not found.
    #[error("there is no physical group named '{name}'{wanted}; {known}")]
    NoGroup {
        /// The name.
        name: String,
        /// What sort of group is wanted, if it matters.
        wanted: &'static str,
        /// Which ones there are.
        known: String,
    },
    /// A group without elements.
    #[error("the physical group '{name}' has no elements in the file; mesh it before saving")]
    EmptyGroup {
        /// The name.
        name: String,
    },
    /// An element that is not known here.
    #[error(
        "line {line}: element {element} of the group '{group}' is {found}; triangles, quadrilaterals, tetrahedra, pyramids and \
         hexahedra of first order are read: set Mesh.ElementOrder = 1, and recombine prisms or mesh them with tetrahedra"
    )]
    Unsupported {
        /// Where it stands.
        line: usize,
        /// Its number in the file.
        element: u64,
        /// The group it belongs to.
        group: String,
        /// What it is.
        found: String,
    },
    /// An element is turned inside out, or flat.
    #[error(
        "line {line}: element {element} is inverted or flat (its volume element is {volume:.2e} of its size at a corner or a point of \
         integration); repair the mesh in Gmsh, for instance by optimising it"
    )]
    Inverted {
        /// Where it stands.
        line: usize,
        /// Its number in the file.
        element: u64,
        /// Determinant of the map from the unit element over the size of the element.
        volume: f64,
    },
    /// Elements of one surface look both ways.
    #[error(
        "line {line}: element {element} is numbered the other way round than element {other} of the same surface (line \
         {other_line}): the mesh is folded over there"
    )]
    Folded {
        /// Where it stands.
        line: usize,
        /// Its number in the file.
        element: u64,
        /// The one it differs from.
        other: u64,
        /// Where that one stands.
        other_line: usize,
    },
    /// A plane mesh that is not in the plane.
    #[error(
        "line {line}: node {node} lies at z = {z}, others of the group at {usual}; a plane body must lie in the x–y plane of Gmsh, \
         and a solid one needs a group of volumes"
    )]
    NotPlane {
        /// Where it stands.
        line: usize,
        /// Its number in the file.
        node: u64,
        /// Its place.
        z: f64,
        /// Where the first node lies.
        usual: f64,
    },
    /// A node of a group does not belong to the body.
    #[error("line {line}: node {node} of the group '{group}' belongs to no element of the body '{body}'")]
    Elsewhere {
        /// Where the node stands.
        line: usize,
        /// Its number in the file.
        node: u64,
        /// The group.
        group: String,
        /// The group of the body.
        body: String,
    },
    /// A node is in both groups.
    #[error(
        "line {line}: node {node} is in the groups '{contact}' and '{clamped}': a node is clamped or may touch, not both; leave an \
         element between them"
    )]
    Both {
        /// Where the node stands.
        line: usize,
        /// Its number in the file.
        node: u64,
        /// The one group.
        contact: String,
        /// The other.
        clamped: String,
    },
    /// The scale cannot be.
    #[error("scale = {scale}: it must be a finite number > 0, the metres per unit of the file")]
    Scale {
        /// What was given.
        scale: f64,
    },
    /// The body cannot be used.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

/// A node of the file.
#[derive(Debug, Clone, Copy)]
struct Node {
    place: [f64; 3],
    line: usize,
}

/// An element of the file.
#[derive(Debug, Clone)]
struct Raw {
    line: usize,
    number: u64,
    /// Gmsh's number of the kind.
    kind: u32,
    /// 0: point, 1: curve, 2: surface, 3: volume.
    dimension: u8,
    /// The point, curve, surface or volume of the geometry.
    entity: i64,
    /// Which of [`Parsed::sets`] it belongs to.
    set: usize,
    nodes: std::ops::Range<usize>,
}

/// A named physical group.
#[derive(Debug, Clone, PartialEq)]
struct Group {
    dimension: u8,
    tag: i64,
    name: String,
}

/// A file, as it is.
#[derive(Debug, Default)]
struct Parsed {
    groups: Vec<Group>,
    nodes: HashMap<u64, Node>,
    elements: Vec<Raw>,
    /// Nodes of all elements.
    corners: Vec<u64>,
    /// Sets of physical groups, by their tags.
    sets: Vec<Vec<i64>>,
}

impl Gmsh<'_> {
    /// The body in a file.
    pub fn body(&self, file: &[u8]) -> Result<Body, GmshError> {
        if !(self.scale > 0.0 && self.scale.is_finite()) {
            return Err(GmshError::Scale { scale: self.scale });
        }
        let parsed = text::parse(file)?;
        let solid = parsed.groups.iter().any(|group| group.name == self.body && group.dimension == 3);
        let filling = parsed.elements_of(self.body, if solid { 3..=3 } else { 2..=2 })?;
        let plane = !solid;
        let mut places = Places::default();
        let mut mesh = Mesh::default();
        let mut level = None;
        let mut turned: HashMap<i64, (bool, &Raw)> = HashMap::new();
        for raw in filling {
            let kind = kind_of(raw.kind).filter(|kind| kind.is_plane() == plane);
            let Some(kind) = kind else { return Err(raw.unsupported(self.body)) };
            let tags = &parsed.corners[raw.nodes.clone()];
            let mut corners = Vec::with_capacity(tags.len());
            for tag in tags {
                let node = parsed.node(*tag, raw)?;
                corners.push(places.number(*tag, || {
                    let [x, y, z] = node.place.map(|v| v * self.scale);
                    if plane { [x, 0.0, y] } else { [x, y, z] }
                }));
            }
            if plane {
                let usual = *level.get_or_insert(parsed.node(tags[0], raw)?.place[2]);
                self.check_plane(&parsed, tags, usual)?;
            }
            let flipped = orient(kind, &mut corners, &places.nodes, raw)?;
            let (first, other) = turned.entry(raw.entity).or_insert((flipped, raw));
            if *first != flipped {
                let (other, other_line) = (other.number, other.line);
                return Err(GmshError::Folded { line: raw.line, element: raw.number, other, other_line });
            }
            mesh.push(kind, &corners);
        }
        mesh.nodes = places.nodes;
        let contact = self.group_nodes(&parsed, &places.numbers, self.contact)?;
        let clamped = self.group_nodes(&parsed, &places.numbers, self.clamped)?;
        let held: HashSet<u64> = clamped.iter().map(|(tag, _)| *tag).collect();
        if let Some((node, _)) = contact.iter().find(|(tag, _)| held.contains(tag)) {
            let (contact, clamped) = (self.contact.to_owned(), self.clamped.to_owned());
            return Err(GmshError::Both { line: parsed.nodes[node].line, node: *node, contact, clamped });
        }
        let numbers = |list: Vec<(u64, u32)>| list.into_iter().map(|(_, number)| number).collect();
        let (contact, clamped) = (numbers(contact), numbers(clamped));
        let body = Body { mesh, young: self.young, poisson: self.poisson, clamped, contact };
        body.check()?;
        Ok(body)
    }

    /// Refuses an element that leaves the plane z = `usual`.
    fn check_plane(&self, parsed: &Parsed, tags: &[u64], usual: f64) -> Result<(), GmshError> {
        // Rounding of coordinates, over the size of an element.
        const FLAT: f64 = 1e-9;
        let nodes = || tags.iter().filter_map(|tag| Some((*tag, parsed.nodes.get(tag)?)));
        let range = |axis: usize| {
            let values = nodes().map(|(_, node)| node.place[axis]);
            values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
        };
        let size = range(0).max(range(1)) + usual.abs();
        match nodes().find(|(_, node)| (node.place[2] - usual).abs() > FLAT * size) {
            Some((tag, node)) => Err(GmshError::NotPlane { line: node.line, node: tag, z: node.place[2], usual }),
            None => Ok(()),
        }
    }

    /// Nodes of a group with their numbers in the body, in the order of these.
    fn group_nodes(
        &self,
        parsed: &Parsed,
        numbers: &HashMap<u64, u32>,
        name: &str,
    ) -> Result<Vec<(u64, u32)>, GmshError> {
        let mut nodes = Vec::new();
        for raw in parsed.elements_of(name, 0..=3)? {
            // Points and lines of first order, and what a body may be made of.
            if !matches!(raw.kind, 1 | 15) && kind_of(raw.kind).is_none() {
                return Err(raw.unsupported(name));
            }
            for tag in &parsed.corners[raw.nodes.clone()] {
                let node = parsed.node(*tag, raw)?;
                let Some(number) = numbers.get(tag) else {
                    let (group, body) = (name.to_owned(), self.body.to_owned());
                    return Err(GmshError::Elsewhere { line: node.line, node: *tag, group, body });
                };
                nodes.push((*tag, *number));
            }
        }
        nodes.sort_unstable_by_key(|(_, number)| *number);
        nodes.dedup();
        Ok(nodes)
    }
}

/// Nodes of the body, numbered as they come.
#[derive(Default)]
struct Places {
    nodes: Vec<[f64; 3]>,
    numbers: HashMap<u64, u32>,
}

impl Places {
    fn number(&mut self, tag: u64, place: impl FnOnce() -> [f64; 3]) -> u32 {
        *self.numbers.entry(tag).or_insert_with(|| {
            self.nodes.push(place());
            self.nodes.len() as u32 - 1
        })
    }
}

impl Parsed {
    fn node(&self, tag: u64, raw: &Raw) -> Result<&Node, GmshError> {
        self.nodes.get(&tag).ok_or_else(|| {
            let reason = format!("element {} names node {tag}, which is not in $Nodes", raw.number);
            GmshError::Line { line: raw.line, reason }
        })
    }

    /// Elements of the groups with a name and a dimension in this range.
    fn elements_of(
        &self,
        name: &str,
        dimensions: std::ops::RangeInclusive<u8>,
    ) -> Result<impl Iterator<Item = &Raw> + use<'_>, GmshError> {
        let fits = |group: &&Group| group.name == name && dimensions.contains(&group.dimension);
        let wanted: Vec<(u8, i64)> =
            self.groups.iter().filter(fits).map(|group| (group.dimension, group.tag)).collect();
        if wanted.is_empty() {
            let what = if *dimensions.start() == 2 { " of surfaces or volumes" } else { "" };
            return Err(GmshError::NoGroup { name: name.to_owned(), wanted: what, known: self.known() });
        }
        let belongs = move |raw: &&Raw| {
            wanted.iter().any(|(dimension, tag)| raw.dimension == *dimension && self.sets[raw.set].contains(tag))
        };
        let mut found = self.elements.iter().filter(belongs).peekable();
        match found.peek() {
            Some(_) => Ok(found),
            None => Err(GmshError::EmptyGroup { name: name.to_owned() }),
        }
    }

    fn known(&self) -> String {
        let what = |dimension| ["points", "curves", "surfaces", "volumes"].get(usize::from(dimension)).unwrap_or(&"?");
        let named = self.groups.iter().map(|group| format!("'{}' ({})", group.name, what(group.dimension)));
        match named.collect::<Vec<String>>().join(", ") {
            none if none.is_empty() => {
                "the file names no group at all: write Physical Curve(\"contact\") = {4}; or the like in Gmsh"
                    .to_owned()
            }
            list => format!("there are {list}"),
        }
    }
}

impl Raw {
    fn unsupported(&self, group: &str) -> GmshError {
        let found = text::name_of(self.kind);
        GmshError::Unsupported { line: self.line, element: self.number, group: group.to_owned(), found }
    }
}

/// Elements of first order by Gmsh's numbers.
fn kind_of(number: u32) -> Option<Kind> {
    match number {
        2 => Some(Kind::Triangle),
        3 => Some(Kind::Quadrilateral),
        4 => Some(Kind::Tetrahedron),
        5 => Some(Kind::Hexahedron),
        7 => Some(Kind::Pyramid),
        _ => None,
    }
}

/// Turns a clockwise plane element; whether it was turned. Refuses inverted and flat elements.
fn orient(kind: Kind, corners: &mut [u32], nodes: &[[f64; 3]], raw: &Raw) -> Result<bool, GmshError> {
    // Least volume over the volume of a cube around the element: flat is what is rounding of that.
    const FLAT: f64 = 1e-12;
    let size = |axis: usize| {
        let values = corners.iter().map(|node| nodes[*node as usize][axis]);
        values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
    };
    let size = [0, 1, 2].map(size).into_iter().fold(0.0, f64::max);
    let cube = if kind.is_plane() { size * size } else { size * size * size };
    let volume = |corners: &[u32]| {
        let mut places = [[0.0; 3]; 8];
        places.iter_mut().zip(corners).for_each(|(place, node)| *place = nodes[*node as usize]);
        element::least_volume(kind, &places) / cube
    };
    let before = volume(corners);
    if before > FLAT {
        return Ok(false);
    }
    if kind.is_plane() {
        corners[1..].reverse();
        if volume(corners) > FLAT {
            return Ok(true);
        }
    }
    Err(GmshError::Inverted { line: raw.line, element: raw.number, volume: before })
}
