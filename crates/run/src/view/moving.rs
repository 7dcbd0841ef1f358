//! What all moving pictures need of a run.

use crate::Trace;

/// Changes of state, each in words, for a picture to step to.
pub fn events(trace: &Trace) -> Vec<(f64, String)> {
    let words = |(k, event): (usize, &stickslip_core::scheme::Event)| {
        let contact = trace.contacts.get(event.contact).map_or("", |name| name.as_ref());
        let plain = || format!("{contact}: {} → {}", event.from.name(), event.to.name());
        (event.t, trace.words.get(k).cloned().flatten().unwrap_or_else(plain))
    };
    trace.events.iter().enumerate().map(words).collect()
}

/// The greatest size of a column's values; 1 where all are zero, so that it can be divided by.
pub fn greatest(trace: &Trace, column: &str) -> f64 {
    let most = trace.column(column).iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    if most > 0.0 { most } else { 1.0 }
}
