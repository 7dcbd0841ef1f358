//! `model = "squeal"`: a modal wheel on a contact with dry friction.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod body;
mod contact;
mod roughness;

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_run::Model;
use stickslip_run::text::number_to;
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{
    Compliance, Context, Fault, Force, Frequency, Length, Positive, Quantity, Ratio, Scheme, Spanned, Speed, TableOf,
    Tables, table,
};
use stickslip_squeal::body::Built;
use stickslip_squeal::contact::Spring;
use stickslip_squeal::step::Start;
use stickslip_squeal::{Mode, SquealError, Wheel, mode, range};

use super::Parameters;
use body::BodyTable;
use contact::ContactTable;
use roughness::RoughnessTable;

/// A wheel with vibration modes that rolls with a lateral creepage on a contact with dry friction: stable, or squealing.
///
/// Signs: y is lateral, z up, forces are those of the rail on the wheel. Modes are mass-normalised at the contact point.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SquealTables {
    /// The wheel: its modes and how it rolls.
    #[serde(deserialize_with = "table")]
    wheel: WheelTable,
    /// What happens between wheel and rail.
    #[serde(deserialize_with = "table")]
    contact: ContactTable,
    /// Roughness of wheel and rail (optional; smooth by default).
    #[serde(default, deserialize_with = "table")]
    roughness: RoughnessTable,
    /// How it begins (optional; along the least stable eigenvector, with 1e-5 of the steady slip velocity).
    #[serde(default, deserialize_with = "table")]
    start: StartTable,
}

/// The wheel: its modes and how it rolls.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct WheelTable {
    /// The modes, mass-normalised at the contact point (or `table`, or `body`).
    #[schemars(with = "Option<Vec<ModeTable>>")]
    modes: Option<Spanned<Vec<TableOf<ModeTable>>>>,
    /// CSV file of modes with the columns mode, frequency_Hz, damping_ratio, phi_y_per_sqrt_kg, phi_z_per_sqrt_kg (instead of `modes`).
    #[schemars(with = "Option<String>")]
    table: Option<Spanned<String>>,
    /// Rows of that file whose column `set` is this (optional).
    set: Option<String>,
    /// The wheel as a body, whose modes are computed by finite elements (instead of `modes` or `table`).
    #[schemars(with = "Option<BodyTable>")]
    body: Option<Spanned<TableOf<BodyTable>>>,
    /// Rolling speed V [m/s], > 0.
    speed: Quantity<Speed, range::Speed>,
    /// Lateral creepage s0, > 0: the steady slip velocity over V.
    creepage: Quantity<Ratio, range::Creepage>,
    /// Normal load N0 [N], > 0.
    load: Quantity<Force, range::Load>,
    /// Approach delta0 of wheel and rail under that load [m], > 0; the Hertz spring has the stiffness 3 N0/(2 delta0).
    approach: Quantity<Length, range::Approach>,
    /// Static compliance of the whole body at the contact, up [m/N], > 0 (optional): what the modes do not hold of it is put in series
    /// with the Hertz spring, once. Less than the modes hold is refused, and so is one beside `body`, which has its own.
    compliance: Option<Quantity<Compliance, range::Compliance>>,
}

/// A mode.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct ModeTable {
    /// Its name, as "3L0".
    name: String,
    /// Natural frequency [Hz], > 0.
    frequency: Quantity<Frequency, range::Frequency>,
    /// Damping ratio, at least 0 and less than 1.
    damping: Quantity<Ratio>,
    /// Lateral amplitude at the contact [kg^-1/2].
    #[schemars(with = "f64")]
    lateral: Spanned<f64>,
    /// Vertical amplitude at the contact, up [kg^-1/2] (default 0).
    #[serde(default)]
    vertical: f64,
}

/// How it begins.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
struct StartTable {
    /// Along the eigenvector with the greatest growth, with this lateral velocity of the contact point [m/s].
    eigenvector: Option<Quantity<Speed, Positive>>,
    /// With each mode at a velocity by chance, up to this much at the contact [m/s].
    noise: Option<Quantity<Speed, Positive>>,
    /// With a lateral blow that gives the contact point this velocity [m/s].
    kick: Option<Quantity<Speed>>,
    /// Seed of the chance (default 1); goes with `noise`.
    seed: Option<u64>,
}

/// Share of the steady slip velocity that a start has where none is given.
const SMALL: f64 = 1e-5;

impl StartTable {
    fn read(&self, slip: f64) -> Result<Start, Fault> {
        let given = [
            self.eigenvector.as_ref().map(|q| &q.span),
            self.noise.as_ref().map(|q| &q.span),
            self.kick.as_ref().map(|q| &q.span),
        ];
        let given: Vec<_> = given.into_iter().flatten().collect();
        if let [_, second, ..] = given[..] {
            return Err(Fault::new("a motion begins in one way")
                .help("keep one of eigenvector, noise and kick")
                .at(second));
        }
        Ok(match (&self.eigenvector, &self.noise, &self.kick) {
            (_, Some(noise), _) => Start::Noise { amplitude: noise.si, seed: self.seed.unwrap_or(1) },
            (_, _, Some(kick)) => Start::Kick(kick.si),
            (eigenvector, ..) => Start::Eigenvector(eigenvector.as_ref().map_or(SMALL * slip, |q| q.si)),
        })
    }
}

