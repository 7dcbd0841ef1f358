//! The project's cases (E = 210 GPa, ν = 0.3, μ = 0.3; N, mm, MPa) and its reference files.

use stickslip_contact::grid::Grid;
use stickslip_contact::material::Material;
use stickslip_contact::normal::{self, Contact, Load, Undeformed};
use stickslip_contact::tangential::{Settings, Steady, Transport};

pub const FRICTION: f64 = 0.3;
/// Hertz's semi-axes under 42 kN, rolling radius 460 mm and lateral radius 300 mm on each body.
pub const A: f64 = 4.25684;
pub const B: f64 = 3.20209;
pub const SHAPE: Undeformed = Undeformed::Paraboloid { a: 230.0, b: 150.0 };
pub const LOAD: f64 = 42e3;

pub fn steel() -> Material {
    Material::from_young(210e3, 0.3).expect("valid")
}

/// n × n elements over 1.1 times the ellipse.
pub fn grid(n: usize) -> Grid {
    Grid::centred(n, n, 1.1 * A, 1.1 * B).expect("valid")
}

pub fn contact(n: usize) -> Contact {
    Contact::solve(grid(n), steel(), SHAPE, Load::Force(LOAD), &normal::Settings::default()).expect("solves")
}

pub fn steady(n: usize, transport: Transport) -> Steady {
    Steady::new(&contact(n), FRICTION, Settings { transport, ..Settings::default() }).expect("valid")
}

/// Two equal cylinders of radius 500 mm under 7.05 kN/mm: n elements over 1.1 times the contact.
pub const LINE_A: f64 = 4.41007;
pub const LINE_LOAD: f64 = 7050.0;

pub fn line(half: f64, n: usize) -> Contact {
    let grid = Grid::line(n, half).expect("valid");
    let shape = Undeformed::Paraboloid { a: 250.0, b: f64::INFINITY };
    Contact::solve(grid, steel(), shape, Load::Force(LINE_LOAD), &normal::Settings::default()).expect("solves")
}

/// A reference file: its header, and its rows as text.
pub fn table(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../reference/rolling/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("reference file");
    text.lines().skip(1).map(|l| l.split(',').map(str::to_string).collect()).collect()
}

pub fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}
