//! The figures of the gallery.

use stickslip_report::figure::{Anchor, Axis, Figure, Note, Panel, Series, Strip, Style};
use stickslip_report::palette::Role;
use stickslip_report::regions::{self, Bounds};

use crate::braking::{GROUND, INERTIA, MASS, Run, STEP};

/// All figures with their file names.
pub fn all(run: &Run) -> Vec<(&'static str, Figure)> {
    vec![("time", over_time(run)), ("graph", graph_of_the_law(run)), ("regions", nine_regions(run)), ("order", order())]
}

fn pairs(x: &[f64], y: impl IntoIterator<Item = f64>) -> Vec<[f64; 2]> {
    x.iter().zip(y).map(|(&x, y)| [x, y]).collect()
}

/// The states of both contacts.
pub fn strips(run: &Run) -> Vec<Strip> {
    vec![Strip::from_states("ground", &run.t, run.states(0)), Strip::from_states("brake", &run.t, run.states(1))]
}

/// Forces and speeds over time, with the states of both contacts.
fn over_time(run: &Run) -> Figure {
    let time = || Axis::linear("time", "s");
    let forces =
        Panel { height: 130.0, strips: strips(run), ..Panel::new(time(), Axis::linear("force at the rim", "N")) }
            .with(Series::line("brake bound a_B", Role::First, pairs(&run.t, run.a_b.iter().copied())))
            .with(Series::line("motor M/R", Role::Third, pairs(&run.t, run.motor.iter().copied())))
            .with(Series::line("brake force −g", Role::Second, pairs(&run.t, run.g.iter().map(|g| -g))));
    let mut speeds = Panel::new(time(), Axis::linear("speed", "m/s"))
        .with(Series::line("wheel centre x_1", Role::First, pairs(&run.t, run.x1.iter().copied())))
        .with(Series::line("rim −x_2", Role::Second, pairs(&run.t, run.x2.iter().map(|x| -x))));
    speeds.bands = strips(run)[0].bands.clone();
    speeds.notes.push(Note { at: [1.35, 1.2], text: "wheel locked".to_owned(), anchor: Anchor::Middle });
    Figure::stacked(vec![forces, speeds]).titled("Sport braking from 20 m/s")
}

/// G = g/a_B against x2: every point lies on the graph of σ.
fn graph_of_the_law(run: &Run) -> Figure {
    let braked = (0..run.t.len()).filter(|&i| run.a_b[i] > 0.0).step_by(25);
    let points = braked.map(|i| [run.x2[i], run.g[i] / run.a_b[i]]).collect();
    let law = vec![[-21.0, -1.0], [0.0, -1.0], [0.0, 1.0], [4.0, 1.0]];
    let panel = Panel {
        height: 240.0,
        ..Panel::new(
            Axis::linear("rim speed x_2", "m/s").from_to(-21.0, 4.0),
            Axis::linear("G = g/a_B", "1").from_to(-1.3, 1.3),
        )
    }
    .with(Series::line("graph of σ", Role::Reference, law).wide(5.0))
    .with(Series::markers("simulated, every 25th step", Role::Second, points));
    Figure::stacked(vec![panel]).titled("The brake obeys its law")
}

/// The regions at the moment of full braking.
fn nine_regions(run: &Run) -> Figure {
    let bounds = Bounds { d1: STEP / MASS, d2: STEP / INERTIA, a_g: GROUND, a_b: 2.0 * GROUND };
    regions::figure(&bounds, &run.z, "t = 1 s")
}

/// Error against step size with the fitted order.
fn order() -> Figure {
    let errors = [0.6811, 0.3448, 0.1723, 0.08613, 0.04303];
    let points: Vec<[f64; 2]> =
        errors.iter().enumerate().map(|(k, &error)| [6.0 / f64::from(1024 << k), error]).collect();
    // Least squares in logarithms.
    let logs: Vec<[f64; 2]> = points.iter().map(|p| [p[0].ln(), p[1].ln()]).collect();
    let mean = |k: usize| logs.iter().map(|p| p[k]).sum::<f64>() / logs.len() as f64;
    let middle = [mean(0), mean(1)];
    let moment = |k: usize| -> f64 {
        let terms = logs.iter().map(|p| (p[0] - middle[0]) * (p[k] - middle[k]));
        terms.sum()
    };
    let slope = moment(1) / moment(0);
    let fit = |h: f64| (middle[1] + slope * (h.ln() - middle[0])).exp();
    let ends = [points[0][0], points[4][0]].map(|h| [h, fit(h)]);
    let panel = Panel {
        height: 260.0,
        ..Panel::new(Axis::log("step h", "s"), Axis::log("error of the speeds, max norm", "m/s"))
    }
    .with(Series::line(format!("fitted order {slope:.3}"), Role::Reference, ends.to_vec()))
    .with(Series { style: Style::Markers, ..Series::line("implicit Euler", Role::First, points.clone()) });
    let mut figure = Figure::stacked(vec![panel]).titled("The error halves with the step");
    figure.width = 520.0;
    figure
}
