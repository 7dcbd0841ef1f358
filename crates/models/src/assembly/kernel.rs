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

use super::network::{Drive, Path, Taken};
use super::state::{AssemblyState, AssemblyWorkspace};
use super::{Assembly, Motion};
use stickslip_core::inclusion::SolveError;
use stickslip_core::inclusion::coupled::Coupled;
use stickslip_core::mechanics::{Clock, Judged, Kernel, Stop, SystemError};
use stickslip_core::mechanics::{Line, Lines};
use stickslip_core::scheme::ROUNDING;

/// Signals whose lines travel with the kernel; of assemblies with more the state keeps them.
const CARRIED: usize = 6;

/// A time over which the slope of a formula is taken at the start \[s\].
const BRIEF: f64 = 1e-7;

/// A change of a speed within rounding of the time by more than this share is a jump.
const JUMP: f64 = 1e-6;

/// Steps of an assembly between two breaks of its signals.
#[derive(Debug, Clone, Copy)]
pub struct AssemblyKernel<'a> {
    assembly: &'a Assembly,
    /// Number of the first step.
    from: u64,
    clock: Clock,
    lines: [Line; CARRIED],
    /// Whether the speed of a support jumps in the first step.
    struck: bool,
}

impl<'a> AssemblyKernel<'a> {
    pub(super) fn new(assembly: &'a Assembly, n: u64, clock: Clock) -> Result<(AssemblyKernel<'a>, u64), SystemError> {
        let mut lines = Lines::new(n, clock);
        let mut carried = [Line { value: 0.0, per_step: 0.0 }; CARRIED];
        for k in 0..assembly.network.signals.list.len() {
            let line = assembly.line(k, clock.theta, &mut lines)?;
            if let Some(place) = carried.get_mut(k) {
                *place = line;
            }
        }
        let (near, walls) = (ROUNDING * clock.h, !assembly.walls.is_empty());
        let strikes = |from: f64, to: f64| walls && assembly.strikes(from - near, to - near);
        let struck = strikes(clock.time(n), clock.time(n + 1));
        // Only the first step of a kernel strikes.
        if strikes(clock.time(n + 1), clock.time(n + 1) + 2.0 * near) {
            lines.bend();
        }
        Ok((AssemblyKernel { assembly, from: n, clock, lines: carried, struck }, lines.valid()))
    }

    /// Has the solver for this step size and the lines ready in the state.
    #[inline]
    fn prepare(&self, w: &mut AssemblyWorkspace) -> Result<(), SystemError> {
        if w.filled == Some((self.from, self.clock)) { Ok(()) } else { self.fill(w) }
    }

    fn fill(&self, w: &mut AssemblyWorkspace) -> Result<(), SystemError> {
        let (net, h) = (&self.assembly.network, self.clock.h);
        if w.solver.as_ref().is_none_or(|(of, _)| *of != h || w.theta != self.clock.theta) {
            let theta = self.clock.theta;
            let s = net.matrix(h * theta, h * h * theta * theta);
            let moving = !net.motions.is_empty() || net.contacts.len() > self.assembly.parameters.pads.len();
            let solver = Coupled::new(&s, net.rows.clone(), &net.contact_dims, h, moving);
            let solver = solver.ok_or(SystemError::Inclusion(SolveError::NotFinite))?;
            w.solver = Some((h, Box::new(solver)));
        }
        w.filled = Some((self.from, self.clock));
        w.theta = self.clock.theta;
        w.judged = self.clock.judged;
        let count = net.signals.list.len();
        if count <= CARRIED {
            w.lines.iter_mut().zip(&self.lines).for_each(|(to, from)| *to = *from);
        } else {
            let mut lines = Lines::new(self.from, self.clock);
            for (k, line) in w.lines.iter_mut().enumerate() {
                // Read once before, by `new`: there is no error left to find.
                if let Ok(read) = self.assembly.line(k, self.clock.theta, &mut lines) {
                    *line = read;
                }
            }
        }
        Ok(())
    }

    /// One step. True if a contact changed.
    #[inline]
    fn step(&self, n: u64, u: &mut AssemblyState, w: &mut AssemblyWorkspace) -> Result<bool, SystemError> {
        let steps = (n - self.from) as i64 as f64;
        for (value, line) in w.values.iter_mut().zip(&w.lines) {
            *value = line.at(steps);
        }
        let (h, assembly) = (self.clock.h, self.assembly);
        w.struck = self.struck && n == self.from;
        assembly.move_supports(u, w, h);
        assembly.gather(u, w, h);
        assembly.limit(u, w, h);
        self.solve(u, w)?;
        if assembly.drops && assembly.hold_reversals(u, w) {
            self.solve(u, w)?;
            if assembly.pass_aside(u, w) {
                self.solve(u, w)?;
            }
            if assembly.release_reversals(u, w) {
                self.solve(u, w)?;
            }
        }
        if assembly.any_lets_go(u) {
            let solve = |u: &mut AssemblyState, w: &mut AssemblyWorkspace| self.solve(u, w);
            assembly.hold_ties((&mut *u, &mut *w, h), solve)?;
        }
        if w.judged != Judged::Impact {
            self.between_walls(n, u, w)?;
        }
        Ok(assembly.take(u, w, h))
    }

