//! Assemblies as the campaign makes them: plain data that can be written as a scenario file, varied and shrunk.

mod file;
mod random;
mod simpler;
mod variant;

pub use variant::Units;

use crate::signal::Signal;

/// An assembly with its run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembly {
    /// Bodies, `b0`, `b1`, …
    pub bodies: Vec<Body>,
    /// Supports, `s0`, `s1`, …
    pub supports: Vec<Support>,
    /// Springs, `k0`, `k1`, …
    pub springs: Vec<Spring>,
    /// Dampers.
    pub dampers: Vec<Damper>,
    /// Stops, `w0`, `w1`, …
    pub stops: Vec<Stop>,
    /// Pads, `p0`, `p1`, …
    pub pads: Vec<Pad>,
    /// Forces.
    pub forces: Vec<Force>,
    /// Simulated time \[s\].
    pub duration: f64,
    /// Time between two rows \[s\].
    pub step: f64,
}

/// A body.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// Mass \[kg\].
    pub mass: f64,
    /// Yaw inertia, of bodies that turn [kg·m²].
    pub inertia: Option<f64>,
    /// Whether it moves along y, too.
    pub plane: bool,
    /// x, y \[m\], yaw \[rad\] at t = 0.
    pub place: [f64; 3],
    /// Their rates at t = 0.
    pub speed: [f64; 3],
}

/// A prescribed motion along one axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Motion {
    /// None.
    Still,
    /// By its speed [m/s].
    Speed(Signal),
    /// By its position \[m\].
    Position(Signal),
}

/// A support, by its motion along x and y.
#[derive(Debug, Clone, PartialEq)]
pub struct Support {
    /// Along x and along y.
    pub motion: [Motion; 2],
}

impl Support {
    /// Whether its position jumps.
    pub fn jumps(&self) -> bool {
        self.motion.iter().any(|motion| match motion {
            Motion::Position(Signal::Points(points)) => points.windows(2).any(|pair| pair[0].0 == pair[1].0),
            _ => false,
        })
    }
}

/// The other end of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixture {
    /// A body, by its number.
    Body(usize),
    /// A support, by its number.
    Support(usize),
    /// The ground.
    Ground,
}

/// A direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along both; a disk for pads.
    Xy,
}

/// Two ends and a direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The body whose motion counts as positive.
    pub of: usize,
    /// Where on it \[m\].
    pub at: [f64; 2],
    /// The other end.
    pub against: Fixture,
    /// The direction.
    pub along: Along,
}

/// A linear spring.
#[derive(Debug, Clone, PartialEq)]
pub struct Spring {
    /// Its ends.
    pub link: Link,
    /// [N/m].
    pub stiffness: f64,
    /// Force at zero displacement \[N\].
    pub preload: f64,
}

/// A linear damper.
#[derive(Debug, Clone, PartialEq)]
pub struct Damper {
    /// Its ends.
    pub link: Link,
    /// [N·s/m].
    pub damping: f64,
}

/// A stop.
#[derive(Debug, Clone, PartialEq)]
pub struct Stop {
    /// Its ends.
    pub link: Link,
    /// Either way \[m\].
    pub clearance: f64,
    /// Stiffness beyond it [N/m], or the restitution of a wall.
    pub beyond: Beyond,
}

/// What is beyond the clearance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Beyond {
    /// A spring [N/m].
    Spring(f64),
    /// A wall with this restitution.
    Wall(f64),
}

/// Coefficient of friction over the slip speed.
#[derive(Debug, Clone, PartialEq)]
pub enum Friction {
    /// The same at all speeds.
    Constant(f64),
    /// At rest, in slip.
    StaticKinetic(f64, f64),
    /// At rest, in fast slip, speed [m/s], exponent.
    Stribeck(f64, f64, f64, f64),
    /// At rest, in fast slip, slowness [s/m].
    Sech(f64, f64, f64),
    /// Points (speed, coefficient).
    Table(Vec<(f64, f64)>),
}

/// A friction pad.
#[derive(Debug, Clone, PartialEq)]
pub struct Pad {
    /// Its ends.
    pub link: Link,
    /// Normal load \[N\].
    pub load: Signal,
    /// A spring whose compression adds to the load.
    pub pressed_by: Option<usize>,
    /// Over the slip speed.
    pub friction: Friction,
    /// A factor over time.
    pub over_time: Option<Signal>,
    /// A factor over the displacement: points (place, factor).
    pub over_place: Option<Vec<(f64, f64)>>,
    /// Viscous part [N·s/m].
    pub viscous: f64,
}

/// A force on a body.
#[derive(Debug, Clone, PartialEq)]
pub struct Force {
    /// Which body.
    pub on: usize,
    /// 0: along x, 1: along y, 2: yaw moment.
    pub axis: usize,
    /// Its value \[N\] or [N·m].
    pub signal: Signal,
}

impl Assembly {
    /// Whether all bodies move along x alone.
    pub fn on_a_line(&self) -> bool {
        self.bodies.iter().all(|body| !body.plane)
    }

    /// Whether a support jumps under a pad, where its speed is infinite.
    pub fn jumps_under_friction(&self) -> bool {
        self.pads.iter().any(|pad| matches!(pad.link.against, Fixture::Support(i) if self.supports[i].jumps()))
    }

    /// Whether velocities can jump.
    pub fn has_walls(&self) -> bool {
        self.stops.iter().any(|stop| matches!(stop.beyond, Beyond::Wall(_)))
    }

    /// Links of all parts.
    pub fn links(&self) -> Vec<Link> {
        let springs = self.springs.iter().map(|part| part.link);
        let dampers = self.dampers.iter().map(|part| part.link);
        let stops = self.stops.iter().map(|part| part.link);
        springs.chain(dampers).chain(stops).chain(self.pads.iter().map(|part| part.link)).collect()
    }

    fn links_mut(&mut self) -> impl Iterator<Item = &mut Link> {
        let springs = self.springs.iter_mut().map(|part| &mut part.link);
        let dampers = self.dampers.iter_mut().map(|part| &mut part.link);
        let stops = self.stops.iter_mut().map(|part| &mut part.link);
        springs.chain(dampers).chain(stops).chain(self.pads.iter_mut().map(|part| &mut part.link))
    }

    /// All signals that move something or press on something.
    pub fn signals_mut(&mut self) -> impl Iterator<Item = &mut Signal> {
        let motions = self.supports.iter_mut().flat_map(|support| &mut support.motion);
        let motions = motions.filter_map(|motion| match motion {
            Motion::Still => None,
            Motion::Speed(signal) | Motion::Position(signal) => Some(signal),
        });
        let pads = self.pads.iter_mut().flat_map(|pad| std::iter::once(&mut pad.load).chain(&mut pad.over_time));
        motions.chain(pads).chain(self.forces.iter_mut().map(|force| &mut force.signal))
    }

    /// Instants at which a signal has a corner or jumps, within the run.
    pub fn breaks(&self) -> Vec<f64> {
        let mut list: Vec<f64> = self.clone().signals_mut().flat_map(|signal| signal.breaks()).collect();
        list.retain(|t| *t > 0.0 && *t <= self.duration);
        list.sort_by(f64::total_cmp);
        list.dedup();
        list
    }
}
