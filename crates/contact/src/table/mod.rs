//! Creep forces of the exact theory, tabulated once and for all Hertzian contacts of one Poisson's ratio.
//!
//! # What a table needs to know
//! With c = √(ab), G the combined shear modulus and μN what friction transmits at most, the scaled creepages
//!
//! ```text
//! u_x = G c² ξ/(μN),    u_y = G c² η/(μN),    u_φ = G c³ φ/(μN)
//! ```
//!
//! and a/b, ν determine F_x/(μN), F_y/(μN) and M_z/(μNc): size, load, stiffness and friction drop out (Kalker 1990; his
//! program USETAB tabulates the same).
//!
//! # Where its points lie
//! Stretched, x = (3.3 + 0.85 a/b) u_x, y = (2.4 + 1.05 a/b) u_y, z = (2 + 1.3 a/b) u_φ are of the order of the linear theory's forces
//! for all a/b. The table is laid out in polar coordinates of (x, y, z),
//!
//! ```text
//! t = ρ/(1 + ρ),  ρ = √(x² + y² + z²),     spin angle β = atan2(z, √(x² + y²)) ∈ [0°, 90°],     direction α = atan2(y, x) ∈ [−90°, 90°]
//! ```
//!
//! and holds f/t, f = (F_x/(μN), F_y/(μN), M_z/(μNc)). So both limits are points of the table: t = 0 is the linear theory, whose slope f/t
//! tends to, and t = 1 is full sliding, in which elasticity plays no part. There is no creepage outside of it.
//!
//! # Symmetry
//! (−ξ, η, φ) has (−F_x, F_y, M_z), (ξ, −η, −φ) has (F_x, −F_y, −M_z): ξ ≥ 0 and φ ≥ 0 are enough, without spin η ≥ 0, and pure
//! spin is one direction. [`Spec::lines`] counts those that are solved; nothing is solved twice.
//!
//! # Rooms
//! [`Spec`] says which points, [`Solver`] solves a line of them (t from 0 to 1, each from the ones before it), [`Table`] holds all, reads and
//! writes the file (`file.rs`) and interpolates (`interpolate.rs`), [`Check`] says how far off that is.

mod check;
mod error;
mod file;
mod interpolate;
mod solve;

pub use check::{Check, Filled, FilledTrial, Miss, Trial, filled_places, filled_trial, trial};
pub use error::TableError;
pub use file::TableFile;
pub use interpolate::Scaled;
pub use solve::{Line, Node, Solver, contact};

use crate::tangential::{Settings, Transport};

/// Fewest intervals of t, of β and of α between 0° and 90°.
pub const FEWEST: [usize; 3] = [6, 2, 2];

/// Most of each.
pub const MOST: usize = 128;

/// Least and greatest a/b.
pub const RATIOS: [f64; 2] = [0.02, 50.0];

/// What a table covers, and how it is solved.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// Poisson's ratio ν of the pair, 0 to ½.
    pub poisson: f64,
    /// Values of a/b, increasing.
    pub ratios: Vec<f64>,
    /// Intervals of t between 0 and 1.
    pub magnitudes: usize,
    /// Intervals of the spin angle β between 0° and 90°.
    pub spins: usize,
    /// Intervals of the direction α between 0° and 90°; as many again down to −90°.
    pub directions: usize,
    /// Elements of the exact theory along each side.
    pub elements: usize,
    /// Order of the transport.
    pub transport: Transport,
    /// Residual of the solutions.
    pub tolerance: f64,
}

impl Spec {
    /// Nine a/b from 0.1 to 10, 16 steps of t, angles by 15°; 22 × 22 elements, second order, residual 1e-6.
    pub fn usual(poisson: f64) -> Spec {
        let ratios = (0..9).map(|k| 10f64.powf(0.25 * f64::from(k) - 1.0)).collect();
        let (transport, tolerance) = (Transport::Second, 1e-6);
        Spec { poisson, ratios, magnitudes: 16, spins: 6, directions: 6, elements: 22, transport, tolerance }
    }

