//! Parquet: one required column per table column, DOUBLE or INT64, Snappy.
//!
//! Floats are byte-stream split (the exponents of neighbouring rows are alike, so they compress);
//! whole numbers, which repeat, are dictionary encoded.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use super::Column;
use parquet::basic::{Repetition, Type as Physical};
use parquet::data_type::{DoubleType, Int64Type};
use parquet::errors::{ParquetError, Result as Encoded};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use super::parquet_block::properties;
use super::{ROWS_PER_GROUP, arrow_schema};
use crate::Error;

/// A Parquet file being written.
pub(super) struct ParquetSink {
    path: PathBuf,
    writer: SerializedFileWriter<File>,
    buffers: Vec<Buffer>,
    buffered: usize,
}

/// The rows of one column that wait for the next row group.
enum Buffer {
    Float(Vec<f64>),
    Whole(Vec<i64>),
}

impl std::fmt::Debug for ParquetSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetSink")
            .field("path", &self.path)
            .field("buffered", &self.buffered)
            .finish_non_exhaustive()
    }
}

impl ParquetSink {
    pub(super) fn create(path: PathBuf, columns: &[Column], metadata: &[(&str, &str)]) -> Result<Self, Error> {
        let file = File::create(&path).map_err(|source| Error::io(&path, source))?;
        let writer = open(file, columns, metadata).map_err(|source| Error::Parquet { path: path.clone(), source })?;
        let buffers = columns
            .iter()
            .map(|column| match column.integer {
                true => Buffer::Whole(Vec::with_capacity(ROWS_PER_GROUP)),
                false => Buffer::Float(Vec::with_capacity(ROWS_PER_GROUP)),
            })
            .collect();
        Ok(Self { path, writer, buffers, buffered: 0 })
    }

    /// Appends a row that has already been checked.
    pub(super) fn row(&mut self, values: &[f64]) -> Result<(), Error> {
        for (buffer, &value) in self.buffers.iter_mut().zip(values) {
            match buffer {
                Buffer::Float(cells) => cells.push(value),
                Buffer::Whole(cells) => cells.push(value as i64),
            }
        }
        self.buffered += 1;
        if self.buffered == ROWS_PER_GROUP {
            self.write_group()?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<PathBuf, Error> {
        if self.buffered > 0 {
            self.write_group()?;
        }
        match self.writer.close() {
            Ok(_) => Ok(self.path),
            Err(source) => Err(Error::Parquet { path: self.path, source }),
        }
    }

    fn write_group(&mut self) -> Result<(), Error> {
        let written = encode_group(&mut self.writer, &mut self.buffers);
        self.buffered = 0;
        written.map_err(|source| Error::Parquet { path: self.path.clone(), source })
    }
}

fn open(file: File, columns: &[Column], metadata: &[(&str, &str)]) -> Encoded<SerializedFileWriter<File>> {
    let fields: Vec<_> = columns.iter().map(arrow_schema::Field::from).collect();
    let whole = columns.iter().filter(|column| column.integer).map(|column| &*column.name);
    let properties = properties(describe(columns), &fields, whole, metadata);
    SerializedFileWriter::new(file, schema(columns)?, Arc::new(properties))
}

fn schema(columns: &[Column]) -> Encoded<TypePtr> {
    let fields = columns
        .iter()
        .map(|column| {
            let physical = match column.integer {
                true => Physical::INT64,
                false => Physical::DOUBLE,
            };
            Type::primitive_type_builder(&column.name, physical)
                .with_repetition(Repetition::REQUIRED)
                .build()
                .map(Arc::new)
        })
        .collect::<Encoded<Vec<_>>>()?;
    let table = Type::group_type_builder("table").with_fields(fields).build()?;
    Ok(Arc::new(table))
}

/// The columns as JSON, for the file's metadata.
fn describe(columns: &[Column]) -> String {
    let entries: Vec<_> = columns
        .iter()
        .map(|column| {
            serde_json::json!({
                "name": column.name,
                "unit": column.unit,
                "meaning": column.meaning,
                "integer": column.integer,
            })
        })
        .collect();
    serde_json::Value::from(entries).to_string()
}

fn encode_group(writer: &mut SerializedFileWriter<File>, buffers: &mut [Buffer]) -> Encoded<()> {
    let mut group = writer.next_row_group()?;
    for buffer in buffers {
        let mut column =
            group.next_column()?.ok_or_else(|| ParquetError::General("fewer columns than the schema".to_owned()))?;
        match buffer {
            Buffer::Float(cells) => {
                column.typed::<DoubleType>().write_batch(cells, None, None)?;
                cells.clear();
            }
            Buffer::Whole(cells) => {
                column.typed::<Int64Type>().write_batch(cells, None, None)?;
                cells.clear();
            }
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}
