//! Where everything stands: frames of panels, legends, strips, axes.

use super::colour;
use super::legend::{Entry, LEGEND_ROW, legend};
use super::range::{Mapping, Range};
use super::svg::Rect;
use super::tick::{Ticks, power_of_ten, ticks};
use super::{Arrangement, Axis, Figure, Panel, Style};
use crate::label;

/// Font sizes in pixels.
pub(super) const TITLE: f64 = 14.0;
pub(super) const TEXT: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;

/// Heights in pixels.
pub(super) const STRIP: f64 = 15.0;
pub(super) const STRIP_GAP: f64 = 4.0;
const TICK_LABELS: f64 = 18.0;
const AXIS_LABEL: f64 = 20.0;
const BETWEEN: f64 = 16.0;
const EDGE: f64 = 10.0;

/// A panel with its place on paper.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    pub(super) panel: &'a Panel,
    pub(super) plot: Rect,
    pub(super) left: f64,
    pub(super) title_y: f64,
    pub(super) legend: Vec<Entry>,
    pub(super) legend_y: f64,
    pub(super) strips_y: f64,
    pub(super) x: Mapping,
    pub(super) y: Mapping,
    pub(super) x_ticks: Ticks,
    pub(super) y_ticks: Ticks,
    /// Whether the x axis is labelled here.
    pub(super) x_labelled: bool,
}

/// A figure with all its places.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Lays a figure out.
pub(super) fn layout(figure: &Figure) -> Layout<'_> {
    let top = if figure.title.is_empty() { EDGE } else { EDGE + 24.0 };
    match figure.arrangement {
        Arrangement::Stacked => stacked(figure, top),
        Arrangement::SideBySide => side_by_side(figure, top),
    }
}

fn stacked(figure: &Figure, top: f64) -> Layout<'_> {
    let width = figure.width.max(240.0);
    let fixed = figure.panels.last().and_then(|panel| panel.x.range);
    let scale = figure.panels.last().map(|panel| panel.x.scale);
    let mut x_range = None;
    for panel in &figure.panels {
        let range = x_range_of(panel, scale.unwrap_or(panel.x.scale), fixed);
        x_range = Some(match x_range {
            None => range,
            Some(Range { lo, hi }) => Range { lo: range.lo.min(lo), hi: range.hi.max(hi) },
        });
    }
    let y_ticks: Vec<_> = figure.panels.iter().map(y_range_and_ticks).collect();
    let left =
        figure.panels.iter().zip(&y_ticks).map(|(panel, (_, ticks))| left_margin(panel, ticks)).fold(0.0, f64::max);
    let scales = figure.panels.iter().map(|panel| colour::room(panel.colours.as_ref())).fold(0.0, f64::max);
    let right = width - EDGE - 8.0 - scales;
    let mut frames = Vec::new();
    let mut y = top;
    let last = figure.panels.len().saturating_sub(1);
    for (i, (panel, (y_range, y_ticks))) in figure.panels.iter().zip(y_ticks).enumerate() {
        let head = Head::new(panel, left, right, i == 0);
        let x_scale = scale.unwrap_or(panel.x.scale);
        let cell = Cell {
            left: 0.0,
            plot_left: left,
            right,
            top: y,
            head_height: head.height,
            plot_height: height_of_plot(panel, &y_ticks),
        };
        let x_range = x_range.unwrap_or(Range { lo: 0.0, hi: 1.0 });
        let mut frame = frame(panel, cell, head, (x_range, x_scale), y_range, y_ticks);
        frame.x_labelled = i == last;
        y = frame.plot.bottom() + if i == last { 0.0 } else { BETWEEN };
        frames.push(frame);
    }
    Layout { frames, width, height: y + TICK_LABELS + AXIS_LABEL + EDGE }
}

