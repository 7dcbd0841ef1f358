//! `stickslip creep`, and what `stickslip run` says about a rolling contact.

use std::path::PathBuf;
use std::process::ExitCode;

use stickslip::rolling::{CreepContact, CreepOptions, Rolled, THEORIES, creep};
use stickslip::text::{number, number_to, percent, seconds};
use stickslip_contact::case::{Case, Cost};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::run::{cleared, file_stem, output};

/// Solutions that take longer than this are announced \[s\].
const LONG: f64 = 2.0;

/// Arguments of `creep`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Theories to compare, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = THEORIES, default_values = THEORIES)]
    theories: Vec<String>,
    /// Points of each curve
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=1000))]
    points: u16,
    /// Folder to write to; by default out/NAME-creep, or out/NAME-creep-2 and so on if that exists
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite files in a folder that is not empty: the one of --out, or out/NAME-creep
    #[arg(long)]
    force: bool,
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let scenario = arguments.source.load()?;
    let contact = CreepContact::of(&scenario).map_err(|(message, help)| Failure::input(message, help))?;
    let name = format!("{}-creep", file_stem(&scenario.name));
    let folder = output(arguments.out.as_deref(), arguments.force, &name, std::slice::from_ref(&scenario))?;
    let cleared = cleared(&folder);
    let options = CreepOptions { theories: arguments.theories.clone(), points: usize::from(arguments.points) };
    let mut bar = Bar::new();
    let drawn = creep(&scenario, &contact, &options, folder, &mut |step| bar.show(step));
    bar.clear();
    let drawn = drawn?;
    let beside = contact.held().map_or_else(String::new, |held| format!(", {held}"));
    let mut lines =
        vec![format!("{}: creep forces, −F_x/(μN) for longitudinal creepage{beside}", scenario.name), String::new()];
    let head = [0.5, 1.0].map(|share| format!("ξ = {}", number_to(share * drawn.unit, 3)));
    lines.push(format!("  {:<22} {:>12} {:>12}", "", head[0], head[1]));
    for (theory, half, whole) in &drawn.sample {
        let [half, whole] = [half, whole].map(|share| share.map_or_else(|| "–".into(), |share| format!("{share:.4}")));
        lines.push(format!("  {theory:<22} {half:>12} {whole:>12}"));
    }
    if let Some(first) = drawn.failures.first() {
        lines.push(format!("  {} points were not solved, the first: {first}", drawn.failures.len()));
    }
    lines.push(String::new());
    lines.push(format!("  table   {} ({} rows)", drawn.folder.join("creep.csv").display(), drawn.rows));
    lines.push(format!("  report  {}", drawn.folder.join("report.html").display()));
    console.text(&(lines.join("\n") + "\n" + &cleared))?;
    Ok(ExitCode::SUCCESS)
}

/// Tells whoever watches what a large grid takes, before it takes it.
pub(super) fn announce(case: &Case) {
    use std::io::{IsTerminal, Write};
    let mut out = std::io::stderr();
    if let Ok(Cost { elements: [along, across], bytes, seconds: time }) = case.cost()
        && time > LONG
        && out.is_terminal()
    {
        let (memory, time) = (number_to(1e-6 * bytes, 2), seconds(time));
        // A closed standard error is no reason to stop.
        let _ = writeln!(out, "{along} × {across} elements: about {memory} MB and {time} for one solution");
    }
}

/// What came out of a rolling contact, and whether to trust it.
pub(super) fn table(rolled: &Rolled, title: Option<&str>, time: &str) -> String {
    let s = &rolled.summary;
    let (moved, unit) = if s.kind == "shift" { ("shift   ", " m") } else { ("creep   ", "") };
    let mut lines = vec![match title {
        Some(title) => format!("{}: {title}", s.scenario),
        None => s.scenario.clone(),
    }];
    lines.push(format!(
        "{} model, {}, {} × {} elements, solved in {}",
        s.model, s.kind, s.grid.along, s.grid.across, time
    ));
    lines.push(String::new());
    lines.push(format!(
        "  force   F_x = {} N   F_y = {} N   M_z = {} N m   {} of μN = {} N{}",
        number(s.force_x),
        number(s.force_y),
        number(s.moment),
        percent(s.friction_used),
        number(s.limit),
        if s.hertz.b.is_none() { ", all per metre" } else { "" }
    ));
    lines.push(format!(
        "  {moved}x {}{unit}   y {}{unit}   spin {} rad/m",
        number(s.longitudinal),
        number(s.lateral),
        number(s.spin)
    ));
    lines.push(format!(
        "  stick   {} of the contact: {} elements stick, {} slip",
        percent(s.stick_share),
        s.stick_elements,
        s.slip_elements
    ));
    let across = s.hertz.b.map_or_else(String::new, |b| format!(", b = {} mm", number(1e3 * b)));
    lines.push(format!(
        "  contact a = {} mm{across}, p0 = {} MPa by Hertz; {} MPa on the grid",
        number(1e3 * s.hertz.a),
        number(1e-6 * s.hertz.p0),
        number(1e-6 * s.p0)
    ));
    if let Some(exact) = &s.closed_form {
        lines.push(format!(
            "  exact   {}'s closed form: {} of μN, {} stick{}",
            exact.name,
            percent(exact.friction_used),
            percent(exact.stick_share),
            s.creepage_error().map_or_else(String::new, |(exact, off)| {
                format!(", creepage {} (computed is {} off)", number(exact), percent(off))
            })
        ));
    }
    if s.material_difference != 0.0 {
        lines.push(format!("  WARNING {}", s.unlike_bodies()));
    }
    lines.push(format!(
        "  trust   residual {} (tractions), {} (pressure), {} iterations",
        number_to(s.residual, 2),
        number_to(s.pressure_residual, 2),
        s.iterations
    ));
    lines.push(String::new());
    lines.push(format!("  report  {}", rolled.folder.join("report.html").display()));
    lines.join("\n") + "\n"
}
