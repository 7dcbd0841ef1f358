//! Small motions against closed forms, against tables of another program, and against runs in time.

use stickslip_core::analysis::stability::{Linearised, Root, border, leading, unstable};
use stickslip_linalg::{Complex, Matrix};
use stickslip_models::{MODELS, towed_wheel};
use stickslip_run::stability::{Found, StabilityFailure, StabilityOptions, studied};
use stickslip_run::{RunFailure, Scenario, simulation};
use stickslip_scenario::{Interval, Override};

fn scenario(name: &str, set: &[&str]) -> Scenario {
    let overrides: Vec<Override> = set.iter().map(|text| Override::new(*text)).collect();
    MODELS.builtin(name, &overrides).expect("admissible")
}

fn linearised(name: &str, set: &[&str]) -> Linearised {
    scenario(name, set).model.linearise().expect("a steady state")
}

fn refused(name: &str, set: &[&str]) -> String {
    scenario(name, set).model.linearise().expect_err("no steady state").to_string()
}

fn found(name: &str, set: &[&str], range: &str) -> Result<Found, StabilityFailure> {
    let find = vec![Interval::read(range, false).expect("a range")];
    let options = StabilityOptions { find, threads: 2, ..StabilityOptions::default() };
    studied(&MODELS, &scenario(name, set), &options, &mut |_| ()).map(|mut all| all.found.remove(0))
}

fn only(found: Found) -> f64 {
    assert_eq!(found.critical.len(), 1, "{found:?}");
    found.critical[0].value
}

fn close(found: f64, wanted: f64, relative: f64) {
    assert!((found - wanted).abs() <= relative * wanted.abs(), "{found} instead of {wanted}");
}

/// Roots of m λ² + c λ + k = 0 in the upper half-plane or on the axis.
fn quadratic(m: f64, c: f64, k: f64) -> Vec<[f64; 2]> {
    let (half, square) = (-0.5 * c / m, 0.25 * c * c / (m * m) - k / m);
    match square {
        s if s < 0.0 => vec![[half, (-s).sqrt()]],
        s => vec![[half + s.sqrt(), 0.0], [half - s.sqrt(), 0.0]],
    }
}

/// Each wanted root is there, and no other. (Which of two undamped ones comes first is up to rounding.)
fn assert_roots(found: &[Root], wanted: Vec<[f64; 2]>, tolerance: f64) {
    assert_eq!(found.len(), wanted.len(), "{found:?} {wanted:?}");
    for [real, frequency] in wanted {
        let distance = |root: &Root| (root.real - real).hypot(root.frequency - frequency);
        let nearest = found.iter().map(distance).fold(f64::INFINITY, f64::min);
        assert!(nearest <= tolerance * real.hypot(frequency), "{found:?}: not {real} {frequency}");
    }
}

/// c + N μ'(v) of belt-falling-friction.
fn damping(c: f64, load: f64, speed: f64) -> f64 {
    c - load * 0.2 / 0.1 * (-speed / 0.1).exp()
}

#[test]
fn a_block_on_a_belt_is_an_oscillator_with_the_slope_of_friction_for_damping() {
    for (c, load, speed) in
        [(10.0, 50.0, 0.15), (10.0, 50.0, 0.107), (0.0, 20.0, 0.4), (3.0, 200.0, 0.01), (900.0, 50.0, 0.3)]
    {
        let set =
            [format!("damper.1.damping={c}"), format!("pad.pad.load={load}"), format!("support.belt.speed={speed}")];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let system = linearised("belt-falling-friction", &set);
        assert_roots(&system.roots().expect("roots"), quadratic(1.0, damping(c, load, speed), 1e4), 1e-13);
        assert_eq!(system.names, ["x_block [m]", "vx_block [m/s]"]);
    }
    // Falling in the other direction is the same.
    let back = linearised("belt-falling-friction", &["support.belt.speed=-0.15"]);
    assert_eq!(back.matrix, linearised("belt-falling-friction", &[]).matrix);
}

