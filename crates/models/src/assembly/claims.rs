//! Assemblies: the bogie, two masses, textbook oscillators (docs/assembly.md).

use crate::assembly::{Assembly, AssemblyState, Parameters};
use stickslip_core::law::State;
use stickslip_core::mechanics::Judged;
use stickslip_core::scheme::Grid;
use stickslip_core::simulation::{Simulation, Stepped};
use stickslip_scenario::{Override, Scheme};

use stickslip_verify::Basis::{ClosedForm, Consistency, Reference};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Text, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Value};

use crate::measured::measured;

/// What this model claims.
pub(super) const CHAPTERS: &[Chapter] = &[
    crate::between_events::CHAPTER,
    CHAPTER,
    SHOCKS,
    MEASURES,
    crate::stability::CHAPTER,
    crate::parameter_spaces::CHAPTER,
];

const SHOCKS: Chapter = Chapter {
    title: "Shocks by the modified θ-method",
    claims: &[
        Claim::that("mass-on-stop, θ = ½: heat of the blow, ½ k (1² − ½²) (J)")
            .by(ClosedForm, "energy at the stop; docs/assembly.md 5")
            .expects(Near(14.804_406_601_634, 1e-6), |_| Ok(Number(run("mass-on-stop", &[])?.heat))),
        Claim::that("the same with 1200 steps: error of x(1) = −0.25 (m), first order across the blow")
            .by(ClosedForm, "cos about the spring's rest, from the stop at t = 1/3 s")
            .expects(Near(0.0, 0.0024), |_| Ok(Number(run("mass-on-stop", &[])?.end + 0.25))),
        Claim::that("the same, θ = 0.6, 600 steps: x(1) + 1 (m)")
            .by(Reference, "reference/squeal/theta-shock.csv, an independent code")
            .expects(Near(0.753_427_834_9, 1e-9), |_| {
                Ok(Number(run("mass-on-stop", &["run.step=0.0016666666666666668", "run.theta=0.6"])?.end + 1.0))
            }),
        Claim::that("the plain θ-method, θ = ½, 2400 steps: heat of the blow (J), an elastic bounce")
            .by(Reference, "reference/squeal/theta-shock.csv, an independent code")
            .expects(Near(0.027_025_268_96, 1e-7), |_| {
                Ok(Number(run("mass-on-stop", &["run.step=4.166666666666667e-4", "run.judged=\"end\""])?.heat))
            }),
        Claim::that("θ = 1, 2400 steps: what the energy identity leaves over (J)")
            .by(Consistency, "docs/assembly.md 5")
            .expects(AtMost(1e-10), |_| {
                Ok(Number(run("mass-on-stop", &["run.step=4.166666666666667e-4", "run.theta=1"])?.lost))
            }),
    ],
};

