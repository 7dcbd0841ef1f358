//! Names that users give to parts of a model.

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::fault::Fault;

/// A name and its place in the file.
#[derive(Debug)]
pub(crate) struct Named {
    pub text: String,
    pub span: Range<usize>,
}

/// Longest name: it goes into the headers of tables.
const LONGEST: usize = 40;

/// A name as it is written.
struct Written(String);

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        if text.trim().is_empty() || text.chars().count() > LONGEST || !text.chars().all(plain) {
            return Err(Fault::new("this is no name")
                .help(format!("a name has letters, digits, blanks, - and _, and at most {LONGEST} of them"))
                .raise());
        }
        Ok(Written(text))
    }
}

impl<'de> Deserialize<'de> for Named {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Written>::deserialize(deserializer)?;
        Ok(Named { span: spanned.span(), text: spanned.into_inner().0 })
    }
}

impl JsonSchema for Named {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": r"^[\p{L}\p{N} _-]+$" })
    }
}
