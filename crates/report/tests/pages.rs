//! The HTML report is complete, escaped, and alone.

use stickslip_report::figure::{Axis, Figure, Panel};
use stickslip_report::html::{
    Content, Fact, Grade, Interactive, Report, Section, TextTable, TimeChart, Verdict, data_element,
};
use stickslip_report::palette::Role;

const NASTY: &str = "</script><script>alert('x')</script>&\"<!--";

fn nasty_report() -> Report {
    let text = || NASTY.to_owned();
    let chart = TimeChart::new(NASTY, NASTY, vec![0.0, 1.0]).with(NASTY, Role::First, vec![f64::NAN, 2.0]);
    let own = Interactive { class: "own", data: data_element(&[1.5]), script: "let drawn = true;" };
    let figure =
        Figure::stacked(vec![Panel::new(Axis::linear(NASTY, NASTY), Axis::linear(NASTY, NASTY))]).titled(NASTY);
    Report {
        title: text(),
        subtitle: text(),
        facts: vec![Fact::new(NASTY, NASTY).noted(NASTY)],
        verdicts: vec![Verdict { grade: Grade::Fault, text: text() }],
        sections: vec![Section {
            heading: text(),
            text: text(),
            content: vec![
                Content::Chart(chart),
                Content::Figure(figure),
                Content::Interactive(own),
                Content::Table(TextTable { header: vec![text()], rows: vec![vec![text()]] }),
            ],
        }],
        scenario: text(),
        version: text(),
    }
}

#[test]
fn no_text_breaks_out() {
    let html = nasty_report().to_html();
    assert!(!html.contains("alert('x')"));
    assert!(!html.contains("<script>alert"));
    assert!(!html.contains("<!--"));
    // Two data elements and four scripts, each closed once.
    assert_eq!(html.matches("</script>").count(), 6);
    assert_eq!(html.matches("<script").count(), 6);
}

#[test]
fn the_file_loads_nothing() {
    let html = nasty_report().to_html();
    assert!(html.contains("default-src 'none'"));
    for reference in [" src=", " href=", "url(", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!html.contains(reference), "{reference}");
    }
}

#[test]
fn an_element_with_a_script_of_its_own_gets_both_once() {
    let mut report = nasty_report();
    let again = report.sections[0].content[2].clone();
    report.sections[0].content.push(again);
    let html = report.to_html();
    assert_eq!(html.matches("<figure class=\"own\"><script type=\"application/json\">").count(), 2);
    assert_eq!(html.matches("let drawn = true;").count(), 1);
}

#[test]
fn scripts_come_only_when_needed() {
    let report = Report { title: "Still".to_owned(), version: "stickslip 0.1.0".to_owned(), ..Report::default() };
    let html = report.to_html();
    assert!(html.contains("<h1>Still</h1>"));
    assert!(!html.contains("<script"));
    assert!(html.len() < 8_000, "{}", html.len());
}
