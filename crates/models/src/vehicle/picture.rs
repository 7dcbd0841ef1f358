//! The vehicle from the side and from above, with the state of each wheel; long ones as a map over place and time.

use std::collections::BTreeMap;

use stickslip_core::record::column_part;
use stickslip_report::html::{Content, Field, FieldAxis, Quantity, Shown};
use stickslip_report::motion::{Affine, Channel, Motion, Paint, Reading, Shape, Tone};
use stickslip_report::palette::{Role, State};
use stickslip_run::Trace;
use stickslip_run::view::moving::{events, greatest};

use super::road::Side;
use super::{Vehicle, WheelData};
use crate::wheels;

/// Wheels that are drawn one by one; more of them make a map.
const MOST_WHEELS: usize = 12;

/// Distance of the axles that are told apart by names only \[m\].
const WHEELBASE: f64 = 2.6;

/// Distance of the wheels from the middle \[m\].
const TRACK: f64 = 0.72;

/// Mass from which on a vehicle is drawn as a lorry \[kg\].
const HEAVY: f64 = 7500.0;

/// Room that the words of a wheel need, as a share of half the window.
const WORDS: f64 = 0.9;

/// Friction below which ground is drawn as ice.
const SLIPPERY: f64 = 0.35;

/// Length of the longest arrow, as a share of the picture's width.
const LONGEST: f64 = 0.16;

/// How far ground and road go on beyond the window, which may be shown wider than it is.
const BEYOND: f64 = 4.0;

/// Colour of arrows of ground forces.
const FORCE: Tone = Tone::Data(Role::Second);

/// What a vehicle looked like, at these rows of its trace.
pub(super) fn picture(vehicle: &Vehicle, trace: &Trace, rows: &[usize]) -> Content {
    match vehicle.parameters().wheels.len() {
        0..=MOST_WHEELS => Content::Motion(Picture::new(vehicle, trace, rows).drawn()),
        _ => Content::Field(place_and_time(vehicle, trace)),
    }
}

/// A column of a wheel.
fn column<'a>(trace: &'a Trace, short: &str, wheel: &WheelData) -> &'a [f64] {
    trace.column(&format!("{short}_{}", column_part(&wheel.name)))
}

/// The state of a wheel at a row.
fn state(trace: &Trace, wheel: &WheelData, row: usize) -> f64 {
    let of = |short: &str| column(trace, short, wheel)[row];
    wheels::state(trace.column("x1")[row], of("v"), slides(trace, wheel, row))
}

/// Whether a wheel slides: on a tyre, which always slips a little, where it is locked.
fn slides(trace: &Trace, wheel: &WheelData, row: usize) -> bool {
    let of = |short: &str| column(trace, short, wheel)[row];
    of("eps_G") != 0.0 && (wheel.tyre.is_none() || of("v") == 0.0)
}

/// A wheel and where it is drawn.
struct Placed<'a> {
    wheel: &'a WheelData,
    /// Along the vehicle, forward \[m\].
    x: f64,
    side: Side,
    state: Channel,
    angle: Channel,
    force: Channel,
}

struct Picture<'a> {
    vehicle: &'a Vehicle,
    motion: Motion,
    wheels: Vec<Placed<'a>>,
    x: Channel,
    slope: Channel,
    /// The steepest slope, up or down \[rad\].
    steepest: f64,
    /// Half the width of the window \[m\].
    half: f64,
    /// Newtons per metre of an arrow.
    scale: f64,
}

