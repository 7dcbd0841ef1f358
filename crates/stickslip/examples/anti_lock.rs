//! A small controller in the loop: a brake that lets go when the wheel locks and comes back when it rolls.
//!
//! Every 5 ms the controller looks at the slip ratio of the wheel and sets the brake torque; in between the simulation goes
//! on from event to event, exactly. Without the controller the wheel locks and slides to rest; where friction falls with slip,
//! it stops later than with it.
//!
//! ```sh
//! cargo run --release -p stickslip --example anti_lock
//! ```

#![allow(clippy::print_stdout, reason = "an example prints what it does")]

use std::error::Error;

use stickslip::prelude::*;

/// One wheel with the load of a quarter car; friction falls from 1 at rest to 0.6 in fast slip.
const WHEEL: &str = r#"
model = "wheel"
[wheel]
mass = "400 kg"
inertia = "1.2 kg m^2"
radius = "0.3 m"
[ground]
friction = 0.9
over_slip = { static = 1.0, kinetic = 0.6, speed = "2 m/s" }
[brake]
torque = "2000 N m"
[initial]
speed = "20 m/s"
[run]
duration = "8 s"
step = "1 ms"
scheme = "events"
"#;

/// Time between two looks of the controller \[s\].
const SAMPLE: f64 = 5e-3;

/// The wheel at rest: when, and after which way; `control` turns a slip ratio into a brake torque.
fn stop(control: impl Fn(f64) -> f64) -> Result<(f64, f64, usize), Box<dyn Error>> {
    let scenario = MODELS.parse("wheel", WHEEL, "", &[])?;
    let mut wheel: Box<dyn Simulation> = simulation(&scenario)?;
    let (x1, x2, x) = (wheel.place("x1")?, wheel.place("x2")?, wheel.place("x")?);
    let mut row = vec![0.0; wheel.columns().len()];
    let mut locked = 0;
    for k in 1..=1600 {
        wheel.advance_to(f64::from(k) * SAMPLE)?;
        wheel.row(&mut row);
        if row[x1] == 0.0 {
            return Ok((wheel.time(), row[x], locked));
        }
        // 0 rolls, 1 is locked.
        let slip = (row[x1] + row[x2]) / row[x1];
        locked += usize::from(row[x2] == 0.0);
        wheel.set_input("brake.torque", Signal::Constant(control(slip)))?;
    }
    Ok((f64::NAN, row[x], locked))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (time, way, locked) = stop(|_| 2000.0)?;
    println!("brake held:      rest after {time:.3} s and {way:.2} m, locked in {locked} looks");
    let (assisted, shorter, still_locked) = stop(|slip| if slip > 0.1 { 500.0 } else { 1300.0 })?;
    println!("with controller: rest after {assisted:.3} s and {shorter:.2} m, locked in {still_locked} looks");
    assert!(shorter < way, "the controller stops the wheel earlier");
    Ok(())
}
