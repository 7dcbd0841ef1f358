//! The report of a sweep.

use serde::Serialize;
use stickslip_report::figure::{CLASS_COLOURS, Figure, MAP_COLOURS};
use stickslip_report::html::{Content, Fact, Interactive, Report, Section, TextTable, data_element, rounded};
use stickslip_run::VERSION;
use stickslip_run::text::number_to;

use super::group::{Grouped, table};
use super::{Data, Ranked, beside_a_grid, class_column, grid_keys, is_log, is_numeric, outputs, quantile, sorted};
use crate::block::WARNED;
use crate::{Folder, Plan, SHARES};

/// Draws points and answers the cursor.
pub(crate) const SCRIPT: &str = include_str!("sweep.js");

/// Points that a page holds at the most; of larger sweeps every n-th is shown.
const MOST: usize = 20_000;

#[derive(Serialize)]
pub(crate) struct Points<'a> {
    pub columns: Vec<Head<'a>>,
    /// How many of the columns are varied.
    pub varied: usize,
    /// Cells of a grid along the last key and the one before it; none where points are no grid of two keys.
    pub grid: Option<[usize; 2]>,
    pub rows: Vec<Row>,
    pub classes: Vec<Option<&'a str>>,
    /// Their names in the order of their colours, which is that of the figures.
    pub kinds: Vec<&'a str>,
    pub command: &'a str,
    /// What `--set` sets.
    pub settings: Vec<String>,
    /// Which of the settings makes each row; empty where each row has its own.
    pub runs: Vec<usize>,
    /// What a row is: a run, or a value of one.
    pub title: &'a str,
    /// Which rows are of runs that had not settled.
    pub hollow: Vec<usize>,
    /// Colours of values and of classes on maps: those of the figures.
    pub colours: Colours,
}

