//! Thinning of long trajectories to what a screen can show.

/// Indices of the rows to keep so that at most about `limit` remain.
///
/// The rows are divided into equal groups; of each group the first row and, for every column, the
/// rows of its least and greatest value stay, so that no peak is lost. The first and the last row
/// always stay. Rows that differ from their predecessor in a column of `marks` (contact states) stay
/// as well, together with that predecessor, even beyond the limit. So do all turning points that the eye
/// can see, as long as there are no more than [`MORE`] times the limit of them: of an oscillation with
/// several periods in a group every peak must stay, or it would look like one that comes and goes.
pub fn rows_to_keep(columns: &[&[f64]], marks: &[&[i8]], limit: usize) -> Vec<usize> {
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    if rows <= limit {
        return (0..rows).collect();
    }
    let mut keep = fewest(columns, rows, limit);
    let turns: Vec<usize> = columns.iter().flat_map(|column| turning_points(&column[..rows])).collect();
    if turns.len() <= MORE * limit {
        turns.into_iter().for_each(|i| keep[i] = true);
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

/// As many groups as the limit allows; smooth data need fewer rows per group than rough ones.
fn fewest(columns: &[&[f64]], rows: usize, limit: usize) -> Vec<bool> {
    let mut groups = limit.max(1);
    loop {
        let keep = extremes(columns, rows, groups);
        let kept = keep.iter().filter(|&&kept| kept).count();
        if kept <= limit || groups == 1 {
            return keep;
        }
        groups = (groups * limit / kept * 19 / 20).max(1);
    }
}

/// Indices of at most about `limit` rows with the extremes of all columns, and nothing else.
pub fn extreme_rows(columns: &[&[f64]], limit: usize) -> Vec<usize> {
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    if rows <= limit {
        return (0..rows).collect();
    }
    let keep = fewest(columns, rows, limit);
    (0..rows).filter(|&i| keep[i]).collect()
}

/// The same as [`rows_to_keep`], with so few rows that all columns together have at most about `numbers` values: a page
/// with many curves must not grow without bound. Where changes of states alone are more, they have no right of their own.
pub fn rows_within(columns: &[&[f64]], marks: &[&[i8]], limit: usize, numbers: usize) -> Vec<usize> {
    for marks in [marks, &[]] {
        let mut limit = limit;
        while limit >= LEAST {
            let rows = rows_to_keep(columns, marks, limit);
            if rows.len() * columns.len() <= numbers {
                return rows;
            }
            limit = limit * 3 / 4;
        }
    }
    rows_to_keep(columns, &[], LEAST)
}

/// Rows that are kept of a page in any case.
const LEAST: usize = 100;

/// How many times the limit may be kept for the sake of turning points.
pub const MORE: usize = 4;

/// A column has turned where it has gone back by this share of its range.
const SEEN: f64 = 0.02;

/// Turns of a curve beyond which a run is too long to be seen as a whole.
const TOO_MANY_TURNS: usize = 160;

/// Turns that a long run is opened on.
const TURNS_SHOWN: usize = 24;

/// The last periods of a run that is too long to be seen as a whole: from which row on; none where it is not.
pub fn last_periods(columns: &[&[f64]]) -> Option<usize> {
    let turns = columns.iter().map(|column| turning_points(column)).max_by_key(Vec::len)?;
    (turns.len() > TOO_MANY_TURNS).then(|| turns[turns.len() - TURNS_SHOWN])
}

/// The same rows and, of a run that is opened on its last periods, all rows of these.
pub fn with_last_periods(mut keep: Vec<usize>, columns: &[&[f64]]) -> (Vec<usize>, Option<usize>) {
    let rows = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    let from = last_periods(columns);
    if let Some(from) = from {
        keep.retain(|&row| row < from);
        keep.extend(from..rows);
    }
    (keep, from)
}

/// Where a column turns: its peaks and valleys, small wiggles left out.
fn turning_points(column: &[f64]) -> Vec<usize> {
    let (least, greatest) = column.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, g), v| (l.min(*v), g.max(*v)));
    let back = SEEN * (greatest - least);
    let mut turns = Vec::new();
    // The highest and the lowest row since the last turn.
    let (mut high, mut low) = (0, 0);
    for i in 1..column.len() {
        if column[i] > column[high] {
            high = i;
        }
        if column[i] < column[low] {
            low = i;
        }
        if high > low && column[high] - column[i] > back {
            turns.push(high);
            low = i;
            high = i;
        } else if low > high && column[i] - column[low] > back {
            turns.push(low);
            low = i;
            high = i;
        }
    }
    turns
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
    fn no_peak_of_a_long_oscillation_is_lost() {
        // 400 periods of 40 rows in 300 rows at the most, had the peaks no right of their own.
        let values: Vec<f64> = (0..16_000).map(|i| (std::f64::consts::TAU * f64::from(i) / 40.0).cos()).collect();
        let other: Vec<f64> = (0..16_000).map(|i| (f64::from(i) / 170.0).sin()).collect();
        let keep = rows_to_keep(&[&values, &other], &[], 300);
        let peaks = keep.iter().filter(|&&i| i % 40 == 0).count();
        assert!(peaks >= 400 && keep.len() <= 1500, "{peaks} peaks among {} rows", keep.len());
        // Noise has too many.
        let noise: Vec<f64> = (0..16_000_u64).map(|i| (i * i % 101) as f64).collect();
        assert!(rows_to_keep(&[&noise], &[], 300).len() <= 302);
    }

    #[test]
    fn many_columns_have_few_rows_each() {
        let columns: Vec<Vec<f64>> =
            (0..40).map(|k| (0..9000).map(|i| (0.01 * f64::from(i * (k + 1))).sin()).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let flips: Vec<i8> = (0..9000).map(|i| i8::from(i % 4 < 2)).collect();
        let rows = rows_within(&columns, &[&flips], 1500, 32_000);
        assert!(rows.len() * 40 <= 32_000 && rows.len() > 100, "{}", rows.len());
        assert_eq!(rows_within(&columns[..1], &[&flips], 1500, 32_000), rows_to_keep(&columns[..1], &[&flips], 1500));
    }

    #[test]
    fn long_runs_open_on_their_last_periods() {
        let swing = |rows: i32| -> Vec<f64> {
            (0..rows).map(|i| (std::f64::consts::TAU * f64::from(i) / 40.0).cos()).collect()
        };
        let (short, long) = (swing(400), swing(8000));
        assert_eq!(last_periods(&[&short]), None);
        let from = last_periods(&[&short, &long]).expect("200 periods are too many");
        assert!((7480..7600).contains(&from), "{from}");
        let (keep, same) = with_last_periods(vec![0, 7999], &[&long]);
        assert!(same == Some(from) && keep.len() == 1 + 8000 - from && keep.is_sorted());
    }

    #[test]
    fn short_tables_are_left_alone() {
        assert_eq!(rows_to_keep(&[&[1.0, 2.0]], &[], 10), [0, 1]);
        assert_eq!(rows_to_keep(&[], &[], 10), [0usize; 0]);
        assert_eq!(rows_to_keep(&[&[]], &[], 0), [0usize; 0]);
    }
}
