//! How fast tables are written: `cargo run --release --example throughput -- <folder> [rows]`.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use stickslip_report::table::{Column, Formats, TableWriter};

const NAMES: [&str; 14] =
    ["t", "x1", "x2", "z1", "z2", "f", "g", "a_G", "a_B", "M", "work", "state_G", "state_B", "region"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: throughput <folder> [rows]")?);
    let rows: u32 = match arguments.next() {
        Some(text) => text.to_string_lossy().parse()?,
        None => 2_000_000,
    };
    let state = |name: &str| name.starts_with("state") || name == "region";
    let columns = NAMES.map(|name| if state(name) { Column::whole(name, "") } else { Column::real(name, "1", "") });
    let only_parquet = Formats { csv: false, ..Formats::ALL };
    for (what, formats) in [("CSV", Formats::CSV), ("Parquet", only_parquet), ("both", Formats::ALL)] {
        let begin = Instant::now();
        let mut table = TableWriter::create(&folder, "throughput", &columns, formats, &[])?;
        let mut row = [0.0; 14];
        for i in 0..rows {
            let t = f64::from(i) * 1e-3;
            // Full mantissas, as a simulation has them, and a few constants.
            for (k, cell) in row[..8].iter_mut().enumerate() {
                *cell = (t + 1.0).sqrt() * (k as f64 + 0.3);
            }
            row[0] = t;
            row[11] = f64::from(i / 1000 % 3) - 1.0;
            row[13] = f64::from(i / 500 % 9);
            table.row(&row)?;
        }
        let finished = table.finish()?;
        let seconds = begin.elapsed().as_secs_f64();
        let mut bytes = 0;
        for path in &finished.paths {
            bytes += std::fs::metadata(path)?.len();
        }
        eprintln!(
            "{what:8} {:6.2} million rows/s, {:6.1} bytes per row",
            f64::from(rows) / seconds / 1e6,
            bytes as f64 / f64::from(rows)
        );
    }
    Ok(())
}
