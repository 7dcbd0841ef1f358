//! The friction oscillator m = k = 1 in closed form from event to event, with the variational equation beside it and its
//! jump (saltation) matrices: a third way to its exponent, which shares nothing with the library.
//!
//! While it slips in the direction s = ±1, x'' + κ x = c + F cos ωt with κ = 1 + s a₁, c = −s a₀ where there is friction
//! (x > −a₀/a₁) and κ = 1, c = 0 where there is none: x = c/κ + F cos ωt/(κ − ω²) + circular or hyperbolic functions. A
//! neighbour (δx, δv) at the same time moves by the same functions, and at events by
//!
//! ```text
//! arrival at stick           (δx, δv) → (δx, 0)
//! slip turned round          (δx, δv) → (δx, δv f⁺/f⁻)           f∓: accelerations before and after
//! departure, edge x = −a₀/a₁  no change: the acceleration is continuous there
//! ```

/// Data: friction a₀ + a₁ x, drive F cos ωt.
#[derive(Debug, Clone, Copy)]
pub struct Data {
    pub friction: f64,
    pub slope: f64,
    pub drive: f64,
    pub frequency: f64,
}

/// Where it is, and how it moves.
#[derive(Debug, Clone, Copy)]
pub struct InPieces {
    data: Data,
    pub t: f64,
    pub x: f64,
    pub v: f64,
    /// 0 while it sticks, else the direction of slip.
    pub sign: f64,
    /// Whether there is friction here.
    rubs: bool,
    /// The neighbour, of length 1, and the logarithm of how much it has grown.
    pub neighbour: [f64; 2],
    pub growth: f64,
    /// Time stuck since t = 0.
    pub stuck: f64,
    /// Arrivals at v = 0 from a slip, where there is friction.
    pub arrivals: u64,
}

/// Longest search step: far below the shortest half turn, π/sqrt(κ + …) ≈ 2.
const SEARCH: f64 = 0.05;

impl InPieces {
    /// From rest at x = 0, where 1.9 cos 0 > 1: it slips at once.
    pub fn new(data: Data) -> InPieces {
        let sign = data.drive.signum();
        assert!(data.drive.abs() > data.friction, "it starts by slipping");
        let neighbour = [1.0, 0.0];
        InPieces { data, t: 0.0, x: 0.0, v: 0.0, sign, rubs: true, neighbour, growth: 0.0, stuck: 0.0, arrivals: 0 }
    }

    /// Follows it to the time given.
    pub fn advance(&mut self, until: f64) {
        while self.t < until {
            if self.sign == 0.0 { self.wait(until) } else { self.slip(until) }
        }
        self.rescale();
    }

    fn bound(&self) -> f64 {
        if self.rubs { (self.data.friction + self.data.slope * self.x).max(0.0) } else { 0.0 }
    }

    fn push(&self) -> f64 {
        self.data.drive * (self.data.frequency * self.t).cos() - self.x
    }

    /// Sticks until F cos ωt leaves [x − a, x + a], or until the time given.
    fn wait(&mut self, until: f64) {
        let Data { drive, frequency, .. } = self.data;
        let turn = std::f64::consts::TAU;
        let mut leaves = (f64::INFINITY, 0.0);
        // Upwards where the cosine rises, at the angle −acos; downwards at acos.
        for sign in [1.0, -1.0] {
            let level = (self.x + sign * self.bound()) / drive;
            if level.abs() < 1.0 {
                let angle = -sign * level.acos();
                let now = frequency * self.t;
                let next = (angle + turn * ((now - angle) / turn).ceil()) / frequency;
                if next < leaves.0 {
                    leaves = (next, sign);
                }
            }
        }
        let end = leaves.0.min(until);
        self.stuck += end - self.t;
        self.t = end;
        if leaves.0 <= until {
            self.sign = leaves.1;
        }
    }

    /// (x, v, a) and the two functions of the homogeneous equation after the time given.
    fn after(&self, time: f64) -> ([f64; 3], [f64; 2], f64) {
        let Data { friction, slope, drive, frequency: w } = self.data;
        let (stiffness, constant) =
            if self.rubs { (1.0 + self.sign * slope, -self.sign * friction) } else { (1.0, 0.0) };
        let root = stiffness.abs().sqrt();
        let (c, s) = if stiffness > 0.0 {
            ((root * time).cos(), (root * time).sin() / root)
        } else {
            ((root * time).cosh(), (root * time).sinh() / root)
        };
        let swing = drive / (stiffness - w * w);
        let forced = |t: f64| [constant / stiffness + swing * (w * t).cos(), -swing * w * (w * t).sin()];
        let (then, now) = (forced(self.t), forced(self.t + time));
        let (x0, v0) = (self.x - then[0], self.v - then[1]);
        let x = now[0] + c * x0 + s * v0;
        let v = now[1] - stiffness * s * x0 + c * v0;
        let a = constant - stiffness * x + drive * (w * (self.t + time)).cos();
        ([x, v, a], [c, s], stiffness)
    }

