//! The folder: merging, damage, faults, power cuts.

use std::path::{Path, PathBuf};

use tabiya_store::disk::model::{FAULTS, Fault, ModelDisk};

use super::*;
use crate::log::ItemState;
use crate::memory::Memory;
use crate::record::{self, Notice, Place, Record, RecordError};

fn place() -> Place {
    Place {
        data: PathBuf::from("/data"),
        state: PathBuf::from("/state"),
        machine: "here".to_owned(),
    }
}

fn log(device: &str) -> PathBuf {
    place().logs().join(format!("log-{device}.jsonl"))
}

fn own_log(disk: &ModelDisk) -> PathBuf {
    let bytes = disk.bytes(Path::new("/state/devices")).expect("a device");
    log(std::str::from_utf8(&bytes[..8]).expect("digits"))
}

fn text(entries: &[Entry]) -> String {
    entries.iter().map(|entry| entry.line() + "\n").collect()
}

fn read(disk: &ModelDisk) -> Memory {
    record::read(disk, &place()).expect("it can be read").memory
}

/// Entries of every kind, with every exercise's own at different times.
fn history(random: &mut SplitMix64) -> Vec<Entry> {
    let items = items(12);
    let mut entries: Vec<Entry> = Vec::new();
    for second in 0..120 {
        let item = &items[random.below(items.len())];
        let (id, n) = (item.id, random.next_u64());
        let at = noon(1 + random.below(40) as i64, second);
        let grade = Grade::try_from(1 + random.below(4) as u8).expect("a grade");
        entries.push(match random.below(10) {
            0 => added(n, at, item),
            1 => {
                let mut more = item.clone();
                let moves = item.position.legal_moves();
                more.also.push(moves[random.below(moves.len())]);
                more.themes.push(format!("{}", random.below(3)));
                added(n, at, &more)
            }
            2 => {
                let to = [ItemState::Active, ItemState::Suspended][random.below(2)];
                entry(n, at, Change::State { id, to })
            }
            3 => {
                let played = item.position.uci(item.best[0]);
                entry(n, at, Change::Retract { id, played })
            }
            4 => {
                let of = entries.get(random.below(entries.len()));
                let of = of.map_or(n, |entry| entry.stamp.n);
                entry(n, at, Change::Undo { of })
            }
            5 => {
                let game = random.below(5) as u64;
                entry(n, at, Change::Scanned { game, rules: 1 })
            }
            _ => reviewed(n, at, id, grade),
        });
    }
    entries.sort_by_key(|entry| entry.stamp.t);
    entries
}

/// Within one second the order is that of the devices, so no two entries share one here.
#[test]
fn logs_in_any_order_split_and_duplicated_are_the_same_record() {
    let mut random = SplitMix64::new(11);
    for round in 0..60 {
        let mut entries = history(&mut random);
        entries.dedup_by_key(|entry| entry.stamp.t);
        let whole = ModelDisk::default();
        whole.put(&log("00000000"), text(&entries).as_bytes());
        let expected = read(&whole);
        let devices = 1 + random.below(4);
        let mut logs = vec![Vec::new(); devices];
        for entry in &entries {
            logs[random.below(devices)].push(entry.clone());
            if random.below(3) == 0 {
                let copy = &mut logs[random.below(devices)];
                if copy.last() != Some(entry) {
                    copy.push(entry.clone());
                }
            }
        }
        let disk = ModelDisk::default();
        for entries in &logs {
            let device = format!("{:08x}", random.next_u64() >> 32);
            disk.put(&log(&device), text(entries).as_bytes());
        }
        // A copy that a synchronizing program made.
        disk.put(&log("00000000 (1)"), text(&logs[0]).as_bytes());
        assert_eq!(read(&disk), expected, "round {round}");
    }
}

#[test]
fn what_is_applied_one_by_one_is_what_is_read() {
    let mut random = SplitMix64::new(5);
    for _ in 0..30 {
        let entries = history(&mut random);
        let mut memory = Memory::default();
        for entry in &entries {
            memory.apply(entry.clone());
        }
        assert_eq!(memory, Memory::of(entries));
    }
}

