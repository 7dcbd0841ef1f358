//! Two masses with friction between them, three ways (docs/assembly.md).

use crate::{build, mass, pad, sine, watch};
use stickslip_core::law::{Coefficient, State};
use stickslip_models::assembly::{Assembly, Element, End, Face, Link, Parameters};

const SEGMENTS: &str = include_str!("../../../../reference/two-mass/direct-segments.csv");
const ELEMENTS: &str = include_str!("../../../../reference/two-mass/friction-elements.csv");

fn two_mass(element: Element) -> Assembly {
    let link = Link { of: End::body(0), against: End::body(1) };
    let mut rubbing = pad("pad", link, Face::Along([1.0, 0.0]), 1.0, Coefficient::Constant(0.4));
    rubbing.element = element;
    build(Parameters {
        bodies: vec![mass("first", 1.0, 0.0, 0.0), mass("second", 1.0, 0.0, 0.0)],
        pads: vec![rubbing],
        forces: vec![sine(0, 0, 1.0, 1.0, 0.0)],
        ..Parameters::default()
    })
}

#[test]
fn the_exact_law_gives_the_segments_to_first_order() {
    let rows: Vec<Vec<&str>> = SEGMENTS.lines().skip(1).map(|l| l.split(',').collect()).collect();
    let error = |steps: u64| {
        let (_, events, _) = watch(&two_mass(Element::Exact), 20.0, steps, |_, u| {
            assert!(u.modes()[0] != State::Stick || u.slips()[0] == 0.0);
        });
        assert_eq!(events.len(), rows.len() - 1);
        events.iter().zip(&rows).fold(0.0_f64, |m, (e, row)| m.max((e.0 - row[2].parse::<f64>().expect("time")).abs()))
    };
    let (coarse, fine) = (error(20_000), error(80_000));
    assert!(coarse < 3e-3 && (coarse / fine).log2() > 1.5, "{coarse} {fine}");
}

/// Deviation from sin(t)/2 in the first stick after slip, between re-stick + 0.02 s and slip − 0.05 s: greatest, rms,
/// frequency by zero crossings; the greatest deviation in all of it; and the peak of the force.
fn deviation(element: Element, h: f64, duration: f64) -> (f64, f64, f64, f64) {
    let (from, to) = (2.887_003_906, 4.068_887_872);
    let (mut sum, mut count, mut greatest, mut crossings, mut last, mut peak) = (0.0, 0.0, 0.0_f64, 0.0, 0.0, 0.0_f64);
    watch(&two_mass(element), duration, (duration / h).round() as u64, |t, u| {
        let force = u.friction().next().expect("one pad");
        peak = peak.max(force.abs());
        if t > from + 0.02 && t < to - 0.05 {
            let d = force - 0.5 * t.sin();
            (sum, count, greatest) = (sum + d * d, count + 1.0, greatest.max(d.abs()));
            crossings += f64::from(u8::from(d * last < 0.0));
            last = d;
        }
    });
    (greatest, (sum / count).sqrt(), 0.5 * crossings / (to - from - 0.07), peak)
}

/// Rows of the reference table: greatest deviation, rms, frequency, peak.
fn row(start: &str) -> [f64; 4] {
    let line = ELEMENTS.lines().find(|l| l.starts_with(start)).expect("a row");
    let numbers: Vec<f64> = line.split(',').skip(1).map(|v| v.parse().expect("a number")).collect();
    [numbers[0], numbers[1], numbers[2], numbers[4]]
}

#[test]
fn the_vampire_element_makes_its_noise() {
    let element = |stiffness, damping| Element::Vampire { stiffness, damping };
    let (greatest, rms, frequency, peak) = deviation(element(5e4, 0.0), 1e-5, 7.0);
    let expected = row("Vampire k1=5e4 c=0");
    // Amplitude 0.4 − sin(2.887)/2 = 0.27408, frequency √(2·5e4)/2π = 50.33 Hz (crossings count to half of one).
    assert!((greatest - 0.274_08).abs() < 1e-3 && (greatest - expected[0]).abs() < 1e-3, "{greatest}");
    assert!((frequency - 50.33).abs() < 0.5 && (rms / expected[1] - 1.0).abs() < 0.02, "{frequency} {rms}");
    assert_eq!(peak, 0.4);
    for (name, stiffness, damping) in [
        ("Vampire k1=5e4 c=6.32", 5e4, 6.32),
        ("Vampire k1=5e4 c=63.2", 5e4, 63.2),
        ("Vampire k1=5e2", 5e2, 0.02 * 2.0 * 250.0_f64.sqrt()),
    ] {
        let (greatest, rms, _, peak) = deviation(element(stiffness, damping), 1e-5, 7.0);
        let expected = row(name);
        assert!((greatest / expected[0] - 1.0).abs() < 0.02, "{name}: {greatest} {expected:?}");
        assert!((rms / expected[1] - 1.0).abs() < 0.02, "{name}: {rms} {expected:?}");
        assert_eq!(peak, 0.4);
    }
}

#[test]
fn the_kolsch_element_gives_the_table() {
    for (name, parallel, exponent) in [
        ("Kolsch K1=5e4 K0=0 n=1,", 0.0, 1.0),
        ("Kolsch K1=5e4 K0=0 n=2", 0.0, 2.0),
        ("Kolsch K1=5e4 K0=1 n=2", 1.0, 2.0),
        ("Kolsch K1=5e4 K0=0 n=10", 0.0, 10.0),
    ] {
        let element = Element::Kolsch { stiffness: 5e4, parallel, exponent };
        let [(greatest, rms, ..), (coarse, coarse_rms, ..)] = [8e-6, 1.6e-5].map(|h| deviation(element, h, 4.1));
        // First order: the limit of two steps.
        let (greatest, rms) = (2.0 * greatest - coarse, 2.0 * rms - coarse_rms);
        let [peak, coarse_peak] = [2e-5, 4e-5].map(|h| deviation(element, h, 20.0).3);
        let peak = 2.0 * peak - coarse_peak;
        let expected = row(name);
        // Four decimals: what the ends of the window that the reference took can change in the rms.
        assert!((greatest - expected[0]).abs() < 5e-5 && (rms - expected[1]).abs() < 5e-5, "{name}");
        assert!((peak - expected[3]).abs() < 1e-4, "{name} {peak}");
    }
}
