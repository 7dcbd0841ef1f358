//! Numbers of a scenario that are varied: ranges on the command line, and a scenario with places for them.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::decimal::Decimal;
use crate::fault::{Fault, quote, shortened};
use crate::format::Format;
use crate::overrides::{assigned, chosen, dotted};
use crate::scenario::Scenario;
use crate::sweep::{Amount, KeyPath, Place, Template, Value};

/// Numbers that a key takes: `key=a:b:n` or `key=a:b:n:log` on the command line, without `n` where only the ends are meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Interval {
    /// The key, by its dotted path.
    pub key: String,
    /// The first, in SI units.
    pub from: f64,
    /// The last, in SI units.
    pub to: f64,
    /// The ends as they were written, with units.
    pub written: [String; 2],
    /// How many numbers; none where only the ends are meant.
    pub count: Option<usize>,
    /// Whether neighbours have equal ratios instead of equal differences.
    pub log: bool,
}

/// Numbers of an interval at the most.
const MOST: usize = 100_000;

impl Interval {
    /// Reads `key=a:b:n`, or `key=a:b` where no count is wanted; both may end in `:log`.
    pub fn read(text: &str, counted: bool) -> Result<Interval, Fault> {
        let form = if counted {
            "key=a:b:n, such as pad.load=10:50:41, or key=a:b:n:log"
        } else {
            "key=a:b, such as pad.load=10:50"
        };
        let wrong = |message: String| Fault::new(message).help(format!("write {form}"));
        let (key, range) = assigned(text).ok_or_else(|| wrong(format!("`{}` has no `=`", shortened(text))))?;
        let key = key.trim();
        if dotted(key, 0).is_none() {
            return Err(wrong(format!("`{}` is not a dotted key", shortened(key))));
        }
        let mut words: Vec<&str> = range.split(':').map(str::trim).collect();
        let log = words.last() == Some(&"log");
        if log {
            words.pop();
        }
        let (from, to, count) = match (&words[..], counted) {
            ([from, to, count], true) => (from, to, Some(*count)),
            ([from, to], false) => (from, to, None),
            _ => return Err(wrong(format!("`{}` is not a range", shortened(range.trim())))),
        };
        let written = [from.to_string(), to.to_string()];
        let (from, to) = (Amount::read(from)?, Amount::read(to)?);
        from.goes_with(&to)?;
        let (from, to) = (from.si, to.si);
        if from == to {
            return Err(Fault::new(format!("the range of `{key}` is empty: both ends are {}", quote(&written[0])))
                .help("write two different numbers"));
        }
        if log && (from <= 0.0 || to <= 0.0) {
            return Err(Fault::new(format!(
                "equal ratios need numbers greater than 0, and `{key}` goes from {from} to {to}"
            ))
            .help("leave out :log, or take other ends"));
        }
        let count = count.map(|word| match word.parse::<usize>() {
            Ok(count) if (2..=MOST).contains(&count) => Ok(count),
            Ok(count) if count < 2 => {
                Err(Fault::new(format!("`{key}` is to take {count} values, and a range has at least 2"))
                    .help(format!("--set {key}=… puts a single value in")))
            }
            _ => Err(wrong(format!("{} is not a number of values from 2 to {MOST}", quote(word)))),
        });
        Ok(Interval { key: key.to_string(), from, to, written, count: count.transpose()?, log })
    }

    /// The numbers, both ends among them to the bit; `usual` of them where no count was given.
    pub fn values(&self, usual: usize) -> Vec<f64> {
        let n = self.count.unwrap_or(usual).max(2);
        let at = |k: usize| match k {
            0 => self.from,
            k if k + 1 == n => self.to,
            k if self.log => of_equal_ratios(self.from, self.to, k as f64 / (n - 1) as f64),
            // Ends of opposite signs may be farther apart than numbers reach.
            k if !(self.to - self.from).is_finite() => {
                let share = k as f64 / (n - 1) as f64;
                self.from * (1.0 - share) + self.to * share
            }
            k => self.from + (self.to - self.from) * k as f64 / (n - 1) as f64,
        };
        (0..n).map(at).collect()
    }
}

