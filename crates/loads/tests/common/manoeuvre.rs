//! Vehicles that brake in a straight line with load transfer, from event to event and by implicit steps.

#![allow(dead_code, reason = "each test uses a part")]

use stickslip_core::law::State;
use stickslip_core::signal::{Points, Signal};
use stickslip_loads::transfer::{
    Axle, Axles, Contact, Problem, Response, Select, SignalRates, Verdict, Wheel, Workspace,
};

pub struct Vehicle {
    pub mass: f64,
    pub axles: Axles,
    pub inertia: Vec<f64>,
    pub friction: Vec<f64>,
    /// Brake torques per axle [N·m].
    pub torque: Vec<Signal>,
    pub speed: f64,
}

pub fn points(list: &[(f64, f64)]) -> Signal {
    let (times, values) = list.iter().copied().unzip();
    Signal::Points(Points::new(times, values).unwrap())
}

pub fn car(friction: [f64; 2], torque: [Signal; 2]) -> Vehicle {
    let axle = |place| Axle { place, stiffness: 1.0, radius: 0.3 };
    Vehicle {
        mass: 1200.0,
        axles: Axles::new(0.55, 1200.0 * 9.81, &[axle(1.2), axle(-1.4)]).unwrap(),
        inertia: vec![2.4 / 0.09; 2],
        friction: friction.to_vec(),
        torque: torque.to_vec(),
        speed: 30.0,
    }
}

pub fn ramp() -> Vehicle {
    car([0.8, 0.8], [4500.0, 1600.0].map(|full| points(&[(0.0, 0.0), (1.5, full)])))
}

pub fn release() -> Vehicle {
    let steps = |full: f64, left: f64| points(&[(0.0, 0.0), (1.0, full), (1.5, full), (1.9, left)]);
    car([0.8, 0.7], [steps(3600.0, 1200.0), steps(1500.0, 400.0)])
}

pub fn truck() -> Vehicle {
    let axle = |(place, stiffness)| Axle { place, stiffness, radius: 0.5 };
    let axles = [(3.0, 4e5), (-1.5, 7e5), (-2.8, 7e5)].map(axle);
    Vehicle {
        mass: 18_000.0,
        axles: Axles::new(1.4, 18_000.0 * 9.81, &axles).unwrap(),
        inertia: vec![24.0 / 0.25; 3],
        friction: vec![0.7; 3],
        torque: [40_000.0, 26_000.0, 26_000.0].map(|full| points(&[(0.0, 0.0), (0.8, full)])).to_vec(),
        speed: 20.0,
    }
}

/// An event of a run: when, modes after it (ground and brake of each axle), motion, loads just before it.
pub struct Happened {
    pub t: f64,
    pub modes: Vec<[i8; 2]>,
    pub x1: f64,
    pub x: f64,
    pub v: Vec<f64>,
    pub loads: Vec<f64>,
}

/// Signals this much later decide where a force has just reached its bound [s].
const AHEAD: f64 = 1e-7;

/// Roots closer than this to the last event are that event [s].
const SAME: f64 = 1e-10;

struct Run<'a> {
    car: &'a Vehicle,
    t: f64,
    x: f64,
    x1: f64,
    v: Vec<f64>,
    /// Whether the slips of ground and brake are zero.
    zero: Vec<[bool; 2]>,
}

impl Vehicle {
    pub fn bound(&self) -> f64 {
        self.axles.uniqueness_bound(&self.friction)
    }

    fn wheels(&self, t: f64) -> Vec<Wheel> {
        let wheel = |i: usize| Wheel {
            inertia: self.inertia[i],
            free: 0.0,
            friction: self.friction[i],
            brake_bound: self.torque[i].at(t) / self.axles.radii()[i],
            motor: 0.0,
            ground: Contact::Undecided,
            brake: Contact::Undecided,
        };
        (0..self.inertia.len()).map(wheel).collect()
    }

    fn problem<'a>(&'a self, wheels: &'a [Wheel]) -> Problem<'a> {
        Problem {
            axles: &self.axles,
            mass: self.mass,
            free: 0.0,
            resistance_bound: 0.0,
            resistance_arm: 0.0,
            resistance: Contact::Undecided,
            wheels,
        }
    }

    /// All events up to the stop, the start first.
    pub fn by_events(&self) -> Vec<Happened> {
        let n = self.inertia.len();
        let zero = vec![[true, false]; n];
        let mut run = Run { car: self, t: 0.0, x: 0.0, x1: self.speed, v: vec![-self.speed; n], zero };
        let mut modes = run.decide();
        let mut happened = vec![run.now(&modes, self.axles.at_rest().to_vec())];
        for _ in 0..40 {
            let (stops, loads, changed) = run.advance(&modes);
            if !changed {
                continue;
            }
            modes = if stops { vec![[State::Stick; 2]; n] } else { run.decide() };
            happened.push(run.now(&modes, loads));
            if stops {
                break;
            }
        }
        happened
    }

