//! From event to event where there is no closed form in the scheme's terms: textbook problems that have one on paper.

use std::f64::consts::PI;

use crate::assembly::{Assembly, AssemblyState};
use crate::vehicle::{Described, Vehicle};
use crate::wheel::Wheel;
use crate::{assembly, wheel};
use stickslip_core::law::State;
use stickslip_core::scheme::{ByEvents, Event};
use stickslip_core::simulation::{ByEvent, Simulation};
use stickslip_run::Scenario;
use stickslip_scenario::Override;

use stickslip_verify::Basis::{ClosedForm, Consistency, Paper, Reference};
use stickslip_verify::Expected::{AtMost, Exactly, Near};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured};

pub(crate) const CHAPTER: Chapter = Chapter {
    title: "From event to event without a closed form",
    claims: &[
        Claim::that("two-mass by events: greatest miss of the 13 changes of the closed form (s)")
            .by(Reference, "cos t0 − cos t = 0.8 (t − t0); reference/two-mass/direct-segments.csv")
            .expects(AtMost(1e-10), |_| two_masses()),
        Claim::that("coulomb-oscillator by events: comes to rest at atan(6/13) + 7π, off by (s)")
            .by(ClosedForm, "circles about ±1")
            .expects(AtMost(1e-10), |_| {
                let rest = (6.0_f64 / 13.0).atan() + 7.0 * PI;
                last(&run("coulomb-oscillator", &[])?).map(|e| Number((e.t - rest).abs()))
            }),
        Claim::that("the same: rests at 15 − √205, off by (m)").by(ClosedForm, "circles about ±1").expects(
            AtMost(1e-10),
            |_| {
                let place = run("coulomb-oscillator", &[])?.end.coordinates()[0];
                Ok(Number((place - (15.0 - 205.0_f64.sqrt())).abs()))
            },
        ),
        Claim::that("the same: speed at rest (m/s)")
            .by(Consistency, "rest is exact")
            .expects(Exactly(0.0), |_| Ok(Number(run("coulomb-oscillator", &[])?.end.velocities()[0]))),
        Claim::that("block-on-belt by events: period (s)").by(ClosedForm, "5 + 2π − 2 atan 2.5").expects(
            Near(8.902_605_408, 1e-9),
            |_| {
                let seen = run("block-on-belt", &[])?;
                let leaves: Vec<f64> = seen.events.iter().filter(|e| e.from == State::Stick).map(|e| e.t).collect();
                leaves.windows(2).last().map(|w| Number(w[1] - w[0])).ok_or_else(|| "it did not slip twice".into())
            },
        ),
        Claim::that("den-hartog by events: amplitude where the steady motion turns (m)")
            .by(Paper, "Den Hartog 1931, by the closed form of its half period")
            .expects(Near(2.626_104_876, 1e-8), |_| {
                let turn = last(&run("den-hartog", &["run.duration=800"])?)?.t;
                let place = run("den-hartog", &[&format!("run.duration={turn}"), &format!("run.step={turn}")])?;
                Ok(Number(place.end.coordinates()[0].abs()))
            }),
        Claim::that("bogie-case-1 by events: first slip, asin(μ_s N_w/ηA)/3π, off by (s)")
            .by(ClosedForm, "docs/assembly.md 4")
            .expects(AtMost(1e-9), |_| {
                let eta = 1359.0 / (1359.0 + 2.0 * 1120.0);
                let first = (0.4_f64 * 0.5 * 1359.0 * 9.81 / (eta * 1e4)).asin() / (3.0 * PI);
                let seen = run("bogie-case-1", &["run.duration=0.1"])?;
                seen.events.first().map(|e| Number((e.t - first).abs())).ok_or_else(|| "it did not slip".into())
            }),
        Claim::that("bogie-case-1b by events: greatest relative displacement (m)")
            .by(ClosedForm, "docs/assembly.md 4: rest holds below the threshold")
            .expects(Exactly(0.0), |_| {
                let end = run("bogie-case-1b", &[])?.end;
                Ok(Number(end.displacements().iter().fold(0.0, |m, d| m.max(d.abs()))))
            }),
        Claim::that(
            "locked wheel, kinetic friction 3/4 of static: sliding from 20 m/s stops after v/(μ_k g), off by (s)",
        )
        .by(ClosedForm, "docs/wheel.md 1")
        .expects(AtMost(1e-10), |_| slide("{ static = 1, kinetic = 0.75 }", 20.0 / (0.6 * 9.81))),
        Claim::that("the same, friction falling by half up to 20 m/s: stops after 40 ln 2/(μ g), off by (s)")
            .by(ClosedForm, "v' = −μ g (1 − v/40)")
            .expects(AtMost(1e-10), |_| slide("{ table = [[0, 1], [20, 0.5]] }", 40.0 * 2.0_f64.ln() / (0.8 * 9.81))),
        Claim::that("drive-off-on-ice by events: energy closes to").by(Consistency, "the ledger").expects(
            AtMost(1e-11),
            |_| {
                let scenario = scenario("drive-off-on-ice", &[])?;
                let Some(Described { parameters: p, .. }) = scenario.model.of() else {
                    return Err("no vehicle".into());
                };
                let car = Vehicle::new(p.clone()).map_err(|e| e.to_string())?;
                Ok(Number(to(car, scenario.run.duration)?.ledger().closure()))
            },
        ),
    ],
};

