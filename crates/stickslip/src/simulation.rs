//! A scenario as a simulation that can be advanced, fed, saved and restored.

use stickslip_core::scheme::Grid;
use stickslip_core::simulation::Simulation;
use stickslip_scenario::Scenario;

use crate::RunFailure;
use crate::model::built;

/// The scenario at t = 0, by the scheme and with the step that it asks for.
pub fn simulation(scenario: &Scenario) -> Result<Box<dyn Simulation>, RunFailure> {
    let h = Grid::cover(scenario.run.duration, scenario.run.step).h;
    Ok(built(scenario)?.simulation(scenario.run.scheme, h)?)
}
