//! What goes wrong, drawn where it went wrong.

use std::process::ExitCode;

use miette::{MietteDiagnostic, Report};
use stickslip::run::{FolderError, RunFailure, Scenario};

/// Why the command stops.
#[derive(Debug)]
pub(super) enum Failure {
    /// Bad input: exit status 2.
    Input(Box<Report>),
    /// Something broke down: exit status 1.
    Broken(Box<Report>),
    /// Nobody reads our output any more: exit status 0.
    Closed,
}

impl Failure {
    pub(super) fn input(message: String, help: &str) -> Failure {
        Failure::Input(Box::new(Report::from(MietteDiagnostic::new(message).with_help(help))))
    }

    pub(super) fn broken(message: String) -> Failure {
        Failure::Broken(Box::new(Report::from(MietteDiagnostic::new(message))))
    }

    /// Prints the message to standard error and gives the exit status.
    pub(super) fn print(self) -> ExitCode {
        use std::io::Write;
        let (report, code) = match self {
            Failure::Input(report) => (report, 2),
            Failure::Broken(report) => (report, 1),
            Failure::Closed => return ExitCode::SUCCESS,
        };
        // A closed standard error leaves only the exit status to speak.
        let _ = writeln!(std::io::stderr(), "{report:?}");
        ExitCode::from(code)
    }
}

/// Messages in colour always or never, where that was asked for.
pub(super) fn colour(choice: clap::ColorChoice) {
    let colour = match choice {
        clap::ColorChoice::Auto => return,
        clap::ColorChoice::Always => true,
        clap::ColorChoice::Never => false,
    };
    // It fails only where it was set before, which is nowhere.
    let _ = miette::set_hook(Box::new(move |_| Box::new(miette::MietteHandlerOpts::new().color(colour).build())));
}

impl From<stickslip::scenario::Error> for Failure {
    fn from(error: stickslip::scenario::Error) -> Failure {
        Failure::Input(Box::new(stickslip_scenario::drawn::report(&error)))
    }
}

/// Extreme inputs that a message names.
const NAMED: usize = 3;

impl Failure {
    /// Why the run of a scenario stopped, with the inputs of extreme size that may have led there.
    pub(super) fn of_run(failure: RunFailure, scenario: &Scenario) -> Failure {
        if let Some(error) = failure.located(scenario) {
            return error.into();
        }
        let by_data = matches!(
            failure,
            RunFailure::Output(stickslip::report::Error::NotFinite { .. })
                | RunFailure::Simulation(_)
                | RunFailure::Ends { .. }
        );
        let extremes = scenario.extreme_inputs();
        if !by_data || extremes.is_empty() {
            return failure.into();
        }
        let listed = extremes.iter().take(NAMED).map(|input| format!("{} = {}", input.key, input.written));
        let listed = listed.collect::<Vec<_>>().join(", ");
        let help = format!("the likely cause is an input of extreme size: {listed}; nothing was written");
        Failure::input(told(&failure), &help)
    }
}

/// The message; a number that is none is the doing of the data.
fn told(failure: &RunFailure) -> String {
    match failure {
        RunFailure::Output(error @ stickslip::report::Error::NotFinite { .. }) => {
            format!("the run left the range of floating-point numbers: {error}")
        }
        other => other.to_string(),
    }
}

impl From<stickslip::sweep::SweepError> for Failure {
    fn from(error: stickslip::sweep::SweepError) -> Failure {
        use stickslip::sweep::SweepError;
        match error {
            SweepError::Input { message, help } => Failure::input(message, &help),
            SweepError::Located(error) => (*error).into(),
            SweepError::Files { message, help } => {
                Failure::Broken(Box::new(Report::from(MietteDiagnostic::new(message).with_help(help))))
            }
            SweepError::Run(failure) => failure.into(),
        }
    }
}

impl From<RunFailure> for Failure {
    fn from(failure: RunFailure) -> Failure {
        match &failure {
            RunFailure::Output(stickslip::report::Error::NotFinite { .. }) => Failure::input(
                told(&failure),
                "the scenario led there: look at its signals and sizes; nothing was written",
            ),
            RunFailure::Folder(folder @ FolderError::Appeared { .. }) => Failure::Broken(Box::new(Report::from(
                MietteDiagnostic::new(failure.to_string()).with_help(folder.help()),
            ))),
            RunFailure::Folder(folder) => Failure::input(failure.to_string(), folder.help()),
            RunFailure::Model(_) | RunFailure::NotLinear(_) => {
                Failure::input(failure.to_string(), "change the scenario")
            }
            RunFailure::Key { help, .. } => Failure::input(failure.to_string(), help),
            RunFailure::Simulation(_) | RunFailure::Ends { .. } | RunFailure::Timeless => Failure::input(
                failure.to_string(),
                "the scenario led there: look at its signals and sizes; nothing was written",
            ),
            RunFailure::Output(_) | RunFailure::File { .. } | RunFailure::Rows { .. } => {
                Failure::broken(failure.to_string())
            }
        }
    }
}
