//! Models that scenario files can describe.
//!
//! A new model needs a file with its tables (as `wheel.rs`), a variant of [`Model`] and a line in [`FORMATS`].

use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use sha2::Sha256;
use stickslip_core::model::{towed_wheel, vehicle, wheel};
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::fault::Fault;
use crate::run::{Output, OutputTable, Run, RunTable};
use crate::towed_wheel::TowedWheelTables;
use crate::vehicle::VehicleTables;
use crate::wheel::WheelTables;

/// What a scenario simulates.
#[derive(Debug, Clone)]
pub enum Model {
    /// One driven and braked wheel.
    Wheel(wheel::Parameters),
    /// A chassis on any number of wheels.
    Vehicle(vehicle::Parameters),
    /// A wheel towed by a bar on a spring.
    TowedWheel(towed_wheel::Parameters),
}

impl Model {
    /// The name used in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Wheel(_) => WheelTables::MODEL,
            Model::Vehicle(_) => VehicleTables::MODEL,
            Model::TowedWheel(_) => TowedWheelTables::MODEL,
        }
    }
}

/// All models, in the order of the documentation.
pub(crate) const FORMATS: &[Format] =
    &[Format::of::<WheelTables>(), Format::of::<VehicleTables>(), Format::of::<TowedWheelTables>()];

/// The tables of a model's scenario file, as serde reads them.
pub(crate) trait Tables: DeserializeOwned + JsonSchema {
    /// The value of the key `model`.
    const MODEL: &'static str;

    /// What all models have.
    fn shared(&mut self) -> Shared<'_>;

    /// The model's own data.
    fn model(&self, context: &mut Context<'_>) -> Result<Model, Fault>;
}

/// What the files of all models contain.
pub(crate) struct Shared<'a> {
    pub title: Option<String>,
    pub description: Option<String>,
    pub run: &'a RunTable,
    pub output: &'a OutputTable,
}

/// What is needed besides the tables to read a model.
pub(crate) struct Context<'a> {
    /// Folder that relative paths start from.
    pub base: &'a Path,
    /// Simulated time in seconds: how far expressions are probed.
    pub duration: f64,
    /// Takes in the bytes of the files read.
    pub hash: &'a mut Sha256,
}

/// What was read from a file.
pub(crate) struct Contents {
    pub title: Option<String>,
    pub description: Option<String>,
    pub run: Run,
    pub output: Output,
    pub model: Model,
}

/// One model: its name and what can be done with its tables.
pub(crate) struct Format {
    pub name: &'static str,
    pub read: fn(Spanned<DeTable<'_>>, &Path, &mut Sha256) -> Result<Contents, Fault>,
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Format {
    const fn of<T: Tables>() -> Format {
        Format { name: T::MODEL, read: read::<T>, schema: T::json_schema }
    }
}

fn read<T: Tables>(document: Spanned<DeTable<'_>>, base: &Path, hash: &mut Sha256) -> Result<Contents, Fault> {
    let mut tables = T::deserialize(Deserializer::from(document)).map_err(Fault::from)?;
    let Shared { title, description, run, output } = tables.shared();
    let (run, output) = (run.read()?, output.read());
    let model = tables.model(&mut Context { base, duration: run.duration, hash })?;
    Ok(Contents { title, description, run, output, model })
}