/// A run by events: its end and its changes of state.
struct Seen {
    end: AssemblyState,
    events: Vec<Event>,
}

/// A run from event to event, at its end.
fn to<S>(system: S, duration: f64) -> Result<ByEvent<S>, String>
where
    S: ByEvents + Clone,
    ByEvent<S>: Simulation,
{
    let mut run = ByEvent::new(system).map_err(|e| e.to_string())?;
    run.advance_to(duration).map_err(|e| e.to_string())?;
    Ok(run)
}

fn scenario(name: &str, changes: &[&str]) -> Result<Scenario, String> {
    let changes: Vec<Override> = changes.iter().map(|c| Override::new(*c)).collect();
    crate::MODELS.builtin(name, &changes).map_err(|e| e.to_string())
}

fn run(name: &str, changes: &[&str]) -> Result<Seen, String> {
    let scenario = scenario(name, changes)?;
    let Some(p) = scenario.model.of::<assembly::Parameters>() else { return Err(format!("{name} is no assembly")) };
    let assembly = Assembly::new(p.clone()).map_err(|e| e.to_string())?;
    let mut run = to(assembly, scenario.run.duration)?;
    Ok(Seen { events: run.take_events(), end: run.state().clone() })
}

/// How far from `stop` a locked wheel comes to rest whose friction changes with slip by the law.
fn slide(law: &str, stop: f64) -> Measured {
    let law = format!("ground.over_slip={law}");
    let scenario = scenario("wheel-sport-braking", &["brake.torque=5000", "initial.wheel_speed=0", &law])?;
    let Some(p) = scenario.model.of::<wheel::Parameters>() else { return Err("no wheel".into()) };
    let wheel = Wheel::new(p.clone()).map_err(|e| e.to_string())?;
    let events = to(wheel, 8.0)?.take_events();
    let last = events.last().ok_or("nothing changed")?;
    Ok(Number((last.t - stop).abs()))
}

fn last(seen: &Seen) -> Result<Event, String> {
    seen.events.last().copied().ok_or_else(|| "nothing changed".into())
}

fn two_masses() -> Measured {
    let seen = run("two-mass", &[])?;
    let slips = 0.8_f64.asin();
    let (mut lo, mut hi) = (slips + 0.5, 4.0);
    for _ in 0..100 {
        let t = 0.5 * (lo + hi);
        if slips.cos() - t.cos() > 0.8 * (t - slips) { lo = t } else { hi = t }
    }
    let expected = (0..7).flat_map(|n| [slips + PI * f64::from(n), lo + PI * f64::from(n)]).take(13);
    if seen.events.len() != 13 {
        return Err(format!("{} changes instead of 13", seen.events.len()));
    }
    Ok(Number(seen.events.iter().zip(expected).fold(0.0, |m, (e, t)| m.max((e.t - t).abs()))))
}
