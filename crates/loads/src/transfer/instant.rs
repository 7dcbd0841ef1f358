//! What a scheme from event to event needs: accelerations with the loads they bring, and their rates.
//!
//! Between two events with straight signals all forces and loads are straight lines of time, so that accelerations and their
//! rates are the whole motion. Accelerations are the inclusion of `star.rs` with M0 = m and J_i = I_i/R_i²; a contact with
//! slip zero is [`Contact::Undecided`](super::Contact::Undecided). Where a force has just reached its bound, sticking and
//! slipping have the same accelerations, and a caller who puts in the signals of an instant a little later lets their rates
//! decide.

use stickslip_core::law::State;

use super::{Contact, Problem};

/// Rates of the signals in a [`Problem`], one entry for each axle.
#[derive(Debug, Clone, Copy)]
pub struct SignalRates<'a> {
    /// Rate of z0.
    pub free: f64,
    /// Rates of the z_i.
    pub wheels: &'a [f64],
    /// Rates of the brake bounds [N/s].
    pub brakes: &'a [f64],
    /// Rates of the motor torques [N·m/s].
    pub motors: &'a [f64],
}

/// Accelerations, forces and Q while no contact changes its mode, or their rates.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// x1', or its rate.
    pub y1: f64,
    /// v_i'.
    pub v: Vec<f64>,
    /// f_i.
    pub ground: Vec<f64>,
    /// g_i.
    pub brake: Vec<f64>,
    /// Q.
    pub q: f64,
}

impl Response {
    /// Room for n axles.
    pub fn new(n: usize) -> Response {
        Response { y1: 0.0, v: vec![0.0; n], ground: vec![0.0; n], brake: vec![0.0; n], q: 0.0 }
    }
}

/// f_i = `fixed` + `by_motion` y1 + `by_q` Q.
struct Answer {
    fixed: f64,
    by_motion: f64,
    by_q: f64,
    /// g_i if the brake slips; else it is what holds the wheel, J z_i − f_i.
    brake: Option<f64>,
    hold: f64,
    motor: f64,
}

/// The linear problem that is left when all modes are known.
struct Linear<'a> {
    problem: &'a Problem<'a>,
    modes: &'a [[State; 2]],
    /// Rates of the signals if rates are asked for, else the signals are those of the problem.
    rates: Option<SignalRates<'a>>,
}

impl Problem<'_> {
    /// Accelerations, forces and Q with all modes given, whether or not the forces keep to their bounds. None if the modes
    /// do not determine Q.
    pub fn with_modes(&self, modes: &[[State; 2]], out: &mut Response) -> Option<()> {
        Linear { problem: self, modes, rates: None }.solve(out)
    }

    /// Rates of all that, with signals that change at the given rates. At rest the sum of the ground forces follows what
    /// stops the chassis, in equal parts for all held wheels.
    pub fn rates(&self, modes: &[[State; 2]], signals: SignalRates<'_>, out: &mut Response) -> Option<()> {
        Linear { problem: self, modes, rates: Some(signals) }.solve(out)
    }
}

