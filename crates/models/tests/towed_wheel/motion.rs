//! Event by event, against the reference files.

use super::*;
use stickslip_core::law::State;

fn kind(event: &Event) -> &'static str {
    match (event.from, event.to) {
        (State::Stick, _) => "roll->slip",
        (_, State::Stick) => "slip->roll",
        _ => "slip->slip(cross)",
    }
}

#[test]
fn the_first_events_of_p1() {
    let (passage, keep) = go(&wheel(p1()), 0.5, 500);
    assert_eq!(passage.handovers, 0);
    let rows = reference("events-p1.csv");
    assert!(keep.events.len() >= 6);
    for (event, row) in keep.events.iter().zip(&rows).take(5) {
        assert_eq!(kind(event), row[1]);
        assert!((event.t - number(&row[0])).abs() <= 1e-6, "{event:?} {row:?}");
        // The direction in which the slip ends or begins, to the digits of the file and its own ε = 1e-6 m/s.
        let slip = match (event.from, event.to) {
            (State::Slip(direction), _) | (_, State::Slip(direction)) => direction,
            _ => panic!("{event:?}"),
        };
        let angle = slip[1].atan2(slip[0]);
        assert!((angle - number(&row[2])).abs() <= 2e-4, "{angle} {row:?}");
    }
    for (_, state) in &keep.samples {
        assert!(!state.rolls() || (state.u1 == 0.0 && state.u2 == 0.0));
    }
    assert!(keep.samples.iter().any(|(_, s)| s.rolls()) && keep.samples.iter().any(|(_, s)| !s.rolls()));
}

#[test]
fn p3_rolls_and_decays_at_the_linear_rate() {
    let w = wheel(p3());
    let period = w.coefficients().period();
    let (passage, keep) = go(&w, 20.0 * period, 2000);
    assert!(keep.events.is_empty() && passage.stuck[0] == 20.0 * period);
    assert!(keep.samples.iter().all(|(_, s)| s.u1 == 0.0 && s.u2 == 0.0));
    let peaks: Vec<(f64, f64)> = keep
        .samples
        .windows(3)
        .filter(|s| s[1].1.psi.abs() > s[0].1.psi.abs() && s[1].1.psi.abs() >= s[2].1.psi.abs())
        .map(|s| {
            // The top of the parabola through three samples.
            let [a, b, c] = [s[0].1.psi.abs(), s[1].1.psi.abs(), s[2].1.psi.abs()];
            (s[1].0, b + (a - c).powi(2) / (8.0 * (2.0 * b - a - c)))
        })
        .collect();
    // The real root, −16.8 1/s, has died away by 0.7 s.
    let late: Vec<(f64, f64)> = peaks.into_iter().filter(|p| p.0 > 0.7).collect();
    let (first, last) = (late[0], late[late.len() - 1]);
    let rate = (last.1 / first.1).ln() / (last.0 - first.0);
    let growth = w.coefficients().growth();
    // Peaks are dated to half a sample of P/100, 0.0003 s of 0.5 s each.
    assert!((rate / growth - 1.0).abs() < 2e-3, "{rate} {growth}");
}

#[test]
fn tiny_shimmy_grows_at_the_linear_rate() {
    // So small that it stays linear: ψ over 20 periods of the unstable set, friction far away.
    let w = wheel(Parameters { friction: 1e6, start: Start { psi: 1e-9, ..Start::default() }, ..p1() });
    let (growth, period) = (w.coefficients().growth(), w.coefficients().period());
    let (_, keep) = go(&w, 3.0 * period, 3);
    // The pair ±iω' dominates after a while: |E| = w² k + … grows with 2 g; use the exact three exponentials instead.
    let [c2, c1, c0] = w.coefficients().cubic();
    let exact = exponentials([c2, c1, c0], growth);
    for (t, state) in &keep.samples {
        let expected = 1e-9 * exact(*t);
        // Rounding of a motion of relative precision 1e-12; ψ² stays below 1e-12.
        assert!((state.psi - expected).abs() <= 1e-11 * (growth * t).exp() * 1e-9, "{t}: {} {expected}", state.psi);
    }
}

/// ψ(t) of λ³ + c2 λ² + c1 λ + c0 with ψ = 1, ψ' = 0, ψ'' = 0, where the pair has the real part g.
fn exponentials([c2, c1, c0]: [f64; 3], g: f64) -> impl Fn(f64) -> f64 {
    let real = -c2 - 2.0 * g;
    let turn = (c1 - 2.0 * g * real - g * g).sqrt();
    assert!((real * (g * g + turn * turn) + c0).abs() < 1e-9 * c0);
    // a e^{λt} + e^{gt}(b cos + d sin): a + b = 1, aλ + bg + dτ = 0, aλ² + b(g² − τ²) + 2dgτ = 0.
    let a = (g * g + turn * turn) / ((real - g).powi(2) + turn * turn);
    let b = 1.0 - a;
    let d = -(a * real + b * g) / turn;
    move |t| a * (real * t).exp() + (g * t).exp() * (b * (turn * t).cos() + d * (turn * t).sin())
}
