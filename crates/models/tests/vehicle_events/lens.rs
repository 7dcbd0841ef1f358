//! A vehicle seen through a lens: either as it is, with a count of what is asked of it, or as one that does not know that
//! it is a star, so that its forces come from the general solver and from matrices.

use std::cell::Cell;

use stickslip_core::inclusion::{Problem, Settings, Star, solve};
use stickslip_core::law::{Interval, Law, Product};
use stickslip_core::mechanics::{Affine, At, Flow, Grip, Loads, Motion, Response, Sizes, Smooth, SystemError};
use stickslip_core::scheme::ByEvents;
use stickslip_linalg::Matrix;
use stickslip_models::vehicle::{Vehicle, VehicleState};

/// How often something was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Work {
    /// Inclusions solved (closed form).
    pub responses: u64,
    /// All forces at one instant (integrated).
    pub evaluations: u64,
    /// Bounds, one at a time.
    pub single_bounds: u64,
    /// The whole matrix W.
    pub matrices: u64,
}

pub struct Lens<'a> {
    car: &'a Vehicle,
    general: bool,
    work: Cell<Work>,
}

impl<'a> Lens<'a> {
    pub fn as_it_is(car: &'a Vehicle) -> Lens<'a> {
        Lens { car, general: false, work: Cell::default() }
    }

    pub fn without_star(car: &'a Vehicle) -> Lens<'a> {
        Lens { general: true, ..Lens::as_it_is(car) }
    }

    pub fn work(&self) -> Work {
        self.work.get()
    }

    fn count(&self, add: impl Fn(&mut Work)) {
        let mut work = self.work.get();
        add(&mut work);
        self.work.set(work);
    }

    /// y + A Hᵀ r.
    pub fn moved(&self, y: &[f64], r: &[f64]) -> Vec<f64> {
        let mut moved = y.to_vec();
        self.push(At { t: 0.0, q: &[], v: &[], sides: &[], transfer: 0.0 }, r, &mut moved);
        moved
    }

    /// W = H A Hᵀ, column after column.
    pub fn matrix(&self) -> Matrix {
        let contacts = Smooth::contact_sizes(self.car).len();
        let velocities = Smooth::sizes(self.car).velocities;
        let column = |k: usize| {
            let unit: Vec<f64> = (0..contacts).map(|l| f64::from(k == l)).collect();
            Affine::slips(self.car, &self.moved(&vec![0.0; velocities], &unit))
        };
        let columns: Vec<Vec<f64>> = (0..contacts).map(column).collect();
        Matrix::from_fn(contacts, contacts, |i, j| columns[j][i])
    }
}

impl Affine for Lens<'_> {
    type State = VehicleState;
    type Velocities = Vec<f64>;
    type Contacts = Vec<f64>;

    fn initial(&self) -> Vec<f64> {
        Affine::initial(self.car)
    }

    fn loads(&self, t: f64) -> Result<Loads<Vec<f64>, Vec<f64>>, SystemError> {
        self.car.loads(t)
    }

    fn acceleration(&self, force: &Vec<f64>) -> Vec<f64> {
        Affine::acceleration(self.car, force)
    }

    fn slips(&self, velocities: &Vec<f64>) -> Vec<f64> {
        Affine::slips(self.car, velocities)
    }

    fn influence(&self) -> Vec<f64> {
        if !self.general {
            return Affine::influence(self.car);
        }
        let w = self.matrix();
        (0..w.rows()).map(|k| w[(k, k)]).collect()
    }

    fn respond(
        &self,
        free: &Vec<f64>,
        lo: &Vec<f64>,
        hi: &Vec<f64>,
    ) -> Result<Response<Vec<f64>, Vec<f64>>, SystemError> {
        self.count(|work| work.responses += 1);
        if !self.general {
            return self.car.respond(free, lo, hi);
        }
        let w = self.matrix();
        let mut forces: Vec<f64> = lo.iter().zip(hi).map(|(lo, hi)| if lo == hi { *lo } else { 0.0 }).collect();
        let open: Vec<usize> = (0..lo.len()).filter(|&k| lo[k] != hi[k]).collect();
        let slips = Affine::slips(self.car, &self.moved(free, &forces));
        let w = Matrix::from_fn(open.len(), open.len(), |i, j| w[(open[i], open[j])]);
        let b: Vec<f64> = open.iter().map(|&k| slips[k]).collect();
        let laws = open.iter().map(|&k| Law::Interval(Interval::new(lo[k], hi[k]).expect("ordered")));
        let c = Product::new(laws.collect());
        let solution = solve(&Problem { w: &w, b: &b, c: &c }, &vec![0.0; open.len()], &Settings::default())?;
        let mut holds = vec![1.0; lo.len()];
        for (i, &k) in open.iter().enumerate() {
            (forces[k], holds[k]) = (solution.r[i], solution.s[i]);
        }
        let mut motion = self.moved(free, &forces);
        Affine::settle(self.car, &holds, &mut motion);
        let slips = Affine::slips(self.car, &motion);
        let slips = slips.iter().zip(&holds).map(|(slip, holds)| if *holds == 0.0 { 0.0 } else { *slip });
        Ok(Response { slips: slips.collect(), forces, motion })
    }

    fn settle(&self, signs: &Vec<f64>, velocities: &mut Vec<f64>) {
        self.car.settle(signs, velocities);
    }

    fn state(&self, motion: &Motion<Vec<f64>, Vec<f64>>) -> VehicleState {
        Affine::state(self.car, motion)
    }
}

impl Lens<'_> {
    /// The motion as a state of the car.
    pub fn state_at(&self, flow: &Flow) -> VehicleState {
        self.car.state_at(flow)
    }
}

