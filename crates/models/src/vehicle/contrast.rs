//! The same vehicle in another way, run beside it: with smoothed friction, or without control.

use crate::vehicle::Vehicle;
use crate::vehicle::smoothed::{Smoothed, SmoothedError};
use serde::Serialize;
use stickslip_core::law::State;
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::simulation::{Samples, SimulationError, Sink, SinkError};
use stickslip_run::text::{number, percent};
use stickslip_run::{Summary, TimeModel, record_measured};
use stickslip_scenario::Scheme;

use super::record::{PLACE, SPEED};

/// Points of the curve that is drawn.
const POINTS: u64 = 1000;

/// What the smoothed vehicle did.
#[derive(Debug, Clone, Serialize)]
pub struct Contrast {
    /// Speed ε of the law μN tanh(slip/ε) [m/s].
    pub tanh_speed: f64,
    /// How far it moved \[m\].
    pub distance: f64,
    /// Its speed at the end [m/s].
    pub x1: f64,
    /// The creep speed of the closed form, where that applies at the end [m/s].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creep: Option<f64>,
    /// (time \[s\], position \[m\]).
    #[serde(skip)]
    pub curve: Vec<[f64; 2]>,
}

impl Contrast {
    pub(crate) fn new(vehicle: &Vehicle, tanh_speed: f64, grid: Grid) -> Result<Contrast, SmoothedError> {
        let smoothed = Smoothed::new(vehicle, tanh_speed)?;
        let mut curve = Vec::new();
        let every = grid.steps.div_ceil(POINTS);
        let end = smoothed.run(grid, every, |t, state| curve.push([t, state.x]))?;
        let creep = smoothed.creep(grid.time(grid.steps), end.x);
        Ok(Contrast { tanh_speed, distance: end.x - vehicle.parameters().start.x, x1: end.x1, creep, curve })
    }

    /// In words, for the terminal.
    pub(crate) fn words(&self) -> String {
        let closed = self.creep.map_or(String::new(), |creep| format!(" (closed form {})", number(creep)));
        format!(
            "tanh    with μN tanh(slip/{} m/s) instead it moves {} m and ends at {} m/s{closed}",
            number(self.tanh_speed),
            number(self.distance),
            number(self.x1)
        )
    }
}

/// What the same vehicle did without its anti-lock controllers.
#[derive(Debug, Clone, Serialize)]
pub struct Uncontrolled {
    /// From the first brake to the stop \[m\]; none where it does not stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopping_distance: Option<f64>,
    /// The same in time \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopping_time: Option<f64>,
    /// How long a wheel was locked, of several the longest \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock_time: Option<f64>,
    /// (time \[s\], speed [m/s]) and (time \[s\], position \[m\]).
    #[serde(skip)]
    pub curves: [Vec<[f64; 2]>; 2],
}

impl Uncontrolled {
    /// By the scheme and on the rows of a run with control.
    pub(crate) fn new(model: &dyn TimeModel, summary: &Summary) -> Result<Uncontrolled, SimulationError> {
        let schemes = [Scheme::ImplicitEuler, Scheme::MoreauJean, Scheme::Events];
        let scheme = schemes.into_iter().find(|scheme| scheme.name() == summary.scheme).unwrap_or_default();
        let grid = Grid { h: summary.step, steps: summary.steps };
        let mut rows = Rows::default();
        let samples = Samples { grid, every: grid.steps.div_ceil(POINTS) };
        let measures = record_measured(model, scheme, samples, &mut rows)?;
        let value = |name: &str| measures.iter().find(|measure| measure.name == name).map(|measure| measure.value);
        Ok(Uncontrolled {
            stopping_distance: value("stopping_distance"),
            stopping_time: value("stopping_time"),
            lock_time: value("lock_time"),
            curves: rows.curves,
        })
    }

    /// In words, for the terminal.
    pub(crate) fn words(&self, summary: &Summary) -> String {
        format!("beside  {}", self.told(summary))
    }

    /// In words.
    pub(crate) fn told(&self, summary: &Summary) -> String {
        let (Some(way), Some(time)) = (self.stopping_distance, self.stopping_time) else {
            return format!("without control it does not stop within {} s", number(summary.duration));
        };
        let own = summary.measures.value("stopping_distance");
        let gain = own.filter(|_| way > 0.0).map_or(String::new(), |own| match (way - own) / way {
            share if share >= 0.0 => format!(": control makes the stop {} shorter", percent(share)),
            share => format!(": control makes the stop {} longer", percent(-share)),
        });
        format!("without control it stops after {} m and {} s{gain}", number(way), number(time))
    }
}

/// Keeps speed and position over time.
#[derive(Debug, Default)]
struct Rows {
    curves: [Vec<[f64; 2]>; 2],
}

impl Sink for Rows {
    fn row(&mut self, _: u64, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        for (curve, column) in self.curves.iter_mut().zip([SPEED, PLACE]) {
            curve.push([t, row[column]]);
        }
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}
