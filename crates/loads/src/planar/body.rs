//! Data and geometry.

use serde::{Deserialize, Serialize};
use stickslip_core::signal::Signal;

use crate::ode::NotSmooth;
use stickslip_core::range::{OutOfRange, SignalOutOfRange, in_range, stays_in_range};

/// Ranges of the numbers of a vehicle in its plane, by what they are.
pub mod ranges {
    pub use stickslip_core::range::{
        Any as Motor, NonNegative as Brake, NonNegative as Friction, Positive as Gravity, Positive as Height,
        Positive as Inertia, Positive as Mass, Positive as Radius,
    };
}

/// One wheel.
#[derive(Debug, Clone)]
pub struct PlanarWheel {
    /// Place x_i ahead of the centre of mass \[m\].
    pub place: f64,
    /// Radius R_i, > 0 \[m\].
    pub radius: f64,
    /// Moment of inertia I_i about its axle, > 0 [kg m²].
    pub inertia: f64,
    /// μ_i, ≥ 0.
    pub friction: f64,
    /// Greatest brake torque α_i over time, ≥ 0 \[N·m\].
    pub brake: Signal,
    /// Motor torque M_i over time \[N·m\]; driving forward is negative.
    pub motor: Signal,
}

/// Data of the vehicle.
#[derive(Debug, Clone)]
pub struct PlanarData {
    /// Mass m, wheels included, > 0 \[kg\].
    pub mass: f64,
    /// Pitch inertia 𝒥 about the centre of mass with the wheels as points, > 0 [kg m²].
    pub pitch_inertia: f64,
    /// Height h of the centre of mass, > 0 \[m\].
    pub height: f64,
    /// Acceleration of gravity, > 0 [m/s²].
    pub gravity: f64,
    /// Front wheel and rear wheel.
    pub wheels: [PlanarWheel; 2],
}

/// Why there is no motion.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanarError {
    /// A number is out of its range.
    #[error("vehicle in its plane: {0}")]
    Number(#[from] OutOfRange),
    /// A signal leaves its range at some time.
    #[error("vehicle in its plane: {0}")]
    Signal(#[from] SignalOutOfRange),
    /// The centre of mass is not between the wheels.
    #[error(
        "the front wheel must be ahead of the centre of mass and the rear wheel behind it; they are at {front} m and {rear} m"
    )]
    Places {
        /// Place of the front wheel \[m\].
        front: f64,
        /// Place of the rear wheel \[m\].
        rear: f64,
    },
    /// Numbers of such different sizes that forces cannot be told from rounding.
    #[error(
        "{large} and {small} say how easily a wheel's contact gives way, and differ by a factor of {factor:.1e}: with more than \
         {most:.0e} rounding decides which forces there are. Are masses, inertias and lengths in kg, kg m² and m?",
        most = WIDEST
    )]
    Sizes {
        /// Which number is the greatest, with its formula.
        large: &'static str,
        /// Which is the least.
        small: &'static str,
        /// How much greater.
        factor: f64,
    },
    /// No accelerations solve the inclusion.
    #[error(
        "no accelerations with these contacts at t = {t} s (Painlevé's paradox: friction pushes the wheel into the ground faster \
         than it lifts): an impulse without a collision could follow"
    )]
    NoSolution {
        /// When.
        t: f64,
    },
    /// Accelerations were not found although friction is too weak to leave none.
    #[error(
        "the accelerations at t = {t} s were not found, although friction leaves some: with numbers of these sizes they drown in \
         rounding. Are masses, inertias and lengths in kg, kg m² and m?"
    )]
    NotFound {
        /// When.
        t: f64,
    },
    /// No impulses solve the landing.
    #[error("no impulses with these contacts at t = {t} s")]
    NoImpact {
        /// When.
        t: f64,
    },
    /// A wheel in the air has come into the ground without a landing.
    #[error("a wheel sinks into the road at t = {t} s: its landing was not found")]
    Sunk {
        /// When.
        t: f64,
    },
    /// The integrator gave up.
    #[error(transparent)]
    NotSmooth(#[from] NotSmooth),
    /// Events without end in no time.
    #[error("{count} events up to t = {t} s in no time")]
    Crowded {
        /// When.
        t: f64,
        /// How many.
        count: u32,
    },
}

