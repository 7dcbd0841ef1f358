//! Commands that do not exist: which was meant.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use stickslip::models::MODELS;
use stickslip::scenario::tables::{listed, nearest, quote};

use super::failure::Failure;

/// Why arguments were refused, where the word for the command is at fault.
pub(super) fn command(error: &clap::Error, known: &clap::Command) -> Option<Failure> {
    let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
    else {
        return None;
    };
    let names: Vec<&str> = known.get_subcommands().map(clap::Command::get_name).collect();
    let aliases = known.get_subcommands().flat_map(clap::Command::get_all_aliases);
    let meant = nearest(word, names.iter().copied().chain(aliases));
    let help = if is_scenario(word) {
        format!("to run it, write `stickslip run {word}`")
    } else if let Some(name) = meant {
        format!("did you mean `stickslip {name}`?")
    } else if let Some(name) = nearest(word, MODELS.builtins().map(|builtin| builtin.name)) {
        format!("did you mean `stickslip run {name}`?")
    } else {
        format!("the commands are {}; `stickslip help` explains them", listed(names))
    };
    Some(Failure::input(format!("there is no command {}", quote(word)), &help))
}

/// Whether a word names something that can be run.
fn is_scenario(word: &str) -> bool {
    MODELS.builtins().any(|builtin| builtin.name == word) || std::path::Path::new(word).is_file()
}
