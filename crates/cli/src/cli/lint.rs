//! `stickslip lint`, also called `check`.

use serde_json::{Value, json};
use stickslip::scenario::Error;

use super::Source;
use super::console::Console;
use super::failure::Failure;

/// Arguments of `lint`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Print what was found as JSON to standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// Reads a scenario and builds its model, and says whether that went well.
pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<(), Failure> {
    let mut tell = |found: Value| if arguments.json { console.line(&format!("{found:#}")) } else { Ok(()) };
    let scenario = match arguments.source.read() {
        Ok(scenario) => scenario,
        Err(error) => {
            tell(located(&error))?;
            return Err(error.into());
        }
    };
    let (name, model) = (&scenario.name, scenario.model.name());
    if let Err(failure) = scenario.model.prepare() {
        if let Some(error) = failure.located(&scenario) {
            tell(located(&error))?;
            return Err(error.into());
        }
        tell(json!({ "scenario": name, "model": model, "good": false, "message": failure.to_string() }))?;
        return Err(failure.into());
    }
    tell(json!({ "scenario": name, "model": model, "good": true }))?;
    if arguments.json { Ok(()) } else { console.line(&format!("{name}: nothing wrong ({model} model)")) }
}

/// What is wrong, where, and what to write instead, as data.
fn located(error: &Error) -> Value {
    let place = error.position();
    json!({
        "scenario": error.source_name(),
        "good": false,
        "message": error.message(),
        "help": error.help(),
        "line": place.map(|place| place.line),
        "column": place.map(|place| place.column),
    })
}
