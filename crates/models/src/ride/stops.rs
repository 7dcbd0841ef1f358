//! Stops of a ride.
//!
//! ```text
//! speed  ──────╮ first brake: the first instant of the motion before the stop at which a brake can hold something, and
//!               │ not yet from the rest before it
//!               ╲
//!                ╲                 stopping time and distance lie between the two
//!                 ╲________________ stop: at rest exactly, and for longer than an instant
//! ```
//!
//! On tyres a vehicle swings on its treads before it rests: there the stop is the first zero of the speed after which it is, half-way
//! from zero to zero, never faster again than a twentieth of the speed at the first brake.
//!
//! A vehicle that passes through zero speed and goes on the other way has not stopped; one that never stops has no stopping
//! distance.

use std::cell::OnceCell;

use stickslip_core::signal::Signal;
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::Rerun;
use stickslip_run::view::DataTable;

/// On tyres: motion slower than this share of the speed at the first brake is the swinging of treads.
pub(super) const SWINGING: f64 = 0.05;

/// Zeros of a speed that are remembered: treads swing some ten times.
const MOST_ZEROS: usize = 1000;

/// Stops that are remembered.
const MOST_STOPS: usize = 64;

/// Another place than one: a share of it, and \[m\].
const ELSEWHERE: f64 = 1e-9;

/// The header of `stops.csv`.
const HEADER: [&str; 5] = ["t_brake [s]", "t_stop [s]", "distance [m]", "time [s]", "mean_deceleration [m/s^2]"];

/// Whether a vehicle moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Movement {
    /// It does.
    Moves,
    /// Its speed is zero, and nothing holds it: it sets off, or turns round.
    Passes,
    /// It stands.
    Rests,
    /// It stands and trembles.
    Vibrates,
}

/// A coming to rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stop {
    /// Since when it had moved \[s\], and whether it had rested before.
    since: f64,
    from_rest: bool,
    pub t: f64,
    pub x: f64,
    /// When it rested; later than t where it swung \[s\].
    rested: f64,
}

/// A stop with a brake before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Braked {
    pub stop: Stop,
    /// When the first brake came \[s\], and where and how fast the vehicle was then.
    brake: f64,
    pub place: f64,
    speed: f64,
}

impl Braked {
    /// From the first brake to the stop \[s\].
    pub fn time(&self) -> f64 {
        self.stop.t - self.brake
    }

    /// [m/s²].
    pub fn mean_deceleration(&self) -> f64 {
        self.speed.abs() / self.time()
    }
}

/// Looks out for stops.
#[derive(Debug)]
pub(super) struct Stops {
    /// Columns of speed and position.
    speed: usize,
    place: usize,
    /// The last instant that was seen, and where it was then.
    last: (f64, f64),
    /// Since when it moves, and whether from rest; none while it rests.
    moves: Option<(f64, bool)>,
    /// Whether it was seen at rest.
    rested: bool,
    /// On tyres: the last speed, and when and where it was zero since the motion began.
    slowing: f64,
    zeros: Vec<(f64, f64)>,
    /// A rest that has not lasted yet.
    rest: Option<Stop>,
    stops: Vec<Stop>,
    /// Zeros of the speed before each stop, on tyres.
    swings: Vec<Vec<(f64, f64)>>,
    /// Those with a brake before them, once they have been asked for: a run of its own finds where brakes came.
    braked: OnceCell<Vec<Braked>>,
}

impl Stops {
    /// By these columns of speed and position.
    pub fn new([speed, place]: [usize; 2]) -> Stops {
        Stops {
            speed,
            place,
            last: (0.0, 0.0),
            moves: None,
            rested: false,
            slowing: 0.0,
            zeros: Vec::new(),
            rest: None,
            stops: Vec::new(),
            swings: Vec::new(),
            braked: OnceCell::new(),
        }
    }

