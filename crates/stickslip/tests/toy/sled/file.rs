//! `model = "sled"`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip::run::Model;
use stickslip::scenario::tables::{
    Context, Fault, Force, Mass, NonNegative, OutputTable, Positive, Quantity, Ratio, RunTable, Shared, SignalOf,
    Tables, table,
};

use super::Parameters;

/// A sled on level ground.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SledTables {
    /// Which model the file describes.
    #[schemars(extend("const" = "sled"))]
    #[expect(dead_code, reason = "names the model; read before the other keys")]
    model: String,
    title: Option<String>,
    /// The sled.
    #[serde(deserialize_with = "table")]
    sled: SledTable,
    #[serde(deserialize_with = "table")]
    run: RunTable,
    #[serde(default, deserialize_with = "table")]
    output: OutputTable,
}

/// The sled.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SledTable {
    /// Mass, > 0.
    mass: Quantity<Mass, Positive>,
    /// Friction coefficient, >= 0.
    friction: Quantity<Ratio, NonNegative>,
    /// Force, a signal.
    force: SignalOf<Force>,
}

impl Tables for SledTables {
    type Model = Arc<dyn Model>;

    const MODEL: &'static str = "sled";

    fn shared(&mut self) -> Shared<'_> {
        Shared { title: self.title.take(), description: None, run: Some(&self.run), output: Some(&self.output) }
    }

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let force = self.sled.force.read("the force", context)?;
        Ok(Arc::new(Parameters { mass: self.sled.mass.si, friction: self.sled.friction.si, force }))
    }
}
