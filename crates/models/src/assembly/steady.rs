//! Steady sliding of an assembly: forces in balance and springs that do not change their length, while supports go on with
//! constant speeds.
//!
//! ```text
//! F(q, v) + H_sᵀ r_s = 0,      S v + S_u u = 0 (springs),      H_s v + u_s = 0 (pads that stick)
//! ```
//!
//! It is found by Newton's method with steps of least norm from the state at t = 0, which says which pads stick (those
//! without slip) and which way the others slip.

use stickslip_linalg::{Matrix, least_norm};
use stickslip_run::text::number;

use super::network::{Drive, Links, Path};
use super::parts::{Buffer, Characteristic};
use super::{Assembly, AssemblyState};

/// Newton steps at the most.
const STEPS: usize = 60;

/// Forces and rates this share of their parts are rounding.
const BALANCED: f64 = 1e-11;

/// Why an assembly has no steady sliding to be linearised about.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotSteady {
    /// A signal changes with time.
    #[error("{0} changes with time: a steady state needs constants (write a number, or --set one)")]
    Changes(&'static str),
    /// A pad is a spring element.
    #[error("the pad `{0}` is a spring element: only the exact law of friction is linearised (leave out its element)")]
    Element(String),
    /// Friction changes along the way.
    #[error("the friction of the pad `{0}` changes along the way: sliding on it is never steady")]
    OverPlace(String),
    /// No pad slips.
    #[error(
        "nothing slides at t = 0: {0}; give a belt or a body a speed, so that a pad slips (pads without slip at t = 0 are held)"
    )]
    Sticks(String),
    /// Newton's method did not end.
    #[error(
        "no steady sliding was found from the state at t = 0 (what is left of forces is {residual:e} of their parts): is a body \
         held by nothing, or can friction not balance the forces?"
    )]
    NoBalance {
        /// What is left, over the parts.
        residual: f64,
    },
    /// A pad that was taken to slip does not in the steady state.
    #[error("the pad `{0}` does not slide in the steady state: with these forces it comes to rest")]
    ComesToRest(String),
    /// A pad that was held cannot hold.
    #[error(
        "the pad `{pad}`, which sticks at t = 0, cannot hold: it needs {} N and has {} N; give it a slip at t = 0",
        number(*needed),
        number(*bound)
    )]
    Slips {
        /// Which pad.
        pad: String,
        /// The force that it would need \[N\].
        needed: f64,
        /// The greatest that it has \[N\].
        bound: f64,
    },
    /// A force has a corner there.
    #[error("{0} is at a corner of its table in the steady state, where it has two slopes: move it off the corner")]
    Corner(String),
    /// A wall is closed.
    #[error("the stop `{0}` is closed in the steady state: small motions against a wall are impacts, not linear")]
    Wall(String),
}

/// Forces on the coordinates and their derivatives at a state.
pub(super) struct Forces {
    f: Vec<f64>,
    pub dq: Matrix,
    pub dv: Matrix,
    /// What the parts of each force add up to if none cancels another.
    parts: Vec<f64>,
}

impl Forces {
    /// Adds −value along row k of `to`, and its derivatives by rows of other links.
    fn add(&mut self, to: &Links, k: usize, value: f64) {
        to.own.add(k, value, &mut self.f);
        to.own.row(k).for_each(|(i, a)| self.parts[i] += (a * value).abs());
    }

    fn slope(matrix: &mut Matrix, to: &Links, k: usize, by: &Links, l: usize, slope: f64) {
        for (i, a) in to.own.row(k) {
            for (j, b) in by.own.row(l) {
                matrix[(i, j)] += slope * a * b;
            }
        }
    }
}

/// A steady state.
pub(super) struct Steady {
    pub forces: Forces,
    /// Pads that slip, and how fast [m/s].
    pub slipping: Vec<usize>,
    pub slips: Vec<f64>,
    pub sticking: Vec<usize>,
}

/// A spring that presses a pad: its row, and its stiffness there.
type Pressing<'a> = (&'a Links, usize, f64);

impl Assembly {
    fn constant(&self, drive: &Drive) -> f64 {
        match *drive {
            Drive::Constant(value) => value,
            Drive::Line(k) => self.network.signals.list[k].2.at(0.0),
        }
    }

    /// Speeds of the supports' axes.
    fn steady_speeds(&self) -> Vec<f64> {
        let speed = |path: &Path| match path {
            Path::Speed(drive) => self.constant(drive),
            Path::Still | Path::Position(_) => 0.0,
        };
        self.network.motions.iter().map(speed).collect()
    }