    /// Takes in where it is and how fast.
    ///
    /// Two looks at rest at different places have a motion between them, however rare looks are: it began at the earlier one.
    pub fn see(&mut self, t: f64, x: f64, movement: Movement) {
        let before = std::mem::replace(&mut self.last, (t, x));
        let goes = match movement {
            Movement::Moves => Some(before.0),
            Movement::Passes => Some(t),
            Movement::Rests | Movement::Vibrates => None,
        };
        let elsewhere = matches!(movement, Movement::Rests | Movement::Passes)
            && (x - before.1).abs() > ELSEWHERE * (1.0 + x.abs());
        if elsewhere && self.rested {
            self.move_on(before.0);
        }
        if let Some(rest) = self.rest.filter(|rest| movement != Movement::Moves && t > rest.rested) {
            if self.stops.len() < MOST_STOPS {
                self.stops.push(rest);
                self.swings.push(std::mem::take(&mut self.zeros));
            }
            (self.rest, self.moves) = (None, None);
        }
        match (goes, self.rest, self.moves) {
            (Some(since), ..) => self.move_on(since),
            (None, None, Some((since, from_rest))) => {
                self.rest = Some(Stop { since, from_rest, t, x, rested: t });
            }
            _ => {}
        }
        self.rested |= goes.is_none();
    }

    /// It moves, if it did not before since this instant. A rest of no length was none.
    fn move_on(&mut self, since: f64) {
        self.rest = None;
        if self.moves.is_none() {
            self.zeros.clear();
            self.moves = Some((since, self.rested));
        }
    }

    /// Keeps when and where the speed is zero, or changes its sign.
    pub fn see_zero(&mut self, t: f64, x: f64, v: f64) {
        let passed = v == 0.0 || v * self.slowing < 0.0;
        if passed && self.moves.is_some() && self.zeros.len() < MOST_ZEROS {
            self.zeros.push((t, x));
        }
        self.slowing = v;
    }

    fn all(&self) -> impl Iterator<Item = &Stop> {
        self.stops.iter().chain(&self.rest)
    }

    /// The first of all, braked or not.
    pub fn first(&self) -> Option<Stop> {
        self.all().next().copied()
    }

    /// All stops with a brake before them, of a vehicle with these brakes.
    pub fn braked(&self, brakes: &[&Signal], again: Rerun<'_>) -> Result<&[Braked], SimulationError> {
        if let Some(found) = self.braked.get() {
            return Ok(found);
        }
        let found = self.find(brakes, again)?;
        Ok(self.braked.get_or_init(|| found))
    }

    fn find(&self, brakes: &[&Signal], again: Rerun<'_>) -> Result<Vec<Braked>, SimulationError> {
        let braked = self.all().enumerate().filter_map(|(k, stop)| Some((k, *stop, first_brake(brakes, stop)?)));
        let braked: Vec<(usize, Stop, f64)> = braked.collect();
        if braked.is_empty() {
            return Ok(Vec::new());
        }
        let mut run = again()?;
        let mut row = vec![0.0; run.columns().len()];
        let mut all = Vec::new();
        for (number, stop, brake) in braked {
            run.advance_to(brake)?;
            run.row(&mut row);
            let (place, speed) = (row[self.place], row[self.speed]);
            let stop = self.without_swings(number, stop, &mut *run, speed)?;
            all.push(Braked { stop, brake, place, speed });
        }
        Ok(all)
    }

    /// The stop as it counts, of a run that stands at the first brake before it with this speed: on tyres the first zero of the
    /// speed after which swings are slow. They are looked at half-way from zero to zero.
    fn without_swings(
        &self,
        number: usize,
        stop: Stop,
        run: &mut dyn Simulation,
        v: f64,
    ) -> Result<Stop, SimulationError> {
        // The zero with which it set off is before the brake.
        let brake = run.time();
        let zeros = self.swings.get(number).unwrap_or(&self.zeros);
        let zeros = &zeros[zeros.partition_point(|(t, _)| *t <= brake)..];
        let mut row = vec![0.0; run.columns().len()];
        let mut first = 0;
        for (k, pair) in zeros.windows(2).enumerate() {
            let middle = 0.5 * (pair[0].0 + pair[1].0);
            if middle <= run.time() {
                continue;
            }
            run.advance_to(middle)?;
            run.row(&mut row);
            if row[self.speed].abs() > SWINGING * v.abs() {
                first = k + 1;
            }
        }
        let zero = zeros.get(first).filter(|(t, _)| *t <= stop.t);
        Ok(zero.map_or(stop, |(t, x)| Stop { t: *t, x: *x, ..stop }))
    }

