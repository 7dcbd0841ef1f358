//! Motion without a closed form between events: springs, sines, falling friction, slips in the plane.

mod block;
#[path = "../events/masses.rs"]
#[allow(dead_code, reason = "others use all of it")]
mod masses;
mod roads;
mod two_masses;
mod vehicles;

use stickslip_core::law::State;
use stickslip_core::scheme::{Event, Recording as Keep};

/// Events as (time, sign before, sign after).
fn signs(events: &[Event]) -> Vec<(f64, i8, i8)> {
    events.iter().map(|e| (e.t, e.from.sign(), e.to.sign())).collect()
}

fn sticks(state: State) -> bool {
    state == State::Stick
}

/// The zero of f between lo and hi, where f changes its sign.
fn zero(f: impl Fn(f64) -> f64, mut lo: f64, mut hi: f64) -> f64 {
    let below = f(lo) < 0.0;
    for _ in 0..200 {
        let middle = 0.5 * (lo + hi);
        if (f(middle) < 0.0) == below { lo = middle } else { hi = middle }
    }
    0.5 * (lo + hi)
}
