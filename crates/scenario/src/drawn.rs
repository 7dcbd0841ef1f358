//! Errors drawn under the line they are about.

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};

use crate::Error;

/// The error with its source, to be printed.
pub fn report(error: &Error) -> Report {
    let mut diagnostic = MietteDiagnostic::new(match error.source_text() {
        Some(_) => error.message().to_string(),
        None => format!("{}: {}", error.source_name(), error.message()),
    });
    if let Some(help) = error.help() {
        diagnostic = diagnostic.with_help(help);
    }
    match error.source_text() {
        Some(text) => {
            let span = error.span();
            let label = LabeledSpan::at(span.start..span.end.max(span.start + 1).min(text.len().max(1)), "here");
            let source = NamedSource::new(error.source_name(), text.to_string());
            Report::from(diagnostic.with_label(label)).with_source_code(source)
        }
        None => Report::from(diagnostic),
    }
}

/// The same as text without colours, as the command prints it.
pub fn plain(error: &Error) -> String {
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_links(false);
    match handler.render_report(&mut text, report(error).as_ref()) {
        Ok(()) => text,
        Err(_) => error.to_string(),
    }
}
