//! Maps of parameter spaces: the sweeps of built-in scenarios against their closed forms, and searches (docs/sweep.md).

mod belt;

use std::path::Path;

use stickslip_scenario::Override;
use stickslip_scenario::sweep::{Axis, Sweep};
use stickslip_sweep::find::{Goal, Search, find};
use stickslip_sweep::{Cells, Plan, run_block};
use stickslip_verify::Expected::{AtMost, Exactly, Near, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Basis, Chapter, Claim};

use crate::MODELS;

pub(crate) const CHAPTER: Chapter = Chapter {
    title: "Parameter spaces: sweeps and searches",
    claims: &[
        Claim {
            text: "lock-up map, 41 brake bounds × 31 coefficients: points on the wrong side of a_B = a_G (1 + J/m)",
            source: "docs/wheel.md: rolling holds up to this bound; wheel-sport-braking, [sweep]",
            basis: Basis::ClosedForm,
            expected: Exactly(0.0),
            measure: |_| Ok(Number(lock_up_map()?)),
        },
        Claim {
            text: "bogie map, 25 amplitudes × 13 directions: points on the wrong side of A* = μ_s N_w (m_f + 2 m_w)/m_f",
            source: "docs/assembly.md 4; bogie-case-2, [sweep]",
            basis: Basis::ClosedForm,
            expected: Exactly(0.0),
            measure: |_| Ok(Number(bogie_map()?)),
        },
        Claim {
            text: "block on a belt, 15 speeds, by events: greatest relative distance of the period from its closed form",
            source: "stick 2(F_s − F_k)/(k v), slip 2(π − atan((F_s − F_k)/(v √(k m))))√(m/k); block-on-belt, [sweep]",
            basis: Basis::ClosedForm,
            expected: AtMost(1e-9),
            measure: |_| Ok(Number(belt_periods()?)),
        },
        Claim::that("towed wheel, 31 lengths × 24 masses of the bar: points on the wrong side of A2 = 1")
            .by(Basis::ClosedForm, "docs/towed-wheel.md 2: 2 m_b L² = 3 m_w R²; towed-wheel-p3, [sweep]: the roots of small motions decide")
            .expects(Exactly(0.0), |_| Ok(Number(towed_wheel_chart()?))),
        Claim {
            text: "least friction that holds a car with locked wheels on 10°, by bisection: tan 10°",
            source: "a locked car holds if and only if tan θ ≤ μ; park-on-slope",
            basis: Basis::ClosedForm,
            expected: Near(0.176_326_980_708_464_98, 1e-9),
            measure: |_| {
                let changes = ["wheel.front.brake=1500 N m"];
                Ok(Number(searched("park-on-slope", &changes, "road.friction=0:1", "end.x == 0")?))
            },
        },
        Claim {
            text: "brake torque from which a wheel locks, by bisection: R μ m g (1 + I/(m R²)) (N m)",
            source: "docs/wheel.md; wheel-sport-braking by events",
            basis: Basis::ClosedForm,
            expected: Within(973.152, 1e-9),
            measure: |_| {
                let brake = "brake.torque={ trapezoid = [\"0.5 s\", \"0.7 s\", \"20 s\", \"20.4 s\"], max = 1000 }";
                let changes = ["run.scheme=events", brake];
                Ok(Number(searched("wheel-sport-braking", &changes, "brake.torque.max=600:1400", "known(first_lock)")?))
            },
        },
        Claim {
            text: "belt speed from which a block that starts at rest is never caught, by bisection: F_k/√(k m) (m/s)",
            source: "the greatest speed of its free oscillation about F_k/k; block-on-belt by events",
            basis: Basis::ClosedForm,
            expected: Near(0.5, 1e-9),
            measure: |_| {
                let changes = ["run.scheme=events"];
                Ok(Number(searched("block-on-belt", &changes, "support.belt.speed=0.1:1", "sticks.pad == 0")?))
            },
        },
        Claim::that("belt with falling friction, speed of the belt downwards in steps of 0.005 m/s: where sliding turns into stick-slip (m/s)")
            .by(Basis::ClosedForm, "0.1 ln 10: c + N μ'(v) = 0, as `stability --find` has it; belt-falling-friction, [sweep.bifurcation]")
            .expects(Near(0.230_258_509_299, 0.0025), |_| Ok(Number(belt::jump("[0.2175, 0.2225, 0.2275, 0.2325, 0.2375, 0.4]", false)?))),
        Claim::that("the same upwards in steps of 0.0005 m/s: where stick-slip ends; jumps of the belt's speed may end it a step early (m/s)")
            .by(Basis::Method, "bisection of a Runge–Kutta run from the end of stick: whether the block reaches the speed of the belt again")
            .expects(Near(0.367_320_194, 0.001), |_| Ok(Number(belt::jump("0.36:0.37:21", true)?))),
        Claim::that("speed of the belt at which a block that was let go is not caught again, by bisection, over that of a Runge–Kutta run")
            .by(Basis::Method, "m x'' + c x' + k x = N μ(v − x') by steps of 20 µs; belt-falling-friction by events")
            .expects(Near(1.0, 1e-8), |_| Ok(Number(belt::let_go()?))),
        Claim::that("belt-basins: greatest start from which sliding is met, by bisection, over the crossing of the unstable limit cycle")
            .by(Basis::Method, "the slipping motion backwards in time by Runge–Kutta, which tends to that cycle")
            .expects(Near(1.0, 1e-7), |_| Ok(Number(belt::separatrix()?))),
        Claim::that("belt-basins, 13 × 13 starts: those on the wrong side of the unstable limit cycle")
            .by(Basis::Method, "the same cycle as a polygon")
            .expects(Exactly(0.0), |_| Ok(Number(belt::basins()?))),
        Claim::that("strongest line of a block that slides on a fast belt: its amplitude over F_k/k")
            .by(Basis::ClosedForm, "x = (F_k/k)(1 − cos √(k/m) t) from rest; block-on-belt at 0.8 m/s, 500 s, Hann window")
            .expects(Near(1.0, 1e-5), |_| Ok(Number(line()?[1] / 0.5))),
        Claim::that("its frequency over √(k/m)/2π")
            .by(Basis::ClosedForm, "the same; lines are 2 mHz apart, the strongest is found between them")
            .expects(Near(1.0, 1e-6), |_| Ok(Number(line()?[0] * std::f64::consts::TAU))),
    ],
};

