//! Thinning of long trajectories to what a screen can show.

/// Indices of the rows to keep so that at most about `limit` remain.
///
/// The rows are divided into equal groups; of each group the first row and, for every column, the
/// rows of its least and greatest value stay, so that no peak is lost. The first and the last row
/// always stay. Rows that differ from their predecessor in a column of `marks` (contact states) stay
/// as well, together with that predecessor, even beyond the limit.
pub fn rows_to_keep(columns: &[&[f64]], marks: &[&[i8]], limit: usize) -> Vec<usize> {
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    if rows <= limit {
        return (0..rows).collect();
    }
    // As many groups as the limit allows; smooth data need fewer rows per group than rough ones.
    let mut groups = limit.max(1);
    let mut keep = extremes(columns, rows, groups);
    loop {
        let kept = keep.iter().filter(|&&kept| kept).count();
        if kept <= limit || groups == 1 {
            break;
        }
        groups = (groups * limit / kept * 19 / 20).max(1);
        keep = extremes(columns, rows, groups);
    }
    for mark in marks {
        for i in 1..rows.min(mark.len()) {
            if mark[i] != mark[i - 1] {
                keep[i] = true;
                keep[i - 1] = true;
            }
        }
    }
    (0..rows).filter(|&i| keep[i]).collect()
}

/// Marks the ends, the first row of each group and the extremes of each column in it.
fn extremes(columns: &[&[f64]], rows: usize, groups: usize) -> Vec<bool> {
    let mut keep = vec![false; rows];
    keep[0] = true;
    keep[rows - 1] = true;
    for group in 0..groups {
        let from = group * rows / groups;
        let to = (group + 1) * rows / groups;
        keep[from] = true;
        for column in columns {
            let (mut least, mut greatest) = (from, from);
            for i in from..to {
                if column[i] < column[least] {
                    least = i;
                }
                if column[i] > column[greatest] {
                    greatest = i;
                }
            }
            keep[least] = true;
            keep[greatest] = true;
        }
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_ends_and_changes_stay() {
        let mut values = vec![0.0; 10_000];
        values[1234] = 7.0;
        values[4321] = -7.0;
        let mut state = vec![0i8; 10_000];
        state[5001..].fill(1);
        let keep = rows_to_keep(&[&values], &[&state], 300);
        assert!((150..=302).contains(&keep.len()), "{}", keep.len());
        for row in [0, 1234, 4321, 5000, 5001, 9999] {
            assert!(keep.contains(&row), "{row}");
        }
        assert!(keep.is_sorted());
    }

    #[test]
    fn short_tables_are_left_alone() {
        assert_eq!(rows_to_keep(&[&[1.0, 2.0]], &[], 10), [0, 1]);
        assert_eq!(rows_to_keep(&[], &[], 10), [0usize; 0]);
        assert_eq!(rows_to_keep(&[&[]], &[], 0), [0usize; 0]);
    }
}