const CHAPTER: Chapter = Chapter {
    title: "Assemblies: bogie, two masses, oscillators",
    claims: &[
        Claim::that("bogie-case-1b, stuck: greatest relative displacement of any pad (m)")
            .by(ClosedForm, "docs/assembly.md 4: rest holds below the threshold")
            .expects(Exactly(0.0), |_| Ok(Number(run("bogie-case-1b", &[])?.moved))),
        Claim::that("the same: greatest friction of a pad, ηA/2 (N)")
            .by(ClosedForm, "docs/assembly.md 3")
            .expects(Near(755.2, 0.06), |_| Ok(Number(run("bogie-case-1b", &[])?.force))),
        Claim::that("bogie-case-2, stuck at 90 % of the limit: greatest relative displacement (m)")
            .by(ClosedForm, "docs/assembly.md 4: rest holds below the threshold")
            .expects(Exactly(0.0), |_| Ok(Number(run("bogie-case-2", &[])?.moved))),
        Claim::that("the same: greatest friction of a pad (N)")
            .by(ClosedForm, "docs/assembly.md 4")
            .expects(Near(1194.1, 0.06), |_| Ok(Number(run("bogie-case-2", &[])?.force))),
        Claim::that("bogie-case-2q: greatest friction of a pad (N)")
            .by(ClosedForm, "docs/assembly.md 4")
            .expects(Near(1132.8, 0.06), |_| Ok(Number(run("bogie-case-2q", &[])?.force))),
        Claim::that("bogie-case-1: first slip, asin(0.70612)/3π, to one step of 0.1 ms (s)")
            .by(ClosedForm, "docs/assembly.md 4")
            .expects(Near(0.083_186, 1.1e-4), |_| {
                run("bogie-case-1", &[])?.first.map(Number).ok_or_else(|| "it did not slip".into())
            }),
        Claim::that("the same until 2 s, where it is still symmetric: greatest relative displacement (mm)")
            .by(ClosedForm, "docs/assembly.md 4; first order in h = 0.1 ms")
            .expects(Near(6.0472, 2e-3), |_| Ok(Number(1e3 * run("bogie-case-1", &["run.duration=2"])?.moved))),
        Claim::that("bogie-case-2b: time with all pads stuck (%)")
            .by(ClosedForm, "docs/assembly.md 4; first order in h = 0.1 ms")
            .expects(Near(30.81, 0.3), |_| Ok(Number(100.0 * run("bogie-case-2b", &[])?.stuck))),
        Claim::that("bogie-front-only: greatest relative displacement (mm)")
            .by(Consistency, "reference/bogie/summary.csv, the same scheme and step")
            .expects(Near(6.0325, 1e-4), |_| Ok(Number(1e3 * run("bogie-front-only", &[])?.moved))),
        Claim::that("bogie-shared-load: greatest relative displacement (mm)")
            .by(Reference, "reference/bogie/load-readings.csv")
            .expects(Near(5.225, 1e-3), |_| Ok(Number(1e3 * run("bogie-shared-load", &[])?.moved))),
        Claim::that("bogie-case-2b: worst residual, relative")
            .by(Consistency, "the solver's own tally")
            .expects(AtMost(1e-12), |_| Ok(Number(run("bogie-case-2b", &[])?.residual))),
        Claim::that("two-mass: first slip, asin 0.8 (s)")
            .by(Reference, "reference/two-mass/direct-segments.csv")
            .expects(Near(0.927_295_218, 2.1e-4), |_| {
                let seen = run("two-mass", &["run.step=1e-4"])?;
                seen.first.map(Number).ok_or_else(|| "it did not slip".into())
            }),
        Claim::that("two-mass: greatest stroke of a slip (m)")
            .by(Reference, "reference/two-mass/direct-segments.csv")
            .expects(Within(0.187_794_523, 2e-3), |_| {
                Ok(Number(run("two-mass", &["run.step=1e-4", "run.duration=4"])?.moved))
            }),
        Claim::that("block-on-belt: greatest stretch of the spring, (F_k + √((F_s − F_k)² + mkv²))/k (m)")
            .by(ClosedForm, "circle about F_k/k in slip, from (F_s/k, v); first order in h = 1 ms")
            .expects(Near(1.038_516_480_713, 1e-3), |_| Ok(Number(run("block-on-belt", &[])?.position))),
        Claim::that("coulomb-oscillator by moreau-jean: place of rest, 15 − √205 (m)")
            .by(ClosedForm, "docs/assembly.md 4")
            .expects(Near(15.0 - 14.317_821_063_276_353, 2e-3), |_| {
                Ok(Number(run("coulomb-oscillator", &["run.scheme=moreau-jean"])?.end))
            }),
        Claim::that("coulomb-oscillator: speed at rest (m/s)")
            .by(Consistency, "rest is exact")
            .expects(Exactly(0.0), |_| Ok(Number(run("coulomb-oscillator", &[])?.speed))),
    ],
};

const MEASURES: Chapter = Chapter {
    title: "Measures of oscillations",
    claims: &[
        Claim::that("block-on-belt by events: period (s)")
            .by(ClosedForm, "sticks F_s/(k v) + … = 5 s, slips along a circle about F_k/k: docs/assembly.md 4")
            .expects(Near(8.902_605_408, 1e-9), |_| measured("block-on-belt", &["run.scheme=events"], "period")),
        Claim::that("the same: amplitude (m), √((F_s − F_k)² + m k v²)/k")
            .by(ClosedForm, "circle about F_k/k in slip, from (F_s/k, v)")
            .expects(Near(0.538_516_480_713, 1e-9), |_| measured("block-on-belt", &["run.scheme=events"], "amplitude")),
        Claim::that("the same: stick_duty, 5 s of a period")
            .by(ClosedForm, "sticks F_s/(k v) + … = 5 s, slips along a circle about F_k/k: docs/assembly.md 4")
            .expects(Near(5.0 / 8.902_605_408, 1e-9), |_| {
                measured("block-on-belt", &["run.scheme=events"], "stick_duty")
            }),
        Claim::that("block-on-belt by steps of 1 ms: period (s), first order in h")
            .by(ClosedForm, "sticks F_s/(k v) + … = 5 s, slips along a circle about F_k/k: docs/assembly.md 4")
            .expects(Near(8.902_605_408, 5e-3), |_| measured("block-on-belt", &[], "period")),
        Claim::that("den-hartog by events: amplitude (m) at F = 0.3, r = 0.8")
            .by(ClosedForm, "Den Hartog 1930: A² = V² − (F U)², V = 1/(1 − r²), U = sin(π/r)/(r (1 + cos(π/r)))")
            .expects(Near(2.626_104_876, 2e-6), |_| {
                measured("den-hartog", &["run.scheme=events", "run.duration=600"], "amplitude")
            }),
        Claim::that("the same: period (s), that of the drive")
            .by(ClosedForm, "Den Hartog 1930: A² = V² − (F U)², V = 1/(1 − r²), U = sin(π/r)/(r (1 + cos(π/r)))")
            .expects(Near(7.853_981_634, 2e-6), |_| {
                measured("den-hartog", &["run.scheme=events", "run.duration=600"], "period")
            }),
        Claim::that("the same at F = 0.2: amplitude (m)")
            .by(ClosedForm, "Den Hartog 1930: A² = V² − (F U)², V = 1/(1 − r²), U = sin(π/r)/(r (1 + cos(π/r)))")
            .expects(Near(2.711_415_255_438, 2e-6), |_| {
                measured("den-hartog", &["run.scheme=events", "run.duration=900", "pad.pad.load=0.2"], "amplitude")
            }),
        Claim::that("den-hartog by steps of 1 ms: amplitude (m), first order in h")
            .by(ClosedForm, "Den Hartog 1930: A² = V² − (F U)², V = 1/(1 − r²), U = sin(π/r)/(r (1 + cos(π/r)))")
            .expects(Near(2.626_104_876, 5e-3), |_| measured("den-hartog", &[], "amplitude")),
        Claim::that("two-mass by events: period (s), that of the drive")
            .by(ClosedForm, "2π")
            .expects(Near(std::f64::consts::TAU, 1e-9), |_| measured("two-mass", &["run.scheme=events"], "period")),
        Claim::that("two-mass by events: greatest_displacement (m), the stroke of a slip")
            .by(Reference, "reference/two-mass/direct-segments.csv")
            .expects(Near(0.187_794_523, 1e-9), |_| {
                measured("two-mass", &["run.scheme=events"], "greatest_displacement")
            }),
        Claim::that(
            "coulomb-oscillator, which comes to rest, and friction-oscillator, which is chaotic, have no period",
        )
        .by(ClosedForm, "docs/measures.md: only what repeats itself has one")
        .expects(Text("none, none"), |_| {
            let period = |name: &str| measured(name, &["run.scheme=events"], "period");
            let told = ["coulomb-oscillator", "friction-oscillator"].map(|name| match period(name) {
                Ok(_) => "one",
                Err(why) if why == "the run has no period" => "none",
                Err(_) => "broken",
            });
            Ok(Value::Text(told.join(", ")))
        }),
    ],
};

