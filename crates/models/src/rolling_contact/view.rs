//! The pictures of a rolling contact.

use stickslip_contact::case::{Body, Case, Course, Outcome};
use stickslip_contact::grid::Grid;
use stickslip_contact::tangential::{Solution, Status};
use stickslip_report::figure::{Arrow, Axis, Band, Figure, Map, Panel, Series, Shade, Strip};
use stickslip_report::html::{Content, Fact, Grade, Report, Section, Verdict};
use stickslip_report::palette::{Role, State};
use stickslip_run::Scenario;

use super::edge::slip_at_the_front;
use super::picture::{film, map};
use super::summary::{RollingSummary, closed_form};
use stickslip_run::VERSION;
use stickslip_run::text::{number, number_to, percent};
use stickslip_run::view::measures_section;

/// Share by which the creepage may miss the closed form without a caution.
const CREEPAGE_SOUND: f64 = 0.01;

/// Arrows in a row at the most.
const ARROWS: usize = 22;

/// Width of one of two plots beside each other, for equal scales along x and y.
const PLOT: f64 = 296.0;

/// Figures by file name, without ending.
pub(super) fn figures(case: &Case, outcome: &Outcome, exact: bool) -> Vec<(&'static str, Figure)> {
    let mut figures = Vec::new();
    if !case.is_line() {
        figures.push(("contact", contact_figure(case, outcome)));
    }
    figures.push(("traction", traction_figure(case, outcome, exact)));
    if outcome.history.len() > 1 {
        figures.push(("history", history_figure(case, outcome)));
    }
    figures
}

pub(super) fn state(status: Status) -> State {
    match status {
        Status::Exterior => State::Open,
        Status::Stick => State::Stick,
        Status::Slip => State::Slip,
    }
}

/// Pressure on the left, stick and slip with traction arrows on the right; mm.
fn contact_figure(case: &Case, outcome: &Outcome) -> Figure {
    let (grid, pressure) = (outcome.contact.grid(), outcome.contact.pressure());
    let greatest = pressure.iter().copied().fold(0.0, f64::max);
    let levels = pressure.iter().map(|p| if *p > 0.0 { Shade::Level(p / greatest) } else { Shade::Empty });
    let mut left = map_panel(grid, levels.collect());
    left.title = format!("Pressure, up to {} MPa", number_to(1e-6 * greatest, 4));
    let mut right = map_panel(grid, shades(&outcome.solution));
    right.title = match case.course {
        Course::Shift(_) => "Tractions on body 1".into(),
        _ => "Tractions on body 1; rolling towards +x".into(),
    };
    right.arrows = arrows(&outcome.solution);
    Figure::side_by_side(vec![left, right]).titled("Tractions as arrows")
}

/// Where the bodies stick and where they slip.
pub(super) fn shades(solution: &Solution) -> Vec<Shade> {
    let shade = |status: &Status| match status {
        Status::Exterior => Shade::Empty,
        other => Shade::State(state(*other)),
    };
    solution.status.iter().map(shade).collect()
}

pub(super) fn map_panel(grid: &Grid, shades: Vec<Shade>) -> Panel {
    let (dx, dy) = (1e3 * grid.dx(), 1e3 * grid.dy());
    let (x0, y0) = (1e3 * grid.x(0) - 0.5 * dx, 1e3 * grid.y(0) - 0.5 * dy);
    let (lx, ly) = (dx * grid.nx() as f64, dy * grid.ny() as f64);
    let mut panel =
        Panel::new(Axis::linear("x", "mm").from_to(x0, x0 + lx), Axis::linear("y", "mm").from_to(y0, y0 + ly));
    panel.height = (PLOT * ly / lx).clamp(90.0, 520.0);
    panel.map = Some(Map { columns: grid.nx(), origin: [x0, y0], size: [dx, dy], shades });
    panel
}

