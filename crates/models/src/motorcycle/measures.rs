//! What is measured of a motorcycle: all that is measured of a ride, and its flights.

use std::cell::Cell;

use stickslip_core::law::State;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_report::palette;
use stickslip_run::view::DataTable;
use stickslip_run::{Gauge, Measure, Part, Place, Rerun, Seen};
use stickslip_scenario::Measurable;

use super::Motorcycle;
use super::record::column;
use crate::ride::{self, Ride, wheel_state};
use crate::two_wheels::{Flights, GREATEST_PITCH, GREATEST_PITCH_TIME, GreatestPitch, WHEELS};

const FIRST_LIFT: Measurable = Measurable::each("first_lift", "s", "instant at which a wheel lifts for the first time");
const AIR_TIME: Measurable = Measurable::each("air_time", "s", "time in the air; of both wheels the longest");
const LANDING: Measurable = Measurable::whole("landing_time", "s", "instant of the last landing");
const LANDING_IMPULSE: Measurable =
    Measurable::each("landing_impulse", "N s", "normal impulse of the last landing; of both wheels the greatest");
const LANDING_LOSS: Measurable = Measurable::whole("landing_loss", "J", "energy lost in landings");

const OWN: [Measurable; 7] =
    [GREATEST_PITCH, GREATEST_PITCH_TIME, FIRST_LIFT, AIR_TIME, LANDING, LANDING_IMPULSE, LANDING_LOSS];

/// All that may be measured of a motorcycle.
pub(super) const MEASURES: &[Measurable] = &all();

const fn all() -> [Measurable; OWN.len() + ride::MEASURES.len()] {
    let mut list = [GREATEST_PITCH; OWN.len() + ride::MEASURES.len()];
    let mut i = 0;
    while i < list.len() {
        list[i] = if i < OWN.len() { OWN[i] } else { ride::MEASURES[i - OWN.len()] };
        i += 1;
    }
    list
}

/// A wheel may be in the air.
fn state(contacts: &[State]) -> palette::State {
    match contacts.first() {
        Some(State::Open) => palette::State::Flies,
        _ => wheel_state(contacts),
    }
}

/// The wheels as parts with states of their own.
pub(super) fn parts() -> Vec<Part> {
    let part = |(i, name): (usize, &&str)| Part { name: (*name).to_string(), contacts: vec![2 * i, 2 * i + 1], state };
    WHEELS.iter().enumerate().map(part).collect()
}

/// Measures the ride, and flights.
pub(super) struct OfMotorcycle<'a> {
    ride: Ride<'a>,
    pitch: GreatestPitch,
    /// Of each wheel.
    flights: [Flights; 2],
    last: f64,
}

impl<'a> OfMotorcycle<'a> {
    pub fn new(motorcycle: &'a Motorcycle) -> OfMotorcycle<'a> {
        let data = &motorcycle.parameters().data;
        const PLACES: [usize; 4] = [column("x1"), column("x"), column("T_front"), column("T_rear")];
        let [x1, x, front, rear] = PLACES;
        // By steps the force of a landing is an impulse over the size of a step, and no deceleration.
        let landed = Cell::new((f64::NEG_INFINITY, 0.0));
        let ride = Ride::new([x1, x], move |row: &[f64]| {
            let (t, lost) = (row[const { column("t") }], row[const { column("landing_loss") }]);
            if lost > landed.get().1 {
                landed.set((t, lost));
            }
            if landed.get().0 == t { 0.0 } else { (row[front] + row[rear]) / data.mass }
        });
        let ride =
            parts().into_iter().zip(&data.wheels).fold(ride, |ride, (part, wheel)| ride.with(part, &wheel.brake));
        OfMotorcycle { ride, pitch: GreatestPitch::default(), flights: [Flights::default(); 2], last: 0.0 }
    }
}

impl Gauge for OfMotorcycle<'_> {
    fn see(&mut self, seen: &Seen<'_>) {
        self.ride.see(seen);
        self.pitch.see(seen.row[const { column("pitch") }], seen.t);
        for (i, flights) in self.flights.iter_mut().enumerate() {
            flights.see(seen.contacts.get(2 * i) == Some(&State::Open), seen.t);
        }
        self.last = seen.t;
    }

    fn tables(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<DataTable>, SimulationError> {
        self.ride.tables(ended, again)
    }

    fn measures(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let mut measures = Vec::new();
        let air = self.flights.map(|flights| flights.air(self.last));
        let values = ended.values();
        let value = |name: &str| values.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
        if air[0].max(air[1]) > 0.0 {
            measures.extend(self.pitch.measures());
            let first = self.flights.iter().filter_map(|flights| flights.first).fold(f64::INFINITY, f64::min);
            measures.push(Measure::new(&FIRST_LIFT, first));
            measures.push(Measure::new(&AIR_TIME, air[0].max(air[1])).at(Place::Key));
            for (i, name) in WHEELS.iter().enumerate().filter(|(i, _)| air[*i] > 0.0) {
                measures.extend(self.flights[i].first.map(|t| Measure::of_part(&FIRST_LIFT, name, t)));
                measures.push(Measure::of_part(&AIR_TIME, name, air[i]));
            }
        }
        if let Some(t) = value("landing_t") {
            measures.push(Measure::new(&LANDING, t));
            let impulses = WHEELS.map(|name| value(&format!("landing_impulse_{name}")).unwrap_or(0.0));
            measures.push(Measure::new(&LANDING_IMPULSE, impulses[0].max(impulses[1])));
            measures.extend(WHEELS.iter().zip(impulses).map(|(name, p)| Measure::of_part(&LANDING_IMPULSE, name, p)));
        }
        let lost = ended.ledger().dissipated.last().map_or(0.0, |landings| landings.energy);
        if lost > 0.0 {
            measures.push(Measure::new(&LANDING_LOSS, lost).at(Place::Key));
        }
        // What wheels did not do goes without saying.
        let ride = self.ride.measures(ended, again)?.into_iter();
        measures.extend(ride.map(|measure| if measure.value == 0.0 { measure.at(Place::File) } else { measure }));
        Ok(measures)
    }
}
