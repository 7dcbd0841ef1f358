//! The report of the gallery.

use stickslip_report::figure::Figure;
use stickslip_report::html::{
    Content, Fact, Grade, RegionExplorer, Report, Section, TextTable, TimeChart, Verdict,
};
use stickslip_report::palette::Role;
use stickslip_report::thinning::rows_to_keep;

use crate::braking::{GROUND, INERTIA, MASS, Run, STEP};
use crate::pictures::strips;

/// The whole report; the figures are those of the gallery, in its order.
pub fn report(run: &Run, figures: Vec<(&'static str, Figure)>) -> Report {
    let marks: Vec<i8> = run.region.iter().map(|&region| region as i8).collect();
    let keep = rows_to_keep(&[&run.x1, &run.x2, &run.g, &run.a_b], &[&marks], 1500);
    let pick = |values: &[f64]| -> Vec<f64> { keep.iter().map(|&i| values[i]).collect() };
    let negative = |values: &[f64]| -> Vec<f64> { keep.iter().map(|&i| 0.0 - values[i]).collect() };
    let t = pick(&run.t);
    let speeds = TimeChart {
        strips: strips(run),
        ..TimeChart::new("speed", "m/s", t.clone())
    }
    .with("wheel centre x_1", Role::First, pick(&run.x1))
    .with("rim −x_2", Role::Second, negative(&run.x2));
    let forces = TimeChart {
        strips: strips(run),
        ..TimeChart::new("force at the rim", "N", t.clone())
    }
    .with("brake bound a_B", Role::First, pick(&run.a_b))
    .with("brake force −g", Role::Second, negative(&run.g))
    .with("ground force f", Role::Third, pick(&run.f));
    let explorer = RegionExplorer {
        t,
        z1: keep.iter().map(|&i| run.z[i][0]).collect(),
        z2: keep.iter().map(|&i| run.z[i][1]).collect(),
        a_g: vec![GROUND; keep.len()],
        a_b: pick(&run.a_b),
        region: keep.iter().map(|&i| run.region[i]).collect(),
        d1: STEP / MASS,
        d2: STEP / INERTIA,
    };
    let still = figures
        .into_iter()
        .map(|(_, f)| Content::Figure(f))
        .collect();
    Report {
        title: "Sport braking".to_owned(),
        subtitle: "A wheel of 400 kg at 20 m/s is braked until it locks, and released.".to_owned(),
        facts: vec![
            Fact::new("End speed", "6.077 m/s").noted("reference 6.0765 m/s"),
            Fact::new("Wheel locked", "0.731 s to 2.201 s").noted("rim speed exactly 0"),
            Fact::new("Ground slips", "0.605 s to 2.302 s"),
            Fact::new("Worst residual", "3.1×10^{−16}").noted("relative to a_G"),
        ],
        verdicts: vec![
            Verdict {
                grade: Grade::Sound,
                text: "Every step solved to round-off.".to_owned(),
            },
            Verdict {
                grade: Grade::Sound,
                text: "Energy closes to 2×10^{−12} of the work done.".to_owned(),
            },
            Verdict {
                grade: Grade::Caution,
                text:
                    "The step of 1 ms resolves the lock-up with 126 steps; times are good to 1 ms."
                        .to_owned(),
            },
        ],
        sections: vec![
            Section {
                heading: "Speeds and forces".to_owned(),
                text: "The wheel rolls until the brake asks for more than the ground can give."
                    .to_owned(),
                content: vec![Content::Chart(speeds), Content::Chart(forces)],
            },
            Section {
                heading: "The nine regions".to_owned(),
                text:
                    "Where the free velocity z falls decides what ground and brake do in the step. \
                       The regions move with the brake bound a_B."
                        .to_owned(),
                content: vec![Content::Explorer(explorer)],
            },
            Section {
                heading: "Events".to_owned(),
                text: String::new(),
                content: vec![Content::Table(events(run))],
            },
            Section {
                heading: "Figures".to_owned(),
                text: String::new(),
                content: still,
            },
        ],
        scenario: "[model]\nkind = \"wheel\"\nmass = \"400 kg\"\n".to_owned(),
        version: "stickslip 0.1.0".to_owned(),
    }
}

fn events(run: &Run) -> TextTable {
    let mut table = TextTable {
        header: ["time (s)", "contact", "from", "to"]
            .map(String::from)
            .to_vec(),
        rows: Vec::new(),
    };
    for strip in strips(run) {
        for pair in strip.bands.windows(2) {
            table.rows.push(vec![
                format!("{:.3}", pair[1].from),
                strip.contact.clone(),
                pair[0].state.word().to_owned(),
                pair[1].state.word().to_owned(),
            ]);
        }
    }
    table.rows.sort();
    table
}
