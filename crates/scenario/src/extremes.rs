//! Inputs of unusual size: where to look when a run leaves the range of floating-point numbers.

use toml::Value;

use crate::decimal::Decimal;
use crate::unit::Unit;

/// An input far from the usual sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtremeInput {
    /// Its key as `--set` takes it, such as `wheel.1.radius`.
    pub key: String,
    /// How it is written.
    pub written: String,
    /// Powers of ten between it and 1 in SI units.
    pub orders: f64,
}

/// Powers of ten from 1 beyond which a number in SI units is worth naming; the modulus of steel, 2e11 Pa, is not.
const ORDERS: f64 = 12.0;

/// The inputs of a scenario's text beyond the usual sizes, the most extreme first.
pub(crate) fn extremes(text: &str) -> Vec<ExtremeInput> {
    let mut found = Vec::new();
    if let Ok(table) = text.parse::<toml::Table>() {
        walk(&Value::Table(table), String::new(), &mut found);
    }
    found.sort_by(|a, b| b.orders.total_cmp(&a.orders));
    found
}

fn walk(value: &Value, key: String, found: &mut Vec<ExtremeInput>) {
    let below = |name: &str| if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
    let si = match value {
        Value::Table(table) => return table.iter().for_each(|(name, inner)| walk(inner, below(name), found)),
        Value::Array(list) => {
            return list.iter().enumerate().for_each(|(i, inner)| walk(inner, below(&(i + 1).to_string()), found));
        }
        Value::Integer(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        Value::String(text) => quantity(text),
        _ => None,
    };
    let orders = si.filter(|x| *x != 0.0).map_or(0.0, |x| x.abs().log10().abs());
    if orders >= ORDERS {
        let written = match value {
            Value::Float(x) => format!("{x:e}"),
            other => other.to_string(),
        };
        found.push(ExtremeInput { key, written, orders });
    }
}

/// The SI value of a text such as "4 mm"; none for words, and for numbers that units push out of range.
fn quantity(text: &str) -> Option<f64> {
    let (digits, unit) = Decimal::split(text.trim())?;
    let unit = if unit.trim().is_empty() { Unit::ONE } else { Unit::parse(unit.trim()).ok()? };
    unit.value(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extreme_inputs_are_named_by_their_keys() {
        let text =
            "a = 1e20\nb.c = \"2e-9 µm\"\nd = 3\n[[wheel]]\nx = 0\n[[wheel]]\nr = 1e-300\np = [[0, 1], [2, -1e13]]\n";
        let keys: Vec<String> = extremes(text).into_iter().map(|e| format!("{} = {}", e.key, e.written)).collect();
        assert_eq!(keys, ["wheel.2.r = 1e-300", "a = 1e20", "b.c = \"2e-9 µm\"", "wheel.2.p.2.2 = -1e13"]);
        assert_eq!(extremes("mass = \"400 kg\"\nstiffness = \"200 MN/m\"\n"), []);
    }
}
