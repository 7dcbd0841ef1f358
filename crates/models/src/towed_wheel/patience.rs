//! Runs that take long by their nature, and why.

use stickslip_scenario::{Run, Scheme};

use super::{Parameters, TowedWheel};
use stickslip_run::text::{number_to, seconds};

/// Swings of a towed wheel from which on a run from event to event is announced: 4600 took 18 s in a development build.
const MANY_SWINGS: f64 = 5000.0;

/// Why a run will take long, and what to do about it; none if nothing says so.
///
/// From event to event every swing of the bar on its spring is followed, however short beside the duration.
pub(super) fn long_run(parameters: &Parameters, run: &Run) -> Option<String> {
    let period = TowedWheel::new(*parameters).ok()?.coefficients().period();
    let swings = run.duration / period;
    (run.scheme == Scheme::Events && swings > MANY_SWINGS).then(|| {
        format!(
            "this takes long: with this stiffness the bar swings about {} times in {} (once in P = {}), and from event to \
             event every swing is followed; write a smaller bar.stiffness or a shorter run.duration, or take \
             run.scheme = \"implicit-euler\" with a step of P/20 or so",
            number_to(swings, 2),
            seconds(run.duration),
            seconds(period)
        )
    })
}

#[cfg(test)]
mod tests {
    use stickslip_scenario::Override;

    #[test]
    fn a_stiff_bar_is_announced() {
        let words = |overrides: &[&str]| {
            let overrides: Vec<Override> = overrides.iter().map(|o| Override::new(*o)).collect();
            let scenario = crate::MODELS.builtin("towed-wheel-p1", &overrides).expect("a scenario");
            scenario.model.takes_long(&scenario.run)
        };
        assert_eq!(words(&[]), None);
        // P is 0.205208 s with 40 kN/m and falls with the root of the stiffness: 6 s/0.205208 s · 5000.
        let stiff = words(&["bar.stiffness=1e12"]);
        assert!(stiff.as_ref().is_some_and(|text| text.contains("146193 times in 6 s")), "{stiff:?}");
        // By steps nothing is followed that the step does not see.
        assert_eq!(words(&["bar.stiffness=1e12", "run.scheme=implicit-euler"]), None);
    }
}
