//! The road by place: patches of other friction, a profile of slopes, rolling resistance.
//!
//! Places x count along the road \[m\]. A wheel whose contact lies `ahead` of the vehicle's own position x touches the
//! road at x + ahead. A patch covers [from, to) on the left, on the right, or on both sides; its friction replaces that
//! of the wheels on it. A wheel on both sides (an axle taken as one) carries half of its load on either, so that its
//! bound is N (½ μ_left + ½ μ_right).
//!
//! The profile is the angle θ(x) of the road under the vehicle's own position, straight between points.

use super::VehicleError;
use super::file::road::{PatchTable, Road as RoadTable};
use crate::passed::Passed;
use stickslip_core::range::demand;
use stickslip_core::signal::{Points, Signal};
use stickslip_scenario::tables::{check, check_signal};

/// What of the road depends on the place, and its rolling resistance.
#[derive(Debug, Clone, Default)]
pub struct Road {
    /// Patches of another friction; those of one side must not overlap.
    pub patches: Vec<Patch>,
    /// Angle θ(x) of the road \[rad\], positive uphill; without it the slope is a signal of time.
    pub profile: Option<Profile>,
    /// Coefficient c of rolling resistance, ≥ 0: a dry friction a_R = c m g cos θ of the whole vehicle, besides the
    /// force given for it.
    pub rolling: f64,
}

/// A part of the road with a friction of its own.
#[derive(Debug, Clone)]
pub struct Patch {
    /// Where it begins \[m\].
    pub from: f64,
    /// Where it ends \[m\], > from; the end no longer belongs to it.
    pub to: f64,
    /// Which sides it covers.
    pub side: Side,
    /// Friction coefficient μ(t) on it, ≥ 0.
    pub friction: Signal,
}

/// A side of the road, or of the vehicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Side {
    /// Left, seen in the direction of x.
    Left,
    /// Right.
    Right,
    /// Both.
    #[default]
    Both,
}

impl Side {
    /// Whether the two have a side in common.
    pub fn meets(self, other: Side) -> bool {
        self == other || self == Side::Both || other == Side::Both
    }
}

/// Where a wheel touches the road.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Place {
    /// How far ahead of the vehicle's position \[m\], negative behind it.
    pub ahead: f64,
    /// On which side it runs; `Both` for an axle taken as one wheel.
    pub side: Side,
}

/// The angle θ(x) of a road: straight lines between points, held constant outside; two points at one place make a jump.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile(Points);

/// The affine function `value + slope·(x − at)`, valid for `from ≤ x < until`; the same to the last bit wherever on it it was asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacePiece {
    /// Where it begins \[m\]; 0 where it has no beginning.
    pub at: f64,
    /// Value there.
    pub value: f64,
    /// Slope [value/m].
    pub slope: f64,
    /// First place at which the piece holds; −∞ for the first one \[m\].
    pub from: f64,
    /// First place at which it no longer holds; ∞ for the last one \[m\].
    pub until: f64,
}

impl Profile {
    /// The profile through points: places as times, angles as values.
    pub fn new(points: Points) -> Profile {
        Profile(points)
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.0
    }

    /// What a step between two positions has passed without having looked at it.
    pub(super) fn passed(&self, from: f64, to: f64) -> Option<Passed> {
        let points = self.0.times().iter().zip(self.0.values()).map(|(place, value)| [*place, *value]);
        Passed::between(points, [from, to].map(|x| [x, self.angle(x)]))
    }

    /// The straight piece that holds at x.
    pub fn piece(&self, x: f64) -> PlacePiece {
        let piece = self.0.piece(x);
        match self.0.times().partition_point(|&place| place <= x).checked_sub(1) {
            None => PlacePiece { at: 0.0, value: piece.value, slope: 0.0, from: f64::NEG_INFINITY, until: piece.until },
            Some(before) => {
                let (from, value) = (self.0.times()[before], self.0.values()[before]);
                PlacePiece { at: from, value, slope: piece.slope, from, until: piece.until }
            }
        }
    }

