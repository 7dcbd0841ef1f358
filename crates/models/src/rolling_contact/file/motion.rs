//! What the bodies of a rolling contact do.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::num::NonZeroU64;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::case::Course;
use stickslip_contact::finite_elements::{Reach, STRIDES};
use stickslip_contact::tangential::{Drive, Motion};
use stickslip_scenario::tables::Spanned;
use stickslip_scenario::tables::{Fault, Force, Length, LoadPerLength, Positive, Quantity, Ratio, Speed, Spin};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum KindName {
    Shift,
    Transient,
    Steady,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum StartName {
    #[default]
    Free,
    Shift,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum ReachName {
    Whole,
    Local,
}

/// What the bodies do: along x and y each either a creepage (in a shift: a distance) or a force.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct MotionTable {
    /// "shift": pushed at rest; "transient": rolled step by step; "steady": rolling for ever.
    #[schemars(with = "KindName")]
    kind: Spanned<KindName>,
    /// Longitudinal creepage xi (default 0); not for a shift.
    longitudinal: Option<Quantity<Ratio>>,
    /// Lateral creepage eta (default 0); not for a shift.
    lateral: Option<Quantity<Ratio>>,
    /// Distance shifted along x [m] (default 0); only for a shift.
    shift: Option<Quantity<Length>>,
    /// Distance shifted along y [m] (default 0); only for a shift.
    lateral_shift: Option<Quantity<Length>>,
    /// Force on body 1 along x instead of a creepage or distance [N]; not for line contact.
    force: Option<Quantity<Force>>,
    /// Force on body 1 along y instead of a creepage or distance [N]; not for line contact.
    lateral_force: Option<Quantity<Force>>,
    /// The same along x in line contact [N/m].
    force_per_length: Option<Quantity<LoadPerLength>>,
    /// The same along y in line contact [N/m].
    lateral_force_per_length: Option<Quantity<LoadPerLength>>,
    /// Spin [rad/m] (default 0); not for a shift or line contact.
    spin: Option<Quantity<Spin>>,
    /// Rolling speed V [m/s], > 0; needed where friction depends on the slip speed, and only there.
    speed: Option<Quantity<Speed, Positive>>,
    /// Length of a step over that of an element, 0.01 to 4 (default 1: material is shifted by one node exactly); only for
    /// transient rolling of finite elements.
    stride: Option<Quantity<Ratio, Positive>>,
    /// How much of the bodies' compliance transient rolling of finite elements sees: "whole" (default without [structure]), from the clamped hub to the surface;
    /// or "local", without the displacement that the whole contact has in common, for structures that have it in a model of their own.
    #[schemars(with = "Option<ReachName>")]
    compliance: Option<Spanned<ReachName>>,
    /// Steps of one element (or of `stride` elements), 1 to 100000; only for transient rolling, and needed there.
    #[schemars(with = "Option<NonZeroU64>")]
    steps: Option<Spanned<NonZeroU64>>,
    /// How transient rolling starts: "free" of tractions (default), or after a "shift" by the same forces, without creepage and spin.
    #[schemars(with = "Option<StartName>")]
    start: Option<Spanned<StartName>>,
}

/// More steps than this are taken for a slip of the pen.
const MOST_STEPS: u64 = 100_000;

impl MotionTable {
    /// Refuses keys that mean nothing for this kind of motion.
    fn refuse<T>(
        &self,
        given: &Option<T>,
        span: impl Fn(&T) -> Range<usize>,
        what: &str,
        help: &str,
    ) -> Result<(), Fault> {
        match given {
            None => Ok(()),
            Some(value) => {
                let kind = match self.kind.get_ref() {
                    KindName::Shift => "a shift",
                    KindName::Transient => "transient rolling",
                    KindName::Steady => "steady rolling",
                };
                Err(Fault::new(format!("{what} is not for {kind}")).help(help).at(&span(value)))
            }
        }
    }

    /// The rolling speed; 0 where it has no effect. `depends`: whether friction, given at `span`, depends on the slip speed.
    pub fn speed(&self, depends: bool, span: &Range<usize>) -> Result<f64, Fault> {
        match (&self.speed, depends) {
            _ if depends && *self.kind.get_ref() == KindName::Shift => {
                Err(Fault::new("friction that depends on the slip speed is not for a shift")
                    .help("a shift takes no time: write a plain number such as 0.3")
                    .at(span))
            }
            (Some(speed), true) => Ok(speed.si),
            (None, false) => Ok(0.0),
            (None, true) => Err(Fault::new("missing key `speed` in [motion]")
                .help("friction that depends on the slip speed needs the rolling speed: speed = \"10 m/s\"")
                .at(span)),
            (Some(speed), false) => Err(Fault::new("a rolling speed has no effect where friction is constant")
                .help("leave `speed` out, or write friction = { static = 0.3, kinetic = 0.2, speed = \"0.5 m/s\" }")
                .at(&speed.span)),
        }
    }

    /// Refuses what means nothing between infinitely long cylinders.
    pub fn line_contact(&self) -> Result<(), Fault> {
        match &self.spin {
            None => Ok(()),
            Some(spin) => Err(Fault::new("spin is not for line contact")
                .help("leave `spin` out: along an infinitely long contact its slip would grow without bound")
                .at(&spin.span)),
        }
    }

    /// The force along x or y, if one is given: a plain one between bodies that touch in a point, else one per length.
    fn force<'a>(
        line: bool,
        plain: &'a Option<Quantity<Force>>,
        per_length: &'a Option<Quantity<LoadPerLength>>,
    ) -> Result<Option<(f64, &'a Range<usize>)>, Fault> {
        match (line, plain, per_length) {
            (true, Some(plain), _) => Err(Fault::new("in line contact forces are per length")
                .help("write force_per_length = \"-1 MN/m\", or lateral_force_per_length")
                .at(&plain.span)),
            (false, _, Some(per_length)) => Err(Fault::new("a force per length is for line contact only")
                .help("write force = \"-5 kN\", or lateral_force")
                .at(&per_length.span)),
            (true, None, given) => Ok(given.as_ref().map(|q| (q.si, &q.span))),
            (false, given, None) => Ok(given.as_ref().map(|q| (q.si, &q.span))),
        }
    }

    /// Where a key is written that is for finite elements only, if there is one.
    pub fn only_finite_elements(&self) -> Option<(&'static str, Range<usize>)> {
        let stride = self.stride.as_ref().map(|q| ("stride", q.span.clone()));
        stride.or_else(|| self.compliance.as_ref().map(|c| ("compliance", c.span())))
    }

    /// Length of a step in elements, and how much of the compliance is seen.
    pub fn steps_of_elements(&self, structure: bool) -> Result<(Option<f64>, Reach), Fault> {
        if *self.kind.get_ref() != KindName::Transient {
            let steady = "leave it out: steady rolling does not depend on it, since a displacement that all nodes have in common drops out";
            self.refuse(&self.stride, |q| q.span.clone(), "a stride", "leave it out")?;
            self.refuse(&self.compliance, Spanned::span, "a choice of compliance", steady)?;
        }
        let [least, most] = STRIDES;
        if let Some(stride) = self.stride.as_ref().filter(|q| !(least..=most).contains(&q.si)) {
            return Err(Fault::new(format!(
                "steps of {} elements: a stride between {least} and {most} is expected",
                stride.si
            ))
            .help("write stride = 0.5, or leave it out: steps of one element shift the material exactly")
            .at(&stride.span));
        }
        let reach = match self.compliance.as_ref().map(|c| (c.get_ref(), c.span())) {
            Some((ReachName::Whole, span)) if structure => {
                return Err(Fault::new("the bodies' compliance from hub to surface is counted twice: here and in [structure]")
                    .help("write compliance = \"local\" or leave it out: the structure has the static compliance that is taken out; or leave [structure] out")
                    .at(&span));
            }
            Some((ReachName::Local, _)) => Reach::Local,
            None if structure => Reach::Local,
            Some((ReachName::Whole, _)) | None => Reach::Whole,
        };
        Ok((self.stride.as_ref().map(|q| q.si), reach))
    }

    /// Where the kind of motion is written.
    pub fn kind_span(&self) -> Range<usize> {
        self.kind.span()
    }

    /// Where the first force is written.
    pub fn force_span(&self) -> Option<Range<usize>> {
        let plain = [&self.force, &self.lateral_force].into_iter().flatten().map(|q| q.span.clone());
        let per_length = [&self.force_per_length, &self.lateral_force_per_length].into_iter().flatten();
        plain.chain(per_length.map(|q| q.span.clone())).next()
    }

    fn drive<D>(rigid: &Option<Quantity<D>>, force: Option<(f64, &Range<usize>)>, what: &str) -> Result<Drive, Fault> {
        match (rigid, force) {
            (Some(_), Some((_, span))) => Err(Fault::new(format!("both {what} and its force are given"))
                .help("one follows from the other: leave one of them out")
                .at(span)),
            (_, Some((force, _))) => Ok(Drive::Force(force)),
            (rigid, None) => Ok(Drive::Creepage(rigid.as_ref().map_or(0.0, |q| q.si))),
        }
    }

    /// What happens; `line` says whether cylinders touch along a line.
    pub fn read(&self, line: bool) -> Result<Course, Fault> {
        let along = MotionTable::force(line, &self.force, &self.force_per_length)?;
        let across = MotionTable::force(line, &self.lateral_force, &self.lateral_force_per_length)?;
        if *self.kind.get_ref() == KindName::Shift {
            let distances = "write shift = \"5 µm\", lateral_shift or a force";
            self.refuse(&self.longitudinal, |q| q.span.clone(), "a creepage", distances)?;
            self.refuse(&self.lateral, |q| q.span.clone(), "a creepage", distances)?;
            self.refuse(&self.spin, |q| q.span.clone(), "spin", distances)?;
            self.refuse(&self.steps, Spanned::span, "a number of steps", "leave `steps` out")?;
            self.refuse(&self.start, Spanned::span, "a start", "leave `start` out")?;
            let x = MotionTable::drive(&self.shift, along, "a shift")?;
            let y = MotionTable::drive(&self.lateral_shift, across, "a lateral shift")?;
            return Ok(Course::Shift(Motion { x, y, spin: 0.0 }));
        }
        let creepages = "write longitudinal = 0.001, lateral or a force";
        self.refuse(&self.shift, |q| q.span.clone(), "a shift", creepages)?;
        self.refuse(&self.lateral_shift, |q| q.span.clone(), "a shift", creepages)?;
        let x = MotionTable::drive(&self.longitudinal, along, "a longitudinal creepage")?;
        let y = MotionTable::drive(&self.lateral, across, "a lateral creepage")?;
        let motion = Motion { x, y, spin: self.spin.as_ref().map_or(0.0, |q| q.si) };
        if *self.kind.get_ref() == KindName::Steady {
            self.refuse(&self.steps, Spanned::span, "a number of steps", "leave `steps` out")?;
            self.refuse(&self.start, Spanned::span, "a start", "leave `start` out")?;
            return Ok(Course::Steady(motion));
        }
        let Some(steps) = &self.steps else {
            return Err(Fault::new("missing key `steps` in [motion]")
                .help("transient rolling needs the number of elements to roll over: steps = 56")
                .at(&self.kind.span()));
        };
        if steps.get_ref().get() > MOST_STEPS {
            return Err(Fault::new(format!("{} steps: at most {MOST_STEPS} are allowed", steps.get_ref()))
                .help("a contact is steady after two or three contact lengths")
                .at(&steps.span()));
        }
        let shifted = self.start.as_ref().is_some_and(|start| *start.get_ref() == StartName::Shift);
        let forced = matches!((x, y), (Drive::Force(_), _) | (_, Drive::Force(_)));
        if let (true, false, Some(start)) = (shifted, forced, &self.start) {
            return Err(Fault::new("a start by a shift needs a force that shifts the bodies")
                .help("write force = \"-1 kN\", or leave `start` out")
                .at(&start.span()));
        }
        Ok(Course::Transient { motion, steps: steps.get_ref().get() as usize, shifted })
    }
}
