//! The methods see what they are there for: what agrees agrees, and what is spoilt is found.

use std::time::Duration;

use stickslip_campaign::{Budget, Case, Failure, Method, Run, Until, Verdict, references};
use stickslip_scenario::Scheme;

/// The first cases of a campaign that are like this.
fn first(count: usize, like: impl Fn(&Case) -> bool) -> Vec<Case> {
    (0..1000).map(|number| Case::random(1, number)).filter(|case| like(case)).take(count).collect()
}

fn runs(case: &Case) -> Vec<Run> {
    references(case, Budget::default()).expect("the case runs")
}

/// Everything with a unit of speed a little other in the last quarter of the run.
fn spoil(run: &mut Run) {
    let speeds: Vec<usize> = (0..run.columns.len()).filter(|k| run.columns[*k].unit == "m/s").collect();
    let from = run.rows.len() * 3 / 4;
    for row in &mut run.rows[from..] {
        speeds.iter().for_each(|k| row.values[*k] += 0.5);
    }
}

#[test]
fn walls_are_compared_by_both_schemes_of_steps() {
    let methods = [Method::Alone, Method::Steps, Method::Mirror, Method::Units, Method::Cut];
    let mut compared = [0; 5];
    for case in first(4, Case::jumps) {
        let runs = runs(&case);
        let schemes: Vec<Scheme> = runs.iter().map(|run| run.way.scheme).collect();
        assert_eq!(schemes, [Scheme::ImplicitEuler, Scheme::MoreauJean]);
        for (method, compared) in methods.into_iter().zip(&mut compared) {
            match method.judge_runs(&case, &runs, Budget::default()) {
                Verdict::Agrees | Verdict::Sensitive { .. } => *compared += 1,
                Verdict::NotFor => {}
                other => panic!("{}: {other:?}\n{}", method.name(), case.text(Scheme::ImplicitEuler)),
            }
        }
    }
    assert!(compared.iter().all(|n| *n >= 3), "{compared:?}");
}

#[test]
fn a_cut_that_changes_steps_is_found() {
    let case = &first(1, Case::jumps)[0];
    let mut runs = runs(case);
    runs[1].rows[10].values[1] += 1e-15;
    let verdict = Method::Cut.judge_runs(case, &runs, Budget::default());
    assert!(matches!(&verdict, Verdict::Finding { words, .. } if words.contains("moreau-jean")), "{verdict:?}");
}

#[test]
fn vehicles_and_wheels_are_mirrored_delayed_cut_and_gone_on() {
    for model in ["vehicle", "wheel"] {
        for method in [Method::Mirror, Method::Delay, Method::Cut, Method::GoneOn] {
            let mut compared = 0;
            for case in first(40, |case| case.model() == model) {
                let mut runs = runs(&case);
                match method.judge_runs(&case, &runs, Budget::default()) {
                    Verdict::NotFor => continue,
                    Verdict::Agrees => compared += 1,
                    other => panic!("{}: {other:?}\n{}", method.name(), case.text(Scheme::Events)),
                }
                // That a fault is seen is asked of two cases; looking at their neighbours takes a while.
                if method != Method::Cut && compared <= 2 {
                    spoil(&mut runs[0]);
                    let verdict = method.judge_runs(&case, &runs, Budget::default());
                    assert!(matches!(verdict, Verdict::Finding { .. }), "{}: {verdict:?}", method.name());
                }
            }
            // Few can wait: sines cannot be written later, and drag and resistance slow down what coasts.
            assert!(compared >= 3, "{model} by {}: {compared}", method.name());
        }
    }
}

#[test]
fn a_vehicle_that_coasts_before_keeps_its_speed_by_the_wait_alone() {
    let coasts = |case: &Case| matches!(case, Case::Vehicle(_)) && case.moves_while_it_waits();
    let delayed = first(60, coasts).iter().filter_map(|case| case.delayed(16)).count();
    assert!(delayed >= 10, "{delayed} of 60");
}

#[test]
fn work_ends_with_the_time_of_the_case() {
    let case = &first(1, |case| case.model() == "assembly" && !case.jumps())[0];
    let over = Budget { until: Some(Until::from_now(Duration::ZERO)), ..Budget::default() };
    assert!(matches!(references(case, over), Err(Failure::OutOfTime)));
    assert!(matches!(Method::Mirror.judge_runs(case, &runs(case), over), Verdict::OutOfTime { .. }));
}
