//! An assembly as a scenario file.

use std::fmt::Write;

use super::{Along, Assembly, Beyond, Fixture, Friction, Link, Motion};

impl Assembly {
    /// The text of the scenario file, run by this scheme.
    pub fn toml(&self, scheme: &str) -> String {
        let mut text = String::from("model = \"assembly\"\n");
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        let _ =
            write!(text, "\n[run]\nduration = {:?}\nstep = {:?}\nscheme = \"{scheme}\"\n", self.duration, self.step);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        for (i, body) in self.bodies.iter().enumerate() {
            writeln!(out, "\n[[body]]\nname = \"b{i}\"\nmass = {:?}", body.mass)?;
            match body.inertia {
                Some(inertia) => writeln!(out, "inertia = {inertia:?}")?,
                None if body.plane => writeln!(out, "moves = \"xy\"")?,
                None => {}
            }
            let places = ["x", "y", "yaw"].iter().zip(body.place);
            let speeds = ["speed", "speed_y", "yaw_rate"].iter().zip(body.speed);
            for (key, value) in places.chain(speeds).filter(|(_, value)| *value != 0.0) {
                writeln!(out, "{key} = {value:?}")?;
            }
        }
        for (i, support) in self.supports.iter().enumerate() {
            writeln!(out, "\n[[support]]\nname = \"s{i}\"")?;
            for (motion, end) in support.motion.iter().zip(["", "_y"]) {
                match motion {
                    Motion::Still => {}
                    Motion::Speed(signal) => writeln!(out, "speed{end} = {}", signal.toml())?,
                    Motion::Position(signal) => writeln!(out, "position{end} = {}", signal.toml())?,
                }
            }
        }
        for (i, spring) in self.springs.iter().enumerate() {
            writeln!(out, "\n[[spring]]\nname = \"k{i}\"\nstiffness = {:?}", spring.stiffness)?;
            if spring.preload != 0.0 {
                writeln!(out, "preload = {:?}", spring.preload)?;
            }
            link(out, &spring.link)?;
        }
        for damper in &self.dampers {
            writeln!(out, "\n[[damper]]\ndamping = {:?}", damper.damping)?;
            link(out, &damper.link)?;
        }
        for (i, stop) in self.stops.iter().enumerate() {
            writeln!(out, "\n[[stop]]\nname = \"w{i}\"\nclearance = {:?}", stop.clearance)?;
            match stop.beyond {
                Beyond::Spring(stiffness) => writeln!(out, "stiffness = {stiffness:?}")?,
                Beyond::Wall(restitution) => writeln!(out, "restitution = {restitution:?}")?,
            }
            link(out, &stop.link)?;
        }
        self.write_pads(out)?;
        for force in &self.forces {
            let key = ["x", "y", "yaw"][force.axis];
            writeln!(out, "\n[[force]]\non = \"b{}\"\n{key} = {}", force.on, force.signal.toml())?;
        }
        Ok(())
    }

    fn write_pads(&self, out: &mut String) -> std::fmt::Result {
        for (i, pad) in self.pads.iter().enumerate() {
            writeln!(out, "\n[[pad]]\nname = \"p{i}\"\nload = {}", pad.load.toml())?;
            writeln!(out, "friction = {}", friction(&pad.friction))?;
            if let Some(spring) = pad.pressed_by {
                writeln!(out, "pressed_by = \"k{spring}\"")?;
            }
            if let Some(factor) = &pad.over_time {
                writeln!(out, "friction_over_time = {}", factor.toml())?;
            }
            if let Some(points) = &pad.over_place {
                writeln!(out, "friction_over_place = {}", pairs(points))?;
            }
            if pad.viscous != 0.0 {
                writeln!(out, "viscous = {:?}", pad.viscous)?;
            }
            link(out, &pad.link)?;
        }
        Ok(())
    }
}

fn link(out: &mut String, link: &Link) -> std::fmt::Result {
    writeln!(out, "of = \"b{}\"", link.of)?;
    if link.at != [0.0; 2] {
        writeln!(out, "of_at = [{:?}, {:?}]", link.at[0], link.at[1])?;
    }
    match link.against {
        Fixture::Body(i) => writeln!(out, "against = \"b{i}\"")?,
        Fixture::Support(i) => writeln!(out, "against = \"s{i}\"")?,
        Fixture::Ground => {}
    }
    match link.along {
        Along::X => Ok(()),
        Along::Y => writeln!(out, "along = \"y\""),
        Along::Xy => writeln!(out, "along = \"xy\""),
    }
}

fn pairs(points: &[(f64, f64)]) -> String {
    let list: Vec<String> = points.iter().map(|(x, y)| format!("[{x:?}, {y:?}]")).collect();
    format!("[{}]", list.join(", "))
}

fn friction(friction: &Friction) -> String {
    match friction {
        Friction::Constant(mu) => format!("{mu:?}"),
        Friction::StaticKinetic(rest, slip) => format!("{{ static = {rest:?}, kinetic = {slip:?} }}"),
        Friction::Stribeck(rest, slip, speed, exponent) => {
            format!("{{ static = {rest:?}, kinetic = {slip:?}, speed = {speed:?}, exponent = {exponent:?} }}")
        }
        Friction::Sech(rest, slip, alpha) => format!("{{ static = {rest:?}, kinetic = {slip:?}, alpha = {alpha:?} }}"),
        Friction::Table(points) => format!("{{ table = {} }}", pairs(points)),
    }
}
