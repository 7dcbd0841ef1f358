//! Several scenarios run side by side: one quantity of each, and how far it is from the first's.

use std::path::PathBuf;

use stickslip_core::law::State;
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Fact, Report, Section, TextTable};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;
use stickslip_scenario::Scenario;

use crate::run::write;
use crate::text::{number, number_to, seconds};
use crate::{Options, OutputFolder, RunFailure, Step, Trace, VERSION, run};

/// Points that a curve has at the most.
const CURVE_POINTS: usize = 3000;

/// Share of the duration that the enlarged panel shows.
const ENLARGED: f64 = 0.02;

/// Why scenarios cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareFailure {
    /// One of the runs failed.
    #[error("{scenario}: {failure}")]
    Run {
        /// Which scenario.
        scenario: String,
        /// Why.
        failure: RunFailure,
    },
    /// The figure or the table could not be written.
    #[error(transparent)]
    Output(#[from] RunFailure),
    /// There is no such column.
    #[error("{scenario} has no column `{column}`; it has {has}")]
    NoColumn {
        /// Which scenario.
        scenario: String,
        /// What was asked for.
        column: String,
        /// What there is.
        has: String,
    },
    /// No column is in all of them.
    #[error("{scenario} has no column in common with {first}")]
    Nothing {
        /// Which scenario.
        scenario: String,
        /// The first.
        first: String,
    },
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Where everything is.
    pub folder: PathBuf,
    /// Which quantity was compared, and its unit.
    pub column: (String, String),
    /// One row for each scenario, the first among them.
    pub rows: Vec<Deviation>,
}

/// How far a run is from the first.
#[derive(Debug, Clone)]
pub struct Deviation {
    /// Name of the scenario.
    pub scenario: String,
    /// Root of the mean square of the difference, over all and while all contacts of the first stick.
    pub rms: f64,
    /// The same while all contacts of the first stick; none if they never do.
    pub rms_stuck: Option<f64>,
    /// Greatest difference and when.
    pub greatest: (f64, f64),
    /// Changes of state of all contacts.
    pub events: u64,
}

/// Runs the scenarios, each into a folder of its own within `folder`, and draws what they have in common.
pub fn side_by_side(
    scenarios: &[Scenario],
    asked: Option<&str>,
    folder: OutputFolder,
    progress: &mut dyn FnMut(Step),
) -> Result<Compared, CompareFailure> {
    let mut traces: Vec<(String, Trace)> = Vec::new();
    for (k, scenario) in scenarios.iter().enumerate() {
        let failed = |failure: RunFailure| CompareFailure::Run { scenario: scenario.name.clone(), failure };
        let stem = std::path::Path::new(&scenario.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        let name = format!("{}-{}", k + 1, stem.unwrap_or_else(|| "run".into()));
        let own = OutputFolder::create(&folder.path().join(&name), false).map_err(|e| failed(e.into()))?;
        let finished = run(scenario, own, Options::default(), progress).map_err(failed)?;
        traces.push((name, finished.trace));
    }
    let column = choose(&traces, asked)?;
    let unit = traces[0].1.columns.iter().find(|c| c.name == column).map_or(String::new(), |c| c.unit.to_string());
    let rows: Vec<Deviation> =
        traces.iter().map(|(name, trace)| deviation(name, trace, &traces[0].1, &column)).collect();
    let figures = [
        ("all", whole(&traces, &column, &unit)),
        ("enlarged", enlarged(&traces, &column, &unit, &rows)),
        ("difference", difference(&traces, &column, &unit)),
    ];
    for (name, figure) in &figures {
        write(folder.path(), &format!("figures/{name}.svg"), figure.to_svg())?;
    }
    write(folder.path(), "compare.csv", table(&rows))?;
    write(folder.path(), "report.html", report(&traces, &column, &unit, &rows, figures.map(|(_, f)| f)).to_html())?;
    let folder = folder.publish().map_err(RunFailure::from)?;
    Ok(Compared { folder, column: (column, unit), rows })
}

/// The column asked for; else the first force that all have, else the first quantity.
fn choose(traces: &[(String, Trace)], asked: Option<&str>) -> Result<String, CompareFailure> {
    let has = |trace: &Trace, name: &str| trace.columns.iter().any(|c| c.name == name);
    if let Some(name) = asked {
        return match traces.iter().find(|(_, trace)| !has(trace, name)) {
            None => Ok(name.to_string()),
            Some((scenario, trace)) => Err(CompareFailure::NoColumn {
                scenario: scenario.clone(),
                column: name.to_string(),
                has: trace.columns.iter().map(|c| c.name.as_ref()).collect::<Vec<_>>().join(", "),
            }),
        };
    }
    let first = &traces[0].1.columns;
    let shared = |name: &str| name != "t" && traces.iter().all(|(_, trace)| has(trace, name));
    let friction = first.iter().find(|c| c.unit == "N" && c.name.starts_with('f') && shared(&c.name));
    let any = friction.or_else(|| first.iter().find(|c| shared(&c.name)));
    any.map(|c| c.name.to_string()).ok_or_else(|| CompareFailure::Nothing {
        scenario: traces[traces.len() - 1].0.clone(),
        first: traces[0].0.clone(),
    })
}

/// Value at time t between the rows of a column.
fn value_at(t: f64, times: &[f64], values: &[f64]) -> Option<f64> {
    let k = times.partition_point(|time| *time < t);
    let (&t1, &v1) = (times.get(k)?, values.get(k)?);
    if t1 == t || k == 0 {
        return (t1 == t).then_some(v1);
    }
    let (t0, v0) = (times[k - 1], values[k - 1]);
    Some(v0 + (v1 - v0) * (t - t0) / (t1 - t0))
}

/// Differences from the first, (t, difference), at the run's own times.
fn differences(trace: &Trace, first: &Trace, column: &str) -> Vec<[f64; 2]> {
    let (t1, v1) = (first.column("t"), first.column(column));
    let own = trace.column("t").iter().zip(trace.column(column));
    own.filter_map(|(t, v)| value_at(*t, t1, v1).map(|first| [*t, v - first])).collect()
}

fn deviation(name: &str, trace: &Trace, first: &Trace, column: &str) -> Deviation {
    let all = differences(trace, first, column);
    let rms = |list: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = list.fold((0.0, 0_u32), |(sum, count), d| (sum + d * d, count + 1));
        (count > 0).then(|| (sum / f64::from(count)).sqrt())
    };
    let stuck = stretches(first);
    let held = |t: f64| stuck.iter().any(|[from, to]| t > *from && t < *to);
    let greatest = all.iter().fold((0.0, 0.0), |g: (f64, f64), [t, d]| if d.abs() > g.0 { (d.abs(), *t) } else { g });
    Deviation {
        scenario: name.to_string(),
        rms: rms(&mut all.iter().map(|[_, d]| *d)).unwrap_or(0.0),
        rms_stuck: rms(&mut all.iter().filter(|[t, _]| held(*t)).map(|[_, d]| *d)),
        greatest,
        events: trace.event_count,
    }
}

