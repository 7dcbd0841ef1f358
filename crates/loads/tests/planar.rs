//! A motorcycle in its plane: stoppies, wheelies, E1 under each selection.

#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::{cells, columns};
use stickslip_core::signal::{Points, Signal};
use stickslip_loads::ode::Extrapolation;
use stickslip_loads::planar::{
    Impact, Kind, Loads, OnNone, PlanarBody, PlanarData, PlanarError, PlanarEvent, PlanarRun, PlanarState, PlanarWheel,
    Seen, Settings, WheelMode,
};
use stickslip_loads::transfer::{Branch, Select};

const G: f64 = 9.81;

fn points(list: &[(f64, f64)]) -> Signal {
    let (times, values) = list.iter().copied().unzip();
    Signal::Points(Points::new(times, values).unwrap())
}

fn motorcycle(friction: f64, front_brake: &[(f64, f64)], rear_motor: &[(f64, f64)]) -> PlanarBody {
    let wheel = |place, inertia, brake, motor| PlanarWheel { place, radius: 0.3, inertia, friction, brake, motor };
    let signal = |list: &[(f64, f64)]| if list.is_empty() { Signal::ZERO } else { points(list) };
    PlanarBody::new(PlanarData {
        mass: 250.0,
        pitch_inertia: 45.0,
        height: 0.7,
        gravity: G,
        wheels: [
            wheel(0.72, 0.6, signal(front_brake), Signal::ZERO),
            wheel(-0.73, 0.8, Signal::ZERO, signal(rear_motor)),
        ],
    })
    .unwrap()
}

fn impact_of(happened: &[PlanarEvent]) -> (f64, Impact) {
    let found = happened.iter().find_map(|event| match &event.kind {
        Kind::Impact(impact) => Some((event.t, *impact)),
        _ => None,
    });
    found.unwrap()
}

/// A run that is looked at, and keeps what happened.
struct Ride<'a> {
    body: &'a PlanarBody,
    run: PlanarRun,
    work: Extrapolation,
    seen: Seen,
    happened: Vec<PlanarEvent>,
}

