//! Steps of many vehicles at a time: those of a level or straight road without tyres, discs, moving loads and friction over slip.

use pulp::{Arch, NullaryFnOnce};
use stickslip_core::inclusion::Star;
use stickslip_core::inclusion::nine_regions::greater;
use stickslip_core::inclusion::star::side_by_side::{Lane, Loads, Stars, WIDTH};
use stickslip_core::mechanics::{Line, measures_speed, pause_to_measure};
use stickslip_core::scheme::{Block, SideBySide};
use stickslip_core::signal::Signal;

use super::kernel::direction;
use super::{Vehicle, VehicleKernel, VehicleState};

const NONE: Lane = [0.0; WIDTH];

/// Lines of a signal of the wheels of one number.
#[derive(Debug, Clone)]
struct Lines {
    value: Lane,
    per_step: Lane,
}

impl Lines {
    const NONE: Lines = Lines { value: NONE, per_step: NONE };

    fn set(&mut self, place: usize, line: Line) {
        (self.value[place], self.per_step[place]) = (line.value, line.per_step);
    }
}

/// What the wheels of one number have besides what the star knows.
#[derive(Debug, Clone)]
struct Wheels {
    drive: Lines,
    ground: Lines,
    brake: Lines,
    d: Lane,
    /// 𝓜 of the step, and the sums of powers.
    motor: Lane,
    power: Lane,
    heat_ground: Lane,
    heat_brake: Lane,
}

/// A block of vehicles with equally many wheels.
#[derive(Debug, Clone)]
pub struct VehicleBlock {
    arch: Arch,
    stars: Stars,
    wheels: Vec<Wheels>,
    /// Loads of the step, wheel by wheel.
    z: Vec<Lane>,
    a_g: Vec<Lane>,
    a_b: Vec<Lane>,
    steps: Lane,
    h: Lane,
    d0: Lane,
    drag: Lane,
    pull: Lane,
    resistance: Lane,
    /// 1 where a motor turns, else 0.
    driven: Lane,
    path: Lane,
    climb: Lane,
    dragged: Lane,
    resisted: Lane,
    residual: Lane,
    /// Greatest speed that was looked at.
    speed: Lane,
    undetermined: [u64; WIDTH],
    begun: [bool; WIDTH],
    changed: [bool; WIDTH],
}

impl SideBySide for Vehicle {
    type Block = VehicleBlock;

    fn fits(&self, first: &Vehicle) -> bool {
        let straight = |signal: &Signal| matches!(signal, Signal::Constant(_) | Signal::Points(_));
        let signals = self.wheels.iter().flat_map(|wheel| [&wheel.drive, &wheel.ground, &wheel.brake]);
        let p = &self.parameters;
        self.wheels.len() == first.wheels.len()
            && matches!(p.slope, Signal::Constant(_))
            && signals.into_iter().all(straight)
            && self.transfer.is_none()
            && !self.changes_with_state()
    }

    fn block(&self) -> VehicleBlock {
        let n = self.wheels.len();
        let wheel = Wheels {
            drive: Lines::NONE,
            ground: Lines::NONE,
            brake: Lines::NONE,
            d: NONE,
            motor: NONE,
            power: NONE,
            heat_ground: NONE,
            heat_brake: NONE,
        };
        VehicleBlock {
            arch: Arch::new(),
            stars: Stars::new(n),
            wheels: vec![wheel; n],
            z: vec![NONE; n],
            a_g: vec![NONE; n],
            a_b: vec![NONE; n],
            steps: NONE,
            h: NONE,
            d0: NONE,
            drag: NONE,
            pull: NONE,
            resistance: NONE,
            driven: NONE,
            path: NONE,
            climb: NONE,
            dragged: NONE,
            resisted: NONE,
            residual: NONE,
            speed: NONE,
            undetermined: [0; WIDTH],
            begun: [false; WIDTH],
            changed: [false; WIDTH],
        }
    }
}

impl Block<Vehicle> for VehicleBlock {
    const WIDTH: usize = WIDTH;

    fn load(&mut self, l: usize, kernel: &VehicleKernel<'_>, state: &VehicleState) {
        let (vehicle, h) = (kernel.vehicle, kernel.clock.h);
        let mut sums = state.sums.clone();
        if sums.h != h {
            sums.change_step(h);
        }
        let p = &vehicle.parameters;
        let star = Star::new(h / p.mass, vehicle.wheels.iter().map(|wheel| h / wheel.j).collect());
        (self.steps[l], self.h[l], self.d0[l], self.drag[l]) = (0.0, h, star.d0(), p.drag);
        (self.pull[l], self.resistance[l]) = (kernel.pull, kernel.resistance);
        let mut driven = 0.0;
        for (i, [drive, ground, brake]) in kernel.wheel_lines().enumerate() {
            let wheel = &mut self.wheels[i];
            if drive.value != 0.0 || drive.per_step != 0.0 {
                driven = 1.0;
            }
            wheel.drive.set(l, drive);
            wheel.ground.set(l, ground);
            wheel.brake.set(l, brake);
            wheel.d[l] = star.d()[i];
            (wheel.power[l], wheel.heat_ground[l], wheel.heat_brake[l]) =
                (sums.power[i], sums.ground[i], sums.brake[i]);
        }
        self.driven[l] = driven;
        (self.path[l], self.climb[l], self.dragged[l], self.resisted[l]) =
            (sums.path, sums.climb, sums.drag, sums.resistance);
        (self.undetermined[l], self.residual[l], self.begun[l]) = (sums.undetermined, state.residual, state.begun);
        self.speed[l] = if state.begun { state.speed } else { state.speed.max(state.greatest_speed()) };
        self.stars.load(l, star, &state.answer);
    }

