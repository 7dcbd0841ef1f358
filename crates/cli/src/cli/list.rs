//! `stickslip list`.

use serde_json::{Value, json};
use stickslip::models::MODELS;
use stickslip::scenario::Builtin;
use stickslip::scenario::sweep::At;

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
    lines.extend([Line::text(""), Line::title("with maps and diagrams of their own, by `stickslip sweep NAME`")]);
    let swept = |builtin: &Builtin| {
        swept(builtin).map(|words| Line::hanging(format!("  {:<width$}  {words}", builtin.name), width + 4))
    };
    lines.extend(MODELS.builtins().filter_map(swept));
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

/// What the own sweep of a built-in scenario is; none where it has none.
fn swept(builtin: &Builtin) -> Option<String> {
    // Most have none: they need not be read.
    let has_one = builtin.text.contains("\n[sweep");
    let sweep = has_one
        .then(|| MODELS.builtin(builtin.name, &[]).ok())
        .flatten()?
        .sweep
        .filter(|sweep| !sweep.vary.is_empty())?;
    let names = |all: &[(String, String)]| all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let keys: Vec<&str> = sweep.vary.iter().map(|(key, _)| key.as_str()).collect();
    let what = match &sweep.section {
        Some(own) if own.at == At::Spectrum => format!("spectra of {}", own.column),
        Some(own) if own.carry.is_empty() => format!("bifurcations of {}", own.column),
        Some(own) => format!("bifurcations of {}, up and down,", own.column),
        None if !sweep.orbits.is_empty() => format!("basins of {}", names(&sweep.classes)),
        None if !sweep.classes.is_empty() => names(&sweep.classes),
        None => names(&sweep.outputs),
    };
    Some(format!("{what} over {}", keys.join(" and ")))
}

fn data() -> Result<String, serde_json::Error> {
    let entry = |model: &'static str, builtin: &Builtin| {
        let first = TO_START_WITH.contains(&builtin.name);
        let (name, title, sweep) = (builtin.name, builtin.title, swept(builtin));
        json!({ "name": name, "model": model, "title": title, "to_start_with": first, "sweep": sweep })
    };
    let all = MODELS.builtins_by_model();
    let all: Vec<_> = all.flat_map(|(model, list)| list.iter().map(move |builtin| entry(model, builtin))).collect();
    serde_json::to_string_pretty(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_told() {
        let of = |name: &str| MODELS.builtins().find(|builtin| builtin.name == name).and_then(swept);
        assert_eq!(
            of("wheel-sport-braking").as_deref(),
            Some("rolls, slides, locks over brake.torque.max and ground.friction")
        );
        assert_eq!(of("towed-wheel-p1").as_deref(), Some("bifurcations of psi, up and down, over towing.speed"));
        assert_eq!(of("wheel-sport-drive"), None);
        assert_eq!(MODELS.builtins().filter_map(swept).count(), 7);
    }

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
