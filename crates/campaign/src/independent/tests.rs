//! The integrator against closed forms.

use std::f64::consts::PI;

use super::*;

fn along(coordinate: usize) -> Direction {
    Direction { own: vec![(coordinate, 1.0)], supports: Vec::new() }
}

fn on_axis(coordinate: usize, axis: usize) -> Direction {
    Direction { own: vec![(coordinate, 1.0)], supports: vec![(axis, -1.0)] }
}

fn pad(faces: Vec<Direction>, bound: f64) -> Pad {
    let friction = Friction::Two(1.0, 1.0);
    Pad { faces, load: Course::Constant(bound), factor: Course::Constant(1.0), friction, viscous: 0.0 }
}

fn block(speed: f64, bound: f64) -> Problem {
    Problem {
        masses: vec![1.0],
        places: vec![0.0],
        speeds: vec![speed],
        pads: vec![pad(vec![along(0)], bound)],
        ..Problem::default()
    }
}

fn last(problem: &Problem, duration: f64) -> Line {
    let lines = march(problem, 50, duration / 50.0).expect("it knows the problem");
    lines.last().expect("there are rows").clone()
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn a_block_slides_to_rest() {
    // v²/(2 μ g) with a deceleration of 0.5: it rests after 4 s at x = 4, and all its energy is heat.
    let end = last(&block(2.0, 0.5), 6.0);
    close(end.places[0], 4.0, 1e-10);
    assert_eq!(end.speeds[0], 0.0);
    close(end.heat[0], 2.0, 1e-10);
}

#[test]
fn a_coulomb_oscillator_loses_the_same_with_every_swing() {
    // k = 1, friction 0.1: each half swing about ±0.1 is shorter by 0.2, from −1 to 0.8, −0.6, 0.4, −0.2, 0.
    let mut problem = block(0.0, 0.1);
    problem.places[0] = -1.0;
    problem.springs = vec![Bond { along: along(0), factor: 1.0, preload: 0.0 }];
    for (swings, place) in [(1.0, 0.8), (2.0, -0.6), (3.0, 0.4)] {
        close(last(&problem, swings * PI).places[0], place, 1e-9);
    }
    // It begins its fifth half swing at −0.2 and would end it at 0, where it stays.
    let end = last(&problem, 20.0);
    close(end.places[0], 0.0, 1e-9);
    close(end.heat[0], 0.5, 1e-9);
}

#[test]
fn a_block_on_a_belt_has_its_period() {
    // m = k = 1, static 1, kinetic 0.5, belt 0.5: slip begins at x = 1 and the motion about 0.5 has the amplitude
    // A = sqrt(0.5² + 0.5²); it sticks again at x = 0, after 2π − π/2 of slip, and is carried for 1/0.5 s.
    let mut problem = block(0.5, 1.0);
    problem.axes = vec![Axis::Speed(Course::Constant(0.5))];
    problem.springs = vec![Bond { along: along(0), factor: 1.0, preload: 0.0 }];
    problem.pads = vec![Pad { friction: Friction::Two(1.0, 0.5), ..pad(vec![on_axis(0, 0)], 1.0) }];
    let period = 1.5 * PI + 2.0;
    let (one, two) = (last(&problem, 1.0 + period), last(&problem, 1.0 + 2.0 * period));
    close(one.places[0], 0.5, 1e-8);
    close(two.places[0], 0.5, 1e-8);
    close(two.speeds[0], 0.5, 1e-10);
}

#[test]
fn belts_that_jump_or_have_a_corner() {
    // The block slips on the belt from t = 1 on and gains 0.5 m/s in a second: x = 1 at t = 3, 2 at t = 4.
    let mut problem = block(0.0, 0.5);
    problem.pads = vec![pad(vec![on_axis(0, 0)], 0.5)];
    let points = |list: &[(f64, f64)]| Course::Points(list.to_vec());
    problem.axes = vec![Axis::Speed(points(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (4.0, 1.0)]))];
    close(last(&problem, 4.0).places[0], 2.0, 1e-9);
    problem.axes = vec![Axis::Position(points(&[(0.0, 0.0), (1.0, 0.0), (2.0, 1.0), (4.0, 1.0)]))];
    close(last(&problem, 4.0).places[0], 0.5, 1e-9);
}

#[test]
fn a_support_that_jumps_pulls_a_spring() {
    let mut problem = block(0.0, 0.0);
    problem.pads.clear();
    problem.axes = vec![Axis::Position(Course::Points(vec![(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (4.0, 1.0)]))];
    problem.springs = vec![Bond { along: on_axis(0, 0), factor: 1.0, preload: 0.0 }];
    close(last(&problem, 4.0).places[0], 1.0 - 3.0_f64.cos(), 1e-9);
}

#[test]
fn a_point_in_the_plane_slides_straight_to_rest() {
    let problem = Problem {
        masses: vec![1.0; 2],
        places: vec![0.0; 2],
        speeds: vec![1.2, 1.6],
        pads: vec![pad(vec![along(0), along(1)], 0.5)],
        ..Problem::default()
    };
    let end = last(&problem, 6.0);
    close(end.places[0], 2.4, 1e-8);
    close(end.places[1], 3.2, 1e-8);
    close(end.heat[0], 2.0, 1e-8);
    assert_eq!(end.slips[0], [0.0; 2]);
}

#[test]
fn loads_that_are_shared_are_refused() {
    let mut problem = block(1.0, 0.5);
    problem.pads.push(pad(vec![along(0)], 0.5));
    // Both come to rest together, and what holds them cannot be told apart.
    assert_eq!(march(&problem, 10, 0.5), Err(GivesUp::NoModes));
}
