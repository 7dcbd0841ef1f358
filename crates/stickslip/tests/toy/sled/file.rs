//! `model = "sled"`.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip::run::Model;
use stickslip::scenario::tables::{
    Context, Fault, Force, Mass, NonNegative, Positive, Quantity, Ratio, SignalOf, Tables, table,
};

use super::Parameters;

/// A sled on level ground.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SledTables {
    /// The sled.
    #[serde(deserialize_with = "table")]
    sled: SledTable,
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

    fn model(&self, context: &mut Context<'_>) -> Result<Arc<dyn Model>, Fault> {
        let force = self.sled.force.read("the force", context)?;
        Ok(Arc::new(Parameters { mass: self.sled.mass.si, friction: self.sled.friction.si, force }))
    }
}
