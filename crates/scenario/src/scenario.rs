//! Scenarios: what a file says, checked and in SI units.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::Digest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::builtin::Builtin;
use crate::error::Error;
use crate::extremes::{ExtremeInput, extremes};
use crate::fault::{Fault, listed, nearest, one_line, quote};
use crate::format::{Contents, Format};
use crate::input::{Gathered, Input, NamedSignal, file_like};
use crate::overrides::{Override, Sources, effective_text, merged, places};
use crate::run::{Output, Run};
use crate::sweep::{Place, Sweep};
use crate::{schema, sweep, wording};

/// A simulation to be run: model, duration, step, output.
#[derive(Debug, Clone)]
pub struct Scenario<M> {
    /// Path of the file or name of the built-in scenario.
    pub name: String,
    /// One line for reports.
    pub title: Option<String>,
    /// What happens and what to look at.
    pub description: Option<String>,
    /// What is simulated.
    pub model: M,
    /// How long and how finely.
    pub run: Run,
    /// What to record.
    pub output: Output,
    /// What its measures should come to, by name, in SI units.
    pub expected: Vec<(String, f64)>,
    /// What of it is varied by `stickslip sweep`.
    pub sweep: Option<Sweep>,
    /// The file that was read; none for built-in scenarios and texts.
    pub file: Option<PathBuf>,
    /// Keys that overrides have set, as they are written.
    pub set: Vec<String>,
    /// Files that it names.
    pub inputs: Vec<Input>,
    /// Its signals of time.
    pub signals: Vec<NamedSignal>,
    /// The TOML text after all overrides, with the [`Input::place`] of every file that it names: read again in a folder
    /// with those files, it gives the same scenario.
    pub text: String,
    /// SHA-256 of `text` and of the bytes of all files it names, in lowercase hexadecimal digits.
    pub hash: String,
}

/// Longest scenario file that is read.
const MOST_BYTES: u64 = 4 << 20;

/// Help for a text that the TOML reader refuses.
const NOT_TOML: &str = "this is not TOML, which is written [table], key = 1.5, key = \"4 mm\"";

/// The description of a file, of which a run with overrides is no longer the example.
fn said_of_the_file(words: &str, overrides: &[Override]) -> String {
    let set: Vec<&str> = overrides.iter().filter(|set| set.changes_the_model()).map(|set| set.text().trim()).collect();
    format!("With {}. The file, without it: {words}", set.join(", "))
}