/// Adds an item and reviews it, opening the record twice. Returns how many entries were acknowledged.
fn write(disk: &ModelDisk, entries: &[Entry]) -> usize {
    let mut acknowledged = 0;
    for (seed, part) in entries.chunks(4).enumerate() {
        let Ok((mut record, _)) = Record::open(disk.clone(), &place(), seed as u64, noon(1, 0))
        else {
            return acknowledged;
        };
        for entry in part {
            let appended = record.append(std::slice::from_ref(entry));
            if appended.or_else(|_| record.save_again()).is_err() {
                return acknowledged;
            }
            acknowledged += 1;
        }
    }
    acknowledged
}

fn some_entries() -> Vec<Entry> {
    let item = items(1).remove(0);
    let reviews = (1..8).map(|n| reviewed(n, noon(n as i64, 1), item.id, Grade::Good));
    let first = added(100, noon(1, 0), &item);
    std::iter::once(first).chain(reviews).collect()
}

/// What is on the disk is a beginning of the entries, at least as long as what was acknowledged, and the record opens.
#[track_caller]
fn check(disk: &ModelDisk, entries: &[Entry], acknowledged: usize, context: &str) {
    let is_beginning = |memory: &Memory| {
        let mut counts = acknowledged..=entries.len();
        let is_one = counts.any(|count| *memory == Memory::of(entries[..count].iter().cloned()));
        assert!(is_one, "{context}: {acknowledged} acknowledged, {memory:?}");
    };
    is_beginning(&read(disk));
    let opened = Record::open(disk.clone(), &place(), 99, noon(1, 0));
    let (mut record, contents) = opened.unwrap_or_else(|error| panic!("{context}: {error}"));
    is_beginning(&contents.memory);
    let last = reviewed(77, noon(50, 0), items(1)[0].id, Grade::Good);
    record
        .append(std::slice::from_ref(&last))
        .expect("it works again");
    let mut expected = contents.memory;
    expected.apply(last);
    assert_eq!(read(disk), expected, "{context}");
}

#[test]
fn a_power_cut_at_any_moment_loses_no_acknowledged_review() {
    let entries = some_entries();
    let plain = ModelDisk::default();
    assert_eq!(write(&plain, &entries), entries.len());
    let calls = plain.calls();
    assert!(calls.len() > 30, "{calls:?}");
    for (at, call) in calls.iter().enumerate() {
        let disk = ModelDisk::default();
        disk.fail(at, Fault::Death);
        let acknowledged = write(&disk, &entries);
        for after in disk.after_power_cut() {
            let context = format!("after call {at}, {call}");
            check(&after, &entries, acknowledged, &context);
        }
    }
}

#[test]
fn every_call_can_fail_in_every_way() {
    let entries = some_entries();
    let plain = ModelDisk::default();
    write(&plain, &entries);
    for (at, call) in plain.calls().iter().enumerate() {
        for fault in FAULTS.into_iter().chain([28, 5].map(Fault::Forever)) {
            let disk = ModelDisk::default();
            disk.fail(at, fault);
            let acknowledged = write(&disk, &entries);
            let context = format!("{fault:?} at call {at}, {call}");
            if matches!(fault, Fault::Error(4) | Fault::Short) {
                assert_eq!(acknowledged, entries.len(), "{context}");
            }
            check(&disk.restarted(), &entries, acknowledged, &context);
        }
    }
}

#[test]
fn a_review_is_one_write_and_one_sync() {
    let disk = ModelDisk::default();
    let entries = some_entries();
    let (mut record, _) = Record::open(disk.clone(), &place(), 1, noon(1, 0)).expect("open");
    let before = disk.calls().len();
    record.append(&entries[..1]).expect("written");
    assert_eq!(disk.calls().len() - before, 2);
}

