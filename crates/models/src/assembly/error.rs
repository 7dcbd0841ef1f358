//! Why data do not describe an assembly, and which part is to blame.

use stickslip_core::law::LawError;
use stickslip_core::range::SignalOutOfRange;

/// Which part is at fault, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A body.
    Body(usize),
    /// A support.
    Support(usize),
    /// A spring.
    Spring(usize),
    /// A damper.
    Damper(usize),
    /// A stop.
    Stop(usize),
    /// A pad.
    Pad(usize),
}

/// A part and its name, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Which part.
    pub part: Part,
    /// Its name.
    pub name: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.part {
            Part::Body(_) => "body",
            Part::Support(_) => "support",
            Part::Spring(_) => "spring",
            Part::Damper(_) => "damper",
            Part::Stop(_) => "stop",
            Part::Pad(_) => "pad",
        };
        write!(f, "the {kind} \"{}\"", self.name)
    }
}

/// Why data do not describe an assembly.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssemblyError {
    /// There is no body.
    #[error("an assembly needs at least one body")]
    NoBodies,
    /// Two parts share a name, or have names that become one in the names of columns.
    #[error(
        "two parts are named `{name}` (blanks count as _): every body, support, pad and stop needs a name of its own"
    )]
    SameName {
        /// The name.
        name: String,
    },
    /// A force would be recorded under the name of another one.
    #[error("force {force} would be recorded in a second column `{column}`: another name of its body would do")]
    SameColumn {
        /// Which force, from 0.
        force: usize,
        /// The name of the column.
        column: String,
    },
    /// A pad or wall has the name under which the heat of all dampers is given.
    #[error("the name `dampers` is taken: the heat of the dampers is given under it")]
    Dampers,
    /// A number is out of its range.
    #[error("{what} of {part} is {value}: it must be {wanted}")]
    Number {
        /// Which part.
        part: Place,
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// A signal leaves its range at some time.
    #[error("{part}: its {fault}")]
    Signal {
        /// Which part.
        part: Place,
        /// What is wrong.
        fault: SignalOutOfRange,
    },
    /// A pad that nothing presses.
    #[error("{part} has no normal load: it could not transmit anything")]
    NoLoad {
        /// Which pad.
        part: Place,
    },
    /// A coefficient of friction makes no sense.
    #[error("{part}: {fault}")]
    Law {
        /// Which pad.
        part: Place,
        /// What is wrong.
        fault: LawError,
    },
    /// A link does not join two things that can move against each other.
    #[error("{part}: {fault}")]
    Link {
        /// Which part.
        part: Place,
        /// What is wrong.
        fault: &'static str,
    },
    /// A body begins beyond a wall.
    #[error("{part} begins with a displacement of {at} m, beyond its wall at {clearance} m")]
    Beyond {
        /// Which stop.
        part: Place,
        /// Displacement at t = 0 \[m\].
        at: f64,
        /// Where the wall is \[m\].
        clearance: f64,
    },
    /// A force acts on a body that is not there or in a direction it has not.
    #[error("force {force} acts on a body that is not there, or in a direction in which it cannot move")]
    Force {
        /// Which force, from 0.
        force: usize,
    },
    /// Two bodies that no link joins, not even through the ground.
    #[error("the bodies `{from}` and `{name}` are not connected: they are two systems, not one")]
    Disconnected {
        /// Number of a body apart.
        body: usize,
        /// Its name.
        name: String,
        /// From which.
        from: String,
    },
}

impl AssemblyError {
    /// The part to blame, where there is one.
    pub fn part(&self) -> Option<Part> {
        match self {
            AssemblyError::Number { part, .. }
            | AssemblyError::Signal { part, .. }
            | AssemblyError::NoLoad { part }
            | AssemblyError::Law { part, .. }
            | AssemblyError::Beyond { part, .. }
            | AssemblyError::Link { part, .. } => Some(part.part),
            AssemblyError::Disconnected { body, .. } => Some(Part::Body(*body)),
            _ => None,
        }
    }
}
