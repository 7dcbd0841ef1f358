//! The belt with falling friction: where its motions end, by sweeps and searches, and by an integrator of its own.
//!
//! While the block slips, m x'' + c x' + k x = N μ(v − x'), μ(s) = 0.3 + 0.2 exp(−s/0.1). Stick ends where k x + c v = μ(0) N.

use std::path::Path;

use stickslip_scenario::sweep::{Axis, Sweep};
use stickslip_sweep::{Branches, Cells};

use super::{Swept, scenario, searched, searched_with};
use crate::MODELS;

const MASS: f64 = 1.0;
const STIFFNESS: f64 = 1e4;
const DAMPING: f64 = 10.0;
const LOAD: f64 = 50.0;
/// Speed of the belt of belt-basins.
const BELT: f64 = 0.3;

/// (x', x'') of the slipping block.
fn slipping(v: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let friction = LOAD * (0.3 + 0.2 * (-(v - y) / 0.1).exp());
    [y, (friction - DAMPING * y - STIFFNESS * x) / MASS]
}

/// A step of the classical Runge–Kutta method; backwards in time for h < 0.
fn step(v: f64, state: [f64; 2], h: f64) -> [f64; 2] {
    let on = |rate: [f64; 2], h: f64| [state[0] + h * rate[0], state[1] + h * rate[1]];
    let a = slipping(v, state);
    let b = slipping(v, on(a, 0.5 * h));
    let c = slipping(v, on(b, 0.5 * h));
    let d = slipping(v, on(c, h));
    [0, 1].map(|k| state[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]))
}

/// The greatest speed that a block reaches again after stick has ended, less that of the belt.
fn crest(v: f64) -> f64 {
    let h = 2e-5;
    let mut state = [(0.5 * LOAD - DAMPING * v) / STIFFNESS, v];
    let mut turned = false;
    // A period is 0.063 s.
    for _ in 0..10_000 {
        let next = step(v, state, h);
        turned |= next[1] < 0.0;
        if turned && next[1] < state[1] && next[1] > 0.0 {
            // At the crest x'' = 0: a shortened step leads there.
            let (now, then) = (slipping(v, state)[1], slipping(v, next)[1]);
            return step(v, state, h * now / (now - then))[1] - v;
        }
        state = next;
    }
    f64::NAN
}

/// The speed of the belt from which a block that was let go is not caught again: by `find`, over that by bisection of [`crest`].
pub(super) fn let_go() -> Result<f64, String> {
    let (mut low, mut high) = (0.3, 0.5);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if crest(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    let speed = "support.belt.speed";
    let x = format!("({} - {DAMPING}*{speed})/{STIFFNESS}", 0.5 * LOAD);
    let follow = [("body.block.x", x.as_str()), ("body.block.speed", speed)];
    let found = searched_with("belt-falling-friction", &[], &format!("{speed}=0.3:0.5"), "sticks.pad == 0", &follow)?;
    Ok(found / low)
}

/// Places of the unstable limit cycle of belt-basins, once around: where the slipping motion tends to, backwards in time.
fn cycle() -> Vec<[f64; 2]> {
    let h = -2e-5;
    let mut state = [0.0018 + 1e-3, 0.0];
    let mut points = Vec::new();
    let mut rounds = 0;
    while rounds < 60 {
        let next = step(BELT, state, h);
        // Through x' = 0 at the greatest place: a round is complete.
        if state[1] < 0.0 && next[1] >= 0.0 && next[0] > 0.0018 {
            rounds += 1;
            if rounds < 60 {
                points.clear();
            }
            let last = step(BELT, state, h * state[1] / (state[1] - next[1]));
            points.push(last);
        }
        points.push(next);
        state = next;
    }
    points
}

/// The greatest start at rest from which sliding is met: by `find`, over the crossing of the unstable limit cycle.
pub(super) fn separatrix() -> Result<f64, String> {
    let greatest = cycle().iter().map(|point| point[0]).fold(0.0, f64::max);
    let found = searched("belt-basins", &["run.duration=6"], "body.block.x=2e-3:5e-3", "last_stick.pad > 3")?;
    Ok(found / greatest)
}

/// Starts on the wrong side of the cycle.
pub(super) fn basins() -> Result<f64, String> {
    let polygon = cycle();
    let axis = |text: &str| Axis::read(text).map_err(|fault| fault.message);
    let asked = Sweep {
        vary: vec![
            ("body.block.speed".into(), axis("-0.33:0.33:13")?),
            ("body.block.x".into(), axis("-2e-3:5e-3:13")?),
        ],
        ..scenario("belt-basins", &[])?.sweep.ok_or("it has no sweep")?
    };
    let swept = Swept::asked("belt-basins", &[], &asked)?;
    swept.wrong("sliding", ["body.block.x", "body.block.speed"], |x, y| inside(&polygon, [x, y]))
}

/// Whether a place lies inside a polygon: rays cross its sides an odd number of times.
fn inside(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed =
        sides.filter(|([ax, ay], [bx, by])| (ay > &y) != (by > &y) && x < ax + (bx - ax) * (y - ay) / (by - ay));
    crossed.count() % 2 == 1
}

/// The middle between the two speeds of a diagram between which stick-slip ends upwards, or begins downwards.
pub(super) fn jump(speeds: &str, up: bool) -> Result<f64, String> {
    // Stuck at first, so that the way up begins in stick-slip.
    let scenario = scenario("belt-falling-friction", &["body.block.speed=0.36", "body.block.x=0.002"])?;
    let mut sweep = scenario.sweep.clone().ok_or("it has no sweep")?;
    sweep.vary = vec![("support.belt.speed".into(), Axis::read(speeds).map_err(|fault| fault.message)?)];
    let branches = Branches::new(&MODELS, &scenario, &sweep, Path::new("")).map_err(|error| error.to_string())?;
    let cells = branches.path(0);
    let column =
        |name: &str| branches.columns().iter().position(|column| column.name == name).and_then(|k| cells.get(k));
    let (Some(Cells::Numbers(keys)), Some(Cells::Numbers(values)), Some(Cells::Texts(ways))) =
        (column("support.belt.speed"), column("value"), column("direction"))
    else {
        return Err("the diagram lacks a column".into());
    };
    let wanted = if up { "up" } else { "down" };
    let own = || (0..keys.len()).filter(|k| ways[*k].as_deref() == Some(wanted));
    // The block reaches the speed of the belt exactly where it sticks.
    let sticks = own().filter(|k| values[*k] == keys[*k]).map(|k| keys[k]).fold(f64::NEG_INFINITY, f64::max);
    let beyond = own().map(|k| keys[k]).filter(|key| *key > sticks).fold(f64::INFINITY, f64::min);
    Ok(0.5 * (sticks + beyond))
}
