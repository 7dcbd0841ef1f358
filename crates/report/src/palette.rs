//! The colours, set once for figures, charts and pages.
//!
//! Stick is a calm blue, slip a warm orange, everywhere; no data series wears either. In greyscale
//! stick is darker than slip and slip is hatched. Series differ in lightness and in dash as well as
//! in hue, so that they survive a black-and-white printer and the common kinds of colour blindness.

/// Stick, full strength: lines, dots, text.
pub const STICK: &str = "#2166ac";
/// Stick, as the fill of strips and of regions in which everything sticks.
pub const STICK_TINT: &str = "#85b2d9";
/// Stick, for regions in which something sticks.
pub const STICK_PALE: &str = "#cadded";
/// Stick, as a background behind curves.
pub const STICK_WASH: &str = "#e9f1f8";
/// Slip, full strength: lines, dots, hatches.
pub const SLIP: &str = "#d95f02";
/// Slip, as the fill of strips.
pub const SLIP_TINT: &str = "#fbcda4";
/// Slip, for regions in which nothing sticks.
pub const SLIP_PALE: &str = "#fef0e4";
/// Slip, as a background behind curves.
pub const SLIP_WASH: &str = "#fef4ea";
/// Open contact: no force at all.
pub const OPEN: &str = "#ffffff";
/// Text.
pub const INK: &str = "#1b1f24";
/// Secondary text, tick labels.
pub const MUTED: &str = "#535c66";
/// Frames of plots.
pub const FRAME: &str = "#8a929b";
/// Grid lines.
pub const GRID: &str = "#e4e7eb";
/// Things to compare with: laws, exact solutions, fitted lines.
pub const REFERENCE: &str = "#9aa1a9";

/// A wheel that rolls, as the fill of strips. These five stand out from white, and black letters from them, by 3:1.
pub const ROLLS_TINT: &str = "#5b93c7";
/// A wheel that slides: the rim turns slower than the wheel goes.
pub const SLIDES_TINT: &str = "#d07a22";
/// A locked wheel.
pub const LOCKED_TINT: &str = "#d6455a";
/// A wheel that spins: the rim turns faster than the wheel goes, or against it.
pub const SPINS_TINT: &str = "#a56cc1";
/// A wheel that stands.
pub const STANDS_TINT: &str = "#868f98";

/// Distance of the lines of a hatch in pixels.
pub const HATCH: f64 = 6.0;

/// The part a curve plays; decides its colour, its dash and its marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The quantity the panel is about: near-black, solid.
    First,
    /// The second quantity: purple, dashed.
    Second,
    /// The third: green, dash-dotted.
    Third,
    /// The fourth: ochre, dotted.
    Fourth,
    /// The fifth: violet, in long dashes.
    Fifth,
    /// The sixth: red, in short dashes.
    Sixth,
    /// The seventh: olive, dash-dot-dotted.
    Seventh,
    /// The eighth: brown, finely dotted.
    Eighth,
    /// What to compare with: grey, solid.
    Reference,
    /// Something that sticks: the blue of all sticking.
    Stick,
    /// Something that slips: the orange of all slipping.
    Slip,
}

impl Role {
    /// The roles of data, in order; further series start again.
    pub const DATA: [Self; 8] =
        [Self::First, Self::Second, Self::Third, Self::Fourth, Self::Fifth, Self::Sixth, Self::Seventh, Self::Eighth];