impl<'a> Ride<'a> {
    fn new(body: &'a PlanarBody, state: PlanarState, settings: Settings) -> Result<Ride<'a>, PlanarError> {
        let mut happened = Vec::new();
        let run = PlanarRun::new(body, state, settings, &mut |event| happened.push(event))?;
        let mut work = PlanarRun::integrator(body, &settings);
        let seen = run.at(body, &mut work, 0.0).unwrap();
        Ok(Ride { body, run, work, seen, happened })
    }

    fn advance_to(&mut self, t: f64) -> Result<(), PlanarError> {
        while self.run.fell_over().is_none() {
            let ahead = self.run.ahead(self.body, &mut self.work, f64::INFINITY)?;
            if ahead.until > t {
                break;
            }
            self.run.pass(self.body, ahead, &mut |event| self.happened.push(event))?;
        }
        self.seen = self.run.at(self.body, &mut self.work, t.min(self.run.fell_over().unwrap_or(t))).unwrap();
        Ok(())
    }

    fn state(&self) -> &PlanarState {
        &self.seen.state
    }

    fn loads(&self) -> &Loads {
        &self.seen.loads
    }

    fn happened(&self) -> &[PlanarEvent] {
        &self.happened
    }

    fn fell_over(&self) -> Option<f64> {
        self.run.fell_over()
    }
}

/// Runs to the end of the table of samples and compares samples and events.
fn against(body: &PlanarBody, speed: f64, samples: &str, events: &str) {
    let mut run = Ride::new(body, body.rolling(speed), Settings::default()).unwrap();
    for row in columns(samples) {
        run.advance_to(row[0]).unwrap();
        let (q, v) = (run.state().q, run.state().v);
        let found = [q[0], q[1], q[2], v[0], v[1], v[2], v[3], v[4], body.gap(0, &q), body.gap(1, &q)];
        for (k, found) in found.iter().enumerate() {
            assert!((found - row[1 + k]).abs() < 2e-8, "t = {}, column {k}: {found} {}", row[0], row[1 + k]);
        }
        let loads = run.loads();
        let forces = [loads.normal, loads.tangential, loads.brake].concat();
        for (k, found) in forces.iter().enumerate() {
            assert!((found - row[11 + k]).abs() < 1e-4, "t = {}, force {k}: {found} {}", row[0], row[11 + k]);
        }
    }
    let rows = cells(events);
    run.advance_to(rows.last().unwrap()[0].parse().unwrap()).unwrap();
    let told: Vec<&PlanarEvent> = run.happened().iter().collect();
    // The table has the end as a row of its own.
    assert_eq!(told.len(), rows.len() - 1, "{told:#?}");
    for (event, row) in told.iter().zip(&rows) {
        let number = |k: usize| row[k].parse::<f64>().unwrap();
        assert!((event.t - number(0)).abs() < 1e-9, "{} {}", event.t, row[0]);
        match &event.kind {
            Kind::Modes { solutions, unstable, .. } => {
                assert!(row[1].starts_with("mode") && solutions.len() == 1 && !unstable);
                assert!((event.state.q[0] - number(2)).abs() < 1e-8 && (event.state.v[0] - number(3)).abs() < 1e-8);
            }
            Kind::PitchExtremum => assert!(row[1] == "pitch extremum" && (event.state.q[2] - number(4)).abs() < 1e-9),
            Kind::Impact(impact) => {
                assert!(row[1].starts_with("impact") && (event.state.v[0] - number(3)).abs() < 1e-8);
                let found = [impact.normal, impact.tangential, impact.energy].concat();
                for (k, found) in found.iter().enumerate() {
                    assert!((found / number(8 + k) - 1.0).abs() < 1e-8, "{found} {}", row[8 + k]);
                }
            }
            Kind::FellOver => panic!("fell over"),
        }
    }
    let end = rows.last().unwrap();
    assert!((run.state().q[0] - end[2].parse::<f64>().unwrap()).abs() < 1e-8);
}

#[test]
fn stoppie() {
    let brake = [(0.1, 0.0), (0.3, 900.0), (0.7, 900.0), (0.8, 0.0)];
    let body = motorcycle(1.2, &brake, &[]);
    against(
        &body,
        20.0,
        include_str!("../../../reference/loads/motorcycle-stoppie.csv"),
        include_str!("../../../reference/loads/motorcycle-stoppie-events.csv"),
    );
}

#[test]
fn small_stoppie() {
    let brake = [(0.1, 0.0), (0.3, 900.0), (0.4, 900.0), (0.45, 0.0)];
    let body = motorcycle(1.2, &brake, &[]);
    against(
        &body,
        20.0,
        include_str!("../../../reference/loads/motorcycle-stoppie-small.csv"),
        include_str!("../../../reference/loads/motorcycle-stoppie-small-events.csv"),
    );
}

#[test]
fn wheelie() {
    let body = motorcycle(1.2, &[], &[(0.1, 0.0), (0.2, -900.0), (0.6, -900.0), (0.7, 0.0)]);
    against(
        &body,
        8.0,
        include_str!("../../../reference/loads/motorcycle-wheelie.csv"),
        include_str!("../../../reference/loads/motorcycle-wheelie-events.csv"),
    );
}

#[test]
fn wheelie_with_a_spinning_wheel() {
    let body = motorcycle(1.08, &[], &[(0.1, 0.0), (0.2, -1300.0), (0.36, -1300.0), (0.42, 0.0)]);
    against(
        &body,
        8.0,
        include_str!("../../../reference/loads/motorcycle-wheelie-spin.csv"),
        include_str!("../../../reference/loads/motorcycle-wheelie-spin-events.csv"),
    );
}

/// A thousand falls from just above the ground, with any pitch, speeds and spins: impulses obey their law, and energy never rises.
#[test]
fn a_thousand_random_landings_lose_energy() {
    let mut seed = 7_u64;
    let mut between = |low: f64, high: f64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((seed >> 11) as f64 / (1_u64 << 53) as f64)
    };
    let (mut landings, mut fell) = (0, 0);
    while landings < 1000 {
        let friction = between(0.0, 1.3);
        let body = motorcycle(friction, &[], &[]);
        let pitch = between(-0.6, 0.6);
        let mut state = body.rolling(between(-20.0, 20.0));
        state.q[2] = pitch;
        state.v[1] = between(-3.0, -0.1);
        state.v[2] = between(-3.0, 3.0);
        (state.v[3], state.v[4]) = (between(-80.0, 80.0), between(-80.0, 80.0));
        // The lower wheel a millimetre above the road.
        state.q[1] += 1e-3 - body.gap(0, &state.q).min(body.gap(1, &state.q));
        let mut run = Ride::new(&body, state, Settings { on_none: OnNone::Impulse, ..Settings::default() }).unwrap();
        if run.advance_to(0.05).is_err() {
            fell += 1;
            assert!(fell < 50, "{fell} runs ended with an error");
        }
        for event in run.happened() {
            let Kind::Impact(impact) = &event.kind else { continue };
            landings += 1;
            let [before, after] = impact.energy;
            assert!(after <= before * (1.0 + 1e-14), "{before} {after}");
            for (normal, tangential) in impact.normal.iter().zip(impact.tangential) {
                assert!(*normal >= 0.0 && tangential.abs() <= friction * normal * (1.0 + 1e-9) + 1e-9, "{impact:?}");
            }
        }
    }
}

