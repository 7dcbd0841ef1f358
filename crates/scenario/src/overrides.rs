//! Overrides: `--set key=value`.
//!
//! An override is parsed as if it stood behind the end of the file, so that every value keeps a place
//! of its own: offsets up to the file's length are the file's, later ones belong to an override.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml_edit::{DocumentMut, Item, Key, Table, TableLike};

use crate::error::{Error, OVERRIDE_SOURCE};
use crate::fault::{Fault, listed, nearest, quote, shortened};
use crate::sweep::Place;

/// One `key=value` to put in place of what the file says, such as `run.step=1e-4` or `wheel.mass=400 kg`.
///
/// The value is read as TOML, and as a plain string where it is none; what begins like a table, a list or
/// a quoted string must be one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override(String);

impl Override {
    /// An override; it is read, and its faults are found, together with the scenario.
    pub fn new(text: impl Into<String>) -> Override {
        Override(text.into())
    }

    /// Whether it changes what is simulated, not only how, or what is recorded and expected of it.
    pub(crate) fn changes_the_model(&self) -> bool {
        let tables = ["run.", "output.", "expected.", "sweep."];
        let text = self.0.trim_start();
        !tables.iter().any(|table| text.starts_with(table))
            && !text.starts_with("title")
            && !text.starts_with("description")
    }

    /// The text as it was given.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Override {
    fn from(text: &str) -> Override {
        Override::new(text)
    }
}

impl From<String> for Override {
    fn from(text: String) -> Override {
        Override(text)
    }
}

/// A file and the overrides behind it.
pub(crate) struct Sources<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub overrides: Vec<Placed<'a>>,
}

/// An override and its place behind the file.
pub(crate) struct Placed<'a> {
    start: usize,
    text: &'a str,
}

impl<'a> Sources<'a> {
    pub fn new(name: &'a str, text: &'a str, overrides: &'a [Override]) -> Sources<'a> {
        let mut start = text.len() + 1;
        let overrides = overrides
            .iter()
            .map(|Override(text)| {
                let placed = Placed { start, text };
                start += text.len() + 1;
                placed
            })
            .collect();
        Sources { name, text, overrides }
    }

    /// The error of a fault, in the file or in the override that its span falls into.
    pub fn error(&self, mut fault: Fault) -> Error {
        let start = fault.span.as_ref().map_or(0, |s| s.start);
        match self.overrides.iter().rev().find(|o| o.start <= start) {
            None => Error::in_text(fault, self.name, self.text),
            Some(found) => {
                fault.span = fault.span.map(|s| s.start - found.start..s.end.saturating_sub(found.start));
                Error::in_text(fault, OVERRIDE_SOURCE, found.text)
            }
        }
    }
}

/// What an override says: keys that lead to a value.
struct Assignment<'a> {
    path: Vec<Spanned<Cow<'a, str>>>,
    value: Spanned<DeValue<'a>>,
}

impl Placed<'_> {
    fn read(&self) -> Result<Assignment<'_>, Fault> {
        let shown = shortened(self.text);
        let everything = self.start..self.start + self.text.len();
        let advice = "write --set key=value, such as --set run.step=1e-4";
        let Some((key, text)) = assigned(self.text) else {
            return Err(Fault::new(format!("`{shown}` has no `=`")).help(advice).at(&everything));
        };
        let Some(path) = dotted(key, self.start) else {
            let message = match key.trim() {
                "" => "there is no key before the `=`".to_string(),
                other => format!("`{}` is not a dotted key", shortened(other)),
            };
            let place = self.start..self.start + key.len();
            let advice = match key.trim().contains(char::is_whitespace) {
                true => {
                    "write --set key=value; a name with blanks stands in quotation marks, such as \
                     --set 'wheel.\"front left\".radius=0.3'"
                }
                false => advice,
            };
            return Err(Fault::new(message).help(advice).at(&place));
        };
        let value_start = self.start + key.len() + 1;
        let plain = text.trim();
        let plain_start = value_start + (text.len() - text.trim_start().len());
        if plain.is_empty() {
            return Err(Fault::new("there is no value after the `=`").help(advice).at(&everything));
        }
        let value = match DeValue::parse(plain) {
            Ok(value) => shift(value, plain_start),
            Err(error) if plain.starts_with(['{', '[', '"', '\'']) => {
                let span = error.span().unwrap_or(0..0);
                return Err(Fault::new(crate::fault::one_line(error.message()))
                    .help("the value is not TOML; quote it for your shell as a whole")
                    .at(&(span.start + plain_start..span.end + plain_start)));
            }
            Err(_) => Spanned::new(plain_start..plain_start + plain.len(), DeValue::String(Cow::Borrowed(plain))),
        };
        Ok(Assignment { path, value })
    }
}

