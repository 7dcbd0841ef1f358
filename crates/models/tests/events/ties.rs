//! Where several things happen at once, or next to nothing: ties, jumps, rest, round numbers.

use super::*;
use proptest::prelude::*;
use stickslip_core::scheme::implicit_euler;

const GROUND: usize = 0;
const BRAKE: usize = 1;

#[test]
fn a_parked_wheel_stays_parked() {
    let parked = wheel(Signal::Constant(100.0), Signal::Constant(150.0), 0.0, 0.0);
    let (passage, keep) = run(&parked, 3600.0, 100);
    assert_eq!(passage.stuck, [3600.0, 3600.0]);
    assert_eq!((passage.events, passage.handovers), (0, 0));
    for (_, u) in keep.samples {
        assert_eq!((u.x1, u.x2, u.x(), u.theta()), (0.0, 0.0, 0.0, 0.0));
        assert_eq!((u.f, u.g), (0.0, 100.0 / RADIUS));
    }
}

#[test]
fn nothing_acts() {
    // At rest without brake and motor: all contacts stick, signals and slopes being zero.
    let (passage, _) = run(&wheel(Signal::ZERO, Signal::ZERO, 0.0, 0.0), 5.0, 5);
    assert_eq!((passage.state.x1, passage.state.x2, passage.events), (0.0, 0.0, 0));
    // Rolling for ever.
    let (passage, _) = run(&wheel(Signal::ZERO, Signal::ZERO, 7.0, -7.0), 5.0, 5);
    assert_eq!((passage.state.x1, passage.state.x2, passage.events), (7.0, -7.0, 0));
    assert_eq!(passage.state.x(), 35.0);
    // Pushed without turning: x2 leaves zero at once (the brake has no force), rolls from
    // t = v/(a_G (1/m + 1/J)) on.
    let (passage, keep) = run(&wheel(Signal::ZERO, Signal::ZERO, 7.0, 0.0), 5.0, 5);
    let grip = 7.0 / (A_G * (1.0 / MASS + 1.0 / J));
    assert_events(&keep.events, &[(grip, GROUND, 1, 0)]);
    assert_eq!(passage.state.x1 + passage.state.x2, 0.0);
    assert!((passage.state.x1 - (7.0 - A_G / MASS * grip)).abs() < 1e-14);
}

#[test]
fn a_brake_that_jumps() {
    // 1000 N m at t = 1 s: above a_G R (1 + J/m) = 973.1 N m, so that the wheel slips from the very instant; off at
    // 1.2 s: it grips again.
    let jump = points(&[1.0, 1.0, 1.2, 1.2], &[0.0, 1000.0, 1000.0, 0.0]);
    let (passage, keep) = run(&wheel(Signal::ZERO, jump, 20.0, -20.0), 2.0, 20);
    let (force, lasts) = (1000.0 / RADIUS, 0.2);
    let slip_rate = -A_G / MASS + (force - A_G) / J;
    let grip = 1.2 + slip_rate * lasts / (A_G * (1.0 / MASS + 1.0 / J));
    assert_events(&keep.events, &[(1.0, GROUND, 0, 1), (grip, GROUND, 1, 0)]);
    assert_eq!(keep.events[0].t, 1.0);
    assert!((passage.state.x1 - (20.0 - A_G / MASS * (grip - 1.0))).abs() < 1e-13);
}

#[test]
fn a_force_on_its_bound_waits_for_the_next_order() {
    // The motor rises to exactly what the brake holds, waits there, and rises again: the wheel is at rest until then.
    let motor = points(&[0.0, 1.0, 2.0, 3.0], &[0.0, 300.0, 300.0, 400.0]);
    let (_, keep) = run(&wheel(motor, Signal::Constant(300.0), 0.0, 0.0), 3.0, 300);
    assert_eq!(list(&keep.events), [(2.0, BRAKE, 0, 1)]);
    assert!(keep.samples.iter().filter(|(t, _)| *t <= 2.0).all(|(_, u)| u.x1 == 0.0 && u.x2 == 0.0));
    // Rolling from 2 s on: (m + J) x1' = −(𝓜 − a_B) = −(100/R)(t − 2).
    let (_, end) = keep.samples[299];
    assert!((end.x1 + 0.5 * 100.0 / RADIUS / (MASS + J)).abs() < 1e-15);
    // It falls instead: at rest for ever.
    let motor = points(&[0.0, 1.0, 2.0, 3.0], &[0.0, 300.0, 300.0, 200.0]);
    let (passage, _) = run(&wheel(motor, Signal::Constant(300.0), 0.0, 0.0), 3.0, 300);
    assert_eq!((passage.state.x1, passage.events), (0.0, 0));
    // Both rise together, from nothing: the force is on its bound all the time, and holds.
    let ramp = points(&[1.0, 3.0], &[0.0, 300.0]);
    let (passage, _) = run(&wheel(ramp.clone(), ramp.clone(), 0.0, 0.0), 3.0, 300);
    assert_eq!((passage.state.x1, passage.state.x2, passage.events), (0.0, 0.0, 0));
    // The motor a little steeper: off at the break itself, by the second order.
    let (_, keep) = run(&wheel(ramp.scaled(1.125), ramp, 0.0, 0.0), 3.0, 300);
    assert_eq!(list(&keep.events), [(1.0, BRAKE, 0, 1)]);
}

