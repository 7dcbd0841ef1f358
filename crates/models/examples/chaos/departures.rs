//! The periodic orbit of P1 as a code sees it that lets slips begin at a size ε instead of at zero.
//!
//! Such a code also takes a slip for ended where it is smaller than ε. Both move every event by a time proportional to ε
//! (or to its root), and the period with it.

use stickslip_core::analysis::orbit::{Arrival, Point, advance};
use stickslip_core::analysis::poincare::{Cycle, cycle};
use stickslip_core::law::State;
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{ByEvents, Event, Grid, Observer, RunError};
use stickslip_models::towed_wheel::{Parameters, Start, TowedState, TowedWheel};

/// The mirror image of a towed wheel's motion: (ψ, w, u2, Ω) change their signs.
pub fn mirror(point: &Point) -> Point {
    let Point { t, q, v } = point;
    Point { t: *t, q: vec![-q[0], -q[1]], v: vec![v[0], -v[1], -v[2]] }
}

/// The towed wheel, started at the point given.
pub fn started(parameters: &Parameters, point: &Point) -> Parameters {
    let Point { q, v, .. } = point;
    Parameters { start: Start { psi: q[0], w: q[1], u1: v[0], u2: v[1], omega: v[2] }, ..*parameters }
}

/// The half period from a point on the orbit, or near it, with slips that begin at ε; events before `settled` are not
/// looked at. None if the motion has no symmetric cycle.
pub fn half_period(parameters: &Parameters, from: &Point, epsilon: f64, settled: f64) -> Option<Cycle> {
    let mut here = Point { t: 0.0, ..from.clone() };
    let mut seen: Vec<Arrival> = Vec::new();
    while seen.len() < 8 {
        let wheel = TowedWheel::new(started(parameters, &here)).ok()?;
        let event = first_event(&wheel)?;
        let origin = Point { t: 0.0, ..here.clone() };
        let mut time = event.t;
        if matches!(event.from, State::Slip(_)) {
            // The slip falls straight to zero: where it was ε.
            let before = 1e-3_f64.min(0.01 * event.t) * wheel.coefficients().period();
            let slip = advance(&wheel, &origin, event.t - before).ok()?;
            time -= (epsilon * before / slip.v[0].hypot(slip.v[1])).min(before);
        }
        let mut next = advance(&wheel, &origin, time).ok()?;
        next.t = here.t + time;
        // The slip is zero here but for rounding.
        next.v[..2].fill(0.0);
        if matches!(event.from, State::Slip(_)) && next.t > settled {
            seen.push(Arrival { point: next.clone(), event, passed: Vec::new() });
        }
        if let State::Slip([x, y]) = event.to {
            next.v[..2].copy_from_slice(&[epsilon * x, epsilon * y]);
        }
        here = next;
    }
    cycle(&seen, 1e-5, mirror)
}

fn first_event(wheel: &TowedWheel) -> Option<Event> {
    let grid = Grid { h: 5.0 * wheel.coefficients().period(), steps: 1 };
    match wheel.by_events(grid, &Settings::default(), &mut First) {
        Err(RunError::Observer(event)) => Some(event),
        _ => None,
    }
}

/// Stops at the first event.
struct First;

impl Observer<TowedState> for First {
    type Error = Event;

    fn every(&self) -> u64 {
        u64::MAX
    }

    fn sample(&mut self, _: u64, _: f64, _: &TowedState) -> Result<(), Event> {
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Event> {
        Err(*event)
    }
}
