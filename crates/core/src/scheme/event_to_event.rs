//! A run from event to event as a simulation holds it.
//!
//! The motion goes in units of one of two flows, in closed form or by collocation ([`Flows`]), or in those of a model's own.

use std::convert::Infallible;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::driver::{Arrived, Counts, Place, Units, drive};
use super::events::ClosedForm;
use super::smooth::Collocation;
use super::{ByEvents, Event, EventRun, Integrator, Observer, RunError, Samples, Settings, unseen};
use crate::law::State;
use crate::mechanics::{Affine, Stop, System, SystemError};

/// The last instant of a grid may be off by rounding, and surely by less than this share.
const ROUNDED_END: f64 = 1e-9;

/// Units whose system may be exchanged for one that is driven otherwise.
pub trait SwitchedUnits<S: System>: Units<S, State = S::State, Workspace = S::Workspace> {
    /// Until when the breaks of all signals are known \[s\].
    fn known_until(system: &S) -> f64;

    /// Whether the motion between events has a closed form.
    fn closed_form(&self) -> bool {
        false
    }

    /// Stands at t, within the unit, which was made, with the new system from there on; tells what that changes.
    fn switch(
        &mut self,
        systems: (&S, &S),
        work: &mut S::Workspace,
        t: f64,
        tell: &mut impl FnMut(Event),
    ) -> Result<(), RunError<Infallible>>;
}

/// A run from event to event: all that the motion from here on depends on.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "S::State: Serialize, U: Serialize",
    deserialize = "S::State: DeserializeOwned, U: DeserializeOwned"
))]
pub struct EventToEvent<S: System, U> {
    place: Place,
    state: S::State,
    /// What the contacts do now.
    known: Vec<State>,
    /// Time that each contact stuck so far \[s\].
    stuck: Vec<f64>,
    units: U,
}

impl<S: System, U: SwitchedUnits<S>> EventToEvent<S, U> {
    /// At the start of units.
    pub fn new(system: &S, units: U) -> Result<EventToEvent<S, U>, RunError<Infallible>> {
        let (state, stuck) = units.arrive(system, &mut system.workspace(), 0.0)?;
        Ok(EventToEvent { place: Place { now: 0.0, told: 0 }, known: states(system, &state), state, stuck, units })
    }
}

impl<S, U> Integrator<S> for EventToEvent<S, U>
where
    S: System + Clone,
    S::State: Serialize + DeserializeOwned,
    U: SwitchedUnits<S> + Serialize + DeserializeOwned,
{
    fn time(&self) -> f64 {
        self.place.now
    }

    fn state(&self) -> &S::State {
        &self.state
    }

    fn contact_states(&self) -> Option<&[State]> {
        Some(&self.known)
    }

    fn stuck(&self) -> Vec<f64> {
        self.stuck.clone()
    }

    fn words(&self) -> String {
        "events".to_string()
    }

    fn by_events(&self) -> Option<EventRun> {
        Some(EventRun { closed_form: self.units.closed_form(), handovers: self.units.counts().handovers })
    }

    fn decided(&self, _: &S, _: &mut S::Workspace) -> Result<S::State, SystemError> {
        Ok(self.state.clone())
    }

    fn advance<O: Observer<S::State>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        if end <= self.place.now {
            return Ok(Stop::Time);
        }
        let known = U::known_until(system);
        if end > known * (1.0 + ROUNDED_END) {
            return Err(RunError::System(SystemError::Unexplored { until: known, asked: end }));
        }
        // On copies: a failure leaves the run where it stood.
        let (mut units, mut place) = (self.units.clone(), self.place);
        let stop = drive((system, work), &mut units, &mut place, (samples, until_event), observer)?;
        let (state, stuck) = units.arrive(system, work, place.now).map_err(RunError::unobserved)?;
        *self = EventToEvent { place, known: states(system, &state), state, stuck, units };
        if stop == Stop::Time {
            observer.sample(samples.grid.steps, place.now, &self.state).map_err(RunError::Observer)?;
        }
        Ok(stop)
    }

    fn step<O: Observer<S::State>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        self.advance(system, work, Samples::once(self.place.now + h), false, observer).map(|_| ())
    }

    fn switch(&mut self, old: &S, new: &S, tell: &mut Vec<Event>) -> Result<(), SystemError> {
        let (mut units, mut work, now) = (self.units.clone(), old.workspace(), self.place.now);
        if now > units.time() {
            units.ahead(old, &mut work, now)?;
        }
        let mut heard = Vec::new();
        units.switch((old, new), &mut work, now, &mut |event| heard.push(event)).map_err(unseen)?;
        let (state, stuck) = units.arrive(new, &mut new.workspace(), now).map_err(unseen)?;
        tell.extend(heard.into_iter().skip(self.place.told));
        *self = EventToEvent { place: Place { now, told: 0 }, known: states(new, &state), state, stuck, units };
        Ok(())
    }
}

