//! Small motions about a steady state: x' = A x, their roots λ, and where one of them begins to grow.
//!
//! A model hands out A about a sliding or rolling state ([`Linearised`]). A root λ = σ ± iω stands for motions
//! e^{σt} cos ωt; the state is unstable if a σ is greater than zero by more than rounding can have moved it:
//! u = 16 ε ‖A‖ κ, with ‖A‖ of the balanced matrix and κ the condition of the root. What is closer to zero than u is
//! *neutral*: it neither grows nor decays as far as can be told (bodies that nothing holds, oscillators without damping).

use std::f64::consts::TAU;

use stickslip_linalg::{Complex, Matrix, NoConvergence, eigen, eigenvalues};

/// Sizes and phases of shapes that are drawn are equal to this.
const SHAPE: f64 = 1e-9;

/// A system about a steady state: x' = A x for small deviations x.
#[derive(Debug, Clone, PartialEq)]
pub struct Linearised {
    /// What the states are, in order, with units in brackets: `x_block [m]`.
    pub names: Vec<String>,
    /// How many of them, the first ones, make the shape of a mode; the others are their rates and forces.
    pub positions: usize,
    /// A.
    pub matrix: Matrix,
    /// Which steady state this is about, in words.
    pub state: String,
}

/// Why there are no roots.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum StabilityError {
    /// A is not a square matrix of numbers, or the iteration did not end.
    #[error("the eigenvalues of the linearised system could not be found: is a coefficient not finite?")]
    NoConvergence,
    /// An eigenvector is none.
    #[error(
        "the eigenvector of {real} ± {frequency}i 1/s misses its equation by {residual:e} of the size of the matrix: the \
         coefficients are too different in size"
    )]
    Residual {
        /// σ [1/s].
        real: f64,
        /// ω [1/s].
        frequency: f64,
        /// |A x − λ x| over the norm of A.
        residual: f64,
    },
}

impl From<NoConvergence> for StabilityError {
    fn from(_: NoConvergence) -> StabilityError {
        StabilityError::NoConvergence
    }
}

/// What a root does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tendency {
    /// It grows.
    Unstable,
    /// Neither, as far as rounding lets us tell.
    Neutral,
    /// It decays.
    Stable,
}

impl Tendency {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Tendency::Unstable => "unstable",
            Tendency::Neutral => "neutral",
            Tendency::Stable => "stable",
        }
    }
}

/// A real root, or a pair of conjugate ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Root {
    /// σ [1/s]: positive grows.
    pub real: f64,
    /// ω ≥ 0 [1/s]; 0 for real roots.
    pub frequency: f64,
    /// By how much rounding may have moved it [1/s].
    pub uncertainty: f64,
}

impl Root {
    /// ω/2π \[Hz\].
    pub fn hertz(&self) -> f64 {
        self.frequency / TAU
    }

    /// −σ/|λ|: the damping ratio ζ; 0 for λ = 0.
    pub fn damping(&self) -> f64 {
        let size = self.real.hypot(self.frequency);
        if size == 0.0 { 0.0 } else { 0.0 - self.real / size }
    }

    /// Whether it grows.
    pub fn tendency(&self) -> Tendency {
        match self.real {
            real if real > self.uncertainty => Tendency::Unstable,
            real if real < -self.uncertainty => Tendency::Stable,
            _ => Tendency::Neutral,
        }
    }

    /// Whether it is zero, as far as can be told: something that nothing holds.
    pub fn is_zero(&self) -> bool {
        self.real.hypot(self.frequency) <= self.uncertainty
    }
}

/// A root and how the system moves in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// The root.
    pub root: Root,
    /// Its eigenvector: x = Re(shape e^{λt}), of length 1.
    pub shape: Vec<Complex>,
    /// |A x − λ x| over the norm of A.
    pub residual: f64,
    /// How many times more the root moves than the matrix, at the most; large where two modes nearly coincide.
    pub condition: f64,
}