impl WheelTable {
    /// What finite elements say of the body, if it is given as one.
    fn built(&self) -> Result<Option<Arc<Built>>, Fault> {
        let Some(body) = &self.body else { return Ok(None) };
        let others = [self.modes.as_ref().map(Spanned::span), self.table.as_ref().map(Spanned::span)];
        if let Some(span) = others.into_iter().flatten().next() {
            return Err(Fault::new("modes are given twice, and as a body")
                .help("keep one of wheel.modes, wheel.table and wheel.body")
                .at(&span));
        }
        if let Some(compliance) = &self.compliance {
            return Err(Fault::new("compliance is counted twice: wheel.body has a static compliance of its own")
                .help("leave wheel.compliance out; it goes with wheel.modes and wheel.table")
                .at(&compliance.span));
        }
        body.get_ref().0.read().map(Some)
    }

    /// Where it is said which modes there are.
    fn place_of_modes(&self) -> std::ops::Range<usize> {
        let list = [self.modes.as_ref().map(Spanned::span), self.table.as_ref().map(Spanned::span)];
        let body = self.body.as_ref().map(|body| body.get_ref().0.choice());
        list.into_iter().flatten().chain(body).next().unwrap_or_else(|| self.speed.span.clone())
    }

    /// Static compliance once: that of the body, or that which is given.
    fn with_compliance(&self, wheel: Wheel, built: Option<&Built>) -> Result<Wheel, Fault> {
        match (built, &self.compliance, &self.body) {
            (Some(built), _, Some(body)) => {
                let modes = wheel.modal_compliance();
                wheel.with_body_compliance(built.compliance).map_err(|_| {
                    Fault::new(format!(
                        "compliance would be counted twice: the kept modes give {} m/N at the contact, up, and the body has {} m/N beside what \
                         the Hertz spring holds",
                        number_to(modes, 4),
                        number_to(built.compliance, 4)
                    ))
                    .help("keep fewer modes: a lower wheel.body.up_to, or a coarser mesh there is no reason to trust so far up")
                    .at(&body.get_ref().0.choice())
                })
            }
            (None, Some(body), _) => {
                wheel.with_body_compliance(body.si).map_err(|error| Fault::new(error.to_string()).at(&body.span))
            }
            _ => Ok(wheel),
        }
    }

    fn modes(&self, context: &mut Context<'_>) -> Result<Vec<Mode>, Fault> {
        match (&self.modes, &self.table) {
            (Some(list), None) => {
                if list.get_ref().is_empty() {
                    return Err(Fault::new(SquealError::NoModes.to_string()).at(&list.span()));
                }
                let read = |TableOf(own): &TableOf<ModeTable>| {
                    let mode = Mode {
                        name: own.name.clone(),
                        frequency: own.frequency.si,
                        damping: own.damping.si,
                        lateral: *own.lateral.get_ref(),
                        vertical: own.vertical,
                    };
                    let place = match mode::check_damping(own.damping.si) {
                        Ok(()) => own.lateral.span(),
                        Err(_) => own.damping.span.clone(),
                    };
                    let fault = |error: mode::ModeError| Fault::new(error.to_string()).at(&place);
                    mode.check().map_err(fault).map(|()| mode)
                };
                let modes = list.get_ref().iter().map(read).collect::<Result<Vec<_>, _>>()?;
                let twice = |(k, mode): (usize, &Mode)| modes[..k].iter().any(|other| other.name == mode.name).then(|| mode.name.clone());
                match modes.iter().enumerate().find_map(twice) {
                    Some(name) => Err(Fault::new(format!("two modes are called {name:?}")).help("give each a name of its own").at(&list.span())),
                    None => Ok(modes),
                }
            }
            (None, Some(path)) => {
                let bytes = context.file(path)?;
                let text = String::from_utf8_lossy(&bytes);
                mode::from_csv(&text, self.set.as_deref()).map_err(|error| {
                    Fault::new(format!("{}: {error}", path.get_ref())).help("see docs/squeal.md for the columns of a table of modes").at(&path.span())
                })
            }
            (Some(_), Some(path)) => {
                Err(Fault::new("modes are given twice").help("keep `modes` or `table`").at(&path.span()))
            }
            (None, None) => Err(Fault::new("a wheel needs modes")
                .help("write modes = [{ name = \"3L0\", frequency = \"1150 Hz\", damping = 4e-4, lateral = 0.17 }], table = \"modes.csv\" or a table [wheel.body]")
                .at(&self.speed.span)),
        }
    }
}

impl Tables for SquealTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "squeal";
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;
    const SCHEMES: &'static [Scheme] = &[Scheme::SecondOrder, Scheme::Events];

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let own = &self.wheel;
        let built = own.built()?;
        let modes = built.as_ref().map_or_else(|| own.modes(context), |built| Ok(built.modes.clone()))?;
        let contact = self.contact.read(context.scheme, own.speed.si * own.creepage.si)?;
        let (rough, filter) = self.roughness.read(own.speed.si, &contact, context)?;
        let mut wheel = Wheel {
            modes,
            speed: own.speed.si,
            creepage: own.creepage.si,
            spring: Spring { load: own.load.si, approach: own.approach.si, residual: 0.0 },
            contact,
            roughness: rough,
        };
        wheel.check().map_err(|error| Fault::new(error.to_string()).at(&own.place_of_modes()))?;
        wheel = own.with_compliance(wheel, built.as_deref())?;
        // A run needs a step that follows it; small motions about the steady state have no step, so that it is not judged here.
        let step = (context.scheme != Scheme::Events).then_some(context.step.0);
        let start = self.start.read(wheel.slip())?;
        Ok(Arc::new(Parameters { wheel, start, filter, built, step }))
    }
}
