//! What the files of all models have: `model`, `title`, `description`, and `[run]` and `[output]` of what runs in time.
//!
//! These keys are taken out of a document before the tables of its model are read, so that no model describes them again.
//! serde's `flatten` would do that, too, but it forgets where things stand and lets unknown keys pass.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::fault::Fault;
use crate::run::{OutputTable, RunTable};
use crate::table::table;

/// Names of the keys before those of the model.
pub(crate) const FIRST: [&str; 3] = ["model", "title", "description"];

/// Names of the keys after those of the model, where it runs in time.
pub(crate) const IN_TIME: [&str; 2] = ["run", "output"];

/// What says what a file is about.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Head {
    /// Which model the file describes.
    #[expect(dead_code, reason = "names the model; read before the other keys")]
    model: String,
    /// One line that names the scenario in reports (optional).
    pub title: Option<String>,
    /// What happens and what to look at (optional).
    pub description: Option<String>,
}

/// What says how it runs in time.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct InTime {
    /// How long and how finely to simulate.
    #[serde(deserialize_with = "table")]
    pub run: RunTable,
    /// What to record.
    #[serde(default, deserialize_with = "table")]
    pub output: OutputTable,
}

/// Takes some keys out of a document, into one that stands at the same place.
pub(crate) fn taken<'a>(document: &mut Spanned<DeTable<'a>>, keys: &[&str]) -> Spanned<DeTable<'a>> {
    let mut own = DeTable::new();
    for key in keys {
        if let Some((name, value)) = document.get_mut().remove_entry(*key) {
            own.insert(name, value);
        }
    }
    Spanned::new(document.span(), own)
}

/// Reads what was taken out.
pub(crate) fn read<'a, T: Deserialize<'a>>(taken: Spanned<DeTable<'a>>) -> Result<T, Fault> {
    T::deserialize(Deserializer::from(taken)).map_err(Fault::from)
}

/// Puts the keys that all files have around those of a model in its schema.
pub(crate) fn describe(schema: &mut Value, model: &str, in_time: bool, generator: &mut SchemaGenerator) {
    let mut head = Head::json_schema(generator).to_value();
    head["properties"]["model"]["const"] = json!(model);
    let mut parts = vec![head, schema.clone()];
    if in_time {
        parts.push(InTime::json_schema(generator).to_value());
    }
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    schema["properties"] = Value::Object(properties);
    schema["required"] = Value::Array(required);
}
