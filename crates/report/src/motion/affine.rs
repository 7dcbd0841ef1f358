//! Affine expressions of channels.

use std::ops::{Add, Mul, Neg, Sub};

use serde::{Serialize, Serializer};

/// A channel of a picture, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Channel(pub(super) usize);

impl Channel {
    /// Its number.
    pub(crate) fn number(self) -> usize {
        self.0
    }
}

/// A constant, and factors of channels.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Affine {
    constant: f64,
    terms: Vec<(usize, f64)>,
}

impl Affine {
    /// Its value where the channels have these.
    pub fn at(&self, channels: &[f64]) -> f64 {
        self.terms
            .iter()
            .fold(self.constant, |sum, &(k, factor)| sum + factor * channels.get(k).copied().unwrap_or(0.0))
    }

    /// Whether it never changes.
    pub(super) fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }
}

impl From<f64> for Affine {
    fn from(constant: f64) -> Self {
        Self { constant, terms: Vec::new() }
    }
}

impl From<Channel> for Affine {
    fn from(channel: Channel) -> Self {
        Self { constant: 0.0, terms: vec![(channel.0, 1.0)] }
    }
}

impl Mul<f64> for Affine {
    type Output = Affine;
    fn mul(mut self, factor: f64) -> Affine {
        self.constant *= factor;
        self.terms.iter_mut().for_each(|(_, own)| *own *= factor);
        self
    }
}

impl Mul<f64> for Channel {
    type Output = Affine;
    fn mul(self, factor: f64) -> Affine {
        Affine::from(self) * factor
    }
}

impl<T: Into<Affine>> Add<T> for Affine {
    type Output = Affine;
    fn add(mut self, other: T) -> Affine {
        let other = other.into();
        self.constant += other.constant;
        self.terms.extend(other.terms);
        self
    }
}

impl<T: Into<Affine>> Sub<T> for Affine {
    type Output = Affine;
    fn sub(self, other: T) -> Affine {
        self + other.into() * -1.0
    }
}

impl Neg for Affine {
    type Output = Affine;
    fn neg(self) -> Affine {
        self * -1.0
    }
}

/// As the script reads it: the constant, then channel and factor in turn, with digits enough for a screen.
impl Serialize for Affine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let short = |v: f64| format!("{v:.6e}").parse::<f64>().unwrap_or(v) + 0.0;
        let numbers = self.terms.iter().flat_map(|&(k, factor)| [k as f64, short(factor)]);
        serializer.collect_seq(std::iter::once(short(self.constant)).chain(numbers).map(crate::html::Short))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_channels_are_written_short() {
        let (a, b) = (Channel(0), Channel(1));
        let sum = a * 2.0 + b * 0.5 - 1.0;
        assert_eq!(sum.at(&[3.0, 4.0]), 7.0);
        assert_eq!(serde_json::to_string(&sum).ok().as_deref(), Some("[-1,0,2,1,0.5]"));
        assert!(Affine::from(3.0).is_constant() && !sum.is_constant());
    }
}
