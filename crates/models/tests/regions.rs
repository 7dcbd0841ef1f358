//! The nine regions divide the plane as their conditions say.

use proptest::prelude::*;
use stickslip_models::wheel::regions::{Bounds, DIRECTIONS, Window, direction_text, figure};
use stickslip_report::polygon::{area, clearance, contains};

/// The region of a point by the states of the step's solution, independent of the half-planes.
fn region_by_forces(bounds: &Bounds, [z1, z2]: [f64; 2]) -> usize {
    let Bounds { d1, d2, a_g, a_b } = *bounds;
    let f = (z1 / d1).clamp(-a_g, a_g);
    let g = (z2 / d2 - f).clamp(-a_b, a_b);
    let f = ((z1 + z2 - d2 * g) / (d1 + d2)).clamp(-a_g, a_g);
    let state = |force: f64, bound: f64| match force {
        _ if force >= bound => 1,
        _ if force <= -bound => -1,
        _ => 0,
    };
    let states = (state(f, a_g), state(g, a_b));
    DIRECTIONS.iter().position(|&d| d == states).unwrap_or(9)
}

/// The region of a point by the table of conditions, written out once more.
fn region_by_table(bounds: &Bounds, [z1, z2]: [f64; 2]) -> Vec<usize> {
    let Bounds { d1, d2, a_g, a_b } = *bounds;
    let (p, r, s) = (z1 / d1, z2 / d2, z1 + z2);
    (0..9)
        .filter(|&k| {
            let (e, b) = DIRECTIONS[k];
            let (e, b) = (f64::from(e), f64::from(b));
            match (e != 0.0, b != 0.0) {
                (false, false) => p.abs() <= a_g && (r - p).abs() <= a_b,
                (true, false) => e * p > a_g && (r - e * a_g).abs() <= a_b,
                (false, true) => b * (r - p) > a_b && (s - b * d2 * a_b).abs() <= (d1 + d2) * a_g,
                (true, true) => e * (s - b * d2 * a_b) > (d1 + d2) * a_g && b * (r - e * a_g) > a_b,
            }
        })
        .collect()
}

fn bounds() -> impl Strategy<Value = Bounds> {
    let positive = || (-3.0..3.0f64).prop_map(|power| 10f64.powf(power));
    (positive(), positive(), positive(), positive()).prop_map(|(d1, d2, a_g, a_b)| Bounds { d1, d2, a_g, a_b })
}

fn window_of(bounds: &Bounds, scale: f64) -> Window {
    let [right, top] = bounds.corners()[0];
    Window { z1: [-scale * right, 0.7 * scale * right], z2: [-0.8 * scale * top, scale * top] }
}

proptest! {
    #[test]
    fn areas_sum_to_the_window(bounds in bounds(), scale in 0.3..30.0f64) {
        let window = window_of(&bounds, scale);
        let whole = (window.z1[1] - window.z1[0]) * (window.z2[1] - window.z2[0]);
        let parts: f64 = bounds.polygons(window).iter().map(|polygon| area(polygon)).sum();
        prop_assert!((parts / whole - 1.0).abs() < 1e-9, "{parts} {whole}");
    }

    #[test]
    fn points_lie_in_the_polygon_of_their_region(
        bounds in bounds(),
        scale in 1.0..10.0f64,
        u in 0.001..0.999f64,
        v in 0.001..0.999f64,
    ) {
        let window = window_of(&bounds, scale);
        let z = [
            window.z1[0] + u * (window.z1[1] - window.z1[0]),
            window.z2[0] + v * (window.z2[1] - window.z2[0]),
        ];
        let named = region_by_table(&bounds, z);
        let polygons = bounds.polygons(window);
        let size = (window.z1[1] - window.z1[0]).min(window.z2[1] - window.z2[0]);
        // On a boundary round-off may decide either way.
        prop_assume!(polygons.iter().all(|polygon| clearance(polygon, z) > 1e-9 * size));
        prop_assert_eq!(&named, &vec![region_by_forces(&bounds, z)]);
        for (region, polygon) in polygons.iter().enumerate() {
            prop_assert_eq!(contains(polygon, z), named == [region], "{}", region);
        }
    }

    #[test]
    fn polygons_are_convex(bounds in bounds(), scale in 0.3..30.0f64) {
        for polygon in bounds.polygons(window_of(&bounds, scale)) {
            let n = polygon.len();
            prop_assert!(n == 0 || n >= 3);
            let extent = |k: usize| {
                let values = polygon.iter().map(|corner| corner[k].abs());
                values.fold(0.0, f64::max)
            };
            let slack = 1e-9 * extent(0) * extent(1);
            for i in 0..n {
                let [a, b, c] = [0, 1, 2].map(|k| polygon[(i + k) % n]);
                let turn = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
                prop_assert!(turn >= -slack, "{turn} {slack}");
            }
        }
    }
}

#[test]
fn the_corners_are_those_of_the_parallelogram() {
    let bounds = Bounds { d1: 1e-3 / 400.0, d2: 1e-3 * 0.09 / 1.2, a_g: 3139.2, a_b: 6278.4 };
    let window = Window { z1: [-10.0, 10.0], z2: [-10.0, 10.0] };
    let polygons = bounds.polygons(window);
    assert_eq!(polygons[0].len(), 4);
    for corner in bounds.corners() {
        let near = |p: &[f64; 2]| (p[0] - corner[0]).abs() + (p[1] - corner[1]).abs() < 1e-12;
        assert!(polygons[0].iter().any(near), "{corner:?}");
        // Region 0 and the three others that meet in each of its corners.
        let meeting = polygons.iter().filter(|polygon| polygon.iter().any(near)).count();
        assert_eq!(meeting, 4, "{corner:?}");
    }
    let expected = 4.0 * bounds.d1 * bounds.d2 * bounds.a_g * bounds.a_b;
    assert!((area(&polygons[0]) / expected - 1.0).abs() < 1e-12);
}

#[test]
fn a_released_brake_leaves_no_room_for_its_sticking() {
    let bounds = Bounds { d1: 1.0, d2: 2.0, a_g: 1.0, a_b: 0.0 };
    let window = Window { z1: [-5.0, 5.0], z2: [-5.0, 5.0] };
    let polygons = bounds.polygons(window);
    for (region, polygon) in polygons.iter().enumerate() {
        let sticks = DIRECTIONS[region].1 == 0;
        assert_eq!(area(polygon) < 1e-12, sticks, "{region}");
    }
    // The picture of it renders too, also without a trajectory or a ground.
    assert!(figure(&bounds, &[], "").to_svg().ends_with("</svg>\n"));
    let nothing = Bounds { a_g: 0.0, ..bounds };
    assert!(figure(&nothing, &[], "").to_svg().ends_with("</svg>\n"));
}

#[test]
fn directions_are_written_with_typographic_signs() {
    assert_eq!(direction_text(8), "(+, −)");
    assert_eq!(direction_text(0), "(0, 0)");
}