    /// Implicit steps to rest: time, place, the last verdict and how many problems were solved in each step on average.
    pub fn by_steps(&self, h: f64) -> (f64, f64, Verdict, f64) {
        let n = self.inertia.len();
        let (mut x1, mut x, mut v) = (self.speed, 0.0, vec![-self.speed; n]);
        let mut workspace = Workspace::new(n);
        let bound = self.bound();
        let mut evaluations = 0;
        for step in 1..1_000_000_u32 {
            let t = f64::from(step) * h;
            let mut wheels = self.wheels(t);
            for (wheel, v) in wheels.iter_mut().zip(&v) {
                (wheel.inertia, wheel.free) = (wheel.inertia / h, *v);
            }
            let problem = Problem { mass: self.mass / h, free: x1, ..self.problem(&wheels) };
            let verdict = workspace.solve(&problem, bound, Select::Nearest);
            evaluations += workspace.evaluations;
            x1 = workspace.forces.y1;
            v.copy_from_slice(&workspace.forces.v);
            x += h * x1;
            if x1 == 0.0 {
                return (t, x, verdict, f64::from(evaluations) / f64::from(step));
            }
        }
        panic!("never stops");
    }
}

impl Run<'_> {
    fn decide(&self) -> Vec<[State; 2]> {
        let mut wheels = self.car.wheels(self.t + AHEAD);
        for (i, wheel) in wheels.iter_mut().enumerate() {
            let known = |zero: bool, slip: f64| if zero { Contact::Undecided } else { Contact::Slips(slip.signum()) };
            wheel.ground = known(self.zero[i][0], self.x1 + self.v[i]);
            wheel.brake = known(self.zero[i][1], self.v[i]);
        }
        let mut workspace = Workspace::new(wheels.len());
        workspace.solve(&self.car.problem(&wheels), self.car.bound(), Select::Nearest);
        workspace.forces.modes.clone()
    }

    fn now(&self, modes: &[[State; 2]], loads: Vec<f64>) -> Happened {
        let modes = modes.iter().map(|pair| pair.map(|mode| mode.sign())).collect();
        Happened { t: self.t, modes, x1: self.x1, x: self.x, v: self.v.clone(), loads }
    }

    /// Goes to the next event or break of a signal: whether the vehicle stops there, loads just before, whether any contact
    /// changes.
    fn advance(&mut self, modes: &[[State; 2]]) -> (bool, Vec<f64>, bool) {
        let (n, car) = (modes.len(), self.car);
        let wheels = car.wheels(self.t);
        let problem = car.problem(&wheels);
        let (mut at, mut rate) = (Response::new(n), Response::new(n));
        problem.with_modes(modes, &mut at).unwrap();
        let zeros = vec![0.0; n];
        let slope = |i: usize| {
            let piece = car.torque[i].piece(self.t);
            piece.slope / car.axles.radii()[i]
        };
        let brakes: Vec<f64> = (0..n).map(slope).collect();
        let signals = SignalRates { free: 0.0, wheels: &zeros, brakes: &brakes, motors: &zeros };
        problem.rates(modes, signals, &mut rate).unwrap();
        let load = |i: usize| (car.axles.load(i, at.q), car.axles.shares()[i] * rate.q);
        let mut end = (0..n).map(|i| car.torque[i].next_break(self.t) - self.t).fold(f64::INFINITY, f64::min);
        let mut what = None;
        let mut watch = |time: Option<f64>, which: (usize, usize)| {
            if let Some(time) = time.filter(|time| *time < end) {
                (end, what) = (time, Some(which));
            }
        };
        watch(first_root(self.x1, at.y1, rate.y1), (n, 0));
        for i in 0..n {
            let [ground, brake] = modes[i].map(|mode| mode.sign());
            if ground == 0 {
                let (now, change) = load(i);
                for side in [1.0, -1.0] {
                    let line =
                        [car.friction[i] * now - side * at.ground[i], car.friction[i] * change - side * rate.ground[i]];
                    watch(first_root(line[0], line[1], 0.0), (i, 0));
                }
            } else {
                watch(first_root(self.x1 + self.v[i], at.y1 + at.v[i], rate.y1 + rate.v[i]), (i, 0));
            }
            if brake == 0 {
                for side in [1.0, -1.0] {
                    let line = [wheels[i].brake_bound - side * at.brake[i], brakes[i] - side * rate.brake[i]];
                    watch(first_root(line[0], line[1], 0.0), (i, 1));
                }
            } else {
                watch(first_root(self.v[i], at.v[i], rate.v[i]), (i, 1));
            }
        }
        self.x += end * (self.x1 + end * (at.y1 / 2.0 + end * rate.y1 / 6.0));
        self.x1 += end * (at.y1 + end * rate.y1 / 2.0);
        for (i, modes) in modes.iter().enumerate() {
            let [ground, brake] = modes.map(|mode| mode.sign() == 0);
            self.v[i] += end * (at.v[i] + end * rate.v[i] / 2.0);
            self.zero[i] = [ground, brake];
            if ground {
                self.v[i] = -self.x1;
            }
        }
        self.t += end;
        let stops = what == Some((n, 0));
        match what {
            Some((i, 0)) if i < n => {
                (self.zero[i][0], self.v[i]) = (true, if modes[i][0].sign() == 0 { self.v[i] } else { -self.x1 })
            }
            Some((i, 1)) => (self.zero[i][1], self.v[i]) = (true, 0.0),
            _ => {}
        }
        if stops {
            self.x1 = 0.0;
            self.v.fill(0.0);
        }
        let loads = (0..n).map(|i| load(i).0 + load(i).1 * end).collect();
        (stops, loads, what.is_some())
    }
}

/// The first t > 0 with a + b t + ½ c t² = 0.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let roots = if c == 0.0 {
        [-a / b, f64::NAN]
    } else {
        let root = (b * b - 2.0 * a * c).sqrt();
        let q = -(b + root.copysign(b));
        [q / c, 2.0 * a / q]
    };
    roots.into_iter().filter(|t| *t > SAME && t.is_finite()).min_by(f64::total_cmp)
}
