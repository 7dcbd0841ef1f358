//! Assemblies against closed forms, reference data and properties.

mod bogie;
mod by_events;
mod oscillators;
mod parts;
mod shocks;
mod two_mass;

use std::convert::Infallible;

use stickslip_core::law::{Coefficient, State};
use stickslip_core::scheme::{Event, Grid, Observer, theta_steps};
use stickslip_core::signal::{Signal, Sine};
use stickslip_models::assembly::{
    Assembly, AssemblyState, Body, Characteristic, Element, End, Face, Force, Freedom, Link, Pad, Parameters, Spring,
};

/// A mass on a line.
pub fn mass(name: &str, mass: f64, x: f64, v: f64) -> Body {
    Body { name: name.into(), mass, freedom: Freedom::Line, position: [x, 0.0, 0.0], velocity: [v, 0.0, 0.0] }
}

/// A spring from body 0 to the ground.
pub fn spring(k: f64) -> Spring {
    Spring {
        name: "spring".into(),
        link: Link { of: End::body(0), against: End::GROUND },
        along: [1.0, 0.0],
        characteristic: Characteristic::Linear(k),
        preload: 0.0,
    }
}

/// A pad of constant coefficient.
pub fn pad(name: &str, link: Link, face: Face, load: f64, coefficient: Coefficient) -> Pad {
    Pad {
        name: name.into(),
        link,
        face,
        load: Signal::Constant(load),
        pressed_by: None,
        coefficient,
        over_time: Signal::Constant(1.0),
        over_place: None,
        viscous: 0.0,
        element: Element::Exact,
    }
}

/// A sin(ωt + φ) on a body.
pub fn sine(body: usize, component: usize, amplitude: f64, omega: f64, phase: f64) -> Force {
    Force { body, component, signal: Signal::Sine(Sine { offset: 0.0, amplitude, omega, phase }) }
}

/// Time, contact, from, to.
pub type Change = (f64, usize, State, State);

/// Sees every step.
pub struct Watch<F: FnMut(f64, &AssemblyState)> {
    /// What to do.
    pub look: F,
    /// Time, contact, from, to.
    pub events: Vec<Change>,
}

impl<F: FnMut(f64, &AssemblyState)> Observer<AssemblyState> for Watch<F> {
    type Error = Infallible;

    fn every(&self) -> u64 {
        1
    }

    fn sample(&mut self, _: u64, t: f64, state: &AssemblyState) -> Result<(), Infallible> {
        (self.look)(t, state);
        Ok(())
    }

    fn event(&mut self, e: &Event) -> Result<(), Infallible> {
        self.events.push((e.t, e.contact, e.from, e.to));
        Ok(())
    }
}

/// Runs and looks at every step; all events.
pub fn watch(
    assembly: &Assembly,
    duration: f64,
    steps: u64,
    look: impl FnMut(f64, &AssemblyState),
) -> (AssemblyState, Vec<Change>, Vec<u64>) {
    watch_theta(assembly, 1.0, duration, steps, look)
}

/// The same by θ-steps.
pub fn watch_theta(
    assembly: &Assembly,
    theta: f64,
    duration: f64,
    steps: u64,
    look: impl FnMut(f64, &AssemblyState),
) -> (AssemblyState, Vec<Change>, Vec<u64>) {
    let mut seen = Watch { look, events: Vec::new() };
    let grid = Grid { h: duration / steps as f64, steps };
    let outcome = theta_steps(assembly, theta, grid, &mut seen).expect("runs");
    (outcome.state, seen.events, outcome.stuck)
}

/// Builds.
pub fn build(parameters: Parameters) -> Assembly {
    Assembly::new(parameters).expect("valid")
}
