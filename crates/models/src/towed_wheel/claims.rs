//! The towed wheel (docs/towed-wheel.md).

use crate::assembly::{self, Assembly};
use crate::towed_wheel::{Form, Parameters, TowedState, TowedWheel};
use stickslip_core::analysis::limit_directions::{LimitDirection, SlipField};
use stickslip_core::analysis::lyapunov::{Nearby, nearby_runs};
use stickslip_core::analysis::orbit::{Point, advance, run_from};
use stickslip_core::analysis::poincare::{arrivals, cycle};
use stickslip_core::scheme::{ByEvents, Event, Grid, NullObserver};
use stickslip_core::simulation::{ByEvent, Simulation};

use stickslip_linalg::SplitMix64;
use stickslip_verify::Basis::{ClosedForm, Consistency, Program, Reference};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Text};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured, Value};

/// What this model claims.
pub(super) const CHAPTERS: &[Chapter] = &[CHAPTER];

const CHAPTER: Chapter = Chapter {
    title: "The towed wheel: rolling, slipping, limit directions",
    claims: &[
        Claim::that("P1: A1")
            .by(ClosedForm, "docs/towed-wheel.md 2")
            .expects(Near(0.421875, 1e-12), |_| Ok(Number(wheel("p1")?.coefficients().a1))),
        Claim::that("P1: A2")
            .by(ClosedForm, "docs/towed-wheel.md 2")
            .expects(Near(0.09375, 1e-12), |_| Ok(Number(wheel("p1")?.coefficients().a2))),
        Claim::that("P1: growth of small motions (1/s)")
            .by(Program, "an independent code, 7 digits")
            .expects(Near(16.01702, 1e-5), |_| Ok(Number(wheel("p1")?.coefficients().growth()))),
        Claim::that("P3: growth of small motions (1/s)")
            .by(Program, "an independent code, 6 digits")
            .expects(Near(-1.95689, 1e-5), |_| Ok(Number(wheel("p3")?.coefficients().growth()))),
        Claim::that("P1, P3: growth in the cubic for real parts of pairs, relative").by(ClosedForm, "Vieta").expects(
            AtMost(1e-12),
            |_| {
                let mut worst = 0.0_f64;
                for name in ["p1", "p3"] {
                    let c = *wheel(name)?.coefficients();
                    let ([c2, c1, c0], g) = (c.cubic(), c.growth());
                    let left = 8.0 * g.powi(3) + 8.0 * c2 * g * g + 2.0 * (c2 * c2 + c1) * g + c1 * c2 - c0;
                    worst = worst.max((left / c0).abs());
                }
                Ok(Number(worst))
            },
        ),
        Claim::that("P1: greatest error of the first five event times (s)")
            .by(Reference, "reference/towed-wheel/events-p1.csv")
            .expects(AtMost(1e-6), |_| {
                let expected = [0.133691078, 0.184894235, 0.190283837, 0.370144524, 0.398323185];
                let events = run(wheel("p1")?, 0.45, 1)?.0.take_events();
                if events.len() < 5 {
                    return Err(format!("{} events", events.len()));
                }
                Ok(Number(events.iter().zip(expected).fold(0.0, |m: f64, (e, t)| m.max((e.t - t).abs()))))
            }),
        Claim::that("P1: what the first five events are").by(Reference, "reference/towed-wheel/events-p1.csv").expects(
            Text("stick-slip slip-stick stick-slip slip-slip slip-stick"),
            |_| {
                let events = run(wheel("p1")?, 0.45, 1)?.0.take_events();
                let word = |e: &Event| format!("{}-{}", short(e.from.name()), short(e.to.name()));
                let words: Vec<String> = events.iter().take(5).map(word).collect();
                Ok(Value::Text(words.join(" ")))
            },
        ),
        Claim::that("P1: greatest slip while rolling, 0.9 s (m/s)").by(Consistency, "rest is exact").expects(
            Exactly(0.0),
            |_| {
                let states = run(wheel("p1")?, 0.9, 900)?.1;
                let rolling = states.iter().filter(|s| s.rolls());
                Ok(Number(rolling.fold(0.0, |m: f64, s| m.max(s.u1.abs()).max(s.u2.abs()))))
            },
        ),
        Claim::that("P1, small and exact form, 0.9 s: energy lost of the heat, greater of the two")
            .by(Consistency, "docs/towed-wheel.md 4")
            .expects(AtMost(1e-9), |_| {
                let mut worst = 0.0_f64;
                for form in [Form::Small, Form::Exact] {
                    let wheel = of(Parameters { form, ..*wheel("p1")?.parameters() })?;
                    let (end, _) = run(wheel, 0.9, 1)?;
                    worst = worst.max((end.ledger().lost() / end.state().heat()).abs());
                }
                Ok(Number(worst))
            }),
        Claim::that("P3: share of 2 s that it rolls")
            .by(ClosedForm, "docs/towed-wheel.md 2")
            .expects(Exactly(1.0), |_| Ok(Number(run(wheel("p3")?, 2.0, 1)?.0.stuck()[0] / 2.0))),
        Claim::that("P1 after 200 P: half period of the periodic orbit, in P")
            .by(Program, "reference/towed-wheel/exponents.csv")
            .expects(Near(1.684_354_957, 1e-8), |_| {
                let wheel = wheel("p1")?;
                Ok(Number(orbit(&wheel)?.1 / wheel.coefficients().period()))
            }),
        Claim::that("the same orbit: share of the time that it rolls")
            .by(Program, "reference/towed-wheel/exponents.csv")
            .expects(Near(0.293_306, 2e-6), |_| {
                let wheel = wheel("p1")?;
                let (point, half) = orbit(&wheel)?;
                let out = run_from(&wheel, &point, 2.0 * half, &mut NullObserver).map_err(|e| e.to_string())?;
                Ok(Number(out.stuck[0] / (2.0 * half)))
            }),
        // Tolerances are 3 √(σ² + e²): σ is the spread of single runs of this length, from 48 starts (docs/towed-wheel.md 6:
        // 0.045 √(256 P/time) and 0.067 √(128 P/time)), and e the error of the reference. Both exclude zero.
        Claim::that("P2: largest Lyapunov exponent, two nearby runs over 160 P (1/P)")
            .by(Program, "reference/towed-wheel/exponents.csv, 0.2004 ± 0.0018; three standard errors, 0.057 of 160 P")
            .expects(Near(0.2004, 0.17), |_| exponent(&wheel("p2")?, 160)),
        Claim::that("L/R = 0.2, v/(Lω) = 8, C = 100 N: the same over 80 P (1/P)")
            .by(Program, "reference/towed-wheel/exponents.csv, 0.7581 ± 0.0013; three standard errors, 0.085 of 80 P")
            .expects(Near(0.7581, 0.25), |_| exponent(&wheel("chaos")?, 80)),
        Claim::that("Friction oscillator: largest Lyapunov exponent, two nearby runs over 400 periods (1/s)")
            .by(Program, "reference/towed-wheel/exponents.csv, three standard errors of 400 periods")
            .expects(Near(0.11598, 0.012), |_| {
                let (system, period) = oscillator()?;
                let nearby = Nearby { transient: 0.0, interval: period, intervals: 400, separation: 1e-7 };
                Ok(Number(nearby_runs(&system, &Point::start(&system), &nearby).map_err(|e| e.to_string())?.value))
            }),
        Claim::that("Friction oscillator: share of 600 periods that it sticks")
            .by(Program, "reference/towed-wheel/exponents.csv, three standard errors of 600 periods")
            .expects(Near(0.45612, 0.022), |_| {
                let (system, period) = oscillator()?;
                let time = 600.0 * period;
                let grid = Grid { h: time, steps: 1 };
                let out = system.by_events(grid, &Default::default(), &mut NullObserver).map_err(|e| e.to_string())?;
                Ok(Number(out.stuck[0] / time))
            }),
        Claim::that(
            "3000 slip fields: those in which four limit directions and the astroid, or rolling and R < 0, disagree",
        )
        .by(ClosedForm, "docs/towed-wheel.md 3")
        .expects(Exactly(0.0), |_| {
            let mut random = SplitMix64(3);
            let mut next = |lo: f64, hi: f64| random.between(lo, hi);
            let mut wrong = 0;
            for _ in 0..3000 {
                let (b1, b2) = (10_f64.powf(next(-1.0, 1.0)), 10_f64.powf(next(-1.0, 1.0)));
                let field = SlipField::new([b1 * next(-1.2, 1.2), b2 * next(-1.2, 1.2)], [b1, 0.0, b2]);
                let all = field.limit_directions();
                let four = all.as_slice().len() == 4;
                let attract = all.as_slice().iter().all(LimitDirection::attracts);
                wrong += u32::from(four != (field.astroid() < 1.0) || attract != (field.demand() < 1.0));
            }
            Ok(Number(f64::from(wrong)))
        }),
    ],
};