    /// The steady state, from the state at t = 0.
    pub(super) fn steady(&self) -> Result<Steady, NotSteady> {
        for (what, _, signal) in &self.network.signals.list {
            if signal.extremes().is_none_or(|e| e.least.1 != e.greatest.1) {
                return Err(NotSteady::Changes(what));
            }
        }
        if let Some(&pad) = self.elements.first() {
            return Err(NotSteady::Element(self.parameters.pads[pad].name.clone()));
        }
        let (mut u, speeds) = (AssemblyState::new(self), self.steady_speeds());
        let slip = |pad: usize, v: &[f64]| -> Vec<f64> {
            self.components(pad).map(|k| self.network.pads.dot(k, v, &speeds)).collect()
        };
        let pads = 0..self.parameters.pads.len();
        let (slipping, sticking): (Vec<usize>, Vec<usize>) =
            pads.partition(|&pad| slip(pad, &u.v).iter().any(|s| *s != 0.0));
        let name = |pad: usize| self.parameters.pads[pad].name.clone();
        if slipping.is_empty() {
            let names: Vec<String> = sticking.iter().map(|&pad| format!("`{}`", name(pad))).collect();
            let said = if names.is_empty() { "there is no pad".into() } else { format!("{} stick", names.join(", ")) };
            return Err(NotSteady::Sticks(said));
        }
        if let Some(&pad) = slipping.iter().find(|&&pad| self.parameters.pads[pad].over_place.is_some()) {
            return Err(NotSteady::OverPlace(name(pad)));
        }
        let reactions = self.balance(&mut u, &speeds, &slipping, &sticking)?;
        let forces = self.forces(&u, &speeds, &slipping)?;
        self.hold(&u, &sticking, &reactions)?;
        let size = |pad: usize| slip(pad, &u.v).iter().map(|s| s * s).sum::<f64>().sqrt();
        let slips: Vec<f64> = slipping.iter().map(|&pad| size(pad)).collect();
        let fastest = speeds.iter().chain(&u.v).fold(0.0_f64, |m, s| m.max(s.abs()));
        if let Some(at) = slips.iter().position(|s| *s <= BALANCED * fastest) {
            return Err(NotSteady::ComesToRest(name(slipping[at])));
        }
        self.walls_are_open(&u)?;
        Ok(Steady { forces, slipping, sticking, slips })
    }

    /// Newton's method for the steady state; the forces of pads that stick.
    fn balance(
        &self,
        u: &mut AssemblyState,
        speeds: &[f64],
        slipping: &[usize],
        sticking: &[usize],
    ) -> Result<Vec<f64>, NotSteady> {
        let net = &self.network;
        let n = net.n;
        let stuck: Vec<usize> = sticking.iter().flat_map(|&pad| self.components(pad)).collect();
        let mut reactions = vec![0.0; stuck.len()];
        let mut worst = f64::INFINITY;
        // Rates are small against what moves, not against their own rounding.
        let fastest = speeds.iter().chain(&u.v).fold(0.0_f64, |m, s| m.max(s.abs()));
        for _ in 0..STEPS {
            let forces = self.forces(u, speeds, slipping)?;
            let springs = self.springs_at(u);
            let rows = n + springs.len() + stuck.len();
            let mut jacobian = Matrix::zeros(rows, 2 * n + stuck.len());
            let mut residual = vec![0.0; rows];
            let mut parts = forces.parts.clone();
            residual[..n].copy_from_slice(&forces.f);
            for i in 0..n {
                for j in 0..n {
                    jacobian[(i, j)] = forces.dq[(i, j)];
                    jacobian[(i, n + j)] = forces.dv[(i, j)];
                }
            }
            let rates = springs.iter().map(|(links, k)| (*links, *k)).chain(stuck.iter().map(|&k| (&net.pads, k)));
            for (row, (links, k)) in rates.enumerate().map(|(r, rate)| (n + r, rate)) {
                residual[row] = links.dot(k, &u.v, speeds);
                links.own.row(k).for_each(|(j, a)| jacobian[(row, n + j)] += a);
            }
            for (c, (&k, r)) in stuck.iter().zip(&reactions).enumerate() {
                net.pads.own.row(k).for_each(|(i, a)| {
                    residual[i] += a * r;
                    parts[i] += (a * r).abs();
                    jacobian[(i, 2 * n + c)] = a;
                });
            }
            let greatest = |values: &[f64]| values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let share = |left: &[f64], size: f64| if size > 0.0 { greatest(left) / size } else { greatest(left) };
            worst = share(&residual[..n], greatest(&parts)).max(share(&residual[n..], fastest));
            if worst <= BALANCED {
                return Ok(reactions);
            }
            // Forces and rates, places and speeds to sizes of one: which directions are free must not hang on units.
            let step = scaled_step(&jacobian, &residual).ok_or(NotSteady::NoBalance { residual: worst })?;
            (0..n).for_each(|i| {
                u.q[i] -= step[i];
                u.v[i] -= step[n + i];
            });
            reactions.iter_mut().zip(&step[2 * n..]).for_each(|(r, step)| *r -= step);
        }
        Err(NotSteady::NoBalance { residual: worst })
    }

