//! One implicit step of the wheel.

use super::{CONTACTS, Start, Wheel};
use stickslip_core::Name;
use stickslip_core::inclusion::NineRegions;
use stickslip_core::inclusion::nine_regions::{Answer, Region, clamp, greater};
use stickslip_core::law::{OverSlip, State};
use stickslip_core::mechanics::{Clock, Dissipation, Kernel, Motion, Stop, SystemError};
use stickslip_core::mechanics::{Line, Lines, measures_speed, pause_to_measure};

/// State of the wheel, with the tallies of the run.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WheelState {
    /// Speed of the centre [m/s].
    pub x1: f64,
    /// Circumferential speed [m/s]; exactly 0.0 while the brake holds, exactly −x1 while rolling.
    pub x2: f64,
    /// Ground friction of the last step \[N\].
    pub f: f64,
    /// Brake force of the last step \[N\].
    pub g: f64,
    pub(crate) region: Option<Region>,
    /// Position and angle at t = 0.
    pub(crate) origin: [f64; 2],
    /// Size of the steps, and the same over the radius; sums are kept per step and multiplied when read.
    pub(crate) h: [f64; 2],
    /// Σ x1⁺ [m/s].
    pub(crate) path: f64,
    /// Σ x2⁺ [m/s].
    pub(crate) turn: f64,
    /// Σ 𝓜 x2⁺ \[W\].
    pub(crate) power: f64,
    /// Σ f (x1⁺ + x2⁺) = Σ a_G |x1⁺ + x2⁺| \[W\].
    pub(crate) ground: f64,
    /// Σ g x2⁺ = Σ a_B |x2⁺| \[W\].
    pub(crate) brake: f64,
    /// Greatest residual [m/s].
    pub(crate) residual: f64,
    /// Greatest speed of the start and the steps that are looked at ([`measures_speed`]) [m/s].
    pub(crate) speed: f64,
}

impl WheelState {
    pub(crate) fn at_rest(start: Start) -> WheelState {
        let Start { x1, x2, x, theta } = start;
        WheelState {
            x1,
            x2,
            f: 0.0,
            g: 0.0,
            region: None,
            origin: [x, theta],
            h: [0.0; 2],
            path: 0.0,
            turn: 0.0,
            power: 0.0,
            ground: 0.0,
            brake: 0.0,
            residual: 0.0,
            speed: 0.0,
        }
    }

    /// The state of a motion in closed form: sums over one step of a second.
    pub(super) fn in_motion(start: Start, radius: f64, motion: &Motion<[f64; 2], [f64; 2]>) -> WheelState {
        let [ground, brake] = motion.signs.map(|sign| sign as i8);
        WheelState {
            x1: motion.velocities[0],
            x2: motion.velocities[1],
            f: -motion.forces[0],
            g: -motion.forces[1],
            region: Some(Region::new(ground, brake)),
            h: [1.0, 1.0 / radius],
            path: motion.paths[0],
            turn: motion.paths[1],
            power: motion.work,
            ground: motion.dissipated[0],
            brake: motion.dissipated[1],
            residual: motion.residual,
            speed: motion.speed,
            ..WheelState::at_rest(start)
        }
    }

    /// Sums are kept per step: the same for steps of another size.
    pub(crate) fn change_step(&mut self, h: [f64; 2]) {
        let factor = self.h[0] / h[0];
        for sum in [&mut self.path, &mut self.turn, &mut self.power, &mut self.ground, &mut self.brake] {
            *sum *= factor;
        }
        self.h = h;
    }

    /// Greatest speed, with that of now.
    #[inline(always)]
    pub(super) fn speed_with_now(&self) -> f64 {
        greater(self.x1.abs(), greater(self.x2.abs(), self.speed))
    }

    /// Which of the nine regions the last step was in; none before the first.
    pub fn region(&self) -> Option<Region> {
        self.region
    }

    /// Position of the centre \[m\].
    pub fn x(&self) -> f64 {
        self.origin[0] + self.h[0] * self.path
    }

    /// Angle \[rad\].
    pub fn theta(&self) -> f64 {
        self.origin[1] + self.h[1] * self.turn
    }

    /// Work of the motor so far \[J\].
    pub fn work(&self) -> f64 {
        self.h[0] * self.power
    }

    /// Energy dissipated so far on the ground and in the brake \[J\].
    pub fn dissipated(&self) -> [f64; 2] {
        [self.h[0] * self.ground, self.h[0] * self.brake]
    }

