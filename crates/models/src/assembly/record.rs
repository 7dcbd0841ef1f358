//! What is recorded of an assembly.

use super::facts::rank_of;
use super::parts::{Buffer, Face};
use super::{Assembly, AssemblyState};
use stickslip_core::Name;
use stickslip_core::law::State;
use stickslip_core::record::{Column, Record, column_part};

/// Of assemblies with more pads the number of degrees of freedom is not recorded.
const MOST_PADS: usize = 64;

const AXES: [&str; 3] = ["x", "y", "yaw"];

fn column(name: String, unit: &'static str, meaning: String, integer: bool) -> Column {
    Column { name: Name::Owned(column_part(&name)), unit, meaning: Name::Owned(meaning), integer }
}

impl Assembly {
    /// Whether the number of degrees of freedom is recorded.
    fn counts_freedoms(&self) -> bool {
        self.parameters.pads.len() <= MOST_PADS
    }

    /// t; position and speed of each body; displacement, slip, friction and state of each pad; forces of stops;
    /// prescribed forces; totals.
    pub(super) fn make_columns(&self) -> Vec<Column> {
        let p = &self.parameters;
        let mut columns = vec![Column::real("t", "s", "time")];
        for body in &p.bodies {
            let name = &body.name;
            for (k, axis) in AXES.iter().take(body.freedom.dim()).enumerate() {
                let unit = if k == 2 { "rad" } else { "m" };
                columns.push(column(format!("{axis}_{name}"), unit, format!("{name}: {axis}"), false));
            }
            for (k, axis) in AXES.iter().take(body.freedom.dim()).enumerate() {
                let unit = if k == 2 { "rad/s" } else { "m/s" };
                columns.push(column(format!("v{axis}_{name}"), unit, format!("{name}: rate of {axis}"), false));
            }
        }
        for pad in &p.pads {
            let name = &pad.name;
            let axes: &[&str] = if pad.face == Face::Disk { &["x", "y"] } else { &[""] };
            let parts = [
                ("d", "m", "relative displacement"),
                ("s", "m/s", "slip"),
                ("f", "N", "friction, with the sign of the slip it resists"),
            ];
            for (short, unit, meaning) in parts {
                for axis in axes {
                    let along = if axis.is_empty() { String::new() } else { format!(" along {axis}") };
                    columns.push(column(
                        format!("{short}{axis}_{name}"),
                        unit,
                        format!("{name}: {meaning}{along}"),
                        false,
                    ));
                }
            }
            columns.push(column(format!("bound_{name}"), "N", format!("{name}: greatest friction"), false));
            if pad.face == Face::Disk {
                let meaning = format!("{name}: angle of the friction from x to y, 0 without friction");
                columns.push(column(format!("angle_{name}"), "rad", meaning, false));
                columns.push(column(format!("eps_{name}"), "1", format!("{name}: 0 sticks, 1 slips"), true));
            } else {
                let meaning = format!("{name}: sign of the slip, 0 sticks");
                columns.push(column(format!("eps_{name}"), "1", meaning, true));
            }
        }
        for stop in &p.stops {
            let meaning = format!("{}: force of the stop, positive beyond its positive side", stop.name);
            columns.push(column(format!("stop_{}", stop.name), "N", meaning, false));
        }
        for (k, force) in p.forces.iter().enumerate() {
            let (body, axis) = (&p.bodies[force.body].name, AXES[force.component.min(2)]);
            let unit = if force.component == 2 { "N m" } else { "N" };
            let number = p.force_number(k);
            let meaning = format!("prescribed force on {body} along {axis}");
            columns.push(column(format!("F{axis}_{body}{number}"), unit, meaning, false));
        }
        if self.counts_freedoms() {
            columns.push(Column::whole("freedoms", "degrees of freedom: coordinates less those that stuck pads take"));
        }
        columns.push(Column::real("energy", "J", "kinetic energy and energy of springs and stops"));
        columns.push(Column::real("work", "J", "work of forces and supports so far"));
        columns.push(Column::real("heat", "J", "energy dissipated in pads, walls and dampers so far"));
        columns
    }

    /// Where the columns of forces begin: the totals are behind them.
    pub(super) fn first_force_column(&self) -> usize {
        let totals = 3 + usize::from(self.counts_freedoms());
        self.columns.len().saturating_sub(totals + self.parameters.forces.len())
    }

