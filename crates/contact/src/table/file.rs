//! A table as a text file that any program can read.
//!
//! Lines that begin with `#` are the head: `# key: value`, and words for people. Then comes a line of names and a row for each node, a/b
//! running last and t first, all nodes of the four-dimensional grid. `# sha256: …` is the checksum of all other lines, each with `\n`.

use std::fmt::Write;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{Check, Spec, Table, TableError};
use crate::tangential::Transport;

/// The first line of the file.
const FIRST: &str = "# creep-force table of stickslip, format 1";

/// What the line of the checksum begins with.
const SUM: &str = "# sha256: ";

/// A table from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFile {
    /// The table.
    pub table: Arc<Table>,
    /// Whether the file has a checksum, which it then has passed. Files of other programs may have none.
    pub sealed: bool,
    /// Greatest errors of F_x/(μN), F_y/(μN), M_z/(μNc) that were found where nodes are filled in, if the file tells them.
    pub filled: Option<[f64; 3]>,
}

/// Forces over the friction limit may be greater than 1 by this: the tolerance of the solutions and the digits of the file.
const BOUND: f64 = 1e-4;

/// Names of the columns.
const NAMES: &str = "a_over_b,spin_angle_deg,direction_deg,t,fx_over_t,fy_over_t,mz_over_t,stick_share,solved";

/// Digits after the point: a hundredth of the residual that is usual.
const DIGITS: usize = 8;

/// What a number is in the file.
pub(super) fn rounded(value: f64) -> f64 {
    let scale = 1e8;
    let nearest = (value * scale).round() / scale;
    // What the file says, to the bit; nought has no sign.
    format!("{nearest:.DIGITS$}").parse::<f64>().unwrap_or(nearest) + 0.0
}

fn order(transport: Transport) -> &'static str {
    match transport {
        Transport::First => "first",
        Transport::Second => "second",
        Transport::Edge => "edge",
    }
}

impl Spec {
    /// What is covered and how it is solved, as lines `key: value`: a table is a function of these.
    pub fn written(&self) -> String {
        let ratios: Vec<String> = self.ratios.iter().map(f64::to_string).collect();
        format!(
            "poisson: {}\nratios: {}\nmagnitudes: {}\nspins: {}\ndirections: {}\nelements: {}\norder: {}\ntolerance: {}\n",
            self.poisson,
            ratios.join(" "),
            self.magnitudes,
            self.spins,
            self.directions,
            self.elements,
            order(self.transport),
            self.tolerance
        )
    }
}

impl Table {
    /// The file; `version` is that of the program, `check` what the interpolation was found to be off by.
    pub fn to_csv(&self, version: &str, check: Option<&Check>) -> String {
        let text = self.without_sum(version, check);
        let sum = checksum(&text);
        text.replacen('\n', &format!("\n{SUM}{sum}\n"), 1)
    }

    fn without_sum(&self, version: &str, check: Option<&Check>) -> String {
        let mut text = format!("{FIRST}\n# version: {version}\n");
        for line in self.spec.written().lines() {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "# unsolved: {}", self.unsolved());
        if let Some(check) = check {
            check.written().lines().for_each(|line| text += &format!("# {line}\n"));
        }
        text += WORDS;
        let _ = writeln!(text, "{NAMES}");
        for i in 0..self.spec.ratios.len() {
            for j in 0..=self.spec.spins {
                for k in 0..self.spec.around() {
                    self.rows(&mut text, i, j, k);
                }
            }
        }
        text
    }

    fn rows(&self, text: &mut String, i: usize, j: usize, k: usize) {
        let spec = &self.spec;
        let (beta, alpha) = (spec.spin_angle(j).to_degrees(), spec.direction(k).to_degrees());
        for m in 0..=spec.magnitudes {
            let at = self.index((i, j, k, m));
            let [x, y, z, stick] = self.nodes[at];
            let solved = u8::from(self.solved[at]);
            let _ = writeln!(
                text,
                "{},{beta:.6},{alpha:.6},{:.8},{x:.DIGITS$},{y:.DIGITS$},{z:.DIGITS$},{stick:.DIGITS$},{solved}",
                spec.ratios[i],
                spec.t(m)
            );
        }
    }