#[test]
fn a_torn_end_is_copied_aside_and_cut_off() {
    let disk = ModelDisk::default();
    let entries = some_entries();
    write(&disk, &entries[..3]);
    let path = own_log(&disk);
    let whole = disk.bytes(&path).expect("a log");
    let torn = &entries[3].line().into_bytes()[..40];
    disk.put(&path, &[&whole[..], torn].concat());
    let disk = disk.restarted();
    let (record, contents) = Record::open(disk.clone(), &place(), 9, noon(1, 0)).expect("open");
    let [Notice::Torn(aside)] = &contents.notices[..] else {
        panic!("{:?}", contents.notices);
    };
    assert!(aside.starts_with("/data/damaged"), "{aside:?}");
    assert_eq!(disk.bytes(aside).as_deref(), Some(torn));
    assert_eq!(disk.bytes(&path).as_deref(), Some(&whole[..]));
    drop(record);
    // Another device's may still be on its way.
    let other = log("01234567");
    disk.put(&other, &[text(&entries[3..5]).as_bytes(), torn].concat());
    let (_record, contents) = Record::open(disk.clone(), &place(), 9, noon(1, 0)).expect("open");
    assert_eq!(contents.notices, []);
    assert!(disk.bytes(&other).expect("it").ends_with(torn));
    let known = contents.memory.items().next().expect("an item").1;
    assert_eq!(format!("{known:?}").matches("PastReview").count(), 4);
}

#[test]
fn a_whole_entry_without_the_end_of_its_line_counts() {
    let disk = ModelDisk::default();
    let entries = some_entries();
    write(&disk, &entries[..3]);
    let path = own_log(&disk);
    let mut bytes = disk.bytes(&path).expect("a log");
    bytes.pop();
    disk.put(&path, &bytes);
    let disk = disk.restarted();
    let (mut record, contents) = Record::open(disk.clone(), &place(), 9, noon(1, 0)).expect("it");
    assert_eq!(contents.notices, []);
    record.append(&entries[3..]).expect("written");
    assert_eq!(read(&disk), Memory::of(entries));
}

#[test]
fn unreadable_lines_are_skipped_and_counted() {
    let disk = ModelDisk::default();
    let entries = some_entries();
    let lines = text(&entries);
    let damaged = format!("nonsense\n{lines}\n{{\"v\":1,\"k\":\"review\"}}\n\n");
    disk.put(&log("01234567"), damaged.as_bytes());
    let contents = record::read(&disk, &place()).expect("it can be read");
    let unreadable = Notice::Unreadable {
        log: log("01234567"),
        lines: 2,
        first: 1,
    };
    assert_eq!(contents.notices, [unreadable]);
    assert_eq!(contents.memory, Memory::of(entries));
}

#[test]
fn a_second_window_is_told_and_a_later_version_is_never_written() {
    let disk = ModelDisk::default();
    let (first, _) = Record::open(disk.clone(), &place(), 1, noon(1, 0)).expect("open");
    let second = Record::open(disk.clone(), &place(), 2, noon(1, 0));
    assert_eq!(second.err(), Some(RecordError::Busy));
    assert!(record::read(&disk, &place()).is_ok());
    drop(first);
    let path = own_log(&disk);
    let mut bytes = disk.bytes(&path).expect("a log");
    bytes.extend(b"{\"v\":2,\"k\":\"medal\"}\n");
    disk.put(&path, &bytes);
    let (mut record, contents) = Record::open(disk.clone(), &place(), 3, noon(1, 0)).expect("it");
    assert_eq!(contents.notices, []);
    record.append(&some_entries()).expect("written");
    assert_eq!(disk.bytes(&path), Some(bytes));
    assert_ne!(own_log(&disk), path, "a new log begins");
    drop(record);
    let elsewhere = Place {
        machine: "another machine".to_owned(),
        ..place()
    };
    drop(Record::open(disk.clone(), &elsewhere, 4, noon(1, 0)).expect("open"));
    let logs = disk.paths();
    let logs = logs.iter().filter(|path| path.starts_with("/data/train"));
    assert_eq!(logs.count(), 3, "another machine has its own");
}
