//! Ctrl-C while the interpreter is released.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often Python is asked: a quarter of the 0.2 s within which Ctrl-C must be heard, and a ten-thousandth of the time at most.
const OFTEN: Duration = Duration::from_millis(50);

/// Looks for signals now and then. Made and asked in one thread, without the interpreter.
pub struct Signals {
    looked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
}

impl Signals {
    /// From now on.
    pub fn new() -> Signals {
        Signals { looked: Cell::new(Instant::now()), raised: RefCell::new(None) }
    }

    /// Whether to stop. Asks Python when it was not asked for a while.
    pub fn stop(&self) -> bool {
        if self.raised.borrow().is_some() {
            return true;
        }
        if self.looked.get().elapsed() < OFTEN {
            return false;
        }
        let answer = Python::attach(|py| py.check_signals());
        self.looked.set(Instant::now());
        *self.raised.borrow_mut() = answer.err();
        self.raised.borrow().is_some()
    }

    /// The same for those who watch iterations.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// What was computed, unless a signal came.
    pub fn unless<T>(self, computed: PyResult<T>) -> PyResult<T> {
        match self.raised.into_inner() {
            Some(raised) => Err(raised),
            None => computed,
        }
    }
}
