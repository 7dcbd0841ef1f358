//! The half-car on springs: against reference numbers, against the matrix exponential, by its closed forms and by its ledger.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::cells;
use stickslip_core::signal::{Points, Signal};
use stickslip_loads::half_car::{
    Corner, HalfCar, HalfCarData, HalfCarError, HalfCarEvent, HalfCarRun, HalfCarState, Steps,
};

const G: f64 = 9.81;

fn points(list: &[(f64, f64)]) -> Signal {
    let (times, values) = list.iter().copied().unzip();
    Signal::Points(Points::new(times, values).unwrap())
}

/// The half-car of the reference, at a speed that its brakes do not use up.
fn data() -> HalfCarData {
    let corner =
        |place, mass, stiffness, damping| Corner { place, mass, stiffness, damping, tyre_stiffness: 180_000.0 };
    let full = 10.5 * 250.0;
    HalfCarData {
        sprung_mass: 220.0,
        pitch_inertia: 40.0,
        height: 0.70,
        gravity: G,
        corners: [corner(0.72, 14.0, 18_000.0, 900.0), corner(-0.73, 16.0, 22_000.0, 1100.0)],
        brake: points(&[(0.1, 0.0), (0.25, full), (0.6, full), (0.7, 0.0)]),
        speed: 20.0,
        road: Vec::new(),
    }
}

/// A hump, at the reference's half-car without brakes.
fn over_a_hump() -> HalfCarData {
    let road = vec![[1.0, 0.0], [1.3, 0.08], [1.6, 0.08], [2.0, 0.0]];
    HalfCarData { brake: Signal::ZERO, speed: 8.0, road, ..data() }
}

fn by_events(car: &HalfCar, end: f64) -> (HalfCarState, Vec<(f64, HalfCarEvent)>, f64) {
    let mut run = HalfCarRun::new(car);
    let mut work = HalfCarRun::integrator(car);
    let mut happened = Vec::new();
    loop {
        let ahead = run.ahead(car, &mut work, end).unwrap();
        let events = run.pass(car, ahead);
        happened.extend(events.into_iter().map(|event| (run.t(), event)));
        if run.t() >= end {
            return (run.at(car, &mut work, end), happened, run.missed());
        }
    }
}

#[test]
fn the_reference_run() {
    let car = HalfCar::new(data()).unwrap();
    let happened = car.run(1.05).unwrap();
    let rows = cells(include_str!("../../../reference/loads/halfcar-suspension.csv"));
    let value = |name: &str| -> f64 { rows.iter().find(|row| row[0].starts_with(name)).unwrap()[1].parse().unwrap() };
    let time = |wanted: HalfCarEvent| happened.iter().find(|(_, event)| *event == wanted).unwrap().0;
    assert!((time(HalfCarEvent::Leaves(1)) - value("rear_tyre_crossing_0")).abs() < 1e-9);
    assert!((time(HalfCarEvent::Lands(1)) - value("rear_tyre_crossing_1")).abs() < 1e-9);
    let gap =
        happened.iter().filter_map(|(_, e)| if let HalfCarEvent::GreatestGap(1, gap) = e { Some(*gap) } else { None });
    assert!((gap.fold(0.0, f64::max) - value("max_rear_gap")).abs() < 1e-8);
    for (k, row) in rows.iter().filter(|row| row[0].starts_with("pitch")).enumerate() {
        let at: f64 = row[0].rsplit('_').next().unwrap().parse().unwrap();
        let near = happened.iter().find_map(|(t, event)| match event {
            HalfCarEvent::PitchExtremum(pitch) if (t - at).abs() < 1e-6 => Some((*t, *pitch)),
            _ => None,
        });
        let (t, pitch) = near.unwrap_or_else(|| panic!("extremum {k} at {at}: {happened:?}"));
        assert!((t - at).abs() < 1e-8 && (pitch - row[1].parse::<f64>().unwrap()).abs() < 1e-9, "{t} {pitch}");
    }
}

