//! Where the energy went.

use crate::Name;

/// Energy balance of a run \[J\].
///
/// Stored energy changes by what comes in less what the contacts dissipate. A scheme loses (or gains) a
/// little besides; the *closure* is that difference, relative to the greatest amount in the balance. For
/// implicit Euler it is Σ ½ Δvᵀ M Δv ≥ 0, first order in the step.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger {
    /// Energy stored at t = 0.
    pub start: f64,
    /// Energy stored now.
    pub stored: f64,
    /// Work done by drives.
    pub work: f64,
    /// Energy dissipated in each contact, never negative.
    pub dissipated: Vec<Dissipation>,
    /// Energy that was stored on the way at least: what comes to rest again where it began has had more than it ends
    /// with.
    pub passed: f64,
}

/// Energy that one contact has turned into heat.
#[derive(Debug, Clone, PartialEq)]
pub struct Dissipation {
    /// Name of the contact.
    pub contact: Name,
    /// Energy \[J\].
    pub energy: f64,
}

/// Energy \[J\] below which nothing has happened: kT/2 at room temperature is 2e-21 J, and rounding of bodies at rest far less.
const NOTHING: f64 = 1e-24;

impl Ledger {
    /// Energy dissipated in all contacts.
    pub fn dissipated_total(&self) -> f64 {
        self.dissipated.iter().map(|d| d.energy).sum()
    }

    /// start + work − dissipated − stored: what the scheme lost \[J\].
    pub fn lost(&self) -> f64 {
        self.start + self.work - self.dissipated_total() - self.stored
    }

    /// |lost| over the greatest amount in the balance; 0 where nothing happened, or next to nothing: less than a
    /// thousandth of what warmth alone shakes a body with.
    pub fn closure(&self) -> f64 {
        let amounts = [self.start, self.stored, self.work, self.dissipated_total(), self.passed];
        let greatest = amounts.iter().fold(0.0_f64, |m, a| m.max(a.abs()));
        if greatest > NOTHING { self.lost().abs() / greatest } else { 0.0 }
    }
}
