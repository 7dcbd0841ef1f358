//! Rolling step by step: what is told, written and drawn of it.

use std::path::Path;

use serde::Serialize;
use stickslip_contact::finite_elements::case::{FiniteElements, RolledOn};
use stickslip_contact::finite_elements::{Reach, Structure};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::palette::Role;
use stickslip_report::table::{Column, Formats, TableWriter};
use stickslip_run::text::{number, number_to};
use stickslip_run::{RunFailure, Scenario, VERSION};

/// The share of the steady force within which it counts as reached.
const NEAR: f64 = 0.01;

/// What is told of rolling step by step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StepsNote {
    /// `whole` or `local`.
    pub compliance: &'static str,
    /// Length of a step over that of an element.
    pub stride: f64,
    /// Whether each step shifts the material by one node exactly.
    pub exact_shift: bool,
    /// Distance rolled over a.
    pub rolled_over_a: f64,
    /// Force over μN after the last step.
    #[serde(skip)]
    pub friction_used: f64,
    /// Share of the nodes in contact that stick after the last step.
    #[serde(skip)]
    pub stick_share: f64,
    /// The share of one node.
    #[serde(skip)]
    pub node_share: f64,
    /// Length of a step \[m\].
    #[serde(skip)]
    pub step: f64,
    /// The same over a.
    #[serde(skip)]
    pub step_over_a: f64,
    /// Force over μN of steady rolling.
    pub steady_friction_used: f64,
    /// Distance over a from which on the force is within 1 % of the steady one; left out where it does not get there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within_1_percent_over_a: Option<f64>,
    /// The same with the other compliance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_within_1_percent_over_a: Option<f64>,
    /// Natural frequency of the structure \[Hz\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure_frequency: Option<f64>,
    /// Displacement that the contact has in common per force \[m/N; in line contact m per N/m\], taken out of `local`.
    pub common_compliance: f64,
    /// Iterations of a step: mean and greatest.
    pub iterations_mean: f64,
    /// The greatest.
    pub iterations_most: usize,
    /// Energy stored at the end, beyond that of the pressure at the start \[J\].
    pub stored: f64,
    /// Turned into heat by the structure's damping \[J\].
    pub damping: f64,
    /// Heat of the contact \[J\].
    pub heat: f64,
    /// What the creepage's drive gave, and of unlike bodies the load as they come nearer \[J\].
    pub drive: f64,
    /// Lost by convection: what upwinding and the leading edge take, and of unlike bodies the work of the rolling moment \[J\].
    pub convection: f64,
    /// Lost by the steps \[J\].
    pub numerical: f64,
    /// What the ledger leaves over, as a share of the drive.
    pub closure: f64,
}

/// Rolling step by step with both compliances.
pub(super) struct Steps {
    pub own: RolledOn,
    other: Option<RolledOn>,
    limit: f64,
    a: f64,
    reach: Reach,
    stride: f64,
    structure: Option<Structure>,
}

fn name(reach: Reach) -> &'static str {
    match reach {
        Reach::Whole => "whole",
        Reach::Local => "local",
    }
}

impl Steps {
    pub(super) fn new(contact: &FiniteElements, own: RolledOn, other: Option<RolledOn>) -> Steps {
        let limit = contact.case.friction.sticking() * own.rolled.normal.load;
        let hertz = contact.case.outline().map_or(1.0, |outline| outline.a());
        let a = own.rolled.fitted.map_or(hertz, |fitted| fitted.a);
        let (reach, structure) = (contact.meshing.reach, contact.meshing.structure);
        Steps { own, other, limit, a, reach, structure, stride: contact.meshing.stride.unwrap_or(1.0) }
    }

    /// Force over μN, along the direction of the steady one.
    fn used(&self, rolled: &RolledOn, force: [f64; 2]) -> f64 {
        let end = rolled.steady.force;
        let size = end[0].hypot(end[1]);
        if size == 0.0 { 0.0 } else { (force[0] * end[0] + force[1] * end[1]) / (size * self.limit) }
    }

    fn way(&self, rolled: &RolledOn) -> Vec<[f64; 2]> {
        let start = std::iter::once([0.0, 0.0]);
        start.chain(rolled.stages.iter().map(|s| [s.distance / self.a, self.used(rolled, s.force)])).collect()
    }

