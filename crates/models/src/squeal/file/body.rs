//! A wheel given as a body, whose modes are computed.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_elastic::mesh::Wheel as Shape;
use stickslip_elastic::modes::{MOST_MODES, Wanted};
use stickslip_scenario::tables::{
    Density, Fault, Frequency, Length, Positive, Pressure, Quantity, Ratio, Spanned, number,
};
use stickslip_squeal::body::{Body, BodyError, Built};
use stickslip_squeal::mode::check_damping;

/// Free unknowns of a mesh at the most: a minute, and a gigabyte.
const MOST_UNKNOWNS: usize = 120_000;

/// Bodies whose modes are remembered: sweeps and maps change other numbers, damping among them.
const REMEMBERED: usize = 8;

/// A steel wheel with rim and web, clamped at its hub; its modes are computed by finite elements.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct BodyTable {
    /// Radius of the tread [m], > 0.
    radius: Quantity<Length, Positive>,
    /// Width of the rim [m], > 0.
    width: Quantity<Length, Positive>,
    /// Thickness of the rim, from the tread inwards [m], > 0.
    rim: Quantity<Length, Positive>,
    /// Thickness of the web, along the axle [m], > 0 and at most the width.
    web: Quantity<Length, Positive>,
    /// Radius at which the web ends in a hub that does not move [m], > 0.
    hub: Quantity<Length, Positive>,
    /// Where the wheel touches, along the axle from the middle of the tread [m] (default 0: lateral and vertical motion are then apart).
    #[serde(default)]
    offset: Quantity<Length>,
    /// Young's modulus [Pa], > 0 (default 210 GPa).
    young: Option<Quantity<Pressure, Positive>>,
    /// Poisson's ratio, greater than -1 and less than 0.5 (default 0.3).
    poisson: Option<Quantity<Ratio>>,
    /// Density [kg/m^3], > 0 (default 7850).
    density: Option<Quantity<Density, Positive>>,
    /// Damping ratio of the modes, at least 0 and less than 1.
    damping: Quantity<Ratio>,
    /// Damping ratio of the modes with no or one nodal diameter, which move the axle, at least 0 and less than 1 (default: as `damping`).
    damping_axle: Option<Quantity<Ratio>>,
    /// Keep all modes below this frequency [Hz], > 0 (or `modes`).
    up_to: Option<Quantity<Frequency, Positive>>,
    /// Keep the lowest modes, so many, those among them that the contact does not feel counted (or `up_to`).
    #[schemars(with = "Option<usize>")]
    modes: Option<Spanned<usize>>,
    /// Cells around the wheel, at least 12 (default 48): eight or more a wave.
    #[schemars(with = "Option<usize>")]
    around: Option<Spanned<usize>>,
    /// Cells across rim and web, at least 4 (default 4).
    #[schemars(with = "Option<usize>")]
    across: Option<Spanned<usize>>,
    /// Cells from tread to hub: through the rim, the slope behind it, and the web (default [2, 2, 6]).
    #[schemars(with = "Option<[usize; 3]>")]
    layers: Option<Spanned<[usize; 3]>>,
}

static KNOWN: Mutex<Vec<(Body, Arc<Built>)>> = Mutex::new(Vec::new());

impl BodyTable {
    /// What finite elements say of it; computed once for each body, whatever damps it.
    pub(super) fn read(&self) -> Result<Arc<Built>, Fault> {
        let own = self.body()?;
        let (damping, axle) = (own.damping, own.damping_axle);
        let undamped = Body { damping: 0.0, damping_axle: 0.0, ..own };
        Ok(Arc::new(self.undamped(undamped)?.damped(damping, axle)))
    }

