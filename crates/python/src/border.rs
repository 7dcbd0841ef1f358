//! The border between Python and Rust: computing without the interpreter, being stopped by Ctrl-C, and the net under it all.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::error;

/// Time between two looks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(20);

/// Computes without holding the interpreter. A panic, which is a fault of ours, becomes an exception like others.
pub fn compute<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(work))).map_err(|panic| error::fault(&*panic))
}

/// Whether Ctrl-C was pressed: asks the interpreter, but not more often than it makes sense. Units of work of any size are counted, and
/// the clock is read once in so many of them that reading it costs nothing.
pub struct Pace {
    /// Units between two looks at the clock, and how many of them are left.
    between: u64,
    left: u64,
    since: Instant,
    asked: Instant,
}

impl Pace {
    /// From now on.
    pub fn new() -> Pace {
        let now = Instant::now();
        Pace { between: 1, left: 1, since: now, asked: now }
    }

    /// A unit of work is done; an error where Ctrl-C was pressed. To be called without the interpreter.
    pub fn tick(&mut self) -> PyResult<()> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        let now = Instant::now();
        // Four looks at the clock between two at the keyboard.
        let units = LOOK.as_secs_f64() / 4.0 / now.duration_since(self.since).as_secs_f64().max(1e-9);
        self.between = ((self.between as f64 * units.min(8.0)) as u64).max(1);
        (self.left, self.since) = (self.between, now);
        if now.duration_since(self.asked) < LOOK {
            return Ok(());
        }
        let pressed = Python::attach(|py| py.check_signals());
        self.asked = Instant::now();
        pressed
    }
}

/// What unwinds a piece of work that nobody waits for any more.
struct Abandoned;

/// Told to whoever works in another thread whether to go on.
#[derive(Clone, Default)]
pub struct Wanted(Arc<AtomicBool>);

impl Wanted {
    /// Ends the work here if nobody waits for it: it unwinds to where it was begun, and clears up on its way. For places that can
    /// hand no error back.
    pub fn or_end(&self) {
        if self.0.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Abandoned));
        }
    }
}

/// Stack of a thread that works: as much as the first thread has.
const STACK: usize = 8 << 20;

/// Works in a thread of its own, and waits for it. Ctrl-C ends the waiting at once, and the work at the next place where it looks at
/// [`Wanted`].
pub fn wait<T: Send + 'static>(py: Python<'_>, work: impl FnOnce(Wanted) -> T + Send + 'static) -> PyResult<T> {
    let wanted = Wanted::default();
    let (told, mut done) = channel();
    let own = wanted.clone();
    let thread = std::thread::Builder::new().name("stickslip".into()).stack_size(STACK).spawn(move || {
        // Nobody hears what is told after Ctrl-C.
        let _ = told.send(catch_unwind(AssertUnwindSafe(|| work(own))));
    });
    thread.map_err(|reason| error::RunError::new_err(format!("no thread to work in: {reason}")))?;
    let done = &mut done;
    loop {
        // Lent to the closure as a whole: only then may it be used without the interpreter.
        let heard = &mut *done;
        match py.detach(move || Receiver::recv_timeout(heard, LOOK)) {
            Ok(result) => return result.map_err(|panic| error::fault(&*panic)),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(pressed) = py.check_signals() {
                    wanted.0.store(true, Ordering::Relaxed);
                    return Err(pressed);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(error::RunError::new_err("the work ended without a result, which is a fault of this program"));
            }
        }
    }
}

/// The words of a panic.
pub fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".into())
}
