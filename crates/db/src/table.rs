//! Tables as Parquet files: what the rest of the crate needs of the Parquet library.

use std::ops::{Range, RangeInclusive};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{ConvertedType, Type as Physical};
use parquet::data_type::ByteArray;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, Type};

use crate::block_cache::BlockCache;
use crate::column::{self, Column};
use crate::error::{Damage, DbError};
use crate::layout::{self, Chunk, Group};
use crate::page;
use crate::part_file::{PartFile, PartInfo, PartWriter};

/// The most bytes of values, and of pages without their compression, that are read at a time. Row groups have fewer.
pub(crate) const MAX_READ: usize = 1 << 26;

/// From this many bytes of values on, a row group is written, so that it can be read.
const GROUP_BYTES: usize = MAX_READ / 2;

/// The most bytes of a footer, which has 3 KiB for each row group.
const MAX_FOOTER: usize = 1 << 26;

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
    pending_bytes: usize,
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
            pending_bytes: 0,
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
                    self.pending_bytes += value.map_or(0, str::len);
                    values.push(value.map(|text| ByteArray::from(text.as_bytes().to_vec())));
                }
                (Column::Bytes(values), Value::Bytes(value)) => {
                    self.pending_bytes += value.len();
                    values.push(Some(ByteArray::from(value.to_vec())));
                }
                // The callers beside the schemas have the same columns.
                _ => debug_assert!(false, "a value of another type"),
            }
        }
        self.pending += 1;
        self.rows += 1;
        if self.pending >= self.schema.group_rows || self.pending_bytes >= GROUP_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the rows as a row group.
    fn flush(&mut self) -> Result<(), DbError> {
        if self.pending == 0 {
            return Ok(());
        }
        (self.pending, self.pending_bytes) = (0, 0);
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

/// How Parquet writes a table.
fn properties(schema: &Schema, key: &str) -> WriterProperties {
    let mut properties = column::properties()
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_data_page_row_count_limit(schema.page_rows)
        // Between batches a page may end because it is large, so this is how far it can grow beyond that: a page of games
        // has at most 16 long values more than a MiB.
        .set_write_batch_size(schema.page_rows / 16)
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
#[derive(Debug)]
pub(crate) struct TableReader {
    part: PartFile,
    message: Type,
    groups: Vec<Group>,
}

impl TableReader {
    pub(crate) fn open(
        folder: &Path,
        info: &PartInfo,
        schema: &Schema,
        blocks: &Arc<BlockCache>,
    ) -> Result<TableReader, DbError> {
        let path = folder.join(&info.name);
        let message =
            parse_message_type(schema.message).map_err(|error| DbError::parquet(&path, error))?;
        let mut table = TableReader {
            part: PartFile::open(&path, info, blocks.clone())?,
            message,
            groups: Vec::new(),
        };
        let footer = table.footer()?;
        let groups = layout::groups(&footer, &table.message, info.bytes);
        table.groups =
            groups.ok_or_else(|| table.damaged("its footer is damaged, or of another table"))?;
        let mut rows = 0;
        for group in &table.groups {
            if group.rows > schema.group_rows || group.rows == 0 {
                return Err(table.damaged("a row group is empty or too large"));
            }
            rows += group.rows as u64;
        }
        if rows != info.rows {
            return Err(table.damaged("it has another number of rows"));
        }
        table.read_indexes()?;
        Ok(table)
    }

    /// Reads the footer, whose length stands before the last four bytes.
    fn footer(&self) -> Result<bytes::Bytes, DbError> {
        let strange = || self.damaged("it is not a Parquet file");
        let tail = self.part.len().checked_sub(8).ok_or_else(strange)?;
        let end = self.part.bytes(tail..tail + 8)?;
        let (length, magic) = end.split_first_chunk::<4>().ok_or_else(strange)?;
        let length = u32::from_le_bytes(*length);
        let start = tail.checked_sub(u64::from(length));
        match start.filter(|_| magic == layout::MAGIC && length as usize <= MAX_FOOTER) {
            Some(start) => self.part.bytes(start..tail),
            None => Err(strange()),
        }
    }

    /// Reads where the pages are, and the bounds of the pages of the first column.
    fn read_indexes(&mut self) -> Result<(), DbError> {
        let mut groups = std::mem::take(&mut self.groups);
        for group in &mut groups {
            for (column, chunk) in group.chunks.iter_mut().enumerate() {
                let index = self.part.bytes(chunk.offset_index())?;
                let mut known = chunk.read_pages(&index, group.rows);
                if column == 0 {
                    let index = chunk.column_index().unwrap_or_default();
                    let index = self.part.bytes(index)?;
                    known = known.and_then(|()| chunk.read_bounds(&index));
                }
                known.ok_or_else(|| self.damaged("an index of pages is damaged"))?;
            }
        }
        self.groups = groups;
        Ok(())
    }

    /// The rows of the whole part, by row group.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Rows> + '_ {
        let groups = self.groups.iter().enumerate();
        groups.map(|(group, about)| Rows {
            group,
            range: 0..about.rows,
        })
    }

    /// The rows whose first column, by which the part is sorted, lies in a range.
    pub(crate) fn find(&self, keys: &RangeInclusive<i64>) -> Result<Vec<Rows>, DbError> {
        let (&low, &high) = (keys.start(), keys.end());
        let mut found = Vec::new();
        for (group, about) in self.groups.iter().enumerate() {
            let Some(Chunk { pages, bounds, .. }) = about.chunks.first() else {
                continue;
            };
            let first = bounds.partition_point(|&(_, max)| max < low);
            let behind = bounds.partition_point(|&(min, _)| min <= high);
            let Some(pages) = pages.get(first..behind) else {
                continue;
            };
            let [start, end] = match pages {
                [] => continue,
                [only] => [only.rows.start, only.rows.end],
                [first, .., last] => [first.rows.start, last.rows.end],
            };
            let range = start..end;
            let keys = self.read(&Rows { group, range }, 0)?;
            let keys = keys.longs();
            let from = keys.partition_point(|&found| found < Some(low));
            let to = keys.partition_point(|&found| found <= Some(high));
            if from < to {
                let range = start + from..start + to;
                found.push(Rows { group, range });
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

    /// The values of a column in some ranges of rows of a row group.
    fn read_ranges(
        &self,
        group: usize,
        ranges: &[Range<usize>],
        column: usize,
    ) -> Result<Column, DbError> {
        let chunk = self
            .groups
            .get(group)
            .and_then(|group| group.chunks.get(column));
        let field = self.message.get_fields().get(column);
        let (Some(chunk), Some(field)) = (chunk, field) else {
            return Err(self.damaged("it has other columns"));
        };
        let is_optional = layout::is_optional(field);
        let column = match field.get_physical_type() {
            Physical::INT64 => Column::Long(self.values(chunk, is_optional, ranges)?),
            Physical::INT32 => Column::Int(self.values(chunk, is_optional, ranges)?),
            _ => Column::Bytes(self.values::<ByteArray>(chunk, is_optional, ranges)?),
        };
        if column.size() > MAX_READ {
            return Err(self.damaged("its values are too long"));
        }
        Ok(column)
    }

    /// The dictionary of a column, if it has one. Its bytes count among those that are `left`.
    fn dictionary<T: page::Value>(
        &self,
        chunk: &Chunk,
        left: &mut usize,
    ) -> Result<Option<Vec<T>>, DbError> {
        let Some(place) = &chunk.dictionary else {
            return Ok(None);
        };
        let rows = chunk.pages.last().map_or(0, |page| page.rows.end);
        let bytes = self.part.bytes(place.clone())?;
        let values = page::dictionary(&bytes, rows, left);
        let values = values.ok_or_else(|| self.damaged("a dictionary is damaged"))?;
        Ok(Some(values))
    }

    /// The values of some rows of a column.
    fn values<T: page::Value>(
        &self,
        chunk: &Chunk,
        is_optional: bool,
        ranges: &[Range<usize>],
    ) -> Result<Vec<Option<T>>, DbError> {
        let mut dictionary = None;
        let mut left = MAX_READ;
        let mut found = Vec::new();
        for page in &chunk.pages {
            let rows = &page.rows;
            // The ranges that have rows of this page.
            let from = ranges.partition_point(|range| range.end <= rows.start);
            let to = ranges.partition_point(|range| range.start < rows.end);
            let ranges = ranges.get(from..to).unwrap_or_default();
            let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else {
                continue;
            };
            if dictionary.is_none() {
                dictionary = self.dictionary(chunk, &mut left)?;
            }
            let bytes = self.part.bytes(page.bytes.clone())?;
            // Where rows between them are skipped, all of them are read first.
            let span = first.start.max(rows.start)..last.end.min(rows.end);
            let wanted = span.start - rows.start..span.end - rows.start;
            let mut values = Vec::new();
            page::read(
                &bytes,
                rows.len(),
                wanted,
                is_optional,
                dictionary.as_deref(),
                &mut left,
                &mut values,
            )
            .ok_or_else(|| self.damaged("a page is damaged"))?;
            if ranges.len() == 1 {
                found.append(&mut values);
                continue;
            }
            for range in ranges {
                let (from, to) = (range.start.max(span.start), range.end.min(span.end));
                let wanted = values.get(from - span.start..to - span.start);
                found.extend_from_slice(wanted.unwrap_or_default());
            }
        }
        match found.len() == ranges.iter().map(ExactSizeIterator::len).sum::<usize>() {
            true => Ok(found),
            false => Err(self.damaged("a column ends before its table")),
        }
    }

    #[cfg(test)]
    pub(crate) fn columns(&self) -> usize {
        self.message.get_fields().len()
    }

    /// The columns of texts, with their names.
    pub(crate) fn texts(&self) -> Vec<(usize, &str)> {
        let fields = self.message.get_fields().iter().enumerate();
        let is_text = |field: &Type| field.get_basic_info().converted_type() == ConvertedType::UTF8;
        let texts = fields.filter(|(_, field)| is_text(field));
        texts
            .map(|(column, field)| (column, field.name()))
            .collect()
    }

    pub(crate) fn damaged(&self, what: &str) -> DbError {
        DbError::damaged(self.part.path(), Damage::Table(what.to_owned()))
    }

    /// Checks that the bounds of each page are its least and its greatest value, because rows are found by them.
    pub(crate) fn check_bounds(&self) -> Result<(), DbError> {
        for (rows, group) in self.groups().zip(&self.groups) {
            let keys = self.read(&rows, 0)?;
            let Some(chunk) = group.chunks.first() else {
                continue;
            };
            for (page, &(least, greatest)) in chunk.pages.iter().zip(&chunk.bounds) {
                let keys = keys.longs().get(page.rows.clone()).unwrap_or_default();
                let keys = || keys.iter().copied().flatten();
                if (keys().min(), keys().max()) != (Some(least), Some(greatest)) {
                    return Err(self.damaged("an index of pages does not agree with their rows"));
                }
            }
        }
        Ok(())
    }

    /// Reads the whole part, and holds it against its checksums.
    pub(crate) fn check(&self) -> Result<(), DbError> {
        self.part.check()
    }
}
