//! The forms of a signal that are written as a table.

use std::ops::Range;

use serde::Deserialize;
use stickslip_core::signal::{Expression, Points, PointsError, Signal};
use toml::Spanned;

use super::change::{Change, Scale};
use super::column::Column;
use super::sine::SineTable;
use crate::fault::{Fault, listed, number};
use crate::format::Context;
use crate::kind::{Kind, Time};
use crate::point::Point;
use crate::quantity::{Any, Bounds, Quantity};
use crate::run::Scheme;
use crate::table::TableOf;
use crate::unit::Unit;

/// All keys that a signal's table may have; which go together is told by [`Table::read`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "K: Kind")]
pub(super) struct Table<K> {
    points: Option<Spanned<Vec<Point<Time, K>>>>,
    trapezoid: Option<Spanned<Vec<Quantity<Time>>>>,
    max: Option<Quantity<K>>,
    sine: Option<Spanned<TableOf<SineTable<K>>>>,
    expression: Option<Spanned<String>>,
    csv: Option<Spanned<String>>,
    time: Option<Spanned<String>>,
    column: Option<Spanned<String>>,
    unit: Option<Spanned<String>>,
    scale: Option<Spanned<Scale>>,
    offset: Option<Quantity<K>>,
    shift: Option<Quantity<Time>>,
}

const FORMS: [&str; 5] = ["points", "trapezoid", "sine", "expression", "csv"];

/// Instants at which an expression is tried before the run.
const PROBES: u32 = 1000;

impl<K: Kind> Table<K> {
    pub fn read<B: Bounds>(&self, what: &str, context: &mut Context<'_>) -> Result<Signal, Fault> {
        let Some(span) = self.change_span() else { return self.read_as_given::<B>(what, context) };
        let given = self.read_as_given::<Any>(what, context)?;
        let change = Change {
            factor: self.scale.as_ref().map_or(1.0, |scale| scale.get_ref().factor),
            offset: self.offset.as_ref().map_or(0.0, |offset| offset.si),
            shift: self.shift.as_ref().map_or(0.0, |shift| shift.si),
        };
        let changed = change.of(given).map_err(|fault| fault.at(&span))?;
        let least = changed.extremes().map(|extremes| [extremes.least, extremes.greatest]);
        match least.into_iter().flatten().find(|(_, value)| !value.is_finite() || !B::admits(*value)) {
            Some((t, value)) => Err(must_be::<K, B>(what, t, value).at(&span)),
            None => Ok(changed),
        }
    }

    /// Where a change of the signal is asked for.
    fn change_span(&self) -> Option<Range<usize>> {
        let scale = self.scale.as_ref().map(Spanned::span);
        scale.or(self.offset.as_ref().map(|q| q.span.clone())).or(self.shift.as_ref().map(|q| q.span.clone()))
    }

    /// A scale of values that have their unit already must be a pure number.
    fn check_scale(&self) -> Result<(), Fault> {
        let Some(scale) = &self.scale else { return Ok(()) };
        let unit = scale.get_ref().unit;
        if Unit::ONE.dimension.accepts(unit.dimension) {
            return Ok(());
        }
        Err(Fault::new(format!("the scale has the unit of {}, but the values have their own unit", unit.dimension))
            .help("a pure number is expected here; a scale with a unit goes with `csv`")
            .at(&scale.span()))
    }

    fn read_as_given<B: Bounds>(&self, what: &str, context: &mut Context<'_>) -> Result<Signal, Fault> {
        let form = self.form()?;
        self.check_companions(form)?;
        if form != "csv" {
            self.check_scale()?;
        }
        let must = |t: f64, v: f64| must_be::<K, B>(what, t, v);
        if let Some(points) = &self.points {
            let list = points.get_ref();
            if let Some(bad) = list.iter().find(|p| !B::admits(p.value.si)) {
                return Err(must(bad.at.si, bad.value.si).at(&bad.value.span));
            }
            let (times, values) = list.iter().map(|p| (p.at.si, p.value.si)).unzip();
            return Points::new(times, values).map(Signal::Points).map_err(|e| {
                let blamed = e.index().map(|i| list[i].at.span.clone());
                order_fault(e).at(&blamed.unwrap_or(points.span()))
            });
        }
        if let Some(times) = &self.trapezoid {
            return self.read_trapezoid::<B>(what, times);
        }
        if let Some(sine) = &self.sine {
            return sine.get_ref().0.read::<B>(what).map_err(|f| f.at(&sine.span()));
        }
        if let Some(text) = &self.expression {
            return probe::<K, B>(what, text, context).map_err(|f| f.at(&text.span()));
        }
        if let (Some(path), Some(column)) = (&self.csv, &self.column) {
            let scale = self.scale.as_ref();
            return Column { path, time: self.time.as_ref(), column, unit: self.unit.as_ref(), scale }
                .read::<K, B>(what, context);
        }
        let needs = if form == "csv" { "column" } else { "max" };
        Err(Fault::new(format!("missing key `{needs}` beside `{form}`")).help(match needs {
            "column" => "name the column of values, as in { csv = \"file.csv\", time = \"t\", column = \"F\" }",
            _ => "write { trapezoid = [t0, t1, t2, t3], max = … }",
        }))
    }

