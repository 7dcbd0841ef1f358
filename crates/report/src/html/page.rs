//! The page around the content.

use std::fmt::Write;

use super::parts::{conclusion, facts, files, text_table, tiles, verdicts};
use super::store::Store;
use super::theme::{themed, variables};
use super::{Content, Interactive, Report, Section, TimeChart, moving};
use crate::label::{self, escape};

const UPLOT_JS: &str = include_str!("../../assets/uplot/uPlot.iife.min.js");
/// The licence asks to travel with every copy, so it goes into each report.
const UPLOT_LICENCE: &str = include_str!("../../assets/uplot/LICENSE");
const UPLOT_CSS: &str = include_str!("../../assets/uplot/uPlot.min.css");
const PAGE_CSS: &str = include_str!("../../assets/report.css");
const LABELS_JS: &str = include_str!("../../assets/labels.js");
const CLOCK_JS: &str = include_str!("../../assets/clock.js");
const CHARTS_JS: &str = include_str!("../../assets/charts.js");
const MOTION_JS: &str = include_str!("../../assets/motion.js");
const FIELD_JS: &str = include_str!("../../assets/field.js");
const PAGE_JS: &str = include_str!("../../assets/page.js");

/// Nothing may be loaded; what is in the file may run.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; media-src data:";

/// The whole document.
pub(super) fn document(report: &Report) -> String {
    let title = escape(&report.title);
    let mut store = Store::default();
    let body = body(report, &mut store);
    let scripts = scripts(report, &store);
    let charts = has(report, |content| matches!(content, Content::Chart(_) | Content::Charts(_)));
    let uplot = if charts { UPLOT_CSS } else { "" };
    let styles = format!("{uplot}\n{}\n{PAGE_CSS}", variables());
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{styles}</style>\n</head>\n<body>\n<main>\n{body}</main>\n{scripts}</body>\n</html>\n"
    )
}

/// Everything that can be seen.
fn body(report: &Report, store: &mut Store) -> String {
    let mut body = String::new();
    let _ = write!(body, "<header><h1>{}</h1>", label::html(&report.title));
    if !report.subtitle.is_empty() {
        let _ = write!(body, "<p class=\"subtitle\">{}</p>", label::html(&report.subtitle));
    }
    body.push_str("</header>\n");
    body.push_str(&tiles(&report.key));
    body.push_str(&conclusion(&report.verdicts));
    report.picture.iter().for_each(|part| content(&mut body, part, store));
    for part in &report.sections {
        let _ = writeln!(body, "<section><h2>{}</h2>", label::html(&part.heading));
        inside(&mut body, part, store);
        body.push_str("</section>\n");
    }
    body.push_str(&verdicts(&report.verdicts, &report.assumptions));
    if !report.facts.is_empty() {
        fold(&mut body, "All numbers", &facts(&report.facts));
    }
    for part in &report.folded {
        let mut html = String::new();
        inside(&mut html, part, store);
        fold(&mut body, &label::html(&part.heading), &html);
    }
    if !report.scenario.is_empty() {
        let file = format!("<pre tabindex=\"0\" aria-label=\"scenario file\">{}</pre>", escape(&report.scenario));
        fold(&mut body, "Scenario", &file);
    }
    body.push_str(&files(&report.files));
    let _ = writeln!(body, "<footer>{}</footer>", escape(&report.version));
    body
}

/// Something that only some readers want; `heading` and `html` are HTML.
fn fold(body: &mut String, heading: &str, html: &str) {
    let _ = writeln!(body, "<details><summary><h2>{heading}</h2></summary>\n{html}</details>");
}

fn inside(body: &mut String, section: &Section, store: &mut Store) {
    for paragraph in section.text.split("\n\n").filter(|p| !p.trim().is_empty()) {
        let _ = writeln!(body, "<p>{}</p>", label::html(paragraph.trim()));
    }
    for part in &section.content {
        content(body, part, store);
    }
}

fn content(body: &mut String, content: &Content, store: &mut Store) {
    match content {
        Content::Chart(chart) => body.push_str(&chart.to_html(store, false)),
        Content::Charts(charts) => {
            let all: String = charts.iter().map(|chart: &TimeChart| chart.to_html(store, true)).collect();
            let _ = writeln!(body, "<div class=\"multiples\">{all}</div>");
        }
        Content::Motion(motion) => body.push_str(&moving::to_html(motion, store)),
        Content::Field(field) => body.push_str(&field.to_html()),
        Content::Figure(figure) => {
            let _ = writeln!(body, "<figure class=\"still\">{}</figure>", themed(&figure.to_svg()));
        }
        Content::Table(table) => body.push_str(&text_table(table)),
        Content::Sound(sound) => body.push_str(&sound.to_html()),
        Content::Interactive(Interactive { class, data, .. }) => {
            let _ = writeln!(body, "<figure class=\"{class}\">{data}</figure>");
        }
    }
}

/// All contents of a report, in order.
fn contents(report: &Report) -> impl Iterator<Item = &Content> {
    let sections = report.sections.iter().chain(&report.folded);
    report.picture.iter().chain(sections.flat_map(|part| &part.content))
}

fn has(report: &Report, wanted: fn(&Content) -> bool) -> bool {
    contents(report).any(wanted)
}

/// The scripts that the contents need, each once, and the numbers that they share.
fn scripts(report: &Report, store: &Store) -> String {
    let charts = has(report, |content| matches!(content, Content::Chart(_) | Content::Charts(_)));
    let motion = has(report, |content| matches!(content, Content::Motion(_)));
    let field = has(report, |content| matches!(content, Content::Field(_)));
    let mut own: Vec<&str> = Vec::new();
    for content in contents(report) {
        if let Content::Interactive(Interactive { script, .. }) = content
            && !own.contains(script)
        {
            own.push(script);
        }
    }
    let mut scripts = store.to_html();
    let mut add = |needed: bool, script: &str| {
        if needed {
            let _ = writeln!(scripts, "<script>{script}</script>");
        }
    };
    add(charts, &format!("/* uPlot\n{UPLOT_LICENCE}*/\n{UPLOT_JS}"));
    add(charts || motion || field || !own.is_empty(), LABELS_JS);
    add(charts || motion || !own.is_empty(), CLOCK_JS);
    add(charts, CHARTS_JS);
    add(motion, MOTION_JS);
    add(field, FIELD_JS);
    own.iter().for_each(|script| add(true, script));
    add(contents(report).next().is_some(), PAGE_JS);
    scripts
}
