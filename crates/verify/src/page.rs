//! The book as a page.

use crate::{Row, count};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;color:#1f2a37;max-width:72rem;margin:2rem auto;padding:0 1rem}\
table{border-collapse:collapse;width:100%;margin-bottom:2rem}\
th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #dfe3e8;vertical-align:top}\
th{font-weight:600;border-bottom:2px solid #8a94a0}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}\
td.pass{color:#2166ac;font-weight:600}td.fail{color:#b2182b;font-weight:700}\
@media print{body{margin:0;max-width:none;font-size:10px}}";

/// The table as one HTML document.
pub fn html(rows: &[Row]) -> String {
    let failed = rows.iter().filter(|row| !row.pass).count();
    let verdict = match failed {
        0 => format!("All {} claims hold", rows.len()),
        n => format!("{n} of {} claims fail", rows.len()),
    };
    let verdict = format!(
        "{verdict}: {} are checked against something independent of the program, {} are checks of consistency, which hold by \
         construction or compare the program with itself.",
        count(rows, "independent").0,
        count(rows, "consistency").0
    );
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>stickslip: verification book</title><style>{STYLE}</style></head>\n\
         <body><h1>Verification book</h1><p>stickslip {}. {verdict}</p>\n",
        env!("CARGO_PKG_VERSION")
    );
    let mut chapter = "";
    for row in rows {
        if row.chapter != chapter {
            if !chapter.is_empty() {
                page.push_str("</tbody></table>\n");
            }
            chapter = row.chapter;
            page.push_str(&format!("<h2>{}</h2>\n<table><thead><tr>", escape(chapter)));
            for head in ["claim", "kind", "rests on", "source", "expected", "got", "error", "pass"] {
                page.push_str(&format!("<th>{head}</th>"));
            }
            page.push_str("</tr></thead><tbody>\n");
        }
        let error = row.error.map_or_else(String::new, |e| format!("{e:.1e}"));
        // Numbers stay on one line; sequences of states may break.
        let wide = if row.error.is_some() { " class=\"n\"" } else { "" };
        let (class, word) = if row.pass { ("pass", "yes") } else { ("fail", "NO") };
        page.push_str(&format!(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td{wide}>{}</td><td{wide}>{}</td><td class=\"n\">{error}</td>\
             <td class=\"{class}\">{word}</td></tr>\n",
            escape(row.claim),
            row.kind,
            row.basis,
            escape(row.source),
            escape(&row.expected),
            escape(&row.got)
        ));
    }
    if !chapter.is_empty() {
        page.push_str("</tbody></table>\n");
    }
    page + "</body></html>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
