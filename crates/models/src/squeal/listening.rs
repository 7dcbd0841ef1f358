//! A run at every step: what recorded rows are too few for.

use stickslip_core::law::State;
use stickslip_core::scheme::{Event, Grid};
use stickslip_core::simulation::{Samples, Simulation, SimulationError, Sink, SinkError};
use stickslip_squeal::Wheel;
use stickslip_squeal::spectrum::{spectrum, strongest};

use super::record::OWN;

/// Longest stretch at the end of a run that is looked at closely \[s\].
const WINDOW: f64 = 1.0;

/// Samples a period of the highest mode, or of the shortest roughness, where the run has no steps: a peak is then missed by 5e-4 of it at the most.
const SAMPLES_A_PERIOD: f64 = 100.0;

/// Samples that are kept at the most: the last of them.
const MOST: usize = 3_000_000;

/// Blocks whose greatest velocities are kept.
const BLOCKS: u64 = 800;

/// Periods at the end whose course is kept.
const PERIODS: f64 = 4.0;

/// Periods of a line below which its image at the negative frequency moves it.
const FEWEST_PERIODS: f64 = 3.0;

/// Share of the slip velocity below which a motion is linear enough for its growth to be that of an eigenvalue.
const LINEAR: f64 = 0.02;

/// Share of the slip velocity above which a peak is motion: forces that balance each other to rounding leave 1e-13 of it.
pub(super) const AUDIBLE: f64 = 1e-10;

/// Factor by which motion that does not swing has changed from one place that a rate is found from to the next.
const CHANGED: f64 = 1.02;

/// Peaks that a rate is found from at least.
const FEWEST_PEAKS: usize = 8;

/// What was heard.
#[derive(Debug, Clone, Default)]
pub(super) struct Heard {
    /// Samples a second.
    pub rate: f64,
    /// Lateral velocities of the run, or of its last part [m/s].
    pub v: Vec<f64>,
    /// Time of the first of them \[s\].
    pub from: f64,
    /// How many of them, at the end, are looked at closely.
    pub window: usize,
    /// (time, greatest |v|) of blocks of time.
    pub envelope: Vec<[f64; 2]>,
    /// Of the last periods: time, v, slip, F, N.
    pub last: Vec<[f64; 5]>,
    /// Within the window: share of stick, least and greatest load over N0.
    pub stuck: f64,
    pub loads: [f64; 2],
    /// Root mean squares of the modes' velocities within the window.
    pub modes: Vec<f64>,
    /// Rate [1/s] and frequency \[Hz\] of the growth or decay of small motion; the frequency is 0 where it does not swing.
    pub growth: Option<[f64; 2]>,
    /// Whether small motion died away to rounding.
    pub faded: bool,
}

impl Heard {
    /// The velocities that are looked at closely.
    pub fn close(&self) -> &[f64] {
        &self.v[self.v.len() - self.window..]
    }

    /// Root mean square of the velocity [m/s].
    pub fn rms(&self) -> f64 {
        let v = self.close();
        (v.iter().map(|v| v * v).sum::<f64>() / v.len().max(1) as f64).sqrt()
    }

    /// Strongest line [Hz, m/s], and its share in the mean square of the velocity; none of so few periods that its image at the negative
    /// frequency moves it.
    pub fn line(&self) -> Option<([f64; 2], f64)> {
        let v = self.close();
        let enough = |line: &[f64; 2]| line[0] * v.len() as f64 >= FEWEST_PERIODS * self.rate;
        let found = strongest(&spectrum(v, self.rate)).filter(enough)?;
        let mean = v.iter().sum::<f64>() / v.len().max(1) as f64;
        let square = v.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / v.len().max(1) as f64;
        Some((found, 0.5 * found[1] * found[1] / square))
    }

    /// Frequency by upward passages through zero \[Hz\]; none where there are fewer than two periods.
    pub fn frequency(&self) -> Option<f64> {
        let v = self.close();
        let passes = v.windows(2).enumerate().filter(|(_, pair)| pair[0] < 0.0 && pair[1] >= 0.0);
        let times: Vec<f64> = passes.map(|(k, pair)| k as f64 + pair[0] / (pair[0] - pair[1])).collect();
        let (first, last) = (times.first()?, times.last()?);
        (times.len() > 2).then(|| (times.len() - 1) as f64 * self.rate / (last - first))
    }
}

