//! `[[controller]]`: what samples the vehicle and commands it.
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "units stand in brackets, and the schema takes doc comments as they are"
)]

use std::ops::Range;

use crate::vehicle::{Parameters, Vehicle};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_core::record::{Record, column_part};
use stickslip_core::signal::{Points, Signal};
use stickslip_core::simulation::Driven;
use stickslip_loads::control::{
    Actuator, AntiLock, AntiLockData, ControlError, Pid, PidData, Table, TableData, Wiring, ranges,
};
use stickslip_scenario::tables::{
    AnyRatio, Fault, Named, Quantity, Ratio, Spanned, Speed, Time, Torque, TorqueRate, listed, nearest, number, quote,
    same_column,
};

/// A controller: sampled at k times its period, blind and still in between.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub(super) struct ControllerTable {
    /// Name in columns; every controller has its own.
    name: Named,
    /// "anti-lock": thresholds on the slip of a wheel, a rate of its brake torque; "pid": proportional, integral, derivative;
    /// "table": the command over a measured column.
    #[schemars(with = "Kind")]
    kind: Spanned<Kind>,
    /// Sampling period Ts [s], > 0: samples are taken at 0, Ts, 2 Ts and so on, exactly (anti-lock: default 7.3 ms).
    period: Option<Quantity<Time, ranges::Period>>,
    /// anti-lock: the wheel whose brake it commands; the wheel has no `brake` of its own.
    wheel: Option<Named>,
    /// anti-lock: brake torque that the driver asks for [N m], >= 0.
    demand: Option<Quantity<Torque, ranges::Demand>>,
    /// anti-lock: rate of the torque while it rises [N m/s], > 0 (default 12000).
    rise: Option<Quantity<TorqueRate, ranges::Rise>>,
    /// anti-lock: rate while it falls [N m/s], < 0 (default -24000).
    fall: Option<Quantity<TorqueRate, ranges::Fall>>,
    /// anti-lock: slip (v - w)/v below which the torque rises, > 0 (default 0.08).
    slip_low: Option<Quantity<Ratio, ranges::Slip>>,
    /// anti-lock: slip above which it falls, greater than `slip_low` (default 0.18).
    slip_high: Option<Quantity<Ratio, ranges::Slip>>,
    /// anti-lock: speed below which it switches off for good [m/s], > 0 (default 2).
    speed_off: Option<Quantity<Speed, ranges::SpeedOff>>,
    /// pid, table: the column that is measured, such as "x1"; with a minus sign before it the negative of one.
    #[schemars(with = "Option<String>")]
    measure: Option<Spanned<String>>,
    /// pid, table: the input that is commanded, such as "wheel.front.motor".
    #[schemars(with = "Option<String>")]
    command: Option<Spanned<String>>,
    /// pid: what the measurement shall be, in SI units.
    target: Option<Quantity<AnyRatio>>,
    /// pid: command per unit of error.
    proportional: Option<Quantity<AnyRatio>>,
    /// pid: command per unit of error and second (default 0).
    integral: Option<Quantity<AnyRatio>>,
    /// pid: command per unit of error rate (default 0).
    derivative: Option<Quantity<AnyRatio>>,
    /// pid: least and greatest command.
    limits: Option<[Quantity<AnyRatio>; 2]>,
    /// table: points [measurement, command], the first numbers rising; straight between them, constant outside.
    #[schemars(with = "Option<Vec<[f64; 2]>>")]
    points: Option<Spanned<Vec<[Quantity<AnyRatio>; 2]>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum Kind {
    AntiLock,
    Pid,
    Table,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::AntiLock => "anti-lock",
            Kind::Pid => "pid",
            Kind::Table => "table",
        }
    }
}

/// A controller as it was read, and where its brake, if it commands one, stands in the list of wheels.
#[derive(Debug, Clone)]
pub struct Wired {
    /// The controller and what it is connected with.
    pub wiring: Wiring,
    /// The wheel whose brake it commands, and the greatest torque of it.
    pub brakes: Option<(usize, f64)>,
    /// Anti-lock: the torque of that brake without control \[N·m\], which rises to what the driver asks for and stays there.
    pub uncontrolled: Option<Signal>,
}