/// The number at a share of the way between two of one sign, by equal ratios. Of ends whose ratio is beyond all numbers their roots are multiplied.
pub(crate) fn of_equal_ratios(from: f64, to: f64, share: f64) -> f64 {
    let ratio = to / from;
    if ratio.is_normal() {
        return from * ratio.powf(share);
    }
    from.signum() * from.abs().powf(1.0 - share) * to.abs().powf(share)
}

/// A scenario with places for numbers: a [`Template`] whose keys are known and checked to be numbers.
pub struct Varied<'a, M> {
    template: Template<'a, M>,
    keys: Vec<KeyPath>,
}

impl<'a, M> Varied<'a, M> {
    /// Of a scenario that was read, with these keys to be varied. Files that it names are those that were read then.
    pub fn new(formats: &[Format<M>], scenario: &'a Scenario<M>, keys: &[&str]) -> Result<Varied<'a, M>, Fault> {
        let template = Template::new(formats, scenario)?;
        let keys: Vec<KeyPath> = keys.iter().map(|key| KeyPath::read(key)).collect::<Result<_, _>>()?;
        keys.iter().try_for_each(|key| is_number(key.text(), find(template.document(), key.parts())))?;
        let places: Vec<Place> = keys.iter().map(|key| template.place(key)).collect();
        for (k, place) in places.iter().enumerate() {
            if let Some(first) = places[..k].iter().position(|other| other.meets(place)) {
                return Err(twice(keys[first].text(), keys[k].text()));
            }
        }
        Ok(Varied { template, keys })
    }

    /// The model with these numbers, one for each key, in SI units.
    pub fn at(&self, values: &[f64]) -> Result<M, Fault> {
        self.read(values.iter().map(|value| Value::Number(*value)))
    }

    /// The model with these values as they were written, which may have units.
    pub fn at_written(&self, values: &[&str]) -> Result<M, Fault> {
        // What is no number is one with a unit.
        self.read(values.iter().map(|text| text.parse().map_or_else(|_| Value::Text(text.to_string()), Value::Number)))
    }

    fn read(&self, values: impl Iterator<Item = Value>) -> Result<M, Fault> {
        let values: Vec<Value> = values.collect();
        Ok(self.template.at(self.keys.iter().zip(&values))?.model)
    }
}

/// Two keys that set one value.
fn twice(one: &str, other: &str) -> Fault {
    let message = match one == other {
        true => format!("`{one}` is varied twice"),
        false => format!("`{one}` and `{other}` set the same value"),
    };
    Fault::new(message).help("leave one of them out")
}

/// The value at a key, if the document has one.
fn find<'d, 'i>(table: &'d DeTable<'i>, parts: &[Spanned<Cow<'_, str>>]) -> Option<&'d DeValue<'i>> {
    let (first, rest) = parts.split_first()?;
    let mut value = table.get(first.get_ref().as_ref())?.get_ref();
    for part in rest {
        value = match value {
            DeValue::Table(table) => table.get(part.get_ref().as_ref())?.get_ref(),
            DeValue::Array(items) => {
                let name = |item: &Spanned<DeValue<'i>>| {
                    item.get_ref().get("name").and_then(|n| n.get_ref().as_str().map(String::from))
                };
                let names: Vec<Option<String>> = items.iter().map(name).collect();
                let names: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
                items.get(chosen(&names, part.get_ref())?)?.get_ref()
            }
            _ => return None,
        };
    }
    Some(value)
}

/// Whether a value may be varied: a number, with or without a unit, or one that the file leaves out.
fn is_number(key: &str, value: Option<&DeValue<'_>>) -> Result<(), Fault> {
    let found = match value {
        None | Some(DeValue::Integer(_) | DeValue::Float(_)) => return Ok(()),
        Some(DeValue::String(text)) if Decimal::split(text).is_some() => return Ok(()),
        Some(DeValue::String(text)) => format!("the word {}", quote(text)),
        Some(DeValue::Table(table)) => {
            let number = |(_, value): &(&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                is_number("", Some(value.get_ref())).is_ok()
            };
            let mut inner: Vec<String> =
                table.iter().filter(number).map(|(name, _)| format!("{key}.{}", name.get_ref())).collect();
            // As they are named in messages of keys, whatever the order in the file.
            inner.sort();
            let help = match &inner[..] {
                [] => format!(
                    "nothing in it is a single number: change the table by --set, or put a number in its place, --set {key}=…, and vary that; a \
                     whole law of friction is varied by {key}.scale"
                ),
                [one] => format!("name the number in it: {one}"),
                several => format!("name a number in it: {}", several.join(", ")),
            };
            return Err(Fault::new(format!("`{key}` is a table, and only a number can be varied")).help(help));
        }
        Some(DeValue::Array(_)) => "a list".into(),
        Some(DeValue::Boolean(flag)) => flag.to_string(),
        Some(DeValue::Datetime(_)) => "a date".into(),
    };
    Err(Fault::new(format!("`{key}` is {found}, and only a number can be varied"))
        .help("name a key whose value is a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_read_and_have_their_ends_to_the_bit() {
        let range = Interval::read("support.belt.speed=0.1:0.7:4", true).expect("a range");
        assert_eq!((range.key.as_str(), range.from, range.to), ("support.belt.speed", 0.1, 0.7));
        let values = range.values(9);
        assert_eq!((values.len(), values[0], values[3]), (4, 0.1, 0.7));
        assert!((values[1] - 0.3).abs() < 1e-15);
        let log = Interval::read("k=1 mm:1 km:7:log", true).expect("a range").values(2);
        assert_eq!((log[0], log[6]), (1e-3, 1e3));
        assert!(log.windows(2).all(|pair| (pair[1] / pair[0] - 10.0).abs() < 1e-12));
        let found = Interval::read("pad.load=-5 : 3", false).expect("a range");
        assert_eq!((found.from, found.to, found.count), (-5.0, 3.0, None));
        assert_eq!(found.values(3), [-5.0, -1.0, 3.0]);
        // Ratios beyond all numbers, up and down, between numbers of full size and below it.
        for (text, middle) in
            [("k=1e-200:1e200:5:log", 1.0), ("k=1e200:1e-200:5:log", 1.0), ("k=1e-310:1e10:3:log", 1e-150)]
        {
            let wide = Interval::read(text, true).expect("a range").values(2);
            let found = wide[wide.len() / 2];
            assert!(
                (found / middle - 1.0).abs() < 1e-12 && wide.iter().all(|x| x.is_normal() || *x < 1e-300),
                "{wide:?}"
            );
        }
        let back = Interval::read("pad.load=3:1:3", true).expect("falling is a range, too");
        assert_eq!(back.values(2), [3.0, 2.0, 1.0]);
    }

    #[test]
    fn what_is_no_interval_is_said() {
        let said = |text: &str| Interval::read(text, true).map_err(|fault| fault.message);
        for (text, message) in [
            ("load", "`load` has no `=`"),
            ("=1:2:3", "`` is not a dotted key"),
            ("load=1:2", "`1:2` is not a range"),
            ("load=1:1:5", "the range of `load` is empty: both ends are \"1\""),
            ("load=1:2:1", "`load` is to take 1 values, and a range has at least 2"),
            ("load=1:2:x", "\"x\" is not a number of values from 2 to 100000"),
            ("load=a:2:5", "\"a\" does not begin with a number"),
            ("load=0:2:5:log", "equal ratios need numbers greater than 0, and `load` goes from 0 to 2"),
        ] {
            assert_eq!(said(text), Err(message.to_string()), "{text}");
        }
    }
}