    /// The same by contact.
    pub(crate) fn heats(&self) -> Vec<Dissipation> {
        let each = CONTACTS.iter().zip(self.dissipated());
        each.map(|(contact, energy)| Dissipation { contact: contact.clone(), energy }).collect()
    }

    /// What the contacts do; open before the first step.
    pub(crate) fn contact_states(&self) -> [State; 2] {
        self.region().map_or([State::Open; 2], |region| region.states())
    }

    /// Whether motion, forces, work and heat are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let [ground, brake] = self.dissipated();
        let all = [self.x1, self.x2, self.x(), self.theta(), self.f, self.g, self.work(), ground, brake];
        all.iter().all(|v| v.is_finite())
    }

    /// Motion and forces by name.
    pub(crate) fn named(&self) -> Vec<(Name, f64)> {
        let end =
            [("x1", self.x1), ("x2", self.x2), ("x", self.x()), ("theta", self.theta()), ("f", self.f), ("g", self.g)];
        end.map(|(name, value)| (name.into(), value)).into()
    }

    /// NaN if any force or speed was not a number: the tallies keep that when a stuck contact has set its slip to zero.
    pub(super) fn worst_residual(&self) -> f64 {
        let tallies = self.path + self.turn + self.power + self.ground + self.brake;
        if tallies.is_nan() {
            return f64::NAN;
        }
        if self.residual == 0.0 || self.speed == 0.0 { self.residual } else { self.residual / self.speed }
    }
}

/// Roundings that a sum of several forces may gather.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Implicit steps of the wheel between two breaks of its signals.
#[derive(Debug, Clone, Copy)]
pub struct WheelKernel<'a> {
    pub(super) solver: NineRegions,
    /// Number of the first step.
    from: u64,
    /// 𝓜 at the beginning of the step.
    pub(super) drive: Line,
    /// a_G at the end of the step.
    pub(super) ground: Line,
    /// a_B at the end of the step.
    pub(super) brake: Line,
    h: f64,
    h_per_radius: f64,
    /// Factors of the bounds, where they change with slip.
    over_slip: Option<&'a OverSlip>,
}

impl<'a> WheelKernel<'a> {
    pub(super) fn new(wheel: &'a Wheel, n: u64, clock: Clock) -> Result<(WheelKernel<'a>, u64), SystemError> {
        let radius = wheel.parameters.radius;
        // Forces at the rim turned back into the torques that the user wrote, for messages.
        let torque = |error: SystemError| error.scaled(radius);
        let mut lines = Lines::new(n, clock);
        let h = clock.h;
        let drive = lines.begin("the motor torque [N m]", &wheel.drive).map_err(torque)?;
        let ground = lines.end_bound("the friction bound of the ground [N]", &wheel.ground)?;
        let brake = lines.end_bound("the brake torque [N m]", &wheel.brake).map_err(torque)?;
        let kernel = WheelKernel {
            solver: NineRegions::new(h / wheel.parameters.mass, h / wheel.j),
            from: n,
            drive,
            ground,
            brake,
            h,
            h_per_radius: h / radius,
            over_slip: Some(&wheel.parameters.over_slip).filter(|law| !law.is_none()),
        };
        Ok((kernel, lines.valid()))
    }
}

impl WheelKernel<'_> {
    /// Sums of a state become those of steps of this size.
    #[inline(always)]
    pub(super) fn take_steps_of(&self, state: &mut WheelState) {
        if state.h[0] != self.h {
            state.change_step([self.h, self.h_per_radius]);
        }
    }

    /// One step. True if a contact changed.
    #[inline(always)]
    fn step(&self, n: u64, u: &mut WheelState) -> bool {
        // Signed: one instruction instead of six; the difference is far below 2⁶³.
        let steps = (n - self.from) as i64 as f64;
        let drive = self.drive.at(steps);
        // Rounding may take a falling line below zero next to its end; a negative bound is none.
        let a_g = self.ground.at(steps).max(0.0);
        let a_b = self.brake.at(steps).max(0.0);
        let z1 = u.x1;
        let z2 = u.x2 + self.solver.d2() * drive;
        let y = match self.over_slip {
            None => self.solver.solve(z1, z2, a_g, a_b),
            Some(law) => self.over_slip([u.x1 + u.x2, u.x2], [z1, z2], ([a_g, a_b], drive), law),
        };
        let changed = u.region != Some(y.region);
        u.x1 = y.y1;
        u.x2 = y.y2;
        u.f = y.f;
        u.g = y.g;
        u.region = Some(y.region);
        u.path += y.y1;
        u.turn += y.y2;
        u.power += drive * y.y2;
        u.ground += y.f * y.slip;
        u.brake += y.g * y.y2;
        u.residual = greater(y.residual, u.residual);
        changed
    }
}