/// exp(A τ) y by its series, in parts short enough that nothing cancels. A is the equations written out once more, with 1 and t as
/// components of their own.
fn exponential(a: &[[f64; 12]; 12], mut y: [f64; 12], tau: f64) -> [f64; 12] {
    let parts = (tau * 400.0).ceil().max(1.0);
    let h = tau / parts;
    for _ in 0..parts as u32 {
        let mut term = y;
        for k in 1..30 {
            let next: [f64; 12] =
                std::array::from_fn(|i| h / f64::from(k) * a[i].iter().zip(&term).map(|(a, y)| a * y).sum::<f64>());
            term = next;
            (0..12).for_each(|i| y[i] += term[i]);
        }
    }
    y
}

/// One straight piece of everything: y = (z, φ, z1, z2, rates, x, v, 1, t − t0), with the brake force f0 + f1 (t − t0).
fn matrix(
    data: &HalfCarData,
    loads: [f64; 2],
    carries: [bool; 2],
    road: [[f64; 2]; 2],
    force: [f64; 2],
) -> [[f64; 12]; 12] {
    let mut a = [[0.0; 12]; 12];
    (0..4).for_each(|k| a[k][4 + k] = 1.0);
    let mass = data.sprung_mass + data.corners[0].mass + data.corners[1].mass;
    (a[8][9], a[11][10]) = (1.0, 1.0);
    for (column, f) in [(10, force[0]), (11, force[1])] {
        a[5][column] = -data.height * f / data.pitch_inertia;
        a[9][column] = -f / mass;
    }
    for (i, c) in data.corners.iter().enumerate() {
        // S_i as a row over y.
        let mut s = [0.0; 12];
        (s[0], s[1], s[2 + i]) = (-c.stiffness, -c.stiffness * c.place, c.stiffness);
        (s[4], s[5], s[6 + i]) = (-c.damping, -c.damping * c.place, c.damping);
        for k in 0..12 {
            a[4][k] += s[k] / data.sprung_mass;
            a[5][k] += c.place * s[k] / data.pitch_inertia;
            a[6 + i][k] -= s[k] / c.mass;
        }
        if carries[i] {
            // −k_T (z_i − height − slope x).
            a[6 + i][2 + i] -= c.tyre_stiffness / c.mass;
            a[6 + i][10] += c.tyre_stiffness * road[i][0] / c.mass;
            a[6 + i][8] += c.tyre_stiffness * road[i][1] / c.mass;
        } else {
            a[6 + i][10] -= loads[i] / c.mass;
        }
    }
    a
}

