//! The contact as a map to look into, and the way to it as a strip of pictures.

use stickslip_contact::case::{Case, Course, Frame, Outcome};
use stickslip_contact::grid::Grid;
use stickslip_contact::tangential::{Solution, Status};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::{Content, Field, FieldAxis, Quantity, Section, Shown};
use stickslip_report::palette::Role;
use stickslip_run::text::number_to;

use super::view::{map_panel, shades, state};

/// Pressure, traction, slip and status over the contact.
pub(super) fn map(case: &Case, outcome: &Outcome) -> Field {
    let (grid, solution) = (outcome.contact.grid(), &outcome.solution);
    let pressure = outcome.contact.pressure();
    let inside = |k: usize, value: f64| if pressure[k] > 0.0 { value } else { f64::NAN };
    let values = |name: &str, unit: &str, value: &dyn Fn(usize) -> f64| Quantity {
        name: name.into(),
        shown: Shown::Values { unit: unit.into(), values: (0..grid.len()).map(|k| inside(k, value(k))).collect() },
    };
    let (slip, unit, scale) = match case.course {
        Course::Shift(_) => ("slip distance", "µm", 1e6),
        _ => ("slip, share of the rolling speed", "%", 1e2),
    };
    let states = solution.status.iter().map(|s| (*s != Status::Exterior).then(|| state(*s))).collect();
    let quantities = vec![
        values("traction", "MPa", &|k| 1e-6 * traction(solution, k)),
        values("pressure", "MPa", &|k| 1e-6 * pressure[k]),
        values("share of friction used", "%", &|k| {
            let s = solution.slip_x[k].hypot(solution.slip_y[k]);
            let bound = case.bound(pressure[k], s);
            if bound > 0.0 { 1e2 * traction(solution, k) / bound } else { f64::NAN }
        }),
        values(slip, unit, &|k| scale * solution.slip_x[k].hypot(solution.slip_y[k])),
        Quantity { name: "stick and slip".into(), shown: Shown::States(states) },
    ];
    let ends = |first: f64, size: f64, n: usize| [1e3 * (first - 0.5 * size), 1e3 * (first + (n as f64 - 0.5) * size)];
    let along = if matches!(case.course, Course::Shift(_)) { "x" } else { "x, rolling to the right" };
    let y = if grid.is_plane() { [-0.5, 0.5] } else { ends(grid.y(0), grid.dy(), grid.ny()) };
    let axis = |label: &str, ends| FieldAxis { label: label.into(), unit: "mm".into(), ends };
    Field {
        name: "The contact from above".into(),
        text: format!(
            "Tractions, pressure, slip and where the bodies stick, over a contact of {} by {} elements; {} of them stick and {} slip.",
            grid.nx(),
            grid.ny(),
            solution.count(Status::Stick),
            solution.count(Status::Slip)
        ),
        axes: [axis(along, ends(grid.x(0), grid.dx(), grid.nx())), axis("y", y)],
        count: [grid.nx(), grid.ny()],
        quantities,
        equal: true,
    }
}

fn traction(solution: &Solution, k: usize) -> f64 {
    solution.traction_x[k].hypot(solution.traction_y[k])
}

/// Frames in a row.
const ROW: usize = 4;

/// The way from the first step to the last; none where there is none.
pub(super) fn film(case: &Case, outcome: &Outcome) -> Option<Section> {
    if outcome.frames.len() < 2 {
        return None;
    }
    let panels: Vec<Panel> = outcome.frames.iter().map(|frame| panel(case, outcome, frame)).collect();
    let figure = |row: &[Panel]| {
        let name = format!("{} to {}", row.first().map_or("", |p| &p.title), row.last().map_or("", |p| &p.title));
        Content::Figure(Figure { width: 900.0, ..Figure::side_by_side(row.to_vec()) }.titled(name))
    };
    Some(Section {
        heading: "On the way".into(),
        text: "The same contact after so many millimetres: rolling brings in material without strain at the front, on the right.".into(),
        content: panels.chunks(ROW).map(figure).collect(),
    })
}

fn panel(case: &Case, outcome: &Outcome, Frame { distance, solution }: &Frame) -> Panel {
    let grid = &solution.grid;
    let mut panel =
        if case.is_line() { line(grid, case, outcome, solution) } else { map_panel(grid, shades(solution)) };
    panel.title = match *distance {
        0.0 => "at the start".into(),
        distance => format!("after {} mm", number_to(1e3 * distance, 3)),
    };
    panel.height = panel.height.min(170.0);
    panel
}

/// Traction and its bound along a line contact.
fn line(grid: &Grid, case: &Case, outcome: &Outcome, solution: &Solution) -> Panel {
    let row = |value: &dyn Fn(usize) -> f64| (0..grid.nx()).map(|i| [1e3 * grid.x(i), 1e-6 * value(i)]).collect();
    let bound = row(&|k| case.bound(outcome.contact.pressure()[k], solution.slip_x[k].abs()));
    Panel::new(Axis::linear("x", "mm"), Axis::linear("traction", "MPa"))
        .with(Series::line("", Role::Reference, bound).wide(3.0))
        .with(Series::line("", Role::First, row(&|k| traction(solution, k))))
}
