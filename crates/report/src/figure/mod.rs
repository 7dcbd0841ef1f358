//! Figures as data, and their rendering to self-contained SVG.
//!
//! The renderer is our own. A general plotting library does not know strips of contact states under
//! a shared time axis, hatches for the greyscale printer, filled regions whose labels look for a
//! place, or sub- and superscripts; what is left of such a library after that is a list of `<path>`
//! elements, which is short to write directly and keeps the build small.
//!
//! Legends stand above the plot, never in it, so they cannot cover data.

mod colour;
mod curve;
mod draw;
mod layout;
mod legend;
mod map;
mod placement;
pub(crate) mod range;
mod strip;
mod svg;
pub(crate) mod tick;

pub use colour::{CLASSES as CLASS_COLOURS, ColourMap, ColourScale, Contour, STOPS as MAP_COLOURS, Tint};
pub use map::{Arrow, Cell, LEVELS, Map, Shade};
pub use strip::{Band, Strip};
pub(crate) use svg::{FONT, px};

use crate::palette::Role;

/// One or several panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Stands above everything; may be empty.
    pub title: String,
    /// The panels, from top to bottom or from left to right.
    pub panels: Vec<Panel>,
    /// How the panels stand to each other.
    pub arrangement: Arrangement,
    /// Width in pixels; the height follows from the panels.
    pub width: f64,
    /// Whether the legend of the first of panels side by side stands for all of them: it may be as wide as they are together.
    pub common_legend: bool,
}

/// How panels stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrangement {
    /// One above the other, with one x axis for all.
    Stacked,
    /// One beside the other, each with its own axes.
    SideBySide,
}

/// A pair of axes and what is drawn between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Stands above the panel; may be empty.
    pub title: String,
    /// The horizontal axis; in a stacked figure the last panel's counts.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Height of the plot in pixels, without legend and labels.
    pub height: f64,
    /// Whether equal lengths along both axes look equal: the range of one of them, about its middle, is made as great as that takes.
    pub equal: bool,
    /// Coloured elements, under everything else.
    pub map: Option<Map>,
    /// A map of a parameter space, under everything else.
    pub colours: Option<ColourMap>,
    /// Elements of a mesh, under everything but the map.
    pub cells: Vec<Cell>,
    /// Arrows, above the curves.
    pub arrows: Vec<Arrow>,
    /// Filled polygons, under curves.
    pub regions: Vec<Region>,
    /// What the fills of the regions mean, for the legend.
    pub fills: Vec<(Fill, String)>,
    /// Stretches of x shaded over the whole height.
    pub bands: Vec<Band>,
    /// Labelled strips above the plot, one per contact.
    pub strips: Vec<Strip>,
    /// Filled bands between two curves, under the curves.
    pub ribbons: Vec<Ribbon>,
    /// Curves and points.
    pub series: Vec<Series>,
    /// Words at places.
    pub notes: Vec<Note>,
}

/// One axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is measured.
    pub label: String,
    /// Its unit; `1` or nothing for pure numbers.
    pub unit: String,
    /// Straight or in decades.
    pub scale: Scale,
    /// The ends; from the data when absent.
    pub range: Option<[f64; 2]>,
}

/// How numbers lie on an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences, equal lengths.
    Linear,
    /// Equal ratios, equal lengths; numbers ≤ 0 are not shown.
    Log,
}

/// A curve or a set of points. Points that are not finite interrupt a curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend; left out of it when empty.
    pub name: String,
    /// (x, y) in the units of the axes.
    pub points: Vec<[f64; 2]>,
    /// How the points are joined.
    pub style: Style,
    /// Its colour, dash and marker.
    pub role: Role,
    /// Width of the line in pixels; dots grow with it.
    pub width: f64,
}

/// The usual width of a line.
const WIDTH: f64 = 1.6;

