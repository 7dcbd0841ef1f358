//! Quantities: SI numbers or strings with units, checked for dimension and range as they are read.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use stickslip_core::range::Range;
pub use stickslip_core::range::{Any, Fraction, Negative, NonNegative, Positive, Slope};
use toml::Spanned;

use crate::decimal::Decimal;
use crate::fault::{Fault, number, quote, shortened};
use crate::kind::Kind;
use crate::unit::Unit;

/// A range as files know it.
pub trait Bounds: Range {
    /// What values must be, after "a mass": " greater than 0".
    const REQUIREMENT: &'static str;
    /// Adds the bounds to a schema of numbers.
    fn describe(_: &mut Schema) {}
}

impl Bounds for Any {
    const REQUIREMENT: &'static str = "";
}

impl Bounds for Positive {
    const REQUIREMENT: &'static str = " greater than 0";
    fn describe(schema: &mut Schema) {
        schema.insert("exclusiveMinimum".into(), 0.into());
    }
}

impl Bounds for NonNegative {
    const REQUIREMENT: &'static str = " of at least 0";
    fn describe(schema: &mut Schema) {
        schema.insert("minimum".into(), 0.into());
    }
}

impl Bounds for Negative {
    const REQUIREMENT: &'static str = " less than 0";
    fn describe(schema: &mut Schema) {
        schema.insert("exclusiveMaximum".into(), 0.into());
    }
}

impl Bounds for Fraction {
    const REQUIREMENT: &'static str = " between 0 and 1";
    fn describe(schema: &mut Schema) {
        schema.insert("minimum".into(), 0.into());
        schema.insert("maximum".into(), 1.into());
    }
}

impl Bounds for Slope {
    const REQUIREMENT: &'static str = " between -90 and 90 deg";
    fn describe(schema: &mut Schema) {
        schema.insert("exclusiveMinimum".into(), (-std::f64::consts::FRAC_PI_2).into());
        schema.insert("exclusiveMaximum".into(), std::f64::consts::FRAC_PI_2.into());
    }
}

/// A quantity of kind `K` within bounds `B`: its SI value and its place in the file.
#[derive(Debug)]
pub struct Quantity<K, B = Any> {
    /// Its value in SI units.
    pub si: f64,
    /// Where it stands.
    pub span: std::ops::Range<usize>,
    marker: PhantomData<(K, B)>,
}

// Derived, this would ask for markers that can be cloned.
impl<K, B> Clone for Quantity<K, B> {
    fn clone(&self) -> Self {
        Quantity { span: self.span.clone(), ..Quantity::new(self.si) }
    }
}

impl<K, B> Quantity<K, B> {
    /// A value that was not written by the user.
    pub fn new(si: f64) -> Self {
        Quantity { si, span: 0..0, marker: PhantomData }
    }
}

impl<K, B> Default for Quantity<K, B> {
    fn default() -> Self {
        Quantity::new(0.0)
    }
}

/// What to write where a `K` is expected.
pub fn advice<K: Kind>() -> String {
    let examples: Vec<String> = K::EXAMPLES.iter().map(|e| format!("\"{e}\"")).collect();
    let examples = examples.join(" or ");
    match K::SI {
        "1" => format!("write a plain number, or for example {examples}"),
        si => format!("write for example {examples}, or a plain number in {si}"),
    }
}

/// Reads a text such as "120 kW" as a quantity of kind `K`.
pub fn read<K: Kind>(text: &str) -> Result<f64, Fault> {
    let trimmed = text.trim();
    let Some((digits, rest)) = Decimal::split(trimmed) else {
        return Err(Fault::new(format!(
            "{} does not begin with a number, but {} is expected here",
            quote(text),
            K::NAME
        ))
        .help(advice::<K>()));
    };
    let rest = rest.trim_start();
    let unit = if rest.is_empty() { Unit::ONE } else { Unit::parse(rest)? };
    if !K::DIMENSION.accepts(unit.dimension) {
        let found = if rest.is_empty() { "has no unit".to_string() } else { format!("is {}", unit.dimension) };
        return Err(
            Fault::new(format!("{} {found}, but {} is expected here", quote(text), K::NAME)).help(advice::<K>())
        );
    }
    let value = unit.value(digits).ok_or_else(|| too_large(&quote(text)))?;
    if is_share_of_angle::<K>(rest, &unit) {
        return Err(Fault::new(format!("{} does not say {}", quote(text), K::NAME)).help(match K::SI {
            "rad" => gradient(trimmed, value),
            _ => advice::<K>(),
        }));
    }
    Ok(value)
}

