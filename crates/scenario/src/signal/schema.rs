//! JSON schema of signals.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::SignalOf;
use crate::kind::{Angle, Frequency, Kind, Time};
use crate::quantity::{Any, Bounds, Positive, Quantity, schemas};

impl<K: Kind, B: Bounds> JsonSchema for SignalOf<K, B> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("signal of {}{}", K::NAME, B::REQUIREMENT).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let time = Quantity::<Time>::json_schema(generator);
        let value = Quantity::<K, B>::json_schema(generator);
        let free = Quantity::<K, Any>::json_schema(generator);
        let frequency = Quantity::<Frequency, Positive>::json_schema(generator);
        let period = Quantity::<Time, Positive>::json_schema(generator);
        let phase = Quantity::<Angle>::json_schema(generator);
        // value(t) = scale signal(t − shift) + offset.
        let words = "Factor of the values";
        let factor = json_schema!({ "description": words, "type": ["number", "string"] });
        let scale = json_schema!({
            "description": format!("{words}; with a unit where it makes {} of another quantity", K::NAME),
            "type": ["number", "string"],
            "examples": ["15 N m/bar"]
        });
        let [plain, text] = schemas::<K, B>();
        json_schema!({
            "oneOf": [
                plain,
                text,
                {
                    "description": "Straight lines between points [time, value], held constant outside; two points at one time make a jump",
                    "type": "object",
                    "properties": {
                        "points": {
                            "type": "array",
                            "minItems": 1,
                            "items": { "type": "array", "prefixItems": [time, value], "minItems": 2, "maxItems": 2 }
                        },
                        "scale": factor, "offset": free, "shift": time
                    },
                    "required": ["points"],
                    "additionalProperties": false
                },
                {
                    "description": "Zero until the first time, straight to max at the second, held to the third, straight to zero at the fourth",
                    "type": "object",
                    "properties": {
                        "trapezoid": { "type": "array", "items": time, "minItems": 4, "maxItems": 4 },
                        "max": value,
                        "scale": factor, "offset": free, "shift": time
                    },
                    "required": ["trapezoid", "max"],
                    "additionalProperties": false
                },
                {
                    "description": "offset + amplitude sin(2 pi frequency t + phase)",
                    "type": "object",
                    "properties": {
                        "sine": {
                            "type": "object",
                            "properties": {
                                "amplitude": free,
                                "frequency": frequency,
                                "period": period,
                                "phase": phase,
                                "offset": free
                            },
                            "oneOf": [
                                { "required": ["amplitude", "frequency"] },
                                { "required": ["amplitude", "period"] }
                            ],
                            "additionalProperties": false
                        },
                        "scale": factor, "offset": free, "shift": time
                    },
                    "required": ["sine"],
                    "additionalProperties": false
                },
                {
                    "description": format!("A formula of the time t in seconds; its result is in {}", K::SI),
                    "type": "object",
                    "properties": { "expression": { "type": "string", "examples": ["100*sin(2*pi*t)"] } },
                    "required": ["expression"],
                    "additionalProperties": false
                },
                {
                    "description": format!("Two columns of a CSV file, joined by straight lines; values in `unit` (default {})", K::SI),
                    "type": "object",
                    "properties": {
                        "csv": { "type": "string", "description": "Path, relative to the folder of the scenario file" },
                        "time": { "type": "string", "description": "Name of the column of times in seconds (default t)" },
                        "column": { "type": "string", "description": "Name of the column of values" },
                        "unit": { "type": "string", "description": "Unit of the values" },
                        "scale": scale, "offset": free, "shift": time
                    },
                    "required": ["csv", "column"],
                    "additionalProperties": false
                }
            ]
        })
    }
}
