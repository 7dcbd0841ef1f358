//! Tables of creep forces: symmetric, monotone, right in both limits, as far off as they say, and refused where they do not apply.

use std::sync::{Arc, OnceLock};

use stickslip_contact::error::Error;
use stickslip_contact::hertz::Radii;
use stickslip_contact::kalker::Coefficients;
use stickslip_contact::material::Material;
use stickslip_contact::patch::{Creepage, Friction, Patch};
use stickslip_contact::table::{
    Check, Filled, Solver, Spec, Table, TableError, contact, filled_places, filled_trial, stretch, trial, unit,
};
use stickslip_contact::theory::{Exact, Fastsim, FromTable, Polach, Theory, TheoryError};

/// a/b of the 42 kN case.
fn patch() -> Patch {
    let (steel, body) = (Material::from_young(210e9, 0.3).expect("valid"), Radii { x: 0.46, y: 0.30 });
    Patch::hertz(body, body, steel, 42e3, Friction::constant(0.3).expect("valid")).expect("valid")
}

fn make(magnitudes: usize, spins: usize, directions: usize, ratios: &[f64]) -> Table {
    let spec = Spec { ratios: ratios.to_vec(), magnitudes, spins, directions, ..Spec::usual(0.3) };
    let mut solver = Solver::new(&spec);
    let lines: Vec<_> = (0..spec.lines()).map(|line| solver.line(line).expect("solves")).collect();
    assert_eq!(
        solver.solved() as usize,
        lines.iter().flat_map(|l| &l.nodes).filter(|n| n.solved).count() - 2 * lines.len()
    );
    Table::new(spec, &lines).expect("whole")
}

/// The table of the 42 kN case alone, as fine as the built-in one.
fn own() -> &'static Arc<Table> {
    static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(make(24, 12, 6, &[patch().a() / patch().b()])))
}

fn check(table: &Table, points: u64) -> Check {
    let trials: Vec<_> = (0..points).map(|k| trial(table, 7, k, false).expect("solves")).collect();
    Check::new(7, &trials)
}

/// Each finer table is nearer to direct solutions. The pieces are of third order where nothing is limited; elements that change their
/// state one by one make the solutions themselves rough at 1e-3, so half the error is what is asked for each halving.
#[test]
fn finer_tables_are_nearer() {
    let ratio = [patch().a() / patch().b()];
    let mean = |check: Check| (check.interpolation.rms.iter().map(|e| e * e).sum::<f64>() / 3.0).sqrt();
    let coarse = mean(check(&make(6, 3, 2, &ratio), 60));
    let middle = mean(check(&make(12, 6, 3, &ratio), 60));
    let fine = check(own(), 60);
    assert!(middle < 0.5 * coarse, "{coarse} {middle}");
    assert!(mean(fine) < 0.5 * middle, "{middle} {fine:?}");
    assert!(fine.points >= 50, "{fine:?}");
    // What the built-in table says of itself, for one a/b.
    assert!(fine.interpolation.max.iter().all(|e| *e < 0.01) && mean(fine) < 1e-3, "{fine:?}");
}

#[test]
fn nodes_are_direct_solutions_and_lines_do_not_hang_on_each_other() {
    let (table, spec) = (own(), own().spec());
    let mut exact = Exact::with_settings(spec.elements, spec.settings()).expect("valid");
    let patch = contact(spec.ratios[0], 0.3).expect("valid");
    for (j, k, m) in [(0, 6, 10), (0, 10, 12), (5, 2, 8), (12, 6, 9), (3, 12, 14)] {
        let t = spec.t(m);
        let u = unit(spec.ratios[0], spec.spin_angle(j), spec.direction(k)).map(|d| d * t / (1.0 - t));
        exact.begin();
        let direct = exact.forces(&patch, Creepage { xi: u[0], eta: u[1], phi: u[2] }).expect("solves");
        let found = table.at(spec.ratios[0], u).expect("inside");
        // Both are solved to residuals of 1e-6, from different beginnings.
        for (found, direct) in [(found.fx, direct.fx), (found.fy, direct.fy), (found.mz, direct.mz.expect("known"))] {
            assert!((found - direct).abs() < 2e-5, "{j} {k} {m}: {found} {direct}");
        }
    }
    let numbers = [40, 3, 40];
    let mut one = Solver::new(spec);
    let first: Vec<_> = numbers.iter().map(|n| one.line(*n).expect("solves")).collect();
    assert_eq!(first[0], first[2]);
    assert_eq!(Solver::new(spec).line(3).expect("solves"), first[1]);
}