/// Makes a run again and listens at each of its steps.
pub(super) fn listen(wheel: &Wheel, run: &mut dyn Simulation, until: f64) -> Result<Heard, SimulationError> {
    let modes = wheel.modes.iter().map(|mode| mode.frequency);
    let lines = wheel.roughness.lines.iter().map(|line| line.frequency);
    let highest = modes.chain(lines).fold(0.5 / wheel.roughness.finest(), f64::max);
    let h = run.step_size().unwrap_or(1.0 / (SAMPLES_A_PERIOD * highest)).min(until);
    let grid = Grid { h, steps: (until / h).round().max(1.0) as u64 };
    let mut ear = Ear::new(wheel, grid);
    run.record(Samples { grid, every: 1 }, &mut ear)?;
    Ok(ear.done())
}

/// Listens at each step of a grid.
pub(super) struct Ear {
    heard: Heard,
    steps: u64,
    window_from: u64,
    last_from: u64,
    kept_from: u64,
    block: u64,
    /// The last three velocities.
    peak: [f64; 3],
    peaks: Vec<[f64; 2]>,
    /// Of motion that does not swing, whose eigenvalue is real: |v| wherever it has changed by a share.
    straight: Option<Vec<[f64; 2]>>,
    small: f64,
    linear: bool,
    load: f64,
}

impl Sink for Ear {
    fn row(&mut self, n: u64, t: f64, row: &[f64], _: &[State]) -> Result<(), SinkError> {
        let (v, slip, force, load, state) = (row[1], row[4], row[5], row[6], row[9]);
        let heard = &mut self.heard;
        if n >= self.kept_from {
            if heard.v.is_empty() {
                heard.from = t;
            }
            heard.v.push(v);
        }
        // What is left at the end belongs to the last block: of a part of a swing the greatest says nothing.
        let whole = n.is_multiple_of(self.block) && self.steps - n.min(self.steps) + 1 >= self.block;
        if whole || heard.envelope.is_empty() {
            heard.envelope.push([t, 0.0]);
        }
        // Dated where it is, or growth would be drawn a stretch late.
        if let Some(last) = heard.envelope.last_mut().filter(|last| v.abs() > last[1]) {
            *last = [t, v.abs()];
        }
        if n >= self.last_from {
            heard.last.push([t, v, slip, force, load]);
        }
        if n > self.window_from {
            heard.stuck += if state == 0.0 { 1.0 } else { 0.0 };
            heard.loads = [heard.loads[0].min(load / self.load), heard.loads[1].max(load / self.load)];
            for (sum, v) in heard.modes.iter_mut().zip(&row[OWN..]) {
                *sum += v * v;
            }
        }
        self.linear &= v.abs() <= self.small;
        if let Some(straight) =
            self.straight.as_mut().filter(|_| self.linear && v.abs() > AUDIBLE / LINEAR * self.small)
        {
            let ratio = straight.last().map_or(0.0, |last| v.abs() / last[1]);
            if !(1.0 / CHANGED..=CHANGED).contains(&ratio) {
                straight.push([t, v.abs()]);
            }
        }
        self.peak = [self.peak[1], self.peak[2], v];
        let [a, b, c] = self.peak;
        if self.linear && n > 2 && b > a && b >= c && b > 0.0 {
            // The vertex of a parabola through three samples.
            let (bend, slope) = (0.5 * (a + c) - b, 0.5 * (c - a));
            let h = 1.0 / heard.rate;
            let peak = [t - h - 0.5 * slope / bend * h, b - slope * slope / (4.0 * bend)];
            if peak[1] > AUDIBLE / LINEAR * self.small {
                self.peaks.push(peak);
            } else {
                heard.faded = true;
            }
        }
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), SinkError> {
        Ok(())
    }
}

