//! What the table gains: it and the fast theories against the exact one on finer elements, at the same random points.

use std::fmt::Write;

use stickslip_contact::patch::{Creepage, Patch};
use stickslip_contact::table::{Table, Trial, contact};
use stickslip_contact::theory::{Fastsim, Polach, ShenHedrickElkins, Theory};

/// How far a theory is off the exact one.
#[derive(Debug, Clone, PartialEq)]
pub struct Rival {
    /// Its name.
    pub name: &'static str,
    /// Greatest and root mean square of |ΔF|/(μN), the vector.
    pub force: [f64; 2],
    /// The same of |ΔM_z|/(μNc), where it knows it.
    pub moment: Option<[f64; 2]>,
}

/// FASTSIM's cells along each side.
const CELLS: usize = 50;

/// Scaled forces and moment of a theory at a trial.
fn scaled(theory: &mut dyn Theory, patch: &Patch, trial: &Trial) -> Option<([f64; 2], Option<f64>)> {
    let [xi, eta, phi] = trial.u;
    let forces = theory.forces(patch, Creepage { xi, eta, phi }).ok()?;
    Some(([forces.fx, forces.fy], forces.mz))
}

/// The table first, then the exact theory on the table's own elements, FASTSIM, Polach, Shen, Hedrick and Elkins.
pub(super) fn rivals(table: &Table, trials: &[Option<Trial>]) -> Vec<Rival> {
    let known: Vec<(&Trial, [f64; 3])> =
        trials.iter().flatten().filter_map(|trial| Some((trial, trial.finer?))).collect();
    let poisson = table.spec().poisson;
    let mut theories: Vec<(&'static str, Box<dyn Theory>)> =
        vec![("Polach", Box::new(Polach::default())), ("Shen–Hedrick–Elkins", Box::new(ShenHedrickElkins))];
    if let Ok(fastsim) = Fastsim::new(CELLS, CELLS) {
        theories.insert(0, ("FASTSIM", Box::new(fastsim)));
    }
    let own = |name, pick: fn(&Trial) -> [f64; 3]| {
        let off = known.iter().map(|(trial, exact)| {
            let [fx, fy, mz] = pick(trial);
            ((fx - exact[0]).hypot(fy - exact[1]), Some(mz - exact[2]))
        });
        rival(name, off)
    };
    let mut all = vec![own("table", |trial| trial.table), own("exact, same elements", |trial| trial.direct)];
    for (name, theory) in &mut theories {
        let off = known.iter().filter_map(|(trial, exact)| {
            let ([fx, fy], mz) = scaled(theory.as_mut(), &contact(trial.ratio, poisson).ok()?, trial)?;
            Some(((fx - exact[0]).hypot(fy - exact[1]), mz.map(|mz| mz - exact[2])))
        });
        all.push(rival(name, off));
    }
    all
}

fn rival(name: &'static str, off: impl Iterator<Item = (f64, Option<f64>)>) -> Rival {
    let all: Vec<(f64, Option<f64>)> = off.collect();
    let told = |values: Vec<f64>| {
        let (max, squares) = values.iter().fold((0.0_f64, 0.0), |(max, sum), v| (max.max(v.abs()), sum + v * v));
        [max, (squares / values.len().max(1) as f64).sqrt()]
    };
    let moments: Option<Vec<f64>> = all.iter().map(|(_, moment)| *moment).collect();
    Rival { name, force: told(all.iter().map(|(force, _)| *force).collect()), moment: moments.map(told) }
}

/// The random points as a file.
pub(super) fn csv(table: &Table, trials: &[Option<Trial>]) -> String {
    let mut text = String::from(
        "a_over_b,u_x,u_y,u_phi,fx_table,fy_table,mz_table,fx_direct,fy_direct,mz_direct,fx_finer,fy_finer,mz_finer,fx_fastsim,fy_fastsim,mz_fastsim,fx_polach,fy_polach\n",
    );
    let (mut fastsim, mut polach) = (Fastsim::new(CELLS, CELLS), Polach::default());
    for trial in trials.iter().flatten() {
        let patch = contact(trial.ratio, table.spec().poisson).ok();
        let cell = |value: Option<f64>| value.map_or_else(String::new, |value| format!(",{value:.8}"));
        let _ = write!(text, "{}", trial.ratio);
        for u in trial.u {
            let _ = write!(text, ",{u}");
        }
        let finer = trial.finer.map_or([None; 3], |f| f.map(Some));
        let of = |theory: Option<&mut dyn Theory>| {
            theory.zip(patch.as_ref()).and_then(|(theory, patch)| scaled(theory, patch, trial))
        };
        let (f, p) = (of(fastsim.as_mut().ok().map(|t| t as &mut dyn Theory)), of(Some(&mut polach)));
        let own = trial.table.into_iter().chain(trial.direct).map(Some).chain(finer);
        let theirs = [f.map(|f| f.0[0]), f.map(|f| f.0[1]), f.and_then(|f| f.1), p.map(|p| p.0[0]), p.map(|p| p.0[1])];
        for value in own.chain(theirs) {
            text += &if value.is_some() { cell(value) } else { ",".to_string() };
        }
        text.push('\n');
    }
    text
}
