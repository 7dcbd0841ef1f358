//! The rows of a built-in scenario as raw numbers: the program beside which the tests of the Python package lay its own.
//!
//! ```sh
//! cargo run -p stickslip --example rows -- wheel-sport-braking 1 > rows.f64
//! ```
//!
//! Every so many steps a row of all columns, 64-bit numbers in the order of the machine.

use std::error::Error;
use std::io::{BufWriter, StdoutLock, Write, stdout};

use stickslip::core::law::State;
use stickslip::core::scheme::{Event, Grid};
use stickslip::prelude::*;

/// Writes rows as they come.
struct Raw<'a>(BufWriter<StdoutLock<'a>>);

impl Sink for Raw<'_> {
    fn row(&mut self, _: u64, _: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        // Tables know no negative zero.
        row.iter().try_for_each(|value| self.0.write_all(&(value + 0.0).to_ne_bytes())).map_err(Into::into)
    }

    fn event(&mut self, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("name a built-in scenario")?;
    let every = arguments.next().map_or(Ok(1), |text| text.parse())?;
    let scenario = MODELS.builtin(&name, &[])?;
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let mut sink = Raw(BufWriter::new(stdout().lock()));
    let ran = simulation(&scenario)?.record(Samples { grid, every }, &mut sink);
    sink.0.flush()?;
    // Where a model ends before its time, the rows up to there were written.
    match ran {
        Ok(()) => Ok(()),
        Err(reason) => Err(reason.into()),
    }
}
