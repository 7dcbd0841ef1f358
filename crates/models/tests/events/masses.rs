//! Bodies on a line that rub on each other and on the ground.
//!
//! ```text
//! m_i v_i' = F_i(t) + Σ_k H_ki r_k,    s_k = v_a − v_b (v_a on the ground),    r_k ∈ [−a_k(t), a_k(t)],   −s ∈ N_C(r)
//! ```
//!
//! Contact k holds between the bodies a and b; r_k acts on a and −r_k on b. Two masses with friction between them
//! (Xia, Wolfs and Cole 2005, Figs 3–7) are the smallest such system; a driven, braked wheel is another: masses m
//! and J, speeds x1 and −x2.
//!
//! Forces are unique if and only if contacts close no loop (the ground counts as a body); in a loop those of least
//! norm are taken. Velocities are always unique.

use stickslip_core::inclusion::{Problem, Settings as SolverSettings, solve};
use stickslip_core::law::{Interval, Law, LawError, Product};
use stickslip_linalg::Matrix;

use stickslip_core::mechanics::{
    Affine, At, Grip, Loads, Motion, Pieces, Response, Signals, Sizes, Smooth, SystemError,
};
use stickslip_core::signal::Signal;

/// One body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Mass m \[kg\], > 0.
    pub mass: f64,
    /// Force F(t) on it \[N\].
    pub force: Signal,
    /// Velocity at t = 0 [m/s].
    pub velocity: f64,
}

/// Friction between two bodies, or between a body and the ground.
#[derive(Debug, Clone)]
pub struct Contact {
    /// Number of the body whose slip and force count as positive.
    pub body: usize,
    /// Number of the other body; none for the ground.
    pub on: Option<usize>,
    /// Greatest force a(t) \[N\], ≥ 0.
    pub bound: Signal,
}

