//! Steps of many wheels at a time.
//!
//! The closed form of [`NineRegions`](stickslip_core::inclusion::NineRegions) without branches: with E and B the states of ground and
//! brake (−1, 0, 1), all nine regions are
//!
//! ```text
//! y1' = z1 − d1 f,   y2' = z2 − d2 (f + g),   y2 = y2' where it has the sign B, else 0,   slip likewise with E
//! ```
//!
//! where f and g are clamped or not as the regions say. Each wheel gets the operations that its kernel makes, in the same order.

use pulp::{Arch, NullaryFnOnce};
use stickslip_core::inclusion::nine_regions::{Region, clamp, greater};
use stickslip_core::mechanics::{Line, measures_speed, pause_to_measure};
use stickslip_core::scheme::{Block, SideBySide};
use stickslip_core::signal::Signal;

use super::{Wheel, WheelKernel, WheelState};

/// Wheels of a block: enough for four vectors of the widest kind.
const WIDTH: usize = 32;

type Lane = [f64; WIDTH];

/// Lines of a signal, one for each wheel.
#[derive(Debug, Clone)]
struct LineLane {
    value: Lane,
    per_step: Lane,
}

impl LineLane {
    const NONE: LineLane = LineLane { value: [0.0; WIDTH], per_step: [0.0; WIDTH] };

    fn set(&mut self, place: usize, line: Line) {
        (self.value[place], self.per_step[place]) = (line.value, line.per_step);
    }

    /// Whether no line rises or falls. Without branches: it is asked at every stop.
    fn is_level(&self) -> bool {
        self.per_step.iter().fold(0.0, |sum, slope| sum + slope.abs()) == 0.0
    }

    fn is_none(&self) -> bool {
        self.is_level() && self.value.iter().fold(0.0, |sum, value| sum + value.abs()) == 0.0
    }

    /// Value so many steps after the first; LEVEL where none of the lines rises or falls.
    #[inline(always)]
    fn at<const LEVEL: bool>(&self, i: usize, steps: f64) -> f64 {
        if LEVEL { self.value[i] } else { self.value[i] + self.per_step[i] * steps }
    }
}

/// A block of wheels: numbers of one kind lie side by side.
#[derive(Debug, Clone)]
pub struct WheelBlock {
    arch: Arch,
    d1: Lane,
    d2: Lane,
    per_d1: Lane,
    per_d2: Lane,
    per_sum: Lane,
    drive: LineLane,
    ground: LineLane,
    brake: LineLane,
    /// Steps since the lines began.
    steps: Lane,
    /// h, h/R.
    h: [[f64; 2]; WIDTH],
    x1: Lane,
    x2: Lane,
    f: Lane,
    g: Lane,
    /// 3 (ε_G + 1) + ε_B + 1, and the same before the last steps; a number that is none before the first.
    region: Lane,
    before: Lane,
    path: Lane,
    turn: Lane,
    power: Lane,
    heat_ground: Lane,
    heat_brake: Lane,
    residual: Lane,
    /// Greatest speed that was looked at.
    speed: Lane,
}

/// No region yet.
const UNDECIDED: f64 = 9.0;

impl SideBySide for Wheel {
    type Block = WheelBlock;

    fn fits(&self, _: &Wheel) -> bool {
        // A signal that is not straight has a new kernel in each step, which costs more than a block saves.
        let straight = |signal: &Signal| matches!(signal, Signal::Constant(_) | Signal::Points(_));
        let fits = [&self.drive, &self.ground, &self.brake].into_iter().all(straight);
        fits && self.parameters.over_slip.is_none()
    }

    fn block(&self) -> WheelBlock {
        let none = [0.0; WIDTH];
        WheelBlock {
            arch: Arch::new(),
            d1: none,
            d2: none,
            per_d1: none,
            per_d2: none,
            per_sum: none,
            drive: LineLane::NONE,
            ground: LineLane::NONE,
            brake: LineLane::NONE,
            steps: none,
            h: [[0.0; 2]; WIDTH],
            x1: none,
            x2: none,
            f: none,
            g: none,
            region: [UNDECIDED; WIDTH],
            before: [UNDECIDED; WIDTH],
            path: none,
            turn: none,
            power: none,
            heat_ground: none,
            heat_brake: none,
            residual: none,
            speed: none,
        }
    }
}

impl Block<Wheel> for WheelBlock {
    const WIDTH: usize = WIDTH;

    fn load(&mut self, i: usize, kernel: &WheelKernel<'_>, state: &WheelState) {
        let mut u = *state;
        kernel.take_steps_of(&mut u);
        let solver = &kernel.solver;
        (self.d1[i], self.d2[i]) = (solver.d1(), solver.d2());
        [self.per_d1[i], self.per_d2[i], self.per_sum[i]] = solver.reciprocals();
        self.drive.set(i, kernel.drive);
        self.ground.set(i, kernel.ground);
        self.brake.set(i, kernel.brake);
        self.steps[i] = 0.0;
        self.h[i] = u.h;
        // A drive of nothing is left out of steps: all that adding it would do is to turn −0 into 0.
        (self.x1[i], self.x2[i], self.f[i], self.g[i]) = (u.x1, u.x2 + 0.0, u.f, u.g);
        self.region[i] = u.region.map_or(UNDECIDED, |region| f64::from(region.code()));
        self.before[i] = self.region[i];
        (self.path[i], self.turn[i], self.power[i]) = (u.path, u.turn, u.power);
        (self.heat_ground[i], self.heat_brake[i], self.residual[i]) = (u.ground, u.brake, u.residual);
        self.speed[i] = if u.region.is_none() { u.speed_with_now() } else { u.speed };
    }

