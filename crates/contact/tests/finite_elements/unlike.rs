//! Unlike bodies from rest to steady rolling, step by step.

use stickslip_contact::finite_elements::case::FiniteElements;
use stickslip_contact::finite_elements::{Pair, Reach, Rolled, Rolling, Transient, Transport};
use stickslip_contact::patch::Creepage;

use crate::coupling::of;
use crate::{by, condensed, discs, obeys, used, wheels};

const SOFT: &str = "steel disc on aluminium-like disc E/3";
const BLOCK: &str = "disc on block 50 mm, same steel";

fn made(name: &str, across: usize) -> (FiniteElements, Pair) {
    let contact = of(name, across).expect("known");
    let pair = condensed(&contact);
    (contact, pair)
}

fn steady(rolling: &Rolling, pair: &Pair, xi: f64) -> Rolled {
    rolling.roll(pair, Creepage::longitudinal(xi), None).expect("rolls")
}

fn transient<'a>(rolling: Rolling, pair: &'a Pair, end: &Rolled, stride: f64, reach: Reach) -> Transient<'a> {
    Transient::new(rolling, pair, end, stride, reach, None).expect("rolls")
}

/// Steps until a distance over a; Q/(μP) after each.
fn rolled(transient: &mut Transient<'_>, end: &Rolled, far: f64) -> Vec<[f64; 2]> {
    let a = end.fitted.expect("a fit").a;
    let mut way = vec![[0.0, 0.0]];
    while transient.distance() < far * a {
        transient.step().expect("solved");
        let now = transient.rolled();
        way.push([transient.distance() / a, used(&now)]);
    }
    way
}

/// A body and its mirror image, given as two: pressure and tractions are solved by turns, and nothing may come of it.
#[test]
fn mirror_images_given_as_two_bodies_roll_as_one() {
    for (contact, strides) in [(discs(21), &[1.0, 0.5][..]), (wheels(11), &[1.0])] {
        let one = condensed(&contact);
        let mut twice = contact.clone();
        twice.meshing.given[1] = Some(contact.bodies().expect("meshes").first.mirrored());
        twice.meshing.given[0] = Some(contact.bodies().expect("meshes").first);
        let two = condensed(&twice);
        assert!(two.is_coupled() && !one.is_coupled());
        let rolling = by(&contact, Transport::Edge);
        let end = steady(&rolling, &one, 0.0017);
        for stride in strides {
            let mut ways = [&one, &two].map(|pair| transient(rolling, pair, &end, *stride, Reach::Whole));
            for _ in 0..40 {
                let forces = ways.each_mut().map(|way| {
                    way.step().expect("solved");
                    way.force()[0]
                });
                assert!((forces[0] - forces[1]).abs() < 1e-8 * end.force[0].abs(), "{stride}: {forces:?}");
            }
            let [one, two] = ways.each_ref().map(|way| *way.energy());
            assert!((one.heat / two.heat - 1.0).abs() < 1e-7 && (one.drive / two.drive - 1.0).abs() < 1e-7);
        }
    }
}

/// Rolling on and on ends in what pressure and tractions solved at once say, whatever the step.
#[test]
fn it_ends_in_steady_rolling() {
    for name in [SOFT, BLOCK, "steel on E/100, mu .6"] {
        let (contact, pair) = made(name, 21);
        for (transport, stride) in
            [(Transport::First, 1.0), (Transport::Edge, 1.0), (Transport::Edge, 0.5), (Transport::Edge, 2.0)]
        {
            let rolling = by(&contact, transport);
            for xi in [0.0, 0.0017] {
                let end = steady(&rolling, &pair, xi);
                let mut way = transient(rolling, &pair, &end, stride, Reach::Local);
                rolled(&mut way, &end, 40.0);
                let now = way.rolled();
                obeys(&pair, &now);
                let off = (used(&now) - used(&end)).abs();
                assert!(off < 1e-6, "{name} {transport:?} {stride} {xi}: {} {}", used(&now), used(&end));
                let moved = now.normal.force.iter().zip(&end.normal.force).map(|(a, b)| (a - b).abs()).sum::<f64>();
                assert!(moved < 1e-6 * end.normal.load, "{name} {transport:?} {stride} {xi}: {moved}");
            }
        }
    }
}

