//! What is measured of a wheel.

use std::f64::consts::TAU;
use std::sync::OnceLock;

use stickslip_core::law::State;
use stickslip_core::scheme::Event;
use stickslip_core::simulation::{Simulation, SimulationError, Sink, SinkError};
use stickslip_run::{Gauge, Measure, Place, Rerun, Seen};
use stickslip_scenario::Measurable;
use stickslip_squeal::sound;
use stickslip_squeal::step::Start;

use super::Parameters;
use super::listening::{Ear, Heard, listen};

const FREQUENCY: Measurable = Measurable::whole(
    "frequency",
    "Hz",
    "frequency of the lateral velocity at the contact, by its passages through zero, at the end of the run",
);
const LEVEL: Measurable =
    Measurable::whole("level", "dB", "level of the lateral velocity at the contact at the end, re 5e-8 m/s");
const GREATEST: Measurable = Measurable::whole("v_max", "m/s", "greatest lateral velocity at the contact at the end");
const LEAST: Measurable = Measurable::whole("v_min", "m/s", "least lateral velocity at the contact at the end");
const RMS: Measurable = Measurable::whole("v_rms", "m/s", "root mean square of that velocity");
const LEAST_LOAD: Measurable =
    Measurable::whole("load_min", "1", "least normal load at the end, over that at rest; 0 where wheel and rail part");
const GREATEST_LOAD: Measurable =
    Measurable::whole("load_max", "1", "greatest normal load at the end, over that at rest");
const STUCK: Measurable = Measurable::whole(
    "stick_share",
    "1",
    "share of the time at the end that the contact sticks (a patch: a part of it)",
);
const GROWTH: Measurable = Measurable::whole(
    "growth_rate",
    "1/s",
    "rate at which small motion grows or decays at the start, on the eigenvector",
);
const START_FREQUENCY: Measurable =
    Measurable::whole("start_frequency", "Hz", "frequency of small motion at the start, on the eigenvector");
const EIGENVALUE: Measurable = Measurable::whole(
    "eigenvalue",
    "1/s",
    "greatest real part of the eigenvalues about the steady state: it should grow so",
);
const EIGENFREQUENCY: Measurable =
    Measurable::whole("eigenfrequency", "Hz", "frequency of that eigenvalue; 0 where it does not oscillate");
const UNSTABLE: Measurable = Measurable::whole("unstable", "1", "number of eigenvalues that grow");

/// All that may be measured of a wheel.
pub(super) const MEASURES: &[Measurable] = &[
    FREQUENCY,
    LEVEL,
    GREATEST,
    LEAST,
    RMS,
    LEAST_LOAD,
    GREATEST_LOAD,
    STUCK,
    GROWTH,
    START_FREQUENCY,
    EIGENVALUE,
    EIGENFREQUENCY,
    UNSTABLE,
];

/// Features that are told physics or numerics by, and what else they are held against.
pub(super) const CHECKED: &[(&str, Option<&str>)] = &[
    ("frequency", None),
    ("level", None),
    ("v_max", None),
    ("v_min", None),
    ("load_min", None),
    ("stick_share", None),
    ("growth_rate", Some("eigenvalue")),
    ("start_frequency", Some("eigenfrequency")),
];

/// Listens to a run once it has ended.
pub(super) struct Listener<'a> {
    pub parameters: &'a Parameters,
    /// What was heard, for the pictures.
    pub heard: &'a OnceLock<Heard>,
}

impl Gauge for Listener<'_> {
    fn see(&mut self, _: &Seen<'_>) {}

    fn measures(&self, ended: &dyn Simulation, again: Rerun<'_>) -> Result<Vec<Measure>, SimulationError> {
        let heard = listen(&self.parameters.wheel, &mut *again()?, ended.time())?;
        let measures = measured(self.parameters, &heard);
        // Of a first run only: pictures show what was recorded.
        let _ = self.heard.set(heard);
        Ok(measures)
    }
}

/// Hears every step of a run that is compared.
pub(super) struct Hearing<'a> {
    pub parameters: &'a Parameters,
    pub ear: Ear,
}

impl Sink for Hearing<'_> {
    fn row(&mut self, n: u64, t: f64, row: &[f64], states: &[State]) -> Result<(), SinkError> {
        self.ear.row(n, t, row, states)
    }

    fn event(&mut self, event: &Event) -> Result<(), SinkError> {
        self.ear.event(event)
    }
}

impl stickslip_run::StepGauge for Hearing<'_> {
    fn measures(self: Box<Self>) -> Vec<Measure> {
        measured(self.parameters, &self.ear.done())
    }
}

/// The numbers that what was heard comes to.
fn measured(parameters: &Parameters, heard: &Heard) -> Vec<Measure> {
    let wheel = &parameters.wheel;
    let audible = sound::level(heard.close()) > 0.0;
    let mut measures = Vec::new();
    if let Some(frequency) = heard.frequency().filter(|_| audible) {
        measures.push(Measure::new(&FREQUENCY, frequency).at(Place::Key));
    }
    let extreme = |better: fn(f64, f64) -> f64| heard.close().iter().copied().reduce(better).unwrap_or(0.0);
    measures.push(Measure::new(&LEVEL, sound::level(heard.close())).at(Place::Key));
    measures.push(Measure::new(&GREATEST, extreme(f64::max)).at(Place::Key));
    measures.push(Measure::new(&LEAST, extreme(f64::min)));
    measures.push(Measure::new(&RMS, heard.rms()));
    measures.push(Measure::new(&LEAST_LOAD, heard.loads[0]));
    measures.push(Measure::new(&GREATEST_LOAD, heard.loads[1]));
    measures.push(Measure::new(&STUCK, heard.stuck));
    if let (Start::Eigenvector(_), Some([rate, frequency]), true) =
        (parameters.start, heard.growth, wheel.roughness.is_none())
    {
        measures.push(Measure::new(&GROWTH, rate));
        measures.push(Measure::new(&START_FREQUENCY, frequency));
    }
    // Where there are none, `doubts` says so.
    if let (Ok(values), Ok(worst)) = (wheel.eigenvalues(), wheel.least_stable()) {
        measures.push(Measure::new(&EIGENVALUE, worst.re).at(Place::Key));
        measures.push(Measure::new(&EIGENFREQUENCY, worst.im / TAU));
        measures.push(Measure::new(&UNSTABLE, values.iter().filter(|value| value.re > 0.0).count() as f64));
    }
    measures
}
