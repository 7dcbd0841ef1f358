//! Contacts that do the same: pads between the same two bodies.
//!
//! Their rows of W and b are equal, up to the sign, so their slips are, and only the sum of their forces matters: one
//! contact that can transmit what they can together has the same motion, and a W that is regular where they were the only
//! ones to share a load.

use stickslip_linalg::Matrix;

use super::Problem;
use crate::law::{Disk, Interval, Law, Product, Set};

/// Contacts as groups that do the same.
pub(super) struct Alike {
    groups: Vec<Vec<Member>>,
    pub w: Matrix,
    pub b: Vec<f64>,
    pub c: Product,
}

#[derive(Clone)]
struct Member {
    /// First component.
    at: usize,
    law: Law,
    /// 1, or −1 for one that is seen from the other body.
    sign: f64,
}

impl Alike {
    /// The problem with one contact for each group; None where no two contacts do the same.
    pub fn of(problem: &Problem<Matrix>) -> Option<Alike> {
        let mut groups: Vec<Vec<Member>> = Vec::new();
        for (law, at) in problem.c.iter() {
            let member = |sign| Member { at: at.start, law: *law, sign };
            let of = |group: &Vec<Member>| same(problem, &group[0], &member(1.0));
            match groups.iter().enumerate().find_map(|(i, group)| of(group).map(|sign| (i, sign))) {
                Some((i, sign)) => groups[i].push(member(sign)),
                None => groups.push(vec![member(1.0)]),
            }
        }
        if groups.len() == problem.c.len() {
            return None;
        }
        let laws = groups.iter().map(|group| together(group)).collect::<Option<Vec<Law>>>()?;
        let at: Vec<usize> = groups.iter().flat_map(|group| group[0].at..group[0].at + group[0].law.dim()).collect();
        Some(Alike {
            w: Matrix::from_fn(at.len(), at.len(), |i, j| problem.w[(at[i], at[j])]),
            b: at.iter().map(|&k| problem.b[k]).collect(),
            c: Product::new(laws),
            groups,
        })
    }

    /// Forces of groups from those of contacts.
    pub fn sums(&self, r: &[f64]) -> Vec<f64> {
        let sum = |group: &[Member], k: usize| group.iter().map(|m| m.sign * r[m.at + k]).sum();
        self.groups.iter().flat_map(|group| (0..group[0].law.dim()).map(|k| sum(group, k))).collect()
    }

    /// Forces of contacts from those of groups: each takes its share of what the group can transmit.
    pub fn shares(&self, sums: &[f64], r: &mut [f64]) {
        for ((law, at), group) in self.c.iter().zip(&self.groups) {
            for member in group {
                for (k, sum) in sums[at.clone()].iter().enumerate() {
                    r[member.at + k] = match (law, member.law) {
                        _ if group.len() == 1 => *sum,
                        (Law::Interval(all), Law::Interval(own)) => {
                            let (own, all) = match (*sum >= 0.0, member.sign > 0.0) {
                                (true, true) => (own.hi(), all.hi()),
                                (true, false) => (-own.lo(), all.hi()),
                                (false, true) => (own.lo(), all.lo()),
                                (false, false) => (-own.hi(), all.lo()),
                            };
                            member.sign * share(*sum, own, all)
                        }
                        (Law::Disk(all), Law::Disk(own)) => member.sign * share(*sum, own.radius(), all.radius()),
                        _ => *sum,
                    };
                }
            }
        }
    }
}

/// What one that can transmit `own` takes of a sum, where together they can transmit `all`.
fn share(sum: f64, own: f64, all: f64) -> f64 {
    if all == 0.0 { 0.0 } else { sum * (own / all) }
}

/// 1 or −1 if two contacts do the same.
fn same(problem: &Problem<Matrix>, a: &Member, b: &Member) -> Option<f64> {
    let of_a_kind = match (a.law, b.law) {
        // Without zero inside, a sum has no sign to share it out by.
        (Law::Interval(a), Law::Interval(b)) => [a, b].iter().all(|c| c.lo() <= 0.0 && c.hi() >= 0.0),
        (Law::Disk(_), Law::Disk(_)) => true,
        _ => false,
    };
    let equal = |sign: f64| {
        (0..a.law.dim()).all(|k| {
            let (i, j) = (a.at + k, b.at + k);
            problem.b[i] == sign * problem.b[j]
                && (0..problem.b.len()).all(|l| {
                    problem.w[(i, l)] == sign * problem.w[(j, l)] && problem.w[(l, i)] == sign * problem.w[(l, j)]
                })
        })
    };
    [1.0, -1.0].into_iter().find(|&sign| of_a_kind && equal(sign))
}

/// What a group can transmit; None if that is not finite.
fn together(group: &[Member]) -> Option<Law> {
    if let [one] = group {
        return Some(one.law);
    }
    let (mut lo, mut hi) = (0.0, 0.0);
    for member in group {
        match (member.law, member.sign > 0.0) {
            (Law::Interval(c), true) => (lo, hi) = (lo + c.lo(), hi + c.hi()),
            (Law::Interval(c), false) => (lo, hi) = (lo - c.hi(), hi - c.lo()),
            (Law::Disk(c), _) => hi += c.radius(),
            _ => return None,
        }
    }
    if !(f64::is_finite(lo) && f64::is_finite(hi)) {
        return None;
    }
    match group[0].law {
        Law::Disk(_) => Disk::new(hi).ok().map(Law::Disk),
        _ => Interval::new(lo, hi).ok().map(Law::Interval),
    }
}
