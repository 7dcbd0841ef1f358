//! `stickslip find`.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};
use stickslip::models::MODELS;
use stickslip::run::Step;
use stickslip::run::text::number_to;
use stickslip::scenario::sweep::Axis;
use stickslip::sweep::find::{Found, Goal, Search, Tried, find, notes};
use stickslip::sweep::{named, pair};

use super::Source;
use super::bar::Bar;
use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, table};
use super::sweep::tell_first;
use super::write_file;

/// Arguments of `find`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    source: Source,
    /// The key to change, and between which values: road.friction=0:1, "wheel.rear.brake=0 N m:2 kN m"
    #[arg(value_name = "KEY=A:B", allow_hyphen_values = true)]
    bracket: String,
    /// Bisect: find where this begins or ceases to hold, such as "end.x == 0" or "stopping_distance < 40 m". It must hold at one end
    /// and not at the other; what a run does not have does not hold
    #[arg(long, value_name = "CONDITION", required_unless_present_any = ["minimise", "maximise"])]
    until: Option<String>,
    /// Find where an output or a formula of outputs is least: a local least value, near the least of --scan values
    #[arg(long, visible_alias = "minimize", value_name = "OUTPUT", conflicts_with_all = ["until", "maximise"])]
    minimise: Option<String>,
    /// The same where it is greatest
    #[arg(long, visible_alias = "maximize", value_name = "OUTPUT", conflicts_with = "until")]
    maximise: Option<String>,
    /// How close, as a share of the greater end of the bracket
    #[arg(long, value_name = "SHARE", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Values that are looked at before a least or greatest one is sought between them
    #[arg(long, value_name = "COUNT", default_value_t = 9, value_parser = clap::value_parser!(u16).range(3..=300))]
    scan: u16,
    /// Show this output of each run as well: NAME, or NAME=FORMULA
    #[arg(long = "output", value_name = "NAME")]
    outputs: Vec<String>,
    /// A key that follows from the one that is changed: --let "wheel.rear.brake=1.5*torque"
    #[arg(long = "let", value_name = "KEY=FORMULA")]
    follow: Vec<String>,
    /// Write the runs that were made to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print the result as JSON to standard output, and nothing else there
    #[arg(long)]
    json: bool,
    /// Print nothing but the value, and show no progress
    #[arg(long, short)]
    quiet: bool,
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..1.0).contains(&value) => Ok(value),
        _ => Err("a number from 0 to below 1 is expected".into()),
    }
}

