//! One contact from its data to its tractions: what a scenario of rolling contact describes.
//!
//! Two bodies with their principal radii and materials, pressed together, and then shifted, rolled step by step, or rolled
//! steadily. The grid covers 1.1 times Hertz's contact unless its size is given. SI units.

use std::ops::ControlFlow;

use stickslip_core::law::Coefficient;

use crate::error::{Error, below_limit};
use crate::grid::Grid;
use crate::hertz::{Ellipse, HertzError, Radii, Strip, curvatures};
use crate::material::Material;
use crate::normal::{self, Contact, Load, Undeformed};
use crate::progress::{Iteration, Watch, unwatched};
use crate::tangential::{Drive, Motion, Settings, Solution, Steady, Transient};
use stickslip_core::range::quantity;

/// How much larger than Hertz's contact the grid is unless told otherwise.
const ROOM: f64 = 1.1;

/// Fewest elements along and across Hertz's contact. From there on forces are off by at most 0.04 μN; with fewer the
/// error grows without bound, and four elements slip as one (docs/rolling.md 3).
pub const FEWEST: usize = 8;

/// Most elements of a grid: 1024 × 1024.
pub const MOST: usize = 1 << 20;

/// Greatest creepage that a force may ask for: beyond it the bodies slide rather than roll.
const GREATEST_CREEPAGE: f64 = 1.0;

/// One body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Principal radii at the contact; in line contact only that in the rolling direction counts.
    pub radii: Radii,
    /// What it is made of.
    pub material: Material,
}

/// What presses the bodies together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pressing {
    /// A load \[N\], > 0.
    Load(f64),
    /// An approach of distant points \[m\], > 0.
    Approach(f64),
    /// Parallel cylinders in plane strain under a load per length [N/m], > 0.
    LoadPerLength(f64),
}

/// The elements.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Elements {
    /// How many in the rolling direction (default 44, in line contact 110).
    pub along: Option<usize>,
    /// How many across (default 44; in line contact there is one).
    pub across: Option<usize>,
    /// Length of the grid in the rolling direction \[m\], about the middle (default 1.1 times Hertz's).
    pub length: Option<f64>,
    /// Width of the grid \[m\] (default likewise).
    pub width: Option<f64>,
}

/// What the bodies do once pressed together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Course {
    /// Body 1 is shifted over body 2 without rolling; creepages of the motion are distances \[m\].
    Shift(Motion),
    /// They roll by `steps` elements.
    Transient {
        /// Creepages or forces, constant.
        motion: Motion,
        /// Number of steps of one element.
        steps: usize,
        /// Whether the motion's forces shift the bodies before they roll; else there are no tractions at the start. Creepages
        /// and spin belong to rolling: what they prescribe is held at 0 in the shift.
        shifted: bool,
    },
    /// They roll for ever.
    Steady(Motion),
}

/// A contact problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// Body 1 (the wheel) and body 2.
    pub bodies: [Body; 2],
    /// What presses them together.
    pub pressing: Pressing,
    /// Coefficient of friction, μ(0) > 0; a shift has the coefficient of sticking.
    pub friction: Coefficient,
    /// Rolling speed V [m/s], > 0 where the friction depends on the slip speed V|s|, else of no effect.
    pub speed: f64,
    /// The grid.
    pub elements: Elements,
    /// What they do.
    pub course: Course,
    /// Order and tolerance.
    pub settings: Settings,
}

/// Hertz's solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outline {
    /// Of doubly curved bodies.
    Ellipse(Ellipse),
    /// Of parallel cylinders.
    Strip(Strip),
}

