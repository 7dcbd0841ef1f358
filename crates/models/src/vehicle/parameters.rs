//! Data of a vehicle, and what is wrong with them.

use std::collections::HashSet;

use super::file::road::Road as RoadTable;
use super::file::tyre::TyreTable;
use super::file::wheel::Wheel as WheelTable;
use super::file::{ChassisTable, InitialTable};
use super::road::{Place, Road};
use super::transfer::Body;
use super::tyres::WheelTyre;
use crate::GRAVITY;
use stickslip_core::law::{LawError, OverSlip};
use stickslip_core::range::{OutOfRange, SignalOutOfRange};
use stickslip_core::record::column_part;
use stickslip_core::signal::Signal;
use stickslip_loads::heat::{DiscData, DiscError};
use stickslip_loads::tyre::TyreError;
use stickslip_scenario::tables::{check, check_signal};

/// Data of a vehicle, before any check.
#[derive(Debug, Clone)]
pub struct Parameters {
    /// Mass m of the chassis with all wheels \[kg\], > 0.
    pub mass: f64,
    /// Gravity g [m/s²], ≥ 0.
    pub gravity: f64,
    /// The wheels, at least one.
    pub wheels: Vec<WheelData>,
    /// Angle θ(t) of the road \[rad\], positive uphill, between −π/2 and π/2; zero where the road has a profile.
    pub slope: Signal,
    /// Drag coefficient c [N s²/m²], ≥ 0; the drag is c |x1| x1.
    pub drag: f64,
    /// Rolling resistance F_R \[N\], ≥ 0: a dry friction of the whole vehicle.
    pub resistance: f64,
    /// What of the road depends on the place, and its coefficient of rolling resistance.
    pub road: Road,
    /// The body that makes loads move between wheels; without it, or with height 0, each wheel keeps its share.
    pub body: Option<Body>,
    /// State at t = 0.
    pub start: Start,
}

impl Parameters {
    /// Whether loads move between wheels.
    pub fn loads_move(&self) -> bool {
        self.body.as_ref().is_some_and(|body| body.height > 0.0)
    }
}

impl Default for Parameters {
    /// A vehicle of 1200 kg at rest on one wheel, on a level road without drag and rolling resistance.
    fn default() -> Parameters {
        Parameters {
            mass: 1200.0,
            gravity: GRAVITY,
            wheels: vec![WheelData::default()],
            slope: Signal::ZERO,
            drag: 0.0,
            resistance: 0.0,
            road: Road::default(),
            body: None,
            start: Start::default(),
        }
    }
}

/// Data of one wheel (or of the wheels of an axle taken together).
#[derive(Debug, Clone)]
pub struct WheelData {
    /// Name, in reports and columns; no two wheels share one.
    pub name: String,
    /// Radius R \[m\], > 0.
    pub radius: f64,
    /// Inertia I about the axle [kg·m²], > 0.
    pub inertia: f64,
    /// Share of the weight that it carries, ≥ 0: N = share m g cos θ. All shares sum to 1.
    pub share: f64,
    /// Friction coefficient μ(t) on the ground, ≥ 0.
    pub friction: Signal,
    /// Motor torque M(t) [N·m], positive counter-clockwise: driving forward is negative.
    pub motor: Signal,
    /// Greatest torque α_B(t) that the brake can hold [N·m], ≥ 0.
    pub brake: Signal,
    /// How friction and brake change with slip.
    pub over_slip: OverSlip,
    /// The tyre it stands on; without one the ground is dry friction. With one `friction` is the factor of the tyre's own:
    /// 1 on the road on which it was measured.
    pub tyre: Option<WheelTyre>,
    /// The disc of its brake; without one the brake stays as it is when it warms.
    pub disc: Option<DiscData>,
    /// Where it touches the road; of no account on a road without patches.
    pub place: Place,
}

impl Default for WheelData {
    /// A wheel of 0.3 m that carries all of the weight on dry ground with μ = 0.8; without motor and brake.
    fn default() -> WheelData {
        WheelData {
            name: "wheel".into(),
            radius: 0.3,
            inertia: 1.2,
            share: 1.0,
            friction: Signal::Constant(0.8),
            motor: Signal::ZERO,
            brake: Signal::ZERO,
            over_slip: OverSlip::default(),
            tyre: None,
            disc: None,
            place: Place::default(),
        }
    }
}