    /// From where on it stays within 1 % of its end, over a.
    fn reached(&self, rolled: &RolledOn) -> Option<f64> {
        let end = self.used(rolled, rolled.steady.force);
        let way = self.way(rolled);
        let away = way.iter().rposition(|[_, q]| (q - end).abs() > NEAR * end.abs())?;
        way.get(away + 1).map(|[x, _]| *x)
    }

    pub(super) fn note(&self) -> StepsNote {
        let (stages, own) = (&self.own.stages, &self.own);
        let energy = stages.last().map(|stage| stage.energy).unwrap_or_default();
        let common = [Some(own), self.other.as_ref()].into_iter().flatten().map(|r| r.constant).fold(0.0, f64::max);
        let last = stages.last();
        let step = last.map_or(0.0, |stage| stage.distance / stages.len() as f64);
        StepsNote {
            friction_used: last.map_or(0.0, |stage| self.used(own, stage.force)),
            stick_share: last.map_or(0.0, |stage| stage.stick_share),
            node_share: 1.0 / own.rolled.touching().max(1) as f64,
            step,
            step_over_a: step / self.a,
            compliance: name(self.reach),
            stride: self.stride,
            exact_shift: own.shifts,
            rolled_over_a: stages.last().map_or(0.0, |stage| stage.distance / self.a),
            steady_friction_used: self.used(own, own.steady.force),
            within_1_percent_over_a: self.reached(own),
            other_within_1_percent_over_a: self.other.as_ref().and_then(|other| self.reached(other)),
            structure_frequency: self.structure.map(|structure| structure.frequency),
            common_compliance: common,
            iterations_mean: stages.iter().map(|s| s.iterations as f64).sum::<f64>() / stages.len().max(1) as f64,
            iterations_most: stages.iter().map(|s| s.iterations).max().unwrap_or(0),
            stored: energy.stored - energy.start,
            damping: energy.damping,
            heat: energy.heat,
            drive: energy.drive,
            convection: energy.convection,
            numerical: energy.numerical,
            closure: if energy.drive == 0.0 { 0.0 } else { (energy.missing() / energy.drive).abs() },
        }
    }

    /// Q over the distance, and the ledger.
    pub(super) fn figure(&self) -> (&'static str, Figure, String) {
        let end = self.own.stages.last().map_or(1.0, |stage| stage.distance / self.a);
        let axis = || Axis::linear("distance rolled over a", "").from_to(0.0, end);
        let steady = self.used(&self.own, self.own.steady.force);
        let words = |reach| match reach {
            Reach::Whole => "with the bodies' compliance from hub to surface",
            Reach::Local if self.structure.is_some() => "local compliance and a structure with inertia",
            Reach::Local => "local compliance only",
        };
        let mut upper = Panel::new(axis(), Axis::linear("force over μN", ""))
            .with(Series::line("steady", Role::Reference, vec![[0.0, steady], [end, steady]]).wide(3.0));
        if let Some(other) = &self.other {
            let reach = if self.reach == Reach::Whole { Reach::Local } else { Reach::Whole };
            upper = upper.with(Series::line(words(reach), Role::Second, self.way(other)));
        }
        upper = upper.with(Series::line(words(self.reach), Role::First, self.way(&self.own)));
        upper.height = 260.0;
        let stick = self.own.stages.iter().map(|s| [s.distance / self.a, s.stick_share]).collect();
        let mut middle = Panel::new(axis(), Axis::linear("share that sticks", "").from_to(0.0, 1.0))
            .with(Series::line("", Role::Stick, stick));
        middle.height = 120.0;
        let entry = |value: &dyn Fn(&stickslip_core::scheme::theta::Energy) -> f64| -> Vec<[f64; 2]> {
            self.own.stages.iter().map(|s| [s.distance / self.a, value(&s.energy)]).collect()
        };
        let mut lower = Panel::new(
            axis(),
            Axis::linear(
                "energy so far",
                if self.own.rolled.fitted.is_some_and(|f| f.b.is_some()) { "J" } else { "J/m" },
            ),
        )
        .with(Series::line("drive", Role::Reference, entry(&|e| e.drive)).wide(3.0))
        .with(Series::line("heat", Role::Slip, entry(&|e| e.heat)))
        .with(Series::line("stored", Role::Stick, entry(&|e| e.stored - e.start)))
        .with(Series::line("convection", Role::Third, entry(&|e| e.convection)));
        lower.height = 220.0;
        let note = self.note();
        let mut text = match note.within_1_percent_over_a {
            Some(x) => format!("The force is within 1 % of the steady one after {} half-lengths a.", number_to(x, 3)),
            None => "The force does not come within 1 % of the steady one: more steps are needed.".to_string(),
        };
        if let Some(x) = note.other_within_1_percent_over_a {
            let other =
                if self.reach == Reach::Whole { "local compliance only" } else { "the bodies' whole compliance" };
            text += &format!(" With {other} it takes {}.", number_to(x, 3));
        }
        if self.own.rolled.turns > 1 {
            text += " The bodies are unlike: pressure and tractions are solved together in each step, and convection holds the work of the \
                     moment that the shifted pressure makes about the axle.";
        }
        text += " A displacement that all of the contact has in common drops out of steady rolling, but takes creepage to build up. Below, \
                 where the work of the drive went: heat, what is stored, and what convection takes, the price of carrying displacements \
                 from node to node.";
        ("creepage-step", Figure::stacked(vec![upper, middle, lower]).titled("From rest to steady rolling"), text)
    }

