//! Wheels that brake hard, side by side: 100 000 of them with other masses, frictions and brakes, 6000 steps each, beside a
//! loop written by hand for this one manoeuvre (numbers of one kind side by side, the same vector instructions, no energies, no
//! residual, no positions, no events), and beside the closed form from event to event. Times are those of the processor (`common`), the
//! least of three rounds in which all of them alternate.
//!
//! `cargo bench -p stickslip-models --bench side_by_side [-- WHEELS]`

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod common;

use common::seconds;
use pulp::{Arch, NullaryFnOnce};
use stickslip_core::scheme::{ByEvents, Grid, NullObserver, implicit_euler, side_by_side};
use stickslip_core::signal::Signal;
use stickslip_models::wheel::{Parameters, Start, Wheel};

const TIMES: [f64; 4] = [0.5, 0.7, 2.0, 2.4];
const DURATION: f64 = 6.0;
const STEPS: u64 = 6000;
const INERTIA: f64 = 1.2;
const RADIUS: f64 = 0.3;
const GRAVITY: f64 = 9.81;
const WIDTH: usize = 32;

/// Mass, friction, greatest torque of the brake.
type Point = [f64; 3];

fn points(count: usize) -> Vec<Point> {
    let spread = |n: usize, step: f64| (n as f64 * step).fract();
    let point = |n: usize| {
        let mass = 300.0 + 200.0 * spread(n, 0.618_033_988_75);
        let friction = 0.3 + 0.7 * spread(n, 0.754_877_666_25);
        [mass, friction, (0.5 + 2.0 * spread(n, 0.569_840_290_998)) * friction * mass * GRAVITY * RADIUS]
    };
    (0..count).map(point).collect()
}

fn wheel([mass, friction, torque]: Point) -> Wheel {
    Wheel::new(Parameters {
        mass,
        inertia: INERTIA,
        radius: RADIUS,
        gravity: GRAVITY,
        friction: Signal::Constant(friction),
        brake: Signal::trapezoid(TIMES, torque).expect("sorted"),
        start: Start { x1: 20.0, x2: -20.0, ..Start::default() },
        ..Parameters::default()
    })
    .expect("valid")
}

/// 32 wheels by hand.
struct ByHand<'a> {
    points: &'a [Point],
    out: &'a mut [[f64; 2]],
}

impl NullaryFnOnce for ByHand<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let h = DURATION / STEPS as f64;
        let [mut d1, mut a_g, mut top] = [[0.0; WIDTH]; 3];
        let d2 = h * RADIUS * RADIUS / INERTIA;
        for (i, [mass, friction, torque]) in self.points.iter().enumerate() {
            (d1[i], a_g[i], top[i]) = (h / mass, friction * mass * GRAVITY, torque / RADIUS);
        }
        let per_d1 = d1.map(|d| 1.0 / d);
        let per_sum = d1.map(|d| 1.0 / (d + d2));
        let per_d2 = 1.0 / d2;
        let (mut x1, mut x2) = ([20.0_f64; WIDTH], [-20.0_f64; WIDTH]);
        for n in 1..=STEPS {
            let t = n as f64 * h;
            let level = if t < TIMES[1] {
                ((t - TIMES[0]) / (TIMES[1] - TIMES[0])).max(0.0)
            } else {
                ((TIMES[3] - t) / (TIMES[3] - TIMES[2])).clamp(0.0, 1.0)
            };
            for i in 0..WIDTH {
                let a_b = level * top[i];
                let (z1, z2) = (x1[i], x2[i]);
                let p = z1 * per_d1[i];
                let f = p.max(-a_g[i]).min(a_g[i]);
                let q = z2 * per_d2 - f;
                let locked = q.abs() <= a_b;
                let g = if q > 0.0 { a_b } else { -a_b };
                let c = (z1 + z2 - d2 * g) * per_sum[i];
                let rolls = c.abs() <= a_g[i];
                let f2 = c.max(-a_g[i]).min(a_g[i]);
                let y2 = z2 - d2 * (f2 + g);
                let y1 = if rolls { -y2 } else { z1 - d1[i] * f2 };
                let stands = if p.abs() <= a_g[i] { 0.0 } else { z1 - d1[i] * f };
                x1[i] = if locked { stands } else { y1 };
                x2[i] = if locked { 0.0 } else { y2 };
            }
        }
        for (i, out) in self.out.iter_mut().enumerate() {
            *out = [x1[i], x2[i]];
        }
    }
}

fn by_hand(points: &[Point]) -> Vec<[f64; 2]> {
    let arch = Arch::new();
    let mut out = vec![[0.0; 2]; points.len()];
    for (points, out) in points.chunks(WIDTH).zip(out.chunks_mut(WIDTH)) {
        arch.dispatch(ByHand { points, out });
    }
    out
}

fn grid() -> Grid {
    Grid { h: DURATION / STEPS as f64, steps: STEPS }
}

fn together(points: &[Point]) -> Vec<[f64; 2]> {
    let mut out = Vec::with_capacity(points.len());
    for points in points.chunks(WIDTH) {
        let wheels: Vec<Wheel> = points.iter().map(|point| wheel(*point)).collect();
        for end in side_by_side(&wheels, grid()) {
            let state = *end.expect("a sound run").run.end();
            out.push([state.x1, state.x2]);
        }
    }
    out
}

fn alone(points: &[Point]) -> Vec<[f64; 2]> {
    let end = |point: &Point| implicit_euler(&wheel(*point), grid(), &mut NullObserver).expect("runs").state;
    points.iter().map(end).map(|state| [state.x1, state.x2]).collect()
}

fn closed_form(points: &[Point]) -> Vec<[f64; 2]> {
    let settings = Default::default();
    let end = |point: &Point| wheel(*point).by_events(grid(), &settings, &mut NullObserver).expect("runs").state;
    points.iter().map(end).map(|state| [state.x1, state.x2]).collect()
}

fn main() {
    let count = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(100_000);
    let points = points(count);
    let some = &points[..count.min(2000)];
    let (time_alone, one_by_one) = seconds(|| alone(some));
    let (mut hand, mut block, mut closed, mut two) = (f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        let (time, other) = seconds(|| by_hand(&points));
        hand = hand.min(time);
        let (time, ours) = seconds(|| together(&points));
        block = block.min(time);
        assert_eq!(ours[..some.len()], one_by_one[..], "the same bits");
        let apart = other.iter().zip(&ours).map(|(a, b)| (a[0] - b[0]).abs().max((a[1] - b[1]).abs()));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < 1e-9, "{apart}");
        closed = closed.min(seconds(|| closed_form(&points)).0);
        let (time, same) = common::on_two(&points, points.len() / 2 / WIDTH * WIDTH, together);
        two = two.min(time);
        assert_eq!(same, ours, "the same bits");
    }
    let steps = (count as u64 * STEPS) as f64;
    println!("by hand, no tallies      {:7.2} s, {:.2e} wheel-steps/s", hand, steps / hand);
    println!(
        "side by side, tallies on {:7.2} s, {:.2e} wheel-steps/s: {:.2} times (at most 3 wanted)",
        block,
        steps / block,
        block / hand
    );
    println!(
        "one by one               {:.2e} wheel-steps/s: side by side is {:.1} times as fast",
        some.len() as f64 * STEPS as f64 / time_alone,
        time_alone / some.len() as f64 * count as f64 / block
    );
    println!(
        "closed form              {:7.2} s: {:.1} times as fast as side by side (at least 5 wanted)",
        closed,
        block / closed
    );
    println!("on two cores             {:7.2} s: {:.2} times as fast as one (at least 1.8 wanted)", two, block / two);
}
