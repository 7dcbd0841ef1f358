//! Words for data that several models have.

use stickslip_core::law::Coefficient;
use stickslip_core::signal::{Points, Signal};
use stickslip_run::text::number;

/// Lists are cut after this many parts.
pub(crate) const MOST: usize = 40;

/// Bounds and drive of a wheel with a load: numbers where they are constant, and between which they lie where they are given
/// by points.
pub(crate) fn driven(radius: f64, load: f64, [friction, motor, brake]: [&Signal; 3]) -> String {
    let force = |signal: &Signal, factor: f64| match signal {
        Signal::Constant(value) => format!("{} N", number(value * factor)),
        Signal::Points(points) => within(points, factor),
        Signal::Sine(_) => format!("{} N", signal_text(&signal.scaled(factor))),
        Signal::Expression(_) => format!("{} N x [{}]", number(factor), signal_text(signal)),
    };
    let per_radius = 1.0 / radius;
    format!("a_G = {}   a_B = {}   M/R = {}", force(friction, load), force(brake, per_radius), force(motor, per_radius))
}

/// Between which forces points times a factor lie, and when.
fn within(points: &Points, factor: f64) -> String {
    let (times, values) = (points.times(), points.values().iter().map(|value| value * factor));
    let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, m), v| (l.min(v), m.max(v)));
    let when = match times {
        [first, .., last] => format!("{} points from t = {} to {} s", times.len(), number(*first), number(*last)),
        _ => "1 point".into(),
    };
    format!("{} to {} N ({when})", number(least + 0.0), number(most + 0.0))
}

/// A signal in a few words.
pub(crate) fn signal_text(signal: &Signal) -> String {
    match signal {
        Signal::Constant(value) => number(*value),
        Signal::Points(points) => format!("{} points", points.times().len()),
        Signal::Sine(s) => {
            let offset = if s.offset == 0.0 { String::new() } else { format!("{} + ", number(s.offset)) };
            let phase = if s.phase == 0.0 { String::new() } else { format!(" + {}", number(s.phase)) };
            format!("{offset}{} sin({} t{phase})", number(s.amplitude), number(s.omega))
        }
        Signal::Expression(e) => e.text().to_string(),
    }
}

/// A law of friction over the slip speed in a few words.
pub(crate) fn coefficient(c: &Coefficient) -> String {
    match c {
        Coefficient::Constant(mu) => number(*mu),
        Coefficient::StaticKinetic { sticking, slipping } => {
            format!("{} stuck, {} slipping", number(*sticking), number(*slipping))
        }
        Coefficient::Stribeck { sticking, slipping, speed, exponent } => {
            let fall = number(sticking - slipping);
            format!("{} + {fall} exp(-(|s|/{})^{})", number(*slipping), number(*speed), number(*exponent))
        }
        Coefficient::Sech { sticking, slipping, alpha } => {
            format!("{} + {} sech({} |s|)", number(*slipping), number(sticking - slipping), number(*alpha))
        }
        Coefficient::Table(curve) => format!("table of {} points", curve.places().len()),
    }
}
