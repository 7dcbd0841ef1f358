//! The θ-method of Jean (1999) for linear systems with unilateral and frictional contacts, one step size.
//!
//! ```text
//! M ü + C u̇ + K u = F + Hᵀ r
//! unilateral rows:   0 ≤ r ⟂ g = g₀ + H u ≥ 0
//! frictional rows:   s = w + T u + H u̇,      −s ∈ N_C(r),      C an interval or a disk
//! ```
//!
//! w is the rigid slip \[m/s\]: V s₀ of two bodies that roll over each other with the creepage s₀; T = V D H carries
//! displacements through a contact that stays in its place while material flows through it (the Eulerian frame). T = 0 for
//! contacts that move with the bodies.
//!
//! # The step
//! With A = M + hθC + h²θ²K, factorised once, and forces F_θ = θF⁺ + (1−θ)F,
//!
//! ```text
//! v⁺ = A⁻¹[(M − h(1−θ)C − h²θ(1−θ)K) v − hK u + hF_θ] + h A⁻¹Hᵀ r,      u⁺ = u + h v_θ,      v_θ = θv⁺ + (1−θ)v
//! ```
//!
//! r acts over the whole step. Friction is on the slip at its end. Unilateral contact is judged in the *shifted configuration*
//! ũ = u + h(1−θ)v, for which ũ⁺ = ũ + h v⁺ ([`Judged::Shifted`]):  0 ≤ r ⟂ g(ũ) + h H v⁺ ≥ 0. A contact that is closed
//! before and after a step has H v⁺ = 0 exactly: shocks are inelastic, without a coefficient and without chatter. From step to step
//! g(ũ) ≥ 0 stays. At a start, or where the step becomes longer in the middle of a blow, u may be open and ũ beyond the contact; a gap
//! g(ũ) < 0 would then throw back with H v⁺ = −g(ũ)/h, up to (1−θ)|H v| whatever the step, so max(0, g(ũ)) is judged: the blow falls within
//! this step, inelastic, and the contact stays beyond by what the mean velocity carried it, at most h(1−θ)|H v|. Signorini's law
//! on u⁺ itself ([`Judged::End`]) gives H v⁺ = −((1−θ)/θ) H v instead, a bounce that is elastic for θ = ½ where the blow falls on the
//! end of a step, and has the restitution |2α − 1| where it falls the share α of a step after its beginning.
//!
//! # Energy
//! Multiplied by h v_θ the step says, with E = ½ vᵀMv + ½ uᵀKu,
//!
//! ```text
//! ΔE = −(θ−½)(|Δv|²_M + |Δu|²_K) − h v_θᵀC v_θ + h v_θᵀF_θ + h r·H v_θ
//! ```
//!
//! so that contacts must be booked with v_θ. Of frictional rows r·H v_θ = r·s⁺ + r·H(v_θ − v⁺) − r·w − r·T u⁺: the first two are
//! heat, −r·w is what the drive gives, r·T u⁺ is lost by convection. Heat is never negative for θ = 1. For θ < 1 a slip
//! that reverses within a step may gain at most (1−θ) h |r| |H v|, with |v| of the order of h.
//!
//! # Validity
//! A must be regular; M may be singular (bodies without mass), and then θ = 1 is the choice, since θ < 1 carries velocities of
//! massless parts from step to step. Order 2 for θ = ½ and 1 for θ > ½ in smooth motion, 1 where a contact opens or closes.

use stickslip_linalg::{Lu, Matrix};

use crate::inclusion::monotone::{Limits, Monotone, NotReached, Room, Way};
use crate::law::{Disk, HalfLine, Interval, Law, LawError, Product, Set, State};
use crate::mechanics::Judged;

/// Relative residual to which the contacts of a step are solved.
const TOLERANCE: f64 = 1e-13;

