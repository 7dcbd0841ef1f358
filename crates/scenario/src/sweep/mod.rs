//! The table `[sweep]`: which values of a scenario are varied, and what is asked of each run.

mod axis;
mod place;
mod section;
mod template;
mod unit;

pub use axis::{Amount, Axis, Distribution, Value};
pub use place::Place;
pub(crate) use place::{replaced, without};
pub use section::{At, Section, seconds};
pub use template::{Instance, KeyPath, TableAt, Template};

use serde::Deserialize;
use serde_json::json;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::fault::{Fault, listed, nearest, quote, shortened};

/// What a sweep is made of; the same from a file and from a command line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sweep {
    /// Keys by their dotted paths, or names of variables, and what they are varied over. The last varies fastest.
    pub vary: Vec<(String, Axis)>,
    /// Keys that follow from what is varied, by formulas of it.
    pub follow: Vec<(String, String)>,
    /// Outputs: their names and formulas.
    pub outputs: Vec<(String, String)>,
    /// Classes of runs: their names, and the condition of each; the first that holds counts.
    pub classes: Vec<(String, String)>,
    /// How many random samples.
    pub samples: Option<u64>,
    /// Which random samples.
    pub seed: Option<u64>,
    /// How random samples are laid out.
    pub design: Option<Design>,
    /// A CSV file of points, relative to the scenario file.
    pub points: Option<String>,
    /// Several values of each run instead of outputs: a bifurcation diagram, or spectra.
    pub section: Option<Section>,
    /// Columns by whose motion in the second half of each run the runs are grouped.
    pub orbits: Vec<String>,
    /// Keys that followed from what is varied until overrides set them, and their formulas.
    pub replaced: Vec<(String, String)>,
}

/// How random samples are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Design {
    /// Each by itself.
    #[default]
    Random,
    /// Every one of n equal shares of every axis has exactly one of n samples.
    LatinHypercube,
    /// The sequence of Sobol, shifted at random: fills the space more evenly than chance does.
    Sobol,
}

impl Design {
    const ALL: [Design; 3] = [Design::Random, Design::LatinHypercube, Design::Sobol];

    /// Its name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Design::Random => "random",
            Design::LatinHypercube => "latin-hypercube",
            Design::Sobol => "sobol",
        }
    }

    /// The design of a name.
    pub fn read(name: &str) -> Result<Design, Fault> {
        let names = || Design::ALL.iter().map(|design| design.name());
        Design::ALL.into_iter().find(|design| design.name() == name).ok_or_else(|| {
            let message = format!("there is no design {}", quote(name));
            match nearest(name, names()) {
                Some(near) => {
                    Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write \"{near}\""))
                }
                None => Fault::new(message).help(format!("there are {}", listed(names()))),
            }
        })
    }
}

impl Sweep {
    /// The same where overrides have set keys, so that these entries of it, by table and key, are not varied any more.
    pub(crate) fn without(mut self, replaced: &[[String; 2]]) -> Sweep {
        let is_replaced = |table: &str, key: &str| replaced.iter().any(|[of, entry]| of == table && entry == key);
        self.vary.retain(|(key, _)| !is_replaced("vary", key));
        let follow = std::mem::take(&mut self.follow);
        (self.replaced, self.follow) = follow.into_iter().partition(|(key, _)| is_replaced("let", key));
        self
    }

    /// Whether nothing is varied.
    pub fn is_empty(&self) -> bool {
        self.vary.is_empty() && self.points.is_none()
    }
}

/// Keys of the table.
const KEYS: [&str; 11] =
    ["vary", "let", "outputs", "classes", "samples", "seed", "design", "points", "bifurcation", "spectrum", "orbits"];

