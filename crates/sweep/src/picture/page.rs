//! The report of a sweep.

use serde::Serialize;
use stickslip_report::figure::Figure;
use stickslip_report::html::{Content, Fact, Interactive, Report, Section, TextTable, data_element, rounded};
use stickslip_run::VERSION;
use stickslip_run::text::number_to;

use super::group::{Grouped, table};
use super::{Data, Ranked, beside_a_grid, class_column, grid_keys, outputs};
use crate::{Folder, Plan};

/// Draws points and answers the cursor.
pub(crate) const SCRIPT: &str = include_str!("sweep.js");

/// Points that a page holds at the most; of larger sweeps every n-th is shown.
pub(crate) const MOST: usize = 10_000;

#[derive(Serialize)]
pub(crate) struct Points<'a> {
    pub columns: Vec<Head<'a>>,
    /// How many of the columns are varied.
    pub varied: usize,
    /// Cells of a grid along the last key and the one before it; none where points are no grid of two keys.
    pub grid: Option<[usize; 2]>,
    pub rows: Vec<Row>,
    pub classes: Vec<Option<&'a str>>,
    pub command: &'a str,
    /// What `--set` sets.
    pub settings: Vec<String>,
    /// Which of the settings makes each row; empty where each row has its own.
    pub runs: Vec<usize>,
    /// What a row is: a run, or a value of one.
    pub title: &'a str,
}

#[derive(Serialize)]
pub(crate) struct Head<'a> {
    pub name: &'a str,
    pub unit: &'a str,
}

#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Row(#[serde(serialize_with = "short")] pub Vec<f64>);

fn short<S: serde::Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    rounded(values, serializer)
}

pub(super) fn report(
    plan: &Plan<'_>,
    folder: &Folder,
    data: &Data,
    (figures, ranked, groups): (Vec<(String, Figure)>, &[Ranked], Option<&Grouped>),
    command: &str,
) -> Report {
    let scenario = plan.scenario;
    let errors = data.texts(plan.columns().len() - 1).iter().flatten().count();
    let mut sections = vec![Section {
        heading: "Points".into(),
        text: "Each point is a run. Under the cursor stands what it came to; a click shows the command that makes the run again.".into(),
        content: vec![Content::Interactive(Interactive {
            class: "sweep",
            data: data_element(&points(plan, data, command)),
            script: SCRIPT,
        })],
    }];
    if !ranked.is_empty() {
        sections.push(sensitivity(ranked));
    } else if beside_a_grid(plan) {
        sections.push(Section {
            heading: "What matters".into(),
            text: "Random keys are not ranked beside keys on a grid, whose places they would be pooled over: give those one value each.".into(),
            content: Vec::new(),
        });
    }
    if let Some((groups, _)) = groups {
        let (header, rows) = table(plan, groups);
        sections.push(Section {
            heading: "Motions".into(),
            text: "Runs whose second halves are alike in the least, greatest and mean values of the columns asked for are one group; the map of \
                   the groups is that of their basins. groups.csv has the group of each run."
                .into(),
            content: vec![Content::Table(TextTable { header, rows })],
        });
    }
    sections.extend(figures.into_iter().map(|(name, figure)| Section {
        heading: name,
        text: String::new(),
        content: vec![Content::Figure(figure)],
    }));
    let mut files =
        vec!["sweep.json".to_string(), "columns.json".into(), "summary.json".into(), "scenario.toml".into()];
    files.extend(
        ["sweep.csv", "sensitivity.csv", "groups.csv"]
            .into_iter()
            .filter(|f| folder.path().join(f).exists())
            .map(String::from),
    );
    Report {
        title: format!("{}: {} points", scenario.title.as_deref().unwrap_or(&scenario.name), plan.total()),
        subtitle: format!("What comes of {} where {} vary", scenario.name, names(plan)),
        key: vec![
            Fact::new("points", plan.total().to_string()),
            Fact::new("varied", plan.varied().to_string()),
            Fact::new("outputs", plan.outputs().len().to_string()),
            Fact::new("points with errors", errors.to_string()),
        ],
        sections,
        files,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
        ..Report::default()
    }
}

fn names(plan: &Plan<'_>) -> String {
    let all: Vec<&str> = plan.columns()[..plan.varied()].iter().map(|column| column.name.as_str()).collect();
    all.join(", ")
}

fn sensitivity(ranked: &[Ranked]) -> Section {
    let row = |r: &Ranked| {
        vec![
            r.output.clone(),
            r.key.clone(),
            r.share_of_variance.map_or_else(|| "not told".into(), |share| number_to(share, 3)),
            number_to(r.rank_correlation, 3),
            r.samples.to_string(),
        ]
    };
    let header = ["output", "key", "share of variance", "rank correlation", "samples"].map(String::from).to_vec();
    Section {
        heading: "What matters".into(),
        text: "Share of variance: how much of the spread of the output the key explains by itself (means in groups of equally many \
               samples, less what chance would give where samples lie by chance); not told where a sequence of Sobol has two keys too unevenly for \
               so few samples: take more, or another design. Rank correlation (Spearman): how steadily the output \
               rises or falls with the key."
            .into(),
        content: vec![Content::Table(TextTable { header, rows: ranked.iter().map(row).collect() })],
    }
}

fn points<'a>(plan: &'a Plan<'_>, data: &'a Data, command: &'a str) -> Points<'a> {
    let numbers: Vec<usize> = (0..outputs(plan).end).filter(|column| !plan.columns()[*column].text).collect();
    let total = plan.total() as usize;
    let every = total.div_ceil(MOST).max(1);
    let shown: Vec<usize> = (0..total).step_by(every).collect();
    let grid = match &grid_keys(plan)[..] {
        [(_, rows, _), (_, columns, _)] if every == 1 && !plan.points().is_random() => Some([*columns, *rows]),
        _ => None,
    };
    let head = |column: &usize| Head { name: &plan.columns()[*column].name, unit: &plan.columns()[*column].unit };
    let row = |k: &usize| {
        Row(numbers.iter().map(|column| data.numbers(*column).get(*k).copied().unwrap_or(f64::NAN)).collect())
    };
    let classes = class_column(plan).map_or_else(Vec::new, |class| {
        let all = data.texts(class);
        shown.iter().map(|k| all.get(*k).and_then(|class| class.as_deref())).collect()
    });
    let mut values = Vec::new();
    let settings = shown.iter().map(|k| {
        plan.points().values(*k as u64, &mut values);
        plan.arguments(&values).iter().map(|set| format!(" --set {}", quoted(set))).collect()
    });
    Points {
        columns: numbers.iter().map(head).collect(),
        varied: numbers.iter().filter(|column| **column < plan.varied()).count(),
        grid,
        rows: shown.iter().map(row).collect(),
        classes,
        command,
        settings: settings.collect(),
        runs: Vec::new(),
        title: "class",
    }
}

/// An argument as a shell takes it.
pub(crate) fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._=+-/".contains(c);
    if argument.chars().all(plain) { argument.to_string() } else { format!("'{}'", argument.replace('\'', "'\\''")) }
}
