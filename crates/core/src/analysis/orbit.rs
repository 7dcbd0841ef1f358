//! A motion taken up at any of its points, and followed to an instant or to the next arrival of a contact at rest.

use std::convert::Infallible;

use stickslip_linalg::{Matrix, pseudo_inverse};

use crate::inclusion::{Rows, SolveError};
use crate::law::State;
use crate::mechanics::{At, Flow, Grip, Sizes, Smooth, SystemError};
use crate::scheme::events::Settings;
use crate::scheme::{Event, EventRunResult, Grid, NullObserver, Observer, RunError, smooth_events};

/// A contact has arrived at rest with a slip below this share of the greatest speed: an event is located to 1e-12 of its time.
const ARRIVED: f64 = 1e-9;

/// Velocities of a contact at rest cancel to this share of the greatest of them.
const AT_REST: f64 = 1e-13;

/// A point of a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Time \[s\].
    pub t: f64,
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

impl Point {
    /// The start of a system.
    pub fn start(system: &dyn Smooth) -> Point {
        let (q, v) = system.initial();
        Point { t: 0.0, q, v }
    }

    /// Coordinates (q, v).
    pub fn coordinates(&self) -> Vec<f64> {
        [&self.q[..], &self.v].concat()
    }
}

/// A contact that comes to rest, or passes through it.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrival {
    /// Where; the slip of the contact is zero.
    pub point: Point,
    /// The event.
    pub event: Event,
    /// All changes of state since the point before, this one included: contact, stuck before, stuck after.
    pub passed: Vec<(usize, bool, bool)>,
}

/// The same system, started elsewhere. Its time begins there with zero, so that late in a motion small slips are resolved as
/// finely as early.
#[derive(Clone, Copy)]
struct Resumed<'a> {
    system: &'a dyn Smooth,
    point: &'a Point,
}

impl Resumed<'_> {
    fn then<'b>(&self, at: At<'b>) -> At<'b> {
        At { t: at.t + self.point.t, ..at }
    }
}

impl Smooth for Resumed<'_> {
    fn sizes(&self) -> Sizes {
        self.system.sizes()
    }

    fn contact_sizes(&self) -> Vec<usize> {
        self.system.contact_sizes()
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (self.point.q.clone(), self.point.v.clone())
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        self.system.drift(self.then(at), out);
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        self.system.acceleration(self.then(at), out);
    }

    fn parts(&self, at: At, bounds: &[f64], out: &mut [f64]) {
        self.system.parts(self.then(at), bounds, out);
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        self.system.slips(self.then(at), out);
    }

    fn slip_rates(&self, at: At, acceleration: &[f64], out: &mut [f64]) {
        self.system.slip_rates(self.then(at), acceleration, out);
    }

    fn push(&self, at: At, forces: &[f64], y: &mut [f64]) {
        self.system.push(self.then(at), forces, y);
    }

    fn influence(&self, at: At) -> Matrix {
        self.system.influence(self.then(at))
    }

    fn influence_is_constant(&self) -> bool {
        self.system.influence_is_constant()
    }

    fn bound(&self, contact: usize, at: At, grip: Grip) -> f64 {
        self.system.bound(contact, self.then(at), grip)
    }

    fn transfers(&self) -> bool {
        self.system.transfers()
    }

    fn describes(&self, flow: &Flow) -> Result<(), SystemError> {
        self.system.describes(&Flow { t: flow.t + self.point.t, ..flow.clone() })
    }

    fn transfer(&self, at: At, forces: &[f64]) -> f64 {
        self.system.transfer(self.then(at), forces)
    }

    fn powers(&self, at: At, forces: &[f64], out: &mut [f64]) {
        self.system.powers(self.then(at), forces, out);
    }

    fn guards(&self, at: At, out: &mut [f64]) {
        self.system.guards(self.then(at), out);
    }

    fn next_break(&self, t: f64) -> f64 {
        self.system.next_break(t + self.point.t) - self.point.t
    }

    fn place(&self, t: f64, q: &mut [f64]) {
        self.system.place(t + self.point.t, q);
    }

    fn jump_work(&self, q: &[f64], to: &[f64], work: &mut [f64]) {
        self.system.jump_work(q, to, work);
    }

    fn rows(&self) -> Option<(&Rows, &[f64])> {
        self.system.rows()
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        self.system.select(stuck, v);
    }

    fn select_rates(&self, stuck: &[bool], a: &mut [f64]) {
        self.system.select_rates(stuck, a);
    }

    fn check(&self, t: f64) -> Result<(), SystemError> {
        self.system.check(t + self.point.t)
    }
}

/// Follows the motion for the duration given.
pub fn advance(system: &dyn Smooth, from: &Point, duration: f64) -> Result<Point, RunError<Infallible>> {
    flow_after(system, from, duration).map(|flow| Point { t: from.t + duration, q: flow.q, v: flow.v })
}

fn flow_after(system: &dyn Smooth, from: &Point, duration: f64) -> Result<Flow, RunError<Infallible>> {
    Ok(run_from(system, from, duration, &mut NullObserver)?.state)
}

