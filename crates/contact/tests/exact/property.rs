//! What holds for every motion.

use proptest::prelude::*;
use stickslip_contact::error::Error;
use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::Contact;
use stickslip_contact::tangential::{Motion, Settings, Solution, Status, Steady, Transport};

use crate::case::{FRICTION, contact};

/// Residual, bounds, exact zeros, slip against traction, no NaN.
fn lawful(solution: &Solution, pressure: &[f64]) {
    assert!(solution.residual <= 1e-8);
    let mut power = 0.0;
    for (k, pressed) in pressure.iter().enumerate() {
        let (rx, ry) = (solution.traction_x[k], solution.traction_y[k]);
        let (sx, sy) = (solution.slip_x[k], solution.slip_y[k]);
        let bound = FRICTION * pressed;
        assert!(rx.hypot(ry) <= bound * (1.0 + 1e-14));
        assert!(sx.is_finite() && sy.is_finite());
        match solution.status[k] {
            Status::Exterior => assert_eq!((rx, ry, sx, sy, *pressed), (0.0, 0.0, 0.0, 0.0, 0.0)),
            Status::Stick => assert_eq!((sx, sy), (0.0, 0.0)),
            Status::Slip => {
                assert!(sx != 0.0 || sy != 0.0);
                // Sliding at the bound, up to the residual.
                power += rx * sx + ry * sy;
            }
        }
    }
    assert!(power <= 0.0, "friction gives power: {power}");
    assert!(solution.force[0].hypot(solution.force[1]) <= solution.limit * (1.0 + 1e-12));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random motions over seven decades: lawful; reversed motions reverse the forces; mirrored ones mirror them.
    #[test]
    fn random_motions(
        direction in 0.0..std::f64::consts::TAU,
        exponent in -7.0..-0.5_f64,
        turn in -1.0..1.0_f64,
        second in any::<bool>(),
    ) {
        let contact = contact(18);
        let transport = if second { Transport::Second } else { Transport::First };
        let mut steady = Steady::new(&contact, FRICTION, Settings { transport, ..Settings::default() }).expect("valid");
        let size = 10f64.powf(exponent);
        let (xi, eta) = (size * direction.cos(), size * direction.sin());
        // Spin up to 5 per metre: past full slip.
        let spin = turn * (0.3 * size).min(5e-3);
        let solution = steady.solve(Motion::creepage(xi, eta, spin)).expect("solves");
        lawful(&solution, contact.pressure());
        let reversed = steady.solve(Motion::creepage(-xi, -eta, -spin)).expect("solves");
        let mirrored = steady.solve(Motion::creepage(xi, -eta, -spin)).expect("solves");
        // Residuals of 1e-8 leave the forces right to some 1e-7.
        let force = solution.force[0].hypot(solution.force[1]);
        for k in 0..2 {
            prop_assert!((solution.force[k] + reversed.force[k]).abs() < 1e-6 * force);
        }
        prop_assert!((solution.force[0] - mirrored.force[0]).abs() < 1e-6 * force);
        prop_assert!((solution.force[1] + mirrored.force[1]).abs() < 1e-6 * force);
    }
}

/// Random contacts and motions, forces prescribed in half of them. More of them, a minute for 3000:
/// `STICKSLIP_CASES=3000 cargo test --release -p stickslip-contact --test exact many_contacts`.
#[test]
fn many_contacts() {
    campaign(cases(60), [4.0, 1.0], 26.0);
}

/// The same on grids of 100 to 170 elements along each side, which are iterated at another pace. More of them, some minutes for 60:
/// `STICKSLIP_CASES=60 cargo test --release -p stickslip-contact --test exact many_fine_contacts`.
#[test]
fn many_fine_contacts() {
    campaign(cases(2), [100.0, 100.0], 70.0);
}

/// How many cases a campaign has: what the environment says, or `usual`.
fn cases(usual: usize) -> usize {
    let asked = std::env::var("STICKSLIP_CASES").ok();
    asked.map_or(usual, |text| text.parse().expect("STICKSLIP_CASES is a whole number"))
}

/// Random contacts and motions on grids of `least` to `least + more` elements along x and y.
fn campaign(cases: usize, least: [f64; 2], more: f64) {
    // A small congruential generator: the same cases every time.
    let mut state = 0x5EED_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut most, mut refused) = (0, 0);
    for case in 0..cases {
        let (nx, ny) = ((least[0] + random() * more) as usize, (least[1] + random() * more) as usize);
        let a = 10f64.powf(random() - 0.5);
        let nu = 0.5 * random();
        let grid = Grid::centred(nx, ny, a, 1.0 / a).expect("valid");
        let pressure: Vec<f64> = (0..grid.len())
            .map(|k| {
                let (i, j) = grid.at(k);
                (1.0 - (grid.x(i) / a).powi(2) - (grid.y(j) * a).powi(2)).max(0.0).sqrt()
            })
            .collect();
        let material = Material::new(1e3, nu).expect("valid");
        let contact = Contact::from_pressure(grid, material, pressure).expect("valid");
        let transport = if random() < 0.5 { Transport::First } else { Transport::Second };
        let mut steady = Steady::new(&contact, FRICTION, Settings { transport, ..Settings::default() }).expect("valid");
        let size = 10f64.powf(-7.0 + 6.5 * random());
        let (direction, spin) = (random() * std::f64::consts::TAU, (random() - 0.5) * size.min(3e-4));
        let motion = if random() < 0.5 {
            Motion::creepage(size * direction.cos(), size * direction.sin(), spin)
        } else {
            let force = FRICTION * contact.load * (1.0 - random().powi(2)) * 0.999;
            Motion::force(force * direction.cos(), force * direction.sin(), spin)
        };
        match steady.solve(motion) {
            Ok(solution) => {
                lawful(&solution, contact.pressure());
                most = most.max(solution.iterations);
            }
            // A prescribed force that no creepage gives beside so much spin.
            Err(Error::Spin { .. }) => refused += 1,
            Err(error) => panic!("case {case}, {nx} × {ny}, a = {a}, {transport:?}, {motion:?}: {error}"),
        }
    }
    assert!(most < 2000, "{most} iterations");
    assert!(refused <= 1 + cases / 20, "{refused} of {cases} are refused for their spin");
}

