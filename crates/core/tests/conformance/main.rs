//! One suite for all inclusion solvers: every solver on every random problem that it accepts.
//!
//! Each answer is judged by what it gives out ([`Problem::judge`]): forces in their sets, the residual recomputed, slips W r + b and 0.0
//! where contacts stick, no contact that gives energy, and a residual of its own that is no better than the truth. Each is found from
//! nothing and again from the last one, and the mirrored problem is solved, too.
//!
//! All answers to one problem agree in their slips. Let e = r − Proj_C(r − ρ s) be what r is off, as forces; then r̃ = r − e and
//! s̃ = s − e/ρ obey the law exactly, and with those of another answer (r̃ − r̃′)·(s̃ − s̃′) ≤ 0. So
//!
//! ```text
//! E = (r − r′)·W (r − r′) ≤ Σ_i |Δr̃_i| ε_i + |Δs̃_i| ε_i/w_i + ε_i²/w_i,      ε_i = w_i (|e_i| + |e′_i|),
//! ```
//!
//! and where W is symmetric slips differ by no more than √(w_ii E).

mod dense;
mod problems;

use proptest::prelude::*;
use stickslip_core::inclusion::nine_regions::TwoIntervals;
use stickslip_core::inclusion::one_disk::AnyBound;
use stickslip_core::inclusion::star::{AnyIntervals, Damped};
use stickslip_core::inclusion::{Coupled, Dense, Monotone, NineRegions, SolveError, Solved, Solver, Star};
use stickslip_core::law::{Cone, Disk, HalfLine, Law, Product, State};
use stickslip_linalg::Matrix;

use problems::{Case, assembly, both, bound, ends, interval, monotone_law, vehicle, wheel};

/// What every solver must deliver.
const RELATIVE_RESIDUAL: f64 = 1e-12;

/// The general solver is for small problems.
const SMALL: usize = 24;

impl Case {
    /// How far two answers' slips may be apart, by component; see above.
    fn reach(&self, one: &[f64], other: &[f64]) -> Vec<f64> {
        let problem = self.problem();
        let weights = problem.weights();
        let off = |r: &[f64]| {
            let mut x = vec![0.0; r.len()];
            problem.slip(r, &mut x);
            let s = x.clone();
            (0..x.len()).for_each(|i| x[i] = r[i] - x[i] / weights[i]);
            self.c.project(&mut x);
            let e: Vec<f64> = r.iter().zip(&x).map(|(r, x)| r - x).collect();
            let exact: Vec<f64> = (0..e.len()).map(|i| s[i] - e[i] * weights[i]).collect();
            (e, x, exact)
        };
        let ((e, r, s), (f, q, t)) = (off(one), off(other));
        let rounding = problem.rounding(one) + problem.rounding(other);
        let energy: f64 = (0..r.len())
            .map(|i| {
                let miss = weights[i] * (e[i].abs() + f[i].abs()) + rounding;
                ((r[i] - q[i]).abs() + (s[i] - t[i]).abs() / weights[i] + miss / weights[i]) * miss
            })
            .sum();
        // What each may tell of its slips besides.
        let told = RELATIVE_RESIDUAL * (problem.scale(one) + problem.scale(other)) + 2.0 * rounding;
        (0..r.len()).map(|i| (self.w[(i, i)].max(0.0) * energy).sqrt() + told).collect()
    }

    /// All that is asked of a solver: its answer, or none if the problem is not of its form.
    fn ask<S: Solver>(&self) -> Result<Option<Solved>, TestCaseError> {
        let Some(mut solver) = S::accept(&self.w, &self.c) else { return Ok(None) };
        let fail = |what: String| TestCaseError::fail(format!("{}: {what} for {self:?}", S::NAME));
        let mut solve = |case: &Case, start: &Solved| {
            let solved = solver.solve_from(&case.b, &case.c, start).map_err(|e| fail(e.to_string()))?;
            case.problem().judge(&solved, RELATIVE_RESIDUAL).map_err(|e| fail(format!("{e}, {solved:?}")))?;
            Ok::<Solved, TestCaseError>(solved)
        };
        let cold = solve(self, &Solved::none(&self.c))?;
        let warm = solve(self, &cold)?;
        self.agree(&cold, &warm).map_err(|e| fail(format!("from its own answer, {e}")))?;
        if self.mirrors() {
            let mut other = solve(&self.mirrored(), &Solved::none(&self.c))?;
            other.r.iter_mut().chain(&mut other.s).for_each(|x| *x = -*x);
            self.agree(&cold, &other).map_err(|e| fail(format!("mirrored, {e}")))?;
        }
        Ok(Some(cold))
    }

