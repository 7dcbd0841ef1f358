//! Rolling contact: solved once instead of in time, so with files of its own.
//!
//! | file | content |
//! |---|---|
//! | `elements.csv`, `.parquet` | one row per element: place, pressure, traction, slip, status |
//! | `elements.vtk` | the same for ParaView |
//! | `nodes.csv`, `.parquet`, `curve.csv`, `body-1.vtu`, `body-2.vtu` | of finite elements: nodal forces; the creep curve; bodies with displacements and stresses |
//! | `transient.csv`, `.parquet` | of finite elements that roll step by step: force, stick and ledger over the distance |
//! | `history.csv`, `.parquet` | of transient rolling: one row per step |
//! | `summary.json`, `report.html`, `figures/*.svg`, `scenario.toml` | as of any run |

mod claims;
mod creep;
mod edge;
mod file;
mod finite_elements;
mod measures;
mod model;
mod once;
mod picture;
mod share;
mod summary;
mod table;
mod view;

pub use creep::{Creep, CreepContact, CreepOptions, MOST_POINTS, Ranges, THEORIES, Tabulated, creep};
pub use finite_elements::RollingElements;
pub use model::{KIND, RollingContact};
pub use summary::RollingSummary;
pub use table::{Layout, Made, Rival, Tabulation};

use std::path::Path;

use stickslip_contact::case::{Case, Course, Moment, Outcome};
use stickslip_contact::tangential::{Solution, Status};
use stickslip_report::figure::Figure;
use stickslip_report::table::{Column, Formats, TableWriter};
use stickslip_report::vtk::{self, Cells, Field};

use stickslip_run::{self as run, Finished, Job, RunFailure, Scenario, Spent, Step, VERSION};
use stickslip_run::{write, write_scenario};

use self::share::Share;

const ELEMENTS: [Column; 10] = [
    Column::whole("i", "column, from the trailing edge"),
    Column::whole("j", "row"),
    Column::real("x", "m", "centre of the element, rolling direction"),
    Column::real("y", "m", "centre of the element, across"),
    Column::real("p", "Pa", "pressure"),
    Column::real("r_x", "Pa", "traction on body 1 along x"),
    Column::real("r_y", "Pa", "traction on body 1 along y"),
    Column::real("s_x", "1", "slip of body 1 over body 2 along x, over the rolling speed"),
    Column::real("s_y", "1", "slip of body 1 over body 2 along y, over the rolling speed"),
    Column::whole("status", "0 exterior, 1 stick, 2 slip"),
];

const HISTORY: [Column; 10] = [
    Column::real("distance", "m", "distance rolled; 0 for the shift at the start"),
    Column::real("shift_x", "m", "shift at the start along x; 0 in all other rows"),
    Column::real("shift_y", "m", "shift at the start along y; 0 in all other rows"),
    Column::real("xi", "1", "longitudinal creepage; 0 at the start, where nothing rolls yet"),
    Column::real("eta", "1", "lateral creepage; 0 at the start, where nothing rolls yet"),
    Column::real("F_x", "N", "force on body 1 along x"),
    Column::real("F_y", "N", "force on body 1 along y"),
    Column::real("stick_share", "1", "share of the elements in contact that stick"),
    Column::real("residual", "1", "residual reached"),
    Column::whole("iterations", "iterations made"),
];

/// The columns of the elements; in a shift nothing rolls, and slips are lengths.
fn element_columns(case: &Case) -> [Column; 10] {
    let shift = matches!(case.course, Course::Shift(_));
    ELEMENTS.map(|column| match (shift, column.name.as_ref()) {
        (true, "s_x") => Column::real("s_x", "m", "slip of body 1 over body 2 along x"),
        (true, "s_y") => Column::real("s_y", "m", "slip of body 1 over body 2 along y"),
        _ => column,
    })
}

/// The number of a status in tables and VTK files.
fn status(status: Status) -> i32 {
    match status {
        Status::Exterior => 0,
        Status::Stick => 1,
        Status::Slip => 2,
    }
}

/// Solves a rolling contact and writes elements, summary, figures and report into the folder.
fn solve(case: &Case, job: Job<'_>) -> Result<Finished, RunFailure> {
    let Job { scenario, folder, options, progress } = job;
    let mut spent = Spent::default();
    let mut share = Share::new(case);
    let outcome = spent.on("solution", || {
        case.solve(&mut |work| {
            if let Some(words) = share.words(work) {
                progress(Step::Share(share.of(work), words));
            }
        })
    });
    let outcome = outcome.map_err(RunFailure::model)?;
    progress(Step::Report);
    let summary = RollingSummary::new(scenario, case, &outcome);
    spent.on("report", || write_all(scenario, case, &outcome, &summary, (folder.path(), options.units), Vec::new()))?;
    let what = format!(
        "{} model, {}, {} × {} elements, solved",
        summary.model, summary.kind, summary.grid.along, summary.grid.across
    );
    let result = run::Outcome::Once { what, lines: summary.lines() };
    Ok(Finished { folder: folder.publish()?, result, spent })
}

