//! Time of the processor: what a busy machine does besides is not counted.

use std::hint::black_box;
use std::time::Instant;

/// Seconds that this thread has had a processor, as Linux tells them; none elsewhere.
fn on_processor() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(1e-9 * told.split(' ').next()?.parse::<f64>().ok()?)
}

/// Seconds of the processor that this thread spends on some work, or seconds on the wall where nobody tells the former.
pub fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let (wall, begin) = (Instant::now(), on_processor());
    let out = black_box(work());
    let spent = begin.zip(on_processor()).map(|(begin, end)| end - begin);
    (spent.unwrap_or_else(|| wall.elapsed().as_secs_f64()), out)
}

/// The same work halved on two threads: the seconds of the one that takes longer, which is what two free cores take.
pub fn on_two<P: Sync, T: Send>(points: &[P], at: usize, work: impl Fn(&[P]) -> Vec<T> + Sync) -> (f64, Vec<T>) {
    let (first, second) = points.split_at(at);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| seconds(|| work(first)));
        let (own, mut rest) = seconds(|| work(second));
        let (others, mut all) = other.join().expect("no panic");
        all.append(&mut rest);
        (own.max(others), all)
    })
}
