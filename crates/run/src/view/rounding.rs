//! Rounding is told from data by the scale of its kind, so that it is not drawn full size.

use stickslip_core::Name;

use crate::Trace;
use crate::text::{number, number_to};

/// A quantity that stays below this share of the greatest of its kind counts as zero in pictures: they keep nine digits.
/// Forces that cancel, or yaw that only rounding has started, lie far below it.
const DRAWN: f64 = 1e-9;

/// A single number below this share of the greatest of its kind is what sums leave over: of 10⁵ steps that each round, or of
/// events located and motions integrated to 1e-12.
const LISTED: f64 = 1e-11;

/// The greatest absolute value of all columns of a kind, that is, of a unit.
///
/// An angle has the scale of a radian, and a rate of turning that of a speed at a lever of a metre: a body that is never
/// turned has none of its own.
fn scale(trace: &Trace, unit: &str) -> f64 {
    let greatest = |unit: &str| {
        let same = trace.columns.iter().zip(&trace.extremes).filter(|(column, _)| column.unit == unit);
        same.fold(0.0_f64, |m, (_, ends)| m.max(greatest_of(ends)))
    };
    match unit {
        "rad" => greatest("rad").max(1.0),
        "rad/s" => greatest("rad/s").max(greatest("m/s")),
        unit => greatest(unit),
    }
}

fn greatest_of(ends: &[(f64, f64); 2]) -> f64 {
    ends.iter().map(|(_, value)| value.abs()).filter(|value| value.is_finite()).fold(0.0, f64::max)
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Zero all along, or not recorded.
    Zero,
    /// Never more than rounding.
    Rounding,
    /// Data.
    Data,
}

/// What a column holds, by the greatest of its kind in the run.
pub fn kind(trace: &Trace, name: &str) -> Kind {
    let Some(k) = trace.columns.iter().position(|column| column.name == name) else {
        return Kind::Zero;
    };
    match greatest_of(&trace.extremes[k]) {
        0.0 => Kind::Zero,
        greatest if greatest <= DRAWN * scale(trace, trace.columns[k].unit) => Kind::Rounding,
        _ => Kind::Data,
    }
}

/// The force below which a friction has no direction \[N\].
pub fn least_force(trace: &Trace) -> f64 {
    DRAWN * scale(trace, "N")
}

/// A number of a column behind its name, with its unit: `= 0.25 m`, or `≈ 0 m (rounding left -1.6e-13)`.
pub fn ended(trace: &Trace, name: &Name, value: f64) -> String {
    let (shown, remark) = listed(trace, name, value);
    let unit = trace.unit(name);
    match remark.is_empty() {
        true => format!("= {}{unit}", number(shown)),
        false => format!("≈ 0{unit} ({remark})"),
    }
}

/// A number of a column as it is listed, and a remark where rounding is listed as zero.
pub fn listed(trace: &Trace, name: &Name, value: f64) -> (f64, String) {
    let unit = trace.columns.iter().find(|column| column.name == *name).map(|column| column.unit);
    let rounding = match unit {
        None | Some("1") => false,
        Some(unit) => kind(trace, name) == Kind::Rounding || value.abs() <= LISTED * scale(trace, unit),
    };
    match rounding && value != 0.0 {
        true => (0.0, format!("rounding left {}", number_to(value, 2))),
        false => (value, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use stickslip_core::record::Column;

    use super::*;

    fn trace(columns: &[(&'static str, &'static str, f64)]) -> Trace {
        Trace {
            columns: columns.iter().map(|(name, unit, _)| Column::real(name, unit, "")).collect(),
            values: columns.iter().map(|c| vec![0.0, c.2]).collect(),
            extremes: columns.iter().map(|c| [(0.0, c.2.min(0.0)), (0.0, c.2.max(0.0))]).collect(),
            contacts: Vec::new(),
            events: Vec::new(),
            words: Vec::new(),
            event_count: 0,
            parts: Vec::new(),
            first: Vec::new(),
            rows: 2,
            last: Vec::new(),
            last_row: Vec::new(),
            end: 1.0,
        }
    }

    #[test]
    fn rounding_is_told_by_the_greatest_of_its_kind() {
        let seen =
            trace(&[("fx", "N", 1333.0), ("fy", "N", -2e-9), ("fz", "N", 0.0), ("x", "m", 1e-9), ("n", "1", 1e-12)]);
        assert_eq!(kind(&seen, "fx"), Kind::Data);
        assert_eq!(kind(&seen, "fy"), Kind::Rounding);
        assert_eq!(kind(&seen, "fz"), Kind::Zero);
        // A small motion in a run of small motions is data, and so is a pure number alone.
        assert_eq!(kind(&seen, "x"), Kind::Data);
        assert_eq!(kind(&seen, "n"), Kind::Data);
        assert_eq!(kind(&seen, "absent"), Kind::Zero);
    }

    #[test]
    fn turning_has_the_scale_of_a_radian_and_of_speeds() {
        let seen = trace(&[("yaw", "rad", 2.5e-19), ("vyaw", "rad/s", 3e-17), ("v", "m/s", 0.1)]);
        assert_eq!(kind(&seen, "yaw"), Kind::Rounding);
        assert_eq!(kind(&seen, "vyaw"), Kind::Rounding);
        assert_eq!(kind(&trace(&[("yaw", "rad", 1e-6)]), "yaw"), Kind::Data);
        assert_eq!(listed(&seen, &Name::Borrowed("yaw"), 2.5e-19), (0.0, "rounding left 2.5e-19".to_string()));
        assert_eq!(listed(&seen, &Name::Borrowed("v"), 0.05), (0.05, String::new()));
        assert_eq!(listed(&seen, &Name::Borrowed("v"), 1e-17).0, 0.0);
        // What is zero is so without reserve; what is small and no rounding keeps its digits.
        assert_eq!(ended(&seen, &Name::Borrowed("v"), 0.0), "= 0 m/s");
        assert_eq!(ended(&seen, &Name::Borrowed("v"), -1.6e-14), "≈ 0 m/s (rounding left -1.6e-14)");
        assert_eq!(ended(&seen, &Name::Borrowed("v"), -1.6e-9), "= -1.6e-9 m/s");
        // A pure number has no kind to compare it with.
        assert_eq!(listed(&trace(&[("n", "1", 1e-12)]), &Name::Borrowed("n"), 1e-30).0, 1e-30);
    }
}
