//! What is claimed of squealing wheels.

use stickslip_core::law::Coefficient;
use stickslip_elastic::modes::{Wanted, modes};
use stickslip_run::{measure, simulation};
use stickslip_scenario::Override;
use stickslip_squeal::step::{Start, Stepper, Workspace};
use stickslip_squeal::{Contact, Friction, Wheel};
use stickslip_verify::Expected::{AtMost, Near, Within};
use stickslip_verify::Value::Number;
use stickslip_verify::{Basis, Chapter, Claim, Measured};

use super::Parameters;

pub(super) const CHAPTERS: &[Chapter] = &[CHAPTER];

const ONE: &str = "squeal-one-mode";
const PAIR: &str = "squeal-pair";
const WHEEL: &str = "squeal-wheel";
const FE: &str = "squeal-fe-wheel";

const CHAPTER: Chapter = Chapter {
    title: "Squeal: modal wheels on dry friction",
    claims: &[
        Claim {
            text: "one mode, falling friction: the eigenvalues are stable from a creepage on of",
            source: "(v0/V) ln(N0 dmu phi^2/(2 zeta omega v0))",
            basis: Basis::ClosedForm,
            expected: Near(0.074_123_259_717_3, 1e-9),
            measure: |_| limit(ONE, (0.01, 0.2), |wheel, s0| wheel.creepage = s0),
        },
        Claim {
            text: "two modes, constant friction, damped: flutter begins at a friction of",
            source: "reference/squeal/thresholds.csv (Hurwitz)",
            basis: Basis::Reference,
            expected: Near(0.229_555_096_129, 1e-9),
            measure: |_| limit(PAIR, (0.1, 0.5), point),
        },
        Claim {
            text: "the same with the damping of the radial mode doubled: unequal damping lowers the limit",
            source: "reference/squeal/thresholds.csv",
            basis: Basis::Reference,
            expected: Near(0.209_247_730_2, 1e-9),
            measure: |_| {
                limit(PAIR, (0.1, 0.5), |wheel, mu| {
                    point(wheel, mu);
                    wheel.modes[1].damping *= 2.0;
                })
            },
        },
        Claim {
            text: "two modes without damping: real part 1e-6 above the friction of coalescence, over its square-root law",
            source: "(k11 - k22)^2 + 4 k12 k21 = 0, a quadratic in mu",
            basis: Basis::ClosedForm,
            expected: Within(1.0, 1e-3),
            measure: |_| coalescence(),
        },
        Claim {
            text: "ten modes, creep law with lag: unstable from a creepage on of",
            source: "reference/squeal/thresholds.csv",
            basis: Basis::Reference,
            expected: Near(0.006_425_862_731, 1e-9),
            measure: |_| limit(WHEEL, (0.005, 0.01), |wheel, s0| wheel.creepage = s0),
        },
        Claim {
            text: "one mode: a run grows along its eigenvector as the eigenvalue says, relative miss",
            source: "the eigenvalue",
            basis: Basis::Method,
            expected: AtMost(5e-3),
            measure: |_| growth(ONE, &["run.duration=0.08", "start.eigenvector=1e-6"]),
        },
        Claim {
            text: "two modes on bristles: the same",
            source: "the eigenvalue of sliding as a whole",
            basis: Basis::Method,
            expected: AtMost(5e-3),
            measure: |_| growth(PAIR, &["run.duration=0.08", "start.eigenvector=1e-6"]),
        },
        Claim {
            text: "one mode: frequency of the stick-slip cycle (Hz)",
            source: "reference/squeal/one-mode-point-contact.csv",
            basis: Basis::Reference,
            expected: Within(1_144.406_801, 5e-4),
            measure: |_| measured(ONE, &["start.eigenvector=0.15", "run.duration=0.4"], "frequency"),
        },
        Claim {
            text: "one mode: greatest velocity of the cycle (m/s)",
            source: "reference/squeal/one-mode-point-contact.csv",
            basis: Basis::Reference,
            expected: Within(0.211_384_097, 3e-3),
            measure: |_| measured(ONE, &["start.eigenvector=0.15", "run.duration=0.4"], "v_max"),
        },
        Claim {
            text: "one mode: it sticks, and then the wheel moves against the creepage: least velocity (m/s)",
            source: "-V s0",
            basis: Basis::ClosedForm,
            expected: Near(-0.2, 1e-15),
            measure: |_| measured(ONE, &["start.eigenvector=0.15", "run.duration=0.1"], "v_min"),
        },
        Claim {
            text: "two modes on bristles: frequency of the cycle (Hz)",
            source: "reference/squeal/pair-brush.csv",
            basis: Basis::Reference,
            expected: Within(2012.694, 5e-4),
            measure: |_| measured(PAIR, &["start.eigenvector=0.16"], "frequency"),
        },
        Claim {
            text: "two modes on bristles: least load of the cycle, over that at rest",
            source: "reference/squeal/pair-brush.csv",
            basis: Basis::Reference,
            expected: Near(0.021_85, 0.01),
            measure: |_| measured(PAIR, &["start.eigenvector=0.16"], "load_min"),
        },
        Claim {
            text: "two modes on bristles, by kicks of 2.1 us: greatest velocity of the cycle (m/s)",
            source: "reference/squeal/pair-brush.csv, 400 bristles",
            basis: Basis::Reference,
            expected: Within(0.176_407, 3e-3),
            measure: |_| by_kicks(),
        },
        Claim {
            text: "one mode on friction that falls so steeply that nothing swings: the greater of two real eigenvalues (1/s)",
            source: "lambda^2 + (2 zeta omega + N0 mu' phi^2) lambda + omega^2 = 0",
            basis: Basis::ClosedForm,
            expected: Within(1.0, 1e-12),
            measure: |_| steep(),
        },
        Claim {
            text: "ten modes: the cycle is that of 3L0 (Hz), not that of the fastest eigenvalue",
            source: "reference/squeal/wheel-creep-limit-cycle.csv",
            basis: Basis::Reference,
            expected: Within(1_156.100_7, 1e-3),
            measure: |_| measured(WHEEL, &[], "frequency"),
        },
        Claim {
            text: "a wheel without rim by finite elements: first torsion, over that of an annulus",
            source: "J1(ka) Y2(kb) = Y1(ka) J2(kb), omega = k sqrt(G/rho), by shooting",
            basis: Basis::ClosedForm,
            expected: Within(1.0, 5e-3),
            measure: |_| torsion(),
        },
        Claim {
            text: "a wheel with rim and web: static compliance of all that moves below 3.2 kHz, over that of the structure",
            source: "sum phi_z^2/omega^2 of the modes is less than the compliance that they are part of",
            basis: Basis::Consistency,
            expected: AtMost(1.0),
            measure: |_| held_by_modes(),
        },
        Claim {
            text: "one mode: energy that steps of 4 us lose, over that of 8 us: second order, with stick and slip within steps",
            source: "the ledger",
            basis: Basis::Consistency,
            expected: Near(0.25, 0.03),
            measure: |_| energy_order(),
        },
        Claim {
            text: "one mode: velocities by steps of 4 us and from event to event, relative difference after 20 ms of stick and slip",
            source: "another integrator",
            basis: Basis::Method,
            expected: AtMost(1e-3),
            measure: |_| integrators(),
        },
    ],
};

