//! The vehicle as everything else knows it.

use std::sync::Arc;

use stickslip_core::scheme::Grid;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_loads::control::{Controlled, Wiring};
use stickslip_run::text::number;
use stickslip_run::view::{PoincareSection, View, recurrence};
use stickslip_run::{Gauge, Kind, Model, Part, RunFailure, Summary, TimeModel, Trace, by_any_scheme, stepped_together};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, builtin};

use super::contrast::{Contrast, Uncontrolled};
use super::file::{VehicleTables, Wired};
use super::road::{Patch, Side};
use super::{Parameters, Vehicle, WheelData, charts, claims, measures};
use crate::explain::{MOST, driven, signal_text};

/// What makes the vehicle known.
pub const KIND: Kind = Kind { format: Format::of::<VehicleTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!("car-two-wheels-braking", "A car braked on both axles: the front locks, the rear rolls"),
    builtin!("car-four-wheels-braking", "Four wheels, two of them on ice, braked alike"),
    builtin!("car-brake-ramp", "A car braked harder and harder: load moves to the front, both axles lock"),
    builtin!("car-brake-release", "Locked, released, rolling again: load follows the forces"),
    builtin!("truck-three-axles", "A truck on three axles: the last one loses its load and locks first"),
    builtin!("hill-start", "Uphill from rest without rolling back"),
    builtin!("park-on-slope", "A car parked on a slope stays where it is, exactly"),
    builtin!("drive-off-on-ice", "One driven wheel spins on ice, the other one moves the car"),
    builtin!("tyre-braking", "A wheel on a tyre braked to a stop: the tread swings back, then rest is exact"),
    builtin!("tyre-park", "Parked on a tyre on a slope of 10 %: three swings, then still for ever"),
    builtin!("anti-lock-tyre", "An anti-lock controller keeps a tyre near its peak: 10 % shorter than locked"),
    builtin!("anti-lock-stribeck", "An anti-lock controller on dry friction that falls with slip"),
    builtin!("ten-stops-hot-brake", "Ten stops one after the other: the disc warms, the brake fades"),
    builtin!("road-train", "200 wheels brake over sheets of ice"),
];

/// A vehicle, and what is shown beside it.
#[derive(Debug, Clone)]
pub struct Described {
    /// The vehicle.
    pub parameters: Parameters,
    /// Speed ε of the law μN tanh(slip/ε) of the same vehicle with smoothed friction, where that is to run beside it
    /// [m/s], > 0.
    pub tanh_speed: Option<f64>,
    /// Controllers in the loop.
    pub controllers: Vec<Wired>,
    /// Whether the same is to run beside it without its anti-lock controllers.
    pub without_control: bool,
}

impl Described {
    /// The same without its anti-lock controllers: their brakes rise to what is asked for and stay there.
    fn uncontrolled(&self) -> Described {
        let mut parameters = self.parameters.clone();
        for own in &self.controllers {
            if let (Some((wheel, _)), Some(ramp)) = (own.brakes, &own.uncontrolled) {
                parameters.wheels[wheel].brake = ramp.clone();
            }
        }
        let left = self.controllers.iter().filter(|own| own.uncontrolled.is_none());
        Described { parameters, tanh_speed: None, controllers: left.cloned().collect(), without_control: false }
    }

    fn build(&self) -> Result<Built, RunFailure> {
        let vehicle = Vehicle::new(self.parameters.clone()).map_err(RunFailure::model)?;
        let mut brakes: Vec<Signal> = vehicle.parameters().wheels.iter().map(|wheel| wheel.brake.clone()).collect();
        for (wheel, greatest) in self.controllers.iter().filter_map(|own| own.brakes) {
            brakes[wheel] = Signal::Constant(greatest);
        }
        let wirings = self.controllers.iter().map(|own| own.wiring.clone()).collect();
        let beside = self.without_control.then(|| self.uncontrolled().build().map(Box::new)).transpose()?;
        Ok(Built { vehicle, tanh_speed: self.tanh_speed, wirings, brakes, beside })
    }
}

impl Model for Described {
    fn name(&self) -> &'static str {
        VehicleTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let mut lines = explain(&self.parameters);
        lines.extend(self.controllers.iter().map(|own| {
            let (name, input, period) = (&own.wiring.name, own.wiring.input(), number(own.wiring.period()));
            format!("controller {name}: sampled at k {period} s exactly, drives {input}; see docs/vehicle.md 8")
        }));
        Ok(lines)
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(self.build()?))
    }

    fn side_by_side(&self, models: &[Arc<dyn Model>], grid: Grid) -> Vec<Option<Box<dyn Simulation>>> {
        stepped_together(models, grid, |model| {
            let own = model.of::<Described>().filter(|own| own.controllers.is_empty())?;
            if own.parameters.wheels.len() > MOST_WHEELS_SIDE_BY_SIDE {
                return None;
            }
            Vehicle::new(own.parameters.clone()).ok()
        })
    }
}

/// Vehicles with more wheels are stepped one by one: on four wheels a block of vehicles takes as long as each of them alone, or longer
/// (`vehicles_side_by_side`, BENCHMARKS.md), for all of them wait for that one whose contacts take longest to find.
const MOST_WHEELS_SIDE_BY_SIDE: usize = 3;

/// The same, built.
struct Built {
    vehicle: Vehicle,
    tanh_speed: Option<f64>,
    wirings: Vec<Wiring>,
    /// What brakes may hold: given, or commanded.
    brakes: Vec<Signal>,
    /// The same without control, where that is to run beside it.
    beside: Option<Box<Built>>,
}