    fn undamped(&self, body: Body) -> Result<Arc<Built>, Fault> {
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, built)) = known().iter().find(|(own, _)| *own == body) {
            return Ok(Arc::clone(built));
        }
        let built = Arc::new(body.build().map_err(|error| self.fault(&error))?);
        let mut all = known();
        if all.len() >= REMEMBERED {
            all.remove(0);
        }
        all.push((body, Arc::clone(&built)));
        Ok(built)
    }

    /// Where the choice of modes stands.
    pub(super) fn choice(&self) -> Range<usize> {
        let modes = self.modes.as_ref().map(Spanned::span);
        self.up_to.as_ref().map(|q| q.span.clone()).or(modes).unwrap_or_else(|| self.radius.span.clone())
    }

    fn body(&self) -> Result<Body, Fault> {
        let wanted = match (&self.up_to, &self.modes) {
            (Some(frequency), None) => Wanted::Below(frequency.si),
            (None, Some(count)) if (1..=MOST_MODES).contains(count.get_ref()) => Wanted::Lowest(*count.get_ref()),
            (None, Some(count)) => {
                return Err(Fault::new(format!(
                    "wheel.body.modes = {}: between 1 and {MOST_MODES} can be kept",
                    count.get_ref()
                ))
                .help("write for example up_to = \"3 kHz\" instead")
                .at(&count.span()));
            }
            (Some(_), Some(count)) => {
                return Err(Fault::new("modes are chosen twice")
                    .help("keep wheel.body.up_to or wheel.body.modes")
                    .at(&count.span()));
            }
            (None, None) => {
                return Err(Fault::new("which modes of the body are kept is not said")
                    .help("write up_to = \"3 kHz\", or modes = 20")
                    .at(&self.radius.span));
            }
        };
        let axle = self.damping_axle.as_ref().unwrap_or(&self.damping);
        for (key, damping) in [("damping", &self.damping), ("damping_axle", axle)] {
            if let Err(why) = check_damping(damping.si) {
                return Err(Fault::new(format!("wheel.body.{key} = {}: {why}", number(damping.si)))
                    .help("steel wheels have about 3e-4")
                    .at(&damping.span));
            }
        }
        let of = |cells: &Option<Spanned<usize>>, usual: usize| cells.as_ref().map_or(usual, |cells| *cells.get_ref());
        let layers = self.layers.as_ref().map_or([2, 2, 6], |layers| *layers.get_ref());
        let (around, across) = (of(&self.around, 48), of(&self.across, 4));
        let shape = Shape {
            radius: self.radius.si,
            width: self.width.si,
            rim: self.rim.si,
            web: self.web.si,
            hub: self.hub.si,
            offset: self.offset.si,
            cells: [around, across, layers[0], layers[1], layers[2]],
            young: self.young.as_ref().map_or(2.1e11, |q| q.si),
            poisson: self.poisson.as_ref().map_or(0.3, |q| q.si),
        };
        let deep = layers.iter().fold(0_usize, |sum, cells| sum.saturating_add(*cells));
        let unknowns = around.saturating_mul(across.saturating_add(1)).saturating_mul(deep).saturating_mul(3);
        if unknowns > MOST_UNKNOWNS {
            return Err(Fault::new(format!(
                "the mesh of wheel.body has {unknowns} unknowns: at most {MOST_UNKNOWNS} are taken"
            ))
            .help("write fewer cells: around = 48, across = 4, layers = [2, 2, 6]")
            .at(&self.place_of_cells()));
        }
        let density = self.density.as_ref().map_or(7850.0, |q| q.si);
        Ok(Body { shape, density, damping: self.damping.si, damping_axle: axle.si, wanted })
    }

    fn place_of_cells(&self) -> Range<usize> {
        let lists = [self.around.as_ref().map(Spanned::span), self.across.as_ref().map(Spanned::span)];
        let layers = self.layers.as_ref().map(Spanned::span);
        lists.into_iter().flatten().chain(layers).next().unwrap_or_else(|| self.radius.span.clone())
    }

    /// An error of the body, where it comes from.
    fn fault(&self, error: &BodyError) -> Fault {
        let words = error.to_string();
        let poisson = self.poisson.as_ref().map_or(&self.radius.span, |q| &q.span);
        let (place, help) = match &words {
            w if w.contains("radius of the hub") => {
                (self.hub.span.clone(), "write a smaller `hub`, or a thinner `rim`")
            }
            w if w.contains("thickness of the web") => (self.web.span.clone(), "write a thinner `web`, or a wider rim"),
            w if w.contains("offset") => {
                (self.offset.span.clone(), "write an `offset` within half the width of the rim")
            }
            w if w.contains("Poisson") => (poisson.clone(), "write for example poisson = 0.3"),
            w if w.contains("cells") => {
                (self.place_of_cells(), "write for example around = 48, across = 4, layers = [2, 2, 6]")
            }
            _ => (self.choice(), "write another `up_to`"),
        };
        Fault::new(format!("wheel.body: {words}")).help(help).at(&place)
    }
}