impl<'a> Picture<'a> {
    fn new(vehicle: &'a Vehicle, trace: &Trace, rows: &[usize]) -> Picture<'a> {
        let take = |values: &[f64]| -> Vec<f64> { rows.iter().map(|&i| values[i] + 0.0).collect() };
        let wheels = &vehicle.parameters().wheels;
        let places = places(wheels);
        let reach = places.iter().fold(0.5 * WHEELBASE, |most, (x, _)| most.max(x.abs()));
        let half = 1.4 * reach + 0.9;
        let window = [[-half, half], [0.0, 1.0]];
        let mut motion = Motion::new("The vehicle from the side and from above", window, take(trace.column("t")));
        wheels::explain(&mut motion);
        let [x, slope, speed] = ["x", "slope", "x1"].map(|name| motion.channel(take(trace.column(name))));
        motion.number("speed", "m/s", speed, 2);
        motion.number("position", "m", x, 2);
        let most = wheels.iter().map(|wheel| greatest(trace, &format!("f_{}", column_part(&wheel.name))));
        let scale = most.fold(0.0, f64::max) / (LONGEST * 2.0 * half);
        motion.means(FORCE, "force of the ground on the vehicle");
        motion.events = events(trace);
        let steepest = trace.column("slope").iter().fold(0.0_f64, |most, slope| most.max(slope.abs()));
        let mut picture = Picture { vehicle, motion, wheels: Vec::new(), x, slope, steepest, half, scale };
        for (wheel, (x, side)) in wheels.iter().zip(places) {
            let motion = &mut picture.motion;
            let state = motion.state_channel(rows.iter().map(|&i| state(trace, wheel, i)).collect());
            let angle =
                motion.channel(take(&wheels::angle(trace.column("t"), column(trace, "v", wheel), wheel.radius)));
            let force = motion.channel(take(column(trace, "f", wheel)));
            motion.readings.push(Reading::State { name: wheel.name.clone(), channel: state });
            picture.wheels.push(Placed { wheel, x, side, state, angle, force });
        }
        picture
    }

    fn drawn(mut self) -> Motion {
        let tallest = self.wheels.iter().fold(0.0_f64, |most, placed| most.max(placed.wheel.radius));
        let high = 2.0 * tallest + 0.16 * self.half + 0.5;
        let wide = 2.0 * TRACK + 0.5 * self.half;
        // The view from above lies below that from the side, and below the foot of a slope.
        let middle = -(0.16 + 0.7 * self.steepest.sin()) * self.half - 0.5 * wide;
        self.motion.window[1] = [middle - 0.5 * wide, high];
        let mut shapes = self.top_view(middle);
        shapes.push(self.side_view());
        self.motion.shapes = shapes;
        self.motion.text = "A vehicle on its road, from the side and from above; each wheel has the colour of its state, and arrows are \
                            forces of the ground."
            .into();
        self.motion
    }

    /// Everything turns with the slope of the road.
    fn side_view(&self) -> Shape {
        let half = self.half;
        let mut shapes = vec![Shape::Ground { y: 0.0, x: [-BEYOND * half, BEYOND * half], shift: self.x * -1.0 }];
        shapes.push(self.body());
        // Of wheels at one place only the nearest can be seen: the right one.
        let mut seen: BTreeMap<i64, &Placed<'_>> = BTreeMap::new();
        for placed in &self.wheels {
            let place = (1e3 * placed.x).round() as i64;
            if placed.side != Side::Left || !seen.contains_key(&place) {
                seen.insert(place, placed);
            }
        }
        for placed in seen.values() {
            let radius = placed.wheel.radius;
            shapes.push(wheels::wheel([placed.x.into(), radius.into()], radius, placed.angle.into(), placed.state));
        }
        Shape::Group { at: [0.0.into(), 0.0.into()], turn: self.slope.into(), shapes }
    }

    /// The outline of a car or a lorry about its axles.
    fn body(&self) -> Shape {
        let (rear, front) = self.ends();
        let length = front - rear;
        let sill = self.wheels.iter().fold(0.0_f64, |most, placed| most.max(placed.wheel.radius));
        let (waist, roof) = (sill + 0.10 * self.half, sill + 0.30 * self.half);
        let at = |share: f64| rear + share * length;
        let lorry = vec![
            [at(-0.24), sill],
            [at(-0.24), roof],
            [at(0.84), roof],
            [at(0.84), sill + 0.02 * self.half],
            [at(0.87), sill + 0.02 * self.half],
            [at(0.87), roof - 0.03 * self.half],
            [at(1.14), roof - 0.03 * self.half],
            [at(1.20), waist],
            [at(1.22), sill * 0.7],
            [at(0.87), sill * 0.7],
            [at(0.87), sill],
        ];
        let car = vec![
            [at(-0.24), sill * 0.8],
            [at(-0.26), waist],
            [at(-0.05), waist + 0.02],
            [at(0.12), roof],
            [at(0.58), roof],
            [at(0.80), waist],
            [at(1.22), waist - 0.06],
            [at(1.26), sill * 0.8],
        ];
        // A quarter of a car: a block on its wheel.
        let quarter = vec![
            [-0.35 * WHEELBASE, 1.2 * sill],
            [-0.35 * WHEELBASE, roof],
            [0.35 * WHEELBASE, roof],
            [0.35 * WHEELBASE, 1.2 * sill],
        ];
        let points = match (self.is_quarter(), self.vehicle.parameters().mass > HEAVY) {
            (true, _) => quarter,
            (false, true) => lorry,
            (false, false) => car,
        };
        Shape::Polyline { points, closed: true, paint: Paint::filled(Tone::Body) }
    }

    /// Whether all wheels stand at one place.
    fn is_quarter(&self) -> bool {
        self.wheels.iter().all(|placed| (placed.x - self.wheels[0].x).abs() < 0.1)
    }

    /// Places of the last and of the first axle, apart from each other in any case.
    fn ends(&self) -> (f64, f64) {
        let rear = self.wheels.iter().fold(f64::INFINITY, |least, placed| least.min(placed.x));
        let front = self.wheels.iter().fold(f64::NEG_INFINITY, |most, placed| most.max(placed.x));
        if front - rear > 0.1 { (rear, front) } else { (rear - 0.5 * WHEELBASE, front + 0.5 * WHEELBASE) }
    }

    /// y counts to the left here.
    fn top_view(&self, middle: f64) -> Vec<Shape> {
        let half = self.half;
        let mut shapes = self.road(middle);
        let (rear, front) = self.ends();
        let length = if self.is_quarter() { 0.7 * WHEELBASE } else { 1.46 * (front - rear) };
        // A body on one wheel has it under its middle.
        let lone = self.wheels.len() == 1;
        let size = [length, if lone { TRACK } else { 2.0 * TRACK } + 0.25];
        let at = [0.5 * (rear + front), middle];
        shapes.push(Shape::Rectangle { at, size, round: 0.3, paint: Paint::filled(Tone::Body) });
        for (placed, words) in self.wheels.iter().zip(self.sides_of_words()) {
            let sides: &[f64] = match placed.side {
                Side::Left => &[1.0],
                Side::Right => &[-1.0],
                Side::Both if lone => &[0.0],
                Side::Both => &[1.0, -1.0],
            };
            for &side in sides {
                let y = middle + side * TRACK;
                let size = [2.0 * placed.wheel.radius, 0.09 * half];
                let paint = Paint::by_state(placed.state);
                shapes.push(Shape::Rectangle { at: [placed.x, y], size, round: 0.04, paint });
                let by = [placed.force * (-1.0 / (self.scale * sides.len() as f64)), 0.0.into()];
                shapes.push(Shape::Arrow { from: [placed.x.into(), y.into()], by, tone: FORCE });
            }
            let y = middle + words * (TRACK + 0.17 * half);
            let text = format!("{}: ", placed.wheel.name);
            shapes.push(Shape::Text { at: [placed.x, y], text, state: Some(placed.state), tone: Tone::Ink });
        }
        shapes
    }

    /// On which side of the view from above the words of each wheel stand: those of axles that follow closely, on both.
    fn sides_of_words(&self) -> Vec<f64> {
        let mut last: Option<(f64, f64)> = None;
        let side = |placed: &Placed<'_>| match (placed.side, last) {
            (Side::Left, _) => 1.0,
            (Side::Right, _) => -1.0,
            (Side::Both, before) => {
                let near = before.filter(|(x, _)| (placed.x - x).abs() < WORDS * self.half);
                let side = near.map_or(1.0, |(_, side)| -side);
                last = Some((placed.x, side));
                side
            }
        };
        self.wheels.iter().map(side).collect()
    }

