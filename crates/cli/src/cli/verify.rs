//! `stickslip verify`.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::models::MODELS;
use stickslip::verify::{GENERAL, Row, count, html, json, run};

use super::console::Console;
use super::failure::Failure;
use super::write_file;

/// Arguments of `verify`.
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
        let mut text = String::new();
        if row.chapter != chapter {
            chapter = row.chapter;
            text = format!("\n{chapter}\n");
        }
        text += &line(row);
        if closed.is_none() {
            closed = console.text(&text).err();
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
        let told = |kind| {
            let (all, failed) = count(&rows, kind);
            format!("{} {kind}", all - failed)
        };
        let hold = format!("{} claims hold ({}, {})", rows.len() - failed, told("independent"), told("consistency"));
        console.line(&format!("\n{hold}, {failed} fail"))?;
    }
    Ok(ExitCode::from(u8::from(failed > 0)))
}

fn line(row: &Row) -> String {
    let mark = if row.pass { "ok  " } else { "FAIL" };
    let error = row.error.map_or_else(String::new, |e| format!("   error {e:.1e}"));
    let claim = row.claim;
    // Padding counts characters; combining marks do not occur in the book.
    let source = format!("{}: {}", row.basis, row.source);
    format!("  {mark} {claim:<78} {source:<50} expected {:<26} got {}{error}\n", row.expected, row.got)
}
