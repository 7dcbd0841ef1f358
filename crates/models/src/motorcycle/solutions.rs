//! How many solutions the contacts have at t = 0, over friction and height.

use stickslip_core::signal::Signal;
use stickslip_loads::planar::{PlanarBody, PlanarRun};
use stickslip_loads::transfer::Solution;
use stickslip_report::html::{Field, FieldAxis, Quantity, Shown};

use super::Parameters;

/// Cells along each side.
const CELLS: usize = 48;

impl Parameters {
    /// The solutions at t = 0, with another friction of both wheels and another height.
    pub(super) fn solutions_with(&self, friction: f64, height: f64) -> Vec<Solution<[f64; 2]>> {
        let mut other = self.clone();
        other.data.height = height;
        for wheel in &mut other.data.wheels {
            wheel.friction = friction;
            // Torques as they are at the start.
            wheel.brake = Signal::Constant(wheel.brake.at(0.0));
            wheel.motor = Signal::Constant(wheel.motor.at(0.0));
        }
        let Ok(body) = PlanarBody::new(other.data.clone()) else { return Vec::new() };
        PlanarRun::solutions(&body, other.start())
    }
}

/// The chart; none where there is exactly one solution everywhere, as for all that roll.
pub(super) fn chart(p: &Parameters) -> Option<Field> {
    let [front, rear] = &p.data.wheels;
    let friction = front.friction.max(rear.friction).max(0.1);
    let lowest = front.radius.max(rear.radius);
    let ends = [[0.0, 2.0 * friction], [lowest, lowest + 2.0 * (p.data.height - lowest).max(lowest)]];
    let middle =
        |side: usize, k: usize| ends[side][0] + (ends[side][1] - ends[side][0]) * (k as f64 + 0.5) / CELLS as f64;
    let cell = |k: usize| p.solutions_with(middle(0, k % CELLS), middle(1, k / CELLS)).len() as f64;
    let values: Vec<f64> = (0..CELLS * CELLS).map(cell).collect();
    let axis = |label: &str, unit: &str, ends| FieldAxis { label: label.into(), unit: unit.into(), ends };
    values.iter().any(|count| *count != 1.0).then(|| Field {
        name: "Number of solutions at t = 0".into(),
        text: "How many accelerations solve the contacts at the start: from left to right the friction of both wheels, upwards the height \
               of the centre of mass."
            .into(),
        axes: [axis("friction coefficient", "", ends[0]), axis("height", "m", ends[1])],
        count: [CELLS, CELLS],
        quantities: vec![Quantity { name: "solutions".into(), shown: Shown::Values { unit: String::new(), values } }],
        equal: false,
    })
}
