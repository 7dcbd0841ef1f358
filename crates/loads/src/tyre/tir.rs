//! `.tir` files: the numbers of a tyre as measuring houses hand them out.
//!
//! A file consists of sections in brackets with lines `NAME = value`. `$` and `!` begin a comment anywhere, strings stand
//! between quotes, names are read in any case, exponents may be written with D. Sections that have nothing to say about
//! longitudinal forces are passed over, whatever is in them.

use super::{Coefficients, Tyre, TyreError, Version};

/// Why a `.tir` file was refused. Lines count from 1.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TirError {
    /// A line that is neither a section, nor `NAME = value`, nor a comment.
    #[error("line {line}: `{text}` is no line of a .tir file; it must be `NAME = value` or `[SECTION]`")]
    Malformed {
        /// Which line.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A value before the first section.
    #[error("line {line}: `{name}` stands before the first [SECTION]")]
    NoSection {
        /// Which line.
        line: usize,
        /// The name.
        name: String,
    },
    /// A value that is no number.
    #[error("line {line}: {name} = `{value}` is not a finite number")]
    NotNumber {
        /// Which line.
        line: usize,
        /// The name.
        name: String,
        /// What was found.
        value: String,
    },
    /// One name twice.
    #[error("line {line}: {name} was given already, in line {first}")]
    Twice {
        /// Which line.
        line: usize,
        /// The name.
        name: String,
        /// The line where it was first.
        first: usize,
    },
    /// A unit that is not the SI's.
    #[error("line {line}: {name} is measured in `{unit}`, but only SI units are read: {name} = '{wanted}'")]
    Unit {
        /// Which line.
        line: usize,
        /// The quantity.
        name: String,
        /// The unit found.
        unit: String,
        /// The unit that is read.
        wanted: &'static str,
    },
    /// A name that cannot be left out.
    #[error("{name} is missing in [{section}] ({lines} lines read)")]
    Missing {
        /// The name.
        name: &'static str,
        /// The section where it belongs.
        section: &'static str,
        /// How many lines the file has.
        lines: usize,
    },
    /// A version of the Magic Formula that is not known.
    #[error(
        "line {line}: FITTYP = {found} is no version that is known: 6 and 21 are MF 5.2, 61 and 62 are MF 6.1 and 6.2"
    )]
    Version {
        /// Which line.
        line: usize,
        /// The code found.
        found: f64,
    },
    /// The numbers make no tyre.
    #[error(transparent)]
    Tyre(#[from] TyreError),
}

/// Sections whose lines are read; all others are passed over.
const SECTIONS: [&str; 10] = [
    "units",
    "model",
    "dimension",
    "operating_conditions",
    "vertical",
    "structural",
    "vertical_force_range",
    "long_slip_range",
    "scaling_coefficients",
    "longitudinal_coefficients",
];

/// The quantities of [UNITS], the unit that is read and the ways to write it.
const UNITS: [(&str, &str, &[&str]); 6] = [
    ("length", "meter", &["meter", "metre", "meters", "metres", "m"]),
    ("force", "newton", &["newton", "newtons", "n"]),
    ("angle", "radians", &["radians", "radian", "rad"]),
    ("mass", "kg", &["kg", "kilogram", "kilograms"]),
    ("time", "second", &["second", "seconds", "sec", "s"]),
    ("pressure", "pascal", &["pascal", "pascals", "pa"]),
];

/// One `NAME = value`, both as written.
struct Entry<'a> {
    line: usize,
    section: String,
    name: String,
    value: &'a str,
}

/// The entries of a file that are of interest.
struct File<'a> {
    entries: Vec<Entry<'a>>,
    lines: usize,
}

/// Reads a tyre from the text of a `.tir` file.
pub fn parse_tir(text: &str) -> Result<Tyre, TirError> {
    let file = File::read(text)?;
    file.check_units()?;
    let version = file.version()?;
    let mut coefficients = Coefficients::default();
    for entry in &file.entries {
        if let Some(value) = coefficients.by_name(&entry.name) {
            *value = entry.number()?;
        }
    }
    for name in ["PCX1", "PDX1", "PKX1"] {
        file.needed("longitudinal_coefficients", "LONGITUDINAL_COEFFICIENTS", name)?;
    }
    let nominal_pressure = file.number("operating_conditions", "nompres")?;
    let pressure = file.number("operating_conditions", "inflpres")?;
    let nominal_pressure = nominal_pressure.or(pressure).unwrap_or(1.0);
    let tyre = Tyre {
        version,
        coefficients,
        nominal_load: file.needed("vertical", "VERTICAL", "FNOMIN")?,
        reference_speed: file.number("model", "longvl")?.unwrap_or(16.7),
        pressure: pressure.unwrap_or(nominal_pressure),
        nominal_pressure,
        unloaded_radius: file.number("dimension", "unloaded_radius")?.unwrap_or(0.0),
        stiffness: file.number("structural", "longitudinal_stiffness")?,
        load_range: [
            file.number("vertical_force_range", "fzmin")?.unwrap_or(0.0),
            file.number("vertical_force_range", "fzmax")?.unwrap_or(f64::INFINITY),
        ],
        slip_range: [
            file.number("long_slip_range", "kpumin")?.unwrap_or(f64::NEG_INFINITY),
            file.number("long_slip_range", "kpumax")?.unwrap_or(f64::INFINITY),
        ],
    };
    tyre.check()?;
    Ok(tyre)
}

