//! One random system, of whatever model.

use stickslip_scenario::Scheme;

use crate::assembly::{Assembly, Units};
use crate::random::Random;
use crate::vehicle::Vehicle;

/// A random system.
#[derive(Debug, Clone, PartialEq)]
pub enum Case {
    /// Bodies, springs, pads.
    Assembly(Assembly),
    /// A vehicle, or a single wheel.
    Vehicle(Vehicle),
}

impl Case {
    /// The case of a number in a campaign: of ten, seven are assemblies, two vehicles and one a wheel.
    pub fn random(seed: u64, number: u64) -> Case {
        let mut random = Random::of_case(seed, number);
        match number % 10 {
            7 | 8 => Case::Vehicle(Vehicle::random(&mut random, false)),
            9 => Case::Vehicle(Vehicle::random(&mut random, true)),
            _ => Case::Assembly(Assembly::random(&mut random)),
        }
    }

    /// The model's name.
    pub fn model(&self) -> &'static str {
        match self {
            Case::Assembly(_) => "assembly",
            Case::Vehicle(vehicle) if vehicle.single => "wheel",
            Case::Vehicle(_) => "vehicle",
        }
    }

    /// The scenario file, run by a scheme.
    pub fn text(&self, scheme: Scheme) -> String {
        match self {
            Case::Assembly(assembly) => assembly.toml(scheme.name()),
            Case::Vehicle(vehicle) => vehicle.toml(scheme.name()),
        }
    }

    /// The schemes of steps that the model has.
    pub fn steppers(&self) -> &'static [Scheme] {
        match self {
            Case::Assembly(_) => &[Scheme::ImplicitEuler, Scheme::MoreauJean],
            Case::Vehicle(_) => &[Scheme::ImplicitEuler],
        }
    }

    /// All schemes that know the case, events first where they do.
    pub fn schemes(&self) -> Vec<Scheme> {
        let events = (!self.jumps()).then_some(Scheme::Events);
        events.into_iter().chain(self.steppers().iter().copied()).collect()
    }

    /// Instants at which a signal has a corner or jumps.
    pub fn breaks(&self) -> Vec<f64> {
        match self {
            Case::Assembly(assembly) => assembly.breaks(),
            Case::Vehicle(vehicle) => vehicle.breaks(),
        }
    }

    /// The greatest speed at t = 0 [m/s].
    pub fn speed(&self) -> f64 {
        let speeds: Vec<f64> = match self {
            Case::Assembly(assembly) => assembly.bodies.iter().flat_map(|body| body.speed).collect(),
            Case::Vehicle(vehicle) => vehicle.wheels.iter().filter_map(|w| w.speed).chain([vehicle.speed]).collect(),
        };
        speeds.iter().fold(0.0, |m, v| m.max(v.abs()))
    }

    /// Whether velocities can jump or be infinite for an instant, which events do not know.
    pub fn jumps(&self) -> bool {
        match self {
            Case::Assembly(assembly) => assembly.has_walls() || assembly.jumps_under_friction(),
            Case::Vehicle(_) => false,
        }
    }

    /// Whether bodies strike walls: steps differ about the velocities and the energies in the step of a blow.
    pub fn strikes(&self) -> bool {
        matches!(self, Case::Assembly(assembly) if assembly.has_walls())
    }

    /// A neighbour at about this distance.
    #[must_use]
    pub fn neighbour(&self, size: f64, random: &mut Random) -> Case {
        match self {
            Case::Assembly(assembly) => Case::Assembly(assembly.neighbour(size, random)),
            Case::Vehicle(vehicle) => Case::Vehicle(vehicle.neighbour(size, random)),
        }
    }

    /// All directions turned round.
    pub fn mirrored(&self) -> Option<Case> {
        match self {
            Case::Assembly(assembly) => assembly.mirrored().map(Case::Assembly),
            Case::Vehicle(vehicle) => Some(Case::Vehicle(vehicle.mirrored())),
        }
    }

    /// The same motion along x, in the plane.
    pub fn in_plane(&self) -> Option<Case> {
        match self {
            Case::Assembly(assembly) => assembly.in_plane().map(Case::Assembly),
            Case::Vehicle(_) => None,
        }
    }

    /// Parts as two halves.
    pub fn in_halves(&self) -> Option<Case> {
        match self {
            Case::Assembly(assembly) => assembly.in_halves().map(Case::Assembly),
            Case::Vehicle(vehicle) => vehicle.in_halves().map(Case::Vehicle),
        }
    }

    /// In other units.
    #[must_use]
    pub fn in_units(&self, units: Units) -> Case {
        match self {
            Case::Assembly(assembly) => Case::Assembly(assembly.in_units(units)),
            Case::Vehicle(vehicle) => Case::Vehicle(vehicle.in_units(units)),
        }
    }

    /// After a wait of so many rows: at rest, or of vehicles also coasting.
    pub fn delayed(&self, rows: u64) -> Option<Case> {
        match self {
            Case::Assembly(assembly) => assembly.delayed(rows).map(Case::Assembly),
            Case::Vehicle(vehicle) => vehicle.delayed(rows).map(Case::Vehicle),
        }
    }

    /// Whether something moves while the case waits.
    pub fn moves_while_it_waits(&self) -> bool {
        match self {
            Case::Assembly(_) => false,
            Case::Vehicle(vehicle) => !vehicle.begins_at_rest(),
        }
    }

    /// What goes on from a row at time t, whose columns have these values; none where it cannot be written.
    pub fn from_row(&self, t: f64, value: &dyn Fn(&str) -> f64) -> Option<Case> {
        match self {
            Case::Assembly(assembly) => {
                let read = |rates: &str, i: usize| ["x", "y", "yaw"].map(|axis| value(&format!("{rates}{axis}_b{i}")));
                let bodies = 0..assembly.bodies.len();
                let places: Vec<[f64; 3]> = bodies.clone().map(|i| read("", i)).collect();
                let speeds: Vec<[f64; 3]> = bodies.map(|i| read("v", i)).collect();
                assembly.from_time(t, &places, &speeds).map(Case::Assembly)
            }
            Case::Vehicle(vehicle) => {
                let wheel = |i: usize| if vehicle.single { value("x2") } else { value(&format!("v_w{i}")) };
                let wheels: Vec<f64> = (0..vehicle.wheels.len()).map(wheel).collect();
                Some(Case::Vehicle(vehicle.from_time(t, value("x"), value("x1"), &wheels)))
            }
        }
    }

    /// Cases with a little less in them.
    pub fn simpler(&self) -> Vec<Case> {
        match self {
            Case::Assembly(assembly) => assembly.simpler().into_iter().map(Case::Assembly).collect(),
            Case::Vehicle(vehicle) => vehicle.simpler().into_iter().map(Case::Vehicle).collect(),
        }
    }
}
