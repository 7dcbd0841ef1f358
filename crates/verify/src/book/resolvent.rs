//! The step of the wheel: nine regions (docs/wheel.md 3).

use stickslip_core::inclusion::nine_regions::Answer;
use stickslip_core::inclusion::{NineRegions, Problem, Settings, solve};
use stickslip_core::law::{Interval, Law, Product};
use stickslip_linalg::Matrix;

use crate::Basis::{ClosedForm, Method, Reference};
use crate::Expected::{AtMost, Exactly};
use crate::Value::Number;
use crate::{Chapter, Claim, Measured};
use stickslip_linalg::SplitMix64;

const VECTORS: &str = include_str!("../../../../reference/wheel/resolvent-vectors.csv");

pub(crate) const CHAPTER: Chapter = Chapter {
    title: "The step of the wheel: nine regions",
    claims: &[
        Claim::that("test vectors: number of rows read")
            .by(Reference, "reference/wheel/resolvent-vectors.csv")
            .expects(Exactly(36.0), |_| Ok(Number(vectors()?.len() as f64))),
        Claim::that("test vectors: greatest deviation of y1, y2, f, g")
            .by(Reference, "reference/wheel/resolvent-vectors.csv")
            .expects(AtMost(1e-12), |_| {
                let rows = vectors()?;
                let miss = |v: &[f64; 13]| {
                    let y = answer(v);
                    [y.y1 - v[6], y.y2 - v[7], y.f - v[8], y.g - v[9]].iter().fold(0.0_f64, |m, e| m.max(e.abs()))
                };
                Ok(Number(rows.iter().map(miss).fold(0.0, f64::max)))
            }),
        Claim::that("test vectors: rows with another region, ε_G or ε_B")
            .by(Reference, "reference/wheel/resolvent-vectors.csv")
            .expects(Exactly(0.0), |_| {
                let differs = |v: &&[f64; 13]| {
                    let region = answer(v).region;
                    [f64::from(region.ground()), f64::from(region.brake()), f64::from(region.number())] != v[10..13]
                };
                Ok(Number(vectors()?.iter().filter(differs).count() as f64))
            }),
        Claim::that("brute force over all pieces and faces, 10⁵ points, a_B > 0: relative error")
            .by(Method, "docs/wheel.md 3")
            .expects(AtMost(1e-14), |_| brute_force(1, |random| random.between(0.1, 4.0))),
        Claim::that("brute force over all pieces and faces, 10⁵ points, a_B = 0: relative error")
            .by(Method, "docs/wheel.md 3")
            .expects(AtMost(1e-14), |_| brute_force(2, |_| 0.0)),
        Claim::that("nested golden section, 200 points: greatest deviation of y (its own accuracy 1e-6)")
            .by(Method, "docs/wheel.md 3")
            .expects(AtMost(1e-6), |_| golden_section()),
        Claim::that("region table, 2·10⁵ points: points in no region or in another one")
            .by(ClosedForm, "docs/wheel.md 3")
            .expects(Exactly(0.0), |_| unassigned()),
        Claim::that("corners of region 0 that are not exactly at rest").by(ClosedForm, "docs/wheel.md 3").expects(
            Exactly(0.0),
            |_| {
                let (d1, d2, a_g, a_b) = (0.125, 0.5, 3.0, 2.0);
                let at_rest = |(e, b): &(f64, f64)| {
                    let y = NineRegions::new(d1, d2).solve(e * d1 * a_g, d2 * (e * a_g + b * a_b), a_g, a_b);
                    (y.y1, y.y2) == (0.0, 0.0)
                };
                let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
                Ok(Number(corners.iter().filter(|c| !at_rest(c)).count() as f64))
            },
        ),
        Claim::that("dual view: general solver on the box in the metric of W, 500 problems: deviation of slips")
            .by(Method, "docs/wheel.md 3")
            .expects(AtMost(1e-12), |_| dual_view()),
    ],
};

