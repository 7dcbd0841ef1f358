//! The squealing wheel as everything else knows it.

use std::f64::consts::TAU;
use std::sync::OnceLock;

use stickslip_core::analysis::stability::Linearised;
use stickslip_core::mechanics::SystemError;
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::{ByEvent, Simulation, SimulationError, Stepped};
use stickslip_run::text::number;
use stickslip_run::view::View;
use stickslip_run::{Beside, Gauge, Kind, Model, RunFailure, StepGauge, Summary, TimeModel, Trace, other_scheme};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, builtin};
use stickslip_squeal::step::Stepper;
use stickslip_squeal::{Contact, SquealError};

use super::file::SquealTables;
use super::listening::Heard;
use super::{Parameters, Rolling, charts, claims, doubts, listening, measures};

/// What makes the squealing wheel known.
pub const KIND: Kind = Kind { format: Format::of::<SquealTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!("squeal-one-mode", "Falling friction drives one mode of a wheel until it sticks and slips"),
    builtin!(
        "squeal-pair",
        "Two modes flutter on constant friction: squeal without falling friction, on a patch of bristles"
    ),
    builtin!("squeal-wheel", "Ten modes on a creep law with lag: the mode that wins is not the one that grows fastest"),
    builtin!("squeal-fe-wheel", "A wheel given as a body: its modes by finite elements, and which of them squeals"),
    builtin!("roughness-pass", "A stable wheel passes rough rail: the response beside its linear theory"),
];

/// A wheel to be run, and what was heard of a run.
pub(super) struct Running {
    parameters: Parameters,
    heard: OnceLock<Heard>,
}

impl Model for Parameters {
    fn name(&self) -> &'static str {
        SquealTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let wheel = &self.wheel;
        let friction = match &wheel.contact {
            Contact::Point { .. } => "F in -mu(|v|) N Sgn v; it sticks with v = 0 while |F| <= mu(0) N".to_string(),
            Contact::Creep { lag, .. } => {
                format!("F = -T,  (sigma/V) T' + T = N mu(v) tanh(kappa v/V),  sigma = {} m", number(*lag))
            }
            Contact::Patch { .. } => {
                "e' + V de/dxi = v, |e| <= mu(|v|) L p, F = -int e/L dxi over the patch".to_string()
            }
        };
        let mut lines = vec![
            "q'' + 2 zeta omega q' + omega^2 q = phi_y (F + mu0 N0) + phi_z (N - N0),  v = V s0 + y'".to_string(),
            "N = N0 (1 + (r - z)/delta0)^(3/2), 0 where that is negative; see docs/squeal.md".into(),
            friction,
            format!(
                "V = {} m/s   s0 = {}   N0 = {} N   Hertz spring {} N/m   mu0 = {}",
                number(wheel.speed),
                number(wheel.creepage),
                number(wheel.spring.load),
                number(wheel.spring.stiffness()),
                number(wheel.steady_friction())
            ),
        ];
        if let Some(share) = wheel.share_of_full_slip() {
            let words = if share < 1.0 { "a part of the patch sticks" } else { "the patch slides as a whole" };
            lines.push(format!("creepage    {} of full sliding: {words} in the steady state", number(share)));
        }
        lines.extend(self.filter.map(|words| format!("roughness   {words}")));
        if let Some(built) = &self.built {
            lines.push(format!(
                "body        {} unknowns, {} modes counted, {} felt by the contact; compliance {} m/N beside the Hertz spring",
                built.unknowns,
                built.counted,
                built.modes.len(),
                number(built.compliance)
            ));
            lines.push("modes (Hz; lateral, vertical amplitude in kg^-1/2):".into());
            lines.extend(built.modes.iter().map(|mode| {
                format!(
                    "  {:>5} {:>14} {:>14} {:>14}",
                    mode.name,
                    number(mode.frequency),
                    number(mode.lateral),
                    number(mode.vertical)
                )
            }));
        }
        match wheel.eigenvalues() {
            Ok(values) => {
                lines.push("eigenvalues about the steady state (1/s, Hz):".into());
                lines.extend(values.iter().map(|value| {
                    let word = if value.re > 0.0 { "  grows" } else { "" };
                    format!("  {:>14} {:>14}{word}", number(value.re), number(value.im / TAU))
                }));
            }
            Err(none) => lines.push(format!("no eigenvalues about the steady state: {none}")),
        }
        Ok(lines)
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        self.wheel.check().map_err(RunFailure::model)?;
        if let Some(h) = self.step {
            let help = "a run needs a step that follows modes, contact and roughness; `stickslip stability` needs none";
            let fault = |error: SquealError| RunFailure::Key { at: ("run", "step"), message: error.to_string(), help };
            Stepper::check(&self.wheel, h).map_err(fault)?;
        }
        Ok(Box::new(Running { parameters: self.clone(), heard: OnceLock::new() }))
    }

    fn linearise(&self) -> Result<Linearised, RunFailure> {
        let wheel = &self.wheel;
        wheel.check().map_err(RunFailure::model)?;
        let stickslip_squeal::linear::Linearised { names, matrix, .. } =
            wheel.linearise().map_err(RunFailure::model)?;
        let state =
            format!("steady sliding at a creepage of {} and {} m/s", number(wheel.creepage), number(wheel.speed));
        Ok(Linearised { names, positions: wheel.modes.len(), matrix, state })
    }
}

