//! Words for data that several models have.

use stickslip_core::law::Coefficient;
use stickslip_core::signal::Signal;
use stickslip_run::text::number;

/// Lists are cut after this many parts.
pub(crate) const MOST: usize = 40;

/// Bounds and drive of a wheel with a load: numbers where they are constant.
pub(crate) fn driven(radius: f64, load: f64, [friction, motor, brake]: [&Signal; 3]) -> String {
    let force = |signal: &Signal, factor: f64| match signal {
        Signal::Constant(value) => format!("{} N", number(value * factor)),
        other => format!("{} N x [{}]", number(factor), signal_text(other)),
    };
    let per_radius = 1.0 / radius;
    format!("a_G = {}   a_B = {}   M/R = {}", force(friction, load), force(brake, per_radius), force(motor, per_radius))
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