    /// Slips of two answers. Where W is not symmetric only the residuals bind them.
    fn agree(&self, one: &Solved, other: &Solved) -> Result<(), String> {
        if !self.is_symmetric() {
            return Ok(());
        }
        let reach = self.reach(&one.r, &other.r);
        let apart = (0..reach.len()).find(|&i| (one.s[i] - other.s[i]).abs() > reach[i]);
        apart.map_or(Ok(()), |i| Err(format!("slip {i} is {} and {} ± {}", one.s[i], other.s[i], reach[i])))
    }

    /// Asks all solvers. At least those named must accept the problem, and all answers must agree with the first.
    fn ask_all(&self, at_least: &[&str]) -> Result<(), TestCaseError> {
        let small = self.c.dim() <= SMALL;
        let mut answers = Vec::new();
        let mut note = |name: &'static str, answer: Option<Solved>| answers.extend(answer.map(|answer| (name, answer)));
        if small {
            note(Dense::NAME, self.ask::<Dense>()?);
        }
        note(Star::NAME, self.ask::<Star>()?);
        note(AnyIntervals::NAME, self.ask::<AnyIntervals>()?);
        note(Damped::NAME, self.ask::<Damped>()?);
        note(NineRegions::NAME, self.ask::<NineRegions>()?);
        note(TwoIntervals::NAME, self.ask::<TwoIntervals>()?);
        note(AnyBound::NAME, self.ask::<AnyBound>()?);
        note(Coupled::NAME, self.ask::<Coupled>()?);
        note(Monotone::NAME, self.ask::<Monotone>()?);
        for name in at_least {
            prop_assert!(answers.iter().any(|(other, _)| other == name), "{name} does not accept {self:?}");
        }
        let (first, others) = answers.split_first().expect("a solver accepts it");
        for (name, answer) in others {
            let told = |e| TestCaseError::fail(format!("{name} and {}: {e} for {self:?}", first.0));
            self.agree(&first.1, answer).map_err(told)?;
        }
        Ok(())
    }
}

