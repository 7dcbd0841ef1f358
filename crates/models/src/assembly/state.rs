//! State of an assembly, with the tallies of the run.

use super::Assembly;
use super::parts::Buffer;
use super::ties::Ties;
use crate::passed::Passed;
use stickslip_core::clone_in_place;
use stickslip_core::inclusion::coupled::{Answer, Bounds, Coupled, Mode};
use stickslip_core::law::State;
use stickslip_core::mechanics::Line;
use stickslip_core::mechanics::{Clock, Judged};

/// State of an assembly, with the tallies of the run.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
pub struct AssemblyState {
    /// Velocities of the coordinates.
    pub(super) v: Vec<f64>,
    /// Coordinates.
    pub(super) q: Vec<f64>,
    /// Forces on the `of` side of pads and walls, component by component \[N\].
    pub(super) force: Vec<f64>,
    /// Slips of pads and walls [m/s].
    pub(super) slip: Vec<f64>,
    /// Displacements of pads and walls: sums of slips, so exactly constant while a pad sticks \[m\].
    pub(super) moved: Vec<f64>,
    /// Bounds μN of the pads in the last step \[N\].
    pub(super) bound: Vec<f64>,
    /// What the spring elements remember: elongation (Vampire \[m\]) or force (Kolsch \[N\]).
    pub(super) memory: Vec<f64>,
    /// Displacements of tabled springs and stop springs \[m\].
    pub(super) stretch: Vec<f64>,
    /// Positions \[m\] and speeds [m/s] of the supports' axes.
    pub(super) support: Vec<f64>,
    pub(super) support_speed: Vec<f64>,
    /// What pads and walls do.
    pub(super) modes: Vec<State>,
    pub(super) begun: bool,
    /// Work of forces and supports so far \[J\].
    pub(super) work: f64,
    /// Energy dissipated in each pad and wall, and in all dampers \[J\].
    pub(super) dissipated: Vec<f64>,
    pub(super) damped: f64,
    /// Energy that the scheme lost, where it is counted \[J\].
    pub(super) numerical: f64,
    /// Energy stored at t = 0 \[J\].
    pub(super) stored_at_start: f64,
    /// How deep a body was beyond a wall at the end of a step \[m\], and the same as a share of the clearance: the greatest share.
    pub(super) beyond: [f64; 2],
    /// What of a friction over the place a step has passed without having looked at it.
    pub(super) passed: Option<Passed>,
    /// Greatest residual and greatest speed [m/s].
    pub(super) residual: f64,
    pub(super) speed: f64,
    /// What the solver answered in the last step: where it begins in the next.
    pub(super) answer: Answer,
    /// Steps that needed Newton's method, and the general solver.
    pub(super) harder: [u64; 2],
}

clone_in_place!(AssemblyState {
    passed,
    v,
    q,
    force,
    slip,
    moved,
    bound,
    memory,
    stretch,
    support,
    support_speed,
    modes,
    begun,
    work,
    dissipated,
    damped,
    numerical,
    stored_at_start,
    beyond,
    residual,
    speed,
    answer,
    harder,
});

/// What steps of an assembly work on and with, so that none of them allocates.
#[derive(Debug, Clone)]
pub struct AssemblyWorkspace {
    /// First step and clock of the kernel that has filled the lines.
    pub(super) filled: Option<(u64, Clock)>,
    /// The solver for steps of this size.
    pub(super) solver: Option<(f64, Box<Coupled>)>,
    pub(super) lines: Vec<Line>,
    /// Values of the lines in this step.
    pub(super) values: Vec<f64>,
    /// Momentum without contact forces; forces on coordinates.
    pub(super) momentum: Vec<f64>,
    pub(super) load: Vec<f64>,
    pub(super) bounds: Vec<Bounds>,
    /// Slips that supports (and rebounds) add.
    pub(super) added: Vec<f64>,
    /// Whether the bounds are those of pads that all stick.
    pub(super) still: bool,
    /// What the solver last said of each contact.
    pub(super) modes: Vec<Option<Mode>>,
    /// Speeds over the step, θ v⁺ + (1 − θ) v.
    pub(super) mean: Vec<f64>,
    /// Contacts that turned round in the step and are tried with the friction of rest.
    pub(super) reversed: Vec<bool>,
    /// Whether the speed of a support jumps in the step.
    pub(super) struck: bool,
    /// θ of the steps.
    pub(super) theta: f64,
    /// How walls are judged, and which of its two sides of each wall is looked at: +1, −1, or 0 for the one ahead.
    pub(super) judged: Judged,
    pub(super) sides: Vec<f64>,
    /// For pads whose force is their bound but for rounding.
    pub(super) ties: Ties,
}

