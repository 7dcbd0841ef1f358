//! The differential campaign: random systems, run in every way that must give the same.
//!
//! A [`Case`] is a random system that can be written as a scenario file. A [`Method`] runs it in two ways that must
//! agree: from event to event and by small steps of other schemes, on a line and in the plane, whole and in halves, from
//! the other side, in other units, later, cut short, begun anew. What disagrees is a [`Finding`]: a scenario file, shrunk,
//! that says what differs, and that can join the corpus that the tests replay.
//!
//! Nothing here knows what the right answer is, only what must be the same; a difference counts against what the
//! mathematics allows. A case whose own neighbours drift apart is counted as sensitive, apart from the others.

pub mod assembly;
mod campaign;
mod case;
mod clock;
mod corpus;
pub mod independent;
pub mod judge;
mod method;
mod random;
mod run;
mod shrink;
mod signal;
mod tally;
pub mod vehicle;

pub use campaign::{News, Settings, campaign};
pub use case::Case;
pub use corpus::{Truth, replay, truths};
pub use method::{Method, Verdict, references};
pub use random::Random;
pub use run::{Budget, Failure, Row, Run, Until, Way, run};
pub use shrink::shrink;
pub use signal::Signal;
pub use tally::{Count, Finding, SlowCase, Tally};