/// Key and value of an override: what stands before and behind the first `=` outside quotation marks.
pub(crate) fn assigned(text: &str) -> Option<(&str, &str)> {
    let mut quoted = None;
    let mut escaped = false;
    for (place, sign) in text.char_indices() {
        match (quoted, sign) {
            (None, '=') => return Some((&text[..place], &text[place + 1..])),
            (None, '"' | '\'') => quoted = Some(sign),
            (Some('"'), '\\') if !escaped => {
                escaped = true;
                continue;
            }
            (Some(mark), _) if sign == mark && !escaped => quoted = None,
            _ => {}
        }
        escaped = false;
    }
    None
}

/// The keys of a dotted path that begins at offset `start`, each with its place.
pub(crate) fn dotted(text: &str, start: usize) -> Option<Vec<Spanned<Cow<'static, str>>>> {
    // Deeper than any table of a scenario; what recurses over the document stays shallow.
    const DEEPEST: usize = 8;
    let line = format!("{text}=0");
    let mut table = DeTable::parse(&line).ok()?.into_inner();
    let mut path = Vec::new();
    while path.len() < DEEPEST {
        let mut entries = table.into_iter();
        let (Some((key, value)), None) = (entries.next(), entries.next()) else {
            return None;
        };
        let span = key.span().start + start..key.span().end + start;
        path.push(Spanned::new(span, Cow::Owned(key.into_inner().into_owned())));
        match value.into_inner() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(path),
        }
    }
    None
}

/// The value with all its places moved on by `offset`.
fn shift(value: Spanned<DeValue<'_>>, offset: usize) -> Spanned<DeValue<'_>> {
    let moved = |span: Range<usize>| span.start + offset..span.end + offset;
    let span = moved(value.span());
    let inner = match value.into_inner() {
        DeValue::Array(list) => DeValue::Array(list.into_iter().map(|v| shift(v, offset)).collect()),
        DeValue::Table(table) => DeValue::Table(
            table.into_iter().map(|(k, v)| (Spanned::new(moved(k.span()), k.into_inner()), shift(v, offset))).collect(),
        ),
        other => other,
    };
    Spanned::new(span, inner)
}

/// The document with the overrides in place.
pub(crate) fn merged<'a>(sources: &'a Sources<'_>) -> Result<Spanned<DeTable<'a>>, Fault> {
    let mut document = DeTable::parse(sources.text).map_err(|error| {
        let fault = Fault::from(error);
        // The reader does not say where dotted keys became too deep.
        match fault.span {
            Some(_) => fault,
            None => fault.at(&most_dots(sources.text)),
        }
    })?;
    for placed in &sources.overrides {
        let Assignment { path, value } = placed.read()?;
        insert(document.get_mut(), &path, value, "")?;
    }
    Ok(document)
}

/// Where each override sets a value, and its key as it is written.
pub(crate) fn places(sources: &Sources<'_>, document: &DeTable<'_>) -> Result<Vec<(Place, String)>, Fault> {
    let place = |placed: &Placed<'_>| {
        let Assignment { path, .. } = placed.read()?;
        let key = assigned(placed.text).map_or("", |(key, _)| key).trim();
        Ok((Place::of(document, &path), key.to_string()))
    };
    sources.overrides.iter().map(place).collect()
}

