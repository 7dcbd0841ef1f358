//! What is measured of an assembly.

use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::view::DataTable;
use stickslip_run::{Gauge, Measure, Place, Rerun, Seen};
use stickslip_scenario::Measurable;

use super::Assembly;
use super::parts::Face;
use crate::oscillation::{Coordinate, Oscillation, PERIOD, STICK_DUTY};

const AMPLITUDE: Measurable = Measurable::each(
    "amplitude",
    "m",
    "half of the way between the turning points of a body in the last period; rad for a yaw",
);
const GREATEST_SLIP: Measurable = Measurable::each("greatest_slip", "m/s", "greatest slip of a pad");
const GREATEST_DISPLACEMENT: Measurable =
    Measurable::each("greatest_displacement", "m", "greatest displacement of a pad against what it rubs on");
const HEAT: Measurable = Measurable::whole("heat", "J", "energy dissipated in pads, walls and dampers");

/// All that may be measured of an assembly.
pub(super) const MEASURES: &[Measurable] = &[PERIOD, AMPLITUDE, STICK_DUTY, GREATEST_SLIP, GREATEST_DISPLACEMENT, HEAT];

/// A pad, its columns of displacement and slip, one or two each, and the greatest of both so far.
struct Pad {
    name: String,
    displacement: [usize; 2],
    slip: [usize; 2],
    greatest: [f64; 2],
}

impl Pad {
    fn see(&mut self, row: &[f64]) {
        let size = |[a, b]: [usize; 2]| if a == b { row[a].abs() } else { row[a].hypot(row[b]) };
        let now = [size(self.displacement), size(self.slip)];
        self.greatest.iter_mut().zip(now).for_each(|(greatest, now)| *greatest = greatest.max(now));
    }
}

/// What looks on at an assembly.
struct Watch {
    oscillation: Oscillation,
    pads: Vec<Pad>,
}

/// Speeds, prescribed forces and the energy decide how a motion goes on: not the positions, which may drift where nothing
/// holds them.
pub(super) fn gauge(assembly: &Assembly) -> Box<dyn Gauge + '_> {
    let p = &assembly.parameters;
    let named = |name: &str| assembly.columns.iter().position(|column| column.name == name);
    let (mut state, mut coordinates, mut next) = (Vec::new(), Vec::new(), 1);
    for body in &p.bodies {
        let dim = body.freedom.dim();
        state.extend(next + dim..next + 2 * dim);
        for k in next..next + dim {
            let column = &assembly.columns[k];
            coordinates.push(Coordinate::new([k, k + dim], column.name.clone(), column.unit));
        }
        next += 2 * dim;
    }
    let mut pads = Vec::new();
    for pad in &p.pads {
        let plane = usize::from(pad.face == Face::Disk);
        let (displacement, slip) = ([next, next + plane], [next + 1 + plane, next + 1 + 2 * plane]);
        pads.push(Pad { name: pad.name.clone(), displacement, slip, greatest: [0.0; 2] });
        // Displacement, slip and friction along each axis; the bound; the angle in the plane; the state.
        next += 5 + 4 * plane;
    }
    let first = assembly.first_force_column();
    state.extend(first..first + p.forces.len());
    state.extend(named("energy"));
    let contacts = assembly.contacts.iter().map(|name| name.to_string()).collect();
    Box::new(Watch { oscillation: Oscillation::new(state, coordinates, AMPLITUDE, contacts), pads })
}

impl Gauge for Watch {
    fn see(&mut self, seen: &Seen<'_>) {
        self.oscillation.see(seen);
        self.pads.iter_mut().for_each(|pad| pad.see(seen.row));
    }

    fn measures(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let mut measures = self.oscillation.measures(ended, again)?;
        let place = if measures.is_empty() { Place::Key } else { Place::Listed };
        for (k, of) in [GREATEST_DISPLACEMENT, GREATEST_SLIP].iter().enumerate() {
            let own = || self.pads.iter().map(|pad| (pad.name.as_str(), pad.greatest[k]));
            let Some(whole) = own().map(|(_, value)| value).reduce(f64::max) else { continue };
            measures.push(Measure::new(of, whole).at(place));
            if self.pads.len() > 1 {
                measures.extend(own().map(|(name, value)| Measure::of_part(of, name, value)));
            }
        }
        measures.push(Measure::new(&HEAT, ended.ledger().dissipated_total()).at(place));
        Ok(measures)
    }

    fn tables(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<DataTable>, SimulationError> {
        self.oscillation.tables(ended, again)
    }
}
