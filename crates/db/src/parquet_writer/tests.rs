//! Sheets are read back with the reader of the Parquet library.

use std::path::Path;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::{ColumnKind, HELD, ParquetWriter};

#[test]
fn rows_are_read_again() {
    let columns = [("White", ColumnKind::Text), ("plies", ColumnKind::Number)];
    let mut writer = ParquetWriter::new(Path::new("x"), Vec::new(), &columns).expect("a writer");
    let long = "ü".repeat(HELD / 4);
    // Three of these fill more than one group of rows.
    for row in [
        ["Anna", "33"],
        ["", "?"],
        [&long, "1"],
        [&long, "2"],
        [&long, "3"],
    ] {
        writer.push(row).expect("written");
    }
    let bytes = Bytes::from(writer.finish().expect("finished"));
    let reader = SerializedFileReader::new(bytes).expect("Parquet");
    assert!(reader.num_row_groups() > 1);
    let rows: Vec<(Field, Field)> = reader
        .get_row_iter(None)
        .expect("rows")
        .map(|row| {
            let mut columns = row.expect("a row").into_columns().into_iter();
            let mut next = || columns.next().expect("a column").1;
            (next(), next())
        })
        .collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[0], (Field::Str("Anna".into()), Field::Int(33)));
    assert_eq!(rows[1], (Field::Null, Field::Null));
    assert_eq!(rows[4], (Field::Str(long), Field::Int(3)));
}

#[test]
fn an_empty_table_is_one_and_names_are_unique() {
    let text = ColumnKind::Text;
    let writer = ParquetWriter::new(Path::new("x"), Vec::new(), &[("A", text)]).expect("a writer");
    let bytes = Bytes::from(writer.finish().expect("finished"));
    let reader = SerializedFileReader::new(bytes).expect("Parquet");
    assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    assert!(ParquetWriter::new(Path::new("x"), Vec::new(), &[("A", text), ("A", text)]).is_err());
}
