//! Rolling step by step: from bodies at rest to steady rolling.
//!
//! Material flows through the contact. Over a step of the length ℓ = V Δt the slip of node i is
//!
//! ```text
//! s = s₀ + D[u] + [u̇]/V:    s_i = s₀ + (D u)_i + (u_i − u_i^before)/ℓ        implicit Euler, K = D W + W/ℓ
//! ℓ = Δx on even nodes:       s_i = s₀ + (u_i − u_{i+1}^before)/Δx              the exact shift, K = W/Δx
//! ```
//!
//! with the leading edge ([`super::Transport::Edge`]) added to either, so that rolling on and on ends in what [`Rolling::roll`] gives.
//! Inertia of the bodies is left out: V is small beside the speed of waves.
//!
//! # Unlike bodies
//! Where bodies are no mirror images u holds what the pressure does, [u_t] = W_tt F_t + W_tn F_n, and the pressure what the tractions do. Each
//! step then solves both, by turns as in steady rolling, from those of the last step: pressure with F_t frozen, tractions with F_n
//! frozen, until neither changes. The nodes that touch may change from step to step, and with them K. It begins with bodies that
//! are pressed together without tractions and carry the displacements of that pressure into the first step.
//!
//! # The constant in W
//! Steady rolling does not see a displacement that all nodes have in common, for D kills it. Transients do: the bodies' compliance
//! from hub to surface lets the whole contact move as its force rises, and Q relaxes over c dQ/dξ, several half-lengths. With
//! [`Reach::Local`] that constant is taken out, W − c 1 1ᵀ, c the least entry of W among the nodes that touch (what a force at one end of
//! the contact does at the other): for structures that have this compliance in a model of their own.
//!
//! # A structure
//! The displacement that was taken out may move with inertia instead: m ẍ + c ẋ + k x = Σ F_x, s = s₀ + D[u] + [u̇]/V + ẋ/V, an
//! oscillator ([`Structure`]) stepped by the modified θ-method ([`stickslip_core::scheme::theta`]) with Δt = ℓ/V. With k = 1/c its static
//! compliance is the one that [`Reach::Local`] leaves out: it is counted once. [`Reach::Whole`] and a structure count it twice, which is refused.
//!
//! # Energy
//! With U = ½ FᵀWF the step says F·Δu = ℓ F·(s − s₀ − D u), so that stored + heat + convection + numerical = drive with heat −ℓ F·s ≥ 0,
//! drive −ℓ F·s₀, convection ℓ F·D u (of the displacements before, where the shift is exact; edge included) and numerical ½ ΔFᵀWΔF, the
//! loss of implicit Euler.
//!
//! Of unlike bodies F and u have their normal parts, too, with u_n = g − g₀ + δ: the drive then has the work P Δδ of the load, and numerical
//! the F_n·g^before of nodes that come to touch within a step. Convection has the work of the torques on the axles besides: by ∫ r·∂x W r = 0
//! what the tractions lose to the displacements of the pressure is what the pressure gains on the slope of the profiles, P x̄ (1/R₁ + 1/R₂)
//! with x̄ the place of its resultant, up to terms of the order of approach over radius. It may be negative: unlike bodies that roll without
//! creepage make heat, and those torques pay for it.

mod ledger;
mod swing;
mod touching;

use std::sync::Arc;

use stickslip_core::inclusion::monotone::Found;
use stickslip_core::scheme::theta::Energy;

use super::RollError;
use super::normal::{Fitted, Normal};
use super::pair::Pair;
use super::rolling::{Kernel, Rolled, Rolling, total};
pub use swing::Structure;
use swing::Swing;
use touching::{Pace, Touching};

/// How much of the bodies' compliance a transient sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// All of it, from hub to surface.
    #[default]
    Whole,
    /// What is left without the displacement that all nodes that touch have in common.
    Local,
}

/// Spacings that differ by less than this share are even: a step of one element is then a shift.
const EVEN: f64 = 1e-6;

/// Least and greatest step, in elements.
pub const STRIDES: [f64; 2] = [0.01, 4.0];

/// Turns of pressure and tractions in a step after which to give up.
const MOST_TURNS: usize = 100;
/// Change of the forces over the load at which they have settled, and at which they may have where rounding lets them come no nearer.
const SETTLED: [f64; 2] = [1e-12, 1e-9];

