//! Maps of parameter spaces: the sweeps of built-in scenarios against their closed forms, and searches (docs/sweep.md).

use std::path::Path;

use stickslip_scenario::Override;
use stickslip_scenario::sweep::Axis;
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
        Claim {
            text: "towed wheel, 11 lengths × 7 masses of the bar: points on the wrong side of A2 = 1 by more than a step of the length",
            source: "docs/towed-wheel.md 2: 2 m_b L² = 3 m_w R²; towed-wheel-p3, [sweep]",
            basis: Basis::ClosedForm,
            expected: Exactly(0.0),
            measure: |_| Ok(Number(towed_wheel_chart()?)),
        },
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
    ],
};

/// The columns of a built-in scenario's own sweep.
struct Swept {
    names: Vec<String>,
    cells: Vec<Cells>,
}

impl Swept {
    fn new(name: &str, changes: &[&str]) -> Result<Swept, String> {
        let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
        let scenario = MODELS.builtin(name, &changes).map_err(|error| error.to_string())?;
        let sweep = scenario.sweep.clone().ok_or("it has no sweep")?;
        let plan = Plan::new(&MODELS, &scenario, &sweep, Path::new("")).map_err(|error| error.to_string())?;
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
    let step = 0.03;
    let stable = |length: f64, mass: f64| 2.0 * mass * length * length > 3.0 * 10.0 * 0.2 * 0.2;
    let (lengths, masses) = (swept.numbers("bar.length")?, swept.numbers("bar.mass")?);
    let found = swept.texts("class")?.iter().map(|class| class.as_deref() == Some("stable"));
    let points = lengths.iter().zip(masses).zip(found);
    // Growth and decay are slow near the boundary: what it is one step further counts as well.
    let wrong = points
        .filter(|((length, mass), found)| [-step, 0.0, step].iter().all(|off| stable(*length + off, **mass) != *found));
    Ok(wrong.count() as f64)
}

fn belt_periods() -> Result<f64, String> {
    let swept = Swept::new("block-on-belt", &["run.scheme=events"])?;
    let closed_form = |v: &f64| 2.0 * 0.5 / v + 2.0 * (std::f64::consts::PI - (0.5 / v).atan());
    let speeds = swept.numbers("support.belt.speed")?.iter().map(closed_form);
    let off = swept.numbers("period")?.iter().zip(speeds).map(|(found, wanted)| (found / wanted - 1.0).abs());
    // A period that is missing is wrong.
    Ok(off.fold(0.0, |worst, off| if off.is_nan() || off > worst { off } else { worst }))
}

fn searched(name: &str, changes: &[&str], bracket: &str, until: &str) -> Result<f64, String> {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    let scenario = MODELS.builtin(name, &changes).map_err(|error| error.to_string())?;
    let (key, range) = bracket.split_once('=').ok_or("no bracket")?;
    let search = Search {
        key: key.to_string(),
        bracket: Axis::bracket(range).map_err(|fault| fault.message)?,
        goal: Goal::Until(until.to_string()),
        tolerance: 1e-13,
        scan: 9,
        follow: Vec::new(),
        outputs: Vec::new(),
    };
    find(&MODELS, &scenario, &search, &mut |_| {}).map(|found| found.value).map_err(|error| error.to_string())
}
