//! One step of an assembly.
//!
//! ```text
//! (M + hθC + h²θ²K) v⁺ = M v + h [F − (1−θ) C v − K (q + hθ(1−θ) v)] + h Hᵀ r,      −s⁺ ∈ N_C(r),
//! q⁺ = q + h v_θ,      v_θ = θ v⁺ + (1−θ) v
//! ```
//!
//! θ = 1 is implicit Euler with F at the end of the step, θ = ½ the scheme of Moreau and Jean with F in the middle.
//! Stops, tables, loads from springs and μ(|s|) are taken at the beginning of the step (displacements a share 1 − θ
//! into it).

use super::Assembly;
use super::network::{Drive, Path};
use super::state::AssemblyState;
use crate::inclusion::SolveError;
use crate::inclusion::coupled::Coupled;
use crate::mechanics::{Kernel, SystemError};
use crate::model::line::{Line, Lines};

/// Signals whose lines travel with the kernel; of assemblies with more the state keeps them.
const CARRIED: usize = 6;

/// Steps of an assembly between two breaks of its signals.
#[derive(Debug, Clone, Copy)]
pub struct AssemblyKernel<'a> {
    assembly: &'a Assembly,
    /// Number of the first step.
    from: u64,
    h: f64,
    lines: [Line; CARRIED],
}

impl<'a> AssemblyKernel<'a> {
    pub(super) fn new(assembly: &'a Assembly, n: u64, h: f64) -> Result<(AssemblyKernel<'a>, u64), SystemError> {
        let mut lines = Lines::new(n, h);
        let mut carried = [Line { value: 0.0, per_step: 0.0 }; CARRIED];
        for k in 0..assembly.network.signals.list.len() {
            let line = assembly.line(k, &mut lines)?;
            if let Some(place) = carried.get_mut(k) {
                *place = line;
            }
        }
        Ok((AssemblyKernel { assembly, from: n, h, lines: carried }, lines.valid()))
    }

    /// Has the solver for this step size and the lines ready in the state.
    #[inline]
    fn prepare(&self, u: &mut AssemblyState) {
        if u.room.filled != Some((self.from, self.h)) {
            self.fill(u);
        }
    }

    fn fill(&self, u: &mut AssemblyState) {
        let net = &self.assembly.network;
        if u.room.solver.as_ref().is_none_or(|(h, _)| *h != self.h) {
            let theta = self.assembly.parameters.theta;
            let s = net.matrix(self.h * theta, self.h * self.h * theta * theta);
            let moving = !net.motions.is_empty() || net.contacts.len() > self.assembly.parameters.pads.len();
            match Coupled::new(&s, net.rows.clone(), &net.contact_dims, self.h, moving) {
                Some(solver) => {
                    let mut answer = solver.answer();
                    answer.v.copy_from_slice(&u.v);
                    u.room.answer = Some(answer);
                    u.room.solver = Some((self.h, Box::new(solver)));
                }
                None => u.failure = Some(SolveError::NotFinite),
            }
        }
        u.room.filled = Some((self.from, self.h));
        let count = net.signals.list.len();
        if count <= CARRIED {
            u.room.lines.iter_mut().zip(&self.lines).for_each(|(to, from)| *to = *from);
        } else {
            let mut lines = Lines::new(self.from, self.h);
            for (k, line) in u.room.lines.iter_mut().enumerate() {
                // Read once before, by `new`: there is no error left to find.
                if let Ok(read) = self.assembly.line(k, &mut lines) {
                    *line = read;
                }
            }
        }
    }

    fn make(&self, n: u64, u: &mut AssemblyState) -> bool {
        let steps = (n - self.from) as i64 as f64;
        for (value, line) in u.room.values.iter_mut().zip(&u.room.lines) {
            *value = line.at(steps);
        }
        let (h, assembly) = (self.h, self.assembly);
        assembly.move_supports(u, h);
        assembly.gather(u, h);
        assembly.limit(u, h);
        let Some((_, solver)) = &mut u.room.solver else { return true };
        let Some(answer) = &mut u.room.answer else { return true };
        if let Err(error) = solver.solve(&u.room.momentum, &u.room.added, &u.room.bounds, answer) {
            u.failure = Some(error);
            return true;
        }
        assembly.take(u, h)
    }
}

impl Assembly {
    fn line(&self, k: usize, lines: &mut Lines) -> Result<Line, SystemError> {
        let (what, bound, signal) = &self.network.signals.list[k];
        if *bound {
            lines.end_bound(what, signal)
        } else if self.parameters.theta < 1.0 && *what == "a force" {
            lines.within(what, signal, self.parameters.theta)
        } else {
            lines.end(what, signal)
        }
    }

    /// Speeds of the supports at the start.
    pub(super) fn set_support_speeds(&self, u: &mut AssemblyState, t: f64) {
        for (k, motion) in self.network.motions.iter().enumerate() {
            if let Path::Speed(drive) = motion {
                u.support_speed[k] = match *drive {
                    Drive::Constant(value) => value,
                    Drive::Line(line) => self.network.signals.list[line].2.at(t),
                };
            }
        }
    }

    #[inline]
    fn move_supports(&self, u: &mut AssemblyState, h: f64) {
        for (k, motion) in self.network.motions.iter().enumerate() {
            match motion {
                Path::Still => {}
                Path::Speed(drive) => {
                    u.support_speed[k] = drive.at(&u.room.values);
                    u.support[k] += h * u.support_speed[k];
                }
                Path::Position(drive) => {
                    let position = drive.at(&u.room.values);
                    u.support_speed[k] = (position - u.support[k]) / h;
                    u.support[k] = position;
                }
            }
        }
    }
}

impl Kernel for AssemblyKernel<'_> {
    type State = AssemblyState;

    #[inline]
    fn step(&self, n: u64, u: &mut AssemblyState) -> bool {
        self.prepare(u);
        u.failure.is_some() || self.make(n, u)
    }
}
