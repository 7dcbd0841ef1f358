//! From event to event.

use super::dormand_prince::step;
use super::flow::{Flow, Mode};
use super::{Axis, GivesUp, Problem};

/// Longest step \[s\]: nothing moves at rest, so that no error tells how soon a bound dips below its force.
const LONGEST: f64 = 4e-3;

/// Error of a step that is allowed, relative to 1 + |y|.
const TOLERANCE: f64 = 1e-12;

/// Slips below this are none when the modes are chosen anew [m/s].
const REST: f64 = 1e-9;

/// Most steps of a run.
const MOST_STEPS: u64 = 50_000;

/// A row of the result.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// When \[s\].
    pub t: f64,
    /// Coordinates.
    pub places: Vec<f64>,
    /// Velocities.
    pub speeds: Vec<f64>,
    /// Slips of the pads.
    pub slips: Vec<[f64; 2]>,
    /// Heat of the pads so far \[J\].
    pub heat: Vec<f64>,
}

/// Integrates a problem and returns its rows at multiples of `row`.
pub fn march(problem: &Problem, rows: u64, row: f64) -> Result<Vec<Line>, GivesUp> {
    let disks = problem.pads.iter().filter(|pad| pad.faces.len() == 2).count();
    if problem.pads.len() > 3 || (disks > 0 && problem.pads.len() > 1) {
        return Err(GivesUp::Unknown);
    }
    let mut breaks: Vec<f64> = courses(problem).flat_map(|course| course.breaks().collect::<Vec<_>>()).collect();
    breaks.sort_by(f64::total_cmp);
    breaks.dedup();
    let zeros = |n: usize| vec![0.0; n];
    let mut places = zeros(problem.axes.len());
    for (place, axis) in places.iter_mut().zip(&problem.axes) {
        if let Axis::Position(course) = axis {
            *place = course.at(0.0, 0.0).0;
        }
    }
    let y = [problem.places.clone(), problem.speeds.clone(), places, zeros(problem.pads.len())].concat();
    let flow =
        Flow { problem, modes: vec![Mode::Stick; problem.pads.len()], sides: zeros(problem.stops.len()), inside: 0.0 };
    let mut run = March { flow, t: 0.0, y, h: 1e-3 * row, steps: 0 };
    let mut lines = Vec::new();
    let mut next = 1;
    let mut fresh = true;
    while next <= rows {
        let at_row = next as f64 * row;
        let at_break = breaks.iter().copied().find(|b| *b > run.t).unwrap_or(f64::INFINITY);
        let stop = at_row.min(at_break);
        if fresh {
            run.flow.inside = 0.5 * (run.t + at_break.min(run.t + 1.0));
            run.begin_piece()?;
        }
        run.go(stop)?;
        fresh = stop == at_break;
        if stop == at_row {
            if fresh {
                run.flow.inside = stop;
            }
            lines.push(run.line());
            next += 1;
        }
    }
    Ok(lines)
}

fn courses(problem: &Problem) -> impl Iterator<Item = &super::Course> {
    let axes = problem.axes.iter().map(|axis| match axis {
        Axis::Speed(course) | Axis::Position(course) => course,
    });
    let pads = problem.pads.iter().flat_map(|pad| [&pad.load, &pad.factor]);
    axes.chain(pads).chain(problem.forces.iter().map(|(_, course)| course))
}

/// What ends a step.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Watch {
    Slip(usize),
    Bound(usize),
    Stop(usize),
}

struct March<'a> {
    flow: Flow<'a>,
    t: f64,
    y: Vec<f64>,
    h: f64,
    steps: u64,
}

