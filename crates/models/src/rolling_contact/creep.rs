//! Creep-force curves of all theories: figures for people, a table for other programs.

mod ranges;

pub use ranges::{MOST_POINTS, Ranges, Tabulated};

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use stickslip_contact::case::{Case, Course as CaseCourse, Outline};
use stickslip_contact::chart::{Chart, Row, Sweep};
use stickslip_contact::patch::{Creepage, Forces, Friction, Patch};
use stickslip_contact::table::{Table, TableFile};
use stickslip_contact::tangential::{Drive, Settings};
use stickslip_contact::theory::{FromTable, Kind, Theory, TheoryError};
use stickslip_core::law::Coefficient;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Fact, Report, Section};
use stickslip_report::palette::Role;
use stickslip_run::Scenario;

use super::{RollingContact, RollingElements};
use crate::rail_wheel::Plan;

use stickslip_run::text::{number, number_to};
use stickslip_run::{OutputFolder, RunFailure, Step, VERSION};
use stickslip_run::{write, write_scenario};

/// Names of the theories for `--theories`, in the order of tables and legends.
pub const THEORIES: [&str; 5] = {
    let mut names = [""; 5];
    let mut k = 0;
    while k < names.len() {
        names[k] = Kind::ALL[k].name();
        k += 1;
    }
    names
};

/// Elements of the exact theory along each side where the scenario does not say how many.
const ELEMENTS: usize = 44;

/// What to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct CreepOptions {
    /// Some of [`THEORIES`].
    pub theories: Vec<String>,
    /// Points of each curve besides the origin.
    pub points: usize,
    /// Tabulate these creepages instead of the usual curves.
    pub ranges: Option<Ranges>,
    /// A table of the exact theory to draw beside the others.
    pub table: Option<TableFile>,
}

/// What was drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Creep {
    /// Where everything was written.
    pub folder: PathBuf,
    /// Rows of the table.
    pub rows: usize,
    /// Points that a theory refused or did not solve, with its reasons.
    pub failures: Vec<String>,
    /// What is to be known of the table of the exact theory, in sentences.
    pub notes: Vec<String>,
    /// −F_x/(μN) at the creepages ξ₀/2 and ξ₀, by theory; ξ₀ is where the linear theory reaches μN.
    pub sample: Vec<(&'static str, Option<f64>, Option<f64>)>,
    /// ξ₀.
    pub unit: f64,
    /// What was found at the creepages that were named.
    pub tabulated: Option<Tabulated>,
}

/// The first line of `creep.csv`.
const HEADER: &str = "sweep,theory,xi,eta,phi [1/m],F_x [N],F_y [N],M_z [N m],stick_share\n";

/// A sweep: name, parameters, what is on the axes.
struct Course {
    name: &'static str,
    title: &'static str,
    sweep: Sweep,
    end: f64,
    axis: (&'static str, &'static str),
    force: (&'static str, fn(&Forces) -> f64),
    moment: bool,
}

/// Creepages at which the linear theory reaches μN, each alone.
fn units(patch: &Patch) -> Creepage {
    let (c, area) = (patch.coefficients(), patch.a() * patch.b());
    let per = patch.limit() / (patch.material().shear_modulus() * area);
    Creepage { xi: per / c.c11, eta: per / c.c22, phi: per / (c.c23 * area.sqrt()) }
}

/// The sweeps of a contact: each creepage alone and all together; the longitudinal one once more beside the lateral
/// creepage and spin of the scenario, if there are any.
fn courses(unit: Creepage, held: Creepage) -> Vec<Course> {
    let mut courses = vec![
        Course {
            name: "longitudinal",
            title: "Longitudinal creepage alone",
            sweep: Sweep::Longitudinal,
            end: 3.0 * unit.xi,
            axis: ("longitudinal creepage ξ", ""),
            force: ("−F_x/(μN)", |f: &Forces| -f.fx),
            moment: false,
        },
        Course {
            name: "lateral",
            title: "Lateral creepage alone",
            sweep: Sweep::Lateral,
            end: 3.0 * unit.eta,
            axis: ("lateral creepage η", ""),
            force: ("−F_y/(μN)", |f: &Forces| -f.fy),
            moment: true,
        },
        Course {
            name: "spin",
            title: "Spin alone",
            sweep: Sweep::Spin,
            end: 3.0 * unit.phi,
            axis: ("spin φ", "1/m"),
            force: ("−F_y/(μN)", |f: &Forces| -f.fy),
            moment: true,
        },
        Course {
            name: "combined",
            title: "All creepages in proportion, ξ = s ξ_0, η = s η_0, φ = ½ s φ_0",
            sweep: Sweep::Combined(Creepage { phi: 0.5 * unit.phi, ..unit }),
            end: 2.0,
            axis: ("s, in creepages at which the linear theory reaches μN", ""),
            force: ("|F|/(μN)", Forces::magnitude),
            moment: true,
        },
    ];
    if held.eta != 0.0 || held.phi != 0.0 {
        courses.push(Course {
            name: "scenario",
            title: "Longitudinal creepage beside the lateral creepage and spin of the scenario",
            sweep: Sweep::Held(held),
            end: 3.0 * unit.xi,
            axis: ("longitudinal creepage ξ", ""),
            force: ("−F_x/(μN)", |f: &Forces| -f.fx),
            moment: true,
        });
    }
    courses
}

/// The contact whose creep curves are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct CreepContact {
    patch: Patch,
    /// Elements of the exact theory along each side, if given.
    elements: Option<usize>,
    settings: Settings,
    /// The creepages of the scenario.
    held: Creepage,
}

