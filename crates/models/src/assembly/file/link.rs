//! Which two things a spring, damper, stop or pad joins, and in which direction.

use crate::assembly::{End, Fixture, Link};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_scenario::tables::Spanned;

use super::parts::{BodyTable, SupportTable};
use stickslip_scenario::tables::{Angle, Fault, Length, Quantity, listed, nearest, quote, same_column};

/// The word for the ground.
const GROUND: &str = "ground";

/// Names of bodies and supports.
pub(super) struct Names<'a> {
    list: Vec<(&'a str, Fixture)>,
}

impl<'a> Names<'a> {
    pub(super) fn new(bodies: &'a [BodyTable], supports: &'a [SupportTable]) -> Result<Names<'a>, Fault> {
        let mut list: Vec<(&str, Fixture)> = vec![(GROUND, Fixture::Ground)];
        let bodies = bodies.iter().enumerate().map(|(i, b)| (&b.name, Fixture::Body(i)));
        let supports = supports.iter().enumerate().map(|(i, s)| (&s.name, Fixture::Support(i)));
        for (name, fixture) in bodies.chain(supports) {
            if name.text == GROUND {
                return Err(Fault::new("the name \"ground\" is taken: it means the ground")
                    .help("give every body and support a name of its own")
                    .at(&name.span));
            }
            same_column("body or support", name, &name.text, list.iter().map(|(known, _)| *known))?;
            list.push((&name.text, fixture));
        }
        Ok(Names { list })
    }

    pub(super) fn find(&self, name: &Spanned<String>) -> Result<Fixture, Fault> {
        if let Some((_, fixture)) = self.list.iter().find(|(known, _)| *known == name.get_ref().as_str()) {
            return Ok(*fixture);
        }
        let known = self.list.iter().map(|(known, _)| *known);
        let message = format!("there is no body or support named {}", quote(name.get_ref()));
        // Of one letter nothing can be guessed.
        let near = nearest(name.get_ref(), known.clone()).filter(|_| name.get_ref().chars().count() > 1);
        Err(match near {
            Some(near) => Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write `{near}`")),
            None => Fault::new(message).help(format!("the known names are {}", listed(known))),
        }
        .at(&name.span()))
    }

    /// The number of a body, where only a body will do.
    pub(super) fn body(&self, name: &Spanned<String>) -> Result<usize, Fault> {
        match self.find(name)? {
            Fixture::Body(i) => Ok(i),
            Fixture::Support(_) => Err(Fault::new(format!(
                "the motion of {} is prescribed: a force on it would be in conflict",
                quote(name.get_ref())
            ))
            .help("leave the force out, or make it a [[body]]")
            .at(&name.span())),
            Fixture::Ground => {
                Err(Fault::new("a force on the ground does nothing").help("name a body").at(&name.span()))
            }
        }
    }
}

/// Defines a table with the keys of a link (`of`, `of_at`, `against`, `against_at`, `along`, `angle`) besides its own.
macro_rules! linked {
    ($(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        $(#[$doc])*
        #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(inline)]
        pub(in crate::assembly) struct $name {
            $($own)*
            /// The body (or support) whose motion and force count as positive.
            #[schemars(with = "String")]
            pub of: stickslip_scenario::tables::Spanned<String>,
            /// Where on it, from its centre of mass: [x, y] in m (default: the centre).
            of_at: Option<[stickslip_scenario::tables::Quantity<stickslip_scenario::tables::Length>; 2]>,
            /// The other end: a body, a support or "ground" (default).
            #[schemars(with = "Option<String>")]
            against: Option<stickslip_scenario::tables::Spanned<String>>,
            /// Where on that: [x, y] in m (default: the centre).
            against_at: Option<[stickslip_scenario::tables::Quantity<stickslip_scenario::tables::Length>; 2]>,
            /// Direction: "x" (default), "y" or "xy". "xy" is two springs, dampers or stops, one each way; a pad
            /// becomes a disk.
            #[serde(default)]
            along: super::link::Along,
            /// Direction by its angle from x to y [rad], instead of `along`.
            angle: Option<stickslip_scenario::tables::Quantity<stickslip_scenario::tables::Angle>>,
        }

        impl $name {
            fn ends(&self) -> super::link::Ends<'_> {
                super::link::Ends {
                    of: &self.of,
                    of_at: self.of_at.as_ref(),
                    against: self.against.as_ref(),
                    against_at: self.against_at.as_ref(),
                    along: self.along,
                    angle: self.angle.as_ref(),
                }
            }
        }
    };
}
pub(super) use linked;

/// A point on a body.
type Point = [Quantity<Length>; 2];

/// The keys of a link, as written.
pub(super) struct Ends<'a> {
    pub of: &'a Spanned<String>,
    pub of_at: Option<&'a Point>,
    pub against: Option<&'a Spanned<String>>,
    pub against_at: Option<&'a Point>,
    pub along: Along,
    pub angle: Option<&'a Quantity<Angle>>,
}

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum Along {
    #[default]
    X,
    Y,
    Xy,
}

impl Ends<'_> {
    pub(super) fn read(&self, names: &Names<'_>) -> Result<Link, Fault> {
        let point = |at: Option<&Point>| at.map_or([0.0; 2], |[x, y]| [x.si, y.si]);
        let against = self.against.map_or(Ok(Fixture::Ground), |name| names.find(name))?;
        Ok(Link {
            of: End { on: names.find(self.of)?, at: point(self.of_at) },
            against: End { on: against, at: point(self.against_at) },
        })
    }

    /// One or two directions, with what to add to the name.
    pub(super) fn axes(&self) -> Result<Vec<([f64; 2], &'static str)>, Fault> {
        Ok(match (self.angle, self.along) {
            (Some(angle), Along::X) => vec![([angle.si.cos(), angle.si.sin()], "")],
            (Some(angle), _) => {
                return Err(Fault::new("a direction cannot be given by both `along` and `angle`")
                    .help("leave one of them out")
                    .at(&angle.span));
            }
            (None, Along::X) => vec![([1.0, 0.0], "")],
            (None, Along::Y) => vec![([0.0, 1.0], "")],
            (None, Along::Xy) => vec![([1.0, 0.0], " x"), ([0.0, 1.0], " y")],
        })
    }
}
