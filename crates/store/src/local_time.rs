//! The time on the user's clock, in the two forms in which it is written: PGN's date, and a part of a file's name.

/// The date as PGN writes it: `2026.11.15`.
#[must_use]
pub fn pgn_date() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
}

/// The time for the name of a file, in whose order names sort by time: `2026-11-15-204502`.
#[must_use]
pub fn stamp() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%d-%H%M%S").to_string()
}