/// When all contacts of a run stick.
fn stretches(trace: &Trace) -> Vec<[f64; 2]> {
    let mut now: Vec<Option<State>> = vec![None; trace.contacts.len()];
    for event in trace.events.iter().rev() {
        now[event.contact] = Some(event.from);
    }
    for (now, last) in now.iter_mut().zip(&trace.last) {
        now.get_or_insert(*last);
    }
    let all = |now: &[Option<State>]| !now.is_empty() && now.iter().all(|state| *state == Some(State::Stick));
    let mut since = all(&now).then_some(0.0);
    let mut found = Vec::new();
    for event in &trace.events {
        now[event.contact] = Some(event.to);
        match (since, all(&now)) {
            (None, true) => since = Some(event.t),
            (Some(from), false) => {
                found.push([from, event.t]);
                since = None;
            }
            _ => {}
        }
    }
    found.extend(since.map(|from| [from, trace.end]));
    found
}

fn curve(trace: &Trace, column: &str, from: f64, to: f64) -> Vec<[f64; 2]> {
    let (t, v) = (trace.column("t"), trace.column(column));
    let inside: Vec<usize> = (0..t.len()).filter(|&i| t[i] >= from && t[i] <= to).collect();
    let values: Vec<f64> = inside.iter().map(|&i| v[i]).collect();
    rows_to_keep(&[&values], &[], CURVE_POINTS).into_iter().map(|i| [t[inside[i]], values[i]]).collect()
}

fn role(k: usize) -> Role {
    Role::DATA[k % Role::DATA.len()]
}

fn end(traces: &[(String, Trace)]) -> f64 {
    traces.iter().map(|(_, trace)| trace.end).fold(0.0, f64::max)
}

/// A panel for each run, all with the same axes, the first in grey behind the others.
fn whole(traces: &[(String, Trace)], column: &str, unit: &str) -> Figure {
    let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
    for v in traces.iter().flat_map(|(_, trace)| trace.column(column)) {
        (lo, hi) = (lo.min(*v), hi.max(*v));
    }
    let margin = if hi > lo { 0.05 * (hi - lo) } else { 1.0 };
    let mut panels = Vec::new();
    for (k, (name, trace)) in traces.iter().enumerate() {
        let x = Axis::linear("time", "s").from_to(0.0, end(traces));
        let mut panel = Panel::new(x, Axis::linear(column, unit).from_to(lo - margin, hi + margin));
        panel.height = 150.0;
        panel.strips = trace.strips().into_iter().take(4).collect();
        panel.series.push(Series::line(name.clone(), role(k), curve(trace, column, 0.0, trace.end)));
        if k > 0 {
            let first = &traces[0].1;
            panel.series.push(Series::line(traces[0].0.clone(), Role::Reference, curve(first, column, 0.0, first.end)));
        }
        panels.push(panel);
    }
    Figure::stacked(panels).titled(format!("{column}, one run below the other"))
}

