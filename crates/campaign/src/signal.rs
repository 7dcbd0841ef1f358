//! Signals of time as the campaign makes them.

/// A signal: a constant, straight lines between points (two at one time make a jump), or a sine.
#[derive(Debug, Clone, PartialEq)]
pub enum Signal {
    /// The same at all times.
    Constant(f64),
    /// Points (time, value), held outside.
    Points(Vec<(f64, f64)>),
    /// offset + amplitude sin(2π frequency t + phase).
    Sine {
        /// Mean value.
        offset: f64,
        /// Half of the range, ≥ 0.
        amplitude: f64,
        /// Periods in a second \[Hz\].
        frequency: f64,
        /// Phase at t = 0 \[rad\].
        phase: f64,
    },
}

impl Signal {
    /// As a value in a scenario file.
    pub fn toml(&self) -> String {
        match self {
            Signal::Constant(value) => format!("{value:?}"),
            Signal::Points(points) => {
                let list: Vec<String> = points.iter().map(|(t, v)| format!("[{t:?}, {v:?}]")).collect();
                format!("{{ points = [{}] }}", list.join(", "))
            }
            Signal::Sine { offset, amplitude, frequency, phase } => format!(
                "{{ sine = {{ offset = {offset:?}, amplitude = {amplitude:?}, frequency = {frequency:?}, \
                 phase = {phase:?} }} }}"
            ),
        }
    }

    /// All values times `factor`.
    #[must_use]
    pub fn times(&self, factor: f64) -> Signal {
        match self {
            Signal::Constant(value) => Signal::Constant(value * factor),
            Signal::Points(points) => Signal::Points(points.iter().map(|(t, v)| (*t, v * factor)).collect()),
            Signal::Sine { offset, amplitude, frequency, phase } => Signal::Sine {
                offset: offset * factor,
                amplitude: amplitude * factor,
                frequency: *frequency,
                phase: *phase,
            },
        }
    }

    /// All times times `factor`: the signal runs slower.
    #[must_use]
    pub fn slower(&self, factor: f64) -> Signal {
        match self {
            Signal::Constant(value) => Signal::Constant(*value),
            Signal::Points(points) => Signal::Points(points.iter().map(|(t, v)| (t * factor, *v)).collect()),
            Signal::Sine { offset, amplitude, frequency, phase } => {
                Signal::Sine { offset: *offset, amplitude: *amplitude, frequency: frequency / factor, phase: *phase }
            }
        }
    }

    /// The signal as it goes on from time t: t becomes 0.
    #[must_use]
    pub fn from_time(&self, t: f64) -> Signal {
        match self {
            Signal::Constant(value) => Signal::Constant(*value),
            Signal::Points(points) => {
                let mut list: Vec<(f64, f64)> = points.iter().filter(|p| p.0 > t).map(|p| (p.0 - t, p.1)).collect();
                list.insert(0, (0.0, self.at(t)));
                Signal::Points(list)
            }
            Signal::Sine { offset, amplitude, frequency, phase } => Signal::Sine {
                offset: *offset,
                amplitude: *amplitude,
                frequency: *frequency,
                phase: phase + std::f64::consts::TAU * frequency * t,
            },
        }
    }

    /// The value `before` until time `delay`, and then what the signal is from t = 0 on; none of sines, which cannot be
    /// written so.
    pub fn delayed(&self, delay: f64, before: f64) -> Option<Signal> {
        let mut list = vec![(0.0, before), (delay, before)];
        match self {
            Signal::Constant(value) => list.push((delay, *value)),
            Signal::Points(points) => {
                list.push((delay, self.at(0.0)));
                list.extend(points.iter().filter(|p| p.0 > 0.0).map(|p| (p.0 + delay, p.1)));
            }
            Signal::Sine { .. } => return None,
        }
        if list[1].1 == list[2].1 {
            list.remove(1);
        }
        Some(Signal::Points(list))
    }

    /// Value at time t, after a jump there.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(value) => *value,
            Signal::Points(points) => {
                let after = points.partition_point(|p| p.0 <= t);
                if after == 0 {
                    return points[0].1;
                }
                let (t0, v0) = points[after - 1];
                let Some(&(t1, v1)) = points.get(after) else { return v0 };
                v0 + (v1 - v0) * ((t - t0) / (t1 - t0))
            }
            Signal::Sine { offset, amplitude, frequency, phase } => {
                offset + amplitude * (std::f64::consts::TAU * frequency * t + phase).sin()
            }
        }
    }

    /// Instants at which it has a corner or jumps.
    pub fn breaks(&self) -> Vec<f64> {
        match self {
            Signal::Points(points) => points.iter().map(|p| p.0).collect(),
            _ => Vec::new(),
        }
    }

    /// Simpler signals to try in its place: a constant, fewer points.
    pub fn simpler(&self) -> Vec<Signal> {
        match self {
            Signal::Constant(value) if *value != 0.0 && *value != 1.0 => vec![Signal::Constant(value.round())],
            Signal::Constant(_) => Vec::new(),
            Signal::Points(points) => {
                let mut list = vec![Signal::Constant(points[0].1)];
                let but = |k: usize| points.iter().enumerate().filter(move |(i, _)| *i != k).map(|(_, p)| *p).collect();
                if points.len() > 1 {
                    list.extend((0..points.len()).map(|k| Signal::Points(but(k))));
                }
                list
            }
            Signal::Sine { offset, .. } => vec![Signal::Constant(*offset)],
        }
    }
}

impl Signal {
    /// Its integral from 0 to t.
    pub fn integral(&self, t: f64) -> f64 {
        match self {
            Signal::Constant(value) => value * t,
            Signal::Points(_) => {
                let mut instants = self.breaks();
                instants.retain(|b| *b > 0.0 && *b < t);
                instants.insert(0, 0.0);
                instants.push(t);
                instants.dedup();
                // Straight between breaks: the mean is the value in the middle.
                instants.windows(2).map(|w| (w[1] - w[0]) * self.at(0.5 * (w[0] + w[1]))).sum()
            }
            Signal::Sine { offset, amplitude, frequency, phase } => {
                let omega = std::f64::consts::TAU * frequency;
                offset * t + amplitude / omega * (phase.cos() - (omega * t + phase).cos())
            }
        }
    }
}

impl Signal {
    /// Without points that would be a third at one time.
    #[must_use]
    pub fn sound(self) -> Signal {
        match self {
            Signal::Points(points) => {
                let mut list: Vec<(f64, f64)> = Vec::new();
                for point in points {
                    if list.len() < 2 || list[list.len() - 2].0 != point.0 {
                        list.push(point);
                    }
                }
                Signal::Points(list)
            }
            other => other,
        }
    }
}

impl Signal {
    /// All values less by this.
    #[must_use]
    pub fn less(&self, by: f64) -> Signal {
        match self {
            Signal::Constant(value) => Signal::Constant(value - by),
            Signal::Points(points) => Signal::Points(points.iter().map(|(t, v)| (*t, v - by)).collect()),
            Signal::Sine { offset, amplitude, frequency, phase } => {
                Signal::Sine { offset: offset - by, amplitude: *amplitude, frequency: *frequency, phase: *phase }
            }
        }
    }
}
