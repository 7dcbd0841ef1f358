//! All loads that fit a step, where κ* does not exclude that there are several.

use serde::{Deserialize, Serialize};
use stickslip_core::inclusion::Star;
use stickslip_core::inclusion::star::Load;
use stickslip_loads::transfer::{Axles, Contact, Memory, Problem, Select, Solution, Wheel, Workspace, choose};

use super::transfer::Transfer;

/// What was found so far: plain data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// The solution of the last step, and Q of the last step with one only.
    last: Option<Solution<f64>>,
    unique: f64,
    /// Steps in which all were looked for, and those with several.
    pub(super) steps: u64,
    pub(super) times: u64,
    /// The first of these: number of the step and size of steps, all solutions, whether the one taken is unstable.
    pub(super) first: Option<(f64, Vec<Solution<f64>>, bool)>,
}

/// Room to look for them.
#[derive(Debug, Clone)]
pub(super) struct Room {
    axles: Axles,
    wheels: Vec<Wheel>,
    work: Workspace,
}

impl Room {
    pub(super) fn new(transfer: &Transfer) -> Room {
        let axles = transfer.axles().clone();
        Room { wheels: Vec::with_capacity(axles.count()), work: Workspace::new(axles.count()), axles }
    }

    /// The solution that is taken in a step that ends at t; none where there is none.
    pub(super) fn choose(
        &mut self,
        transfer: &Transfer,
        star: &Star,
        load: &Load<'_>,
        (drives, cosine, t): (Option<&[f64]>, f64, f64),
        found: &mut Found,
    ) -> Option<Solution<f64>> {
        self.axles.on_slope(transfer.axles(), cosine);
        self.wheels.clear();
        for i in 0..self.axles.count() {
            self.wheels.push(Wheel {
                inertia: 1.0 / star.d()[i],
                free: load.z[i],
                friction: load.a_g[i] / self.axles.at_rest()[i],
                brake_bound: load.a_b[i],
                motor: drives.map_or(0.0, |drives| drives[i] * self.axles.radii()[i]),
                ground: Contact::Undecided,
                brake: Contact::Undecided,
            });
        }
        let problem = Problem {
            axles: &self.axles,
            mass: 1.0 / star.d0(),
            free: load.z0,
            resistance_bound: load.a_0,
            resistance_arm: transfer.resistance_arm(),
            resistance: Contact::Undecided,
            wheels: &self.wheels,
        };
        self.work.all(&problem);
        let solutions = self.work.solutions();
        let memory = Memory { last: found.last, unique: found.unique };
        let choice = choose(solutions, Select::Nearest, &memory, |a, b| (a - b).abs())?;
        let taken = solutions[choice.which];
        found.last = Some(taken);
        found.steps += 1;
        if solutions.len() == 1 {
            found.unique = taken.place;
        } else {
            found.times += 1;
            found.first.get_or_insert_with(|| (t, solutions.to_vec(), choice.unstable));
        }
        Some(taken)
    }
}

impl Found {
    /// How many solutions there were, in words; none where nobody looked.
    pub(super) fn words(&self, kappa: &str) -> Option<String> {
        if self.steps == 0 {
            return None;
        }
        let Some((t, solutions, unstable)) = &self.first else {
            return Some(format!(
                "{kappa}, which alone does not exclude several solutions; all were looked for in each of {} steps, and there was \
                 exactly one",
                self.steps
            ));
        };
        let each: Vec<String> = solutions
            .iter()
            .map(|s| format!("{}, Q = {:.1} N m, index {:+}", s.branch.words(), s.place, s.index))
            .collect();
        Some(format!(
            "{kappa}: {} solutions at t = {t} s ({}), and several in {} of {} steps; {}",
            solutions.len(),
            each.join("; "),
            self.times,
            self.steps,
            match unstable {
                true => "the one taken is unstable",
                false => "the stable one nearest to the last is taken",
            }
        ))
    }
}
