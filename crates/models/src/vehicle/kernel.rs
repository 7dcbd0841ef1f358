//! One implicit step of a vehicle.

mod elements;
mod reversals;
mod ties;

use std::convert::Infallible;

use super::road::half_and_half;
use super::state::{Sums, Tilt, VehicleWorkspace, WheelLines};
use super::transfer::Transfer;
use super::{Vehicle, VehicleState};
use crate::passed::Passed;
use stickslip_core::inclusion::nine_regions::greater;
use stickslip_core::inclusion::star::{Answer, DampedRoom, Damper, Load};
use stickslip_core::inclusion::{Star, consistent_along};
use stickslip_core::mechanics::{Clock, Kernel, Stop, SystemError};
use stickslip_core::mechanics::{Line, Lines, measures_speed, pause_to_measure};
use stickslip_loads::transfer::Branch;

/// Implicit steps of a vehicle between two breaks of its signals. The lines of the wheels' signals are in the
/// state, which has room for them.
#[derive(Debug, Clone, Copy)]
pub struct VehicleKernel<'a> {
    pub(super) vehicle: &'a Vehicle,
    /// Number of the first step.
    from: u64,
    pub(super) clock: Clock,
    /// m g sin θ at the beginning of the step \[N\].
    pub(super) pull: f64,
    /// cos θ at the end of the step.
    cosine: f64,
    /// a_R at the end of the step \[N\].
    pub(super) resistance: f64,
}

/// Where a wheel has lost its load, loads are asked for at a Q this share beyond.
const BEYOND: f64 = 1e-3;

impl<'a> VehicleKernel<'a> {
    pub(super) fn new(vehicle: &'a Vehicle, n: u64, clock: Clock) -> Result<(VehicleKernel<'a>, u64), SystemError> {
        let p = &vehicle.parameters;
        let mut lines = Lines::new(n, clock);
        let (now, then) = (lines.begin("slope", &p.slope)?, lines.end("slope", &p.slope)?);
        if now.per_step != 0.0 || then.per_step != 0.0 {
            // Sine and cosine of a slope that changes are no straight lines.
            lines.bend();
        }
        let cosine = then.value.cos();
        if cosine < 0.0 {
            let t = clock.time(n + 1);
            return Err(SystemError::Negative { what: "the cosine of the slope", t, value: cosine });
        }
        for wheel in &vehicle.wheels {
            read(&mut lines, wheel)?;
        }
        for patch in &p.road.patches {
            lines.end_bound("friction of a road patch", &patch.friction)?;
        }
        let pull = p.mass * p.gravity * now.value.sin();
        let resistance = vehicle.resistance_at(cosine);
        Ok((VehicleKernel { vehicle, from: n, clock, pull, cosine, resistance }, lines.valid()))
    }

    /// Has the lines of the wheels' signals ready in the workspace.
    #[inline]
    fn prepare(&self, u: &mut VehicleState, work: &mut VehicleWorkspace) {
        if work.filled != Some((self.from, self.clock)) {
            self.look_back(u);
            if u.sums.h != self.clock.h {
                u.sums.change_step(self.clock.h);
            }
            let x = u.x();
            self.fill(work, &mut u.a_g, x);
        }
        u.stepped = true;
    }

    /// Notes what of the road the last step has passed.
    fn look_back(&self, u: &mut VehicleState) {
        if !self.vehicle.parameters.road.is_uniform() {
            let now = self.vehicle.passed(u);
            u.passed.iter_mut().zip(now).for_each(|(known, now)| Passed::keep(known, now));
        }
    }

