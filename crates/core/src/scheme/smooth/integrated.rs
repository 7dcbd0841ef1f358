//! A run that is integrated from unit to unit and looked at anywhere.
//!
//! A unit (a step of collocation, a stretch of implicit steps where events crowd) does not depend on when anyone looks: an
//! instant within it is read off it, and the unit is made again when the next is asked for. So the motion has the same
//! bits however often it is looked at.

use serde::{Deserialize, Serialize};

use super::{Paused, Settings};
use crate::mechanics::{Affine, Flow, Motion, Smooth, Stop, SystemError};
use crate::scheme::{Event, FlowObserver, Halted, Heard, Observer, RunError, Samples, unseen};

/// At the beginning of a unit: all that the motion from here on depends on.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Integrated {
    run: Paused,
    /// How many events of the unit were told already.
    told: usize,
}

/// The motion where it is looked at.
pub(crate) struct Look {
    pub flow: Flow,
    /// Time that each contact stuck so far \[s\].
    pub stuck: Vec<f64>,
}

impl Look {
    fn at(run: &Paused) -> Look {
        Look { flow: run.flow.clone(), stuck: run.stuck.clone() }
    }
}

impl Integrated {
    /// At the start of a system, with the modes decided.
    pub fn begin(system: &dyn Smooth) -> Result<(Integrated, Look), SystemError> {
        let run = Paused::begin(system)?;
        let look = Look::at(&run);
        Ok((Integrated { run, told: 0 }, look))
    }

    /// A motion in closed form, to be integrated from here on.
    pub fn from_closed_form<S: Affine>(
        (closed, smooth): (&S, &dyn Smooth),
        t: f64,
        motion: &Motion<S::Velocities, S::Contacts>,
        (stuck, handovers): (Vec<f64>, u64),
    ) -> Result<Integrated, SystemError> {
        Ok(Integrated { run: Paused::from_closed_form((closed, smooth), t, motion, (stuck, handovers))?, told: 0 })
    }

    /// Clusters of events that implicit steps had to lead out of.
    pub fn handovers(&self) -> u64 {
        self.run.handovers
    }

    /// Goes from now to the last of the samples.
    pub fn advance(
        self,
        system: &dyn Smooth,
        now: f64,
        samples: Samples,
        observer: &mut FlowObserver<'_>,
    ) -> Result<(Integrated, Look), RunError<Halted>> {
        let settings = Settings::default();
        let end = samples.grid.time(samples.grid.steps);
        let Integrated { mut run, mut told } = self;
        let mut next = samples.first_after(now).unwrap_or(samples.grid.steps);
        loop {
            let kept = run.may_reach(end, &settings).then(|| run.clone());
            let mut listener = Listener { observer: &mut *observer, every: samples.every.max(1), told, seen: 0 };
            let (after, number) = run.unit(system, &mut listener, &settings, (samples.grid, next))?;
            next = number;
            if after.flow.t < end {
                (run, told) = (after, 0);
                continue;
            }
            let seen = listener.seen;
            let look = Look::at(&after);
            observer.sample(samples.grid.steps, end, &look.flow).map_err(RunError::Observer)?;
            let stands = match kept {
                Some(run) => Integrated { run, told: seen },
                None => Integrated { run: after, told: 0 },
            };
            return Ok((stands, look));
        }
    }

    /// The same to the first event, if there is one before t.
    pub fn advance_to_event(
        self,
        system: &dyn Smooth,
        t: f64,
        observer: &mut FlowObserver<'_>,
    ) -> Result<(Integrated, Look, Stop), RunError<Halted>> {
        let settings = Settings::default();
        let Integrated { mut run, mut told } = self;
        loop {
            let begun = run.clone();
            let mut heard = Vec::new();
            let (after, _) = run.unit(system, &mut Heard::into(&mut heard), &settings, (Samples::once(t).grid, 1))?;
            if let Some(first) = heard.get(told).map(|event| event.t) {
                let at_once = heard.iter().take_while(|event| event.t <= first).count();
                for event in &heard[told..at_once] {
                    observer.event(event).map_err(RunError::Observer)?;
                }
                let once = (Samples::once(first).grid, 1);
                let at = begun.clone().unit(system, &mut Heard::into(&mut Vec::new()), &settings, once)?.0;
                return Ok((Integrated { run: begun, told: at_once }, Look::at(&at), Stop::Event));
            }
            if after.flow.t >= t {
                return Ok((Integrated { run: begun, told: heard.len() }, Look::at(&after), Stop::Time));
            }
            (run, told) = (after, 0);
        }
    }

    /// The run at t, which lies within its unit, with another system from there on; and what that changes at once.
    pub fn switch(
        self,
        systems: (&dyn Smooth, &dyn Smooth),
        t: f64,
        tell: &mut Vec<Event>,
    ) -> Result<(Integrated, Look), SystemError> {
        let mut heard = Vec::new();
        let run = self.run.switch(systems, &mut Heard::into(&mut heard), &Settings::default(), t).map_err(unseen)?;
        tell.extend(heard.into_iter().skip(self.told));
        let look = Look::at(&run);
        Ok((Integrated { run, told: 0 }, look))
    }
}

/// Passes on what a unit tells, but for the events of it that were told before.
struct Listener<'a> {
    observer: &'a mut FlowObserver<'a>,
    every: u64,
    told: usize,
    seen: usize,
}

impl Observer<Flow> for Listener<'_> {
    type Error = Halted;

    fn every(&self) -> u64 {
        self.every
    }

    fn sample(&mut self, n: u64, t: f64, flow: &Flow) -> Result<(), Halted> {
        self.observer.sample(n, t, flow)
    }

    fn event(&mut self, event: &Event) -> Result<(), Halted> {
        self.seen += 1;
        if self.seen > self.told { self.observer.event(event) } else { Ok(()) }
    }

    fn sees_changes(&self) -> bool {
        self.observer.sees_changes()
    }

    fn changed(&mut self, t: f64, flow: &Flow) -> Result<(), Halted> {
        if self.seen > self.told { self.observer.changed(t, flow) } else { Ok(()) }
    }
}
