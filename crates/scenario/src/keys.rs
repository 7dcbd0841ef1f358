//! A reference of all keys in Markdown, from the schema.
//!
//! Nothing here knows a key: descriptions are the doc comments of the structs that read the files, so that the page and the
//! reader cannot disagree.

use serde_json::{Map, Value};

use crate::fault::one_line;

/// The reference of scenario files with this schema.
pub fn keys(schema: &Value) -> String {
    let models: Vec<&Value> = schema["oneOf"].as_array().map_or_else(|| vec![schema], |models| models.iter().collect());
    let mut page = String::from(HEAD);
    let mut known: Vec<(String, &Value)> = Vec::new();
    let mut forms = Forms::default();
    for model in models {
        let name = model["properties"]["model"]["const"].as_str().unwrap_or_default();
        let (first, rest) = paragraphs(model);
        page += &format!("\n## `model = \"{name}\"`\n{first}\n{rest}");
        // Keys of the file itself, beside those that every file has.
        for (key, value) in ordered(model) {
            if table(value).is_none() && !["model", "title", "description"].contains(&key.as_str()) {
                let what = value["description"].as_str().map(one_line).unwrap_or_default();
                page += &format!("\n`{key}`, at the top of the file: {what}\n");
            }
        }
        for (key, value) in ordered(model) {
            let same = |(_, earlier): &&(String, &Value)| *earlier == value;
            if table(value).is_none() {
                continue;
            }
            match known.iter().find(same) {
                Some((place, _)) => {
                    page += &format!("\n**`{}`** is the same as that of {place}.\n", heading(key, value))
                }
                None => {
                    known.push((format!("`model = \"{name}\"`"), value));
                    section(&mut page, key, value, is_required(model, key), &mut forms);
                }
            }
        }
    }
    page + &forms.sections()
}

const HEAD: &str = "# Keys of scenario files
Written by `stickslip schema --markdown` from the schema that the reader itself uses (`stickslip schema` prints it for editors). Keys in
bold must be given. Quantities are SI numbers or strings with a unit; all units are in [signals.md](signals.md), whole files in
[scenarios.md](scenarios.md). Every file has `model`, and may have `title` (one line for reports) and `description` (what happens
and what to look at).
";

/// Description of a model: its first sentence, and what follows it.
fn paragraphs(value: &Value) -> (String, String) {
    let text = value["description"].as_str().unwrap_or_default();
    let (first, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let rest = one_line(rest);
    (one_line(first), if rest.is_empty() { rest } else { format!("\n{rest}\n") })
}

/// The keys of a table, those that must be given first.
fn ordered(table: &Value) -> Vec<(&String, &Value)> {
    let empty = || Vec::new();
    let mut keys: Vec<(&String, &Value)> =
        table["properties"].as_object().map_or_else(empty, |keys| keys.iter().collect());
    let rank = |key: &str| {
        let required = table["required"].as_array().into_iter().flatten();
        required.into_iter().position(|name| name == key).unwrap_or(usize::MAX)
    };
    keys.sort_by_key(|(key, _)| rank(key));
    keys
}

fn is_required(table: &Value, key: &str) -> bool {
    table["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key))
}

/// A value without the choice to leave it out.
fn given(value: &Value) -> &Value {
    let forms = value["anyOf"].as_array().filter(|forms| forms.iter().any(|form| form["type"] == "null"));
    let form = forms.and_then(|forms| forms.iter().find(|form| form["type"] != "null"));
    form.map_or(value, given)
}

fn is_type(value: &Value, name: &str) -> bool {
    let kind = &value["type"];
    kind == name || kind.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == name))
}

/// The table that a key holds, or that of each entry of its list; none where it holds something else.
fn table(value: &Value) -> Option<(&Value, bool)> {
    let value = given(value);
    let has_keys =
        |value: &Value| is_type(value, "object") && value["properties"].is_object() && value["oneOf"].is_null();
    if has_keys(value) {
        return Some((value, false));
    }
    Some(given(&value["items"])).filter(|items| is_type(value, "array") && has_keys(items)).map(|items| (items, true))
}

/// `[run]` or `[[wheel]]`.
fn heading(path: &str, value: &Value) -> String {
    match table(value) {
        Some((_, true)) => format!("[[{path}]]"),
        _ => format!("[{path}]"),
    }
}

