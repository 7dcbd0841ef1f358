//! The rolling contact as everything else knows it.

use stickslip_contact::case::{Case, Cost, Outline};
use stickslip_run::text::{number, number_to, seconds};
use stickslip_run::{Finished, Job, Kind, Measure, Model, RunFailure, TimeModel};
use stickslip_scenario::{Builtin, Format, Run, Tables, builtin};

use super::file::RollingContactTables;
use super::table::Layout;
use super::{claims, once, solve};

/// What makes rolling contacts known.
pub const KIND: Kind = Kind { format: Format::of::<RollingContactTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!("carter", "Two cylinders roll with creepage: stick at the front, slip behind, as Carter found"),
    builtin!("cattaneo", "Two balls are pushed sideways at rest: the middle sticks, a ring slips"),
    builtin!("cattaneo-to-carter", "Pushed, then rolled: the ring of slip turns into a sickle at the back"),
    builtin!("carter-fe", "Carter's cylinders made of finite elements"),
    builtin!(
        "creepage-step-fe",
        "Discs of finite elements begin to roll with a creepage: thirty half-lengths to steady rolling"
    ),
    builtin!("cylinders-fe-42kn", "Two crowned wheels of finite elements under 42 kN creep sideways"),
    builtin!("wheel-on-block-fe", "A steel wheel on an aluminium block: unlike bodies of finite elements"),
    builtin!("creep-table", "The exact creep-force table of all wheel and rail contacts, for `stickslip table`"),
    builtin!("creep-42kn", "A wheel on a roller rig under 42 kN with creepage: tractions, stick and slip"),
];

/// Solutions that take longer than this are announced \[s\].
const LONG: f64 = 2.0;

/// Two elastic bodies that roll over each other; solved once, not in time. Beside the case stands what `[table]` asks for.
#[derive(Debug, Clone)]
pub struct RollingContact(pub Case, pub Layout);

impl Model for RollingContact {
    fn name(&self) -> &'static str {
        RollingContactTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let (material, outline, grid) = (
            self.0.material(),
            self.0.outline().map_err(RunFailure::model)?,
            self.0.grid().map_err(RunFailure::model)?,
        );
        let mut lines = vec![
            "pressure   0 <= p, g = h + W p - delta >= 0, p g = 0".to_string(),
            "tractions  s = K r + b,  -s in N_C(r),  C = disks of radius mu p; see docs/rolling.md".to_string(),
            format!(
                "combined   G = {} Pa, nu = {}, difference {}",
                number(material.shear_modulus()),
                number(material.poisson()),
                number(material.difference())
            ),
        ];
        lines.push(match outline {
            Outline::Ellipse(e) => format!(
                "Hertz      a = {} m, b = {} m, p0 = {} Pa, approach {} m, load {} N",
                number(e.a),
                number(e.b),
                number(e.p0),
                number(e.approach),
                number(e.load)
            ),
            Outline::Strip(s) => {
                format!("Hertz      a = {} m, p0 = {} Pa, load {} N/m", number(s.a), number(s.p0), number(s.load))
            }
        });
        lines.push(format!("grid       {} x {} elements, {} m long", grid.nx(), grid.ny(), number(grid.dx())));
        Ok(lines)
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Err(RunFailure::Timeless)
    }

    fn prepare(&self) -> Result<(), RunFailure> {
        self.0.press().map(|_| ()).map_err(RunFailure::model)
    }

    fn run(&self, job: Job<'_>) -> Result<Finished, RunFailure> {
        solve(&self.0, job)
    }

    fn solve_once(&self) -> Result<Vec<Measure>, RunFailure> {
        let outcome = self.0.solve(&mut |_| ()).map_err(RunFailure::model)?;
        Ok(once::outputs(&self.0, &outcome))
    }

    fn takes_long(&self, _: &Run) -> Option<String> {
        let Cost { elements: [along, across], bytes, seconds: time } = self.0.cost().ok()?;
        let (memory, told) = (number_to(1e-6 * bytes, 2), seconds(time));
        (time > LONG).then(|| format!("{along} × {across} elements: about {memory} MB and {told} for one solution"))
    }

    fn no_check(&self) -> Option<(&'static str, &'static str)> {
        Some((
            "--half-step compares steps of time, and a rolling contact has none",
            "leave it out; try --set grid.along=88 --set grid.across=88 to see what the grid does",
        ))
    }
}
