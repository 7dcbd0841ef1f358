//! Files that a scenario names, so that a result can carry them along.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::Sha256;
use stickslip_core::signal::Signal;
use toml_edit::{DocumentMut, Item, TableLike, Value};

use crate::fault::nearest;

/// Folder beside a written scenario that holds the files it names.
const FOLDER: &str = "inputs";

/// Keys whose values are paths of files.
const FILES: [&str; 3] = ["csv", "file", "table"];

/// The same within [mesh]: meshes of the bodies.
const MESHES: [&str; 2] = ["first", "second"];

/// A file that a scenario names, as it was when the scenario was read.
#[derive(Debug, Clone)]
pub struct Input {
    /// Where it was read from.
    pub path: PathBuf,
    /// Where [`crate::Scenario::text`] looks for it, relative to the folder that the text lies in: `inputs/F.csv`.
    pub place: String,
    /// Its bytes.
    pub bytes: Arc<[u8]>,
    /// The path as the scenario file has it.
    written: String,
}

/// What is gathered while a scenario is read: the fingerprint of its files and the files themselves.
#[derive(Default)]
pub(crate) struct Gathered {
    pub hash: Sha256,
    pub files: Vec<Input>,
    pub signals: Vec<NamedSignal>,
    /// Files that were read before, by their places: they are not read again.
    known: Vec<(String, Arc<[u8]>)>,
    /// Whether these are all there may be.
    pub only_known: bool,
}

/// Whether a path of keys leads to the name of a file.
pub(crate) fn is_file<'k>(keys: impl DoubleEndedIterator<Item = &'k str>) -> bool {
    let mut backwards = keys.rev();
    match backwards.next() {
        Some(last) if FILES.contains(&last) => true,
        Some(last) if MESHES.contains(&last) => backwards.next() == Some("mesh"),
        _ => false,
    }
}

/// A signal of a scenario and what it is, in words ("the brake torque").
#[derive(Debug, Clone)]
pub struct NamedSignal {
    /// What it is.
    pub what: String,
    /// The signal.
    pub signal: Signal,
}

/// The file whose name is most like that of `path`, which is not there, in the same folder; of this kind, if one is
/// given.
pub(crate) fn file_like(path: &Path, ending: Option<&str>) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = std::fs::read_dir(folder).ok()?.take(MOST_LOOKED_AT).filter_map(|entry| {
        let path = entry.ok()?.path();
        let wanted = ending.is_none_or(|ending| path.extension().is_some_and(|own| own == ending));
        let name = path.file_name()?.to_str()?.to_string();
        (wanted && path.is_file()).then_some(name)
    });
    let mut files: Vec<String> = files.collect();
    files.sort_unstable();
    // Endings are alike and would make all names so.
    let stem = |name: &'_ str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_string();
    let stems: Vec<String> = files.iter().map(|name| stem(name)).collect();
    let near = nearest(&stem(path.file_name()?.to_str()?), stems.iter().map(String::as_str))?;
    let file = &files[stems.iter().position(|stem| stem == near)?];
    Some(path.with_file_name(file).display().to_string())
}

/// Entries of a folder that are looked at for a name like another.
const MOST_LOOKED_AT: usize = 1000;

impl Gathered {
    /// With files that were read before.
    pub fn knowing<'i>(files: impl Iterator<Item = &'i Input>) -> Gathered {
        let files: Vec<&Input> = files.collect();
        let places = files.iter().map(|file| (file.place.clone(), file.bytes.clone()));
        // Under a key that is not known to be that of a file the text has the path as it was written.
        let paths = files.iter().map(|file| (file.written.clone(), file.bytes.clone()));
        Gathered { known: places.chain(paths).collect(), ..Gathered::default() }
    }

    /// The bytes of a file that was read before.
    pub fn known(&self, place: &str) -> Option<Arc<[u8]>> {
        self.known.iter().find(|(known, _)| known == place).map(|(_, bytes)| bytes.clone())
    }

    /// Keeps a file; one that several signals name is kept once.
    pub fn keep(&mut self, written: &str, path: PathBuf, bytes: Vec<u8>) -> Arc<[u8]> {
        if let Some(known) = self.files.iter().find(|file| file.written == written && *file.bytes == *bytes) {
            return known.bytes.clone();
        }
        let bytes: Arc<[u8]> = bytes.into();
        let place = self.free_place(written);
        self.files.push(Input { path, place, bytes: bytes.clone(), written: written.to_string() });
        bytes
    }

    /// `inputs/F.csv`, or `inputs/2-F.csv` and so on where another file has that name. Files that lie at such a place
    /// already get the same one again, so that a written scenario is written alike when it is run again.
    fn free_place(&self, written: &str) -> String {
        let name = Path::new(written).file_name().map_or_else(|| "input".into(), |name| name.to_string_lossy());
        let numbered = |k: usize| match k {
            1 => format!("{FOLDER}/{name}"),
            k => format!("{FOLDER}/{k}-{name}"),
        };
        let taken = |place: &String| self.files.iter().any(|file| file.place.eq_ignore_ascii_case(place));
        (1..).map(numbered).find(|place| !taken(place)).unwrap_or_default()
    }

    /// The text with the places of the files instead of the paths that it had.
    pub fn portable(&self, text: String) -> String {
        if self.files.iter().all(|file| file.written == file.place) {
            return text;
        }
        // The text has been read before; should it not be read again, it is better as it was than lost.
        let Ok(mut document) = text.parse::<DocumentMut>() else { return text };
        self.visit(document.as_table_mut(), false);
        document.to_string()
    }

    fn visit(&self, table: &mut dyn TableLike, mesh: bool) {
        for (key, item) in table.iter_mut() {
            let inner = key.get() == "mesh";
            match item {
                Item::Value(value)
                    if value.is_str() && (FILES.contains(&key.get()) || mesh && MESHES.contains(&key.get())) =>
                {
                    self.put_place(value);
                }
                Item::Value(value) => self.visit_value(value, inner),
                Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| self.visit(table, false)),
                Item::Table(table) => self.visit(table, inner),
                Item::None => {}
            }
        }
    }

    fn visit_value(&self, value: &mut Value, mesh: bool) {
        match value {
            Value::InlineTable(table) => self.visit(table, mesh),
            Value::Array(list) => list.iter_mut().for_each(|value| self.visit_value(value, false)),
            _ => {}
        }
    }

    fn put_place(&self, value: &mut Value) {
        let Some(file) = self.files.iter().find(|file| value.as_str() == Some(&file.written)) else { return };
        let mut place = Value::from(file.place.as_str());
        *place.decor_mut() = value.decor().clone();
        *value = place;
    }
}
