//! Sport braking of a wheel: implicit Euler with the forces from three clamps.

use stickslip_report::palette::State;

/// m, kg.
pub const MASS: f64 = 400.0;
/// J = I/R², kg.
pub const INERTIA: f64 = 1.2 / 0.09;
/// a_G = μ m g, N.
pub const GROUND: f64 = 0.8 * MASS * 9.81;
/// h, s.
pub const STEP: f64 = 1e-3;

/// What the run recorded, one entry per step.
#[derive(Default)]
pub struct Run {
    pub t: Vec<f64>,
    pub x1: Vec<f64>,
    pub x2: Vec<f64>,
    pub z: Vec<[f64; 2]>,
    pub f: Vec<f64>,
    pub g: Vec<f64>,
    pub a_b: Vec<f64>,
    pub motor: Vec<f64>,
    pub region: Vec<u8>,
}

/// 0 before t0 and after t3, `max` between t1 and t2, straight between.
fn trapezoid(t: f64, max: f64) -> f64 {
    max * ((t - 0.5) / 0.2).min((2.4 - t) / 0.4).clamp(0.0, 1.0)
}

fn sign(y: f64) -> i8 {
    if y.abs() < 1e-9 { 0 } else { y.signum() as i8 }
}

impl Run {
    /// Six seconds from 20 m/s.
    pub fn simulate() -> Self {
        let mut run = Self::default();
        let (d1, d2) = (STEP / MASS, STEP / INERTIA);
        let (mut x1, mut x2) = (20.0f64, -20.0f64);
        for n in 0..=6000 {
            let t = f64::from(n) * STEP;
            let a_b = trapezoid(t, 2.0 * GROUND);
            let (z1, z2) = (x1, x2);
            let f = (z1 / d1).clamp(-GROUND, GROUND);
            let g = (z2 / d2 - f).clamp(-a_b, a_b);
            let f = ((z1 + z2 - d2 * g) / (d1 + d2)).clamp(-GROUND, GROUND);
            x1 = z1 - d1 * f;
            x2 = z2 - d2 * (f + g);
            let states = (sign(x1 + x2), sign(x2));
            let region = stickslip_report::regions::DIRECTIONS.iter().position(|&direction| direction == states);
            // A stuck contact has no slip at all, not a little.
            if states.1 == 0 {
                x2 = 0.0;
            }
            if states.0 == 0 {
                x1 = -x2;
            }
            run.t.push(t);
            run.x1.push(x1);
            run.x2.push(x2);
            run.z.push([z1, z2]);
            run.f.push(f);
            run.g.push(g);
            run.a_b.push(a_b);
            run.motor.push(0.0);
            run.region.push(region.unwrap_or(0) as u8);
        }
        run
    }

    /// The state of contact 0 (ground) or 1 (brake) at each time.
    pub fn states(&self, contact: usize) -> impl Iterator<Item = State> {
        self.region.iter().map(move |&region| {
            let (e, b) = stickslip_report::regions::DIRECTIONS[usize::from(region)];
            match [e, b][contact] {
                0 => State::Stick,
                _ => State::Slip,
            }
        })
    }
}
