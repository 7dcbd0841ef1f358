//! Kalker's coefficients of the linear theory of rolling contact.
//!
//! ```text
//! F_x = −G ab C₁₁ ξ,    F_y = −G ab (C₂₂ η + √(ab) C₂₃ φ),    M_z = G (ab)^{3/2} (C₂₃ η − √(ab) C₃₃ φ)
//! ```
//!
//! They depend on a/b and ν. Source: Kalker, *Three-Dimensional Elastic Bodies in Rolling Contact* (1990), table E.3, for
//! 0.1 ≤ a/b ≤ 10 and ν = 0, ¼, ½, three digits.
//!
//! # Between the entries
//! ln C as a cubic spline of ln(a/b), then the parabola through the three ν. Leaving out any one inner entry and
//! interpolating over the gap, twice as wide, misses it by less than 0.7 % (2.3 % for C₃₃ at b/a = 0.2); the error over
//! the gaps that are there is sixteen times smaller, below the table's own rounding of up to 0.5 %.
//!
//! # Beyond the table
//! The asymptotes for slender ellipses ([`asymptote`]), times a factor that takes up the difference at the table's end and
//! tends to 1 in proportion to g = min(a/b, b/a). At the table's ends the asymptotes are off by 5 to 10 %, so this is the
//! order of the error just beyond, falling with g. Value and slope are continuous. For ν other than 0, ¼, ½ the parabola
//! adds up to 10 % to the error of C₂₃ at a/b = 1e-6.

use stickslip_core::range::{OutOfRange, positive};

/// C₁₁, C₂₂, C₂₃ = −C₃₂ and C₃₃.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// Longitudinal force by longitudinal creepage.
    pub c11: f64,
    /// Lateral force by lateral creepage.
    pub c22: f64,
    /// Lateral force by spin, and moment by lateral creepage.
    pub c23: f64,
    /// Moment by spin.
    pub c33: f64,
}

const COUNT: usize = 19;

/// a/b and the coefficients C₁₁, C₂₂, C₂₃, C₃₃, each for ν = 0, ¼, ½.
#[allow(clippy::approx_constant, reason = "3.14 is an entry of the table, not π")]
pub(crate) const TABLE: [(f64, [[f64; 3]; 4]); COUNT] = [
    (0.1, [[2.51, 3.31, 4.85], [2.51, 2.52, 2.53], [0.334, 0.473, 0.731], [6.42, 8.28, 11.7]]),
    (0.2, [[2.59, 3.37, 4.81], [2.59, 2.63, 2.66], [0.483, 0.603, 0.809], [3.46, 4.27, 5.66]]),
    (0.3, [[2.68, 3.44, 4.8], [2.68, 2.75, 2.81], [0.607, 0.715, 0.889], [2.49, 2.96, 3.72]]),
    (0.4, [[2.78, 3.53, 4.82], [2.78, 2.88, 2.98], [0.72, 0.823, 0.977], [2.02, 2.32, 2.77]]),
    (0.5, [[2.88, 3.62, 4.83], [2.88, 3.01, 3.14], [0.827, 0.929, 1.07], [1.74, 1.93, 2.22]]),
    (0.6, [[2.98, 3.72, 4.91], [2.98, 3.14, 3.31], [0.93, 1.03, 1.18], [1.56, 1.68, 1.86]]),
    (0.7, [[3.09, 3.81, 4.97], [3.09, 3.28, 3.48], [1.03, 1.14, 1.29], [1.43, 1.5, 1.6]]),
    (0.8, [[3.19, 3.91, 5.05], [3.19, 3.41, 3.65], [1.13, 1.25, 1.4], [1.34, 1.37, 1.42]]),
    (0.9, [[3.29, 4.01, 5.12], [3.29, 3.54, 3.82], [1.23, 1.36, 1.51], [1.27, 1.27, 1.27]]),
    (1.0, [[3.4, 4.12, 5.2], [3.4, 3.67, 3.98], [1.33, 1.47, 1.63], [1.21, 1.19, 1.16]]),
    (1.0 / 0.9, [[3.51, 4.22, 5.3], [3.51, 3.81, 4.16], [1.44, 1.59, 1.77], [1.16, 1.11, 1.06]]),
    (1.0 / 0.8, [[3.65, 4.36, 5.42], [3.65, 3.99, 4.39], [1.58, 1.75, 1.94], [1.1, 1.04, 0.954]]),
    (1.0 / 0.7, [[3.82, 4.54, 5.58], [3.82, 4.21, 4.67], [1.76, 1.95, 2.18], [1.05, 0.965, 0.852]]),
    (1.0 / 0.6, [[4.06, 4.78, 5.8], [4.06, 4.5, 5.04], [2.01, 2.23, 2.5], [1.01, 0.892, 0.751]]),
    (1.0 / 0.5, [[4.37, 5.1, 6.11], [4.37, 4.9, 5.56], [2.35, 2.62, 2.96], [0.958, 0.819, 0.65]]),
    (1.0 / 0.4, [[4.84, 5.57, 6.57], [4.84, 5.48, 6.31], [2.88, 3.24, 3.7], [0.912, 0.747, 0.549]]),
    (1.0 / 0.3, [[5.57, 6.34, 7.34], [5.57, 6.4, 7.51], [3.79, 4.32, 5.01], [0.868, 0.674, 0.446]]),
    (1.0 / 0.2, [[6.96, 7.78, 8.82], [6.96, 8.14, 9.79], [5.72, 6.63, 7.89], [0.828, 0.601, 0.341]]),
    (1.0 / 0.1, [[10.7, 11.7, 12.9], [10.7, 12.8, 16.0], [12.2, 14.6, 18.0], [0.795, 0.526, 0.228]]),
];

