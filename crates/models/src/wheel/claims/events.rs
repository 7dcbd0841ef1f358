//! The wheel in closed form, from event to event: times, speeds and distances derived by hand from the phases of
//! docs/wheel.md 2.

use crate::wheel::{Parameters, Start, Wheel};
use stickslip_core::scheme::Event;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{ByEvent, Simulation};

use super::lab::Manoeuvre;
use super::lab::Manoeuvre::{Braking, Drive, Ride};
use stickslip_verify::Basis::{ClosedForm, Consistency};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Text};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured, Value};

const A_G: f64 = 3139.2;
const MASS: f64 = 400.0;
const J: f64 = 1.2 / (0.3 * 0.3);
/// a_B (or −𝓜) = 10 a_G (t − 0.5) reaches a_G (1 + J/m).
const SLIPS: f64 = 0.5 + 0.1 * (1.0 + J / MASS);
/// Speed at which it does, from rest: ½ 10 a_G (t − 0.5)²/(m + J).
const GAINED: f64 = 5.0 * A_G * (SLIPS - 0.5) * (SLIPS - 0.5) / (MASS + J);
/// Braking: x2 at the end of the ramp, then J x2' = a_G until it is zero.
const RAMP_END: f64 = GAINED - 20.0 + (5.0 * A_G * (0.04 - (SLIPS - 0.5) * (SLIPS - 0.5)) - A_G * (0.7 - SLIPS)) / J;
const LOCKS: f64 = 0.7 - RAMP_END * J / A_G;
/// Drive: impulse of the motor from the beginning of slip, and how the slip x1 + x2 returns once it is gone.
const IMPULSE: f64 = -5.0 * A_G * (0.04 - (SLIPS - 0.5) * (SLIPS - 0.5)) - 2.6 * A_G - 0.4 * A_G;
const RATE: f64 = A_G * (1.0 / MASS + 1.0 / J);
const GRIPS: f64 = SLIPS - IMPULSE / (J * RATE);

pub(super) const CHAPTER: Chapter = Chapter {
    title: "The wheel in closed form, from event to event",
    claims: &[
        Claim::that("braking: the wheel begins to slip at a_B = a_G (1 + J/m), t (s)")
            .by(ClosedForm, "docs/wheel.md 2, 4")
            .expects(Near(SLIPS, 1e-12), |_| time(Braking, 0)),
        Claim::that("braking: the wheel locks, t (s)")
            .by(ClosedForm, "docs/wheel.md 2, 4")
            .expects(Near(LOCKS, 1e-12), |_| time(Braking, 1)),
        Claim::that("braking: the brake lets go at a_B = a_G, t (s)")
            .by(ClosedForm, "docs/wheel.md 2, 4")
            .expects(Near(2.2, 1e-12), |_| time(Braking, 2)),
        Claim::that("braking: all events").by(ClosedForm, "docs/wheel.md 4").expects(
            Text("ground stick → slip+, brake slip- → stick, brake stick → slip-, ground slip+ → stick"),
            |_| changes(Braking),
        ),
        Claim::that("braking: end speed (m/s)")
            .by(ClosedForm, "docs/wheel.md 4")
            .expects(Near(6.076529, 5e-7), |_| Ok(Number(passage(Braking)?.0.state().x1))),
        Claim::that("drive: the wheel grips again, t (s)")
            .by(ClosedForm, "docs/wheel.md 2, 4")
            .expects(Near(GRIPS, 1e-12), |_| time(Drive, 2)),
        Claim::that("drive: end speed (m/s), ½ 10 a_G τ²/(m+J) + a_G/m (slip's duration)")
            .by(ClosedForm, "docs/wheel.md 2, 4")
            .expects(Near(GAINED + A_G / MASS * (GRIPS - SLIPS), 1e-12), |_| Ok(Number(passage(Drive)?.0.state().x1))),
        Claim::that("smooth ride: the wheel stops, t (s)")
            .by(ClosedForm, "docs/wheel.md 4")
            .expects(Near(16.1, 1e-12), |_| time(Ride, 1)),
        Claim::that("smooth ride: end speed (m/s)")
            .by(ClosedForm, "docs/wheel.md 4")
            .expects(Exactly(0.0), |_| Ok(Number(passage(Ride)?.0.state().x1))),
        Claim::that("worst energy closure of the three")
            .by(Consistency, "the contacts' heat is integrated in closed form")
            .expects(AtMost(1e-12), |_| worst(|m| Ok(passage(m)?.0.ledger().closure()))),
        Claim::that("implicit steps needed to lead out of clusters of events, all three")
            .by(Consistency, "modes are chosen by the inclusion")
            .expects(Exactly(0.0), |_| {
                worst(|m| Ok(passage(m)?.0.by_events().map_or(f64::NAN, |run| run.handovers as f64)))
            }),
        Claim::that("quarter car, 500 N m from 30 m/s: stopping distance (m), v² (m+J) R/(2 M_B)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(111.0, 1e-9), |_| quarter_car(500.0)),
        Claim::that("quarter car, 900 N m from 30 m/s: stopping distance (m)")
            .by(ClosedForm, "docs/wheel.md 2")
            .expects(Near(185.0 / 3.0, 1e-9), |_| quarter_car(900.0)),
    ],
};

/// A run from event to event, at its end, and its events.
fn run(wheel: Wheel, duration: f64) -> Result<(ByEvent<Wheel>, Vec<Event>), String> {
    let mut run = ByEvent::new(wheel).map_err(|e| e.to_string())?;
    run.advance_to(duration).map_err(|e| e.to_string())?;
    let events = run.take_events();
    Ok((run, events))
}

fn passage(manoeuvre: Manoeuvre) -> Result<(ByEvent<Wheel>, Vec<Event>), String> {
    let (wheel, duration) = manoeuvre.wheel()?;
    run(wheel, duration)
}

/// When event number `n` happened.
fn time(manoeuvre: Manoeuvre, n: usize) -> Measured {
    let (_, seen) = passage(manoeuvre)?;
    seen.get(n).map(|e| Number(e.t)).ok_or_else(|| format!("only {} events", seen.len()))
}

fn changes(manoeuvre: Manoeuvre) -> Measured {
    let (run, seen) = passage(manoeuvre)?;
    let change = |e: &Event| format!("{} {} → {}", run.contacts()[e.contact], e.from.name(), e.to.name());
    Ok(Value::Text(seen.iter().map(change).collect::<Vec<_>>().join(", ")))
}

fn worst(measure: impl Fn(Manoeuvre) -> Result<f64, String>) -> Measured {
    let all: Result<Vec<f64>, String> = [Drive, Braking, Ride].into_iter().map(measure).collect();
    Ok(Number(all?.into_iter().fold(0.0, f64::max)))
}

/// m = 400 kg, I = 1 kg m², R = 0.3 m, μ = 0.8: rolls to a stop, whatever gravity is above 9.13 m/s².
fn quarter_car(torque: f64) -> Measured {
    let wheel = Wheel::new(Parameters {
        mass: MASS,
        inertia: 1.0,
        brake: Signal::Constant(torque),
        start: Start { x1: 30.0, x2: -30.0, ..Start::default() },
        ..Parameters::default()
    });
    let wheel = wheel.map_err(|e| e.to_string())?;
    Ok(Number(run(wheel, 10.0)?.0.state().x()))
}
