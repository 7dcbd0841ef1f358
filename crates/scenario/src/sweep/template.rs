//! A scenario that was read once, with other values in some places, many times.
//!
//! Reading a file anew for every point of a sweep costs more than the run of a fast model. Here the text is parsed once; a point
//! is a copy of the tree with its values put in, which serde reads. The result is that of `--set key=value`.

use std::borrow::Cow;
use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::axis::Value;
use super::place::Place;
use crate::fault::{Fault, shortened};
use crate::format::{Contents, Format, bytes_of};
use crate::input::{Gathered, Input, NamedSignal, is_file};
use crate::overrides::{dotted, insert};
use crate::run::{Output, Run};
use crate::scenario::Scenario;
use crate::{schema, wording};

/// The way to a value: `brake.torque.max`, `wheel.front.load`.
#[derive(Debug, Clone)]
pub struct KeyPath {
    text: String,
    keys: Vec<Spanned<Cow<'static, str>>>,
}

impl KeyPath {
    /// Reads a dotted path.
    pub fn read(text: &str) -> Result<KeyPath, Fault> {
        let text = text.trim();
        let keys = dotted(text, 0).ok_or_else(|| {
            Fault::new(format!("`{}` is not a dotted key", shortened(text)))
                .help("write the path of a key, such as ground.friction or wheel.\"front left\".radius")
        })?;
        Ok(KeyPath { text: text.to_string(), keys })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its parts, each with its place.
    pub(crate) fn parts(&self) -> &[Spanned<Cow<'static, str>>] {
        &self.keys
    }

    /// Its keys.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.keys.iter().map(|key| key.get_ref().as_ref())
    }
}

/// A scenario with places for values.
pub struct Template<'a, M> {
    format: Format<M>,
    document: Spanned<DeTable<'a>>,
    /// Where values come from, for faults: behind the end of the text, as those of overrides.
    behind: usize,
    base: PathBuf,
    files: &'a [Input],
    /// Files that values may name.
    named: Named,
}

/// Files that values name, as they were when they were asked for.
#[derive(Default)]
struct Named {
    /// How each is written, and which of the files it is; none of one that could not be read.
    written: Vec<(String, Option<usize>)>,
    files: Vec<Input>,
    /// Whether no others are read any more.
    all: bool,
}

/// A scenario at a point.
#[derive(Debug, Clone)]
pub struct Instance<M> {
    /// What is simulated.
    pub model: M,
    /// How long and how finely.
    pub run: Run,
    /// What is recorded.
    pub output: Output,
    /// Its signals of time.
    pub signals: Vec<NamedSignal>,
}

impl<'a, M> Template<'a, M> {
    /// Of a scenario that was read. Files that it names are those that were read then.
    pub fn new(formats: &[Format<M>], scenario: &'a Scenario<M>) -> Result<Template<'a, M>, Fault> {
        let mut document = DeTable::parse(&scenario.text)?;
        let name = document.get_ref().get("model").and_then(|name| name.get_ref().as_str());
        let format = formats.iter().find(|format| name == Some(format.name));
        let format = *format.ok_or_else(|| Fault::new("the model of the scenario is not known"))?;
        // What was expected of the file is not expected of something else.
        for other in ["expected", "sweep", "title", "description"] {
            document.get_mut().remove(other);
        }
        let base = scenario.file.as_ref().and_then(|file| file.parent()).map(PathBuf::from).unwrap_or_default();
        let behind = scenario.text.len() + 1;
        Ok(Template { format, document, behind, base, files: &scenario.inputs, named: Named::default() })
    }

    /// Reads the files that these values name where their keys are those of files. From then on no others are read: all that runs depend on
    /// is known before the first of them, and stays as it is whatever becomes of the files.
    pub fn name_files<'v>(&mut self, values: impl IntoIterator<Item = (&'v KeyPath, &'v str)>) {
        let mut gathered = Gathered::default();
        gathered.files = self.files.to_vec();
        for (path, written) in values {
            if !is_file(path.keys()) || self.named.written.iter().any(|(known, _)| known == written) {
                continue;
            }
            let whole = self.base.join(written);
            let number = bytes_of(&whole).ok().and_then(|bytes| {
                let bytes = gathered.keep(written, whole, bytes);
                gathered.files.iter().position(|file| std::sync::Arc::ptr_eq(&file.bytes, &bytes))
            });
            self.named.written.push((written.to_string(), number));
        }
        (self.named.files, self.named.all) = (gathered.files, true);
    }

    /// The files that values name, each as it is written; none of one that could not be read.
    pub fn named_files(&self) -> impl Iterator<Item = (&str, Option<&Input>)> {
        let named = &self.named;
        named.written.iter().map(|(written, number)| (written.as_str(), number.and_then(|k| named.files.get(k))))
    }

    /// Where the text of the scenario looks for the file that a value names.
    fn place_of_file(&self, path: &KeyPath, value: &Value) -> Option<&str> {
        let Value::Text(text) = value else { return None };
        let file = self.named_files().find(|(written, _)| written == text && is_file(path.keys()));
        file.and_then(|(_, file)| file).map(|file| file.place.as_str())
    }

