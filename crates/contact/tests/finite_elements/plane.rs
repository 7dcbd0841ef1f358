//! Equal discs: Hertz, Carter, and the numbers of an independent code on the same meshes.

use stickslip_contact::finite_elements::{Pressing, Transport, Way};
use stickslip_contact::patch::Creepage;
use stickslip_core::inclusion::monotone::Limits;

use crate::{ALL, by, condensed, discs, least_eigenvalue, number, obeys, table, used};

/// Half-width and greatest pressure by Hertz.
const A: f64 = 4.41007e-3;
const P0: f64 = 1017.71e6;
/// Q/μP at ξ = 0.0017 by Carter.
const CARTER: f64 = 0.539277;

#[test]
fn hertz_and_carter_on_the_default_mesh() {
    let contact = discs(41);
    assert_eq!(contact.bodies().expect("meshes").first.mesh.nodes.len() * 2, 8140);
    let pair = condensed(&contact);
    for (transport, bar) in [(Transport::Edge, 0.005), (Transport::Second, 0.01), (Transport::First, 0.02)] {
        let rolled = by(&contact, transport).roll(&pair, Creepage::longitudinal(0.0017), None).expect("rolls");
        let fitted = rolled.fitted.expect("a fit");
        assert!((fitted.a / A - 1.0).abs() < 0.005 && (fitted.p0 / P0 - 1.0).abs() < 0.005, "{fitted:?}");
        assert!((used(&rolled) / CARTER - 1.0).abs() < bar, "{transport:?}: {}", used(&rolled));
        assert!((rolled.normal.load / 7.05e6 - 1.0).abs() < 1e-12);
        obeys(&pair, &rolled);
    }
    let slips = by(&contact, Transport::Edge).roll(&pair, Creepage::longitudinal(0.0055), None).expect("rolls");
    assert!(slips.stick_share() == 0.0 && (used(&slips) - 1.0).abs() < 1e-9);
}

/// First order: its error halves with the elements.
#[test]
fn first_order_error_halves() {
    for (n, error) in [(21, 2.06), (41, 1.06), (81, 0.55)] {
        let contact = discs(n);
        let rolled = by(&contact, Transport::First)
            .roll(&condensed(&contact), Creepage::longitudinal(0.0017), None)
            .expect("rolls");
        let found = 100.0 * (used(&rolled) / CARTER - 1.0);
        assert!((found - error).abs() < 0.1, "n = {n}: {found} %");
    }
}

#[test]
fn curve_of_an_independent_code() {
    let contact = discs(41);
    let pair = condensed(&contact);
    let rows = table("carter-fe-curve.csv");
    assert!(rows.len() > 8);
    for row in rows {
        let xi = number(&row[0]);
        for (transport, column, stick) in [(Transport::First, 1, 6), (Transport::Second, 2, 7)] {
            let rolled = by(&contact, transport).roll(&pair, Creepage::longitudinal(xi), None).expect("rolls");
            let wanted = number(&row[column]);
            // Its meshes and ours are the same; what is left is the digits it was written with.
            assert!((used(&rolled) - wanted).abs() < 2e-4, "{xi} {transport:?}: {} for {wanted}", used(&rolled));
            assert!((rolled.stick_share() - number(&row[stick])).abs() < 1.5 / 41.0, "{xi} {transport:?}");
        }
    }
}

/// The row of the leading edge makes the force independent of where the edge falls between nodes.
#[test]
fn edge_anywhere() {
    for n in 40..=45 {
        let contact = discs(n);
        let pair = condensed(&contact);
        for (xi, exact) in [(0.0005, 0.180035), (0.0017, CARTER), (0.0035, 0.885335)] {
            let rolled = by(&contact, Transport::Edge).roll(&pair, Creepage::longitudinal(xi), None).expect("rolls");
            let off = used(&rolled) / exact - 1.0;
            assert!(off.abs() < 0.005, "n = {n}, ξ = {xi}: {:.3} %", 100.0 * off);
        }
    }
    // Beside the numbers of another code, where its meshes are ours: whole and odd n.
    for row in
        table("carter-fe-edge.csv").iter().filter(|row| ["11", "21", "31", "41", "81"].contains(&row[0].as_str()))
    {
        let contact = discs(row[0].parse().expect("whole"));
        let pair = condensed(&contact);
        let xi = number(&row[1]);
        let exact = 1.0 - (1.0 - xi / 0.0052921).powi(2);
        for (transport, column) in [(Transport::First, 2), (Transport::Second, 3)] {
            let rolled = by(&contact, transport).roll(&pair, Creepage::longitudinal(xi), None).expect("rolls");
            let off = 100.0 * (used(&rolled) / exact - 1.0);
            assert!((off - number(&row[column])).abs() < 0.05, "{row:?} {transport:?}: {off}");
        }
    }
}