    /// All of them as a table, where there are several.
    pub fn table(&self, brakes: &[&Signal], again: Rerun<'_>) -> Result<Option<DataTable>, SimulationError> {
        let mut table = DataTable::new("stops", &HEADER);
        for found in self.braked(brakes, again)? {
            let way = (found.stop.x - found.place).abs();
            table.push(&[found.brake, found.stop.t, way, found.time(), found.mean_deceleration()]);
        }
        Ok(Some(table).filter(|table| table.rows.len() > 1))
    }
}

/// The first instant of a motion at which a brake can hold something. A brake that held the vehicle at the rest before counts from when
/// it comes on again, and from the beginning of the motion where it never lets go.
fn first_brake(brakes: &[&Signal], stop: &Stop) -> Option<f64> {
    let comes = |brake: &&Signal| {
        let off = if stop.from_rest { brake.first_zero(stop.since, stop.t) } else { None };
        brake.first_positive(off.unwrap_or(stop.since), stop.t)
    };
    brakes.iter().filter_map(comes).reduce(f64::min).filter(|t| *t < stop.t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_brake_counts_from_when_it_comes_on() {
        // It holds until 3 s, and comes again at 6 s.
        let brake = stickslip_core::signal::Points::new(vec![0.0, 3.0, 3.0, 6.0, 6.0], vec![5.0, 5.0, 0.0, 0.0, 5.0]);
        let brake = Signal::Points(brake.expect("valid"));
        let stop = |since, from_rest| Stop { since, from_rest, t: 9.0, x: 0.0, rested: 9.0 };
        assert_eq!(first_brake(&[&brake], &stop(2.0, true)), Some(6.0));
        assert_eq!(first_brake(&[&brake], &stop(2.0, false)), Some(2.0), "it had been moving");
        assert_eq!(first_brake(&[&Signal::Constant(1.0)], &stop(2.0, true)), Some(2.0), "it drags all the way");
        assert_eq!(first_brake(&[&Signal::ZERO], &stop(2.0, true)), None);
    }

    /// Stops of a ride with these speeds, a second apart.
    fn stops(speeds: &[f64]) -> Vec<f64> {
        let mut stops = Stops::new([0, 1]);
        for (t, v) in speeds.iter().enumerate() {
            stops.see(t as f64, 0.0, if *v == 0.0 { Movement::Rests } else { Movement::Moves });
        }
        stops.all().map(|stop| stop.t).collect()
    }

    #[test]
    fn stops_are_rests_after_motion_that_last() {
        assert!(stops(&[0.0, 0.0, 0.0]).is_empty());
        assert_eq!(stops(&[2.0, 1.0, 0.0, 0.0]), [2.0]);
        assert!(stops(&[2.0, 1.0, 0.0, -1.0]).is_empty(), "passed through zero");
        assert_eq!(stops(&[2.0, 0.0, 0.0, 1.0, 0.0, 0.0]), [1.0, 4.0]);
        assert_eq!(stops(&[2.0, 0.0, 0.0, -1.0]), [1.0], "rolls back after it has stopped");
        assert_eq!(stops(&[0.0, 1.0, 0.0]), [2.0], "the run ends with the stop");
        assert!(stops(&[2.0, 1.0]).is_empty());
    }

    #[test]
    fn motions_that_nobody_saw_have_stops() {
        let mut stops = Stops::new([0, 1]);
        let looks = [
            (0.0, 0.0, Movement::Moves),
            (2.0, 5.0, Movement::Rests),
            (3.0, 5.0, Movement::Rests),
            (6.0, 9.0, Movement::Rests),
        ];
        // It sets off on tyres at 8 s, and turns round at 9 s.
        let looks = looks.into_iter().chain([
            (8.0, 9.0, Movement::Passes),
            (9.0, 11.0, Movement::Passes),
            (10.0, 10.0, Movement::Rests),
        ]);
        looks.for_each(|(t, x, movement)| stops.see(t, x, movement));
        let found: Vec<_> = stops.all().map(|stop| (stop.since, stop.from_rest, stop.t)).collect();
        assert_eq!(found, [(0.0, false, 2.0), (3.0, true, 6.0), (8.0, true, 10.0)]);
    }
}
