//! Tyres, brake discs, controllers (docs/vehicle.md 6 to 8).

use stickslip_core::simulation::Simulation;
use stickslip_run::run_to_end;
use stickslip_scenario::Override;
use stickslip_verify::Basis::{ClosedForm, Consistency, Program};
use stickslip_verify::Expected::{AtMost, Exactly, Near};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured};

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Vehicles: tyres through standstill, warm brakes, controllers",
    claims: &[
        Claim::that("tyre-braking by events: place of rest (m)")
            .by(Program, "reference/tyre/tyre-brake-900.csv, two codes")
            .expects(Near(61.274_022_59, 1e-7), |_| column("tyre-braking", &[], 7.0, "x")),
        Claim::that("the same: deflection of the tread at V = 0, t = 4.0799673043 s (m)")
            .by(Program, "reference/tyre/tyre-brake-900.csv")
            .expects(Near(-0.008_117_133_111_4, 1e-8), |_| column("tyre-braking", &[], 4.079_967_304_3, "z_wheel")),
        Claim::that("the same with 1500 N m, which locks: place of rest (m)")
            .by(Program, "reference/tyre/tyre-brake-1500-locks.csv")
            .expects(Near(62.595_387_36, 1e-7), |_| column("tyre-braking", &["wheel.wheel.brake=1500"], 7.0, "x")),
        Claim::that("the same by steps: order of the place of rest").by(Consistency, "implicit Euler").expects(
            Near(1.0, 0.05),
            |_| {
                let miss = |step: &str| -> Result<f64, String> {
                    let changes = ["run.scheme=\"implicit-euler\"", step];
                    Ok((value("tyre-braking", &changes, 7.0, "x")? - 61.274_022_59).abs())
                };
                Ok(Number((miss("run.step=2e-4")? / miss("run.step=1e-4")?).log2()))
            },
        ),
        Claim::that("tyre-park: place after 2 s (m)")
            .by(Program, "reference/tyre/tyre-park-10-percent.csv")
            .expects(Near(-1.630_629_136e-3, 1e-10), |_| column("tyre-park", &[], 2.0, "x")),
        Claim::that("the same: change of place and deflection from 1 s to 1 h (m)")
            .by(Consistency, "rest is exact")
            .expects(Exactly(0.0), |_| {
                let mut moved = 0.0;
                for name in ["x", "z_wheel"] {
                    let [early, late] = [1.0, 3600.0].map(|t| value("tyre-park", &[], t, name));
                    moved += (late? - early?).abs();
                }
                Ok(Number(moved))
            }),
        Claim::that("anti-lock-tyre: place at V = 0, t = 3.874693195 s (m)")
            .by(Program, "reference/tyre/abs-tyre-z.csv, two codes")
            .expects(Near(57.464_997_94, 1e-6), |_| column("anti-lock-tyre", &[], 3.874_693_195, "x")),
        Claim::that("the same: cycles of the controller")
            .by(Program, "reference/tyre/abs-tyre-z.csv")
            .expects(Exactly(27.0), |_| ended("anti-lock-tyre", &[], "cycles_abs")),
        Claim::that("the same without control: place at V = 0, t = 4.241451254 s (m)")
            .by(Program, "reference/tyre/abs-tyre-z.csv")
            .expects(Near(63.804_463_74, 1e-6), |_| {
                column("anti-lock-tyre", &["controller.abs.slip_high=2"], 4.241_451_254, "x")
            }),
        Claim::that("anti-lock-stribeck: place of rest (m)")
            .by(Program, "reference/tyre/abs-stribeck.csv, two codes")
            .expects(Near(70.430_890_88, 1e-6), |_| column("anti-lock-stribeck", &[], 6.0, "x")),
        Claim::that("ten-stops-hot-brake: temperature at the tenth stop (°C)")
            .by(Program, "reference/loads/brake-heat-ten-stops.csv, two codes")
            .expects(Near(449.815_435_6, 1e-6), |_| column("ten-stops-hot-brake", &[], 276.889_826_208, "T_wheel")),
        Claim::that("the same: heat of ten stops over 10·½(m + J)v²")
            .by(ClosedForm, "docs/vehicle.md 7: whatever the brake does")
            .expects(Near(1.0, 1e-9), |_| {
                let heat = value("ten-stops-hot-brake", &[], 300.0, "heat_brake")?;
                Ok(Number(heat / (5.0 * (400.0 + 1.2 / 0.09) * 1600.0)))
            }),
        Claim::that("the same: heat in disc and air over heat of the brake, less one")
            .by(Consistency, "the ledger")
            .expects(AtMost(1e-9), |_| {
                let [t, cooled, heat] =
                    ["T_wheel", "heat_cooled", "heat_brake"].map(|name| value("ten-stops-hot-brake", &[], 300.0, name));
                Ok(Number(((7.0 * 460.0 * (t? - 20.0) + cooled?) / heat? - 1.0).abs()))
            }),
    ],
};

fn run(name: &str, changes: &[&str], t: f64) -> Result<Box<dyn Simulation>, String> {
    let duration = format!("run.duration={t}");
    let changes: Vec<Override> = changes.iter().copied().chain([duration.as_str()]).map(Override::new).collect();
    let scenario = crate::MODELS.builtin(name, &changes).map_err(|e| e.to_string())?;
    run_to_end(&scenario).map_err(|e| e.to_string())
}

/// A column of a built-in scenario at t.
fn value(name: &str, changes: &[&str], t: f64, column: &str) -> Result<f64, String> {
    let run = run(name, changes, t)?;
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    let place = run.columns().iter().position(|own| own.name == column).ok_or("no such column")?;
    Ok(row[place])
}

fn column(name: &str, changes: &[&str], t: f64, column: &str) -> Measured {
    value(name, changes, t, column).map(Number)
}

/// What a run ended with, by name.
fn ended(name: &str, changes: &[&str], what: &str) -> Measured {
    let values = run(name, changes, 6.0)?.values();
    let found = values.iter().find(|(own, _)| own == what).ok_or("no such value")?;
    Ok(Number(found.1))
}