/// Where the vehicle is and how it moves at t = 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Start {
    /// Speed ẋ [m/s].
    pub x1: f64,
    /// Position x \[m\].
    pub x: f64,
    /// Circumferential speeds R_iθ̇_i [m/s], one per wheel; without them all wheels roll, v_i = −x1.
    pub v: Option<Vec<f64>>,
}

/// How far the sum of the shares may be from 1.
const SHARES: f64 = 1e-9;

/// Why data do not describe a vehicle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VehicleError {
    /// A number is out of its range.
    #[error("{}{fault}", of_wheel(wheel))]
    Parameter {
        /// Of which wheel, if of one.
        wheel: Option<String>,
        /// Which number.
        fault: OutOfRange,
    },
    /// A factor over slip makes no sense.
    #[error("friction over slip of the wheel `{wheel}`: {fault}")]
    OverSlip {
        /// Which wheel.
        wheel: String,
        /// What is wrong.
        fault: LawError,
    },
    /// The numbers of a tyre make none.
    #[error("tyre of the wheel `{wheel}`: {fault}")]
    Tyre {
        /// Which wheel.
        wheel: String,
        /// What is wrong.
        fault: TyreError,
    },
    /// The numbers of a brake disc make none.
    #[error("wheel `{wheel}`: {fault}")]
    Disc {
        /// Which wheel.
        wheel: String,
        /// What is wrong.
        fault: DiscError,
    },
    /// A tyre is a law over slip already.
    #[error("the wheel `{wheel}` has a tyre and a friction over slip: a tyre has its own law over slip, leave one out")]
    TyreOverSlip {
        /// Which wheel.
        wheel: String,
    },
    /// There is no wheel.
    #[error("a vehicle needs at least one wheel")]
    NoWheels,
    /// Two wheels have one name, or names that become one in the names of columns.
    #[error("two wheels are named `{name}` (blanks count as _): every wheel needs a name of its own")]
    SameName {
        /// The name.
        name: String,
    },
    /// The wheels do not carry the weight.
    #[error("the load shares of the wheels sum to {sum}: they must sum to 1")]
    Shares {
        /// Sum of all shares.
        sum: f64,
    },
    /// Not one stiffness per wheel.
    #[error("{stiffness} stiffnesses for {wheels} wheels: there must be one for each")]
    Stiffness {
        /// How many there are.
        stiffness: usize,
        /// How many wheels there are.
        wheels: usize,
    },
    /// The centre of mass is not between the wheels.
    #[error("the wheels stand between {rear} m and {front} m ahead of the centre of mass: it must be between them")]
    Wheelbase {
        /// Place of the last wheel \[m\].
        rear: f64,
        /// Place of the first wheel \[m\].
        front: f64,
    },
    /// Loads cannot move.
    #[error(transparent)]
    Axles(#[from] stickslip_loads::transfer::AxlesError),
    /// A wheel without load has no friction that load could change.
    #[error("the wheel `{wheel}` carries nothing: with a body that has a height every wheel must carry a load")]
    NoLoad {
        /// Which.
        wheel: String,
    },
    /// Loads and places contradict each other.
    #[error("the loads have their centre {centre} m ahead of the centre of mass: loads and places must fit together")]
    Unbalanced {
        /// Where \[m\].
        centre: f64,
    },
    /// Not one start speed per wheel.
    #[error("{speeds} wheel speeds for {wheels} wheels: there must be one for each")]
    StartSpeeds {
        /// How many speeds there are.
        speeds: usize,
        /// How many wheels there are.
        wheels: usize,
    },
    /// A signal leaves its range at some time.
    #[error("{}{fault}", of_wheel(wheel))]
    Signal {
        /// Of which wheel, if of one.
        wheel: Option<String>,
        /// Which signal.
        fault: SignalOutOfRange,
    },
    /// Two patches lie on one another.
    #[error("two road patches of one side overlap from x = {from} m to {to} m")]
    Overlap {
        /// Where the overlap begins \[m\].
        from: f64,
        /// Where it ends \[m\].
        to: f64,
    },
    /// The slope is given twice.
    #[error("the slope is given both by time and by place: leave one out")]
    TwoSlopes,
    /// The road stands upright somewhere.
    #[error("the slope is {value} rad at x = {x} m: it must lie between −π/2 and π/2")]
    Profile {
        /// Where \[m\].
        x: f64,
        /// Its value there.
        value: f64,
    },
}

impl From<OutOfRange> for VehicleError {
    fn from(fault: OutOfRange) -> VehicleError {
        VehicleError::Parameter { wheel: None, fault }
    }
}