impl Linear<'_> {
    fn solve(&self, out: &mut Response) -> Option<()> {
        let held = (0..self.modes.len()).filter(|i| self.held(*i)).count();
        if held > 0 { self.at_rest(held, out) } else { self.in_motion(out) }
    }

    /// Whether both contacts of a wheel stick, so that it holds the chassis.
    fn held(&self, i: usize) -> bool {
        self.modes[i].iter().all(|mode| mode.sign() == 0)
    }

    /// M0 z0.
    fn stop(&self) -> f64 {
        self.problem.mass * self.rates.map_or(self.problem.free, |rates| rates.free)
    }

    fn answer(&self, i: usize) -> Answer {
        let (problem, wheel) = (self.problem, &self.problem.wheels[i]);
        let [ground, braking] = self.modes[i].map(|mode| f64::from(mode.sign()));
        let (free, bound, motor, load) = match self.rates {
            None => (wheel.free, wheel.brake_bound, wheel.motor, problem.axles.at_rest()[i]),
            Some(rates) => (rates.wheels[i], rates.brakes[i], rates.motors[i], 0.0),
        };
        let (hold, slipping) = (wheel.inertia * free, braking * bound);
        let sliding = ground * wheel.friction;
        let brake = (braking != 0.0).then_some(slipping);
        if ground == 0.0 {
            Answer { fixed: hold - slipping, by_motion: wheel.inertia, by_q: 0.0, brake, hold, motor }
        } else {
            let by_q = sliding * problem.axles.shares()[i];
            Answer { fixed: sliding * load, by_motion: 0.0, by_q, brake, hold, motor }
        }
    }

    /// Two equations: M0 (y1 − z0) = −r − Σ f_i and Q = Σ [(h − R) f_i − R g_i + M_i] + arm r.
    fn in_motion(&self, out: &mut Response) -> Option<()> {
        let axles = self.problem.axles;
        let resistance = self.resistance();
        let mut chassis = [self.problem.mass, 0.0, self.stop() - resistance];
        let mut moment = [0.0, 1.0, self.problem.resistance_arm * resistance];
        for i in 0..self.modes.len() {
            let answer = self.answer(i);
            let radius = axles.radii()[i];
            chassis[0] += answer.by_motion;
            chassis[1] += answer.by_q;
            chassis[2] -= answer.fixed;
            // A held brake turns (h − R) f − R g into h f − R J z.
            let (arm, known) = match answer.brake {
                Some(brake) => (axles.height() - radius, -radius * brake),
                None => (axles.height(), -radius * answer.hold),
            };
            moment[0] -= arm * answer.by_motion;
            moment[1] -= arm * answer.by_q;
            moment[2] += arm * answer.fixed + known + answer.motor;
        }
        let determinant = chassis[0] * moment[1] - chassis[1] * moment[0];
        out.y1 = (chassis[2] * moment[1] - chassis[1] * moment[2]) / determinant;
        out.q = (chassis[0] * moment[2] - chassis[2] * moment[0]) / determinant;
        for i in 0..self.modes.len() {
            let answer = self.answer(i);
            out.ground[i] = answer.fixed + answer.by_motion * out.y1 + answer.by_q * out.q;
            self.write(i, &answer, out);
        }
        (determinant != 0.0).then_some(())
    }

    /// The resistance of a moving chassis; its bound does not change.
    fn resistance(&self) -> f64 {
        match (self.problem.resistance, self.rates) {
            (Contact::Slips(side), None) => side * self.problem.resistance_bound,
            _ => 0.0,
        }
    }

    /// Σ f = M0 z0 and Q = h Σf − Σ R J z − Σ_spinning R (g − (J z − f)) + Σ M.
    fn at_rest(&self, held: usize, out: &mut Response) -> Option<()> {
        let axles = self.problem.axles;
        let (mut fixed, mut by_q, mut rest) = (axles.height() * self.stop(), 0.0, self.stop());
        for i in 0..self.modes.len() {
            let answer = self.answer(i);
            let radius = axles.radii()[i];
            fixed += answer.motor - radius * answer.hold;
            if let (false, Some(brake)) = (self.held(i), answer.brake) {
                fixed -= radius * (brake - answer.hold + answer.fixed);
                by_q -= radius * answer.by_q;
            }
        }
        (out.y1, out.q) = (0.0, fixed / (1.0 - by_q));
        for i in (0..self.modes.len()).filter(|i| !self.held(*i)) {
            let answer = self.answer(i);
            out.ground[i] = answer.fixed + answer.by_q * out.q;
            rest -= out.ground[i];
            self.write(i, &answer, out);
        }
        for i in (0..self.modes.len()).filter(|i| self.held(*i)) {
            out.ground[i] = rest / held as f64;
            (out.brake[i], out.v[i]) = (self.answer(i).hold - out.ground[i], 0.0);
        }
        (by_q != 1.0).then_some(())
    }

    /// Brake and motion of a wheel whose ground force is written.
    fn write(&self, i: usize, answer: &Answer, out: &mut Response) {
        out.brake[i] = answer.brake.unwrap_or(answer.hold - out.ground[i]);
        out.v[i] = if answer.by_motion != 0.0 {
            -out.y1
        } else if answer.brake.is_none() {
            0.0
        } else {
            (answer.hold - out.ground[i] - out.brake[i]) / self.problem.wheels[i].inertia
        };
    }
}
