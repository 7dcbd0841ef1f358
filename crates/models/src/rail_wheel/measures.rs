//! What is measured of a wheel on a rail.

use stickslip_run::{Gauge, Part};

use super::RailWheel;
use super::record::column;
use crate::ride::{Ride, wheel_part};

/// The wheel as a part with states of its own; it rolls while a part of its contact sticks.
pub(super) fn part() -> Part {
    wheel_part("wheel", 0, 1)
}

/// m x1' + f = W.
pub(super) fn gauge(wheel: &RailWheel) -> Box<dyn Gauge + '_> {
    const PLACES: [usize; 4] = [column("x1"), column("f"), column("x"), column("pull")];
    let mass = wheel.parameters().mass;
    let [x1, f, x, pull] = PLACES;
    let acceleration = move |row: &[f64]| (row[pull] - row[f]) / mass;
    Box::new(Ride::new([x1, x], acceleration).with(part(), &wheel.parameters().brake).on_springs())
}
