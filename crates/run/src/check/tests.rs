use super::*;
use stickslip_core::scheme::Event;

const SLIP: State = State::Slip([1.0, 0.0]);

fn run(step: f64, end: f64, events: &[(f64, State, State)], last: State) -> Features {
    Features {
        name: "run",
        step,
        duration: 10.0,
        contacts: vec!["pad".into()],
        end: vec![("x".into(), end)],
        events: events.iter().map(|&(t, from, to)| Event { t, contact: 0, from, to }).collect(),
        last: vec![last],
        samples: Samples::default(),
        doubt: None,
    }
}

fn numerics(check: &Check) -> Vec<&str> {
    let numerics = check.findings.iter().filter(|f| f.verdict == Verdict::Numerics);
    numerics.map(|f| f.feature.as_str()).collect()
}

#[test]
fn what_converges_is_physics() {
    let events = |late: f64| [(1.0 + late, State::Stick, SLIP), (4.0 + 2.0 * late, SLIP, State::Stick)];
    let runs = [run(0.1, 5.2, &events(0.1), State::Stick), run(0.05, 5.1, &events(0.04), State::Stick)];
    let check = compare(&runs[0], &runs[1], &run(0.0, 5.0, &events(0.0), State::Stick));
    assert_eq!((check.findings.len(), check.counts, check.parted), (5, [5, 0, 0], None), "{check:#?}");
}

#[test]
fn what_the_step_makes_is_numerics() {
    let real = [(1.0, State::Stick, SLIP)];
    let chatter = [(1.0, State::Stick, SLIP), (2.0, SLIP, State::Stick), (2.1, State::Stick, SLIP)];
    let check = compare(&run(0.01, 5.0, &chatter, SLIP), &run(0.005, 5.0, &real, SLIP), &run(0.0, 5.0, &real, SLIP));
    assert_eq!(numerics(&check), ["pad slip+ → stick (s)", "pad stick → slip+ (s)"], "{check:#?}");
    // What only steps have, both of them, is matched and numerics all the same.
    let check = compare(&run(0.01, 5.0, &chatter, SLIP), &run(0.005, 5.0, &chatter, SLIP), &run(0.0, 5.0, &real, SLIP));
    assert_eq!((check.findings.len(), check.counts[1]), (5, 2), "{check:#?}");
    // An end that does not come closer: the two runs by steps agree with each other, not with the exact one.
    let ends = compare(&run(0.1, 6.0, &[], SLIP), &run(0.05, 6.01, &[], SLIP), &run(0.0, 5.0, &[], SLIP));
    assert_eq!(ends.findings[0].verdict, Verdict::Numerics);
}

/// Times of an event that drifts by a first-order error, dated to whole steps: neighbours have the same verdict, whatever
/// the dating makes of their ratio (18.006, 18.0065 and 18.008 s; 23.001, 23.004 and 23.008 s with a step of 1 ms).
#[test]
fn dating_does_not_decide() {
    for times in [[9.107, 9.106, 9.1054], [18.006, 18.0065, 18.008], [23.001, 23.004, 23.008]] {
        let at = |t: f64| [(t, SLIP, State::Stick)];
        let mut runs = [0, 1, 2].map(|k: usize| run([1e-3, 5e-4, 0.0][k], 0.0, &at(times[k]), State::Stick));
        runs.iter_mut().for_each(|run| run.duration = 30.0);
        let check = compare(&runs[0], &runs[1], &runs[2]);
        assert_eq!(check.counts, [3, 0, 0], "{check:#?}");
    }
    // Ten steps away from where the runs by steps agree to half a step: misplaced.
    let at = |t: f64| [(t, SLIP, State::Stick)];
    let runs = [run(1e-3, 0.0, &at(5.0), State::Stick), run(5e-4, 0.0, &at(5.0005), State::Stick)];
    let check = compare(&runs[0], &runs[1], &run(0.0, 0.0, &at(5.0105), State::Stick));
    assert_eq!(numerics(&check).first(), Some(&"pad slip+ → stick (s)"), "{check:#?}");
}

/// Events are the same by their times, not by their numbers: one that a run missed does not shift those after it.
#[test]
fn a_missed_event_shifts_no_other() {
    let beat = |t: f64| [(t, SLIP, State::Stick), (t + 0.3, State::Stick, SLIP)];
    let all: Vec<_> = [1.0, 2.0, 3.0, 4.0].iter().flat_map(|t| beat(*t)).collect();
    let most: Vec<_> = [1.0, 3.0, 4.0].iter().flat_map(|t| beat(*t)).collect();
    let check = compare(&run(0.01, 0.0, &most, SLIP), &run(0.005, 0.0, &all, SLIP), &run(0.0, 0.0, &all, SLIP));
    let missed: Vec<&Finding> = check.findings.iter().filter(|f| f.verdict == Verdict::Numerics).collect();
    assert_eq!(missed.len(), 2, "{missed:#?}");
    assert!(missed.iter().all(|f| f.coarse.is_none() && f.exact.is_some_and(|t| (2.0..2.5).contains(&t))));
}

