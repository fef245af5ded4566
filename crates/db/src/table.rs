//! Tables as Parquet files: what the rest of the crate needs of the Parquet library.

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::serialized_reader::ReadOptionsBuilder;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use crate::block_cache::BlockCache;
use crate::column::{self, Column};
use crate::error::{Damage, DbError};
use crate::part_file::{PartFile, PartInfo, PartWriter};

/// A table of a database.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Its name, which is that of the folder with its parts.
    pub(crate) name: &'static str,
    /// The columns in Parquet's schema language. The table is sorted by the first.
    pub(crate) message: &'static str,
    /// Columns without a dictionary, because their values hardly repeat.
    pub(crate) distinct: &'static [&'static str],
    /// The number of rows in a page.
    pub(crate) page_rows: usize,
    /// The number of rows in a row group.
    pub(crate) group_rows: usize,
}

/// A value of one row.
#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Long(Option<i64>),
    Int(Option<i32>),
    Text(Option<&'a str>),
    Bytes(&'a [u8]),
}

/// A part of a table that is being written.
pub(crate) struct TableWriter {
    schema: &'static Schema,
    name: String,
    path: std::path::PathBuf,
    writer: SerializedFileWriter<PartWriter>,
    columns: Vec<Column>,
    pending: usize,
    rows: u64,
}

impl TableWriter {
    /// Begins part `part` of a table below a folder.
    pub(crate) fn create(
        folder: &Path,
        schema: &'static Schema,
        part: u32,
    ) -> Result<TableWriter, DbError> {
        let name = part_name(schema, part);
        let path = folder.join(&name);
        let failed = |error| DbError::parquet(&path, error);
        let message = Arc::new(parse_message_type(schema.message).map_err(failed)?);
        let columns = message
            .get_fields()
            .iter()
            .map(|field| Column::empty(field.get_physical_type()))
            .collect();
        let properties = properties(
            schema,
            message
                .get_fields()
                .first()
                .map_or("", |field| field.name()),
        );
        let writer =
            SerializedFileWriter::new(PartWriter::create(&path)?, message, Arc::new(properties))
                .map_err(failed)?;
        Ok(TableWriter {
            schema,
            name,
            path,
            writer,
            columns,
            pending: 0,
            rows: 0,
        })
    }

    /// Adds a row, with a value for each column.
    pub(crate) fn push(&mut self, row: &[Value<'_>]) -> Result<(), DbError> {
        debug_assert_eq!(row.len(), self.columns.len());
        for (column, value) in self.columns.iter_mut().zip(row) {
            match (column, value) {
                (Column::Long(values), Value::Long(value)) => values.push(*value),
                (Column::Int(values), Value::Int(value)) => values.push(*value),
                (Column::Bytes(values), Value::Text(value)) => {
                    values.push(value.map(|text| ByteArray::from(text.as_bytes().to_vec())));
                }
                (Column::Bytes(values), Value::Bytes(value)) => {
                    values.push(Some(ByteArray::from(value.to_vec())));
                }
                // The callers beside the schemas have the same columns.
                _ => debug_assert!(false, "a value of another type"),
            }
        }
        self.pending += 1;
        self.rows += 1;
        if self.pending >= self.schema.group_rows {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), DbError> {
        if self.pending == 0 {
            return Ok(());
        }
        self.pending = 0;
        column::write_group(&mut self.writer, &mut self.columns)
            .map_err(|error| DbError::parquet(&self.path, error))
    }

    /// Completes the part.
    pub(crate) fn finish(mut self) -> Result<PartInfo, DbError> {
        self.flush()?;
        let path = self.path;
        // This writes the footer as well.
        let file = self
            .writer
            .into_inner()
            .map_err(|error| DbError::parquet(&path, error))?;
        file.finish(&self.name, self.rows)
    }
}

/// The path of part `part` of a table below the folder with the data.
pub(crate) fn part_name(schema: &Schema, part: u32) -> String {
    format!("{}/part-{part:04}.parquet", schema.name)
}

fn properties(schema: &Schema, key: &str) -> WriterProperties {
    let mut properties = column::properties()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_data_page_row_count_limit(schema.page_rows)
        .set_write_batch_size(schema.page_rows.min(1024))
        .set_max_row_group_row_count(None)
        .set_sorting_columns(Some(vec![SortingColumn {
            column_idx: 0,
            descending: false,
            nulls_first: false,
        }]))
        // Only the column that is searched needs minimums and maximums.
        .set_statistics_enabled(EnabledStatistics::None)
        .set_column_statistics_enabled(ColumnPath::from(key), EnabledStatistics::Page);
    for &column in schema.distinct {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(column), false);
    }
    properties.build()
}

/// Consecutive rows of a row group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) group: usize,
    pub(crate) range: Range<usize>,
}

/// A part of a table that is being read.
pub(crate) struct TableReader {
    part: PartFile,
    reader: SerializedFileReader<PartFile>,
}

impl std::fmt::Debug for TableReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("TableReader").field(&self.part).finish()
    }
}

