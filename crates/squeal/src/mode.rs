//! Vibration modes of a wheel at its contact point.

use std::f64::consts::TAU;

use stickslip_core::range::in_range;

use crate::range;

/// A mode, mass-normalised.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// Its name: nodal diameters and kind, as `3L0`.
    pub name: String,
    /// Natural frequency f \[Hz\], > 0.
    pub frequency: f64,
    /// Damping ratio ζ, 0 ≤ ζ < 1.
    pub damping: f64,
    /// Amplitude φ_y at the contact point, lateral [kg^-1/2].
    pub lateral: f64,
    /// Amplitude φ_z at the contact point, up [kg^-1/2].
    pub vertical: f64,
}

impl Mode {
    /// ω = 2πf [1/s].
    pub fn omega(&self) -> f64 {
        TAU * self.frequency
    }

    /// 2ζω [1/s].
    pub fn rate(&self) -> f64 {
        2.0 * self.damping * self.omega()
    }

    /// Whether the numbers describe a mode that the contact can feel.
    pub fn check(&self) -> Result<(), ModeError> {
        let bad = |reason: String| Err(ModeError { mode: self.name.clone(), reason });
        if let Err(error) = in_range::<range::Frequency>("frequency", self.frequency, "Hz") {
            return bad(format!("has a {error}"));
        }
        if let Err(reason) = check_damping(self.damping) {
            return bad(format!("has a damping ratio of {}: {reason}", self.damping));
        }
        if !(self.lateral.is_finite() && self.vertical.is_finite()) {
            return bad("has an amplitude at the contact that is no number".into());
        }
        if self.lateral == 0.0 && self.vertical == 0.0 {
            return bad(
                "has no amplitude at the contact, neither lateral nor vertical: nothing moves it; leave it out".into(),
            );
        }
        Ok(())
    }
}

/// Whether a number is a damping ratio: at least 0 and less than 1. The error says why not.
pub fn check_damping(ratio: f64) -> Result<(), &'static str> {
    match ratio {
        ratio if ratio < 0.0 => Err("a negative one makes energy out of nothing; write one of at least 0"),
        ratio if ratio < 1.0 => Ok(()),
        _ => Err("from 1 on nothing vibrates; write one of less than 1"),
    }
}

/// Why numbers describe no mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("mode {mode:?} {reason}")]
pub struct ModeError {
    /// Which mode.
    pub mode: String,
    /// What is wrong.
    pub reason: String,
}

/// Why a table of modes cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct TableError {
    /// Line of the file, from 1.
    pub line: u64,
    /// What is wrong there.
    pub reason: String,
}

/// Heads of the columns of a table of modes; `set` may be missing.
const HEADS: [&str; 6] = ["set", "mode", "frequency_Hz", "damping_ratio", "phi_y_per_sqrt_kg", "phi_z_per_sqrt_kg"];

/// Reads modes from a CSV table with the columns `mode, frequency_Hz, damping_ratio, phi_y_per_sqrt_kg,
/// phi_z_per_sqrt_kg`; where it has a column `set`, the rows of one set only.
pub fn from_csv(text: &str, set: Option<&str>) -> Result<Vec<Mode>, TableError> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let wrong = |line: u64, reason: String| TableError { line, reason };
    let head = reader.headers().map_err(|error| wrong(1, error.to_string()))?.clone();
    let place = |name: &str| head.iter().position(|own| own == name);
    let mut places = [None; 6];
    for (place_of, name) in places.iter_mut().zip(HEADS) {
        *place_of = place(name);
        if place_of.is_none() && name != "set" {
            return Err(wrong(1, format!("no column {name:?}: a table of modes has {}", HEADS[1..].join(", "))));
        }
    }
    let (mut modes, mut sets): (Vec<Mode>, Vec<String>) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let record =
            record.map_err(|error| wrong(error.position().map_or(1, csv::Position::line), error.to_string()))?;
        let line = record.position().map_or(1, csv::Position::line);
        let cell = |k: usize| places[k].and_then(|place| record.get(place)).unwrap_or_default();
        if let Some(wanted) = set.filter(|_| places[0].is_some())
            && cell(0) != wanted
        {
            if !sets.iter().any(|known| known == cell(0)) {
                sets.push(cell(0).to_string());
            }
            continue;
        }
        let number = |k: usize| {
            cell(k)
                .parse::<f64>()
                .map_err(|_| wrong(line, format!("{} is {:?}: a number is expected", HEADS[k], cell(k))))
        };
        let mode = Mode {
            name: cell(1).to_string(),
            frequency: number(2)?,
            damping: number(3)?,
            lateral: number(4)?,
            vertical: number(5)?,
        };
        mode.check().map_err(|error| wrong(line, error.to_string()))?;
        if modes.iter().any(|known| known.name == mode.name) {
            let more =
                if places[0].is_some() && set.is_none() { "; the table has several sets, say which" } else { "" };
            return Err(wrong(line, format!("a second mode {:?}{more}", mode.name)));
        }
        modes.push(mode);
    }
    if modes.is_empty() {
        let reason = match set {
            Some(set) if !sets.is_empty() => format!("no set {set:?}: there are {}", sets.join(", ")),
            _ => "no mode".into(),
        };
        return Err(wrong(1, reason));
    }
    Ok(modes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "set,mode,frequency_Hz,damping_ratio,phi_y_per_sqrt_kg,phi_z_per_sqrt_kg\n";

    #[test]
    fn sets_are_told_apart() {
        let text = format!("{HEAD}a,1L,100,0.01,1,0\nb,1L,200,0.01,1,0\nb,2L,300,0,0,1\n");
        assert_eq!(from_csv(&text, Some("b")).expect("read").len(), 2);
        assert!(from_csv(&text, Some("c")).expect_err("none").reason.contains("there are a, b"));
        assert!(from_csv(&text, None).expect_err("twice").reason.contains("say which"));
    }

    #[test]
    fn bad_rows_are_named() {
        for (row, words) in [
            ("a,1L,100,-0.01,1,0", "makes energy"),
            ("a,1L,100,0.01,0,0", "no amplitude at the contact"),
            ("a,1L,-100,0.01,1,0", "finite number > 0"),
            ("a,1L,100,x,1,0", "a number is expected"),
        ] {
            let error = from_csv(&format!("{HEAD}{row}\n"), None).expect_err(row);
            assert!(error.line == 2 && error.reason.contains(words), "{error}");
        }
    }
}
