//! What is claimed of half-cars.

use stickslip_scenario::Override;
use stickslip_verify::Basis::{ClosedForm, Consistency, Program};
use stickslip_verify::Expected::{AtMost, Near, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured};

use super::Parameters;
use crate::measured::measured;

pub(super) const CHAPTERS: &[Chapter] = &[CHAPTER];

const REFERENCE: &str = "reference/loads/halfcar-suspension.csv";
const BRAKING: &str = "half-car-braking";

const CHAPTER: Chapter = Chapter {
    title: "Half-cars: springs, and tyres that leave the ground",
    claims: &[
        Claim::that("braking: the rear tyre leaves the ground at (s)")
.by(Program, REFERENCE)
.expects(Near(0.241_961_566_7, 1e-9), |_| measured(BRAKING, &[], "first_lift")),
        Claim::that("braking: it lands at (s)")
.by(Program, REFERENCE)
.expects(Near(0.780_864_932_7, 1e-9), |_| measured(BRAKING, &[], "last_landing")),
        Claim::that("braking: greatest air under it (m)")
.by(Program, REFERENCE)
.expects(Near(0.107_655_32, 1e-8), |_| measured(BRAKING, &[], "greatest_gap")),
        Claim::that("braking: greatest pitch (rad)")
.by(Program, REFERENCE)
.expects(Near(-0.164_679_065, 1e-9), |_| measured(BRAKING, &[], "greatest_pitch")),
        Claim::that("a constant brake settles at the pitch of springs and tyres in series, relative miss")
.by(ClosedForm, "docs/half-car.md 3, moments")
.expects(AtMost(1e-9), |_| settles()),
        Claim::that("massless wheels, damping ratio 0.3: a brake that comes at once moves more load than at rest, by the factor")
.by(ClosedForm, "1 + exp(-(pi - 2 psi) tan psi), psi = asin 0.3")
// Wheels of 1/20000 of the body, tyres 14000 times as stiff as springs.
.expects(Within(1.450_975_453, 1e-3), |_| overshoots()),
        Claim::that("it stands after v m/F (s)")
.by(ClosedForm, "momentum")
.expects(Near(2.0 * 250.0 / 1000.0, 1e-12), |_| measured(BRAKING, &["half_car.brake=1000", "initial.speed=2"], "standstill")),
        Claim::that("bump by events: energy of body, wheels, springs and tyres closes to")
.by(Consistency, "the ledger")
.expects(AtMost(1e-12), |_| {
                let run = run("half-car-bump", &[])?;
                Ok(Number(run.ledger().closure()))
            }),
        Claim::that("braking by steps: order of the pitch at the end")
.by(Consistency, "implicit Euler")
.expects(Near(1.0, 0.1), |_| order()),
    ],
};

fn scenario(name: &str, changes: &[&str]) -> Result<stickslip_run::Scenario, String> {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    crate::MODELS.builtin(name, &changes).map_err(|error| error.to_string())
}

fn run(name: &str, changes: &[&str]) -> Result<Box<dyn stickslip_core::simulation::Simulation>, String> {
    stickslip_run::run_to_end(&scenario(name, changes)?).map_err(|error| error.to_string())
}

fn pitch(changes: &[&str]) -> Result<f64, String> {
    let values = run(BRAKING, changes)?.values();
    values.iter().find(|(name, _)| name == "pitch").map(|(_, pitch)| *pitch).ok_or_else(|| "no pitch".into())
}

fn settles() -> Measured {
    let changes = ["half_car.brake=800", "initial.speed=100", "run.duration=10"];
    let scenario = scenario(BRAKING, &changes)?;
    let data = &scenario.model.of::<Parameters>().ok_or("no half-car")?.data;
    let soft: f64 = data.corners.iter().map(|c| 1.0 / c.stiffness + 1.0 / c.tyre_stiffness).sum();
    let base = data.corners[0].place - data.corners[1].place;
    let expected = -800.0 * data.height * soft / (base * base);
    Ok(Number((pitch(&changes)? / expected - 1.0).abs()))
}

fn overshoots() -> Measured {
    // k_1 a = k_2 b = 10 kN and c = ratio k: heave and pitch do not know of each other.
    let (a, b) = (0.72, 0.73);
    let ratio = 0.6 * (40.0_f64 / (10_000.0 * (a + b))).sqrt();
    let of = |wheel: &str, arm: f64| {
        [("stiffness", 1e4 / arm), ("damping", ratio * 1e4 / arm), ("mass", 0.01), ("tyre_stiffness", 2e8)]
            .map(|(key, value)| format!("{wheel}.{key}={value:e}"))
    };
    let more = ["half_car.brake=500", "initial.speed=100", "run.duration=0.25", "run.step=1e-4"].map(String::from);
    let changes: Vec<String> = of("front", a).into_iter().chain(of("rear", b)).chain(more).collect();
    let changes: Vec<&str> = changes.iter().map(String::as_str).collect();
    let car = scenario(BRAKING, &changes)?;
    let data = &car.model.of::<Parameters>().ok_or("no half-car")?.data;
    let rest = 220.0 * data.gravity * b / (a + b);
    let greatest = stickslip_run::measure(&car).map_err(|error| error.to_string())?.value("greatest_load_front");
    Ok(Number((greatest.ok_or("no load")? - rest) * (a + b) / (data.height * 500.0)))
}

fn order() -> Measured {
    let exact = pitch(&[])?;
    let miss = |step: &str| -> Result<f64, String> { Ok(pitch(&["run.scheme=implicit-euler", step])? - exact) };
    Ok(Number((miss("run.step=2.5e-4")? / miss("run.step=1.25e-4")?).log2()))
}
