//! Brake discs of vehicles that warm and fade, against ten stops by two codes (reference/loads).

#![allow(clippy::unwrap_used, reason = "tests")]

use stickslip_core::mechanics::Dissipation;
use stickslip_core::simulation::Simulation;
use stickslip_loads::heat::{Disc, DiscData};
use stickslip_models::MODELS;
use stickslip_run::simulation;

fn run(changes: &[&str]) -> Box<dyn Simulation> {
    let changes: Vec<_> = changes.iter().map(|change| (*change).into()).collect();
    simulation(&MODELS.builtin("ten-stops-hot-brake", &changes).unwrap()).unwrap()
}

fn column(run: &dyn Simulation, name: &str) -> f64 {
    let mut row = vec![0.0; run.columns().len()];
    run.row(&mut row);
    row[run.columns().iter().position(|column| column.name == name).unwrap()]
}

/// stop, time_to_stop, distance, T_peak, T_at_stop, T_before_next, c_at_stop, heat.
fn stops() -> Vec<Vec<f64>> {
    let table = include_str!("../../../reference/loads/brake-heat-ten-stops.csv");
    table.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect()
}

/// What the brake has dissipated.
fn brake(run: &dyn Simulation) -> f64 {
    run.ledger().dissipated.iter().find(|Dissipation { contact, .. }| contact == "wheel brake").unwrap().energy
}

#[test]
fn ten_stops_are_those_of_the_reference() {
    let mut run = run(&[]);
    let mut start = 0.0;
    for (k, row) in stops().iter().enumerate() {
        let begin = 30.0 * k as f64;
        // The hottest moment comes before the stop: between instants 0.5 ms apart T is off by 2e-7 K at the most.
        let times = (1..=2000).map(|k| begin + row[1] - 1.0 + 5e-4 * f64::from(k));
        let peak = times.fold(0.0_f64, |peak, t| {
            run.advance_to(t).unwrap();
            peak.max(column(&*run, "T_wheel"))
        });
        assert!((peak - row[3]).abs() < 1e-6, "stop {}: {peak}", k + 1);
        run.advance_to(begin + row[1]).unwrap();
        assert!((column(&*run, "x") - start - row[2]).abs() < 1e-6, "stop {}: {}", k + 1, column(&*run, "x") - start);
        assert!((column(&*run, "T_wheel") - row[4]).abs() < 1e-6, "stop {}: {}", k + 1, column(&*run, "T_wheel"));
        run.advance_to(begin + row[1] + 1e-6).unwrap();
        assert_eq!(column(&*run, "x1"), 0.0);
        run.advance_to(begin + 30.0).unwrap();
        assert!((column(&*run, "T_wheel") - row[5]).abs() < 1e-6);
        assert!((column(&*run, "x1") - 40.0).abs() < 1e-9);
        start = column(&*run, "x");
        assert!((brake(&*run) - 330_666.666_667 * (k as f64 + 1.0)).abs() < 1e-2);
    }
    // In the disc, in the air: all that the brake has dissipated.
    let heat = 7.0 * 460.0 * (column(&*run, "T_wheel") - 20.0) + column(&*run, "heat_cooled");
    assert!((heat / brake(&*run) - 1.0).abs() < 1e-9, "{heat}");
    assert!(run.ledger().closure() < 1e-11);
}

#[test]
fn the_first_stop_has_a_closed_form() {
    let fade = vec![(20.0, 1.0), (250.0, 1.0), (650.0, 0.55)];
    let data = DiscData { mass: 7.0, specific_heat: 460.0, cooling: 25.0, ambient: 20.0, share: 1.0, fade };
    let disc = Disc::new(&data).unwrap();
    let mut run = run(&[]);
    for t in [1.0, 3.0, 5.5] {
        run.advance_to(t).unwrap();
        let expected = 20.0 + disc.braking_from_cold(3000.0, 40.0, 3000.0 / (400.0 + 1.2 / 0.09), t);
        assert!((column(&*run, "T_wheel") - expected).abs() < 1e-9);
    }
}

#[test]
fn steps_converge_with_order_one_and_close_the_books_of_heat() {
    let last = stops().pop().unwrap()[5];
    let error = |step: &str| {
        let mut run =
            run(&["run.scheme=\"implicit-euler\"", &format!("run.step=\"{step}\""), "wheel.wheel.disc.share=0.8"]);
        run.advance_to(300.0).unwrap();
        let heat = 7.0 * 460.0 * (column(&*run, "T_wheel") - 20.0) + column(&*run, "heat_cooled");
        assert!((heat / (0.8 * brake(&*run)) - 1.0).abs() < 1e-9, "a share of the heat enters the disc");
        let mut whole = self::run(&["run.scheme=\"implicit-euler\"", &format!("run.step=\"{step}\"")]);
        whole.advance_to(300.0).unwrap();
        (column(&*whole, "T_wheel") - last).abs()
    };
    let (coarse, fine) = (error("20 ms"), error("10 ms"));
    assert!(fine < 1.0 && ((coarse / fine).log2() - 1.0).abs() < 0.1, "{coarse} {fine}");
}

#[test]
fn a_run_with_a_warm_brake_is_saved() {
    for changes in [&[][..], &["run.scheme=\"implicit-euler\""]] {
        let (mut whole, mut cut) = (run(changes), run(changes));
        whole.advance_to(70.0).unwrap();
        cut.advance_to(33.3).unwrap();
        let saved = cut.save().unwrap();
        let mut other = run(changes);
        other.restore(&saved).unwrap();
        other.advance_to(70.0).unwrap();
        assert_eq!(column(&*whole, "T_wheel").to_bits(), column(&*other, "T_wheel").to_bits());
    }
}

/// A disc is hottest before the vehicle stands: however coarse the rows are, that moment is found.
#[test]
fn the_peak_is_that_of_the_run_and_not_of_its_rows() {
    let expected = stops().pop().unwrap()[3];
    let peak = |changes: &[&str]| {
        let changes: Vec<_> = changes.iter().map(|change| (*change).into()).collect();
        let scenario = MODELS.builtin("ten-stops-hot-brake", &changes).unwrap();
        stickslip_run::measure(&scenario).unwrap().value("peak_temperature").unwrap()
    };
    for step in ["run.step=0.1", "run.step=3", "run.step=30"] {
        assert!((peak(&[step]) - expected).abs() < 1e-6, "{step}: {} {expected}", peak(&[step]));
    }
    // By steps it is that of all of them, also of those that are not recorded.
    let steps = ["run.scheme=implicit-euler", "run.step=0.01"];
    let all = peak(&steps);
    assert_eq!(peak(&[steps[0], steps[1], "output.every=400"]), all);
    assert!((all - expected).abs() < 1.0, "{all}");
}
