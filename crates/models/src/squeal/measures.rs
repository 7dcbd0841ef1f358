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
    "frequency of the lateral velocity at the contact, by its passages through zero, at the end of the run; on roughness only of a tone",
);
const LINE: Measurable =
    Measurable::whole("line", "Hz", "strongest line of the lateral velocity at the contact at the end, on roughness");
const LINE_SHARE: Measurable =
    Measurable::whole("line_share", "1", "share of that line in the mean square of the velocity, at most 1");
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

/// Share of the strongest line in the mean square from which on a motion on roughness is a tone.
const TONE: f64 = 0.9;

/// All that may be measured of a wheel.
pub(super) const MEASURES: &[Measurable] = &[
    FREQUENCY,
    LINE,
    LINE_SHARE,
    LEVEL,
    GREATEST,
    LEAST,
    RMS,
    LEAST_LOAD,
    GREATEST_LOAD,
    STUCK,
    GROWTH,
    EIGENVALUE,
    START_FREQUENCY,
    EIGENFREQUENCY,
    UNSTABLE,
];

/// Features that are told physics or numerics by, and what else they are held against.
pub(super) const CHECKED: &[(&str, Option<&str>)] = &[
    ("frequency", None),
    ("line", None),
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
    // What roughness shakes is no cycle: its passages through zero mean something where one line is nearly all of it.
    let line = if wheel.roughness.is_none() || !audible { None } else { heard.line() };
    let tone = line.is_none_or(|(_, share)| share > TONE);
    if let Some(frequency) = heard.frequency().filter(|_| audible && tone) {
        measures.push(Measure::new(&FREQUENCY, frequency).at(Place::Key));
    }
    if let Some(([frequency, _], share)) = line {
        measures.push(Measure::new(&LINE, frequency).at(Place::Key));
        measures.push(Measure::new(&LINE_SHARE, share.min(1.0)));
    }
    let extreme = |better: fn(f64, f64) -> f64| heard.close().iter().copied().reduce(better).unwrap_or(0.0);
    measures.push(Measure::new(&LEVEL, sound::level(heard.close())).at(Place::Key));
    measures.push(Measure::new(&GREATEST, extreme(f64::max)).at(Place::Key));
    measures.push(Measure::new(&LEAST, extreme(f64::min)));
    let rms = Measure::new(&RMS, heard.rms());
    measures.push(if wheel.roughness.is_none() { rms } else { rms.at(Place::Key) });
    measures.push(Measure::new(&LEAST_LOAD, heard.loads[0]));
    measures.push(Measure::new(&GREATEST_LOAD, heard.loads[1]));
    measures.push(Measure::new(&STUCK, heard.stuck));
    let along = matches!(parameters.start, Start::Eigenvector(_)) && wheel.roughness.is_none();
    let growth = heard.growth.filter(|_| along);
    // Where there are none, `doubts` says so. What belongs together stands side by side.
    let eigen = wheel.eigenvalues().and_then(|values| Ok((values, wheel.least_stable()?))).ok();
    measures.extend(growth.map(|[rate, _]| Measure::new(&GROWTH, rate).at(Place::Key)));
    measures.extend(eigen.as_ref().map(|(_, worst)| Measure::new(&EIGENVALUE, worst.re).at(Place::Key)));
    measures.extend(growth.map(|[_, frequency]| Measure::new(&START_FREQUENCY, frequency)));
    if let Some((values, worst)) = eigen {
        measures.push(Measure::new(&EIGENFREQUENCY, worst.im / TAU));
        measures.push(Measure::new(&UNSTABLE, values.iter().filter(|value| value.re > 0.0).count() as f64));
    }
    measures
}