fn write_all(
    scenario: &Scenario,
    case: &Case,
    outcome: &Outcome,
    summary: &RollingSummary,
    (path, units): (&Path, bool),
    more: Vec<(&'static str, Figure, String)>,
) -> Result<(), RunFailure> {
    let formats = Formats::ALL.with_units(units);
    let hash = scenario.hash.as_str();
    let metadata = [("stickslip.version", VERSION), ("stickslip.scenario", &scenario.name), ("stickslip.hash", hash)];
    let mut table = TableWriter::create(path, "elements", &element_columns(case), formats, &metadata)?;
    let Outcome { contact, solution, history, .. } = outcome;
    let grid = contact.grid();
    for k in 0..grid.len() {
        let (i, j) = grid.at(k);
        let y = if grid.is_plane() { 0.0 } else { grid.y(j) };
        table.row(&[
            i as f64,
            j as f64,
            grid.x(i),
            y,
            contact.pressure()[k],
            solution.traction_x[k],
            solution.traction_y[k],
            solution.slip_x[k],
            solution.slip_y[k],
            f64::from(status(solution.status[k])),
        ])?;
    }
    table.finish()?;
    if history.len() > 1 {
        let mut table = TableWriter::create(path, "history", &HISTORY, formats, &metadata)?;
        for Moment { distance, creepage, force, stick_share, residual, iterations } in history {
            // At the start the bodies are shifted over each other [m]; from then on they creep, a pure number.
            let ([shift_x, shift_y], [xi, eta]) = match *distance > 0.0 {
                false => (*creepage, [0.0; 2]),
                true => ([0.0; 2], *creepage),
            };
            let solved = [force[0], force[1], *stick_share, *residual, *iterations as f64];
            let [fx, fy, stick, residual, iterations] = solved;
            table.row(&[*distance, shift_x, shift_y, xi, eta, fx, fy, stick, residual, iterations])?;
        }
        table.finish()?;
    }
    let vtk = elements_vtk(&scenario.name, contact.pressure(), solution)
        .map_err(|error| RunFailure::Simulation(error.to_string()))?;
    write(path, "elements.vtk", vtk)?;
    let json = serde_json::to_string_pretty(summary).map_err(|e| RunFailure::Simulation(e.to_string()))?;
    write(path, "summary.json", json + "\n")?;
    write_scenario(path, scenario)?;
    let mut figures = view::figures(case, outcome, summary.closed_form.is_some());
    // Finite elements roll with given creepages, and have a figure of the way of their own.
    figures.retain(|(name, _)| *name != "history" || summary.finite_elements.is_none());
    for (name, figure) in &figures {
        write(path, &format!("figures/{name}.svg"), figure.to_svg())?;
    }
    for (name, figure, _) in &more {
        write(path, &format!("figures/{name}.svg"), figure.to_svg())?;
    }
    write(path, "report.html", view::report(scenario, case, outcome, summary, figures, more).to_html())
}

/// The same numbers as in `elements.csv`, in the same units.
fn elements_vtk(name: &str, pressure: &[f64], solution: &Solution) -> Result<String, vtk::FieldError> {
    let grid = &solution.grid;
    let states: Vec<i32> = solution.status.iter().map(|s| status(*s)).collect();
    // An infinitely long element is drawn as a square.
    let dy = if grid.is_plane() { grid.dx() } else { grid.dy() };
    let y0 = if grid.is_plane() { 0.0 } else { grid.y(0) };
    let cells = Cells {
        count: [grid.nx(), grid.ny()],
        origin: [grid.x(0) - 0.5 * grid.dx(), y0 - 0.5 * dy],
        size: [grid.dx(), dy],
    };
    let fields = [
        Field::Real("pressure_Pa", pressure),
        Field::Vector("traction_Pa", &solution.traction_x, &solution.traction_y),
        Field::Vector("slip", &solution.slip_x, &solution.slip_y),
        Field::Whole("status", &states),
    ];
    vtk::document(&format!("{name}: lengths in m; status 0 exterior, 1 stick, 2 slip"), cells, &fields)
}
