//! Pads whose force is their bound but for rounding.
//!
//! Where forces add up to the bound of a pad at rest, rounding of their sum decides in which step it slips, and with a friction of
//! slip below that of rest it never comes back. Such a pad sticks: a step in which it would begin to slip is solved again with the
//! bound a and what rounding may have made of the force; if it sticks then, it has the force of the bound. That is
//!
//! ```text
//! δ = 16 ε (a + Σ_i |H_i| P_i/m_i/(h Σ_i H_i²/m_i))
//! ```
//!
//! with P_i the sums of the sizes of all terms of a momentum, those of the friction of all pads included, and m_i its mass.

use stickslip_core::inclusion::coupled::{Answer, Bounds, Mode};
use stickslip_core::mechanics::SystemError;
use stickslip_core::signal::Signal;

use super::Assembly;
use super::parts::Characteristic;
use super::state::{AssemblyState, AssemblyWorkspace};

/// Roundings that a sum of several products may gather.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Pads that share a body let it slip by more than each of them would alone.
const SHARED: f64 = 1e3;

/// Room for a step that is solved again.
#[derive(Debug, Clone, Default)]
pub(super) struct Ties {
    /// Sizes of the momentum's terms.
    sizes: Vec<f64>,
    /// Bounds and answer without it.
    bounds: Vec<Bounds>,
    answer: Answer,
}

impl Ties {
    pub(super) fn new(coordinates: usize, components: usize, contacts: usize) -> Ties {
        let zeros = |n: usize| vec![0.0; n];
        Ties {
            sizes: zeros(coordinates),
            bounds: vec![Bounds::symmetric(0.0); contacts],
            answer: Answer::new(zeros(coordinates), components, contacts),
        }
    }
}

impl Assembly {
    /// Whether pad c of the inclusion rested and slips by the answer.
    #[inline(always)]
    fn lets_go(&self, c: usize, u: &AssemblyState) -> bool {
        let first = self.network.contact_first[c];
        u.answer.modes[c] != Mode::Stick
            && u.slip[first..first + self.network.contact_dims[c]].iter().all(|s| *s == 0.0)
    }

    /// Whether any pad does.
    #[inline(always)]
    pub(super) fn any_lets_go(&self, u: &AssemblyState) -> bool {
        (0..self.network.exact().len()).any(|c| self.lets_go(c, u))
    }

    /// Solves the step again with those pads held that rounding alone has let go.
    #[cold]
    pub(super) fn hold_ties(
        &self,
        (u, w, h): (&mut AssemblyState, &mut AssemblyWorkspace, f64),
        solve: impl Fn(&mut AssemblyState, &mut AssemblyWorkspace) -> Result<(), SystemError>,
    ) -> Result<(), SystemError> {
        let mut room = std::mem::take(&mut w.ties);
        self.momentum_sizes(u, w, h, &mut room.sizes);
        let held = self.widen(u, &mut w.bounds, h, &mut room);
        let mut solved = Ok(());
        if held {
            copy(&u.answer, &mut room.answer);
            let pads = 0..self.network.exact().len();
            solved = solve(u, w);
            let widened = |c: usize| w.bounds[c].hi > room.bounds[c].hi;
            if pads.clone().any(|c| widened(c) && u.answer.modes[c] == Mode::Stick) {
                pads.filter(|c| widened(*c)).for_each(|c| self.cut(c, room.bounds[c].hi, &mut u.answer.r));
            } else {
                copy(&room.answer, &mut u.answer);
            }
            w.bounds.copy_from_slice(&room.bounds);
        }
        w.ties = room;
        solved
    }

