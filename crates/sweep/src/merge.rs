//! Parts that were run apart become one dataset: the same files as those of a whole run.

use std::path::{Path, PathBuf};

use stickslip_report::table::dataset::{Cells, DataColumn, block_note, read_block};

use crate::folder::{FIRST, block_path, blocks};
use crate::manifest::Manifest;
use crate::sums::Sums;
use crate::{Folder, Share, SweepError};

/// What is known of a column without its plan: its name, and whether it holds texts.
fn columns_of(parts: &[(PathBuf, Manifest)]) -> Result<Vec<DataColumn>, SweepError> {
    let described = |text: String| {
        serde_json::from_str(&text).map_err(|e| SweepError::files(format!("columns.json cannot be read: {e}")))
    };
    let (folder, _) = &parts[0];
    let path = folder.join(COLUMNS);
    let text = std::fs::read_to_string(&path)
        .map_err(|e| SweepError::files(format!("cannot read {}: {e}", path.display())))?;
    let all: Vec<Written> = described(text)?;
    Ok(all.into_iter().map(|w| DataColumn { name: w.name, unit: w.unit, meaning: w.meaning, text: w.text }).collect())
}

/// Folder with the files that a scenario and its points name.
const INPUTS: &str = "inputs";

/// File of a folder that says what its columns are.
pub(crate) const COLUMNS: &str = "columns.json";

#[derive(serde::Serialize, serde::Deserialize)]
struct Written {
    name: String,
    unit: String,
    meaning: String,
    text: bool,
}

/// The columns as they are written beside a dataset.
pub(crate) fn written_columns(columns: &[DataColumn]) -> String {
    let all: Vec<Written> = columns
        .iter()
        .map(|c| Written { name: c.name.clone(), unit: c.unit.clone(), meaning: c.meaning.clone(), text: c.text })
        .collect();
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

/// Joins all parts of a sweep into the folder `out`; a kill and the same command again goes on.
pub fn merge(folders: &[PathBuf], out: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Folder, SweepError> {
    let mut parts: Vec<(PathBuf, Manifest)> = folders
        .iter()
        .map(|folder| Ok((folder.clone(), Folder::manifest_of(folder)?)))
        .collect::<Result<_, SweepError>>()?;
    parts.sort_by_key(|(_, manifest)| manifest.part.part);
    check(&parts)?;
    let columns = columns_of(&parts)?;
    let manifest = Manifest { part: Share::ALL, ..parts[0].1.clone() };
    if folders.iter().any(|folder| folder == out) {
        return Err(SweepError::input(
            "a part cannot be the folder that all are joined in",
            "name another folder with --out",
        ));
    }
    let sums = parts.iter().map(|(path, _)| Sums::of(path)).collect::<Result<Vec<_>, _>>()?;
    let (folder, _) = Folder::open(out, manifest, &columns)?;
    let all = folder.blocks();
    for block in all.clone() {
        progress(block, all.end);
        if folder.has(block) {
            continue;
        }
        let points = folder.points_of(block);
        let mut cells: Vec<Cells> = columns.iter().map(Cells::of).collect();
        for ((path, manifest), sums) in parts.iter().zip(&sums) {
            let own = manifest.part.points(manifest.points);
            let (from, to) = (points.start.max(own.start), points.end.min(own.end));
            if from >= to {
                continue;
            }
            let path = block_path(path, block);
            sums.check(&path)?;
            let rows = read_block(&path, &columns)?;
            let first = (block * manifest.rows_per_block).max(own.start);
            let told = block_note(&path, FIRST)?;
            if told.is_some_and(|told| told != first.to_string()) {
                let message =
                    format!("{} holds the rows of another part than sweep.json of its folder says", path.display());
                return Err(SweepError::input(message, "run that part again in a folder of its own"));
            }
            if manifest.paths {
                // A path lies in one part as a whole.
                cells = rows;
                continue;
            }
            for (cells, more) in cells.iter_mut().zip(&rows) {
                cells.append(more.slice((from - first) as usize, (to - first) as usize));
            }
        }
        let whole = folder.manifest().paths || cells.first().map_or(0, Cells::len) as u64 == points.end - points.start;
        if !whole {
            return Err(SweepError::files(format!("block {block} of the parts has other rows than it should have")));
        }
        folder.write_block(block, &cells)?;
    }
    folder.sort_sums()?;
    // The scenario, and the files that it and its points name: the same in all parts.
    let inputs = std::fs::read_dir(parts[0].0.join(INPUTS)).into_iter().flatten().flatten();
    let inputs = inputs.filter_map(|entry| Some(format!("{INPUTS}/{}", entry.file_name().to_str()?)));
    for name in inputs.chain(["scenario.toml".to_string()]) {
        if let Ok(bytes) = std::fs::read(parts[0].0.join(&name)) {
            folder.write(&name, &bytes)?;
        }
    }
    Ok(folder)
}

/// Whether these are all parts of one sweep, each complete.
fn check(parts: &[(PathBuf, Manifest)]) -> Result<(), SweepError> {
    let Some((first_path, first)) = parts.first() else {
        return Err(SweepError::input("there is nothing to join", "name the folders of all parts"));
    };
    for (path, manifest) in parts {
        if let Some(words) = first.differs(manifest) {
            let message = format!(
                "{} and {} are of different sweeps, which differ in {words}",
                first_path.display(),
                path.display()
            );
            return Err(SweepError::input(message, "name the folders of the parts of one sweep"));
        }
        if manifest.part.of != first.part.of {
            let message = format!(
                "{} is part {}, and {} is part {}",
                first_path.display(),
                first.part,
                path.display(),
                manifest.part
            );
            return Err(SweepError::input(message, "name parts that were cut alike"));
        }
        let own = manifest.part.points(manifest.points);
        if let Some(missing) = blocks(&own, manifest.rows_per_block).find(|block| !block_path(path, *block).is_file()) {
            let message = format!("{} is not finished: block {missing} is missing", path.display());
            let help = match manifest.part == Share::ALL {
                true => "run the command of this sweep again with the same --out: it goes on where it stopped",
                false => "run the same command with --part again: it goes on where it stopped",
            };
            return Err(SweepError::input(message, help));
        }
    }
    let found: Vec<u64> = parts.iter().map(|(_, manifest)| manifest.part.part).collect();
    if let Some(part) = (1..=first.part.of).find(|part| !found.contains(part)) {
        let message = format!("part {part}/{} is missing", first.part.of);
        return Err(SweepError::input(message, "name the folders of all parts"));
    }
    if let Some(two) = found.windows(2).find(|two| two[0] == two[1]) {
        return Err(SweepError::input(
            format!("part {}/{} is named twice", two[0], first.part.of),
            "name each part once",
        ));
    }
    Ok(())
}
