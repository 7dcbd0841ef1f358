//! Shifts, rolling step by step, and forces prescribed.

use stickslip_contact::case::{Body, Case, CaseError, Course, Elements, Pressing};
use stickslip_contact::grid::Grid;
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{self, Contact, Load, Undeformed};
use stickslip_contact::tangential::{Drive, Motion, Settings, Status, Steady, Transient, Transport};
use stickslip_core::law::Coefficient;

use crate::case::{FRICTION, contact, number, table};

fn pressed(grid: Grid, g: f64, nu: f64, curvature: f64, force: f64) -> Contact {
    let shape = Undeformed::Paraboloid { a: 0.5 / curvature, b: 0.5 / curvature };
    let material = Material::new(g, nu).expect("valid");
    Contact::solve(grid, material, shape, Load::Force(force), &normal::Settings::default()).expect("solves")
}

/// A shift under 7/8 of the limit: 8.155e-3 on CONTACT's grid, 45 elements stick and 132 slip; 8.172e-3 by Mindlin.
#[test]
fn cattaneo_shift() {
    let grid = Grid::new(19, 19, 0.13333, 0.13333, -1.2, -1.2).expect("valid");
    let contact = pressed(grid, 200.0, 0.42, 0.01, 9.1954);
    let mut shift = Transient::new(&contact, 0.4, Settings::default()).expect("valid");
    let motion = Motion { x: Drive::Force(-7.0 / 8.0 * 0.4 * 9.1954), y: Drive::Creepage(0.0), spin: 0.0 };
    let solution = shift.shift(motion).expect("solves");
    assert!((solution.creepage[0] - 8.155e-3).abs() < 0.5e-6, "{}", solution.creepage[0]);
    assert_eq!((solution.count(Status::Stick), solution.count(Status::Slip)), (45, 132));
}

/// Mindlin's shift 3(2−ν)μN/(8Ga)·(1 − (1 − F/μN)^⅔) of two equal bodies, approached by refinement. Mindlin leaves
/// out tractions across the shift, which Cerruti's solution has when ν > 0: with ν = 0 there are none.
#[test]
fn shift_converges_to_mindlin() {
    let (g, nu, mu, force) = (200.0_f64, 0.0, 0.4, 9.1954);
    // Hertz: a³ = 3NR/(4E*), E* = G/(1−ν) for two equal bodies, R = 1/(2·0.01).
    let a = (0.75 * force * 50.0 * (1.0 - nu) / g).cbrt();
    let wanted = 3.0 * (2.0 - nu) * mu * force / (8.0 * g * a) * (1.0 - 0.125_f64.powf(2.0 / 3.0));
    let mut errors = Vec::new();
    for n in [20, 40, 80] {
        let grid = Grid::centred(n, n, 1.1 * a, 1.1 * a).expect("valid");
        let contact = pressed(grid, g, nu, 0.01, force);
        let mut shift = Transient::new(&contact, mu, Settings::default()).expect("valid");
        let motion = Motion { x: Drive::Force(-0.875 * mu * force), y: Drive::Creepage(0.0), spin: 0.0 };
        errors.push((shift.shift(motion).expect("solves").creepage[0] / wanted - 1.0).abs());
    }
    assert!(errors[0] < 5e-3 && errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1], "{errors:?}");
}

/// From a shift to steady rolling in 56 steps: all rows, creepage to CONTACT's printed digits and to six digits of
/// an independent code; then the steady state, first order, is the limit.
#[test]
fn cattaneo_to_carter() {
    let grid = Grid::new(34, 33, 0.25, 0.25, -4.0, -4.0).expect("valid");
    let contact = pressed(grid, 1.0, 0.28, 0.002963, 0.4705);
    let settings = Settings { transport: Transport::First, ..Settings::default() };
    let mut rolling = Transient::new(&contact, 0.4013, settings).expect("valid");
    let motion = Motion { x: Drive::Force(-0.657 * 0.4013 * 0.4705), y: Drive::Force(0.0), spin: 0.0 };
    let rows = table("cattaneo-to-carter.csv");
    assert_eq!(rows.len(), 58);
    for (k, row) in rows[..57].iter().enumerate() {
        let solution = if k == 0 { rolling.shift(motion) } else { rolling.step(motion) }.expect("solves");
        assert!(solution.residual <= 1e-8);
        let (own, contact) = (number(&row[1]), number(&row[3]));
        assert!((solution.creepage[0] - own).abs() < 2e-6 * own, "{row:?}: {}", solution.creepage[0]);
        // Printed with four digits: half a unit of the last.
        let unit = 10f64.powi(contact.log10().floor() as i32 - 3);
        assert!((solution.creepage[0] - contact).abs() <= 0.51 * unit, "{row:?}: {}", solution.creepage[0]);
        assert_eq!(solution.count(Status::Stick).to_string(), row[2], "{row:?}");
        assert!((solution.force[0] / (-0.657 * 0.4013 * 0.4705) - 1.0).abs() < 1e-10);
    }
    let solution = Steady::new(&contact, 0.4013, settings).expect("valid").solve(motion).expect("solves");
    let wanted = number(&rows[57][1]);
    assert!((solution.creepage[0] - wanted).abs() < 2e-6 * wanted, "{}", solution.creepage[0]);
}