    /// Ice where the road has little friction, whether by place or under a wheel.
    fn road(&self, middle: f64) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let half_road = TRACK + 0.25 * self.half;
        let strip = |from: f64, to: f64, side: Side| {
            let (low, high) = match side {
                Side::Left => (0.0, half_road),
                Side::Right => (-half_road, 0.0),
                Side::Both => (-half_road, half_road),
            };
            let at = [0.5 * (from + to), middle + 0.5 * (low + high)];
            Shape::Rectangle { at, size: [to - from, high - low], round: 0.0, paint: Paint::filled(Tone::Ice).bare() }
        };
        let slippery = |placed: &&Placed<'_>| placed.wheel.friction.at(0.0) < SLIPPERY;
        for side in [Side::Left, Side::Right] {
            let mut on_it = self.wheels.iter().filter(|placed| placed.side.meets(side)).peekable();
            if on_it.peek().is_some() && on_it.all(|placed| slippery(&placed)) {
                shapes.push(strip(-BEYOND * self.half, BEYOND * self.half, side));
            }
        }
        let patches = self.vehicle.parameters().road.patches.iter().filter(|patch| patch.friction.at(0.0) < SLIPPERY);
        let patches: Vec<Shape> = patches.map(|patch| strip(patch.from, patch.to, patch.side)).collect();
        if !patches.is_empty() {
            shapes.push(Shape::Group { at: [self.x * -1.0, 0.0.into()], turn: Affine::default(), shapes: patches });
        }
        let edge = |side: f64| Shape::Line {
            from: [(-BEYOND * self.half).into(), (middle + side * half_road).into()],
            to: [(BEYOND * self.half).into(), (middle + side * half_road).into()],
            paint: Paint::outline(Tone::Frame, 1.5),
        };
        shapes.extend([edge(1.0), edge(-1.0)]);
        shapes
    }
}

