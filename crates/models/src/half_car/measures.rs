//! What is measured of a half-car.

use stickslip_core::law::State;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_report::palette;
use stickslip_run::{Gauge, Measure, Part, Place, Rerun, Seen};
use stickslip_scenario::Measurable;

use super::record::column;
use crate::two_wheels::{Flights, GREATEST_PITCH, GREATEST_PITCH_TIME, GreatestPitch, WHEELS};

const FIRST_LIFT: Measurable = Measurable::each("first_lift", "s", "instant at which a tyre leaves the ground first");
const LAST_LANDING: Measurable = Measurable::each("last_landing", "s", "instant at which a tyre lands last");
const AIR_TIME: Measurable = Measurable::each("air_time", "s", "time in the air; of both tyres the longest");
const GREATEST_GAP: Measurable =
    Measurable::each("greatest_gap", "m", "greatest air under a tyre; by events at its very turning point");
const GREATEST_LOAD: Measurable = Measurable::each(
    "greatest_load",
    "N",
    "greatest load of a tyre; by events at its very turning point, by steps at recorded rows",
);
const GREATEST_STROKE: Measurable = Measurable::each(
    "greatest_stroke",
    "m",
    "greatest compression of a spring; by events at its very turning point, by steps at recorded rows",
);
const DISTANCE: Measurable = Measurable::whole("distance", "m", "distance from the start to the end");
const STANDSTILL: Measurable = Measurable::whole("standstill", "s", "instant at which the vehicle stands");

/// All that may be measured of a half-car.
pub(super) const MEASURES: &[Measurable] = &[
    GREATEST_PITCH,
    GREATEST_PITCH_TIME,
    FIRST_LIFT,
    LAST_LANDING,
    AIR_TIME,
    GREATEST_GAP,
    GREATEST_LOAD,
    GREATEST_STROKE,
    DISTANCE,
    STANDSTILL,
];

/// A tyre carries, or it is in the air.
fn state(contacts: &[State]) -> palette::State {
    match contacts.first() {
        Some(State::Open) => palette::State::Flies,
        _ => palette::State::Rolls,
    }
}

/// The tyres as parts with states of their own.
pub(super) fn parts() -> Vec<Part> {
    let part = |(i, name): (usize, &&str)| Part { name: (*name).to_string(), contacts: vec![i], state };
    WHEELS.iter().enumerate().map(part).collect()
}

/// What is remembered of one corner.
#[derive(Debug, Clone, Copy, Default)]
struct Corner {
    flights: Flights,
    gap: f64,
    load: f64,
    stroke: f64,
}

/// Looks on at a half-car.
#[derive(Debug, Default)]
pub(super) struct OfHalfCar {
    pitch: GreatestPitch,
    corners: [Corner; 2],
    moved: bool,
    stood: Option<f64>,
    start: Option<f64>,
    last: (f64, f64),
}

impl Gauge for OfHalfCar {
    fn see(&mut self, seen: &Seen<'_>) {
        const GAPS: [usize; 2] = [column("gap_front"), column("gap_rear")];
        const LOADS: [usize; 2] = [column("N_front"), column("N_rear")];
        const STROKES: [usize; 2] = [column("stroke_front"), column("stroke_rear")];
        const AIR: [usize; 2] = [column("air_front"), column("air_rear")];
        let (t, cell) = (seen.t, |place: usize| seen.row[place]);
        self.pitch.see(cell(const { column("pitch") }), t);
        let [gaps, loads, strokes, air] = [GAPS, LOADS, STROKES, AIR].map(|places| places.map(cell));
        for (i, corner) in self.corners.iter_mut().enumerate() {
            corner.gap = corner.gap.max(gaps[i]);
            corner.load = corner.load.max(loads[i]);
            corner.stroke = corner.stroke.max(strokes[i]);
            corner.flights.see(air[i] == 1.0, t);
        }
        self.moved |= cell(const { column("x1") }) > 0.0;
        if self.moved && cell(const { column("x1") }) == 0.0 {
            self.stood.get_or_insert(t);
        }
        self.start.get_or_insert(cell(const { column("x") }));
        self.last = (t, cell(const { column("x") }));
    }

    fn measures(&self, _: &dyn Simulation, _: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let mut measures = Vec::from(self.pitch.measures());
        let mut tell = |of: &Measurable, place, value: &dyn Fn(&Corner) -> Option<f64>, all: fn(f64, f64) -> f64| {
            let own = WHEELS.iter().zip(&self.corners);
            let own: Vec<(&str, f64)> = own.filter_map(|(name, corner)| Some((*name, value(corner)?))).collect();
            let Some(whole) = own.iter().map(|(_, value)| *value).reduce(all) else { return };
            measures.push(Measure::new(of, whole).at(place));
            measures.extend(own.iter().map(|(name, value)| Measure::of_part(of, name, *value)));
        };
        let flew = |c: &Corner| c.flights.first.is_some();
        tell(&FIRST_LIFT, Place::Listed, &|c| c.flights.first, f64::min);
        tell(&LAST_LANDING, Place::Listed, &|c| c.flights.landed, f64::max);
        tell(&AIR_TIME, Place::Key, &|c| flew(c).then(|| c.flights.air(self.last.0)), f64::max);
        tell(&GREATEST_GAP, Place::Key, &|c| flew(c).then_some(c.gap), f64::max);
        tell(&GREATEST_LOAD, Place::Key, &|c| Some(c.load), f64::max);
        tell(&GREATEST_STROKE, Place::Listed, &|c| Some(c.stroke), f64::max);
        measures.push(Measure::new(&DISTANCE, self.last.1 - self.start.unwrap_or(0.0)));
        measures.extend(self.stood.map(|t| Measure::new(&STANDSTILL, t)));
        Ok(measures)
    }
}