#[test]
fn symmetry_is_exact() {
    let ratio = own().spec().ratios[0];
    for u in [[0.1, 0.2, 0.3], [0.4, -0.1, 0.05], [0.0, 0.3, 0.2], [2.0, 0.7, 0.0], [0.0, 0.0, 0.4]] {
        let at = |u: [f64; 3]| own().at(ratio, u).expect("inside");
        let (f, x, y) = (at(u), at([-u[0], u[1], u[2]]), at([u[0], -u[1], -u[2]]));
        assert_eq!((x.fx, x.fy, x.mz), (-f.fx, f.fy, f.mz), "{u:?}");
        assert_eq!((y.fx, y.fy, y.mz), (f.fx, -f.fy, -f.mz), "{u:?}");
        if u[0] == 0.0 {
            assert!(f.fx.abs() < 1e-15, "{u:?} {f:?}");
        }
        if u[1] == 0.0 && u[2] == 0.0 {
            assert_eq!((f.fy, f.mz), (0.0, 0.0));
        }
    }
}

/// Small creepages are the linear theory of the table's elements, which is Kalker's to the 2 % that 22² elements have; large ones are full
/// sliding, whatever their size.
#[test]
fn both_limits_are_right() {
    let (table, patch) = (own(), patch());
    let ratio = table.spec().ratios[0];
    let Coefficients { c11, c22, c23, .. } = patch.coefficients();
    let [own11, own22, own23, _] = table.coefficients(0);
    for (found, wanted) in [(own11, c11), (own22, c22), (own23, c23)] {
        assert!((found / wanted - 1.0).abs() < 0.04, "{found} {wanted}");
    }
    let small = 1e-7;
    let linear = table.at(ratio, [small, 0.5 * small, 0.2 * small]).expect("inside");
    // Between directions 15° apart cubics miss a cosine by 9/384 (π/12)⁴ = 1.1e-4 of it, in either angle.
    assert!((linear.fx / (-own11 * small) - 1.0).abs() < 3e-4, "{linear:?} {own11}");
    assert!((linear.fy / (-(0.5 * own22 + 0.2 * own23) * small) - 1.0).abs() < 3e-4, "{linear:?} {own22} {own23}");
    // On the axes nothing is interpolated but t: forces bend by about a third of themselves.
    let along = table.at(ratio, [small, 0.0, 0.0]).expect("inside");
    assert!((along.fx / (-own11 * small) - 1.0).abs() < 1e-6, "{along:?} {own11}");
    let huge = table.at(ratio, [1e9, 0.0, 0.0]).expect("inside");
    assert!((huge.fx + 1.0).abs() < 1e-8 && huge.stick == 0.0, "{huge:?}");
    let slanted = table.at(ratio, [3e9 / stretch(ratio)[0], 3e9 / stretch(ratio)[1], 0.0]).expect("inside");
    let angle = (slanted.fy / slanted.fx).atan() - (stretch(ratio)[0] / stretch(ratio)[1]).atan();
    assert!(angle.abs() < 1e-6 && (slanted.fx.hypot(slanted.fy) - 1.0).abs() < 1e-6, "{slanted:?}");
    assert_eq!(table.at(ratio, [0.0; 3]).expect("inside").stick, 1.0);
}

/// Longitudinal and lateral force grow with their creepage between all points, and no force passes μN.
#[test]
fn curves_grow_and_keep_to_the_bound() {
    let ratio = own().spec().ratios[0];
    for along in 0..2 {
        let mut last = 0.0;
        for k in 1..4000 {
            let mut u = [0.0; 3];
            u[along] = 0.0005 * f64::from(k);
            let f = own().at(ratio, u).expect("inside");
            let force = [-f.fx, -f.fy][along];
            // Full slip is level to the tolerance of the solutions.
            assert!(force >= last - 2e-6, "{along} {u:?}: {force} {last}");
            last = force;
        }
        assert!(last > 0.99);
    }
    for k in 0..2000 {
        let at = |n: u32| f64::from((k * 7919 + n * 104_729) % 1009) / 504.5 - 1.0;
        let f = own().at(ratio, [3.0 * at(1), 3.0 * at(2), 3.0 * at(3)]).expect("inside");
        assert!(f.fx.hypot(f.fy) <= 1.0 + 1e-12 && f.mz.abs() < 1.0 && (0.0..=1.0).contains(&f.stick), "{f:?}");
    }
}