    /// Rows of columns, for other kinds of files: a/b, β, α [°], t, forces and moment over t, stick, solved.
    pub fn columns(&self) -> [Vec<f64>; 9] {
        let mut columns: [Vec<f64>; 9] = std::array::from_fn(|_| Vec::with_capacity(self.nodes.len()));
        let spec = &self.spec;
        for (at, node) in self.nodes.iter().enumerate() {
            let (m, line) = (at % (spec.magnitudes + 1), at / (spec.magnitudes + 1));
            let (k, line) = (line % spec.around(), line / spec.around());
            let (j, i) = (line % (spec.spins + 1), line / (spec.spins + 1));
            let (beta, alpha) = (spec.spin_angle(j).to_degrees(), spec.direction(k).to_degrees());
            let [x, y, z, stick] = *node;
            let solved = f64::from(u8::from(self.solved[at]));
            let row = [spec.ratios[i], beta, alpha, spec.t(m), x, y, z, stick, solved];
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
        columns
    }

    /// Reads what [`Table::to_csv`] has written, or another program in the same format. A checksum must be right where there is one.
    pub fn read(text: &str) -> Result<TableFile, TableError> {
        let fault = |line: usize, message: String| TableError::File { line: line + 1, message };
        if text.lines().next().map(str::trim_end) != Some(FIRST) {
            return Err(fault(0, format!("a table of creep forces begins with `{FIRST}`")));
        }
        let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
        let sum = head.iter().find_map(|line| line.strip_prefix(SUM)).map(str::trim_end);
        if sum.is_some_and(|sum| sum != checksum(text)) {
            return Err(TableError::Damaged);
        }
        let spec = read_spec(&head)?;
        spec.check().map_err(|error| fault(0, error.to_string()))?;
        let mut table = Table::empty(spec);
        let mut rows = text.lines().enumerate().skip(head.len());
        if rows.next().map(|(_, names)| names.trim_end()) != Some(NAMES) {
            return Err(fault(head.len(), format!("the columns should be {NAMES}")));
        }
        let expected = table.columns();
        let count = table.nodes.len();
        let mut at = 0;
        for (number, row) in rows {
            if at == count {
                return Err(fault(number, format!("more rows than the {count} nodes of the head")));
            }
            let values: Option<Vec<f64>> = row.trim_end().split(',').map(|cell| cell.parse().ok()).collect();
            let Some(values) = values.filter(|values| values.len() == 9 && values.iter().all(|v| v.is_finite())) else {
                return Err(fault(number, "nine numbers are expected here".into()));
            };
            if (0..4).any(|c| (values[c] - expected[c][at]).abs() > 2e-6 * (1.0 + values[c].abs())) {
                return Err(fault(number, "the row of another point: rows are missing or out of order".into()));
            }
            if values[3] * values[4].hypot(values[5]) > 1.0 + BOUND {
                return Err(fault(number, "a force greater than the friction that the contact has".into()));
            }
            if !(0.0..=1.0).contains(&values[7]) || !(values[8] == 0.0 || values[8] == 1.0) {
                return Err(fault(number, "stick_share lies between 0 and 1, and solved is 0 or 1".into()));
            }
            table.nodes[at] = [values[4], values[5], values[6], values[7]];
            table.solved[at] = values[8] != 0.0;
            at += 1;
        }
        if at < count {
            return Err(fault(head.len() + at + 1, format!("the file ends after {at} of {count} rows")));
        }
        Ok(TableFile { table: Arc::new(table), sealed: sum.is_some(), filled: Check::filled_in(&head) })
    }
}

/// SHA-256 of all lines but that of the checksum, whatever ends them.
fn checksum(text: &str) -> String {
    let mut hash = Sha256::new();
    for line in text.lines().filter(|line| !line.starts_with(SUM)) {
        hash.update(line.trim_end_matches('\r'));
        hash.update("\n");
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn read_spec(head: &[&str]) -> Result<Spec, TableError> {
    let value = |key: &str| {
        let found = head.iter().enumerate().find_map(|(n, line)| {
            Some((n, line.strip_prefix("# ")?.strip_prefix(key)?.strip_prefix(": ")?.trim_end()))
        });
        found.ok_or_else(|| TableError::File { line: 1, message: format!("the head has no `# {key}: …`") })
    };
    let number = |key: &str| {
        let (line, text) = value(key)?;
        let message = format!("`{text}` is no number");
        text.parse::<f64>().map_err(|_| TableError::File { line: line + 1, message })
    };
    let count = |key: &str| {
        let (line, text) = value(key)?;
        let message = format!("`{text}` is no whole number");
        text.parse::<usize>().map_err(|_| TableError::File { line: line + 1, message })
    };
    let (line, ratios) = value("ratios")?;
    let ratios: Option<Vec<f64>> = ratios.split_whitespace().map(|word| word.parse().ok()).collect();
    let (_, name) = value("order")?;
    let transport = [Transport::First, Transport::Second, Transport::Edge].into_iter().find(|t| order(*t) == name);
    Ok(Spec {
        poisson: number("poisson")?,
        ratios: ratios.ok_or(TableError::File { line: line + 1, message: "ratios are numbers".into() })?,
        magnitudes: count("magnitudes")?,
        spins: count("spins")?,
        directions: count("directions")?,
        elements: count("elements")?,
        transport: transport.ok_or(TableError::File { line: 1, message: format!("there is no order `{name}`") })?,
        tolerance: number("tolerance")?,
    })
}

/// What the columns are, for people.
const WORDS: &str = "\
#
# c = sqrt(a b), a along the rolling direction x; G, nu: 1/G = (1/G1 + 1/G2)/2, nu/G = (nu1/G1 + nu2/G2)/2
# scaled creepages (body 1 - body 2, over the rolling speed): ux = G c^2 xi/(mu N), uy = G c^2 eta/(mu N), uphi = G c^3 phi/(mu N)
# stretched: x = (3.3 + 0.85 a/b) ux, y = (2.4 + 1.05 a/b) uy, z = (2 + 1.3 a/b) uphi
# rho = sqrt(x^2 + y^2 + z^2), t = rho/(1 + rho), spin_angle = atan2(z, sqrt(x^2 + y^2)), direction = atan2(y, x)
# on body 1: Fx = mu N t (fx_over_t), Fy = mu N t (fy_over_t), Mz = mu N c t (mz_over_t); t = 0: linear theory, t = 1: full sliding
# symmetry: (-xi, eta, phi) has (-Fx, Fy, Mz); (xi, -eta, -phi) has (Fx, -Fy, -Mz)
# large spin turns slips faster than these elements can follow: from there on the first of 2 and 4 times as many along each side that can
# solved = 0: these cannot either; between the last solution and full sliding, with a difference that falls as 1/rho
";
