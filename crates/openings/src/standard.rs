//! The built-in table. `lines.rs` has its lines, made from the files in `data/` and checked in, so that a build neither
//! parses them nor plays their moves.

use crate::{Eco, Opening};

/// The code and the name of a position.
#[derive(Clone, Copy)]
struct Row {
    eco: Eco,
    /// An index into `FAMILIES`.
    family: u16,
    /// Where the variation ends in `VARIATIONS`. It begins where that of the row before ends, and is empty for none.
    end: u32,
}

/// Lines as what is searched: sorted keys, a row for each, and all variations as one text. A reference for each name would
/// double the size of the table.
macro_rules! lines {
    ($($key:literal $eco:literal $family:literal $variation:literal)*) => {
        pub(super) static KEYS: &[u64] = &[$($key),*];
        pub(super) static ROWS: &[super::Row] =
            &super::rows([$(($eco, $family, $variation.len())),*]);
        pub(super) static VARIATIONS: &str = concat!($($variation),*);
    };
}

mod lines;
#[cfg(test)]
mod tests;

use lines::{FAMILIES, KEYS, ROWS, VARIATIONS};

/// The rows of lines, each an index of a code, an index of a family, and the length of a variation.
const fn rows<const N: usize>(lines: [(u16, u16, usize); N]) -> [Row; N] {
    let eco = Eco::from_index(0).expect("A00");
    let mut rows = [Row {
        eco,
        family: 0,
        end: 0,
    }; N];
    let mut end = 0;
    let mut place = 0;
    while place < N {
        let (eco, family, length) = lines[place];
        end += length as u32;
        rows[place] = Row {
            eco: Eco::from_index(eco).expect("a code below 500"),
            family,
            end,
        };
        place += 1;
    }
    rows
}

/// The opening of the position with this key.
pub(crate) fn lookup(key: u64) -> Option<Opening<'static>> {
    KEYS.binary_search(&key).ok().map(opening)
}

/// All openings with the keys of their positions, sorted by key.
pub(crate) fn iter() -> impl Iterator<Item = (u64, Opening<'static>)> {
    KEYS.iter()
        .enumerate()
        .map(|(place, &key)| (key, opening(place)))
}

/// The opening at an index of the table.
fn opening(place: usize) -> Opening<'static> {
    let row = &ROWS[place];
    let start = match place.checked_sub(1) {
        Some(before) => ROWS[before].end,
        None => 0,
    };
    let variation = &VARIATIONS[start as usize..row.end as usize];
    Opening {
        eco: row.eco,
        family: FAMILIES[usize::from(row.family)],
        variation: Some(variation).filter(|name| !name.is_empty()),
    }
}