#[test]
fn the_matrix_exponential_agrees_from_event_to_event() {
    for (data, end) in [(data(), 1.05), (over_a_hump(), 1.0)] {
        let car = HalfCar::new(data.clone()).unwrap();
        let (last, happened, missed) = by_events(&car, end);
        let mut y = [0.0; 12];
        (y[9], y[10]) = (data.speed, 1.0);
        let breaks = [0.1, 0.25, 0.6, 0.7].map(|t| (t, None)).to_vec();
        let mut ends: Vec<(f64, Option<HalfCarEvent>)> = happened.iter().map(|(t, e)| (*t, Some(*e))).collect();
        ends.extend(breaks.into_iter().chain([(end, None)]).filter(|(t, _)| *t <= end));
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut t, mut carries) = (0.0, [true; 2]);
        for (until, event) in ends {
            let middle = 0.5 * (t + until);
            let (f0, f1) = (data.brake.at(t.midpoint(middle)), data.brake.at(middle));
            let slope = if until > t { (f1 - f0) / (middle - t.midpoint(middle)) } else { 0.0 };
            let force = [f1 - slope * (middle - t), slope];
            let x = y[8] + 0.5 * data.speed * (until - t);
            let road = [0, 1].map(|i| {
                let place = x + data.corners[i].place;
                let k = data.road.partition_point(|p| p[0] <= place);
                if k == 0 || k == data.road.len() {
                    return [0.0, 0.0];
                }
                let ([a, ha], [b, hb]) = (data.road[k - 1], data.road[k]);
                let slope = (hb - ha) / (b - a);
                [ha + slope * (data.corners[i].place - a), slope]
            });
            y[11] = 0.0;
            y = exponential(&matrix(&data, car.static_loads(), carries, road, force), y, until - t);
            t = until;
            match event {
                Some(HalfCarEvent::Leaves(i)) => carries[i] = false,
                Some(HalfCarEvent::Lands(i)) => carries[i] = true,
                _ => {}
            }
            if let Some(HalfCarEvent::Leaves(i) | HalfCarEvent::Lands(i)) = event {
                let state = HalfCarState { q: [y[0], y[1], y[2], y[3]], x: y[8], ..HalfCarState::default() };
                assert!(car.gap(i, &state).abs() < 1e-11, "{event:?} at {t}: {}", car.gap(i, &state));
            }
        }
        let off = (0..4).fold(0.0_f64, |m, k| m.max((y[k] - last.q[k]).abs()).max((y[4 + k] - last.v[k]).abs()));
        assert!(off < 1e-11 && (y[8] - last.x).abs() < 1e-12 && missed < 1e-10, "{off} {missed}");
        let air = happened.iter().filter(|(_, e)| matches!(e, HalfCarEvent::Leaves(_))).count();
        assert!(air >= 1, "{happened:?}");
        // And the energy closes.
        let given = car.energy(&car.start()) + last.lifted - last.dampers[0] - last.dampers[1] - last.braked;
        assert!((given - car.energy(&last)).abs() < 1e-10 * car.energy(&car.start()), "{}", given - car.energy(&last));
    }
}

/// Constant braking settles at the pitch −h F/K_φ, K_φ from springs and tyres in series, and moves the load F h/L.
#[test]
fn constant_braking_settles_at_its_closed_form() {
    let force = 800.0;
    let car = HalfCar::new(HalfCarData { brake: Signal::Constant(force), speed: 100.0, ..data() }).unwrap();
    let (last, ..) = by_events(&car, 12.0);
    let d = car.data();
    let series = d.corners.map(|c| c.stiffness * c.tyre_stiffness / (c.stiffness + c.tyre_stiffness));
    let [a, b] = d.corners.map(|c| c.place);
    let moved = force * d.height / (a - b);
    // Each axle sinks by its part of the load over its springs in series.
    let pitch = -(moved / series[0] + moved / series[1]) / (a - b);
    assert!((last.q[1] - pitch).abs() < 1e-12, "{} {pitch}", last.q[1]);
    let loads = car.static_loads();
    assert!((car.load(0, &last) - loads[0] - moved).abs() < 1e-8);
    assert!((car.load(1, &last) - loads[1] + moved).abs() < 1e-8);
    // It stops, and the pitch swings back to exactly where it was but for what is damped away.
    let car = HalfCar::new(HalfCarData { brake: Signal::Constant(force), speed: 1.0, ..data() }).unwrap();
    let (last, happened, _) = by_events(&car, 12.0);
    let stands = happened.iter().find(|(_, e)| *e == HalfCarEvent::Stands).unwrap().0;
    assert!((stands - car.mass() / force).abs() < 1e-12 && last.speed == 0.0 && last.q[1].abs() < 1e-9);
    assert!((last.x - 0.5 * stands).abs() < 1e-12, "{}", last.x);
}

