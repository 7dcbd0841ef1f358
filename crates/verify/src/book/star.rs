//! The step of a vehicle: a star of wheels (docs/vehicle.md).

use stickslip_core::inclusion::star::{Answer, Load};
use stickslip_core::inclusion::{NineRegions, Star};

use crate::Basis::{Law, Method, Reference};
use crate::Expected::{AtMost, Exactly};
use crate::Value::Number;
use crate::{Chapter, Claim};
use stickslip_linalg::SplitMix64;

const VECTORS: &str = include_str!("../../../../reference/vehicle/resolvent-vectors.csv");

pub(crate) const CHAPTER: Chapter = Chapter {
    title: "The step of a vehicle: a chassis on n wheels",
    claims: &[
        Claim::that("test vectors: greatest deviation of y1, v, f, g")
            .by(Reference, "reference/vehicle/resolvent-vectors.csv")
            .expects(AtMost(1e-12), |_| vectors().map(|(deviation, _)| Number(deviation))),
        Claim::that("test vectors: speeds that are zero on one side only")
            .by(Reference, "reference/vehicle/resolvent-vectors.csv")
            .expects(Exactly(0.0), |_| vectors().map(|(_, zeros)| Number(zeros))),
        Claim::that("one wheel, 10⁵ problems: greatest deviation from the nine regions, relative")
            .by(Method, "docs/vehicle.md 2")
            .expects(AtMost(1e-14), |_| Ok(Number(one_wheel()))),
        Claim::that("2·10⁴ problems with 1 to 16 wheels: greatest residual, relative")
            .by(Law, "docs/vehicle.md 2")
            .expects(AtMost(1e-12), |_| Ok(Number(residual(20_000, 16)))),
        Claim::that("10³ problems with 1 to 256 wheels: greatest residual, relative")
            .by(Law, "docs/vehicle.md 2")
            .expects(AtMost(1e-12), |_| Ok(Number(residual(1000, 256)))),
    ],
};

/// Greatest deviation, and how many speeds are zero on one side only.
fn vectors() -> Result<(f64, f64), String> {
    let number = |cell: &str| cell.parse::<f64>().map_err(|_| format!("cannot read `{cell}`"));
    let (mut deviation, mut zeros) = (0.0_f64, 0.0);
    for line in VECTORS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let wheels: Vec<Vec<f64>> =
            cells[5..].iter().map(|cell| cell.split(';').map(number).collect()).collect::<Result<_, _>>()?;
        let column = |k: usize| wheels.iter().map(|w| w[k]).collect::<Vec<f64>>();
        let (z, a_g, a_b) = (column(0), column(2), column(3));
        let mut y = Answer::new(wheels.len());
        let load = Load { z0: number(cells[1])?, a_0: 0.0, z: &z, a_g: &a_g, a_b: &a_b };
        Star::new(number(cells[2])?, column(1)).solve(load, &mut y);
        let mut pairs = vec![(y.y1, number(cells[3])?)];
        pairs.extend(wheels.iter().enumerate().map(|(i, w)| (y.v[i], w[4])));
        zeros += pairs.iter().filter(|(a, b)| (*a == 0.0) != (*b == 0.0)).count() as f64;
        pairs.extend(wheels.iter().enumerate().flat_map(|(i, w)| [(y.f[i], w[5]), (y.g[i], w[6])]));
        deviation = pairs.iter().fold(deviation, |m, (a, b)| m.max((a - b).abs()));
    }
    Ok((deviation, zeros))
}

fn one_wheel() -> f64 {
    let mut random = SplitMix64(11);
    let mut y = Answer::new(1);
    let mut worst = 0.0_f64;
    for _ in 0..100_000 {
        let [d0, d] = [random.between(0.01, 1.0), random.between(0.01, 1.0)];
        let (z0, z) = (d0 * random.between(-6.0, 6.0), d * random.between(-9.0, 9.0));
        let (a_g, a_b) = (random.between(0.0, 4.0), random.between(0.0, 4.0));
        Star::new(d0, vec![d]).solve(Load { z0, a_0: 0.0, z: &[z], a_g: &[a_g], a_b: &[a_b] }, &mut y);
        let one = NineRegions::new(d0, d).solve(z0, z, a_g, a_b);
        let scale = z0.abs() + z.abs() + (d0 + d) * (a_g + a_b);
        worst = worst.max((y.y1 - one.y1).abs().max((y.v[0] - one.y2).abs()) / scale);
        worst = worst.max(((y.f[0] - one.f).abs() * (d0 + d)).max((y.g[0] - one.g).abs() * d) / scale);
    }
    worst
}

/// Greatest residual over the speeds without contact forces, written out from the laws.
fn residual(problems: u32, most: usize) -> f64 {
    let mut random = SplitMix64(12);
    let mut worst = 0.0_f64;
    for _ in 0..problems {
        let n = 1 + (random.between(0.0, most as f64) as usize).min(most - 1);
        let list = |random: &mut SplitMix64, lo: f64, hi: f64| -> Vec<f64> {
            (0..n).map(|_| random.between(lo, hi)).collect()
        };
        let d: Vec<f64> = list(&mut random, -3.0, 3.0).into_iter().map(|e| 10_f64.powf(e)).collect();
        let z: Vec<f64> = list(&mut random, -9.0, 9.0).iter().zip(&d).map(|(p, d)| p * d).collect();
        // A fifth of the bounds is zero.
        let mut bounds = || list(&mut random, -1.0, 4.0).into_iter().map(|a| a.max(0.0)).collect::<Vec<f64>>();
        let (a_g, a_b) = (bounds(), bounds());
        let d0 = 10_f64.powf(random.between(-3.0, 3.0));
        let z0 = d0 * random.between(-2.0, 2.0) * n as f64;
        let mut y = Answer::new(n);
        Star::new(d0, d.clone()).solve(Load { z0, a_0: 0.0, z: &z, a_g: &a_g, a_b: &a_b }, &mut y);
        let y1 = z0 - d0 * y.f.iter().sum::<f64>();
        let (mut miss, mut scale) = (0.0_f64, z0.abs());
        for i in 0..n {
            let v = z[i] - d[i] * (y.f[i] + y.g[i]);
            for (force, slip, weight, bound) in [(y.f[i], y1 + v, d0 + d[i], a_g[i]), (y.g[i], v, d[i], a_b[i])] {
                let projected = (force + slip / weight).max(-bound).min(bound);
                miss = miss.max(weight * (force - projected).abs());
                scale = scale.max((z0 + z[i]).abs() + weight * force.abs());
            }
        }
        worst = worst.max(miss / scale);
    }
    worst
}
