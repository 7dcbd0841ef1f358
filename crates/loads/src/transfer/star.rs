//! The contacts of a vehicle at a given Q, and the straight piece of G around it.
//!
//! ```text
//! M0 (y1 − z0) = −r − Σ f_i,      J_i (v_i − z_i) = −f_i − g_i,
//! f_i ∈ μ_i N_i(Q) σ(y1 + v_i),   g_i ∈ a_Bi σ(v_i),   r ∈ a_0 σ(y1)
//! ```
//!
//! In an implicit step y1 and v_i are speeds at its end, M0 = m/h and J_i = I_i/(R_i² h); for accelerations M0 = m and
//! J_i = I_i/R_i², and contacts that slip have forces of known direction.
//!
//! For y1 of sign s a wheel answers f_i = clamp(J_i (z_i + y1) − ĝ_i, bounds), ĝ_i the end of its brake that a rolling wheel
//! has; at y1 = 0 it leaves an interval of forces. y1 is the zero of an increasing, piecewise linear function, as in
//! `stickslip_core::inclusion::Star`; what this room adds is how all of it changes with Q.
//!
//! At rest only sums are determined. The resistance r is taken as small as the wheels allow, and one share of their intervals
//! for all wheels chooses the forces: Q depends on the first choice (by up to R a_0), not on the second.

use serde::{Deserialize, Serialize};

use stickslip_core::law::State;

use super::Axles;
use crate::root;

/// What is known about a contact before the problem is solved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Contact {
    /// Its force may be any within the bounds: every contact of a step, and contacts with slip zero.
    Undecided,
    /// It slips in this direction, ±1.0: its force is at the bound.
    Slips(f64),
}

impl Contact {
    /// Ends of the interval of forces, as multiples of the bound.
    #[inline]
    fn ends(self) -> [f64; 2] {
        match self {
            Contact::Undecided => [-1.0, 1.0],
            Contact::Slips(side) => [side, side],
        }
    }
}

/// One axle of the problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wheel {
    /// J_i, > 0.
    pub inertia: f64,
    /// z_i: v_i without contact forces.
    pub free: f64,
    /// μ_i, ≥ 0.
    pub friction: f64,
    /// Greatest force of the brake at the circumference, ≥ 0 \[N\].
    pub brake_bound: f64,
    /// Torque of the motor on the wheel, which its mounting hands on to the chassis \[N·m\].
    pub motor: f64,
    /// The contact with the ground.
    pub ground: Contact,
    /// The brake.
    pub brake: Contact,
}

/// A vehicle in one step, or at one instant.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// Loads.
    pub axles: &'a Axles,
    /// M0, > 0.
    pub mass: f64,
    /// z0: y1 without contact forces.
    pub free: f64,
    /// Greatest resistance to rolling a_0, ≥ 0 \[N\].
    pub resistance_bound: f64,
    /// Its arm in Q, h − R \[m\].
    pub resistance_arm: f64,
    /// The resistance as a contact.
    pub resistance: Contact,
    /// One entry for each axle.
    pub wheels: &'a [Wheel],
}

/// Motion and forces at one Q, in lists that are allocated once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forces {
    /// y1: exactly 0.0 at rest.
    pub y1: f64,
    /// v_i: exactly −y1 where a wheel rolls, exactly 0.0 where it is held.
    pub v: Vec<f64>,
    /// f_i \[N\].
    pub ground: Vec<f64>,
    /// g_i \[N\].
    pub brake: Vec<f64>,
    /// N_i \[N\].
    pub loads: Vec<f64>,
    /// r \[N\].
    pub resistance: f64,
    /// Q \[N·m\].
    pub q: f64,
    /// Modes of ground and brake of each axle. With a brake that transmits nothing its mode is the sign of v_i.
    pub modes: Vec<[State; 2]>,
}

impl Forces {
    /// Room for n axles.
    pub fn new(n: usize) -> Forces {
        let zeros = vec![0.0; n];
        Forces {
            y1: 0.0,
            v: zeros.clone(),
            ground: zeros.clone(),
            brake: zeros.clone(),
            loads: zeros,
            resistance: 0.0,
            q: 0.0,
            modes: vec![[State::Stick; 2]; n],
        }
    }
}

/// A number that changes with Q: `at + rate·(Q − Q̂)` around the Q̂ asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub at: f64,
    pub rate: f64,
}

impl Line {
    const ZERO: Line = Line::fixed(0.0);

    const fn fixed(at: f64) -> Line {
        Line { at, rate: 0.0 }
    }

