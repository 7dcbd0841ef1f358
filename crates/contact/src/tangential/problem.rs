//! What steady and transient rolling have in common: a contact cut out of its grid, motions checked and set.

use rustfft::FftPlanner;
use stickslip_core::law::{Coefficient, State};

use super::falling::Falling;
use super::leading::Leading;
use super::level::{End, Level};
use super::operator::SlipOperator;
use super::{Drive, Motion, Settings, Solution, Status, Transport};
use crate::edge;
use crate::error::{Error, below_limit, finite, positive};
use crate::grid::Grid;
use crate::normal::Contact;
use crate::progress::Watch;

/// A tangential problem on the smallest box around the contact.
pub(super) struct Problem {
    grid: Grid,
    part: Grid,
    corner: (usize, usize),
    pub level: Level,
    pub settings: Settings,
    /// μN, with the greatest μ.
    limit: f64,
    elements: usize,
    /// Where slips belong, in elements ahead of the centres.
    pub slip_ahead: f64,
    /// Friction that depends on the slip.
    falling: Option<Falling>,
}

impl Problem {
    pub(super) fn new(
        contact: &Contact,
        friction: f64,
        settings: Settings,
        carriage: SlipOperator,
    ) -> Result<Problem, Error> {
        positive("coefficient of friction", friction, "")?;
        positive("tolerance", settings.tolerance, "")?;
        finite("slip point", settings.slip_point(), "elements")?;
        let grid = *contact.grid();
        let (i0, j0, nx, ny) = contact.extent();
        let part = grid.part(i0, j0, nx, ny);
        let mut bound = Vec::with_capacity(nx * ny);
        for j in j0..j0 + ny {
            let first = i0 + j * grid.nx();
            bound.extend(contact.pressure()[first..first + nx].iter().map(|p| friction * p));
        }
        let slip_ahead = if carriage == SlipOperator::Second { 0.0 } else { 0.5 };
        let limit = bound.iter().sum::<f64>() * grid.area();
        let elements = bound.iter().filter(|b| **b > 0.0).count();
        let mut level = Level::new(&mut FftPlanner::new(), part, contact.material(), bound, carriage);
        if settings.transport == Transport::Edge {
            level.leading = edge::compliances(contact)?
                .into_iter()
                .map(|(k, compliance)| {
                    let (i, j) = grid.at(k);
                    Leading { at: i - i0 + (j - j0) * nx, compliance }
                })
                .collect();
        }
        Ok(Problem { grid, part, corner: (i0, j0), level, settings, limit, elements, slip_ahead, falling: None })
    }

    /// The same with a coefficient of friction that depends on the slip speed, at the rolling speed V.
    pub(super) fn falling(
        contact: &Contact,
        law: &Coefficient,
        speed: f64,
        settings: Settings,
        carriage: SlipOperator,
    ) -> Result<Problem, Error> {
        law.check()?;
        positive("rolling speed", speed, "m/s")?;
        let sticking = law.sticking();
        let mut problem = Problem::new(contact, sticking, settings, carriage)?;
        let pressure = problem.level.bound.iter().map(|b| b / sticking).collect();
        problem.falling = Some(Falling::new(law.clone(), speed, pressure));
        Ok(problem)
    }

    /// Solves the motion that was set, from nothing or from the tractions of the level. Slips are divided by `scale` to be
    /// those over the rolling speed; none if nothing rolls, and the friction is that of sticking.
    pub(super) fn solve(&mut self, from_nothing: bool, scale: Option<f64>, watch: Watch) -> End {
        let Settings { tolerance, max_iterations, .. } = self.settings;
        match (&mut self.falling, scale) {
            (Some(falling), Some(scale)) => {
                falling.solve(&mut self.level, from_nothing, scale, tolerance, max_iterations, watch)
            }
            _ if from_nothing => self.level.solve(tolerance, max_iterations, watch),
            _ => self.level.improve(tolerance, max_iterations, watch),
        }
    }

    /// Elements of the box.
    pub(super) fn part(&self) -> &Grid {
        &self.part
    }

