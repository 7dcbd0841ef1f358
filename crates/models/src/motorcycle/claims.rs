//! What is claimed of motorcycles.

use stickslip_scenario::Override;
use stickslip_verify::Basis::{ClosedForm, Consistency, Program};
use stickslip_verify::Expected::{AtMost, Near, Text, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Chapter, Claim, Measured, Value};

use super::Parameters;
use crate::measured::measured;

pub(super) const CHAPTERS: &[Chapter] = &[CHAPTER];

const STOPPIE: &str = "reference/loads/motorcycle-stoppie-events.csv";
const SMALL: &str = "reference/loads/motorcycle-stoppie-small-events.csv";
const WHEELIE: &str = "reference/loads/motorcycle-wheelie-events.csv";
const SPIN: &str = "reference/loads/motorcycle-wheelie-spin-events.csv";
const THREE: &str = "load-transfer-three-solutions";

/// A claim about a number that a run comes to, found by another program.
macro_rules! found {
    ($text:expr, $source:expr, $value:expr, $scenario:expr, $name:expr) => {
        Claim::that($text).by(Program, $source).expects(Within($value, 1e-8), |_| measured($scenario, &[], $name))
    };
}

const CHAPTER: Chapter = Chapter {
    title: "Motorcycles: wheels that lift and land",
    claims: &[
        found!("stoppie: the rear wheel lifts at (s)", STOPPIE, 0.270_705_084_746, "motorcycle-stoppie", "first_lift"),
        found!("stoppie: greatest pitch (rad)", STOPPIE, -0.431_439_121_734, "motorcycle-stoppie", "greatest_pitch"),
        found!("stoppie: lands at (s)", STOPPIE, 1.215_448_208_47, "motorcycle-stoppie", "landing_time"),
        found!(
            "stoppie: impulse under the rear wheel (N s)",
            STOPPIE,
            342.120_165_331,
            "motorcycle-stoppie",
            "landing_impulse_rear"
        ),
        found!("stoppie: energy lost in the landing (J)", STOPPIE, 783.700_982_8, "motorcycle-stoppie", "landing_loss"),
        Claim::that("stoppie: the landing pushes the motorcycle forward, x1 after it (m/s)")
            .by(Program, STOPPIE)
            .expects(Within(13.786_610_878_7, 1e-8), |_| at_end("motorcycle-stoppie", "landing_speed_after")),
        found!(
            "small stoppie: greatest pitch (rad)",
            SMALL,
            -0.019_492_718_368_3,
            "motorcycle-stoppie-small",
            "greatest_pitch"
        ),
        found!("small stoppie: lands at (s)", SMALL, 0.512_769_644_83, "motorcycle-stoppie-small", "landing_time"),
        found!("wheelie: greatest pitch (rad)", WHEELIE, 0.314_473_914_427, "motorcycle-wheelie", "greatest_pitch"),
        found!("wheelie: lands at (s)", WHEELIE, 1.035_213_076_73, "motorcycle-wheelie", "landing_time"),
        found!(
            "wheelie with spin: greatest pitch (rad)",
            SPIN,
            0.319_248_948_296,
            "motorcycle-wheelie-spin",
            "greatest_pitch"
        ),
        found!("wheelie with spin: lands at (s)", SPIN, 0.820_632_424_268, "motorcycle-wheelie-spin", "landing_time"),
        Claim::that("the rear lifts at a brake torque of a m g/(1 + (h - R) m/(R (m + J))), relative miss")
            .by(ClosedForm, "docs/motorcycle.md, moments about the centre of mass")
            .expects(AtMost(1e-6), |_| lifts_at()),
        Claim::that("stoppie by steps: order of the place at the end")
            .by(Consistency, "implicit Euler")
            .expects(Near(1.0, 0.1), |_| order()),
        Claim::that("three solutions: branches and indices at the start")
            .by(Program, "enumeration of all modes, docs/motorcycle.md")
            .expects(Text("both wheels on the ground -1, rear lifted +1, front lifted +1"), |_| branches()),
        Claim::that("three solutions begin at the height R + (b + M/(m g))/mu (m), by bisection")
            .by(ClosedForm, "A N = -q with N1 = 0")
            .expects(Near(0.3 + (0.5 - 50.0 / 981.0) / 0.9, 1e-9), |_| border([0.6, 1.5], |count| count >= 3)),
        Claim::that("and end at (J/m + a^2)/(a mu), where A11 = 0 (m)")
            .by(ClosedForm, "A11 = 1/m + a (a - mu h)/J, J with the wheel that is held")
            // Loads grow beyond all bounds there, and modes are asked a moment later.
            .expects(Near((0.6 + 0.25) / (0.5 * 0.9), 2e-6), |_| border([1.5, 2.1], |count| count < 3)),
    ],
};