    fn plus(self, other: Line) -> Line {
        Line { at: self.at + other.at, rate: self.rate + other.rate }
    }

    fn minus(self, other: Line) -> Line {
        Line { at: self.at - other.at, rate: self.rate - other.rate }
    }

    fn times(self, factor: f64) -> Line {
        Line { at: factor * self.at, rate: factor * self.rate }
    }
}

/// The Q around Q̂ at which nothing changes its mode.
struct Span {
    q: f64,
    from: f64,
    to: f64,
}

impl Span {
    /// Holds as long as the line is not negative.
    fn while_positive(&mut self, line: Line) {
        let end = self.q - line.at.max(0.0) / line.rate;
        if line.rate < 0.0 {
            self.to = self.to.min(end);
        } else if line.rate > 0.0 {
            self.from = self.from.max(end);
        }
    }

    /// `line` clamped to [low, high], and which end it is at: −1, 0 or 1.
    fn clamp(&mut self, line: Line, low: Line, high: Line) -> (Line, i8) {
        // A force that is known has no mode to change.
        if low == high {
            return (low, if line.at < low.at { -1 } else { i8::from(line.at > low.at) });
        }
        if line.at > high.at {
            self.while_positive(line.minus(high));
            (high, 1)
        } else if line.at < low.at {
            self.while_positive(low.minus(line));
            (low, -1)
        } else {
            self.while_positive(high.minus(line));
            self.while_positive(line.minus(low));
            (line, 0)
        }
    }
}

/// A straight piece of G.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// G.
    pub moment: Line,
    /// Where it begins and ends.
    pub from: f64,
    pub to: f64,
}

/// One wheel at rest: the forces it can take from the ground, and whether it spins where it stands.
struct Reach {
    least: Line,
    greatest: Line,
    /// −1 or 1 if it spins, with f and g at that end.
    spins: i8,
}

