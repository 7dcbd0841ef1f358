//! The unit of a key, as the schema says it.

use serde_json::Value;

/// The SI unit of plain numbers at a path, `1` for pure ones; none where the schema does not tell, or tells several.
pub(super) fn of_key<'k>(schema: &Value, path: impl Iterator<Item = &'k str>) -> Option<String> {
    let mut places = vec![schema];
    for key in path {
        let forms: Vec<&Value> = places.into_iter().flat_map(forms).collect();
        let below = |form: &&'_ Value| form["properties"].get(key).is_some();
        let tables: Vec<&Value> = forms.iter().copied().filter(below).map(|form| &form["properties"][key]).collect();
        // A name or a number of an entry leads into a list.
        let lists = || forms.iter().filter(|form| form["items"].is_object()).map(|form| &form["items"]);
        let numbered = || forms.iter().flat_map(|form| form["prefixItems"].as_array()).flatten();
        places = if tables.is_empty() { lists().chain(numbered()).collect() } else { tables };
    }
    let mut units: Vec<&str> = places.into_iter().flat_map(forms).filter_map(unit).collect();
    units.sort_unstable();
    units.dedup();
    match units[..] {
        [unit] => Some(unit.to_string()),
        _ => None,
    }
}

/// A value and all that it may be instead.
fn forms(value: &Value) -> Vec<&Value> {
    let choices = ["anyOf", "oneOf"].into_iter().flat_map(|key| value[key].as_array()).flatten();
    std::iter::once(value).chain(choices.flat_map(forms)).collect()
}

/// The unit of a plain number: its description is "a torque greater than 0 in N m".
fn unit(form: &Value) -> Option<&str> {
    let number = form["type"] == "number";
    let (_, unit) = form["description"].as_str()?.rsplit_once(" in ")?;
    number.then_some(unit)
}
