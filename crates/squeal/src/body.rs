//! Modes of a wheel that is given as a body: geometry, material, mesh.
//!
//! Finite elements give the modes φ with φᵀMφ = 1 ([`stickslip_elastic::modes`]); what the contact feels of them is their mean over the
//! cells around the contact point, φ_y and φ_z.
//!
//! **Compliance once.** The static compliance of the body at the contact, up, is C = fᵀK⁻¹f with f a unit force on the same cells. A part of it
//! is local: it grows without end as the cells shrink, and it is what the Hertz spring holds. That part, the compliance of a half-space
//! under the same cells, is taken out: C − C_half-space is the structure's, of which the kept modes hold Σ φ_z²/ω²; the rest is put in
//! series with the Hertz spring ([`Wheel::with_body_compliance`](crate::Wheel::with_body_compliance)).

use std::f64::consts::TAU;

use stickslip_elastic::mesh::{Wheel as Shape, WheelMesh, half_space_compliance};
use stickslip_elastic::modes::{self, ModesError, Wanted};
use stickslip_linalg::{Matrix, symmetric_eigen};

use crate::mode::Mode;

/// Relative distance of frequencies within which modes may be turned into each other.
const SAME: f64 = 1e-7;

/// Amplitude at the contact below which a mode is silent, over the greatest of all.
const SILENT: f64 = 1e-6;

/// A wheel as a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Geometry, mesh and elastic constants.
    pub shape: Shape,
    /// Density [kg/m³].
    pub density: f64,
    /// Damping ratio of all modes,
    pub damping: f64,
    /// but for those with no or one nodal diameter, which move the axle.
    pub damping_axle: f64,
    /// Which modes are kept.
    pub wanted: Wanted,
}

/// What finite elements say of a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// Modes that the contact feels, rising.
    pub modes: Vec<Mode>,
    /// How each of them moves.
    pub motions: Vec<Motion>,
    /// Static compliance of the structure at the contact, up, without the local part that the Hertz spring holds [m/N].
    pub compliance: f64,
    /// That local part [m/N].
    pub local: f64,
    /// Modes that the contact does not feel: they do not move it sideways or up.
    pub silent: usize,
    /// Modes counted by the inertia of K − σM, felt and silent: none was missed.
    pub counted: usize,
    /// The greatest residual |Kφ − ω²Mφ| over |Kφ| + ω²|Mφ|.
    pub residual: f64,
    /// Unknowns of the mesh that are free.
    pub unknowns: usize,
}

/// How a mode moves, its greatest amplitude anywhere on these lines 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Around the tread on the line of contact, by equal angles from the contact on: lateral, radial outwards, along the tread.
    pub tread: Vec<[f64; 3]>,
    /// In the section through the contact, row after row across: place (y, r) and displacement (y, outwards).
    pub section: Vec<Vec<[f64; 4]>>,
}

/// Why there are no modes.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BodyError {
    /// The mesh, or its modes.
    #[error(transparent)]
    Modes(#[from] ModesError),
    /// None that the contact feels.
    #[error("the wheel has no mode there that its contact feels")]
    Silent,
}

impl Built {
    /// The same with other damping ratios, which change nothing else.
    #[must_use]
    pub fn damped(&self, damping: f64, damping_axle: f64) -> Built {
        let mut built = self.clone();
        for (mode, motion) in built.modes.iter_mut().zip(&built.motions) {
            mode.damping = motion.damped_by(damping, damping_axle);
        }
        built
    }
}