fn vectors() -> Result<Vec<[f64; 13]>, String> {
    let parse = |line: &str| {
        let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        numbers.ok().and_then(|v| <[f64; 13]>::try_from(v).ok()).ok_or(format!("cannot read `{line}`"))
    };
    VECTORS.lines().skip(1).map(parse).collect()
}

fn answer(v: &[f64; 13]) -> Answer {
    NineRegions::new(v[2], v[3]).solve(v[0], v[1], v[4], v[5])
}

/// A random problem of the size of the test vectors: d1, d2, z1, z2, a_G.
fn problem(random: &mut SplitMix64) -> (f64, f64, f64, f64, f64) {
    let (d1, d2) = (10_f64.powf(random.between(-3.0, 0.0)), 10_f64.powf(random.between(-3.0, 0.0)));
    let (p, r) = (random.between(-9.0, 9.0), random.between(-12.0, 12.0));
    (d1, d2, p * d1, r * d2, random.between(0.1, 4.0))
}

/// (y1−z1)²/(2d1) + (y2−z2)²/(2d2) + a_G|y1+y2| + a_B|y2|.
fn energy(y: [f64; 2], z: [f64; 2], d: [f64; 2], a_g: f64, a_b: f64) -> f64 {
    let square = |i: usize| (y[i] - z[i]) * (y[i] - z[i]) / (2.0 * d[i]);
    square(0) + square(1) + a_g * (y[0] + y[1]).abs() + a_b * y[1].abs()
}

/// Every point that can be the minimiser: one for each smooth piece (e, b = ±1) and each face of the energy.
fn candidates(z: [f64; 2], d: [f64; 2], a_g: f64, a_b: f64) -> Vec<[f64; 2]> {
    let mut candidates = vec![[0.0, 0.0]];
    for e in [-1.0, 1.0] {
        candidates.push([z[0] - d[0] * e * a_g, 0.0]);
        for b in [-1.0, 1.0] {
            candidates.push([z[0] - d[0] * e * a_g, z[1] - d[1] * (e * a_g + b * a_b)]);
        }
    }
    for b in [-1.0, 1.0] {
        // On y1 = −y2: minimise over y2.
        let y2 = (z[1] / d[1] - z[0] / d[0] - b * a_b) / (1.0 / d[0] + 1.0 / d[1]);
        candidates.push([-y2, y2]);
    }
    candidates
}

/// Distance of the closed form from the candidate of least energy. Energies are flat at their minimum: candidates
/// whose energies differ by rounding only are equally good, and the closed form must be one of them.
fn brute_force(seed: u64, a_b: fn(&mut SplitMix64) -> f64) -> Measured {
    let mut random = SplitMix64(seed);
    let mut worst = 0.0_f64;
    for _ in 0..100_000 {
        let (d1, d2, z1, z2, a_g) = problem(&mut random);
        let a_b = a_b(&mut random);
        let y = NineRegions::new(d1, d2).solve(z1, z2, a_g, a_b);
        let all = candidates([z1, z2], [d1, d2], a_g, a_b);
        let energies: Vec<f64> = all.iter().map(|y| energy(*y, [z1, z2], [d1, d2], a_g, a_b)).collect();
        let least = energies.iter().copied().fold(f64::INFINITY, f64::min);
        let rounding = 1e-14 * energy([0.0, 0.0], [z1, z2], [d1, d2], a_g, a_b);
        let best = all.iter().zip(&energies).filter(|(_, energy)| **energy <= least + rounding);
        let miss = |c: &[f64; 2]| (y.y1 - c[0]).abs().max((y.y2 - c[1]).abs());
        let nearest = best.map(|(c, _)| miss(c)).fold(f64::INFINITY, f64::min);
        worst = worst.max(nearest / (z1.abs() + z2.abs() + (d1 + d2) * (a_g + a_b)));
    }
    Ok(Number(worst))
}

