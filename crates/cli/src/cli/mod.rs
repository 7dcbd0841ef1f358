//! The command line: arguments in, text and exit status out.
//!
//! Exit status: 0 all well; 1 a claim of `self-test` failed or a run broke down; 2 bad input, nothing written.

mod bar;
mod compare;
mod console;
mod failure;
mod find;
mod layout;
mod lint;
mod list;
mod mistyped;
mod output;
mod rolling;
mod run;
mod stability;
mod sweep;
mod table;
mod verify;

use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use stickslip::models::MODELS;
use stickslip::run::Scenario;
use stickslip::scenario::Override;

use console::Console;
use failure::Failure;

/// Simulates wheels, vehicles, assemblies and rolling contacts with dry friction in which rest is exact.
///
/// Without a command it runs the built-in scenario wheel-sport-braking.
#[derive(Debug, Parser)]
#[command(name = "stickslip", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// When to use colours: `auto` means on terminals, and not where NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: clap::ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the built-in scenarios, by model
    List {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a built-in scenario, to read or to start a file of your own from
    Show {
        /// Name of a built-in scenario
        name: String,
    },
    /// Read a scenario file and point at what is wrong in it, without running it
    #[command(visible_alias = "check")]
    Lint(lint::Arguments),
    /// Print the equations of a scenario and the numbers in them
    Explain(Source),
    /// Run a scenario and write trajectory, events, summary, figures and report
    Run(run::Arguments),
    /// Run several scenarios and show one quantity of all of them, and how far they are from the first
    Compare(compare::Arguments),
    /// Run a scenario with varied values, on all cores, into one dataset
    Sweep(Box<sweep::Arguments>),
    /// Find the value of a key at which something begins, ends or is least
    Find(find::Arguments),
    /// Draw the creep-force curves of a rolling contact by all theories, and write them as a table
    Creep(rolling::Arguments),
    /// Tabulate the exact creep forces of all wheel and rail contacts, as a file for any program
    Table(table::Arguments),
    /// Look at small motions about the steady state of a scenario: eigenvalues, how they move with its numbers, critical values
    Stability(stability::Arguments),
    /// Check the program itself against its book of claims
    #[command(visible_alias = "verify")]
    SelfTest(verify::Arguments),
    /// Print the JSON schema of scenario files
    Schema {
        /// Print a reference of all keys instead, in Markdown (docs/keys.md)
        #[arg(long)]
        markdown: bool,
    },
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

/// Where a scenario comes from.
#[derive(Debug, clap::Args)]
struct Source {
    /// A scenario file, or the name of a built-in scenario
    #[arg(value_name = "FILE-or-NAME")]
    scenario: String,
    /// Set a value of the scenario: --set run.step=1e-4 --set "wheel.mass=350 kg"
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
}

impl Source {
    fn load(&self) -> Result<Scenario, Failure> {
        Ok(self.read()?)
    }

    fn read(&self) -> Result<Scenario, stickslip::scenario::Error> {
        let overrides: Vec<Override> = self.overrides.iter().map(|text| Override::new(text.as_str())).collect();
        MODELS.from_name_or_path(&self.scenario, &overrides)
    }
}

/// The embedded default.
const DEFAULT: &str = "wheel-sport-braking";

/// Reads the arguments, does what they say and turns failures into messages.
pub(crate) fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => match mistyped::command(&error, &Arguments::command()) {
            Some(failure) => return failure.print(),
            None => error.exit(),
        },
    };
    failure::colour(arguments.color);
    let mut console = Console::new(arguments.color);
    match perform(arguments, &mut console) {
        Ok(code) => code,
        Err(failure) => failure.print(),
    }
}

fn perform(arguments: Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let command = arguments.command.unwrap_or_else(|| Command::Run(run::Arguments::of(DEFAULT)));
    match command {
        Command::List { json } => list::perform(json, console)?,
        Command::Show { name } => {
            let scenario = MODELS.builtin(&name, &[])?;
            let text = MODELS.builtins().find(|b| b.name == name).map_or(scenario.text.as_str(), |b| b.text);
            console.text(text)?;
        }
        Command::Lint(arguments) => lint::perform(&arguments, console)?,
        Command::Explain(source) => {
            let scenario = source.load()?;
            console.text(&stickslip::run::explain(&scenario).map_err(Failure::from)?)?;
        }
        Command::Run(arguments) => return run::perform(&arguments, console),
        Command::Compare(arguments) => return compare::perform(&arguments, console),
        Command::Sweep(arguments) => return sweep::perform(&arguments, console),
        Command::Find(arguments) => return find::perform(&arguments, console),
        Command::Creep(arguments) => return rolling::perform(&arguments, console),
        Command::Table(arguments) => return table::perform(&arguments, console),
        Command::Stability(arguments) => return stability::perform(&arguments, console),
        Command::SelfTest(arguments) => return verify::perform(&arguments, console),
        Command::Schema { markdown: true } => console.text(&stickslip::scenario::keys(&MODELS.schema()))?,
        Command::Schema { markdown: false } => {
            let text = serde_json::to_string_pretty(&MODELS.schema()).map_err(|e| Failure::broken(e.to_string()))?;
            console.line(&text)?;
        }
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Arguments::command(), "stickslip", &mut script);
            console.text(&String::from_utf8_lossy(&script))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A file that the user names for output.
fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|e| unwritable(path, &e))
}

/// Whether a file that the user names for output can be written; what is there stays as it is.
fn can_write(path: &Path) -> Result<(), Failure> {
    let new = !path.exists();
    std::fs::OpenOptions::new().append(true).create(true).open(path).map_err(|e| unwritable(path, &e))?;
    if new {
        // The file comes back when there is something to write.
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::input(format!("cannot write {}: {error}", path.display()), "name a file that you may write")
}