/// Tractions of every n-th element, the longest as long as n elements.
fn arrows(solution: &Solution) -> Vec<Arrow> {
    let grid = &solution.grid;
    let nth = grid.nx().max(grid.ny()).div_ceil(ARROWS).max(1);
    let size = |k: usize| solution.traction_x[k].hypot(solution.traction_y[k]);
    let greatest = (0..grid.len()).map(size).fold(0.0, f64::max);
    if greatest <= 0.0 {
        return Vec::new();
    }
    let length = 1e3 * nth as f64 * grid.dx().min(grid.dy());
    let shown = |n: usize| (n / 2 % nth..n).step_by(nth);
    let mut arrows = Vec::new();
    for j in shown(grid.ny()) {
        for i in shown(grid.nx()) {
            let k = i + j * grid.nx();
            let by = length / greatest;
            let half = [0.5 * by * solution.traction_x[k], 0.5 * by * solution.traction_y[k]];
            let at = [1e3 * grid.x(i), 1e3 * grid.y(j)];
            if size(k) > 0.0 {
                arrows.push(Arrow { from: [at[0] - half[0], at[1] - half[1]], to: [at[0] + half[0], at[1] + half[1]] });
            }
        }
    }
    arrows
}

/// |r| and μp along the middle row, with the closed form where there is one.
fn traction_figure(case: &Case, outcome: &Outcome, exact: bool) -> Figure {
    let (grid, solution) = (outcome.contact.grid(), &outcome.solution);
    let j = grid.ny() / 2;
    let row = |value: &dyn Fn(usize) -> f64| -> Vec<[f64; 2]> {
        (0..grid.nx()).map(|i| [1e3 * grid.x(i), 1e-6 * value(i + j * grid.nx())]).collect()
    };
    let slip = |k: usize| solution.slip_x[k].hypot(solution.slip_y[k]);
    let bound = row(&|k| case.bound(outcome.contact.pressure()[k], slip(k)));
    let traction = row(&|k| solution.traction_x[k].hypot(solution.traction_y[k]));
    let half = 0.5 * grid.dx();
    let ends = [1e3 * (grid.x(0) - half), 1e3 * (grid.x(grid.nx() - 1) + half)];
    let along = match case.course {
        Course::Shift(_) => "x",
        _ => "x, rolling towards the right",
    };
    let mut panel = Panel::new(Axis::linear(along, "mm").from_to(ends[0], ends[1]), Axis::linear("traction", "MPa"))
        .with(Series::line("bound μp", Role::Reference, bound).wide(3.0));
    if let Some((name, exact)) = closed_form(case, outcome).filter(|_| exact) {
        let points = (0..=400).map(|k| ends[0] + (ends[1] - ends[0]) * f64::from(k) / 400.0);
        let curve = points.map(|x| [x, 1e-6 * exact.at(1e-3 * x)]).collect();
        panel = panel.with(Series::line(format!("{name}, closed form"), Role::Second, curve));
    }
    let name = if grid.nx() <= 60 { "computed |r|, point by point" } else { "computed |r|" };
    panel = panel.with(match grid.nx() <= 60 {
        true => Series::markers(name, Role::First, traction),
        false => Series::line(name, Role::First, traction),
    });
    let mut bands: Vec<Band> = Vec::new();
    for i in 0..grid.nx() {
        let state = state(solution.status[i + j * grid.nx()]);
        let (from, to) = (1e3 * (grid.x(i) - half), 1e3 * (grid.x(i) + half));
        match bands.last_mut() {
            Some(band) if band.state == state => band.to = to,
            _ => bands.push(Band { from, to, state }),
        }
    }
    panel.strips = vec![Strip { contact: "contact".into(), bands }];
    panel.height = 240.0;
    let title = if grid.is_plane() { "Traction" } else { "Traction along the middle row" };
    Figure::stacked(vec![panel]).titled(title)
}