/// Implicit steps differ from the exact shift by what is of first order in the cells: half as much on cells of half the size.
#[test]
fn other_steps_come_to_the_exact_shift() {
    for (name, xi) in [(SOFT, 0.0035), (BLOCK, 0.0017)] {
        let off = |across: usize| {
            let (contact, pair) = made(name, across);
            let rolling = by(&contact, Transport::Edge);
            let end = steady(&rolling, &pair, xi);
            let at = |way: &[[f64; 2]], x: f64| {
                let k = way.iter().position(|p| p[0] >= x).expect("that far").max(1);
                let [[x0, q0], [x1, q1]] = [way[k - 1], way[k]];
                q0 + (q1 - q0) * (x - x0) / (x1 - x0)
            };
            let way = |stride| rolled(&mut transient(rolling, &pair, &end, stride, Reach::Local), &end, 4.5);
            let exact = way(1.0);
            [0.5, 2.0].map(|stride| {
                let other = way(stride);
                let off = (1..=16).map(|k| 0.25 * f64::from(k)).map(|x| (at(&other, x) - at(&exact, x)).powi(2));
                (off.sum::<f64>() / 16.0).sqrt()
            })
        };
        let [coarse, fine] = [21, 41].map(off);
        eprintln!("{name}: {coarse:?} {fine:?}");
        for (coarse, fine) in coarse.iter().zip(fine) {
            assert!(*coarse < 0.04 && fine < 0.65 * coarse, "{name}: {coarse} {fine}");
        }
    }
}

/// The books close with the work of the load, and heat is never negative. Rolled without creepage, only the torques on the axles pay for the
/// heat: P x̄ (1/R₁ + 1/R₂) over the way, x̄ the place of the pressure's resultant. What is missing falls with the cells (upwinding) towards
/// some 8 %: the arms of Q are shorter by what each body gives way, Q (δ₂/R₂ − δ₁/R₁).
#[test]
fn the_rolling_moment_pays_for_free_heat() {
    let mut kept = Vec::new();
    for (across, stride) in [(21, 1.0), (41, 1.0), (81, 1.0), (21, 0.5)] {
        let (contact, pair) = made(SOFT, across);
        let rolling = by(&contact, Transport::Edge);
        let end = steady(&rolling, &pair, 0.0);
        assert!(used(&end) < -0.4, "{}", used(&end));
        let mut way = transient(rolling, &pair, &end, stride, Reach::Local);
        let start = way.energy().start;
        assert!(start > 0.0, "pressed bodies store energy");
        let mut before = *way.energy();
        for _ in 0..600 {
            before = *way.energy();
            way.step().expect("solved");
            assert!(way.energy().heat >= before.heat - 1e-12 * start, "heat is never negative: {:?}", way.energy());
        }
        let now = way.energy();
        assert!(now.missing().abs() < 1e-9 * now.heat, "{stride}: {} of {now:?}", now.missing());
        // In the last step nothing drives, and nothing more is stored.
        let heat = now.heat - before.heat;
        assert!((now.drive - before.drive).abs() < 1e-6 * heat);
        assert!((now.convection - before.convection + heat).abs() < 1e-6 * heat);
        let surface = &pair.surface;
        let length = stride * (surface.x[20] - surface.x[19]);
        let moment: f64 = end.normal.force.iter().zip(&surface.x).map(|(f, x)| f * x / 0.25).sum();
        kept.push(1.0 - heat / (moment * length));
    }
    eprintln!("missing: {kept:?}");
    assert!(kept[0] < 0.3 && kept[1] < 0.85 * kept[0] && kept[2] > 0.0 && kept[2] < 0.85 * kept[1], "{kept:?}");
    assert!((kept[3] - kept[0]).abs() < 1e-6, "whatever the step: {kept:?}");
}
