//! Nodes and elements.

mod block;
mod disc;
mod gmsh;
mod grading;
mod wheel;

pub use block::Block;
pub use disc::{Disc, Elements};
pub use gmsh::{Gmsh, GmshError};
pub use grading::Grading;
pub use wheel::{LEAST_ACROSS, LEAST_AROUND, Wheel, WheelMesh, half_space_compliance};

use crate::element;

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Kind {
    /// Three nodes, anticlockwise in (x, z).
    Triangle,
    /// Four nodes, anticlockwise in (x, z).
    Quadrilateral,
    /// Four nodes; the first three anticlockwise seen from the fourth.
    Tetrahedron,
    /// Five nodes: four of its base, anticlockwise seen from the tip, which is the last.
    Pyramid,
    /// Eight nodes: four of one face, anticlockwise seen from inside, then the four opposite them.
    Hexahedron,
}

impl Kind {
    /// How many nodes it has.
    pub fn nodes(self) -> usize {
        match self {
            Kind::Triangle => 3,
            Kind::Quadrilateral | Kind::Tetrahedron => 4,
            Kind::Pyramid => 5,
            Kind::Hexahedron => 8,
        }
    }

    /// Whether it is an element of a plane body.
    pub fn is_plane(self) -> bool {
        matches!(self, Kind::Triangle | Kind::Quadrilateral)
    }
}

/// One element: its kind and where its nodes stand in the list of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// Its kind.
    pub kind: Kind,
    first: u32,
}

/// Nodes and elements of one body.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Places of the nodes (x, y, z) \[m\].
    pub nodes: Vec<[f64; 3]>,
    elements: Vec<Element>,
    corners: Vec<u32>,
}

/// Why a mesh cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// An element is turned inside out, or flat.
    #[error(
        "element {element} (nodes {nodes:?}, around x = {:.4e} m, y = {:.4e} m, z = {:.4e} m) is inverted or flat: \
         its volume element is {volume:.2e} at a point of integration",
        place[0], place[1], place[2]
    )]
    Inverted {
        /// Its number, from 0.
        element: usize,
        /// Its nodes, from 0.
        nodes: Vec<u32>,
        /// Its middle.
        place: [f64; 3],
        /// Determinant of the map from the unit element.
        volume: f64,
    },
    /// An element names a node that is not there.
    #[error("element {element} names node {node}, but there are {nodes}")]
    NoNode {
        /// Its number, from 0.
        element: usize,
        /// The node named.
        node: u32,
        /// Nodes there are.
        nodes: usize,
    },
    /// Plane and solid elements in one body.
    #[error("element {element} is {found}, the others are not: a body is plane or solid, not both")]
    Mixed {
        /// Its number, from 0.
        element: usize,
        /// `plane` or `solid`.
        found: &'static str,
    },
    /// Nodes that no element holds.
    #[error("node {node} belongs to no element, so nothing holds it")]
    Loose {
        /// Its number, from 0.
        node: usize,
    },
    /// An element that is there twice.
    #[error("element {element} has the nodes of element {first}: it is there twice, and would count twice")]
    Doubled {
        /// The second.
        element: usize,
        /// The first.
        first: usize,
    },
    /// Two nodes at one place.
    #[error(
        "nodes {first} and {second} are both at x = {:.6e} m, y = {:.6e} m, z = {:.6e} m: nothing holds their elements together; merge them \
         (Gmsh: Coherence Mesh)", place[0], place[1], place[2]
    )]
    Coincident {
        /// The one.
        first: usize,
        /// The other.
        second: usize,
        /// Where they are.
        place: [f64; 3],
    },
    /// No nodes, no elements, no contact nodes or no clamped ones.
    #[error("the body has no {what}")]
    Empty {
        /// What is missing.
        what: &'static str,
    },
    /// A group names a node that is not there.
    #[error("the {group} nodes name node {node}, but there are {nodes}, counted from 0")]
    NoGroupNode {
        /// `contact` or `clamped`.
        group: &'static str,
        /// The node named.
        node: u32,
        /// Nodes there are.
        nodes: usize,
    },
    /// A node is named more than once.
    #[error(
        "node {node} (x = {:.4e} m, y = {:.4e} m, z = {:.4e} m) is named {groups}: a node is clamped or may touch, once",
        place[0], place[1], place[2]
    )]
    Twice {
        /// The node, from 0.
        node: u32,
        /// Where it is.
        place: [f64; 3],
        /// Where it is named.
        groups: &'static str,
    },
    /// A node is nowhere.
    #[error("node {node} is at ({}, {}, {}): coordinates must be finite numbers", place[0], place[1], place[2])]
    Place {
        /// The node, from 0.
        node: usize,
        /// Where it is.
        place: [f64; 3],
    },
    /// A measure cannot be.
    #[error("{what} = {value}: {wanted}")]
    Number {
        /// What it is.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What it must be.
        wanted: String,
    },
}