    /// Refuses what is no table.
    pub fn check(&self) -> Result<(), TableError> {
        let bad = |message: String, help: &str| Err(TableError::Spec { message, help: help.into() });
        if !(0.0..=0.5).contains(&self.poisson) {
            return bad(
                format!("Poisson's ratio {}: a table has one from 0 to 0.5", self.poisson),
                "that of steel is 0.3",
            );
        }
        let grows = self.ratios.windows(2).all(|pair| pair[0] < pair[1]);
        let fits = |ratio: &f64| (RATIOS[0]..=RATIOS[1]).contains(ratio);
        if self.ratios.is_empty() || !grows || !self.ratios.iter().all(fits) || self.ratios.len() > MOST {
            return bad(
                format!(
                    "the ratios a/b must grow, from {} to {} at the most, and there must be 1 to {MOST}",
                    RATIOS[0], RATIOS[1]
                ),
                "write for example ratios = [0.5, 0.7, 1, 1.4, 2]",
            );
        }
        let counts = [("magnitudes", self.magnitudes), ("spins", self.spins), ("directions", self.directions)];
        for ((name, count), least) in counts.into_iter().zip(FEWEST) {
            if !(least..=MOST).contains(&count) {
                return bad(
                    format!("{name} = {count}: between {least} and {MOST} are possible"),
                    "16, 6 and 6 are usual",
                );
            }
        }
        Ok(())
    }

    /// How the exact theory solves it.
    pub fn settings(&self) -> Settings {
        Settings { transport: self.transport, tolerance: self.tolerance, ..Settings::default() }
    }

    /// Directions α from −90° to 90°.
    pub(crate) fn around(&self) -> usize {
        2 * self.directions + 1
    }

    /// Nodes of all lines, those included that follow by symmetry.
    pub fn nodes(&self) -> usize {
        self.ratios.len() * (self.spins + 1) * self.around() * (self.magnitudes + 1)
    }

    /// Lines for each a/b: without spin α ≥ 0, then all α for each β, then pure spin.
    fn lines_each(&self) -> usize {
        self.directions + 1 + (self.spins - 1) * self.around() + 1
    }

    /// Lines that are solved.
    pub fn lines(&self) -> usize {
        self.ratios.len() * self.lines_each()
    }

    /// Solutions in all lines: neither the linear theory nor full sliding needs one.
    pub fn cases(&self) -> usize {
        self.lines() * (self.magnitudes - 1)
    }

    /// Where a line lies: numbers of a/b, β and α.
    pub fn place(&self, line: usize) -> (usize, usize, usize) {
        let (ratio, line) = (line / self.lines_each(), line % self.lines_each());
        let (quarter, all) = (self.directions + 1, (self.spins - 1) * self.around());
        if line < quarter {
            (ratio, 0, self.directions + line)
        } else if line < quarter + all {
            (ratio, 1 + (line - quarter) / self.around(), (line - quarter) % self.around())
        } else {
            (ratio, self.spins, self.directions)
        }
    }

    /// t of node m.
    pub fn t(&self, m: usize) -> f64 {
        m as f64 / self.magnitudes as f64
    }

    /// β of number j \[rad\].
    pub fn spin_angle(&self, j: usize) -> f64 {
        std::f64::consts::FRAC_PI_2 * j as f64 / self.spins as f64
    }

    /// α of number k \[rad\].
    pub fn direction(&self, k: usize) -> f64 {
        std::f64::consts::FRAC_PI_2 * (k as f64 - self.directions as f64) / self.directions as f64
    }
}

/// What scaled creepages are stretched by at a/b, so that their size is that of the linear theory's forces.
pub fn stretch(ratio: f64) -> [f64; 3] {
    [3.3 + 0.85 * ratio, 2.4 + 1.05 * ratio, 2.0 + 1.3 * ratio]
}

