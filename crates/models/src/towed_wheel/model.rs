//! The towed wheel as everything else knows it.

use stickslip_core::analysis::stability::Linearised;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::text::number;
use stickslip_run::view::{PoincareSection, View, recurrence};
use stickslip_run::{Gauge, Kind, Model, RunFailure, Scenario, Summary, TimeModel, Trace, by_any_scheme};
use stickslip_scenario::{Builtin, Format, Run, Scheme, Tables, builtin};

use super::file::TowedWheelTables;
use super::{Parameters, TowedWheel, charts, claims, measures, patience};

/// What makes the towed wheel known.
pub const KIND: Kind = Kind { format: Format::of::<TowedWheelTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!("towed-wheel-p1", "A towed wheel shimmies: irregular at first, then periodic rolling and slipping"),
    builtin!("towed-wheel-p2", "The same with more grip: chaotic shimmy at large angles"),
    builtin!("towed-wheel-p3", "A longer bar: shimmy dies out and the wheel never slips"),
    builtin!("towed-wheel-chaos", "A very short bar on a soft spring: chaos that lasts"),
];

impl Model for Parameters {
    fn name(&self) -> &'static str {
        TowedWheelTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let wheel = TowedWheel::new(*self).map_err(RunFailure::model)?;
        let c = wheel.coefficients();
        Ok(vec![
            "u1' = -v Omega sin(psi) - B3 (C/m) u1/|u|,  u2' = -v Omega cos(psi) - B4 k w/m - B5 (C/m) u2/|u|,".into(),
            "Omega' = -B1 k w/(m L) + B2 C/(m L) u2/|u| while it slips; rolling has u = 0; see docs/towed-wheel.md"
                .into(),
            format!(
                "A1 = {}   A2 = {}: rolling is {}",
                number(c.a1),
                number(c.a2),
                if c.a2 > 1.0 { "stable" } else { "unstable" }
            ),
            format!("period 2 pi/omega = {} s   linear growth {} 1/s", number(c.period()), number(c.growth())),
        ])
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(TowedWheel::new(*self).map_err(RunFailure::model)?))
    }

    fn linearise(&self) -> Result<Linearised, RunFailure> {
        TowedWheel::new(*self).map_err(RunFailure::model)?.linearised().map_err(RunFailure::model)
    }

    fn takes_long(&self, run: &Run) -> Option<String> {
        patience::long_run(self, run)
    }
}

impl TimeModel for TowedWheel {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(measures::gauge())
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        Ok(charts::towed_wheel(self, trace, summary))
    }

    fn section(&self, scenario: &Scenario) -> Option<PoincareSection> {
        let section = PoincareSection {
            axes: [("angle ψ", "rad"), ("rate Ω", "rad/s")],
            pick: |point| [point.q[0], point.v[2]],
            forced: false,
            period: scenario.output.section_period,
            unit: Some(("P", self.coefficients().period())),
        };
        scenario.output.exponent.unwrap_or(true).then_some(section)
    }

    fn recurrence(&self, section: &PoincareSection, trace: &Trace, view: &mut View) {
        recurrence(self, section, trace, view);
    }
}