/// Place and motion. Plain data: X, Z, φ, θ1, θ2 and their rates.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlanarState {
    /// X, Z \[m\], φ, θ1, θ2 \[rad\].
    pub q: [f64; 5],
    /// Their rates.
    pub v: [f64; 5],
}

/// A vehicle in its plane.
#[derive(Debug, Clone)]
pub struct PlanarBody {
    pub(super) data: PlanarData,
}

/// Greatest ratio of the mobilities of a contact: equations whose pivots differ by more count as dependent on each other, and with a
/// hundredth of that for what cancels in them nothing of a result is rounding.
const WIDEST: f64 = 1e14;

/// A row of H: how a contact sees the velocities.
pub(super) type Row = [f64; 5];

impl PlanarBody {
    /// The vehicle with these data.
    pub fn new(data: PlanarData) -> Result<PlanarBody, PlanarError> {
        in_range::<ranges::Mass>("mass", data.mass, "kg")?;
        in_range::<ranges::Inertia>("pitch inertia", data.pitch_inertia, "kg m²")?;
        in_range::<ranges::Height>("height", data.height, "m")?;
        in_range::<ranges::Gravity>("gravity", data.gravity, "m/s²")?;
        for wheel in &data.wheels {
            in_range::<ranges::Radius>("radius", wheel.radius, "m")?;
            in_range::<ranges::Inertia>("wheel inertia", wheel.inertia, "kg m²")?;
            in_range::<ranges::Friction>("friction", wheel.friction, "")?;
            stays_in_range::<ranges::Brake>("brake torque", &wheel.brake, "N m")?;
            stays_in_range::<ranges::Motor>("motor torque", &wheel.motor, "N m")?;
        }
        let [front, rear] = [data.wheels[0].place, data.wheels[1].place];
        let between = front > 0.0 && rear < 0.0 && front.is_finite() && rear.is_finite();
        if !between {
            return Err(PlanarError::Places { front, rear });
        }
        check_sizes(&data)?;
        Ok(PlanarBody { data })
    }

    /// Its data.
    pub fn data(&self) -> &PlanarData {
        &self.data
    }

    /// Loads of front and rear at rest \[N\].
    pub fn loads_at_rest(&self) -> [f64; 2] {
        let weight = self.data.mass * self.data.gravity;
        let [front, rear] = [self.data.wheels[0].place, self.data.wheels[1].place];
        [-rear, front].map(|arm| weight * arm / (front - rear))
    }

    /// Level on both wheels, which roll.
    pub fn rolling(&self, speed: f64) -> PlanarState {
        let spin = |i: usize| -speed / self.data.wheels[i].radius;
        PlanarState { q: [0.0, self.data.height, 0.0, 0.0, 0.0], v: [speed, 0.0, 0.0, spin(0), spin(1)] }
    }

    /// ξ_i and ζ_i.
    pub fn levers(&self, i: usize, pitch: f64) -> (f64, f64) {
        let wheel = &self.data.wheels[i];
        let (sin, cos) = pitch.sin_cos();
        let below = self.data.height - wheel.radius;
        (wheel.place * cos + below * sin, wheel.place * sin - below * cos)
    }

    /// gap_i \[m\].
    pub fn gap(&self, i: usize, q: &[f64]) -> f64 {
        q[1] + self.levers(i, q[2]).1 - self.data.wheels[i].radius
    }

    /// Rows of normal velocity, slip on the ground and slip in the brake of wheel i.
    pub(super) fn rows(&self, i: usize, pitch: f64) -> [Row; 3] {
        let (xi, zeta) = self.levers(i, pitch);
        let mut rows = [[0.0, 1.0, xi, 0.0, 0.0], [1.0, 0.0, -zeta, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0, 0.0]];
        rows[1][3 + i] = self.data.wheels[i].radius;
        rows[2][3 + i] = 1.0;
        rows
    }