/// Eigenvectors that miss their equation by more are none.
const WORST_RESIDUAL: f64 = 1e-10;

/// Rounding of an eigenvalue in units of ε ‖A‖ κ: a backward stable iteration on a few dozen states stays below.
const ROUNDING: f64 = 16.0;

/// Real parts below this share of the norm are looked at with their condition before they are judged. Those above are
/// decided up to conditions of 1e-6/(16 ε) = 3e8, beyond which two modes are one.
const CLOSE: f64 = 1e-6;

/// From this condition on a mode nearly coincides with another: its shape means little, and its root moves with the square root
/// of a change.
pub const NEARLY_DEFECTIVE: f64 = 1e6;

/// From this condition on eigenvectors are equal to rounding. (Three that nearly coincide reach ε^(−2/3) = 3e10.)
const COINCIDE: f64 = 1e12;

fn uncertainty(norm: f64, condition: f64) -> f64 {
    ROUNDING * f64::EPSILON * norm * condition
}

/// Those that grow fastest first; of equal ones the slower oscillation.
fn in_order(a: &Root, b: &Root) -> std::cmp::Ordering {
    b.real.total_cmp(&a.real).then(a.frequency.total_cmp(&b.frequency))
}

impl Linearised {
    /// Roots, the fastest growing first: eigenvalues alone, and conditions only where real parts are close to zero.
    pub fn roots(&self) -> Result<Vec<Root>, StabilityError> {
        let found = eigenvalues(&self.matrix)?;
        if found.values.iter().any(|v| v.re.abs() <= CLOSE * found.norm) {
            return Ok(self.modes()?.into_iter().map(|mode| mode.root).collect());
        }
        let root = |v: &Complex| Root { real: v.re, frequency: v.im, uncertainty: uncertainty(found.norm, 1.0) };
        let mut roots: Vec<Root> = found.values.iter().filter(|v| v.im >= 0.0).map(root).collect();
        roots.sort_by(in_order);
        Ok(roots)
    }

    /// Modes, the fastest growing first.
    pub fn modes(&self) -> Result<Vec<Mode>, StabilityError> {
        let found = eigen(&self.matrix)?;
        let mut modes = Vec::new();
        for (i, value) in found.values.iter().enumerate().filter(|(_, value)| value.im >= 0.0) {
            let condition = found.conditions[i];
            // Two that coincide exactly are one double root, which rounding moves by the square root of ε.
            let known = if condition < COINCIDE { condition } else { 1.0 / f64::EPSILON.sqrt() };
            let root = Root { real: value.re, frequency: value.im, uncertainty: uncertainty(found.norm, known) };
            let residual = found.residuals[i];
            if residual > WORST_RESIDUAL {
                return Err(StabilityError::Residual { real: root.real, frequency: root.frequency, residual });
            }
            modes.push(Mode { root, shape: found.vectors[i].clone(), residual, condition });
        }
        modes.sort_by(|a, b| in_order(&a.root, &b.root));
        Ok(modes)
    }
}

impl Mode {
    /// The shape with its greatest component (among the first `positions`) at 1: size and phase \[rad\] of each.
    pub fn drawn(&self, positions: usize) -> Vec<[f64; 2]> {
        let shown = &self.shape[..positions.min(self.shape.len())];
        // Of equal ones the first, so that the picture does not depend on rounding.
        let greatest =
            shown.iter().fold(Complex::new(0.0, 0.0), |m, x| if x.norm() > m.norm() * (1.0 + SHAPE) { *x } else { m });
        if greatest.norm() == 0.0 {
            return vec![[0.0, 0.0]; shown.len()];
        }
        let polar = |x: &Complex| {
            let x = x / greatest;
            // Rounding of a phase of π must not decide between +180° and −180°.
            let phase = x.arg();
            [x.norm(), if phase < -std::f64::consts::PI + SHAPE { -phase } else { phase + 0.0 }]
        };
        shown.iter().map(polar).collect()
    }
}