/// What a contact can transmit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contact {
    /// One row of H: it pushes along it, and the gap is g₀ + H u \[m\].
    Unilateral {
        /// g₀.
        gap: f64,
    },
    /// One row: |r| ≤ the bound \[N\].
    Along {
        /// μN.
        bound: f64,
    },
    /// Two rows: a disk of this radius \[N\].
    Disk {
        /// μN.
        bound: f64,
    },
}

impl Contact {
    fn law(self) -> Result<Law, LawError> {
        Ok(match self {
            Contact::Unilateral { .. } => Law::HalfLine(HalfLine),
            Contact::Along { bound } => Law::Interval(Interval::symmetric(bound)?),
            Contact::Disk { bound } => Law::Disk(Disk::new(bound)?),
        })
    }
}

/// A linear system with contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// M, symmetric.
    pub mass: Matrix,
    /// C, symmetric.
    pub damping: Matrix,
    /// K, symmetric.
    pub stiffness: Matrix,
    /// H: as many rows as the contacts have components.
    pub rows: Matrix,
    /// T, of the same size; none where nothing is carried. Its rows of unilateral contacts are of no effect.
    pub carried: Option<Matrix>,
    /// The contacts.
    pub contacts: Vec<Contact>,
}

/// Where the energy went \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Stored: ½ vᵀMv + ½ uᵀKu.
    pub stored: f64,
    /// Stored at the start.
    pub start: f64,
    /// Turned into heat by dampers.
    pub damping: f64,
    /// Turned into heat by contacts.
    pub heat: f64,
    /// Given by forces and by the rigid slip.
    pub drive: f64,
    /// Lost by convection, r·T u.
    pub convection: f64,
    /// Lost by the scheme, (θ−½)(|Δv|²_M + |Δu|²_K).
    pub numerical: f64,
}

impl Energy {
    /// What is missing: 0 but for rounding.
    pub fn missing(&self) -> f64 {
        self.start + self.drive - self.stored - self.damping - self.heat - self.convection - self.numerical
    }
}

/// Where a system is.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Displacements.
    pub u: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Contact forces of the last step.
    pub r: Vec<f64>,
    /// Slips at its end; of unilateral rows H v. Exactly 0.0 where a contact sticks or stays closed.
    pub slip: Vec<f64>,
    /// What the contacts do.
    pub states: Vec<State>,
    /// Energy so far.
    pub energy: Energy,
    /// Greatest gain of energy from the contacts in one step \[J\].
    pub gain: f64,
}