impl March<'_> {
    fn line(&self) -> Line {
        let n = self.flow.n();
        let pads = self.flow.problem.pads.len();
        let slip = |k: usize| match self.flow.modes[k] {
            Mode::Stick => [0.0; 2],
            Mode::Slip(_) => self.flow.slip(k, self.t, &self.y),
        };
        Line {
            t: self.t,
            places: self.y[..n].to_vec(),
            speeds: self.y[n..2 * n].to_vec(),
            slips: (0..pads).map(slip).collect(),
            heat: self.y[self.y.len() - pads..].to_vec(),
        }
    }

    /// Slips may have jumped with the supports, forces and loads in any case.
    fn begin_piece(&mut self) -> Result<(), GivesUp> {
        let places = self.flow.places(self.t, &self.y);
        let first = 2 * self.flow.n();
        self.y[first..first + places.len()].copy_from_slice(&places);
        for (k, stop) in self.flow.problem.stops.iter().enumerate() {
            let d = self.flow.reach(k, self.t, &self.y);
            self.flow.sides[k] = if d.abs() > stop.clearance { d.signum() } else { 0.0 };
        }
        let pads = self.flow.problem.pads.len();
        let speed = |slip: [f64; 2]| slip[0].hypot(slip[1]);
        let rest: Vec<usize> = (0..pads).filter(|&k| speed(self.flow.slip(k, self.t, &self.y)) <= REST).collect();
        self.choose(&rest)
    }

    /// Chooses the modes; these pads are at rest, the others slip as they do.
    fn choose(&mut self, rest: &[usize]) -> Result<(), GivesUp> {
        let flow = &self.flow;
        let mut y = self.y.clone();
        // Pads that share a load can hold it in many ways, and one of them may slip at no speed: no case for this code.
        flow.settle(self.t, &mut y, rest).ok_or(GivesUp::NoModes)?;
        self.y = y;
        let (t, y) = (self.t, &self.y);
        let mut modes = flow.modes.clone();
        for (k, mode) in modes.iter_mut().enumerate().filter(|(k, _)| !rest.contains(k)) {
            let slip = flow.slip(k, t, y);
            let speed = slip[0].hypot(slip[1]);
            *mode = Mode::Slip(slip.map(|s| s / speed));
        }
        for trial in 0..3_usize.pow(rest.len() as u32) {
            let mut rest_modes = trial;
            for &k in rest {
                modes[k] = [Mode::Stick, Mode::Slip([1.0, 0.0]), Mode::Slip([-1.0, 0.0])][rest_modes % 3];
                rest_modes /= 3;
            }
            if flow.problem.pads.iter().any(|pad| pad.faces.len() == 2) && rest.len() == 1 {
                modes[0] = self.in_plane()?;
            } else if !self.holds(rest, &modes) {
                continue;
            }
            self.flow.modes = modes;
            self.h = self.h.min(1e-4);
            return Ok(());
        }
        Err(GivesUp::NoModes)
    }

    /// A pad in the plane at rest: it sticks if it can, and else slips against the force that would hold it.
    fn in_plane(&self) -> Result<Mode, GivesUp> {
        let (forces, _) = self.flow.forces(self.t, &self.y, &[Mode::Stick])?;
        let pad = &self.flow.problem.pads[0];
        let held = forces[0][0].hypot(forces[0][1]);
        let most = self.flow.bound(pad, self.t, pad.friction.sticking());
        Ok(if held <= most { Mode::Stick } else { Mode::Slip(forces[0].map(|f| -f / held)) })
    }

    /// Whether pads at rest in these modes obey the law.
    fn holds(&self, rest: &[usize], modes: &[Mode]) -> bool {
        let Ok((forces, a)) = self.flow.forces(self.t, &self.y, modes) else { return false };
        rest.iter().all(|&k| match modes[k] {
            Mode::Stick => {
                let pad = &self.flow.problem.pads[k];
                forces[k][0].abs() <= self.flow.bound(pad, self.t, pad.friction.sticking())
            }
            Mode::Slip(along) => along[0] * self.flow.slip_rate(k, self.t, &a)[0] >= 0.0,
        })
    }

    /// Values that end a step where they fall below zero.
    fn watched(&self, t: f64, y: &[f64]) -> Vec<(Watch, f64)> {
        let flow = &self.flow;
        let mut list = Vec::new();
        let sticks = flow.modes.contains(&Mode::Stick);
        let forces =
            if sticks { flow.forces(t, y, &flow.modes).map(|found| found.0).unwrap_or_default() } else { Vec::new() };
        for (k, mode) in flow.modes.iter().enumerate() {
            let pad = &flow.problem.pads[k];
            match mode {
                Mode::Stick => {
                    let held = forces.get(k).map_or(0.0, |f| f[0].hypot(f[1]));
                    list.push((Watch::Bound(k), flow.bound(pad, t, pad.friction.sticking()) - held));
                }
                Mode::Slip(along) if pad.faces.len() == 1 => {
                    list.push((Watch::Slip(k), along[0] * flow.slip(k, t, y)[0]));
                }
                Mode::Slip(_) => {}
            }
        }
        for (k, stop) in flow.problem.stops.iter().enumerate() {
            let (d, side) = (flow.reach(k, t, y), flow.sides[k]);
            let within = if side == 0.0 { stop.clearance - d.abs() } else { side * d - stop.clearance };
            list.push((Watch::Stop(k), within));
        }
        list
    }

    /// Goes on to the instant `stop`, through all events on the way.
    fn go(&mut self, stop: f64) -> Result<(), GivesUp> {
        while self.t < stop {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return Err(GivesUp::TooLong);
            }
            let left = stop - self.t;
            let mut h = self.h.min(left);
            if let Some((speed, closing)) = self.closing_in_plane() {
                if speed <= REST && closing > 0.0 {
                    self.choose(&[0])?;
                    continue;
                }
                if closing > 0.0 {
                    h = h.min(0.5 * speed / closing);
                }
            }
            h = h.min(LONGEST);
            let (mut y, error) = self.step(h);
            let worst = y.iter().zip(&error).fold(0.0_f64, |m, (y, e)| m.max(e.abs() / (1.0 + y.abs())));
            let factor = if worst > 0.0 { 0.9 * (TOLERANCE / worst).powf(0.2) } else { 5.0 };
            if worst.is_nan() || worst > TOLERANCE {
                self.h = h * factor.clamp(0.1, 0.9);
                if self.h.is_nan() || self.h < 1e-13 {
                    return Err(GivesUp::TooLong);
                }
                continue;
            }
            let event = self.first_event(h);
            if let Some((_, sooner)) = event {
                h = sooner;
                y = self.step(h).0;
            }
            self.t = if event.is_none() && h == left { stop } else { self.t + h };
            self.y = y;
            self.remember();
            self.h = if event.is_some() { self.h } else { self.h.max(h * factor.clamp(0.2, 5.0)).min(h * 5.0) };
            if let Some((watch, _)) = event {
                self.handle(watch)?;
            }
        }
        Ok(())
    }

    fn step(&self, h: f64) -> (Vec<f64>, Vec<f64>) {
        step(&|t, y| self.flow.rates(t, y), self.t, &self.y, h)
    }

    /// The direction of a slip in the plane, for when it is too slow to have one.
    fn remember(&mut self) {
        for k in 0..self.flow.modes.len() {
            let slip = self.flow.slip(k, self.t, &self.y);
            let speed = slip[0].hypot(slip[1]);
            if self.flow.problem.pads[k].faces.len() == 2 && speed > 1e-10 && self.flow.modes[k] != Mode::Stick {
                self.flow.modes[k] = Mode::Slip(slip.map(|s| s / speed));
            }
        }
    }

    /// Speed of a slip in the plane and how fast it falls.
    fn closing_in_plane(&self) -> Option<(f64, f64)> {
        if self.flow.modes.first().is_none_or(|mode| *mode == Mode::Stick) || self.flow.problem.pads[0].faces.len() != 2
        {
            return None;
        }
        let (_, a) = self.flow.forces(self.t, &self.y, &self.flow.modes).ok()?;
        let (slip, rate) = (self.flow.slip(0, self.t, &self.y), self.flow.slip_rate(0, self.t, &a));
        let speed = slip[0].hypot(slip[1]);
        (speed > 0.0).then(|| (speed, -(slip[0] * rate[0] + slip[1] * rate[1]) / speed))
    }

    /// The first event within a step, and the size of the step that just passes it. Looks at several instants of the step,
    /// so that what crosses zero and comes back is seen.
    fn first_event(&self, h: f64) -> Option<(Watch, f64)> {
        const LOOKS: u32 = 4;
        let begin = self.watched(self.t, &self.y);
        let value = |share: f64, i: usize| {
            let dt = share * h;
            self.watched(self.t + dt, &self.step(dt).0)[i].1
        };
        let looks: Vec<Vec<(Watch, f64)>> = (1..=LOOKS)
            .map(|k| {
                let dt = h * f64::from(k) / f64::from(LOOKS);
                self.watched(self.t + dt, &self.step(dt).0)
            })
            .collect();
        let mut first: Option<(Watch, f64)> = None;
        for (i, (watch, _)) in begin.iter().enumerate() {
            let Some(look) = looks.iter().position(|values| values[i].1 < -1e-15) else { continue };
            let (mut lo, mut hi) = (look as f64 / f64::from(LOOKS), (look + 1) as f64 / f64::from(LOOKS));
            while (hi - lo) * h > 1e-14 * (1.0 + self.t) {
                let middle = 0.5 * (lo + hi);
                if middle <= lo || middle >= hi {
                    break;
                }
                if value(middle, i) < 0.0 { hi = middle } else { lo = middle }
            }
            if first.is_none_or(|(_, sooner)| hi * h < sooner) {
                first = Some((*watch, hi * h));
            }
        }
        first
    }

    fn handle(&mut self, watch: Watch) -> Result<(), GivesUp> {
        let slow = |march: &Self, k: usize| {
            let slip = march.flow.slip(k, march.t, &march.y);
            slip[0].hypot(slip[1]) <= REST
        };
        match watch {
            Watch::Stop(k) => {
                let d = self.flow.reach(k, self.t, &self.y);
                self.flow.sides[k] = if self.flow.sides[k] == 0.0 { d.signum() } else { 0.0 };
                let rest: Vec<usize> = (0..self.flow.modes.len()).filter(|&i| slow(self, i)).collect();
                self.choose(&rest)
            }
            Watch::Slip(k) | Watch::Bound(k) => {
                let rest: Vec<usize> = (0..self.flow.modes.len()).filter(|&i| i == k || slow(self, i)).collect();
                self.choose(&rest)
            }
        }
    }
}
