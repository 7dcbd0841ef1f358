//! Signals from columns of CSV files.

use stickslip_core::signal::{Points, Signal};
use toml::Spanned;

use super::change::Scale;
use super::table::{must_be, order_fault};
use crate::decimal::Decimal;
use crate::fault::{Fault, listed, nearest, one_line, quote, shortened};
use crate::format::Context;
use crate::kind::Kind;
use crate::quantity::{Bounds, is_share_of_angle};
use crate::unit::Unit;

/// Which file, which columns.
pub(super) struct Column<'a> {
    pub path: &'a Spanned<String>,
    pub time: Option<&'a Spanned<String>>,
    pub column: &'a Spanned<String>,
    pub unit: Option<&'a Spanned<String>>,
    /// By which values are multiplied later on: its unit counts for what they are.
    pub scale: Option<&'a Spanned<Scale>>,
}

impl Column<'_> {
    pub fn read<K: Kind, B: Bounds>(&self, what: &str, context: &mut Context<'_>) -> Result<Signal, Fault> {
        let unit = self.unit::<K>()?;
        let file = quote(self.path.get_ref());
        let place = self.path.span();
        let bytes = context.file(self.path)?;

        let delimiter = delimiter(&bytes);
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).trim(csv::Trim::All).from_reader(&bytes[..]);
        let broken = |e: csv::Error| {
            Fault::new(format!("cannot read {file}: {}", one_line(&e.to_string())))
                .help("rows of values separated by commas, semicolons or tabs, with the names of the columns in the first row")
                .at(&place)
        };
        let header = reader.headers().map_err(broken)?.clone();
        let default = Spanned::new(place.clone(), "t".to_string());
        let time_name = self.time.unwrap_or(&default);
        let time_at = find(&header, time_name, &file)?;
        let value_at = find(&header, self.column, &file)?;

        let (mut times, mut values, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(broken)? {
            let line = record.position().map_or(0, csv::Position::line);
            let cell = |index: usize, name: &Spanned<String>, unit: Unit| {
                let text = record.get(index).unwrap_or("");
                // Where commas do not separate values they may be decimal signs.
                let point =
                    if delimiter == b',' { None } else { text.contains(',').then(|| text.replacen(',', ".", 1)) };
                let number = Decimal::split(point.as_deref().unwrap_or(text)).filter(|(_, rest)| rest.is_empty());
                number.and_then(|(digits, _)| unit.value(digits)).ok_or_else(|| {
                    Fault::new(format!(
                        "{file}, row {line}, column {}: {} is not a finite number",
                        quote(name.get_ref()),
                        quote(text)
                    ))
                    .help("every row needs a number here, without unit; give the unit in the scenario by `unit`")
                    .at(&place)
                })
            };
            let time = cell(time_at, time_name, Unit::ONE)?;
            let value = cell(value_at, self.column, unit)?;
            if !B::admits(value) {
                let mut fault = must_be::<K, B>(what, time, value).at(&place);
                fault.message = format!("{file}, row {line}: {}", fault.message);
                return Err(fault);
            }
            times.push(time);
            values.push(value);
            lines.push(line);
        }
        Points::new(times, values).map(Signal::Points).map_err(|e| {
            let row = e.index().map_or(String::new(), |i| format!(", row {}", lines[i]));
            let mut fault = order_fault(e).at(&place);
            fault.message = format!("{file}{row}: {}", fault.message);
            fault
        })
    }

    fn unit<K: Kind>(&self) -> Result<Unit, Fault> {
        let unit = match self.unit {
            Some(written) => Unit::parse(written.get_ref().trim()).map_err(|f| f.at(&written.span()))?,
            None => Unit::ONE,
        };
        if let Some(scale) = self.scale
            && !Unit::ONE.dimension.accepts(scale.get_ref().unit.dimension)
        {
            let scaled = unit.dimension.times(scale.get_ref().unit.dimension);
            if K::DIMENSION.accepts(scaled) {
                return Ok(unit);
            }
            let given =
                if self.unit.is_some() { "unit times scale is" } else { "values without `unit` times the scale are" };
            return Err(Fault::new(format!("{given} {scaled}, but {} is expected here", K::NAME))
                .help(format!(
                    "unit and scale must make a value in {}, such as unit = \"bar\", scale = \"15 N m/bar\"",
                    K::SI
                ))
                .at(&scale.span()));
        }
        if let Some(written) = self.unit.filter(|written| is_share_of_angle::<K>(written.get_ref(), &unit)) {
            return Err(Fault::new(format!("{} does not say {}", quote(written.get_ref()), K::NAME))
                .help(format!(
                    "a gradient is a tangent: write atan(gradient/100) in {} to the file, and leave `unit` out",
                    K::SI
                ))
                .at(&written.span()));
        }
        let Some(written) = self.unit.filter(|_| !K::DIMENSION.accepts(unit.dimension)) else { return Ok(unit) };
        Err(Fault::new(format!(
            "{} is the unit of {}, but {} is expected here",
            quote(written.get_ref()),
            unit.dimension,
            K::NAME
        ))
        .help(format!("leave `unit` out for values in {}", K::SI))
        .at(&written.span()))
    }
}

/// Where the column of this name is.
fn find(header: &csv::StringRecord, name: &Spanned<String>, file: &str) -> Result<usize, Fault> {
    let wanted = quote(name.get_ref());
    let mut found = header.iter().enumerate().filter(|(_, h)| h == name.get_ref());
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(index),
        (Some(_), Some(_)) => {
            Err(Fault::new(format!("{file} has two columns {wanted}")).help("give every column a name of its own"))
        }
        (None, _) => Err(Fault::new(format!("{file} has no column {wanted}")).help(
            match nearest(name.get_ref(), header.iter()) {
                Some(known) => format!("did you mean `{}`?", shortened(known)),
                None => format!("its columns are {}", shortened(&listed(header.iter()))),
            },
        )),
    }
    .map_err(|fault| fault.at(&name.span()))
}

/// What separates values, as the first row shows: commas, or semicolons or tabs where it has no commas.
pub fn delimiter(bytes: &[u8]) -> u8 {
    let first = bytes.split(|b| matches!(b, b'\n' | b'\r')).find(|row| !row.is_empty()).unwrap_or_default();
    let has = |sign: u8| first.contains(&sign);
    [b',', b';', b'\t'].into_iter().find(|sign| has(*sign)).unwrap_or(b',')
}
