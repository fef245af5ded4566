//! Where the columns and pages of a Parquet file are, as far as this crate needs to know, from bytes of which nothing is
//! certain.
//!
//! The Parquet library is not asked: it has assertions about the contents of files, and allocates what a file tells it to.

use std::ops::Range;

use parquet::basic::{Repetition, Type as Physical};
use parquet::schema::types::Type;

use crate::thrift::{Kind, Thrift};

/// What stands at the beginning and at the end of a file.
pub(crate) const MAGIC: &[u8; 4] = b"PAR1";

/// The number of the compression that all files of a database have.
const ZSTD: i64 = 6;

/// A row group.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) rows: usize,
    pub(crate) chunks: Vec<Chunk>,
}

/// A column of a row group.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    /// Where the dictionary is, if there is one.
    pub(crate) dictionary: Option<Range<u64>>,
    /// Where its pages may be.
    bytes: Range<u64>,
    pub(crate) pages: Vec<PagePlace>,
    /// The least and the greatest value of each page; of the first column only.
    pub(crate) bounds: Vec<(i64, i64)>,
    offset_index: Range<u64>,
    column_index: Option<Range<u64>>,
}

/// Where a page is, and which rows it has.
#[derive(Clone, Debug)]
pub(crate) struct PagePlace {
    pub(crate) bytes: Range<u64>,
    pub(crate) rows: Range<usize>,
}

/// Reads the footer of a file of `size` bytes. `None` if it is damaged, or the file does not have the columns of the schema.
pub(crate) fn groups(footer: &[u8], schema: &Type, size: u64) -> Option<Vec<Group>> {
    let mut thrift = Thrift::new(footer);
    let (mut has_columns, mut groups, mut behind) = (false, None, 0);
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (2, Kind::List) => has_columns = has_columns_of(schema, &mut thrift)?,
            (4, Kind::List) => {
                let mut all = Vec::new();
                for _ in 0..thrift.list(Kind::Struct)? {
                    let group = group(&mut thrift, size)?;
                    if group.chunks.len() != schema.get_fields().len() {
                        return None;
                    }
                    // Columns that share bytes would make a small file a large table.
                    for chunk in &group.chunks {
                        if chunk.start() < behind {
                            return None;
                        }
                        behind = chunk.bytes.end;
                    }
                    all.push(group);
                }
                groups = Some(all);
            }
            _ => thrift.skip(kind)?,
        }
    }
    groups.filter(|_| has_columns)
}

/// Whether a file has the columns of a schema: their names, types, and whether each row has a value.
fn has_columns_of(schema: &Type, thrift: &mut Thrift<'_>) -> Option<bool> {
    let fields = schema.get_fields();
    let count = thrift.list(Kind::Struct)?;
    let mut is_alike = count == fields.len() + 1;
    for number in 0..count {
        let (mut physical, mut repetition, mut name) = (None, None, None);
        let mut last = 0;
        while let Some((field, kind)) = thrift.field(&mut last)? {
            match (field, kind) {
                (1, Kind::Int) => physical = Some(thrift.int()?),
                (3, Kind::Int) => repetition = Some(thrift.int()?),
                (4, Kind::Bytes) => name = Some(thrift.bytes()?),
                _ => thrift.skip(kind)?,
            }
        }
        // The first element is the table.
        let Some(field) = number.checked_sub(1).and_then(|at| fields.get(at)) else {
            continue;
        };
        is_alike &= physical == Some(number_of_type(field.get_physical_type()))
            && repetition == Some(i64::from(is_optional(field)))
            && name == Some(field.name().as_bytes());
    }
    Some(is_alike)
}

/// Whether rows may have no value in a column.
pub(crate) fn is_optional(field: &Type) -> bool {
    field.get_basic_info().repetition() == Repetition::OPTIONAL
}

/// The number of a type in files.
fn number_of_type(physical: Physical) -> i64 {
    match physical {
        Physical::INT32 => 1,
        Physical::INT64 => 2,
        _ => 6,
    }
}

/// Reads a row group.
fn group(thrift: &mut Thrift<'_>, size: u64) -> Option<Group> {
    let mut group = Group {
        rows: 0,
        chunks: Vec::new(),
    };
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (1, Kind::List) => {
                for _ in 0..thrift.list(Kind::Struct)? {
                    group.chunks.push(chunk(thrift, size)?);
                }
            }
            (3, Kind::Int) => group.rows = usize::try_from(thrift.int()?).ok()?,
            _ => thrift.skip(kind)?,
        }
    }
    Some(group)
}

/// Reads the place of a column in a row group.
fn chunk(thrift: &mut Thrift<'_>, size: u64) -> Option<Chunk> {
    let mut chunk = Chunk::default();
    let (mut offset_index, mut column_index) = ([None; 2], [None; 2]);
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (3, Kind::Struct) => (chunk.dictionary, chunk.bytes) = values(thrift, size)?,
            (4, Kind::Int) => offset_index[0] = Some(thrift.size()?),
            (5, Kind::Int) => offset_index[1] = Some(thrift.size()?),
            (6, Kind::Int) => column_index[0] = Some(thrift.size()?),
            (7, Kind::Int) => column_index[1] = Some(thrift.size()?),
            _ => thrift.skip(kind)?,
        }
    }
    let range = |[start, length]: [Option<u64>; 2]| {
        let start = start?;
        within(start..start.checked_add(length?)?, size)
    };
    chunk.offset_index = range(offset_index)?;
    chunk.column_index = range(column_index);
    Some(chunk)
}

