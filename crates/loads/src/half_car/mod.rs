//! A half-car on springs, with tyres that can leave the ground: small angles, no impacts.
//!
//! ```text
//! m_s z̈ = ΣS_i,      𝒥 φ̈ = Σ x_i S_i − h F,      m_i z̈_i = −S_i + N_i − P_i,      (m_s + Σm_i) v̇ = −F,      ẋ = v,
//! S_i = −k_i (z + x_i φ − z_i) − c_i (ż + x_i φ̇ − ż_i),      N_i = max(0, P_i − k_Ti (z_i − r_i)),      r_i = r(x + x_i)
//! ```
//!
//! Heights are counted from the static position on a road of the height 0. P_i is the static load of the tyre, r(x) the height of the
//! road, F ≥ 0 the brake force at road level: it is given, and acts while the vehicle rolls (v > 0). A tyre carries while
//! k_Ti (z_i − r_i) < P_i: the load is the one number with 0 ≤ N_i ⟂ gap_i + N_i/k_Ti ≥ 0. Stiff contact replaces the impact law, so
//! that landing is smooth.
//!
//! Energy: ½m_s ż² + ½𝒥 φ̇² + Σ½m_i ż_i² + ½(m_s + Σm_i) v² + Σ½k_i s_i² + ΣP_i z_i + ΣN_i²/2k_Ti changes by −Σc_i ṡ_i² (dampers),
//! −F (v + h φ̇) (brakes: the point of the body at road level moves so) and ΣN_i ṙ_i (the road lifts what stands on it; the speed does
//! not suffer from it, which is what small slopes mean).

mod motion;
mod run;
mod step;

pub use motion::{HalfCarState, Modes};
pub use run::{HalfCarEvent, HalfCarRun, Unit};
pub use step::Steps;

use stickslip_core::signal::Signal;

use crate::ode::NotSmooth;
use stickslip_core::range::{OutOfRange, Positive, SignalOutOfRange, in_range, stays_in_range};

/// Ranges of the numbers of a half-car, by what they are.
pub mod ranges {
    pub use stickslip_core::range::{
        NonNegative as Brake, NonNegative as Damping, NonNegative as Speed, Positive as Gravity, Positive as Height,
        Positive as Mass, Positive as PitchInertia, Positive as Stiffness,
    };
}

/// One corner: wheel, spring, damper, tyre.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corner {
    /// Place x_i ahead of the centre of mass \[m\].
    pub place: f64,
    /// Mass of the wheel, > 0 \[kg\].
    pub mass: f64,
    /// Stiffness of the spring k_i, > 0 [N/m].
    pub stiffness: f64,
    /// Damping c_i, ≥ 0 [N s/m].
    pub damping: f64,
    /// Stiffness of the tyre k_Ti, > 0 [N/m].
    pub tyre_stiffness: f64,
}

/// What a half-car is made of.
#[derive(Debug, Clone)]
pub struct HalfCarData {
    /// m_s, > 0 \[kg\].
    pub sprung_mass: f64,
    /// 𝒥 about the centre of mass, > 0 [kg m²].
    pub pitch_inertia: f64,
    /// h of the centre of mass above the road, > 0 \[m\].
    pub height: f64,
    /// g, > 0 [m/s²].
    pub gravity: f64,
    /// Front and rear.
    pub corners: [Corner; 2],
    /// F at road level \[N\]: acts while the vehicle rolls.
    pub brake: Signal,
    /// v at t = 0, ≥ 0 [m/s].
    pub speed: f64,
    /// Places and heights of the road \[m\]: rising places, straight in between, level before the first and after the last. None is
    /// a level road.
    pub road: Vec<[f64; 2]>,
}

