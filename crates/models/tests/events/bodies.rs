//! Bodies on a line: two masses with friction between them, and the wheel in another guise.
//!
//! The two masses of section 4.7 of the equations are driven by a sine there. A sine is no straight line: it waits for
//! a scheme with smooth forces between events. Here straight lines drive them.

use super::against_steps::Dice;
use super::masses::{Bodies, Body, Contact};
use super::*;
use proptest::prelude::*;
use stickslip_core::mechanics::Motion;

type BodyMotion = Motion<Vec<f64>, Vec<f64>>;

fn go(bodies: &Bodies, duration: f64) -> (EventRunResult<BodyMotion>, Vec<Event>) {
    let mut keep = Keep::every(1);
    let passage = events(bodies, Grid { h: duration, steps: 1 }, &Settings::default(), &mut keep).expect("runs");
    (passage, keep.events)
}

/// m1 = m2 = 1 kg, N = 1 N, μ = 0.4, a force on the first.
fn two_masses(force: Signal) -> Bodies {
    let body = |force| Body { mass: 1.0, force, velocity: 0.0 };
    let contact = Contact { body: 0, on: Some(1), bound: Signal::Constant(0.4) };
    Bodies::new(vec![body(force), body(Signal::ZERO)], vec![contact]).expect("valid")
}

#[test]
fn two_masses_slip_and_stick_again() {
    // F1 = t to 1.2 s, back to 0 at 2.4 s. The stick force is −F1/2: slip from F1 = 0.8 on, s' = F1 − 0.8. With
    // u = t − 1.2: s = 0.08 + 0.4 u − u²/2 on the way down, zero at u = 0.4 + √0.32.
    let pair = two_masses(points(&[0.0, 1.2, 2.4], &[0.0, 1.2, 0.0]));
    let (passage, seen) = go(&pair, 4.0);
    let u = 0.4 + 0.32_f64.sqrt();
    assert_events(&seen, &[(0.8, 0, 0, 1), (1.2 + u, 0, 1, 0)]);
    let end = &passage.state;
    // Momentum: ∫F1 dt = 1.44 N s on 2 kg; together exactly.
    assert_eq!(end.velocities[0], end.velocities[1]);
    assert!((end.velocities[0] - 0.72).abs() <= 1e-12);
    let stroke = 0.4_f64.powi(3) / 6.0 + 0.08 * u + 0.2 * u * u - u * u * u / 6.0;
    assert!((end.paths[0] - end.paths[1] - stroke).abs() <= 1e-12);
    assert!((end.dissipated[0] - 0.4 * stroke).abs() <= 1e-12);
    assert!((end.work - end.dissipated[0] - pair.kinetic(&end.velocities)).abs() <= 1e-12);
    assert!((passage.stuck[0] - (4.0 - (0.4 + u))).abs() <= 1e-12);
}

#[test]
fn two_masses_slip_back_without_sticking() {
    // F1 = t to 2 s, then 4 − t to −2 N at 6 s, held. s = (t − 0.8)²/2, then s' = 3.2 − t: zero at 3.2 + √2.88, where
    // |F1|/2 = 0.4485 > 0.4: slips back at once, s' = F1 + 0.8.
    let pair = two_masses(points(&[0.0, 2.0, 6.0], &[0.0, 2.0, -2.0]));
    let (passage, seen) = go(&pair, 8.0);
    let back = 3.2 + 2.88_f64.sqrt();
    assert_events(&seen, &[(0.8, 0, 0, 1), (back, 0, 1, -1)]);
    let slip = |t: f64| 4.8 * t - 0.5 * t * t;
    let expected = slip(6.0) - slip(back) - 1.2 * 2.0;
    assert!((passage.state.velocities[0] - passage.state.velocities[1] - expected).abs() <= 1e-12);
    assert_eq!(passage.handovers, 0);
}