impl Smooth for Lens<'_> {
    fn sizes(&self) -> Sizes {
        self.car.sizes()
    }

    fn contact_sizes(&self) -> Vec<usize> {
        self.car.contact_sizes()
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        Smooth::initial(self.car)
    }

    fn drift(&self, at: At, out: &mut [f64]) {
        self.car.drift(at, out);
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        self.count(|work| work.evaluations += 1);
        Smooth::acceleration(self.car, at, out);
    }

    fn slips(&self, at: At, out: &mut [f64]) {
        Smooth::slips(self.car, at, out);
    }

    fn slip_rates(&self, at: At, acceleration: &[f64], out: &mut [f64]) {
        self.car.slip_rates(at, acceleration, out);
    }

    fn push(&self, at: At, forces: &[f64], y: &mut [f64]) {
        self.car.push(at, forces, y);
    }

    fn influence(&self, _: At) -> Matrix {
        self.count(|work| work.matrices += 1);
        self.matrix()
    }

    fn star(&self) -> Option<&Star> {
        self.car.star().filter(|_| !self.general)
    }

    fn bounds(&self, at: At, grips: &[Grip], out: &mut [f64]) {
        if !self.general {
            return self.car.bounds(at, grips, out);
        }
        for (contact, (bound, grip)) in out.iter_mut().zip(grips).enumerate() {
            *bound = self.car.bound(contact, at, *grip);
        }
    }

    fn bound(&self, contact: usize, at: At, grip: Grip) -> f64 {
        self.count(|work| work.single_bounds += 1);
        self.car.bound(contact, at, grip)
    }

    fn powers(&self, at: At, forces: &[f64], out: &mut [f64]) {
        self.car.powers(at, forces, out);
    }

    fn guards(&self, at: At, out: &mut [f64]) {
        self.car.guards(at, out);
    }

    fn next_break(&self, t: f64) -> f64 {
        self.car.next_break(t)
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        self.car.select(stuck, v);
    }

    fn select_rates(&self, stuck: &[bool], a: &mut [f64]) {
        self.car.select_rates(stuck, a);
    }

    fn check(&self, t: f64) -> Result<(), SystemError> {
        self.car.check(t)
    }
}
