//! A run as an object.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::Instant;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use stickslip::core::law::State;
use stickslip::core::scheme::{Event, Grid};
use stickslip::core::signal::Signal;
use stickslip::core::simulation::{Samples, Simulation, SimulationError, Sink, SinkError};
use stickslip::prelude::Stop;
use stickslip::run::seen;

use crate::arrays;
use crate::border::{Broken, Watch, compute, wait};
use crate::error;
use crate::scenario::PyScenario;

/// The simulation itself.
struct Held {
    run: Box<dyn Simulation>,
    /// Simulated time that takes about [`SLICE`], as far as it is known \[s\].
    slice: f64,
    /// That of the first slice \[s\].
    first: f64,
    /// Whether an input was changed since.
    changed: bool,
    /// Whether a fault of ours has left it in pieces.
    broken: bool,
}

/// Start, work, stored, lost \[J\], and what each contact dissipated.
type Energy = (f64, f64, f64, f64, BTreeMap<String, f64>);

/// A run that is advanced, fed, saved, restored, forked. `stickslip.Simulation` is this with what is simpler in Python.
#[pyclass(name = "Simulation", module = "stickslip._native", frozen, subclass)]
struct PySimulation {
    held: Mutex<Held>,
    scenario: Py<PyScenario>,
}

impl PySimulation {
    fn hold(run: Box<dyn Simulation>, scenario: Py<PyScenario>) -> PySimulation {
        let first = run.step_size().unwrap_or(FIRST * scenario.get().scenario.run.step);
        PySimulation { held: Mutex::new(Held { run, slice: first, first, changed: false, broken: false }), scenario }
    }

    /// The simulation, if nobody else is at it.
    fn held(&self) -> PyResult<MutexGuard<'_, Held>> {
        match self.held.try_lock() {
            Ok(held) if held.broken => Err(error::SimulationError::new_err(
                "a fault of this program has left this simulation in pieces; make it anew",
            )),
            Ok(held) => Ok(held),
            Err(TryLockError::WouldBlock) => Err(error::SimulationError::new_err(
                "this simulation is at work in another thread; fork it to run two at the same time",
            )),
            Err(TryLockError::Poisoned(held)) => Ok(held.into_inner()),
        }
    }

    /// Works on the simulation without holding the interpreter. Where Ctrl-C ends the work, the simulation stands where it then was.
    fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Held, &Watch) -> Result<T, SimulationError> + Send,
    ) -> PyResult<T> {
        let mut held = self.held()?;
        let own = &mut *held;
        let worked = compute(py, |watch| work(own, watch));
        held.broken = matches!(worked, Err(Broken::Fault(_)));
        worked?.map_err(|error| error::simulation_of(&error, &self.scenario.get().scenario))
    }

    /// A step across the samples of a controller, of which there may be any number, in a thread of its own. Where Ctrl-C ends the waiting the simulation
    /// stands where it stood.
    fn long_step(&self, py: Python<'_>, h: f64) -> PyResult<()> {
        let mut held = self.held()?;
        let mut run = held.run.fork();
        let stepped = wait(py, move |_| run.step(h).map(|()| run))?;
        held.run = stepped.map_err(|error| error::simulation_of(&error, &self.scenario.get().scenario))?;
        Ok(())
    }
}

/// What a slice should take \[s\].
const SLICE: f64 = 0.01;

/// Share of a step of the scenario in the first slice from event to event: how stiff a model is nobody knows before.
const FIRST: f64 = 1e-4;

/// After a change of an input, which may have made it stiffer, a slice is shorter by this factor.
const CHANGED: f64 = 64.0;

/// From one slice to the next their length changes by this factor at the most.
const GROWTH: f64 = 8.0;

