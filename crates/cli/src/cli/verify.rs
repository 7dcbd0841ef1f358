//! `stickslip self-test`, also called `verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::models::MODELS;
use stickslip::verify::{GENERAL, Row, count, html, json, run};

use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, Tone};
use super::write_file;

/// Arguments of `self-test`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Write the table as JSON to this file, too
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the table as a web page to this file, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    // The claims take seconds to check: a file that cannot be written is better told at once.
    for path in [&arguments.json, &arguments.html].into_iter().flatten() {
        super::can_write(path)?;
    }
    let mut chapter = "";
    let mut closed = None;
    let chapters = GENERAL.iter().chain(MODELS.chapters());
    let rows = run(chapters, |row| {
        let mut lines = Vec::new();
        if row.chapter != chapter {
            chapter = row.chapter;
            lines.extend([Line::text(""), Line::title(chapter)]);
        }
        lines.extend(told(row, console.width()));
        if closed.is_none() {
            closed = console.lines(&lines).err();
        }
    });
    if let Some(path) = &arguments.json {
        write_file(path, &json(&rows).map_err(|e| Failure::broken(e.to_string()))?)?;
    }
    if let Some(path) = &arguments.html {
        write_file(path, &html(&rows))?;
    }
    let failed = rows.iter().filter(|row| !row.pass).count();
    if closed.is_none() {
        let counted = |kind| {
            let (all, failed) = count(&rows, kind);
            format!("{} {kind}", all - failed)
        };
        let hold =
            format!("{} claims hold ({}, {})", rows.len() - failed, counted("independent"), counted("consistency"));
        console.line(&format!("\n{hold}, {failed} fail"))?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

/// A claim and what came of it: on one line where there is room for it, and else what came of it below.
fn told(row: &Row, width: Option<usize>) -> Vec<Line> {
    let (mark, tone) = if row.pass { ("ok", Tone::Good) } else { ("FAIL", Tone::Bad) };
    let error = row.error.map_or_else(String::new, |e| format!("   error {e:.1e}"));
    let (claim, source) = (row.claim, format!("{}: {}", row.basis, row.source));
    if width.is_none_or(|width| width > WIDEST) {
        // Padding counts characters; combining marks do not occur in the book.
        let text = format!("{claim:<78} {source:<50} expected {:<26} got {}{error}", row.expected, row.got);
        return vec![Line::marked(mark, text, tone)];
    }
    let found = format!("expected {}   got {}{error}   ({source})", row.expected, row.got);
    vec![Line::marked(mark, claim, tone), Line::marked("", found, tone)]
}

/// Columns that a claim takes with all that came of it.
const WIDEST: usize = 220;