    /// The angle at x.
    pub fn angle(&self, x: f64) -> f64 {
        self.piece(x).angle(x)
    }
}

impl PlacePiece {
    /// The angle of the piece at x.
    #[inline]
    pub fn angle(&self, x: f64) -> f64 {
        self.value + self.slope * (x - self.at)
    }
}

impl Road {
    /// Whether nothing of it depends on the place.
    pub fn is_uniform(&self) -> bool {
        self.patches.is_empty() && self.profile.is_none()
    }

    pub(super) fn check(&self) -> Result<(), VehicleError> {
        check(|table: &RoadTable| &table.rolling, "coefficient of rolling resistance", self.rolling)?;
        for (i, patch) in self.patches.iter().enumerate() {
            check(|table: &PatchTable| &table.from, "beginning of a road patch", patch.from)?;
            let beyond = patch.to.is_finite() && patch.to > patch.from;
            demand(beyond, "end of a road patch", patch.to, "m", "a finite number beyond the beginning")?;
            check_signal(|table: &PatchTable| &table.friction, "friction of a road patch", &patch.friction)?;
            let meets = |p: &Patch| p.from < patch.to && patch.from < p.to && p.side.meets(patch.side);
            if let Some(other) = self.patches[..i].iter().find(|p| meets(p)) {
                return Err(VehicleError::Overlap { from: patch.from.max(other.from), to: patch.to.min(other.to) });
            }
        }
        if let Some(Profile(points)) = &self.profile {
            let extremes = points.extremes();
            for (x, value) in [extremes.least, extremes.greatest] {
                if value.abs() >= std::f64::consts::FRAC_PI_2 {
                    return Err(VehicleError::Profile { x, value });
                }
            }
        }
        Ok(())
    }
}

/// ½ a + ½ b: exactly a where both are the same.
#[inline]
pub(super) fn half_and_half([a, b]: [f64; 2]) -> f64 {
    0.5 * a + 0.5 * b
}

/// What a wheel meets on its way: stretches of the vehicle's position with one patch, or none, on either side.
#[derive(Debug, Clone, Default)]
pub(super) struct Track {
    /// Positions of the vehicle at which another stretch begins, rising.
    breaks: Vec<f64>,
    /// Patches on the left and right of each stretch: one more than breaks. Both the same for a wheel of one side.
    under: Vec<[Option<usize>; 2]>,
}

impl Track {
    pub fn new(road: &Road, place: Place) -> Track {
        let met = road.patches.iter().filter(|p| p.side.meets(place.side));
        let mut breaks: Vec<f64> = met.flat_map(|p| [p.from - place.ahead, p.to - place.ahead]).collect();
        breaks.sort_unstable_by(f64::total_cmp);
        breaks.dedup();
        let sides = match place.side {
            Side::Both => [Side::Left, Side::Right],
            side => [side; 2],
        };
        let mut under = vec![[None; 2]; breaks.len() + 1];
        for (number, patch) in road.patches.iter().enumerate() {
            // Ends are shifted as the breaks were: the same numbers, whatever their rounding.
            let first = breaks.partition_point(|b| *b <= patch.from - place.ahead);
            let last = breaks.partition_point(|b| *b <= patch.to - place.ahead);
            for (k, _) in sides.iter().enumerate().filter(|(_, side)| side.meets(patch.side)) {
                under.iter_mut().take(last).skip(first).for_each(|pair| pair[k] = Some(number));
            }
        }
        Track { breaks, under }
    }

    /// Positions of the vehicle at which another stretch begins, rising.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// The patches under the wheel while the vehicle is at x.
    pub fn under(&self, x: f64) -> [Option<usize>; 2] {
        self.under.get(self.stretch(x)).copied().unwrap_or_default()
    }

    /// The positions of the vehicle around x, from (included) and until (not included), with the same patches.
    pub fn reach(&self, x: f64) -> (f64, f64) {
        let k = self.stretch(x);
        let from = k.checked_sub(1).and_then(|k| self.breaks.get(k)).copied().unwrap_or(f64::NEG_INFINITY);
        (from, self.breaks.get(k).copied().unwrap_or(f64::INFINITY))
    }

