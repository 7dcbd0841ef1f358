//! What reports show is true of the run they show.

use std::fs;
use std::path::Path;

use crate::{stdout, stickslip};

/// The report of a scenario that is shipped, and its folder of figures.
fn report(folder: &Path, name: &str) -> (String, std::path::PathBuf) {
    stdout(stickslip(folder).args(["run", name, "--out", name]));
    let page = fs::read_to_string(folder.join(name).join("report.html")).expect("written");
    (page, folder.join(name).join("figures"))
}

/// Whether a page has a chart with this label.
fn charted(page: &str, label: &str) -> bool {
    page.contains(&format!("<figcaption>{label}"))
}

#[test]
fn displacements_that_go_on_make_no_loops() {
    let folder = tempfile::tempdir().expect("a folder");
    // A belt carries its pad on; a free swing dies away.
    for name in ["block-on-belt", "coulomb-oscillator"] {
        let (page, figures) = report(folder.path(), name);
        assert!(!page.contains("Hysteresis") && !page.contains("area of the loop"), "{name}");
        assert!(page.contains("<h2>Friction against slip speed</h2>"), "{name}");
        assert!(figures.join("friction.svg").exists() && !figures.join("hysteresis.svg").exists(), "{name}");
        // The speed of the block, which the scenarios speak of.
        assert!(charted(&page, "speed along x"), "{name}");
    }
    let belt = fs::read_to_string(folder.path().join("block-on-belt/report.html")).expect("written");
    assert!(belt.contains("\"name\":\"belt\""), "the speed of the belt is drawn beside that of the block");
    let (page, figures) = report(folder.path(), "two-mass");
    assert!(page.contains("<h2>Hysteresis: friction against displacement</h2>") && page.contains("area of the loop"));
    assert!(figures.join("hysteresis.svg").exists() && !figures.join("friction.svg").exists());
}

#[test]
fn rounding_is_not_drawn_as_data() {
    let folder = tempfile::tempdir().expect("a folder");
    // Shaken lengthwise: nothing moves across but rounding, and no friction leaves the x axis.
    let (page, figures) = report(folder.path(), "bogie-case-1");
    let loops = fs::read_to_string(figures.join("hysteresis.svg")).expect("drawn");
    assert!(loops.contains("friction along x") && !loops.contains("along y"));
    assert!(!charted(&page, "angle of the friction") && !charted(&page, "position y"));
    assert!(charted(&page, "position x") && charted(&page, "speed along x") && charted(&page, "degrees of freedom"));
    assert!(page.contains("is taken for zero and not drawn: friction (1l, y; 1r, y; 2l, y; 2r, y)"));
    assert!(page.contains("rounding left "));
    // Stuck all the time: a number that never changes is said, not drawn.
    let (page, _) = report(folder.path(), "bogie-case-1b");
    assert!(page.contains("The number of degrees of freedom is 3 all the time."));
    assert!(!charted(&page, "degrees of freedom"));
}
