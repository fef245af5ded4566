//! Any bytes as the log of a training, which another machine or a synchronization may have written.

use tabiya_train::day::Moment;
use tabiya_train::log::{Entry, Line, MAX_LINE, read};
use tabiya_train::memory::Memory;
use tabiya_train::queue::{self, RETENTION};

/// More lines take long, and show nothing more.
const MOST: usize = 200;

/// No line panics. An entry that is read can be written, in a line that is not too long, and is then read as the same one.
/// What entries amount to is known on every day, and does not depend on whether they came at once or one by one.
///
/// # Panics
/// If the property does not hold.
pub fn train_log(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').take(MOST);
    let entries: Vec<Entry> = lines.filter_map(entry).collect();
    for entry in &entries {
        let line = entry.line();
        assert!(line.len() <= MAX_LINE, "{} bytes", line.len());
        let again = self::entry(line.as_bytes()).expect("it can be read");
        assert_eq!(again.line(), line);
        assert_eq!(again.stamp, entry.stamp);
    }
    let memory = Memory::of(entries.iter().cloned());
    let mut one_by_one = Memory::default();
    for entry in entries {
        one_by_one.apply(entry);
    }
    let last = i64::from(u32::MAX);
    for seconds in [0, 1_763_480_000, last] {
        let ms = seconds * 1000;
        let today = Moment { ms, z: 0 }.day();
        let queue = queue::of(&memory, today, RETENTION, None);
        assert_eq!(
            queue.items,
            queue::of(&one_by_one, today, RETENTION, None).items
        );
        for (item, known) in memory.items() {
            let _ = known.standing(today, RETENTION);
            assert!(memory.item(item.id).is_some());
        }
    }
}

fn entry(line: &[u8]) -> Option<Entry> {
    match read(line).0 {
        Line::Entry(entry) => Some(*entry),
        Line::Unknown | Line::Unreadable => None,
    }
}