/// The columns of a built-in scenario's own sweep.
struct Swept {
    names: Vec<String>,
    cells: Vec<Cells>,
}

impl Swept {
    fn new(name: &str, changes: &[&str]) -> Result<Swept, String> {
        let sweep = scenario(name, changes)?.sweep.ok_or("it has no sweep")?;
        Swept::asked(name, changes, &sweep)
    }

    fn asked(name: &str, changes: &[&str], sweep: &Sweep) -> Result<Swept, String> {
        let scenario = scenario(name, changes)?;
        let plan = Plan::new(&MODELS, &scenario, sweep, Path::new("")).map_err(|error| error.to_string())?;
        let cells = run_block(&plan, 0, plan.total() as usize);
        let swept = Swept { names: plan.columns().iter().map(|column| column.name.clone()).collect(), cells };
        match swept.texts("error")?.iter().flatten().next() {
            Some(error) => Err(error.clone()),
            None => Ok(swept),
        }
    }

    fn column(&self, name: &str) -> Result<&Cells, String> {
        let place = self.names.iter().position(|known| known == name);
        place.and_then(|place| self.cells.get(place)).ok_or_else(|| format!("the sweep has no {name}"))
    }

    fn numbers(&self, name: &str) -> Result<&[f64], String> {
        match self.column(name)? {
            Cells::Numbers(values) => Ok(values),
            Cells::Texts(_) => Err(format!("{name} holds texts")),
        }
    }

    fn texts(&self, name: &str) -> Result<&[Option<String>], String> {
        match self.column(name)? {
            Cells::Texts(texts) => Ok(texts),
            Cells::Numbers(_) => Err(format!("{name} holds numbers")),
        }
    }