/// Why data do not describe such a system.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum BodiesError {
    /// A mass is not a positive number or a velocity no number.
    #[error("body {body}: {what} = {value} must be {wanted}")]
    Body {
        /// Which body, from 0.
        body: usize,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// A contact names a body that is not there, or one body twice.
    #[error("contact {contact}: it must name two different bodies, or one and the ground, of the {bodies} there are")]
    Contact {
        /// Which contact, from 0.
        contact: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// A bound is negative at some time.
    #[error("contact {contact}: its bound is {value} at t = {t} s: it must not be negative")]
    NegativeBound {
        /// Which contact, from 0.
        contact: usize,
        /// When.
        t: f64,
        /// Its value there.
        value: f64,
    },
}

/// Bodies on a line, checked.
#[derive(Debug, Clone)]
pub struct Bodies {
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    /// W = H M⁻¹ Hᵀ.
    influence: Matrix,
}

impl Bodies {
    /// Checks the data.
    pub fn new(bodies: Vec<Body>, contacts: Vec<Contact>) -> Result<Bodies, BodiesError> {
        for (body, b) in bodies.iter().enumerate() {
            if !(b.mass.is_finite() && b.mass > 0.0) {
                return Err(BodiesError::Body { body, what: "mass", value: b.mass, wanted: "a finite number > 0" });
            }
            if !b.velocity.is_finite() {
                return Err(BodiesError::Body { body, what: "velocity", value: b.velocity, wanted: "a finite number" });
            }
        }
        let there = |body: usize| body < bodies.len();
        for (contact, c) in contacts.iter().enumerate() {
            if !there(c.body) || c.on.is_some_and(|on| !there(on) || on == c.body) {
                return Err(BodiesError::Contact { contact, bodies: bodies.len() });
            }
            if let Some((t, value)) = c.bound.extremes().map(|e| e.least).filter(|least| least.1 < 0.0) {
                return Err(BodiesError::NegativeBound { contact, t, value });
            }
        }
        let row = |c: &Contact, body: usize| f64::from(c.body == body) - f64::from(c.on == Some(body));
        let influence = Matrix::from_fn(contacts.len(), contacts.len(), |k, l| {
            (0..bodies.len()).map(|i| row(&contacts[k], i) * row(&contacts[l], i) / bodies[i].mass).sum()
        });
        Ok(Bodies { bodies, contacts, influence })
    }

    /// The bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// ½ Σ m_i v_i² \[J\].
    pub fn kinetic(&self, velocities: &[f64]) -> f64 {
        self.bodies.iter().zip(velocities).map(|(b, v)| 0.5 * b.mass * v * v).sum()
    }

    /// y + M⁻¹ Hᵀ r.
    fn moved(&self, y: &[f64], r: &[f64]) -> Vec<f64> {
        let mut force = vec![0.0; y.len()];
        for (c, r) in self.contacts.iter().zip(r) {
            force[c.body] += r;
            if let Some(on) = c.on {
                force[on] -= r;
            }
        }
        (0..y.len()).map(|i| y[i] + force[i] / self.bodies[i].mass).collect()
    }
}

impl Affine for Bodies {
    type State = Motion<Vec<f64>, Vec<f64>>;
    type Velocities = Vec<f64>;
    type Contacts = Vec<f64>;

    fn initial(&self) -> Vec<f64> {
        self.bodies.iter().map(|b| b.velocity).collect()
    }

    fn loads(&self, t: f64) -> Result<Loads<Vec<f64>, Vec<f64>>, SystemError> {
        let mut pieces = Pieces::at(t);
        let forces: Vec<_> =
            self.bodies.iter().map(|b| pieces.read("force", &b.force, false)).collect::<Result<_, _>>()?;
        let bounds: Vec<_> =
            self.contacts.iter().map(|c| pieces.read("friction bound", &c.bound, true)).collect::<Result<_, _>>()?;
        let (force, force_slope) = forces.into_iter().unzip();
        let (bound, bound_slope) = bounds.into_iter().unzip();
        Ok(Loads { force, force_slope, bound, bound_slope, until: pieces.until })
    }

    fn acceleration(&self, force: &Vec<f64>) -> Vec<f64> {
        self.bodies.iter().zip(force).map(|(b, f)| f / b.mass).collect()
    }

    fn slips(&self, v: &Vec<f64>) -> Vec<f64> {
        self.contacts.iter().map(|c| v[c.body] - c.on.map_or(0.0, |on| v[on])).collect()
    }

    fn influence(&self) -> Vec<f64> {
        (0..self.contacts.len()).map(|k| self.influence[(k, k)]).collect()
    }

    fn respond(
        &self,
        free: &Vec<f64>,
        lo: &Vec<f64>,
        hi: &Vec<f64>,
    ) -> Result<Response<Vec<f64>, Vec<f64>>, SystemError> {
        dense(self, &self.influence, |y, r| self.moved(y, r), free, lo, hi)
    }

    /// Bodies that stick together get the velocity of their common centre of mass, those that stick to the ground
    /// none.
    fn settle(&self, signs: &Vec<f64>, velocities: &mut Vec<f64>) {
        let ground = self.bodies.len();
        let mut group: Vec<usize> = (0..=ground).collect();
        for (c, _) in self.contacts.iter().zip(signs).filter(|(_, sign)| **sign == 0.0) {
            let (from, to) = (group[c.body], group[c.on.unwrap_or(ground)]);
            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
        for number in 0..=ground {
            let members: Vec<usize> = (0..ground).filter(|&i| group[i] == number).collect();
            if number != group[ground] && members.len() < 2 {
                continue;
            }
            let mass: f64 = members.iter().map(|&i| self.bodies[i].mass).sum();
            let momentum: f64 = members.iter().map(|&i| self.bodies[i].mass * velocities[i]).sum();
            let common = if number == group[ground] { 0.0 } else { momentum / mass };
            members.iter().for_each(|&i| velocities[i] = common);
        }
    }

    fn state(&self, motion: &Motion<Vec<f64>, Vec<f64>>) -> Motion<Vec<f64>, Vec<f64>> {
        motion.clone()
    }
}

/// Forces of any form: what straight lines cannot say is integrated between events.
impl Smooth for Bodies {
    fn sizes(&self) -> Sizes {
        let n = self.bodies.len();
        Sizes { positions: n, velocities: n, powers: 1, guards: 0 }
    }

    fn contact_sizes(&self) -> Vec<usize> {
        vec![1; self.contacts.len()]
    }

    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (vec![0.0; self.bodies.len()], Affine::initial(self))
    }

    fn acceleration(&self, at: At, out: &mut [f64]) {
        out.iter_mut().zip(&self.bodies).for_each(|(a, b)| *a = b.force.at(at.t) / b.mass);
    }

    fn slip_rates(&self, _: At, acceleration: &[f64], out: &mut [f64]) {
        for (s, c) in out.iter_mut().zip(&self.contacts) {
            *s = acceleration[c.body] - c.on.map_or(0.0, |on| acceleration[on]);
        }
    }

    fn push(&self, _: At, forces: &[f64], y: &mut [f64]) {
        for (c, r) in self.contacts.iter().zip(forces) {
            y[c.body] += r / self.bodies[c.body].mass;
            if let Some(on) = c.on {
                y[on] -= r / self.bodies[on].mass;
            }
        }
    }

    fn influence(&self, _: At) -> Matrix {
        self.influence.clone()
    }

    fn bound(&self, contact: usize, at: At, _: Grip) -> f64 {
        self.contacts[contact].bound.at(at.t)
    }

    fn powers(&self, at: At, _: &[f64], out: &mut [f64]) {
        out[0] = self.bodies.iter().zip(at.v).map(|(b, v)| b.force.at(at.t) * v).sum();
    }

    fn signals(&self) -> Signals<'_> {
        let forces = self.bodies.iter().map(|b| ("force", &b.force));
        Box::new(forces.chain(self.contacts.iter().map(|c| ("bound", &c.bound))))
    }

    fn select(&self, stuck: &[bool], v: &mut [f64]) {
        let mut velocities = v.to_vec();
        self.settle(&stuck.iter().map(|stuck| f64::from(!stuck)).collect(), &mut velocities);
        v.copy_from_slice(&velocities);
    }

    fn select_rates(&self, stuck: &[bool], a: &mut [f64]) {
        self.select(stuck, a);
    }
}

