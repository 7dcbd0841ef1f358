//! Load transfer: solutions counted and chosen, manoeuvres from event to event and by steps.

#![allow(clippy::unwrap_used, reason = "tests")]

mod campaign;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/manoeuvre.rs"]
mod manoeuvre;

use campaign::campaign;
use common::cells;
use manoeuvre::{Vehicle, ramp, release, truck};
use stickslip_core::inclusion::{Problem as Inclusion, Solved, Solver, Star};
use stickslip_core::law::{Interval, Law, Product, State};
use stickslip_linalg::Matrix;
use stickslip_loads::transfer::{Axle, Axles, AxlesError, Branch, Contact, Problem, Select, Verdict, Wheel, Workspace};

const G: f64 = 9.81;

fn axle(place: f64) -> Axle {
    Axle { place, stiffness: 1.0, radius: 0.3 }
}

/// A wheel without torques at an instant.
fn wheel(inertia: f64, friction: f64) -> Wheel {
    Wheel {
        inertia,
        free: 0.0,
        friction,
        brake_bound: 0.0,
        motor: 0.0,
        ground: Contact::Undecided,
        brake: Contact::Undecided,
    }
}

fn problem<'a>(axles: &'a Axles, mass: f64, wheels: &'a [Wheel]) -> Problem<'a> {
    Problem {
        axles,
        mass,
        free: 0.0,
        resistance_bound: 0.0,
        resistance_arm: 0.0,
        resistance: Contact::Undecided,
        wheels,
    }
}

/// E1: front locked and sliding forward, rear spinning.
fn e1() -> (Axles, [Wheel; 2]) {
    let axles = Axles::new(1.2, 100.0 * G, &[axle(0.5), axle(-0.5)]).unwrap();
    let (forward, backward) = (Contact::Slips(1.0), Contact::Slips(-1.0));
    let inertia = 0.5 / 0.09;
    let front = Wheel { brake_bound: 1000.0 / 0.3, ground: forward, ..wheel(inertia, 0.9) };
    let free = -50.0 / 0.3 / inertia;
    let rear = Wheel { motor: -50.0, free, ground: backward, brake: backward, ..wheel(inertia, 0.9) };
    (axles, [front, rear])
}

#[test]
fn loads_of_three_axles_balance() {
    let car = truck();
    let expected = [71411.6575, 61720.2973, 43448.0452];
    let shares = [0.1811865, -0.0391398, -0.1420467];
    for i in 0..3 {
        assert!((car.axles.at_rest()[i] - expected[i]).abs() < 1e-4);
        assert!((car.axles.shares()[i] - shares[i]).abs() < 1e-7);
    }
    let places = [3.0, -1.5, -2.8];
    let sum: f64 = car.axles.shares().iter().sum();
    let moment: f64 = car.axles.shares().iter().zip(places).map(|(c, x)| c * x).sum();
    assert!(sum.abs() < 1e-15 && (moment - 1.0).abs() < 1e-15);
}

#[test]
fn bounds_of_the_note() {
    for (car, expected) in [(ramp(), 0.246154), (release(), 0.236538), (truck(), 0.291710)] {
        assert!((car.bound() - expected).abs() < 5e-7, "{}", car.bound());
    }
    let (axles, _) = e1();
    assert!((axles.uniqueness_bound(&[0.9, 0.9]) - 1.89).abs() < 1e-12);
}