    /// The scenario with these values, or what is wrong with it in one line.
    pub fn at<'v>(&self, values: impl IntoIterator<Item = (&'v KeyPath, &'v Value)>) -> Result<Instance<M>, Fault> {
        let set: Vec<(&KeyPath, String, &Value)> =
            values.into_iter().map(|(path, value)| (path, value.written(), value)).collect();
        set.iter().try_for_each(|(path, ..)| settable(path))?;
        let places: Vec<&str> = set.iter().filter_map(|(path, _, value)| self.place_of_file(path, value)).collect();
        let named = self.named.files.iter().filter(|file| places.contains(&file.place.as_str()));
        let mut gathered = Gathered::knowing(self.files.iter().chain(named));
        gathered.only_known = self.named.all;
        let read = (self.format.read)(self.filled(&set)?, &self.base, &mut gathered);
        let Contents { run, output, model, .. } = read.map_err(|fault| self.explain(fault, &set))?;
        Ok(Instance { model, run, output, signals: gathered.signals })
    }

    /// What was read.
    pub(crate) fn document(&self) -> &DeTable<'a> {
        self.document.get_ref()
    }

    /// What the scenario has at a path where that is more than a number, and the key in it to vary instead of all of it: a signal
    /// (`trapezoid`, with `max`), or another table.
    pub fn table_at(&self, path: &KeyPath) -> Option<TableAt> {
        let DeValue::Table(table) = find(self.document.get_ref(), &path.keys)? else { return None };
        let signal = SIGNALS.iter().find(|(kind, _)| table.contains_key(*kind));
        let first = table.keys().next().map(|key| key.get_ref().to_string());
        Some(match signal {
            Some((kind, size)) => TableAt { signal: Some(kind), inside: size.map(String::from) },
            None => TableAt { signal: None, inside: first },
        })
    }

    /// Where a key leads: the same for all ways to write it.
    pub fn place(&self, path: &KeyPath) -> Place {
        Place::of(self.document.get_ref(), &path.keys)
    }

    /// The SI unit of plain numbers at a path, `1` for pure ones; none where the schema does not tell.
    pub fn unit(&self, path: &KeyPath) -> Option<String> {
        super::unit::of_key(&schema::of(&self.format), path.keys())
    }

    /// The document with values in it. The place of a value is its number behind the end of the text, so that a fault of it can
    /// be told from one of the file.
    fn filled<'b>(&'b self, set: &'b [(&KeyPath, String, &Value)]) -> Result<Spanned<DeTable<'b>>, Fault> {
        let mut document: Spanned<DeTable<'b>> = self.document.clone();
        for (number, (path, written, value)) in set.iter().enumerate() {
            let place = self.behind + number;
            let value = match self.place_of_file(path, value) {
                Some(file) => DeValue::String(Cow::Borrowed(file)),
                None => toml_value(value, written)?,
            };
            let value = Spanned::new(place..place + 1, value);
            insert(document.get_mut(), &path.keys, value, "")?;
        }
        Ok(document)
    }

    fn explain(&self, fault: Fault, set: &[(&KeyPath, String, &Value)]) -> Fault {
        let place = fault.span.clone().map_or(0, |span| span.start);
        let Ok(document) = self.filled(set) else { return fault };
        let fault = wording::explain(fault, document.get_ref(), &|| schema::of(&self.format));
        match place.checked_sub(self.behind).and_then(|number| set.get(number)) {
            Some((path, written, _)) => {
                Fault { message: format!("{} = {written}: {}", path.text, fault.message), ..fault }
            }
            None => fault,
        }
    }
}

/// Refuses keys that no run takes notice of, so that rows would differ in nothing but what they say of themselves.
fn settable(path: &KeyPath) -> Result<(), Fault> {
    let first = path.keys().next().unwrap_or_default();
    let help = match first {
        "model" => "all runs of a sweep are of one model: give a sweep to each scenario, or see `stickslip compare`",
        "sweep" => {
            "write it into [sweep] itself, or say --samples, --seed, --design, --points: it is the same for all runs"
        }
        "title" | "description" | "expected" => "vary a key of the model, or of [run]",
        _ => return Ok(()),
    };
    Err(Fault::new(format!("`{}` is the same for all runs and cannot be varied", shortened(&path.text))).help(help))
}

/// A table that stands where a number may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableAt {
    /// Which signal of time it is; none where it is something else, such as a law of friction.
    pub signal: Option<&'static str>,
    /// The key in it that is its size.
    pub inside: Option<String>,
}

/// Signals, and the key in each that is its size.
const SIGNALS: [(&str, Option<&str>); 5] = [
    ("trapezoid", Some("max")),
    ("sine", Some("sine.amplitude")),
    ("points", Some("scale")),
    ("csv", Some("scale")),
    ("expression", None),
];

/// What stands at a path of keys; names and numbers lead into lists.
fn find<'t, 'd>(table: &'t DeTable<'d>, keys: &[Spanned<Cow<'static, str>>]) -> Option<&'t DeValue<'d>> {
    let (key, rest) = keys.split_first()?;
    let key: &str = key.get_ref();
    let mut value = table.get(key)?.get_ref();
    let mut rest = rest;
    while let (DeValue::Array(items), Some((key, further))) = (value, rest.split_first()) {
        let key: &str = key.get_ref();
        let named = |item: &DeValue<'_>| match item {
            DeValue::Table(table) => table.get("name").and_then(|name| name.get_ref().as_str()) == Some(key),
            _ => false,
        };
        let numbered = || key.parse::<usize>().ok()?.checked_sub(1).and_then(|k| items.get(k));
        value = items.iter().find(|item| named(item.get_ref())).or_else(numbered)?.get_ref();
        rest = further;
    }
    match (value, rest.is_empty()) {
        (value, true) => Some(value),
        (DeValue::Table(table), false) => find(table, rest),
        _ => None,
    }
}

fn toml_value<'b>(value: &'b Value, written: &'b str) -> Result<DeValue<'b>, Fault> {
    Ok(match value {
        Value::Text(text) => DeValue::String(Cow::Borrowed(text)),
        Value::Flag(flag) => DeValue::Boolean(*flag),
        // The reader takes numbers from their digits; these give the same bits back.
        Value::Number(_) | Value::Whole(_) => DeValue::parse(written)?.into_inner(),
    })
}
