//! A step allocates nothing: a run of a million steps allocates as often as one of a thousand.

use stickslip_core::mechanics::System;
use stickslip_core::scheme::{Grid, NullObserver, implicit_euler};
use stickslip_core::signal::Signal;
use stickslip_models::vehicle;
use stickslip_models::wheel::{Parameters, Start, Wheel};

/// How often a run of so many steps allocates; `look` sees its end.
fn allocations<S: System>(system: &S, duration: f64, steps: u64, look: impl Fn(&S::State)) -> u64 {
    let grid = Grid { h: duration / steps as f64, steps };
    let measured = allocation_counter::measure(|| {
        look(&implicit_euler(system, grid, &mut NullObserver).expect("runs").state);
    });
    measured.count_total
}

#[test]
fn steps_allocate_nothing() {
    let brake = Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 1883.52).expect("sorted");
    let sine = stickslip_core::signal::Sine { offset: 0.0, amplitude: 10.0, omega: 3.0, phase: 0.0 };
    for motor in [Signal::ZERO, Signal::Sine(sine)] {
        let wheel = Wheel::new(Parameters {
            motor,
            brake: brake.clone(),
            start: Start { x1: 20.0, x2: -20.0, ..Start::default() },
            ..Parameters::default()
        })
        .expect("valid");
        let count = |steps| allocations(&wheel, 6.0, steps, |_| {});
        // What a run sets up: the states of the contacts, before and after, and their counts.
        assert_eq!(count(1_000), count(1_000_000));
        assert!(count(1_000) <= 8, "{}", count(1_000));
    }
}

#[test]
fn steps_of_the_theta_method_allocate_nothing() {
    use stickslip_core::mechanics::Judged;
    use stickslip_core::scheme::theta::{Contact, Linear, ThetaMethod};
    use stickslip_linalg::Matrix;
    let n = 12;
    let diagonal = |value: f64| Matrix::from_fn(n, n, |i, j| if i == j { value } else { 0.0 });
    let chain = |i: usize, j: usize| {
        if i == j {
            2e4
        } else if i.abs_diff(j) == 1 {
            -1e4
        } else {
            0.0
        }
    };
    let contact = |i: usize| match i % 2 {
        0 => Contact::Unilateral { gap: 1e-3 },
        _ => Contact::Along { bound: 3.0 },
    };
    let system = Linear {
        mass: diagonal(1.0),
        damping: diagonal(0.1),
        stiffness: Matrix::from_fn(n, n, chain),
        rows: diagonal(1.0),
        carried: Some(Matrix::from_fn(n, n, |i, j| {
            if i == j {
                50.0
            } else if i + 1 == j {
                -50.0
            } else {
                0.0
            }
        })),
        contacts: (0..n).map(contact).collect(),
    };
    let mut method = ThetaMethod::new(system, 1e-4, 0.5, Judged::Shifted).expect("valid");
    let mut motion = method.start(&vec![0.0; n], &vec![-0.3; n]);
    let (force, rigid) = (vec![-0.5; n], vec![0.02; n]);
    let mut touched = 0;
    let measured = allocation_counter::measure(|| {
        for _ in 0..2000 {
            method.step(&mut motion, &force, &rigid).expect("solved");
            touched += usize::from(motion.r[0] > 0.0);
        }
    });
    assert_eq!(measured.count_total, 0);
    assert!(touched > 0 && motion.energy.missing().abs() < 1e-10, "{touched} {:?}", motion.energy);
}

#[test]
fn steps_of_a_vehicle_allocate_nothing() {
    let sine = stickslip_core::signal::Sine { offset: 0.0, amplitude: 10.0, omega: 3.0, phase: 0.0 };
    for slope in [Signal::Constant(0.01), Signal::Sine(stickslip_core::signal::Sine { amplitude: 0.1, ..sine })] {
        let wheel = |k: u32| vehicle::WheelData {
            name: format!("wheel {k}"),
            share: 0.2,
            friction: Signal::Constant(0.2 * f64::from(k)),
            motor: Signal::Sine(sine),
            brake: Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 900.0).expect("sorted"),
            ..vehicle::WheelData::default()
        };
        let car = vehicle::Vehicle::new(vehicle::Parameters {
            wheels: (0..5).map(wheel).collect(),
            slope,
            drag: 0.4,
            resistance: 100.0,
            start: vehicle::Start { x1: 20.0, ..vehicle::Start::default() },
            ..vehicle::Parameters::default()
        })
        .expect("valid");
        let count = |steps| allocations(&car, 6.0, steps, |_| {});
        assert_eq!(count(1_000), count(100_000));
    }
}

