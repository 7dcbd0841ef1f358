//! A few implicit steps where events are too many to be located one by one.

use super::coupling::{Coupling, law};
use super::frame::Frame;
use super::layout::ContactMode;
use super::seen::slipping;
use super::{Collocation, Unit, norm};
use crate::inclusion::Choice;
use crate::law::LawError;
use crate::mechanics::{At, Flow, Grip, Smooth, SystemError};

/// The motion at an instant within an implicit step, which leads straight from one to the other.
pub(super) fn between(from: &Flow, to: &Flow, t: f64) -> Flow {
    let share = (t - from.t) / (to.t - from.t);
    let mut flow = to.clone();
    flow.t = t;
    let lists = [
        (&mut flow.q, &from.q),
        (&mut flow.v, &from.v),
        (&mut flow.s, &from.s),
        (&mut flow.slid, &from.slid),
        (&mut flow.work, &from.work),
        (&mut flow.dissipated, &from.dissipated),
    ];
    for (to, from) in lists {
        to.iter_mut().zip(from).for_each(|(to, from)| *to = from + share * (*to - from));
    }
    flow
}

impl Collocation {
    /// An implicit step, cut at the next break of a signal.
    pub(super) fn short_step(&mut self, system: &dyn Smooth) -> Result<Unit, SystemError> {
        let (h, t) = self.cluster.step(self.flow.t, self.piece);
        let begun = self.flow.clone();
        step(self, system, h, t)?;
        self.settle_step(system)?;
        Ok(Unit::Short(Box::new(std::mem::replace(&mut self.flow, begun))))
    }

    /// Selects the velocities of contacts that stick after an implicit step.
    fn settle_step(&mut self, system: &dyn Smooth) -> Result<(), SystemError> {
        let layout = &self.evaluator.layout;
        let modes: Vec<ContactMode> = (0..layout.contacts())
            .map(|c| match &self.flow.s[layout.of(c)] {
                slip if slip.iter().all(|s| *s == 0.0) => ContactMode::Stick,
                [slip] => ContactMode::Line(slip.signum()),
                _ => ContactMode::Plane,
            })
            .collect();
        if modes != self.evaluator.modes {
            self.evaluator.set(system, &modes, self.flow.t, &self.flow.q, &self.flow.v)?;
        }
        self.evaluator.settle(system, self.flow.t, &self.flow.q, &mut self.flow.v, &self.flow.s);
        Ok(())
    }
}

/// v⁺ = v + h A F + A Hᵀ p with impulses p_i ∈ h C_i and −s⁺ ∈ N(p).
fn step(run: &mut Collocation, system: &dyn Smooth, h: f64, t: f64) -> Result<(), SystemError> {
    let layout = run.evaluator.layout.clone();
    let limit = run.piece.next_down();
    // Slips before supports jumped: what turns round or begins by that passes through rest.
    let before = run.before_jump.take().unwrap_or_else(|| run.flow.s.clone());
    let flow = &mut run.flow;
    let mut guards = vec![0.0; flow.sides.len()];
    system.guards(flow.at(), &mut guards);
    flow.sides.iter_mut().zip(&guards).for_each(|(side, value)| *side = *value >= 0.0);
    let mut free = vec![0.0; flow.v.len()];
    system.acceleration(flow.at(), &mut free);
    free.iter_mut().zip(&flow.v).for_each(|(a, v)| *a = v + h * *a);
    let at = At { t: t.min(limit), q: &flow.q, v: &free, sides: &flow.sides, transfer: flow.transfer };
    let mut b = vec![0.0; layout.slips()];
    system.slips(at, &mut b);
    let bounds: Vec<f64> = (0..layout.contacts())
        .map(|c| {
            let speed = norm(&before[layout.of(c)]);
            let grip = if speed == 0.0 { Grip::Sticks } else { Grip::Slips(speed) };
            h * system.bound(c, at, grip)
        })
        .collect();
    let start: Vec<f64> = flow.forces.iter().map(|r| h * r).collect();
    let all: Vec<usize> = (0..layout.slips()).collect();
    let coupling = Coupling::of(system, at);
    let solve = |bounds: &[f64]| {
        let laws = (0..layout.contacts()).map(|c| law(layout.of(c).len(), bounds[c]));
        let laws = laws.collect::<Result<_, LawError>>()?;
        coupling.solve(&Frame::new(&layout), &all, (&free, &b), laws, &start, Choice::LeastNorm)
    };
    let mut solution = solve(&bounds)?;
    // Contacts that turned round passed through rest, and stay there if the friction of rest holds them.
    let mut resting = bounds.clone();
    for c in 0..layout.contacts() {
        let turn: f64 = layout.of(c).map(|k| before[k] * solution.s[k]).sum();
        if turn < 0.0 {
            resting[c] = (h * system.bound(c, at, Grip::Sticks)).max(bounds[c]);
        }
    }
    if resting != bounds {
        solution = solve(&resting)?;
        let slips = |c: usize| solution.s[layout.of(c)].iter().any(|s| *s != 0.0);
        let rested = |c: usize| before[layout.of(c)].iter().all(|s| *s == 0.0);
        let released = (0..bounds.len()).map(|c| match (slips(c), rested(c)) {
            (false, _) => resting[c],
            // At rest until others were felt with the friction of rest.
            (true, true) => h * system.bound(c, at, Grip::Slips(0.0)),
            (true, false) => bounds[c],
        });
        let released: Vec<f64> = released.collect();
        if released != resting {
            solution = solve(&released)?;
        }
    }
    let mut v = free.clone();
    system.push(at, &solution.r, &mut v);
    flow.v = v;
    flow.s.clone_from(&solution.s);
    for (c, state) in flow.states.iter_mut().enumerate() {
        *state = slipping(&solution.s[layout.of(c)]);
    }
    flow.forces.iter_mut().zip(&solution.r).for_each(|(f, p)| *f = p / h);
    let mut drift = vec![0.0; flow.q.len()];
    system.drift(At { t: t.min(limit), ..flow.at() }, &mut drift);
    flow.q.iter_mut().zip(&drift).for_each(|(q, d)| *q += h * d);
    let mut powers = vec![0.0; flow.work.len()];
    system.powers(At { t: t.min(limit), ..flow.at() }, &flow.forces, &mut powers);
    flow.work.iter_mut().zip(&powers).for_each(|(w, p)| *w += h * p);
    for contact in 0..layout.contacts() {
        for k in layout.of(contact) {
            flow.slid[k] += h * flow.s[k];
            flow.dissipated[contact] -= solution.r[k] * flow.s[k];
        }
    }
    // Loads follow the forces by one of these short steps.
    if system.transfers() {
        flow.transfer = system.transfer(At { t: t.min(limit), ..flow.at() }, &flow.forces);
    }
    flow.t = t;
    system.place(t.min(limit), &mut flow.q);
    Ok(())
}
