//! From event to event: a run stands at the beginning of a unit, a step that is accurate and meets no event before its end. What lies
//! within it is seen by a shorter step aside, so that the motion does not depend on when one looks.

use serde::{Deserialize, Serialize};

use super::motion::{GAP, HalfCarState, Modes, Motion, PITCH, ROAD, SIZE, STANDSTILL};
use super::{HalfCar, HalfCarData};
use crate::ode::{Extrapolation, Flow, NotSmooth, Stop};

/// Longest step \[s\]: a pitch or a gap that turns round twice within it is not seen to.
const LONGEST: f64 = 5e-3;

/// A vehicle that is slower than this share of its speed at the start stands: that much is rounding.
const STANDS: f64 = 1e-11;

/// A corner of the road that is no further ahead than this is reached: per metre, too \[m\].
const REACHED: f64 = 2e-12;

/// Iterations in which a peak is found: what is greatest there does not depend on them to first order.
const PEAK: u32 = 40;

/// A rate this share of its change over the step is zero.
const TURNS: f64 = 1e-9;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HalfCarEvent {
    /// A tyre (0 front, 1 rear) left the ground.
    Leaves(usize),
    /// A tyre landed.
    Lands(usize),
    /// The gap under a tyre was greatest \[m\].
    GreatestGap(usize, f64),
    /// The pitch turned round \[rad\].
    PitchExtremum(f64),
    /// The vehicle stands still: its brakes hold it and pitch it no more.
    Stands,
    /// A tyre came to the next straight piece of the road.
    NextPiece(usize),
}

/// A run at the beginning of a unit: plain data, all that the motion from here on depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HalfCarRun {
    t: f64,
    state: HalfCarState,
    modes: Modes,
    /// Size of the step to try next, and guards that are armed; empty after an event.
    size: f64,
    armed: Vec<bool>,
    missed: f64,
}

/// A unit: where it ends, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// When it ends \[s\].
    pub until: f64,
    state: HalfCarState,
    guard: Option<usize>,
    broken: bool,
    size: f64,
    armed: Vec<bool>,
}

impl HalfCarRun {
    /// The integrator of such runs: room to work in, which can be made anew at any time.
    pub fn integrator(car: &HalfCar) -> Extrapolation {
        let HalfCarData { speed, gravity, .. } = car.data;
        let energy = 0.1 * car.mass() * gravity;
        let mut scales = vec![0.1, 0.1, 0.1, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0, speed.max(1.0)];
        scales.resize(SIZE, energy);
        Extrapolation::new(scales, LONGEST.min(0.25 * car.shortest_period()))
    }

    /// From the start of a half-car.
    pub fn new(car: &HalfCar) -> HalfCarRun {
        let state = car.start();
        let places = car.data.corners.map(|corner| corner.place);
        let modes =
            Modes { carries: [true; 2], rolls: state.speed > 0.0, pieces: places.map(|place| car.piece_at(place)) };
        let mut run = HalfCarRun { t: 0.0, state, modes, size: 0.1 * LONGEST, armed: Vec::new(), missed: 0.0 };
        run.meanwhile(car);
        run
    }

    /// Where it stands \[s\].
    pub fn t(&self) -> f64 {
        self.t
    }

    /// What holds.
    pub fn modes(&self) -> &Modes {
        &self.modes
    }

    /// How far tyres were on the wrong side of their corner at ends of units and where one looked, at the worst, as a share of their
    /// static load.
    pub fn missed(&self) -> f64 {
        self.missed
    }

