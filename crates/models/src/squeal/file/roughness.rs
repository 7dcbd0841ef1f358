//! Roughness of wheel and rail.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::f64::consts::TAU;

use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_scenario::tables::{
    Angle, AnyRatio, Context, Fault, Frequency, Length, NonNegative, Positive, Quantity, Spanned, TableOf, number,
};
use stickslip_squeal::Contact;
use stickslip_squeal::roughness::{Line, PowerLaw, Roughness, remington, third_octaves};

/// Lines that a band of a spectrum becomes.
const LINES_A_BAND: usize = 12;

/// Longest over shortest wavelength of a spectrum at the most: 40 bands.
const MOST_RATIO: f64 = 1e4;

/// Levels and slopes at the most \[dB\]: far beyond any rail, and far from overflow.
const MOST_LEVEL: f64 = 200.0;

/// dB per decade of the wavelength that smooth rails have, about.
const USUAL_SLOPE: f64 = 15.0;

/// Roughness of wheel and rail.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(inline)]
pub(super) struct RoughnessTable {
    /// Sine lines.
    #[schemars(with = "Option<Vec<LineTable>>")]
    lines: Option<Vec<TableOf<LineTable>>>,
    /// CSV file with the columns x and r [m]: height over place along the rail, straight in between; added to lines, bands and spectrum.
    /// Without those of a built-in scenario: roughness = { csv = "rail.csv" }, the whole table.
    #[schemars(with = "Option<String>")]
    csv: Option<Spanned<String>>,
    /// One-third octave bands [wavelength [m], level [dB re 1 um]]: each becomes 12 lines at seeded places and phases.
    #[schemars(with = "Option<Vec<[f64; 2]>>")]
    bands: Option<Spanned<Vec<[Quantity<AnyRatio>; 2]>>>,
    /// One-third octave levels that change with the wavelength as a power; becomes 12 lines a band at seeded places and phases.
    #[schemars(with = "Option<SpectrumTable>")]
    spectrum: Option<TableOf<SpectrumTable>>,
    /// Seed of places and phases (default 1); goes with `bands` and `spectrum`.
    seed: Option<u64>,
    /// What the length of the contact leaves of short roughness: "none" (default, all of it) or "remington" (lines and bands only), which
    /// needs a half length of the contact.
    #[schemars(with = "Option<FilterName>")]
    filter: Option<Spanned<FilterName>>,
    /// Half length of the contact that filters [m], > 0 (default: that of the patch).
    filter_half_length: Option<Quantity<Length, Positive>>,
}

/// A sine line.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct LineTable {
    /// Wavelength [m], > 0 (or `frequency`).
    wavelength: Option<Quantity<Length, Positive>>,
    /// Frequency at which the wheel passes it [Hz], > 0 (or `wavelength`).
    frequency: Option<Quantity<Frequency, Positive>>,
    /// Amplitude [m], >= 0.
    amplitude: Quantity<Length, NonNegative>,
    /// Phase at t = 0 [rad] (default 0): r = amplitude sin(2 pi f t + phase).
    #[serde(default)]
    phase: Quantity<Angle>,
}

/// A power law of roughness: L = level + slope log10(wavelength/reference).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct SpectrumTable {
    /// Level of the one-third octave around the reference [dB re 1 um], root mean square.
    level: Quantity<AnyRatio>,
    /// The wavelength that has this level [m], > 0.
    reference: Quantity<Length, Positive>,
    /// Change of the level over a decade of the wavelength [dB] (default 15: longer waves are higher).
    slope: Option<Quantity<AnyRatio>>,
    /// Shortest wavelength [m], > 0: the steps must resolve it, 10 a period.
    from: Quantity<Length, Positive>,
    /// Longest wavelength [m], greater than `from` and at most 10 000 times it.
    to: Quantity<Length, Positive>,
}

impl SpectrumTable {
    fn read(&self) -> Result<PowerLaw, Fault> {
        if self.to.si <= self.from.si || self.to.si > MOST_RATIO * self.from.si {
            return Err(Fault::new(format!(
                "roughness.spectrum.to = {} m: the longest wavelength is greater than `from`, and at most {MOST_RATIO} times it",
                number(self.to.si)
            ))
            .help("write for example from = \"10 mm\", to = \"200 mm\"")
            .at(&self.to.span));
        }
        if !(self.level.si.abs() <= MOST_LEVEL && self.slope().abs() <= MOST_LEVEL) {
            return Err(Fault::new(format!(
                "roughness.spectrum: levels and slopes are at most {MOST_LEVEL} dB in size"
            ))
            .help("0 dB is 1 um, root mean square; rails have between -20 and 20 dB")
            .at(&self.level.span));
        }
        Ok(PowerLaw {
            level: self.level.si,
            reference: self.reference.si,
            slope: self.slope(),
            range: [self.from.si, self.to.si],
        })
    }

