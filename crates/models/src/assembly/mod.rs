//! Assemblies: bodies on a line or in the plane, joined by springs, dampers, stops and friction pads.
//!
//! ```text
//! M q̈ + C q̇ + K q = F(t) − (stops, tables) + Hᵀ r,      s = H q̇ + u(t),      −s ∈ N_C(r)
//!
//!        y (right)         a point (p_x, p_y) of a body moves by (x − p_y ψ, y + p_x ψ)
//!        |  ψ: from x to y
//!        o----- x (forward)
//! ```
//!
//! Kinematics are linear: displacements are small against the distances between points, and springs keep their
//! directions. M is diagonal (coordinates are those of centres of mass); K and C gather the linear springs and dampers;
//! the rows of H are the directions in which pads rub, u the speeds of belts under them. C is the product of intervals
//! [−μN, μN] (pads along one direction) and disks |r| ≤ μN (pads in the plane).
//!
//! The wagon bogie of Xia, Wolfs and Cole (2005), their two masses, blocks on belts and chains of blocks are data for
//! this model.

mod charts;
mod check;
mod claims;
mod contrast;
mod corners;
mod elements;
mod error;
mod explain;
mod facts;
mod file;
mod inputs;
mod kernel;
mod limits;
mod linear;
mod loads;
mod loops;
mod measures;
mod model;
mod network;
mod outcome;
mod parts;
mod picture;
mod portraits;
mod record;
mod smooth;
mod state;
mod steady;
mod ties;

pub use error::{AssemblyError, Part, Place};
pub use facts::{Facts, Threshold};
pub use kernel::AssemblyKernel;
pub use model::KIND;
pub use parts::{
    Body, Buffer, Characteristic, Damper, Element, End, Face, Fixture, Force, Freedom, Link, Motion, Pad, Spring, Stop,
    Support,
};
pub use state::{AssemblyState, AssemblyWorkspace};
pub use steady::NotSteady;

use corners::Corners;
use network::Network;

use stickslip_core::Name;
use stickslip_core::law::{Coefficient, Curve, State};
use stickslip_core::mechanics::{Clock, Dissipation, Ledger, System, SystemError, Uniqueness};
use stickslip_core::record::Column;

/// Under this name the heat of all dampers is given.
const DAMPERS: &str = "dampers";

/// Under this name what the θ-method loses besides, for θ > ½.
const SCHEME: &str = "time steps";

/// Data of an assembly, before any check.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    /// Bodies, at least one; linked to each other, or all to the ground or to supports.
    pub bodies: Vec<Body>,
    /// Belts and shakers.
    pub supports: Vec<Support>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Dampers.
    pub dampers: Vec<Damper>,
    /// Stops with clearance.
    pub stops: Vec<Stop>,
    /// Friction pads.
    pub pads: Vec<Pad>,
    /// Forces on bodies.
    pub forces: Vec<Force>,
}

/// A wall that moves a distance in no time.
const WALL_JUMPS: &str = "its wall is on a support whose position jumps, and would be on the other side of a body without \
                          having met it: give the support a speed, or a position that rises over several steps";

/// Displacements this share beyond a wall are rounding.
const BEYOND: f64 = 1e-9;

/// An assembly, checked, as a network of rows.
#[derive(Debug, Clone)]
pub struct Assembly {
    parameters: Parameters,
    network: Network,
    /// Curves of the tabled springs and dampers.
    tabled_springs: Vec<Curve>,
    tabled_dampers: Vec<Curve>,
    /// Stops that are springs, and those that are walls.
    spring_stops: Vec<usize>,
    walls: Vec<usize>,
    /// Pads whose friction is an element, not the set-valued law.
    elements: Vec<usize>,
    /// Corners of its tables.
    corners: Corners,
    /// The first pad with the same coefficient of friction.
    alike: Vec<usize>,
    /// Whether the friction of a pad depends on its slip.
    drops: bool,
    contacts: Vec<Name>,
    columns: Vec<Column>,
    facts: Facts,
}

