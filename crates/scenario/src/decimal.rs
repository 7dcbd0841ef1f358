//! Decimal numbers as they are written.

/// The longest text that is looked at; no honest quantity is longer.
pub(crate) const LONGEST: usize = 200;

/// A decimal number as written: digits with sign and point, and the power of ten after `e`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decimal<'a> {
    pub digits: &'a str,
    pub exponent: i32,
}

impl<'a> Decimal<'a> {
    /// Splits a text into the number it begins with and what follows.
    pub fn split(text: &'a str) -> Option<(Decimal<'a>, &'a str)> {
        if text.len() > LONGEST {
            return None;
        }
        let bytes = text.as_bytes();
        let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
        let digits_from = |start: usize| {
            let run = bytes[start..].iter().take_while(|b| b.is_ascii_digit());
            start + run.count()
        };
        let whole = digits_from(sign);
        let mut end = whole;
        if bytes.get(whole) == Some(&b'.') {
            end = digits_from(whole + 1);
        }
        if !bytes[sign..end].iter().any(u8::is_ascii_digit) {
            return None;
        }
        let digits = &text[..end];
        let mut exponent = 0;
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let start = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let stop = digits_from(start.min(bytes.len()));
            if stop > start {
                let negative = bytes[end + 1] == b'-';
                let far = if negative { -100_000 } else { 100_000 };
                exponent = text[end + 1..stop].parse().unwrap_or(far).clamp(-100_000, 100_000);
                end = stop;
            }
        }
        Some((Decimal { digits, exponent }, &text[end..]))
    }
}
