//! The driven and braked wheel: phases and manoeuvres (docs/wheel.md 2, 4).

mod events;
pub(crate) mod lab;
mod measures;

use crate::wheel::{Start, Wheel, WheelState};
use stickslip_core::mechanics::System;
use stickslip_core::signal::Signal;

use self::lab::Manoeuvre;
use self::lab::Manoeuvre::{Braking, Drive, Ride};
use self::lab::{WheelLab, end};
use crate::law::wheel_residual;
use stickslip_verify::Basis::{ClosedForm, Consistency, Law, Reference};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Text, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Lab, Measured, Value};

/// a_G = μ m g of docs/wheel.md 4.
const A_G: f64 = 3139.2;
const MASS: f64 = 400.0;
/// J = I/R².
const J: f64 = 1.2 / (0.3 * 0.3);

/// What the wheel claims.
pub(super) const CHAPTERS: &[Chapter] = &[PHASES, MANOEUVRES, events::CHAPTER, measures::CHAPTER];

const PHASES: Chapter = Chapter {
    title: "The wheel, phase by phase",
    claims: &[
        Claim::that("a_G = μ m g (N)")
            .by(ClosedForm, "docs/wheel.md 4")
            .expects(Near(A_G, 1e-9), |_| Ok(Number(Braking.wheel()?.0.ground_bound(0.0)))),
        Claim::that("rolling with slipping brake a_B = 0.7 a_G: f (N) = −(m/(m+J)) g")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(0.7 * A_G * MASS / (MASS + J), 1e-9), |_| Ok(Number(phase(0.0, 0.7 * A_G, 20.0, 0.5)?.f))),
        Claim::that("the same: speed lost in 0.5 s (m/s)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(0.5 * 0.7 * A_G / (MASS + J), 1e-11), |_| {
                Ok(Number(20.0 - phase(0.0, 0.7 * A_G, 20.0, 0.5)?.x1))
            }),
        Claim::that("greatest a_B/a_G at which pure braking rolls, by bisection")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Within(1.0 + J / MASS, 1e-9), |_| {
                threshold(|share| Ok(phase(0.0, share * A_G, 20.0, 0.01)?.region().map(|r| r.ground()) == Some(0)))
            }),
        Claim::that("greatest |M|/(R a_G) at which pure driving rolls, by bisection")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Within(1.0 + J / MASS, 1e-9), |_| {
                threshold(|share| Ok(phase(-share * A_G, 0.0, 0.0, 0.01)?.region().map(|r| r.ground()) == Some(0)))
            }),
        Claim::that("ground and brake slip, a_B = 3 a_G: x1' = −a_G/m (m/s²)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(-A_G / MASS, 1e-9), |_| Ok(Number((phase(0.0, 3.0 * A_G, 20.0, 0.02)?.x1 - 20.0) / 0.02))),
        Claim::that("the same: x2' = (a_B − a_G)/J (m/s²)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Within(2.0 * A_G / J, 1e-11), |_| {
                Ok(Number((phase(0.0, 3.0 * A_G, 20.0, 0.02)?.x2 + 20.0) / 0.02))
            }),
        Claim::that("locked wheel, a_B = 3 a_G: g (N) = −a_G")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(-A_G, 1e-9), |_| Ok(Number(phase(0.0, 3.0 * A_G, 20.0, 1.0)?.g))),
        Claim::that("locked wheel: x2 (m/s)")
            .by(Consistency, "docs/wheel.md 2")
            .expects(Exactly(0.0), |_| Ok(Number(phase(0.0, 3.0 * A_G, 20.0, 1.0)?.x2))),
        Claim::that("locked wheel: x1' = −a_G/m (m/s²), over the last 0.5 s")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(-A_G / MASS, 1e-9), |_| {
                Ok(Number((phase(0.0, 3.0 * A_G, 20.0, 1.0)?.x1 - phase(0.0, 3.0 * A_G, 20.0, 0.5)?.x1) / 0.5))
            }),
        Claim::that("wheel spin under 𝓜 = −3 a_G: x1' = a_G/m (m/s²)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(A_G / MASS, 1e-9), |_| Ok(Number(phase(-3.0 * A_G, 0.0, 0.0, 0.5)?.x1 / 0.5))),
        Claim::that("the same: x2' = (𝓜 + a_G)/J (m/s²)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Within(-2.0 * A_G / J, 1e-11), |_| Ok(Number(phase(-3.0 * A_G, 0.0, 0.0, 0.5)?.x2 / 0.5))),
        Claim::that("parked with 𝓜 = 0.3 a_G against a_B = 0.5 a_G for 100 s: distance (m)")
            .by(ClosedForm, "docs/wheel.md 2: rest holds below the threshold")
            .expects(Exactly(0.0), |_| Ok(Number(phase(0.3 * A_G, 0.5 * A_G, 0.0, 100.0)?.x()))),
    ],
};