/// What a run has shown.
#[derive(Default)]
struct Seen {
    /// Greatest relative displacement of a pad along x or y \[m\].
    moved: f64,
    /// Greatest friction of a pad \[N\].
    force: f64,
    /// Greatest first coordinate \[m\], and its end.
    position: f64,
    end: f64,
    /// First speed at the end [m/s].
    speed: f64,
    /// Share of the steps with all pads stuck.
    stuck: f64,
    /// When the first pad slipped.
    first: Option<f64>,
    residual: f64,
    /// Energy turned into heat, or lost by the scheme where that is counted \[J\].
    heat: f64,
    /// What the ledger leaves over \[J\].
    lost: f64,
}

impl Seen {
    fn look(&mut self, assembly: &Assembly, u: &AssemblyState) {
        self.moved = u.displacements().iter().fold(self.moved, |m, d| m.max(d.abs()));
        let forces: Vec<f64> = u.friction().collect();
        for pad in 0..assembly.parameters().pads.len() {
            let size = forces[assembly.components(pad)].iter().map(|f| f * f).sum::<f64>().sqrt();
            self.force = self.force.max(size);
        }
        self.position = self.position.max(u.coordinates()[0]);
        (self.end, self.speed) = (u.coordinates()[0], u.velocities()[0]);
        self.stuck += f64::from(u8::from(u.modes().iter().all(|m| *m == State::Stick)));
    }
}

fn run(name: &str, changes: &[&str]) -> Result<Seen, String> {
    let changes: Vec<Override> = changes.iter().map(|c| Override::new(*c)).collect();
    let scenario = crate::MODELS.builtin(name, &changes).map_err(|e| e.to_string())?;
    let Some(parameters) = scenario.model.of::<Parameters>() else {
        return Err(format!("{name} is no assembly"));
    };
    let assembly = Assembly::new(parameters.clone()).map_err(|e| e.to_string())?;
    let grid = Grid::cover(scenario.run.duration, scenario.run.step);
    let judged = if let Scheme::Theta(theta) = scenario.run.scheme { theta.judged } else { Judged::Impact };
    let theta = scenario.run.scheme.theta();
    let mut run = Stepped::judged(assembly, grid.h, theta, judged).map_err(|e| e.to_string())?;
    let mut seen = Seen::default();
    for n in 1..=grid.steps {
        run.advance_to(grid.time(n)).map_err(|e| e.to_string())?;
        seen.look(run.system(), run.state());
    }
    seen.first = run.take_events().iter().find(|event| event.from == State::Stick).map(|event| event.t);
    seen.stuck /= grid.steps as f64;
    seen.residual = run.worst_residual();
    let ledger = run.ledger();
    seen.heat = ledger.dissipated_total();
    seen.lost = ledger.lost().abs();
    Ok(seen)
}