#[test]
fn e1_has_three_solutions_with_indices() {
    let (axles, wheels) = e1();
    let problem = problem(&axles, 100.0, &wheels);
    let mut workspace = Workspace::new(2);
    let verdict = workspace.solve(&problem, 1.89, Select::Both);
    assert_eq!(verdict, Verdict::Several { count: 3, unstable: true });
    let found: Vec<(Branch, i8)> = workspace.solutions().iter().map(|s| (s.branch, s.index)).collect();
    assert_eq!(found, [(Branch::FrontLifted, 1), (Branch::Closed, -1), (Branch::RearLifted, 1)]);
    assert!((workspace.forces.loads[0] - 397.876404).abs() < 5e-7);
    assert!((workspace.forces.loads[1] - 583.123596).abs() < 5e-7);
    // On the branch it stays, and where a user does not choose, a stable one is taken.
    assert_eq!(workspace.solve(&problem, 1.89, Select::Nearest), Verdict::Several { count: 3, unstable: true });
    let mut fresh = Workspace::new(2);
    assert_eq!(fresh.solve(&problem, 1.89, Select::Nearest), Verdict::Several { count: 3, unstable: false });
    fresh.solve(&problem, 1.89, Select::Rear);
    assert_eq!(fresh.forces.loads[1], 0.0);
    fresh.solve(&problem, 1.89, Select::Front);
    assert_eq!(fresh.forces.loads[0], 0.0);
}

#[test]
fn a_burn_out_with_three_solutions_needs_the_second_number() {
    let axles = [1.0, 0.0, -1.0].map(|place| Axle { place, stiffness: 1.0, radius: 0.5 });
    let axles = Axles::new(0.5, 1000.0 * G, &axles).unwrap();
    let friction = [2.4, 8.0, 2.4];
    assert!((axles.uniqueness_bound(&friction) - 1.2).abs() < 1e-12);
    let h = 1e-3;
    let spinning = |free| Wheel { free, ..wheel(1.0 / 0.25 / h, 2.4) };
    let wheels = [spinning(-60.0), Wheel { brake_bound: 1e5, ..wheel(1.0 / 0.25 / h, 8.0) }, spinning(60.0)];
    let mut workspace = Workspace::new(3);
    workspace.all(&problem(&axles, 1000.0 / h, &wheels));
    let found: Vec<f64> = workspace.solutions().iter().map(|s| s.place).collect();
    assert_eq!(found.len(), 3);
    // The outer ones end where an axle loses its load; without that end they would go on to ±9810 with loads that no
    // longer sum to the weight.
    for (found, expected) in found.iter().zip([-6540.0, 0.0, 6540.0]) {
        assert!((found - expected).abs() < 1e-6, "{found}");
    }
}

#[test]
fn random_vehicles_have_one_solution_below_the_bound() {
    let found = campaign(1, 10_000);
    assert!(found.below > 2000 && found.above > 500, "{found:?}");
    assert_eq!(found.several_below, 0, "{found:?}");
    assert_eq!(found.unbalanced, 0, "{found:?}");
    assert!(found.several_above > 10, "the search can find several: {found:?}");
    assert!(found.steepest < 1.0 + 1e-9 && found.steepest > 0.99, "{found:?}");
}

#[test]
fn both_ways_to_solve_agree() {
    // Newton's method, which trusts κ* < 1, against the walk over all pieces.
    for car in [ramp(), release(), truck()] {
        let n = car.inertia.len();
        let mut workspace = Workspace::new(n);
        for k in 0..400 {
            let s = f64::from(k) / 399.0;
            let h = 1e-3;
            let wheels: Vec<Wheel> = (0..n)
                .map(|i| Wheel {
                    free: -30.0 * (s * (7.0 + i as f64)).sin().abs(),
                    brake_bound: 30_000.0 * (s * (3.0 + i as f64)).cos().abs(),
                    motor: 0.0,
                    ..wheel(car.inertia[i] / h, car.friction[i])
                })
                .collect();
            let problem = Problem { free: 30.0 * (1.0 - s), ..problem(&car.axles, car.mass / h, &wheels) };
            assert_eq!(
                workspace.solve(&problem, car.bound(), Select::Nearest),
                Verdict::UniqueByBound { bound: car.bound() }
            );
            let q = workspace.forces.q;
            workspace.all(&problem);
            assert_eq!(workspace.solutions().len(), 1);
            assert!((workspace.solutions()[0].place - q).abs() < 1e-9 * car.mass * G, "{k}");
            check(&problem, &workspace);
        }
    }
}

