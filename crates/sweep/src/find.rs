//! Search instead of a scan: where something begins or ends, and where something is least.

use stickslip_run::{Registry, Scenario};
use stickslip_scenario::sweep::{Amount, Axis, Sweep, Value};

use crate::outputs::holds;
use crate::{Evaluation, Plan, SweepError, evaluate};

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Goal {
    /// Where a condition begins or ceases to hold, by bisection.
    Until(String),
    /// Where an output is least, by golden sections and parabolas.
    Minimise(String),
    /// Where it is greatest.
    Maximise(String),
}

impl Goal {
    /// How close searches come where nobody says: least values are flat, and beyond the root of rounding nothing can be told of them.
    pub fn usual_tolerance(&self) -> f64 {
        match self {
            Goal::Until(_) => 1e-13,
            Goal::Minimise(_) | Goal::Maximise(_) => 1e-7,
        }
    }
}

/// A search.
#[derive(Debug, Clone)]
pub struct Search {
    /// The key that is changed, or a variable.
    pub key: String,
    /// Between which values.
    pub bracket: [Amount; 2],
    /// What is looked for.
    pub goal: Goal,
    /// How close, as a share of the greater end.
    pub tolerance: f64,
    /// Values that are looked at before a least one is sought between them, ≥ 3.
    pub scan: usize,
    /// Keys that follow from the one that is changed.
    pub follow: Vec<(String, String)>,
    /// Outputs that are shown besides.
    pub outputs: Vec<(String, String)>,
}

/// A run that a search made.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// The value of the key, in SI units.
    pub value: f64,
    /// What is looked for (1 where a condition holds), and further outputs; NaN for what is missing.
    pub outputs: Vec<f64>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The value: where the condition holds, on that side of the boundary; or where the output is least.
    pub value: f64,
    /// The nearest value on the other side of the boundary; none for a least one.
    pub beyond: Option<f64>,
    /// Whether the condition holds from the value upwards; none for a least one.
    pub upwards: Option<bool>,
    /// The end of the bracket that the value lies at, where it does: what is beyond was not looked at.
    pub at_end: Option<f64>,
    /// The outputs at the value.
    pub outputs: Vec<f64>,
    /// Names of the outputs.
    pub names: Vec<String>,
    /// Unit of the key.
    pub unit: String,
    /// All runs, in their order.
    pub runs: Vec<Tried>,
}

/// Most runs of a search.
const MOST_RUNS: usize = 400;

/// Name of the output that is looked at.
const SOUGHT: &str = "sought";

/// What may not be meant by a search, in sentences: known before the first run.
pub fn notes(registry: &Registry, scenario: &Scenario, search: &Search) -> Result<Vec<String>, SweepError> {
    Ok(plan(registry, scenario, search)?.replaced())
}

fn plan<'a>(registry: &Registry, scenario: &'a Scenario, search: &Search) -> Result<Plan<'a>, SweepError> {
    let text = match &search.goal {
        Goal::Until(condition) => {
            if let Some(meant) = with_one_equals(condition) {
                return Err(SweepError::input(
                    format!("`{condition}`: a single `=` compares nothing"),
                    format!("write ==, as in --until \"{meant}\""),
                ));
            }
            with_si(condition)
        }
        Goal::Minimise(output) => output.clone(),
        Goal::Maximise(output) => format!("-({output})"),
    };
    let [from, to] = search.bracket.clone();
    let mut outputs = vec![(SOUGHT.to_string(), text)];
    outputs.extend(search.outputs.iter().cloned());
    let axis = Axis::Range { from, to, count: 2, log: false };
    let vary = vec![(search.key.clone(), axis)];
    let sweep = Sweep { vary, follow: search.follow.clone(), outputs, ..Sweep::default() };
    Plan::new(registry, scenario, &sweep, std::path::Path::new(""))
}

/// Searches.
pub fn find(
    registry: &Registry,
    scenario: &Scenario,
    search: &Search,
    progress: &mut dyn FnMut(&Tried),
) -> Result<Found, SweepError> {
    find_while(registry, scenario, search, &mut |tried| {
        progress(tried);
        true
    })
}

