//! Signals of time: what drives a model from outside.
//!
//! A scheme does not call a signal at every step. It asks once for the [`Piece`] that holds at an
//! instant, an affine function with the time until which it is valid, and evaluates that in its inner
//! loop. Smooth signals (sines, expressions) answer with a piece of zero length.

mod expression;
mod points;
mod unseen;

pub use expression::{Expression, ExpressionError, Formula};
pub use points::{Points, PointsError};
pub use unseen::Unseen;

/// A real function of time. All values are in SI units.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub enum Signal {
    /// The same value at all times.
    Constant(f64),
    /// Straight lines between given points, held constant before the first and after the last.
    Points(Points),
    /// `offset + amplitude · sin(omega·t + phase)`.
    Sine(Sine),
    /// A formula in `t`.
    Expression(Box<Expression>),
}

/// `offset + amplitude · sin(omega·t + phase)`.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sine {
    /// Mean value.
    pub offset: f64,
    /// Half of the distance between greatest and least value.
    pub amplitude: f64,
    /// Angular frequency [rad/s].
    pub omega: f64,
    /// Angle at t = 0 \[rad\].
    pub phase: f64,
}

/// The affine function `value + slope·(t − start)`, valid for `start ≤ t < until`.
///
/// A signal that is not affine anywhere answers with `slope = 0` and `until = start`: the value holds at
/// that instant only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Piece {
    /// The instant asked for.
    pub start: f64,
    /// Value at `start`.
    pub value: f64,
    /// Slope [value/s].
    pub slope: f64,
    /// First instant at which the piece no longer holds (infinite for the last one).
    pub until: f64,
}

/// A jump of a signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jump {
    /// When it jumps \[s\].
    pub at: f64,
    /// The value before; [`Signal::at`] has the one after.
    pub before: f64,
}

impl Piece {
    /// Value of the piece at `t`.
    #[inline]
    pub fn at(&self, t: f64) -> f64 {
        self.value + self.slope * (t - self.start)
    }
}

impl Signal {
    /// The signal that is zero at all times.
    pub const ZERO: Signal = Signal::Constant(0.0);

    /// Zero until t0, straight up to `max` at t1, held to t2, straight down to zero at t3.
    pub fn trapezoid(times: [f64; 4], max: f64) -> Result<Signal, PointsError> {
        Points::new(times.to_vec(), vec![0.0, max, max, 0.0]).map(Signal::Points)
    }

    /// Value at `t`. At a jump: the value after it.
    pub fn at(&self, t: f64) -> f64 {
        self.piece(t).value
    }

    /// The affine piece that holds at `t`.
    pub fn piece(&self, t: f64) -> Piece {
        let instant = |value| Piece { start: t, value, slope: 0.0, until: t };
        match self {
            Signal::Constant(value) => Piece { until: f64::INFINITY, ..instant(*value) },
            Signal::Points(points) => points.piece(t),
            Signal::Sine(s) => instant(s.offset + s.amplitude * (s.omega * t + s.phase).sin()),
            Signal::Expression(e) => instant(e.at(t)),
        }
    }

    /// Its first derivative at `t`, where it is known; `None` for expressions. At a break: that after it.
    pub fn rate(&self, t: f64) -> Option<f64> {
        match self {
            Signal::Constant(_) => Some(0.0),
            Signal::Points(points) => Some(points.piece(t).slope),
            Signal::Sine(s) => Some(s.amplitude * s.omega * (s.omega * t + s.phase).cos()),
            Signal::Expression(_) => None,
        }
    }

    /// Its second derivative at `t`, likewise.
    pub fn curvature(&self, t: f64) -> Option<f64> {
        match self {
            Signal::Constant(_) | Signal::Points(_) => Some(0.0),
            Signal::Sine(s) => Some(-s.amplitude * s.omega * s.omega * (s.omega * t + s.phase).sin()),
            Signal::Expression(_) => None,
        }
    }

    /// The first instant from one on and until another at which it is positive, or from which on it rises from zero. A
    /// signal that is not straight is looked at often in between, and the instant found by halving.
    pub fn first_positive(&self, from: f64, to: f64) -> Option<f64> {
        if !self.is_straight() {
            return self.first_seen(from, to, |value| value > 0.0);
        }
        let mut t = from;
        while t <= to {
            let piece = self.piece(t);
            let rises = if piece.slope > 0.0 { t - piece.value / piece.slope } else { f64::INFINITY };
            if piece.value > 0.0 {
                return Some(t);
            }
            if rises < piece.until {
                return Some(rises.max(t)).filter(|t| *t <= to);
            }
            t = piece.until;
        }
        None
    }

    /// The first instant from one on and until another at which it is not positive. Looked for like [`Signal::first_positive`].
    pub fn first_zero(&self, from: f64, to: f64) -> Option<f64> {
        if !self.is_straight() {
            return self.first_seen(from, to, |value| value <= 0.0);
        }
        let mut t = from;
        while t <= to {
            let piece = self.piece(t);
            if piece.value <= 0.0 {
                return Some(t);
            }
            let falls = if piece.slope < 0.0 { t - piece.value / piece.slope } else { f64::INFINITY };
            if falls < piece.until {
                return Some(falls.max(t)).filter(|t| *t <= to);
            }
            t = piece.until;
        }
        None
    }