impl Problem<'_> {
    /// Bounds of the ground force of axle i.
    fn ground(&self, i: usize, q: f64) -> [Line; 2] {
        let mu = self.wheels[i].friction;
        // Q never leaves the range in which all loads are positive; rounding may.
        let bound = Line { at: mu * self.axles.load(i, q).max(0.0), rate: mu * self.axles.shares()[i] };
        self.wheels[i].ground.ends().map(|end| bound.times(end))
    }

    /// Bounds of the brake of axle i.
    fn brake(&self, i: usize) -> [Line; 2] {
        let wheel = &self.wheels[i];
        wheel.brake.ends().map(|end| Line::fixed(end * wheel.brake_bound))
    }

    fn resistance(&self) -> [f64; 2] {
        self.resistance.ends().map(|end| end * self.resistance_bound)
    }

    /// J_i z_i: the force that would hold wheel i.
    fn hold(&self, i: usize) -> f64 {
        self.wheels[i].inertia * self.wheels[i].free
    }

    /// Σ f_i just below and just above y1 = 0.
    fn jump(&self, q: f64) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for i in 0..self.wheels.len() {
            let [low, high] = self.ground(i, q);
            let [brake_low, brake_high] = self.brake(i);
            for (sum, brake) in sums.iter_mut().zip([brake_high, brake_low]) {
                *sum += (self.hold(i) - brake.at).clamp(low.at, high.at);
            }
        }
        sums
    }

    /// y1 at a given Q.
    fn speed(&self, q: f64) -> f64 {
        let [low, high] = self.jump(q);
        let [r_low, r_high] = self.resistance();
        let stop = self.mass * self.free;
        let (side, resistance) = if stop > high + r_high {
            (1.0, r_high)
        } else if stop < low + r_low {
            (-1.0, r_low)
        } else {
            return 0.0;
        };
        // The unknown is the change y1 − z0: then all terms are forces, and none a momentum that would drown them.
        let balance = |change: f64| {
            let mut sum = self.mass * change + resistance;
            let mut slope = self.mass;
            for i in 0..self.wheels.len() {
                let [low, high] = self.ground(i, q);
                let free = self.rolling(i, change, side);
                sum += free.clamp(low.at, high.at);
                if free > low.at && free < high.at {
                    slope += self.wheels[i].inertia;
                }
            }
            (sum, slope)
        };
        let ends = if side > 0.0 { (-self.free, f64::INFINITY) } else { (f64::NEG_INFINITY, -self.free) };
        let y1 = self.free + root::increasing(ends.0, ends.1, 0.0, balance);
        if side * y1 > 0.0 { y1 } else { 0.0 }
    }

    /// The force that makes wheel i roll at y1 = z0 + change.
    fn rolling(&self, i: usize, change: f64, side: f64) -> f64 {
        let brake = self.brake(i)[usize::from(side < 0.0)];
        self.wheels[i].inertia * ((self.free + self.wheels[i].free) + change) - brake.at
    }

    /// The piece of G around q.
    pub(super) fn piece(&self, q: f64) -> Piece {
        let mut span = Span { q, from: f64::NEG_INFINITY, to: f64::INFINITY };
        let y1 = self.speed(q);
        let moment = if y1 == 0.0 { self.resting(&mut span) } else { self.moving(y1, &mut span) };
        let motors = self.wheels.iter().map(|wheel| wheel.motor).sum();
        Piece { moment: moment.plus(Line::fixed(motors)), from: span.from, to: span.to }
    }

    /// G without motors while the chassis moves.
    fn moving(&self, y1: f64, span: &mut Span) -> Line {
        let (side, change, q) = (y1.signum(), y1 - self.free, span.q);
        let [r_low, r_high] = self.resistance();
        let mut stiffness = self.mass;
        let mut pull = 0.0;
        for i in 0..self.wheels.len() {
            let [low, high] = self.ground(i, q);
            let free = self.rolling(i, change, side);
            if free < low.at {
                pull += low.rate;
            } else if free > high.at || low == high {
                pull += high.rate;
            } else {
                stiffness += self.wheels[i].inertia;
            }
        }
        let rate = -pull / stiffness;
        span.while_positive(Line { at: y1.abs(), rate: side * rate });
        let resistance = if side > 0.0 { r_high } else { r_low };
        let mut moment = Line::fixed(self.resistance_arm * resistance);
        for i in 0..self.wheels.len() {
            let [low, high] = self.ground(i, q);
            let [brake_low, brake_high] = self.brake(i);
            let free = Line { at: self.rolling(i, change, side), rate: self.wheels[i].inertia * rate };
            let (ground, end) = span.clamp(free, low, high);
            let brake = if end == 0 && low != high {
                if side > 0.0 { brake_low } else { brake_high }
            } else {
                span.clamp(Line::fixed(self.hold(i)).minus(ground), brake_low, brake_high).0
            };
            moment = moment.plus(self.moment(i, ground, brake));
        }
        moment
    }

    /// (h − R) f − R g.
    fn moment(&self, i: usize, ground: Line, brake: Line) -> Line {
        let radius = self.axles.radii()[i];
        ground.times(self.axles.height() - radius).minus(brake.times(radius))
    }

    fn reach(&self, i: usize, span: &mut Span) -> Reach {
        let [low, high] = self.ground(i, span.q);
        let [brake_low, brake_high] = self.brake(i);
        let hold = Line::fixed(self.hold(i));
        let (least, below) = span.clamp(hold.minus(brake_high), low, high);
        let (greatest, above) = span.clamp(hold.minus(brake_low), low, high);
        if low == high {
            // The ground's force is known: only the brake can hold the wheel, as far as it goes.
            let (_, spins) = span.clamp(hold.minus(low), brake_low, brake_high);
            return Reach { least, greatest, spins };
        }
        Reach { least, greatest, spins: if below > 0 { 1 } else { above.min(0) } }
    }

    /// G without motors with the chassis at rest: Σ f is what stops it, and wheels that are held have
    /// (h − R) f − R g = h f − R J z.
    fn resting(&self, span: &mut Span) -> Line {
        let height = self.axles.height();
        let (mut least, mut greatest) = (Line::ZERO, Line::ZERO);
        let mut moment = Line::ZERO;
        for i in 0..self.wheels.len() {
            let reach = self.reach(i, span);
            (least, greatest) = (least.plus(reach.least), greatest.plus(reach.greatest));
            moment = moment.minus(Line::fixed(self.axles.radii()[i] * self.hold(i)));
            if reach.spins != 0 {
                // g instead of J z − f.
                let brake = self.brake(i)[usize::from(reach.spins > 0)];
                let held = Line::fixed(self.hold(i)).minus(reach.least);
                moment = moment.minus(brake.minus(held).times(self.axles.radii()[i]));
            }
        }
        let stop = Line::fixed(self.mass * self.free);
        let resistance = self.least_resistance(stop, least, greatest, span);
        moment.plus(stop.minus(resistance).times(height)).plus(resistance.times(self.resistance_arm))
    }

    /// The smallest resistance that leaves the wheels a force within their reach.
    fn least_resistance(&self, stop: Line, least: Line, greatest: Line, span: &mut Span) -> Line {
        let [low, high] = self.resistance().map(Line::fixed);
        if low == high {
            span.while_positive(stop.minus(low).minus(least));
            span.while_positive(greatest.minus(stop.minus(low)));
            return low;
        }
        // The chassis stays at rest while the resistance reaches what the wheels leave.
        span.while_positive(high.minus(stop.minus(greatest)));
        span.while_positive(stop.minus(least).minus(low));
        let (over, under) = (stop.minus(greatest), stop.minus(least));
        if over.at > 0.0 {
            span.while_positive(over);
            over
        } else if under.at < 0.0 {
            span.while_positive(under.times(-1.0));
            under
        } else {
            span.while_positive(over.times(-1.0));
            span.while_positive(under);
            Line::ZERO
        }
    }

    /// Writes down motion and forces at q.
    pub(super) fn write(&self, q: f64, out: &mut Forces) {
        (out.q, out.y1) = (q, self.speed(q));
        for (i, load) in out.loads.iter_mut().enumerate() {
            *load = self.axles.load(i, q).max(0.0);
        }
        if out.y1 == 0.0 {
            self.write_resting(q, out);
            return;
        }
        let (side, change) = (out.y1.signum(), out.y1 - self.free);
        let [r_low, r_high] = self.resistance();
        out.resistance = if side > 0.0 { r_high } else { r_low };
        for i in 0..self.wheels.len() {
            let [low, high] = self.ground(i, q);
            let [brake_low, brake_high] = self.brake(i);
            let free = self.rolling(i, change, side);
            let rolls = low != high && free >= low.at && free <= high.at;
            out.ground[i] = free.clamp(low.at, high.at);
            if rolls {
                out.brake[i] = if side > 0.0 { brake_low.at } else { brake_high.at };
                out.v[i] = -out.y1;
                out.modes[i] = [State::Stick, self.brake_mode(i, out.v[i])];
            } else {
                self.write_brake(i, out);
                let slip = if low == high { out.y1 + out.v[i] } else { free };
                out.modes[i] = [self.ground_mode(i, slip), self.brake_mode(i, out.v[i])];
            }
        }
    }

    /// The direction in which a contact slips that is known to, else that of its slip.
    fn ground_mode(&self, i: usize, slip: f64) -> State {
        mode(self.wheels[i].ground, slip)
    }

    fn brake_mode(&self, i: usize, slip: f64) -> State {
        mode(self.wheels[i].brake, slip)
    }

    /// Brake and motion of a wheel whose ground force is written.
    fn write_brake(&self, i: usize, out: &mut Forces) {
        let [low, high] = self.brake(i).map(|end| end.at);
        let hold = self.hold(i) - out.ground[i];
        out.brake[i] = hold.clamp(low, high);
        let held = low < high && (low..=high).contains(&hold);
        out.v[i] = if held { 0.0 } else { (hold - out.brake[i]) / self.wheels[i].inertia };
    }

    fn write_resting(&self, q: f64, out: &mut Forces) {
        let mut span = Span { q, from: f64::NEG_INFINITY, to: f64::INFINITY };
        let (mut least, mut greatest) = (0.0, 0.0);
        for i in 0..self.wheels.len() {
            let reach = self.reach(i, &mut span);
            (least, greatest) = (least + reach.least.at, greatest + reach.greatest.at);
        }
        let stop = self.mass * self.free;
        let ends = [least, greatest].map(Line::fixed);
        out.resistance = self.least_resistance(Line::fixed(stop), ends[0], ends[1], &mut span).at;
        let width = greatest - least;
        let share = if width > 0.0 { ((stop - out.resistance - least) / width).clamp(0.0, 1.0) } else { 0.0 };
        for i in 0..self.wheels.len() {
            let reach = self.reach(i, &mut span);
            out.ground[i] = reach.least.at + share * (reach.greatest.at - reach.least.at);
            if reach.spins == 0 {
                out.brake[i] = self.hold(i) - out.ground[i];
                out.v[i] = 0.0;
            } else {
                self.write_brake(i, out);
            }
            let slip = out.v[i];
            out.modes[i] = [self.ground_mode(i, slip), self.brake_mode(i, slip)];
        }
    }
}

/// The mode of a contact with this slip, or that which is known.
fn mode(contact: Contact, slip: f64) -> State {
    let side = match contact {
        Contact::Undecided => slip,
        Contact::Slips(side) => side,
    };
    if side == 0.0 { State::Stick } else { State::Slip([side.signum(), 0.0]) }
}