fn scenario(name: &str, changes: &[&str]) -> Result<stickslip_run::Scenario, String> {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    crate::MODELS.builtin(name, &changes).map_err(|error| error.to_string())
}

/// A value of the state at the end of a run.
fn at_end(name: &str, value: &str) -> Measured {
    let run = stickslip_run::run_to_end(&scenario(name, &[])?).map_err(|error| error.to_string())?;
    let found = run.values().into_iter().find(|(name, _)| name == value);
    found.map(|(_, value)| Number(value)).ok_or_else(|| format!("there is no {value}"))
}

/// A brake torque that grows slowly: where the rear wheel has lifted, against the closed form.
fn lifts_at() -> Measured {
    // The rear wheel is nearly without inertia, so that it follows the motorcycle until it lifts.
    let grow = "front.brake={ points = [[0, 760], [1, 780]] }";
    let changes = [grow, "run.duration=1", "rear.inertia=1e-9"];
    let scenario = scenario("motorcycle-stoppie", &changes)?;
    let p = scenario.model.of::<Parameters>().ok_or("no motorcycle")?;
    let (d, front) = (&p.data, &p.data.wheels[0]);
    let j = front.inertia / (front.radius * front.radius);
    let expected = stickslip_loads::lift::rear_lifts_at(d.mass, d.gravity, front.place, d.height, front.radius, j);
    let t = stickslip_run::measure(&scenario).map_err(|error| error.to_string())?.value("first_lift");
    Ok(Number(((760.0 + 20.0 * t.ok_or("it does not lift")?) / expected - 1.0).abs()))
}

fn order() -> Measured {
    let end = |step: &str| -> Result<f64, String> {
        let changes = ["run.scheme=implicit-euler", step];
        let run = stickslip_run::run_to_end(&scenario("motorcycle-stoppie", &changes)?).map_err(|e| e.to_string())?;
        run.values().first().map(|(_, x)| x - 30.378_157_274_2).ok_or_else(|| "nothing".to_string())
    };
    Ok(Number((end("run.step=1e-3")? / end("run.step=5e-4")?).log2()))
}

fn branches() -> Measured {
    let scenario = scenario(THREE, &[])?;
    let p = scenario.model.of::<Parameters>().ok_or("no motorcycle")?;
    let body = stickslip_loads::planar::PlanarBody::new(p.data.clone()).map_err(|error| error.to_string())?;
    let mut all = stickslip_loads::planar::PlanarRun::solutions(&body, p.start());
    all.sort_by_key(|solution| (solution.index, solution.branch != stickslip_loads::transfer::Branch::RearLifted));
    let words: Vec<String> = all.iter().map(|s| format!("{} {:+}", s.branch.words(), s.index)).collect();
    Ok(Value::Text(words.join(", ")))
}

/// The height at which the number of solutions comes to fulfil something, with a pitch inertia that is 60 kg m² together with the
/// wheel which is held, by a brake that never gives way.
fn border([mut below, mut above]: [f64; 2], fulfils: impl Fn(usize) -> bool) -> Measured {
    let scenario = scenario(THREE, &["motorcycle.pitch_inertia=59.5", "front.brake=1e18"])?;
    let p = scenario.model.of::<Parameters>().ok_or("no motorcycle")?;
    // A brake that gives way all the same is another solution, with loads of the size of its torque.
    let held = |place: [f64; 2]| place.iter().all(|load| *load < 1e14);
    for _ in 0..60 {
        let middle = 0.5 * (below + above);
        let solutions = p.solutions_with(0.9, middle);
        if fulfils(solutions.iter().filter(|solution| held(solution.place)).count()) {
            above = middle;
        } else {
            below = middle;
        }
    }
    Ok(Number(above))
}
