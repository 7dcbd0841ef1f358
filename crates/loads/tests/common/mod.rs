//! What several tests share: reference tables, the reference tyre.

#![allow(dead_code, reason = "each test uses a part")]
#![allow(clippy::unwrap_used, reason = "tests")]

use stickslip_loads::tyre::{Tyre, parse_tir};

/// Rows of a table of numbers, without its heading.
pub fn columns(text: &str) -> Vec<Vec<f64>> {
    text.lines().skip(1).map(|line| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()).collect()
}

/// Rows of a table as text, without its heading; commas within quotes do not part.
pub fn cells(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| {
        let mut quoted = false;
        let mut cells = vec![String::new()];
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().unwrap().push(c),
            }
        }
        cells
    };
    text.lines().skip(1).map(row).collect()
}

/// The reference tyre.
pub fn synthetic() -> Tyre {
    parse_tir(include_str!("../../../../reference/tyre/synthetic-a.tir")).unwrap()
}