    /// The lines of all wheels with the vehicle at x.
    fn fill(&self, work: &mut VehicleWorkspace, a_g: &mut [f64], x: f64) {
        if work.filled.is_none_or(|(_, clock)| clock.h != self.clock.h) {
            let d = self.vehicle.wheels.iter().map(|wheel| self.clock.h / wheel.j).collect();
            work.star = Star::new(self.clock.h / self.vehicle.parameters.mass, d);
        }
        work.filled = Some((self.from, self.clock));
        (work.level, work.idle) = (true, true);
        let mut lines = Lines::new(self.from, self.clock);
        for (i, wheel) in self.vehicle.wheels.iter().enumerate() {
            // Read once before, by `new`: there is no error left to find.
            let Ok([drive, mut ground, brake]) = read(&mut lines, wheel) else { continue };
            if let Some(patched) = self.patched(&mut lines, i, x) {
                ground = patched;
            }
            let ground = self.tilted(ground);
            work.idle &= drive.value == 0.0 && drive.per_step == 0.0;
            work.level &= drive.per_step == 0.0 && ground.per_step == 0.0 && brake.per_step == 0.0;
            for (lines, line) in
                [(&mut work.drive_line, drive), (&mut work.ground_line, ground), (&mut work.brake_line, brake)]
            {
                (lines.value[i], lines.per_step[i]) = (line.value, line.per_step);
            }
        }
        work.moves = !work.level && !self.by_state();
        if self.by_state() {
            work.stretch = self.vehicle.stretch(x);
            if let Some(profile) = &self.vehicle.parameters.road.profile {
                work.piece = profile.piece(x);
                // The lists are now those of a level road.
                work.tilt.angle = f64::NAN;
            }
        }
        work.follow(a_g, 0.0);
    }

    /// The lines of drive, ground and brake of each wheel, on a road that is the same everywhere.
    pub(super) fn wheel_lines(&self) -> impl Iterator<Item = [Line; 3]> {
        let mut lines = Lines::new(self.from, self.clock);
        // Read once before, by `new`: there is no error left to find.
        self.vehicle.wheels.iter().filter_map(move |wheel| {
            let [drive, ground, brake] = read(&mut lines, wheel).ok()?;
            Some([drive, self.tilted(ground), brake])
        })
    }

    /// a_G on the slope, of that on a level road.
    fn tilted(&self, ground: Line) -> Line {
        Line { value: ground.value * self.cosine, per_step: ground.per_step * self.cosine }
    }

    /// a_G of a wheel on a level road, where a patch lies under it.
    fn patched(&self, lines: &mut Lines, wheel: usize, x: f64) -> Option<Line> {
        let own = &self.vehicle.wheels[wheel];
        let under = own.track.under(x);
        if under == [None, None] {
            return None;
        }
        let patches = &self.vehicle.parameters.road.patches;
        let mut line = |patch| lines.end("friction", self.vehicle.friction(wheel, patch, patches)).ok();
        let [left, right] = [line(under[0])?, line(under[1])?];
        Some(Line {
            value: own.load * half_and_half([left.value, right.value]),
            per_step: own.load * half_and_half([left.per_step, right.per_step]),
        })
    }

    /// Whether something changes with the place or with the slip, so that it must be looked at before each step.
    #[inline]
    fn by_state(&self) -> bool {
        self.vehicle.changes_with_state()
    }