    /// The first instant at which its value is as wanted: looked at often, and found by halving.
    fn first_seen(&self, from: f64, to: f64, wanted: impl Fn(f64) -> bool) -> Option<f64> {
        const LOOKS: u32 = 4096;
        const HALVINGS: u32 = 60;
        let at = |k: u32| from + (to - from) * f64::from(k) / f64::from(LOOKS);
        let first = (0..=LOOKS).find(|k| wanted(self.at(at(*k))))?;
        let (mut not, mut found) = (at(first.saturating_sub(1)), at(first));
        for _ in 0..HALVINGS {
            let middle = 0.5 * (not + found);
            if wanted(self.at(middle)) {
                found = middle;
            } else {
                not = middle;
            }
        }
        Some(if first == 0 { from } else { found })
    }

    /// Whether its value jumps somewhere.
    pub fn jumps(&self) -> bool {
        matches!(self, Signal::Points(points) if points.jumps())
    }

    /// The jump at `t`, or no further from it than this.
    pub fn jump_near(&self, t: f64, distance: f64) -> Option<Jump> {
        match self {
            Signal::Points(points) => points.jump_near(t, distance),
            _ => None,
        }
    }

    /// The first instant after `t` at which it has a corner or a jump, as far as they are known, or that no step should
    /// cross lest it miss something; infinite where there is none.
    pub fn next_break(&self, t: f64) -> f64 {
        match self {
            Signal::Expression(e) => e.next_break(t),
            other => Some(other.piece(t).until).filter(|until| *until > t).unwrap_or(f64::INFINITY),
        }
    }

    /// Its breaks after one instant and until another.
    pub fn breaks_within(&self, from: f64, to: f64) -> impl Iterator<Item = f64> + '_ {
        std::iter::successors(Some(self.next_break(from)), |t| Some(self.next_break(*t))).take_while(move |t| *t <= to)
    }

    /// Until when all that steps must not cross is known \[s\]: infinite but for formulas, which are looked through by
    /// [`Expression::explore`].
    pub fn known_until(&self) -> f64 {
        match self {
            Signal::Expression(e) => e.explored(),
            _ => f64::INFINITY,
        }
    }

    /// Whether it consists of straight pieces.
    pub fn is_straight(&self) -> bool {
        matches!(self, Signal::Constant(_) | Signal::Points(_))
    }

    /// Least and greatest value over all times and the instants at which they are taken, where they can
    /// be told ahead; `None` for expressions. For a sine: the bounds it cannot leave.
    pub fn extremes(&self) -> Option<Extremes> {
        match self {
            Signal::Constant(v) => Some(Extremes { least: (0.0, *v), greatest: (0.0, *v) }),
            Signal::Points(p) => Some(p.extremes()),
            Signal::Sine(s) => {
                let quarter = |angle: f64| {
                    let turn = std::f64::consts::TAU;
                    if s.omega == 0.0 { 0.0 } else { (angle - s.phase).rem_euclid(turn) / s.omega.abs() }
                };
                let up = if s.amplitude * s.omega.signum() >= 0.0 { 0.25 } else { 0.75 };
                let at = |turns: f64| quarter(turns * std::f64::consts::TAU);
                Some(Extremes {
                    least: (at(1.0 - up), s.offset - s.amplitude.abs()),
                    greatest: (at(up), s.offset + s.amplitude.abs()),
                })
            }
            Signal::Expression(_) => None,
        }
    }

    /// The same signal with every value multiplied by `factor`.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Signal {
        match self {
            Signal::Constant(v) => Signal::Constant(v * factor),
            Signal::Points(p) => Signal::Points(p.scaled(factor)),
            Signal::Sine(s) => Signal::Sine(Sine { offset: s.offset * factor, amplitude: s.amplitude * factor, ..*s }),
            Signal::Expression(e) => Signal::Expression(Box::new(e.scaled(factor))),
        }
    }
}

/// Least and greatest value of a signal, each as (time, value).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extremes {
    /// Where the signal is least.
    pub least: (f64, f64),
    /// Where the signal is greatest.
    pub greatest: (f64, f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_positive_instant() {
        let ramp = Signal::trapezoid([0.5, 0.7, 2.0, 2.4], 3.0).expect("valid");
        assert_eq!(ramp.first_positive(0.0, 6.0), Some(0.5));
        assert_eq!(ramp.first_positive(1.0, 6.0), Some(1.0));
        assert_eq!(ramp.first_positive(3.0, 6.0), None);
        assert_eq!(ramp.first_positive(0.0, 0.4), None);
        assert_eq!(Signal::ZERO.first_positive(0.0, 1.0), None);
        assert_eq!(ramp.first_zero(0.0, 6.0), Some(0.0));
        assert!((ramp.first_zero(1.0, 6.0).expect("it ends") - 2.4).abs() < 1e-12);
        assert_eq!(ramp.first_zero(1.0, 1.5), None);
        assert_eq!(Signal::Constant(2.0).first_positive(0.3, 1.0), Some(0.3));
        let sine = Signal::Sine(Sine { offset: -0.5, amplitude: 1.0, omega: 1.0, phase: 0.0 });
        let found = sine.first_positive(0.0, 6.0).expect("valid");
        assert!((found - std::f64::consts::FRAC_PI_6).abs() < 1e-12, "{found}");
    }
}
