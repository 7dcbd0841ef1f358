//! Rows that come from elsewhere, into a folder.

use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use pyo3::prelude::*;
use stickslip::scenario::sweep::Value;
use stickslip::sweep::{Cells, Folder, Gathering, Piece, SweepError, picture};

use super::{Own, complete};
use crate::border::wait;
use crate::error;

/// Blocks that are worked on at once: a cluster has more hands than a machine.
const OPEN: usize = 16;

/// A folder that rows are taken into.
#[pyclass(name = "Gathering", module = "stickslip._native", frozen)]
pub struct PyGathering {
    own: Arc<Own>,
    /// None once it was closed.
    state: Arc<Mutex<Option<(Folder, Gathering)>>>,
}

impl PyGathering {
    pub(super) fn new(own: Arc<Own>, folder: Folder) -> PyGathering {
        let gathering = Gathering::new(&folder, OPEN);
        PyGathering { own, state: Arc::new(Mutex::new(Some((folder, gathering)))) }
    }

    fn with<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Folder, &mut Gathering) -> Result<T, SweepError> + Send + 'static,
    ) -> PyResult<T> {
        let state = self.state.clone();
        let result = wait(py, move |_| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            match state.as_mut() {
                Some((folder, gathering)) => work(folder, gathering),
                None => Err(SweepError::input("the folder was closed", "open it again")),
            }
        })?;
        result.map_err(|fault| error::sweep(&fault))
    }
}

#[pymethods]
impl PyGathering {
    /// Points that are missing and that nobody was told of before: first, how many.
    fn open(&self, py: Python<'_>) -> PyResult<Vec<(u64, u64)>> {
        let ranges = self.with(py, |folder, gathering| gathering.open(folder))?;
        Ok(ranges.into_iter().map(|range| (range.start, range.end - range.start)).collect())
    }

    /// Takes the rows of the points first…first + count − 1.
    fn take(&self, py: Python<'_>, bytes: &[u8], first: u64, count: u64) -> PyResult<()> {
        let (own, bytes) = (self.own.clone(), bytes.to_vec());
        self.with(py, move |folder, gathering| {
            let piece = Piece::from_bytes(&bytes, folder.columns())
                .filter(|piece| piece.first == first && piece.rows() == count)
                .ok_or_else(|| strange(first, "are not whole, or have other columns"))?;
            if !has_the_points(&own, &piece) {
                return Err(strange(first, "have other values of what is varied"));
            }
            gathering.take(folder, piece)
        })
    }

    /// Whether all points are there.
    fn is_complete(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |_, gathering| Ok(gathering.is_complete()))
    }

    /// Points that are there.
    fn done(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |_, gathering| Ok(gathering.done()))
    }

    /// Writes what belongs to a complete dataset; its summary as JSON.
    fn finish(&self, py: Python<'_>, pages: bool) -> PyResult<String> {
        let own = self.own.clone();
        self.with(py, move |folder, _| {
            let plan = own.plan()?;
            complete(folder, pages, &|folder| picture::draw(&plan, folder, &own.command))
        })
    }

    /// Lets the folder go, as soon as nobody works in it; what was taken stays.
    fn close(&self) {
        match self.state.try_lock() {
            Ok(mut state) => drop(state.take()),
            Err(TryLockError::Poisoned(state)) => drop(state.into_inner().take()),
            // Ctrl-C was pressed: the work lets it go when it ends.
            Err(TryLockError::WouldBlock) => {}
        }
    }
}

fn strange(first: u64, what: &str) -> SweepError {
    SweepError::input(
        format!("rows that a worker returned, from point {first} on, {what}"),
        "install the same version of stickslip, for the same kind of machine, on all workers; what came before stays",
    )
}

/// Whether rows have the varied values that their points have here: bit for bit, whatever machine they come from.
fn has_the_points(own: &Own, piece: &Piece) -> bool {
    let mut values = Vec::new();
    let same = |cells: &Cells, row: usize, value: &Value| match (cells, value) {
        (Cells::Numbers(all), value) => {
            let here = value.number().map_or(f64::NAN, |number| number + 0.0);
            all.get(row).is_some_and(|there| there.to_bits() == here.to_bits())
        }
        (Cells::Texts(all), Value::Text(text)) => all.get(row).is_some_and(|there| there.as_ref() == Some(text)),
        (Cells::Texts(all), other) => all.get(row).is_some_and(|there| there.as_ref() == Some(&other.written())),
    };
    (0..piece.rows()).all(|row| {
        own.points.values(piece.first + row, &mut values);
        piece.cells.iter().zip(&values).all(|(cells, value)| same(cells, row as usize, value))
    })
}