/// What is wrong with a half-car.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HalfCarError {
    /// A number is out of its range.
    #[error("half-car: {0}")]
    Number(#[from] OutOfRange),
    /// A signal leaves its range at some time.
    #[error("half-car: {0}")]
    Signal(#[from] SignalOutOfRange),
    /// A wheel is on the wrong side.
    #[error("half-car: the front wheel must be ahead of the centre of mass and the rear wheel behind it")]
    Sides,
    /// Places of the road do not rise.
    #[error("half-car: the road at x = {place} m comes after x = {previous} m, but places must rise")]
    Road {
        /// This place.
        place: f64,
        /// The one before.
        previous: f64,
    },
}

/// The vehicle, checked.
#[derive(Debug, Clone)]
pub struct HalfCar {
    data: HalfCarData,
    static_loads: [f64; 2],
    mass: f64,
}

/// The road under a tyre, on one straight piece of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Piece {
    pub from: f64,
    pub height: f64,
    pub slope: f64,
    pub until: f64,
}

impl HalfCar {
    /// Checks the data.
    pub fn new(data: HalfCarData) -> Result<HalfCar, HalfCarError> {
        in_range::<ranges::Mass>("sprung mass", data.sprung_mass, "kg")?;
        in_range::<ranges::PitchInertia>("pitch inertia", data.pitch_inertia, "kg m²")?;
        in_range::<ranges::Height>("height", data.height, "m")?;
        in_range::<ranges::Gravity>("gravity", data.gravity, "m/s²")?;
        in_range::<ranges::Speed>("speed", data.speed, "m/s")?;
        stays_in_range::<ranges::Brake>("brake force", &data.brake, "N")?;
        for corner in &data.corners {
            in_range::<ranges::Mass>("wheel mass", corner.mass, "kg")?;
            in_range::<ranges::Stiffness>("spring stiffness", corner.stiffness, "N/m")?;
            in_range::<ranges::Damping>("damping", corner.damping, "N s/m")?;
            in_range::<ranges::Stiffness>("tyre stiffness", corner.tyre_stiffness, "N/m")?;
        }
        let [front, rear] = data.corners.map(|corner| corner.place);
        if !(front > 0.0 && rear < 0.0) {
            return Err(HalfCarError::Sides);
        }
        let steps =
            data.road.windows(2).find(|pair| pair[1][0].partial_cmp(&pair[0][0]) != Some(std::cmp::Ordering::Greater));
        if let Some(pair) = steps {
            return Err(HalfCarError::Road { place: pair[1][0], previous: pair[0][0] });
        }
        let share = [-rear, front].map(|arm| data.sprung_mass * arm / (front - rear));
        let static_loads = [0, 1].map(|i| (share[i] + data.corners[i].mass) * data.gravity);
        for load in static_loads {
            in_range::<Positive>("static load", load, "N")?;
        }
        let mass = data.sprung_mass + data.corners[0].mass + data.corners[1].mass;
        Ok(HalfCar { data, static_loads, mass })
    }

    /// What it is made of.
    pub fn data(&self) -> &HalfCarData {
        &self.data
    }

    /// P_i \[N\].
    pub fn static_loads(&self) -> [f64; 2] {
        self.static_loads
    }

    /// With its wheels \[kg\].
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Stroke of a spring from its static length \[m\], longer positive.
    pub fn stroke(&self, i: usize, state: &HalfCarState) -> f64 {
        state.q[0] + self.data.corners[i].place * state.q[1] - state.q[2 + i]
    }

    /// S_i: what spring and damper push the body up with, beyond what they do at rest \[N\].
    pub fn suspension(&self, i: usize, state: &HalfCarState) -> f64 {
        let corner = &self.data.corners[i];
        let rate = state.v[0] + corner.place * state.v[1] - state.v[2 + i];
        -corner.stiffness * self.stroke(i, state) - corner.damping * rate
    }

    /// Height of the road under a tyre \[m\].
    pub fn road(&self, i: usize, state: &HalfCarState) -> f64 {
        let at = state.x + self.data.corners[i].place;
        let piece = self.piece(self.piece_at(at));
        piece.height + piece.slope * (at - piece.from)
    }

    /// Height of an unloaded tyre above the road, negative while it is pressed in \[m\].
    pub fn gap(&self, i: usize, state: &HalfCarState) -> f64 {
        state.q[2 + i] - self.road(i, state) - self.static_loads[i] / self.data.corners[i].tyre_stiffness
    }

    /// N_i \[N\].
    pub fn load(&self, i: usize, state: &HalfCarState) -> f64 {
        (-self.data.corners[i].tyre_stiffness * self.gap(i, state)).max(0.0)
    }