/// Takes the table out of a document.
pub(crate) fn take(document: &mut DeTable<'_>) -> Result<Option<Sweep>, Fault> {
    let Some(value) = document.remove("sweep") else { return Ok(None) };
    let span = value.span();
    let DeValue::Table(table) = value.into_inner() else {
        return Err(Fault::new("a table is expected here")
            .help("write [sweep], or [sweep.vary] and key = \"0:1:21\"")
            .at(&span));
    };
    let mut sweep = Sweep::default();
    for (key, value) in &table {
        let place = value.span();
        match key.get_ref().as_ref() {
            "vary" => {
                for (path, value) in leaves(value, "a range, a list or a distribution")? {
                    sweep.vary.push((path, axis(value)?));
                }
            }
            "let" => sweep.follow = texts(value, "a formula of what is varied")?,
            "outputs" => sweep.outputs = outputs(value)?,
            "classes" => sweep.classes = texts(value, "a condition")?,
            "bifurcation" | "spectrum" if sweep.section.is_some() => {
                return Err(Fault::new("a sweep is either a bifurcation diagram or of spectra")
                    .help("leave one of the two tables out; the command line can ask for the other")
                    .at(&key.span()));
            }
            "bifurcation" => sweep.section = Some(section::read(value, false)?),
            "spectrum" => sweep.section = Some(section::read(value, true)?),
            "orbits" => sweep.orbits = outputs(value)?.into_iter().map(|(name, _)| name).collect(),
            "samples" => sweep.samples = Some(whole(value, "samples", 1)?),
            "seed" => sweep.seed = Some(whole(value, "seed", 0)?),
            "design" => {
                let name =
                    value.get_ref().as_str().ok_or_else(|| expected("the name of a design in quotes", &place))?;
                sweep.design = Some(Design::read(name).map_err(|fault| fault.at(&place))?);
            }
            "points" => {
                let file =
                    value.get_ref().as_str().ok_or_else(|| expected("the path of a CSV file in quotes", &place))?;
                sweep.points = Some(file.to_string());
            }
            other => {
                let message = format!("unknown key `{}` in [sweep]", shortened(other));
                return Err(match nearest(other, KEYS) {
                    Some(near) => {
                        Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write `{near}`"))
                    }
                    None => Fault::new(message).help(format!("its keys are {}", listed(KEYS))),
                }
                .at(&key.span()));
            }
        }
    }
    Ok(Some(sweep))
}

fn expected(what: &str, place: &std::ops::Range<usize>) -> Fault {
    Fault::new(format!("{what} is expected here")).at(place)
}

fn axis(value: &Spanned<DeValue<'_>>) -> Result<Axis, Fault> {
    let read = match value.get_ref() {
        DeValue::String(text) => Axis::read(text),
        other => axis::entries(other),
    };
    read.map_err(|fault| fault.at(&value.span()))
}

fn whole(value: &Spanned<DeValue<'_>>, key: &str, least: i64) -> Result<u64, Fault> {
    let number = i64::deserialize(toml::de::ValueDeserializer::from(value.clone()));
    match number {
        Ok(number) if number >= least => Ok(number as u64),
        _ => Err(Fault::new(format!("`{key}` is a whole number of at least {least}")).at(&value.span())),
    }
}

/// A table of texts, with dotted paths for keys.
fn texts(value: &Spanned<DeValue<'_>>, what: &str) -> Result<Vec<(String, String)>, Fault> {
    let entry = |(path, value): (String, &Spanned<DeValue<'_>>)| match value.get_ref() {
        DeValue::String(text) => Ok((path, text.to_string())),
        _ => Err(expected(&format!("{what} in quotes"), &value.span())),
    };
    leaves(value, what)?.into_iter().map(entry).collect()
}

/// `["stopping_distance", …]`, or a table of names and formulas.
fn outputs(value: &Spanned<DeValue<'_>>) -> Result<Vec<(String, String)>, Fault> {
    let DeValue::Array(items) = value.get_ref() else { return texts(value, "a formula of outputs") };
    let name = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
        DeValue::String(text) => Ok((text.to_string(), text.to_string())),
        _ => Err(expected("the name of an output in quotes", &item.span())),
    };
    items.iter().map(name).collect()
}

/// The values of a table and of the tables in it, by their dotted paths.
fn leaves<'v, 'd>(
    value: &'v Spanned<DeValue<'d>>,
    what: &str,
) -> Result<Vec<(String, &'v Spanned<DeValue<'d>>)>, Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(Fault::new(format!("a table is expected here: for each key {what}")).at(&value.span()));
    };
    let mut found = Vec::new();
    for (key, value) in table {
        let key = written_key(key.get_ref());
        match value.get_ref() {
            DeValue::Table(_) => {
                found.extend(leaves(value, what)?.into_iter().map(|(path, value)| (format!("{key}.{path}"), value)));
            }
            _ => found.push((key, value)),
        }
    }
    Ok(found)
}

/// Where a key that is varied stands in the text of a scenario, and where its value does.
pub(crate) fn place_of_varied(text: &str, key: &str) -> Option<[std::ops::Range<usize>; 2]> {
    let root = DeTable::parse(text).ok()?;
    let DeValue::Table(sweep) = root.get_ref().get("sweep")?.get_ref() else { return None };
    let DeValue::Table(vary) = sweep.get("vary")?.get_ref() else { return None };
    place_in(vary, key)
}

/// The same in a table of varied keys, or in one of the tables in it.
fn place_in(table: &DeTable<'_>, path: &str) -> Option<[std::ops::Range<usize>; 2]> {
    table.iter().find_map(|(key, value)| {
        let rest = path.strip_prefix(&written_key(key.get_ref()))?;
        match value.get_ref() {
            DeValue::Table(inner) => place_in(inner, rest.strip_prefix('.')?),
            _ => rest.is_empty().then(|| [key.span(), value.span()]),
        }
    })
}

