//! `stickslip list`.

use serde_json::{Value, json};
use stickslip::models::MODELS;
use stickslip::scenario::Builtin;

use super::console::Console;
use super::failure::Failure;
use super::layout::{Line, length};

/// One of each kind of question, for those who see the program for the first time.
const TO_START_WITH: [&str; 5] =
    ["wheel-sport-braking", "park-on-slope", "car-brake-ramp", "block-on-belt", "creep-42kn"];

/// Prints all built-in scenarios, by model, or as JSON.
pub(super) fn perform(as_json: bool, console: &mut Console) -> Result<(), Failure> {
    if as_json {
        return console.line(&data().map_err(|e| Failure::broken(e.to_string()))?);
    }
    let width = MODELS.builtins().map(|builtin| length(builtin.name)).max().unwrap_or(0);
    let line = |builtin: &Builtin| Line::hanging(format!("  {:<width$}  {}", builtin.name, builtin.title), width + 4);
    let mut lines = vec![Line::title("to start with")];
    let first = |name: &&str| MODELS.builtins().find(|builtin| builtin.name == *name);
    lines.extend(TO_START_WITH.iter().filter_map(first).map(line));
    let schema = MODELS.schema();
    for (model, builtins) in MODELS.builtins_by_model() {
        lines.extend([Line::text(""), Line::title(format!("{model}{}", about(&schema, model)))]);
        lines.extend(builtins.iter().map(line));
    }
    lines.extend([Line::text(""), Line::text("`stickslip run NAME` runs one, `stickslip show NAME` prints its file.")]);
    console.lines(&lines)
}

/// What a model is, behind a colon, in the words of the schema.
fn about(schema: &Value, model: &str) -> String {
    let own = schema["oneOf"].as_array().into_iter().flatten();
    let own = own.into_iter().find(|own| own["properties"]["model"]["const"] == model);
    let words = own.and_then(|own| own["description"].as_str()).and_then(|words| words.split("\n\n").next());
    words.map_or_else(String::new, |words| format!(": {}", words.replace('\n', " ").trim_end_matches('.')))
}

fn data() -> Result<String, serde_json::Error> {
    let entry = |model: &'static str, builtin: &Builtin| {
        let first = TO_START_WITH.contains(&builtin.name);
        json!({ "name": builtin.name, "model": model, "title": builtin.title, "to_start_with": first })
    };
    let all = MODELS.builtins_by_model();
    let all: Vec<_> = all.flat_map(|(model, list)| list.iter().map(move |builtin| entry(model, builtin))).collect();
    serde_json::to_string_pretty(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_start_with_is_there_and_of_several_models() {
        let model = |name: &str| {
            MODELS.builtins_by_model().find(|(_, list)| list.iter().any(|b| b.name == name)).expect(name).0
        };
        let mut models = TO_START_WITH.map(model).to_vec();
        models.dedup();
        assert!(models.len() >= 4, "{models:?}");
    }
}