impl TimeModel for Running {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        let refused = |error: SquealError| SystemError::Refused { words: error.to_string() };
        let wheel = &self.parameters.wheel;
        match scheme {
            Scheme::SecondOrder => {
                Stepper::check(wheel, h).map_err(refused)?;
                Ok(Box::new(Stepped::new(Rolling::new(self.parameters.clone(), h).map_err(refused)?, h)))
            }
            Scheme::Events if matches!(wheel.contact, Contact::Patch { .. }) => {
                Err(SystemError::ByStepsOnly { what: "patches of bristles" }.into())
            }
            Scheme::Events => Ok(Box::new(ByEvent::new(Rolling::new(self.parameters.clone(), h).map_err(refused)?)?)),
            other => Err(other_scheme(other)),
        }
    }

    fn by_steps(&self) -> Scheme {
        Scheme::SecondOrder
    }

    fn step_gauge(&self, run: &dyn Simulation, grid: Grid) -> Option<Box<dyn StepGauge + '_>> {
        // Between events there are no steps, and too few rows.
        run.step_size()?;
        let ear = listening::Ear::new(&self.parameters.wheel, grid);
        Some(Box::new(measures::Hearing { parameters: &self.parameters, ear }))
    }

    /// Bristles have no run from event to event: by kicks.
    fn beside(&self, _scheme: Scheme, h: f64) -> Option<Beside> {
        if !matches!(self.parameters.wheel.contact, Contact::Patch { .. }) {
            return None;
        }
        let refused = |error: SquealError| SystemError::Refused { words: error.to_string() }.into();
        let system = Rolling::by_kicks(self.parameters.clone(), h).map_err(refused);
        let run = system.map(|system| Box::new(Stepped::new(system, h)) as Box<dyn Simulation>);
        Some(Beside { name: "kicks", does: "is by another integrator, which solves nothing", run })
    }

    fn stuck_means(&self) -> Option<&'static str> {
        matches!(self.parameters.wheel.contact, Contact::Patch { .. })
            .then_some("share of the time in which a part of the patch sticks")
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(Box::new(measures::Listener { parameters: &self.parameters, heard: &self.heard }))
    }

    fn doubts(&self, ended: &dyn Simulation) -> Vec<String> {
        doubts::doubts(&self.parameters, self.heard.get(), ended.time())
    }

    fn checked(&self) -> &'static [(&'static str, Option<&'static str>)] {
        measures::CHECKED
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        Ok(charts::squeal(&self.parameters, self.heard.get(), trace, summary))
    }
}