/// How many roots grow. Pairs count once.
pub fn unstable(roots: &[Root]) -> usize {
    roots.iter().filter(|root| root.tendency() == Tendency::Unstable).count()
}

/// The root that grows fastest (or decays slowest); roots that are zero are passed over where asked for. `roots` are in
/// the order of [`Linearised::roots`].
pub fn leading(roots: &[Root], zeros: bool) -> Option<Root> {
    roots.iter().find(|root| !(zeros && root.is_zero())).copied()
}

/// Where a state becomes unstable, or stable again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Border {
    /// The value of the parameter.
    pub value: f64,
    /// By how much rounding may have moved it; none where the root does not cross zero but leaves it (no damping).
    pub uncertainty: Option<f64>,
    /// The root there.
    pub root: Root,
    /// Whether it is unstable above the value, and not below.
    pub unstable_above: bool,
}

/// Halvings at the most: a bracket has 2^52 numbers if its ends are of one size, and more only about zero.
const HALVINGS: usize = 120;

/// After so many halvings the slope is that of the border, and still far from rounding.
const SLOPE_AT: usize = 10;

/// The border between two parameters, of which one gives an unstable system and the other does not, by bisection: of the
/// leading root's real part where it is positive at one end and negative at the other, and else (neutral at one end) of
/// whether the system is unstable. `lead` gives the leading root at a parameter.
pub fn border<E>(
    (mut lo, mut at_lo): (f64, Root),
    (mut hi, mut at_hi): (f64, Root),
    mut lead: impl FnMut(f64) -> Result<Root, E>,
) -> Result<Border, E> {
    let crosses = at_lo.tendency() != Tendency::Neutral && at_hi.tendency() != Tendency::Neutral;
    let grows = |root: &Root| if crosses { root.real > 0.0 } else { root.tendency() == Tendency::Unstable };
    let unstable_above = grows(&at_hi);
    let mut slope = (at_hi.real - at_lo.real) / (hi - lo);
    for halving in 0..HALVINGS {
        let middle = 0.5 * lo + 0.5 * hi;
        if middle <= lo || middle >= hi {
            break;
        }
        if halving == SLOPE_AT {
            slope = (at_hi.real - at_lo.real) / (hi - lo);
        }
        let root = lead(middle)?;
        if grows(&root) == unstable_above {
            (hi, at_hi) = (middle, root);
        } else {
            (lo, at_lo) = (middle, root);
        }
    }
    let root = if at_lo.real.abs() <= at_hi.real.abs() { at_lo } else { at_hi };
    let value = if at_lo.real.abs() <= at_hi.real.abs() { lo } else { hi };
    let uncertainty = (crosses && slope != 0.0).then(|| (root.uncertainty / slope).abs() + (hi - lo));
    Ok(Border { value, uncertainty, root, unstable_above })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[f64]]) -> Linearised {
        let names = (0..rows.len()).map(|i| format!("x{i}")).collect();
        Linearised { names, positions: rows.len() / 2, matrix: Matrix::from_rows(rows), state: String::new() }
    }

    /// m = 1: λ² + cλ + k.
    fn oscillator(c: f64, k: f64) -> Linearised {
        of(&[&[0.0, 1.0], &[-k, -c]])
    }

    #[test]
    fn pairs_are_given_once_and_judged() {
        let roots = oscillator(-0.2, 4.0).roots().expect("numbers");
        assert_eq!(roots.len(), 1);
        let root = roots[0];
        assert!((root.real - 0.1).abs() < 1e-14 && (root.frequency - 3.99_f64.sqrt()).abs() < 1e-14);
        assert!((root.damping() + 0.05).abs() < 1e-14);
        assert_eq!((root.tendency(), unstable(&roots)), (Tendency::Unstable, 1));
        // Overdamped: two real roots, both stable.
        let roots = oscillator(5.0, 4.0).roots().expect("numbers");
        assert_eq!(roots.iter().map(|r| r.frequency).collect::<Vec<_>>(), [0.0, 0.0]);
        assert!((roots[0].real + 1.0).abs() < 1e-14 && (roots[1].real + 4.0).abs() < 1e-14);
    }

    #[test]
    fn what_nothing_damps_or_holds_is_neutral() {
        let roots = oscillator(0.0, 4.0).roots().expect("numbers");
        assert_eq!(roots.iter().map(Root::tendency).collect::<Vec<_>>(), [Tendency::Neutral]);
        assert!(!roots[0].is_zero());
        // Two masses on a spring, free in space: a double zero, which rounding makes ± 1e-8.
        let free =
            of(&[&[0.0, 0.0, 1.0, 0.0], &[0.0, 0.0, 0.0, 1.0], &[-3.0, 3.0, -0.3, 0.3], &[1.7, -1.7, 0.17, -0.17]]);
        let roots = free.roots().expect("numbers");
        assert_eq!(unstable(&roots), 0, "{roots:?}");
        let lead = leading(&roots, true).expect("an oscillation");
        assert!((lead.real + 0.235).abs() < 1e-12, "{roots:?}");
    }

    #[test]
    fn borders_to_the_last_digit() {
        let at = |c: f64| {
            let roots = oscillator(c - 0.3, 4.0).roots()?;
            Ok::<_, StabilityError>(leading(&roots, false).expect("roots"))
        };
        let ends = [0.1, 1.0].map(|c| (c, at(c).expect("numbers")));
        let found = border(ends[0], ends[1], at).expect("numbers");
        assert!((found.value - 0.3).abs() < 1e-14 && !found.unstable_above, "{found:?}");
        assert!(found.uncertainty.is_some_and(|u| u > 0.0 && u < 1e-13), "{found:?}");
        assert!((found.root.frequency - 2.0).abs() < 1e-12);
    }

    #[test]
    fn undamped_flutter_leaves_zero_as_a_square_root() {
        // K = [[2, 1 − p], [1, 1]]: (k11 − k22)² + 4 k12 k21 = 1 + 4 (1 − p) = 0 at p = 1.25.
        let at = |p: f64| {
            let k = [[2.0, 1.0 - p], [1.0, 1.0]];
            let system = of(&[
                &[0.0, 0.0, 1.0, 0.0],
                &[0.0, 0.0, 0.0, 1.0],
                &[-k[0][0], -k[0][1], 0.0, 0.0],
                &[-k[1][0], -k[1][1], 0.0, 0.0],
            ]);
            Ok::<_, StabilityError>(leading(&system.roots()?, false).expect("roots"))
        };
        let ends = [1.0, 2.0].map(|p| (p, at(p).expect("numbers")));
        let found = border(ends[0], ends[1], at).expect("numbers");
        assert!((found.value - 1.25).abs() < 1e-12 && found.unstable_above, "{found:?}");
        assert_eq!(found.uncertainty, None);
    }

    #[test]
    fn shapes_have_their_greatest_component_at_one() {
        let modes = oscillator(0.1, 4.0).modes().expect("numbers");
        assert_eq!(modes[0].drawn(1), [[1.0, 0.0]]);
        let both = modes[0].drawn(2);
        // The velocity is λ times the position: |λ| = 2, and ahead by a little more than a quarter.
        assert!((both[0][0] - 0.5).abs() < 1e-12 && both[1] == [1.0, 0.0], "{both:?}");
        assert!(modes[0].residual < 1e-14 && modes[0].condition < 1.1);
    }

    #[test]
    fn entries_that_are_no_numbers_are_an_error() {
        assert_eq!(oscillator(f64::NAN, 1.0).roots(), Err(StabilityError::NoConvergence));
    }
}
