//! Lists of numbers of a page: charts and pictures share them, so that each is written once.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use super::embed::{data_element_named, rounded};

/// The lists, each with its place.
#[derive(Debug, Default)]
pub(super) struct Store {
    lists: Vec<List>,
    places: HashMap<Vec<u64>, usize>,
    /// Whether a chart has shown its strips.
    striped: bool,
}

#[derive(Debug)]
struct List(Vec<f64>);

impl Serialize for List {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        rounded(&self.0, serializer)
    }
}

impl Store {
    /// The place of a list.
    pub(super) fn add(&mut self, values: &[f64]) -> usize {
        let bits: Vec<u64> = values.iter().map(|v| v.to_bits()).collect();
        let lists = &mut self.lists;
        *self.places.entry(bits).or_insert_with(|| {
            lists.push(List(values.to_vec()));
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
    fn equal_lists_are_written_once() {
        let mut store = Store::default();
        assert_eq!(store.to_html(), "");
        let places = [vec![0.0, 1.0], vec![2.0], vec![0.0, 1.0]].map(|list| store.add(&list));
        assert_eq!(places, [0, 1, 0]);
        assert_eq!(store.to_html(), "<script type=\"application/json\" id=\"series\">[[0,1],[2]]</script>\n");
    }
}
