//! What is measured of a wheel.

use stickslip_run::{Gauge, Part};

use super::Wheel;
use super::record::column;
use crate::ride::{Ride, wheel_part};

/// The wheel as a part with states of its own.
pub(super) fn part() -> Part {
    wheel_part("wheel", 0, 1)
}

/// m x1' + f = 0.
pub(super) fn gauge(wheel: &Wheel) -> Box<dyn Gauge + '_> {
    const PLACES: [usize; 3] = [column("x1"), column("f"), column("x")];
    let mass = wheel.parameters().mass;
    let [x1, f, x] = PLACES;
    Box::new(Ride::new([x1, x], move |row| -row[f] / mass).with(part(), &wheel.brake))
}
