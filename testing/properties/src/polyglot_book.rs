//! Any bytes as a Polyglot book: nothing panics, the moves found are legal, and a merged book has the same
//! moves.

use std::io::Cursor;

use tabiya_openings::{Book, BookEntry, PolyglotBook, merge};
use tabiya_rules::Position;

/// Reads bytes as a Polyglot book.
///
/// # Panics
/// Panics if the property does not hold.
pub fn polyglot_book(bytes: &[u8]) {
    let start = Position::start();
    let Ok(mut book) = PolyglotBook::new(Cursor::new(bytes)) else {
        assert!(!bytes.len().is_multiple_of(BookEntry::BYTES));
        return;
    };
    let entries: Vec<BookEntry> = book
        .entries()
        .and_then(Iterator::collect)
        .expect("bytes in memory");
    let written: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    assert_eq!(written, bytes);
    let moves = book.moves(&start).expect("bytes in memory");
    assert!(moves.iter().all(|found| start.is_legal(found.m)));
    let total: u32 = moves.iter().map(|found| found.weight).sum();
    for random in [0, u64::MAX / 3, u64::MAX] {
        let picked = book.pick(&start, random).expect("bytes in memory");
        assert_eq!(picked.is_some(), total > 0);
        assert!(picked.is_none_or(|picked| picked.weight > 0 && moves.contains(&picked)));
    }
    let sorted = entries.is_sorted_by_key(|entry| entry.key);
    for entry in entries.iter().take(64) {
        let found = book.entries_of(entry.key).expect("bytes in memory");
        assert!(found.iter().all(|found| found.key == entry.key));
        assert!(!sorted || found.contains(entry) || found.len() == tabiya_rules::MAX_MOVES);
    }
    let mut merged = Vec::new();
    let done = merge(&mut [book.clone(), book], &mut merged);
    assert_eq!(done.is_ok(), sorted);
    if sorted && entries.len() <= tabiya_rules::MAX_MOVES {
        let mut merged = PolyglotBook::new(Cursor::new(merged)).expect("whole entries");
        let both = merged.moves(&start).expect("bytes in memory");
        assert_eq!(both.len(), moves.len());
    }
}