/// Why there is no method.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ThetaError {
    /// θ out of range.
    #[error("theta = {0}: it must lie between 0.5 and 1")]
    Theta(f64),
    /// A step that is none.
    #[error("a step of {0} s: it must be finite and greater than 0")]
    Step(f64),
    /// Matrices that do not fit.
    #[error("{0}: matrices and contacts do not fit each other")]
    Sizes(&'static str),
    /// M + hθC + h²θ²K has no inverse.
    #[error("M + hθC + h²θ²K is singular: something has neither mass nor spring")]
    Singular,
    /// A bound that is none.
    #[error(transparent)]
    Law(#[from] LawError),
    /// Contact forces were not found.
    #[error("contact forces: {0}")]
    NotReached(#[from] NotReached),
}

/// Everything that does not change between steps, and room to work in: a step allocates nothing while contacts are few.
#[derive(Debug, Clone)]
pub struct ThetaMethod {
    system: Linear,
    h: f64,
    theta: f64,
    judged: Judged,
    /// A⁻¹: velocities are as many as forces can be applied to, tens to hundreds.
    inverse: Matrix,
    /// h A⁻¹Hᵀ.
    push: Matrix,
    laws: Product,
    solver: Monotone,
    /// For rows with a single entry and nothing carried: its column and value.
    single: Vec<Option<(usize, f64)>>,
    room: Room,
    b: Vec<f64>,
    /// What a row adds to H v⁺.
    added: Vec<f64>,
    free: Vec<f64>,
    load: Vec<f64>,
    shifted: Vec<f64>,
    mean: Vec<f64>,
    product: Vec<f64>,
    x: Vec<f64>,
}

impl ThetaMethod {
    /// Prepares steps of size h.
    pub fn new(system: Linear, h: f64, theta: f64, judged: Judged) -> Result<ThetaMethod, ThetaError> {
        if !(0.5..=1.0).contains(&theta) {
            return Err(ThetaError::Theta(theta));
        }
        if !(h.is_finite() && h > 0.0) {
            return Err(ThetaError::Step(h));
        }
        let laws: Result<Vec<Law>, LawError> = system.contacts.iter().map(|contact| contact.law()).collect();
        let laws = Product::new(laws?);
        let (n, m) = (system.mass.rows(), laws.dim());
        let square = |a: &Matrix| a.rows() == n && a.cols() == n;
        if ![&system.mass, &system.damping, &system.stiffness].into_iter().all(square) {
            return Err(ThetaError::Sizes("M, C, K"));
        }
        let wide = |a: &Matrix| a.rows() == m && (a.cols() == n || m == 0);
        if !wide(&system.rows) || !system.carried.as_ref().is_none_or(wide) {
            return Err(ThetaError::Sizes("H, T"));
        }
        let Linear { mass, damping, stiffness, rows, carried, .. } = &system;
        let a = Matrix::from_fn(n, n, |i, j| {
            mass[(i, j)] + h * theta * damping[(i, j)] + h * h * theta * theta * stiffness[(i, j)]
        });
        let inverse = inverse(&a).ok_or(ThetaError::Singular)?;
        let push = Matrix::from_fn(n, m, |i, k| h * dot(inverse.row(i), rows.row(k)));
        let influence = Matrix::from_fn(m, m, |k, l| {
            let carry = |j: usize| carried.as_ref().map_or(0.0, |t| h * theta * t[(k, j)]);
            let unilateral = |k: usize| laws.iter().any(|(law, at)| at.contains(&k) && matches!(law, Law::HalfLine(_)));
            let row = |j: usize| if unilateral(k) { rows[(k, j)] } else { rows[(k, j)] + carry(j) };
            (0..n).map(|j| row(j) * push[(j, l)]).sum()
        });
        let one = |k: usize| {
            let mut entries = (0..n).filter(|j| rows[(k, *j)] != 0.0);
            let still = carried.as_ref().is_none_or(|t| t.row(k).iter().all(|v| *v == 0.0));
            entries.next().filter(|_| entries.next().is_none() && still).map(|j| (j, rows[(k, j)]))
        };
        let single = (0..m).map(one).collect();
        let solver = Monotone::of(influence, &laws);
        let (rows, columns) = (vec![0.0; m], vec![0.0; n]);
        Ok(ThetaMethod {
            h,
            theta,
            judged,
            inverse,
            push,
            solver,
            single,
            room: Room::new(m),
            b: rows.clone(),
            added: rows.clone(),
            x: rows,
            free: columns.clone(),
            load: columns.clone(),
            shifted: columns.clone(),
            mean: columns.clone(),
            product: columns,
            laws,
            system,
        })
    }

    /// A start.
    pub fn start(&self, u: &[f64], v: &[f64]) -> Motion {
        let rows = vec![0.0; self.laws.dim()];
        let mut motion = Motion {
            u: u.to_vec(),
            v: v.to_vec(),
            r: rows.clone(),
            slip: rows,
            states: vec![State::Open; self.laws.len()],
            energy: Energy::default(),
            gain: 0.0,
        };
        let stored = self.stored(&motion);
        motion.energy = Energy { start: stored, stored, ..Energy::default() };
        motion
    }

    /// Another bound μN of a frictional contact from the next step on.
    pub fn set_bound(&mut self, contact: usize, bound: f64) -> Result<(), LawError> {
        let law = match self.system.contacts[contact] {
            Contact::Unilateral { .. } => return Ok(()),
            Contact::Along { .. } => Contact::Along { bound },
            Contact::Disk { .. } => Contact::Disk { bound },
        };
        self.laws.set(contact, law.law()?);
        Ok(())
    }

    /// How forces change the slips at the end of a step: (H + hθT) h A⁻¹Hᵀ.
    pub fn influence(&self) -> &Matrix {
        self.solver.operator()
    }

    fn stored(&self, motion: &Motion) -> f64 {
        0.5 * (quadratic(&self.system.mass, &motion.v) + quadratic(&self.system.stiffness, &motion.u))
    }

    /// One step with the force F_θ on the coordinates and the rigid slips w of the rows.
    pub fn step(&mut self, motion: &mut Motion, force: &[f64], rigid: &[f64]) -> Result<(), ThetaError> {
        let (h, theta, late) = (self.h, self.theta, 1.0 - self.theta);
        self.without_contacts(motion, force);
        self.slips_without_contacts(motion, rigid);
        let limits = Limits { tolerance: TOLERANCE, ..Limits::default() };
        self.solver.solve_in(&mut self.room, &self.b, &self.laws, &mut motion.r, Way::Both, limits)?;
        for (i, v) in self.free.iter_mut().enumerate() {
            *v += dot(self.push.row(i), &motion.r);
        }
        self.select(motion);
        let ThetaMethod { system, free, mean, product, .. } = self;
        for (i, mean) in mean.iter_mut().enumerate() {
            *mean = theta * free[i] + late * motion.v[i];
        }
        let energy = &mut motion.energy;
        energy.damping += h * quadratic(&system.damping, mean);
        let forced = h * dot(mean, force);
        for (product, (new, old)) in product.iter_mut().zip(free.iter().zip(&motion.v)) {
            *product = new - old;
        }
        let blow = quadratic(&system.mass, product);
        energy.numerical += (theta - 0.5) * (blow + h * h * quadratic(&system.stiffness, mean));
        motion.v.copy_from_slice(free);
        motion.u.iter_mut().zip(mean.iter()).for_each(|(u, mean)| *u += h * mean);
        let [heat, drive, convection] = self.book(motion, rigid);
        let stored = self.stored(motion);
        let energy = &mut motion.energy;
        energy.drive += forced + drive;
        energy.heat += heat;
        energy.convection += convection;
        energy.stored = stored;
        motion.gain = motion.gain.max(-heat);
        Ok(())
    }

    /// Velocities without contact forces, and the shifted configuration.
    fn without_contacts(&mut self, motion: &Motion, force: &[f64]) {
        let (h, theta, late) = (self.h, self.theta, 1.0 - self.theta);
        let Linear { mass, damping, stiffness, .. } = &self.system;
        for (shifted, (u, v)) in self.shifted.iter_mut().zip(motion.u.iter().zip(&motion.v)) {
            *shifted = u + h * late * v;
        }
        // u + hθ(1−θ)v, which K acts on.
        for (product, (u, v)) in self.product.iter_mut().zip(motion.u.iter().zip(&motion.v)) {
            *product = u + h * theta * late * v;
        }
        for (i, load) in self.load.iter_mut().enumerate() {
            *load = dot(mass.row(i), &motion.v) - h * dot(stiffness.row(i), &self.product) + h * force[i];
            if late > 0.0 {
                *load -= h * late * dot(damping.row(i), &motion.v);
            }
        }
        self.inverse.apply(&self.load, &mut self.free);
    }

    /// b: slips (of unilateral rows: gaps over the step) without contact forces.
    fn slips_without_contacts(&mut self, motion: &Motion, rigid: &[f64]) {
        let (h, theta, late) = (self.h, self.theta, 1.0 - self.theta);
        for (c, (contact, (_, at))) in self.system.contacts.iter().zip(self.laws.iter()).enumerate() {
            for k in at {
                let row = self.system.rows.row(k);
                let mut b = dot(row, &self.free);
                self.added[k] = match (*contact, self.judged) {
                    // A contact that is closed has no gap, whatever rounding says.
                    (Contact::Unilateral { .. }, Judged::Shifted) if motion.states[c] == State::Stick => 0.0,
                    (Contact::Unilateral { .. }, Judged::End) if motion.states[c] == State::Stick => {
                        late * dot(row, &motion.v) / theta
                    }
                    (Contact::Unilateral { gap }, Judged::End) => (gap + dot(row, &self.shifted)) / (h * theta),
                    (Contact::Unilateral { gap }, _) => {
                        let apart = (gap + dot(row, &self.shifted)) / h;
                        // Beyond it only at a start, or after a step that was shorter: the blow falls within this step.
                        if apart < 0.0 { 0.0 } else { apart }
                    }
                    _ => match &self.system.carried {
                        None => rigid[k],
                        Some(t) => {
                            b += h * theta * dot(t.row(k), &self.free);
                            rigid[k] + dot(t.row(k), &self.shifted)
                        }
                    },
                };
                self.b[k] = b + self.added[k];
            }
        }
    }

    /// States, and slips that are zero exactly where contacts stick; a velocity that a stuck contact alone decides fits exactly.
    fn select(&mut self, motion: &mut Motion) {
        let weights = self.solver.weights();
        self.solver.operator().apply(&motion.r, &mut motion.slip);
        for (k, slip) in motion.slip.iter_mut().enumerate() {
            *slip += self.b[k];
            self.x[k] = motion.r[k] - *slip / weights[k];
        }
        for (c, (law, at)) in self.laws.iter().enumerate() {
            motion.states[c] = law.state(&self.x[at.clone()]);
            let stuck = motion.states[c] == State::Stick;
            for k in at {
                if stuck {
                    motion.slip[k] = 0.0;
                    if let Some((i, value)) = self.single[k] {
                        self.free[i] = if self.added[k] == 0.0 { 0.0 } else { -self.added[k] / value };
                    }
                }
                if matches!(law, Law::HalfLine(_)) && !(stuck && self.added[k] == 0.0) {
                    motion.slip[k] = dot(self.system.rows.row(k), &self.free);
                }
            }
        }
    }

    /// Heat, drive and convection of the step just made.
    fn book(&self, motion: &Motion, rigid: &[f64]) -> [f64; 3] {
        let h = self.h;
        let [mut heat, mut drive, mut convection] = [0.0; 3];
        for (contact, (_, at)) in self.system.contacts.iter().zip(self.laws.iter()) {
            for k in at {
                let (r, work) = (motion.r[k], dot(self.system.rows.row(k), &self.mean));
                if matches!(contact, Contact::Unilateral { .. }) {
                    heat -= h * r * work;
                    continue;
                }
                let carried = self.system.carried.as_ref().map_or(0.0, |t| dot(t.row(k), &motion.u));
                heat -= h * r * (work + rigid[k] + carried);
                drive -= h * r * rigid[k];
                convection += h * r * carried;
            }
        }
        [heat, drive, convection]
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// xᵀ A x.
fn quadratic(a: &Matrix, x: &[f64]) -> f64 {
    (0..a.rows()).map(|i| x[i] * dot(a.row(i), x)).sum()
}

/// The inverse of a small matrix; none if it has none.
fn inverse(a: &Matrix) -> Option<Matrix> {
    let n = a.rows();
    let factors = Lu::new(a);
    let mut inverse = Matrix::zeros(n, n);
    let mut column = vec![0.0; n];
    for j in 0..n {
        column.fill(0.0);
        column[j] = 1.0;
        factors.solve(&mut column);
        for (i, value) in column.iter().enumerate() {
            inverse[(i, j)] = *value;
        }
    }
    inverse.data().iter().all(|v| v.is_finite()).then_some(inverse)
}