#[derive(Serialize)]
pub(crate) struct Colours {
    pub values: [[f64; 3]; MAP_COLOURS.len()],
    pub classes: [&'static str; CLASS_COLOURS.len()],
}

impl Colours {
    pub const OF_FIGURES: Colours = Colours { values: MAP_COLOURS, classes: CLASS_COLOURS };
}

#[derive(Serialize)]
pub(crate) struct Head<'a> {
    pub name: &'a str,
    pub unit: &'a str,
    /// Whether it lies on a scale of ratios.
    pub log: bool,
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
    let errors = data.texts(plan.columns().len() - 1).iter().flatten();
    let errors = errors.filter(|text| !text.starts_with(WARNED)).count();
    let mut sections = vec![Section {
        heading: "Points".into(),
        text: points_in_words(plan).into(),
        content: vec![Content::Interactive(Interactive {
            class: "sweep",
            data: data_element(&points(plan, data, command)),
            script: SCRIPT,
        })],
    }];
    sections.extend(warned(plan, data));
    if plan.points().is_one_sample() {
        sections.push(spread(plan, data));
    }
    if !ranked.is_empty() {
        sections.push(sensitivity(ranked));
    } else if beside_a_grid(plan) {
        sections.push(Section {
            heading: "Spread, and what matters".into(),
            text: "Random keys are not ranked beside keys on a grid, whose places they would be pooled over, and the spread of the outputs is \
                   not that of the samples alone: give those keys one value each. Bands in figures are those of each place."
                .into(),
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
        title: format!(
            "{}: {} point{}",
            scenario.title.as_deref().unwrap_or(&scenario.name),
            plan.total(),
            if plan.total() == 1 { "" } else { "s" }
        ),
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

/// What a point is, and how to look at it: a run, unless what is asked for follows from the values alone.
fn points_in_words(plan: &Plan<'_>) -> &'static str {
    if plan.outputs().needs_a_run() {
        "Each point is a run. Under the cursor stands what it came to; a click shows the command that makes the run again."
    } else {
        "Each point stands for values of the keys; nothing was run. Under the cursor stands what comes of them; a click shows the command \
         that runs the scenario with them."
    }
}

/// Runs that are doubtful, where there are some.
fn warned(plan: &Plan<'_>, data: &Data) -> Option<Section> {
    let all = data.texts(plan.columns().len() - 1);
    let warning = |text: &Option<String>| text.as_ref()?.strip_prefix(WARNED).map(String::from);
    let (point, first) = all.iter().enumerate().find_map(|(point, text)| Some((point, warning(text)?)))?;
    let count = all.iter().filter_map(warning).count();
    Some(Section {
        heading: "Warnings".into(),
        text: format!(
            "{count} of {} runs {} warnings, in the column error of the table; the first is point {point}: {first}",
            all.len(),
            if count == 1 { "has" } else { "have" }
        ),
        content: Vec::new(),
    })
}

/// How outputs of random samples are spread.
fn spread(plan: &Plan<'_>, data: &Data) -> Section {
    let row = |output: usize| {
        let values = sorted(data.numbers(output).iter().copied());
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let several = |value: f64| if values.len() > 1 { number_to(value, 5) } else { "–".into() };
        let column = &plan.columns()[output];
        let unit = if matches!(column.unit.as_str(), "" | "1") { String::new() } else { format!(" ({})", column.unit) };
        let mut row = vec![format!("{}{unit}", column.name), several(mean), several((squares / (count - 1.0)).sqrt())];
        row.extend(SHARES.map(|share| several(quantile(&values, share))));
        row.push(format!("{} of {}", values.len(), data.numbers(output).len()));
        row
    };
    let mut header = ["output", "mean", "standard deviation"].map(String::from).to_vec();
    header.extend(SHARES.map(|share| format!("{} %", number_to(100.0 * share, 3))));
    header.push("samples with it".into());
    Section {
        heading: "Spread".into(),
        text: format!(
            "Of all samples that have the output; n % of them lie below the value in the column n %.{}",
            missing(plan, data)
        ),
        content: vec![Content::Table(TextTable { header, rows: outputs(plan).map(row).collect() })],
    }
}

/// That samples without an output are left out, where there are some.
fn missing(plan: &Plan<'_>, data: &Data) -> String {
    let without = |output: &usize| data.numbers(*output).iter().any(|value| !value.is_finite());
    let all: Vec<&str> = outputs(plan).filter(without).map(|output| plan.columns()[output].name.as_str()).collect();
    if all.is_empty() {
        return String::new();
    }
    format!(
        " Not all samples have {}: what is told is of the others alone. Where the run ends before what is asked for comes, these are the \
         lesser values, and mean and shares of all samples are greater.",
        all.join(", ")
    )
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
            r.share_of_variance.map_or_else(|| "not told".into(), of_one),
            of_one(r.rank_correlation),
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

/// A number from −1 to 1 in three decimals, and in more where it would be taken for one of these: −0.9996 is not −1.
fn of_one(value: f64) -> String {
    let written = |decimals: usize| format!("{:.decimals$}", value + 0.0).replace('-', "−");
    let is_one = |text: &str| text.trim_start_matches('−').starts_with('1');
    let text = (3..=6).map(written).find(|text| value.abs() == 1.0 || !is_one(text)).unwrap_or_else(|| written(6));
    // A nought has no sign.
    if value.abs() < 0.0005 { text.replace('−', "") } else { text }
}

fn points<'a>(plan: &'a Plan<'_>, data: &'a Data, command: &'a str) -> Points<'a> {
    let numbers: Vec<usize> = (0..outputs(plan).end).filter(|column| !plan.columns()[*column].text).collect();
    let (shown, grid) = match grid_keys(plan)[..] {
        [(_, rows, _), (_, columns, _)] if !plan.points().is_random() && is_numeric(plan) => {
            let (shown, left) = thinned([columns, rows]);
            // Cells of a grid lie beside each other as their values do.
            let order = super::map::order(plan, data);
            (shown.into_iter().filter_map(|place| order.get(place).copied()).collect(), Some(left))
        }
        _ => (every_nth(plan.total() as usize), None),
    };
    let head = |column: &usize| Head {
        name: &plan.columns()[*column].name,
        unit: &plan.columns()[*column].unit,
        log: is_log(plan, *column),
    };
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
        kinds: plan.outputs().classes().collect(),
        command,
        settings: settings.collect(),
        runs: Vec::new(),
        title: "class",
        hollow: Vec::new(),
        colours: Colours::OF_FIGURES,
    }
}

/// Rows that a page holds: all, or every n-th of many.
pub(crate) fn every_nth(total: usize) -> Vec<usize> {
    (0..total).step_by(total.div_ceil(MOST).max(1)).collect()
}

/// Rows of a grid, its columns fastest, that a page holds: of many, every n-th column and every m-th row, so that a grid remains. Comes with
/// the counts of columns and rows that remain.
fn thinned([columns, rows]: [usize; 2]) -> (Vec<usize>, [usize; 2]) {
    let mut every = [1, 1];
    let left = |every: [usize; 2]| [columns.div_ceil(every[0]), rows.div_ceil(every[1])];
    while left(every)[0].saturating_mul(left(every)[1]) > MOST {
        let [along, up] = left(every);
        every[usize::from(up > along)] += 1;
    }
    let [x, y] = every;
    let shown = (0..rows).step_by(y).flat_map(|row| (0..columns).step_by(x).map(move |column| row * columns + column));
    (shown.collect(), left(every))
}

/// An argument as a shell takes it.
pub(crate) fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._=+-/".contains(c);
    if argument.chars().all(plain) { argument.to_string() } else { format!("'{}'", argument.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_short_and_none_is_taken_for_one() {
        let told = [1.09e-30, -1e-9, 0.25, -0.99956, 0.9999996, 1.0, -1.0].map(of_one);
        assert_eq!(told, ["0.000", "0.000", "0.250", "−0.9996", "1.000000", "1.000", "−1.000"]);
    }

    #[test]
    fn large_grids_stay_grids() {
        assert_eq!(thinned([3, 2]), (vec![0, 1, 2, 3, 4, 5], [3, 2]));
        let (shown, [along, up]) = thinned([201, 401]);
        assert_eq!(shown.len(), along * up);
        assert!(shown.len() <= MOST && shown.len() > MOST / 3, "{along} × {up}");
        // Equally spaced both ways, from the first on.
        assert_eq!((shown[0], shown[along] % 201), (0, 0));
        assert!((1..along).all(|k| shown[k] - shown[k - 1] == shown[1]));
        // A long strip keeps its short side.
        assert_eq!(thinned([3, 100_000]).1[0], 3);
    }
}
