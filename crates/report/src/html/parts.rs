//! Parts of a page: key numbers, facts, verdicts, tables, links.

use std::fmt::Write;

use super::{Fact, Grade, MOST_KEY, TextTable, Verdict};
use crate::label::{self, escape, typographic};

/// Characters of a key number from which on it is set smaller, so that it stays in one line, and from which on it may break all the same.
const WIDE: usize = 13;
const WORDS: usize = 19;

/// The key numbers, large.
pub(super) fn tiles(key: &[Fact]) -> String {
    if key.is_empty() {
        return String::new();
    }
    let tile = |fact: &Fact| {
        format!(
            "<div><dt>{}</dt><dd class=\"value{}\">{}</dd><dd class=\"note\">{}</dd></div>\n",
            label::html(&fact.name),
            match fact.value.chars().count() {
                WORDS.. => " words",
                WIDE.. => " long",
                _ => "",
            },
            label::html(&typographic(&fact.value)),
            label::html(&typographic(&fact.note))
        )
    };
    let tiles: String = key.iter().take(MOST_KEY).map(tile).collect();
    format!("<dl class=\"tiles\">\n{tiles}</dl>\n")
}

/// One line on how far to trust the numbers above: the worst grade, and what it says.
pub(super) fn conclusion(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let count = |grade: Grade| verdicts.iter().filter(|verdict| verdict.grade == grade).count();
    let (faults, cautions, all) = (count(Grade::Fault), count(Grade::Caution), verdicts.len());
    let first = |grade: Grade| verdicts.iter().find(|v| v.grade == grade).map_or("", |v| v.text.as_str());
    let (grade, text) = match (faults, cautions) {
        (0, 0) if all == 1 => (Grade::Sound, "The one check passed.".to_string()),
        (0, 0) => (Grade::Sound, format!("All {all} checks passed.")),
        (0, 1) => (Grade::Caution, format!("1 of {all} checks asks for care. {}", first(Grade::Caution))),
        (0, n) => (Grade::Caution, format!("{n} of {all} checks ask for care. {}", first(Grade::Caution))),
        (n, _) => (Grade::Fault, format!("{n} of {all} checks failed. {}", first(Grade::Fault))),
    };
    format!(
        "<p class=\"conclusion {}\">{}<span>{} <a href=\"#trust\">How far to trust it</a></span></p>\n",
        class(grade),
        mark(grade),
        label::html(&typographic(&text))
    )
}

fn class(grade: Grade) -> &'static str {
    match grade {
        Grade::Sound => "sound",
        Grade::Caution => "caution",
        Grade::Fault => "fault",
    }
}

fn mark(grade: Grade) -> String {
    let (mark, word) = match grade {
        Grade::Sound => ("✓", "passed"),
        Grade::Caution => ("!", "with care"),
        Grade::Fault => ("✗", "failed"),
    };
    format!("<span class=\"mark\" role=\"img\" aria-label=\"{word}\" title=\"{word}\">{mark}</span>")
}

pub(super) fn verdicts(verdicts: &[Verdict], assumptions: &[String]) -> String {
    if verdicts.is_empty() && assumptions.is_empty() {
        return String::new();
    }
    let line = |verdict: &Verdict| {
        format!(
            "<li class=\"{}\">{}<span>{}</span></li>\n",
            class(verdict.grade),
            mark(verdict.grade),
            label::html(&typographic(&verdict.text))
        )
    };
    let lines: String = verdicts.iter().map(line).collect();
    let mut html = String::from("<section class=\"trust\" id=\"trust\">");
    if !lines.is_empty() {
        let _ = write!(html, "<h2>How far to trust it</h2><ul>\n{lines}</ul>");
    }
    if !assumptions.is_empty() {
        let lines: String = assumptions.iter().map(|text| format!("<li>{}</li>\n", label::html(text))).collect();
        let _ = write!(html, "<h2 class=\"assumed\">What is assumed</h2><ul class=\"plain\">\n{lines}</ul>");
    }
    html + "</section>\n"
}

/// All numbers.
pub(super) fn facts(facts: &[Fact]) -> String {
    let rows: String = facts
        .iter()
        .map(|fact| {
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"value\">{}</td><td class=\"note\">{}</td></tr>\n",
                label::html(&fact.name),
                label::html(&typographic(&fact.value)),
                label::html(&typographic(&fact.note))
            )
        })
        .collect();
    format!("<table class=\"facts\"><tbody>\n{rows}</tbody></table>\n")
}

/// Links to the files beside the report.
pub(super) fn files(files: &[String]) -> String {
    if files.is_empty() {
        return String::new();
    }
    let link = |file: &String| format!("<a href=\"{0}\">{0}</a>", escape(file));
    let links: Vec<String> = files.iter().map(link).collect();
    format!("<nav class=\"files\" aria-label=\"files of this run\"><span>Files:</span> {}</nav>\n", links.join(" "))
}

/// Characters of a cell from which on it may break.
const LONG: usize = 24;

pub(super) fn text_table(table: &TextTable) -> String {
    // A number, with or without something behind a blank: `0.5`, `2 s`, `68.1 (+0.4)`; no name that begins with one.
    let number = |cell: &str| {
        let first = cell.trim_start_matches(['−', '-', '+']).split(' ').next().unwrap_or_default();
        first.starts_with(|c: char| c.is_ascii_digit()) && first.parse::<f64>().is_ok()
    };
    let head: String = table
        .header
        .iter()
        .enumerate()
        .map(|(i, cell)| {
            let column = table.rows.iter().filter_map(|row| row.get(i));
            let right = !table.rows.is_empty() && column.clone().all(|cell| number(cell));
            let class = if right { " class=\"number\"" } else { "" };
            format!("<th scope=\"col\"{class}>{}</th>", label::html(cell))
        })
        .collect();
    let rows: String = table
        .rows
        .iter()
        .map(|row| {
            let cells: String = row
                .iter()
                .map(|cell| match number(cell) {
                    // A number with a remark may break; one with its unit may not.
                    true if cell.chars().count() > LONG => {
                        format!("<td class=\"number long\">{}</td>", label::html(&typographic(cell)))
                    }
                    true => format!("<td class=\"number\">{}</td>", label::html(&typographic(cell))),
                    false => format!("<td>{}</td>", label::html(&typographic(cell))),
                })
                .collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    // A name, a value and a sentence take two lines each on a phone; other tables that are wider are scrolled, by keys as well.
    let sentence = |row: &Vec<String>| matches!(row.as_slice(), [_, _, words] if !number(words));
    let class = if !table.rows.is_empty() && table.rows.iter().all(sentence) { "data told" } else { "data" };
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"table\"><table class=\"{class}\"><thead><tr>{head}</tr></thead>\
         <tbody>\n{rows}</tbody></table></div>\n"
    )
}