    fn advance(&mut self, n: u64, end: u64) -> u64 {
        self.arch.dispatch(Advance { block: self, n, end })
    }

    fn changed(&self, i: usize) -> bool {
        self.region[i] != self.before[i]
    }

    fn store(&self, i: usize, state: &mut WheelState) {
        *state = WheelState {
            x1: self.x1[i],
            x2: self.x2[i],
            f: self.f[i],
            g: self.g[i],
            region: Region::from_code(self.region[i] as u8),
            origin: state.origin,
            h: self.h[i],
            path: self.path[i],
            turn: self.turn[i],
            power: self.power[i],
            ground: self.heat_ground[i],
            brake: self.heat_brake[i],
            residual: self.residual[i],
            speed: self.speed[i],
        };
    }
}

/// Steps of a block, compiled for the vector instructions that the machine has.
struct Advance<'a> {
    block: &'a mut WheelBlock,
    n: u64,
    end: u64,
}

impl NullaryFnOnce for Advance<'_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Advance { block, n, end } = self;
        block.before = block.region;
        // Most signals are level most of the time: what they do not need is left out.
        match (block.drive.is_none(), block.ground.is_level(), block.brake.is_level()) {
            (true, true, true) => block.advance_as::<false, true, true>(n, end),
            (true, true, false) => block.advance_as::<false, true, false>(n, end),
            _ => block.advance_as::<true, false, false>(n, end),
        }
    }
}

impl WheelBlock {
    #[inline(always)]
    fn advance_as<const DRIVEN: bool, const GROUND: bool, const BRAKE: bool>(&mut self, n: u64, end: u64) -> u64 {
        let mut reached = n;
        let mut changed = false;
        while reached < end && !changed {
            let pause = end.min(pause_to_measure(reached));
            while reached < pause && !changed {
                changed = self.step::<DRIVEN, GROUND, BRAKE>();
                reached += 1;
            }
            if measures_speed(reached - 1) {
                for i in 0..WIDTH {
                    self.speed[i] = greater(self.x1[i].abs(), greater(self.x2[i].abs(), self.speed[i]));
                }
            }
        }
        if GROUND && BRAKE && !DRIVEN {
            self.steps.iter_mut().for_each(|steps| *steps += (reached - n) as f64);
        }
        reached
    }

    /// One step of all wheels: with a drive or without one, with level bounds or others. True if a contact of any of them changed.
    #[inline(always)]
    fn step<const DRIVEN: bool, const GROUND: bool, const BRAKE: bool>(&mut self) -> bool {
        let mut changed = 0_u64;
        for i in 0..WIDTH {
            let steps = self.steps[i];
            let drive = if DRIVEN { self.drive.at::<false>(i, steps) } else { 0.0 };
            let a_g = self.ground.at::<GROUND>(i, steps).max(0.0);
            let a_b = self.brake.at::<BRAKE>(i, steps).max(0.0);
            let (d1, d2) = (self.d1[i], self.d2[i]);
            let z1 = self.x1[i];
            let z2 = if DRIVEN { self.x2[i] + d2 * drive } else { self.x2[i] };
            let p = z1 * self.per_d1[i];
            let q = z2 * self.per_d2[i] - clamp(p, a_g);
            let (b, g) = (side(q, a_b), clamp(q, a_b));
            let brake_slips = b != 0.0;
            let force = if brake_slips { ((z1 + z2) - d2 * g) * self.per_sum[i] } else { p };
            let (e, f) = (side(force, a_g), clamp(force, a_g));
            let y1 = z1 - d1 * f;
            let y2 = z2 - d2 * (f + g);
            // The slip of a locked wheel is its speed.
            let slip = if !brake_slips && e != 0.0 { y1 } else { y1 + y2 };
            let residual = greater(wrong_sign(e, slip), wrong_sign(b, y2));
            let (slip, y2) = (same_sign(e, slip), same_sign(b, y2));
            let held = if brake_slips { -y2 } else { 0.0 };
            let y1 = if e != 0.0 { y1 } else { held };
            let region = 3.0 * e + b + 4.0;
            // Equal numbers differ by +0, whose bits are all zero.
            changed |= (region - self.region[i]).to_bits();
            self.region[i] = region;
            if DRIVEN || !GROUND || !BRAKE {
                self.steps[i] = steps + 1.0;
            }
            self.x1[i] = y1;
            self.x2[i] = y2;
            self.f[i] = f;
            self.g[i] = g;
            self.path[i] += y1;
            self.turn[i] += y2;
            if DRIVEN {
                self.power[i] += drive * y2;
            }
            self.heat_ground[i] += f * slip;
            self.heat_brake[i] += g * y2;
            self.residual[i] = greater(residual, self.residual[i]);
        }
        changed != 0
    }
}

/// −1, 0 or 1: below, within, above the bounds.
#[inline(always)]
fn side(x: f64, bound: f64) -> f64 {
    let above = if x > bound { 1.0 } else { 0.0 };
    if x < -bound { -1.0 } else { above }
}

#[inline(always)]
fn same_sign(sign: f64, y: f64) -> f64 {
    if sign * y > 0.0 { y } else { 0.0 }
}

#[inline(always)]
fn wrong_sign(sign: f64, y: f64) -> f64 {
    if sign * y > 0.0 { 0.0 } else { y.abs() }
}