/// CONTACT extrapolated to vanishing elements (`creep-limits-42kn.csv`): the table, on 22² elements, is nearer than FASTSIM and Polach.
#[test]
fn nearer_to_contact_than_the_fast_theories() {
    let text = include_str!("../../../reference/rolling/creep-limits-42kn.csv");
    let (patch, limit) = (patch(), 12_600.0);
    let scale = limit * (patch.a() * patch.b()).sqrt();
    let mut table = FromTable(own().clone());
    let (mut fastsim, mut polach) = (Fastsim::new(50, 50).expect("valid"), Polach::default());
    let mut off = [[0.0_f64; 2]; 3];
    for line in text.lines().skip(1) {
        let v: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let creepage = Creepage { xi: v[0], eta: v[1], phi: 1e3 * v[2] };
        let theories: [&mut dyn Theory; 3] = [&mut table, &mut fastsim, &mut polach];
        for (theory, off) in theories.into_iter().zip(&mut off) {
            let f = theory.forces(&patch, creepage).expect("finite");
            off[0] = off[0].max((f.fx / limit + v[3]).hypot(f.fy / limit + v[5]));
            off[1] = off[1].max(f.mz.map_or(0.0, |mz| (mz / scale - v[7]).abs()));
        }
    }
    // 22² elements of second order are off by 0.004 (force) and 0.013 (moment under spin); interpolation adds a few thousandths.
    assert!(off[0][0] < 0.008 && off[0][1] < 0.016, "{off:?}");
    assert!(off[0][0] < 0.3 * off[1][0] && off[0][0] < 0.2 * off[2][0] && off[0][1] < 0.5 * off[1][1], "{off:?}");
}

#[test]
fn a_file_holds_all_of_it() {
    let small = make(6, 2, 2, &[0.8, 1.0, 1.3, 1.7, 2.2]);
    let text = small.to_csv("0.0.0", Some(&check(&small, 5)));
    let read = Table::read(&text).expect("readable");
    assert_eq!(*read.table, small);
    assert!(read.sealed && read.filled.is_none());
    assert_eq!(read.table.to_csv("0.0.0", Some(&check(&read.table, 5))), text);
    // Other line ends are the same table.
    assert!(Table::read(&text.replace('\n', "\r\n")).is_ok_and(|read| read.sealed));
    // A force that friction allows, and a word of the head: changed, they are told.
    let (at, digit) = text.char_indices().rev().filter(|(_, c)| c.is_ascii_digit()).nth(20).expect("a digit");
    let other = if digit == '1' { "2" } else { "1" };
    for changed in
        [format!("{}{other}{}", &text[..at], &text[at + 1..]), text.replace("# version: 0.0.0", "# version: 0.0.1")]
    {
        assert_eq!(Table::read(&changed), Err(TableError::Damaged));
    }
    // Another program's has no checksum, and may be read all the same.
    let sum = text.lines().find(|line| line.starts_with("# sha256: ")).expect("a checksum");
    let text = text.replace(&format!("{sum}\n"), "");
    assert!(Table::read(&text).is_ok_and(|read| !read.sealed && *read.table == small));
    assert!(text.contains("# interpolation error") && text.contains("# poisson: 0.3\n"));
    let cut: String = text.lines().take(60).map(|line| format!("{line}\n")).collect();
    let swapped = text.replacen("\n0.8,0.000000,-90", "\n0.9,0.000000,-90", 1);
    for (bad, words) in [
        ("a,b\n1,2\n".to_string(), "begins with"),
        (cut, "the file ends after"),
        (swapped, "another point"),
        (text.replace("# spins: 2", "# spins: two"), "no whole number"),
        (text.replace("# spins: 2\n", ""), "no `# spins"),
        (text.replace("# magnitudes: 6", "# magnitudes: 7"), "another point"),
        (text.replace("# ratios: 0.8 1", "# ratios: 1 0.8"), "must grow"),
        (text.clone() + "1,2\n", "more rows"),
        (text.replacen(",1\n", ",nan\n", 1), "nine numbers"),
    ] {
        let error = Table::read(&bad).expect_err(words);
        assert!(error.to_string().contains(words) && !error.help().is_empty(), "{words}: {error}");
    }
}