impl<M> Scenario<M> {
    /// Reads a scenario file.
    pub fn from_file(
        formats: &[Format<M>],
        path: impl AsRef<Path>,
        overrides: &[Override],
    ) -> Result<Scenario<M>, Error> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = read_text(formats, path, &name)?;
        let base = path.parent().unwrap_or(Path::new(""));
        let scenario = Scenario::parse(formats, &name, &text, base, overrides)?;
        Ok(Scenario { file: Some(path.to_path_buf()), ..scenario })
    }

    /// Reads a built-in scenario; files that overrides name are sought in the current folder.
    pub fn builtin(formats: &[Format<M>], name: &str, overrides: &[Override]) -> Result<Scenario<M>, Error> {
        match find_builtin(formats, name) {
            Some(found) => Scenario::parse(formats, name, found.text, Path::new(""), overrides),
            None => Err(Error::without_text(
                Fault::new("there is no built-in scenario of this name").help(suggestion(formats, name)),
                name,
            )),
        }
    }

    /// Reads a file where there is one, and else a built-in scenario.
    pub fn from_name_or_path(formats: &[Format<M>], name: &str, overrides: &[Override]) -> Result<Scenario<M>, Error> {
        if Path::new(name).is_file() {
            Scenario::from_file(formats, name, overrides)
        } else if find_builtin(formats, name).is_some() {
            Scenario::builtin(formats, name, overrides)
        } else if name.ends_with(".toml") || Path::new(name).exists() {
            Scenario::from_file(formats, name, overrides)
        } else {
            Err(Error::without_text(
                Fault::new("there is neither a file nor a built-in scenario of this name")
                    .help(suggestion(formats, name)),
                name,
            ))
        }
    }

    /// Inputs far from the usual sizes, the most extreme first: where to look when a run overflows.
    pub fn extreme_inputs(&self) -> Vec<ExtremeInput> {
        extremes(&self.text)
    }

    /// Reads a scenario from its text. `name` goes into messages; relative paths start from `base`.
    pub fn parse(
        formats: &[Format<M>],
        name: &str,
        text: &str,
        base: impl AsRef<Path>,
        overrides: &[Override],
    ) -> Result<Scenario<M>, Error> {
        let sources = Sources::new(name, text, overrides);
        if text.len() as u64 > MOST_BYTES {
            return Err(sources.error(too_long()));
        }
        let located = |fault: Fault| sources.error(fault);
        let document = merged(&sources).map_err(|fault| {
            let mut said = wording::explain(fault, &DeTable::new(), &|| serde_json::Value::Null);
            said.help.get_or_insert_with(|| NOT_TOML.to_string());
            located(one_of_several(decimal_comma(said, text), text))
        })?;
        let format = format(formats, &document).map_err(located)?;
        let places = places(&sources, document.get_ref()).map_err(located)?;
        let (set, names): (Vec<Place>, Vec<String>) = places.into_iter().unzip();
        let replaced = sweep::replaced(document.get_ref(), &set);
        let mut gathered = Gathered::default();
        let contents = (format.read)(document.clone(), base.as_ref(), &mut gathered);
        let Contents { title, description, run, output, expected, sweep: varied, model } =
            contents.map_err(|fault| {
                let said = wording::explain(fault, document.get_ref(), &|| schema::of(format));
                located(wording::elsewhere(said, document.get_ref(), format.elsewhere))
            })?;
        // What was expected of the file is not expected of something else; what an override expects is.
        let asked = |(name, _): &(String, f64)| {
            overrides.iter().any(|set| set.text().trim_start().starts_with(&format!("expected.{name}")))
        };
        let other = overrides.iter().any(Override::changes_the_model);
        let expected = expected.into_iter().filter(|entry| !other || asked(entry)).collect();
        let varied = varied.map(|varied| varied.without(&replaced));
        let text = effective_text(&sources).and_then(|text| sweep::without(&text, &replaced)).map_err(located)?;
        let text = gathered.portable(text);
        let Gathered { mut hash, files, signals, .. } = gathered;
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(&text);
        Ok(Scenario {
            name: name.to_string(),
            title,
            description: description.map(|words| if other { said_of_the_file(&words, overrides) } else { words }),
            model,
            run,
            output,
            expected,
            sweep: varied,
            file: None,
            set: names,
            inputs: files,
            signals,
            text,
            hash: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }
}

/// The model that a document names.
fn format<'a, M>(formats: &'a [Format<M>], document: &Spanned<DeTable<'_>>) -> Result<&'a Format<M>, Fault> {
    let known = || formats.iter().map(|k| k.name);
    let Some(value) = document.get_ref().get("model") else {
        return Err(Fault::new("missing key `model`")
            .help(format!("begin the file with model = \"{}\"", known().collect::<Vec<_>>().join("\" or \"")))
            .at(&(0..0)));
    };
    let DeValue::String(name) = value.get_ref() else {
        return Err(Fault::new(format!(
            "the name of a model in quotes is expected here, found {}",
            match value.get_ref().type_str() {
                "integer" => "an integer".to_string(),
                "array" => "a list".to_string(),
                other => format!("a {other}"),
            }
        ))
        .help(format!("the known models are {}", listed(known())))
        .at(&value.span()));
    };
    formats.iter().find(|k| k.name == name.as_ref()).ok_or_else(|| {
        let message = format!("unknown model {}", quote(name));
        match nearest(name, known()) {
            Some(near) => Fault::new(format!("{message}; did you mean `{near}`?")),
            None => Fault::new(message),
        }
        .help(format!("the known models are {}", listed(known())))
        .at(&value.span())
    })
}

/// The same fault in better words where a number has a comma in it: `0,8`.
fn decimal_comma(fault: Fault, text: &str) -> Fault {
    let Some(at) = fault.span.as_ref().map(|span| span.start).filter(|at| text.as_bytes().get(*at) == Some(&b','))
    else {
        return fault;
    };
    let digits = |part: &str, reversed: bool| -> String {
        let part: Box<dyn Iterator<Item = char>> =
            if reversed { Box::new(part.chars().rev()) } else { Box::new(part.chars()) };
        part.take_while(|c| c.is_ascii_digit()).collect()
    };
    let (before, after) = (digits(&text[..at], true), digits(&text[at + 1..], false));
    if before.is_empty() || after.is_empty() {
        return fault;
    }
    let before: String = before.chars().rev().collect();
    let whole = at - before.len()..at + 1 + after.len();
    Fault::new(format!("{before},{after} has a comma where numbers have a point"))
        .help(format!("write {before}.{after}"))
        .at(&whole)
}

/// The same fault with what may have been meant where a table is written a second time.
fn one_of_several(fault: Fault, text: &str) -> Fault {
    let table = fault.span.clone().filter(|_| fault.message == "duplicate key").and_then(|span| {
        let line = text.get(..span.start)?.rsplit('\n').next()?;
        (line.trim() == "[").then(|| text.get(span))?
    });
    match table {
        Some(table) => fault.help(format!(
            "every key and every table may be given once; of tables of which there may be several, write [[{table}]] for each"
        )),
        None => fault,
    }
}

fn too_long() -> Fault {
    Fault::new(format!("the file is longer than {} MiB", MOST_BYTES >> 20))
        .help("put long signals into a CSV file: { csv = \"file.csv\", time = \"t\", column = \"F\" }")
}

fn read_text<M>(formats: &[Format<M>], path: &Path, name: &str) -> Result<String, Error> {
    let fail = |fault: Fault| Error::without_text(fault, name);
    let unreadable = |e: std::io::Error| {
        let fault = Fault::new(format!("cannot read the file: {}", one_line(&e.to_string())));
        fail(fault.help(suggestion(formats, name)))
    };
    let facts = fs::metadata(path).map_err(unreadable)?;
    if !facts.is_file() {
        return Err(fail(Fault::new("this is not a file").help("name a scenario file")));
    }
    if facts.len() > MOST_BYTES {
        return Err(fail(too_long()));
    }
    let mut bytes = Vec::new();
    // Some files of the system, such as those in /proc, are empty by their size but wait for ever when read.
    if facts.len() > 0 {
        let file = File::open(path).map_err(unreadable)?;
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(e.as_bytes()).into_owned();
        let fault = Fault::new("the file is not UTF-8 text").help("save it as UTF-8");
        Error::in_text(fault.at(&(at..at + 1)), name, &text)
    })
}

fn find_builtin<M>(formats: &[Format<M>], name: &str) -> Option<&'static Builtin> {
    builtins(formats).find(|b| b.name == name)
}

fn builtins<M>(formats: &[Format<M>]) -> impl Iterator<Item = &'static Builtin> {
    formats.iter().flat_map(|format| format.builtins)
}

/// What was meant by a name that neither a file nor a built-in scenario has.
fn suggestion<M>(formats: &[Format<M>], name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or(name);
    let names = || builtins(formats).map(|b| b.name);
    match (file_like(Path::new(name), Some("toml")), nearest(stem, names())) {
        (Some(file), _) => format!("did you mean the file `{file}`?"),
        (None, Some(known)) => format!("did you mean the built-in `{known}`?"),
        (None, None) => format!(
            "give the path of a file, or the name of a built-in scenario such as {}; `stickslip list` shows all of them",
            listed(names().take(NAMED)).replace(" and ", " or ")
        ),
    }
}

/// Built-in scenarios that a message names.
const NAMED: usize = 3;
