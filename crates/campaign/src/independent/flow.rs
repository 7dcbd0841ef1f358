//! Forces, accelerations and modes.

use super::{Axis, Direction, GivesUp, Pad, Problem};

/// What a pad does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Mode {
    /// No slip.
    Stick,
    /// Slip along this unit vector (±1 on a line); in the plane it follows the slip as soon as there is one.
    Slip([f64; 2]),
}

/// Slips in the plane below this have the direction that their mode remembers [m/s].
const SLOW: f64 = 1e-10;

/// State: coordinates, velocities, places of all axes, heat of all pads.
pub(super) struct Flow<'a> {
    pub problem: &'a Problem,
    pub modes: Vec<Mode>,
    /// On which side of its clearance each stop is: −1, 0, 1.
    pub sides: Vec<f64>,
    /// An instant within the present pieces of all signals.
    pub inside: f64,
}

fn dot(row: &Direction, own: &[f64], supports: &[f64]) -> f64 {
    let a: f64 = row.own.iter().map(|(i, f)| f * own[*i]).sum();
    a + row.supports.iter().map(|(i, f)| f * supports[*i]).sum::<f64>()
}

impl Flow<'_> {
    pub fn n(&self) -> usize {
        self.problem.masses.len()
    }

    /// Speeds and accelerations of the supports.
    fn supports(&self, t: f64) -> (Vec<f64>, Vec<f64>) {
        let axis = |axis: &Axis| match axis {
            Axis::Speed(course) => course.at(t, self.inside),
            Axis::Position(course) => (course.at(t, self.inside).1, course.curvature(t)),
        };
        self.problem.axes.iter().map(axis).unzip()
    }

    /// Places of the supports: integrated where speeds are given.
    pub fn places(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let first = 2 * self.n();
        let place = |(k, axis): (usize, &Axis)| match axis {
            Axis::Speed(_) => y[first + k],
            Axis::Position(course) => course.at(t, self.inside).0,
        };
        self.problem.axes.iter().enumerate().map(place).collect()
    }

    /// Displacement of a stop.
    pub fn reach(&self, stop: usize, t: f64, y: &[f64]) -> f64 {
        dot(&self.problem.stops[stop].along, &y[..self.n()], &self.places(t, y))
    }

    /// Slip of a pad.
    pub fn slip(&self, pad: usize, t: f64, y: &[f64]) -> [f64; 2] {
        let (n, speeds) = (self.n(), self.supports(t).0);
        let mut slip = [0.0; 2];
        for (s, face) in slip.iter_mut().zip(&self.problem.pads[pad].faces) {
            *s = dot(face, &y[n..2 * n], &speeds);
        }
        slip
    }

    pub fn bound(&self, pad: &Pad, t: f64, coefficient: f64) -> f64 {
        coefficient * pad.factor.at(t, self.inside).0 * pad.load.at(t, self.inside).0.max(0.0)
    }

    /// Forces of all pads on their `own` ends, and accelerations; `modes` may be on trial.
    pub fn forces(&self, t: f64, y: &[f64], modes: &[Mode]) -> Result<(Vec<[f64; 2]>, Vec<f64>), GivesUp> {
        let (p, n) = (self.problem, self.n());
        let (q, v) = (&y[..n], &y[n..2 * n]);
        let places = self.places(t, y);
        let (speeds, rates) = self.supports(t);
        let mut load = vec![0.0; n];
        let push =
            |load: &mut [f64], row: &Direction, force: f64| row.own.iter().for_each(|(i, f)| load[*i] += f * force);
        for (i, force) in &p.forces {
            load[*i] += force.at(t, self.inside).0;
        }
        for spring in &p.springs {
            push(&mut load, &spring.along, -spring.factor * dot(&spring.along, q, &places) - spring.preload);
        }
        for damper in &p.dampers {
            push(&mut load, &damper.along, -damper.factor * dot(&damper.along, v, &speeds));
        }
        for (stop, side) in p.stops.iter().zip(&self.sides) {
            if *side != 0.0 {
                let beyond = dot(&stop.along, q, &places) - side * stop.clearance;
                push(&mut load, &stop.along, -stop.stiffness * beyond);
            }
        }
        let mut forces = vec![[0.0; 2]; p.pads.len()];
        let mut stuck: Vec<(usize, usize)> = Vec::new();
        for (k, (pad, mode)) in p.pads.iter().zip(modes).enumerate() {
            let slip = self.slip(k, t, y);
            match mode {
                Mode::Stick => stuck.extend((0..pad.faces.len()).map(|face| (k, face))),
                Mode::Slip(remembered) => {
                    let speed = slip[0].hypot(slip[1]);
                    let along =
                        if pad.faces.len() == 2 && speed > SLOW { slip.map(|s| s / speed) } else { *remembered };
                    let bound = self.bound(pad, t, pad.friction.slipping(speed));
                    for (j, face) in pad.faces.iter().enumerate() {
                        forces[k][j] = -bound * along[j] - pad.viscous * slip[j];
                        push(&mut load, face, forces[k][j]);
                    }
                }
            }
        }
        let mut a: Vec<f64> = load.iter().zip(&p.masses).map(|(f, m)| f / m).collect();
        if stuck.is_empty() {
            return Ok((forces, a));
        }
        let face = |(k, j): (usize, usize)| &p.pads[k].faces[j];
        let coupling = |one: &Direction, two: &Direction| -> f64 {
            let pairs = one.own.iter().flat_map(|x| two.own.iter().map(move |y| (x, y)));
            pairs.filter(|(x, y)| x.0 == y.0).map(|(x, y)| x.1 * y.1 / p.masses[x.0]).sum()
        };
        let matrix = stuck.iter().map(|&c| stuck.iter().map(|&d| coupling(face(c), face(d))).collect()).collect();
        let wanted = stuck.iter().map(|&c| -dot(face(c), &a, &rates)).collect();
        let r = solve(matrix, wanted).ok_or(GivesUp::NoModes)?;
        for (&(k, j), r) in stuck.iter().zip(&r) {
            forces[k][j] = *r;
            for (i, f) in &face((k, j)).own {
                a[*i] += f * r / p.masses[*i];
            }
        }
        Ok((forces, a))
    }

    /// Rate of change of the state.
    pub fn rates(&self, t: f64, y: &[f64]) -> Vec<f64> {
        let n = self.n();
        let mut rates = y[n..2 * n].to_vec();
        // A system of equations that was solved when the modes were chosen can be solved again.
        let (forces, a) = self.forces(t, y, &self.modes).unwrap_or((vec![[0.0; 2]; self.modes.len()], vec![0.0; n]));
        rates.extend(a);
        rates.extend(self.supports(t).0);
        for (k, (force, mode)) in forces.iter().zip(&self.modes).enumerate() {
            let slip = if *mode == Mode::Stick { [0.0; 2] } else { self.slip(k, t, y) };
            // The viscous part counts as a damper, not as heat of the pad.
            let viscous = self.problem.pads[k].viscous * (slip[0] * slip[0] + slip[1] * slip[1]);
            rates.push(0.0 - force[0] * slip[0] - force[1] * slip[1] - viscous);
        }
        rates
    }

    /// Rate of the slip of a pad, at accelerations a.
    pub fn slip_rate(&self, pad: usize, t: f64, a: &[f64]) -> [f64; 2] {
        let rates = self.supports(t).1;
        let mut out = [0.0; 2];
        for (s, face) in out.iter_mut().zip(&self.problem.pads[pad].faces) {
            *s = dot(face, a, &rates);
        }
        out
    }

    /// Changes velocities by impulses at these pads so that their slips vanish; none if they depend on each other.
    pub fn settle(&self, t: f64, y: &mut [f64], pads: &[usize]) -> Option<()> {
        let (n, p) = (self.n(), self.problem);
        let rows: Vec<&Direction> = pads.iter().flat_map(|&k| &p.pads[k].faces).collect();
        let wanted: Vec<f64> =
            pads.iter().flat_map(|&k| self.slip(k, t, y)[..p.pads[k].faces.len()].to_vec()).collect();
        let coupling = |one: &Direction, two: &Direction| -> f64 {
            let pairs = one.own.iter().flat_map(|x| two.own.iter().map(move |y| (x, y)));
            pairs.filter(|(x, y)| x.0 == y.0).map(|(x, y)| x.1 * y.1 / p.masses[x.0]).sum()
        };
        let matrix = rows.iter().map(|c| rows.iter().map(|d| coupling(c, d)).collect()).collect();
        for (row, impulse) in rows.iter().zip(solve(matrix, wanted)?) {
            row.own.iter().for_each(|(i, f)| y[n + i] -= f * impulse / p.masses[*i]);
        }
        Some(())
    }
}

/// Solves a small system by elimination with pivots; none if it is singular.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|i, j| a[*i][k].abs().total_cmp(&a[*j][k].abs()))?;
        a.swap(k, pivot);
        b.swap(k, pivot);
        if a[k][k].abs() < 1e-9 {
            return None;
        }
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            let (above, below) = a.split_at_mut(i);
            below[0].iter_mut().zip(&above[k]).skip(k).for_each(|(low, high)| *low -= factor * high);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}
