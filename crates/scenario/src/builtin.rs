//! Scenarios that come with the program.

/// A scenario that comes with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Builtin {
    /// The name to run it by.
    pub name: &'static str,
    /// What it shows, in one line.
    pub title: &'static str,
    /// The scenario file.
    pub text: &'static str,
}

/// A scenario of the folder `scenarios`, by its name and what it shows.
#[macro_export]
macro_rules! builtin {
    ($name:literal, $title:literal) => {
        $crate::Builtin {
            name: $name,
            title: $title,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/", $name, ".toml")),
        }
    };
}