/// Scaled creepages at ρ = 1 in a direction; exact zeros on the axes.
pub fn unit(ratio: f64, spin_angle: f64, direction: f64) -> [f64; 3] {
    let exact = |angle: f64| {
        let (sine, cosine) = angle.sin_cos();
        let zero = |x: f64| if x.abs() < 1e-15 { 0.0 } else { x };
        (zero(sine), zero(cosine))
    };
    let ((sb, cb), (sa, ca)) = (exact(spin_angle), exact(direction));
    let [x, y, z] = stretch(ratio);
    [cb * ca / x, cb * sa / y, sb / z]
}

/// A table of creep forces.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    spec: Spec,
    /// F_x/(μN), F_y/(μN), M_z/(μNc), each over t, and the share of stick, of all nodes, t running first, then α, β and a/b.
    nodes: Vec<[f64; 4]>,
    /// Whether each node was solved; else it lies between the last one that was and full sliding.
    solved: Vec<bool>,
    /// ln(a/b).
    logs: Vec<f64>,
}

impl Table {
    /// From all lines of [`Spec::lines`], in their order. Lines that follow by symmetry are filled in. Numbers are rounded to the digits
    /// that the file has, so that what is read is what was written.
    pub fn new(spec: Spec, lines: &[Line]) -> Result<Table, TableError> {
        spec.check()?;
        if lines.len() != spec.lines() || lines.iter().any(|line| line.nodes.len() != spec.magnitudes + 1) {
            return Err(TableError::Lines { found: lines.len(), wanted: spec.lines() });
        }
        let mut table = Table::empty(spec);
        for (number, line) in lines.iter().enumerate() {
            let (i, j, k) = table.spec.place(number);
            for (m, node) in line.nodes.iter().enumerate() {
                let Node { over_t: [x, y, z], stick, solved } = *node;
                table.put((i, j, k, m), [x, y, z, stick], solved);
                let mirrored = 2 * table.spec.directions - k;
                if j == 0 {
                    // (ξ, −η, 0) has (F_x, −F_y, −M_z).
                    table.put((i, j, mirrored, m), [x, -y, -z, stick], solved);
                } else if j == table.spec.spins {
                    (0..table.spec.around()).for_each(|k| table.put((i, j, k, m), [x, y, z, stick], solved));
                }
            }
        }
        Ok(table)
    }

    fn empty(spec: Spec) -> Table {
        let (count, logs) = (spec.nodes(), spec.ratios.iter().map(|ratio| ratio.ln()).collect());
        Table { spec, nodes: vec![[0.0; 4]; count], solved: vec![true; count], logs }
    }

    fn put(&mut self, at: (usize, usize, usize, usize), values: [f64; 4], solved: bool) {
        let at = self.index(at);
        self.nodes[at] = values.map(file::rounded);
        self.solved[at] = solved;
    }

    fn index(&self, (i, j, k, m): (usize, usize, usize, usize)) -> usize {
        ((i * (self.spec.spins + 1) + j) * self.spec.around() + k) * (self.spec.magnitudes + 1) + m
    }

    /// What it covers.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Share of the nodes that the elements could not resolve: large spin, between the last solution and full sliding.
    pub fn unsolved(&self) -> f64 {
        self.solved.iter().filter(|solved| !**solved).count() as f64 / self.solved.len() as f64
    }

    /// C₁₁, C₂₂, C₂₃, C₃₃ of the table's elements at the a/b of number i, from its slopes.
    pub fn coefficients(&self, i: usize) -> [f64; 4] {
        let (middle, [sx, sy, sz]) = (self.spec.directions, stretch(self.spec.ratios[i]));
        let along = self.nodes[self.index((i, 0, middle, 0))];
        let aside = self.nodes[self.index((i, 0, 2 * middle, 0))];
        let spin = self.nodes[self.index((i, self.spec.spins, middle, 0))];
        [-along[0] * sx, -aside[1] * sy, -spin[1] * sz, -spin[2] * sz]
    }
}
