//! A scenario run in closed form: what the summary says of it.

use stickslip::{OutputFolder, run};
use stickslip_scenario::Scenario;

#[test]
fn sport_braking_in_closed_form() {
    let parent = tempfile::tempdir().expect("a folder");
    let set = ["run.scheme=events".into()];
    let scenario = Scenario::builtin("wheel-sport-braking", &set).expect("a scenario");
    let folder = OutputFolder::create(&parent.path().join("run"), false).expect("a folder");
    let finished = run(&scenario, folder, &mut |_| {}).expect("runs");
    let summary = finished.summary;
    assert_eq!((summary.scheme, summary.events, summary.handovers), ("events", 4, Some(0)));
    assert_eq!(summary.rows, summary.steps);
    assert!(summary.convergence.is_none());
    assert!(summary.energy.closure <= 1e-12, "{}", summary.energy.closure);
    assert!(summary.worst_residual <= 1e-13, "{}", summary.worst_residual);
    let (name, speed) = &summary.end.0[0];
    assert!(name == "x1" && (speed - 6.076529).abs() <= 5e-7, "{speed}");
    assert_eq!(finished.trace.events[2].t, 2.2);
}
