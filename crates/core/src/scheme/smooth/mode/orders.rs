//! The inclusion of accelerations and, where that leaves it open, of their derivatives.

use super::super::coupling::Coupling;
use super::super::frame::Frame;
use super::super::layout::norm;
use super::{ALIKE, Direction, First, Instant, PUSHED, Second, Slopes, TIE, direction, greatest, opposite};
use crate::inclusion::{Choice, consistent};
use crate::law::{Interval, Law, LawError};
use crate::mechanics::{At, SystemError};

/// Slopes of accelerations and forces this share of the greatest in the problem are ties: they are differences.
const SLOPE_TIE: f64 = 1e-7;

/// Rounding of what differences are taken of.
const ROUNDED: f64 = 1e-14;

impl Instant<'_> {
    /// Forces and slip rates: −s' ∈ N_C(r), with the bounds of contacts at rest less by a share.
    pub(super) fn first_order(
        &self,
        coupling: &Coupling,
        leaving: &[Option<Direction>],
        less: f64,
    ) -> Result<First, SystemError> {
        if !self.system.transfers() {
            return self.first_order_at(coupling, leaving, less, 0.0);
        }
        let made = |transfer: f64| {
            let first = self.first_order_at(coupling, leaving, less, transfer)?;
            let at = At { transfer, ..self.flow.at() };
            Ok::<_, SystemError>((self.system.transfer(at, &first.all_forces()), first))
        };
        let found = consistent(self.flow.transfer, made)?;
        found.map(|(_, first)| first).ok_or(SystemError::Undecided { t: self.flow.t })
    }

    /// The same at a given Q.
    fn first_order_at(
        &self,
        coupling: &Coupling,
        leaving: &[Option<Direction>],
        less: f64,
        transfer: f64,
    ) -> Result<First, SystemError> {
        let (layout, flow) = (self.layout, self.flow);
        let contacts = layout.contacts();
        let influence = coupling.influence(layout);
        let free = self.free(leaving, (0.0, transfer), &vec![0.0; flow.v.len()], &vec![0.0; layout.slips()]);
        let size = greatest(&free.rates) + (0..contacts).map(|c| influence[c] * free.bounds[c]).fold(0.0, f64::max);
        let small = TIE * size;
        let without: Vec<bool> = (0..contacts).map(|c| free.bounds[c] * influence[c] <= small).collect();
        let resting: Vec<usize> = (0..contacts).filter(|&c| self.rests(leaving, c) && !without[c]).collect();
        let components: Vec<usize> = resting.iter().flat_map(|&c| layout.of(c)).collect();
        let start: Vec<f64> = components.iter().map(|&k| flow.forces[k]).collect();
        let loads = (&free.acceleration[..], &free.rates[..]);
        let bounds: Vec<f64> = free.bounds.iter().map(|bound| bound * (1.0 - less)).collect();
        let solution = coupling.hold(layout, &resting, loads, &bounds, &start, Choice::LeastNorm)?;
        let mut forces = vec![0.0; layout.slips()];
        components.iter().zip(&solution.r).for_each(|(&k, r)| forces[k] = *r);
        let mut acceleration = free.acceleration;
        self.system.push(flow.at(), &forces, &mut acceleration);
        let mut rates = vec![0.0; layout.slips()];
        self.system.slip_rates(flow.at(), &acceleration, &mut rates);
        components.iter().zip(&solution.s).filter(|(_, s)| **s == 0.0).for_each(|(&k, _)| rates[k] = 0.0);
        let mut open = vec![false; contacts];
        solution.undetermined.iter().for_each(|&i| open[resting[i]] = true);
        // Where forces are not unique they have just been chosen anew: who was at the bound may not be.
        let at_bound = (0..contacts).map(|c| self.at_bound[c].filter(|_| !open[c])).collect();
        let speed = greatest(&free.rates);
        Ok(First {
            small,
            speed,
            influence,
            without,
            open,
            at_bound,
            transfer,
            bounds: free.bounds,
            slipping: free.forces,
            forces,
            acceleration,
            rates,
        })
    }

    /// Where the first order leaves it open: −s'' ∈ N_T(r'). Contacts that slip by it are added to `leaving`.
    pub(super) fn second_order(
        &self,
        coupling: &Coupling,
        first: &First,
        leaving: &mut [Option<Direction>],
    ) -> Result<Second, SystemError> {
        if !self.system.transfers() {
            return self.second_order_at(coupling, first, leaving, 0.0);
        }
        // Q changes at the rate at which the forces change it.
        let made = |rate: f64| {
            let mut left = leaving.to_vec();
            let second = self.second_order_at(coupling, first, &mut left, rate)?;
            let transfer = |later: f64| {
                let changed =
                    first.all_forces().into_iter().zip(&second.force_slopes).map(|(r, slope)| r + later * slope);
                let t = (self.flow.t + later).min(self.limit);
                self.system.transfer(At { t, transfer: first.transfer, ..self.flow.at() }, &changed.collect::<Vec<_>>())
            };
            Ok::<_, SystemError>(((transfer(self.short) - transfer(0.0)) / self.short, (second, left)))
        };
        let found = consistent(0.0, made)?;
        let (_, (second, left)) = found.ok_or(SystemError::Undecided { t: self.flow.t })?;
        leaving.copy_from_slice(&left);
        Ok(second)
    }

    /// The same where Q changes at a given rate.
    fn second_order_at(
        &self,
        coupling: &Coupling,
        first: &First,
        leaving: &mut [Option<Direction>],
        transfer_rate: f64,
    ) -> Result<Second, SystemError> {
        let layout = self.layout;
        let contacts = layout.contacts();
        let gap = |c: usize| first.bounds[c] - norm(&first.forces[layout.of(c)]);
        // Forces that are not unique are known to come to their bounds together no better than that.
        let alike = |c: usize| first.open[c] && gap(c) <= ALIKE * first.bounds[c];
        let near = |c: usize| gap(c) * first.influence[c] <= first.small || alike(c);
        let tied = |c: usize| first.without[c] || first.at_bound[c].is_some() || near(c);
        let ties: Vec<usize> = (0..contacts).filter(|&c| self.rests(leaving, c) && tied(c)).collect();
        let mut second = Second::none(layout);
        if ties.is_empty() {
            return Ok(second);
        }
        let Slopes { forces, slips: slip_slopes, bounds: bound_slopes, jerk } =
            self.slopes(leaving, first, transfer_rate);
        let bounds = (0..contacts).map(|c| first.influence[c] * bound_slopes[c].abs()).fold(0.0, f64::max);
        let size = greatest(&slip_slopes) + bounds;
        // Differences know a slope no better than to the rounding of what they are differences of.
        let small = SLOPE_TIE * size + ROUNDED * (first.speed / self.short + size);
        // Where forces are not unique, each of them alone does not tell where its contact would slip, but the slip rates
        // at a little less of the bounds do, and they fit together.
        let pushed =
            if ties.iter().any(|&c| first.open[c]) { self.first_order(coupling, leaving, PUSHED).ok() } else { None };
        let together = |c: usize| {
            let rates = &pushed.as_ref().filter(|_| first.open[c])?.rates[layout.of(c)];
            (norm(rates) > 0.0).then(|| direction(rates))
        };
        let alone = |c: usize| first.at_bound[c].unwrap_or_else(|| opposite(&first.forces[layout.of(c)]));
        let ahead = |c: usize| together(c).unwrap_or_else(|| alone(c));

        let mut frame = Frame::new(layout);
        let (mut laws, mut asked) = (Vec::new(), Vec::new());
        let all = || Interval::new(f64::NEG_INFINITY, f64::INFINITY);
        for c in (0..contacts).filter(|&c| self.rests(leaving, c)) {
            let (own, slope) = (layout.of(c), bound_slopes[c]);
            if !ties.contains(&c) {
                own.clone().for_each(|_| laws.push(all()));
            } else if !first.without[c] {
                frame.turn(c, ahead(c));
                laws.push(Interval::new(-slope, f64::INFINITY));
                own.clone().skip(1).for_each(|_| laws.push(all()));
            } else if slope * first.influence[c] > small {
                // A disk of slopes is a square here: a pad in the plane whose bound leaves zero is a rare guest.
                own.clone().for_each(|_| laws.push(Interval::symmetric(slope)));
            } else {
                second.idle[c] = true;
                continue;
            }
            asked.extend(own);
        }
        let laws = laws.into_iter().map(|law| law.map(Law::Interval)).collect::<Result<Vec<_>, LawError>>()?;
        let loads = (&jerk[..], &slip_slopes[..]);
        let solution = coupling.solve(&frame, &asked, loads, laws, &vec![0.0; asked.len()], Choice::LeastNorm)?;
        let mut curvatures = vec![0.0; layout.slips()];
        asked.iter().zip(&solution.s).for_each(|(&k, s)| curvatures[k] = *s);
        let curvatures = frame.back(&curvatures);
        let mut force_slopes = vec![0.0; layout.slips()];
        asked.iter().zip(&solution.r).for_each(|(&k, r)| force_slopes[k] = *r);
        let force_slopes = frame.back(&force_slopes);
        second.force_slopes = forces.iter().zip(&force_slopes).map(|(a, b)| a + b).collect();
        // Contacts that slip already feel those that leave.
        let mut change = vec![0.0; jerk.len()];
        self.system.push(self.flow.at(), &force_slopes, &mut change);
        let (mut changed, mut still) = (vec![0.0; layout.slips()], vec![0.0; layout.slips()]);
        self.system.slip_rates(self.flow.at(), &change, &mut changed);
        self.system.slip_rates(self.flow.at(), &vec![0.0; jerk.len()], &mut still);
        let follow = |k: usize| slip_slopes[k] + changed[k] - still[k];
        for c in (0..contacts).filter(|&c| !self.rests(leaving, c)) {
            layout.of(c).for_each(|k| second.curvatures[k] = follow(k));
        }
        let mut curvatures = curvatures;
        // Contacts that transmit nothing come last: they go with others that slip.
        let (idle, others): (Vec<usize>, Vec<usize>) = ties.iter().partition(|&&c| second.idle[c]);
        for &c in others.iter().chain(&idle) {
            let own = layout.of(c);
            let slips = |c: usize| !self.resting(c) || leaving[c].is_some();
            if second.idle[c] && (0..contacts).any(slips) {
                own.clone().for_each(|k| curvatures[k] = follow(k));
            }
            let curvature = &curvatures[own.clone()];
            if norm(curvature) > small {
                leaving[c] = Some(if first.without[c] { direction(curvature) } else { ahead(c) });
                own.for_each(|k| second.curvatures[k] = curvatures[k]);
            }
            second.tied[c] = true;
        }
        Ok(second)
    }
}
