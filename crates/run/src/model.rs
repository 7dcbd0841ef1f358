//! What everything else needs to know of a model.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use stickslip_core::analysis::stability::Linearised;
use stickslip_core::mechanics::{System, SystemError};
use stickslip_core::record::Record;
use stickslip_core::scheme::{Block, ByEvents, Grid, SideBySide, side_by_side};
use stickslip_core::simulation::{ByEvent, Driven, Simulation, SimulationError, Stepped};
use stickslip_scenario::sweep::Template;
use stickslip_scenario::tables::Fault;
use stickslip_scenario::{Builtin, Error, Format, Measurable, Override, Run, Scheme, Varied, schema};
use stickslip_verify::Chapter;

use crate::view::{PoincareSection, View};
use crate::{Finished, Gauge, Job, Measure, Part, RunFailure, StepGauge, Summary, Trace};

/// A scenario of any model at a point of a sweep.
pub type Instance = stickslip_scenario::sweep::Instance<Arc<dyn Model>>;

/// A scenario of any model.
pub type Scenario = stickslip_scenario::Scenario<Arc<dyn Model>>;

/// A model with the data of a scenario.
pub trait Model: fmt::Debug + Send + Sync + Any {
    /// The value of the key `model`.
    fn name(&self) -> &'static str;

    /// Its equations and the numbers in them, line by line.
    fn explain(&self) -> Result<Vec<String>, RunFailure>;

    /// Built, to be simulated in time; [`RunFailure::Timeless`] where it is solved once.
    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure>;

    /// Whether it can be built: what `lint` asks.
    fn prepare(&self) -> Result<(), RunFailure> {
        self.in_time().map(|_| ())
    }

    /// Runs it and writes everything into a folder; in time by default.
    fn run(&self, job: Job<'_>) -> Result<Finished, RunFailure> {
        crate::run::in_time(self.in_time()?.as_ref(), job)
    }

    /// Runs of several models of this kind by implicit steps, side by side, to the end of the grid: each as it would stand alone, with its
    /// events to be taken. None for a run that must be made alone; empty where this kind is always run alone.
    fn side_by_side(&self, _models: &[Arc<dyn Model>], _grid: Grid) -> Vec<Option<Box<dyn Simulation>>> {
        Vec::new()
    }

    /// What comes of something that is solved once, without files: the same names and numbers as in its summary.
    fn solve_once(&self) -> Result<Vec<Measure>, RunFailure> {
        Err(RunFailure::Timeless)
    }

    /// Small motions about its steady sliding or rolling state, x' = A x; [`RunFailure::NotLinear`] where the model has none,
    /// and [`RunFailure::Model`] where these data have none.
    fn linearise(&self) -> Result<Linearised, RunFailure> {
        Err(RunFailure::NotLinear(self.name()))
    }

    /// Why it will take long, and what to do about it; none if nothing says so.
    fn takes_long(&self, _run: &Run) -> Option<String> {
        None
    }

    /// Why `--half-step` has nothing to compare, and what to do instead; none if it has.
    fn no_check(&self) -> Option<(&'static str, &'static str)> {
        None
    }
}

impl dyn Model {
    /// Its data, if it is a model of this type.
    pub fn of<T: Model>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

/// A run by another integrator.
pub struct Beside {
    /// The name of the integrator.
    pub name: &'static str,
    /// What it does, after the word "it".
    pub does: &'static str,
    /// The run.
    pub run: Result<Box<dyn Simulation>, SimulationError>,
}

/// A model that is simulated in time.
pub trait TimeModel {
    /// At t = 0, by a scheme, with steps of size h.
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError>;

    /// The scheme by steps that a run from event to event is compared with.
    fn by_steps(&self) -> Scheme {
        Scheme::ImplicitEuler
    }

    /// What it means that a contact sticks, where that is not plain.
    fn stuck_means(&self) -> Option<&'static str> {
        None
    }

