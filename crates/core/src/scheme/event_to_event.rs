//! A run from event to event.
//!
//! In closed form the run stands at the beginning of a span and looks ahead to its end. Integrated, it stands at the
//! beginning of a unit and makes it (`smooth/integrated.rs`). Either way the motion has the same bits however often it is
//! looked at.

use std::convert::Infallible;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::events::{Ahead, Arrived, ClosedForm, Settings, mode_of};
use super::smooth::{Integrated, Look};
use super::{ByEvents, Event, EventRun, Integrator, Observer, RunError, Samples, shown, unseen};
use crate::law::State;
use crate::mechanics::{Affine, Stop, System, SystemError, Vector};

type Velocities<S> = <<S as ByEvents>::Closed as Affine>::Velocities;
type Contacts<S> = <<S as ByEvents>::Closed as Affine>::Contacts;
type StateOf<S> = <S as System>::State;

/// A run from event to event: all that the motion from here on depends on.
#[derive(Clone, Serialize, Deserialize)]
#[serde(bound(
    serialize = "StateOf<S>: Serialize, Velocities<S>: Serialize, Contacts<S>: Serialize",
    deserialize = "StateOf<S>: DeserializeOwned, Velocities<S>: DeserializeOwned, Contacts<S>: DeserializeOwned"
))]
pub struct EventToEvent<S: ByEvents> {
    /// Where it stands \[s\].
    now: f64,
    state: StateOf<S>,
    /// What the contacts do now.
    known: Vec<State>,
    /// Time that each contact stuck so far \[s\].
    stuck: Vec<f64>,
    flow: Flow<Velocities<S>, Contacts<S>>,
}

#[derive(Clone, Serialize, Deserialize)]
enum Flow<V, C> {
    /// At the beginning of a span, and the span.
    Closed(Box<(ClosedForm<V, C>, Ahead<V, C>)>),
    /// At the beginning of a unit.
    Integrated(Box<Integrated>),
}

impl<S: ByEvents> EventToEvent<S> {
    /// From the start of a system.
    pub fn new(system: &S) -> Result<EventToEvent<S>, RunError<Infallible>> {
        let (flow, state) = match system.closed_form() {
            Some(closed) => {
                let mut run = ClosedForm::begin(closed).map_err(RunError::System)?;
                let ahead = run.look(closed, &Settings::default(), |_| Ok::<_, Infallible>(()))?;
                let state = Affine::state(closed, &run.at(closed, &ahead, 0.0));
                (Flow::Closed(Box::new((run, ahead))), state)
            }
            None => {
                let (run, look) = Integrated::begin(system).map_err(RunError::System)?;
                (Flow::Integrated(Box::new(run)), system.state_at(&look.flow))
            }
        };
        let stuck = vec![0.0; system.contacts().len()];
        Ok(EventToEvent { now: 0.0, known: states(system, &state), state, stuck, flow })
    }

    /// Goes on in closed form.
    fn advance_closed<O: Observer<StateOf<S>>>(
        &mut self,
        closed: &S::Closed,
        (mut run, mut ahead): Standing<S>,
        (samples, until_event): (Samples, bool),
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let ask = (samples, until_event);
        let arrived = run.advance(closed, &mut ahead, &Settings::default(), self.now, ask, observer)?;
        let Arrived { t, stop, motion, stuck } = arrived;
        (self.now, self.stuck) = (t, stuck);
        self.state = Affine::state(closed, &motion);
        self.known = (0..motion.signs.size()).map(|i| mode_of(motion.signs[i])).collect();
        self.flow = Flow::Closed(Box::new((run, ahead)));
        if stop == Stop::Time {
            observer.sample(samples.grid.steps, t, &self.state).map_err(RunError::Observer)?;
        }
        Ok(stop)
    }

    /// Takes over the motion at t.
    fn stand_at(&mut self, system: &S, t: f64, look: Look) {
        self.now = t;
        self.state = system.state_at(&look.flow);
        self.known = states(system, &self.state);
        self.stuck = look.stuck;
    }
}

