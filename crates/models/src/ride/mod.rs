//! What is measured of anything that rides on wheels: stops, decelerations, and what the wheels do.
//!
//! What a stop is stands in `stops.rs`. On tyres a vehicle swings on its treads before it rests: a wheel that is held meanwhile is not
//! locked.

mod stops;

use stickslip_core::law::State;
use stickslip_core::scheme::Event;
use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_report::palette;
use stickslip_run::view::DataTable;
use stickslip_run::{Gauge, Measure, Part, Place, Rerun, Seen};
use stickslip_scenario::Measurable;

use stops::{Movement, SWINGING, Stops};

const STOPPING_DISTANCE: Measurable =
    Measurable::whole("stopping_distance", "m", "distance from the first brake to the stop");
const STOPPING_TIME: Measurable = Measurable::whole("stopping_time", "s", "time from the first brake to the stop");
const MEAN: Measurable =
    Measurable::whole("mean_deceleration", "m/s^2", "speed at the first brake over the time from there to the stop");
const GREATEST: Measurable = Measurable::whole(
    "greatest_deceleration",
    "m/s^2",
    "greatest deceleration by the forces at recorded rows and events",
);
const DISTANCE_FROM_START: Measurable =
    Measurable::whole("stopping_distance_from_start", "m", "distance from t = 0 to the stop");
const TIME_FROM_START: Measurable = Measurable::whole("stopping_time_from_start", "s", "instant of the stop");
const STOPS: Measurable =
    Measurable::whole("stops", "1", "braked stops; those above are the first of them, all are in stops.csv");
const LONGEST_STOP: Measurable = Measurable::whole(
    "longest_stopping_distance",
    "m",
    "greatest distance from a first brake to its stop, of all stops",
);
const DISTANCE: Measurable = Measurable::whole("distance", "m", "distance from the start to the end, forward positive");
const GREATEST_SPEED: Measurable =
    Measurable::whole("greatest_speed", "m/s", "greatest speed at recorded rows and events");
const LOCK_TIME: Measurable = Measurable::each("lock_time", "s", "time locked; of several wheels the longest");
const SPIN_TIME: Measurable = Measurable::each("spin_time", "s", "time spinning; of several wheels the longest");
const LOCKED_WHEELS: Measurable = Measurable::whole("locked_wheels", "1", "wheels that lock");
const FIRST_LOCK: Measurable = Measurable::each("first_lock", "s", "instant at which a wheel locks for the first time");
const HEAT_BRAKE: Measurable = Measurable::each("heat_brake", "J", "energy dissipated in brakes");

/// All that may be measured of a ride.
pub(crate) const MEASURES: &[Measurable] = &[
    STOPPING_DISTANCE,
    STOPPING_TIME,
    MEAN,
    GREATEST,
    DISTANCE_FROM_START,
    TIME_FROM_START,
    STOPS,
    LONGEST_STOP,
    DISTANCE,
    GREATEST_SPEED,
    LOCK_TIME,
    SPIN_TIME,
    LOCKED_WHEELS,
    FIRST_LOCK,
    HEAT_BRAKE,
];

/// What a wheel does, by what its contacts with ground and brake do.
///
/// The signs of the two slips tell it: where the rim turns slower than the wheel goes they differ, where it turns faster, or
/// against the way the wheel goes, they are the same.
pub(crate) fn wheel_state(contacts: &[State]) -> palette::State {
    match contacts {
        [State::Stick, State::Stick] => palette::State::Stands,
        [State::Stick, _] => palette::State::Rolls,
        [State::Slip(_), State::Stick] => palette::State::Locked,
        [State::Slip(ground), State::Slip(brake)] if ground[0] * brake[0] > 0.0 => palette::State::Spins,
        [State::Slip(_), _] => palette::State::Slides,
        _ => palette::State::Open,
    }
}

/// A wheel as a part with states of its own.
pub(crate) fn wheel_part(name: &str, ground: usize, brake: usize) -> Part {
    Part { name: name.to_string(), contacts: vec![ground, brake], state: wheel_state }
}

