//! The tables that all models share: `[run]` and `[output]`.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::fault::{Fault, listed, number};
use stickslip_core::mechanics::Judged;

use crate::kind::{Ratio, Time};
use crate::quantity::{Positive, Quantity};

/// How long and how finely to simulate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// Simulated time T \[s\], > 0; 0 for what is not simulated in time ([`Run::TIMELESS`]).
    pub duration: f64,
    /// Time step h \[s\], 0 < h ≤ T.
    pub step: f64,
    /// Time-stepping scheme.
    pub scheme: Scheme,
}

impl Run {
    /// Of what is not simulated in time: no duration, no step.
    pub const TIMELESS: Run = Run { duration: 0.0, step: 0.0, scheme: Scheme::ImplicitEuler };
}

/// How a model is advanced in time.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Scheme {
    /// Implicit Euler for the friction, forces taken at the start of the step; order 1.
    #[default]
    ImplicitEuler,
    /// Closed form from event to event, exact but for rounding; for models and signals of straight lines between
    /// breaks. The step only says when to record.
    Events,
    /// The θ-scheme of Moreau and Jean with θ = ½: second order in smooth motion, impulses at stick and impact; for
    /// assemblies.
    MoreauJean,
    /// Second order for contacts with springs of their own: modes exactly, contact forces linear over a step, stick and slip located
    /// within it; for squeal.
    SecondOrder,
    /// The θ-method with walls judged by their gaps: inelastic shocks; for assemblies.
    Theta(Theta),
}

/// What a θ-method is told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theta {
    /// θ, ½ to 1.
    pub value: f64,
    /// In which configuration walls are judged.
    pub judged: Judged,
}

impl Theta {
    /// θ = ½ in the shifted configuration.
    pub const USUAL: Theta = Theta { value: 0.5, judged: Judged::Shifted };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum SchemeName {
    ImplicitEuler,
    Events,
    MoreauJean,
    Theta,
    SecondOrder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum JudgedName {
    Shifted,
    End,
}

impl Scheme {
    /// The name used in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::ImplicitEuler => "implicit-euler",
            Scheme::Events => "events",
            Scheme::MoreauJean => "moreau-jean",
            Scheme::SecondOrder => "second-order",
            Scheme::Theta(_) => "theta",
        }
    }

    /// The share of a step after its beginning at which forces are taken: θ.
    pub fn theta(self) -> f64 {
        match self {
            Scheme::MoreauJean => 0.5,
            Scheme::Theta(theta) => theta.value,
            Scheme::ImplicitEuler | Scheme::Events | Scheme::SecondOrder => 1.0,
        }
    }
}

/// What to record.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Output {
    /// Record every n-th step; `None` leaves the choice to the program.
    pub every: Option<u64>,
    /// Whether the report has Poincaré section and Lyapunov exponents; `None`: towed wheels and where there is a
    /// `section_period`.
    pub exponent: Option<bool>,
    /// Time between the instants of the Poincaré section \[s\], > 0; `None`: arrivals of the first contact at rest.
    pub section_period: Option<f64>,
}

/// More steps than this are taken for a slip of the pen.
const MOST_STEPS: f64 = 1e11;

/// How long and how finely to simulate.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RunTable {
    /// Simulated time T [s], > 0.
    duration: Quantity<Time, Positive>,
    /// Time step h [s], > 0, at most the duration.
    step: Quantity<Time, Positive>,
    /// Scheme: "implicit-euler" (default), "events": closed form from event to event for signals of straight lines,
    /// where the step only says when to record, "moreau-jean": second order in smooth motion, for assemblies, "theta": the same
    /// with any theta and with walls that end shocks without rebound, for assemblies, or "second-order", for squeal (its default).
    #[schemars(with = "Option<SchemeName>")]
    scheme: Option<Spanned<SchemeName>>,
    /// θ of the scheme "theta", 0.5 (default; second order in smooth motion) to 1 (first order, never gains energy).
    theta: Option<Quantity<Ratio, Positive>>,
    /// Where the scheme "theta" judges whether a wall is touched: "shifted" (default), a share 1 - θ of a step ahead: inelastic shocks; or
    /// "end": at the end of the step, which bounces for θ < 1.
    #[schemars(with = "Option<JudgedName>")]
    judged: Option<Spanned<JudgedName>>,
}

impl RunTable {
    /// Where the step stands.
    pub fn step_span(&self) -> std::ops::Range<usize> {
        self.step.span.clone()
    }

