//! Bodies that differ: pressure and tractions by turns, free rolling.

use stickslip_contact::case::Pressing;
use stickslip_contact::finite_elements::case::{FiniteElements, Meshing};
use stickslip_contact::finite_elements::{Pressing as Press, Rolling, Transport};
use stickslip_contact::material::Material;
use stickslip_contact::patch::Creepage;

use crate::{body, by, condensed, contact, number, obeys, table, used};

/// A pair of the file: the contact is as wide as that of two steel discs of 0.5 m under 7.05 MN/m in all of them, so the load
/// goes with the contact modulus. A disc on a block has half of it; the test gives it the gap of two discs and the whole.
pub(crate) fn of(name: &str, across: usize) -> Option<FiniteElements> {
    let flat = f64::INFINITY;
    let mut bodies = [body(0.5, flat), body(0.5, flat)];
    let mut meshing = Meshing { across: Some(across), ..Meshing::default() };
    let mut soft = |young| bodies[1].material = Material::from_young(young, 0.3).expect("soft");
    match name {
        "disc on block 200 mm, same steel" | "disc on block 50 mm, same steel" => {
            let depth = if name.contains("200") { 0.2 } else { 0.05 };
            bodies[1] = body(flat, flat);
            meshing.depth = Some(depth);
            meshing.length = Some(2.0 * depth);
        }
        "steel disc on aluminium-like disc E/3" | "same, mu .6" => soft(70e9),
        "steel on E/100" | "steel on E/100, mu .6" => soft(2.1e9),
        _ => return None,
    }
    let modulus = |m: Material| m.contact_modulus();
    let half = if name.contains("block") { 0.5 } else { 1.0 };
    let share = half * modulus(Material::pair(bodies[0].material, bodies[1].material)) / modulus(bodies[0].material);
    Some(contact(bodies, Pressing::LoadPerLength(7.05e6 * share), meshing))
}

/// Force, pressure centre, stick, turns and their contraction of an independent code.
#[test]
fn numbers_of_an_independent_code() {
    let mut seen = 0;
    for row in table("coupling-2d.csv") {
        let at = |k: usize| number(&row[k]);
        let Some(contact) = of(&row[0], at(2) as usize) else { continue };
        let mut pair = condensed(&contact);
        let mut rolling = Rolling { friction: at(1), ..by(&contact, Transport::Second) };
        if row[0].contains("block") {
            pair.surface.gap.iter_mut().for_each(|gap| *gap *= 2.0);
            rolling.pressing = Press::Load(7.05e6);
        }
        let rolled = rolling.roll(&pair, Creepage::longitudinal(at(3)), None).expect("rolls");
        let used = -rolled.force[0] / (at(1) * rolled.normal.load);
        assert!((used - at(4)).abs() < 0.003, "{row:?}: {used}");
        let weighed = rolled.normal.force.iter().zip(&pair.surface.x).map(|(f, x)| f * x).sum::<f64>();
        let centre = 1e3 * weighed / rolled.normal.load;
        assert!((centre - at(5)).abs() < 0.003 + 0.02 * at(5).abs(), "{row:?}: {centre} mm");
        assert!((rolled.stick_share() - at(7)).abs() < 2.5 / at(2), "{row:?}: {}", rolled.stick_share());
        assert!(rolled.turns as f64 <= at(8) + 2.0, "{row:?}: {} turns", rolled.turns);
        assert!(rolled.found.residual.relative < 1e-10 && rolled.normal.residual < 1e-9);
        seen += 1;
    }
    assert_eq!(seen, 24);
}

/// Turns contract, and free rolling is found where bodies differ.
#[test]
fn free_rolling() {
    for (name, contraction) in [
        ("disc on block 200 mm, same steel", 0.01),
        ("steel disc on aluminium-like disc E/3", 0.1),
        ("steel on E/100", 0.3),
    ] {
        let contact = of(name, 21).expect("known");
        let pair = condensed(&contact);
        assert!(pair.is_coupled());
        let rolling = by(&contact, Transport::Edge);
        let free = rolling.free(&pair).expect("rolls freely");
        assert!(used(&free).abs() < 1e-9, "{name}: {}", used(&free));
        assert!(free.turns > 1 && free.contraction.is_none_or(|c| c < contraction), "{name}: {free:?}");
        obeys(&pair, &free);
        // Around it, creepage and force have opposite signs.
        for sign in [-1.0, 1.0] {
            let xi = free.creepage.xi + sign * 5e-4;
            let rolled = rolling.roll(&pair, Creepage::longitudinal(xi), None).expect("rolls");
            assert!(sign * used(&rolled) > 0.01, "{name}: {}", used(&rolled));
        }
    }
}
