//! What a run costs: counts of what is asked of a vehicle, so that no clock is needed.

use super::lens::{Lens, Work};
use super::{Keep, car, parameters, points, wheel};
use stickslip_core::scheme::events::{EventRunResult, Settings};
use stickslip_core::scheme::{ByEvents, Grid, events, smooth_events};
use stickslip_core::signal::Signal;
use stickslip_models::vehicle::road::{Patch, Road, Side};
use stickslip_models::vehicle::{Parameters, Vehicle};

/// A train that brakes; by place and against the air if it is to be integrated. Its wheels come to the ice one by one.
fn train(n: usize, integrated: bool) -> Vehicle {
    let brake = points(&[0.2, 1.0], &[0.0, 500.0]);
    let mut wheels: Vec<_> = (0..n).map(|i| wheel(i, 1.0 / n as f64, Signal::ZERO, brake.clone())).collect();
    for (i, wheel) in wheels.iter_mut().enumerate() {
        wheel.place.ahead = -20.0 * i as f64 / n as f64;
        if !integrated {
            // Every wheel locks, and rolls again, at times of its own.
            let from = 1.0 + i as f64 / n as f64;
            wheel.friction = points(&[from, from, from + 0.5, from + 0.5], &[0.8, 0.1, 0.1, 0.8]);
        }
    }
    let mut data = parameters(300.0 * n as f64, wheels, 20.0);
    data.resistance = 10.0;
    if integrated {
        data.drag = 1.0;
        let friction = Signal::Constant(0.1);
        data.road =
            Road { patches: vec![Patch { from: 10.0, to: 20.0, side: Side::Both, friction }], ..Road::default() };
    }
    car(Parameters { ..data })
}

fn run<S>(
    n: usize,
    integrated: bool,
    go: impl Fn(&Lens, Grid, &mut Keep) -> EventRunResult<S>,
) -> (EventRunResult<S>, Work) {
    let vehicle = train(n, integrated);
    assert_eq!(vehicle.closed_form().is_some(), !integrated);
    let lens = Lens::as_it_is(&vehicle);
    let passage = go(&lens, Grid { h: 3.0, steps: 1 }, &mut Keep::every(1));
    assert!(passage.events >= n as u64, "{}", passage.events);
    assert_eq!(passage.handovers, 0);
    let work = lens.work();
    (passage, work)
}

#[test]
fn a_span_in_closed_form_solves_two_inclusions_whatever_the_number_of_wheels() {
    for n in [50, 100, 200] {
        let (passage, work) =
            run(n, false, |lens, grid, keep| events(lens, grid, &Settings::default(), keep).expect("runs"));
        assert!(work.responses <= 2 * passage.spans, "{n}: {work:?} in {} spans", passage.spans);
        assert_eq!((work.matrices, work.evaluations), (0, 0));
    }
}

#[test]
fn integration_never_builds_a_matrix_and_evaluates_as_often_per_step_with_many_wheels() {
    let per_span = [50, 100, 200].map(|n| {
        let (passage, work) = run(n, true, |lens, grid, keep| {
            smooth_events(lens, |f| lens.state_at(f), grid, &Settings::default(), keep).expect("runs")
        });
        assert_eq!(work.matrices, 0, "{n}");
        // One at a time only where a contact begins to slip: does its friction drop?
        assert!(work.single_bounds <= 4 * passage.events, "{n}: {work:?}, {} events", passage.events);
        work.evaluations as f64 / passage.spans as f64
    });
    // Nine points, a few iterations, made again at an event that is found by a bisection of some tens: no more with more
    // wheels. (Events come closer with more wheels, which makes steps shorter and cheaper.)
    assert!(per_span[0] <= 200.0 && per_span[2] <= 1.1 * per_span[0], "{per_span:?}");
}