#[test]
fn its_critical_speed_is_that_of_the_closed_form() {
    let critical = found("belt-falling-friction", &[], "support.belt.speed=0.05:1").expect("a border");
    close(only(critical.clone()), 0.1 * 10_f64.ln(), 1e-12);
    assert!(!critical.critical[0].unstable_above && critical.lost.is_empty());
    close(critical.critical[0].root.frequency, 100.0, 1e-9);
    // In km/h, and falling.
    let other = found("belt-falling-friction", &[], "support.belt.speed=3.6 km/h:0.36 km/h").expect("a border");
    close(only(other), 0.1 * 10_f64.ln(), 1e-12);
    let load = found("belt-falling-friction", &[], "pad.pad.load=1:100").expect("a border");
    close(only(load), 10.0 / (2.0 * (-1.5_f64).exp()), 1e-12);
}

#[test]
fn small_motions_of_a_run_grow_like_the_root() {
    for (set, until) in [(&[][..], 0.3), (&["support.belt.speed=0.3"][..], 0.3)] {
        let system = linearised("belt-falling-friction", set);
        let root = system.roots().expect("roots")[0];
        let speed: f64 = if set.is_empty() { 0.15 } else { 0.3 };
        let rest = (0.3 + 0.2 * (-speed / 0.1).exp()) * 50.0 / 1e4;
        let start = format!("body.block.x={}", rest + 1e-7);
        let all: Vec<&str> = set.iter().copied().chain([start.as_str()]).collect();
        let mut run = simulation(&scenario("belt-falling-friction", &all)).expect("built");
        // v − λ̄ x is the amplitude of the mode: it turns and grows by e^{λt}.
        let amplitude = |x: f64, v: f64| Complex::new(v - root.real * (x - rest), root.frequency * (x - rest));
        let before = amplitude(rest + 1e-7, 0.0);
        run.advance_to(until).expect("runs");
        let mut row = vec![0.0; run.columns().len()];
        run.row(&mut row);
        let value = |name: &str| row[run.columns().iter().position(|column| column.name == name).expect("a column")];
        let after = amplitude(value("x_block"), value("vx_block"));
        let grown = (after / before).norm().ln() / until;
        // Second order of the amplitude over the speed of the belt: 1e-5 · 20 of a growth.
        close(grown, root.real, 1e-3);
    }
}

/// λ² = −(tr K ± √((k11 − k22)² + 4 k12 k21))/2 of mode-coupling without damping.
fn coupled(mu: f64) -> Vec<[f64; 2]> {
    let (xx, yy, xy, contact) =
        (21_500.0, 22_500.0, 10_000.0 * 30_f64.to_radians().sin() * 30_f64.to_radians().cos(), 20_000.0);
    let discriminant: f64 = (xx - yy) * (xx - yy) + 4.0 * xy * (xy - mu * contact);
    let lambda = |sign: f64| {
        let root = Complex::new(discriminant, 0.0).sqrt();
        let square = -(Complex::new(xx + yy, 0.0) + root * sign) * 0.5;
        let lambda = square.sqrt();
        let lambda = if lambda.im < 0.0 { -lambda } else { lambda };
        [lambda.re, lambda.im]
    };
    vec![lambda(1.0), lambda(-1.0)]
}

#[test]
fn two_modes_flutter_where_the_closed_form_says() {
    let undamped = "damper.1.damping=0";
    for mu in [0.0, 0.1, 0.2, 0.25, 0.3, 0.9] {
        let system = linearised("mode-coupling", &[undamped, &format!("pad.pad.friction={mu}")]);
        assert_roots(&system.roots().expect("roots"), coupled(mu), 1e-10);
    }
    let xy: f64 = 10_000.0 * 3_f64.sqrt() / 4.0;
    let wanted = (xy * xy + 250_000.0) / (xy * 20_000.0);
    close(only(found("mode-coupling", &[undamped], "pad.pad.friction=0.1:0.5").expect("a border")), wanted, 1e-9);
    // Equal damping c of both: λ² + cλ + ω² = 0, so that growth of the undamped pair must exceed its share.
    let damped = only(found("mode-coupling", &[], "pad.pad.friction=0.1:0.5").expect("a border"));
    assert!(damped > wanted * 1.001, "{damped}");
    let none = found("mode-coupling", &[undamped, "support.belt.speed=1"], "pad.pad.friction=0.1:0.5");
    let whole = none.expect("the other way round it is stable").everywhere.expect("no critical value");
    assert!(
        !whole.unstable && whole.words.contains("nowhere unstable") && whole.words.contains("101 values"),
        "{whole:?}"
    );
}