/// Large spin that 22² elements do not resolve is solved on finer ones, from the first node on that they refuse; nothing is filled in.
#[test]
fn large_spin_is_solved_on_finer_elements() {
    let (ratio, spec) = (own().spec().ratios[0], own().spec());
    assert_eq!(own().unsolved(), 0.0);
    let u = unit(ratio, spec.spin_angle(12), 0.0).map(|d| 15.0 * d);
    let at = |elements: usize| {
        let mut exact = Exact::with_settings(elements, spec.settings()).expect("valid");
        exact.forces(&contact(ratio, 0.3).expect("valid"), Creepage { xi: u[0], eta: u[1], phi: u[2] })
    };
    assert!(matches!(at(22), Err(TheoryError::Exact(Error::Spin { .. }))));
    let (found, fine) = (own().at(ratio, u).expect("inside"), at(176).expect("resolves"));
    assert!(!found.filled);
    // Between its nodes the table is within 0.01 of the solution on the elements that it was solved on (`finer_tables_are_nearer`). That solution
    // knows the edge of the patch to an element: what may be off is what the ring of width d = 2/n carries of a Hertzian load, (2 d)^(3/2).
    let (n, solved) = [44, 88].into_iter().find_map(|n| Some((n, at(n).ok()?))).expect("one of them resolves it");
    let ring = (4.0 / n as f64).powf(1.5);
    assert!((found.fy - solved.fy).abs() < 0.01, "{n}: {found:?} {solved:?}");
    assert!((solved.fy - fine.fy).abs() < ring, "{n}, {ring}: {solved:?} {fine:?}");
    assert!((found.mz - fine.mz.expect("known")).abs() < 0.01, "{found:?} {fine:?}");
}

/// Spin that four times as many elements do not resolve either is filled in. That it is, is known of a force, and how far off it may be:
/// finer elements still say.
#[test]
fn what_is_filled_in_is_known_and_measured() {
    let ratio = own().spec().ratios[0];
    let spec = Spec { ratios: vec![ratio], magnitudes: 64, spins: 4, directions: 2, elements: 18, ..Spec::usual(0.3) };
    let mut solver = Solver::new(&spec);
    let lines: Vec<_> = (0..spec.lines()).map(|line| solver.line(line).expect("solves")).collect();
    let table = Table::new(spec, &lines).expect("whole");
    assert!(table.unsolved() > 0.003 && table.unsolved() < 0.15, "{}", table.unsolved());
    assert!(!table.at(ratio, [0.3, 0.2, 0.05]).expect("inside").filled);
    assert!(table.at(ratio, [0.0, 0.0, 30.0]).expect("inside").filled);
    let (places, share) = filled_places(&table, 7, 12).expect("inside");
    assert!(places.len() == 12 && share > 0.003 && share < 0.3, "{share}");
    let trials: Vec<_> = places.iter().map(|place| filled_trial(&table, 7, *place).expect("solves")).collect();
    let filled = Filled::new(share, &trials);
    assert!(filled.points >= 3 && filled.points + filled.left_out == 12, "{filled:?}");
    // Almost full sliding: between it and the last solution there is little room.
    assert!(filled.miss.max.iter().all(|off| *off > 0.0 && *off < 0.1), "{filled:?}");
    let text = table.to_csv("0.0.0", Some(&check(&table, 5).with_filled(Some(filled))));
    let read = Table::read(&text).expect("readable");
    let told = read.filled.expect("told");
    assert!((0..3).all(|c| (told[c] / filled.miss.max[c] - 1.0).abs() < 0.01), "{told:?} {filled:?}");
}

#[test]
fn contacts_outside_are_refused() {
    let mut table = FromTable(own().clone());
    let other = |a: f64, b: f64, nu: f64| {
        let material = Material::from_young(210e9, nu).expect("valid");
        Patch::new(a, b, 42e3, material, Friction::constant(0.3).expect("valid")).expect("valid")
    };
    let at = Creepage::longitudinal(0.001);
    let error = table.forces(&other(4e-3, 4e-3, 0.3), at).expect_err("another a/b");
    assert!(matches!(error, TheoryError::Table(TableError::Ratio { .. })), "{error}");
    let error = table.forces(&other(patch().a(), patch().b(), 0.28), at).expect_err("another ν");
    assert!(error.to_string().contains("Poisson's ratio 0.3"), "{error}");
    assert!(table.forces(&patch(), Creepage::longitudinal(f64::NAN)).is_err());
    assert!(table.forces(&patch(), Creepage::longitudinal(1e99)).is_ok_and(|f| (f.fx / 12_600.0 + 1.0).abs() < 1e-8));
    for bad in [
        Spec { ratios: vec![], ..Spec::usual(0.3) },
        Spec { ratios: vec![2.0, 1.0], ..Spec::usual(0.3) },
        Spec { ratios: vec![f64::NAN], ..Spec::usual(0.3) },
        Spec { magnitudes: 5, ..Spec::usual(0.3) },
        Spec { spins: 1, ..Spec::usual(0.3) },
        Spec { directions: 1000, ..Spec::usual(0.3) },
        Spec::usual(0.6),
    ] {
        assert!(bad.check().is_err_and(|error| !error.help().is_empty()), "{bad:?}");
    }
}
