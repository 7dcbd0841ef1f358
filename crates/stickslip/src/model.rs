//! What a run needs to know of a model.

use serde::Serialize;
use serde::de::DeserializeOwned;
use stickslip_core::mechanics::{System, SystemError};
use stickslip_core::record::Record;
use stickslip_core::scheme::{ByEvents, Grid};
use stickslip_core::simulation::{ByEvent, Driven, Simulation, SimulationError, Stepped};
use stickslip_models::assembly::Assembly;
use stickslip_models::rail_wheel::RailWheel;
use stickslip_models::towed_wheel::TowedWheel;
use stickslip_models::vehicle::Vehicle;
use stickslip_models::wheel::Wheel;
use stickslip_scenario::{Model, Scenario, Scheme};

use crate::view::{self, Look, View};
use crate::{Contrast, RunFailure, Summary, Trace};

/// A model that is simulated in time.
pub(crate) trait TimeModel {
    /// At t = 0, by a scheme, with steps of size h.
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError>;

    /// Figures and sections of a run.
    fn draw(&self, trace: &Trace, summary: &Summary) -> View;

    /// What comes again in a motion is looked for, if the scenario asks for it, in these coordinates.
    fn look(&self, scenario: &Scenario) -> Option<Look> {
        let asked = scenario.output.exponent.unwrap_or(scenario.output.section_period.is_some());
        asked.then(|| Look::first_coordinate(scenario.output.section_period))
    }

    /// Adds what comes again in a motion to what is shown of it; nothing by default.
    fn recurrence(&self, _look: &Look, _trace: &Trace, _view: &mut View) {}

    /// The same run with smoothed friction beside it, where the scenario asks for it.
    fn contrast(&self, _scenario: &Scenario, _grid: Grid) -> Result<Option<Contrast>, RunFailure> {
        Ok(None)
    }
}

/// The scenario's model, built.
pub(crate) fn built(scenario: &Scenario) -> Result<Box<dyn TimeModel>, RunFailure> {
    Ok(match &scenario.model {
        Model::Wheel(parameters) => Box::new(Wheel::new(parameters.clone())?),
        Model::Vehicle(parameters) => Box::new(Vehicle::new(parameters.clone())?),
        Model::Assembly(parameters) => Box::new(Assembly::new(parameters.clone())?),
        Model::TowedWheel(parameters) => Box::new(TowedWheel::new(*parameters)?),
        Model::RailWheel(plan) => Box::new(plan.wheel()?),
        Model::RollingContact(_) => return Err(RunFailure::Timeless),
    })
}

/// A system at t = 0 by any scheme.
fn by_any_scheme<S>(system: &S, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError>
where
    S: Record + Driven + ByEvents + Clone + 'static,
    <S as System>::State: Serialize + DeserializeOwned + 'static,
    S::Workspace: 'static,
{
    Ok(match scheme {
        Scheme::ImplicitEuler | Scheme::MoreauJean => Box::new(Stepped::new(system.clone(), h)),
        Scheme::Events => Box::new(ByEvent::new(system.clone())?),
    })
}

impl TimeModel for Wheel {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> View {
        view::wheel(self, trace, summary)
    }

    fn recurrence(&self, look: &Look, trace: &Trace, view: &mut View) {
        view::recurrence(self, look, trace, view);
    }
}

impl TimeModel for Vehicle {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> View {
        view::vehicle(self, trace, summary)
    }

    fn recurrence(&self, look: &Look, trace: &Trace, view: &mut View) {
        view::recurrence(self, look, trace, view);
    }

    fn contrast(&self, scenario: &Scenario, grid: Grid) -> Result<Option<Contrast>, RunFailure> {
        let beside = scenario.contrast.map(|asked| Contrast::new(self, asked.tanh_speed, grid)).transpose();
        beside.map_err(|error| RunFailure::Simulation(error.to_string()))
    }
}

impl TimeModel for Assembly {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> View {
        view::assembly(self, trace, summary)
    }

    fn recurrence(&self, look: &Look, trace: &Trace, view: &mut View) {
        view::recurrence(self, look, trace, view);
    }
}

impl TimeModel for TowedWheel {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> View {
        view::towed_wheel(self, trace, summary)
    }

    fn look(&self, scenario: &Scenario) -> Option<Look> {
        let asked = scenario.output.exponent.unwrap_or(true);
        asked.then(|| Look::towed_wheel(scenario.output.section_period, self.coefficients().period()))
    }

    fn recurrence(&self, look: &Look, trace: &Trace, view: &mut View) {
        view::recurrence(self, look, trace, view);
    }
}

impl TimeModel for RailWheel {
    /// The scheme `events` needs forces that are smooth between events, and this law has the kinks of a table.
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        match scheme {
            Scheme::Events => Err(SystemError::ByStepsOnly { what: "creep-force curves" }.into()),
            _ => Ok(Box::new(Stepped::new(self.clone(), h))),
        }
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> View {
        view::rail_wheel(self, trace, summary)
    }

    fn look(&self, _: &Scenario) -> Option<Look> {
        None
    }
}