#[test]
fn two_contacts_reach_zero_together() {
    // Both slip; a_B = a_G (1 + ½J/m) makes x2' = −½ x1', so that (10, −5) comes to rest all at once.
    let brake = Signal::Constant(A_G * (1.0 + 0.5 * J / MASS) * RADIUS);
    let rest = 10.0 * MASS / A_G;
    let (passage, keep) = run(&wheel(Signal::ZERO, brake.clone(), 10.0, -5.0), 3.0, 300);
    assert_events(&keep.events, &[(rest, GROUND, 1, 0), (rest, BRAKE, -1, 0)]);
    assert!((keep.events[0].t - keep.events[1].t).abs() <= 1e-12);
    assert_eq!((passage.state.x1, passage.state.x2, passage.handovers), (0.0, 0.0, 0));
    // Rolling to rest: x1 and x2 reach zero together as they must.
    let soft = Signal::Constant(0.5 * A_G * RADIUS);
    let (passage, keep) = run(&wheel(Signal::ZERO, soft, 10.0, -10.0), 10.0, 300);
    assert_events(&keep.events, &[(20.0 * (MASS + J) / A_G, BRAKE, -1, 0)]);
    assert_eq!((passage.state.x1, passage.state.x2), (0.0, 0.0));
    // A break of the motor at the very same instant.
    let times = [rest, rest];
    let motor = points(&times, &[0.0, 1500.0]);
    let (passage, keep) = run(&wheel(motor, brake, 10.0, -5.0), 3.0, 300);
    assert_eq!(passage.handovers, 0);
    assert!(keep.events.iter().all(|e| (e.t - rest).abs() <= 1e-12), "{:?}", keep.events);
}

#[test]
fn samples_do_not_change_the_motion() {
    let brake = torque([0.5, 0.7, 2.0, 2.4], 2.0 * A_G);
    let wheel = wheel(Signal::ZERO, brake, 20.0, -20.0);
    let (few, _) = run(&wheel, 6.0, 1);
    let (many, keep) = run(&wheel, 6.0, 4096);
    assert_eq!((few.state.x1, few.state.x2, few.state.x()), (many.state.x1, many.state.x2, many.state.x()));
    assert_eq!((few.stuck, few.events), (many.stuck, many.events));
    assert_eq!(keep.samples.len(), 4096);
    assert_eq!(keep.samples[4095].0, 6.0);
}

#[test]
fn a_cluster_is_led_through_by_implicit_steps() {
    // No cluster is known of a wheel: the limit is set to nothing instead, so that every span ends with a stretch of
    // implicit steps. The stretches close the energy balance and leave the first-order error of their few steps.
    let brake = torque([0.5, 0.7, 2.0, 2.4], 2.0 * A_G);
    let wheel = wheel(Signal::ZERO, brake, 20.0, -20.0);
    let settings = Settings { cluster: 0, step: 1e-4, steps: 16 };
    let mut keep = Keep::every(1);
    let led = events(&wheel, Grid { h: 1e-2, steps: 600 }, &settings, &mut keep).expect("runs");
    // A stretch after each of the nine spans of the run itself but the last.
    assert!(led.handovers >= 8, "{}", led.handovers);
    let (exact, exactly) = run(&wheel, 6.0, 600);
    let allowed = super::against_steps::first_order(&wheel, &exact, 1e-4, 6.0) / MASS.sqrt();
    assert!((led.state.x1 - exact.state.x1).abs() <= allowed, "{} {allowed}", led.state.x1);
    let sequence = |events: &[Event]| events.iter().map(|e| (e.contact, e.to.sign())).collect::<Vec<_>>();
    assert_eq!(sequence(&keep.events), sequence(&exactly.events));
    assert!(ledger(&wheel, &led).closure() <= 1e-11, "{}", ledger(&wheel, &led).closure());
    assert_eq!(keep.samples.len(), 600);
}

