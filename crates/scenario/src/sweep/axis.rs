//! What a key is varied over: `a:b:n`, `[…]`, `normal(mean, sd)`.

use std::collections::BTreeMap;

use toml::de::DeValue;

use crate::decimal::Decimal;
use crate::dimension::Dimension;
use crate::fault::{Fault, listed, nearest, number, one_line, quote, shortened};
use crate::unit::Unit;

/// A value that is put in place of what a scenario says.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number in SI units.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// A word: the name of a scheme, a file.
    Text(String),
    /// `true` or `false`.
    Flag(bool),
}

impl Value {
    /// The number that it is, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Number(value) => Some(*value),
            Value::Whole(value) => Some(*value as f64),
            Value::Text(_) | Value::Flag(_) => None,
        }
    }

    /// As it is written in TOML: read again, it is the same value.
    pub fn written(&self) -> String {
        match self {
            Value::Number(value) => shortest(*value),
            Value::Whole(value) => value.to_string(),
            Value::Text(text) => toml_edit::Value::from(text.as_str()).to_string(),
            Value::Flag(flag) => flag.to_string(),
        }
    }
}

/// The shortest decimal that reads back to the same number, as TOML takes it.
fn shortest(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || (1e-4..1e15).contains(&size) { format!("{value:?}") } else { format!("{value:e}") }
}

/// A number with the unit it was written with.
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// Its value in SI units.
    pub si: f64,
    /// As it was written: "1.2 kN m".
    pub written: String,
    /// Its dimension; none for plain numbers, which are in SI units.
    dimension: Option<Dimension>,
}

impl Amount {
    /// Reads a number, with or without a unit.
    pub fn read(text: &str) -> Result<Amount, Fault> {
        let written = text.trim().to_string();
        let Some((digits, rest)) = Decimal::split(&written) else {
            return Err(Fault::new(format!("{} does not begin with a number", quote(&written))).help(FORMS));
        };
        let rest = rest.trim_start();
        let unit = if rest.is_empty() { Unit::ONE } else { Unit::parse(rest)? };
        let Some(si) = unit.value(digits) else {
            return Err(Fault::new(format!("{} is too large a number", quote(&written)))
                .help("numbers reach to about 1.8e308 in SI units"));
        };
        let dimension = (!rest.is_empty()).then_some(unit.dimension);
        Ok(Amount { si, written, dimension })
    }

    /// The SI unit of what it was written in; none for a plain number.
    pub fn unit(&self) -> Option<&'static str> {
        let dimension = self.dimension?;
        crate::kind::UNITS.iter().find(|(known, _)| *known == dimension).map(|(_, unit)| *unit)
    }

    /// As it was written, and in SI units.
    fn probe(&self) -> [Value; 2] {
        let plain = if self.is_whole() { Value::Whole(self.si as i64) } else { Value::Number(self.si) };
        match self.dimension {
            Some(_) => [Value::Text(self.written.clone()), plain],
            None => [plain.clone(), plain],
        }
    }

    /// Whether it is a whole number without a unit, as it was written.
    pub fn is_whole(&self) -> bool {
        self.written.parse::<i64>().is_ok()
    }

    /// Whether it may stand beside another: nought needs no unit, others have one of the same kind, or none at all.
    pub(crate) fn goes_with(&self, other: &Amount) -> Result<(), Fault> {
        let Amount { written, .. } = self;
        match (self.dimension, other.dimension) {
            (Some(a), Some(b)) if a != b => {
                Err(Fault::new(format!("{} is {a}, and {} is {b}", quote(written), quote(&other.written)))
                    .help("write both in units of the same kind"))
            }
            (None, Some(_)) if self.si != 0.0 => Err(without_unit(written, &other.written)),
            (Some(_), None) if other.si != 0.0 => Err(without_unit(&other.written, written)),
            _ => Ok(()),
        }
    }
}

fn without_unit(plain: &str, with: &str) -> Fault {
    Fault::new(format!("{} has no unit, but {} has one", quote(plain), quote(with))).help("write the unit with both")
}

/// How random values lie.
#[derive(Debug, Clone, PartialEq)]
pub enum Distribution {
    /// Between two numbers, all alike.
    Uniform(Amount, Amount),
    /// Between two numbers > 0, all ratios alike.
    LogUniform(Amount, Amount),
    /// By mean and standard deviation.
    Normal(Amount, Amount),
    /// By median and the standard deviation of the natural logarithm.
    LogNormal(Amount, f64),
}

