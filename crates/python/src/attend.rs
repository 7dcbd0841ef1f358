//! Long work in a thread of its own, so that Ctrl-C is heard while it goes on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use stickslip::sweep::Progress;

use crate::error::RunError;

/// How often signals are looked at.
const LISTEN: Duration = Duration::from_millis(50);

/// How long work that was told to stop is waited for. Points that are at work then end in the background.
const PATIENCE: Duration = Duration::from_millis(100);

/// What work and whoever waits for it share.
#[derive(Default)]
pub struct Desk {
    stop: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

impl Desk {
    /// Whether to go on.
    pub fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// Tells how far the work is; says whether to go on.
    pub fn tell(&self, progress: Progress) -> bool {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        self.goes_on()
    }

    fn told(&self) -> Option<Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Does the work without the interpreter. `progress` is called with points done, points in all, and seconds left or None; what it raises,
/// and what signals raise, stops the work.
pub fn attended<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Desk) -> T + Send + 'static,
) -> PyResult<T> {
    let desk = Arc::new(Desk::default());
    let own = desk.clone();
    let (send, done) = mpsc::channel();
    let spawned = std::thread::Builder::new().name("stickslip".into()).spawn(move || {
        // Nobody listens any more where the work was stopped.
        let _ = send.send(work(&own));
    });
    spawned.map_err(|error| RunError::new_err(format!("the system grants no thread: {error}")))?;
    // A receiver is for one thread at a time, and which one that is changes when the interpreter is let go.
    let done = Mutex::new(done);
    let wait = |time: Duration| py.detach(|| done.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(time));
    loop {
        let came = wait(LISTEN);
        let heard = py.check_signals().and_then(|()| match (progress, desk.told()) {
            (Some(call), Some(told)) => call.call1(py, (told.done, told.of, told.left)).map(|_| ()),
            _ => Ok(()),
        });
        match (came, heard) {
            (Ok(result), Ok(())) => return Ok(result),
            (Err(RecvTimeoutError::Timeout), Ok(())) => {}
            (Err(RecvTimeoutError::Disconnected), Ok(())) => {
                return Err(RunError::new_err("the work has ended without a result"));
            }
            (_, Err(raised)) => {
                desk.stop.store(true, Ordering::Relaxed);
                let _ = wait(PATIENCE);
                return Err(raised);
            }
        }
    }
}