/// Steel, in round numbers \[Pa\], 1, [kg/m³].
const STEEL: [f64; 3] = [2.1e11, 0.3, 7850.0];

/// The first torsion of a ring clamped inside: u'' + u'/r + (k² − 1/r²) u = 0, u = 0 inside, u' = u/r outside; against finite elements.
fn torsion() -> Measured {
    let [young, poisson, density] = STEEL;
    let (a, b) = (0.2, 0.4);
    let edge = |k: f64| {
        let (n, mut s) = (2000_u32, [0.0, 1.0]);
        let h = (b - a) / f64::from(n);
        let rate = |r: f64, s: [f64; 2]| [s[1], -s[1] / r - (k * k - 1.0 / (r * r)) * s[0]];
        for i in 0..n {
            // The midpoint rule: 1e-7 of k.
            let r = a + f64::from(i) * h;
            let first = rate(r, s);
            let middle = rate(r + 0.5 * h, [s[0] + 0.5 * h * first[0], s[1] + 0.5 * h * first[1]]);
            s = [s[0] + h * middle[0], s[1] + h * middle[1]];
        }
        s[1] - s[0] / b
    };
    let (mut low, mut high) = (0.3 / (b - a), 2.5 / (b - a));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (edge(middle) > 0.0) == (edge(low) > 0.0) { low = middle } else { high = middle }
    }
    let shear = young / (2.0 * (1.0 + poisson));
    let exact = low * (shear / density).sqrt() / std::f64::consts::TAU;
    let ring = stickslip_elastic::mesh::Wheel {
        radius: b,
        width: 0.1,
        rim: 0.05,
        web: 0.1,
        hub: a,
        offset: 0.0,
        cells: [64, 4, 2, 2, 5],
        young,
        poisson,
    };
    let mesh = ring.mesh().map_err(|error| error.to_string())?;
    let found = modes(&mesh.body, density, Wanted::Below(1.1 * exact), &[]).map_err(|error| error.to_string())?;
    let near = |mode: &stickslip_elastic::modes::Mode| (mode.frequency() / exact - 1.0).abs();
    let nearest = found.modes.iter().min_by(|a, b| near(a).total_cmp(&near(b)));
    nearest.map(|mode| Number(mode.frequency() / exact)).ok_or_else(|| "no mode".into())
}