/// What a key is varied over.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    /// From one number to another, both included.
    Range {
        /// The first.
        from: Amount,
        /// The last.
        to: Amount,
        /// How many, ≥ 1.
        count: u64,
        /// Whether ratios are equal and not differences.
        log: bool,
    },
    /// One after the other; how each was written, for messages.
    List(Vec<(Value, String)>),
    /// At random.
    Random(Distribution),
}

/// What may be written.
const FORMS: &str = "write a range such as 0:1:21 or \"1 kN m:2 kN m:21\" (from:to:how many, with :log for equal ratios), a list \
                     [0.2, 0.5], or uniform(a, b), loguniform(a, b), normal(mean, sd), lognormal(median, sd of the logarithm)";

/// Names of distributions.
const DISTRIBUTIONS: [&str; 4] = ["uniform", "loguniform", "normal", "lognormal"];

/// Most points of a range.
const MOST: u64 = 1 << 53;

impl Axis {
    /// Reads a range, a list or a distribution.
    pub fn read(text: &str) -> Result<Axis, Fault> {
        let text = text.trim();
        if text.starts_with('[') {
            return list(text);
        }
        if let Some((name, arguments)) = text.strip_suffix(')').and_then(|inside| inside.split_once('(')) {
            return distribution(name.trim(), arguments).map(Axis::Random);
        }
        let words: Vec<&str> = text.split(':').map(str::trim).collect();
        let (ends, count, log) = match words[..] {
            [from, to, count] => ([from, to], count, false),
            [from, to, count, "log"] => ([from, to], count, true),
            [_, _, _, word] => {
                return Err(Fault::new(format!("{} is no kind of range", quote(word)))
                    .help("a fourth word can be log: equal ratios instead of equal differences"));
            }
            [from, to] => {
                return Err(Fault::new(format!("{} does not say how many points", quote(text)))
                    .help(format!("write {from}:{to}:21 for 21 points from {from} to {to}")));
            }
            _ => return Err(Fault::new(format!("{} is no range", quote(text))).help(FORMS)),
        };
        let [from, to] = [Amount::read(ends[0])?, Amount::read(ends[1])?];
        let count = match count.parse::<u64>() {
            Ok(0) => return Err(Fault::new("a range of 0 points is empty").help("write how many points: 0:1:21")),
            Ok(count) if count <= MOST => count,
            _ => {
                return Err(Fault::new(format!("{} is no number of points", quote(count)))
                    .help("write a whole number of points as the third word: 0:1:21"));
            }
        };
        range(from, to, count, log)
    }

    /// Reads the two ends of a bracket, `a:b`.
    pub fn bracket(text: &str) -> Result<[Amount; 2], Fault> {
        let help = "write a bracket such as 0:1 or \"1 kN m:2 kN m\"";
        let words: Vec<&str> = text.split(':').map(str::trim).collect();
        let [from, to] = words[..] else {
            return Err(Fault::new(format!("{} is no bracket", quote(text))).help(help));
        };
        let [from, to] = [Amount::read(from)?, Amount::read(to)?];
        from.goes_with(&to)?;
        if from.si == to.si {
            return Err(Fault::new("the bracket is empty: both ends are the same").help(help));
        }
        Ok([from, to])
    }

    /// Values with which the scenario can be read once, so that wrong units and bounds are found: ends and entries as they were
    /// written, and, beside each, the same in SI units.
    pub fn probes(&self) -> Vec<[Value; 2]> {
        match self {
            Axis::Range { from, to, .. } => vec![from.probe(), to.probe()],
            Axis::List(entries) => {
                let probe = |(value, written): &(Value, String)| match (value, Amount::read(written)) {
                    (Value::Number(_), Ok(amount)) => amount.probe(),
                    _ => [value.clone(), value.clone()],
                };
                entries.iter().map(probe).collect()
            }
            Axis::Random(distribution) => match distribution {
                Distribution::Uniform(a, b) | Distribution::LogUniform(a, b) => vec![a.probe(), b.probe()],
                // A mean of nought needs no unit: the deviation has it.
                Distribution::Normal(mean, deviation) if mean.dimension.is_none() && deviation.dimension.is_some() => {
                    vec![mean.probe(), deviation.probe()]
                }
                Distribution::Normal(mean, _) => vec![mean.probe()],
                Distribution::LogNormal(median, _) => vec![median.probe()],
            },
        }
    }

    /// The unit that it was written in, as an SI unit; none where it has none.
    pub fn unit(&self) -> Option<&'static str> {
        match self {
            Axis::Range { from, to, .. } => from.unit().or(to.unit()),
            Axis::List(entries) => entries.iter().find_map(|(_, written)| Amount::read(written).ok()?.unit()),
            Axis::Random(Distribution::Uniform(a, b) | Distribution::LogUniform(a, b) | Distribution::Normal(a, b)) => {
                a.unit().or(b.unit())
            }
            Axis::Random(Distribution::LogNormal(median, _)) => median.unit(),
        }
    }
}