/// Nor where loads follow the forces, below and above κ* = 1.
#[test]
fn steps_with_loads_that_move_allocate_nothing() {
    for (name, changes) in
        [("truck-three-axles", &[][..]), ("car-brake-ramp", &["vehicle.height=0.9", "road.friction=1.3"])]
    {
        let changes: Vec<_> = changes.iter().map(|change| (*change).into()).collect();
        let scenario = stickslip_models::MODELS.builtin(name, &changes).expect("valid");
        let described = scenario.model.of::<vehicle::Described>().expect("a vehicle");
        let mut parameters = described.parameters.clone();
        if !changes.is_empty() {
            // Gently, so that no wheel lifts where all solutions are looked for.
            parameters.wheels.iter_mut().for_each(|wheel| wheel.brake = Signal::Constant(400.0));
        }
        let car = vehicle::Vehicle::new(parameters).expect("valid");
        let count = |steps| allocations(&car, 4.0, steps, |_| {});
        assert_eq!(count(1_000), count(20_000), "{name}");
    }
}

#[test]
fn steps_over_patches_and_hills_allocate_nothing() {
    use stickslip_core::signal::Points;
    use vehicle::road::{Patch, Place, Profile, Road, Side};
    let wheel = |k: u32| vehicle::WheelData {
        name: format!("wheel {k}"),
        share: 0.25,
        brake: Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 900.0).expect("sorted"),
        place: Place { ahead: f64::from(k), side: if k.is_multiple_of(2) { Side::Left } else { Side::Right } },
        ..vehicle::WheelData::default()
    };
    let patch = |k: u32| Patch {
        from: 4.0 * f64::from(k),
        to: 4.0 * f64::from(k) + 2.0,
        side: if k.is_multiple_of(2) { Side::Left } else { Side::Both },
        friction: Signal::Constant(0.1),
    };
    let hills = Points::new(vec![0.0, 20.0, 40.0], vec![0.0, 0.1, -0.1]).expect("sorted");
    let car = vehicle::Vehicle::new(vehicle::Parameters {
        wheels: (0..4).map(wheel).collect(),
        drag: 0.4,
        road: Road { patches: (0..15).map(patch).collect(), profile: Some(Profile::new(hills)), rolling: 0.012 },
        start: vehicle::Start { x1: 20.0, ..vehicle::Start::default() },
        ..vehicle::Parameters::default()
    })
    .expect("valid");
    let count = |steps| allocations(&car, 4.0, steps, |state| assert!(state.x() > 40.0));
    assert_eq!(count(1_000), count(100_000));
}

#[test]
fn steps_on_tyres_with_warm_brakes_allocate_nothing() {
    let scenario = stickslip_models::MODELS.builtin("tyre-braking", &[]).expect("a scenario");
    let Some(vehicle::Described { parameters, .. }) = scenario.model.of() else { panic!("no vehicle") };
    let mut parameters: vehicle::Parameters = parameters.clone();
    parameters.wheels[0].disc = Some(stickslip_loads::heat::DiscData {
        mass: 7.0,
        specific_heat: 460.0,
        cooling: 25.0,
        ambient: 20.0,
        share: 0.9,
        fade: vec![(20.0, 1.0), (250.0, 0.8)],
    });
    let car = vehicle::Vehicle::new(parameters).expect("valid");
    let count = |steps| allocations(&car, 6.0, steps, |_| {});
    assert_eq!(count(2_000), count(100_000));
}

#[test]
fn spans_allocate_nothing() {
    use stickslip_core::scheme::events::{Settings, events};
    use stickslip_core::signal::Points;
    // A brake that comes and goes: a few spans, then hundreds.
    let count = |strokes: u32| {
        let times = (0..4 * strokes).map(|k| 0.25 * f64::from(k)).collect();
        let values = (0..4 * strokes).map(|k| if k % 4 < 2 { 0.0 } else { 1200.0 }).collect();
        let wheel = Wheel::new(Parameters {
            motor: Signal::Constant(-800.0),
            brake: Signal::Points(Points::new(times, values).expect("sorted")),
            start: Start { x1: 20.0, x2: -20.0, ..Start::default() },
            ..Parameters::default()
        })
        .expect("valid");
        let grid = Grid { h: f64::from(strokes), steps: 1 };
        let mut spans = 0;
        let measured = allocation_counter::measure(|| {
            spans = events(&wheel, grid, &Settings::default(), &mut NullObserver).expect("runs").spans;
        });
        (spans, measured.count_total)
    };
    let (few, many) = (count(2), count(200));
    assert!(many.0 > 50 * few.0, "{few:?} {many:?}");
    // The list of stuck times.
    assert_eq!((few.1, many.1), (1, 1));
}

/// A call of `step` on an object allocates nothing, nor does it where the run has to be put back.
#[test]
fn calls_of_one_step_allocate_nothing() {
    for name in ["wheel-sport-braking", "car-four-wheels-braking", "bogie-case-1", "two-mass"] {
        let scenario = stickslip_models::MODELS.builtin(name, &["run.scheme=implicit-euler".into()]).expect("valid");
        let mut run = stickslip_run::simulation(&scenario).expect("runs in time");
        let h = 1e-5;
        // Lists grow to their sizes with the first calls.
        for _ in 0..10 {
            run.step(h).expect("steps");
        }
        let measured = allocation_counter::measure(|| (0..1000).for_each(|_| run.step(h).expect("steps")));
        assert!(run.take_events().is_empty(), "{name}: events are kept in a list");
        assert_eq!(measured.count_total, 0, "{name}");
    }
}