/// Where wheels are drawn: where the scenario puts them; where it puts all at one place, where their names say.
fn places(wheels: &[WheelData]) -> Vec<(f64, Side)> {
    let side = |wheel: &WheelData| match wheel.place.side {
        Side::Both if wheel.name.contains("left") => Side::Left,
        Side::Both if wheel.name.contains("right") => Side::Right,
        side => side,
    };
    let first = wheels.first().map_or(0.0, |wheel| wheel.place.ahead);
    if wheels.iter().any(|wheel| wheel.place.ahead != first) {
        let (least, most) = wheels.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), wheel| {
            (a.min(wheel.place.ahead), b.max(wheel.place.ahead))
        });
        return wheels.iter().map(|wheel| (wheel.place.ahead - 0.5 * (least + most), side(wheel))).collect();
    }
    let named = |wheel: &WheelData, k: usize| match wheel.name.as_str() {
        name if name.contains("front") => 0.5 * WHEELBASE,
        name if name.contains("rear") || name.contains("back") => -0.5 * WHEELBASE,
        _ if wheels.len() == 1 => 0.0,
        _ => WHEELBASE * (0.5 - k as f64 / (wheels.len() - 1) as f64),
    };
    wheels.iter().enumerate().map(|(k, wheel)| (named(wheel, k), side(wheel))).collect()
}

/// Instants and places of a map at the most.
const CELLS: usize = 128;

/// Where on the road and when wheels roll or slip: the vehicle as a band from below to above, ice as what it does to it.
/// Lengths of less \[m\] are drawn as this: of a vehicle that stands, with one wheel.
const POINT: f64 = 1e-9;

fn place_and_time(vehicle: &Vehicle, trace: &Trace) -> Field {
    let wheels = &vehicle.parameters().wheels;
    let (t, x) = (trace.column("t"), trace.column("x"));
    let rows: Vec<usize> = (0..t.len()).step_by(t.len().div_ceil(CELLS).max(1)).collect();
    let ahead = |wheel: &WheelData| wheel.place.ahead;
    let (least, most) = wheels
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), wheel| (a.min(ahead(wheel)), b.max(ahead(wheel))));
    let ends = x.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x + least), b.max(x + most)));
    // No cell is shorter than the gap between two wheels, or the vehicle would have holes.
    let mut along: Vec<f64> = wheels.iter().map(ahead).collect();
    along.sort_by(f64::total_cmp);
    let gap = along.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    let cells = (((ends.1 - ends.0) / gap.max(POINT)) as usize).clamp(1, CELLS);
    let cell = (ends.1 - ends.0).max(POINT) / cells as f64;
    let map = |name: &str, wanted: Side| {
        let mut states = vec![None; cells * rows.len()];
        for wheel in wheels.iter().filter(|wheel| wheel.place.side.meets(wanted)) {
            for (j, &row) in rows.iter().enumerate() {
                let i = ((x[row] + ahead(wheel) - ends.0) / cell) as usize;
                let slips = slides(trace, wheel, row);
                let shown = &mut states[i.min(cells - 1) + j * cells];
                if slips || shown.is_none() {
                    *shown = Some(if slips { State::Slip } else { State::Stick });
                }
            }
        }
        Quantity { name: name.into(), shown: Shown::States(states) }
    };
    let axis = |label: &str, unit: &str, ends| FieldAxis { label: label.into(), unit: unit.into(), ends };
    Field {
        name: "Wheels over place and time".into(),
        text: "Which wheels stick to the road and which slip on it: from left to right the place along the road, from below upwards \
               the time."
            .into(),
        axes: [axis("place along the road", "m", [ends.0, ends.1]), axis("time", "s", [0.0, trace.end])],
        count: [cells, rows.len()],
        quantities: vec![map("wheels on the left", Side::Left), map("wheels on the right", Side::Right)],
        equal: false,
    }
}