    /// What measures its runs; nothing by default.
    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        None
    }

    /// What makes a run that has been measured doubtful, in sentences; nothing by default.
    fn doubts(&self, _ended: &dyn Simulation) -> Vec<String> {
        Vec::new()
    }

    /// Measures that physics is told from numerics by, besides ends and events, and the measure that each must come near to by itself
    /// (the growth of a run to its eigenvalue); none by default.
    fn checked(&self) -> &'static [(&'static str, Option<&'static str>)] {
        &[]
    }

    /// What measures every step of a run that is compared, so that it need not be made again to be measured; none by default.
    fn step_gauge(&self, _run: &dyn Simulation, _grid: Grid) -> Option<Box<dyn StepGauge + '_>> {
        None
    }

    /// Another integrator than this scheme by steps of size h, for what has no run from event to event; none by default.
    fn beside(&self, _scheme: Scheme, _h: f64) -> Option<Beside> {
        None
    }

    /// Parts whose states have words of their own; by default the contacts speak for themselves.
    fn parts(&self) -> Vec<Part> {
        Vec::new()
    }

    /// Figures and sections of a run, and whatever else it tells.
    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure>;

    /// Where what comes again in a motion is looked for, if the scenario asks for it.
    fn section(&self, scenario: &Scenario) -> Option<PoincareSection> {
        let asked = scenario.output.exponent.unwrap_or(scenario.output.section_period.is_some());
        asked.then(|| PoincareSection::first_coordinate(scenario.output.section_period))
    }

    /// Adds what comes again in a motion to what is shown of it; nothing by default.
    fn recurrence(&self, _section: &PoincareSection, _trace: &Trace, _view: &mut View) {}
}

/// A scheme that is not for a model.
pub fn other_scheme(scheme: Scheme) -> SimulationError {
    SystemError::Refused { words: format!("the scheme {} is not for this model", scheme.name()) }.into()
}

/// Runs of several models side by side; `build` makes systems of them, or none where one must be run alone.
pub fn stepped_together<S>(
    models: &[Arc<dyn Model>],
    grid: Grid,
    build: impl Fn(&dyn Model) -> Option<S>,
) -> Vec<Option<Box<dyn Simulation>>>
where
    S: SideBySide + Record + Driven + Clone + fmt::Debug + 'static,
    S::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    let systems: Vec<Option<S>> = models.iter().map(|model| build(&**model)).collect();
    let mut ends: Vec<Option<Box<dyn Simulation>>> = models.iter().map(|_| None).collect();
    let built: Vec<(usize, S)> = systems.into_iter().enumerate().filter_map(|(k, s)| Some((k, s?))).collect();
    for block in built.chunks(<S::Block as Block<S>>::WIDTH) {
        let systems: Vec<S> = block.iter().map(|(_, system)| system.clone()).collect();
        for ((k, system), end) in block.iter().zip(side_by_side(&systems, grid)) {
            ends[*k] = end.map(|end| Box::new(Stepped::ended(system.clone(), end)) as Box<dyn Simulation>);
        }
    }
    ends
}

/// A system at t = 0 by any scheme.
pub fn by_any_scheme<S>(system: &S, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError>
where
    S: Record + Driven + ByEvents + Clone + fmt::Debug + 'static,
    <S as System>::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    by_steps_or(system, scheme, h, || Ok(Box::new(ByEvent::new(system.clone())?)))
}

/// A system by any scheme of steps, or from event to event in a way of its own.
pub fn by_steps_or<S>(
    system: &S,
    scheme: Scheme,
    h: f64,
    by_events: impl FnOnce() -> Result<Box<dyn Simulation>, SimulationError>,
) -> Result<Box<dyn Simulation>, SimulationError>
where
    S: Record + Driven + Clone + fmt::Debug + 'static,
    <S as System>::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    Ok(match scheme {
        Scheme::ImplicitEuler => Box::new(Stepped::new(system.clone(), h)),
        Scheme::MoreauJean => Box::new(Stepped::with_theta(system.clone(), h, 0.5)?),
        Scheme::SecondOrder => return Err(other_scheme(scheme)),
        Scheme::Theta(theta) => Box::new(Stepped::judged(system.clone(), h, theta.value, theta.judged)?),
        Scheme::Events => by_events()?,
    })
}

/// The scenario at t = 0, by the scheme and with the step that it asks for.
pub fn simulation(scenario: &Scenario) -> Result<Box<dyn Simulation>, RunFailure> {
    let h = Grid::cover(scenario.run.duration, scenario.run.step).h;
    Ok(scenario.model.in_time()?.simulation(scenario.run.scheme, h)?)
}

/// The scenario at its end: a run without files.
pub fn run_to_end(scenario: &Scenario) -> Result<Box<dyn Simulation>, RunFailure> {
    let mut run = simulation(scenario)?;
    run.advance_to(scenario.run.duration)?;
    Ok(run)
}

