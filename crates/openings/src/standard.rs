//! The built-in table, which the build script makes from the files in `data/`.

use crate::{Eco, Opening};

/// Names joined into one text, and where each ends.
struct Pool {
    text: &'static str,
    ends: &'static [u32],
}

impl Pool {
    fn name(&self, place: u16) -> &'static str {
        let place = usize::from(place);
        let end = self.ends[place] as usize;
        let start = match place.checked_sub(1) {
            Some(before) => self.ends[before] as usize,
            None => 0,
        };
        &self.text[start..end]
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        size_of_val(self) + self.text.len() + size_of_val(self.ends)
    }
}

include!(concat!(env!("OUT_DIR"), "/standard.rs"));

/// How many positions have a name.
pub(crate) const fn len() -> usize {
    KEYS.len()
}

/// The opening of the position with this key.
pub(crate) fn lookup(key: u64) -> Option<Opening<'static>> {
    KEYS.binary_search(&key).ok().map(opening)
}

/// All openings with the keys of their positions, sorted by key.
pub(crate) fn iter() -> impl Iterator<Item = (u64, Opening<'static>)> {
    (0..len()).map(|place| (KEYS[place], opening(place)))
}

fn opening(place: usize) -> Opening<'static> {
    let (eco, family, variation) = ROWS[place];
    Opening {
        eco: Eco::from_index(eco).expect("the build script writes codes below 500"),
        family: FAMILIES.name(family),
        variation: Some(VARIATIONS.name(variation)).filter(|name| !name.is_empty()),
    }
}

/// The size of the table in the binary, in bytes.
#[cfg(test)]
pub(crate) fn bytes() -> usize {
    size_of_val(&KEYS) + size_of_val(&ROWS) + FAMILIES.bytes() + VARIATIONS.bytes()
}