impl Held {
    /// Goes on to t in slices of about the time between two looks at the keyboard: motion does not depend on when one looks.
    fn advance(&mut self, t: f64, until_event: bool, watch: &Watch) -> Result<Stop, SimulationError> {
        if std::mem::take(&mut self.changed) {
            self.slice = (self.slice / CHANGED).max(self.first);
        }
        let run = &mut *self.run;
        loop {
            let begin = Instant::now();
            let (now, ahead) = (run.time(), run.time() + self.slice);
            // A time that is none is refused as a whole.
            let next = if ahead > now && ahead < t && t.is_finite() { ahead } else { t };
            let stop =
                if until_event { run.advance_to_event(next)? } else { run.advance_to(next).map(|()| Stop::Time)? };
            let gone = (run.time() - now) / self.slice * SLICE / begin.elapsed().as_secs_f64().max(1e-9);
            if gone > 0.0 {
                self.slice = (self.slice * gone.clamp(1.0 / GROWTH, GROWTH)).max(self.first);
            }
            if next >= t || stop == Stop::Event || watch.stop() {
                return Ok(stop);
            }
        }
    }
}

/// Numbers that may be recorded at once: 800 MB.
const MOST_NUMBERS: f64 = 1e8;

/// Instants that differ by this share of their distance are one.
const SAME: f64 = 1e-9;

/// Keeps the row of the start.
struct First(Vec<f64>);

impl Sink for First {
    fn row(&mut self, _: u64, _: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        self.0 = row.to_vec();
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}

impl Held {
    /// Goes on to t. Rows of the multiples of `every` after the present instant, one after the other; at t = 0 that of the start comes first, with
    /// the forces from there on.
    fn record(&mut self, t: f64, every: f64, watch: &Watch) -> Result<Vec<f64>, SimulationError> {
        let (now, width) = (self.run.time(), self.run.columns().len());
        let mut rows = Vec::new();
        if now == 0.0 {
            let mut first = First(vec![0.0; width]);
            let start = Samples { grid: Grid { h: every, steps: 0 }, every: 1 };
            self.run.fork().record(start, &mut first)?;
            rows = first.0;
        }
        let mut n = (now / every).round();
        if n * every <= now + SAME * every {
            n += 1.0;
        }
        while t.is_finite() && n * every <= t + SAME * every && !watch.stop() {
            self.advance((n * every).min(t), false, watch)?;
            let end = rows.len();
            rows.resize(end + width, 0.0);
            self.run.row(&mut rows[end..]);
            n += 1.0;
        }
        self.advance(t, false, watch)?;
        // As in all tables: no zero has a sign.
        rows.iter_mut().for_each(|value| *value += 0.0);
        Ok(rows)
    }
}

/// A step of more usual sizes than this may cross many samples of a controller.
const LONG: f64 = 64.0;

/// Less than this share of the time is gone on by at once, from event to event.
const SHORT: f64 = 1e-6;

/// Events as files have them: time, contact, from, to.
fn told(run: &dyn Simulation, events: Vec<Event>) -> Vec<(f64, String, &'static str, &'static str)> {
    let shown = events.into_iter().map(|event| seen(event, run.is_planar(event.contact)));
    let changes = shown.filter(|event| event.from != event.to);
    let name = |contact: usize| run.contacts().get(contact).map_or(String::new(), |name| name.to_string());
    changes.map(|event| (event.t, name(event.contact), event.from.name(), event.to.name())).collect()
}

#[pymethods]
impl PySimulation {
    #[new]
    fn new(py: Python<'_>, scenario: &Bound<'_, PyScenario>) -> PyResult<PySimulation> {
        let own = Arc::clone(&scenario.get().scenario);
        let begun = wait(py, move |_| stickslip::run::simulation(&own))?;
        let run = begun.map_err(|failure| error::run_of(&failure, &scenario.get().scenario))?;
        Ok(PySimulation::hold(run, scenario.clone().unbind()))
    }

    /// The scenario that it began with.
    #[getter]
    fn native_scenario(&self, py: Python<'_>) -> Py<PyScenario> {
        self.scenario.clone_ref(py)
    }

    /// Where it stands [s].
    #[getter]
    fn time(&self) -> PyResult<f64> {
        Ok(self.held()?.run.time())
    }

