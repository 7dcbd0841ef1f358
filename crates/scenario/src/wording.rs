//! serde's messages in the words of scenario files, with help from the schema's descriptions.

use std::ops::Range;

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use crate::fault::{Fault, listed, nearest, one_line, quote, shortened};
use crate::head;

impl From<toml::de::Error> for Fault {
    fn from(error: toml::de::Error) -> Fault {
        Fault { message: error.message().to_string(), help: None, span: error.span() }
    }
}

/// Under this key the TOML reader hands dates to serde.
const DATE_KEY: &str = "$__toml_private_datetime";

/// Rewrites a fault that serde or the TOML reader raised; the `schema` is made only where it can help.
pub(crate) fn explain(fault: Fault, document: &DeTable<'_>, schema: &dyn Fn() -> Value) -> Fault {
    let span = fault.span.clone().unwrap_or(0..0);
    let path = path_of(document, &span).unwrap_or_default();
    let message = fault.message.as_str();
    let mut said = if message.contains(DATE_KEY) {
        Fault::new("a date is not admissible here")
    } else if let Some((name, mut known)) = unknown(message, "unknown field `") {
        let table = match &path[..] {
            [] | [_] => {
                // Taken out before serde sees the rest, which therefore does not name them.
                let taken = schema();
                let there = |key: &&str| taken["properties"].get(key).is_some();
                known.splice(..0, head::FIRST.into_iter().filter(there));
                known.extend(head::IN_TIME.into_iter().chain(["expected", "sweep"]).filter(there));
                "at the top of the file".to_string()
            }
            [tables @ .., _] => format!("in [{}]", shortened(&tables.join("."))),
        };
        near(&format!("unknown key `{}` {table}", shortened(name)), name, &known, "keys")
    } else if let Some((name, known)) = unknown(message, "unknown variant `") {
        let key = path.last().map_or("value", String::as_str);
        near(&format!("unknown {key} {}", quote(name)), name, &known, "names")
    } else if let Some(key) = message.strip_prefix("missing field `") {
        missing(key.trim_end_matches('`'), &path, schema)
    } else if let Some((mut found, expected)) = mismatch(message) {
        if is_date(document, &path) {
            found = "a date".to_string();
        }
        Fault::new(format!("{expected} is expected here, found {found}"))
    } else if let Some((message, help)) = message.split_once('\n') {
        Fault::new(message).help(help)
    } else {
        match message {
            "wanted string or table" => Fault::new("a string in quotes is expected here"),
            "floating-point number overflowed" | "integer number overflowed" => {
                Fault::new("this number is too large").help("numbers reach to about 1.8e308")
            }
            deep if deep.contains("recurs") => {
                Fault::new("tables or lists are nested too deep").help("no key of a scenario is that deep")
            }
            twice if twice.starts_with("duplicate key") => {
                Fault::new(one_line(twice)).help("every key and every table may be given once")
            }
            other => Fault::new(one_line(other)),
        }
    };
    if said.help.is_none() {
        said.help = fault.help.or_else(|| described(&path, schema));
    }
    said.at(&span)
}

/// Says of an unknown key that other models have what to write instead.
pub(crate) fn elsewhere(fault: Fault, document: &DeTable<'_>, keys: &[(&str, &str)]) -> Fault {
    let path = fault
        .span
        .as_ref()
        .filter(|_| fault.message.starts_with("unknown key "))
        .and_then(|span| path_of(document, span));
    let path = path.map(|path| path.join("."));
    match keys.iter().find(|(key, _)| path.as_deref() == Some(key)) {
        Some((_, instead)) => {
            // Not what it resembles: it is known what was meant.
            let message = fault.message.split(';').next().unwrap_or_default().to_string();
            Fault { message, ..fault }.help(*instead)
        }
        None => fault,
    }
}

fn near(message: &str, name: &str, known: &[&str], what: &str) -> Fault {
    match nearest(name, known.iter().copied()) {
        Some(known) => Fault::new(format!("{message}; did you mean `{known}`?")).help(format!("write `{known}`")),
        None => Fault::new(message).help(format!("the known {what} here are {}", listed(known.iter().copied()))),
    }
}