fn side_by_side(figure: &Figure, top: f64) -> Layout<'_> {
    let width = figure.width.max(240.0);
    let count = figure.panels.len().max(1) as f64;
    let gap = 18.0;
    let cell_width = (width - 2.0 * EDGE - (count - 1.0) * gap) / count;
    let mut plot_height = 0.0_f64;
    let mut cells = Vec::new();
    for (i, panel) in figure.panels.iter().enumerate() {
        let (y_range, y_ticks) = y_range_and_ticks(panel);
        plot_height = plot_height.max(height_of_plot(panel, &y_ticks));
        let cell_left = EDGE + i as f64 * (cell_width + gap);
        let plot_left = cell_left + left_margin(panel, &y_ticks) - EDGE;
        let right = cell_left + cell_width - 8.0 - colour::room(panel.colours.as_ref());
        let end = if figure.common_legend { width - EDGE } else { right };
        let head = Head::new(panel, plot_left, end, true);
        cells.push((panel, cell_left - EDGE, plot_left, right, head, y_range, y_ticks));
    }
    if figure.common_legend {
        let rows = cells.iter().map(|cell| cell.4.rows).max().unwrap_or(0);
        cells.iter_mut().for_each(|cell| cell.4.leave_room(rows));
    }
    let head_height = cells.iter().map(|cell| cell.4.height).fold(0.0, f64::max);
    let mut bottom = top;
    let mut frames = Vec::new();
    for (panel, left, plot_left, right, head, y_range, y_ticks) in cells {
        let cell = Cell { left, plot_left, right, top, head_height, plot_height };
        let x = (x_range_of(panel, panel.x.scale, panel.x.range), panel.x.scale);
        let frame = frame(panel, cell, head, x, y_range, y_ticks);
        bottom = frame.plot.bottom();
        frames.push(frame);
    }
    Layout { frames, width, height: bottom + TICK_LABELS + AXIS_LABEL + EDGE }
}

/// The room of one panel.
struct Cell {
    left: f64,
    plot_left: f64,
    right: f64,
    top: f64,
    head_height: f64,
    plot_height: f64,
}

/// What stands above a plot.
struct Head {
    title: f64,
    legend: Vec<Entry>,
    rows: usize,
    height: f64,
}

impl Head {
    fn new(panel: &Panel, left: f64, right: f64, explain_states: bool) -> Self {
        let title = if panel.title.is_empty() { 0.0 } else { 20.0 };
        let (legend, rows) = legend(panel, left, right, explain_states);
        let height = title + rows as f64 * LEGEND_ROW + strips_height(panel);
        Self { title, legend, rows, height }
    }

    /// Room for so many rows of a legend, whether or not it has them.
    fn leave_room(&mut self, rows: usize) {
        self.height += rows.saturating_sub(self.rows) as f64 * LEGEND_ROW;
        self.rows = self.rows.max(rows);
    }
}

fn strips_height(panel: &Panel) -> f64 {
    match panel.strips.len() {
        0 => 0.0,
        n => n as f64 * (STRIP + STRIP_GAP) + 2.0,
    }
}

fn frame<'a>(
    panel: &'a Panel,
    cell: Cell,
    head: Head,
    (x_range, x_scale): (Range, super::Scale),
    y_range: Range,
    y_ticks: Ticks,
) -> Frame<'a> {
    let plot = Rect {
        x: cell.plot_left,
        y: cell.top + cell.head_height,
        w: (cell.right - cell.plot_left).max(20.0),
        h: cell.plot_height,
    };
    let (x_range, y_range, y_ticks) = if panel.equal {
        let [x, y] = alike(&plot, x_range, y_range);
        (x, y, ticks(y, panel.y.scale, wanted_upwards(panel)))
    } else {
        (x_range, y_range, y_ticks)
    };
    let strips_y = plot.y - strips_height(panel);
    let legend_y = strips_y - head.rows as f64 * LEGEND_ROW;
    let wanted = (plot.w / 84.0).floor().max(2.0) as usize;
    Frame {
        panel,
        plot,
        left: cell.left,
        title_y: legend_y - head.title + TEXT,
        legend: head.legend,
        legend_y,
        strips_y,
        x: Mapping { scale: x_scale, range: x_range, from: plot.x, to: plot.right() },
        y: Mapping { scale: panel.y.scale, range: y_range, from: plot.bottom(), to: plot.y },
        // What is not measured has no numbers: things with names stand there.
        x_ticks: if panel.x.is_bare() { Ticks::default() } else { ticks(x_range, x_scale, wanted) },
        y_ticks,
        x_labelled: true,
    }
}

