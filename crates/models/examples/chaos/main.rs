//! Lyapunov exponents through stick and slip, by two methods, with error bars; a periodic orbit; a scan for chaos.
//!
//! ```text
//! cargo run --release -p stickslip-core --example chaos -- p1          # the periodic orbit of P1
//! cargo run --release -p stickslip-core --example chaos -- p2          # its exponent, for several settings
//! cargo run --release -p stickslip-core --example chaos -- oscillator  # Feeny and Moon's oscillator
//! cargo run --release -p stickslip-core --example chaos -- scan        # towed wheels with sustained chaos
//! cargo run --release -p stickslip-core --example chaos -- found       # one of them, with both methods
//! cargo run --release -p stickslip-core --example chaos -- try 0.2 8 100 1200   # L/R, sigma, C: 1200 P after 300 P
//! cargo run --release -p stickslip-core --example chaos -- stretch     # both methods over one stretch of one motion
//! ```
//!
//! A number after the word multiplies the length of the runs.

#![allow(clippy::print_stdout, reason = "an example prints its figures")]

use std::convert::Infallible;
use std::error::Error;

use stickslip_core::analysis::lyapunov::{Arrivals, Exponent, LyapunovError, Nearby, by_arrivals, nearby_runs};
use stickslip_core::analysis::orbit::{Point, advance};
use stickslip_core::analysis::poincare::{arrivals, cycle};
use stickslip_core::mechanics::Smooth;
use stickslip_core::scheme::events::Settings;
use stickslip_core::scheme::{ByEvents, Event, Grid, NullObserver, Observer, implicit_euler};
use stickslip_models::MODELS;
use stickslip_models::assembly::{self, Assembly};
use stickslip_models::towed_wheel::{Parameters, Start, TowedState, TowedWheel};

mod departures;
mod in_pieces;

use departures::{half_period, mirror};

type Done = Result<(), Box<dyn Error>>;

fn p1() -> Parameters {
    Parameters::default()
}

fn p2() -> Parameters {
    Parameters { friction: 400.0, start: Start { psi: 0.02, ..Start::default() }, ..p1() }
}

fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let length = words.get(1).map_or(Ok(1.0), |word| word.parse::<f64>())?;
    match words.first().map(String::as_str) {
        Some("p1") => periodic(),
        Some("p2") => towed(&p2(), length),
        Some("oscillator") => oscillator(length),
        Some("found") => towed(&with(0.2, 8.0, 100.0)?, length),
        Some("try") => {
            let numbers: Vec<f64> = words[1..].iter().map(|word| word.parse()).collect::<Result<_, _>>()?;
            let [ratio, sigma, friction, length] = numbers[..] else { return Err("try L/R sigma C length".into()) };
            sustained(&with(ratio, sigma, friction)?, length)
        }
        Some("stretch") => stretch(),
        Some("scan") => scan(length),
        _ => {
            println!("name one of: p1, p2, oscillator, scan, found, try, stretch");
            Ok(())
        }
    }
}

fn periodic() -> Done {
    let wheel = TowedWheel::new(p1())?;
    let period = wheel.coefficients().period();
    let start = advance(&wheel, &Point::start(&wheel), 100.0 * period)?;
    let seen = arrivals(&wheel, &start, 0, 60, 5.0 * period, |_| true)?;
    match cycle(&seen, 1e-6, mirror) {
        Some(cycle) => println!(
            "P1: half period {:.6} P, {} arrivals, mismatch {:.1e}",
            cycle.period / period,
            cycle.arrivals,
            cycle.mismatch
        ),
        None => println!("P1: no cycle among {} arrivals", seen.len()),
    }
    for epsilon in [1e-6, 1e-7, 1e-8] {
        match half_period(&p1(), &seen[0].point, epsilon, 40.0 * period) {
            Some(cycle) => {
                println!("  slips that begin at {epsilon:.0e} m/s: half period {:.6} P", cycle.period / period)
            }
            None => println!("  slips that begin at {epsilon:.0e} m/s: no cycle"),
        }
    }
    implicit(&wheel, period)?;
    let settings =
        Arrivals { contact: 0, transient: 500, arrivals: 160, difference: 1e-6, forced: false, horizon: 5.0 * period };
    show("arrivals, difference 1e-6", by_arrivals(&wheel, &Point::start(&wheel), &settings), period);
    let settings = Nearby { transient: 100.0 * period, interval: period, intervals: 64, separation: 1e-7 };
    show("nearby runs, separation 1e-7", nearby_runs(&wheel, &Point::start(&wheel), &settings), period);
    Ok(())
}

