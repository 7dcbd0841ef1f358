//! Friction that depends on the slip speed of each element.

use stickslip_contact::error::Error;
use stickslip_contact::normal::Contact;
use stickslip_contact::tangential::{Motion, Settings, Solution, Status, Steady, Transient};
use stickslip_core::law::{Coefficient, Curve};

use crate::case::{FRICTION, LINE_A, contact, line, steel};

/// Falls from 0.3 to 0.2 over slips of some 0.1 m/s at the rolling speed 10 m/s (here lengths are in mm). At the origin
/// |dμ/ds| p V is then 1.5e4 MPa, an eighth of 1/K_self.
const SPEED: f64 = 1e4;
const FALLING: Coefficient = Coefficient::Stribeck { sticking: 0.3, slipping: 0.2, speed: 100.0, exponent: 1.0 };

/// The law, element by element, from what came out: stick has no slip and |r| ≤ μ(0)p, slip has |r| = μ(V|s|)p against it.
fn obeys(solution: &Solution, pressure: &[f64], law: &Coefficient) {
    assert!(solution.residual <= 1e-8, "{}", solution.residual);
    let greatest = pressure.iter().copied().fold(0.0, f64::max) * law.sticking();
    // The residual is relative to max|r| + min(…, max μp), at most twice the greatest bound.
    let allowed = 2e-8 * greatest;
    for (k, &p) in pressure.iter().enumerate() {
        let (rx, ry) = (solution.traction_x[k], solution.traction_y[k]);
        let (sx, sy) = (solution.slip_x[k], solution.slip_y[k]);
        let (r, s) = (rx.hypot(ry), sx.hypot(sy));
        match solution.status[k] {
            Status::Exterior => assert_eq!((r, s), (0.0, 0.0)),
            Status::Stick => assert!(s == 0.0 && r <= law.sticking() * p + allowed),
            Status::Slip => {
                assert!((r - law.at(SPEED * s) * p).abs() <= 2.0 * allowed, "{k}: {r} {s}");
                // Dissipation.
                assert!(rx * sx + ry * sy < 0.0);
                // The residual bounds the angle between r and r − ρs: |r × s| ≤ ε|r − ρs|/ρ, and 1/ρ = K_self < 2/G.
                assert!((rx * sy - ry * sx).abs() <= 2.0 * allowed * (s + r * 2.0 / steel().shear_modulus()), "{k}");
            }
        }
    }
}

fn steady(contact: &Contact, law: &Coefficient) -> Steady {
    Steady::with_law(contact, law, SPEED, Settings::default()).expect("valid")
}

#[test]
fn a_constant_law_changes_nothing() {
    let contact = contact(22);
    let law = Coefficient::Constant(FRICTION);
    for (xi, eta, spin) in [(0.0017, 0.0, 0.0), (0.001, -0.002, 5e-4)] {
        let motion = Motion::creepage(xi, eta, spin);
        let constant = Steady::new(&contact, FRICTION, Settings::default()).expect("valid").solve(motion).expect("ok");
        let by_law = steady(&contact, &law).solve(motion).expect("ok");
        for k in 0..2 {
            assert!((constant.force[k] - by_law.force[k]).abs() < 2e-8 * constant.limit);
        }
        assert_eq!(constant.status, by_law.status);
    }
}

#[test]
fn full_slip_transmits_the_kinetic_coefficient() {
    // Held at 0.2 from 1e-4 of the rolling speed on; where all slips are faster the force is 0.2 P exactly, in line contact
    // and in an ellipse.
    let law = Coefficient::Table(Curve::held(&[(0.0, 0.3), (1e-4 * SPEED, 0.2)]).expect("sorted"));
    for contact in [line(1.1 * LINE_A, 60), contact(22)] {
        let solution = steady(&contact, &law).solve(Motion::creepage(0.02, 0.0, 0.0)).expect("solves");
        assert_eq!(solution.count(Status::Stick), 0);
        // Sums of tractions, each to 1e-8 of the greatest; an ellipse turns a little of them aside.
        let aside = if contact.grid().is_plane() { 1e-7 } else { 2e-4 };
        assert!(
            (-solution.force[0] / (0.2 * contact.load) - 1.0).abs() < aside,
            "{}",
            solution.force[0] / contact.load
        );
        obeys(&solution, contact.pressure(), &law);
    }
}

