//! Whoever waits for a solution hears of every iteration, and changes nothing.

use std::ops::ControlFlow;

use stickslip_contact::case::{Body, Case, CaseError, Course, Elements, Pressing, Work};
use stickslip_contact::error::Error;
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::progress::Iteration;
use stickslip_contact::tangential::{Motion, Settings, Steady, Transient};
use stickslip_core::law::Coefficient;

fn case(course: Course) -> Case {
    let body = Body { radii: Radii { x: 0.46, y: 0.30 }, material: Material::from_young(210e9, 0.3).expect("valid") };
    Case {
        bodies: [body; 2],
        pressing: Pressing::Load(42e3),
        friction: Coefficient::Constant(0.3),
        speed: 0.0,
        elements: Elements { along: Some(40), across: Some(36), ..Elements::default() },
        course,
        settings: Settings::default(),
    }
}

/// Iterations come grid by grid, each twice as fine as the one before, and are counted on each.
fn in_order(told: &[Iteration]) {
    for pair in told.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        if after.finer == before.finer {
            assert_eq!(after.elements, before.elements);
            assert!(after.count == before.count + 1 || after.count == before.count, "{before:?} {after:?}");
        } else {
            assert_eq!(after.finer + 1, before.finer);
            assert_eq!(after.elements.map(|n| n.div_ceil(2)), before.elements);
            assert!(after.count <= 1, "{after:?}");
        }
    }
}

#[test]
fn a_steady_solution_is_told_iteration_by_iteration() {
    let motion = Motion::creepage(0.0017, 0.0, 0.2);
    let case = case(Course::Steady(motion));
    let (mut pressure, mut tractions, mut influence) = (Vec::new(), Vec::new(), 0);
    let outcome = case
        .solve(&mut |work| match work {
            Work::Influence(elements) => {
                assert_eq!(elements, [40, 36]);
                influence += 1;
            }
            Work::Pressure(iteration) => pressure.push(iteration),
            Work::Tractions { solution, of, iteration } => {
                assert_eq!((solution, of), (1, 1));
                tractions.push(iteration);
            }
        })
        .expect("solves");
    assert_eq!(influence, 2);
    for (told, iterations) in [(&pressure, outcome.contact.iterations), (&tractions, outcome.solution.iterations)] {
        in_order(told);
        let last = told.last().expect("iterations");
        assert_eq!((last.finer, last.count, last.tolerance), (0, iterations, 1e-8));
        assert!(told[0].finer > 0 && last.residual <= 1e-8, "{last:?}");
    }
    // The same bits without anybody watching.
    let contact = case.press().expect("solves");
    assert_eq!(contact, outcome.contact);
    let mut steady = Steady::new(&contact, 0.3, case.settings).expect("valid");
    assert_eq!(steady.solve(motion).expect("solves").of_symmetric_contact(motion), outcome.solution);
}

#[test]
fn steps_of_rolling_are_counted() {
    let motion = Motion::force(-6000.0, 0.0, 0.0);
    let case = case(Course::Transient { motion, steps: 3, shifted: true });
    assert_eq!(case.solutions(), 4);
    let mut told = Vec::new();
    let outcome = case
        .solve(&mut |work| {
            if let Work::Tractions { solution, of: 4, iteration } = work {
                told.push((solution, iteration));
            }
        })
        .expect("solves");
    for (k, moment) in outcome.history.iter().enumerate() {
        let own: Vec<Iteration> = told.iter().filter(|(solution, _)| *solution == k + 1).map(|(_, i)| *i).collect();
        in_order(&own);
        assert_eq!(own.last().expect("iterations").count, moment.iterations);
    }
    let mut rolling = Transient::new(&outcome.contact, 0.3, case.settings).expect("valid");
    rolling.shift(motion).expect("solves");
    let mut last = None;
    for _ in 0..3 {
        last = Some(rolling.step(motion).expect("solves").of_symmetric_contact(motion));
    }
    assert_eq!(last, Some(outcome.solution));
}

/// Who breaks off is not kept waiting, whatever the friction, and what is not within tolerance is an error that says so.
#[test]
fn a_watcher_that_breaks_off_ends_it() {
    let motion = Motion::creepage(0.0017, 0.0, 0.2);
    let falling = Coefficient::Sech { sticking: 0.3, slipping: 0.2, alpha: 50.0 };
    for (friction, speed) in [(Coefficient::Constant(0.3), 0.0), (falling, 20.0)] {
        let case = Case { friction, speed, ..case(Course::Steady(motion)) };
        let (mut heard, mut after) = (0, 0);
        let ended = case.solve_until(&mut |work| match work {
            Work::Tractions { iteration: Iteration { finer: 0, .. }, .. } => {
                heard += 1;
                after += usize::from(heard > 3);
                if heard >= 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            }
            _ => ControlFlow::Continue(()),
        });
        let told = matches!(
            ended,
            Err(CaseError::Contact(Error::NoConvergence { iterations: 3, residual, .. })) if residual > 1e-8
        );
        assert!(told && after == 0, "{after} more");
        // Nor does the pressure go on.
        let ended = case.solve_until(&mut |_| ControlFlow::Break(()));
        assert!(matches!(ended, Err(CaseError::Contact(Error::NoConvergence { what: "normal problem", .. }))));
    }
}