/// The half period again, by implicit steps: half of the mean time between the highest peaks of ψ after 80 P, for three
/// steps. Each event is dated to a whole step, so that the error does not fall evenly.
fn implicit(wheel: &TowedWheel, period: f64) -> Done {
    for per_period in [64_000_u64, 256_000, 1_024_000] {
        let mut peaks = Peaks { after: 80.0 * period, last: [(0.0, 0.0); 2], found: Vec::new() };
        implicit_euler(wheel, Grid { h: period / per_period as f64, steps: 120 * per_period }, &mut peaks)?;
        let highest = peaks.found.iter().fold(0.0_f64, |m, p| m.max(p.1));
        let times: Vec<f64> = peaks.found.iter().filter(|p| p.1 > 0.98 * highest).map(|p| p.0).collect();
        let half = 0.5 * (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64 / period;
        println!("  implicit steps of P/{per_period}: half period {half:.6} P");
    }
    Ok(())
}

/// Peaks of ψ: time and height.
struct Peaks {
    after: f64,
    last: [(f64, f64); 2],
    found: Vec<(f64, f64)>,
}

impl Observer<TowedState> for Peaks {
    type Error = Infallible;

    fn every(&self) -> u64 {
        1
    }

    fn sample(&mut self, _: u64, t: f64, state: &TowedState) -> Result<(), Infallible> {
        let [a, b] = self.last;
        if b.0 > self.after && b.1 > a.1 && b.1 >= state.psi {
            self.found.push(b);
        }
        self.last = [b, (t, state.psi)];
        Ok(())
    }

    fn event(&mut self, _: &Event) -> Result<(), Infallible> {
        Ok(())
    }
}

fn show(name: &str, result: Result<Exponent, LyapunovError>, unit: f64) {
    match result {
        Ok(e) => println!(
            "  {name:<44} {:8.4} ± {:.4} per P over {:.0} P, {} skipped",
            e.value * unit,
            e.error * unit,
            e.time / unit,
            e.skipped
        ),
        Err(error) => println!("  {name:<44} {error}"),
    }
}

fn both(system: &dyn Smooth, unit: f64, forced: bool, length: f64) {
    for (interval, separation) in [(1.0, 1e-7), (1.0, 1e-6), (1.0, 1e-8), (0.37, 1e-7)] {
        let intervals = (400.0 * length / interval) as u64;
        let settings = Nearby { transient: 30.0 * unit, interval: interval * unit, intervals, separation };
        show(
            &format!("nearby runs, every {interval} P, separation {separation:.0e}"),
            nearby_runs(system, &Point::start(system), &settings),
            unit,
        );
    }
    for difference in [1e-6, 1e-7] {
        let arrivals = (600.0 * length) as u64;
        let settings = Arrivals { contact: 0, transient: 60, arrivals, difference, forced, horizon: 20.0 * unit };
        show(
            &format!("arrivals, difference {difference:.0e}"),
            by_arrivals(system, &Point::start(system), &settings),
            unit,
        );
    }
}

fn towed(parameters: &Parameters, length: f64) -> Done {
    let wheel = TowedWheel::new(*parameters)?;
    let period = wheel.coefficients().period();
    let out =
        wheel.by_events(Grid { h: 150.0 * length * period, steps: 1 }, &Settings::default(), &mut NullObserver)?;
    println!(
        "rolling {:.2} % of {} P, {} events",
        100.0 * out.stuck[0] / (150.0 * length * period),
        150.0 * length,
        out.events
    );
    both(&wheel, period, false, length);
    Ok(())
}

fn oscillator(length: f64) -> Done {
    let scenario = MODELS.builtin("friction-oscillator", &[])?;
    let parameters = scenario.model.of::<assembly::Parameters>().ok_or("no assembly")?;
    let oscillator = Assembly::new(parameters.clone())?;
    let period = std::f64::consts::TAU / 1.25;
    let end = 2000.0 * length * period;
    let out = oscillator.by_events(Grid { h: end, steps: 1 }, &Settings::default(), &mut NullObserver)?;
    println!(
        "stuck {:.2} % of {:.0} s, {} events (P = {period:.4} s; divide by it for rates per second)",
        100.0 * out.stuck[0] / end,
        end,
        out.events
    );
    let data = in_pieces::Data { friction: 1.0, slope: 1.5, drive: 1.9, frequency: 1.25 };
    let [exponent, error, share, scatter] = in_pieces::statistics(data, 64, 2000.0 * length);
    println!(
        "  closed form with jump matrices: {exponent:.5} ± {error:.5} per second, stuck {:.2} ± {:.2} %, {:.0} P",
        100.0 * share,
        100.0 * scatter,
        64.0 * 2000.0 * length
    );
    both(&oscillator, period, true, 4.0 * length);
    Ok(())
}

/// Both methods over the same stretch of the same motion, short enough for two computations of it to stay together: then
/// the sums of logarithms may only differ by what the ends of the stretch and the choice of coordinates contribute.
fn stretch() -> Done {
    for (name, parameters, count) in [("P2", p2(), 160_u64), ("found", with(0.2, 8.0, 100.0)?, 48)] {
        let wheel = TowedWheel::new(parameters)?;
        let period = wheel.coefficients().period();
        for begin in [60.0, 90.0, 120.0] {
            let at = advance(&wheel, &Point::start(&wheel), begin * period)?;
            let start = Start { psi: at.q[0], w: at.q[1], u1: at.v[0], u2: at.v[1], omega: at.v[2] };
            let wheel = TowedWheel::new(Parameters { start, ..parameters })?;
            let settings = Arrivals {
                contact: 0,
                transient: 1,
                arrivals: count,
                difference: 1e-6,
                forced: false,
                horizon: 20.0 * period,
            };
            let map = by_arrivals(&wheel, &Point::start(&wheel), &settings)?;
            let nearby = Nearby { transient: 0.0, interval: map.time / 64.0, intervals: 64, separation: 1e-7 };
            let runs = nearby_runs(&wheel, &Point::start(&wheel), &nearby)?;
            println!(
                "{name} from {begin} P, {:.1} P: sum of logarithms {:.2} by arrivals, {:.2} by nearby runs",
                map.time / period,
                map.value * map.time,
                runs.value * runs.time
            );
        }
    }
    Ok(())
}

/// P2 with L = ratio × R, σ = v/(Lω) by the stiffness, and the friction force given.
fn with(ratio: f64, sigma: f64, friction: f64) -> Result<Parameters, Box<dyn Error>> {
    let mut parameters = Parameters { length: 0.2 * ratio, friction, ..p2() };
    let wanted = parameters.speed / (parameters.length * sigma);
    parameters.stiffness *= (wanted / TowedWheel::new(parameters)?.coefficients().frequency()).powi(2);
    Ok(parameters)
}

/// Whether the chaos of a set lasts: the exponent of `length` periods after 300, part by part.
fn sustained(parameters: &Parameters, length: f64) -> Done {
    let wheel = TowedWheel::new(*parameters)?;
    let period = wheel.coefficients().period();
    println!(
        "L = {} m, k = {} N/m, C = {} N, P = {period} s",
        parameters.length, parameters.stiffness, parameters.friction
    );
    let intervals = length as u64;
    let settings = Nearby { transient: 300.0 * period, interval: period, intervals, separation: 1e-7 };
    let found = nearby_runs(&wheel, &Point::start(&wheel), &settings)?;
    let mut before = 0.0;
    let parts = found.history.iter().enumerate().map(|(k, mean)| {
        let sum = (k + 1) as f64 * mean * period;
        let part = sum - before;
        before = sum;
        format!("{part:.2}")
    });
    println!("  parts: {}", parts.collect::<Vec<_>>().join(" "));
    show("nearby runs, separation 1e-7", Ok(found), period);
    Ok(())
}

fn scan(length: f64) -> Done {
    println!("L/R     sigma   C       rolling  exponent per P (nearby runs, after 60 P)");
    for ratio in [0.2, 0.25, 0.3, 0.35] {
        for sigma in [2.0, 3.0, 4.0, 6.0, 8.0] {
            for friction in [100.0, 400.0, 800.0] {
                let parameters = with(ratio, sigma, friction)?;
                let wheel = TowedWheel::new(parameters)?;
                let period = wheel.coefficients().period();
                let grid = Grid { h: 60.0 * period, steps: 1 };
                let share = wheel
                    .by_events(grid, &Settings::default(), &mut NullObserver)
                    .map(|o| o.stuck[0] / (60.0 * period));
                let settings = Nearby {
                    transient: 60.0 * period,
                    interval: period,
                    intervals: (64.0 * length) as u64,
                    separation: 1e-7,
                };
                let line = match (share, nearby_runs(&wheel, &Point::start(&wheel), &settings)) {
                    (Ok(share), Ok(e)) => {
                        format!("{:5.1} %  {:7.4} ± {:.4}", 100.0 * share, e.value * period, e.error * period)
                    }
                    (Err(error), _) => error.to_string(),
                    (_, Err(error)) => error.to_string(),
                };
                println!("{ratio:<7} {sigma:<7} {friction:<7} {line}");
            }
        }
    }
    Ok(())
}
