//! Any bytes as a save or as a journal: nothing panics, and what can be read comes back equal.

use tabiya_store::save_file::{self as format, Tail};

/// Reads bytes as a save and as a journal.
///
/// # Panics
/// Panics if the property does not hold.
pub fn save_file(bytes: &[u8]) {
    save(bytes);
    let journal = format::read_journal(bytes);
    if let Some(text) = journal.last {
        save(text);
    }
    // An entry with any text is found again, whatever comes before or after it.
    let text = String::from_utf8_lossy(bytes);
    let entry = format::journal_entry(&text);
    let journal = format::read_journal(entry.as_bytes());
    assert!(journal.tail == Tail::Nothing && journal.last == Some(text.as_bytes()));
    let mut longer = entry.into_bytes();
    longer.extend(bytes);
    assert!(format::read_journal(&longer).last.is_some());
}

fn save(bytes: &[u8]) {
    let Ok(copy) = format::read(bytes) else {
        return;
    };
    let text = format::save_text(&copy.game, 1, "");
    match format::read(text.as_bytes()) {
        Ok(again) => assert_eq!(again.game, copy.game, "{text}"),
        Err(why) => panic!("{why}:\n{text}"),
    }
}
