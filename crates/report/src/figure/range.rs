//! The part of a number line that an axis shows, and where a value lies on it.

use super::Scale;

/// Beyond this differences overflow; nothing real is as large.
const HUGE: f64 = 1e300;

/// An interval of positive length, both ends positive on a logarithmic scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) lo: f64,
    pub(crate) hi: f64,
}

impl Range {
    /// The range of the values an axis of this scale can show; values that it cannot are skipped.
    /// Without any the range is [0, 1], or [1, 10]; a single value is widened.
    pub(crate) fn of(values: impl Iterator<Item = f64>, scale: Scale) -> Self {
        let (mut lo, mut hi) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            if value.is_finite() && (scale == Scale::Linear || value > 0.0) {
                lo = lo.min(value.clamp(-HUGE, HUGE));
                hi = hi.max(value.clamp(-HUGE, HUGE));
            }
        }
        match scale {
            _ if lo <= hi => Self { lo, hi }.widened(scale),
            Scale::Linear => Self { lo: 0.0, hi: 1.0 },
            Scale::Log => Self { lo: 1.0, hi: 10.0 },
        }
    }

    /// The same range, made long enough that ticks on it differ.
    pub(crate) fn widened(self, scale: Scale) -> Self {
        let Self { lo, hi } = self;
        match scale {
            Scale::Linear => {
                let size = lo.abs().max(hi.abs());
                if hi - lo > (1e-12 * size).max(1e-300) {
                    self
                } else if size < 1e-300 {
                    Self { lo: -1.0, hi: 1.0 }
                } else {
                    let middle = lo + (hi - lo) / 2.0;
                    Self { lo: middle - 0.1 * size, hi: middle + 0.1 * size }
                }
            }
            Scale::Log => {
                let lo = lo.max(1e-300);
                let hi = hi.max(lo);
                if hi / lo > 1.0 + 1e-9 { Self { lo, hi } } else { Self { lo: lo / 3.0, hi: hi * 3.0 } }
            }
        }
    }

    /// The range with a margin of `fraction` of its length on both sides.
    pub(crate) fn padded(self, fraction: f64, scale: Scale) -> Self {
        match scale {
            Scale::Linear => {
                let margin = fraction * (self.hi - self.lo);
                Self { lo: self.lo - margin, hi: self.hi + margin }
            }
            Scale::Log => {
                let factor = (self.hi / self.lo).min(1e150).powf(fraction);
                Self { lo: (self.lo / factor).max(1e-305), hi: self.hi * factor }
            }
        }
    }
}

/// An axis on paper: a range laid between two pixel positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mapping {
    pub(crate) scale: Scale,
    pub(crate) range: Range,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Mapping {
    /// The pixel position of a value, or nothing where the scale has none.
    pub(crate) fn at(&self, value: f64) -> Option<f64> {
        let Range { lo, hi } = self.range;
        let share = match self.scale {
            Scale::Linear => (value - lo) / (hi - lo),
            Scale::Log if value > 0.0 => (value / lo).log10() / (hi / lo).log10(),
            Scale::Log => return None,
        };
        share.is_finite().then_some(self.from + share * (self.to - self.from))
    }
}