/// How points are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Straight from point to point.
    Line,
    /// Each value holds until the next point.
    Step,
    /// A marker at each point.
    Markers,
    /// Both.
    LineAndMarkers,
    /// A small dot at each point: for many of them.
    Dots,
}

/// A filled band between two curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Ribbon {
    /// Its name in the legend; left out of it when empty.
    pub name: String,
    /// (x, lower, upper) in the units of the axes; what is not finite interrupts it.
    pub points: Vec<[f64; 3]>,
    /// Its colour.
    pub role: Role,
    /// How much of what lies under it is hidden, 0…1.
    pub opacity: f64,
}

/// A filled polygon with a label that looks for a place inside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// The corners, in order.
    pub polygon: Vec<[f64; 2]>,
    /// Its name, set bold; may be empty.
    pub label: String,
    /// A second line, or the rest of the first; left out where there is no room.
    pub detail: String,
    /// Its fill.
    pub fill: Fill,
}

/// What a region stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// Every contact sticks.
    Stick,
    /// Some stick, some slip.
    Mixed,
    /// Every contact slips.
    Slip,
    /// Neither; white.
    Plain,
    /// A class of a map, by its number.
    Class(usize),
}

/// Words at a place, with a halo so that they can be read above curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Where, in the units of the axes.
    pub at: [f64; 2],
    /// The words.
    pub text: String,
    /// Which end of the text stands there.
    pub anchor: Anchor,
}

/// Which end of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

impl Figure {
    /// Panels above each other on one x axis, 760 pixels wide.
    pub fn stacked(panels: Vec<Panel>) -> Self {
        Self { title: String::new(), panels, arrangement: Arrangement::Stacked, width: 760.0, common_legend: false }
    }

    /// Panels beside each other, 760 pixels wide.
    pub fn side_by_side(panels: Vec<Panel>) -> Self {
        Self { arrangement: Arrangement::SideBySide, ..Self::stacked(panels) }
    }

    /// The figure with a title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// The figure as one SVG document, without references to anything outside it.
    pub fn to_svg(&self) -> String {
        draw::figure(self)
    }
}

impl Panel {
    /// An empty panel, 180 pixels high.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self {
            title: String::new(),
            x,
            y,
            height: 180.0,
            equal: false,
            map: None,
            colours: None,
            cells: Vec::new(),
            arrows: Vec::new(),
            regions: Vec::new(),
            fills: Vec::new(),
            bands: Vec::new(),
            strips: Vec::new(),
            ribbons: Vec::new(),
            series: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The panel with one more series.
    #[must_use]
    pub fn with(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }
}

impl Axis {
    /// A straight axis that fits its data.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), scale: Scale::Linear, range: None }
    }

    /// An axis in decades that fits its data.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label, unit) }
    }

    /// Whether it measures nothing: neither label nor unit, and no ticks.
    pub(crate) fn is_bare(&self) -> bool {
        self.label.is_empty() && self.unit.is_empty()
    }

    /// The axis with fixed ends.
    #[must_use]
    pub fn from_to(mut self, lo: f64, hi: f64) -> Self {
        self.range = Some([lo, hi]);
        self
    }
}

impl Series {
    /// A line of the usual width.
    pub fn line(name: impl Into<String>, role: Role, points: Vec<[f64; 2]>) -> Self {
        Self { name: name.into(), points, style: Style::Line, role, width: WIDTH }
    }

    /// Small dots.
    pub fn dots(name: impl Into<String>, role: Role, points: Vec<[f64; 2]>) -> Self {
        Self { style: Style::Dots, ..Self::line(name, role, points) }
    }

    /// Markers.
    pub fn markers(name: impl Into<String>, role: Role, points: Vec<[f64; 2]>) -> Self {
        Self { style: Style::Markers, ..Self::line(name, role, points) }
    }

    /// The series with a line of another width.
    #[must_use]
    pub fn wide(mut self, width: f64) -> Self {
        self.width = width;
        self
    }
}
