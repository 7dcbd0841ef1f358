//! The wheels of reference/squeal.
#![allow(dead_code, reason = "each test file uses a part of it")]

use stickslip_core::law::Coefficient;
use stickslip_squeal::contact::{Contact, Spring};
use stickslip_squeal::roughness::Roughness;
use stickslip_squeal::{Friction, Wheel, mode};

/// A table of the reference folder: heads and rows.
pub fn table(name: &str) -> (Vec<String>, Vec<Vec<String>>) {
    let path = format!("{}/../../reference/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let heads = reader.headers().expect("heads").iter().map(String::from).collect();
    let rows = reader.records().map(|row| row.expect("a row").iter().map(String::from).collect()).collect();
    (heads, rows)
}

/// A number in a table.
pub fn cell(heads: &[String], row: &[String], name: &str) -> f64 {
    let k = heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("no column {name}"));
    row[k].parse().unwrap_or(f64::NAN)
}

pub fn fall() -> Friction {
    Friction::Law(Coefficient::Stribeck { sticking: 0.35, slipping: 0.25, speed: 0.15, exponent: 1.0 })
}

pub fn constant(mu: f64) -> Friction {
    Friction::Law(Coefficient::Constant(mu))
}

pub fn creep() -> Contact {
    Contact::Creep { friction: fall(), slope: 335.0, lag: 4.25684e-3 }
}

pub fn patch() -> Contact {
    Contact::Patch { friction: 0.35, half_length: 4.25684e-3, flexibility: 7.363327e-12 }
}

pub fn wheel(set: &str, contact: Contact, creepage: f64) -> Wheel {
    let path = format!("{}/../../reference/squeal/wheel-modes.csv", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("modes");
    let wheel = Wheel {
        modes: mode::from_csv(&text, Some(set)).expect("modes"),
        speed: 10.0,
        creepage,
        spring: Spring { load: 42e3, approach: 73.571e-6, residual: 0.0 },
        contact,
        roughness: Roughness::default(),
    };
    wheel.check().expect("a wheel");
    wheel
}