const MANOEUVRES: Chapter = Chapter {
    title: "The wheel: three manoeuvres by implicit Euler",
    claims: &[
        claim_states("sport drive: sequence of (ε_G, ε_B)", "(0,0) (0,−) (−,−) (0,−)", |lab| {
            states(lab, Drive)
        }),
        claim_states("sport braking: sequence of (ε_G, ε_B)", "(0,−) (+,−) (+,0) (+,−) (0,−)", |lab| {
            states(lab, Braking)
        }),
        claim_states("smooth ride: sequence of (ε_G, ε_B)", "(0,0) (0,−) (0,0)", |lab| states(lab, Ride)),
        claim_change("sport drive: starts to roll (s)", 0.504, 6.0, |lab| change(lab, Drive, 1)),
        claim_change("sport drive: starts to spin (s)", 0.604, 6.0, |lab| change(lab, Drive, 2)),
        claim_change("sport drive: grips again (s)", 3.650, 6.0, |lab| change(lab, Drive, 3)),
        claim_change("sport braking: starts to slip (s)", 0.604, 6.0, |lab| change(lab, Braking, 1)),
        claim_change("sport braking: locks (s)", 0.738, 6.0, |lab| change(lab, Braking, 2)),
        claim_change("sport braking: unlocks (s)", 2.203, 6.0, |lab| change(lab, Braking, 3)),
        claim_change("sport braking: rolls again (s)", 2.309, 6.0, |lab| change(lab, Braking, 4)),
        claim_change("smooth ride: starts to roll (s)", 0.508, 20.0, |lab| change(lab, Ride, 1)),
        claim_change("smooth ride: stops (s)", 16.113, 20.0, |lab| change(lab, Ride, 2)),
        claim_end("sport drive: end speed x1 (m/s), 2²² steps", Near(24.303484, 1e-6), |_| finest(Drive)),
        // First order: 0.6811 · 1024/2²² = 1.7e-4 is the greatest error of any speed at any time.
        claim_end("sport braking: end speed x1 (m/s), 2²² steps", Near(6.076529, 1.7e-4), |_| finest(Braking)),
        claim_end("smooth ride: end speed x1 (m/s), 2¹⁶ steps", Exactly(0.0), |lab| {
            Ok(Number(lab.run(Ride)?.end.state().x1))
        }),
        claim_end("smooth ride: end speed x2 (m/s), 2¹⁶ steps", Exactly(0.0), |lab| {
            Ok(Number(lab.run(Ride)?.end.state().x2))
        }),
        claim_summary("sport drive: greatest slip on the ground (m/s)", Near(328.86825, 2e-2), |lab| slip(lab, Drive)),
        claim_summary("sport braking: greatest slip on the ground (m/s)", Near(18.53545, 1.1e-2), |lab| {
            slip(lab, Braking)
        }),
        claim_summary("smooth ride: slip on the ground (m/s)", Exactly(0.0), |lab| slip(lab, Ride)),
        claim_graph("sport braking: least G", Exactly(-1.0), |lab| Ok(Number(lab.run(Braking)?.g_range.0))),
        claim_graph("sport braking: greatest G", Exactly(0.0), |lab| Ok(Number(lab.run(Braking)?.g_range.1))),
        claim_graph("smooth ride: least G", Exactly(-1.0), |lab| Ok(Number(lab.run(Ride)?.g_range.0))),
        claim_graph("sport drive: G without a brake", Exactly(0.0), |lab| {
            let (least, greatest) = lab.run(Drive)?.g_range;
            Ok(Number(least.abs().max(greatest)))
        }),
        Claim::that("sport braking: G = −a_G/a_B on the locked plateau, at t = 1.5 s")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(-0.5, 1e-14), |lab| {
                let run = lab.run(Braking)?;
                let row = run.rows.iter().find(|row| row[0] >= 1.5).ok_or("no row")?;
                Ok(Number(row[5]))
            }),
        claim_exact("sport drive: steps with a stuck contact whose slip is not 0.0", |lab| inexact(lab, Drive)),
        claim_exact("sport braking: steps with a stuck contact whose slip is not 0.0", |lab| inexact(lab, Braking)),
        claim_exact("smooth ride: steps with a stuck contact whose slip is not 0.0", |lab| inexact(lab, Ride)),
        claim_reference("sport drive: greatest deviation of a speed from the reference (m/s)", 0.6983, |lab| {
            deviation(lab, Drive, include_str!("../../../../../reference/wheel/sport-drive.csv"))
        }),
        claim_reference("sport braking: greatest deviation of a speed from the reference (m/s)", 0.6811, |lab| {
            deviation(lab, Braking, include_str!("../../../../../reference/wheel/sport-braking.csv"))
        }),
        claim_reference("smooth ride: greatest deviation of a speed from the reference (m/s)", 0.03702, |lab| {
            deviation(lab, Ride, include_str!("../../../../../reference/wheel/smooth-ride.csv"))
        }),
        claim_order("sport drive: fitted order", |lab| Ok(Number(lab.order(Drive)?.order))),
        claim_order("sport braking: fitted order", |lab| Ok(Number(lab.order(Braking)?.order))),
        claim_order("smooth ride: fitted order", |lab| Ok(Number(lab.order(Ride)?.order))),
        claim_error("sport drive: error of 1024 steps (m/s)", 6.983e-1, |lab| error(lab, Drive, 0)),
        claim_error("sport drive: error of 2048 steps (m/s)", 3.448e-1, |lab| error(lab, Drive, 1)),
        claim_error("sport drive: error of 4096 steps (m/s)", 1.724e-1, |lab| error(lab, Drive, 2)),
        claim_error("sport drive: error of 8192 steps (m/s)", 8.614e-2, |lab| error(lab, Drive, 3)),
        claim_error("sport drive: error of 16384 steps (m/s)", 4.303e-2, |lab| error(lab, Drive, 4)),
        claim_error("sport braking: error of 1024 steps (m/s)", 6.811e-1, |lab| error(lab, Braking, 0)),
        claim_error("sport braking: error of 2048 steps (m/s)", 3.448e-1, |lab| error(lab, Braking, 1)),
        claim_error("sport braking: error of 4096 steps (m/s)", 1.723e-1, |lab| error(lab, Braking, 2)),
        claim_error("sport braking: error of 8192 steps (m/s)", 8.613e-2, |lab| error(lab, Braking, 3)),
        claim_error("sport braking: error of 16384 steps (m/s)", 4.303e-2, |lab| error(lab, Braking, 4)),
        claim_error("smooth ride: error of 1024 steps (m/s)", 3.702e-2, |lab| error(lab, Ride, 0)),
        claim_error("smooth ride: error of 2048 steps (m/s)", 1.853e-2, |lab| error(lab, Ride, 1)),
        claim_error("smooth ride: error of 4096 steps (m/s)", 9.263e-3, |lab| error(lab, Ride, 2)),
        claim_error("smooth ride: error of 8192 steps (m/s)", 4.630e-3, |lab| error(lab, Ride, 3)),
        claim_error("smooth ride: error of 16384 steps (m/s)", 2.313e-3, |lab| error(lab, Ride, 4)),
        claim_energy("sport drive: order of the energy closure", |_| closure_order(Drive)),
        claim_energy("sport braking: order of the energy closure", |_| closure_order(Braking)),
        claim_energy("smooth ride: order of the energy closure", |_| closure_order(Ride)),
        claim_heat("sport drive: steps at which a contact's heat fell", |lab| {
            Ok(Number(lab.run(Drive)?.heat_fell as f64))
        }),
        claim_heat("sport braking: steps at which a contact's heat fell", |lab| {
            Ok(Number(lab.run(Braking)?.heat_fell as f64))
        }),
        claim_heat("smooth ride: steps at which a contact's heat fell", |lab| {
            Ok(Number(lab.run(Ride)?.heat_fell as f64))
        }),
        claim_residual("sport drive: worst residual, relative", |_| residual(Drive)),
        claim_residual("sport braking: worst residual, relative", |_| residual(Braking)),
        claim_residual("smooth ride: worst residual, relative", |_| residual(Ride)),
    ],
};

