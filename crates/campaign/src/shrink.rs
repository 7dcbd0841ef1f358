//! The least case that shows the same fault.

use std::time::Duration;

use crate::case::Case;
use crate::method::{Method, Verdict};
use crate::run::{Budget, Until};

/// Tries simpler cases as long as one shows a fault of the same kind and there is time; returns the last that did, with
/// what it shows.
pub fn shrink(case: &Case, method: Method, kind: &str, budget: Budget, time: Duration) -> (Case, Option<String>) {
    let until = Until::from_now(time);
    let budget = Budget { until: Some(until), ..budget };
    let (mut least, mut shown) = (case.clone(), None);
    'again: loop {
        for simpler in least.simpler() {
            if until.is_over() {
                return (least, shown);
            }
            if let Verdict::Finding { kind: found, words } = method.judge(&simpler, budget)
                && found == kind
            {
                (least, shown) = (simpler, Some(words));
                continue 'again;
            }
        }
        return (least, shown);
    }
}
