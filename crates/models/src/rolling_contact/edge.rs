//! Single elements that slip at the leading edge of a rolling contact: an effect of the grid, and said to be one.

use stickslip_contact::case::{Case, Course, Outcome};
use stickslip_contact::tangential::{Solution, Status};

use stickslip_run::text::number_to;

/// Share of the tractions above which slip at the leading edge is not explained by the grid.
const SMALL: f64 = 0.01;

/// A sentence about elements that slip alone at the leading edge, in front of those that stick; none where there are none
/// and where they are more than a rim of one element.
pub(super) fn slip_at_the_front(case: &Case, outcome: &Outcome) -> Option<String> {
    if matches!(case.course, Course::Shift(_)) {
        return None;
    }
    let (count, share) = alone_in_front(&outcome.solution)?;
    let elements = if count == 1 { "element slips".to_string() } else { "elements slip".to_string() };
    Some(format!(
        " At the leading edge {count} single {elements} in front of those that stick, with {} % of the tractions: an element \
         on the rim of the contact has little pressure, and so a low bound μp. That is the grid's doing: finer grids keep it one \
         element wide, with a smaller share.",
        number_to(100.0 * share, 2)
    ))
}

/// How many rows have one slipping element in front of sticking ones, and its share of the sizes of all tractions; none if
/// no row has, or if one has more than one, which is slip of the motion and not of the grid.
fn alone_in_front(solution: &Solution) -> Option<(usize, f64)> {
    let grid = &solution.grid;
    let size = |k: usize| solution.traction_x[k].hypot(solution.traction_y[k]);
    let (mut count, mut carried) = (0, 0.0);
    for j in 0..grid.ny() {
        // From the front, which is at the greatest x, backwards.
        let row = (0..grid.nx()).rev().map(|i| i + j * grid.nx());
        let inside: Vec<usize> = row.filter(|k| solution.status[*k] != Status::Exterior).collect();
        match inside.iter().position(|k| solution.status[*k] == Status::Stick) {
            None | Some(0) => {}
            Some(1) => (count, carried) = (count + 1, carried + size(inside[0])),
            Some(_) => return None,
        }
    }
    let share = carried / (0..grid.len()).map(size).sum::<f64>();
    (count > 0 && share <= SMALL).then_some((count, share))
}