impl Mesh {
    /// An empty mesh with these nodes.
    pub fn with_nodes(nodes: Vec<[f64; 3]>) -> Mesh {
        Mesh { nodes, ..Mesh::default() }
    }

    /// Adds an element.
    pub fn push(&mut self, kind: Kind, corners: &[u32]) {
        debug_assert_eq!(corners.len(), kind.nodes());
        self.elements.push(Element { kind, first: self.corners.len() as u32 });
        self.corners.extend_from_slice(corners);
    }

    /// All elements with their nodes.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = (Kind, &[u32])> + Clone {
        self.elements.iter().map(|e| (e.kind, &self.corners[e.first as usize..e.first as usize + e.kind.nodes()]))
    }

    /// One element with its nodes.
    pub fn element(&self, number: usize) -> (Kind, &[u32]) {
        let Element { kind, first } = self.elements[number];
        (kind, &self.corners[first as usize..first as usize + kind.nodes()])
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// Whether the body is plane.
    pub fn is_plane(&self) -> bool {
        self.elements.first().is_some_and(|e| e.kind.is_plane())
    }

    /// Unknowns per node.
    pub fn directions(&self) -> usize {
        if self.is_plane() { 2 } else { 3 }
    }

    /// The same upside down: z of every node with the other sign.
    #[must_use]
    pub fn mirrored(&self) -> Mesh {
        let mut mesh = self.clone();
        for node in &mut mesh.nodes {
            node[2] = -node[2];
        }
        // Mirrored elements are inside out; another order of their nodes turns them back.
        for element in &self.elements {
            let corners = &mut mesh.corners[element.first as usize..element.first as usize + element.kind.nodes()];
            match element.kind {
                Kind::Triangle | Kind::Tetrahedron => corners.swap(1, 2),
                Kind::Quadrilateral | Kind::Pyramid => corners.swap(1, 3),
                Kind::Hexahedron => {
                    corners.swap(1, 3);
                    corners.swap(5, 7);
                }
            }
        }
        mesh
    }

    /// Places of the nodes of an element, in the order of its unknowns; zeros beyond.
    pub(crate) fn places(&self, corners: &[u32]) -> [[f64; 3]; 8] {
        let mut places = [[0.0; 3]; 8];
        for (place, node) in places.iter_mut().zip(corners) {
            *place = self.nodes[*node as usize];
        }
        places
    }

    /// Refuses what no stiffness can be made of.
    pub fn check(&self) -> Result<(), MeshError> {
        if self.nodes.is_empty() {
            return Err(MeshError::Empty { what: "nodes" });
        }
        if self.elements.is_empty() {
            return Err(MeshError::Empty { what: "elements" });
        }
        if let Some(node) = self.nodes.iter().position(|place| place.iter().any(|v| !v.is_finite())) {
            return Err(MeshError::Place { node, place: self.nodes[node] });
        }
        let plane = self.is_plane();
        let mut held = vec![false; self.nodes.len()];
        for (element, (kind, corners)) in self.elements().enumerate() {
            if kind.is_plane() != plane {
                let found = if kind.is_plane() { "plane" } else { "solid" };
                return Err(MeshError::Mixed { element, found });
            }
            if let Some(node) = corners.iter().find(|node| **node as usize >= self.nodes.len()) {
                return Err(MeshError::NoNode { element, node: *node, nodes: self.nodes.len() });
            }
            corners.iter().for_each(|node| held[*node as usize] = true);
            let places = self.places(corners);
            let volume = element::least_volume(kind, &places);
            if volume.is_nan() || volume <= 0.0 {
                let count = corners.len() as f64;
                let place = [0, 1, 2].map(|k| places[..corners.len()].iter().map(|p| p[k]).sum::<f64>() / count);
                return Err(MeshError::Inverted { element, nodes: corners.to_vec(), place, volume });
            }
        }
        self.check_twice()?;
        match held.iter().position(|held| !held) {
            Some(node) => Err(MeshError::Loose { node }),
            None => Ok(()),
        }
    }
}

