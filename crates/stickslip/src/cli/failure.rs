//! What goes wrong, drawn where it went wrong.

use std::process::ExitCode;

use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};
use stickslip::{FolderError, RunFailure};

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

impl From<stickslip_scenario::Error> for Failure {
    fn from(error: stickslip_scenario::Error) -> Failure {
        let mut diagnostic = MietteDiagnostic::new(match error.source_text() {
            Some(_) => error.message().to_string(),
            None => format!("{}: {}", error.source_name(), error.message()),
        });
        if let Some(help) = error.help() {
            diagnostic = diagnostic.with_help(help);
        }
        let report = match error.source_text() {
            Some(text) => {
                let span = error.span();
                let label = LabeledSpan::at(span.start..span.end.max(span.start + 1).min(text.len().max(1)), "here");
                let source = NamedSource::new(error.source_name(), text.to_string());
                Report::from(diagnostic.with_label(label)).with_source_code(source)
            }
            None => Report::from(diagnostic),
        };
        Failure::Input(Box::new(report))
    }
}

impl From<RunFailure> for Failure {
    fn from(failure: RunFailure) -> Failure {
        match &failure {
            RunFailure::Folder(folder @ FolderError::Appeared { .. }) => Failure::Broken(Box::new(Report::from(
                MietteDiagnostic::new(failure.to_string()).with_help(folder.help()),
            ))),
            RunFailure::Folder(folder) => Failure::input(failure.to_string(), folder.help()),
            RunFailure::Wheel(_)
            | RunFailure::Vehicle(_)
            | RunFailure::TowedWheel(_)
            | RunFailure::Assembly(_)
            | RunFailure::RailWheel(_)
            | RunFailure::Rolling(_) => Failure::input(failure.to_string(), "change the scenario"),
            RunFailure::Simulation(_) | RunFailure::Timeless => Failure::input(
                failure.to_string(),
                "the scenario led there: look at its signals and sizes; nothing was written",
            ),
            RunFailure::Output(_) | RunFailure::File { .. } | RunFailure::Rows { .. } => {
                Failure::broken(failure.to_string())
            }
        }
    }
}
