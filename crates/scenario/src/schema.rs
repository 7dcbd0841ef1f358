//! The JSON schema of scenario files, for editors and other programs.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::expected;
use crate::format::Format;
use crate::{head, sweep};

/// JSON schema (draft 2020-12) of scenario files of these models.
pub fn schema<M>(formats: &[Format<M>]) -> Value {
    let mut models: Vec<Value> = formats.iter().map(of).collect();
    let mut root = if models.len() == 1 { models.remove(0) } else { json!({ "oneOf": models }) };
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("stickslip scenario");
    root
}

/// Schema of one model's files, without references.
pub(crate) fn of<M>(format: &Format<M>) -> Value {
    let mut generator = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true).into_generator();
    let mut schema = (format.schema)(&mut generator).to_value();
    head::describe(&mut schema, format.name, format.in_time, &mut generator);
    if !format.measures.is_empty() {
        schema["properties"]["expected"] = expected::schema(format.measures);
    }
    schema["properties"]["sweep"] = sweep::schema();
    schema
}
