//! The nine regions of a driven and braked wheel in the plane (z1, z2) of one implicit Euler step.
//!
//! z is the velocity after a step without friction, d1 = h/m and d2 = h/J the mobilities of the step
//! (s/kg), a_G and a_B the largest forces of ground and brake (N). Where z lies decides what the two
//! contacts do; with p = z1/d1, r = z2/d2, s = z1 + z2 and e, b = ±1:
//!
//! | region | (ε_G, ε_B) | conditions |
//! |---|---|---|
//! | 0 | (0, 0) | \|p\| ≤ a_G and \|r − p\| ≤ a_B |
//! | 1, 5 | (e, 0) | e p > a_G and \|r − e a_G\| ≤ a_B |
//! | 3, 7 | (0, b) | b(r − p) > a_B and \|s − b d2 a_B\| ≤ (d1 + d2) a_G |
//! | 2, 4, 6, 8 | (e, b) | e(s − b d2 a_B) > (d1 + d2) a_G and b(r − e a_G) > a_B |
//!
//! ε_G is the direction of slip on the ground, ε_B that in the brake, 0 is stick. The nine sets are
//! convex and divide the plane; region 0 is a parallelogram with the corners
//! (e d1 a_G, d2(e a_G + b a_B)), from which all other boundaries start.

use stickslip_report::figure::{Axis, Figure, Fill, Panel, Region, Series};
use stickslip_report::palette::Role;
use stickslip_report::polygon::{HalfPlane, cut};

/// (ε_G, ε_B) of the regions 0 to 8.
pub const DIRECTIONS: [(i8, i8); 9] = [(0, 0), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The numbers that fix the nine regions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// h/m, s/kg, > 0.
    pub d1: f64,
    /// h/J, s/kg, > 0.
    pub d2: f64,
    /// Largest force of the ground, N, ≥ 0.
    pub a_g: f64,
    /// Largest force of the brake at the rim, N, ≥ 0.
    pub a_b: f64,
}

/// A rectangle of the plane (z1, z2), m/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// From, to.
    pub z1: [f64; 2],
    /// From, to.
    pub z2: [f64; 2],
}

impl Bounds {
    /// The four corners of region 0, counter-clockwise from (e, b) = (+, +).
    pub fn corners(&self) -> [[f64; 2]; 4] {
        let Self { d1, d2, a_g, a_b } = *self;
        [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(e, b)| [e * d1 * a_g, d2 * (e * a_g + b * a_b)])
    }

    /// The conditions of a region (0 to 8) as half-planes.
    pub fn half_planes(&self, region: usize) -> Vec<HalfPlane> {
        let Self { d1, d2, a_g, a_b } = *self;
        let (e, b) = DIRECTIONS[region % 9];
        let (e, b) = (f64::from(e), f64::from(b));
        let (p, r) = (1.0 / d1, 1.0 / d2);
        match (e != 0.0, b != 0.0) {
            (false, false) => vec![
                HalfPlane::below(p, 0.0, a_g),
                HalfPlane::above(p, 0.0, -a_g),
                HalfPlane::below(-p, r, a_b),
                HalfPlane::above(-p, r, -a_b),
            ],
            (true, false) => vec![
                HalfPlane::above(e * p, 0.0, a_g),
                HalfPlane::below(0.0, r, e * a_g + a_b),
                HalfPlane::above(0.0, r, e * a_g - a_b),
            ],
            (false, true) => vec![
                HalfPlane::above(-b * p, b * r, a_b),
                HalfPlane::below(1.0, 1.0, b * d2 * a_b + (d1 + d2) * a_g),
                HalfPlane::above(1.0, 1.0, b * d2 * a_b - (d1 + d2) * a_g),
            ],
            (true, true) => vec![
                HalfPlane::above(e, e, e * b * d2 * a_b + (d1 + d2) * a_g),
                HalfPlane::above(0.0, b * r, b * e * a_g + a_b),
            ],
        }
    }