/// Contacts at the loads that were found are an inclusion like others, judged as every solver is and asked of the star; and Q is what its
/// forces make of it.
fn check(problem: &Problem<'_>, workspace: &Workspace) {
    let (f, n) = (&workspace.forces, problem.wheels.len());
    let (d0, d) = (1.0 / problem.mass, |i: usize| 1.0 / problem.wheels[i].inertia);
    let w = Matrix::from_fn(2 * n + 1, 2 * n + 1, |k, l| {
        let shared = if k / 2 == l / 2 && k.max(l) < 2 * n { d(k / 2) } else { 0.0 };
        shared + if k % 2 == 0 && l % 2 == 0 { d0 } else { 0.0 }
    });
    let each = |pair: &dyn Fn(usize) -> [f64; 2], last: f64| (0..n).flat_map(pair).chain([last]).collect::<Vec<f64>>();
    let b = each(&|i| [problem.free + problem.wheels[i].free, problem.wheels[i].free], problem.free);
    let bounds =
        each(&|i| [problem.wheels[i].friction * f.loads[i], problem.wheels[i].brake_bound], problem.resistance_bound);
    let c = Product::new(bounds.iter().map(|a| Law::Interval(Interval::symmetric(*a).unwrap())).collect());
    let inclusion = Inclusion { w: &w, b: &b, c: &c };
    let slip = |i: usize| if f.v[i] == -f.y1 { 0.0 } else { f.y1 + f.v[i] };
    let state = |s: &f64| if *s == 0.0 { State::Stick } else { State::Slip([s.signum(), 0.0]) };
    let s = each(&|i| [slip(i), f.v[i]], f.y1);
    let r = each(&|i| [-f.ground[i], -f.brake[i]], -f.resistance);
    let solved = Solved { r, states: s.iter().map(state).collect(), s, residual: None };
    assert_eq!(inclusion.judge(&solved, 1e-12), Ok(()), "{solved:?}");
    let star = Star::accept(&w, &c).unwrap().solve_from(&b, &c, &solved).unwrap();
    let apart = star.s.iter().zip(&solved.s).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(apart <= 1e-12 * inclusion.scale(&solved.r), "{apart:e} {star:?} {solved:?}");

    let moment = |i: usize, radius: f64| {
        (problem.axles.height() - radius) * f.ground[i] - radius * f.brake[i] + problem.wheels[i].motor
    };
    let moments: f64 = problem.axles.radii().iter().enumerate().map(|(i, radius)| moment(i, *radius)).sum();
    let q = problem.resistance_arm * f.resistance + moments;
    let [(low, _), (high, _)] = problem.axles.range();
    let scale = problem.mass * (f.y1.abs() + problem.free.abs()) + 1e3;
    assert!((q.clamp(low, high) - f.q).abs() < 1e-10 * (scale + q.abs()), "{q} {}", f.q);
}

#[test]
fn the_car_of_the_examples() {
    // E2: all wheels slide with slipping brakes, then all locked.
    let axles = Axles::new(0.55, 1200.0 * G, &[axle(1.2), axle(-1.4)]).unwrap();
    let inertia = 2.4 / 0.09;
    let braked = |torque: f64, brake| Wheel { brake_bound: torque / 0.3, brake, ..wheel(inertia, 0.9) };
    let rolling = [5000.0, 3000.0].map(|torque| braked(torque, Contact::Slips(-1.0)));
    let locked = rolling.map(|wheel| Wheel { ground: Contact::Slips(1.0), brake: Contact::Undecided, ..wheel });
    let mut workspace = Workspace::new(2);
    for (wheels, expected) in [(rolling, [10434.4, 1337.6]), (locked, [8580.0, 3192.0])] {
        workspace.solve(&problem(&axles, 1200.0, &wheels), axles.uniqueness_bound(&[0.9; 2]), Select::Nearest);
        for (found, expected) in workspace.forces.loads.iter().zip(expected) {
            assert!((found - expected).abs() < 0.05, "{found}");
        }
    }
    // All locked with equal μ: x1' = −μ g, N_i = N_i⁰ + c_i h μ m g.
    assert!((workspace.forces.y1 + 0.9 * G).abs() < 1e-12);
    let moved = axles.shares()[0] * 0.55 * 0.9 * 1200.0 * G;
    assert!((workspace.forces.loads[0] - axles.at_rest()[0] - moved).abs() < 1e-9);
}

