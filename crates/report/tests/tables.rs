//! Tables are written exactly and refuse what is no number.

use std::fs;

use stickslip_report::Error;
use stickslip_report::table::{Column, EventWriter, Formats, TableWriter};

type Outcome = Result<(), Box<dyn std::error::Error>>;

static COLUMNS: [Column; 3] = [
    Column::real("t", "s", "time"),
    Column::real("x", "m/s", "speed \"of\" the centre"),
    Column::whole("state", "contact state"),
];

#[test]
fn csv_is_exact() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut table = TableWriter::create(folder.path(), "trajectory", &COLUMNS, Formats::CSV, &[])?;
    table.row(&[0.0, 20.0, 0.0])?;
    table.row(&[0.001, 0.1 + 0.2, -1.0])?;
    table.row(&[-0.0, -0.0, -0.0])?;
    table.row(&[1e-7, -1.5e22, 123.0])?;
    assert_eq!(table.rows(), 4);
    let finished = table.finish()?;
    assert_eq!(finished.rows, 4);
    assert_eq!(finished.paths, [folder.path().join("trajectory.csv")]);
    let text = fs::read_to_string(&finished.paths[0])?;
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("t,x,state"));
    assert_eq!(lines.next(), Some("0,20,0"));
    assert_eq!(lines.next(), Some("0.001,0.30000000000000004,-1"));
    assert_eq!(lines.next(), Some("0,0,0"));
    let cells: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    assert_eq!(cells[0].parse::<f64>()?, 1e-7);
    assert_eq!(cells[1].parse::<f64>()?, -1.5e22);
    assert_eq!(cells[2], "123");
    assert_eq!(lines.next(), None);
    Ok(())
}

/// Who asks for them finds units behind the names; pure numbers have none.
#[test]
fn units_stand_in_the_header_where_asked_for() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut table = TableWriter::create(folder.path(), "run", &COLUMNS, Formats::CSV.with_units(true), &[])?;
    table.row(&[0.0, 20.0, 1.0])?;
    assert_eq!(fs::read_to_string(&table.finish()?.paths[0])?, "t [s],x [m/s],state\n0,20,1\n");
    let (_, path) = EventWriter::create(folder.path(), "events", true)?.finish()?;
    assert_eq!(fs::read_to_string(path)?, "t [s],contact,from,to,words\n");
    Ok(())
}

#[test]
fn bad_rows_are_refused_whole() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut table = TableWriter::create(folder.path(), "t", &COLUMNS, Formats::ALL, &[])?;
    table.row(&[0.0, 1.0, 0.0])?;
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        match table.row(&[0.1, bad, 0.0]) {
            Err(Error::NotFinite { column, row, .. }) => {
                assert_eq!((column.as_str(), row), ("x", 1));
            }
            other => panic!("{other:?}"),
        }
    }
    let error = table.row(&[0.1, f64::NAN, 0.0]).map_err(|e| e.to_string());
    let message = error.err().unwrap_or_default();
    assert_eq!(message, "x is NaN, not a finite number, at t = 0.1 s");
    assert!(matches!(table.row(&[0.1, 1.0, 0.5]), Err(Error::NotWhole { .. })));
    assert!(matches!(table.row(&[0.1, 1.0, 1e300]), Err(Error::NotWhole { .. })));
    assert!(matches!(table.row(&[0.1, 1.0]), Err(Error::RowLength { expected: 3, found: 2, .. })));
    let finished = table.finish()?;
    assert_eq!(finished.rows, 1);
    assert_eq!(fs::read_to_string(&finished.paths[0])?, "t,x,state\n0,1,0\n");
    Ok(())
}

#[test]
fn a_folder_that_cannot_be_is_an_error_with_its_path() -> Outcome {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("file");
    fs::write(&file, "")?;
    let outcome = TableWriter::create(&file.join("below"), "t", &COLUMNS, Formats::ALL, &[]);
    match outcome {
        Err(Error::Io { path, .. }) => assert!(path.starts_with(&file)),
        other => panic!("{other:?}"),
    }
    Ok(())
}

#[test]
fn events_are_quoted_where_needed() -> Outcome {
    let folder = tempfile::tempdir()?;
    let mut events = EventWriter::create(folder.path(), "events", false)?;
    events.event(0.603, "ground", "stick", "slip+", "wheel slides")?;
    events.event(2.0, "pad, \"left\"", "slip−", "open", "")?;
    assert!(matches!(events.event(f64::NAN, "ground", "a", "b", ""), Err(Error::NotFinite { row: 2, .. })));
    let (count, path) = events.finish()?;
    assert_eq!(count, 2);
    assert_eq!(
        fs::read_to_string(path)?,
        "t,contact,from,to,words\n0.603,ground,stick,slip+,wheel slides\n2,\"pad, \"\"left\"\"\",slip−,open,\n"
    );
    Ok(())
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_reads_back_to_the_same_bits() -> Outcome {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    use stickslip_report::table::ROWS_PER_GROUP;

    let folder = tempfile::tempdir()?;
    let extra = [("stickslip.version", "0.1.0")];
    let mut table = TableWriter::create(folder.path(), "run", &COLUMNS, Formats::ALL, &extra)?;
    let rows = ROWS_PER_GROUP + 1234;
    let value = |i: usize| {
        let i = i as f64;
        [1e-3 * i, (0.1 * i).sin() * 1e-7_f64.powf((i % 7.0) - 3.0), i % 3.0 - 1.0]
    };
    for i in 0..rows {
        table.row(&value(i))?;
    }
    let finished = table.finish()?;
    let reader = SerializedFileReader::new(fs::File::open(&finished.paths[1])?)?;
    let meta = reader.metadata();
    assert_eq!(meta.num_row_groups(), 2);
    let pairs = meta.file_metadata().key_value_metadata().cloned().unwrap_or_default();
    let find = |key: &str| {
        let pair = pairs.iter().find(|pair| pair.key == key);
        pair.and_then(|pair| pair.value.clone()).unwrap_or_default()
    };
    assert_eq!(find("stickslip.version"), "0.1.0");
    let columns: serde_json::Value = serde_json::from_str(&find("stickslip.columns"))?;
    assert_eq!(columns[1]["unit"], "m/s");
    assert_eq!(columns[1]["meaning"], "speed \"of\" the centre");
    assert_eq!(columns[2]["integer"], true);
    // The same for every field, as Arrow reads it: a message that begins with 0xffffffff, in base64.
    assert!(find("ARROW:schema").starts_with("/////"));
    let mut count = 0;
    for (i, row) in reader.get_row_iter(None)?.enumerate() {
        let row = row?;
        let [t, x, state] = value(i);
        assert_eq!(row.get_double(0)?.to_bits(), t.to_bits());
        assert_eq!(row.get_double(1)?.to_bits(), (x + 0.0).to_bits());
        assert_eq!(row.get_long(2)?, state as i64);
        count += 1;
    }
    assert_eq!(count, rows);
    Ok(())
}

#[cfg(feature = "parquet")]
#[test]
fn a_table_without_rows_is_still_a_table() -> Outcome {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    let folder = tempfile::tempdir()?;
    let finished = TableWriter::create(folder.path(), "run", &COLUMNS, Formats::ALL, &[])?.finish()?;
    assert_eq!(fs::read_to_string(&finished.paths[0])?, "t,x,state\n");
    let reader = SerializedFileReader::new(fs::File::open(&finished.paths[1])?)?;
    assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    Ok(())
}