impl Assembly {
    /// Checks the data and builds the matrices.
    pub fn new(parameters: Parameters) -> Result<Assembly, AssemblyError> {
        check::loaded(&parameters)?;
        Assembly::of(parameters)
    }

    /// The same, of which pads may have no load.
    pub(super) fn of(parameters: Parameters) -> Result<Assembly, AssemblyError> {
        check::check(&parameters)?;
        let p = &parameters;
        let network = Network::new(p);
        let curve = |c: &Characteristic| match c {
            Characteristic::Linear(_) => None,
            Characteristic::Table(curve) => Some(curve.clone()),
        };
        let stops = |wall: bool| {
            let kind = move |i: &usize| matches!(p.stops[*i].buffer, Buffer::Wall(_)) == wall;
            (0..p.stops.len()).filter(kind).collect::<Vec<_>>()
        };
        let (spring_stops, walls) = (stops(false), stops(true));
        let alike = |i: usize| (0..=i).find(|&j| p.pads[j].coefficient == p.pads[i].coefficient).unwrap_or(i);
        let names = p.pads.iter().map(|pad| pad.name.clone());
        let names = names.chain(walls.iter().map(|&i| p.stops[i].name.clone()));
        let mut assembly = Assembly {
            tabled_springs: p.springs.iter().filter_map(|s| curve(&s.characteristic)).collect(),
            tabled_dampers: p.dampers.iter().filter_map(|d| curve(&d.characteristic)).collect(),
            corners: Corners::new(p, spring_stops.len()),
            spring_stops,
            elements: (0..p.pads.len()).filter(|&i| p.pads[i].element != Element::Exact).collect(),
            alike: (0..p.pads.len()).map(alike).collect(),
            drops: p.pads.iter().any(|pad| !matches!(pad.coefficient, Coefficient::Constant(_))),
            contacts: names.map(Name::Owned).collect(),
            columns: Vec::new(),
            facts: Facts::new(p, &network),
            walls,
            network,
            parameters,
        };
        assembly.columns = assembly.make_columns();
        assembly.check_names()?;
        assembly.check_walls()?;
        Ok(assembly)
    }

    /// No body begins beyond a wall, which would not hold it from there.
    fn check_walls(&self) -> Result<(), AssemblyError> {
        let start = AssemblyState::new(self);
        for (i, &stop) in self.walls.iter().enumerate() {
            let at = start.moved[self.components(self.parameters.pads.len() + i).start];
            let clearance = self.parameters.stops[stop].clearance;
            let link = &self.parameters.stops[stop].link;
            let on_jump = |end: &End| match end.on {
                Fixture::Support(support) => self.parameters.supports[support]
                    .motion
                    .iter()
                    .any(|motion| matches!(motion, Motion::Position(signal) if signal.jumps())),
                _ => false,
            };
            if on_jump(&link.of) || on_jump(&link.against) {
                let part = check::named(&self.parameters, Part::Stop(stop));
                return Err(AssemblyError::Link { part, fault: WALL_JUMPS });
            }
            if at.abs() > clearance * (1.0 + BEYOND) {
                let part = check::named(&self.parameters, Part::Stop(stop));
                return Err(AssemblyError::Beyond { part, at, clearance });
            }
        }
        Ok(())
    }

    /// What is recorded has names of its own.
    fn check_names(&self) -> Result<(), AssemblyError> {
        let mut known = std::collections::HashSet::new();
        if let Some(at) = self.columns.iter().position(|column| !known.insert(&column.name)) {
            // Names of parts differ; only the number of a second force on a body can make up another body's name.
            let force = at.saturating_sub(self.first_force_column());
            return Err(AssemblyError::SameColumn { force, column: self.columns[at].name.to_string() });
        }
        if self.has_dampers() && self.contacts.iter().any(|name| name == DAMPERS) {
            return Err(AssemblyError::Dampers);
        }
        if self.contacts.iter().any(|name| name == SCHEME) {
            return Err(AssemblyError::SameName { name: SCHEME.into() });
        }
        Ok(())
    }

