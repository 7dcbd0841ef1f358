//! Time that work takes, however busy the machine is.

use std::time::{Duration, Instant};

/// A clock of the thread that started it: processor time where the system tells it, else time by the wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clock {
    begin: Instant,
    processor: Option<Duration>,
}

impl Clock {
    /// A clock that starts now.
    pub fn start() -> Clock {
        Clock { begin: Instant::now(), processor: processor_time() }
    }

    /// Time since its start.
    pub fn elapsed(&self) -> Duration {
        match (self.processor, processor_time()) {
            (Some(begin), Some(now)) => now.saturating_sub(begin),
            _ => self.begin.elapsed(),
        }
    }
}

/// Time that this thread has run on a processor; only Linux tells it without system calls of our own.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}
