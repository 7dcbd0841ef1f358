//! `model = "assembly"`: bodies joined by springs, dampers, stops and friction pads.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

mod link;
mod parts;

use std::ops::Range;
use std::sync::Arc;

use crate::assembly::{Assembly, AssemblyError, Parameters, Part, Stop};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_run::Model;

use link::Names;
use parts::ForceTable;
pub(super) use parts::{
    BodyTable, DamperTable, KolschTable, PadTable, SpringTable, StopTable, SupportTable, VampireTable,
};
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{Context, Fault, Scheme, Tables, Theta, same_column, tables};

/// Bodies on a line or in the plane, joined by springs, dampers, stops and friction pads.
///
/// Axes: x forward, y right, yaw from x to y. A point (px, py) of a body moves by (x - py yaw, y + px yaw): small
/// motion. A pad, spring or stop counts the motion of its `of` end against its `against` end.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AssemblyTables {
    /// The bodies, one [[body]] each.
    #[serde(deserialize_with = "tables")]
    body: Vec<BodyTable>,
    /// Belts and shakers: things whose motion is given, one [[support]] each.
    #[serde(default, deserialize_with = "tables")]
    support: Vec<SupportTable>,
    /// Springs, one [[spring]] each.
    #[serde(default, deserialize_with = "tables")]
    spring: Vec<SpringTable>,
    /// Dampers, one [[damper]] each.
    #[serde(default, deserialize_with = "tables")]
    damper: Vec<DamperTable>,
    /// Stops with clearance, one [[stop]] each.
    #[serde(default, deserialize_with = "tables")]
    stop: Vec<StopTable>,
    /// Friction pads, one [[pad]] each.
    #[serde(default, deserialize_with = "tables")]
    pad: Vec<PadTable>,
    /// Forces on bodies, one [[force]] each.
    #[serde(default, deserialize_with = "tables")]
    force: Vec<ForceTable>,
}

/// Places in the file of the parts, in the order of the parameters.
#[derive(Debug, Default)]
struct Places {
    bodies: Vec<Range<usize>>,
    supports: Vec<Range<usize>>,
    springs: Vec<Range<usize>>,
    dampers: Vec<Range<usize>>,
    stops: Vec<Range<usize>>,
    pads: Vec<Range<usize>>,
    forces: Vec<Range<usize>>,
}

impl Places {
    fn of(&self, part: Part) -> Option<Range<usize>> {
        let (list, i) = match part {
            Part::Body(i) => (&self.bodies, i),
            Part::Support(i) => (&self.supports, i),
            Part::Spring(i) => (&self.springs, i),
            Part::Damper(i) => (&self.dampers, i),
            Part::Stop(i) => (&self.stops, i),
            Part::Pad(i) => (&self.pads, i),
        };
        list.get(i).cloned()
    }
}

impl AssemblyTables {
    fn parameters(&self, context: &mut Context<'_>) -> Result<(Parameters, Places), Fault> {
        let names = Names::new(&self.body, &self.support)?;
        let mut places = Places::default();
        let mut p = Parameters::default();
        for body in &self.body {
            p.bodies.push(body.read()?);
            places.bodies.push(body.name.span.clone());
        }
        for support in &self.support {
            p.supports.push(support.read(context)?);
            places.supports.push(support.name.span.clone());
        }
        for (i, spring) in self.spring.iter().enumerate() {
            let read = spring.read(i, &names)?;
            places.springs.resize(p.springs.len() + read.len(), spring.of.span());
            p.springs.extend(read);
        }
        for (i, damper) in self.damper.iter().enumerate() {
            let read = damper.read(i, &names)?;
            places.dampers.resize(p.dampers.len() + read.len(), damper.of.span());
            p.dampers.extend(read);
        }
        let mut contacts: Vec<String> = Vec::new();
        for pad in &self.pad {
            same_column("pad or stop", &pad.name, &pad.name.text, contacts.iter().map(String::as_str))?;
            contacts.push(pad.name.text.clone());
        }
        for stop in &self.stop {
            let read = stop.read(&names)?;
            for part in &read {
                same_column("pad or stop", &stop.name, &part.name, contacts.iter().map(String::as_str))?;
            }
            contacts.extend(read.iter().map(|part| part.name.clone()));
            places.stops.resize(p.stops.len() + read.len(), stop.name.span.clone());
            p.stops.extend(read);
        }
        for pad in &self.pad {
            p.pads.push(pad.read(&names, &p.springs, context)?);
            places.pads.push(pad.name.span.clone());
        }
        for force in &self.force {
            let read = force.read(&names, context)?;
            places.forces.resize(p.forces.len() + read.len(), force.on.span());
            p.forces.extend(read);
        }
        Ok((p, places))
    }
}

/// What to write instead of what core refuses.
fn help(error: &AssemblyError) -> &'static str {
    match error {
        AssemblyError::NoBodies => "add a table [[body]]",
        AssemblyError::SameName { .. } => "give every part a name of its own",
        AssemblyError::SameColumn { .. } => "give the body another name, or add the forces up into one",
        AssemblyError::Dampers => "give the pad or stop another name",
        AssemblyError::NoLoad { .. } => "give a `load`, such as \"3.3 kN\", or `pressed_by` with the name of a spring",
        AssemblyError::Disconnected { .. } => "join them by a spring, damper, stop or pad, or simulate them apart",
        AssemblyError::Force { .. } => "give `x`, `y` or `yaw` as the body moves, or another `moves` to the body",
        AssemblyError::Beyond { .. } => {
            "let the bodies begin within the clearance (`x`, `y`, `position`), or give a wider one"
        }
        AssemblyError::Link { .. } => "look at `of`, `against`, `along` and at how the bodies move",
        _ => "see the range of the number in `stickslip schema`",
    }
}

impl Tables for AssemblyTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "assembly";
    const MEASURES: &'static [Measurable] = super::measures::MEASURES;
    const SCHEMES: &'static [Scheme] =
        &[Scheme::ImplicitEuler, Scheme::MoreauJean, Scheme::Theta(Theta::USUAL), Scheme::Events];

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let (parameters, places) = self.parameters(context)?;
        let assembly = Assembly::new(parameters.clone()).map_err(|error| {
            let mut span = error.part().and_then(|part| places.of(part));
            if let AssemblyError::Force { force } | AssemblyError::SameColumn { force, .. } = &error {
                span = places.forces.get(*force).cloned();
            }
            if error == AssemblyError::Dampers {
                let pads = self.pad.iter().map(|pad| &pad.name).chain(self.stop.iter().map(|stop| &stop.name));
                span = pads.rev().find(|n| n.text == "dampers").map(|n| n.span.clone());
            }
            Fault::new(error.to_string()).help(help(&error)).at(&span.unwrap_or(0..0))
        })?;
        if context.scheme == Scheme::Events
            && let Some((part, what)) = assembly.unknown_to_events()
        {
            return Err(Fault::new(format!("the scheme \"events\" does not know {what}"))
                .help("write scheme = \"implicit-euler\" or \"moreau-jean\" in [run], or change this part")
                .at(&places.of(part).unwrap_or(0..0)));
        }
        if let (Scheme::Theta(_), Some(stop)) = (context.scheme, parameters.stops.iter().position(Stop::rebounds)) {
            return Err(Fault::new(
                "the scheme \"theta\" ends shocks without rebound, and this stop has a restitution",
            )
            .help("write restitution = 0, or scheme = \"moreau-jean\" in [run]")
            .at(&places.of(Part::Stop(stop)).unwrap_or(0..0)));
        }
        Ok(Arc::new(parameters))
    }
}