impl TableReader {
    pub(crate) fn open(
        folder: &Path,
        info: &PartInfo,
        schema: &Schema,
        blocks: &Arc<BlockCache>,
    ) -> Result<TableReader, DbError> {
        let path = folder.join(&info.name);
        let part = PartFile::open(&path, info, blocks.clone())?;
        let options = ReadOptionsBuilder::new().with_page_index().build();
        let reader = SerializedFileReader::new_with_options(part.clone(), options)
            .map_err(|error| DbError::parquet(&path, error))?;
        let expected =
            parse_message_type(schema.message).map_err(|error| DbError::parquet(&path, error))?;
        if reader.metadata().file_metadata().schema() != &expected {
            return Err(DbError::damaged(
                &path,
                Damage::Table("it has other columns".into()),
            ));
        }
        Ok(TableReader { part, reader })
    }

    /// The rows of the whole part, by row group.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Rows> + '_ {
        let groups = self.reader.metadata().row_groups();
        groups.iter().enumerate().map(|(group, about)| Rows {
            group,
            range: 0..about.num_rows() as usize,
        })
    }

    /// The rows whose first column, by which the part is sorted, lies in a range.
    pub(crate) fn find(&self, keys: &RangeInclusive<i64>) -> Result<Vec<Rows>, DbError> {
        let (&low, &high) = (keys.start(), keys.end());
        let mut found = Vec::new();
        for whole in self.groups() {
            let page_index = self.reader.metadata().page_index_for_row_group(whole.group);
            let (Some(ColumnIndexMetaData::INT64(index)), Some(pages)) =
                (page_index.column_index(0), page_index.page_locations(0))
            else {
                return Err(self.damaged("a page index is missing"));
            };
            let first = index.max_values().partition_point(|&max| max < low);
            let behind = index.min_values().partition_point(|&min| min <= high);
            if first >= behind {
                continue;
            }
            let row = |page: usize| {
                let start = pages.get(page).map(|page| page.first_row_index as usize);
                start.unwrap_or(whole.range.end).min(whole.range.end)
            };
            let rows = Rows {
                group: whole.group,
                range: row(first)..row(behind),
            };
            let keys = self.read(&rows, 0)?;
            let keys = keys.longs();
            let from = keys.partition_point(|&found| found < Some(low));
            let to = keys.partition_point(|&found| found <= Some(high));
            if from < to {
                found.push(Rows {
                    group: whole.group,
                    range: rows.range.start + from..rows.range.start + to,
                });
            }
        }
        Ok(found)
    }

    /// The values of a column in some rows.
    pub(crate) fn read(&self, rows: &Rows, column: usize) -> Result<Column, DbError> {
        self.read_ranges(rows.group, std::slice::from_ref(&rows.range), column)
    }

    /// The values of a column in single rows of a row group, in ascending order. The rows between them are skipped.
    pub(crate) fn read_single(
        &self,
        group: usize,
        rows: &[usize],
        column: usize,
    ) -> Result<Column, DbError> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for &row in rows {
            match ranges.last_mut() {
                Some(last) if last.end == row => last.end += 1,
                _ => ranges.push(row..row + 1),
            }
        }
        self.read_ranges(group, &ranges, column)
    }

    fn read_ranges(
        &self,
        group: usize,
        ranges: &[Range<usize>],
        column: usize,
    ) -> Result<Column, DbError> {
        let read = || -> Result<Column, ParquetError> {
            let group = self.reader.get_row_group(group)?;
            Ok(match group.get_column_reader(column)? {
                ColumnReader::Int64ColumnReader(reader) => {
                    Column::Long(values::<Int64Type>(reader, ranges)?)
                }
                ColumnReader::Int32ColumnReader(reader) => {
                    Column::Int(values::<Int32Type>(reader, ranges)?)
                }
                ColumnReader::ByteArrayColumnReader(reader) => {
                    Column::Bytes(values::<ByteArrayType>(reader, ranges)?)
                }
                _ => return Err(ParquetError::General("a column of another type".into())),
            })
        };
        read().map_err(|error| DbError::parquet(self.part.path(), error))
    }

    pub(crate) fn damaged(&self, what: &str) -> DbError {
        DbError::damaged(self.part.path(), Damage::Table(what.to_owned()))
    }

    /// Reads and checks the whole part.
    pub(crate) fn check(&self) -> Result<(), DbError> {
        self.part.check()
    }
}

fn values<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    ranges: &[Range<usize>],
) -> Result<Vec<Option<T::T>>, ParquetError> {
    let ends = || ParquetError::EOF("a column ends before its table".into());
    let (mut levels, mut values) = (Vec::new(), Vec::new());
    let mut at = 0;
    for range in ranges {
        let gap = range.start - at;
        if reader.skip_records(gap)? != gap {
            return Err(ends());
        }
        at = range.start;
        while at < range.end {
            let (records, _, _) =
                reader.read_records(range.end - at, Some(&mut levels), None, &mut values)?;
            if records == 0 {
                return Err(ends());
            }
            at += records;
        }
    }
    if levels.is_empty() {
        return Ok(values.into_iter().map(Some).collect());
    }
    let mut values = values.into_iter();
    Ok(levels
        .into_iter()
        .map(|level| if level > 0 { values.next() } else { None })
        .collect())
}