/// Solvers that can take the problem of a wheel, whatever the ratio of its masses.
const OF_WHEELS: [&str; 4] = [NineRegions::NAME, TwoIntervals::NAME, Star::NAME, AnyIntervals::NAME];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn wheels(p in -6.0..6.0_f64, q in -9.0..9.0_f64, d in [-3.0..3.0_f64, -3.0..3.0_f64], a in [bound(), bound()]) {
        let d = d.map(|e| 10_f64.powf(e));
        wheel([p * d[0], q * d[1]], d, a).ask_all(&OF_WHEELS)?;
    }

    #[test]
    fn wheels_at_speed(v in -50.0..50.0_f64, slip in -1.0..1.0_f64, d in [-3.0..3.0_f64, -3.0..3.0_f64], a in [bound(), bound()]) {
        wheel([v, -v + slip], d.map(|e| 10_f64.powf(e)), a).ask_all(&OF_WHEELS)?;
    }

    #[test]
    fn ties_on_region_boundaries(e in -2..=2_i32, b in -2..=2_i32, along in 0..9_u32, ray in 0..5_u32, k in (-8..8_i32, -8..8_i32), a_b in 0..3_u32) {
        // d are powers of two and a whole numbers: corners and edges are exact floating-point numbers.
        let d = [2_f64.powi(k.0), 2_f64.powi(k.1)];
        let (a_g, a_b) = (3.0, f64::from(a_b));
        let (e, b, along) = (f64::from(e.signum()), f64::from(b.signum()), f64::from(along) * 0.5);
        let corner = [e * d[0] * a_g, d[1] * (e * a_g + b * a_b)];
        let z = match ray {
            0 => corner,
            1 => [corner[0] + e * along, corner[1]],
            2 => [corner[0] - b * along, corner[1] + b * along],
            3 => [corner[0], corner[1] + along],
            _ => [corner[0] + along * d[0], corner[1] + along * d[1]],
        };
        wheel(z, d, [a_g, a_b]).ask_all(&OF_WHEELS)?;
    }

    #[test]
    fn wheels_under_any_intervals(p in -6.0..6.0_f64, q in -9.0..9.0_f64, d in [0.1..10.0_f64, 0.1..10.0_f64], a in [ends(), ends()]) {
        let case = vehicle([p * d[0], d[0]], None, &[([q * d[1], d[1]], a, 0.0)]);
        case.ask_all(&[TwoIntervals::NAME, AnyIntervals::NAME])?;
    }

    #[test]
    fn vehicles(
        n in 1..9_usize, p0 in -1.5..1.5_f64, e0 in -2.0..2.0_f64, a_0 in prop::option::of(bound()), spread in 0.0..0.3_f64,
        wheels in prop::collection::vec((-9.0..9.0_f64, -6.0..6.0_f64, [bound(), bound()]), 8),
    ) {
        let total: f64 = wheels[..n].iter().map(|w| w.2[0]).sum();
        let d0 = 10_f64.powf(e0);
        // Masses over four decades, or all of one size; some vehicles close to what their wheels can hold. (The star itself is asked
        // more in `star.rs`: general solvers end where rounding of W does.)
        let wheel = |&(p, e, a): &(f64, f64, [f64; 2])| {
            let d = 10_f64.powf(spread * e);
            ([p * d, d], a.map(both), 0.0)
        };
        let wheels: Vec<_> = wheels[..n].iter().map(wheel).collect();
        vehicle([p0 * (total + 1.0) * d0, d0], a_0.map(both), &wheels).ask_all(&[Star::NAME, AnyIntervals::NAME])?;
    }

    #[test]
    fn ties_of_vehicles(
        n in 1..9_usize, p0 in -12..=12_i32, k0 in -8..8_i32, a_0 in prop::option::of(0..2_u32),
        wheels in prop::collection::vec((-6..=6_i32, -8..8_i32, [0..4_u32, 0..4_u32]), 8),
    ) {
        // Powers of two and whole numbers: forces meet their bounds exactly.
        let wheel = |&(p, k, a): &(i32, i32, [u32; 2])| {
            let d = 2_f64.powi(k);
            ([f64::from(p) * d, d], a.map(|a| both(f64::from(a))), 0.0)
        };
        let wheels: Vec<_> = wheels[..n].iter().map(wheel).collect();
        let d0 = 2_f64.powi(k0);
        let case = vehicle([f64::from(p0) * d0, d0], a_0.map(|a| both(f64::from(a))), &wheels);
        case.ask_all(&[Star::NAME, AnyIntervals::NAME])?;
    }

    #[test]
    fn vehicles_under_any_intervals(
        n in 1..6_usize, p0 in -6.0..6.0_f64, d0 in 0.1..10.0_f64, resistance in prop::option::of(ends()),
        wheels in prop::collection::vec((-9.0..9.0_f64, 0.1..10.0_f64, [ends(), ends()]), 5),
    ) {
        let wheels: Vec<_> = wheels[..n].iter().map(|(p, d, a)| ([p * d, *d], *a, 0.0)).collect();
        vehicle([p0 * d0, d0], resistance, &wheels).ask_all(&[AnyIntervals::NAME])?;
    }

    #[test]
    fn vehicles_on_dampers(
        n in 1..6_usize, p0 in -6.0..6.0_f64, d0 in 0.1..10.0_f64, a_0 in bound(),
        wheels in prop::collection::vec((-9.0..9.0_f64, 0.1..10.0_f64, [bound(), bound()], prop::option::of(0.01..10.0_f64)), 5),
    ) {
        let wheel = |(p, d, a, soft): &(f64, f64, [f64; 2], Option<f64>)| ([p * d, *d], a.map(both), soft.unwrap_or(0.0));
        let wheels: Vec<_> = wheels[..n].iter().map(wheel).collect();
        vehicle([p0 * d0, d0], Some(both(a_0)), &wheels).ask_all(&[Damped::NAME])?;
    }

    #[test]
    fn one_disk(w in [0.1..10.0_f64, 0.1..10.0_f64], turn in 0.0..3.2_f64, b in [-9.0..9.0_f64, -9.0..9.0_f64], a in bound()) {
        let (sin, cos) = turn.sin_cos();
        let both = (w[0] - w[1]) * sin * cos;
        let w = Matrix::from_rows(&[&[w[0] * cos * cos + w[1] * sin * sin, both], &[both, w[0] * sin * sin + w[1] * cos * cos]]);
        let c = Product::new(vec![Law::Disk(Disk::new(a).expect("≥ 0"))]);
        Case { w, b: b.to_vec(), c }.ask_all(&[Coupled::NAME])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn assemblies(
        laws in prop::collection::vec(monotone_law(), 1..6), rank in 1..12_usize, entries in prop::collection::vec(-1.0..1.0_f64, 256),
        masses in prop::collection::vec(0.1..10.0_f64, 16), drift in prop::collection::vec(-3.0..3.0_f64, 16), skew in 0.0..1.0_f64,
    ) {
        let case = assembly(Product::new(laws), rank, &entries, &masses, &drift, skew);
        case.ask_all(&[Dense::NAME])?;
    }

    #[test]
    fn supports(
        n in 1..6_usize, entries in prop::collection::vec(-1.0..1.0_f64, 256), masses in prop::collection::vec(0.1..10.0_f64, 16),
        drift in prop::collection::vec(-3.0..3.0_f64, 16),
    ) {
        // Positive definite, so that there is exactly one solution.
        let mut case = assembly(Product::new(vec![Law::HalfLine(HalfLine); n]), n, &entries, &masses, &drift, 0.0);
        (0..n).for_each(|i| case.w[(i, i)] += 1e-3);
        case.ask_all(&[Dense::NAME])?;
    }

    /// Unit masses on tables, each with its own: what one cone does is known by tests of its own, here it must obey the law.
    #[test]
    fn cones(mu in prop::collection::vec(0.0..1.0_f64, 1..4), drift in prop::collection::vec(-3.0..3.0_f64, 9)) {
        let c = Product::new(mu.iter().map(|mu| Law::Cone(Cone::new(*mu).expect("≥ 0"))).collect());
        let n = c.dim();
        Case { w: Matrix::from_fn(n, n, |i, j| f64::from(i == j)), b: drift[..n].to_vec(), c }.ask_all(&[Dense::NAME])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Many disks or intervals under one dense operator, strictly monotone, symmetric or far from that: rolling has such ones.
    #[test]
    fn many_contacts_of_one_kind(
        n in 1..30_usize, disks in any::<bool>(), entries in prop::collection::vec(-1.0..1.0_f64, 60 * 60),
        bounds in prop::collection::vec(bound(), 30), drift in prop::collection::vec(-3.0..3.0_f64, 60), skew in -2.0..2.0_f64,
    ) {
        let m = n * if disks { 2 } else { 1 };
        let at = |i: usize, j: usize| entries[i * 60 + j];
        let both = |i: usize, j: usize| (0..m).map(|k| at(i, k) * at(j, k)).sum::<f64>() / m as f64;
        let w = Matrix::from_fn(m, m, |i, j| {
            let even = if j < i { both(j, i) } else { both(i, j) };
            even + 0.5 * f64::from(i == j) + skew.max(0.0) * (at(i, j) - at(j, i))
        });
        let law = |a: &f64| if disks { Law::Disk(Disk::new(*a).expect("≥ 0")) } else { interval(0.0 - a, *a) };
        let c = Product::new(bounds[..n].iter().map(law).collect());
        let case = Case { w, b: drift[..m].to_vec(), c };
        case.ask_all(if skew <= 0.0 { &[Monotone::NAME, Coupled::NAME] } else { &[Monotone::NAME] })?;
    }
}

/// Who is not made for a problem says so, and does not solve another one.
#[test]
fn forms_are_recognised() {
    let case = wheel([1.0, -2.0], [0.5, 0.25], [1.0, 2.0]);
    let other = Product::new(vec![interval(-1.0, 2.0), interval(-2.0, 2.0)]);
    assert!(NineRegions::accept(&case.w, &case.c).is_some() && NineRegions::accept(&case.w, &other).is_none());
    let start = Solved::none(&other);
    let mut regions = NineRegions::accept(&case.w, &case.c).expect("its form");
    assert_eq!(regions.solve_from(&case.b, &other, &start), Err(SolveError::Form));
    assert_eq!(regions.solve_from(&[f64::NAN, 1.0], &case.c, &start), Err(SolveError::NotFinite));
    // Slips that no chassis and no wheels can have.
    let both = both(1.0);
    let two = vehicle([1.0, 0.5], Some(both), &[([2.0, 0.25], [both; 2], 0.0), ([3.0, 0.25], [both; 2], 0.0)]);
    let mut star = Star::accept(&two.w, &two.c).expect("its form");
    assert!(star.solve_from(&two.b, &two.c, &Solved::none(&two.c)).is_ok());
    let torn = [3.0, 2.0, 5.0, 3.0, 1.0];
    assert_eq!(star.solve_from(&torn, &two.c, &Solved::none(&two.c)), Err(SolveError::Form));
    // Any entry that differs makes W another one.
    for k in 0..5 {
        let mut w = two.w.clone();
        w[(k, (k + 1) % 5)] += 1e-9;
        assert!(Star::accept(&w, &two.c).is_none() && AnyIntervals::accept(&w, &two.c).is_none(), "{k}");
        assert!(Coupled::accept(&w, &two.c).is_none(), "{k}");
    }
}

/// Newton's method ends with a disk that slips at rest on its edge, and its force is moved onto the edge: what that does to the slips of
/// a contact that is coupled to it three times as strongly is part of the residual told.
#[test]
fn a_force_moved_onto_its_edge_is_in_the_residual() {
    let w = [
        [
            4.926947948935973,
            0.0,
            0.31042358125734215,
            -0.34735027679562686,
            0.0,
            3.7446867287345134,
            2.111962080667907,
            -6.994674914627603,
        ],
        [0.0; 8],
        [
            0.31042358125734215,
            0.0,
            0.019558314964834223,
            -0.021884890603911022,
            0.0,
            0.2359349189535583,
            0.13306469631006027,
            -0.44070123314343373,
        ],
        [
            -0.34735027679562686,
            0.0,
            -0.021884890603911022,
            0.024488225985024807,
            0.0,
            -0.2640007536551604,
            -0.14889351803692025,
            0.493125215218891,
        ],
        [0.0; 8],
        [
            3.7446867287345134,
            0.0,
            0.2359349189535583,
            -0.2640007536551604,
            0.0,
            2.8461187010081446,
            1.6051796075449911,
            -5.316245796807095,
        ],
        [
            2.111962080667907,
            0.0,
            0.13306469631006027,
            -0.14889351803692025,
            0.0,
            1.6051796075449911,
            0.9053036233399592,
            -2.998304089955488,
        ],
        [
            -6.994674914627603,
            0.0,
            -0.44070123314343373,
            0.493125215218891,
            0.0,
            -5.316245796807095,
            -2.998304089955488,
            9.930179427182026,
        ],
    ];
    let b = [
        9.340311439819699,
        0.0,
        0.5884886459646729,
        -0.6584928027663428,
        0.0,
        7.09902776596078,
        4.003773489587604,
        -13.26022576248757,
    ];
    let disk = |a| Law::Disk(Disk::new(a).expect("≥ 0"));
    let c = Product::new(vec![
        disk(0.0),
        interval(0.0, 0.0),
        disk(0.0),
        disk(0.2610022066266695),
        interval(0.0, 2.9613083511567573),
    ]);
    let case = Case { w: Matrix::from_fn(8, 8, |i, j| w[i][j]), b: b.to_vec(), c };
    case.ask_all(&[Dense::NAME, Coupled::NAME]).expect("solved and told");
}

/// The judge finds what it is there to find.
#[test]
fn a_wrong_answer_is_a_breach() {
    let case = wheel([1.0, -2.0], [0.5, 0.25], [1.0, 2.0]);
    let right = case.ask::<NineRegions>().expect("solves").expect("its form");
    let breach = |wrong: &dyn Fn(&mut Solved)| {
        let mut solved = right.clone();
        wrong(&mut solved);
        case.problem().judge(&solved, RELATIVE_RESIDUAL).expect_err("wrong").to_string()
    };
    assert!(breach(&|x| x.r[0] *= 0.999).contains("relative residual"));
    assert!(breach(&|x| x.r[0] = f64::NAN).contains("relative residual"));
    assert!(breach(&|x| x.s[0] += 1e-9).contains("W r + b"));
    assert!(breach(&|x| x.s[1] = f64::NAN).contains("W r + b"));
    assert!(breach(&|x| x.residual = Some(f64::NAN)).contains("the solver tells"));
    assert!(breach(&|x| x.states[1] = State::Stick).contains("sticks and has the slip"));
}
