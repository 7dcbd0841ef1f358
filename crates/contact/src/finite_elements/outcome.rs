//! From W of two bodies to tractions: rolling steadily or step by step, and what came out on a regular grid.

use stickslip_core::inclusion::monotone::Limits;
use stickslip_core::scheme::theta::Energy;

use super::Pressing;
use super::case::{FeError, FiniteElements};
use super::pair::Pair;
use super::rolling::{Rolled, Rolling, Transport};
use super::transient::{Reach, Transient};
use crate::case::{self, Course, Moment, Outcome};
use crate::grid::Grid;
use crate::normal::Contact;
use crate::patch::Creepage;
use crate::tangential::{Drive, Motion, Solution, Status};

/// One step of rolling step by step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// Distance rolled \[m\].
    pub distance: f64,
    /// Force on body 1 \[N\].
    pub force: [f64; 2],
    /// Share of the touching nodes that stick.
    pub stick_share: f64,
    /// Residual reached.
    pub residual: f64,
    /// Iterations of the splitting and steps of Newton.
    pub iterations: usize,
    /// Energy so far.
    pub energy: Energy,
    /// Displacement of the structure \[m\].
    pub structure: f64,
}

/// What came out of rolling step by step.
#[derive(Debug, Clone)]
pub struct RolledOn {
    /// The contact at the end.
    pub rolled: Rolled,
    /// Where it leads to.
    pub steady: Rolled,
    /// All steps.
    pub stages: Vec<Stage>,
    /// A few of them as a whole, with their distances.
    pub frames: Vec<(f64, Rolled)>,
    /// The constant that was taken out of W \[m per N\].
    pub constant: f64,
    /// Whether steps shift by one node exactly.
    pub shifts: bool,
}

/// Where on the way the contact is kept as a whole, as shares of all steps.
const FRAMES: [f64; 8] = [0.01, 0.03, 0.06, 0.12, 0.25, 0.4, 0.7, 1.0];

impl FiniteElements {
    /// What presses, and how it is solved.
    pub fn rolling(&self) -> Result<Rolling, FeError> {
        self.check()?;
        let pressing = match self.case.pressing {
            case::Pressing::Load(load) | case::Pressing::LoadPerLength(load) => Pressing::Load(load),
            case::Pressing::Approach(approach) => Pressing::Approach(approach),
        };
        Ok(Rolling {
            pressing,
            friction: self.case.friction.sticking(),
            material: self.case.material(),
            transport: self.meshing.transport,
            way: self.meshing.way,
            limits: Limits { tolerance: self.case.settings.tolerance, ..Limits::default() },
        })
    }

    /// Rolls step by step from rest, with the bodies' compliance as given; `progress` hears of every step. An error where the case is
    /// not transient.
    pub fn roll_on(&self, pair: &Pair, reach: Reach, progress: &mut dyn FnMut(usize)) -> Result<RolledOn, FeError> {
        let Course::Transient { steps, .. } = self.case.course else {
            return Err(FeError::NotHere { what: "steady rolling step by step", help: "write kind = \"transient\"" });
        };
        let (rolling, steady) = (self.rolling()?, self.roll(pair)?);
        // The structure stands for what is left out; beside the whole compliance there is none.
        let structure = self.meshing.structure.filter(|_| reach == Reach::Local);
        let stride = self.meshing.stride.unwrap_or(1.0);
        let mut transient = Transient::new(rolling, pair, &steady, stride, reach, structure)?;
        let framed = |k: usize| FRAMES.iter().any(|share| (share * steps as f64).round().max(1.0) as usize == k);
        let (mut stages, mut frames) = (Vec::with_capacity(steps), Vec::new());
        for k in 1..=steps {
            transient.step()?;
            let found = transient.found();
            stages.push(Stage {
                distance: transient.distance(),
                force: transient.force(),
                stick_share: transient.stick_share(),
                residual: found.residual.relative,
                iterations: found.iterations + found.steps,
                energy: *transient.energy(),
                structure: transient.structure(),
            });
            if framed(k) {
                frames.push((transient.distance(), transient.rolled()));
            }
            progress(k);
        }
        let (constant, shifts) = (transient.constant(), transient.shifts());
        Ok(RolledOn { rolled: transient.rolled(), steady, stages, frames, constant, shifts })
    }

    /// Rolls steadily as the case says, or as it will in the end.
    pub fn roll(&self, pair: &Pair) -> Result<Rolled, FeError> {
        let rolling = self.rolling()?;
        let (Course::Steady(motion) | Course::Transient { motion, .. }) = self.case.course else {
            return Err(FeError::NotHere { what: "a shift", help: "write kind = \"steady\"" });
        };
        let Motion { x, y, spin: phi } = motion;
        let creepage = |drive| if let Drive::Creepage(creepage) = drive { creepage } else { 0.0 };
        let given = Creepage { xi: creepage(x), eta: creepage(y), phi };
        let rolled = match (x, y) {
            (Drive::Force(force), _) => rolling.with_force(pair, given, 0, force)?,
            (_, Drive::Force(force)) => rolling.with_force(pair, given, 1, force)?,
            _ => rolling.roll(pair, given, None)?,
        };
        Ok(rolled)
    }

