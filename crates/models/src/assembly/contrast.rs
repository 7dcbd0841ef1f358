//! The same assembly with its walls judged in the other way: inelastic shocks beside those of the plain θ-method.

use serde::Serialize;
use stickslip_core::law::State;
use stickslip_core::mechanics::{Judged, System};
use stickslip_core::scheme::{Event, Grid, Observer, judged_steps};
use stickslip_report::figure::{Axis, Figure, Panel, Series};
use stickslip_report::html::Section;
use stickslip_report::palette::Role;
use stickslip_run::text::{number, number_to};
use stickslip_run::view::untitled;
use stickslip_run::{Summary, Trace};

use super::{Assembly, AssemblyState};

/// Points of the curve that is drawn.
const POINTS: u64 = 1200;

/// What the other way of judging walls does.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Contrast {
    /// `shifted` or `end`.
    judged: &'static str,
    /// Times that the first wall was touched.
    touches: usize,
    /// Energy that all walls turned into heat \[J\].
    heat: f64,
    /// The first coordinate at the end \[m\].
    end: f64,
    /// (time \[s\], first coordinate \[m\]).
    #[serde(skip)]
    curve: Vec<[f64; 2]>,
}

struct Watch {
    every: u64,
    touches: usize,
    wall: usize,
    curve: Vec<[f64; 2]>,
}

impl Observer<AssemblyState> for Watch {
    type Error = std::convert::Infallible;

    fn every(&self) -> u64 {
        self.every
    }

    fn sample(&mut self, _: u64, t: f64, state: &AssemblyState) -> Result<(), Self::Error> {
        self.curve.push([t, state.q[0]]);
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Self::Error> {
        self.touches += usize::from(event.contact == self.wall && event.to == State::Stick);
        Ok(())
    }
}

impl Contrast {
    /// None where the run is no θ-method, has no wall, or has θ = 1, with which both are the same; none where the other one fails.
    pub(super) fn new(assembly: &Assembly, summary: &Summary) -> Option<Contrast> {
        let theta = summary.theta.filter(|theta| *theta < 1.0 && !assembly.walls.is_empty())?;
        let (judged, name) = match summary.judged {
            Some("end") => (Judged::Shifted, "shifted"),
            _ => (Judged::End, "end"),
        };
        let grid = Grid { h: summary.step, steps: summary.steps };
        let wall = assembly.parameters.pads.len();
        let mut watch = Watch { every: grid.steps.div_ceil(POINTS), touches: 0, wall, curve: Vec::new() };
        watch.curve.push([0.0, assembly.start().q[0]]);
        let outcome = judged_steps(assembly, (theta, judged), grid, &mut watch).ok()?;
        let heat = outcome.state.heat()[wall..].iter().sum();
        let end = outcome.state.q[0];
        Some(Contrast { judged: name, touches: watch.touches, heat, end, curve: watch.curve })
    }

    fn way(&self) -> &'static str {
        if self.judged == "end" {
            "at the end of each step (the plain θ-method)"
        } else {
            "in the shifted configuration"
        }
    }

    /// In words, for the terminal.
    pub(super) fn words(&self) -> String {
        format!(
            "plain   with walls judged {} instead, {} J become heat at the walls, and x ends at {} m",
            self.way(),
            number(self.heat),
            number(self.end)
        )
    }

    /// Both motions.
    pub(super) fn section(&self, assembly: &Assembly, trace: &Trace, summary: &Summary) -> (Section, Figure) {
        let body = &assembly.parameters.bodies[0].name;
        let name = stickslip_core::record::column_part(&format!("x_{body}"));
        let own: Vec<[f64; 2]> = trace.column("t").iter().zip(trace.column(&name)).map(|(t, x)| [*t, *x]).collect();
        let names = match self.judged {
            "end" => ["judged in the shifted configuration", "judged at the end of the step"],
            _ => ["judged at the end of the step", "judged in the shifted configuration"],
        };
        let mut panel =
            Panel::new(Axis::linear("time", "s").from_to(0.0, trace.end), Axis::linear(format!("x of {body}"), "m"))
                .with(Series::line(names[0], Role::Stick, own))
                .with(Series::line(names[1], Role::Slip, self.curve.clone()));
        panel.height = 260.0;
        let figure = Figure::stacked(vec![panel]).titled("Shocks by two ways of judging contact");
        let heat: f64 = assembly
            .walls
            .iter()
            .filter_map(|stop| {
                let name = &assembly.parameters.stops[*stop].name;
                summary.energy.dissipated.iter().find(|(contact, _)| contact == name).map(|(_, energy)| *energy)
            })
            .sum();
        let theta = summary.theta.unwrap_or(1.0);
        let text = format!(
            "The same steps, with walls judged {} instead: {} J become heat at the walls instead of {} J. Judged at the end of a step \
             a blow comes back with up to (1−θ)/θ = {} of its speed, depending on where within a step it falls: the scheme's doing. In the \
             shifted configuration what is touched before and after a step rests.",
            self.way(),
            number(self.heat),
            number(heat),
            number_to((1.0 - theta) / theta, 3)
        );
        let content = vec![untitled(&figure)];
        (Section { heading: "Inelastic, or not".into(), text, content }, figure)
    }
}
