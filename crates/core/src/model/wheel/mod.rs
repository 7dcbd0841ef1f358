//! draft
use crate::signal::Signal;

/// Data of the driven and braked wheel, before any check.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Mass m of wheel and chassis [kg], > 0.
    pub mass: f64,
    /// Inertia I of the wheel about its axle [kg·m²], > 0.
    pub inertia: f64,
    /// Radius R of the wheel [m], > 0.
    pub radius: f64,
    /// Gravity g [m/s²], ≥ 0; the normal load is m g.
    pub gravity: f64,
    /// Friction coefficient μ(t) between wheel and ground, ≥ 0.
    pub friction: Signal,
    /// Motor torque M(t) [N·m], positive counter-clockwise: driving forward is negative.
    pub motor: Signal,
    /// Greatest torque α_B(t) that the brake can hold [N·m], ≥ 0.
    pub brake: Signal,
    /// State at t = 0.
    pub start: Start,
}

/// Where the wheel is and how it moves at t = 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Start {
    /// Speed ẋ of the wheel centre [m/s].
    pub x1: f64,
    /// Circumferential speed Rθ̇ [m/s]; rolling has x2 = −x1.
    pub x2: f64,
    /// Position x of the wheel centre [m].
    pub x: f64,
    /// Angle θ of the wheel [rad].
    pub theta: f64,
}
