//! What a model must tell so that scenario files can describe it.
//!
//! A model has tables that serde reads (see [`Tables`]) and from them a [`Format`]; a list of formats is all that reading
//! and the schema need. This crate knows no model.

use std::fs::{self, File};
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use sha2::Digest;
use toml::Spanned;
use toml::de::DeTable;

use crate::builtin::Builtin;
use crate::expected::{self, Measurable};
use crate::fault::{Fault, one_line, quote};
use crate::head::{self, Head, InTime};
use crate::input::{Gathered, file_like};
use crate::run::{Output, Run, Scheme};
use crate::sweep::{self, Sweep};

/// The tables of a model's scenario file that are its own, as serde reads them; what all files have is taken out before.
pub trait Tables: DeserializeOwned + JsonSchema {
    /// What they are read into.
    type Model;

    /// The value of the key `model`.
    const MODEL: &'static str;

    /// Whether it is simulated in time: its files then have `[run]`, and may have `[output]`.
    const IN_TIME: bool = true;

    /// The schemes it can be run by.
    const SCHEMES: &'static [Scheme] = &[Scheme::ImplicitEuler, Scheme::Events];

    /// What may be measured of its runs.
    const MEASURES: &'static [Measurable] = &[];

    /// Keys of other models that one might look for here, such as `wheel.tyre`, and what to write instead.
    const ELSEWHERE: &'static [(&'static str, &'static str)] = &[];

    /// The model's own data.
    fn model(&self, context: &mut Context<'_>) -> Result<Self::Model, Fault>;
}

/// What is needed besides the tables to read a model.
pub struct Context<'a> {
    /// Folder that relative paths start from.
    pub base: &'a Path,
    /// Simulated time in seconds: how far expressions are probed.
    pub duration: f64,
    /// The time step in seconds, and where it stands.
    pub step: (f64, Range<usize>),
    /// The scheme asked for.
    pub scheme: Scheme,
    /// Takes in the files read.
    pub(crate) gathered: &'a mut Gathered,
}

/// Longest file that is read.
const MOST_BYTES: u64 = 256 << 20;

impl Context<'_> {
    /// The bytes of a file that the scenario names, which becomes a part of it. It must be a regular one of sane size.
    pub fn file(&mut self, path: &Spanned<String>) -> Result<Arc<[u8]>, Fault> {
        if let Some(bytes) = self.gathered.known(path.get_ref()) {
            return Ok(bytes);
        }
        let name = quote(path.get_ref());
        let whole = self.base.join(path.get_ref());
        let fault = |message: String| {
            Fault::new(message).help("paths are relative to the folder of the scenario file").at(&path.span())
        };
        let unreadable = |e: std::io::Error| {
            let fault = fault(format!("cannot read {name}: {}", one_line(&e.to_string())));
            match file_like(&whole, whole.extension().and_then(|ending| ending.to_str()))
                .filter(|_| e.kind() == std::io::ErrorKind::NotFound)
            {
                Some(near) => {
                    let near = Path::new(&near).file_name().map(|name| name.to_string_lossy().into_owned());
                    let meant = Path::new(path.get_ref()).with_file_name(near.unwrap_or_default());
                    fault.help(format!("did you mean {}?", quote(&meant.display().to_string())))
                }
                None => fault,
            }
        };
        let bytes = match bytes_of(&whole) {
            Ok(bytes) => bytes,
            Err(Unread::Not(error)) => return Err(unreadable(error)),
            Err(Unread::NoFile) => return Err(fault(format!("cannot read {name}: it is not a file"))),
            Err(Unread::Long) => return Err(fault(format!("{name} is longer than {} MiB", MOST_BYTES >> 20))),
            Err(Unread::Empty) => return Err(fault(format!("{name} is empty"))),
        };
        if self.gathered.only_known {
            return Err(fault(format!("{name} was not there when the sweep began"))
                .help("let a varied key name it, or the scenario: such files are read once, before the first run"));
        }
        self.gathered.hash.update((bytes.len() as u64).to_le_bytes());
        self.gathered.hash.update(&bytes);
        Ok(self.gathered.keep(path.get_ref(), whole, bytes))
    }
}

/// Why a file is not read.
pub(crate) enum Unread {
    Not(std::io::Error),
    NoFile,
    Long,
    Empty,
}

/// The bytes of a regular file of sane size.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>, Unread> {
    let facts = fs::metadata(path).map_err(Unread::Not)?;
    if !facts.is_file() {
        return Err(Unread::NoFile);
    }
    if facts.len() > MOST_BYTES {
        return Err(Unread::Long);
    }
    // Some files of the system, such as those in /proc, are empty by their size but wait for ever when read.
    if facts.len() == 0 {
        return Err(Unread::Empty);
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Unread::Not)?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(Unread::Not)?;
    Ok(bytes)
}

/// What was read from a file.
pub(crate) struct Contents<M> {
    pub title: Option<String>,
    pub description: Option<String>,
    pub run: Run,
    pub output: Output,
    pub expected: Vec<(String, f64)>,
    pub sweep: Option<Sweep>,
    pub model: M,
}

type Read<M> = fn(Spanned<DeTable<'_>>, &Path, &mut Gathered) -> Result<Contents<M>, Fault>;

/// One model as scenario files know it: its name and what can be done with its tables.
#[derive(Debug)]
pub struct Format<M> {
    /// The value of the key `model`.
    pub name: &'static str,
    /// Scenarios that come with the program.
    pub builtins: &'static [Builtin],
    /// What may be measured of its runs.
    pub measures: &'static [Measurable],
    /// Keys of other models, and what to write instead of them.
    pub(crate) elsewhere: &'static [(&'static str, &'static str)],
    pub(crate) in_time: bool,
    pub(crate) read: Read<M>,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
}

// Not derived: that would ask the same of the model.
impl<M> Clone for Format<M> {
    fn clone(&self) -> Format<M> {
        *self
    }
}

impl<M> Copy for Format<M> {}

impl<M> Format<M> {
    /// From the tables of a model and its built-in scenarios.
    pub const fn of<T: Tables<Model = M>>(builtins: &'static [Builtin]) -> Format<M> {
        Format {
            name: T::MODEL,
            builtins,
            measures: T::MEASURES,
            elsewhere: T::ELSEWHERE,
            in_time: T::IN_TIME,
            read: read::<T>,
            schema: T::json_schema,
        }
    }
}

fn read<T: Tables>(
    mut document: Spanned<DeTable<'_>>,
    base: &Path,
    gathered: &mut Gathered,
) -> Result<Contents<T::Model>, Fault> {
    let expected = expected::take(document.get_mut(), T::MEASURES)?;
    let sweep = sweep::take(document.get_mut())?;
    let first = head::taken(&mut document, &head::FIRST);
    let in_time = T::IN_TIME.then(|| head::taken(&mut document, &head::IN_TIME));
    let tables: T = head::read(document)?;
    let Head { title, description, .. } = head::read(first)?;
    let (mut run, mut output, mut span) = (Run::TIMELESS, Output::default(), 0..0);
    if let Some(in_time) = in_time {
        let own: InTime = head::read(in_time)?;
        run = own.run.read(T::MODEL, T::SCHEMES)?;
        output = own.output.read(T::MODEL, T::SCHEMES)?;
        span = own.run.step_span();
    }
    let (duration, step, scheme) = (run.duration, (run.step, span), run.scheme);
    let model = tables.model(&mut Context { base, duration, step, scheme, gathered })?;
    Ok(Contents { title, description, run, output, expected, sweep, model })
}