/// The line with the most dots.
fn most_dots(text: &str) -> Range<usize> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let span = start..start + line.trim_end().len();
        start += line.len();
        (line.matches('.').count(), span)
    });
    lines.max_by_key(|(dots, _)| *dots).map_or(0..0, |(_, span)| span)
}

pub(crate) fn insert<'a>(
    table: &mut DeTable<'a>,
    path: &[Spanned<Cow<'a, str>>],
    value: Spanned<DeValue<'a>>,
    above: &str,
) -> Result<(), Fault> {
    let (key, rest) = match path {
        [] => return Ok(()),
        [key] => {
            table.insert(key.clone(), value);
            return Ok(());
        }
        [key, rest @ ..] => (key, rest),
    };
    let name = format!("{above}{}", key.get_ref());
    if !table.contains_key(key.get_ref().as_ref()) {
        // No table has a number for a key, so an entry of a list is meant.
        if rest[0].get_ref().parse::<usize>().is_ok() {
            return Err(none_there(&name, &key.span()));
        }
        let empty = Spanned::new(key.span(), DeValue::Table(DeTable::new()));
        table.insert(key.clone(), empty);
    }
    match table.get_mut(key.get_ref().as_ref()).map(Spanned::get_mut) {
        Some(DeValue::Table(inner)) => insert(inner, rest, value, &format!("{name}.")),
        Some(DeValue::Array(items)) => insert_into_list(items, rest, value, &name),
        _ => Err(Fault::new(format!("`{}` is not a table", shortened(&name)))
            .help(format!("set `{}` itself, or a key of a table", shortened(&name)))
            .at(&key.span())),
    }
}

/// A list that is missing or empty has no entry to set a value in.
fn none_there(list: &str, span: &Range<usize>) -> Fault {
    let list = shortened(list);
    Fault::new(format!("the scenario has no `{list}`, so there is none to set a value in"))
        .help(format!("write a table [[{list}]] in the file first: --set changes entries and adds none"))
        .at(span)
}