#[test]
fn energy_never_rises_at_a_landing() {
    for (peak, friction) in [(700.0, 1.2), (800.0, 1.3), (900.0, 0.97), (1000.0, 1.1), (900.0, 1.2)] {
        let body = motorcycle(friction, &[(0.1, 0.0), (0.3, peak), (0.5, peak), (0.6, 0.0)], &[]);
        let mut run = Ride::new(&body, body.rolling(20.0), Settings::default()).unwrap();
        run.advance_to(2.0).unwrap();
        for event in run.happened() {
            let Kind::Impact(impact) = &event.kind else { continue };
            let [before, after] = impact.energy;
            assert!(after <= before, "{before} {after}");
            assert!(impact.normal.iter().all(|p| *p >= 0.0));
        }
    }
    // With both wheels gripping, the momentum along the road is shared: x1⁺ = (m x1⁻ − Σ I θ̇⁻/R)/(m + ΣJ).
    let body = motorcycle(1.2, &[(0.1, 0.0), (0.3, 900.0), (0.4, 900.0), (0.45, 0.0)], &[]);
    let mut run = Ride::new(&body, body.rolling(20.0), Settings::default()).unwrap();
    let (landing, impact) = (0.51276964, |run: &Ride<'_>| impact_of(run.happened()).1);
    run.advance_to(landing - 1e-6).unwrap();
    let before = *run.state();
    run.advance_to(landing + 1e-6).unwrap();
    assert!(impact(&run).modes.iter().all(|mode| *mode == WheelMode::Stick));
    let spin = (0.6 * before.v[3] + 0.8 * before.v[4]) / 0.3;
    let shared = (250.0 * before.v[0] - spin) / (250.0 + 1.4 / 0.09);
    assert!((run.state().v[0] - shared).abs() < 1e-4, "{} {shared}", run.state().v[0]);
}

#[test]
fn a_stoppie_held_too_long_falls_over() {
    let body = motorcycle(1.2, &[(0.1, 0.0), (0.3, 1000.0)], &[]);
    let mut run = Ride::new(&body, body.rolling(25.0), Settings::default()).unwrap();
    run.advance_to(5.0).unwrap();
    let t = run.fell_over().unwrap();
    assert!(t > 0.3 && t < 3.0 && run.run.t() == t, "{t}");
    let pitch = run.state().q[2];
    assert!((pitch.abs() - std::f64::consts::FRAC_PI_2).abs() < 1e-9 || run.state().q[1].abs() < 1e-9, "{pitch}");
    assert_eq!(run.happened().last().unwrap().kind, Kind::FellOver);
    let still = *run.state();
    run.advance_to(9.0).unwrap();
    assert_eq!(*run.state(), still, "no numbers upside down");
}

/// E1 with free heave and pitch: 𝒥 = 60 apart from the spin of wheels.
fn e1(height: f64, spinning: bool, torque: f64) -> (PlanarBody, PlanarState) {
    let wheel = |place, brake: f64, motor: f64| PlanarWheel {
        place,
        radius: 0.3,
        inertia: 0.5,
        friction: 0.9,
        brake: Signal::Constant(brake),
        motor: Signal::Constant(motor),
    };
    let rear = if spinning { wheel(-0.5, 0.0, -50.0) } else { wheel(-0.5, torque, 0.0) };
    let data =
        PlanarData { mass: 100.0, pitch_inertia: 60.0, height, gravity: G, wheels: [wheel(0.5, torque, 0.0), rear] };
    let body = PlanarBody::new(data).unwrap();
    let mut state = body.rolling(5.0);
    (state.v[3], state.v[4]) = (0.0, if spinning { -8.0 / 0.3 } else { 0.0 });
    (body, state)
}

#[test]
fn e1_under_each_selection() {
    let (body, state) = e1(1.2, true, 1000.0);
    let rows = cells(include_str!("../../../reference/loads/e1-three-selections.csv"));
    for (name, select) in [("both", Select::Both), ("rear lifted", Select::Rear), ("front lifted", Select::Front)] {
        let mut run = Ride::new(&body, state, Settings { select, ..Settings::default() }).unwrap();
        let Kind::Modes { solutions, unstable, .. } = &run.happened()[0].kind else { panic!("no modes") };
        let mut found: Vec<(Branch, i8)> = solutions.iter().map(|s| (s.branch, s.index)).collect();
        found.sort_by_key(|(_, index)| *index);
        assert_eq!(found.len(), 3);
        assert_eq!((found[0], *unstable), ((Branch::Closed, -1), name == "both"));
        for row in rows.iter().filter(|row| row[0] == name) {
            let number = |k: usize| row[k].parse::<f64>().unwrap();
            run.advance_to(number(1)).unwrap();
            let (q, v, n) = (run.state().q, run.state().v, run.loads().normal);
            let found = [q[0], q[1], q[2], v[0], v[1], v[2], v[3], v[4], n[0], n[1]];
            for (k, found) in found.iter().enumerate() {
                let tolerance = if k > 7 { 1e-4 } else { 2e-8 };
                assert!((found - number(2 + k)).abs() < tolerance, "{name} {} {k}: {found} {}", row[1], row[2 + k]);
            }
        }
        match name {
            "both" => {
                let grips = run.happened()[1].t;
                assert!((grips - 3.0 / 66.13325).abs() < 1e-8, "{grips}");
            }
            "rear lifted" => assert!((run.happened()[1].t - 0.156582782).abs() < 1e-8),
            _ => {
                assert!((run.happened()[1].t - 0.014145098).abs() < 1e-8);
                let (t, impact) = impact_of(run.happened());
                assert!((t - 0.087976300).abs() < 1e-8);
                assert!((impact.normal[0] - 17.903715).abs() < 1e-5 && (impact.tangential[0] + 16.113344).abs() < 1e-5);
            }
        }
    }
    // Loads at the start, held front wheel included: rear lifted, front lifted.
    let loads = |select| {
        let run = Ride::new(&body, state, Settings { select, ..Settings::default() }).unwrap();
        run.loads().normal
    };
    assert!((loads(Select::Rear)[0] - 1804.77778).abs() < 1e-5);
    assert!((loads(Select::Front)[1] - 1374.45556).abs() < 1e-5);
}

#[test]
fn no_solution_is_an_error_or_an_impulse() {
    // Beyond A11 = 0 of a held wheel (h = 1.91 here) the load grows until the brake gives way: a solution all the same.
    let (body, state) = e1(1.95, false, 1000.0);
    let run = Ride::new(&body, state, Settings::default()).unwrap();
    assert!(run.loads().normal[0] > 1000.0 && run.loads().brake[0] == 1000.0);
    // Beyond that of a wheel that turns, h = R + (ρ² + a²)/(a μ), there is none.
    let none = 0.3 + (0.6 + 0.25) / 0.45;
    let (body, state) = e1(none + 1e-2, false, 1000.0);
    let refused = Ride::new(&body, state, Settings::default()).err().unwrap();
    assert_eq!(refused, PlanarError::NoSolution { t: 0.0 });
    assert!(refused.to_string().contains("Painlevé"));
    // Before it friction leaves some: what does not find them must not blame it.
    assert_eq!(body.no_solution(0.0, 0.0), refused);
    assert_eq!(e1(none - 1e-2, false, 1000.0).0.no_solution(0.0, 0.0), PlanarError::NotFound { t: 0.0 });
    let settings = Settings { on_none: OnNone::Impulse, ..Settings::default() };
    let run = Ride::new(&body, state, settings).unwrap();
    let (t, impact) = impact_of(run.happened());
    assert!(t == 0.0 && impact.normal[0] > 1.0 && impact.energy[1] < impact.energy[0], "{impact:?}");
    let (body, state) = e1(none - 1e-2, false, 1000.0);
    assert!(Ride::new(&body, state, Settings::default()).is_ok());
}

#[test]
fn bad_vehicles_are_refused_in_words() {
    let data = motorcycle(1.2, &[], &[]).data().clone();
    let mut wrong = data.clone();
    wrong.pitch_inertia = 0.0;
    assert_eq!(
        PlanarBody::new(wrong).unwrap_err().to_string(),
        "vehicle in its plane: pitch inertia = 0 kg m²: it must be a finite number > 0"
    );
    let mut wrong = data;
    wrong.wheels.swap(0, 1);
    assert!(PlanarBody::new(wrong).unwrap_err().to_string().contains("ahead of the centre of mass"));
}