    /// The part of each region inside a window, in the order 0 to 8; empty where there is none.
    pub fn polygons(&self, window: Window) -> [Vec<[f64; 2]>; 9] {
        let [left, right] = window.z1;
        let [low, high] = window.z2;
        let whole = vec![[left, low], [right, low], [right, high], [left, high]];
        std::array::from_fn(|region| {
            self.half_planes(region).into_iter().fold(whole.clone(), |polygon, half| cut(&polygon, half))
        })
    }

    /// A window around the origin in which all nine regions can be seen.
    ///
    /// Region 0 has the width 2 d1 a_G, regions 4 and 8 open at 45°; where d1 ≪ d2 no window shows
    /// both well, and the geometric mean of the two scales is the compromise.
    pub fn neighbourhood(&self) -> Window {
        let [right, top] = self.corners()[0];
        let tall = 1.45 * top;
        let wide = (2.2 * right * tall).sqrt().max(2.0 * right);
        Window { z1: [-wide, wide], z2: [-tall, tall] }
    }
}

/// `(+, 0)` and the like.
pub fn direction_text(region: usize) -> String {
    let sign = |direction| match direction {
        1.. => "+",
        0 => "0",
        _ => "−",
    };
    let (e, b) = DIRECTIONS[region % 9];
    format!("({}, {})", sign(e), sign(b))
}

/// The nine regions twice: with the whole trajectory, and around the origin.
///
/// `trajectory` holds the points (z1, z2); the bounds are those of one moment, named in `moment`.
pub fn figure(bounds: &Bounds, trajectory: &[[f64; 2]], moment: &str) -> Figure {
    let near = bounds.neighbourhood();
    let mut whole = near;
    for &[z1, z2] in trajectory {
        for (ends, value) in [(&mut whole.z1, z1), (&mut whole.z2, z2)] {
            if value.is_finite() {
                ends[0] = ends[0].min(value);
                ends[1] = ends[1].max(value);
            }
        }
    }
    for ends in [&mut whole.z1, &mut whole.z2] {
        let margin = 0.06 * (ends[1] - ends[0]);
        *ends = [ends[0] - margin, ends[1] + margin];
    }
    let mut left = panel(bounds, whole, trajectory, false);
    left.title = "The whole plane".to_owned();
    let fills = [(Fill::Stick, "both stick"), (Fill::Mixed, "one sticks"), (Fill::Slip, "both slip")];
    let mut right = panel(bounds, near, trajectory, true);
    right.series[0].name.clear();
    right.fills = fills.map(|(fill, name)| (fill, name.to_owned())).to_vec();
    right.title = match moment.is_empty() {
        true => "Around the origin".to_owned(),
        false => format!("Around the origin, {moment}"),
    };
    Figure::side_by_side(vec![left, right])
}

/// The regions inside a window with the trajectory above them; `details` adds (ε_G, ε_B).
pub fn panel(bounds: &Bounds, window: Window, trajectory: &[[f64; 2]], details: bool) -> Panel {
    let x = Axis::linear("z_1", "m/s").from_to(window.z1[0], window.z1[1]);
    let y = Axis::linear("z_2", "m/s").from_to(window.z2[0], window.z2[1]);
    let mut panel = Panel::new(x, y);
    panel.height = 310.0;
    for (region, polygon) in bounds.polygons(window).into_iter().enumerate() {
        let (e, b) = DIRECTIONS[region];
        panel.regions.push(Region {
            polygon,
            label: region.to_string(),
            detail: if details { direction_text(region) } else { String::new() },
            fill: match (e, b) {
                (0, 0) => Fill::Stick,
                (0, _) | (_, 0) => Fill::Mixed,
                _ => Fill::Slip,
            },
        });
    }
    panel.with(Series::line("trajectory of z", Role::First, trajectory.to_vec()).wide(1.8))
}
