//! The sled as everything else knows it.

use stickslip::core::simulation::{Simulation, SimulationError};
use stickslip::report::figure::{Axis, Figure, Panel, Series};
use stickslip::report::html::{Content, Section};
use stickslip::report::palette::Role;
use stickslip::run::view::View;
use stickslip::run::{Kind, Model, RunFailure, Summary, TimeModel, Trace, by_any_scheme, simulation};
use stickslip::scenario::{Builtin, Format, Scheme};
use stickslip::verify::Basis::ClosedForm;
use stickslip::verify::{Chapter, Claim, Expected, Value};

use super::file::SledTables;
use super::{Parameters, Sled};

/// What makes the sled known.
pub const KIND: Kind = Kind { format: Format::of::<SledTables>(BUILTINS), claims: CLAIMS };

const BUILTINS: &[Builtin] =
    &[Builtin { name: "sled-pushed", title: "A sled is pushed and slides to rest", text: TEXT }];

/// Mass of the built-in sled [kg], and its friction bound [N].
pub const MASS: f64 = 10.0;
pub const BOUND: f64 = 0.3 * MASS * 9.81;

/// When it comes to rest: pushed with 60 N for a second, then slowed down by friction alone.
pub fn stops_at() -> f64 {
    60.0 / BOUND
}

/// The built-in scenario.
pub const TEXT: &str = r#"model = "sled"
title = "A sled is pushed"
[sled]
mass = "10 kg"
friction = 0.3
force = { points = [[0, 0], [0, 60], [1, 60], [1, 0]] }
[run]
duration = 4
step = "1 ms"
"#;

const CLAIMS: &[Chapter] = &[Chapter {
    title: "Sled",
    claims: &[Claim::that("the sled comes to rest when friction has taken the impulse")
        .by(ClosedForm, "F t1 = mu m g t2")
        .expects(Expected::Near(60.0 / BOUND, 1e-12), |_| {
            let events = stickslip::scenario::Override::new("run.scheme=events");
            let registry = stickslip::models::MODELS.with(KIND);
            let scenario = registry.builtin("sled-pushed", &[events]).map_err(|e| e.to_string())?;
            let mut run = simulation(&scenario).map_err(|e| e.to_string())?;
            run.advance_to(4.0).map_err(|e| e.to_string())?;
            let last = run.take_events().last().map(|event| event.t);
            last.map(Value::Number).ok_or_else(|| "nothing happened".to_string())
        })],
}];

impl Model for Parameters {
    fn name(&self) -> &'static str {
        "sled"
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        Ok(vec!["m v' = F + r,  |r| <= mu m g,  -v in N(r)".to_string()])
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(Sled::new(self.clone())))
    }
}

impl TimeModel for Sled {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn draw(&self, trace: &Trace, _: &Summary) -> Result<View, RunFailure> {
        let curve = trace.column("t").iter().zip(trace.column("v")).map(|(t, v)| [*t, *v]).collect();
        let panel = Panel::new(Axis::linear("time", "s"), Axis::linear("speed", "m/s"));
        let figure = Figure::stacked(vec![panel.with(Series::line("v", Role::First, curve))]);
        let section = Section {
            heading: "Speed of the sled".into(),
            text: String::new(),
            content: vec![Content::Figure(figure.clone())],
        };
        let mut view = View::new(vec![("time", figure)], vec![section]);
        let distance = trace.column("x").last().copied().unwrap_or(0.0);
        view.more.insert("sledge", serde_json::json!({ "distance": distance }));
        Ok(view)
    }
}