    /// The one form that is given.
    fn form(&self) -> Result<&'static str, Fault> {
        let given = [
            self.points.as_ref().map(Spanned::span),
            self.trapezoid.as_ref().map(Spanned::span),
            self.sine.as_ref().map(Spanned::span),
            self.expression.as_ref().map(Spanned::span),
            self.csv.as_ref().map(Spanned::span),
        ];
        let mut found: Vec<_> = FORMS.iter().zip(given).filter_map(|(name, span)| Some((*name, span?))).collect();
        // The later one is to blame, which may be an override.
        found.sort_by_key(|(_, span)| span.start);
        let help = format!("give exactly one of {}, or a plain value", listed(FORMS));
        match &found[..] {
            [(name, _)] => Ok(name),
            [(first, _), (second, span), ..] => {
                let message = format!("a signal cannot be given by both `{first}` and `{second}`");
                Err(Fault::new(message).help(help).at(span))
            }
            [] => Err(Fault::new("this table does not say how the signal is given").help(help)),
        }
    }

    /// Keys that belong to another form are an error, not ignored.
    fn check_companions(&self, form: &str) -> Result<(), Fault> {
        let text = |key: &Option<Spanned<String>>| key.as_ref().map(Spanned::span);
        let companions: [(&str, &str, Option<Range<usize>>); 4] = [
            ("max", "trapezoid", self.max.as_ref().map(|q| q.span.clone())),
            ("time", "csv", text(&self.time)),
            ("column", "csv", text(&self.column)),
            ("unit", "csv", text(&self.unit)),
        ];
        for (key, owner, span) in companions {
            if let (Some(span), true) = (span, owner != form) {
                return Err(Fault::new(format!("`{key}` goes with `{owner}`, not with `{form}`"))
                    .help(format!("leave `{key}` out"))
                    .at(&span));
            }
        }
        Ok(())
    }

    fn read_trapezoid<B: Bounds>(&self, what: &str, times: &Spanned<Vec<Quantity<Time>>>) -> Result<Signal, Fault> {
        let list = times.get_ref();
        let [t0, t1, t2, t3] = &list[..] else {
            return Err(Fault::new(format!("a trapezoid needs four rising times, found {}", list.len()))
                .help("write { trapezoid = [t0, t1, t2, t3], max = … }: 0 until t0, up to t1, held to t2, down to t3")
                .at(&times.span()));
        };
        let Some(max) = &self.max else {
            return Err(Fault::new("missing key `max` beside `trapezoid`")
                .help("write { trapezoid = [t0, t1, t2, t3], max = … }"));
        };
        if !B::admits(max.si) {
            return Err(must_be::<K, B>(what, t1.si, max.si).at(&max.span));
        }
        Signal::trapezoid([t0.si, t1.si, t2.si, t3.si], max.si).map_err(|e| {
            let blamed = e.index().map_or(times.span(), |i| list[i].span.clone());
            let mut fault = order_fault(e).at(&blamed);
            fault.message = format!("a trapezoid needs four rising times: {}", fault.message);
            fault
        })
    }
}

/// Reads a formula and tries it at instants of the run; the run itself checks every step.
fn probe<K: Kind, B: Bounds>(what: &str, text: &Spanned<String>, context: &Context<'_>) -> Result<Signal, Fault> {
    let duration = context.duration;
    let mut expression = Expression::new(text.get_ref()).map_err(|e| {
        let fault = Fault::new(e.to_string()).help(e.help());
        let place = text.span();
        // Where the text stands in plain quotes, the place in it is one in the file.
        if place.len() == text.get_ref().len() + 2 {
            let (start, end) = (place.start + 1 + e.span().start, place.start + 1 + e.span().end);
            fault.at(&(start..end.max(start + 1)))
        } else {
            fault
        }
    })?;
    for k in 0..=PROBES {
        let t = duration * (f64::from(k) / f64::from(PROBES));
        let value = expression.at(t);
        if !value.is_finite() {
            let t = number(t);
            return Err(Fault::new(format!("{what} is {value} at t = {t} s: it must be finite"))
                .help("mend the expression so that it has a value at all times of the run"));
        }
        if !B::admits(value) {
            return Err(must_be::<K, B>(what, t, value));
        }
    }
    if !expression.explore(duration) && context.scheme == Scheme::Events {
        return Err(Fault::new(format!("{what} changes too fast to be followed from event to event"))
            .help("it needs more than 400 000 pieces: take a shorter duration, or the scheme implicit-euler"));
    }
    Ok(Signal::Expression(Box::new(expression)))
}

/// The fault of a value outside the bounds at a time.
pub(super) fn must_be<K: Kind, B: Bounds>(what: &str, time: f64, value: f64) -> Fault {
    let unit = if K::SI == "1" { String::new() } else { format!(" {}", K::SI) };
    Fault::new(format!(
        "{what} is {}{unit} at t = {} s, but must be{}",
        number(value),
        number(time),
        B::REQUIREMENT.replace(" of", ""),
    ))
    .help(format!("give values{} at all times", B::REQUIREMENT))
}

/// A fault of points that core refused.
pub(super) fn order_fault(error: PointsError) -> Fault {
    match error {
        PointsError::Empty => Fault::new("a signal needs at least one point"),
        PointsError::Unsorted { time, previous, .. } => Fault::new(format!(
            "t = {} s comes after t = {} s, but times must not fall",
            number(time),
            number(previous)
        )),
        PointsError::Crowded { time, .. } => Fault::new(format!("more than two points at t = {} s", number(time))),
        other => Fault::new(other.to_string()),
    }
    .help("order points by time; two points at one time make a jump")
}