    fn advance(&mut self, n: u64, end: u64) -> u64 {
        self.arch.dispatch(Advance { block: self, n, end })
    }

    fn changed(&self, l: usize) -> bool {
        self.changed[l]
    }

    fn store(&self, l: usize, state: &mut VehicleState) {
        self.stars.store(l, &mut state.answer);
        let sums = &mut state.sums;
        (sums.h, sums.path, sums.climb) = (self.h[l], self.path[l], self.climb[l]);
        (sums.drag, sums.resistance, sums.undetermined) = (self.dragged[l], self.resisted[l], self.undetermined[l]);
        for (i, wheel) in self.wheels.iter().enumerate() {
            (sums.power[i], sums.ground[i], sums.brake[i]) =
                (wheel.power[l], wheel.heat_ground[l], wheel.heat_brake[l]);
            state.a_g[i] = self.a_g[i][l];
        }
        (state.begun, state.stepped) = (self.begun[l], true);
        state.residual = self.residual[l];
        state.speed = self.speed[l];
    }
}

/// Steps of a block, compiled for the vector instructions that the machine has.
struct Advance<'a> {
    block: &'a mut VehicleBlock,
    n: u64,
    end: u64,
}

impl NullaryFnOnce for Advance<'_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let mut reached = self.n;
        let mut changed = false;
        while reached < self.end && !changed {
            let pause = self.end.min(pause_to_measure(reached));
            while reached < pause && !changed {
                changed = self.block.step();
                reached += 1;
            }
            if measures_speed(reached - 1) {
                self.block.look_at_speeds();
            }
        }
        reached
    }
}

impl VehicleBlock {
    #[inline(always)]
    fn look_at_speeds(&mut self) {
        let greatest = |speed: &mut Lane, y: &Lane| {
            speed.iter_mut().zip(y).for_each(|(speed, y)| *speed = greater(y.abs(), *speed));
        };
        greatest(&mut self.speed, self.stars.y1());
        for i in 0..self.wheels.len() {
            let [v, ..] = self.stars.wheel(i);
            greatest(&mut self.speed, v);
        }
    }

    /// One step of all vehicles. True if a contact of any of them may have changed.
    #[inline(always)]
    #[allow(clippy::needless_range_loop, reason = "lanes of many lists run side by side")]
    fn step(&mut self) -> bool {
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            let [v, ..] = self.stars.wheel(i);
            for l in 0..WIDTH {
                let steps = self.steps[l];
                let at = |lines: &Lines| lines.value[l] + lines.per_step[l] * steps;
                self.a_g[i][l] = at(&wheel.ground).max(0.0);
                self.a_b[i][l] = at(&wheel.brake).max(0.0);
                wheel.motor[l] = at(&wheel.drive);
                let pushed = v[l] + wheel.d[l] * wheel.motor[l];
                self.z[i][l] = if self.driven[l] != 0.0 { pushed } else { v[l] };
            }
        }
        let x1 = *self.stars.y1();
        let (mut drag, mut z0) = (NONE, NONE);
        for l in 0..WIDTH {
            drag[l] = if self.drag[l] == 0.0 { 0.0 } else { self.drag[l] * x1[l].abs() * x1[l] };
            z0[l] = x1[l] - self.d0[l] * (self.pull[l] + drag[l]);
            self.steps[l] += 1.0;
        }
        let load = Loads { z0: &z0, a_0: &self.resistance, z: &self.z, a_g: &self.a_g, a_b: &self.a_b };
        self.stars.solve(load);
        let (y1, r, residual) = (*self.stars.y1(), *self.stars.r(), *self.stars.residual());
        for l in 0..WIDTH {
            self.path[l] += y1[l];
            self.climb[l] += self.pull[l] * y1[l];
            self.dragged[l] += drag[l] * y1[l];
            self.resisted[l] += r[l] * y1[l];
            self.residual[l] = greater(residual[l], self.residual[l]);
        }
        for (i, wheel) in self.wheels.iter_mut().enumerate() {
            let [v, slip, f, g] = self.stars.wheel(i);
            for l in 0..WIDTH {
                wheel.heat_ground[l] += f[l] * slip[l];
                wheel.heat_brake[l] += g[l] * v[l];
                wheel.power[l] += if self.driven[l] != 0.0 { wheel.motor[l] * v[l] } else { 0.0 };
            }
        }
        let mut any = false;
        for l in 0..WIDTH {
            let (unique, changed) = self.stars.told(l);
            self.undetermined[l] += u64::from(!unique);
            let turned = self.resistance[l] > 0.0 && direction(x1[l]) != direction(y1[l]);
            self.changed[l] = changed || turned || !self.begun[l];
            self.begun[l] = true;
            any |= self.changed[l];
        }
        any
    }
}