    /// Solves again while bodies pass a wall that was not looked at.
    fn between_walls(&self, n: u64, u: &mut AssemblyState, w: &mut AssemblyWorkspace) -> Result<(), SystemError> {
        let (h, assembly) = (self.clock.h, self.assembly);
        for _ in 0..=2 * assembly.walls.len() {
            if !assembly.turn_to_other_walls(u, w, h) {
                w.sides.fill(0.0);
                return Ok(());
            }
            self.solve(u, w)?;
        }
        let why = format!("a body would pass from one wall to the other within a step of {h} s: take a shorter step");
        Err(SystemError::Ends { t: self.clock.time(n), why })
    }

    #[inline]
    fn solve(&self, u: &mut AssemblyState, w: &mut AssemblyWorkspace) -> Result<(), SystemError> {
        let Some((_, solver)) = &mut w.solver else { return Ok(()) };
        let before = [solver.newton_solves(), solver.general_solves()];
        solver.solve(&w.momentum, &w.added, &w.bounds, &mut u.answer).map_err(SystemError::Inclusion)?;
        u.harder[0] += solver.newton_solves() - before[0];
        u.harder[1] += solver.general_solves() - before[1];
        Ok(())
    }
}

impl Assembly {
    fn line(&self, k: usize, theta: f64, lines: &mut Lines) -> Result<Line, SystemError> {
        let (what, taken, signal) = &self.network.signals.list[k];
        match taken {
            Taken::AsBound => lines.end_bound(what, signal),
            Taken::Within if theta < 1.0 => lines.within(what, signal, theta),
            Taken::Within | Taken::AtEnd => lines.end(what, signal),
        }
    }

    /// Whether the speed of a support jumps after one instant and until another: a step that ends at a jump has the speed before it
    /// ([`Lines`]), so that it is the next one which strikes.
    fn strikes(&self, from: f64, to: f64) -> bool {
        self.parameters.supports.iter().flat_map(|support| &support.motion).any(|motion| match motion {
            Motion::Still => false,
            Motion::Speed(signal) => signal.breaks_within(from, to).any(|t| {
                let [before, after] = [signal.at(t.next_down()), signal.at(t)];
                (after - before).abs() > JUMP * (after.abs() + before.abs())
            }),
            Motion::Position(signal) => signal.breaks_within(from, to).any(|t| {
                let [before, after] = [signal.rate(t.next_down()), signal.rate(t)].map(|rate| rate.unwrap_or(0.0));
                (after - before).abs() > JUMP * (after.abs() + before.abs())
            }),
        })
    }

    /// Speeds of the supports at the start.
    pub(super) fn set_support_speeds(&self, u: &mut AssemblyState, t: f64) {
        for (k, motion) in self.network.motions.iter().enumerate() {
            let signal = |line: usize| &self.network.signals.list[line].2;
            u.support_speed[k] = match *motion {
                Path::Speed(Drive::Constant(value)) => value,
                Path::Speed(Drive::Line(line)) => signal(line).at(t),
                Path::Position(Drive::Line(line)) => {
                    let slope = || (signal(line).at(t + BRIEF) - signal(line).at(t)) / BRIEF;
                    signal(line).rate(t).unwrap_or_else(slope)
                }
                Path::Still | Path::Position(Drive::Constant(_)) => 0.0,
            };
        }
    }

    #[inline]
    fn move_supports(&self, u: &mut AssemblyState, w: &AssemblyWorkspace, h: f64) {
        for (k, motion) in self.network.motions.iter().enumerate() {
            match motion {
                Path::Still => {}
                Path::Speed(drive) => {
                    u.support_speed[k] = drive.at(&w.values);
                    u.support[k] += h * u.support_speed[k];
                }
                Path::Position(drive) => {
                    let position = drive.at(&w.values);
                    u.support_speed[k] = (position - u.support[k]) / h;
                    u.support[k] = position;
                }
            }
        }
    }
}

impl Kernel for AssemblyKernel<'_> {
    type State = AssemblyState;
    type Workspace = AssemblyWorkspace;

    fn advance(
        &self,
        n: u64,
        end: u64,
        state: &mut AssemblyState,
        work: &mut AssemblyWorkspace,
    ) -> Result<(u64, Stop), SystemError> {
        self.prepare(work)?;
        for k in n..end {
            if self.step(k, state, work)? {
                return Ok((k + 1, Stop::Event));
            }
        }
        Ok((end, Stop::Time))
    }
}
