//! A large record is read whole. How long that takes is printed: `cargo test --release -p tabiya-train large -- --nocapture`.

use std::time::Instant;

use tabiya_store::disk::SystemDisk;

use super::*;
use crate::queue::{self, RETENTION};
use crate::record::{self, Place};

#[test]
fn a_large_record_is_read_whole() {
    let folder = std::env::temp_dir().join(format!("tabiya-train-{}", std::process::id()));
    let place = Place {
        data: folder.clone(),
        state: folder.join("state"),
        machine: String::new(),
    };
    let items = items(20_000);
    let mut random = SplitMix64::new(1);
    let mut text = String::new();
    for item in &items {
        text += &(added(random.next_u64(), noon(1, 0), item).line() + "\n");
    }
    for second in 0..100_000 {
        let id = items[random.below(items.len())].id;
        let grade = Grade::try_from(1 + random.below(4) as u8).expect("a grade");
        text +=
            &(reviewed(random.next_u64(), noon(2 + second / 50, second), id, grade).line() + "\n");
    }
    std::fs::create_dir_all(place.logs()).expect("a folder");
    std::fs::write(place.logs().join("log-00000000.jsonl"), &text).expect("a log");
    let mut times = Vec::new();
    for _ in 0..5 {
        let begun = Instant::now();
        let contents = record::read(&SystemDisk, &place).expect("it can be read");
        let loaded = begun.elapsed();
        assert_eq!(contents.memory.count(), 20_000);
        let begun = Instant::now();
        let queue = queue::of(&contents.memory, noon(3000, 0).day(), RETENTION, None);
        times.push((loaded, begun.elapsed()));
        assert_eq!(queue.items.len(), 20);
    }
    println!("{} MiB: {times:?}", text.len() >> 20);
    std::fs::remove_dir_all(folder).expect("it is ours");
}