/// Forces found from creepages give the creepages back, in every mix, from nothing.
#[test]
fn forces_and_creepages_are_inverse() {
    let contact = contact(22);
    let mut steady = Steady::new(&contact, FRICTION, Settings::default()).expect("valid");
    for (xi, eta, spin) in [(1e-3, 5e-4, 2e-4), (-2e-3, 1e-3, -5e-4), (3e-3, 4e-3, 0.0), (1e-6, -2e-6, 0.0)] {
        let given = steady.solve(Motion::creepage(xi, eta, spin)).expect("solves");
        let [fx, fy] = given.force;
        for motion in [
            Motion::force(fx, fy, spin),
            Motion { x: Drive::Force(fx), y: Drive::Creepage(eta), spin },
            Motion { x: Drive::Creepage(xi), y: Drive::Force(fy), spin },
        ] {
            let found = steady.solve(motion).expect("solves");
            // Residuals of 1e-8 on both sides, worsened by the slope of the creep curve (at most 10 here).
            let size = xi.abs().max(eta.abs());
            assert!((found.creepage[0] - xi).abs() < 1e-6 * size, "{motion:?}: {:?} {xi}", found.creepage);
            assert!((found.creepage[1] - eta).abs() < 1e-6 * size, "{motion:?}: {:?} {eta}", found.creepage);
            assert!((found.force[0] - fx).hypot(found.force[1] - fy) < 1e-6 * fx.hypot(fy));
        }
    }
}

/// Just below the limit a force is still found; at it, it is refused (see errors.rs).
#[test]
fn force_near_the_limit() {
    let contact = contact(22);
    let mut steady = Steady::new(&contact, FRICTION, Settings::default()).expect("valid");
    let limit = steady.solve(Motion::creepage(1e-3, 0.0, 0.0)).expect("solves").limit;
    for share in [0.9, 0.99, 0.999] {
        let solution = steady.solve(Motion::force(-share * limit, 0.0, 0.0)).expect("solves");
        assert!((solution.force[0] + share * limit).abs() < 1e-9 * limit);
        assert!(solution.creepage[0] > 2e-3);
    }
}

/// Rolling that begins with a shift: the force shifts by Mindlin's distance (balls of 0.1 m, G = 200 MPa, in SI units), whatever creepage
/// and spin belong to the rolling after it, which are no distance and no angle.
#[test]
fn creepages_are_not_shifted() {
    let (g, nu, mu, load, share) = (200e6_f64, 0.0, 0.4, 9.1954, 0.875);
    let ball = Body { radii: Radii { x: 0.1, y: 0.1 }, material: Material::new(g, nu).expect("valid") };
    let force = Drive::Force(-share * mu * load);
    let case = |course| Case {
        bodies: [ball; 2],
        pressing: Pressing::Load(load),
        friction: Coefficient::Constant(mu),
        speed: 0.0,
        elements: Elements { along: Some(40), across: Some(40), ..Elements::default() },
        course,
        settings: Settings::default(),
    };
    let a = (0.75 * load * 0.05 * (1.0 - nu) / g).cbrt();
    let mindlin = 3.0 * (2.0 - nu) * mu * load / (8.0 * g * a) * (1.0 - (1.0 - share).powf(2.0 / 3.0));
    let alone = case(Course::Shift(Motion { x: force, y: Drive::Creepage(0.0), spin: 0.0 }));
    let alone = alone.solve(&mut |_| ()).expect("solves").solution;
    assert!((alone.creepage[0] / mindlin - 1.0).abs() < 5e-3, "{} m, by Mindlin {mindlin} m", alone.creepage[0]);
    for (eta, spin) in [(0.0, 0.0), (1e-3, 0.0), (2e-4, 0.5)] {
        let motion = Motion { x: force, y: Drive::Creepage(eta), spin };
        let rolled = case(Course::Transient { motion, steps: 2, shifted: true });
        rolled.check().expect("a force shifts");
        let history = rolled.solve(&mut |_| ()).expect("solves").history;
        assert_eq!((history[0].creepage, history[0].force), (alone.creepage, alone.force), "η = {eta}, φ = {spin}");
        assert_eq!((history[1].creepage[1], history[2].creepage[1]), (eta, eta));
    }
    // Without a force there is nothing that shifts.
    let motion = Motion::creepage(1e-3, 0.0, 0.0);
    assert_eq!(case(Course::Transient { motion, steps: 2, shifted: true }).check(), Err(CaseError::Unforced));
    assert_eq!(case(Course::Transient { motion, steps: 2, shifted: false }).check(), Ok(()));
}