/// [`Affine::respond`] for a system with the matrix W = H A Hᵀ, where `moved` gives y + A Hᵀ r.
///
/// Known forces (lo = hi) are put into b; the general solver finds the others, those of least norm where they are
/// not unique.
fn dense<S>(
    system: &S,
    w: &Matrix,
    moved: impl Fn(&[f64], &[f64]) -> Vec<f64>,
    free: &[f64],
    lo: &[f64],
    hi: &[f64],
) -> Result<Response<Vec<f64>, Vec<f64>>, SystemError>
where
    S: Affine<Velocities = Vec<f64>, Contacts = Vec<f64>>,
{
    let known: Vec<f64> = lo.iter().zip(hi).map(|(lo, hi)| if lo == hi { *lo } else { 0.0 }).collect();
    let open: Vec<usize> = (0..lo.len()).filter(|&k| lo[k] != hi[k]).collect();
    let slips = system.slips(&moved(free, &known));
    let w = Matrix::from_fn(open.len(), open.len(), |i, j| w[(open[i], open[j])]);
    let b: Vec<f64> = open.iter().map(|&k| slips[k]).collect();
    let laws = open.iter().map(|&k| Interval::new(lo[k], hi[k]).map(Law::Interval));
    let c = Product::new(laws.collect::<Result<_, LawError>>()?);
    let solution = solve(&Problem { w: &w, b: &b, c: &c }, &vec![0.0; open.len()], &SolverSettings::default())?;

    let mut forces = known;
    for (&k, r) in open.iter().zip(&solution.r) {
        forces[k] = *r;
    }
    let mut motion = moved(free, &forces);
    // Slips that the solver has selected to be zero become so in the motion as well.
    let mut holds = vec![1.0; lo.len()];
    for (&k, s) in open.iter().zip(&solution.s) {
        holds[k] = *s;
    }
    system.settle(&holds, &mut motion);
    let mut slips = system.slips(&motion);
    for (slip, s) in slips.iter_mut().zip(&holds).filter(|(_, s)| **s == 0.0) {
        *slip = *s;
    }
    Ok(Response { forces, motion, slips })
}