/// A table and the tables in it.
fn section(page: &mut String, path: &str, value: &Value, required: bool, forms: &mut Forms) {
    let Some((keys, _)) = table(value) else { return };
    let says = |value: &Value| value["description"].as_str().map(one_line);
    let words = says(value).or_else(|| says(keys)).unwrap_or_default();
    let must = if required { " Must be given." } else { "" };
    *page +=
        &format!("\n### `{}`\n{words}{must}\n\n| key | what it is | written |\n|---|---|---|\n", heading(path, value));
    let mut inner = Vec::new();
    for (key, value) in ordered(keys) {
        if table(value).is_some() {
            inner.push((key, value));
            continue;
        }
        let name = if is_required(keys, key) { format!("**`{key}`**") } else { format!("`{key}`") };
        let what = says(value).unwrap_or_default();
        *page += &format!("| {name} | {} | {} |\n", cell(&what), cell(&forms.written(value)));
    }
    let each: Vec<String> = keys["patternProperties"].as_object().map_or_else(Vec::new, |patterns| {
        patterns
            .keys()
            .map(|pattern| format!("`{}…`", pattern.trim_start_matches('^').trim_end_matches(".+$")))
            .collect()
    });
    if !each.is_empty() {
        *page += &format!("\nOf a single wheel, body or contact, with its name: {}.\n", each.join(", "));
    }
    for (key, value) in inner {
        section(page, &format!("{path}.{key}"), value, is_required(keys, key), forms);
    }
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Forms that many keys share, told once: signals and friction laws.
#[derive(Default)]
struct Forms {
    signal: Option<Value>,
    law: Option<Value>,
}

impl Forms {
    /// How the value of a key is written.
    fn written(&mut self, value: &Value) -> String {
        let value = given(value);
        let choices = || ["oneOf", "anyOf"].iter().flat_map(|key| value[*key].as_array()).flatten();
        let has = |key: &str| choices().any(|form| form["properties"].get(key).is_some());
        if let Some(example) = constant(value) {
            return example;
        }
        if has("trapezoid") {
            self.signal.get_or_insert_with(|| value.clone());
            return format!("{} or a [signal](#signals)", plain(value));
        }
        if has("kinetic") {
            self.law.get_or_insert_with(|| value.clone());
            let constant = if has("csv") { "a signal" } else { "a number" };
            return format!("{constant} or a [law](#friction-laws)");
        }
        if choices().next().is_some() {
            let number = choices().any(|form| is_type(form, "number"));
            if number {
                return plain(value);
            }
            let mut all: Vec<String> = Vec::new();
            for form in choices() {
                let form = self.written(form);
                if !all.contains(&form) {
                    all.push(form);
                }
            }
            return all.join(", ");
        }
        if is_type(value, "object") {
            let keys = ordered(value).iter().map(|(key, _)| format!("{key} = …")).collect::<Vec<_>>();
            return format!("`{{ {} }}`", keys.join(", "));
        }
        if is_type(value, "array") {
            return self.list(value);
        }
        match value["type"].as_array().and_then(|kinds| kinds.first()).unwrap_or(&value["type"]).as_str() {
            Some("boolean") => "`true` or `false`".into(),
            Some("integer") => "a whole number".into(),
            Some("number") => "a number".into(),
            _ => "text".into(),
        }
    }

    fn list(&mut self, value: &Value) -> String {
        let entry = |forms: &mut Forms, value: &Value| forms.written(value).replace('`', "");
        let several = value["prefixItems"].as_array();
        let entries: Vec<String> = match several {
            Some(entries) => entries.iter().map(|value| entry(self, value)).collect(),
            None => {
                let one = entry(self, &value["items"]);
                match value["maxItems"].as_u64() {
                    Some(count) if count <= 4 => vec![one; count as usize],
                    _ => vec![one, "…".into()],
                }
            }
        };
        format!("`[{}]`", entries.join(", "))
    }

    /// What signals and laws look like.
    fn sections(&self) -> String {
        let mut page = String::new();
        if let Some(signal) = &self.signal {
            page += "\n## Signals\nA number, a string with a unit, or one of these tables; [signals.md](signals.md) has examples of all.\n\n\
                     | keys | what it is | may have |\n|---|---|---|\n";
            for form in signal["oneOf"].as_array().into_iter().flatten().filter(|form| is_type(form, "object")) {
                let required: Vec<&str> =
                    form["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                let names = |keys: Vec<&str>| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                let others = form["properties"].as_object().map_or_else(Vec::new, |keys: &Map<String, Value>| {
                    keys.keys().map(String::as_str).filter(|key| !required.contains(key)).collect()
                });
                let words = one_line(form["description"].as_str().unwrap_or_default());
                page += &format!("| {} | {} | {} |\n", names(required), cell(&words), names(others));
            }
        }
        let law = self.law.as_ref().and_then(|law| {
            ["oneOf", "anyOf"]
                .iter()
                .flat_map(|key| law[*key].as_array())
                .flatten()
                .find(|form| is_type(form, "object"))
        });
        if let Some(law) = law {
            page += &format!(
                "\n## Friction laws\n{}\n\n| key | what it is | written |\n|---|---|---|\n",
                one_line(law["description"].as_str().unwrap_or_default())
            );
            let mut forms = Forms::default();
            for (key, value) in ordered(law) {
                let words = one_line(value["description"].as_str().unwrap_or_default());
                page += &format!("| `{key}` | {} | {} |\n", cell(&words), cell(&forms.written(value)));
            }
        }
        page
    }
}

/// The names that a key may have as its value.
fn constant(value: &Value) -> Option<String> {
    let quoted = |value: &Value| value.as_str().map(|name| format!("`\"{name}\"`"));
    let own = value["const"].as_str().map(|_| vec![quoted(&value["const"])]);
    let listed = value["enum"].as_array().map(|names| names.iter().map(quoted).collect());
    let names: Option<Vec<Option<String>>> = own.or(listed);
    names.map(|names| names.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

/// A quantity: an example with a unit, or a number where it has none.
fn plain(value: &Value) -> String {
    let forms = ["oneOf", "anyOf"].iter().flat_map(|key| value[*key].as_array()).flatten();
    let pure = |form: &Value| form["description"].as_str().is_none_or(|words| words.ends_with(" in 1"));
    if forms.clone().any(|form| is_type(form, "number") && pure(form)) {
        return "a number".into();
    }
    let example = forms.filter_map(|form| form["examples"][0].as_str()).next();
    example.map_or_else(|| "a number".into(), |example| format!("`\"{example}\"`"))
}
