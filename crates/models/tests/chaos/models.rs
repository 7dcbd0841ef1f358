//! The same calls on other models: assemblies from parts.

use super::*;
use stickslip_core::analysis::limit_directions::SlipField;
use stickslip_core::analysis::orbit::Arrival;
use stickslip_core::law::{Coefficient, Curve};
use stickslip_core::mechanics::{At, Smooth};
use stickslip_core::signal::{Signal, Sine};
use stickslip_models::assembly::{
    Assembly, Body, Characteristic, Element, End, Face, Fixture, Force, Freedom, Link, Pad, Parameters as Parts, Spring,
};

fn spring(along: [f64; 2], stiffness: f64, at: [f64; 2]) -> Spring {
    Spring {
        name: "spring".into(),
        link: Link { of: End { on: Fixture::Body(0), at }, against: End::GROUND },
        along,
        characteristic: Characteristic::Linear(stiffness),
        preload: 0.0,
    }
}

fn pad(face: Face, at: [f64; 2], load: f64, over_place: Option<Curve>) -> Pad {
    Pad {
        name: "pad".into(),
        link: Link { of: End { on: Fixture::Body(0), at }, against: End::GROUND },
        face,
        load: Signal::Constant(load),
        pressed_by: None,
        coefficient: Coefficient::Constant(1.0),
        over_time: Signal::Constant(1.0),
        over_place,
        viscous: 0.0,
        element: Element::Exact,
    }
}

fn cosine(component: usize, amplitude: f64, omega: f64) -> Force {
    let phase = std::f64::consts::FRAC_PI_2;
    Force { body: 0, component, signal: Signal::Sine(Sine { offset: 0.0, amplitude, omega, phase }) }
}

/// A plate in the plane on springs, rubbing at a point away from its centre: W is full.
fn plate() -> Assembly {
    Assembly::new(Parts {
        bodies: vec![Body {
            name: "plate".into(),
            mass: 2.0,
            freedom: Freedom::Plane { inertia: 0.05 },
            position: [0.0; 3],
            velocity: [0.0; 3],
        }],
        springs: vec![spring([1.0, 0.0], 50.0, [0.0, 0.2]), spring([0.0, 1.0], 80.0, [0.1, 0.0])],
        pads: vec![pad(Face::Disk, [0.15, 0.05], 5.0, None)],
        forces: vec![cosine(0, 9.0, 7.0), cosine(1, -6.0, 4.0)],
        ..Parts::default()
    })
    .expect("valid")
}

#[test]
fn slips_of_an_assembly_arrive_as_its_limit_directions_tell() {
    let plate = plate();
    let field =
        |point: &Point| SlipField::of(&plate, At { t: point.t, q: &point.q, v: &point.v, sides: &[], transfer: 0.0 });
    let seen = arrivals(&plate, &Point::start(&plate), 0, 12, 20.0, |_| true).expect("runs");
    assert_eq!(seen.len(), 12);
    let mut stuck = 0;
    let mut before = Point::start(&plate);
    for Arrival { point, event, .. } in &seen {
        let field = field(point).expect("one contact in the plane");
        let all = field.limit_directions();
        // Shortly before it arrives the slip obeys r' = R(φ), r φ' = V(φ): central differences over a tenth of the time
        // that is left (1e-5 s), 1e-3 of their own; the field changes by 1e-4 in that time.
        let slip = |left: f64| {
            let late = advance(&plate, &before, event.t - before.t - left).expect("runs");
            let mut slip = [0.0; 2];
            plate.slips(At { t: late.t, q: &late.q, v: &late.v, sides: &[], transfer: 0.0 }, &mut slip);
            (slip[0].hypot(slip[1]), slip[1].atan2(slip[0]))
        };
        let ((r0, a0), (r, a), (r1, a1)) = (slip(1.05e-5), slip(1e-5), slip(0.95e-5));
        let scale = field.outward(a).hypot(field.across(a));
        assert!(((r1 - r0) / 1e-6 - field.outward(a)).abs() <= 3e-3 * scale, "{event:?}");
        assert!((r * (a1 - a0) / 1e-6 - field.across(a)).abs() <= 3e-3 * scale, "{event:?}");
        before = point.clone();
        // It sticks if and only if all of them attract.
        let sticks = event.to == State::Stick;
        assert_eq!(sticks, all.as_slice().iter().all(|d| d.attracts()), "{event:?} {all:?}");
        assert_eq!(sticks, field.demand() < 1.0);
        stuck += usize::from(sticks);
    }
    assert!(stuck > 3, "{stuck}");
    // A contact on a line has none.
    assert!(
        SlipField::of(
            &oscillator(Oscillator::default()),
            At { t: 0.0, q: &[0.0], v: &[0.0], sides: &[], transfer: 0.0 }
        )
        .is_none()
    );
}

/// The oscillator: friction over the place as a table, straight from where it is zero to far away.
pub(super) fn oscillator(data: Oscillator) -> Assembly {
    let Oscillator { friction, slope, drive, frequency, start } = data;
    let far = 100.0;
    let table = match slope {
        0.0 => vec![(-far, friction), (far, friction)],
        slope => vec![(-friction / slope, 0.0), (far, friction + slope * far)],
    };
    Assembly::new(Parts {
        bodies: vec![Body {
            name: "mass".into(),
            mass: 1.0,
            freedom: Freedom::Line,
            position: [start[0], 0.0, 0.0],
            velocity: [start[1], 0.0, 0.0],
        }],
        springs: vec![spring([1.0, 0.0], 1.0, [0.0; 2])],
        pads: vec![pad(Face::Along([1.0, 0.0]), [0.0; 2], 1.0, Some(Curve::held(&table).expect("a curve")))],
        forces: vec![cosine(0, drive, frequency)],
        ..Parts::default()
    })
    .expect("valid")
}