/// A wheel on a tyre as a part: its tyre always slips a little, so that the brake says what it does, and rolling resistance,
/// where there is any, whether the vehicle rests; without it the tyre does in its steady form, which is dry friction at standstill.
pub(crate) fn tyre_part(name: &str, resistance: Option<usize>, brake: usize) -> Part {
    let state = |contacts: &[State]| match contacts {
        [State::Stick, State::Stick] => palette::State::Stands,
        [.., State::Stick] => palette::State::Locked,
        [.., State::Slip(_)] => palette::State::Rolls,
        _ => palette::State::Open,
    };
    Part { name: name.to_string(), contacts: resistance.into_iter().chain([brake]).collect(), state }
}

/// The slip ratio of a wheel whose rim turns with this speed, forward positive, while it goes with that:
/// (rim − speed) over whichever of the two is greater in size, and 0 where both are 0.
///
/// −1 where it is locked, 1 where it spins on the spot, between 0 and ±2 only where it turns against the way it goes.
pub(crate) fn slip_ratio(rim: f64, speed: f64) -> f64 {
    let greater = if rim.abs() > speed.abs() { rim } else { speed };
    if greater == 0.0 { 0.0 } else { (rim - speed) / greater }
}

/// What the column of a slip ratio means.
pub(crate) const SLIP_RATIO: &str = "slip ratio (rim speed − speed)/(the greater of both in size): 0 while it rolls or \
                                     stands, −1 locked, positive while it spins, at most 1 in size unless it turns against \
                                     the way it goes";

/// A wheel of a ride.
struct Wheel<'a> {
    part: Part,
    /// What the brake can hold; only where it is positive matters.
    brake: &'a Signal,
    state: palette::State,
    since: f64,
    /// From when to when it was locked, each time.
    locks: Vec<[f64; 2]>,
    spun: f64,
}

impl Wheel<'_> {
    fn change(&mut self, t: f64, state: palette::State) {
        let lasted = t - self.since;
        match self.state {
            palette::State::Locked => self.locks.push([self.since, t]),
            palette::State::Spins => self.spun += lasted,
            _ => {}
        }
        (self.state, self.since) = (state, t);
    }

    /// From when to when its brake kept it locked. A wheel that passes through rest is held for one step, which is no lock; one that
    /// nothing turns, on ice, stands on when its brake has let go, which is none either.
    fn locks(&self, end: f64, step: Option<f64>) -> Vec<[f64; 2]> {
        let lasted = |[from, to]: &&[f64; 2]| to - from > PASSING * step.unwrap_or(0.0);
        let now = (self.state == palette::State::Locked && self.since < end).then_some([self.since, end]);
        self.locks.iter().filter(lasted).copied().chain(now).flat_map(|lock| held(self.brake, lock)).collect()
    }

    /// Whether it has a brake at all.
    fn is_braked(&self, end: f64) -> bool {
        self.brake.first_positive(0.0, end).is_some()
    }
}

/// By steps a lock of up to so many steps is a wheel that passes through rest.
const PASSING: f64 = 1.5;

/// An instant later than another, as far as signals are asked: a share of it, and \[s\].
const LATER: f64 = 1e-12;

/// The parts of a stretch of time in which a brake can hold something.
fn held(brake: &Signal, [from, to]: [f64; 2]) -> Vec<[f64; 2]> {
    let mut parts = Vec::new();
    let mut t = from;
    while let Some(on) = brake.first_positive(t, to).filter(|on| *on < to) {
        let off = brake.first_zero(on + LATER * (1.0 + on), to).unwrap_or(to);
        parts.push([on, off]);
        t = off;
    }
    parts
}

/// Acceleration by the forces of a row [m/s²].
type Acceleration<'a> = Box<dyn Fn(&[f64]) -> f64 + 'a>;

/// What tyres a ride is on, by what they do at standstill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tyres {
    /// There are none.
    None,
    /// They come to rest with the vehicle.
    Rest,
    /// By steps they let it creep.
    Creep,
    /// It swings on their treads.
    Swing,
}

impl Tyres {
    /// Whether a vehicle as slow as this may be one that stands, but for what its tyres do.
    fn keep_moving(self, v: f64) -> bool {
        self == Tyres::Swing || (self == Tyres::Creep && v != 0.0)
    }
}