/// A point of the periodic orbit of P1, an arrival after 200 P, and half the period \[s\].
fn orbit(wheel: &TowedWheel) -> Result<(Point, f64), String> {
    let period = wheel.coefficients().period();
    let told = |e: stickslip_core::scheme::RunError<std::convert::Infallible>| e.to_string();
    let start = advance(wheel, &Point::start(wheel), 200.0 * period).map_err(told)?;
    let seen = arrivals(wheel, &start, 0, 8, 5.0 * period, |_| true).map_err(told)?;
    let mirror = |p: &Point| Point { t: p.t, q: vec![-p.q[0], -p.q[1]], v: vec![p.v[0], -p.v[1], -p.v[2]] };
    let half = cycle(&seen, 1e-5, mirror).ok_or("no cycle")?;
    Ok((seen[0].point.clone(), half.period))
}

/// The largest Lyapunov exponent over so many P [1/P]; the first 16 P only find the attractor and the direction that grows.
fn exponent(wheel: &TowedWheel, periods: u64) -> Measured {
    let period = wheel.coefficients().period();
    let nearby = Nearby { transient: 0.0, interval: period, intervals: periods, separation: 1e-7 };
    Ok(Number(nearby_runs(wheel, &Point::start(wheel), &nearby).map_err(|e| e.to_string())?.value * period))
}

