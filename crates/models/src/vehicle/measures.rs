//! What is measured of a vehicle.

use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::view::DataTable;
use stickslip_run::{Gauge, Measure, Part, Rerun, Seen};
use stickslip_scenario::Measurable;

use super::hottest::{Hottest, peaks};
use super::record::{self, Of, load_column, temperature_column};
use super::{Vehicle, WheelData};
use crate::ride::{self, Ride, Tyres, tyre_part, wheel_part};

const PEAK: Measurable =
    Measurable::each("peak_temperature", "°C", "greatest temperature of a brake disc; of several the greatest");

/// All that may be measured of a vehicle.
pub(super) const MEASURES: &[Measurable] = &all();

const fn all() -> [Measurable; 1 + ride::MEASURES.len()] {
    let mut list = [PEAK; 1 + ride::MEASURES.len()];
    let mut i = 1;
    while i < list.len() {
        list[i] = ride::MEASURES[i - 1];
        i += 1;
    }
    list
}

/// The wheels, and whatever else is in contact, as parts with states of their own.
pub(super) fn parts(vehicle: &Vehicle) -> Vec<Part> {
    let wheels = vehicle.parameters().wheels.iter().enumerate();
    let of = &vehicle.contact_of;
    let part = |(i, wheel): (usize, &WheelData)| match of.ground[i].filter(|_| wheel.tyre.is_none()) {
        Some(ground) => wheel_part(&wheel.name, ground, of.brake[i]),
        None => tyre_part(&wheel.name, of.resistance.or(of.ground[i]), of.brake[i]),
    };
    let mut parts: Vec<Part> = wheels.map(part).collect();
    parts.extend(of.resistance.map(|k| Part::contact(&vehicle.contacts[k], k)));
    parts
}

/// What the tyres do at standstill.
fn tyres(vehicle: &Vehicle) -> Tyres {
    match (vehicle.contact_of.star, vehicle.deflects(), vehicle.resists()) {
        (true, ..) => Tyres::None,
        (false, true, _) => Tyres::Swing,
        (false, false, true) => Tyres::Rest,
        (false, false, false) => Tyres::Creep,
    }
}

/// m x1' + r + Σ f_i = −m g sin θ − c |x1| x1.
pub(super) fn gauge<'a>(vehicle: &'a Vehicle, brakes: &'a [Signal]) -> Box<dyn Gauge + 'a> {
    let p = vehicle.parameters();
    let count = p.wheels.len();
    let [r, slope] = ["r", "slope"].map(|name| record::total(count, name));
    let forces: Vec<usize> = (0..count).map(|i| record::of_wheel(i, Of::Force)).collect();
    let acceleration = move |row: &[f64]| {
        let x1 = row[record::SPEED];
        let ground: f64 = forces.iter().map(|f| row[*f]).sum();
        -(row[r] + ground + p.drag * x1.abs() * x1) / p.mass - p.gravity * row[slope].sin()
    };
    let ride = Ride::new([record::SPEED, record::PLACE], acceleration).on_tyres(tyres(vehicle));
    let wheels = parts(vehicle).into_iter().zip(brakes);
    let ride = wheels.fold(ride, |ride, (part, brake)| ride.with(part, brake));
    let moving = p.wheels.iter().filter(|_| p.loads_move());
    let column = |name: String| vehicle.columns.iter().position(|column| column.name == name);
    let loads = moving.filter_map(|wheel| column(load_column(&wheel.name))).collect();
    let warm = |wheel: &WheelData| Some(Hottest::new(column(temperature_column(&wheel.name))?, &wheel.name));
    let temperatures = p.wheels.iter().filter_map(warm).collect();
    Box::new(OfVehicle { vehicle, ride, loads, events: Vec::new(), temperatures })
}

/// Measures the ride and keeps loads at events: they jump where wheels lock, and when the vehicle stops.
struct OfVehicle<'a> {
    vehicle: &'a Vehicle,
    ride: Ride<'a>,
    /// Columns of the loads, where they move.
    loads: Vec<usize>,
    /// When something changed, and the loads from then on.
    events: Vec<(f64, Vec<f64>)>,
    /// Discs, and when they were hottest.
    temperatures: Vec<Hottest>,
}

impl Gauge for OfVehicle<'_> {
    fn see(&mut self, seen: &Seen<'_>) {
        self.ride.see(seen);
        self.temperatures.iter_mut().for_each(|disc| disc.see(seen));
        if !seen.changes.is_empty() && !self.loads.is_empty() {
            self.events.push((seen.t, self.loads.iter().map(|column| seen.row[*column]).collect()));
        }
    }

    fn measures(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let mut measures = self.ride.measures(ended, again)?;
        let peaks = peaks(&self.temperatures, again)?;
        measures.extend(peaks.iter().copied().reduce(f64::max).map(|value| Measure::new(&PEAK, value)));
        if self.temperatures.len() > 1 {
            let each = self.temperatures.iter().zip(&peaks);
            measures.extend(each.map(|(disc, peak)| Measure::of_part(&PEAK, disc.wheel(), *peak)));
        }
        Ok(measures)
    }

    /// Loads on both sides of every event; by steps an event has no sides.
    fn tables(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<DataTable>, SimulationError> {
        let mut tables = self.ride.tables(ended, again)?;
        if self.events.is_empty() || ended.by_events().is_none() {
            return Ok(tables);
        }
        let names = || self.loads.iter().map(|column| &self.vehicle.columns[*column].name);
        let sides =
            ["before", "after"].into_iter().flat_map(|side| names().map(move |name| format!("{name}_{side} [N]")));
        let header = std::iter::once("t [s]".to_string()).chain(sides).collect();
        let mut table = DataTable { name: "loads-at-events", header, rows: Vec::new() };
        let mut run = again()?;
        let mut row = vec![0.0; run.columns().len()];
        for (t, after) in &self.events {
            let before = t.next_down();
            if before > run.time() {
                run.advance_to(before)?;
            }
            run.row(&mut row);
            let before = self.loads.iter().map(|column| row[*column]);
            let cells: Vec<f64> = std::iter::once(*t).chain(before).chain(after.iter().copied()).collect();
            table.push(&cells);
        }
        tables.push(table);
        Ok(tables)
    }
}