/// All runs about the time at which one of them differs most from the first.
fn enlarged(traces: &[(String, Trace)], column: &str, unit: &str, rows: &[Deviation]) -> Figure {
    let worst = rows.iter().fold((0.0, 0.0), |w: (f64, f64), row| if row.greatest.0 > w.0 { row.greatest } else { w });
    let width = ENLARGED * end(traces);
    let (from, to) = ((worst.1 - 0.25 * width).max(0.0), (worst.1 + width).min(end(traces)));
    let mut panel = Panel::new(Axis::linear("time", "s").from_to(from, to), Axis::linear(column, unit));
    panel.height = 260.0;
    for (k, (name, trace)) in traces.iter().enumerate() {
        panel.series.push(Series::line(name.clone(), role(k), curve(trace, column, from, to)));
    }
    Figure::stacked(vec![panel]).titled("Where they differ most")
}

/// The differences from the first over time.
fn difference(traces: &[(String, Trace)], column: &str, unit: &str) -> Figure {
    let label = format!("{column} − that of {}", traces[0].0);
    let x = Axis::linear("time", "s").from_to(0.0, end(traces));
    let mut panel = Panel::new(x, Axis::linear(label, unit));
    panel.height = 200.0;
    for (k, (name, trace)) in traces.iter().enumerate().skip(1) {
        let points = differences(trace, &traces[0].1, column);
        let values: Vec<f64> = points.iter().map(|p| p[1]).collect();
        let kept = rows_to_keep(&[&values], &[], CURVE_POINTS).into_iter().map(|i| points[i]).collect();
        panel.series.push(Series::line(name.clone(), role(k), kept));
    }
    Figure::stacked(vec![panel]).titled("Differences from the first")
}

fn table(rows: &[Deviation]) -> String {
    let mut text = String::from("scenario,rms,rms_while_first_sticks,greatest,greatest_at,events\n");
    for row in rows {
        let stuck = row.rms_stuck.map_or_else(String::new, |v| v.to_string());
        let Deviation { scenario, rms, greatest, events, .. } = row;
        text.push_str(&format!("{scenario},{rms},{stuck},{},{},{events}\n", greatest.0, greatest.1));
    }
    text
}

fn report(
    traces: &[(String, Trace)],
    column: &str,
    unit: &str,
    rows: &[Deviation],
    [whole, enlarged, difference]: [Figure; 3],
) -> Report {
    let meaning = traces[0].1.columns.iter().find(|c| c.name == column).map_or("", |c| c.meaning.as_ref());
    let section = |heading: &str, text: &str, figure: Figure| Section {
        heading: heading.into(),
        text: text.into(),
        content: vec![Content::Figure(Figure { title: String::new(), ..figure })],
    };
    let header = ["run", "rms", "rms while the first sticks", "greatest", "at", "changes of state"];
    let row = |row: &Deviation| {
        vec![
            row.scenario.clone(),
            number_to(row.rms, 5),
            row.rms_stuck.map_or_else(|| "–".into(), |v| number_to(v, 5)),
            number_to(row.greatest.0, 5),
            seconds(row.greatest.1),
            row.events.to_string(),
        ]
    };
    let numbers = Section {
        heading: "How far from the first".into(),
        text: format!("Differences of {column} in {unit}, by the rows kept for pictures."),
        content: vec![Content::Table(TextTable {
            header: header.map(String::from).to_vec(),
            rows: rows.iter().map(row).collect(),
        })],
    };
    let links = traces.iter().map(|(name, _)| format!("{name}/report.html")).collect::<Vec<_>>().join(", ");
    Report {
        title: format!("{column} of {} runs", traces.len()),
        subtitle: format!("{meaning}. The runs themselves: {links}."),
        facts: traces
            .iter()
            .map(|(name, trace)| Fact::new(name, number(trace.end) + " s").noted(format!("{} rows", trace.rows)))
            .collect(),
        verdicts: Vec::new(),
        sections: vec![
            numbers,
            section("One below the other", "The first in grey behind the others.", whole),
            section("Where they differ most", "Enlarged about the greatest difference.", enlarged),
            section("Differences from the first", "", difference),
        ],
        scenario: String::new(),
        version: VERSION.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_rows_are_on_straight_lines() {
        let (t, v) = ([1.0, 2.0, 4.0], [10.0, 20.0, 40.0]);
        assert_eq!(value_at(3.0, &t, &v), Some(30.0));
        assert_eq!(value_at(1.0, &t, &v), Some(10.0));
        assert_eq!(value_at(4.0, &t, &v), Some(40.0));
        assert_eq!(value_at(0.5, &t, &v), None);
        assert_eq!(value_at(4.5, &t, &v), None);
    }
}
