//! Signals reduced to straight lines over the steps of a kernel: what every model's kernel is made of.

use crate::mechanics::{Clock, SystemError};
use crate::scheme::ROUNDING;
use crate::signal::{Piece, Signal};

/// A straight line over the steps from that on at which its kernel begins.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    /// Value in the first step.
    pub value: f64,
    /// What each further step adds.
    pub per_step: f64,
}

impl Line {
    /// Value so many steps after the first.
    #[inline(always)]
    pub fn at(&self, steps: f64) -> f64 {
        self.value + self.per_step * steps
    }
}

/// Reads signals for the steps from number n on and finds out for how many of them straight lines will do.
#[derive(Debug)]
pub struct Lines {
    n: u64,
    clock: Clock,
    valid: u64,
}

impl Lines {
    /// For the steps of a clock from number n on.
    pub fn new(n: u64, clock: Clock) -> Lines {
        Lines { n, clock, valid: u64::MAX }
    }

    /// The number of the first step for which one of the lines no longer holds.
    pub fn valid(&self) -> u64 {
        self.valid.max(self.n + 1)
    }

    /// What is taken at the beginning of a step: drives.
    pub fn begin(&mut self, what: &'static str, signal: &Signal) -> Result<Line, SystemError> {
        self.line(what, signal, self.n, false)
    }

    /// What is taken at the end of a step.
    pub fn end(&mut self, what: &'static str, signal: &Signal) -> Result<Line, SystemError> {
        self.line(what, signal, self.n + 1, false)
    }

    /// What is taken at the end of a step and must not be negative: bounds.
    pub fn end_bound(&mut self, what: &'static str, signal: &Signal) -> Result<Line, SystemError> {
        self.line(what, signal, self.n + 1, true)
    }

    /// What is taken within a step, a share of it after its beginning: its value, for one step only.
    pub fn within(&mut self, what: &'static str, signal: &Signal, share: f64) -> Result<Line, SystemError> {
        self.bend();
        let t = self.clock.begin + (self.n as f64 + share) * self.clock.h;
        let value = signal.at(t);
        if value.is_finite() {
            Ok(Line { value, per_step: 0.0 })
        } else {
            Err(SystemError::NotFinite { what, t, value })
        }
    }

    /// A line that holds for one step only, whatever its signal says.
    pub fn bend(&mut self) {
        self.valid = 0;
    }

    /// A jump acts from its instant on, as an input does that is set there: a step that ends at it has the value before, and one that begins
    /// at it the value after, also where rounding puts the instant beside the grid.
    fn line(&mut self, what: &'static str, signal: &Signal, number: u64, bound: bool) -> Result<Line, SystemError> {
        let t = self.clock.time(number);
        let near = ROUNDING * self.clock.h;
        let piece = match signal.jump_near(t, near) {
            Some(jump) if number > self.n => {
                self.bend();
                Piece { start: t, value: jump.before, slope: 0.0, until: t }
            }
            Some(jump) => signal.piece(t.max(jump.at)),
            None => signal.piece(t),
        };
        if !piece.value.is_finite() {
            return Err(SystemError::NotFinite { what, t, value: piece.value });
        }
        let per_step = piece.slope * self.clock.h;
        if !per_step.is_finite() {
            return Err(SystemError::NotFinite { what, t, value: per_step });
        }
        if bound && piece.value < 0.0 {
            return Err(SystemError::Negative { what, t, value: piece.value });
        }
        let until = if signal.jump_near(piece.until, 0.0).is_some() { piece.until - near } else { piece.until };
        self.valid = self.valid.min(self.clock.first_at_or_after(until).saturating_sub(number - self.n));
        Ok(Line { value: piece.value, per_step })
    }
}
