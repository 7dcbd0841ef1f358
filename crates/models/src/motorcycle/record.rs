//! What is recorded of a motorcycle.

use stickslip_core::Name;
use stickslip_core::record::{Column, Record, place};

use super::{Motorcycle, MotorcycleState};

static COLUMNS: [Column; 24] = [
    Column::real("t", "s", "time"),
    Column::real("x1", "m/s", "speed X' of the centre of mass, forward"),
    Column::real("x", "m", "its place along the road"),
    Column::real("z", "m", "its height above the road"),
    Column::real("pitch", "rad", "pitch, nose up positive; exactly 0 with both wheels on the ground"),
    Column::real("pitch_rate", "rad/s", "its rate"),
    Column::real(
        "gap_front",
        "m",
        "height of the front wheel above the road; 0 while it carries, but for the size of steps",
    ),
    Column::real("gap_rear", "m", "height of the rear wheel above the road"),
    Column::real("v_front", "m/s", "speed of the front rim, R theta'; minus the speed while it rolls level"),
    Column::real("v_rear", "m/s", "speed of the rear rim"),
    Column::real("N_front", "N", "load of the front wheel"),
    Column::real("N_rear", "N", "load of the rear wheel"),
    Column::real("T_front", "N", "force of the ground on the front wheel, forward"),
    Column::real("T_rear", "N", "force of the ground on the rear wheel, forward"),
    Column::real("B_front", "N m", "torque of the front brake on its wheel, counter-clockwise"),
    Column::real("B_rear", "N m", "torque of the rear brake on its wheel"),
    Column::whole("eps_G_front", "front wheel on the ground: 0 rolls, 1 or -1 slips, 2 in the air"),
    Column::whole("eps_B_front", "front brake: 0 held, 1 or -1 slips"),
    Column::whole("eps_G_rear", "rear wheel on the ground: 0 rolls, 1 or -1 slips, 2 in the air"),
    Column::whole("eps_B_rear", "rear brake: 0 held, 1 or -1 slips"),
    Column::real("energy", "J", "kinetic energy and that of height, over that at rest on both wheels"),
    Column::real("work", "J", "work of the motors so far"),
    Column::real("heat", "J", "energy dissipated in tyres and brakes so far"),
    Column::real("landing_loss", "J", "energy lost in landings so far"),
];

/// Gaps below this are rounding of the levers \[m\]. By steps gaps of wheels that carry are greater, and are shown.
const ROUNDING: f64 = 1e-14;

/// Number of the column of this name, for constants.
pub(super) const fn column(name: &str) -> usize {
    place(&COLUMNS, name)
}

impl Record for Motorcycle {
    fn columns(&self) -> &[Column] {
        &COLUMNS
    }

    fn row(&self, t: f64, u: &MotorcycleState, out: &mut [f64]) {
        let (q, v) = (u.places(), u.speeds());
        let wheels = &self.parameters.data.wheels;
        let states = super::state::contact_states(&u.moved.modes).map(|state| match state {
            stickslip_core::law::State::Open => 2.0,
            state => f64::from(state.sign()),
        });
        let gaps = [0, 1].map(|i| match self.body.gap(i, &q) {
            gap if gap.abs() < ROUNDING => 0.0,
            gap => gap,
        });
        let spent = &u.moved.spent;
        out.copy_from_slice(&[
            t,
            v[0],
            q[0],
            q[1],
            q[2],
            v[2],
            gaps[0],
            gaps[1],
            v[3] * wheels[0].radius,
            v[4] * wheels[1].radius,
            u.normal[0],
            u.normal[1],
            u.tangential[0],
            u.tangential[1],
            u.brake[0],
            u.brake[1],
            states[0],
            states[1],
            states[2],
            states[3],
            self.energy(&u.moved.state),
            spent.work,
            spent.heat(),
            spent.impacts,
        ]);
    }

    /// Some 50 systems of six equations.
    fn step_work(&self, _: &MotorcycleState, _: u64) -> f64 {
        2000.0
    }

    fn end(&self, u: &MotorcycleState) -> Vec<(Name, f64)> {
        let (q, v) = (u.places(), u.speeds());
        let mut end: Vec<(Name, f64)> = [("x", q[0]), ("z", q[1]), ("pitch", q[2]), ("x1", v[0]), ("pitch_rate", v[2])]
            .map(|(name, value)| (name.into(), value))
            .into();
        if let Some(landing) = u.landing() {
            let impact = &landing.impact;
            let last = [
                ("landing_t", landing.t),
                ("landing_pitch_rate", impact.before[1]),
                ("landing_speed_before", impact.before[0]),
                ("landing_speed_after", landing.speed),
                ("landing_impulse_front", impact.normal[0]),
                ("landing_impulse_rear", impact.normal[1]),
                ("landing_push_front", impact.tangential[0]),
                ("landing_push_rear", impact.tangential[1]),
                ("landing_loss", impact.energy[0] - impact.energy[1]),
            ];
            end.extend(last.map(|(name, value)| (Name::from(name), value)));
        }
        end
    }

    fn doubts(&self, u: &MotorcycleState) -> Vec<String> {
        u.several().map(super::system::words).into_iter().collect()
    }
}
