//! The values of a column, and how they are written to a Parquet file.

use std::io::Write;

use parquet::basic::{Compression, Type, ZstdLevel};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};

/// The values of a column in consecutive rows.
#[derive(Debug)]
pub(crate) enum Column {
    Long(Vec<Option<i64>>),
    Int(Vec<Option<i32>>),
    Bytes(Vec<Option<ByteArray>>),
}

impl Column {
    pub(crate) fn longs(&self) -> &[Option<i64>] {
        match self {
            Column::Long(values) => values,
            Column::Int(_) | Column::Bytes(_) => &[],
        }
    }

    pub(crate) fn ints(&self) -> &[Option<i32>] {
        match self {
            Column::Int(values) => values,
            Column::Long(_) | Column::Bytes(_) => &[],
        }
    }

    pub(crate) fn bytes(&self) -> &[Option<ByteArray>] {
        match self {
            Column::Bytes(values) => values,
            Column::Long(_) | Column::Int(_) => &[],
        }
    }

    /// How many bytes its values have.
    pub(crate) fn size(&self) -> usize {
        match self {
            Column::Long(values) => 8 * values.len(),
            Column::Int(values) => 4 * values.len(),
            Column::Bytes(values) => values.iter().flatten().map(ByteArray::len).sum(),
        }
    }

    /// An empty column.
    pub(crate) fn empty(kind: Type) -> Column {
        match kind {
            Type::INT64 => Column::Long(Vec::new()),
            Type::INT32 => Column::Int(Vec::new()),
            _ => Column::Bytes(Vec::new()),
        }
    }

    /// Writes the values as the next column of a row group and clears them.
    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let Some(mut writer) = group.next_column()? else {
            let sentence = "more columns than the schema has";
            return Err(ParquetError::General(sentence.into()));
        };
        match self {
            Column::Long(values) => write_values(writer.typed::<Int64Type>(), values)?,
            Column::Int(values) => write_values(writer.typed::<Int32Type>(), values)?,
            Column::Bytes(values) => write_values(writer.typed::<ByteArrayType>(), values)?,
        }
        writer.close()
    }
}

/// Writes the values, and for an optional column which rows have one.
fn write_values<T: DataType>(
    writer: &mut ColumnWriterImpl<'_, T>,
    values: &mut Vec<Option<T::T>>,
) -> Result<(), ParquetError> {
    let is_optional = writer.get_descriptor().max_def_level() > 0;
    let levels: Option<Vec<i16>> = is_optional.then(|| {
        let is_there = |value: &Option<T::T>| i16::from(value.is_some());
        values.iter().map(is_there).collect()
    });
    let values: Vec<T::T> = values.drain(..).flatten().collect();
    writer.write_batch(&values, levels.as_deref(), None)?;
    Ok(())
}

/// Writes columns as a row group and clears them.
pub(crate) fn write_group<W: Write + Send>(
    writer: &mut SerializedFileWriter<W>,
    columns: &mut [Column],
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for column in columns {
        column.write(&mut group)?;
    }
    group.close().map(drop)
}

/// The properties of all files: the creator and the compression.
pub(crate) fn properties() -> WriterPropertiesBuilder {
    // Fast to write. Higher levels save a few percent.
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    WriterProperties::builder()
        .set_created_by(format!("tabiya {}", env!("CARGO_PKG_VERSION")))
        .set_compression(Compression::ZSTD(level))
}
