//! Moving pictures: shapes, and how recorded numbers move them.
//!
//! A [`Motion`] is a window on a plane (x to the right, y upwards, equal scales), shapes in it, and channels: numbers over
//! one list of times. Places, angles and arrows are [`Affine`] expressions of channels. One description serves both the frames that are
//! drawn here as SVG and the script in the page, which only moves the elements of the first frame.

mod affine;
mod draw;
mod frames;

pub use affine::{Affine, Channel};
pub(crate) use draw::{WIDTH, draw};

use crate::palette::{self, Role};

/// A moving picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// What is shown, as a heading.
    pub name: String,
    /// What is to be seen, in words, for those who do not see it.
    pub text: String,
    /// The ends of the window along x and along y.
    pub window: [[f64; 2]; 2],
    /// Times, increasing, s; thin them first ([`crate::thinning`]).
    pub t: Vec<f64>,
    /// One list of values per channel, as long as the times.
    pub channels: Vec<Values>,
    /// What can be seen, from the back to the front.
    pub shapes: Vec<Shape>,
    /// What colours of states mean, by the number of the state.
    pub states: Vec<Appearance>,
    /// What the colours of lines and arrows mean.
    pub key: Vec<(Tone, String)>,
    /// Numbers and states that are written below the picture.
    pub readings: Vec<Reading>,
    /// Instants to step to, each in words.
    pub events: Vec<(f64, String)>,
}

/// The values of a channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// One per time.
    pub values: Vec<f64>,
    /// Whether it is a number of a state, which has held since the time before, and not a quantity between two times.
    pub state: bool,
}

/// How a state looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appearance {
    /// Its word.
    pub word: String,
    /// Its colour.
    pub tone: Tone,
}

/// A line below the picture.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// A number with its unit.
    Number {
        /// What it is.
        name: String,
        /// Its unit; may be empty.
        unit: String,
        /// Its value.
        value: Affine,
        /// Decimals.
        decimals: usize,
    },
    /// The state of something, as a word in its colour.
    State {
        /// What it is.
        name: String,
        /// The number of its state.
        channel: Channel,
    },
}

/// A colour by its meaning; pages have a light and a dark one for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Nothing is painted.
    None,
    /// Text and outlines.
    Ink,
    /// Less important text and lines.
    Muted,
    /// Frames.
    Frame,
    /// Fill of bodies.
    Body,
    /// Fill of what lies behind them.
    Back,
    /// The paper.
    Paper,
    /// Ice and the like on a road.
    Ice,
    /// Something that sticks.
    Stick,
    /// Something that slips.
    Slip,
    /// A wheel that rolls, as in strips.
    Rolls,
    /// One that slides.
    Slides,
    /// One that is locked.
    Locked,
    /// One that spins.
    Spins,
    /// One that stands.
    Stands,
    /// One in the air.
    Flies,
    /// The colour of a curve.
    Data(Role),
}

impl Tone {
    /// The colour on white paper.
    pub fn colour(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ink => palette::INK,
            Self::Muted => palette::MUTED,
            Self::Frame => palette::FRAME,
            Self::Body => palette::BODY,
            Self::Back => palette::GRID,
            Self::Paper => palette::PAPER,
            Self::Ice => palette::ICE,
            Self::Stick => palette::STICK_TINT,
            Self::Slip => palette::SLIP_TINT,
            Self::Rolls => palette::ROLLS_TINT,
            Self::Slides => palette::SLIDES_TINT,
            Self::Stands => palette::STANDS_TINT,
            Self::Flies => palette::FLIES_TINT,
            Self::Locked => palette::LOCKED_TINT,
            Self::Spins => palette::SPINS_TINT,
            Self::Data(role) => role.colour(),
        }
    }
}

/// How a shape is painted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paint {
    /// Its inside.
    pub fill: Tone,
    /// Its outline.
    pub stroke: Tone,
    /// Width of the outline in pixels.
    pub width: f64,
    /// Whether the outline is dashed.
    pub dashed: bool,
    /// The channel whose state fills it instead.
    pub state: Option<Channel>,
}

impl Paint {
    /// A filled shape with an outline in ink.
    pub const fn filled(fill: Tone) -> Self {
        Self { fill, stroke: Tone::Ink, width: 1.5, dashed: false, state: None }
    }

    /// An outline alone.
    pub const fn outline(stroke: Tone, width: f64) -> Self {
        Self { fill: Tone::None, stroke, width, dashed: false, state: None }
    }

    /// Filled with the colour of the state that a channel has.
    pub const fn by_state(channel: Channel) -> Self {
        Self { state: Some(channel), ..Self::filled(Tone::Body) }
    }

    /// With a dashed outline.
    #[must_use]
    pub const fn dashed(self) -> Self {
        Self { dashed: true, ..self }
    }

    /// With no outline.
    #[must_use]
    pub const fn bare(self) -> Self {
        Self { stroke: Tone::None, ..self }
    }
}

/// A point whose coordinates may move.
pub type Point = [Affine; 2];