    /// The same of rolling step by step, with its history.
    pub fn outcome_of_steps(&self, pair: &Pair, rolled: &RolledOn) -> Result<Outcome, FeError> {
        let mut outcome = self.outcome(pair, &rolled.rolled)?;
        let Creepage { xi, eta, .. } = rolled.rolled.creepage;
        let moment = |stage: &Stage| Moment {
            distance: stage.distance,
            creepage: [xi, eta],
            // Rounding of what symmetry forbids is left out, as at the end.
            force: [0, 1].map(|k| if outcome.solution.force[k] == 0.0 { 0.0 } else { stage.force[k] }),
            stick_share: stage.stick_share,
            residual: stage.residual,
            iterations: stage.iterations,
        };
        outcome.history = rolled.stages.iter().map(moment).collect();
        for (distance, frame) in &rolled.frames {
            let solution = self.outcome(pair, frame)?.solution;
            outcome.frames.push(case::Frame { distance: *distance, solution });
        }
        Ok(outcome)
    }

    /// The solution as tractions on a regular grid of elements around the nodes, for tables and pictures. Nodes that are not
    /// regular are shown by their nearest neighbours; totals are those of the nodes.
    pub fn outcome(&self, pair: &Pair, rolled: &Rolled) -> Result<Outcome, FeError> {
        let surface = &pair.surface;
        let (nx, ny) = (surface.rows.iter().map(|row| row.len).max().unwrap_or(0), surface.rows.len());
        let reach = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            (values[0], values[values.len() - 1])
        };
        let (x0, x1) = reach(surface.x.clone());
        let dx = (x1 - x0) / (nx as f64 - 1.0);
        let grid = if surface.plane {
            let half = 0.5 * (x1 - x0 + dx);
            // A line has its middle at 0; meshes that are brought in may have it elsewhere.
            Grid::line(nx, half)?
        } else {
            let (y0, y1) = reach(surface.y());
            Grid::new(nx, ny, dx, (y1 - y0) / (ny as f64 - 1.0), x0, y0)?
        };
        let nearest = |k: usize| {
            let (i, j) = grid.at(k);
            let row = &surface.rows[j];
            let x = x0 + i as f64 * dx;
            row.nodes()
                .min_by(|a, b| (surface.x[*a] - x).abs().total_cmp(&(surface.x[*b] - x).abs()))
                .unwrap_or(row.first)
        };
        let node: Vec<usize> = (0..grid.len()).map(nearest).collect();
        let t = pair.normal();
        let component = |values: &[f64], k: usize, c: usize| if c < t { values[node[k] * t + c] } else { 0.0 };
        let all = |f: &dyn Fn(usize) -> f64| (0..grid.len()).map(f).collect::<Vec<f64>>();
        let size = |k: usize| surface.size[node[k]];
        let pressure = all(&|k| rolled.normal.force[node[k]] / size(k));
        let status = |k: usize| match (pressure[k] > 0.0, rolled.stick[node[k]]) {
            (false, _) => Status::Exterior,
            (true, true) => Status::Stick,
            (true, false) => Status::Slip,
        };
        let status = (0..grid.len()).map(status).collect();
        let mut contact = Contact::from_pressure(grid, self.case.material(), pressure)?;
        contact.approach = rolled.normal.approach;
        contact.load = rolled.normal.load;
        contact.residual = rolled.normal.residual;
        contact.iterations = rolled.normal.rounds;
        let Creepage { xi, eta, phi } = rolled.creepage;
        let iterations = rolled.found.iterations + rolled.found.steps;
        let residual = rolled.found.residual.relative;
        let solution = Solution {
            grid,
            status,
            traction_x: all(&|k| component(&rolled.tangential, k, 0) / size(k)),
            traction_y: all(&|k| component(&rolled.tangential, k, 1) / size(k)),
            slip_x: all(&|k| component(&rolled.slip, k, 0)),
            slip_y: all(&|k| component(&rolled.slip, k, 1)),
            slip_ahead: if self.meshing.transport == Transport::Second { 0.0 } else { 0.5 },
            creepage: [xi, eta],
            spin: phi,
            force: rolled.force,
            moment: rolled.moment,
            limit: self.case.friction.sticking() * rolled.normal.load,
            stick_share: rolled.stick_share(),
            residual,
            iterations,
        };
        let solution = match self.case.course {
            Course::Steady(motion) | Course::Transient { motion, .. } if self.is_symmetric() => {
                let [force, xi] = [solution.force[0], solution.creepage[0]];
                let mut solution = solution.of_symmetric_contact(motion);
                // Unlike bodies have a force along x without creepage.
                if pair.is_coupled() {
                    (solution.force[0], solution.creepage[0]) = (force, xi);
                }
                solution
            }
            _ => solution,
        };
        let moment = Moment {
            distance: 0.0,
            creepage: [xi, eta],
            force: solution.force,
            stick_share: rolled.stick_share(),
            residual,
            iterations,
        };
        let outline = self.case.outline()?;
        Ok(Outcome { contact, outline, solution, history: vec![moment], frames: Vec::new() })
    }
}