impl From<SignalOutOfRange> for VehicleError {
    fn from(fault: SignalOutOfRange) -> VehicleError {
        VehicleError::Signal { wheel: None, fault }
    }
}

impl VehicleError {
    /// The same of a wheel.
    fn of(self, name: &str) -> VehicleError {
        let wheel = Some(name.to_string());
        match self {
            VehicleError::Parameter { fault, .. } => VehicleError::Parameter { wheel, fault },
            VehicleError::Signal { fault, .. } => VehicleError::Signal { wheel, fault },
            other => other,
        }
    }
}

fn of_wheel(wheel: &Option<String>) -> String {
    wheel.as_ref().map_or_else(String::new, |name| format!("wheel `{name}`: "))
}

impl WheelData {
    /// Numbers and signals against their ranges.
    fn check_ranges(&self) -> Result<(), VehicleError> {
        check(|table: &WheelTable| &table.radius, "radius", self.radius)?;
        check(|table: &WheelTable| &table.inertia, "inertia", self.inertia)?;
        check(|table: &WheelTable| &table.load, "load share", self.share)?;
        check(|table: &WheelTable| &table.ahead, "place", self.place.ahead)?;
        if let Some(stiffness) = self.tyre.as_ref().and_then(|tyre| tyre.stiffness) {
            check(|table: &TyreTable| &table.stiffness, "tyre stiffness", stiffness)?;
        }
        check_signal(|table: &WheelTable| &table.friction, "friction", &self.friction)?;
        check_signal(|table: &WheelTable| &table.motor, "motor torque", &self.motor)?;
        check_signal(|table: &WheelTable| &table.brake, "brake torque", &self.brake)?;
        Ok(())
    }
}

pub(super) fn check_vehicle(p: &Parameters) -> Result<(), VehicleError> {
    check(|table: &ChassisTable| &table.mass, "mass", p.mass)?;
    check(|table: &RoadTable| &table.gravity, "gravity", p.gravity)?;
    check(|table: &ChassisTable| &table.drag, "drag coefficient", p.drag)?;
    check(|table: &ChassisTable| &table.rolling_resistance, "rolling resistance", p.resistance)?;
    if p.wheels.is_empty() {
        return Err(VehicleError::NoWheels);
    }
    let mut names = HashSet::new();
    for w in &p.wheels {
        if !names.insert(column_part(&w.name)) {
            return Err(VehicleError::SameName { name: w.name.clone() });
        }
        w.check_ranges().map_err(|error| error.of(&w.name))?;
        w.over_slip.check().map_err(|fault| VehicleError::OverSlip { wheel: w.name.clone(), fault })?;
        if let Some(tyre) = &w.tyre {
            tyre.tyre.check().map_err(|fault| VehicleError::Tyre { wheel: w.name.clone(), fault })?;
            if w.over_slip.ground.is_some() {
                return Err(VehicleError::TyreOverSlip { wheel: w.name.clone() });
            }
        }
    }
    let sum: f64 = p.wheels.iter().map(|w| w.share).sum();
    if (sum - 1.0).abs() > SHARES {
        return Err(VehicleError::Shares { sum });
    }
    check_signal(|table: &RoadTable| &table.slope, "slope", &p.slope)?;
    p.road.check()?;
    if p.road.profile.is_some() && !matches!(p.slope, Signal::Constant(0.0)) {
        return Err(VehicleError::TwoSlopes);
    }
    if let Some(body) = &p.body {
        check(|table: &ChassisTable| &table.height, "height of the centre of mass", body.height)?;
        if body.stiffness.len() != p.wheels.len() {
            let (stiffness, wheels) = (body.stiffness.len(), p.wheels.len());
            return Err(VehicleError::Stiffness { stiffness, wheels });
        }
        for (wheel, k) in p.wheels.iter().zip(&body.stiffness) {
            check(|table: &WheelTable| &table.stiffness, "stiffness", *k)
                .map_err(|fault| VehicleError::from(fault).of(&wheel.name))?;
        }
    }
    let speeds = p.start.v.as_deref().unwrap_or(&[]);
    if p.start.v.is_some() && speeds.len() != p.wheels.len() {
        return Err(VehicleError::StartSpeeds { speeds: speeds.len(), wheels: p.wheels.len() });
    }
    check(|table: &InitialTable| &table.speed, "speed", p.start.x1)?;
    check(|table: &InitialTable| &table.position, "position", p.start.x)?;
    for v in speeds {
        check(|table: &WheelTable| &table.speed, "wheel speed", *v)?;
    }
    Ok(())
}
