//! A scenario as a simulation that can be advanced, fed, saved and restored.

use stickslip_core::model::assembly::Assembly;
use stickslip_core::model::towed_wheel::TowedWheel;
use stickslip_core::model::vehicle::Vehicle;
use stickslip_core::model::wheel::Wheel;
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::{ByEvent, Simulation, SimulationError, Stepped};
use stickslip_scenario::{Model, Scenario, Scheme};

use crate::RunFailure;

/// The scenario at t = 0, by the scheme and with the step that it asks for.
///
/// By events, the motion between events is always integrated to 1e-12, also where [`crate::run`] has a closed form.
pub fn simulation(scenario: &Scenario) -> Result<Box<dyn Simulation>, RunFailure> {
    let h = Grid::cover(scenario.run.duration, scenario.run.step).h;
    let failed = |error: SimulationError| RunFailure::Simulation(error.to_string());
    let events = scenario.run.scheme == Scheme::Events;
    Ok(match &scenario.model {
        Model::Wheel(p) if events => Box::new(ByEvent::new(Wheel::new(p.clone())?).map_err(failed)?),
        Model::Wheel(p) => Box::new(Stepped::new(Wheel::new(p.clone())?, h)),
        Model::Vehicle(p) if events => Box::new(ByEvent::new(Vehicle::new(p.clone())?).map_err(failed)?),
        Model::Vehicle(p) => Box::new(Stepped::new(Vehicle::new(p.clone())?, h)),
        Model::Assembly(p) if events => Box::new(ByEvent::new(Assembly::new(p.clone())?).map_err(failed)?),
        Model::Assembly(p) => Box::new(Stepped::new(Assembly::new(p.clone())?, h)),
        Model::TowedWheel(p) if events => Box::new(ByEvent::new(TowedWheel::new(*p)?).map_err(failed)?),
        Model::TowedWheel(p) => Box::new(Stepped::new(TowedWheel::new(*p)?, h)),
        Model::RailWheel(plan) => Box::new(Stepped::new(plan.wheel()?, h)),
        Model::RollingContact(_) => return Err(RunFailure::Timeless),
    })
}