impl WheelKernel<'_> {
    /// The step where bounds change with the slips before it. A contact that turns round passes through rest: it stays
    /// there if the friction of rest holds it.
    fn over_slip(&self, before: [f64; 2], z: [f64; 2], (bounds, drive): ([f64; 2], f64), law: &OverSlip) -> Answer {
        let y = self.with_reversals(before, z, bounds, law);
        let after = [y.slip, y.y2];
        if (0..2).all(|i| before[i] != 0.0 || after[i] == 0.0) {
            return y;
        }
        self.hold_tie(before, z, (bounds, drive), law).unwrap_or(y)
    }

    /// The step in which a contact that rested begins to slip, once more with bounds that are greater by what rounding may have
    /// made of the forces: none if it slips all the same. Friction of slip below that of rest would not let it come back.
    #[cold]
    #[inline(never)]
    fn hold_tie(
        &self,
        before: [f64; 2],
        z: [f64; 2],
        (bounds, drive): ([f64; 2], f64),
        law: &OverSlip,
    ) -> Option<Answer> {
        let factors = law.at(before[0], before[1]);
        let exact: [f64; 2] = std::array::from_fn(|i| bounds[i] * factors[i]);
        let momentum = (z[0].abs() + z[1].abs()) / (self.solver.d1() + self.solver.d2());
        let rounding = ROUNDING * (drive.abs() + exact[0] + exact[1] + momentum);
        let rested = |i: usize| before[i] == 0.0 && exact[i] > 0.0;
        let [a_g, a_b] = std::array::from_fn(|i| if rested(i) { exact[i] + rounding } else { exact[i] });
        let y = self.solver.solve(z[0], z[1], a_g, a_b);
        let held = (rested(0) || rested(1)) && (0..2).all(|i| !rested(i) || [y.slip, y.y2][i] == 0.0);
        held.then(|| Answer { f: clamp(y.f, exact[0]), g: clamp(y.g, exact[1]), ..y })
    }

    fn with_reversals(&self, before: [f64; 2], z: [f64; 2], bounds: [f64; 2], law: &OverSlip) -> Answer {
        let solve = |factors: [f64; 2]| self.solver.solve(z[0], z[1], bounds[0] * factors[0], bounds[1] * factors[1]);
        let slipping = law.at(before[0], before[1]);
        let y = solve(slipping);
        let after = [y.slip, y.y2];
        if (0..2).all(|i| before[i] * after[i] >= 0.0) {
            return y;
        }
        let resting = law.at(0.0, 0.0);
        let turned: [bool; 2] = std::array::from_fn(|i| before[i] * after[i] < 0.0 && resting[i] > slipping[i]);
        if turned == [false; 2] {
            return y;
        }
        let held = solve(std::array::from_fn(|i| if turned[i] { resting[i] } else { slipping[i] }));
        let slips: [bool; 2] = std::array::from_fn(|i| [held.slip, held.y2][i] != 0.0);
        if (0..2).any(|i| turned[i] && slips[i]) {
            // What was at rest and cannot hold the friction of rest of the other, felt for an instant, slips as well.
            let begins = law.at(f64::MIN_POSITIVE, f64::MIN_POSITIVE);
            return solve(std::array::from_fn(|i| match (turned[i], slips[i]) {
                (true, false) => resting[i],
                (false, true) if before[i] == 0.0 => begins[i],
                _ => slipping[i],
            }));
        }
        held
    }
}

impl Kernel for WheelKernel<'_> {
    type State = WheelState;
    type Workspace = ();

    fn advance(&self, n: u64, end: u64, state: &mut WheelState, (): &mut ()) -> Result<(u64, Stop), SystemError> {
        // On a copy: the loop keeps it in registers.
        let mut u = *state;
        self.take_steps_of(&mut u);
        if u.region.is_none() {
            u.speed = u.speed_with_now();
        }
        let mut k = n;
        let mut changed = false;
        while k < end && !changed {
            let pause = end.min(pause_to_measure(k));
            while k < pause && !changed {
                changed = self.step(k, &mut u);
                k += 1;
            }
            if measures_speed(k - 1) {
                u.speed = u.speed_with_now();
            }
        }
        *state = u;
        Ok((k, Stop::from_change(changed)))
    }
}