fn range(from: Amount, to: Amount, count: u64, log: bool) -> Result<Axis, Fault> {
    from.goes_with(&to)?;
    if log && (from.si == 0.0 || to.si == 0.0 || from.si.signum() != to.si.signum()) {
        return Err(Fault::new("a range of equal ratios needs two numbers of the same sign, not 0")
            .help("leave :log out, or begin above 0"));
    }
    if count > 1 && from.si == to.si {
        return Err(Fault::new(format!("the range is empty: it goes from {} to {}", from.written, to.written))
            .help("write different ends, or one point"));
    }
    if count == 1 && from.si != to.si {
        return Err(Fault::new("one point cannot be both ends of a range")
            .help(format!("write {0}:{0}:1, or two points and more", from.written)));
    }
    Ok(Axis::Range { from, to, count, log })
}

fn list(text: &str) -> Result<Axis, Fault> {
    let value = DeValue::parse(text).map_err(|error| {
        Fault::new(format!("{} is no list: {}", quote(text), one_line(error.message())))
            .help("write [0.2, 0.5, \"4 mm\"]")
    })?;
    entries(value.get_ref())
}

/// The entries of a list.
pub(super) fn entries(value: &DeValue<'_>) -> Result<Axis, Fault> {
    let DeValue::Array(items) = value else {
        return Err(Fault::new("a range, a list or a distribution is expected here").help(FORMS));
    };
    if items.is_empty() {
        return Err(Fault::new("the list is empty").help("write at least one value"));
    }
    let entry = |item: &DeValue<'_>| {
        let value = match item {
            DeValue::Boolean(flag) => Value::Flag(*flag),
            DeValue::String(text) => match Amount::read(text) {
                Ok(amount) => return Ok((Value::Number(amount.si), text.to_string())),
                Err(_) => Value::Text(text.to_string()),
            },
            DeValue::Integer(digits) => match i64::from_str_radix(digits.as_str(), digits.radix()) {
                Ok(whole) => Value::Whole(whole),
                Err(_) => return Err(Fault::new("this whole number is too large").help("write it with an exponent")),
            },
            DeValue::Float(digits) => match digits.as_str().parse::<f64>() {
                Ok(value) if value.is_finite() => Value::Number(value),
                _ => return Err(Fault::new("a list of values holds finite numbers").help("leave this one out")),
            },
            _ => {
                return Err(Fault::new("an entry of a list is a number, a text or true or false")
                    .help("set other keys by [sweep.let]"));
            }
        };
        let written = match &value {
            Value::Text(text) => text.clone(),
            other => other.written(),
        };
        Ok((value, written))
    };
    let (mut all, mut known): (Vec<(Value, String)>, _) = (Vec::new(), BTreeMap::<String, usize>::new());
    for (number, item) in items.iter().enumerate() {
        let (value, written) = entry(item.get_ref()).map_err(|fault| fault.at(&item.span()))?;
        let same = value.number().map_or_else(|| value.written(), |value| shortest(value + 0.0));
        if let Some(first) = known.insert(same, number).and_then(|first| all.get(first)) {
            let message = match first.1 == written {
                true => format!("the list has {} twice", quote(&written)),
                false => format!("the list has {} and {}, which are the same", quote(&first.1), quote(&written)),
            };
            return Err(Fault::new(message).help("leave one of them out: both are the same run").at(&item.span()));
        }
        all.push((value, written));
    }
    Ok(Axis::List(all))
}