fn short(name: &'static str) -> &'static str {
    name.trim_end_matches(['+', '-'])
}

/// The built-in towed wheel of a set.
fn wheel(set: &str) -> Result<TowedWheel, String> {
    let name = format!("towed-wheel-{set}");
    let scenario = crate::MODELS.builtin(&name, &[]).map_err(|e| e.to_string())?;
    let parameters = scenario.model.of::<Parameters>().ok_or_else(|| format!("{name} is no towed wheel"))?;
    of(*parameters)
}

/// The built-in friction oscillator and the period of its drive.
fn oscillator() -> Result<(Assembly, f64), String> {
    let scenario = crate::MODELS.builtin("friction-oscillator", &[]).map_err(|e| e.to_string())?;
    let parameters = scenario.model.of::<assembly::Parameters>().ok_or("no assembly")?;
    let assembly = Assembly::new(parameters.clone()).map_err(|e| e.to_string())?;
    Ok((assembly, std::f64::consts::TAU / 1.25))
}

fn of(parameters: Parameters) -> Result<TowedWheel, String> {
    TowedWheel::new(parameters).map_err(|e| e.to_string())
}

/// A run from event to event, looked at so often, with its states and its events.
fn run(wheel: TowedWheel, duration: f64, looks: u64) -> Result<(ByEvent<TowedWheel>, Vec<TowedState>), String> {
    let mut run = ByEvent::new(wheel).map_err(|e| e.to_string())?;
    let mut states = Vec::new();
    for n in 1..=looks {
        run.advance_to(n as f64 * duration / looks as f64).map_err(|e| e.to_string())?;
        states.push(*run.state());
    }
    Ok((run, states))
}