/// Creepage and share of stick over the distance rolled, from the first step on.
fn history_figure(case: &Case, outcome: &Outcome) -> Figure {
    let rolled = || outcome.history.iter().filter(|moment| moment.distance > 0.0);
    let creepage = |k: usize| rolled().map(|m| [1e3 * m.distance, m.creepage[k]]).collect::<Vec<_>>();
    let axis = || Axis::linear("distance rolled", "mm");
    let mut upper =
        Panel::new(axis(), Axis::linear("creepage", "")).with(Series::line("longitudinal ξ", Role::First, creepage(0)));
    if rolled().any(|m| m.creepage[1].abs() > 1e-9 * m.creepage[0].abs()) {
        upper = upper.with(Series::line("lateral η", Role::Second, creepage(1)));
    }
    let stick = outcome.history.iter().map(|m| [1e3 * m.distance, m.stick_share]).collect();
    let lower = Panel::new(axis(), Axis::linear("share that sticks", "").from_to(0.0, 1.0)).with(Series::line(
        "",
        Role::Stick,
        stick,
    ));
    let title = match case.course {
        Course::Transient { shifted: true, .. } => "From the shift to steady rolling",
        _ => "Towards steady rolling",
    };
    Figure::stacked(vec![upper, lower]).titled(title)
}

