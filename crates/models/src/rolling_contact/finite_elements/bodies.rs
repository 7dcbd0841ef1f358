//! The bodies themselves, deformed.

use std::path::Path;

use stickslip_contact::finite_elements::Rolled;
use stickslip_elastic::mesh::{Body, Kind};
use stickslip_elastic::stress::von_mises;
use stickslip_report::vtu::{self, Field, Grid, Shape};
use stickslip_run::{self as run, RunFailure};

use super::Ready;

/// One body as it stands under load.
pub(in super::super) struct Deformed {
    /// The body.
    pub body: Body,
    /// Displacements of its nodes (x, y, z) \[m\], from where hub or base hold it.
    pub displacement: Vec<[f64; 3]>,
    /// Contact forces on its nodes \[N\], or per width.
    pub force: Vec<[f64; 3]>,
    /// Von Mises' stress of its elements \[Pa\].
    pub stress: Vec<f64>,
}

/// Both bodies; empty where the way back inside was not kept.
pub(super) fn deformed(ready: &Ready, rolled: &Rolled) -> Vec<Deformed> {
    let mirror = ready.ordered.len() == 1;
    let d = ready.pair.surface.directions();
    let mut all = Vec::new();
    for number in 0..2 {
        let (ordered, condensed) = if mirror {
            (&ready.ordered[0], &ready.condensed[0])
        } else {
            (&ready.ordered[number], &ready.condensed[number])
        };
        let mut forces = ready.pair.forces(number, &rolled.normal.force, &rolled.tangential);
        let flipped = mirror && number == 1;
        // A mirror image under mirrored forces is the mirrored solution.
        let flip = |values: &mut [f64]| values.iter_mut().skip(d - 1).step_by(d).for_each(|v| *v = -*v);
        if flipped {
            flip(&mut forces);
        }
        let mut contact = vec![0.0; forces.len()];
        condensed.compliance.apply(&forces, &mut contact);
        let Some(mut u) = condensed.displacements(&ordered.body, &ordered.dissection, &contact) else {
            return Vec::new();
        };
        let stress = von_mises(&ordered.body, &u);
        let mut body = ordered.body.clone();
        if flipped {
            flip(&mut u);
            flip(&mut forces);
            body = body.mirrored();
        }
        let spread =
            |values: &[f64]| if d == 2 { [values[0], 0.0, values[1]] } else { [values[0], values[1], values[2]] };
        let mut force = vec![[0.0; 3]; body.mesh.nodes.len()];
        for (node, f) in body.contact.iter().zip(forces.chunks_exact(d)) {
            force[*node as usize] = spread(f);
        }
        all.push(Deformed { displacement: u.chunks_exact(d).map(spread).collect(), force, stress, body });
    }
    all
}

/// Writes the bodies for ParaView: `body-1.vtu`, `body-2.vtu`.
pub(super) fn write(path: &Path, deformed: &[Deformed]) -> Result<(), RunFailure> {
    for (number, d) in deformed.iter().enumerate() {
        let mut shapes = Vec::with_capacity(d.body.mesh.len());
        let mut corners = Vec::new();
        for (kind, nodes) in d.body.mesh.elements() {
            shapes.push(match kind {
                Kind::Triangle => Shape::Triangle,
                Kind::Quadrilateral => Shape::Quadrilateral,
                Kind::Tetrahedron => Shape::Tetrahedron,
                Kind::Pyramid => Shape::Pyramid,
                Kind::Hexahedron => Shape::Hexahedron,
            });
            corners.extend_from_slice(nodes);
        }
        let grid = Grid { nodes: &d.body.mesh.nodes, shapes: &shapes, corners: &corners };
        let at_nodes = [Field::Vector("displacement_m", &d.displacement), Field::Vector("contact_force_N", &d.force)];
        let document = vtu::document(grid, &at_nodes, &[Field::Real("von_Mises_Pa", &d.stress)])
            .map_err(|error| RunFailure::Simulation(error.to_string()))?;
        run::write(path, &format!("body-{}.vtu", number + 1), document)?;
    }
    Ok(())
}