const POISSON: [f64; 3] = [0.0, 0.25, 0.5];

impl Coefficients {
    /// The coefficients of an ellipse with the half-axes a (rolling direction) and b, for Poisson's ratio 0 ≤ ν ≤ ½.
    pub fn new(a: f64, b: f64, poisson: f64) -> Result<Coefficients, OutOfRange> {
        let ratio = positive("a/b", positive("half-axis a", a, "m")? / positive("half-axis b", b, "m")?, "")?;
        if !(0.0..=0.5).contains(&poisson) {
            let wanted = "between 0 and 0.5";
            return Err(OutOfRange { what: "Poisson's ratio", value: poisson, unit: "", wanted });
        }
        let weights = parabola(poisson);
        let mut c = [0.0; 4];
        for (kind, c) in c.iter_mut().enumerate() {
            *c = (0..3).map(|k| weights[k] * at(kind, k, ratio.ln())).sum();
        }
        let [c11, c22, c23, c33] = c;
        Ok(Coefficients { c11, c22, c23, c33 })
    }
}

/// Weights of the values at ν = 0, ¼, ½.
fn parabola(nu: f64) -> [f64; 3] {
    [8.0 * (nu - 0.25) * (nu - 0.5), 16.0 * nu * (0.5 - nu), 8.0 * nu * (nu - 0.25)]
}