/// All controllers, checked against the columns and inputs of the vehicle.
pub(super) fn read(tables: &[ControllerTable], parameters: &Parameters) -> Result<Vec<Wired>, Fault> {
    let Some(first) = tables.first() else { return Ok(Vec::new()) };
    let vehicle =
        Vehicle::new(parameters.clone()).map_err(|error| Fault::new(error.to_string()).at(&first.name.span))?;
    let mut wired: Vec<Wired> = Vec::new();
    for table in tables {
        same_column("controller", &table.name, &table.name.text, wired.iter().map(|own| own.wiring.name.as_str()))?;
        let own = table.read(&vehicle)?;
        if let Some(other) = wired.iter().find(|other| other.wiring.input() == own.wiring.input()) {
            return Err(Fault::new(format!(
                "the controllers {} and {} command the same input, {}",
                quote(&other.wiring.name),
                quote(&own.wiring.name),
                quote(own.wiring.input())
            ))
            .help("give every controller an input of its own")
            .at(&table.name.span));
        }
        wired.push(own);
    }
    Ok(wired)
}

impl ControllerTable {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name.text
    }

    fn read(&self, vehicle: &Vehicle) -> Result<Wired, Fault> {
        self.check_keys()?;
        let (wiring, limits) = match self.kind.get_ref() {
            Kind::AntiLock => return self.anti_lock(vehicle),
            Kind::Pid => self.pid(vehicle)?,
            Kind::Table => self.table(vehicle)?,
        };
        let wheel =
            vehicle.parameters().wheels.iter().position(|w| wiring.input() == format!("wheel.{}.brake", w.name));
        if let Some(wheel) = wheel {
            let span = &self.command.as_ref().map_or(self.name.span.clone(), Spanned::span);
            self.check_brake(vehicle, wheel, span)?;
            if limits[0] < 0.0 {
                return Err(Fault::new(format!("a brake cannot push: the command may become {}", number(limits[0])))
                    .help("give limits, or points, of at least 0")
                    .at(span));
            }
        }
        Ok(Wired { wiring, brakes: wheel.map(|wheel| (wheel, limits[1])), uncontrolled: None })
    }

    /// Keys that belong to another kind are mistakes.
    fn check_keys(&self) -> Result<(), Fault> {
        let anti_lock = [
            ("wheel", self.wheel.as_ref().map(|k| k.span.clone())),
            ("demand", self.demand.as_ref().map(|k| k.span.clone())),
            ("rise", self.rise.as_ref().map(|k| k.span.clone())),
            ("fall", self.fall.as_ref().map(|k| k.span.clone())),
            ("slip_low", self.slip_low.as_ref().map(|k| k.span.clone())),
            ("slip_high", self.slip_high.as_ref().map(|k| k.span.clone())),
            ("speed_off", self.speed_off.as_ref().map(|k| k.span.clone())),
        ];
        let pid = [
            ("target", self.target.as_ref().map(|k| k.span.clone())),
            ("proportional", self.proportional.as_ref().map(|k| k.span.clone())),
            ("integral", self.integral.as_ref().map(|k| k.span.clone())),
            ("derivative", self.derivative.as_ref().map(|k| k.span.clone())),
            ("limits", self.limits.as_ref().map(|k| k[0].span.clone())),
        ];
        let wired = [
            ("measure", self.measure.as_ref().map(Spanned::span)),
            ("command", self.command.as_ref().map(Spanned::span)),
        ];
        let table = [("points", self.points.as_ref().map(Spanned::span))];
        let kind = *self.kind.get_ref();
        let foreign = |own: &[Kind], keys: &[(&'static str, Option<Range<usize>>)]| {
            let found = keys.iter().find_map(|(key, span)| Some((*key, span.clone()?)));
            match found.filter(|_| !own.contains(&kind)) {
                Some((key, span)) => {
                    Err(Fault::new(format!("`{key}` is no key of a controller of kind {}", quote(kind.name())))
                        .help(format!("it belongs to {}", listed(own.iter().map(|kind| kind.name()))))
                        .at(&span))
                }
                None => Ok(()),
            }
        };
        foreign(&[Kind::AntiLock], &anti_lock)?;
        foreign(&[Kind::Pid], &pid)?;
        foreign(&[Kind::Pid, Kind::Table], &wired)?;
        foreign(&[Kind::Table], &table)
    }

    fn missing(&self, key: &str, example: &str) -> Fault {
        Fault::new(format!("the controller {} has no `{key}`", quote(&self.name.text)))
            .help(format!("write {key} = {example}"))
            .at(&self.kind.span())
    }

    fn period(&self, default: Option<f64>) -> Result<f64, Fault> {
        let given = self.period.as_ref().map(|period| period.si).or(default);
        given.ok_or_else(|| self.missing("period", "\"10 ms\""))
    }

    /// A controller whose data were refused, with the place of the key that is to blame.
    fn refused(&self, error: &ControlError) -> Fault {
        let message = error.to_string();
        let fault = Fault::new(message.trim_start_matches("controller: ").to_string());
        let at = |q: &Option<Quantity<Ratio, ranges::Slip>>| q.as_ref().map(|q| q.span.clone());
        let blamed = match error {
            ControlError::Order { low_name: "slip_low", .. } => at(&self.slip_high).or(at(&self.slip_low)),
            ControlError::Order { .. } => self.limits.as_ref().map(|limits| limits[0].span.clone()),
            ControlError::Table(table) => self
                .points
                .as_ref()
                .map(|points| table.index().map_or(points.span(), |i| points.get_ref()[i][0].span.clone())),
            _ => None,
        };
        fault.at(&blamed.unwrap_or(self.name.span.clone()))
    }

    fn anti_lock(&self, vehicle: &Vehicle) -> Result<Wired, Fault> {
        let wheels = &vehicle.parameters().wheels;
        let named = self.wheel.as_ref().ok_or_else(|| self.missing("wheel", "\"front\""))?;
        let names = || wheels.iter().map(|wheel| wheel.name.as_str());
        let Some(wheel) = wheels.iter().position(|wheel| wheel.name == named.text) else {
            let fault = Fault::new(format!("there is no wheel {}", quote(&named.text)));
            return Err(match nearest(&named.text, names()) {
                Some(near) => fault.help(format!("did you mean `{near}`?")),
                None => fault.help(format!("the wheels are {}", listed(names().take(12)))),
            }
            .at(&named.span));
        };
        self.check_brake(vehicle, wheel, &named.span)?;
        let demand = self.demand.as_ref().ok_or_else(|| self.missing("demand", "\"2000 N m\""))?.si;
        let defaults = AntiLockData::new(
            demand,
            ["x1".to_string(), format!("-v_{}", column_part(&named.text))],
            format!("wheel.{}.brake", named.text),
        );
        let or = |given: Option<f64>, default: f64| given.unwrap_or(default);
        let data = AntiLockData {
            period: self.period(Some(defaults.period))?,
            rise: or(self.rise.as_ref().map(|q| q.si), defaults.rise),
            fall: or(self.fall.as_ref().map(|q| q.si), defaults.fall),
            slip_low: or(self.slip_low.as_ref().map(|q| q.si), defaults.slip_low),
            slip_high: or(self.slip_high.as_ref().map(|q| q.si), defaults.slip_high),
            speed_off: or(self.speed_off.as_ref().map(|q| q.si), defaults.speed_off),
            ..defaults
        };
        let controller = AntiLock::new(data).map_err(|error| self.refused(&error))?;
        let rise = controller.data().rise;
        let ramp = Points::new(vec![0.0, demand / rise], vec![0.0, demand]);
        let actuator = Actuator::Integrate { limits: [0.0, demand] };
        Ok(Wired {
            wiring: Wiring::new(&self.name.text, controller, actuator),
            brakes: Some((wheel, demand)),
            // Two points at one instant are none where nothing is asked for.
            uncontrolled: Some(ramp.map_or(Signal::Constant(demand), Signal::Points)),
        })
    }

    /// A brake has one master.
    fn check_brake(&self, vehicle: &Vehicle, wheel: usize, span: &Range<usize>) -> Result<(), Fault> {
        let own = &vehicle.parameters().wheels[wheel];
        if matches!(own.brake, Signal::Constant(0.0)) {
            return Ok(());
        }
        Err(Fault::new(format!(
            "the wheel {} has a brake torque of its own, and a controller that commands it",
            quote(&own.name)
        ))
        .help("leave `brake` out of the wheel and its axle: the controller gives the torque")
        .at(span))
    }

    fn pid(&self, vehicle: &Vehicle) -> Result<(Wiring, [f64; 2]), Fault> {
        let value = |q: &Option<Quantity<AnyRatio>>| q.as_ref().map(|q| q.si);
        let limits = self.limits.as_ref().ok_or_else(|| self.missing("limits", "[-500, 500]"))?;
        let limits = [limits[0].si, limits[1].si];
        let data = PidData {
            period: self.period(None)?,
            target: value(&self.target).ok_or_else(|| self.missing("target", "20"))?,
            proportional: value(&self.proportional).ok_or_else(|| self.missing("proportional", "100"))?,
            integral: value(&self.integral).unwrap_or(0.0),
            derivative: value(&self.derivative).unwrap_or(0.0),
            limits,
            measures: [self.measured(vehicle)?],
            commands: [self.commanded(vehicle)?],
        };
        let controller = Pid::new(data).map_err(|error| self.refused(&error))?;
        Ok((Wiring::new(&self.name.text, controller, Actuator::Hold), limits))
    }

    fn table(&self, vehicle: &Vehicle) -> Result<(Wiring, [f64; 2]), Fault> {
        let points = self.points.as_ref().ok_or_else(|| self.missing("points", "[[0, 0], [1, 500]]"))?;
        let points: Vec<(f64, f64)> = points.get_ref().iter().map(|[x, y]| (x.si, y.si)).collect();
        let ends = points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |m, (_, y)| [m[0].min(*y), m[1].max(*y)]);
        let data = TableData {
            period: self.period(None)?,
            points,
            measures: [self.measured(vehicle)?],
            commands: [self.commanded(vehicle)?],
        };
        let controller = Table::new(data).map_err(|error| self.refused(&error))?;
        Ok((Wiring::new(&self.name.text, controller, Actuator::Hold), ends))
    }

    /// The column that is measured, which must be there.
    fn measured(&self, vehicle: &Vehicle) -> Result<String, Fault> {
        let measure = self.measure.as_ref().ok_or_else(|| self.missing("measure", "\"x1\""))?;
        let name = measure.get_ref();
        let bare = name.strip_prefix('-').unwrap_or(name);
        let names = || vehicle.columns().iter().map(|column| &*column.name);
        if names().any(|known| known == bare) {
            return Ok(name.clone());
        }
        let fault = Fault::new(format!("there is no column {}", quote(bare)));
        Err(match nearest(bare, names()) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help(format!("the columns are {}", listed(names().take(24)))),
        }
        .at(&measure.span()))
    }

    /// The input that is commanded, which must be there.
    fn commanded(&self, vehicle: &Vehicle) -> Result<String, Fault> {
        let command = self.command.as_ref().ok_or_else(|| self.missing("command", "\"wheel.front.motor\""))?;
        let inputs: Vec<String> = vehicle.inputs().into_iter().map(|input| input.name).collect();
        let names = || inputs.iter().map(String::as_str);
        if names().any(|known| known == command.get_ref()) {
            return Ok(command.get_ref().clone());
        }
        let fault = Fault::new(format!("there is no input {}", quote(command.get_ref())));
        Err(match nearest(command.get_ref(), names()) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None => fault.help(format!("the inputs are {}", listed(names().take(12)))),
        }
        .at(&command.span()))
    }
}