    /// Checks a motion and sets creepages, prescribed sums and the rigid slip of spin, all times `rolled`; none in a shift,
    /// whose creepages are distances and whose spin is an angle.
    pub(super) fn set(&mut self, motion: Motion, rolled: Option<f64>, slip_point: f64) -> Result<(), Error> {
        let (scale, names) = match rolled {
            Some(scale) => (scale, [("creepage ξ", ""), ("creepage η", ""), ("spin", "1/m")]),
            None => (1.0, [("shift along x", "m"), ("shift along y", "m"), ("angle turned", "rad")]),
        };
        finite(names[2].0, motion.spin, names[2].1)?;
        let (mut force, mut forced) = ([0.0; 2], false);
        let mut totals = self.level.totals;
        for (k, (drive, name)) in [(motion.x, "force F_x"), (motion.y, "force F_y")].into_iter().enumerate() {
            match drive {
                Drive::Creepage(c) => {
                    totals.sum[k] = None;
                    totals.creepage[k] = scale * finite(names[k].0, c, names[k].1)?;
                }
                Drive::Force(f) => {
                    force[k] = finite(name, f, self.grid.force_unit())?;
                    forced = true;
                    totals.sum[k] = Some(f / self.part.area());
                }
            }
        }
        if forced {
            below_limit(force, self.limit, self.grid.force_unit())?;
        }
        self.check_spin(motion.spin, rolled)?;
        let grid = self.part;
        for k in 0..grid.len() {
            let (i, j) = grid.at(k);
            self.level.bx[k] = -scale * motion.spin * grid.y(j);
            self.level.by[k] = scale * motion.spin * (grid.x(i) + slip_point * grid.dx());
        }
        self.level.totals = totals;
        Ok(())
    }

    /// Force and moment of tractions against the rigid slip of (ξ, η, φ), all at their bounds.
    pub(super) fn sliding(&self, [xi, eta, spin]: [f64; 3]) -> ([f64; 2], f64) {
        let (grid, ahead) = (self.part, self.settings.slip_point() * self.part.dx());
        let (mut force, mut moment) = ([0.0; 2], 0.0);
        for (k, bound) in self.level.bound.iter().enumerate() {
            let (i, j) = grid.at(k);
            let slip = [xi - spin * grid.y(j), eta + spin * (grid.x(i) + ahead)];
            let size = slip[0].hypot(slip[1]);
            if size > 0.0 {
                let r = slip.map(|s| -bound * (s / size) * grid.area());
                force = [force[0] + r[0], force[1] + r[1]];
                moment += grid.x(i) * r[1] - grid.y(j) * r[0];
            }
        }
        (force, moment)
    }

    /// The zone about the pole of spin in which an element may stick must not be smaller than an element.
    fn check_spin(&self, spin: f64, rolled: Option<f64>) -> Result<(), Error> {
        let side = if self.grid.is_plane() { self.grid.dx() } else { self.grid.dx().max(self.grid.dy()) };
        let greatest = self.level.bound.iter().copied().fold(0.0, f64::max);
        let limit = self.level.operator.own * greatest / rolled.unwrap_or(1.0);
        let change = spin.abs() * side;
        if change > limit {
            return Err(Error::Spin { spin, change, limit, element: limit / spin.abs(), shifted: rolled.is_none() });
        }
        Ok(())
    }

    /// The result, or the error that it did not converge. Slips and creepages are divided by `scale`.
    pub(super) fn finish(&self, end: End, motion: Motion, scale: f64) -> Result<Solution, Error> {
        if end.residual > self.settings.tolerance || end.residual.is_nan() {
            return Err(Error::NoConvergence {
                what: "tangential problem",
                residual: end.residual,
                tolerance: self.settings.tolerance,
                iterations: end.iterations,
            });
        }
        let zeros = || vec![0.0; self.grid.len()];
        let mut solution = Solution {
            grid: self.grid,
            status: vec![Status::Exterior; self.grid.len()],
            traction_x: zeros(),
            traction_y: zeros(),
            slip_x: zeros(),
            slip_y: zeros(),
            slip_ahead: self.slip_ahead,
            creepage: self.level.totals.creepage.map(|c| c / scale),
            spin: motion.spin,
            force: [0.0; 2],
            moment: 0.0,
            limit: self.limit,
            stick_share: 0.0,
            residual: end.residual,
            iterations: end.iterations,
        };
        let mut stuck = 0;
        for k in 0..self.part.len() {
            let (i, j) = self.part.at(k);
            let at = i + self.corner.0 + (j + self.corner.1) * self.grid.nx();
            let (rx, ry) = (self.level.rx[k], self.level.ry[k]);
            (solution.traction_x[at], solution.traction_y[at]) = (rx, ry);
            solution.force[0] += rx * self.part.area();
            solution.force[1] += ry * self.part.area();
            solution.moment += (self.part.x(i) * ry - self.part.y(j) * rx) * self.part.area();
            match self.level.state(k) {
                State::Open => {}
                State::Stick => {
                    solution.status[at] = Status::Stick;
                    stuck += 1;
                }
                State::Slip(_) => {
                    solution.status[at] = Status::Slip;
                    (solution.slip_x[at], solution.slip_y[at]) = (self.level.sx[k] / scale, self.level.sy[k] / scale);
                }
            }
        }
        solution.stick_share = stuck as f64 / self.elements as f64;
        Ok(solution)
    }
}
