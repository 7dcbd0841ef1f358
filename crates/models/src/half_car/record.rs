//! What is recorded of a half-car.

use stickslip_core::Name;
use stickslip_core::record::{Column, Record, place};

use super::{Car, CarState};

static COLUMNS: [Column; 24] = [
    Column::real("t", "s", "time"),
    Column::real("x1", "m/s", "speed, forward"),
    Column::real("x", "m", "place of the centre of mass along the road"),
    Column::real("heave", "m", "height of the centre of mass above that at rest on a road of height 0"),
    Column::real("pitch", "rad", "pitch, nose up positive"),
    Column::real("heave_rate", "m/s", "rate of the heave"),
    Column::real("pitch_rate", "rad/s", "rate of the pitch"),
    Column::real("z_front", "m", "height of the front wheel above that at rest on a road of height 0"),
    Column::real("z_rear", "m", "height of the rear wheel"),
    Column::real("road_front", "m", "height of the road under the front wheel"),
    Column::real("road_rear", "m", "height of the road under the rear wheel"),
    Column::real("gap_front", "m", "air under the front tyre; 0 while it carries"),
    Column::real("gap_rear", "m", "air under the rear tyre"),
    Column::real("stroke_front", "m", "how far the front spring is shorter than at rest"),
    Column::real("stroke_rear", "m", "how far the rear spring is shorter than at rest"),
    Column::real("N_front", "N", "load of the front tyre"),
    Column::real("N_rear", "N", "load of the rear tyre"),
    Column::real("F", "N", "brake force at road level; 0 at standstill"),
    Column::whole("air_front", "front tyre: 0 carries, 1 in the air"),
    Column::whole("air_rear", "rear tyre: 0 carries, 1 in the air"),
    Column::real("energy", "J", "energy of motion, springs, tyres and height, over that at rest on a road of height 0"),
    Column::real("work", "J", "work of the road so far: it lifts what stands on it"),
    Column::real("heat_dampers", "J", "energy dissipated in the dampers so far"),
    Column::real("heat_brakes", "J", "energy that the brakes have taken so far"),
];

/// Number of the column of this name, for constants.
pub(super) const fn column(name: &str) -> usize {
    place(&COLUMNS, name)
}

/// Pitches beyond this are not small \[rad\]: the sine is off by 0.7 %, and so are levers.
const SMALL: f64 = 0.2;

impl Record for Car {
    fn columns(&self) -> &[Column] {
        &COLUMNS
    }

    /// Loads are functions of place and road: all is known at t = 0.
    fn is_decided(&self, column: usize) -> bool {
        COLUMNS[column].name == "F"
    }

    fn row(&self, t: f64, u: &CarState, out: &mut [f64]) {
        let (m, body) = (u.motion(), &self.body);
        let of = |value: &dyn Fn(usize) -> f64| [value(0), value(1)];
        let road = of(&|i| body.road(i, m));
        let gap = of(&|i| if u.moved.carries[i] { 0.0 } else { body.gap(i, m).max(0.0) });
        let stroke = of(&|i| 0.0 - body.stroke(i, m));
        let load = of(&|i| if u.moved.carries[i] { body.load(i, m) } else { 0.0 });
        let air = u.moved.carries.map(|carries| f64::from(!carries));
        out.copy_from_slice(&[
            t,
            m.speed,
            m.x,
            m.q[0],
            m.q[1],
            m.v[0],
            m.v[1],
            m.q[2],
            m.q[3],
            road[0],
            road[1],
            gap[0],
            gap[1],
            stroke[0],
            stroke[1],
            load[0],
            load[1],
            u.brake,
            air[0],
            air[1],
            body.energy(m),
            m.lifted,
            m.dampers[0] + m.dampers[1],
            m.braked,
        ]);
    }

    /// One to four systems of four equations.
    fn step_work(&self, _: &CarState, _: u64) -> f64 {
        300.0
    }

    fn end(&self, u: &CarState) -> Vec<(Name, f64)> {
        let m = u.motion();
        let end = [("x", m.x), ("x1", m.speed), ("heave", m.q[0]), ("pitch", m.q[1]), ("pitch_rate", m.v[1])];
        let loads = [("N_front", self.body.load(0, m)), ("N_rear", self.body.load(1, m))];
        end.into_iter().chain(loads).map(|(name, value)| (name.into(), value)).collect()
    }

    fn doubts(&self, u: &CarState) -> Vec<String> {
        let mut doubts = Vec::new();
        if u.steepest > SMALL {
            doubts.push(format!(
                "the pitch goes up to {:.3} rad: this model takes angles for small, and has no moment of gravity that throws a vehicle \
                 over (model = \"motorcycle\" has)",
                u.steepest
            ));
        }
        if let Some(t) = u.unsupported {
            doubts.push(format!(
                "from t = {t:.4} s on brakes acted with both tyres in the air: the brake force is given, and nothing here limits it by \
                 the loads"
            ));
        }
        doubts.extend(u.passed.map(|passed| passed.words("what the road has")));
        doubts
    }
}
