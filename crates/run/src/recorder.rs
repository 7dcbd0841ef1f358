//! Looking on at a run: tables to disk, a thinned copy for pictures.

use std::path::Path;

use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::record::Column;
use stickslip_core::scheme::Event;
use stickslip_core::simulation::{Simulation, Sink, SinkError};
use stickslip_report::Error;
use stickslip_report::figure::{Band, Strip};
use stickslip_report::table::{self, EventWriter, Formats, TableWriter};

use crate::part::{EventWords, Part};

/// Rows kept in memory for pictures; when there are more, every second one is dropped.
const MOST_ROWS: usize = 16_384;

/// Events kept in memory for pictures and the terminal; the rest is only in `events.csv`.
const MOST_EVENTS: usize = 2_000;

/// What stays in memory of a run of any length.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The columns, as recorded.
    pub columns: Vec<Column>,
    /// One list of values per column, thinned to the first, every 2^k-th and the last recorded row.
    pub values: Vec<Vec<f64>>,
    /// Least and greatest recorded value of each column, each with its time.
    pub extremes: Vec<[(f64, f64); 2]>,
    /// Names of the contacts.
    pub contacts: Vec<Name>,
    /// The first events.
    pub events: Vec<Event>,
    /// The same in words, one for each; none where they add nothing.
    pub words: Vec<Option<String>>,
    /// How many events there were.
    pub event_count: u64,
    /// What strips show the states of: wheels, or the contacts themselves.
    pub parts: Vec<Part>,
    /// States of the contacts at the start.
    pub first: Vec<State>,
    /// Rows written to the table, that of t = 0 included.
    pub rows: u64,
    /// States after the last step.
    pub last: Vec<State>,
    /// The row of the last step.
    pub last_row: Vec<f64>,
    /// Time of the last step.
    pub end: f64,
}

impl Trace {
    /// The thinned values of a column. Empty if there is none of that name.
    pub fn column(&self, name: &str) -> &[f64] {
        self.columns.iter().position(|c| c.name == name).map_or(&[], |k| &self.values[k])
    }

    /// The unit of a column as written behind a number: ` m/s`, nothing for pure numbers.
    pub fn unit(&self, name: &str) -> String {
        match self.columns.iter().find(|c| c.name == name) {
            Some(column) if column.unit != "1" => format!(" {}", column.unit),
            _ => String::new(),
        }
    }

    /// The columns of work that is done on the model, and what it came to at the end \[J\].
    pub fn works(&self) -> impl Iterator<Item = (&Column, f64)> {
        let ends = self.columns.iter().zip(self.last_row.iter().copied());
        ends.filter(|(column, _)| column.unit == "J" && (column.name == "work" || column.name.starts_with("work_")))
    }

    /// One strip of states for each part, up to the last event in memory.
    pub fn strips(&self) -> Vec<Strip> {
        self.parts.iter().map(|part| self.strip(part)).collect()
    }

    /// One strip of stick and slip for each contact, whatever it is a part of.
    pub fn contact_strips(&self) -> Vec<Strip> {
        self.contacts.iter().enumerate().map(|(k, name)| self.strip(&Part::contact(name, k))).collect()
    }

    fn strip(&self, part: &Part) -> Strip {
        let mut bands: Vec<Band> = Vec::new();
        let mut contacts = self.first.clone();
        let (mut from, mut state) = (0.0, part.state(&contacts));
        for event in self.events.iter().filter(|event| part.contacts.contains(&event.contact)) {
            contacts[event.contact] = event.to;
            let next = part.state(&contacts);
            // Between two events of one instant nothing lasts.
            if next != state && event.t > from {
                bands.push(Band { from, to: event.t, state });
                from = event.t;
            }
            state = next;
        }
        let complete = self.event_count as usize == self.events.len();
        let to = if complete { self.end } else { self.events.last().map_or(self.end, |event| event.t) };
        bands.push(Band { from, to, state });
        Strip { contact: part.name.clone(), bands }
    }
}

/// Hears the number of steps made, and may end the run.
pub(crate) type Reached<'a> = &'a mut dyn FnMut(u64) -> Result<(), SinkError>;

/// Writes `trajectory.*` and `events.csv`, or keeps them in memory, and keeps a [`Trace`].
pub struct Recorder<'a> {
    table: TableWriter,
    /// None where all events stay in the trace.
    events: Option<EventWriter>,
    trace: Trace,
    /// Whether each contact slips in the plane.
    planar: Vec<bool>,
    event_words: EventWords,
    /// Events of an instant that are not written yet: what they are in words depends on all of them.
    pending: Vec<Event>,
    /// A row is kept in the trace if its number is a multiple of this; 0 for none.
    stride: u64,
    progress: Reached<'a>,
}