type Measure = fn(&mut Lab) -> Measured;

const fn claim_states(text: &'static str, expected: &'static str, measure: Measure) -> Claim {
    Claim::that(text).by(ClosedForm, "docs/wheel.md 4").expects(Text(expected), measure)
}

/// Times of the reference are rounded up to its output grid of T/1024 and printed to 0.5 ms: T/1000 covers both.
const fn claim_change(text: &'static str, expected: f64, duration: f64, measure: Measure) -> Claim {
    Claim::that(text).by(Reference, "reference/wheel/summary.csv").expects(Near(expected, duration / 1000.0), measure)
}

const fn claim_end(text: &'static str, expected: stickslip_verify::Expected, measure: Measure) -> Claim {
    Claim::that(text).by(Reference, "reference/wheel/summary.csv").expects(expected, measure)
}

const fn claim_summary(text: &'static str, expected: stickslip_verify::Expected, measure: Measure) -> Claim {
    Claim::that(text).by(Reference, "reference/wheel/summary.csv").expects(expected, measure)
}

/// A record puts G = g/a_B on the graph of the sign.
const fn claim_graph(text: &'static str, expected: stickslip_verify::Expected, measure: Measure) -> Claim {
    Claim::that(text).by(Consistency, "the record sets it").expects(expected, measure)
}

