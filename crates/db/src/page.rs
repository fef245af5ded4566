//! The pages of a column: their values, from bytes of which nothing is certain.
//!
//! No page, no value and no answer may be larger than these limits, whatever the file says. The writer stays below them.

use std::ops::Range;

use bytes::Bytes;
use parquet::data_type::ByteArray;

use crate::thrift::{Kind, Thrift};

/// The most bytes of a page.
pub(crate) const MAX_PAGE: usize = 1 << 25;

/// The most bytes of a value.
pub(crate) const MAX_VALUE: usize = 1 << 20;

/// How values are written.
const PLAIN: i64 = 0;
const PLAIN_DICTIONARY: i64 = 2;
const DICTIONARY: i64 = 8;

/// A type of values.
pub(crate) trait Value: Clone {
    /// The value at the beginning of some bytes, and the place where the next one begins.
    fn read(bytes: &Bytes, at: usize) -> Option<(Self, usize)>;
}

/// The number at a place.
fn number<const N: usize>(bytes: &Bytes, at: usize) -> Option<([u8; N], usize)> {
    let number = bytes.get(at..)?.first_chunk::<N>()?;
    Some((*number, at + N))
}

impl Value for i64 {
    fn read(bytes: &Bytes, at: usize) -> Option<(i64, usize)> {
        let (number, next) = number(bytes, at)?;
        Some((i64::from_le_bytes(number), next))
    }
}

impl Value for i32 {
    fn read(bytes: &Bytes, at: usize) -> Option<(i32, usize)> {
        let (number, next) = number(bytes, at)?;
        Some((i32::from_le_bytes(number), next))
    }
}

impl Value for ByteArray {
    fn read(bytes: &Bytes, at: usize) -> Option<(ByteArray, usize)> {
        let (length, start) = number(bytes, at)?;
        let length = u32::from_le_bytes(length) as usize;
        let end = start.checked_add(length)?;
        if length > MAX_VALUE || end > bytes.len() {
            return None;
        }
        Some((bytes.slice(start..end).into(), end))
    }
}

/// A page without its compression.
struct Page {
    is_dictionary: bool,
    values: usize,
    encoding: i64,
    bytes: Bytes,
}

/// Reads a page, and takes its bytes from those that are `left`. `None` if it is damaged, or too large.
fn page(bytes: &[u8], left: &mut usize) -> Option<Page> {
    let mut thrift = Thrift::new(bytes);
    let (mut kind_of_page, mut size, mut header) = (None, None, None);
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (1, Kind::Int) => kind_of_page = Some(thrift.int()?),
            (2, Kind::Int) => size = Some(thrift.size()?),
            (5 | 7, Kind::Struct) => header = Some(counts(&mut thrift)?),
            _ => thrift.skip(kind)?,
        }
    }
    let size = usize::try_from(size?).ok()?;
    if size > MAX_PAGE {
        return None;
    }
    *left = left.checked_sub(size)?;
    let (values, encoding) = header?;
    let compressed = bytes.get(bytes.len() - thrift.left()..)?;
    let content = zstd::bulk::decompress(compressed, size).ok()?;
    let is_dictionary = match kind_of_page? {
        0 => false,
        2 => true,
        _ => return None,
    };
    (content.len() == size).then(|| Page {
        is_dictionary,
        values,
        encoding,
        bytes: content.into(),
    })
}

/// The number of values and how they are written, of either kind of page.
fn counts(thrift: &mut Thrift<'_>) -> Option<(usize, i64)> {
    let (mut values, mut encoding) = (None, None);
    let mut last = 0;
    while let Some((field, kind)) = thrift.field(&mut last)? {
        match (field, kind) {
            (1, Kind::Int) => values = Some(thrift.size()?),
            (2, Kind::Int) => encoding = Some(thrift.int()?),
            _ => thrift.skip(kind)?,
        }
    }
    Some((usize::try_from(values?).ok()?, encoding?))
}

/// Reads the values of a dictionary for `rows` rows.
pub(crate) fn dictionary<T: Value>(bytes: &[u8], rows: usize, left: &mut usize) -> Option<Vec<T>> {
    let page = page(bytes, left)?;
    let is_plain = matches!(page.encoding, PLAIN | PLAIN_DICTIONARY);
    if !page.is_dictionary || !is_plain || page.values > rows {
        return None;
    }
    let mut values = Vec::new();
    let mut at = 0;
    for _ in 0..page.values {
        let (value, next) = T::read(&page.bytes, at)?;
        values.push(value);
        at = next;
    }
    (at == page.bytes.len()).then_some(values)
}