    fn motion<'a>(&self, car: &'a HalfCar) -> Motion<'a> {
        let pieces = self.modes.pieces.map(|k| car.piece(k));
        let broken = car.data.brake.next_break(self.t);
        let mut motion = Motion { car, modes: self.modes, pieces, broken, turning: [1.0; 3] };
        let y = self.state.pack();
        let mut rates = [0.0; SIZE];
        motion.rates(self.t, &y, &mut rates);
        let turn = |rate: f64, next: f64| if rate == 0.0 { next } else { rate }.signum();
        let slow = |i: usize| rates[6 + i] - pieces[i].slope * rates[9];
        motion.turning = [turn(y[5], rates[5]), turn(motion.gap(0, &y).1, slow(0)), turn(motion.gap(1, &y).1, slow(1))];
        motion
    }

    /// The next unit, which ends at `known` at the latest: up to there the brake is known.
    pub fn ahead(&self, car: &HalfCar, work: &mut Extrapolation, known: f64) -> Result<Unit, NotSmooth> {
        let motion = self.motion(car);
        let broken = motion.broken;
        let end = if known > self.t { broken.min(known) } else { broken };
        let (mut t, mut y, mut armed) = (self.t, self.state.pack(), self.armed.clone());
        work.resume(self.size);
        let stop = work.unit(&motion, &mut t, &mut y, end, &mut armed)?;
        let guard = match stop {
            Stop::Guard(guard) => Some(guard),
            Stop::End => None,
        };
        let state = HalfCarState::unpack(&y);
        Ok(Unit { until: t, state, guard, broken: t >= broken, size: work.size(), armed })
    }

    /// The motion at t within the unit that begins here.
    pub fn at(&self, car: &HalfCar, work: &mut Extrapolation, t: f64) -> HalfCarState {
        let mut y = self.state.pack();
        if t > self.t {
            work.within(&self.motion(car), self.t, &mut y, t - self.t);
        }
        HalfCarState::unpack(&y)
    }

    /// Instants within the unit at which the load of a tyre or the compression of a spring is greatest \[s\], in order.
    pub fn peaks(&self, car: &HalfCar, work: &mut Extrapolation, ahead: &Unit) -> Vec<f64> {
        let motion = self.motion(car);
        let (from, to) = (self.state.pack(), ahead.state.pack());
        let (before, after) = (motion.swelling(&from), motion.swelling(&to));
        let length = ahead.until - self.t;
        let mut found = Vec::new();
        for k in (0..before.len()).filter(|k| before[*k] > 0.0 && after[*k] < 0.0) {
            let (mut low, mut high) = ((0.0, before[k]), (length, after[k]));
            for _ in 0..PEAK {
                let tau = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
                let mut y = from;
                work.within(&motion, self.t, &mut y, tau);
                let rate = motion.swelling(&y)[k];
                if rate > 0.0 {
                    (low, high.1) = ((tau, rate), 0.5 * high.1);
                } else {
                    (high, low.1) = ((tau, rate), 0.5 * low.1);
                }
                if rate.abs() < TURNS * (before[k] - after[k]) {
                    break;
                }
            }
            let near = if -high.1 < low.1 { high.0 } else { low.0 };
            found.push(self.t + near);
        }
        found.retain(|t| *t > self.t && *t < ahead.until);
        found.sort_by(f64::total_cmp);
        found
    }

    /// Takes note of tyres that are on the wrong side of their corner at t, within the unit.
    pub fn check(&mut self, car: &HalfCar, state: &HalfCarState) {
        let motion = self.motion(car);
        let y = state.pack();
        for i in 0..2 {
            let gap = motion.gap(i, &y).0;
            let wrong = if self.modes.carries[i] { gap } else { -gap };
            let share = wrong * car.data.corners[i].tyre_stiffness / car.static_loads[i];
            self.missed = if share <= self.missed { self.missed } else { share };
        }
    }

    /// Stands at the end of the unit, after all that happens there.
    pub fn pass(&mut self, car: &HalfCar, ahead: Unit) -> Vec<HalfCarEvent> {
        (self.t, self.state, self.size, self.armed) = (ahead.until, ahead.state, ahead.size, ahead.armed);
        if ahead.broken {
            self.armed.clear();
        }
        let mut events: Vec<HalfCarEvent> = ahead.guard.map(|guard| self.happens(car, guard)).into_iter().collect();
        events.extend(self.meanwhile(car));
        if !events.is_empty() {
            self.armed.clear();
        }
        let state = self.state;
        self.check(car, &state);
        events
    }

    /// What happens at the zero of a guard.
    fn happens(&mut self, car: &HalfCar, guard: usize) -> HalfCarEvent {
        match guard {
            i @ (0 | 1) => {
                self.modes.carries[i] = !self.modes.carries[i];
                if self.modes.carries[i] { HalfCarEvent::Lands(i) } else { HalfCarEvent::Leaves(i) }
            }
            PITCH => {
                self.state.v[1] = 0.0;
                HalfCarEvent::PitchExtremum(self.state.q[1])
            }
            STANDSTILL => {
                (self.state.speed, self.modes.rolls) = (0.0, false);
                HalfCarEvent::Stands
            }
            guard if guard >= ROAD => {
                self.modes.pieces[guard - ROAD] += 1;
                HalfCarEvent::NextPiece(guard - ROAD)
            }
            guard => {
                let i = guard - GAP;
                self.state.v[2 + i] = car.piece(self.modes.pieces[i]).slope * self.state.speed;
                HalfCarEvent::GreatestGap(i, self.motion(car).gap(i, &self.state.pack()).0)
            }
        }
    }

    /// What happens at the same instant, as far as one can tell: guards that are at zero do not reach it any more.
    fn meanwhile(&mut self, car: &HalfCar) -> Vec<HalfCarEvent> {
        let mut events = Vec::new();
        for (i, corner) in car.data.corners.iter().enumerate() {
            let place = self.state.x + corner.place;
            let near = REACHED * (1.0 + self.state.x.abs() + corner.place.abs());
            while place >= car.piece(self.modes.pieces[i]).until - near {
                self.modes.pieces[i] += 1;
                events.push(HalfCarEvent::NextPiece(i));
            }
        }
        if self.modes.rolls && self.state.speed <= STANDS * car.data.speed {
            (self.state.speed, self.modes.rolls) = (0.0, false);
            events.push(HalfCarEvent::Stands);
        }
        events
    }

    /// Stands at t, within the unit that begins here; the brake may be another from here on.
    pub fn interfere(&mut self, car: &HalfCar, work: &mut Extrapolation, t: f64) {
        (self.state, self.t) = (self.at(car, work, t), t);
        self.meanwhile(car);
        self.armed.clear();
    }
}