const fn claim_exact(text: &'static str, measure: Measure) -> Claim {
    Claim::that(text).by(Consistency, "rest is exact").expects(Exactly(0.0), measure)
}

/// 2¹⁶ steps: a 64th of the error of 1024 steps; a 60th, for what is not yet asymptotic.
const fn claim_reference(text: &'static str, error_1024: f64, measure: Measure) -> Claim {
    Claim::that(text).by(Reference, "reference/wheel/*.csv").expects(AtMost(error_1024 / 60.0), measure)
}

const fn claim_order(text: &'static str, measure: Measure) -> Claim {
    Claim::that(text).by(Consistency, "docs/wheel.md 4").expects(Near(1.0, 0.05), measure)
}

/// The reference was made against 2²³ steps, ours against 2²¹: 16384/2²¹ < 1 % apart.
const fn claim_error(text: &'static str, expected: f64, measure: Measure) -> Claim {
    Claim::that(text).by(Reference, "reference/wheel/summary.csv").expects(Within(expected, 0.01), measure)
}

const fn claim_energy(text: &'static str, measure: Measure) -> Claim {
    Claim::that(text).by(Consistency, "implicit Euler").expects(Near(1.0, 0.05), measure)
}

const fn claim_heat(text: &'static str, measure: Measure) -> Claim {
    Claim::that(text).by(Consistency, "second law").expects(Exactly(0.0), measure)
}

const fn claim_residual(text: &'static str, measure: Measure) -> Claim {
    Claim::that(text).by(Law, "docs/wheel.md 1, from the states given out").expects(AtMost(1e-14), measure)
}

