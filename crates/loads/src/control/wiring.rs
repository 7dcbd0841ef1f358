//! How a controller is wired to a run.

use stickslip_core::record::Column;
use stickslip_core::simulation::{SimulationError, from_bytes, to_bytes};

use super::{ControlError, Controller};

/// How a command drives an input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Actuator {
    /// The input is the command, held until the next sample.
    Hold,
    /// The command is the rate of the input, which begins with the first limit and is cut exactly at both.
    Integrate {
        /// Least and greatest value of the input.
        limits: [f64; 2],
    },
}

impl Actuator {
    pub(super) fn start(self) -> f64 {
        match self {
            Actuator::Hold => 0.0,
            Actuator::Integrate { limits } => limits[0],
        }
    }

    pub(super) fn limits(self) -> [f64; 2] {
        match self {
            Actuator::Hold => [f64::NEG_INFINITY, f64::INFINITY],
            Actuator::Integrate { limits } => limits,
        }
    }
}

/// A controller and what it is connected with: it reads the columns that its measurements name (with a minus sign before
/// the name the negative of one) and drives the input that its first command names.
#[derive(Clone)]
pub struct Wiring {
    /// Its name, in columns.
    pub name: String,
    /// How its command acts.
    pub actuator: Actuator,
    pub(super) controller: Box<dyn Dynamic>,
}

impl Wiring {
    /// Connects a controller.
    pub fn new<C>(name: impl Into<String>, controller: C, actuator: Actuator) -> Wiring
    where
        C: Controller + Clone + std::fmt::Debug + 'static,
        C::Memory: 'static,
    {
        let memory = controller.start();
        Wiring { name: name.into(), actuator, controller: Box::new(Remembering { controller, memory }) }
    }

    /// The input that it drives.
    pub fn input(&self) -> &str {
        self.controller.commands().first().map_or("", String::as_str)
    }

    /// Ts \[s\].
    pub fn period(&self) -> f64 {
        self.controller.period()
    }

    /// The columns that it reads, and the factors it reads them with; an error names one that is not there.
    pub fn readings(&self, columns: &[Column]) -> Result<Vec<(usize, f64)>, ControlError> {
        let reading = |name: &String| {
            let (bare, factor) = name.strip_prefix('-').map_or((name.as_str(), 1.0), |bare| (bare, -1.0));
            let found = columns.iter().position(|column| column.name == bare);
            found.map(|column| (column, factor)).ok_or_else(|| ControlError::NoColumn { name: bare.to_string() })
        };
        self.controller.measurements().iter().map(reading).collect()
    }

    /// All its data, in words.
    pub(super) fn words(&self) -> String {
        format!("{} {:?} {}", self.name, self.actuator, self.controller.words())
    }
}

impl std::fmt::Debug for Wiring {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words())
    }
}

/// A controller with its memory, whatever its kind.
pub(super) trait Dynamic: Send + Sync {
    fn measurements(&self) -> &[String];
    fn commands(&self) -> &[String];
    fn period(&self) -> f64;
    /// Takes sample k; the command.
    fn sample(&mut self, k: u64, measured: &[f64]) -> f64;
    fn mode(&self) -> Option<f64>;
    fn tallies(&self) -> Vec<(&'static str, f64)>;
    fn saved(&self) -> Result<Vec<u8>, SimulationError>;
    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError>;
    fn words(&self) -> String;
    fn boxed(&self) -> Box<dyn Dynamic>;
}

impl Clone for Box<dyn Dynamic> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

#[derive(Clone)]
struct Remembering<C: Controller> {
    controller: C,
    memory: C::Memory,
}

impl<C> Dynamic for Remembering<C>
where
    C: Controller + Clone + std::fmt::Debug + 'static,
    C::Memory: 'static,
{
    fn measurements(&self) -> &[String] {
        self.controller.measurements()
    }

    fn commands(&self) -> &[String] {
        self.controller.commands()
    }

    fn period(&self) -> f64 {
        self.controller.period()
    }

    fn sample(&mut self, k: u64, measured: &[f64]) -> f64 {
        let mut commands = vec![0.0; self.controller.commands().len().max(1)];
        self.controller.sample(k, measured, &mut self.memory, &mut commands);
        commands[0]
    }

    fn mode(&self) -> Option<f64> {
        self.controller.mode(&self.memory)
    }

    fn tallies(&self) -> Vec<(&'static str, f64)> {
        self.controller.tallies(&self.memory)
    }

    fn saved(&self) -> Result<Vec<u8>, SimulationError> {
        to_bytes(&self.memory)
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), SimulationError> {
        self.memory = from_bytes(saved)?;
        Ok(())
    }

    fn words(&self) -> String {
        format!("{:?}", self.controller)
    }

    fn boxed(&self) -> Box<dyn Dynamic> {
        Box::new(self.clone())
    }
}
