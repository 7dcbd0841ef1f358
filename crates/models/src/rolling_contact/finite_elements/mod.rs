//! Rolling contact of finite elements: meshed, condensed, rolled, with pictures of the bodies.

mod bodies;
mod check;
mod claims;
mod note;
mod steps;
mod view;

pub(super) use claims::CHAPTER;
pub(super) use note::FiniteElementsNote;
use steps::Steps;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use stickslip_contact::case::Course;
use stickslip_contact::finite_elements::case::{FeError, FiniteElements, Ordered};
use stickslip_contact::finite_elements::{Pair, Reach};
use stickslip_elastic::Condensed;
use stickslip_elastic::cache::{self, Loaded};
use stickslip_run::text::{number_to, seconds};
use stickslip_run::{self as run, Finished, Job, Measure, Model, RunFailure, Spent, Step, TimeModel};
use stickslip_scenario::{Run, Tables};

use super::file::RollingContactTables;
use super::summary::RollingSummary;

/// How often the share that is done is told.
const PAUSE: Duration = Duration::from_millis(100);
/// Condensations that take longer than this are announced and kept on disk \[s\].
const LONG: f64 = 1.0;
/// The way back inside is kept if it takes at most so many bytes: pictures of cached runs need it.
const MOST_INSIDE: u64 = 600_000_000;

/// Two bodies of finite elements that roll over each other.
#[derive(Debug, Clone)]
pub struct RollingElements(pub FiniteElements);

/// Bodies ready to roll.
pub(super) struct Ready {
    pub ordered: Vec<Ordered>,
    pub condensed: Vec<Condensed>,
    pub pair: Pair,
    /// What is to be said of it.
    pub notes: Vec<String>,
}

/// Memory that is free \[bytes\], where the system tells.
fn free_memory() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024.0 * kilobytes)
}

/// The folder of condensed bodies: `STICKSLIP_CACHE`, or `stickslip` in the user's folder for caches. Set to nothing, none are
/// kept.
fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from);
    if let Some(folder) = set("STICKSLIP_CACHE") {
        return Some(folder).filter(|folder| !folder.as_os_str().is_empty());
    }
    let user = set("XDG_CACHE_HOME").filter(|folder| folder.is_absolute());
    let user = user.or_else(|| set("HOME").map(|home| home.join(".cache")));
    user.or_else(|| set("LOCALAPPDATA")).map(|folder| folder.join("stickslip"))
}

/// Meshes, orders and condenses, or reads what is kept in the folder; `told` hears the share that is done and what is being done.
pub(super) fn ready(
    contact: &FiniteElements,
    cache: Option<&Path>,
    spent: &mut Spent,
    told: &mut dyn FnMut(f64, String),
) -> Result<Ready, FeError> {
    told(0.0, "meshing".into());
    let bodies = spent.on("mesh", || contact.bodies())?;
    let ordered = spent.on("order", || contact.order(bodies, free_memory()))?;
    let (mut condensed, mut notes) = (Vec::new(), Vec::new());
    for (k, ordered) in ordered.iter().enumerate() {
        let folder = cache.filter(|_| ordered.cost.seconds > LONG);
        let kept =
            folder.map(|folder| spent.on("cache", || cache::load(folder, &ordered.body, Some(&ordered.dissection))));
        match kept {
            Some(Loaded::Found { condensed: found, inside_unusable }) => {
                let large = 4.0 * ordered.cost.entries > MOST_INSIDE as f64;
                if found.inside.is_some() || large {
                    if found.inside.is_none() {
                        notes.push("no picture of the bodies: their way back inside is too large to be kept".into());
                    }
                    condensed.push(found);
                    continue;
                }
                let reason = inside_unusable.unwrap_or_else(|| "its way back inside is not there".into());
                notes.push(format!("the condensed body {} was made again: {reason}", k + 1));
            }
            Some(Loaded::Unusable(reason)) => {
                notes.push(format!("the condensed body {} was made again: {reason}", k + 1));
            }
            Some(Loaded::Absent) | None => {}
        }
        let words = words(k, ordered);
        let mut told = |share: f64| told(0.9 * share, words.clone());
        let done = spent.on("condensation", || watched(contact, k + 1, ordered, &mut told))?;
        if let Some(folder) = folder {
            let store = || cache::store(folder, &ordered.body, &ordered.dissection, &done, MOST_INSIDE);
            notes.extend(spent.on("cache", store).err().map(|error| error.to_string()));
        }
        condensed.push(done);
    }
    let pair = contact.pair(&ordered, &condensed)?;
    Ok(Ready { ordered, condensed, pair, notes })
}

