//! What happens between wheel and rail.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::law::Coefficient;
use stickslip_core::range::in_range;
use stickslip_scenario::tables::{Fault, Flexibility, FrictionOf, Length, Quantity, Ratio, Scheme, Spanned};
use stickslip_squeal::{Contact, Friction, SquealError, range};

/// What happens between wheel and rail.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct ContactTable {
    /// "point": set-valued friction at a point; "creep": a creep law with a lag; "patch": bristles along the contact.
    #[schemars(with = "KindName")]
    kind: Spanned<KindName>,
    /// Coefficient of friction over slip velocity: a number, or a table as everywhere; without a jump for a patch.
    friction: FrictionOf,
    /// Initial slope of the creep curve over the coefficient of friction, > 0: force/N = mu(v) tanh(slope s); goes with "creep".
    slope: Option<Quantity<Ratio, range::Slope>>,
    /// Relaxation length of the creep force [m], >= 0 (default 0: it follows at once); goes with "creep".
    lag: Option<Quantity<Length, range::Lag>>,
    /// Half length a of the contact in the rolling direction [m], > 0; goes with "patch".
    half_length: Option<Quantity<Length, range::HalfLength>>,
    /// Flexibility L of the bristles [m^2/N], > 0; goes with "patch". Full sliding begins at a creepage of 3 mu L N/(2 a^2).
    flexibility: Option<Quantity<Flexibility, range::Flexibility>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum KindName {
    Point,
    Creep,
    Patch,
}

impl KindName {
    fn word(self) -> &'static str {
        match self {
            KindName::Point => "point",
            KindName::Creep => "creep",
            KindName::Patch => "patch",
        }
    }
}

impl ContactTable {
    /// The contact, for a steady slip velocity [m/s].
    pub(super) fn read(&self, scheme: Scheme, slip: f64) -> Result<Contact, Fault> {
        let kind = *self.kind.get_ref();
        let spans = [
            ("slope", KindName::Creep, self.slope.as_ref().map(|q| &q.span)),
            ("lag", KindName::Creep, self.lag.as_ref().map(|q| &q.span)),
            ("half_length", KindName::Patch, self.half_length.as_ref().map(|q| &q.span)),
            ("flexibility", KindName::Patch, self.flexibility.as_ref().map(|q| &q.span)),
        ];
        if let Some((key, of, span)) =
            spans.iter().find_map(|(key, of, span)| span.filter(|_| *of != kind).map(|span| (key, of, span)))
        {
            return Err(Fault::new(format!("`{key}` goes with a contact of kind \"{}\"", of.word()))
                .help(format!("leave `{key}` out"))
                .at(span));
        }
        let missing = |key: &str, example: &str| {
            Fault::new(format!("a contact of kind \"{}\" needs `{key}`", kind.word()))
                .help(format!("write for example {key} = {example}"))
                .at(&self.kind.span())
        };
        let law = self.friction.read()?;
        Ok(match kind {
            KindName::Point => Contact::Point { friction: Friction::Law(law) },
            KindName::Creep => Contact::Creep {
                friction: Friction::Law(law),
                slope: self.slope.as_ref().ok_or_else(|| missing("slope", "335"))?.si,
                lag: self.lag.as_ref().map_or(0.0, |q| q.si),
            },
            KindName::Patch => {
                if let Coefficient::StaticKinetic { .. } = law {
                    return Err(Fault::new(SquealError::Jump.to_string())
                        .help("write for example friction = { static = 0.35, kinetic = 0.25, speed = \"0.15 m/s\" }, or kind = \"point\"")
                        .at(&self.friction.span));
                }
                in_range::<range::PatchFriction>("contact.friction", law.at(slip), "").map_err(|error| {
                    Fault::new(error.to_string())
                        .help("write for example friction = 0.35; a patch without friction holds nothing")
                        .at(&self.friction.span)
                })?;
                if scheme == Scheme::Events {
                    return Err(Fault::new(
                        "a patch of bristles has no run from event to event: each step is one cell of it",
                    )
                    .help("leave run.scheme out")
                    .at(&self.kind.span()));
                }
                Contact::Patch {
                    friction: Friction::Law(law),
                    half_length: self.half_length.as_ref().ok_or_else(|| missing("half_length", "\"4.26 mm\""))?.si,
                    flexibility: self
                        .flexibility
                        .as_ref()
                        .ok_or_else(|| missing("flexibility", "\"7.4e-12 m^2/N\""))?
                        .si,
                }
            }
        })
    }
}
