//! What a run with controllers shows: the rows of the run, widened by what the controllers tell.

use stickslip_core::law::State;
use stickslip_core::scheme::Event;
use stickslip_core::simulation::{Simulation, SimulationError, Sink, SinkError};

use super::controlled::{Controlled, Loop};

/// Passes on what a run shows, with the cells of the controllers.
pub(super) struct Shown<'a> {
    pub sink: &'a mut dyn Sink,
    pub width: usize,
    pub row: Vec<f64>,
    /// Number of the last row that was shown.
    pub last: Option<u64>,
}

impl Shown<'_> {
    /// Lets a run show what it has to, with the controllers as they are now.
    pub fn pass(
        &mut self,
        loops: &[Loop],
        run: impl FnOnce(&mut dyn Sink) -> Result<(), SimulationError>,
    ) -> Result<(), SimulationError> {
        run(&mut Widened { shown: self, loops })
    }

    fn widen(&mut self, loops: &[Loop], t: f64, row: &[f64]) {
        self.row.resize(self.width, 0.0);
        let (inner, own) = self.row.split_at_mut(row.len());
        inner.copy_from_slice(row);
        Controlled::own_cells(loops, t, own);
    }

    /// The row of the present state and what contacts do.
    fn present(&mut self, loops: &[Loop], run: &dyn Simulation) -> Vec<State> {
        let mut row = vec![0.0; run.columns().len()];
        run.row(&mut row);
        self.widen(loops, run.time(), &row);
        let mut states = vec![State::Open; run.contacts().len()];
        run.contact_states(&mut states);
        states
    }

    /// Shows the present state as a row.
    pub fn here(&mut self, loops: &[Loop], run: &dyn Simulation, (n, t): (u64, f64)) -> Result<(), SimulationError> {
        if self.last.is_none_or(|last| n > last) {
            let states = self.present(loops, run);
            self.last = Some(n);
            self.sink.row(n, t, &self.row, &states).map_err(SimulationError::Sink)?;
        }
        Ok(())
    }

    /// Shows the events that have just happened.
    pub fn changes(&mut self, loops: &[Loop], run: &mut dyn Simulation) -> Result<(), SimulationError> {
        let events = run.take_events();
        for event in &events {
            self.sink.event(event).map_err(SimulationError::Sink)?;
        }
        if !events.is_empty() {
            let states = self.present(loops, run);
            self.sink.changed(run.time(), &self.row, &states).map_err(SimulationError::Sink)?;
        }
        Ok(())
    }
}

/// A sink for the narrower rows of the run.
struct Widened<'a, 'b> {
    shown: &'a mut Shown<'b>,
    loops: &'a [Loop],
}

impl Sink for Widened<'_, '_> {
    fn row(&mut self, n: u64, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError> {
        if self.shown.last.is_some_and(|last| n <= last) {
            return Ok(());
        }
        self.shown.last = Some(n);
        self.shown.widen(self.loops, t, row);
        self.shown.sink.row(n, t, &self.shown.row, contacts)
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.shown.sink.event(event)
    }

    fn changed(&mut self, t: f64, row: &[f64], contacts: &[State]) -> Result<(), SinkError> {
        self.shown.widen(self.loops, t, row);
        self.shown.sink.changed(t, &self.shown.row, contacts)
    }
}