    fn slope(&self) -> f64 {
        self.slope.as_ref().map_or(USUAL_SLOPE, |slope| slope.si)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum FilterName {
    None,
    Remington,
}

impl RoughnessTable {
    /// The roughness under a wheel of this speed, and what was done about the length of the contact.
    pub(super) fn read(
        &self,
        speed: f64,
        contact: &Contact,
        context: &mut Context<'_>,
    ) -> Result<(Roughness, Option<&'static str>), Fault> {
        let mut lines: Vec<Line> = Vec::new();
        for TableOf(own) in self.lines.iter().flatten() {
            let frequency = match (&own.wavelength, &own.frequency) {
                (Some(length), None) => speed / length.si,
                (None, Some(frequency)) => frequency.si,
                _ => {
                    return Err(Fault::new("a line of roughness has a wavelength or a frequency")
                        .help("keep one of both")
                        .at(&own.amplitude.span));
                }
            };
            lines.push(Line { frequency, amplitude: own.amplitude.si, phase: own.phase.si });
        }
        if let Some(bands) = &self.bands {
            if let Some(bad) = bands.get_ref().iter().find(|[wavelength, _]| wavelength.si <= 0.0) {
                return Err(Fault::new("a wavelength is greater than 0")
                    .help("write bands as [wavelength in m, level in dB]")
                    .at(&bad[0].span));
            }
            let list: Vec<[f64; 2]> =
                bands.get_ref().iter().map(|[wavelength, level]| [wavelength.si, level.si]).collect();
            lines.extend(third_octaves(&list, speed, LINES_A_BAND, self.seed.unwrap_or(1)));
        }
        if let Some(TableOf(spectrum)) = &self.spectrum {
            lines.extend(spectrum.read()?.lines(speed, LINES_A_BAND, self.seed.unwrap_or(1)));
        }
        let points = self.csv.as_ref().map_or(Ok(Vec::new()), |path| points(path, speed, context))?;
        let filtered = self.filter.as_ref().filter(|filter| *filter.get_ref() == FilterName::Remington);
        if let Some(filter) = filtered {
            let own = match contact {
                Contact::Patch { half_length, .. } => Some(*half_length),
                _ => None,
            };
            let Some(half_length) = self.filter_half_length.as_ref().map(|q| q.si).or(own) else {
                return Err(Fault::new("the filter of the contact needs its half length")
                    .help("write filter_half_length = \"4.3 mm\"")
                    .at(&filter.span()));
            };
            if !points.is_empty() {
                return Err(Fault::new("heights of a file are taken as they are")
                    .help("leave `filter` out, and filter the file")
                    .at(&filter.span()));
            }
            for line in &mut lines {
                line.amplitude *= remington(TAU * line.frequency / speed, half_length);
            }
        }
        let rough = Roughness { lines, points };
        let words = match (rough.is_none(), filtered.is_some()) {
            (true, _) => None,
            (false, true) => Some("roughness is filtered by the length of the contact (Remington's filter)"),
            (false, false) => Some("the contact filter is left out: roughness shorter than the contact acts in full"),
        };
        Ok((rough, words))
    }
}

/// Heights over time, from a file of heights over place.
fn points(path: &Spanned<String>, speed: f64, context: &mut Context<'_>) -> Result<Vec<[f64; 2]>, Fault> {
    let bytes = context.file(path)?;
    let fault = |words: String| {
        Fault::new(format!("{}: {words}", path.get_ref()))
            .help("a file of roughness has the columns x and r, in metres, x rising")
            .at(&path.span())
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut rows = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head: Vec<&str> = rows.next().map(|(_, line)| line.split(',').map(str::trim).collect()).unwrap_or_default();
    let place = |name: &str| head.iter().position(|own| *own == name);
    let (Some(x), Some(r)) = (place("x"), place("r")) else { return Err(fault("no columns x and r".into())) };
    let mut points: Vec<[f64; 2]> = Vec::new();
    for (number_of, line) in rows {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |k: usize| {
            let found = cells.get(k).and_then(|cell| cell.parse::<f64>().ok()).filter(|value| value.is_finite());
            found.ok_or_else(|| fault(format!("line {} holds no number in column {}", number_of + 1, head[k])))
        };
        let point = [cell(x)? / speed, cell(r)?];
        if let Some(last) = points.last().filter(|last| last[0] >= point[0]) {
            return Err(fault(format!(
                "line {}: x = {} m comes after {} m",
                number_of + 1,
                number(point[0] * speed),
                number(last[0] * speed)
            )));
        }
        points.push(point);
    }
    if points.len() < 2 {
        return Err(fault("at least two heights are needed".into()));
    }
    Ok(points)
}
