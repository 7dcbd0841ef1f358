//! Runs that several claims look at.

use stickslip_core::analysis::{Convergence, convergence};
use stickslip_core::scheme::{Grid, implicit_euler};
use stickslip_core::simulation::{Simulation, Stepped, by_steps};
use stickslip_scenario::Override;
use stickslip_verify::Lab;

use crate::wheel::{Parameters, Wheel, WheelState};

/// The three manoeuvres of docs/wheel.md 4 with known time histories, as built in but for the torque of the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manoeuvre {
    /// Full throttle from rest, with twice the torque that the ground can take.
    Drive,
    /// Hard braking from 20 m/s.
    Braking,
    /// A gentle ride to a stop.
    Ride,
}

/// Steps of the runs that claims about time histories look at.
const STEPS: u64 = 1 << 16;

/// A run with 1024 of its rows and all its events.
pub(crate) struct Run {
    /// Rows at k T/1024.
    pub rows: Vec<Vec<f64>>,
    /// (ε_G, ε_B) and the time from which it held, in order.
    pub states: Vec<(f64, i8, i8)>,
    /// The run at its end.
    pub end: Stepped<Wheel>,
    /// Steps with a stuck contact whose slip is not exactly zero.
    pub inexact: u64,
    /// Least and greatest G of any step.
    pub g_range: (f64, f64),
    /// Steps at which a contact's heat fell.
    pub heat_fell: u64,
}

impl Manoeuvre {
    fn name(self) -> &'static str {
        match self {
            Manoeuvre::Drive => "wheel-sport-drive",
            Manoeuvre::Braking => "wheel-sport-braking",
            Manoeuvre::Ride => "wheel-smooth-ride",
        }
    }

    /// The wheel and the duration of the built-in scenario.
    pub(crate) fn wheel(self) -> Result<(Wheel, f64), String> {
        // The time history was computed with 2 a_G; the scenario itself has less, so that no rim outruns sound.
        let torque = (self == Manoeuvre::Drive).then(|| Override::new("motor.drive.max=1883.52 N m"));
        let overrides: Vec<Override> = torque.into_iter().collect();
        let scenario = crate::MODELS.builtin(self.name(), &overrides).map_err(|e| e.to_string())?;
        let Some(parameters) = scenario.model.of::<Parameters>() else {
            return Err(format!("{} is no wheel", self.name()));
        };
        let wheel = Wheel::new(parameters.clone()).map_err(|e| e.to_string())?;
        Ok((wheel, scenario.run.duration))
    }
}

/// Runs of the manoeuvres, made once.
pub(crate) trait WheelLab {
    /// The run of a manoeuvre with 2^16 steps.
    fn run(&mut self, manoeuvre: Manoeuvre) -> Result<&Run, String>;

    /// Errors of 1024 … 16384 steps against 2^21.
    fn order(&mut self, manoeuvre: Manoeuvre) -> Result<&Convergence, String>;
}

impl WheelLab for Lab {
    fn run(&mut self, manoeuvre: Manoeuvre) -> Result<&Run, String> {
        self.kept(&format!("run of {}", manoeuvre.name()), || make(manoeuvre))
    }

    fn order(&mut self, manoeuvre: Manoeuvre) -> Result<&Convergence, String> {
        self.kept(&format!("order of {}", manoeuvre.name()), || {
            let (wheel, duration) = manoeuvre.wheel()?;
            let study = convergence(&by_steps(&wheel), duration, &[1024, 2048, 4096, 8192, 16_384], 1 << 21);
            study.map_err(|e| e.to_string())?.ok_or_else(|| "no error at any step size".to_string())
        })
    }
}

/// The end state of a wheel after `steps` steps.
pub(crate) fn end(wheel: &Wheel, duration: f64, steps: u64) -> Result<WheelState, String> {
    let grid = Grid { h: duration / steps as f64, steps };
    let outcome = implicit_euler(wheel, grid, &mut stickslip_core::scheme::NullObserver);
    outcome.map(|o| o.state).map_err(|e| e.to_string())
}

fn make(manoeuvre: Manoeuvre) -> Result<Run, String> {
    let (wheel, duration) = manoeuvre.wheel()?;
    let h = duration / STEPS as f64;
    let mut run = Stepped::new(wheel, h);
    let mut row = vec![0.0; run.columns().len()];
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut states: Vec<(f64, i8, i8)> = Vec::new();
    let (mut inexact, mut heat_fell, mut g_range, mut heat) = (0, 0, (0.0_f64, 0.0_f64), [0.0; 2]);
    for n in 1..=STEPS {
        let t = n as f64 * h;
        run.advance_to(t).map_err(|e| e.to_string())?;
        let u = run.state();
        let region = u.region().ok_or("no step was made")?;
        let state = (region.ground(), region.brake());
        if states.last().is_none_or(|&(_, ground, brake)| (ground, brake) != state) {
            states.push((t, state.0, state.1));
        }
        inexact += u64::from(state.0 == 0 && u.x1 + u.x2 != 0.0) + u64::from(state.1 == 0 && u.x2 != 0.0);
        let now = u.dissipated();
        heat_fell += u64::from(now[0] < heat[0] || now[1] < heat[1]);
        heat = now;
        run.row(&mut row);
        g_range = (g_range.0.min(row[5]), g_range.1.max(row[5]));
        if n.is_multiple_of(STEPS / 1024) {
            rows.push(row.clone());
        }
    }
    Ok(Run { rows, states, end: run, inexact, g_range, heat_fell })
}