/// Runs the system from a point on. Times that the observer and the result see begin there with zero.
pub fn run_from<O: Observer<Flow>>(
    system: &dyn Smooth,
    from: &Point,
    duration: f64,
    observer: &mut O,
) -> Result<EventRunResult<Flow>, RunError<O::Error>> {
    let resumed = Resumed { system, point: from };
    smooth_events(&resumed, Flow::clone, Grid { h: duration, steps: 1 }, &Settings::default(), observer)
}

/// Follows the motion to the next instant at which the contact's slip becomes zero; none if that takes longer than the
/// horizon. `section` says which arrivals count.
pub fn next_arrival(
    system: &dyn Smooth,
    from: &Point,
    contact: usize,
    horizon: f64,
    section: impl Fn(&Event) -> bool,
) -> Result<Option<Arrival>, RunError<Infallible>> {
    let mut from = from.clone();
    let mut passed = Vec::new();
    let until = from.t + horizon;
    while from.t < until {
        let mut watch = Watch { contact, section: &section, passed: Vec::new(), found: None };
        match run_from(system, &from, until - from.t, &mut watch) {
            Ok(_) => return Ok(None),
            Err(RunError::Observer(Found)) => {}
            Err(RunError::System(error)) => return Err(RunError::System(error)),
            Err(RunError::Overflow { t }) => return Err(RunError::Overflow { t: t + from.t }),
        }
        let Some(event) = watch.found else { return Ok(None) };
        passed.extend(watch.passed);
        // Events carry no state: go there once more.
        let flow = flow_after(system, &from, event.t)?;
        let mut point = Point { t: from.t + event.t, q: flow.q, v: flow.v };
        let own = components(system, contact);
        let slip = flow.s[own].iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        if slip <= ARRIVED * flow.speed {
            let resting: Vec<bool> = (0..flow.states.len())
                .map(|c| c == contact || (flow.states[c] == State::Stick && flow.s[components(system, c)] == [0.0]))
                .collect();
            bring_to_rest(system, &mut point, &resting).map_err(RunError::System)?;
            let event = Event { t: point.t, ..event };
            return Ok(Some(Arrival { point, event, passed }));
        }
        // A contact that transmitted nothing turned round unseen and was noticed later: no arrival.
        from = point;
    }
    Ok(None)
}

/// Components of a contact.
fn components(system: &dyn Smooth, contact: usize) -> std::ops::Range<usize> {
    let sizes = system.contact_sizes();
    let first: usize = sizes[..contact].iter().sum();
    first..first + sizes[contact]
}

/// Takes the slips of the contacts given out of the velocities by the impulses that these contacts would exert.
pub(super) fn bring_to_rest(system: &dyn Smooth, point: &mut Point, resting: &[bool]) -> Result<(), SystemError> {
    let sizes = system.sizes();
    let mut sides = vec![false; sizes.guards];
    let mut guards = vec![0.0; sizes.guards];
    let before = point.v.clone();
    system.guards(At { t: point.t, q: &point.q, v: &before, sides: &sides, transfer: 0.0 }, &mut guards);
    sides.iter_mut().zip(&guards).for_each(|(side, value)| *side = *value >= 0.0);
    let at = At { t: point.t, q: &point.q, v: &before, sides: &sides, transfer: 0.0 };
    let held: Vec<usize> = (0..resting.len()).filter(|&c| resting[c]).flat_map(|c| components(system, c)).collect();
    let mut slips = vec![0.0; system.contact_sizes().iter().sum()];
    system.slips(at, &mut slips);
    let w = system.influence(at);
    let inverse = pseudo_inverse(&Matrix::from_fn(held.len(), held.len(), |i, j| w[(held[i], held[j])]))
        .map_err(SolveError::from)?;
    let mut impulses = vec![0.0; slips.len()];
    for (i, &k) in held.iter().enumerate() {
        impulses[k] = -held.iter().enumerate().map(|(j, &l)| inverse[(i, j)] * slips[l]).sum::<f64>();
    }
    system.push(at, &impulses, &mut point.v);
    system.select(resting, &mut point.v);
    Ok(())
}

/// Which contacts are at rest at a point, as seen from its velocities.
pub(super) fn resting(system: &dyn Smooth, point: &Point) -> Vec<bool> {
    let sides = vec![false; system.sizes().guards];
    let mut slips = vec![0.0; system.contact_sizes().iter().sum()];
    system.slips(At { t: point.t, q: &point.q, v: &point.v, sides: &sides, transfer: 0.0 }, &mut slips);
    let speed = point.v.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let small = |c: usize| slips[components(system, c)].iter().all(|s| s.abs() <= AT_REST * speed);
    (0..system.contact_sizes().len()).map(small).collect()
}

/// Stops a run at the first arrival.
struct Watch<'a, F> {
    contact: usize,
    section: &'a F,
    passed: Vec<(usize, bool, bool)>,
    found: Option<Event>,
}

struct Found;

impl<F: Fn(&Event) -> bool> Observer<Flow> for Watch<'_, F> {
    type Error = Found;

    fn every(&self) -> u64 {
        u64::MAX
    }

    fn sample(&mut self, _: u64, _: f64, _: &Flow) -> Result<(), Found> {
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Found> {
        self.passed.push((event.contact, event.from == State::Stick, event.to == State::Stick));
        let arrives = event.contact == self.contact && matches!(event.from, State::Slip(_));
        if arrives && (self.section)(event) {
            self.found = Some(*event);
            return Err(Found);
        }
        Ok(())
    }
}