/// The places of the dictionary of a column and of its pages, which follow it. `None` if the column cannot be read.
fn values(thrift: &mut Thrift<'_>, size: u64) -> Option<(Option<Range<u64>>, Range<u64>)> {
    let (mut codec, mut length, mut pages, mut dictionary) = (None, None, None, None);
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (4, Kind::Int) => codec = Some(thrift.int()?),
            (7, Kind::Int) => length = Some(thrift.size()?),
            (9, Kind::Int) => pages = Some(thrift.size()?),
            (11, Kind::Int) => dictionary = Some(thrift.size()?),
            _ => thrift.skip(kind)?,
        }
    }
    let pages = pages.filter(|_| codec == Some(ZSTD))?;
    let start = dictionary.unwrap_or(pages);
    let whole = within(start..start.checked_add(length?)?, size)?;
    let dictionary = match dictionary {
        Some(start) => Some(within(start..pages, whole.end)?),
        None => None,
    };
    Some((dictionary, within(pages..whole.end, size)?))
}

/// A range of a file, if it is one.
fn within(range: Range<u64>, size: u64) -> Option<Range<u64>> {
    (range.start <= range.end && range.end <= size).then_some(range)
}

impl Chunk {
    /// Where its bytes begin.
    fn start(&self) -> u64 {
        let dictionary = self.dictionary.as_ref();
        dictionary.map_or(self.bytes.start, |dictionary| dictionary.start)
    }

    /// Where the index of the pages is.
    pub(crate) fn offset_index(&self) -> Range<u64> {
        self.offset_index.clone()
    }

    /// Where the least and greatest values of the pages are.
    pub(crate) fn column_index(&self) -> Option<Range<u64>> {
        self.column_index.clone()
    }

    /// Reads the index of the pages. Their rows are those of the group, in order, and no two pages share bytes.
    pub(crate) fn read_pages(&mut self, index: &[u8], rows: usize) -> Option<()> {
        let mut thrift = Thrift::new(index);
        let mut last = 0;
        let mut places = Vec::new();
        while let Some((field, kind)) = thrift.field(&mut last)? {
            match (field, kind) {
                (1, Kind::List) => {
                    for _ in 0..thrift.list(Kind::Struct)? {
                        places.push(page_place(&mut thrift)?);
                    }
                }
                _ => thrift.skip(kind)?,
            }
        }
        let ends = places.iter().skip(1).map(|(_, first)| *first);
        let ends: Vec<usize> = ends.chain([rows]).collect();
        let (mut behind, mut free) = (0, self.bytes.start);
        for ((bytes, first), end) in places.into_iter().zip(ends) {
            let is_next = free <= bytes.start && bytes.start < bytes.end;
            if !is_next || bytes.end > self.bytes.end || first != behind || end <= first {
                return None;
            }
            (behind, free) = (end, bytes.end);
            let rows = first..end;
            self.pages.push(PagePlace { bytes, rows });
        }
        (behind == rows).then_some(())
    }

    /// Reads the least and greatest values of the pages, which are numbers.
    pub(crate) fn read_bounds(&mut self, index: &[u8]) -> Option<()> {
        let mut thrift = Thrift::new(index);
        let (mut least, mut greatest) = (Vec::new(), Vec::new());
        let mut last = 0;
        while let Some((field, kind)) = thrift.field(&mut last)? {
            let values = match (field, kind) {
                (2, Kind::List) => &mut least,
                (3, Kind::List) => &mut greatest,
                _ => {
                    thrift.skip(kind)?;
                    continue;
                }
            };
            for _ in 0..thrift.list(Kind::Bytes)? {
                let value = thrift.bytes()?.try_into().ok()?;
                values.push(i64::from_le_bytes(value));
            }
        }
        let is_whole = least.len() == self.pages.len() && greatest.len() == self.pages.len();
        self.bounds = least.into_iter().zip(greatest).collect();
        is_whole.then_some(())
    }
}

/// Where a page is, and its first row.
fn page_place(thrift: &mut Thrift<'_>) -> Option<(Range<u64>, usize)> {
    let (mut offset, mut length, mut first) = (None, None, None);
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (1, Kind::Int) => offset = Some(thrift.size()?),
            (2, Kind::Int) => length = Some(thrift.size()?),
            (3, Kind::Int) => first = Some(thrift.size()?),
            _ => thrift.skip(kind)?,
        }
    }
    let start = offset?;
    let bytes = start..start.checked_add(length?)?;
    Some((bytes, usize::try_from(first?).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lie_behind_each_other_in_their_column() {
        // The bytes of two pages, each with one row, of a column from byte 10 to byte 50.
        for (pages, is_right) in [
            ([10..20, 20..50], true),
            ([12..20, 30..40], true),
            ([10..20, 10..20], false),
            ([10..20, 19..30], false),
            ([20..30, 10..20], false),
            ([10..20, 20..20], false),
            ([9..20, 20..30], false),
            ([10..20, 20..51], false),
        ] {
            let mut index = vec![0x19, 0x2c];
            for (row, bytes) in (0..).zip(&pages) {
                let length = bytes.end - bytes.start;
                index.extend([0x16, 2 * bytes.start, 0x15, 2 * length, 0x16, 2 * row, 0]);
            }
            index.push(0);
            let mut chunk = Chunk {
                bytes: 10..50,
                ..Chunk::default()
            };
            let read = chunk.read_pages(&index, 2);
            assert_eq!(read.is_some(), is_right, "{pages:?}");
        }
    }
}