    /// Every step, as `transient.csv`.
    pub(super) fn write(&self, path: &Path, units: bool, scenario: &Scenario) -> Result<(), RunFailure> {
        let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name)];
        let mut table = TableWriter::create(path, "transient", &COLUMNS, Formats::ALL.with_units(units), &metadata)?;
        for stage in &self.own.stages {
            let energy = stage.energy;
            table.row(&[
                stage.distance,
                stage.distance / self.a,
                self.used(&self.own, stage.force),
                self.used(&self.own, self.own.steady.force),
                stage.stick_share,
                energy.stored - energy.start,
                energy.heat,
                energy.drive,
                energy.convection,
                energy.numerical,
                energy.damping,
                stage.structure,
                stage.iterations as f64,
            ])?;
        }
        table.finish()?;
        Ok(())
    }
}

const COLUMNS: [Column; 13] = [
    Column::real("distance", "m", "distance rolled"),
    Column::real("distance_over_a", "1", "the same over the half-length fitted to the pressure"),
    Column::real("force_over_limit", "1", "force over mu N, along the steady one"),
    Column::real("steady_over_limit", "1", "where it leads to"),
    Column::real("stick_share", "1", "share of the nodes in contact that stick"),
    Column::real("stored", "J", "energy stored since the start (per metre in line contact, as all energies)"),
    Column::real("heat", "J", "turned into heat so far"),
    Column::real("drive", "J", "given by the drive of the creepage so far, and of unlike bodies by the load"),
    Column::real("convection", "J", "lost by convection so far"),
    Column::real("numerical", "J", "lost by the steps so far"),
    Column::real("damping", "J", "turned into heat by the damping of the structure so far"),
    Column::real("structure", "m", "displacement of the structure along x; 0 without one"),
    Column::whole("iterations", "iterations of the step"),
];

impl StepsNote {
    /// What the terminal tells.
    pub(super) fn lines(&self) -> Vec<String> {
        let reached = self.within_1_percent_over_a.map_or_else(
            || if self.steady_friction_used == 0.0 { "as all the way" } else { "not within 1 % of it" }.to_string(),
            |x| format!("within 1 % of it after {} a", number_to(x, 3)),
        );
        let other = self.other_within_1_percent_over_a.map_or_else(String::new, |x| {
            let other = if self.compliance == "whole" { "local" } else { "whole" };
            format!(" ({other} compliance: {} a)", number_to(x, 3))
        });
        vec![
            format!(
                "steps   {} a rolled; steady is {} of μN, {reached}{other}",
                number_to(self.rolled_over_a, 3),
                number_to(self.steady_friction_used, 5)
            ),
            format!(
                "energy  drive {} J = stored {} + damping {} + heat {} + convection {} + steps {} (per metre in line contact); {} left over; {} iterations a step",
                number(self.drive),
                number(self.stored),
                number(self.damping),
                number(self.heat),
                number(self.convection),
                number(self.numerical),
                number_to(self.closure, 2),
                number_to(self.iterations_mean, 2)
            ),
        ]
    }
}