    /// Takes all that depends on the place where the vehicle is, and on slips, at the beginning of step n. Returns
    /// m g sin θ and a_R.
    fn arrive(&self, n: u64, u: &mut VehicleState, work: &mut VehicleWorkspace) -> (f64, f64) {
        let x = u.x();
        let mut stale = !work.level || self.vehicle.over_slip || !u.discs.is_empty();
        if !(work.stretch.0 <= x && x < work.stretch.1) {
            self.look_back(u);
            self.fill(work, &mut u.a_g, x);
            stale = true;
        }
        let p = &self.vehicle.parameters;
        let tilted = p.road.profile.is_some();
        if tilted {
            let angle = work.piece.angle(x);
            if angle != work.tilt.angle {
                work.tilt = Tilt { angle, pull: p.mass * p.gravity * angle.sin(), cosine: angle.cos() };
                stale = true;
            }
        }
        if stale {
            work.follow(&mut u.a_g, (n - self.from) as i64 as f64);
            if tilted {
                let cosine = work.tilt.cosine;
                u.a_g.iter_mut().for_each(|a_g| *a_g *= cosine);
            }
            if self.vehicle.over_slip {
                let answer = &u.answer;
                let bounds = u.a_g.iter_mut().zip(&mut work.a_b);
                for (((a_g, a_b), v), wheel) in bounds.zip(&answer.v).zip(&p.wheels) {
                    let [ground, brake] = wheel.over_slip.at(answer.y1 + v, *v);
                    (*a_g, *a_b) = (*a_g * ground, *a_b * brake);
                }
            }
            for ((i, disc), warmth) in self.vehicle.discs().zip(&u.discs) {
                work.a_b[i] *= disc.fade(warmth.temperature);
            }
        }
        if !u.treads.is_empty() {
            self.meet_tyres(u, work, if tilted { work.tilt.cosine } else { self.cosine });
        }
        if tilted {
            (work.tilt.pull, self.vehicle.resistance_at(work.tilt.cosine))
        } else {
            (self.pull, self.resistance)
        }
    }

    #[inline(always)]
    fn make(&self, n: u64, u: &mut VehicleState, work: &mut VehicleWorkspace, pull: f64, resistance: f64) -> bool {
        let p = &self.vehicle.parameters;
        let VehicleState { answer, sums, a_g, .. } = u;
        if work.moves {
            work.follow(a_g, (n - self.from) as i64 as f64);
        }
        // The speeds before become what the step starts from; the answer has room for those after it.
        std::mem::swap(&mut work.z, &mut answer.v);
        if !work.idle {
            for (z, push) in work.z.iter_mut().zip(&work.push) {
                *z += push;
            }
        }
        let x1 = answer.y1;
        // Without drag the next speed does not wait for three products.
        let drag = if p.drag == 0.0 { 0.0 } else { p.drag * x1.abs() * x1 };
        let z0 = x1 - work.star.d0() * (pull + drag);
        if let Some(loads) = &self.vehicle.transfer {
            let before = (x1, z0, resistance);
            let mut guess = u.transfer;
            let mut lifted = None;
            if let Some(mut room) = work.solutions.take() {
                let cosine = self.cosine(work);
                let load = Load { z0, a_0: resistance, z: &work.z, a_g, a_b: &work.a_b };
                let drives = (!work.idle).then_some(&work.drive[..]);
                let chosen =
                    room.choose(loads, &work.star, &load, (drives, cosine, self.clock.time(n + 1)), &mut u.found);
                work.solutions = Some(room);
                // Without a solution the residual is no number, which ends the run.
                guess = chosen.map_or(f64::NAN, |solution| solution.place);
                lifted = chosen.filter(|s| s.branch != Branch::Closed).map(|s| (1.0 + BEYOND) * s.place);
            }
            u.transfer = self.move_loads(loads, before, answer, a_g, (guess, &mut u.slope), work);
            if let Some(beyond) = lifted {
                work.lifted = self.vehicle.check_loads(0.0, beyond, self.cosine(work)).err();
                answer.changed |= work.lifted.is_some();
            }
        } else {
            let load = Load { z0, a_0: resistance, z: &work.z, a_g, a_b: &work.a_b };
            if work.dampers.is_empty() {
                work.star.solve(load, answer);
            } else {
                work.star.solve_damped(load, &work.dampers, &mut work.damped, answer);
            }
            if self.vehicle.over_slip {
                self.hold_reversals((x1, z0, resistance), answer, a_g, work);
                self.hold_ties((x1, z0, resistance), answer, a_g, work);
            }
        }
        let y1 = answer.y1;
        sums.path += y1;
        sums.climb += pull * y1;
        sums.drag += drag * y1;
        sums.resistance += answer.r * y1;
        sums.undetermined += u64::from(!answer.unique);
        sums.count(answer, if work.idle { None } else { Some(&work.drive) });
        // Turning round without rest is a change of the rolling resistance, where there is one.
        let turned = resistance > 0.0 && direction(x1) != direction(y1);
        let changed = answer.changed || turned || !u.begun;
        u.begun = true;
        u.residual = greater(answer.residual, u.residual);
        changed
    }

