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
    assert!(page.contains("is taken for zero and not drawn: friction f (1l, y; 1r, y; 2l, y; 2r, y)"));
    assert!(page.contains("rounding left "));
    // Stuck all the time: a number that never changes is said, not drawn.
    let (page, _) = report(folder.path(), "bogie-case-1b");
    assert!(page.contains("The number of degrees of freedom is 3 all the time."));
    assert!(!charted(&page, "degrees of freedom"));
}

#[test]
fn pictures_show_what_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    // One block, on a belt whose cross lines move.
    let (page, _) = report(folder.path(), "block-on-belt");
    assert!(page.contains("<figcaption>The block from the side</figcaption>") && page.contains("speed of belt"));
    assert!(page.contains("<dt>friction on block (−f)</dt>") && charted(&page, "friction f"));
    // Units stand behind what is expected, too, and minus signs are none of a typewriter.
    assert!(page.contains("expected 8.902605408 s, differs by −0.0036 s"), "{page}");
    // A block that a spring presses on a belt is seen from the side, with its three springs.
    let (page, figures) = report(folder.path(), "mode-coupling");
    assert!(page.contains("<figcaption>The block from the side</figcaption>") && !page.contains("drawn 1 times"));
    assert!(figures.join("motion.svg").exists() && page.contains("displacements of the block drawn"));
}

#[test]
fn a_wheel_on_a_tyre_is_not_said_to_lie_on_the_chassis() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["run", "anti-lock-tyre", "--set", "run.duration=0.5", "--out", "x"];
    stdout(stickslip(folder.path()).args(arguments));
    let page = fs::read_to_string(folder.path().join("x/report.html")).expect("written");
    assert!(page.contains("A wheel on a tyre always slips") && !page.contains("lies on that of the chassis"));
    // One force alone, that of the ground on the vehicle; what the controller does has a legend.
    assert!(charted(&page, "force of the ground on the vehicle (−f)"));
    assert!(page.contains("--rises-tint)\"></i>rises") && page.contains("--falls-tint)\"></i>falls"));
    let (page, _) = report(folder.path(), "car-two-wheels-braking");
    assert!(page.contains("A wheel rolls where the speed of its rim lies on that of the chassis"));
}