impl CreepContact {
    /// The contact of a scenario, or why there is none with creep curves, and what to write instead.
    pub fn of(scenario: &Scenario) -> Result<CreepContact, (String, &'static str)> {
        if let Some(RollingContact(case, _)) = scenario.model.of() {
            return CreepContact::of_case(case);
        }
        if scenario.model.of::<RollingElements>().is_some() {
            return Err((
                format!("{}: the theories are of half-spaces, and its bodies are finite elements", scenario.name),
                "its creep curve is in the report of `run`, and in curve.csv; leave `bodies` and [mesh] out for the theories",
            ));
        }
        let Some(plan) = scenario.model.of::<Plan>() else {
            let model = scenario.model.name();
            return Err((
                format!("{}: creep curves are of rolling contacts, the model is {model}", scenario.name),
                "name a scenario with model = \"rolling-contact\" or \"rail-wheel\", such as creep-42kn",
            ));
        };
        Ok(CreepContact {
            patch: plan.patch,
            elements: plan.elements.filter(|_| plan.theory == Kind::Exact),
            settings: Settings::default(),
            held: Creepage::default(),
        })
    }

    fn of_case(case: &Case) -> Result<CreepContact, (String, &'static str)> {
        let told = |error: &dyn std::fmt::Display| (error.to_string(), "change the scenario");
        let Outline::Ellipse(ellipse) = case.outline().map_err(|e| told(&e))? else {
            return Err((
                "creep curves are drawn for contacts of finite area, and this is a line contact".into(),
                "give `load` instead of `load_per_length`",
            ));
        };
        let Coefficient::Constant(friction) = case.friction else {
            return Err((
                "the theories beside the exact one take a constant coefficient of friction".into(),
                "write a number for `friction`",
            ));
        };
        let friction = Friction::constant(friction).map_err(|e| told(&e))?;
        let patch = Patch::new(ellipse.a, ellipse.b, ellipse.load, case.material(), friction).map_err(|e| told(&e))?;
        let motion = match case.course {
            CaseCourse::Steady(motion) | CaseCourse::Transient { motion, .. } => motion,
            CaseCourse::Shift(_) => {
                return Err((
                    "creep curves are of bodies that roll, and [motion] has kind = \"shift\"".into(),
                    "write kind = \"steady\"; lateral creepage and spin are then held beside the longitudinal one",
                ));
            }
        };
        let (Drive::Creepage(xi), Drive::Creepage(eta)) = (motion.x, motion.y) else {
            return Err((
                "creep curves are drawn over creepages, and [motion] prescribes a force".into(),
                "leave the force out; lateral creepage and spin are held beside the longitudinal one",
            ));
        };
        let held = Creepage { xi, eta, phi: motion.spin };
        Ok(CreepContact { patch, elements: case.elements.along, settings: case.settings, held })
    }

    /// Whether a table has this contact in it, or why not and what to do about it.
    pub fn covered_by(&self, table: &Arc<Table>) -> Result<(), (String, String)> {
        match FromTable(table.clone()).forces(&self.patch, Creepage::default()) {
            Ok(_) => Ok(()),
            Err(TheoryError::Table(error)) => Err((error.to_string(), error.help())),
            Err(error) => Err((error.to_string(), "name another table".into())),
        }
    }

    /// What is held beside the longitudinal creepage, in words; nothing if nothing is.
    pub fn held(&self) -> Option<String> {
        let Creepage { eta, phi, .. } = self.held;
        (eta != 0.0 || phi != 0.0).then(|| format!("η = {} and φ = {} 1/m held", number(eta), number(phi)))
    }
}

