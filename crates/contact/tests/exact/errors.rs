//! Input that cannot be: errors with numbers.

use stickslip_contact::case::{Body, Case, CaseError, Course, Elements, Pressing};
use stickslip_contact::error::Error;
use stickslip_contact::grid::Grid;
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{self, Contact, Load, Undeformed};
use stickslip_contact::patch::{Friction, Patch};
use stickslip_contact::tangential::{Drive, Motion, Settings, Steady, Transient};
use stickslip_core::law::Coefficient;
use stickslip_core::range::OutOfRange;

use crate::case::{A, B, FRICTION, LOAD, SHAPE, contact, grid, steel};

fn press(grid: Grid, load: Load) -> Result<Contact, Error> {
    Contact::solve(grid, steel(), SHAPE, load, &normal::Settings::default())
}

#[test]
fn bodies_that_cannot_exist() {
    for nu in [-1.0, 0.51, f64::NAN] {
        for bad in [Material::new(1.0, nu), Material::from_young(1.0, nu)] {
            let Err(OutOfRange { what: "Poisson's ratio", value, .. }) = bad else { panic!("{nu}") };
            assert_eq!(value.to_bits(), nu.to_bits());
        }
    }
    assert!(Material::new(1.0, 0.5).is_ok() && Material::new(1.0, -0.9).is_ok());
    for g in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-310] {
        assert!(matches!(Material::new(g, 0.3), Err(OutOfRange { what: "shear modulus", .. })), "{g}");
    }
    // The smallest and the largest modulus still combine to a number.
    let pair = Material::pair(
        Material::new(f64::MIN_POSITIVE, 0.3).expect("valid"),
        Material::new(f64::MAX, -0.5).expect("valid"),
    );
    assert!(pair.shear_modulus() > 0.0 && pair.shear_modulus().is_finite() && pair.poisson().is_finite());
}

/// The exact theory covers ν < 0; Kalker's table does not, and says so.
#[test]
fn a_ratio_below_zero_is_for_the_exact_theory_only() {
    let material = Material::from_young(210e3, -0.2).expect("valid");
    assert!(Contact::solve(grid(16), material, SHAPE, Load::Force(0.8 * LOAD), &normal::Settings::default()).is_ok());
    let patch = Patch::new(4.0, 3.0, 1.0, material, Friction::constant(0.3).expect("valid"));
    assert!(matches!(patch, Err(OutOfRange { what: "Poisson's ratio", .. })));
}

#[test]
fn grids_without_elements() {
    assert!(matches!(Grid::centred(0, 4, 1.0, 1.0), Err(Error::GridSize { .. })));
    assert!(matches!(Grid::centred(5000, 4, 1.0, 1.0), Err(Error::GridSize { .. })));
    assert!(matches!(Grid::centred(4, 4, -1.0, 1.0), Err(Error::NotPositive { .. })));
}

#[test]
fn loads_that_pull_and_no_contact() {
    for load in [0.0, -5.0, f64::NAN] {
        assert!(matches!(press(grid(22), Load::Force(load)), Err(Error::Load { .. })));
    }
    let error = press(grid(22), Load::Approach(-0.1)).expect_err("no contact");
    assert!(matches!(error, Error::NoContact { .. }) && error.to_string().contains("-0.1"), "{error}");
    let table =
        Contact::solve(grid(22), steel(), Undeformed::Table(&[0.0]), Load::Force(1.0), &normal::Settings::default());
    assert!(matches!(table, Err(Error::Length { found: 1, wanted: 484, .. })));
}

