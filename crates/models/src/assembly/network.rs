//! From parts to rows: which coordinates each part sees, and the matrices that follow.

use super::Parameters;
use super::parts::{Buffer, Characteristic, Element, End, Face, Fixture, Freedom, Link, Motion};
use stickslip_core::inclusion::Rows;
use stickslip_core::inclusion::coupled::Symmetric;
use stickslip_core::signal::Signal;

/// A value that a step needs: a number, or the line of a signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Drive {
    Constant(f64),
    Line(usize),
}

impl Drive {
    #[inline(always)]
    pub(super) fn at(&self, lines: &[f64]) -> f64 {
        match *self {
            Drive::Constant(value) => value,
            Drive::Line(k) => lines[k],
        }
    }
}

/// When in a step a signal is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// At its end.
    AtEnd,
    /// At its end, and it must not be negative.
    AsBound,
    /// θ of the step after its beginning.
    Within,
}

/// Signals that are not constant, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Signals {
    pub list: Vec<(&'static str, Taken, Signal)>,
}

impl Signals {
    fn drive(&mut self, what: &'static str, taken: Taken, signal: &Signal) -> Drive {
        if let Signal::Constant(value) = signal {
            return Drive::Constant(*value);
        }
        let same = |other: &Signal| match (signal, other) {
            (Signal::Sine(a), Signal::Sine(b)) => a == b,
            (Signal::Points(a), Signal::Points(b)) => a == b,
            _ => false,
        };
        // The same signal may be taken at different instants for different purposes.
        let known = self.list.iter().position(|(w, t, other)| *w == what && *t == taken && same(other));
        Drive::Line(known.unwrap_or_else(|| {
            self.list.push((what, taken, signal.clone()));
            self.list.len() - 1
        }))
    }
}

/// Rows over the coordinates and over the supports' motions (x and y of each), beside each other.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    pub own: Rows,
    pub supports: Rows,
}

impl Links {
    fn push(&mut self, network: &[usize], freedoms: &[Freedom], link: &Link, along: [f64; 2]) {
        let mut own = Vec::new();
        let mut supports = Vec::new();
        for (End { on, at }, sign) in [(link.of, 1.0), (link.against, -1.0)] {
            match on {
                Fixture::Ground => {}
                Fixture::Support(k) => supports.extend([(2 * k, sign * along[0]), (2 * k + 1, sign * along[1])]),
                Fixture::Body(i) => {
                    let first = network[i];
                    own.push((first, sign * along[0]));
                    if freedoms[i].dim() > 1 {
                        own.push((first + 1, sign * along[1]));
                    }
                    if freedoms[i].dim() > 2 {
                        own.push((first + 2, sign * (along[1] * at[0] - along[0] * at[1])));
                    }
                }
            }
        }
        self.own.push(own);
        self.supports.push(supports);
    }

    /// Row k times velocities (or coordinates) and support motions.
    #[inline(always)]
    pub(super) fn dot(&self, k: usize, own: &[f64], supports: &[f64]) -> f64 {
        let value = self.own.dot(k, own);
        if self.supports.is_zero() { value } else { value + self.supports.dot(k, supports) }
    }
}