fn x_range_of(panel: &Panel, scale: super::Scale, fixed: Option<[f64; 2]>) -> Range {
    if let Some(range) = given(fixed, scale) {
        return range;
    }
    let points = panel.series.iter().flat_map(|series| &series.points);
    let corners = panel.regions.iter().flat_map(|region| &region.polygon);
    let strips = panel.strips.iter().flat_map(|strip| &strip.bands);
    let ends = strips.chain(&panel.bands).flat_map(|band| [band.from, band.to]);
    let ribbons = panel.ribbons.iter().flat_map(|ribbon| &ribbon.points).map(|point| point[0]);
    let values = points.chain(corners).map(|point| point[0]).chain(ends).chain(ribbons);
    let range = Range::of(values, scale);
    // Curves of time touch the frame; markers would be cut by it.
    let marked = |style| matches!(style, Style::Markers | Style::LineAndMarkers | Style::Dots);
    match panel.series.iter().any(|series| marked(series.style)) {
        true => {
            range.padded(if panel.series.iter().any(|series| series.style == Style::Dots) { 0.02 } else { 0.06 }, scale)
        }
        false => range,
    }
}

fn y_range_and_ticks(panel: &Panel) -> (Range, Ticks) {
    let scale = panel.y.scale;
    let range = given(panel.y.range, scale).unwrap_or_else(|| {
        let points = panel.series.iter().flat_map(|series| &series.points);
        let corners = panel.regions.iter().flat_map(|region| &region.polygon);
        let ribbons = panel.ribbons.iter().flat_map(|ribbon| &ribbon.points).flat_map(|point| [point[1], point[2]]);
        let range = Range::of(points.chain(corners).map(|point| point[1]).chain(ribbons), scale);
        let margin = if panel.regions.is_empty() { 0.07 } else { 0.0 };
        range.padded(margin, scale)
    });
    (range, ticks(range, scale, wanted_upwards(panel)))
}

/// The height of a plot: as it is wanted, and more where the label of the axis upwards could not be read in that.
fn height_of_plot(panel: &Panel, ticks: &Ticks) -> f64 {
    let label = label::width(&axis_label(&panel.y, ticks.exponent), SMALL) - BESIDE;
    panel.height.max(30.0).max(label.min(MOST_STRETCHED * panel.height))
}

/// By how much a label of the axis upwards may be longer than its plot is high, in pixels.
pub(super) const BESIDE: f64 = 24.0;

/// A plot is not made higher than so many times what is wanted for the sake of its label.
const MOST_STRETCHED: f64 = 1.5;

/// How many numbers an axis upwards has room for.
fn wanted_upwards(panel: &Panel) -> usize {
    (panel.height / 38.0).floor().max(2.0) as usize
}

/// Ranges about the same middles, one of them greater, on which equal lengths look equal.
fn alike(plot: &Rect, x: Range, y: Range) -> [Range; 2] {
    let most = ((x.hi - x.lo) / plot.w).max((y.hi - y.lo) / plot.h);
    [(x, plot.w), (y, plot.h)].map(|(range, pixels)| {
        let (middle, half) = (0.5 * (range.lo + range.hi), 0.5 * most * pixels);
        Range { lo: middle - half, hi: middle + half }
    })
}