    /// At rest on the road, rolling with the speed of the start.
    pub fn start(&self) -> HalfCarState {
        let mut state = HalfCarState { speed: self.data.speed, ..HalfCarState::default() };
        let [front, rear] = [0, 1].map(|i| self.road(i, &state));
        let [a, b] = self.data.corners.map(|corner| corner.place);
        let pitch = (front - rear) / (a - b);
        state.q = [front - a * pitch, pitch, front, rear];
        state
    }

    /// Energy of motion, springs, tyres and height \[J\], over that at rest on a level road without speed.
    pub fn energy(&self, state: &HalfCarState) -> f64 {
        let data = &self.data;
        let [z, pitch, ..] = state.v;
        let body =
            data.sprung_mass * z * z + data.pitch_inertia * pitch * pitch + self.mass * state.speed * state.speed;
        let corner = |i: usize| {
            let (corner, static_load) = (&data.corners[i], self.static_loads[i]);
            let stroke = self.stroke(i, state);
            let moves = corner.mass * state.v[2 + i] * state.v[2 + i] + corner.stiffness * stroke * stroke;
            // ½(N² − P²)/k_T + P z, without the difference of large numbers while the tyre carries.
            let pressed = state.q[2 + i] - self.road(i, state);
            let tyre = match self.gap(i, state) {
                gap if gap < 0.0 => 0.5 * corner.tyre_stiffness * pressed * pressed - static_load * pressed,
                _ => -0.5 * static_load * static_load / corner.tyre_stiffness,
            };
            0.5 * moves + tyre + static_load * state.q[2 + i]
        };
        0.5 * body + corner(0) + corner(1)
    }

    /// All events from the start up to `end` \[s\].
    pub fn run(&self, end: f64) -> Result<Vec<(f64, HalfCarEvent)>, NotSmooth> {
        let mut run = HalfCarRun::new(self);
        let mut work = HalfCarRun::integrator(self);
        let mut happened = Vec::new();
        while run.t() < end {
            let ahead = run.ahead(self, &mut work, end)?;
            let events = run.pass(self, ahead);
            happened.extend(events.into_iter().map(|event| (run.t(), event)));
        }
        Ok(happened)
    }

    /// No oscillation on carrying tyres has a shorter period \[s\]: rows of the scaled stiffness bound its greatest eigenvalue.
    fn shortest_period(&self) -> f64 {
        let data = &self.data;
        let inertia = [data.sprung_mass, data.pitch_inertia, data.corners[0].mass, data.corners[1].mass];
        let mut rows = [0.0_f64; 4];
        let mut matrix = [[0.0_f64; 4]; 4];
        for (i, corner) in data.corners.iter().enumerate() {
            let mut lever = [1.0, corner.place, 0.0, 0.0];
            lever[2 + i] = -1.0;
            for k in 0..4 {
                (0..4).for_each(|l| matrix[k][l] += corner.stiffness * lever[k] * lever[l]);
            }
            matrix[2 + i][2 + i] += corner.tyre_stiffness;
        }
        for k in 0..4 {
            rows[k] = (0..4).map(|l| matrix[k][l].abs() / (inertia[k].sqrt() * inertia[l].sqrt())).sum();
        }
        std::f64::consts::TAU / rows.into_iter().fold(0.0, f64::max).sqrt()
    }

    fn piece_at(&self, place: f64) -> usize {
        self.data.road.partition_point(|point| point[0] <= place)
    }

    /// Piece k of the road: up to point k, the last one without end.
    fn piece(&self, k: usize) -> Piece {
        let road = &self.data.road;
        let until = road.get(k).map_or(f64::INFINITY, |point| point[0]);
        let Some([from, height]) = k.checked_sub(1).map(|before| road[before]) else {
            let height = road.first().map_or(0.0, |point| point[1]);
            return Piece { from: until.min(0.0), height, slope: 0.0, until };
        };
        let slope = road.get(k).map_or(0.0, |next| (next[1] - height) / (next[0] - from));
        Piece { from, height, slope, until }
    }
}
