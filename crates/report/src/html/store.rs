//! Lists of numbers of a page: charts and pictures share them, so that each is written once.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::embed::{Short, data_element_named};

/// The lists, each with its place.
#[derive(Debug, Default)]
pub(super) struct Store {
    lists: Vec<List>,
    places: HashMap<Vec<u64>, usize>,
    /// Whether a chart has shown its strips.
    striped: bool,
}

/// Digits of the greatest number of a list; smaller ones have as many decimals and so fewer digits.
const DIGITS: i32 = 8;

/// One more for times, of which neighbours must not fall together.
const DIGITS_OF_TIMES: i32 = 9;

#[derive(Debug)]
struct List {
    values: Vec<f64>,
    digits: i32,
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let greatest = self.values.iter().filter(|v| v.is_finite()).fold(0.0_f64, |most, v| most.max(v.abs()));
        let decimals = self.digits - 1 - greatest.max(f64::MIN_POSITIVE).log10().floor() as i32;
        serializer.collect_seq(self.values.iter().map(|&value| shortened(value, decimals)))
    }
}

/// A number with this many decimals; beyond what can be rounded so, with as many digits. What is not finite becomes a gap.
fn shortened(value: f64, decimals: i32) -> Option<Short> {
    let rounded = match decimals {
        _ if !value.is_finite() => return None,
        // Both powers are exact, so that the quotient is the double next to the decimal number and is written as that.
        0..=22 => (value * 10_f64.powi(decimals)).round() / 10_f64.powi(decimals),
        _ => format!("{value:.*e}", DIGITS as usize - 1).parse().unwrap_or(value),
    };
    Some(Short(rounded + 0.0))
}

impl Store {
    /// The place of a list.
    pub(super) fn add(&mut self, values: &[f64]) -> usize {
        self.place(values, DIGITS)
    }

    /// The place of a list of times.
    pub(super) fn add_times(&mut self, values: &[f64]) -> usize {
        self.place(values, DIGITS_OF_TIMES)
    }

    fn place(&mut self, values: &[f64], digits: i32) -> usize {
        // Zero has a sign that nobody sees.
        let bits: Vec<u64> = values.iter().map(|v| (v + 0.0).to_bits()).collect();
        let lists = &mut self.lists;
        *self.places.entry(bits).or_insert_with(|| {
            lists.push(List { values: values.to_vec(), digits });
            lists.len() - 1
        })
    }

    /// Whether the strips of a chart are the first of the page: one block of them is enough.
    pub(super) fn first_strips(&mut self) -> bool {
        !std::mem::replace(&mut self.striped, true)
    }

    /// All lists as an element of the page; nothing where there are none.
    pub(super) fn to_html(&self) -> String {
        if self.lists.is_empty() { String::new() } else { data_element_named("series", &self.lists) + "\n" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_of_the_greatest() {
        let mut store = Store::default();
        store.add(&[1_234.567_891_234, -0.000_012_345, f64::NAN, 1e-12]);
        store.add(&[1.234_567_891_2e-20, 0.0]);
        let wanted = "[[1234.5679,0,null,0],[1.2345679e-20,0]]";
        assert!(store.to_html().contains(wanted), "{}", store.to_html());
    }

    #[test]
    fn equal_lists_are_written_once() {
        let mut store = Store::default();
        assert_eq!(store.to_html(), "");
        let places = [vec![0.0, 1.0], vec![2.0], vec![0.0, 1.0]].map(|list| store.add(&list));
        assert_eq!(places, [0, 1, 0]);
        assert_eq!(store.to_html(), "<script type=\"application/json\" id=\"series\">[[0,1],[2]]</script>\n");
    }
}