/// Massless wheels on rigid tyres, k1 a = k2 b, c1 a = c2 b, a step of the deceleration: the moment that is transmitted goes up to
/// 1 + exp(−(π − 2ψ) tan ψ) of the static one, ψ = asin ζ. Wheels of 1/10000 of the body, tyres 20000 times as stiff as springs.
#[test]
fn a_step_of_the_brake_overshoots_by_its_closed_form() {
    let (a, b, height, inertia) = (0.72, 0.73, 0.70, 40.0);
    for (damping, expected) in [(0.0, 2.0), (0.1, 1.744_079_398), (0.3, 1.450_975_453), (0.7, 1.210_284_564)] {
        let k = |arm: f64| 10_000.0 / arm;
        let stiffness = k(a) * a * a + k(b) * b * b;
        // c = ratio k, so that pitch has the damping ratio ζ: ratio = 2 ζ/ω.
        let ratio = 2.0 * damping * (inertia / stiffness).sqrt();
        let corner = |place: f64| Corner {
            place,
            mass: 0.01,
            stiffness: k(place.abs()),
            damping: ratio * k(place.abs()),
            tyre_stiffness: 2e8,
        };
        let force = 500.0;
        let data = HalfCarData {
            sprung_mass: 220.0,
            pitch_inertia: inertia,
            height,
            gravity: G,
            corners: [corner(a), corner(-b)],
            brake: Signal::Constant(force),
            speed: 100.0,
            road: Vec::new(),
        };
        let car = HalfCar::new(data).unwrap();
        let mut run = HalfCarRun::new(&car);
        let mut work = HalfCarRun::integrator(&car);
        let mut greatest = 0.0_f64;
        while run.t() < 0.25 {
            let ahead = run.ahead(&car, &mut work, 0.25).unwrap();
            run.pass(&car, ahead);
            let state = run.at(&car, &mut work, run.t());
            let moment = (0..2).map(|i| car.data().corners[i].place * car.suspension(i, &state)).sum::<f64>();
            greatest = greatest.max(moment / (height * force));
        }
        assert!((greatest - expected).abs() < 2e-3, "ζ = {damping}: {greatest} for {expected}");
    }
}

#[test]
fn steps_are_of_first_order_and_fulfil_their_law() {
    let car = HalfCar::new(data()).unwrap();
    let (last, ..) = by_events(&car, 1.05);
    let miss = |h: f64| {
        let mut steps = Steps::new(&car);
        let mut missed = 0.0_f64;
        for n in 1..=(1.05 / h).round() as u32 {
            missed = missed.max(steps.advance(&car, car.data().brake.at(f64::from(n) * h), h));
        }
        assert!(missed < 1e-12, "{missed}");
        (steps.state.q[1] - last.q[1]).abs()
    };
    let order = (miss(2.5e-4) / miss(1.25e-4)).log2();
    assert!((order - 1.0).abs() < 0.05, "{order}");
    assert!(miss(1.25e-4) < 1e-3);
}

#[test]
fn what_stands_on_a_level_road_stays_to_the_bit() {
    let still = HalfCarData { brake: Signal::Constant(3000.0), speed: 0.0, road: vec![[0.0, 0.25]], ..data() };
    let car = HalfCar::new(still).unwrap();
    let (last, happened, _) = by_events(&car, 10.0);
    assert!(happened.is_empty() && last == car.start(), "{last:?}");
    let mut steps = Steps::new(&car);
    (0..1000).for_each(|_| assert_eq!(steps.advance(&car, 3000.0, 1e-3), 0.0));
    assert_eq!(steps.state, car.start());
}

#[test]
fn bad_half_cars_are_refused_in_words() {
    let words = |data: HalfCarData| HalfCar::new(data).unwrap_err().to_string();
    assert_eq!(
        words(HalfCarData { sprung_mass: 0.0, ..data() }),
        "half-car: sprung mass = 0 kg: it must be a finite number > 0"
    );
    let mut swapped = data();
    swapped.corners.swap(0, 1);
    assert!(words(swapped).contains("ahead of the centre of mass"));
    let road = vec![[1.0, 0.0], [1.0, 0.1]];
    assert_eq!(
        HalfCar::new(HalfCarData { road, ..data() }).unwrap_err(),
        HalfCarError::Road { place: 1.0, previous: 1.0 }
    );
}

