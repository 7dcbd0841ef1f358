//! What outputs are made of.

use stickslip_core::record::column_part;
use stickslip_report::table::dataset::DataColumn;
use stickslip_run::{ContactTally, Instance, Measure, Registry, RunFailure, Watch, Watched, closure, recorded_energy};
use stickslip_scenario::Measurable;
use stickslip_scenario::tables::{listed, nearest};

use super::{Ran, Seen, line};

/// One number that a run comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Atom {
    /// A varied key or variable.
    Varied(usize),
    /// A measure of the model.
    Measure(String),
    /// An end value, by its number and name.
    End(usize, String),
    /// A column of the last row.
    Last(usize),
    /// An extreme of a column: 0 least, 1 greatest; its time, or its value.
    Extreme {
        column: usize,
        greatest: bool,
        time: bool,
    },
    /// Of a column in the second half of the run.
    Late {
        column: usize,
        what: Late,
    },
    /// Of the fastest growing small motion about the steady state: 1/s, or its frequency in Hz.
    Growth {
        frequency: bool,
    },
    /// Share of the time that a contact stuck.
    Stuck(usize),
    /// Of all contacts.
    Changes(Times),
    /// Of one contact.
    Of(usize, Did, Times),
    /// Of the ledger.
    Energy(Energy),
    /// Dissipated in a contact.
    Heat(usize),
    Residual,
    Steps,
    Duration,
}

/// What is told of the second half of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Late {
    Least,
    Greatest,
    Mean,
    /// Frequency of the strongest line.
    Frequency,
    /// Its amplitude.
    Amplitude,
}

/// Names, units where they are not those of the column, and meanings.
const LATE: [(&str, Late, Option<&str>, &str); 5] = [
    ("late.min", Late::Least, None, "least value of the second half of the run"),
    ("late.max", Late::Greatest, None, "greatest value of the second half of the run"),
    ("late.mean", Late::Mean, None, "mean of the second half of the run"),
    ("frequency", Late::Frequency, Some("Hz"), "frequency of the strongest line of the second half of the run"),
    ("amplitude", Late::Amplitude, None, "amplitude of the strongest line of the second half of the run"),
];

const GROWTH: [(&str, bool, &str, &str); 2] = [
    ("growth", false, "1/s", "growth of small motions about the steady state: the greatest real part of a root"),
    ("growth_frequency", true, "Hz", "frequency of the small motion that grows fastest"),
];

/// How often, or when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Times {
    Count,
    First,
    Last,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Did {
    Change,
    Slip,
    Stick,
}

/// An entry of the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Energy {
    Start,
    Stored,
    Work,
    Dissipated,
    Lost,
    Closure,
}

const ENERGIES: [(&str, Energy, &str); 6] = [
    ("start", Energy::Start, "energy stored at t = 0"),
    ("stored", Energy::Stored, "energy stored at the end"),
    ("work", Energy::Work, "work of the drives"),
    ("dissipated", Energy::Dissipated, "energy dissipated in all contacts"),
    ("lost", Energy::Lost, "energy that the scheme lost"),
    ("closure", Energy::Closure, "energy that the scheme lost, over the greatest amount"),
];

/// What a contact may be asked, and what it says.
const CONTACT: [(&str, Did, Times, &str); 7] = [
    ("events", Did::Change, Times::Count, "changes of state"),
    ("slips", Did::Slip, Times::Count, "how often it began to slip"),
    ("sticks", Did::Stick, Times::Count, "how often it came to stick"),
    ("first_slip", Did::Slip, Times::First, "when it first began to slip"),
    ("last_slip", Did::Slip, Times::Last, "when it last began to slip"),
    ("first_stick", Did::Stick, Times::First, "when it first came to stick"),
    ("last_stick", Did::Stick, Times::Last, "when it last came to stick"),
];

const ALL_CONTACTS: [(&str, Times, &str); 3] = [
    ("events", Times::Count, "changes of contact states"),
    ("first_event", Times::First, "first change of a contact"),
    ("last_event", Times::Last, "last change of a contact"),
];

const EXTREMES: [(&str, bool, bool, &str); 4] = [
    ("min", false, false, "least recorded value"),
    ("max", true, false, "greatest recorded value"),
    ("t_min", false, true, "when the least value was first recorded"),
    ("t_max", true, true, "when the greatest value was first recorded"),
];