/// A bar of 3 kg on a puller over rough ground, with a rider of 2 kg stuck on it.
const RIDER: &str = r#"
model = "assembly"
[[body]]
name = "bar"
mass = 3
speed = 0.5
[[body]]
name = "rider"
mass = 2
speed = 0.5
[[support]]
name = "puller"
speed = 0.5
[[spring]]
of = "bar"
against = "puller"
stiffness = 2000
[[pad]]
name = "ground"
of = "bar"
load = 49
friction = { static = 0.5, kinetic = 0.2, alpha = 2 }
[[pad]]
name = "seat"
of = "rider"
against = "bar"
load = 20
friction = 0.6
[run]
duration = 1
step = 1e-3
"#;

#[test]
fn what_sticks_moves_along_and_the_ground_may_be_pulled_over() {
    let read = |set: &[&str]| {
        let overrides: Vec<Override> = set.iter().map(|text| Override::new(*text)).collect();
        MODELS.parse("rider", RIDER, "", &overrides).expect("admissible").model.linearise()
    };
    let system = read(&[]).expect("steady");
    // One body of 5 kg; μ' = −0.3·α sech tanh at α v = 1.
    let slope = -0.3 * 2.0 / 1_f64.cosh() * 1_f64.tanh();
    assert_roots(&system.roots().expect("roots"), quadratic(5.0, 49.0 * slope, 2000.0), 1e-13);
    assert_eq!(system.state, "steady sliding: ground slips with 0.5 m/s, seat sticks");
    assert_eq!(system.positions, 1);
    // A force on the rider that the seat cannot hold.
    let said = read(&["force=[{on=\"rider\", x=13}]"]).expect_err("it slips").to_string();
    assert!(said.contains("`seat`") && said.contains("13 N and has 12 N"), "{said}");
    // A force that it can hold changes nothing but the stretch of the spring.
    let held = read(&["force=[{on=\"rider\", x=11}]"]).expect("it holds");
    assert_roots(&held.roots().expect("roots"), quadratic(5.0, 49.0 * slope, 2000.0), 1e-13);
}

#[test]
fn friction_in_the_plane_damps_across_the_slip() {
    let text = RIDER
        .replace("name = \"bar\"\nmass = 3", "name = \"bar\"\nmoves = \"xy\"\nmass = 3")
        .replace("of = \"bar\"\nload", "of = \"bar\"\nalong = \"xy\"\nload")
        .replace("against = \"puller\"\nstiffness = 2000", "against = \"puller\"\nalong = \"xy\"\nstiffness = 2000")
        .replace("[[body]]\nname = \"rider\"\nmass = 2\nspeed = 0.5\n", "");
    let text = format!(
        "{}[run]{}",
        text.split("[[pad]]\nname = \"seat\"").next().expect("a part"),
        "\nduration = 1\nstep = 1e-3\n"
    );
    let system = MODELS.parse("plane", &text, "", &[]).expect("admissible").model.linearise().expect("steady");
    let slope = -0.3 * 2.0 / 1_f64.cosh() * 1_f64.tanh();
    let mu = 0.2 + 0.3 / 1_f64.cosh();
    let wanted = [quadratic(3.0, 49.0 * slope, 2000.0), quadratic(3.0, 49.0 * mu / 0.5, 2000.0)].concat();
    assert_roots(&system.roots().expect("roots"), wanted, 1e-13);
}