/// What looks on at a ride.
pub(crate) struct Ride<'a> {
    /// Columns of speed and position.
    speed: usize,
    place: usize,
    acceleration: Acceleration<'a>,
    wheels: Vec<Wheel<'a>>,
    tyres: Tyres,
    /// Whether it rests where its wheels stand, and what is left of its speed is a vibration.
    vibrates: bool,
    /// Which wheel a contact belongs to.
    wheel_of: Vec<Option<usize>>,
    /// What the contacts do, as far as events have told.
    contacts: Vec<State>,
    /// Position at the start, and the last that was seen.
    start: Option<f64>,
    last: f64,
    stops: Stops,
    greatest: f64,
    greatest_speed: f64,
}

impl<'a> Ride<'a> {
    /// Of a vehicle with these columns of speed and position, whose acceleration follows from a row.
    pub fn new([speed, place]: [usize; 2], acceleration: impl Fn(&[f64]) -> f64 + 'a) -> Ride<'a> {
        Ride {
            speed,
            place,
            acceleration: Box::new(acceleration),
            wheels: Vec::new(),
            tyres: Tyres::None,
            vibrates: false,
            wheel_of: Vec::new(),
            contacts: Vec::new(),
            start: None,
            last: 0.0,
            stops: Stops::new([speed, place]),
            greatest: 0.0,
            greatest_speed: 0.0,
        }
    }

    /// With one more wheel.
    #[must_use]
    pub fn with(mut self, part: Part, brake: &'a Signal) -> Ride<'a> {
        let number = self.wheels.len();
        for contact in &part.contacts {
            self.wheel_of.resize(self.wheel_of.len().max(contact + 1), None);
            self.wheel_of[*contact] = Some(number);
        }
        let state = palette::State::Open;
        self.wheels.push(Wheel { part, brake, state, since: 0.0, locks: Vec::new(), spun: 0.0 });
        self
    }

    /// With wheels on tyres, if any.
    #[must_use]
    pub fn on_tyres(mut self, tyres: Tyres) -> Ride<'a> {
        self.tyres = tyres;
        self
    }

    /// On contacts that go on vibrating when it stands.
    #[must_use]
    pub fn on_springs(mut self) -> Ride<'a> {
        self.vibrates = true;
        self
    }

    /// What changes of contacts make of the wheels: those of one instant together.
    fn follow(&mut self, changes: &[Event]) {
        for together in changes.chunk_by(|a, b| a.t == b.t) {
            for event in together {
                if let Some(state) = self.contacts.get_mut(event.contact) {
                    *state = event.to;
                }
            }
            let of = |event: &Event| self.wheel_of.get(event.contact).copied().flatten();
            for number in together.iter().filter_map(of) {
                let wheel = &mut self.wheels[number];
                let state = wheel.part.state(&self.contacts);
                if state != wheel.state {
                    wheel.change(together[0].t, state);
                }
            }
        }
    }

    /// What the brakes can hold.
    fn brakes(&self) -> Vec<&Signal> {
        self.wheels.iter().map(|wheel| wheel.brake).collect()
    }

    /// Measures of the stop, where there is one.
    fn stopping(&self, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let all = self.stops.braked(&self.brakes(), again)?;
        let mut measures = Vec::new();
        if let Some(first) = all.first() {
            let way = first.stop.x - first.place;
            measures.push(Measure::new(&STOPPING_DISTANCE, way.abs()).at(Place::Key));
            measures.push(Measure::new(&STOPPING_TIME, first.time()).at(Place::Key));
            // What stood when its brake came and sank into its treads was not slowed down from any speed.
            if first.mean_deceleration() > 0.0 {
                measures.push(Measure::new(&MEAN, first.mean_deceleration()).at(Place::Key));
            }
        }
        if all.len() > 1 {
            measures.push(Measure::new(&STOPS, all.len() as f64));
            let longest = all.iter().map(|stop| (stop.stop.x - stop.place).abs()).fold(0.0, f64::max);
            measures.push(Measure::new(&LONGEST_STOP, longest).at(Place::Key));
        }
        if let Some(stop) = all.first().map(|first| first.stop).or_else(|| self.stops.first()) {
            measures.push(Measure::new(&DISTANCE_FROM_START, (stop.x - self.start.unwrap_or(0.0)).abs()));
            measures.push(Measure::new(&TIME_FROM_START, stop.t));
        }
        Ok(measures)
    }