impl<'a> Recorder<'a> {
    /// Records a run into files in `folder`; `progress` hears the number of steps made. Events are told of the `parts` that
    /// contacts belong to; contacts that belong to none are parts by themselves if there are no others.
    pub(crate) fn create(
        run: &dyn Simulation,
        parts: Vec<Part>,
        (folder, formats): (&Path, Formats),
        metadata: &[(&str, &str)],
        progress: Reached<'a>,
    ) -> Result<Recorder<'a>, Error> {
        let table = TableWriter::create(folder, "trajectory", &heads(run.columns()), formats, metadata)?;
        let events = EventWriter::create(folder, "events", formats.units)?;
        Ok(Recorder::of(run, parts, table, Some(events), progress))
    }

    /// Records a run of about so many rows into memory: the rows are in the table alone, all events in the trace.
    pub(crate) fn in_memory(
        run: &dyn Simulation,
        parts: Vec<Part>,
        rows: usize,
        progress: Reached<'a>,
    ) -> Recorder<'a> {
        let table = TableWriter::in_memory("trajectory", &heads(run.columns()), rows);
        Recorder { stride: 0, ..Recorder::of(run, parts, table, None, progress) }
    }

    fn of(
        run: &dyn Simulation,
        parts: Vec<Part>,
        table: TableWriter,
        events: Option<EventWriter>,
        progress: Reached<'a>,
    ) -> Recorder<'a> {
        let (columns, contacts) = (run.columns(), run.contacts());
        let single = || contacts.iter().enumerate().map(|(k, name)| Part::contact(name, k)).collect();
        let parts: Vec<Part> = if parts.is_empty() { single() } else { parts };
        Recorder {
            event_words: EventWords::new(parts.clone(), contacts.len()),
            pending: Vec::new(),
            table,
            events,
            trace: Trace {
                columns: columns.to_vec(),
                values: vec![Vec::new(); columns.len()],
                extremes: vec![[(0.0, f64::INFINITY), (0.0, f64::NEG_INFINITY)]; columns.len()],
                contacts: contacts.to_vec(),
                events: Vec::new(),
                words: Vec::new(),
                event_count: 0,
                parts,
                first: vec![State::Open; contacts.len()],
                rows: 0,
                last: vec![State::Open; contacts.len()],
                last_row: vec![0.0; columns.len()],
                end: 0.0,
            },
            planar: (0..contacts.len()).map(|contact| run.is_planar(contact)).collect(),
            stride: 1,
            progress,
        }
    }

    /// Closes the files; the trace, and the columns where they were kept in memory.
    pub(crate) fn finish(mut self) -> Result<(Trace, Vec<Vec<f64>>), Error> {
        self.tell()?;
        let kept = self.table.finish()?.kept;
        if let Some(events) = self.events {
            events.finish()?;
        }
        let trace = &mut self.trace;
        if self.stride > 0 && trace.values.first().and_then(|times| times.last()) != trace.last_row.first() {
            trace.values.iter_mut().zip(&trace.last_row).for_each(|(values, value)| values.push(*value));
        }
        Ok((self.trace, kept))
    }

    /// Writes the events of an instant.
    fn tell(&mut self) -> Result<(), Error> {
        let words = self.event_words.tell(&self.pending);
        for (event, words) in std::mem::take(&mut self.pending).into_iter().zip(words) {
            let contact = &self.trace.contacts[event.contact];
            let told = words.as_deref().unwrap_or_default();
            if let Some(events) = &mut self.events {
                events.event(event.t, contact, event.from.name(), event.to.name(), told)?;
            }
            self.trace.event_count += 1;
            if self.events.is_none() || self.trace.events.len() < MOST_EVENTS {
                self.trace.events.push(event);
                self.trace.words.push(words);
            }
        }
        Ok(())
    }

    fn keep(&mut self, row: &[f64]) {
        // Rows are numbered from 0, which is t = 0.
        if self.stride == 0 || !self.trace.rows.is_multiple_of(self.stride) {
            return;
        }
        for (values, value) in self.trace.values.iter_mut().zip(row) {
            values.push(*value);
        }
        if self.trace.values[0].len() >= MOST_ROWS {
            self.stride *= 2;
            for values in &mut self.trace.values {
                // The first, third, fifth of those kept have numbers divisible by the doubled stride.
                let mut k = 0;
                values.retain(|_| {
                    k += 1;
                    k % 2 == 1
                });
            }
        }
    }
}

/// Columns as tables know them.
fn heads(columns: &[Column]) -> Vec<table::Column> {
    let head = |column: &Column| table::Column {
        name: column.name.clone(),
        unit: column.unit,
        meaning: column.meaning.clone(),
        integer: column.integer,
    };
    columns.iter().map(head).collect()
}

/// An event as it is written down. A slip in the plane turns all the time: that it passed zero without sticking is no change of
/// its state.
pub fn seen(event: Event, planar: bool) -> Event {
    let shown = |state: State| match state {
        State::Slip(_) if planar => State::Slip([0.0; 2]),
        other => other,
    };
    Event { from: shown(event.from), to: shown(event.to), ..event }
}

impl Sink for Recorder<'_> {
    fn row(&mut self, n: u64, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError> {
        self.tell()?;
        if self.trace.rows == 0 {
            self.event_words.begin(contacts);
            self.trace.first.copy_from_slice(contacts);
        }
        self.table.row(row)?;
        self.trace.last.copy_from_slice(contacts);
        for ([least, greatest], &value) in self.trace.extremes.iter_mut().zip(row) {
            if value < least.1 {
                *least = (t, value);
            }
            if value > greatest.1 {
                *greatest = (t, value);
            }
        }
        self.keep(row);
        self.trace.rows += 1;
        self.trace.last_row.copy_from_slice(row);
        self.trace.end = t;
        (self.progress)(n)
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        let event = seen(*event, self.planar[event.contact]);
        if event.from == event.to {
            return Ok(());
        }
        if self.pending.last().is_some_and(|last| last.t != event.t) {
            self.tell()?;
        }
        self.pending.push(event);
        Ok(())
    }
}
