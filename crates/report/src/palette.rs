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

/// The state of a contact over a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// No slip.
    Stick,
    /// Slip, in either direction.
    Slip,
    /// No contact.
    Open,
}

impl State {
    /// The fill of a strip.
    pub fn tint(self) -> &'static str {
        match self {
            Self::Stick => STICK_TINT,
            Self::Slip => SLIP_TINT,
            Self::Open => OPEN,
        }
    }

    /// The fill of a background.
    pub fn wash(self) -> &'static str {
        match self {
            Self::Stick => STICK_WASH,
            Self::Slip => SLIP_WASH,
            Self::Open => OPEN,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Open => "open",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_roles_of_data_look_alike() {
        for (i, a) in Role::DATA.iter().enumerate() {
            for b in &Role::DATA[..i] {
                assert!(a.colour() != b.colour() && a.dash() != b.dash(), "{a:?} and {b:?}");
            }
        }
    }
}
