//! Legacy VTK files in text form, as ParaView reads them: a regular grid in the plane with values per element.

use std::fmt::Write;

/// A regular grid of elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cells {
    /// Elements along x and y.
    pub count: [usize; 2],
    /// Corner of the first element, with the smallest x and y.
    pub origin: [f64; 2],
    /// Sides of an element.
    pub size: [f64; 2],
}

/// Values of all elements, x running first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Field<'a> {
    /// Real numbers.
    Real(&'a str, &'a [f64]),
    /// Whole numbers.
    Whole(&'a str, &'a [i32]),
    /// Vectors in the plane, by components.
    Vector(&'a str, &'a [f64], &'a [f64]),
}

/// A field that does not fit its grid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FieldError {
    /// Too few or too many values.
    #[error("the field {name} has {found} values, but there are {wanted} elements")]
    Length {
        /// Which field.
        name: String,
        /// Values in it.
        found: usize,
        /// Elements of the grid.
        wanted: usize,
    },
    /// A value is NaN or infinite.
    #[error("the field {name} has the value {value}")]
    NotFinite {
        /// Which field.
        name: String,
        /// The value.
        value: f64,
    },
}

impl Field<'_> {
    fn check(&self, wanted: usize) -> Result<(), FieldError> {
        let (name, columns): (&str, &[&[f64]]) = match self {
            Field::Real(name, values) => (name, &[values]),
            Field::Vector(name, x, y) => (name, &[x, y]),
            Field::Whole(name, values) if values.len() != wanted => {
                return Err(FieldError::Length { name: (*name).to_owned(), found: values.len(), wanted });
            }
            Field::Whole(..) => return Ok(()),
        };
        for column in columns {
            if column.len() != wanted {
                return Err(FieldError::Length { name: name.to_owned(), found: column.len(), wanted });
            }
            if let Some(value) = column.iter().find(|value| !value.is_finite()) {
                return Err(FieldError::NotFinite { name: name.to_owned(), value: *value });
            }
        }
        Ok(())
    }
}

/// The file: version 3.0, one dataset STRUCTURED_POINTS with cell data.
pub fn document(title: &str, cells: Cells, fields: &[Field<'_>]) -> Result<String, FieldError> {
    let [nx, ny] = cells.count;
    let n = nx * ny;
    for field in fields {
        field.check(n)?;
    }
    let title: String = title.chars().filter(|c| !c.is_control()).take(200).collect();
    let mut text = format!(
        "# vtk DataFile Version 3.0\n{title}\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS {} {} 1\nORIGIN {} {} 0\n\
         SPACING {} {} 1\nCELL_DATA {n}\n",
        nx + 1,
        ny + 1,
        cells.origin[0],
        cells.origin[1],
        cells.size[0],
        cells.size[1]
    );
    for field in fields {
        match field {
            Field::Real(name, values) => {
                let _ = writeln!(text, "SCALARS {name} double 1\nLOOKUP_TABLE default");
                for value in *values {
                    let _ = writeln!(text, "{:e}", value + 0.0);
                }
            }
            Field::Whole(name, values) => {
                let _ = writeln!(text, "SCALARS {name} int 1\nLOOKUP_TABLE default");
                for value in *values {
                    let _ = writeln!(text, "{value}");
                }
            }
            Field::Vector(name, x, y) => {
                let _ = writeln!(text, "VECTORS {name} double");
                for (x, y) in x.iter().zip(*y) {
                    let _ = writeln!(text, "{:e} {:e} 0", x + 0.0, y + 0.0);
                }
            }
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELLS: Cells = Cells { count: [2, 1], origin: [-1.0, -0.5], size: [1.0, 1.0] };

    #[test]
    fn a_small_file_word_for_word() {
        let fields = [
            Field::Real("p", &[1.5, -0.0]),
            Field::Whole("status", &[0, 2]),
            Field::Vector("r", &[1.0, 2.0], &[0.0, 3e-9]),
        ];
        let text = document("two\nelements", CELLS, &fields).expect("fits");
        let wanted = "# vtk DataFile Version 3.0\ntwoelements\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 3 2 1\n\
                      ORIGIN -1 -0.5 0\nSPACING 1 1 1\nCELL_DATA 2\nSCALARS p double 1\nLOOKUP_TABLE default\n1.5e0\n0e0\n\
                      SCALARS status int 1\nLOOKUP_TABLE default\n0\n2\nVECTORS r double\n1e0 0e0 0\n2e0 3e-9 0\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn fields_that_do_not_fit_are_refused() {
        assert!(matches!(document("", CELLS, &[Field::Real("p", &[1.0])]), Err(FieldError::Length { found: 1, .. })));
        assert!(document("", CELLS, &[Field::Whole("s", &[1])]).is_err());
        let bad = Field::Vector("r", &[1.0, 2.0], &[f64::NAN, 0.0]);
        assert!(matches!(document("", CELLS, &[bad]), Err(FieldError::NotFinite { .. })));
    }
}