/// The assembly as a network of rows.
#[derive(Debug, Clone)]
pub(super) struct Network {
    /// Number of coordinates.
    pub n: usize,
    /// First coordinate of each body.
    pub first: Vec<usize>,
    /// Diagonal of M.
    pub mass: Vec<f64>,
    /// Linear springs: rows, stiffness.
    pub springs: Links,
    pub stiffness: Vec<f64>,
    /// Which of them each spring of the parameters is, or which of the tabled ones.
    pub spring_at: Vec<(bool, usize)>,
    /// Linear dampers, viscous parts of pads included.
    pub dampers: Links,
    pub damping: Vec<f64>,
    /// Tabled springs and stop springs: rows whose displacement is followed.
    pub tabled: Links,
    /// Displacement up to which each of them gives no force (stops: the clearance; −1 for tables).
    pub play: Vec<f64>,
    /// For each of them the pad component with the same row, whose displacement is exactly constant in stick.
    pub shared: Vec<Option<usize>>,
    /// Whether all of them have one, and θ = 1.
    pub all_shared: bool,
    /// Whether the bounds change with slip alone, and there are no walls and no supports at pads.
    pub steady: bool,
    /// Tabled dampers.
    pub tabled_dampers: Links,
    /// Pads with their components, then walls.
    pub pads: Links,
    /// First component of each pad, and of each wall after them.
    pub pad_first: Vec<usize>,
    /// Contacts of the inclusion: the pads with exact friction, then the walls; their components among `pads`.
    pub contacts: Vec<usize>,
    /// How many of them are pads.
    exact: usize,
    pub contact_dims: Vec<usize>,
    /// First component (in `pads`) of each contact.
    pub contact_first: Vec<usize>,
    pub rows: Rows,
    /// Whether all contacts are disks with the exact law, in the order of the pads, and touch no support.
    pub plain: bool,
    /// Forces: coordinate and value.
    pub forces: Vec<(usize, Drive)>,
    /// Constant preloads as forces on the coordinates.
    pub constant: Vec<f64>,
    /// Loads of the pads and factors of their μ.
    pub loads: Vec<Drive>,
    pub factors: Vec<Drive>,
    /// Motion of the supports' axes.
    pub motions: Vec<Path>,
    pub signals: Signals,
}

/// Motion of a support along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Path {
    Still,
    Speed(Drive),
    Position(Drive),
}