/// Zero, tiny, huge creepages; spin alone, small and large.
#[test]
fn extremes() {
    let contact = contact(22);
    for transport in [Transport::First, Transport::Second] {
        let mut steady = Steady::new(&contact, FRICTION, Settings { transport, ..Settings::default() }).expect("valid");
        let nothing = steady.solve(Motion::creepage(0.0, 0.0, 0.0)).expect("solves");
        assert_eq!((nothing.force, nothing.moment, nothing.residual), ([0.0; 2], 0.0, 0.0));
        assert_eq!(nothing.stick_share, 1.0);
        for (xi, eta, spin) in [
            (1e-12, 0.0, 0.0),
            (1e-300, 0.0, 0.0),
            (1.0, 0.0, 0.0),
            (0.0, 100.0, 0.0),
            (1e9, 0.0, 0.0),
            (0.0, 0.0, 1e-9),
            (0.0, 0.0, 5e-3),
            (1e-3, 0.0, 5e-3),
        ] {
            let solution = steady.solve(Motion::creepage(xi, eta, spin)).expect("solves");
            lawful(&solution, contact.pressure());
        }
        // So large that squares overflow: refused or right, never a guess.
        if let Ok(solution) = steady.solve(Motion::creepage(1e200, 0.0, 0.0)) {
            assert!((solution.force[0] / solution.limit + 1.0).abs() < 1e-6);
        }
        let slid = steady.solve(Motion::creepage(0.1, 0.0, 0.0)).expect("solves");
        assert_eq!(slid.stick_share, 0.0);
        assert!((slid.force[0] / slid.limit + 1.0).abs() < 1e-5);
    }
}

/// One element, one row, one column.
#[test]
fn smallest_contacts() {
    for (nx, ny) in [(1, 1), (2, 1), (1, 3), (3, 1)] {
        let grid = Grid::centred(nx, ny, 1.0, 1.0).expect("valid");
        let pressure = vec![1.0; nx * ny];
        let contact = Contact::from_pressure(grid, Material::new(1e3, 0.3).expect("valid"), pressure).expect("valid");
        for transport in [Transport::First, Transport::Second] {
            let settings = Settings { transport, ..Settings::default() };
            let mut steady = Steady::new(&contact, FRICTION, settings).expect("valid");
            for xi in [1e-7, 1e-4, 1e-1] {
                lawful(&steady.solve(Motion::creepage(xi, 0.0, 0.0)).expect("solves"), contact.pressure());
            }
            let force = -0.5 * FRICTION * contact.load;
            let solution = steady.solve(Motion::force(force, 0.0, 0.0)).expect("solves");
            assert!((solution.force[0] / force - 1.0).abs() < 1e-9);
        }
    }
}

/// The way to a solution does not matter, nor does what was solved before: from nothing bit by bit the same.
#[test]
fn same_input_same_bits() {
    let contact = contact(22);
    let motion = Motion::creepage(1e-3, -5e-4, 2e-4);
    let mut steady = Steady::new(&contact, FRICTION, Settings::default()).expect("valid");
    let first = steady.solve(motion).expect("solves");
    let followed = steady.curve(&[Motion::creepage(5e-4, 0.0, 0.0), Motion::creepage(8e-4, 0.0, 1e-4), motion]);
    let followed = followed.expect("solves").pop().expect("three");
    let again = steady.solve(motion).expect("solves");
    assert_eq!(first, again);
    assert!((first.force[0] - followed.force[0]).abs() < 1e-6 * first.limit);
    assert_eq!(first.status, followed.status);
}

/// Ten times the iterations allocate nothing more: only results are allocated.
#[test]
fn iterations_do_not_allocate() {
    let contact = contact(22);
    let count = |tolerance: f64| {
        let mut steady = Steady::new(&contact, FRICTION, Settings { tolerance, ..Settings::default() }).expect("valid");
        let mut iterations = 0;
        let info = allocation_counter::measure(|| {
            iterations = steady.solve(Motion::creepage(1e-3, -5e-4, 2e-4)).expect("solves").iterations;
        });
        (info.count_total, iterations)
    };
    let (few, short) = count(1e-2);
    let (many, long) = count(1e-10);
    assert!(long > 2 * short, "{short} {long}");
    assert_eq!(few, many);
}