    /// 1/M.
    pub(super) fn mobility(&self) -> Row {
        let d = &self.data;
        [1.0 / d.mass, 1.0 / d.mass, 1.0 / d.pitch_inertia, 1.0 / d.wheels[0].inertia, 1.0 / d.wheels[1].inertia]
    }

    /// Normal velocity, slip on the ground and slip in the brake of wheel i.
    pub fn slips(&self, i: usize, state: &PlanarState) -> [f64; 3] {
        self.rows(i, state.q[2]).map(|row| dot(&row, &state.v))
    }

    /// Why no accelerations were found at this pitch.
    ///
    /// With A_ij = n_i M⁻¹ (n_j − μ_j σ_j t_j)ᵀ, n and t the rows of normal velocity and slip, there are accelerations under any load if A is
    /// strictly copositive, xᵀ A x > 0 for x ≥ 0, for all σ ∈ [−1, 1]², in which xᵀ A x is affine: at the four corners.
    pub fn no_solution(&self, t: f64, pitch: f64) -> PlanarError {
        let (mobility, rows) = (self.mobility(), [0, 1].map(|i| self.rows(i, pitch)));
        let give = |i: usize, j: usize, side: f64| {
            let [normal, slip, _] = &rows[j];
            influence(&rows[i][0], &mobility, normal)
                - self.data.wheels[j].friction * side * influence(&rows[i][0], &mobility, slip)
        };
        let some = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].into_iter().all(|[front, rear]| {
            let (own, others) = ([give(0, 0, front), give(1, 1, rear)], give(0, 1, rear) + give(1, 0, front));
            own[0] > 0.0 && own[1] > 0.0 && others > -2.0 * (own[0] * own[1]).sqrt()
        });
        if some { PlanarError::NotFound { t } } else { PlanarError::NoSolution { t } }
    }

    /// Kinetic energy and m g Z \[J\].
    pub fn energy(&self, state: &PlanarState) -> f64 {
        let kinetic: f64 = self.mobility().iter().zip(state.v).map(|(mobility, v)| 0.5 * v * v / mobility).sum();
        kinetic + self.data.mass * self.data.gravity * state.q[1]
    }
}

pub(super) fn dot(a: &Row, b: &Row) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// An entry of W: how a force along `other` accelerates `row`.
pub(super) fn influence(row: &Row, mobility: &Row, other: &Row) -> f64 {
    row.iter().zip(mobility).zip(other).map(|((row, mobility), other)| row * mobility * other).sum()
}

/// Adds what a force along `row` does to the motion.
pub(super) fn push(mobility: &Row, row: &Row, force: f64, motion: &mut Row) {
    for ((motion, mobility), row) in motion.iter_mut().zip(mobility).zip(row) {
        *motion += mobility * row * force;
    }
}

/// Forces give way by the mass, by the pitch and by the spin of the wheels: 1/m, (x² + h²)/𝒥, R²/I. Where one of them is nothing but
/// rounding beside another, the equations are not those of this vehicle any more.
fn check_sizes(data: &PlanarData) -> Result<(), PlanarError> {
    let lever = |wheel: &PlanarWheel| (wheel.place * wheel.place + data.height * data.height) / data.pitch_inertia;
    let spin = |wheel: &PlanarWheel| wheel.radius * wheel.radius / wheel.inertia;
    let [front, rear] = &data.wheels;
    let all = [
        ("1/mass", 1.0 / data.mass),
        ("(distance² + height²)/pitch inertia of the front wheel", lever(front)),
        ("(distance² + height²)/pitch inertia of the rear wheel", lever(rear)),
        ("radius²/inertia of the front wheel", spin(front)),
        ("radius²/inertia of the rear wheel", spin(rear)),
    ];
    let (mut large, mut small) = (all[0], all[0]);
    for own in all {
        large = if own.1 > large.1 { own } else { large };
        small = if own.1 < small.1 { own } else { small };
    }
    let factor = large.1 / small.1;
    if factor < WIDEST { Ok(()) } else { Err(PlanarError::Sizes { large: large.0, small: small.0, factor }) }
}
