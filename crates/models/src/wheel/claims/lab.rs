//! Runs that several claims look at.

use std::convert::Infallible;

use stickslip_core::analysis::{Convergence, convergence};
use stickslip_core::record::Record;
use stickslip_core::scheme::{Event, Grid, Observer, Outcome, implicit_euler};
use stickslip_core::simulation::by_steps;
use stickslip_verify::Lab;

use crate::wheel::{Parameters, Wheel, WheelState};

/// The three manoeuvres of docs/wheel.md 4, as built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manoeuvre {
    /// Full throttle from rest.
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
    /// The end.
    pub outcome: Outcome<WheelState>,
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
        let scenario = crate::MODELS.builtin(self.name(), &[]).map_err(|e| e.to_string())?;
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
    let mut look = Look::new(&wheel);
    let grid = Grid { h: duration / STEPS as f64, steps: STEPS };
    let outcome = implicit_euler(&wheel, grid, &mut look).map_err(|e| e.to_string())?;
    let Look { rows, states, inexact, g_range, heat_fell, .. } = look;
    Ok(Run { rows, states, outcome, inexact, g_range, heat_fell })
}

struct Look<'a> {
    wheel: &'a Wheel,
    row: Vec<f64>,
    rows: Vec<Vec<f64>>,
    states: Vec<(f64, i8, i8)>,
    inexact: u64,
    g_range: (f64, f64),
    heat_fell: u64,
    heat: [f64; 2],
}

impl<'a> Look<'a> {
    fn new(wheel: &'a Wheel) -> Look<'a> {
        Look {
            wheel,
            row: vec![0.0; wheel.columns().len()],
            rows: Vec::new(),
            states: Vec::new(),
            inexact: 0,
            g_range: (0.0, 0.0),
            heat_fell: 0,
            heat: [0.0; 2],
        }
    }
}

impl Observer<WheelState> for Look<'_> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        1
    }

    fn sample(&mut self, n: u64, t: f64, u: &WheelState) -> Result<(), Infallible> {
        let Some(region) = u.region() else { return Ok(()) };
        let state = (region.ground(), region.brake());
        if self.states.last().is_none_or(|&(_, ground, brake)| (ground, brake) != state) {
            self.states.push((t, state.0, state.1));
        }
        self.inexact += u64::from(state.0 == 0 && u.x1 + u.x2 != 0.0);
        self.inexact += u64::from(state.1 == 0 && u.x2 != 0.0);
        self.wheel.row(t, u, &mut self.row);
        self.g_range = (self.g_range.0.min(self.row[5]), self.g_range.1.max(self.row[5]));
        let heat = u.dissipated();
        self.heat_fell += u64::from(heat[0] < self.heat[0] || heat[1] < self.heat[1]);
        self.heat = heat;
        if n.is_multiple_of(STEPS / 1024) {
            self.rows.push(self.row.clone());
        }
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }
}
