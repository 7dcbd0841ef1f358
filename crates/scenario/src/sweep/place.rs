//! Where a key leads: two ways to one value are one place.
//!
//! An entry of a list has a name and a number, `body.b.x` and `body.1.x`. The place of a key has numbers alone, so that places are equal
//! where values are. What stands inside a table is set with the table: `brake.torque` and `brake.torque.max` meet.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{KeyPath, leaves};
use crate::fault::Fault;
use crate::overrides::chosen;

/// The place of a value in a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place(Vec<String>);

impl Place {
    /// Where a key leads in a document; keys that the document does not have are as they are written.
    pub(crate) fn of(document: &DeTable<'_>, keys: &[Spanned<Cow<'_, str>>]) -> Place {
        let mut place = Vec::new();
        let mut value: Option<&DeValue<'_>> = None;
        for (depth, key) in keys.iter().enumerate() {
            let key: &str = key.get_ref();
            let found = match value {
                None if depth == 0 => document.get(key),
                Some(DeValue::Table(table)) => table.get(key),
                Some(DeValue::Array(items)) => {
                    let names: Vec<Option<&str>> = items
                        .iter()
                        .map(|item| item.get_ref().get("name").and_then(|name| name.get_ref().as_str()))
                        .collect();
                    if let Some(number) = chosen(&names, key) {
                        place.push((number + 1).to_string());
                        value = items.get(number).map(Spanned::get_ref);
                        continue;
                    }
                    None
                }
                _ => None,
            };
            place.push(key.to_string());
            value = found.map(Spanned::get_ref);
        }
        Place(place)
    }

    /// Where a dotted path leads in the text of a scenario; none where either cannot be read.
    pub fn in_text(text: &str, key: &str) -> Option<Place> {
        let path = KeyPath::read(key).ok()?;
        Some(Place::of(DeTable::parse(text).ok()?.get_ref(), path.parts()))
    }

    /// Whether setting both sets something twice: they are the same, or one is inside the other.
    pub fn meets(&self, other: &Place) -> bool {
        self.0.iter().zip(&other.0).all(|(one, other)| one == other)
    }

    /// Whether it is the other, or inside it.
    pub fn is_within(&self, other: &Place) -> bool {
        self.0.starts_with(&other.0)
    }
}

/// The keys of the entries that `[sweep.vary]` and `[sweep.let]` of a document have where an override sets the value: `--set` counts, and
/// the entry is left out. Paths that cannot be read are told of by the sweep itself.
pub(crate) fn replaced(document: &DeTable<'_>, set: &[Place]) -> Vec<[String; 2]> {
    let sweep = document.get("sweep").map(Spanned::get_ref);
    let entries = |table: &'static str| {
        let value = sweep.and_then(|sweep| sweep.get(table));
        let keys = value.and_then(|value| leaves(value, "").ok()).unwrap_or_default();
        keys.into_iter().map(move |(key, _)| [table.to_string(), key])
    };
    let is_set = |[_, key]: &[String; 2]| {
        let path = KeyPath::read(key).ok();
        path.is_some_and(|path| set.iter().any(|set| set.is_within(&Place::of(document, path.parts()))))
    };
    entries("vary").chain(entries("let")).filter(is_set).collect()
}

/// Takes entries of `[sweep.vary]` and `[sweep.let]` out of a text; layout and comments are kept.
pub(crate) fn without(text: &str, entries: &[[String; 2]]) -> Result<String, Fault> {
    if entries.is_empty() {
        return Ok(text.to_string());
    }
    let unwritable = |e: toml_edit::TomlError| Fault::new(crate::fault::one_line(e.message()));
    let mut document: toml_edit::DocumentMut = text.parse().map_err(unwritable)?;
    for [table, key] in entries {
        let sweep = document.get_mut("sweep").and_then(toml_edit::Item::as_table_like_mut);
        if let Some(table) = sweep.and_then(|sweep| sweep.get_mut(table)).and_then(toml_edit::Item::as_table_like_mut) {
            take_out(table, "", key);
        }
    }
    Ok(document.to_string())
}

/// Takes out the entry whose path is written like this.
fn take_out(table: &mut dyn toml_edit::TableLike, above: &str, path: &str) {
    let keys: Vec<String> = table.iter().map(|(key, _)| key.to_string()).collect();
    for key in keys {
        let written = format!("{above}{}", super::written_key(&key));
        if written == path {
            table.remove(&key);
        } else if let Some(inner) = table.get_mut(&key).and_then(toml_edit::Item::as_table_like_mut) {
            take_out(inner, &format!("{written}."), path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[[body]]\nname = \"a\"\nx = 1\n[[body]]\nname = \"1\"\n[brake]\ntorque = { max = 3 }\n[sweep.vary]\n\
                        body.1.x = \"0:1:2\" # first\nbrake.torque.max = [1, 2]\n[sweep.let]\n\"body.a.x\" = \"2*v\"\nrun.duration = \"v\"\n";

    fn place(text: &str) -> Place {
        let document = DeTable::parse(TEXT).expect("TOML");
        Place::of(document.get_ref(), KeyPath::read(text).expect("a path").parts())
    }

    #[test]
    fn names_and_numbers_lead_to_one_place() {
        assert_eq!(place("body.a.x"), place("body.\"a\".x"));
        // The name "1" of the second comes before the number of the first.
        assert_eq!(place("body.1.x"), place("body.2.x"));
        assert_ne!(place("body.1.x"), place("body.a.x"));
        assert!(place("brake.torque").meets(&place("brake.torque.max")));
        assert!(place("brake.torque.max").meets(&place("brake")));
        assert!(!place("brake.torque.max").meets(&place("brake.torque.min")));
        assert!(place("brake.torque.max").is_within(&place("brake.torque")));
        assert!(!place("brake.torque").is_within(&place("brake.torque.max")));
    }

    #[test]
    fn what_is_set_is_not_varied_by_the_file() {
        let document = DeTable::parse(TEXT).expect("TOML");
        let found = replaced(document.get_ref(), &[place("body.2.x"), place("body.a.x"), place("brake.torque")]);
        // A table that is set has its keys varied nevertheless.
        assert_eq!(found, [["vary", "body.1.x"], ["let", "body.a.x"]].map(|entry| entry.map(String::from)));
        let text = without(TEXT, &found).expect("a text");
        assert!(!text.contains("0:1:2") && !text.contains("2*v"), "{text}");
        assert!(text.contains("brake.torque.max = [1, 2]") && text.contains("run.duration = \"v\""), "{text}");
        assert_eq!(without(TEXT, &[]).expect("a text"), TEXT);
    }
}