/// The error names the sides and a size that then works.
#[test]
fn grid_that_cuts_the_contact() {
    let narrow = Grid::centred(22, 22, 0.8 * A, 1.1 * B).expect("valid");
    let error = press(narrow, Load::Force(LOAD)).expect_err("cut");
    let Error::CutContact { sides, advice } = &error else { panic!("{error}") };
    assert_eq!(sides, "−x, +x");
    let needed: f64 = advice
        .split("at least [-")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .and_then(|number| number.parse().ok())
        .expect("a number");
    assert!(needed > 0.95 * A && needed < 1.3 * A, "{advice}");
    assert!(press(Grid::centred(22, 22, needed.max(A) * 1.1, 1.1 * B).expect("valid"), Load::Force(LOAD)).is_ok());
}

#[test]
fn forces_beyond_friction() {
    let contact = contact(22);
    let limit = FRICTION * LOAD;
    let mut steady = Steady::new(&contact, FRICTION, Settings::default()).expect("valid");
    let mut transient = Transient::new(&contact, FRICTION, Settings::default()).expect("valid");
    for motion in [
        Motion::force(-1.001 * limit, 0.0, 0.0),
        Motion::force(0.8 * limit, 0.8 * limit, 0.0),
        Motion { x: Drive::Force(2.0 * limit), y: Drive::Creepage(0.0), spin: 0.0 },
    ] {
        assert!(matches!(steady.solve(motion), Err(Error::Force { .. })));
        assert!(matches!(transient.shift(motion), Err(Error::Force { .. })));
    }
    assert!(matches!(steady.solve(Motion::creepage(f64::NAN, 0.0, 0.0)), Err(Error::NotFinite { .. })));
    for mu in [0.0, -0.3, f64::NAN] {
        assert!(Steady::new(&contact, mu, Settings::default()).is_err());
    }
}

/// The error names the element that would resolve the spin; such a grid accepts it.
#[test]
fn spin_that_turns_within_an_element() {
    let solve = |n: usize, spin: f64| {
        Steady::new(&contact(n), FRICTION, Settings::default()).expect("valid").solve(Motion::creepage(0.0, 0.0, spin))
    };
    let Err(Error::Spin { element, .. }) = solve(16, 0.03) else { panic!("resolved") };
    let fine = (2.2 * A.max(B) / element).ceil() as usize + 2;
    assert!(solve(fine, 0.03).is_ok(), "{fine}");
}

/// Too few iterations: an error that tells the residual, no guess.
#[test]
fn no_convergence_is_an_error() {
    let settings = Settings { max_iterations: 3, ..Settings::default() };
    let mut steady = Steady::new(&contact(22), FRICTION, settings).expect("valid");
    let Err(Error::NoConvergence { residual, iterations: 3, .. }) = steady.solve(Motion::creepage(1e-3, 0.0, 0.0))
    else {
        panic!("converged in 3 iterations")
    };
    assert!(residual > 1e-8 && residual < 1.0);
    let settings = normal::Settings { max_iterations: 2, ..normal::Settings::default() };
    let pressed = Contact::solve(grid(22), steel(), SHAPE, Load::Force(LOAD), &settings);
    assert!(matches!(pressed, Err(Error::NoConvergence { iterations: 2, .. })));
}

/// The 42 kN case in SI units on a grid of m elements along and across the ellipse, over 1.5 times its size.
fn coarse(m: f64, motion: Motion) -> Case {
    let body = Body { radii: Radii { x: 0.46, y: 0.30 }, material: Material::from_young(210e9, 0.3).expect("valid") };
    let n = (1.5 * m).round().max(1.0);
    let size = |half: f64| Some(2e-3 * half * n / m);
    Case {
        bodies: [body; 2],
        pressing: Pressing::Load(42e3),
        friction: Coefficient::Constant(0.3),
        speed: 0.0,
        elements: Elements { along: Some(n as usize), across: Some(n as usize), length: size(A), width: size(B) },
        course: Course::Steady(motion),
        settings: Settings::default(),
    }
}

