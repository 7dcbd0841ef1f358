//! Corners of an assembly's tables: places and speeds at which forces have kinks, as guards for the events.

use super::parts::Characteristic;
use super::{Assembly, Parameters};
use stickslip_core::law::{Coefficient, Curve};
use stickslip_core::mechanics::{At, passed};

/// What a table is read at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// The displacement of a pad.
    Place(usize),
    /// The slip speed of a pad.
    Slip(usize),
    /// The displacement of the k-th tabled spring.
    Spring(usize),
    /// The speed of the k-th tabled damper.
    Damper(usize),
    /// The load of a pad that a spring presses, which has a corner where the spring lets go.
    Load(usize),
}

/// All tables with corners, and where the guards of each begin.
#[derive(Debug, Clone, Default)]
pub(super) struct Corners {
    list: Vec<(Reading, usize, Vec<f64>)>,
    /// Guards of stops, then of all corners.
    pub(super) guards: usize,
}

impl Corners {
    pub(super) fn new(p: &Parameters, stops: usize) -> Corners {
        let mut corners = Corners { list: Vec::new(), guards: 2 * stops };
        for (i, pad) in p.pads.iter().enumerate() {
            corners.add(Reading::Place(i), pad.over_place.iter().flat_map(|curve| curve.corners().1));
            corners.add(Reading::Slip(i), pad.coefficient.corners());
            corners.add(Reading::Load(i), pad.pressed_by.map(|_| &0.0));
        }
        let tables = |list: &[&Characteristic]| -> Vec<Curve> {
            let table = |c: &&Characteristic| match c {
                Characteristic::Linear(_) => None,
                Characteristic::Table(curve) => Some(curve.clone()),
            };
            list.iter().filter_map(table).collect()
        };
        for (k, curve) in tables(&p.springs.iter().map(|s| &s.characteristic).collect::<Vec<_>>()).iter().enumerate() {
            corners.add(Reading::Spring(k), curve.corners().1);
        }
        for (k, curve) in tables(&p.dampers.iter().map(|d| &d.characteristic).collect::<Vec<_>>()).iter().enumerate() {
            corners.add(Reading::Damper(k), curve.corners().1);
        }
        corners
    }

    fn add<'a>(&mut self, reading: Reading, places: impl IntoIterator<Item = &'a f64>) {
        let places: Vec<f64> = places.into_iter().copied().collect();
        if !places.is_empty() {
            let count = places.len();
            self.list.push((reading, self.guards, places));
            self.guards += count;
        }
    }

    /// The sides of a table's guards.
    fn sides<'a>(&self, reading: Reading, sides: &'a [bool]) -> &'a [bool] {
        let found = self.list.iter().find(|(other, ..)| *other == reading);
        found.map_or(&[], |(_, first, places)| &sides[*first..first + places.len()])
    }
}

impl Assembly {
    /// Value of a table at x on the piece that its guards tell.
    pub(super) fn on_piece(&self, reading: Reading, curve: &Curve, x: f64, at: At) -> f64 {
        curve.on_piece(curve.corners().0 + passed(self.corners.sides(reading, at.sides)), x)
    }

    /// The sides of the guards of a pad's coefficient.
    pub(super) fn slip_sides<'a>(&self, pad: usize, sides: &'a [bool]) -> &'a [bool] {
        match self.parameters.pads[pad].coefficient {
            Coefficient::Table(_) => self.corners.sides(Reading::Slip(pad), sides),
            _ => &[],
        }
    }

    /// Whether the spring that presses a pad, if there is one, does so: on the side of its guard.
    pub(super) fn is_pressed(&self, pad: usize, sides: &[bool]) -> bool {
        self.corners.sides(Reading::Load(pad), sides).iter().all(|presses| *presses)
    }

    /// The guards of all corners, behind those of the stops.
    pub(super) fn corner_guards(&self, at: At, out: &mut [f64]) {
        if self.corners.list.is_empty() {
            return;
        }
        let net = &self.network;
        let speeds = &self.support_motion(at.t).0;
        let (q, support) = at.q.split_at(net.n);
        for (reading, first, places) in &self.corners.list {
            let value = match *reading {
                Reading::Place(pad) => net.pads.dot(net.pad_first[pad], q, support),
                Reading::Slip(pad) => {
                    let square = |k: usize| net.pads.dot(k, at.v, speeds).powi(2);
                    self.components(pad).map(square).sum::<f64>().sqrt()
                }
                Reading::Spring(k) => net.tabled.dot(k, q, support),
                Reading::Damper(k) => net.tabled_dampers.dot(k, at.v, speeds),
                Reading::Load(pad) => self.pressed_load(pad, at),
            };
            let guards = &mut out[*first..first + places.len()];
            guards.iter_mut().zip(places).for_each(|(guard, place)| *guard = value - place);
        }
    }
}
