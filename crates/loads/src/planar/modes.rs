//! Accelerations with given modes.

use serde::{Deserialize, Serialize};
use stickslip_core::signal::{Piece, Signal};

use super::PlanarBody;
use super::body::{Row, dot, influence, push};
use crate::small;

/// What a wheel does on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum WheelMode {
    /// It is in the air, or leaves the ground.
    Open,
    /// It carries and rolls without slip.
    Stick,
    /// It carries and slips in this direction, ±1.0.
    Slip(f64),
}

/// What a brake does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum BrakeMode {
    /// The wheel turns with the frame.
    Held,
    /// It turns against the frame in this direction, ±1.0.
    Slip(f64),
}

/// Modes of both wheels and brakes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Modes {
    /// Front and rear wheel.
    pub wheels: [WheelMode; 2],
    /// Their brakes.
    pub brakes: [BrakeMode; 2],
}

/// Accelerations and forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loads {
    /// q̈.
    pub accelerations: [f64; 5],
    /// N_i \[N\].
    pub normal: [f64; 2],
    /// T_i \[N\].
    pub tangential: [f64; 2],
    /// B_i \[N·m\].
    pub brake: [f64; 2],
    /// Sign of the determinant of the equations: −1 for solutions that are unstable under every contact that yields.
    pub index: i8,
}

/// Torques while signals are straight: the pieces that hold from an instant on.
#[derive(Debug, Clone)]
pub(super) struct Torques<'a> {
    brakes: [(&'a Signal, Piece); 2],
    motors: [(&'a Signal, Piece); 2],
}

impl<'a> Torques<'a> {
    pub fn from(body: &'a PlanarBody, t: f64) -> Torques<'a> {
        let [front, rear] = &body.data.wheels;
        let piece = |signal: &'a Signal| (signal, signal.piece(t));
        Torques { brakes: [piece(&front.brake), piece(&rear.brake)], motors: [piece(&front.motor), piece(&rear.motor)] }
    }

    /// Whether all torques are straight lines up to the next break.
    pub fn are_straight(&self) -> bool {
        self.brakes.iter().chain(&self.motors).all(|(_, piece)| piece.until > piece.start)
    }

    /// First break of a signal after t.
    pub fn next_break(&self, t: f64) -> f64 {
        let all = self.brakes.iter().chain(&self.motors);
        all.map(|(signal, _)| signal.next_break(t)).fold(f64::INFINITY, f64::min)
    }

    pub fn brake(&self, i: usize, t: f64) -> f64 {
        value(&self.brakes[i], t)
    }

    pub fn motor(&self, i: usize, t: f64) -> f64 {
        value(&self.motors[i], t)
    }
}

/// The straight piece at t; signals that are not straight are asked themselves.
fn value((signal, piece): &(&Signal, Piece), t: f64) -> f64 {
    if piece.until > piece.start { piece.at(t) } else { signal.at(t) }
}

/// Row of the forces: N, T and B of the front wheel, then of the rear wheel.
const FORCES: usize = 6;

impl PlanarBody {
    /// Accelerations and forces at t with given modes. None where the modes contradict each other.
    pub(super) fn loads(&self, modes: &Modes, torques: &Torques<'_>, t: f64, q: &Row, v: &Row) -> Option<Loads> {
        let mobility = self.mobility();
        let rows = [self.rows(0, q[2]), self.rows(1, q[2])];
        let mut free = [0.0, -self.data.gravity, 0.0, 0.0, 0.0];
        for (i, rows) in rows.iter().enumerate() {
            push(&mobility, &rows[2], torques.motor(i, t), &mut free);
        }
        let biases = [0, 1].map(|i| {
            let (xi, zeta) = self.levers(i, q[2]);
            let square = v[2] * v[2];
            [-zeta * square, -xi * square, 0.0]
        });
        let mut a = [[0.0; FORCES]; FORCES];
        let mut b = [0.0; FORCES];
        for i in 0..2 {
            let known = self.known(i, modes, torques.brake(i, t));
            for kind in 0..3 {
                let line = 3 * i + kind;
                match known[kind] {
                    Known::Kinematic => {
                        a[line] = std::array::from_fn(|j| influence(&rows[i][kind], &mobility, &rows[j / 3][j % 3]));
                        b[line] = -dot(&rows[i][kind], &free) - biases[i][kind];
                    }
                    Known::Force(force) => (a[line][line], b[line]) = (1.0, force),
                    Known::OfNormal(ratio) => (a[line][line], a[line][3 * i]) = (1.0, -ratio),
                }
            }
        }
        let (forces, index) = small::solve(a, b)?;
        let mut accelerations = free;
        for (j, force) in forces.iter().enumerate() {
            push(&mobility, &rows[j / 3][j % 3], *force, &mut accelerations);
        }
        Some(Loads {
            accelerations,
            normal: [forces[0], forces[3]],
            tangential: [forces[1], forces[4]],
            brake: [forces[2], forces[5]],
            index,
        })
    }

    /// What the modes say about N, T and B of wheel i.
    pub(super) fn known(&self, i: usize, modes: &Modes, bound: f64) -> [Known; 3] {
        let friction = self.data.wheels[i].friction;
        let (normal, tangential) = match modes.wheels[i] {
            WheelMode::Open => (Known::Force(0.0), Known::Force(0.0)),
            WheelMode::Stick => (Known::Kinematic, Known::Kinematic),
            WheelMode::Slip(side) => (Known::Kinematic, Known::OfNormal(-side * friction)),
        };
        let brake = match modes.brakes[i] {
            BrakeMode::Held => Known::Kinematic,
            BrakeMode::Slip(side) => Known::Force(-side * bound),
        };
        [normal, tangential, brake]
    }

    /// Normal, tangential and brake-slip acceleration of wheel i.
    pub(super) fn slip_rates(&self, i: usize, q: &Row, v: &Row, accelerations: &Row) -> [f64; 3] {
        let (xi, zeta) = self.levers(i, q[2]);
        let square = v[2] * v[2];
        let [normal, tangential, brake] = self.rows(i, q[2]).map(|row| dot(&row, accelerations));
        [normal - zeta * square, tangential - xi * square, brake]
    }
}

/// One equation.
#[derive(Clone, Copy)]
pub(super) enum Known {
    /// The contact has no acceleration.
    Kinematic,
    /// The force is this.
    Force(f64),
    /// The force is so many times N.
    OfNormal(f64),
}