    /// Degrees of freedom that stuck pads leave.
    pub fn freedoms(&self, u: &AssemblyState) -> usize {
        let net = &self.network;
        let stuck = net.contacts.iter().enumerate().scan(0, |k, (c, &contact)| {
            let at = *k..*k + net.contact_dims[c];
            *k = at.end;
            Some((contact, at))
        });
        let stuck =
            stuck.filter(|(contact, _)| *contact < self.parameters.pads.len() && u.modes[*contact] == State::Stick);
        net.n - rank_of(&net.rows, stuck.flat_map(|(_, at)| at))
    }

    /// Force of stop i now, positive beyond its positive side \[N\].
    fn force_of_stop(&self, stop: usize, u: &AssemblyState) -> f64 {
        match self.parameters.stops[stop].buffer {
            Buffer::Spring(_) => {
                let k = self.spring_stops.iter().position(|s| *s == stop).unwrap_or(0);
                self.stop_force(stop, u.stretch[self.tabled_springs.len() + k])
            }
            Buffer::Wall(_) => {
                let k = self.walls.iter().position(|s| *s == stop).unwrap_or(0);
                0.0 - u.force[self.network.pad_first[self.parameters.pads.len() + k]]
            }
        }
    }
}

/// How far a body may be beyond a wall, as a share of its clearance, without a word.
const DEEP: f64 = 0.1;

/// A force across its direction, as a share of it, that is rounding and no angle: it would make π jump to −π.
const NO_ANGLE: f64 = 1e-12;

impl Record for Assembly {
    fn doubts(&self, state: &AssemblyState) -> Vec<String> {
        let [depth, share] = state.beyond;
        let deep = share > DEEP;
        let text = || {
            format!(
                "a body was {depth:.2e} m beyond its wall at the end of a step, {:.0} % of the clearance: it moves too far \
                 in one step; take a smaller one",
                100.0 * share.min(1e6)
            )
        };
        let passed = state.passed.map(|passed| passed.words("what the friction of a pad over its place has"));
        deep.then(text).into_iter().chain(passed).collect()
    }

    fn is_planar(&self, contact: usize) -> bool {
        self.parameters.pads.get(contact).is_some_and(|pad| pad.face == Face::Disk)
    }

    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn row(&self, t: f64, u: &AssemblyState, out: &mut [f64]) {
        let p = &self.parameters;
        let mut cells = out.iter_mut();
        let mut put = |value: f64| {
            if let Some(cell) = cells.next() {
                *cell = value;
            }
        };
        put(t);
        for (i, body) in p.bodies.iter().enumerate() {
            let first = self.network.first[i];
            let at = first..first + body.freedom.dim();
            u.q[at.clone()].iter().chain(&u.v[at]).for_each(|v| put(*v));
        }
        for (i, pad) in p.pads.iter().enumerate() {
            let at = self.components(i);
            u.moved[at.clone()].iter().chain(&u.slip[at.clone()]).for_each(|v| put(*v));
            u.force[at.clone()].iter().for_each(|r| put(0.0 - r));
            put(u.bound[i]);
            if pad.face == Face::Disk {
                let (x, y) = (0.0 - u.force[at.start], 0.0 - u.force[at.start + 1]);
                let y = if y.abs() <= NO_ANGLE * x.abs() { 0.0 } else { y };
                put(y.atan2(x));
                put(f64::from(u8::from(matches!(u.modes[i], State::Slip(_)))));
            } else {
                put(f64::from(u.modes[i].sign()));
            }
        }
        (0..p.stops.len()).for_each(|i| put(self.force_of_stop(i, u)));
        p.forces.iter().for_each(|force| put(force.signal.at(t)));
        if self.counts_freedoms() {
            put(self.freedoms(u) as f64);
        }
        put(self.stored(u));
        put(u.work);
        put(u.dissipated.iter().sum::<f64>() + u.damped);
    }

    fn step_work(&self, u: &AssemblyState, steps: u64) -> f64 {
        let (n, contacts) = (self.network.n as f64, self.contacts.len() as f64);
        // Steps that need Newton's method or the general solver cost far more than others.
        let hard = (u.newton_steps() + u.general_steps()) as f64 / steps.max(1) as f64;
        10.0 + 2.0 * n + n * contacts / 8.0 + 10.0 * hard.min(1.0) * (n + contacts) * (n + contacts)
    }

    fn end(&self, u: &AssemblyState) -> Vec<(Name, f64)> {
        let mut row = vec![0.0; self.columns.len()];
        self.row(0.0, u, &mut row);
        // Positions and speeds of the bodies; the rest is in the trajectory.
        let count = 2 * self.network.n;
        self.columns[1..=count].iter().zip(&row[1..]).map(|(c, v)| (c.name.clone(), *v)).collect()
    }
}