pub(super) fn perform(arguments: &Arguments, console: &mut Console) -> Result<ExitCode, Failure> {
    let scenario = arguments.source.load()?;
    let (key, range) = pair(&arguments.bracket, "KEY=A:B, such as road.friction=0:1")?;
    let bracket = Axis::bracket(&range).map_err(|fault| {
        Failure::input(format!("{key}: {}", fault.message), fault.help.as_deref().unwrap_or("write KEY=A:B"))
    })?;
    let goal = match (&arguments.until, &arguments.minimise, &arguments.maximise) {
        (Some(condition), ..) => Goal::Until(condition.clone()),
        (_, Some(output), _) => Goal::Minimise(output.clone()),
        (.., Some(output)) => Goal::Maximise(output.clone()),
        _ => {
            return Err(Failure::input(
                "there is nothing to look for".into(),
                "say --until CONDITION or --minimise OUTPUT",
            ));
        }
    };
    let search = Search {
        key,
        bracket,
        tolerance: arguments.tolerance.unwrap_or_else(|| goal.usual_tolerance()),
        goal,
        scan: usize::from(arguments.scan),
        follow: arguments.follow.iter().map(|text| pair(text, "KEY=FORMULA")).collect::<Result<_, _>>()?,
        outputs: arguments.outputs.iter().map(|text| named(text)).collect(),
    };
    tell_first(&notes(&MODELS, &scenario, &search)?);
    let mut bar = Bar::new(arguments.quiet || arguments.json);
    let mut count = 0;
    let found = find(&MODELS, &scenario, &search, &mut |tried: &Tried| {
        count += 1;
        bar.show(Step::Share(0.0, format!("run {count}: {} = {}", search.key, number_to(tried.value, 8))));
    });
    bar.clear();
    let found = found?;
    if let Some(path) = &arguments.csv {
        write_file(path, &csv(&search.key, &found))?;
    }
    if arguments.quiet || arguments.json {
        tell_first(at_end(&search, &found).as_slice());
    }
    if arguments.json {
        console.text(&format!("{:#}\n", json_of(&search, &found)))?;
    } else if arguments.quiet {
        console.line(&format!("{:?}", found.value))?;
    } else {
        let mut lines = vec![Line::title(format!("{}: {}", scenario.name, headline(&search, &found))), Line::text("")];
        lines.extend(told(&search, &found, console.width()));
        console.lines(&lines)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The answer in one line.
fn headline(search: &Search, found: &Found) -> String {
    let unit = if found.unit.is_empty() || found.unit == "1" { String::new() } else { format!(" {}", found.unit) };
    let value = format!("{} = {}{unit}", search.key, number_to(found.value, digits(search)));
    let reached = |word: &str| format!("{} is {word} at {value}: {}", found.names[0], number_to(found.outputs[0], 10));
    match (&search.goal, found.upwards) {
        (Goal::Until(condition), Some(true)) => format!("{condition} from {value} on"),
        (Goal::Until(condition), _) => format!("{condition} up to {value}"),
        (Goal::Minimise(_), _) => reached("least"),
        (Goal::Maximise(_), _) => reached("greatest"),
    }
}

/// Digits of a value: one more than the tolerance tells apart.
fn digits(search: &Search) -> usize {
    let told = (-search.tolerance.max(f64::MIN_POSITIVE).log10()).ceil();
    (told as usize + 1).clamp(4, MOST_DIGITS)
}

/// Digits that are shown at the most.
const MOST_DIGITS: usize = 13;

/// Digits that tell every number from every other one.
const ALL_DIGITS: usize = 17;

/// As many digits as asked for, or as many more as values need that are not the same: neighbours may differ in what they lead to.
fn digits_apart(runs: &[Tried], asked: usize) -> usize {
    let mut values: Vec<f64> = runs.iter().map(|run| run.value).collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let apart = |digits: &usize| values.windows(2).all(|two| number_to(two[0], *digits) != number_to(two[1], *digits));
    (asked..ALL_DIGITS).find(apart).unwrap_or(ALL_DIGITS)
}

/// Runs that the terminal shows.
const SHOWN: usize = 12;

fn told(search: &Search, found: &Found, width: Option<usize>) -> Vec<Line> {
    let head: Vec<String> = std::iter::once(search.key.clone()).chain(found.names.iter().cloned()).collect();
    let cell = |value: &f64| if value.is_nan() { "–".to_string() } else { number_to(*value, 10) };
    let digits = digits_apart(&found.runs, digits(search));
    let row = |run: &Tried| -> Vec<String> {
        let value = number_to(run.value, digits);
        std::iter::once(value).chain(run.outputs.iter().map(cell)).collect()
    };
    let hidden = found.runs.len().saturating_sub(SHOWN);
    let rows: Vec<Vec<String>> =
        found.runs.iter().take(SHOWN / 2).chain(found.runs.iter().skip(SHOWN / 2 + hidden)).map(row).collect();
    let mut lines: Vec<Line> = table(&head, &rows, width).into_iter().map(Line::text).collect();
    lines.push(Line::text(""));
    let shown = if hidden > 0 {
        format!(" ({hidden} of them, in the middle, not shown; --csv FILE writes all)")
    } else {
        String::new()
    };
    lines.push(Line::about("runs", format!("{}{shown}", found.runs.len())));
    match found.beyond {
        Some(beyond) => lines.push(Line::about(
            "bracket",
            format!(
                "it holds at {:?} and does not at {:?}; elsewhere between the ends there may be further boundaries",
                found.value, beyond
            ),
        )),
        None => lines.push(Line::about(
            "note",
            format!(
                "a local one: {} values were looked at, and the best of them refined between its neighbours",
                search.scan
            ),
        )),
    }
    lines.extend(at_end(search, found).map(|words| Line::about("WARNING", words)));
    if let Some([low, high]) = found.plateau() {
        let text = format!("the same from {} to {}: each of these is as good", number_to(low, 6), number_to(high, 6));
        lines.push(Line::about("flat", text));
    }
    lines
}

/// That the answer lies at an end of the bracket, where it does.
fn at_end(search: &Search, found: &Found) -> Option<String> {
    let end = number_to(found.at_end?, 10);
    let beyond = match &search.goal {
        Goal::Until(_) => {
            "the condition changes there, and no run made within shows another change: whether it holds beyond was not looked at"
        }
        Goal::Minimise(_) => "it may be less beyond",
        Goal::Maximise(_) => "it may be greater beyond",
    };
    Some(format!("this is the end of the bracket, {} = {end}: {beyond}; choose a wider one", search.key))
}

fn csv(key: &str, found: &Found) -> String {
    let quoted = |name: &str| {
        if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_string() }
    };
    let head: Vec<String> = std::iter::once(key).chain(found.names.iter().map(String::as_str)).map(quoted).collect();
    let cell = |value: &f64| if value.is_nan() { String::new() } else { format!("{value:?}") };
    let row = |run: &Tried| {
        std::iter::once(cell(&run.value)).chain(run.outputs.iter().map(cell)).collect::<Vec<_>>().join(",")
    };
    let rows: String = found.runs.iter().map(|run| row(run) + "\n").collect();
    format!("{}\n{rows}", head.join(","))
}

fn json_of(search: &Search, found: &Found) -> Value {
    let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
    let named = |outputs: &[f64]| -> Value {
        found
            .names
            .iter()
            .zip(outputs)
            .map(|(name, value)| (name.clone(), number(*value)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    json!({
        "key": search.key,
        "unit": found.unit,
        "value": found.value,
        "beyond": found.beyond,
        "at_end": found.at_end,
        "holds": found.upwards.map(|upwards| if upwards { "from there on" } else { "up to there" }),
        "outputs": named(&found.outputs),
        "runs": found.runs.iter().map(|run| json!({ "value": run.value, "outputs": named(&run.outputs) })).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_are_shown_as_other_numbers() {
        let tried = |value: f64| Tried { value, outputs: vec![0.0] };
        let runs = [0.0, 1_000.236_009_416_9, 1_000.236_009_417_1, 2e3].map(tried);
        let digits = digits_apart(&runs, 10);
        assert_eq!((digits, number_to(runs[1].value, digits)), (14, "1000.2360094169".to_string()));
        // What was tried twice is one number.
        assert_eq!(digits_apart(&[1.0, 1.0, 2.0].map(tried), 6), 6);
    }
}
