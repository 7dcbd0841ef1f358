//! How long a sweep will take, and how large it will be, before it starts.

use std::time::Instant;

use crate::block::TOGETHER;
use crate::{Plan, Share, run_block};

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

/// Times a few points, spread over all.
pub fn estimate(plan: &Plan<'_>, share: Share, threads: usize) -> Estimate {
    let own = share.points(plan.total());
    let points = own.end - own.start;
    let begin = Instant::now();
    let (mut places, mut timed) = (0, 0);
    while places < TIMED.0.min(points) && begin.elapsed().as_secs_f64() < TIMED.1 {
        // A stride that meets all axes: golden section of the points. As many at once as will be run at once.
        let first = ((places as f64 * 0.618_033_988_749_895).fract() * points as f64) as u64;
        let count = if plan.goes_together() { TOGETHER as u64 } else { 1 }.min(points - first);
        run_block(plan, own.start + first, count as usize);
        (places, timed) = (places + 1, timed + count);
    }
    let each = begin.elapsed().as_secs_f64() / timed.max(1) as f64;
    let row: f64 = plan.columns().iter().map(|column| if column.text { CELL.1 } else { CELL.0 }).sum();
    Estimate { points, each, seconds: each * points as f64 / threads.max(1) as f64, bytes: row * points as f64 }
}