impl Atom {
    /// What must be looked at besides.
    pub fn needs(&self, watch: Watch) -> Watch {
        match self {
            Atom::Measure(_) => Watch { measures: true, ..watch },
            // Its denominator is the greatest energy that the rows show.
            Atom::Extreme { .. } | Atom::Energy(Energy::Closure) => Watch { rows: true, ..watch },
            Atom::Changes(_) | Atom::Of(..) => Watch { events: true, ..watch },
            Atom::Late { column, .. } => {
                let mut watch = watch;
                if !watch.late.contains(column) {
                    watch.late.push(*column);
                }
                watch
            }
            _ => watch,
        }
    }

    /// The column of which it tells the strongest line.
    pub fn line(&self) -> Option<usize> {
        match self {
            Atom::Late { column, what: Late::Frequency | Late::Amplitude } => Some(*column),
            _ => None,
        }
    }

    /// Whether somebody must run the scenario to know it.
    pub fn needs_a_run(&self) -> bool {
        !matches!(self, Atom::Varied(_) | Atom::Growth { .. })
    }

    /// Its value in a run; NaN where the run has none.
    pub fn value(&self, seen: &Seen<'_>, varied: &[f64]) -> f64 {
        let measured = |measures: &[Measure], name: &str| {
            measures.iter().find(|measure| measure.name == name).map_or(f64::NAN, |measure| measure.value)
        };
        match (self, seen) {
            (Atom::Varied(number), _) => varied.get(*number).copied().unwrap_or(f64::NAN),
            (Atom::Growth { frequency }, seen) => seen.growth[usize::from(*frequency)],
            (Atom::Measure(name), Seen { run: Ran::Once(measures), .. }) => measured(measures, name),
            (Atom::Measure(name), Seen { run: Ran::InTime(run), .. }) => measured(&run.measures, name),
            (atom, Seen { run: Ran::InTime(run), .. }) => atom.of_run(run).unwrap_or(f64::NAN),
            (_, Seen { run: Ran::Once(_) | Ran::Not, .. }) => f64::NAN,
        }
    }

    fn of_run(&self, run: &Watched) -> Option<f64> {
        Some(match self {
            Atom::Varied(_) | Atom::Measure(_) | Atom::Growth { .. } => return None,
            Atom::Late { column, what } => of_half(run, *column, *what)?,
            Atom::End(number, name) => {
                let values = run.ended.values();
                let own = values.get(*number).filter(|(known, _)| known == name);
                own.or_else(|| values.iter().find(|(known, _)| known == name))?.1
            }
            Atom::Last(column) => {
                let mut row = vec![0.0; run.ended.columns().len()];
                run.ended.row(&mut row);
                *row.get(*column)?
            }
            Atom::Extreme { column, greatest, time } => {
                let (t, value) = run.extremes.get(*column)?[usize::from(*greatest)];
                if *time { t } else { value }
            }
            // The time that steps add up to, by which a run's own summary divides.
            Atom::Stuck(contact) => run.ended.stuck().get(*contact)? / run.ended.time(),
            Atom::Changes(Times::Count) => run.contacts.iter().map(|contact| contact.events).sum::<u64>() as f64,
            Atom::Changes(times) => when(run.events, *times)?,
            Atom::Of(contact, did, times) => contact_value(run.contacts.get(*contact)?, *did, *times)?,
            Atom::Energy(energy) => {
                let ledger = run.ended.ledger();
                match energy {
                    Energy::Start => ledger.start,
                    Energy::Stored => ledger.stored,
                    Energy::Work => ledger.work,
                    Energy::Dissipated => ledger.dissipated_total(),
                    Energy::Lost => ledger.lost(),
                    Energy::Closure => closure(&ledger, recorded_energy(run.ended.columns(), &run.extremes)),
                }
            }
            Atom::Heat(contact) => run.ended.ledger().dissipated.get(*contact)?.energy,
            Atom::Residual => run.ended.worst_residual(),
            Atom::Steps => run.steps as f64,
            Atom::Duration => run.end,
        })
    }
}

/// What the second half of a run comes to; none where nothing was recorded.
fn of_half(run: &Watched, column: usize, what: Late) -> Option<f64> {
    let late = run.late.iter().find(|late| late.column == column).filter(|late| !late.values.is_empty())?;
    let values = late.values.iter().copied();
    Some(match what {
        Late::Least => values.fold(f64::INFINITY, f64::min),
        Late::Greatest => values.fold(f64::NEG_INFINITY, f64::max),
        Late::Mean => values.sum::<f64>() / late.values.len() as f64,
        Late::Frequency => line::strongest(&late.values, late.every)?[0],
        Late::Amplitude => line::strongest(&late.values, late.every)?[1],
    })
}

fn contact_value(contact: &ContactTally, did: Did, times: Times) -> Option<f64> {
    let (count, at) = match did {
        Did::Change => return Some(contact.events as f64),
        Did::Slip => contact.slips,
        Did::Stick => contact.sticks,
    };
    if times == Times::Count { Some(count as f64) } else { when(at, times) }
}

