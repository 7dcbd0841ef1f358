//! The page around the content.

use std::fmt::Write;

use super::{Content, Fact, Grade, Interactive, Report, Section, TextTable, Verdict};
use crate::label::{self, escape};
use crate::palette;

const UPLOT_JS: &str = include_str!("../../assets/uplot/uPlot.iife.min.js");
/// The licence asks to travel with every copy, so it goes into each report.
const UPLOT_LICENCE: &str = include_str!("../../assets/uplot/LICENSE");
const UPLOT_CSS: &str = include_str!("../../assets/uplot/uPlot.min.css");
const PAGE_CSS: &str = include_str!("../../assets/report.css");
const LABELS_JS: &str = include_str!("../../assets/labels.js");
const CHARTS_JS: &str = include_str!("../../assets/charts.js");

/// Nothing may be loaded; what is in the file may run.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The whole document.
pub(super) fn document(report: &Report) -> String {
    let title = escape(&report.title);
    let mut body = String::new();
    let _ = write!(body, "<header><h1>{}</h1>", label::html(&report.title));
    if !report.subtitle.is_empty() {
        let _ = write!(body, "<p class=\"subtitle\">{}</p>", label::html(&report.subtitle));
    }
    body.push_str("</header>\n");
    body.push_str(&facts(&report.facts));
    body.push_str(&verdicts(&report.verdicts));
    for part in &report.sections {
        section(&mut body, part);
    }
    if !report.scenario.is_empty() {
        let _ = writeln!(
            body,
            "<section><details><summary>Scenario</summary><pre>{}</pre></details></section>",
            escape(&report.scenario)
        );
    }
    let _ = writeln!(body, "<footer>{}</footer>", escape(&report.version));
    let has = |wanted: fn(&Content) -> bool| {
        let mut all = report.sections.iter().flat_map(|part| &part.content);
        all.any(wanted)
    };
    let charts = has(|content| matches!(content, Content::Chart(_)));
    let mut own: Vec<&str> = Vec::new();
    for content in report.sections.iter().flat_map(|part| &part.content) {
        if let Content::Interactive(Interactive { script, .. }) = content
            && !own.contains(script)
        {
            own.push(script);
        }
    }
    let mut styles = format!("{}\n{PAGE_CSS}", colour_variables());
    let mut scripts = String::new();
    if charts {
        styles = format!("{UPLOT_CSS}\n{styles}");
        let _ = writeln!(scripts, "<script>/* uPlot\n{UPLOT_LICENCE}*/\n{UPLOT_JS}</script>");
    }
    if charts || !own.is_empty() {
        let _ = writeln!(scripts, "<script>{LABELS_JS}</script>");
    }
    if charts {
        let _ = writeln!(scripts, "<script>{CHARTS_JS}</script>");
    }
    for script in &own {
        let _ = writeln!(scripts, "<script>{script}</script>");
    }
    let quiet = match charts || !own.is_empty() {
        true => {
            "<noscript><p class=\"noscript\">The interactive charts need JavaScript; the figures do not.</p></noscript>\n"
        }
        false => "",
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{styles}</style>\n</head>\n<body>\n<main>\n{quiet}{body}</main>\n{scripts}</body>\n</html>\n"
    )
}

/// The palette as CSS variables, which styles and scripts both read.
fn colour_variables() -> String {
    let colours = [
        ("stick", palette::STICK),
        ("stick-tint", palette::STICK_TINT),
        ("stick-pale", palette::STICK_PALE),
        ("slip", palette::SLIP),
        ("slip-tint", palette::SLIP_TINT),
        ("slip-pale", palette::SLIP_PALE),
        ("open", palette::OPEN),
        ("rolls-tint", palette::ROLLS_TINT),
        ("slides-tint", palette::SLIDES_TINT),
        ("locked-tint", palette::LOCKED_TINT),
        ("spins-tint", palette::SPINS_TINT),
        ("stands-tint", palette::STANDS_TINT),
        ("ink", palette::INK),
        ("muted", palette::MUTED),
        ("frame", palette::FRAME),
        ("grid", palette::GRID),
        ("reference", palette::REFERENCE),
    ];
    let lines = colours.map(|(name, colour)| format!("--{name}: {colour};"));
    format!(":root {{ {} }}", lines.join(" "))
}

fn facts(facts: &[Fact]) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let rows: String = facts
        .iter()
        .map(|fact| {
            format!(
                "<tr><th scope=\"row\">{}</th><td class=\"value\">{}</td><td class=\"note\">{}</td></tr>\n",
                label::html(&fact.name),
                label::html(&fact.value),
                label::html(&fact.note)
            )
        })
        .collect();
    format!("<table class=\"facts\"><tbody>\n{rows}</tbody></table>\n")
}

fn verdicts(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let lines: String = verdicts
        .iter()
        .map(|verdict| {
            let (class, mark, word) = match verdict.grade {
                Grade::Sound => ("sound", "✓", "passed"),
                Grade::Caution => ("caution", "!", "with care"),
                Grade::Fault => ("fault", "✗", "failed"),
            };
            format!(
                "<li class=\"{class}\"><span class=\"mark\" title=\"{word}\">{mark}</span><span>{}</span></li>\n",
                label::html(&verdict.text)
            )
        })
        .collect();
    format!("<section class=\"trust\"><h2>How far to trust it</h2><ul>\n{lines}</ul></section>\n")
}

fn section(body: &mut String, section: &Section) {
    let _ = writeln!(body, "<section><h2>{}</h2>", label::html(&section.heading));
    for paragraph in section.text.split("\n\n").filter(|p| !p.trim().is_empty()) {
        let _ = writeln!(body, "<p>{}</p>", label::html(paragraph.trim()));
    }
    for content in &section.content {
        match content {
            Content::Chart(chart) => body.push_str(&chart.to_html()),
            Content::Figure(figure) => {
                let _ = writeln!(body, "<figure class=\"still\">{}</figure>", figure.to_svg());
            }
            Content::Table(table) => body.push_str(&text_table(table)),
            Content::Interactive(Interactive { class, data, .. }) => {
                let _ = writeln!(body, "<figure class=\"{class}\">{data}</figure>");
            }
        }
    }
    body.push_str("</section>\n");
}

fn text_table(table: &TextTable) -> String {
    let number = |cell: &str| {
        let cell = cell.trim_start_matches(['−', '-', '+']);
        cell.starts_with(|c: char| c.is_ascii_digit())
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
                    true => format!("<td class=\"number\">{}</td>", label::html(cell)),
                    false => format!("<td>{}</td>", label::html(cell)),
                })
                .collect();
            format!("<tr>{cells}</tr>\n")
        })
        .collect();
    format!(
        "<div class=\"scroll\"><table class=\"data\"><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )
}