#[test]
fn what_is_not_steady_is_refused_in_words() {
    for (name, set, words) in [
        ("two-mass", &[][..], "a force changes with time"),
        ("two-mass-vampire", &["force.1.x=1"][..], "is a spring element"),
        ("coulomb-oscillator", &["body.1.speed=0", "body.1.x=0"][..], "nothing slides"),
        ("friction-oscillator", &[][..], "changes"),
        ("towed-wheel-p1", &["towing.speed=0"][..], "stands"),
        ("wheel-sport-braking", &[][..], "has no steady sliding or rolling state"),
    ] {
        let Ok(scenario) = MODELS.builtin(name, &set.iter().map(|s| Override::new(*s)).collect::<Vec<_>>()) else {
            panic!("{name} {set:?} is not admissible");
        };
        let said = scenario.model.linearise().expect_err(name).to_string();
        assert!(said.contains(words), "{name}: {said}");
    }
    let corner = "pad.pad.friction={table=[[0,0.5],[0.15,0.4],[1,0.3]]}";
    assert!(refused("belt-falling-friction", &[corner]).contains("at a corner"));
    // Off the corner the slope of the table is the damping.
    let table = linearised("belt-falling-friction", &[corner, "support.belt.speed=0.1"]);
    assert_roots(&table.roots().expect("roots"), quadratic(1.0, 10.0 - 50.0 * 0.1 / 0.15, 1e4), 1e-13);
    assert!(matches!(scenario("carter", &[]).model.linearise(), Err(RunFailure::NotLinear("rolling-contact"))));
    assert_eq!(MODELS.linearised(), ["assembly", "towed-wheel", "squeal"]);
}

#[test]
fn rolling_straight_has_the_roots_of_the_cubic() {
    for name in ["towed-wheel-p1", "towed-wheel-p2", "towed-wheel-p3", "towed-wheel-chaos"] {
        let scenario = scenario(name, &[]);
        let parameters = *scenario.model.of::<towed_wheel::Parameters>().expect("a towed wheel");
        let wheel = towed_wheel::TowedWheel::new(parameters).expect("admissible");
        let [c2, c1, c0] = wheel.coefficients().cubic();
        let roots = scenario.model.linearise().expect("rolls").roots().expect("roots");
        for root in &roots {
            let x = Complex::new(root.real, root.frequency);
            let left = ((x + c2) * x + c1) * x + c0;
            assert!(left.norm() < 1e-12 * (x.norm().powi(3) + c0), "{name}: {x} {left}");
        }
        assert!((roots[0].real - wheel.coefficients().growth()).abs() < 1e-10, "{name}");
    }
    // 2 m_b L² = 3 m_w R², whatever the speed and the spring.
    for set in [&[][..], &["towing.speed=20", "bar.stiffness=1e3"][..]] {
        let critical = found("towed-wheel-p1", set, "bar.length=0.05:0.5").expect("a border");
        close(only(critical), 0.2 * (3.0_f64 * 10.0 / (2.0 * 8.0)).sqrt(), 1e-9);
    }
}

#[test]
fn numbers_put_in_are_those_of_set() {
    let base = scenario("belt-falling-friction", &[]);
    let varied = MODELS.varied(&base, &["support.belt.speed", "pad.pad.friction.static"]).expect("numbers");
    for (speed, mu) in [(0.1, 0.5), (1.0 / 3.0, 0.61), (-2e-3, 1e3)] {
        let set = [format!("support.belt.speed={speed:e}"), format!("pad.pad.friction.static={mu:e}")];
        let wanted = linearised("belt-falling-friction", &set.iter().map(String::as_str).collect::<Vec<_>>());
        let found = varied.at(&[speed, mu]).expect("admissible").linearise().expect("steady");
        assert_eq!(found, wanted);
    }
    let said = |keys: &[&str]| MODELS.varied(&base, keys).err().map(|fault| fault.message).unwrap_or_default();
    assert_eq!(said(&["pad.pad.friction"]), "`pad.pad.friction` is a table, and only a number can be varied");
    assert_eq!(said(&["run.scheme"]), "`run.scheme` is the word \"events\", and only a number can be varied");
    assert_eq!(said(&["pad"]), "`pad` is a list, and only a number can be varied");
    let unknown = MODELS.varied(&base, &["pad.pad.laod"]).expect("not known yet").at(&[1.0]);
    let unknown = unknown.expect_err("no such key").message;
    assert!(unknown.contains("laod") && unknown.contains("did you mean `load`"), "{unknown}");
}

