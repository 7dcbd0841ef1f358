//! The contacts at a fixed Q are the star of the core: vehicles whose loads cannot move.

#![allow(clippy::unwrap_used, reason = "tests")]

use stickslip_core::inclusion::Star;
use stickslip_core::inclusion::star::{Answer, Load};
use stickslip_loads::transfer::{Axle, Axles, Contact, Problem, Select, Wheel, Workspace};

/// Numbers that look random.
fn dice(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn with_the_loads_of_the_solution_the_star_has_the_same_motion() {
    let mut seed = 7;
    let mut resting = 0;
    for case in 0..2000 {
        let mut between = |low: f64, high: f64| low + (high - low) * dice(&mut seed);
        let axle = |place, radius| Axle { place, stiffness: 1.0, radius };
        let radius = between(0.2, 0.4);
        let axles = Axles::new(between(0.4, 0.7), 9810.0, &[axle(1.2, radius), axle(-1.3, radius)]).unwrap();
        let h = 1e-3;
        let still = case % 3 == 0;
        let wheels = [0, 1].map(|_| Wheel {
            inertia: between(5.0, 30.0) / h,
            free: if still { between(-0.1, 0.1) } else { between(-20.0, 20.0) },
            friction: between(0.1, 1.2),
            brake_bound: between(0.0, 2e4),
            motor: 0.0,
            ground: Contact::Undecided,
            brake: Contact::Undecided,
        });
        let free = if still { between(-2e-3, 2e-3) } else { between(-20.0, 20.0) };
        let problem = Problem {
            axles: &axles,
            mass: 1000.0 / h,
            free,
            resistance_bound: 100.0,
            resistance_arm: 0.2,
            resistance: Contact::Undecided,
            wheels: &wheels,
        };
        let mut workspace = Workspace::new(2);
        let bound = axles.uniqueness_bound(&wheels.map(|wheel| wheel.friction));
        workspace.solve(&problem, bound, Select::Nearest);
        let found = &workspace.forces;
        let mut answer = Answer::new(2);
        Star::new(1.0 / problem.mass, wheels.iter().map(|wheel| 1.0 / wheel.inertia).collect()).solve(
            Load {
                z0: free,
                a_0: 100.0,
                z: &wheels.map(|wheel| wheel.free),
                a_g: &[0, 1].map(|i| wheels[i].friction * found.loads[i]),
                a_b: &wheels.map(|wheel| wheel.brake_bound),
            },
            &mut answer,
        );
        let speed = 1e-12 * (free.abs() + wheels[0].free.abs() + wheels[1].free.abs() + 1.0);
        assert!((answer.y1 - found.y1).abs() < speed, "{case}: {} {}", answer.y1, found.y1);
        assert!((0..2).all(|i| (answer.v[i] - found.v[i]).abs() < 10.0 * speed), "{case}");
        assert_eq!(answer.y1 == 0.0, found.y1 == 0.0, "{case}");
        let arm = axles.height() - radius;
        let moment = |i: usize| arm * found.ground[i] - radius * found.brake[i];
        let [(low, _), (high, _)] = axles.range();
        let q = (moment(0) + moment(1) + 0.2 * found.resistance).clamp(low, high);
        assert!((q - found.q).abs() < 1e-6, "{case}: {q} {}", found.q);
        resting += u32::from(found.y1 == 0.0);
    }
    assert!(resting > 100 && resting < 1900, "{resting}");
}
