//! Keys of a sweep: each value of a scenario is set by one of them alone.

use std::sync::Arc;

use stickslip_run::{Model, Scenario};
use stickslip_scenario::Error;
use stickslip_scenario::sweep::{KeyPath, Place, Template, Value};
use stickslip_scenario::tables::Fault;

use crate::plan::{Follow, numbers};
use crate::{Points, SweepError};

/// A key, who sets it, and where it leads.
struct Set {
    who: &'static str,
    key: String,
    place: Place,
}

/// Refuses keys that set one value twice: the table would show a value that was not run. `keys` are what is varied, the first `columns` of
/// them by a file of points; variables have no key, and what follows must not have the name of one. `set` are keys that overrides have set,
/// whose values would be lost.
pub(crate) fn apart(
    template: &Template<'_, Arc<dyn Model>>,
    set: &[String],
    (names, keys, columns): (&[String], &[Option<KeyPath>], usize),
    follow: &[&KeyPath],
) -> Result<(), SweepError> {
    let own =
        |who: &'static str, path: &KeyPath| Set { who, key: path.text().to_string(), place: template.place(path) };
    let mut all: Vec<Set> = Vec::new();
    for (name, key) in names.iter().zip(keys) {
        match key {
            Some(path) => add(&mut all, own("varied", path))?,
            // A variable is no key of the scenario, but a formula that sets one of its name would be taken for it.
            None => {
                if follow.iter().any(|path| path.text() == name) {
                    return Err(SweepError::input(
                        format!("`{name}` is varied, and a formula sets it as well"),
                        "give the variable another name",
                    ));
                }
            }
        }
    }
    for text in set {
        let path = KeyPath::read(text).map_err(|fault| SweepError::about(text, fault))?;
        let place = template.place(&path);
        let is_lost = |key: &&KeyPath| place.is_within(&template.place(key));
        let refused = |what: String, help: &str| Err(SweepError::input(format!("`{text}` is set, and {what}"), help));
        if let Some(column) = keys[..columns].iter().flatten().find(is_lost) {
            let help = "leave --set out, or give other points: --points FILE.csv or --vary";
            return refused(format!("the file of points has a column `{}`", column.text()), help);
        }
        if let Some(key) = keys[columns..].iter().flatten().find(is_lost) {
            return refused(
                format!(
                    "`{}` is varied: each run has a value that is varied, and none the one that is set",
                    key.text()
                ),
                "leave --set out, or vary something else",
            );
        }
        if let Some(key) = follow.iter().copied().find(is_lost) {
            let help = "leave --set out, or the formula";
            return refused(format!("`{}` follows from what is varied", key.text()), help);
        }
    }
    follow.iter().try_for_each(|path| add(&mut all, own("set by a formula", path)))
}

/// The same for the start that runs of a diagram carry on, beside what is varied.
pub(crate) fn starts_apart<'k>(
    template: &Template<'_, Arc<dyn Model>>,
    varied: impl Iterator<Item = &'k KeyPath>,
    carry: &[KeyPath],
) -> Result<(), SweepError> {
    let own =
        |who: &'static str, path: &KeyPath| Set { who, key: path.text().to_string(), place: template.place(path) };
    let mut all: Vec<Set> = varied.map(|path| own("varied", path)).collect();
    carry.iter().try_for_each(|path| add(&mut all, own("carried on", path)))
}

fn add(all: &mut Vec<Set>, new: Set) -> Result<(), SweepError> {
    let Some(old) = all.iter().find(|old| old.place.meets(&new.place)) else {
        all.push(new);
        return Ok(());
    };
    let message = match (old.key == new.key, old.who == new.who) {
        (true, true) => format!("`{}` is {} twice", new.key, new.who),
        (true, false) => format!("`{}` is both {} and {}", new.key, old.who, new.who),
        (false, _) if old.place == new.place => {
            format!("`{}` and `{}` are one value, which is set twice", old.key, new.key)
        }
        (false, _) => format!("`{}` and `{}` set the same value: one is inside the other", old.key, new.key),
    };
    Err(SweepError::input(message, "leave one of them out, so that each run has the values that its row shows"))
}

/// What the file lets follow, with formulas of the command line in place of those for the same keys.
pub(crate) fn merged(text: &str, own: Vec<(String, String)>, asked: Vec<(String, String)>) -> Vec<(String, String)> {
    let places: Vec<Place> = asked.iter().filter_map(|(key, _)| Place::in_text(text, key)).collect();
    let kept = |(key, _): &(String, String)| {
        Place::in_text(text, key).is_none_or(|own| places.iter().all(|place| !place.meets(&own)))
    };
    let mut all: Vec<(String, String)> = own.into_iter().filter(kept).collect();
    all.extend(asked);
    all
}

/// Refuses a formula's key that the scenario does not have, or of which it takes none of a few values, where no point could be built.
pub(crate) fn check_follow(
    template: &Template<'_, Arc<dyn Model>>,
    points: &Points,
    follow: &[Follow],
    few: [u64; 3],
) -> Result<(), SweepError> {
    let mut values = Vec::new();
    for (path, formula) in follow {
        let mut refused = Vec::new();
        for index in few {
            points.values(index, &mut values);
            let value = formula.at(&numbers(&values));
            // A formula without a value is told at its point.
            if value.is_finite() {
                refused.extend(template.at([(path, &Value::Number(value))]).err());
            }
        }
        if refused.len() == few.len()
            && let Some(fault) = refused.into_iter().next()
        {
            return Err(SweepError::about(&format!("let {}", path.text()), fault));
        }
    }
    Ok(())
}

/// Whether the scenario has the keys, and takes values written like this. Where it takes some values of a key and refuses others, the
/// refused ones become rows with errors; a unit that it refuses is a mistake.
pub(crate) fn check_keys(
    template: &Template<'_, Arc<dyn Model>>,
    points: &Points,
    keys: &[Option<KeyPath>],
) -> Result<(), Wrong> {
    let first = keys.len() - points.axes().len();
    let mut values = Vec::new();
    points.values(0, &mut values);
    let of_table = keys[..first].iter().zip(&values).map(|(key, value)| (key, vec![[value.clone(), value.clone()]]));
    let of_axes = keys[first..].iter().zip(points.axes()).map(|(key, (_, axis))| (key, axis.probes()));
    for (key, probes) in of_table.chain(of_axes) {
        let Some(key) = key else { continue };
        let read = |value: &Value| template.at([(key, value)]);
        let mut refused = Vec::new();
        for [written, plain] in &probes {
            match (read(written), read(plain)) {
                (Err(fault), Ok(_)) => return Err(Wrong { key: key.text().into(), value: true, fault }),
                (Err(fault), Err(_)) => refused.push(fault),
                (Ok(_), _) => {}
            }
        }
        if refused.len() == probes.len()
            && let Some(fault) = refused.into_iter().next()
        {
            return Err(Wrong { key: key.text().into(), value: false, fault });
        }
    }
    Ok(())
}

/// What is wrong with a varied key, or with the way its values are written.
pub(crate) struct Wrong {
    key: String,
    value: bool,
    fault: Fault,
}

impl Wrong {
    /// As an error, at its place in the scenario where the key is varied there.
    pub fn error(self, scenario: Option<&Scenario>) -> SweepError {
        let Wrong { key, value, fault } = self;
        let located = scenario.and_then(|own| Error::at_varied(&own.name, &own.text, &key, value, fault.clone()));
        match located {
            Some(error) => SweepError::Located(Box::new(error)),
            None if value => SweepError::about(&key, fault),
            None => SweepError::about(&format!("--vary {key}"), fault),
        }
    }
}
