//! A run with controllers in its loop.
//!
//! ```text
//!            ┌────────── columns at t_k ──────────┐
//!            ▼                                     │
//!       controller ──► input until t_{k+1} ──► simulation ──► rows, events
//! ```
//!
//! Any [`Simulation`] will do: controllers read its columns and drive its inputs, both by name. The run is cut at every
//! sampling instant k·Ts, where the state is read before the new command acts; in between it goes as it would alone, so that
//! its motion does not depend on when anyone looks.

use serde::{Deserialize, Serialize};
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Ledger, Stop, SystemError, Uniqueness};
use stickslip_core::record::{Column, Grip, column_part};
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::{EventRun, Input, Samples, Simulation, SimulationError, Sink, from_bytes, to_bytes};

use super::shown::Shown;
use super::wiring::{Actuator, Wiring};
use super::{Clock, ControlError};

/// A controller in the loop.
#[derive(Clone)]
pub(super) struct Loop {
    wiring: Wiring,
    clock: Clock,
    /// Columns that it reads, and the factors it reads them with.
    readings: Vec<(usize, f64)>,
    driven: Driven,
}

/// What it drives its input with.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Driven {
    /// When the last sample was taken, and the value of the input there.
    since: f64,
    value: f64,
    /// How fast the input changes from there on [1/s].
    rate: f64,
}

impl Driven {
    /// The input at t.
    fn at(&self, t: f64, limits: [f64; 2]) -> f64 {
        (self.value + self.rate * (t - self.since)).clamp(limits[0], limits[1])
    }

    /// The input from the last sample on: straight, and cut exactly at a limit.
    fn signal(&self, limits: [f64; 2]) -> Signal {
        let limit = if self.rate > 0.0 { limits[1] } else { limits[0] };
        let cut = self.since + (limit - self.value) / self.rate;
        let points = Points::new(vec![self.since, cut], vec![self.value, limit]);
        match points {
            Ok(points) if self.rate != 0.0 && cut > self.since => Signal::Points(points),
            _ => Signal::Constant(self.value),
        }
    }
}

/// What is saved of a controller.
#[derive(Serialize, Deserialize)]
struct SavedLoop {
    clock: Clock,
    driven: Driven,
    memory: Vec<u8>,
}

/// What is saved of all.
#[derive(Serialize, Deserialize)]
struct Saved {
    /// Of the controllers, by which strangers are told.
    words: String,
    inner: Vec<u8>,
    loops: Vec<SavedLoop>,
}

/// A simulation with controllers. It has the columns of the simulation, then of each controller the value of the input that
/// it drives, `command_NAME`, and its mode, `mode_NAME`, where it has modes.
pub struct Controlled {
    inner: Box<dyn Simulation>,
    loops: Vec<Loop>,
    columns: Vec<Column>,
    /// Events before the last recording, that nobody has asked for yet.
    events: Vec<Event>,
}

/// Instants that differ by this share of the steps between rows, or of the sampling period, are one.
const SAME: f64 = 1e-9;

impl Controlled {
    /// With these controllers, which take their first sample at once.
    pub fn new(inner: Box<dyn Simulation>, wirings: Vec<Wiring>) -> Result<Controlled, SimulationError> {
        let mut columns = inner.columns().to_vec();
        let mut loops = Vec::new();
        for wiring in wirings {
            let clock = Clock::new(wiring.controller.period()).map_err(|error| refused(&wiring, &error))?;
            let readings = wiring.readings(inner.columns()).map_err(|error| refused(&wiring, &error))?;
            let input = inner.inputs().into_iter().find(|input| input.name == wiring.input());
            let unit =
                input.ok_or_else(|| refused(&wiring, &ControlError::NoInput { name: wiring.input().into() }))?.unit;
            columns.extend(own_columns(&wiring, unit));
            let driven = Driven { since: 0.0, value: wiring.actuator.start(), rate: 0.0 };
            loops.push(Loop { wiring, clock, readings, driven });
        }
        let mut run = Controlled { inner, loops, columns, events: Vec::new() };
        run.sample_at(0.0)?;
        Ok(run)
    }

    /// When the next sample is due \[s\].
    fn due(&self) -> f64 {
        self.loops.iter().fold(f64::INFINITY, |due, own| due.min(own.clock.due()))
    }

    /// Takes all samples that are due at t, where the run stands: all are read before any command acts.
    fn sample_at(&mut self, t: f64) -> Result<(), SimulationError> {
        let mut row = vec![0.0; self.inner.columns().len()];
        self.inner.row(&mut row);
        for own in self.loops.iter_mut().filter(|own| own.clock.due() <= t) {
            let measured: Vec<f64> = own.readings.iter().map(|(column, factor)| factor * row[*column]).collect();
            let command = own.wiring.controller.sample(own.clock.taken(), &measured);
            let limits = own.wiring.actuator.limits();
            own.driven = match own.wiring.actuator {
                Actuator::Hold => Driven { since: t, value: command, rate: 0.0 },
                Actuator::Integrate { .. } => Driven { since: t, value: own.driven.at(t, limits), rate: command },
            };
            self.inner.set_input(own.wiring.input(), own.driven.signal(limits))?;
        }
        Ok(())
    }

