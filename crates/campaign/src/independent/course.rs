//! Signals of time.

/// A signal that is smooth between breaks.
#[derive(Debug, Clone, PartialEq)]
pub enum Course {
    /// The same at all times.
    Constant(f64),
    /// Straight between points (time, value), held outside; two at one time make a jump.
    Points(Vec<(f64, f64)>),
    /// mean + amplitude sin(ω t + phase).
    Sine(f64, f64, f64, f64),
}

impl Course {
    /// Value and rate at t, on the piece that holds at `inside`.
    pub(super) fn at(&self, t: f64, inside: f64) -> (f64, f64) {
        match self {
            Course::Constant(value) => (*value, 0.0),
            Course::Points(points) => {
                let next = points.iter().position(|p| p.0 > inside);
                match next {
                    Some(0) => (points[0].1, 0.0),
                    None => (points[points.len() - 1].1, 0.0),
                    Some(k) => {
                        let ((t0, v0), (t1, v1)) = (points[k - 1], points[k]);
                        let rate = (v1 - v0) / (t1 - t0);
                        (v0 + rate * (t - t0), rate)
                    }
                }
            }
            Course::Sine(mean, amplitude, omega, phase) => {
                let angle = omega * t + phase;
                (mean + amplitude * angle.sin(), amplitude * omega * angle.cos())
            }
        }
    }

    /// Second derivative at t, on a piece.
    pub(super) fn curvature(&self, t: f64) -> f64 {
        match self {
            Course::Sine(_, amplitude, omega, phase) => -amplitude * omega * omega * (omega * t + phase).sin(),
            _ => 0.0,
        }
    }

    pub(super) fn breaks(&self) -> impl Iterator<Item = f64> + '_ {
        let points: &[(f64, f64)] = if let Course::Points(points) = self { points } else { &[] };
        points.iter().map(|p| p.0)
    }
}