/// Fewer than eight elements along or across the contact are refused with numbers, for all that bodies do; from eight on
/// forces are within 0.04 of μN of their limits (docs/rolling.md 3).
#[test]
fn contacts_of_a_few_elements_are_refused() {
    let creep = Motion::creepage(0.0017, 0.0, 0.0);
    for m in [0.02, 2.0, 4.0, 7.0, 7.9] {
        let case = coarse(m, creep);
        for course in [case.course, Course::Shift(creep), Course::Transient { motion: creep, steps: 3, shifted: false }]
        {
            let case = Case { course, ..case.clone() };
            let Err(CaseError::Contact(error @ Error::Coarse { across, .. })) = case.solve(&mut |_| ()) else {
                panic!("{m} elements")
            };
            assert!((across - m).abs() < 1e-3 * m && error.to_string().contains("at least 8 are needed"), "{error}");
        }
        // A line has no width to be resolved.
        let line = Case {
            pressing: Pressing::LoadPerLength(7.05e6),
            elements: Elements { along: Some(7), length: Some(2.0 * 4.7e-3), ..Elements::default() },
            ..case
        };
        assert!(matches!(line.check(), Err(CaseError::Contact(Error::Coarse { direction: "along", .. }))));
    }
    // Only in one direction is not enough.
    let wide = Case { elements: Elements { across: Some(4), ..coarse(20.0, creep).elements }, ..coarse(20.0, creep) };
    assert!(matches!(wide.check(), Err(CaseError::Contact(Error::Coarse { direction: "across", .. }))));
    // Limits by refinement: docs/rolling.md 5.
    let motions =
        [(creep, 0.5504), (Motion::creepage(0.0, 0.003, 0.0), 0.7551), (Motion::creepage(0.0, 0.0, 1.0), 0.5511)];
    for m in [8.0, 9.0, 10.0, 12.0, 16.0] {
        for (motion, wanted) in motions {
            let solution = coarse(m, motion).solve(&mut |_| ()).expect("solves").solution;
            let used = solution.force[0].hypot(solution.force[1]) / 12_600.0;
            assert!((used - wanted).abs() <= 0.04, "{m} elements, {motion:?}: {used}");
        }
    }
}

/// A force of exactly μN is refused although the pressures' sum may be a bit more; next to it, what it asks for must make
/// sense.
#[test]
fn forces_at_the_limit_are_refused() {
    let with = |force: f64| coarse(20.0, Motion { x: Drive::Force(force), y: Drive::Creepage(0.0), spin: 0.0 });
    for force in [-12_600.0, -12_600.000_001, 12_600.0, -12_599.999_99] {
        let case = with(force);
        assert!(matches!(case.check(), Err(CaseError::Contact(Error::Force { .. }))), "{force}");
        let error = case.solve(&mut |_| ()).expect_err("at the limit");
        assert!(matches!(error, CaseError::Contact(Error::Force { .. })), "{force}: {error}");
    }
    let near = with(-12_599.0).solve(&mut |_| ()).expect("below the limit").solution;
    assert!(near.creepage[0] > 0.005 && near.creepage[0] < 0.1, "{:?}", near.creepage);
    // 1 − 2e-8 of the limit: a shift by more than half the contact.
    let beyond = Case { course: Course::Shift(Motion::force(-12_600.0 * (1.0 - 2e-8), 0.0, 0.0)), ..with(0.0) };
    match beyond.solve(&mut |_| ()) {
        Err(error @ CaseError::Beyond { .. }) => assert!(error.to_string().contains("makes sense"), "{error}"),
        Err(error) => panic!("{error}"),
        Ok(outcome) => assert!(outcome.solution.creepage[0].abs() < 4.5e-3, "{:?}", outcome.solution.creepage),
    }
}

