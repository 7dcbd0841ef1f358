//! Eigenvalues and limits of stability against reference/squeal and closed forms.

mod common;

use std::f64::consts::TAU;

use common::{cell, constant, creep, fall, table, wheel};
use num_complex::Complex64;
use stickslip_core::law::{Coefficient, Curve};
use stickslip_squeal::{Contact, Friction, Wheel};

fn of(set: &str, law: &str, mu: &str, s0: f64) -> Wheel {
    let contact = match law {
        "const" => Contact::Point { friction: constant(mu.parse().expect("a number")) },
        "fall" => Contact::Point { friction: fall() },
        _ => creep(),
    };
    wheel(set, contact, s0)
}

#[test]
fn eigenvalues_are_those_of_the_table() {
    let (heads, rows) = table("squeal/eigenvalues.csv");
    let mut worst = [0.0_f64; 2];
    for row in &rows {
        let (s0, re, f) =
            (cell(&heads, row, "s0"), cell(&heads, row, "real_1_per_s"), cell(&heads, row, "frequency_Hz"));
        let all = of(&row[0], &row[1], &row[2], s0).eigenvalues().expect("found");
        let wanted = Complex64::new(re, TAU * f);
        let nearest = all.iter().min_by(|a, b| (**a - wanted).norm().total_cmp(&(**b - wanted).norm())).expect("some");
        // The table has ten digits.
        worst[0] = worst[0].max((nearest.re - re).abs() / re.abs());
        worst[1] = worst[1].max((nearest.im / TAU - f).abs() / f);
    }
    eprintln!("worst relative miss of real parts {:e}, of frequencies {:e}", worst[0], worst[1]);
    assert!(worst[0] < 1e-8 && worst[1] < 1e-9, "{worst:?}");
}

/// The matrix has the eigenvalues and eigenvectors that the characteristic equation has: two assemblies of one system.
#[test]
fn the_matrix_has_the_same_eigenvectors() {
    for (set, contact, s0) in [
        ("pair", Contact::Point { friction: constant(0.35) }, 0.01),
        ("wheel", Contact::Point { friction: fall() }, 0.05),
        ("wheel", creep(), 0.01),
        ("wheel", common::patch(), 0.02),
    ] {
        let wheel = wheel(set, contact, s0);
        let linear = wheel.linearise().expect("a matrix");
        let n = wheel.modes.len();
        assert_eq!(linear.names.len(), linear.matrix.rows());
        let mut trace = 0.0;
        for value in wheel.eigenvalues().expect("found") {
            trace += if value.im > 0.0 { 2.0 * value.re } else { value.re };
            let shape = wheel.shape(value).scaled(&wheel, 1.0);
            let mut x: Vec<Complex64> =
                shape.modes.iter().copied().chain(shape.modes.iter().map(|q| q * value)).collect();
            if linear.matrix.rows() > 2 * n {
                x.push(shape.force);
            }
            // Each row against what its terms add up to.
            for i in 0..x.len() {
                let product: Complex64 = x.iter().zip(linear.matrix.row(i)).map(|(x, a)| x * *a).sum();
                let size: f64 = x.iter().zip(linear.matrix.row(i)).map(|(x, a)| (x * *a).norm()).sum();
                assert!((product - value * x[i]).norm() <= 1e-11 * size, "{set} {value} row {i}");
            }
        }
        // The trace is the sum of all eigenvalues: none is missing, none found twice.
        let own: f64 = (0..linear.matrix.rows()).map(|i| linear.matrix[(i, i)]).sum();
        assert!((trace - own).abs() < 1e-9 * own.abs(), "{set}: {trace} {own}");
    }
}