impl Body {
    /// Its modes and its compliance, by finite elements.
    pub fn build(&self) -> Result<Built, BodyError> {
        let mesh = self.shape.mesh().map_err(ModesError::from)?;
        let [side, up] = [1, 2].map(|axis| force(&mesh, axis));
        let found = modes::modes(&mesh.body, self.density, self.wanted, std::slice::from_ref(&up))?;
        let whole = found.statics.first().map_or(0.0, |u| dot(u, &up));
        let local = half_space_compliance(mesh.sides, self.shape.young, self.shape.poisson);
        let residual = found.modes.iter().map(|mode| mode.residual).fold(0.0, f64::max);
        let mut turned: Vec<(f64, Vec<f64>)> = Vec::with_capacity(found.modes.len());
        let same = |a: &modes::Mode, b: &modes::Mode| (b.square - a.square).abs() <= SAME * b.square.abs();
        for group in found.modes.chunk_by(same) {
            turned.extend(turned_to_contact(group, &side, &up));
        }
        let felt = |shape: &[f64]| dot(shape, &side).hypot(dot(shape, &up));
        let most = turned.iter().map(|(_, shape)| felt(shape)).fold(0.0, f64::max);
        let all = turned.len();
        turned.retain(|(_, shape)| felt(shape) > SILENT * most);
        if turned.is_empty() {
            return Err(BodyError::Silent);
        }
        let mut built = Built {
            modes: Vec::new(),
            motions: Vec::new(),
            compliance: whole - local,
            local,
            silent: all - turned.len(),
            counted: found.counted,
            residual,
            unknowns: mesh.body.freedoms(),
        };
        for (square, mut shape) in turned {
            let (lateral, vertical) = (dot(&shape, &side), dot(&shape, &up));
            // Of both signs the one that moves the contact to positive y, or up.
            let sign = if lateral.abs() > SILENT * most { lateral } else { vertical }.signum();
            shape.iter_mut().for_each(|u| *u *= sign);
            let motion = Motion::of(&shape, &mesh, self.shape.radius);
            let name = named(&motion, &built.modes);
            let clean = |amplitude: f64| if amplitude.abs() > SILENT * most { sign * amplitude } else { 0.0 };
            let frequency = square.max(0.0).sqrt() / TAU;
            let (lateral, vertical) = (clean(lateral), clean(vertical));
            let damping = motion.damped_by(self.damping, self.damping_axle);
            built.modes.push(Mode { name, frequency, damping, lateral, vertical });
            built.motions.push(motion);
        }
        Ok(built)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A unit force along an axis, spread over the contact.
fn force(mesh: &WheelMesh, axis: usize) -> Vec<f64> {
    let mut force = vec![0.0; mesh.body.mesh.nodes.len() * 3];
    for (node, share) in &mesh.patch {
        if let Some(entry) = force.get_mut(*node as usize * 3 + axis) {
            *entry = *share;
        }
    }
    force
}

/// Modes of one frequency can be mixed at will. Of a pair that a round body has, one is turned so that the contact feels all of it, the
/// other so that it feels nothing: eigenvectors of the products of what the contact feels.
fn turned_to_contact(group: &[modes::Mode], side: &[f64], up: &[f64]) -> Vec<(f64, Vec<f64>)> {
    let felt: Vec<[f64; 2]> = group.iter().map(|mode| [dot(&mode.shape, side), dot(&mode.shape, up)]).collect();
    let alone = || group.iter().map(|mode| (mode.square, mode.shape.clone())).collect();
    if group.len() < 2 {
        return alone();
    }
    let n = group.len();
    let products = Matrix::from_fn(n, n, |i, j| felt[i][0] * felt[j][0] + felt[i][1] * felt[j][1]);
    let Ok((_, turns)) = symmetric_eigen(&products) else { return alone() };
    let mean = group.iter().map(|mode| mode.square).sum::<f64>() / n as f64;
    let turned = |k: usize| {
        let mut shape = vec![0.0; side.len()];
        for (j, mode) in group.iter().enumerate() {
            let share = turns[(j, n - 1 - k)];
            shape.iter_mut().zip(&mode.shape).for_each(|(sum, u)| *sum += share * u);
        }
        (mean, shape)
    };
    (0..n).map(turned).collect()
}

impl Motion {
    fn of(shape: &[f64], mesh: &WheelMesh, radius: f64) -> Motion {
        let [around, across, deep] = mesh.grid;
        let nodes = &mesh.body.mesh.nodes;
        let at = |i: usize, j: usize, k: usize| (i * across + j) * deep + k;
        let line = mesh.body.contact.first().map_or(0, |node| (*node as usize / deep) % across);
        let of = |node: usize| {
            let (place, u) = (nodes[node], &shape[3 * node..3 * node + 3]);
            let (x, z) = (place[0], place[2] - radius);
            let r = x.hypot(z);
            let (sin, cos) = (x / r, -z / r);
            (place[1], r, [u[1], u[0] * sin - u[2] * cos, u[0] * cos + u[2] * sin])
        };
        let tread: Vec<[f64; 3]> = (0..around).map(|i| of(at(i, line, 0)).2).collect();
        let row = |j: usize| -> Vec<[f64; 4]> {
            let each = (0..deep).map(|k| of(at(0, j, k)));
            each.map(|(y, r, u)| [y, r, u[0], u[1]]).collect()
        };
        let section: Vec<Vec<[f64; 4]>> = (0..across).map(row).collect();
        let most = tread
            .iter()
            .flatten()
            .chain(section.iter().flatten().flat_map(|s| &s[2..]))
            .fold(0.0_f64, |m, u| m.max(u.abs()));
        let mut motion = Motion { tread, section };
        let scale = if most > 0.0 { 1.0 / most } else { 1.0 };
        motion.tread.iter_mut().flatten().for_each(|u| *u *= scale);
        motion.section.iter_mut().flatten().flat_map(|s| &mut s[2..]).for_each(|u| *u *= scale);
        motion
    }

    /// Its damping ratio: that of the axle with none or one nodal diameter.
    fn damped_by(&self, damping: f64, axle: f64) -> f64 {
        if self.kind().0 < 2 { axle } else { damping }
    }

    /// Nodal diameters, and whether it moves mostly laterally (0), radially (1) or along the tread (2).
    pub fn kind(&self) -> (usize, usize) {
        let count = self.tread.len();
        let power = |n: usize, axis: usize| {
            let (mut re, mut im) = (0.0, 0.0);
            for (i, u) in self.tread.iter().enumerate() {
                let (sin, cos) = (TAU * (n * i % count) as f64 / count as f64).sin_cos();
                (re, im) = (re + u[axis] * cos, im + u[axis] * sin);
            }
            re * re + im * im
        };
        let diameters = 0..=count / 2;
        let all = diameters.flat_map(|n| (0..3).map(move |axis| (n, axis)));
        all.max_by(|a, b| power(a.0, a.1).total_cmp(&power(b.0, b.1))).unwrap_or((0, 0))
    }
}

/// A name as usual: nodal diameters, L, R or C (lateral, radial, circumferential), and for lateral ones their number among those of as many
/// diameters, which is about that of nodal circles.
fn named(motion: &Motion, before: &[Mode]) -> String {
    let (diameters, axis) = motion.kind();
    let letter = ["L", "R", "C"][axis.min(2)];
    let known = |name: &str| before.iter().any(|mode| mode.name == name);
    let counted =
        |k: usize| if k == 0 && axis > 0 { format!("{diameters}{letter}") } else { format!("{diameters}{letter}{k}") };
    (0..=before.len()).map(counted).find(|name| !known(name)).unwrap_or_default()
}

/// Modes as a CSV table that [`from_csv`](crate::mode::from_csv) reads: every digit that tells a number from its neighbours.
pub fn to_csv(modes: &[Mode]) -> String {
    let mut text = String::from("mode,frequency_Hz,damping_ratio,phi_y_per_sqrt_kg,phi_z_per_sqrt_kg\n");
    for mode in modes {
        let Mode { name, frequency, damping, lateral, vertical } = mode;
        text += &format!("{name},{frequency},{damping},{lateral},{vertical}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode::from_csv;

    fn body() -> Body {
        let shape = Shape {
            radius: 0.46,
            width: 0.135,
            rim: 0.05,
            web: 0.025,
            hub: 0.11,
            offset: 0.02,
            cells: [24, 4, 1, 1, 3],
            young: 2.1e11,
            poisson: 0.3,
        };
        Body { shape, density: 7850.0, damping: 3e-4, damping_axle: 1e-2, wanted: Wanted::Below(2000.0) }
    }

    #[test]
    fn modes_are_felt_named_and_written() {
        let built = body().build().expect("a wheel");
        let names: Vec<&str> = built.modes.iter().map(|mode| mode.name.as_str()).collect();
        assert!(names.starts_with(&["1L0", "0L0", "2L0"]), "{names:?}");
        assert_eq!([0, 1, 2].map(|k| built.modes[k].damping), [1e-2, 1e-2, 3e-4]);
        // One of each pair is silent, and torsion is.
        assert_eq!(built.modes.len() + built.silent, built.counted);
        assert!(built.silent > built.modes.len() / 2, "{names:?} {}", built.silent);
        assert!(built.residual < 1e-8 && built.compliance > 0.0 && built.local > 0.0);
        let held: f64 = built.modes.iter().map(|mode| (mode.vertical / mode.omega()).powi(2)).sum();
        assert!(held < built.compliance, "{held} {}", built.compliance);
        assert_eq!(from_csv(&to_csv(&built.modes), None).expect("a table"), built.modes);
    }

    /// A contact in the middle of a symmetric wheel moves laterally or up, never both.
    #[test]
    fn symmetry_parts_the_modes() {
        let mut body = body();
        body.shape.offset = 0.0;
        let built = body.build().expect("a wheel");
        assert!(built.modes.iter().all(|mode| mode.lateral == 0.0 || mode.vertical == 0.0), "{:?}", built.modes);
    }
}