impl AssemblyWorkspace {
    pub(super) fn new(assembly: &Assembly) -> AssemblyWorkspace {
        let net = &assembly.network;
        let zeros = |n: usize| vec![0.0; n];
        AssemblyWorkspace {
            filled: None,
            solver: None,
            lines: vec![Line { value: 0.0, per_step: 0.0 }; net.signals.list.len()],
            values: zeros(net.signals.list.len()),
            momentum: zeros(net.n),
            load: zeros(net.n),
            bounds: vec![Bounds::symmetric(0.0); net.contacts.len()],
            modes: vec![None; net.contacts.len()],
            still: false,
            added: zeros(net.rows.len()),
            mean: zeros(net.n),
            reversed: vec![false; net.contacts.len()],
            struck: false,
            theta: 1.0,
            judged: Judged::Impact,
            sides: vec![0.0; assembly.walls.len()],
            ties: Ties::new(net.n, net.rows.len(), net.contacts.len()),
        }
    }
}

impl AssemblyState {
    pub(super) fn new(assembly: &Assembly) -> AssemblyState {
        let net = &assembly.network;
        let p = &assembly.parameters;
        let (mut q, mut v) = (Vec::new(), Vec::new());
        for body in &p.bodies {
            q.extend_from_slice(&body.position[..body.freedom.dim()]);
            v.extend_from_slice(&body.velocity[..body.freedom.dim()]);
        }
        let zeros = |n: usize| vec![0.0; n];
        let components = net.pads.own.len();
        let mut support = zeros(net.motions.len());
        for (position, motion) in support.iter_mut().zip(p.supports.iter().flat_map(|s| &s.motion)) {
            if let super::parts::Motion::Position(signal) = motion {
                *position = signal.at(0.0);
            }
        }
        let moved = (0..components).map(|k| net.pads.dot(k, &q, &support)).collect();
        let stretch = (0..net.tabled.own.len()).map(|k| net.tabled.dot(k, &q, &support)).collect();
        let contacts = net.pad_first.len();
        let mut state = AssemblyState {
            force: zeros(components),
            slip: zeros(components),
            moved,
            bound: zeros(p.pads.len()),
            memory: zeros(components),
            stretch,
            support_speed: zeros(support.len()),
            support,
            modes: vec![State::Open; contacts],
            begun: false,
            work: 0.0,
            dissipated: zeros(contacts),
            damped: 0.0,
            numerical: 0.0,
            stored_at_start: 0.0,
            beyond: [0.0; 2],
            passed: None,
            residual: 0.0,
            speed: 0.0,
            answer: Answer::new(v.clone(), net.rows.len(), net.contacts.len()),
            harder: [0; 2],
            q,
            v,
        };
        assembly.set_support_speeds(&mut state, 0.0);
        for k in 0..components {
            state.slip[k] = net.pads.dot(k, &state.v, &state.support_speed);
        }
        state.stored_at_start = assembly.stored(&state);
        state
    }

    /// Coordinates: x, y, yaw of each body, as far as it has them.
    pub fn coordinates(&self) -> &[f64] {
        &self.q
    }

    /// Velocities of the coordinates.
    pub fn velocities(&self) -> &[f64] {
        &self.v
    }

    /// Friction forces of the pads in the last step, component by component, with the sign of the slip they resist
    /// \[N\].
    pub fn friction(&self) -> impl Iterator<Item = f64> + '_ {
        self.force.iter().map(|r| 0.0 - r)
    }

    /// Slips of the pads, component by component [m/s]: exactly 0.0 where one sticks.
    pub fn slips(&self) -> &[f64] {
        &self.slip
    }

    /// Relative displacements of the pads, component by component \[m\]: exactly constant while one sticks.
    pub fn displacements(&self) -> &[f64] {
        &self.moved
    }

    /// Bounds μN of the pads in the last step \[N\].
    pub fn bounds(&self) -> &[f64] {
        &self.bound
    }

    /// What each pad (then each wall) does after the last step. The direction of a disk's slip is left out, since it
    /// changes in every step: `Slip([0, 0])`.
    pub fn modes(&self) -> &[State] {
        &self.modes
    }

    /// Energy dissipated so far by each pad and wall \[J\].
    pub fn heat(&self) -> &[f64] {
        &self.dissipated
    }

    /// Steps that needed Newton's method.
    pub fn newton_steps(&self) -> u64 {
        self.harder[0]
    }

    /// Steps that needed the general solver.
    pub fn general_steps(&self) -> u64 {
        self.harder[1]
    }

    pub(super) fn is_finite(&self) -> bool {
        let lists = [&self.v, &self.q, &self.force, &self.moved, &self.dissipated, &self.stretch];
        lists.into_iter().flatten().all(|v| v.is_finite()) && self.work.is_finite()
    }
}

/// What a contact does, from its mode.
pub(super) fn shown(mode: Mode) -> State {
    match mode {
        Mode::Stick => State::Stick,
        Mode::Forward => State::Slip([1.0, 0.0]),
        Mode::Backward => State::Slip([-1.0, 0.0]),
        Mode::Sliding => State::Slip([0.0; 2]),
    }
}

impl Assembly {
    /// Force of stop spring k at displacement d, on the `against` side \[N\].
    pub(super) fn stop_force(&self, stop: usize, d: f64) -> f64 {
        let stop = &self.parameters.stops[stop];
        match stop.buffer {
            Buffer::Spring(k) if d > stop.clearance => k * (d - stop.clearance),
            Buffer::Spring(k) if d < -stop.clearance => k * (d + stop.clearance),
            _ => 0.0,
        }
    }
}