    /// Springs that push or pull: linear ones, tables, and stops that are springs where they touch.
    fn springs_at(&self, u: &AssemblyState) -> Vec<(&Links, usize)> {
        let net = &self.network;
        let linear = (0..net.stiffness.len()).filter(|&k| net.stiffness[k] != 0.0).map(|k| (&net.springs, k));
        let touches = |k: &usize| net.tabled.dot(*k, &u.q, &u.support).abs() > net.play[*k];
        linear.chain((0..net.tabled.own.len()).filter(touches).map(|k| (&net.tabled, k))).collect()
    }

    /// Forces without those of pads that stick.
    fn forces(&self, u: &AssemblyState, speeds: &[f64], slipping: &[usize]) -> Result<Forces, NotSteady> {
        let (net, p) = (&self.network, &self.parameters);
        let n = net.n;
        let parts = net.constant.iter().map(|f| f.abs()).collect();
        let mut out = Forces { f: net.constant.clone(), dq: Matrix::zeros(n, n), dv: Matrix::zeros(n, n), parts };
        for (coordinate, drive) in &net.forces {
            let value = self.constant(drive);
            out.f[*coordinate] += value;
            out.parts[*coordinate] += value.abs();
        }
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            out.add(&net.springs, k, -stiffness * net.springs.dot(k, &u.q, &u.support));
            Forces::slope(&mut out.dq, &net.springs, k, &net.springs, k, -stiffness);
        }
        for (k, damping) in net.damping.iter().enumerate() {
            out.add(&net.dampers, k, -damping * net.dampers.dot(k, &u.v, speeds));
            Forces::slope(&mut out.dv, &net.dampers, k, &net.dampers, k, -damping);
        }
        for k in 0..net.tabled.own.len() {
            let d = net.tabled.dot(k, &u.q, &u.support);
            out.add(&net.tabled, k, -self.tabled_force(k, d));
            Forces::slope(&mut out.dq, &net.tabled, k, &net.tabled, k, -self.tabled_slope(k, d)?);
        }
        for (k, curve) in self.tabled_dampers.iter().enumerate() {
            let speed = net.tabled_dampers.dot(k, &u.v, speeds);
            out.add(&net.tabled_dampers, k, -curve.at(speed));
            let slope = curve.slope(speed).ok_or_else(|| NotSteady::Corner("a damper with a table".into()))?;
            Forces::slope(&mut out.dv, &net.tabled_dampers, k, &net.tabled_dampers, k, -slope);
        }
        for &pad in slipping {
            let slip: Vec<f64> = self.components(pad).map(|k| net.pads.dot(k, &u.v, speeds)).collect();
            let size = slip.iter().map(|s| s * s).sum::<f64>().sqrt();
            let (load, pressed) = self.steady_load(pad, u)?;
            if size == 0.0 || load <= 0.0 {
                continue;
            }
            let data = &p.pads[pad];
            let factor = self.constant(&net.factors[pad]);
            let mu = factor * data.coefficient.slipping_at(size);
            let slope = data.coefficient.slope(size);
            let slope =
                factor * slope.ok_or_else(|| NotSteady::Corner(format!("the friction of the pad `{}`", data.name)))?;
            let first = self.components(pad).start;
            for (a, s) in slip.iter().enumerate() {
                let along = s / size;
                out.add(&net.pads, first + a, -mu * load * along);
                for (b, t) in slip.iter().enumerate() {
                    let across = f64::from(u8::from(a == b)) - along * (t / size);
                    let rate = -load * (slope * along * (t / size) + mu / size * across);
                    Forces::slope(&mut out.dv, &net.pads, first + a, &net.pads, first + b, rate);
                }
                if let Some((links, k, stiffness)) = pressed {
                    Forces::slope(&mut out.dq, &net.pads, first + a, links, k, mu * along * stiffness);
                }
            }
        }
        Ok(out)
    }

    /// The load of a pad, and the spring that presses it with its stiffness.
    fn steady_load(&self, pad: usize, u: &AssemblyState) -> Result<(f64, Option<Pressing<'_>>), NotSteady> {
        let load = self.constant(&self.network.loads[pad]);
        let Some(spring) = self.parameters.pads[pad].pressed_by else { return Ok((load, None)) };
        let (_, k) = self.network.spring_at[spring];
        let data = &self.parameters.springs[spring];
        let (links, force, stiffness) = match &data.characteristic {
            Characteristic::Linear(stiffness) => {
                let links = &self.network.springs;
                (links, stiffness * links.dot(k, &u.q, &u.support), *stiffness)
            }
            Characteristic::Table(curve) => {
                let links = &self.network.tabled;
                let d = links.dot(k, &u.q, &u.support);
                (links, curve.at(d), self.tabled_slope(k, d)?)
            }
        };
        Ok((load - data.preload - force, Some((links, k, stiffness))))
    }

    fn tabled_slope(&self, k: usize, d: f64) -> Result<f64, NotSteady> {
        let Some(stop) = k.checked_sub(self.tabled_springs.len()) else {
            return self.tabled_springs[k].slope(d).ok_or_else(|| NotSteady::Corner("a spring with a table".into()));
        };
        let data = &self.parameters.stops[self.spring_stops[stop]];
        match data.buffer {
            Buffer::Spring(_) if d.abs() < data.clearance => Ok(0.0),
            Buffer::Spring(stiffness) if d.abs() > data.clearance || data.clearance == 0.0 => Ok(stiffness),
            _ => Err(NotSteady::Corner(format!("the stop `{}`", data.name))),
        }
    }

    /// Whether pads that stick can hold.
    fn hold(&self, u: &AssemblyState, sticking: &[usize], reactions: &[f64]) -> Result<(), NotSteady> {
        let mut from = 0;
        for &pad in sticking {
            let count = self.components(pad).len();
            let needed = reactions[from..from + count].iter().map(|r| r * r).sum::<f64>().sqrt();
            from += count;
            let data = &self.parameters.pads[pad];
            let place = self.components(pad).start;
            let mut mu = data.coefficient.sticking() * self.constant(&self.network.factors[pad]);
            if let Some(curve) = &data.over_place {
                mu *= curve.at(self.network.pads.dot(place, &u.q, &u.support));
            }
            let bound = mu * self.steady_load(pad, u)?.0.max(0.0);
            if needed > bound {
                return Err(NotSteady::Slips { pad: data.name.clone(), needed, bound });
            }
        }
        Ok(())
    }

    fn walls_are_open(&self, u: &AssemblyState) -> Result<(), NotSteady> {
        for (i, &stop) in self.walls.iter().enumerate() {
            let row = self.components(self.parameters.pads.len() + i).start;
            let at = self.network.pads.dot(row, &u.q, &u.support).abs();
            let data = &self.parameters.stops[stop];
            if at >= data.clearance * (1.0 - super::BEYOND) {
                return Err(NotSteady::Wall(data.name.clone()));
            }
        }
        Ok(())
    }
}

/// The step of least norm with J step = residual, after rows and columns were scaled to one.
fn scaled_step(jacobian: &Matrix, residual: &[f64]) -> Option<Vec<f64>> {
    let (rows, columns) = (jacobian.rows(), jacobian.cols());
    let size = |values: &mut dyn Iterator<Item = f64>| {
        let greatest = values.fold(0.0_f64, |m, v| m.max(v.abs()));
        if greatest > 0.0 { 1.0 / greatest } else { 1.0 }
    };
    let by_row: Vec<f64> = (0..rows).map(|i| size(&mut jacobian.row(i).iter().copied())).collect();
    let by_column: Vec<f64> =
        (0..columns).map(|j| size(&mut (0..rows).map(|i| by_row[i] * jacobian[(i, j)]))).collect();
    let scaled = Matrix::from_fn(rows, columns, |i, j| by_row[i] * jacobian[(i, j)] * by_column[j]);
    let wanted: Vec<f64> = residual.iter().zip(&by_row).map(|(r, s)| r * s).collect();
    let step = least_norm(&scaled, &wanted).ok()?;
    let step: Vec<f64> = step.iter().zip(&by_column).map(|(x, s)| x * s).collect();
    step.iter().all(|x| x.is_finite()).then_some(step)
}
