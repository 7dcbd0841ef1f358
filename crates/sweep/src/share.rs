//! A share of a sweep: `2/8`, for batch systems.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Part `part` of `of`, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Share {
    /// Which part, 1…of.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Share {
    /// All of it.
    pub const ALL: Share = Share { part: 1, of: 1 };

    /// The points of this share, of so many.
    pub fn points(self, total: u64) -> Range<u64> {
        let at = |part: u64| (u128::from(total) * u128::from(part) / u128::from(self.of)) as u64;
        at(self.part - 1)..at(self.part)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let advice = "write for example 2/8 for the second of eight parts";
        let number = |word: &str| word.trim().parse::<u64>().ok();
        let (part, of) = text
            .split_once('/')
            .and_then(|(a, b)| number(a).zip(number(b)))
            .ok_or_else(|| format!("`{text}` is no part; {advice}"))?;
        match (part, of) {
            (_, 0) | (0, _) => Err(format!("parts are counted from 1; {advice}")),
            (part, of) if part > of => Err(format!("there is no part {part} of {of}; {advice}")),
            _ => Ok(Share { part, of }),
        }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_all_points_once() {
        for (total, of) in [(10, 3), (2, 5), (1_000_003, 7)] {
            let mut next = 0;
            for part in 1..=of {
                let points = Share { part, of }.points(total);
                assert_eq!(points.start, next);
                next = points.end;
            }
            assert_eq!(next, total);
        }
    }

    #[test]
    fn parts_that_are_none_are_refused() {
        assert_eq!("2/8".parse(), Ok(Share { part: 2, of: 8 }));
        for text in ["5/4", "0/4", "1/0", "1", "a/b", "1/2/3", "-1/2"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }
}