/// A theory by its name in [`THEORIES`].
fn theory(name: &str, contact: &CreepContact) -> Result<Box<dyn Theory>, RunFailure> {
    let Some(kind) = Kind::named(name) else {
        return Err(RunFailure::Simulation(format!(
            "there is no theory \"{name}\": the known ones are {}",
            THEORIES.join(", ")
        )));
    };
    let settings = Settings { tolerance: stickslip_contact::curve::TOLERANCE, ..contact.settings };
    let elements = contact.elements.filter(|_| kind == Kind::Exact);
    kind.build(elements, settings).map_err(|error| RunFailure::Simulation(error.to_string()))
}

fn role(name: &str) -> Role {
    match name {
        "exact" => Role::First,
        "FASTSIM" => Role::Second,
        "Polach" => Role::Third,
        "table" => Role::Fifth,
        "linear" => Role::Reference,
        _ => Role::Fourth,
    }
}

/// Draws creep-force curves of a contact and writes `creep.csv`, figures and report into the folder.
pub fn creep(
    scenario: &Scenario,
    contact: &CreepContact,
    options: &CreepOptions,
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<Creep, RunFailure> {
    let CreepContact { patch, held, .. } = *contact;
    let mut boxed = options.theories.iter().map(|name| theory(name, contact)).collect::<Result<Vec<_>, _>>()?;
    if let Some(TableFile { table, .. }) = &options.table {
        contact.covered_by(table).map_err(|(message, _)| RunFailure::Simulation(message))?;
        boxed.push(Box::new(FromTable(table.clone())));
    }
    let mut theories: Vec<&mut dyn Theory> = boxed.iter_mut().map(|theory| &mut **theory as &mut dyn Theory).collect();
    if let Some(ranges) = &options.ranges {
        return ranges::tabulated(scenario, contact, (ranges, options.table.as_ref()), &mut theories, folder, progress);
    }
    let unit = units(&patch);
    let mut table = String::from(HEADER);
    let (mut rows, mut failures, mut sections, mut done) = (0, Vec::new(), Vec::new(), 0);
    let (mut sample, mut asked) = (Vec::new(), Vec::new());
    let courses = courses(unit, held);
    let total = courses.len() as u64 * (options.points as u64 + 1);
    for course in courses {
        let mut chart = Chart { theories: theories.iter().map(|t| t.name()).collect(), rows: Vec::new() };
        for parameter in Chart::range(course.end, options.points) {
            chart.rows.extend(Chart::new(&mut theories, &patch, course.sweep, &[parameter]).rows);
            done += 1;
            progress(Step::Steps(done, total));
        }
        rows += tabulate(&mut table, course.name, &chart, &mut failures);
        asked.extend(chart.rows.iter().map(|row| row.creepage));
        let figure = figure(&course, &chart, &patch);
        write(folder.path(), &format!("figures/{}.svg", course.name), figure.to_svg())?;
        let heading = figure.title.clone();
        let content = vec![Content::Figure(Figure { title: String::new(), ..figure })];
        sections.push(Section { heading, text: String::new(), content });
    }
    for theory in &mut theories {
        let mut at = |xi| theory.forces(&patch, Creepage { xi, ..held }).ok().map(|f| -f.fx / patch.limit());
        let (half, whole) = (at(0.5 * unit.xi), at(unit.xi));
        sample.push((theory.name(), half, whole));
    }
    progress(Step::Report);
    write(folder.path(), "creep.csv", table)?;
    write_scenario(folder.path(), scenario)?;
    let notes = options.table.as_ref().map_or_else(Vec::new, |file| table_notes(file, &patch, &asked));
    sections.extend(of_the_table(&notes));
    let report = Report {
        files: vec!["creep.csv".into(), "scenario.toml".into()],
        title: format!("Creep forces: {}", scenario.title.as_deref().unwrap_or(&scenario.name)),
        subtitle: "Forces on body 1 over μN by several theories of rolling contact.".into(),
        facts: facts(&patch, unit, contact),
        sections,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
        ..Report::default()
    };
    write(folder.path(), "report.html", report.to_html())?;
    Ok(Creep { folder: folder.publish()?, rows, failures, notes, sample, unit: unit.xi, tabulated: None })
}

/// What is to be known of a table at these creepages, in sentences.
fn table_notes(file: &TableFile, patch: &Patch, asked: &[Creepage]) -> Vec<String> {
    let mut notes = Vec::new();
    if !file.sealed {
        notes.push("the table has no checksum: nobody would notice if its numbers were changed".to_string());
    }
    let theory = FromTable(file.table.clone());
    let filled = asked.iter().filter(|creepage| theory.is_filled(patch, **creepage)).count();
    if filled > 0 {
        let off = match file.filled {
            Some([x, y, moment]) => format!(
                "at random points of that kind the force was off by up to {} μN, the moment by up to {} μNc",
                number_to(x.max(y), 2),
                number_to(moment, 2)
            ),
            None => "how far off that is, its head does not say".to_string(),
        };
        notes.push(format!(
            "{filled} of {} points of the table rest on spin that its elements do not resolve, filled in between the last solution and full \
             sliding: {off}",
            asked.len()
        ));
    }
    notes
}

/// The same as a section of a page; none where there is nothing to say.
fn of_the_table(notes: &[String]) -> Option<Section> {
    let text: Vec<String> = notes.iter().map(|note| capital(note) + ".").collect();
    (!text.is_empty()).then(|| Section { heading: "The table".into(), text: text.join(" "), content: Vec::new() })
}

/// A sentence begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn facts(patch: &Patch, unit: Creepage, contact: &CreepContact) -> Vec<Fact> {
    let c = patch.coefficients();
    let mut facts = vec![
        Fact::new("half-axes a, b", format!("{} mm, {} mm", number(1e3 * patch.a()), number(1e3 * patch.b()))),
        Fact::new("load N, μN", format!("{} N, {} N", number(patch.load()), number(patch.limit()))),
        Fact::new("Kalker's C₁₁, C₂₂, C₂₃, C₃₃", [c.c11, c.c22, c.c23, c.c33].map(|c| number_to(c, 4)).join(", ")),
        Fact::new(
            "ξ_0, η_0, φ_0",
            format!("{}, {}, {} 1/m", number_to(unit.xi, 4), number_to(unit.eta, 4), number_to(unit.phi, 4)),
        )
        .noted("where the linear theory reaches μN"),
        Fact::new("exact", format!("{0} × {0} elements", contact.elements.unwrap_or(ELEMENTS)))
            .noted("half-space, over 1.1 times the ellipse"),
    ];
    if let Some(held) = contact.held() {
        facts.push(Fact::new("beside ξ", held).noted("in the last figure, from [motion]"));
    }
    facts
}