#[test]
fn first_order_and_edge_are_monotone() {
    for n in [21, 41] {
        let contact = discs(n);
        let pair = condensed(&contact);
        let of = |transport| least_eigenvalue(&pair, &by(&contact, transport));
        let wanted = if n == 21 { 0.0543 } else { 0.0279 };
        assert!((of(Transport::First) - wanted).abs() < 0.002, "{}", of(Transport::First));
        assert!(of(Transport::Edge) > 0.5 * wanted);
        // Second order is monotone but for a ten-thousandth.
        assert!(of(Transport::Second) > -1e-3);
    }
}

/// All solvers have one solution; the fixed point does not get there on fine meshes.
#[test]
fn solvers_agree_but_for_the_fixed_point() {
    for (n, fixed) in [(21, true), (81, false)] {
        let contact = discs(n);
        let pair = condensed(&contact);
        for transport in ALL {
            let rolling = by(&contact, transport);
            let creepage = Creepage::longitudinal(0.0017);
            let both = rolling.roll(&pair, creepage, None).expect("rolls");
            for way in [Way::Splitting, Way::Newton] {
                let other = stickslip_contact::finite_elements::Rolling { way, ..rolling };
                let other = other.roll(&pair, creepage, None).expect("rolls");
                assert!((used(&other) - used(&both)).abs() < 1e-8, "{n} {transport:?} {way:?}");
                obeys(&pair, &other);
            }
        }
        let limits = Limits { tolerance: 1e-6, iterations: 4000 };
        let steps = [0.03, 0.1, 0.3, 0.6, 1.0, 1.5];
        let reached = steps.iter().any(|step| {
            let way = Way::FixedPoint(*step);
            let rolling = stickslip_contact::finite_elements::Rolling { way, limits, ..by(&contact, Transport::First) };
            rolling.roll(&pair, Creepage::longitudinal(0.0017), None).is_ok()
        });
        assert_eq!(reached, fixed, "n = {n}");
    }
}

/// Load and approach are two views of one contact.
#[test]
fn approach_gives_the_load_back() {
    let contact = discs(21);
    let pair = condensed(&contact);
    let by_load = pair.press(Pressing::Load(7.05e6), None, &[]).expect("presses");
    let by_approach = pair.press(Pressing::Approach(by_load.approach), None, &[]).expect("presses");
    assert!((by_approach.load / 7.05e6 - 1.0).abs() < 1e-10);
    // The approach of both discs with a hub of 0.3 R.
    assert!((by_load.approach - 0.2065e-3).abs() < 0.001e-3, "{}", by_load.approach);
}

/// The other way round: creepage and force with the other sign, stick at the same nodes.
#[test]
fn creepage_mirrored() {
    let contact = discs(41);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::Edge);
    let one = rolling.roll(&pair, Creepage::longitudinal(0.0017), None).expect("rolls");
    let other = rolling.roll(&pair, Creepage::longitudinal(-0.0017), None).expect("rolls");
    assert!((one.force[0] + other.force[0]).abs() < 1e-9 * one.normal.load);
    assert_eq!(one.stick, other.stick);
}

/// A force and the creepage it takes belong together.
#[test]
fn force_and_creepage() {
    let contact = discs(41);
    let pair = condensed(&contact);
    let rolling = by(&contact, Transport::Edge);
    let one = rolling.roll(&pair, Creepage::longitudinal(0.0017), None).expect("rolls");
    let found = rolling.with_force(&pair, Creepage::default(), 0, one.force[0]).expect("rolls");
    assert!((found.creepage.xi - 0.0017).abs() < 1e-11, "{}", found.creepage.xi);
    assert!(rolling.with_force(&pair, Creepage::default(), 0, -0.301 * 7.05e6).is_err());
}

/// The general solver of the library on condensed operators: what it is asked of elsewhere holds here.
#[test]
fn the_general_solver_agrees() {
    use stickslip_core::inclusion::{Problem, Settings, solve};
    use stickslip_core::law::{Interval, Law, Product};
    for (n, transport) in [(15, Transport::First), (15, Transport::Edge), (21, Transport::Second)] {
        let contact = discs(n);
        let pair = condensed(&contact);
        let rolling = by(&contact, transport);
        let rolled = rolling.roll(&pair, Creepage::longitudinal(0.0017), None).expect("rolls");
        let k = rolling.operator(&pair, &rolled.normal);
        let bounds = rolled.normal.force.iter().filter(|f| **f > 0.0);
        let laws = bounds.map(|f| Law::Interval(Interval::symmetric(crate::FRICTION * f).expect("≥ 0")));
        let c = Product::new(laws.collect());
        let b = vec![0.0017; k.rows()];
        let problem = Problem { w: &k, b: &b, c: &c };
        let general = solve(&problem, &vec![0.0; k.rows()], &Settings::default()).expect("solves");
        let force: f64 = general.r.iter().sum();
        assert!((force / rolled.force[0] - 1.0).abs() < 1e-9, "{n} {transport:?}");
        assert!(general.residual.relative <= 1e-12);
    }
}
