//! Wheels in moving pictures: the states they are in, and their shapes. Shared by all models with wheels.

use stickslip_report::motion::{Affine, Channel, Motion, Paint, Shape, Tone};

/// Numbers of the states of a wheel, in the order in which [`explain`] gives their looks.
const ROLLS: f64 = 0.0;
const SLIDES: f64 = 1.0;
const LOCKED: f64 = 2.0;
const SPINS: f64 = 3.0;
const STANDS: f64 = 4.0;
/// In the air; known after [`explain_flight`].
pub(crate) const FLIES: f64 = 5.0;

/// Adds the looks of the states of wheels to a picture.
pub(crate) fn explain(motion: &mut Motion) {
    motion.state("rolls", Tone::Rolls);
    motion.state("slides", Tone::Slides);
    motion.state("locked", Tone::Locked);
    motion.state("spins", Tone::Spins);
    motion.state("stands", Tone::Stands);
}

/// Adds, after those, the look of a wheel in the air.
pub(crate) fn explain_flight(motion: &mut Motion) {
    motion.state("in the air", Tone::Flies);
}

/// The angle of a wheel over time, by the speed of its rim.
pub(crate) fn angle(t: &[f64], rim: &[f64], radius: f64) -> Vec<f64> {
    let mut angle = 0.0;
    let mut angles = vec![0.0];
    for (t, v) in t.windows(2).zip(rim.windows(2)) {
        angle += 0.5 * (v[0] + v[1]) * (t[1] - t[0]) / radius;
        angles.push(angle);
    }
    angles
}

/// The state of a wheel whose centre moves with `speed` and whose rim moves with `rim` (−speed while it rolls), where its
/// ground contact slips or not.
pub(crate) fn state(speed: f64, rim: f64, slips: bool) -> f64 {
    match (slips, rim == 0.0) {
        (false, true) if speed == 0.0 => STANDS,
        (false, _) => ROLLS,
        (true, true) => LOCKED,
        (true, false) if rim.abs() > speed.abs() => SPINS,
        (true, false) => SLIDES,
    }
}

/// Spokes of a wheel.
const SPOKES: usize = 5;

/// A wheel from the side about its centre, its tyre in the colour of its state; one spoke is marked, so that the eye can
/// follow it.
pub(crate) fn wheel(at: [Affine; 2], radius: f64, turn: Affine, state: Channel) -> Shape {
    let spoke = |k: usize| {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / SPOKES as f64).sin_cos();
        let width = if k == 0 { 5.0 } else { 1.5 };
        let points = vec![[0.0, 0.0], [0.68 * radius * cos, 0.68 * radius * sin]];
        Shape::Polyline { points, closed: false, paint: Paint::outline(Tone::Ink, width) }
    };
    let mut shapes = vec![
        Shape::Circle { at: [0.0; 2], radius, paint: Paint::by_state(state) },
        Shape::Circle { at: [0.0; 2], radius: 0.68 * radius, paint: Paint::filled(Tone::Paper) },
    ];
    shapes.extend((0..SPOKES).map(spoke));
    shapes.push(Shape::Circle { at: [0.0; 2], radius: 0.12 * radius, paint: Paint::filled(Tone::Ink) });
    Shape::Group { at, turn, shapes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_has_one_of_five_states() {
        assert_eq!(state(2.0, -2.0, false), ROLLS);
        assert_eq!(state(2.0, -1.0, true), SLIDES);
        assert_eq!(state(2.0, 0.0, true), LOCKED);
        assert_eq!(state(1.0, -3.0, true), SPINS);
        assert_eq!(state(0.0, 0.0, false), STANDS);
    }
}
