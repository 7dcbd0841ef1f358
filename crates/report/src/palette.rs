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
pub const REFERENCE: &str = "#838b94";
/// The line of zero among grid lines.
pub const ZERO: &str = "#b9bfc6";
/// Paper.
pub const PAPER: &str = "#ffffff";
/// What lies around the paper of a page, and behind code.
pub const DESK: &str = "#f6f7f9";
/// Bodies in moving pictures.
pub const BODY: &str = "#d5dae0";
/// Ice and the like on a road.
pub const ICE: &str = "#cfe8f3";

/// All colours by their names in pages: on white, and on dark paper.
pub const THEME: [(&str, &str, &str); 39] = [
    ("paper", PAPER, "#16191d"),
    ("desk", DESK, "#0e1013"),
    ("ink", INK, "#e8ebee"),
    ("muted", MUTED, "#a9b1ba"),
    ("frame", FRAME, "#77808a"),
    ("grid", GRID, "#2b3036"),
    ("zero", ZERO, "#4a525a"),
    ("reference", REFERENCE, "#8d959e"),
    ("body", BODY, "#3d454d"),
    ("ice", ICE, "#1f4354"),
    ("stick", STICK, "#6fb0ea"),
    ("stick-tint", STICK_TINT, "#2f6597"),
    ("stick-pale", STICK_PALE, "#23394d"),
    ("stick-wash", STICK_WASH, "#1a242e"),
    ("slip", SLIP, "#f58f3d"),
    ("slip-tint", SLIP_TINT, "#8a4a1a"),
    ("slip-pale", SLIP_PALE, "#35261a"),
    ("slip-wash", SLIP_WASH, "#28201a"),
    ("rolls-tint", ROLLS_TINT, "#2c5f8f"),
    ("slides-tint", SLIDES_TINT, "#87470f"),
    ("locked-tint", LOCKED_TINT, "#9c3550"),
    ("spins-tint", SPINS_TINT, "#6b4596"),
    ("stands-tint", STANDS_TINT, "#4d565f"),
    ("flies-tint", FLIES_TINT, "#1d5f55"),
    ("rises-tint", RISES_TINT, "#476a1f"),
    ("held-tint", HELD_TINT, "#5a5648"),
    ("falls-tint", FALLS_TINT, "#70493a"),
    ("first", Role::First.colour(), Role::First.on_dark()),
    ("second", Role::Second.colour(), Role::Second.on_dark()),
    ("third", Role::Third.colour(), Role::Third.on_dark()),
    ("fourth", Role::Fourth.colour(), Role::Fourth.on_dark()),
    ("fifth", Role::Fifth.colour(), Role::Fifth.on_dark()),
    ("sixth", Role::Sixth.colour(), Role::Sixth.on_dark()),
    ("seventh", Role::Seventh.colour(), Role::Seventh.on_dark()),
    ("eighth", Role::Eighth.colour(), Role::Eighth.on_dark()),
    ("sound", "#00664f", "#4fd0ae"),
    ("caution", "#7a5b00", "#e8c14e"),
    ("fault", "#a11212", "#ff8a84"),
    ("link", "#1a5a9a", "#7db8f0"),
];

/// The name in [`THEME`] of a colour on white.
pub fn name_of(colour: &str) -> Option<&'static str> {
    let colour = if colour == "#fff" { PAPER } else { colour };
    THEME.iter().find(|(_, light, _)| *light == colour).map(|(name, _, _)| *name)
}

/// A wheel that rolls, as the fill of strips. These six stand out from white, and black letters from them, by 3:1.
pub const ROLLS_TINT: &str = "#5b93c7";
/// A wheel that slides: the rim turns slower than the wheel goes.
pub const SLIDES_TINT: &str = "#d07a22";
/// A locked wheel.
pub const LOCKED_TINT: &str = "#d6455a";
/// A wheel that spins: the rim turns faster than the wheel goes, or against it.
pub const SPINS_TINT: &str = "#ac76c7";
/// A wheel that stands.
pub const STANDS_TINT: &str = "#868f98";
/// A wheel in the air.
pub const FLIES_TINT: &str = "#3f9e8f";
/// A command of a controller that rises. Controllers share no colour with what they act on.
pub const RISES_TINT: &str = "#7a9f45";
/// One that is held.
pub const HELD_TINT: &str = "#ddd5bd";
/// One that falls.
pub const FALLS_TINT: &str = "#ad6e57";

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

    /// The colour on white.
    pub const fn colour(self) -> &'static str {
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

    /// The colour on dark paper.
    pub const fn on_dark(self) -> &'static str {
        match self {
            Self::First => "#e8ebee",
            Self::Second => "#ef86c5",
            Self::Third => "#3fc9a8",
            Self::Fourth => "#dfb63c",
            Self::Fifth => "#aa9bf6",
            Self::Sixth => "#ff837b",
            Self::Seventh => "#a5c64c",
            Self::Eighth => "#d3a27d",
            Self::Reference => "#8d959e",
            Self::Stick => "#6fb0ea",
            Self::Slip => "#f58f3d",
        }
    }

    /// Its name in [`THEME`].
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
            Self::Fourth => "fourth",
            Self::Fifth => "fifth",
            Self::Sixth => "sixth",
            Self::Seventh => "seventh",
            Self::Eighth => "eighth",
            Self::Reference => "reference",
            Self::Stick => "stick",
            Self::Slip => "slip",
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
    /// A wall that is touched, where there is no friction that could stick.
    Closed,
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
    /// A wheel in the air.
    Flies,
    /// A command of a controller that rises.
    Rises,
    /// One that is held.
    Held,
    /// One that falls.
    Falls,
}

