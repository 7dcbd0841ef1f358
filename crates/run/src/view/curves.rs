//! Curves over time as data: columns of a run, thinned, in groups that share an axis. A group becomes a panel of a figure and a
//! chart of a page.

use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, TimeChart};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use crate::Trace;

/// The rows of a run that its curves are drawn by.
#[derive(Debug)]
pub struct Thinned<'a> {
    trace: &'a Trace,
    /// The rows that are kept.
    pub rows: Vec<usize>,
    /// Their times \[s\].
    pub t: Vec<f64>,
}

impl<'a> Thinned<'a> {
    /// About as many rows as `points`, such that they show these columns; with all at which one of these states changes.
    pub fn new<S: AsRef<str>>(trace: &'a Trace, columns: &[S], states: &[S], points: usize) -> Thinned<'a> {
        let columns: Vec<&[f64]> = columns.iter().map(|name| trace.column(name.as_ref())).collect();
        let whole = |name: &S| -> Vec<i8> { trace.column(name.as_ref()).iter().map(|v| *v as i8).collect() };
        let states: Vec<Vec<i8>> = states.iter().map(whole).collect();
        let marks: Vec<&[i8]> = states.iter().map(Vec::as_slice).collect();
        Thinned::to(trace, rows_to_keep(&columns, &marks, points))
    }

    /// These rows.
    pub fn to(trace: &'a Trace, rows: Vec<usize>) -> Thinned<'a> {
        let t = rows.iter().map(|&i| trace.column("t")[i]).collect();
        Thinned { trace, rows, t }
    }

    /// A column as it was recorded.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let values = self.trace.column(name);
        self.rows.iter().map(|&i| values[i]).collect()
    }

    /// A column times a factor, without negative zeros.
    pub fn scaled(&self, name: &str, factor: f64) -> Vec<f64> {
        self.column(name).into_iter().map(|value| factor * value + 0.0).collect()
    }

    /// A column times a factor as a curve with a name of its own.
    pub fn curve(&self, name: impl Into<String>, role: Role, column: &str, factor: f64) -> Curve {
        Curve { name: name.into(), role, values: self.scaled(column, factor) }
    }

    /// A panel with the curves of a group, from the start to the end of the run.
    pub fn panel(&self, group: &Group) -> Panel {
        let time = Axis::linear("time", "s").from_to(0.0, self.trace.end);
        let mut panel = Panel::new(time, Axis::linear(group.label, group.unit));
        for Curve { name, role, values } in &group.curves {
            panel.series.push(Series::line(name.clone(), *role, self.over_time(values)));
        }
        panel
    }

    /// A chart with the curves of a group.
    pub fn chart(&self, group: &Group) -> TimeChart {
        let chart = TimeChart::new(group.label, group.unit, self.t.clone());
        group.curves.iter().fold(chart, |chart, Curve { name, role, values }| chart.with(name, *role, values.clone()))
    }

    /// Values as points over time.
    pub fn over_time(&self, values: &[f64]) -> Vec<[f64; 2]> {
        self.t.iter().zip(values).map(|(t, v)| [*t, *v]).collect()
    }
}

/// One curve: a value for each row that is kept.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// Its colour.
    pub role: Role,
    /// Its values.
    pub values: Vec<f64>,
}

/// Curves that share an axis.
#[derive(Debug, Clone)]
pub struct Group {
    /// What is measured.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The curves.
    pub curves: Vec<Curve>,
}

impl Group {
    /// Curves under a label with a unit. One alone is what the chart is about, and has the first of the colours.
    pub fn new(label: &'static str, unit: &'static str, mut curves: Vec<Curve>) -> Group {
        if let [only] = &mut curves[..] {
            only.role = Role::First;
        }
        Group { label, unit, curves }
    }
}

/// A figure in a page: the heading of its section says what its title says.
pub fn untitled(figure: &Figure) -> Content {
    Content::Figure(Figure { title: String::new(), ..figure.clone() })
}

/// The figure of this name in a page; none where there is none.
pub fn found(figures: &[(&'static str, Figure)], name: &str) -> Vec<Content> {
    figures.iter().filter(|(own, _)| *own == name).map(|(_, figure)| untitled(figure)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_alone_has_the_first_colour() {
        let curve = |role| Curve { name: "a".into(), role, values: Vec::new() };
        let roles = |group: Group| group.curves.iter().map(|curve| curve.role).collect::<Vec<Role>>();
        assert_eq!(roles(Group::new("force", "N", vec![curve(Role::Second)])), [Role::First]);
        let pair = vec![curve(Role::Second), curve(Role::Third)];
        assert_eq!(roles(Group::new("force", "N", pair)), [Role::Second, Role::Third]);
    }
}