#[test]
fn signals_that_are_not_straight_are_refused() {
    use stickslip_core::signal::Sine;
    let sine = Signal::Sine(Sine { offset: 0.0, amplitude: 10.0, omega: 3.0, phase: 0.0 });
    let wheel = wheel(sine, Signal::ZERO, 1.0, -1.0);
    let grid = Grid { h: 1.0, steps: 1 };
    let error = events(&wheel, grid, &Settings::default(), &mut Keep::every(1)).expect_err("not straight");
    assert!(error.to_string().contains("straight lines"), "{error}");
}

/// Small whole numbers, so that ties abound.
#[derive(Debug, Clone)]
struct Coarse {
    mass: f64,
    inertia: f64,
    friction: Vec<f64>,
    motor: Vec<f64>,
    brake: Vec<f64>,
    start: (f64, f64),
    jumps: bool,
}

impl Coarse {
    fn wheel(&self, mirror: f64) -> Wheel {
        let signal = |values: &[f64], factor: f64| {
            let times = (0..values.len()).map(|i| if self.jumps { i.div_ceil(2) as f64 } else { i as f64 });
            points(&times.collect::<Vec<_>>(), &values.iter().map(|v| factor * v).collect::<Vec<_>>())
        };
        Wheel::new(Parameters {
            over_slip: Default::default(),
            mass: self.mass,
            inertia: self.inertia,
            radius: 1.0,
            gravity: 1.0,
            friction: signal(&self.friction, 1.0),
            motor: signal(&self.motor, mirror),
            brake: signal(&self.brake, 1.0),
            start: Start { x1: mirror * self.start.0, x2: mirror * self.start.1, ..Start::default() },
        })
        .expect("valid")
    }
}

fn whole(range: std::ops::RangeInclusive<i32>) -> impl Strategy<Value = f64> {
    range.prop_map(f64::from)
}