/// Adds the values of some rows of a page that has `count` rows.
///
/// All of the page is read. It ends with its last value, so that nobody can hide much behind a few values.
pub(crate) fn read<T: Value>(
    bytes: &[u8],
    count: usize,
    wanted: Range<usize>,
    is_optional: bool,
    dictionary: Option<&[T]>,
    left: &mut usize,
    found: &mut Vec<Option<T>>,
) -> Option<()> {
    let page = page(bytes, left)?;
    if page.is_dictionary || page.values != count || wanted.end > count {
        return None;
    }
    let (levels, rest) = match is_optional {
        true => levels(&page.bytes, count)?,
        false => (vec![1; count], page.bytes),
    };
    let values = levels.iter().filter(|&&level| level > 0).count();
    let mut at = 0;
    let mut next: Box<dyn FnMut() -> Option<T> + '_> = match page.encoding {
        PLAIN => Box::new(|| {
            let (value, next) = T::read(&rest, at)?;
            at = next;
            Some(value)
        }),
        PLAIN_DICTIONARY | DICTIONARY => {
            let dictionary = dictionary?;
            let numbers = match rest.split_first() {
                Some((&width, rest)) => runs(rest, u32::from(width), values)?,
                None if values == 0 => Vec::new(),
                None => return None,
            };
            at = rest.len();
            let mut numbers = numbers.into_iter();
            Box::new(move || dictionary.get(numbers.next()? as usize).cloned())
        }
        _ => return None,
    };
    for (row, level) in levels.into_iter().enumerate() {
        let value = match level {
            0 => None,
            _ => Some(next()?),
        };
        if wanted.contains(&row) {
            found.push(value);
        }
    }
    drop(next);
    (at == rest.len()).then_some(())
}

/// Reads the levels of an optional column, 1 where a row has a value and 0 where it has none, and returns what follows.
fn levels(bytes: &Bytes, count: usize) -> Option<(Vec<u32>, Bytes)> {
    let (length, start) = number(bytes, 0)?;
    let end = start.checked_add(u32::from_le_bytes(length) as usize)?;
    let levels = runs(bytes.get(start..end)?, 1, count)?;
    Some((levels, bytes.slice(end..)))
}

/// Reads the header of a run, a number of up to 35 bits, and moves `at` behind it.
fn run_header(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut header = 0;
    for shift in (0..=28).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        header |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(header);
        }
    }
    None
}

/// Reads `count` numbers of a width in bits, which are all that the bytes have. They come in runs: one number repeated, or
/// groups of eight.
fn runs(bytes: &[u8], width: u32, count: usize) -> Option<Vec<u32>> {
    if width > 32 {
        return None;
    }
    let mut numbers = Vec::with_capacity(count);
    let mut at = 0;
    while numbers.len() < count {
        let header = run_header(bytes, &mut at)?;
        let left = count - numbers.len();
        let length = usize::try_from(header >> 1).ok()?;
        if length == 0 {
            return None;
        }
        if header & 1 == 0 {
            let size = width.div_ceil(8) as usize;
            let mut number = [0; 4];
            number
                .get_mut(..size)?
                .copy_from_slice(bytes.get(at..at + size)?);
            at += size;
            numbers.resize(numbers.len() + length.min(left), u32::from_le_bytes(number));
        } else {
            let size = length.min(left.div_ceil(8)) * width as usize;
            let packed = bytes.get(at..)?;
            // The last group may be cut off behind its last number.
            let packed = packed.get(..size).unwrap_or(packed);
            at += packed.len();
            unpack(
                packed,
                width,
                length.saturating_mul(8).min(left),
                &mut numbers,
            )?;
        }
    }
    (at == bytes.len()).then_some(numbers)
}

