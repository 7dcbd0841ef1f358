//! How long a sweep will take, and how large it will be, before it starts.

use std::time::Instant;

use stickslip_report::table::dataset::DataColumn;

use crate::block::TOGETHER;
use crate::{Branches, Plan, Share, run_block};

/// What a sweep will cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Points that are to be run.
    pub points: u64,
    /// Time of one point on one core \[s\].
    pub each: f64,
    /// Time on so many threads \[s\].
    pub seconds: f64,
    /// Size of the dataset \[bytes\].
    pub bytes: f64,
}

/// Places at which points are timed at the most, and how long \[s\].
const TIMED: (u64, f64) = (64, 0.5);

/// Of fewer points none is timed: one would take more than a hundredth of all.
const FEW: u64 = 100;

/// Share of what is large from which on more than one place is timed.
const NEAR: f64 = 0.02;

/// Points, time \[s\] and size \[bytes\] beyond which a sweep should not begin by mistake.
const LARGE: (u64, f64, f64) = (100_000_000, 86_400.0, 100e9);

/// What numbers take on the disk, and texts that mostly are not there \[bytes\].
const CELL: (f64, f64) = (8.0, 0.2);

impl Estimate {
    /// Whether somebody should be asked first.
    pub fn is_large(&self) -> bool {
        let (points, seconds, bytes) = LARGE;
        self.points > points || self.seconds > seconds || self.bytes > bytes
    }
}

/// Times a few points, spread over all; none where there are few.
pub fn estimate(plan: &Plan<'_>, share: Share, threads: usize) -> Estimate {
    let own = share.points(plan.total());
    let points = own.end - own.start;
    let row = size_of_row(plan.columns());
    timed(points, threads, row * points as f64, &mut |share| {
        let first = ((share * points as f64) as u64).min(points - 1);
        // As many at once as will be run at once.
        let count = if plan.goes_together() { TOGETHER as u64 } else { 1 }.min(points - first);
        run_block(plan, own.start + first, count as usize);
        count
    })
}

impl Branches<'_> {
    /// Times a few runs of the share's paths, from the scenario's own start; none where there are few.
    pub fn estimate(&self, share: Share, threads: usize) -> Estimate {
        let own = share.points(self.paths());
        let (paths, runs) = (own.end - own.start, self.runs_of_path());
        let all = paths.saturating_mul(runs);
        let mut rows = (0, 0);
        // A path on which starts are carried on is one thread's.
        let threads =
            if self.is_carried() { threads.min(usize::try_from(paths).unwrap_or(usize::MAX)) } else { threads };
        let cost = timed(all, threads, 0.0, &mut |share| {
            let at = ((share * all as f64) as u64).min(all - 1);
            rows = (rows.0 + 1, rows.1 + self.rows_of(own.start + at / runs, at % runs));
            1
        });
        let rows = if rows.0 == 0 { 1.0 } else { rows.1 as f64 / f64::from(rows.0) };
        Estimate { bytes: size_of_row(self.columns()) * rows * all as f64, ..cost }
    }
}

fn size_of_row(columns: &[DataColumn]) -> f64 {
    columns.iter().map(|column| if column.text { CELL.1 } else { CELL.0 }).sum()
}

/// Calls `run` with places between 0 and 1, which says how many points it ran there.
fn timed(points: u64, threads: usize, bytes: f64, run: &mut dyn FnMut(f64) -> u64) -> Estimate {
    let begin = Instant::now();
    let (mut places, mut done) = (0, 0);
    let cost = |done: u64| {
        let each = begin.elapsed().as_secs_f64() / done.max(1) as f64;
        Estimate { points, each, seconds: each * points as f64 / threads.max(1) as f64, bytes }
    };
    if points < FEW {
        return Estimate { each: 0.0, seconds: 0.0, ..cost(1) };
    }
    while places < TIMED.0.min(points) && begin.elapsed().as_secs_f64() < TIMED.1 {
        // A stride that meets all axes: golden section of the points.
        done += run((places as f64 * 0.618_033_988_749_895).fract());
        places += 1;
        let known = cost(done);
        if points < LARGE.0 && known.seconds < NEAR * LARGE.1 && bytes < LARGE.2 {
            break;
        }
    }
    cost(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_are_not_timed_and_quick_ones_once() {
        let mut places = Vec::new();
        let mut run = |at: f64| {
            places.push(at);
            1
        };
        assert_eq!(timed(FEW - 1, 2, 0.0, &mut run).seconds, 0.0);
        assert!(!timed(1000, 2, 0.0, &mut run).is_large());
        assert_eq!(places, [0.0]);
    }

    #[test]
    fn slow_points_are_large_however_few_they_are() {
        // 5000 points of 40 ms on one thread, as if each stood for a thousand.
        let mut run = |_: f64| {
            std::thread::sleep(std::time::Duration::from_millis(40));
            1
        };
        assert!(timed(5_000_000, 1, 0.0, &mut run).is_large());
        assert!(timed(1000, 1, 200e9, &mut run).is_large());
    }
}
