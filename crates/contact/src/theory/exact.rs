//! The exact theory on the half-space, as one theory among the others.

use super::{Theory, TheoryError, finite};
use crate::elliptic::rd;
use crate::error::Error;
use crate::grid::Grid;
use crate::normal::{self, Contact, Load, Undeformed};
use crate::patch::{Creepage, Forces, Patch};
use crate::progress::{Watch, unwatched};
use crate::tangential::{Motion, Settings, Steady};

/// The grid covers this many times the half-axes of the ellipse.
const ROOM: f64 = 1.1;

/// Pressure and tractions on n × n elements over 1.1 times the ellipse, by [`crate::tangential::Steady`].
///
/// The pressure is solved for on the same grid, from the curvatures that belong to a, b and N:
///
/// ```text
/// 1/A = 2p₀ab/(3E*) R_D(0, b², a²),   1/B likewise with a and b exchanged,   p₀ = 3N/(2πab)
/// ```
///
/// Tractions are proportional to μ if creepages over μ stay the same, so a friction that falls with slip needs nothing
/// prepared anew. What one patch needs is kept until another one comes; each call begins from the tractions of the
/// last ones.
pub struct Exact {
    elements: usize,
    settings: Settings,
    prepared: Option<Prepared>,
}

struct Prepared {
    patch: Patch,
    /// With the greatest coefficient of friction.
    steady: Steady,
}

impl Exact {
    /// n × n elements, the default transport, residual 1e-8.
    pub fn new(n: usize) -> Result<Exact, Error> {
        Exact::with_settings(n, Settings::default())
    }

    /// n × n elements with other settings.
    pub fn with_settings(n: usize, settings: Settings) -> Result<Exact, Error> {
        // The grid of a unit ellipse is refused for the same n as any other.
        Grid::centred(n, n, 1.0, 1.0)?;
        Ok(Exact { elements: n, settings, prepared: None })
    }

    /// The grid on which a patch is solved.
    pub fn grid(&self, patch: &Patch) -> Result<Grid, Error> {
        Grid::centred(self.elements, self.elements, ROOM * patch.a(), ROOM * patch.b())
    }

    /// Makes the next call begin from nothing: its result is then the same whatever was solved before.
    pub fn begin(&mut self) {
        if let Some(prepared) = &mut self.prepared {
            prepared.steady.forget();
        }
    }

    /// Forces if all of the contact slides as rigid bodies would: what any theory with a bound tends to as creepages grow in proportion. On
    /// the same elements as the rest, and for any spin.
    pub fn sliding(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        let Creepage { xi, eta, phi } = finite(creepage)?;
        let share = patch.friction().at(creepage) / patch.friction().greatest();
        let ([fx, fy], mz) = self.prepare(patch, &mut unwatched)?.sliding([xi, eta, phi]);
        Ok(Forces { fx: share * fx, fy: share * fy, mz: Some(share * mz), stick: Some(0.0) })
    }

    fn prepare(&mut self, patch: &Patch, watch: Watch) -> Result<&mut Steady, Error> {
        let ready = self.prepared.take().filter(|known| known.patch == *patch);
        let prepared = match ready {
            Some(prepared) => prepared,
            None => {
                let (aa, bb) = (patch.a() * patch.a(), patch.b() * patch.b());
                // p₀ab/(3E*).
                let size = patch.load() / (2.0 * std::f64::consts::PI * patch.material().contact_modulus());
                let shape = Undeformed::Paraboloid { a: 0.5 / (size * rd(bb, aa)), b: 0.5 / (size * rd(aa, bb)) };
                let (grid, load) = (self.grid(patch)?, Load::Force(patch.load()));
                let settings = normal::Settings { tolerance: self.settings.tolerance, ..Default::default() };
                let contact = Contact::solve_watched(grid, patch.material(), shape, load, &settings, watch)?;
                let steady = Steady::new(&contact, patch.friction().greatest(), self.settings)?;
                Prepared { patch: *patch, steady }
            }
        };
        Ok(&mut self.prepared.insert(prepared).steady)
    }
}

impl Theory for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn forces(&mut self, patch: &Patch, creepage: Creepage) -> Result<Forces, TheoryError> {
        self.forces_watched(patch, creepage, &mut unwatched)
    }

    fn forces_watched(&mut self, patch: &Patch, creepage: Creepage, watch: Watch) -> Result<Forces, TheoryError> {
        finite(creepage)?;
        let (mu, greatest) = (patch.friction().at(creepage), patch.friction().greatest());
        if mu <= 0.0 {
            return Ok(Forces { fx: 0.0, fy: 0.0, mz: Some(0.0), stick: Some(0.0) });
        }
        if creepage == Creepage::default() {
            return Ok(Forces { fx: 0.0, fy: 0.0, mz: Some(0.0), stick: Some(1.0) });
        }
        let share = mu / greatest;
        let steady = self.prepare(patch, watch)?;
        let motion = Motion::creepage(creepage.xi / share, creepage.eta / share, creepage.phi / share);
        let solution = match steady.follow_watched(motion, watch) {
            // The last tractions may be a worse beginning than none.
            Err(Error::NoConvergence { .. }) => steady.solve_watched(motion, watch)?,
            other => other?,
        };
        let solution = solution.of_symmetric_contact(motion);
        let [fx, fy] = solution.force;
        Ok(Forces {
            fx: share * fx,
            fy: share * fy,
            mz: Some(share * solution.moment),
            stick: Some(solution.stick_share),
        })
    }
}
