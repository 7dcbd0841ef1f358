//! Names that users give to parts of a model.

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};
use stickslip_core::record::column_part;
use toml::Spanned;

use crate::fault::{Fault, quote};

/// A name and its place in the file.
#[derive(Debug)]
pub struct Named {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Range<usize>,
}

/// Longest name: it goes into the headers of tables.
const LONGEST: usize = 40;

/// The rule for editors: no ASCII characters but letters, digits, blank, - and _. Classes of letters, `\p{L}`, are unknown
/// to Python and need a flag in ECMAScript; characters beyond ASCII are left to the reader.
const PATTERN: &str = r"^[^\x00-\x1f\x21-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]+$";

/// A name as it is written.
struct Written(String);

/// Whether readers of tables take a cell with this text for a number or a missing value.
fn reads_as_no_name(text: &str) -> bool {
    let word = text.trim().to_lowercase();
    let bare = word.trim_start_matches(['-', '_', ' ']);
    bare.is_empty() || matches!(bare, "na" | "nan" | "null" | "none" | "nil") || word.parse::<f64>().is_ok()
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
        if text.trim().is_empty() || text.chars().count() > LONGEST || !text.chars().all(plain) {
            return Err(Fault::new("this is no name")
                .help(format!("a name has letters, digits, blanks, - and _, and at most {LONGEST} of them"))
                .raise());
        }
        if reads_as_no_name(&text) {
            return Err(Fault::new(format!(
                "{} is no name: other programs would read a number or a gap",
                quote(&text)
            ))
            .help("names stand in tables, where NaN, NA, null, inf or -1 mean something else: add a word")
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

/// Refuses the name `text` of a part, written at `place`, where an equal one is known or one that makes the same columns.
pub fn same_column<'a>(
    what: &str,
    place: &Named,
    text: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Result<(), Fault> {
    let Some(first) = known.into_iter().find(|known| column_part(known) == column_part(text)) else {
        return Ok(());
    };
    let fault = if first == text {
        Fault::new(format!("a second {what} is named {}", quote(text)))
            .help(format!("give every {what} a name of its own"))
    } else {
        Fault::new(format!("{} and {} make the same columns: a blank is written _ there", quote(first), quote(text)))
            .help(format!("give every {what} a name of its own"))
    };
    Err(fault.at(&place.span))
}

impl JsonSchema for Named {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": PATTERN })
    }
}