/// A key of a path: as it is where it consists of letters, digits, `_` and `-` (or of a whole path), and else in quotation marks.
fn written_key(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'');
    if !key.is_empty() && key.chars().all(plain) { key.to_string() } else { toml_edit::Key::new(key).to_string() }
}

/// The table in the schema of all files.
pub(crate) fn schema() -> serde_json::Value {
    let range =
        json!({ "type": "string", "examples": ["0:1:21", "1 kN m:2 kN m:21", "1e-3:1:7:log", "normal(0.8, 0.05)"] });
    let texts = |description: &str| json!({ "type": "object", "description": description });
    json!({
        "type": "object",
        "description": "Runs with varied values, for `stickslip sweep`; a single run takes no notice of it. See sweep.md.",
        "properties": {
            "vary": {
                "type": "object",
                "description": "Dotted paths of keys, or names of variables, and what they are varied over: a range \
                                from:to:how-many, with :log for equal ratios, a list, or uniform(a, b), loguniform(a, b), \
                                normal(mean, sd), lognormal(median, sd of the logarithm). The last varies fastest.",
                "additionalProperties": { "anyOf": [range, { "type": "array" }, { "type": "object" }] }
            },
            "let": texts("Keys that follow from what is varied: dotted paths and formulas."),
            "outputs": {
                "description": "Names of outputs, or a table of names and formulas of outputs.",
                "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "object" }]
            },
            "classes": texts("Names of classes and their conditions; the first that holds is the class of a run."),
            "samples": { "type": "integer", "minimum": 1, "description": "How many random samples." },
            "seed": { "type": "integer", "minimum": 0, "description": "Which random samples (default 0)." },
            "design": {
                "enum": Design::ALL.map(Design::name),
                "description": "How random samples are laid out (default random)."
            },
            "bifurcation": section::schema(false),
            "spectrum": section::schema(true),
            "orbits": {
                "type": "array", "items": { "type": "string" },
                "description": "Columns by whose motion in the second half of each run the runs are grouped: basins of attraction."
            },
            "points": { "type": "string", "description": "A CSV file of points: a header of dotted paths, a row for each." }
        },
        "additionalProperties": false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Sweep>, Fault> {
        let mut table = DeTable::parse(text).expect("TOML").into_inner();
        take(&mut table)
    }

    #[test]
    fn dotted_keys_become_paths_in_their_order() {
        let text = "[sweep]\noutputs = [\"period\"]\nsamples = 100\nseed = 3\ndesign = \"sobol\"\n[sweep.vary]\n\
                    support.belt.speed = \"0.1:1:10\"\n\"pad.1.load\" = [1, 2]\nwheel.\"front left\".load = \"uniform(0, 1)\"\n\
                    [sweep.let]\nwheel.mass = \"2*m\"";
        let sweep = read(text).expect("well").expect("there");
        let keys: Vec<&str> = sweep.vary.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["support.belt.speed", "pad.1.load", "wheel.\"front left\".load"]);
        assert_eq!(sweep.follow, [("wheel.mass".to_string(), "2*m".to_string())]);
        assert_eq!((sweep.samples, sweep.seed, sweep.design), (Some(100), Some(3), Some(Design::Sobol)));
        assert_eq!(sweep.outputs, [("period".to_string(), "period".to_string())]);
        assert_eq!(read("a = 1"), Ok(None));
    }

    #[test]
    fn faults_are_located() {
        for (text, wanted) in [
            ("sweep = 3", "a table is expected here"),
            ("[sweep]\nvery = 3", "did you mean `vary`"),
            ("[sweep]\nsamples = 0", "at least 1"),
            ("[sweep]\ndesign = \"sobel\"", "did you mean `sobol`"),
            ("[sweep.vary]\na = \"0:1\"", "how many"),
            ("[sweep.vary]\na = 3", "a range, a list or a distribution"),
            ("[sweep]\nvary = 3", "for each key"),
            ("[sweep]\noutputs = [3]", "the name of an output"),
            ("[sweep.classes]\na = 3", "a condition in quotes"),
            ("[sweep.bifurcation]\nat = \"least\"", "of which column"),
            ("[sweep.bifurcation]\ncolumn = \"x\"\nat = \"greates\"", "did you mean `greatest`"),
            ("[sweep.bifurcation]\ncolumn = \"x\"\ntransient = \"2 m\"", "a time is expected"),
            ("[sweep.bifurcation]\ncolumn = \"x\"\nmust = 3", "did you mean `most`"),
            ("[sweep.spectrum]\ncolumn = 3", "a text in quotes"),
            ("[sweep]\nspectrum = { column = \"x\" }\nbifurcation = { column = \"x\" }", "either"),
        ] {
            let fault = read(text).expect_err(text);
            assert!(fault.message.contains(wanted), "{text}: {}", fault.message);
            assert!(fault.span.is_some(), "{text}");
        }
    }
}