fn states<S: System>(system: &S, state: &S::State) -> Vec<State> {
    let mut states = vec![State::Open; system.contacts().len()];
    system.contact_states(state, &mut states);
    states
}

type Velocities<S> = <<S as ByEvents>::Closed as Affine>::Velocities;
type Contacts<S> = <<S as ByEvents>::Closed as Affine>::Contacts;

/// The two flows of a system: in closed form as long as its data allow that and nobody interferes, else by collocation.
#[derive(Clone, Serialize, Deserialize)]
pub enum Flows<V, C> {
    /// In closed form.
    Closed(Box<ClosedForm<V, C>>),
    /// By collocation.
    Integrated(Box<Collocation>),
}

/// The flows of a system that can be run from event to event.
pub type FlowsOf<S> = Flows<Velocities<S>, Contacts<S>>;

impl<S: ByEvents> EventToEvent<S, FlowsOf<S>> {
    /// From the start of a system.
    pub fn begin(system: &S) -> Result<Self, RunError<Infallible>> {
        let settings = Settings::default();
        let flows = match system.closed_form() {
            Some(closed) => ClosedForm::begin(closed, &settings).map(|run| Flows::Closed(Box::new(run))),
            None => Collocation::begin(system, &settings).map(|run| Flows::Integrated(Box::new(run))),
        };
        EventToEvent::new(system, flows.map_err(RunError::System)?)
    }
}

/// The closed form of a system that began in it.
fn closed<S: ByEvents>(system: &S, t: f64) -> Result<&S::Closed, RunError<Infallible>> {
    system.begun_in_closed_form().ok_or(RunError::System(SystemError::NotAffine { what: "a signal", t }))
}

impl<S: ByEvents> Units<S> for FlowsOf<S> {
    type Workspace = S::Workspace;
    type State = <S as System>::State;

    fn time(&self) -> f64 {
        match self {
            Flows::Closed(run) => Units::<S::Closed>::time(&**run),
            Flows::Integrated(run) => run.time(),
        }
    }

    fn ahead(&mut self, system: &S, _: &mut S::Workspace, end: f64) -> Result<f64, SystemError> {
        match self {
            Flows::Closed(run) => Ok(run.until()),
            Flows::Integrated(run) => run.unit(system, end),
        }
    }

    fn at(&mut self, system: &S, _: &mut S::Workspace, t: f64) -> Result<Self::State, RunError<Infallible>> {
        match self {
            Flows::Closed(run) => run.at(closed(system, t)?, &mut (), t),
            Flows::Integrated(run) => Ok(system.state_at(&run.within(system, t).map_err(RunError::System)?)),
        }
    }

    fn arrive(&self, system: &S, _: &mut S::Workspace, t: f64) -> Result<Arrived<Self::State>, RunError<Infallible>> {
        match self {
            Flows::Closed(run) => run.arrive(closed(system, t)?, &mut (), t),
            Flows::Integrated(run) => {
                let (flow, stuck) = run.stop(system, t)?;
                Ok((system.state_at(&flow), stuck))
            }
        }
    }

    fn pass(
        &mut self,
        system: &S,
        _: &mut S::Workspace,
        tell: &mut impl FnMut(Event),
    ) -> Result<bool, RunError<Infallible>> {
        match self {
            Flows::Closed(run) => run.pass(closed(system, run.until())?, &mut (), tell),
            Flows::Integrated(run) => run.end_of_unit(system, tell).map(|()| false),
        }
    }

    fn counts(&self) -> Counts {
        match self {
            Flows::Closed(run) => run.counts(),
            Flows::Integrated(run) => run.counts(),
        }
    }
}

impl<S: ByEvents> SwitchedUnits<S> for FlowsOf<S> {
    fn known_until(system: &S) -> f64 {
        system.known_until()
    }

    fn closed_form(&self) -> bool {
        matches!(self, Flows::Closed(_))
    }

    /// In closed form only as long as nobody interferes: from here on the motion is integrated.
    fn switch(
        &mut self,
        (old, new): (&S, &S),
        _: &mut S::Workspace,
        t: f64,
        tell: &mut impl FnMut(Event),
    ) -> Result<(), RunError<Infallible>> {
        if let Flows::Closed(run) = self {
            let form = closed(old, t)?;
            let (motion, so_far) = (run.motion(form, t), (run.stuck(t), run.counts().handovers));
            let run = Collocation::from_closed_form((form, old), t, &motion, so_far).map_err(RunError::System)?;
            *self = Flows::Integrated(Box::new(run));
        }
        match self {
            Flows::Integrated(run) => run.switch((old, new), t, tell),
            Flows::Closed(_) => Ok(()),
        }
    }
}
