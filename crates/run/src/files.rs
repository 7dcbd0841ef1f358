//! The files of a run, but for its tables.

use std::path::Path;

use crate::model::Scenario;
use crate::view::{self, View};
use crate::{Options, RunFailure, Summary, Trace};

/// Writes a file of a run.
pub fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> Result<(), RunFailure> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|source| RunFailure::File { path, source })
}

/// Writes a scenario and the files it names, so that it can be run again from where it lies.
pub fn write_scenario(folder: &Path, scenario: &Scenario) -> Result<(), RunFailure> {
    write(folder, "scenario.toml", scenario.text.clone())?;
    for input in &scenario.inputs {
        let path = folder.join(&input.place);
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&path, &input.bytes));
        written.map_err(|source| RunFailure::File { path, source })?;
    }
    Ok(())
}

/// All of a run but its tables, which are there.
pub(crate) fn write_all(
    scenario: &Scenario,
    summary: &Summary,
    trace: &Trace,
    view: View,
    (folder, options): (&Path, Options),
) -> Result<(), RunFailure> {
    let json = summary.to_json().map_err(|e| RunFailure::Simulation(e.to_string()))?;
    write(folder, "summary.json", json)?;
    write_scenario(folder, scenario)?;
    let mut files = files(folder);
    for table in &view.tables {
        let file = format!("{}.csv", table.name);
        write(folder, &file, table.to_csv(options.units)?)?;
        files.push(file);
    }
    for (name, bytes) in &view.files {
        write(folder, name, bytes)?;
        files.push((*name).to_string());
    }
    for (name, figure) in &view.figures {
        let file = format!("figures/{name}.svg");
        write(folder, &file, figure.to_svg())?;
        files.push(file);
    }
    for motion in view.motions() {
        let file = "figures/motion.svg";
        write(folder, file, motion.to_svg())?;
        files.push(file.into());
    }
    // It is written when everything else is.
    files.extend(summary.check.is_some().then(|| "check.json".to_string()));
    files.extend(options.compared.then(|| "../report.html".to_string()));
    write(folder, "report.html", view::report(scenario, summary, trace, view, files).to_html())
}

/// The tables of a run, those of them that were written.
fn files(folder: &Path) -> Vec<String> {
    let tables = ["trajectory.csv", "trajectory.parquet", "events.csv", "summary.json", "scenario.toml"];
    tables.into_iter().filter(|file| folder.join(file).exists()).map(String::from).collect()
}
