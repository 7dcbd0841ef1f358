//! A block of a dataset as a Parquet file: one row group, optional columns of DOUBLE and of texts, Snappy.

use std::fs::File;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::errors::{ParquetError, Result as Coded};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::arrow_schema::{self, Field, Holds};
use super::dataset::{Cells, DataColumn};

fn wrong(words: &str) -> ParquetError {
    ParquetError::General(words.to_owned())
}

pub(super) fn encode(columns: &[DataColumn], cells: &[Cells], metadata: &[(&str, &str)]) -> Coded<Vec<u8>> {
    let properties = block_properties(columns, metadata);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema(columns)?, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for cells in cells {
        let mut column = group.next_column()?.ok_or_else(|| wrong("fewer columns than the schema"))?;
        match cells {
            Cells::Numbers(values) => {
                let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_finite())).collect();
                // −0 + 0 = +0, every other number is unchanged.
                let there: Vec<f64> =
                    values.iter().filter(|value| value.is_finite()).map(|value| value + 0.0).collect();
                column.typed::<DoubleType>().write_batch(&there, Some(&levels), None)?;
            }
            Cells::Texts(texts) => {
                let levels: Vec<i16> = texts.iter().map(|text| i16::from(text.is_some())).collect();
                let there: Vec<ByteArray> = texts.iter().flatten().map(|text| ByteArray::from(text.as_str())).collect();
                column.typed::<ByteArrayType>().write_batch(&there, Some(&levels), None)?;
            }
        }
        column.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn block_properties(columns: &[DataColumn], metadata: &[(&str, &str)]) -> WriterProperties {
    let field = |column: &'_ DataColumn| serde_json::json!({ "name": column.name, "unit": column.unit, "meaning": column.meaning });
    let described = serde_json::Value::from(columns.iter().map(field).collect::<Vec<_>>()).to_string();
    let fields: Vec<Field<'_>> = columns
        .iter()
        .map(|column| Field {
            name: &column.name,
            unit: &column.unit,
            meaning: &column.meaning,
            holds: if column.text { Holds::Texts } else { Holds::Floats },
            optional: true,
        })
        .collect();
    let texts = columns.iter().filter(|column| column.text).map(|column| &*column.name);
    properties(described, &fields, texts, metadata)
}

/// Of a file with these columns, of which some hold few different values; the whole name of a column is one part, whatever dots are in it.
pub(super) fn properties<'a>(
    described: String,
    fields: &[Field<'_>],
    few: impl Iterator<Item = &'a str>,
    metadata: &[(&str, &str)],
) -> WriterProperties {
    let mut pairs = vec![
        KeyValue::new("stickslip.columns".to_owned(), described),
        KeyValue::new(arrow_schema::KEY.to_owned(), arrow_schema::encoded(fields)),
    ];
    pairs.extend(metadata.iter().map(|(key, value)| KeyValue::new((*key).to_owned(), (*value).to_owned())));
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_created_by(format!("stickslip {}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(pairs));
    for name in few {
        let path = ColumnPath::new(vec![name.to_owned()]);
        properties =
            properties.set_column_encoding(path.clone(), Encoding::PLAIN).set_column_dictionary_enabled(path, true);
    }
    properties.build()
}

fn schema(columns: &[DataColumn]) -> Coded<TypePtr> {
    let field = |column: &DataColumn| {
        let physical = if column.text { Physical::BYTE_ARRAY } else { Physical::DOUBLE };
        let logical = column.text.then_some(LogicalType::String);
        Type::primitive_type_builder(&column.name, physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Coded<Vec<_>>>()?;
    Ok(Arc::new(Type::group_type_builder("table").with_fields(fields).build()?))
}

/// What the metadata of a file says under a key.
pub(super) fn note(file: File, key: &str) -> Coded<Option<String>> {
    let reader = SerializedFileReader::new(file)?;
    let notes = reader.metadata().file_metadata().key_value_metadata();
    Ok(notes.into_iter().flatten().find(|note| note.key == key).and_then(|note| note.value.clone()))
}

pub(super) fn decode(file: File, columns: &[DataColumn]) -> Coded<Vec<Cells>> {
    let reader = SerializedFileReader::new(file)?;
    let descriptions = reader.metadata().file_metadata().schema_descr().columns().to_vec();
    let names = descriptions.iter().map(|column| column.name());
    if !names.eq(columns.iter().map(|column| column.name.as_str())) {
        return Err(wrong("its columns are not those of the sweep"));
    }
    let mut all: Vec<Cells> = columns.iter().map(Cells::of).collect();
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number)?;
        let rows = usize::try_from(group.metadata().num_rows()).map_err(|_| wrong("a negative number of rows"))?;
        for (index, cells) in all.iter_mut().enumerate() {
            let mut levels = Vec::with_capacity(rows);
            match (group.get_column_reader(index)?, cells) {
                (ColumnReader::DoubleColumnReader(mut column), Cells::Numbers(values)) => {
                    let mut there = Vec::with_capacity(rows);
                    column.read_records(rows, Some(&mut levels), None, &mut there)?;
                    let mut there = there.into_iter();
                    let next = |level: &i16| if *level > 0 { there.next().unwrap_or(f64::NAN) } else { f64::NAN };
                    values.extend(levels.iter().map(next));
                }
                (ColumnReader::ByteArrayColumnReader(mut column), Cells::Texts(texts)) => {
                    let mut there = Vec::with_capacity(rows);
                    column.read_records(rows, Some(&mut levels), None, &mut there)?;
                    let mut there = there.into_iter();
                    for level in &levels {
                        let bytes = if *level > 0 { there.next() } else { None };
                        let text = bytes.map(|bytes| bytes.as_utf8().map(str::to_owned)).transpose()?;
                        texts.push(text);
                    }
                }
                _ => return Err(wrong("a column is not of the kind that the sweep has")),
            }
        }
    }
    Ok(all)
}