#[test]
fn points_do_not_depend_on_the_number_of_threads() {
    let vary = ["pad.pad.load=5:100:23", "support.belt.speed=0.01:1:17:log"]
        .map(|text| Interval::read(text, true).expect("a range"));
    let at = |threads: usize| {
        let options = StabilityOptions { vary: vary.to_vec(), threads, ..StabilityOptions::default() };
        studied(&MODELS, &scenario("belt-falling-friction", &[]), &options, &mut |_| ()).expect("points").points
    };
    let one = at(1);
    assert_eq!(one, at(2));
    assert_eq!(one, at(7));
    assert_eq!(one.len(), 23 * 17);
    for point in one {
        let [load, speed] = point.values[..] else { panic!("two keys") };
        assert_eq!(unstable(&point.roots.expect("steady")) > 0, damping(10.0, load, speed) < 0.0, "{load} {speed}");
    }
}

/// Wheel on a contact with creep law and lag, or a point contact, from the table of modes.
struct Squeal {
    modes: Vec<[f64; 4]>,
}

const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/squeal/");

fn rows(file: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(format!("{REFERENCE}{file}")).expect("readable");
    // Words with commas are quoted; no other field has a comma.
    let cells = |line: &str| {
        let line = match line.strip_prefix('"').and_then(|rest| rest.split_once("\",")) {
            Some((word, rest)) => format!("{},{rest}", word.replace(',', ";")),
            None => line.to_string(),
        };
        line.split(',').map(String::from).collect::<Vec<String>>()
    };
    text.lines().skip(1).map(cells).collect()
}

fn value(cell: &str) -> f64 {
    cell.parse().expect("a number")
}

/// Which law of friction over the slip.
#[derive(Clone, Copy)]
enum Law {
    Constant(f64),
    /// The coefficients `fall`, times this.
    Fall(f64),
    Creep(f64),
}

impl Squeal {
    fn set(name: &str) -> Squeal {
        let of = rows("wheel-modes.csv").into_iter().filter(|row| row[0] == name);
        Squeal { modes: of.map(|row| [2, 3, 4, 5].map(|k| value(&row[k]))).collect() }
    }

    /// equations of docs/stability.md: V = 10 m/s, N0 = 42 kN, δ0 = 73.571 µm.
    fn at(&self, law: Law, s0: f64) -> Linearised {
        let (speed, load, stiffness, lag, kappa) = (10.0, 42e3, 1.5 * 42e3 / 73.571e-6, 4.25684e-3, 335.0);
        let n = self.modes.len();
        let fall = |scale: f64| {
            let e = 0.1 * (-speed * s0 / 0.15).exp();
            (scale * (0.25 + e), -scale * e / 0.15)
        };
        let creep = matches!(law, Law::Creep(_));
        let (mu, slope) = match law {
            Law::Constant(mu) => (mu, 0.0),
            Law::Fall(scale) => fall(scale),
            Law::Creep(scale) => {
                let ((mu, slope), t) = (fall(scale), (kappa * s0).tanh());
                (mu * t, speed * slope * t + mu * kappa * (1.0 - t * t))
            }
        };
        let mut a = Matrix::zeros(2 * n + usize::from(creep), 2 * n + usize::from(creep));
        for (i, [hz, zeta, y, z]) in self.modes.iter().copied().enumerate() {
            let omega = std::f64::consts::TAU * hz;
            a[(i, n + i)] = 1.0;
            for (j, [_, _, oy, oz]) in self.modes.iter().copied().enumerate() {
                let along = if creep { 0.0 } else { mu * y };
                a[(n + i, j)] = -stiffness * (z - along) * oz;
                a[(n + i, n + j)] = if creep { 0.0 } else { -load * slope * y * oy };
            }
            a[(n + i, i)] -= omega * omega;
            a[(n + i, n + i)] -= 2.0 * zeta * omega;
            if creep {
                a[(n + i, 2 * n)] = -y;
                a[(2 * n, i)] = -speed / lag * mu * stiffness * z;
                a[(2 * n, n + i)] = load * slope / lag * y;
                a[(2 * n, 2 * n)] = -speed / lag;
            }
        }
        let names = (0..a.rows()).map(|i| format!("x{i}")).collect();
        Linearised { names, positions: n, matrix: a, state: String::new() }
    }

