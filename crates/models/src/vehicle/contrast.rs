//! The same vehicle with smoothed friction, run beside the exact one.

use crate::vehicle::Vehicle;
use crate::vehicle::smoothed::{Smoothed, SmoothedError};
use serde::Serialize;
use stickslip_core::scheme::Grid;
use stickslip_run::text::number;

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