    /// Goes on to t by way of all samples before it, with whatever goes on between them.
    fn through(
        &mut self,
        t: f64,
        mut go: impl FnMut(&mut dyn Simulation, f64) -> Result<Stop, SimulationError>,
    ) -> Result<Stop, SimulationError> {
        // Before a time without an end there is no last sample: whoever is controlled refuses it.
        while t.is_finite() && self.due() <= t {
            let due = self.due();
            if go(&mut *self.inner, due)? == Stop::Event {
                return Ok(Stop::Event);
            }
            self.sample_at(due)?;
        }
        go(&mut *self.inner, t)
    }

    /// What controllers tell at t, after the columns of the simulation.
    pub(super) fn own_cells(loops: &[Loop], t: f64, cells: &mut [f64]) {
        let told = loops.iter().flat_map(|own| {
            let value = own.driven.at(t, own.wiring.actuator.limits());
            std::iter::once(value).chain(own.wiring.controller.mode())
        });
        cells.iter_mut().zip(told).for_each(|(cell, value)| *cell = value);
    }
}

fn refused(wiring: &Wiring, error: &ControlError) -> SimulationError {
    SimulationError::Input { name: wiring.name.clone(), reason: error.to_string() }
}

fn own_columns(wiring: &Wiring, unit: &'static str) -> impl Iterator<Item = Column> + use<> {
    let part = column_part(&wiring.name);
    let command = Column {
        name: Name::Owned(format!("command_{part}")),
        unit,
        meaning: Name::Owned(format!("{}: `{}`, as the controller drives it", wiring.name, wiring.input())),
        integer: false,
    };
    let mode = wiring.controller.mode().map(|_| Column {
        name: Name::Owned(format!("mode_{part}")),
        unit: "1",
        meaning: Name::Owned(format!("{}: 1 while the command rises, 0 held, -1 while it falls", wiring.name)),
        integer: true,
    });
    std::iter::once(command).chain(mode)
}

impl Simulation for Controlled {
    fn time(&self) -> f64 {
        self.inner.time()
    }

    fn advance_to(&mut self, t: f64) -> Result<(), SimulationError> {
        let plain = |run: &mut dyn Simulation, t: f64| run.advance_to(t).map(|()| Stop::Time);
        self.through(t, plain).map(|_| ())
    }

    fn advance_to_event(&mut self, t: f64) -> Result<Stop, SimulationError> {
        self.through(t, |run, t| run.advance_to_event(t))
    }

    fn step(&mut self, h: f64) -> Result<(), SimulationError> {
        if !(h > 0.0 && h.is_finite()) {
            return self.inner.step(h);
        }
        let end = self.time() + h;
        while self.due() <= end {
            let due = self.due();
            let part = due - self.time();
            if part > SAME * h {
                self.inner.step(part)?;
            }
            self.sample_at(due)?;
        }
        let rest = end - self.time();
        if rest > SAME * h { self.inner.step(rest) } else { Ok(()) }
    }

    fn record(&mut self, samples: Samples, sink: &mut dyn Sink) -> Result<(), SimulationError> {
        let Samples { grid, every } = samples;
        if !(grid.h > 0.0 && grid.h.is_finite()) {
            return Err(SystemError::BadStep { h: grid.h }.into());
        }
        let every = every.max(1);
        self.events.extend(self.inner.take_events());
        let mut shown = Shown { sink, width: self.columns.len(), row: vec![0.0; self.columns.len()], last: None };
        let end = grid.time(grid.steps);
        while self.due() <= end {
            let due = self.due();
            let period = self.loops.iter().fold(0.0_f64, |m, own| m.max(own.wiring.controller.period()));
            let same = SAME * grid.h.max(period);
            // The last row that comes before the sample; rows at its instant come after it.
            let before = ((due - same) / grid.h).max(0.0) as u64 / every * every;
            let before = if before > 0 && grid.time(before) >= due - same { before - every } else { before };
            let chunk = Samples { grid: Grid { steps: before.min(grid.steps), ..grid }, every };
            shown.pass(&self.loops, |sink| self.inner.record(chunk, sink))?;
            while self.inner.advance_to_event(due)? == Stop::Event {
                shown.changes(&self.loops, &mut *self.inner)?;
            }
            self.sample_at(due)?;
            shown.changes(&self.loops, &mut *self.inner)?;
            let next = if before + every > grid.steps { grid.steps } else { before + every };
            if (grid.time(next) - due).abs() <= same {
                shown.here(&self.loops, &*self.inner, (next, grid.time(next)))?;
            }
        }
        shown.pass(&self.loops, |sink| self.inner.record(samples, sink))?;
        Ok(())
    }