    /// Slips to its next event, or until the time given, in search steps.
    fn slip(&mut self, until: f64) {
        let edge = -self.data.friction / self.data.slope;
        let (sign, rubs) = (self.sign, self.rubs);
        let mut step = SEARCH.min(until - self.t);
        // From rest the velocity first grows; where it is back at zero within the step, the step is too long.
        let begins = self.v == 0.0;
        while begins && self.after(0.5 * step).0[1] * sign <= 0.0 {
            step *= 0.5;
            if step < 1e-9 {
                // A slip too short to be told from none.
                self.t += step;
                self.sign = 0.0;
                return;
            }
        }
        let early = if begins { 0.5 * step } else { 0.0 };
        let [x, v, a] = self.after(step).0;
        let mut turned = (v * sign < 0.0).then_some(step);
        // The velocity may dip through zero and come back: look at its least value.
        if turned.is_none() && a * sign > 0.0 && self.after(early).0[2] * sign < 0.0 {
            let low = root(early, step, |time| self.after(time).0[2] * sign > 0.0);
            turned = (self.after(low).0[1] * sign < 0.0).then_some(low);
        }
        let turn = turned.map(|late| root(early, late, |time| self.after(time).0[1] * sign < 0.0));
        let reach = turn.unwrap_or(step);
        let crosses = |x: f64| (x > edge) != rubs && x != edge;
        let there = if turn.is_some() { self.after(reach).0[0] } else { x };
        if crosses(there) && self.x != edge {
            self.go(root(0.0, reach, |time| crosses(self.after(time).0[0])));
            self.x = edge;
            self.rubs = !rubs;
        } else if turn.is_some() {
            let before = self.after(reach).0[2];
            self.go(reach);
            self.v = 0.0;
            self.turn(before);
        } else {
            self.go(reach);
        }
    }

    fn go(&mut self, time: f64) {
        let ([x, v, _], [c, s], stiffness) = self.after(time);
        let [dx, dv] = self.neighbour;
        self.neighbour = [c * dx + s * dv, -stiffness * s * dx + c * dv];
        (self.t, self.x, self.v) = (self.t + time, x, v);
    }

    /// What comes after v = 0.
    fn turn(&mut self, before: f64) {
        self.arrivals += u64::from(self.rubs);
        let (push, bound) = (self.push(), self.bound());
        if push.abs() <= bound {
            self.sign = 0.0;
            self.neighbour[1] = 0.0;
        } else {
            self.sign = push.signum();
            self.neighbour[1] *= (push - self.sign * bound) / before;
        }
        self.rescale();
    }

    fn rescale(&mut self) {
        let size = self.neighbour[0].hypot(self.neighbour[1]);
        self.growth += size.ln();
        self.neighbour = self.neighbour.map(|d| d / size);
    }
}

/// The instant between lo and hi from which on the condition holds, to rounding.
fn root(mut lo: f64, mut hi: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (lo + hi);
        if middle <= lo || middle >= hi {
            break;
        }
        if holds(middle) { hi = middle } else { lo = middle }
    }
    hi
}

/// Means over `count` parts of `periods` drive periods each, after as long a transient as one part: (exponent, its error,
/// share stuck, its error).
pub fn statistics(data: Data, count: u32, periods: f64) -> [f64; 4] {
    let part = periods * std::f64::consts::TAU / data.frequency;
    let mut motion = InPieces::new(data);
    motion.advance(part);
    let mut parts = Vec::new();
    for k in 0..count {
        let (growth, stuck, from) = (motion.growth, motion.stuck, motion.t);
        motion.advance(f64::from(k + 2) * part);
        let span = motion.t - from;
        parts.push([(motion.growth - growth) / span, (motion.stuck - stuck) / span]);
    }
    let n = f64::from(count);
    let mean = |i: usize| parts.iter().map(|p| p[i]).sum::<f64>() / n;
    let error = |i: usize| {
        let scatter: f64 = parts.iter().map(|p| (p[i] - mean(i)).powi(2)).sum();
        (scatter / (n * (n - 1.0))).sqrt()
    };
    [mean(0), error(0), mean(1), error(1)]
}