/// Name and known names of ``unknown field `x`, expected one of `a`, `b` ``.
fn unknown<'a>(message: &'a str, prefix: &str) -> Option<(&'a str, Vec<&'a str>)> {
    let rest = message.strip_prefix(prefix)?;
    let (name, list) = rest.rsplit_once("`, expected ").or_else(|| rest.rsplit_once("`, there"))?;
    // Every second part between backticks is a name.
    Some((name, list.split('`').skip(1).step_by(2).collect()))
}

fn missing(key: &str, path: &[String], schema: &dyn Fn() -> Value) -> Fault {
    let mut full = path.to_vec();
    full.push(key.to_string());
    let message = match (path.is_empty(), root_kind(key, schema)) {
        (true, Some("array")) => format!("missing table [[{key}]]"),
        (true, Some("object")) => format!("missing table [{key}]"),
        (true, _) => format!("missing key `{key}`"),
        (false, _) => format!("missing key `{key}` in [{}]", shortened(&path.join("."))),
    };
    let help = described(&full, schema).unwrap_or_else(|| format!("add `{key} = …`"));
    Fault::new(message).help(help)
}

/// What the schema says that a key at the top of the file holds: "object", "array" or something plain.
fn root_kind(key: &str, schema: &dyn Fn() -> Value) -> Option<&'static str> {
    let schema = schema();
    let kind = schema.get("properties")?.get(key)?.get("type")?.as_str()?;
    ["object", "array"].into_iter().find(|known| *known == kind)
}

/// What was found and what was expected, of `invalid type: a, expected b`.
fn mismatch(message: &str) -> Option<(String, String)> {
    let rest = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .or_else(|| message.strip_prefix("invalid length "))?;
    let (found, expected) = rest.rsplit_once(", expected ")?;
    let found = match found {
        "map" => "a table".to_string(),
        "sequence" => "a list".to_string(),
        other => {
            let number = ["integer `", "floating point `", "boolean `"]
                .iter()
                .find_map(|kind| other.strip_prefix(kind)?.split('`').next());
            let text = number.unwrap_or(other);
            // serde has escaped strings once already.
            shortened(text).replace("\\\\", "\\").replace("\\\"", "\"")
        }
    };
    let expected = match expected {
        "a string" => "a string in quotes",
        "a sequence" => "a list [ … ]",
        e if e.starts_with("struct ") => "a table",
        e if e.ends_with("u64") => "a whole number of at least 1",
        other => other,
    };
    Some((found, expected.to_string()))
}

/// Keys that lead to the key or value at `span`.
fn path_of(table: &DeTable<'_>, span: &Range<usize>) -> Option<Vec<String>> {
    for (key, value) in table {
        let below = match value.get_ref() {
            DeValue::Table(inner) if key.span() != *span => path_of(inner, span),
            DeValue::Array(items) => items.iter().find_map(|item| match item.get_ref() {
                DeValue::Table(inner) => path_of(inner, span).or_else(|| (item.span() == *span).then(Vec::new)),
                _ => None,
            }),
            _ => None,
        };
        let place = value.span();
        let inside = place.start <= span.start && span.end <= place.end;
        let here = key.span() == *span || (inside && !span.is_empty());
        if let Some(mut path) = below.or(here.then(Vec::new)) {
            path.insert(0, key.get_ref().to_string());
            return Some(path);
        }
    }
    None
}

fn is_date(document: &DeTable<'_>, path: &[String]) -> bool {
    let Some((first, rest)) = path.split_first() else {
        return false;
    };
    let mut at = document.get(first.as_str());
    for key in rest {
        at = at.and_then(|value| value.get_ref().get(key.as_str()));
    }
    at.is_some_and(|value| value.get_ref().is_datetime())
}

/// The description of a key, or of the nearest one above it, from the doc comment of its field.
fn described(path: &[String], schema: &dyn Fn() -> Value) -> Option<String> {
    let schema = schema();
    let mut at = &schema;
    let mut found = None;
    for key in path {
        let table = at.get("items").unwrap_or(at);
        let Some(next) = table.get("properties").and_then(|p| p.get(key)) else {
            break;
        };
        at = next;
        if let Some(text) = at.get("description").and_then(Value::as_str) {
            found = Some(format!("`{key}`: {}", one_line(text)));
        }
    }
    found
}