/// Coefficient number `kind` (C₁₁, C₂₂, C₂₃, C₃₃) for a/b → 0 (`slender` = −1) or b/a → 0 (+1), with g the small ratio.
///
/// ```text
/// a/b = g:  π²/(4(1−ν)),  π²/4,  π√g/(3(1−ν)) (1 + ν(½Λ + ln 4 − 5)),  π²/(16(1−ν)g)
/// b/a = g, D = (1−ν)Λ + 2ν, D' = (1−ν)Λ − 2 + 4ν, Λ = ln(16/g²):
///   2π/(g(Λ−2ν)) (1 + (3−ln 4)/(Λ−2ν)),  2π/(gD) (1 + (1−ν)(3−ln 4)/D),  2π/(3g√g D'),  π/4 (1 − ν(Λ−2)/D')
/// ```
pub fn asymptote(kind: usize, slender: i8, g: f64, nu: f64) -> f64 {
    let pi = std::f64::consts::PI;
    if slender < 0 {
        return match kind {
            0 => pi * pi / (4.0 * (1.0 - nu)),
            1 => pi * pi / 4.0,
            2 => pi * g.sqrt() / (3.0 * (1.0 - nu)) * (1.0 + nu * ((4.0 / g).ln() + 4.0_f64.ln() - 5.0)),
            _ => pi * pi / (16.0 * (1.0 - nu) * g),
        };
    }
    let log = (16.0 / (g * g)).ln();
    let three = 3.0 - 4.0_f64.ln();
    let (d, e) = ((1.0 - nu) * log + 2.0 * nu, (1.0 - nu) * log - 2.0 + 4.0 * nu);
    match kind {
        0 => 2.0 * pi / (g * (log - 2.0 * nu)) * (1.0 + three / (log - 2.0 * nu)),
        1 => 2.0 * pi / (g * d) * (1.0 + (1.0 - nu) * three / d),
        2 => 2.0 * pi / (3.0 * g * g.sqrt() * e),
        _ => pi / 4.0 * (1.0 - nu * (log - 2.0) / e),
    }
}

/// One coefficient for the k-th ν at ln(a/b).
fn at(kind: usize, k: usize, log: f64) -> f64 {
    let knots = TABLE.map(|row| row.0.ln());
    let values = TABLE.map(|row| row.1[kind][k].ln());
    let end = if log < 0.0 { 0 } else { COUNT - 1 };
    if log.abs() >= knots[end].abs() {
        return beyond(kind, k, values[end], log).exp();
    }
    // Slopes of the continuations at the table's ends, by central differences of smooth functions.
    let slope = |end: usize| {
        let d = 1e-5;
        let outward = |x: f64| beyond(kind, k, values[end], x);
        (outward(knots[end] + d) - outward(knots[end] - d)) / (2.0 * d)
    };
    spline(&knots, &values, [slope(0), slope(COUNT - 1)], log).exp()
}

/// ln C beyond the end of the table at which it is `value`.
fn beyond(kind: usize, k: usize, value: f64, log: f64) -> f64 {
    let (slender, g) = (if log < 0.0 { -1 } else { 1 }, (-log.abs()).exp());
    let asymptote = |g| asymptote(kind, slender, g, POISSON[k]).ln();
    asymptote(g) + (value - asymptote(0.1)) * g / 0.1
}

