//! Models that scenario files can describe.
//!
//! A new model needs a file with its tables (as `wheel.rs`), a variant of [`Model`] and a line in [`FORMATS`].

use std::path::Path;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use stickslip_contact::case::Case;
use stickslip_models::rail_wheel::Plan;
use stickslip_models::{assembly, towed_wheel, vehicle, wheel};
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use crate::assembly::AssemblyTables;
use crate::fault::Fault;
use crate::input::Gathered;
use crate::rail_wheel::RailWheelTables;
use crate::rolling_contact::RollingContactTables;
use crate::run::{Output, OutputTable, Run, RunTable, Scheme};
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
    /// Bodies, springs, stops and friction pads.
    Assembly(assembly::Parameters),
    /// A wheel towed by a bar on a spring.
    TowedWheel(towed_wheel::Parameters),
    /// Two elastic bodies that roll over each other; solved once, not in time.
    RollingContact(Case),
    /// One driven and braked railway wheel on a creep-force law.
    RailWheel(Box<Plan>),
}

/// The same run with smoothed friction beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contrast {
    /// Speed ε of the law μN tanh(slip/ε) that takes the place of dry friction on the ground [m/s], > 0.
    pub tanh_speed: f64,
}

impl Model {
    /// The name used in scenario files.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Wheel(_) => WheelTables::MODEL,
            Model::Vehicle(_) => VehicleTables::MODEL,
            Model::Assembly(_) => AssemblyTables::MODEL,
            Model::TowedWheel(_) => TowedWheelTables::MODEL,
            Model::RollingContact(_) => RollingContactTables::MODEL,
            Model::RailWheel(_) => RailWheelTables::MODEL,
        }
    }
}

/// All models, in the order of the documentation.
pub(crate) const FORMATS: &[Format] = &[
    Format::of::<WheelTables>(),
    Format::of::<VehicleTables>(),
    Format::of::<AssemblyTables>(),
    Format::of::<TowedWheelTables>(),
    Format::of::<RollingContactTables>(),
    Format::of::<RailWheelTables>(),
];

/// The tables of a model's scenario file, as serde reads them.
pub(crate) trait Tables: DeserializeOwned + JsonSchema {
    /// The value of the key `model`.
    const MODEL: &'static str;

    /// The schemes it can be run by.
    const SCHEMES: &'static [Scheme] = &[Scheme::ImplicitEuler, Scheme::Events];

    /// What all models have.
    fn shared(&mut self) -> Shared<'_>;

    /// The model's own data.
    fn model(&self, context: &mut Context<'_>) -> Result<Model, Fault>;
}

/// What the files of all models contain.
pub(crate) struct Shared<'a> {
    pub title: Option<String>,
    pub description: Option<String>,
    /// None for what is not simulated in time.
    pub run: Option<&'a RunTable>,
    pub output: Option<&'a OutputTable>,
    pub contrast: Option<Contrast>,
}

/// What is needed besides the tables to read a model.
pub(crate) struct Context<'a> {
    /// Folder that relative paths start from.
    pub base: &'a Path,
    /// Simulated time in seconds: how far expressions are probed.
    pub duration: f64,
    /// The scheme asked for.
    pub scheme: Scheme,
    /// Takes in the files read.
    pub gathered: &'a mut Gathered,
}

/// What was read from a file.
pub(crate) struct Contents {
    pub title: Option<String>,
    pub description: Option<String>,
    pub run: Run,
    pub output: Output,
    pub contrast: Option<Contrast>,
    pub model: Model,
}

/// One model: its name and what can be done with its tables.
pub(crate) struct Format {
    pub name: &'static str,
    pub read: fn(Spanned<DeTable<'_>>, &Path, &mut Gathered) -> Result<Contents, Fault>,
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Format {
    const fn of<T: Tables>() -> Format {
        Format { name: T::MODEL, read: read::<T>, schema: T::json_schema }
    }
}

fn read<T: Tables>(document: Spanned<DeTable<'_>>, base: &Path, gathered: &mut Gathered) -> Result<Contents, Fault> {
    let mut tables = T::deserialize(Deserializer::from(document)).map_err(Fault::from)?;
    let Shared { title, description, run, output, contrast } = tables.shared();
    let run = run.map_or(Ok(Run::TIMELESS), |run| run.read(T::MODEL, T::SCHEMES))?;
    let output = output.map(|output| output.read(T::MODEL, T::SCHEMES)).transpose()?.unwrap_or_default();
    let model = tables.model(&mut Context { base, duration: run.duration, scheme: run.scheme, gathered })?;
    Ok(Contents { title, description, run, output, contrast, model })
}
