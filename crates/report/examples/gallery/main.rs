//! A sample of everything this crate draws: `cargo run --example gallery -- <folder>`.
//!
//! The data are a car wheel braked hard enough to lock, simulated by the shortest possible loop.

mod braking;
mod pages;
mod pictures;

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or("usage: gallery <folder>")?;
    std::fs::create_dir_all(&folder)?;
    let run = braking::Run::simulate();
    let figures = pictures::all(&run);
    for (name, figure) in &figures {
        std::fs::write(folder.join(format!("{name}.svg")), figure.to_svg())?;
    }
    let report = pages::report(&run, figures);
    std::fs::write(folder.join("report.html"), report.to_html())?;
    Ok(())
}