fn held_by_modes() -> Measured {
    let scenario = scenario(FE, &[])?;
    let parameters = scenario.model.of::<Parameters>().ok_or("no wheel")?;
    let built = parameters.built.as_ref().ok_or("no body")?;
    Ok(Number(parameters.wheel.modal_compliance() / built.compliance))
}

fn scenario(name: &str, changes: &[&str]) -> Result<stickslip_run::Scenario, String> {
    let changes: Vec<Override> = changes.iter().map(|change| Override::new(*change)).collect();
    crate::MODELS.builtin(name, &changes).map_err(|error| error.to_string())
}

fn wheel(name: &str) -> Result<Wheel, String> {
    let scenario = scenario(name, &[])?;
    Ok(scenario.model.of::<Parameters>().ok_or("no wheel")?.wheel.clone())
}

fn point(wheel: &mut Wheel, mu: f64) {
    wheel.contact = Contact::Point { friction: Friction::Law(Coefficient::Constant(mu)) };
}

/// Where the greatest real part of the eigenvalues passes zero.
fn limit(name: &str, (mut low, mut high): (f64, f64), set: fn(&mut Wheel, f64)) -> Measured {
    let base = wheel(name)?;
    let grows = |x: f64| {
        let mut wheel = base.clone();
        set(&mut wheel, x);
        wheel.least_stable().map(|value| value.re > 0.0).map_err(|error| error.to_string())
    };
    let at_low = grows(low)?;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if grows(middle)? == at_low {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(Number(0.5 * (low + high)))
}

/// Two undamped modes coalesce where a discriminant D(μ) is 0; beyond it λ² = −(k11 + k22)/2 ± i √(−D)/2, so that Re λ ≈ √(−D)/(4ω).
fn coalescence() -> Measured {
    let mut pair = wheel(PAIR)?;
    pair.modes.iter_mut().for_each(|mode| mode.damping = 0.0);
    let k = pair.spring.stiffness();
    let [[y1, z1, w1], [y2, z2, w2]] =
        [0, 1].map(|i: usize| [pair.modes[i].lateral, pair.modes[i].vertical, pair.modes[i].omega()]);
    let (a, b) = (w1 * w1 - w2 * w2 + k * (z1 * z1 - z2 * z2), -k * (y1 * z1 - y2 * z2));
    let c = 4.0 * k * k * z1 * z2;
    let (qa, qb, qc) = (b * b + c * y1 * y2, 2.0 * a * b - c * (z1 * y2 + z2 * y1), a * a + c * z1 * z2);
    let root = (-qb - (qb * qb - 4.0 * qa * qc).sqrt()) / (2.0 * qa);
    let mu = root + 1e-6;
    let discriminant = qa * mu * mu + qb * mu + qc;
    point(&mut pair, mu);
    let value = pair.least_stable().map_err(|error| error.to_string())?;
    Ok(Number(value.re / ((-discriminant).sqrt() / (4.0 * value.im))))
}

fn measured(name: &str, changes: &[&str], what: &str) -> Measured {
    let measures = measure(&scenario(name, changes)?).map_err(|error| error.to_string())?;
    measures.value(what).map(Number).ok_or_else(|| format!("no {what}"))
}

fn growth(name: &str, changes: &[&str]) -> Measured {
    let measures = measure(&scenario(name, changes)?).map_err(|error| error.to_string())?;
    let of = |what: &str| measures.value(what).ok_or_else(|| format!("no {what}"));
    let frequency = (of("start_frequency")? / of("eigenfrequency")? - 1.0).abs();
    // Frequencies are known ten times better.
    Ok(Number((of("growth_rate")? / of("eigenvalue")? - 1.0).abs().max(10.0 * frequency)))
}

/// Greatest velocity of the last tenth of 0.8 s, from near the cycle.
fn by_kicks() -> Measured {
    let pair = wheel(PAIR)?;
    let h = 2.128_42e-6;
    let stepper = Stepper::new(&pair, h, pair.speed * h).map_err(|error| error.to_string())?;
    let mut motion = stepper.start(Start::Eigenvector(0.16)).map_err(|error| error.to_string())?;
    let (mut work, steps, mut most) = (Workspace::default(), (0.8 / h) as u64, 0.0_f64);
    for n in 0..steps {
        stepper.kick(n as f64 * h, &mut motion, &mut work);
        if n > steps - steps / 10 {
            most = most.max(motion.slip - pair.slip());
        }
    }
    Ok(Number(most))
}

fn steep() -> Measured {
    let mut one = wheel(ONE)?;
    let (fall, scale) = (0.1, 0.005);
    one.creepage = 1e-4;
    one.contact = Contact::Point {
        friction: Friction::Law(Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: scale, exponent: 1.0 }),
    };
    let mode = &one.modes[0];
    let slope = -fall / scale * (-one.slip() / scale).exp();
    let half = 0.5 * (mode.rate() + one.spring.load * slope * mode.lateral * mode.lateral);
    let exact = -half + (half * half - mode.omega() * mode.omega()).sqrt();
    Ok(Number(one.least_stable().map_err(|error| error.to_string())?.re / exact))
}

fn energy_order() -> Measured {
    let lost = |step: &str| -> Result<f64, String> {
        let mut run = simulation(&scenario(ONE, &["start.eigenvector=0.15", "run.duration=0.05", step])?)
            .map_err(|error| error.to_string())?;
        run.advance_to(0.05).map_err(|error| error.to_string())?;
        Ok(run.ledger().lost())
    };
    Ok(Number(lost("run.step=4e-6")? / lost("run.step=8e-6")?))
}

fn integrators() -> Measured {
    let at_end = |scheme: &str| -> Result<f64, String> {
        let mut run = simulation(&scenario(ONE, &["start.eigenvector=0.15", "run.duration=0.02", scheme])?)
            .map_err(|error| error.to_string())?;
        run.advance_to(0.02).map_err(|error| error.to_string())?;
        run.velocities().first().copied().ok_or_else(|| "no velocity".into())
    };
    let (steps, events) = (at_end("run.scheme=second-order")?, at_end("run.scheme=events")?);
    Ok(Number((steps / events - 1.0).abs()))
}