fn coarse() -> impl Strategy<Value = Coarse> {
    let some = |range: std::ops::RangeInclusive<i32>| proptest::collection::vec(whole(range), 1..8);
    (whole(1..=4), whole(1..=4), some(0..=2), some(-4..=4), some(0..=4), (whole(-3..=3), whole(-3..=3)), any::<bool>())
        .prop_map(|(mass, inertia, friction, motor, brake, start, jumps)| Coarse {
            mass,
            inertia,
            friction,
            motor,
            brake,
            start,
            jumps,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn round_numbers_come_to_an_end_and_obey_the_law(data in coarse()) {
        let wheel = data.wheel(1.0);
        let (passage, keep) = run(&wheel, 8.0, 640);
        prop_assert_eq!(passage.handovers, 0);
        prop_assert!(passage.spans <= 200, "{}", passage.spans);
        let ledger = ledger(&wheel, &passage);
        // Energies of order 1 to 1000: differences of them are rounded to the greatest speed squared.
        let size = 0.5 * (data.mass + data.inertia) * keep.samples.iter().map(|(_, u)| u.x1.abs().max(u.x2.abs())).fold(0.0, f64::max).powi(2);
        prop_assert!(ledger.lost().abs() <= 1e-12 * size.max(1e-3), "{:?}", ledger);
        for (t, u) in &keep.samples {
            let (a_g, a_b) = (wheel.ground_bound(*t), wheel.brake_bound(*t));
            let region = u.region().expect("known");
            let slips = [(u.x1 + u.x2, u.f, a_g, region.ground()), (u.x2, u.g, a_b, region.brake())];
            for (slip, force, bound, sign) in slips {
                let sign = f64::from(sign);
                // Forces to 1e-12 of the greatest force, 20 N.
                prop_assert!(force.abs() <= bound + 2e-11, "t = {} {:?}", t, u);
                prop_assert!(sign != 0.0 || slip == 0.0, "t = {} {:?}", t, u);
                prop_assert!(sign == 0.0 || (force - sign * bound).abs() <= 2e-11, "t = {} {:?}", t, u);
                prop_assert!(sign * slip >= -1e-11, "t = {} {:?}", t, u);
            }
        }
    }

    #[test]
    fn mirrored_wheels_move_mirrored_bit_by_bit(data in coarse()) {
        let (a, seen_a) = run(&data.wheel(1.0), 8.0, 64);
        let (b, seen_b) = run(&data.wheel(-1.0), 8.0, 64);
        prop_assert_eq!((a.stuck, a.events, a.spans), (b.stuck, b.events, b.spans));
        for ((_, u), (_, w)) in seen_a.samples.iter().zip(&seen_b.samples) {
            prop_assert_eq!((u.x1, u.x2, u.x(), u.theta(), u.f, u.g), (-w.x1, -w.x2, -w.x(), -w.theta(), -w.f, -w.g));
            prop_assert_eq!((u.dissipated(), u.work()), (w.dissipated(), w.work()));
        }
        for (e, f) in seen_a.events.iter().zip(&seen_b.events) {
            prop_assert_eq!((e.t, e.contact, e.from.sign(), e.to.sign()), (f.t, f.contact, -f.from.sign(), -f.to.sign()));
        }
    }

    #[test]
    fn round_numbers_agree_with_implicit_steps(data in coarse()) {
        let wheel = data.wheel(1.0);
        let steps = 1 << 15;
        let h = 8.0 / f64::from(steps);
        let (passage, _) = run(&wheel, 8.0, 1);
        let end = implicit_euler(&wheel, Grid { h, steps: steps as u64 }, &mut Keep::every(u64::MAX)).expect("runs").state;
        let allowed = super::against_steps::first_order(&wheel, &passage, h, 8.0);
        let error = data.mass * (end.x1 - passage.state.x1).powi(2) + data.inertia * (end.x2 - passage.state.x2).powi(2);
        prop_assert!(error.sqrt() <= allowed, "{:?} {:?} {} {}", end, passage.state, error.sqrt(), allowed);
    }

    // Data of any size: masses, torques and times over many powers of ten. Only the end of the run and the exactness of
    // what sticks are asked for; numbers that leave the range are an error, not a hang.
    #[test]
    fn data_of_any_size_come_to_an_end(
        sizes in proptest::array::uniform6(-12.0..12.0_f64),
        motor in proptest::collection::vec(-1.0..1.0_f64, 2..6),
        brake in proptest::collection::vec(0.0..1.0_f64, 2..6),
        speeds in (-1.0..1.0_f64, -1.0..1.0_f64),
    ) {
        let [mass, inertia, force, hold, time, speed] = sizes.map(|s| 10.0_f64.powf(s));
        let signal = |values: &[f64], size: f64| {
            let times: Vec<f64> = (0..values.len()).map(|i| time * i as f64).collect();
            points(&times, &values.iter().map(|v| v * size).collect::<Vec<_>>())
        };
        let wheel = Wheel::new(Parameters {
            over_slip: Default::default(),
            mass,
            inertia,
            radius: 1.0,
            gravity: 10.0,
            friction: Signal::Constant(0.5),
            motor: signal(&motor, force),
            brake: signal(&brake, hold),
            start: Start { x1: speed * speeds.0, x2: speed * speeds.1, ..Start::default() },
        })
        .expect("valid");
        let grid = Grid { h: 6.0 * time / 16.0, steps: 16 };
        let mut keep = Keep::every(1);
        let passage = events(&wheel, grid, &Settings::default(), &mut keep).expect("runs");
        prop_assert!(passage.spans <= 10_000, "{}", passage.spans);
        for (t, u) in &keep.samples {
            let region = u.region().expect("known");
            prop_assert!(region.ground() != 0 || u.x1 + u.x2 == 0.0, "t = {} {:?}", t, u);
            prop_assert!(region.brake() != 0 || u.x2 == 0.0, "t = {} {:?}", t, u);
        }
    }
}
/// A free wheel whose speed touches zero at 2.4 s, where its motor turns round: with J x2' = 5 (t − 2.4) nothing changes.
#[test]
fn a_speed_that_touches_zero_does_not_turn() {
    let (friction, motor, brake) = (vec![0.0], vec![-1.0, 2.0, -2.0, 3.0], vec![2.0, 0.0]);
    let data = Coarse { mass: 1.0, inertia: 1.0, friction, motor, brake, start: (0.0, 0.0), jumps: false };
    let (passage, keep) = run(&data.wheel(1.0), 8.0, 640);
    assert_eq!((passage.handovers, passage.events), (0, 2));
    assert!(keep.events.iter().all(|e| (e.t - 0.6).abs() < 1e-15));
}
