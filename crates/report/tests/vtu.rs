//! Unstructured grids: well-formed, and every number as it was.
#![allow(clippy::unwrap_used)]

use stickslip_report::vtu::{Field, Grid, Shape, document};
use vtkio::model::{Attribute, CellType, DataSet, IOBuffer, Piece, VertexNumbers, Vtk};

const NODES: [[f64; 3]; 9] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
    [0.5, 0.1 + 0.2, 2.0 / 3.0],
];
const SHAPES: [Shape; 5] =
    [Shape::Hexahedron, Shape::Pyramid, Shape::Tetrahedron, Shape::Quadrilateral, Shape::Triangle];
const CORNERS: [u32; 24] = [0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 8, 0, 1, 2, 8, 0, 1, 5, 4, 0, 1, 2];
const GRID: Grid<'static> = Grid { nodes: &NODES, shapes: &SHAPES, corners: &CORNERS };

/// A deformed mesh with all that a run has to tell.
fn file() -> (Vec<[f64; 3]>, Vec<f64>, Vec<u8>) {
    let moved: Vec<[f64; 3]> = (0..9).map(|k| [1e-6 / f64::from(k + 1), -0.0, 5e-324 * f64::from(k)]).collect();
    let stress = vec![1e9 / 3.0, 0.0, f64::MAX, f64::MIN_POSITIVE, 0.1];
    let names = ("displacement", "contact force <N> & \"more\"");
    let fields = [Field::Vector(names.0, &moved), Field::Vector(names.1, &NODES)];
    let file = document(GRID, &fields, &[Field::Real("von Mises", &stress)]).unwrap();
    (moved, stress, file)
}

#[test]
fn it_is_well_formed_and_has_the_arrays_that_paraview_looks_for() {
    let (_, _, file) = file();
    let text = String::from_utf8(file).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("type"), Some("UnstructuredGrid"));
    let piece = document.descendants().find(|node| node.has_tag_name("Piece")).unwrap();
    assert_eq!(piece.attribute("NumberOfPoints"), Some("9"));
    assert_eq!(piece.attribute("NumberOfCells"), Some("5"));
    let arrays = |name: &str| -> Vec<String> {
        let part = piece.children().find(|node| node.has_tag_name(name)).unwrap();
        part.children().filter_map(|node| Some(node.attribute("Name")?.to_owned())).collect()
    };
    assert_eq!(arrays("PointData"), ["displacement", "contact force <N> & \"more\""]);
    assert_eq!(arrays("CellData"), ["von Mises"]);
    assert_eq!(arrays("Cells"), ["connectivity", "offsets", "types"]);
}

#[test]
fn numbers_come_back_bit_for_bit() {
    let (moved, stress, file) = file();
    let vtk = Vtk::parse_xml(file.as_slice()).unwrap();
    let DataSet::UnstructuredGrid { pieces, .. } = vtk.data else { panic!("another grid") };
    let [Piece::Inline(piece)] = pieces.as_slice() else { panic!("another piece") };
    let bits = |buffer: &IOBuffer| -> Vec<u64> {
        let IOBuffer::F64(values) = buffer else { panic!("not double") };
        values.iter().map(|value| value.to_bits()).collect()
    };
    let flat = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    assert_eq!(bits(&piece.points), flat(NODES.as_flattened()));
    let data = |attribute: &Attribute| match attribute {
        Attribute::DataArray(array) => bits(&array.data),
        Attribute::Field { .. } => panic!("a field"),
    };
    assert_eq!(data(&piece.data.point[0]), flat(moved.as_flattened()));
    assert_eq!(data(&piece.data.cell[0]), flat(&stress));
    let kinds = [CellType::Hexahedron, CellType::Pyramid, CellType::Tetra, CellType::Quad, CellType::Triangle];
    assert_eq!(piece.cells.types, kinds);
    let VertexNumbers::XML { connectivity, offsets } = &piece.cells.cell_verts else { panic!("another list") };
    assert!(connectivity.iter().eq(CORNERS.map(u64::from).iter()));
    assert_eq!(offsets, &[8, 13, 17, 21, 24]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |grid, nodes: &[Field<'_>], elements: &[Field<'_>], words: &str| {
        let error = document(grid, nodes, elements).unwrap_err().to_string();
        assert!(error.contains(words), "'{words}' is not in: {error}");
    };
    refused(Grid { corners: &CORNERS[1..], ..GRID }, &[], &[], "24 nodes together, but 23");
    refused(Grid { nodes: &NODES[1..], ..GRID }, &[], &[], "element 1 names node 8, but there are 8");
    refused(GRID, &[Field::Real("p", &[1.0])], &[], "p has 1 values, but there are 9 nodes");
    refused(GRID, &[], &[Field::Real("s", &[1.0])], "s has 1 values, but there are 5 elements");
    let stress = [1.0, 2.0, f64::NAN, 4.0, 5.0];
    refused(GRID, &[], &[Field::Real("s", &stress)], "s has the value NaN at number 2");
    let mut nodes = NODES;
    nodes[3][1] = f64::INFINITY;
    refused(Grid { nodes: &nodes, ..GRID }, &[], &[], "places of the nodes has the value inf at number 3");
    let nothing = Grid { nodes: &[], shapes: &[], corners: &[] };
    let empty = String::from_utf8(document(nothing, &[], &[]).unwrap()).unwrap();
    assert!(roxmltree::Document::parse(&empty).is_ok());
}