    /// Makes one step of size h. From event to event, where nothing has a step, this is to go on by h.
    fn step(&self, py: Python<'_>, h: f64) -> PyResult<()> {
        let (usual, now, slice) = {
            let held = self.held()?;
            (held.run.step_size(), held.run.time(), held.slice)
        };
        match usual {
            Some(usual) if h > LONG * usual && h.is_finite() => self.long_step(py, h),
            None if h > slice.max(SHORT * now) && h.is_finite() => {
                self.work(py, |held, watch| held.advance(now + h, false, watch)).map(|_| ())
            }
            _ => self.work(py, |held, _| held.run.step(h)),
        }
    }

    /// Goes on to t.
    fn advance(&self, py: Python<'_>, t: f64) -> PyResult<()> {
        self.work(py, |held, watch| held.advance(t, false, watch)).map(|_| ())
    }

    /// Goes on to t, but no further than the first change of a contact; whether there was one.
    fn advance_until_event(&self, py: Python<'_>, t: f64) -> PyResult<bool> {
        self.work(py, |held, watch| held.advance(t, true, watch)).map(|stop| stop == Stop::Event)
    }

    /// Goes on to t; the rows of the multiples of `every` on the way.
    fn rows_until<'py>(&self, py: Python<'py>, t: f64, every: f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (now, width) = {
            let held = self.held()?;
            (held.run.time(), held.run.columns().len())
        };
        if !(every > 0.0 && every.is_finite()) {
            return Err(error::SimulationError::new_err(format!(
                "rows need a time between them greater than 0, not {every} s"
            )));
        }
        let numbers = (t - now) / every * width as f64;
        if t.is_finite() && numbers > MOST_NUMBERS {
            let message = format!(
                "{numbers:.1e} numbers would be recorded, and {MOST_NUMBERS:.0e} can be: choose a greater `every`"
            );
            return Err(error::SimulationError::new_err(message));
        }
        let rows = self.work(py, |held, watch| held.record(t, every, watch))?;
        let count = rows.len() / width.max(1);
        arrays::rows(py, rows, count, width)
    }

    /// Names and units of what can be fed from outside.
    fn input_units(&self) -> PyResult<Vec<(String, &'static str)>> {
        Ok(self.held()?.run.inputs().into_iter().map(|input| (input.name, input.unit)).collect())
    }

    /// From now on an input is this number.
    fn set_number(&self, name: &str, value: f64) -> PyResult<()> {
        let mut held = self.held()?;
        if !value.is_finite() {
            let reason = format!("it is {value} at t = {} s; a finite number is needed", held.run.time());
            return Err(error::simulation(&SimulationError::Input { name: name.to_string(), reason }));
        }
        held.changed = true;
        held.run.set_input(name, Signal::Constant(value)).map_err(|error| error::simulation(&error))
    }

    /// From now on an input is the signal that a scenario file would have under the key; `value` is TOML.
    fn set_signal(&self, py: Python<'_>, name: &str, key: &str, value: &str) -> PyResult<()> {
        let mut held = self.held()?;
        if !held.run.inputs().iter().any(|input| input.name == name) {
            // It has the names that there are.
            return held.run.set_input(name, Signal::ZERO).map_err(|error| error::simulation(&error));
        }
        let signal = self.scenario.get().signal(py, key, value)?;
        held.changed = true;
        held.run.set_input(name, signal).map_err(|error| error::simulation(&error))
    }

    /// What an input is now.
    fn input_value(&self, name: &str) -> PyResult<f64> {
        let held = self.held()?;
        let t = held.run.time();
        let signal = held.run.input(name).map_err(|error| error::simulation(&error))?;
        Ok(signal.at(t))
    }

    /// Name, unit, meaning of every column, and whether it holds whole numbers.
    #[getter]
    fn column_notes(&self) -> PyResult<Vec<(String, &'static str, String, bool)>> {
        let held = self.held()?;
        let note = |c: &stickslip::core::record::Column| (c.name.to_string(), c.unit, c.meaning.to_string(), c.integer);
        Ok(held.run.columns().iter().map(note).collect())
    }