    /// Measures of wheels: one for all, and one for each where there are several.
    fn of_wheels(&self, ended: &dyn Simulation) -> Vec<Measure> {
        let end = ended.time();
        let heats = ended.ledger().dissipated;
        let braked: Vec<bool> = self.wheels.iter().map(|wheel| wheel.is_braked(end)).collect();
        let mut measures = Vec::new();
        let mut tell =
            |of: &Measurable, value: &dyn Fn(&Wheel<'_>) -> Option<f64>, all: fn(f64, f64) -> f64, braked: &[bool]| {
                let own = self.wheels.iter().zip(braked).filter(|(_, braked)| **braked);
                let own: Vec<(&str, f64)> = own.filter_map(|(w, _)| Some((w.part.name.as_str(), value(w)?))).collect();
                let Some(whole) = own.iter().map(|(_, value)| *value).reduce(all) else { return };
                measures.push(Measure::new(of, whole));
                if self.wheels.len() > 1 {
                    measures.extend(own.iter().map(|(name, value)| Measure::of_part(of, name, *value)));
                }
            };
        let every = vec![true; self.wheels.len()];
        let lasting = |wheel: &Wheel<'_>, of: palette::State| if wheel.state == of { end - wheel.since } else { 0.0 };
        let step = ended.step_size();
        let locked = |w: &Wheel<'_>| w.locks(end, step).iter().map(|[from, to]| to - from).sum::<f64>();
        let first_lock = |w: &Wheel<'_>| w.locks(end, step).first().map(|[from, _]| *from);
        tell(&LOCK_TIME, &|w| Some(locked(w)), f64::max, &braked);
        tell(&FIRST_LOCK, &first_lock, f64::min, &braked);
        tell(&SPIN_TIME, &|w| Some(w.spun + lasting(w, palette::State::Spins)), f64::max, &every);
        let heat = |w: &Wheel<'_>| w.part.contacts.last().and_then(|k| heats.get(*k)).map(|heat| heat.energy);
        tell(&HEAT_BRAKE, &heat, |a, b| a + b, &braked);
        if self.wheels.len() > 1 && braked.contains(&true) {
            let locked = self.wheels.iter().filter(|wheel| first_lock(wheel).is_some()).count();
            measures.push(Measure::new(&LOCKED_WHEELS, locked as f64));
        }
        measures
    }
}

