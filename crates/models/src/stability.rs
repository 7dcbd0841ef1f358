//! Claims about small motions: critical values and growth in closed form (docs/stability.md).

use stickslip_run::simulation;
use stickslip_run::stability::{Stability, StabilityOptions, studied};
use stickslip_scenario::{Interval, Override};
use stickslip_verify::Basis::{ClosedForm, Method, Reference};
use stickslip_verify::Expected::{AtMost, Near, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured};

use crate::MODELS;

/// What is claimed of small motions.
pub(crate) const CHAPTER: Chapter = Chapter {
    title: "Small motions about sliding and rolling",
    claims: &[
        Claim::that("belt-falling-friction: growth, (N |μ'| − c)/2m (1/s)")
            .by(ClosedForm, "docs/stability.md 3")
            .expects(Near(6.156_508_007_421_491, 1e-10), |_| Ok(Number(leading("belt-falling-friction", &[])?[0]))),
        Claim::that("the same: critical speed of the belt, 0.1 ln 10 (m/s)")
            .by(ClosedForm, "docs/stability.md 3: c + N μ'(v) = 0")
            .expects(Within(0.230_258_509_299_404_56, 1e-9), |_| {
                critical("belt-falling-friction", &[], "support.belt.speed=0.05:1")
            }),
        Claim::that("the same, run by events from 1e-7 m off: growth over 0.3 s against the root, relative")
            .by(Method, "the run in time, which knows no eigenvalues")
            .expects(AtMost(1e-3), |_| growth_in_time()),
        Claim::that("mode-coupling without damping: critical friction, (k_xy² + (k_xx − k_yy)²/4)/(k_xy k_c)")
            .by(ClosedForm, "docs/stability.md 3: equal roots of the unsymmetric stiffness")
            .expects(Within(0.219_393_102_292_058_3, 1e-9), |_| {
                critical("mode-coupling", &["damper.1.damping=0"], "pad.pad.friction=0.1:0.5")
            }),
        Claim::that("towed-wheel-p1: critical length of the bar, R √(3 m_w/2 m_b) (m)")
            .by(ClosedForm, "docs/towed-wheel.md: A2 = 1")
            .expects(Within(0.273_861_278_752_583_04, 1e-9), |_| {
                critical("towed-wheel-p1", &[], "bar.length=0.05:0.5")
            }),
        Claim::that("the same: frequency there, sqrt(A1 k/m)/2π (Hz)")
            .by(ClosedForm, "docs/towed-wheel.md: at A2 = 1 the cubic is (λ² + A1 k/m)(λ + v/L)")
            .expects(Within(15.915_494_309_189_533, 1e-9), |_| {
                let all = looked("towed-wheel-p1", &[], &["bar.length=0.05:0.5"])?;
                let found = all.found.first().and_then(|found| found.critical.first());
                found.map(|critical| Number(critical.root.hertz())).ok_or_else(|| "no critical value".into())
            }),
        Claim::that("squeal-one-mode: critical creepage, (v0/V) ln(N0 Δμ φ²/(2ζω v0))")
            .by(ClosedForm, "docs/stability.md 3")
            .expects(Within(0.074_123_259_717_3, 1e-9), |_| {
                critical("squeal-one-mode", &[], "wheel.creepage=0.02:0.2")
            }),
        Claim::that(
            "squeal-pair without damping, point contact: lower critical friction, a root of (k11 − k22)² + 4 k12 k21",
        )
        .by(ClosedForm, "reference/squeal/thresholds.csv")
        .expects(Within(0.250_471_727_608, 1e-9), |_| {
            let undamped = ["wheel.modes.4L0.damping=0", "wheel.modes.R.damping=0", POINT];
            critical("squeal-pair", &undamped, "contact.friction=0.1:0.5")
        }),
        Claim::that("squeal-pair with damping: critical friction, below that without")
            .by(Reference, "reference/squeal/thresholds.csv, Hurwitz")
            .expects(Within(0.229_555_096_129, 1e-9), |_| critical("squeal-pair", &[], "contact.friction=0.1:0.5")),
        Claim::that("squeal-wheel: critical creepage")
            .by(Reference, "reference/squeal/thresholds.csv")
            .expects(Within(0.006_425_862_731, 1e-9), |_| critical("squeal-wheel", &[], "wheel.creepage=0.002:0.05")),
    ],
};

/// A contact point of constant friction instead of a patch.
const POINT: &str = "contact={kind=\"point\", friction=0.35}";

fn looked(name: &str, set: &[&str], find: &[&str]) -> Result<Stability, String> {
    let overrides: Vec<Override> = set.iter().map(|text| Override::new(*text)).collect();
    let scenario = MODELS.builtin(name, &overrides).map_err(|error| error.to_string())?;
    let find: Result<Vec<Interval>, String> =
        find.iter().map(|text| Interval::read(text, false).map_err(|fault| fault.message)).collect();
    let options = StabilityOptions { find: find?, ..StabilityOptions::default() };
    studied(&MODELS, &scenario, &options, &mut |_| ()).map_err(|failure| failure.to_string())
}

fn critical(name: &str, set: &[&str], range: &str) -> Measured {
    let all = looked(name, set, &[range])?;
    match all.found.first().map(|found| &found.critical[..]) {
        Some([only]) => Ok(Number(only.value)),
        other => Err(format!("{other:?} instead of one critical value")),
    }
}

/// σ and ω of the fastest growing root [1/s].
fn leading(name: &str, set: &[&str]) -> Result<[f64; 2], String> {
    let own = looked(name, set, &[])?.own?;
    let root = own.modes.first().ok_or("no modes")?.root;
    Ok([root.real, root.frequency])
}

/// How far the growth of a run is from the root: v − λ̄ x is the amplitude of the mode, and grows by e^{λt}.
fn growth_in_time() -> Measured {
    const UNTIL: f64 = 0.3;
    const OFF: f64 = 1e-7;
    let [real, frequency] = leading("belt-falling-friction", &[])?;
    // Where friction balances the spring: μ(v) N/k.
    let rest = (0.3 + 0.2 * (-1.5_f64).exp()) * 50.0 / 1e4;
    let start = Override::new(format!("body.block.x={}", rest + OFF));
    let scenario = MODELS.builtin("belt-falling-friction", &[start]).map_err(|error| error.to_string())?;
    let mut run = simulation(&scenario).map_err(|failure| failure.to_string())?;
    run.advance_to(UNTIL).map_err(|error| error.to_string())?;
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    let value = |name: &str| {
        let at = run.columns().iter().position(|column| column.name == name);
        at.map(|at| row[at]).ok_or_else(|| format!("no column {name}"))
    };
    let amplitude = |x: f64, v: f64| (v - real * (x - rest)).hypot(frequency * (x - rest));
    let grown = (amplitude(value("x_block")?, value("vx_block")?) / amplitude(rest + OFF, 0.0)).ln() / UNTIL;
    Ok(Number((grown / real - 1.0).abs()))
}