/// Why a case has no solution.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CaseError {
    /// The bodies do not make a Hertz contact.
    #[error(transparent)]
    Hertz(#[from] HertzError),
    /// Refused or not solved on the grid.
    #[error(transparent)]
    Contact(#[from] Error),
    /// Rolling that begins with a shift, and no force that shifts.
    #[error(
        "rolling that begins with a shift needs a force that shifts the bodies; creepages and spin shift nothing at rest"
    )]
    Unforced,
    /// A force so near to the limit that what it asks for is beyond the theory.
    #[error(
        "the force {} is {:.6} of what friction transmits, and asks for {what} of {found:.3e}{length}, where no more than \
         {most:.3e}{length} makes sense: this near to the limit the force says little about it",
        quantity(*force, unit), force.abs() / limit, length = if *what == "a shift" { " m" } else { "" }
    )]
    Beyond {
        /// The prescribed force along x or y.
        force: f64,
        /// μN on the grid.
        limit: f64,
        /// Unit of both: N, or N/m in line contact.
        unit: &'static str,
        /// `a creepage` or `a shift`, which is in metres.
        what: &'static str,
        /// What was found.
        found: f64,
        /// The greatest that makes sense: a creepage of 1, a shift by half the contact.
        most: f64,
    },
}

/// What a grid takes, roughly, on one core.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Elements along and across.
    pub elements: [usize; 2],
    /// Memory \[bytes\].
    pub bytes: f64,
    /// Time of the first solution from nothing \[s\]; steps of transient rolling take a part of it each.
    pub seconds: f64,
}

/// What a solution is at, for whoever waits for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Work {
    /// Influence numbers of so many elements along and across are being made ready for the pressure, or for the tractions.
    Influence([usize; 2]),
    /// The pressure is being found.
    Pressure(Iteration),
    /// Tractions are being found.
    Tractions {
        /// Which of the solutions, from 1.
        solution: usize,
        /// Of how many, see [`Case::solutions`].
        of: usize,
        /// How far it is.
        iteration: Iteration,
    },
}

/// Who is told what is being done, and may break off.
pub type Progress<'a> = &'a mut dyn FnMut(Work) -> ControlFlow<()>;

/// One step of the way to the result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// Distance rolled \[m\].
    pub distance: f64,
    /// Creepages; of a shift, also of one before rolling (distance 0), the distances \[m\].
    pub creepage: [f64; 2],
    /// Force on body 1 \[N\].
    pub force: [f64; 2],
    /// Share of the elements in contact that stick.
    pub stick_share: f64,
    /// Residual reached.
    pub residual: f64,
    /// Iterations made.
    pub iterations: usize,
}

/// Tractions and slips on the way to the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Distance rolled \[m\].
    pub distance: f64,
    /// Tractions and slips there.
    pub solution: Solution,
}

/// Where on the way frames are kept, as shares of all steps: more at the beginning, where most changes.
const FRAMES: [f64; 8] = [0.0, 0.04, 0.1, 0.2, 0.33, 0.5, 0.75, 1.0];

/// Elements beyond which no frames are kept: they would take more memory than the solution.
const MOST_FRAMED: usize = 1 << 16;

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The pressure.
    pub contact: Contact,
    /// Hertz's solution of the same problem.
    pub outline: Outline,
    /// Tractions and slips at the end.
    pub solution: Solution,
    /// All steps; one unless they roll step by step.
    pub history: Vec<Moment>,
    /// A few of them as a whole, if they roll step by step on a grid that is not too fine.
    pub frames: Vec<Frame>,
}

impl Outline {
    /// Half the length in the rolling direction \[m\].
    pub fn a(&self) -> f64 {
        match self {
            Outline::Ellipse(ellipse) => ellipse.a,
            Outline::Strip(strip) => strip.a,
        }
    }

    /// Greatest pressure \[Pa\].
    pub fn p0(&self) -> f64 {
        match self {
            Outline::Ellipse(ellipse) => ellipse.p0,
            Outline::Strip(strip) => strip.p0,
        }
    }
}

impl Case {
    /// Both materials as one.
    pub fn material(&self) -> Material {
        Material::pair(self.bodies[0].material, self.bodies[1].material)
    }

    /// Whether it is a line contact in plane strain.
    pub fn is_line(&self) -> bool {
        matches!(self.pressing, Pressing::LoadPerLength(_))
    }