    /// Points at which a class and a formula of two keys do not say the same.
    fn wrong(&self, class: &str, keys: [&str; 2], inside: impl Fn(f64, f64) -> bool) -> Result<f64, String> {
        let (a, b) = (self.numbers(keys[0])?, self.numbers(keys[1])?);
        let classes = self.texts("class")?.iter().map(|own| own.as_deref() == Some(class));
        let points = a.iter().zip(b).map(|(a, b)| inside(*a, *b));
        Ok(classes.zip(points).filter(|(found, wanted)| found != wanted).count() as f64)
    }
}

fn lock_up_map() -> Result<f64, String> {
    let (m, i, r, g) = (400.0, 1.2, 0.3, 9.81);
    let swept = Swept::new("wheel-sport-braking", &[])?;
    swept.wrong("rolls", ["brake.torque.max", "ground.friction"], |torque, mu| {
        torque / r <= mu * m * g * (1.0 + i / (m * r * r))
    })
}

fn bogie_map() -> Result<f64, String> {
    let (frame, wheelset, static_friction, load) = (1359.0, 1120.0, 0.4, 2.0 * 3332.9475);
    let most = static_friction * load * (frame + 2.0 * wheelset) / frame;
    Swept::new("bogie-case-2", &[])?.wrong("sticks", ["amplitude", "direction"], |amplitude, _| amplitude <= most)
}

fn towed_wheel_chart() -> Result<f64, String> {
    let swept = Swept::new("towed-wheel-p3", &[])?;
    swept.wrong("stable", ["bar.length", "bar.mass"], |length, mass| {
        2.0 * mass * length * length > 3.0 * 10.0 * 0.2 * 0.2
    })
}

/// Frequency and amplitude of the strongest line of a block that slides without sticking.
fn line() -> Result<[f64; 2], String> {
    let asked = Sweep {
        vary: vec![("support.belt.speed".into(), Axis::read("[0.8]").map_err(|fault| fault.message)?)],
        outputs: ["frequency.x_block", "amplitude.x_block"].map(|name| (name.to_string(), name.to_string())).to_vec(),
        ..Sweep::default()
    };
    let swept = Swept::asked("block-on-belt", &["run.scheme=events", "run.duration=1000", "run.step=0.1"], &asked)?;
    Ok([swept.numbers("frequency.x_block")?[0], swept.numbers("amplitude.x_block")?[0]])
}

fn belt_periods() -> Result<f64, String> {
    let swept = Swept::new("block-on-belt", &["run.scheme=events"])?;
    let closed_form = |v: &f64| 2.0 * 0.5 / v + 2.0 * (std::f64::consts::PI - (0.5 / v).atan());
    let speeds = swept.numbers("support.belt.speed")?.iter().map(closed_form);
    let off = swept.numbers("period")?.iter().zip(speeds).map(|(found, wanted)| (found / wanted - 1.0).abs());
    // A period that is missing is wrong.
    Ok(off.fold(0.0, |worst, off| if off.is_nan() || off > worst { off } else { worst }))
}

fn scenario(name: &str, changes: &[&str]) -> Result<stickslip_run::Scenario, String> {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    MODELS.builtin(name, &changes).map_err(|error| error.to_string())
}

fn searched(name: &str, changes: &[&str], bracket: &str, until: &str) -> Result<f64, String> {
    searched_with(name, changes, bracket, until, &[])
}

fn searched_with(
    name: &str,
    changes: &[&str],
    bracket: &str,
    until: &str,
    follow: &[(&str, &str)],
) -> Result<f64, String> {
    let scenario = scenario(name, changes)?;
    let (key, range) = bracket.split_once('=').ok_or("no bracket")?;
    let search = Search {
        key: key.to_string(),
        bracket: Axis::bracket(range).map_err(|fault| fault.message)?,
        goal: Goal::Until(until.to_string()),
        tolerance: 1e-13,
        scan: 9,
        follow: follow.iter().map(|(key, formula)| (key.to_string(), formula.to_string())).collect(),
        outputs: Vec::new(),
    };
    find(&MODELS, &scenario, &search, &mut |_| {}).map(|found| found.value).map_err(|error| error.to_string())
}