/// The same as long as `go_on` says so, which is asked after each run; then it ends with an error.
pub fn find_while(
    registry: &Registry,
    scenario: &Scenario,
    search: &Search,
    go_on: &mut dyn FnMut(&Tried) -> bool,
) -> Result<Found, SweepError> {
    let plan = plan(registry, scenario, search)?;
    let mut seeker = Seeker { plan: &plan, key: &search.key, runs: Vec::new(), go_on };
    let ends = [search.bracket[0].si, search.bracket[1].si];
    let (value, beyond, upwards) = match &search.goal {
        Goal::Until(condition) => {
            let [inside, outside] = seeker.bisect(ends, search.tolerance, condition)?;
            (inside, Some(outside), Some(inside > outside))
        }
        Goal::Minimise(output) | Goal::Maximise(output) => (seeker.least(ends, search, output)?, None, None),
    };
    let unit = plan.columns().first().map(|column| column.unit.clone()).unwrap_or_default();
    let negative = matches!(search.goal, Goal::Maximise(_));
    let mut runs = seeker.runs;
    if negative {
        runs.iter_mut().for_each(|run| run.outputs[0] = -run.outputs[0]);
    }
    let outputs = runs.iter().rev().find(|run| run.value == value).map(|run| run.outputs.clone()).unwrap_or_default();
    let mut names = vec![match &search.goal {
        Goal::Until(condition) => condition.clone(),
        Goal::Minimise(output) | Goal::Maximise(output) => output.clone(),
    }];
    names.extend(search.outputs.iter().map(|(name, _)| name.clone()));
    let at_end = at_end(value, ends, search.tolerance);
    Ok(Found { value, beyond, upwards, at_end, outputs, names, unit, runs })
}

/// The end of a bracket that a value lies at: nearer than searches of this tolerance can tell apart.
fn at_end(value: f64, ends: [f64; 2], tolerance: f64) -> Option<f64> {
    // Least values are found to three tolerances: Brent's search stops within two of the middle of its bracket.
    let close = (3.0 * tolerance).max(4.0 * f64::EPSILON) * ends[0].abs().max(ends[1].abs());
    ends.into_iter().find(|end| (value - end).abs() <= close)
}

/// A condition whose right side is a number with a unit, in SI units.
fn with_si(condition: &str) -> String {
    let signs = ["<=", ">=", "==", "!=", "≤", "≥", "<", ">"];
    let found = signs
        .iter()
        .filter_map(|sign| condition.rfind(sign).map(|at| (at, *sign)))
        .max_by_key(|(at, sign)| at + sign.len());
    match found.and_then(|(at, sign)| Some((at + sign.len(), Amount::read(&condition[at + sign.len()..]).ok()?))) {
        Some((at, amount)) if amount.unit().is_some() => format!("{} ({:?})", &condition[..at], amount.si),
        _ => condition.to_string(),
    }
}

/// The condition with == where it has a single = by itself; none where it has no such sign.
fn with_one_equals(condition: &str) -> Option<String> {
    let signs: Vec<char> = condition.chars().collect();
    let comparing = |k: Option<usize>| k.and_then(|k| signs.get(k)).is_some_and(|sign| "=<>!≤≥".contains(*sign));
    let at = (0..signs.len()).find(|k| signs[*k] == '=' && !comparing(k.checked_sub(1)) && !comparing(Some(k + 1)))?;
    let [before, behind] = [&signs[..at], &signs[at + 1..]].map(|part| part.iter().collect::<String>());
    Some(format!("{before}=={behind}"))
}

impl Found {
    /// The range over which runs had the very same least or greatest value, where there is one.
    pub fn plateau(&self) -> Option<[f64; 2]> {
        let best = *self.outputs.first()?;
        let same = || self.runs.iter().filter(|run| run.outputs.first() == Some(&best)).map(|run| run.value);
        let (low, high) = (same().fold(f64::INFINITY, f64::min), same().fold(f64::NEG_INFINITY, f64::max));
        (self.beyond.is_none() && high - low > PLATEAU * high.abs().max(low.abs())).then_some([low, high])
    }
}