impl Mesh {
    /// Refuses elements that are there twice, and nodes at one place: nothing would hold their elements together.
    fn check_twice(&self) -> Result<(), MeshError> {
        let mut seen = std::collections::HashMap::with_capacity(self.len());
        for (element, (_, corners)) in self.elements().enumerate() {
            let mut sorted = corners.to_vec();
            sorted.sort_unstable();
            if let Some(first) = seen.insert(sorted, element) {
                return Err(MeshError::Doubled { element, first });
            }
        }
        let reach = |axis: usize| {
            let all = self.nodes.iter().map(|p| p[axis]);
            all.clone().fold(f64::NEG_INFINITY, f64::max) - all.fold(f64::INFINITY, f64::min)
        };
        // Closer than rounding of coordinates that were written with a dozen digits.
        let near = 1e-11 * (0..3).map(reach).fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by(|a, b| self.nodes[*a][0].total_cmp(&self.nodes[*b][0]));
        for (k, &node) in order.iter().enumerate() {
            for &other in &order[k + 1..] {
                let (p, q) = (self.nodes[node], self.nodes[other]);
                if q[0] - p[0] > near {
                    break;
                }
                if (p[1] - q[1]).abs() <= near && (p[2] - q[2]).abs() <= near {
                    return Err(MeshError::Coincident { first: node.min(other), second: node.max(other), place: p });
                }
            }
        }
        Ok(())
    }
}

/// A mesh with what it is made of, where it is held and where it may touch another.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Nodes and elements.
    pub mesh: Mesh,
    /// Young's modulus \[Pa\].
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Nodes that do not move.
    pub clamped: Vec<u32>,
    /// Nodes on which contact forces act, in the order in which W counts them.
    pub contact: Vec<u32>,
}

impl Body {
    /// Refuses a body that cannot be condensed. Everything else in this crate takes bodies that pass.
    pub fn check(&self) -> Result<(), MeshError> {
        if self.clamped.is_empty() {
            return Err(MeshError::Empty { what: "clamped nodes: it would float away" });
        }
        if self.contact.is_empty() {
            return Err(MeshError::Empty { what: "contact nodes" });
        }
        self.check_free()
    }

    /// Refuses a body that is none; it may float, and need not touch anything.
    pub fn check_free(&self) -> Result<(), MeshError> {
        self.mesh.check()?;
        self.check_groups()?;
        for (what, value, good) in [
            ("Young's modulus", self.young, self.young > 0.0),
            ("Poisson's ratio", self.poisson, self.poisson > -1.0 && self.poisson < 0.5),
        ] {
            if !good || !value.is_finite() {
                let wanted = match what {
                    "Poisson's ratio" => "finite elements need a ratio greater than -1 and less than 0.5",
                    _ => "it must be a finite number > 0",
                };
                return Err(MeshError::Number { what, value, wanted: wanted.to_string() });
            }
        }
        Ok(())
    }

    /// Refuses nodes that are not there, and those that are named more than once.
    fn check_groups(&self) -> Result<(), MeshError> {
        let nodes = self.mesh.nodes.len();
        let mut named = vec![None; nodes];
        for (group, twice, list) in
            [("clamped", "twice as clamped", &self.clamped), ("contact", "twice as contact node", &self.contact)]
        {
            for &node in list {
                let Some(before) = named.get_mut(node as usize) else {
                    return Err(MeshError::NoGroupNode { group, node, nodes });
                };
                if let Some(before) = before.replace(group) {
                    let groups = if before == group { twice } else { "as clamped and as contact node" };
                    return Err(MeshError::Twice { node, place: self.mesh.nodes[node as usize], groups });
                }
            }
        }
        Ok(())
    }

    /// The same upside down.
    #[must_use]
    pub fn mirrored(&self) -> Body {
        Body { mesh: self.mesh.mirrored(), ..self.clone() }
    }

    /// Unknowns that are free to move.
    pub fn freedoms(&self) -> usize {
        (self.mesh.nodes.len() - self.clamped.len()) * self.mesh.directions()
    }
}
