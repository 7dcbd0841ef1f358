//! Measures of a braked wheel against closed forms: the quarter car.

use stickslip_verify::Basis::ClosedForm;
use stickslip_verify::Expected::Near;
use stickslip_verify::{Chapter, Claim};

use crate::measured::measured;

/// 400 kg at 30 m/s, with I = 1 kg m² and R = 0.3 m, from event to event; rows are recorded every 7 ms.
macro_rules! quarter_car {
    ($brake:literal) => {
        &[
            "run.scheme=events",
            "run.step=7e-3",
            "run.duration=14",
            "wheel.inertia=1",
            "initial.speed=30",
            concat!("brake.torque=", $brake),
        ]
    };
}

const SOFT: &[&str] = quarter_car!("500");
const HARD: &[&str] = quarter_car!("900");
const LOCKS: &[&str] = quarter_car!("2000");
const LATE: &[&str] = quarter_car!("{ points = [[0, 0], [1.00037, 0], [1.00037, 500]] }");

pub(super) const CHAPTER: Chapter = Chapter {
    title: "Measures of a braked wheel",
    claims: &[
        Claim::that("quarter car of 400 kg at 30 m/s, braked by 500 N m, by events: stopping_time (s)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(7.4, 1e-9), |_| measured("wheel-sport-braking", SOFT, "stopping_time")),
        Claim::that("the same: stopping_distance (m)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(111.0, 1e-8), |_| measured("wheel-sport-braking", SOFT, "stopping_distance")),
        Claim::that("the same: mean_deceleration (m/s²), v/t")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(30.0 / 7.4, 1e-9), |_| measured("wheel-sport-braking", SOFT, "mean_deceleration")),
        Claim::that("the same: greatest_deceleration (m/s²), a_B/(m + J)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(30.0 / 7.4, 1e-9), |_| measured("wheel-sport-braking", SOFT, "greatest_deceleration")),
        Claim::that("quarter car of 400 kg at 30 m/s, braked by 900 N m, by events: stopping_time (s)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(4.111_111_111_111, 1e-9), |_| measured("wheel-sport-braking", HARD, "stopping_time")),
        Claim::that("the same: stopping_distance (m)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(61.666_666_666_667, 1e-8), |_| measured("wheel-sport-braking", HARD, "stopping_distance")),
        Claim::that("the same: mean_deceleration (m/s²), v/t")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(30.0 / 4.111_111_111_111, 1e-9), |_| {
                measured("wheel-sport-braking", HARD, "mean_deceleration")
            }),
        Claim::that("the same: greatest_deceleration (m/s²), a_B/(m + J)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(30.0 / 4.111_111_111_111, 1e-9), |_| {
                measured("wheel-sport-braking", HARD, "greatest_deceleration")
            }),
        Claim::that("braked by 500 N m from 1.00037 s on, which no row meets: stopping_time from there (s)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(7.4, 1e-9), |_| measured("wheel-sport-braking", LATE, "stopping_time")),
        Claim::that("the same: stopping_distance from there (m)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(111.0, 1e-8), |_| measured("wheel-sport-braking", LATE, "stopping_distance")),
        Claim::that("the same: stopping_time_from_start (s)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(8.400_37, 1e-9), |_| measured("wheel-sport-braking", LATE, "stopping_time_from_start")),
        Claim::that("the same: stopping_distance_from_start (m)")
            .by(ClosedForm, "a wheel that rolls until it stands: t = v (m + J)/a_B, x = v t/2")
            .expects(Near(111.0 + 30.0 * 1.000_37, 1e-8), |_| {
                measured("wheel-sport-braking", LATE, "stopping_distance_from_start")
            }),
        Claim::that("braked by 2000 N m, so that it locks: stopping_distance (m), v²/(2 μ g)")
            .by(ClosedForm, "a locked wheel slides: t = v/(μ g), x = v t/2; it locks after v J/(a_B − a_G)")
            .expects(Near(57.339_449_541_284, 1e-8), |_| measured("wheel-sport-braking", LOCKS, "stopping_distance")),
        Claim::that("the same: lock_time (s)")
            .by(ClosedForm, "a locked wheel slides: t = v/(μ g), x = v t/2; it locks after v J/(a_B − a_G)")
            .expects(Near(30.0 / (0.8 * 9.81) - 30.0 * (1.0 / 0.09) / (2000.0 / 0.3 - 3139.2), 1e-9), |_| {
                measured("wheel-sport-braking", LOCKS, "lock_time")
            }),
        Claim::that(
            "the same: heat_brake (J), ½ J v a_B/(a_B − a_G) v: the torque of the brake over the turning of the wheel",
        )
        .by(ClosedForm, "∫ a_B |v| dt of a rim that slows down evenly from v to 0")
        .expects(Near(0.5 * 30.0 * (2000.0 / 0.3) * 30.0 * (1.0 / 0.09) / (2000.0 / 0.3 - 3139.2), 1e-6), |_| {
            measured("wheel-sport-braking", LOCKS, "heat_brake")
        }),
    ],
};