fn given(ends: Option<[f64; 2]>, scale: super::Scale) -> Option<Range> {
    ends.map(|ends| Range::of(ends.into_iter(), scale))
}

/// Room left of a plot for axis label, tick labels and names of strips.
fn left_margin(panel: &Panel, ticks: &Ticks) -> f64 {
    let widest = |labels: &mut dyn Iterator<Item = f64>| labels.fold(0.0, f64::max);
    let numbers = widest(&mut ticks.major.iter().map(|(_, text)| label::width(text, SMALL)));
    let names = widest(&mut panel.strips.iter().map(|s| label::width(&s.contact, SMALL)));
    EDGE + (20.0 + numbers + 8.0).max(names + 8.0)
}

/// An axis label with its unit, and the power of ten its numbers are to be multiplied by.
pub(super) fn axis_label(axis: &Axis, exponent: i32) -> String {
    let unit = if axis.unit == "1" { "" } else { axis.unit.as_str() };
    let factor = match exponent {
        0 => String::new(),
        exponent => power_of_ten(exponent),
    };
    match (factor.is_empty(), unit.is_empty()) {
        (true, true) => axis.label.clone(),
        (true, false) => format!("{} ({unit})", axis.label),
        (false, true) => format!("{} ({factor})", axis.label),
        (false, false) => format!("{} ({factor} {unit})", axis.label),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_labels_have_plots_that_they_fit() {
        let height = |label: &str| {
            let mut panel = Panel::new(Axis::linear("x", ""), Axis::linear(label, "N m"));
            panel.height = 120.0;
            height_of_plot(&panel, &Ticks::default())
        };
        assert_eq!(height("force"), 120.0);
        let high = height("command of the controller");
        assert!(high > 120.0 && high + BESIDE >= label::width("command of the controller (N m)", SMALL), "{high}");
        // No label makes a plot a tower.
        assert_eq!(height(&"very ".repeat(40)), MOST_STRETCHED * 120.0);
    }

    #[test]
    fn a_common_legend_has_the_width_of_all_panels() {
        let panel = || Panel::new(Axis::linear("x", ""), Axis::linear("y", ""));
        let with = (0..4).fold(panel(), |panel, k| {
            panel.with(super::super::Series::line(format!("a long name, {k}"), crate::palette::Role::First, Vec::new()))
        });
        let mut figure = Figure::side_by_side(vec![with, panel(), panel()]);
        let rows = |figure: &Figure| {
            let frames = layout(figure).frames;
            let rows = frames[0].legend.iter().map(|entry| entry.row).max();
            (rows, frames.iter().map(|frame| frame.legend_y).collect::<Vec<f64>>())
        };
        assert!(rows(&figure).0 > Some(0));
        figure.common_legend = true;
        let (row, places) = rows(&figure);
        assert!(row == Some(0) && places.windows(2).all(|pair| pair[0] == pair[1]), "{row:?} {places:?}");
    }

    #[test]
    fn equal_lengths_look_equal() {
        let plot = Rect { x: 0.0, y: 0.0, w: 400.0, h: 100.0 };
        for (x, y) in [([0.0, 1.0], [0.0, 1.0]), ([-3.0, 5.0], [2.0, 2.5]), ([0.0, 1.0], [-100.0, 100.0])] {
            let [a, b] = alike(&plot, Range { lo: x[0], hi: x[1] }, Range { lo: y[0], hi: y[1] });
            assert!(((a.hi - a.lo) / plot.w - (b.hi - b.lo) / plot.h).abs() < 1e-12);
            // Nothing is cut off, and one of the ranges stays.
            assert!(a.lo <= x[0] && a.hi >= x[1] && b.lo <= y[0] && b.hi >= y[1]);
            assert!((a.hi - a.lo - (x[1] - x[0])).abs() < 1e-12 || (b.hi - b.lo - (y[1] - y[0])).abs() < 1e-12);
        }
    }
}