fn when(at: Option<[f64; 2]>, times: Times) -> Option<f64> {
    at.map(|[first, last]| if times == Times::First { first } else { last })
}

/// An atom with its name, unit and meaning.
struct Entry {
    name: String,
    atom: Atom,
    unit: String,
    meaning: String,
}

/// All that may be asked of the runs of a scenario.
#[derive(Default)]
pub(crate) struct Catalogue {
    entries: Vec<Entry>,
    /// Measures that parts may have, and the parts.
    parts: (Vec<&'static Measurable>, Vec<String>),
    /// Outputs whose names are taken by what is varied.
    pub hidden: Vec<String>,
    /// What is varied over words, of which no formula makes a number.
    words: Vec<String>,
}

impl Catalogue {
    /// Of a scenario in which the values of these columns are varied.
    pub fn new(registry: &Registry, instance: &Instance, varied: &[DataColumn]) -> Result<Catalogue, RunFailure> {
        let mut catalogue = Catalogue::default();
        for (number, column) in varied.iter().enumerate() {
            match column.text {
                true => catalogue.words.push(column.name.clone()),
                false => catalogue.add(column.name.clone(), Atom::Varied(number), &column.unit, "varied".into()),
            }
        }
        let measurables = registry.measurables(instance.model.name());
        for measurable in measurables {
            let (name, words) = (measurable.name.to_string(), measurable.words.to_string());
            catalogue.add(name.clone(), Atom::Measure(name), measurable.unit, words);
        }
        catalogue.parts.0 = measurables.iter().filter(|measurable| measurable.each).collect();
        if !matches!(instance.model.linearise(), Err(RunFailure::NotLinear(_))) {
            for (name, frequency, unit, words) in GROWTH {
                catalogue.add(name.into(), Atom::Growth { frequency }, unit, words.into());
            }
        }
        match instance.model.in_time() {
            Ok(model) => {
                let grid = stickslip_core::scheme::Grid::cover(instance.run.duration, instance.run.step);
                let run = model.simulation(instance.run.scheme, grid.h)?;
                catalogue.parts.1 = model.parts().iter().map(|part| column_part(&part.name)).collect();
                catalogue.of_parts(&*run);
                catalogue.in_time(&*run);
            }
            Err(RunFailure::Timeless) => {
                for measure in instance.model.solve_once()? {
                    catalogue.add(
                        measure.name.clone(),
                        Atom::Measure(measure.name.clone()),
                        measure.unit,
                        measure.words,
                    );
                }
            }
            Err(other) => return Err(other),
        }
        Ok(catalogue)
    }

    fn add(&mut self, name: String, atom: Atom, unit: &str, meaning: String) {
        // What comes first counts: a varied key before a measure, an end value before a column.
        let known = self.entries.iter().find(|entry| entry.name == name);
        if known.is_some_and(|entry| matches!(entry.atom, Atom::Varied(_))) && !self.hidden.contains(&name) {
            self.hidden.push(name.clone());
        }
        if known.is_none() {
            self.entries.push(Entry { name, atom, unit: unit.to_string(), meaning });
        }
    }

    /// Measures of each part that has columns of its own.
    fn of_parts(&mut self, run: &dyn stickslip_core::simulation::Simulation) {
        let (each, parts) = self.parts.clone();
        let has_columns = |part: &&String| {
            run.columns().iter().any(|column| column.name.split_once('_').is_some_and(|(_, own)| own == *part))
        };
        for measurable in each {
            for part in parts.iter().filter(has_columns) {
                let name = format!("{}_{part}", measurable.name);
                self.add(name.clone(), Atom::Measure(name), measurable.unit, format!("{part}: {}", measurable.words));
            }
        }
    }

