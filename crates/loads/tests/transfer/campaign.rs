//! Random vehicles: does κ* < 1 ever have a second solution?

use stickslip_linalg::SplitMix64;
use stickslip_loads::transfer::{Axle, Axles, AxlesError, Contact, Problem, Wheel, Workspace};

/// What a campaign found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Campaign {
    /// Cases with κ* < 1.
    pub below: u64,
    /// Of those, with more than one solution. Must be 0.
    pub several_below: u64,
    /// Cases with κ* ≥ 1.
    pub above: u64,
    /// Of those, with more than one solution.
    pub several_above: u64,
    /// Cases whose indices do not sum to 1. Must be 0.
    pub unbalanced: u64,
    /// Greatest |G'|/κ* met. At most 1.
    pub steepest: f64,
}

/// Looks through all solutions of `cases` random vehicles with two to four axles, in steps and at instants.
pub fn campaign(seed: u64, cases: u64) -> Campaign {
    let mut dice = SplitMix64(seed);
    let mut found = Campaign::default();
    for _ in 0..cases {
        let mass = dice.between(50.0, 2000.0);
        let (axles, mut wheels) = vehicle(&mut dice, mass);
        let Ok(axles) = axles else { continue };
        let by_steps = dice.unit() < 0.5;
        let step = if by_steps { 10.0_f64.powf(dice.between(-4.0, -1.0)) } else { 1.0 };
        if !by_steps {
            moving(&mut dice, &mut wheels);
        }
        let problem = Problem {
            axles: &axles,
            mass: mass / step,
            free: if dice.unit() < 0.2 { 0.0 } else { dice.between(-8.0, 8.0) * step.max(1e-2) },
            resistance_bound: 0.0,
            resistance_arm: 0.0,
            resistance: Contact::Undecided,
            wheels: &wheels.iter().map(|w| Wheel { inertia: w.inertia / step, ..*w }).collect::<Vec<_>>(),
        };
        let friction: Vec<f64> = wheels.iter().map(|wheel| wheel.friction).collect();
        let bound = axles.uniqueness_bound(&friction);
        found.add(&problem, bound);
    }
    found
}

impl Campaign {
    fn add(&mut self, problem: &Problem<'_>, bound: f64) {
        let mut workspace = Workspace::new(problem.wheels.len());
        let steepest = workspace.all(problem);
        let count = workspace.solutions().len();
        self.steepest = self.steepest.max(steepest / bound);
        self.unbalanced += u64::from(workspace.solutions().iter().map(|s| i32::from(s.index)).sum::<i32>() != 1);
        let (cases, several) = if bound < 1.0 {
            (&mut self.below, &mut self.several_below)
        } else {
            (&mut self.above, &mut self.several_above)
        };
        *cases += 1;
        *several += u64::from(count > 1);
    }
}

/// Lets the wheels move as they may at an instant: contacts that slip have forces of known direction.
fn moving(dice: &mut SplitMix64, wheels: &mut [Wheel]) {
    let x1 = if dice.unit() < 0.3 { 0.0 } else { dice.between(-1.0, 1.0) };
    let known = |slip: f64| if slip == 0.0 { Contact::Undecided } else { Contact::Slips(slip.signum()) };
    for wheel in wheels {
        let v = match (4.0 * dice.unit()) as u32 {
            0 => 0.0,
            1 => -x1,
            _ => dice.between(-2.0, 2.0),
        };
        (wheel.ground, wheel.brake) = (known(x1 + v), known(v));
    }
}

fn vehicle(dice: &mut SplitMix64, mass: f64) -> (Result<Axles, AxlesError>, Vec<Wheel>) {
    let n = 2 + (3.0 * dice.unit()) as usize;
    let equal = dice.unit() < 0.6;
    let radius = dice.between(0.2, 0.6);
    let strength = dice.between(0.2, 3.0);
    let (mut axles, mut wheels) = (Vec::new(), Vec::new());
    for _ in 0..n {
        axles.push(Axle {
            place: dice.between(-2.0, 2.0),
            stiffness: dice.between(0.3, 3.0),
            radius: if equal { radius } else { dice.between(0.2, 0.6) },
        });
        let weight = mass * 9.81;
        wheels.push(Wheel {
            inertia: dice.between(0.5, 40.0),
            free: dice.between(-20.0, 20.0),
            friction: strength * dice.unit(),
            brake_bound: if dice.unit() < 0.3 { 0.0 } else { weight * dice.between(0.0, 2.0) },
            motor: if dice.unit() < 0.5 { 0.0 } else { weight * dice.between(-0.3, 0.3) },
            ground: Contact::Undecided,
            brake: Contact::Undecided,
        });
    }
    let greatest = axles.iter().fold(0.0_f64, |m, axle| m.max(axle.radius));
    (Axles::new(greatest + dice.between(0.0, 1.2), mass * 9.81, &axles), wheels)
}