    fn critical(&self, from: f64, to: f64, system: impl Fn(f64) -> Linearised) -> f64 {
        let lead =
            |x: f64| Ok::<_, String>(leading(&system(x).roots().map_err(|e| e.to_string())?, false).expect("roots"));
        let [lo, hi] = [from, to].map(|x| (x, lead(x).expect("roots")));
        border(lo, hi, lead).expect("a border").value
    }
}

#[test]
fn squealing_wheels_have_the_eigenvalues_of_the_table() {
    let mut checked = 0;
    for row in rows("eigenvalues.csv") {
        let (set, s0) = (Squeal::set(&row[0]), value(&row[3]));
        let law = match row[1].as_str() {
            "const" => Law::Constant(value(&row[2])),
            "fall" => Law::Fall(1.0),
            _ => Law::Creep(1.0),
        };
        let system = set.at(law, s0);
        let (real, hz) = (value(&row[4]), value(&row[5]));
        for roots in [system.roots(), system.modes().map(|modes| modes.into_iter().map(|mode| mode.root).collect())] {
            let roots = roots.expect("roots");
            let near =
                roots.iter().min_by(|a, b| (a.hertz() - hz).abs().total_cmp(&(b.hertz() - hz).abs())).expect("roots");
            // Ten digits are printed.
            close(near.hertz(), hz, 1e-9);
            close(near.real, real, 1e-8);
            assert_eq!(near.real > 0.0, row[6] == "1", "{row:?}");
        }
        checked += 1;
    }
    assert_eq!(checked, 89);
}

#[test]
fn squealing_wheels_have_the_thresholds_of_the_table() {
    let (one, pair, wheel) = (Squeal::set("one"), Squeal::set("pair"), Squeal::set("wheel"));
    // Flutter without damping leaves zero as a square root.
    let still = Squeal { modes: pair.modes.iter().map(|[hz, _, y, z]| [*hz, 0.0, *y, *z]).collect() };
    close(still.critical(0.1, 0.5, |mu| still.at(Law::Constant(mu), 0.01)), 0.250_471_727_608, 1e-9);
    close(still.critical(3.0, 4.0, |mu| still.at(Law::Constant(mu), 0.01)), 3.585_785_251_21, 1e-9);
    close(pair.critical(0.1, 0.5, |mu| pair.at(Law::Constant(mu), 0.01)), 0.229_555_096_129, 1e-9);
    close(one.critical(0.02, 0.2, |s0| one.at(Law::Fall(1.0), s0)), 0.074_123_259_717_3, 1e-9);
    close(wheel.critical(0.05, 0.2, |s0| wheel.at(Law::Fall(1.0), s0)), 0.083_051_266_42, 1e-9);
    close(wheel.critical(0.004, 0.01, |s0| wheel.at(Law::Creep(1.0), s0)), 0.006_425_862_731, 1e-9);
    close(one.critical(0.004, 0.01, |s0| one.at(Law::Creep(1.0), s0)), 0.007_076_594_616, 1e-9);
    close(one.critical(0.02, 0.05, |s0| one.at(Law::Creep(1.0), s0)), 0.038_942_003_44, 1e-9);
    for (times, mu) in [(2.0, 0.209_247_730_2), (6.0, 0.188_508_403_4), (21.0, 0.183_786_835_7)] {
        let mut more = Squeal::set("pair");
        more.modes[1][1] *= times;
        close(more.critical(0.1, 0.5, |mu| more.at(Law::Constant(mu), 0.01)), mu, 1e-9);
    }
}

#[test]
fn squealing_wheels_have_the_map_of_the_table() {
    let wheel = Squeal::set("wheel");
    for row in rows("stability-map-wheel-creep.csv") {
        let roots = wheel.at(Law::Creep(value(&row[0])), value(&row[1])).roots().expect("roots");
        // The real root of the lag decays faster than all modes.
        close(roots[0].real, value(&row[2]), 1e-8);
        close(roots[0].hertz(), value(&row[3]), 1e-9);
        assert_eq!(unstable(&roots).to_string(), row[4], "{row:?}");
    }
}