impl State {
    /// All of them, in the order of legends.
    pub const ALL: [Self; 13] = [
        Self::Stick,
        Self::Slip,
        Self::Open,
        Self::Closed,
        Self::Rolls,
        Self::Slides,
        Self::Locked,
        Self::Spins,
        Self::Stands,
        Self::Flies,
        Self::Rises,
        Self::Held,
        Self::Falls,
    ];

    /// The fill of a strip.
    pub fn tint(self) -> &'static str {
        match self {
            Self::Stick | Self::Closed => STICK_TINT,
            Self::Slip => SLIP_TINT,
            Self::Open => OPEN,
            Self::Rolls => ROLLS_TINT,
            Self::Slides => SLIDES_TINT,
            Self::Locked => LOCKED_TINT,
            Self::Spins => SPINS_TINT,
            Self::Stands => STANDS_TINT,
            Self::Flies => FLIES_TINT,
            Self::Rises => RISES_TINT,
            Self::Held => HELD_TINT,
            Self::Falls => FALLS_TINT,
        }
    }

    /// The fill of a background.
    pub fn wash(self) -> &'static str {
        match self {
            Self::Stick | Self::Closed | Self::Rolls | Self::Rises => STICK_WASH,
            Self::Slip | Self::Slides | Self::Spins | Self::Locked | Self::Falls => SLIP_WASH,
            Self::Open | Self::Stands | Self::Held | Self::Flies => OPEN,
        }
    }

    /// Distance in pixels and colour of the lines that it is hatched with, for greyscale; none for what is calm.
    pub fn hatch(self) -> Option<(f64, &'static str)> {
        match self {
            Self::Stick | Self::Open | Self::Closed => None,
            Self::Rolls | Self::Stands | Self::Flies | Self::Rises | Self::Held => None,
            Self::Slip => Some((HATCH, SLIP)),
            Self::Slides | Self::Spins | Self::Falls => Some((HATCH, INK)),
            Self::Locked => Some((0.5 * HATCH, INK)),
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stick => "stick",
            Self::Slip => "slip",
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Rolls => "rolls",
            Self::Slides => "slides",
            Self::Locked => "locked",
            Self::Spins => "spins",
            Self::Stands => "stands",
            Self::Flies => "in the air",
            Self::Rises => "rises",
            Self::Held => "held",
            Self::Falls => "falls",
        }
    }

    /// What something does that comes into this state.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Stick => "sticks",
            Self::Slip => "slips",
            Self::Open => "opens",
            Self::Closed => "closes",
            Self::Locked => "locks",
            Self::Stands => "stands still",
            Self::Flies => "lifts",
            other => other.word(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance by WCAG 2.
    fn luminance(colour: &str) -> f64 {
        let part = |k: usize| {
            let value = f64::from(u8::from_str_radix(&colour[k..k + 2], 16).expect("two hexadecimal digits")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn curves_and_words_stand_out_on_both_papers() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        let (_, white, dark) = THEME[0];
        let lines = ["reference", "frame", "stick", "slip", "first", "second", "third", "fourth", "fifth", "sixth"];
        for (name, light, on_dark) in THEME {
            let least = match name {
                "ink" | "muted" | "sound" | "caution" | "fault" | "link" => 4.5,
                "seventh" | "eighth" => 3.0,
                name if lines.contains(&name) => 3.0,
                _ => continue,
            };
            assert!(contrast(light, white) >= least, "{name} on white: {}", contrast(light, white));
            assert!(contrast(on_dark, dark) >= least, "{name} on dark: {}", contrast(on_dark, dark));
        }
    }

    #[test]
    fn words_can_be_read_on_the_colours_of_states() {
        let [light, dark] = [0, 1].map(|k| if k == 0 { INK } else { THEME[2].2 });
        for (name, tint, on_dark) in THEME.iter().filter(|(name, ..)| name.ends_with("-tint") || *name == "ice") {
            // States of wheels must stand out from the paper as well.
            let least = if name.ends_with("s-tint") || *name == "locked-tint" { 3.0 } else { 4.5 };
            let (light, dark) = (contrast(tint, light), contrast(on_dark, dark));
            assert!(light >= least && dark >= 4.5, "{name}: {light} {dark}");
        }
    }

    #[test]
    fn no_two_names_share_a_colour_on_white() {
        for (k, (name, light, _)) in THEME.iter().enumerate() {
            assert!(THEME[..k].iter().all(|(_, other, _)| other != light), "{name}");
        }
        assert_eq!((name_of("#fff"), name_of(INK), name_of("#123456")), (Some("paper"), Some("ink"), None));
    }

    #[test]
    fn strips_of_wheels_and_of_controllers_share_no_colour() {
        let shared = |(k, state): (usize, &State)| State::ALL[..k].iter().any(|other| other.tint() == state.tint());
        // A wall that is touched looks like what sticks: neither gives way.
        let all: Vec<_> = State::ALL.iter().enumerate().filter(|pair| shared(*pair)).map(|(_, state)| *state).collect();
        assert_eq!(all, [State::Closed]);
    }

    #[test]
    fn states_of_wheels_stand_out() {
        for state in [State::Rolls, State::Slides, State::Locked, State::Spins, State::Stands, State::Flies] {
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
