//! Key frames: what is to be seen without a script.

use std::fmt::Write;

use super::{Motion, WIDTH, draw};
use crate::figure::{FONT, px};
use crate::label;
use crate::palette;

/// Start, end and, between them, two events as far from both and from each other as there are.
pub(super) fn key_times(t: &[f64], events: &[(f64, String)]) -> Vec<f64> {
    let (Some(&start), Some(&end)) = (t.first(), t.last()) else { return Vec::new() };
    if end <= start {
        return vec![start];
    }
    let nearest = |share: f64| {
        let wanted = start + share * (end - start);
        let inside = events.iter().map(|event| event.0).filter(|t| *t > start && *t < end);
        inside.min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs())).unwrap_or(wanted)
    };
    let mut times = vec![start, nearest(1.0 / 3.0), nearest(2.0 / 3.0), end];
    times.dedup();
    times
}

/// Room above each frame for its time.
const HEAD: f64 = 30.0;

/// The key frames, two in a row, as one document.
pub(super) fn sheet(motion: &Motion) -> String {
    let times = motion.key_times();
    let frames: Vec<_> = times.iter().map(|t| (t, draw(motion, &motion.at(*t)))).collect();
    let height = frames.first().map_or(0.0, |(_, drawn)| drawn.height) + HEAD;
    let (rows, width) = (frames.len().div_ceil(2), 2.0 * WIDTH + 20.0);
    let mut body = String::new();
    for (k, (t, drawn)) in frames.iter().enumerate() {
        let (x, y) = ((k % 2) as f64 * (WIDTH + 20.0), (k / 2) as f64 * height);
        let _ = write!(
            body,
            "<text x=\"{}\" y=\"{}\" font-size=\"18\" font-weight=\"600\" fill=\"{}\">t = {} s</text>\
             <svg x=\"{}\" y=\"{}\" width=\"{WIDTH}\" height=\"{}\">{}</svg>",
            px(x + 8.0),
            px(y + 21.0),
            palette::INK,
            label::fixed(**t, 3),
            px(x),
            px(y + HEAD),
            px(drawn.height),
            drawn.body
        );
    }
    let total = px(rows as f64 * height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{total}\" viewBox=\"0 0 {0} {total}\" \
         font-family=\"{FONT}\" role=\"img\" aria-label=\"{1}\"><rect width=\"100%\" height=\"100%\" fill=\"{2}\"/>{body}</svg>\n",
        px(width),
        label::escape(&format!("{}. {}", motion.name, motion.text)),
        palette::PAPER
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_frames_are_start_events_and_end() {
        let t: Vec<f64> = (0..=10).map(f64::from).collect();
        let event = |t: f64| (t, String::new());
        assert_eq!(key_times(&t, &[event(2.5), event(7.5), event(9.9)]), [0.0, 2.5, 7.5, 10.0]);
        assert_eq!(key_times(&t, &[event(4.0)]), [0.0, 4.0, 10.0]);
        assert_eq!(key_times(&t, &[]).len(), 4);
        assert_eq!(key_times(&[], &[]), [0.0; 0]);
    }
}