impl<'a> File<'a> {
    fn read(text: &'a str) -> Result<File<'a>, TirError> {
        let mut file = File { entries: Vec::new(), lines: 0 };
        let mut section: Option<String> = None;
        for (index, whole) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = index + 1;
            file.lines = line;
            let content = whole.split(['$', '!']).next().unwrap_or("").trim();
            if content.is_empty() {
                continue;
            }
            if let Some(rest) = content.strip_prefix('[') {
                let name = rest.strip_suffix(']').map(str::trim).filter(|name| !name.is_empty());
                let name = name.ok_or_else(|| TirError::Malformed { line, text: content.to_owned() })?;
                section = Some(name.to_lowercase());
                continue;
            }
            if section.as_deref().is_some_and(|name| !SECTIONS.contains(&name)) {
                continue;
            }
            let (name, value) = split(content).ok_or_else(|| TirError::Malformed { line, text: content.to_owned() })?;
            let Some(section) = &section else {
                return Err(TirError::NoSection { line, name: name.to_owned() });
            };
            let entry = Entry { line, section: section.clone(), name: name.to_lowercase(), value };
            if let Some(first) = file.find(&entry.section, &entry.name) {
                return Err(TirError::Twice { line, name: name.to_owned(), first: first.line });
            }
            file.entries.push(entry);
        }
        Ok(file)
    }

    fn find(&self, section: &str, name: &str) -> Option<&Entry<'a>> {
        self.entries.iter().find(|entry| entry.section == section && entry.name == name)
    }

    fn number(&self, section: &str, name: &str) -> Result<Option<f64>, TirError> {
        self.find(section, name).map(Entry::number).transpose()
    }

    fn needed(&self, section: &str, title: &'static str, name: &'static str) -> Result<f64, TirError> {
        let missing = TirError::Missing { name, section: title, lines: self.lines };
        self.number(section, &name.to_lowercase())?.ok_or(missing)
    }

    /// Every unit that is named must be the SI's, and the section must be there: units are not guessed.
    fn check_units(&self) -> Result<(), TirError> {
        for (name, wanted, spellings) in UNITS {
            let Some(entry) = self.find("units", name) else {
                if ["length", "force"].contains(&name) {
                    let name = if name == "length" { "LENGTH" } else { "FORCE" };
                    return Err(TirError::Missing { name, section: "UNITS", lines: self.lines });
                }
                continue;
            };
            let unit = unquoted(entry.value);
            if !spellings.contains(&unit.to_lowercase().as_str()) {
                let name = name.to_uppercase();
                return Err(TirError::Unit { line: entry.line, name, unit: unit.to_owned(), wanted });
            }
        }
        Ok(())
    }

    fn version(&self) -> Result<Version, TirError> {
        let found = self.needed("model", "MODEL", "FITTYP")?;
        match found {
            6.0 | 21.0 => Ok(Version::Mf52),
            61.0 | 62.0 => Ok(Version::Mf61),
            _ => Err(TirError::Version { line: self.find("model", "fittyp").map_or(0, |entry| entry.line), found }),
        }
    }
}

impl Entry<'_> {
    fn number(&self) -> Result<f64, TirError> {
        // Fortran writes the exponent of a double with D.
        let text = self.value.replace(['d', 'D'], "E");
        let wrong =
            || TirError::NotNumber { line: self.line, name: self.name.to_uppercase(), value: self.value.to_owned() };
        // Words such as `nan` and `infinity` are numbers to a parser.
        if !text.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c)) {
            return Err(wrong());
        }
        text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong)
    }
}

/// Name and value of a line.
fn split(content: &str) -> Option<(&str, &str)> {
    let (name, value) = content.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !value.is_empty()).then_some((name, value))
}

/// A string without its quotes.
fn unquoted(value: &str) -> &str {
    value.trim_matches(['\'', '"']).trim()
}