/// What the scenarios of the squealing wheel have is what the tables say, by way of the command's own library call.
#[test]
fn squeal_scenarios_have_the_thresholds_of_the_table() {
    let point = "contact={kind=\"point\", friction=0.35}";
    for (name, set, range, wanted) in [
        ("squeal-one-mode", &[][..], "wheel.creepage=0.02:0.2", &[0.074_123_259_717_3][..]),
        ("squeal-pair", &[], "contact.friction=0.1:0.5", &[0.229_555_096_129]),
        ("squeal-pair", &[point], "contact.friction=0.1:0.5", &[0.229_555_096_129]),
        (
            "squeal-pair",
            &[point, "wheel.modes.4L0.damping=0", "wheel.modes.R.damping=0"],
            "contact.friction=0.05:5:log",
            &[0.250_471_727_608, 3.585_785_251_21],
        ),
        ("squeal-wheel", &[], "wheel.creepage=0.002:0.05", &[0.006_425_862_731]),
        (
            "squeal-wheel",
            &["contact={kind=\"point\", friction={static=0.35, kinetic=0.25, speed=0.15}}"],
            "wheel.creepage=0.02:0.2",
            &[0.083_051_266_42],
        ),
        (
            "squeal-one-mode",
            &["contact={kind=\"creep\", friction={static=0.35, kinetic=0.25, speed=0.15}, slope=335, lag=4.25684e-3}"],
            "wheel.creepage=0.002:0.1",
            &[0.007_076_594_616, 0.038_942_003_44],
        ),
    ] {
        let found = found(name, set, range).unwrap_or_else(|failure| panic!("{name} {range}: {failure}"));
        assert_eq!(found.critical.len(), wanted.len(), "{name} {range}: {found:?}");
        found.critical.iter().zip(wanted).for_each(|(critical, wanted)| close(critical.value, *wanted, 1e-9));
    }
}

/// By the QR iteration of one real matrix, and by the iteration of the squealing wheel's own two-by-two determinant.
#[test]
fn squeal_scenarios_have_the_eigenvalues_of_another_method() {
    for name in ["squeal-one-mode", "squeal-pair", "squeal-wheel", "roughness-pass"] {
        let scenario = scenario(name, &[]);
        let parameters = scenario.model.of::<stickslip_models::squeal::Parameters>().expect("a wheel");
        let other = parameters.wheel.beside_the_modes().expect("found");
        let roots = scenario.model.linearise().expect("steady").roots().expect("roots");
        let wanted = other.iter().map(|value| [value.re, value.im.abs()]).collect();
        assert_roots(&roots, wanted, 1e-12);
    }
    let partly = refused("squeal-pair", &["wheel.creepage=0.005"]);
    assert!(partly.contains("a part of the contact patch sticks"), "{partly}");
}

/// Of four equal modes a point on constant friction stiffens one combination, by k φ_z·(φ_z − μφ_y); all have eigenvectors.
#[test]
fn equal_modes_have_eigenvectors() {
    let vertical = [0.03, -0.03, 0.03, 0.27];
    let mode = |k: usize, vertical: f64| {
        format!("{{ name = \"m{k}\", frequency = 2050, damping = 3e-4, lateral = 0.1, vertical = {vertical} }}")
    };
    let list: Vec<String> = vertical.iter().enumerate().map(|(k, vertical)| mode(k, *vertical)).collect();
    let modes = format!("wheel.modes=[{}]", list.join(", "));
    let point = "contact={ kind = \"point\", friction = 0.2 }";
    let mut found = linearised("squeal-pair", &[&modes, point]).modes().expect("eigenvectors");
    assert!(found.iter().all(|mode| mode.residual < 1e-12 && mode.condition < 1e3), "{found:?}");
    found.sort_by(|a, b| a.root.frequency.total_cmp(&b.root.frequency));
    let (omega, stiffness) = (std::f64::consts::TAU * 2050.0, 1.5 * 42e3 / 73.571e-6);
    let rate = 3e-4 * omega;
    let added = stiffness * vertical.iter().map(|z| z * (z - 0.2 * 0.1)).sum::<f64>();
    let squares = [omega * omega, omega * omega, omega * omega, omega * omega + added];
    for (mode, square) in found.iter().zip(squares) {
        close(mode.root.real, -rate, 1e-9);
        close(mode.root.frequency, (square - rate * rate).sqrt(), 1e-11);
    }
    assert_eq!(found.len(), 4);
}