    /// The row of the present state.
    #[getter]
    fn row<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let held = self.held()?;
        let mut row = vec![0.0; held.run.columns().len()];
        held.run.row(&mut row);
        // As in all tables: no zero has a sign.
        row.iter_mut().for_each(|value| *value += 0.0);
        Ok(PyArray1::from_vec(py, row))
    }

    /// The present state, by name.
    fn values(&self) -> PyResult<Vec<(String, f64)>> {
        Ok(self.held()?.run.values().into_iter().map(|(name, value)| (name.into_owned(), value + 0.0)).collect())
    }

    /// What the contacts do, in their order: name, state, time stuck so far [s].
    fn contact_notes(&self) -> PyResult<Vec<(String, &'static str, f64)>> {
        let held = self.held()?;
        let names = held.run.contacts();
        let mut states = vec![State::Open; names.len()];
        held.run.contact_states(&mut states);
        let stuck = held.run.stuck();
        let each = names.iter().zip(&states).zip(stuck);
        Ok(each.map(|((name, state), stuck)| (name.to_string(), state.name(), stuck)).collect())
    }

    /// What the contacts have done since this was last asked.
    fn take_events(&self) -> PyResult<Vec<(f64, String, &'static str, &'static str)>> {
        let mut held = self.held()?;
        let events = held.run.take_events();
        Ok(told(&*held.run, events))
    }

    /// Where the energy went so far [J]: start, work, stored, lost, and what each contact dissipated.
    fn energy(&self) -> PyResult<Energy> {
        let ledger = self.held()?.run.ledger();
        let dissipated = ledger.dissipated.iter().map(|d| (d.contact.to_string(), d.energy)).collect();
        Ok((ledger.start, ledger.work, ledger.stored, ledger.lost(), dissipated))
    }

    /// Worst residual of the inclusions so far, relative to the greatest speed.
    #[getter]
    fn residual(&self) -> PyResult<f64> {
        Ok(self.held()?.run.worst_residual())
    }

    /// Size of its steps [s]; none from event to event.
    #[getter]
    fn step_size(&self) -> PyResult<Option<f64>> {
        Ok(self.held()?.run.step_size())
    }

    /// What makes the run so far doubtful, in sentences.
    #[getter]
    fn doubts(&self) -> PyResult<Vec<String>> {
        let held = self.held()?;
        let (mut doubts, columns) = (held.run.doubts(), held.run.columns());
        let mut row = vec![0.0; columns.len()];
        held.run.row(&mut row);
        let lost: Vec<&str> =
            columns.iter().zip(&row).filter(|(_, value)| !value.is_finite()).map(|(c, _)| &*c.name).collect();
        if !lost.is_empty() {
            doubts.push(format!(
                "{} overflowed: an input or a value of extreme size leads beyond all numbers",
                lost.join(", ")
            ));
        }
        Ok(doubts)
    }

    /// All that the motion from here on depends on.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.work(py, |held, _| held.run.save())?;
        Ok(PyBytes::new(py, &saved))
    }

    /// Takes the place of the simulation that was saved.
    fn restore(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        self.work(py, |held, _| {
            held.changed = true;
            held.run.restore(saved)
        })
    }

    /// Takes the place of another one of the same scenario.
    fn stand_as(&self, other: &PySimulation) -> PyResult<()> {
        let fork = other.held()?.run.fork();
        let mut held = self.held()?;
        held.changed = true;
        held.run = fork;
        Ok(())
    }
}

/// Makes so many steps and gives the seconds that they took: the yardstick for what Python adds.
#[pyfunction]
fn time_of_steps(py: Python<'_>, scenario: &PyScenario, h: f64, steps: usize) -> PyResult<f64> {
    let own = &scenario.scenario;
    let mut run = stickslip::run::simulation(own).map_err(|failure| error::run_of(&failure, own))?;
    let time = compute(py, |_| {
        let begin = Instant::now();
        for _ in 0..steps {
            run.step(h)?;
        }
        Ok(begin.elapsed().as_secs_f64())
    })?;
    time.map_err(|error: SimulationError| error::simulation(&error))
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PySimulation>()?;
    module.add_function(wrap_pyfunction!(time_of_steps, module)?)
}
