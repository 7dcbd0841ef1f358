//! Collocation at Radau points: y' = f(t, y) over one step, as a polynomial.
//!
//! The derivative is a polynomial of degree s − 1 that agrees with f at the s points
//!
//! ```text
//! P_{s−1}(x) = P_s(x),   t = t₀ + h (1 + x)/2,   −1 < x₁ < … < x_s = 1
//! ```
//!
//! (P_k are Legendre's polynomials). The end of the step has the order 2s − 1, the polynomial in between s + 1. The
//! beginning of the step is no point: f need not exist there, which is what a slip that leaves zero wants, whose
//! direction s/|s| is not known before it has left. Source: Hairer and Wanner, Solving ODEs II, IV.5.

/// Points of a step. Order 17 at its end, 10 in between.
pub(super) const STAGES: usize = 9;

/// Between two neighbouring points of a step it is looked at so many more.
const BETWEEN: usize = 4;

/// Instants of a step at which it is looked at between its points, its ends left out.
pub(super) const FINE: usize = BETWEEN * STAGES - 1;

/// An instant of a step, as a share of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Between {
    /// The share of the step.
    pub theta: f64,
    /// ℓ_j(θ): the polynomial through values at the points.
    pub values: [f64; STAGES],
    /// ∫₀^θ ℓ_j.
    pub integrals: [f64; STAGES],
}

/// Points, weights and the matrices between values, coefficients and integrals.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// c_j in ]0, 1], the last one exactly 1.
    pub nodes: [f64; STAGES],
    /// a_ij = ∫₀^{c_i} ℓ_j.
    pub integrals: [[f64; STAGES]; STAGES],
    /// Row k: coefficient of P_k from the values at the points.
    pub modes: [[f64; STAGES]; STAGES],
    /// Instants in between (and the points themselves, but for the last), in order.
    pub fine: [Between; FINE],
}

impl Default for Rule {
    fn default() -> Rule {
        Rule::new()
    }
}

impl Rule {
    /// The rule; computed once.
    pub fn new() -> Rule {
        static RULE: std::sync::OnceLock<Rule> = std::sync::OnceLock::new();
        RULE.get_or_init(Rule::compute).clone()
    }

    fn compute() -> Rule {
        let count = STAGES as f64;
        let x = points();
        let weights = x.map(|x| (1.0 + x) / (count * count * legendre(x)[STAGES - 1].powi(2)));
        let mut modes = [[0.0; STAGES]; STAGES];
        for (j, x) in x.iter().enumerate() {
            let p = legendre(*x);
            for (k, row) in modes.iter_mut().enumerate() {
                row[j] = 0.5 * (2 * k + 1) as f64 * weights[j] * p[k];
            }
        }
        let nothing = Between { theta: 0.0, values: [0.0; STAGES], integrals: [0.0; STAGES] };
        let mut rule = Rule { nodes: x.map(|x| 0.5 * (1.0 + x)), integrals: modes, modes, fine: [nothing; FINE] };
        for (i, x) in x.iter().enumerate() {
            rule.integrals[i] = rule.integral(0.5 * (1.0 + x));
        }
        rule.fine = std::array::from_fn(|n| {
            let (interval, part) = ((n + 1) / BETWEEN, (n + 1) % BETWEEN);
            let from = interval.checked_sub(1).map_or(0.0, |j| rule.nodes[j]);
            let theta = from + (rule.nodes[interval] - from) * part as f64 / BETWEEN as f64;
            Between { theta, values: rule.values(theta), integrals: rule.integral(theta) }
        });
        rule
    }

    /// ℓ_j(θ) for all j.
    fn values(&self, theta: f64) -> [f64; STAGES] {
        let p = legendre(2.0 * theta - 1.0);
        std::array::from_fn(|j| self.modes.iter().zip(p).map(|(row, p)| p * row[j]).sum())
    }

    /// How much the last coefficients of the polynomial through values at the points make: what one more point would
    /// still change.
    pub fn tail(&self, values: impl Fn(usize) -> f64) -> f64 {
        let mode = |k: usize| (0..STAGES).map(|j| self.modes[k][j] * values(j)).sum::<f64>().abs();
        mode(STAGES - 1).max(0.1 * mode(STAGES - 2))
    }

