//! Coefficients of friction in scenario files.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};
use stickslip_core::law::curve::CurveError;
use stickslip_core::law::{Coefficient, Curve};
use toml::Spanned;

use crate::fault::Fault;
use crate::kind::{Kind, Ratio, Slowness, Speed};
use crate::quantity::{Bounds, NonNegative, Positive, Quantity};

/// A coefficient of friction: a number, or a table in one of its forms.
#[derive(Debug)]
pub struct FrictionOf {
    form: Form,
    /// Where it stands.
    pub span: Range<usize>,
}

#[derive(Debug)]
enum Form {
    Constant(f64),
    Table(Box<Table>),
}

/// `{ static, kinetic }`, with `alpha` (sech) or `speed` and `exponent` (Stribeck), or `{ table }`; each with `scale`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Coefficient while the pad sticks, >= 0.
    #[serde(rename = "static")]
    sticking: Option<Quantity<Ratio, NonNegative>>,
    /// Coefficient while it slips (fast, for falling laws), >= 0.
    kinetic: Option<Quantity<Ratio, NonNegative>>,
    /// alpha [s/m]: mu = kinetic + (static - kinetic) sech(alpha |s|).
    alpha: Option<Quantity<Slowness, NonNegative>>,
    /// Stribeck speed [m/s]: mu = kinetic + (static - kinetic) exp(-(|s|/speed)^exponent).
    speed: Option<Quantity<Speed, Positive>>,
    /// Stribeck exponent, > 0 (default 1).
    exponent: Option<Quantity<Ratio, Positive>>,
    /// Points [slip speed, coefficient], straight between them and held outside.
    #[schemars(with = "Option<Vec<[f64; 2]>>")]
    table: Option<Spanned<Vec<[Quantity<AnyRatio>; 2]>>>,
    /// Factor of all coefficients, >= 0 (default 1): one number by which a whole law is varied.
    scale: Option<Quantity<Ratio, NonNegative>>,
}

/// A speed or a ratio: the two columns of a table have different kinds, which are checked one by one.
#[derive(Debug, Clone, Copy)]
pub struct AnyRatio;

impl Kind for AnyRatio {
    const NAME: &'static str = "a number";
    const DIMENSION: crate::dimension::Dimension = crate::dimension::dimension(0, 0, 0);
    const SI: &'static str = "SI units";
    const EXAMPLES: &'static [&'static str] = &["0.1"];
}

impl FrictionOf {
    /// The law, checked.
    pub fn read(&self) -> Result<Coefficient, Fault> {
        match &self.form {
            Form::Constant(value) => Ok(Coefficient::Constant(*value)),
            Form::Table(table) => table.read().map_err(|fault| fault.at(&self.span)),
        }
    }
}

impl Table {
    fn read(&self) -> Result<Coefficient, Fault> {
        let scale = self.scale.as_ref().map_or(1.0, |scale| scale.si);
        if let Some(points) = &self.table {
            if self.sticking.is_some() || self.kinetic.is_some() || self.alpha.is_some() || self.speed.is_some() {
                return Err(Fault::new("`table` gives the coefficient alone")
                    .help("leave the other keys out")
                    .at(&points.span()));
            }
            if let Some(bad) = points.get_ref().iter().find(|[_, mu]| mu.si < 0.0) {
                return Err(Fault::new("a coefficient of friction must not be negative")
                    .help("give values of at least 0")
                    .at(&bad[1].span));
            }
            if let Some(bad) = points.get_ref().iter().find(|[speed, _]| speed.si < 0.0) {
                return Err(Fault::new("a slip speed must not be negative: friction is given over its magnitude")
                    .help("give speeds of at least 0; the coefficient is the same both ways")
                    .at(&bad[0].span));
            }
            let scaled = |list: &[(f64, f64)]| {
                Curve::held(&list.iter().map(|(v, mu)| (*v, scale * mu)).collect::<Vec<(f64, f64)>>())
            };
            return curve(points, scaled).map(Coefficient::Table);
        }
        let (Some(sticking), Some(kinetic)) = (&self.sticking, &self.kinetic) else {
            return Err(Fault::new("this table does not say how the friction is given").help(
                "write a number, { static = 0.4, kinetic = 0.3 }, the same with alpha or speed, or { table = [[0, 0.4], \
                 [1, 0.3]] }",
            ));
        };
        let (sticking, slipping) = (scale * sticking.si, scale * kinetic.si);
        if !(sticking.is_finite() && slipping.is_finite()) {
            return Err(Fault::new("`scale` makes a coefficient beyond all numbers").help("write a smaller scale"));
        }
        match (&self.alpha, &self.speed, &self.exponent) {
            (Some(alpha), None, None) => Ok(Coefficient::Sech { sticking, slipping, alpha: alpha.si }),
            (None, Some(speed), exponent) => Ok(Coefficient::Stribeck {
                sticking,
                slipping,
                speed: speed.si,
                exponent: exponent.as_ref().map_or(1.0, |e| e.si),
            }),
            (None, None, None) if sticking >= slipping => Ok(Coefficient::StaticKinetic { sticking, slipping }),
            (None, None, None) => Err(Fault::new("the kinetic coefficient is greater than the static one")
                .help("a contact would stick and slip by turns at one force; give kinetic at most static")
                .at(&kinetic.span)),
            (Some(_), Some(other), _) => Err(Fault::new("`alpha` and `speed` belong to different laws")
                .help("leave one of them out")
                .at(&other.span)),
            (_, None, Some(exponent)) => {
                Err(Fault::new("`exponent` goes with `speed`").help("leave `exponent` out").at(&exponent.span))
            }
        }
    }
}

/// A curve through points.
pub fn curve<K, B: Bounds>(
    points: &Spanned<Vec<[Quantity<K, B>; 2]>>,
    make: impl Fn(&[(f64, f64)]) -> Result<Curve, CurveError>,
) -> Result<Curve, Fault> {
    let list: Vec<(f64, f64)> = points.get_ref().iter().map(|[x, y]| (x.si, y.si)).collect();
    make(&list).map_err(|error| {
        let blamed = error.index().map_or(points.span(), |i| points.get_ref()[i][0].span.clone());
        Fault::new(error.to_string()).help("order the points; the first numbers must rise").at(&blamed)
    })
}

impl<'de> Deserialize<'de> for FrictionOf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Form>::deserialize(deserializer)?;
        Ok(FrictionOf { span: spanned.span(), form: spanned.into_inner() })
    }
}

impl<'de> Deserialize<'de> for Form {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

struct Forms;

impl<'de> de::Visitor<'de> for Forms {
    type Value = Form;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a coefficient of friction or a table that describes one")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Form, E> {
        if value.is_finite() && value >= 0.0 {
            Ok(Form::Constant(value))
        } else {
            Err(Fault::new(format!("a coefficient of friction of at least 0 is expected here, found {value}"))
                .help("write for example 0.4")
                .raise())
        }
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Form, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Form, E> {
        crate::quantity::Numbers::<Ratio>(std::marker::PhantomData).visit_str(text).and_then(|(v, _)| self.visit_f64(v))
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Form, A::Error> {
        Table::deserialize(de::value::MapAccessDeserializer::new(map)).map(|t| Form::Table(Box::new(t)))
    }
}

impl JsonSchema for FrictionOf {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "friction".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let table = Table::json_schema(generator);
        json_schema!({ "oneOf": [{ "type": "number", "minimum": 0 }, { "type": "string" }, table] })
    }
}
