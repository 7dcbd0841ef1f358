//! Small dense systems on the stack.

/// Pivots below this share of the greatest entry are zero: the equations depend on each other.
const SINGULAR: f64 = 1e-12;

/// What is left of equations without unknowns may be this share of the greatest right side.
const CONTRADICTION: f64 = 1e-9;

/// Solves A x = b by elimination with pivots of rows and columns. Returns x and the sign of det A. Where equations depend on
/// each other the unknowns left over are zero (the sign is that of the rest); None if they contradict each other.
pub(crate) fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> Option<([f64; N], i8)> {
    let scale = a.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let forces = b.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    let mut sign = 1_i8;
    let mut rank = N;
    for k in 0..N {
        let (mut row, mut column, mut greatest) = (k, k, 0.0);
        for (i, line) in a.iter().enumerate().skip(k) {
            for (j, entry) in line.iter().enumerate().skip(k) {
                if entry.abs() > greatest {
                    (row, column, greatest) = (i, j, entry.abs());
                }
            }
        }
        if greatest <= SINGULAR * scale {
            rank = k;
            break;
        }
        if row != k {
            a.swap(row, k);
            b.swap(row, k);
            sign = -sign;
        }
        if column != k {
            a.iter_mut().for_each(|line| line.swap(column, k));
            order.swap(column, k);
            sign = -sign;
        }
        if a[k][k] < 0.0 {
            sign = -sign;
        }
        let (pivot, right) = (a[k], b[k]);
        for (line, b) in a.iter_mut().zip(&mut b).skip(k + 1) {
            let factor = line[k] / pivot[k];
            line.iter_mut().zip(&pivot).skip(k).for_each(|(entry, pivot)| *entry -= factor * pivot);
            *b -= factor * right;
        }
    }
    // What is left of equations without unknowns must be nothing.
    if b[rank..].iter().any(|left| left.abs() > CONTRADICTION * forces) {
        return None;
    }
    let mut x = [0.0; N];
    for k in (0..rank).rev() {
        let known: f64 = (k + 1..rank).map(|j| a[k][j] * x[order[j]]).sum();
        x[order[k]] = (b[k] - known) / a[k][k];
    }
    Some((x, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_and_signs() {
        let (x, sign) = solve([[0.0, 2.0], [1.0, 1.0]], [4.0, 5.0]).expect("regular");
        assert_eq!((x, sign), ([3.0, 2.0], -1));
        let (x, sign) = solve([[2.0, 0.0, 1.0], [0.0, -3.0, 0.0], [1.0, 0.0, 2.0]], [4.0, 3.0, 5.0]).expect("regular");
        assert!((0..3).all(|k| (x[k] - [1.0, -1.0, 2.0][k]).abs() < 1e-15) && sign == -1);
    }

    #[test]
    fn equations_that_depend_on_each_other() {
        let twice = [[1.0, 1.0], [2.0, 2.0]];
        let (x, _) = solve(twice, [3.0, 6.0]).expect("they agree");
        assert_eq!(x[0] + x[1], 3.0);
        assert_eq!(solve(twice, [3.0, 7.0]), None);
    }
}