#[test]
fn stacked_blocks_at_rest_stay_at_rest() {
    // Three blocks on each other and on the ground, and a strut besides: the contacts close a loop, so that forces are
    // not unique, but the velocities are: zero.
    let body = |force: f64| Body { mass: 2.0, force: Signal::Constant(force), velocity: 0.0 };
    let contact = |body, on, bound: f64| Contact { body, on, bound: Signal::Constant(bound) };
    let contacts =
        vec![contact(0, None, 9.0), contact(1, Some(0), 6.0), contact(2, Some(1), 3.0), contact(2, None, 1.0)];
    let stack = Bodies::new(vec![body(0.5), body(-2.0), body(2.5)], contacts).expect("valid");
    let (passage, seen) = go(&stack, 1000.0);
    assert!(seen.is_empty());
    assert_eq!(passage.state.velocities, [0.0; 3]);
    assert_eq!(passage.state.paths, [0.0; 3]);
    assert_eq!(passage.stuck, [1000.0; 4]);
}

#[test]
fn a_contact_at_its_bound_leaves_the_rest_to_another() {
    // One block held by two contacts side by side, of 1 N and 3 N, under a force that grows by 1 N/s. W is singular: the
    // forces of least norm are equal until the weaker comes to its bound at 2 s; then it stays there, sticking, and the
    // other takes the rest until 4 s. Both slip together.
    let body = Body { mass: 2.0, force: points(&[0.0, 9.0], &[0.0, 9.0]), velocity: 0.0 };
    let contact = |bound| Contact { body: 0, on: None, bound: Signal::Constant(bound) };
    let block = Bodies::new(vec![body], vec![contact(1.0), contact(3.0)]).expect("valid");
    let mut keep = Keep::every(1);
    let passage = events(&block, Grid { h: 0.5, steps: 12 }, &Settings::default(), &mut keep).expect("runs");
    assert_events(&keep.events, &[(4.0, 0, 0, 1), (4.0, 1, 0, 1)]);
    assert_eq!(passage.handovers, 0);
    for (t, motion) in &keep.samples {
        let expected = if *t <= 2.0 { [-0.5 * t, -0.5 * t] } else { [-1.0, -(t - 1.0).min(3.0)] };
        for (r, expected) in motion.forces.iter().zip(expected) {
            assert!((r - expected).abs() <= 1e-11, "t = {t}: {:?}", motion.forces);
        }
        assert!(*t >= 4.0 || motion.velocities[0] == 0.0);
    }
    // m v' = t − 4 from then on.
    assert!((passage.state.velocities[0] - 1.0).abs() <= 1e-11);
}

#[test]
fn undetermined_forces_do_not_jump() {
    // Two contacts of 2 N and 1 N hold a block under a force that goes from −2 N to 3 N and to −3 N, all they can hold.
    // Were the forces chosen anew at every event, the weaker would be taken to be at its bound where it is not.
    let force = points(&[0.0, 1.0, 2.0], &[-2.0, 3.0, -3.0]);
    let body = Body { mass: 1.0, force, velocity: 0.0 };
    let contact = |bound| Contact { body: 0, on: None, bound: Signal::Constant(bound) };
    let block = Bodies::new(vec![body], vec![contact(2.0), contact(1.0)]).expect("valid");
    let (passage, seen) = go(&block, 5.0);
    assert!(seen.is_empty(), "{seen:?}");
    assert_eq!((passage.state.velocities[0], passage.state.paths[0]), (0.0, 0.0));
}

#[test]
fn a_wheel_is_two_bodies() {
    // Masses m and J, speeds x1 and −x2: the ground rubs between them with a_G, the brake holds the second to the
    // frame with a_B, and the motor pushes it with −𝓜. The general solver must find what the three clamps find.
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    let mut events = 0;
    for case in 0..200 {
        let wheel = dice.wheel();
        let p = wheel.parameters();
        let body = |mass, force, velocity| Body { mass, force, velocity };
        let bodies =
            vec![body(p.mass, Signal::ZERO, p.start.x1), body(wheel.j(), p.motor.scaled(-1.0 / p.radius), -p.start.x2)];
        let contacts = vec![
            Contact { body: 0, on: Some(1), bound: p.friction.scaled(p.mass * p.gravity) },
            Contact { body: 1, on: None, bound: p.brake.scaled(1.0 / p.radius) },
        ];
        let pair = Bodies::new(bodies, contacts).expect("valid");
        let (a, keep) = run(&wheel, 6.0, 1);
        let (b, seen) = go(&pair, 6.0);
        // The general solver is content with 1e-12; a manoeuvre of some ten spans may add that up.
        let size = keep.samples[0].1.x1.abs().max(a.state.x2.abs()).max(1.0);
        assert!((a.state.x1 - b.state.velocities[0]).abs() <= 1e-10 * size, "case {case}");
        assert!((a.state.x2 + b.state.velocities[1]).abs() <= 1e-10 * size, "case {case}");
        let mirrored = |e: &(f64, usize, i8, i8)| if e.1 == 1 { (e.0, e.1, -e.2, -e.3) } else { *e };
        let expected: Vec<_> = list(&keep.events).iter().map(mirrored).collect();
        assert_events(&seen, &expected);
        assert_eq!(b.handovers, 0);
        events += seen.len();
    }
    assert!(events > 800, "{events}");
}