/// The cubic spline through N points with given slopes at both ends, at x (within the knots).
pub(crate) fn spline<const N: usize>(knots: &[f64; N], values: &[f64; N], ends: [f64; 2], x: f64) -> f64 {
    // Slopes m at the knots: m₋/h₋ + 2m(1/h₋ + 1/h₊) + m₊/h₊ = 3(d₋/h₋ + d₊/h₊), by elimination.
    let h = |i: usize| knots[i + 1] - knots[i];
    let d = |i: usize| (values[i + 1] - values[i]) / h(i);
    let (mut upper, mut m) = ([0.0; N], [0.0; N]);
    m[0] = ends[0];
    for i in 1..N - 1 {
        let (left, right) = (1.0 / h(i - 1), 1.0 / h(i));
        let pivot = 2.0 * (left + right) - left * upper[i - 1];
        upper[i] = right / pivot;
        m[i] = (3.0 * (d(i - 1) * left + d(i) * right) - left * m[i - 1]) / pivot;
    }
    m[N - 1] = ends[1];
    for i in (1..N - 1).rev() {
        m[i] -= upper[i] * m[i + 1];
    }
    let i = knots[1..N - 1].partition_point(|k| *k <= x);
    let (h, t) = (h(i), (x - knots[i]) / h(i));
    let u = 1.0 - t;
    u * u * (1.0 + 2.0 * t) * values[i]
        + t * t * (1.0 + 2.0 * u) * values[i + 1]
        + h * t * u * (u * m[i] - t * m[i + 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_kalkers() {
        let text = include_str!("../../../reference/rolling/kalker-coefficients.csv");
        let mut seen = 0;
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let g: f64 = fields[1].parse().expect("a number");
            let ratio = if fields[0] == "a/b" { g } else { 1.0 / g };
            for (k, nu) in POISSON.into_iter().enumerate() {
                let c = Coefficients::new(ratio, 1.0, nu).expect("valid");
                for (kind, c) in [c.c11, c.c22, c.c23, c.c33].into_iter().enumerate() {
                    let printed: f64 = fields[2 + 3 * kind + k].parse().expect("a number");
                    assert!((c - printed).abs() <= 1e-12 * printed, "{line}: {c} {printed}");
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 240);
    }

    /// Leaves out each inner entry in turn and interpolates over the gap.
    #[test]
    fn a_missing_entry_is_found_again() {
        let mut worst = 0.0_f64;
        for kind in 0..4 {
            for k in 0..3 {
                for (out, missing) in TABLE.iter().enumerate().take(COUNT - 1).skip(1) {
                    let kept = |i: usize| if i < out { i } else { i + 1 };
                    let knots: [f64; COUNT - 1] = std::array::from_fn(|i| TABLE[kept(i)].0.ln());
                    let values: [f64; COUNT - 1] = std::array::from_fn(|i| TABLE[kept(i)].1[kind][k].ln());
                    let slope = |i: usize, d: f64| {
                        let f = |x| beyond(kind, k, TABLE[i].1[kind][k].ln(), x);
                        let x = TABLE[i].0.ln();
                        (f(x + d) - f(x - d)) / (2.0 * d)
                    };
                    let ends = [slope(0, 1e-5), slope(COUNT - 1, 1e-5)];
                    let found = spline(&knots, &values, ends, missing.0.ln()).exp();
                    let printed = missing.1[kind][k];
                    let error = (found / printed - 1.0).abs();
                    worst = worst.max(error);
                    let bound = if kind == 3 && out == COUNT - 2 { 0.023 } else { 0.007 };
                    assert!(error < bound, "C{kind} nu{k} at {}: {found} {printed}", missing.0);
                }
            }
        }
        assert!(worst > 1e-5, "a test that cannot fail: {worst}");
    }

    #[test]
    fn slender_ellipses_tend_to_their_asymptotes() {
        for (slender, ratio) in [(-1_i8, 1e-6), (1, 1e6)] {
            for nu in [0.0, 0.1, 0.25, 0.3, 0.5] {
                let c = Coefficients::new(ratio, 1.0, nu).expect("valid");
                for (kind, c) in [c.c11, c.c22, c.c23, c.c33].into_iter().enumerate() {
                    // The factor is 1 to 1e-5 here; between the three tabulated ν there is a parabola.
                    let wanted = asymptote(kind, slender, 1e-6, nu);
                    let bound = if POISSON.contains(&nu) { 1e-5 } else { 0.1 };
                    assert!((c / wanted - 1.0).abs() < bound, "C{kind} nu {nu}: {c} {wanted}");
                }
            }
        }
    }

    #[test]
    fn value_and_slope_are_continuous_at_the_ends_and_at_the_circle() {
        for end in [0.1_f64, 10.0, 1.0, 0.5] {
            for nu in [0.0, 0.3, 0.5] {
                let at = |d: f64| Coefficients::new(end * d.exp(), 1.0, nu).expect("valid").c33.ln();
                let d = 1e-4;
                let (before, after) = ((at(0.0) - at(-d)) / d, (at(d) - at(0.0)) / d);
                // The second derivative of ln C is of the order 1, so slopes a step apart differ by about d.
                assert!((before - after).abs() < 20.0 * d, "{end} {nu}: {before} {after}");
            }
        }
    }

    #[test]
    fn bad_input_is_an_error() {
        for (a, b, nu) in [(0.0, 1.0, 0.3), (1.0, -1.0, 0.3), (1.0, 1.0, 0.6), (f64::NAN, 1.0, 0.3), (1.0, 1.0, -0.1)] {
            assert!(Coefficients::new(a, b, nu).is_err());
        }
    }
}