/// A slip that turns round sticks for one step; from event to event it passes in an instant.
#[test]
fn a_passage_through_zero_is_no_stretch_of_stick() {
    let back = State::Slip([-1.0, 0.0]);
    let passes = |t: f64, h: f64| [(t, SLIP, State::Stick), (t + h, State::Stick, back)];
    let runs = [run(0.01, 0.0, &passes(3.01, 0.01), back), run(0.005, 0.0, &passes(3.005, 0.005), back)];
    let check = compare(&runs[0], &runs[1], &run(0.0, 0.0, &[(3.0, SLIP, back)], back));
    assert_eq!((check.findings.len(), check.counts), (2, [2, 0, 0]), "{check:#?}");
    // Two steps and more are a stretch of stick, and the exact run has none.
    let runs = [run(0.01, 0.0, &passes(3.01, 0.03), back), run(0.005, 0.0, &passes(3.005, 0.03), back)];
    let check = compare(&runs[0], &runs[1], &run(0.0, 0.0, &[(3.0, SLIP, back)], back));
    assert_eq!(check.counts[1], 3, "{check:#?}");
}

/// A sine with a phase, sampled, and events at its zeros.
fn wave(step: f64, phase: impl Fn(f64) -> f64, duration: f64) -> Features {
    let t: Vec<f64> = (1..=4096).map(|k| duration * f64::from(k) / 4096.0).collect();
    let values: Vec<f64> = t.iter().map(|&t| (t + phase(t)).sin()).collect();
    let crossings = (1..4096).filter(|&k| (values[k] > 0.0) != (values[k - 1] > 0.0));
    let events = crossings.map(|k| {
        let (from, to) = if values[k] > 0.0 { (State::Stick, SLIP) } else { (SLIP, State::Stick) };
        Event { t: t[k], contact: 0, from, to }
    });
    Features {
        name: "run",
        step,
        duration,
        contacts: vec!["pad".into()],
        end: vec![("v".into(), values[4095])],
        last: vec![if values[4095] > 0.0 { SLIP } else { State::Stick }],
        events: events.collect(),
        samples: Samples { t, columns: vec![("v".into(), "m/s", values)] },
        doubt: None,
    }
}

#[test]
fn runs_that_part_are_compared_by_their_means() {
    // Neighbours part by e^(0.1 t): lost from about 100 s on, each in its own way.
    let lost = |small: f64, own: f64| {
        move |t: f64| {
            let phase = small * (0.1 * t).exp();
            if phase < 1.0 { phase } else { 1.0 + (own * t) % 5.0 }
        }
    };
    let runs = [wave(0.1, lost(1e-4, 0.1), 400.0), wave(0.05, lost(0.5e-4, 0.1618), 400.0), wave(0.0, |_| 0.0, 400.0)];
    let check = compare(&runs[0], &runs[1], &runs[2]);
    let parted = check.parted.expect("they part");
    assert!((50.0..150.0).contains(&parted), "{parted}");
    assert!(!check.findings.iter().any(|f| f.kind == Kind::End), "{check:#?}");
    let single = check.findings.iter().filter(|f| f.kind == Kind::Event);
    assert!(single.filter_map(|f| f.exact).all(|t| t < parted));
    let rms = check.findings.iter().find(|f| f.feature == "v root mean square (m/s)").expect("compared");
    assert_eq!(rms.verdict, Verdict::Physics, "{rms:#?}");
    assert!((rms.exact.expect("there") - 0.5_f64.sqrt()).abs() < 0.02);
    // A phase that is late in proportion to the step is no parting.
    let late = |h: f64| move |t: f64| 0.01 * h * t;
    let check = compare(&wave(0.1, late(0.1), 400.0), &wave(0.05, late(0.05), 400.0), &wave(0.0, |_| 0.0, 400.0));
    assert_eq!(check.parted, None);
    // Runs by steps that agree with each other and not with the exact one are no chance: that is numerics.
    let check = compare(&wave(0.1, |_| 2.0, 400.0), &wave(0.05, |_| 2.001, 400.0), &wave(0.0, |_| 0.0, 400.0));
    assert_eq!(check.parted, None);
    assert!(check.counts[1] > 0, "{check:#?}");
}