#[test]
fn a_falling_law_holds_at_every_element() {
    let contact = contact(22);
    let mut rolling = steady(&contact, &FALLING);
    let mut last = 0.0;
    for (xi, eta, spin) in
        [(0.001, 0.0, 0.0), (0.0017, 0.0, 0.0), (0.001, 0.001, 2e-4), (0.0, 0.0, 1e-3), (0.05, 0.0, 0.0)]
    {
        let motion = Motion::creepage(xi, eta, spin);
        let solution = rolling.solve(motion).expect("solves");
        obeys(&solution, contact.pressure(), &FALLING);
        // Between the constant coefficients.
        let with = |mu| Steady::new(&contact, mu, Settings::default()).expect("valid").solve(motion).expect("solves");
        let (low, high) = (with(0.2).force, with(0.3).force);
        let size = |f: [f64; 2]| f[0].hypot(f[1]);
        let own = size(solution.force);
        assert!(own > size(low) && own < size(high), "{own} {low:?} {high:?}");
        last = own;
    }
    // Far beyond saturation: nearly kinetic, less than at the peak.
    assert!(last / contact.load < 0.22, "{}", last / contact.load);
}

#[test]
fn a_curve_followed_is_the_curve_solved() {
    let contact = contact(16);
    let motions: Vec<Motion> = (1..12).map(|k| Motion::creepage(4e-4 * f64::from(k), 0.0, 0.0)).collect();
    let followed = steady(&contact, &FALLING).curve(&motions).expect("solves");
    for (motion, solution) in motions.iter().zip(&followed) {
        obeys(solution, contact.pressure(), &FALLING);
        let alone = steady(&contact, &FALLING).solve(*motion).expect("solves");
        assert!((alone.force[0] - solution.force[0]).abs() < 1e-6 * solution.limit, "{motion:?}");
    }
}

#[test]
fn steps_lead_to_steady_rolling() {
    let contact = contact(16);
    let motion = Motion::creepage(0.0017, 0.0, 0.0);
    let mut rolling = Transient::with_law(&contact, &FALLING, SPEED, Settings::default()).expect("valid");
    let mut last = rolling.step(motion).expect("solves");
    obeys(&last, contact.pressure(), &FALLING);
    for _ in 0..160 {
        last = rolling.step(motion).expect("solves");
    }
    obeys(&last, contact.pressure(), &FALLING);
    let wanted = steady(&contact, &FALLING).solve(motion).expect("solves");
    assert!((last.force[0] - wanted.force[0]).abs() < 1e-6 * wanted.limit, "{} {}", last.force[0], wanted.force[0]);
    // A shift takes no time.
    let shift = Motion::creepage(1e-3, 0.0, 0.0);
    let law = Transient::with_law(&contact, &FALLING, SPEED, Settings::default()).expect("valid").shift(shift);
    let constant = Transient::new(&contact, 0.3, Settings::default()).expect("valid").shift(shift);
    assert_eq!(law.expect("solves").force, constant.expect("solves").force);
}

#[test]
fn what_does_not_settle_is_an_error() {
    let contact = contact(16);
    // A jump: elements at the edge of stick have no slip that fits.
    let jump = Coefficient::StaticKinetic { sticking: 0.3, slipping: 0.05 };
    match steady(&contact, &jump).solve(Motion::creepage(0.0017, 0.0, 0.0)) {
        Err(Error::NoConvergence { residual, .. }) => assert!(residual > 1e-3, "{residual}"),
        other => panic!("{other:?}"),
    }
    for speed in [0.0, -1.0, f64::NAN] {
        assert!(Steady::with_law(&contact, &FALLING, speed, Settings::default()).is_err());
    }
    let bad = Coefficient::Stribeck { sticking: 0.3, slipping: -0.2, speed: 1.0, exponent: 1.0 };
    assert!(matches!(Steady::with_law(&contact, &bad, 1.0, Settings::default()), Err(Error::Law(_))));
}
