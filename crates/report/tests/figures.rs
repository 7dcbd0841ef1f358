//! Figures are well-formed, labelled, and never fail whatever the data.

use stickslip_report::figure::{Anchor, Axis, Band, Figure, Fill, Note, Panel, Region, Series, Strip, Style};
use stickslip_report::palette::{self, Role, State};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn texts(svg: &str) -> Result<Vec<String>, roxmltree::Error> {
    let document = roxmltree::Document::parse(svg)?;
    let elements = document.descendants().filter(|node| node.has_tag_name("text"));
    Ok(elements
        .map(|node| {
            let pieces = node.descendants().filter(|child| child.is_text());
            pieces.filter_map(|child| child.text()).collect()
        })
        .collect())
}

fn sample() -> Panel {
    let mut panel = Panel::new(Axis::linear("time", "s"), Axis::linear("speed", "m/s"))
        .with(Series::line("x_1", Role::First, vec![[0.0, -1.0], [1.0, 2.0]]))
        .with(Series::markers("<&>", Role::Second, vec![[0.5, 0.5]]));
    panel.title = "a < b & \"c\"".to_owned();
    panel.strips = vec![Strip {
        contact: "ground".to_owned(),
        bands: vec![Band { from: 0.0, to: 0.4, state: State::Stick }, Band { from: 0.4, to: 1.0, state: State::Slip }],
    }];
    panel.bands = panel.strips[0].bands.clone();
    panel.notes.push(Note { at: [0.5, 1.0], text: "here".to_owned(), anchor: Anchor::Middle });
    panel
}

#[test]
fn everything_is_labelled() -> Outcome {
    let svg = Figure::stacked(vec![sample(), sample()]).titled("A & B").to_svg();
    let texts = texts(&svg)?;
    let has = |wanted: &str| texts.iter().any(|text| text == wanted);
    for wanted in
        ["A & B", "a < b & \"c\"", "time (s)", "speed (m/s)", "x1", "<&>", "ground", "stick", "slip", "here", "−1", "0"]
    {
        assert!(has(wanted), "{wanted}: {texts:?}");
    }
    // One x axis for both panels, one explanation of the states.
    assert_eq!(texts.iter().filter(|text| *text == "time (s)").count(), 1);
    assert!(svg.contains(palette::STICK_TINT) && svg.contains(palette::SLIP_TINT));
    assert!(!svg.contains("http") || svg.matches("http").count() == 1, "only the name space");
    Ok(())
}

#[test]
fn regions_are_labelled_inside_or_by_a_leader() -> Outcome {
    let mut panel = Panel::new(Axis::linear("x", "1"), Axis::linear("y", ""));
    let square = |x: f64, w: f64| vec![[x, 0.0], [x + w, 0.0], [x + w, 1.0], [x, 1.0]];
    for (x, w, label) in [(0.0, 0.6, "wide"), (0.6, 0.01, "narrow"), (0.61, 0.39, "rest")] {
        panel.regions.push(Region {
            polygon: square(x, w),
            label: label.to_owned(),
            detail: "(0, +)".to_owned(),
            fill: Fill::Mixed,
        });
    }
    let svg = Figure::side_by_side(vec![panel]).to_svg();
    let texts = texts(&svg)?;
    for label in ["wide", "narrow", "rest"] {
        assert!(texts.iter().any(|text| text == label), "{label}");
    }
    Ok(())
}

#[test]
fn awkward_data_never_fail() -> Outcome {
    let extremes = [
        vec![],
        vec![[0.0, 0.0]],
        vec![[1.0, 5.0], [1.0, 5.0]],
        vec![[f64::NAN, 1.0], [2.0, f64::INFINITY], [3.0, 3.0]],
        vec![[1e-300, 1e-320], [2e-300, 5e-320]],
        vec![[f64::MIN, f64::MAX], [f64::MAX, f64::MIN]],
        vec![[-1e9, 1e9], [-1e9 + 1e-6, 1e9 + 1e-6]],
        vec![[-5.0, -4.0], [-3.0, -2.0]],
    ];
    let axes = [Axis::linear("u", "1"), Axis::log("v", "Pa"), Axis::linear("w", "m").from_to(1.0, 1.0)];
    for points in &extremes {
        for x in &axes {
            for y in &axes {
                let mut panel = Panel::new(x.clone(), y.clone());
                for style in [Style::Line, Style::Step, Style::Markers, Style::LineAndMarkers] {
                    panel.series.push(Series { style, ..Series::line("s", Role::Third, points.clone()) });
                }
                for figure in [
                    Figure::stacked(vec![panel.clone(), panel.clone()]),
                    Figure::side_by_side(vec![panel.clone(), panel.clone()]),
                ] {
                    let svg = figure.to_svg();
                    roxmltree::Document::parse(&svg)?;
                    for bad in ["NaN", "inf"] {
                        assert!(!svg.contains(bad), "{points:?}\n{svg}");
                    }
                }
            }
        }
    }
    roxmltree::Document::parse(&Figure::stacked(vec![]).to_svg())?;
    roxmltree::Document::parse(&Figure::side_by_side(vec![]).to_svg())?;
    Ok(())
}

#[test]
fn states_become_bands() {
    use State::{Slip, Stick};
    let t = [0.0, 0.1, 0.2, 0.3, 0.4];
    let strip = Strip::from_states("brake", &t, [Slip, Stick, Stick, Slip, Slip]);
    let band = |from, to, state| Band { from, to, state };
    assert_eq!(strip.bands, [band(0.0, 0.2, Stick), band(0.2, 0.4, Slip)]);
    assert!(Strip::from_states("brake", &[], []).bands.is_empty());
}