    fn force_unit(&self) -> &'static str {
        if self.is_line() { "N/m" } else { "N" }
    }

    /// Hertz's solution.
    pub fn outline(&self) -> Result<Outline, CaseError> {
        let [first, second] = self.bodies.map(|body| body.radii);
        let material = self.material();
        match self.pressing {
            Pressing::Load(load) | Pressing::LoadPerLength(load) if load.is_nan() || load <= 0.0 => {
                Err(Error::Load { load, unit: self.force_unit() }.into())
            }
            Pressing::Approach(approach) if approach.is_nan() || approach <= 0.0 => {
                Err(Error::NoContact { approach, least: 0.0 }.into())
            }
            Pressing::Load(load) => Ok(Outline::Ellipse(Ellipse::under_load(first, second, material, load)?)),
            Pressing::Approach(approach) => {
                Ok(Outline::Ellipse(Ellipse::at_approach(first, second, material, approach)?))
            }
            Pressing::LoadPerLength(load) => Ok(Outline::Strip(Strip::under_load(first.x, second.x, material, load)?)),
        }
    }

    /// The grid, if Hertz's contact is at least [`FEWEST`] of its elements long and wide and it has at most [`MOST`].
    pub fn grid(&self) -> Result<Grid, CaseError> {
        let Elements { along, across, length, width } = self.elements;
        let half = |given: Option<f64>, hertz: f64| given.map_or(ROOM * hertz, |size| 0.5 * size);
        let grid = match self.outline()? {
            Outline::Ellipse(ellipse) => {
                let (nx, ny) = (along.unwrap_or(44), across.unwrap_or(44));
                let grid = Grid::centred(nx, ny, half(length, ellipse.a), half(width, ellipse.b))?;
                resolved("along", ellipse.a, grid.dx(), nx)?;
                resolved("across", ellipse.b, grid.dy(), ny)?;
                grid
            }
            Outline::Strip(strip) => {
                let nx = along.unwrap_or(110);
                let grid = Grid::line(nx, half(length, strip.a))?;
                resolved("along", strip.a, grid.dx(), nx)?;
                grid
            }
        };
        if grid.len() > MOST {
            return Err(Error::TooMany { nx: grid.nx(), ny: grid.ny(), most: MOST }.into());
        }
        Ok(grid)
    }

    /// Refuses what needs no solution to be refused: bodies without a contact, grids that are too coarse or too large,
    /// forces that friction cannot transmit.
    pub fn check(&self) -> Result<(), CaseError> {
        self.grid()?;
        let (Course::Shift(motion) | Course::Steady(motion) | Course::Transient { motion, .. }) = self.course;
        if matches!(self.course, Course::Transient { shifted: true, .. }) && !forced(motion) {
            return Err(CaseError::Unforced);
        }
        let force = |drive| if let Drive::Force(force) = drive { force } else { 0.0 };
        match self.pressing {
            Pressing::Load(load) | Pressing::LoadPerLength(load) => {
                Ok(below_limit([force(motion.x), force(motion.y)], self.friction.sticking() * load, self.force_unit())?)
            }
            Pressing::Approach(_) => Ok(()),
        }
    }

    /// What the grid takes. Measured from 44 × 44 to 160 × 160 elements (docs/rolling.md 6) and at 1000 × 1000.
    pub fn cost(&self) -> Result<Cost, CaseError> {
        let grid = self.grid()?;
        let count = grid.len() as f64;
        Ok(Cost {
            elements: [grid.nx(), grid.ny()],
            bytes: 630.0 * count,
            seconds: 0.36 * (count / 25_600.0).powf(1.42),
        })
    }

    /// The pressure on the grid.
    pub fn press(&self) -> Result<Contact, CaseError> {
        self.press_watched(&mut unwatched)
    }

    fn press_watched(&self, watch: Watch) -> Result<Contact, CaseError> {
        let [first, second] = self.bodies.map(|body| body.radii);
        let flat = f64::INFINITY;
        let (shape, load) = match self.pressing {
            Pressing::LoadPerLength(load) => {
                let line = |r: Radii, y| Radii { x: r.x, y };
                let (along, _) = curvatures(line(first, 1.0), line(second, flat))?;
                (Undeformed::Paraboloid { a: 0.5 / along, b: flat }, Load::Force(load))
            }
            Pressing::Load(load) => (paraboloid(first, second)?, Load::Force(load)),
            Pressing::Approach(approach) => (paraboloid(first, second)?, Load::Approach(approach)),
        };
        let settings = normal::Settings { tolerance: self.settings.tolerance, ..Default::default() };
        Ok(Contact::solve_watched(self.grid()?, self.material(), shape, load, &settings, watch)?)
    }

    /// What an element under this pressure transmits at the most at this slip, given over the rolling speed.
    pub fn bound(&self, pressure: f64, slip: f64) -> f64 {
        self.friction.at(self.speed * slip) * pressure
    }

    fn steady(&self, contact: &Contact) -> Result<Steady, Error> {
        match self.friction {
            Coefficient::Constant(mu) => Steady::new(contact, mu, self.settings),
            _ => Steady::with_law(contact, &self.friction, self.speed, self.settings),
        }
    }

    fn transient(&self, contact: &Contact) -> Result<Transient, Error> {
        match self.friction {
            Coefficient::Constant(mu) => Transient::new(contact, mu, self.settings),
            _ => Transient::with_law(contact, &self.friction, self.speed, self.settings),
        }
    }

    /// How many solutions for the tractions it takes: one, or one for each step and for a shift before them.
    pub fn solutions(&self) -> usize {
        match self.course {
            Course::Steady(_) | Course::Shift(_) => 1,
            Course::Transient { steps, shifted, .. } => usize::from(shifted) + steps.max(1),
        }
    }

    /// The steps that are kept as a whole.
    fn framed(&self, elements: usize) -> Vec<usize> {
        match self.course {
            Course::Transient { steps, .. } if elements <= MOST_FRAMED => {
                FRAMES.iter().map(|share| (share * steps as f64).round() as usize).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Solves it. `progress` is told what is being done, at each iteration and before what has none.
    pub fn solve(&self, progress: &mut dyn FnMut(Work)) -> Result<Outcome, CaseError> {
        self.solve_until(&mut |work| {
            progress(work);
            ControlFlow::Continue(())
        })
    }

    /// The same, unless `progress` breaks off: then the error is that of a tolerance that was not reached.
    pub fn solve_until(&self, progress: Progress) -> Result<Outcome, CaseError> {
        let (outline, grid) = (self.outline()?, self.grid()?);
        let elements = [grid.nx(), grid.ny()];
        // What follows breaks off by itself: it asks before its first iteration ends.
        let _ = progress(Work::Influence(elements));
        let contact = self.press_watched(&mut |iteration| progress(Work::Pressure(iteration)))?;
        let _ = progress(Work::Influence(elements));
        let mut history = Vec::new();
        let (mut frames, framed) = (Vec::new(), self.framed(grid.len()));
        let mut seen = |solution: &Solution, steps: usize| {
            let distance = steps as f64 * grid.dx();
            history.push(moment(solution, distance));
            if framed.contains(&steps) {
                frames.push(Frame { distance, solution: solution.clone() });
            }
        };
        let solution = match self.course {
            Course::Steady(motion) => {
                let mut watch = tractions(progress, 1, 1);
                let solution = self.steady(&contact)?.solve_watched(motion, &mut watch)?.of_symmetric_contact(motion);
                seen(&solution, 0);
                solution
            }
            Course::Shift(motion) => {
                let mut watch = tractions(progress, 1, 1);
                let solution =
                    self.transient(&contact)?.shift_watched(motion, &mut watch)?.of_symmetric_contact(motion);
                seen(&solution, 0);
                solution
            }
            Course::Transient { motion, steps, shifted } => {
                let mut rolling = self.transient(&contact)?;
                let (before, of) = (usize::from(shifted), self.solutions());
                if shifted {
                    let mut watch = tractions(progress, 1, of);
                    let motion = at_rest(motion);
                    seen(&rolling.shift_watched(motion, &mut watch)?.of_symmetric_contact(motion), 0);
                }
                let mut step = |k: usize| -> Result<Solution, Error> {
                    let mut watch = tractions(progress, before + k, of);
                    let solution = rolling.step_watched(motion, &mut watch)?.of_symmetric_contact(motion);
                    seen(&solution, k);
                    Ok(solution)
                };
                let mut last = step(1)?;
                for k in 2..=steps {
                    last = step(k)?;
                }
                last
            }
        };
        self.sensible(&solution, &contact)?;
        Ok(Outcome { contact, outline, solution, history, frames })
    }

    /// Refuses creepages and shifts beyond sense that a force near the limit has asked for.
    fn sensible(&self, solution: &Solution, contact: &Contact) -> Result<(), CaseError> {
        let (_, _, nx, ny) = contact.extent();
        let half = [0.5 * nx as f64 * contact.grid().dx(), 0.5 * ny as f64 * contact.grid().dy()];
        let (what, most, motion) = match self.course {
            // Along an infinitely long contact only its length is a measure.
            Course::Shift(motion) if self.is_line() => ("a shift", [half[0]; 2], motion),
            Course::Shift(motion) => ("a shift", half, motion),
            Course::Steady(motion) | Course::Transient { motion, .. } => ("a creepage", [GREATEST_CREEPAGE; 2], motion),
        };
        for (k, drive) in [motion.x, motion.y].into_iter().enumerate() {
            if let Drive::Force(force) = drive
                && solution.creepage[k].abs() > most[k]
            {
                let (limit, found, most) = (solution.limit, solution.creepage[k], most[k]);
                return Err(CaseError::Beyond { force, limit, unit: contact.grid().force_unit(), what, found, most });
            }
        }
        Ok(())
    }
}

/// Whether a force is prescribed.
fn forced(motion: Motion) -> bool {
    [motion.x, motion.y].iter().any(|drive| matches!(drive, Drive::Force(_)))
}

/// What the forces of a motion that rolls shift at rest: creepages and spin, which are per distance rolled, are no distances and
/// no angle.
fn at_rest(motion: Motion) -> Motion {
    let held = |drive| if let Drive::Force(_) = drive { drive } else { Drive::Creepage(0.0) };
    Motion { x: held(motion.x), y: held(motion.y), spin: 0.0 }
}

/// Who hears of the iterations of one solution for the tractions.
fn tractions<'a>(progress: Progress<'a>, solution: usize, of: usize) -> impl FnMut(Iteration) -> ControlFlow<()> + 'a {
    move |iteration| progress(Work::Tractions { solution, of, iteration })
}

/// Refuses elements that are too large for a contact of this half-length.
fn resolved(direction: &'static str, half: f64, element: f64, count: usize) -> Result<(), Error> {
    let (size, least) = (2.0 * half, FEWEST);
    let across = size / element;
    // A grid laid out for exactly as many is not refused for rounding.
    if across >= least as f64 * (1.0 - 1e-9) {
        return Ok(());
    }
    let wanted = (count as f64 * least as f64 / across).ceil();
    Err(Error::Coarse { direction, size, element, across, least, wanted })
}

fn paraboloid(first: Radii, second: Radii) -> Result<Undeformed<'static>, CaseError> {
    let (along, across) = curvatures(first, second)?;
    Ok(Undeformed::Paraboloid { a: 0.5 / along, b: 0.5 / across })
}

fn moment(solution: &Solution, distance: f64) -> Moment {
    let Solution { creepage, force, stick_share, residual, iterations, .. } = *solution;
    Moment { distance, creepage, force, stick_share, residual, iterations }
}