/// A range of equal values narrower than this share is the end of a search.
const PLATEAU: f64 = 1e-6;

struct Seeker<'p> {
    plan: &'p Plan<'p>,
    key: &'p str,
    runs: Vec<Tried>,
    go_on: &'p mut dyn FnMut(&Tried) -> bool,
}

impl Seeker<'_> {
    /// What is sought at a value; NaN where the run does not have it.
    fn at(&mut self, value: f64) -> Result<f64, SweepError> {
        if let Some(known) = self.runs.iter().find(|run| run.value == value) {
            return Ok(known.outputs[0]);
        }
        if self.runs.len() >= MOST_RUNS {
            return Err(SweepError::input(
                format!("{MOST_RUNS} runs have not been enough"),
                "widen the tolerance or narrow the bracket",
            ));
        }
        let evaluation = evaluate(self.plan, vec![Value::Number(value)]);
        let failed = evaluation.failed();
        let Evaluation { outputs, error } = evaluation;
        // A run that ended before its time tells what it told until then.
        if let Some(error) = error.filter(|_| failed) {
            let message = format!("the run with {} = {value} failed: {error}", self.key);
            return Err(SweepError::input(message, "choose a bracket in which all runs come to their end"));
        }
        let sought = outputs[0];
        let run = Tried { value, outputs };
        if !(self.go_on)(&run) {
            return Err(SweepError::input("the search was stopped", "start it again"));
        }
        self.runs.push(run);
        Ok(sought)
    }

    /// Whether the condition holds; what is missing does not.
    fn holds(&mut self, value: f64) -> Result<bool, SweepError> {
        let sought = self.at(value)?;
        holds(sought).map_err(|found| {
            let message = format!("the condition is {found} at {} = {value}, neither true (1) nor false (0)", self.key);
            SweepError::input(message, "write a comparison, such as end.x > 0")
        })
    }

    /// Two neighbouring values: the condition holds at the first and not at the second.
    fn bisect(&mut self, [a, b]: [f64; 2], tolerance: f64, condition: &str) -> Result<[f64; 2], SweepError> {
        let (at_a, at_b) = (self.holds(a)?, self.holds(b)?);
        if at_a == at_b {
            let does = if at_a { "holds" } else { "does not hold" };
            let message = format!(
                "`{condition}` {does} at {} = {a}, and at {b} as well: there is no boundary between them to bisect",
                self.key
            );
            return Err(SweepError::input(
                message,
                "choose a bracket at whose ends it differs; `stickslip sweep` shows where that is",
            ));
        }
        let (mut inside, mut outside) = if at_a { (a, b) } else { (b, a) };
        let close = tolerance * a.abs().max(b.abs());
        while (inside - outside).abs() > close {
            // Halves, not half of the sum, which may be beyond the numbers there are.
            let middle = 0.5 * inside + 0.5 * outside;
            // Neighbouring numbers: there is nothing between them.
            if middle == inside || middle == outside {
                break;
            }
            if self.holds(middle)? {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Ok([inside, outside])
    }

    /// A value at which the output is least, near the least of some that are spread over the bracket.
    fn least(&mut self, [a, b]: [f64; 2], search: &Search, output: &str) -> Result<f64, SweepError> {
        let last = search.scan.max(3) - 1;
        let place = |k: usize| {
            let value = (a * (last - k) as f64 + b * k as f64) / last as f64;
            let share = k as f64 / last as f64;
            if value.is_finite() { value } else { a * (1.0 - share) + b * share }
        };
        let mut best: Option<(usize, f64)> = None;
        for k in 0..=last {
            let value = self.at(place(k))?;
            if value.is_finite() && best.is_none_or(|(_, least)| value < least) {
                best = Some((k, value));
            }
        }
        let Some((k, _)) = best else {
            let message = format!("no run between {} = {a} and {b} has `{output}`", self.key);
            return Err(SweepError::input(message, "choose another bracket, or another output"));
        };
        let (low, high) = (place(k.saturating_sub(1)), place((k + 1).min(last)));
        self.brent(low.min(high), low.max(high), place(k), search.tolerance * a.abs().max(b.abs()))
    }

    /// Brent's search for a minimum (Brent 1973, chapter 5): parabolas where they help, golden sections else.
    fn brent(&mut self, mut low: f64, mut high: f64, start: f64, close: f64) -> Result<f64, SweepError> {
        let golden = 0.5 * (3.0 - 5.0_f64.sqrt());
        // What is missing is worse than anything.
        let worst = |value: f64| if value.is_finite() { value } else { f64::INFINITY };
        let mut x = start;
        let mut fx = worst(self.at(x)?);
        let (mut w, mut v, mut fw, mut fv) = (x, x, fx, fx);
        let (mut step, mut before) = (0.0_f64, 0.0_f64);
        loop {
            let middle = 0.5 * (low + high);
            let tol = close.max(f64::EPSILON.sqrt() * 1e-2 * x.abs()).max(f64::MIN_POSITIVE);
            if (x - middle).abs() <= 2.0 * tol - 0.5 * (high - low) {
                return Ok(x);
            }
            let parabola = parabola([x, w, v], [fx, fw, fv]);
            let usable = |p: f64| p.is_finite() && p.abs() < 0.5 * before.abs() && x + p > low && x + p < high;
            (before, step) = match parabola.filter(|p| usable(*p)) {
                Some(p) => (step, p),
                None => {
                    let rest = if x >= middle { low - x } else { high - x };
                    (rest, golden * rest)
                }
            };
            let u = if step.abs() >= tol { x + step } else { x + tol.copysign(step) };
            let u = u.clamp(low, high);
            let fu = worst(self.at(u)?);
            if fu <= fx {
                if u >= x {
                    low = x
                } else {
                    high = x
                }
                (v, fv, w, fw, x, fx) = (w, fw, x, fx, u, fu);
            } else {
                if u < x {
                    low = u
                } else {
                    high = u
                }
                if fu <= fw || w == x {
                    (v, fv, w, fw) = (w, fw, u, fu);
                } else if fu <= fv || v == x || v == w {
                    (v, fv) = (u, fu);
                }
            }
        }
    }
}

/// The way from the first of three places to the least of the parabola through them; none where it has none.
fn parabola([x, w, v]: [f64; 3], [fx, fw, fv]: [f64; 3]) -> Option<f64> {
    let (r, q) = ((x - w) * (fx - fv), (x - v) * (fx - fw));
    let p = (x - v) * q - (x - w) * r;
    let q = 2.0 * (q - r);
    (q != 0.0).then(|| if q > 0.0 { -p / q } else { p / -q })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_at_the_end_of_a_bracket_are_known() {
        assert_eq!(at_end(3.0, [1.0, 3.0], 1e-7), Some(3.0));
        assert_eq!(at_end(1.0 + 8e-7, [1.0, 3.0], 1e-7), Some(1.0));
        assert_eq!(at_end(1.001, [1.0, 3.0], 1e-7), None);
        assert_eq!(at_end(0.0, [0.0, 3.0], 1e-13), Some(0.0));
    }

    #[test]
    fn conditions_may_have_units() {
        assert_eq!(with_si("stopping_distance < 0.04 km"), "stopping_distance < (40.0)");
        assert_eq!(with_si("max.x1 >= 36 km/h"), "max.x1 >= (10.0)");
        assert_eq!(with_si("end.x == 0"), "end.x == 0");
        assert_eq!(with_si("a < 2*b"), "a < 2*b");
    }

    #[test]
    fn the_least_of_a_parabola() {
        let f = |x: f64| 3.0 * (x - 0.7).powi(2) + 1.0;
        let x = [0.1, 0.5, 1.9];
        let p = parabola(x, x.map(f)).expect("one");
        assert!((x[0] + p - 0.7).abs() < 1e-14, "{p}");
        assert_eq!(parabola([0.0, 1.0, 2.0], [0.0, 1.0, 2.0]), None);
    }
}