    fn in_time(&mut self, run: &dyn stickslip_core::simulation::Simulation) {
        let columns = run.columns().to_vec();
        for (number, (name, _)) in run.values().into_iter().enumerate() {
            let column = columns.iter().find(|column| column.name == name);
            let unit = column.map_or("", |column| column.unit);
            let meaning = column.map_or("end value".into(), |column| format!("{}, at the end", column.meaning));
            self.add(format!("end.{}", column_part(&name)), Atom::End(number, name.to_string()), unit, meaning);
        }
        for (number, column) in columns.iter().enumerate().skip(1) {
            let meaning = format!("{}, at the end", column.meaning);
            self.add(format!("end.{}", column.name), Atom::Last(number), column.unit, meaning);
            for (word, greatest, time, words) in EXTREMES {
                let atom = Atom::Extreme { column: number, greatest, time };
                let unit = if time { "s" } else { column.unit };
                self.add(format!("{word}.{}", column.name), atom, unit, format!("{}: {words}", column.meaning));
            }
            for (word, what, unit, words) in LATE {
                let meaning = format!("{}: {words}", column.meaning);
                self.add(
                    format!("{word}.{}", column.name),
                    Atom::Late { column: number, what },
                    unit.unwrap_or(column.unit),
                    meaning,
                );
            }
            // Bodies and wheels that have columns have measures.
            self.parts.1.extend(column.name.split_once('_').map(|(_, part)| part.to_string()));
        }
        for (name, times, words) in ALL_CONTACTS {
            let unit = if times == Times::Count { "1" } else { "s" };
            self.add(name.into(), Atom::Changes(times), unit, words.into());
        }
        let ledger = run.ledger();
        for (number, contact) in run.contacts().iter().enumerate() {
            let part = column_part(contact);
            self.add(format!("stuck.{part}"), Atom::Stuck(number), "1", format!("{contact}: share of the time stuck"));
            for (word, did, times, words) in CONTACT {
                let unit = if times == Times::Count { "1" } else { "s" };
                self.add(format!("{word}.{part}"), Atom::Of(number, did, times), unit, format!("{contact}: {words}"));
            }
            self.parts.1.push(part);
        }
        for (number, dissipation) in ledger.dissipated.iter().enumerate() {
            let name = format!("heat.{}", column_part(&dissipation.contact));
            self.add(name, Atom::Heat(number), "J", format!("{}: energy dissipated", dissipation.contact));
        }
        for (word, energy, words) in ENERGIES {
            let unit = if energy == Energy::Closure { "1" } else { "J" };
            self.add(format!("energy.{word}"), Atom::Energy(energy), unit, words.into());
        }
        self.add("residual".into(), Atom::Residual, "1", "worst residual, relative to the greatest speed".into());
        self.add("steps".into(), Atom::Steps, "1", "steps made".into());
        self.add("duration".into(), Atom::Duration, "s", "time at the end".into());
    }

    /// The atom of a name, or what is wrong with it and what to write instead.
    pub fn find(&self, name: &str) -> Result<Atom, (String, String)> {
        let plain = column_part(&name.replace('"', ""));
        if let Some(entry) = self.entries.iter().find(|entry| entry.name == name || entry.name == plain) {
            return Ok(entry.atom.clone());
        }
        if self.words.iter().any(|known| known == name) {
            return Err((
                format!("`{name}` is varied over words, and formulas are of numbers"),
                format!("leave it out: the column `{name}` of the table tells the runs apart"),
            ));
        }
        let (each, parts) = &self.parts;
        let of_part = |measurable: &&'static Measurable| {
            let part = plain.strip_prefix(measurable.name).and_then(|rest| rest.strip_prefix('_'));
            part.is_some_and(|part| parts.iter().any(|known| known == part))
        };
        if each.iter().any(of_part) {
            return Ok(Atom::Measure(plain));
        }
        Err(self.unknown(name))
    }

    fn unknown(&self, name: &str) -> (String, String) {
        let names = || self.entries.iter().map(|entry| entry.name.as_str());
        let message = format!("runs of this scenario have no output `{name}`");
        match nearest(name, names()) {
            Some(near) => (format!("{message}; did you mean `{near}`?"), format!("write {near}")),
            None => {
                // What begins like it, or else what there is at all.
                let word = name.split('.').next().unwrap_or(name);
                let like: Vec<&str> =
                    names().filter(|known| known.split('.').next() == Some(word)).take(LISTED).collect();
                let some: Vec<&str> = if like.is_empty() { names().take(LISTED).collect() } else { like };
                (message, format!("there are {}, …; `stickslip sweep … --outputs` lists all", listed(some)))
            }
        }
    }

    /// Unit and meaning of an atom.
    pub fn described(&self, atom: &Atom) -> (String, String) {
        let entry = self.entries.iter().find(|entry| entry.atom == *atom);
        entry.map_or_else(
            || match atom {
                Atom::Measure(name) => {
                    let own = self.parts.0.iter().find(|measurable| measurable.is(name));
                    own.map_or_else(Default::default, |own| (own.unit.to_string(), own.words.to_string()))
                }
                _ => Default::default(),
            },
            |entry| (entry.unit.clone(), entry.meaning.clone()),
        )
    }

    /// All names, with units and meanings.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.entries.iter().map(|entry| (entry.name.as_str(), entry.unit.as_str(), entry.meaning.as_str()))
    }
}

/// Names that a message lists.
const LISTED: usize = 12;