/// The equations of a scenario and the numbers in them, as text.
pub fn explain(scenario: &Scenario) -> Result<String, RunFailure> {
    let title = scenario.title.as_deref().unwrap_or("a scenario without a title");
    let mut lines = vec![format!("{}: {title}", scenario.name)];
    lines.extend(scenario.model.explain()?);
    Ok(lines.join("\n") + "\n")
}

/// A kind of model: what makes it known to scenario files, the command, reports and the book of claims.
#[derive(Clone, Copy)]
pub struct Kind {
    /// Its files and its built-in scenarios.
    pub format: Format<Arc<dyn Model>>,
    /// What it claims.
    pub claims: &'static [Chapter],
}

/// All kinds of models.
#[derive(Clone)]
pub struct Registry(Cow<'static, [Kind]>);

impl Registry {
    /// Of these kinds, in the order of the documentation.
    pub const fn new(kinds: &'static [Kind]) -> Registry {
        Registry(Cow::Borrowed(kinds))
    }

    /// The same with one more.
    #[must_use]
    pub fn with(&self, kind: Kind) -> Registry {
        let mut kinds = self.0.to_vec();
        kinds.push(kind);
        Registry(Cow::Owned(kinds))
    }

    fn formats(&self) -> Vec<Format<Arc<dyn Model>>> {
        self.0.iter().map(|kind| kind.format).collect()
    }

    /// Reads a scenario from its text. `name` goes into messages; relative paths start from `base`.
    pub fn parse(
        &self,
        name: &str,
        text: &str,
        base: impl AsRef<Path>,
        overrides: &[Override],
    ) -> Result<Scenario, Error> {
        Scenario::parse(&self.formats(), name, text, base, overrides)
    }

    /// Reads a scenario file.
    pub fn from_file(&self, path: impl AsRef<Path>, overrides: &[Override]) -> Result<Scenario, Error> {
        Scenario::from_file(&self.formats(), path, overrides)
    }

    /// Reads a built-in scenario; files that overrides name are sought in the current folder.
    pub fn builtin(&self, name: &str, overrides: &[Override]) -> Result<Scenario, Error> {
        Scenario::builtin(&self.formats(), name, overrides)
    }

    /// Reads a file where there is one, and else a built-in scenario.
    pub fn from_name_or_path(&self, name: &str, overrides: &[Override]) -> Result<Scenario, Error> {
        Scenario::from_name_or_path(&self.formats(), name, overrides)
    }

    /// All scenarios that come with the program.
    pub fn builtins(&self) -> impl Iterator<Item = &'static Builtin> {
        self.formats().into_iter().flat_map(|format| format.builtins)
    }

    /// The same by model: its name, and its scenarios.
    pub fn builtins_by_model(&self) -> impl Iterator<Item = (&'static str, &'static [Builtin])> {
        self.formats().into_iter().map(|format| (format.name, format.builtins))
    }

    /// JSON schema (draft 2020-12) of scenario files.
    pub fn schema(&self) -> serde_json::Value {
        schema(&self.formats())
    }

    /// A scenario that was read, with places for other values.
    pub fn template<'a>(&self, scenario: &'a Scenario) -> Result<Template<'a, Arc<dyn Model>>, Fault> {
        Template::new(&self.formats(), scenario)
    }

    /// What may be measured of runs of a model.
    pub fn measurables(&self, model: &str) -> &'static [Measurable] {
        self.0.iter().find(|kind| kind.format.name == model).map_or(&[], |kind| kind.format.measures)
    }

    /// A scenario that was read, with places for the numbers of some keys.
    pub fn varied<'a>(&self, scenario: &'a Scenario, keys: &[&str]) -> Result<Varied<'a, Arc<dyn Model>>, Fault> {
        Varied::new(&self.formats(), scenario, keys)
    }

    /// Names of the models that can be linearised: those of which a built-in scenario has small motions, or would have them with
    /// other numbers.
    pub fn linearised(&self) -> Vec<&'static str> {
        let can = |builtin: &Builtin| {
            let scenario = self.builtin(builtin.name, &[]);
            scenario.is_ok_and(|s| !matches!(s.model.linearise(), Err(RunFailure::NotLinear(_))))
        };
        self.builtins_by_model().filter(|(_, all)| all.iter().take(1).any(can)).map(|(name, _)| name).collect()
    }

    /// What the models claim.
    pub fn chapters(&self) -> impl Iterator<Item = &'static Chapter> {
        self.0.iter().flat_map(|kind| kind.claims)
    }
}