impl TimeModel for Built {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        let run = by_any_scheme(&self.vehicle, scheme, h)?;
        if self.wirings.is_empty() {
            return Ok(run);
        }
        Ok(Box::new(Controlled::new(run, self.wirings.clone())?))
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(measures::gauge(&self.vehicle, &self.brakes))
    }

    fn parts(&self) -> Vec<Part> {
        measures::parts(&self.vehicle)
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        let grid = Grid { h: summary.step, steps: summary.steps };
        let contrast = self.tanh_speed.map(|speed| Contrast::new(&self.vehicle, speed, grid)).transpose();
        // What is shown beside a run does not take the run away.
        let (contrast, missing) = match contrast {
            Ok(contrast) => (contrast, None),
            Err(error) => (None, Some(format!("smoothed friction is not shown beside it: {error}"))),
        };
        let beside = self.beside.as_ref().map(|other| Uncontrolled::new(&**other, summary)).transpose();
        let beside = beside.map_err(|error| RunFailure::Simulation(format!("without control: {error}")))?;
        let mut view = charts::vehicle(&self.vehicle, trace, summary, contrast.as_ref());
        view.lines.extend(missing);
        if let Some(beside) = beside {
            let json = serde_json::to_value(&beside).map_err(|error| RunFailure::Simulation(error.to_string()))?;
            view.more.insert("without_control", json);
            view.lines.push(beside.words(summary));
            charts::beside(&beside, trace, summary, &mut view);
        }
        if let Some(contrast) = contrast {
            let json = serde_json::to_value(&contrast).map_err(|error| RunFailure::Simulation(error.to_string()))?;
            view.more.insert("contrast", json);
            view.lines.push(contrast.words());
        }
        Ok(view)
    }

    fn recurrence(&self, section: &PoincareSection, trace: &Trace, view: &mut View) {
        recurrence(&self.vehicle, section, trace, view);
    }
}

/// What of the road is not the friction that the wheels have on dry ground.
fn road(p: &Parameters) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(profile) = &p.road.profile {
        let points = profile.points();
        let angles = points.values().iter().map(|angle| angle.to_degrees());
        let shown = points.times().iter().zip(angles).take(MOST);
        let shown: Vec<String> = shown.map(|(x, angle)| format!("{} at {} m", number(angle), number(*x))).collect();
        let more = points.times().len().saturating_sub(MOST);
        let more = if more == 0 { String::new() } else { format!(" and {more} more points") };
        lines.push(format!("slope by place, in deg: {}{more}; straight in between", shown.join(", ")));
    } else if !matches!(p.slope, Signal::Constant(0.0)) {
        lines.push(format!("slope(t) = {} rad, uphill", signal_text(&p.slope)));
    }
    let patch = |patch: &Patch| {
        let side = match patch.side {
            Side::Left => "left, ",
            Side::Right => "right, ",
            Side::Both => "",
        };
        let (from, to) = (number(patch.from), number(patch.to));
        format!("patch of the road, {side}x = {from} to {to} m: friction {}", signal_text(&patch.friction))
    };
    lines.extend(p.road.patches.iter().take(MOST).map(patch));
    if p.road.patches.len() > MOST {
        lines.push(format!("and {} more patches", p.road.patches.len() - MOST));
    }
    lines
}

fn explain(p: &Parameters) -> Vec<String> {
    let mut lines = vec![
        "m x1' + r + sum f_i = -m g sin(slope) - c |x1| x1,  J_i v_i' + f_i + g_i = M_i/R_i".to_string(),
        "f_i in a_Gi sigma(x1 + v_i),  g_i in a_Bi sigma(v_i); see docs/vehicle.md".to_string(),
        format!(
            "m = {} kg   m g = {} N   c = {} N s^2/m^2   rolling resistance {} N + {} of the load",
            number(p.mass),
            number(p.mass * p.gravity),
            number(p.drag),
            number(p.resistance),
            number(p.road.rolling)
        ),
    ];
    lines.extend(road(p));
    if let Some(body) = p.body.as_ref().filter(|_| p.loads_move()) {
        lines.push(format!(
            "loads follow forces: N_i = N_i0 cos(slope) + c_i Q,  Q = sum ((h - R_j) f_j - R_j g_j + M_j) + (h - R) r,  h = {} m",
            number(body.height)
        ));
        if let Ok(vehicle) = Vehicle::new(p.clone()) {
            let shares: Vec<String> = vehicle.load_shares().take(MOST).map(number).collect();
            let kappa = vehicle.contraction().filter(|kappa| kappa.is_finite()).map_or("not known".into(), number);
            lines.push(format!("c = ({}) 1/m   kappa* = {kappa} (below 1: exactly one solution)", shares.join(", ")));
        }
    }
    if p.wheels.iter().any(|wheel| wheel.tyre.is_some()) {
        lines.push(
            "on a tyre f = -(C z + shift) with z' = -V_e - q z, which relaxes to the Magic Formula; see docs/vehicle.md 6".into(),
        );
    }
    if p.wheels.iter().any(|wheel| wheel.disc.is_some()) {
        lines.push(
            "a brake disc has C T' = share |g v| - hA (T - T0), and a_B fades with T; see docs/vehicle.md 7".into(),
        );
    }
    let wheel = |w: &WheelData| {
        let load = w.share * p.mass * p.gravity;
        let j = number(w.inertia / (w.radius * w.radius));
        format!(
            "{}: J = {j} kg   load {} N   {}",
            w.name,
            number(load),
            driven(w.radius, load, [&w.friction, &w.motor, &w.brake])
        )
    };
    lines.extend(p.wheels.iter().take(MOST).map(wheel));
    if p.wheels.len() > MOST {
        lines.push(format!("and {} more wheels", p.wheels.len() - MOST));
    }
    lines
}