    /// The scheme that is asked for, or the usual one.
    fn scheme(&self, usual: Scheme) -> Result<Scheme, Fault> {
        let name = self.scheme.as_ref().map(|s| *s.get_ref());
        if name == Some(SchemeName::Theta) {
            let value = self.theta.as_ref().map_or(Theta::USUAL.value, |theta| theta.si);
            if let Some(theta) = self.theta.as_ref().filter(|theta| !(0.5..=1.0).contains(&theta.si)) {
                return Err(Fault::new(format!("theta = {}: it must lie between 0.5 and 1", number(theta.si)))
                    .help("write 0.5 (second order) or 1 (implicit Euler); below 0.5 steps are unstable")
                    .at(&theta.span));
            }
            let judged = match self.judged.as_ref().map(Spanned::get_ref) {
                Some(JudgedName::End) => Judged::End,
                Some(JudgedName::Shifted) | None => Judged::Shifted,
            };
            return Ok(Scheme::Theta(Theta { value, judged }));
        }
        let theta = self.theta.as_ref().map(|theta| ("theta", theta.span.clone()));
        let judged = self.judged.as_ref().map(|judged| ("judged", judged.span()));
        if let Some((key, span)) = theta.or(judged) {
            return Err(Fault::new(format!("`{key}` is only for the scheme \"theta\""))
                .help(format!("write scheme = \"theta\", or leave `{key}` out"))
                .at(&span));
        }
        Ok(match name {
            None => usual,
            Some(SchemeName::Events) => Scheme::Events,
            Some(SchemeName::MoreauJean) => Scheme::MoreauJean,
            Some(SchemeName::SecondOrder) => Scheme::SecondOrder,
            Some(SchemeName::ImplicitEuler | SchemeName::Theta) => Scheme::ImplicitEuler,
        })
    }

    /// The run, if the model can be run by its scheme.
    pub fn read(&self, model: &str, schemes: &[Scheme]) -> Result<Run, Fault> {
        let usual = schemes.iter().find(|s| **s == Scheme::default()).or(schemes.first()).copied().unwrap_or_default();
        let scheme = self.scheme(usual)?;
        if !schemes.iter().any(|known| known.name() == scheme.name()) {
            let span = self.scheme.as_ref().map_or(0..0, Spanned::span);
            return Err(Fault::new(format!("the scheme \"{}\" is not for the model \"{model}\"", scheme.name()))
                .help(format!("write {}", listed(schemes.iter().map(|s| s.name())).replace(" and ", " or ")))
                .at(&span));
        }
        let (duration, step) = (self.duration.si, self.step.si);
        if step > duration {
            return Err(Fault::new(format!(
                "the step of {} s is longer than the duration of {} s",
                number(step),
                number(duration)
            ))
            .help("write a step of at most the duration, commonly a thousandth of it")
            .at(&self.step.span));
        }
        let steps = duration / step;
        if steps > MOST_STEPS {
            return Err(Fault::new(format!(
                "{steps:.3e} steps of {} s to reach {} s: at most 1e11 are allowed",
                number(step),
                number(duration)
            ))
            .help("write a longer step or a shorter duration")
            .at(&self.step.span));
        }
        Ok(Run { duration, step, scheme })
    }
}

/// What to record.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub struct OutputTable {
    /// Record every n-th step, a whole number ≥ 1 (default: chosen by the program).
    every: Option<std::num::NonZeroU64>,
    /// Poincaré section and largest Lyapunov exponent in the report (default: towed wheels, and where section_period
    /// is given). They are found from event to event whatever the scheme of the run.
    #[schemars(with = "Option<bool>")]
    exponent: Option<Spanned<bool>>,
    /// Time between the instants of the Poincaré section [s], > 0: the period of what drives the motion (default: the
    /// instants at which the first contact comes to rest).
    section_period: Option<Quantity<Time, Positive>>,
}

impl OutputTable {
    /// What it asks for, checked.
    pub fn read(&self, model: &str, schemes: &[Scheme]) -> Result<Output, Fault> {
        let asked = self.exponent.as_ref().filter(|e| *e.get_ref()).map(Spanned::span);
        let asked = asked.or_else(|| self.section_period.as_ref().map(|period| period.span.clone()));
        if let Some(span) = asked.filter(|_| !schemes.contains(&Scheme::Events)) {
            return Err(Fault::new(format!("the model \"{model}\" has no section and no exponent"))
                .help("leave it out: they are found from event to event, and this model only makes steps")
                .at(&span));
        }
        Ok(Output {
            every: self.every.map(std::num::NonZeroU64::get),
            exponent: self.exponent.as_ref().map(|e| *e.get_ref()),
            section_period: self.section_period.as_ref().map(|period| period.si),
        })
    }
}