/// The half-car with the mass of 1260 kg.
fn heavy(brake: Signal, speed: f64) -> HalfCarData {
    let corner = |place, stiffness, damping| Corner { place, mass: 80.0, stiffness, damping, tyre_stiffness: 4e5 };
    HalfCarData {
        sprung_mass: 1100.0,
        pitch_inertia: 1700.0,
        height: 0.55,
        gravity: G,
        corners: [corner(1.2, 40e3, 3000.0), corner(-1.4, 44e3, 3200.0)],
        brake,
        speed,
        road: Vec::new(),
    }
}

#[test]
fn a_stop_at_a_corner_of_the_brake_is_a_stop() {
    // Points of the brake, speed at the start, way to the stop.
    type Stop<'a> = (&'a [(f64, f64)], f64, f64);
    let brakes: [Stop; 6] = [
        (&[(0.0, 3780.0), (1.0, 3780.0), (2.0, 7560.0)], 3.0, 1.5),
        (&[(0.0, 3780.0), (1.0, 3780.0), (1.0, 7560.0)], 3.0, 1.5),
        (&[(0.0, 3780.0), (1.0, 3780.0), (1.0, 0.0), (2.0, 3780.0)], 3.0, 1.5),
        (&[(0.0, 2520.0), (1.0, 0.0), (2.0, 2520.0)], 1.0, 1.0 / 3.0),
        (&[(0.0, 1e-9 * 2520.0), (1.0, 0.0), (2.0, 2520.0)], 1e-9, 1e-9 / 3.0),
        (&[(0.0, 882.0), (0.3, 882.0), (0.7, 882.0), (1.0, 882.0), (1.0, 0.0)], 0.7, 0.35),
    ];
    for (brake, speed, way) in brakes {
        let car = HalfCar::new(heavy(points(brake), speed)).unwrap();
        let (last, happened, _) = by_events(&car, 5.0);
        assert!(last.speed.to_bits() == 0 && (last.x - way).abs() < 1e-12 * speed, "{brake:?}: {last:?}");
        let stands: Vec<f64> = happened.iter().filter(|(_, e)| *e == HalfCarEvent::Stands).map(|(t, _)| *t).collect();
        assert!(stands.len() == 1 && (stands[0] - 1.0).abs() < 1e-5, "{brake:?}: {stands:?}");
    }
}

/// Bumps the wheelbase apart: both wheels come to corners at once, and each of them takes them all.
#[test]
fn both_wheels_come_to_corners_at_once() {
    let bump = |at: f64| [[at, 0.0], [at + 0.5, 0.05], [at + 1.0, 0.0]];
    for speed in [5.0, 7.0, 10.0, 13.7] {
        let road: Vec<[f64; 2]> = [3.0, 5.6, 8.2].into_iter().flat_map(bump).collect();
        let car = HalfCar::new(HalfCarData { road: road.clone(), ..heavy(Signal::ZERO, speed) }).unwrap();
        let (last, happened, _) = by_events(&car, 15.0 / speed);
        for i in 0..2 {
            let passed: Vec<f64> =
                happened.iter().filter(|(_, e)| *e == HalfCarEvent::NextPiece(i)).map(|(t, _)| *t).collect();
            assert_eq!(passed.len(), 9, "{speed} {i}: {passed:?}");
            for (t, point) in passed.iter().zip(&road) {
                assert!((t * speed + car.data().corners[i].place - point[0]).abs() < 1e-10, "{speed} {i}: {t}");
            }
        }
        let given = car.energy(&car.start()) + last.lifted - last.dampers[0] - last.dampers[1];
        assert!((given - car.energy(&last)).abs() < 1e-10 * car.energy(&car.start()), "{speed}");
    }
}

