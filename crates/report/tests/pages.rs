//! The HTML report is complete, escaped, and alone.

use stickslip_report::figure::{Axis, Figure, Panel};
use stickslip_report::html::{
    Content, Fact, Field, FieldAxis, Grade, Interactive, Quantity, Report, Section, Shown, TextTable, TimeChart,
    Verdict, data_element,
};
use stickslip_report::motion::{Motion, Paint, Reading, Shape, Tone};
use stickslip_report::palette::{Role, State};

const NASTY: &str = "</script><script>alert('x')</script>&\"<!--";

/// A picture in which something moves, with a text wherever one can stand.
fn motion(text: &str) -> Motion {
    let mut motion = Motion::new(text, [[-2.0, 2.0], [0.0, 2.0]], vec![0.0, 1.0, 2.0]);
    motion.text = text.to_owned();
    motion.state(text, Tone::Stick);
    motion.state(text, Tone::Slip);
    let state = motion.state_channel(vec![0.0, 1.0, 1.0]);
    let x = motion.channel(vec![0.0, 0.5, 1.0]);
    motion.shapes = vec![
        Shape::Ground { y: 0.0, x: [-2.0, 2.0], shift: x * 1.0 },
        Shape::Group {
            at: [x.into(), 1.0.into()],
            turn: x * -1.0,
            shapes: vec![
                Shape::Circle { at: [0.0; 2], radius: 0.5, paint: Paint::by_state(state) },
                Shape::Text { at: [0.0; 2], text: text.to_owned(), state: Some(state), tone: Tone::Ink },
            ],
        },
        Shape::Arrow { from: [0.0.into(), 1.0.into()], by: [x.into(), 0.0.into()], tone: Tone::Ink },
        Shape::Spring { from: [0.0.into(), 1.0.into()], to: [x.into(), 1.0.into()], half: 0.1 },
    ];
    motion.means(Tone::Ink, text);
    motion.readings.push(Reading::State { name: text.to_owned(), channel: state });
    motion.number(text, text, x, 2);
    motion.events = vec![(0.7, text.to_owned())];
    motion
}

fn field(text: &str) -> Field {
    let axis = || FieldAxis { label: text.to_owned(), unit: text.to_owned(), ends: [0.0, 2.0] };
    let values = Shown::Values { unit: text.to_owned(), values: vec![1.0, 2.0, f64::NAN, 0.5] };
    let states = Shown::States(vec![None, Some(State::Stick), Some(State::Slip), None]);
    let quantities = [values, states].map(|shown| Quantity { name: text.to_owned(), shown }).into();
    Field {
        name: text.to_owned(),
        text: text.to_owned(),
        axes: [axis(), axis()],
        count: [2, 2],
        quantities,
        equal: true,
    }
}

fn nasty_report() -> Report {
    let text = || NASTY.to_owned();
    let chart = TimeChart::new(NASTY, NASTY, vec![0.0, 1.0]).with(NASTY, Role::First, vec![f64::NAN, 2.0]);
    let own = Interactive { class: "own", data: data_element(&[1.5]), script: "let drawn = true;" };
    let figure =
        Figure::stacked(vec![Panel::new(Axis::linear(NASTY, NASTY), Axis::linear(NASTY, NASTY))]).titled(NASTY);
    Report {
        title: text(),
        subtitle: text(),
        key: vec![Fact::new(NASTY, NASTY).noted(NASTY)],
        picture: vec![Content::Motion(motion(NASTY)), Content::Field(field(NASTY))],
        facts: vec![Fact::new(NASTY, NASTY).noted(NASTY)],
        assumptions: vec![text()],
        folded: vec![Section { heading: text(), text: text(), content: Vec::new() }],
        files: vec!["a b\"><i>.csv".to_owned()],
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
    // In data, which no browser runs, the signs that would end it are written otherwise.
    let all = html.matches("alert('x')").count();
    assert_eq!(all, html.matches("\\u003cscript>alert('x')").count());
    assert!(!html.contains("<script>alert"));
    assert!(!html.contains("<!--"));
    // Five data elements and eight scripts, each closed once.
    assert_eq!(html.matches("</script>").count(), 13);
    assert_eq!(html.matches("<script").count(), 13);
}

#[test]
fn the_file_loads_nothing() {
    let html = nasty_report().to_html();
    assert!(html.contains("default-src 'none'"));
    for reference in [" src=", "url(", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!html.contains(reference), "{reference}");
    }
    // Links lead to the page itself and to files beside it, by a click only.
    let links: Vec<&str> = html.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(links, ["#trust", "a b&quot;&gt;&lt;i&gt;.csv"]);
}

#[test]
fn the_page_begins_with_numbers_verdict_and_picture() {
    let html = nasty_report().to_html();
    let place = |text: &str| html.find(text).unwrap_or_else(|| panic!("{text}"));
    let order = [
        "<h1>",
        "class=\"tiles\"",
        "class=\"conclusion fault\"",
        "class=\"motion\"",
        "class=\"chart\"",
        "id=\"trust\"",
        "<details>",
    ];
    assert!(order.map(place).is_sorted());
    assert!(html.contains("1 of 1 checks failed"));
}

#[test]
fn pictures_are_drawn_without_scripts_too() {
    let motion = motion("moves");
    let svg = motion.to_svg();
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    assert_eq!(document.descendants().filter(|node| node.tag_name().name() == "circle").count(), 3);
    // At the start and at the end: the group has moved by a quarter of the window, and has turned by 1 rad.
    assert!(svg.contains("translate(360 180) rotate(0)") && svg.contains("translate(540 180) rotate(57.3)"), "{svg}");
    let html = Report { picture: vec![Content::Motion(motion)], ..Report::default() }.to_html();
    assert_eq!(html.matches("<noscript>").count(), 1);
    // Colours of states are those of the page.
    assert!(
        html.contains("var(--stick-tint)") && html.contains("\"moves\":[{") == html.contains("\"moves\":[{\"hatch\"")
    );
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
    assert!(html.len() < 14_000, "{}", html.len());
}