/// Adds the rows of a chart to the table and tells how many; what a theory does not know is an empty cell.
fn tabulate(table: &mut String, sweep: &str, chart: &Chart, failures: &mut Vec<String>) -> usize {
    let mut rows = 0;
    let cell = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{}", value + 0.0));
    for (k, name) in chart.theories.iter().enumerate() {
        for Row { creepage, forces } in &chart.rows {
            match &forces[k] {
                Ok(f) => {
                    let Creepage { xi, eta, phi } = creepage;
                    let (mz, stick) = (cell(f.mz), cell(f.stick));
                    let (fx, fy) = (f.fx + 0.0, f.fy + 0.0);
                    let _ = writeln!(table, "{sweep},{name},{xi},{eta},{phi},{fx},{fy},{mz},{stick}");
                    rows += 1;
                }
                Err(error) => failures.push(format!("{sweep}: {error}")),
            }
        }
    }
    rows
}

/// Forces over μN, and moments over μN√(ab) where a theory knows them.
fn figure(course: &Course, chart: &Chart, patch: &Patch) -> Figure {
    let along = |c: &Creepage| match course.sweep {
        Sweep::Longitudinal | Sweep::Held(_) => c.xi,
        Sweep::Lateral => c.eta,
        Sweep::Spin => c.phi,
        Sweep::Combined(direction) => c.xi / direction.xi,
    };
    let curve = |k: usize, value: &dyn Fn(&Forces) -> Option<f64>| -> Vec<[f64; 2]> {
        let point = |row: &Row| Some([along(&row.creepage), row.forces[k].as_ref().ok().and_then(value)?]);
        chart.rows.iter().filter_map(point).collect()
    };
    let axis = || Axis::linear(course.axis.0, course.axis.1).from_to(0.0, course.end);
    let mut upper = Panel::new(axis(), Axis::linear(course.force.0, "").from_to(0.0, 1.08));
    let mut lower = Panel::new(axis(), Axis::linear("M_z/(μN√(ab))", ""));
    upper.height = 260.0;
    lower.height = 150.0;
    let scale = patch.limit() * (patch.a() * patch.b()).sqrt();
    // The reference lies under the others.
    let mut order: Vec<usize> = (0..chart.theories.len()).collect();
    order.sort_by_key(|k| std::cmp::Reverse(*k));
    for k in order {
        let name = chart.theories[k];
        upper.series.push(Series::line(name, role(name), curve(k, &|f| Some((course.force.1)(f) / patch.limit()))));
        // The linear theory has no bound: its moment would hide the others'.
        let moments = curve(k, &|f| f.mz.map(|m| m / scale));
        if !moments.is_empty() && name != "linear" {
            lower.series.push(Series::line("", role(name), moments));
        }
    }
    let panels = if course.moment && !lower.series.is_empty() { vec![upper, lower] } else { vec![upper] };
    Figure::stacked(panels).titled(course.title)
}
