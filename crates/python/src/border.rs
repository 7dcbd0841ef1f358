//! The border between Python and Rust: computing without the interpreter, being stopped by Ctrl-C, and the net under it all.
//!
//! This is the one place where the interpreter is let go; a test refuses it elsewhere. What looks at its [`Watch`] often enough
//! computes in the thread that asked ([`compute`]); what may compute for long without looking does so in a thread of its own ([`wait`]).

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use stickslip::sweep::Progress;

use crate::error;

/// Time between two looks at the keyboard: a tenth of the 0.2 s within which Ctrl-C must be heard.
const LOOK: Duration = Duration::from_millis(20);

/// How long work that was told to stop is waited for; what has not stopped by then ends in the background.
const PATIENCE: Duration = Duration::from_millis(100);

/// Stack of a thread that works: as much as the first thread has.
const STACK: usize = 8 << 20;

/// Why there is no result.
pub enum Broken {
    /// By what Python raised meanwhile: Ctrl-C, or an exception of a function that hears of progress.
    Raised(PyErr),
    /// By a panic, which is a fault of ours.
    Fault(PyErr),
}

impl From<Broken> for PyErr {
    fn from(broken: Broken) -> PyErr {
        let (Broken::Raised(error) | Broken::Fault(error)) = broken;
        error
    }
}

/// What unwinds a piece of work that nobody waits for any more.
struct Abandoned;

/// Tells whoever works whether to go on.
pub struct Watch(Way);

enum Way {
    /// The work is in the thread that asked: it looks at the keyboard itself.
    Here { looked: Cell<Option<Instant>>, raised: RefCell<Option<PyErr>> },
    /// Another thread waits and looks.
    Apart(Arc<Desk>),
}

/// What work in a thread of its own and whoever waits for it share.
#[derive(Default)]
struct Desk {
    stop: AtomicBool,
    progress: Mutex<Option<Progress>>,
}

impl Watch {
    fn here() -> Watch {
        Watch(Way::Here { looked: Cell::new(None), raised: RefCell::new(None) })
    }

    /// Whether to stop. To be asked as often as one likes, without the interpreter.
    pub fn stop(&self) -> bool {
        match &self.0 {
            Way::Apart(desk) => desk.stop.load(Ordering::Relaxed),
            Way::Here { looked, raised } => {
                if raised.borrow().is_some() {
                    return true;
                }
                let now = Instant::now();
                match looked.get() {
                    Some(before) if now.duration_since(before) >= LOOK => {
                        *raised.borrow_mut() = Python::attach(|py| py.check_signals()).err();
                        looked.set(Some(Instant::now()));
                    }
                    Some(_) => {}
                    None => looked.set(Some(now)),
                }
                raised.borrow().is_some()
            }
        }
    }

    /// The same for those who watch iterations.
    pub fn flow(&self) -> ControlFlow<()> {
        if self.stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Ends the work here if nobody waits for it: it unwinds to where it was begun, and clears up on its way. For places that can hand
    /// no error back.
    pub fn or_end(&self) {
        if self.stop() {
            resume_unwind(Box::new(Abandoned));
        }
    }

    /// Tells how far the work is; says whether to go on.
    pub fn tell(&self, progress: Progress) -> bool {
        if let Way::Apart(desk) = &self.0 {
            *desk.progress.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
        }
        !self.stop()
    }

    fn raised(self) -> Option<PyErr> {
        match self.0 {
            Way::Here { raised, .. } => raised.into_inner(),
            Way::Apart(_) => None,
        }
    }
}

/// Works with a net under it.
fn caught<T>(watch: &Watch, work: impl FnOnce(&Watch) -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(|| work(watch)))
}

/// Computes without the interpreter, in this thread.
pub fn compute<T: Send>(py: Python<'_>, work: impl FnOnce(&Watch) -> T + Send) -> Result<T, Broken> {
    py.detach(|| {
        let watch = Watch::here();
        let done = caught(&watch, work);
        match (done, watch.raised()) {
            (Err(panic), None) => Err(Broken::Fault(error::fault(&*panic))),
            (Err(panic), Some(_)) if !panic.is::<Abandoned>() => Err(Broken::Fault(error::fault(&*panic))),
            (_, Some(raised)) => Err(Broken::Raised(raised)),
            (Ok(done), None) => Ok(done),
        }
    })
}

/// Computes without the interpreter, in a thread of its own. Ctrl-C ends the waiting, and the work where it next looks at its watch.
pub fn wait<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(&Watch) -> T + Send + 'static) -> Result<T, Broken> {
    wait_telling(py, None, work)
}

/// The same. `progress` is called with points done, points in all, and seconds left or None; what it raises stops the work.
pub fn wait_telling<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send + 'static,
) -> Result<T, Broken> {
    let desk = Arc::new(Desk::default());
    let watch = Arc::clone(&desk);
    let (send, mut done) = channel();
    let thread = std::thread::Builder::new().name("stickslip".into()).stack_size(STACK).spawn(move || {
        // Nobody hears what is told after Ctrl-C.
        let _ = send.send(caught(&Watch(Way::Apart(watch)), work));
    });
    thread.map_err(|reason| Broken::Raised(error::RunError::new_err(format!("no thread to work in: {reason}"))))?;
    // Lent as a whole each time: only then may it be used without the interpreter.
    let mut hear = |time| {
        let done = &mut done;
        py.detach(move || Receiver::recv_timeout(done, time))
    };
    loop {
        let came = hear(LOOK);
        let told = desk.progress.lock().unwrap_or_else(PoisonError::into_inner).take();
        let heard = py.check_signals().and_then(|()| match (progress, told) {
            (Some(call), Some(told)) => call.call1(py, (told.done, told.of, told.left)).map(|_| ()),
            _ => Ok(()),
        });
        match (came, heard) {
            (_, Err(raised)) => {
                desk.stop.store(true, Ordering::Relaxed);
                let _ = hear(PATIENCE);
                return Err(Broken::Raised(raised));
            }
            (Ok(result), Ok(())) => return result.map_err(|panic| Broken::Fault(error::fault(&*panic))),
            (Err(RecvTimeoutError::Timeout), Ok(())) => {}
            (Err(RecvTimeoutError::Disconnected), Ok(())) => {
                return Err(Broken::Fault(error::fault(&"the work has ended without a result")));
            }
        }
    }
}

/// Breaks down within [`compute`], or within [`wait`]: tests see that no panic comes through.
#[pyfunction]
fn break_down(py: Python<'_>, apart: bool) -> PyResult<()> {
    fn work(_: &Watch) {
        resume_unwind(Box::new("on purpose"));
    }
    Ok(if apart { wait(py, work) } else { compute(py, work) }?)
}

/// Adds what this file holds.
pub fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(break_down, module)?)
}