fn distribution(name: &str, arguments: &str) -> Result<Distribution, Fault> {
    if !DISTRIBUTIONS.contains(&name) {
        let message = format!("there is no distribution `{}`", shortened(name));
        return Err(match nearest(name, DISTRIBUTIONS) {
            Some(near) => Fault::new(format!("{message}; did you mean `{near}`?")).help(format!("write `{near}`")),
            None => Fault::new(message).help(format!("there are {}", listed(DISTRIBUTIONS))),
        });
    }
    let words: Vec<&str> = arguments.split(',').collect();
    let [first, second] = words[..] else {
        return Err(Fault::new(format!("{name} has two numbers, found {}", words.len())).help(FORMS));
    };
    let (a, b) = (Amount::read(first)?, Amount::read(second)?);
    let not = |message: String| Err(Fault::new(message).help(FORMS));
    match name {
        "lognormal" => match (a.si > 0.0, b.dimension.is_none() && b.si > 0.0) {
            (true, true) => Ok(Distribution::LogNormal(a, b.si)),
            (false, _) => not(format!("the median of lognormal must be greater than 0, found {}", number(a.si))),
            (_, false) => not(format!(
                "the second number of lognormal is the standard deviation of the logarithm, a pure number > 0, found {}",
                quote(&b.written)
            )),
        },
        "normal" => {
            a.goes_with(&b)?;
            if b.si > 0.0 {
                Ok(Distribution::Normal(a, b))
            } else {
                not(format!("a standard deviation must be greater than 0, found {}", quote(&b.written)))
            }
        }
        _ => {
            a.goes_with(&b)?;
            if a.si >= b.si {
                return not(format!("the range is empty: it goes from {} to {}", a.written, b.written));
            }
            match (name, a.si > 0.0) {
                ("uniform", _) => Ok(Distribution::Uniform(a, b)),
                (_, true) => Ok(Distribution::LogUniform(a, b)),
                (_, false) => not("loguniform needs two numbers greater than 0".into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Axis::read(text).expect_err(text).message
    }

    #[test]
    fn ranges_have_units_and_counts() {
        let Ok(Axis::Range { from, to, count, log }) = Axis::read("1.2 kN m:2 kN m:21") else { panic!() };
        assert_eq!((from.si, to.si, count, log), (1200.0, 2000.0, 21, false));
        let Ok(Axis::Range { log: true, count: 7, .. }) = Axis::read("1e-3 : 1 : 7 : log") else { panic!() };
        assert!(Axis::read("0:1 kN:3").is_ok());
        assert!(message("500:1 kN:3").contains("has no unit"));
        assert!(message("1 kg:1 kN:3").contains("a mass"));
        assert!(message("0:1").contains("how many"));
        assert!(message("0:1:0").contains("empty"));
        assert!(message("1:1:5").contains("empty"));
        assert!(message("0:1:1").contains("both ends"));
        assert!(message("0:1:5:log").contains("same sign"));
        assert!(message("0:1:5:cubic").contains("cubic"));
        assert!(message("0:1:2.5").contains("number of points"));
        assert!(message("fast:1:5").contains("does not begin with a number"));
        assert!(message("0:1 furlong:5").contains("furlong"));
        assert!(message("0.5").contains("no range"));
    }

    #[test]
    fn lists_hold_numbers_texts_and_flags() {
        let Ok(Axis::List(entries)) = Axis::read("[0.2, 3, \"4 mm\", \"events\", true]") else { panic!() };
        let values: Vec<Value> = entries.into_iter().map(|(value, _)| value).collect();
        let text = Value::Text("events".into());
        assert_eq!(values, [Value::Number(0.2), Value::Whole(3), Value::Number(0.004), text, Value::Flag(true)]);
        assert!(message("[]").contains("empty"));
        assert!(message("[1, nan]").contains("finite"));
        assert!(message("[1, [2]]").contains("an entry"));
        assert!(message("[1").contains("no list"));
        assert!(message("[1, 2, 1]").contains("has \"1\" twice"));
        assert!(message("[0.004, \"4 mm\"]").contains("\"0.004\" and \"4 mm\", which are the same"));
        assert!(message("[1, 2, 1.0]").contains("which are the same"));
        assert!(Axis::read("[1, \"a\", true, \"true\"]").is_ok());
    }

    #[test]
    fn distributions_are_checked() {
        assert!(matches!(Axis::read("normal(0.8, 0.05)"), Ok(Axis::Random(Distribution::Normal(..)))));
        assert!(matches!(Axis::read("uniform(1 kN, 2 kN)"), Ok(Axis::Random(Distribution::Uniform(..)))));
        assert!(matches!(Axis::read("lognormal(400 kg, 0.1)"), Ok(Axis::Random(Distribution::LogNormal(..)))));
        assert!(message("normale(1, 2)").contains("did you mean `normal`"));
        assert!(message("normal(1, -2)").contains("standard deviation"));
        assert!(message("normal(1)").contains("two numbers"));
        assert!(message("uniform(2, 1)").contains("empty"));
        assert!(message("loguniform(0, 1)").contains("greater than 0"));
        assert!(message("lognormal(1 kg, 2 kg)").contains("pure number"));
        assert!(message("lognormal(-1, 2)").contains("median"));
    }

    #[test]
    fn what_is_written_reads_back_to_the_same_bits() {
        for value in [0.1 + 0.2, 1e-300, -0.0, 1e22, 123_456_789.123_456_78, f64::MIN_POSITIVE, 5e-324] {
            let text = Value::Number(value).written();
            let toml = DeValue::parse(&text).map(|value| matches!(value.get_ref(), DeValue::Float(_)));
            assert_eq!(toml.ok(), Some(true), "{text}");
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{text}");
        }
    }
}