    /// Cosine of the slope under the vehicle.
    fn cosine(&self, work: &VehicleWorkspace) -> f64 {
        if self.vehicle.parameters.road.profile.is_some() { work.tilt.cosine } else { self.cosine }
    }

    /// Solves a step in which loads follow the forces. Returns Q.
    fn move_loads(
        &self,
        loads: &Transfer,
        before: (f64, f64, f64),
        answer: &mut Answer,
        a_g: &[f64],
        (last, slope): (f64, &mut f64),
        work: &mut VehicleWorkspace,
    ) -> f64 {
        let (_, z0, resistance) = before;
        let cosine = self.cosine(work);
        let [mut moved, brakes] = std::mem::take(&mut work.moved);
        let mut brakes = brakes;
        brakes.copy_from_slice(&work.a_b);
        let mut changed = false;
        let found = consistent_along(last, slope, |transfer| {
            for (i, (moved, a_g)) in moved.iter_mut().zip(a_g).enumerate() {
                *moved = a_g * self.vehicle.load_factor(i, transfer, cosine);
            }
            if self.vehicle.over_slip {
                // Contacts that turned round have raised bounds of their own.
                work.a_b.copy_from_slice(&brakes);
            }
            let load = Load { z0, a_0: resistance, z: &work.z, a_g: &moved, a_b: &work.a_b };
            solve((&work.star, &work.dampers, &mut work.damped), load, answer);
            if self.vehicle.over_slip {
                self.hold_reversals(before, answer, &mut moved, work);
                self.hold_ties(before, answer, &mut moved, work);
            }
            changed |= answer.changed;
            let wheel = |i: usize| [answer.f[i], answer.g[i], if work.idle { 0.0 } else { work.drive[i] }];
            Ok::<_, Infallible>((loads.made((0..answer.f.len()).map(wheel), answer.r), ()))
        });
        work.a_b.copy_from_slice(&brakes);
        work.moved = [moved, brakes];
        answer.changed = changed;
        if let Ok(Some((transfer, ()))) = found {
            work.lifted = self.vehicle.check_loads(0.0, transfer, cosine).err();
            answer.changed |= work.lifted.is_some();
        }
        match found {
            Ok(Some((transfer, ()))) => transfer,
            // A residual that is no number is an error of the run.
            Ok(None) => {
                answer.residual = f64::NAN;
                last
            }
            Err(never) => match never {},
        }
    }

    /// Steps from number n until number `end` or until a contact has changed. The only place that steps: what a second
    /// one would cost is that the solver is no longer compiled into its loop.
    #[inline(never)]
    fn go(
        &self,
        (n, end): (u64, u64),
        u: &mut VehicleState,
        work: &mut VehicleWorkspace,
        (pull, resistance): (f64, f64),
    ) -> (u64, bool) {
        let mut k = n;
        let mut changed = false;
        while k < end && !changed {
            changed = self.make(k, u, work, pull, resistance);
            k += 1;
        }
        (k, changed)
    }

    /// The same on any road: where it changes with the place, that is looked at before each step.
    #[inline]
    fn pass(&self, n: u64, end: u64, u: &mut VehicleState, work: &mut VehicleWorkspace) -> (u64, bool) {
        let by_state = self.by_state();
        let mut reached = (n, false);
        while reached.0 < end && !reached.1 {
            if by_state {
                let forces = self.arrive(reached.0, u, work);
                reached = self.go((reached.0, reached.0 + 1), u, work, forces);
                if self.vehicle.elements {
                    self.leave(u, work);
                }
            } else {
                let pause = end.min(pause_to_measure(reached.0));
                reached = self.go((reached.0, pause), u, work, (self.pull, self.resistance));
            }
            if measures_speed(reached.0 - 1) {
                u.look_at_speeds();
            }
        }
        reached
    }
}