#[test]
fn data_that_describe_no_bodies_are_refused() {
    let body = || Body { mass: 1.0, force: Signal::ZERO, velocity: 0.0 };
    let contact = |body, on| Contact { body, on, bound: Signal::Constant(1.0) };
    assert!(Bodies::new(vec![Body { mass: 0.0, ..body() }], vec![]).is_err());
    assert!(Bodies::new(vec![Body { velocity: f64::NAN, ..body() }], vec![]).is_err());
    assert!(Bodies::new(vec![body()], vec![contact(0, Some(0))]).is_err());
    assert!(Bodies::new(vec![body()], vec![contact(1, None)]).is_err());
    assert!(Bodies::new(vec![body()], vec![contact(0, Some(3))]).is_err());
    let falling = Contact { body: 0, on: None, bound: points(&[0.0, 1.0], &[1.0, -1.0]) };
    assert!(Bodies::new(vec![body()], vec![falling]).is_err());
}

/// Whole numbers, several contacts between the same bodies: ties and undetermined forces abound.
fn coarse() -> impl Strategy<Value = Bodies> {
    let values = |range: std::ops::RangeInclusive<i32>| proptest::collection::vec(range.prop_map(f64::from), 1..5);
    let body = (1..=3_i32, values(-3..=3), -2..=2_i32);
    let contact = (0..3_usize, 0..4_usize, values(0..=3));
    let signal = |values: &[f64]| {
        let times: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
        points(&times, values)
    };
    let lists = (proptest::collection::vec(body, 3), proptest::collection::vec(contact, 1..5));
    lists.prop_map(move |(bodies, contacts)| {
        let bodies = bodies.iter().map(|(mass, force, velocity)| Body {
            mass: f64::from(*mass),
            force: signal(force),
            velocity: f64::from(*velocity),
        });
        let contacts = contacts.iter().filter(|(body, on, _)| body != on).map(|(body, on, bound)| Contact {
            body: *body,
            on: Some(*on).filter(|on| *on < 3),
            bound: signal(bound),
        });
        Bodies::new(bodies.collect(), contacts.collect()).expect("valid")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn round_numbers_agree_with_implicit_steps(bodies in coarse()) {
        let (passage, _) = go(&bodies, 5.0);
        prop_assert_eq!(passage.handovers, 0);
        prop_assert!(passage.spans <= 200, "{}", passage.spans);
        let end = &passage.state;
        let start: Vec<f64> = bodies.bodies().iter().map(|b| b.velocity).collect();
        let lost = bodies.kinetic(&start) + end.work - end.dissipated.iter().sum::<f64>() - bodies.kinetic(&end.velocities);
        // The general solver is content with 1e-12 of forces of up to 20 N over 5 s at speeds of up to 20 m/s.
        prop_assert!(lost.abs() <= 1e-9, "{lost}");
        // Implicit steps all the way: first order, h times the variation of the accelerations (at most 3 + 4·3 N on
        // 1 kg, there and back in every span, in the mass norm of at most 3 kg).
        let h = 1.0 / 2048.0;
        let settings = Settings { cluster: 0, step: h, steps: u32::MAX };
        let steps = events(&bodies, Grid { h: 5.0, steps: 1 }, &settings, &mut Keep::every(1)).expect("runs");
        let allowed = h * 4.0 * 15.0 * 3.0_f64.sqrt() * passage.spans as f64;
        for (a, b) in end.velocities.iter().zip(&steps.state.velocities) {
            prop_assert!((a - b).abs() <= allowed, "{:?} {:?}", end.velocities, steps.state.velocities);
        }
    }
}
