use super::*;
use stickslip_linalg::SplitMix64;

/// A field with β1, β2 between 0.1 and 10 and a of a size between nothing and more than friction can hold.
fn field(random: &mut SplitMix64, turned: bool) -> SlipField {
    let mut size = || 10_f64.powf(random.between(-1.0, 1.0));
    let (b1, b2) = (size(), size());
    let a = [1.5 * b1 * random.between(-1.0, 1.0), 1.5 * b2 * random.between(-1.0, 1.0)];
    let shrink = 0.5 + 0.5 * random.between(-1.0, 1.0);
    let a = a.map(|x| x * shrink);
    if !turned {
        return SlipField::new(a, [b1, 0.0, b2]);
    }
    let (sin, cos) = (3.0 * random.between(-1.0, 1.0)).sin_cos();
    SlipField::new(a, [b1 * cos * cos + b2 * sin * sin, (b1 - b2) * sin * cos, b1 * sin * sin + b2 * cos * cos])
}

/// Roots of V by a search over φ: sign changes on a grid, and where |V| has a least value on it without changing its
/// sign, the true least value between the neighbours (golden section) decides whether two roots hide there.
fn search(field: &SlipField) -> Vec<f64> {
    let count = 720;
    let at = |k: usize| -std::f64::consts::PI + std::f64::consts::TAU * (k as f64 + 0.123) / count as f64;
    let v = |x: f64| field.across(x);
    let mut roots = Vec::new();
    let mut cut = |lo: f64, hi: f64| {
        if v(lo) * v(hi) < 0.0 {
            roots.push(bisect(v, lo, hi, v(lo) < 0.0));
        }
    };
    for k in 0..count {
        let (lo, middle, hi) = (at(k), at(k + 1), at(k + 2));
        cut(lo, middle);
        let [a, b, c] = [v(lo), v(middle), v(hi)];
        if a * b > 0.0 && b * c > 0.0 && b.abs() <= a.abs() && b.abs() <= c.abs() {
            let (mut from, mut to) = (lo, hi);
            for _ in 0..90 {
                let (x, y) = (from + 0.381_966 * (to - from), from + 0.618_034 * (to - from));
                if v(x) * b.signum() < v(y) * b.signum() { to = y } else { from = x }
            }
            let least = 0.5 * (from + to);
            cut(lo, least);
            cut(least, hi);
        }
    }
    let turn = |x: f64| if x > std::f64::consts::PI { x - std::f64::consts::TAU } else { x };
    let mut roots: Vec<f64> = roots.into_iter().map(turn).collect();
    roots.sort_by(f64::total_cmp);
    roots
}

#[test]
fn quartic_and_search_agree_on_ten_thousand_fields() {
    let mut random = SplitMix64(6);
    let (mut two, mut four) = (0, 0);
    for case in 0..10_000 {
        let field = field(&mut random, case % 2 == 1);
        let found = field.limit_directions();
        let searched = search(&field);
        assert_eq!(found.as_slice().len(), searched.len(), "{field:?} {found:?} {searched:?}");
        for (limit, angle) in found.as_slice().iter().zip(&searched) {
            // A root is known to rounding of V over its slope.
            let scale = field.a[0].hypot(field.a[1]) + field.b[0] + field.b[2];
            let allowed = 1e-12 + 1e-14 * scale / limit.turning.abs();
            assert!((limit.angle - angle).abs() <= allowed.max(1e-7 * f64::from(limit.turning.abs() < 1e-6 * scale)));
            assert!(field.across(limit.angle).abs() <= 1e-13 * scale, "{field:?} {limit:?}");
        }
        match searched.len() {
            2 => two += 1,
            4 => four += 1,
            other => panic!("{other} limit directions of {field:?}"),
        }
        assert_eq!(searched.len() == 4, field.astroid() < 1.0, "{field:?}");
        // Sticking goes on if and only if all limit directions attract.
        let attract = found.as_slice().iter().all(LimitDirection::attracts);
        assert_eq!(attract, field.demand() < 1.0, "{field:?} {found:?}");
    }
    assert!(two > 1000 && four > 1000, "{two} {four}");
}

#[test]
fn the_symmetric_cases() {
    // No drive: the axes, arriving generically along that with the greater friction.
    let all = SlipField::new([0.0, 0.0], [3.0, 0.0, 1.0]).limit_directions();
    let angles: Vec<f64> = all.as_slice().iter().map(|d| d.angle).collect();
    let half = std::f64::consts::FRAC_PI_2;
    for (got, expected) in angles.iter().zip([-half, 0.0, half, 2.0 * half]) {
        assert!((got - expected).abs() < 1e-15, "{angles:?}");
    }
    assert_eq!(all.as_slice().iter().map(|d| d.is_generic()).collect::<Vec<_>>(), [true, false, true, false]);
    // Round friction: along the drive and against it.
    let all = SlipField::new([0.6, 0.8], [0.5, 0.0, 0.5]).limit_directions();
    let [back, ahead] = all.as_slice() else { panic!("{all:?}") };
    assert!((ahead.angle - 0.8_f64.atan2(0.6)).abs() < 1e-15 && (ahead.rate - 0.5).abs() < 1e-15);
    assert!((back.rate + 1.5).abs() < 1e-15 && back.attracts() && !ahead.attracts());
    // Nothing at all.
    assert!(SlipField::new([0.0; 2], [0.0; 3]).limit_directions().as_slice().is_empty());
}

#[test]
fn at_the_loss_of_sticking_the_slip_leaves_with_no_rate() {
    let mut random = SplitMix64(11);
    for _ in 0..1000 {
        let (b1, b2) = (10_f64.powf(random.between(-1.0, 1.0)), 10_f64.powf(random.between(-1.0, 1.0)));
        let angle = 3.0 * random.between(-1.0, 1.0);
        let field = SlipField::new([b1 * angle.cos(), b2 * angle.sin()], [b1, 0.0, b2]);
        assert!((field.demand() - 1.0).abs() < 1e-14);
        let near = |d: &&LimitDirection| (d.angle - angle).abs() < 1e-6;
        let all = field.limit_directions();
        let leaving = all.as_slice().iter().find(near).expect("a limit direction");
        assert!(leaving.rate.abs() <= 1e-9 * (b1 + b2), "{leaving:?}");
        let turning = -b1 * angle.sin().powi(2) - b2 * angle.cos().powi(2);
        assert!((leaving.turning - turning).abs() <= 1e-6 * (b1 + b2) && turning < 0.0);
    }
}

#[test]
fn orbits_of_the_portrait_end_along_generic_directions() {
    let field = SlipField::new([0.2, 0.1], [3.0, 0.0, 1.0]);
    for path in portrait(&field, 1.0, 24) {
        let end = path.last().expect("points");
        assert!(end[0].hypot(end[1]) < 2e-3, "sticking goes on: all slips arrive");
        let angle = end[1].atan2(end[0]);
        let all = field.limit_directions();
        let generic = all.as_slice().iter().filter(|d| d.is_generic());
        let apart = generic.map(|d| (angle - d.angle).abs()).fold(f64::INFINITY, f64::min);
        assert!(apart < 0.3, "{angle} {all:?}");
    }
}
