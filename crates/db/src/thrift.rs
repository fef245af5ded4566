//! Thrift's compact protocol, in which Parquet files describe themselves, read from bytes of which nothing is certain.
//!
//! Everything returns `None` where the bytes end or make no sense. Nothing is allocated.

/// The kinds of values that Parquet uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As a field it has no bytes, because the kind says which one it is.
    Bool,
    Byte,
    Int,
    Double,
    Bytes,
    List,
    Struct,
}

impl Kind {
    fn new(number: u8) -> Option<Kind> {
        Some(match number {
            1 | 2 => Kind::Bool,
            3 => Kind::Byte,
            4..=6 => Kind::Int,
            7 => Kind::Double,
            8 => Kind::Bytes,
            9 | 10 => Kind::List,
            12 => Kind::Struct,
            _ => return None,
        })
    }
}

/// How deep values may be nested.
const MAX_DEPTH: u32 = 16;

/// What is left to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thrift<'a>(&'a [u8]);

impl<'a> Thrift<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Thrift<'a> {
        Thrift(bytes)
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.0.len()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// A number in groups of seven bits, the lowest first.
    fn varint(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A whole number of any width.
    pub(crate) fn int(&mut self) -> Option<i64> {
        let number = self.varint()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    /// A whole number that is not negative.
    pub(crate) fn size(&mut self) -> Option<u64> {
        u64::try_from(self.int()?).ok()
    }

    /// A text, or other bytes.
    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.varint()?).ok()?;
        self.take(length)
    }

    /// The beginning of a list of a kind: how many values follow, which are no more than there are bytes.
    pub(crate) fn list(&mut self, wanted: Kind) -> Option<usize> {
        let (count, kind) = self.any_list()?;
        (count == 0 || kind == wanted).then_some(count)
    }

    /// The beginning of a list: how many values follow, and of which kind.
    fn any_list(&mut self) -> Option<(usize, Kind)> {
        let header = self.byte()?;
        let count = match header >> 4 {
            15 => usize::try_from(self.varint()?).ok()?,
            few => usize::from(few),
        };
        // Some programs give an empty list no kind.
        let kind = match count {
            0 => Kind::Byte,
            _ => Kind::new(header & 15)?,
        };
        (count <= self.left()).then_some((count, kind))
    }

    /// The next field of a struct, or `None` inside at its end. `last` is the number of the field before, 0 at first.
    pub(crate) fn field(&mut self, last: &mut i64) -> Option<Option<(i64, Kind)>> {
        let header = self.byte()?;
        if header == 0 {
            return Some(None);
        }
        *last = match header >> 4 {
            0 => self.int()?,
            step => last.checked_add(i64::from(step))?,
        };
        Some(Some((*last, Kind::new(header & 15)?)))
    }

    /// Skips the value of a field.
    pub(crate) fn skip(&mut self, kind: Kind) -> Option<()> {
        match kind {
            Kind::Bool => Some(()),
            kind => self.skip_listed(kind, MAX_DEPTH),
        }
    }

    /// Skips a value, which may hold others up to a depth.
    fn skip_listed(&mut self, kind: Kind, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match kind {
            Kind::Bool | Kind::Byte => drop(self.byte()?),
            Kind::Int => drop(self.varint()?),
            Kind::Double => drop(self.take(8)?),
            Kind::Bytes => drop(self.bytes()?),
            Kind::List => {
                let (count, kind) = self.any_list()?;
                for _ in 0..count {
                    self.skip_listed(kind, depth)?;
                }
            }
            Kind::Struct => {
                let mut last = 0;
                while let Some((_, kind)) = self.field(&mut last)? {
                    if kind != Kind::Bool {
                        self.skip_listed(kind, depth)?;
                    }
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        // A struct with the numbers 300 and -1, a text, a boolean, and a list of two numbers.
        let bytes = [
            0x15, 0xd8, 0x04, 0x16, 0x01, 0x18, 2, b'h', b'i', 0x11, 0x19, 0x25, 2, 4, 0,
        ];
        let mut thrift = Thrift::new(&bytes);
        let mut last = 0;
        let mut field = |thrift: &mut Thrift<'_>| thrift.field(&mut last);
        assert_eq!(field(&mut thrift), Some(Some((1, Kind::Int))));
        assert_eq!(thrift.int(), Some(300));
        assert_eq!(field(&mut thrift), Some(Some((2, Kind::Int))));
        assert_eq!(thrift.int(), Some(-1));
        assert_eq!(field(&mut thrift), Some(Some((3, Kind::Bytes))));
        assert_eq!(thrift.bytes(), Some(&b"hi"[..]));
        assert_eq!(field(&mut thrift), Some(Some((4, Kind::Bool))));
        assert_eq!(field(&mut thrift), Some(Some((5, Kind::List))));
        let mut skipped = thrift;
        assert_eq!(thrift.list(Kind::Int), Some(2));
        assert_eq!((thrift.int(), thrift.int()), (Some(1), Some(2)));
        assert_eq!(field(&mut thrift), Some(None));
        assert_eq!(skipped.skip(Kind::List), Some(()));
        assert_eq!(skipped.left(), 1);
    }

    #[test]
    fn lengths_and_depths_that_cannot_be_are_refused() {
        // A list of a billion values, a text longer than its bytes, a number without end, and lists in lists in lists.
        let mut thrift = Thrift::new(&[0xf5, 0x80, 0x94, 0xeb, 0xdc, 0x03, 1, 1]);
        assert_eq!(thrift.list(Kind::Int), None);
        assert_eq!(Thrift::new(&[9, 1, 2]).bytes(), None);
        assert_eq!(Thrift::new(&[0xff; 20]).int(), None);
        let deep = [0x19; 1000];
        assert_eq!(Thrift::new(&deep).skip(Kind::List), None);
    }
}
