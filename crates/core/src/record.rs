//! What is recorded of a system.

use crate::Name;
use crate::mechanics::System;

/// One column of a trajectory: what a model records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Short name, as in the CSV header.
    pub name: Name,
    /// SI unit, `1` for pure numbers.
    pub unit: &'static str,
    /// What it is, in a few words.
    pub meaning: Name,
    /// Whether only whole numbers occur (contact states, regions).
    pub integer: bool,
}

/// What a name becomes in the names of columns: blanks are written `_`. Two names that become one would share columns.
pub fn column_part(name: &str) -> String {
    name.replace(char::is_whitespace, "_")
}

impl Column {
    /// A column of real numbers.
    pub const fn real(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
        Column { name: Name::Borrowed(name), unit, meaning: Name::Borrowed(meaning), integer: false }
    }

    /// A column of whole numbers.
    pub const fn whole(name: &'static str, meaning: &'static str) -> Column {
        Column { name: Name::Borrowed(name), unit: "1", meaning: Name::Borrowed(meaning), integer: true }
    }

    const fn is(&self, name: &str) -> bool {
        let Name::Borrowed(own) = self.name else { return false };
        let (own, name) = (own.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < own.len() && same < name.len() && own[same] == name[same] {
            same += 1;
        }
        same == own.len() && same == name.len()
    }
}

/// The place of the column of this name in a list that is written in the code. In a constant a name that no column has does not compile.
pub const fn place(columns: &[Column], name: &str) -> usize {
    let mut place = 0;
    while !columns[place].is(name) {
        place += 1;
    }
    place
}

/// A system that can write down its states.
pub trait Record: System {
    /// What is recorded; the first column is the time.
    fn columns(&self) -> &[Column];

    /// The row for the state at time t.
    fn row(&self, t: f64, state: &Self::State, out: &mut [f64]);

    /// Whether a column tells what the contacts do, forces and states: at t = 0 nobody knows those before they are
    /// decided. All others (positions, speeds, energies) are given at t = 0. By default forces, torques, pure numbers
    /// and the angles of friction.
    fn is_decided(&self, column: usize) -> bool {
        let column = &self.columns()[column];
        column.integer || matches!(column.unit, "N" | "N m" | "1") || column.name.starts_with("angle_")
    }

    /// The row for t = 0: positions, speeds and energies of the start, forces and contact states of `decided`, the
    /// state at the end of the first step or, where a scheme decides them at an instant, at t = 0 itself.
    fn first_row(&self, decided: &Self::State, out: &mut [f64]) {
        let mut forces = vec![0.0; out.len()];
        self.row(0.0, decided, &mut forces);
        self.row(0.0, &self.start(), out);
        for (column, (cell, force)) in out.iter_mut().zip(forces).enumerate() {
            if self.is_decided(column) {
                *cell = force;
            }
        }
    }

    /// Whether a contact slips in the plane, where a slip has a direction and no sign; false by default.
    fn is_planar(&self, _contact: usize) -> bool {
        false
    }

    /// The end state, by name.
    fn end(&self, state: &Self::State) -> Vec<(Name, f64)>;

    /// Work of a step, in those of a single wheel (some 10 ns), as a run of so many steps to a state has shown it: studies
    /// are sized by it. 1 by default.
    fn step_work(&self, _state: &Self::State, _steps: u64) -> f64 {
        1.0
    }

    /// What makes a run that has led to a state doubtful, in sentences; nothing by default.
    fn doubts(&self, _state: &Self::State) -> Vec<String> {
        Vec::new()
    }

    /// Wheels whose use of friction is recorded.
    fn grips(&self) -> Vec<Grip> {
        Vec::new()
    }

    /// tan θ/μ with the mean μ of all wheels: the friction that the system would use at time t, at rest on its slope,
    /// with all wheels locked. Above 1 it would slide. None on level ground.
    fn use_of_locked_wheels(&self, _t: f64, _state: &Self::State) -> Option<f64> {
        None
    }
}

/// A wheel whose use of friction |f|/(μN) is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grip {
    /// Its name.
    pub wheel: String,
    /// The column that holds its use of friction.
    pub column: usize,
}