    /// Widens the bounds of pads that may have been let go by rounding. True if there are any.
    fn widen(&self, u: &AssemblyState, bounds: &mut [Bounds], h: f64, room: &mut Ties) -> bool {
        let net = &self.network;
        room.bounds.copy_from_slice(bounds);
        let (mut any, mut k) = (false, 0);
        for (c, bound) in bounds.iter_mut().enumerate().take(net.exact().len()) {
            let at = k..k + net.contact_dims[c];
            k = at.end;
            if bound.hi <= 0.0 || !self.lets_go(c, u) {
                continue;
            }
            let slip = u.answer.s[at.clone()].iter().fold(0.0_f64, |m, s| m.max(s.abs()));
            // The size of the slip that all terms make, and the influence of the pad on itself.
            let entries = || at.clone().flat_map(|k| net.rows.row(k));
            let size: f64 = entries().map(|(i, a)| a.abs() * room.sizes[i] / net.mass[i]).sum();
            let own: f64 = entries().map(|(i, a)| h * a * a / net.mass[i]).sum();
            let rounding = ROUNDING * (bound.hi + size / own);
            if rounding.is_finite() && slip <= SHARED * own * rounding {
                *bound = Bounds::symmetric(bound.hi + rounding);
                any = true;
            }
        }
        any
    }

    /// The force of pad c is no greater than its bound.
    fn cut(&self, c: usize, bound: f64, r: &mut [f64]) {
        let k: usize = self.network.contact_dims[..c].iter().sum();
        let force = &mut r[k..k + self.network.contact_dims[c]];
        let size = force.iter().map(|r| r * r).sum::<f64>().sqrt();
        if size > bound {
            force.iter_mut().for_each(|r| *r *= bound / size);
        }
    }

    /// The sizes of all terms that the momentum of a step is made of, summed up.
    fn momentum_sizes(&self, u: &AssemblyState, w: &AssemblyWorkspace, h: f64, sizes: &mut [f64]) {
        let (net, p) = (&self.network, &self.parameters);
        for (i, size) in sizes.iter_mut().enumerate() {
            *size = (net.mass[i] * u.v[i]).abs() + h * w.load[i].abs();
        }
        let mut k = 0;
        for (bound, &dim) in w.bounds.iter().zip(&net.contact_dims) {
            for (i, a) in (k..k + dim).flat_map(|k| net.rows.row(k)).filter(|_| bound.hi.is_finite()) {
                sizes[i] += (h * a * bound.hi).abs();
            }
            k += dim;
        }
        let mut add = |row: &mut dyn Iterator<Item = (usize, f64)>, force: f64| {
            row.for_each(|(i, a)| sizes[i] += (h * a * force).abs());
        };
        for force in &p.forces {
            if let Signal::Constant(value) = force.signal {
                add(&mut std::iter::once((net.first[force.body] + force.component, 1.0)), value);
            }
        }
        for (coordinate, drive) in &net.forces {
            add(&mut std::iter::once((*coordinate, 1.0)), drive.at(&w.values));
        }
        for (k, stiffness) in net.stiffness.iter().enumerate() {
            let own = net.springs.own.row(k).map(|(i, a)| a.abs() * (u.q[i].abs() + h * u.v[i].abs()));
            let supports = net.springs.supports.row(k).map(|(i, a)| (a * u.support[i]).abs());
            let stretch: f64 = own.chain(supports).sum();
            add(&mut net.springs.own.row(k), stiffness * stretch);
        }
        for (spring, &(tabled, k)) in p.springs.iter().zip(&net.spring_at) {
            let links = if tabled { &net.tabled } else { &net.springs };
            let tabled = match &spring.characteristic {
                Characteristic::Table(curve) => curve.at(u.stretch[k]),
                Characteristic::Linear(_) => 0.0,
            };
            add(&mut links.own.row(k), spring.preload.abs() + tabled.abs());
        }
    }
}

/// Takes over an answer of the same shape.
fn copy(from: &Answer, to: &mut Answer) {
    to.v.copy_from_slice(&from.v);
    to.r.copy_from_slice(&from.r);
    to.s.copy_from_slice(&from.s);
    to.modes.copy_from_slice(&from.modes);
    to.residual = from.residual;
}
