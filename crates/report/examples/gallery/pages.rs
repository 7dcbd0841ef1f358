//! The report of the gallery.

use stickslip_report::figure::Figure;
use stickslip_report::html::{Content, Fact, Grade, RegionExplorer, Report, Section, TextTable, TimeChart, Verdict};
use stickslip_report::palette::{Role, State};
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
    let speeds = TimeChart { strips: strips(run), ..TimeChart::new("speed", "m/s", t.clone()) }
        .with("wheel centre x_1", Role::First, pick(&run.x1))
        .with("rim −x_2", Role::Second, negative(&run.x2));
    let forces = TimeChart { strips: strips(run), ..TimeChart::new("force at the rim", "N", t.clone()) }
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
    let still = figures.into_iter().map(|(_, f)| Content::Figure(f)).collect();
    Report {
        title: "Sport braking".to_owned(),
        subtitle: "A wheel of 400 kg at 20 m/s is braked until it locks, and released.".to_owned(),
        facts: facts(run),
        verdicts: verdicts(run),
        sections: vec![
            Section {
                heading: "Speeds and forces".to_owned(),
                text: "The wheel rolls until the brake asks for more than the ground can give.".to_owned(),
                content: vec![Content::Chart(speeds), Content::Chart(forces)],
            },
            Section {
                heading: "The nine regions".to_owned(),
                text: "Where the free velocity z falls decides what ground and brake do in the step. \
                       The regions move with the brake bound a_B."
                    .to_owned(),
                content: vec![Content::Explorer(explorer)],
            },
            Section { heading: "Events".to_owned(), text: String::new(), content: vec![Content::Table(events(run))] },
            Section { heading: "Figures".to_owned(), text: String::new(), content: still },
        ],
        scenario: "[model]\nkind = \"wheel\"\nmass = \"400 kg\"\n".to_owned(),
        version: "stickslip 0.1.0".to_owned(),
    }
}

/// The first stretch in which a contact (0 ground, 1 brake) is in a state.
fn stretch(run: &Run, contact: usize, state: State) -> String {
    let strip = &strips(run)[contact];
    match strip.bands.iter().find(|band| band.state == state) {
        Some(band) => format!("{:.3} s to {:.3} s", band.from, band.to),
        None => "never".to_owned(),
    }
}

fn facts(run: &Run) -> Vec<Fact> {
    let end = run.x1[run.x1.len() - 1];
    let steps = run.t.len() - 1;
    vec![
        Fact::new("End speed", format!("{end:.4} m/s")),
        Fact::new("Wheel locked", stretch(run, 1, State::Stick)).noted("rim speed exactly 0"),
        Fact::new("Ground slips", stretch(run, 0, State::Slip)),
        Fact::new("Steps", steps.to_string()).noted("h = 10^{−3} s, implicit Euler"),
    ]
}

fn verdicts(run: &Run) -> Vec<Verdict> {
    let verdict = |sound: bool, text: String| Verdict { grade: if sound { Grade::Sound } else { Grade::Fault }, text };
    let at_rest = (0..run.t.len()).filter(|&i| [0, 1, 5].contains(&run.region[i])).all(|i| run.x2[i] == 0.0);
    let difference = (run.x1[run.x1.len() - 1] - 6.076529).abs();
    vec![
        verdict(at_rest, "Wherever the brake sticks the rim speed is exactly 0.".to_owned()),
        verdict(
            difference < 0.01,
            format!("The end speed differs from the reference 6.076529 m/s by {difference:.1e} m/s."),
        ),
        Verdict {
            grade: Grade::Caution,
            text: "The scheme is of order 1: times of events are good to a step.".to_owned(),
        },
    ]
}

fn events(run: &Run) -> TextTable {
    let mut table =
        TextTable { header: ["time (s)", "contact", "from", "to"].map(String::from).to_vec(), rows: Vec::new() };
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
