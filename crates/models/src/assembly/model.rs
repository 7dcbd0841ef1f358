//! The assembly as everything else knows it.

use stickslip_core::Name;
use stickslip_core::analysis::stability::Linearised;
use stickslip_core::mechanics::{Judged, System};
use stickslip_core::simulation::{Simulation, SimulationError};
use stickslip_run::view::{PoincareSection, View, recurrence};
use stickslip_run::{Beside, Gauge, Kind, Model, Part, RunFailure, Summary, TimeModel, Trace, by_any_scheme};
use stickslip_scenario::{Builtin, Format, Scheme, Tables, Theta, builtin};

use super::contrast::Contrast;
use super::file::AssemblyTables;
use super::{Assembly, Parameters, charts, claims, explain, measures};

/// What makes the assembly known.
pub const KIND: Kind = Kind { format: Format::of::<AssemblyTables>(BUILTINS), claims: claims::CHAPTERS };

const BUILTINS: &[Builtin] = &[
    builtin!("friction-oscillator", "A driven oscillator with friction that depends on the place: chaos"),
    builtin!("two-mass", "Two masses with dry friction between them, one shaken"),
    builtin!("two-mass-vampire", "The same with the Vampire friction element, and its noise"),
    builtin!("two-mass-kolsch", "The same with the Kolsch (ADAMS/Rail) friction element"),
    builtin!("bogie-case-1", "Wagon bogie shaken lengthwise: slip, stops, stick"),
    builtin!("bogie-case-1b", "Wagon bogie shaken gently: stuck"),
    builtin!("bogie-case-2", "Wagon bogie shaken both ways, gently: stuck at 90 % of the limit"),
    builtin!("bogie-case-2q", "The same in quadrature"),
    builtin!("bogie-case-2b", "Wagon bogie shaken both ways, hard: slip in the plane"),
    builtin!("bogie-front-only", "Wagon bogie, front wheelset shaken alone: slip with yaw"),
    builtin!("bogie-antiphase", "Wagon bogie, wheelsets shaken against each other"),
    builtin!("bogie-shared-load", "Wagon bogie, 10 kN shared by four pads: it slips"),
    builtin!("bogie-heavy-load", "Wagon bogie, 10 kN on every pad"),
    builtin!("block-on-belt", "A block on a belt sticks and slips for ever"),
    builtin!("belt-basins", "Starts of a block on a belt that end in sliding, and those that end in stick-slip"),
    builtin!("belt-falling-friction", "A block on a belt whose friction falls with the slip: small motions grow"),
    builtin!("mode-coupling", "Flutter with constant friction: a load that depends on the motion couples two modes"),
    builtin!("coulomb-oscillator", "A free oscillator comes to rest away from the middle"),
    builtin!("mass-on-stop", "A mass on a spring meets a hard stop: an inelastic shock without a coefficient"),
    builtin!("den-hartog", "A shaken oscillator with dry friction: Den Hartog's amplitude"),
];

impl Model for Parameters {
    fn name(&self) -> &'static str {
        AssemblyTables::MODEL
    }

    fn explain(&self) -> Result<Vec<String>, RunFailure> {
        let assembly = Assembly::new(self.clone()).map_err(RunFailure::model)?;
        Ok([explain::parts(self), explain::facts(&assembly)].concat())
    }

    fn in_time(&self) -> Result<Box<dyn TimeModel>, RunFailure> {
        Ok(Box::new(Assembly::new(self.clone()).map_err(RunFailure::model)?))
    }

    fn linearise(&self) -> Result<Linearised, RunFailure> {
        let assembly = Assembly::new(self.clone()).map_err(RunFailure::model)?;
        assembly.linearised().map_err(RunFailure::model)
    }
}

impl TimeModel for Assembly {
    fn simulation(&self, scheme: Scheme, h: f64) -> Result<Box<dyn Simulation>, SimulationError> {
        by_any_scheme(self, scheme, h)
    }

    /// How far the plain θ-method throws a wall's blow back hangs on where in a step it falls, and half a step may fall alike: its bounce
    /// is held against walls judged in the shifted configuration.
    fn beside(&self, scheme: Scheme, h: f64) -> Option<Beside> {
        let Scheme::Theta(plain @ Theta { judged: Judged::End, .. }) = scheme else { return None };
        let shifted = Scheme::Theta(Theta { judged: Judged::Shifted, ..plain });
        let run = by_any_scheme(self, shifted, h);
        Some(Beside { name: "shifted", does: "judges walls in the shifted configuration", run })
    }

    fn gauge(&self) -> Option<Box<dyn Gauge + '_>> {
        Some(measures::gauge(self))
    }

    /// Walls close and open; they stand behind the pads.
    fn parts(&self) -> Vec<Part> {
        let pads = self.parameters().pads.len();
        if self.contacts().len() == pads {
            return Vec::new();
        }
        let part = |(k, name): (usize, &Name)| if k < pads { Part::contact(name, k) } else { Part::wall(name, k) };
        self.contacts().iter().enumerate().map(part).collect()
    }

    /// A stop has no friction that could stick.
    fn stuck_means(&self) -> Option<&'static str> {
        let p = self.parameters();
        (p.pads.is_empty() && !p.stops.is_empty()).then_some("of a stop: share of the time that it is closed")
    }

    fn draw(&self, trace: &Trace, summary: &Summary) -> Result<View, RunFailure> {
        let mut view = charts::assembly(self, trace, summary);
        if let Some(contrast) = Contrast::new(self, summary) {
            let (section, figure) = contrast.section(self, trace, summary);
            let json = serde_json::to_value(&contrast).map_err(|error| RunFailure::Simulation(error.to_string()))?;
            view.more.insert("contrast", json);
            view.lines.push(contrast.words());
            view.sections.insert(0, section);
            view.figures.push(("contrast", figure));
        }
        Ok(view)
    }

    fn recurrence(&self, section: &PoincareSection, trace: &Trace, view: &mut View) {
        recurrence(self, section, trace, view);
    }
}