    fn inputs(&self) -> Vec<Input> {
        let driven = |input: &Input| self.loops.iter().any(|own| own.wiring.input() == input.name);
        self.inner.inputs().into_iter().filter(|input| !driven(input)).collect()
    }

    fn input(&self, name: &str) -> Result<Signal, SimulationError> {
        self.inner.input(name)
    }

    fn set_input(&mut self, name: &str, signal: Signal) -> Result<(), SimulationError> {
        if let Some(own) = self.loops.iter().find(|own| own.wiring.input() == name) {
            let reason = format!("the controller {:?} drives it", own.wiring.name);
            return Err(SimulationError::Input { name: name.to_string(), reason });
        }
        self.inner.set_input(name, signal)
    }

    fn changed_inputs(&self) -> Vec<(String, Signal)> {
        let driven = |name: &str| self.loops.iter().any(|own| own.wiring.input() == name);
        self.inner.changed_inputs().into_iter().filter(|(name, _)| !driven(name)).collect()
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn row(&self, out: &mut [f64]) {
        let (inner, own) = out.split_at_mut(self.inner.columns().len());
        self.inner.row(inner);
        Controlled::own_cells(&self.loops, self.inner.time(), own);
    }

    fn contacts(&self) -> &[Name] {
        self.inner.contacts()
    }

    fn is_planar(&self, contact: usize) -> bool {
        self.inner.is_planar(contact)
    }

    fn contact_states(&self, out: &mut [State]) {
        self.inner.contact_states(out);
    }

    fn stuck(&self) -> Vec<f64> {
        self.inner.stuck()
    }

    fn take_events(&mut self) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.events);
        events.extend(self.inner.take_events());
        events
    }

    fn velocities(&self) -> Vec<f64> {
        self.inner.velocities()
    }

    fn values(&self) -> Vec<(Name, f64)> {
        let mut values = self.inner.values();
        for own in &self.loops {
            let part = column_part(&own.wiring.name);
            let tallies = own.wiring.controller.tallies().into_iter().filter(|(_, value)| value.is_finite());
            values.extend(tallies.map(|(what, value)| (Name::Owned(format!("{what}_{part}")), value)));
        }
        values
    }

    fn ledger(&self) -> Ledger {
        self.inner.ledger()
    }

    fn worst_residual(&self) -> f64 {
        self.inner.worst_residual()
    }

    fn step_size(&self) -> Option<f64> {
        self.inner.step_size()
    }

    fn by_events(&self) -> Option<EventRun> {
        self.inner.by_events()
    }

    fn step_work(&self, steps: u64) -> f64 {
        self.inner.step_work(steps)
    }

    fn uniqueness(&self) -> Uniqueness {
        self.inner.uniqueness()
    }

    /// What the simulation doubts, and controllers that had nothing to do: they were sampled at t = 0 and never again.
    fn doubts(&self) -> Vec<String> {
        let t = self.inner.time();
        let idle = self.loops.iter().filter(|own| t > 0.0 && own.clock.due() <= own.wiring.controller.period());
        let words = idle.map(|own| {
            format!(
                "the controller `{}` was sampled once only, at t = 0: its period of {} s is longer than the run of {t} s",
                own.wiring.name,
                own.wiring.controller.period()
            )
        });
        self.inner.doubts().into_iter().chain(words).collect()
    }

    fn grips(&self) -> Vec<Grip> {
        self.inner.grips()
    }

    fn use_of_locked_wheels(&self) -> Option<f64> {
        self.inner.use_of_locked_wheels()
    }

    fn save(&self) -> Result<Vec<u8>, SimulationError> {
        let saved = |own: &Loop| {
            let memory = own.wiring.controller.saved()?;
            Ok::<_, SimulationError>(SavedLoop { clock: own.clock, driven: own.driven.clone(), memory })
        };
        let loops = self.loops.iter().map(saved).collect::<Result<_, _>>()?;
        to_bytes(&Saved { words: self.words(), inner: self.inner.save()?, loops })
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError> {
        let saved: Saved = from_bytes(saved)?;
        if saved.words != self.words() || saved.loops.len() != self.loops.len() {
            return Err(SimulationError::Foreign { reason: "it has other controllers".to_string() });
        }
        let mut loops = self.loops.clone();
        for (own, saved) in loops.iter_mut().zip(saved.loops) {
            own.wiring.controller.restore(&saved.memory)?;
            (own.clock, own.driven) = (saved.clock, saved.driven);
        }
        self.inner.restore(&saved.inner)?;
        self.loops = loops;
        self.events.clear();
        Ok(())
    }

    fn fork(&self) -> Box<dyn Simulation> {
        Box::new(Controlled {
            inner: self.inner.fork(),
            loops: self.loops.clone(),
            columns: self.columns.clone(),
            events: self.events.clone(),
        })
    }
}

impl Controlled {
    /// All data of the controllers, in words.
    fn words(&self) -> String {
        self.loops.iter().map(|own| own.wiring.words()).collect()
    }
}
