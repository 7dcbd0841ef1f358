//! Unstructured grids for ParaView, as XML files `.vtu`: elements with values at nodes and in elements.
//!
//! Numbers stand in the file as they are in memory (in base64), so that nothing is lost.

use vtkio::model::{
    Attribute, Attributes, ByteOrder, CellType, Cells, DataSet, UnstructuredGridPiece, Version, VertexNumbers, Vtk,
};

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

    fn cell(self) -> CellType {
        match self {
            Shape::Triangle => CellType::Triangle,
            Shape::Quadrilateral => CellType::Quad,
            Shape::Tetrahedron => CellType::Tetra,
            Shape::Pyramid => CellType::Pyramid,
            Shape::Hexahedron => CellType::Hexahedron,
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
    /// The library did not write it.
    #[error("the grid cannot be written: {reason}")]
    Writer {
        /// What it said.
        reason: String,
    },
}

impl Field<'_> {
    /// Its values as VTK has them, after a check.
    fn attribute(&self, wanted: usize, places: &'static str) -> Result<Attribute, VtuError> {
        let (name, found, width, flat): (&str, usize, usize, &[f64]) = match self {
            Field::Real(name, values) => (name, values.len(), 1, values),
            Field::Vector(name, values) => (name, values.len(), 3, values.as_flattened()),
        };
        if found != wanted {
            return Err(VtuError::Length { name: name.to_owned(), found, wanted, places });
        }
        check_finite(name, flat, width)?;
        Ok(match self {
            Field::Real(name, values) => Attribute::scalars(*name, 1).with_data(values.to_vec()),
            Field::Vector(name, _) => Attribute::vectors(*name).with_data(flat.to_vec()),
        })
    }
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
    let attributes = |fields: &[Field<'_>], count: usize, places: &'static str| {
        fields.iter().map(|field| field.attribute(count, places)).collect::<Result<Vec<Attribute>, VtuError>>()
    };
    let data = Attributes {
        point: attributes(at_nodes, grid.nodes.len(), "nodes")?,
        cell: attributes(in_elements, grid.shapes.len(), "elements")?,
    };
    let connectivity = grid.corners.iter().map(|node| u64::from(*node)).collect();
    let cells = Cells {
        cell_verts: VertexNumbers::XML { connectivity, offsets },
        types: grid.shapes.iter().map(|shape| shape.cell()).collect(),
    };
    let piece = UnstructuredGridPiece { points: grid.nodes.as_flattened().to_vec().into(), cells, data };
    let vtk = Vtk {
        version: Version::Auto,
        title: String::new(),
        byte_order: ByteOrder::LittleEndian,
        data: DataSet::inline(piece),
        file_path: None,
    };
    let mut file = Vec::new();
    vtk.write_xml(&mut file).map_err(|error| VtuError::Writer { reason: error.to_string() })?;
    Ok(file)
}