/// A contact with a history.
#[derive(Debug)]
pub struct Transient<'a> {
    pair: &'a Pair,
    pace: Pace,
    steady: Arc<Kernel>,
    touching: Touching,
    normal: Normal,
    fitted: Option<Fitted>,
    /// Displacements of all nodes of the surface by the pressure alone; none for mirror images.
    pressed: Option<Vec<f64>>,
    swing: Option<Swing>,
    /// Tangential forces and displacements of all nodes, now and before the step.
    force: Vec<f64>,
    force_before: Vec<f64>,
    u: Vec<f64>,
    before: Vec<f64>,
    /// Steps made, and turns of the one that took most.
    steps: usize,
    turns: usize,
    energy: Energy,
    found: Found,
}

impl<'a> Transient<'a> {
    /// Bodies pressed together without tractions, about to roll with given creepages in steps of `stride` elements. `steady` is
    /// where that leads to.
    pub fn new(
        rolling: Rolling,
        pair: &'a Pair,
        steady: &Rolled,
        stride: f64,
        reach: Reach,
        structure: Option<Structure>,
    ) -> Result<Transient<'a>, RollError> {
        if !(STRIDES[0]..=STRIDES[1]).contains(&stride) {
            let wanted = "a step must be at least 0.01 and at most 4 elements long";
            return Err(RollError::Number { what: "length of a step over that of an element", value: stride, wanted });
        }
        if structure.is_some() && reach == Reach::Whole {
            return Err(RollError::Twice);
        }
        let surface = &pair.surface;
        let (normal, fitted) = if pair.is_coupled() {
            let normal = pair.press(rolling.pressing, None, &steady.normal.force)?;
            let fitted = pair.fit(&normal);
            (normal, fitted)
        } else {
            (steady.normal.clone(), steady.fitted)
        };
        let nodes = normal.touching();
        let dx = surface.x[nodes[0] + 1] - surface.x[nodes[0]];
        let length = stride * dx;
        let constant = match reach {
            Reach::Whole => 0.0,
            Reach::Local => {
                let all = nodes.iter().flat_map(|i| nodes.iter().map(move |j| (*i, *j)));
                all.map(|(i, j)| pair.w((i, 0), (j, 0))).fold(f64::INFINITY, f64::min)
            }
        };
        let swing = structure.map(|structure| Swing::new(structure, constant, length));
        let pace = Pace {
            rolling,
            creepage: steady.creepage,
            length,
            shifts: stride == 1.0 && surface.unevenness() < EVEN,
            constant,
            swung: swing.map_or(0.0, |swing| swing.slip_per_force()),
        };
        let zeros = || vec![0.0; surface.len() * pair.normal()];
        let pressed = pair.is_coupled().then(|| pair.pressed(&normal.force));
        let u = pressed.clone().unwrap_or_else(zeros);
        let mut transient = Transient {
            pair,
            pace,
            steady: steady.kernel(),
            touching: Touching::new(&pace, pair, &normal),
            normal,
            fitted,
            pressed,
            swing,
            force: zeros(),
            force_before: zeros(),
            before: u.clone(),
            u,
            steps: 0,
            turns: 1,
            energy: Energy::default(),
            found: steady.found,
        };
        transient.energy.start = transient.stored();
        transient.energy.stored = transient.energy.start;
        Ok(transient)
    }

    /// Distance rolled \[m\].
    pub fn distance(&self) -> f64 {
        self.steps as f64 * self.pace.length
    }

    /// Σ F on body 1 along x and y.
    pub fn force(&self) -> [f64; 2] {
        total(&self.touching.r, self.pair.normal())
    }

    /// Where the energy went so far.
    pub fn energy(&self) -> &Energy {
        &self.energy
    }

    /// How the last step was solved.
    pub fn found(&self) -> Found {
        self.found
    }

    /// The constant that was taken out of W \[m per N; in the plane m per N/m\].
    pub fn constant(&self) -> f64 {
        self.pace.constant
    }

    /// Displacement of the structure \[m\]; 0 where there is none.
    pub fn structure(&self) -> f64 {
        self.swing.map_or(0.0, |swing| swing.place())
    }

    /// Whether steps shift by one node exactly.
    pub fn shifts(&self) -> bool {
        self.pace.shifts
    }

    /// Share of the touching nodes that stick.
    pub fn stick_share(&self) -> f64 {
        let t = self.pair.normal();
        let stuck = self.touching.slip.chunks_exact(t).filter(|s| s.iter().all(|v| *v == 0.0)).count();
        stuck as f64 / self.touching.nodes.len().max(1) as f64
    }

    /// Rolls on by one step, from the forces of the last.
    pub fn step(&mut self) -> Result<(), RollError> {
        if let Some(swing) = &mut self.swing {
            swing.prepare();
        }
        std::mem::swap(&mut self.u, &mut self.before);
        self.force_before.copy_from_slice(&self.force);
        let pressure = self.pressed.is_some().then(|| self.normal.clone());
        self.tractions()?;
        if pressure.is_some() {
            self.settle()?;
        }
        self.displace();
        self.touching.select();
        self.book(pressure.as_ref());
        self.steps += 1;
        Ok(())
    }

    /// Tractions under the pressure as it is.
    fn tractions(&mut self) -> Result<(), RollError> {
        let (t, Pace { length, shifts, .. }) = (self.pair.normal(), self.pace);
        let touching = &mut self.touching;
        for (k, &i) in touching.nodes.iter().enumerate() {
            let came_from = if shifts { i + 1 } else { i };
            for a in 0..t {
                touching.b[k * t + a] = touching.rigid[k * t + a] - self.before[came_from * t + a] / length;
                if let Some(pressed) = &self.pressed {
                    let moved = pressed[i * t + a] / length;
                    touching.b[k * t + a] +=
                        if shifts { moved } else { moved + carried(&self.pace, self.pair, pressed, i, a) };
                }
                touching.r[k * t + a] = self.force[i * t + a];
            }
        }
        if let Some(swing) = &self.swing {
            touching.b.iter_mut().step_by(t).for_each(|b| *b += swing.free_slip());
        }
        self.found = touching.solve(&self.pace)?;
        self.force.fill(0.0);
        for (i, r) in touching.nodes.iter().zip(touching.r.chunks_exact(t)) {
            self.force[i * t..(i + 1) * t].copy_from_slice(r);
        }
        Ok(())
    }

    /// Pressure and tractions by turns, until neither changes; the tractions of the first turn are there.
    fn settle(&mut self) -> Result<(), RollError> {
        let change = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
        let (mut last, mut iterations, mut steps) = (f64::INFINITY, self.found.iterations, self.found.steps);
        let mut turned = self.force_before.clone();
        for turns in 1..=MOST_TURNS {
            let next = self.pair.press(self.pace.rolling.pressing, Some(&self.force), &self.normal.force)?;
            let moved = (change(&next.force, &self.normal.force) + change(&self.force, &turned)) / next.load;
            self.turns = self.turns.max(turns);
            if moved <= SETTLED[0] || (moved <= SETTLED[1] && moved >= last) {
                (self.found.iterations, self.found.steps) = (iterations, steps);
                self.fitted = self.pair.fit(&self.normal);
                return Ok(());
            }
            last = moved;
            self.pressed = Some(self.pair.pressed(&next.force));
            self.touching.follow(&self.pace, self.pair, &next);
            self.normal = next;
            turned.copy_from_slice(&self.force);
            self.tractions()?;
            (iterations, steps) = (iterations + self.found.iterations, steps + self.found.steps);
        }
        Err(RollError::Turns { change: last, rounds: MOST_TURNS })
    }

    /// Displacements by the forces found.
    fn displace(&mut self) {
        self.touching.w.apply(&self.touching.r, &mut self.u);
        if let Some(pressed) = &self.pressed {
            self.u.iter_mut().zip(pressed).for_each(|(u, pressed)| *u += pressed);
        }
    }

    /// The contact as it is now.
    pub fn rolled(&self) -> Rolled {
        let (surface, t) = (&self.pair.surface, self.pair.normal());
        let mut slip = vec![0.0; surface.len() * t];
        let mut stick = vec![false; surface.len()];
        let mut moment = 0.0;
        let ys = surface.y();
        for (k, &i) in self.touching.nodes.iter().enumerate() {
            let (f, s) = (&self.touching.r[k * t..(k + 1) * t], &self.touching.slip[k * t..(k + 1) * t]);
            slip[i * t..(i + 1) * t].copy_from_slice(s);
            stick[i] = s.iter().all(|v| *v == 0.0);
            if t == 2 {
                moment += surface.x[i] * f[1] - ys[i] * f[0];
            }
        }
        Rolled::at(
            self.steady.clone(),
            self.pace.creepage,
            (self.normal.clone(), self.fitted),
            (self.force.clone(), slip, stick),
            (self.force(), moment),
            (self.found, self.turns),
        )
    }
}

/// (D u)_i of displacements, component a of node i.
fn carried(pace: &Pace, pair: &Pair, u: &[f64], i: usize, a: usize) -> f64 {
    let t = pair.normal();
    pace.rolling.stencil(&pair.surface.x, i).iter().map(|(j, c)| c * u[j * t + a]).sum()
}