fn golden_section() -> Measured {
    let mut random = SplitMix64(3);
    let mut worst = 0.0_f64;
    for _ in 0..200 {
        let (d1, d2, z1, z2, a_g) = problem(&mut random);
        let a_b = random.between(0.0, 4.0);
        let y = NineRegions::new(d1, d2).solve(z1, z2, a_g, a_b);
        let reach = 2.0 * (z1.abs() + z2.abs()) + 1.0;
        let inner = |y2: f64| minimum(-reach, reach, &|y1| energy([y1, y2], [z1, z2], [d1, d2], a_g, a_b));
        let y2 = minimum(-reach, reach, &|y2| energy([inner(y2), y2], [z1, z2], [d1, d2], a_g, a_b));
        worst = worst.max((y.y2 - y2).abs()).max((y.y1 - inner(y2)).abs());
    }
    Ok(Number(worst))
}

/// Where a convex function is least, by golden section.
fn minimum(mut lo: f64, mut hi: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    let golden = 0.5 * (5_f64.sqrt() - 1.0);
    let (mut a, mut b) = (hi - golden * (hi - lo), lo + golden * (hi - lo));
    let (mut fa, mut fb) = (f(a), f(b));
    for _ in 0..80 {
        if fa < fb {
            (hi, b, fb) = (b, a, fa);
            a = hi - golden * (hi - lo);
            fa = f(a);
        } else {
            (lo, a, fa) = (a, b, fb);
            b = lo + golden * (hi - lo);
            fb = f(b);
        }
    }
    0.5 * (lo + hi)
}

/// Points whose conditions in the region table name no region, several, or another than the clamps.
fn unassigned() -> Measured {
    let mut random = SplitMix64(4);
    let mut wrong = 0;
    for _ in 0..200_000 {
        let (d1, d2, z1, z2, a_g) = problem(&mut random);
        let a_b = random.between(0.1, 4.0);
        let (p, r, s) = (z1 / d1, z2 / d2, z1 + z2);
        let mut found = Vec::new();
        if p.abs() <= a_g && (r - p).abs() <= a_b {
            found.push(0);
        }
        for (number, e) in [(1, 1.0), (5, -1.0)] {
            if e * p > a_g && (r - e * a_g).abs() <= a_b {
                found.push(number);
            }
        }
        for (number, b) in [(3, 1.0), (7, -1.0)] {
            if b * (r - p) > a_b && (s - b * d2 * a_b).abs() <= (d1 + d2) * a_g {
                found.push(number);
            }
        }
        for (number, e, b) in [(2, 1.0, 1.0), (4, -1.0, 1.0), (6, -1.0, -1.0), (8, 1.0, -1.0)] {
            if e * (s - b * d2 * a_b) > (d1 + d2) * a_g && b * (r - e * a_g) > a_b {
                found.push(number);
            }
        }
        let ours = NineRegions::new(d1, d2).solve(z1, z2, a_g, a_b).region.number();
        wrong += usize::from(found != [ours]);
    }
    Ok(Number(wrong as f64))
}

/// Slips of the general solver against the closed form, relative to the size of the problem.
fn dual_view() -> Measured {
    let mut random = SplitMix64(5);
    let mut worst = 0.0_f64;
    for _ in 0..500 {
        let (d1, d2, z1, z2, a_g) = problem(&mut random);
        let a_b = random.between(0.1, 4.0);
        let w = Matrix::from_rows(&[&[d1 + d2, d2], &[d2, d2]]);
        let interval = |a| Interval::symmetric(a).map(Law::Interval).map_err(|e| e.to_string());
        let c = Product::new(vec![interval(a_g)?, interval(a_b)?]);
        let found = solve(&Problem { w: &w, b: &[z1 + z2, z2], c: &c }, &[0.0, 0.0], &Settings::default());
        let found = found.map_err(|e| e.to_string())?;
        let y = NineRegions::new(d1, d2).solve(z1, z2, a_g, a_b);
        let scale = z1.abs() + z2.abs() + (d1 + d2) * (a_g + a_b);
        worst = worst.max((found.s[0] - (y.y1 + y.y2)).abs() / scale).max((found.s[1] - y.y2).abs() / scale);
    }
    Ok(Number(worst))
}
