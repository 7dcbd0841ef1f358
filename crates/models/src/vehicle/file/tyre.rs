//! `tyre` and `disc` of a [[wheel]].
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::collections::BTreeMap;
use std::ops::Range;

use crate::vehicle::{TyreForm, WheelTyre};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::json;
use stickslip_core::law::Curve;
use stickslip_loads::heat::{Disc, DiscData, ranges as disc};
use stickslip_loads::tyre::{Coefficients, Tyre, parse_tir, ranges};
use stickslip_scenario::tables::{
    AnyRatio, Context, Fault, Force, Mass, Pressure, Quantity, Ratio, Spanned, Stiffness, curve, listed, nearest, quote,
};

/// The tyre of a wheel: the Magic Formula from a .tir file or from plain coefficients.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(in crate::vehicle) struct TyreTable {
    /// Path of a .tir file (MF 5.2, 6.1 or 6.2, SI units), relative to the folder of this file; instead of `coefficients`.
    #[schemars(with = "Option<String>")]
    file: Option<Spanned<String>>,
    /// Coefficients of the longitudinal Magic Formula (MF 6.1) by their names in small letters, such as { pcx1 = 1.6, pdx1 =
    /// 1.0, pkx1 = 22 }; those that are left out are 0, scale factors (l...) 1.
    #[schemars(schema_with = "named_coefficients")]
    coefficients: Option<Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>>,
    /// Load FNOMIN that the coefficients belong to [N], > 0; with `coefficients`.
    nominal_load: Option<Quantity<Force, ranges::NominalLoad>>,
    /// Inflation pressure [Pa], > 0 (default: the nominal one, or that of the file).
    pressure: Option<Quantity<Pressure, ranges::Pressure>>,
    /// Nominal pressure of the coefficients [Pa], > 0 (default: that of the file).
    nominal_pressure: Option<Quantity<Pressure, ranges::Pressure>>,
    /// Longitudinal stiffness of the tread [N/m], > 0 (default: that of the file).
    pub stiffness: Option<Quantity<Stiffness, ranges::Stiffness>>,
    /// "deflection" (default): the tread is a spring that relaxes, which holds through standstill; "steady": the force of the
    /// slip of this instant, and dry friction below 1e-4 m/s, where slip ratios mean nothing.
    #[serde(default)]
    form: Form,
}

/// What a coefficient is, by the first letters of its name.
fn describe(name: &str) -> String {
    let what = match &name[..2] {
        "pc" if name.starts_with("pcf") => "stiffness of the tread over load and pressure",
        "pc" => "shape factor C",
        "pd" => "peak D: friction, its change with load and camber",
        "pe" => "curvature E",
        "pk" => "slip stiffness K",
        "ph" => "horizontal shift",
        "pv" => "vertical shift",
        "pp" => "change with the pressure",
        "pt" => "relaxation length (MF 5.2)",
        _ => "scale factor",
    };
    format!(
        "{} of the Magic Formula: {what} (default {})",
        name.to_uppercase(),
        if name.starts_with('l') && name != "lmuv" { 1 } else { 0 }
    )
}