impl Network {
    pub(super) fn new(p: &Parameters) -> Network {
        let mut first = Vec::new();
        let mut mass = Vec::new();
        for body in &p.bodies {
            first.push(mass.len());
            mass.push(body.mass);
            if body.freedom.dim() > 1 {
                mass.push(body.mass);
            }
            if let Freedom::Plane { inertia } = body.freedom {
                mass.push(inertia);
            }
        }
        let freedoms: Vec<Freedom> = p.bodies.iter().map(|b| b.freedom).collect();
        let mut signals = Signals::default();
        let (mut springs, mut dampers, mut tabled, mut tabled_dampers) =
            (Links::default(), Links::default(), Links::default(), Links::default());
        let (mut stiffness, mut damping, mut spring_at) = (Vec::new(), Vec::new(), Vec::new());
        let mut constant = vec![0.0; mass.len()];
        for spring in &p.springs {
            match &spring.characteristic {
                Characteristic::Linear(k) => {
                    spring_at.push((false, stiffness.len()));
                    springs.push(&first, &freedoms, &spring.link, spring.along);
                    stiffness.push(*k);
                    springs.own.add(stiffness.len() - 1, -spring.preload, &mut constant);
                }
                Characteristic::Table(_) => {
                    spring_at.push((true, tabled.own.len()));
                    tabled.push(&first, &freedoms, &spring.link, spring.along);
                    tabled.own.add(tabled.own.len() - 1, -spring.preload, &mut constant);
                }
            }
        }
        for damper in &p.dampers {
            match &damper.characteristic {
                Characteristic::Linear(c) => {
                    dampers.push(&first, &freedoms, &damper.link, damper.along);
                    damping.push(*c);
                }
                Characteristic::Table(_) => tabled_dampers.push(&first, &freedoms, &damper.link, damper.along),
            }
        }
        let mut pads = Links::default();
        let mut pad_first = Vec::new();
        for pad in &p.pads {
            pad_first.push(pads.own.len());
            let faces: &[[f64; 2]] = match &pad.face {
                Face::Along(along) => &[*along],
                Face::Disk => &[[1.0, 0.0], [0.0, 1.0]],
            };
            for along in faces {
                pads.push(&first, &freedoms, &pad.link, *along);
                if pad.viscous > 0.0 {
                    dampers.push(&first, &freedoms, &pad.link, *along);
                    damping.push(pad.viscous);
                }
            }
        }
        let pad_components = pads.own.len();
        let mut shared = vec![None; tabled.own.len()];
        let mut play = vec![-1.0; tabled.own.len()];
        let mut contacts: Vec<usize> = (0..p.pads.len()).filter(|&i| p.pads[i].element == Element::Exact).collect();
        let exact = contacts.len();
        for stop in &p.stops {
            match stop.buffer {
                Buffer::Spring(_) => {
                    tabled.push(&first, &freedoms, &stop.link, stop.along);
                    let k = tabled.own.len() - 1;
                    let same = |c: &usize| {
                        tabled.own.row(k).eq(pads.own.row(*c)) && tabled.supports.row(k).eq(pads.supports.row(*c))
                    };
                    shared.push((0..pad_components).find(same));
                    play.push(stop.clearance);
                }
                Buffer::Wall(_) => {
                    contacts.push(pad_first.len());
                    pad_first.push(pads.own.len());
                    pads.push(&first, &freedoms, &stop.link, stop.along);
                }
            }
        }
        let contact_first: Vec<usize> = contacts.iter().map(|&c| pad_first[c]).collect();
        let dim = |c: usize| p.pads.get(c).map_or(1, |pad| pad.face.dim());
        let contact_dims: Vec<usize> = contacts.iter().map(|&c| dim(c)).collect();
        let mut rows = Rows::default();
        for (&at, &dim) in contact_first.iter().zip(&contact_dims) {
            (at..at + dim).for_each(|k| rows.push(pads.own.row(k)));
        }
        let exact_disks = exact == p.pads.len() && contact_dims.iter().all(|dim| *dim == 2);
        let plain = exact_disks && contacts.len() == exact && pads.supports.is_zero();
        let mut forces = Vec::new();
        for force in &p.forces {
            let drive = signals.drive("a force", Taken::Within, &force.signal);
            match drive {
                Drive::Constant(value) => constant[first[force.body] + force.component] += value,
                Drive::Line(_) => forces.push((first[force.body] + force.component, drive)),
            }
        }
        let loads: Vec<Drive> =
            p.pads.iter().map(|pad| signals.drive("the load of a pad", Taken::AsBound, &pad.load)).collect();
        let factors: Vec<Drive> = p
            .pads
            .iter()
            .map(|pad| signals.drive("the friction factor of a pad", Taken::AsBound, &pad.over_time))
            .collect();
        let constant_drive = |drive: &Drive| matches!(drive, Drive::Constant(_));
        let alone = p.pads.iter().all(|pad| pad.over_place.is_none() && pad.pressed_by.is_none());
        let steady = alone
            && loads.iter().chain(&factors).all(constant_drive)
            && contacts.len() == exact
            && pads.supports.is_zero();
        let motions = p.supports.iter().flat_map(|s| &s.motion).map(|motion| match motion {
            Motion::Still => Path::Still,
            Motion::Speed(signal) => Path::Speed(signals.drive("the speed of a support", Taken::AtEnd, signal)),
            Motion::Position(signal) => {
                Path::Position(signals.drive("the position of a support", Taken::AtEnd, signal))
            }
        });
        let motions = motions.collect();
        Network {
            n: mass.len(),
            first,
            mass,
            springs,
            stiffness,
            spring_at,
            dampers,
            damping,
            tabled,
            play,
            all_shared: shared.iter().all(Option::is_some),
            steady,
            shared,
            tabled_dampers,
            pads,
            pad_first,
            contacts,
            exact,
            contact_dims,
            contact_first,
            rows,
            plain,
            forces,
            constant,
            loads,
            factors,
            motions,
            signals,
        }
    }

    /// The pads among the contacts of the inclusion.
    pub(super) fn exact(&self) -> &[usize] {
        &self.contacts[..self.exact]
    }

    /// M + c C + k K.
    pub(super) fn matrix(&self, c: f64, k: f64) -> Symmetric {
        let mut diagonal = self.mass.clone();
        let mut below = std::collections::BTreeMap::new();
        let parts = [(&self.springs, &self.stiffness, k), (&self.dampers, &self.damping, c)];
        for (links, values, factor) in parts {
            for (row, value) in values.iter().enumerate() {
                let size = factor * value;
                for (i, a) in links.own.row(row) {
                    for (j, b) in links.own.row(row) {
                        if i == j {
                            diagonal[i] += size * a * b;
                        } else if j < i && size != 0.0 {
                            *below.entry((i, j)).or_insert(0.0) += size * a * b;
                        }
                    }
                }
            }
        }
        Symmetric { diagonal, below: below.into_iter().map(|((i, j), value)| (i, j, value)).collect() }
    }
}
