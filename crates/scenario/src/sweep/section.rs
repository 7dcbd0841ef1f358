//! The tables `[sweep.bifurcation]` and `[sweep.spectrum]`: several values of each run, and starts that are carried on.

use serde_json::json;
use toml::Spanned;
use toml::de::DeValue;

use super::axis::Amount;
use super::{expected, texts, whole};
use crate::fault::{Fault, listed, nearest, quote, shortened};

/// What is collected of each run.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// The column whose values are collected.
    pub column: String,
    /// Where.
    pub at: At,
    /// How long a run goes before anything is collected \[s\]; half of it by default.
    pub transient: Option<f64>,
    /// Most values of a run.
    pub most: Option<u64>,
    /// Keys at which a run starts, and formulas of end values of the run before it; empty where every run starts as the file says.
    pub carry: Vec<(String, String)>,
}

/// Where values of a column are collected.
#[derive(Debug, Clone, PartialEq)]
pub enum At {
    /// At its local extremes.
    Extremes,
    /// At its local greatest values.
    Greatest,
    /// At its local least values.
    Least,
    /// Where a contact comes to stick.
    Sticks(String),
    /// Where a contact begins to slip.
    Slips(String),
    /// Once in so many seconds.
    Every(f64),
    /// Not in time: the lines of its spectrum.
    Spectrum,
}

/// What may be written.
const PLACES: &str =
    "write extremes, greatest, least, sticks.CONTACT, slips.CONTACT, or every TIME such as \"every 2 s\"";

impl At {
    /// Reads where values are collected.
    pub fn read(text: &str) -> Result<At, Fault> {
        let text = text.trim();
        let contact = |name: &str| (!name.is_empty()).then(|| name.to_string());
        let place = match text {
            "extremes" => Some(At::Extremes),
            "greatest" => Some(At::Greatest),
            "least" => Some(At::Least),
            _ => match (text.strip_prefix("sticks."), text.strip_prefix("slips."), text.strip_prefix("every ")) {
                (Some(name), ..) => contact(name).map(At::Sticks),
                (_, Some(name), _) => contact(name).map(At::Slips),
                (.., Some(time)) => Some(At::Every(seconds(time)?)),
                _ => None,
            },
        };
        place.ok_or_else(|| {
            let message = format!("values cannot be collected at {}", quote(text));
            match nearest(text, ["extremes", "greatest", "least"]) {
                Some(near) => Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write {near}")),
                None => Fault::new(message).help(PLACES),
            }
        })
    }

    /// As it is written.
    pub fn written(&self) -> String {
        match self {
            At::Extremes => "extremes".into(),
            At::Greatest => "greatest".into(),
            At::Least => "least".into(),
            At::Sticks(contact) => format!("sticks.{contact}"),
            At::Slips(contact) => format!("slips.{contact}"),
            At::Every(time) => format!("every {time:?} s"),
            At::Spectrum => "spectrum".into(),
        }
    }
}

/// A time greater than 0, `"2 s"` or a plain number of seconds.
pub fn seconds(text: &str) -> Result<f64, Fault> {
    let amount = Amount::read(text)?;
    match (amount.unit(), amount.si) {
        (None | Some("s"), time) if time >= 0.0 => Ok(time),
        (None | Some("s"), _) => {
            Err(Fault::new(format!("{} is less than 0", quote(text))).help("write a time such as \"2 s\""))
        }
        _ => Err(Fault::new(format!("a time is expected, found {}", quote(text))).help("write a time such as \"2 s\"")),
    }
}

const KEYS: [&str; 5] = ["column", "at", "transient", "most", "carry"];

/// Reads `[sweep.bifurcation]`, or `[sweep.spectrum]`.
pub(super) fn read(value: &Spanned<DeValue<'_>>, spectrum: bool) -> Result<Section, Fault> {
    let name = if spectrum { "sweep.spectrum" } else { "sweep.bifurcation" };
    let DeValue::Table(table) = value.get_ref() else {
        return Err(expected(&format!("a table [{name}] with a `column`"), &value.span()));
    };
    let at = if spectrum { At::Spectrum } else { At::Extremes };
    let mut section = Section { column: String::new(), at, transient: None, most: None, carry: Vec::new() };
    for (key, value) in table {
        let place = value.span();
        let text = || value.get_ref().as_str().ok_or_else(|| expected("a text in quotes", &place));
        match key.get_ref().as_ref() {
            "column" => section.column = text()?.to_string(),
            "at" if !spectrum => section.at = At::read(text()?).map_err(|fault| fault.at(&place))?,
            "transient" => {
                let written = match value.get_ref() {
                    DeValue::Float(digits) => digits.as_str().to_string(),
                    DeValue::Integer(digits) => digits.as_str().to_string(),
                    _ => text()?.to_string(),
                };
                section.transient = Some(seconds(&written).map_err(|fault| fault.at(&place))?);
            }
            "most" => section.most = Some(whole(value, "most", 1)?),
            "carry" => section.carry = texts(value, "a formula of end values")?,
            other => {
                let message = format!("unknown key `{}` in [{name}]", shortened(other));
                return Err(match nearest(other, KEYS) {
                    Some(near) => {
                        Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write `{near}`"))
                    }
                    None => Fault::new(message).help(format!("its keys are {}", listed(KEYS))),
                }
                .at(&key.span()));
            }
        }
    }
    if section.column.is_empty() {
        return Err(Fault::new(format!("[{name}] does not say of which column"))
            .help("write column = \"…\"")
            .at(&value.span()));
    }
    Ok(section)
}

/// The tables in the schema of all files.
pub(super) fn schema(spectrum: bool) -> serde_json::Value {
    let mut properties = json!({
        "column": { "type": "string", "description": "The column of the trajectory whose values are collected." },
        "transient": {
            "description": "How long each run goes before anything is collected [s] (default: half of it).",
            "anyOf": [{ "type": "number", "minimum": 0 }, { "type": "string", "examples": ["2 s"] }]
        },
        "most": { "type": "integer", "minimum": 1, "description": "Most values of a run (default 200; of a spectrum 500 lines)." },
        "carry": {
            "type": "object",
            "description": "Keys at which each run starts, and formulas of end values of the run before it: the last varied key goes up and down \
                            again. Without it each run starts as the file says."
        }
    });
    if !spectrum {
        properties["at"] = json!({
            "type": "string",
            "description": "Where: extremes (default), greatest, least (local ones), sticks.CONTACT, slips.CONTACT, every TIME.",
            "examples": ["greatest", "sticks.pad", "every 2 s"]
        });
    }
    let description = if spectrum {
        "The spectrum of a column at each value of the last varied key: a waterfall."
    } else {
        "A bifurcation diagram over the last varied key: values of a column, one row each."
    };
    json!({ "type": "object", "description": description, "properties": properties, "required": ["column"], "additionalProperties": false })
}