    fn has_dampers(&self) -> bool {
        !self.parameters.dampers.is_empty() || !self.network.damping.is_empty()
    }

    /// The data it was made from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// What can be told of it before any step: sizes, ranks, frequencies, thresholds.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Components of pad (or wall) i in the lists of the state.
    pub fn components(&self, pad: usize) -> std::ops::Range<usize> {
        let first = self.network.pad_first[pad];
        first..self.network.pad_first.get(pad + 1).copied().unwrap_or(self.network.pads.own.len())
    }

    /// First coordinate of body i in the lists of the state.
    pub fn first_coordinate(&self, body: usize) -> usize {
        self.network.first[body]
    }

    /// Kinetic energy and energy of the springs and stops \[J\].
    fn stored(&self, u: &AssemblyState) -> f64 {
        let net = &self.network;
        let kinetic: f64 = net.mass.iter().zip(&u.v).map(|(m, v)| 0.5 * m * v * v).sum();
        let springs: f64 = (net.stiffness.iter().enumerate())
            .map(|(k, stiffness)| {
                let e = net.springs.dot(k, &u.q, &u.support);
                0.5 * stiffness * e * e
            })
            .sum();
        let tabled: f64 = self.tabled_springs.iter().zip(&u.stretch).map(|(c, d)| c.integral(*d)).sum();
        let stops: f64 = (self.spring_stops.iter().zip(&u.stretch[self.tabled_springs.len()..]))
            .map(|(&stop, &d)| {
                let past = d.abs() - self.parameters.stops[stop].clearance;
                0.5 * self.stop_force(stop, d).abs() * past.max(0.0)
            })
            .sum();
        kinetic + springs + tabled + stops
    }
}

impl System for Assembly {
    type State = AssemblyState;
    type Workspace = AssemblyWorkspace;
    const THETA: bool = true;

    type Kernel<'a> = AssemblyKernel<'a>;

    fn start(&self) -> AssemblyState {
        AssemblyState::new(self)
    }

    fn workspace(&self) -> AssemblyWorkspace {
        AssemblyWorkspace::new(self)
    }

    fn kernel(&self, n: u64, clock: Clock) -> Result<(AssemblyKernel<'_>, u64), SystemError> {
        AssemblyKernel::new(self, n, clock)
    }

    fn contacts(&self) -> &[Name] {
        &self.contacts
    }

    fn contact_states(&self, state: &AssemblyState, out: &mut [State]) {
        out.copy_from_slice(&state.modes);
    }

    fn velocities(&self, state: &AssemblyState, out: &mut [f64]) {
        out.copy_from_slice(&state.v);
    }

    fn dim(&self) -> usize {
        self.network.n
    }

    fn ledger(&self, state: &AssemblyState) -> Ledger {
        let of = |(contact, energy): (&Name, &f64)| Dissipation { contact: contact.clone(), energy: *energy };
        let mut dissipated: Vec<Dissipation> = self.contacts.iter().zip(&state.dissipated).map(of).collect();
        if self.has_dampers() {
            dissipated.push(Dissipation { contact: DAMPERS.into(), energy: state.damped });
        }
        if state.numerical != 0.0 {
            dissipated.push(Dissipation { contact: SCHEME.into(), energy: state.numerical });
        }
        // The fastest coordinate had at least the lightest mass.
        let lightest = self.network.mass.iter().fold(f64::INFINITY, |m, mass| m.min(*mass));
        let passed = 0.5 * lightest * state.speed * state.speed;
        Ledger { start: state.stored_at_start, stored: self.stored(state), work: state.work, dissipated, passed }
    }

    fn worst_residual(&self, state: &AssemblyState) -> f64 {
        if state.residual == 0.0 || state.speed == 0.0 { state.residual } else { state.residual / state.speed }
    }

    fn is_finite(&self, state: &AssemblyState) -> bool {
        state.is_finite()
    }

    fn uniqueness(&self) -> Uniqueness {
        self.facts.uniqueness()
    }
}
