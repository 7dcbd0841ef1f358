//! Unstructured grids for ParaView, as XML files `.vtu`: elements with values at nodes and in elements.
//!
//! Numbers stand in the file as they are in memory, so that nothing is lost: of each array the base64 of its length in bytes (8 bytes,
//! least first) and of its numbers together (VTK XML file formats, inline binary).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::label::escape;

/// What an element is; its nodes stand in the order of VTK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Three nodes.
    Triangle,
    /// Four nodes, around.
    Quadrilateral,
    /// Four nodes; the first three anticlockwise seen from the fourth.
    Tetrahedron,
    /// Five nodes: around the base, anticlockwise seen from the tip, then the tip.
    Pyramid,
    /// Eight nodes: around one face, anticlockwise seen from inside, then those opposite them.
    Hexahedron,
}

impl Shape {
    /// How many nodes it has.
    pub fn nodes(self) -> usize {
        match self {
            Shape::Triangle => 3,
            Shape::Quadrilateral | Shape::Tetrahedron => 4,
            Shape::Pyramid => 5,
            Shape::Hexahedron => 8,
        }
    }

    /// What VTK calls it.
    fn cell(self) -> u8 {
        match self {
            Shape::Triangle => 5,
            Shape::Quadrilateral => 9,
            Shape::Tetrahedron => 10,
            Shape::Hexahedron => 12,
            Shape::Pyramid => 14,
        }
    }
}

/// Nodes and elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid<'a> {
    /// Places of the nodes.
    pub nodes: &'a [[f64; 3]],
    /// What the elements are.
    pub shapes: &'a [Shape],
    /// Nodes of all elements, one element after the other.
    pub corners: &'a [u32],
}

/// Values of all nodes, or of all elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a> {
    /// Real numbers.
    Real(&'a str, &'a [f64]),
    /// Vectors in space.
    Vector(&'a str, &'a [[f64; 3]]),
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VtuError {
    /// Elements and their nodes do not fit.
    #[error("the elements have {wanted} nodes together, but {found} are named")]
    Corners {
        /// Nodes named.
        found: usize,
        /// Nodes that the elements have.
        wanted: usize,
    },
    /// An element names a node that is not there.
    #[error("element {element} names node {node}, but there are {nodes}, counted from 0")]
    NoNode {
        /// Its number, from 0.
        element: usize,
        /// The node named.
        node: u32,
        /// Nodes there are.
        nodes: usize,
    },
    /// Too few or too many values.
    #[error("the field {name} has {found} values, but there are {wanted} {places}")]
    Length {
        /// Which field.
        name: String,
        /// Values in it.
        found: usize,
        /// Nodes or elements.
        wanted: usize,
        /// `nodes` or `elements`.
        places: &'static str,
    },
    /// A value is NaN or infinite.
    #[error("the field {name} has the value {value} at number {at}, counted from 0")]
    NotFinite {
        /// Which field.
        name: String,
        /// The value.
        value: f64,
        /// The node or element.
        at: usize,
    },
}

impl Field<'_> {
    /// Its name, how many numbers a value has, and the numbers.
    fn flat(&self) -> (&str, usize, &[f64]) {
        match self {
            Field::Real(name, values) => (name, 1, values),
            Field::Vector(name, values) => (name, 3, values.as_flattened()),
        }
    }

    fn check(&self, wanted: usize, places: &'static str) -> Result<(), VtuError> {
        let (name, width, values) = self.flat();
        if values.len() != wanted * width {
            let found = values.len() / width;
            return Err(VtuError::Length { name: name.to_owned(), found, wanted, places });
        }
        check_finite(name, values, width)
    }
}

/// A part of the file with one array for each field; the first real and the first vector are what is drawn at first.
fn part(tag: &str, fields: &[Field<'_>]) -> String {
    let first = |of: fn(&Field<'_>) -> bool, what: &str| {
        let name = fields.iter().find(|field| of(field)).map(|field| escape(field.flat().0));
        name.map_or_else(String::new, |name| format!(" {what}=\"{name}\""))
    };
    let active = [
        first(|field| matches!(field, Field::Real(..)), "Scalars"),
        first(|field| matches!(field, Field::Vector(..)), "Vectors"),
    ];
    let arrays = fields.iter().map(|field| {
        let (name, width, values) = field.flat();
        reals(&format!(" Name=\"{}\"", escape(name)), width, values)
    });
    format!("<{tag}{}>\n{}</{tag}>\n", active.concat(), arrays.collect::<String>())
}

fn reals(name: &str, width: usize, values: &[f64]) -> String {
    array("Float64", &format!("{name} NumberOfComponents=\"{width}\""), values.iter().map(|value| value.to_le_bytes()))
}

/// An array of numbers of N bytes each.
fn array<const N: usize>(kind: &str, attributes: &str, values: impl ExactSizeIterator<Item = [u8; N]>) -> String {
    let mut bytes = ((N * values.len()) as u64).to_le_bytes().to_vec();
    values.for_each(|value| bytes.extend(value));
    format!("<DataArray type=\"{kind}\"{attributes} format=\"binary\">{}</DataArray>\n", STANDARD.encode(bytes))
}

fn check_finite(name: &str, values: &[f64], width: usize) -> Result<(), VtuError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(k) => Err(VtuError::NotFinite { name: name.to_owned(), value: values[k], at: k / width }),
        None => Ok(()),
    }
}

/// The file, with fields at the nodes and in the elements.
pub fn document(grid: Grid<'_>, at_nodes: &[Field<'_>], in_elements: &[Field<'_>]) -> Result<Vec<u8>, VtuError> {
    let wanted = grid.shapes.iter().map(|shape| shape.nodes()).sum();
    if grid.corners.len() != wanted {
        return Err(VtuError::Corners { found: grid.corners.len(), wanted });
    }
    let mut offsets: Vec<u64> = Vec::with_capacity(grid.shapes.len());
    let mut first = 0;
    for (element, shape) in grid.shapes.iter().enumerate() {
        let end = first + shape.nodes();
        if let Some(node) = grid.corners[first..end].iter().find(|node| **node as usize >= grid.nodes.len()) {
            return Err(VtuError::NoNode { element, node: *node, nodes: grid.nodes.len() });
        }
        first = end;
        offsets.push(first as u64);
    }
    check_finite("places of the nodes", grid.nodes.as_flattened(), 3)?;
    at_nodes.iter().try_for_each(|field| field.check(grid.nodes.len(), "nodes"))?;
    in_elements.iter().try_for_each(|field| field.check(grid.shapes.len(), "elements"))?;
    let cells = [
        array("Int64", " Name=\"connectivity\"", grid.corners.iter().map(|node| u64::from(*node).to_le_bytes())),
        array("Int64", " Name=\"offsets\"", offsets.iter().map(|offset| offset.to_le_bytes())),
        array("UInt8", " Name=\"types\"", grid.shapes.iter().map(|shape| [shape.cell()])),
    ];
    let mut file = String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\"");
    file += " byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n";
    file += &format!("<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", grid.nodes.len(), grid.shapes.len());
    file += &part("PointData", at_nodes);
    file += &part("CellData", in_elements);
    file += &format!("<Points>\n{}</Points>\n", reals("", 3, grid.nodes.as_flattened()));
    file += &format!("<Cells>\n{}</Cells>\n", cells.concat());
    file += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    Ok(file.into_bytes())
}