/// The end of a phase under constant 𝓜 and a_B, from rolling at `speed`, with 1000 steps.
fn phase(drive: f64, a_b: f64, speed: f64, duration: f64) -> Result<WheelState, String> {
    let (wheel, _) = Braking.wheel()?;
    let mut parameters = wheel.parameters().clone();
    parameters.motor = Signal::Constant(drive * parameters.radius);
    parameters.brake = Signal::Constant(a_b * parameters.radius);
    parameters.start = Start { x1: speed, x2: -speed, ..Start::default() };
    end(&Wheel::new(parameters).map_err(|e| e.to_string())?, duration, 1000)
}

/// Greatest share in [0.5, 2] for which `holds`, by bisection.
fn threshold(holds: fn(f64) -> Result<bool, String>) -> Measured {
    let (mut lo, mut hi) = (0.5, 2.0);
    for _ in 0..50 {
        let middle = 0.5 * (lo + hi);
        if holds(middle)? { lo = middle } else { hi = middle }
    }
    Ok(Number(lo))
}

fn states(lab: &mut Lab, manoeuvre: Manoeuvre) -> Measured {
    let sign = |s: i8| match s {
        1 => "+",
        0 => "0",
        _ => "−",
    };
    let texts: Vec<String> =
        lab.run(manoeuvre)?.states.iter().map(|&(_, g, b)| format!("({},{})", sign(g), sign(b))).collect();
    Ok(Value::Text(texts.join(" ")))
}

fn change(lab: &mut Lab, manoeuvre: Manoeuvre, number: usize) -> Measured {
    let states = &lab.run(manoeuvre)?.states;
    states.get(number).map(|s| Number(s.0)).ok_or(format!("only {} states", states.len()))
}

fn finest(manoeuvre: Manoeuvre) -> Measured {
    let (wheel, duration) = manoeuvre.wheel()?;
    Ok(Number(end(&wheel, duration, 1 << 22)?.x1))
}

/// Greatest |x1 + x2| at the 1024 times of the reference, which knows no others.
fn slip(lab: &mut Lab, manoeuvre: Manoeuvre) -> Measured {
    let rows = &lab.run(manoeuvre)?.rows;
    Ok(Number(rows.iter().fold(0.0_f64, |m, row| m.max((row[1] + row[2]).abs()))))
}

fn inexact(lab: &mut Lab, manoeuvre: Manoeuvre) -> Measured {
    Ok(Number(lab.run(manoeuvre)?.inexact as f64))
}

fn deviation(lab: &mut Lab, manoeuvre: Manoeuvre, reference: &str) -> Measured {
    let rows = &lab.run(manoeuvre)?.rows;
    let lines: Vec<&str> = reference.lines().skip(1).collect();
    if rows.len() != lines.len() {
        return Err(format!("{} rows against {}", rows.len(), lines.len()));
    }
    let mut worst = 0.0_f64;
    for (row, line) in rows.iter().zip(lines) {
        for (column, cell) in line.split(',').enumerate().skip(1).take(2) {
            let expected: f64 = cell.parse().map_err(|_| format!("cannot read `{line}`"))?;
            worst = worst.max((row[column] - expected).abs());
        }
    }
    Ok(Number(worst))
}

fn error(lab: &mut Lab, manoeuvre: Manoeuvre, number: usize) -> Measured {
    Ok(Number(lab.order(manoeuvre)?.errors[number].1))
}

/// log₂ of the ratio of closures with 8000 and 16000 steps.
fn closure_order(manoeuvre: Manoeuvre) -> Measured {
    let (wheel, duration) = manoeuvre.wheel()?;
    let closure = |steps| end(&wheel, duration, steps).map(|state| wheel.ledger(&state).closure());
    Ok(Number((closure(8000)? / closure(16_000)?).log2()))
}

/// From every state that a run of 2¹⁶ steps gives out.
fn residual(manoeuvre: Manoeuvre) -> Measured {
    let (wheel, duration) = manoeuvre.wheel()?;
    Ok(Number(wheel_residual(&wheel, duration, 1 << 16)?))
}
