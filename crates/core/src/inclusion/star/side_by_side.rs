//! Stars solved side by side: one vector instruction serves several vehicles.
//!
//! Most steps of a vehicle leave the states of its contacts as they are, and then one step of Newton's method from these states is the
//! root ([`Star::solve`]). That is done for all stars at once, without branches; those for which it is not the root, or that
//! rest, are solved alone. Every star gets the operations that it gets alone, in the same order: the same bits.

use super::{Answer, Load, MISS, Star};
use crate::inclusion::nine_regions::{Region, greater};

/// Stars that are solved side by side.
pub const WIDTH: usize = 16;

/// A number of each star.
pub type Lane = [f64; WIDTH];

const NONE: Lane = [0.0; WIDTH];

/// What changes from one problem to the next, of all stars: [`Load`].
#[derive(Debug, Clone, Copy)]
pub struct Loads<'a> {
    /// Speeds of the chassis without contact forces.
    pub z0: &'a Lane,
    /// Bounds of the chassis' own resistance.
    pub a_0: &'a Lane,
    /// Circumferential speeds without contact forces, wheel by wheel.
    pub z: &'a [Lane],
    /// Bounds of the ground friction.
    pub a_g: &'a [Lane],
    /// Bounds of the brakes.
    pub a_b: &'a [Lane],
}

/// What the wheels of one number do, of all stars.
#[derive(Debug, Clone)]
struct Wheels {
    d: Lane,
    per_d: Lane,
    v: Lane,
    slip: Lane,
    f: Lane,
    g: Lane,
    /// 3 (ε_G + 1) + ε_B + 1, and the same before.
    region: Lane,
    before: Lane,
}

/// Stars with equally many wheels, and their last solutions.
#[derive(Debug, Clone)]
pub struct Stars {
    stars: Vec<Star>,
    d0: Lane,
    per_d0: Lane,
    y1: Lane,
    r: Lane,
    change: Lane,
    residual: Lane,
    wheels: Vec<Wheels>,
    unique: [bool; WIDTH],
    changed: [bool; WIDTH],
    evaluations: [u32; WIDTH],
    /// Room for one star alone.
    alone: Answer,
    lists: [Vec<f64>; 3],
}

impl Stars {
    /// Room for stars with n wheels.
    pub fn new(n: usize) -> Stars {
        let wheel = Wheels { d: NONE, per_d: NONE, v: NONE, slip: NONE, f: NONE, g: NONE, region: NONE, before: NONE };
        Stars {
            stars: vec![Star::new(1.0, vec![1.0; n]); WIDTH],
            d0: NONE,
            per_d0: NONE,
            y1: NONE,
            r: NONE,
            change: NONE,
            residual: NONE,
            wheels: vec![wheel; n],
            unique: [true; WIDTH],
            changed: [false; WIDTH],
            evaluations: [0; WIDTH],
            alone: Answer::new(n),
            lists: [const { Vec::new() }; 3],
        }
    }

    /// Puts a star with its last solution into its place.
    pub fn load(&mut self, place: usize, star: Star, answer: &Answer) {
        (self.d0[place], self.per_d0[place]) = (star.d0, star.per_d0);
        for (wheels, (d, per_d)) in self.wheels.iter_mut().zip(star.d.iter().zip(&star.per_d)) {
            (wheels.d[place], wheels.per_d[place]) = (*d, *per_d);
        }
        self.stars[place] = star;
        self.take(place, answer);
    }

    /// The solution of one star.
    pub fn store(&self, place: usize, answer: &mut Answer) {
        (answer.y1, answer.r, answer.change) = (self.y1[place], self.r[place], self.change[place]);
        (answer.residual, answer.unique) = (self.residual[place], self.unique[place]);
        (answer.changed, answer.evaluations) = (self.changed[place], self.evaluations[place]);
        for (i, wheel) in self.wheels.iter().enumerate() {
            (answer.v[i], answer.slip[i], answer.f[i], answer.g[i]) =
                (wheel.v[place], wheel.slip[place], wheel.f[place], wheel.g[place]);
            answer.regions[i] = Region::from_code(wheel.region[place] as u8).unwrap_or(Region::new(0, 0));
        }
    }