/// At the beginning of a span, and the span.
type Standing<S> = (ClosedForm<Velocities<S>, Contacts<S>>, Ahead<Velocities<S>, Contacts<S>>);

impl<S> Integrator<S> for EventToEvent<S>
where
    S: ByEvents + Clone,
    StateOf<S>: Serialize + DeserializeOwned,
{
    fn time(&self) -> f64 {
        self.now
    }

    fn state(&self) -> &StateOf<S> {
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
        Some(match &self.flow {
            Flow::Closed(standing) => EventRun { closed_form: true, handovers: standing.0.handovers },
            Flow::Integrated(run) => EventRun { closed_form: false, handovers: run.handovers() },
        })
    }

    fn decided(&self, _: &S, _: &mut S::Workspace) -> Result<StateOf<S>, SystemError> {
        Ok(self.state.clone())
    }

    fn advance<O: Observer<StateOf<S>>>(
        &mut self,
        system: &S,
        _: &mut S::Workspace,
        samples: Samples,
        until_event: bool,
        observer: &mut O,
    ) -> Result<Stop, RunError<O::Error>> {
        let end = samples.grid.time(samples.grid.steps);
        if end <= self.now {
            return Ok(Stop::Time);
        }
        let known = system.known_until();
        // The last instant of a grid may be off by rounding.
        if end > known * (1.0 + 1e-9) {
            return Err(RunError::System(SystemError::Unexplored { until: known, asked: end }));
        }
        match (self.flow.clone(), system.closed_form()) {
            (Flow::Closed(standing), Some(closed)) => {
                self.advance_closed(closed, *standing, (samples, until_event), observer)
            }
            (Flow::Integrated(run), _) => {
                let (run, look, stop) = shown(
                    observer,
                    |flow| system.state_at(flow),
                    |observer| match until_event {
                        true => run.advance_to_event(system, end, observer),
                        false => {
                            run.advance(system, self.now, samples, observer).map(|(run, look)| (run, look, Stop::Time))
                        }
                    },
                )?;
                self.stand_at(system, look.flow.t, look);
                self.flow = Flow::Integrated(Box::new(run));
                Ok(stop)
            }
            (Flow::Closed(_), None) => Err(RunError::System(SystemError::NotAffine { what: "a signal", t: self.now })),
        }
    }

    fn step<O: Observer<StateOf<S>>>(
        &mut self,
        system: &S,
        work: &mut S::Workspace,
        h: f64,
        observer: &mut O,
    ) -> Result<(), RunError<O::Error>> {
        let samples = Samples::once(self.now + h);
        self.advance(system, work, samples, false, observer).map(|_| ())
    }

    /// In closed form only as long as nobody interferes: from here on the motion is integrated.
    fn switch(&mut self, old: &S, new: &S, tell: &mut Vec<Event>) -> Result<(), SystemError> {
        let t = self.now;
        let run = match (self.flow.clone(), old.closed_form()) {
            (Flow::Closed(standing), Some(closed)) => {
                let (mut run, mut ahead) = *standing;
                if ahead.until <= t {
                    run.pass(closed, &ahead).map_err(unseen::<Infallible>)?;
                    ahead = run
                        .look(closed, &Settings::default(), |event| {
                            tell.push(event);
                            Ok::<_, Infallible>(())
                        })
                        .map_err(unseen)?;
                }
                let motion = run.at(closed, &ahead, t);
                let stuck = run.stuck_at(&ahead, t);
                Integrated::from_closed_form((closed, old), t, &motion, (stuck, run.handovers))?
            }
            (Flow::Closed(_), None) => return Err(SystemError::NotAffine { what: "a signal", t }),
            (Flow::Integrated(run), _) => *run,
        };
        let (run, look) = run.switch((old, new), t, tell)?;
        self.stand_at(new, t, look);
        self.flow = Flow::Integrated(Box::new(run));
        Ok(())
    }
}

fn states<S: System>(system: &S, state: &S::State) -> Vec<State> {
    let mut states = vec![State::Open; system.contacts().len()];
    system.contact_states(state, &mut states);
    states
}