#[test]
fn at_rest_loads_are_those_at_rest_and_move_downhill_on_a_slope() {
    let slope = 0.15_f64;
    let weight = 1200.0 * G * slope.cos();
    let axles = Axles::new(0.55, weight, &[axle(1.2), axle(-1.4)]).unwrap();
    // The motor of the front axle pulls against its brake: inside the vehicle, so no load moves.
    let inertia = 2.4 / 0.09;
    let push = 300.0;
    let front = Wheel { brake_bound: 2e4, motor: -push, free: -push / 0.3 / inertia, ..wheel(inertia, 0.9) };
    let rear = Wheel { brake_bound: 2e4, ..wheel(inertia, 0.9) };
    let wheels = [front, rear];
    let mut workspace = Workspace::new(2);
    let level = problem(&axles, 1200.0, &wheels);
    workspace.solve(&level, axles.uniqueness_bound(&[0.9; 2]), Select::Nearest);
    assert!(workspace.forces.q.abs() < 1e-9);
    assert_eq!(workspace.forces.y1, 0.0);
    let uphill = Problem { free: -G * slope.sin(), ..level };
    workspace.solve(&uphill, axles.uniqueness_bound(&[0.9; 2]), Select::Nearest);
    assert_eq!((workspace.forces.y1, workspace.forces.v[0]), (0.0, 0.0));
    let moved = -axles.shares()[1] * 0.55 * 1200.0 * G * slope.sin();
    assert!((workspace.forces.loads[1] - axles.at_rest()[1] - moved).abs() < 1e-8, "to the rear axle, downhill");
    check(&uphill, &workspace);
}

/// Events against a table: times, motion, loads just before.
fn against(car: &Vehicle, table: &str) {
    let happened = car.by_events();
    let rows = cells(table);
    assert_eq!(happened.len(), rows.len());
    let n = car.inertia.len();
    for (event, row) in happened.iter().zip(&rows) {
        let number = |k: usize| row[k].parse::<f64>().unwrap();
        assert!((event.t - number(0)).abs() < 1e-10, "{} {}", event.t, row[0]);
        let modes: Vec<String> = event.modes.iter().map(|[ground, brake]| format!("{ground}:{brake}")).collect();
        assert!(row[1] == "rest" || row[1] == modes.join(" "), "{} {modes:?}", row[1]);
        assert!((event.x1 - number(2)).abs() < 1e-9 && (event.x - number(3)).abs() < 1e-9);
        for i in 0..n {
            assert!((event.v[i] - number(4 + i)).abs() < 1e-8);
            assert!(
                (event.loads[i] - number(4 + n + i)).abs() < 1e-7 * number(4 + n),
                "{} {}",
                event.loads[i],
                row[4 + n + i]
            );
        }
    }
}

#[test]
fn manoeuvres_from_event_to_event() {
    against(&ramp(), include_str!("../../../../reference/loads/car-brake-ramp-events.csv"));
    against(&release(), include_str!("../../../../reference/loads/car-brake-release-events.csv"));
    against(&truck(), include_str!("../../../../reference/loads/truck-three-axles-events.csv"));
}

