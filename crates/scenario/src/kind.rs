//! Kinds of quantities: what a key of a scenario can expect.

use crate::dimension::{Dimension, angular, dimension};

/// A kind of quantity: one marker type each.
pub trait Kind {
    /// Name with article: "a speed".
    const NAME: &'static str;
    /// Its dimension.
    const DIMENSION: Dimension;
    /// The unit of plain numbers; "1" for pure numbers.
    const SI: &'static str;
    /// How it may be written.
    const EXAMPLES: &'static [&'static str];
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident: $name:literal, $dimension:expr, $si:literal, $examples:expr;)*) => {
        $($(#[$doc])* #[derive(Debug, Clone, Copy)] pub struct $kind;
        impl Kind for $kind {
            const NAME: &'static str = $name;
            const DIMENSION: Dimension = $dimension;
            const SI: &'static str = $si;
            const EXAMPLES: &'static [&'static str] = &$examples;
        })*

        /// Units of plain numbers by dimension, of all kinds.
        pub(crate) const UNITS: &[(Dimension, &str)] = &[$(($dimension, $si)),*];
    };
}

kinds! {
    /// kg.
    Mass: "a mass", dimension(0, 1, 0), "kg", ["400 kg", "1.2 t"];
    /// kg m².
    Inertia: "a moment of inertia", dimension(2, 1, 0), "kg m^2", ["1.2 kg m^2"];
    /// m.
    Length: "a length", dimension(1, 0, 0), "m", ["0.3 m", "300 mm"];
    /// s.
    Time: "a time", dimension(0, 0, 1), "s", ["2 s", "5 ms"];
    /// Hz.
    Frequency: "a frequency", dimension(0, 0, -1), "Hz", ["2 Hz"];
    /// m/s.
    Speed: "a speed", dimension(1, 0, -1), "m/s", ["30 m/s", "108 km/h"];
    /// m/s².
    Acceleration: "an acceleration", dimension(1, 0, -2), "m/s^2", ["9.81 m/s^2"];
    /// N m.
    Torque: "a torque", dimension(2, 1, -2), "N m", ["1883.52 N m", "1.9 kN m"];
    /// N m/s.
    TorqueRate: "a rate of torque", dimension(2, 1, -3), "N m/s", ["12 kN m/s"];
    /// N.
    Force: "a force", dimension(1, 1, -2), "N", ["150 N", "1.2 kN"];
    /// N s²/m², the same as kg/m.
    Drag: "a drag coefficient", dimension(-1, 1, 0), "N s^2/m^2", ["0.4 N s^2/m^2", "0.4 kg/m"];
    /// N/m.
    Stiffness: "a stiffness", dimension(0, 1, -2), "N/m", ["50 kN/m", "4 N/mm"];
    /// N s/m.
    Damping: "a damping", dimension(0, 1, -1), "N s/m", ["60 N s/m"];
    /// m/N.
    Compliance: "a compliance", dimension(0, -1, 2), "m/N", ["2e-10 m/N"];
    /// m²/N.
    Flexibility: "a flexibility", dimension(1, -1, 2), "m^2/N", ["7.4e-12 m^2/N"];
    /// s/m.
    Slowness: "a number per speed", dimension(-1, 0, 1), "s/m", ["50 s/m"];
    /// Pa.
    Pressure: "a pressure", dimension(-1, 1, -2), "Pa", ["210 GPa", "80 MPa"];
    /// kg/m³.
    Density: "a density", dimension(-3, 1, 0), "kg/m^3", ["7850 kg/m^3"];
    /// N/m.
    LoadPerLength: "a load per length", dimension(0, 1, -2), "N/m", ["7.05 MN/m", "7.05 kN/mm"];
    /// rad/m.
    Spin: "a spin", angular(-1, 0, 0), "rad/m", ["1 rad/m", "0.5 1/m"];
    /// rad/s.
    AngularSpeed: "an angular speed", angular(0, 0, -1), "rad/s", ["0.1 rad/s", "10 rpm"];
    /// rad.
    Angle: "an angle", angular(0, 0, 0), "rad", ["0.5 rad", "5 deg"];
    /// rad/s.
    YawRate: "an angular speed", angular(0, 0, -1), "rad/s", ["0.5 rad/s", "30 deg/s"];
    /// A number without unit.
    Ratio: "a pure number", dimension(0, 0, 0), "1", ["80 %"];
}
