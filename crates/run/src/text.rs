//! Numbers and words for people.

/// A number with a few significant digits and no noise: `6.07653`, `1.2e-5`, `0`.
pub fn number(value: f64) -> String {
    number_to(value, 6)
}

/// The same with a chosen number of significant digits.
pub fn number_to(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let size = value.abs();
    if !(1e-3..1e6).contains(&size) {
        let text = format!("{value:.*e}", digits.saturating_sub(1));
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{}e{exponent}", trimmed(mantissa));
    }
    let before = size.log10().floor() as i32 + 1;
    let decimals = (digits as i32 - before).max(0) as usize;
    trimmed(&format!("{value:.decimals$}")).to_string()
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A share as a percentage.
pub fn percent(share: f64) -> String {
    format!("{} %", number_to(100.0 * share, 4))
}

/// A duration in the unit that suits it.
pub fn seconds(value: f64) -> String {
    for (limit, factor, unit) in [(1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")] {
        if value < limit && value > 0.0 {
            return format!("{} {unit}", number_to(value * factor, 3));
        }
    }
    format!("{} s", number_to(value, 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(6.076_528_9), "6.07653");
        assert_eq!(number(0.0), "0");
        assert_eq!(number(-20.0), "-20");
        assert_eq!(number(1.25e-7), "1.25e-7");
        assert_eq!(number(123_456.7), "123457");
        assert_eq!(number(2e9), "2e9");
        assert_eq!(percent(0.71517), "71.52 %");
        assert_eq!(seconds(0.0012), "1.2 ms");
        assert_eq!(seconds(2.5), "2.5 s");
    }
}
