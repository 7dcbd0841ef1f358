//! A car driven by keys at 60 frames a second: what a game loop does with a simulation.
//!
//! Here a list stands for the keyboard. Each frame the pedals are set as the keys say, the simulation goes on by a sixtieth of
//! a second, and what a picture would show is printed ten times a second: speed, place, what each wheel does. At the end the
//! car stands still, exactly.
//!
//! ```sh
//! cargo run --release -p stickslip --example drive_by_keys
//! ```

#![allow(clippy::print_stdout, reason = "an example prints what it does")]

use std::error::Error;

use stickslip::core::law::State;
use stickslip::prelude::*;

/// A small car at rest on a dry road, by implicit steps of a millisecond.
const CAR: &str = r#"
model = "vehicle"
[vehicle]
mass = "1200 kg"
[road]
friction = 0.8
[[wheel]]
name = "front"
radius = "0.3 m"
inertia = "2.4 kg m^2"
load = 0.6
[[wheel]]
name = "rear"
radius = "0.3 m"
inertia = "2.4 kg m^2"
load = 0.4
[initial]
speed = 0
[run]
duration = "10 s"
step = "1 ms"
"#;

/// Keys held down from one frame to another: throttle (torque on the front wheels, forward is negative) and brake.
const KEYS: [(std::ops::Range<u32>, &str); 3] = [(30..240, "throttle"), (300..330, "brake"), (360..600, "brake")];

fn main() -> Result<(), Box<dyn Error>> {
    let scenario = MODELS.parse("car", CAR, "", &[])?;
    let mut car = simulation(&scenario)?;
    let (speed, way) = (car.place("x1")?, car.place("x")?);
    let mut row = vec![0.0; car.columns().len()];
    let mut states = vec![State::Open; car.contacts().len()];
    for frame in 0..600 {
        let pressed = |key: &str| KEYS.iter().any(|(frames, which)| *which == key && frames.contains(&frame));
        let held = |on: bool, torque: f64| Signal::Constant(if on { torque } else { 0.0 });
        car.set_input("wheel.front.motor", held(pressed("throttle"), -900.0))?;
        car.set_input("wheel.front.brake", held(pressed("brake"), 1500.0))?;
        car.set_input("wheel.rear.brake", held(pressed("brake"), 700.0))?;
        car.advance_to(f64::from(frame + 1) / 60.0)?;
        for event in car.take_events() {
            let name = &car.contacts()[event.contact];
            println!("{:7.3} s   {name}: {} to {}", event.t, event.from.name(), event.to.name());
        }
        if frame % 60 == 59 {
            car.row(&mut row);
            car.contact_states(&mut states);
            let says: Vec<String> =
                car.contacts().iter().zip(&states).map(|(c, s)| format!("{c} {}", s.name())).collect();
            println!("{:7.3} s   {:6.3} m/s   {:7.3} m   {}", car.time(), row[speed], row[way], says.join(", "));
        }
    }
    car.row(&mut row);
    assert!(row[speed] == 0.0, "the car stands, exactly: {} m/s", row[speed]);
    println!("energy closes to {:.1e}", car.ledger().closure());
    Ok(())
}
