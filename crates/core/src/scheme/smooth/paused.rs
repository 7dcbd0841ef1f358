//! A run that is put by and taken up again.

use super::evaluate::Evaluator;
use super::layout::Layout;
use super::{FIRST, FlowObserver, Grid, Halted, Progress, Run, RunError, Settings, handover, shown, sides_at};
use crate::law::State;
use crate::mechanics::{Affine, Flow, Motion, Smooth, SystemError, Vector};
use crate::scheme::events::mode_of;
use crate::scheme::{NullObserver, unseen};

/// How much longer than what was used of the last step the first one of another system may be.
const LONGER: f64 = 4.0;

/// A step is no longer than its size but for rounding; who asks too often loses a copy, who asks too seldom the beginning of a unit.
const SURELY: f64 = 1.01;

/// A run put by: plain data.
pub(super) type Paused = Progress<(), ()>;

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
    pub fn begin(system: &dyn Smooth) -> Result<Paused, SystemError> {
        let mut nobody = NullObserver;
        let grid = Grid { h: f64::INFINITY, steps: 1 };
        shown(&mut nobody, Flow::clone, |observer| Run::begin(system, grid, observer).map(Run::pause)).map_err(unseen)
    }

    /// A motion in closed form, to be integrated from here on.
    pub fn from_closed_form<S: Affine>(
        (system, smooth): (&S, &dyn Smooth),
        t: f64,
        motion: &Motion<S::Velocities, S::Contacts>,
        (stuck, handovers): (Vec<f64>, u64),
    ) -> Result<Paused, SystemError> {
        let list = |x: &S::Contacts| (0..x.size()).map(|i| x[i]).collect::<Vec<f64>>();
        let each = |x: &S::Velocities| (0..x.size()).map(|i| x[i]).collect::<Vec<f64>>();
        let (q, v) = (each(&motion.paths), each(&motion.velocities));
        let states: Vec<State> = list(&motion.signs).into_iter().map(mode_of).collect();
        let slips = system.slips(&motion.velocities);
        let flow = Flow {
            t,
            s: (0..states.len()).map(|i| if states[i] == State::Stick { 0.0 } else { slips[i] }).collect(),
            forces: list(&motion.forces),
            slid: list(&system.slips(&motion.paths)),
            work: system.works(motion),
            dissipated: list(&motion.dissipated),
            residual: motion.residual,
            speed: motion.speed,
            sides: sides_at(smooth, t, &q, &v),
            transfer: 0.0,
            q,
            v,
            states: states.clone(),
        };
        let grid = Grid { h: f64::INFINITY, steps: 1 };
        shown(&mut NullObserver, Flow::clone, |observer| {
            let mut run = Run::at(smooth, grid, observer, flow)?;
            run.known = Some(states);
            run.decide()?;
            (run.stuck, run.handovers) = (stuck, handovers);
            Ok(run.pause())
        })
        .map_err(unseen)
    }

    /// Whether the next unit may lead to t or beyond.
    pub fn may_reach(&self, t: f64, settings: &Settings) -> bool {
        let stretch = settings.step * f64::from(settings.steps << handover::MOST_DOUBLED);
        self.flow.t + SURELY * self.h + stretch.max(4.0 * f64::EPSILON * self.flow.t) >= t
    }

    /// Goes on by a step, or a stretch of implicit steps, that does not lead beyond `end`, and is read off there if it
    /// would. The observer sees the samples on the way, from number `next` on.
    pub fn unit(
        self,
        system: &dyn Smooth,
        observer: &mut FlowObserver<'_>,
        settings: &Settings,
        (grid, next): (Grid, u64),
    ) -> Result<(Paused, u64), RunError<Halted>> {
        let mut run: Run<'_> = with!(self, system, observer);
        (run.grid, run.next_sample, run.end) = (grid, next, grid.time(grid.steps));
        run.unit(settings)?;
        let next = run.next_sample;
        Ok((run.pause(), next))
    }

    /// The run at t, which lies within its next unit, with another system from there on.
    pub fn switch(
        self,
        (old, new): (&dyn Smooth, &dyn Smooth),
        observer: &mut FlowObserver<'_>,
        settings: &Settings,
        t: f64,
    ) -> Result<Paused, RunError<Halted>> {
        let mut run: Run<'_> = with!(self, old, &mut *observer);
        (run.grid, run.next_sample, run.end) = (Grid { h: f64::INFINITY, steps: 2 }, 1, t);
        while run.flow.t < t {
            run.unit(settings)?;
        }
        run.mark(None);
        // A step of which only the beginning was used says nothing of what is beyond: one that grew on and on from one change to
        // the next would be resolved to the tolerance at its far end only.
        run.h = run.h.min(FIRST.max(LONGER * (t - run.step.t)));
        let mut run: Run<'_> = with!(run.pause(), new, observer);
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

impl Run<'_> {
    fn pause(self) -> Paused {
        with!(self, (), ())
    }
}
