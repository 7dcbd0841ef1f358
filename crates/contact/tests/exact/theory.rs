//! The exact theory behind the interface of the fast ones.

use stickslip_contact::chart::{Chart, Sweep};
use stickslip_contact::hertz::Radii;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Creepage, Forces, Friction, Patch};
use stickslip_contact::tangential::{Motion, Transport};
use stickslip_contact::theory::{Exact, Linear, Theory, TheoryError};

use crate::case::steady;

const N: usize = 22;

fn patch(friction: Friction) -> Patch {
    let (steel, body) = (Material::from_young(210e9, 0.3).expect("valid"), Radii { x: 0.46, y: 0.30 });
    Patch::hertz(body, body, steel, 42e3, friction).expect("valid")
}

fn constant() -> Patch {
    patch(Friction::constant(0.3).expect("valid"))
}

/// The same problem in N and mm, solved by `Steady`. The tests' half-axes are printed to six digits, so grids differ by
/// 1e-6 of their size, and forces by about as much.
#[test]
fn equals_the_solver() {
    let mut exact = Exact::new(N).expect("valid");
    let mut solver = steady(N, Transport::default());
    for (xi, eta, phi) in [(0.0017, 0.0, 0.0), (-0.001, 0.002, 0.0), (0.001, 0.001, 0.2), (0.0, 0.0, 1.0)] {
        let found = exact.forces(&constant(), Creepage { xi, eta, phi }).expect("solves");
        let wanted = solver.solve(Motion::creepage(xi, eta, 1e-3 * phi)).expect("solves");
        for (found, wanted, scale) in [
            (found.fx, wanted.force[0], 12_600.0),
            (found.fy, wanted.force[1], 12_600.0),
            (1e3 * found.mz.expect("known"), wanted.moment, 12_600.0 * 3.7),
        ] {
            assert!((found - wanted).abs() < 1e-5 * scale, "{xi} {eta} {phi}: {found} {wanted}");
        }
        // Edge elements may change their state with the sixth digit of the half-axes.
        assert!((found.stick.expect("known") - wanted.stick_share).abs() <= 4.0 / (0.65 * (N * N) as f64));
    }
}

/// Over a chart it follows from point to point and gives what it gives from nothing; small creepages are the linear theory's.
#[test]
fn a_chart_has_it_beside_the_others() {
    let (mut exact, mut linear) = (Exact::new(N).expect("valid"), Linear);
    let parameters = Chart::range(0.004, 8);
    let chart = Chart::new(&mut [&mut exact, &mut linear], &constant(), Sweep::Lateral, &parameters);
    assert_eq!(chart.theories, ["exact", "linear"]);
    for row in &chart.rows {
        let alone = Exact::new(N).expect("valid").forces(&constant(), row.creepage).expect("solves");
        let followed = row.forces[0].as_ref().expect("solves");
        // Two solutions to the residual of 1e-8.
        assert!((alone.fy - followed.fy).abs() < 1e-6 * 12_600.0 && followed.magnitude() <= 12_600.0 * (1.0 + 1e-9));
    }
    assert_eq!(chart.rows[0].forces[0], Ok(Forces { fx: 0.0, fy: 0.0, mz: Some(0.0), stick: Some(1.0) }));
    // The grid's error of stiffness is about 1/n; the linear table has 1 %.
    let tiny = Creepage::lateral(1e-6);
    let ratio =
        exact.forces(&constant(), tiny).expect("solves").fy / linear.forces(&constant(), tiny).expect("valid").fy;
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
}

/// Falling friction: full slip at a large creepage has the friction of that creepage.
#[test]
fn friction_may_fall() {
    let falling = patch(Friction::falling(0.3, 0.4, 1.0, 20.0).expect("valid"));
    let creepage = Creepage::longitudinal(0.05);
    let mu = falling.friction().at(creepage);
    assert!(mu < 0.2);
    let force = Exact::new(N).expect("valid").forces(&falling, creepage).expect("solves");
    assert!((force.fx / (-mu * 42e3) - 1.0).abs() < 1e-3 && force.stick == Some(0.0), "{force:?}");
}

#[test]
fn what_it_cannot_do_is_an_error() {
    assert!(Exact::new(0).is_err() && Exact::new(5000).is_err());
    let mut exact = Exact::new(16).expect("valid");
    assert!(matches!(exact.forces(&constant(), Creepage::spin(100.0)), Err(TheoryError::Exact(_))));
    assert!(matches!(exact.forces(&constant(), Creepage::spin(f64::NAN)), Err(TheoryError::NotFinite(_))));
    // And it goes on afterwards.
    assert!(exact.forces(&constant(), Creepage::longitudinal(1e-3)).is_ok());
}
