//! Standard output that may close early (`stickslip verify | head`).

use std::io::{self, Write};

use super::failure::Failure;

/// Writes to standard output; a reader that has gone away ends the program quietly.
pub(super) struct Console {
    out: io::Stdout,
}

impl Console {
    pub(super) fn new() -> Console {
        Console { out: io::stdout() }
    }

    pub(super) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.text(&format!("{text}\n"))
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let mut out = self.out.lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Err(Failure::Closed),
            Err(e) => Err(Failure::broken(format!("cannot write to standard output: {e}"))),
        }
    }
}