/// What a condensation takes, in words.
fn words(body: usize, Ordered { cost, .. }: &Ordered) -> String {
    format!(
        "condensing body {}: {} free unknowns, about {} GB and {}",
        body + 1,
        cost.unknowns,
        number_to(1e-9 * cost.bytes, 2),
        seconds(cost.seconds)
    )
}

/// Condenses in a thread of its own and tells how far it is.
fn watched(
    contact: &FiniteElements,
    number: usize,
    ordered: &Ordered,
    told: &mut dyn FnMut(f64),
) -> Result<Condensed, FeError> {
    let share = AtomicU64::new(0.0_f64.to_bits());
    std::thread::scope(|scope| {
        let work =
            scope.spawn(|| contact.condense(number, ordered, &|done| share.store(done.to_bits(), Ordering::Relaxed)));
        let mut last = Instant::now();
        while !work.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
            if last.elapsed() > PAUSE {
                last = Instant::now();
                told(f64::from_bits(share.load(Ordering::Relaxed)));
            }
        }
        work.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Rolls step by step where the case says so; `beside` with the other compliance as well.
fn step_by_step(
    contact: &FiniteElements,
    pair: &Pair,
    beside: bool,
    told: &mut dyn FnMut(f64, String),
) -> Result<Option<Steps>, FeError> {
    let Course::Transient { steps, .. } = contact.case.course else { return Ok(None) };
    let mut last = Instant::now();
    let mut progress = |k: usize| {
        if last.elapsed() > PAUSE {
            last = Instant::now();
            told(0.9 + 0.03 * k as f64 / steps as f64, format!("step {k} of {steps}"));
        }
    };
    let own = contact.roll_on(pair, contact.meshing.reach, &mut progress)?;
    let other = match contact.meshing.reach {
        Reach::Whole => Reach::Local,
        Reach::Local => Reach::Whole,
    };
    let other = if beside { Some(contact.roll_on(pair, other, &mut progress)?) } else { None };
    Ok(Some(Steps::new(contact, own, other)))
}

impl RollingElements {
    fn solve(&self, job: Job<'_>) -> Result<Finished, RunFailure> {
        let Job { scenario, folder, options, progress } = job;
        let contact = &self.0;
        let mut spent = Spent::default();
        let mut told = |share, words| progress(Step::Share(share, words));
        let ready = ready(contact, cache_folder().as_deref(), &mut spent, &mut told).map_err(RunFailure::model)?;
        told(0.9, "tractions".into());
        let steps = spent.on("rolling", || step_by_step(contact, &ready.pair, !options.no_study, &mut told));
        let steps = steps.map_err(RunFailure::model)?;
        let rolled = match &steps {
            Some(steps) => steps.own.rolled.clone(),
            None => spent.on("rolling", || contact.roll(&ready.pair)).map_err(RunFailure::model)?,
        };
        let rolling = contact.rolling().map_err(RunFailure::model)?;
        let free = match ready.pair.is_coupled() {
            false => None,
            true => Some(
                spent
                    .on("free rolling", || rolling.free(&ready.pair))
                    .map_err(|e| RunFailure::model(FeError::from(e)))?,
            ),
        };
        let outcome = match &steps {
            Some(steps) => contact.outcome_of_steps(&ready.pair, &steps.own),
            None => contact.outcome(&ready.pair, &rolled),
        };
        let outcome = outcome.map_err(RunFailure::model)?;
        told(0.93, "creep curve".into());
        let curve = match options.no_study {
            true => None,
            false => spent.on("curve", || view::curve(contact, &ready.pair, &rolled, free.as_ref())),
        };
        told(0.97, "deformation".into());
        let deformed = spent.on("deformation", || bodies::deformed(&ready, &rolled));
        let check = match (&steps, options.check) {
            (Some(steps), true) => {
                told(0.98, "half the step, and a finer contact".into());
                let made = spent.on("check", || check::check(contact, &ready.pair, &steps.note()));
                Some(made.map_err(RunFailure::model)?)
            }
            _ => None,
        };
        progress(Step::Report);
        let mut summary = RollingSummary::new(scenario, &contact.case, &outcome);
        let mut note = FiniteElementsNote::new(contact, &ready, &rolled, free.as_ref(), &spent);
        note.steps = steps.as_ref().map(Steps::note);
        note.check = check;
        // Half-spaces of unlike bodies have no closed form that knows of their coupling.
        if ready.pair.is_coupled() {
            summary.closed_form = None;
        }
        summary.finite_elements = Some(note.clone());
        summary.warnings = summary.doubts();
        let mut figures = view::figures(contact, &curve, &deformed, &rolled);
        if let Some(steps) = &steps {
            let (name, figure, mut text) = steps.figure();
            text.extend(note.check.iter().map(note::in_words));
            figures.insert(0, (name, figure, text));
        }
        let written = spent.on("report", || {
            bodies::write(folder.path(), &deformed)?;
            curve.as_ref().map_or(Ok(()), |curve| curve.write(folder.path()))?;
            steps.as_ref().map_or(Ok(()), |steps| steps.write(folder.path(), options.units, scenario))?;
            view::write_nodes(folder.path(), options.units, scenario, rolling.friction, &ready.pair, &rolled)?;
            super::write_all(scenario, &contact.case, &outcome, &summary, (folder.path(), options.units), figures)
        });
        written?;
        let what = format!(
            "{} model, finite elements, {} unknowns, {} nodes touch, solved",
            summary.model,
            note.dofs.iter().map(usize::to_string).collect::<Vec<_>>().join(" + "),
            rolled.touching()
        );
        let result = run::Outcome::Once { what, lines: summary.lines() };
        Ok(Finished { folder: folder.publish()?, result, spent })
    }
}

impl Model for RollingElements {
    fn name(&self) -> &'static str {
        RollingContactTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let contact = &self.0;
        let outline = contact.case.outline().map_err(RunFailure::model)?;
        let bodies = contact.bodies().map_err(RunFailure::model)?;
        let mirror = bodies.second.is_none();
        let ordered = contact.order(bodies, None).map_err(RunFailure::model)?;
        let mut lines = vec![
            "condensed  u_c = W f on the contact nodes of each body, W = (K_cc - K_ci K_ii^-1 K_ic)^-1".to_string(),
            "pressure   0 <= F_n, g = g0 + W_nn F_n + W_nt F_t - delta >= 0, F_n g = 0".into(),
            "tractions  s = s0 + D (W_tt F_t + W_tn F_n),  -s in N_C(F_t),  C = disks of radius mu F_n; see docs/rolling.md".into(),
            format!("Hertz      a = {} m, p0 = {} Pa", number_to(outline.a(), 6), number_to(outline.p0(), 6)),
        ];
        for (k, Ordered { body, cost, .. }) in ordered.iter().enumerate() {
            lines.push(format!(
                "body {}     {} nodes, {} elements, {} unknowns, {} contact nodes; about {} GB and {}{}",
                k + 1,
                body.mesh.nodes.len(),
                body.mesh.len(),
                cost.unknowns,
                body.contact.len(),
                number_to(1e-9 * cost.bytes, 2),
                seconds(cost.seconds),
                if mirror { "; body 2 is its mirror image" } else { "" }
            ));
        }
        Ok(lines)
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Err(RunFailure::Timeless)
    }

    fn prepare(&self) -> Result<(), RunFailure> {
        self.0.bodies().map(|_| ()).map_err(RunFailure::model)
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunFailure> {
        self.solve(job)
    }

    fn solve_once(&self) -> Result<Vec<Measure>, RunFailure> {
        let contact = &self.0;
        let ready = ready(contact, cache_folder().as_deref(), &mut Spent::default(), &mut |_, _| ());
        let ready = ready.map_err(RunFailure::model)?;
        let outcome = match step_by_step(contact, &ready.pair, false, &mut |_, _| ()).map_err(RunFailure::model)? {
            Some(steps) => contact.outcome_of_steps(&ready.pair, &steps.own),
            None => contact.roll(&ready.pair).and_then(|rolled| contact.outcome(&ready.pair, &rolled)),
        };
        Ok(super::once::outputs(&contact.case, &outcome.map_err(RunFailure::model)?))
    }

    fn takes_long(&self, _: &Run) -> Option<String> {
        let ordered = self.0.order(self.0.bodies().ok()?, None).ok()?;
        let cache = cache_folder();
        let kept = |ordered: &Ordered| cache.as_deref().is_some_and(|folder| cache::holds(folder, &ordered.body));
        let work: Vec<(usize, &Ordered)> = ordered.iter().enumerate().filter(|(_, o)| !kept(o)).collect();
        let time: f64 = work.iter().map(|(_, o)| o.cost.seconds).sum();
        let words: Vec<String> = work.iter().map(|(k, o)| words(*k, o)).collect();
        (time > LONG).then(|| words.join("; "))
    }

    fn no_check(&self) -> Option<(&'static str, &'static str)> {
        if let Course::Transient { .. } = self.0.case.course {
            return None;
        }
        Some((
            "--half-step compares steps of time, and a rolling contact has none",
            "leave it out; try --set mesh.across=41 to see what the mesh does",
        ))
    }
}