impl Gauge for Ride<'_> {
    fn see(&mut self, seen: &Seen<'_>) {
        let (t, x, v) = (seen.t, seen.row[self.place], seen.row[self.speed]);
        if self.start.is_none() {
            self.start = Some(x);
            self.contacts = seen.contacts.to_vec();
            for wheel in &mut self.wheels {
                wheel.change(t, wheel.part.state(seen.contacts));
            }
        }
        self.follow(seen.changes);
        // At events alone, so that it does not matter how often rows are recorded.
        let on_tyres = self.tyres != Tyres::None;
        let looked_at = on_tyres && !seen.changes.is_empty();
        let slow = v.abs() <= SWINGING * self.greatest_speed && self.tyres.keep_moving(v);
        for wheel in self.wheels.iter_mut().filter(|_| looked_at) {
            // Rolling resistance is a contact of all of them. What is held while the treads swing is not locked.
            let state = match wheel.part.state(seen.contacts) {
                palette::State::Locked if slow => palette::State::Stands,
                state => state,
            };
            if state != wheel.state {
                wheel.change(t, state);
            }
        }
        let stands = self.vibrates && self.wheels.iter().all(|wheel| wheel.state == palette::State::Stands);
        // On tyres the speed passes through zero again and again: it rests where rolling resistance holds it.
        let first = |wheel: &Wheel<'_>| seen.contacts[wheel.part.contacts[0]] == State::Stick;
        // Wheels that all stand hold what rides on them, whatever rounding has left of its speed at that instant.
        let stand = |w: &Wheel<'_>| w.part.state(seen.contacts) == palette::State::Stands;
        let held = !on_tyres && !self.wheels.is_empty() && self.wheels.iter().all(stand);
        let movement = match (stands, v == 0.0 || held) {
            (true, _) => Movement::Vibrates,
            (false, true) if on_tyres && !self.wheels.iter().all(first) => Movement::Passes,
            (false, true) => Movement::Rests,
            (false, false) => Movement::Moves,
        };
        self.stops.see(t, x, movement);
        if on_tyres {
            self.stops.see_zero(t, x, v);
        }
        if v != 0.0 {
            self.greatest = self.greatest.max(-v.signum() * (self.acceleration)(seen.row));
        }
        self.greatest_speed = self.greatest_speed.max(v.abs());
        self.last = x;
    }

    fn tables(&self, _: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<DataTable>, SimulationError> {
        Ok(self.stops.table(&self.brakes(), again)?.into_iter().collect())
    }

    fn measures(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let mut measures = self.stopping(again)?;
        let stops = measures.iter().any(|measure| measure.place == Place::Key);
        if self.greatest > 0.0 {
            measures.push(Measure::new(&GREATEST, self.greatest).at(Place::Key));
        }
        let place = if stops { Place::Listed } else { Place::Key };
        measures.push(Measure::new(&DISTANCE, self.last - self.start.unwrap_or(0.0)).at(place));
        measures.push(Measure::new(&GREATEST_SPEED, self.greatest_speed).at(place));
        measures.extend(self.of_wheels(ended));
        Ok(measures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_wheel_does_follows_from_its_contacts() {
        let slip = |sign: f64| State::Slip([sign, 0.0]);
        assert_eq!(wheel_state(&[State::Stick, slip(-1.0)]), palette::State::Rolls);
        assert_eq!(wheel_state(&[slip(1.0), State::Stick]), palette::State::Locked);
        // Forward, rim slower: x1 + v > 0 and v < 0.
        assert_eq!(wheel_state(&[slip(1.0), slip(-1.0)]), palette::State::Slides);
        assert_eq!(wheel_state(&[slip(-1.0), slip(-1.0)]), palette::State::Spins);
        assert_eq!(wheel_state(&[State::Stick, State::Stick]), palette::State::Stands);
    }

    #[test]
    fn locks_are_held_by_brakes_and_last() {
        let brake = Signal::trapezoid([1.0, 1.5, 3.0, 4.0], 5.0).expect("valid");
        assert_eq!(held(&brake, [2.0, 10.0]), [[2.0, 4.0]], "let go");
        assert_eq!(held(&brake, [0.0, 2.0]), [[1.0, 2.0]]);
        assert!(held(&brake, [5.0, 6.0]).is_empty() && held(&Signal::ZERO, [0.0, 1.0]).is_empty());
        let part = wheel_part("wheel", 0, 1);
        let mut wheel =
            Wheel { part, brake: &brake, state: palette::State::Open, since: 0.0, locks: Vec::new(), spun: 0.0 };
        for (t, state) in [(1.6, palette::State::Locked), (1.601, palette::State::Spins), (2.0, palette::State::Locked)]
        {
            wheel.change(t, state);
        }
        assert_eq!(wheel.locks(3.0, Some(1e-3)), [[2.0, 3.0]], "one step is a passing");
        assert_eq!(wheel.locks(3.0, None), [[1.6, 1.601], [2.0, 3.0]], "from event to event it is not");
    }

    #[test]
    fn slip_ratios_are_bounded() {
        assert_eq!(slip_ratio(0.0, 0.0), 0.0);
        assert_eq!(slip_ratio(5.0, 5.0), 0.0);
        assert_eq!(slip_ratio(0.0, 20.0), -1.0);
        assert_eq!(slip_ratio(0.0, -20.0), -1.0);
        assert_eq!(slip_ratio(3.0, 0.0), 1.0);
        assert_eq!(slip_ratio(5.0, 10.0), -0.5);
        assert_eq!(slip_ratio(-5.0, -10.0), -0.5);
        assert_eq!(slip_ratio(10.0, 5.0), 0.5);
        assert_eq!(slip_ratio(-10.0, 10.0), -2.0);
    }
}