    fn take(&mut self, place: usize, answer: &Answer) {
        (self.y1[place], self.r[place], self.change[place]) = (answer.y1, answer.r, answer.change);
        (self.residual[place], self.unique[place]) = (answer.residual, answer.unique);
        (self.changed[place], self.evaluations[place]) = (answer.changed, answer.evaluations);
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            (wheel.v[place], wheel.slip[place], wheel.f[place], wheel.g[place]) =
                (answer.v[i], answer.slip[i], answer.f[i], answer.g[i]);
            wheel.region[place] = f64::from(answer.regions[i].code());
        }
    }

    /// Speeds of the chassis.
    pub fn y1(&self) -> &Lane {
        &self.y1
    }

    /// Resistances of the chassis.
    pub fn r(&self) -> &Lane {
        &self.r
    }

    /// Residuals.
    pub fn residual(&self) -> &Lane {
        &self.residual
    }

    /// Circumferential speeds, slips, ground friction and brake forces of the wheels of one number.
    pub fn wheel(&self, wheel: usize) -> [&Lane; 4] {
        let wheel = &self.wheels[wheel];
        [&wheel.v, &wheel.slip, &wheel.f, &wheel.g]
    }

    /// Whether the forces of a star are unique, and whether one of its states may have changed.
    pub fn told(&self, place: usize) -> (bool, bool) {
        (self.unique[place], self.changed[place])
    }

    /// Solves for the loads of all stars.
    #[inline(always)]
    pub fn solve(&mut self, load: Loads<'_>) {
        let n = self.wheels.len();
        assert!(load.z.len() == n && load.a_g.len() == n && load.a_b.len() == n);
        let before = (self.y1, self.change);
        let sign: Lane = std::array::from_fn(|l| if before.0[l] > 0.0 { 1.0 } else { -1.0 });
        let change = self.step_from_states(load, &sign);
        let (y1, error, changed) = self.moving(load, &sign, &change);
        for l in 0..WIDTH {
            let rounding = MISS * greater(load.z0[l].abs(), y1[l].abs());
            let good = before.0[l] != 0.0 && sign[l] * (load.z0[l] + change[l]) > 0.0 && error[l].abs() <= rounding;
            if good {
                (self.y1[l], self.change[l], self.r[l]) = (y1[l], change[l], sign[l] * load.a_0[l]);
                (self.unique[l], self.changed[l], self.evaluations[l]) = (true, changed[l] != 0, 1);
            } else {
                self.alone(load, l);
            }
        }
    }

    /// [`Star::step_from_states`] of all stars.
    #[inline(always)]
    fn step_from_states(&self, load: Loads<'_>, sign: &Lane) -> Lane {
        let (mut force, mut given, mut stiffness) = (NONE, NONE, self.per_d0);
        for l in 0..WIDTH {
            given[l] = sign[l] * load.a_0[l];
        }
        for (wheel, (z, (a_g, a_b))) in self.wheels.iter().zip(load.z.iter().zip(load.a_g.iter().zip(load.a_b))) {
            for l in 0..WIDTH {
                // Codes 0, 1, 2 slip backwards on the ground, 3, 4, 5 roll, 6, 7, 8 slip forwards.
                let rolls = wheel.region[l] > 2.5 && wheel.region[l] < 5.5;
                let slips = if wheel.region[l] > 5.5 { a_g[l] } else { -a_g[l] };
                let k = wheel.per_d[l];
                force[l] += if rolls { (load.z0[l] + z[l]) * k } else { 0.0 };
                given[l] += if rolls { sign[l] * a_b[l] } else { slips };
                stiffness[l] += if rolls { k } else { 0.0 };
            }
        }
        std::array::from_fn(|l| -(given[l] + force[l]) * (1.0 / stiffness[l]))
    }

    /// [`Star::moving`] of all stars: their speeds, by how much the equations of the chassis are missed, and where states changed.
    #[inline(always)]
    fn moving(&mut self, load: Loads<'_>, sign: &Lane, change: &Lane) -> (Lane, Lane, [u64; WIDTH]) {
        let y1: Lane = std::array::from_fn(|l| load.z0[l] + change[l]);
        let mut sum: Lane = std::array::from_fn(|l| sign[l] * load.a_0[l]);
        let (mut residual, mut changed) = (NONE, [0; WIDTH]);
        for (wheel, (z, (a_g, a_b))) in self.wheels.iter_mut().zip(load.z.iter().zip(load.a_g.iter().zip(load.a_b))) {
            for l in 0..WIDTH {
                let (s, z, a_g, a_b) = (sign[l], z[l], a_g[l], a_b[l]);
                let (d, per_d) = (wheel.d[l], wheel.per_d[l]);
                let force = (load.z0[l] + z + change[l]) * per_d + s * a_b;
                let rolls = force.abs() <= a_g;
                let forward = force > 0.0;
                let (f, e) = (if forward { a_g } else { -a_g }, if forward { 1.0 } else { -1.0 });
                let q = z * per_d - f;
                let (above, below) = (q > a_b, q < -a_b);
                let g = if below { -a_b } else { q };
                let g = if above { a_b } else { g };
                let b = if below { -1.0 } else { 0.0 };
                let b = if above { 1.0 } else { b };
                let speed = z - d * (f + g);
                let v = if b * speed > 0.0 { speed } else { 0.0 };
                let whole = y1[l] + v;
                let slip = if e * whole > 0.0 { whole } else { 0.0 };
                let miss = greater((speed - v).abs(), (whole - slip).abs());
                let brake = -s * a_b;
                let rolling_miss = (z - d * (force + brake) + y1[l]).abs();
                let region = if rolls { 4.0 - s } else { 3.0 * e + b + 4.0 };
                wheel.f[l] = if rolls { force } else { f };
                wheel.g[l] = if rolls { brake } else { g };
                wheel.v[l] = if rolls { -y1[l] } else { v };
                wheel.slip[l] = if rolls { 0.0 } else { slip };
                // Equal numbers differ by +0, whose bits are all zero.
                changed[l] |= (region - wheel.region[l]).to_bits();
                wheel.before[l] = wheel.region[l];
                wheel.region[l] = region;
                sum[l] += wheel.f[l];
                residual[l] = greater(if rolls { rolling_miss } else { miss }, residual[l]);
            }
        }
        let error: Lane = std::array::from_fn(|l| (load.z0[l] - self.d0[l] * sum[l]) - y1[l]);
        self.residual = std::array::from_fn(|l| residual[l] + error[l].abs());
        (y1, error, changed)
    }

    /// Solves one star alone, from its solution before.
    #[cold]
    fn alone(&mut self, load: Loads<'_>, place: usize) {
        let [mut z, mut a_g, mut a_b] = std::mem::take(&mut self.lists);
        for (list, lanes) in [(&mut z, load.z), (&mut a_g, load.a_g), (&mut a_b, load.a_b)] {
            list.clear();
            list.extend(lanes.iter().map(|lane| lane[place]));
        }
        let mut answer = std::mem::replace(&mut self.alone, Answer::new(0));
        (answer.y1, answer.change) = (self.y1[place], self.change[place]);
        for (region, wheel) in answer.regions.iter_mut().zip(&self.wheels) {
            *region = Region::from_code(wheel.before[place] as u8).unwrap_or(Region::new(0, 0));
        }
        let (z0, a_0) = (load.z0[place], load.a_0[place]);
        self.stars[place].solve(Load { z0, a_0, z: &z, a_g: &a_g, a_b: &a_b }, &mut answer);
        self.take(place, &answer);
        (self.alone, self.lists) = (answer, [z, a_g, a_b]);
    }
}