    /// Where a stretch begins that lies within the way from one position to another, and is unlike what lies at both ends.
    pub fn passed(&self, from: f64, to: f64) -> Option<f64> {
        let (first, last) = (self.stretch(from.min(to)), self.stretch(from.max(to)));
        let unlike = |k: &usize| self.under[*k] != self.under[first] && self.under[*k] != self.under[last];
        (first + 1..last).find(unlike).map(|k| self.breaks[k - 1])
    }

    fn stretch(&self, x: f64) -> usize {
        self.breaks.partition_point(|b| *b <= x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(from: f64, to: f64, side: Side) -> Patch {
        Patch { from, to, side, friction: Signal::Constant(0.1) }
    }

    #[test]
    fn a_profile_has_pieces_with_both_ends() {
        let points = Points::new(vec![0.0, 10.0, 10.0, 30.0], vec![0.0, 0.1, 0.2, 0.0]).expect("sorted");
        let profile = Profile::new(points);
        let first = profile.piece(-5.0);
        assert_eq!((first.value, first.slope, first.from, first.until), (0.0, 0.0, f64::NEG_INFINITY, 0.0));
        let ramp = profile.piece(5.0);
        assert_eq!((ramp.angle(5.0), ramp.from, ramp.until), (0.05, 0.0, 10.0));
        assert!((ramp.slope - 0.01).abs() < 1e-17);
        assert_eq!(profile.piece(7.3), ramp);
        // At a jump the later value holds, and each end belongs to the piece that begins there.
        assert_eq!((profile.piece(10.0).value, profile.piece(10.0).from), (0.2, 10.0));
        let last = profile.piece(30.0);
        assert_eq!((last.value, last.slope, last.from, last.until), (0.0, 0.0, 30.0, f64::INFINITY));
    }

    #[test]
    fn a_wheel_meets_the_patches_of_its_side() {
        let road = Road {
            patches: vec![patch(10.0, 20.0, Side::Right), patch(20.0, 25.0, Side::Both), patch(12.0, 14.0, Side::Left)],
            ..Road::default()
        };
        road.check().expect("no overlap on any side");
        let right = Track::new(&road, Place { ahead: 2.0, side: Side::Right });
        assert_eq!((right.under(7.9), right.reach(7.9)), ([None; 2], (f64::NEG_INFINITY, 8.0)));
        assert_eq!((right.under(8.0), right.reach(8.0)), ([Some(0); 2], (8.0, 18.0)));
        assert_eq!((right.under(18.0), right.under(23.0)), ([Some(1); 2], [None; 2]));
        let axle = Track::new(&road, Place::default());
        assert_eq!((axle.under(13.0), axle.reach(13.0)), ([Some(2), Some(0)], (12.0, 14.0)));
        assert_eq!((axle.under(15.0), axle.under(22.0)), ([None, Some(0)], [Some(1); 2]));
        assert_eq!((right.passed(7.0, 18.5), right.passed(18.5, 7.0)), (Some(8.0), Some(8.0)));
        assert_eq!((right.passed(7.0, 9.0), right.passed(8.0, 18.0), axle.passed(9.0, 13.0)), (None, None, Some(10.0)));
        let nowhere = Track::default();
        assert_eq!((nowhere.under(3.0), nowhere.reach(3.0)), ([None; 2], (f64::NEG_INFINITY, f64::INFINITY)));
    }

    #[test]
    fn overlaps_are_refused_on_one_side_only() {
        let road =
            |a: Side, b: Side| Road { patches: vec![patch(0.0, 10.0, a), patch(9.0, 12.0, b)], ..Road::default() };
        assert!(road(Side::Left, Side::Right).check().is_ok());
        for (a, b) in [(Side::Left, Side::Left), (Side::Both, Side::Right), (Side::Left, Side::Both)] {
            assert_eq!(road(a, b).check(), Err(VehicleError::Overlap { from: 9.0, to: 10.0 }));
        }
    }
}