/// Whether an angle, or a rate of one, is given in per cent or per mille: as a number it would be taken for radians, where a gradient,
/// a tangent, is meant.
pub(crate) fn is_share_of_angle<K: Kind>(written: &str, unit: &Unit) -> bool {
    K::DIMENSION.angle != 0 && unit.dimension.angle == 0 && written.contains(['%', '‰'])
}

/// What to write for a gradient tan θ.
fn gradient(written: &str, tangent: f64) -> String {
    let degrees = number(format!("{:.6}", tangent.atan().to_degrees()).parse().unwrap_or(f64::NAN));
    let written = shortened(written);
    format!("a gradient of {written} is {degrees} deg (tan θ = {}): write \"{degrees} deg\"", number(tangent))
}

fn too_large(text: &str) -> Fault {
    Fault::new(format!("{text} is too large a number")).help("numbers reach to about 1.8e308 in SI units")
}

fn too_long(value: f64) -> Fault {
    Fault::new("this whole number is too large").help(format!("write it with an exponent: {value:e}"))
}

/// The fault of a value outside the bounds.
pub fn out_of_bounds<K: Kind, B: Bounds>(found: &str) -> Fault {
    Fault::new(format!("{}{} is expected here, found {found}", K::NAME, B::REQUIREMENT)).help(advice::<K>())
}

/// Accepts numbers and strings with units.
pub struct Numbers<K>(pub PhantomData<K>);

impl<K: Kind> de::Visitor<'_> for Numbers<K> {
    /// SI value and the text to show in messages.
    type Value = (f64, String);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(K::NAME)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Self::Value, E> {
        if !value.is_finite() {
            return Err(Fault::new(format!("{} must be finite, found {value}", K::NAME)).help(advice::<K>()).raise());
        }
        Ok((value, number(value)))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Self::Value, E> {
        self.visit_f64(value as f64)
    }

    // TOML has whole numbers of 64 bits with sign; what is larger can be written with an exponent.
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
        Err(too_long(value as f64).raise())
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<Self::Value, E> {
        Err(too_long(value as f64).raise())
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<Self::Value, E> {
        Err(too_long(value as f64).raise())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        let value = read::<K>(text).map_err(Fault::raise)?;
        Ok((value, quote(text)))
    }
}

/// A number with the text to show in messages.
struct Written<K>(f64, String, PhantomData<K>);

impl<'de, K: Kind> Deserialize<'de> for Written<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (si, shown) = deserializer.deserialize_any(Numbers::<K>(PhantomData))?;
        Ok(Written(si, shown, PhantomData))
    }
}

/// Written values that lie within bounds.
struct Within<K, B>(f64, PhantomData<(K, B)>);

impl<'de, K: Kind, B: Bounds> Deserialize<'de> for Within<K, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Written(si, shown, _) = Written::<K>::deserialize(deserializer)?;
        if B::admits(si) { Ok(Within(si, PhantomData)) } else { Err(out_of_bounds::<K, B>(&shown).raise()) }
    }
}

impl<'de, K: Kind, B: Bounds> Deserialize<'de> for Quantity<K, B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let within = Spanned::<Within<K, B>>::deserialize(deserializer)?;
        Ok(Quantity { span: within.span(), ..Quantity::new(within.get_ref().0) })
    }
}

/// Schema of the plain number, and of the string with a unit.
pub fn schemas<K: Kind, B: Bounds>() -> [Schema; 2] {
    let mut plain = json_schema!({
        "type": "number",
        "description": format!("{}{} in {}", K::NAME, B::REQUIREMENT, K::SI),
    });
    B::describe(&mut plain);
    let text = json_schema!({
        "type": "string",
        "pattern": r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?",
        "description": format!("{}{} with its unit", K::NAME, B::REQUIREMENT),
        "examples": K::EXAMPLES,
    });
    [plain, text]
}

impl<K: Kind, B: Bounds> JsonSchema for Quantity<K, B> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{}{}", K::NAME, B::REQUIREMENT).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": schemas::<K, B>() })
    }
}