/// Grids that cover the contact but whose elements are too large are told apart from those that do not cover it.
#[test]
fn more_elements_are_not_a_larger_grid() {
    for n in [1, 2, 4, 12] {
        let error = press(grid(n), Load::Force(LOAD)).expect_err("too few");
        let told = error.to_string();
        assert!(told.contains("too few") && told.contains("more of them") && !told.contains("enlarge"), "{n}: {told}");
    }
    let huge = Case {
        elements: Elements { along: Some(2000), across: Some(2000), ..Elements::default() },
        ..coarse(20.0, Motion::creepage(0.0, 0.0, 0.0))
    };
    let error = huge.check().expect_err("too many").to_string();
    assert!(error.contains("at most 1048576"), "{error}");
    // The 1000 × 1000 elements that were measured: 630 MB, about a minute.
    let large = Case { elements: Elements { along: Some(1000), across: Some(1000), ..Elements::default() }, ..huge };
    let cost = large.cost().expect("allowed");
    assert!((cost.bytes / 630e6 - 1.0).abs() < 1e-9 && (30.0..120.0).contains(&cost.seconds), "{cost:?}");
}

/// Every number with a dimension is told in SI with its unit, whatever it was given in.
#[test]
fn numbers_in_messages_have_their_units() {
    let steady = |x, y| coarse(20.0, Motion { x, y, spin: 0.0 });
    let free = Drive::Creepage(0.0);
    let case = steady(free, free);
    let told = |case: Case| case.solve(&mut |_| ()).expect_err("refused").to_string();
    let line = Case { pressing: Pressing::LoadPerLength(-5e3), ..case.clone() };
    assert!(told(line).starts_with("the normal load -5000 N/m is not"));
    assert!(
        told(Case { pressing: Pressing::Load(-5e3), ..case.clone() }).starts_with("the normal load -5000 N is not")
    );
    let apart = told(Case { pressing: Pressing::Approach(-2e-5), ..case.clone() });
    assert!(apart.contains("the approach -2e-5 m is not greater than the least undeformed distance 0 m"), "{apart}");
    let forced = told(steady(Drive::Force(-2e4), free));
    assert!(
        forced.starts_with("the force (-20000 N, 0 N) is 20000 N, but friction transmits less than 126"),
        "{forced}"
    );
    let wide = told(Case { elements: Elements { across: Some(4), ..case.elements }, ..case.clone() });
    assert!(wide.starts_with("the contact is 6.404e-3 m wide but the elements are 2.402e-3 m:"), "{wide}");
    let small = told(Case { elements: Elements { length: Some(6e-3), ..case.elements }, ..case.clone() });
    assert!(small.contains("it covers [-3.000e-3, 3.000e-3] m in x and [") && small.ends_with("] m in y"), "{small}");
    let spin = told(coarse(20.0, Motion::creepage(0.0, 0.0, 300.0)));
    assert!(spin.starts_with("spin 300 1/m changes") && spin.ends_with(" m long"), "{spin}");
    // In a shift creepages are distances, and spin is an angle.
    let turned = told(Case { course: Course::Shift(Motion::creepage(0.0, 0.0, 0.5)), ..case.clone() });
    assert!(turned.starts_with("spin 0.5 rad changes") && turned.contains(" m over one element"), "{turned}");
    let shifted = told(Case { course: Course::Shift(Motion::creepage(f64::NAN, 0.0, 0.0)), ..case.clone() });
    assert!(shifted.starts_with("shift along x = NaN m:"), "{shifted}");
    let beyond = CaseError::Beyond { force: -9e3, limit: 9e3, unit: "N/m", what: "a shift", found: 0.02, most: 0.004 };
    let beyond = beyond.to_string();
    assert!(beyond.contains("-9000 N/m is 1.000000") && beyond.contains("2.000e-2 m, where no more than 4.000e-3 m"));
    let soft = Material::from_young(-1e9, 0.3).expect_err("refused").to_string();
    assert_eq!(soft, "Young's modulus = -1000000000 Pa: it must be a finite number > 0");
    let loose = Grid::centred(4, 4, -1.0, 1.0).expect_err("refused").to_string();
    assert_eq!(loose, "element length Δx = -0.5 m: it must be a finite number > 0");
}