/// Sets a value in one of the tables of a list, as in `wheel.front.radius` or `wheel.1.radius`.
fn insert_into_list<'a>(
    items: &mut [Spanned<DeValue<'a>>],
    path: &[Spanned<Cow<'a, str>>],
    value: Spanned<DeValue<'a>>,
    above: &str,
) -> Result<(), Fault> {
    let Some((key, rest)) = path.split_first() else {
        return Ok(());
    };
    let names: Vec<Option<&str>> =
        items.iter().map(|i| i.get_ref().get("name").and_then(|n| n.get_ref().as_str())).collect();
    if items.is_empty() {
        return Err(none_there(above, &key.span()));
    }
    let Some(index) = chosen(&names, key.get_ref()) else {
        let known: Vec<&str> = names.iter().copied().flatten().collect();
        let help = match nearest(key.get_ref(), known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => match names.len() {
                1 => "there is one, without a name: count from 1".into(),
                count => format!("there are {count}, without names: count them from 1"),
            },
            None => format!("name one of {}, or count them from 1", shortened(&listed(known))),
        };
        let message = format!("`{}` has no entry `{}`", shortened(above), shortened(key.get_ref()));
        return Err(Fault::new(message).help(help).at(&key.span()));
    };
    let name = format!("{above}.{}", key.get_ref());
    match (items[index].get_mut(), rest) {
        (_, []) => {
            items[index] = value;
            Ok(())
        }
        (DeValue::Table(inner), rest) => insert(inner, rest, value, &format!("{name}.")),
        _ => Err(Fault::new(format!("`{}` is not a table", shortened(&name)))
            .help(format!("set `{}` itself", shortened(&name)))
            .at(&key.span())),
    }
}

/// Which entry of a list of tables a key means: the one of that name, or else the one of that number, from 1.
pub(crate) fn chosen(names: &[Option<&str>], key: &str) -> Option<usize> {
    let numbered = || key.parse::<usize>().ok()?.checked_sub(1).filter(|k| *k < names.len());
    names.iter().position(|name| *name == Some(key)).or_else(numbered)
}

/// The text of the file with the overrides in place; comments and layout are kept.
pub(crate) fn effective_text(sources: &Sources<'_>) -> Result<String, Fault> {
    if sources.overrides.is_empty() {
        return Ok(sources.text.to_string());
    }
    let unwritable = |e: toml_edit::TomlError| Fault::new(crate::fault::one_line(e.message()));
    let mut document: DocumentMut = sources.text.parse().map_err(unwritable)?;
    for placed in &sources.overrides {
        let Some((key, text)) = assigned(placed.text) else {
            continue;
        };
        let keys = Key::parse(key).map_err(unwritable)?;
        let text = text.trim();
        let value = text.parse().unwrap_or_else(|_| toml_edit::Value::from(text));
        write(document.as_table_mut(), &keys, value)?;
    }
    Ok(document.to_string())
}

fn write(table: &mut dyn TableLike, keys: &[Key], mut value: toml_edit::Value) -> Result<(), Fault> {
    match keys {
        [] => Ok(()),
        [key] => {
            if let Some(old) = table.get(key).and_then(Item::as_value) {
                *value.decor_mut() = old.decor().clone();
            }
            table.insert(key, Item::Value(value));
            Ok(())
        }
        [key, rest @ ..] => {
            let item = table.entry(key).or_insert_with(|| Item::Table(Table::new()));
            match (item.as_table_like_mut(), rest) {
                (Some(inner), rest) => write(inner, rest, value),
                (None, [entry, rest @ ..]) => write_into_list(item, entry, rest, value),
                (None, []) => Err(not_a_table(key)),
            }
        }
    }
}

fn not_a_table(key: &str) -> Fault {
    Fault::new(format!("{} is not a table", quote(key)))
}

/// Writes into one of the tables of a list, written [[key]] or [{ … }].
fn write_into_list(list: &mut Item, entry: &Key, rest: &[Key], value: toml_edit::Value) -> Result<(), Fault> {
    fn name(table: &dyn TableLike) -> Option<&str> {
        table.get("name").and_then(Item::as_str)
    }
    match list {
        Item::ArrayOfTables(tables) => {
            let names: Vec<Option<&str>> = tables.iter().map(|table| name(table)).collect();
            match chosen(&names, entry).and_then(|k| tables.get_mut(k)) {
                Some(table) if !rest.is_empty() => write(table, rest, value),
                _ => Err(not_a_table(entry)),
            }
        }
        Item::Value(toml_edit::Value::Array(items)) => {
            let names: Vec<Option<&str>> =
                items.iter().map(|item| item.as_inline_table().and_then(|table| name(table))).collect();
            match (chosen(&names, entry).and_then(|k| items.get_mut(k)), rest) {
                (Some(item), []) => {
                    *item = value;
                    Ok(())
                }
                (Some(toml_edit::Value::InlineTable(table)), rest) => write(table, rest, value),
                _ => Err(not_a_table(entry)),
            }
        }
        _ => Err(not_a_table(entry)),
    }
}

#[cfg(test)]
mod tests {
    use super::assigned;

    #[test]
    fn the_first_equals_sign_outside_quotation_marks_divides() {
        assert_eq!(assigned("run.step=1e-4"), Some(("run.step", "1e-4")));
        assert_eq!(assigned("wheel.\"front left\".radius=0.3"), Some(("wheel.\"front left\".radius", "0.3")));
        assert_eq!(assigned("wheel.\"a=b\".radius='c=d'"), Some(("wheel.\"a=b\".radius", "'c=d'")));
        assert_eq!(assigned(r#"wheel."a\"=".radius=1"#), Some((r#"wheel."a\"=".radius"#, "1")));
        assert_eq!(assigned("wheel.'a\\'.radius=1"), Some(("wheel.'a\\'.radius", "1")));
        assert_eq!((assigned("run.step"), assigned("\"run=1")), (None, None));
    }
}
