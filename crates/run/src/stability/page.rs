//! The report on small motions.

use stickslip_core::analysis::stability::{NEARLY_DEFECTIVE, Root, Tendency, unstable};
use stickslip_report::figure::Figure;
use stickslip_report::html::{
    Content, Fact, Field, FieldAxis, Grade, Quantity, Report, Section, Shown, TextTable, Verdict,
};

use super::find::SCANNED;
use super::pictures::edges;
use super::{Found, Stability, named};
use crate::text::{number, number_to};
use crate::{Scenario, VERSION};

/// Digits of critical values.
const DIGITS: usize = 12;

/// The page.
pub(super) fn report(scenario: &Scenario, result: &Stability, figures: &[(&'static str, Figure)]) -> Report {
    let mut sections = Vec::new();
    let figure = |name: &str| figures.iter().find(|(own, _)| *own == name).map(|(_, figure)| figure.clone());
    if result.found.iter().any(|found| !found.critical.is_empty()) {
        sections.push(critical(&result.found));
    }
    if let Some(map) = figure("map") {
        sections.push(Section {
            heading: "Where it is unstable".into(),
            text: format!(
                "{}. The line is where the fastest growing root has no real part, straight between the points.",
                super::pictures::legend(result)
            ),
            content: std::iter::once(Content::Figure(untitled(map))).chain(field(result).map(Content::Field)).collect(),
        });
    }
    for (name, text) in [
        (
            "growth",
            "Real parts of all roots over the varied key, named by their greatest component and their frequency where they grow fastest or decay slowest.",
        ),
        (
            "root-locus",
            "The same in the plane of the roots; marked where the first value of the key has them, if that lies within the picture, and where they grow.",
        ),
    ] {
        if let Some(figure) = figure(name) {
            let heading = figure.title.clone();
            sections.push(Section { heading, text: text.into(), content: vec![Content::Figure(untitled(figure))] });
        }
    }
    sections.extend(eigenvalues(result));
    if let Some(figure) = figure("modes") {
        let heading = figure.title.clone();
        let text = "The greatest component has size 1 and phase 0; phases count in degrees ahead of it. x(t) = size · e^{real t} · \
                    cos(2π f t + phase).";
        sections.push(Section { heading, text: text.into(), content: vec![Content::Figure(untitled(figure))] });
    }
    let mut files = vec!["eigenvalues.csv".to_string(), "stability.json".into(), "scenario.toml".into()];
    files.extend(figures.iter().map(|(name, _)| format!("figures/{name}.svg")));
    Report {
        title: format!("{}: stability", scenario.title.as_deref().unwrap_or(&scenario.name)),
        subtitle: match &result.own {
            Ok(own) => format!("Small motions about {}.", own.system.state),
            Err(why) => format!("With the numbers of the scenario there is no steady state: {why}."),
        },
        key: key(result),
        verdicts: verdicts(result),
        sections,
        files,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
        ..Report::default()
    }
}

fn untitled(figure: Figure) -> Figure {
    Figure { title: String::new(), ..figure }
}

fn roots(result: &Stability) -> Vec<Root> {
    result.own.iter().flat_map(|own| &own.modes).map(|mode| mode.root).collect()
}

fn key(result: &Stability) -> Vec<Fact> {
    let roots = roots(result);
    let mut facts = Vec::new();
    if let Some(first) = roots.first() {
        let count = unstable(&roots);
        facts.push(Fact::new("Unstable modes", count.to_string()).noted(format!("of {}", roots.len())));
        let what = if count > 0 { "Fastest growth" } else { "Slowest decay" };
        facts.push(
            Fact::new(what, format!("{} 1/s", number(first.real))).noted(format!("at {} Hz", number(first.hertz()))),
        );
    }
    for found in &result.found {
        if let Some(whole) = &found.everywhere {
            let range = format!("from {} to {}", number(found.range.from), found.with_unit(number(found.range.to)));
            let what = if whole.unstable { "unstable everywhere" } else { "nowhere unstable" };
            facts.push(Fact::new(format!("Critical {}", found.range.key), "none").noted(format!("{what} {range}")));
        }
        for critical in &found.critical {
            let side = if critical.unstable_above { "unstable above" } else { "unstable below" };
            let value = found.with_unit(number(critical.value));
            facts.push(Fact::new(format!("Critical {}", found.range.key), value).noted(side));
        }
    }
    facts.truncate(stickslip_report::html::MOST_KEY);
    facts
}

fn verdicts(result: &Stability) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let mut say = |grade: Grade, text: String| verdicts.push(Verdict { grade, text });
    if let Ok(own) = &result.own {
        let worst =
            |of: fn(&stickslip_core::analysis::stability::Mode) -> f64| own.modes.iter().map(of).fold(0.0, f64::max);
        let (residual, condition) =
            (worst(|m| m.residual), worst(|m| if m.root.is_zero() { 1.0 } else { m.condition }));
        let grade = if condition > NEARLY_DEFECTIVE { Grade::Caution } else { Grade::Sound };
        say(
            grade,
            format!(
                "Eigenvectors miss their equation by at most {residual:.1e} of the size of the matrix; rounding moves roots by at most \
                 {} times that of the matrix.",
                number_to(condition, 3)
            ),
        );
        let neutral = own.modes.iter().filter(|mode| mode.root.tendency() == Tendency::Neutral).count();
        if neutral > 0 {
            say(
                Grade::Caution,
                format!(
                    "{neutral} of the modes can be called neither stable nor unstable: nothing damps or holds them, to rounding."
                ),
            );
        }
    }
    for found in &result.found {
        if let Some(whole) = &found.everywhere {
            say(Grade::Sound, format!("Of {}: {}.", found.range.key, whole.words));
        }
    }
    if !result.found.is_empty() {
        say(
            Grade::Sound,
            format!(
                "Critical values are bisected between {SCANNED} values of the range; what becomes unstable and stable again between two \
                 of those is not seen."
            ),
        );
    }
    result.doubts.iter().for_each(|doubt| say(Grade::Caution, doubt.clone()));
    verdicts
}

fn critical(found: &[Found]) -> Section {
    let header = ["key", "critical value", "± by rounding", "frequency (Hz)", "unstable"].map(String::from).to_vec();
    let row = |found: &Found| {
        let key = found.range.key.clone();
        let of = move |c: &super::Critical| {
            vec![
                key.clone(),
                found.with_unit(number_to(c.value, DIGITS)),
                c.uncertainty.map_or_else(|| "–".into(), |u| number_to(u, 2)),
                number_to(c.root.hertz(), 10),
                if c.unstable_above { "above" } else { "below" }.to_string(),
            ]
        };
        found.critical.iter().map(of).collect::<Vec<_>>()
    };
    let rows = found.iter().flat_map(row).collect();
    Section {
        heading: "Critical values".into(),
        text: "Where the fastest growing root crosses zero, with all else as in the scenario.".into(),
        content: vec![Content::Table(TextTable { header, rows })],
    }
}

fn eigenvalues(result: &Stability) -> Option<Section> {
    let own = result.own.as_ref().ok()?;
    let header = ["greatest component", "real (1/s)", "frequency (Hz)", "damping ratio", "", "condition"]
        .map(String::from)
        .to_vec();
    let row = |mode: &stickslip_core::analysis::stability::Mode| {
        vec![
            super::part(mode, &own.system).unwrap_or_default(),
            number_to(mode.root.real, 10),
            number_to(mode.root.hertz(), 10),
            number_to(mode.root.damping(), 6),
            mode.root.tendency().word().to_string(),
            number_to(mode.condition, 3),
        ]
    };
    let rows: Vec<Vec<String>> = own.modes.iter().map(row).collect();
    let first = own.modes.first().map(|mode| format!(" The first is {}.", named(&mode.root))).unwrap_or_default();
    Some(Section {
        heading: "Eigenvalues".into(),
        text: format!(
            "Of the scenario as it stands, the fastest growing first.{first} Pairs of conjugate roots are given once. The condition is how many times \
             more a root moves than the matrix; above 1e6 it nearly coincides with another."
        ),
        content: vec![Content::Table(TextTable { header, rows })],
    })
}

/// The map with the value at each place; only where both keys go up in equal steps.
fn field(result: &Stability) -> Option<Field> {
    let [rows, columns] = &result.vary[..] else { return None };
    if [rows, columns].iter().any(|range| range.log || range.to < range.from) {
        return None;
    }
    let leads = result.leads();
    let known = |f: &dyn Fn(&Root) -> f64| leads.iter().map(|lead| lead.as_ref().map_or(f64::NAN, f)).collect();
    let counts = result.points.iter().map(|p| p.roots.as_ref().map_or(f64::NAN, |roots| unstable(roots) as f64));
    let quantity = |name: &str, unit: &str, values: Vec<f64>| Quantity {
        name: name.into(),
        shown: Shown::Values { unit: unit.into(), values },
    };
    let axis = |range: &stickslip_scenario::Interval, k: usize| {
        let edges = edges(range, &result.values[k]);
        FieldAxis { label: range.key.clone(), unit: result.units[k].clone(), ends: [edges[0], edges[edges.len() - 1]] }
    };
    Some(Field {
        name: "The same with the value at each place".into(),
        text: format!("Growth rate of the fastest growing mode over {} and {}", columns.key, rows.key),
        axes: [axis(columns, 1), axis(rows, 0)],
        count: [result.values[1].len(), result.values[0].len()],
        quantities: vec![
            quantity("growth rate (0 where stable)", "1/s", known(&|root| root.real.max(0.0))),
            quantity("unstable modes", "", counts.collect()),
            quantity("frequency of the fastest growing", "Hz", known(&Root::hertz)),
        ],
        equal: false,
    })
}