    /// ∫₀^θ ℓ_j for all j.
    pub fn integral(&self, theta: f64) -> [f64; STAGES] {
        let x = 2.0 * theta - 1.0;
        let p = legendre(x);
        let mut out = [0.0; STAGES];
        for (k, row) in self.modes.iter().enumerate() {
            // ½ ∫₋₁^x P_k
            let q = if k == 0 { 0.5 * (x + 1.0) } else { 0.5 * (p[k + 1] - p[k - 1]) / (2 * k + 1) as f64 };
            out.iter_mut().zip(row).for_each(|(out, mode)| *out += q * mode);
        }
        out
    }
}

/// P_0 … P_s at x.
fn legendre(x: f64) -> [f64; STAGES + 1] {
    let mut p = [1.0; STAGES + 1];
    p[1] = x;
    for k in 1..STAGES {
        p[k + 1] = ((2 * k + 1) as f64 * x * p[k] - k as f64 * p[k - 1]) / (k + 1) as f64;
    }
    p
}

/// Zeros of P_{s−1} − P_s in increasing order.
fn points() -> [f64; STAGES] {
    let f = |x: f64| {
        let p = legendre(x);
        p[STAGES - 1] - p[STAGES]
    };
    let mut x = [1.0; STAGES];
    let grid = 4096;
    let at = |i: usize| -(std::f64::consts::PI * i as f64 / grid as f64).cos();
    let mut found = 0;
    for i in 0..grid {
        let (mut lo, mut hi) = (at(i), at(i + 1));
        if found + 1 == STAGES || f(lo) * f(hi) > 0.0 {
            continue;
        }
        for _ in 0..80 {
            let middle = 0.5 * (lo + hi);
            if f(lo) * f(middle) <= 0.0 { hi = middle } else { lo = middle }
        }
        x[found] = 0.5 * (lo + hi);
        found += 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrates_polynomials_up_to_twice_the_stages() {
        let rule = Rule::new();
        assert_eq!(rule.nodes[STAGES - 1], 1.0);
        let error = |degree: usize| {
            let weights = &rule.integrals[STAGES - 1];
            let sum: f64 = rule.nodes.iter().zip(weights).map(|(c, w)| w * c.powi(degree as i32)).sum();
            (sum - 1.0 / (degree + 1) as f64).abs()
        };
        for degree in 0..=2 * STAGES - 2 {
            assert!(error(degree) < 1e-15, "degree {degree}: {}", error(degree));
        }
        // One degree more is too much: the order is 2s − 1 and not higher.
        assert!(error(2 * STAGES - 1) > 1e-12);
    }

    #[test]
    fn polynomials_between_the_points() {
        let rule = Rule::new();
        assert!(rule.fine.windows(2).all(|pair| pair[0].theta < pair[1].theta));
        assert!(rule.fine[0].theta > 0.0 && rule.fine[FINE - 1].theta < 1.0);
        for between in &rule.fine {
            let value: f64 = between.values.iter().zip(&rule.nodes).map(|(l, c)| l * c.powi(8)).sum();
            assert!((value - between.theta.powi(8)).abs() < 1e-13);
        }
        assert!(rule.tail(|j| rule.nodes[j].powi(6)) < 1e-14 && rule.tail(|j| (60.0 * rule.nodes[j]).sin()) > 0.01);
    }

    #[test]
    fn integrates_from_the_start_to_any_point() {
        let rule = Rule::new();
        for theta in [0.0, 0.1, 0.37, 0.9, 1.0, 1.2] {
            for degree in 0..STAGES {
                let integral: f64 =
                    rule.integral(theta).iter().zip(&rule.nodes).map(|(a, c)| a * c.powi(degree as i32)).sum();
                let exact = f64::powi(theta, degree as i32 + 1) / (degree + 1) as f64;
                assert!((integral - exact).abs() < 1e-14, "θ = {theta}, degree {degree}");
            }
        }
    }
}
