//! A run that is put by and taken up again.

use super::evaluate::{Evaluator, Layout};
use super::{Grid, Observer, Progress, Run, RunError, Settings};
use crate::mechanics::Smooth;

/// A run put by: plain data.
pub(crate) type Paused = Progress<(), ()>;

/// The same progress with another system and observer.
macro_rules! with {
    ($progress:expr, $system:expr, $observer:expr) => {{
        let p = $progress;
        Progress {
            system: $system,
            observer: $observer,
            evaluator: p.evaluator.with($system),
            grid: p.grid,
            end: p.end,
            rule: p.rule,
            lookout: p.lookout,
            step: p.step,
            flow: p.flow,
            now: p.now,
            greatest: p.greatest,
            h: p.h,
            last: p.last,
            piece: p.piece,
            decision: p.decision,
            at_bound: p.at_bound,
            crossed: p.crossed,
            guard: p.guard,
            known: p.known,
            next_sample: p.next_sample,
            stuck: p.stuck,
            events: p.events,
            spans: p.spans,
            handovers: p.handovers,
            handed_over: p.handed_over,
            tallied: p.tallied,
            crowd: p.crowd,
            stage: p.stage,
        }
    }};
}

impl Paused {
    /// A run at the start of a system, before anything has moved.
    pub fn begin<S: Smooth, O: Observer<S::State>>(system: &S, observer: &mut O) -> Result<Paused, RunError<O::Error>> {
        let run = Run::begin(system, Grid { h: f64::INFINITY, steps: 1 }, observer)?;
        Ok(run.pause())
    }

    /// The motion now, as observers see it.
    pub fn state<S: Smooth>(&self, system: &S) -> S::State {
        system.state(&self.flow)
    }

    /// Goes on by a step, or a stretch of implicit steps. The observer sees a sample at `t` if that lies before the
    /// new time.
    pub fn unit<S: Smooth, O: Observer<S::State>>(
        self,
        system: &S,
        observer: &mut O,
        settings: &Settings,
        t: f64,
    ) -> Result<Paused, RunError<O::Error>> {
        let mut run: Run<'_, S, O> = with!(self, system, observer);
        run.sample_once(t, f64::INFINITY);
        run.unit(settings)?;
        Ok(run.pause())
    }

    /// The run at t, which lies within its next unit, with another system from there on.
    pub fn switch<S: Smooth, O: Observer<S::State>>(
        self,
        (old, new): (&S, &S),
        observer: &mut O,
        settings: &Settings,
        t: f64,
    ) -> Result<Paused, RunError<O::Error>> {
        let mut run: Run<'_, S, O> = with!(self, old, observer);
        run.sample_once(f64::INFINITY, t);
        while run.flow.t < t {
            run.unit(settings)?;
        }
        run.mark(None);
        let mut run: Run<'_, S, O> = with!(run.pause(), new, observer);
        let sides = run.flow.sides.clone();
        let carried = run.evaluator.limit;
        run.evaluator = Evaluator::new(new, Layout::new(new), sides);
        // Until the new system has its own pieces, signals are not looked at beyond those of the old one.
        run.evaluator.limit = carried;
        run.end = f64::INFINITY;
        run.pass_from(old)?;
        run.decide()?;
        Ok(run.pause())
    }
}

impl<S: Smooth, O: Observer<S::State>> Run<'_, S, O> {
    /// One sample at t, and the end of the run.
    fn sample_once(&mut self, t: f64, end: f64) {
        (self.grid, self.next_sample, self.end) = (Grid { h: t, steps: 2 }, 1, end);
    }

    fn pause(self) -> Paused {
        with!(self, (), ())
    }
}