/// What can be seen. Lengths are those of the window, widths of lines and sizes of text pixels.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A circle.
    Circle {
        /// Its centre.
        at: [f64; 2],
        /// Its radius.
        radius: f64,
        /// Its look.
        paint: Paint,
    },
    /// A rectangle with round corners.
    Rectangle {
        /// Its middle.
        at: [f64; 2],
        /// Its sides.
        size: [f64; 2],
        /// The radius of its corners.
        round: f64,
        /// Its look.
        paint: Paint,
    },
    /// Straight lines from point to point.
    Polyline {
        /// The points.
        points: Vec<[f64; 2]>,
        /// Whether the last is joined to the first.
        closed: bool,
        /// Its look.
        paint: Paint,
    },
    /// A line between two points that move.
    Line {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
        /// Its look.
        paint: Paint,
    },
    /// An arrow; nothing where it is shorter than its head.
    Arrow {
        /// Where it begins.
        from: Point,
        /// From there to its tip.
        by: Point,
        /// Its colour.
        tone: Tone,
    },
    /// A spring.
    Spring {
        /// Where it begins.
        from: Point,
        /// Where it ends.
        to: Point,
        /// Half its width.
        half: f64,
    },
    /// Hatching along a line, as the ground or a belt has it: below it, moving along it.
    Ground {
        /// Height of the line.
        y: f64,
        /// Its ends along x.
        x: [f64; 2],
        /// How far the hatching has moved to the right.
        shift: Affine,
    },
    /// A belt on two rollers, whose cross lines move along it.
    Belt {
        /// Height of its upper side.
        y: f64,
        /// Its ends along x.
        x: [f64; 2],
        /// From its upper to its lower side.
        thick: f64,
        /// How far its upper side has moved to the right.
        shift: Affine,
    },
    /// The dashes of a road from above, moving along it.
    Lane {
        /// Height of the line.
        y: f64,
        /// Its ends along x.
        x: [f64; 2],
        /// How far the dashes have moved to the right.
        shift: Affine,
    },
    /// Words.
    Text {
        /// Where their middle stands.
        at: [f64; 2],
        /// The words; those of a state stand behind them.
        text: String,
        /// The channel whose state is written.
        state: Option<Channel>,
        /// Their colour.
        tone: Tone,
    },
    /// Shapes that move together.
    Group {
        /// Where their origin is.
        at: Point,
        /// By how much they are turned, counter-clockwise, rad.
        turn: Affine,
        /// The shapes.
        shapes: Vec<Shape>,
    },
}

impl Motion {
    /// An empty picture of a window.
    pub fn new(name: impl Into<String>, window: [[f64; 2]; 2], t: Vec<f64>) -> Self {
        Self {
            name: name.into(),
            text: String::new(),
            window,
            t,
            channels: Vec::new(),
            shapes: Vec::new(),
            states: Vec::new(),
            key: Vec::new(),
            readings: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Adds a quantity.
    pub fn channel(&mut self, values: Vec<f64>) -> Channel {
        self.add(values, false)
    }

    /// Adds the number of a state.
    pub fn state_channel(&mut self, values: Vec<f64>) -> Channel {
        self.add(values, true)
    }

    fn add(&mut self, values: Vec<f64>, state: bool) -> Channel {
        self.channels.push(Values { values, state });
        Channel(self.channels.len() - 1)
    }

    /// Adds a state and its look; its number is that of the states before it.
    pub fn state(&mut self, word: impl Into<String>, tone: Tone) {
        self.states.push(Appearance { word: word.into(), tone });
    }

    /// Adds the meaning of a colour of lines or arrows.
    pub fn means(&mut self, tone: Tone, words: impl Into<String>) {
        self.key.push((tone, words.into()));
    }

    /// Adds a number below the picture.
    pub fn number(
        &mut self,
        name: impl Into<String>,
        unit: impl Into<String>,
        value: impl Into<Affine>,
        decimals: usize,
    ) {
        self.readings.push(Reading::Number { name: name.into(), unit: unit.into(), value: value.into(), decimals });
    }

    /// All channels at an instant.
    pub(crate) fn at(&self, t: f64) -> Vec<f64> {
        let last = self.t.len().saturating_sub(1);
        // The first time that is not earlier: a state has held since the time before it.
        let to = self.t.partition_point(|time| *time < t).min(last);
        let from = to.saturating_sub(1);
        let share = match self.t.get(to).zip(self.t.get(from)) {
            Some((b, a)) if b > a => ((t - a) / (b - a)).clamp(0.0, 1.0),
            _ => 1.0,
        };
        let value = |channel: &Values| {
            let of = |i: usize| channel.values.get(i).copied().unwrap_or(0.0);
            if channel.state || share == 1.0 { of(to) } else { of(from) + share * (of(to) - of(from)) }
        };
        self.channels.iter().map(value).collect()
    }

    /// The look of the state with this number.
    pub(crate) fn appearance(&self, number: f64) -> Option<&Appearance> {
        (number >= 0.0).then(|| self.states.get(number as usize)).flatten()
    }

    /// Start, two events and end: what there is to see without any script.
    pub fn key_times(&self) -> Vec<f64> {
        frames::key_times(&self.t, &self.events)
    }

    /// Key frames as one SVG document.
    pub fn to_svg(&self) -> String {
        frames::sheet(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_lie_between_their_times_and_states_hold_since_the_last() {
        let mut motion = Motion::new("m", [[0.0, 1.0]; 2], vec![0.0, 1.0, 3.0]);
        motion.channel(vec![0.0, 2.0, 4.0]);
        motion.state_channel(vec![0.0, 1.0, 2.0]);
        assert_eq!(motion.at(0.5), [1.0, 1.0]);
        assert_eq!(motion.at(1.0), [2.0, 1.0]);
        assert_eq!(motion.at(1.1)[1], 2.0);
        assert_eq!(motion.at(9.0), [4.0, 2.0]);
        assert_eq!(motion.at(-1.0), [0.0, 0.0]);
    }
}