#[test]
fn implicit_steps_are_of_order_one() {
    for (car, place, time) in
        [(ramp(), 68.11297154, 4.18770596), (release(), 81.66279824, 5.93566688), (truck(), 35.05572904, 3.21574667)]
    {
        let errors = [1e-3, 5e-4, 2.5e-4].map(|h| {
            let (t, x, verdict, evaluations) = car.by_steps(h);
            assert!(evaluations < 1.2, "one piece in most steps: {evaluations}");
            assert!((t - time).abs() < 5.0 * h);
            assert_eq!(verdict, Verdict::UniqueByBound { bound: car.bound() });
            x - place
        });
        // The sum of the speeds at the ends of steps misses half of h v0, brakes that are read there the other half.
        assert!(errors[0].abs() < 1.02e-3 * car.speed, "{errors:?}");
        let order = (errors[0] / errors[2]).abs().log2() / 2.0;
        assert!((order - 1.0).abs() < 0.05, "{order} {errors:?}");
    }
}

#[test]
fn a_step_does_not_allocate() {
    let car = ramp();
    let wheels = [0, 1].map(|i| Wheel { brake_bound: 9e3, free: -20.0, ..wheel(car.inertia[i] / 1e-3, 0.8) });
    let (axles, hung) = e1();
    let several = problem(&axles, 100.0, &hung);
    let one = Problem { free: 21.0, ..problem(&car.axles, 1.2e6, &wheels) };
    let mut workspace = Workspace::new(2);
    let counted = allocation_counter::measure(|| {
        for _ in 0..10 {
            workspace.solve(&one, car.bound(), Select::Nearest);
            workspace.solve(&several, 1.89, Select::Nearest);
        }
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn axles_that_carry_nothing_are_refused_in_words() {
    let refused = |axles: &[Axle]| Axles::new(0.5, 1000.0, axles).unwrap_err().to_string();
    assert!(refused(&[axle(1.0)]).contains("at least two places"));
    assert!(refused(&[axle(1.0), axle(2.0)]).contains("axle 2 carries"), "{}", refused(&[axle(1.0), axle(2.0)]));
    assert_eq!(
        refused(&[axle(1.0), Axle { radius: -0.3, ..axle(-1.0) }]),
        "axle 2: radius = -0.3 m: it must be a finite number > 0"
    );
    assert!(matches!(Axles::new(f64::NAN, 1.0, &[axle(1.0), axle(-1.0)]), Err(AxlesError::Vehicle(_))));
    let axles = Axles::new(0.5, 1000.0, &[axle(1.0), axle(0.0), axle(-1.0)]).unwrap();
    assert!(matches!(axles.clone().with_loads(&[500.0, 0.0]), Err(AxlesError::Count { .. })));
    assert!(matches!(axles.clone().with_loads(&[500.0, 300.0, 200.0]), Err(AxlesError::Unbalanced { .. })));
    assert_eq!(axles.with_loads(&[400.0, 200.0, 400.0]).unwrap().at_rest(), [400.0, 200.0, 400.0]);
}

#[test]
fn a_locked_front_and_a_massless_rear_wheel_in_closed_form() {
    // E3: N1 = b m g/(L − μ h).
    let (mass, a, b, height, mu) = (100.0, 0.5, 0.6, 0.7, 0.5);
    let axles = Axles::new(height, mass * G, &[axle(a), axle(-b)]).unwrap();
    let front = Wheel { brake_bound: 1e5, ground: Contact::Slips(1.0), ..wheel(5.0, mu) };
    let rear = Wheel { brake: Contact::Slips(-1.0), ..wheel(1e-9, mu) };
    let wheels = [front, rear];
    let mut workspace = Workspace::new(2);
    workspace.solve(&problem(&axles, mass, &wheels), axles.uniqueness_bound(&[mu; 2]), Select::Nearest);
    assert!((workspace.forces.loads[0] - b * mass * G / (a + b - mu * height)).abs() < 1e-5);
}