/// Ends that halving the step does not bring nearer to the exact one are not called physics, however far the two runs by
/// steps are from each other: x and vx of a block on a belt with a step of 20 ms.
#[test]
fn what_does_not_come_nearer_is_not_decided() {
    let verdict = |ends: [f64; 3]| {
        let runs = [0, 1, 2].map(|k: usize| run([0.1, 0.05, 0.0][k], ends[k], &[], SLIP));
        compare(&runs[0], &runs[1], &runs[2]).findings[0].verdict
    };
    assert_ne!(verdict([0.0211222, 0.0203955, 0.0237066]), Verdict::Physics);
    // Within three differences, but farther than the coarser run was, or as far.
    assert_eq!(verdict([1.0, 3.0, 0.5]), Verdict::NotDecided);
    assert_eq!(verdict([1.0, 3.0, 2.0]), Verdict::NotDecided);
    // First order, exactly, and a run that has an eighth of the step for the exact one: 8 e, 4 e, e.
    assert_eq!(verdict([1.2, 1.1, 1.0]), Verdict::Physics);
    assert_eq!(verdict([1.08, 1.04, 1.01]), Verdict::Physics);
    // Rounding need not shrink.
    assert_eq!(verdict([1.0, 1.0 - 1e-12, 1.0 + 1e-12]), Verdict::Physics);
}

#[test]
fn an_end_value_that_may_be_anything_is_not_decided() {
    let runs = [0.068, 0.193, 0.79].map(|x| run(0.1, x, &[], SLIP));
    let found = ends([&runs[0], &runs[1], &runs[2]]);
    assert_eq!(found[0].verdict, Verdict::Numerics, "{found:#?}");
    // The same with a distance that the two steps do foretell, but so far apart that nothing follows.
    let runs = [0.9, 0.5, 0.3].map(|x| run(0.1, x, &[], SLIP));
    assert_eq!(ends([&runs[0], &runs[1], &runs[2]])[0].verdict, Verdict::NotDecided);
    let runs = [0.9, 0.85, 0.8].map(|x| run(0.1, x, &[], SLIP));
    assert_eq!(ends([&runs[0], &runs[1], &runs[2]])[0].verdict, Verdict::Physics);
}

/// A small value at the end of a great motion: half of that motion is a wide gate, and a value that may be off by more than itself has
/// passed through it whatever it is. Where the error is small beside the motion, a passage through zero is found all the same.
#[test]
fn an_end_value_smaller_than_its_error_is_not_decided() {
    let verdict = |ends: [f64; 3]| {
        let runs = ends.map(|x| Features {
            samples: Samples { t: vec![1.0, 2.0], columns: vec![("x".into(), "m", vec![100.0, 100.0])] },
            ..run(0.1, x, &[], SLIP)
        });
        ends_of(&runs)
    };
    assert_eq!(verdict([-9.9, -7.57, -6.9]), Verdict::NotDecided);
    assert_eq!(verdict([-9.9, -8.57, -7.9]), Verdict::Physics);
    assert_eq!(verdict([0.3, 0.2, 0.1]), Verdict::Physics);
}

fn ends_of(runs: &[Features; 3]) -> Verdict {
    ends([&runs[0], &runs[1], &runs[2]])[0].verdict
}

/// A force that jumps where a body comes to rest, dated to whole steps: the jump is as far off for one step as for another, and says nothing
/// of a force that is right before and after it.
#[test]
fn the_date_of_a_jump_does_not_decide_what_comes_after() {
    let jump = |step: f64, late: f64, after: f64| {
        let t: Vec<f64> = (1..=1000).map(|k| 0.01 * f64::from(k)).collect();
        let values = t.iter().map(|t| if *t <= 9.0 + late { 3.0 } else { after }).collect();
        let samples = Samples { t, columns: vec![("f".into(), "N", values)] };
        Features {
            samples,
            end: vec![("f".into(), after)],
            ..run(step, after, &[(9.0 + late, SLIP, State::Stick)], State::Stick)
        }
    };
    let end =
        |after: [f64; 3]| ends_of(&[jump(0.02, 0.02, after[0]), jump(0.01, 0.01, after[1]), jump(0.0, 0.0, after[2])]);
    assert_eq!(end([0.0, 0.0, 0.0]), Verdict::Physics);
    assert_eq!(end([-24.9002, -24.9001, -24.9]), Verdict::Physics);
    assert_eq!(end([-24.9002, -24.9002, -24.9]), Verdict::Numerics);
}

/// Forces of contacts that share a load while they hold, where each scheme has its own: what comes after they let go is found all the same.
#[test]
fn forces_that_were_not_determined_before_do_not_decide() {
    let shared = |step: f64, held: f64, after: f64| {
        let t: Vec<f64> = (1..=1000).map(|k| 0.01 * f64::from(k)).collect();
        let values = t.iter().map(|t| if *t <= 9.0 { held } else { after }).collect();
        let samples = Samples { t, columns: vec![("g".into(), "N", values)] };
        Features { samples, end: vec![("g".into(), after)], ..run(step, after, &[(9.0, State::Stick, SLIP)], SLIP) }
    };
    let end = |after: [f64; 3]| {
        ends_of(&[shared(0.02, 1407.0, after[0]), shared(0.01, 1407.0, after[1]), shared(0.0, 974.0, after[2])])
    };
    assert_eq!(end([0.0, 0.0, 0.0]), Verdict::Physics);
    assert_eq!(end([5.04, 5.02, 5.0]), Verdict::Physics);
    assert_eq!(end([5.02, 5.02, 5.0]), Verdict::Numerics);
}
