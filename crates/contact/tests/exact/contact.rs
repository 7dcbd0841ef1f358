//! On equal grids, with first-order transport, the numbers of CONTACT.

use stickslip_contact::tangential::{Motion, Solution, Status, Transport};

use crate::case::{A, B, contact, number, steady, table};

/// (−F_x, −F_y, M_z/√(ab))/(μN).
fn totals(solution: &Solution) -> [f64; 3] {
    let [fx, fy] = solution.force;
    [-fx / solution.limit, -fy / solution.limit, solution.moment / (solution.limit * (A * B).sqrt())]
}

/// One creep-force file: 44² elements, forces to the bar of 1e-4 (they agree to 1e-6, CONTACT's own tolerance),
/// the stick share to 0.5 % of the elements.
fn follows(file: &str, motion: impl Fn(f64) -> Motion, worst: f64) {
    let mut steady = steady(44, Transport::First);
    for row in table(file) {
        let values: Vec<f64> = row.iter().map(|v| number(v)).collect();
        let solution = steady.follow(motion(values[0])).expect("solves");
        assert!(solution.residual <= 1e-8);
        for (ours, theirs) in totals(&solution).into_iter().zip(&values[1..4]) {
            assert!((ours - theirs).abs() < worst, "{file} {}: {ours} {theirs}", values[0]);
        }
        assert!((solution.stick_share - values[4]).abs() <= 0.005, "{file} {}: {}", values[0], solution.stick_share);
    }
}

#[test]
fn longitudinal_creep_curve() {
    follows("creep-longitudinal-42kn.csv", |xi| Motion::creepage(xi, 0.0, 0.0), 1e-5);
}

#[test]
fn lateral_creep_curve() {
    follows("creep-lateral-42kn.csv", |eta| Motion::creepage(0.0, eta, 0.0), 1e-5);
}

/// The file has spin per metre.
#[test]
fn spin_creep_curve() {
    follows("creep-spin-42kn.csv", |phi| Motion::creepage(0.0, 0.0, phi * 1e-3), 1e-5);
}

/// CONTACT on 22² to 110² elements, combined creepages included.
#[test]
fn grid_convergence() {
    for n in [22, 44, 66, 88, 110] {
        let mut steady = steady(n, Transport::First);
        let rows = table("creep-grid-convergence-42kn.csv");
        let rows = rows.iter().filter(|r| r[0] == "CONTACT" && number(&r[1]) == n as f64);
        let mut count = 0;
        for row in rows {
            let values: Vec<f64> = row[2..8].iter().map(|v| number(v)).collect();
            let solution = steady.solve(Motion::creepage(values[0], values[1], values[2])).expect("solves");
            for (ours, theirs) in totals(&solution).into_iter().zip(&values[3..]) {
                assert!((ours - theirs).abs() < 1e-5, "{n} {row:?}: {ours}");
            }
            count += 1;
        }
        assert_eq!(count, 7);
    }
}

/// Pressure, state and tractions of every element at lateral creepage 0, 0.3 and 1 %.
#[test]
fn status_maps() {
    let pressed = contact(44);
    for (name, eta) in [("0", 0.0), ("0.3", 0.003), ("1", 0.01)] {
        let solution = steady(44, Transport::First).solve(Motion::creepage(0.0, eta, 0.0)).expect("solves");
        let rows = table(&format!("status-map-sy{name}-percent.csv"));
        assert_eq!(rows.len(), solution.grid.len());
        let mut different = 0;
        for (k, row) in rows.iter().enumerate() {
            let (i, j) = solution.grid.at(k);
            // Coordinates are printed to 1e-5, pressures to six digits by a solver that stops at 1e-5.
            assert!((solution.grid.x(i) - number(&row[0])).abs() < 2e-5);
            assert!((solution.grid.y(j) - number(&row[1])).abs() < 2e-5);
            assert!(
                (pressed.pressure()[k] - number(&row[3])).abs() < 1e-4 * 1471.0,
                "{row:?} {}",
                pressed.pressure()[k]
            );
            let status = match solution.status[k] {
                Status::Exterior => "0",
                Status::Stick => "1",
                Status::Slip => "2",
            };
            different += usize::from(status != row[2]);
            for (ours, theirs) in [(solution.traction_x[k], &row[4]), (solution.traction_y[k], &row[5])] {
                // Signs of the file: forces on the other body.
                assert!((ours.abs() - number(theirs).abs()).abs() < 2e-4 * 441.0, "{row:?}: {ours}");
            }
        }
        assert!(different as f64 <= 0.005 * pressed.elements() as f64, "{name}: {different}");
    }
}