/// Adds `count` numbers of a width in bits that follow each other, the lowest bit first.
fn unpack(bytes: &[u8], width: u32, count: usize, numbers: &mut Vec<u32>) -> Option<()> {
    let mask = (1_u64 << width) - 1;
    let mut bytes = bytes.iter();
    let (mut bits, mut known) = (0_u64, 0);
    for _ in 0..count {
        while known < width {
            bits |= u64::from(*bytes.next()?) << known;
            known += 8;
        }
        numbers.push((bits & mask) as u32);
        bits >>= width;
        known -= width;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read() {
        // Three times 5, then the numbers 0 to 7 in three bits each, as the description of Parquet has them.
        let bytes = [0x06, 5, 0x03, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        let numbers = runs(&bytes, 3, 11).expect("numbers");
        assert_eq!(numbers, [5, 5, 5, 0, 1, 2, 3, 4, 5, 6, 7]);
        // The last group is not full, none have a width, there are more, and there are not as many.
        assert_eq!(runs(&bytes, 3, 5).expect("numbers"), [5, 5, 5, 0, 1]);
        assert_eq!(runs(&bytes, 3, 3), None);
        assert_eq!(runs(&[0x08], 0, 4).expect("numbers"), [0; 4]);
        for (bytes, width) in [
            (&bytes[..4], 3),
            (&[0, 1], 1),
            (&[0xff; 9], 1),
            (&bytes, 33),
        ] {
            assert_eq!(runs(bytes, width, 11), None, "{bytes:?}");
        }
    }

    #[test]
    fn values_end_where_their_bytes_end() {
        let bytes = Bytes::from_static(&[2, 0, 0, 0, b'h', b'i', 0xff, 0xff, 0xff, 0xff, 0]);
        let (text, next) = ByteArray::read(&bytes, 0).expect("a text");
        assert_eq!((text.data(), next), (&b"hi"[..], 6));
        assert!(ByteArray::read(&bytes, 6).is_none());
        assert!(i64::read(&bytes, 4).is_none() && i32::read(&bytes, 7).is_some());
    }

    /// A page of any bytes.
    fn write_page(is_dictionary: bool, values: u8, encoding: i64, content: &[u8]) -> Vec<u8> {
        let size = 2 * content.len();
        let mut bytes = vec![0x15, if is_dictionary { 4 } else { 0 }, 0x15];
        bytes.extend([size as u8 | 0x80, (size >> 7) as u8]);
        bytes.push(if is_dictionary { 0x5c } else { 0x3c });
        bytes.extend([0x15, 2 * values, 0x15, 2 * encoding as u8, 0, 0]);
        bytes.extend(zstd::bulk::compress(content, 3).expect("compressed"));
        bytes
    }

    #[test]
    fn pages_end_with_their_last_value_and_are_counted() {
        let text: &[u8] = &[2, 0, 0, 0, b'h', b'i'];
        // Of two rows the second has a value; three times the number 1, in two bits; each also with a byte too many.
        let levels: &[u8] = &[2, 0, 0, 0, 0x03, 0b10];
        let cases: [(&[u8], &[u8], i64, bool); 6] = [
            (&[], &[text, text].concat(), PLAIN, true),
            (&[], &[text, text, &[0]].concat(), PLAIN, false),
            (levels, text, PLAIN, true),
            (&[3, 0, 0, 0, 0x03, 0b10, 0], text, PLAIN, false),
            (levels, &[1, 2, 1], DICTIONARY, true),
            (levels, &[1, 2, 1, 0], DICTIONARY, false),
        ];
        let words = [ByteArray::from("a"), ByteArray::from("b")];
        for (number, (levels, values, encoding, is_right)) in cases.into_iter().enumerate() {
            let content = [levels, values].concat();
            let bytes = write_page(false, 2, encoding, &content);
            let read = |wanted: Range<usize>, mut left| {
                let mut found = Vec::new();
                let is_optional = !levels.is_empty();
                read(
                    &bytes,
                    2,
                    wanted,
                    is_optional,
                    Some(&words),
                    &mut left,
                    &mut found,
                )?;
                Some((found.len(), left))
            };
            let whole = content.len();
            for wanted in [0..1, 1..2, 0..2] {
                let expected = is_right.then_some((wanted.len(), 7));
                assert_eq!(read(wanted, whole + 7), expected, "case {number}");
            }
            assert_eq!(read(0..2, whole - 1), None, "case {number}");
        }
        for (rest, rows, left, is_right) in [
            (&b""[..], 1, 6, true),
            (b"\0", 1, 7, false),
            (b"", 0, 6, false),
            (b"", 1, 5, false),
        ] {
            let bytes = write_page(true, 1, PLAIN, &[text, rest].concat());
            let words = dictionary::<ByteArray>(&bytes, rows, &mut { left });
            assert_eq!(words.is_some(), is_right, "{rest:?} {rows} {left}");
        }
    }
}