    /// The colour.
    pub fn colour(self) -> &'static str {
        match self {
            Self::First => "#1f2a37",
            Self::Second => "#a8327d",
            Self::Third => "#00876c",
            Self::Fourth => "#b08900",
            Self::Fifth => "#6a51c7",
            Self::Sixth => "#c22f2f",
            Self::Seventh => "#5c7a00",
            Self::Eighth => "#7d5233",
            Self::Reference => REFERENCE,
            Self::Stick => STICK,
            Self::Slip => SLIP,
        }
    }

    /// Lengths of dashes and gaps in pixels; empty for a solid line.
    pub fn dash(self) -> &'static [u8] {
        match self {
            Self::First | Self::Reference | Self::Stick | Self::Slip => &[],
            Self::Second => &[7, 3],
            Self::Third => &[8, 3, 2, 3],
            Self::Fourth => &[2, 3],
            Self::Fifth => &[13, 3],
            Self::Sixth => &[4, 2],
            Self::Seventh => &[8, 3, 2, 2, 2, 3],
            Self::Eighth => &[1, 2],
        }
    }
}

/// The state of a contact or a wheel over a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// No slip.
    Stick,
    /// Slip, in either direction.
    Slip,
    /// No contact.
    Open,
    /// A wheel that rolls without slip.
    Rolls,
    /// A wheel that turns slower than it goes.
    Slides,
    /// A wheel that does not turn while it goes.
    Locked,
    /// A wheel that turns faster than it goes, or against it.
    Spins,
    /// A wheel that neither turns nor goes.
    Stands,
}

impl State {
    /// All of them, in the order of legends.
    pub const ALL: [Self; 8] =
        [Self::Stick, Self::Slip, Self::Open, Self::Rolls, Self::Slides, Self::Locked, Self::Spins, Self::Stands];

    /// The fill of a strip.
    pub fn tint(self) -> &'static str {
        match self {
            Self::Stick => STICK_TINT,
            Self::Slip => SLIP_TINT,
            Self::Open => OPEN,
            Self::Rolls => ROLLS_TINT,
            Self::Slides => SLIDES_TINT,
            Self::Locked => LOCKED_TINT,
            Self::Spins => SPINS_TINT,
            Self::Stands => STANDS_TINT,
        }
    }

    /// The fill of a background.
    pub fn wash(self) -> &'static str {
        match self {
            Self::Stick | Self::Rolls => STICK_WASH,
            Self::Slip | Self::Slides | Self::Spins | Self::Locked => SLIP_WASH,
            Self::Open | Self::Stands => OPEN,
        }
    }

    /// Distance in pixels and colour of the lines that it is hatched with, for greyscale; none for what is calm.
    pub fn hatch(self) -> Option<(f64, &'static str)> {
        match self {
            Self::Stick | Self::Open | Self::Rolls | Self::Stands => None,
            Self::Slip => Some((HATCH, SLIP)),
            Self::Slides | Self::Spins => Some((HATCH, INK)),
            Self::Locked => Some((0.5 * HATCH, INK)),
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Open => "open",
            Self::Rolls => "rolls",
            Self::Slides => "slides",
            Self::Locked => "locked",
            Self::Spins => "spins",
            Self::Stands => "stands",
        }
    }

    /// What something does that comes into this state.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Stick => "sticks",
            Self::Slip => "slips",
            Self::Open => "opens",
            Self::Locked => "locks",
            Self::Stands => "stands still",
            other => other.word(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of `#rrggbb`, as web pages measure contrast.
    fn luminance(colour: &str) -> f64 {
        let part = |k: usize| {
            let value = f64::from(u8::from_str_radix(&colour[k..k + 2], 16).expect("digits")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn states_of_wheels_stand_out() {
        let contrast = |a: &str, b: &str| {
            let (a, b) = (luminance(a), luminance(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for state in [State::Rolls, State::Slides, State::Locked, State::Spins, State::Stands] {
            let tint = state.tint();
            assert!(contrast(tint, "#ffffff") >= 3.0 && contrast(tint, INK) >= 3.0, "{state:?}");
        }
    }

    #[test]
    fn no_two_roles_of_data_look_alike() {
        for (i, a) in Role::DATA.iter().enumerate() {
            for b in &Role::DATA[..i] {
                assert!(a.colour() != b.colour() && a.dash() != b.dash(), "{a:?} and {b:?}");
            }
        }
    }
}
