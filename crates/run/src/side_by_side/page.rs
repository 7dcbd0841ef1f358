//! The report of a comparison.

use stickslip_report::figure::Figure;
use stickslip_report::html::{Content, Fact, Report, Section, TextTable, Verdict};

use super::{Compared, ComparedColumn, Deviation, Figures, Run, measures};
use crate::VERSION;
use crate::text::{number, number_to, seconds};
use crate::view::{untitled, warned};

/// What makes a run doubtful or void, under its name.
fn doubts(run: &Run) -> impl Iterator<Item = Verdict> {
    run.warnings
        .iter()
        .map(warned)
        .map(|Verdict { grade, text }| Verdict { grade, text: format!("{}: {text}", run.name) })
}

/// The page, with the figures of every column.
pub(super) fn report(runs: &[Run], compared: &Compared, figures: Vec<Figures>) -> Report {
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let mut files: Vec<String> = runs.iter().map(|run| format!("{}/report.html", run.folder)).collect();
    let tables = [("compare.csv", !compared.columns.is_empty()), ("measures.csv", !compared.measures.is_empty())];
    files.extend(tables.iter().filter(|(_, there)| *there).map(|(file, _)| file.to_string()));
    files.push("compare.json".into());
    files.extend(figures.iter().flatten().map(|(file, _)| file.clone()));
    let mut sections: Vec<Section> = measures::section(&names, &compared.measures).into_iter().collect();
    for (k, (column, figures)) in compared.columns.iter().zip(figures).enumerate() {
        // Several quantities are told apart by their headings; how they were measured is told once.
        let of = if compared.columns.len() > 1 { format!("{}: ", column.name) } else { String::new() };
        let notes = if k == 0 { compared.notes.join(" ") } else { String::new() };
        sections.extend(sections_of(column, &of, &notes, figures));
    }
    let quantity = match (&compared.columns[..], &compared.measures[..]) {
        ([], [only]) => only.name.clone(),
        ([], _) => "Measures".into(),
        (columns, _) => columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", "),
    };
    let meaning = |column: &ComparedColumn| {
        runs[0].trace.columns.iter().find(|c| c.name == column.name).map(|c| format!("{}. ", c.meaning))
    };
    let meanings: String = compared.columns.iter().filter_map(meaning).collect();
    Report {
        title: format!("{quantity} of {} runs", runs.len()),
        subtitle: format!("{meanings}The runs themselves are linked below."),
        files,
        facts: runs
            .iter()
            .map(|run| Fact::new(&run.name, number(run.trace.end) + " s").noted(format!("{} rows", run.trace.rows)))
            .collect(),
        verdicts: compared.warnings.iter().map(warned).chain(runs.iter().flat_map(doubts)).collect(),
        sections,
        version: VERSION.to_string(),
        ..Report::default()
    }
}

/// Numbers and pictures of one quantity.
fn sections_of(column: &ComparedColumn, of: &str, notes: &str, figures: Figures) -> [Section; 4] {
    let ComparedColumn { name, unit, rows } = column;
    let header = ["run", "rms", "rms while the first sticks", "greatest", "at", "changes of state"];
    let row = |row: &Deviation| {
        vec![
            row.scenario.clone(),
            row.rms.map_or_else(|| "–".into(), |v| number_to(v, 5)),
            row.rms_stuck.map_or_else(|| "–".into(), |v| number_to(v, 5)),
            number_to(row.greatest.0, 5),
            seconds(row.greatest.1),
            row.events.to_string(),
        ]
    };
    let numbers = Section {
        heading: format!("{of}How far from the first"),
        text: format!("Differences of {name} in {unit}, by all rows of the trajectories and all events. {notes}"),
        content: vec![Content::Table(TextTable {
            header: header.map(String::from).to_vec(),
            rows: rows.iter().map(row).collect(),
        })],
    };
    let section = |heading: &str, text: &str, figure: Figure| Section {
        heading: format!("{of}{heading}"),
        text: text.into(),
        content: vec![untitled(&figure)],
    };
    let [whole, enlarged, difference] = figures.map(|(_, figure)| figure);
    [
        numbers,
        section("One below the other", "The first is drawn over each of the others.", whole),
        section("Where they differ most", "Enlarged about the greatest difference.", enlarged),
        section("Differences from the first", "", difference),
    ]
}