/// A tyre that is in the air for less than a step is seen to be.
#[test]
fn short_flights_are_not_missed() {
    let flights = |data: HalfCarData, end: f64| -> Vec<(f64, HalfCarEvent)> {
        let car = HalfCar::new(data).unwrap();
        let (_, happened, missed) = by_events(&car, end);
        assert!(missed < 1e-10, "{missed}");
        happened.into_iter().filter(|(_, e)| matches!(e, HalfCarEvent::Leaves(_) | HalfCarEvent::Lands(_))).collect()
    };
    let near = |happened: &[(f64, HalfCarEvent)], at: f64, event: HalfCarEvent| {
        assert!(happened.iter().any(|(t, e)| *e == event && (t - at).abs() < 1e-6), "{event:?} {at}: {happened:?}");
    };
    let full = 2054.4;
    let brake = points(&[(0.1, 0.0), (0.25, full), (0.6, full), (0.7, 0.0)]);
    let happened = flights(HalfCarData { brake, ..data() }, 1.05);
    near(&happened, 0.291_449, HalfCarEvent::Leaves(1));
    near(&happened, 0.294_970, HalfCarEvent::Lands(1));
    // Stiff springs without damping over a hump.
    let corner =
        |place, stiffness| Corner { place, mass: 80.0, stiffness, damping: 0.0, tyre_stiffness: 3_758_346.156_551_957 };
    let data = HalfCarData {
        corners: [corner(1.2, 187_812.255_874_332_45), corner(-1.4, 206_593.481_461_765_68)],
        road: vec![
            [3.0, 0.0],
            [5.707_886_620_316_822, 0.168_200_260_926_082_53],
            [7.644_167_840_866_755, 0.168_200_260_926_082_53],
            [13.123_659_860_950_468, 0.0],
        ],
        ..heavy(Signal::ZERO, 7.475_128_020_807_064)
    };
    let happened = flights(data, 1.5);
    near(&happened, 0.608_422, HalfCarEvent::Leaves(1));
    near(&happened, 0.610_679, HalfCarEvent::Lands(1));
}

/// Flights are the same when no step is longer than half a millisecond, for brakes and humps around what lifts a tyre.
#[test]
fn flights_do_not_depend_on_the_length_of_steps() {
    let flights = |car: &HalfCar, end: f64, longest: Option<f64>| {
        let mut run = HalfCarRun::new(car);
        let mut work = HalfCarRun::integrator(car);
        longest.into_iter().for_each(|longest| work.limit(longest));
        let mut happened = Vec::new();
        while run.t() < end {
            let ahead = run.ahead(car, &mut work, end).unwrap();
            let events = run.pass(car, ahead);
            let tyres = events.into_iter().filter(|e| matches!(e, HalfCarEvent::Leaves(_) | HalfCarEvent::Lands(_)));
            happened.extend(tyres.map(|event| (run.t(), event)));
        }
        happened
    };
    let mut cars = Vec::new();
    for n in 0..12 {
        let full = 2053.0 + 0.7 * f64::from(n);
        let brake = points(&[(0.1, 0.0), (0.25, full), (0.6, full), (0.7, 0.0)]);
        cars.push((HalfCarData { brake, ..data() }, 0.5));
        let mut stiff = heavy(Signal::ZERO, 6.0 + 0.21 * f64::from(n));
        for corner in &mut stiff.corners {
            (corner.stiffness, corner.damping, corner.tyre_stiffness) = (2e5, 40.0 * f64::from(n), 3e6);
        }
        stiff.road = vec![[3.0, 0.0], [5.7, 0.13], [7.6, 0.13], [13.1, 0.0]];
        cars.push((stiff, 1.0));
    }
    let mut seen = 0;
    for (data, end) in cars {
        let car = HalfCar::new(data).unwrap();
        let (usual, fine) = (flights(&car, end, None), flights(&car, end, Some(5e-4)));
        let what = |list: &[(f64, HalfCarEvent)]| list.iter().map(|(_, e)| *e).collect::<Vec<_>>();
        assert_eq!(what(&usual), what(&fine), "{usual:?} {fine:?}");
        let off = usual.iter().zip(&fine).fold(0.0_f64, |off, (a, b)| off.max((a.0 - b.0).abs()));
        assert!(off < 1e-8, "{off} {usual:?}");
        seen += usual.len();
    }
    assert!(seen > 50, "{seen}");
}
