//! Tables that must be tables: derived structs would also take a list of their values in order.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::{Deserialize, Deserializer, de};

/// A `T` written as a table.
#[derive(Debug)]
pub struct TableOf<T>(pub T);

/// Reads a `T` written as a table, for `#[serde(deserialize_with)]`.
pub fn table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    TableOf::deserialize(deserializer).map(|TableOf(inner)| inner)
}

/// Reads a `T` written as a table that need not be there, for `#[serde(default, deserialize_with)]`.
pub fn optional_table<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    table(deserializer).map(Some)
}

/// Reads a list of tables, for `#[serde(deserialize_with)]`.
pub fn tables<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::<TableOf<T>>::deserialize(deserializer)?;
    Ok(list.into_iter().map(|TableOf(inner)| inner).collect())
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TableOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

struct Entries<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Entries<T> {
    type Value = TableOf<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(TableOf)
    }
}