impl Ear {
    pub(super) fn new(wheel: &Wheel, Grid { h, steps }: Grid) -> Ear {
        let lowest = wheel.modes.iter().map(|mode| mode.frequency).fold(f64::INFINITY, f64::min);
        let window = ((WINDOW.min(0.5 * steps as f64 * h) / h).round() as u64).clamp(1, steps);
        Ear {
            heard: Heard {
                rate: 1.0 / h,
                loads: [f64::INFINITY, 0.0],
                modes: vec![0.0; wheel.modes.len()],
                ..Heard::default()
            },
            steps,
            window_from: steps - window,
            last_from: steps - ((PERIODS / (lowest * h)) as u64).clamp(1, steps),
            kept_from: (steps + 1).saturating_sub(MOST as u64),
            // No shorter than half a swing of the lowest mode.
            block: steps.div_ceil(BLOCKS).max((0.5 / (lowest * h)).ceil() as u64).max(1),
            peak: [0.0; 3],
            peaks: Vec::new(),
            straight: wheel.least_stable().is_ok_and(|value| value.im == 0.0).then(Vec::new),
            small: LINEAR * wheel.slip(),
            linear: true,
            load: wheel.spring.load,
        }
    }

    /// What it has heard, after the last step.
    pub(super) fn done(mut self) -> Heard {
        let window = (self.steps - self.window_from) as usize;
        self.heard.window = window.min(self.heard.v.len());
        let count = window.max(1) as f64;
        self.heard.stuck /= count;
        self.heard.modes.iter_mut().for_each(|sum| *sum = (*sum / count).sqrt());
        self.heard.growth = match &self.straight {
            None => growth(&self.peaks),
            Some(straight) => growth(straight).map(|[rate, _]| [rate, 0.0]),
        };
        self.heard
    }
}

/// Least squares of the logarithms of peaks over time, the first tenth of them left out; and their frequency.
fn growth(peaks: &[[f64; 2]]) -> Option<[f64; 2]> {
    let used = &peaks[peaks.len() / 10..];
    if used.len() < FEWEST_PEAKS {
        return None;
    }
    let n = used.len() as f64;
    let (t, y) = used.iter().fold((0.0, 0.0), |(t, y), p| (t + p[0] / n, y + p[1].ln() / n));
    let (above, below) = used
        .iter()
        .fold((0.0, 0.0), |(above, below), p| (above + (p[0] - t) * (p[1].ln() - y), below + (p[0] - t).powi(2)));
    Some([above / below, (n - 1.0) / (used[used.len() - 1][0] - used[0][0])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip_squeal::contact::{Contact, Spring};
    use stickslip_squeal::roughness::Roughness;
    use stickslip_squeal::{Friction, Mode};

    /// A steady tone is as great at the end as before, wherever the end falls in a block and in a swing.
    #[test]
    fn a_tone_does_not_fall_at_the_end() {
        let frequency = 417.0;
        let mode = Mode { name: "2L0".into(), frequency, damping: 1e-3, lateral: 0.16, vertical: 0.0 };
        let friction = Friction::Law(stickslip_core::law::Coefficient::Constant(0.2));
        let wheel = Wheel {
            modes: vec![mode],
            speed: 10.0,
            creepage: 0.01,
            spring: Spring { load: 42e3, approach: 7.4e-5, residual: 0.0 },
            contact: Contact::Point { friction },
            roughness: Roughness::default(),
        };
        for steps in [1, 799, 800, 200_000, 200_001, 200_249, 200_499, 20_000] {
            let h = 1e-5;
            let mut ear = Ear::new(&wheel, Grid { h, steps });
            for n in 0..=steps {
                let t = n as f64 * h;
                let mut row = [0.0; OWN + 1];
                row[1] = 0.05 * (std::f64::consts::TAU * frequency * t + 0.3).sin();
                ear.row(n, t, &row, &[]).expect("heard");
            }
            let heard = ear.done();
            assert!(!heard.envelope.is_empty());
            let low = heard.envelope.iter().find(|point| point[1] < 0.049);
            assert!(steps < 800 || low.is_none(), "{steps}: {low:?}");
        }
    }
}
