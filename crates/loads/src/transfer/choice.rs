//! Which of several solutions a vehicle takes.

use serde::{Deserialize, Serialize};

/// What the axles of a solution do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Branch {
    /// All carry.
    Closed,
    /// A front axle has lost its load.
    FrontLifted,
    /// A rear axle has lost its load.
    RearLifted,
    /// None carries.
    Airborne,
}

impl Branch {
    /// Of front and rear, where they are lifted or not.
    pub fn of(lifted: [bool; 2]) -> Branch {
        match lifted {
            [false, false] => Branch::Closed,
            [true, false] => Branch::FrontLifted,
            [false, true] => Branch::RearLifted,
            [true, true] => Branch::Airborne,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Branch::Closed => "both wheels on the ground",
            Branch::FrontLifted => "front lifted",
            Branch::RearLifted => "rear lifted",
            Branch::Airborne => "in the air",
        }
    }
}

/// One solution. `P` tells where it lies: Q, or a list of loads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Solution<P> {
    /// What its axles do.
    pub branch: Branch,
    /// Where it lies.
    pub place: P,
    /// +1 or −1: the sign of the determinant of the problem's active part. Solutions with −1 are unstable under every
    /// contact that yields.
    pub index: i8,
}

/// Which solution a user wants where there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Select {
    /// The branch on which the vehicle is; where it ends, and at the start, the nearest stable one.
    #[default]
    Nearest,
    /// The one with the front lifted.
    Front,
    /// The one with the rear lifted.
    Rear,
    /// The one with all axles on the ground.
    Both,
}

/// What has been before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Memory<P> {
    /// The solution of the last step, if there was one.
    pub last: Option<Solution<P>>,
    /// The place of the last step with one solution only; loads at rest at the start.
    pub unique: P,
}

/// How many solutions there are, and how one knows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// One, since κ* < 1.
    UniqueByBound {
        /// κ*.
        bound: f64,
    },
    /// One: all pieces were looked through.
    UniqueByEnumeration {
        /// κ*, ≥ 1.
        bound: f64,
    },
    /// Several, and one of them was chosen.
    Several {
        /// How many.
        count: usize,
        /// Whether the one that was chosen has the index −1, because no other one was there or the user wants it.
        unstable: bool,
    },
    /// None: an impulse without a collision.
    None,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Verdict::UniqueByBound { bound } => write!(f, "unique, κ* = {bound:.6}"),
            Verdict::UniqueByEnumeration { bound } => write!(f, "unique by enumeration, κ* = {bound:.6}"),
            Verdict::Several { count, unstable: false } => write!(f, "{count} solutions"),
            Verdict::Several { count, unstable: true } => write!(f, "{count} solutions, and the one taken is unstable"),
            Verdict::None => write!(f, "no solution"),
        }
    }
}

/// A choice: which solution, and whether it is an unstable one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// Its number in the list.
    pub which: usize,
    /// Whether its index is −1.
    pub unstable: bool,
}

/// Chooses among solutions: what the user wants, if it is there; else the branch of the last step; else, of those with index
/// +1, the nearest to the last place that was unique; else the nearest of all. None of none.
pub fn choose<P: Copy>(
    solutions: &[Solution<P>],
    select: Select,
    memory: &Memory<P>,
    distance: impl Fn(P, P) -> f64,
) -> Option<Choice> {
    let nearest = |to: P, admitted: &dyn Fn(&Solution<P>) -> bool| {
        let near = |i: &usize| distance(solutions[*i].place, to);
        (0..solutions.len()).filter(|i| admitted(&solutions[*i])).min_by(|a, b| near(a).total_cmp(&near(b)))
    };
    let wanted = match select {
        Select::Nearest => None,
        Select::Front => Some(Branch::FrontLifted),
        Select::Rear => Some(Branch::RearLifted),
        Select::Both => Some(Branch::Closed),
    };
    let by_user = wanted.and_then(|branch| nearest(memory.unique, &|solution| solution.branch == branch));
    let last = memory.last.as_ref();
    let which = by_user
        .or_else(|| {
            let last = last?;
            nearest(last.place, &|solution| solution.branch == last.branch && solution.index == last.index)
        })
        .or_else(|| nearest(memory.unique, &|solution| solution.index > 0))
        .or_else(|| nearest(memory.unique, &|_| true))?;
    Some(Choice { which, unstable: solutions[which].index < 0 })
}