/// The report.
pub(super) fn report(
    scenario: &Scenario,
    case: &Case,
    outcome: &Outcome,
    summary: &RollingSummary,
    figures: Vec<(&'static str, Figure)>,
    more: Vec<(&'static str, Figure, String)>,
) -> Report {
    let words = |name: &str| match name {
        "contact" => {
            "Grey: the pressure in ten steps. Colours: where the bodies stick to each other and where they slip; arrows are tractions on \
             body 1, the longest as long as their distance."
        }
        "traction" => {
            "Where the traction reaches the bound μp the bodies slip; below it they stick, and the slip there is exactly 0."
        }
        _ => {
            "Rolling brings in material without strain at the front; after about one contact length it is steady. The creepage begins \
             with the first step that is rolled; a shift before it is a distance and not drawn."
        }
    };
    let mut files = files(outcome, &figures);
    files.extend(more.iter().map(|(name, ..)| format!("figures/{name}.svg")));
    if summary.finite_elements.is_some() {
        files.push("nodes.csv".into());
        if files.iter().any(|file| file.ends_with("creepage-step.svg")) {
            files.push("transient.csv".into());
        }
        if files.iter().any(|file| file.ends_with("creep-curve.svg")) {
            files.push("curve.csv".into());
        }
        if files.iter().any(|file| file.ends_with("bodies.svg")) {
            files.extend(["body-1.vtu".into(), "body-2.vtu".into()]);
        }
    }
    let section = |(name, figure): (&'static str, Figure)| {
        let front = slip_at_the_front(case, outcome).filter(|_| name == "traction").unwrap_or_default();
        Section {
            heading: figure.title.clone(),
            text: format!("{}{front}", words(name)),
            content: vec![Content::Figure(Figure { title: String::new(), ..figure })],
        }
    };
    // The map shows all of it but the directions of the tractions.
    let (arrows, figures): (Vec<_>, Vec<_>) = figures.into_iter().partition(|(name, _)| *name == "contact");
    let mut sections: Vec<Section> = measures_section(&summary.measures).into_iter().collect();
    let told = |(_, figure, text): (&'static str, Figure, String)| Section {
        heading: figure.title.clone(),
        text,
        content: vec![Content::Figure(Figure { title: String::new(), ..figure })],
    };
    // The way to steady rolling is what such a run is about.
    let (way, more): (Vec<_>, Vec<_>) = more.into_iter().partition(|(name, ..)| *name == "creepage-step");
    sections.extend(way.into_iter().map(told));
    sections.extend(figures.into_iter().map(section));
    sections.extend(film(case, outcome));
    sections.extend(more.into_iter().map(told));
    let folded = arrows.into_iter().map(section).collect();
    Report {
        title: scenario.title.clone().unwrap_or_else(|| scenario.name.clone()),
        subtitle: scenario.description.clone().unwrap_or_default(),
        key: key(summary),
        picture: vec![Content::Field(map(case, outcome))],
        facts: facts(case, summary),
        verdicts: verdicts(summary),
        assumptions: assumptions(case, summary),
        sections,
        folded,
        files,
        scenario: scenario.text.clone(),
        version: VERSION.to_string(),
    }
}

/// Files beside the report.
fn files(outcome: &Outcome, figures: &[(&'static str, Figure)]) -> Vec<String> {
    let mut files: Vec<String> =
        ["elements.csv", "elements.vtk", "summary.json", "scenario.toml"].map(String::from).to_vec();
    if outcome.history.len() > 1 {
        files.push("history.csv".into());
    }
    files.extend(figures.iter().map(|(name, _)| format!("figures/{name}.svg")));
    files
}

/// The numbers that a page begins with.
fn key(s: &RollingSummary) -> Vec<Fact> {
    let moved = match s.kind {
        "shift" => Fact::new("shift", format!("{} µm", number_to(1e6 * s.longitudinal.hypot(s.lateral), 4))),
        _ => Fact::new("creepage", format!("{} %", number_to(1e2 * s.longitudinal.hypot(s.lateral), 4)))
            .noted("of the rolling speed"),
    };
    let mut key = vec![
        Fact::new("friction used", percent(s.friction_used)).noted("of what it can transmit, μN"),
        moved,
        Fact::new("sticks", percent(s.stick_share)).noted("of the contact"),
        Fact::new("greatest pressure", format!("{} MPa", number_to(1e-6 * s.p0, 4))),
    ];
    if let Some(free) = s.finite_elements.as_ref().and_then(|note| note.free_rolling) {
        let free = Fact::new("free rolling", format!("{} %", number_to(1e2 * free, 3)));
        // In the place of the pressure, which unlike bodies are not looked at for.
        key.pop();
        key.push(free.noted("creepage without force along x"));
    }
    key
}

/// The geometry in words, and what the theory takes for granted.
fn assumptions(case: &Case, summary: &RollingSummary) -> Vec<String> {
    let [first, second] = &case.bodies;
    let radius = |r: f64| if r.is_infinite() { "flat".to_string() } else { format!("{} mm", number_to(1e3 * r, 4)) };
    let body = |body: &Body| match case.is_line() {
        true => radius(body.radii.x),
        false => format!("{} along and {} across", radius(body.radii.x), radius(body.radii.y)),
    };
    let kind = match (second.radii.x.is_infinite(), first.radii == second.radii) {
        (true, _) => "a roller on a flat body",
        (false, true) => "a roller on a roller like it: this is also what a scenario without [second] means",
        (false, false) => "two bodies of different shape",
    };
    let mut assumptions = vec![
        format!("Radii: body 1 {}, body 2 {}: {kind}.", body(first), body(second)),
        match &summary.finite_elements {
            None => {
                "Both bodies are elastic half-spaces at the contact, which is small beside their radii; smooth and dry."
                    .to_string()
            }
            Some(note) => format!(
                "Both bodies are linear elastic, made of finite elements ({} unknowns), wheels clamped at the hub and blocks at the \
                 bottom; smooth and dry. Strains are small, and the contact stays in its plane.",
                note.dofs.iter().map(usize::to_string).collect::<Vec<_>>().join(" and ")
            ),
        },
    ];
    if case.is_line() {
        assumptions.push("Parallel cylinders, infinitely long; forces are per metre of their length.".into());
    }
    assumptions
}

fn facts(case: &Case, s: &RollingSummary) -> Vec<Fact> {
    let per = if case.is_line() { " per metre" } else { "" };
    let shift = s.kind == "shift";
    let moved = if shift { ["shift along x", "shift along y"] } else { ["creepage ξ", "creepage η"] };
    let unit = if shift { " m" } else { "" };
    let mut facts = vec![
        Fact::new("scenario", &s.scenario).noted(format!("model {}, {}", s.model, s.kind)),
        Fact::new("grid", format!("{} × {} {}", s.grid.along, s.grid.across, s.cells()))
            .noted(format!("{} stick, {} slip", s.stick_elements, s.slip_elements)),
        Fact::new("force on body 1", format!("({}, {}) N{per}", number(s.force_x), number(s.force_y)))
            .noted(format!("{} of μN", percent(s.friction_used))),
    ];
    if !case.is_line() {
        facts.push(Fact::new("moment M_z", format!("{} N m", number(s.moment))));
    }
    facts.push(Fact::new(moved[0], number(s.longitudinal) + unit));
    facts.push(Fact::new(moved[1], number(s.lateral) + unit));
    if s.spin != 0.0 {
        facts.push(Fact::new("spin φ", format!("{} rad/m", number(s.spin))));
    }
    facts.push(Fact::new("sticks", percent(s.stick_share)).noted(format!("of the {} in contact", s.cells())));
    facts.push(
        Fact::new("greatest pressure", format!("{} MPa", number(1e-6 * s.p0)))
            .noted(format!("Hertz: {} MPa", number(1e-6 * s.hertz.p0))),
    );
    facts.push(Fact::new("half-length a by Hertz", format!("{} mm", number(1e3 * s.hertz.a))));
    if let Some(b) = s.hertz.b {
        facts.push(Fact::new("half-width b by Hertz", format!("{} mm", number(1e3 * b))));
    }
    facts.push(
        Fact::new("load", format!("{} N{per}", number(s.load))).noted(format!("μN = {} N{per}", number(s.limit))),
    );
    if let Some(free) = s.finite_elements.as_ref().and_then(|note| note.free_rolling) {
        facts.push(Fact::new("rolls freely", format!("at ξ = {}", number_to(free, 3))).noted("without force along x"));
    }
    facts.push(Fact::new("solved in", format!("{} iterations", s.iterations)));
    facts
}

fn verdicts(s: &RollingSummary) -> Vec<Verdict> {
    let worst = s.residual.max(s.pressure_residual);
    let mut verdicts = vec![Verdict {
        grade: if worst <= 1e-6 { Grade::Sound } else { Grade::Caution },
        text: format!("Worst residual of pressure and tractions: {}.", number_to(worst, 2)),
    }];
    let off = (s.p0 / s.hertz.p0 - 1.0).abs();
    verdicts.push(Verdict {
        grade: if off <= 0.02 { Grade::Sound } else { Grade::Caution },
        text: format!(
            "Pressure alone: its greatest value differs from Hertz's by {}, a measure of the grid. It says nothing of \
             tractions, creepage and stick, whose errors may be greater.",
            percent(off)
        ),
    });
    if let Some(exact) = &s.closed_form {
        let off = (s.friction_used - exact.friction_used).abs();
        verdicts.push(Verdict {
            grade: if off <= 0.01 { Grade::Sound } else { Grade::Caution },
            text: format!(
                "{}'s closed form has {} of μN and {} stick; computed are {} and {}.",
                exact.name,
                percent(exact.friction_used),
                percent(exact.stick_share),
                percent(s.friction_used),
                percent(s.stick_share)
            ),
        });
    }
    if let Some((exact, off)) = s.creepage_error() {
        verdicts.push(Verdict {
            grade: if off <= CREEPAGE_SOUND { Grade::Sound } else { Grade::Caution },
            text: format!(
                "Creepage: Carter's closed form has {}, computed is {}, {} off.",
                number(exact),
                number(s.longitudinal.abs()),
                percent(off)
            ),
        });
    }
    verdicts.extend(s.doubts().iter().map(|doubt| Verdict { grade: Grade::Caution, text: format!("{doubt}.") }));
    verdicts
}