/// Solves a step apart from the loop: a star, whose wheels may stand on dampers.
#[inline(never)]
fn solve((star, dampers, room): (&Star, &[Option<Damper>], &mut DampedRoom), load: Load<'_>, answer: &mut Answer) {
    if dampers.is_empty() {
        star.solve(load, answer);
    } else {
        star.solve_damped(load, dampers, room, answer);
    }
}

impl VehicleWorkspace {
    /// Moves all signals to the step that is `steps` after the first. Rounding may take a falling line below zero next
    /// to its end; a negative bound is none.
    #[inline(always)]
    fn follow(&mut self, a_g: &mut [f64], steps: f64) {
        let n = self.z.len();
        let lines = |lines: &WheelLines, out: &mut [f64], least: f64| {
            for ((out, value), per_step) in out.iter_mut().zip(&lines.value).zip(&lines.per_step) {
                *out = greater(value + per_step * steps, least);
            }
        };
        lines(&self.ground_line, &mut a_g[..n], 0.0);
        lines(&self.brake_line, &mut self.a_b[..n], 0.0);
        if !self.idle {
            lines(&self.drive_line, &mut self.drive[..n], f64::NEG_INFINITY);
            for ((push, d), drive) in self.push.iter_mut().zip(self.star.d()).zip(&self.drive) {
                *push = d * drive;
            }
        }
    }
}

impl Sums {
    /// The same for steps of another size.
    pub(super) fn change_step(&mut self, h: f64) {
        let factor = self.h / h;
        let single = [&mut self.path, &mut self.climb, &mut self.drag, &mut self.resistance, &mut self.shifts];
        let lists = [&mut self.power, &mut self.ground, &mut self.brake];
        single.into_iter().chain(lists.into_iter().flatten()).for_each(|sum| *sum *= factor);
        self.h = h;
    }

    /// Adds the powers of a step that has led to the answer. What tyres do with theirs is told when the step is left.
    #[inline(always)]
    fn count(&mut self, answer: &Answer, drive: Option<&Vec<f64>>) {
        let n = answer.v.len();
        let (ground, brake) = (&mut self.ground[..n], &mut self.brake[..n]);
        let (v, slip, f, g) = (&answer.v[..n], &answer.slip[..n], &answer.f[..n], &answer.g[..n]);
        for i in 0..n {
            ground[i] += f[i] * slip[i];
            brake[i] += g[i] * v[i];
        }
        if let Some(drive) = drive {
            for ((power, drive), v) in self.power.iter_mut().zip(drive).zip(v) {
                *power += drive * v;
            }
        }
    }
}

/// The lines of a wheel's drive, ground and brake; the ground as on a level road.
fn read(lines: &mut Lines, wheel: &super::Wheel) -> Result<[Line; 3], SystemError> {
    Ok([
        lines.begin("motor torque / radius of a wheel", &wheel.drive)?,
        lines.end_bound("ground friction bound of a wheel", &wheel.ground)?,
        lines.end_bound("brake torque / radius of a wheel", &wheel.brake)?,
    ])
}

pub(super) fn direction(speed: f64) -> i8 {
    i8::from(speed > 0.0) - i8::from(speed < 0.0)
}

impl Kernel for VehicleKernel<'_> {
    type State = VehicleState;
    type Workspace = VehicleWorkspace;

    fn advance(
        &self,
        n: u64,
        end: u64,
        u: &mut VehicleState,
        work: &mut VehicleWorkspace,
    ) -> Result<(u64, Stop), SystemError> {
        self.prepare(u, work);
        if !u.begun {
            u.look_at_speeds();
        }
        let (reached, changed) = self.pass(n, end, u, work);
        if let Some(SystemError::Ends { why, .. }) = work.lifted.take() {
            return Err(SystemError::Ends { t: self.clock.time(reached), why });
        }
        Ok((reached, Stop::from_change(changed)))
    }
}