/// Where the greatest real part passes zero, by bisection.
fn threshold(make: impl Fn(f64) -> Wheel, mut low: f64, mut high: f64) -> f64 {
    let grows = |x: f64| make(x).least_stable().expect("found").re > 0.0;
    let at_low = grows(low);
    assert_ne!(at_low, grows(high));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if grows(middle) == at_low { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

fn pair(mu: f64, damped: bool, factor: f64) -> Wheel {
    let mut pair = wheel("pair", Contact::Point { friction: constant(mu) }, 0.01);
    for mode in &mut pair.modes {
        mode.damping *= if !damped {
            0.0
        } else if mode.name == "R" {
            factor
        } else {
            1.0
        };
    }
    pair
}

#[test]
fn limits_are_those_of_closed_forms_and_of_the_table() {
    // Falling friction, one mode: N0 Δμ φ² e^{−V s0/v0}/v0 = 2ζω.
    let one = wheel("one", Contact::Point { friction: fall() }, 0.05);
    let mode = &one.modes[0];
    let closed = 0.15 / 10.0 * (42e3 * 0.1 * mode.lateral.powi(2) / (2.0 * mode.damping * mode.omega() * 0.15)).ln();
    let found = threshold(|s0| wheel("one", Contact::Point { friction: fall() }, s0), 0.01, 0.2);
    assert!((found - closed).abs() < 1e-9 && (closed - 0.0741232597173).abs() < 1e-12, "{found} {closed}");

    // Flutter of two undamped modes: (k11 − k22)² + 4 k12 k21 = 0, a quadratic in μ.
    let undamped = pair(0.3, false, 1.0);
    let k = undamped.spring.stiffness();
    let [[y1, z1, w1], [y2, z2, w2]] =
        [0, 1].map(|i: usize| [undamped.modes[i].lateral, undamped.modes[i].vertical, undamped.modes[i].omega()]);
    let (a, b) = (w1 * w1 - w2 * w2 + k * (z1 * z1 - z2 * z2), -k * (y1 * z1 - y2 * z2));
    let c = 4.0 * k * k * z1 * z2;
    let (qa, qb, qc) = (b * b + c * y1 * y2, 2.0 * a * b - c * (z1 * y2 + z2 * y1), a * a + c * z1 * z2);
    let root = |sign: f64| (-qb + sign * (qb * qb - 4.0 * qa * qc).sqrt()) / (2.0 * qa);
    assert!((root(-1.0) - 0.250471727608).abs() < 1e-11 && (root(1.0) - 3.58578525121).abs() < 1e-10);
    // Undamped real parts leave zero like a square root: 1e-9 in μ is seen as a real part of some 1e-2 per second.
    let grows = |mu: f64| pair(mu, false, 1.0).least_stable().expect("found").re;
    for (inside, outside) in [(root(-1.0) + 1e-9, root(-1.0) - 1e-9), (root(1.0) - 1e-9, root(1.0) + 1e-9)] {
        assert!(grows(inside) > 1e-3 && grows(outside) < 1e-4, "{} {}", grows(inside), grows(outside));
    }

    for (factor, mu) in [(1.0, 0.229555096129), (2.0, 0.2092477302), (6.0, 0.1885084034), (21.0, 0.1837868357)] {
        let found = threshold(|mu| pair(mu, true, factor), 0.1, 0.5);
        assert!((found - mu).abs() < 1e-9, "{factor}: {found}");
    }
    for (set, contact, low, high, s0) in [
        ("wheel", Contact::Point { friction: fall() }, 0.05, 0.2, 0.08305126642),
        ("wheel", creep(), 0.005, 0.01, 0.006425862731),
        ("one", creep(), 0.005, 0.01, 0.007076594616),
        ("one", creep(), 0.02, 0.06, 0.03894200344),
    ] {
        let found = threshold(|s0| wheel(set, contact.clone(), s0), low, high);
        assert!((found - s0).abs() < 1e-9, "{set} {}: {found}", contact.name());
    }
}

#[test]
fn the_map_is_that_of_the_table() {
    let (heads, rows) = table("squeal/stability-map-wheel-creep.csv");
    for row in rows {
        let [scale, s0, re, f] = [0, 1, 2, 3].map(|k: usize| row[k].parse::<f64>().expect("a number"));
        let friction = stickslip_squeal::Friction::Law(stickslip_core::law::Coefficient::Stribeck {
            sticking: 0.35 * scale,
            slipping: 0.25 * scale,
            speed: 0.15,
            exponent: 1.0,
        });
        let wheel = wheel("wheel", Contact::Creep { friction, slope: 335.0, lag: 4.25684e-3 }, s0);
        let all = wheel.eigenvalues().expect("found");
        let worst = wheel.least_stable().expect("found");
        assert!(
            (worst.re - re).abs() < 1e-8 * re.abs() && (worst.im / TAU - f).abs() < 1e-8 * f,
            "{heads:?} {row:?} {worst}"
        );
        assert_eq!(all.iter().filter(|own| own.re > 0.0).count().to_string(), row[4]);
    }
}

/// Along an eigenvector without lateral motion nothing can begin with a lateral velocity.
#[test]
fn a_vertical_eigenvector_is_no_start() {
    use stickslip_squeal::step::{Start, Stepper};
    let mode = |frequency, damping, lateral, vertical| stickslip_squeal::Mode {
        name: format!("{frequency}"),
        frequency,
        damping,
        lateral,
        vertical,
    };
    let mut wheel = common::wheel("one", Contact::Point { friction: constant(0.0) }, 0.02);
    wheel.modes = vec![mode(1150.0, 1e-3, 0.1, 0.0), mode(1900.0, 0.0, 0.0, 0.1)];
    let stepper = Stepper::new(&wheel, 4e-6, 4e-5).expect("a stepper");
    let refused = stepper.start(Start::Eigenvector(1e-3)).expect_err("no lateral part").to_string();
    assert!(refused.contains("does not move the contact sideways"), "{refused}");
    assert!(stepper.start(Start::Kick(1e-3)).is_ok());
}

/// In full slip all bristles are at μ(|v|) p: a patch has the eigenvalues of a point, whatever the law.
#[test]
fn a_patch_that_slides_has_the_eigenvalues_of_a_point() {
    let sech = Friction::Law(Coefficient::Sech { sticking: 0.35, slipping: 0.25, alpha: 8.0 });
    let table = Curve::held(&[(0.0, 0.35), (0.15, 0.3), (1.0, 0.25)]).expect("a curve");
    for friction in [constant(0.35), fall(), sech, Friction::Law(Coefficient::Table(table))] {
        for (set, s0) in [("one", 0.05), ("pair", 0.02), ("wheel", 0.05)] {
            let patch = common::wheel(set, common::patch_of(friction.clone()), s0);
            let point = common::wheel(set, Contact::Point { friction: friction.clone() }, s0);
            assert!(patch.share_of_full_slip().expect("a patch") > 1.0);
            assert_eq!(patch.eigenvalues().expect("found"), point.eigenvalues().expect("found"), "{set} {friction:?}");
            // By way of the contact's answer, too.
            for (a, b) in patch.beside_the_modes().expect("found").iter().zip(point.eigenvalues().expect("found")) {
                assert!((a - b).norm() < 1e-9 * b.norm(), "{set} {friction:?}: {a} {b}");
            }
        }
    }
}

#[test]
fn a_patch_that_sticks_in_part_has_no_matrix() {
    let stuck = wheel("pair", common::patch(), 0.005);
    assert!(stuck.linearise().expect_err("a delay").to_string().contains("delay"));
    assert_eq!(stuck.eigenvalues().expect("beside the modes").len(), 2);
}

/// Friction that falls so steeply that a pair becomes two real roots, λ² + (2ζω + N0 μ' φ²) λ + ω² = 0; beside a pair, and with a lag.
#[test]
fn two_real_roots_are_found() {
    let steep = |scale: f64| {
        stickslip_squeal::Friction::Law(stickslip_core::law::Coefficient::Stribeck {
            sticking: 0.35,
            slipping: 0.25,
            speed: scale,
            exponent: 1.0,
        })
    };
    // Growing, and (rising friction, so strong that nothing swings) decaying.
    for scale in [0.005_f64, -0.005] {
        let (v0, mut own) = (scale.abs(), wheel("one", Contact::Point { friction: steep(scale.abs()) }, 1e-4));
        if scale < 0.0 {
            let rising =
                stickslip_core::law::Coefficient::Stribeck { sticking: 0.25, slipping: 0.35, speed: v0, exponent: 1.0 };
            own.contact = Contact::Point { friction: stickslip_squeal::Friction::Law(rising) };
        }
        let mode = own.modes[0].clone();
        let slope = -scale.signum() * 0.1 / v0 * (-own.slip() / v0).exp();
        let half = 0.5 * (mode.rate() + 42e3 * slope * mode.lateral.powi(2));
        let root = (half * half - mode.omega().powi(2)).sqrt();
        let found = own.eigenvalues().expect("found");
        assert_eq!((found.len(), found[0].im, found[1].im), (2, 0.0, 0.0), "{found:?}");
        for (own, wanted) in found.iter().zip([-half + root, -half - root]) {
            assert!((own.re / wanted - 1.0).abs() < 1e-12, "{own} {wanted}");
        }
        let least = own.least_stable().expect("found");
        assert_eq!(least, found[0]);
        // Along it the motion is real, and begins with the velocity asked for.
        let shape = own.shape(least).scaled(&own, 1e-5);
        assert!((shape.lateral(&own) * least - 1e-5).norm() < 1e-18, "{shape:?}");
    }
    let mut both = wheel("one", Contact::Point { friction: steep(0.005) }, 1e-4);
    both.modes.push(wheel("pair", Contact::Point { friction: constant(0.3) }, 0.01).modes[1].clone());
    let found = both.eigenvalues().expect("found");
    assert_eq!(found.iter().map(|own| own.im > 0.0).collect::<Vec<_>>(), [true, false, false], "{found:?}");
    let matrix = both.linearise().expect("a matrix").matrix;
    let trace: f64 = (0..4).map(|i| matrix[(i, i)]).sum();
    let sum: f64 = found.iter().map(|own| if own.im > 0.0 { 2.0 * own.re } else { own.re }).sum();
    assert!((sum / trace - 1.0).abs() < 1e-12, "{sum} {trace}");
}

/// The same wheel with the first mode cut into parts of the same frequency and damping: Σ φφᵀ is the same, and so is what the contact feels.
fn cut(whole: &Wheel, parts: u32) -> Wheel {
    let mut cut = whole.clone();
    let first = cut.modes.remove(0);
    let share = 1.0 / f64::from(parts).sqrt();
    for k in 0..parts {
        cut.modes.push(stickslip_squeal::Mode {
            name: format!("{k}"),
            lateral: first.lateral * share,
            vertical: first.vertical * share,
            ..first.clone()
        });
    }
    cut
}

/// Modes of equal frequency and damping: λ² + (2ζω + N0 μ' φ²) λ + ω² = 0 of them together, and each other combination alone.
#[test]
fn equal_modes_have_the_eigenvalue_of_one_and_silent_ones() {
    let one = wheel("one", Contact::Point { friction: fall() }, 0.02);
    let mode = &one.modes[0];
    let slope = -0.1 / 0.15 * (-one.slip() / 0.15).exp();
    let half = 0.5 * (mode.rate() + 42e3 * slope * mode.lateral.powi(2));
    let felt = Complex64::new(-half, (mode.omega().powi(2) - half * half).sqrt());
    let own = 0.5 * mode.rate();
    let silent = Complex64::new(-own, (mode.omega().powi(2) - own * own).sqrt());
    assert!(felt.re > 50.0);
    for parts in [1, 2, 3, 5] {
        let cut = cut(&one, parts);
        for found in [cut.eigenvalues().expect("found"), cut.beside_the_modes().expect("found")] {
            let near =
                |wanted: Complex64| found.iter().filter(|f| (**f - wanted).norm() < 1e-12 * wanted.norm()).count();
            let wanted = (1, parts as usize - 1, parts as usize);
            assert_eq!((near(felt), near(silent), found.len()), wanted, "{parts}: {found:?}");
        }
        let least = cut.least_stable().expect("found");
        assert!((least - felt).norm() < 1e-12 * felt.norm(), "{parts}: {least} {felt}");
    }
    // Nearly equal: the step from one to the other is smooth.
    let mut nearly = cut(&one, 2);
    nearly.modes[1].frequency *= 1.0 + 1e-12;
    assert!((nearly.least_stable().expect("found") - felt).norm() < 1e-9 * felt.norm());
}

/// Whatever the contact, and with modes that move both ways: cut or not, found by the matrix or by iteration.
#[test]
fn equal_modes_are_one_on_any_contact() {
    let mut two_ways = wheel("pair", Contact::Point { friction: fall() }, 0.01);
    two_ways.modes[1].frequency = two_ways.modes[0].frequency;
    two_ways.modes[1].damping = two_ways.modes[0].damping;
    let mut wheels = vec![two_ways];
    for (set, contact, s0) in [
        ("wheel", Contact::Point { friction: fall() }, 0.05),
        ("pair", Contact::Point { friction: constant(0.35) }, 0.01),
        ("wheel", creep(), 0.01),
        ("wheel", common::patch(), 0.02),
        ("pair", common::patch(), 0.005),
    ] {
        wheels.push(wheel(set, contact, s0));
    }
    for whole in wheels {
        let wanted = whole.eigenvalues().expect("found");
        for parts in [1, 2, 3] {
            let cut = cut(&whole, parts);
            let ways = [cut.eigenvalues().expect("found"), cut.beside_the_modes().expect("found")];
            for found in ways {
                assert_eq!(found.len(), wanted.len() + parts as usize - 1, "{found:?}");
                for wanted in &wanted {
                    let off = found.iter().map(|own| (own - wanted).norm()).fold(f64::INFINITY, f64::min);
                    assert!(off < 1e-12 * wanted.norm(), "{} {parts}: {wanted} {off:e}", cut.contact.name());
                }
            }
        }
    }
}

/// At a corner of the table friction has two slopes; a point of a straight line is none, and one side has one slope.
#[test]
fn a_corner_of_friction_has_no_eigenvalues() {
    let table = |points: &[(f64, f64)]| {
        let curve = stickslip_core::law::Curve::held(points).expect("rises");
        Contact::Point { friction: stickslip_squeal::Friction::Law(stickslip_core::law::Coefficient::Table(curve)) }
    };
    let bent = [(0.0, 0.3), (0.2, 0.3), (0.4, 0.1)];
    let at = wheel("one", table(&bent), 0.02);
    for words in
        [at.linearise().expect_err("a corner").to_string(), at.eigenvalues().expect_err("a corner").to_string()]
    {
        assert!(words.contains("corner") && words.contains("two slopes there, 0 and -0.99999"), "{words}");
    }
    // One unit of rounding beside it is at it; an end of the table is a corner as well.
    let mut beside = at.clone();
    beside.creepage = 0.02_f64.next_up();
    assert!(beside.linearise().is_err());
    assert!(wheel("one", table(&bent), 0.04).linearise().is_err());
    for (s0, slope) in [(0.0199, 0.0), (0.0201, -1.0)] {
        let own = wheel("one", table(&bent), s0);
        let sum = 2.0 * own.least_stable().expect("found").re;
        let wanted = -own.modes[0].rate() - 42e3 * slope * own.modes[0].lateral.powi(2);
        assert!((sum / wanted - 1.0).abs() < 1e-9, "{sum} {wanted}");
    }
    assert!(wheel("one", table(&[(0.0, 0.5), (0.25, 0.25), (0.5, 0.0)]), 0.025).linearise().is_ok());
}
