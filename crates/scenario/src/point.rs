//! Points `[where, value]` of polygons.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

use crate::fault::Fault;
use crate::kind::Kind;
use crate::quantity::Quantity;

/// `[at, value]`: a time or a place, and what holds there.
#[derive(Debug)]
pub struct Point<X, K> {
    /// A time or a place.
    pub at: Quantity<X>,
    /// What holds there.
    pub value: Quantity<K>,
}

impl<'de, X: Kind, K: Kind> Deserialize<'de> for Point<X, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Pair(PhantomData))
    }
}

struct Pair<X, K>(PhantomData<(X, K)>);

impl<'de, X: Kind, K: Kind> de::Visitor<'de> for Pair<X, K> {
    type Value = Point<X, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a point [{}, value]", X::NAME.trim_start_matches("a "))
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Point<X, K>, A::Error> {
        let wrong = || {
            Fault::new(format!("a point has {} and a value, no more and no less", X::NAME))
                .help(format!("write for example [[0, 0], [\"{}\", 10]]", X::EXAMPLES.first().unwrap_or(&"1")))
                .raise()
        };
        let at = seq.next_element()?.ok_or_else(wrong)?;
        let value = seq.next_element()?.ok_or_else(wrong)?;
        match seq.next_element::<de::IgnoredAny>()? {
            None => Ok(Point { at, value }),
            Some(_) => Err(wrong()),
        }
    }
}

impl<X: Kind, K: Kind> JsonSchema for Point<X, K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("point of {} at {}", K::NAME, X::NAME).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let (at, value) = (Quantity::<X>::json_schema(generator), Quantity::<K>::json_schema(generator));
        json_schema!({ "type": "array", "prefixItems": [at, value], "items": false, "minItems": 2 })
    }
}