/// All coefficients are numbers that may be left out.
fn named_coefficients(_: &mut SchemaGenerator) -> Schema {
    let properties: serde_json::Map<String, serde_json::Value> = Coefficients::NAMES
        .iter()
        .map(|name| (name.to_string(), json!({ "type": "number", "description": describe(name) })))
        .collect();
    json_schema!({ "type": "object", "properties": properties, "additionalProperties": false })
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Form {
    #[default]
    Deflection,
    Steady,
}

impl TyreTable {
    /// The tyre; `place` is where it stands.
    pub fn read(&self, place: &Range<usize>, context: &mut Context<'_>) -> Result<WheelTyre, Fault> {
        let mut tyre = match (&self.file, &self.coefficients) {
            (Some(file), None) => self.read_file(file, context)?,
            (None, Some(given)) => self.read_coefficients(given)?,
            (Some(file), Some(_)) => {
                return Err(Fault::new("the tyre is given by a file and by coefficients")
                    .help("leave one of `file` and `coefficients` out")
                    .at(&file.span()));
            }
            (None, None) => {
                return Err(Fault::new("this tyre has neither a `file` nor `coefficients`")
                    .help("write tyre = { file = \"name.tir\" }, or { nominal_load = \"4 kN\", coefficients = { pcx1 = 1.6, pdx1 = 1, pkx1 = 22 } }")
                    .at(place));
            }
        };
        if let Some(nominal) = &self.nominal_pressure {
            (tyre.nominal_pressure, tyre.pressure) = (nominal.si, nominal.si);
        }
        if let Some(pressure) = &self.pressure {
            tyre.pressure = pressure.si;
        }
        tyre.check().map_err(|error| Fault::new(error.to_string()).at(place))?;
        if self.stiffness.is_none() && matches!(self.form, Form::Deflection) {
            tyre.stiffness_at(tyre.nominal_load).map_err(|error| {
                Fault::new(error.to_string()).help("write stiffness = \"350 kN/m\" in `tyre`").at(place)
            })?;
        }
        let form = match self.form {
            Form::Deflection => TyreForm::Deflection,
            Form::Steady => TyreForm::Steady,
        };
        Ok(WheelTyre { tyre, stiffness: self.stiffness.as_ref().map(|stiffness| stiffness.si), form })
    }

    fn read_file(&self, file: &Spanned<String>, context: &mut Context<'_>) -> Result<Tyre, Fault> {
        if let Some(load) = &self.nominal_load {
            return Err(Fault::new("`nominal_load` goes with `coefficients`: the file has its own")
                .help("leave `nominal_load` out")
                .at(&load.span));
        }
        let bytes = context.file(file)?;
        let name = quote(file.get_ref());
        let help = "a .tir file has sections such as [UNITS] and lines NAME = value";
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| Fault::new(format!("{name} is no text")).help(help).at(&file.span()))?;
        parse_tir(text).map_err(|error| Fault::new(format!("{name}, {error}")).help(help).at(&file.span()))
    }

    fn read_coefficients(&self, given: &Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>) -> Result<Tyre, Fault> {
        let Some(load) = &self.nominal_load else {
            return Err(Fault::new("the coefficients of a tyre need the load that they belong to")
                .help("write nominal_load = \"4 kN\" beside them")
                .at(&given.span()));
        };
        let mut coefficients = Coefficients::default();
        for (name, value) in given.get_ref() {
            let Some(coefficient) = coefficients.by_name(name.get_ref()) else {
                let known = Coefficients::NAMES.iter().copied();
                let fault = Fault::new(format!("there is no coefficient {}", quote(name.get_ref())));
                return Err(match nearest(name.get_ref(), known.clone()) {
                    Some(near) => fault.help(format!("did you mean `{near}`?")),
                    None => fault.help(format!("the coefficients are {}", listed(known))),
                }
                .at(&name.span()));
            };
            if !value.get_ref().is_finite() {
                return Err(Fault::new(format!("{} is not a finite number", name.get_ref())).at(&value.span()));
            }
            *coefficient = *value.get_ref();
        }
        Tyre::new(coefficients, load.si).map_err(|error| Fault::new(error.to_string()).at(&given.span()))
    }
}

/// The disc of a brake, which warms and fades.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct DiscTable {
    /// Mass [kg], > 0.
    mass: Quantity<Mass, disc::Mass>,
    /// Specific heat [J/(kg K)], > 0, a number such as 460.
    capacity: Quantity<Ratio, disc::SpecificHeat>,
    /// What cooling air takes per kelvin above it [W/K], >= 0, a number such as 25 (default 0).
    #[serde(default)]
    cooling: Quantity<Ratio, disc::Cooling>,
    /// Temperature of the air, and of the disc at t = 0 [deg C], a number (default 20).
    #[serde(default = "room")]
    ambient: Quantity<Ratio>,
    /// Part of the heat that enters the disc, 0 to 1; the rest goes into the pads (default 1).
    #[serde(default = "whole")]
    share: Quantity<Ratio, disc::Share>,
    /// Points [T, c] of the factor c >= 0 of the brake's torque over the temperature T [deg C], T rising; straight between
    /// them, constant outside (default: no fading).
    #[schemars(with = "Option<Vec<[f64; 2]>>")]
    fade: Option<Spanned<Vec<[Quantity<AnyRatio>; 2]>>>,
}

fn room() -> Quantity<Ratio> {
    Quantity::new(20.0)
}

fn whole() -> Quantity<Ratio, disc::Share> {
    Quantity::new(1.0)
}

impl DiscTable {
    /// The disc; `place` is where it stands.
    pub fn read(&self, place: &Range<usize>) -> Result<DiscData, Fault> {
        let mut fade = Vec::new();
        if let Some(points) = &self.fade {
            if let Some([at, _]) = points.get_ref().iter().find(|[_, c]| c.si < 0.0) {
                return Err(Fault::new("a brake cannot push: the factor of a fade table must not be below zero")
                    .help("give factors of at least 0")
                    .at(&at.span));
            }
            curve(points, Curve::held)?;
            fade = points.get_ref().iter().map(|[at, c]| (at.si, c.si)).collect();
        }
        let data = DiscData {
            mass: self.mass.si,
            specific_heat: self.capacity.si,
            cooling: self.cooling.si,
            ambient: self.ambient.si,
            share: self.share.si,
            fade,
        };
        Disc::new(&data).map_err(|error| Fault::new(error.to_string()).at(place))?;
        Ok(data)
    }
}
